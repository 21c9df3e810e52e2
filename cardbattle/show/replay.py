"""A recorded battle step by step: the field after each step, what happened, the chances, the story."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.records.visible_steps import steps_seen
from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import (
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
    from cardbattle.core.telling import Block
    from cardbattle.show.board_changes import Changes
    from cardbattle.story.story import Story


class ReplayStep(NamedTuple):
    """One step of a battle as its reader saw it (`battles.records.visible_steps`).

    Attributes:
        events: visible events up to and including this step.
        field: the public field after the step.
        blocks: the log of the step.
        changes: the cards of the field that changed.
        is_deployment: True before the fighting begins.

    """

    events: int
    field: list[Block]
    blocks: list[Block]
    changes: Changes
    is_deployment: bool

    @property
    def happened(self) -> list[Block]:
        """The log without its grids, which the field shows; a deployment says in words what was placed."""
        sentences: list[Block] = []
        for block in self.blocks:
            if not isinstance(block, Grid):
                sentences += [block] if is_shown(block, TALE) else []
            elif self.is_deployment:
                sentences += placements(block)
        return sentences


def placements(grid: Grid) -> Iterator[Line]:
    """Yield a sentence for each side whose cards a grid shows: what it placed, from left to right."""
    for label, *cells in grid.rows:
        cards = [card for cell in cells for card in cell if isinstance(card, Card)]
        if cards and isinstance(label[0], Name):
            yield Line(clause(label[0].seat, "places|place", " ", *spaced(cards), "."), "")


class Replay(NamedTuple):
    """A battle to step through; steps have the numbers of the turning points.

    Attributes:
        log: the blocks of the log, each with the number of its step, from 1.
        story: the story, if the page has one.
        curve: the chances by step; no points if they are not counted.

    """

    steps: Sequence[ReplayStep]
    log: Sequence[tuple[int, Block]]
    story: Story | None = None
    curve: Curve = NO_CURVE

    @property
    def has_field(self) -> bool:
        """True if there is a field to show after any step."""
        return any(step.field for step in self.steps)

    @property
    def deployment(self) -> int:
        """The number of steps before the fighting begins."""
        return sum(step.is_deployment for step in self.steps)

    def step_of_event(self, event: int) -> int:
        """Return the step, from 1, in which an event of the report happened; 1 for -1."""
        at = bisect_left(self.steps, event + 1, key=lambda step: step.events)
        return max(min(at + 1, len(self.steps)), 1)


def replay_of(record: Record, report: Report, detail: int = TALE, story: Story | None = None) -> Replay:
    """Return a record's replay for the reader of a report, with a log at a level of detail, or a story.

    The steps have at least the sentences of the log at its usual detail, which the field needs beside it.

    Raises ReplayMismatch if the record does not replay.
    """
    steps = [*field_steps(record, report, max(detail, TALE))]
    log = [(number, block) for number, step in enumerate(steps, 1) for block in step.blocks]
    return Replay(steps, skip_empty_sections(log), story)


def field_steps(record: Record, report: Report, detail: int) -> Iterator[ReplayStep]:
    """Yield the steps of a battle; the last one has all later events."""
    tale = record.rules.tale(record.setup)
    tale.pace, tale.viewer = report.pace, NOBODY if report.viewer is None else report.viewer
    seen = [*steps_seen(record, report.viewer)]
    shown = 0
    field: list[Block] = []
    for number, step in enumerate(seen, 1):
        until = step.events if number < len(seen) else len(report.events)
        blocks = [block for _, event in report.events[shown:until] for block in tale.describe(event)]
        shown = until
        before, field = field, record.rules.field(step.battle)
        log = [block for block in blocks if is_shown(block, detail)]
        yield ReplayStep(until, field, log, field_changes(before, field), step.is_deployment)
