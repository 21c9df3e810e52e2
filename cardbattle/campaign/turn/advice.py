"""Advice before a battle: the odds of pending ones, with the commanders they have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from time import monotonic
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.campaign.state.battle_setup import destroyed, rehearsal_table
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.turn.fighting import thinks
from cardbattle.commanders.search import TimeUp
from cardbattle.core.errors import CardbattleError
from cardbattle.core.telling import counted
from cardbattle.simulation.counting import WHOLE, Count, count, ended
from cardbattle.simulation.intervals import wilson_bounds

PATH = "advice"
BATTLES = 200  # that each pending battle is fought
MOST = 600  # in all, unless they are asked for
FEWEST = 5  # fewer say nothing, unless more were too long to wait for
SECONDS = 2.0  # for all whose commanders think, unless they are asked for
FORMALITY = 0.95  # share of the points from which a battle is as good as won
SURELY = 0.9  # what it takes at least, by the interval of 95 %
TRIED = 60  # battles after which `check` calls one so
LOOK = 5  # battles between two looks at whether it cannot be one any more
ALL_TRIED = 600  # battles that `check` tries in all
ASKED = 20.0  # seconds for each of them if they are


class Share(NamedTuple):
    """What a side should take of the points: the share counted, from 0 to 1, and the interval of 95 %."""

    side: str
    name: str
    commander: str
    share: float
    low: float
    high: float


class Advice(NamedTuple):
    """The odds of one battle, by so many fought; `why` says why there are none."""

    battles: int
    sides: list[Share]
    why: str = ""

    @property
    def one_sided(self) -> str | None:
        """The key of a side that takes 95 of a hundred points, and surely 90; None if there is none."""
        sure = [one.side for one in self.sides if one.share >= FORMALITY and one.low >= SURELY]
        return sure[0] if sure else None

    def words(self) -> str:
        """Return the odds in a sentence, and whether the cards are a formality."""
        if self.why:
            return f"no odds: {self.why}"
        shares = [
            f"{one.name} ({one.commander}) {one.share:.0%} ({one.low:.0%} to {one.high:.0%})"
            for one in self.sides
        ]
        told = f"odds by {counted(self.battles, 'battle')}: {', '.join(shares)}"
        return f"{told}; one-sided, the cards are a formality" if self.one_sided else told

    def table(self) -> dict[str, object]:
        """Return the odds as JSON has them."""
        if self.why:
            return {"why": self.why}
        sides = [one._asdict() for one in self.sides]
        return {"battles": self.battles, "sides": sides, "one_sided": self.one_sided}


class Given(NamedTuple):
    """How long a battle may be counted: so many battles, or seconds if its commanders think."""

    battles: int
    seconds: float
    is_asked: bool


def advise(
    campaign: Campaign, pending: Sequence[Pending], is_asked: bool, tick: Callable[[int, int], None]
) -> dict[str, Advice]:
    """Return the odds of each of these battles as the campaign stands, by its id.

    Battles whose commanders think are fought as often as the time allows: 20 seconds each if the
    odds are asked for, else 2 seconds for all. The others are fought 200 times each,
    if nobody asked at most 600 times in all. `tick` is told how many battles have theirs.
    """
    thinking = sum([thinks(campaign, battle) for battle in pending])
    if is_asked:
        given = Given(BATTLES, ASKED, True)
    else:
        battles = min(BATTLES, MOST // max(1, len(pending) - thinking))
        given = Given(battles if battles >= FEWEST else 0, SECONDS / max(1, thinking), False)
    found: dict[str, Advice] = {}
    for battle in pending:
        tick(len(found), len(pending))
        found[battle.id] = odds_of(campaign, battle, given)
    return found


def odds_of(campaign: Campaign, battle: Pending, given: Given) -> Advice:
    """Return the odds of a battle, or why there are none."""
    why = destroyed(campaign, battle)
    if why:
        return Advice(0, [], why)
    try:
        plan = read_battle(rehearsal_table(campaign, battle), campaign.folder)
        if thinks(campaign, battle):
            found = count_in_time(plan, given.seconds, given.is_asked)
            why = "such commanders think too long; ask for them with --odds"
        else:
            found = count(plan, PATH, 0, given.battles)
            why = "too many battles are pending; ask for them with --odds"
    except CardbattleError as error:
        return Advice(0, [], str(error))
    too_few = found.battles < (1 if given.is_asked else FEWEST)
    return Advice(0, [], why) if too_few else Advice(found.battles, side_shares(plan, found))


def side_shares(plan: BattlePlan, found: Count) -> list[Share]:
    """Return what each side took of the battles counted."""
    told = []
    for key, side, points in zip(plan.setup.seats, plan.sides, found.points, strict=True):
        share = points / (WHOLE * found.battles)
        told.append(Share(key, side.name, side.commander, share, *wilson_bounds(share, found.battles)))
    return told


def count_in_time(plan: BattlePlan, seconds: float, is_asked: bool) -> Count:
    """Return a count of as many battles as the time allows; one at least if the odds are asked for."""
    deadline = monotonic() + seconds
    found = Count(len(plan.sides))
    while found.battles < BATTLES:
        try:
            battle = ended(plan, PATH, found.battles, inf if is_asked and not found.battles else deadline)
        except TimeUp:
            break
        outcome = battle.outcome()
        found.add(found.battles, outcome.winners, [0] * len(plan.sides), outcome.losses)
    return found


def formalities(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield the pending battles that one side as good as always wins, by id, each with a sentence.

    A battle is tried until no side can have 95 of a hundred points of 60 battles any more, so one that is
    not decided is soon done with; those whose commanders think are left out, and so are all that come
    after 600 battles. What cannot be fought is no formality.
    """
    left = ALL_TRIED
    for battle in campaign.pending:
        if left < TRIED or destroyed(campaign, battle) or thinks(campaign, battle):
            continue
        plan = read_battle(rehearsal_table(campaign, battle), campaign.folder)
        found = count_one_sided(plan)
        left -= found.battles
        if found.battles == TRIED:
            best = max(side_shares(plan, found), key=lambda one: one.share)
            yield (
                battle.id,
                f"one-sided, the cards are a formality: {best.share:.0%} of {TRIED} go to {best.name}",
            )


def count_one_sided(plan: BattlePlan) -> Count:
    """Return a count of 60 battles, or of as many as show that no side has 95 of a hundred points."""
    found = Count(len(plan.sides))
    while found.battles < TRIED:
        found.merge(count(plan, PATH, found.battles, found.battles + LOOK))
        if WHOLE * found.battles - max(found.points) > (1 - FORMALITY) * WHOLE * TRIED:
            break
    return found
