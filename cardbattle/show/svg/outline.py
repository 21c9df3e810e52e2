"""Compute the bounding boxes of the shapes in an SVG drawing, from their coordinates and transforms.

Numbers follow the grammar of SVG 2 (https://www.w3.org/TR/SVG2/paths.html#PathDataBNF). The box of a curve
encloses its control points, so the box can be larger than the curve.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import cos, isfinite, radians, sin, tan
from typing import NamedTuple
from xml.etree import ElementTree

from cardbattle.show.svg.map_marks import Spot

Matrix = tuple[float, float, float, float, float, float]  # as matrix(a b c d e f) of SVG
UNMOVED: Matrix = (1, 0, 0, 1, 0, 0)
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
FLAG = re.compile(r"[01]")  # a flag of an arc; the next number can follow without a separator
STEP = re.compile(r"([MLHVCSQTAZmlhvcsqtaz])([^MLHVCSQTAZmlhvcsqtaz]*)")
SIZES = {
    "M": 2,
    "L": 2,
    "H": 1,
    "V": 1,
    "C": 6,
    "S": 4,
    "Q": 4,
    "T": 2,
    "A": 7,
    "Z": 1,
}  # numbers per command
FLAGS = (3, 4)  # positions of the flags among the numbers of an arc
MOVE = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s{0,9}\(([^()]{0,300})\)")
HOLD = frozenset(("g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path"))
FAR = 1e9  # larger coordinates are ignored


class Box(NamedTuple):
    """The bounding box of a shape, in the drawing's coordinates."""

    left: float
    top: float
    right: float
    bottom: float

    def middle(self) -> Spot:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def boxes_by_id(root: ElementTree.Element) -> dict[str, Box]:
    """Return the bounding boxes of all shapes and groups that have an id.

    If two shapes have the same id, the first one counts.
    """
    table: dict[str, Box] = {}
    for child in root:
        add_boxes(child, UNMOVED, table)
    return table


def add_boxes(element: ElementTree.Element, outer: Matrix, table: dict[str, Box]) -> list[Spot]:
    """Add boxes of an element and its children, and return two corners of its own box, if any."""
    if element.tag not in HOLD:
        return []
    matrix = product(outer, matrix_of(element.get("transform", "")))
    spots = [
        spot
        for point in shape_spots(element)
        for spot in [transform_point(matrix, point)]
        if all(map(isfinite, spot))
    ]
    for child in element:
        spots += add_boxes(child, matrix, table)
    if not spots:
        return []
    across, down = zip(*spots, strict=True)
    box = Box(min(across), min(down), max(across), max(down))
    if "id" in element.attrib:
        table.setdefault(element.attrib["id"], box)
    return [(box.left, box.top), (box.right, box.bottom)]


def shape_spots(element: ElementTree.Element) -> list[Spot]:
    """Return points that enclose a shape. The list is empty for a group."""
    if element.tag == "path":
        return path_spots(element.get("d", ""))
    if element.tag in ("polygon", "polyline"):
        return pairs(numbers_in(element.get("points", "")))
    if element.tag == "line":
        return [
            (length(element, "x1"), length(element, "y1")),
            (length(element, "x2"), length(element, "y2")),
        ]
    if element.tag == "rect":
        return rectangle_spots(
            length(element, "x"), length(element, "y"), length(element, "width"), length(element, "height")
        )
    if element.tag in ("circle", "ellipse"):
        wide, high = (length(element, "r") or length(element, word) for word in ("rx", "ry"))
        x, y = length(element, "cx") - wide, length(element, "cy") - high
        return rectangle_spots(x, y, 2 * wide, 2 * high)
    return []


def rectangle_spots(x: float, y: float, wide: float, high: float) -> list[Spot]:
    return [(x, y), (x + wide, y), (x, y + high), (x + wide, y + high)]


def length(element: ElementTree.Element, word: str) -> float:
    """Return a length attribute of a shape, or 0 if the shape does not have it."""
    return next(iter(numbers_in(element.get(word, ""))), 0)


def numbers_in(text: str, flags: Sequence[int] = ()) -> list[float]:
    """Return the numbers in a text.

    In each group of seven numbers, the numbers at the indices in `flags` have one digit.

    >>> numbers_in("1-2.5.5e1,3")
    [1.0, -2.5, 5.0, 3.0]
    """
    values: list[float] = []
    begin = 0
    while match := (FLAG if len(values) % 7 in flags else NUMBER).search(text, begin):
        values.append(max(-FAR, min(FAR, float(match[0]))))
        begin = match.end()
    return values


def pairs(values: Sequence[float]) -> list[Spot]:
    """Combine numbers into points. If the count of numbers is odd, the last number is dropped."""
    return list(zip(values[::2], values[1::2], strict=False))


def path_spots(drawn: str) -> list[Spot]:
    """Return the points of a path, including the control points of its curves.

    >>> path_spots("m1 2l3 4h-1z l1 0")
    [(1.0, 2.0), (4.0, 6.0), (3.0, 6.0), (2.0, 2.0)]
    """
    spots: list[Spot] = []
    here = begin = (0.0, 0.0)
    for word, arguments in STEP.findall(drawn):
        size = SIZES[word.upper()]
        values = numbers_in(arguments, FLAGS if size == SIZES["A"] else ())
        for n in range(0, len(values) - size + 1, size):
            spots += step_spots(word, values[n : n + size], here)
            here = spots[-1]
            begin = here if word in "Mm" and n == 0 else begin
        here = begin if word in "Zz" else here
    return spots


def step_spots(word: str, values: Sequence[float], here: Spot) -> list[Spot]:
    """Return the points of the path command `word` with the numbers `values`. The last point is its end.

    If `word` is in lower case, the coordinates are relative to `here`.
    """
    x, y = here if word.islower() else (0.0, 0.0)
    if word in "Hh":
        return [(x + values[0], here[1])]
    if word in "Vv":
        return [(here[0], y + values[0])]
    last = values[-2:] if word in "Aa" else values
    return [(x + right, y + down) for right, down in pairs(last)]


def matrix_of(transform: str) -> Matrix:
    """Combine the steps of a transform into one matrix. Invalid steps are ignored."""
    combined = UNMOVED
    for word, arguments in MOVE.findall(transform):
        combined = product(combined, one_move(word, numbers_in(arguments)))
    return combined


def one_move(word: str, values: list[float]) -> Matrix:
    """Return the matrix of one step of a transform, such as `translate` with the numbers `values`."""
    match word, values:
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
        case "translate", [x, *arguments]:
            return (1, 0, 0, 1, x, arguments[0] if arguments else 0)
        case "scale", [x, *arguments]:
            return (x, 0, 0, arguments[0] if arguments else x, 0, 0)
        case "rotate", [angle, x, y]:
            turned = product((1, 0, 0, 1, x, y), one_move(word, [angle]))
            return product(turned, (1, 0, 0, 1, -x, -y))
        case "rotate", [angle]:
            along, across = cos(radians(angle)), sin(radians(angle))
            return (along, across, -across, along, 0, 0)
        case "skewX", [angle]:
            return (1, 0, tan(radians(angle)), 1, 0, 0)
        case "skewY", [angle]:
            return (1, tan(radians(angle)), 0, 1, 0, 0)
    return UNMOVED


def product(outer: Matrix, inner: Matrix) -> Matrix:
    """Multiply two matrices. The inner matrix is applied to a point first."""
    a, b, c, d = outer[:4]
    right, up = (a * inner[0] + c * inner[1], b * inner[0] + d * inner[1])
    left, down = (a * inner[2] + c * inner[3], b * inner[2] + d * inner[3])
    return (right, up, left, down, *transform_point(outer, (inner[4], inner[5])))


def transform_point(matrix: Matrix, spot: Spot) -> Spot:
    a, b, c, d, e, f = matrix
    return a * spot[0] + c * spot[1] + e, b * spot[0] + d * spot[1] + f
