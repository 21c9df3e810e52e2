"""For chats and forums: what is to be copied as it is stands in a frame, in which nothing acts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.show.document import Listing
from cardbattle.show.writers.plain import to_plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardbattle.show.document import Document

FENCE = "```"
CODE, END = "[code]", "[/code]"
TAG = re.compile(r"\[(?=\s*/?\s*\w)")
ACTING = re.compile(r"[*_~|`<>@]")


def frame_for_chat(document: Document) -> str:
    """Return a document for a chat that knows Markdown: listings are code, and nothing else is marked up."""
    return frame(document, FENCE, FENCE, lambda line: line.replace("`", "'"), escape_chat)


def frame_for_forum(document: Document) -> str:
    """Return a document for a forum that knows BBCode: listings are code, and nothing else is marked up."""
    return frame(document, CODE, END, without_tags, without_tags)


def frame(
    document: Document, opens: str, closes: str, inside: Callable[[str], str], outside: Callable[[str], str]
) -> str:
    """Return a document as text, its listings in a frame; lines in and out of it are made harmless."""
    texts: list[str] = []
    for block in document.blocks:
        if isinstance(block, Listing):
            texts += [opens, *(inside(clean(line)) for line in block.lines), closes]
        else:
            told = to_plain(document._replace(blocks=[block]))
            texts += map(outside, told.splitlines())
    return "".join(f"{line}\n" for line in texts)


def escape_chat(line: str) -> str:
    r"""Return a line in which nothing is marked up.

    >>> print(escape_chat("**you** and _me_"))
    \*\*you\*\* and \_me\_
    """
    return ACTING.sub(lambda match: f"\\{match[0]}", line)


def without_tags(line: str) -> str:
    """Return a line in which no bracket begins a tag.

    >>> without_tags("[/code][b]x[/b] [ 1 ]")
    '(/code](b]x(/b] ( 1 ]'
    """
    return TAG.sub("(", line)
