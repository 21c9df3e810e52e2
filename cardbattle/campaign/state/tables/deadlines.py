"""Settings for deadlines, substitutes for players, and results that both sides confirm."""

from __future__ import annotations

import copy
import re
from datetime import timedelta
from fractions import Fraction
from typing import Annotated

from cardbattle.campaign.state.fields import Count, Key, Model, Name, ParsedBy, Rank, Share, one_of
from cardbattle.commanders import DEFAULT
from cardbattle.core.names import quoted

STANDING, HOLD, FORFEIT, WAIT = MISSED = ("standing-orders", "hold", "forfeit", "wait")
BOTH, UMPIRE = CONFIRM = ("both", "umpire")
UNITS = {"minute": 1, "hour": 60, "day": 24 * 60, "week": 7 * 24 * 60}
DURATION = re.compile(r"([1-9][0-9]{0,3}) (minute|hour|day|week)s?")


def read_duration(value: object) -> str:
    """Return a duration such as `3 days`. Raises ValueError for any other value."""
    if not isinstance(value, str) or not DURATION.fullmatch(value):
        raise ValueError(f'expected a duration, such as "3 days" or "36 hours", got {quoted(value)}')
    return value


def duration(text: str) -> timedelta:
    """Parse a duration.

    >>> duration("36 hours") == duration("1 day") + duration("12 hours")
    True
    """
    match = DURATION.fullmatch(text)
    assert match is not None
    return timedelta(minutes=int(match[1]) * UNITS[match[2]])


Duration = Annotated[str, ParsedBy(read_duration, type="string", pattern=f"^{DURATION.pattern}$")]
Missed = Annotated[str, ParsedBy(one_of(*MISSED), type="string", enum=list(MISSED))]
Confirm = Annotated[str, ParsedBy(one_of(*CONFIRM), type="string", enum=list(CONFIRM))]


class Deadlines(Model):
    """The time limits for orders to move, answers by message, results of table battles, and confirmations.

    `missed` decides what happens after a missed deadline. If `missed` is standing-orders, `commander` answers
    for a player who has missed the deadline for an answer.
    """

    orders: Duration | None = None
    answer: Duration | None = None
    result: Duration | None = None
    confirm: Duration | None = None
    missed: Missed = WAIT
    commander: Rank = DEFAULT


class ResultSettings(Model):
    """Who confirms the result of a battle at the table. This is both sides, or only the umpire."""

    confirm: Confirm = UMPIRE


class Substitute(Model):
    """The commander that replaces a faction's player.

    `turn` is the last turn of the replacement, or None if it has no end.
    """

    commander: Rank = DEFAULT
    turn: Count | None = None

    def acts_in(self, turn: int) -> bool:
        return self.turn is None or turn <= self.turn


class ReportedResult(Model):
    """A result that one side has reported.

    It consists of the winners' keys, and of the losses and scores of all sides. `units` contains the losses
    of named units, by side. `declined` are the sides that refused to fight. `side` is the key of the side; if
    factions fight as one side, it is the first force of the faction that reports.
    """

    battle: Key
    side: Key
    winners: list[Key] = []
    losses: dict[Key, Share]
    score: dict[Key, Count] = {}
    units: dict[Key, dict[Name, Count]] = {}
    declined: list[Key] = []

    def matches(self, other: ReportedResult) -> bool:
        """Return True if two reports agree.

        The losses of a unit must agree only if both reports name the unit, and the score of a side only if
        both reports give it.
        """
        return (
            {*self.declined} == {*other.declined}
            and all(
                number == other.units.get(side, {}).get(name, number)
                for side, lost in self.units.items()
                for name, number in lost.items()
            )
            and {*self.winners} == {*other.winners}
            and self.losses == other.losses
            and all(points == other.score.get(side, points) for side, points in self.score.items())
        )

    def table(self) -> dict[str, object]:
        losses = {key: str(Fraction(lost)) for key, lost in self.losses.items()}
        table: dict[str, object] = {"battle": self.battle, "side": self.side}
        table |= {"winners": list(self.winners), "losses": losses}
        optional = {"score": self.score, "units": self.units, "declined": self.declined}
        return table | {word: copy.deepcopy(value) for word, value in optional.items() if value}
