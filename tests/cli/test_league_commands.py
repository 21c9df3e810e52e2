"""The commands of a league: what an umpire who corrects a draw or a result reads."""

from __future__ import annotations

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.league import league_file


def league(sh: Shell, count: int, fixtures: str) -> None:
    """Write a league and draw its first round."""
    sh.write("campaign.toml", league_file(count, f'{fixtures}\nseeding = "order"'))
    assert sh("campaign", "fixtures")[0] == 0


def override(sh: Shell, battle: str, winner: str) -> str:
    """Decide a battle, and return what the umpire reads on standard error."""
    said = sh("campaign", "override", battle, "--winner", winner, "--reason", "seen")
    assert said.code == 0, said.err
    return said.err


def test_one_undo_takes_back_a_draw_and_what_rests_on_it(sh: Shell) -> None:
    league(sh, 4, 'kind = "round-robin"')
    sh("campaign", "fixtures", "--early")
    override(sh, "r2-e3-e1", "e1")
    said = sh("campaign", "undo", "1", "--force", "--reason", "late")
    assert said.code == 4
    assert "Round 2 was drawn later" in said.err and "cardbattle campaign undo 3 2 1" in said.err
    assert sh("campaign", "undo", "3", "2", "1").code == 0
    assert "round" not in (sh.folder / "campaign.toml").read_text().replace("round-robin", "")
    assert sh("campaign", "redo").code == 0
    assert "E1 won" in sh("campaign", "league").out
    assert sh("campaign", "check").code == 0
