"""Marches, meetings and orders that failed, as sentences of a chronicle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.state.changes import is_battle, is_table
from cardbattle.campaign.state.tables.march_orders import (
    APART,
    AVOIDED,
    CORNERED,
    CROWDED,
    ENGAGED,
    IMPOSSIBLE,
    IN_BATTLE,
    IN_CIRCLE,
    NO_ROAD,
    NOT_THERE,
    OFF_PATH,
    SLOWED,
    STANDS_BY,
    UNSEEN,
    WEATHER,
    WITHDREW,
    avoidance_in,
    can_have_failure,
    parse_order,
)
from cardbattle.campaign.visibility.visible_turns import RAISED
from cardbattle.core.grammar import capital, choose_form, together, with_verb
from cardbattle.show.pages.campaign.history import meeting_words
from cardbattle.show.pages.campaign.reports.value_sentences import short_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.core.grammar import Noun


def march_sentences(campaign: Campaign, entry: Entry, placed: Collection[str]) -> Iterator[str]:
    """Yield sentences about the marches of an entry. Forces that marched together share a sentence.

    The forces in `placed` did not march. A withdrawal before a battle has a sentence of its own.
    """
    marches: dict[tuple[object, object], list[Noun]] = {}
    new = {change.key for change in entry.changes if is_table(change.key)}
    withdrawals = {
        change.key[1]: avoidance.origin
        for change in entry.changes
        if can_have_failure(change.key)
        and (avoidance := avoidance_in(change.text))
        and avoidance.failure == WITHDREW
    }
    for change in entry.changes:
        if change.key[0] == "forces" and change.key[-1] == "location" and change.key[:2] not in new:
            if change.key[1] in placed or change.text == RAISED:
                continue
            after = withdrawals.get(change.key[1], change.after)
            if change.key[1] in withdrawals and after in ("", change.before):
                continue  # the sentence about the withdrawal says so
            forces = marches.setdefault((change.before, after), [])
            forces.append(short_name(campaign, "forces", change.key[1]))
    for (before, after), forces in marches.items():
        origin = f" from {short_name(campaign, 'locations', before)}" if before else ""
        target = f" to {short_name(campaign, 'locations', after)}" if after else ""
        verb = "retreats|retreat" if entry.kind == "aftermath" else "marches|march"
        yield f"{with_verb(together(forces), verb)}{origin}{target}"


def placement_sentences(campaign: Campaign, entry: Entry, placed: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each destroyed force that the umpire raised again and placed somewhere.

    `placed` has the forces of which the reader knows that the umpire placed them.
    """
    for change in entry.changes:
        if change.key[0] == "forces" and change.key[2:] == ("location",) and change.after:
            force, place = (
                short_name(campaign, table, key)
                for table, key in (("forces", change.key[1]), ("locations", change.after))
            )
            if change.key[1] in placed:
                yield f"{with_verb(force, 'is|are')} placed at {place}"
            elif change.text == RAISED:
                yield f"{with_verb(force, 'appears|appear')} at {place}"


def contact_sentences(campaign: Campaign, entry: Entry) -> Iterator[str]:
    """Yield a sentence for each contact. It names the forces that meet, and the place."""
    for change in entry.changes:
        if is_battle(change.key) and isinstance(change.after, dict):
            yield f"{capital(meeting_words(campaign, change.after, short_name))}."


MOST_SIDES = "a battle has a limited number of sides, and the strongest fight"
ELSEWHERE = "the enemies there have another battle to fight"
FULL = "the place ahead holds as many friendly forces as it can"
AS_ORDERED = "as ordered"
NO_WAY_OUT = "although ordered to avoid battle: no free place is in reach"
EACH_OTHER = "forces that join each other cannot march"
NO_ALLY = "the force to join is not an ally in sight"
FAILED_ORDERS = {
    AVOIDED: f"stops or falls back to avoid battle, {AS_ORDERED}"
    f"|stop or fall back to avoid battle, {AS_ORDERED}",
    CORNERED: f"has to fight, {NO_WAY_OUT}|have to fight, {NO_WAY_OUT}",
    CROWDED: f"has to wait: {FULL}|have to wait: {FULL}",
    WEATHER: "cannot march in this weather",
    APART: "goes on alone|go on alone",
    SLOWED: "is slowed by the weather|are slowed by the weather",
    IMPOSSIBLE: "holds: its order cannot be carried out|hold: their order cannot be carried out",
    IN_BATTLE: "holds: it has a battle to fight|hold: they have a battle to fight",
    NO_ROAD: "holds: no road leads where it is to go|hold: no road leads where they are to go",
    OFF_PATH: "holds: its order begins in another place|hold: their order begins in another place",
    IN_CIRCLE: f"holds: {EACH_OTHER}|hold: {EACH_OTHER}",
    NOT_THERE: "holds: the force to join is not on the map|hold: the force to join is not on the map",
    UNSEEN: f"holds: {NO_ALLY}|hold: {NO_ALLY}",
    STANDS_BY: f"stands by: {MOST_SIDES}|stand by: {MOST_SIDES}",
    ENGAGED: f"stands by: {ELSEWHERE}|stand by: {ELSEWHERE}",
}


def failed_order_sentence(campaign: Campaign, entry: Entry, change: Change, failure: str) -> str:
    """Say why a force did not carry out its order, or how it avoided battle."""
    name = short_name(campaign, "forces", change.key[1])
    avoidance = avoidance_in(change.text)
    if failure == APART and isinstance(change.before, str):
        joined = short_name(campaign, "forces", parse_order(change.before).joined)
        stopped = choose_form("which stops|which stop", joined.is_plural)
        return f"{with_verb(name, 'goes|go')} on without {joined}, {stopped} to avoid battle"
    if avoidance is None:
        return with_verb(name, FAILED_ORDERS[failure])
    origin, end = (short_name(campaign, "locations", key) for key in (avoidance.origin, avoidance.end))
    enemies = together(short_name(campaign, "forces", key) for key in avoidance.enemies) or "battle"
    has_moved = any(each.key == ("forces", change.key[1], "location") for each in entry.changes)
    if failure == WITHDREW:
        start = f" from {origin}" if avoidance.origin else ""
        clause = f"{with_verb(name, 'falls|fall')} back{start} to {end}"
    elif avoidance.end:
        clause = f"{with_verb(name, 'stops|stop' if has_moved else 'stays|stay')} at {end}"
    else:
        clause = f"{with_verb(name, 'stops|stop')} on the road"
    return f"{clause} to avoid {enemies}, {AS_ORDERED}"
