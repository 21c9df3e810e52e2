"""Draw the marks on a campaign's map, and the legend that explains them.

Marks show places, forces, pending battles, battles that were fought, and movements. A faction has a colour, a
shape of its pennants, and a letter in its places, so that the map can be read without colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.show.bidi import words_html
from cardbattle.show.svg.charts import TINTS, tenths

Spot = tuple[float, float]
WIDTH = 480  # width of a map in SVG units
FLAG = 34  # distance between pennants; the widest shape is 29 wide
FITS, STRENGTH_ROOM = 2, 18  # a strength with more characters than FITS is squeezed to this width
ROW, RISE = 4, 19  # number of pennants in a row, and height of a row
LONGEST, ROOM = 24, 170  # a name with more letters than LONGEST is squeezed to the width ROOM
MOST_CHEVRONS = 3
NO_ONE = -1  # colour number of a place without an owner
SWORDS = "M14-7L28 7M28-7L14 7M13 3L18 8M29 3L24 8"
PENNANTS = (  # one shape for each colour
    "H29L25 7.5L29 14", "H28V14", "H22L29 7.5L22 14", "H21A6.5 6.5 0 0 1 21 14", "H29L22 14",
    "H28L25 4L28 7.5L25 11L28 14",
)  # fmt: skip
# bend of an arrow as a share of its length, and additional bend for each further arrow between two places
BEND, MORE_BEND = 0.16, 0.1
NEAR_START, NEAR_END, TIP = 13, 12, 8  # distances of an arrow from its two places, and length of its tip


class Pennant(NamedTuple):
    """A force on the map: its name, its strength as text, and its colour number.

    Attributes:
        experience: points of experience, or 0 if the reader does not know them.
        title: the title that the force earned by experience, or "".
        is_hungry: True if the force is out of supply.

    """

    name: str
    strength: str
    tint: int
    experience: int = 0
    title: str = ""
    is_hungry: bool = False

    @property
    def label(self) -> str:
        """A description of the force, such as `Percy 14, blooded, experience 4, out of supply`."""
        facts = [f"{self.name} {self.strength}".strip(), self.title]
        facts += [f"experience {self.experience}"] if self.experience else []
        facts += ["out of supply"] if self.is_hungry else []
        return ", ".join(clean(fact) for fact in facts if fact)


class Site(NamedTuple):
    """A place on the map: its name, a description, the number of its owner's colour, and the forces there.

    Attributes:
        battles: descriptions of the pending battles.
        page: the address of the page about the place.
        has_supply: True if the place supplies the forces of its owner.
        code: one or two letters for the owner, or "".
        terrain: the key of the terrain, or "".

    """

    name: str
    description: str
    tint: int
    pennants: Sequence[Pennant]
    battles: Sequence[str]
    page: str
    has_supply: bool = False
    code: str = ""
    terrain: str = ""


class Position(NamedTuple):
    """A place, or a point at a share of the way between two places."""

    place: str
    towards: str = ""
    share: float = 0

    def spot(self, spots: Mapping[str, Spot]) -> Spot | None:
        """Return the point on the map, or None if one of the places is not on the map."""
        start, end = spots.get(self.place), spots.get(self.towards or self.place)
        if start is None or end is None:
            return None
        return start[0] + (end[0] - start[0]) * self.share, start[1] + (end[1] - start[1]) * self.share


class Arrow(NamedTuple):
    """A movement of a force, with a label that describes it."""

    label: str
    tint: int
    start: Position
    end: Position


class Clash(NamedTuple):
    """The battles that were fought at a position, with the address of the page about the last of them.

    `is_recent` is True if the last battle was fought in the turn that the map shows.
    """

    label: str
    at: Position
    page: str
    is_recent: bool


class Memory(NamedTuple):
    """What a map shows of the past: the movements of a turn, and the battles up to the end of this turn."""

    arrows: Sequence[Arrow] = ()
    clashes: Sequence[Clash] = ()

    def marks(self, spots: Mapping[str, Spot]) -> Iterator[Markup]:
        """Draw the movements and the battles. `spots` maps the places to their positions on the map."""
        counts = Counter[tuple[Spot, Spot]]()
        for arrow in self.arrows:
            start, end = arrow.start.spot(spots), arrow.end.spot(spots)
            if start and end and start != end:
                yield arrow_mark(arrow, start, end, BEND + MORE_BEND * counts[start, end])
                counts[start, end] += 1
        for clash in self.clashes:
            spot = clash.at.spot(spots)
            if spot:
                yield clash_mark(clash, spot)


NO_MEMORY = Memory()


def arrow_mark(arrow: Arrow, start: Spot, end: Spot, bend: float) -> Markup:
    """Draw a movement as a curved arrow that does not touch the places at its ends.

    `bend` says how far the arrow bends, as a share of its length.
    """
    wide, high = end[0] - start[0], end[1] - start[1]
    over = (start[0] + wide / 2 - high * bend, start[1] + high / 2 + wide * bend)
    begin, tip = nearer(start, over, NEAR_START), nearer(end, over, NEAR_END)
    base = nearer(tip, over, TIP)
    aside = ((tip[1] - base[1]) / 2, (base[0] - tip[0]) / 2)
    corners = [tip, *((base[0] + sign * aside[0], base[1] + sign * aside[1]) for sign in (1, -1))]
    return Markup(
        '<g class="march{}" role="img" aria-label="{}"><title>{}</title><path d="M{}Q{} {}" pathLength="1"/>'
        '<path class="tip" d="M{}L{}L{}z"/></g>\n'
    ).format(tint_class(arrow.tint), arrow.label, arrow.label, *map(pair, (begin, over, base, *corners)))


def nearer(spot: Spot, to: Spot, length: float) -> Spot:
    """Return the point at `length` from `spot` towards `to`, at most half of the way."""
    wide, high = to[0] - spot[0], to[1] - spot[1]
    share = min(length / (sqrt(wide * wide + high * high) or 1), 0.5)
    return spot[0] + wide * share, spot[1] + high * share


def pair(spot: Spot) -> str:
    return f"{tenths(spot[0])} {tenths(spot[1])}"


def clash_mark(clash: Clash, spot: Spot) -> Markup:
    """Draw crossed swords for the battles fought at a position: left of a place, or on a road."""
    left = spot[0] - (21 if clash.at.towards else 42)
    return Markup(
        '<a class="fought{}" href="{}" aria-label="{}" transform="translate({})"><title>{}</title>'
        '<circle cx="21" r="13"/><path class="swords" d="{}"/></a>\n'
    ).format(
        "" if clash.is_recent else " old",
        clash.page,
        clash.label,
        pair((left, spot[1])),
        clash.label,
        SWORDS,
    )


def site_mark(site: Site, spot: Spot, is_named: bool = True) -> Markup:
    """Draw a place with its name and forces, and with crossed swords if a battle is pending there."""
    x, y = spot
    anchor = "start" if x < WIDTH / 4 else "end" if x > WIDTH * 3 / 4 else "middle"
    name = clean(site.name)
    link = Markup('<a href="{}" aria-label="{}"><circle class="place{}" r="9"/>{}</a>').format(
        site.page,
        f"{name}: {clean(site.description)}",
        tint_class(site.tint),
        town_name(name, anchor) if is_named else "",
    )
    code = Markup('<text class="men code" y="3.5" aria-hidden="true">{}</text>').format(site.code)
    swords = Markup('<path class="swords" d="{}"><title>{}</title></path>').format(
        SWORDS, "; ".join(map(clean, site.battles))
    )
    depot = Markup('<circle class="depot" r="13"><title>supply</title></circle>')
    parts = [
        *pennants_above(site.pennants, anchor),
        *([depot] if site.has_supply else []),
        link,
        *([code] if site.code else []),
        *([swords] if site.battles else []),
    ]
    return Markup('<g transform="translate({} {})">{}</g>\n').format(
        tenths(x), tenths(y), Markup("").join(parts)
    )


def town_name(name: str, anchor: str) -> Markup:
    """Draw a place's name below it."""
    shift = {"start": -12, "end": 12, "middle": 0}[anchor]
    return Markup('<text class="town" x="{}" y="25" text-anchor="{}"{}>{}</text>').format(
        shift, anchor, squeeze(name, LONGEST, ROOM), name
    )


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
                '<path class="flag{}" d="{}"/>{}'
                '<text class="men" x="13" y="11.5"{}>{}</text></g>'
            ).format(
                pennant.tint % TINTS,
                tenths(begin + FLAG * place),
                -32 - RISE * row,
                pennant.label,
                " hungry" if pennant.is_hungry else "",
                pennant_shape(pennant.tint),
                chevrons(pennant.experience),
                squeeze(clean(pennant.strength), FITS, STRENGTH_ROOM),
                clean(pennant.strength),
            )
        )
    return marks


def pennant_shape(tint: int) -> str:
    """Return the path of a faction's pennant."""
    return f"M1 18V1{PENNANTS[tint % len(PENNANTS)]}H1"


def chevrons(experience: int) -> Markup:
    """Draw a chevron below a pennant for each point of experience, but at most three chevrons."""
    path = "".join(f"M{6 + 8 * n} 15.5l3 2.5l3-2.5" for n in range(min(experience, MOST_CHEVRONS)))
    return Markup('<path class="chevrons" d="{}"/>').format(path) if path else Markup("")


def tint_class(tint: int) -> str:
    """Return the CSS class of an owner's colour."""
    return f" side{tint % TINTS}" if tint != NO_ONE else " free"


def breadth(character: str) -> int:
    """Return the width of a character in letters: 2 for East Asian characters, 0 for combining characters."""
    return 0 if combining(character) else 1 + (east_asian_width(character) in ("W", "F"))


def squeeze(text: str, longest: int, room: int) -> Markup:
    """Return SVG attributes that squeeze a text of more than `longest` letters to the width `room`.

    Otherwise a long name would overlap other names, and a long strength the next pennant.
    """
    is_long = sum(map(breadth, text)) > longest
    return Markup(' textLength="{}" lengthAdjust="spacingAndGlyphs"').format(room) if is_long else Markup("")


class Holder(NamedTuple):
    """A faction in the legend: its name, the number of its colour, and its letters."""

    name: str
    tint: int
    code: str


def legend_html(holders: Sequence[Holder], sites: Sequence[Site], memory: Memory, when: str) -> Markup:
    """Return the legend of a map: its factions and marks. `when` names the turn."""
    pennants = [pennant for site in sites for pennant in site.pennants]
    swords = Markup('<path class="swords" d="{}" transform="translate(-6 10)"/>').format(SWORDS)
    march = '<g class="march"><path d="M2 15Q12 2 22 9"/><path class="tip" d="M29 13L19 12L23 6z"/></g>'
    marks = [
        (any(site.battles for site in sites), swords, "pending battle"),
        (
            any(clash.is_recent for clash in memory.clashes),
            Markup('<g class="fought">{}</g>').format(swords),
            f"battle fought in {when}",
        ),
        (
            any(not clash.is_recent for clash in memory.clashes),
            Markup('<g class="fought old">{}</g>').format(swords),
            "earlier battle",
        ),
        (bool(memory.arrows), Markup(march), f"movement in {when}"),
        (
            any(pennant.experience for pennant in pennants),
            Markup('<g transform="translate(1 -8)">{}</g>').format(chevrons(MOST_CHEVRONS)),
            "experience",
        ),
        (
            any(pennant.is_hungry for pennant in pennants),
            Markup('<path class="flag hungry" d="{}"/>').format(pennant_shape(0)),
            "out of supply",
        ),
        (
            any(site.has_supply for site in sites),
            Markup('<circle class="depot" cx="15" cy="10" r="8"/>'),
            "place with supply",
        ),
        (
            any(site.tint == NO_ONE for site in sites),
            Markup('<circle class="place free" cx="15" cy="10" r="8"/>'),
            "no owner",
        ),
    ]
    items = [*map(holder_item, holders), *(legend_item(mark, text) for has, mark, text in marks if has)]
    return Markup('<ul class="legend">{}</ul>').format(Markup("").join(items))


def holder_item(holder: Holder) -> Markup:
    """Return a faction's entry in the legend, which shows its pennant and the mark of its places."""
    return Markup(
        '<li><svg class="key sign side{}" viewBox="0 0 52 20" aria-hidden="true"><path class="flag" d="{}"/>'
        '<circle class="place" cx="42" cy="10" r="8"/><text class="men" x="42" y="13.5">{}</text></svg> '
        '<bdi class="name">{}</bdi></li>'
    ).format(holder.tint % TINTS, pennant_shape(holder.tint), holder.code, words_html(clean(holder.name)))


def legend_item(mark: Markup, text: str) -> Markup:
    return Markup('<li><svg class="key sign" viewBox="0 0 30 20" aria-hidden="true">{}</svg> {}</li>').format(
        mark, text
    )


def letters_of(keys: Sequence[str]) -> dict[str, str]:
    """Return one or two letters for each key, different for each key.

    If a key has no such letters, its number is used.

    >>> letters_of(["york", "lancaster", "lords"])
    {'york': 'Y', 'lancaster': 'La', 'lords': 'Lo'}
    >>> letters_of(["north", "northmen"])
    {'north': '1', 'northmen': '2'}
    """
    counts = Counter(key[:length] for key in keys for length in (1, 2))
    return {
        key: next((key[:n].capitalize() for n in (1, 2) if counts[key[:n]] == 1), str(number))
        for number, key in enumerate(keys, 1)
    }
