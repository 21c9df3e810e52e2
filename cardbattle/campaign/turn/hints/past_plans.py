"""Find plans of `[[schedule]]` whose turn is over although nothing was carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cardbattle.campaign.ledger.history import turn_of
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.phases.events import SCHEDULE
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.events import Scheduled
from cardbattle.core.errors import Diagnostic


def past_plan_hints(campaign: Campaign, ledger: Ledger) -> Iterator[Diagnostic]:
    """Yield a hint for each plan that can no longer happen.

    If the ledger has as many carried-out plans of a turn as the file has, they all count as carried out.
    """
    planned: dict[int, list[int]] = {}
    for place, item in enumerate(campaign.schedule):
        turn = turn_of_plan(campaign, item)
        if turn is not None and turn < campaign.turn:
            planned.setdefault(turn, []).append(place)
    if not planned:
        return
    revisions = ledger.heads.revisions((SCHEDULE,), ledger.whole_entries)
    carried_out = Counter(
        turn_of(ledger, revision) for revision in revisions if revision not in ledger.undone_revisions
    )
    for turn, places in planned.items():
        if carried_out[turn] >= len(places):
            continue
        for place in places:
            if campaign.schedule[place].turn is not None:
                text = f"turn {turn} is over, so this will not happen; write turn = {campaign.turn}, or more"
                yield Diagnostic(text, at=("schedule", place, "turn"))
            else:
                text = f"this day is in turn {turn}, which is over, so this will not happen; change it"
                yield Diagnostic(text, at=("schedule", place, "date"))


def turn_of_plan(campaign: Campaign, item: Scheduled) -> int | None:
    """Return the turn of a plan. Return None for a day before the first day of the calendar."""
    if item.date is None or campaign.calendar is None:
        return item.turn
    days = (item.date - campaign.calendar.first_day).days
    return days // campaign.calendar.days + 1 if days >= 0 else None
