"""Show the replay of a battle as HTML: the chances, the bar, the field after each step, and the story.

If the browser runs no scripts, links lead from step to step, and the address names the step. If it does,
`replay.js` changes the chances, the bar, the field and the story together.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, cast

from markupsafe import Markup, escape

from cardbattle.core.grammar import Noun, capital
from cardbattle.core.names import clean
from cardbattle.core.telling import Card, Grid, Heading, Line, Name
from cardbattle.show.battle_text import card_piece, is_bare, is_face_down
from cardbattle.show.bidi import words_html
from cardbattle.show.board_changes import PlaceChange
from cardbattle.show.svg.charts import Axes, Figures, Trace, drawing, figures_html, legend
from cardbattle.show.svg.deck import EMPTY
from cardbattle.show.svg.map_marks import letters_of
from cardbattle.show.writers.battle_html import MANY, TINTS, BattleHtml, has_long_word, holds_cards
from cardbattle.show.writers.packing import pack
from cardbattle.story.naming import side_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cardbattle.core.telling import Block, Part, Parts
    from cardbattle.show.board_changes import Changes
    from cardbattle.show.replay import Replay, ReplayStep
    from cardbattle.simulation.turning_points import Curve, TurningPoint
    from cardbattle.story.story import Story

    Head = tuple[tuple[Part, ...], ...]

QUARTERS = [(part / 4, f"{25 * part}%") for part in range(5)]
MANY_CARDS = 250  # if all fields have more cards, they are shown as text to keep the page small
NOTHING = Markup("")
UNCHANGED = PlaceChange([], [])
FIGHTING = ">"  # before a card that has gone forward to fight
MOST_BYTES = 86_000  # maximum size of chances, steps, drawings and log; a page then has at most 120 kB
MOST_SENTENCES = 3  # maximum number of sentences about a turning point
MANY_STEPS = 60  # if there are more steps, their sentences are only in the log


class BoardHtml(BattleHtml):
    """Writes the fields of a replay in few bytes, because there are many.

    End tags that HTML does not need are left out.
    """

    def __init__(self, writer: BattleHtml, replay: Replay, *, is_compact: bool) -> None:
        names = board_names(writer.names)
        super().__init__(names, writer.kind, writer.deck, writer.tints, is_compact=is_compact)
        self.draws_cards = not has_many_cards(replay)
        self.drawn = columns_of_cards(replay)
        keys = [name.casefold().removeprefix("the ") for name in names]
        keys = keys if len({*keys}) == len(keys) else [str(name) for name in names]
        letters = letters_of(keys)  # because a column of cards is too narrow for a name
        self.letters = [
            f'<abbr class="side{tint % TINTS}" title="{escape(name)}">{escape(letters[key])}</abbr>'
            for name, key, tint in zip(names, keys, self.tints, strict=True)
        ]
        self.has_letters = any(map(holds_side, cells_of(replay)))
        self.heads: dict[Head, str] = {}
        self.rows: dict[int, str] = {}  # the HTML without marks, by the `id` of the row
        self.cells: dict[tuple[int, bool], str] = {}  # the same, by the `id` of the cell and `is_drawn`

    def field(self, step: ReplayStep) -> list[str]:
        """Return the field after a step. The cards that changed are marked."""
        return [self.block(number, block, step.changes) for number, block in enumerate(step.field)]

    def block(self, number: int, block: Block, changes: Changes) -> str:
        """Return the block of the field that has the index `number`."""
        if not isinstance(block, Grid):
            return block_html(block, self, changes.get((number, -1, -1), UNCHANGED).marks)
        changed: dict[int, dict[int, PlaceChange]] = {}
        for (n, row, column), change in changes.items():
            if n == number:
                changed.setdefault(row, {})[column] = change
        is_drawn = bool(self.drawn[head_of(block)])
        rows = [
            self.row(row, is_drawn, changed[n]) if n in changed else self.plain_row(row, is_drawn)
            for n, row in enumerate(block.rows)
        ]
        body = "".join(f"<tr>{row}\n" for row in rows)
        return f"{self.table_head(block)}{body}</table>"

    def table_head(self, grid: Grid) -> str:
        """Return the HTML of a grid up to its first row."""
        head = head_of(grid)
        if head not in self.heads:
            drawn = self.drawn[head]
            kinds = ["laid"] * bool(drawn) + ["many"] * (len(head) > MANY)
            cells = [f"<th{narrow(grid, n, drawn)}>{self.said(cell)}" for n, cell in enumerate(grid.head)]
            self.heads[head] = f'<table class="{" ".join(kinds)}">\n<thead><tr>{"".join(cells)}\n<tbody>'
        return self.heads[head]

    def plain_row(self, row: Sequence[Parts], is_drawn: bool) -> str:
        """Return a row without marks."""
        if id(row) not in self.rows:
            self.rows[id(row)] = self.row(row, is_drawn, {})
        return self.rows[id(row)]

    def row(self, row: Sequence[Parts], is_drawn: bool, changes: Mapping[int, PlaceChange]) -> str:
        """Return a row of a grid. `changes` maps the numbers of columns to the changes of their cells."""
        label, *cells = row
        places = [
            self.place(cell, is_drawn, changes[column]) if column in changes else self.plain(cell, is_drawn)
            for column, cell in enumerate(cells, 1)
        ]
        return "<td>".join([self.label(label), *places])

    def plain(self, cell: Parts, is_drawn: bool) -> str:
        """Return a cell without marks. It is written once, because steps share equal cells."""
        key = (id(cell), is_drawn)
        if key not in self.cells:
            self.cells[key] = self.place(cell, is_drawn, UNCHANGED)
        return self.cells[key]

    def label(self, label: Parts) -> str:
        """Return the label of a row. A label that is only the name of a side has the side's colour."""
        if len(label) == 1 and isinstance(label[0], Name):
            seat = label[0].seat
            letters = f"{self.letters[seat]} " if self.has_letters else ""
            name = self.names[seat]
            kind = f"side{self.tints[seat] % TINTS}{' long' if has_long_word(name) else ''}"
            return f'<th class="{kind}">{letters}{words_html(name)}'
        return f"<th>{self.said(label)}"

    def place(self, cell: Parts, is_drawn: bool, change: PlaceChange) -> str:
        """Return a cell with its changes. Cards that left the cell are still shown in it, but faded."""
        fights = "fights" if len(cell) > 1 and cell[0] == FIGHTING else ""
        if change is UNCHANGED and not fights:
            return self.cell(cell, is_drawn)
        marks = iter(change.marks or [""] * len(cell))
        cards = [
            self.card_with_mark(part, f"{next(marks)} {fights}".strip())
            if isinstance(part, Card)
            else self.cell([part], is_drawn)
            for part in cell[1 if fights else 0 :]
            if part != " " and not (part == EMPTY and change.gone)
        ]
        return "".join([*cards, *map(self.gone_card, change.gone)])

    def card_with_mark(self, card: Card, mark: str) -> str:
        if self.draws_cards:
            drawn = str(self.deck.card(card.text, self.kind))
            return drawn.replace('class="pc"', f'class="pc {mark}"') if mark else drawn
        suit, text = chip_of(card)
        return f'<b class="{suit} {mark}">{text}</b>' if mark else f"<b class={suit}>{text}</b>"

    def gone_card(self, card: Card) -> str:
        """Return a card that left its place. A screen reader says that the card left."""
        if self.draws_cards:
            return self.card_with_mark(card, "gone").replace('aria-label="', 'aria-label="left: ')
        suit, text = chip_of(card)
        return f"<s class={suit}>{text}</s>"

    def cell(self, parts: Parts, is_drawn: bool) -> str:
        """Return a cell. A side is its letters. If cards are not drawn, each card is text in a frame."""
        if is_drawn and holds_side(parts):
            return self.letters[cast("Name", parts[0]).seat]
        if self.draws_cards or not is_drawn:
            return super().cell(parts, is_drawn)
        if parts == [EMPTY]:
            return "<i></i>"
        if is_face_down(parts):
            return "<b>?</b>" * len(str(parts[0]))
        pieces = [
            self.card_with_mark(part, "") if isinstance(part, Card) else self.said([part])
            for part in parts
            if part != " "
        ]
        return "".join(pieces)


def holds_side(cell: Parts) -> bool:
    return len(cell) == 1 and isinstance(cell[0], Name)


def cells_of(replay: Replay) -> Iterator[Parts]:
    """Yield the cells of all fields, without the labels of rows."""
    rows = {
        id(row): row
        for step in replay.steps
        for grid in step.field
        if isinstance(grid, Grid)
        for row in grid.rows
    }
    for _, *cells in rows.values():
        yield from cells


def head_of(grid: Grid) -> Head:
    return tuple(tuple(cell) for cell in grid.head)


def columns_of_cards(replay: Replay) -> Mapping[Head, set[int]]:
    """Return the columns that show cards in any step. The keys are the heads of the grids."""
    columns: defaultdict[Head, set[int]] = defaultdict(set)
    seen: set[int] = set()  # the `id` of each row, because steps share equal rows
    for step in replay.steps:
        for grid in step.field:
            if isinstance(grid, Grid):
                known = columns[head_of(grid)]
                for row in grid.rows:
                    if id(row) not in seen:
                        known |= {n for n, cell in enumerate(row) if n not in known and holds_cards(cell)}
                seen.update(map(id, grid.rows))
    return columns


def narrow(grid: Grid, column: int, drawn: set[int]) -> str:
    """Return the CSS class of a narrow column, or "".

    A column is narrow if it has numbers or words and its grid also has columns of cards.
    """
    is_narrow = column and drawn and column not in drawn and not is_bare(grid.head[column])
    return ' class="few"' if is_narrow else ""


def chip_of(card: Card) -> tuple[str, str]:
    """Return the suit and the text of a card for HTML."""
    piece = card_piece(card.text)
    return piece.suit or "S", str(escape(piece.text))


def replay_facts(
    replay: Replay, writer: BattleHtml, log: int = 0, verdict: Markup = NOTHING, onward: Markup = NOTHING
) -> dict[str, object]:
    """Return the values of a replay for the template. `steps` is empty if the replay has no field to show.

    The last step has the `verdict`, links to the turning points, and `onward`, a link to the next battle.
    `log` is the size of the log in bytes. If the page would be too large, `steps` has only the last step, and
    `packed` has all steps in compressed form for `replay.js`. Then `size` is the number of bytes without the
    log.
    """
    chart, numbers = chances_html(replay.curve, len(replay.steps), writer)
    deck, drawn = writer.deck, len(writer.deck.drawn)
    ending = ending_html(replay, verdict, onward)
    steps, packed = steps_html(replay, writer, ending), ""
    size = log + byte_count([chart, numbers, deck.symbols(), *steps])
    if replay.has_field and not fits(size):
        deck.forget_after(drawn)
        steps = steps_html(replay, writer, ending, is_packed=True)
        packed, steps = pack("".join(steps)), steps[-1:]
        size = byte_count([chart, numbers, deck.symbols(), packed, *steps])
    return {
        "chart": chart,
        "numbers": numbers,
        "turns": [turn_html(turn, replay, writer) for turn in replay.curve.turning_points],
        "battles": replay.curve.battles,
        "steps": Markup("".join(steps) if replay.has_field else ""),
        "count": len(replay.steps),
        "packed": Markup(packed),
        "packed_log": Markup(""),
        "size": size,
        "story": story_html(replay, replay.story) if replay.story else [],
    }


def fits(size: int) -> bool:
    """Return True if a page has room for this number of bytes."""
    return size <= MOST_BYTES


def ending_html(replay: Replay, verdict: Markup, onward: Markup) -> tuple[Markup, Markup]:
    """Return the first and the last paragraph of the last step, or "" if they have no content."""
    turns = Markup(", ").join(
        step_link(turn.step, f"step {turn.step}") for turn in replay.curve.turning_points
    )
    turned = Markup("It turned at {}. ").format(turns) if turns else NOTHING
    first = Markup('<p class="verdict">{}</p>').format(verdict) if verdict else NOTHING
    last = Markup('<p class="facts">{}{}</p>').format(turned, onward) if turned or onward else NOTHING
    return first, last


def steps_html(
    replay: Replay, writer: BattleHtml, ending: tuple[Markup, Markup], *, is_packed: bool = False
) -> list[str]:
    """Return the steps as HTML. `ending` has the first and the last paragraph of the last step.

    If there are many steps, or if they are packed, only the log has their sentences. Packed steps have no
    links to each other, because `replay.js` shows them.
    """
    has_sentences = not replay.log or (len(replay.steps) <= MANY_STEPS and not is_packed)
    board = BoardHtml(writer, replay, is_compact=is_packed)
    fight = replay.deployment + 1 if replay.deployment > 1 else 0
    steps = []
    for number, step in enumerate(replay.steps, 1):
        first, last = ending if number == len(replay.steps) else (NOTHING, NOTHING)
        parts: list[str] = [*board.field(step), *([first] if first else [])]
        if has_sentences and step.happened:
            sentences = [block_html(block, writer) for block in step.happened]
            parts += ['<div class="happened">', *sentences, "</div>"]
        if last:
            parts.append(last)
        if number < fight:
            parts.append(f'<p class="skip"><a href="#step={fight}">Skip the deployment</a></p>')
        if is_packed:
            steps.append(f'<div class="step">{"".join(parts)}</div>')
        else:
            inside = "\n".join([turner(number, len(replay.steps)), *parts])
            steps.append(f'<div class="step" id="step={number}">\n{inside}\n</div>\n')
    return steps


def turner(number: int, count: int) -> str:
    """Return links from step `number` to the previous and the next step. There are `count` steps."""
    back = f'<a href="#step={number - 1}">previous</a>' if number > 1 else ""
    on = f'<a href="#step={number + 1}">next</a>' if number < count else ""
    return f'<p class="turner">{back}{on}</p>'


def byte_count(texts: Iterable[str]) -> int:
    """Count the bytes of strings in UTF-8."""
    return sum(len(text.encode()) for text in texts)


def has_many_cards(replay: Replay) -> bool:
    """Return True if the fields of all steps have more than `MANY_CARDS` cards and empty cells."""
    counts: dict[int, int] = {}  # by the `id` of each row, because steps share equal rows
    total = 0
    for row in (
        row for step in replay.steps for grid in step.field if isinstance(grid, Grid) for row in grid.rows
    ):
        if id(row) not in counts:
            cards = sum(isinstance(part, Card) for cell in row for part in cell)
            counts[id(row)] = cards + sum(cell == [EMPTY] for cell in row)
        total += counts[id(row)]
        if total > MANY_CARDS:
            return True
    return False


def board_names(names: Sequence[str]) -> list[str]:
    """Return names that fit beside a field. They are shortened if the short name is clear, and capitalised.

    >>> board_names(["The Malpas archers", "Prince Henry"])
    ['The archers', 'Henry']
    """
    return [Noun(capital(side.short), side.plural) for side in side_names(names)]


def block_html(block: Block, writer: BattleHtml, marks: Sequence[str] = ()) -> str:
    """Return a block as HTML: a grid with its cards drawn, a sentence, or a heading in bold.

    `marks` has the marks of the cards in a sentence (see `board_changes.PlaceChange`).
    """
    if isinstance(block, Grid):
        return writer.grid(block)
    words = writer.marked_sentence(block.parts, marks) if any(marks) else writer.said(block.parts)
    return f"<p><strong>{words}</strong></p>" if isinstance(block, Heading) else f"<p>{words}</p>"


def story_html(replay: Replay, story: Story) -> list[Markup]:
    """Return the sentences of a story. Each is a link to its step, unless the umpire wrote the story."""
    if not story.events:
        return [words_html(clean(story.text))]
    return [
        step_link(replay.step_of_event(event), clean(text))
        for text, event in zip(story.sentences, story.events, strict=True)
    ]


def turn_html(turn: TurningPoint, replay: Replay, writer: BattleHtml) -> Markup:
    """Return a link to a turning point, the change of the winner's chance, and what happened in this step."""
    happened = [block for step in replay.steps[turn.step - 1 : turn.step] for block in step.happened]
    lines = [block for block in happened if isinstance(block, Line)]
    sentences = Markup(" ").join(writer.said(line.parts) for line in lines[:MOST_SENTENCES])
    return Markup("{}: {} from {:.0f}% to {:.0f}%. {}").format(
        step_link(turn.step, turn.place), writer.said([Name(turn.side)]), turn.before / 10, turn.after / 10,
        sentences,
    )  # fmt: skip


def step_link(step: int, text: str) -> Markup:
    return Markup(f'<a class="to" href="#step={step}">{words_html(text)}</a>')


def chances_html(curve: Curve, steps: int, writer: BattleHtml) -> tuple[Markup, Markup]:
    """Draw the chances step by step.

    Return the drawing and a table of its numbers. Both are "" if the chances are unknown.
    """
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
