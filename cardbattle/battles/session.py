"""Run a battle in progress in the same way for all front ends.

The front ends are the prompt, the full screen, order files and messages. A front end asks the `Session` which
seats must answer, shows their questions, and passes the answers to the session. The session asks the computer
commanders itself. With all front ends, the same answers produce the same record.

Some questions are answered in secret: several sides choose at the same time. The session stores secret
answers outside the battle until all these sides have answered, so that nothing visible changes when one of
them answers. If a commander replaces a player, the commander answers after all human players, so that they do
not notice that the player was replaced.
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
from cardbattle.commanders.standing import NOTHING, is_else, read_standing, standing_choice, with_standing
from cardbattle.core.battle import NOBODY, Battle, Event, View
from cardbattle.core.chance import FRESH, Chance, Drawn, stream
from cardbattle.core.errors import Diagnostic, IllegalMove, InvalidInput, Remark, UsageError
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.public_library import library
from cardbattle.core.referee import Commander, Referee, choice_words, comparable, find_choice
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.setup import seat_of
from cardbattle.core.spelling import number_mark, option_parts, with_short_ranks, without_courtesy
from cardbattle.core.telling import DURING

Seating = int | str  # a side, given by its seat or its key
WORLDS = 200  # number of redeals in which `can_undo` tests an answer


class Streams(NamedTuple):
    """The random streams of one battle. Each part of the program uses its own stream."""

    lot: Chance
    deal: Chance
    battle: Chance
    sides: list[Chance]

    def are_untouched(self) -> bool:
        """Return True if no random number has been drawn from any stream."""
        return all(chance.counter == FRESH for chance in (self.lot, self.deal, self.battle, *self.sides))


class BattleStart(NamedTuple):
    """A battle after the deal, from which `Session.undo` replays it."""

    plan: BattlePlan
    setup: Setup
    streams: Streams
    fought: str

    def referee(self) -> Referee:
        """Return a new referee for the battle at its start."""
        return Referee(self.plan.rules, self.setup.copy(), Drawn(self.streams.battle.copy()))


class Decision(NamedTuple):
    """A question to a side, with all information that the side has when it answers.

    Attributes:
        texts: the texts of the options. They have the same order as `view.options`.
        unoffered: legal answers that are not among the options, such as "resign".
        mark: the prefix that players write before the number of an option. If it is not empty, a number
            without this prefix means a card.

    """

    seat: int
    key: str
    view: View
    texts: list[str]
    unoffered: list[str]
    mark: str = ""


class Session:
    """A battle in progress.

    Never show the attribute `referee` to a player, because it contains hidden information.

    The arguments `side` and `seat` of methods accept the key of a side, such as `york`, or its seat, counted
    from 0. Methods raise UsageError for an unknown side.
    """

    def __init__(self, beginning: BattleStart, commanders: list[Commander]) -> None:
        self.beginning = beginning
        self.plan = beginning.plan
        self.rules = beginning.plan.rules
        self.keys = beginning.setup.seats
        self.commanders = commanders
        self.persons = persons_of(self.plan)
        self.referee = beginning.referee()
        self.sealed: dict[int, list[str]] = {}  # by seat: the players' secret answers
        self.seals: dict[int, str] = {}  # by seat: the unopened seal of the side's next answer
        self.is_opening = False  # True while the players open their seals
        self.spent: list[str] = []  # the opened seals and their salts
        self.reported_events: dict[int, int] = {}  # by seat: events in messages that were answered
        self.salt = ""  # salt of the receipts; empty if the battle has no receipts
        self.asked_at: dict[int, dict[int, int]] = {}  # by seat and question: moves before the question
        self.since = ""  # the time at which the open questions were asked, if answers have a deadline

    def __repr__(self) -> str:
        asked = " and ".join(self.keys[seat] for seat in self.seats_to_answer)
        return f"<Session of {self.rules.name}: {f'waits for {asked}' if asked else 'over'}>"

    def seat_of(self, side: Seating) -> int:
        """Return the seat of a side. Raises UsageError for an unknown side."""
        return seat_of(side, self.keys)

    @property
    def is_over(self) -> bool:
        """True if the battle has ended."""
        return self.referee.battle.is_over()

    @property
    def seats_to_answer(self) -> list[int]:
        """The seats of the human players who must answer now, in ascending order.

        The list is empty if the battle is over.

        In a secret choice, all sides are asked at the same time.
        """
        battle = self.referee.battle
        if battle.side == NOBODY:
            return []
        if not self.is_sealed(battle):
            return [battle.side]
        return [seat for seat in self.secretive() if seat in self.persons and self.is_open(seat)]

    @property
    def sides_to_answer(self) -> list[str]:
        """The keys of the human players who must answer now, in seat order.

        The list is empty if the battle is over.
        """
        return [self.keys[seat] for seat in self.seats_to_answer]

    @property
    def scores(self) -> dict[str, int]:
        """The current score of each side.

        The rule set may hide these scores from the players.
        """
        return {key: self.referee.battle.score(seat) for seat, key in enumerate(self.keys)}

    @property
    def players(self) -> list[int]:
        """The seats that the plan assigns to human players.

        This includes players that commanders now replace.
        """
        return [seat for seat, side in enumerate(self.plan.sides) if side.commander == HUMAN]

    @property
    def pending_seats(self) -> list[int]:
        """The seats that can be shown as those that must answer without revealing hidden information.

        During a secret choice, these are the seats of all players in this choice, until the last of them has
        answered. If it would reveal cards which side is asked, they are the seats of all players.
        """
        if self.hides_pending_seats:
            return self.players
        return self.secretive() if self.is_sealed(self.referee.battle) else self.seats_to_answer

    @property
    def hides_pending_seats(self) -> bool:
        """True if other players could infer hidden cards from the fact that a certain side must answer."""
        battle = self.referee.battle
        return battle.side != NOBODY and battle.question in self.rules.revealing and len(self.players) > 1

    @property
    def shows_places(self) -> bool:
        """True if the number of questions that a side was asked can be shown without revealing its cards."""
        return not self.rules.revealing or len(self.players) == 1

    def is_sealed(self, battle: Battle) -> bool:
        """Return True if the current question of the battle is answered in secret."""
        return battle.side != NOBODY and battle.question in self.rules.sealed

    def secretive(self) -> list[int]:
        """Return the seats of all players who take part in the current secret choice.

        The list includes players who have already answered.
        """
        battle = self.referee.battle.copy()
        seats: list[int] = []
        while self.is_sealed(battle):
            seats.append(battle.side)
            if not pass_by(battle):
                break
        return [seat for seat in seats if seat in self.players]

    def position(self, seat: Seating) -> Battle:
        """Return a copy of the battle in which this seat must choose.

        If the seat has already given secret answers, the copy is in the state before these answers.

        Raises InvalidInput if the seat does not have to choose now.
        """
        seat = self.seat_of(seat)
        battle = self.referee.battle.copy()
        while battle.side != seat and self.is_sealed(battle) and pass_by(battle):
            pass
        if battle.side != seat:
            raise InvalidInput(f"{self.keys[seat]} has no question to answer now")
        return battle

    def apply_secret_answers(self, battle: Battle, seat: int, texts: Sequence[str] | None = None) -> bool:
        """Apply secret answers of a seat to `battle`, which must be a copy of the battle.

        `texts` has the answers. By default, these are all secret answers that the seat has given.

        Returns True if the seat has another question in the same secret choice.
        """
        is_asked = True
        for text in self.sealed.get(seat, []) if texts is None else texts:
            is_asked = choose_in_secret(battle, find_choice(self.rules, battle, self.keys[seat], text))
        return is_asked

    def is_open(self, seat: Seating) -> bool:
        """Return True if this seat must still answer a question of the current secret choice."""
        seat = self.seat_of(seat)
        return self.apply_secret_answers(self.position(seat), seat)

    def answers_ahead(self, seat: Seating) -> list[str]:
        """Return possible answers to the current question of a seat and to its next one.

        The list is empty if the seat has no second question before the other sides have answered, or if that
        could depend on hidden cards. The answers are the first options. Raises InvalidInput if the seat has
        no question to answer now.
        """
        battle = self.position_of(seat)
        if not self.is_sealed(battle) and battle.question not in self.rules.repeated:
            return []
        answer_text = choice_words(self.rules, battle, 0)
        is_asked = choose_in_secret(battle, 0)
        return [answer_text, choice_words(self.rules, battle, 0)] if is_asked else []

    def position_of(self, seat: Seating) -> Battle:
        """Return a copy of the battle in the state after the secret answers that this seat has given.

        Raises InvalidInput if the seat has no question to answer now.
        """
        seat = self.seat_of(seat)
        if seat not in self.seats_to_answer:
            raise InvalidInput(f"{self.keys[seat]} has no question to answer now")
        battle = self.position(seat)
        self.apply_secret_answers(battle, seat)
        return battle

    def decision(self, seat: Seating) -> Decision:
        """Return the current question to a seat.

        Raises InvalidInput if the seat has no question to answer now.
        """
        seat = self.seat_of(seat)
        battle = self.position_of(seat)
        offered = len(battle.options)
        texts = [choice_words(self.rules, battle, n) for n in range(offered + len(battle.unoffered))]
        mark = number_mark(self.rules)
        return Decision(seat, self.keys[seat], battle.view(seat), texts[:offered], texts[offered:], mark)

    def option_parts(self, seat: Seating) -> list[dict[str, object]]:
        """Return the parts of each option of the current question to a seat, in the order of the options.

        In the parts of an option, `verb` is the first word. `cards`, `numbers` and `sides` list the cards,
        the numbers and the keys of sides in the option, and `words` lists the other words. Empty lists are
        left out. Raises InvalidInput if the seat has no question to answer now.
        """
        return [option_parts(self.rules, text, tuple(self.keys)) for text in self.decision(seat).texts]

    def view(self, seat: Seating) -> View:
        """Return everything that a side knows now. If the side has no question, the view has no options.

        The view shows secret answers only after all sides have answered. In contrast, `events_since` shows a
        side its own secret answers at once.
        """
        seat = self.seat_of(seat)
        if seat in self.seats_to_answer:
            return self.position_of(seat).view(seat)
        view = self.referee.battle.view(seat)
        view.options = []
        return view

    def view_table(self, side: Seating) -> dict[str, object]:
        """Return everything that a side knows now as a dictionary with names.

        Cards are strings, sides are keys, and places on the battlefield are counted from 1.

        Engines get the same dictionary. The page docs/protocol.md describes the fields.
        """
        table: dict[str, object] = library().view_of(self, side)
        return table

    def place(self, seat: Seating) -> int:
        """Return the number of the current or next question to a seat, counted from 1.

        The number depends only on the answers of this seat, so it reveals nothing about other sides.
        """
        seat = self.seat_of(seat)
        return self.open_place(seat) + len(self.sealed.get(seat, []))

    def open_place(self, seat: Seating) -> int:
        """Return the number of the next question to a seat. Answers that are still secret are not counted."""
        seat = self.seat_of(seat)
        return len(self.moves_of(seat)) + 1

    def moves_of(self, seat: Seating) -> list[int]:
        """Return the indices of the moves that a seat made."""
        seat = self.seat_of(seat)
        key = f"{self.keys[seat]} "
        return [number for number, move in enumerate(self.referee.moves) if move.startswith(key)]

    def events(self, seat: Seating | None) -> list[Event]:
        """Return the events that a seat saw, including its own secret answers.

        If `seat` is None, return all events with all their fields.
        """
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
        """Return the events that a side has seen, without the first `count` events.

        If `side` is None, the events are those of the whole battle, with all hidden fields.

        Each event is a dictionary as in JSON output. Cards are strings, and sides are keys.

        Raises UsageError for an unknown side, or if `count` is not a whole number.
        """
        if not isinstance(count, int):
            raise UsageError(f"count: expected a whole number of events, got {quoted(count)}")
        return [self.rules.as_json(event, self.keys) for event in self.events(side)[max(count, 0) :]]

    def report(self, seat: Seating) -> Report:
        """Return the battle so far as this seat saw it. The events are numbered from 0."""
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
        """Apply the answer of a human player.

        Then the battle continues until a human player must answer or the battle is over.

        If the method raises an error, the battle is unchanged.

        Raises:
            InvalidInput: if the side has no question to answer now.
            IllegalMove: if the answer is not one of the options. The message lists the options.
            UsageError: if the answer is not a string.

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
        """Store a secret answer of a seat.

        Raises InvalidInput or IllegalMove if the answer is not possible now.
        """
        battle = self.position(seat)
        if seat not in self.secretive() or not self.apply_secret_answers(battle, seat):
            raise InvalidInput(f"{self.keys[seat]} has no question to answer now")
        index = find_choice(self.rules, battle, self.keys[seat], text)
        self.sealed.setdefault(seat, []).append(choice_words(self.rules, battle, index))

    def refuse_taken(self, answer_text: str) -> None:
        """Raise IllegalMove if an answer picks a card that the battle file has put into a pile."""
        pick = answer_text.removeprefix("pick ")
        if pick == answer_text or self.beginning.fought != "mixed":
            return
        for pile, cards in self.plan.setup.deal.items():
            if pick in [self.rules.card_text(card, pile) for card in cards]:
                raise IllegalMove(f"{pick} is dealt to {pile} in the battle file; pick another card")

    def go_on(self) -> None:
        """Let the commanders answer until a human player must answer or the battle is over.

        Raises InvalidInput if an order is not a legal answer.
        """
        self.fight_on()
        self.is_opening = bool(self.seals) and self.are_all_sealed()
        self.record_question()

    def give_receipts(self, salt: str) -> None:
        """From now on, give players a receipt with every question.

        `salt` has 128 random bits, written as hexadecimal digits.
        """
        self.salt = salt
        self.record_question()

    def record_question(self) -> None:
        """Store which seats are asked now, and the number of moves so far.

        The receipts need these numbers.
        """
        if not self.salt:
            return
        for seat in self.seats_to_answer:
            times, place = self.asked_at.get(seat, {}), self.place(seat)
            times = {before: move_count for before, move_count in times.items() if before < place}
            self.asked_at[seat] = {**times, place: len(self.referee.moves)}

    def receipt(self, seat: Seating) -> str:
        """Return a player's receipt for all moves so far and for the secret answers of this player.

        If the battle has no receipts, the result is "".
        """
        if not self.salt:
            return ""
        seat = self.seat_of(seat)
        key, moves = self.keys[seat], self.referee.moves
        secret = [f"{key} {text}" for text in self.sealed.get(seat, [])]
        asked = QuestionMoment(self.place(seat), len(moves))
        return Chain(self.salt, self.plan.id, moves).receipt(key, asked, secret)

    def fight_on(self) -> None:
        """Let the commanders answer until a human player must answer or the battle is over."""
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
        """Handle the failure of a side's engine in the way that the battle file sets with `if_engine_fails`.

        The method resigns for the side, replaces the engine with a commander, or raises `failure`.
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
        """Answer the open secret questions of each side whose standing orders contain an answer."""
        for seat in self.seats_to_answer:
            orders = read_standing(self.plan.sides[seat].standing, self.rules)
            while orders and self.is_open(seat):
                decision = self.decision(seat)
                place = standing_choice(orders, self.rules, decision.view, decision.texts)
                if place == NOTHING:
                    break
                self.keep_sealed(seat, decision.texts[place])

    def command(self, seat: Seating, side: SidePlan) -> None:
        """Replace the commander of a side. The new commander answers only when `go_on` is called.

        Secret answers that the side has already given remain valid. Raises InvalidInput if the standing
        orders are not valid, and UsageError if the rank is unknown.
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
        """Replace a human player with a commander of this rank.

        The rank HUMAN gives the side back to the player. If no commander replaces the player, but a standing
        order such as `else veteran` lets one answer, HUMAN removes this order.

        Raises InvalidInput if the plan does not assign the side to a human player, and UsageError if the rank
        is unknown.
        """
        seat = self.seat_of(seat)
        side, key = self.plan.sides[seat], self.keys[seat]
        if side.commander != HUMAN:
            raise InvalidInput(
                f"{key} has no human player: its commander is {side.commander}; name a human side"
            )
        if side.acting == rank:
            raise InvalidInput(f"{key} already has this commander: {rank}")
        if rank == HUMAN and side.substitute is None:
            side = side._replace(standing=[line for line in side.standing if not is_else(line)])
        note = f"{self.place(seat)}: {rank}"
        self.command(seat, side._replace(substitutes=[*side.substitutes, note]))
        self.go_on()

    def unseal(self) -> None:
        """Make the moves that the side that must choose has chosen in secret."""
        battle = self.referee.battle
        for text in self.sealed.pop(battle.side):
            self.referee.choose(self.referee.find(text))
        if battle.is_over():  # a resignation makes the other secret answers obsolete
            self.sealed.clear()

    def can_undo(self, seat: Seating) -> bool:
        """Return True if a seat can undo its last answer.

        This is possible only if the seat has learned nothing from the answer or since then.

        A seat cannot undo an answer after a random event, after an answer of another side, or if the answer
        revealed something to the seat. To test the last condition, the method deals the hidden cards again
        many times. The answer must have the same visible result in all these deals.
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
        """Return True if an answer has the same visible result in several deals of the hidden cards."""
        truly = self.events_after(before, seat, text)
        chance = stream(self.rules.key, f"undo/{len(self.referee.moves)}")
        return all(self.events_after(before.redeal(seat, chance), seat, text) == truly for _ in range(WORLDS))

    def events_after(self, battle: Battle, seat: int, text: str) -> object:
        """Return the events that a seat sees after an answer, in a form in which they can be compared."""
        after = battle.copy()
        events: list[Event] = []
        after.log = events
        after.choose(find_choice(self.rules, after, self.keys[seat], text))
        seen = [event.seen_by(seat) for event in events]
        visible = [repr(self.rules.as_json(event, self.keys)) for event in seen if event is not None]
        return (visible, after.question, after.options) if after.side == seat else None

    def undo(self, seat: Seating) -> str:
        """Undo the last answer of a seat, and return the text of this answer.

        Raises InvalidInput if the answer cannot be undone.
        """
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
        """Replay the battle from its start with these moves, and return the referee.

        Raises InvalidInput if a move is not legal.
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
        """Return True if all sides that are asked have sealed their answers.

        The result stays True until the last answer is opened. It does not change if an opened answer leads to
        another question. Otherwise a side whose answer is still sealed would learn that there is another
        question.
        """
        asked = self.seats_to_answer
        return self.is_opening or (bool(asked) and all(seat in self.seals for seat in asked))

    def save(self, file: str | PathLike[str]) -> str:
        """Write the unfinished battle to a file, and return the path of the file.

        The file contains hidden information, so only the umpire may see it. Raises UsageError if the file
        belongs to a campaign, and SystemFailure if the file cannot be written.
        """
        return str(library().save_session(self, file))

    def record(self) -> Record:
        """Return the record of the finished battle.

        Raises InvalidInput if the battle is not over, or if a player picked a card that the battle file has
        put into a pile.
        """
        record = record_of(self.plan, self.referee, self.beginning.fought)
        refuse_picked(self.plan, record)
        return with_receipts(record, self.receipts()) if self.salt else record

    def receipts(self) -> dict[str, object]:
        """Return the table of receipts for the record. The battle must be over."""
        asked = {self.keys[seat]: times_of(self.asked_at.get(seat, {})) for seat in self.players}
        return receipts_table(self.salt, self.plan.id, self.referee.moves, asked)


def times_of(places: Mapping[int, int]) -> list[QuestionMoment]:
    """Return the moments at which a player was asked.

    `places` maps the number of each question to the number of moves before the question.
    """
    return [QuestionMoment(place, move_count) for place, move_count in sorted(places.items())]


def acting_commander(side: SidePlan, key: str, rules: RuleSet, chance: Chance) -> Commander:
    """Return a side's commander after its last order. Raises UsageError for an unknown rank."""
    rank = side.acting
    return Person(key) if rank == HUMAN else make_commander(rank, rules, chance)


def persons_of(plan: BattlePlan) -> list[int]:
    """Return the seats of human players, except players that commanders now replace."""
    return [seat for seat, side in enumerate(plan.sides) if side.acting == HUMAN]


MOST_NUMBERED = 40  # options that messages number; if there are more, options are combined
REMARK = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]*)[)\]]\W*")  # an answer, followed by a remark in brackets
NUMBERED = re.compile(r"(option |no\.? ?)?(#)?\s?(\d{1,9})", re.IGNORECASE)
CARD = re.compile(r"(?:10|[2-9tjqka])[shdc♠♥♦♣]", re.IGNORECASE)  # an answer without its verb
BOTH = re.compile(r"(#?\d{1,9})[\s.):,-]+(.*\S)")  # the number of an option, followed by the option's text


def option_meant(decision: Decision, answer_text: str) -> str:
    """Return the option that the answer of a player means.

    The answer can be the number of an option, the text of an option, or the beginnings of the words of this
    text. The first word of the option can be missing, as in `K` for `commit K`. The answer can also consist
    of the number and the text of the option, and it can have a remark in brackets at the end. If cards are
    ranks, the answer can have their names, such as `the ace, please`.

    If no option matches the answer, the answer is returned. If the answer is a card without a verb, and all
    options have the same verb, this verb comes first. Raises IllegalMove if several options match, or if the
    answer is a number that no option has.
    """
    meant = find_option(decision, answer_text)
    if meant:
        return meant
    given, answer_text = answer_text, plain_choice(decision, answer_text)
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
            if meant and parts is remark:
                said = REMARK.fullmatch(given) or parts
                own_words = f"({clean(said[2])})"
                raise IllegalMove(
                    f"{own_words} may be another answer; leave it out, or its numbers and cards"
                )
    matches = options_begun(decision, answer_text)
    if len(matches) > 1:
        more = ", ..." if len(matches) > 6 else ""
        raise IllegalMove(f"{clean(answer_text)} may be {listed(matches[:6], 'or')}{more}; write more of it")
    if decision.mark and answer_text.isdigit():
        raise IllegalMove(
            f"{answer_text} is not one of the cards; "
            f"write {decision.mark}{answer_text} for the option of that number"
        )
    verbs = {text.split()[0] for text in [*decision.texts, *decision.unoffered]}
    return f"{verbs.pop()} {answer_text}" if CARD.match(answer_text) and len(verbs) == 1 else answer_text


def find_option(decision: Decision, answer_text: str) -> str:
    """Return the option that a text means, or "" if no option or more than one option matches.

    The text can be the number of the option, its text, or the beginnings of its words. Polite words do not
    count, nor do commas between words.

    Raises IllegalMove if the text is a number that no option has.
    """
    plain = plain_choice(decision, answer_text)
    candidates = dict.fromkeys([answer_text, plain, " ".join(plain.replace(",", " ").split())])
    return next((meant for text in candidates if (meant := option_written(decision, text))), "")


def plain_choice(decision: Decision, answer_text: str) -> str:
    """Return an answer without polite words. If cards are ranks, their names are shortened."""
    plain = without_courtesy(answer_text)
    return with_short_ranks(plain) if decision.mark else plain


def option_written(decision: Decision, answer_text: str) -> str:
    """Return the option that a text without polite words means, as `find_option` does."""
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
    """Return the options that match an answer with the beginnings of their words.

    If no option matches, return the options that match without their first word.
    """
    wanted = comparable(answer_text).split()
    offered = [(text, comparable(text).split()) for text in decision.texts] if wanted else []
    matches = [text for text, whole in offered if begins(whole, wanted)]
    return matches or [text for text, whole in offered if begins(whole[1:], wanted)]


def is_remark(decision: Decision, remark: str) -> bool:
    """Return True if a text in brackets is certainly a remark and not another answer.

    This is the case if the text contains no digit, no card such as `JD`, and none of the options' first
    words, and does not begin with `or`.
    """
    firsts = {text.split()[0].casefold() for text in [*decision.texts, *decision.unoffered]}
    remark_words = [*re.findall(r"\w+", remark.casefold())]
    is_choice = remark_words[:1] == ["or"] or any(map(CARD.fullmatch, remark_words))
    return not is_choice and not any(map(str.isdigit, remark)) and firsts.isdisjoint(remark_words)


def begins(tokens: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return True if each word in `wanted` is a prefix of the word at the same position in `tokens`.

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
    """Apply a secret answer to `battle`, which must be a copy of the battle.

    Returns True if the side has another question in the same secret choice, and False if it has not.
    """
    side, question = battle.side, battle.question
    events: list[Event] = []
    battle.log = events
    battle.choose(index)
    battle.log = None
    return battle.side == side and battle.question == question and is_quiet(events, side)


def is_quiet(events: Sequence[Event], side: int) -> bool:
    return all(event.side == side for event in events)


def pass_by(battle: Battle) -> bool:
    """Choose the first option for all secret questions to the side that must choose.

    `battle` must be a copy of the battle.

    Returns True if then another side is asked in the same secret choice.
    """
    side, events = battle.side, list[Event]()
    battle.log = events
    while battle.side == side and is_quiet(events, side):
        battle.choose(0)
    battle.log = None
    return is_quiet(events, side)


def refuse_picked(plan: BattlePlan, record: Record) -> None:
    """Raise InvalidInput if a player picked a card that the battle file has put into a pile."""
    errors = []
    for pile, typed in plan.setup.deal.items():
        for place, card in enumerate(typed):
            if record.setup.deal[pile][place] != card:
                text = f"{plan.rules.card_text(card, pile)} cannot be dealt here, because a player picked it"
                errors.append(Diagnostic(text, at=("deal", *pile.split("."), place)))
    if errors:
        raise InvalidInput(errors)
