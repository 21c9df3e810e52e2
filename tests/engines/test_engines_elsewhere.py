"""Engines in odds and in battles of campaigns, if the command line names them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cardbattle import resolve
from cardbattle.core.chance import child_seed
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.engines import allowed, scripted
from tests.support.guides import ROOT

FIRST_OPTION = "answer(message, message['options'][0]['id'])"
CRASHES = "sys.exit(7)"


@pytest.fixture
def war(sh: Shell) -> Path:
    """Work in a campaign with two pending battles."""
    folder = sh.folder / "war"
    shutil.copytree(ROOT / "cardbattle/data/demo", folder)
    return folder


def engine(folder: Path, lines: str) -> str:
    """Return the value of --engine for an engine that runs these lines for each question."""
    return f"bot={' '.join(scripted(folder, lines).command)}"


@pytest.mark.slow
def test_odds_count_the_battles_that_the_engine_fights(sh: Shell, tmp_path: Path) -> None:
    told = sh(
        *("odds", "field-of-honour", "--side", "york=engine:bot", "--side", "lancaster", "--seed", "3"),
        *("-n", "6", "--json", "--jobs", "2", "--engine", engine(tmp_path, FIRST_OPTION)),
    )
    counted = json.loads(told.out)["sides"]
    with allowed(scripted(tmp_path, FIRST_OPTION)):
        seeds = [child_seed(3, f"odds/{n}") for n in range(6)]
        records = [resolve("field-of-honour", seed=n, york="engine:test", lancaster={}) for n in seeds]
    assert sum(record.winners == ["york"] for record in records) == counted["york"]["won"]["count"]


def test_a_failing_engine_ends_the_odds(sh: Shell, tmp_path: Path) -> None:
    done = sh(
        *("odds", "wargame", "--side", "a=engine:bot", "--side", "b", "-n", "6"),
        *("--engine", engine(tmp_path, CRASHES)),
    )
    assert (done.code, done.err) == (2, "cardbattle: engine bot ended with exit code 7\n")


def test_the_name_of_an_engine_without_its_prefix_is_explained(sh: Shell) -> None:
    done = sh("resolve", "wargame", "--side", "a=bot", "--side", "b", "--engine", "bot=node bot.js")
    assert (done.code, 'unknown commander "bot"; write engine:bot' in done.err) == (2, True)


@pytest.mark.slow
def test_an_engine_fights_a_battle_of_a_campaign(sh: Shell, war: Path, tmp_path: Path) -> None:
    """The record names the engine, every later command reads it, and the campaign names it nowhere."""
    bot = engine(tmp_path, FIRST_OPTION)
    side = ("-C", str(war), "mill", "--side", "vaughan=engine:bot", "--engine", bot)
    assert sh("campaign", "fight", *side, "--no-odds").code == 0
    record = (war / "records/mill.toml").read_text(encoding="utf-8")
    assert 'commander = "engine:bot"' in record
    assert "engine:" not in (war / "campaign.toml").read_text(encoding="utf-8")
    for command in ("check", "report", "undo", "redo"):
        assert sh("campaign", command, "-C", str(war)).code == 0
    assert (war / "records/mill.toml").read_text(encoding="utf-8") == record


def test_a_failing_engine_leaves_the_campaign_unchanged(sh: Shell, war: Path, tmp_path: Path) -> None:
    before = (war / "campaign.toml").read_bytes()
    side = ("--side", "vaughan=engine:bot", "--engine", engine(tmp_path, CRASHES))
    failed = sh("campaign", "fight", "-C", str(war), "mill", *side, "--no-odds")
    assert (failed.code, "engine bot ended with exit code 7" in failed.err) == (3, True)
    assert (war / "campaign.toml").read_bytes() == before
    assert not (war / "records").exists()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--side", "vaughan=veteran"], "write SIDE=engine:NAME"),
        (["--side", "vaughn=engine:bot"], 'did you mean "vaughan"'),
        (["--side", "vaughan=engine:bot", "--play"], "leave out --play"),
        (["--side", "vaughan=engine:bot"], 'engine "bot" is not defined'),
    ],
)
def test_an_engine_that_cannot_command_a_side_is_refused(
    sh: Shell, war: Path, options: list[str], error: str
) -> None:
    refused = sh("campaign", "fight", "-C", str(war), "mill", "--no-odds", *options)
    assert (refused.code, error in refused.err) == (2, True)


def test_only_the_umpire_names_engines(sh: Shell, war: Path, tmp_path: Path) -> None:
    side = ("--side", "vaughan=engine:bot", "--engine", engine(tmp_path, FIRST_OPTION))
    refused = sh("campaign", "fight", "-C", str(war), "mill", *side, "--no-odds", "--for", "king")
    assert (refused.code, "are for the umpire; leave out --for" in refused.err) == (2, True)
    assert not (war / "records").exists()


def test_with_sealed_dice_no_engine_fights(sh: Shell, war: Path, tmp_path: Path) -> None:
    assert sh("campaign", "seal", "-C", str(war), "--slots", "2").code == 0
    side = ("--side", "vaughan=engine:bot", "--engine", engine(tmp_path, FIRST_OPTION))
    refused = sh("campaign", "fight", "-C", str(war), "mill", *side, "--no-odds")
    assert (refused.code, "an engine cannot fight with sealed dice" in refused.err) == (2, True)


@pytest.mark.slow
def test_a_failed_engine_is_not_blamed_on_a_line_of_the_battle_file(sh: Shell) -> None:
    sides = '[sides.york]\ncommander = "engine:dead"\n[sides.lancaster]\n'
    sh.write("battle.toml", f'format = 1\nrules = "strategy-war"\nseed = 3\n{sides}')
    said = sh("resolve", "battle.toml", "--engine", "dead=python3 -c pass")
    assert (said.code, said.err) == (3, "cardbattle: engine dead ended with exit code 0\n")
