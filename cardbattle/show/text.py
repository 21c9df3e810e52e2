"""A battle in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.box import ROUNDED
from rich.panel import Panel
from rich.text import Text

from cardbattle.core.telling import AUDIT, Block, Grid, Heading, Line, Name, Part, Parts
from cardbattle.show.cards import signs_fit
from cardbattle.show.console import fitted, has_many_colors, name_fitted
from cardbattle.show.layout import TIE, hung, measure, padded, ruled, table, wrapped, write
from cardbattle.show.words import (
    EVERYTHING,
    Span,
    blocks_for,
    circumstances,
    commanded_by,
    credit,
    fought_by,
    is_bare,
    is_brief,
    losses,
    names_of,
    pieces,
    seed_text,
    tally,
    verdict,
)

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.records.viewer import Report

# Colours half way between black and white, legible on either, for terminals that have them. Themes
# give the eight old ones any shade they like, so there names are bold and only red suits are red.
SIDES = ["color(30)", "color(98)", "color(130)", "color(64)", "color(32)", "color(132)"]
RED = "#e0303a"


class Pen:
    """Writes the parts of sentences in one console's letters and colours."""

    def __init__(self, report: Report, console: Console) -> None:
        self.console = console
        self.width = measure(console)
        self.encoding = console.encoding
        self.signs = signs_fit(console.encoding)
        self.names = [
            name_fitted(name, key, self.encoding)
            for name, key in zip(names_of(report), report.setup.seats, strict=True)
        ]
        many = has_many_colors(console)
        self.red = RED if many else "red"
        self.sides = SIDES if many else ["bold"]

    def text(self, parts: Sequence[Part], style: str = "") -> Text:
        """Return the parts as one text, names and red cards in their colours."""
        text = Text(style=style)
        found = pieces(parts, self.names, self.signs)
        for n, piece in enumerate(found):
            if piece.card:
                text.append(piece.text, self.red if piece.red else "")
            elif piece.seat >= 0:
                text.append(piece.text, self.sides[piece.seat % len(self.sides)])
            elif piece.text == " " and n and found[n - 1].seat >= 0:
                text.append(TIE)  # what a name has stays beside it
            else:
                text.append(fitted(piece.text, self.encoding))
        return text

    def plain(self, words: str, style: str = "") -> Text:
        """Return words that name no card and no side."""
        return Text(fitted(words, self.encoding), style)

    def write(self, text: Text, indent: int = 0) -> None:
        """Print a text in lines of a good length, those after the first indented."""
        write(hung(text, self.width, self.console, Text(), indent), self.console)


def battle(report: Report, detail: int, console: Console) -> None:
    """Print a battle: title, tale and outcome; at the least detail a few lines say it all."""
    if is_brief(detail):
        brief(report, console)
        return
    title(report, console)
    tale(report, detail, console)
    outcome(report, console)


def brief(report: Report, console: Console) -> None:
    """Print who fought, who won and why, and what it cost."""
    pen = Pen(report, console)
    won, why = verdict(report)
    tallies: Parts = []
    for seat in range(len(report.names)):
        tallies += ["; " if seat else "", Name(seat), f" {tally(report, seat)}"]
    pen.write(pen.text([*fought_by(report), ". ", *circumstances(report), "."]))
    pen.write(pen.text(won, "bold").append_text(pen.plain(f": {why}.", "not bold")))
    pen.write(pen.text([*tallies, "."]))
    if credit(report):
        pen.write(pen.plain(credit(report), "dim"))


def title(report: Report, console: Console) -> None:
    """Print who fights, by which rules, from which seed, and who commands."""
    pen = Pen(report, console)
    pen.write(pen.text(fought_by(report), "bold"))
    pen.write(pen.text(circumstances(report)))
    pen.write(pen.text(["Commanders: ", *commanded_by(report)]), 4)


def tale(report: Report, detail: int, console: Console, span: Span = EVERYTHING) -> None:
    """Print the tale; `span` keeps what happened between two numbers of moves made."""
    tell(blocks_for(report, detail, span), report, detail, console)


def tell(blocks: Sequence[Block], report: Report, detail: int, console: Console) -> None:
    """Print blocks of a tale; an audit has each line's rule number before it."""
    pen = Pen(report, console)
    indent = max((len(block.rule) for block in blocks if isinstance(block, Line)), default=0) + 2
    before: Block | None = None
    for block in blocks:
        if isinstance(block, Heading):
            heading = ruled(pen.text(block.parts, "bold"), pen.text(block.remark), pen.width, console)
            write([Text(), *heading], console)
        elif isinstance(block, Grid):
            write(picture(block, pen), console)
        else:
            write([Text()] if isinstance(before, Grid) else [], console)
            lead = padded(Text(block.rule, "dim"), indent) if detail >= AUDIT else Text("  ")
            hang = indent if detail >= AUDIT else 4
            write(hung(pen.text(block.parts), pen.width, console, lead, hang), console)
        before = block


def picture(grid: Grid, pen: Pen) -> list[Text]:
    """Return a grid as a table; columns of cards and numbers stand to the right."""
    head = [pen.text(cell) for cell in grid.head]
    rows = [[pen.text(cell) for cell in row] for row in grid.rows]
    right = [n > 0 and all(is_bare(row[n]) for row in grid.rows) for n in range(len(head))]
    lines = table(head, rows, right, pen.console.width - 2, pen.console)
    return [Text("  ").append_text(line) if line else line for line in lines]


def outcome(report: Report, console: Console) -> None:
    """Print a panel: who won and why, what each side has and what it lost, seed and credit."""
    pen = Pen(report, console)
    width = pen.width - 4
    won, why = verdict(report)
    lines = wrapped(pen.text(won, "bold").append_text(pen.plain(f": {why}.", "not bold")), width, console)
    lines += [Text(), *counts(report, pen, width)]
    small = [f"Seed {seed_text(report.seed)}"] if report.seed is not None else []
    small += [credit(report)] if credit(report) else []
    for n, words in enumerate(small):
        lines += [*([] if n else [Text()]), *wrapped(pen.plain(words, "dim"), width, console)]
    console.print()
    console.print(Panel(Text("\n").join(lines), box=ROUNDED, width=pen.width, border_style="dim"))


def counts(report: Report, pen: Pen, width: int) -> list[Text]:
    """Return the table of scores and losses."""
    head = [pen.plain(words) for words in ("", report.rules.score_word, "losses")]
    rows = [
        [
            pen.text([Name(seat)], "bold" if seat in report.winners else ""),
            pen.plain(str(report.scores[seat])),
            pen.plain(losses(report.losses[seat])),
        ]
        for seat in range(len(report.names))
    ]
    return table(head, rows, [False, True, False], width, pen.console)
