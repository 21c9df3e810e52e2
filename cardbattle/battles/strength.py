"""The effect of strength in battle: each step of superiority raises an option of the stronger side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple, Protocol

from cardbattle.core.options import CardList, Whole
from cardbattle.core.ruleset import RuleSet

MOST_GIVEN = 208  # maximum length of a list of cards


class AdvantageTerms(Protocol):
    """The advantage of the stronger side: `give`, for every full `per` of superiority, at most `most` times.

    A campaign has terms for each rule set; a rule set has default terms.
    """

    @property
    def per(self) -> Fraction:
        """The superiority that gives one step: a share of the weakest side's strength."""

    @property
    def give(self) -> Mapping[str, object]:
        """What one step adds, by option."""

    @property
    def most(self) -> int:
        """The maximum number of steps."""


class Bonus(NamedTuple):
    """One side option, before and after the side's advantage."""

    option: str
    before: object
    after: object

    def __str__(self) -> str:
        if isinstance(self.before, list) and isinstance(self.after, list):
            gone = less(self.before, self.after)
            instead = f" in place of {' '.join(map(str, gone))}" if gone else ""
            return f"{self.option} + {' '.join(map(str, less(self.after, self.before)))}{instead}"
        return f"{self.option} {self.before} -> {self.after}"


def less(cards: Sequence[object], others: Sequence[object]) -> list[object]:
    """Return the cards of a list without those of another, counting duplicates.

    >>> less(["K", "A", "K"], ["K", "A"])
    ['K']
    """
    left, results = list(others), []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            results.append(card)
    return results


class SideAdvantage(NamedTuple):
    """The superiority of a side over the weakest, and its advantage.

    `excess` is a share of the weakest side's strength, 3/4 for 14 against 8; None if the weakest has strength
    0.
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

    `table` is a battle file's table; the gifts are added to its house rules and side options. A gift that a
    side cannot have, or that changes nothing, is left out.
    """
    weakest = min(strengths.values())
    taken_cards = cards_by_name(rules, table)
    advantages = []
    for side, strength in strengths.items():
        excess = Fraction(strength, weakest) - 1 if weakest else None
        steps = count_steps(terms, strength, weakest) if terms else 0
        granted = {word: (gift, steps) for word, gift in terms.give.items()} if terms and steps else {}
        side_table, house = inside(inside(table, "sides"), side), inside(table, "house")
        whose = Recipient(side_table, house, len(strengths), taken_cards)
        gifts = [bonus_of(rules, word, gift, whose) for word, gift in granted.items()]
        changing = [gift for gift in gifts if gift.before != gift.after]
        advantages.append(SideAdvantage(side, strength, weakest, excess, changing))
    return advantages


class Recipient(NamedTuple):
    """A side that gets an advantage.

    `own` has its options and `house` the house rules, as in a battle file. `sides` is the number of sides.
    `taken` has the cards that the options of any side name.
    """

    own: Mapping[str, object]
    house: Mapping[str, object]
    sides: int
    taken: set[int]


def count_steps(terms: AdvantageTerms, strength: int, weakest: int) -> int:
    """Return the number of full steps by which a side is stronger than the weakest, at most `most`."""
    if strength == weakest:
        return 0
    if not weakest:
        return terms.most
    return min(int((Fraction(strength, weakest) - 1) // terms.per), terms.most)


def bonus_of(rules: RuleSet, word: str, granted: tuple[object, int], whose: Recipient) -> Bonus:
    """Return the change of one option, within the limits of that option.

    `granted` is the gift for each step, and the number of steps.
    """
    option, base = rules.options[word], whose.own.get(word)
    gift, steps = granted if rules.can_have(whose.own, word) else (granted[0], 0)
    if isinstance(option, CardList):
        assert isinstance(gift, list)
        cards = base if isinstance(base, list) else option.write(option.default or [])
        assert isinstance(cards, list)
        after = cards
        for card in cards_given(rules, option, (gift * steps)[:MOST_GIVEN], whose):
            after = option.plus(after, card)
        return Bonus(word, cards, after)
    assert isinstance(option, Whole)
    assert isinstance(gift, int)
    count = base if isinstance(base, int) else usual(rules, word, whose.house)
    most = max(count, min(option.most, rules.most_each(word, whose.sides, whose.house)))
    return Bonus(word, count, max(option.least, min(most, count + gift * steps)))


def cards_given(rules: RuleSet, option: CardList, values: Sequence[object], whose: Recipient) -> list[int]:
    """Return the cards that these words name, and mark them as used.

    A rank without suit gives the first unused card of S H D C that the side can have, if there is one left.
    """
    cards = []
    for word in values:
        named = option.card_named(word)
        free = [card for card in named if card not in whose.taken and rules.can_hold(whose.own, card)]
        card = named[:1] if len(named) == 1 else free[:1]
        whose.taken.update(card)
        cards += card
    return cards


def cards_by_name(rules: RuleSet, table: Mapping[str, object]) -> set[int]:
    """Return the cards that the side options of a battle file name, without invalid ones.

    A list without default, such as an own deck, only restricts the cards.
    """
    named = set()
    for side in inside(table, "sides"):
        for word, cards in inside(inside(table, "sides"), side).items():
            option = rules.options.get(word)
            if isinstance(option, CardList) and isinstance(cards, list) and option.default is not None:
                for card in cards:
                    with suppress(ValueError):
                        named.add(option.reader(card))
    return named


def usual(rules: RuleSet, word: str, house: Mapping[str, object]) -> int:
    """Return a side's value of an option that the file omits: its default, or the house rule's value."""
    default = rules.options[word].default
    if default is None and word in rules.house:
        default = house.get(word, rules.house[word].default)
    return default if isinstance(default, int) else 0


def inside(table: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return a table inside a table, or an empty one."""
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def with_gifts(table: Mapping[str, object], side_advantages: Sequence[SideAdvantage]) -> dict[str, object]:
    """Return a battle file's table in which every side has its advantage."""
    sides = {
        edge.side: {
            **inside(inside(table, "sides"), edge.side),
            **{gift.option: gift.after for gift in edge.gifts},
        }
        for edge in side_advantages
    }
    return {**table, "sides": sides}
