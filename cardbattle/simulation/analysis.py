"""Analyse a finished battle: the chances of winning after each move, blunders, luck and skill.

From each position, regular commanders, the fast computer players of the rule set, finish the battle many
times (Monte Carlo rollouts). By default, a side's chance uses only the information that the side had.
Therefore the cards that are hidden from the side are dealt again before each rollout (determinization). If
`all_seeing` is True, rollouts use the actual cards.

The difference between a side's chance before its first choice and the result is the sum of two parts:

- The effects of all choices. The effect of a choice is the difference between its result and the result of a
  regular commander's choice. Both are played in the same deals and with the same random numbers.
- Luck, which is the rest of the difference.

A blunder is a choice with a large negative effect. A missed chance is an option that was better than the
side's choice. The gain that the side missed is reported separately and is not part of the sum.
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
from cardbattle.battles.records.replay import Refight, is_guessed
from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.referee import comparable
from cardbattle.core.ruleset import MILLION, RuleSet
from cardbattle.simulation.intervals import Interval, wilson_bounds
from cardbattle.simulation.turning_points import TurningPoint, spread_out
from cardbattle.simulation.workers import in_order

PATH = "analyse"
BATTLES = 100  # number of rollouts from each position, for each side
MOST_POSITIONS = 40  # maximum number of analysed positions in one battle
RIVAL_TRIES = 6  # average number of rollouts per battle in the search for the best alternative
MARGIN = 0.1  # minimum loss of a blunder, and minimum gain of a missed chance, as a share of the points
DOUBT = 3.0  # number of standard errors above which a difference is significant


class Verdict(NamedTuple):
    """The effect of a choice on the chances of winning.

    It is computed from the information that the side had when it chose.

    Attributes:
        before: the chance of each seat after the choice of a regular commander, from 0 to 1.
        after: the chance of each seat after the actual choice, from 0 to 1.
        doubts: for each seat, the standard error of the change from `before` to `after`.
        best: the best option that was found.
        missed: the difference between the side's chance after the option `best` and its chance after the
            actual choice.
        missed_doubt: the standard error of `missed`.

    """

    before: list[float]
    after: list[float]
    doubts: list[float]
    best: str
    missed: float
    missed_doubt: float


class ExactLoss(NamedTuple):
    """The difference between the value of a choice and the value of the best option.

    `best` is the best option, `best_worth` is the value of this option, and `worth` is the value of the
    choice. Values are from 0 to 1.
    """

    best: str
    best_worth: float
    worth: float

    @property
    def lost(self) -> float:
        """The difference between the best value and the value of the choice."""
        return self.best_worth - self.worth


class Position(NamedTuple):
    """A position in an analysed battle, with the side that must choose and the move that it made.

    `made` is the number of moves before the position. `is_secret` is True if the choice is face down.
    `chances` has one interval for each seat. If the battle is over, the chances are certain and `verdict` is
    None. It is also None if the program guessed the choice in a battle with real cards. If the rule set can
    solve the position, `exact` says how much the choice lost.
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
        """The decrease of the side's chance that the choice caused, from -1 to 1."""
        return self.verdict.before[self.side] - self.verdict.after[self.side] if self.verdict else 0.0

    def is_blunder(self, margin: float) -> bool:
        """Return True if the choice lowered the side's chance by at least `margin`, with significance."""
        doubt = self.verdict.doubts[self.side] if self.verdict else 0.0
        return self.gave_away >= margin and self.gave_away > DOUBT * doubt

    def is_missed(self, margin: float) -> bool:
        """Return True if the choice is not a blunder, but another option is significantly better.

        The other option must increase the side's chance by at least `margin`.
        """
        if self.verdict is None or self.is_blunder(margin):
            return False
        return self.verdict.missed >= margin and self.verdict.missed > DOUBT * self.verdict.missed_doubt


class Analysis(NamedTuple):
    """The result of the analysis of a battle. `positions` has the positions that were analysed, in order.

    `all_seeing` is True if the analysis used the actual cards, and False if hidden cards were dealt again.
    The caller adds the turning points, which the module `simulation.turning_points` finds, or None if they
    are left out.
    """

    record: Record
    positions: list[Position]
    battles: int
    all_seeing: bool
    decisions: int  # number of decisions in the battle; in a long battle, not all of them are analysed
    turning_points: Sequence[TurningPoint] | None = ()

    def __repr__(self) -> str:
        looked = f"{len(self.positions)} positions, {self.battles} battles from each choice"
        return f"<Analysis of {self.record.id}: {looked}>"

    @property
    def doubt(self) -> float:
        """Half the width of the widest 95 % interval of a chance, from 0 to 1."""
        return max(chance.width for position in self.positions for chance in position.chances) / 2

    def blunders(self, margin: float = MARGIN) -> list[Position]:
        """Return the positions with a blunder that cost at least `margin`. The worst blunder comes first."""
        blunders = [position for position in self.positions if position.is_blunder(margin)]
        return sorted(blunders, key=lambda position: -position.gave_away)

    def missed_chances(self, margin: float = MARGIN) -> list[Position]:
        """Return the positions in which the side missed a gain of at least `margin`.

        The position with the largest missed gain comes first.
        """
        chances = [position for position in self.positions if position.is_missed(margin)]
        return sorted(chances, key=lambda position: -position.verdict.missed if position.verdict else 0.0)

    @property
    def is_exact_anywhere(self) -> bool:
        """Return True if the exact loss is known for at least one analysed choice."""
        return any(position.exact for position in self.positions)

    def lost_exactly(self, margin: float = MARGIN) -> list[Position]:
        """Return the positions in which the exact loss is at least `margin`. The largest loss comes first."""
        positions = [
            position for position in self.positions if position.exact and position.exact.lost >= margin
        ]
        return sorted(positions, key=lambda position: -position.exact.lost if position.exact else 0.0)

    def choice(self, at: int, seat: int) -> float:
        """Return the change of a seat's chance that the choice in a position caused.

        `at` is the index of the position.
        """
        verdict = self.positions[at].verdict
        return verdict.after[seat] - verdict.before[seat] if verdict else 0.0

    def luck_after(self, at: int, seat: int) -> float:
        """Return the change of a seat's chance that luck caused between a position and the next position.

        `at` is the index of the first of these positions.
        """
        if at + 1 == len(self.positions):
            return 0.0
        here, following = self.positions[at].chances[seat], self.positions[at + 1].chances[seat]
        return following.share - here.share - self.choice(at, seat)

    def choices(self, seat: int, by: Container[int]) -> float:
        """Return the change of a seat's chance that all analysed choices of the seats in `by` caused."""
        return sum(self.choice(at, seat) for at in self.positions_of(by))

    def choices_doubt(self, seat: int, by: Container[int]) -> float:
        """Return the standard error of the result of `choices`."""
        verdicts = [self.positions[at].verdict for at in self.positions_of(by)]
        return sqrt(sum(verdict.doubts[seat] ** 2 for verdict in verdicts if verdict))

    def positions_of(self, sides: Container[int]) -> list[int]:
        """Return the indices of the positions in which one of the seats in `sides` chose."""
        return [at for at, position in enumerate(self.positions) if position.side in sides]

    def luck(self, seat: int) -> float:
        """Return the change of a seat's chance that luck caused between the first position and the result."""
        swing = self.positions[-1].chances[seat].share - self.positions[0].chances[seat].share
        return swing - self.choices(seat, range(len(self.record.sides)))

    def luck_doubt(self, seat: int) -> float:
        """Return the standard error of the result of `luck`."""
        first = self.positions[0].chances[seat].share
        choices = self.choices_doubt(seat, range(len(self.record.sides)))
        return sqrt(first * (1 - first) / self.battles + choices**2)


class AnalysisJob(NamedTuple):
    """A task for a worker, which is to analyse one position of a record."""

    table: str  # the record as JSON
    base: str
    at: int  # index of the decision in the battle
    battles: int
    all_seeing: bool


class Moment(NamedTuple):
    """The state of a battle before a decision, and the move that the side then made.

    `texts` has the texts of the options, followed by the texts of legal choices that are not listed as
    options. `chosen` is the index of the move in `texts`, or -1 if the battle is over.
    """

    made: int
    battle: Battle
    chosen: int
    move: str
    texts: list[str]


@lru_cache(maxsize=2)
def moments_in(table: str, base: str) -> tuple[Record, list[Moment]]:
    """Parse a record and replay the battle. Return the record, and the moment before each decision.

    The result is cached, so that each worker replays a record only once. Raises ReplayMismatch, which names
    the first move that differs, if the replay differs from the record.
    """
    record = read_record(json.loads(table), base)
    return record, list(moments(record))


def moments(record: Record) -> Iterator[Moment]:
    """Replay a record. Yield the moment before each decision, and the moment at the end of the battle."""
    again = Refight(record)
    moment = moment_of(again)
    for _ in again.steps():
        yield moment
        moment = moment_of(again)
    yield moment


def moment_of(again: Refight) -> Moment:
    """Return the moment that a replay has reached, with the next move in the record."""
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
    """Settings that determine how thorough an analysis is.

    Attributes:
        battles: the number of rollouts from each position for each side, at least 1.
        all_seeing: True to use the actual cards instead of dealing hidden cards again.
        positions: the maximum number of positions to analyse, at least 2.

    """

    battles: int = BATTLES
    all_seeing: bool = False
    positions: int = MOST_POSITIONS


def analyse_record(
    record: Record,
    executor: Executor,
    workers: int = 1,
    depth: Depth = Depth(),  # noqa: B008 - it is immutable
    report_progress: Callable[[int, int], None] = lambda finished, of: None,
) -> Analysis:
    """Analyse all positions of a battle. If the battle is long, analyse evenly spread positions.

    `workers` is the number of workers, at least 1. The function `report_progress` is called with the number
    of finished positions and the number of all positions.

    Raises InvalidInput if the battle cannot be continued from a position, ReplayMismatch if the replay
    differs from the record, and SystemFailure if a worker died.
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
    record, all_moments = moments_in(job.table, job.base)
    return evaluate_position(record, all_moments[job.at], job.battles, job.all_seeing)


def evaluate_position(record: Record, moment: Moment, battles: int, all_seeing: bool) -> Position:
    """Return the chances in one position, and the effect of the choice that was made there."""
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
    position = Position(moment.made, battle.side, moment.move, is_secret, chances, judged)
    if is_guessed(record, battle, moment.move.partition(" ")[2]):
        return position._replace(verdict=None)
    return position._replace(exact=exact_loss(record.rules, moment))


def exact_loss(rules: RuleSet, moment: Moment) -> ExactLoss | None:
    """Return the exact loss of a choice.

    Return None if the values of the options are unknown, or if the choice was not a listed option.
    """
    worths = rules.option_values(moment.battle)
    if moment.chosen >= len(worths):
        return None
    best = max(worths)
    chosen = worths[moment.chosen]
    at = moment.chosen if chosen == best else worths.index(best)
    return ExactLoss(moment.texts[at], best / MILLION, chosen / MILLION)


def chance_of(record: Record, moment: Moment, viewer: int, battles: int) -> float:
    """Return the chance of the side `viewer` in a position in which another side must choose.

    The chance is computed from the information that the side `viewer` had.
    """
    total = 0.0
    for number in range(battles):
        chance = stream(seed_of(record), f"{PATH}/{moment.made}/{viewer}/{number}")
        battle = dealt(moment.battle, viewer, chance)
        total += points_of(play_out_regular(battle, record.rules, chance), viewer)
    return total / battles


def seed_of(record: Record) -> int | str:
    """Return the seed for the rollouts.

    This is the seed of the record. If the record has no seed, it is the id of the record.
    """
    return record.id if record.seed is None else record.seed


def dealt(battle: Battle, viewer: int, chance: Chance) -> Battle:
    """Return a copy of the battle in which the cards hidden from the viewer are dealt again.

    If `viewer` is NOBODY, only cards that are missing from the record are dealt.
    """
    new = battle.complete_copy(chance) if viewer == NOBODY else battle.redeal(viewer, chance)
    new.random_source = Drawn(chance)
    return new


def play_out_regular(battle: Battle, rules: RuleSet, chance: Chance) -> Battle:
    """Finish a battle with regular commanders on all sides, and return it."""
    while battle.side != NOBODY:
        battle.choose(rules.regular(battle.fast_view(battle.side), chance))
    return battle


def points_of(battle: Battle, seat: int) -> float:
    """Return the points of a seat in a finished battle.

    A win is 1 point. After a shared win or a draw, the sides that share it divide 1 point equally.
    """
    winners = battle.outcome().winners or list(range(battle.sides))
    return 1 / len(winners) if seat in winners else 0.0


def gains(battle: Battle) -> list[float]:
    """Return the points of all seats in a finished battle."""
    return [points_of(battle, seat) for seat in range(battle.sides)]


class Try(NamedTuple):
    """The results of a deal that was played to its end twice, with different choices in one position.

    Attributes:
        usual: the index of the option that a regular commander chooses in this deal.
        before: the points of each seat if this option is chosen.
        after: the points of each seat if the option of the actual battle is chosen.

    """

    usual: int
    before: list[float]
    after: list[float]


def judge_choice(record: Record, moment: Moment, battles: int, all_seeing: bool) -> Verdict:
    """Compare a choice with the choice of a regular commander, and with the best other option.

    All three choices are played in the same deals. The search for the best option uses other deals. Otherwise
    an option that was only lucky in the search would seem better than it is.
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
    """Deal the hidden cards again, and finish the battle twice.

    The battle is finished after the choice of a regular commander, and after the actual choice.
    """
    world, chance = world_of(record, moment, number, all_seeing)
    # The regular commander chooses with its own stream, so that it does not use the random numbers of the
    # rollout.
    lots = stream(seed_of(record), f"{PATH}/{moment.made}/choice/{number}/regular")
    usual = record.rules.regular(world.fast_view(world.side), lots)
    after = gains(play_option(world, moment.chosen, record.rules, chance))
    before = after if usual == moment.chosen else gains(play_option(world, usual, record.rules, chance))
    return Try(usual, before, after)


def world_of(record: Record, moment: Moment, number: int, all_seeing: bool) -> tuple[Battle, Chance]:
    """Return a battle for a rollout, and the random stream for it.

    The battle is consistent with everything that the side that must choose knows. If `all_seeing` is True,
    the hidden cards are the actual ones.
    """
    chance = stream(seed_of(record), f"{PATH}/{moment.made}/choice/{number}")
    return dealt(moment.battle, NOBODY if all_seeing else moment.battle.side, chance), chance


def lost_to(record: Record, moment: Moment, best: int, tries: list[Try], all_seeing: bool) -> list[float]:
    """Return, for each deal, the points that the side would have gained with the option `best`."""
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
    """Return the mean of each column of a table."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def changes_doubt(tries: list[Try], chosen: int) -> list[float]:
    """Return, for each seat, the standard error of the effect of a choice.

    The standard error is 0 if a regular commander makes the same choice in all tries.
    """
    if all(attempt.usual == chosen for attempt in tries):
        return [0.0 for _ in tries[0].before]
    seats = range(len(tries[0].before))
    return [
        standard_error([attempt.after[seat] - attempt.before[seat] for attempt in tries]) for seat in seats
    ]


def standard_error(changes: list[float]) -> float:
    """Return the standard error of the mean of several changes.

    The variance is assumed to be at least 1 divided by the number of changes.

    Because of this minimum, the result is not 0 if all changes happen to be equal.
    """
    count = len(changes)
    mean = sum(changes) / count
    variance = sum(each * each for each in changes) / count - mean * mean
    return sqrt(max(variance, 1 / count) / count)


def best_rival(record: Record, moment: Moment, battles: int, all_seeing: bool) -> int:
    """Return the index of the best option that was not chosen.

    If there was only one option, return the index of this option.
    """
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
    """Find the best contender by sequential halving.

    If several contenders have the same best result, the function returns the one with the highest rank in
    the previous round. Raises IndexError for an empty list of contenders.

    In each round, all remaining contenders are tried equally often, and then the worse half is removed. All
    rounds have the same number of tries, and about `tries` together. A contender is tried at most `most`
    times. `trial(number, contenders)` returns the points of each contender in battle `number`.

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
    """Choose an option in a copy of a battle, let regular commanders finish the battle, and return it.

    All options are played with the same random numbers, so that only the options cause different results.
    """
    luck = chance.copy()
    battle = with_luck(world, luck)
    battle.choose(index)
    return play_out_regular(battle, rules, luck)


def with_luck(world: Battle, luck: Chance) -> Battle:
    """Return a copy of a battle that draws its random events from the stream `luck`."""
    new = world.copy()
    new.random_source = Drawn(luck)
    return new
