"""Hints about matches whose battle has other sides, and about open matches of forces that have left."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.campaign.league.league_table import OTHER_SIDES, PENDING, League, opponent
from cardbattle.campaign.state.tables.fixtures import Match
from cardbattle.core.grammar import with_verb
from cardbattle.core.names import listed


def match_hints(league: League, match: Match) -> Iterator[str]:
    """Yield the hints about a match that the umpire should read. Each hint names the command."""
    state = league.state(match)
    if state not in (PENDING, OTHER_SIDES):
        return
    battle, name = match.battle, league.campaign.display_name
    players = league.stand_ins(match)
    sides = f"cardbattle campaign edit {battle} --side {match.home} --side {match.away}"
    if players is None:
        fighters = listed(map(name, league.sides[battle]))
        pair = f"{name(match.home)} against {name(match.away)}"
        text = f"{battle} is fought by {fighters}, so it cannot count for {pair}"
        undone = f"cardbattle campaign undo {battle}, then " if state == OTHER_SIDES else ""
        yield f"{text}; to restore the sides: {undone}{sides}"
        return
    for holder, player in players.items():
        text = f"{with_verb(name(player), 'plays|play')} for {name(holder)} in {battle}"
        yield f"{text}, and the result counts for {name(holder)}; to restore the sides: {sides}"
    yield from leaver_hints(league, match)


def leaver_hints(league: League, match: Match) -> Iterator[str]:
    """Yield a hint if a match is pending, but a force of it has left the league."""
    name, battle = league.campaign.display_name, match.battle
    absent = [key for key in (match.home, match.away) if key not in league.fixtures.forces]
    if not absent or league.state(match) != PENDING:
        return
    text = f"{listed(map(name, absent))} left the league, but {battle} is pending"
    text += f"; to drop the match: cardbattle campaign cancel {battle}"
    if len(absent) == 1 and absent[0] in league.sides[battle]:
        other = name(opponent(match, absent[0]))
        text += f"; to give {other} the win: cardbattle campaign decline {battle} {absent[0]}"
    yield text
