"""The search page, which has links to all other pages. A script filters them while the reader types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.core.telling import counted
from cardbattle.show.writers.html import environment, inline_script
from cardbattle.site.blocks import SitePage
from cardbattle.site.parts import Links, PageHead, head_values

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardbattle.site.book import SiteBook

MOST_BATTLES = 2000  # maximum number of battles; earlier ones are on the pages of turns, forces and places


def search_page(book: SiteBook) -> SitePage:
    """Return the page with links to all factions, forces, places and turns, and to the latest battles."""
    links, campaign = Links(book, ""), book.campaign
    battles = list(book.battles.values())[::-1]
    groups = [
        group("Factions", map(links.faction, campaign.factions)),
        group("Forces", map(links.force, campaign.forces)),
        group("Places", map(links.place, campaign.locations)),
        group("Turns", map(links.turn, book.turns[::-1])),
        group(
            "Battles",
            (Markup("{} (turn {})").format(links.battle(one), one.turn) for one in battles[:MOST_BATTLES]),
        ),
    ]
    script, source = inline_script("search.js")
    left_out = len(battles) - MOST_BATTLES
    head = PageHead("search.html", "Search", f"Find anything in {campaign.name}.")
    values = {
        **head_values(book, head),
        "deck": "",
        "note": f"{counted(left_out, 'earlier battle')} not listed" if left_out > 0 else "",
        "story": Markup("\n").join(filter(None, groups)),
        "script": script,
        "script_hash": source,
    }
    return SitePage(head.path, environment().get_template("site_search.html").render(values))


def group(title: str, items: Iterable[Markup]) -> Markup:
    """Return a section of links, or "" without links."""
    inside = Markup("").join(Markup("<li>{}\n").format(item) for item in items)
    if not inside:
        return Markup("")
    return Markup(
        '<section class="group">\n<h2><span>{}</span></h2>\n<ul class="turns">\n{}</ul>\n</section>'
    ).format(title, inside)
