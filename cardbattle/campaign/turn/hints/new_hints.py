"""Find the hints that a change of the campaign has caused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.state.battle_setup import unfit_advantage
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.turn.hints.league_hints import league_hints
from cardbattle.campaign.turn.hints.order_hints import order_hints
from cardbattle.campaign.turn.hints.peace_hints import peace_hints


def new_hints(before: tuple[Campaign, Ledger], after: tuple[Campaign, Ledger]) -> list[str]:
    """Return the hints about the league, peace, orders and strength that changes have caused."""
    earlier = {*immediate_hints(*before)}
    return [hint for hint in immediate_hints(*after) if hint not in earlier]


def immediate_hints(campaign: Campaign, ledger: Ledger) -> Iterator[str]:
    """Yield the hints that the umpire needs immediately after the change that causes them."""
    for hint in chain(league_hints(campaign, ledger), peace_hints(campaign)):
        yield hint.text
    for hint in order_hints(campaign, ledger):
        yield f"order of {hint.at[1]}: {hint.text}"
    for battle in campaign.pending:
        if problem := unfit_advantage(campaign, battle):
            yield f"battle {battle.id}: {problem}"
