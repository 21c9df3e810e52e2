"""Estimate the odds of pending battles with their current commanders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.campaign.state.battle_setup import (
    destroyed_forces_error,
    table_without_seed,
    with_seed,
)
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.turn.fighting import thinks
from cardbattle.commanders.search import TimeUp
from cardbattle.core.errors import CardbattleError
from cardbattle.core.telling import counted
from cardbattle.simulation.counting import WHOLE, Count, count, fight_one
from cardbattle.simulation.intervals import wilson_bounds

PATH = "advice"
BATTLES = 200  # simulated battles per pending battle
MOST = 600  # simulated battles in all, unless the user asked for odds
FEWEST = 5  # minimum number to show odds, unless the user asked for them
HIDDEN = 6  # battles that share MOST if some battles are hidden, so that odds do not show how many there are
SECONDS = 2.0  # for all battles whose commanders think ahead, unless the user asked for odds
ONE_SIDED = 0.95  # share of the points that makes a battle one-sided
ONE_SIDED_LOW = 0.9  # lower bound of the 95 % interval that it also needs
TRIALS = 60  # simulations after which `check` can call a battle one-sided
STEP = 5  # simulations between two reports of progress, or tests whether a battle can still be one-sided
MOST_TRIALS = 600  # simulations that `check` runs in all
SECONDS_EACH = 20.0  # seconds per battle if the user asked for odds


ReportShare = Callable[[float], None]
"""Called with a share of the work, from 0 to 1."""


def unheard(share: float) -> None:
    """Do nothing. The function is the default of the argument `report_share`."""


class Share(NamedTuple):
    """A side's expected share of the points, from 0 to 1, with its 95 % interval."""

    side: str
    name: str
    commander: str
    share: float
    low: float
    high: float


class Advice(NamedTuple):
    """The odds of one battle by simulation. If they are unknown, `why` gives the reason."""

    battles: int
    sides: list[Share]
    why: str = ""

    @property
    def one_sided(self) -> str | None:
        """The side that is expected to take at least 95 % of the points, or None if no side is.

        The lower bound of the side's 95 % interval must be at least 90 %.
        """
        sides = [side.side for side in self.sides if side.share >= ONE_SIDED and side.low >= ONE_SIDED_LOW]
        return sides[0] if sides else None

    def words(self) -> str:
        if self.why:
            return f"no odds: {self.why}"
        shares = [
            f"{side.name} ({side.commander}) {side.share:.0%} ({side.low:.0%} to {side.high:.0%})"
            for side in self.sides
        ]
        odds = f"odds by {counted(self.battles, 'battle')}: {', '.join(shares)}"
        return f"{odds}; one-sided, hardly worth playing" if self.one_sided else odds

    def table(self) -> dict[str, object]:
        if self.why:
            return {"why": self.why}
        sides = [side._asdict() for side in self.sides]
        return {"battles": self.battles, "sides": sides, "one_sided": self.one_sided}


class Budget(NamedTuple):
    """The maximum number of battles to simulate.

    If the commanders think ahead, `seconds` is the maximum time instead.
    """

    battles: int
    seconds: float
    is_asked: bool


def advise(
    campaign: Campaign,
    pending: Sequence[Pending],
    is_asked: bool,
    tick: Callable[[float, int], None],
    shared_by: int = 0,
    known: dict[str, Advice] | None = None,
) -> dict[str, Advice]:
    """Return a dict from battle ids to odds.

    If `is_asked` is True, each battle is simulated 200 times, or for 20 seconds if its commanders think
    ahead. Otherwise `shared_by` battles share 600 simulations, by default all battles in `pending`, and the
    battles whose commanders think ahead share 2 seconds. `tick` is called with the number of finished
    battles, such as 0.1 after a tenth of the first one, and the total number of battles. `known` has odds
    that were simulated for other readers, and gets the new ones. A reader shares them only if all facts that
    decide them are the same.
    """
    known = {} if known is None else known
    thinking = sum([thinks(campaign, battle) for battle in pending])
    if is_asked:
        budget = Budget(BATTLES, SECONDS_EACH, True)
    else:
        battles = min(BATTLES, MOST // (shared_by or max(1, len(pending) - thinking)))
        budget = Budget(battles if battles >= FEWEST else 0, SECONDS / max(1, thinking), False)
    advice: dict[str, Advice] = {}
    for battle in pending:
        tick(len(advice), len(pending))
        report_share = partial(tick_share, tick, len(advice), len(pending))
        advice[battle.id] = odds_of(campaign, battle, budget, known, report_share)
    return advice


def tick_share(tick: Callable[[float, int], None], finished: int, of: int, share: float) -> None:
    """Report that some battles are finished, and a share of the next one."""
    tick(finished + share, of)


def sharing(campaign: Campaign) -> int:
    """Return how many battles share the simulations, for every reader of a campaign alike.

    If all players know all pending battles, it is their number. Otherwise it is the same in every campaign.
    """
    return max(1, len(campaign.pending)) if campaign.visibility.pending == "all" else HIDDEN


def public_plan(campaign: Campaign, battle: Pending) -> BattlePlan:
    """Return a pending battle with a seed that does not depend on the campaign's secret seed.

    All readers who know the same facts therefore read the same odds, and odds reveal nothing about the dice.
    Raises InvalidInput for an invalid battle.
    """
    table = with_seed(table_without_seed(campaign, battle), f"{PATH}/{battle.id}")
    return read_battle(table, campaign.folder)


def odds_of(
    campaign: Campaign,
    battle: Pending,
    budget: Budget,
    known: dict[str, Advice],
    report_share: ReportShare = unheard,
) -> Advice:
    """Return the odds of one battle. `report_share` gets the share of the simulations that are finished."""
    why = destroyed_forces_error(campaign, battle)
    if why:
        return Advice(0, [], why)
    try:
        table = table_without_seed(campaign, battle)
        facts = json.dumps([battle.id, table, thinks(campaign, battle), budget], default=str)
        if facts not in known:
            known[facts] = simulated_odds(campaign, battle, budget, report_share)
        return known[facts]
    except CardbattleError as error:
        return Advice(0, [], str(error))


def simulated_odds(campaign: Campaign, battle: Pending, budget: Budget, report_share: ReportShare) -> Advice:
    """Simulate a battle, and return its odds. Raises InvalidInput for an invalid battle."""
    plan = public_plan(campaign, battle)
    if thinks(campaign, battle):
        tally = count_in_time(plan, budget.seconds, budget.is_asked, report_share)
        why = "these commanders think too long; add --odds to simulate them anyway"
    else:
        tally = count_steps(plan, budget.battles, report_share)
        why = "too many battles are pending; add --odds to simulate this one anyway"
    too_few = tally.battles < (1 if budget.is_asked else FEWEST)
    return Advice(0, [], why) if too_few else Advice(tally.battles, side_shares(plan, tally))


def side_shares(plan: BattlePlan, tally: Count) -> list[Share]:
    shares = []
    for key, side, points in zip(plan.setup.seats, plan.sides, tally.points, strict=True):
        share = points / (WHOLE * tally.battles)
        shares.append(Share(key, side.name, side.commander, share, *wilson_bounds(share, tally.battles)))
    return shares


def count_steps(plan: BattlePlan, battles: int, report_share: ReportShare) -> Count:
    """Simulate a battle `battles` times."""
    tally = Count(len(plan.sides))
    while tally.battles < battles:
        tally.merge(count(plan, PATH, tally.battles, min(tally.battles + STEP, battles)))
        report_share(tally.battles / battles)
    return tally


def count_in_time(
    plan: BattlePlan, seconds: float, is_asked: bool, report_share: ReportShare = unheard
) -> Count:
    """Simulate a battle up to 200 times within `seconds`, at least once if `is_asked`."""
    deadline = monotonic() + seconds
    tally = Count(len(plan.sides))
    while tally.battles < BATTLES:
        try:
            battle = fight_one(plan, PATH, tally.battles, inf if is_asked and not tally.battles else deadline)
        except TimeUp:
            break
        outcome = battle.outcome()
        tally.add(tally.battles, outcome.winners, [0] * len(plan.sides), outcome.losses)
        spent = 1 - (deadline - monotonic()) / seconds if seconds else 1.0
        report_share(min(1.0, max(tally.battles / BATTLES, spent)))
    return tally


def formalities(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield the id of each pending battle that looks one-sided, and a sentence about it.

    Each battle is simulated 60 times. The simulations stop early if no side can reach 95 % of the points any
    more. Battles with destroyed forces or with commanders who think ahead are left out. At most 600
    simulations are run in total, and battles after that limit are left out. Raises InvalidInput for an
    invalid battle.
    """
    left = MOST_TRIALS
    for battle in campaign.pending:
        if left < TRIALS or destroyed_forces_error(campaign, battle) or thinks(campaign, battle):
            continue
        plan = public_plan(campaign, battle)
        tally = count_one_sided(plan)
        left -= tally.battles
        best = max(side_shares(plan, tally), key=lambda side: side.share)
        if tally.battles == TRIALS and best.share >= ONE_SIDED:
            share = f"{best.share:.0%} of {TRIALS} simulated battles go to {best.name}"
            yield battle.id, f"one-sided, hardly worth playing: {share}"


def count_one_sided(plan: BattlePlan) -> Count:
    """Fight a battle 60 times, or until no side can reach 95 % of the points."""
    tally = Count(len(plan.sides))
    while tally.battles < TRIALS:
        tally.merge(count(plan, PATH, tally.battles, tally.battles + STEP))
        if WHOLE * tally.battles - max(tally.points) > (1 - ONE_SIDED) * WHOLE * TRIALS:
            break
    return tally
