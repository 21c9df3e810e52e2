"""Hiring: who gets how many soldiers for the money of a faction, and why not more."""

from __future__ import annotations

import pytest

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Entry
from cardbattle.campaign.phases.phase import Cause, Situation
from cardbattle.campaign.phases.upkeep import run_upkeep
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.turn.hints.contradictions import recruit_hints
from tests.support.marches import books

WAR = """\
format = 1
name = "The Crossing"
turn = 3
seed = 7
rules = "field-of-honour"
[factions.red]
purse = 10
[factions.blue]
[forces.guard]
faction = "red"
strength = 5
units = { Bows = 3, Pikes = 2 }
location = "camp"
hires = 2
[forces.levy]
faction = "red"
strength = 4
full = 6
location = "camp"
hires = 3
[forces.boyd]
faction = "blue"
strength = 8
location = "keep"
[locations.camp]
owner = "red"
supply = true
value = 2
[locations.ford]
owner = "red"
[locations.keep]
owner = "blue"
[map]
roads = [["camp", "ford"]]
[movement]
allowance = 1
[recruit]
cost = 3
[income]
per_value = 5
to = "purse"
"""
LEVY = ("forces", "levy", "hires")


def hiring(text: str, *entries: Entry) -> Cause:
    """Return the entry for the hired soldiers in the upkeep of a campaign."""
    causes = run_upkeep(Situation(books(text).campaign, EMPTY_LEDGER, entries)).causes
    return next(cause for cause in causes if cause.kind == "recruit")


def values(cause: Cause) -> dict[str, object]:
    return {".".join(change.key[1:]): change.after for change in cause.changes}


def note(cause: Cause) -> str:
    """Return how many soldiers the levy hired, and why not all."""
    return next(change.text for change in cause.changes if change.key == LEVY)


def test_forces_hire_in_the_order_of_the_file_until_the_purse_is_empty() -> None:
    """The income of the turn comes later, and a force can have more than its full strength."""
    cause = hiring(WAR)
    assert values(cause) == {
        "guard.hires": None, "guard.strength": 7, "guard.units.Bows": 4, "guard.units.Pikes": 3,
        "levy.hires": None, "levy.strength": 5, "red.purse": 1,
    }  # fmt: skip
    assert note(cause) == "1 purse"
    assert cause.reasons == [
        "Guard hires 2 soldiers for 6, 3 for each",
        "Levy hires 1 soldier for 3, 3 for each",
    ]
    kinds = [each.kind for each in run_upkeep(Situation(books(WAR).campaign, EMPTY_LEDGER)).causes]
    assert kinds == ["recruit", "income"]


RICH = WAR.replace("purse = 10", "purse = 30")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "", "3"),
        ("cost = 3", "cost = 3\nmost = 2", "2 most"),
        ("cost = 3", "cost = 100", "0 purse"),
        ("purse = 30", "purse = -5", "0 purse"),
        ('full = 6\nlocation = "camp"', 'location = "ford"', "0 not-there"),
        ('full = 6\nlocation = "camp"', 'location = "keep"', "0 not-there"),
        ("full = 6\n", "destroyed = true\n", "0 destroyed"),
        ("[movement]", '[[pending]]\nid = "b"\nsides = ["levy", "boyd"]\n[movement]', "0 in-battle"),
        ('full = 6\nlocation = "camp"', "", "0 not-there"),
        ('strength = 8\nlocation = "keep"', 'strength = 8\nlocation = "camp"', "0 enemy-there"),
        ('strength = 8\nlocation = "keep"', 'strength = 8\nlocation = "camp"\ndestroyed = true', "3"),
        (
            "[factions.blue]\n[forces.guard]",
            '[factions.blue]\npeace = ["red"]\n[forces.friend]\nfaction = "blue"\nstrength = 2\n'
            'location = "camp"\n[forces.guard]',
            "3",
        ),
    ],
)
def test_what_a_force_cannot_hire_has_a_reason(old: str, new: str, told: str) -> None:
    assert note(hiring(RICH.replace(old, new))) == told


def test_with_own_places_a_place_needs_no_supply() -> None:
    text = RICH.replace('full = 6\nlocation = "camp"', 'location = "ford"')
    assert note(hiring(text.replace("cost = 3", 'cost = 3\nplaces = "own"'))) == "3"


def test_a_force_on_the_road_and_a_force_that_retreated_hire_nobody() -> None:
    road = RICH.replace("full = 6", 'towards = "ford"\nwalked = 1')
    road = road.replace(
        '[map]\nroads = [["camp", "ford"]]', '[[road]]\nbetween = ["camp", "ford"]\nlength = 2'
    )
    assert note(hiring(road)) == "0 on-road"
    retreat = Entry(1, "aftermath", [Change(("forces", "levy", "location"), "ford", "camp")], id="b")
    assert note(hiring(RICH, retreat)) == "0 retreated"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "", ""),
        ("purse = 10", "", ""),  # there is income
        ('to = "purse"', "", ""),  # there is a purse
        (
            "supply = true",
            "",
            "no place of a faction has supply = true, so no force can hire; mark some places",
        ),
        ("[movement]\nallowance = 1", "", "hiring is an order, and movement is off; turn it on"),
    ],
)
def test_a_price_that_cannot_be_paid_anywhere_is_hinted_at(old: str, new: str, told: str) -> None:
    hints = [hint.text for hint in recruit_hints(books(WAR.replace(old, new)).campaign)]
    assert len(hints) == bool(told) and all(hint.startswith(told) for hint in hints)


def test_without_money_the_hint_names_the_purse_and_the_income() -> None:
    text = WAR.replace("purse = 10", "").replace('to = "purse"', "")
    [hint] = recruit_hints(books(text).campaign)
    assert hint.text.endswith('write purse = ... in factions, or income.to = "purse"')
