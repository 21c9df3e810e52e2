"""Value lines and specials of Field of Honour with small neural networks.

The networks were trained on battles against seasoned commanders. They use integer arithmetic, and their
inputs are facts that the side can know. For a line: which cards lie in each space, and which stay in hand.
For a special: the space after it is played, the spaces won so far, and what both sides have left. A value
only ranks the choices of one question; it has no unit. The weights are in `lines.bin` and `specials.bin`.
"""

from __future__ import annotations

import struct
from pkgutil import get_data
from typing import Final

from cardbattle.core.cards import ACE, JACK, JOKERS, KING, QUEEN, rank_of
from cardbattle.core.numeric.lanes import HALF, Row, pack, spread, unshrunk
from cardbattle.rules.field_of_honour.battle import (
    DISCARD,
    DOUBLE,
    FIRST_SPECIAL,
    HIGH,
    MOST_OF_TWO,
    OPEN,
    RALLY,
    REDEPLOY,
    SPACES,
    SWAP,
    VALUES,
    FieldView,
)
from cardbattle.rules.field_of_honour.seasoned import closes, lead

KINDS: Final = [KING, ACE, JACK, QUEEN, JOKERS[0] // 4]  # ranks of the specials
WORTHS: Final = MOST_OF_TWO + 1  # possible values of a space in a line: 1 to 10, and a Joker's

PAIRS: Final = SPACES * WORTHS  # index of the first fact about pairs; before it, the value in each space
LAID: Final = PAIRS + SPACES  # first fact about specials in line
KEPT: Final = LAID + len(KINDS)  # first fact about specials in hand
IN_HAND: Final = KEPT + len(KINDS)
IS_FIRST: Final = IN_HAND + 1
LINE_FACTS: Final = IS_FIRST + 1

MOST: Final = 40  # cap on a value
FAR: Final = 20  # cap on a difference of values
POWERS_AND_PASS: Final = 7
EIGHTHS: Final = 8  # scale of the expected number of specials in the enemy's hand
SHARED: Final = 47  # facts about specials that do not depend on the choice
SPECIAL_FACTS: Final = 103  # all facts about specials

WIDTHS: Final = {
    "lines": [LINE_FACTS, 64, 32],
    "specials": [SPECIAL_FACTS, 128, 64],
}  # layers of the networks
SHIFT: Final = 9  # fixed point: 1 is stored as 1 << SHIFT


class Network:
    """A network with two hidden layers of rectified linear units and one output.

    `widths` are the numbers of facts and of units in the first and second hidden layer. `numbers` are the
    weights; each row of them is packed into one integer.
    """

    def __init__(self, widths: list[int], numbers: list[int]) -> None:
        facts, self.first, self.second = widths
        self.numbers = numbers
        self.facts = [pack(self.take(self.first)) for _ in range(facts)]
        self.bias = pack(self.take(self.first)) + pack([HALF] * self.first)
        self.rows = [pack(self.take(self.second)) for _ in range(self.first)]
        self.second_bias = (pack(self.take(self.second)) << SHIFT) + pack([HALF] * self.second)
        self.last = self.take(self.second)
        self.first_lanes = struct.Struct(f"<{self.first}I")
        self.second_lanes = struct.Struct(f"<{self.second}I")

    def __repr__(self) -> str:
        return f"<Network of {len(self.facts)} facts>"

    def take(self, count: int) -> list[int]:
        """Remove and return the first `count` numbers."""
        numbers, self.numbers = self.numbers[:count], self.numbers[count:]
        return numbers

    def worth_of_line(self, line: list[int], hand: list[int], is_first: bool) -> int:
        """Return the value of a line, given the hand that stays."""
        row = self.bias
        for fact in facts_of_line(line, hand, is_first):
            row += self.facts[fact]
        return self.worth(row)

    def worths_of_specials(self, view: FieldView) -> list[int]:
        """Return the value of each option of a side that is asked for a special."""
        shared = self.bias + self.sum_of(common_facts(view), 0)
        after = [facts_after(view, choice) for choice in view.options]
        return [self.worth(shared + self.sum_of(facts, SHARED)) for facts in after]

    def sum_of(self, facts: list[int], first: int) -> Row:
        """Return the weighted sum of the rows from index `first`; `facts` are the weights."""
        row = 0
        for at, fact in enumerate(facts):
            if fact == 1:
                row += self.facts[first + at]
            elif fact:
                row += fact * self.facts[first + at]
        return row

    def worth(self, row: Row) -> int:
        """Return the output for the packed sums of the first hidden layer."""
        second = self.second_bias
        for at, number in enumerate(self.first_lanes.unpack(spread(row, self.first))):
            if number > HALF:
                second += (number - HALF) * self.rows[at]
        worth = 0
        for at, number in enumerate(self.second_lanes.unpack(spread(second, self.second))):
            if number > HALF:
                worth += (number - HALF) * self.last[at]
        return worth


LEARNED: Final[dict[str, Network]] = {}  # cache: networks are read on first use


def load_learned(name: str) -> Network:
    """Return the network for "lines" or "specials"."""
    if name not in LEARNED:
        content = unshrunk(get_data("cardbattle.rules.field_of_honour", f"{name}.bin") or b"")
        LEARNED[name] = Network(WIDTHS[name], list(struct.unpack(f"<{len(content) // 2}h", content)))
    return LEARNED[name]


def of_lines() -> Network:
    return load_learned("lines")


def of_specials() -> Network:
    return load_learned("specials")


def facts_of_line(line: list[int], hand: list[int], is_first: bool) -> list[int]:
    """Return the indices of the facts that hold for a line; some occur several times."""
    facts = [IN_HAND] * len(hand)
    if is_first:
        facts.append(IS_FIRST)
    for space, choice in enumerate(line):
        card, second = choice % HIGH, choice // HIGH
        worth = VALUES[card] + VALUES[second] if second else min(VALUES[card], WORTHS)
        facts.append(space * WORTHS + worth - 1)
        if second:
            facts.append(PAIRS + space)
        elif card >= FIRST_SPECIAL:
            facts.append(LAID + KINDS.index(rank_of(card)))
    for card in hand:
        if card >= FIRST_SPECIAL:
            facts.append(KEPT + KINDS.index(rank_of(card)))
    return facts


def common_facts(view: FieldView) -> list[int]:
    """Return the facts that do not depend on the chosen special."""
    ahead = lead_of(view)
    seen = view.hand + view.discards
    for contents in (view.line, view.attached, view.enemy_line, view.enemy_attached):
        for cards in contents:
            seen = seen + cards
    held = kinds_of(seen)
    unseen = [4 - held[0], 4 - held[1], 4 - held[2], 4 - held[3], 2 - held[4]]
    laid = 0
    worths = [0] * SPACES
    pairs = [0] * (SPACES - 1)
    for space in range(SPACES):
        cards = view.enemy_line[space]
        if len(cards) == 1 and cards[0] >= FIRST_SPECIAL:
            laid += 1
        worths[space] = sum([VALUES[card] for card in cards])
        if space >= view.space:
            pairs[space - 1] = view.sizes[space] - 1
    hidden = 54 - len(seen)
    return [
        *one_of(ahead + SPACES - 1, 2 * SPACES - 1),
        *one_of(view.space - 1, SPACES),
        *one_of(view.question - OPEN, 3),
        1 if view.first == view.side else 0,
        *unseen,
        hidden,
        view.stack,
        len(view.hand),
        laid,
        sum(worths),
        *pairs,
        *worths[: SPACES - 1],
        len([card for card in seen if rank_of(card) == MOST_OF_TWO]),
        len([card for card in seen if rank_of(card) == MOST_OF_TWO - 1]),
        *specials_passed_up(view),
        len([card for card in seen if rank_of(card) == MOST_OF_TWO - 2]),
        *[EIGHTHS * count * view.enemy_hand // max(hidden, 1) for count in unseen],
    ]


def specials_passed_up(view: FieldView) -> list[int]:
    """For Queen, Jack and King, return 1 if the enemy passed where it would have gained the space."""
    passed_up = [0, 0, 0]
    for space in range(view.space):
        value, enemy_value = view.values[space], view.enemy_values[space]
        if space == view.space - 1 and (view.question != OPEN or view.first == view.side):
            break
        if enemy_value < value:
            passed_up[0] = 1
        if enemy_value <= value <= 2 * enemy_value:
            passed_up[1] = 1
        if enemy_value <= value <= enemy_value + 1:
            passed_up[2] = 1
    return passed_up


def facts_after(view: FieldView, choice: int) -> list[int]:
    """Return the facts that hold after a choice."""
    at = view.space - 1
    my_value, enemy_value, enemy_hand = view.values[at], view.enemy_values[at], view.enemy_hand
    later_values = view.values[view.space :]
    hand = kinds_of(view.hand)
    spent = [0] * len(KINDS)
    power = choice // HIGH
    if choice:
        spent = kinds_of([choice % HIGH])
        hand = [a - b for a, b in zip(hand, spent, strict=True)]
    if power == SWAP:
        my_value, enemy_value = enemy_value, my_value
    elif power == DOUBLE:
        my_value *= 2
    elif power == RALLY:
        my_value += 1
    elif power == DISCARD:
        enemy_hand -= 1
    elif power == REDEPLOY:
        my_value, later_values[0] = later_values[0], my_value
    ahead = 1 if my_value > enemy_value else -1 if my_value < enemy_value else 0
    goes_on = 0 if not choice and closes(view) else 1
    result = one_of(ahead + 1, 3)
    next_shown, next_value, next_ahead = 0, 0, 0
    if later_values and view.enemy_shown[at + 1]:
        next_shown, next_value = 1, view.enemy_values[at + 1]
        next_ahead = 1 if later_values[0] > next_value else -1 if later_values[0] < next_value else 0
    return [
        *one_of(power, POWERS_AND_PASS),
        *spent,
        *result,
        *[goes_on * each for each in result],
        goes_on,
        *one_of(lead_of(view) + ahead + SPACES, 2 * SPACES + 1),
        min(my_value, MOST),
        min(enemy_value, MOST),
        max(-FAR, min(my_value - enemy_value, FAR)),
        1 if abs(my_value - enemy_value) <= 1 else 0,
        1 if 2 * my_value > enemy_value else 0,
        1 if 2 * enemy_value > my_value else 0,
        *hand,
        enemy_hand,
        1 if enemy_hand == 0 else 0,
        1 if enemy_hand == 1 else 0,
        1 if enemy_hand >= 3 else 0,
        *[min(value, MOST) for value in later_values],
        *([0] * (SPACES - 1 - len(later_values))),
        next_shown,
        next_value,
        next_ahead,
        *[lead(value) // 10 for value in later_values],
        *([0] * (SPACES - 1 - len(later_values))),
    ]


def lead_of(view: FieldView) -> int:
    """Return how many more spaces a side holds than its enemy."""
    return view.holders.count(view.side) - view.holders.count(1 - view.side)


def kinds_of(cards: list[int]) -> list[int]:
    """Return the number of Kings, Aces, Jacks, Queens and Jokers among the cards."""
    counts = [0] * len(KINDS)
    for card in cards:
        if card >= FIRST_SPECIAL:
            counts[KINDS.index(rank_of(card))] += 1
    return counts


def one_of(place: int, count: int) -> list[int]:
    """Return a list of `count` zeros with a one at index `place`."""
    row = [0] * count
    row[place] = 1
    return row
