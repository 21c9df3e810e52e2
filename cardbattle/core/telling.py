"""Describe a battle in blocks of plain text with marked cards and names, without layout.

A rule set turns events into blocks; `show` turns blocks into a terminal, a page or plain text. A tale
receives only events filtered for its reader, so it cannot reveal more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from string import Formatter
from typing import NamedTuple, Protocol

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.grammar import choose_form

BRIEF, STORY, TALE, AUDIT = 0, 1, 2, 3
AFTERWARDS, DURING, AT_TABLE = 0, 1, 2  # the moment at which a tale is read
ENGLISH = "en"  # the language of everything that has no translation
DETAILS = {"brief": BRIEF, "story": STORY, "log": TALE, "tale": TALE, "audit": AUDIT}


class Card(NamedTuple):
    """A card in a sentence, in the ASCII form of records."""

    text: str


class Name(NamedTuple):
    """A side in a sentence, by seat."""

    seat: int


class Inflection(NamedTuple):
    """A singular and a plural form, such as `wins|win`; the one that agrees with a side's name is printed."""

    seat: int
    forms: str  # singular and plural, with a bar between them


class Points(int):
    """A number of points in a story; if one of a sentence has three digits, all of them are in digits."""


Part = str | Card | Name | Inflection
Parts = list[Part]


class Heading(NamedTuple):
    """The title of a section of the battle, with a short remark such as the running score."""

    parts: Parts
    remark: Parts = []


class Line(NamedTuple):
    """One sentence, with the number of the rule behind it.

    It is shown from level `detail` up to level `most`. A summary is omitted at levels that print every step.
    """

    parts: Parts
    rule: str
    detail: int = TALE
    most: int = AUDIT


class Grid(NamedTuple):
    """A table of cells: `head` labels the columns, and each row begins with its label.

    A grid repeats what the lines say, so formats without tables leave it out.
    """

    head: list[Parts]
    rows: list[list[Parts]]
    detail: int = TALE


Block = Heading | Line | Grid


def skip_empty_sections(shown: Sequence[tuple[int, Block]]) -> list[tuple[int, Block]]:
    """Return numbered blocks without the headings of empty sections."""
    following = [*[block for _, block in shown[1:]], None][: len(shown)]
    return [pair for pair, after in zip(shown, following, strict=True) if fills_section(pair[1], after)]


def is_shown(block: Block, detail: int) -> bool:
    """Return True if a block belongs to this level of detail."""
    if isinstance(block, Line):
        return block.detail <= detail <= block.most
    return isinstance(block, Heading) or block.detail <= detail


def fills_section(block: Block, after: Block | None) -> bool:
    """Return True unless the block is a heading of an empty section."""
    return not isinstance(block, Heading) or (after is not None and not isinstance(after, Heading))


FactValue = Name | Card | int | str | Fraction | Sequence[Name] | Sequence[Card] | Sequence[int]


class Fact(NamedTuple):
    """One statement in a story.

    Attributes:
        kind: name of its phrases, such as "swap_leads".
        fields: values for the phrase: sides, cards, whole numbers, shares, and words such as a place.

    """

    kind: str
    fields: Mapping[str, FactValue]


def conditions(**holds: bool) -> dict[str, FactValue]:
    """Return a field for each condition that holds, for phrases that are used `{only.if}` it does.

    >>> conditions(again=True, late=False)
    {'again': True}
    """
    return {name: True for name, is_true in holds.items() if is_true}


def standing(scores: Sequence[int], side: int) -> dict[str, FactValue]:
    """Return the scores of two sides in fields that name the leader, seen from a side.

    >>> standing([3, 2], 0), standing([3, 2], 1), standing([2, 2], 0)
    ({'lead': 3, 'behind': 2}, {'trail': 2, 'ahead': 3}, {'even': 2})
    """
    mine, other = Points(scores[side]), Points(scores[1 - side])
    if mine == other:
        return {"even": mine}
    return {"lead": mine, "behind": other} if mine > other else {"trail": mine, "ahead": other}


class Episode(NamedTuple):
    """Consecutive events of a battle that a story tells together, at length or in one sentence.

    Attributes:
        facts: the episode at length, a sentence for each fact.
        short: the episode in one sentence.
        winners: the seats that gained something; empty if no side did.
        scores: the score of each seat after it.
        first, last: indices of its events in the list of events.
        weight: how remarkable it is, 0 to 100; an estimate of the rule set, without simulation.
        is_plain: nothing out of the ordinary happened; several in a row for the same side share a sentence.
        before: the score of each seat just before it, if that is not the score after the previous episode.

    """

    facts: Sequence[Fact]
    short: Fact
    winners: Sequence[int]
    scores: Sequence[int]
    first: int
    last: int
    weight: int
    is_plain: bool = False
    before: Sequence[int] = ()


class Plot(NamedTuple):
    """The material for a story of one battle, in order.

    Attributes:
        opening: what was known before the first move.
        episodes: the battle.
        ending: the result.
        summary: returns several episodes, given the indices of the first and the last, as one fact; without
            it, the number won by each side is such a fact.

    """

    opening: Sequence[Fact]
    episodes: Sequence[Episode]
    ending: Sequence[Fact]
    summary: Callable[[int, int], Fact] | None = None


def fill_template(template: str, fields: Mapping[str, Part | Sequence[Part]]) -> Parts:
    """Fill the named fields of a template; the elements of a list are separated by spaces.

    `{side:plays|play}` is the form that agrees with the name in the field `side`.

    >>> fill_template("{side} {side:plays|play} {cards}.", {"side": Name(0), "cards": [Card("KS")]})
    [Name(seat=0), ' ', Inflection(seat=0, forms='plays|play'), ' ', Card(text='KS'), '.']
    """
    parts: Parts = []
    for text, field, forms in pieces_of_template(template):
        if text:
            parts.append(text)
        if field is None:
            continue
        value = fields[field]
        if forms:
            parts.append(agreeing_with(value, forms))
        elif isinstance(value, list):
            parts.extend(set_apart(value))
        else:
            parts.append(value)  # type: ignore[arg-type]
    return parts


@cache
def pieces_of_template(template: str) -> list[tuple[str, str | None, str]]:
    """Split a template into (text, following field or None at the end, its two forms or "")."""
    return [(text, field, forms or "") for text, field, forms, _ in Formatter().parse(template)]


def agreeing_with(value: Part | Sequence[Part], forms: str) -> Part:
    """Return the form that agrees with a field: plural for several sides, singular for other text.

    >>> agreeing_with([Name(0)], "is|are"), agreeing_with([Name(0), " and ", Name(1)], "is|are")
    (Inflection(seat=0, forms='is|are'), 'are')
    """
    parts = value if isinstance(value, list) else [value]
    seats = [part.seat for part in parts if isinstance(part, Name)]
    if len(seats) == 1:
        return Inflection(seats[0], forms)
    return choose_form(forms, plural=len(seats) > 1)


def clause(seat: int, forms: str, *parts: Part) -> Parts:
    """Return a side's name, a verb that agrees with it, and the rest of the sentence.

    >>> clause(1, "holds|hold", " space 3.")
    [Name(seat=1), ' ', Inflection(seat=1, forms='holds|hold'), ' space 3.']
    """
    return [Name(seat), " ", Inflection(seat, forms), *parts]


def set_apart(items: Sequence[Part]) -> Parts:
    """Join the items with spaces, except before punctuation or after a space.

    >>> set_apart(["the", Card("KS"), ", ", Name(0), " and ", Name(1)])
    ['the', ' ', Card(text='KS'), ', ', Name(seat=0), ' and ', Name(seat=1)]
    """
    parts: Parts = []
    for item in items:
        before = parts[-1] if parts else " "
        is_apart = isinstance(before, str) and before.endswith(" ")
        if not is_apart and not (isinstance(item, str) and item.startswith((" ", ",", ".", ";", ":", ")"))):
            parts.append(" ")
        parts.append(item)
    return parts


def spaced(items: Sequence[Part], between: str = " ") -> Parts:
    """Join the items with a space, or another separator."""
    parts: Parts = []
    for item in items:
        if parts:
            parts.append(between)
        parts.append(item)
    return parts


def counted(n: int, word: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "card"), counted(2, "card")
    ('1 card', '2 cards')
    """
    return f"{n} {word if n == 1 else plural or word + 's'}"


class Facts(Protocol):
    """A rule set, which knows the kind of each event field."""

    def part(self, name: str, value: object) -> Part | Parts:
        """Return an event's field as part of a sentence."""


def number(event: Event, name: str) -> int:
    """Return an event's field that is a whole number."""
    value = event.fields[name]
    assert isinstance(value, int)
    return value


def numbers(event: Event, name: str) -> list[int]:
    """Return an event's field that is a list of whole numbers."""
    value = event.fields[name]
    assert isinstance(value, list)
    return value


class Words(NamedTuple):
    """The templates for one kind of event: rule, detail, sentence, sentence without hidden fields."""

    rule: str
    detail: int
    text: str
    veiled: str = ""


class Tale:
    """Turns the events of one battle, in order, into blocks.

    A rule set fills `words`, and adds a method `on_<kind>` for events that need more than one sentence; such
    a method can remember earlier events. `viewer` is the reader's seat, or NOBODY for the public.

    `pace` is the moment of reading: AFTERWARDS; DURING the battle, between a player's answers; or AT_TABLE,
    card by card. AT_TABLE omits totals and the position, which the screen shows beside the tale.
    """

    words: Mapping[str, Words] = {}
    pace = AFTERWARDS
    viewer = NOBODY

    def __init__(self, rules: Facts, sides: int) -> None:
        self.rules = rules
        self.sides = sides

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.sides} sides>"

    def describe(self, event: Event) -> list[Block]:
        """Return the blocks that describe an event."""
        special = getattr(self, f"on_{event.kind}", None)
        if special is not None:
            blocks: list[Block] = special(event)
            return blocks
        return [self.line(event)]

    def line(self, event: Event, **more: Part | Parts) -> Line:
        """Return the event's sentence from `words`."""
        template = self.words[event.kind]
        fields = self.parts_of(event) | more
        needed = {field for _, field, _ in pieces_of_template(template.text) if field}
        text = template.text if needed <= fields.keys() or not template.veiled else template.veiled
        return Line(fill_template(text, fields), template.rule, template.detail)

    def parts_of(self, event: Event) -> dict[str, Part | Parts]:
        """Return the event's fields and its side in the form of parts of a sentence."""
        fields: dict[str, Part | Parts] = {}
        if event.side != NOBODY:
            fields["side"] = Name(event.side)
        for name, value in event.fields.items():
            fields[name] = self.rules.part(name, value)
        return fields
