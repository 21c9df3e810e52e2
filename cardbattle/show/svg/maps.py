"""Draw a campaign's map as SVG.

It shows places in the colours of their owners, roads, forces as pennants, and pending battles. If no place
has a position, the layout is computed by stress majorization, so that neighbours are close to each other: E.
R. Gansner, Y. Koren and S. North, Graph drawing by stress majorization, 2004. Places are moved one at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil, sqrt

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.show.svg.charts import tenths
from cardbattle.show.svg.map_marks import NO_MEMORY, WIDTH, Memory, Site, Spot, site_mark
from cardbattle.show.svg.terrain import ground

SIDE, ABOVE, BELOW = 56, 64, 44  # margins around the places, for names and pennants
TALLEST, FLATTEST = 420, 120  # maximum and minimum height of the area with places
ROUNDS = 120  # iterations of the layout
MOST_LAID_OUT = 150  # if there are more places, they are drawn in rows


def map_svg(
    label: str,
    sites: Mapping[str, Site],
    at: Mapping[str, Spot],
    roads: Sequence[tuple[str, str]],
    memory: Memory = NO_MEMORY,
) -> Markup:
    """Draw a map of the places. `at` has their positions. If `at` is empty, a layout is computed."""
    if not sites:
        return Markup("")
    spots, height = fit_spots(with_rest(at, list(sites)) if at else lay_out(list(sites), roads))
    lines = [road_line(spots[start], spots[end]) for start, end in roads]
    marks = [site_mark(site, spots[key]) for key, site in sites.items()]
    land = ground(sites, spots, height, WIDTH, roads)
    return Markup('<svg class="map" viewBox="0 0 {} {}" role="group" aria-label="{}">\n{}</svg>').format(
        WIDTH, tenths(height), clean(label), Markup("").join([land, *lines, *memory.marks(spots), *marks])
    )


def fit_spots(spots: Mapping[str, Spot]) -> tuple[dict[str, Spot], float]:
    """Scale positions to the size of the drawing. Return the positions, and the height of the drawing."""
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
    """Return the positions of all keys. The keys that are not in `at` are put in a row below the others."""
    missing = [key for key in keys if key not in at]
    left, right = min(x for x, _ in at.values()), max(x for x, _ in at.values())
    bottom, wide = max(y for _, y in at.values()), (right - left or 100) / max(len(missing), 1)
    row = {
        key: (left + wide * (n + 0.5), bottom + (right - left or 100) / 4) for n, key in enumerate(missing)
    }
    return {key: at[key] if key in at else row[key] for key in keys}


def lay_out(keys: Sequence[str], roads: Sequence[tuple[str, str]]) -> dict[str, Spot]:
    """Compute the positions of places from the roads between them.

    Without roads, or with too many places, put the places in rows.
    """
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
    """Transpose a layout if it is higher than it is wide."""
    wide, high = (
        max(spot[n] for spot in spots.values()) - min(spot[n] for spot in spots.values()) for n in (0, 1)
    )
    return {key: (y, x) for key, (x, y) in spots.items()} if high > wide else spots


def in_rows(keys: Sequence[str]) -> dict[str, Spot]:
    """Put the keys in rows of equal length. Every second row is indented by half a step."""
    long = max(1, ceil(sqrt(len(keys))))
    return {key: (n % long + 0.5 * (n // long % 2), n // long * 0.8) for n, key in enumerate(keys)}


def distances(keys: Sequence[str], roads: Sequence[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Count the roads between any two places.

    The distance of two places that are not connected is one more than the longest distance of places that
    are.
    """
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
    """Return a place's best position, with distances to others weighted by 1 / distance²."""
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
