"""Short lists and changes in the terminal: tables of plain words, who can command, what a file gains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.segment import Segment, Segments
from rich.style import Style
from rich.text import Text

from cardbattle.commanders import ORDERS, ORDERS_WORDS, RANKS
from cardbattle.show.console import fitted
from cardbattle.show.layout import measure, table, write

if TYPE_CHECKING:
    from rich.console import Console


def columns(
    head: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    console: Console,
    right: Iterable[int] = (),
) -> None:
    """Print a table of words, styled or not; the columns with these numbers stand to the right."""
    cells = [[written(cell, console) for cell in row] for row in [head, *rows]]
    write(table(cells[0], cells[1:], [n in right for n in range(len(head))], console.width, console), console)


def written(cell: str | Text, console: Console) -> Text:
    """Return a cell in letters the console can write."""
    if isinstance(cell, str):
        return Text(fitted(cell, console.encoding))
    return Text(fitted(cell.plain, console.encoding), cell.style)


def commanders(console: Console) -> None:
    """Print who can command a side."""
    rows = [[name, rank.words] for name, rank in RANKS.items()]
    cells = [[Text(name, "bold"), Text(words)] for name, words in [*rows, [ORDERS, ORDERS_WORDS]]]
    write(table([Text("commander"), Text("")], cells, [False, False], measure(console), console), console)


def diff(changes: str, console: Console) -> None:
    """Print a unified diff; its own signs tell what is added and removed, colour only helps."""
    for line in changes.splitlines():
        words = "\t".join(fitted(word, console.encoding) for word in line.removesuffix("\r").split("\t"))
        console.print(
            Segments([Segment(words, Style.parse(style_of(line))), Segment.line()]), end="", soft_wrap=True
        )


def style_of(line: str) -> str:
    """Return the style of a line of a unified diff."""
    if line.startswith(("--- ", "+++ ")):
        return "bold"
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
