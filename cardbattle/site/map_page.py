"""The page with a map for each turn, the last turn first. A script can play the maps as an animation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.show.writers.html import environment, inline_script
from cardbattle.site.blocks import SitePage
from cardbattle.site.campaign_map import campaign_map
from cardbattle.site.parts import Links, PageHead, head_values, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.site.book import SiteBook

MOST_BYTES = 500_000  # maximum size of all maps; if they are larger, the first turns are left out
TITLE = "Map, turn by turn"


def map_pages(book: SiteBook) -> Iterator[SitePage]:
    maps = last_maps(book)
    if len(maps) > 1:
        yield SitePage("map.html", map_page(book, maps))


def last_maps(book: SiteBook) -> list[Markup]:
    """Return the maps of the last turns, at least two. The last turn is first."""
    links = Links(book, "")
    sections: list[Markup] = []
    size = 0
    for n in reversed(range(len(book.turns))):
        turn = book.turns[n]
        drawn = campaign_map(book, n, links, f"{turn.number}-")
        section = Markup(
            f'<section class="past">\n<h2><span>{links.turn(turn)}</span></h2>\n{drawn.html()}\n</section>'
        )
        size += len(section)
        if not drawn.svg or (size > MOST_BYTES and len(sections) > 1):
            break
        sections.append(section)
    return sections


def map_page(book: SiteBook, maps: list[Markup]) -> str:
    left_out = len(book.turns) - len(maps)
    note = paragraph(f"The last {len(maps)} turns. Earlier maps are on the pages of their turns.", "facts")
    script, source = inline_script("map.js")
    head = PageHead("map.html", TITLE, f"The map of {book.campaign.name} at the end of each turn.")
    values = {
        **head_values(book, head),
        "deck": "",
        "note": note if left_out else "",
        "story": Markup("\n").join(maps),
        "script": script,
        "script_hash": source,
    }
    return environment().get_template("site_map.html").render(values)
