"""Battles ready to start: every number of sides, every option with other values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cardbattle.core.chance import Chance, stream
from cardbattle.core.options import CardList, OneOf, Option, SideKey, Switch, Whole
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.testing.trial import Trial

MIXED = 30  # setups tried with many options changed at once
SOME_CARDS: list[object] = ["KS", "AH", "4D", "RJ", "J8", "K", "2", 13, 7]


def trials(rules: RuleSet) -> list[Trial]:
    """Return a trial for each setup, in turn with random choices, regular ones, and unasked ones."""
    return [trial_of(rules, setup, f"laws/{n}", n) for n, setup in enumerate(setups(rules))]


def trial_of(rules: RuleSet, setup: Setup, seed: str, n: int) -> Trial:
    """Return a trial whose choices are drawn in the n-th of three ways, counted round."""
    return Trial(rules, setup, seed, unasked=25 if n % 3 == 2 else 0, regular=n % 3 == 1)


@cache
def setups(rules: RuleSet) -> list[Setup]:
    """Return battles ready to start, the usual one first.

    They have each number of sides, each option with other values, and many options changed at
    once; what does not go together by the rule set's own `check` is left out.
    """
    usual = len(rules.default_sides)
    raw = [plain_setup(rules, sides) for sides in numbers_of_sides(rules)]
    for key, option in rules.house.items():
        for value in other_values(option, list(rules.default_sides)):
            raw.append(plain_setup(rules, usual))
            raw[-1].house[key] = value
    for key, option in rules.options.items():
        for n, value in enumerate(other_values(option, list(rules.default_sides))):
            raw.append(plain_setup(rules, usual))
            for side in raw[-1].sides[n % 2 :]:  # one value for all, the next for all but the first
                side[key] = value
    raw += [random_setup(rules, stream(n, "mixed")) for n in range(MIXED)]
    return [complete(rules, setup, f"setup/{n}") for n, setup in enumerate(raw) if not rules.check(setup)]


def random_setup(rules: RuleSet, chance: Chance) -> Setup:
    """Return a setup with some of its options changed, for each side by itself."""
    setup = plain_setup(rules, rules.fewest + chance.below(rules.most - rules.fewest + 1))
    tables = [(rules.house, setup.house), *((rules.options, side) for side in setup.sides)]
    for options, values in tables:
        for key, option in options.items():
            others = other_values(option, setup.seats)
            if others and chance.below(3) == 0:
                values[key] = others[chance.below(len(others))]
    return setup


def numbers_of_sides(rules: RuleSet) -> list[int]:
    """Return the usual number of sides first, then all others."""
    usual = len(rules.default_sides)
    return [usual, *(n for n in range(rules.fewest, rules.most + 1) if n != usual)]


def plain_setup(rules: RuleSet, sides: int) -> Setup:
    """Return a setup in which every option has its default, not yet dealt."""
    seats = [*rules.default_sides, *(f"more-{n}" for n in range(sides))][:sides]
    return Setup(seats, defaults(rules.house), [defaults(rules.options) for _ in seats], {})


def defaults(table: Mapping[str, Option]) -> dict[str, object]:
    """Return the default of each option, lists as copies."""
    return {
        key: option.default.copy() if isinstance(option.default, list) else option.default
        for key, option in table.items()
    }


def complete(rules: RuleSet, setup: Setup, seed: int | str) -> Setup:
    """Return the setup with lots cast and cards dealt from the seed's own streams."""
    whole = setup.copy()
    rules.cast_lots(whole, stream(seed, "lot"))
    rules.deal(whole, stream(seed, "deal"))
    return whole


def other_values(option: Option, seats: list[str]) -> list[object]:
    """Return values of an option that are not its default, the least and the most among them."""
    found: list[object] = []
    if isinstance(option, Switch):
        found = [False, True]
    elif isinstance(option, OneOf):
        found = list(option.choices)
    elif isinstance(option, SideKey):
        found = list(seats)
    elif isinstance(option, Whole):
        usual = option.default if isinstance(option.default, int) else option.least + 3
        near = [option.least, usual // 2, usual - 1, usual + 1, 2 * usual, min(option.most, 30)]
        found = [n for n in dict.fromkeys(near) if option.least <= n <= option.most]
    elif isinstance(option, CardList):
        found = [*card_lists(option)]
    return [value for value in found if value != option.default]


def card_lists(option: CardList) -> list[list[int]]:
    """Return a few lists of cards that this option takes."""
    usual = option.default if isinstance(option.default, list) else []
    cards = [card for text in SOME_CARDS for card in readable(option, text)]
    lists = [usual[1:], usual[:-1] + usual[:1], [*usual, *cards[:1]], [*usual, *cards], cards[: option.least]]
    lists += [[card] for card in cards] if not usual else []
    return [found for cards in lists for found in accept_cards(option, cards)]


def accept_cards(option: CardList, cards: list[int]) -> list[list[int]]:
    """Return these cards as the option has them, if it takes them."""
    try:
        return [option.read(option.write(cards), [])]
    except ValueError:
        return []


def readable(option: CardList, text: object) -> list[int]:
    """Return the card that a text or number names for this option, if it names one."""
    try:
        return [option.reader(text)]
    except ValueError:
        return []
