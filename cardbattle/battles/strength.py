"""Convert greater strength to an advantage, which increases options of the stronger side in steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple, Protocol

from cardbattle.core.options import CardList, Whole, expand_preset
from cardbattle.core.ruleset import RuleSet

MOST_GIVEN = 208  # maximum number of cards that one advantage can add


class AdvantageTerms(Protocol):
    """A rule that gives a stronger side an advantage.

    A side's lead is the difference to the strength of the weakest side, as a share of the weakest side's
    strength. The side gets `give` once for each full step of size `per` in its lead, but no more than `most`
    times. A rule set has a default rule, and a campaign can replace it.
    """

    @property
    def per(self) -> Fraction:
        """The additional strength that is worth one step, as a share of the weakest side's strength."""

    @property
    def give(self) -> Mapping[str, object]:
        """The additions to the side's options that one step gives, by the name of the option."""

    @property
    def most(self) -> int:
        """The maximum number of steps."""


class Bonus(NamedTuple):
    """An option of a side, with its values before and after the side's advantage is added."""

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
    """Return the cards without the cards in `others`.

    Each card in `others` removes only one copy of this card.

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
    """The advantage that a side gets because it is stronger than the weakest side."""

    side: str
    strength: int
    weakest: int
    gifts: list[Bonus]


def advantages_of(
    rules: RuleSet, terms: AdvantageTerms | None, strengths: Mapping[str, int], table: Mapping[str, object]
) -> list[SideAdvantage]:
    """Return the advantage of each side over the weakest side, in seat order.

    `table` is the content of a battle file, with the house rules and the options that the advantages
    increase. Additions that a side cannot have or that have no effect are left out.
    """
    weakest = min(strengths.values())
    taken_cards = cards_by_name(rules, table)
    advantages = []
    for side, strength in strengths.items():
        steps = count_steps(terms, strength, weakest) if terms else 0
        granted = {word: (gift, steps) for word, gift in terms.give.items()} if terms and steps else {}
        side_table, house = inside(inside(table, "sides"), side), inside(table, "house")
        whose = Recipient(side_table, house, len(strengths), taken_cards)
        gifts = [bonus_of(rules, word, gift, whose) for word, gift in granted.items()]
        changing = [gift for gift in gifts if gift.before != gift.after]
        advantages.append(SideAdvantage(side, strength, weakest, changing))
    return advantages


class Recipient(NamedTuple):
    """A side that gets an advantage.

    `own` has the options of the side, and `house` has the house rules. Both have the form of a battle file.
    `sides` is the number of sides. `taken` has all cards that the options of the sides name.
    """

    own: Mapping[str, object]
    house: Mapping[str, object]
    sides: int
    taken: set[int]


def count_steps(terms: AdvantageTerms, strength: int, weakest: int) -> int:
    """Return the number of steps that a side gets for its strength, at most `terms.most`."""
    if strength == weakest:
        return 0
    if not weakest:
        return terms.most
    return min(int((Fraction(strength, weakest) - 1) // terms.per), terms.most)


def bonus_of(rules: RuleSet, word: str, granted: tuple[object, int], whose: Recipient) -> Bonus:
    """Return the value of the option `word` without the advantage and with it.

    The new value is within the limits of the option.

    `granted` is a pair of the addition for each step and the number of steps.
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
    """Return the cards that are added to a list, and mark them as taken.

    `values` are the names of the cards that the advantage grants.

    If a name is a rank without a suit, the suits are tried in the order S, H, D, C. The first card is added
    that the side can have and that is not already taken. If no card is left, nothing is added.
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
    """Return all cards that the options of the sides in a battle file name. Invalid names are ignored.

    Options without a default value, such as a side's own deck, are ignored, because they only restrict which
    cards the side can get.
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
    """Return the value that an option has if the battle file does not set it.

    This is the default of the option, or the value of the house rule with the same name.
    """
    default = rules.options[word].default
    if default is None and word in rules.house:
        default = expand_preset(rules.house, house).get(word, rules.house[word].default)
    return default if isinstance(default, int) else 0


def inside(table: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return the table stored in `table` under this key, or an empty one."""
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def with_gifts(table: Mapping[str, object], side_advantages: Sequence[SideAdvantage]) -> dict[str, object]:
    """Return the content of a battle file with the advantages of all sides added."""
    sides = {
        edge.side: {
            **inside(inside(table, "sides"), edge.side),
            **{gift.option: gift.after for gift in edge.gifts},
        }
        for edge in side_advantages
    }
    return {**table, "sides": sides}
