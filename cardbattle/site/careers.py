"""Compute the career of a force or faction: its record in battles, best day, rivals and honours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.grammar import mid_sentence
from cardbattle.show.pages.campaign.reports.lead import importance

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.site.book import SiteBattle, SiteBook

WON, LOST, DRAWN = "won", "lost", "drawn"
MOST_RIVALS = 5


class Tally(NamedTuple):
    """The numbers of battles that were won, lost and drawn."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    def plus(self, result: str) -> Tally:
        """Return a new tally with one more battle. `result` says how the battle ended."""
        return self._replace(**{result: getattr(self, result) + 1})

    @property
    def battles(self) -> int:
        return sum(self)


class Honour(NamedTuple):
    """A text about an achievement in a turn. `battle` is the battle that led to it, or None."""

    turn: int
    words: str
    battle: SiteBattle | None


class Career(NamedTuple):
    """The record of a force or faction.

    Attributes:
        best: the most important battle that it won, or None if it won none.
        rivals: its opponents, the most frequent one first.
        honours: its honours, in the order of the ledger.

    """

    tally: Tally
    best: SiteBattle | None
    rivals: list[tuple[str, Tally]]
    honours: list[Honour]


def force_career(book: SiteBook, key: str) -> Career:
    """Return the career of a force. Its rivals are forces."""
    titles = [
        Honour(turn.number, str(change.after), None)
        for turn in book.turns
        for entry in turn.entries
        for change in entry.changes
        if change.key == ("forces", key, "title") and change.after
    ]
    career = career_of(book, [key], lambda force: force)
    return career._replace(honours=sorted([*titles, *career.honours], key=lambda honour: honour.turn))


def faction_career(book: SiteBook, key: str) -> Career:
    """Return the career of the forces that a faction has today. Its rivals are factions."""
    forces = book.campaign.forces
    own = [force for force, item in forces.items() if item.faction == key]
    return career_of(book, own, lambda force: forces[force].faction if force in forces else "")


def career_of(book: SiteBook, own: Sequence[str], rival_of: Callable[[str], str]) -> Career:
    """Return the career of the forces in `own`.

    `rival_of` is a function that returns the rival to which an enemy force belongs.
    """
    tally, best = Tally(), None
    rivals: dict[str, Tally] = {}
    honours: list[Honour] = []
    kept = frozenset(own)
    for battle in book.battles_of(own):
        result = result_for(battle, kept)
        tally = tally.plus(result)
        opponents = [force for side in battle.sides if not kept & {*side} for force in side]
        for rival in dict.fromkeys(filter(None, map(rival_of, opponents))):
            rivals[rival] = rivals.get(rival, Tally()).plus(result)
        if result == WON:
            best = max(filter(None, (best, battle)), key=lambda one: importance(book.campaign, one.entry))
            honours += [Honour(battle.turn, words, battle) for words in gains(book.campaign, battle, kept)]
    first = sorted(rivals.items(), key=lambda item: -item[1].battles)
    return Career(tally, best, first[:MOST_RIVALS], honours)


def result_for(battle: SiteBattle, own: frozenset[str]) -> str:
    """Return the result of a battle for the side of the forces in `own`: won, lost or drawn."""
    result = battle.entry.result
    assert result is not None
    seats = [seat for seat, side in enumerate(battle.sides) if own & {*side}]
    winners = [seat for seat, key in enumerate(result.sides) if key in result.winners]
    if not winners or (len(winners) > 1 and {*seats} & {*winners}):
        return DRAWN
    return WON if {*seats} & {*winners} else LOST


def gains(campaign: Campaign, battle: SiteBattle, own: frozenset[str]) -> Iterator[str]:
    """Yield what the forces in `own` gained by winning a battle.

    They can gain a captured place, or the destruction of an enemy force.
    """
    factions = {campaign.forces[force].faction for force in own if force in campaign.forces}
    for change in battle.entry.changes:
        table, key, word = change.key if len(change.key) == 3 else ("", "", "")
        if (table, word) == ("locations", "owner") and change.after in factions and change.before:
            yield f"took {mid_sentence(campaign.location_name(key))}"
        elif (table, word) == ("forces", "destroyed") and change.after and key not in own:
            yield f"destroyed {mid_sentence(campaign.display_name(key))}"
