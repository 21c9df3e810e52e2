"""A campaign's map as SVG: places in the colours of their owners, roads, forces as pennants, pending battles.

If no place has a position, the map is laid out by stress majorization, so that neighbours are close: E. R.
Gansner, Y. Koren and S. North, Graph drawing by stress majorization, 2004. Places are moved one at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil, sqrt
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.show.svg.charts import TINTS, tenths

Spot = tuple[float, float]
WIDTH = 480
SIDE, ABOVE, BELOW = 56, 64, 44  # margins around the places, for names and pennants
TALLEST, FLATTEST = 420, 120  # maximum and minimum height of the area with places
ROUNDS = 120  # iterations of the layout
MOST_LAID_OUT = 150  # places; more are drawn in rows
FLAG = 31  # distance between pennants
ROW, RISE = 4, 19  # pennants in a row, and the height of a row
LONGEST, ROOM = 24, 170  # letters of a place's name, and the width to which a longer one is squeezed
MOST_CHEVRONS = 3
NO_ONE = -1  # colour number of a place without an owner


class Pennant(NamedTuple):
    """A force on the map: its name, its strength as text, and its colour number.

    Attributes:
        experience: points of experience; 0 if it has none or the reader does not know them.
        title: title that it earned by experience; "" for none.
        is_hungry: whether it is out of supply.

    """

    name: str
    strength: str
    tint: int
    experience: int = 0
    title: str = ""
    is_hungry: bool = False

    @property
    def label(self) -> str:
        """The force in words: `Percy 14, blooded, experience 4, out of supply`."""
        facts = [f"{self.name} {self.strength}".strip(), self.title]
        facts += [f"experience {self.experience}"] if self.experience else []
        facts += ["out of supply"] if self.is_hungry else []
        return ", ".join(clean(fact) for fact in facts if fact)


class Site(NamedTuple):
    """A place on the map: its name, a description, its owner's colour number, the forces there.

    `battles` describes the pending battles; `page` is the address of the place's own page. `has_supply` is
    True if the place supplies the forces of its owner.
    """

    name: str
    description: str
    tint: int
    pennants: Sequence[Pennant]
    battles: Sequence[str]
    page: str
    has_supply: bool = False


def map_svg(
    label: str, sites: Mapping[str, Site], at: Mapping[str, Spot], roads: Sequence[tuple[str, str]]
) -> Markup:
    """Draw a map of the places; `at` has their positions, and if it is empty, a layout is computed."""
    if not sites:
        return Markup("")
    spots, height = fit_spots(with_rest(at, list(sites)) if at else lay_out(list(sites), roads))
    lines = [road_line(spots[start], spots[end]) for start, end in roads]
    marks = [site_mark(site, spots[key]) for key, site in sites.items()]
    return Markup('<svg class="map" viewBox="0 0 {} {}" role="group" aria-label="{}">\n{}</svg>').format(
        WIDTH, tenths(height), clean(label), Markup("").join([*lines, *marks])
    )


def fit_spots(spots: Mapping[str, Spot]) -> tuple[dict[str, Spot], float]:
    """Scale positions to the drawing, and return them with its height."""
    left, right = min(x for x, _ in spots.values()), max(x for x, _ in spots.values())
    top, bottom = min(y for _, y in spots.values()), max(y for _, y in spots.values())
    room = WIDTH - 2 * SIDE
    scale = min(room / (right - left or 1), TALLEST / (bottom - top or 1))
    high = max((bottom - top) * scale, FLATTEST if bottom > top else 0)
    down = high / (bottom - top or 1)
    middle = (room - (right - left) * scale) / 2
    scaled = {
        key: (SIDE + middle + (x - left) * scale, ABOVE + (y - top) * down) for key, (x, y) in spots.items()
    }
    return scaled, ABOVE + high + BELOW


def with_rest(at: Mapping[str, Spot], keys: Sequence[str]) -> dict[str, Spot]:
    """Return all positions; places without one are put in a row below the others."""
    missing = [key for key in keys if key not in at]
    left, right = min(x for x, _ in at.values()), max(x for x, _ in at.values())
    bottom, wide = max(y for _, y in at.values()), (right - left or 100) / max(len(missing), 1)
    row = {
        key: (left + wide * (n + 0.5), bottom + (right - left or 100) / 4) for n, key in enumerate(missing)
    }
    return {key: at[key] if key in at else row[key] for key in keys}


def lay_out(keys: Sequence[str], roads: Sequence[tuple[str, str]]) -> dict[str, Spot]:
    """Lay out places by their roads; without roads, or with too many places, lay them out in rows."""
    if not roads or len(keys) > MOST_LAID_OUT:
        return in_rows(keys)
    return dict(lay_out_once(tuple(keys), tuple(roads)))


@lru_cache(maxsize=8)  # the pages of all turns draw the same map
def lay_out_once(keys: tuple[str, ...], roads: tuple[tuple[str, str], ...]) -> Mapping[str, Spot]:
    ways = distances(keys, roads)
    spots = in_rows(keys)
    for _ in range(ROUNDS):
        for key in keys:
            spots[key] = best_spot(key, spots, ways[key])
    return lying_down(spots)


def lying_down(spots: dict[str, Spot]) -> dict[str, Spot]:
    """Transpose a layout that is higher than wide."""
    wide, high = (
        max(spot[n] for spot in spots.values()) - min(spot[n] for spot in spots.values()) for n in (0, 1)
    )
    return {key: (y, x) for key, (x, y) in spots.items()} if high > wide else spots


def in_rows(keys: Sequence[str]) -> dict[str, Spot]:
    """Place the keys in rows of equal length, every other row indented by half a step."""
    long = max(1, ceil(sqrt(len(keys))))
    return {key: (n % long + 0.5 * (n // long % 2), n // long * 0.8) for n, key in enumerate(keys)}


def distances(keys: Sequence[str], roads: Sequence[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Count the roads between any two places; unconnected places are one further than the furthest pair."""
    neighbours: dict[str, list[str]] = {key: [] for key in keys}
    for start, end in roads:
        neighbours[start].append(end)
        neighbours[end].append(start)
    reached = {key: distances_from(key, neighbours) for key in keys}
    far = 1 + max(max(lengths.values()) for lengths in reached.values())
    return {key: {target: reached[key].get(target, far) for target in keys if target != key} for key in keys}


def distances_from(start: str, neighbours: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Count the roads from a place to every connected place (breadth-first search)."""
    table = {start: 0}
    for key in (queue := [start]):
        for neighbour in neighbours[key]:
            if neighbour not in table:
                table[neighbour] = table[key] + 1
                queue.append(neighbour)
    return table


def best_spot(key: str, spots: Mapping[str, Spot], ways: Mapping[str, int]) -> Spot:
    """Return the best position of a place by its distances to all others, weighted by 1 / distance²."""
    if not ways:
        return spots[key]
    here_x, here_y = spots[key]
    sum_x = sum_y = weights = 0.0
    for target, distance in ways.items():
        x, y = spots[target]
        length = sqrt((here_x - x) ** 2 + (here_y - y) ** 2) or 1e-6
        weight = 1 / distance**2
        sum_x += weight * (x + distance * (here_x - x) / length)
        sum_y += weight * (y + distance * (here_y - y) / length)
        weights += weight
    return sum_x / weights, sum_y / weights


def road_line(start: Spot, end: Spot) -> Markup:

    ends = [tenths(length) for length in (*start, *end)]
    return Markup('<path class="road" d="M{} {}L{} {}"/>\n').format(*ends)


def site_mark(site: Site, spot: Spot, is_named: bool = True) -> Markup:
    """Draw a place with its name, its forces, and crossed swords if a battle is pending."""
    x, y = spot
    anchor = "start" if x < WIDTH / 4 else "end" if x > WIDTH * 3 / 4 else "middle"
    name = clean(site.name)
    link = Markup('<a href="{}" aria-label="{}"><circle class="place{}" r="9"/>{}</a>').format(
        site.page,
        f"{name}: {clean(site.description)}",
        tint_class(site.tint),
        town_name(name, anchor) if is_named else "",
    )
    swords = Markup('<path class="swords" d="{}"><title>{}</title></path>').format(
        SWORDS, "; ".join(map(clean, site.battles))
    )
    depot = Markup('<circle class="depot" r="13"><title>supply</title></circle>')
    parts = [
        *pennants_above(site.pennants, anchor),
        *([depot] if site.has_supply else []),
        link,
        *([swords] if site.battles else []),
    ]
    return Markup('<g transform="translate({} {})">{}</g>\n').format(
        tenths(x), tenths(y), Markup("").join(parts)
    )


def town_name(name: str, anchor: str) -> Markup:
    """Draw a place's name below it."""
    shift = {"start": -12, "end": 12, "middle": 0}[anchor]
    return Markup('<text class="town" x="{}" y="25" text-anchor="{}"{}>{}</text>').format(
        shift, anchor, squeeze_name(name), name
    )


SWORDS = "M14-7L28 7M28-7L14 7M13 3L18 8M29 3L24 8"


def pennants_above(pennants: Sequence[Pennant], anchor: str) -> list[Markup]:
    """Draw the forces of a place as pennants in rows above it."""
    marks = []
    for n, pennant in enumerate(pennants):
        row, place = divmod(n, ROW)
        wide = min(ROW, len(pennants) - row * ROW)
        begin = {"start": -10.0, "end": 10.0 - FLAG * wide, "middle": -FLAG / 2 * wide}[anchor]
        marks.append(
            Markup(
                '<g class="side{}" aria-hidden="true" transform="translate({} {})"><title>{}</title>'
                '<path class="flag{}" d="M1 18V1H29L25 7.5L29 14H1"/>{}'
                '<text class="men" x="13" y="11.5">{}</text></g>'
            ).format(
                pennant.tint % TINTS,
                tenths(begin + FLAG * place),
                -32 - RISE * row,
                pennant.label,
                " hungry" if pennant.is_hungry else "",
                chevrons(pennant.experience),
                clean(pennant.strength),
            )
        )
    return marks


def chevrons(experience: int) -> Markup:
    """Draw a chevron below a pennant for each point of experience, at most three."""
    path = "".join(f"M{6 + 8 * n} 15.5l3 2.5l3-2.5" for n in range(min(experience, MOST_CHEVRONS)))
    return Markup('<path class="chevrons" d="{}"/>').format(path) if path else Markup("")


def tint_class(tint: int) -> str:
    """Return the CSS class of an owner's colour."""
    return f" side{tint % TINTS}" if tint != NO_ONE else " free"


def breadth(character: str) -> int:
    """Return the width of a character in letters: 2 for East Asian, 0 for combining characters."""
    return 0 if combining(character) else 1 + (east_asian_width(character) in ("W", "F"))


def squeeze_name(name: str) -> Markup:
    """Return attributes that squeeze a long name, so that it does not overlap others."""
    is_long = sum(map(breadth, name)) > LONGEST
    return Markup(' textLength="{}" lengthAdjust="spacingAndGlyphs"').format(ROOM) if is_long else Markup("")
