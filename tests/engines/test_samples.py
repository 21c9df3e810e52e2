"""The sample engines play whole battles in every rule set."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

from cardbattle import resolve, verify
from cardbattle.engines.definitions import Engine
from cardbattle.engines.description import option_text
from cardbattle.engines.protocol import schema
from cardbattle.library import SideValue
from cardbattle.rules import RULE_SETS, find
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import engine_messages
from tests.support.engines import NODE_SAMPLE, SAMPLE, allowed
from tests.support.guides import ROOT
from tests.support.schemas import fits

LONGEST = 60  # lines of a sample


def sides(rules: str) -> dict[str, SideValue]:
    """Return an engine for the first side."""
    return {find(rules).default_sides[0]: "engine:test"}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_the_sample_for_node_plays_every_rule_set() -> None:
    with allowed(Engine("test", ["node", str(NODE_SAMPLE)])):
        for rules in RULE_SETS:
            verify(resolve(rules, seed=2, sides=sides(rules)))


def test_a_sample_is_short_and_imports_only_the_standard_library() -> None:
    for file in (SAMPLE, NODE_SAMPLE):
        assert len(file.read_text(encoding="utf-8").splitlines()) < LONGEST
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    names = [line.split()[1] for line in lines if line.startswith(("import ", "from "))]
    assert set(names) <= sys.stdlib_module_names


def test_resolve_logs_the_messages_on_request(sh: Shell) -> None:
    command = f"sample={sys.executable} -I -S {SAMPLE}"
    sides = ["--side", "york=engine:sample", "--side", "lancaster"]
    done = sh(
        "resolve", "strategy-war", "--engine", command, *sides, "--engine-log", "log.txt", "-o", "r.toml"
    )
    assert done.code == 0
    lines = (sh.folder / "log.txt").read_text(encoding="utf-8").splitlines()
    assert ' sample > {"type":"hello","protocol":1' in lines[0]
    assert ' sample < {"type": "ready"' in lines[1]
    assert lines[-1].endswith('{"type":"quit"}')
    assert sh("verify", "r.toml").code == 0


def test_an_engine_plays_against_a_person(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    command = f"sample={sys.executable} -I -S {SAMPLE}"
    answers = iter(["#1"] * 60)
    monkeypatch.setattr("cardbattle.cli.play.prompt.Prompt.read", lambda prompt, text="": next(answers))
    arguments = ["strategy-war", "--engine", command, "--side", "york", "--side", "lancaster=engine:sample"]
    done = sh("play", *arguments, "--save", "kept.battle.toml")
    assert done.code == 0, done.err
    assert sh("verify", "kept.record.toml").code == 0


def test_the_complete_messages_are_those_of_this_program() -> None:
    """`python -m tests.support.engine_messages` writes them."""
    text = engine_messages.FILE.read_text(encoding="utf-8")
    assert text == engine_messages.text()
    kinds = []
    for line in text.splitlines():
        message = json.loads(line)
        whole = schema(str(message["type"]))
        assert fits(message, whole, whole)
        kinds.append((str(message["battle"]).removesuffix("-1"), message["type"]))
    assert kinds == [(rules, kind) for rules in RULE_SETS for kind in ("new", "ask")]


@pytest.mark.parametrize(("rules", "seats"), [("warmonger", ("p1", "p2")), ("field-of-honour", ("a", "b"))])
def test_the_options_on_the_page_are_written_as_by_the_host(rules: str, seats: tuple[str, ...]) -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in page.splitlines() if line.startswith('{"id":"play')]
    assert any(json.loads(option_text(find(rules), line["id"], seats)) == line for line in lines)
