"""House rules and side options of Strategy WAR (SW-21)."""

from __future__ import annotations

from cardbattle.core.cards import CARD_RANK, RANKS
from cardbattle.core.names import quoted
from cardbattle.core.options import CardList, OneOf, Preset, Presets, Switch, Whole
from cardbattle.rules.strategy_war.battle import FULL_HAND

TIEBREAKS = ["shared", "most-rounds", "best-pot"]


def read_rank(value: object) -> int:
    """Return the rank that `value` names, from 2 to 14 (SW-2). Raises ValueError for any other value."""
    rank = CARD_RANK.get(value.strip().upper()) if isinstance(value, str) else None
    if rank is None:
        raise ValueError(f'expected a rank in quotes, "2" to "10", "J", "Q", "K" or "A", got {quoted(value)}')
    return rank


def rank_text(rank: int) -> str:
    """Return a rank in the notation of files."""
    return RANKS[rank]


PRESETS = {
    "literal": Preset("the default readings, which are closest to the published rules", {}),
    "balanced": Preset("the default readings, in which all sides have equal cards and choose together", {}),
    "sample": Preset("the default readings, which agree with the published examples", {}),
}
HOUSE = {
    "rounds": Whole(13, "number of rounds", 1, 26),
    "mode": OneOf(
        "open",
        "open: all sides see who played which card; dark: no side does until the end",
        ["open", "dark"],
    ),
    "tiebreak": OneOf("shared", "who wins with equal points", TIEBREAKS),
    "auto_last": Switch(False, "true: a side plays its last card without being asked"),
    "preset": Presets(PRESETS),
}
OPTIONS = {
    "cards": CardList(FULL_HAND, "the ranks in the side's hand", read_rank, rank_text, least=1, most=26),
}
