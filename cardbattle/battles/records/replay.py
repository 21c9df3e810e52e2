"""Replay records move by move, and compare the replay with the record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import NamedTuple

from cardbattle.battles.records.receipts import receipt_errors
from cardbattle.battles.records.record import Record, read_checks, record_digest
from cardbattle.commanders import HUMAN
from cardbattle.core.battle import NOBODY, Battle, Event
from cardbattle.core.chance import Drawn, RandomSource, stream
from cardbattle.core.errors import CardbattleError, IllegalMove
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.referee import Recorded, Referee
from cardbattle.core.setup import Setup
from cardbattle.core.spelling import is_spelled

OTHER_DEAL = "the recorded deal is not the one that the seed gives"


class ReplayMismatch(CardbattleError):
    """The error that is raised if the replay of a record differs from the record.

    `move` is the number of the first move that differs, counted from 1. If the difference is not in a move,
    it is 0.
    """

    exit_code = 1

    def __init__(self, text: str, move: int = 0) -> None:
        self.move = move
        super().__init__(text)


def check_digest(record: Record) -> None:
    """Raise ReplayMismatch if a record does not match its digest.

    The error names the first wrong move, if a wrong move can be found.
    """
    recorded = record.table.get("digest")
    if recorded is None or recorded == record_digest(record.table):
        return
    changed = "the record was changed after it was written: its digest does not match"
    try:
        referee = refight(record)
        check_states(record, referee)
        check_outcome(record, referee)
    except ReplayMismatch as differs:
        raise ReplayMismatch(f"{differs}; {changed}", differs.move) from None
    raise ReplayMismatch(changed)


def check_receipts(record: Record) -> None:
    """Raise ReplayMismatch if the receipts of the players do not match the moves of the record."""
    receipts = record.table.get("receipts")
    if not isinstance(receipts, dict):
        return
    players = [key for key, side in zip(record.seats, record.sides, strict=True) if side.commander == HUMAN]
    errors = receipt_errors(receipts, record.id, record.moves, players)
    if errors:
        raise ReplayMismatch(errors[0].text)


class Boundary(NamedTuple):
    """The state of a battle after a step of its agenda, with the events and moves of this step."""

    battle: Battle
    events: list[Event]
    moves: list[str]


def setup_to_replay(record: Record) -> Setup:
    """Return a copy of the setup in a record, with which a replay can begin.

    In a battle with real cards, the cards that are not in the record are UNKNOWN.
    """
    setup = record.setup.copy()
    if record.fought == "table":
        record.rules.deal_unknown(setup)
    return setup


class Refight:
    """A replay of a record, one decision after the other.

    If `keeps_boundaries` is true, `boundaries` has the state of the battle after each step of its agenda so
    far. Otherwise it is empty.

    The constructor and the methods raise ReplayMismatch at the first move that differs from the record. This
    move can be a random event before the first decision.
    """

    def __init__(self, record: Record, *, keeps_boundaries: bool = False) -> None:
        self.record = record
        self.made = 0
        self.keeps_boundaries = keeps_boundaries
        self.boundaries: list[Boundary] = []
        self.kept_events = self.kept_moves = 0  # in the log and the moves of the referee
        self.excuse = (0, "")  # a move that could not answer a question, and the reason
        setup = setup_to_replay(record)
        witness = None
        if record.fought == "engine" and record.seed is not None:
            witness = Drawn(stream(record.seed, "battle"))
        random_source = Recorded(record.rules, setup.seats, self.take_fate, witness)
        with self.as_mismatch():
            self.referee = Referee(record.rules, setup, random_source, begins=not keeps_boundaries)
            if keeps_boundaries:
                self.run_in_steps()

    def next_move(self) -> str:
        """Return the next move of the record, or "" after the last move.

        If the replay raises an error after this call, the error names this move.
        """
        self.made += 1
        moves = self.record.moves
        return moves[self.made - 1] if self.made <= len(moves) else ""

    def take_fate(self, text: str) -> str:
        """Return the result of a random event, which is the next move of the record.

        `text` has the words that the move must begin with, after `fate`. Raises IllegalMove if the next move
        is a different one.
        """
        move = self.next_move()
        begin = f"fate {text} "
        if not move.startswith(begin):
            raise IllegalMove(f"expected a move {begin}..., got {clean(move) or 'nothing'}")
        return move[len(begin) :]

    @contextmanager
    def as_mismatch(self) -> Iterator[None]:
        """Convert an IllegalMove in the `with` block to a ReplayMismatch that names the current move."""
        try:
            yield
        except IllegalMove as error:
            why = self.excuse[1] if self.excuse[0] == self.made else str(error)
            raise ReplayMismatch(f"move {self.made}: {why}", self.made) from None

    def steps(self) -> Iterator[int]:
        """Replay the record, and yield the number of moves so far after each decision.

        Raises ReplayMismatch at the first move that differs from the replay.
        """
        referee, moves = self.referee, self.record.moves
        while referee.battle.side != NOBODY:
            if self.is_left_out():
                with self.as_mismatch():
                    self.choose(0, is_recorded=False)
                continue
            if self.made == len(moves):
                text = f"the moves end before the battle does: {referee.key} must choose"
                raise ReplayMismatch(text, self.made + 1)
            with self.as_mismatch():
                self.step(self.next_move())
            yield self.made
        referee.battle.random_source = RandomSource()  # which does not refer back to this object
        if self.record.fought == "table":
            self.hide_guesses()
        if self.made < len(moves):
            raise ReplayMismatch(
                f"move {self.made + 1}: the battle is over, yet there are more moves", self.made + 1
            )

    def hide_guesses(self) -> None:
        """Keep only what everybody saw of the events. In a battle with real cards, the rest is a guess."""
        self.referee.events = [
            (moves_made, seen)
            for moves_made, event in self.referee.events
            if (seen := event.seen_by(NOBODY)) is not None
        ]
        self.boundaries = [
            boundary._replace(events=[seen for event in boundary.events if (seen := event.seen_by(NOBODY))])
            for boundary in self.boundaries
        ]

    def is_left_out(self) -> bool:
        """Return True if the record does not contain the current answer, because the side had no choice.

        This is possible only in a record of a battle with real cards.

        If the program does not know the cards of a side, it asks the side even if the cards allow only a
        pass. The players at the table knew the cards, so they did not have to report the pass.
        """
        battle = self.referee.battle
        if self.record.fought != "table" or len(battle.options) != 1 or battle.unoffered:
            return False
        if self.made == len(self.record.moves):
            return True
        side, _, text = self.record.moves[self.made].partition(" ")
        if side != self.referee.key:
            return True
        try:
            self.referee.find(text)
        except IllegalMove as error:
            self.excuse = (self.made + 1, str(error))
            return True
        return False

    def step(self, move: str) -> None:
        """Make the move `move` of the record for the side that must choose.

        Raises IllegalMove if the move belongs to another side, or is not possible.
        """
        side, _, text = move.partition(" ")
        if side != self.referee.key:
            raise IllegalMove(f"it is {self.referee.key}'s turn, not {clean(side)}'s")
        self.choose(self.referee.find(text))

    def choose(self, index: int, *, is_recorded: bool = True) -> None:
        """Choose an option, and run the battle to its next question."""
        referee = self.referee
        if self.keeps_boundaries:
            if is_recorded:
                referee.write_down(f"{referee.key} {referee.text(index)}")
            referee.battle.begin_choice(index)
            self.keep_boundary()
            self.run_in_steps()
        elif is_recorded:
            referee.choose(index)
        else:
            referee.pass_over()

    def run_in_steps(self) -> None:
        """Run the battle to its next question, and keep its state after each step of the agenda."""
        battle = self.referee.battle
        while battle.side == NOBODY and battle.todo:
            step = battle.todo.pop()
            battle.step(step & ~15, step & 15)
            self.keep_boundary()
        self.referee.gather()
        self.kept_events = 0

    def keep_boundary(self) -> None:
        """Keep a copy of the battle, with the events and moves since the previous boundary."""
        battle, moves = self.referee.battle, self.referee.moves
        events = battle.log or []
        self.boundaries.append(Boundary(battle.copy(), events[self.kept_events :], moves[self.kept_moves :]))
        self.kept_events, self.kept_moves = len(events), len(moves)


def is_guessed(record: Record, battle: Battle, text: str) -> bool:
    """Return True if the record names a choice that players with real cards did not report.

    Such a choice stays face down, or it is a pass, about which only hidden cards decide whether it is asked.
    `battle` is the state before the choice, and `text` is the choice without the key of the side.
    """
    rules = record.rules
    is_assumed = battle.question in rules.revealing and text == rules.default_answer(battle)
    return record.fought == "table" and (battle.question in rules.unreported or is_assumed)


def refight(record: Record) -> Referee:
    """Replay a record to its end, and return the referee.

    The events of a battle with real cards have only what everybody saw.

    Raises ReplayMismatch, which names the first move that differs, if the replay differs from the record.
    """
    return whole_refight(record).referee


def whole_refight(record: Record, *, keeps_boundaries: bool = False) -> Refight:
    """Replay a record to its end, and return the replay.

    Raises ReplayMismatch, which names the first move that differs, if the replay differs from the record.
    """
    again = Refight(record, keeps_boundaries=keeps_boundaries)
    for _ in again.steps():
        pass
    return again


def verify_record(record: Record) -> str:
    """Replay a record, and compare all its content with the replay.

    If the program fought the battle, the function also checks that the seed determines the deal and the
    random events. If the record was made with an earlier version of the rules, only the result is compared
    with the current rules. In this case, the function returns a text that says so. Otherwise the text is
    empty.

    Raises ReplayMismatch, which names the first difference, if anything differs.
    """
    check_digest(record)
    check_receipts(record)
    if record.rules_version != record.rules.version:
        return compare_versions(record)
    referee = refight(record)
    check_states(record, referee)
    check_outcome(record, referee)
    check_deal(record)
    return ""


class Verified(NamedTuple):
    """The result of the check of a record: its file, its number of moves, and a remark."""

    file: str
    moves: int
    words: str
    is_sound: bool


def verify_by(file: str, record: Record, check: Callable[[Record], str] = verify_record) -> Verified:
    """Check a record with the function `check`, and return the result.

    If the function raises ReplayMismatch, the message of this error becomes the remark.
    """
    try:
        mismatch, is_sound = check(record), True
    except ReplayMismatch as differs:
        mismatch, is_sound = str(differs), False
    return Verified(file, len(record.moves), mismatch, is_sound)


def compare_versions(record: Record) -> str:
    """Replay a record of an older version of the rules with the current rules, and return a remark.

    Raises ReplayMismatch if the result differs.
    """
    text = (
        f"fought under version {record.rules_version} of {record.rules.name}, "
        f"this is version {record.rules.version}"
    )
    try:
        check_outcome(record, refight(record))
    except ReplayMismatch as differs:
        raise ReplayMismatch(f"{text}; under these rules: {differs}", differs.move) from None
    return f"{text}; the battle is the same under both"


def check_spelling(record: Record) -> None:
    """Raise ReplayMismatch if a move is not written in the notation of the rule set."""
    for number, move in enumerate(record.moves, 1):
        if not is_spelled(record.rules, move, record.setup.seats):
            raise ReplayMismatch(
                f"move {number}: {quoted(move)} is not a move of {record.rules.name}", number
            )


def check_deal(record: Record) -> None:
    """Raise ReplayMismatch if the deal in a record is not the deal that the seed determines.

    The function checks only battles that the program fought.
    """
    if record.fought != "engine" or record.seed is None:
        return
    fresh = record.setup.copy()
    fresh.deal = {}
    record.rules.deal(fresh, stream(record.seed, "deal"))
    try:
        referee = refight(record._replace(setup=fresh))
    except ReplayMismatch:
        raise ReplayMismatch(OTHER_DEAL) from None
    if record.rules.dealt(referee.battle, fresh) != record.setup.deal:
        raise ReplayMismatch(OTHER_DEAL)


def check_states(record: Record, referee: Referee) -> None:
    """Raise ReplayMismatch if a state hash in the record differs from the hash in the replay."""
    fought = read_checks(referee.checks)
    if record.fought != "table" and list(record.checks) != list(fought):
        recorded_counts, replayed_counts = listed(map(str, record.checks)), listed(map(str, fought))
        raise ReplayMismatch(
            f"the checks come after {recorded_counts} moves; they belong after {replayed_counts}"
        )
    sound = 0
    for moves_made, hashed in record.checks.items():
        if fought.get(moves_made) != hashed:
            if not moves_made:
                raise ReplayMismatch("the first check does not fit the deal and the house rules")
            text = f"the state differs from the record; a move from {sound + 1} to {moves_made} was changed"
            raise ReplayMismatch(f"move {moves_made}: {text}", moves_made)
        sound = moves_made


def check_outcome(record: Record, referee: Referee) -> None:
    """Raise ReplayMismatch if the result in the record differs from the result of the replay."""
    outcome = referee.outcome()
    seats = record.setup.seats
    comparisons: list[tuple[str, object, object]] = [
        ("winners", keys_of(record.winning_seats, seats), keys_of(outcome.winners, seats)),
        ("reason", record.reason, outcome.reason),
    ]
    for seat, key in enumerate(seats):
        comparisons.append((f"{key}'s score", record.scores[seat], referee.battle.score(seat)))
        comparisons.append((f"{key}'s losses", record.losses[seat], Fraction(*outcome.losses[seat])))
    for label, recorded, fought in comparisons:
        if recorded != fought:
            raise ReplayMismatch(
                f"after the last move: {label}: the record says {recorded}, the moves give {fought}",
                len(record.moves),
            )


def keys_of(seats: list[int], keys: list[str]) -> str:
    """Return the keys of several seats as text, or "nobody" if `seats` is empty."""
    return listed(keys[seat] for seat in seats) or "nobody"
