"""An umpire's own drawing as the campaign's map: nothing in it acts, and places have their owners' colours.

What is let through is listed here, shape by shape and word by word; all else is left out. So no script, no
style sheet, no picture from elsewhere and no address but one within the drawing gets onto a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from xml.etree import ElementTree
from xml.parsers import expat

from markupsafe import Markup

from cardbattle.core.errors import Mistake, Refused
from cardbattle.core.names import clean
from cardbattle.show.svg.maps import tint_class

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
PREFIX = "map-"  # before every id, so that none is one of the page's own


class Drawing:
    """A drawing that was read and cleared of all that acts; `places` are the ids that were found in it."""

    def __init__(self, root: ElementTree.Element) -> None:
        self.root = root
        self.places = {element.get("id", "").removeprefix(PREFIX) for element in root.iter()} - {""}

    def __repr__(self) -> str:
        return f"<Drawing with {len(self.places)} ids>"

    def coloured(self, label: str, owners: Mapping[str, int], copy: str = "") -> Markup:
        """Return the drawing with each place it has in the colour of its owner, by the colour's number.

        What `copy` says stands in its ids, so that several can stand on one page.
        """
        root = numbered(self.root, copy)
        for place in root.iter():
            key = place.get("id", "").removeprefix(PREFIX + copy)
            if key in owners:
                place.set("class", f"land{tint_class(owners[key])}")
        root.set("class", "map")
        root.set("role", "img")
        root.set("aria-label", clean(label))
        return Markup(ElementTree.tostring(root, encoding="unicode"))


def numbered(root: ElementTree.Element, copy: str) -> ElementTree.Element:
    """Return a copy of a cleared drawing in which every id, and what points to one, goes on with this."""
    found = deepcopy(root)
    for element in found.iter():
        for word, value in element.attrib.items():
            for begin in (PREFIX if word == "id" else "", f"#{PREFIX}", f"url(#{PREFIX}"):
                if begin and value.startswith(begin):
                    element.set(word, f"{begin}{copy}{value.removeprefix(begin)}")
                    break
    return found


def read_drawing(text: str) -> Drawing:
    """Return an SVG drawing without all that acts; Refused if it is none, or declares things of its own."""
    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartDoctypeDeclHandler = refuse_declared
    try:
        parser.Parse(text, True)
        root = ElementTree.fromstring(text)
    except (expat.ExpatError, ElementTree.ParseError) as error:
        raise Refused([Mistake(f"this is no drawing: {error}; save it as plain SVG")]) from None
    if root.tag != f"{SVG}svg":
        raise Refused(
            [Mistake('expected a drawing that begins with <svg xmlns="http://www.w3.org/2000/svg">')]
        )
    kept = cleared(root)
    kept.set("xmlns", SVG.strip("{}"))
    for word in ("width", "height"):
        size = re.match(r"[0-9.]+", kept.attrib.pop(word, ""))
        kept.set(word, size[0] if size else "")
    if "viewBox" not in kept.attrib:
        kept.set("viewBox", f"0 0 {kept.get('width') or 480} {kept.get('height') or 360}")
    for word in ("width", "height"):
        del kept.attrib[word]
    return Drawing(kept)


def refuse_declared(*told: object) -> None:
    """Raise Refused for a drawing with a DOCTYPE: what it declares would be carried out while it is read."""
    raise Refused(
        [Mistake("a drawing with a DOCTYPE is not read; save it as plain SVG, or take that line out")]
    )


def cleared(element: ElementTree.Element) -> ElementTree.Element:
    """Return a copy of an element with the shapes and words that only draw."""
    found = ElementTree.Element(element.tag.removeprefix(SVG), dict(looks_of(element)))
    found.text = clean_text(element.text)
    for child in element:
        if isinstance(child.tag, str) and child.tag.removeprefix(SVG) in SHAPES:
            kept = cleared(child)
            kept.tail = clean_text(child.tail)
            found.append(kept)
    return found


def clean_text(text: str | None) -> str | None:
    """Return text between shapes; what would act is shown as a code."""
    return clean(" ".join(text.split())) if text else None


def looks_of(element: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Yield how an element looks, what its style says among it."""
    given = dict(element.attrib)
    for one in given.pop("style", "").split(";"):
        word, _, value = one.partition(":")
        given[word.strip()] = value.strip()
    for word, value in given.items():
        if word == "id" and LOCAL.fullmatch(f"#{value}"):
            yield "id", f"{PREFIX}{value}"
        elif word in HREFS and LOCAL.fullmatch(value):
            yield "href", f"#{PREFIX}{value[1:]}"
        elif word in WORDS | LOOKS and (kept := harmless(value)):
            yield word, kept


def harmless(value: str) -> str:
    """Return a value that draws; the empty string if it could reach out of the drawing.

    >>> harmless("url(#sea)"), harmless("url(http://x.example/a)"), harmless("#c0ffee")
    ('url(#map-sea)', '', '#c0ffee')
    """
    inside = INSIDE.fullmatch(value)
    if inside:
        return f"url(#{PREFIX}{inside[1]})"
    return "" if ACTS.search(value) else clean(value)
