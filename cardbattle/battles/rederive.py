"""Derive a record again: its commanders answer the same questions again.

The seed determines their answers, so a changed move or another commander is detected even if the rest of the
record is consistent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import Refight, ReplayMismatch, check_outcome
from cardbattle.battles.resolve import streams_from
from cardbattle.commanders import RANKS, make_commander
from cardbattle.commanders.standing import with_standing
from cardbattle.core.chance import Chance, stream
from cardbattle.core.errors import UsageError
from cardbattle.core.names import quoted
from cardbattle.core.referee import Commander, Referee, comparable


class CommanderMismatch(ReplayMismatch):
    """A commander decides differently from the record; both moves are given in full."""

    def __init__(self, move: int, commander: str, text: str, derived: str) -> None:
        self.recorded = text
        self.derived = derived
        super().__init__(f"move {move} is {text}, but {commander} decides {derived}", move)


class Derivation(Refight):
    """A replay in which the commanders of some seats answer again."""

    def __init__(self, record: Record, commanders: dict[int, Commander]) -> None:
        self.commanders = commanders
        super().__init__(record)

    def step(self, move: str) -> None:
        """Carry out a move. Raises CommanderMismatch if the side's commander answers differently.

        Raises IllegalMove if the move is not possible.
        """
        seat = self.referee.battle.side
        if seat in self.commanders:
            referee = self.referee
            derived = f"{referee.key} {referee.text(self.commanders[seat].answer(referee.seat))}"
            if comparable(derived) != comparable(move):
                raise CommanderMismatch(self.made, self.record.sides[seat].commander, move, derived)
        super().step(move)


def derive(record: Record, seats: Collection[int], tick: Callable[[], None] = lambda: None) -> Referee:
    """Replay a record while the commanders in these seats answer again.

    `tick` is called after each move. Raises ReplayMismatch at the first move that these commanders, or this
    version of the rules, decide differently. Raises UsageError for a seat whose commander is not built in.
    """
    assert record.seed is not None or not seats
    again = Derivation(with_seed_deal(record), commanders_of(record, seats))
    for _ in again.steps():
        tick()
    check_outcome(record, again.referee)
    return again.referee


def with_seed_deal(record: Record) -> Record:
    """Return a record of the program with the cards that its seed deals; other records unchanged."""
    if record.fought != "engine" or record.seed is None:
        return record
    setup = record.setup.copy()
    setup.deal = {}
    record.rules.deal(setup, stream(record.seed, "deal"))
    return record._replace(setup=setup)


def commanders_of(record: Record, seats: Collection[int]) -> dict[int, Commander]:
    """Return the commanders of these seats, each with its original random stream.

    Raises UsageError for a commander whose answers the seed does not determine.
    """
    if not seats or record.seed is None:
        return {}
    for seat in seats:
        word = record.sides[seat].commander
        if not answers_itself(word) or not answers_itself(record.sides[seat].acting):
            raise UsageError(
                f"the moves of {record.setup.seats[seat]} cannot be derived: its commander {quoted(word)} "
                "is unknown; leave that seat out"
            )
    sides = streams_from(record.seed, record.setup.seats).sides
    return {seat: restored_commander(record, seat, sides[seat]) for seat in seats}


def restored_commander(record: Record, seat: int, chance: Chance) -> Commander:
    """Return a seat's commander in its state before the first answer.

    Raises InvalidInput for unclear orders.
    """
    side = record.sides[seat]
    commander = make_commander(side.acting, record.rules, chance)
    return with_standing(side.standing, record.rules, commander)


def answers_itself(commander: str) -> bool:
    """Return True if the seed determines a commander's answers: not orders, a human player or a plug-in.

    >>> answers_itself("veteran:iterations=40"), answers_itself("orders"), answers_itself("own:Bold")
    (True, False, False)
    """
    return commander.partition(":")[0] in RANKS
