"""Check the fixtures of a league. Each error has its position in the file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from cardbattle import rules
from cardbattle.campaign.state.tables.fixtures import (
    KNOCK_OUT,
    RANDOM,
    ROUND_ROBIN,
    SIDES,
    SWISS,
    Fixtures,
    Round,
)
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed, quoted
from cardbattle.core.options import Option

At = tuple[str | int, ...]
Missing = Callable[[str, str | None, Collection[str], At], Iterator[Diagnostic]]
WrongOptions = Callable[[Mapping[str, object], Mapping[str, Option], list[str], At], Iterator[Diagnostic]]
AT = ("fixtures",)


class FixtureChecks(NamedTuple):
    """Checks the tables of a league.

    Attributes:
        forces: the keys of all forces.
        locations: the keys of all places.
        rules: the key of the campaign's default rule set, if it has one.
        missing: yields the error for an unknown key, with the nearest known one.
        wrong_options: yields the house rules that a rule set does not accept.

    """

    forces: Collection[str]
    locations: Collection[str]
    rules: str | None
    missing: Missing
    wrong_options: WrongOptions

    def check(self, fixtures: Fixtures | None, rounds: Mapping[int, Round]) -> Iterator[Diagnostic]:
        """Yield all errors. `rounds` are the rounds by their position in the file."""
        if fixtures is not None:
            yield from self.wrong_entrants(fixtures)
            yield from self.wrong_length(fixtures)
            yield from self.wrong_terms(fixtures)
            yield from self.late_entrants(fixtures, has_begun=bool(rounds))
        seen: dict[str, int] = {}
        for place, drawn in rounds.items():
            yield from self.wrong_round(drawn, ("round", place), seen)

    def wrong_entrants(self, fixtures: Fixtures) -> Iterator[Diagnostic]:
        """Yield an error for each unknown or repeated force, and if there are too few forces."""
        for word in ("forces", "order"):
            seen: set[str] = set()
            for place, key in enumerate(getattr(fixtures, word)):
                at = (*AT, word, place)
                yield from self.missing("force", key, self.forces, at)
                if key in seen:
                    yield Diagnostic(f"force {quoted(key)} appears twice; remove one", at=at)
                seen.add(key)
        if len(fixtures.forces) < 2:
            yield Diagnostic("a league needs at least two forces; name them all", at=(*AT, "forces"))

    def wrong_length(self, fixtures: Fixtures) -> Iterator[Diagnostic]:
        """Yield an error for each setting that this kind of league does not have."""
        kind = fixtures.kind
        if fixtures.twice and kind != ROUND_ROBIN:
            yield Diagnostic("twice is for a round robin; remove it", at=(*AT, "twice"))
        if fixtures.rounds is not None and kind not in (SWISS, RANDOM):
            text = f"the forces decide how many rounds a {kind} has; remove rounds"
            yield Diagnostic(text, at=(*AT, "rounds"))
        if fixtures.play_offs is not None:
            at = (*AT, "play_offs")
            if kind == KNOCK_OUT:
                yield Diagnostic("a knock-out has no play-offs; remove play_offs", at=at)
            elif kind == RANDOM and fixtures.rounds is None:
                yield Diagnostic("write the number of rounds before the play-offs, such as rounds = 5", at=at)
            elif not 2 <= fixtures.play_offs <= max(2, len(fixtures.forces)):
                text = f"expected a whole number from 2 to {len(fixtures.forces)}, got {fixtures.play_offs}"
                yield Diagnostic(text, at=at)

    def wrong_terms(self, fixtures: Fixtures) -> Iterator[Diagnostic]:
        """Yield the errors in the place, rule set and house rules of the matches."""
        yield from self.missing("location", fixtures.stakes, self.locations, (*AT, "stakes"))
        key = fixtures.rules or self.rules
        if key is None:
            text = "rules is missing; name a rule set here, or for all battles at the top of the file"
            yield Diagnostic(text, at=AT)
        elif not rules.is_not_installed(key):
            chosen = rules.find(key)
            if not chosen.fewest <= 2 <= chosen.most:
                text = f"{chosen.name} is fought by {chosen.number_of_sides} sides; a match has two"
                yield Diagnostic(text, at=(*AT, "rules") if fixtures.rules else AT)
            yield from self.wrong_options(fixtures.house, chosen.house, [*SIDES], (*AT, "house"))

    def late_entrants(self, fixtures: Fixtures, *, has_begun: bool) -> Iterator[Diagnostic]:
        """Yield an error if forces join after the draw has already determined all rounds."""
        late = [key for key in fixtures.forces if key not in fixtures.order]
        if has_begun and fixtures.order and late and fixtures.kind in (ROUND_ROBIN, KNOCK_OUT):
            text = f"{listed(late)} cannot join a {fixtures.kind} that has begun"
            text += f"; remove {listed(late)} from forces, or undo the rounds"
            yield Diagnostic(text, at=(*AT, "forces"))

    def wrong_round(self, drawn: Round, at: At, seen: dict[str, int]) -> Iterator[Diagnostic]:
        """Yield the errors in one round. `seen` contains the battles of the matches checked so far."""
        for number, match in enumerate(drawn.matches):
            path = (*at, "matches", number)
            for word in SIDES:
                yield from self.missing("force", getattr(match, word), self.forces, (*path, word))
            if match.home == match.away:
                yield Diagnostic(f"{match.home} meets itself here; name two forces", at=path)
            if match.battle in seen:
                text = f"battle {quoted(match.battle)} is in two matches; give each its own"
                yield Diagnostic(text, at=(*path, "battle"))
            seen[match.battle] = number
        for word in ("byes", "seeds"):
            for number, key in enumerate(getattr(drawn, word)):
                yield from self.missing("force", key, self.forces, (*at, word, number))
