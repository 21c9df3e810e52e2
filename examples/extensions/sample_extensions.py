"""A sample commander and a sample output format; see docs/extending.md."""

from __future__ import annotations

import re

from cardbattle.plugin import Chance, Commander, Document, Rank, RuleSet, Seat, Writer, render


class Bold(Commander):
    """Always takes the last option, which in most games is the highest card."""

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int) -> None:
        self.chance = chance

    def answer(self, seat: Seat) -> int:
        """Return the index of the last option."""
        return seat.count - 1


BOLD = Rank("always takes the last option", Bold)


def write_wiki(document: Document, signs: bool) -> str:
    """Return a document as text for MediaWiki: Markdown with other headings."""
    markdown = render(document, "md", signs)
    return re.sub(r"(?m)^(#+) (.*)$", lambda match: heading(len(match[1]), match[2]), markdown)


def heading(level: int, text: str) -> str:
    """Return a heading of MediaWiki."""
    return f"{'=' * level} {text} {'=' * level}"


WIKI = Writer(write_wiki, ending=".wiki")
