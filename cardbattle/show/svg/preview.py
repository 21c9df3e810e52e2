"""Draw the picture of a battle for link previews: who fought, who won, and the chances step by step.

The picture is used outside pages, so it has its own colours. It is an SVG file, because no library of the
base installation draws PNG files.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.show.svg.charts import tenths
from cardbattle.show.svg.map_marks import SWORDS, pennant_shape

WIDTH, HEIGHT = 1200, 630  # the size that Open Graph recommends
COLOURS = ("#00696b", "#6f3fae", "#8a4b00", "#3f6410", "#1a5fa3", "#9c2f66")
DASHES = ("none", "24 9", "6 9", "27 9 6 9", "15 6", "3 6")
MOST_SIDES, LONGEST_NAME = 4, 30
LEFT, TOP, WIDE, HIGH = 660, 190, 480, 230  # of the chart of chances


class PreviewSide(NamedTuple):
    """A side of a battle: its name, its colour number, whether it won, and its chances step by step.

    `chances` has pairs of a step and a share from 0 to 1. It is empty if the chances are unknown.
    """

    name: str
    tint: int
    won: bool
    chances: Sequence[tuple[int, float]] = ()


def preview_svg(heading: str, ended: str, sides: Sequence[PreviewSide]) -> str:
    """Return the picture of a battle.

    `heading` names the campaign and the turn. `ended` describes the result.
    """
    parts = [
        Markup(
            '<rect width="{}" height="{}" fill="#fffdf8"/><path d="M60 110H1140" stroke="#22201c"/>'
        ).format(WIDTH, HEIGHT),
        words(60, 84, 34, cut(heading, 60), "#6d675d"),
        *(side_mark(side, 200 + 70 * n) for n, side in enumerate(sides[:MOST_SIDES])),
        chart(sides),
        *(words(60, 520 + 46 * n, 36, line) for n, line in enumerate(wrap(clean(ended), 62)[:2])),
    ]
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" '
        'font-family="Georgia, serif">{2}</svg>\n'
    ).format(WIDTH, HEIGHT, Markup("").join(parts))


def words(x: int, y: int, size: int, text: str, colour: str = "#22201c") -> Markup:
    return Markup('<text x="{}" y="{}" font-size="{}" fill="{}">{}</text>').format(x, y, size, colour, text)


def cut(text: str, most: int) -> str:
    text = clean(text)
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def side_mark(side: PreviewSide, y: int) -> Markup:
    """Draw a side: its pennant, its name, and whether it won."""
    colour = COLOURS[side.tint % len(COLOURS)]
    pennant = Markup('<path d="{}" fill="{}" stroke="{}" transform="translate(60 {}) scale(1.9)"/>').format(
        pennant_shape(side.tint), colour, colour, y - 30
    )
    name = cut(side.name, LONGEST_NAME)
    return pennant + words(134, y, 38, f"{name} ★" if side.won else name, colour)


def chart(sides: Sequence[PreviewSide]) -> Markup:
    """Draw the chances step by step. If they are unknown, draw crossed swords."""
    last = max((step for side in sides for step, _ in side.chances), default=1)
    if last < 2:
        return Markup(
            '<path d="{}" transform="translate(650 300) scale(12)" stroke="#b5121f" stroke-width="1.6" '
            'stroke-linecap="round" fill="none"/>'
        ).format(SWORDS)
    lines = [
        Markup(
            '<polyline fill="none" stroke="{}" stroke-width="6" stroke-dasharray="{}" points="{}"/>'
        ).format(
            COLOURS[side.tint % len(COLOURS)],
            DASHES[side.tint % len(DASHES)],
            " ".join(
                f"{tenths(LEFT + WIDE * (step - 1) / (last - 1))},{tenths(TOP + HIGH * (1 - share))}"
                for step, share in side.chances
            ),
        )
        for side in sides
    ]
    frame = Markup(
        '<path d="M{0} {1}V{2}H{3}M{0} {4}H{3}" stroke="#d9d2c3" fill="none" stroke-width="3"/>'
    ).format(LEFT, TOP, TOP + HIGH, LEFT + WIDE, TOP + HIGH // 2)
    return Markup("").join([frame, *lines])
