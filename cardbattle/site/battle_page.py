"""The page of a battle: chances, the field step by step, the tale, the record.

Several processes write pages, so a page's inputs are sent as a job: plain values, and the name of the record
to replay.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from cardbattle.battles.records.record import Record, dumps_table, record_digest
from cardbattle.battles.records.replay import refight
from cardbattle.battles.records.visible_steps import steps_seen
from cardbattle.campaign.ledger.history import record_in
from cardbattle.campaign.visibility.reader import RecordView, view_for
from cardbattle.campaign.visibility.redaction import Clearance
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import clean
from cardbattle.core.telling import TALE, Grid, Heading
from cardbattle.files import generated_file
from cardbattle.show.battle_story import swings_of
from cardbattle.show.battle_text import carrying, is_shown, names_of
from cardbattle.show.bidi import words_html
from cardbattle.show.document import BattleReport
from cardbattle.show.svg.charts import Axes, Figures, Trace, line_chart
from cardbattle.show.svg.deck import Deck
from cardbattle.show.writers.battle_html import BattleHtml
from cardbattle.show.writers.html import QUARTERS, environment, tale_values
from cardbattle.simulation.turning_points import Curve
from cardbattle.story.story import tell_story

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.core.telling import Block
    from cardbattle.story.stakes import Stakes

UMPIRES = ("bound", "digest")  # the umpire's part of a record: it shows strengths


class BattleJob(NamedTuple):
    """The inputs of one battle's page.

    Attributes:
        then: what the reader knew of the forces before the battle; None for the umpire.
        sides: the forces of each seat, by today's keys.
        tints: the colour number of each seat.
        stakes: what the reader may know of the battle in its campaign, for its story.
        lead: HTML above the tale.
        after: HTML below the tale.
        source: digest of the inputs, 16 digits.

    """

    site: str
    campaign: str
    name: str
    id: str
    title: str
    record: str
    then: Clearance | None
    sides: list[list[str]]
    tints: list[int]
    stakes: Stakes
    lead: str
    after: str
    curve: Curve | None
    has_record: bool
    source: str

    @property
    def path(self) -> str:
        return os.path.join(self.site, "battles", f"{self.id}.html")

    @property
    def record_path(self) -> str:
        return os.path.join(self.site, "battles", f"{self.id}.toml")

    def is_up_to_date(self) -> bool:
        """Return True if the files exist and were made from the same inputs."""
        paths = [self.path, *([self.record_path] if self.has_record else [])]
        return all(generated_file.source_at(path) == self.source for path in paths)


def with_source(job: BattleJob, layout: str) -> BattleJob:
    """Return a job with the digest of its inputs and of the layout."""
    return job._replace(
        source=generated_file.digest_of(layout, repr(job._replace(site="", campaign="", source="")))
    )


def write_battle_pages(jobs: Sequence[BattleJob]) -> int:
    return sum(map(write_battle_page, jobs))


def write_battle_page(job: BattleJob) -> int:
    """Write a battle's page and, if published, its record; return the number of changed files.

    Raises InvalidInput if another file is in the way, OSError if a file cannot be written.
    """
    record = record_in(job.campaign, job.record) if job.record else None
    written = generated_file.put(
        job.path, generated_file.add_stamp(job.path, battle_html(job, record), job.source)
    )
    if record is None or not job.has_record:
        return int(written)
    text = dumps_table(record.table if job.then is None else public_table(record))
    return written + generated_file.put(
        job.record_path, generated_file.add_stamp(job.record_path, text, job.source)
    )


def public_table(record: Record) -> dict[str, object]:
    """Return a record's table for players, without the campaign's binding."""
    table = {word: value for word, value in record.table.items() if word not in UMPIRES}
    return {**table, "digest": record_digest(table)}


def battle_html(job: BattleJob, record: Record | None) -> str:
    """Return a battle's page; without a record that replays, only the result."""
    values: dict[str, object] = {
        "campaign": clean(job.name),
        "title": clean(job.title),
        "heading": words_html(clean(job.title)),
        "root": "../",
        "lead": Markup(job.lead),
        "after": Markup(job.after),
        "deck": Markup(""),
        "battle": None,
        "battles": job.curve.battles if job.curve else 0,
        "chart": Markup(""),
        "steps": [],
        "record": f"{job.id}.toml" if record is not None and job.has_record else "",
        "story": Markup(""),
        "narrative": "",
    }
    if record is not None:
        with suppress(CardbattleError):  # the ledger has the result, which the page shows anyway
            values |= replay_values(job, record)
    return environment().get_template("site_battle.html").render(values)


def replay_values(job: BattleJob, record: Record) -> dict[str, object]:
    """Return the template's values from a record; ReplayMismatch if it does not replay."""
    report = view_of(job, record).report(refight(record))._replace(id="")
    steps = [*field_steps(record, report)]
    deck = Deck()
    writer = BattleHtml(names_of(report), report.rules.key, deck, job.tints)
    blocks = carrying([(0, block) for step in steps for block in step.blocks])
    battle = tale_values(BattleReport(report, TALE), blocks, writer)
    has_field = any(step.field for step in steps)
    return {
        "battle": battle,
        "narrative": words_html(clean(story_text(job, report))),
        "steps": [step_html(step, writer) for step in steps] if has_field else [],
        "chart": curve_chart(job.curve, names_of(report), job.tints) if job.curve else Markup(""),
        "deck": deck.symbols(),
    }


def story_text(job: BattleJob, report: Report) -> str:
    return job.stakes.written or tell_story(report, job.stakes, swings=swings_of(job.curve)).text


def view_of(job: BattleJob, record: Record) -> RecordView:
    return view_for(record, job.then, job.sides)


class FieldStep(NamedTuple):
    """One step of a battle: the public field after it, and the blocks that describe it."""

    field: list[Block]
    blocks: list[Block]

    @property
    def happened(self) -> list[Block]:
        """The blocks of text, without the grids."""
        return [block for block in self.blocks if not isinstance(block, Grid)]


def field_steps(record: Record, report: Report) -> Iterator[FieldStep]:
    """Yield the steps of a battle as a reader saw them; they have the numbers of its turning points.

    Raises ReplayMismatch at the first move that does not fit.
    """
    tale = record.rules.tale(record.setup)
    shown = 0
    for step in steps_seen(record, report.viewer):
        events = [event for _, event in report.events[shown : step.events]]
        shown = step.events
        blocks = [block for event in events for block in tale.describe(event)]
        yield FieldStep(record.rules.field(step.battle), [block for block in blocks if is_shown(block, TALE)])


def step_html(step: FieldStep, writer: BattleHtml) -> Markup:
    return Markup("\n".join(block_html(block, writer) for block in [*step.field, *step.happened]))


def block_html(block: Block, writer: BattleHtml) -> Markup:
    """Return one block: a grid with its cards drawn, a sentence, or a heading in bold."""
    if isinstance(block, Grid):
        return writer.grid(block)
    kind = "strong" if isinstance(block, Heading) else "span"
    return Markup(f"<p><{kind}>{writer.said(block.parts)}</{kind}></p>")


def curve_chart(curve: Curve, names: Sequence[str], tints: Sequence[int]) -> Markup:
    """Draw the chances step by step; return "" without points."""
    if not curve.points:
        return Markup("")
    traces = [
        Trace(name, tints[seat], [(point.step, point.chances[seat] / 1000) for point in curve.points])
        for seat, name in enumerate(names)
    ]
    rows = [[str(point.step), *(f"{chance / 10:.0f}%" for chance in point.chances)] for point in curve.points]
    marks = [(turn.step, f"turning point: {turn.place}") for turn in curve.turning_points]
    axes = Axes(QUARTERS, f"step {curve.points[0].step}", str(curve.points[-1].step), marks)
    return line_chart("Chance of winning, step by step", traces, axes, Figures(["after step", *names], rows))
