"""Battles that players have begun, as their campaign shows them, and what waits for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardbattle.campaign.state.model import Pending
from cardbattle.campaign.turn.in_progress import blocked_battles
from tests.campaign.turn.test_orders import BOTH, KEPT, TWO_LETTERS, campaign
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in, state
from tests.cli.test_cli_campaign import war as war  # the same campaign

WAITS = "in progress, waiting for Vaughan's Horse and Birch's Firelocks"


def said_of(sh: Shell, *words: str) -> str:
    """Return all that a command of the campaign says, its lines joined."""
    said = sh("campaign", *words)
    assert said.code == 0, said.err
    return " ".join(f"{said.out} {said.err}".split())


@pytest.mark.slow
def test_every_view_of_a_campaign_shows_a_battle_by_message(sh: Shell, war: Path) -> None:
    assert "in progress" not in said_of(sh, "show", "--no-odds") + said_of(sh, "check")
    campaign(sh, *BOTH)
    for reader in ((), ("--for", "public")):
        for form in ("text", "plain", "md", "html"):
            shown = said_of(sh, "show", "--no-odds", "--format", form, *reader).replace("&#39;", "'")
            assert "in progress, waiting for Vaughan" in shown
    told = json.loads(sh("campaign", "show", "--no-odds", "--json").out)["in_progress"]
    assert told == {"mill": {"state": "waiting", "waiting": ["vaughan", "birch"], "one_of": False}}
    assert f"battle mill: {WAITS}" in said_of(sh, "check")
    assert f"battle mill: {WAITS}" in said_of(sh, "turn", "--dry-run")
    said_of(sh, "site", "--no-chances")
    assert "in progress, waiting for Vaughan" in (war / "site" / "index.html").read_text(encoding="utf-8")
    (war / "mail.txt").write_text(TWO_LETTERS, encoding="utf-8")
    assert sh("orders", "take", KEPT, "mail.txt").code == 0
    assert "in progress" not in said_of(sh, "show", "--no-odds") + said_of(sh, "check")


@pytest.mark.slow
def test_no_view_shows_who_has_chosen_in_secret(sh: Shell, war: Path) -> None:
    campaign(sh, *BOTH)
    shown = ("show", "--no-odds")
    views = [shown, (*shown, "--json", "--for", "public"), ("check",), ("turn", "--dry-run")]
    before = [said_of(sh, *view) for view in views]
    (war / "mail.txt").write_text("mill/birch@1: 1; 1; 1", encoding="utf-8")
    assert sh("orders", "take", KEPT, "mail.txt").code == 0
    assert [said_of(sh, *view) for view in views] == before


@pytest.mark.slow
def test_the_check_says_why_a_battle_in_progress_cannot_be_recorded(sh: Shell, war: Path) -> None:
    campaign(sh, *BOTH)
    campaign(sh, "adjust", "forces.vaughan.strength=9", "--reason", "a draft")
    assert "Vaughan's Horse had strength 5 then, and has 9 now" in said_of(sh, "check")
    (war / KEPT).write_text("nonsense", encoding="utf-8")
    assert "battle mill: in progress, but its file cannot be read" in said_of(sh, "check")


@pytest.mark.slow
def test_a_battle_at_the_prompt_is_shown_and_all_others_are_fought(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert sh("campaign", "fight", "mill", "--play").code == 0
    assert "in progress, waiting for Vaughan's Horse" in said_of(sh, "show", "--no-odds")
    kept = (war / KEPT).read_bytes()
    before = bytes_in(war)
    for more in ((), ("--dry-run",)):
        said = sh("campaign", "fight", "--all", "--no-odds", *more)
        assert said.code == 4 and "battle mill waits in mill.battle.toml" in said.err
    assert bytes_in(war) == before
    text = (war / "campaign.toml").read_text(encoding="utf-8")
    apart = text.replace('sides = [["lunsford"], ', "sides = [")
    (war / "campaign.toml").write_text(apart, encoding="utf-8")
    told = said_of(sh, "fight", "--all", "--no-odds")
    assert "battle mill is held back: battle mill waits in mill.battle.toml" in told
    assert "battle teme-ford is held back: it shares a force with battle mill, which is in progress" in told
    left = sh("campaign", "show", "--no-odds", "--json").out
    assert [battle["id"] for battle in json.loads(left)["pending"]] == ["teme-ford", "mill"]
    assert (war / KEPT).read_bytes() == kept
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 200))
    assert sh("campaign", "fight", "mill", "--play").code == 0  # its forces have not changed
    said_of(sh, "fight", "--all", "--no-odds", "--quiet")
    assert not state(war).get("pending")


def pending(key: str, *forces: str) -> Pending:
    """Return a battle of these forces, one a side."""
    return Pending(id=key, sides=[[force] for force in forces])


def test_what_shares_a_force_with_a_begun_battle_waits_and_so_does_what_comes_after_it() -> None:
    battles = [pending("a", "x", "y"), pending("b", "v", "w"), pending("c", "w", "z"), pending("d", "z", "u"),
               pending("e", "p", "q"), pending("f", "u", "p")]  # fmt: skip
    assert list(blocked_battles(battles, ["c"])) == ["b", "d", "f"]
    assert list(blocked_battles(battles, ["a"])) == []
    assert list(blocked_battles(battles, ["f"])) == ["d", "e"]
    assert blocked_battles(battles, []) == {}
