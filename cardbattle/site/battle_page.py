"""Write the page of a battle, which has the story, the replay, the log and the record.

Several processes write pages at the same time. The inputs of a page are therefore sent to a process as a job,
which has plain values and the name of the record to replay.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from cardbattle.battles.records.record import Record, dumps_table, record_digest
from cardbattle.battles.records.replay import whole_refight
from cardbattle.campaign.ledger.history import record_in
from cardbattle.campaign.visibility.reader import view_for
from cardbattle.campaign.visibility.redaction import Clearance
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import clean
from cardbattle.core.telling import TALE
from cardbattle.files import generated_file
from cardbattle.show.battle_text import names_of
from cardbattle.show.bidi import words_html
from cardbattle.show.document import BattleReport
from cardbattle.show.replay import replay_of
from cardbattle.show.svg.deck import Deck
from cardbattle.show.writers.battle_html import BattleHtml
from cardbattle.show.writers.html import description, environment, replay_script, replay_values
from cardbattle.simulation.turning_points import NO_CURVE, Curve
from cardbattle.site.parts import nav_html
from cardbattle.story.story import Story, tell_story

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.story.stakes import Stakes

UMPIRES = ("bound", "digest")  # keys of a record that only the umpire may see: they reveal strengths


class BattleJob(NamedTuple):
    """The inputs for the page of one battle.

    Attributes:
        then: what the reader knew of the forces before the battle, or None for the umpire.
        sides: the forces of each side, by the keys that they have today.
        tints: the colour number of each side.
        stakes: what the reader may know about the battle in its campaign, for the story.
        ended: the result and the losses, for link previews.
        umpires_text: the umpire's own text about the battle, for a page without a replay, or "".
        address: the address at which the page will be published, or "" if it is unknown.
        preview: the picture of the battle for link previews as SVG, or "" for no picture.
        lead: the HTML above the story or log.
        after: the HTML below the story or log.
        previous, following: links to the previous and the next battle as HTML, or "" if it does not exist.
        source: a digest of the inputs with 16 digits.

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
    ended: str
    umpires_text: str
    address: str
    preview: str
    lead: str
    after: str
    previous: str
    following: str
    curve: Curve | None
    has_record: bool
    source: str

    @property
    def path(self) -> str:
        return os.path.join(self.site, "battles", f"{self.id}.html")

    @property
    def record_path(self) -> str:
        return os.path.join(self.site, "battles", f"{self.id}.toml")

    @property
    def kinds(self) -> list[str]:
        """The file name endings of the files about this battle."""
        return ["html", *(["toml"] if self.has_record else []), *(["svg"] if self.preview else [])]

    def is_up_to_date(self) -> bool:
        """Return True if all files about the battle exist and were made from the same inputs."""
        paths = [f"{self.path.removesuffix('html')}{kind}" for kind in self.kinds]
        return all(generated_file.source_at(path) == self.source for path in paths)


def with_source(job: BattleJob, layout: str) -> BattleJob:
    """Return a job with the digest of its inputs and of the layout."""
    return job._replace(
        source=generated_file.digest_of(layout, repr(job._replace(site="", campaign="", source="")))
    )


def write_battle_pages(jobs: Sequence[BattleJob]) -> int:
    return sum(map(write_battle_page, jobs))


def write_battle_page(job: BattleJob) -> int:
    """Write the page of a battle, and return the number of files that changed.

    The preview picture and the record are also written if they are published. Raises InvalidInput if the site
    did not write the existing file with this name. Raises OSError if a file cannot be written.
    """
    record = record_in(job.campaign, job.record) if job.record else None
    written = 0 + generated_file.put(
        job.path, generated_file.add_stamp(job.path, battle_html(job, record), job.source)
    )
    if job.preview:
        path = f"{job.path.removesuffix('html')}svg"
        written += generated_file.put(path, generated_file.add_stamp(path, job.preview, job.source))
    if record is None or not job.has_record:
        return int(written)
    text = dumps_table(record.table if job.then is None else public_table(record))
    return written + generated_file.put(
        job.record_path, generated_file.add_stamp(job.record_path, text, job.source)
    )


def public_table(record: Record) -> dict[str, object]:
    """Return the table of a record for players, without the data that bind it to the campaign."""
    table = {word: value for word, value in record.table.items() if word not in UMPIRES}
    return {**table, "digest": record_digest(table)}


def battle_html(job: BattleJob, record: Record | None) -> str:
    """Return the page of a battle.

    Without a record that can be replayed, the page has the umpire's own text in place of the story.
    """
    values: dict[str, object] = {
        "campaign": clean(job.name),
        "title": clean(job.title),
        "description": description(job.ended),
        "kind": "article",
        "address": job.address,
        "picture": f"{job.address.removesuffix('html')}svg" if job.preview else "",
        "heading": words_html(clean(job.title)),
        "root": "../",
        "lead": Markup(job.lead),
        "umpires_text": job.umpires_text,
        "after": Markup(job.after),
        "ways": nav_html([Markup(link) for link in (job.previous, job.following) if link]),
        "deck": Markup(""),
        "battle": None,
        "record": f"{job.id}.toml" if record is not None and job.has_record else "",
        "story": Markup(""),
        "script": Markup(""),
        "script_hash": "",
    }
    if record is not None:
        with suppress(CardbattleError):  # the ledger has the result, which the page shows anyway
            values |= battle_facts(job, record)
    return environment().get_template("site_battle.html").render(values)


def battle_facts(job: BattleJob, record: Record) -> dict[str, object]:
    """Return the template's values from a record. Raises ReplayMismatch if the record cannot be replayed."""
    again = whole_refight(record, keeps_boundaries=True)
    report = view_for(record, job.then, job.sides).report(again.referee)._replace(id="")
    deck = Deck()
    writer = BattleHtml(names_of(report), report.rules.key, deck, job.tints)
    replay = replay_of(record, report, TALE, story_of(job, report), again)._replace(
        curve=job.curve or NO_CURVE
    )
    battle = replay_values(BattleReport(report, TALE), replay, writer, Markup(job.following))
    script, source = replay_script() if replay.has_field else (Markup(""), "")
    return {"battle": battle, "deck": deck.symbols(), "script": script, "script_hash": source}


def story_of(job: BattleJob, report: Report) -> Story:
    """Return the umpire's story of the battle. If the umpire wrote no story, return a generated one."""
    if job.stakes.written:
        return Story([job.stakes.written], ())
    return tell_story(report, job.stakes, curve=job.curve)
