"""Apply answers that arrived by message: accept every valid answer, and reject every other one with a reason.

The battle continues as if only the valid answers had been sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
from cardbattle.battles.messages.wrapped_answers import is_meant, join_continuations, with_line_below
from cardbattle.battles.sealed_orders import opening_error, seal_error, spend
from cardbattle.battles.session import Decision, Session, option_meant
from cardbattle.commanders.standing import read_standing
from cardbattle.core.errors import MOST, Diagnostic, IllegalMove, InvalidInput, first
from cardbattle.core.names import clean, has_unfit, listed, nearest, quoted
from cardbattle.core.referee import choice_words, comparable
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.spelling import number_mark
from cardbattle.files.errors import PlacedDiagnostic

NO_SEAL = 'expected "sealed" and 64 letters; copy the line that `cardbattle orders seal` printed'
NO_OPENING = 'expected "open", 32 letters and the text; copy the line that `cardbattle orders seal` printed'


class Taken(NamedTuple):
    """The battle after every valid answer, the accepted answers, and the errors of the others."""

    session: Session
    answers: Sequence[Answer]
    errors: Sequence[Diagnostic]


def take_valid_answers(session: Session, answers: Sequence[Answer], reopen: Callable[[], Session]) -> Taken:
    """Accept every valid answer and standing order.

    All answers are tried together. If some are rejected, they and everything that depends on them are left
    out, and the rest is tried again with the battle that `reopen` returns; `session` is used for the first
    attempt.
    """
    errors: list[RejectedAnswer] = []
    answers, refused = spread_out(session, dict.fromkeys(answers))
    while refused or (refused := attempt(session, answers)):
        session = reopen()
        answers = without(answers, refused)
        dependent = dependents(session, answers, refused)
        answers = without(answers, dependent)
        errors += [*refused, *dependent]
        refused = []
    return Taken(session, answers, first(by_line(errors)))


def spread_out(session: Session, answers: Iterable[Answer]) -> tuple[list[Answer], list[RejectedAnswer]]:
    """Join answers with their continuation lines; return also the rejections of unclear ones.

    An unclear answer is left out, together with the answers that depend on it.
    """
    expanded: list[Answer] = []
    unclear: list[RejectedAnswer] = []
    for answer in answers:
        if not is_meant(session.rules, session.keys, answer):
            continue
        is_plain = not answer.is_standing and not answer.is_sealed
        expanded += join_continuations(session.rules, session.keys, answer, unclear) if is_plain else [answer]
    return expanded, unclear


def take_answers(session: Session, answers: Sequence[Answer]) -> None:
    """Apply all these answers and standing orders, or none.

    Raises InvalidInput with all errors; discard the session then.
    """
    answers, unclear = spread_out(session, answers)
    errors = unclear or attempt(session, answers)
    if errors:
        raise InvalidInput(first(by_line(errors)))


def attempt(session: Session, answers: Sequence[Answer]) -> list[RejectedAnswer]:
    """Apply answers and standing orders, and return the errors; if there are any, discard the session.

    Standing orders replace the earlier ones of the side. They apply from the question for which they are
    given, after the answers in the same text.
    """
    errors: list[RejectedAnswer] = []
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
    hand_in(session, by_seat, errors)
    if not errors:
        for seat, lines in orders.items():
            session.command(seat, session.plan.sides[seat]._replace(standing=lines))
        session.go_on()
        hand_in(session, by_seat, errors)
    return errors or [*unexpected_answer_errors(by_seat)]


def without(answers: Iterable[Answer], refused: Sequence[RejectedAnswer]) -> list[Answer]:
    """Return the answers without rejected ones, and without answers that belong to a rejected one."""
    left_out = {answer.unit for error in refused for answer in error.answers}
    return [answer for answer in answers if answer.unit not in left_out]


def dependents(
    session: Session, answers: Sequence[Answer], refused: Sequence[RejectedAnswer]
) -> list[RejectedAnswer]:
    """Return the rejections of answers that come after a rejected answer of the same side.

    `answers` are those not rejected themselves. Standing orders are rejected too, because they would answer
    the question that the player still has to answer.
    """
    refused_answers: list[RejectedAnswer] = []
    wrong = [
        wrong_answer
        for error in refused
        for wrong_answer in error.answers
        if wrong_answer.side in session.keys
    ]
    for side in dict.fromkeys(wrong_answer.side for wrong_answer in wrong):
        current_place = session.place(session.keys.index(side))
        dependent = [wrong_answer for wrong_answer in answers if wrong_answer.side == side]
        answered = {wrong_answer.place for wrong_answer in dependent if not wrong_answer.is_standing}
        missing = {
            wrong_answer.place
            for wrong_answer in wrong
            if wrong_answer.side == side and not wrong_answer.is_standing
        } - answered
        first_missing = min((place for place in missing if place >= current_place), default=0)
        if first_missing:
            later = [
                wrong_answer
                for wrong_answer in dependent
                if wrong_answer.place > first_missing and not wrong_answer.is_standing
            ]
            refused_answers += later_refusals(
                f"{side}@{first_missing}",
                later,
                [wrong_answer for wrong_answer in dependent if wrong_answer.is_standing],
            )
    return refused_answers


def later_refusals(
    refused: str, later: Sequence[Answer], orders: Sequence[Answer]
) -> Iterable[RejectedAnswer]:
    """Yield the rejections of the answers after a rejected one, and of the side's standing orders."""
    if later:
        last = f" to {later[-1].label}" if len(later) > 1 else ""
        text = f"{later[0].label}{last} not accepted, because {refused} was rejected; send all of them again"
        yield RejectedAnswer(text, later, later[0].column)
    if orders:
        text = f"standing orders not accepted, because {refused} was rejected; send them again with it"
        yield RejectedAnswer(f"{orders[0].side}: {text}", orders, orders[0].column)


def open_seals(session: Session, answers: Sequence[Answer], errors: list[RejectedAnswer]) -> list[Answer]:
    """Store seals, and return the answers with opened seals replaced by their text.

    Append errors to `errors`.
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
    """Return the error if a seat cannot seal an answer to this question; otherwise the empty string."""
    key, current_place = session.keys[seat], session.place(seat)
    if seat not in session.seats_to_answer:
        return f"{key} has no question to answer now"
    return "" if place == current_place else f"the current question is {key}@{current_place}"


def open_answers(
    session: Session, answer: Answer, is_time: bool, errors: list[RejectedAnswer]
) -> list[Answer]:
    """Return the answers in an opened order; empty, with an error added, if it cannot be opened."""
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
    """Return the standing orders by seat; append errors to `errors`."""
    by_side: dict[int, list[Answer]] = {}
    for answer in answers:
        by_side.setdefault(session.keys.index(answer.side), []).append(answer)
    table = {}
    for seat, lines in by_side.items():
        current_place, key = session.place(seat), session.keys[seat]
        for answer in lines:
            if answer.place != current_place:
                late = "come too late" if answer.place < current_place else "come too early"
                errors.append(
                    answer.wrong(
                        f"standing orders of {answer.label} {late}; write {key}@{current_place}: when ..."
                    )
                )
        followed = [answer for answer in lines if answer.words.casefold() != "forget"]
        table[seat] = [STANDING.sub("", answer.words, count=1) for answer in followed]
        errors += unclear_lines(session.rules, followed, table[seat])
    return table


def unclear_lines(rules: RuleSet, answers: Sequence[Answer], texts: Sequence[str]) -> list[RejectedAnswer]:
    """Return the errors in standing orders, each at its position in the file."""
    try:
        read_standing(texts, rules)
    except InvalidInput as refused:
        places = [min(int(error.at[0]), len(texts) - 1) for error in refused.errors]
        placed = zip(refused.errors, places, strict=True)
        return [answers[place].inside(unclear, texts[place]) for unclear, place in placed]
    return []


def by_line(errors: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Sort errors by line; those without a line come last."""
    placed = [error for error in errors if isinstance(error, PlacedDiagnostic)]
    unplaced = [error for error in errors if not isinstance(error, PlacedDiagnostic)]
    return [*sorted(placed, key=lambda error: (error.file, error.line)), *unplaced]


def persons_answers(
    session: Session, answers: Sequence[Answer], errors: list[RejectedAnswer]
) -> list[Answer]:
    """Return the readable answers of this battle's players; append errors to `errors`."""
    persons = []
    for answer in answers:
        wrong = stray(session, answer)
        if wrong:
            errors.append(answer.wrong(wrong))
        else:
            persons.append(answer)
    return persons


def stray(session: Session, answer: Answer) -> str:
    """Return the error if an answer does not belong to a player of this battle or cannot be read.

    Otherwise "".
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


Queue = dict[int, Answer]  # by question number


def sort_answers(
    session: Session, answers: Sequence[Answer], errors: list[RejectedAnswer]
) -> dict[int, Queue]:
    """Return the answers by seat and question; append contradictions to `errors`."""
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
    """Yield an error for each answer to an earlier or a later question."""
    current_place, key = session.place(seat), session.keys[seat]
    is_asked = seat in session.seats_to_answer
    stands = f"the current question is {key}@{current_place}" if is_asked else f"{key} has no question now"
    before = decisions_before(session, seat, sorted(place for place in queue if place < current_place)[:MOST])
    for place, answer in sorted(queue.items()):
        if place in before and is_repeated(*before[place], answer.words):
            yield answer.wrong(f"{answer.label} was already accepted; {stands}")
        elif place < current_place:
            yield answer.wrong(f"{answer.label} is too late: another answer was accepted before; {stands}")
        elif place == current_place and not is_asked:
            yield answer.wrong(
                f"{answer.label} is too early: other sides must answer first; send it once you are asked"
            )
        elif place > current_place and (not is_asked or current_place not in queue):
            yield answer.wrong(f"{answer.label} is too early; {stands}")


def is_repeated(decision: Decision, earlier: str, text: str) -> bool:
    """Return True if the answer repeats the earlier one."""
    try:
        return comparable(option_meant(decision, text)) == comparable(earlier)
    except IllegalMove:
        return False


def decisions_before(session: Session, seat: int, places: Sequence[int]) -> dict[int, tuple[Decision, str]]:
    """Return a seat's past questions and its answers, by ascending question number."""
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


def hand_in(session: Session, by_seat: dict[int, Queue], errors: list[RejectedAnswer]) -> None:
    """Answer the session's open questions, one after another, from the answers.

    Impossible answers are appended to `errors`.
    """
    begun: set[int] = set()
    while ready := [seat for seat in session.seats_to_answer if session.place(seat) in by_seat.get(seat, {})]:
        seat = ready[0]
        queue = by_seat[seat]
        next_answer = queue.pop(session.place(seat))
        count = len(session.referee.events_for(seat))
        try:
            decision = session.decision(seat)
            answer_text, more = with_line_below(session.rules, decision, session.keys, next_answer)
            refuse_other_words(queue, more)
            session.answer(seat, option_meant(decision, answer_text))
        except (IllegalMove, InvalidInput) as error:
            errors.append(next_answer.wrong(f"{next_answer.label}: {error}"))
            del by_seat[seat]
            continue
        queue.update((answer.place, answer) for answer in more)
        if seat not in begun:
            session.reported_events[seat] = count
            begun.add(seat)


def refuse_other_words(queue: Queue, more: Sequence[Answer]) -> None:
    """Raise IllegalMove if continuation lines contradict other answers to the same question."""
    for continuation in more:
        queued = queue.get(continuation.place, continuation)
        if comparable(queued.words) != comparable(continuation.words):
            raise IllegalMove(
                f"the line below it says {quoted(continuation.words)} for {continuation.label}, "
                f"line {queued.line} {quoted(queued.words)}; delete one of them"
            )


def unexpected_answer_errors(by_seat: dict[int, Queue]) -> Iterable[RejectedAnswer]:
    """Yield an error for each remaining answer, because the battle never asked its question."""
    for queue in by_seat.values():
        for answer in sorted(queue.values(), key=lambda each: each.place):
            yield answer.wrong(f"{answer.label} is too early; send it once you are asked")


def no_answer_error(file: str, session: Session) -> Diagnostic:
    """Return the error for a text without answers."""
    asked = [
        f"{session.plan.id}/{session.keys[seat]}@{session.place(seat)}"
        for seat in session.seats_to_answer[:1]
    ]
    example = f", such as {asked[0]}: 1" if asked else ""
    return Diagnostic(f"{clean(file)}: it contains no answer; write one after its address{example}")
