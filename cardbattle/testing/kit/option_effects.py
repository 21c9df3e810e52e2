"""Find options of a rule set whose values have no effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardbattle.core.options import Option
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.testing.setting_up import complete, other_values, setups
from cardbattle.testing.trial import Trial

BATTLES = 200


def options_without_effect(rules: RuleSet, battles: int = BATTLES) -> list[str]:
    """Return the names of the options whose values do not affect any of `battles` battles.

    Regular commanders fight each battle twice with the same seed, once with the default value of the option
    and once with another value. The function compares the deals, the moves, the events, the scores and the
    outcomes. The values of the other options come from `setups`, because some options have an effect only
    together.
    """
    house = [key for key, option in rules.house.items() if not has_effect(rules, option, key, True, battles)]
    sides = [
        key for key, option in rules.options.items() if not has_effect(rules, option, key, False, battles)
    ]
    return [*house, *sides]


def has_effect(rules: RuleSet, option: Option, key: str, is_house: bool, battles: int) -> bool:
    """Return True if a value of an option changes one of the battles.

    The function also returns True if it could not try another value.
    """
    values = other_values(option, list(rules.default_sides))
    bases = [bare(setup) for setup in setups(rules)]
    tried = 0
    for n in range(battles if values else 0):
        base = bases[0 if n % 2 == 0 else n % len(bases)]
        changed = with_value(base, key, values[n % len(values)], is_house)
        if not rules.check(base) and not rules.check(changed):
            tried += 1
            if course(rules, base, n) != course(rules, changed, n):
                return True
    return tried == 0


def bare(setup: Setup) -> Setup:
    """Return a setup without its deal."""
    undealt = setup.copy()
    undealt.deal = {}
    return undealt


def with_value(setup: Setup, key: str, value: object, is_house: bool) -> Setup:
    """Return a setup in which a house rule, or an option of the first side, has this value."""
    changed = setup.copy()
    table = changed.house if is_house else changed.sides[0]
    table[key] = value
    return changed


def course(rules: RuleSet, setup: Setup, n: int) -> Sequence[object]:
    """Return the deal, the moves, the events, the scores and the outcome of a battle.

    Battles are compared by these values.
    """
    dealt = complete(rules, setup, f"effect/{n}")
    trial = Trial(rules, dealt, f"effect/{n}", regular=True)
    fought = trial.fight()
    events: list[Mapping[str, object]] = [
        rules.as_json(event.all_seeing(), dealt.seats) for _, event in fought.events
    ]
    scores = [fought.battle.score(seat) for seat in trial.seats]
    return [dealt.deal, fought.moves, events, scores, fought.outcome()]
