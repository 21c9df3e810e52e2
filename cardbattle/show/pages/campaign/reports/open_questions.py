"""What the present turn leaves open: prisoners, factions with few places left, feuds, series of victories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.orders.words import PRISONERS_BY_AGREEMENT, PRISONERS_EXCHANGED_REPORT
from cardbattle.campaign.phases.aftermath import shared_places
from cardbattle.campaign.phases.standoffs import beaten_forces, standoffs
from cardbattle.core.grammar import capital, together, with_verb
from cardbattle.core.names import clean
from cardbattle.show.pages.campaign.reports.lead import LeadWriter, ReportSpan, number_of, times
from cardbattle.show.pages.campaign.reports.value_sentences import leader_of, short_name
from cardbattle.show.stories.battle_context import MOST_LISTED
from cardbattle.show.stories.known_past import KnownPast, pair_of, side_key

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.core.grammar import Noun
    from cardbattle.show.stories.known_past import Fight

FEW = 1  # largest number of places that counts as few
MEET_NEXT = ", and they meet again next"
FEUDS = 2  # maximum number of pairs of sides whose battles against each other are counted


def open_questions(span: ReportSpan, voice: str = "") -> list[str]:
    """Return sentences about what is open after the last turn of a report, for its reader.

    `voice` is the faction that says "we", or "".
    """
    writer = LeadWriter(span, {}, voice)
    past = KnownPast(span.end)
    clauses = [*prisoners(writer), *last_places(writer, past), *feuds(writer, past)]
    if not span.has_ended:
        clauses += [*face_to_face(writer, past), *places_shared_with_allies(writer)]
    if writer.campaign.pending:  # otherwise the lead says this
        clauses += writer.unsettled()
    return [f"{clean(capital(clause))}." for clause in clauses]


def prisoners(writer: LeadWriter) -> Iterator[str]:
    """Yield clauses about the leaders whom each faction holds prisoner, and what their captor can do.

    After the end of the war, a captor has nothing to do. A captor knows its prisoners, even if the visibility
    hides the name of a leader.
    """
    reader = writer.span.today.reader
    campaign = writer.span.end.campaign
    held: dict[str, list[str]] = {}
    for key, force in campaign.forces.items():
        if force.prisoner_of and (force.leader or force.prisoner_of == reader):
            held.setdefault(force.prisoner_of, []).append(leader_of(campaign, key))
    for captor, leaders in held.items():
        is_one = len(leaders) == 1
        names = together(leaders)
        if captor == writer.voice:
            yield f"{names} {'is our prisoner' if is_one else 'are our prisoners'}"
        else:
            yield f"{names} {'is a prisoner' if is_one else 'are prisoners'} of {writer.name(captor)}"
    if reader and reader in held and not writer.span.has_ended:
        is_exchanged = campaign.aftermath is not None and campaign.aftermath.exchange
        yield PRISONERS_EXCHANGED_REPORT if is_exchanged else PRISONERS_BY_AGREEMENT


def face_to_face(writer: LeadWriter, past: KnownPast) -> Iterator[str]:
    """Yield a clause about each place in which hostile forces are without a battle.

    To a faction, only places with its own forces are of interest. If forces there have just lost a battle,
    the clause says that they must retreat. Others do not know of a peace, but that factions were allies.
    """
    campaign = writer.span.end.campaign
    beaten = set() if writer.span.later else beaten_forces(campaign, writer.span.end.ledger)
    for standoff in standoffs(campaign):
        factions = [campaign.forces[key].faction for side in standoff.sides for key in side]
        reader = writer.span.today.reader
        if reader not in campaign.factions or reader in factions:
            present = [key for side in standoff.sides for key in side]
            if retreating := [key for key in present if key in beaten]:
                names = together(short_name(campaign, "forces", key) for key in retreating)
                yield f"{names} must still retreat from {writer.place(standoff.place)}"
                continue
            if reader not in factions and were_last_allies(past, factions):
                continue
            names = together(short_name(campaign, "forces", key) for key in present)
            stand = f"{with_verb(names, 'is|are')} face to face"
            yield f"{stand} at {writer.place(standoff.place)}, without a battle"


def places_shared_with_allies(writer: LeadWriter) -> Iterator[str]:
    """Yield a clause about each place that the reader's forces share with an ally, and do not capture."""
    campaign = writer.span.end.campaign
    reader = writer.span.today.reader
    for place, factions in shared_places(campaign).items():
        if reader not in campaign.factions or reader in factions:
            owner = campaign.locations[place].owner
            stays = f"stays with {writer.name(owner)}" if owner else "still belongs to nobody"
            names = together(short_name(campaign, "factions", faction) for faction in factions)
            yield f"{writer.place(place)} {stays}: forces of {names} are there together"


def were_last_allies(past: KnownPast, factions: Iterable[str]) -> bool:
    """Return True if each two of these factions fought on one side, and not against each other since then."""
    for first, second in combinations({*factions}, 2):
        allied = past.fights.get(f"{first} with {second}", [])
        opposed = past.fights.get(pair_of(f"faction {first}", f"faction {second}"), [])
        if not allied or any(fight.revision > allied[-1].revision for fight in opposed[-1:]):
            return False
    return True


def last_places(writer: LeadWriter, past: KnownPast) -> Iterator[str]:
    """Yield a clause about each faction that lost places and has few left, or that holds most of them."""
    campaign = writer.span.end.campaign
    owned = Counter(place.owner for place in campaign.locations.values() if place.owner)
    losers = {capture.loser for captures in past.captures.values() for capture in captures}
    for faction in campaign.factions:
        name, count = writer.name(faction), owned[faction]
        if 2 * count > len(campaign.locations) > FEW:
            total = number_of(len(campaign.locations))
            share = (
                f"all {total}" if count == len(campaign.locations) else f"{number_of(count)} of the {total}"
            )
            yield f"{with_verb(name, 'holds|hold')} {share} places"
        elif faction in losers and count == FEW:
            (last,) = places_of(campaign, faction)
            next_stake = ", which is at stake next" if is_at_stake(writer, last) else ""
            yield f"{with_verb(name, 'has|have')} only {writer.place(last)} left{next_stake}"
        elif faction in losers and not count:
            yield from without_place(writer, faction, name)
        elif count > FEW and all(is_at_stake(writer, place) for place in places_of(campaign, faction)):
            every = "both" if count == FEW + 1 else "all"
            yield f"{with_verb(name, 'has|have')} {number_of(count)} places, and {every} are at stake next"


def places_of(campaign: Campaign, faction: str) -> list[str]:
    return [key for key, place in campaign.locations.items() if place.owner == faction]


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


def is_at_stake(writer: LeadWriter, place: str) -> bool:
    """Return True if a pending battle that the reader knows is fought for a place."""
    return any(battle.stakes == place for battle in writer.campaign.pending)


def feuds(writer: LeadWriter, past: KnownPast) -> Iterator[str]:
    """Yield at most two clauses about sides that met before and meet next, or met again in these turns.

    The sides that meet next are first, then those that met most often. Only battles between the same forces
    count.
    """
    campaign = writer.span.end.campaign
    fights = [fight for entry in writer.span.battles for fight in past.of(entry)]
    next_pairs = pairs(battle.sides for battle in writer.campaign.pending)
    meetings = [
        (pair, first_side, second_side, past.fights.get(pair, ()))
        for pair, (first_side, second_side) in (next_pairs | pairs(fight.sides for fight in fights)).items()
        if all(
            key in campaign.forces and not campaign.forces[key].destroyed
            for key in (*first_side, *second_side)
        )
    ]
    meetings.sort(key=lambda meeting: (meeting[0] not in next_pairs, -len(meeting[3])))
    clauses = (
        feud_clause(campaign, first_side, second_side, met, meet_next=pair in next_pairs)
        for pair, first_side, second_side, met in meetings
    )
    yield from islice(filter(None, clauses), FEUDS)


def pairs(battles: Iterable[Sequence[Sequence[str]]]) -> dict[str, Sequence[Sequence[str]]]:
    """Return the two sides of each battle, in the order of their keys, by the index of their battles."""
    duels = [sides for sides in battles if len(sides) == 2 and max(map(len, sides)) <= MOST_LISTED]
    ordered = [sorted(sides, key=side_key) for sides in duels]
    return {
        pair_of(side_key(first_side), side_key(second_side)): (first_side, second_side)
        for first_side, second_side in ordered
    }


def feud_clause(
    campaign: Campaign,
    first_side: Sequence[str],
    second_side: Sequence[str],
    met: Sequence[Fight],
    *,
    meet_next: bool,
) -> str:
    """Say how two sides stand against each other, or return "" if there is little to say.

    A single victory is worth a clause only if the two meet next.
    """
    wins = [sum(fight.has_won(side[0]) is True for fight in met) for side in (first_side, second_side)]
    names = [
        together(short_name(campaign, "forces", key) for key in side) for side in (first_side, second_side)
    ]
    better, worse = sorted((0, 1), key=lambda seat: -wins[seat])
    first, second = names[better], names[worse]
    end = MEET_NEXT if meet_next else ""
    if not wins[better] or (wins[better] == 1 and not wins[worse] and not meet_next):
        return ""
    if not wins[worse]:
        often = "before" if wins[better] == 1 else f"{times(wins[better])} without a defeat"
        return f"{with_verb(first, 'has|have')} beaten {second} {often}{end}"
    if wins[better] == wins[worse]:
        return f"{together([first, second])} have beaten each other {times(wins[better])}{end}"
    score = f"{number_of(wins[better])} victories to {number_of(wins[worse])}"
    return f"{with_verb(first, 'leads|lead')} {second} by {score}{end}"
