"""Answers taken: those of one text or several, all or none, each refused in its own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardbattle.commanders.standing import read_standing
from cardbattle.core.errors import MOST, IllegalMove, Mistake, Refused, first, note
from cardbattle.core.names import clean, has_unfit, listed, nearest, quoted
from cardbattle.core.referee import choice_words, comparable
from cardbattle.core.ruleset import RuleSet
from cardbattle.fighting.letters import OPENED, SEALED, STANDING, Answer, trimmed
from cardbattle.fighting.sealing import are_all_in, opening_mistake, seal_mistake, spend
from cardbattle.fighting.session import Decision, Session, option_meant
from cardbattle.files.errors import PlacedMistake

LONGEST = 200  # letters of an answer that are looked at
NO_SEAL = "expected sealed and the 64 letters that cardbattle orders seal has printed"
NO_OPENING = "expected open, the salt of 32 letters and the text, as cardbattle orders seal has printed"


def take_answers(session: Session, answers: Sequence[Answer]) -> None:
    """Take all these answers and standing orders; the session is to be forgotten if they are refused.

    Standing orders take the place of those that a side gave before. They are followed from the place on
    for which they are given, behind the answers that the same text gives. Refused lists what is wrong.
    """
    mistakes: list[Mistake] = []
    answers = unsealed(session, persons_answers(session, answers, mistakes), mistakes)
    by_seat = sorted_out(session, [one for one in answers if not one.is_standing], mistakes)
    orders = standing_by_seat(session, [one for one in answers if one.is_standing], mistakes)
    by_seat = timely(session, by_seat, mistakes)
    is_sound = not mistakes
    for seat in orders if is_sound else ():
        told = len(session.referee.events_for(seat))
        session.command(seat, session.plan.sides[seat]._replace(standing=[]))
        session.told[seat] = told
    handed_in(session, by_seat, mistakes)
    if is_sound:
        for seat, lines in orders.items():
            session.command(seat, session.plan.sides[seat]._replace(standing=lines))
        session.go_on()
        handed_in(session, by_seat, mistakes)
        mistakes += unasked(by_seat)
    if mistakes:
        raise Refused(first(by_line(mistakes)))


def unsealed(session: Session, answers: Sequence[Answer], mistakes: list[Mistake]) -> list[Answer]:
    """Take the seals, and return the answers with those that are opened in clear; what is wrong is noted."""
    seals = [one for one in answers if one.is_sealed and one.words[:1] in "sS"]
    for one in seals:
        seat, given = session.keys.index(one.side), SEALED.fullmatch(one.words)
        wrong = "" if given else NO_SEAL
        wrong = wrong or unready(session, seat, one.place)
        wrong = wrong or seal_mistake(session, seat, given[1].lower() if given else "")
        if wrong:
            mistakes.append(one.wrong(f"{one.told}: {wrong}"))
        elif given:
            session.seals[seat] = given[1].lower()
    found: list[Answer] = []
    session.is_opening = is_time = are_all_in(session)
    for one in answers:
        seat = session.keys.index(one.side)
        if one.is_sealed and one not in seals:
            found += opened_answers(session, one, is_time, mistakes)
        elif not one.is_sealed and seat in session.seals and not one.is_standing:
            mistakes.append(one.wrong(f"{one.told} is sealed; send the line that opens it instead"))
        elif not one.is_sealed:
            found.append(one)
    return found


def unready(session: Session, seat: int, place: int) -> str:
    """Say why a seat can seal nothing for this place, or return the empty string."""
    key, now = session.keys[seat], session.place(seat)
    if seat not in session.asked:
        return f"{key} is not asked now"
    return "" if place == now else f"{key} is asked {key}@{now} now"


def opened_answers(session: Session, one: Answer, is_time: bool, mistakes: list[Mistake]) -> list[Answer]:
    """Return the answers that an opened order has, in clear; none if it cannot be opened, which is noted."""
    seat, given = session.keys.index(one.side), OPENED.fullmatch(one.words)
    wrong = "" if given else NO_OPENING
    wrong = wrong or unready(session, seat, one.place)
    if wrong or given is None:
        mistakes.append(one.wrong(f"{one.told}: {wrong}"))
        return []
    salt, text = given[1].lower(), given[2]
    for n in range(len(one.below) + 1):
        whole = " ".join([text, *one.below[:n]])
        if not opening_mistake(session, seat, salt, whole, is_time):
            spend(session, seat, salt)
            parts = [part for part in map(trimmed, whole.split(";")) if part]
            return [one._replace(words=part, place=one.place + ahead) for ahead, part in enumerate(parts)]
    mistakes.append(one.wrong(f"{one.told}: {opening_mistake(session, seat, salt, text, is_time)}"))
    return []


def standing_by_seat(
    session: Session, answers: Sequence[Answer], mistakes: list[Mistake]
) -> dict[int, list[str]]:
    """Return the standing orders by seat; what is unclear in them, or out of time, is noted."""
    given: dict[int, list[Answer]] = {}
    for one in answers:
        given.setdefault(session.keys.index(one.side), []).append(one)
    found = {}
    for seat, lines in given.items():
        now, key = session.place(seat), session.keys[seat]
        for one in lines:
            if one.place != now:
                late = "come too late" if one.place < now else "come too early"
                mistakes.append(
                    one.wrong(f"standing orders of {one.told} {late}; write {key}@{now}: when ...")
                )
        followed = [one for one in lines if one.words.casefold() != "forget"]
        found[seat] = [STANDING.sub("", one.words, count=1) for one in followed]
        mistakes += unclear_lines(session.rules, followed, found[seat])
    return found


def unclear_lines(rules: RuleSet, answers: Sequence[Answer], texts: Sequence[str]) -> list[Mistake]:
    """Return what is unclear in standing orders, each at its letter in the file from which it comes."""
    try:
        read_standing(texts, rules)
    except Refused as refused:
        places = [min(int(one.at[0]), len(texts) - 1) for one in refused.mistakes]
        found = zip(refused.mistakes, places, strict=True)
        return [answers[place].inside(unclear, texts[place]) for unclear, place in found]
    return []


def by_line(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Return mistakes in the order of their lines, those without a line last."""
    placed = [one for one in mistakes if isinstance(one, PlacedMistake)]
    others = [one for one in mistakes if not isinstance(one, PlacedMistake)]
    return [*sorted(placed, key=lambda one: (one.file, one.line)), *others]


def persons_answers(session: Session, answers: Sequence[Answer], mistakes: list[Mistake]) -> list[Answer]:
    """Return the answers that are one of this battle's persons and can be read; what is wrong is noted."""
    found = []
    for one in answers:
        wrong = stray(session, one)
        if wrong:
            note(mistakes, one.wrong(wrong))
        else:
            found.append(one)
    return found


def stray(session: Session, one: Answer) -> str:
    """Say why an answer is none of this battle's persons, or cannot be read; else the empty string."""
    persons = [session.keys[seat] for seat in session.players]
    if one.battle and one.battle != session.plan.id:
        return (
            f"{one.told} is an answer in battle {one.battle}, and this is {session.plan.id}; "
            "take it with that battle's file"
        )
    if one.side not in session.keys:
        hint = nearest(one.side, persons) or f"; those who answer are {listed(persons)}"
        return f"no side of this battle is {quoted(one.side)}{hint}"
    if one.side not in persons:
        return f"nobody answers for {one.side}, which has a commander of the program's; leave it out"
    if has_unfit(one.words):
        return f"{one.told} has characters that cannot be seen: {quoted(one.words)}; type it anew"
    if len(one.words) > LONGEST and not one.is_sealed:
        return f"{one.told} is {len(one.words)} letters long; an answer has up to {LONGEST}"
    return ""


Queue = dict[int, Answer]  # by place


def sorted_out(session: Session, answers: Sequence[Answer], mistakes: list[Mistake]) -> dict[int, Queue]:
    """Return the answers by seat and place; one that contradicts another is noted."""
    by_seat: dict[int, Queue] = {}
    for one in answers:
        queue = by_seat.setdefault(session.keys.index(one.side), {})
        other = queue.setdefault(one.place, one)
        if comparable(other.words) != comparable(one.words):
            where = f"line {other.line}" if other.file == one.file else f"{other.file}, line {other.line},"
            mistakes.append(
                one.wrong(
                    f"{one.told} is answered twice: {where} says {quoted(other.words)}, this "
                    f"{quoted(one.words)}; leave one of them"
                )
            )
    return by_seat


def timely(session: Session, by_seat: dict[int, Queue], mistakes: list[Mistake]) -> dict[int, Queue]:
    """Return the queues of seats that answer what is asked now; what comes too late or too early is noted."""
    found = {}
    for seat, queue in by_seat.items():
        wrong = [*untimely(session, seat, queue)]
        mistakes += wrong
        if not wrong:
            found[seat] = queue
    return found


def untimely(session: Session, seat: int, queue: Queue) -> Iterable[Mistake]:
    """Yield a mistake for each answer to what was asked before, and to what is not asked yet."""
    now, key = session.place(seat), session.keys[seat]
    is_asked = seat in session.asked
    stands = f"{key} is asked {key}@{now} now" if is_asked else f"{key} is not asked anything now"
    for place, one in sorted(queue.items()):
        if place < now and repeats(session, seat, one):
            yield one.wrong(f"{one.told} comes a second time: it was taken before; {stands}")
        elif place < now:
            yield one.wrong(f"{one.told} comes too late: it was answered otherwise before; {stands}")
        elif place == now and not is_asked:
            yield one.wrong(f"{one.told} is not asked yet; it waits for others, so send it when it is asked")
        elif place > now and (not is_asked or now not in queue):
            yield one.wrong(f"{one.told} is not asked yet; {stands}")


def repeats(session: Session, seat: int, one: Answer) -> bool:
    """Say whether an answer says once more what was answered at its place."""
    decision, made = decision_before(session, seat, one.place)
    try:
        return comparable(option_meant(decision, one.words)) == comparable(made)
    except IllegalMove:
        return False


def decision_before(session: Session, seat: int, place: int) -> tuple[Decision, str]:
    """Return what a seat was asked at a place that it has answered, and what it answered."""
    own, key = session.moves_of(seat), session.keys[seat]
    if place <= len(own):
        referee = session.fought_again(session.referee.moves[: own[place - 1]])
        battle, made = referee.battle, session.referee.moves[own[place - 1]].partition(" ")[2]
    else:
        secret = session.sealed[seat]
        battle, made = session.position(seat), secret[place - 1 - len(own)]
        session.answered(battle, seat, secret[: place - 1 - len(own)])
    texts = [choice_words(session.rules, battle, n) for n in range(len(battle.options))]
    return Decision(seat, key, battle.view(seat), texts, []), made


def handed_in(session: Session, by_seat: dict[int, Queue], mistakes: list[Mistake]) -> None:
    """Give the session one answer after the other, as long as somebody is asked who has one.

    What cannot be chosen is noted.
    """
    begun: set[int] = set()
    while ready := [seat for seat in session.asked if session.place(seat) in by_seat.get(seat, {})]:
        seat = ready[0]
        one = by_seat[seat].pop(session.place(seat))
        told = len(session.referee.events_for(seat))
        try:
            session.answer(seat, option_meant(session.decision(seat), one.words))
        except (IllegalMove, Refused) as error:
            mistakes.append(one.wrong(f"{one.told}: {error}"))
            del by_seat[seat]
            continue
        if seat not in begun:
            session.told[seat] = told
            begun.add(seat)


def unasked(by_seat: dict[int, Queue]) -> Iterable[Mistake]:
    """Yield a mistake for each answer that was left, as nobody asked for it."""
    for queue in by_seat.values():
        for one in sorted(queue.values(), key=lambda each: each.place)[:MOST]:
            yield one.wrong(f"{one.told} is not asked by then; leave it out until it is")


def unanswered(files: Sequence[str], session: Session) -> Refused:
    """Return the refusal of texts in which there is no answer."""
    asked = [f"{session.plan.id}/{session.keys[seat]}@{session.place(seat)}" for seat in session.asked[:1]]
    example = f", as {asked[0]}: 1" if asked else ""
    return Refused(f"{clean(listed(files))}: there is no answer in it; write one behind a place{example}")
