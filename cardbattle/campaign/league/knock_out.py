"""The rounds of a knock-out and of play-offs: the bracket, who advances, and replays of drawn matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.league.league_table import OTHER_SIDES, League, present
from cardbattle.campaign.league.match_hints import match_hints
from cardbattle.campaign.league.pairing import Pair, Pairings, bracket, knock_out_name, neighbours
from cardbattle.campaign.state.tables.fixtures import PLAY_OFFS, REPLAY, Match, Round
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import with_verb


class NextRound(NamedTuple):
    """A round to draw.

    Attributes:
        name: the name of the round, such as `Round 3` or `Semi-final`.
        pairings: the pairs and the byes.
        stage: `play-offs`, or an empty string.
        is_replay: True if the matches repeat the drawn matches of the last round.
        seeds: the seeds of the play-offs, in the first round of the play-offs.

    """

    name: str
    pairings: Pairings
    stage: str = ""
    is_replay: bool = False
    seeds: Sequence[str] = ()


def play_off_round(league: League, most: int) -> NextRound:
    """Return the next round of the play-offs between the best `most` forces of the table.

    Raises the errors of `knock_out_round`.
    """
    stage = [drawn for drawn in league.rounds if drawn.stage == PLAY_OFFS]
    if stage:
        return knock_out_round(league, stage[0].seeds, stage)._replace(stage=PLAY_OFFS)
    here = present(league)
    seeds = [key for key in league.order if key in here][:most]
    return knock_out_round(league, seeds, [])._replace(stage=PLAY_OFFS, seeds=seeds)


def knock_out_round(league: League, seeds: Sequence[str], stage: Sequence[Round]) -> NextRound:
    """Return the next round of a knock-out, or the replays of the matches that were drawn in its last round.

    Raises InvalidInput if the knock-out is over, or if a match has no winner because it was cancelled.
    """
    places = bracket(seeds)
    ranks = {key: place for place, key in enumerate(seeds)}
    for drawn, following in zip(stage, [*stage[1:], None], strict=False):
        ties = [Tie(league, drawn, ranks, *pair) for pair in neighbours(places)]
        if following is not None:
            places = [tie.side_in(following) for tie in ties]
            continue
        replays = [tie.pair for tie in ties if tie.is_drawn]
        if replays:
            pairs = [(away, home) for home, away in replays]
            return NextRound(knock_out_name(len(places)), Pairings(pairs), is_replay=True)
        places = [tie.winner() for tie in ties]
    here = present(league)
    places = [key if key in here else None for key in places]
    if len(places) == 1:
        won = with_verb(league.campaign.display_name(places[0]), "has|have") if places[0] else ""
        won = f"{won} won it" if won else "no force is left"
        raise InvalidInput(f"the league is over: {won}")
    pairs = [
        (first, second) for first, second in neighbours(places) if first is not None and second is not None
    ]
    byes = [key for pair in neighbours(places) if None in pair for key in pair if key is not None]
    return NextRound(knock_out_name(len(places)), Pairings([by_rank(pair, ranks) for pair in pairs], byes))


def by_rank(pair: Pair, ranks: Mapping[str, int]) -> Pair:
    """Return a pair with the higher seed as the home side."""
    first, second = sorted(pair, key=lambda key: ranks[key])
    return first, second


class Tie(NamedTuple):
    """Two neighbouring entries of a bracket in a round that was drawn, and the force that advances."""

    league: League
    drawn: Round
    ranks: Mapping[str, int]
    one: str | None
    other: str | None

    @property
    def match(self) -> Match | None:
        """The last match between the two sides, including replays, or None if one side had a bye."""
        both = {self.one, self.other}
        return next((match for match in reversed(self.drawn.matches) if match.pair == both), None)

    @property
    def pair(self) -> Pair:
        """The sides of the last match."""
        assert self.match is not None
        return self.match.home, self.match.away

    @property
    def is_drawn(self) -> bool:
        """Return True if the match was drawn and must be replayed."""
        result = self.league.results.get(self.match.battle) if self.match else None
        return result is not None and len(result.winners) != 1 and self.league.fixtures.drawn == REPLAY

    def side_in(self, following: Round) -> str | None:
        """Return the side that takes part in the following round, or None if neither does."""
        return next((key for key in (self.one, self.other) if key in following.entrants), None)

    def winner(self) -> str | None:
        """Return the force that advances.

        If the match was cancelled and one side has left the league, the other side advances. Raises
        InvalidInput if the match was cancelled and both sides are left.
        """
        match = self.match
        if match is None:
            return next((key for key in (self.one, self.other) if key in self.drawn.byes), None)
        result = self.league.results.get(match.battle)
        if result is None:
            left = [key for key in self.pair if key in present(self.league)]
            if len(left) < 2:
                return left[0] if left else None
            if self.league.state(match) == OTHER_SIDES:
                raise InvalidInput(next(match_hints(self.league, match)))
            remedy = f"cardbattle campaign add battle {match.battle} --side {match.home} --side {match.away}"
            text = f"battle {match.battle} has no result, so its winner is unknown; to fight it: {remedy}"
            raise InvalidInput(
                f"{text}; to let a force leave: cardbattle campaign set fixtures.forces-={match.home}"
            )
        if len(result.winners) == 1:
            return result.winners[0]
        return min(self.pair, key=lambda key: self.ranks[key])
