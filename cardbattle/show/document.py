"""Documents: the content of a page as a list of blocks, independent of any output format.

Pages build documents from data and know no format; writers turn any document into one format and know no
page. The plain format prints one fact per line; where that needs different words, a block holds them as
`facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

from cardbattle.core.telling import Card

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.show.replay import Replay

STRONG, FAINT = "strong", "faint"
NO_TINT = -1


class Span(NamedTuple):
    """Text with a stress (STRONG or FAINT), or in the colour of a faction or side (numbered from 0)."""

    text: str
    stress: str = ""
    tint: int = NO_TINT


class Side(NamedTuple):
    """A side, shown by its name, or by its key if the screen cannot display the name.

    Pages show it in the colour of its number, as on the field of a battle.
    """

    name: str
    key: str
    tint: int = NO_TINT


class Bar(NamedTuple):
    """A bar; `length` is in columns, and `is_trace` marks a value above zero that rounds to length 0.

    `mark` is the character to draw it with, if the encoding has it.
    """

    length: int
    is_trace: bool = False
    mark: str = "█"
    tint: int = NO_TINT


class Pair(NamedTuple):
    """A cell of two columns under one head: the main value and a remark."""

    main: str
    aside: str


Word = str | Span | Side | Card
Words = Word | Sequence[Word]
Cell = Words | Bar | Pair


class Title(NamedTuple):
    """The title of the document."""

    words: Words


class Section(NamedTuple):
    """The heading of a section; without `facts`, the plain format prints it after an empty line."""

    words: Words
    facts: Sequence[str] | None = None


class Paragraph(NamedTuple):
    """A paragraph; `facts` are its lines in the plain format. A translation does not change verbatim text."""

    words: Words
    stress: str = ""
    facts: Sequence[str] | None = None
    is_verbatim: bool = False


class Item(NamedTuple):
    """An item of a list: its label, its text, and notes below the text."""

    about: str
    words: Words
    notes: Sequence[str] = ()


S = TypeVar("S")
T = TypeVar("T")


class Repeatable(Generic[T]):
    """An iterable that calls `make` for each iteration, so that long output is never held in memory."""

    def __init__(self, make: Callable[[], Iterable[T]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[T]:
        return iter(self.make())

    def __repr__(self) -> str:
        return "<Repeatable>"


class Computed(Sequence[T]):
    """A lazy sequence: each value is computed from `source` on access, so that memory need not hold all."""

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

    Long lists have `Repeatable` items and facts.
    """

    items: Iterable[Item]
    lead: str = "bare"
    facts: Iterable[str] | None = None


KEYED, NUMBERED, CODED, BARE = "keyed", "numbered", "coded", "bare"


class Table(NamedTuple):
    """A table.

    Attributes:
        right: numbers of the right-aligned columns, from 0.
        is_list: True if a narrow screen shows it as a list: a name, then text.
        to_fill: True if people write into its empty cells.
        labels: number of leading columns that identify a row, repeated wherever a wide table is split.

    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    right: Sequence[int] = ()
    facts: Iterable[str] | None = None
    is_list: bool = False
    to_fill: bool = False
    labels: int = 1


class Curve(NamedTuple):
    """One line of a chart: a side, and its share from 0 to 1 after each move."""

    side: Side
    points: Sequence[tuple[int, float]]


class Chart(NamedTuple):
    """A line chart of shares by move; `marks` are notable moves, each with its explanation."""

    curves: Sequence[Curve]
    label: str
    facts: Sequence[str] | None = None
    marks: Sequence[tuple[int, str]] = ()


class BattleReport(NamedTuple):
    """The log of a battle at a level of detail, or its story.

    `span` limits the log to the events between two moves. `story` has the paragraphs of a story; without
    them, the story is told from the report alone. `replay` makes the steps for a page that can show them;
    it raises ReplayMismatch if the record does not replay.
    """

    report: Report
    detail: int
    span: tuple[int, int] | None = None
    story: Sequence[str] | None = None
    replay: Callable[[], Replay] | None = None


class Listing(NamedTuple):
    """Lines to copy verbatim."""

    lines: Sequence[str]
    language: str = "toml"


class Book(NamedTuple):
    """A Markdown text, such as the rules."""

    text: str


Content = Title | Section | Paragraph | Items | Table | Chart | BattleReport | Listing | Book


class Numbers(NamedTuple):
    """The rows of a spreadsheet."""

    columns: Iterable[str]
    rows: Iterable[Mapping[str, object]]


class Document(NamedTuple):
    """A page in every format.

    Attributes:
        json: the JSON output.
        numbers: the CSV output, if it has one.
        subjects: names that a format can link (Obsidian), by kind.
        is_sent: True if its listings are messages, each to be sent unchanged.
        drawn: key of the rule set whose cards are drawn as pictures.

    """

    name: str
    blocks: Sequence[Content]
    json: Mapping[str, object]
    numbers: Numbers | None = None
    subjects: Mapping[str, Sequence[str]] = {}
    is_sent: bool = False
    drawn: str = ""


def without_bars(table: Table) -> Table:
    """Remove the columns of bars, which repeat the numbers of other columns."""
    return with_columns(
        table, [n for n in range(len(table.head)) if not any(isinstance(row[n], Bar) for row in table.rows)]
    )


def with_columns(table: Table, kept_numbers: Sequence[int]) -> Table:
    """Keep only these columns, numbered from 0."""
    return table._replace(
        head=[table.head[n] for n in kept_numbers],
        rows=[[row[n] for n in kept_numbers] for row in table.rows],
        right=[kept_numbers.index(n) for n in table.right if n in kept_numbers],
    )


def stretches_of(text: Words) -> list[Word]:

    return [text] if isinstance(text, str | Span | Side | Card) else list(text)


def as_text(cell: Cell) -> str:
    """Return a cell as plain text; a bar is "", because the number is beside it.

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
