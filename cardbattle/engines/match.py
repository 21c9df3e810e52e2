"""Play matches between commanders, which are ranks or engines.

A pairing consists of two commanders who play against each other. They play pairs of battles: two battles with
the same seed, in which the commanders exchange seats. All pairings of a match play the same deals. Pairs are
counted in order, so the result of a match does not depend on the number of processes.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from functools import lru_cache
from itertools import combinations
from json import dumps, loads
from time import monotonic, perf_counter
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.battles.resolve import fought, streams_of
from cardbattle.commanders import is_engine
from cardbattle.commanders.ranks import CommanderFailed
from cardbattle.core.chance import child_seed
from cardbattle.core.referee import Commander
from cardbattle.engines.definitions import Engine
from cardbattle.engines.description import Clock
from cardbattle.engines.elo import Hypotheses, PairScore, decision, total_of
from cardbattle.engines.host import EngineHost
from cardbattle.engines.log import append_to
from cardbattle.engines.process import no_log
from cardbattle.files.signals import signals_deferred
from cardbattle.simulation.workers import announce_work, in_order

SEATS = ("first", "second")
JOB_SECONDS = 0.2  # target duration of a job, in seconds
GROWTH = 4  # maximum ratio between the sizes of successive jobs
LEAST_FOR_TEST = 10  # number of pairs before the test can decide


class MatchPlan(NamedTuple):
    """The plan of a match.

    Attributes:
        table: the content of a battle file for the battle that is played. The two sides are SEATS.
        commanders: the commanders, which are ranks such as `veteran` or engines such as `engine:bold`.
        engines: the definitions of the engines, by name.
        log: the file to which all messages of engines are appended, or "" if they are not logged.
        is_gauntlet: True if the first commander plays all others, and the others do not play each other.
        began: the time at which the log begins, in seconds of the monotonic clock. All processes have the
            same clock.

    """

    table: Mapping[str, object]
    commanders: list[str]
    seed: int | str
    engines: Mapping[str, Engine]
    clock: Clock
    log: str = ""
    is_gauntlet: bool = False
    began: float = 0.0

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairings of the match. Each is a pair of indices into the list of commanders."""
        if self.is_gauntlet:
            return [(0, number) for number in range(1, len(self.commanders))]
        return list(combinations(range(len(self.commanders)), 2))


class PairResult(NamedTuple):
    """The points of the first commander in a pair of battles, and the failures of engines."""

    pairing: int
    number: int
    points: list[float]
    failures: list[str]


class PairJob(NamedTuple):
    """A task for a worker, which is to play the pairs `first` to `beyond` - 1 of a pairing."""

    plan: str  # a MatchPlan as JSON
    pairing: int
    first: int
    beyond: int


class Played(NamedTuple):
    """The results of the pairs that a worker has played, and the time that this took in seconds."""

    pairs: list[PairResult]
    seconds: float


def plan_text(plan: MatchPlan) -> str:
    """Return a plan as JSON. Workers get this text."""
    return dumps(plan._replace(engines=[[*engine] for engine in plan.engines.values()]))  # type: ignore[arg-type]


@lru_cache(8)
def read_plan(text: str) -> tuple[MatchPlan, BattlePlan]:
    """Parse a plan from JSON. Return the plan and the BattlePlan of its battles."""
    table, commanders, seed, engines, clock, log, is_gauntlet, began = loads(text)
    definitions = {name: Engine(name, command, options) for name, command, options in engines}
    plan = MatchPlan(table, commanders, seed, definitions, Clock(*clock), log, is_gauntlet, began)
    return plan, read_battle(plan.table)


def play_pairs(job: PairJob) -> Played:
    began = perf_counter()
    plan, duel = read_plan(job.plan)
    host = host_of(job.plan)
    pairs = [play_pair(plan, duel, host, job.pairing, number) for number in range(job.first, job.beyond)]
    return Played(pairs, perf_counter() - began)


def play_pair(plan: MatchPlan, duel: BattlePlan, host: EngineHost, pairing: int, number: int) -> PairResult:
    """Play two battles with the same deal. In the second battle, the commanders have exchanged seats."""
    names = [plan.commanders[place] for place in plan.pairings[pairing]]
    seed = child_seed(plan.seed, f"match/{number}")
    points, failures = [], list[str]()
    for seat in (0, 1):
        seated = names if seat == 0 else names[::-1]
        try:
            winners = play_duel(duel, host, seated, seed)
        except CommanderFailed as failed:
            host.end_battles()
            failures.append(str(failed))
            winners = [1 - seated.index(f"engine:{failed.name}")]
        points.append(points_of(winners, seat))
    return PairResult(pairing, number, points, failures)


def play_duel(duel: BattlePlan, host: EngineHost, names: list[str], seed: int) -> list[int]:
    """Play a battle of a match, and return the winners' seats. Raises CommanderFailed if an engine fails."""
    ranks = ["regular" if is_engine(name) else name for name in names]
    sides = [side._replace(commander=rank) for side, rank in zip(duel.sides, ranks, strict=True)]
    plan = duel._replace(seed=seed, sides=sides)
    own: dict[int, Commander] = {
        seat: host.commander(name.partition(":")[2], plan.rules)
        for seat, name in enumerate(names)
        if is_engine(name)
    }
    return fought(plan, streams_of(plan), listen=bool(own), own=own).outcome().winners


def points_of(winners: list[int], seat: int) -> float:
    """Return a seat's points: 1 for a win, 0.5 for a draw or a shared win."""
    return 0.5 if len(winners) != 1 else float(winners == [seat])


HOSTS: dict[str, EngineHost] = {}  # the engines of this process, by plan


def host_of(text: str) -> EngineHost:
    """Return the host for the engines of a plan.

    Each process creates only one host for a plan. The engines run until `close_hosts` is called or the
    process ends.
    """
    if text not in HOSTS:
        plan = read_plan(text)[0]
        log = append_to(plan.log, plan.began) if plan.log else no_log
        HOSTS[text] = EngineHost(plan.engines, plan.clock, log)
    return HOSTS[text]


@atexit.register
def close_hosts() -> None:
    """End all engines that this process has started."""
    for host in HOSTS.values():
        host.close()
    HOSTS.clear()


class Match:
    """The results of a match for each pairing. Results are added while the match is played."""

    def __init__(self, plan: MatchPlan, games: int, test: Hypotheses | None = None) -> None:
        """Prepare a match with `games` battles for each pairing.

        If there are two commanders and `test` is set, the match ends when the test accepts a hypothesis.
        """
        self.plan = plan
        self.pairs = games // 2
        self.test = test
        self.scores = [PairScore() for _ in plan.pairings]
        self.results: list[list[float]] = [[0, 0, 0] for _ in plan.pairings]  # wins, draws and losses
        self.failures: dict[str, list[str]] = {name: [] for name in plan.commanders}
        self.stopped = ""  # why the match ended: `games`, `sprt` or `interrupted`

    def add(self, result: PairResult) -> None:
        """Count the two battles of a pair."""
        self.scores[result.pairing].add(sum(result.points))
        for points in result.points:
            self.results[result.pairing][{1.0: 0, 0.5: 1, 0.0: 2}[points]] += 1
        for text in result.failures:
            name = text.removeprefix("engine ").partition(" ")[0]
            self.failures[f"engine:{name}"].append(text)

    @property
    def battles(self) -> int:
        """The number of battles that have been played."""
        return 2 * sum(score.count for score in self.scores)

    @property
    def planned(self) -> int:
        """The total number of battles in the match."""
        return 2 * self.pairs * len(self.scores)

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio of the test, or 0 if the match has no test."""
        return self.scores[0].log_likelihood_ratio(self.test) if self.test else 0.0

    def is_decided(self) -> bool:
        """Return True if the test accepts one of its hypotheses."""
        return self.test is not None and self.scores[0].count >= LEAST_FOR_TEST and bool(decision(self.ratio))

    def score_of(self, commander: int) -> PairScore:
        """Return the results of a commander in all pairings together."""
        own = [
            score if first == commander else score.reversed()
            for (first, second), score in zip(self.plan.pairings, self.scores, strict=True)
            if commander in (first, second)
        ]
        return total_of(own)

    def jobs(self, size: Callable[[], int]) -> Iterator[PairJob]:
        """Yield jobs for the pairs that have not been played. The pairings take turns."""
        text = plan_text(self.plan)
        begun = [score.count for score in self.scores]
        while min(begun) < self.pairs:
            first = min(begun)
            beyond = min(self.pairs, first + size())
            for pairing, count in enumerate(begun):
                if count < beyond:
                    yield PairJob(text, pairing, count, beyond)
                    begun[pairing] = beyond

    def play(
        self,
        executor: Executor,
        workers: int,
        report: Callable[[PairResult], None],
        report_progress: Callable[[int, int], None],
    ) -> None:
        """Play the match until all battles are played or the test accepts a hypothesis.

        If the user presses Ctrl-C, the results so far are kept. The function `report` is called with the
        result of each pair. The function `report_progress` is called with the number of battles that have
        been played and the total number of battles.

        Raises UsageError if an engine cannot be started, and SystemFailure if a worker died.
        """
        size, spent, began = 1, 0.0, monotonic()
        played = in_order(executor, play_pairs, self.jobs(lambda: size), workers)
        try:
            for more in played:
                with signals_deferred():
                    for result in more.pairs:
                        if self.is_decided():
                            break
                        self.add(result)
                        report(result)
                spent += more.seconds
                each = spent / max(1, self.battles)
                size = max(1, min(GROWTH * size, int(JOB_SECONDS / max(2 * each, 1e-6))))
                announce_work(executor, (self.planned - self.battles) * (monotonic() - began) / self.battles)
                report_progress(self.battles, self.planned)
                if self.is_decided():
                    played.close()
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        finally:
            close_hosts()
        self.stopped = self.stopped or ("sprt" if self.is_decided() else "games")
