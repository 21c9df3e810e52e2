"""The page of maps, turn by turn; with scripts, a slider shows one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.show.writers.html import environment, inline_script
from cardbattle.site.pages import SitePage, map_html
from cardbattle.site.parts import Links, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.site.book import SiteBook

MOST_BYTES = 500_000  # of all maps; beyond it the first turns are left out
TITLE = "Map, turn by turn"


def map_pages(book: SiteBook) -> Iterator[SitePage]:
    maps = last_maps(book)
    if len(maps) > 1:
        yield SitePage("map.html", map_page(book, maps))


def last_maps(book: SiteBook) -> list[Markup]:
    """Return the maps of the last turns, two at least, in order."""
    links = Links(book, "")
    sections: list[Markup] = []
    size = 0
    for turn in reversed(book.turns):
        svg = map_html(book, turn, links, f"{turn.number}-")
        size += len(svg)
        if not svg or (size > MOST_BYTES and len(sections) > 1):
            break
        sections.append(
            Markup(f'<section class="past">\n<h2><span>{links.turn(turn)}</span></h2>\n{svg}\n</section>')
        )
    return sections[::-1]


def map_page(book: SiteBook, maps: list[Markup]) -> str:
    left_out = len(book.turns) - len(maps)
    note = paragraph(f"The last {len(maps)} turns. Earlier maps are on the pages of their turns.", "facts")
    script, source = inline_script("map.js")
    values = {
        "campaign": clean(book.campaign.name),
        "title": TITLE,
        "root": "./",
        "deck": "",
        "story": Markup("\n").join([*([note] if left_out else []), *maps]),
        "script": script,
        "script_hash": source,
    }
    return environment().get_template("site_map.html").render(values)
