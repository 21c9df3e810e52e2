"""A site written to a folder: only what is new or changed, and over nobody's files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from cardbattle.chances.workers import in_order
from cardbattle.files import derived, disk
from cardbattle.show.pages.history import change_sentences
from cardbattle.show.site.battle import BattleJob, run_battle_job, sourced
from cardbattle.show.site.book import SiteBook, discretions
from cardbattle.show.site.feed import feed_text
from cardbattle.show.site.pages import Leaf, Told, leaves, told_result
from cardbattle.show.site.parts import Signpost, paragraph, section, story_list, ways_html
from cardbattle.show.writers.html import environment
from cardbattle.version import __version__

if TYPE_CHECKING:
    from cardbattle.campaign.changes import Change
    from cardbattle.campaign.counted import CountedBattle
    from cardbattle.show.site.book import SiteBattle, SiteTurn

LAYOUT = "1"  # goes up when battles' pages are laid out otherwise


class SitePlan(NamedTuple):
    """What a site is made of: its book, what was counted, and whether battles' records stand beside them.

    `counted` is by the digests of records, `odds` of pending battles in words by id.
    """

    book: SiteBook
    campaign: str
    counted: Mapping[str, CountedBattle]
    odds: Mapping[str, str]
    has_records: bool


class Made(NamedTuple):
    """What became of a site's files."""

    written: int
    removed: int
    files: int


def make_site(
    plan: SitePlan,
    folder: str,
    executor: Executor,
    workers: int = 1,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Made:
    """Write a site into a folder, which is made if it is not there; what stands there already stays.

    Refused if anything of somebody's is in the way; then nothing of theirs was touched. SystemRefused if a
    file cannot be written.
    """
    derived.open_made(folder, f"{plan.book.reader}\n")
    look = layout()
    jobs = [sourced(job, look) for job in battle_jobs(plan, folder)]
    missing = [job for job in jobs if not job.is_made()]
    wanted = {f"battles/{job.id}.{kind}" for job in jobs for kind in kinds_of(job)}
    try:
        written = 0
        for done, changed in enumerate(in_order(executor, run_battle_job, missing, workers), 1):
            written += changed
            tell(done, len(missing))
        for leaf in whole_leaves(plan):
            wanted.add(leaf.path)
            path = os.path.join(folder, *leaf.path.split("/"))
            written += derived.put(path, derived.stamped_file(path, leaf.text, derived.digest_of(leaf.path)))
        removed = sum(
            derived.remove_made(os.path.join(folder, *path.split("/")))
            for path in [*derived.left_over(folder, wanted)]
        )
    except OSError as error:
        disk.refuse(folder, error)
    return Made(written, removed, len(wanted))


def layout() -> str:
    """Return what decides how pages of battles look: this release and its templates."""
    loader = environment().loader
    assert loader is not None
    sources = [loader.get_source(environment(), name)[0] for name in loader.list_templates()]
    return derived.digest_of(LAYOUT, __version__, *sources)


def kinds_of(job: BattleJob) -> list[str]:
    """Return the endings of a battle's files."""
    return ["html", "toml"] if job.has_record else ["html"]


def whole_leaves(plan: SitePlan) -> Iterator[Leaf]:
    """Yield all pages but those of battles, and the feed."""
    heads = {
        key: plan.book.known.ledger.heads[one.entry.revision - 1] for key, one in plan.book.battles.items()
    }
    expected = {
        key: plan.counted[head.digest].expected for key, head in heads.items() if head.digest in plan.counted
    }
    yield from leaves(plan.book, Told(plan.odds, expected))
    yield Leaf("feed.xml", feed_text(plan.book))


def battle_jobs(plan: SitePlan, folder: str) -> Iterator[BattleJob]:
    """Yield what each battle's page is made of."""
    book, ledger = plan.book, plan.book.known.ledger
    battles = list(book.battles.values())
    revisions = [battle.entry.revision for battle in battles]
    then = {} if book.known.is_whole else dict(discretions(book.known, revisions))
    way = Signpost(book, "../")
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
            book.title(battle),
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


def lead_html(book: SiteBook, battle: SiteBattle, turn: SiteTurn, way: Signpost) -> str:
    """Return what stands above a battle's tale: when and for what it was fought, and how it ended."""
    place = way.place(battle.stakes)
    when = Markup("{}{}").format(way.turn(turn), Markup(", for {}").format(place) if place else "")
    sides = [Markup(" and ").join(map(way.force, side)) for side in battle.sides]
    fought = Markup(" against ").join(sides) if len(sides) == 2 else Markup(", ").join(sides)
    parts = [
        paragraph(when, "facts"),
        paragraph(fought),
        paragraph(Markup("<strong>{}</strong>").format(told_result(book, battle))),
        paragraph(Markup("<em>{}</em>").format(battle.note) if battle.note else ""),
    ]
    return Markup("\n").join(part for part in parts if part)


def after_html(book: SiteBook, battle: SiteBattle, beside: list[SiteBattle], way: Signpost) -> str:
    """Return what stands below a battle's tale: what it changed, and where to go from here."""
    lines = change_sentences(book.campaign, [one for one in battle.entry.changes if is_news(one)])
    links = [way.battle(one) for one in beside]
    return Markup("\n").join([section("What it changed", story_list(lines)), ways_html(links)])


def is_news(change: Change) -> bool:
    """Say whether a change is worth a line on a battle's page: that it is pending no more is no news."""
    return change.key[0] != "pending"
