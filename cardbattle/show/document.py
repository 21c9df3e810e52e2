"""What a page says, in whatever format it will be written: a title and one block after another.

A page builds a document out of what was counted, fought or kept; it knows no format. A writer turns
any document into one format; it knows no page. Where a format of one fact a line says a thing in
other words than a table does, the block holds those words beside it, as its `facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

from cardbattle.core.telling import Card

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report

STRONG, FAINT = "strong", "faint"
NO_TINT = -1


class Span(NamedTuple):
    """Words with a stress (STRONG or FAINT), or in the colour of a faction or side, counted from 0."""

    text: str
    stress: str = ""
    tint: int = NO_TINT


class Side(NamedTuple):
    """A side by its name; where a screen has not the letters for that, by its key."""

    name: str
    key: str


class Bar(NamedTuple):
    """A bar so many columns long; `is_trace` marks one that is too short to be drawn, yet not nothing.

    `mark` is what it is drawn with where the letters allow.
    """

    length: int
    is_trace: bool = False
    mark: str = "█"
    tint: int = NO_TINT


class Pair(NamedTuple):
    """A cell of two columns under one head: the main thing, and what stands beside it."""

    main: str
    aside: str


Word = str | Span | Side | Card
Words = Word | Sequence[Word]
Cell = Words | Bar | Pair


class Title(NamedTuple):
    """What the whole document is about."""

    words: Words


class Section(NamedTuple):
    """The title of what follows; without `facts` a format of one fact a line has it under an empty line."""

    words: Words
    facts: Sequence[str] | None = None


class Paragraph(NamedTuple):
    """A sentence or several; `facts` say it line by line."""

    words: Words
    stress: str = ""
    facts: Sequence[str] | None = None


class Item(NamedTuple):
    """One thing of a list: what it is, what is said of it, and what is to be remarked."""

    about: str
    words: Words
    notes: Sequence[str] = ()


S = TypeVar("S")
T = TypeVar("T")


class Repeatable(Generic[T]):
    """Many things that are made again each time they are iterated over, so that memory need not hold them."""

    def __init__(self, make: Callable[[], Iterable[T]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[T]:
        return iter(self.make())

    def __repr__(self) -> str:
        return "<Repeatable>"


class Computed(Sequence[T]):
    """A sequence made of another, each value when it is asked for, so that memory need not hold them."""

    def __init__(self, source: Sequence[S], make: Callable[[S], T]) -> None:
        self.source: Sequence[Any] = source
        self.make: Callable[[Any], T] = make

    def __repr__(self) -> str:
        return f"<Computed: {len(self)} values>"

    def __len__(self) -> int:
        return len(self.source)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self.make(value) for value in self.source[index]]
        return self.make(self.source[index])

    def __iter__(self) -> Iterator[T]:
        return map(self.make, self.source)


class Items(NamedTuple):
    """A list. `lead` says how its items begin: KEYED by an id, NUMBERED, CODED by a few letters, or BARE.

    Items and facts can be `Repeatable` where there may be very many.
    """

    items: Iterable[Item]
    lead: str = "bare"
    facts: Iterable[str] | None = None


KEYED, NUMBERED, CODED, BARE = "keyed", "numbered", "coded", "bare"


class Table(NamedTuple):
    """A table; the columns numbered in `right`, from 0, stand to the right, as numbers do.

    `is_list` lets it become a list on a narrow screen: its first column are names, the rest words.
    `to_fill` is a table on whose empty cells people write. `labels` columns, from the first, tell its rows
    apart: where it folds, it goes on with these again.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    right: Sequence[int] = ()
    facts: Iterable[str] | None = None
    is_list: bool = False
    to_fill: bool = False
    labels: int = 1


class Curve(NamedTuple):
    """One line of a chart: whose it is, and a share from 0 to 1 after each of its moves."""

    side: Side
    points: Sequence[tuple[int, float]]


class Chart(NamedTuple):
    """Shares that change from move to move; `marks` are moves worth a look, each with why."""

    curves: Sequence[Curve]
    label: str
    facts: Sequence[str] | None = None
    marks: Sequence[tuple[int, str]] = ()


class BattleReport(NamedTuple):
    """A battle told, so much of it as this detail shows; `span` keeps the events between two moves."""

    report: Report
    detail: int
    span: tuple[int, int] | None = None


class Listing(NamedTuple):
    """Lines to be copied as they are."""

    lines: Sequence[str]
    language: str = "toml"


class Book(NamedTuple):
    """A text that is written in Markdown, as the rules are."""

    text: str


Content = Title | Section | Paragraph | Items | Table | Chart | BattleReport | Listing | Book


class Numbers(NamedTuple):
    """What a spreadsheet gets: numbers as numbers."""

    columns: Iterable[str]
    rows: Iterable[Mapping[str, object]]


class Document(NamedTuple):
    """A page: its name, its blocks, what JSON says of it, and its numbers for a spreadsheet if it has any.

    `subjects` are the names of what it is about, by kind, for a format that links them. One that `is_sent`
    has messages for its listings, each to be sent as it stands. `drawn` is the key of the rule set whose
    cards are drawn where it names them.
    """

    name: str
    blocks: Sequence[Content]
    json: Mapping[str, object]
    numbers: Numbers | None = None
    subjects: Mapping[str, Sequence[str]] = {}
    is_sent: bool = False
    drawn: str = ""


def without_bars(table: Table) -> Table:
    """Return a table without the columns that only draw what others say in numbers."""
    return with_columns(
        table, [n for n in range(len(table.head)) if not any(isinstance(row[n], Bar) for row in table.rows)]
    )


def with_columns(table: Table, kept_numbers: Sequence[int]) -> Table:
    """Return a table with these of its columns alone, numbered from 0."""
    return table._replace(
        head=[table.head[n] for n in kept_numbers],
        rows=[[row[n] for n in kept_numbers] for row in table.rows],
        right=[kept_numbers.index(n) for n in table.right if n in kept_numbers],
    )


def stretches_of(text: Words) -> list[Word]:
    """Return words as a list of their stretches."""
    return [text] if isinstance(text, str | Span | Side | Card) else list(text)


def as_text(cell: Cell) -> str:
    """Return a cell as text alone; a bar says nothing that stands not beside it.

    >>> as_text(["York", " ", Span("wins", STRONG)]), as_text(Pair("2-5", "8.0%")), as_text(Bar(3))
    ('York wins', '2-5 (8.0%)', '')
    """
    if isinstance(cell, Bar):
        return ""
    if isinstance(cell, Pair):
        return f"{cell.main} ({cell.aside})" if cell.aside else cell.main
    return "".join(
        word if isinstance(word, str) else word.name if isinstance(word, Side) else word.text
        for word in stretches_of(cell)
    )
