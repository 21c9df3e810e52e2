"""A battle in progress, whoever answers for its sides and by whatever way the answers come.

Prompts, a screen, orders and messages are faces of this one thing: they ask it who is asked, show what
it says of that side, and hand it an answer. Commanders answer for themselves in between. The same answers
make the same record, whatever the face.

What a side chooses in secret is kept beside the battle until every side has chosen: so nothing that
anybody could look at changes when one of them has. A commander who answers for a player waits likewise
until all persons have chosen, so that nobody sees that the player need not be waited for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, SidePlan
from cardbattle.battles.records.reader_view import Report
from cardbattle.battles.records.receipts import Asked, Chain, receipts_table
from cardbattle.battles.records.record import Record, record_of, with_receipts
from cardbattle.commanders import HUMAN, Orders, Person, Waits, make_commander, still_to_come
from cardbattle.commanders.standing import NOTHING, read_standing, standing_choice, with_standing
from cardbattle.core.battle import NOBODY, Battle, Event, View
from cardbattle.core.chance import FRESH, Chance, Drawn, stream
from cardbattle.core.errors import Diagnostic, IllegalMove, InvalidInput, UsageError
from cardbattle.core.names import clean, listed, nearest, quoted
from cardbattle.core.public_library import library
from cardbattle.core.referee import Commander, Referee, choice_words, comparable, find_choice
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.spelling import number_mark
from cardbattle.core.telling import DURING

Seating = int | str  # a side, by its seat or its key
WORLDS = 200  # redealt battles in which an answer is tried before it may be taken back


class Streams(NamedTuple):
    """All the chance that one battle may draw from, a stream for each consumer."""

    lot: Chance
    deal: Chance
    battle: Chance
    sides: list[Chance]

    def are_untouched(self) -> bool:
        """Say whether nothing was left to chance: no stream was drawn from."""
        return all(chance.counter == FRESH for chance in (self.lot, self.deal, self.battle, *self.sides))


class Beginning(NamedTuple):
    """A battle dealt and not yet fought: from here it is fought again whenever an answer is taken back."""

    plan: BattlePlan
    setup: Setup
    streams: Streams
    fought: str

    def referee(self) -> Referee:
        """Return a referee who has seen nothing of the battle yet."""
        return Referee(self.plan.rules, self.setup.copy(), Drawn(self.streams.battle.copy()))


class Decision(NamedTuple):
    """What a side is asked, and all that it may know as it answers.

    `texts` are the options in words, in the order of the view's; `unoffered` what is accepted too, as resign.
    `mark` stands before the number of an option; without it a number is a card.
    """

    seat: int
    key: str
    view: View
    texts: list[str]
    unoffered: list[str]
    mark: str = ""


class Session:
    """One battle in progress; `referee` has seen all that is settled, so nobody else may look at it.

    A method that takes a side takes its key, as `york`, or its seat, from 0. It raises UsageError for a
    side that there is not.
    """

    def __init__(self, beginning: Beginning, commanders: list[Commander]) -> None:
        self.beginning = beginning
        self.plan = beginning.plan
        self.rules = beginning.plan.rules
        self.keys = beginning.setup.seats
        self.commanders = commanders
        self.persons = persons_of(self.plan)
        self.referee = beginning.referee()
        self.sealed: dict[int, list[str]] = {}  # by seat: secret answers of players, until all are in
        self.seals: dict[int, str] = {}  # by seat: the seal of its next answer, until that is opened
        self.is_opening = False  # whether all seals were in, so that they are opened one after the other
        self.spent: list[str] = []  # seals that were opened, and their salts
        self.told: dict[int, int] = {}  # by seat: events that the messages it has answered told it
        self.salt = ""  # of the receipts in messages; empty if nobody gets any
        self.asked_at: dict[int, dict[int, int]] = {}  # by seat and place: moves made when it was asked

    def __repr__(self) -> str:
        asked = " and ".join(self.keys[seat] for seat in self.seats_to_answer)
        return f"<Session of {self.rules.name}: {f'waits for {asked}' if asked else 'over'}>"

    def seat_of(self, side: Seating) -> int:
        """Return the seat of a side, named by its key or its seat; UsageError if there is no such side."""
        if isinstance(side, str):
            if side in self.keys:
                return self.keys.index(side)
            hint = nearest(side, self.keys) or f"; choose {listed(self.keys, 'or')}"
            raise UsageError(f"side {quoted(side)} is not known{hint}")
        if type(side) is int and 0 <= side < len(self.keys):
            return side
        most = len(self.keys) - 1
        raise UsageError(f"side: expected {listed(self.keys, 'or')}, or 0 to {most}, got {quoted(side)}")

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return self.referee.battle.is_over()

    @property
    def seats_to_answer(self) -> list[int]:
        """The seats of the persons who are asked now, in the order of their answers; none once it is over.

        Those who choose in secret are asked together.
        """
        battle = self.referee.battle
        if battle.side == NOBODY:
            return []
        if not self.is_sealed(battle):
            return [battle.side]
        return [seat for seat in self.secretive() if seat in self.persons and self.is_open(seat)]

    @property
    def players(self) -> list[int]:
        """The seats that persons play, though a commander may answer for one of them by now."""
        return [seat for seat, side in enumerate(self.plan.sides) if side.commander == HUMAN]

    @property
    def seats_awaited(self) -> list[int]:
        """The seats of those who are waited for: of players who choose in secret all, until all have.

        They are all players where who is asked tells of their cards; it is one of them.
        """
        if self.hides_who_is_asked:
            return self.players
        return self.secretive() if self.is_sealed(self.referee.battle) else self.seats_to_answer

    @property
    def hides_who_is_asked(self) -> bool:
        """Whether it would tell one player of another's cards who is asked now."""
        battle = self.referee.battle
        return battle.side != NOBODY and battle.question in self.rules.revealing and len(self.players) > 1

    @property
    def tells_places(self) -> bool:
        """Whether how often a side was asked tells nobody of its cards."""
        return not self.rules.revealing or len(self.players) == 1

    def is_sealed(self, battle: Battle) -> bool:
        """Say whether what a battle asks now is answered in secret."""
        return battle.side != NOBODY and battle.question in self.rules.sealed

    def secretive(self) -> list[int]:
        """Return the seats of the players who choose in secret now, whether or not they have.

        A commander may answer for one of them by now.
        """
        battle = self.referee.battle.copy()
        numbers: list[int] = []
        while self.is_sealed(battle):
            numbers.append(battle.side)
            if not pass_by(battle):
                break
        return [seat for seat in numbers if seat in self.players]

    def position(self, seat: Seating) -> Battle:
        """Return a copy of the battle as it is for this seat, before its own secret answers.

        Refused if it is not the seat's turn.
        """
        seat = self.seat_of(seat)
        battle = self.referee.battle.copy()
        while battle.side != seat and self.is_sealed(battle) and pass_by(battle):
            pass
        if battle.side != seat:
            raise InvalidInput(f"{self.keys[seat]} is not asked now")
        return battle

    def apply_secret_answers(self, battle: Battle, seat: int, texts: Sequence[str] | None = None) -> bool:
        """Make a seat's secret answers in a copy of the battle; say whether it is asked more in secret.

        They are all that it gave, unless others are named.
        """
        is_asked = True
        for text in self.sealed.get(seat, []) if texts is None else texts:
            is_asked = choose_in_secret(battle, find_choice(self.rules, battle, self.keys[seat], text))
        return is_asked

    def is_open(self, seat: Seating) -> bool:
        """Say whether somebody who chooses in secret has still to choose."""
        seat = self.seat_of(seat)
        return self.apply_secret_answers(self.position(seat), seat)

    def position_of(self, seat: Seating) -> Battle:
        """Return a copy of the battle as it is for a seat that is asked; Refused if it is not asked now."""
        seat = self.seat_of(seat)
        if seat not in self.seats_to_answer:
            raise InvalidInput(f"{self.keys[seat]} is not asked now")
        battle = self.position(seat)
        self.apply_secret_answers(battle, seat)
        return battle

    def decision(self, seat: Seating) -> Decision:
        """Return what a seat is asked; Refused if it is not asked now."""
        seat = self.seat_of(seat)
        battle = self.position_of(seat)
        offered = len(battle.options)
        texts = [choice_words(self.rules, battle, n) for n in range(offered + len(battle.unoffered))]
        mark = number_mark(self.rules)
        return Decision(seat, self.keys[seat], battle.view(seat), texts[:offered], texts[offered:], mark)

    def place(self, seat: Seating) -> int:
        """Return the number of the question, from 1, that a seat is asked now, or else next.

        It counts the seat's own answers and nothing else, so it tells nothing of the others.
        """
        seat = self.seat_of(seat)
        return self.open_place(seat) + len(self.sealed.get(seat, []))

    def open_place(self, seat: Seating) -> int:
        """Return the same without the answers that are still secret, so that it tells nobody of them."""
        seat = self.seat_of(seat)
        return len(self.moves_of(seat)) + 1

    def moves_of(self, seat: Seating) -> list[int]:
        """Return which moves, from 0, are a seat's own."""
        seat = self.seat_of(seat)
        key = f"{self.keys[seat]} "
        return [number for number, move in enumerate(self.referee.moves) if move.startswith(key)]

    def events(self, seat: Seating | None) -> list[Event]:
        """Return all that happened as this seat saw it, its own secret answers among it; None sees all."""
        seat = None if seat is None else self.seat_of(seat)
        seen = [event for _, event in self.referee.events_for(seat)]
        if seat is None or not self.sealed.get(seat):
            return seen
        battle, own = self.position(seat), []
        for text in self.sealed[seat]:
            battle.log = []
            battle.choose(find_choice(self.rules, battle, self.keys[seat], text))
            own += [event.seen_by(seat) for event in battle.log if event.side == seat]
        return seen + [event for event in own if event is not None]

    def report(self, seat: Seating) -> Report:
        """Return the battle so far as a seat saw it, each event with its number from 0."""
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
        """Take a person's answer, in words, and go on until a person is asked again or the battle is over.

        Refused if the seat is not asked now; IllegalMove, which lists the options, if it cannot be taken;
        UsageError if the answer is no text. Then nothing has changed.
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
        """Keep what somebody chooses in secret; Refused or IllegalMove if they cannot choose it now."""
        battle = self.position(seat)
        if seat not in self.secretive() or not self.apply_secret_answers(battle, seat):
            raise InvalidInput(f"{self.keys[seat]} is not asked now")
        index = find_choice(self.rules, battle, self.keys[seat], text)
        self.sealed.setdefault(seat, []).append(choice_words(self.rules, battle, index))

    def refuse_taken(self, text: str) -> None:
        """Refuse a card that was typed in for another place of the deal."""
        pick = text.removeprefix("pick ")
        if pick == text or self.beginning.fought != "mixed":
            return
        for pile, cards in self.plan.setup.deal.items():
            if pick in [self.rules.card_text(card, pile) for card in cards]:
                raise IllegalMove(f"{pick} is dealt to {pile} in the battle file; pick another card")

    def go_on(self) -> None:
        """Let the commanders answer until a person is asked or the battle is over.

        Refused if an order cannot be followed.
        """
        self.fight_on()
        self.is_opening = bool(self.seals) and self.are_all_sealed()
        self.note_asked()

    def give_receipts(self, salt: str) -> None:
        """Give each player a receipt with every question from now on; `salt` is 128 random bits in hex."""
        self.salt = salt
        self.note_asked()

    def note_asked(self) -> None:
        """Note for the receipts who is asked now, and after how many moves."""
        if not self.salt:
            return
        for seat in self.seats_to_answer:
            times, place = self.asked_at.get(seat, {}), self.place(seat)
            times = {before: moves_made for before, moves_made in times.items() if before < place}
            self.asked_at[seat] = {**times, place: len(self.referee.moves)}

    def receipt(self, seat: Seating) -> str:
        """Return the receipt that a player gets now for all moves and the player's own secret answers.

        It is empty if nobody gets any.
        """
        if not self.salt:
            return ""
        seat = self.seat_of(seat)
        key, moves = self.keys[seat], self.referee.moves
        secret = [f"{key} {text}" for text in self.sealed.get(seat, [])]
        asked = Asked(self.place(seat), len(moves))
        return Chain(self.salt, self.plan.id, moves).receipt(key, asked, secret)

    def fight_on(self) -> None:
        """Let the commanders answer; Refused if an order cannot be followed."""
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
            self.referee.choose(index)

    def follow_standing(self) -> None:
        """Keep what the standing orders of those who choose in secret say, as far as they say anything."""
        for seat in self.seats_to_answer:
            orders = read_standing(self.plan.sides[seat].standing, self.rules)
            while orders and self.is_open(seat):
                decision = self.decision(seat)
                place = standing_choice(orders, self.rules, decision.view, decision.texts)
                if place == NOTHING:
                    break
                self.keep_sealed(seat, decision.texts[place])

    def command(self, seat: Seating, side: SidePlan) -> None:
        """Let a side be commanded otherwise from now on; `go_on` then lets it answer.

        What its person has chosen in secret stays chosen. Refused if its standing orders are unclear,
        UsageError if nobody commands as its plan says.
        """
        seat = self.seat_of(seat)
        left = still_to_come(self.commanders[seat])
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
        """Let a commander of the program answer for a person from now on, or the person again if HUMAN.

        Refused if nobody played that side; UsageError if there is no such rank.
        """
        seat = self.seat_of(seat)
        side, key = self.plan.sides[seat], self.keys[seat]
        if side.commander != HUMAN:
            raise InvalidInput(
                f"nobody plays {key}: its commander is {side.commander}; name a side that somebody plays"
            )
        if side.acting == rank:
            raise InvalidInput(f"{key} is commanded so already: {rank}")
        note = f"{self.place(seat)}: {rank}"
        self.command(seat, side._replace(substitutes=[*side.substitutes, note]))
        self.go_on()

    def unseal(self) -> None:
        """Carry out what the player who is asked now has chosen in secret."""
        battle = self.referee.battle
        for text in self.sealed.pop(battle.side):
            self.referee.choose(self.referee.find(text))
        if battle.is_over():  # by a resignation, so that nobody is asked for theirs
            self.sealed.clear()

    def can_undo(self, seat: Seating) -> bool:
        """Say whether a seat may take back its last answer: nothing has been learned from it yet.

        It may not once chance was drawn, another side has answered, or the answer itself has shown the
        side something: in battles redealt as the side may think they stand it would not have gone on alike.
        """
        seat = self.seat_of(seat)
        if self.sealed.get(seat):
            return True
        moves = self.referee.moves
        key = self.keys[seat]
        if self.seats_to_answer != [seat] or not moves or not moves[-1].startswith(f"{key} "):
            return False
        before = self.fought_again(moves[:-1]).battle
        if before.side != seat or self.is_sealed(before):
            return False
        return self.shows_nothing(before, seat, moves[-1].removeprefix(f"{key} "))

    def shows_nothing(self, before: Battle, seat: int, text: str) -> bool:
        """Say whether an answer goes on alike in every battle that the seat may think it is in."""
        truly = self.events_after(before, seat, text)
        chance = stream(self.rules.key, f"undo/{len(self.referee.moves)}")
        return all(self.events_after(before.redeal(seat, chance), seat, text) == truly for _ in range(WORLDS))

    def events_after(self, battle: Battle, seat: int, text: str) -> object:
        """Return what a seat sees follow an answer."""
        after = battle.copy()
        events: list[Event] = []
        after.log = events
        after.choose(find_choice(self.rules, after, self.keys[seat], text))
        seen = [event.seen_by(seat) for event in events]
        told = [repr(self.rules.as_json(event, self.keys)) for event in seen if event is not None]
        return (told, after.question, after.options) if after.side == seat else None

    def undo(self, seat: Seating) -> str:
        """Take back a seat's last answer and return it in words; Refused if that is not possible any more."""
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
        self.referee = self.fought_again(self.referee.moves[:-1])
        return move.partition(" ")[2]

    def fought_again(self, moves: Sequence[str]) -> Referee:
        """Return a referee who has seen these moves from the beginning; Refused if they do not fit."""
        referee = self.beginning.referee()
        while len(referee.moves) < len(moves):
            key, _, text = moves[len(referee.moves)].partition(" ")
            if referee.battle.is_over() or key != referee.key:
                break
            try:
                referee.choose(referee.find(text))
            except IllegalMove as error:
                raise InvalidInput([Diagnostic(str(error), at=("moves", len(referee.moves)))]) from None
        for place, (told, moves_made) in enumerate(zip(moves, referee.moves, strict=False)):
            if told != moves_made:
                raise InvalidInput([Diagnostic(f'this move must be "{moves_made}"', at=("moves", place))])
        if len(referee.moves) != len(moves):
            raise InvalidInput([Diagnostic("the moves do not fit the battle", at=("moves",))])
        return referee

    def are_all_sealed(self) -> bool:
        """Return True once every side that is asked has sealed its answer, so that all are opened.

        It stays True until the last one is opened, even if an opened answer leads to another question:
        otherwise a side that still has to open its answer would learn of it.
        """
        asked = self.seats_to_answer
        return self.is_opening or (bool(asked) and all(seat in self.seals for seat in asked))

    def save(self, file: str | PathLike[str]) -> str:
        """Write the battle to a file from which it goes on, and return the file's name.

        It holds all that is hidden, so it is the umpire's alone. UsageError for one of a campaign's own
        books, SystemRefused if it cannot be written.
        """
        return str(library().save_session(self, file))

    def record(self) -> Record:
        """Return the record of the battle.

        Refused if the battle is not over, or somebody picked a card that was typed in for another place.
        """
        record = record_of(self.plan, self.referee, self.beginning.fought)
        refuse_picked(self.plan, record)
        return with_receipts(record, self.receipts()) if self.salt else record

    def receipts(self) -> dict[str, object]:
        """Return the receipts of the battle, which must be over, as its record has them."""
        asked = {self.keys[seat]: times_of(self.asked_at.get(seat, {})) for seat in self.players}
        return receipts_table(self.salt, self.plan.id, self.referee.moves, asked)


def times_of(places: Mapping[int, int]) -> list[Asked]:
    """Return when a player was asked, from the number of moves by place."""
    return [Asked(place, moves_made) for place, moves_made in sorted(places.items())]


def acting_commander(side: SidePlan, key: str, rules: RuleSet, chance: Chance) -> Commander:
    """Return whoever answers for a side where its orders do not; UsageError if the rank is not known."""
    rank = side.acting
    return Person(key) if rank == HUMAN else make_commander(rank, rules, chance)


def persons_of(plan: BattlePlan) -> list[int]:
    """Return the seats for which persons answer by now."""
    return [seat for seat, side in enumerate(plan.sides) if side.acting == HUMAN]


REMARK = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]*)[)\]]\W*")  # what somebody adds in brackets
NUMBERED = re.compile(r"(option |no\.? ?)?(#)?\s?(\d{1,9})", re.IGNORECASE)
BOTH = re.compile(r"(#?\d{1,9})[\s.):,-]+(.*\S)")  # a number and the words of the same option


def option_meant(decision: Decision, text: str) -> str:
    """Return the option that somebody's words mean: by its number, by its words, by how they begin.

    The first word can be left out, as in `K` for `commit K`. A number can have the words of its option behind
    it, and either a remark in brackets. IllegalMove if they mean several options, or a number that there is
    not; words that mean none are returned.
    """
    meant = find_option(decision, text)
    if meant:
        return meant
    number, remark = BOTH.fullmatch(text), REMARK.fullmatch(text)
    for parts in (number, remark):
        if parts:
            meant, other = find_option(decision, parts[1]), find_option(decision, parts[2])
            if meant and other and comparable(meant) != comparable(other):
                raise IllegalMove(
                    f"{parts[1]} is {meant}, and {clean(parts[2])} is {other}; write one of them"
                )
            if meant and (other or (parts is remark and is_remark(decision, parts[2]))):
                return meant
    found = options_begun(decision, text)
    if len(found) > 1:
        more = ", ..." if len(found) > 6 else ""
        raise IllegalMove(f"{clean(text)} may be {listed(found[:6], 'or')}{more}; write more of it")
    if decision.mark and text.isdigit():
        raise IllegalMove(
            f"{text} is no card on offer; write {decision.mark}{text} for the option of that number"
        )
    return text


def find_option(decision: Decision, words: str) -> str:
    """Return the one option that words name, by number, whole or by how they begin; else nothing.

    IllegalMove if they are a number that there is not.
    """
    number = NUMBERED.fullmatch(words)
    if number and (number[1] or number[2] or not decision.mark):
        if not 0 < int(number[3]) <= len(decision.texts):
            mark = decision.mark
            raise IllegalMove(
                f"there are options {mark}1 to {mark}{len(decision.texts)}, not {mark}{number[3]}"
            )
        return decision.texts[int(number[3]) - 1]
    wanted = comparable(words)
    if wanted in map(comparable, [*decision.texts, *decision.unoffered]):
        return words
    same = [text for text in decision.texts if wanted == comparable(text).partition(" ")[2]]
    found = same or options_begun(decision, words)
    return found[0] if len(found) == 1 else ""


def options_begun(decision: Decision, words: str) -> list[str]:
    """Return the options that begin as words do; if none do, those that do so behind their first word."""
    wanted = comparable(words).split()
    offered = [(text, comparable(text).split()) for text in decision.texts] if wanted else []
    options = [text for text, whole in offered if begins(whole, wanted)]
    return options or [text for text, whole in offered if begins(whole[1:], wanted)]


def is_remark(decision: Decision, words: str) -> bool:
    """Say whether words beside an answer cannot mean another: no number, no word that begins an option."""
    firsts = {text.split()[0].casefold() for text in [*decision.texts, *decision.unoffered]}
    return not any(map(str.isdigit, words)) and not firsts & set(re.findall(r"\w+", words.casefold()))


def begins(tokens: Sequence[str], wanted: Sequence[str]) -> bool:
    """Say whether each of the wanted words is how the word in its place begins, numbers whole.

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
    """Take a secret choice in a copy of a battle; say whether the side is asked more in the same secrecy.

    It is not once anything else has happened, as all have chosen then.
    """
    side, question = battle.side, battle.question
    events: list[Event] = []
    battle.log = events
    battle.choose(index)
    battle.log = None
    return battle.side == side and battle.question == question and is_quiet(events, side)


def is_quiet(events: Sequence[Event], side: int) -> bool:
    """Say whether nothing has happened but what one side has done."""
    return all(event.side == side for event in events)


def pass_by(battle: Battle) -> bool:
    """Let the side that is asked answer all it is asked in secret, no matter how, in a copy of the battle.

    Say whether others choose in the same secrecy.
    """
    side, events = battle.side, list[Event]()
    battle.log = events
    while battle.side == side and is_quiet(events, side):
        battle.choose(0)
    battle.log = None
    return is_quiet(events, side)


def refuse_picked(plan: BattlePlan, record: Record) -> None:
    """Refuse a battle in which somebody picked a card that was typed in for another place."""
    mistakes = []
    for pile, typed in plan.setup.deal.items():
        for place, card in enumerate(typed):
            if record.setup.deal[pile][place] != card:
                text = f"{plan.rules.card_text(card, pile)} was picked before it could be dealt here"
                mistakes.append(Diagnostic(text, at=("deal", *pile.split("."), place)))
    if mistakes:
        raise InvalidInput(mistakes)
