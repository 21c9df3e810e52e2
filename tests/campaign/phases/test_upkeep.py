"""Supply, recovery and income: who loses, regains and gets what, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Entry
from cardbattle.campaign.phases.phase import Cause, Situation
from cardbattle.campaign.phases.upkeep import run_upkeep
from cardbattle.campaign.state.changes import Change
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.marches import books

WAR = """\
format = 1
name = "The Crossing"
turn = 3
seed = 7
rules = "field-of-honour"

[factions.red]
points = 4
[factions.blue]

[forces.rufus]
faction = "red"
strength = 12
location = "far"

[forces.boyd]
faction = "blue"
strength = 8
full = 10
location = "keep"

[locations.camp]
owner = "red"
supply = true
value = 2
[locations.ford]
[locations.far]
owner = "red"
value = 3
[locations.keep]
owner = "blue"

[map]
roads = [["camp", "ford"], ["ford", "far"], ["far", "keep"]]
"""
SUPPLY = '[supply]\nrange = 2\nout_of_supply = "1/10"\n'
RECOVERY = '[recovery]\nrate = "1/10"\n'


def situation(text: str, *entries: Entry) -> Situation:
    return Situation(books(text).campaign, EMPTY_LEDGER, entries)


def upkeep(text: str, *entries: Entry) -> dict[str, Cause]:
    """Return the causes of the upkeep by their kind."""
    return {cause.kind: cause for cause in run_upkeep(situation(text, *entries)).causes}


def strengths(cause: Cause | None) -> dict[str, object]:
    changes = cause.changes if cause is not None else ()
    return {change.key[1]: change.after for change in changes if change.key[2] == "strength"}


def test_a_force_beyond_the_range_loses_and_one_within_it_does_not() -> None:
    near = upkeep(WAR + SUPPLY)
    assert strengths(near.get("supply")) == {"boyd": 7}  # blue has no source of supply
    short = upkeep(WAR + SUPPLY.replace("range = 2", "range = 1"))
    assert strengths(short["supply"]) == {"rufus": 11, "boyd": 7}
    assert short["supply"].reasons == [
        "Rufus loses 1: its supply is 2 steps away, the range is 1 (Camp is its supply)",
        "Boyd loses 1: Blue has no supply place",
    ]


def test_an_enemy_in_between_cuts_off_the_supply() -> None:
    blocked = WAR.replace('location = "keep"', 'location = "ford"') + SUPPLY
    cause = upkeep(blocked)["supply"]
    assert strengths(cause) == {"rufus": 11, "boyd": 7}
    assert "Rufus loses 1: Boyd cuts off its supply at Ford (Camp is its supply)" in cause.reasons
    held = WAR.replace('location = "keep"', 'location = "camp"') + SUPPLY
    assert (
        "Rufus loses 1: Boyd cuts off its supply at Camp (Camp is its supply)"
        in upkeep(held)["supply"].reasons
    )
    alone = WAR.replace('["camp", "ford"], ', "") + SUPPLY
    assert (
        "Rufus loses 1: no road leads to its supply (Camp is its supply)" in upkeep(alone)["supply"].reasons
    )


def test_a_force_in_no_place_needs_no_supply() -> None:
    nowhere = WAR.replace('strength = 12\nlocation = "far"', "strength = 12") + SUPPLY
    assert strengths(upkeep(nowhere)["supply"]) == {"boyd": 7}


@pytest.mark.parametrize("towards_supply", [True, False])
@pytest.mark.parametrize("distance", [2, 3])
def test_the_steps_on_its_road_count_for_a_force_on_the_march(distance: int, towards_supply: bool) -> None:
    """Ford is 1 step from the supply, and the road from there to Far has 3 steps."""
    walked = distance - 1
    road = ("far", "ford", 3 - walked) if towards_supply else ("ford", "far", walked)
    position = 'location = "{}"\ntowards = "{}"\nwalked = {}'.format(*road)
    text = WAR.replace('location = "far"', position).replace('["ford", "far"], ', "")
    text += '[[road]]\nbetween = ["ford", "far"]\nlength = 3\n'
    for limit in (1, 2, 3):
        lost = strengths(upkeep(text + SUPPLY.replace("range = 2", f"range = {limit}"))["supply"])
        assert ("rufus" in lost) == (distance > limit)


@pytest.mark.parametrize(("strength", "left"), [(1, 0), (4, 3), (14, 13), (15, 13)])
def test_hunger_costs_at_least_one(strength: int, left: int) -> None:
    text = WAR.replace("strength = 8", f"strength = {strength}") + SUPPLY
    assert strengths(upkeep(text)["supply"]) == {"boyd": left}


def test_who_starves_to_nothing_is_destroyed() -> None:
    cause = upkeep(WAR.replace("strength = 8", "strength = 1") + SUPPLY)["supply"]
    assert Change(("forces", "boyd", "destroyed"), None, True) in cause.changes


@pytest.mark.parametrize(("strength", "after"), [(8, 9), (9, 10), (10, None), (12, None)])
def test_a_force_at_rest_recovers_up_to_its_full_strength(strength: int, after: int | None) -> None:
    cause = upkeep(WAR.replace("strength = 8", f"strength = {strength}") + RECOVERY).get("recovery")
    assert strengths(cause) == ({} if after is None else {"boyd": after})


def test_full_strength_is_the_greatest_that_the_turn_has_seen_if_the_file_says_nothing() -> None:
    text = WAR.replace("full = 10\n", "") + RECOVERY
    assert upkeep(text).get("recovery") is None
    hurt = Entry(1, "adjust", [Change(("forces", "boyd", "strength"), 30, 8)])
    assert strengths(upkeep(text, hurt)["recovery"]) == {"boyd": 11}


@pytest.mark.parametrize(
    "entry",
    [
        Entry(1, "movement", [Change(("forces", "boyd", "location"), "far", "keep")]),
        Entry(1, "move", [Change(("forces", "boyd", "location"), "far", "keep")]),
    ],
)
def test_who_marched_does_not_rest(entry: Entry) -> None:
    assert upkeep(WAR + RECOVERY, entry).get("recovery") is None


def test_who_is_about_to_fight_does_not_rest() -> None:
    battle = '[[pending]]\nid = "x"\nsides = ["rufus", "boyd"]\n'
    assert upkeep(WAR + RECOVERY + battle).get("recovery") is None


def test_who_is_out_of_supply_or_on_foreign_ground_does_not_recover() -> None:
    assert upkeep(WAR + SUPPLY + RECOVERY).get("recovery") is None
    foreign = WAR.replace('[locations.keep]\nowner = "blue"', "[locations.keep]")
    assert upkeep(foreign + RECOVERY).get("recovery") is None


@pytest.mark.parametrize(("rate", "after"), [("0", None), ('"1/2"', 10), ("1", 10)])
def test_weather_has_its_own_rate_of_recovery(rate: str, after: int | None) -> None:
    snow = f'[weather]\nnow = "snow"\ntable = [{{ p = 1, name = "snow", recovery = {rate} }}]\n'
    cause = upkeep(WAR + RECOVERY + snow).get("recovery")
    assert strengths(cause) == ({} if after is None else {"boyd": after})


@pytest.mark.parametrize(("to", "key", "before"), [("points", "points", 4), ("purse", "purse", None)])
def test_places_bring_in_what_they_are_worth(to: str, key: str, before: int | None) -> None:
    cause = upkeep(f'{WAR}[income]\nper_value = 2\nto = "{to}"\n')["income"]
    assert list(cause.changes) == [Change(("factions", "red", key), before, (before or 0) + 10)]


@pytest.mark.parametrize(("last_turn", "points"), [(None, 14), (9, 14), (3, 24)])
def test_places_bring_points_at_the_end_of_the_war(last_turn: int | None, points: int) -> None:
    last = f"last_turn = {last_turn}\n" if last_turn else ""
    text = f"{last}{WAR}[income]\nper_value = 2\n[scoring]\nper_value = 2\n"
    cause = upkeep(text)["income"]
    assert list(cause.changes) == [Change(("factions", "red", "points"), 4, points)]
    assert any("at the end of the war" in reason for reason in cause.reasons) == (last_turn == 3)
    assert bool(upkeep(text.replace("[income]\nper_value = 2\n", ""))) == (last_turn == 3)


def test_nothing_happens_without_the_tables() -> None:
    assert upkeep(WAR) == {}


def test_a_force_that_faces_an_enemy_in_its_place_does_not_rest() -> None:
    facing = WAR.replace('strength = 12\nlocation = "far"', 'strength = 12\nlocation = "keep"')
    assert upkeep(facing + RECOVERY).get("recovery") is None
    ally = facing.replace("[factions.blue]", '[factions.blue]\npeace = ["red"]')
    assert strengths(upkeep(ally + RECOVERY)["recovery"]) == {"boyd": 9}


def test_who_starved_in_this_turn_does_not_recover_when_the_enemy_starves_away() -> None:
    """Boyd cuts Rufus off at the ford and dies of hunger, which opens the road."""
    text = WAR.replace('strength = 8\nfull = 10\nlocation = "keep"', 'strength = 1\nlocation = "ford"')
    text = text.replace("strength = 12", "strength = 12\nfull = 14")
    assert strengths(upkeep(text + RECOVERY)["recovery"]) == {"rufus": 13}
    causes = upkeep(text + SUPPLY + RECOVERY)
    assert strengths(causes["supply"]) == {"rufus": 11, "boyd": 0}
    assert causes.get("recovery") is None


REST = """format = 1
name = "Rest"
turn = 1
seed = 1
[recovery]
rate = "1/10"
[factions.red]
[factions.blue]
[locations.hill]
owner = "red"
[forces.militia]
faction = "red"
strength = 6
location = "hill"
"""


def test_an_undone_strength_is_no_full_strength(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(REST, encoding="utf-8")
    assert sh("campaign", "set", "forces.militia.strength=9", "--quiet").code == 0
    assert sh("campaign", "set", "forces.militia.strength=6", "--quiet").code == 0
    assert sh("campaign", "set", "forces.militia.strength=60", "--quiet").code == 0
    assert sh("campaign", "undo", "--quiet").code == 0
    shown = sh("campaign", "advance", "--dry-run", "--explain", "--no-wait").out
    assert "of 9, its full strength" in " ".join(shown.split())


def test_the_strength_before_the_first_entry_of_the_ledger_is_a_full_strength(
    sh: Shell, tmp_path: Path
) -> None:
    (tmp_path / "campaign.toml").write_text(REST.replace("strength = 6", "strength = 9"), encoding="utf-8")
    for setting in ("forces.militia.strength=6", "turn=2"):
        assert sh("campaign", "set", setting, "--quiet").code == 0
    shown = sh("campaign", "advance", "--dry-run", "--explain", "--no-wait").out
    assert "of 9, its full strength" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("settings", "full"),
    [(["strength=19", "strength=6"], 19), (["strength=19", "strength=6", "full=9"], 9)],
)
def test_a_greater_strength_in_an_earlier_turn_raises_the_full_strength(
    settings: list[str], full: int, sh: Shell, tmp_path: Path
) -> None:
    (tmp_path / "campaign.toml").write_text(REST + "full = 8\n", encoding="utf-8")
    for setting in (*(f"forces.militia.{setting}" for setting in settings), "turn=2"):
        assert sh("campaign", "set", setting, "--quiet").code == 0
    shown = sh("campaign", "advance", "--dry-run", "--explain", "--no-wait").out
    assert f"of {full}, its full strength" in " ".join(shown.split())
