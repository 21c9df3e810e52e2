"""The results form of a turn is a spreadsheet or a file that the umpire completes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.results_form import (
    can_decline,
    form_columns,
    form_lines,
    form_row,
    form_table,
    pending_battles,
)
from cardbattle.show.document import Document, Items, Listing, Numbers, Title
from cardbattle.show.pages.campaign.battle_sheet import bare_items

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.show.document import Content

HOW = (
    "winners: a key or a name, several separated by commas, or draw",
    'losses: the share of its force that a side lost: 2/5, 40%, 0.4, "lost 4 of 10", none or all',
    "do not change a battle that is still to be fought; never change bound, it ties the result to the forces",
)
SCORE = "score: the points of a side in the battle, a whole number"
NOT_COUNTED = "; leave all scores of a battle empty if they were not counted"
DECLINED = "declined: the sides that refuse the battle; then leave winners and losses empty"


def results_form_page(campaign: Campaign) -> Document:
    """Return the results form. Raises InvalidInput if no battle is pending."""
    battles = pending_battles(campaign)
    name = f"{campaign.name}, turn {campaign.turn}: results of the pending battles"
    hints = [*HOW[:2], *score_hints(campaign), *([DECLINED] if can_decline(campaign) else []), *HOW[2:]]
    blocks: list[Content] = [Title(name), Items(bare_items(hints)), Listing(["", "format = 1"])]
    for battle in battles:
        blocks.append(Listing(["", *form_lines(campaign, battle)]))
    return Document(
        name,
        blocks,
        {"schema": 1, "result": [form_table(campaign, battle) for battle in battles]},
        Numbers(form_columns(campaign), [form_row(campaign, battle) for battle in battles]),
    )


def score_hints(campaign: Campaign) -> list[str]:
    """Return a line about scores if the form asks for them. Only a league does without them."""
    if not campaign.uses_scores:
        return []
    return [SCORE if campaign.scoring.per_score else SCORE + NOT_COUNTED]
