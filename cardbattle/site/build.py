"""Write the new and changed files of a site to a folder.

Files that the site did not write are not overwritten.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from cardbattle.core.grammar import capital, sentence_start
from cardbattle.core.names import clean, listed, one_line
from cardbattle.files import disk, generated_file
from cardbattle.show.bidi import words_html
from cardbattle.show.pages.campaign.reports.change_sentences import event_change_sentences
from cardbattle.show.stories.battle_story import CampaignStories
from cardbattle.show.svg.preview import PreviewSide, preview_svg
from cardbattle.show.writers.html import environment
from cardbattle.simulation.workers import Serial, in_order
from cardbattle.site.battle_page import BattleJob, with_source, write_battle_pages
from cardbattle.site.blocks import SiteFigures, SitePage
from cardbattle.site.book import SiteBook, clearances_before
from cardbattle.site.feed import feed_text
from cardbattle.site.map_page import map_pages
from cardbattle.site.pages import other_pages
from cardbattle.site.parts import Links, paragraph, section, story_list
from cardbattle.site.search_page import search_page
from cardbattle.version import __version__

if TYPE_CHECKING:
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.turn.chance_cache import CountedBattle
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.simulation.turning_points import Curve
    from cardbattle.site.book import SiteBattle

LAYOUT = "2"  # increase when the layout of battle pages changes
AT_ONCE = 8  # battles per task
FEW = 200  # up to this number of battles, one process is faster than several


class SitePlan(NamedTuple):
    """The data from which a site is built.

    Attributes:
        campaign: the folder of the campaign.
        counted: the results of simulations, by the digest of the record.
        odds: the odds of pending battles, by id.
        has_records: True if the records of battles are published beside their pages.
        progress: sentences about pending battles that players have begun, by id.

    """

    book: SiteBook
    campaign: str
    counted: Mapping[str, CountedBattle | None]
    odds: Mapping[str, Advice]
    has_records: bool
    progress: Mapping[str, str] = {}


class SiteChanges(NamedTuple):
    """The number of files that were written, the number that were removed, and the number in the site."""

    written: int
    removed: int
    files: int


def open_site(book: SiteBook, folder: str) -> None:
    """Mark a folder as the folder of this site. The folder is created if it does not exist.

    Raises InvalidInput if the folder has other files, or a site for another reader. Raises SystemFailure if
    the folder cannot be written.
    """
    generated_file.claim_folder(folder, f"{book.reader}\n")


def make_site(
    plan: SitePlan,
    folder: str,
    executor: Executor,
    workers: int = 1,
    report_progress: Callable[[int, int], None] = lambda done, of: None,
) -> SiteChanges:
    """Write a site into a folder that `open_site` has marked. Only files that changed are replaced.

    If a file with the name of a page was not written by the site, the file is not changed, and InvalidInput
    is raised. Raises SystemFailure if a file cannot be written.
    """
    paths: set[str] = set()
    jobs = missing_jobs(plan, folder, paths, report_progress)
    written_pages = write_other_pages(plan, folder, paths)
    workers_pool = executor if missing_pages(plan, folder) > FEW else Serial()
    try:
        written = 0
        for changed in in_order(workers_pool, write_battle_pages, jobs, workers):
            written += changed + next(written_pages, 0)  # while other processes write the pages of battles
        written += sum(written_pages)
        removed = sum(
            generated_file.remove_stamped(os.path.join(folder, *path.split("/")))
            for path in [*generated_file.stale_files(folder, paths)]
        )
    except OSError as error:
        disk.refuse(folder, error)
    return SiteChanges(written, removed, len(paths))


def missing_pages(plan: SitePlan, folder: str) -> int:
    return sum(
        not os.path.exists(os.path.join(folder, "battles", f"{key}.html")) for key in plan.book.battles
    )


def missing_jobs(
    plan: SitePlan, folder: str, paths: set[str], report_progress: Callable[[int, int], None]
) -> Iterator[list[BattleJob]]:
    """Yield lists of a few battles whose pages must be written.

    The names of the files of all battles are added to `paths`.
    """
    layout_digest, missing = layout(), list[BattleJob]()
    for number, bare in enumerate(battle_jobs(plan, folder), 1):
        job = with_source(bare, layout_digest)
        paths.update(f"battles/{job.id}.{kind}" for kind in job.kinds)
        if not job.is_up_to_date():
            missing.append(job)
        if len(missing) == AT_ONCE:
            yield missing
            missing = []
        report_progress(number, len(plan.book.battles))
    if missing:
        yield missing


def write_other_pages(plan: SitePlan, folder: str, paths: set[str]) -> Iterator[int]:
    """Write the feed and all pages except those of battles.

    Yield 1 for each file that changed, and otherwise 0.

    The names of all these files are added to `paths`.
    """
    for page in other_files(plan):
        paths.add(page.path)
        path = os.path.join(folder, *page.path.split("/"))
        yield generated_file.put(
            path, generated_file.add_stamp(path, page.text, generated_file.digest_of(page.path))
        )


def layout() -> str:
    """Return a digest of what determines how pages of battles look: the release and the templates."""
    loader = environment().loader
    assert loader is not None
    sources = [loader.get_source(environment(), name)[0] for name in loader.list_templates()]
    return generated_file.digest_of(LAYOUT, __version__, *sources)


def other_files(plan: SitePlan) -> Iterator[SitePage]:
    """Yield the feed and all pages except those of battles."""
    heads = plan.book.visible.ledger.heads
    counted = {
        key: plan.counted.get(heads[result.entry.revision - 1].digest)
        for key, result in plan.book.battles.items()
    }
    expected = {key: result.expected for key, result in counted.items() if result}
    yield from other_pages(plan.book, SiteFigures(plan.odds, expected, plan.progress))
    yield from map_pages(plan.book)
    yield search_page(plan.book)
    yield SitePage("feed.xml", feed_text(plan.book))


def battle_jobs(plan: SitePlan, folder: str) -> Iterator[BattleJob]:
    book, ledger = plan.book, plan.book.visible.ledger
    battles = list(book.battles.values())
    revisions = [battle.entry.revision for battle in battles]
    clearances = {} if book.visible.is_whole else dict(clearances_before(book.visible, revisions))
    links = Links(book, "../")
    curves = {
        battle.entry.revision: counted.curve
        for battle in battles
        if (counted := plan.counted.get(ledger.heads[battle.entry.revision - 1].digest))
    }
    stories = CampaignStories(book.visible, curves=curves)
    turns = {turn.number: turn for turn in book.turns}
    for n, battle in enumerate(battles):
        head = ledger.heads[battle.entry.revision - 1]
        result = plan.counted.get(head.digest)
        assert battle.entry.result is not None
        yield BattleJob(
            folder,
            plan.campaign,
            book.campaign.name,
            battle.entry.id,
            battle.title,
            head.record,
            clearances.get(battle.entry.revision),
            battle.sides,
            [book.tint_of(side) for side in battle.sides],
            stories.stakes(battle.entry.revision, list(battle.entry.result.sides), winning_seats(battle)),
            battle.ended,
            stories.written.get(battle.entry.revision) or clean(one_line(battle.entry.text)),
            f"{book.address}battles/{battle.entry.id}.html" if book.address else "",
            preview_of(book, battle, result.curve if result else None) if book.address else "",
            lead_html(book, battle, turns[battle.turn], links),
            after_html(book, battle),
            neighbour("Previous", battles[n - 1], links) if n else Markup(""),
            neighbour("Next", battles[n + 1], links) if n + 1 < len(battles) else Markup(""),
            result.curve if result else None,
            plan.has_records and bool(head.record),
            "",
        )


def winning_seats(battle: SiteBattle) -> list[int]:
    assert battle.entry.result is not None
    return [seat for seat, key in enumerate(battle.entry.result.sides) if key in battle.entry.result.winners]


def preview_of(book: SiteBook, battle: SiteBattle, curve: Curve | None) -> str:
    """Return the picture of a battle for link previews."""
    winners = winning_seats(battle)
    sides = [
        PreviewSide(
            str(sentence_start(listed(map(book.campaign.display_name, side)))),
            book.tint_of(side),
            seat in winners,
            [(point.step, point.chances[seat] / 1000) for point in curve.points] if curve else [],
        )
        for seat, side in enumerate(battle.sides)
    ]
    return preview_svg(f"{book.campaign.name}, turn {battle.turn}", battle.ended, sides)


def lead_html(book: SiteBook, battle: SiteBattle, turn: VisibleTurn, links: Links) -> str:
    """Return the part of a page above the battle's story or log: turn, stakes, sides and result."""
    place = links.place(battle.stakes)
    when = links.turn(turn) + (Markup(f", for {place}") if place else "")
    forces = iter([links.force(key, is_first=n == 0) for n, key in enumerate(chain(*battle.sides))])
    sides = [Markup(" and ").join(islice(forces, len(side))) for side in battle.sides]
    opponents = Markup(" against ").join(sides) if len(sides) == 2 else Markup(", ").join(sides)
    parts = [
        paragraph(when, "facts"),
        paragraph(opponents),
        paragraph(Markup(f"<strong>{words_html(battle.ended)}</strong>")),
        paragraph(Markup(f"<em><bdi>{escape(clean(battle.note))}</bdi></em>") if battle.note else ""),
    ]
    return Markup("\n").join(part for part in parts if part)


def after_html(book: SiteBook, battle: SiteBattle) -> str:
    """Return the part of a page below the battle's story or log: what the battle changed in the campaign."""
    campaign = book.visible.campaign_after(battle.entry)
    lines = [f"{capital(sentence)}." for sentence in event_change_sentences(campaign, battle.entry)]
    return section("Consequences", story_list(lines))


def neighbour(which: str, battle: SiteBattle, links: Links) -> str:
    """Return a link to the previous or the next battle. `which` says which of them."""
    return Markup("<span>{} battle: {}</span>").format(which, links.battle(battle))
