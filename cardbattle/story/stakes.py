"""The context of a battle: place and date, strengths, consequences, and the odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.telling import Fact, FactValue, Name

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report

HARDLY, UNLIKELY, EVEN = 150, 350, 430  # chances of the weaker of two sides, in permille


class Stakes(NamedTuple):
    """What a campaign knows about a battle; all of it is optional.

    Attributes:
        place: where it is fought.
        when: date or name of the turn.
        words: the umpire's own sentences, which a story contains unchanged.
        written: a story by the umpire, which replaces the generated one; "" for none.
        decides: facts about what is at stake.
        strengths: strength of each seat before the battle; 0 where the reader does not know it.
        chances: chance of winning of each seat before the first move, in permille.
        casualties: for each seat its losses, and its strength before.
        aftermath: facts about who holds the place and what it changes.
        shorts: short name of each seat; "" to derive it.

    """

    place: str = ""
    when: str = ""
    words: Sequence[str] = ()
    decides: Sequence[Fact] = ()
    strengths: Sequence[int] = ()
    chances: Sequence[int] = ()
    casualties: Sequence[tuple[int, int]] = ()
    aftermath: Sequence[Fact] = ()
    shorts: Sequence[str] = ()
    written: str = ""


def opening_facts(report: Report, stakes: Stakes) -> list[Fact]:
    """Return facts about the sides, the place and date, the stakes, and the odds."""
    sides: dict[str, FactValue] = {"sides": [Name(seat) for seat in range(len(report.names))]}
    if len(report.names) == 2:
        sides |= {"side": Name(0), "rival": Name(1)}
    kind = "meet" if len(report.names) == 2 else "meet_many"
    for word, value in (("place", stakes.place), ("when", stakes.when)):
        if value:
            kind += f"_{word}"
            sides[word] = value
    return [Fact(kind, sides), *stakes.decides, *odds_facts(stakes), *strength_facts(stakes)][:3]


def strength_facts(stakes: Stakes) -> list[Fact]:
    """Return the fact that a side is outnumbered, and by how much, if both strengths are known."""
    if len(stakes.strengths) != 2 or not all(stakes.strengths):
        return []
    weak = 0 if stakes.strengths[0] < stakes.strengths[1] else 1
    few, many = stakes.strengths[weak], stakes.strengths[1 - weak]
    ratio = simple_ratio(many, few)
    if ratio == (1, 1):
        return []
    fields: dict[str, FactValue] = {
        "side": Name(weak), "rival": Name(1 - weak), "many": ratio[0], "few": ratio[1],
        "strength": few, "rivals_strength": many,
    }  # fmt: skip
    return [Fact("outnumbered_by" if ratio[1] == 1 else "outnumbered", fields)]


def simple_ratio(many: int, few: int) -> tuple[int, int]:
    """Return the nearest ratio of small numbers.

    >>> simple_ratio(16, 11), simple_ratio(30, 29), simple_ratio(50, 6)
    ((3, 2), (1, 1), (8, 1))
    """
    choices = [(n, d) for d in (1, 2, 3, 4) for n in range(d, 3 * d if d > 1 else 13)]
    return min(choices, key=lambda ratio: (abs(ratio[0] / ratio[1] - many / few), ratio[1]))


def odds_facts(stakes: Stakes) -> list[Fact]:
    """Return a fact about the odds before the battle."""
    if len(stakes.chances) != 2:
        return []
    weak = 0 if stakes.chances[0] < stakes.chances[1] else 1
    fields: dict[str, FactValue] = {"side": Name(weak), "rival": Name(1 - weak)}
    chance = stakes.chances[weak]
    kind = (
        "hopeless" if chance < HARDLY else "unfancied" if chance < UNLIKELY else "favoured" if chance < EVEN
        else "even_odds"
    )  # fmt: skip
    return [Fact(kind, fields)]
