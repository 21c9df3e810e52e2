"""Words in HTML among which some are read from right to left.

Every stretch of those stands apart, so that it moves nothing beside it: in a sentence, a link, a heading or a
legend, so that a name in two writing directions is read alike everywhere.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
FROM_RIGHT_TO_LEFT = re.compile(f"[{LEFTWARD}]+(?: +[{LEFTWARD}]+)*")  # Hebrew, Arabic, and their like


def words_html(text: str) -> Markup:
    """Return words in HTML, every stretch apart that is read from right to left.

    What is HTML already stays as it is.
    """
    if isinstance(text, Markup) or text.isascii():
        return escape(text)
    return Markup(FROM_RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", str(escape(text))))
