"""The River War, played through: six turns of three players by their messages, as its README says."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import factor_values
from cardbattle.cli.campaign.between_battles import report
from tests.cli.test_cli import ROOT, Shell
from tests.cli.test_cli import sh as sh  # the same shell

RIVER_WAR = ROOT / "campaigns" / "the-river-war"
TURNS = range(1, 7)
WAITS = 4  # exit code of a turn that waits
BLOCK = re.compile(r"^## Turn (\d+):.*?^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_IN_IT = {"house", "map", "notice", "recruit", "revision"}  # other samples have [map]


@pytest.fixture
def river(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the campaign and go there; its reports say of battles who won and lost what, without stories."""
    monkeypatch.setattr(report, "stories_of", lambda *of: {})
    monkeypatch.setattr(report, "jobs_of_logs", lambda *of: {})
    monkeypatch.setattr(factor_values, "BATTLES", 10)
    folder = sh.folder / "river"
    shutil.copytree(RIVER_WAR, folder)
    monkeypatch.chdir(folder)
    return folder


def commands_of(turn: int) -> list[str]:
    """Return the umpire's commands for a turn from the README."""
    text = (RIVER_WAR / "README.md").read_text(encoding="utf-8")
    return next(block[2].splitlines() for block in BLOCK.finditer(text) if block[1] == str(turn))


def play_turn(sh: Shell, turn: int) -> str:
    """Run the commands of a turn, and return what they print. A command whose comment says so must wait."""
    printed = ""
    for command in commands_of(turn):
        said = sh(*shlex.split(command, comments=True)[1:])
        assert (said.code, "error" in said.err) == (WAITS if "# waits" in command else 0, False), said.err
        printed += said.out + said.err
    assert sh("campaign", "check", "--quiet") == (0, "", "")
    return printed


@pytest.mark.slow
def test_its_first_turn_is_rehearsed_played_and_undone(sh: Shell, river: Path) -> None:
    before = lines(river)
    rehearsed = sh("campaign", "advance", "--dry-run", "--no-wait", "--format", "plain").out
    assert "events: weather: fair" in rehearsed
    assert not (river / "history.toml").exists()
    play_turn(sh, 1)
    names = sorted(path.name for path in (river / "reports").iterdir())
    assert names == ["turn-1-league.md", "turn-1-lower.md", "turn-1-public.md", "turn-1-upper.md"]
    assert store.load(str(river)).campaign.turn == 2
    assert sh("campaign", "undo", "--turn").code == 0
    again = store.load(str(river)).campaign
    assert (again.turn, again.forces["vanguard"].location) == (1, "highgate")
    assert sh("campaign", "undo").code == 0  # the orders
    assert sh("campaign", "undo").code == 0  # the round of the league
    assert lines(river) == before


def lines(folder: Path) -> list[str]:
    """Return the lines of the campaign file, apart from the count of its revisions."""
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("revision")]


def test_six_turns_are_played_by_messages_and_everybody_gets_a_report(
    sh: Shell, river: Path, snapshot: SnapshotAssertion
) -> None:
    printed = {turn: play_turn(sh, turn) for turn in TURNS}
    for turn in TURNS:
        for reader in ("public", "upper", "lower", "league"):
            report = (river / "reports" / f"turn-{turn}-{reader}.md").read_text(encoding="utf-8")
            assert report == snapshot(name=f"turn {turn}, {reader}")
    campaign = store.load(str(river)).campaign
    assert (campaign.turn, campaign.pending, campaign.reported) == (7, [], [])
    vane, maud, roche = (campaign.forces[key] for key in ("vanguard", "guard", "hired"))
    assert (vane.prisoner_of, maud.fallen, roche.prisoner_of) == (None, True, None)
    assert "the turn waits for the orders of the League of the Quays" in printed[3]
    assert "The League of the Quays has sent no orders in time" in printed[3]
    assert "the last turn of the substitute is turn 4" in printed[4]
    assert "battle t6-midquay: the reports differ" in printed[6]
    entries = store.load_ledger(str(river)).entries
    assert {
        "fixtures", "orders", "schedule", "weather", "event", "movement", "contact", "missed", "battle",
        "declined", "import", "report", "override", "aftermath", "capture", "supply", "recovery", "income",
        "turn",
    } <= {entry.kind for entry in entries}  # fmt: skip
    began_with = {*tomllib.loads((RIVER_WAR / "campaign.toml").read_text(encoding="utf-8"))}
    written = {change.key[0] for entry in entries for change in entry.changes}
    fields = {field.alias or word for word, field in Campaign.model_fields.items()}
    assert fields - {"assert"} - began_with - written == NOT_IN_IT
