"""Store the lines that an edit changed, so that an undo restores every byte.

A hunk is similar to a hunk of a unified diff. It contains the changed lines before and after the edit, the
line above and the line below. Hunks are applied like a patch. Each hunk goes to the matching position that is
nearest to its old position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from cardbattle.core.errors import Diagnostic
from cardbattle.files import reader
from cardbattle.files.reader import TableReader

HUNK_KEYS = dict.fromkeys(("line", "above", "before", "after", "below"))
REVISION_LINE = re.compile(r"revision[ \t]*=[ \t]*[0-9]+")
NUMBERED_LINE = re.compile(r"^(revision[ \t]*=[ \t]*)([0-9]+)(?=[ \t]*(?:#|\r?$))", re.MULTILINE)


class Hunk(NamedTuple):
    """Changed lines.

    Attributes:
        line: the number of the line, from 1, at which `after` begins in the new text.
        above: the line above, or an empty string at the beginning of the file.
        before: the lines before the edit, each with its line end.
        after: the lines after the edit.
        below: the line below, or an empty string at the end of the file.

    """

    line: int
    above: str
    before: str
    after: str
    below: str

    def table(self) -> dict[str, object]:
        """Return the hunk in the form of the ledger, without empty parts."""
        return {key: value for key, value in self._asdict().items() if value != ""}


def hunk_of(data: Mapping[str, object]) -> Hunk:
    """Return a hunk from the ledger's table. Raises ValueError for a wrong form."""
    mistakes: list[Diagnostic] = []
    table = TableReader(data, (), mistakes)
    table.only(HUNK_KEYS)
    texts = [table.take(key, reader.expect_text, "") for key in ("above", "before", "after", "below")]
    line = table.need("line", reader.expect_whole, 1)
    if mistakes:
        raise ValueError(str(mistakes[0]))
    return Hunk(line, *texts)


def hunks_between(old: str, new: str) -> list[Hunk]:
    r"""Return the hunks that turn one text into another, in order.

    >>> [hunk.table() for hunk in hunks_between("a = 1\nb = 2\n", "a = 1\nb = 3\n")]
    [{'line': 2, 'above': 'a = 1\n', 'before': 'b = 2\n', 'after': 'b = 3\n'}]
    """
    before, after = lines_of(old), lines_of(new)
    head = common_start(before, after)
    tail = common_start(before[head:][::-1], after[head:][::-1])
    matcher = SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail])
    return [
        Hunk(
            head + low + 1,
            "".join(after[head + low - 1 : head + low]) if head + low else "",
            "".join(before[head + start : head + stop]),
            "".join(after[head + low : head + high]),
            "".join(after[head + high : head + high + 1]),
        )
        for tag, start, stop, low, high in matcher.get_opcodes()
        if tag != "equal"
    ]


def with_revision(text: str, revision: int) -> str | None:
    r"""Return a text after changing the number in its line `revision = ...`.

    Returns None if the text has no such line.

    >>> with_revision("turn = 1\nrevision = 4 # by the program\n", 5)
    'turn = 1\nrevision = 5 # by the program\n'
    """
    match = NUMBERED_LINE.search(text)
    return f"{text[: match.end(1)]}{revision}{text[match.end(2) :]}" if match else None


def same_revision_line(old: str, new: str) -> str:
    r"""Return the old text with the line `revision = ...` of the new text.

    The result is empty if one of the texts has no such line.

    >>> same_revision_line("turn = 1\nrevision = 4\n", "turn = 2\nrevision = 5\n")
    'turn = 1\nrevision = 5\n'
    """
    before, after = lines_of(old), lines_of(new)
    places = [
        next((place for place, line in enumerate(lines) if REVISION_LINE.match(line)), None)
        for lines in (before, after)
    ]
    if places[0] is None or places[1] is None:
        return ""
    before[places[0]] = after[places[1]]
    return "".join(before)


def reverse_hunks(hunks: Iterable[Hunk]) -> list[Hunk]:
    """Return the hunks that turn the new text back into the old text, in reverse order."""
    return [hunk._replace(before=hunk.after, after=hunk.before) for hunk in reversed(list(hunks))]


def apply_hunks(text: str, hunks: Iterable[Hunk]) -> str | None:
    """Return the text after these hunks, or None if their lines have changed."""
    lines = lines_of(text)
    for hunk in hunks:
        before = lines_of(hunk.before)
        place = nearest_place(lines, before, hunk)
        if place is None:
            return None
        lines[place : place + len(before)] = lines_of(hunk.after)
    return "".join(lines)


def nearest_place(lines: list[str], before: list[str], hunk: Hunk) -> int | None:
    """Return the index at which a hunk applies and which is nearest to its old position.

    Returns None if the hunk applies nowhere.
    """
    last = len(lines) - len(before)
    for place in outward(hunk.line - 1, last):
        if lines[place : place + len(before)] == before and fits(lines, place, len(before), hunk):
            return place
    return None


def outward(start: int, last: int) -> Iterator[int]:
    """Yield the indices from 0 to `last`. Those nearest to `start` come first.

    >>> list(outward(1, 4))
    [1, 0, 2, 3, 4]
    """
    yield from (start,) if 0 <= start <= last else ()
    for distance in range(1, max(start, last - start) + 1):
        yield from (start - distance,) if 0 <= start - distance <= last else ()
        yield from (start + distance,) if 0 <= start + distance <= last else ()


def fits(lines: Sequence[str], place: int, length: int, hunk: Hunk) -> bool:
    above = lines[place - 1] if place else ""
    below = lines[place + length] if place + length < len(lines) else ""
    return is_alike(above, hunk.above) and is_alike(below, hunk.below)


def is_alike(line: str, other_line: str) -> bool:
    """Return True if two lines are equal, or both are the line of the revision.

    The number of the revision changes with every command.
    """
    return line == other_line or bool(REVISION_LINE.match(line) and REVISION_LINE.match(other_line))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their line ends."""
    return text.splitlines(keepends=True)


def common_start(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the number of equal lines at the beginning of two texts."""
    count = 0
    for line, other_line in zip(first, second, strict=False):
        if line != other_line:
            break
        count += 1
    return count
