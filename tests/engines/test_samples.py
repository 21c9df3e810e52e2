"""The sample engines play whole battles in every rule set."""

from __future__ import annotations

import shutil
import sys

import pytest

from cardbattle import resolve, verify
from cardbattle.engines.definitions import Engine
from cardbattle.library import SideValue
from cardbattle.rules import RULE_SETS, find
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.engines import NODE_SAMPLE, SAMPLE, allowed

LONGEST = 60  # lines of a sample


def sides(rules: str) -> dict[str, SideValue]:
    """Return an engine for the first side."""
    return {find(rules).default_sides[0]: "engine:test"}


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
