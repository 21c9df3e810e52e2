"""Write the reports of `campaign advance --reports` at the end of a turn."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from cardbattle.cli.campaign.between_battles.report import ReportOptions, report_document
from cardbattle.files import disk
from cardbattle.show.writers.formats import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.cli.run import Printer

EVERYBODY = "public"


def check_reports_folder(folder: str) -> None:
    """Raise SystemFailure if `folder` cannot be the folder of reports, without creating it."""
    existing = os.path.abspath(folder)
    while not os.path.lexists(existing):
        existing = os.path.dirname(existing)
    if not os.path.isdir(existing):
        disk.refuse(folder, NotADirectoryError(errno.ENOTDIR, ""))
    if not os.access(existing, os.W_OK):
        disk.refuse(folder, PermissionError(errno.EACCES, ""))


def write_turn_reports(at: str, campaign: Campaign, folder: str, turn: int, to: Printer) -> Iterator[str]:
    """Write Markdown reports on a turn for the public and for each faction. Yield the path of each report.

    The folder is created if necessary. Raises SystemFailure if a file cannot be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        disk.refuse(folder, error)
    for reader in (EVERYBODY, *campaign.factions):
        path = os.path.join(folder, f"turn-{turn}-{reader}.md")
        wanted = ReportOptions(turn=turn, reader=reader)
        disk.write_text(path, render(report_document(at, wanted, to), "md"))
        yield path
