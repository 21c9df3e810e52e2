"""Draw line charts as SVG: chances after each move, or points and strength over the turns.

Lines differ in colour and dash pattern, so that they differ in black and white, too. A collapsed table
below the chart has the exact numbers, which also serves readers who cannot see the chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.show.bidi import words_html

TINTS = 6  # colours of the sides in style.css
DASHES = ("", "8 3", "2 3", "9 3 2 3", "5 2", "1 2")
WIDTH, HEIGHT = 480, 210  # plot area
LEFT, TOP, BELOW, EDGE = 44, 10, 24, 10


class Trace(NamedTuple):
    """A line of a chart: its name, its colour number, and points (x, height from 0 to 1)."""

    name: str
    tint: int
    points: Sequence[tuple[int, float]]


class Axes(NamedTuple):
    """The labels of a chart.

    `ticks` are shares of the height with their labels. Both ends of the x-axis have labels, and moments can
    be marked.
    """

    ticks: Sequence[tuple[float, str]]
    first: str
    last: str
    marks: Sequence[tuple[int, str]] = ()


class Figures(NamedTuple):
    """The numbers of a chart, for a table below it."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def line_chart(label: str, traces: Sequence[Trace], axes: Axes, figures: Figures) -> Markup:
    """Draw a chart with its legend and a table of its numbers. Return "" if the chart has no points."""
    if not any(trace.points for trace in traces):
        return Markup("")
    chart = drawing(label, traces, axes)
    return Markup("\n").join([chart, legend(traces, bool(axes.marks)), figures_html(figures)])


def drawing(label: str, traces: Sequence[Trace], axes: Axes, *, has_cursor: bool = False) -> Markup:
    """Draw the lines of a chart, which has at least one point.

    If `has_cursor` is true, the chart has a vertical line at its left end that a script can move.
    """
    spans = [point[0] for trace in traces for point in trace.points]
    begin, end = min(spans), max(spans)
    parts = [tick_line(*tick) for tick in axes.ticks]
    parts += [mark_line(across(x, begin, end), text) for x, text in axes.marks]
    parts += [trace_line(trace, begin, end) for trace in traces]
    low = TOP + HEIGHT + BELOW - 6
    labels = tick_words(LEFT, low, axes.first, "start") + tick_words(LEFT + WIDTH, low, axes.last)
    size = f"0 0 {LEFT + WIDTH + EDGE} {TOP + HEIGHT + BELOW}"
    kind = "chart live" if has_cursor else "chart"
    parts += [Markup('<path class="cursor" d="M{} {}V{}"/>').format(LEFT, TOP, TOP + HEIGHT)] * has_cursor
    return Markup('<svg class="{}" viewBox="{}" role="img" aria-label="{}">{}</svg>').format(
        kind, size, clean(label), Markup("").join([*parts, labels])
    )


def across(x: int, begin: int, end: int) -> str:
    """Return the x-coordinate at which a chart from `begin` to `end` shows the value `x`."""
    return tenths(LEFT + WIDTH * (x - begin) / max(1, end - begin))


def tenths(length: float) -> str:
    """Format a length with at most one decimal, so that the output is the same on every computer."""
    return f"{length:.1f}".removesuffix(".0")


def height_of(share: float) -> str:
    """Return the y-coordinate at which a chart shows a share from 0 to 1."""
    return tenths(TOP + HEIGHT * (1 - share))


def tick_line(share: float, text: str) -> Markup:
    """Draw a horizontal grid line with its label."""
    y = TOP + HEIGHT * (1 - share)
    line = Markup('<path class="grid" d="M{} {}H{}"/>').format(LEFT, tenths(y), LEFT + WIDTH)
    return line + tick_words(LEFT - 6, y + 4, text)


def tick_words(x: float, y: float, text: str, anchor: str = "end") -> Markup:
    """Write a label beside the chart. `anchor` says whether the text ends or starts at the given point."""
    return Markup('<text class="tick" x="{}" y="{}" text-anchor="{}">{}</text>').format(
        tenths(x), tenths(y), anchor, clean(text)
    )


def mark_line(x: str, text: str) -> Markup:
    """Draw a vertical line with a tooltip at a marked moment."""
    return Markup('<path class="moment" d="M{} {}V{}"><title>{}</title></path>').format(
        x, TOP, TOP + HEIGHT, clean(text)
    )


def trace_line(trace: Trace, begin: int, end: int) -> Markup:
    """Draw one line, or draw a dot if the line has only one point."""
    dots = [(across(x, begin, end), height_of(share)) for x, share in trace.points]
    if len(dots) == 1:
        return Markup('<circle class="side{}" cx="{}" cy="{}" r="4" fill="currentColor"/>').format(
            trace.tint % TINTS, *dots[0]
        )
    return Markup('<polyline class="side{}" points="{}" stroke-dasharray="{}"/>').format(
        trace.tint % TINTS, " ".join(f"{x},{y}" for x, y in dots), dashes(trace.tint)
    )


def dashes(tint: int) -> str:
    """Return the dash pattern of a line. Lines with the same colour have different patterns."""
    return DASHES[(tint + tint // TINTS) % len(DASHES)] or "none"


def legend(traces: Sequence[Trace], has_marks: bool) -> Markup:
    """Draw a legend that explains the lines and the marked moments."""
    items = [
        Markup(
            '<li><svg class="key side{0}" viewBox="0 0 30 8" aria-hidden="true">'
            '<path d="M1 4H29" stroke-dasharray="{1}"/></svg> <bdi class="name">{2}</bdi></li>'
        ).format(trace.tint % TINTS, dashes(trace.tint), words_html(clean(trace.name)))
        for trace in traces
    ]
    if has_marks:
        items.append(TURNING)
    return Markup('<ul class="legend">{}</ul>').format(Markup("").join(items))


TURNING = Markup(
    '<li><svg class="key" viewBox="0 0 30 8" aria-hidden="true"><path class="moment" d="M15 0V8"/></svg> '
    "turning point</li>"
)


def figures_html(figures: Figures) -> Markup:
    """Return the numbers of a chart as a collapsed HTML table, without optional end tags."""
    head = Markup("").join(Markup("<th><bdi>{}</bdi>").format(clean(word)) for word in figures.head)
    rows = Markup("").join(
        Markup("<tr><th>{}{}\n").format(
            clean(first), Markup("").join(Markup("<td>{}").format(clean(cell)) for cell in cells)
        )
        for first, *cells in figures.rows
    )
    return Markup(
        '<details class="numbers"><summary>In numbers</summary>\n<div class="wide" tabindex="0"><table>\n'
        "<thead><tr>{}\n<tbody>{}</table></div></details>"
    ).format(head, rows)


def round_ticks(most: int) -> list[int]:
    """Return about four round numbers from 0 to `most`. The last number can be a little higher.

    >>> round_ticks(23), round_ticks(3), round_ticks(0)
    ([0, 10, 20, 30], [0, 1, 2, 3], [0, 1])
    """
    step = next(
        size for power in range(10) for size in (10**power, 2 * 10**power, 5 * 10**power) if size * 4 >= most
    )
    return list(range(0, max(most, 1) + step, step))[: -(-max(most, 1) // step) + 1]
