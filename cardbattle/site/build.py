"""A site written to a folder: only what is new or changed, and over nobody's files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from cardbattle.core.names import clean
from cardbattle.files import disk, generated_file
from cardbattle.show.bidi import words_html
from cardbattle.show.pages.campaign.chronicle import event_change_sentences, upper
from cardbattle.show.writers.html import environment
from cardbattle.simulation.workers import Serial, in_order
from cardbattle.site.battle_page import BattleJob, sourced, write_battle_pages
from cardbattle.site.book import SiteBook, discretions
from cardbattle.site.feed import feed_text
from cardbattle.site.map_page import map_leaves
from cardbattle.site.pages import Leaf, Told, leaves
from cardbattle.site.parts import Links, nav_html, paragraph, section, story_list
from cardbattle.version import __version__

if TYPE_CHECKING:
    from cardbattle.campaign.turn.chance_cache import CountedBattle
    from cardbattle.site.book import SiteBattle, SiteTurn

LAYOUT = "1"  # goes up when battles' pages are laid out otherwise
AT_ONCE = 8  # battles that a process is given
FEW = 200  # battles that are told sooner than other processes would have begun to


class SitePlan(NamedTuple):
    """What a site is made of: its book, what was counted, and whether battles' records stand beside them.

    `counted` is by the digests of records. `odds` of pending battles and `progress` of those that players
    have begun are in words by id.
    """

    book: SiteBook
    campaign: str
    counted: Mapping[str, CountedBattle | None]
    odds: Mapping[str, str]
    has_records: bool
    progress: Mapping[str, str] = {}


class Made(NamedTuple):
    """What became of a site's files."""

    written: int
    removed: int
    files: int


def open_site(book: SiteBook, folder: str) -> None:
    """Take a folder for this site; it is made if it is not there.

    Refused if it holds anything of somebody's, or a site for another reader; SystemRefused if it cannot be
    written.
    """
    generated_file.open_made(folder, f"{book.reader}\n")


def make_site(
    plan: SitePlan,
    folder: str,
    executor: Executor,
    workers: int = 1,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Made:
    """Write a site into a folder that was opened for it; what stands there already stays.

    Refused if anything of somebody's is in the way; then nothing of theirs was touched. SystemRefused if a
    file cannot be written.
    """
    wanted: set[str] = set()
    jobs = missing_jobs(plan, folder, wanted, tell)
    others = leaves_written(plan, folder, wanted)
    hands = executor if missing_pages(plan, folder) > FEW else Serial()
    try:
        written = 0
        for changed in in_order(hands, write_battle_pages, jobs, workers):
            written += changed + next(others, 0)  # while others work on battles
        written += sum(others)
        removed = sum(
            generated_file.remove_made(os.path.join(folder, *path.split("/")))
            for path in [*generated_file.left_over(folder, wanted)]
        )
    except OSError as error:
        disk.refuse(folder, error)
    return Made(written, removed, len(wanted))


def missing_pages(plan: SitePlan, folder: str) -> int:
    """Return how many battles have no page yet."""
    return sum(
        not os.path.exists(os.path.join(folder, "battles", f"{key}.html")) for key in plan.book.battles
    )


def missing_jobs(
    plan: SitePlan, folder: str, wanted: set[str], tell: Callable[[int, int], None]
) -> Iterator[list[BattleJob]]:
    """Yield the battles whose pages are to be made, some at a time; the names of all files go to `wanted`."""
    look, missing = layout(), list[BattleJob]()
    for done, bare in enumerate(battle_jobs(plan, folder), 1):
        job = sourced(bare, look)
        wanted.update(f"battles/{job.id}.{kind}" for kind in kinds_of(job))
        if not job.is_made():
            missing.append(job)
        if len(missing) == AT_ONCE:
            yield missing
            missing = []
        tell(done, len(plan.book.battles))
    if missing:
        yield missing


def leaves_written(plan: SitePlan, folder: str, wanted: set[str]) -> Iterator[int]:
    """Write all pages but those of battles, and the feed; yield for each how many files were changed.

    Their names go to `wanted`.
    """
    for leaf in whole_leaves(plan):
        wanted.add(leaf.path)
        path = os.path.join(folder, *leaf.path.split("/"))
        yield generated_file.put(
            path, generated_file.stamped_file(path, leaf.text, generated_file.digest_of(leaf.path))
        )


def layout() -> str:
    """Return what decides how pages of battles look: this release and its templates."""
    loader = environment().loader
    assert loader is not None
    sources = [loader.get_source(environment(), name)[0] for name in loader.list_templates()]
    return generated_file.digest_of(LAYOUT, __version__, *sources)


def kinds_of(job: BattleJob) -> list[str]:
    """Return the endings of a battle's files."""
    return ["html", "toml"] if job.has_record else ["html"]


def whole_leaves(plan: SitePlan) -> Iterator[Leaf]:
    """Yield all pages but those of battles, and the feed."""
    heads = plan.book.known.ledger.heads
    counted = {
        key: plan.counted.get(heads[one.entry.revision - 1].digest) for key, one in plan.book.battles.items()
    }
    expected = {key: one.expected for key, one in counted.items() if one}
    yield from leaves(plan.book, Told(plan.odds, expected, plan.progress))
    yield from map_leaves(plan.book)
    yield Leaf("feed.xml", feed_text(plan.book))


def battle_jobs(plan: SitePlan, folder: str) -> Iterator[BattleJob]:
    """Yield what each battle's page is made of."""
    book, ledger = plan.book, plan.book.known.ledger
    battles = list(book.battles.values())
    revisions = [battle.entry.revision for battle in battles]
    then = {} if book.known.is_whole else dict(discretions(book.known, revisions))
    way = Links(book, "../")
    turns = {turn.number: turn for turn in book.turns}
    for n, battle in enumerate(battles):
        head = ledger.heads[battle.entry.revision - 1]
        found = plan.counted.get(head.digest)
        assert battle.entry.result is not None
        yield BattleJob(
            folder,
            plan.campaign,
            book.campaign.name,
            battle.entry.id,
            battle.title,
            head.record,
            then.get(battle.entry.revision),
            battle.sides,
            [book.tint_of(side) for side in battle.sides],
            lead_html(book, battle, turns[battle.turn], way),
            after_html(book, battle, battles[max(n - 1, 0) : n] + battles[n + 1 : n + 2], way),
            found.trend if found else None,
            plan.has_records and bool(head.record),
            "",
        )


def lead_html(book: SiteBook, battle: SiteBattle, turn: SiteTurn, way: Links) -> str:
    """Return what stands above a battle's tale: when and for what it was fought, and how it ended."""
    place = way.place(battle.stakes)
    when = way.turn(turn) + (Markup(f", for {place}") if place else "")
    sides = [Markup(" and ").join(map(way.force, side)) for side in battle.sides]
    fought = Markup(" against ").join(sides) if len(sides) == 2 else Markup(", ").join(sides)
    parts = [
        paragraph(when, "facts"),
        paragraph(fought),
        paragraph(Markup(f"<strong>{words_html(battle.ended)}</strong>")),
        paragraph(Markup(f"<em><bdi>{escape(clean(battle.note))}</bdi></em>") if battle.note else ""),
    ]
    return Markup("\n").join(part for part in parts if part)


def after_html(book: SiteBook, battle: SiteBattle, beside: list[SiteBattle], way: Links) -> str:
    """Return what stands below a battle's tale: what it changed, and where to go from here."""
    lines = [f"{upper(one)}." for one in event_change_sentences(book.campaign, battle.entry)]
    links = [way.battle(one) for one in beside]
    return Markup("\n").join([section("What it changed", story_list(lines)), nav_html(links)])
