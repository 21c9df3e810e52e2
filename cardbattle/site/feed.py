"""The Atom feed of a site, which lists the latest battles.

Atom requires times, but a campaign has no clock, and the same campaign must always produce the same feed.
Times are therefore counted from a fixed day, with one minute for each entry.
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
    name = clean(book.campaign.name)
    latest = list(book.battles.values())[-LAST:][::-1]
    newest = time_of(book, latest[0]) if latest else FIRST_DAY.isoformat() + "Z"
    return Markup(
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n<title>{}</title>\n'
        "<id>urn:uuid:{}</id>\n<updated>{}</updated>\n<author><name>the umpire</name></author>\n"
        '<link href="index.html"/>\n{}</feed>\n'
    ).format(name, uuid_of(name, ""), newest, Markup("").join(entry_of(book, battle) for battle in latest))


def entry_of(book: SiteBook, battle: SiteBattle) -> Markup:
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
    """Return a time for a battle, from the position of its entry among those that the reader sees."""
    return (FIRST_DAY + timedelta(minutes=book.visible.numbers[battle.entry.revision])).isoformat() + "Z"


def uuid_of(campaign: str, battle: str) -> str:
    """Return the permanent id of a battle or of the campaign."""
    return str(uuid5(NAMESPACE_URL, f"cardbattle/{campaign}/{battle}"))
