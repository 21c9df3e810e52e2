"""Discord: messages of under 2 000 characters, each to be pasted by itself, without tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.show.battle_text import LONGEST_POST, post_length
from cardbattle.show.writers.posts import Marks, paragraphs_of

if TYPE_CHECKING:
    from cardbattle.show.document import Document

ACTS = re.compile(r"[\\`*_\[\]<>|~#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
BEGINS = re.compile(r"[-+]|\d+[.)]")
AT = "＠"  # a sign that calls nobody


def escape_discord(text: str) -> str:
    r"""Return a line in which Discord finds no mark, mention, emoji or link.

    >>> print(escape_discord("*York* @everyone :skull: - 1. <@7>"))
    \*York\* ＠everyone \:skull: - 1. \<＠7\>
    """
    line = ACTS.sub(lambda match: "\\" + match[0], " ".join(clean(text).split())).replace("@", AT)
    begin = BEGINS.match(line)
    return f"{line[: begin.end() - 1]}\\{line[begin.end() - 1 :]}" if begin else line


MARKS = Marks(escape_discord, "# {}", "## {}", "### {}", "**{}**", "- {}", "  - {}", (), (), "```{}", "```")


def to_discord(document: Document) -> str:
    """Return a document as messages; if there are several, with a line before each that is not pasted."""
    found = messages(paragraphs_of(document, MARKS))
    if len(found) == 1:
        return f"{found[0]}\n"
    return "\n".join(
        f"------ message {number} of {len(found)} ------\n{text}\n" for number, text in enumerate(found, 1)
    )


def messages(paragraphs: Sequence[Sequence[str]]) -> list[str]:
    """Return paragraphs as messages of at most 1900 characters, as Discord counts them.

    A paragraph stays whole if it can, a heading with what follows it.
    """
    found = [""]
    for part in parts_of(paragraphs):
        for piece in [part] if post_length([part]) <= LONGEST_POST else pieces(part.split("\n")):
            joined = f"{found[-1]}\n{piece}" if found[-1] else piece
            if post_length([joined]) <= LONGEST_POST:
                found[-1] = joined
            else:
                found.append(piece)
    return found


def parts_of(paragraphs: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield paragraphs as texts, headings together with what follows them."""
    waiting: list[str] = []
    for lines in paragraphs:
        waiting += lines
        if not lines[0].startswith("#"):
            yield "\n".join(waiting)
            waiting = []
    if waiting:
        yield "\n".join(waiting)


def pieces(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines that are too long for a message in as few pieces as fit, a stretch of code in several."""
    piece, fence = "", ""
    for line in (short for long in lines for short in broken(long)):
        end = ["```"] if fence and line != "```" else []
        if piece and post_length([piece, line, *end]) > LONGEST_POST:
            yield f"{piece}\n```" if fence else piece
            piece = fence
        piece = f"{piece}\n{line}" if piece else line
        if line.startswith("```"):
            fence = "" if fence else line
    yield piece


def broken(line: str) -> Iterator[str]:
    """Yield a line as stretches that fit into a message, broken between words where there are any."""
    room = LONGEST_POST // 2
    while post_length([line]) > room:
        cut = line.rfind(" ", 1, room)
        cut = cut if cut > 0 else room - line[:room].endswith("\\")
        yield line[:cut]
        line = line[cut:].lstrip(" ")
    yield line
