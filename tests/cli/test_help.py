"""Help by topic: it is there for all that can be named, and what it says is true."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.campaign.exchange.import_results import read_results
from cardbattle.campaign.state.errors import InUse, NeedsUmpire
from cardbattle.campaign.state.model import Pending
from cardbattle.cli.app import run
from cardbattle.cli.root import command_line
from cardbattle.cli.shell.partial_line import is_option, typed_line
from cardbattle.commanders import DEFAULT, HUMAN, ORDERS, RANKS
from cardbattle.core.errors import CardbattleError, InvalidInput, UsageError
from cardbattle.core.telling import DETAILS
from cardbattle.files.errors import SystemFailure
from cardbattle.rules import RULE_SETS
from cardbattle.show.pages.topics import topic_texts
from cardbattle.show.writers.formats import FORMATS
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

DEMO = Path(__file__).parents[2] / "cardbattle" / "data" / "demo"
TOPICS = topic_texts()
COMMAND = re.compile(r"`cardbattle ([^`]+)`")
CODE = re.compile(r"^```(toml|csv)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODES = [0, CardbattleError.exit_code, UsageError.exit_code, InvalidInput.exit_code, NeedsUmpire.exit_code]
CODES += [InUse.exit_code, SystemFailure.exit_code, 130, 143]
ROW = re.compile(r"^\| `?([a-z0-9]+)`? \|", re.MULTILINE)


def rows(topic: str) -> list[str]:
    """Return what the table of a topic lists, its head aside."""
    return ROW.findall(TOPICS[topic])[1:]


@pytest.mark.parametrize("text", TOPICS.values(), ids=TOPICS)
def test_every_command_in_a_topic_is_there_with_its_options(text: str) -> None:
    for found in COMMAND.findall(" ".join(text.split())):
        words = found.split()
        for place, word in enumerate(words):
            line = typed_line(command_line(), words[:place])
            if is_option(word):
                assert line.option(word) is not None, found
        assert typed_line(command_line(), words).is_known, found
    for option in re.findall(r"`(--[a-z-]+)", text):
        assert any(
            option in one.opts for name in everything() for one in typed_line(command_line(), name).options()
        ), option


def everything() -> list[list[str]]:
    """Return the words of every command."""
    top = command_line().commands
    below = [[group, name] for group in ("campaign", "orders") for name in top[group].commands]
    return [[], *([name] for name in top), *below]


@pytest.mark.parametrize("text", TOPICS.values(), ids=TOPICS)
def test_every_file_in_a_topic_is_one_that_the_program_reads(text: str, tmp_path: Path) -> None:
    for kind, code in CODE.findall(text):
        file = tmp_path / f"file.{kind}"
        file.write_text(code, encoding="utf-8")
        data = tomllib.loads(code) if kind == "toml" else {"result": ()}
        if "pending" in data:
            assert [Pending.model_validate(one).keys for one in data["pending"]] == [
                ["red-vanguard", "blue-guard"]
            ]
        elif "result" in data:
            assert [one.id for one in read_results(str(file)).battles] == ["mill"]
        else:
            assert len(read_battle(data).sides) == 2


def test_the_tables_of_the_topics_have_what_there_is() -> None:
    assert [int(code) for code in re.findall(r"^\| ([0-9]+) \|", TOPICS["exit-codes"], re.MULTILINE)] == CODES
    assert rows("commanders") == [*RANKS, ORDERS, HUMAN]
    assert re.search(rf"^\| `{DEFAULT}` \|.*the default", TOPICS["commanders"], re.MULTILINE)
    assert sorted(rows("formats")) == sorted(FORMATS)
    assert all(f"`{level}`" in TOPICS["formats"] or f" {level}" in TOPICS["formats"] for level in DETAILS)


def test_the_results_typed_in_and_those_of_a_sheet_are_the_same(tmp_path: Path) -> None:
    found = []
    for kind, code in CODE.findall(TOPICS["results"]):
        file = tmp_path / f"file.{kind}"
        file.write_text(code, encoding="utf-8")
        found += [one.result for one in read_results(str(file)).battles]
    assert len(found) == 2
    assert found[0] == found[1]


def test_a_topic_is_named_as_it_is_listed(sh: Shell) -> None:
    listed = sh("help", "--format", "plain").out
    for key, text in TOPICS.items():
        assert f"{key}: " in listed
        assert sh("help", *key.split("-"), "--format", "md").out.strip() == text.strip()
        shown = sh("help", key).out
        assert max(map(len, shown.splitlines())) <= 80
        assert shown.startswith(text.partition("\n")[0].removeprefix("# "))
    assert json.loads(sh("help", "--json").out)["topics"].keys() == TOPICS.keys()


@pytest.mark.parametrize("words", [words for words in everything() if words], ids=" ".join)
def test_help_on_a_command_is_its_own_help(sh: Shell, words: list[str]) -> None:
    told = json.loads(sh("help", *words, "--json").out)
    if "-".join(words) in TOPICS:
        assert told["topic"] == words[0]
        return
    assert told["topic"] == " ".join(["cardbattle", *words])
    page = sh(*words, "--help").out
    assert told["text"] == page.rstrip("\n")
    assert "\n  -h, --help " in page
    assert sh("help", *words).out.rstrip("\n") == page.rstrip("\n")


@pytest.mark.slow
def test_help_on_a_rule_set_is_its_rules(sh: Shell) -> None:
    for key in RULE_SETS:
        assert sh("help", key) == sh("rules", key)
    assert sh("help", "Field", "of", "Honour") == sh("rules", "field-of-honour")


@pytest.mark.parametrize("words", [["report"], ["undo"], ["add", "force"]], ids=" ".join)
def test_help_on_a_command_needs_no_campaign_before_it(sh: Shell, words: list[str]) -> None:
    said = sh("help", *words)
    assert said.code == 0 and said == sh("help", "campaign", *words)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["show"], 'did you mean "cases show", "campaign show" or "campaign orders show"?'),
        (["odss"], 'there is no help on "odss"; did you mean "odds"?'),
        (["battle-file"], 'there is no help on "battle-file"; did you mean "battle-files"?'),
        (["wargam"], '; did you mean "wargame"?'),
        (["campaign", "figth"], '; did you mean "campaign fight"?'),
        (["xyzzy"], "; cardbattle help lists the topics"),
    ],
    ids=lambda value: " ".join(value),
)
def test_a_misspelt_topic_suggests_the_nearest(sh: Shell, words: list[str], hint: str) -> None:
    said = sh("help", *words)
    assert (said.code, said.out) == (2, "")
    assert hint in said.err


@pytest.mark.slow
def test_the_python_in_a_topic_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run it in the folder of a campaign, as a user would."""
    [code] = re.findall(r"^```python\n(.*?)^```$", TOPICS["python"], re.MULTILINE | re.DOTALL)
    shutil.copytree(DEMO, tmp_path / "the-marches")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert "Rules: Wargame" in capsys.readouterr().out
    assert (tmp_path / "battle.toml").exists()
    assert list((tmp_path / "the-marches" / "records").iterdir())


@pytest.mark.slow
def test_the_script_in_a_topic_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its commands, in a campaign."""
    [code] = re.findall(r"^```sh\n(.*?)^```$", TOPICS["scripting"], re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(shutil.copytree(DEMO, tmp_path / "war"))
    commands = [line.split()[1:] for line in code.splitlines() if line.startswith("cardbattle ")]
    assert [run(words) for words in commands] == [0, 0, 0]
    assert (tmp_path / "war" / "report.md").exists()
