"""Advice before a battle: the odds of the pending ones, with the commanders they have."""

from __future__ import annotations

import json
from pathlib import Path

from cardbattle.campaign import store
from cardbattle.campaign.advice import advice, counted_for
from cardbattle.fighting.battlefile import bare_battle, read_battle
from tests.test_cli import Shell
from tests.test_cli import sh as sh


def test_the_odds_of_a_pending_battle_are_those_of_its_commanders(sh: Shell, tmp_path: Path) -> None:
    """A line for each side, the same every time, the shares about a whole."""
    assert sh("demo", str(tmp_path / "demo")).code == 0
    campaign = store.load(str(tmp_path / "demo")).campaign
    battle = campaign.pending[0]
    lines = advice(campaign, battle, 40)
    assert len(lines) == len(battle.sides)
    assert lines == advice(campaign, battle, 40)
    shares = [int(line.partition("%")[0].rpartition(" ")[2]) for line in lines]
    assert 97 <= sum(shares) <= 103
    assert all(line.endswith("by 40 battles") for line in lines)


def test_the_better_commander_has_the_better_odds() -> None:
    """Green against regular is no even battle."""
    plan = read_battle(bare_battle("wargame", ["york=regular", "lancaster=green"]))._replace(seed=1)
    counted = counted_for(plan, 30)
    assert counted.won[0] > 25


def test_show_and_fight_tell_the_odds_on_request(sh: Shell, tmp_path: Path) -> None:
    """On standard output with `show`, among the messages with `fight`; nowhere unasked."""
    folder = str(tmp_path / "demo")
    sh("demo", folder)
    assert "Odds of" not in sh("campaign", "-C", folder, "show").out
    assert "Odds of" in sh("campaign", "-C", folder, "show", "--odds").out
    table = json.loads(sh("campaign", "-C", folder, "show", "--odds", "--json").out)
    assert set(table["odds"]) == {battle.id for battle in store.load(folder).campaign.pending}
    assert "battles" in sh("campaign", "-C", folder, "fight", "--odds", "--dry-run").err
