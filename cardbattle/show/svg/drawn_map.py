"""Show an umpire's own SVG drawing as the campaign's map, with the places in the colours of their owners.

Forces, pending battles and links to the places' pages are drawn on top of the drawing, as on a generated map.

The drawing is sanitised: only the shapes and attributes listed here are kept. Scripts, style sheets, external
pictures, and addresses outside the drawing are removed, so they cannot reach a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from markupsafe import Markup

from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.names import clean
from cardbattle.show.svg.map_marks import (
    NO_MEMORY,
    RISE,
    ROW,
    WIDTH,
    Memory,
    Site,
    Spot,
    site_mark,
    tint_class,
)
from cardbattle.show.svg.outline import FAR, boxes_by_id, numbers_in

SVG = "{http://www.w3.org/2000/svg}"
HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
SHAPES = frozenset((
    "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan",
    "defs", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern", "symbol", "use",
    "marker", "title", "desc",
))  # fmt: skip
WORDS = frozenset((
    "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "dx", "dy", "width",
    "height", "points", "transform", "viewBox", "preserveAspectRatio", "offset", "gradientUnits",
    "gradientTransform", "spreadMethod", "clipPathUnits", "maskUnits", "maskContentUnits", "patternUnits",
    "patternContentUnits", "patternTransform", "markerWidth", "markerHeight", "markerUnits", "orient",
    "refX", "refY", "rotate", "textLength", "lengthAdjust", "pathLength",
))  # fmt: skip
LOOKS = frozenset((
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "opacity", "color",
    "font-family", "font-size", "font-style", "font-weight", "font-variant", "letter-spacing",
    "word-spacing", "text-anchor", "dominant-baseline", "stop-color", "stop-opacity", "clip-path",
    "clip-rule", "mask", "marker-start", "marker-mid", "marker-end", "display", "visibility",
    "paint-order", "vector-effect",
))  # fmt: skip
LOCAL = re.compile(r"#[A-Za-z0-9_.:-]+")
INSIDE = re.compile(r"url\(\s*[\"']?#([A-Za-z0-9_.:-]+)[\"']?\s*\)")
ACTS = re.compile(r"url|image|@|\\|expression|javascript|[<>]", re.IGNORECASE)
PREFIX = "map-"  # prefix of every id, so that none clashes with an id of the page
DEEPEST = 100  # maximum depth of nested groups
LENGTH = re.compile(r"\s*([0-9.]{1,20})\s*(mm|cm|in|pt|pc|px|)\s*")
UNITS = {"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "pc": 16.0}  # in units of the drawing


class Frame(NamedTuple):
    """The visible area of a drawing, in the coordinates of the drawing."""

    left: float
    top: float
    wide: float
    high: float

    def holds(self, spot: Spot) -> bool:
        """Return True if a point is visible."""
        return 0 <= spot[0] - self.left <= self.wide and 0 <= spot[1] - self.top <= self.high


class Drawing:
    """A sanitised drawing with its visible area, and the centre of each shape by its id."""

    def __init__(self, root: ElementTree.Element, frame: Frame) -> None:
        self.root = root
        self.frame = frame
        self.middles = {key.removeprefix(PREFIX): box.middle() for key, box in boxes_by_id(root).items()}
        texts = [" ".join(" ".join(item.itertext()).split()) for item in root.iter("text")]
        self.words = "\n".join(texts).casefold()

    def spot(self, key: str, at: Spot | None) -> Spot | None:
        """Return the position `at` of a place.

        If it is None, return the centre of the shape with the id `key`.

        Return None if this point is not visible.
        """
        ways = [item for item in (at, self.middles.get(key)) if item is not None and self.frame.holds(item)]
        return ways[0] if ways else None

    def writes(self, name: str) -> bool:
        """Return True if the drawing already shows a name, so that the name need not be added."""
        plain_name = " ".join(clean(name).split()).casefold()
        return re.search(rf"(?<!\w){re.escape(plain_name)}(?!\w)", self.words) is not None

    def to_svg(
        self,
        label: str,
        sites: Mapping[str, Site],
        at: Mapping[str, Spot],
        copy: str = "",
        memory: Memory = NO_MEMORY,
    ) -> Markup:
        """Return the drawing with the places in the colours of their owners, and the forces drawn over it.

        `at` maps places to their positions in the coordinates of the drawing. `copy` becomes a part of all
        ids in the drawing, so that one page can contain several copies.
        """
        root = with_own_ids(self.root, copy)
        for shape in root.iter():
            key = shape.get("id", "").removeprefix(PREFIX + copy)
            if key in sites:
                shape.set("class", f"land{tint_class(sites[key].tint)}")
        root.set("class", "map")
        root.set("role", "group")
        root.set("aria-label", clean(label))
        spots = {key: spot for key in sites if (spot := self.spot(key, at.get(key))) is not None}
        within = {key: self.within(sites[key], spot) for key, spot in spots.items()}
        places = [
            site_mark(sites[key], spot, not self.writes(sites[key].name)) for key, spot in within.items()
        ]
        marks = [*memory.marks(within), *places]
        root.append(ElementTree.fromstring(layer(self.frame, Markup("").join(marks))))
        return Markup(ElementTree.tostring(root, encoding="unicode"))

    def picture(self, kind: str, copy: str) -> Markup:
        """Return the drawing without a label. `kind` is its CSS class, `copy` a part of its ids."""
        root = with_own_ids(self.root, copy)
        root.set("class", kind)
        root.set("aria-hidden", "true")
        return Markup(ElementTree.tostring(root, encoding="unicode"))

    def within(self, site: Site, spot: Spot) -> Spot:
        """Return a place's point in map units. It is moved away from the edges to make its mark visible."""
        unit = self.frame.wide / WIDTH
        rows = -(-len(site.pennants) // ROW)
        above, below = (14 + RISE * rows, 14 if self.writes(site.name) else 30)
        x = clamp(14, (spot[0] - self.frame.left) / unit, WIDTH - (32 if site.battles else 14))
        return x, clamp(above, (spot[1] - self.frame.top) / unit, self.frame.high / unit - below)


def layer(frame: Frame, marks: Markup) -> Markup:
    """Scale the marks that are drawn over a drawing, so that they are as large as on a generated map."""
    return Markup('<g class="marks"><g transform="translate({} {}) scale({})">{}</g></g>').format(
        *(f"{length:.9g}" for length in (frame.left, frame.top, frame.wide / WIDTH)), marks
    )


def clamp(least: float, length: float, most: float) -> float:
    return max(least, min(length, most))


def with_own_ids(root: ElementTree.Element, copy: str) -> ElementTree.Element:
    """Copy a sanitised drawing, and add the prefix `copy` to its ids and to the references to these ids."""
    copied = deepcopy(root)
    for element in copied.iter():
        for word, value in element.attrib.items():
            for begin in (PREFIX if word == "id" else "", f"#{PREFIX}", f"url(#{PREFIX}"):
                if begin and value.startswith(begin):
                    element.set(word, f"{begin}{copy}{value.removeprefix(begin)}")
                    break
    return copied


def read_drawing(text: str) -> Drawing:
    """Sanitise an SVG drawing. Raises InvalidInput if it is not SVG or has a DOCTYPE."""
    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartDoctypeDeclHandler = refuse_declared
    try:
        parser.Parse(text, True)
        root = ElementTree.fromstring(text)
    except (expat.ExpatError, ElementTree.ParseError) as error:
        raise InvalidInput([Diagnostic(f"not an SVG drawing: {error}; save it as plain SVG")]) from None
    if root.tag != f"{SVG}svg":
        raise InvalidInput(
            [Diagnostic('expected a drawing that begins with <svg xmlns="http://www.w3.org/2000/svg">')]
        )
    sanitised = sanitise(root)
    sanitised.set("xmlns", SVG.strip("{}"))
    frame = frame_of(sanitised)
    sanitised.set("viewBox", " ".join(f"{length:.9g}" for length in frame))
    for word in ("width", "height"):
        sanitised.attrib.pop(word, None)
    return Drawing(sanitised, frame)


def frame_of(root: ElementTree.Element) -> Frame:
    """Return the visible area of a drawing, from its viewBox or its width and height."""
    match numbers_in(root.get("viewBox", "")):
        case [left, top, wide, high] if min(wide, high) > 1 / FAR:
            return Frame(left, top, wide, high)
    wide, high = (size_of(root.get(word, "")) for word in ("width", "height"))
    return Frame(0, 0, wide or WIDTH, high or WIDTH * 3 / 4)


def size_of(text: str) -> float:
    """Return a width or height in the unit of the drawing, or 0 if it is missing or relative.

    >>> size_of("480"), size_of("1in"), size_of("100%")
    (480.0, 96.0, 0)
    """
    match = LENGTH.fullmatch(text)
    return sum(numbers_in(match[1])[:1]) * UNITS.get(match[2], 1) if match else 0


def refuse_declared(*declaration: object) -> None:
    """Raise InvalidInput for a DOCTYPE, because its entities would be expanded while parsing."""
    raise InvalidInput(
        [Diagnostic("a drawing with a DOCTYPE is not read; save it as plain SVG, or remove that line")]
    )


def sanitise(element: ElementTree.Element, kind: str = "svg", depth: int = 0) -> ElementTree.Element:
    """Copy an element with only the allowed shapes and their texts. The copy has the tag `kind`.

    Raises InvalidInput if groups are nested too deeply.
    """
    if depth > DEEPEST:
        raise InvalidInput([Diagnostic(f"groups are nested more than {DEEPEST} deep; ungroup some of them")])
    copied = ElementTree.Element(kind, dict(looks_of(element)))
    copied.text = clean_text(element.text)
    for child in element:
        within = safe_kind(child, kind)
        if within in SHAPES:
            sanitised = sanitise(child, within, depth + 1)
            sanitised.tail = clean_text(child.tail)
            copied.append(sanitised)
    return copied


def safe_kind(element: ElementTree.Element, outer: str) -> str:
    """Return the tag for a copied element. A link becomes a group, or a part of the text."""
    kind = element.tag.removeprefix(SVG) if isinstance(element.tag, str) else ""
    return ("tspan" if outer in ("text", "tspan") else "g") if kind == "a" else kind


def clean_text(text: str | None) -> str | None:
    """Collapse the spaces in text between shapes, and escape its control characters."""
    return clean(re.sub(r"\s+", " ", text)) if text else None


def looks_of(element: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Yield the presentation attributes of an element. Those in its `style` attribute are included."""
    attributes = dict(element.attrib)
    for item in attributes.pop("style", "").split(";"):
        word, _, value = item.partition(":")
        attributes[word.strip()] = value.strip()
    for word, value in attributes.items():
        if word == "id" and LOCAL.fullmatch(f"#{value}"):
            yield "id", f"{PREFIX}{value}"
        elif word in HREFS and LOCAL.fullmatch(value):
            yield "href", f"#{PREFIX}{value[1:]}"
        elif word in WORDS | LOOKS and (sanitised := harmless(value)):
            yield word, sanitised


def harmless(value: str) -> str:
    """Return an attribute value, with a prefix added to the id to which it refers.

    Return "" if the value could refer to anything outside the drawing.

    >>> harmless("url(#sea)"), harmless("url(http://x.example/a)"), harmless("#c0ffee")
    ('url(#map-sea)', '', '#c0ffee')
    """
    inside = INSIDE.fullmatch(value)
    if inside:
        return f"url(#{PREFIX}{inside[1]})"
    return "" if ACTS.search(value) else clean(value)
