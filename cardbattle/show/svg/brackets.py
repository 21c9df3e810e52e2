"""Draw the bracket of a knock-out as SVG. The page also lists all matches in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.core.names import clean
from cardbattle.show.svg.bracket_shape import bracket_row
from cardbattle.show.svg.charts import TINTS

if TYPE_CHECKING:
    from cardbattle.show.svg.bracket_shape import Bracket, BracketEntry

GAP, ROW, TOP = 26, 17, 30  # between columns, of a line, and of the headings
LONGEST = 21  # characters of a name and its score
CHARACTER = 8  # the width of a character


def bracket_svg(bracket: Bracket) -> Markup:
    """Return the drawing, in a frame that scrolls sideways on a narrow screen."""
    parts = []
    wide = column_width(bracket)
    for c, column in enumerate(bracket.columns):
        x = c * (wide + GAP)
        parts.append(Markup('<text class="tick" x="{}" y="14">{}</text>').format(x, clean(column.name)))
        for n, entry in enumerate(column.entries):
            y = TOP + ROW * bracket_row(c, n) + 12
            if entry.name:
                parts.append(entry_svg(entry, x, y, wide))
            if n % 2 and entry.name and column.entries[n - 1].name:
                above = TOP + ROW * bracket_row(c, n - 1) + 12
                parts.append(join_svg(x + wide, above, y))
    width = len(bracket.columns) * (wide + GAP) - GAP
    height = TOP + ROW * 2 * len(bracket.columns[0].entries)
    return Markup(
        '<div class="wide" tabindex="0"><svg class="bracket" width="{0}" height="{1}" viewBox="0 0 {0} {1}" '
        'role="img" aria-label="{2}">{3}</svg></div>'
    ).format(width, height, clean(bracket.label), Markup("").join(parts))


def column_width(bracket: Bracket) -> int:
    """Return the width of a column, which has room for the longest name with its score, up to a limit."""
    entries = (entry for column in bracket.columns for entry in column.entries)
    texts = [*(column.name for column in bracket.columns), *(f"{each.name} {each.mark}" for each in entries)]
    return CHARACTER * min(LONGEST, max(map(len, texts)) + 1)


def entry_svg(entry: BracketEntry, x: int, y: int, width: int) -> Markup:
    """Draw the name and the score of an entry above a line."""
    room = LONGEST - len(entry.mark)
    name = entry.name if len(entry.name) <= room else f"{entry.name[: room - 1]}…"
    title = Markup("<title>{}</title>").format(entry.name) if name != entry.name else ""
    kind = f"side{entry.tint % TINTS}" if entry.tint >= 0 else "facts"
    return Markup(
        '<g class="{0} {1}"><path d="M{2} {3}H{4}"/><text x="{5}" y="{6}">{7}{8}</text>'
        '<text x="{9}" y="{6}" text-anchor="end">{10}</text></g>'
    ).format(
        kind, entry.stress or "open", x, y + 4, x + width, x + 2, y, title, name, x + width - 3, entry.mark
    )


def join_svg(x: int, above: int, below: int) -> Markup:
    """Draw the lines from two entries to the place of the winner."""
    middle = (above + below) // 2 + 4
    return Markup('<path class="join" d="M{0} {1}h8V{2}h-8M{3} {4}h{5}"/>').format(
        x, above + 4, below + 4, x + 8, middle, GAP - 8
    )
