"""Find rounds and matches of the league that no longer agree with the results or with the settings."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.campaign.league.agreement import disagreements, repair
from cardbattle.campaign.league.league_table import League
from cardbattle.campaign.league.match_hints import match_hints
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.errors import Diagnostic


def league_hints(campaign: Campaign, ledger: Ledger) -> Iterator[Diagnostic]:
    """Yield a hint for each round and match that needs the umpire. Each hint names the command."""
    if campaign.fixtures is None or not campaign.round:
        return
    league = League(campaign, ledger, campaign.fixtures)
    for disagreement in disagreements(league):
        at = ("round", campaign.round.index(disagreement.drawn))
        yield Diagnostic(repair(league, disagreement), at=at)
    for place, drawn in enumerate(campaign.round):
        for number, match in enumerate(drawn.matches):
            for text in match_hints(league, match):
                yield Diagnostic(text, at=("round", place, "matches", number))
