"""How the chances of a fought battle went, in little time: for a few moments, by few battles.

An analysis looks closer (chances/analysis.py); this is enough for a chart beside a tale.
"""

from __future__ import annotations

from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import stream
from cardbattle.simulation.analysis import (
    Analysis,
    Moment,
    Position,
    dealt,
    gains,
    means,
    moments,
    play_out_regular,
    spread_out,
)
from cardbattle.simulation.intervals import Interval, wilson_bounds

PATH = "trend"
BATTLES = 40  # fought on from each moment: a chance is right to 15 in a hundred
MOST_MOMENTS = 24


class Trend(NamedTuple):
    """The chances of a battle: the shares of all seats after each examined move, and the turning points."""

    points: list[tuple[int, list[float]]]
    turns: list[int]


def trend_of(record: Record, battles: int = BATTLES, most: int = MOST_MOMENTS) -> Trend:
    """Return the chances of a battle as the sides could know them.

    Each rollout deals the hidden cards of one side again, with the sides in turn. Regular commanders finish
    `battles` (from 1) from each of at most `most` positions (from 2). Raises ReplayMismatch if the record
    does not replay, and IllegalMove if it needs unknown cards.
    """
    all_moments = list(moments(record))
    looked = [position_at(record, all_moments[at], battles) for at in spread_out(len(all_moments), most)]
    turns = Analysis(record, looked, battles, True, len(all_moments) - 1).turns()
    points = [(position.made, [round(chance.share, 3) for chance in position.chances]) for position in looked]
    return Trend(points, sorted(turn.last for turn in turns))


def position_at(record: Record, moment: Moment, battles: int) -> Position:
    """Return the chances of all seats at one moment; at the end they are certain."""
    battle = moment.battle
    if battle.side == NOBODY:
        shares = gains(battle)
        return Position(moment.made, NOBODY, "", False, [Interval(0, one, one, one) for one in shares], None)
    rows = []
    for number in range(battles):
        chance = stream(record.id, f"{PATH}/{moment.made}/{number}")  # players read it: not by the seed
        dealt_again = dealt(battle, number % battle.sides, chance)
        rows.append(gains(play_out_regular(dealt_again, record.rules, chance)))
    chances = [Interval(0, share, *wilson_bounds(share, battles)) for share in means(rows)]
    return Position(moment.made, battle.side, moment.move, False, chances, None)
