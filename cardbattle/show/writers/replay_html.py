"""The replay of a battle as HTML: chances, bar, field step by step, story.

Without scripts, links lead from step to step and the address names the step. With them, `replay.js` moves all
parts together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from cardbattle.core.grammar import Noun
from cardbattle.core.names import clean
from cardbattle.core.telling import Card, Grid, Heading, Name
from cardbattle.show.battle_text import is_bare, is_face_down, pieces_of
from cardbattle.show.bidi import words_html
from cardbattle.show.board_changes import PlaceChange
from cardbattle.show.svg.charts import Axes, Figures, Trace, drawing, figures_html, legend
from cardbattle.show.svg.deck import EMPTY
from cardbattle.show.writers.battle_html import MANY, TINTS, BattleHtml, holds_cards
from cardbattle.story.naming import side_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardbattle.core.telling import Block, Part, Parts
    from cardbattle.show.board_changes import Changes
    from cardbattle.show.replay import Replay, ReplayStep
    from cardbattle.simulation.turning_points import Curve
    from cardbattle.story.story import Story

    Head = tuple[tuple[Part, ...], ...]

QUARTERS = [(part / 4, f"{25 * part}%") for part in range(5)]
MANY_CARDS = 250  # on all fields of a battle; beyond it cards are text, or the page would be too large
UNCHANGED = PlaceChange([], [])
FIGHTING = ">"  # before a card that has gone forward to fight
MOST_BYTES = 80_000  # of chances, fields, drawings and sentences, so that a page has at most 120 kB
STEP_BYTES = 130  # of a step without its field and sentences
MANY_STEPS = 60  # beyond it the sentences of a step are in the log only


class Written(NamedTuple):
    """A block of a field as HTML: a table with its rows, the head first, or one sentence.

    `plain` are the same parts without marks of changes.
    """

    kind: str
    parts: list[str]
    plain: list[str]


class BoardHtml(BattleHtml):
    """Writes the many fields of a replay in few bytes, without the end tags that HTML allows to omit.

    If `is_short`, a row or sentence that is the same as one step earlier is left empty, and so is a field
    without any change; `replay.js` copies them from the step before.
    """

    def __init__(self, writer: BattleHtml, replay: Replay, *, is_short: bool) -> None:
        super().__init__(board_names(writer.names), writer.kind, writer.deck, writer.tints)
        self.draws_cards = count_cards(replay) <= MANY_CARDS and not is_short
        self.drawn = columns_of_cards(replay)
        self.is_short = is_short
        self.before: dict[int, Written] = {}

    def field(self, step: ReplayStep) -> list[Markup]:
        """Return the field after a step; cards that changed are marked."""
        written = dict(enumerate(self.written(n, block, step.changes) for n, block in enumerate(step.field)))
        before, self.before = self.before, written
        if not self.is_short:
            return [*map(whole_html, written.values())]
        blocks = [short_html(block, before.get(n)) for n, block in written.items()]
        return [Markup(block) for block in blocks] if any(map(has_parts, blocks)) else []

    def written(self, number: int, block: Block, changes: Changes) -> Written:
        """Return a block, with marks and without."""
        if not isinstance(block, Grid):
            marks = changes.get((number, -1, -1), UNCHANGED).marks
            return Written("p", [block_html(block, self, marks)], [block_html(block, self)])
        drawn = self.drawn[head_of(block)]
        kinds = ["laid"] * bool(drawn) + ["many"] * (len(block.head) > MANY)
        head = "".join(f"<th{narrow(block, n, drawn)}>{self.said(cell)}" for n, cell in enumerate(block.head))
        own = {place[1:]: change for place, change in changes.items() if place[0] == number}
        plain = [head, *self.rows(block, {})]
        return Written(" ".join(kinds), [head, *self.rows(block, own)] if own else plain, plain)

    def rows(self, grid: Grid, changes: Mapping[tuple[int, int], PlaceChange]) -> Iterator[str]:
        """Yield the rows of a grid that fits its column: the first one has the labels."""
        is_drawn = bool(self.drawn[head_of(grid)])
        for n, (label, *cells) in enumerate(grid.rows):
            parts = [
                f"<td>{self.place(cell, is_drawn, changes.get((n, column), UNCHANGED))}"
                for column, cell in enumerate(cells, 1)
            ]
            yield f"{self.label(label)}{''.join(parts)}"

    def label(self, label: Parts) -> str:
        """Return the label of a row, in the colour of its side if it is only a name."""
        if len(label) == 1 and isinstance(label[0], Name):
            seat = label[0].seat
            return f'<th class="side{self.tints[seat] % TINTS}">{words_html(self.names[seat])}'
        return f"<th>{self.said(label)}"

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
            self.marked_card(part, "") if isinstance(part, Card) else self.said([part])
            for part in parts
            if part != " "
        )


def whole_html(block: Written) -> Markup:
    """Return all parts of a block."""
    if block.kind == "p":
        return Markup(block.parts[0])
    head, *rows = block.parts
    body = "".join(f"<tr>{row}\n" for row in rows)
    return Markup(f'<table class="{block.kind}">\n<thead><tr>{head}\n<tbody>{body}</table>')


def short_html(block: Written, before: Written | None) -> str:
    """Return a block whose unchanged parts are empty; "" if all are unchanged, and after the last change."""
    if before is None or before.kind != block.kind or len(before.parts) != len(block.parts):
        return whole_html(block)
    new = [
        "" if old == plain == part else part
        for part, plain, old in zip(block.parts, block.plain, before.plain, strict=True)
    ]
    if block.kind == "p" or new[0]:
        return whole_html(block) if new[0] else "<p></p>"
    rows = "".join(f"<tr>{row}" for row in new)
    while rows.endswith("<tr>"):
        rows = rows.removesuffix("<tr>")
    return f'<table class="{block.kind}">{rows}</table>'


def has_parts(html: str) -> bool:
    """Return False if a short block has nothing of its own."""
    return not re.fullmatch('<p></p>|<table class="[a-z ]*"></table>', html)


def head_of(grid: Grid) -> Head:
    """Return the head of a grid, hashable."""
    return tuple(tuple(cell) for cell in grid.head)


def columns_of_cards(replay: Replay) -> Mapping[Head, set[int]]:
    """Return the columns that show cards in any step, by the head of their grid."""
    columns: defaultdict[Head, set[int]] = defaultdict(set)
    for step in replay.steps:
        for grid in step.field:
            if isinstance(grid, Grid):
                columns[head_of(grid)] |= {
                    n for row in grid.rows for n, cell in enumerate(row) if holds_cards(cell)
                }
    return columns


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
    sentences = [[block_html(block, writer) for block in step.happened] for step in replay.steps]
    has_sentences = not replay.log or len(replay.steps) <= MANY_STEPS
    copies = has_sentences + bool(replay.log)
    room = MOST_BYTES - len(chart) - len(numbers) - STEP_BYTES * len(replay.steps)
    room -= copies * sum(len(block) for blocks in sentences for block in blocks)
    fields, is_short = fields_html(replay, writer, room)
    steps = [
        {"field": field, "happened": blocks if has_sentences else []}
        for field, blocks in zip(fields, sentences, strict=True)
    ]
    return {
        "chart": chart,
        "numbers": numbers,
        "turns": [step_link(turn.step, turn.place) for turn in replay.curve.turning_points],
        "battles": replay.curve.battles,
        "steps": steps if replay.has_field else [],
        "is_short": is_short,
        "fight": replay.deployment + 1 if replay.deployment > 1 else 0,
        "story": story_html(replay, replay.story) if replay.story else [],
    }


def fields_html(replay: Replay, writer: BattleHtml, room: int) -> tuple[list[list[Markup]], bool]:
    """Return the field after each step, and True if that is in the short form, as there is too little room.

    The room is in bytes; it is also for the drawings of the cards.
    """
    deck, drawn = writer.deck, len(writer.deck.drawn)
    board = BoardHtml(writer, replay, is_short=False)
    fields = [board.field(step) for step in replay.steps]
    if sum(len(block) for field in fields for block in field) + len(deck.symbols()) <= room:
        return fields, False
    deck.forget_after(drawn)
    board = BoardHtml(writer, replay, is_short=True)
    return [board.field(step) for step in replay.steps], True


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
