"""Answers out of text that somebody pasted: a mail, a chat, a note from a phone.

An answer begins with where it belongs, as `shrewsbury/york@14: 3`: the battle, the side, and the number of
the question among those that the side was asked. Whatever else stands in the text is passed over. All
answers are looked at before one is taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardbattle.core.errors import MOST, IllegalMove, Mistake, Refused
from cardbattle.core.names import clean, has_unfit, listed, nearest, quoted
from cardbattle.core.referee import choice_words, comparable
from cardbattle.fighting.session import Decision, Session, option_meant
from cardbattle.files.errors import PlacedMistake

LONGEST = 200  # letters of an answer that are looked at
ADDRESS = re.compile(
    r"(?<![\w.@/-])(?:(?P<battle>[a-z0-9][\w-]*)\s?/\s?)?(?P<side>[a-z0-9][\w-]*)\s?@\s?(?P<place>\d{1,9})\s?:"
)
QUOTED = re.compile(r"[\s>]*")
MARKUP = '*`_"#(<>[]\u00b7\u2022 \t'  # what people and programs put around an answer
ENDING = '*`_")<>[].!,; \t'
QUOTES = str.maketrans("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb", '\'\'\'\'""""""')


class Answer(NamedTuple):
    """What a text says for a side at one of its questions, and where: in which file, line and column."""

    battle: str
    side: str
    place: int
    words: str
    depth: int  # how often it was quoted
    file: str
    line: int
    column: int
    source: str

    @property
    def told(self) -> str:
        """The side and the place, as people write them."""
        return f"{self.side}@{self.place}"

    def wrong(self, text: str) -> Mistake:
        """Return a mistake at the place of this answer."""
        return PlacedMistake(text, file=self.file, line=self.line, column=self.column, source=self.source)


def answers_in(file: str, text: str) -> list[Answer]:
    r"""Return the answers in a text, in order; those that are left open, or only quoted again, are not.

    >>> [(one.told, one.words) for one in answers_in("-", "> york@3:\nYork@\uff14: \u201cPlay KH\u201d")]
    [('york@4', 'Play KH')]
    """
    found: list[Answer] = []
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if ("@" in raw or "\uff20" in raw) and ":" in unicodedata.normalize("NFKC", raw):
            found += answers_on(file, number, plain_line(raw))
    nearest_to: dict[str, int] = {}
    for one in found:
        nearest_to[one.side] = min(one.depth, nearest_to.get(one.side, one.depth))
    return [one for one in found if one.depth == nearest_to[one.side]]


def plain_line(raw: str) -> str:
    """Return a line as a keyboard has it: plain digits, spaces and quotes, nothing that cannot be seen.

    Characters that act stay, to be complained of.
    """
    plain = unicodedata.normalize("NFKC", raw.translate(QUOTES)).translate(QUOTES)
    return "".join(char for char in plain if unicodedata.category(char) != "Cf").replace("\t", " ")


def answers_on(file: str, number: int, line: str) -> Iterable[Answer]:
    """Yield the answers that stand on one line, several if their words are set apart by semicolons."""
    known = list(ADDRESS.finditer(line.casefold())) if len(line.casefold()) == len(line) else []
    quoted_by = QUOTED.match(line)
    depth = quoted_by[0].count(">") if quoted_by else 0
    for n, found in enumerate(known):
        end = known[n + 1].start() if n + 1 < len(known) else len(line)
        words = [trimmed(part) for part in line[found.end() : end].split(";")]
        for ahead, said in enumerate(word for word in words if word):
            yield Answer(
                found["battle"] or "", found["side"], int(found["place"]) + ahead, said, depth,
                file, number, found.start() + 1, line,
            )  # fmt: skip


def trimmed(words: str) -> str:
    """Return the words of an answer without what stands around them.

    >>> trimmed(' "Play KH rally". '), trimmed("**(3)**"), trimmed("place 7H'"), trimmed("'3'")
    ('Play KH rally', '3', "place 7H'", '3')
    """
    bare = words.strip().lstrip(MARKUP).rstrip(ENDING)
    if bare.startswith("'"):
        bare = bare.strip("'").strip()
    return bare


def take_answers(session: Session, answers: Sequence[Answer]) -> None:
    """Take all these answers; the session is to be forgotten if they are refused.

    Refused lists what is wrong with them.
    """
    mistakes = [*strayed(session, answers)]
    by_seat = sorted_out(session, answers, mistakes) if not mistakes else {}
    for seat, queue in by_seat.items():
        mistakes += untimely(session, seat, queue)
    if not mistakes:
        handed_in(session, by_seat, mistakes)
    if mistakes:
        raise Refused(by_line(mistakes))


def by_line(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Return mistakes in the order of their lines."""
    return sorted(
        mistakes, key=lambda one: (one.file, one.line) if isinstance(one, PlacedMistake) else ("", 0)
    )


def strayed(session: Session, answers: Sequence[Answer]) -> Iterable[Mistake]:
    """Yield a mistake for each answer that cannot be one of this battle's persons, or cannot be read."""
    persons = [session.keys[seat] for seat in session.persons]
    for one in answers:
        if one.battle and one.battle != session.plan.id:
            yield one.wrong(
                f"{one.told} is an answer in battle {one.battle}, and this is {session.plan.id}; "
                "take it with that battle's file"
            )
        elif one.side not in session.keys:
            hint = nearest(one.side, persons) or f"; those who answer are {listed(persons)}"
            yield one.wrong(f"no side of this battle is {quoted(one.side)}{hint}")
        elif one.side not in persons:
            yield one.wrong(
                f"nobody answers for {one.side}, which has a commander of the program's; leave it out"
            )
        elif has_unfit(one.words):
            yield one.wrong(
                f"{one.told} has characters that cannot be seen: {quoted(one.words)}; type it anew"
            )
        elif len(one.words) > LONGEST:
            yield one.wrong(f"{one.told} is {len(one.words)} letters long; an answer has up to {LONGEST}")


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

    What cannot be chosen, and what is not asked, is noted.
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
    for queue in by_seat.values():
        for one in sorted(queue.values(), key=lambda each: each.place)[:MOST]:
            mistakes.append(one.wrong(f"{one.told} is not asked by then; leave it out until it is"))


def unanswered(files: Sequence[str], session: Session) -> Refused:
    """Return the refusal of texts in which there is no answer."""
    asked = [f"{session.plan.id}/{session.keys[seat]}@{session.place(seat)}" for seat in session.asked[:1]]
    example = f", as {asked[0]}: 1" if asked else ""
    return Refused(f"{clean(listed(files))}: there is no answer in it; write one behind a place{example}")
