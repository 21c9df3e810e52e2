"""Battles in the terminal format: the title, the story or log, and the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.box import ROUNDED
from rich.panel import Panel
from rich.text import Text

from cardbattle.core.grammar import Noun, is_plural
from cardbattle.core.telling import AUDIT, Grid, Heading, Line, Name, Part, Parts
from cardbattle.show.battle_text import (
    Passage,
    ShownBlock,
    blocks_of,
    circumstances,
    commanders_text,
    credit,
    fought_by,
    is_bare,
    is_brief,
    losses_text,
    names_of,
    pieces_of,
    seed_text,
    tally,
    winner_words,
)
from cardbattle.show.cards import signs_fit
from cardbattle.show.console import RED, SIDES, fit_encoding, has_many_colors, name_fitted
from cardbattle.show.document import BattleReport
from cardbattle.show.layout import (
    TIE,
    hung,
    layout_table,
    measure,
    pad,
    rule_heading,
    wrap,
    write_lines,
)

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.show.battle_text import Piece


class Pen:
    """Writes sentences in the encoding and the colours of one console."""

    def __init__(self, report: Report, console: Console) -> None:
        self.console = console
        self.width = measure(console)
        self.encoding = console.encoding
        self.signs = signs_fit(console.encoding)
        self.names = [
            Noun(name_fitted(name, key, self.encoding), is_plural(name))
            for name, key in zip(names_of(report), report.setup.seats, strict=True)
        ]
        many = has_many_colors(console)
        self.red = RED if many else "red"
        self.sides = SIDES if many else ["bold"]

    def text(self, parts: Sequence[Part], style: str = "") -> Text:
        """Return a sentence as one text in which names and red cards are coloured."""
        text = Text(style=style)
        pieces = pieces_of(parts, self.names, self.signs)
        for n, piece in enumerate(pieces):
            if piece.card:
                text.append_text(self.card(piece))
            elif piece.seat >= 0:
                text.append(piece.text, self.sides[piece.seat % len(self.sides)])
            elif piece.text == " " and n and pieces[n - 1].seat >= 0:
                text.append(TIE)  # keep a suffix on the same line as its name
            else:
                text.append(fit_encoding(piece.text, self.encoding))
        return text

    def card(self, piece: Piece) -> Text:
        return Text(piece.text, self.red if piece.red else "")

    def plain(self, text: str, style: str = "") -> Text:
        """Return text that contains no card and no side."""
        return Text(fit_encoding(text, self.encoding), style)

    def write(self, text: Text, indent: int = 0) -> None:
        """Print a text in lines of readable length, with a hanging indent."""
        write_lines(hung(text, self.width, self.console, Text(), indent), self.console)


def print_battle(battle_report: BattleReport, console: Console) -> None:
    """Print a battle's title, story or log, and outcome, or a summary at the lowest detail."""
    report, detail = battle_report.report, battle_report.detail
    if battle_report.span is not None:
        print_tale(battle_report, console)
    elif is_brief(detail):
        print_brief(report, console)
    else:
        print_title(report, console)
        print_tale(battle_report, console)
        print_outcome(report, console)


def print_brief(report: Report, console: Console) -> None:
    """Print the summary of a battle: the sides, the winner, the reason, and the losses."""
    pen = Pen(report, console)
    won, why = winner_words(report)
    tallies: Parts = []
    for seat in range(len(report.names)):
        tallies += ["; " if seat else "", Name(seat), f" {tally(report, seat)}"]
    pen.write(pen.text([*fought_by(report), ". ", *circumstances(report), "."]))
    pen.write(pen.text(won, "bold").append_text(pen.plain(f": {why}.", "not bold")))
    pen.write(pen.text([*tallies, "."]))
    if credit(report):
        pen.write(pen.plain(credit(report), "dim"))


def print_title(report: Report, console: Console) -> None:
    """Print the sides, the rule set, the seed and the commanders."""
    pen = Pen(report, console)
    pen.write(pen.text(fought_by(report), "bold"))
    pen.write(pen.text(circumstances(report)))
    commanders = commanders_text(report)
    if commanders:
        pen.write(pen.text(["Commanders: ", *commanders]), 4)


def print_tale(battle_report: BattleReport, console: Console) -> None:
    print_blocks(blocks_of(battle_report), battle_report.report, battle_report.detail, console)


def print_blocks(blocks: Sequence[ShownBlock], report: Report, detail: int, console: Console) -> None:
    """Print blocks of a story or log. An audit prints the number of the rule before each line."""
    write_lines(tale_screen(blocks, Pen(report, console), detail), console)


def tale_screen(blocks: Sequence[ShownBlock], pen: Pen, detail: int) -> list[Text]:
    """Return blocks of a story or log as lines."""
    console = pen.console
    texts: list[Text] = []
    indent = max((len(block.rule) for block in blocks if isinstance(block, Line)), default=0) + 2
    before: ShownBlock | None = None
    for block in blocks:
        if isinstance(block, Heading):
            heading = rule_heading(pen.text(block.parts, "bold"), pen.text(block.remark), pen.width, console)
            texts += [Text(), *heading]
        elif isinstance(block, Grid):
            texts += picture(block, pen)
        elif isinstance(block, Passage):
            texts += [Text(), *wrap(pen.text(block.parts), pen.width, console)]
        else:
            texts += [Text()] if isinstance(before, Grid) else []
            lead = pad(Text(block.rule, "dim"), indent) if detail >= AUDIT else Text("  ")
            hang = indent if detail >= AUDIT else 4
            texts += hung(pen.text(block.parts), pen.width, console, lead, hang)
        before = block
    return texts


def picture(grid: Grid, pen: Pen) -> list[Text]:
    """Return a grid as the lines of a table. Columns with cards or numbers are right-aligned."""
    head = [pen.text(cell) for cell in grid.head]
    rows = [[pen.text(cell) for cell in row] for row in grid.rows]
    right = [n > 0 and all(is_bare(row[n]) for row in grid.rows) for n in range(len(head))]
    lines = layout_table([head, *rows], right, pen.console.width - 2, pen.console)
    return [Text("  ").append_text(line) if line else line for line in lines]


def print_outcome(report: Report, console: Console) -> None:
    """Print a panel with the winner and the reason, each side's forces and losses, seed and credit."""
    pen = Pen(report, console)
    width = pen.width - 4
    won, why = winner_words(report)
    lines = wrap(pen.text(won, "bold").append_text(pen.plain(f": {why}.", "not bold")), width, console)
    lines += [Text(), *counts(report, pen, width)]
    small = [f"Seed {seed_text(report.seed)}"] if report.seed is not None else []
    small += [credit(report)] if credit(report) else []
    for n, note in enumerate(small):
        lines += [*([] if n else [Text()]), *wrap(pen.plain(note, "dim"), width, console)]
    console.print()
    console.print(Panel(Text("\n").join(lines), box=ROUNDED, width=pen.width, border_style="dim"))


def counts(report: Report, pen: Pen, width: int) -> list[Text]:
    head = [pen.plain(label) for label in ("", report.rules.score_word, "losses")]
    rows = [
        [
            pen.text([Name(seat)], "bold" if seat in report.winners_to_name else ""),
            pen.plain(str(report.scores[seat])),
            pen.plain(losses_text(report.losses[seat])),
        ]
        for seat in range(len(report.names))
    ]
    return layout_table([head, *rows], [False, True, False], width, pen.console)
