"""The fixtures of a league, which say how its rounds are drawn, and the rounds so far."""

from __future__ import annotations

from typing import Annotated

from cardbattle.campaign.state.fields import (
    Key,
    Model,
    Name,
    Options,
    ParsedBy,
    Points,
    Rules,
    Switch,
    one_of,
    read_whole,
)

ROUND_ROBIN, KNOCK_OUT, SWISS, RANDOM = KINDS = ("round-robin", "knock-out", "swiss", "random")
TIE_BREAKS = (
    "points", "head-to-head", "wins", "score-difference", "score", "strength-of-schedule", "losses", "value",
    "seeding",
)  # fmt: skip
DRAW, ORDER = SEEDINGS = ("draw", "order")
REPLAY, HIGHER_SEED = DRAWN = ("replay", "higher-seed")
PLAY_OFFS = "play-offs"
HOME, AWAY = SIDES = ("home", "away")
MOST_ROUNDS = 200


FixturesKind = Annotated[str, ParsedBy(one_of(*KINDS), type="string", enum=list(KINDS))]
TieBreak = Annotated[str, ParsedBy(one_of(*TIE_BREAKS), type="string", enum=list(TIE_BREAKS))]
Seeding = Annotated[str, ParsedBy(one_of(*SEEDINGS), type="string", enum=list(SEEDINGS))]
Drawn = Annotated[str, ParsedBy(one_of(*DRAWN), type="string", enum=list(DRAWN))]
Stage = Annotated[str, ParsedBy(one_of(PLAY_OFFS), type="string", const=PLAY_OFFS)]
RoundCount = Annotated[
    int, ParsedBy(read_whole(1, MOST_ROUNDS), type="integer", minimum=1, maximum=MOST_ROUNDS)
]


class LeaguePoints(Model):
    """The league points for the outcome of a match. By default, a bye in a Swiss league counts as a win."""

    win: Points = 3
    draw: Points = 1
    loss: Points = 0
    per_score: Points = 0
    bye: Points | None = None


class Fixtures(Model):
    """The settings of a league: its entrants, the draw of its rounds, and the order of its table.

    `twice` is for a round robin. `rounds` is for Swiss and random leagues. The best `play_offs` forces of the
    table meet in a knock-out after the last round. `drawn` decides what happens after a drawn match in a
    knock-out. In `house`, "home" and "away" mean the sides. cardbattle writes `order` with the first round.
    """

    kind: FixturesKind
    forces: list[Key]
    twice: Switch = False
    rounds: RoundCount | None = None
    seeding: Seeding = DRAW
    play_offs: RoundCount | None = None
    drawn: Drawn = REPLAY
    points: LeaguePoints | None = None
    tie_breaks: list[TieBreak] = ["points", "head-to-head", "wins", "score-difference"]
    rules: Rules | None = None
    stakes: Key | None = None
    house: Options = {}
    order: list[Key] = []


class Match(Model):
    """A match of a round, with the id of its battle and its two forces."""

    battle: Key
    home: Key
    away: Key

    @property
    def pair(self) -> frozenset[str]:
        return frozenset((self.home, self.away))


class Round(Model):
    """A round of a league with its matches and byes. cardbattle writes it.

    The first round of the play-offs also has their `seeds`.
    """

    name: Name | None = None
    matches: list[Match] = []
    byes: list[Key] = []
    stage: Stage | None = None
    seeds: list[Key] = []

    @property
    def entrants(self) -> list[str]:
        """The forces that have a bye or a match in this round."""
        return [*self.byes, *(key for match in self.matches for key in (match.home, match.away))]
