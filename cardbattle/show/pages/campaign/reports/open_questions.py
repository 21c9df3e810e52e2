"""What the present turn leaves open: prisoners, factions with few places left, and series of victories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cardbattle.core.grammar import together, with_verb
from cardbattle.core.names import clean
from cardbattle.show.pages.campaign.chronicle import leader_of, short_name, upper
from cardbattle.show.pages.campaign.reports.lead import LeadWriter, ReportSpan, number_of
from cardbattle.show.stories.battle_context import KnownPast

if TYPE_CHECKING:
    from cardbattle.core.grammar import Noun

FEW = 1  # largest number of places that counts as few


def open_questions(span: ReportSpan, voice: str = "") -> list[str]:
    """Return sentences about what is open after the last turn of a report, for its reader.

    `voice` is the faction that says "we", or "".
    """
    writer = LeadWriter(span, {}, voice)
    known = KnownPast(span.end)
    clauses = [*prisoners(writer), *last_places(writer, known)]
    if writer.campaign.pending:  # otherwise the lead says this
        clauses += writer.unsettled()
    return [f"{clean(upper(clause))}." for clause in clauses]


def prisoners(writer: LeadWriter) -> Iterator[str]:
    """Yield a clause about the leaders whom each faction holds prisoner."""
    campaign = writer.span.end.campaign
    held: dict[str, list[str]] = {}
    for key, force in campaign.forces.items():
        if force.prisoner_of and force.leader:
            held.setdefault(force.prisoner_of, []).append(leader_of(campaign, key))
    for captor, leaders in held.items():
        is_one = len(leaders) == 1
        names = together(leaders)
        if captor == writer.voice:
            yield f"{names} {'is our prisoner' if is_one else 'are our prisoners'}"
        else:
            yield f"{names} {'is a prisoner' if is_one else 'are prisoners'} of {writer.name(captor)}"


def last_places(writer: LeadWriter, known: KnownPast) -> Iterator[str]:
    """Yield a clause about each faction that lost places and has few left, or that holds most of them."""
    campaign = writer.span.end.campaign
    owned = Counter(place.owner for place in campaign.locations.values() if place.owner)
    losers = {capture.loser for captures in known.captures.values() for capture in captures}
    for faction in campaign.factions:
        name, count = writer.name(faction), owned[faction]
        if 2 * count > len(campaign.locations) > FEW:
            total = number_of(len(campaign.locations))
            yield f"{with_verb(name, 'holds|hold')} {number_of(count)} of the {total} places"
        elif faction in losers and count == FEW:
            (last,) = [key for key, place in campaign.locations.items() if place.owner == faction]
            yield f"{with_verb(name, 'has|have')} only {writer.place(last)} left"
        elif faction in losers and not count:
            yield from without_place(writer, faction, name)


def without_place(writer: LeadWriter, faction: str, name: Noun) -> Iterator[str]:
    """Yield a clause about a faction that has no place left, with its known forces."""
    campaign = writer.span.end.campaign
    forces = [
        short_name(campaign, "forces", key)
        for key, force in campaign.forces.items()
        if force.faction == faction and not force.destroyed
    ]
    has_none = f"{with_verb(name, 'has|have')} no place left"
    if not forces:
        yield has_none
        return
    armies = together(forces)
    yield f"{has_none}, but {with_verb(armies, 'is|are')} still in the field"
