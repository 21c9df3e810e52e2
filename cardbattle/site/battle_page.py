"""The page of a battle: how the chances went, the field to page through, the tale, the record.

Pages are made by as many processes as there are, so what a page needs goes to them as a job: plain words,
and which record to fight again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from cardbattle.battles.records.record import Record, dumps_table, record_digest
from cardbattle.battles.records.replay import Refight
from cardbattle.campaign.ledger.history import record_in
from cardbattle.campaign.visibility.reader import RecordView, view_for
from cardbattle.campaign.visibility.redaction import Clearance
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import clean
from cardbattle.core.telling import TALE, Grid, Heading
from cardbattle.files import generated_file
from cardbattle.show.battle_text import carrying, is_shown, names_of
from cardbattle.show.bidi import words_html
from cardbattle.show.document import ToldBattle
from cardbattle.show.svg.charts import Axes, Figures, Trace, line_chart
from cardbattle.show.svg.deck import Deck
from cardbattle.show.writers.battle_html import Scribe
from cardbattle.show.writers.html import QUARTERS, environment, tale_values
from cardbattle.simulation.trend import BATTLES, Trend

if TYPE_CHECKING:
    from cardbattle.core.telling import Block, Tale

UMPIRES = ("bound", "digest")  # what of a record is the umpire's: how strong the forces were


class BattleJob(NamedTuple):
    """The page of one battle: what it says besides its tale, and whence that comes.

    `then` says what its reader could know of the forces, None if they know everything; `sides` and
    `tints` are those of its seats as they are called and coloured today. `lead` and `after` are HTML
    that stands above and below the tale. `source` is what the page is made of, as 16 digits.
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
    lead: str
    after: str
    trend: Trend | None
    has_record: bool
    source: str

    @property
    def path(self) -> str:
        """Where the page stands."""
        return os.path.join(self.site, "battles", f"{self.id}.html")

    @property
    def record_path(self) -> str:
        """Where its record stands."""
        return os.path.join(self.site, "battles", f"{self.id}.toml")

    def is_made(self) -> bool:
        """Say whether the page stands there as it would be made now."""
        wanted = [self.path, *([self.record_path] if self.has_record else [])]
        return all(generated_file.source_at(path) == self.source for path in wanted)


def sourced(job: BattleJob, layout: str) -> BattleJob:
    """Return a job with the hash of all that goes into its page, and of how pages look."""
    return job._replace(
        source=generated_file.digest_of(layout, repr(job._replace(site="", campaign="", source="")))
    )


def write_battle_pages(jobs: Sequence[BattleJob]) -> int:
    """Write the pages of some battles, and return how many files were changed; errors as `write_battle_page`."""
    return sum(map(write_battle_page, jobs))


def write_battle_page(job: BattleJob) -> int:
    """Write the page of a battle, and its record if it is to be there; return how many files were changed.

    Refused if somebody's file is in the way; OSError as the system says.
    """
    record = record_in(job.campaign, job.record) if job.record else None
    written = generated_file.put(
        job.path, generated_file.stamped_file(job.path, page_of_battle(job, record), job.source)
    )
    if record is None or not job.has_record:
        return int(written)
    text = dumps_table(record.table if job.then is None else given_away(record))
    return written + generated_file.put(
        job.record_path, generated_file.stamped_file(job.record_path, text, job.source)
    )


def given_away(record: Record) -> dict[str, object]:
    """Return a record's table as it is given to players: whole, but for what the campaign bound it to."""
    table = {word: value for word, value in record.table.items() if word not in UMPIRES}
    return {**table, "digest": record_digest(table)}


def page_of_battle(job: BattleJob, record: Record | None) -> str:
    """Return the page of a battle; without a record, or one that does not fight again, only how it ended."""
    values: dict[str, object] = {
        "campaign": clean(job.name),
        "title": clean(job.title),
        "heading": words_html(clean(job.title)),
        "root": "../",
        "lead": Markup(job.lead),
        "after": Markup(job.after),
        "deck": Markup(""),
        "battle": None,
        "battles": BATTLES,
        "chart": Markup(""),
        "steps": [],
        "record": f"{job.id}.toml" if record is not None and job.has_record else "",
        "story": Markup(""),
    }
    if record is not None:
        with suppress(CardbattleError):  # the books have its result, and its page says that
            values |= told_values(job, record)
    return environment().get_template("site_battle.html").render(values)


def told_values(job: BattleJob, record: Record) -> dict[str, object]:
    """Return what a battle's page says out of its record; Differs if it does not fight again."""
    view = view_of(job, record)
    tale = record.rules.tale(record.setup)
    again = Refight(record)
    steps = [*steps_of(again, tale, view.seat)]
    report = view.report(again.referee)._replace(id="")
    deck = Deck()
    scribe = Scribe(names_of(report), report.rules.key, deck, job.tints)
    blocks = carrying([(0, block) for step in steps for block in step.told])
    battle = tale_values(ToldBattle(report, TALE), blocks, scribe)
    has_field = any(step.field for step in steps)
    return {
        "battle": battle,
        "steps": [step_html(step, scribe) for step in to_turn_to(steps)] if has_field else [],
        "chart": trend_chart(job.trend, names_of(report), job.tints) if job.trend else Markup(""),
        "deck": deck.symbols(),
    }


def view_of(job: BattleJob, record: Record) -> RecordView:
    """Return the record as the site's reader may see it."""
    return view_for(record, job.then, job.sides)


class FieldStep(NamedTuple):
    """One step of a battle: the field after it as anybody sees it, and what the reader is told of it."""

    field: list[Block]
    told: list[Block]

    @property
    def happened(self) -> list[Block]:
        """What is told of it in words."""
        return [block for block in self.told if not isinstance(block, Grid)]


def steps_of(again: Refight, tale: Tale, viewer: int | None) -> Iterator[FieldStep]:
    """Yield the steps of a battle as a viewer saw them, from its beginning on.

    It is fought again meanwhile; Differs names the first move that does not fit.
    """
    told = 0
    for _ in chain([0], again.steps(), [0]):  # at a table, answers left out may follow the last move
        events = [event for _, event in again.referee.events[told:]]
        told += len(events)
        seen = [event.all_seeing() if viewer is None else event.seen_by(viewer) for event in events]
        blocks = [block for event in seen if event is not None for block in tale.tell(event)]
        field = again.record.rules.field(again.referee.battle)
        yield FieldStep(field, [block for block in blocks if is_shown(block, TALE)])


def to_turn_to(steps: Iterable[FieldStep]) -> Iterator[FieldStep]:
    """Yield the steps at which there is something to see: the first, and those that bring anything new."""
    before: list[Block] | None = None
    for step in steps:
        if step.happened or step.field != before:
            yield step
        before = step.field


def step_html(step: FieldStep, scribe: Scribe) -> Markup:
    """Return a step: what lies where after it, and what happened."""
    return Markup("\n".join(block_html(block, scribe) for block in [*step.field, *step.happened]))


def block_html(block: Block, scribe: Scribe) -> Markup:
    """Return one block: a grid with its cards drawn, a sentence, or a heading in bold."""
    if isinstance(block, Grid):
        return scribe.grid(block)
    kind = "strong" if isinstance(block, Heading) else "span"
    return Markup(f"<p><{kind}>{scribe.said(block.parts)}</{kind}></p>")


def trend_chart(trend: Trend, names: Sequence[str], tints: Sequence[int]) -> Markup:
    """Return how the chances went as a chart."""
    traces = [
        Trace(name, tints[seat], [(made, shares[seat]) for made, shares in trend.points])
        for seat, name in enumerate(names)
    ]
    rows = [[str(made), *(f"{100 * share:.0f}%" for share in shares)] for made, shares in trend.points]
    marks = [(move, f"turning point: move {move}") for move in trend.turns]
    axes = Axes(QUARTERS, f"move {trend.points[0][0]}", str(trend.points[-1][0]), marks)
    return line_chart("Chances to win, move by move", traces, axes, Figures(["after move", *names], rows))
