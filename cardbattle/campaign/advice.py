"""Advice before a battle: the odds of pending ones, with the commanders they have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import NamedTuple

from cardbattle.campaign.advantage import battle_table, destroyed
from cardbattle.campaign.bouts import thinks
from cardbattle.campaign.model import Campaign, Pending
from cardbattle.chances.counting import WHOLE, Count, count
from cardbattle.chances.odds import wilson_bounds
from cardbattle.core.battle import Outcome
from cardbattle.core.chance import Chance, child_seed
from cardbattle.core.errors import CardbattleError
from cardbattle.fighting.battlefile import Plan, read_battle
from cardbattle.fighting.resolve import fought, streams_from

PATH = "advice"
BATTLES = 200  # that each pending battle is fought
MOST = 600  # in all, unless they are asked for
FEWEST = 20  # fewer say nothing
SECONDS = 2.0  # for all whose commanders think, unless they are asked for
ASKED = 20.0  # seconds for each of them if they are


class Share(NamedTuple):
    """What a side should take of the points: the share counted, and the interval of 95 %."""

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

    def words(self) -> str:
        """Return the odds in a sentence."""
        if self.why:
            return f"no odds: {self.why}"
        shares = [
            f"{one.name} ({one.commander}) {one.share:.0%} ({one.low:.0%} to {one.high:.0%})"
            for one in self.sides
        ]
        return f"odds by {self.battles} battles: {', '.join(shares)}"

    def table(self) -> dict[str, object]:
        """Return the odds as JSON has them."""
        if self.why:
            return {"why": self.why}
        return {"battles": self.battles, "sides": [one._asdict() for one in self.sides]}


class Given(NamedTuple):
    """How long a battle may be counted: so many battles, or seconds if its commanders think."""

    battles: int
    seconds: float
    is_asked: bool


class TimeUp(Exception):
    """A battle took longer than anybody would wait."""


class Hurried(Chance):
    """A commander's stream that breaks off his thoughts once the time is up: each try draws from it."""

    def __init__(self, chance: Chance, until: float) -> None:
        super().__init__(chance.a, chance.b, chance.c, chance.counter)
        self.until = until

    def bits(self) -> int:
        """Return the next 32 bits; TimeUp if it is too late."""
        if monotonic() > self.until:
            raise TimeUp
        return super().bits()


def advice(
    campaign: Campaign, pending: Sequence[Pending], is_asked: bool, tick: Callable[[int, int], None]
) -> dict[str, Advice]:
    """Return the odds of each of these battles as the campaign stands, by its id.

    Battles whose commanders think are fought as often as the time allows; it is short, and the
    others are fought less often if there are many, unless the odds are asked for. `tick` is told
    how many battles have theirs.
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
        plan = read_battle(battle_table(campaign, battle), campaign.folder)
        if thinks(campaign, battle):
            counted = counted_in(plan, given.seconds, given.is_asked)
            why = "such commanders think too long; ask for them with --odds"
        else:
            counted = count(plan, PATH, 0, given.battles)
            why = "too many battles are pending; ask for them with --odds"
    except CardbattleError as error:
        return Advice(0, [], str(error))
    if not counted.battles:
        return Advice(0, [], why)
    shares = [points / (WHOLE * counted.battles) for points in counted.points]
    bounds = [wilson_bounds(share, counted.battles) for share in shares]
    return Advice(
        counted.battles,
        [
            Share(key, side.name, side.commander, share, low, high)
            for key, side, share, (low, high) in zip(
                plan.setup.seats, plan.sides, shares, bounds, strict=True
            )
        ],
    )


def counted_in(plan: Plan, seconds: float, is_asked: bool) -> Count:
    """Return a count of as many battles as the time allows; one at least if the odds are asked for."""
    until = monotonic() + seconds
    counted = Count(len(plan.sides))
    while counted.battles < BATTLES:
        try:
            outcome = hurried(plan, counted.battles, inf if is_asked and not counted.battles else until)
        except TimeUp:
            break
        counted.add(counted.battles, outcome.winners, [0] * len(plan.sides), outcome.losses)
    return counted


def hurried(plan: Plan, number: int, until: float) -> Outcome:
    """Return how a battle of a plan ends; TimeUp if it lasts too long."""
    assert plan.seed is not None
    streams = streams_from(child_seed(plan.seed, f"{PATH}/{number}"), plan.setup.seats)
    in_a_hurry = streams._replace(sides=[Hurried(one, until) for one in streams.sides])
    return fought(plan, in_a_hurry, listen=False).outcome()
