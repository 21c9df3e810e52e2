"""Convert a battle file to a canonical form, which contains all options and writes cards in one way.

All battle files that describe the same battle have the same canonical form. A hash of the canonical form
therefore identifies the battle, however the file was written.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.battles.records.battle_file import SIDE_KEYS, BattlePlan
from cardbattle.battles.records.record import house_table
from cardbattle.core.chance import FRESH, stream
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.files.reader import table_or_empty


def resolve_table(table: Mapping[str, object], plan: BattlePlan) -> dict[str, object]:
    """Return the content of a battle file in canonical form.

    `plan` is the plan that the content describes. House rules that will be decided at random are left out.
    """
    sides = table_or_empty(table["sides"])
    house = resolve_house(plan.rules, plan.setup)
    resolved = {word: value for word, value in table.items() if word != "house"}
    return {
        **resolved,
        "rules": plan.rules.key,
        **({"house": house} if house else {}),
        "sides": {
            key: {**command_of(sides[key]), **resolve_side(plan.rules, plan.setup, seat)}
            for seat, key in enumerate(plan.setup.seats)
        },
    }


def resolve_house(rules: RuleSet, setup: Setup) -> dict[str, object]:
    """Return all house rules that have a value, without those that will be decided at random."""
    settled = setup.copy()
    by_lot = [word for word in rules.lots if settled.house[word] is None]
    for word in by_lot:
        settled.house[word] = settled.seats[0]
    chance = stream("", "lot")
    rules.choose_random_house_rules(settled, chance)
    if chance.counter != FRESH:  # some random house rule is not in `lots`
        return house_table(rules, setup)
    return {word: value for word, value in house_table(rules, settled).items() if word not in by_lot}


def resolve_side(rules: RuleSet, setup: Setup, seat: int) -> dict[str, object]:
    """Return all options of a side that have a value. The value can be the default."""
    values = {word: rules.option_value(setup, seat, word) for word in rules.options}
    return {word: rules.options[word].write(value) for word, value in values.items() if value is not None}


def command_of(side: object) -> dict[str, object]:
    """Return the part of a side's table that has the name, the commander and the orders of the side."""
    return {word: value for word, value in table_or_empty(side).items() if word in SIDE_KEYS}
