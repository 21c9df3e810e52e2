"""The command `campaign site`, which writes the campaign as a static website."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.battles.seeds import is_guessable
from cardbattle.campaign.state.paths import campaign_of
from cardbattle.campaign.turn.chance_cache import CountJob, count_battles, live_digests
from cardbattle.campaign.turn.fighting import thinks
from cardbattle.campaign.turn.in_progress import battles_in_progress, progress_sentences
from cardbattle.campaign.visibility.reader import PUBLIC, visible_to
from cardbattle.cli import options
from cardbattle.cli.campaign.shared import ForReader, Where, discreet, read_only, reader_named
from cardbattle.cli.campaign.show import GUESSABLE, odds_of_pending
from cardbattle.cli.output import announcer, bar, message, progress
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import CommandGroup, option_group
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean
from cardbattle.core.telling import counted
from cardbattle.simulation.workers import workforce
from cardbattle.site.book import SiteBook, badges_of, drawing_of, seats_of_reader, unplaceable
from cardbattle.site.build import SitePlan, make_site, open_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.turn.chance_cache import CountedBattle
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.site.build import SiteChanges

COMMANDS = CommandGroup()
SITE = "site"  # default folder, inside the campaign's folder
LAST_COUNTED = 20  # number of battles whose chances are counted by default


def as_address(value: str) -> str:
    """Return a web address with a final slash, or "" for "". Raises UsageError for other texts."""
    if value and not re.fullmatch(r"https?://[^\s\"'<>?#]+", value):
        raise UsageError(
            f"--address {clean(value)}: expected a web address, such as https://example.org/war/"
        )
    return f"{value.rstrip('/')}/" if value else ""


@option_group
class SiteOptions(NamedTuple):
    """The options of `campaign site`, which set the reader of the site and its content."""

    chances: Annotated[
        bool | None,
        option(
            "--chances/--no-chances",
            "Simulate each side's chances during all battles in full, or during none.  "
            "[default: the last 20 that have no chances yet, and long battles in part]",
        ),
    ] = None
    records: Annotated[
        bool, option("--records", "Include each battle's full record, with its seed and hidden cards.")
    ] = False
    address: Annotated[
        str,
        option(
            "--address ADDRESS",
            "Address where the site will be published; previews of links in chats need it for pictures.",
            callback=as_address,
        ),
    ] = ""
    reader: ForReader = ""
    jobs: options.Jobs = None


@COMMANDS.command("cardbattle campaign site\ncardbattle campaign site --chances")
def site_command(
    home: Where,
    wanted: SiteOptions,
    into: Annotated[
        str,
        argument(
            "FOLDER",
            "Folder to write.  [default: site in the campaign's folder, or site-FACTION with --for]",
            callback=options.validate_folder,
        ),
    ] = "",
    quiet: options.Quiet = False,
) -> None:
    """Write the campaign as a static website.

    The site has a front page with news and a map, pages of turns, factions, forces, places and battles, a
    search page and an Atom feed. The site needs no network and no scripts. If the site already exists, only
    changed pages are written. Without --for, the site shows only what everyone may know.
    """
    at = home.path
    with discreet(wanted.reader):
        books, ledger = read_only(at)
        visible = visible_to(books.campaign, ledger, reader_named(books.campaign, wanted.reader, PUBLIC))
        drawing, badges = drawing_of(books.campaign), badges_of(books.campaign)
    to = site_folder(into, at, visible)
    warn_of_seed(books.campaign, visible, wanted)
    if drawing and (lost := unplaceable(visible.campaign, drawing)):
        message(f"cardbattle: warning: {lost}")
    book = SiteBook(visible, books.campaign, drawing, badges, wanted.address)
    in_progress = progress_sentences(visible.campaign, battles_in_progress(visible.campaign))
    open_site(book, to)
    with workforce(wanted.jobs) as (hands, workers):
        counts: Mapping[str, CountedBattle | None] = {}
        odds: Mapping[str, Advice] = {}
        if wanted.chances is not False:
            jobs = jobs_of(book, at, bool(wanted.chances))
            announce = announcer(quiet, "; --no-chances leaves the chances out")
            with progress(quiet, "battles", announce) as tick:
                most = None if wanted.chances else LAST_COUNTED
                counts = count_battles(at, jobs, hands, workers, tick, most, live_digests(ledger))
            odds = pending_odds(visible, bool(wanted.chances), quiet)
            if len(counts) < len(jobs):
                left = counted(len(jobs) - len(counts), "battle")
                message(f"{left} without chances; to calculate these, add --chances", quiet)
        with bar(quiet, "pages") as tick:
            plan = SitePlan(book, at, counts, odds, wanted.records, in_progress)
            changes = make_site(plan, to, hands, workers, tick)
    message(describe_site(changes, to, book.reader), quiet)


def warn_of_seed(campaign: Campaign, visible_campaign: VisibleCampaign, wanted: SiteOptions) -> None:
    """Print a warning if players can guess the seed and test their guesses with records on the site."""
    if wanted.records and not visible_campaign.is_whole and is_guessable(campaign.seed):
        message(f"cardbattle: warning: {GUESSABLE}")


def site_folder(folder: str, campaign: str, visible_campaign: VisibleCampaign) -> str:
    """Return the folder of the site.

    The default name of the folder contains the reader. Raises UsageError if the folder belongs to the files
    of a campaign, such as its records.
    """
    reader = "umpire" if visible_campaign.is_whole else visible_campaign.reader
    path = folder or os.path.join(campaign, f"{SITE}-{reader}" if reader else SITE)
    if campaign_of(os.path.join(path, "index.html")):
        raise UsageError(f"{clean(path)} is part of a campaign; name another folder")
    return path


def jobs_of(book: SiteBook, folder: str, is_full: bool) -> dict[str, CountJob]:
    """Return a dict from the digests of the records on a site to the CountJobs that simulate them."""
    heads = book.visible.ledger.heads
    jobs = [
        CountJob(folder, head.record, head.digest, seat, is_full)
        for battle, seat in seats_of_reader(book)
        if (head := heads[battle.entry.revision - 1]).record
    ]
    return {job.digest: job for job in jobs}


def pending_odds(visible_campaign: VisibleCampaign, is_asked: bool, quiet: bool) -> dict[str, Advice]:
    """Return the odds of the pending battles whose strengths and commanders the reader knows.

    If the commanders of a battle think ahead, the battle is simulated only with --chances (`is_asked`),
    because its odds vary with the speed of the computer.
    """
    campaign = visible_campaign.countable
    pending = [entry for entry in campaign.pending if is_asked or not thinks(campaign, entry)]
    return odds_of_pending(visible_campaign, pending, None, quiet)


def describe_site(site_changes: SiteChanges, folder: str, reader: str) -> str:
    """Return a sentence about the changes to the files of a site."""
    removed = f", {site_changes.removed} removed" if site_changes.removed else ""
    files = (
        f"{counted(site_changes.files, 'file')} for {clean(reader)}, {site_changes.written} written{removed}"
    )
    return f"{clean(os.path.relpath(folder))}: {files}; open index.html in it"
