"""Generate the setups on which laws run. They contain each number of sides and each option."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import cycle

from cardbattle.core.chance import Chance, stream
from cardbattle.core.options import CardList, OneOf, Option, Presets, SideKey, Switch, Whole
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.testing.trial import Trial

MIXED = 30  # number of setups in which several options are changed
SOME_CARDS: list[object] = ["KS", "AH", "4D", "RJ", "J8", "K", "2", 13, 7]


def trials(rules: RuleSet) -> list[Trial]:
    """Return a trial for each setup.

    The trials choose in three different ways in turn, which `trial_of` describes.
    """
    return [trial_of(rules, setup, f"laws/{n}", n) for n, setup in enumerate(setups(rules))]


def trial_of(rules: RuleSet, setup: Setup, seed: str, n: int) -> Trial:
    """Return a trial of a setup.

    The remainder of `n` divided by 3 determines how sides choose. If it is 0, they choose at random. If it is
    1, they choose with the regular policy. If it is 2, they choose at random, and some choices are legal
    choices that are not listed as options.
    """
    return Trial(rules, setup, seed, unasked=25 if n % 3 == 2 else 0, regular=n % 3 == 1)


@cache
def setups(rules: RuleSet) -> list[Setup]:
    """Return complete setups for the laws, with the default setup first.

    The setups contain each number of sides, several values of each option, and random combinations. Setups
    that the method `check` of the rule set rejects are left out.
    """
    usual = len(rules.default_sides)
    raw = [plain_setup(rules, sides) for sides in numbers_of_sides(rules)]
    for key, option in rules.house.items():
        for value in other_values(option, list(rules.default_sides)):
            raw.append(plain_setup(rules, usual))
            raw[-1].house[key] = value
    for key, option in rules.options.items():
        values = other_values(option, list(rules.default_sides))
        greatest = values[-1:] if isinstance(option, Whole) else []
        for value, skipped in [
            *zip(values, cycle([0, 1]), strict=False),
            *((value, 0) for value in greatest),
        ]:
            raw.append(plain_setup(rules, usual))
            for side in raw[-1].sides[skipped:]:  # the value is set for all sides, or all except the first
                side[key] = value
    raw += [random_setup(rules, stream(n, "mixed")) for n in range(MIXED)]
    return [complete(rules, setup, f"setup/{n}") for n, setup in enumerate(raw) if not rules.check(setup)]


def random_setup(rules: RuleSet, chance: Chance) -> Setup:
    """Return a setup with random values for some options of each side."""
    setup = plain_setup(rules, rules.fewest + chance.below(rules.most - rules.fewest + 1))
    tables = [(rules.house, setup.house), *((rules.options, side) for side in setup.sides)]
    for options, values in tables:
        for key, option in options.items():
            values_left = other_values(option, setup.seats)
            if values_left and chance.below(3) == 0:
                values[key] = values_left[chance.below(len(values_left))]
    return setup


def numbers_of_sides(rules: RuleSet) -> list[int]:
    """Return the possible numbers of sides, with the default number first."""
    usual = len(rules.default_sides)
    return [usual, *(n for n in range(rules.fewest, rules.most + 1) if n != usual)]


def plain_setup(rules: RuleSet, sides: int) -> Setup:
    """Return a setup with default options, before the deal."""
    seats = [*rules.default_sides, *(f"more-{n}" for n in range(sides))][:sides]
    return Setup(seats, defaults(rules.house), [defaults(rules.options) for _ in seats], {})


def defaults(table: Mapping[str, Option]) -> dict[str, object]:
    """Return the default values of all options. Lists are copied."""
    return {
        key: option.default.copy() if isinstance(option.default, list) else option.default
        for key, option in table.items()
    }


def complete(rules: RuleSet, setup: Setup, seed: int | str) -> Setup:
    """Choose the random house rules of a setup and deal the cards. The seed determines the results."""
    whole = setup.copy()
    rules.choose_random_house_rules(whole, stream(seed, "lot"))
    rules.deal(whole, stream(seed, "deal"))
    return whole


def other_values(option: Option, seats: list[str]) -> list[object]:
    """Return some values of an option that differ from its default.

    For a number, they include the minimum and the maximum (at most 30), unless these are the default.
    """
    values: list[object] = []
    if isinstance(option, Switch):
        values = [False, True]
    elif isinstance(option, OneOf) and not isinstance(option, Presets):
        values = list(option.choices)
    elif isinstance(option, SideKey):
        values = list(seats)
    elif isinstance(option, Whole):
        usual = option.default if isinstance(option.default, int) else option.least + 3
        near = [option.least, usual // 2, usual - 1, usual + 1, 2 * usual, min(option.most, 30)]
        values = [n for n in dict.fromkeys(near) if option.least <= n <= option.most]
    elif isinstance(option, CardList):
        values = [*card_lists(option)]
    return [value for value in values if value != option.default]


def card_lists(option: CardList) -> list[list[int]]:
    """Return a few valid values of an option that lists cards."""
    usual = option.default if isinstance(option.default, list) else []
    cards = [card for text in SOME_CARDS for card in readable(option, text)]
    lists = [usual[1:], usual[:-1] + usual[:1], [*usual, *cards[:1]], [*usual, *cards], cards[: option.least]]
    lists += [[card] for card in cards] if not usual else []
    return [accepted for cards in lists for accepted in accept_cards(option, cards)]


def accept_cards(option: CardList, cards: list[int]) -> list[list[int]]:
    """Return a list whose only element is the normalised list of cards.

    The result is empty if the option rejects the cards.
    """
    try:
        return [option.read(option.write(cards), [])]
    except ValueError:
        return []


def readable(option: CardList, text: object) -> list[int]:
    """Return a list that contains the card with this name or number.

    The list is empty for an unknown card.
    """
    try:
        return [option.reader(text)]
    except ValueError:
        return []
