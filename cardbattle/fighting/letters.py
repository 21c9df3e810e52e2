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

from cardbattle.commanders.standing import column_of
from cardbattle.core.errors import Mistake, UsageError
from cardbattle.core.names import has_unfit, quoted
from cardbattle.files.errors import PlacedMistake

ADDRESS = re.compile(
    r"(?<![\w.@/-])(?:(?P<battle>[a-z0-9][\w-]*)\s?/\s?)?(?P<side>[a-z0-9][\w-]*)\s?@\s?(?P<place>\d{1,9})\s?:",
    re.IGNORECASE,
)
WHEN = re.compile(r":\s?when\s", re.IGNORECASE)
WRAPPED = 5  # lines over which a mail program may spread one
QUOTED = re.compile(r"[\s>]*")
MARKUP = '*`_"#(<>[]\u00b7\u2022 \t'  # what people and programs put around an answer
ENDING = '*`_")<>[].!,; \t'
SEALED = re.compile(r"sealed\s+(?:sha256:)?([0-9a-f]{64})", re.IGNORECASE)
OPENED = re.compile(r"open\s+([0-9a-f]{32})\s+(\S.*)", re.IGNORECASE)
OPENS = re.compile(r"^\W*open\s", re.IGNORECASE)
SHORT = re.compile(r":\s?(?:sealed|open)\s*$", re.IGNORECASE)  # what was sealed stands on the next line
BEGINS = re.compile(r":\s?(?:sealed|open)\b", re.IGNORECASE)
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
    below: tuple[str, ...] = ()  # of a sealed order: lines to which a mail program may have spread it

    @property
    def is_sealed(self) -> bool:
        """Whether this seals an answer or opens one."""
        return self.words.casefold().split(" ")[0] in ("sealed", "open")

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
            following = lines[number : number + WRAPPED]
            bare = plain_line(raw)
            line = unbroken(bare, following)
            below = lines_below(following)[bool(SHORT.search(bare)) :] if BEGINS.search(line) else ()
            found += (one._replace(below=below) for one in answers_on(file, number, line))
    nearest_to: dict[str, int] = {}
    for one in found:
        nearest_to[one.side] = min(one.depth, nearest_to.get(one.side, one.depth))
    return [one for one in found if one.depth == nearest_to[one.side]]


def unbroken(line: str, following: Sequence[str]) -> str:
    """Return a line of standing or sealed orders with what a mail program has put on the lines below it.

    >>> unbroken("> york@6: when counter: play KH |", ["> rally | pass", "> Yours"])
    '> york@6: when counter: play KH | rally | pass'
    """
    if SHORT.search(line):
        line = f"{line.rstrip()} {' '.join(lines_below(following)[:1])}"
    for raw in following if WHEN.search(line) else []:
        bare = QUOTED.sub("", plain_line(raw), count=1).strip()
        if not bare or "@" in bare or not ("|" in bare or line.endswith("|")):
            break
        line = f"{line.rstrip()} {bare}"
    return line


def lines_below(following: Sequence[str]) -> tuple[str, ...]:
    """Return the lines that follow without a gap, unquoted."""
    found: list[str] = []
    for raw in following:
        bare = QUOTED.sub("", plain_line(raw), count=1).strip()
        if not bare or "@" in bare:
            break
        found.append(bare)
    return tuple(found)


def plain_line(raw: str) -> str:
    """Return a line as a keyboard has it: plain digits, spaces and quotes, nothing that cannot be seen.

    Characters that act stay, to be complained of.
    """
    plain = unicodedata.normalize("NFKC", raw.translate(QUOTES)).translate(QUOTES)
    return "".join(char for char in plain if unicodedata.category(char) != "Cf").replace("\t", " ")


def answers_on(file: str, number: int, line: str) -> Iterable[Answer]:
    """Yield the answers that stand on one line, several if their words are set apart by semicolons."""
    known = list(ADDRESS.finditer(line))
    quoted_by = QUOTED.match(line)
    depth = quoted_by[0].count(">") if quoted_by else 0
    for n, found in enumerate(known):
        end = known[n + 1].start() if n + 1 < len(known) else len(line)
        said_here = line[found.end() : end]
        is_open = OPENS.search(said_here) is not None  # what it opens is read to its last letter
        words = [said_here.strip().lstrip(MARKUP)] if is_open else [*map(trimmed, said_here.split(";"))]
        ahead = 0
        for said in filter(None, words):
            one = Answer(
                (found["battle"] or "").lower(), found["side"].lower(), int(found["place"]), said, depth,
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


def read_to_seal(text: str) -> Answer:
    """Return an answer that is to be sealed, all its words in one; UsageError if it is no whole answer."""
    line = plain_line(" ".join(text.split()))
    found = ADDRESS.match(line)
    words = trimmed(line[found.end() :]) if found else ""
    if found is None or not found["battle"] or not words or has_unfit(words):
        raise UsageError(f"{quoted(text)}: write the whole answer, as shrewsbury/percy@3: play KH rally")
    battle, side = found["battle"].lower(), found["side"].lower()
    return Answer(battle, side, int(found["place"]), words, 0, "", 0, 0, line)


def standing_in(file: str, text: str, side: str) -> list[tuple[str, Answer]]:
    """Return the standing orders in a text, each with where it stands: bare lines, or those of a message.

    Of a message those of one side count, and nothing else of it; bare lines after `#` are remarks.
    """
    sent = [one for one in answers_in(file, text) if one.is_standing and one.side == side]
    if sent:
        return [(STANDING.sub("", one.words, count=1), one) for one in sent]
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = plain_line(raw)
        bare = line.strip()
        if bare and not bare.startswith("#"):
            column = len(line) - len(line.lstrip()) + 1
            found.append((bare, Answer("", side, 0, bare, 0, file, number, column, line)))
    return found
