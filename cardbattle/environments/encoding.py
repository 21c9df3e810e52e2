"""Encode observations and actions as lists of fixed length.

The PettingZoo and OpenSpiel environments use this module.

An observation is a list of whole numbers. It has the seat, the question and the scores, followed by all
fields of the seat's view in the order of docs/protocol.md. A list in a view fills a fixed number of positions
in the observation, which are called slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from cardbattle.core.cards import PACK, PACKS, card_text
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import quoted, write_one_of
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.stepping import SteppedBattle

EMPTY = -3  # the value of an unused slot
NOTHING = -2  # a hidden card, an empty place, or no side
LEAST, MOST = EMPTY, 32_767  # the smallest and the largest value in an observation
SIDES = 0  # means the number of sides in a shape

Shape = tuple[int, ...]


class Size(NamedTuple):
    """The sizes of actions and observations for one rule set.

    Attributes:
        actions: the maximum number of options of a question.
        decisions: the maximum number of decisions in a battle.
        shapes: the maximum length of each field of a view that is a list, followed by the lengths of the
            lists in it.

    """

    actions: int
    decisions: int
    shapes: Mapping[str, Shape]


SIZES: Mapping[str, Size] = {
    "wargame": Size(
        169,
        400,
        {
            "hand": (SIDES, 13),
            "line": (SIDES, 13),
            "holder": (13,),
            "won": (SIDES,),
            "chips": (SIDES,),
            "traitors": (SIDES, 13),
            "spent": (SIDES,),
            "zone": (SIDES, 13),
        },
    ),
    "field-of-honour": Size(
        300,
        400,
        {
            "hand": (24,),
            "drawn": (8,),
            "line": (5, 2),
            "values": (5,),
            "attached": (5, 8),
            "shown": (5,),
            "sizes": (5,),
            "enemy_cards": (24,),
            "enemy_line": (5, 2),
            "enemy_values": (5,),
            "enemy_attached": (5, 8),
            "enemy_shown": (5,),
            "begun_with": (SIDES,),
            "holders": (5,),
            "discards": (54,),
        },
    ),
    "warmonger": Size(
        1024,
        20_000,
        {
            "live": (SIDES,),
            "warmongers": (64,),
            "hand_sizes": (SIDES,),
            "used_warmongers": (64,),
            "decks": (SIDES, 64),
            "deck_sizes": (SIDES,),
            "casualties": (64,),
            "war": (SIDES,),
            "fighting": (SIDES,),
            "scored": (SIDES,),
            "lines": (SIDES, 16),
            "downs": (SIDES, 16),
            "pot": (SIDES, 64),
            "totals": (SIDES,),
        },
    ),
    "strategy-war": Size(
        13,
        400,
        {
            "hand": (13,),
            "pool": (52,),
            "hands": (SIDES, 13),
            "sizes": (SIDES,),
            "scores": (SIDES,),
            "history": (13, SIDES),
        },
    ),
    "warfare-tactics": Size(
        768,
        20_000,
        {
            "hand": (52,),
            "temporary": (16,),
            "marked": (52,),
            "shown": (52,),
            "sizes": (SIDES,),
            "temporary_sizes": (SIDES,),
            "marked_counts": (SIDES,),
            "known": (52,),
            "seen": (3, 52),
            "unseen": (52,),
            "buried": (SIDES, 52),
            "battlefields": (SIDES, 52),
            "discards": (SIDES, 52),
            "deck_sizes": (SIDES,),
            "columns": (SIDES, 52),
            "from_hand": (SIDES,),
            "exhausted": (52,),
            "owed": (SIDES,),
        },
    ),
}


class Layout:
    """The positions of all values in an observation, for one rule set and one number of sides.

    `scale` multiplies the number of options and the number of slots for cards. Use it for battles with more
    cards than usual. Raises InvalidInput if the rule set comes from a plug-in.
    """

    def __init__(self, rules: RuleSet, sides: int, scale: int = 1) -> None:
        if rules.key not in SIZES:
            raise InvalidInput(f"there is no environment for {quoted(rules.key)}{write_one_of(list(SIZES))}")
        size = SIZES[rules.key]
        self.key = rules.key
        self.sides = sides
        self.actions = size.actions * scale
        self.decisions = size.decisions * scale
        self.questions = {question: number for number, question in enumerate(rules.lessons, 1)}
        self.shapes = {field: self.shape(size.shapes.get(field, ()), scale) for field in rules.view_fields}
        self.numbers = card_numbers(rules.key)

    def shape(self, shape: Shape, scale: int) -> Shape:
        """Return the shape of a field, in which SIDES is replaced with the number of sides."""
        lengths = [length or self.sides for length in shape]
        if shape and shape[-1] != SIDES:
            lengths[-1] *= scale
        return tuple(lengths)

    def names(self) -> list[str]:
        """Return the names of all values in an observation, such as `hand[0][3]`."""
        names = ["seat", "question", *(f"scores[{seat}]" for seat in range(self.sides))]
        for field, shape in self.shapes.items():
            names += [field + place for place in places(shape)]
        return names

    @property
    def width(self) -> int:
        """The number of values in an observation."""
        return 2 + self.sides + sum(volume(shape) for shape in self.shapes.values())

    def observe(self, battle: SteppedBattle, side: str) -> list[int]:
        """Return the observation of a side. Raises InvalidInput if there are more cards than slots."""
        question = battle.view(side).question if battle.side == side else 0
        values = [battle.seats.index(side), self.questions.get(question, 0)]
        values += [self.clamp(battle.scores[key]) for key in battle.seats]
        view = battle.view_table(side)
        for field, shape in self.shapes.items():
            values += self.encode(view[field], shape, field, battle.seats)
        return values

    def encode(self, value: object, shape: Shape, field: str, seats: Sequence[str]) -> list[int]:
        """Return a field of a view as a list of fixed length. Slots that are not used contain EMPTY."""
        if not isinstance(value, list):
            if not shape:
                return [self.number(value, seats)]
            return [self.number(value, seats)] + [EMPTY] * (volume(shape) - 1)
        if not shape or len(value) > shape[0]:
            raise InvalidInput(f"{field} has {len(value)} items, more than its slots; write a greater scale")
        values: list[int] = []
        for item in value:
            values += self.encode(item, shape[1:], field, seats)
        return values + [EMPTY] * (volume(shape) - len(values))

    def number(self, value: object, seats: Sequence[str]) -> int:
        """Convert a value to a number. Sides become their seats, and true and false become 1 and 0."""
        if value is None:
            return NOTHING
        if isinstance(value, int):
            return self.clamp(int(value))
        if value in self.numbers:
            return self.numbers[str(value)]
        if value in seats:
            return seats.index(str(value))
        raise InvalidInput(f"{value} is no card of the published {self.key}; other boxes have no environment")

    def clamp(self, value: int) -> int:
        """Limit a number to the range of values in an observation."""
        return min(max(value, NOTHING + 1), MOST)

    def mask(self, battle: SteppedBattle, side: str) -> list[int]:
        """Return a list with 1 for each action that the side can take now, and 0 for all others.

        Raises InvalidInput if there are more options than actions.
        """
        count = len(battle.options) if battle.side == side else 0
        if count > self.actions:
            raise InvalidInput(f"{count} options are more than the actions; write a greater scale")
        return [1] * count + [0] * (self.actions - count)


def volume(shape: Shape) -> int:
    """Return the number of slots in a shape, which is the product of its lengths."""
    product = 1
    for length in shape:
        product *= length
    return product


def places(shape: Shape) -> Iterator[str]:
    """Yield the index of each slot in a shape as text, such as `[0][3]`."""
    if not shape:
        yield ""
        return
    for at in range(shape[0]):
        for rest in places(shape[1:]):
            yield f"[{at}]{rest}"


WARMONGERS = (
    "Air Strike", "Cease-fire", "Conscription", "Double Agent", "Fighting Retreat", "Field Promotion",
    "Forced March", "Provocation", "Raid", "Reconnaissance", "Supply Drop", "Veto",
)  # fmt: skip
FIRST_WARMONGER = PACK * PACKS


@cache
def card_numbers(key: str) -> dict[str, int]:
    """Return a dictionary from the names of a rule set's cards to numbers."""
    if key == "wargame":
        return {str(card): card for card in range(1, 14)}
    if key == "strategy-war":
        ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
        return {text: rank for rank, text in enumerate(ranks, 2)}
    numbers = {card_text(card): card for card in range(PACK * PACKS) if card % PACK < 62}
    if key == "warmonger":
        numbers |= {name: FIRST_WARMONGER + n for n, name in enumerate(WARMONGERS)}
    return numbers


def rewards(seats: Sequence[str], winners: Sequence[str]) -> dict[str, float]:
    """Return the rewards of all sides.

    If one side wins alone, its reward is 1. After a draw, all rewards are 0. The rewards of all sides always
    add up to 0.

    >>> rewards(["york", "lancaster"], ["york"]), rewards(["a", "b", "c"], ["a"])
    ({'york': 1.0, 'lancaster': -1.0}, {'a': 1.0, 'b': -0.5, 'c': -0.5})
    """
    sharing = winners or seats
    points = {key: 1 / len(sharing) if key in sharing else 0.0 for key in seats}
    return {key: (len(seats) * share - 1) / (len(seats) - 1) for key, share in points.items()}
