"""BBCode, for forums: bold, lists and sizes, which nearly every forum knows, and no table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.show.writers.posts import Marks, paragraphs_of

if TYPE_CHECKING:
    from cardbattle.show.document import Document

# Forums have no way to write a bracket that is none, and make links of what looks like one: letters of
# another width are shown in place of what acts.
ACTS = str.maketrans("[]", "［］")
LINK = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
WIDE = {":": "：", ".": "．"}


def escape_bbcode(text: str) -> str:
    """Return a line in which a forum finds neither tag nor link.

    >>> escape_bbcode("[b]York[/b] http://x www.y.org")
    '［b］York［/b］ http：//x www．y.org'
    """
    line = " ".join(clean(text).split()).translate(ACTS)
    return LINK.sub(lambda match: WIDE[match[0]], line)


MARKS = Marks(
    escape_bbcode,
    "[size=150][b]{}[/b][/size]",
    "[size=120][b]{}[/b][/size]",
    "[b]{}[/b]",
    "[b]{}[/b]",
    "[*]{}",
    "[i]{}[/i]",
    ("[list]",),
    ("[/list]",),
    "[code]",
    "[/code]",
)


def to_bbcode(document: Document) -> str:
    """Return a document as BBCode."""
    return "\n\n".join("\n".join(lines) for lines in paragraphs_of(document, MARKS)) + "\n"
