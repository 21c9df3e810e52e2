"""Forecast the pending battles by fighting them in order many times. Losses carry over to later battles."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import fought, streams_of
from cardbattle.campaign.state.apply import Result, SideResult, apply
from cardbattle.campaign.state.battle_setup import destroyed_forces_error, rehearsal_table
from cardbattle.campaign.state.model import Campaign, Pending, read_campaign
from cardbattle.campaign.turn.estimate import Announce, Estimate
from cardbattle.core.chance import child_seed
from cardbattle.core.errors import InvalidInput
from cardbattle.files.count_cache import CountCache, key_of
from cardbattle.simulation.workers import in_order

SEED = "forecast"  # the same in every campaign, so that a forecast reveals nothing about the dice


class Future(NamedTuple):
    """One simulated outcome of the pending battles.

    Attributes:
        winners: the winners of each battle.
        points: the points of each faction after the battles.
        strengths: the strength of each force after the battles.
        destroyed: the destroyed forces.

    """

    winners: dict[str, list[str]]
    points: dict[str, int]
    strengths: dict[str, int]
    destroyed: list[str]


class Forecast(NamedTuple):
    """A Monte Carlo simulation, which consists of many equally likely futures of a campaign."""

    campaign: Campaign
    futures: list[Future]

    def __repr__(self) -> str:
        return f"<Forecast of {self.campaign.name}: {len(self.futures)} futures>"

    def points(self, faction: str) -> list[int]:
        return sorted(future.points[faction] for future in self.futures)

    def leads(self, faction: str) -> Fraction:
        """Return the share of futures in which a faction leads. Factions with equal points share the lead."""
        total = Fraction(0)
        for future in self.futures:
            most = max(future.points.values())
            best = [key for key, count in future.points.items() if count == most]
            total += Fraction(1, len(best)) if faction in best else Fraction(0)
        return total / len(self.futures)

    def strengths(self, force: str) -> list[int]:
        return sorted(future.strengths[force] for future in self.futures)

    def destroyed(self, force: str) -> Fraction:
        return Fraction(sum(force in future.destroyed for future in self.futures), len(self.futures))

    def wins(self, battle: str, side: str) -> Fraction:
        """Return the share of futures in which a side wins. Shared and drawn battles count in part."""
        pending = self.campaign.battle(battle)
        assert pending is not None
        total = Fraction(0)
        for future in self.futures:
            winners = future.winners.get(battle) or pending.keys
            total += Fraction(1, len(winners)) if side in winners else Fraction(0)
        return total / len(self.futures)


class FutureJob(NamedTuple):
    """A task for a worker, which simulates one future of a campaign."""

    table: str  # the campaign's data as JSON
    folder: str
    number: int


def forecast_futures(
    campaign: Campaign,
    count: int,
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[int], None] = lambda finished: None,
    *,
    announce: Announce = lambda seconds: None,
    cache: CountCache | None = None,
) -> Forecast:
    """Simulate `count` futures of the campaign.

    The seeds of future i depend on i and on the battles, and not on the campaign's secret seed. Battles with
    a destroyed force are skipped.
    `report_progress` is called with the number of finished futures. If the remaining time is long, `announce`
    is called with it. Futures in `cache` are reused, and new futures are added to it.

    `count` and `workers` must be at least 1. Raises InvalidInput if no battle is pending.
    """
    if not campaign.pending:
        raise InvalidInput("no battle is pending, so there is nothing to forecast")
    table = json.dumps(campaign.data, default=str)
    key = key_of(campaign.folder, SEED, campaign.data) if cache else ""
    futures = read_cached_futures(cache, key)[:count] if cache else []
    estimate = Estimate(count - len(futures), workers, announce)
    jobs = (FutureJob(table, campaign.folder, number) for number in range(len(futures), count))
    try:
        for future, seconds in in_order(executor, run_timed_job, jobs, workers):
            futures.append(future)
            estimate.hear(1, seconds)
            report_progress(len(futures))
    finally:
        if cache and len(futures) > len(read_cached_futures(cache, key)):
            cache_futures(cache, key, futures)
    return Forecast(campaign, futures)


NAME = ".cardbattle.forecast"
QUICK = 20  # futures if commanders think ahead
MOST_KEYS = 8  # cached forecasts: the umpire's and a few factions'


def read_cached_futures(cache: CountCache, key: str) -> list[Future]:
    number, rows = cache.best(key, 0, or_more=True)
    try:
        futures = [Future(*row) for row in rows or []]
    except TypeError:
        return []
    return futures if len(futures) == number else []


def cache_futures(cache: CountCache, key: str, futures: Sequence[Future]) -> None:
    """Cache a campaign's futures, beside those of a few other readers."""
    other_keys = [other_key for other_key in cache.table if other_key != key][-MOST_KEYS + 1 :]
    cache.keep_only(set(other_keys))
    cache.put(key, len(futures), futures)
    cache.write()


def run_timed_job(job: FutureJob) -> tuple[Future, float]:
    began = perf_counter()
    future = future_of(campaign_in(job.table, job.folder), job.number)
    return future, perf_counter() - began


@lru_cache(maxsize=2)
def campaign_in(table: str, folder: str) -> Campaign:
    """Parse the campaign of a job. Each worker parses it only once."""
    return read_campaign(json.loads(table), folder)


def future_of(campaign: Campaign, number: int) -> Future:
    winners: dict[str, list[str]] = {}
    current = campaign
    for battle in campaign.pending:
        if destroyed_forces_error(current, battle):
            continue
        result = outcome_of(current, battle, child_seed(SEED, f"{number}/{battle.id}"))
        winners[battle.id] = result.winners
        current = current.after(apply(current, battle.id, result))
    return Future(
        winners,
        {key: faction.points for key, faction in current.factions.items()},
        {key: force.strength for key, force in current.forces.items()},
        [key for key, force in current.forces.items() if force.destroyed],
    )


def outcome_of(campaign: Campaign, battle: Pending, seed: int) -> Result:
    plan = read_battle(rehearsal_table(campaign, battle) | {"seed": seed}, campaign.folder)
    referee = fought(plan, streams_of(plan), listen=False)
    outcome = referee.outcome()
    keys = plan.setup.seats
    sides = {
        key: SideResult(referee.battle.score(seat), Fraction(*outcome.losses[seat]))
        for seat, key in enumerate(keys)
    }
    return Result([keys[seat] for seat in outcome.winners], sides)


def middle(values: Sequence[int], share: float) -> tuple[int, int]:
    """Return the lower and upper bound of the middle `share`, from 0 to 1, of these ascending values.

    >>> middle([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.8)
    (2, 9)
    """
    outside = int(len(values) * (1 - share) / 2 + 1e-9)
    return values[outside], values[len(values) - 1 - outside]
