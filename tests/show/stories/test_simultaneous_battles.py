"""Stories of the battles that one movement made: none of them was fought before another."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign.storage import store
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.show.stories.battle_context import BattleInCampaign
from cardbattle.show.stories.battle_in_war import BattleInWar
from cardbattle.show.stories.known_past import KnownPast
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

WAR = """format = 1
name = "The hills"
turn = 1
seed = 5
rules = "wargame"
[aftermath]
retreat = "none"
[factions.duchy]
[factions.clans]
[factions.towns]
[forces.guard]
faction = "duchy"
strength = 9
location = "hill"
[forces.archers]
faction = "clans"
strength = 9
location = "keep"
[forces.host]
faction = "clans"
strength = 9
location = "wood"
[forces.militia]
faction = "towns"
strength = 9
location = "abbey"
[locations.hill]
owner = "duchy"
[locations.keep]
owner = "clans"
[locations.wood]
[locations.abbey]
owner = "towns"
[locations.mill]
owner = "towns"
[[road]]
between = ["hill", "keep"]
[[road]]
between = ["wood", "abbey"]
[movement]
[orders]
guard = "march to keep"
host = "march to abbey"
"""
RESULTS = """[[result]]
id = "t1-keep"
winners = ["guard"]
sides.guard.losses = "0"
sides.archers.losses = "1/2"
[[result]]
id = "t1-abbey"
winners = ["{}"]
sides.host.losses = "0"
sides.militia.losses = "0"
"""
SIDES = {"t1-keep": ["guard", "archers"], "t1-abbey": ["host", "militia"]}


@pytest.mark.parametrize(
    ("winner", "keep", "abbey"),
    [("host", [], []), ("militia", ["last_place"], [])],
)
def test_what_was_at_stake_is_true_when_all_battles_of_the_turn_began(
    sh: Shell, tmp_path: Path, winner: str, keep: list[str], abbey: list[str]
) -> None:
    (tmp_path / "campaign.toml").write_text(WAR, encoding="utf-8")
    assert sh("campaign", "advance", "-q").code == 4  # battles are pending
    (tmp_path / "results.toml").write_text(RESULTS.format(winner), encoding="utf-8")
    assert sh("campaign", "import", "results.toml", "-q").code == 0
    campaign, ledger = store.load(str(tmp_path)).campaign, store.load_ledger(str(tmp_path))
    known = KnownPast(visible_to(campaign, ledger, UMPIRE))
    told = {
        entry.id: [
            fact.kind for fact in BattleInWar(BattleInCampaign(known, entry, SIDES[entry.id], [])).memory
        ]
        for entry in known.entries.values()
        if entry.result is not None
    }
    assert told == {"t1-keep": keep, "t1-abbey": abbey}
