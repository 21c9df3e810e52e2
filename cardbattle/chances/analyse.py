"""A fought battle looked at move by move: the chance to win, what turned it, luck and skill.

From a position the battle is fought on many times by regular commanders. What a side could know
of its chance counts battles in which all that is hidden from it is dealt again; the all-seeing
chance takes the cards as they truly lie. Of the other choices that were open, however many, the
most promising is found out first; then the one that was made is held against it, in the same dealt
battles with the same luck.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from cardbattle.chances.odds import Interval, wilson_bounds
from cardbattle.chances.workers import in_order
from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.errors import IllegalMove, Refused
from cardbattle.core.ruleset import RuleSet
from cardbattle.fighting.records import Record, Refight, read_record

PATH = "analyse"
BATTLES = 100  # fought on from each position, for each side
MOST_POSITIONS = 40  # looked at in one battle
RIVAL_TRIES = 6  # tries, for each of those battles, to find the best of the other options
MARGIN = 0.1  # what a choice must give away to be a blunder
DOUBT = 3.0  # standard errors beyond which a difference is believed


class Verdict(NamedTuple):
    """What became of a choice: the chance of each side before it and after it, as its side knew.

    `best` is the best of all options as far as that was found out, `given_up` how much better that
    was for the side that chose, `doubt` the standard error of it.
    """

    before: list[float]
    after: list[float]
    best: str
    given_up: float
    doubt: float


class Position(NamedTuple):
    """A moment of a battle: the moves made so far, whose turn it is, what he then did.

    `is_secret` says that he chose face down. `chances` are by seat; after the last move they are
    certain and there is no verdict.
    """

    made: int
    side: int
    move: str
    is_secret: bool
    chances: list[Interval]
    verdict: Verdict | None


class Turn(NamedTuple):
    """A side's chance before and after the moves from one position looked at to the next."""

    first: int  # moves, counted from 1
    last: int
    seat: int
    before: float
    after: float
    move: str
    is_secret: bool


class Analysis(NamedTuple):
    """A battle's positions in order; `all_seeing` says whose knowledge the chances rest on."""

    record: Record
    positions: list[Position]
    battles: int
    all_seeing: bool
    decisions: int  # in the whole battle; more than the positions if it was sampled

    def turns(self, most: int = 3) -> list[Turn]:
        """Return the greatest changes in which the intervals do not even touch, greatest first."""
        found = []
        for here, there in zip(self.positions, self.positions[1:], strict=False):
            swings = [
                there.chances[seat].share - here.chances[seat].share for seat in range(len(here.chances))
            ]
            seat = max(range(len(swings)), key=lambda each: (abs(swings[each]), swings[each]))
            one, other = here.chances[seat], there.chances[seat]
            if one.high < other.low or other.high < one.low:
                swing = (one.share, other.share)
                found.append(Turn(here.made + 1, there.made, seat, *swing, here.move, here.is_secret))
        found.sort(key=lambda turn: -abs(turn.after - turn.before))
        return found[:most]

    @property
    def doubt(self) -> float:
        """Half the widest interval of a chance, 95 %."""
        return max(chance.width for position in self.positions for chance in position.chances) / 2

    def blunders(self, margin: float = MARGIN) -> list[Position]:
        """Return the choices that gave away at least the margin beyond doubt, the worst first."""
        found = []
        for position in self.positions:
            verdict = position.verdict
            if verdict and verdict.given_up >= margin and verdict.given_up > DOUBT * verdict.doubt:
                found.append((-verdict.given_up, position.made, position))
        return [position for _, _, position in sorted(found)]

    def choices(self, seat: int, by: int) -> float:
        """Return by how much the choices of one side that were looked at changed a seat's chance."""
        return sum(
            position.verdict.after[seat] - position.verdict.before[seat]
            for position in self.positions
            if position.verdict and position.side == by
        )

    def luck(self, seat: int) -> float:
        """Return how much of a seat's way from its first chance to the result no choice explains."""
        swing = self.positions[-1].chances[seat].share - self.positions[0].chances[seat].share
        return swing - sum(self.choices(seat, by) for by in range(len(self.record.sides)))


class Job(NamedTuple):
    """One position of a record, as sent to a worker."""

    table: str  # the record as JSON
    base: str
    at: int  # which decision of the battle
    battles: int
    all_seeing: bool


class Moment(NamedTuple):
    """A battle before one of its decisions, and the move that followed."""

    made: int
    battle: Battle
    chosen: int  # index of the option; -1 if it was none of them, or the battle is over
    move: str
    texts: list[str]


@lru_cache(maxsize=2)
def moments_in(table: str, base: str) -> tuple[Record, list[Moment]]:
    """Return a record and every moment of it; a worker fights it again once."""
    record = read_record(json.loads(table), base)
    return record, list(moments(record))


def moments(record: Record) -> Iterator[Moment]:
    """Yield the battle before each decision, and at its end."""
    again = Refight(record)
    battle, made = again.referee.battle.copy(), again.made
    texts = again.referee.texts() if battle.side != NOBODY else []
    for _ in again.steps():
        decided = next(number for number in range(made, again.made) if not is_fate(record.moves[number]))
        move = record.moves[decided]
        words = move.partition(" ")[2]
        yield Moment(made, battle, texts.index(words) if words in texts else -1, move, texts)
        battle, made = again.referee.battle.copy(), again.made
        texts = again.referee.texts() if battle.side != NOBODY else []
    yield Moment(made, battle, -1, "", [])


def is_fate(move: str) -> bool:
    """Say whether a move is chance's."""
    return move.startswith("fate ")


def analyse(
    record: Record,
    executor: Executor,
    workers: int = 1,
    battles: int = BATTLES,
    all_seeing: bool = False,
    most: int = MOST_POSITIONS,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Analysis:
    """Look at a battle after each move, or at evenly spread ones if it is long.

    `tell` is called with how many positions are done, out of how many.
    """
    table = json.dumps(record.table)
    _, found = moments_in(table, record.setup.base)
    wanted = spread_out(len(found), most)
    jobs = [Job(table, record.setup.base, at, battles, all_seeing) for at in wanted]
    positions = []
    for position in in_order(executor, work, jobs, workers):
        positions.append(position)
        tell(len(positions), len(jobs))
    return Analysis(record, positions, battles, all_seeing, len(found) - 1)


def spread_out(count: int, most: int) -> list[int]:
    """Return at most so many of the numbers below `count`, the first and the last among them.

    >>> spread_out(5, 10), spread_out(101, 5)
    ([0, 1, 2, 3, 4], [0, 25, 50, 75, 100])
    """
    if count <= most:
        return list(range(count))
    return [place * (count - 1) // (most - 1) for place in range(most)]


def work(job: Job) -> Position:
    """Look at one position."""
    record, found = moments_in(job.table, job.base)
    moment = found[job.at]
    try:
        return looked_at(record, moment, job.battles, job.all_seeing)
    except IllegalMove:
        raise Refused(
            f"after move {moment.made} the battle cannot be fought on: "
            "it needs cards that nobody wrote down; analyse needs the complete [deal]"
        ) from None


def looked_at(record: Record, moment: Moment, battles: int, all_seeing: bool) -> Position:
    """Return the chances in one position and what the choice made there was worth."""
    battle, rules = moment.battle, record.rules
    sides = range(battle.sides)
    if battle.side == NOBODY:
        certain = [points(battle, seat) for seat in sides]
        chances = [Interval(round(share), share, share, share) for share in certain]
        return Position(moment.made, NOBODY, "", False, chances, None)
    chances = []
    for viewer in sides:
        knower = NOBODY if all_seeing else viewer
        path = f"{PATH}/{moment.made}/{'all' if all_seeing else viewer}"
        total = 0.0
        for number in range(battles):
            chance = stream(seed_of(record), f"{path}/{number}")
            total += points(fought_on(dealt(battle, knower, chance), rules, chance), viewer)
        chances.append(around(total, battles))
    judged = verdict(record, moment, battles, all_seeing) if moment.chosen >= 0 else None
    is_secret = battle.question in rules.sealed
    return Position(moment.made, battle.side, moment.move, is_secret, chances, judged)


def seed_of(record: Record) -> int | str:
    """Return the seed of the counting: the record's, or its id if it has none."""
    return record.id if record.seed is None else record.seed


def dealt(battle: Battle, viewer: int, chance: Chance) -> Battle:
    """Return the battle with what the viewer cannot know dealt again; nobody: as it truly lies."""
    new = battle.copy() if viewer == NOBODY else battle.redeal(viewer, chance)
    new.fate = Drawn(chance)
    return new


def fought_on(battle: Battle, rules: RuleSet, chance: Chance) -> Battle:
    """Fight a battle to its end with regular commanders on all sides; return it."""
    while battle.side != NOBODY:
        battle.choose(rules.regular(battle.glance(battle.side), chance))
    return battle


def points(battle: Battle, seat: int) -> float:
    """Return what a seat got of a battle that is over: 1, 0, or a fair part of 1."""
    winners = battle.outcome().winners or list(range(battle.sides))
    return 1 / len(winners) if seat in winners else 0.0


def around(total: float, battles: int) -> Interval:
    """Return a mean of points with its interval; a shared battle counts as a part of a won one."""
    share = total / battles
    return Interval(round(total), share, *wilson_bounds(share, battles))


def verdict(record: Record, moment: Moment, battles: int, all_seeing: bool) -> Verdict:
    """Hold a choice against the best other, and against what the regular commander would have done.

    All of them in the same dealt battles; not in those in which the best other was looked for, or
    its luck there would be taken for merit.
    """
    battle, rules = moment.battle, record.rules
    side, sides = battle.side, range(battle.sides)
    rival = best_rival(record, moment, battles, all_seeing)
    lost: list[float] = []
    before = [0.0 for _ in sides]
    after = [0.0 for _ in sides]
    for number in range(battles):
        chance = stream(seed_of(record), f"{PATH}/{moment.made}/choice/{number}")
        world = dealt(battle, NOBODY if all_seeing else side, chance)
        plain = fought_on(with_luck(world, luck := chance.copy()), rules, luck)
        chosen = tried(world, moment.chosen, rules, chance)
        for seat in sides:
            before[seat] += points(plain, seat) / battles
            after[seat] += points(chosen, seat) / battles
        lost.append(points(tried(world, rival, rules, chance), side) - points(chosen, side))
    mean = sum(lost) / battles
    doubt = sqrt(max(sum(each * each for each in lost) / battles - mean * mean, 1 / battles) / battles)
    best = rival if mean > 0 else moment.chosen
    return Verdict(before, after, moment.texts[best], max(mean, 0.0), doubt)


def best_rival(record: Record, moment: Moment, battles: int, all_seeing: bool) -> int:
    """Return the most promising of the options that were not chosen; the chosen one if it was alone."""
    battle, path = moment.battle, f"{PATH}/{moment.made}/rivals"
    others = [index for index in range(len(battle.options)) if index != moment.chosen]
    stream(seed_of(record), path).shuffle(others)

    def trial(number: int, contenders: list[int]) -> list[float]:
        chance = stream(seed_of(record), f"{path}/{number}")
        world = dealt(battle, NOBODY if all_seeing else battle.side, chance)
        return [points(tried(world, each, record.rules, chance), battle.side) for each in contenders]

    return most_promising(others, RIVAL_TRIES * battles, battles, trial) if others else moment.chosen


def most_promising(
    contenders: list[int], tries: int, most: int, trial: Callable[[int, list[int]], list[float]]
) -> int:
    """Return the contender that does best, by sequential halving; of equals the first.

    All are tried a few times, the better half of them again, and so on until one is left: about
    `tries` in all, the same for each round, and at most `most` for each contender. `trial` returns
    what each contender got in the battle of a number.

    Source: Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in multi-armed bandits, 2013.
    """
    left, got, done = contenders, dict.fromkeys(contenders, 0.0), 0
    rounds = (len(contenders) - 1).bit_length()
    while len(left) > 1:
        more = min(max(1, tries // (rounds * len(left))), most - done)
        for number in range(done, done + more):
            for each, gain in zip(left, trial(number, left), strict=True):
                got[each] += gain
        done += more
        left = sorted(left, key=lambda each: -got[each])[: (len(left) + 1) // 2]
    return left[0]


def tried(world: Battle, index: int, rules: RuleSet, chance: Chance) -> Battle:
    """Return how a dealt battle ends if this option is chosen, with luck that is the same for all."""
    luck = chance.copy()
    battle = with_luck(world, luck)
    battle.choose(index)
    return fought_on(battle, rules, luck)


def with_luck(world: Battle, luck: Chance) -> Battle:
    """Return a copy of a dealt battle that draws from this luck."""
    new = world.copy()
    new.fate = Drawn(luck)
    return new
