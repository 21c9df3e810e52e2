"""Apply answers that arrived by message. Valid answers are accepted, and all others are rejected.

The program gives a reason for each rejection.

The battle continues as if the players had sent only the valid answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import (
    LONGEST,
    LONGEST_SEALED,
    OPENED,
    SEALED,
    STANDING,
    Answer,
    RejectedAnswer,
    parts_of,
)
from cardbattle.battles.messages.replies import UnusedLine, unread_text
from cardbattle.battles.messages.wrapped_answers import (
    answers_between_commas,
    is_meant,
    join_continuations,
    untried_answers,
    with_lines_below,
)
from cardbattle.battles.sealed_orders import opening_error, seal_error, spend
from cardbattle.battles.session import MOST_NUMBERED, Decision, Session, find_option, option_meant
from cardbattle.commanders import HUMAN
from cardbattle.commanders.standing import ANY, question_words, read_standing
from cardbattle.core.errors import MOST, Diagnostic, IllegalMove, InvalidInput, TextDiagnostic, first
from cardbattle.core.grammar import with_article
from cardbattle.core.names import clean, has_unfit, listed, nearest, quoted
from cardbattle.core.referee import choice_words, comparable
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.spelling import is_card, number_mark, without_courtesy
from cardbattle.files.errors import PlacedDiagnostic

NO_SEAL = 'expected "sealed" and 64 letters; copy the line that `cardbattle orders seal` printed'
NO_OPENING = 'expected "open", 32 letters and the text; copy the line that `cardbattle orders seal` printed'
CARD = re.compile(r"(?<![\w-])(?:10|[2-9]|[jqk])[a-z](?![\w-])", re.IGNORECASE)  # perhaps of no suit


class Taken(NamedTuple):
    """The result of a message with answers.

    It has the battle after all valid answers, the accepted answers, and the errors in the rejected answers.
    """

    session: Session
    answers: Sequence[Answer]
    errors: Sequence[Diagnostic]


class LateAnswer(RejectedAnswer):
    """The error of an answer to a question that another answer or a commander has answered before."""


class NoAnswer(PlacedDiagnostic):
    """The error of a text without answers. `side` is the only side that it names, if asked now, or "".

    `unread` is the line of a reply to the side's question that can be meant as the answer, or "".
    """

    def __init__(self, text: str, file: str, side: str, unread: str = "") -> None:
        super().__init__(text, file=file)
        self.side, self.unread = side, unread


class DependentAnswer(RejectedAnswer):
    """The error of clear answers that are rejected because of another answer of the same side."""

    def __init__(self, text: str, answers: Sequence[Answer], column: int, again: Iterable[Answer]) -> None:
        super().__init__(text, answers, column)
        lines = [each for each in again if not each.is_sealed]
        orders = [each.words for each in lines if each.is_standing]
        self.again = {0: orders} if orders else runs_of(lines)


class MisplacedOrder(RejectedAnswer):
    """The error of standing orders whose address is not the current question of their side.

    `is_new` is False if the side already has exactly these orders, as in mail that quotes or repeats them.
    New orders replace all earlier ones, so if one of them is new, the player must send all of them again.
    """

    def __init__(self, session: Session, answer: Answer, *, is_new: bool) -> None:
        current_place = session.place(session.keys.index(answer.side))
        self.is_new = is_new
        late = "come too late" if answer.place < current_place else "come too early"
        form = f"send them again behind {answer.side}@{current_place}"
        super().__init__(f"standing orders of {answer.label} {late}; {form}", [answer], answer.column)
        self.again = {0: [answer.words]}

    def after(self, session: Session) -> RejectedAnswer:
        """Return the error with the question that is current after the valid answers of the same text."""
        error = MisplacedOrder(session, self.answers[-1], is_new=self.is_new)
        error.again = self.again
        return error


def take_valid_answers(
    session: Session,
    answers: Sequence[Answer],
    reopen: Callable[[], Session],
    unclear: Sequence[RejectedAnswer] = (),
) -> Taken:
    """Apply all valid answers and standing orders to the battle, and reject the others.

    All answers are first tried together in `session`. If some of them are rejected, these and all answers
    that depend on them are removed, and so are those that depend on lines that are `unclear`. Then the
    remaining answers are tried in a new copy of the battle, which `reopen` returns.
    """
    errors: list[RejectedAnswer] = []
    answers, refused = spread_out(session, dict.fromkeys(answers))
    refused += unclear
    joined: Joined = {}
    while refused or (refused := attempt(session, answers, joined)):
        session = reopen()
        answers = [*with_lines_joined(answers, joined)]
        errors += [*refused, *orders_refused_together(answers, refused)]
        answers = without(answers, refused)
        dependent = dependents(session, answers, refused)
        answers = without(answers, dependent)
        errors += dependent
        refused = []
    errors = [
        error.after(session) if isinstance(error, (MisplacedOrder, UnusedLine)) else error for error in errors
    ]
    return Taken(session, [*with_lines_joined(answers, joined)], first(by_line(errors)))


def with_lines_joined(answers: Iterable[Answer], joined: Joined) -> Iterator[Answer]:
    """Yield each answer, in place of a wrapped one the answers that it has on its lines."""
    for answer in answers:
        if answer in joined:
            yield from with_lines_joined(joined[answer], joined)
        else:
            yield answer


def numbered_in_advance(rules: RuleSet, asked: Mapping[str, int], answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers that chose an option by its number before their question was asked.

    `asked` is a dict from the sides with a question to the number of the question. The options get new
    numbers after each answer, so that the player has not seen the list to which such a number refers.
    """
    number = re.compile(rf"{number_mark(rules) or '#?'}\d+")
    plain = (answer for answer in answers if answer.side in asked and not answer.is_sealed)
    return [
        each
        for each in plain
        if each.place > asked[each.side] and number.fullmatch(without_courtesy(each.words))
    ]


def spread_out(session: Session, answers: Iterable[Answer]) -> tuple[list[Answer], list[RejectedAnswer]]:
    """Return the answers, joined with the lines on which they continue, and the errors in unclear answers.

    A line that only mentions the address of a question, but does not answer the question, is removed.
    """
    expanded: list[Answer] = []
    unclear: list[RejectedAnswer] = []
    for answer in answers:
        if not is_meant(session.rules, session.keys, answer):
            continue
        is_plain = not answer.is_standing and not answer.is_sealed
        expanded += join_continuations(session.rules, session.keys, answer, unclear) if is_plain else [answer]
    return expanded, unclear


def attempt(
    session: Session, answers: Sequence[Answer], joined: Joined | None = None
) -> list[RejectedAnswer]:
    """Apply answers and standing orders to a battle, and return the errors.

    If there are errors, the caller must discard the session. New standing orders replace all earlier standing
    orders of the side. They are used from the question in their address on. Answers in the same text are used
    before them. Accepted answers that continue on the lines below them are added to `joined`.
    """
    errors: list[RejectedAnswer] = []
    joined = {} if joined is None else joined
    answers = open_seals(session, persons_answers(session, answers, errors), errors)
    queued = [answer for answer in answers if not answer.is_standing]
    by_seat = sort_answers(session, queued, errors)
    orders = standing_by_seat(session, [answer for answer in answers if answer.is_standing], errors)
    for seat, queue in by_seat.items():
        errors += untimely(session, seat, queue)
    if errors:
        return errors
    for seat in orders:
        count = len(session.referee.events_for(seat))
        session.command(seat, session.plan.sides[seat]._replace(standing=[]))
        session.reported_events[seat] = count
    hand_in(session, by_seat, errors, joined)
    if not errors:
        for seat, lines in orders.items():
            session.command(seat, session.plan.sides[seat]._replace(standing=lines))
        session.go_on()
        hand_in(session, by_seat, errors, joined)
    return errors or [*unexpected_answer_errors(session.rules, by_seat)]


def without(answers: Iterable[Answer], refused: Sequence[RejectedAnswer]) -> list[Answer]:
    """Return the answers that are not in `refused`.

    If one answer in a group that is accepted only together was rejected, the whole group is removed.
    """
    left_out = {answer.unit for error in refused for answer in error.answers}
    return [answer for answer in answers if answer.unit not in left_out]


def orders_refused_together(
    answers: Sequence[Answer], refused: Sequence[RejectedAnswer]
) -> Iterable[RejectedAnswer]:
    """Yield an error for the standing orders of a side that are rejected because of another one of them."""
    wrong = [answer for error in refused for answer in error.answers if answer.is_standing]
    for unit in dict.fromkeys(answer.unit for answer in wrong):
        rest_of_unit = [answer for answer in answers if answer.unit == unit and answer not in wrong]
        last = [answer for answer in wrong if answer.unit == unit][-1]
        if rest_of_unit:
            text = "its other standing orders are not accepted either; send all of them again, corrected"
            yield DependentAnswer(f"{last.side}: {text}", [*rest_of_unit, last], last.column, rest_of_unit)


def dependents(
    session: Session, answers: Sequence[Answer], refused: Sequence[RejectedAnswer]
) -> list[RejectedAnswer]:
    """Return an error for each answer that follows a rejected answer of the same side.

    `answers` has the answers that are valid in themselves. The standing orders of the side are rejected too.
    Otherwise they might answer the question that the player must answer again.
    """
    rejections: list[RejectedAnswer] = []
    wrong = [answer for error in refused for answer in error.answers if answer.side in session.keys]
    for side in dict.fromkeys(answer.side for answer in wrong):
        current_place = session.place(session.keys.index(side))
        others = [answer for answer in answers if answer.side == side]
        orders = [answer for answer in others if answer.is_standing]
        plain = [answer for answer in others if not answer.is_standing]
        missing = {answer.place for answer in wrong if answer.side == side and not answer.is_standing}
        missing -= {answer.place for answer in plain}
        first_missing = min((place for place in missing if place >= current_place), default=0)
        if first_missing:
            later = [
                each
                for answer in plain
                if answer.place > first_missing
                for each in untried_answers(session.rules, session.keys, answer)
            ]
            rejections += later_refusals(session, f"{side}@{first_missing}", later, orders)
    return rejections


def runs_of(answers: Sequence[Answer]) -> dict[int, list[str]]:
    """Return a line for each run of answers to consecutive questions, by the number of its first question."""
    runs: dict[int, list[str]] = {}
    for before, answer in zip([None, *answers], answers, strict=False):
        if before is None or answer.place != before.place + 1:
            start = answer.place
        runs.setdefault(start, []).append(answer.words)
    return {place: ["; ".join(words)] for place, words in runs.items()}


def is_possible(rules: RuleSet, answer_text: str) -> bool:
    """Return True if a text can answer a question of a rule set, as an option or by its number."""
    answer = without_courtesy(answer_text.partition("(")[0])
    if re.fullmatch(r"#?\d+", answer):
        return True
    try:
        read_standing([f"{ANY}: {answer}"], rules)
    except InvalidInput:
        return False
    return not any(card_errors(rules, answer))


def repeated_options(session: Session, side: str) -> list[str]:
    """Return the options of a side's question if its next question cannot have others, in normal form."""
    seat = session.keys.index(side)
    battle = session.position_of(seat)
    is_repeated = session.is_sealed(battle) or battle.question in session.rules.repeated
    return [comparable(text) for text in session.decision(seat).texts] if is_repeated else []


def lacks_card(options: Sequence[str], answer_text: str) -> bool:
    """Return True if an answer names a card that none of these options has, although one has its verb.

    >>> lacks_card(["place 3s", "place 4d"], "place KC"), lacks_card(["place 3s"], "play KC")
    (True, False)
    """
    cards = {*CARD.findall(comparable(answer_text))}
    is_same = bool(cards) and comparable(answer_text).split()[0] in {option.split()[0] for option in options}
    return is_same and not cards <= {*CARD.findall(" ".join(options))}


def later_refusals(
    session: Session, refused: str, later: Sequence[Answer], orders: Sequence[Answer]
) -> Iterable[RejectedAnswer]:
    """Yield an error for each answer of a side after its rejected answer, and for its standing orders.

    Lines to send again are only those that can be accepted. The others have an error of their own.
    """
    rules = session.rules
    options = repeated_options(session, later[0].side) if later else []
    wrong = [each for each in later if not is_possible(rules, each.words) or lacks_card(options, each.words)]
    later = [each for each in later if each not in wrong]
    for answer in wrong:
        yield answer.wrong(f"{answer.label}: {quoted(answer.words)} is not an answer; choose another one")
    texts = texts_of(orders)
    unclear = unclear_lines(rules, orders, texts)
    yield from unclear
    orders = [each for each in orders if not any(each in error.answers for error in unclear)]
    if later:
        last = f" to {later[-1].label}" if len(later) > 1 else ""
        text = f"{later[0].label}{last} not accepted, because {refused} was rejected; send all of them again"
        yield DependentAnswer(text, later, later[0].column, later)
    if orders:
        text = f"standing orders not accepted, because {refused} was rejected; send them again with it"
        yield DependentAnswer(f"{orders[0].side}: {text}", orders, orders[0].column, orders)


def open_seals(session: Session, answers: Sequence[Answer], errors: list[RejectedAnswer]) -> list[Answer]:
    """Store the sealed answers, and replace each answer that opens a seal with the answers in the seal.

    Errors are appended to `errors`.
    """
    seals = [answer for answer in answers if answer.is_sealed and answer.words[:1] in "sS"]
    for answer in seals:
        seat, match = session.keys.index(answer.side), SEALED.fullmatch(answer.words)
        wrong = "" if match else NO_SEAL
        wrong = wrong or unready(session, seat, answer.place)
        wrong = wrong or seal_error(session, seat, match[1].lower() if match else "")
        if wrong:
            errors.append(answer.wrong(f"{answer.label}: {wrong}"))
        elif match:
            session.seals[seat] = match[1].lower()
    opened: list[Answer] = []
    session.is_opening = is_time = session.are_all_sealed()
    for answer in answers:
        seat = session.keys.index(answer.side)
        if answer.is_sealed and answer not in seals:
            opened += open_answers(session, answer, is_time, errors)
        elif not answer.is_sealed and seat in session.seals and not answer.is_standing:
            errors.append(answer.wrong(f"{answer.label} is sealed; send the line that opens it instead"))
        elif not answer.is_sealed:
            opened.append(answer)
    return opened


def unready(session: Session, seat: int, place: int) -> str:
    """Return why a seat cannot seal or open an answer to this question, or "" if it can."""
    key, current_place = session.keys[seat], session.place(seat)
    if seat not in session.seats_to_answer:
        return f"{key} has no question to answer now"
    return "" if place == current_place else f"the current question is {key}@{current_place}"


def open_answers(
    session: Session, answer: Answer, is_time: bool, errors: list[RejectedAnswer]
) -> list[Answer]:
    """Return the answers in the sealed text that `answer` opens.

    If the seal cannot be opened, the list is empty, and an error is appended to `errors`.
    """
    seat, match = session.keys.index(answer.side), OPENED.fullmatch(answer.words)
    wrong = "" if match else NO_OPENING
    wrong = wrong or unready(session, seat, answer.place)
    if wrong or match is None:
        errors.append(answer.wrong(f"{answer.label}: {wrong}"))
        return []
    salt, text = match[1].lower(), match[2]
    if len(text) > LONGEST_SEALED:
        errors.append(
            answer.wrong(
                f"{answer.label} has {len(text)} characters; a sealed answer has up to {LONGEST_SEALED}"
            )
        )
        return []
    for n in range(len(answer.below) + 1):
        whole = " ".join([text, *answer.below[:n]])
        if not opening_error(session, seat, salt, whole, is_time):
            spend(session, seat, salt)
            opened = answer._replace(below=(), is_unfinished=False, whole=answer.place)
            return [
                opened._replace(words=part, place=answer.place + ahead)
                for ahead, part in enumerate(parts_of(whole))
            ]
    errors.append(answer.wrong(f"{answer.label}: {opening_error(session, seat, salt, text, is_time)}"))
    return []


def standing_by_seat(
    session: Session, answers: Sequence[Answer], errors: list[RejectedAnswer]
) -> dict[int, list[str]]:
    """Return a dictionary from seats to the standing orders in `answers`. Errors are appended to `errors`."""
    by_side: dict[int, list[Answer]] = {}
    for answer in answers:
        by_side.setdefault(session.keys.index(answer.side), []).append(answer)
    table = {}
    for seat, lines in by_side.items():
        current_place = session.place(seat)
        for answer in (answer for answer in lines if answer.place != current_place):
            together = texts_of(each for each in lines if each.place == answer.place)
            is_new = together != [*session.plan.sides[seat].standing]
            errors.append(MisplacedOrder(session, answer, is_new=is_new))
        followed = [answer for answer in lines if answer.words.casefold() != "forget"]
        table[seat] = texts_of(followed)
        unclear = unclear_lines(session.rules, followed, table[seat])
        wrong = [answer for error in unclear for answer in error.answers]
        for error in errors:
            if isinstance(error, MisplacedOrder) and error.answers[0] in wrong:
                error.again = {}
        errors += unclear
    return table


def texts_of(orders: Iterable[Answer]) -> list[str]:
    """Return the standing orders of a side without the word `when`."""
    return [STANDING.sub("", answer.words, count=1) for answer in orders]


def unclear_lines(rules: RuleSet, answers: Sequence[Answer], texts: Sequence[str]) -> list[RejectedAnswer]:
    """Return the errors in standing orders. Each error has its position in the file."""
    try:
        read_standing(texts, rules)
    except InvalidInput as refused:
        places = [min(int(error.at[0]), len(texts) - 1) for error in refused.errors]
        placed = zip(refused.errors, places, strict=True)
        return [answers[place].inside(unclear, texts[place]) for unclear, place in placed]
    return [
        answer.inside(error, text)
        for answer, text in zip(answers, texts, strict=True)
        for error in [*comma_errors(rules, text), *card_errors(rules, text, text.find(":") + 1)]
    ]


def card_errors(rules: RuleSet, text: str, begin: int = 0) -> Iterable[TextDiagnostic]:
    """Yield an error for each word behind `begin` that has the form of a card and is no card of the rule set.

    An answer with such a word would never be used. In a rule set without suits, no word is checked.
    """
    for card in CARD.finditer(text, begin) if is_card("KS", rules) else ():
        if not is_card(card[0].upper(), rules):
            yield TextDiagnostic(f"{quoted(card[0])} is not a card of the pack", card.start() + 1)


def comma_errors(rules: RuleSet, text: str) -> Iterable[TextDiagnostic]:
    """Yield an error if commas separate the answers in a line of standing orders.

    Such a line has one answer, which no question has, so that it would never be used.
    """
    verbs = {form.split()[0] for form in rules.forms}
    colon = text.find(":") + 1
    for comma in re.finditer(r",\s*([\w'-]+)", text[colon:]):
        if comma[1].casefold() in verbs:
            error_text = f'separate the answers with "|", such as {comma_free(text)}'
            yield TextDiagnostic(error_text, colon + comma.start() + 1)
            return


def comma_free(text: str) -> str:
    """Return a line of standing orders with a bar in place of each comma between its answers.

    >>> comma_free("special behind, last: play JD, play QH, pass")
    'special behind, last: play JD | play QH | pass'
    """
    when, colon, wanted = clean(text).partition(":")
    return f"{when}{colon} {' | '.join(part.strip() for part in wanted.split(','))}"


def by_line(errors: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the errors, sorted by file and line. Errors without a line come last."""
    placed = [error for error in errors if isinstance(error, PlacedDiagnostic)]
    unplaced = [error for error in errors if not isinstance(error, PlacedDiagnostic)]
    return [*sorted(placed, key=lambda error: (error.file, error.line)), *unplaced]


def persons_answers(
    session: Session, answers: Sequence[Answer], errors: list[RejectedAnswer]
) -> list[Answer]:
    """Return the valid answers of human players in this battle. Errors are appended to `errors`.

    An error in the address of a line with several answers is reported once.
    """
    persons = []
    refused: dict[object, list[Answer]] = {}
    for answer in answers:
        wrong = stray(session, answer)
        if wrong:
            refused.setdefault((answer.file, answer.line, wrong.replace(answer.label, "")), []).append(answer)
        else:
            persons.append(answer)
    for group in refused.values():
        errors.append(RejectedAnswer(stray(session, group[0]), group, group[0].column))
    return persons


def stray(session: Session, answer: Answer) -> str:
    """Return the reason why an answer is not valid, or why it is not from a human player in this battle.

    The result is "" if the answer can be used.
    """
    persons = [session.keys[seat] for seat in session.players]
    if answer.battle and answer.battle != session.plan.id:
        return (
            f"{answer.label} is for battle {answer.battle}, but this is {session.plan.id}; "
            "enter it with the file of that battle"
        )
    if answer.side not in session.keys:
        hint = nearest(answer.side, persons) or f"; the sides with players are {listed(persons)}"
        return f"no side of this battle is {quoted(answer.side)}{hint}"
    if answer.side not in persons:
        return f"{answer.side} has a computer commander; leave this answer out"
    if has_unfit(answer.words):
        return f"{answer.label} has characters that cannot be seen: {quoted(answer.words)}; type it again"
    if not answer.has_colon:
        return f"{answer.label}: a colon is missing; write {answer.label}: {clean(answer.words)}"
    if answer.place < 1:
        seat = session.keys.index(answer.side)
        current = f"{answer.side}@{session.place(seat)}"
        return f"{answer.label}: questions count from 1; the current question is {current}"
    if len(answer.words) > LONGEST and not answer.is_sealed:
        return f"{answer.label} is {len(answer.words)} characters long; an answer has at most {LONGEST}"
    return ""


Queue = dict[int, Answer]  # a side's answers by question number
Joined = dict[
    Answer, Sequence[Answer]
]  # the answers on the lines of each answer that continues below its line


def sort_answers(
    session: Session, answers: Sequence[Answer], errors: list[RejectedAnswer]
) -> dict[int, Queue]:
    """Return the answers by seat and question number.

    If there are different answers to the same question, errors are appended to `errors`.
    """
    by_seat: dict[int, Queue] = {}
    for answer in answers:
        queue = by_seat.setdefault(session.keys.index(answer.side), {})
        earlier = queue.setdefault(answer.place, answer)
        if comparable(earlier.words) != comparable(answer.words):
            text = (
                f"line {earlier.line}"
                if earlier.file == answer.file
                else f"{earlier.file}, line {earlier.line},"
            )
            error_text = (
                f"{answer.label} is answered twice: {text} has {quoted(earlier.words)}, "
                f"and this line {quoted(answer.words)}; delete one of them"
            )
            errors.append(RejectedAnswer(error_text, [earlier, answer], answer.column))
    return by_seat


def untimely(session: Session, seat: int, queue: Queue) -> Iterable[RejectedAnswer]:
    """Yield an error for each answer whose question is already answered or cannot be answered yet."""
    current_place, key = session.place(seat), session.keys[seat]
    is_asked = seat in session.seats_to_answer
    stands = f"the current question is {key}@{current_place}" if is_asked else f"{key} has no question now"
    before = decisions_before(session, seat, sorted(place for place in queue if place < current_place)[:MOST])
    early = [
        answer
        for place, answer in sorted(queue.items())
        if place > current_place and (not is_asked or current_place not in queue)
    ]
    for place, answer in sorted(queue.items()):
        rank = substitute_at(session, seat, place) if place < current_place else HUMAN
        if rank != HUMAN:
            by_rank = f"{with_article(rank)} commander answered for {key}"
            yield late_answer(answer, by_rank, stands)
        elif place in before and is_repeated(*before[place], answer.words):
            yield answer.wrong(f"{answer.label} was already accepted; {stands}")
        elif place < current_place:
            yield late_answer(answer, "another answer was accepted before", stands)
        elif place == current_place and not is_asked:
            yield answer.wrong(
                f"{answer.label} is too early: other sides must answer first; send it once you are asked"
            )
    if early:
        yield early_error(session.rules, early, stands)


def late_answer(answer: Answer, why: str, stands: str) -> LateAnswer:
    return LateAnswer(f"{answer.label} is too late: {why}; {stands}", [answer], answer.column)


def substitute_at(session: Session, seat: int, place: int) -> str:
    """Return the rank of the commander that replaced a player at a question, or HUMAN if none did."""
    side = session.plan.sides[seat]
    notes = [note.split(": ", 1) for note in side.substitutes if side.commander == HUMAN]
    return next((rank.partition(":")[0] for since, rank in reversed(notes) if int(since) <= place), HUMAN)


def is_repeated(decision: Decision, earlier: str, text: str) -> bool:
    """Return True if the answer `text` means the same option as the answer `earlier`."""
    try:
        return comparable(option_meant(decision, text)) == comparable(earlier)
    except IllegalMove:
        return False


def decisions_before(session: Session, seat: int, places: Sequence[int]) -> dict[int, tuple[Decision, str]]:
    """Return the earlier questions of a seat and its answers to them, sorted by the number of the question.

    `places` has the numbers of the questions to return.
    """
    indices, moves = session.moves_of(seat), session.referee.moves
    referee = session.beginning.referee()
    table = {}
    for place in places:
        if place <= len(indices):
            while len(referee.moves) < indices[place - 1]:
                referee.choose(referee.find(moves[len(referee.moves)].partition(" ")[2]))
            battle, chosen = referee.battle, moves[indices[place - 1]].partition(" ")[2]
        else:
            secret = session.sealed[seat]
            battle, chosen = session.position(seat), secret[place - 1 - len(indices)]
            session.apply_secret_answers(battle, seat, secret[: place - 1 - len(indices)])
        texts = [choice_words(session.rules, battle, n) for n in range(len(battle.options))]
        mark = number_mark(session.rules)
        table[place] = Decision(seat, session.keys[seat], battle.view(seat), texts, [], mark), chosen
    return table


def hand_in(
    session: Session, by_seat: dict[int, Queue], errors: list[RejectedAnswer], joined: Joined
) -> None:
    """Answer the questions of a battle, one after the other, with the answers in `by_seat`.

    If an answer is not possible, an error is appended to `errors`. If an accepted answer continues on the
    lines below it, it is added to `joined`.
    """
    begun: set[int] = set()
    while ready := [seat for seat in session.seats_to_answer if session.place(seat) in by_seat.get(seat, {})]:
        seat = ready[0]
        queue = by_seat[seat]
        next_answer = queue.pop(session.place(seat))
        count = len(session.referee.events_for(seat))
        try:
            decision = session.decision(seat)
            is_list = bool(next_answer.below) and bool(session.answers_ahead(seat))
            answer_text, more = with_lines_below(
                session.rules, decision, session.keys, next_answer, is_list=is_list
            )
            refuse_other_words(queue, more)
            session.answer(seat, option_meant(decision, answer_text))
        except (IllegalMove, InvalidInput) as error:
            apart = answers_between_commas(session.rules, session.keys, next_answer.words)
            begins = bool(apart) and bool(find_option(session.decision(seat), apart[0]))
            step = separate_answers(session, seat, apart) if begins else str(error)
            errors.append(next_answer.wrong(f"{next_answer.label}: {step}"))
            del by_seat[seat]
            continue
        queue.update((answer.place, answer) for answer in more)
        if more or answer_text != next_answer.words:
            joined[next_answer] = [next_answer._replace(words=answer_text, below=()), *more]
        if seat not in begun:
            session.reported_events[seat] = count
            begun.add(seat)


def separate_answers(session: Session, seat: int, answers: Sequence[str]) -> str:
    """Return what a player has to write who separated the answers to questions in a row with commas."""
    address = f"{session.plan.id}/{session.keys[seat]}@{session.place(seat)}:"
    return f"separate the answers with semicolons, such as {address} {'; '.join(answers)}"


def refuse_other_words(queue: Queue, more: Sequence[Answer]) -> None:
    """Raise IllegalMove if an answer in `more` differs from the answer in `queue` to the same question."""
    for continuation in more:
        queued = queue.get(continuation.place, continuation)
        if comparable(queued.words) != comparable(continuation.words):
            raise IllegalMove(
                f"the line below says {quoted(continuation.words)} for {continuation.label}, "
                f"but line {queued.line} says {quoted(queued.words)}; delete one of them"
            )


def unexpected_answer_errors(rules: RuleSet, by_seat: dict[int, Queue]) -> Iterable[RejectedAnswer]:
    """Yield an error for the answers of each side that were not used because their question is not asked."""
    for queue in by_seat.values():
        answers = sorted(queue.values(), key=lambda each: each.place)
        if answers:
            step = "send it once you are asked" if len(answers) == 1 else "send one when you are asked"
            yield early_error(rules, answers, step)


def early_error(rules: RuleSet, answers: Sequence[Answer], step: str) -> RejectedAnswer:
    """Return the error for a side's answers that come too early, in the order of their questions.

    `step` says what the player can do. For several answers, the error suggests a standing order.
    """
    label = answers[0].label
    if len(answers) == 1:
        return RejectedAnswer(f"{label} is too early; {step}", answers, answers[0].column)
    question_names = question_words(rules)
    question = question_names[0] if len(question_names) == 1 else ANY
    order = f"{question}: {' | '.join(clean(answer.words) for answer in answers)}"
    with suppress(InvalidInput):
        read_standing([order], rules)
        step += f", or a standing order such as: when {order}"
    text = f"{label} to {answers[-1].label} are too early; {step}"
    return RejectedAnswer(text, answers, answers[0].column)


def example_choice(session: Session, side: str) -> str:
    """Return an answer as the message to a side asks for it: a number, or the form of the words.

    It reveals no card of the side.
    """
    decision = session.decision(session.keys.index(side))
    lesson = session.rules.lesson(decision.view)
    if len(decision.texts) <= MOST_NUMBERED:
        return f"{decision.mark}1"
    return lesson.form if lesson is not None and lesson.form else "CHOICE"


def no_answer_error(file: str, text: str, session: Session) -> NoAnswer:
    """Return the error for a text without answers. Its example is for a side with a question.

    A side that the text names comes first. The error quotes a line above the only quoted question.
    """
    sides = [session.keys[seat] for seat in session.seats_to_answer]
    side = next((key for key in sides if f"{key}@" in text.casefold()), sides[0] if sides else "")
    place = session.place(session.keys.index(side)) if side else 0
    choice = example_choice(session, side) if side else ""
    example = f", such as {session.plan.id}/{side}@{place}: {choice}" if side else ""
    addresses = re.findall(r"(?<![\w-])([\w-]+)\s?@\s?\d", text.casefold())
    named = [session.keys[seat] for seat in session.players if session.keys[seat] in addresses]
    unread = unread_text(session, file, text)
    why = f"{quoted(unread)} is not clear as an answer" if unread else "it contains no answer"
    step = f"write one after its address{example}"
    if side and (apart := answers_between_commas(session.rules, session.keys, unread)):
        step = separate_answers(session, session.keys.index(side), apart)
    error_text = f"{why}; {step}"
    is_asked = len(named) == 1 and named[0] in sides
    return NoAnswer(error_text, clean(file), named[0] if is_asked else "", unread)
