"""The River War, played through: six turns of three players by their messages, as its guide says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.campaign.storage import store
from cardbattle.cli.campaign.between_battles import report
from tests.cli.test_cli import ROOT, Shell
from tests.cli.test_cli import sh as sh  # the same shell

RIVER_WAR = ROOT / "campaigns" / "the-river-war"
TURNS = range(1, 7)
WAITS = 4  # exit code of a turn that waits for the umpire
BETWEEN = {  # what the umpire does once the armies have met, before the battles
    5: ("decline", "t5-oldford", "guard", "--reason", "too many of them"),
    6: ("import", "table/turn-6.toml"),
}


@pytest.fixture
def river(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the campaign and go there; its reports say of battles who won and lost what, without stories."""
    monkeypatch.setattr(report, "stories_of", lambda *of: {})
    monkeypatch.setattr(report, "curves_of", lambda *of: {})
    folder = sh.folder / "river"
    shutil.copytree(RIVER_WAR, folder)
    monkeypatch.chdir(folder)
    return folder


def play_turn(sh: Shell, turn: int) -> None:
    """Take the players' orders of a turn, and run it with its reports."""
    taken = sh("campaign", "orders", "take", f"messages/turn-{turn}.txt")
    assert (taken.code, "error" in taken.err) == (0, False), taken.err
    if turn in BETWEEN:
        assert sh("campaign", "advance").code == WAITS
        assert sh("campaign", *BETWEEN[turn]).code == 0
    said = sh("campaign", "advance", "--fight", "--reports", "reports")
    assert said.code == 0, said.err
    assert sh("campaign", "check", "--quiet") == (0, "", "")


def test_its_first_turn_is_rehearsed_played_and_undone(sh: Shell, river: Path) -> None:
    before = lines(river)
    rehearsed = sh("campaign", "advance", "--dry-run", "--format", "plain").out
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
    assert lines(river) == before


def lines(folder: Path) -> list[str]:
    """Return the lines of the campaign file, apart from the count of its revisions."""
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("revision")]


def test_six_turns_are_played_by_messages_and_everybody_gets_a_report(
    sh: Shell, river: Path, snapshot: SnapshotAssertion
) -> None:
    for turn in TURNS:
        play_turn(sh, turn)
        for reader in ("public", "upper", "lower", "league"):
            report = (river / "reports" / f"turn-{turn}-{reader}.md").read_text(encoding="utf-8")
            assert report == snapshot(name=f"turn {turn}, {reader}")
    campaign = store.load(str(river)).campaign
    assert (campaign.turn, campaign.pending) == (7, [])
    kinds = {entry.kind for entry in store.load_ledger(str(river)).entries}
    assert {
        "orders", "schedule", "weather", "event", "movement", "contact", "battle", "declined", "import",
        "aftermath", "capture", "supply", "recovery", "income", "turn",
    } <= kinds  # fmt: skip


@pytest.mark.slow
def test_its_site_shows_a_faction_what_it_may_know_of_the_turn(sh: Shell, river: Path) -> None:
    for turn in (1, 2):
        play_turn(sh, turn)
    assert sh("campaign", "site", "site", "--for", "league").code == 0
    front = (river / "site" / "index.html").read_text(encoding="utf-8")
    assert "weather:" not in front  # it ended with its turn
    assert "purse of The League of the Quays: 10" in front
    assert "purse of The Upper Kingdom" not in front and "margrave" not in front
    pikes = (river / "site" / "forces" / "pikes.html").read_text(encoding="utf-8")
    assert "blooded, experience 3" in pikes
    town = (river / "site" / "places" / "midquay.html").read_text(encoding="utf-8")
    assert "Terrain: town. It supplies the forces of its owner." in town


@pytest.mark.heavy
def test_the_same_messages_give_the_same_war(sh: Shell, river: Path) -> None:
    twin = sh.folder / "twin"
    shutil.copytree(river, twin)
    ends = []
    for folder in (river, twin):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            for turn in TURNS:
                play_turn(sh, turn)
        ends.append((folder / "campaign.toml").read_bytes())
    assert ends[0] == ends[1]
