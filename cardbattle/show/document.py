"""Documents describe the content of a page as a list of blocks, independent of any output format.

Pages build documents from data and know no output format. Writers turn any document into one format and know
no page. The plain format prints one fact per line. If this needs other words than the other formats, the
block has the attribute `facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

from cardbattle.core.telling import Card
from cardbattle.show.svg.bracket_shape import Bracket

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.show.replay import Replay

STRONG, FAINT = "strong", "faint"
NO_TINT = -1


class Span(NamedTuple):
    """A piece of text with an emphasis (STRONG or FAINT), or in the colour of a faction or side.

    Factions and sides are numbered from 0.
    """

    text: str
    stress: str = ""
    tint: int = NO_TINT


class Side(NamedTuple):
    """A side of a battle, shown by its name, or by its key if the screen cannot display the name.

    The name has the colour of the side's number, as on the field of a battle.
    """

    name: str
    key: str
    tint: int = NO_TINT


class Bar(NamedTuple):
    """A horizontal bar. Its `length` is a number of columns.

    `is_trace` marks a bar for a value above zero whose length was rounded to 0. `mark` is the character with
    which the bar is drawn, if the encoding has this character.
    """

    length: int
    is_trace: bool = False
    mark: str = "█"
    tint: int = NO_TINT


class Pair(NamedTuple):
    """A cell that has two columns under one heading: the main value and a remark."""

    main: str
    aside: str


Word = str | Span | Side | Card
Words = Word | Sequence[Word]
Cell = Words | Bar | Pair


class Title(NamedTuple):
    """The title of the document."""

    words: Words


class Section(NamedTuple):
    """The heading of a section, or of a part of a section if `is_part` is true.

    If it has no `facts`, the plain format prints the heading, with an empty line before it.
    """

    words: Words
    facts: Sequence[str] | None = None
    is_part: bool = False


class Paragraph(NamedTuple):
    """A paragraph.

    The plain format prints the lines in `facts` in place of the text. A verbatim text is not translated.
    """

    words: Words
    stress: str = ""
    facts: Sequence[str] | None = None
    is_verbatim: bool = False


class Item(NamedTuple):
    """An item of a list, with a label, a text, and notes that are shown below the text."""

    about: str
    words: Words
    notes: Sequence[str] = ()


S = TypeVar("S")
T = TypeVar("T")


class Repeatable(Generic[T]):
    """An iterable that calls `make` for each iteration, so that the items are never all in memory."""

    def __init__(self, make: Callable[[], Iterable[T]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[T]:
        return iter(self.make())


class Computed(Sequence[T]):
    """A lazy sequence. Each value is computed from an item of `source` when it is accessed."""

    def __init__(self, source: Sequence[S], make: Callable[[S], T]) -> None:
        self.source: Sequence[Any] = source
        self.make: Callable[[Any], T] = make

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
    """A list. `lead` says how the items begin: KEYED by an id, NUMBERED, CODED with a few letters, or BARE.

    If a list is long, its items and facts are `Repeatable`.
    """

    items: Iterable[Item]
    lead: str = "bare"
    facts: Iterable[str] | None = None


KEYED, NUMBERED, CODED, BARE = "keyed", "numbered", "coded", "bare"


class Table(NamedTuple):
    """A table.

    Attributes:
        right: the indices of the right-aligned columns.
        is_list: True if a narrow screen shows the table as a list of names, each followed by text.
        to_fill: True if people write into the empty cells.
        labels: the number of columns at the left that identify a row. They are repeated where a wide table is
            split.

    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    right: Sequence[int] = ()
    facts: Iterable[str] | None = None
    is_list: bool = False
    to_fill: bool = False
    labels: int = 1


class Curve(NamedTuple):
    """One line of a chart: the share of one side, from 0 to 1, after each move.

    If the curve has no `tint`, its index among the curves of the chart determines its colour.
    """

    side: Side
    points: Sequence[tuple[int, float]]


class Chart(NamedTuple):
    """A line chart that shows shares over the moves of a battle, or over the units that `axis` names.

    `marks` are notable moves, each with an explanation. The points of different curves can be at different
    moves.
    """

    curves: Sequence[Curve]
    label: str
    facts: Sequence[str] | None = None
    marks: Sequence[tuple[int, str]] = ()
    axis: str = "move"

    @property
    def moves(self) -> list[int]:
        """The moves at which any curve has a point, in ascending order."""
        return sorted({move for curve in self.curves for move, _ in curve.points})


class BattleReport(NamedTuple):
    """The log of a battle at a level of detail, or the story of a battle.

    `span` limits the log to the events between two moves. `story` has the paragraphs of a story. If it is
    None, the story is generated from the report alone. `replay` is a function that makes the steps for an
    HTML page. It raises ReplayMismatch if the record cannot be replayed.
    """

    report: Report
    detail: int
    span: tuple[int, int] | None = None
    story: Sequence[str] | None = None
    replay: Callable[[], Replay] | None = None


class Listing(NamedTuple):
    """Lines that a reader can copy verbatim."""

    lines: Sequence[str]
    language: str = "toml"


class Book(NamedTuple):
    """A Markdown text, such as the rules."""

    text: str


Content = Title | Section | Paragraph | Items | Table | Chart | Bracket | BattleReport | Listing | Book


class Numbers(NamedTuple):
    """The rows of a spreadsheet, for the CSV output."""

    columns: Iterable[str]
    rows: Iterable[Mapping[str, object]]


class Document(NamedTuple):
    """The content of a page, for every output format.

    Attributes:
        json: the JSON output.
        numbers: the CSV output, or None if the page has none.
        subjects: names that the Obsidian format can turn into links, by the kind of thing that they name.
        is_sent: True if the listings are messages that are sent unchanged.
        drawn: the key of the rule set whose cards are drawn as pictures.

    """

    name: str
    blocks: Sequence[Content]
    json: Mapping[str, object]
    numbers: Numbers | None = None
    subjects: Mapping[str, Sequence[str]] = {}
    is_sent: bool = False
    drawn: str = ""


def without_bars(table: Table) -> Table:
    """Remove the columns that have bars, because bars repeat the numbers of other columns."""
    return with_columns(
        table, [n for n in range(len(table.head)) if not any(isinstance(row[n], Bar) for row in table.rows)]
    )


def with_columns(table: Table, kept_numbers: Sequence[int]) -> Table:
    """Return a table with only the columns in `kept_numbers`, which are counted from 0."""
    return table._replace(
        head=[table.head[n] for n in kept_numbers],
        rows=[[row[n] for n in kept_numbers] for row in table.rows],
        right=[kept_numbers.index(n) for n in table.right if n in kept_numbers],
    )


def stretches_of(text: Words) -> list[Word]:

    return [text] if isinstance(text, str | Span | Side | Card) else list(text)


def as_text(cell: Cell) -> str:
    """Return a cell as plain text. The text of a bar is "", because its number is in another cell.

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
