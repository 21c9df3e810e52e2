"""Translate the fixed texts of a document: headings, column headings, and sentences that contain names.

The file `catalogue.toml` of a language maps English texts to translations. A key with fields, such as `"Turn
{n}"`, matches all texts of this form. In a list of names that the document knows, and in the field `names`,
the last "and" is translated too. If a text has no translation, it stays English.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import cache
from string import Formatter

from cardbattle.core.grammar import is_plural, mid_sentence
from cardbattle.core.names import clean
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
from cardbattle.show.svg.bracket_shape import Bracket, BracketColumn
from cardbattle.story.language import Language, language, read_table

CATALOGUE = "catalogue"
NO_LIST = re.compile("(?!)")  # matches no text
# one clause, perhaps with an abbreviation such as "St." and a remark in brackets
CLAUSE = r"(?:[^;(.]|\.(?! )|(?<!\w\w\w)\.(?= )|(?<!\. )\([^()]*\))+?"
FIELDS = {
    "n": "[0-9]+",
    "count": "[0-9a-z-]+",
    "text": ".+?",
}  # all others match a clause, or a share
SHARES = ("share", "cost", "loss")  # the fields with a share, such as "about half"
ROUNDED = ("about", "little_less", "little_more")  # the words of a language for rounded shares
WHOLE = ("everything", "nothing")
NAMES, AND = "names", " and "  # the field with a list of names, and the conjunction before the last name
AND_OF_LISTS = ", and "  # the conjunction if one of the names has an "and"
WE = ("We", "we")  # the faction that speaks


def translated(document: Document, lang: str) -> Document:
    """Return a document in another language. Its JSON output, file name and links do not change."""
    if lang == ENGLISH:
        return document
    known = [name for names in document.subjects.values() for name in names]
    catalogue = catalogue_of(lang).knowing(known)
    return document._replace(blocks=[catalogue.block(block) for block in document.blocks])


@cache
def catalogue_of(lang: str) -> Catalogue:
    """Return a language's catalogue. Raises UsageError if the language is unknown."""
    return Catalogue({**share_texts(lang), **read_table(language(lang).code, CATALOGUE)}, language(lang))


def share_texts(lang: str) -> dict[str, str]:
    """Return the translations of the shares that a story names, such as "about half"."""
    english, other = (language(code).words for code in (ENGLISH, lang))
    named = {text: other["shares"][share] for share, text in english["shares"].items() if share != "1"}
    return named | {english[name]: other[name] for name in (*ROUNDED, "hardly_any", "nearly_all")}


class NameField(str):
    """The value of a field. `{place:acc}` prints each name in it with its article in a grammatical case."""

    catalogue: Catalogue

    @classmethod
    def of(cls, text: str, catalogue: Catalogue) -> NameField:
        field = cls(text)
        field.catalogue = catalogue
        return field

    def __format__(self, case: str) -> str:
        return self.catalogue.in_case(str(self), case) if case else str(self)


class Catalogue:
    """The translations of a language by their English texts."""

    def __init__(self, texts: Mapping[str, str], vocabulary: Language) -> None:
        self.words_of_language = vocabulary
        self.texts = {key: text for key, text in texts.items() if "{" not in key}
        patterns = [(key, text) for key, text in texts.items() if "{" in key]
        longest_first = sorted(patterns, key=lambda pair: -len(literal(pair[0])))
        self.patterns = [(pattern_of(key), text) for key, text in longest_first]
        self.known: frozenset[str] = frozenset()
        self.plurals: frozenset[str] = frozenset()
        self.known_list = self.known_name = NO_LIST

    def knowing(self, names: Collection[str]) -> Catalogue:
        """Return the catalogue for a document with these names. A name keeps its own "and"."""
        catalogue = copy(self)
        catalogue.known = frozenset(form for name in map(clean, names) for form in (name, mid_sentence(name)))
        catalogue.plurals = frozenset(clean(name).casefold() for name in names if is_plural(name))
        catalogue.known_list = list_pattern_of(catalogue.known)
        catalogue.known_name = name_pattern_of(catalogue.known)
        return catalogue

    def text(self, text: str) -> str:
        """Return the translation of a text, or the text itself if it has no translation."""
        if text in self.texts:
            return self.texts[text]
        for pattern, translation in self.patterns:
            if match := pattern.fullmatch(text):
                fields = {
                    name: self.field(self.names(value) if name == NAMES else self.text(value))
                    for name, value in match.groupdict().items()
                }
                return self.filled(translation, fields)
        return self.known_names(text)

    def filled(self, translation: str, fields: Mapping[str, NameField]) -> str:
        """Return a translation with its fields, and contractions such as "zum" before names in a case."""
        text = ""
        for literal, field, case, _ in Formatter().parse(translation):
            text += literal
            value = format(fields[field], case or "") if field else ""
            text = "".join(self.words_of_language.contracted(text, value)) if case else f"{text}{value}"
        return text

    def field(self, value: str) -> NameField:
        return NameField.of(value, self)

    def in_case(self, text: str, case: str) -> str:
        """Return a text whose names are in a grammatical case. A text without a known name counts as one."""
        if not self.known_name.search(text):
            return self.words_of_language.in_case(text, case, plural=False)
        return self.known_name.sub(
            lambda name: self.words_of_language.in_case(name[0], case, name[0].casefold() in self.plurals),
            text,
        )

    def known_names(self, text: str) -> str:
        """Return a list of names that the document knows, joined with the conjunction of the language."""
        match = self.known_list.fullmatch(text)
        if not match:
            return text
        return f"{match['names']}{self.texts.get(AND, AND)}{self.field(match['last']):nom}"

    def names(self, text: str) -> str:
        """Return a list of names, joined with the conjunction of the language. A name can be a list too."""
        joined = self.text(text)
        if joined != text or text in self.known:
            return joined
        link = AND_OF_LISTS if AND_OF_LISTS in text else AND
        first, found, last = text.rpartition(link)
        names = [self.texts[name] if name in WE else self.known_names(name) for name in first.split(", ")]
        return f"{', '.join(names)}{self.text(link)}{self.known_names(last)}" if found else text

    def block(self, block: Content) -> Content:
        if isinstance(block, Paragraph) and block.is_verbatim:
            return block
        if isinstance(block, Title | Section | Paragraph):
            return block._replace(words=self.words(block.words))
        if isinstance(block, Table):
            rows = [[self.cell(cell) for cell in row] for row in block.rows]
            return block._replace(head=[self.text(head) for head in block.head], rows=rows)
        if isinstance(block, Items):
            return block._replace(items=[self.item(item) for item in block.items])
        if isinstance(block, Bracket):
            return block._replace(
                columns=[self.column(column) for column in block.columns], label=self.text(block.label)
            )
        return block

    def column(self, column: BracketColumn) -> BracketColumn:
        entries = [entry._replace(mark=self.text(entry.mark)) for entry in column.entries]
        return BracketColumn(self.text(column.name), entries)

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


def name_pattern_of(names: Collection[str]) -> re.Pattern[str]:
    """Return a pattern that finds these names, with their article in upper or lower case."""
    if not names:
        return NO_LIST
    name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{name})(?!\w)", re.IGNORECASE)


def list_pattern_of(names: Collection[str]) -> re.Pattern[str]:
    """Return a pattern that matches a list of two or more of these names with "and" before the last.

    >>> list_pattern_of(["Smith and Sons", "Kent"]).fullmatch("Smith and Sons and Kent").groupdict()
    {'names': 'Smith and Sons', 'last': 'Kent'}
    """
    if not names:
        return NO_LIST
    name = f"(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})"
    return re.compile(f"(?P<names>{name}(?:, {name})*),?{AND}(?P<last>{name})")


@cache
def share_pattern() -> str:
    """Return a pattern that matches the English phrase for any share."""
    texts = share_texts(ENGLISH)
    rounded = [text.removesuffix("{share}") for text in texts if "{share}" in text]
    exact = [*WHOLE, *(text for text in texts if "{share}" not in text)]
    return f"(?:{'|'.join(rounded)})?(?:{'|'.join(exact)})"


def literal(key: str) -> str:
    """Return the key of a translation without its fields."""
    return "".join(text for text, _, _, _ in Formatter().parse(key))


def pattern_of(key: str) -> re.Pattern[str]:
    """Return a pattern that matches the texts of a key with fields.

    The field `n` matches a number, `share`, `cost` and `loss` a share such as "about half", and `text` any
    text. All other fields match a clause, without a semicolon outside brackets. The key of a heading does not
    match a sentence.

    >>> pattern_of("Turn {n}: {when}").fullmatch("Turn 3: Michaelmas").groupdict()
    {'n': '3', 'when': 'Michaelmas'}
    """
    parts = []
    for text, field, _, _ in Formatter().parse(key):
        parts.append(re.escape(text))
        if field is not None:
            parts.append(f"(?P<{field}>{share_pattern() if field in SHARES else FIELDS.get(field, CLAUSE)})")
    return re.compile("".join(parts) + (r"(?<!\.)" if key.endswith("}") else ""))
