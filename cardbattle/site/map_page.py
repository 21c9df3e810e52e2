"""The page of maps: each turn's below the one before; where scripts run a slider shows one at a time."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.show.writers.html import environment, filled
from cardbattle.site.pages import Leaf, map_html
from cardbattle.site.parts import Links, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.site.book import SiteBook

MOST_BYTES = 500_000  # of all maps; those of the first turns are left out for it
TITLE = "The map, turn by turn"


def map_leaves(book: SiteBook) -> Iterator[Leaf]:
    """Yield the page of maps; nothing for a campaign without a map, or in its first turn."""
    maps = last_maps(book)
    if len(maps) > 1:
        yield Leaf("map.html", map_page(book, maps))


def last_maps(book: SiteBook) -> list[Markup]:
    """Return the maps of the last turns under their titles, the first of them first, two at least."""
    way = Links(book, "")
    found: list[Markup] = []
    size = 0
    for turn in reversed(book.turns):
        drawn = map_html(book, turn, way, f"{turn.number}-")
        size += len(drawn)
        if not drawn or (size > MOST_BYTES and len(found) > 1):
            break
        found.append(
            Markup(f'<section class="past">\n<h2><span>{way.turn(turn)}</span></h2>\n{drawn}\n</section>')
        )
    return found[::-1]


def map_page(book: SiteBook, maps: list[Markup]) -> str:
    """Return the page of these maps."""
    left_out = len(book.turns) - len(maps)
    told = paragraph(f"The last {len(maps)} turns; those before have their own pages.", "facts")
    script, source = slider()
    values = {
        "campaign": clean(book.campaign.name),
        "title": TITLE,
        "root": "",
        "deck": "",
        "story": Markup("\n").join([*([told] if left_out else []), *maps]),
        "script": script,
        "script_hash": source,
    }
    return environment().get_template("site_map.html").render(values)


@cache
def slider() -> tuple[Markup, str]:
    """Return the script of the slider, and its hash: by that alone the page lets a script run."""
    script = filled("map.js")
    return Markup(script), f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"
