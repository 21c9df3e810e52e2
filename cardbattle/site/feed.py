"""The Atom feed of a site: the last battles, for whoever waits for news.

A feed must say when. A campaign has no clock, and the same campaign must give the same bytes: so time here
is counted from a fixed day, a minute for each thing that happened.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from markupsafe import Markup

from cardbattle.core.names import clean

if TYPE_CHECKING:
    from cardbattle.site.book import SiteBattle, SiteBook

LAST = 30  # battles
FIRST_DAY = datetime(2000, 1, 1)


def feed_text(book: SiteBook) -> str:
    """Return the feed, the last battle first."""
    name = clean(book.campaign.name)
    last = list(book.battles.values())[-LAST:][::-1]
    newest = time_of(book, last[0]) if last else FIRST_DAY.isoformat() + "Z"
    return Markup(
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n<title>{}</title>\n'
        "<id>urn:uuid:{}</id>\n<updated>{}</updated>\n<author><name>the umpire</name></author>\n"
        '<link href="index.html"/>\n{}</feed>\n'
    ).format(name, uuid_of(name, ""), newest, Markup("").join(entry_of(book, one) for one in last))


def entry_of(book: SiteBook, battle: SiteBattle) -> Markup:
    """Return a battle as the feed has it."""
    return Markup(
        "<entry>\n<title>{}</title>\n<id>urn:uuid:{}</id>\n<updated>{}</updated>\n"
        '<link href="battles/{}.html"/>\n<summary>{}</summary>\n</entry>\n'
    ).format(
        f"Turn {battle.turn}: {battle.title}",
        uuid_of(clean(book.campaign.name), battle.entry.id),
        time_of(book, battle),
        battle.entry.id,
        battle.ended,
    )


def time_of(book: SiteBook, battle: SiteBattle) -> str:
    """Return when a battle was, by its number among all that the reader may know."""
    return (FIRST_DAY + timedelta(minutes=book.known.numbers[battle.entry.revision])).isoformat() + "Z"


def uuid_of(campaign: str, battle: str) -> str:
    """Return the name by which a feed reader knows a battle, or the campaign, for good."""
    return str(uuid5(NAMESPACE_URL, f"cardbattle/{campaign}/{battle}"))
