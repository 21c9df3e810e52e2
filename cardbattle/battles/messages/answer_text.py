"""Find answers in pasted text.

An answer begins with its place, such as `shrewsbury/york@14: 3`: the battle, the side, and the number of the
side's question. Standing orders use the same form, `york@14: when counter: pass`. All other text is ignored.
All answers are checked before any is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from cardbattle.battles.messages.pasted_text import PlainLine, plain_line, plain_lines
from cardbattle.commanders.standing import column_of
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.names import has_unfit, quoted
from cardbattle.files.errors import PlacedDiagnostic

ADDRESS = re.compile(
    r"(?<![\w.@/-])(?:(?P<battle>[a-z0-9][\w-]*)\s?/\s?)?(?P<side>[a-z0-9][\w-]*)\s?@\s?(?P<place>\d+)\s?:",
    re.IGNORECASE,
)
NO_COLON = re.compile(
    r"(?<![\w.@/-])(?:(?P<battle>[a-z0-9][\w-]*)/)?(?P<side>[a-z0-9][\w-]*)\s?@\s?(?P<place>\d+)"
    r"(?:\s*[-=]+>?\s*|\s+)(?P<words>[^\s@][^@]{0,200})$",
    re.IGNORECASE,
)
MOST_ANSWERS = 1000  # maximum number in one text; no battle has more questions for a side
LONGEST = 200  # characters of an answer
LONGEST_SEALED = 5000  # characters of all answers under one seal
HIGHEST = 10**9  # larger places count as this one
WHEN = re.compile(r":\s?when\s", re.IGNORECASE)
WRAPPED = 5  # maximum number of lines over which a mail program spreads one answer
MARKUP = '*`_"(<>[]\u00b7\u2022 \t'  # characters that people and programs put around an answer
ENDING = '*`_")<>[].!,; \t'
LIST = re.compile(r"#?\d{1,9}(?:\s*,\s*#?\d{1,9})+")  # numbers separated by commas
NUMBERS = re.compile(r"#?\d{1,9}(?:\s*[;,]\s*#?\d{1,9})*\s*[;,.]?")
UNFINISHED = re.compile(r"[;,][*`_\"\s]*$")
SEALED = re.compile(r"sealed\s+(?:sha256:)?([0-9a-f]{64})", re.IGNORECASE)
OPENED = re.compile(r"open\s+([0-9a-f]{32})\s+(\S.*)", re.IGNORECASE)
OPENS = re.compile(r"^\W*open\s", re.IGNORECASE)
SHORT = re.compile(r":\s?(?:sealed|open)\s*$", re.IGNORECASE)  # the sealed text is on the next line
BEGINS = re.compile(r":\s?(?:sealed|open)\b", re.IGNORECASE)
STANDING = re.compile(r"(when\s+(?=\S)|(?=else\s)|forget$)", re.IGNORECASE)


class Answer(NamedTuple):
    """The answer of a side to one of its questions, with its file, line and column.

    Attributes:
        battle: the battle; empty if the address names none.
        place: the question number, from 1.
        words: the text of the answer.
        depth: how often it was quoted.
        below: the lines directly below it, which can be its continuation.
        is_unfinished: True if it ends with a semicolon or comma.
        whole: the question number of the first answer in the same seal or on the same wrapped line, shared by
            all of them; 0 for none. All are accepted, or none.
        has_colon: False if the colon is missing; it can then also be prose.

    """

    battle: str
    side: str
    place: int
    words: str
    depth: int  # how often it was quoted
    file: str
    line: int
    column: int
    source: str
    below: tuple[str, ...] = ()
    is_unfinished: bool = False
    whole: int = 0
    has_colon: bool = True

    @property
    def is_sealed(self) -> bool:
        """Whether this is a sealed answer, or opens one."""
        return self.has_colon and self.words.casefold().split(" ")[0] in ("sealed", "open")

    @property
    def is_standing(self) -> bool:
        """Whether this gives or withdraws standing orders."""
        return self.has_colon and STANDING.match(self.words) is not None

    @property
    def label(self) -> str:
        """The side and the question number, such as york@14."""
        return f"{self.side}@{self.place}"

    @property
    def unit(self) -> object:
        """A value shared by answers that stand or fall together, such as a side's standing orders."""
        if self.is_standing:
            return self.side
        return self.file, self.line, self.column, self.whole or self.place

    def inside(self, error: Diagnostic, text: str) -> RejectedAnswer:
        """Return an error at the position of this text, which is the end of the answer, in the file."""
        at = self.source.find(text, self.column - 1) + column_of(error)
        return RejectedAnswer(error.text, [self], max(at, self.column))

    def wrong(self, text: str) -> RejectedAnswer:
        """Return an error at the position of this answer."""
        return RejectedAnswer(text, [self], self.column)


class RejectedAnswer(PlacedDiagnostic):
    """A rejected answer, or several; the position is that of the last one."""

    def __init__(self, text: str, answers: Sequence[Answer], column: int) -> None:
        last = answers[-1]
        super().__init__(text, file=last.file, line=last.line, column=column, source=last.source)
        self.answers = answers


def answers_in(file: str, text: str) -> list[Answer]:
    r"""Return the answers in a text, in order, without empty answers and answers that are only quoted again.

    Raises InvalidInput if the text is too long or has more than 1,000 answers.

    >>> [(one.label, one.words) for one in answers_in("-", "> york@3:\nYork@\uff14: \u201cPlay KH\u201d")]
    [('york@4', 'Play KH')]
    """
    answers: list[Answer] = []
    lines = plain_lines(file, text)
    for number, line in enumerate(lines, 1):
        if "@" in line.text:
            answers += islice(answers_on(file, line, lines[number : number + WRAPPED]), MOST_ANSWERS + 1)
        if len(answers) > MOST_ANSWERS:
            error_text = f"it contains more than {MOST_ANSWERS:,} answers; paste only the new ones"
            raise InvalidInput([PlacedDiagnostic(error_text, file=file, line=line.number)])
    nearest_to: dict[str, int] = {}
    for answer in answers:
        nearest_to[answer.side] = min(answer.depth, nearest_to.get(answer.side, answer.depth))
    return [answer for answer in answers if answer.depth == nearest_to[answer.side]]


def unbroken(line: str, following: Sequence[PlainLine]) -> tuple[str, Sequence[PlainLine]]:
    """Join a line of standing or sealed orders with its continuation lines; return also the remaining lines.

    >>> unbroken("york@6: when counter: play KH |", [PlainLine(2, "rally | pass"), PlainLine(3, "Yours")])
    ('york@6: when counter: play KH | rally | pass', [PlainLine(number=3, text='Yours')])
    """
    if SHORT.search(line):
        line = f"{line.rstrip()} {' '.join(lines_below(following)[:1])}"
        following = following[1:]
    if WHEN.search(line):
        for below in lines_below(following):
            if not ("|" in below or line.rstrip().endswith(("|", ":"))):
                break
            line, following = f"{line.rstrip()} {below}", following[1:]
    return line, following


def lines_below(following: Sequence[PlainLine]) -> tuple[str, ...]:
    """Return the unquoted lines that follow directly, up to the next address."""
    bare = (line.bare for line in following)
    return tuple(takewhile(lambda line: line and "@" not in line, bare))


def continuation_lines(
    line: PlainLine, following: Sequence[PlainLine], is_unfinished: bool
) -> tuple[str, ...]:
    """Return the lines below an answer that can belong to it: lines that are not quoted more often.

    After a semicolon, one empty line is skipped.
    """
    if is_unfinished and following and not following[0].bare:
        following = following[1:]
    return lines_below([*takewhile(lambda below: below.depth <= line.depth, following)])


def answers_on(file: str, line: PlainLine, following: Sequence[PlainLine]) -> Iterator[Answer]:
    """Yield the answers that begin on one line; several are separated by semicolons."""
    text, remaining = unbroken(line.text, following)
    addresses = [*islice(ADDRESS.finditer(text), MOST_ANSWERS + 1)]
    if not addresses:
        yield from without_colon(file, line)
    for n, match in enumerate(addresses):
        is_last = n == len(addresses) - 1
        said_here = text[match.end() : len(text) if is_last else addresses[n + 1].start()]
        answer = answer_at(match, file, line._replace(text=text))
        if is_last and not said_here.strip(MARKUP + ENDING):
            yield from answers_under(answer, following)
        elif is_last:
            is_unfinished = UNFINISHED.search(said_here[-20:]) is not None
            below = (
                lines_below(remaining)
                if BEGINS.search(text)
                else continuation_lines(line, remaining, is_unfinished)
            )
            yield from split_answers(answer, said_here, below, is_unfinished)
        else:
            yield from split_answers(answer, said_here)


def answer_at(address: re.Match[str], file: str, line: PlainLine) -> Answer:
    """Return an answer without text, for an address on a line."""
    return Answer(
        (address["battle"] or "").lower(), address["side"].lower(), place_of(address), "", line.depth, file,
        line.number, address.start() + 1, line.text,
    )  # fmt: skip


def without_colon(file: str, line: PlainLine) -> Iterator[Answer]:
    """Yield the possible answer whose colon is missing, on a line without other answers."""
    match = NO_COLON.search(line.text)
    if match:
        yield answer_at(match, file, line)._replace(words=trim(match["words"]), has_colon=False)


def answers_under(answer: Answer, following: Sequence[PlainLine]) -> Iterator[Answer]:
    """Yield the answers on the line below their address, if that line has only numbers."""
    for line in following[:2]:
        if line.bare:
            is_short = len(line.bare) <= LONGEST_SEALED
            if is_short and line.depth <= answer.depth and NUMBERS.fullmatch(line.bare):
                yield from split_answers(answer._replace(depth=line.depth), line.bare)
            return


def split_answers(
    first: Answer, said: str, below: tuple[str, ...] = (), is_unfinished: bool = False
) -> Iterator[Answer]:
    """Yield the answers in one text, to successive questions; the last gets the lines below."""
    is_open = OPENS.search(said) is not None  # an opened text is used in full
    parts = [said.strip().lstrip(MARKUP)] if is_open else parts_of(said)
    for n, part in enumerate(parts, 1):
        answer = first._replace(words=part)
        yield answer._replace(below=below, is_unfinished=is_unfinished) if n == len(parts) else answer
        first = first if answer.is_standing else first._replace(place=first.place + 1)


def parts_of(said: str) -> list[str]:
    """Split a text into answers, at semicolons, or at commas between numbers.

    >>> parts_of(" 3,1, 4; Play KH. "), parts_of("place 3S, please")
    (['3', '1', '4', 'Play KH'], ['place 3S, please'])
    """
    parts: list[str] = []
    for part in said.split(";", MOST_ANSWERS + 1):
        bare = trim(part)
        if len(bare) <= LONGEST_SEALED and LIST.fullmatch(bare):
            parts += re.split(r"\s*,\s*", bare)
        elif bare:
            parts.append(bare)
    return parts


def trim(text: str) -> str:
    """Return the text of an answer without the markup around it.

    >>> trim(' "Play KH rally". '), trim("**(3)**"), trim("place 7H'"), trim("'3'")
    ('Play KH rally', '3', "place 7H'", '3')
    >>> trim("3 (I think).")
    '3 (I think)'
    """
    bare = text.strip().lstrip(MARKUP).rstrip(ENDING)
    if bare.startswith("'"):
        bare = bare.strip("'").strip()
    return bare + ")" if bare.count("(") > bare.count(")") else bare


def read_to_seal(text: str) -> Answer:
    """Parse an answer to be sealed, which must be complete in one text. Raises UsageError."""
    line = plain_line(" ".join(text.split()))
    match = ADDRESS.match(line)
    answer_text = trim(line[match.end() :]) if match else ""
    place = place_of(match) if match else 0
    if match is None or not match["battle"] or not place or not answer_text or has_unfit(answer_text):
        raise UsageError(
            f"{quoted(text)}: write the whole answer, for example shrewsbury/percy@3: play KH rally"
        )
    if len(answer_text) > LONGEST_SEALED:
        raise UsageError(
            f"the answer has {len(answer_text)} characters; a sealed answer has at most {LONGEST_SEALED}"
        )
    return Answer(match["battle"].lower(), match["side"].lower(), place, answer_text, 0, "", 0, 0, line)


def place_of(address: re.Match[str]) -> int:
    """Return the question number in an address, limited to the highest possible number."""
    return min(int(address["place"][:12]), HIGHEST)


def standing_in(file: str, text: str, side: str) -> list[tuple[str, Answer]]:
    """Return the standing orders in a text, with their positions: bare lines, or those of a message.

    In a message, only lines of this side count. Bare lines after `#` are comments.
    """
    sent = [answer for answer in answers_in(file, text) if answer.is_standing and answer.side == side]
    if sent:
        return [(STANDING.sub("", answer.words, count=1), answer) for answer in sent]
    results = []
    for number, line in plain_lines(file, text):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            column = len(line) - len(line.lstrip()) + 1
            results.append((bare, Answer("", side, 0, bare, 0, file, number, column, line)))
    return results
