"""A campaign with a league, played through with results drawn by lot."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from cardbattle.campaign.league.league_table import League
from cardbattle.campaign.league.rounds import league_of, plan_rounds
from cardbattle.campaign.ledger import operations, undo, value_edits
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Ledger, group_entries
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, parse_campaign
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.battle_result import BattleResult, result_digest
from cardbattle.campaign.state.tables.fixtures import Match
from cardbattle.campaign.storage.store import append_entries
from cardbattle.core.errors import InvalidInput


def league_file(count: int, fixtures: str, more: str = "") -> str:
    """Return the text of a campaign of this many forces, each of its own faction, with these fixtures."""
    keys = [f"e{number}" for number in range(count)]
    names = ", ".join(f'"{key}"' for key in keys)
    tables = "".join(
        f'[factions.{key}]\n[forces.{key}]\nfaction = "{key}"\nstrength = 5 # of {key}\n' for key in keys
    )
    head = 'format = 1\nname = "League"\nrevision = 0\nseed = "by lot"\nrules = "wargame"\n'
    return f"{head}\n{tables}\n# Thursdays\n[fixtures]\n{fixtures}\nforces = [{names}] # all\n{more}"


class Season:
    """A league that is played in memory: each round is drawn, then its battles get results by lot."""

    def __init__(self, text: str, seed: int, draws: float = 0.2) -> None:
        self.books: CampaignFile = parse_campaign("", "campaign.toml", text.encode())
        self.ledger: Ledger = EMPTY_LEDGER
        self.chance = random.Random(seed)
        self.draws = draws

    @property
    def league(self) -> League:
        """The league with the results so far."""
        return league_of(self.books.campaign, self.ledger)

    def record(self, done: Sequence[Operation]) -> None:
        """Record operations in the ledger and the file."""
        first = self.ledger.whole_entries + 1
        entries = [operation.entry._replace(revision=first + n) for n, operation in enumerate(done)]
        self.ledger = append_entries(self.ledger, group_entries(entries, self.ledger.last_check))
        self.books = operations.after(self.books, done)

    def draw(self, *, every: bool = False, early: bool = False) -> None:
        """Draw the next round. Raises InvalidInput if the league is over."""
        self.record(plan_rounds(self.books, self.ledger, every=every, early=early))

    def play(self, most: int | None = None) -> None:
        """Give each pending battle a result, by lot, or only the first `most` battles."""
        pending = self.books.campaign.pending[:most]
        found = [self.outcome_of(battle.id, battle.keys) for battle in pending]
        if found:
            self.record(operations.plan_import(self.books, self.ledger, found).operations)

    def override(self, battle: str, winner: str = "") -> None:
        """Decide a match of the league as the umpire, for a side or else by lot."""
        match = next(
            each for drawn in self.books.campaign.round for each in drawn.matches if each.battle == battle
        )
        result = self.lot(match.home, match.away)
        result = result._replace(winners=[winner]) if winner else result
        self.record(undo.override(self.books, self.ledger, battle, result, "a slip"))

    def cancel(self, battle: str) -> None:
        """Cancel a pending battle."""
        self.record([value_edits.cancel_battles(self.books, [battle])])

    def outcome_of(self, battle: str, keys: Sequence[str]) -> BattleResult:
        """Return a battle with a result by lot."""
        result = self.lot(*keys)
        return BattleResult(battle, result, result_digest(battle, result))

    def lot(self, home: str, away: str) -> Result:
        """Return a result by lot."""
        winners = [] if self.chance.random() < self.draws else [self.chance.choice([home, away])]
        sides = {
            key: SideResult(self.chance.randrange(6), Fraction(self.chance.randrange(5), 4))
            for key in (home, away)
        }
        return Result(winners, sides)

    def rounds(self, most: int = 60) -> Iterator[list[Match]]:
        """Yield the new matches of each round until the league is over, and play them afterwards."""
        for _ in range(most):
            before = {match.battle for drawn in self.books.campaign.round for match in drawn.matches}
            try:
                self.draw()
            except InvalidInput as error:
                if "is over" not in str(error):
                    raise
                return
            yield [
                match
                for drawn in self.books.campaign.round
                for match in drawn.matches
                if match.battle not in before
            ]
            self.play()


def met(matches: list[Match]) -> Counter[frozenset[str]]:
    """Return how often each pair meets in these matches."""
    return Counter(match.pair for match in matches)
