"""The places of a knock-out or of the play-offs, round by round, with the rounds that are still to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardbattle.campaign.league.agreement import disagreements, stage_of, stage_seeds
from cardbattle.campaign.league.knock_out import Tie
from cardbattle.campaign.league.league_table import PENDING, League
from cardbattle.campaign.league.pairing import bracket, knock_out_name, neighbours
from cardbattle.campaign.state.tables.fixtures import Round
from cardbattle.core.errors import InvalidInput


class BracketRound(NamedTuple):
    """A round of a bracket. Neighbours in `places` meet; None is a bye, or a force that is not known yet.

    `drawn` and `ties` are the round and its pairs, or None and an empty list for a round to come. The last
    round has one place, for the winner.
    """

    name: str
    places: Sequence[str | None]
    drawn: Round | None = None
    ties: Sequence[Tie] = ()


def bracket_rounds(league: League) -> list[BracketRound]:
    """Return the rounds of the bracket.

    The list is empty if there is no bracket, if the reader does not know the seeds, or if a round does not
    agree with the results.
    """
    stage = stage_of(league)
    seeds = stage_seeds(league, stage)
    if not stage or len(seeds) < 2 or disagreements(league):
        return []
    ranks = {key: place for place, key in enumerate(seeds)}
    places, rounds = bracket(seeds), []
    for drawn, following in zip(stage, [*stage[1:], None], strict=False):
        if len(places) < 2:
            return []
        ties = [Tie(league, drawn, ranks, *pair) for pair in neighbours(places)]
        rounds.append(BracketRound(drawn.name or knock_out_name(len(places)), places, drawn, ties))
        places = [tie.side_in(following) if following else advancing(tie) for tie in ties]
    while len(places) > 1:
        rounds.append(BracketRound(knock_out_name(len(places)), places))
        places = [None] * (len(places) // 2)
    return [*rounds, BracketRound("Winner", places)]


def advancing(tie: Tie) -> str | None:
    """Return the force that advances from a tie of the last drawn round, or None if it is not known."""
    if tie.is_drawn or (tie.match is not None and tie.league.state(tie.match) == PENDING):
        return None
    try:
        return tie.winner()
    except InvalidInput:  # a cancelled match that has to be fought
        return None
