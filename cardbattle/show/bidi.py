"""Handle right-to-left text in HTML.

Each right-to-left run of text is enclosed in <bdi>, so that it does not reorder the text around it.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
FROM_RIGHT_TO_LEFT = re.compile(f"[{LEFTWARD}]+(?: +[{LEFTWARD}]+)*")  # Hebrew, Arabic, and their like


def words_html(text: str) -> Markup:
    """Escape text for HTML and isolate its right-to-left runs. A `Markup` object is returned unchanged."""
    if isinstance(text, Markup) or text.isascii():
        return escape(text)
    return Markup(FROM_RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", str(escape(text))))


def words_text(text: str) -> str:
    """Isolate the right-to-left runs of plain text with Unicode's isolate characters."""
    return text if text.isascii() else FROM_RIGHT_TO_LEFT.sub("\u2068\\g<0>\u2069", text)
