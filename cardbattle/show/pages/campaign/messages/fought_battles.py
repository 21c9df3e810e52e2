"""Names and results of the battles of a turn, for messages to players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.phases.finished_phases import entries_of_turn
from cardbattle.campaign.state.tables.aftermath import DESTROYED, STAYS
from cardbattle.campaign.state.tables.battle_effects import battle_place_words
from cardbattle.campaign.visibility.reader import fighting_sides, recorded_result_text
from cardbattle.core.grammar import mid_sentence
from cardbattle.show.battle_text import share_words
from cardbattle.show.stories.known_past import battle_table

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign

PART_IS_LASTING = "A force loses only a part of its losses in a battle for good."


def end_of(visible: VisibleCampaign) -> str:
    """Return what happens to a force without a way out, by the setting `no_retreat`."""
    settings = visible.campaign.aftermath
    rule = settings.no_retreat if settings else STAYS
    return "is destroyed" if rule == DESTROYED else rule


def fought_line(visible: VisibleCampaign, battle: str) -> str:
    """Return a line about the result of a recorded battle, as the reader may know it.

    It begins like the program's own lines that are never read as a report when a mail quotes them.
    """
    entry = fought_battle(visible, battle)
    title = title_of_fought(visible, battle).removeprefix("the ")
    campaign = visible.campaign_after(entry)
    return f"- {title}: {recorded_result_text(campaign, entry, share_words, mid_sentence)}."


def battles_of_turn(visible: VisibleCampaign) -> list[str]:
    """Return the recorded battles of this turn in which the reader's forces fought."""
    return [
        entry.id
        for entry in entries_of_turn(visible.ledger)
        if entry.result is not None and visible.clearance.fights([*fighting_sides(entry).values()])
    ]


def fought_battle(visible: VisibleCampaign, battle: str) -> Entry:
    return next(
        entry for entry in reversed(visible.entries) if entry.id == battle and entry.result is not None
    )


def title_of_fought(visible: VisibleCampaign, battle: str) -> str:
    """Name a recorded battle by the place or road where it was fought, as `battle_title` does."""
    table = battle_table(fought_battle(visible, battle))
    road, place = table.get("road"), str(table.get("place") or table.get("stakes") or "")
    at = battle_place_words(visible.campaign, road if isinstance(road, list | tuple) else (), place)
    return f"the battle {at}" if at else f"battle {battle}"


def lasting_part(campaign: Campaign) -> list[str]:
    """Return a line which says that losses are partly made good, or nothing if all or none are for good."""
    attrition = campaign.attrition
    rates = {attrition.rate, attrition.rate if attrition.winner_rate is None else attrition.winner_rate}
    return [PART_IS_LASTING] if rates not in ({0}, {1}) else []
