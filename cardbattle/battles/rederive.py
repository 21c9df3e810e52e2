"""Ask the computer commanders of a record the same questions again, and compare their answers.

The seed determines all answers of a computer commander. Therefore the program notices that a move was changed
or that another commander played, even if the record is consistent in itself.
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
    """A commander does not choose as in the record. The error message contains both choices."""

    def __init__(self, move: int, commander: str, text: str, derived: str) -> None:
        self.recorded = text
        self.derived = derived
        super().__init__(f"move {move} is {text}, but {commander} decides {derived}", move)


class Derivation(Refight):
    """A replay in which the commanders of some seats answer again, and must give the recorded answers."""

    def __init__(self, record: Record, commanders: dict[int, Commander]) -> None:
        self.commanders = commanders
        super().__init__(record)

    def step(self, move: str) -> None:
        """Make a move of the record.

        Raises CommanderMismatch if the commander of the side gives another answer. Raises IllegalMove if
        the move is not possible.
        """
        seat = self.referee.battle.side
        if seat in self.commanders:
            referee = self.referee
            derived = f"{referee.key} {referee.text(self.commanders[seat].answer(referee.seat))}"
            if comparable(derived) != comparable(move):
                raise CommanderMismatch(self.made, self.record.sides[seat].commander, move, derived)
        super().step(move)


def derive(record: Record, seats: Collection[int], tick: Callable[[], None] = lambda: None) -> Referee:
    """Replay a record in which the commanders of `seats` answer every question again.

    The function `tick` is called after each move. Raises ReplayMismatch if an answer differs from the record,
    and UsageError if the seed does not determine the answers of a commander.
    """
    assert record.seed is not None or not seats
    again = Derivation(with_seed_deal(record), commanders_of(record, seats))
    for _ in again.steps():
        tick()
    check_outcome(record, again.referee)
    return again.referee


def with_seed_deal(record: Record) -> Record:
    """Return a copy of the record with the deal that the seed determines instead of the recorded deal.

    If the program did not fight the battle, the record is returned unchanged.
    """
    if record.fought != "engine" or record.seed is None:
        return record
    setup = record.setup.copy()
    setup.deal = {}
    record.rules.deal(setup, stream(record.seed, "deal"))
    return record._replace(setup=setup)


def commanders_of(record: Record, seats: Collection[int]) -> dict[int, Commander]:
    """Return the commanders of `seats` in a record.

    Each commander has the same random stream as in the battle.

    Raises UsageError if the seed does not determine the answers of a commander.
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
    return {seat: restore_commander(record, seat, sides[seat]) for seat in seats}


def restore_commander(record: Record, seat: int, chance: Chance) -> Commander:
    """Return the commander of a seat in the state that it had before its first answer.

    Raises InvalidInput if the standing orders are not valid.
    """
    side = record.sides[seat]
    commander = make_commander(side.acting, record.rules, chance)
    return with_standing(side.standing, record.rules, commander)


def answers_itself(commander: str) -> bool:
    """Return True if the seed determines the answers of the commander with this name.

    It does not determine the answers of order files, human players and plug-ins.

    >>> answers_itself("veteran:iterations=40"), answers_itself("orders"), answers_itself("own:Bold")
    (True, False, False)
    """
    return commander.partition(":")[0] in RANKS
