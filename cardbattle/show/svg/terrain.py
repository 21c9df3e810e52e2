"""Draw the ground of a map that has no drawing: the land of each owner, and small signs for the terrain.

The land of a place is the area that is nearer to this place than to any other place (a Voronoi cell). It is
found by clipping the map at each perpendicular bisector between the place and another place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt

from markupsafe import Markup

from cardbattle.show.svg.charts import TINTS, tenths
from cardbattle.show.svg.map_marks import NO_ONE, Site, Spot

MOST_LANDS = 150  # if a map has more places, no lands are drawn
EACH = 1150  # area for each sign, before signs that are too near to a place or a road are left out
BESIDE, OVER, UNDER = 58, 50, 34  # clear space around a place, for its pennants and its name
FROM_ROAD = 11
ACROSS, DOWN = 0.7548776662466927, 0.5698402909980532  # steps of the R2 sequence (M. Roberts, 2018)
SIGNS = {
    "tree": "m0 0v-4m-4 0l4-8l4 8z",
    "hill": "m-8 0q3-5 5-7q3-2 5 1l6 6m-9-3l2-1",
    "tuft": "m-3 0l-2-4m4 4v-6m2 6l2-4",
    "wave": "m-7 0q3-4 6 0t6 0",
    "house": "m-5 0v-5l4-4l4 4v5zm8 0h4v-4l-3-3",
}
WORDS = {
    "tree": ("wood", "forest", "tree", "jungle", "orchard", "grove"),
    "hill": ("hill", "mount", "height", "ridge", "pass", "rock", "moor"),
    "tuft": ("marsh", "swamp", "fen", "bog", "field", "plain", "heath", "desert", "open"),
    "wave": ("ford", "river", "bridge", "sea", "coast", "lake", "water", "stream", "port", "harbour"),
    "house": ("town", "city", "village", "castle", "fort", "wall", "urban", "camp", "keep"),
}
LOCAL, NEAR = ("wave", "house"), 95  # signs that are drawn only near their place, and the largest distance
COUNTRY = ("hill", "tree", "tuft", "tree", "tuft")  # the signs where the terrain is unknown
Roads = Sequence[tuple[Spot, Spot]]


def ground(sites: Mapping[str, Site], spots: Mapping[str, Spot], high: float, wide: float,
           roads: Sequence[tuple[str, str]]) -> Markup:  # fmt: skip
    """Draw the lands of the owners and the signs for the terrain, on a map that is `wide` by `high` units."""
    places = tuple(spots.values())
    terrain = tuple(sign_of(sites[key].terrain) for key in spots)
    cells = dict(zip(spots, lands(places, wide, high), strict=True)) if len(spots) <= MOST_LANDS else {}
    by_tint: dict[int, str] = {}
    for key, cell in cells.items():
        tint = sites[key].tint
        if tint != NO_ONE:
            by_tint[tint % TINTS] = by_tint.get(tint % TINTS, "") + cell
    ways = tuple((spots[start], spots[end]) for start, end in roads)
    parts = [
        *(Markup('<path class="realm side{}" d="{}"/>').format(*item) for item in sorted(by_tint.items())),
        Markup('<path class="relief" d="{}"/>\n').format(relief(places, terrain, ways, wide, high)),
    ]
    return Markup("").join(parts)


def sign_of(terrain: str) -> str:
    """Return the sign that fits the name of a terrain, or "" if no sign fits.

    >>> sign_of("dark-woods"), sign_of("ford"), sign_of("x")
    ('tree', 'wave', '')
    """
    return next((sign for sign, words in WORDS.items() if any(word in terrain for word in words)), "")


@lru_cache(maxsize=8)  # the maps of all turns have the same lands
def lands(spots: Sequence[Spot], wide: float, high: float) -> tuple[str, ...]:
    """Return the land of each place as an SVG path, on a map that is `wide` by `high` units."""
    return tuple(land_path(spot, [other for other in spots if other != spot], wide, high) for spot in spots)


def land_path(spot: Spot, others: Sequence[Spot], wide: float, high: float) -> str:
    """Return the land of a place as an SVG path, on a map that is `wide` by `high` units."""
    corners: list[Spot] = [(0, 0), (wide, 0), (wide, high), (0, high)]
    for other in others:
        corners = [*nearer_part(corners, spot, other)]
    return f"M{'L'.join(f'{tenths(x)} {tenths(y)}' for x, y in corners)}z"


def nearer_part(corners: Sequence[Spot], spot: Spot, other: Spot) -> Iterator[Spot]:
    """Yield the corners of the part of a convex polygon that is nearer to `spot` than to `other`."""
    wide, high = other[0] - spot[0], other[1] - spot[1]
    half = (other[0] ** 2 - spot[0] ** 2 + other[1] ** 2 - spot[1] ** 2) / 2
    over = [x * wide + y * high - half for x, y in corners]  # positive if a corner is nearer to `other`
    for n, here in enumerate(corners):
        x, y = corners[n - 1]
        if (over[n] > 0) != (over[n - 1] > 0):
            share = over[n - 1] / (over[n - 1] - over[n])
            yield x + (here[0] - x) * share, y + (here[1] - y) * share
        if over[n] <= 0:
            yield here


@lru_cache(maxsize=8)
def relief(spots: Sequence[Spot], terrain: Sequence[str], roads: Roads, wide: float, high: float) -> str:
    """Return the terrain's signs, evenly spaced away from places and roads, as one SVG path."""
    path = []
    for n in range(1, int(wide * high / EACH) + 1):
        spot = (12 + (n * ACROSS) % 1 * (wide - 24), 14 + (n * DOWN) % 1 * (high - 20))
        if any(abs(spot[0] - x) < BESIDE and -OVER < spot[1] - y < UNDER for x, y in spots) or any(
            distance(spot, *road) < FROM_ROAD for road in roads
        ):
            continue
        nearest = min(range(len(spots)), key=lambda k: square_distance(spot, spots[k]))
        sign = terrain[nearest]
        if not sign or (sign in LOCAL and square_distance(spot, spots[nearest]) > NEAR * NEAR):
            sign = COUNTRY[n % len(COUNTRY)]
        path.append(f"M{tenths(spot[0])} {tenths(spot[1])}{SIGNS[sign]}")
    return "".join(path)


def square_distance(first: Spot, second: Spot) -> float:
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2


def distance(spot: Spot, start: Spot, end: Spot) -> float:
    """Return the distance of a point from the line between `start` and `end`."""
    wide, high = end[0] - start[0], end[1] - start[1]
    share = ((spot[0] - start[0]) * wide + (spot[1] - start[1]) * high) / (wide * wide + high * high or 1)
    share = max(0.0, min(1.0, share))
    return sqrt(square_distance(spot, (start[0] + wide * share, start[1] + high * share)))
