"""Fight one battle many times, and count the results.

All sums are exact, so that they do not depend on the order of the battles.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final, TypeVar

from mypy_extensions import i64

from cardbattle.battles.records.battle_file import BattlePlan
from cardbattle.battles.resolve import fought, streams_from
from cardbattle.commanders.ranks import is_engine
from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import KEY, Drawn, child_seed, start_stream, words

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet

WHOLE = 2520  # points in one battle, divisible by every number of sides up to ten
MOST_EXAMPLES = 50_000  # maximum number of different combinations of scores in `Count.firsts`


class Count:
    """The numbers of battles with each result.

    Attributes:
        won, shared: for each seat, the number of battles that the side won alone, and the number of battles
            that it won together with others.
        points: for each seat, the sum of the side's points. A win is 2520 points. After a shared win or a
            draw, the sides that share it divide 2520 points equally.
        scores, losses: for each seat, the number of battles with each score, and the number of battles with
            each share of losses.
        firsts: for each combination of scores, the index of the first battle that ended with these scores.

    """

    def __init__(self, sides: int) -> None:
        self.battles = 0
        self.drawn = 0
        self.won = [0] * sides
        self.shared = [0] * sides
        self.points = [0] * sides
        self.scores: list[dict[int, int]] = [{} for _ in range(sides)]
        self.losses: list[dict[tuple[int, int], int]] = [{} for _ in range(sides)]
        self.firsts: dict[tuple[int, ...], int] = {}

    def __repr__(self) -> str:
        return f"<Count of {self.battles} battles: won {self.won}, drawn {self.drawn}>"

    def add(self, number: int, winners: list[int], scores: list[int], losses: list[tuple[int, int]]) -> None:
        """Count the result of the battle with this number."""
        self.battles += 1
        if len(winners) == 1:
            self.won[winners[0]] += 1
        elif winners:
            for seat in winners:
                self.shared[seat] += 1
        else:
            self.drawn += 1
        for seat in winners or range(len(scores)):
            self.points[seat] += WHOLE // (len(winners) or len(scores))
        for seat, score in enumerate(scores):
            self.scores[seat][score] = self.scores[seat].get(score, 0) + 1
            lost = losses[seat]
            self.losses[seat][lost] = self.losses[seat].get(lost, 0) + 1
        if len(self.firsts) < MOST_EXAMPLES:
            self.firsts.setdefault(tuple(scores), number)

    def merge(self, other: Count) -> None:
        """Add the counts of `other`, whose battles come after those of this object."""
        self.battles += other.battles
        self.drawn += other.drawn
        for seat in range(len(self.won)):
            self.won[seat] += other.won[seat]
            self.shared[seat] += other.shared[seat]
            self.points[seat] += other.points[seat]
            add_counts(self.scores[seat], other.scores[seat])
            add_counts(self.losses[seat], other.losses[seat])
        for scores, number in other.firsts.items():
            if len(self.firsts) == MOST_EXAMPLES:
                break
            self.firsts.setdefault(scores, number)

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments from which `pickle` rebuilds the object. Compiled classes need this method."""
        tallies = (self.won, self.shared, self.points, self.scores, self.losses, self.firsts)
        return new_count, (self.battles, self.drawn, tallies)


Tallies = tuple[
    list[int],
    list[int],
    list[int],
    list[dict[int, int]],
    list[dict[tuple[int, int], int]],
    dict[tuple[int, ...], int],
]


def new_count(battles: int, drawn: int, tallies: Tallies) -> Count:
    """Return a Count with the given fields. `tallies` has the fields from `won` to `firsts`, in order."""
    count = Count(len(tallies[0]))
    count.battles = battles
    count.drawn = drawn
    count.won, count.shared, count.points, count.scores, count.losses, count.firsts = tallies
    return count


V = TypeVar("V")


def add_counts(into: dict[V, int], counts: dict[V, int]) -> None:
    for value, often in counts.items():
        into[value] = into.get(value, 0) + often


def count(plan: BattlePlan, path: str, first: int, beyond: int) -> Count:
    """Fight the battles `first` to `beyond` - 1 of the plan, and count their results.

    The seed of battle i is derived from the path `path`/i, so that all processes fight the same battle i.
    """
    counted = Count(len(plan.sides))
    seats = range(len(plan.sides))
    for number in range(first, beyond):
        battle = fight_one(plan, path, number)
        outcome = battle.outcome()
        counted.add(number, outcome.winners, [battle.score(seat) for seat in seats], outcome.losses)
    return counted


def fight_one(plan: BattlePlan, path: str, number: int, deadline: float = inf) -> Battle:
    """Fight one battle of a plan.

    `deadline` is a time of the monotonic clock in seconds. Raises TimeUp if the battle is not over at this
    time.
    """
    assert plan.seed is not None
    streams = streams_from(child_seed(plan.seed, f"{path}/{number}"), plan.setup.seats)
    has_engine = any(is_engine(side.acting) for side in plan.sides)  # engines receive the events
    return fought(plan, streams, listen=has_engine, deadline=deadline).battle


Ending = tuple[int, tuple[int, int], tuple[int, int]]
"""The result of a battle of two sides: the winning seat, or NOBODY, and the losses of each side."""


def count_endings(plan: BattlePlan, path: str, first: int, beyond: int) -> dict[Ending, int]:
    """Fight battles of two sides, and count their endings. A shared win counts as a draw."""
    endings: dict[Ending, int] = {}
    for number in range(first, beyond):
        outcome = fight_one(plan, path, number).outcome()
        winner = outcome.winners[0] if len(outcome.winners) == 1 else NOBODY
        ending = (winner, outcome.losses[0], outcome.losses[1])
        endings[ending] = endings.get(ending, 0) + 1
    return endings


SPREAD: Final[i64] = 0x9E3779B9  # an odd constant, so that its multiples differ in all 32 bits (golden ratio)
BITS_32: Final[i64] = 0xFFFFFFFF


def points_from(
    battle: Battle, rules: RuleSet, viewer: int | None, path: str, choices: int, first: int, beyond: int
) -> tuple[list[list[int]], int]:
    """Finish a battle several times with regular commanders.

    Returns the points of each seat in each run, as multiples of 1/2520 of a win, and the number of choices
    that the commanders made in all runs. This number measures the work without a clock.

    The runs have the numbers `first` to `beyond` - 1. In each run, the cards that `viewer` cannot know are
    dealt again. If `viewer` is None, only cards that are missing from the record are dealt.

    Each choice has its own random stream, which depends on the path, the number of the run and the number of
    earlier choices in the battle. `choices` is the number of choices before the position. Therefore runs from
    two positions of a battle use the same random numbers as long as they make the same choices (common random
    numbers).
    """
    points: list[list[int]] = []
    all_choices: i64 = 0
    for number in range(first, beyond):
        a, b, c = KEY.unpack(words(path, str(number)))
        chance = start_stream(a, b, c)
        again = battle.complete_copy(chance) if viewer is None else battle.redeal(viewer, chance)
        again.random_source = Drawn(chance)
        if again.side == NOBODY:
            again.run()
        choices_made: i64 = choices
        lane: i64 = a
        while again.side != NOBODY:
            chance = start_stream((lane + SPREAD * choices_made) & BITS_32, b, c)
            again.random_source = Drawn(chance)
            again.choose(rules.regular(again.fast_view(again.side), chance))
            choices_made += 1
        all_choices += choices_made - choices
        winners = again.outcome().winners or list(range(again.sides))
        share = WHOLE // len(winners)
        points.append([share if seat in winners else 0 for seat in range(again.sides)])
    return points, all_choices
