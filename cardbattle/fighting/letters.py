"""Answers out of text that somebody pasted: a mail, a chat, a note from a phone.

An answer begins with where it belongs, as `shrewsbury/york@14: 3`: the battle, the side, and the number of
the question among those that the side was asked. Standing orders stand there too, as `york@14: when counter:
pass`. Whatever else stands in the text is passed over. All answers are looked at before one is taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardbattle.commanders import HUMAN
from cardbattle.commanders.standing import column_of, read_standing
from cardbattle.core.errors import MOST, IllegalMove, Mistake, Refused
from cardbattle.core.names import clean, has_unfit, listed, nearest, quoted
from cardbattle.core.referee import choice_words, comparable
from cardbattle.fighting.session import Decision, Session, option_meant
from cardbattle.files.errors import PlacedMistake

LONGEST = 200  # letters of an answer that are looked at
ADDRESS = re.compile(
    r"(?<![\w.@/-])(?:(?P<battle>[a-z0-9][\w-]*)\s?/\s?)?(?P<side>[a-z0-9][\w-]*)\s?@\s?(?P<place>\d{1,9})\s?:"
)
WHEN = re.compile(r":\s?when\s", re.IGNORECASE)
WRAPPED = 5  # lines over which a mail program may spread one
QUOTED = re.compile(r"[\s>]*")
MARKUP = '*`_"#(<>[]\u00b7\u2022 \t'  # what people and programs put around an answer
ENDING = '*`_")<>[].!,; \t'
STANDING = re.compile(r"(when\s+(?=\S)|(?=else\s)|forget$)", re.IGNORECASE)
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
    def is_standing(self) -> bool:
        """Whether this gives or takes back standing orders."""
        return STANDING.match(self.words) is not None

    @property
    def told(self) -> str:
        """The side and the place, as people write them."""
        return f"{self.side}@{self.place}"

    def inside(self, mistake: Mistake, text: str) -> Mistake:
        """Return a mistake inside this text, which is the end of the words, at its place in the file."""
        at = self.source.find(text, self.column - 1) + column_of(mistake)
        return self._replace(column=max(at, self.column)).wrong(mistake.text)

    def wrong(self, text: str) -> Mistake:
        """Return a mistake at the place of this answer."""
        return PlacedMistake(text, file=self.file, line=self.line, column=self.column, source=self.source)


def answers_in(file: str, text: str) -> list[Answer]:
    r"""Return the answers in a text, in order; those that are left open, or only quoted again, are not.

    >>> [(one.told, one.words) for one in answers_in("-", "> york@3:\nYork@\uff14: \u201cPlay KH\u201d")]
    [('york@4', 'Play KH')]
    """
    found: list[Answer] = []
    lines = re.split(r"\r\n|\r|\n", text)
    for number, raw in enumerate(lines, 1):
        if ("@" in raw or "\uff20" in raw) and ":" in unicodedata.normalize("NFKC", raw):
            found += answers_on(file, number, unbroken(plain_line(raw), lines[number : number + WRAPPED]))
    nearest_to: dict[str, int] = {}
    for one in found:
        nearest_to[one.side] = min(one.depth, nearest_to.get(one.side, one.depth))
    return [one for one in found if one.depth == nearest_to[one.side]]


def unbroken(line: str, following: Sequence[str]) -> str:
    """Return a line of standing orders with what a mail program has put on the lines below it.

    >>> unbroken("> york@6: when counter: play KH |", ["> rally | pass", "> Yours"])
    '> york@6: when counter: play KH | rally | pass'
    """
    for raw in following if WHEN.search(line) else []:
        bare = QUOTED.sub("", plain_line(raw), count=1).strip()
        if not bare or "@" in bare or not ("|" in bare or line.endswith("|")):
            break
        line = f"{line.rstrip()} {bare}"
    return line


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
        ahead = 0
        for said in filter(None, words):
            one = Answer(
                found["battle"] or "", found["side"], int(found["place"]), said, depth,
                file, number, found.start() + 1, line,
            )  # fmt: skip
            yield one if one.is_standing else one._replace(place=one.place + ahead)
            ahead += not one.is_standing


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
    """Take all these answers and standing orders; the session is to be forgotten if they are refused.

    Standing orders take the place of those that a side gave before. They are followed from the place on
    for which they are given, behind the answers that the same text gives. Refused lists what is wrong.
    """
    mistakes = [*strayed(session, answers)]
    standing = [one for one in answers if one.is_standing]
    by_seat, orders = dict[int, Queue](), dict[int, list[str]]()
    if not mistakes:
        by_seat = sorted_out(session, [one for one in answers if not one.is_standing], mistakes)
        orders = standing_by_seat(session, standing, mistakes)
    for seat, queue in by_seat.items():
        mistakes += untimely(session, seat, queue)
    if not mistakes:
        for seat in orders:
            told = len(session.referee.events_for(seat))
            session.command(seat, session.plan.sides[seat]._replace(standing=[]))
            session.told[seat] = told
        handed_in(session, by_seat, mistakes)
        for seat, lines in orders.items():
            session.command(seat, session.plan.sides[seat]._replace(standing=lines))
        session.go_on()
        handed_in(session, by_seat, mistakes)
        mistakes += unasked(by_seat)
    if mistakes:
        raise Refused(by_line(mistakes))


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
        texts = [STANDING.sub("", one.words, count=1) for one in lines if one.words.casefold() != "forget"]
        try:
            read_standing(texts, session.rules)
        except Refused as refused:
            for unclear in refused.mistakes:
                place = min(int(unclear.at[0]), len(lines) - 1)
                mistakes.append(lines[place].inside(unclear, texts[place]))
        found[seat] = texts
    return found


def by_line(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Return mistakes in the order of their lines."""
    return sorted(
        mistakes, key=lambda one: (one.file, one.line) if isinstance(one, PlacedMistake) else ("", 0)
    )


def strayed(session: Session, answers: Sequence[Answer]) -> Iterable[Mistake]:
    """Yield a mistake for each answer that cannot be one of this battle's persons, or cannot be read."""
    persons = [
        key for key, side in zip(session.keys, session.plan.sides, strict=True) if side.commander == HUMAN
    ]
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
