"""Reports on a campaign for its players: on all of it, or on one turn."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cardbattle.campaign.turn.chance_cache import jobs_of_logs, known_curves
from cardbattle.campaign.visibility.reader import PUBLIC
from cardbattle.cli.campaign.shared import read_known
from cardbattle.files import disk
from cardbattle.show.battle_story import stories_of
from cardbattle.show.pages.campaign.report import report_page
from cardbattle.show.writers import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.show.document import Document

EVERYBODY = "public"


def report_document(at: str, reader: str, turn: int | None = None) -> Document:
    """Return the report that a reader may see, with the chronicle of one turn or of all.

    `reader` is a word of `--for`; empty for the public. Errors as `read_known`.
    """
    known = read_known(at, reader, PUBLIC)
    logs = known.logs(at)
    curves = known_curves(at, jobs_of_logs(known, at, logs))
    turning_points = {revision: curve.turning_points for revision, curve in curves.items()}
    return report_page(known, turning_points, stories_of(known, logs, curves), turn)


def write_turn_reports(at: str, campaign: Campaign, folder: str, turn: int) -> Iterator[str]:
    """Write a report on a turn for the public and for each faction as Markdown, and yield each path.

    Creates the folder. Raises SystemFailure if a file cannot be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        disk.refuse(folder, error)
    for reader in (EVERYBODY, *campaign.factions):
        path = os.path.join(folder, f"turn-{turn}-{reader}.md")
        disk.write_text(path, render(report_document(at, reader, turn), "md"))
        yield path
