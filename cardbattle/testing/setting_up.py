"""Battles ready to start: every number of sides, every option with other values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cardbattle.core.chance import stream
from cardbattle.core.options import CardList, OneOf, Option, SideKey, Switch, Whole
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.testing.trial import Trial

SOME_CARDS: list[object] = ["KS", "AH", "4D", "RJ", "J8", "K", "2", 13, 7]


def trials(rules: RuleSet) -> list[Trial]:
    """Return a trial for each setup; in every third some choices are made that are not offered."""
    return [
        Trial(rules, setup, f"laws/{n}", unasked=25 if n % 3 == 2 else 0)
        for n, setup in enumerate(setups(rules))
    ]


@cache
def setups(rules: RuleSet) -> list[Setup]:
    """Return battles ready to start: each number of sides, then each option with other values.

    Values that do not go together by the rule set's own `check` are left out.
    """
    raw = [plain_setup(rules, sides) for sides in numbers_of_sides(rules)]
    for key, option in rules.house.items():
        for value in other_values(option, list(rules.default_sides)):
            raw.append(plain_setup(rules, len(rules.default_sides)))
            raw[-1].house[key] = value
    for key, option in rules.options.items():
        for n, value in enumerate(other_values(option, list(rules.default_sides))):
            raw.append(plain_setup(rules, len(rules.default_sides)))
            for side in raw[-1].sides[n % 2 :]:  # one value for all, the next for all but the first
                side[key] = value
    return [complete(rules, setup, f"setup/{n}") for n, setup in enumerate(raw) if not rules.check(setup)]


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
    return [
        cards if option.ordered else sorted(cards)
        for cards in lists
        if option.least <= len(cards) <= option.most
    ]


def readable(option: CardList, text: object) -> list[int]:
    """Return the card that a text or number names for this option, if it names one."""
    try:
        return [option.reader(text)]
    except ValueError:
        return []
