"""What strength is worth in battle: the stronger side gets more of an option, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

from cardbattle.core.options import CardList, Whole
from cardbattle.core.ruleset import RuleSet


class AdvantageTerms(Protocol):
    """What the stronger side gets: `give`, for every full `per` by which it is the stronger.

    At most `most` times. A campaign has terms for each rule set; a rule set ships with its own.
    """

    @property
    def per(self) -> Fraction:
        """How much stronger a side is for one step."""

    @property
    def give(self) -> Mapping[str, object]:
        """What one step adds to which options."""

    @property
    def most(self) -> int:
        """How many steps there are at most."""


class Bonus(NamedTuple):
    """One side option, before and after a side got what its strength is worth."""

    option: str
    before: object
    after: object

    def __str__(self) -> str:
        if isinstance(self.before, list) and isinstance(self.after, list):
            return f"{self.option} + {' '.join(map(str, self.after[len(self.before) :])) or 'nothing'}"
        return f"{self.option} {self.before} -> {self.after}"


class SideAdvantage(NamedTuple):
    """By how much a side is stronger than the weakest, and what it gets for that.

    `excess` is in shares of the weakest's strength, 3/4 for 14 against 8; None where that is 0.
    """

    side: str
    strength: int
    weakest: int
    excess: Fraction | None
    gifts: list[Bonus]


def advantages_of(
    rules: RuleSet, terms: AdvantageTerms | None, strengths: Mapping[str, int], table: Mapping[str, object]
) -> list[SideAdvantage]:
    """Return each side's advantage over the weakest, in seat order.

    `table` is a battle file's: its house rules and side options are what the gifts add to.
    """
    weakest = min(strengths.values())
    found = []
    for side, strength in strengths.items():
        excess = Fraction(strength, weakest) - 1 if weakest else None
        steps = count_steps(terms, strength, weakest) if terms else 0
        own = inside(inside(table, "sides"), side)
        words = [word for word in terms.give if rules.can_have(own, word)] if terms and steps else []
        house = inside(table, "house")
        gifts = (
            [bonus_of(rules, word, (terms.give[word], steps), own, house) for word in words] if terms else []
        )
        found.append(SideAdvantage(side, strength, weakest, excess, gifts))
    return found


def count_steps(terms: AdvantageTerms, strength: int, weakest: int) -> int:
    """Return how many full steps stronger than the weakest a side is, at most `most`."""
    if strength == weakest:
        return 0
    if not weakest:
        return terms.most
    return min(int((Fraction(strength, weakest) - 1) // terms.per), terms.most)


def bonus_of(
    rules: RuleSet,
    word: str,
    given: tuple[object, int],
    own: Mapping[str, object],
    house: Mapping[str, object],
) -> Bonus:
    """Return what a side with these options gets of one, within what that allows.

    `given` is what one step gives, and for how many steps.
    """
    option, base = rules.options[word], own.get(word)
    gift, steps = given
    if isinstance(option, CardList):
        assert isinstance(gift, list)
        cards = base if isinstance(base, list) else option.write(option.default or [])
        assert isinstance(cards, list)
        return Bonus(word, cards, [*cards, *(gift * steps)][: option.most])
    assert isinstance(option, Whole)
    assert isinstance(gift, int)
    count = base if isinstance(base, int) else usual(rules, word, house)
    return Bonus(word, count, max(option.least, min(option.most, count + gift * steps)))


def usual(rules: RuleSet, word: str, house: Mapping[str, object]) -> int:
    """Return what a side has of an option that is not given: its default, or the house rule's."""
    default = rules.options[word].default
    if default is None and word in rules.house:
        default = house.get(word, rules.house[word].default)
    return default if isinstance(default, int) else 0


def inside(table: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return a table inside a table, empty if there is none."""
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def with_gifts(table: Mapping[str, object], found: Sequence[SideAdvantage]) -> dict[str, object]:
    """Return a battle file's table in which every side has what it gets."""
    sides = {
        edge.side: {
            **inside(inside(table, "sides"), edge.side),
            **{gift.option: gift.after for gift in edge.gifts},
        }
        for edge in found
    }
    return {**table, "sides": sides}
