"""The replay of a battle as HTML: chances, bar, field step by step, story.

Without scripts, links lead from step to step and the address names the step. With them, `replay.js` moves all
parts together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.core.grammar import Noun
from cardbattle.core.names import clean
from cardbattle.core.telling import Card, Grid, Heading
from cardbattle.show.battle_text import is_bare, is_face_down, pieces_of
from cardbattle.show.bidi import words_html
from cardbattle.show.board_changes import PlaceChange
from cardbattle.show.svg.charts import Axes, Figures, Trace, drawing, figures_html, legend
from cardbattle.show.svg.deck import EMPTY
from cardbattle.show.writers.battle_html import MANY, BattleHtml, holds_cards
from cardbattle.story.naming import side_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.core.telling import Block, Parts
    from cardbattle.show.board_changes import Changes
    from cardbattle.show.replay import Replay, ReplayStep
    from cardbattle.simulation.turning_points import Curve
    from cardbattle.story.story import Story

QUARTERS = [(part / 4, f"{25 * part}%") for part in range(5)]
MANY_CARDS = 250  # on all fields of a battle; beyond it cards are text, or the page would be too large
UNCHANGED = PlaceChange([], [])
FIGHTING = ">"  # before a card that has gone forward to fight
MANY_STEPS = 60  # beyond it the sentences of a step are in the log only


class BoardHtml(BattleHtml):
    """Writes the fields of a replay in few bytes, as there are many: HTML lets many end tags be left out."""

    def __init__(self, writer: BattleHtml, draws_cards: bool) -> None:
        super().__init__(board_names(writer.names), writer.kind, writer.deck, writer.tints)
        self.draws_cards = draws_cards

    def field(self, step: ReplayStep) -> list[Markup]:
        """Return the field after a step; cards that changed are marked."""
        return [
            self.board(n, block, step.changes) if isinstance(block, Grid)
            else block_html(block, self, step.changes.get((n, -1, -1), UNCHANGED).marks)
            for n, block in enumerate(step.field)
        ]  # fmt: skip

    def board(self, number: int, grid: Grid, changes: Changes) -> Markup:
        """Return a grid as a table that fits its column: the first one has the labels."""
        own = {place[1:]: change for place, change in changes.items() if place[0] == number}
        drawn = columns_of_cards(grid, own)
        kinds = ["laid"] * bool(drawn) + ["many"] * (len(grid.head) > MANY)
        head = "".join(f"<th{narrow(grid, n, drawn)}>{self.said(cell)}" for n, cell in enumerate(grid.head))
        rows = []
        for n, (label, *cells) in enumerate(grid.rows):
            parts = [
                f"<td>{self.place(cell, bool(drawn), own.get((n, column), UNCHANGED))}"
                for column, cell in enumerate(cells, 1)
            ]
            rows.append(f"<tr><th>{self.said(label)}{''.join(parts)}\n")
        return Markup(f'<table class="{" ".join(kinds)}">\n<thead><tr>{head}\n<tbody>{"".join(rows)}</table>')

    def place(self, cell: Parts, is_drawn: bool, change: PlaceChange) -> Markup:
        """Return a cell with its changes; cards that left it are faded, in the place that they left."""
        fights = "fights" if cell[:1] == [FIGHTING] and len(cell) > 1 else ""
        if change is UNCHANGED and not fights:
            return self.cell(cell, is_drawn)
        marks = iter(change.marks or [""] * len(cell))
        cards = [
            self.marked_card(part, f"{next(marks)} {fights}".strip())
            if isinstance(part, Card)
            else self.cell([part], is_drawn)
            for part in cell[1 if fights else 0 :]
            if part != " " and not (part == EMPTY and change.gone)
        ]
        return Markup("").join([*cards, *map(self.gone_card, change.gone)])

    def marked_card(self, card: Card, mark: str) -> Markup:
        if self.draws_cards:
            drawn = str(self.deck.card(card.text, self.kind))
            return Markup(drawn.replace('class="pc"', f'class="pc {mark}"') if mark else drawn)
        suit, text = chip_of(card)
        return Markup('<b class="{}">{}</b>').format(f"ink{suit} {mark}".rstrip(), text)

    def gone_card(self, card: Card) -> Markup:
        """Return a card that left; a screen reader says so."""
        if self.draws_cards:
            return Markup(str(self.marked_card(card, "gone")).replace('aria-label="', 'aria-label="left: '))
        return Markup('<s class="ink{}">{}</s>').format(*chip_of(card))

    def cell(self, parts: Parts, is_drawn: bool) -> Markup:
        """Return a cell; a card is text in a frame unless cards are drawn."""
        if self.draws_cards or not is_drawn:
            return super().cell(parts, is_drawn)
        if parts == [EMPTY]:
            return Markup("<i></i>")
        if is_face_down(parts):
            return Markup("<b>?</b>") * len(str(parts[0]))
        return Markup("").join(
            self.marked_card(part, "") if isinstance(part, Card) else self.said([part]) for part in parts
        )


def columns_of_cards(grid: Grid, changes: Mapping[tuple[int, int], PlaceChange]) -> set[int]:
    """Return the columns that show cards, also those that have just left."""
    held = {n for row in grid.rows for n, cell in enumerate(row) if holds_cards(cell)}
    return held | {column for (_, column), change in changes.items() if change.gone}


def narrow(grid: Grid, column: int, drawn: set[int]) -> str:
    """Return the class of a narrow column: one of numbers or words in a grid with a column of cards."""
    is_narrow = column and drawn and column not in drawn and not is_bare(grid.head[column])
    return ' class="few"' if is_narrow else ""


def chip_of(card: Card) -> tuple[str, str]:
    """Return the suit and the text of a card."""
    piece = pieces_of([card], [])[0]
    return piece.suit or "S", piece.text


def replay_facts(replay: Replay, writer: BattleHtml) -> dict[str, object]:
    """Return a replay for the template; `steps` is empty if the rule set shows no field."""
    chart, numbers = chances_html(replay.curve, len(replay.steps), writer)
    board = BoardHtml(writer, count_cards(replay) <= MANY_CARDS)
    has_sentences = not replay.log or len(replay.steps) <= MANY_STEPS
    steps = [step_facts(step, writer, board, has_sentences) for step in replay.steps]
    return {
        "chart": chart,
        "numbers": numbers,
        "turns": [step_link(turn.step, turn.place) for turn in replay.curve.turning_points],
        "battles": replay.curve.battles,
        "steps": steps if replay.has_field else [],
        "fight": replay.deployment + 1 if replay.deployment > 1 else 0,
        "story": story_html(replay, replay.story) if replay.story else [],
    }


def count_cards(replay: Replay) -> int:
    """Count the cards and empty places on all fields."""
    grids = [block for step in replay.steps for block in step.field if isinstance(block, Grid)]
    cells = [cell for grid in grids for row in grid.rows for cell in row]
    return sum(isinstance(part, Card) or cell == [EMPTY] for cell in cells for part in cell)


def board_names(names: Sequence[str]) -> list[str]:
    """Return names that fit beside a field: short where that is clear, with a capital letter.

    >>> board_names(["The Malpas archers", "Prince Henry"])
    ['The archers', 'Henry']
    """
    return [Noun(side.short[:1].upper() + side.short[1:], side.plural) for side in side_names(names)]


def step_facts(
    step: ReplayStep, writer: BattleHtml, board: BoardHtml, has_sentences: bool
) -> dict[str, object]:
    return {
        "field": board.field(step),
        "happened": [block_html(block, writer) for block in step.happened] if has_sentences else [],
    }


def block_html(block: Block, writer: BattleHtml, marks: Sequence[str] = ()) -> Markup:
    """Return one block: a grid with its cards drawn, a sentence, or a heading in bold.

    `marks` are those of the sentence's cards (`board_changes.PlaceChange`).
    """
    if isinstance(block, Grid):
        return writer.grid(block)
    words = writer.marked_sentence(block.parts, marks) if any(marks) else writer.said(block.parts)
    return Markup(f"<p><strong>{words}</strong></p>" if isinstance(block, Heading) else f"<p>{words}</p>")


def story_html(replay: Replay, story: Story) -> list[Markup]:
    """Return the sentences of a story, each a link to its step; the umpire's own story has no links."""
    if not story.events:
        return [words_html(clean(story.text))]
    return [
        step_link(replay.step_of_event(event), clean(text))
        for text, event in zip(story.sentences, story.events, strict=True)
    ]


def step_link(step: int, text: str) -> Markup:
    return Markup('<a class="to" href="#step={}">{}</a>').format(step, words_html(text))


def chances_html(curve: Curve, steps: int, writer: BattleHtml) -> tuple[Markup, Markup]:
    """Draw the chances step by step, and return their numbers; "" if they are not counted."""
    if not curve.points or steps < 2:
        return Markup(""), Markup("")
    points = {point.step: point.chances for point in curve.points}
    points = {1: curve.points[0].chances, **points, steps: curve.points[-1].chances}
    traces = [
        Trace(name, tint, [(step, chances[seat] / 1000) for step, chances in points.items()])
        for seat, (name, tint) in enumerate(zip(writer.names, writer.tints, strict=True))
    ]
    rows = [[str(point.step), *(f"{chance / 10:.0f}%" for chance in point.chances)] for point in curve.points]
    marks = [(turn.step, f"turning point: {turn.place}") for turn in curve.turning_points]
    axes = Axes(QUARTERS, "step 1", str(steps), marks)
    chart = drawing("Chance of winning, step by step", traces, axes, has_cursor=True)
    figures = figures_html(Figures(["after step", *writer.names], rows))
    return Markup("\n").join([chart, legend(traces, bool(marks))]), figures
