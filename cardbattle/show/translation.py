"""Translate the fixed texts of a document: headings, column headings, and sentences that contain names.

The file `catalogue.toml` of a language maps English texts to translations. A key with fields, such as `"Turn
{n}"`, matches all texts of this form. In the field `names`, the last "and" is translated too. If a text has
no translation, it stays English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from string import Formatter

from cardbattle.core.telling import ENGLISH
from cardbattle.show.document import (
    Bar,
    Cell,
    Content,
    Document,
    Item,
    Items,
    Pair,
    Paragraph,
    Section,
    Span,
    Table,
    Title,
    Word,
    Words,
)
from cardbattle.story.language import read_table

CATALOGUE = "catalogue"
NAMES, AND = "names", " and "  # the field with a list of names, and the conjunction before the last name


def translated(document: Document, lang: str) -> Document:
    """Return a document in another language. Its JSON output, file name and links do not change."""
    if lang == ENGLISH:
        return document
    catalogue = catalogue_of(lang)
    return document._replace(blocks=[catalogue.block(block) for block in document.blocks])


@cache
def catalogue_of(lang: str) -> Catalogue:
    """Return the catalogue of a language."""
    return Catalogue(read_table(lang, CATALOGUE))


class Catalogue:
    """The translations of a language by their English texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = {key: text for key, text in texts.items() if "{" not in key}
        patterns = [(key, text) for key, text in texts.items() if "{" in key]
        longest_first = sorted(patterns, key=lambda pair: -len(literal(pair[0])))
        self.patterns = [(pattern_of(key), text) for key, text in longest_first]

    def __repr__(self) -> str:
        return f"<Catalogue of {len(self.texts) + len(self.patterns)} texts>"

    def text(self, text: str) -> str:
        """Return the translation of a text, or the text itself if it has no translation."""
        if text in self.texts:
            return self.texts[text]
        for pattern, translation in self.patterns:
            if match := pattern.fullmatch(text):
                fields = {
                    name: self.names(value) if name == NAMES else self.text(value)
                    for name, value in match.groupdict().items()
                }
                return translation.format(**fields)
        return text

    def names(self, text: str) -> str:
        """Return a list of names, joined with the conjunction of the language."""
        return self.text(AND).join(text.rsplit(AND, 1)) if AND in text else self.text(text)

    def block(self, block: Content) -> Content:
        """Return a block with its texts translated."""
        if isinstance(block, Paragraph) and block.is_verbatim:
            return block
        if isinstance(block, Title | Section | Paragraph):
            return block._replace(words=self.words(block.words))
        if isinstance(block, Table):
            rows = [[self.cell(cell) for cell in row] for row in block.rows]
            return block._replace(head=[self.text(head) for head in block.head], rows=rows)
        if isinstance(block, Items):
            return block._replace(items=[self.item(item) for item in block.items])
        return block

    def item(self, item: Item) -> Item:
        notes = [self.text(note) for note in item.notes]
        return Item(item.about, self.words(item.words), notes)

    def cell(self, cell: Cell) -> Cell:
        if isinstance(cell, Bar):
            return cell
        if isinstance(cell, Pair):
            return Pair(self.text(cell.main), self.text(cell.aside))
        return self.words(cell)

    def words(self, words: Words) -> Words:
        if isinstance(words, Sequence) and not isinstance(words, str | tuple):
            return [self.word(word) for word in words]
        return self.word(words)  # type: ignore[arg-type]

    def word(self, word: Word) -> Word:
        if isinstance(word, str):
            return self.text(word)
        return word._replace(text=self.text(word.text)) if isinstance(word, Span) else word


def literal(key: str) -> str:
    """Return the key of a translation without its fields."""
    return "".join(text for text, _, _, _ in Formatter().parse(key))


def pattern_of(key: str) -> re.Pattern[str]:
    """Return a pattern that matches the texts of a key with fields. The field `n` matches a number.

    >>> pattern_of("Turn {n}: {when}").fullmatch("Turn 3: Michaelmas").groupdict()
    {'n': '3', 'when': 'Michaelmas'}
    """
    parts = []
    for text, field, _, _ in Formatter().parse(key):
        parts.append(re.escape(text))
        if field is not None:
            parts.append(f"(?P<{field}>{r'[0-9]+' if field == 'n' else '.+?'})")
    return re.compile("".join(parts), re.DOTALL)
