"""Show a recorded battle step by step.

A step has the field after it, the events that happened in it, the chances of the sides, and a part of the
story.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.records.visible_steps import steps_seen
from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import (
    AFTERWARDS,
    TALE,
    Card,
    Grid,
    Line,
    Name,
    clause,
    is_shown,
    skip_empty_sections,
    spaced,
)
from cardbattle.show.board_changes import field_changes
from cardbattle.simulation.turning_points import NO_CURVE, Curve

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.records.record import Record
    from cardbattle.battles.records.replay import Refight
    from cardbattle.core.telling import Block
    from cardbattle.show.board_changes import Changes
    from cardbattle.story.story import Story


class ReplayStep(NamedTuple):
    """One step of a battle as its reader saw it (see `battles.records.visible_steps`).

    Attributes:
        events: the number of visible events up to and including this step.
        field: the public field after the step.
        blocks: the log of the step.
        changes: the cards that arrived or left the field in this step.
        is_deployment: True if the step is before the fighting begins.

    """

    events: int
    field: list[Block]
    blocks: list[Block]
    changes: Changes
    is_deployment: bool

    @property
    def happened(self) -> list[Block]:
        """The log of the step without its grids, because the field shows them.

        For a deployment, it says what each side placed.
        """
        sentences: list[Block] = []
        for block in self.blocks:
            if not isinstance(block, Grid):
                sentences += [block] if is_shown(block, TALE) else []
            elif self.is_deployment:
                sentences += placements(block)
        return sentences


def placements(grid: Grid) -> Iterator[Line]:
    """Yield a sentence for each side whose cards a grid shows. It names the cards from left to right."""
    for label, *cells in grid.rows:
        cards = [card for cell in cells for card in cell if isinstance(card, Card)]
        if cards and isinstance(label[0], Name):
            yield Line(clause(label[0].seat, "places|place", " ", *spaced(cards), "."), "")


class Replay(NamedTuple):
    """A battle that can be shown step by step. Turning points refer to the same step numbers.

    Attributes:
        log: the blocks of the log, each with the number of its step. Steps are counted from 1.
        story: the story, if the page has one.
        curve: the chances by step. It has no points if the chances are unknown.

    """

    steps: Sequence[ReplayStep]
    log: Sequence[tuple[int, Block]]
    story: Story | None = None
    curve: Curve = NO_CURVE

    @property
    def has_field(self) -> bool:
        """True if there is a field to show after at least one step."""
        return any(step.field for step in self.steps)

    @property
    def deployment(self) -> int:
        """The number of steps before the fighting begins."""
        return sum(step.is_deployment for step in self.steps)

    @property
    def linked_steps(self) -> set[int]:
        """The steps to which the story and the turning points lead."""
        events = self.story.events if self.story else ()
        return {*map(self.step_of_event, events), *(turn.step for turn in self.curve.turning_points)}

    def step_of_event(self, event: int) -> int:
        """Return the step, from 1, of an event of the report. For the event -1, return 1."""
        at = bisect_left(self.steps, event + 1, key=lambda step: step.events)
        return max(min(at + 1, len(self.steps)), 1)


def replay_of(
    record: Record,
    report: Report,
    detail: int = TALE,
    story: Story | None = None,
    again: Refight | None = None,
) -> Replay:
    """Return the replay of a record for the reader of a report, with a story or a log at a level of detail.

    The steps have the sentences of the log at the level TALE, even if `detail` is lower, because readers need
    these sentences to understand the field. `again` is the finished replay of the record, if the caller has
    one already.

    Raises ReplayMismatch if the record cannot be replayed.
    """
    steps = [*field_steps(record, report, max(detail, TALE), again)]
    log = [(number, block) for number, step in enumerate(steps, 1) for block in step.blocks]
    return Replay(steps, skip_empty_sections(log), story)


def common_field(before: Sequence[Block], field: list[Block]) -> list[Block]:
    """Return a field that reuses the objects of the previous field where blocks, rows or cells are equal.

    When later steps compare or write fields, they can skip the objects that are shared.
    """
    return [common_block(*pair) for pair in zip(before, field, strict=False)] + field[len(before) :]


def common_block(before: Block, block: Block) -> Block:
    if before == block:
        return before
    if not (isinstance(before, Grid) and isinstance(block, Grid) and before.head == block.head):
        return block
    rows = [
        old if old == row else [cell if cell == new else new for cell, new in zip(old, row, strict=True)]
        for old, row in zip(before.rows, block.rows, strict=False)
    ]
    return Grid(before.head, [*rows, *block.rows[len(rows) :]], block.detail)


def field_steps(
    record: Record, report: Report, detail: int, again: Refight | None = None
) -> Iterator[ReplayStep]:
    """Yield the steps of a battle. The last step contains all remaining events."""
    tale = record.rules.tale(record.setup)
    tale.pace, tale.viewer = report.pace, NOBODY if report.viewer is None else report.viewer
    is_public = (report.viewer, report.pace) == (NOBODY, AFTERWARDS)
    logged = [tale.describe(event) for _, event in report.events]
    seen = [*steps_seen(record, report.viewer, again, logged if is_public else None)]
    shown = 0
    field: list[Block] = []
    for number, step in enumerate(seen, 1):
        until = step.events if number < len(seen) else len(report.events)
        blocks = chain(*logged[shown:until])
        shown = until
        before, field = field, common_field(field, record.rules.field(step.battle))
        log = [block for block in blocks if is_shown(block, detail)]
        yield ReplayStep(until, field, log, field_changes(before, field), step.is_deployment)
