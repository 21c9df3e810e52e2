"""Play a conformance case with this program, and return what the program shows at each expectation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import (
    deal_table,
    fraction_text,
    house_table,
    side_options_table,
)
from cardbattle.conformance.case_file import Case, Expectation
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import FRESH, stream
from cardbattle.core.errors import CardbattleError, IllegalMove, InvalidInput
from cardbattle.core.names import listed, quoted
from cardbattle.core.referee import Recorded, Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.engines.description import question_table, view_table

Point = dict[str, object]  # the fields that an implementation shows at one expectation
FIELDS: Mapping[str, tuple[str, ...]] = {  # by expectation: the fields of a point to compare it with
    "asks": ("asks",),
    "question": ("question",),
    "options": ("options",),
    "legal": ("options", "also"),
    "illegal": ("options", "also"),
    "count": ("options",),
    "events": ("events",),
    "no_events": ("events",),
    "seen": ("seen",),
    "unseen": ("seen",),
    "views": ("views",),
    "scores": ("scores",),
    "winners": ("winners",),
    "reason": ("reason",),
    "losses": ("losses",),
    "next_house": ("next_house",),
}
AT_END = ("winners", "reason", "losses", "next_house")


class CaseFailed(CardbattleError):
    """A case cannot be played to its end."""


class Answer(NamedTuple):
    """The answer of an implementation to a case.

    Attributes:
        points: what the implementation shows at each expectation.
        refused: True if the implementation refuses the set-up of the case.
        refused_at: the keys that make the set-up invalid, if they are known.
        error: the reason why the implementation could not play the case, or "".

    """

    points: list[Point]
    refused: bool = False
    refused_at: Sequence[str] = ()
    error: str = ""


def setup_of(case: Case) -> Setup:
    """Return the set-up of a case with all cards dealt. Raises InvalidInput if the set-up is not valid.

    Cards that the case does not fix are dealt at random, with the id of the case as the seed.
    """
    setup = read_battle(case.table).setup.copy()
    fixed, lot = dict(setup.house), stream(case.id, "lot")
    case.rules.choose_random_house_rules(setup, lot)
    if lot.counter != FRESH:
        drawn = [word for word, value in setup.house.items() if fixed[word] is None and value is not None]
        raise InvalidInput(f"house: a case has no random house rules; write {listed(drawn, 'or')} into house")
    case.rules.deal(setup, stream(case.id, "deal"))
    return setup


def answer_case(case: Case) -> Answer:
    """Play a case with this program, and return the program's answer."""
    try:
        setup = setup_of(case)
    except InvalidInput as refusal:
        at = [".".join(map(str, error.at)) for error in refusal.errors]
        return Answer([], refused=True, refused_at=at, error=str(refusal))
    if case.refused:
        return Answer([])
    battle = CaseBattle(case, setup)
    try:
        battle.play()
    except (CaseFailed, IllegalMove) as error:
        return Answer(battle.points, error=str(error))
    return Answer(battle.points)


class CaseBattle:
    """A case in progress. Each expectation adds an element to `points`."""

    def __init__(self, case: Case, setup: Setup) -> None:
        self.case = case
        self.setup = setup
        self.points: list[Point] = []
        self.moves = [step for step in case.steps if isinstance(step, str)]
        self.made = 0
        self.reported = 0  # the number of events that earlier points have reported
        self.referee: Referee | None = None

    def next_move(self) -> str:
        """Return the next move of the case, or "" after the last move."""
        self.made += 1
        return self.moves[self.made - 1] if self.made <= len(self.moves) else ""

    def take_fate(self, text: str) -> str:
        """Return the result that the next `fate` move gives for a random event.

        Raises CaseFailed if the next move is not this random event.
        """
        move, begin = self.next_move(), f"fate {text} "
        if not move.startswith(begin):
            raise CaseFailed(f"move {self.made}: expected a move {begin}..., got {quoted(move)}")
        return move[len(begin) :]

    def play(self) -> None:
        """Make all moves of a case, and observe the battle at each expectation.

        Raises IllegalMove if a move is not possible, and CaseFailed for other errors in the case.
        """
        source = Recorded(self.case.rules, self.setup.seats, self.take_fate)
        referee = self.referee = Referee(self.case.rules, self.setup, source)
        due = 0
        for step in self.case.steps:
            if isinstance(step, dict):
                if self.made > due:
                    raise CaseFailed(
                        f"an expectation stands before move {due + 1}, a random event of move {due}; "
                        "put it after the random event"
                    )
                self.points.append(self.observe(referee, step))
                continue
            due += 1
            if due > self.made:
                self.make(referee, self.next_move())

    def make(self, referee: Referee, move: str) -> None:
        """Make one move of a side. Raises CaseFailed or IllegalMove if the move is not possible."""
        number = self.made
        side, _, text = move.partition(" ")
        if side == "fate":
            raise CaseFailed(f"move {number}: {quoted(move)}: no random event is due here")
        if referee.battle.side == NOBODY:
            raise CaseFailed(f"move {number}: {quoted(move)}: the battle is over")
        if side != referee.key:
            raise CaseFailed(f"move {number}: {quoted(move)}: it is {referee.key}'s turn")
        try:
            referee.choose(referee.find(text))
        except IllegalMove as error:
            raise CaseFailed(f"move {number}: {error}") from None

    def observe(self, referee: Referee, expectation: Expectation) -> Point:
        """Return the fields of the battle that an expectation is compared with."""
        battle, rules, seats = referee.battle, self.case.rules, self.setup.seats
        is_over = battle.side == NOBODY
        point: Point = {}
        wanted = {field for key in expectation for field in FIELDS[key]}
        if "asks" in wanted:
            point["asks"] = None if is_over else referee.key
        if "question" in wanted:
            view = None if is_over else battle.view(battle.side)
            point["question"] = None if view is None else question_table(rules, view)["name"]
        if "options" in wanted:
            point["options"] = [] if is_over else referee.texts()
        if "also" in wanted:
            point["also"] = [] if is_over else referee.seat.unlisted_texts
        if "events" in wanted:
            events = [event.all_seeing() for _, event in referee.events[self.reported :]]
            point["events"] = [rules.as_json(event, seats) for event in events]
        if "seen" in wanted:
            keys = {**table_of(expectation, "seen"), **table_of(expectation, "unseen")}
            point["seen"] = {key: self.seen_by(referee, key) for key in keys}
        if "views" in wanted:
            point["views"] = {
                key: view_table(rules, battle.view(seats.index(key)), seats)
                for key in table_of(expectation, "views")
            }
        if "scores" in wanted:
            point["scores"] = {key: battle.score(seat) for seat, key in enumerate(seats)}
        if wanted & set(AT_END):
            point |= result_of(referee, rules) if is_over else dict.fromkeys(AT_END)
        self.reported = len(referee.events)
        return point

    def seen_by(self, referee: Referee, key: str) -> list[dict[str, object]]:
        """Return the events since the previous expectation, as the side `key` saw them."""
        seat = self.setup.seats.index(key)
        seen = [event.seen_by(seat) for _, event in referee.events[self.reported :]]
        return [self.case.rules.as_json(event, self.setup.seats) for event in seen if event is not None]


def table_of(expectation: Expectation, key: str) -> dict[str, object]:
    value = expectation.get(key)
    return value if isinstance(value, dict) else {}


def result_of(referee: Referee, rules: RuleSet) -> Point:
    """Return the winners, the reason and the losses of a battle, and the next house rules of a series."""
    outcome, seats = referee.outcome(), referee.setup.seats
    return {
        "winners": [seats[seat] for seat in outcome.winners],
        "reason": outcome.reason,
        "losses": {
            key: fraction_text(Fraction(*lost)) for key, lost in zip(seats, outcome.losses, strict=True)
        },
        "next_house": rules.next_house(referee.setup, outcome.winners),
    }


def case_table(case: Case) -> dict[str, object]:
    """Return a case in a form for other programs that states every card and every house rule explicitly.

    If the case says that the set-up must be refused, the set-up is returned unchanged. Otherwise, raises
    InvalidInput if the set-up is not valid.
    """
    table: dict[str, object] = {
        "id": case.id,
        "title": case.title,
        "rules": case.rules.key,
        "rules_version": case.rules.version,
        "numbers": case.numbers,
        "source": case.source,
        "issues": case.issues,
    }
    if case.refused:
        written = {key: value for key, value in case.table.items() if key != "rules"}
        sides = written["sides"]
        assert isinstance(sides, dict)
        return {**table, "seats": list(sides), **written, "refused": case.refused, "steps": []}
    setup = setup_of(case)
    steps = [{"move": step} if isinstance(step, str) else {"expect": step} for step in case.steps]
    return {
        **table,
        "seats": setup.seats,
        "house": house_table(case.rules, setup),
        "sides": {key: side_options_table(case.rules, setup, seat) for seat, key in enumerate(setup.seats)},
        "deal": deal_table(setup.deal, case.rules),
        "steps": steps,
    }
