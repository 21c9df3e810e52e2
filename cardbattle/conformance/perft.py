"""Count all continuations of a position at each depth (perft, as chess programs call it).

Two correct implementations of the same rules count the same numbers. If their numbers differ, the smallest
depth at which they differ is the number of decisions after which an error appears.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from cardbattle.conformance.case_file import Position
from cardbattle.conformance.play_case import CaseBattle, setup_of
from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import RandomSource


class Depth(NamedTuple):
    """The number of continuations of a position with a certain number of decisions.

    Attributes:
        lines: the number of different sequences of decisions and random results.
        ended: how many of the sequences end the battle.
        wins: for each seat, how many of the sequences the side wins alone.

    """

    lines: int
    ended: int
    wins: list[int]


class ScriptedSource(RandomSource):
    """A random source that reads the index of each result from a script.

    After the end of the script, every index is 0.

    `widths` has the number of possible results of each random event so far.
    """

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.widths: list[int] = []

    def pick(self, width: int) -> int:
        """Return the index of the next random result. `width` is the number of possible results."""
        at = len(self.widths)
        self.widths.append(width)
        return self.script[at] if at < len(self.script) else 0

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Return one card of the list. Equal cards count as one possible result."""
        different = list(dict.fromkeys(cards))
        return different[self.pick(len(different))]

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return `k` of the cards as the script chooses, in ascending order."""
        choices = sorted(set(combinations(sorted(cards), min(k, len(cards)))))
        return list(choices[self.pick(len(choices))])

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all cards in the order that the script chooses."""
        return self.top_of(kind, side, len(cards), cards)

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return `k` of the cards in the order that the script chooses."""
        left, order = cards.copy(), list[int]()
        while left and len(order) < k:
            order.append(self.one_of(kind, side, left))
            left.remove(order[-1])
        return order

    def next_script(self) -> list[int] | None:
        """Return the script of the next sequence of random results, or None after the last sequence."""
        script = [*self.script, *[0] * (len(self.widths) - len(self.script))]
        for at in range(len(script) - 1, -1, -1):
            if script[at] + 1 < self.widths[at]:
                return [*script[:at], script[at] + 1]
        return None


def continuations(battle: Battle) -> Iterator[Battle]:
    """Yield the battle after each option.

    If random events follow an option, yield the battle once for each sequence of their results.
    """
    for index in range(len(battle.options)):
        script: list[int] | None = []
        while script is not None:
            after = battle.copy()
            source = ScriptedSource(script)
            after.random_source = source
            after.choose(index)
            yield after
            script = source.next_script()


def battle_at(position: Position) -> Battle:
    """Return a position's battle. Raises InvalidInput, CaseFailed or IllegalMove if it has errors."""
    case = CaseBattle(position.case, setup_of(position.case))
    case.play()
    assert case.referee is not None
    return case.referee.battle.copy()


def perft(battle: Battle, depth: int) -> list[Depth]:
    """Count the continuations of a battle with 1, 2, 3 and more decisions, up to `depth` decisions."""
    lines, ended = [0] * depth, [0] * depth
    wins = [[0] * battle.sides for _ in range(depth)]

    def count(battle: Battle, decisions: int) -> None:
        for after in continuations(battle):
            lines[decisions] += 1
            if after.side == NOBODY:
                ended[decisions] += 1
                winners = after.outcome().winners
                if len(winners) == 1:
                    wins[decisions][winners[0]] += 1
            elif decisions + 1 < depth:
                count(after, decisions + 1)

    if depth and battle.side != NOBODY:
        count(battle, 0)
    return [Depth(*numbers) for numbers in zip(lines, ended, wins, strict=True)]


class Count(NamedTuple):
    """The counted continuations of a position, together with the published numbers."""

    position: Position
    depths: list[Depth]

    @property
    def agrees(self) -> bool:
        """True if the counts equal the published numbers at every depth that was counted and published."""
        published = zip(self.position.lines, self.position.ended, strict=True)
        pairs = zip(self.depths, published, strict=False)
        return all((depth.lines, depth.ended) == numbers for depth, numbers in pairs)


def count_position(position: Position, depth: int = 0) -> Count:
    """Count the continuations of a position to a depth. The default is the depth of its published numbers."""
    return Count(position, perft(battle_at(position), depth or len(position.lines)))
