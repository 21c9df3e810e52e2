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
from cardbattle.show.battle_text import is_face_down, pieces_of
from cardbattle.show.bidi import words_html
from cardbattle.show.svg.charts import Axes, Figures, Trace, drawing, figures_html, legend
from cardbattle.show.svg.deck import EMPTY
from cardbattle.show.writers.battle_html import MANY, BattleHtml, holds_cards
from cardbattle.story.naming import side_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.telling import Block, Parts
    from cardbattle.show.replay import Replay, ReplayStep
    from cardbattle.simulation.turning_points import Curve
    from cardbattle.story.story import Story

QUARTERS = [(part / 4, f"{25 * part}%") for part in range(5)]
MANY_CARDS = 250  # on all fields of a battle; beyond it cards are text, or the page would be too large
MANY_STEPS = 60  # beyond it the sentences of a step are in the log only


class BoardHtml(BattleHtml):
    """Writes the fields of a replay in few bytes, as there are many: HTML lets many end tags be left out."""

    def __init__(self, writer: BattleHtml, draws_cards: bool) -> None:
        super().__init__(board_names(writer.names), writer.kind, writer.deck, writer.tints)
        self.draws_cards = draws_cards

    def grid(self, grid: Grid) -> Markup:
        """Return a grid as a table that fits its column: the first one has the labels."""
        is_drawn = any(holds_cards(cell) for row in grid.rows for cell in row)
        kinds = ["laid"] * is_drawn + ["many"] * (len(grid.head) > MANY)
        head = "".join(f"<th>{self.said(cell)}" for cell in grid.head)
        rows = "".join(
            f"<tr><th>{self.said(label)}{''.join(f'<td>{self.cell(cell, is_drawn)}' for cell in cells)}\n"
            for label, *cells in grid.rows
        )
        return Markup(f'<table class="{" ".join(kinds)}">\n<thead><tr>{head}\n<tbody>{rows}</table>')

    def cell(self, parts: Parts, is_drawn: bool) -> Markup:
        """Return a cell; a card is text in a frame unless cards are drawn."""
        if self.draws_cards or not is_drawn:
            return super().cell(parts, is_drawn)
        if parts == [EMPTY]:
            return Markup("<i></i>")
        if is_face_down(parts):
            return Markup("<b>?</b>") * len(str(parts[0]))
        return Markup("").join(
            Markup('<b class="ink{}">{}</b>').format(*chip_of(part)) if isinstance(part, Card)
            else self.said([part])
            for part in parts
        )  # fmt: skip


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
    step: ReplayStep, writer: BattleHtml, board: BattleHtml, has_sentences: bool
) -> dict[str, object]:
    return {
        "field": [block_html(block, board) for block in step.field],
        "happened": [block_html(block, writer) for block in step.happened] if has_sentences else [],
    }


def block_html(block: Block, writer: BattleHtml) -> Markup:
    """Return one block: a grid with its cards drawn, a sentence, or a heading in bold."""
    if isinstance(block, Grid):
        return writer.grid(block)
    words = writer.said(block.parts)
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
