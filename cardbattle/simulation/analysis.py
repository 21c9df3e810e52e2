"""Analyse a finished battle move by move: chances, turning points, blunders, luck and skill.

From each position, regular commanders finish the battle many times (Monte Carlo rollouts). By default, a
side's chance is what the side could know: its hidden cards are dealt again for each rollout
(determinization). With `all_seeing`, the actual cards are used.

The change from a side's first chance to the result is a sum of two parts:

- The effect of each choice, compared with a regular commander's choice in the same deals with the same random
  numbers.
- Luck, which is the remainder.

A blunder is a choice with a large negative effect. A missed chance is a better alternative that was not
played; its gain is reported separately and is not part of the sum.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import Executor
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import Refight
from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.core.referee import comparable
from cardbattle.core.ruleset import MILLION, RuleSet
from cardbattle.simulation.intervals import Interval, wilson_bounds
from cardbattle.simulation.turning_points import TurningPoint, spread_out
from cardbattle.simulation.workers import in_order

PATH = "analyse"
BATTLES = 100  # rollouts from each position, for each side
MOST_POSITIONS = 40  # maximum number of analysed positions in one battle
RIVAL_TRIES = 6  # tries per rollout in the search for the best alternative
MARGIN = 0.1  # minimum loss of a blunder, and minimum gain of a missed chance
DOUBT = 3.0  # minimum size of a significant difference, in standard errors


class Verdict(NamedTuple):
    """The effect of a choice, as its side could know it.

    Attributes:
        before: the chance of each seat if a regular commander chooses, 0 to 1.
        after: the chance of each seat after the actual choice, 0 to 1.
        doubts: the standard error of each change.
        best: the best option that the search found.
        missed: how much better `best` is than the actual choice, for the side that chose.
        missed_doubt: the standard error of `missed`.

    """

    before: list[float]
    after: list[float]
    doubts: list[float]
    best: str
    missed: float
    missed_doubt: float


class ExactLoss(NamedTuple):
    """The loss of a choice against best play, if known: the best option, and both values, 0 to 1."""

    best: str
    best_worth: float
    worth: float

    @property
    def lost(self) -> float:
        """The difference between the best value and the value of the choice."""
        return self.best_worth - self.worth


class Position(NamedTuple):
    """A position of a battle: the moves so far, the side to choose, and its move.

    `is_secret` is True for face-down choices. `chances` are by seat; after the last move they are certain,
    and `verdict` is None. `exact` is set where the rule set can search the whole position.
    """

    made: int
    side: int
    move: str
    is_secret: bool
    chances: list[Interval]
    verdict: Verdict | None
    exact: ExactLoss | None = None

    @property
    def gave_away(self) -> float:
        """The chance that the choice cost the side that made it, -1 to 1."""
        return self.verdict.before[self.side] - self.verdict.after[self.side] if self.verdict else 0.0

    def is_blunder(self, margin: float) -> bool:
        """Return True if the choice lost at least the margin, with statistical significance."""
        doubt = self.verdict.doubts[self.side] if self.verdict else 0.0
        return self.gave_away >= margin and self.gave_away > DOUBT * doubt

    def is_missed(self, margin: float) -> bool:
        """Return True if the choice is not a blunder, but an alternative is significantly better.

        The difference is at least the margin.
        """
        if self.verdict is None or self.is_blunder(margin):
            return False
        return self.verdict.missed >= margin and self.verdict.missed > DOUBT * self.verdict.missed_doubt


class Analysis(NamedTuple):
    """The analysed positions of a battle, in order; `all_seeing` is True if the actual cards were used.

    The turning points are those of `simulation.turning_points`, which the caller adds.
    """

    record: Record
    positions: list[Position]
    battles: int
    all_seeing: bool
    decisions: int  # in the whole battle; more than the positions if it was sampled
    turning_points: Sequence[TurningPoint] = ()

    def __repr__(self) -> str:
        looked = f"{len(self.positions)} positions, {self.battles} battles from each choice"
        return f"<Analysis of {self.record.id}: {looked}>"

    @property
    def doubt(self) -> float:
        """Half the widest interval of a chance, 95 %, from 0 to 1."""
        return max(chance.width for position in self.positions for chance in position.chances) / 2

    def blunders(self, margin: float = MARGIN) -> list[Position]:
        """Return the positions with a blunder of at least the margin; the worst first."""
        blunders = [position for position in self.positions if position.is_blunder(margin)]
        return sorted(blunders, key=lambda position: -position.gave_away)

    def missed_chances(self, margin: float = MARGIN) -> list[Position]:
        """Return the positions with a missed chance of at least the margin; the largest first."""
        chances = [position for position in self.positions if position.is_missed(margin)]
        return sorted(chances, key=lambda position: -position.verdict.missed if position.verdict else 0.0)

    @property
    def is_exact_anywhere(self) -> bool:
        """Return True if the loss against best play is known for any analysed choice."""
        return any(position.exact for position in self.positions)

    def lost_exactly(self, margin: float = MARGIN) -> list[Position]:
        """Return the choices that lost at least the margin against best play, the worst first."""
        positions = [
            position for position in self.positions if position.exact and position.exact.lost >= margin
        ]
        return sorted(positions, key=lambda position: -position.exact.lost if position.exact else 0.0)

    def choice(self, at: int, seat: int) -> float:
        """Return the change of a seat's chance due to the choice in a position."""
        verdict = self.positions[at].verdict
        return verdict.after[seat] - verdict.before[seat] if verdict else 0.0

    def luck_after(self, at: int, seat: int) -> float:
        """Return the change of a seat's chance between a position and the next that is due to luck."""
        if at + 1 == len(self.positions):
            return 0.0
        here, following = self.positions[at].chances[seat], self.positions[at + 1].chances[seat]
        return following.share - here.share - self.choice(at, seat)

    def choices(self, seat: int, by: Container[int]) -> float:
        """Return the change of a seat's chance due to all analysed choices of these sides."""
        return sum(self.choice(at, seat) for at in self.positions_of(by))

    def choices_doubt(self, seat: int, by: Container[int]) -> float:
        """Return the standard error of `choices`."""
        verdicts = [self.positions[at].verdict for at in self.positions_of(by)]
        return sqrt(sum(verdict.doubts[seat] ** 2 for verdict in verdicts if verdict))

    def positions_of(self, sides: Container[int]) -> list[int]:
        """Return the indices of the positions in which one of these sides chose."""
        return [at for at, position in enumerate(self.positions) if position.side in sides]

    def luck(self, seat: int) -> float:
        """Return the part of the change from a seat's first chance to the result that is due to luck."""
        swing = self.positions[-1].chances[seat].share - self.positions[0].chances[seat].share
        return swing - self.choices(seat, range(len(self.record.sides)))

    def luck_doubt(self, seat: int) -> float:
        """Return the standard error of `luck`."""
        first = self.positions[0].chances[seat].share
        choices = self.choices_doubt(seat, range(len(self.record.sides)))
        return sqrt(first * (1 - first) / self.battles + choices**2)


class AnalysisJob(NamedTuple):
    """One position of a record: the task of a worker."""

    table: str  # the record as JSON
    base: str
    at: int  # which decision of the battle
    battles: int
    all_seeing: bool


class Moment(NamedTuple):
    """A battle before one of its decisions, and the move that followed.

    `texts` are the options, then accepted choices that are not listed; `chosen` is the index of the move, -1
    at the end.
    """

    made: int
    battle: Battle
    chosen: int
    move: str
    texts: list[str]


@lru_cache(maxsize=2)
def moments_in(table: str, base: str) -> tuple[Record, list[Moment]]:
    """Return a record and all its moments; the cache saves each worker the replay.

    Raises ReplayMismatch at the first move that does not replay.
    """
    record = read_record(json.loads(table), base)
    return record, list(moments(record))


def moments(record: Record) -> Iterator[Moment]:
    """Yield the battle before each decision, and at its end."""
    again = Refight(record)
    moment = moment_of(again)
    for _ in again.steps():
        yield moment
        moment = moment_of(again)
    yield moment


def moment_of(again: Refight) -> Moment:
    """Return the current moment of a replay, with the record's next move."""
    referee, moves = again.referee, again.record.moves
    while referee.battle.side != NOBODY and again.is_left_out():
        referee.pass_over()
    battle, moves_made = referee.battle.copy(), again.made
    if battle.side == NOBODY or moves_made == len(moves):
        return Moment(moves_made, battle, -1, "", [])
    texts = [referee.text(index) for index in range(len(battle.options) + len(battle.unoffered))]
    choice = comparable(moves[moves_made].partition(" ")[2])
    matches = [index for index, text in enumerate(texts) if comparable(text) == choice]
    return Moment(moves_made, battle, matches[0] if matches else -1, moves[moves_made], texts)


class Depth(NamedTuple):
    """The depth of an analysis.

    Attributes:
        battles: rollouts from each position for each side, from 1.
        all_seeing: True to use the actual cards.
        positions: number of positions to examine, from 2.

    """

    battles: int = BATTLES
    all_seeing: bool = False
    positions: int = MOST_POSITIONS


def analyse_record(
    record: Record,
    executor: Executor,
    workers: int = 1,
    depth: Depth = Depth(),  # noqa: B008 - it is a value
    report_progress: Callable[[int, int], None] = lambda finished, of: None,
) -> Analysis:
    """Analyse a battle after each move, or at evenly spread positions if it is long.

    `workers` is their number, from 1; `report_progress` is called with the finished and total number of
    positions. Raises InvalidInput if a position cannot be continued, ReplayMismatch if the record does not
    replay, and SystemFailure if a worker died.
    """
    table = json.dumps(record.table)
    _, all_moments = moments_in(table, record.setup.base)
    wanted = spread_out(len(all_moments), depth.positions)
    jobs = [AnalysisJob(table, record.setup.base, at, depth.battles, depth.all_seeing) for at in wanted]
    positions = []
    for position in in_order(executor, run_analysis_job, jobs, workers):
        positions.append(position)
        report_progress(len(positions), len(jobs))
    return Analysis(record, positions, depth.battles, depth.all_seeing, len(all_moments) - 1)


def run_analysis_job(job: AnalysisJob) -> Position:
    """Analyse one position; raise InvalidInput if the battle cannot continue from it."""
    record, all_moments = moments_in(job.table, job.base)
    moment = all_moments[job.at]
    try:
        return evaluate_position(record, moment, job.battles, job.all_seeing)
    except IllegalMove:
        raise InvalidInput(
            f"after move {moment.made} the battle cannot be fought on: "
            "it needs unknown cards; analyse needs the complete [deal]"
        ) from None


def evaluate_position(record: Record, moment: Moment, battles: int, all_seeing: bool) -> Position:
    """Return the chances in one position, and the effect of the choice made there."""
    battle = moment.battle
    if battle.side == NOBODY:
        chances = [Interval(round(share), share, share, share) for share in gains(battle)]
        return Position(moment.made, NOBODY, "", False, chances, None)
    judged = judge_choice(record, moment, battles, all_seeing)
    chances = []
    for viewer in range(battle.sides):
        is_visible = all_seeing or viewer == battle.side
        share = judged.before[viewer] if is_visible else chance_of(record, moment, viewer, battles)
        chances.append(Interval(round(share * battles), share, *wilson_bounds(share, battles)))
    is_secret = battle.question in record.rules.sealed
    exact = exact_loss(record.rules, moment)
    return Position(moment.made, battle.side, moment.move, is_secret, chances, judged, exact)


def exact_loss(rules: RuleSet, moment: Moment) -> ExactLoss | None:
    """Return the loss of a choice against best play; None if unknown or if it was not a listed option."""
    worths = rules.option_values(moment.battle)
    if moment.chosen >= len(worths):
        return None
    best = max(worths)
    chosen = worths[moment.chosen]
    at = moment.chosen if chosen == best else worths.index(best)
    return ExactLoss(moment.texts[at], best / MILLION, chosen / MILLION)


def chance_of(record: Record, moment: Moment, viewer: int, battles: int) -> float:
    """Return a side's chance, as it could know it, while another side must choose."""
    total = 0.0
    for number in range(battles):
        chance = stream(seed_of(record), f"{PATH}/{moment.made}/{viewer}/{number}")
        battle = dealt(moment.battle, viewer, chance)
        total += points_of(play_out_regular(battle, record.rules, chance), viewer)
    return total / battles


def seed_of(record: Record) -> int | str:
    """Return the seed for the rollouts: the record's seed, or its id if it has none."""
    return record.id if record.seed is None else record.seed


def dealt(battle: Battle, viewer: int, chance: Chance) -> Battle:
    """Return the battle with the cards hidden from the viewer dealt again; unchanged for NOBODY."""
    new = battle.copy() if viewer == NOBODY else battle.redeal(viewer, chance)
    new.random_source = Drawn(chance)
    return new


def play_out_regular(battle: Battle, rules: RuleSet, chance: Chance) -> Battle:
    """Finish a battle with regular commanders on all sides, and return it."""
    while battle.side != NOBODY:
        battle.choose(rules.regular(battle.fast_view(battle.side), chance))
    return battle


def points_of(battle: Battle, seat: int) -> float:
    """Return a seat's points in a finished battle: 1 for a win; an equal part for a shared win or a draw."""
    winners = battle.outcome().winners or list(range(battle.sides))
    return 1 / len(winners) if seat in winners else 0.0


def gains(battle: Battle) -> list[float]:
    """Return the points of each seat in a finished battle."""
    return [points_of(battle, seat) for seat in range(battle.sides)]


class Try(NamedTuple):
    """One dealt battle with two endings.

    Attributes:
        usual: the option that a regular commander chooses there.
        before: each seat's points after that option.
        after: each seat's points after the actual choice.

    """

    usual: int
    before: list[float]
    after: list[float]


def judge_choice(record: Record, moment: Moment, battles: int, all_seeing: bool) -> Verdict:
    """Compare a choice with the regular commander's choice, and with the best alternative.

    All are played in the same deals. The search for the best alternative uses other deals, because an
    alternative that was lucky in the search would otherwise look better than it is.
    """
    side = moment.battle.side
    tries = [try_choice(record, moment, number, all_seeing) for number in range(battles)]
    before, after = means([attempt.before for attempt in tries]), means([attempt.after for attempt in tries])
    best = moment.chosen if after[side] == 1 else best_rival(record, moment, battles, all_seeing)
    lost = lost_to(record, moment, best, tries, all_seeing)
    missed = sum(lost) / battles
    if missed <= 0:
        best, missed = moment.chosen, 0.0
    doubts = changes_doubt(tries, moment.chosen)
    return Verdict(before, after, doubts, moment.texts[best], missed, standard_error(lost))


def try_choice(record: Record, moment: Moment, number: int, all_seeing: bool) -> Try:
    """Deal a battle, and finish it after the regular commander's choice and after the actual choice."""
    world, chance = world_of(record, moment, number, all_seeing)
    # A separate stream: the commander's choice must not use the random numbers of the rollout.
    lots = stream(seed_of(record), f"{PATH}/{moment.made}/choice/{number}/regular")
    usual = record.rules.regular(world.fast_view(world.side), lots)
    after = gains(play_option(world, moment.chosen, record.rules, chance))
    before = after if usual == moment.chosen else gains(play_option(world, usual, record.rules, chance))
    return Try(usual, before, after)


def world_of(record: Record, moment: Moment, number: int, all_seeing: bool) -> tuple[Battle, Chance]:
    """Return a battle that fits what the side to choose knows, and the random stream for the rollout."""
    chance = stream(seed_of(record), f"{PATH}/{moment.made}/choice/{number}")
    return dealt(moment.battle, NOBODY if all_seeing else moment.battle.side, chance), chance


def lost_to(record: Record, moment: Moment, best: int, tries: list[Try], all_seeing: bool) -> list[float]:
    """Return for each deal how much more an alternative scores for the side than its actual choice."""
    side = moment.battle.side
    lost = []
    for number, attempt in enumerate(tries):
        got = attempt.before if best == attempt.usual else attempt.after
        if best not in (attempt.usual, moment.chosen):
            world, chance = world_of(record, moment, number, all_seeing)
            got = gains(play_option(world, best, record.rules, chance))
        lost.append(got[side] - attempt.after[side])
    return lost


def means(rows: list[list[float]]) -> list[float]:
    """Return the mean of each column."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def changes_doubt(tries: list[Try], chosen: int) -> list[float]:
    """Return for each seat the standard error of the effect of a choice.

    It is 0 if regular commanders always make the same choice.
    """
    if all(attempt.usual == chosen for attempt in tries):
        return [0.0 for _ in tries[0].before]
    seats = range(len(tries[0].before))
    return [
        standard_error([attempt.after[seat] - attempt.before[seat] for attempt in tries]) for seat in seats
    ]


def standard_error(changes: list[float]) -> float:
    """Return the standard error of the mean, with a variance of at least 1 / count.

    The minimum avoids an error of 0 if all observed changes happen to be equal.
    """
    count = len(changes)
    mean = sum(changes) / count
    variance = sum(each * each for each in changes) / count - mean * mean
    return sqrt(max(variance, 1 / count) / count)


def best_rival(record: Record, moment: Moment, battles: int, all_seeing: bool) -> int:
    """Return the most promising alternative, or the chosen option if it was the only one."""
    battle, path = moment.battle, f"{PATH}/{moment.made}/rivals"
    alternatives = [index for index in range(len(battle.options)) if index != moment.chosen]
    stream(seed_of(record), path).shuffle(alternatives)

    def trial(number: int, contenders: list[int]) -> list[float]:
        chance = stream(seed_of(record), f"{path}/{number}")
        world = dealt(battle, NOBODY if all_seeing else battle.side, chance)
        return [points_of(play_option(world, each, record.rules, chance), battle.side) for each in contenders]

    return (
        most_promising(alternatives, RIVAL_TRIES * battles, battles, trial) if alternatives else moment.chosen
    )


def most_promising(
    contenders: list[int], tries: int, most: int, trial: Callable[[int, list[int]], list[float]]
) -> int:
    """Return the contender with the best results, by sequential halving.

    Of equals, it is the one that was ahead a round earlier, and otherwise the first. Raises IndexError if
    there are no contenders.

    In each round all remaining contenders are tried equally often, then the better half stays. There are
    about `tries` tries in all, equally many in each round, and at most `most` for each contender.
    `trial(number, contenders)` returns the points of each contender in battle `number`.

    Source: Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in multi-armed bandits, 2013.
    """
    left, got, battles_done = contenders, dict.fromkeys(contenders, 0.0), 0
    rounds = (len(contenders) - 1).bit_length()
    while len(left) > 1:
        more = min(max(1, tries // (rounds * len(left))), most - battles_done)
        for number in range(battles_done, battles_done + more):
            for each, gain in zip(left, trial(number, left), strict=True):
                got[each] += gain
        battles_done += more
        left = sorted(left, key=lambda each: -got[each])[: (len(left) + 1) // 2]
    return left[0]


def play_option(world: Battle, index: int, rules: RuleSet, chance: Chance) -> Battle:
    """Finish a dealt battle after this option, with the same random numbers for all options.

    With common random numbers, a difference between options is due to the options alone.
    """
    luck = chance.copy()
    battle = with_luck(world, luck)
    battle.choose(index)
    return play_out_regular(battle, rules, luck)


def with_luck(world: Battle, luck: Chance) -> Battle:
    """Return a copy of a dealt battle that draws from this random stream."""
    new = world.copy()
    new.random_source = Drawn(luck)
    return new
