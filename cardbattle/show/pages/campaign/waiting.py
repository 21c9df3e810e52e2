"""The page that lists what players and the umpire have to do (their duties)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.state.clock import local_time, zoned_time
from cardbattle.campaign.turn.waiting import (
    ANSWER,
    CHECK,
    CONFIRM,
    FIGHT,
    OPEN,
    ORDERS,
    RETREAT,
    duty_names,
    overdue,
)
from cardbattle.core.grammar import capital, together, with_verb
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.show.document import Document, Item, Items, Paragraph, Section, Title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.waiting import Duty
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content

NOTHING = "No one."
NOTHING_KNOWN = "No one, as far as this reader may know."
IDLE = "has no forces to order|have no forces to order"
UNLESS = ", unless the secret answer is in"
UNLISTED = "A faction that is not listed has sent its orders, or has no forces to order."


def duties_of_reader(visible: VisibleCampaign, open_duties: Iterable[Duty]) -> list[Duty]:
    """Return those of the duties in `open_duties` that a reader may know of.

    Everyone may know which orders are missing. In battles that they know, players see who must answer, but
    not since when, because this would show that another side has answered in secret. If a faction must
    report, confirm or check a result, or choose a retreat, only this faction and the umpire may know of it
    and of its deadline.
    """
    if visible.is_whole:
        return list(open_duties)
    visible_ids = {battle.id for battle in visible.campaign.pending}
    duties = []
    for duty in open_duties:
        is_mine = visible.reader in duty.factions
        if duty.kind in (ORDERS, OPEN) or (duty.kind == RETREAT and is_mine):
            duties.append(duty)
        elif duty.battle in visible_ids and (
            duty.kind == ANSWER or (duty.kind in (CONFIRM, CHECK) and is_mine)
        ):
            duties.append(duty._replace(since="", until="") if duty.kind == ANSWER else duty)
    return duties


def idle_of_reader(visible: VisibleCampaign, idle: Iterable[str]) -> list[str]:
    """Return those of the `idle` factions that a reader may know to have no forces to order."""
    knows_all = visible.is_whole or visible.campaign.visibility.shows_forces
    return [faction for faction in idle if knows_all or faction == visible.reader]


def idle_sentence(visible: VisibleCampaign, duties: Iterable[Duty], idle: Sequence[str]) -> str:
    """Return a sentence about factions that have no forces to order, or "" if it is not needed.

    `idle` are those of the factions that the reader may know. If forces are hidden from the reader, the
    sentence is the same whether or not a faction has forces.
    """
    if not any(duty.kind == ORDERS for duty in duties):
        return ""
    if idle:
        names = together([visible.campaign.faction_name(faction) for faction in idle])
        return f"{with_verb(names, IDLE)}."
    return "" if visible.is_whole or visible.campaign.visibility.shows_forces else UNLISTED


def waiting_page(
    campaign: Campaign,
    duties: Sequence[Duty],
    current_time: str,
    idle: Sequence[str] = (),
    note: str = "",
    is_whole: bool = True,
) -> Document:
    """Show all duties, grouped by the person who has them.

    `current_time` decides which are overdue. `idle` are the factions that have no forces to order, and `note`
    is a sentence about them. `is_whole` says that the reader may know every duty.
    """
    title = f"{campaign.name}: waiting for"
    blocks: list[Content] = [Title(clean(title))]
    by_name: dict[str, list[Duty]] = {}
    for duty in duties:
        by_name.setdefault(clean(duty_names(campaign, duty)), []).append(duty)
    for name, mine in by_name.items():
        lines = [duty_words(duty, current_time) for duty in mine]
        facts = [f"{name}: {line}" for line in lines]
        blocks += [
            Section(capital(name), []),
            Items([Item("", line) for line in lines], facts=facts),
        ]
    late = missed_deadlines(duties, current_time)
    if not duties:
        blocks.append(Paragraph(NOTHING if is_whole else NOTHING_KNOWN))
    elif late:
        # as many of several secret answers as the battle waits for are missing, but at least one
        least = "at least " if any(duty.is_secret for duty in overdue(duties, current_time)) else ""
        sentence = f"{least}{counted(late, 'deadline')} missed."
        blocks.append(Paragraph(capital(sentence)))
    if note:
        blocks.append(Paragraph(clean(note)))
    table: dict[str, object] = {"schema": 1, "waiting": [duty_table(duty, current_time) for duty in duties]}
    return Document(clean(title), blocks, {**table, "nothing_to_order": list(idle)})


def missed_deadlines(duties: Iterable[Duty], current_time: str) -> int:
    """Return the number of missed deadlines. A question that several sides answer in secret counts once."""
    late = [duty for duty in duties if duty.is_overdue(current_time)]
    return sum(not duty.is_secret for duty in late) + len({duty.battle for duty in late if duty.is_secret})


def waiting_sentences(campaign: Campaign, duties: Iterable[Duty], current_time: str) -> list[str]:
    """Return a sentence for each duty. Battles that only need to be fought are left out."""
    return [
        f"{clean(duty_names(campaign, duty))}: {duty_words(duty, current_time)}"
        for duty in duties
        if duty.kind != FIGHT
    ]


def orders_deadline(campaign: Campaign, duties: Sequence[Duty], current_time: str) -> str:
    """Return a sentence about the deadline for orders and the factions that missed it.

    Return "" without a deadline.
    """
    due = [duty for duty in duties if duty.kind in (ORDERS, OPEN) and duty.until]
    if not due:
        return ""
    late = listed(duty_names(campaign, duty) for duty in overdue(due, current_time))
    time = zoned_time(due[0].until)
    return clean(f"The deadline was {time}; it was missed by {late}." if late else f"The deadline is {time}.")


def duty_words(duty: Duty, current_time: str) -> str:
    """Describe a duty, when it began, and when it is due."""
    parts = [clean(duty.words)]
    if duty.since:
        parts.append(f"since {local_time(duty.since) if duty.until else zoned_time(duty.since)}")
    if duty.until:
        parts.append(f"until {zoned_time(duty.until)}")
    late = f": OVERDUE{UNLESS if duty.is_secret else ''}" if duty.is_overdue(current_time) else ""
    return ", ".join(parts) + late


def duty_table(duty: Duty, current_time: str) -> dict[str, object]:
    return {
        "kind": duty.kind,
        "factions": list(duty.factions),
        "battle": duty.battle,
        "what": duty.words,
        "since": duty.since,
        "until": duty.until,
        "one_of": duty.is_one_of,
        "overdue": duty.is_overdue(current_time),
    }
