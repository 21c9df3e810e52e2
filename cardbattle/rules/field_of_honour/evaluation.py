"""What lines and specials of Field of Honour are worth, learned from battles against seasoned commanders.

Small networks of whole numbers look at facts that a side may know: of a line, where which content lies and
what stays in hand; of a special, how the space stands once it is played, what was won before, what both have
left. They say which choice is worth more than others, in no unit. The numbers stand in `lines.bin` and
`specials.bin`; they are packed into rows.
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

KINDS: Final = [KING, ACE, JACK, QUEEN, JOKERS[0] // 4]  # of specials, by rank
WORTHS: Final = MOST_OF_TWO + 1  # of a content in line: 1 to 10, and a Joker's

PAIRS: Final = SPACES * WORTHS  # the first fact of a line about pairs; before them where which content lies
LAID: Final = PAIRS + SPACES  # about specials in line
KEPT: Final = LAID + len(KINDS)  # and in hand
IN_HAND: Final = KEPT + len(KINDS)
IS_FIRST: Final = IN_HAND + 1
LINE_FACTS: Final = IS_FIRST + 1

MOST: Final = 40  # that a value counts as
FAR: Final = 20  # what a difference of values counts as at most
POWERS_AND_PASS: Final = 7
EIGHTHS: Final = 8  # of a card in hand, that may be expected there
SHARED: Final = 47  # facts of specials that hold whatever is chosen
SPECIAL_FACTS: Final = 103  # with those of a choice

WIDTHS: Final = {"lines": [LINE_FACTS, 64, 32], "specials": [SPECIAL_FACTS, 128, 64]}  # of the networks
SHIFT: Final = 9  # a one is 1 << SHIFT


class Network:
    """What was learned: a row for each fact, one for each number made of them, and what those come to.

    `widths` are how many facts there are, numbers made of them, and numbers made of those.
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
        """Take so many of the numbers."""
        taken, self.numbers = self.numbers[:count], self.numbers[count:]
        return taken

    def worth_of_line(self, line: list[int], kept: list[int], is_first: bool) -> int:
        """Return what a line is worth beside others of the same cards, with those that are kept in hand."""
        row = self.bias
        for fact in facts_of_line(line, kept, is_first):
            row += self.facts[fact]
        return self.worth(row)

    def worths_of_specials(self, view: FieldView) -> list[int]:
        """Return what each option of a side that is asked for a special is worth beside the others."""
        shared = self.bias + self.sum_of(common_facts(view), 0)
        after = [facts_after(view, choice) for choice in view.options]
        return [self.worth(shared + self.sum_of(facts, SHARED)) for facts in after]

    def sum_of(self, facts: list[int], first: int) -> Row:
        """Return the sum of the rows of these facts, each as often as it holds."""
        row = 0
        for at, fact in enumerate(facts):
            if fact == 1:
                row += self.facts[first + at]
            elif fact:
                row += fact * self.facts[first + at]
        return row

    def worth(self, row: Row) -> int:
        """Return what the numbers made of the facts come to."""
        second = self.second_bias
        for at, number in enumerate(self.first_lanes.unpack(spread(row, self.first))):
            if number > HALF:
                second += (number - HALF) * self.rows[at]
        worth = 0
        for at, number in enumerate(self.second_lanes.unpack(spread(second, self.second))):
            if number > HALF:
                worth += (number - HALF) * self.last[at]
        return worth


LEARNED: Final[dict[str, Network]] = {}  # read once they are needed


def load_learned(name: str) -> Network:
    """Return what was learned of lines, or of specials."""
    if name not in LEARNED:
        content = unshrunk(get_data("cardbattle.rules.field_of_honour", f"{name}.bin") or b"")
        LEARNED[name] = Network(WIDTHS[name], list(struct.unpack(f"<{len(content) // 2}h", content)))
    return LEARNED[name]


def of_lines() -> Network:
    """Return what was learned of lines."""
    return load_learned("lines")


def of_specials() -> Network:
    """Return what was learned of specials."""
    return load_learned("specials")


def facts_of_line(line: list[int], kept: list[int], is_first: bool) -> list[int]:
    """Return the facts that hold of a line, some of them several times, by number."""
    found = [IN_HAND] * len(kept)
    if is_first:
        found.append(IS_FIRST)
    for space, choice in enumerate(line):
        card, other = choice % HIGH, choice // HIGH
        worth = VALUES[card] + VALUES[other] if other else min(VALUES[card], WORTHS)
        found.append(space * WORTHS + worth - 1)
        if other:
            found.append(PAIRS + space)
        elif card >= FIRST_SPECIAL:
            found.append(LAID + KINDS.index(rank_of(card)))
    for card in kept:
        if card >= FIRST_SPECIAL:
            found.append(KEPT + KINDS.index(rank_of(card)))
    return found


def common_facts(view: FieldView) -> list[int]:
    """Return what is the case whatever special is chosen."""
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
    """Say of a Queen, a Jack and a King whether the enemy let a space be that it would have turned."""
    found = [0, 0, 0]
    for space in range(view.space):
        own, other = view.values[space], view.enemy_values[space]
        if space == view.space - 1 and (view.question != OPEN or view.first == view.side):
            break
        if other < own:
            found[0] = 1
        if other <= own <= 2 * other:
            found[1] = 1
        if other <= own <= other + 1:
            found[2] = 1
    return found


def facts_after(view: FieldView, choice: int) -> list[int]:
    """Return what is the case after a choice."""
    at = view.space - 1
    own, other, enemy_hand = view.values[at], view.enemy_values[at], view.enemy_hand
    rest = view.values[view.space :]
    hand = kinds_of(view.hand)
    spent = [0] * len(KINDS)
    power = choice // HIGH
    if choice:
        spent = kinds_of([choice % HIGH])
        hand = [a - b for a, b in zip(hand, spent, strict=True)]
    if power == SWAP:
        own, other = other, own
    elif power == DOUBLE:
        own *= 2
    elif power == RALLY:
        own += 1
    elif power == DISCARD:
        enemy_hand -= 1
    elif power == REDEPLOY:
        own, rest[0] = rest[0], own
    ahead = 1 if own > other else -1 if own < other else 0
    goes_on = 0 if not choice and closes(view) else 1
    result = one_of(ahead + 1, 3)
    next_shown, next_value, next_ahead = 0, 0, 0
    if rest and view.enemy_shown[at + 1]:
        next_shown, next_value = 1, view.enemy_values[at + 1]
        next_ahead = 1 if rest[0] > next_value else -1 if rest[0] < next_value else 0
    return [
        *one_of(power, POWERS_AND_PASS),
        *spent,
        *result,
        *[goes_on * each for each in result],
        goes_on,
        *one_of(lead_of(view) + ahead + SPACES, 2 * SPACES + 1),
        min(own, MOST),
        min(other, MOST),
        max(-FAR, min(own - other, FAR)),
        1 if abs(own - other) <= 1 else 0,
        1 if 2 * own > other else 0,
        1 if 2 * other > own else 0,
        *hand,
        enemy_hand,
        1 if enemy_hand == 0 else 0,
        1 if enemy_hand == 1 else 0,
        1 if enemy_hand >= 3 else 0,
        *[min(value, MOST) for value in rest],
        *([0] * (SPACES - 1 - len(rest))),
        next_shown,
        next_value,
        next_ahead,
        *[lead(value) // 10 for value in rest],
        *([0] * (SPACES - 1 - len(rest))),
    ]


def lead_of(view: FieldView) -> int:
    """Return how many spaces a side holds more than the other."""
    return view.holders.count(view.side) - view.holders.count(1 - view.side)


def kinds_of(cards: list[int]) -> list[int]:
    """Return how many of the cards are Kings, Aces, Jacks, Queens and Jokers."""
    found = [0] * len(KINDS)
    for card in cards:
        if card >= FIRST_SPECIAL:
            found[KINDS.index(rank_of(card))] += 1
    return found


def one_of(place: int, count: int) -> list[int]:
    """Return a one at this place among so many zeros."""
    found = [0] * count
    found[place] = 1
    return found
