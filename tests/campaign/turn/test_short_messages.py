"""Order messages after the first turn: what they leave out, and the names that can stand for keys."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.ledger.history import is_map_known
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Entry
from cardbattle.campaign.phases.movement.planning import steps_of
from cardbattle.campaign.state.changes import Change, Key
from cardbattle.show.pages.campaign.messages.orders import example_orders
from cardbattle.show.pages.campaign.messages.roads import IN_REACH, MAP_IS_KNOWN, places_in_reach, reach_lines
from tests.campaign.phases.movement.test_procedure import vale
from tests.campaign.phases.test_retreat_laws import longer
from tests.campaign.turn.test_retreat_choices import do, take
from tests.campaign.turn.test_turn_by_messages import VALLEY
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.movement import campaign_of, moved
from tests.support.vale import orders
from tests.support.vale import take as take_in_vale

HOLD = "vanguard: hold\nguard: hold\ngarrison: hold\narchers: hold"
NAMES = (
    "Hill and Dale", "Fort via Rome", "Avoid Battle", "The Rest", "Mühle", "St. Mary", "King's Lynn", "March",
    "To Rome", "No Man's Land", "Home", "Back", "4 Winds", "If", "Both", "Attack Hill", "Riders", "Militia",
    "Two Words, One", "A -> B", "A; B", "A: B", "Mill (old)", "And", "x then y", "red@1",
    "York and militia hold", "Under-the-Hill", "York, avoid battle", "red-2@1:", "Bridge", "A & B",
    "> York", "On the Moor",
)  # fmt: skip


@pytest.mark.slow
@given(st.integers(0, 10**6))
def test_no_place_is_left_out_that_a_force_can_reach(seed: int) -> None:
    before = campaign_of(Random(seed))
    after = moved(before)[1]
    for key, force in before.forces.items():
        if not force.location or force.destroyed:
            continue
        places = places_in_reach(before, key, steps_of(before, force))
        there = after.forces[key]
        gone = {there.location, there.towards}.difference({None, force.location if not force.towards else ""})
        assert gone <= {*places}, (gone, places)
        assert all(distance > 0 for distance in places.values())


@pytest.mark.parametrize(
    ("key", "is_known"),
    [(("orders", "boyd"), False), (("orders", "rufus"), True), (("sealed_orders", "red"), True)],
)
def test_orders_of_another_faction_do_not_shorten_a_message(key: Key, is_known: bool) -> None:
    orders = Entry(1, "orders", [Change(key, None, "hold")])
    ledger = longer(longer(EMPTY_LEDGER, orders), Entry(2, "turn", [Change(("turn",), 1, 2)]))
    assert is_map_known(ledger, 2, "red", ["rufus"]) == is_known


def test_a_place_to_which_a_force_can_only_set_out_is_marked() -> None:
    campaign = vale({}, road=[{"between": ["mill", "ford"], "length": 3}])
    lines = [*reach_lines(campaign, OrderParser(campaign), {"vanguard": 2, "militia": 3}, ())]
    assert lines[1:-1] == ["- in reach of Vanguard: Ford 3 (sets out)", "- in reach of Militia: Ford 3"]


@pytest.mark.parametrize(
    ("owners", "bridge", "short"),
    [
        ({"bridge": "blue", "ford": None}, ["guard"], "march to ford"),
        ({"bridge": "red", "ford": None}, [], "march to bridge"),
        ({"bridge": "red", "ford": None}, ["guard"], "march to ford"),
        ({"bridge": "blue", "ford": "green"}, [], "hold"),
        ({"bridge": None, "ford": "blue"}, ["guard"], "hold"),
    ],
)
def test_the_example_of_an_order_sends_no_force_to_an_enemy(
    owners: dict[str, str | None], bridge: list[str], short: str
) -> None:
    """Only a long message, which has an example of each order, can have a march to an enemy."""
    bare = vale({})
    forces = {key: force.model_dump(exclude_unset=True) for key, force in bare.forces.items()}
    for key in ("guard", "garrison"):
        forces[key]["location"] = "bridge" if key in bridge else "fort"
    changed = {key: {"owner": owner} if owner else {} for key, owner in owners.items()}
    places = bare.data["locations"] | changed  # type: ignore[operator]
    campaign = vale({}, forces=forces, locations=places)
    own = ["vanguard", "militia"]
    assert example_orders(campaign, own, (), is_short=True) == [short]
    march = short if short != "hold" else "march to bridge"
    place = march.removeprefix("march to ")
    assert example_orders(campaign, own, ()) == ["hold", march, f"mill -> {place}", "join militia"]
    assert example_orders(campaign, own, own) == example_orders(campaign, own, own, is_short=True) == ["hold"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_place_is_called_as_an_order_can_call_it(name: str) -> None:
    bare = vale({})
    places = bare.data["locations"] | {"ford": {"name": name}}  # type: ignore[operator]
    campaign = vale({}, locations=places)
    if OrderParser(campaign).is_plain_place("ford"):
        for form in ("march to {}", "march to {}, avoid battle", "mill -> {}", "march to fort via {}"):
            given_by_key = orders(take_in_vale(campaign, f"vanguard: {form.format('ford')}"))
            assert orders(take_in_vale(campaign, f"vanguard: {form.format(name)}")) == given_by_key != {}


def test_the_key_of_a_force_stands_before_a_name_that_does_not_show_it() -> None:
    force = {"faction": "red", "strength": 3, "location": "mill"}
    names = {"bows": "The Mill Bows", "f1": "Pikes", "guard": "Old Guard", "young": "Young Guard"}
    campaign = vale({}, forces={key: force | {"name": name} for key, name in names.items()})
    parser = OrderParser(campaign)
    assert [key for key in names if parser.is_plain_force(key)] == ["bows", "young"]


def message(sh: Shell, *options: str) -> str:
    """Return the message to Red for orders, or its message with these options."""
    said = sh("campaign", "orders", "ask", "--for", "red", "--json", *options)
    return "\n".join(each["text"] for each in json.loads(said.out)["messages"])


@pytest.mark.slow
def test_the_map_is_sent_once_and_after_each_change(sh: Shell) -> None:
    def end_turn() -> None:
        take(sh, HOLD)
        do(sh, "advance")

    sh.write("campaign.toml", VALLEY)
    first = message(sh)
    assert "- Bridge - Fort: 1" in first and "To seal your lines" in first
    end_turn()
    short = message(sh)
    assert f"{IN_REACH}\n- in reach of Vanguard: Bridge 1, Fort 2\n{MAP_IS_KNOWN}" in short
    assert "Roads" not in short and "To seal your lines" not in short and len(short) < len(first)
    assert message(sh, "--map") == first.replace("Turn 1", "Turn 2").replace("red@1", "red@2")
    assert message(sh) == short  # printing the map does not count as a change
    do(sh, "set", "locations.fort.owner=blue")
    assert "Roads" not in message(sh)
    do(sh, "add", "road", "mill", "fort", "--length", "3")
    assert "- Mill - Fort: 3" in message(sh)
    end_turn()
    assert "- Mill - Fort: 3" in message(sh)  # the last messages can be older than the change
    end_turn()
    assert "- in reach of Vanguard: Bridge 1, Fort 2" in message(sh)
    do(sh, "set", "locations.fort.name=Old Fort")
    assert "- Bridge - Old Fort: 1" in message(sh)


@pytest.mark.slow
def test_a_short_message_is_never_read_as_orders(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    take(sh, HOLD)
    do(sh, "advance")
    text = message(sh)
    for quoted in (text, text[text.index("Your forces") :], text.replace("vanguard:", "")):
        said = take(sh, f"Red@2:\nvanguard: march to Bridge\n\n{quoted}", code=0)
        assert "Vanguard Mill march to Bridge" in do(sh, "orders", "show").out and "ignored" not in said.err
        do(sh, "undo")
