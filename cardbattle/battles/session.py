"""A battle in progress, independent of the front end and of who answers for each side.

Prompts, the screen, orders and messages all drive a `Session`: they read which seats must answer, show their
questions and pass in the answers. Commanders answer in between. The same answers produce the same record with
every front end.

Secret answers are stored outside the battle until every side has answered, so no visible state changes when
one side answers. A commander that replaces a player also waits for all human players, so that the replacement
is not visible.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import NamedTuple
from warnings import warn

from cardbattle.battles.records.battle_file import FORFEIT, RESIGN, STOP, BattlePlan, SidePlan
from cardbattle.battles.records.reader_view import Report
from cardbattle.battles.records.receipts import Chain, QuestionMoment, receipts_table
from cardbattle.battles.records.record import Record, record_of, with_receipts
from cardbattle.commanders import (
    HUMAN,
    CommanderFailed,
    Orders,
    Person,
    Waits,
    make_commander,
    remaining_orders,
)
from cardbattle.commanders.standing import NOTHING, read_standing, standing_choice, with_standing
from cardbattle.core.battle import NOBODY, Battle, Event, View
from cardbattle.core.chance import FRESH, Chance, Drawn, stream
from cardbattle.core.errors import Diagnostic, IllegalMove, InvalidInput, Remark, UsageError
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.public_library import library
from cardbattle.core.referee import Commander, Referee, choice_words, comparable, find_choice
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.setup import seat_of
from cardbattle.core.spelling import number_mark
from cardbattle.core.telling import DURING

Seating = int | str  # a side: its seat or its key
WORLDS = 200  # number of redeals in which `can_undo` tries an answer


class Streams(NamedTuple):
    """The random streams of one battle, one for each consumer."""

    lot: Chance
    deal: Chance
    battle: Chance
    sides: list[Chance]

    def are_untouched(self) -> bool:
        """Return True if no random number was drawn."""
        return all(chance.counter == FRESH for chance in (self.lot, self.deal, self.battle, *self.sides))


class BattleStart(NamedTuple):
    """A battle after the deal and before the first answer; undo replays the battle from here."""

    plan: BattlePlan
    setup: Setup
    streams: Streams
    fought: str

    def referee(self) -> Referee:
        """Return a new referee at the start of the battle."""
        return Referee(self.plan.rules, self.setup.copy(), Drawn(self.streams.battle.copy()))


class Decision(NamedTuple):
    """A question to a side, with everything the side may know when it answers.

    Attributes:
        texts: the options as text, in the order of the view's options.
        unoffered: answers that are also accepted, such as resign.
        mark: prefix of an option number; if it is set, a bare number means a card.

    """

    seat: int
    key: str
    view: View
    texts: list[str]
    unoffered: list[str]
    mark: str = ""


class Session:
    """One battle in progress.

    `referee` holds hidden information: never show it to a player. Methods that take a side accept its key,
    such as `york`, or its seat, from 0, and raise UsageError for an unknown side.
    """

    def __init__(self, beginning: BattleStart, commanders: list[Commander]) -> None:
        self.beginning = beginning
        self.plan = beginning.plan
        self.rules = beginning.plan.rules
        self.keys = beginning.setup.seats
        self.commanders = commanders
        self.persons = persons_of(self.plan)
        self.referee = beginning.referee()
        self.sealed: dict[int, list[str]] = {}  # by seat: secret answers of players, until all are in
        self.seals: dict[int, str] = {}  # by seat: the seal of its next answer, until it is opened
        self.is_opening = False  # True while the seals are opened one after the other
        self.spent: list[str] = []  # opened seals and their salts
        self.reported_events: dict[int, int] = {}  # by seat: number of events in the messages it has answered
        self.salt = ""  # salt of the receipts in messages; empty without receipts
        self.asked_at: dict[int, dict[int, int]] = {}  # by seat and question number: moves made before it
        self.since = ""  # when the open questions were asked, if there is a deadline for answers

    def __repr__(self) -> str:
        asked = " and ".join(self.keys[seat] for seat in self.seats_to_answer)
        return f"<Session of {self.rules.name}: {f'waits for {asked}' if asked else 'over'}>"

    def seat_of(self, side: Seating) -> int:
        """Return the seat of a side. Raises UsageError for an unknown side."""
        return seat_of(side, self.keys)

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return self.referee.battle.is_over()

    @property
    def seats_to_answer(self) -> list[int]:
        """The seats of human players who must answer now, in order; empty once the battle is over.

        All sides of a secret choice are asked at the same time.
        """
        battle = self.referee.battle
        if battle.side == NOBODY:
            return []
        if not self.is_sealed(battle):
            return [battle.side]
        return [seat for seat in self.secretive() if seat in self.persons and self.is_open(seat)]

    @property
    def sides_to_answer(self) -> list[str]:
        """The keys of the human players who must answer now, in seat order; empty once the battle is over."""
        return [self.keys[seat] for seat in self.seats_to_answer]

    @property
    def scores(self) -> dict[str, int]:
        """The current score of each side, also in battles that hide the scores from the players."""
        return {key: self.referee.battle.score(seat) for seat, key in enumerate(self.keys)}

    @property
    def players(self) -> list[int]:
        """The seats planned for human players, including those that a commander now replaces."""
        return [seat for seat, side in enumerate(self.plan.sides) if side.commander == HUMAN]

    @property
    def pending_seats(self) -> list[int]:
        """The seats to show as awaited, without revealing hidden information.

        In a secret choice these are all its players until all have answered. If the identity of the side with
        the question would reveal cards, these are all players.
        """
        if self.hides_pending_seats:
            return self.players
        return self.secretive() if self.is_sealed(self.referee.battle) else self.seats_to_answer

    @property
    def hides_pending_seats(self) -> bool:
        """Whether naming the side that must answer would reveal its cards to another player."""
        battle = self.referee.battle
        return battle.side != NOBODY and battle.question in self.rules.revealing and len(self.players) > 1

    @property
    def shows_places(self) -> bool:
        """Whether the number of questions to a side can be shown without revealing its cards."""
        return not self.rules.revealing or len(self.players) == 1

    def is_sealed(self, battle: Battle) -> bool:
        """Return True if the current question is answered in secret."""
        return battle.side != NOBODY and battle.question in self.rules.sealed

    def secretive(self) -> list[int]:
        """Return the seats of all players in the current secret choice, answered or not."""
        battle = self.referee.battle.copy()
        seats: list[int] = []
        while self.is_sealed(battle):
            seats.append(battle.side)
            if not pass_by(battle):
                break
        return [seat for seat in seats if seat in self.players]

    def position(self, seat: Seating) -> Battle:
        """Return a copy of the battle from which this seat chooses, before its own secret answers.

        Raises InvalidInput if it is not the seat's turn.
        """
        seat = self.seat_of(seat)
        battle = self.referee.battle.copy()
        while battle.side != seat and self.is_sealed(battle) and pass_by(battle):
            pass
        if battle.side != seat:
            raise InvalidInput(f"{self.keys[seat]} has no question to answer now")
        return battle

    def apply_secret_answers(self, battle: Battle, seat: int, texts: Sequence[str] | None = None) -> bool:
        """Apply secret answers, by default all those of the seat, to a copy of the battle.

        Return True if the seat has another question in the same secret choice.
        """
        is_asked = True
        for text in self.sealed.get(seat, []) if texts is None else texts:
            is_asked = choose_in_secret(battle, find_choice(self.rules, battle, self.keys[seat], text))
        return is_asked

    def is_open(self, seat: Seating) -> bool:
        """Return True if this seat's secret choice is not complete."""
        seat = self.seat_of(seat)
        return self.apply_secret_answers(self.position(seat), seat)

    def position_of(self, seat: Seating) -> Battle:
        """Return a copy of the battle after this seat's secret answers; raise InvalidInput if not asked."""
        seat = self.seat_of(seat)
        if seat not in self.seats_to_answer:
            raise InvalidInput(f"{self.keys[seat]} has no question to answer now")
        battle = self.position(seat)
        self.apply_secret_answers(battle, seat)
        return battle

    def decision(self, seat: Seating) -> Decision:
        """Return the question to a seat; raise InvalidInput if it has no question now."""
        seat = self.seat_of(seat)
        battle = self.position_of(seat)
        offered = len(battle.options)
        texts = [choice_words(self.rules, battle, n) for n in range(offered + len(battle.unoffered))]
        mark = number_mark(self.rules)
        return Decision(seat, self.keys[seat], battle.view(seat), texts[:offered], texts[offered:], mark)

    def view(self, seat: Seating) -> View:
        """Return what a side may know now. Without a question to answer, its view has no options.

        Secret answers show in it when all sides have given theirs; `events_since` has the side's own at once.
        """
        seat = self.seat_of(seat)
        if seat in self.seats_to_answer:
            return self.position_of(seat).view(seat)
        view = self.referee.battle.view(seat)
        view.options = []
        return view

    def view_table(self, side: Seating) -> dict[str, object]:
        """Return what a side may know now as a table: cards as text, sides as keys, places from 1.

        docs/protocol.md describes its fields, which engines get too.
        """
        table: dict[str, object] = library().view_of(self, side)
        return table

    def place(self, seat: Seating) -> int:
        """Return the number, from 1, of the seat's current or next question.

        It depends only on the seat's own answers, so it reveals nothing about the other sides.
        """
        seat = self.seat_of(seat)
        return self.open_place(seat) + len(self.sealed.get(seat, []))

    def open_place(self, seat: Seating) -> int:
        """Return the question number without counting answers that are still secret."""
        seat = self.seat_of(seat)
        return len(self.moves_of(seat)) + 1

    def moves_of(self, seat: Seating) -> list[int]:
        """Return the indices of a seat's moves."""
        seat = self.seat_of(seat)
        key = f"{self.keys[seat]} "
        return [number for number, move in enumerate(self.referee.moves) if move.startswith(key)]

    def events(self, seat: Seating | None) -> list[Event]:
        """Return the events visible to this seat, including its own secret answers; None sees everything."""
        seat = None if seat is None else self.seat_of(seat)
        seen = [event for _, event in self.referee.events_for(seat)]
        if seat is None or not self.sealed.get(seat):
            return seen
        battle, secret_events = self.position(seat), []
        for text in self.sealed[seat]:
            battle.log = []
            battle.choose(find_choice(self.rules, battle, self.keys[seat], text))
            secret_events += [event.seen_by(seat) for event in battle.log if event.side == seat]
        return seen + [event for event in secret_events if event is not None]

    def events_since(self, count: int = 0, side: Seating | None = None) -> list[dict[str, object]]:
        """Return the events that a side has seen, without the first `count` of them; all events for None.

        An event is a table as in JSON output: cards as text, sides as keys.
        """
        return [self.rules.as_json(event, self.keys) for event in self.events(side)[max(count, 0) :]]

    def report(self, seat: Seating) -> Report:
        """Return the battle so far as this seat saw it, with events numbered from 0."""
        seat = self.seat_of(seat)
        sides = self.plan.sides
        return Report(
            id="",
            rules=self.rules,
            setup=self.referee.setup,
            names=[side.noun for side in sides],
            commanders=[side.commander for side in sides],
            seed=None,
            events=list(enumerate(self.events(seat))),
            viewer=seat,
            winners=[],
            reason="",
            scores=[0] * len(sides),
            losses=["0"] * len(sides),
            pace=DURING,
        )

    def answer(self, seat: Seating, text: str) -> None:
        """Apply a human player's answer and play on until the next human decision or the end.

        If it raises, nothing has changed.

        Raises:
            InvalidInput: the side has no question to answer now.
            IllegalMove: the answer is not an option; the message lists the options.
            UsageError: the answer is not a string.

        """
        seat = self.seat_of(seat)
        if not isinstance(text, str):
            raise UsageError(f"answer: expected the words of an option, got {quoted(text)}")
        battle = self.position_of(seat)
        if self.is_sealed(battle):
            self.keep_sealed(seat, text)
        else:
            index = find_choice(self.rules, battle, self.keys[seat], text)
            self.refuse_taken(choice_words(self.rules, battle, index))
            self.referee.choose(index)
        self.go_on()

    def keep_sealed(self, seat: int, text: str) -> None:
        """Store a secret answer; raise InvalidInput or IllegalMove if it is not possible now."""
        battle = self.position(seat)
        if seat not in self.secretive() or not self.apply_secret_answers(battle, seat):
            raise InvalidInput(f"{self.keys[seat]} has no question to answer now")
        index = find_choice(self.rules, battle, self.keys[seat], text)
        self.sealed.setdefault(seat, []).append(choice_words(self.rules, battle, index))

    def refuse_taken(self, answer_text: str) -> None:
        """Raise IllegalMove if the pick names a card that the battle file deals elsewhere."""
        pick = answer_text.removeprefix("pick ")
        if pick == answer_text or self.beginning.fought != "mixed":
            return
        for pile, cards in self.plan.setup.deal.items():
            if pick in [self.rules.card_text(card, pile) for card in cards]:
                raise IllegalMove(f"{pick} is dealt to {pile} in the battle file; pick another card")

    def go_on(self) -> None:
        """Let commanders answer until the next human decision or the end.

        Raises InvalidInput if an order is not a legal answer.
        """
        self.fight_on()
        self.is_opening = bool(self.seals) and self.are_all_sealed()
        self.record_question()

    def give_receipts(self, salt: str) -> None:
        """Issue a receipt with every question from now on; `salt` is 128 random bits in hexadecimal."""
        self.salt = salt
        self.record_question()

    def record_question(self) -> None:
        """Record for the receipts which seats have a question now, and the number of moves before it."""
        if not self.salt:
            return
        for seat in self.seats_to_answer:
            times, place = self.asked_at.get(seat, {}), self.place(seat)
            times = {before: move_count for before, move_count in times.items() if before < place}
            self.asked_at[seat] = {**times, place: len(self.referee.moves)}

    def receipt(self, seat: Seating) -> str:
        """Return a player's receipt for all moves and its own secret answers; "" without receipts."""
        if not self.salt:
            return ""
        seat = self.seat_of(seat)
        key, moves = self.keys[seat], self.referee.moves
        secret = [f"{key} {text}" for text in self.sealed.get(seat, [])]
        asked = QuestionMoment(self.place(seat), len(moves))
        return Chain(self.salt, self.plan.id, moves).receipt(key, asked, secret)

    def fight_on(self) -> None:
        """Play on while no human decision is needed."""
        battle = self.referee.battle
        while battle.side != NOBODY:
            if battle.side in self.players and self.is_sealed(battle):
                self.follow_standing()
                if self.seats_to_answer:
                    return
                if self.sealed.get(battle.side):
                    self.unseal()
                    continue
            try:
                index = self.commanders[battle.side].answer(self.referee.seat)
            except Waits:
                return
            except CommanderFailed as failure:
                self.replace_failed(battle.side, failure)
                continue
            self.referee.choose(index)

    def replace_failed(self, seat: int, failure: CommanderFailed) -> None:
        """Forfeit for a side whose engine has failed, or replace it, as the battle file says.

        Raises the failure if the file says to stop.
        """
        side, key = self.plan.sides[seat], self.keys[seat]
        if side.if_engine_fails == STOP or side.substitutes:
            raise failure
        if side.if_engine_fails == FORFEIT:
            warn(f"{failure}; {key} forfeits", Remark, stacklevel=2)
            self.referee.choose(self.referee.find(RESIGN))
            return
        rank = side.if_engine_fails
        warn(f"{failure}; {rank} commands {key} from question {self.place(seat)} on", Remark, stacklevel=2)
        self.command(seat, side._replace(substitutes=[f"{self.place(seat)}: {rank}"]))

    def follow_standing(self) -> None:
        """Answer secret questions from standing orders, where these orders apply."""
        for seat in self.seats_to_answer:
            orders = read_standing(self.plan.sides[seat].standing, self.rules)
            while orders and self.is_open(seat):
                decision = self.decision(seat)
                place = standing_choice(orders, self.rules, decision.view, decision.texts)
                if place == NOTHING:
                    break
                self.keep_sealed(seat, decision.texts[place])

    def command(self, seat: Seating, side: SidePlan) -> None:
        """Replace the commander of a side; `go_on` then lets it answer.

        Secret answers already given remain. Raises InvalidInput if the standing orders are not valid,
        UsageError if the rank is unknown.
        """
        seat = self.seat_of(seat)
        left = remaining_orders(self.commanders[seat])
        chance = self.beginning.streams.sides[seat]
        commander = acting_commander(side, self.keys[seat], self.rules, chance)
        commander = with_standing(side.standing, self.rules, commander)
        if side.acting != HUMAN:
            self.seals.pop(seat, "")
        sides = [*self.plan.sides]
        sides[seat] = side
        self.commanders[seat] = Orders(left, commander, ("sides", self.keys[seat])) if left else commander
        self.plan = self.plan._replace(sides=sides)
        self.beginning = self.beginning._replace(plan=self.plan)
        self.persons = persons_of(self.plan)

    def substitute(self, seat: Seating, rank: str) -> None:
        """Let a commander stand in for a human player; the rank HUMAN hands the side back.

        Raises InvalidInput if the side is not a human player's, UsageError if the rank is unknown.
        """
        seat = self.seat_of(seat)
        side, key = self.plan.sides[seat], self.keys[seat]
        if side.commander != HUMAN:
            raise InvalidInput(
                f"{key} has no human player: its commander is {side.commander}; name a human side"
            )
        if side.acting == rank:
            raise InvalidInput(f"{key} already has this commander: {rank}")
        note = f"{self.place(seat)}: {rank}"
        self.command(seat, side._replace(substitutes=[*side.substitutes, note]))
        self.go_on()

    def unseal(self) -> None:
        """Apply the secret answers of the player whose turn it is."""
        battle = self.referee.battle
        for text in self.sealed.pop(battle.side):
            self.referee.choose(self.referee.find(text))
        if battle.is_over():  # a resignation makes the other secret answers obsolete
            self.sealed.clear()

    def can_undo(self, seat: Seating) -> bool:
        """Return True if a seat may undo its last answer, because nothing was learned from it.

        It may not once chance was drawn, another side has answered, or the answer revealed something to the
        side. The last is tested by redeals from the side's view: all must continue in the same way.
        """
        seat = self.seat_of(seat)
        if self.sealed.get(seat):
            return True
        moves = self.referee.moves
        key = self.keys[seat]
        if self.seats_to_answer != [seat] or not moves or not moves[-1].startswith(f"{key} "):
            return False
        before = self.replay_moves(moves[:-1]).battle
        if before.side != seat or self.is_sealed(before):
            return False
        return self.shows_nothing(before, seat, moves[-1].removeprefix(f"{key} "))

    def shows_nothing(self, before: Battle, seat: int, text: str) -> bool:
        """Return True if the answer has the same visible result in every sampled redeal."""
        truly = self.events_after(before, seat, text)
        chance = stream(self.rules.key, f"undo/{len(self.referee.moves)}")
        return all(self.events_after(before.redeal(seat, chance), seat, text) == truly for _ in range(WORLDS))

    def events_after(self, battle: Battle, seat: int, text: str) -> object:
        """Return the events that a seat sees after an answer, in a comparable form."""
        after = battle.copy()
        events: list[Event] = []
        after.log = events
        after.choose(find_choice(self.rules, after, self.keys[seat], text))
        seen = [event.seen_by(seat) for event in events]
        visible = [repr(self.rules.as_json(event, self.keys)) for event in seen if event is not None]
        return (visible, after.question, after.options) if after.side == seat else None

    def undo(self, seat: Seating) -> str:
        """Undo a seat's last answer and return its text; raise InvalidInput if it cannot be undone."""
        seat = self.seat_of(seat)
        if not self.sealed.get(seat) and not self.moves_of(seat):
            raise InvalidInput(f"{self.keys[seat]} has answered nothing yet")
        if not self.can_undo(seat):
            raise InvalidInput(
                f"{self.keys[seat]} cannot take back anything now: since its last answer something was "
                "seen, drawn or answered"
            )
        if self.sealed.get(seat):
            text = self.sealed[seat].pop()
            if not self.sealed[seat]:
                del self.sealed[seat]
            return text
        move = self.referee.moves[-1]
        self.referee = self.replay_moves(self.referee.moves[:-1])
        return move.partition(" ")[2]

    def replay_moves(self, moves: Sequence[str]) -> Referee:
        """Replay these moves from the start and return the referee.

        Raises InvalidInput if they are not legal.
        """
        referee = self.beginning.referee()
        while len(referee.moves) < len(moves):
            key, _, text = moves[len(referee.moves)].partition(" ")
            if referee.battle.is_over() or key != referee.key:
                break
            try:
                referee.choose(referee.find(text))
            except IllegalMove as error:
                raise InvalidInput([Diagnostic(str(error), at=("moves", len(referee.moves)))]) from None
        for place, (expected, replayed) in enumerate(zip(moves, referee.moves, strict=False)):
            if expected != replayed:
                raise InvalidInput([Diagnostic(f'this move must be "{replayed}"', at=("moves", place))])
        if len(referee.moves) != len(moves):
            raise InvalidInput([Diagnostic("the moves do not fit the battle", at=("moves",))])
        return referee

    def are_all_sealed(self) -> bool:
        """Return True once every asked side has sealed its answer.

        It stays True until the last answer is opened, even if an opened answer leads to another question;
        otherwise a side whose answer is still sealed would learn about that question.
        """
        asked = self.seats_to_answer
        return self.is_opening or (bool(asked) and all(seat in self.seals for seat in asked))

    def save(self, file: str | PathLike[str]) -> str:
        """Write the unfinished battle to a file and return the file's name.

        The file contains hidden information: only the umpire may see it. Raises UsageError if the path is one
        of a campaign's own files, SystemFailure if it cannot be written.
        """
        return str(library().save_session(self, file))

    def record(self) -> Record:
        """Return the record of the battle.

        Raises InvalidInput if the battle is not over, or a player picked a card dealt elsewhere.
        """
        record = record_of(self.plan, self.referee, self.beginning.fought)
        refuse_picked(self.plan, record)
        return with_receipts(record, self.receipts()) if self.salt else record

    def receipts(self) -> dict[str, object]:
        """Return the receipts table of the record; the battle must be over."""
        asked = {self.keys[seat]: times_of(self.asked_at.get(seat, {})) for seat in self.players}
        return receipts_table(self.salt, self.plan.id, self.referee.moves, asked)


def times_of(places: Mapping[int, int]) -> list[QuestionMoment]:
    """Return the moments of a player's questions, from the number of moves by question number."""
    return [QuestionMoment(place, move_count) for place, move_count in sorted(places.items())]


def acting_commander(side: SidePlan, key: str, rules: RuleSet, chance: Chance) -> Commander:
    """Return the commander that answers after the orders. Raises UsageError for an unknown rank."""
    rank = side.acting
    return Person(key) if rank == HUMAN else make_commander(rank, rules, chance)


def persons_of(plan: BattlePlan) -> list[int]:
    """Return the seats for which human players answer at present."""
    return [seat for seat, side in enumerate(plan.sides) if side.acting == HUMAN]


REMARK = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]*)[)\]]\W*")  # an answer and a remark in brackets
NUMBERED = re.compile(r"(option |no\.? ?)?(#)?\s?(\d{1,9})", re.IGNORECASE)
BOTH = re.compile(r"(#?\d{1,9})[\s.):,-]+(.*\S)")  # the number and the text of the same option


def option_meant(decision: Decision, answer_text: str) -> str:
    """Return the option that a typed answer names, by its number, its text or a prefix of each word.

    The first word can be omitted, as in `K` for `commit K`. The option's text can follow its number, and a
    remark in brackets can follow either. An answer that matches no option is returned unchanged. Raises
    IllegalMove if it matches several options or its number is out of range.
    """
    meant = find_option(decision, answer_text)
    if meant:
        return meant
    number, remark = BOTH.fullmatch(answer_text), REMARK.fullmatch(answer_text)
    for parts in (number, remark):
        if parts:
            meant, remark_option = find_option(decision, parts[1]), find_option(decision, parts[2])
            if meant and remark_option and comparable(meant) != comparable(remark_option):
                raise IllegalMove(
                    f"{parts[1]} is {meant}, and {clean(parts[2])} is {remark_option}; write one of them"
                )
            if meant and (remark_option or (parts is remark and is_remark(decision, parts[2]))):
                return meant
    matches = options_begun(decision, answer_text)
    if len(matches) > 1:
        more = ", ..." if len(matches) > 6 else ""
        raise IllegalMove(f"{clean(answer_text)} may be {listed(matches[:6], 'or')}{more}; write more of it")
    if decision.mark and answer_text.isdigit():
        raise IllegalMove(
            f"{answer_text} is not one of the cards; "
            f"write {decision.mark}{answer_text} for the option of that number"
        )
    return answer_text


def find_option(decision: Decision, answer_text: str) -> str:
    """Return the single option that a text names by number, in full or by prefix, or "".

    Raises IllegalMove if the number is out of range.
    """
    number = NUMBERED.fullmatch(answer_text)
    if number and (number[1] or number[2] or not decision.mark):
        if not 0 < int(number[3]) <= len(decision.texts):
            mark = decision.mark
            raise IllegalMove(
                f"there are options {mark}1 to {mark}{len(decision.texts)}, not {mark}{number[3]}"
            )
        return decision.texts[int(number[3]) - 1]
    wanted = comparable(answer_text)
    if wanted in map(comparable, [*decision.texts, *decision.unoffered]):
        return answer_text
    same = [text for text in decision.texts if wanted == comparable(text).partition(" ")[2]]
    matches = same or options_begun(decision, answer_text)
    return matches[0] if len(matches) == 1 else ""


def options_begun(decision: Decision, answer_text: str) -> list[str]:
    """Return the options that match by prefixes; if none does, those that match without their first word."""
    wanted = comparable(answer_text).split()
    offered = [(text, comparable(text).split()) for text in decision.texts] if wanted else []
    matches = [text for text, whole in offered if begins(whole, wanted)]
    return matches or [text for text, whole in offered if begins(whole[1:], wanted)]


def is_remark(decision: Decision, remark: str) -> bool:
    """Return True if a remark cannot be another answer: it has no digit and no first word of an option."""
    firsts = {text.split()[0].casefold() for text in [*decision.texts, *decision.unoffered]}
    return not any(map(str.isdigit, remark)) and not firsts & set(re.findall(r"\w+", remark.casefold()))


def begins(tokens: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return True if each wanted word is a prefix of the word in the same position.

    Numbers must match in full.

    >>> begins("play kh rally".split(), "p kh".split()), begins(["pass"], "p k".split())
    (True, False)
    >>> begins(["commit", "10"], ["commit", "1"])
    False
    """
    return len(wanted) <= len(tokens) and all(
        word.startswith(begin) and not (begin[-1].isdigit() and word[len(begin) :][:1].isdigit())
        for word, begin in zip(tokens, wanted, strict=False)
    )


def choose_in_secret(battle: Battle, index: int) -> bool:
    """Apply a secret answer to a copy of a battle.

    Return True if the side has another question in the same secret choice. If anything else happened, every
    side has chosen and the secret choice is over.
    """
    side, question = battle.side, battle.question
    events: list[Event] = []
    battle.log = events
    battle.choose(index)
    battle.log = None
    return battle.side == side and battle.question == question and is_quiet(events, side)


def is_quiet(events: Sequence[Event], side: int) -> bool:
    """Return True if all events belong to this side."""
    return all(event.side == side for event in events)


def pass_by(battle: Battle) -> bool:
    """Answer all secret questions of the current side arbitrarily, in a copy of the battle.

    Return True if other sides take part in the same secret choice.
    """
    side, events = battle.side, list[Event]()
    battle.log = events
    while battle.side == side and is_quiet(events, side):
        battle.choose(0)
    battle.log = None
    return is_quiet(events, side)


def refuse_picked(plan: BattlePlan, record: Record) -> None:
    """Raise InvalidInput if a player picked a card that the battle file deals elsewhere."""
    errors = []
    for pile, typed in plan.setup.deal.items():
        for place, card in enumerate(typed):
            if record.setup.deal[pile][place] != card:
                text = f"{plan.rules.card_text(card, pile)} was picked before it could be dealt here"
                errors.append(Diagnostic(text, at=("deal", *pile.split("."), place)))
    if errors:
        raise InvalidInput(errors)
