"""Convert a battle file to its canonical form: every option explicit, every card in one notation.

Two battle files for the same battle give the same table. A digest of that table therefore identifies the
battle, regardless of how its file was written.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.battles.records.battle_file import SIDE_KEYS, BattlePlan
from cardbattle.battles.records.record import house_table
from cardbattle.core.chance import FRESH, stream
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.files.reader import table_or_empty


def resolve_table(table: Mapping[str, object], plan: BattlePlan) -> dict[str, object]:
    """Return the table of a battle file in canonical form; `plan` is the battle in the file.

    Random house rules are omitted unless the file names them: the seed decides them later.
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
    """Return all house rules that have a value, except random ones that are not decided yet."""
    settled = setup.copy()
    by_lot = [word for word in rules.lots if settled.house[word] is None]
    for word in by_lot:
        settled.house[word] = settled.seats[0]
    chance = stream("", "lot")
    rules.choose_random_house_rules(settled, chance)
    if chance.counter != FRESH:  # a random house rule is missing in `lots`: leave all to the seed
        return house_table(rules, setup)
    return {word: value for word, value in house_table(rules, settled).items() if word not in by_lot}


def resolve_side(rules: RuleSet, setup: Setup, seat: int) -> dict[str, object]:
    """Return all options of a side that have a value."""
    values = {word: rules.option_value(setup, seat, word) for word in rules.options}
    return {word: rules.options[word].write(value) for word, value in values.items() if value is not None}


def command_of(side: object) -> dict[str, object]:
    """Return the part of a side's table that describes its name and its commander."""
    return {word: value for word, value in table_or_empty(side).items() if word in SIDE_KEYS}
