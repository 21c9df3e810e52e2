"""The matches of a league with their results, and the league table with its tie-breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from typing import NamedTuple

from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.state.apply import Result
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.fixtures import (
    HIGHER_SEED,
    KNOCK_OUT,
    SWISS,
    Fixtures,
    LeaguePoints,
    Match,
    Round,
)

PENDING, PLAYED, CANCELLED, OTHER_SIDES = "pending", "played", "cancelled", "other sides"
Number = int | Fraction


class LeagueRow(NamedTuple):
    """A row of the league table. Tied forces share a position, for example 1, 2, 2, 4.

    A bye is not a match: it is not in `played` or `won`, but `points` include the points for it.
    """

    place: int
    key: str
    played: int
    won: int
    drawn: int
    lost: int
    score: int
    score_against: int
    points: int
    byes: int


class League:
    """A league with its results.

    Attributes:
        campaign: the campaign.
        ledger: the ledger, in which the results are recorded.
        fixtures: the settings of the league.
        rounds: the rounds drawn so far.
        results: the results of the league's recorded battles, by id. A stand-in has the key of the force
            whose place it took.
        sides: the sides of the league's pending and recorded battles, by id.
        waiting: the ids of the league's pending battles.

    """

    def __init__(self, campaign: Campaign, ledger: Ledger, fixtures: Fixtures) -> None:
        self.campaign = campaign
        self.ledger = ledger
        self.fixtures = fixtures
        self.rounds = campaign.round
        recorded = dict(results_of(campaign.round, ledger))
        pending = {battle.id: battle.keys for battle in campaign.pending}
        self.results = dict(results_of_matches(campaign.round, recorded))
        self.sides = {**{battle: [*result.sides] for battle, result in recorded.items()}, **pending}
        self.waiting = {*pending}

    def state(self, match: Match) -> str:
        """Return whether a match is played, pending, cancelled, or was fought by other sides, as a word."""
        if match.battle in self.results:
            return PLAYED
        if match.battle in self.waiting:
            return PENDING
        return OTHER_SIDES if match.battle in self.sides else CANCELLED

    def stand_ins(self, match: Match) -> Mapping[str, str] | None:
        """Return the stand-ins in a match, as in the function `stand_ins`."""
        return stand_ins(match, self.sides.get(match.battle, [match.home, match.away]))

    @property
    def has_table(self) -> bool:
        """Return True if the league counts points. Only a knock-out does not count points."""
        return self.fixtures.kind != KNOCK_OUT

    @cached_property
    def league_rounds(self) -> list[Round]:
        """The rounds that count for the table. Knock-out rounds do not count."""
        return [drawn for drawn in self.rounds if drawn.stage is None] if self.has_table else []

    @cached_property
    def entrants(self) -> list[str]:
        """All present and former participants.

        They are in the order of the draw or, without a draw, of the settings.
        """
        fixtures = self.fixtures
        in_rounds = [key for drawn in self.rounds for key in drawn.entrants]
        every_key = dict.fromkeys([*fixtures.order, *fixtures.forces, *in_rounds])
        return [key for key in every_key if key in self.campaign.forces]

    @cached_property
    def matches(self) -> list[tuple[Match, Result]]:
        """The played matches that count for the table."""
        return [
            (match, self.results[match.battle])
            for drawn in self.league_rounds
            for match in drawn.matches
            if match.battle in self.results
        ]

    @cached_property
    def points(self) -> Mapping[str, int]:
        """The points of each entrant, including points for byes."""
        points = self.points_among(self.entrants)
        for drawn in self.league_rounds:
            for key in drawn.byes:
                points[key] = points.get(key, 0) + self.bye_points
        return points

    def points_among(self, keys: Sequence[str]) -> dict[str, int]:
        """Return the points that entrants have from matches against each other."""
        points = dict.fromkeys(keys, 0)
        for match, result in self.matches:
            if match.home in points and match.away in points:
                for key in (match.home, match.away):
                    points[key] += match_points(self.fixtures.points or LeaguePoints(), result, key)
        return points

    @property
    def bye_points(self) -> int:
        points = self.fixtures.points or LeaguePoints()
        if points.bye is not None:
            return points.bye
        return points.win if self.fixtures.kind == SWISS else 0

    @cached_property
    def ranking(self) -> list[list[str]]:
        """Groups of entrants from first to last. A group contains entrants that no tie-break separates."""
        return list(rank(self.entrants, [CRITERIA[word] for word in self.criteria], self))

    @cached_property
    def in_knock_out(self) -> list[str]:
        """The forces in the last round of the knock-out that have not lost there."""
        last = [drawn for drawn in self.rounds if drawn not in self.league_rounds][-1:]
        beaten: set[str] = set()
        for match in (match for drawn in last for match in drawn.matches if match.battle in self.results):
            winners = self.results[match.battle].winners
            if len(winners) == 1:
                beaten |= match.pair - {*winners}
            elif self.fixtures.drawn == HIGHER_SEED:
                beaten.add(max(match.pair, key=self.entrants.index))
        return [key for drawn in last for key in dict.fromkeys(drawn.entrants) if key not in beaten]

    @property
    def criteria(self) -> list[str]:
        """The names of the criteria of the table, in the order in which they are applied."""
        tie_breaks = self.fixtures.tie_breaks
        return [*tie_breaks] if "points" in tie_breaks else ["points", *tie_breaks]

    @property
    def order(self) -> list[str]:
        """The entrants from first to last. Tied entrants are in the order of the draw."""
        return [key for group in self.ranking for key in group]

    def rows(self) -> list[LeagueRow]:
        """Return the rows of the table. A knock-out has no rows."""
        rows, place = [], 1
        for group in self.ranking if self.has_table else []:
            rows += [self.row(key, place) for key in group]
            place += len(group)
        return rows

    def row(self, key: str, place: int) -> LeagueRow:
        """Return the row of an entrant, whose position is `place`."""
        mine = [(match, result) for match, result in self.matches if key in match.pair]
        outcomes = [outcome(result, key) for _, result in mine]
        won, drawn, lost = (outcomes.count(word) for word in ("won", "drawn", "lost"))
        scores = [score_of(result, key) for _, result in mine]
        against = [score_of(result, opponent(match, key)) for match, result in mine]
        points, byes = self.points.get(key, 0), sum(key in drawn.byes for drawn in self.league_rounds)
        return LeagueRow(place, key, len(mine), won, drawn, lost, sum(scores), sum(against), points, byes)


def results_of(rounds: Sequence[Round], ledger: Ledger) -> Iterator[tuple[str, Result]]:
    """Yield the recorded results of matches by the ids of their battles. Renamed keys are replaced."""
    for drawn in rounds:
        for match in drawn.matches:
            revision = ledger.revision_by_battle.get(match.battle)
            result = entry_today(ledger, revision).result if revision else None
            if result is not None:
                yield match.battle, result


def results_of_matches(
    rounds: Sequence[Round], recorded: Mapping[str, Result]
) -> Iterator[tuple[str, Result]]:
    """Yield the results that count for a match, with the keys of its two forces instead of stand-ins."""
    for match in (match for drawn in rounds for match in drawn.matches if match.battle in recorded):
        result = recorded[match.battle]
        players = stand_ins(match, [*result.sides])
        if players is not None:
            holders = {player: holder for holder, player in players.items()}
            yield (
                match.battle,
                Result(
                    [holders.get(key, key) for key in result.winners],
                    {holders.get(key, key): side for key, side in result.sides.items()},
                ),
            )


def stand_ins(match: Match, sides: Sequence[str]) -> Mapping[str, str] | None:
    """Return the stand-in in a battle of a match, by the force whose place it took.

    The result is empty if the two forces of the match are the sides. It is None if neither of them is, or if
    the battle has more sides, so that its result cannot count for the match.
    """
    absent = [key for key in (match.home, match.away) if key not in sides]
    substitutes = [key for key in sides if key not in match.pair]
    if len(sides) != 2 or len(absent) > 1:
        return None
    return dict(zip(absent, substitutes, strict=True))


def present(league: League) -> set[str]:
    """Return the forces that still take part. They are named in the settings and not destroyed."""
    forces = league.campaign.forces
    return {key for key in league.fixtures.forces if not forces[key].destroyed}


def outcome(result: Result, key: str) -> str:
    """Return `won`, `drawn` or `lost`, which is the result of a match for one of its sides."""
    if len(result.winners) != 1:
        return "drawn"
    return "won" if result.winners[0] == key else "lost"


def score_of(result: Result, key: str) -> int:
    return result.sides[key].score


def opponent(match: Match, key: str) -> str:
    return match.away if match.home == key else match.home


def match_points(points: LeaguePoints, result: Result, key: str) -> int:
    by_outcome = {"won": points.win, "drawn": points.draw, "lost": points.loss}
    return by_outcome[outcome(result, key)] + points.per_score * score_of(result, key)


# Tie-breaks. Each returns a number for every key of a tied group. A larger number is better.

Criterion = Callable[[League, Sequence[str]], Mapping[str, Number]]


def rank(keys: Sequence[str], criteria: Sequence[Criterion], league: League) -> Iterator[list[str]]:
    """Yield groups of tied keys, with the best group first.

    Each criterion separates the keys that all earlier criteria have left tied.
    """
    if len(keys) < 2 or not criteria:
        if keys:
            yield list(keys)
        return
    values = criteria[0](league, keys)
    ordered = sorted(keys, key=lambda key: -values[key])
    for _, group in groupby(ordered, key=lambda key: values[key]):
        yield from rank(list(group), criteria[1:], league)


def tie_break_between(league: League, first: str, second: str) -> str:
    """Return the name of the criterion that separates two forces, or "" if they share a place."""
    tied: Sequence[str] = league.entrants
    for word in league.criteria:
        values = CRITERIA[word](league, tied)
        if values[first] != values[second]:
            return word
        tied = [key for key in tied if values[key] == values[first]]
    return ""


def tie_breaks_in_use(league: League) -> Mapping[str, list[tuple[str, str]]]:
    """Return the neighbours in the table that a tie-break separates, by the name of the tie-break."""
    used: dict[str, list[tuple[str, str]]] = {}
    for above, below in pairwise(league.ranking if league.matches else []):
        word = tie_break_between(league, above[-1], below[0])
        if word != league.criteria[0]:
            used.setdefault(word, []).append((above[-1], below[0]))
    return used


def league_points(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    return {key: league.points.get(key, 0) for key in keys}


def head_to_head(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    """Return the points that each tied force has won in matches against the others."""
    return league.points_among(keys)


def wins(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    """Return the number of matches that each force has won. Byes do not count."""
    return {key: league.row(key, 0).won for key in keys}


def score(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    """Return each force's total score."""
    return {key: league.row(key, 0).score for key in keys}


def score_difference(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    """Return the total score of each force minus its opponents' total score."""
    rows = {key: league.row(key, 0) for key in keys}
    return {key: row.score - row.score_against for key, row in rows.items()}


def strength_of_schedule(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    """Return the sum of the points of all opponents (Buchholz, 1932)."""
    return {
        key: sum(
            league.points[opponent(match, key)]
            for match, _ in league.matches
            if key in match.pair and opponent(match, key) in league.points
        )
        for key in keys
    }


def losses(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    """Return the sum of the shares of strength that each force has lost, as a negative number.

    Fewer losses therefore rank higher.
    """
    return {
        key: -sum(
            (result.sides[key].losses for match, result in league.matches if key in match.pair), Fraction()
        )
        for key in keys
    }


def value(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    """Return the total value of the places that each force's faction owns."""
    forces, places = league.campaign.forces, league.campaign.locations.values()
    return {key: sum(place.value for place in places if place.owner == forces[key].faction) for key in keys}


def seeding(league: League, keys: Sequence[str]) -> Mapping[str, Number]:
    """Return the negated position in the draw, so that an earlier position ranks higher."""
    return {key: -league.entrants.index(key) for key in keys}


CRITERIA: Mapping[str, Criterion] = {
    "points": league_points,
    "head-to-head": head_to_head,
    "wins": wins,
    "score-difference": score_difference,
    "score": score,
    "strength-of-schedule": strength_of_schedule,
    "losses": losses,
    "value": value,
    "seeding": seeding,
}
