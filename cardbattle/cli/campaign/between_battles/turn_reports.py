"""Write the reports of `campaign advance --reports` at the end of a turn."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from cardbattle.cli.campaign.between_battles.report import (
    ReportOptions,
    curves_of,
    odds_of_report,
    plan_report,
    report_document,
)
from cardbattle.cli.campaign.shared import campaign_command, read_only
from cardbattle.cli.output import message
from cardbattle.core.names import as_typed
from cardbattle.files import disk
from cardbattle.show.writers.formats import render

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.cli.run import Printer

EVERYBODY = "public"
MISSING = (
    "turn {} is over, but some reports are not written; write them with these commands (--no-chances leaves "
    "out the chances, which can take minutes):"
)


def check_reports_folder(folder: str) -> None:
    """Raise SystemFailure if `folder` cannot be the folder of reports, without creating it."""
    existing = os.path.abspath(folder)
    while not os.path.lexists(existing):
        existing = os.path.dirname(existing)
    if not os.path.isdir(existing):
        disk.refuse(folder, NotADirectoryError(errno.ENOTDIR, ""))
    if not os.access(existing, os.W_OK):
        disk.refuse(folder, PermissionError(errno.EACCES, ""))


def write_turn_reports(
    at: str, campaign: Campaign, folder: str, turn: int, chances: bool | None, to: Printer
) -> None:
    """Write Markdown reports on a turn for the public and for each faction, and print their paths.

    The folder is created if necessary. If not all reports can be written, the commands that write the others
    are printed. Raises SystemFailure if a file cannot be written.
    """
    missing = {
        reader: os.path.join(folder, f"turn-{turn}-{reader}.md") for reader in (EVERYBODY, *campaign.factions)
    }
    try:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            disk.refuse(folder, error)
        books, ledger = read_only(at)
        plans = [
            plan_report(at, books, ledger, ReportOptions(turn=turn, reader=reader, chances=chances))
            for reader in missing
        ]
        known: dict[str, Advice] = {}
        for plan, curves in zip(plans, curves_of(at, plans, to), strict=True):
            reader, path = plan.wanted.reader, missing[plan.wanted.reader]
            odds = odds_of_report(plan, quiet=True, known=known)
            disk.write_text(path, render(report_document(plan, curves, odds), "md"))
            del missing[reader]
            to.message(f"wrote {path}")
    except BaseException:  # an interruption too
        message(MISSING.format(turn))
        option = {None: "", True: " --chances", False: " --no-chances"}[chances]
        for reader, path in missing.items():
            report = f"report --turn {turn} --for {reader}{option} -o {as_typed(path)}"
            message(f"  {campaign_command(at)} {report}")
        raise
