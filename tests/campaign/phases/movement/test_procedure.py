"""The steps of the procedure that docs/movement.md publishes, each by its number."""

from __future__ import annotations

from typing import Any

import pytest

from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.core.names import listed
from tests.support.movement import changes_in, moved

FORCES = {  # force: faction, place
    "vanguard": ("red", "mill"),
    "militia": ("red", "mill"),
    "guard": ("blue", "bridge"),
    "garrison": ("blue", "fort"),
    "archers": ("green", "wood"),
    "riders": ("green", "wood"),
}
ROADS = [
    ("mill", "bridge", 1),
    ("bridge", "fort", 1),
    ("mill", "ford", 2),
    ("ford", "fort", 1),
    ("wood", "ford", 1),
]


def vale(orders: dict[str, str], **more: Any) -> Campaign:
    """Return the campaign of the guide with these orders; `more` replaces whole tables."""
    return read_campaign({
        "format": 1,
        "name": "The Vale",
        "turn": 1,
        "seed": 7,
        "rules": "field-of-honour",
        "movement": {"allowance": 2},
        "factions": {key: {} for key in ("red", "blue", "green")},
        "forces": {
            key: {"faction": faction, "strength": 9, "location": place}
            for key, (faction, place) in FORCES.items()
        },
        "locations": {
            "mill": {"owner": "red"}, "bridge": {"owner": "blue"}, "fort": {"owner": "blue"},
            "ford": {}, "wood": {},
        },
        "road": [{"between": [one, other], "length": length} for one, other, length in ROADS],
        "orders": orders,
    } | more)  # fmt: skip


def march(orders: dict[str, str], **more: Any) -> Campaign:
    """Return the campaign after the movement."""
    return moved(vale(orders, **more))[1]


def at(campaign: Campaign, force: str) -> str:
    """Return where a force is, as `mill` or `mill-1-ford` for one on a road."""
    unit = campaign.forces[force]
    return f"{unit.location}-{unit.walked}-{unit.towards}" if unit.towards else str(unit.location)


def battles(campaign: Campaign) -> dict[str, list[str]]:
    """Return the sides of each pending battle."""
    return {battle.id: [listed(side) for side in battle.sides] for battle in campaign.pending}


def test_1_a_march_takes_the_shortest_way() -> None:
    assert (
        at(march({"guard": "hold", "garrison": "hold", "archers": "march to fort, avoid battle"}), "archers")
        == "ford"
    )
    assert at(march({"militia": "march to ford"}), "militia") == "ford"


def test_1_a_force_joins_another_where_that_one_ends_the_turn() -> None:
    after = march({"vanguard": "march to ford", "militia": "join vanguard"})
    assert (at(after, "vanguard"), at(after, "militia")) == ("ford", "ford")


def test_1_forces_that_join_each_other_hold() -> None:
    after = march({"vanguard": "join militia", "militia": "join vanguard"})
    assert (at(after, "vanguard"), at(after, "militia")) == ("mill", "mill")


ALLIES = {"red": {}, "blue": {"peace": ["red"]}, "green": {}}


@pytest.mark.parametrize(
    ("sight", "peace", "places"),
    [
        ("all", ALLIES, ("fort", "bridge")),
        ("rough", ALLIES, ("fort", "bridge")),
        ("own", ALLIES, ("mill", "mill")),
        ("all", {"red": {}, "blue": {}, "green": {}}, ("mill", "mill")),
    ],
)
def test_1_a_force_joins_an_ally_in_sight(sight: str, peace: dict[str, Any], places: tuple[str, str]) -> None:
    """From the mill, Red sees the bridge, but not the fort."""
    orders = {"guard": "march to fort", "garrison": "march to bridge"}
    orders |= {"vanguard": "join guard", "militia": "march to bridge"}
    after = march(orders, factions=peace, visibility={"location": sight})
    assert (at(after, "vanguard"), at(after, "militia")) == (places[0], "bridge")
    orders |= {"vanguard": "join garrison", "militia": "join garrison"}
    is_open = sight == "all" and peace == ALLIES
    assert at(march(orders, factions=peace, visibility={"location": sight}), "vanguard") == (
        "bridge" if is_open else "mill"
    )


def test_1_a_force_marches_to_an_ally_whose_own_order_to_join_fails() -> None:
    sight = {"location": "rough"}
    orders = {"vanguard": "join guard", "guard": "join archers"}
    after = march(orders, factions=ALLIES, visibility=sight)
    assert (at(after, "vanguard"), at(after, "guard")) == ("bridge", "bridge")
    after = march(orders | {"guard": "join vanguard"}, factions=ALLIES, visibility=sight)
    assert (at(after, "vanguard"), at(after, "guard")) == ("mill", "bridge")


def test_1_a_force_joins_another_that_is_in_a_pending_battle() -> None:
    forces = forces_at(vanguard="mill", militia="bridge", guard="mill")
    pending = [{"id": "old", "sides": ["vanguard", "guard"]}]
    for order in ("march to ford", "join militia"):
        after = march({"militia": "join vanguard", "vanguard": order}, forces=forces, pending=pending)
        assert at(after, "militia") == "mill"


def test_1_a_force_in_a_pending_battle_holds() -> None:
    pending = [{"id": "old", "sides": ["vanguard", "guard"]}]
    assert at(march({"vanguard": "march to ford"}, pending=pending), "vanguard") == "mill"


@pytest.mark.parametrize(("steps", "place"), [(-2, "mill"), (-1, "mill-1-ford"), (0, "ford"), (1, "wood")])
def test_2_the_weather_changes_the_steps(steps: int, place: str) -> None:
    weather = {"table": [{"p": 1, "name": "odd", "movement": steps}], "now": "odd"}
    after = march({"militia": "march to wood, avoid battle"}, weather=weather, forces=one_force("militia"))
    assert at(after, "militia") == place


def forces_at(**places: str) -> dict[str, dict[str, Any]]:
    """Return a table of forces, each in another place than usual."""
    return {
        key: {"faction": FORCES[key][0], "strength": 9, "location": place} for key, place in places.items()
    }


def one_force(key: str) -> dict[str, object]:
    """Return the table of a single force."""
    faction, place = FORCES[key]
    return {key: {"faction": faction, "strength": 9, "location": place}}


def test_2_a_pace_of_its_own_counts_instead_of_the_allowance() -> None:
    forces = one_force("militia")
    forces["militia"] = {**forces["militia"], "pace": 1}  # type: ignore[dict-item]
    assert at(march({"militia": "march to ford"}, forces=forces), "militia") == "mill-1-ford"


def test_3_a_force_on_a_road_goes_on_or_turns_back() -> None:
    force = {"faction": "red", "strength": 9, "location": "mill", "towards": "ford", "walked": 1}
    forces = {"militia": force}
    assert at(march({"militia": "march to fort"}, forces=forces), "militia") == "fort"
    assert at(march({"militia": "march to bridge"}, forces=forces), "militia") == "bridge"


def test_4_a_full_place_stops_friends_but_not_enemies() -> None:
    limit = {"allowance": 2, "stacking": 1}
    forces = {
        "archers": {"faction": "green", "strength": 9, "location": "wood"},
        "riders": {"faction": "green", "strength": 9, "location": "ford"},
    }
    after = march({"archers": "march to ford", "riders": "hold"}, movement=limit, forces=forces)
    assert (at(after, "archers"), at(after, "riders")) == ("wood", "ford")
    after = march({"vanguard": "march to bridge"}, movement=limit)
    assert battles(after) == {"t1-bridge": ["vanguard", "guard"]}


def test_5_forces_that_swap_the_ends_of_a_road_meet_on_it() -> None:
    after = march({"vanguard": "march to bridge", "guard": "march to mill"})
    [battle] = after.pending
    assert battle.road == ("bridge", "mill")
    assert (battle.stakes, battle.place, battle.defender) == (None, None, None)
    assert (at(after, "vanguard"), at(after, "guard")) == ("mill", "bridge")


def test_5_they_pass_each_other_if_contact_is_in_places_alone() -> None:
    quiet = {"allowance": 1, "contact": "place"}
    forces = one_force("vanguard") | one_force("guard")
    after = march({"vanguard": "march to bridge", "guard": "march to mill"}, movement=quiet, forces=forces)
    assert not after.pending
    assert (at(after, "vanguard"), at(after, "guard")) == ("bridge", "mill")


def test_5_forces_meet_in_the_middle_of_a_long_road() -> None:
    forces = one_force("vanguard") | {"archers": {"faction": "green", "strength": 9, "location": "ford"}}
    after = march({"vanguard": "march to ford", "archers": "march to mill"}, forces=forces)
    assert [battle.road for battle in after.pending] == [("ford", "mill")]


def test_6_a_force_that_avoids_battle_withdraws_to_a_free_place() -> None:
    after = march({"vanguard": "march to bridge", "guard": "hold, avoid battle"})
    assert not after.pending
    assert (at(after, "vanguard"), at(after, "guard")) == ("bridge", "fort")


def test_6_a_force_without_a_way_out_fights() -> None:
    after = march({"vanguard": "march to bridge", "guard": "hold, avoid battle", "archers": "march to fort"})
    [battle] = after.pending  # the guard has withdrawn to the fort, and is caught there
    assert battle.place == "fort"
    assert [sorted(side) for side in battle.sides] == [["archers"], ["garrison", "guard"]]


def test_6_the_explanation_says_for_each_place_why_the_force_cannot_withdraw_there() -> None:
    forces = forces_at(vanguard="mill", guard="bridge", garrison="fort")
    orders = {"guard": "hold, avoid battle", "vanguard": "march to bridge"}
    for pace, reason in (
        (1, "Fort has no room and Mill is not free of enemies in this step; meets Vanguard"),
        (0, "it has no steps left; meets Vanguard"),
    ):
        forces["guard"]["pace"] = pace
        outcome = moved(vale(orders, forces=forces, movement={"allowance": 1, "stacking": 1}))[0]
        reasons = [why for cause in outcome.causes for why in cause.reasons]
        assert any(f"cannot avoid Vanguard: {reason}" in why for why in reasons), reasons


def test_6_a_force_on_the_march_stops_before_an_enemy() -> None:
    after = march({"militia": "march to bridge, avoid battle"})
    assert not after.pending
    assert at(after, "militia") == "mill"


@pytest.mark.parametrize("enemy", ["march to bridge", "march to ford", "hold"])
def test_6_a_force_stays_beside_an_enemy_of_an_earlier_turn(enemy: str) -> None:
    """Both share the mill since a drawn battle, so that the enemy does not come there in this step."""
    forces = {
        "vanguard": {"faction": "red", "strength": 9, "location": "mill"},
        "guard": {"faction": "blue", "strength": 9, "location": "mill"},
        "archers": {"faction": "green", "strength": 9, "location": "bridge"},
    }
    after = march({"guard": "march to bridge, avoid battle", "vanguard": enemy}, forces=forces)
    assert at(after, "guard") == "mill"
    assert [[*map(sorted, battle.sides)] for battle in after.pending] == (
        [[["vanguard"], ["archers"]]] if enemy == "march to bridge" else []
    )


@pytest.mark.parametrize("contact", ["place", "road-and-place"])
@pytest.mark.parametrize("enemy", ["march to ford", "hold"])
def test_6_a_force_stays_on_the_road_beside_an_enemy(contact: str, enemy: str) -> None:
    forces = forces_at(archers="ford", **dict.fromkeys(("vanguard", "guard"), "mill"))
    for force in ("vanguard", "guard"):
        forces[force] |= {"towards": "ford", "walked": 1}
    movement = {"allowance": 2, "contact": contact}
    orders = {"vanguard": enemy, "guard": "march to ford, avoid battle"}
    assert at(march(orders, forces=forces, movement=movement), "guard") == "mill-1-ford"


def test_6_a_force_stays_in_a_place_that_holds_too_many_friends() -> None:
    forces = forces_at(vanguard="bridge", guard="mill", garrison="mill")
    orders = {"guard": "march to bridge, avoid battle"}
    assert at(march(orders, forces=forces, movement={"allowance": 2, "stacking": 1}), "guard") == "mill"


@pytest.mark.parametrize("comes", ["garrison", "archers"])
def test_6_a_force_goes_on_if_a_friend_or_an_enemy_takes_its_place(comes: str) -> None:
    """A place for one force is filled in the step in which the force wants to leave it."""
    forces = forces_at(vanguard="mill", guard="bridge", **{comes: "fort"})
    orders = {"guard": "march to mill, avoid battle", comes: "march to bridge"}
    after = march(orders, forces=forces, movement={"allowance": 2, "stacking": 1, "contact": "place"})
    assert (at(after, "guard"), at(after, comes)) == ("mill", "bridge")
    assert [[*map(sorted, battle.sides)] for battle in after.pending] == [[["guard"], ["vanguard"]]]


@pytest.mark.parametrize(("last", "ahead"), [("ford", "mill"), ("mill", "ford")])
def test_6_an_enemy_ahead_on_a_road_closes_only_the_way_ahead(last: str, ahead: str) -> None:
    """Distances on a road are counted from the end whose key comes first."""
    forces = forces_at(guard=last, archers=ahead)
    forces["guard"] |= {"towards": ahead, "walked": 2}
    forces["archers"] |= {"towards": last, "walked": 1}
    orders = {"guard": "hold, avoid battle", "archers": f"march to {last}"}
    road = [{"between": ["mill", "ford"], "length": 4}]
    after = march(orders, forces=forces, road=road, movement={"allowance": 2})
    assert (at(after, "guard"), after.pending) == (last, [])


def test_6_a_force_that_began_the_turn_on_a_road_goes_back_to_where_it_came_from() -> None:
    forces = forces_at(guard="mill", archers="bridge")
    forces["guard"] |= {"towards": "ford", "walked": 1}
    orders = {"guard": "march to ford, avoid battle", "archers": "march to ford"}
    places = {key: {"owner": "red"} for key in ("mill", "bridge", "fort", "ford")} | {
        "wood": {"owner": "blue"}
    }
    assert at(march(orders, forces=forces, movement={"allowance": 3}, locations=places), "guard") == "mill"


def test_7_forces_that_enter_one_place_meet_there() -> None:
    after = march({"garrison": "march to ford", "archers": "march to ford"})
    [battle] = after.pending
    assert (battle.place, battle.stakes, battle.defender) == ("ford", "ford", None)


def test_7_enemies_that_stand_together_do_not_meet_again() -> None:
    forces = {
        "vanguard": {"faction": "red", "strength": 9, "location": "bridge"},
        "guard": {"faction": "blue", "strength": 9, "location": "bridge"},
    }
    assert not march({"vanguard": "hold", "guard": "hold"}, forces=forces).pending


def test_7_a_force_that_is_at_peace_with_both_starts_no_battle() -> None:
    forces = forces_at(vanguard="bridge", guard="bridge", archers="fort")
    factions = {"red": {}, "blue": {}, "green": {"peace": ["red", "blue"]}}
    after = march({"archers": "march to bridge"}, forces=forces, factions=factions)
    assert at(after, "archers") == "bridge"
    assert not after.pending


def test_8_a_force_that_has_met_an_enemy_marches_no_further() -> None:
    after = march({"vanguard": "march to fort"})
    assert (at(after, "vanguard"), after.forces["vanguard"].march) == ("bridge", None)


@pytest.mark.parametrize("others", [{}, {"archers": "march to bridge"}])
def test_8_a_force_in_a_pending_battle_joins_no_other(others: dict[str, str]) -> None:
    """A force that meets it stands by, and the umpire gets the command that lets it fight too."""
    places = {"vanguard": "bridge", "guard": "bridge", "militia": "mill", "archers": "fort"}
    forces = {
        key: {"faction": FORCES[key][0], "strength": 9, "location": place} for key, place in places.items()
    }
    pending = [{"id": "old", "sides": ["vanguard", "guard"], "stakes": "bridge"}]
    orders = {"militia": "march to bridge", **others}
    outcome, after = moved(vale(orders, forces=forces, pending=pending))
    new = battles(after)
    assert new.pop("old") == ["vanguard", "guard"]
    if "archers" in others:
        assert [sorted(sides) for sides in new.values()] == [["archers", "militia"]]
        assert not [note for note in outcome.notes if "by" in note]
    else:
        assert not new
        assert outcome.notes[0] == (
            "Militia stands by: the enemies there fight in old, which is pending; to let Militia fight in it "
            "too: cardbattle campaign edit old --side vanguard+militia --side guard"
        )
        assert next(change.text for change in changes_in(outcome) if change.key[0] == "orders") == "engaged"


def test_8_a_force_that_stands_by_can_join_the_allies_of_its_faction() -> None:
    forces = {
        key: {"faction": faction, "strength": 9, "location": place}
        for key, faction, place in (
            ("vanguard", "red", "bridge"),
            ("allies", "green", "bridge"),
            ("guard", "blue", "bridge"),
            ("militia", "green", "mill"),
        )
    }
    pending = [{"id": "old", "sides": [["vanguard", "allies"], "guard"], "stakes": "bridge"}]
    outcome, _ = moved(vale({"militia": "march to bridge"}, forces=forces, pending=pending))
    assert outcome.notes[0].endswith("--side vanguard+allies+militia --side guard")


def test_9_the_forces_of_a_faction_form_one_side_and_who_stood_defends() -> None:
    after = march({"vanguard": "march to bridge", "militia": "join vanguard", "garrison": "join guard"})
    [battle] = after.pending
    assert [sorted(side) for side in battle.sides] == [["militia", "vanguard"], ["garrison", "guard"]]
    assert battle.defender == battle.keys[1]


def test_9_the_order_of_the_forces_behind_the_strongest_does_not_show_their_strengths() -> None:
    orders = dict.fromkeys(("vanguard", "militia", "archers", "guard"), "march to bridge")
    sides = set()
    for militia, archers in ((1, 2), (2, 1)):
        forces = vale(orders).data["forces"]
        assert isinstance(forces, dict)
        forces["archers"] = {**forces["militia"], "strength": archers}
        forces["militia"]["strength"] = militia
        [battle] = moved(vale(orders, forces=forces))[1].pending
        sides.add(str([side for side in battle.sides if "vanguard" in side]))
    assert len(sides) == 1


def test_8_contacts_that_share_a_force_are_one_battle_and_each_part_is_named_where_it_was() -> None:
    orders = {"vanguard": "march to bridge", "guard": "march to mill", "militia": "march to bridge"}
    forces = vale(orders).data["forces"]
    assert isinstance(forces, dict)
    forces["militia"]["location"] = "fort"
    outcome, after = moved(vale(orders, forces=forces))
    [battle] = after.pending
    assert (battle.place, battle.defender, at(after, "vanguard")) == ("bridge", "guard", "mill")
    assert outcome.causes[-1].reasons == [
        "Guard and Vanguard meet on the road between Bridge and Mill",
        "Guard and Militia meet at Bridge",
    ]


def test_9_of_three_factions_the_two_strongest_fight() -> None:
    forces = {
        key: {"faction": faction, "strength": strength, "location": place}
        for key, faction, strength, place in (
            ("vanguard", "red", 9, "bridge"), ("garrison", "blue", 5, "fort"), ("riders", "green", 7, "ford"),
        )
    }  # fmt: skip
    after = march({"vanguard": "march to fort", "riders": "march to fort"}, forces=forces)
    assert battles(after) == {"t1-fort": ["vanguard", "riders"]} or battles(after) == {
        "t1-fort": ["riders", "vanguard"]
    }


def test_10_terrain_and_weather_are_noted_with_the_battle() -> None:
    places = {"mill": {}, "bridge": {"terrain": "woods"}, "fort": {}, "ford": {}, "wood": {}}
    after = march(
        {"vanguard": "march to bridge"},
        locations=places,
        terrain={"woods": {"field-of-honour": {"defender": {"hand": 1}}}},
        weather={"table": [{"p": 1, "name": "rain"}], "now": "rain"},
    )
    [battle] = after.pending
    assert (battle.terrain, battle.weather, battle.defender) == ("woods", "rain", "guard")


def test_10_each_battle_has_an_id_of_its_own() -> None:
    pending = [{"id": "t1-bridge", "sides": ["archers", "garrison"]}]
    after = march({"vanguard": "march to bridge"}, pending=pending)
    assert [battle.id for battle in after.pending] == ["t1-bridge", "t1-bridge-2"]


def test_11_what_is_left_of_a_march_goes_on_in_the_next_turn() -> None:
    after = march({"militia": "march to wood"}, forces=one_force("militia"))
    assert (at(after, "militia"), after.forces["militia"].march) == ("ford", "march to wood")
    later = moved(after.model_copy())[1]
    assert (at(later, "militia"), later.forces["militia"].march) == ("wood", None)


def test_11_a_force_has_no_march_left_if_it_has_met_its_friend_on_the_road() -> None:
    forces = forces_at(vanguard="ford", militia="mill")
    forces["vanguard"]["pace"] = 1
    forces["militia"] |= {"towards": "ford", "walked": 1}
    after = march({"vanguard": "join militia"}, forces=forces)
    assert (at(after, "vanguard"), after.forces["vanguard"].march) == ("ford-1-mill", None)
