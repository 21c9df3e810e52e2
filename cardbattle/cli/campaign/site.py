"""campaign site: write the campaign as a static website."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.battles.seeds import is_guessable
from cardbattle.campaign.state.paths import campaign_of
from cardbattle.campaign.turn.chance_cache import CountJob, count_battles, live_digests
from cardbattle.campaign.turn.fighting import thinks
from cardbattle.campaign.turn.in_progress import battles_in_progress, progress_sentences
from cardbattle.campaign.visibility.reader import PUBLIC, visible_to
from cardbattle.cli import options
from cardbattle.cli.campaign.shared import ForReader, Where, discreet, read_only, reader_named
from cardbattle.cli.campaign.show import GUESSABLE, odds_of_pending
from cardbattle.cli.output import bar, message
from cardbattle.cli.run import CommandGroup, option_group
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean
from cardbattle.core.telling import counted
from cardbattle.simulation.workers import workforce
from cardbattle.site.book import SiteBook, drawing_of, seats_of_reader, unplaceable
from cardbattle.site.build import SitePlan, make_site, open_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.chance_cache import CountedBattle
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.site.build import SiteChanges

COMMANDS = CommandGroup()
SITE = "site"  # default folder, inside the campaign's
LAST_COUNTED = 20  # number of battles whose chances are counted by default


@option_group
class SiteOptions(NamedTuple):
    """The reader of a site, and what it contains."""

    chances: Annotated[
        bool | None,
        typer.Option(
            "--chances/--no-chances",
            help="Count the chances of all battles, or of none.  [default: the last 20 not counted yet]",
        ),
    ] = None
    records: Annotated[
        bool,
        typer.Option("--records", help="Include each battle's full record, with its seed and hidden cards."),
    ] = False
    reader: ForReader = ""
    jobs: options.Jobs = None


@COMMANDS.command("cardbattle campaign site\ncardbattle campaign site --chances")
def site_command(
    home: Where,
    wanted: SiteOptions,
    into: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER",
            help="Folder to write.  [default: site in the campaign's folder, or site-FACTION with --for]",
        ),
    ] = "",
    quiet: options.Quiet = False,
) -> None:
    """Write the campaign as a static website.

    The site has a front page with a map, pages of turns, factions, forces, places and battles, and an Atom
    feed. It needs no network and no scripts. Only changed pages are written again. Without --for, it shows
    what everyone may know.
    """
    at = home.path
    with discreet(wanted.reader):
        books, ledger = read_only(at, keep=True)
        visible = visible_to(books.campaign, ledger, reader_named(books.campaign, wanted.reader, PUBLIC))
        drawing = drawing_of(books.campaign)
    to = site_folder(into, at, visible)
    warn_of_seed(books.campaign, visible, wanted)
    if drawing and (lost := unplaceable(visible.campaign, drawing)):
        message(f"cardbattle: warning: {lost}")
    book = SiteBook(visible, books.campaign, drawing)
    progress = progress_sentences(visible.campaign, battles_in_progress(visible.campaign))
    open_site(book, to)
    with workforce(wanted.jobs) as (hands, workers):
        counts: Mapping[str, CountedBattle | None] = {}
        odds: Mapping[str, str] = {}
        if wanted.chances is not False:
            jobs = jobs_of(book, at)
            with bar(quiet) as tick:
                most = None if wanted.chances else LAST_COUNTED
                counts = count_battles(at, jobs, hands, workers, tick, most, live_digests(ledger))
            odds = pending_odds(visible, bool(wanted.chances), quiet)
            if len(counts) < len(jobs):
                left = counted(len(jobs) - len(counts), "battle")
                message(f"{left} without chances; --chances counts them", quiet)
        with bar(quiet, "pages") as tick:
            plan = SitePlan(book, at, counts, odds, wanted.records, progress)
            changes = make_site(plan, to, hands, workers, tick)
    message(describe_site(changes, to, book.reader), quiet)


def warn_of_seed(campaign: Campaign, visible_campaign: VisibleCampaign, wanted: SiteOptions) -> None:
    """Warn of a guessable seed before players get records, because they could test guesses with them."""
    if wanted.records and not visible_campaign.is_whole and is_guessable(campaign.seed):
        message(f"cardbattle: warning: {GUESSABLE}")


def site_folder(folder: str, campaign: str, visible_campaign: VisibleCampaign) -> str:
    """Return the folder to write to, named after the reader by default.

    Raises UsageError if it is one of the campaign's own files.
    """
    reader = "umpire" if visible_campaign.is_whole else visible_campaign.reader
    path = folder or os.path.join(campaign, f"{SITE}-{reader}" if reader else SITE)
    if campaign_of(os.path.join(path, "index.html")):
        raise UsageError(f"{clean(path)} is part of a campaign; name another folder")
    return path


def jobs_of(book: SiteBook, folder: str) -> dict[str, CountJob]:
    """Return the simulation jobs of the valid battles, by the digests of their records, in order."""
    heads = book.visible.ledger.heads
    jobs = [
        CountJob(folder, head.record, head.digest, seat)
        for battle, seat in seats_of_reader(book)
        if (head := heads[battle.entry.revision - 1]).record
    ]
    return {job.digest: job for job in jobs}


def pending_odds(visible_campaign: VisibleCampaign, is_asked: bool, quiet: bool) -> dict[str, str]:
    """Return the odds of pending battles as text, for battles that the reader knows completely.

    Battles whose commanders think ahead are counted only on request, because their result depends on the
    time.
    """
    campaign = visible_campaign.countable
    pending = [entry for entry in campaign.pending if is_asked or not thinks(campaign, entry)]
    return {
        battle: entry.words() for battle, entry in odds_of_pending(campaign, pending, None, quiet).items()
    }


def describe_site(site_changes: SiteChanges, folder: str, reader: str) -> str:
    """Describe the changes to the site's files in a sentence."""
    removed = f", {site_changes.removed} removed" if site_changes.removed else ""
    files = (
        f"{counted(site_changes.files, 'file')} for {clean(reader)}, {site_changes.written} written{removed}"
    )
    return f"{clean(os.path.relpath(folder))}: {files}; open index.html in it"
