"""Building blocks of a site's pages: links, tables, lists, charts over the turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from cardbattle.core.names import clean
from cardbattle.show.bidi import words_html
from cardbattle.show.document import NO_TINT
from cardbattle.show.pages.campaign.chronicle import title_of_turn
from cardbattle.show.svg.charts import Axes, Figures, Trace, line_chart, round_ticks
from cardbattle.show.writers.battle_html import TINTS
from cardbattle.show.writers.html import environment

if TYPE_CHECKING:
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.site.book import SiteBattle, SiteBook


class Links:
    """Links from one page to others; `root` is the relative path from the page to the site's root."""

    def __init__(self, book: SiteBook, root: str) -> None:
        self.book = book
        self.root = root

    def __repr__(self) -> str:
        return f"<Links from {self.root or './'}>"

    def to(self, page: str, text: str, tint: int = NO_TINT) -> Markup:
        """Return a link to a page, given its path from the site's root."""
        return link_html(f"side{tint % TINTS}" if tint != NO_TINT else "plain", self.root + page, text)

    def faction(self, key: str | None) -> Markup:
        if key is None or key not in self.book.campaign.factions:
            return Markup("nobody")
        return self.to(f"factions/{key}.html", self.book.campaign.faction_name(key), self.book.tints[key])

    def force(self, key: str) -> Markup:
        """Return a link to a force's page, or only its name if it no longer exists."""
        forces = self.book.campaign.forces
        if key not in forces:
            return words_html(clean(self.book.campaign.display_name(key)))
        tint = self.book.tints.get(forces[key].faction, NO_TINT)
        return self.to(f"forces/{key}.html", self.book.campaign.name_of("forces", key), tint)

    def place(self, key: str | None) -> Markup:
        """Return a link to a place's page; empty if it is unknown."""
        if key is None or key not in self.book.campaign.locations:
            return Markup("")
        return self.to(f"places/{key}.html", self.book.campaign.location_name(key))

    def battle(self, battle: SiteBattle) -> Markup:
        return self.to(f"battles/{battle.entry.id}.html", battle.title)

    def turn(self, turn: VisibleTurn) -> Markup:
        return self.to(f"turns/{turn.number}.html", title_of_turn(self.book.campaign, turn))


@lru_cache(maxsize=50_000)  # many pages share the same links
def link_html(kind: str, to: str, text: str) -> Markup:
    return Markup(f'<a class="{kind}" href="{escape(to)}">{words_html(clean(text))}</a>')


def section(title: str, *parts: Markup) -> Markup:
    inside = Markup("\n").join(part for part in parts if part)
    return (
        Markup("<section>\n<h2><span>{}</span></h2>\n{}\n</section>\n").format(title, inside)
        if inside
        else Markup("")
    )


def table(head: Sequence[str], rows: Sequence[Sequence[Markup | str]], right: Sequence[int] = ()) -> Markup:
    """Return a table whose first column labels its rows; empty without rows."""
    if not rows:
        return Markup("")
    classes = [Markup(' class="right"') if n in right else Markup("") for n in range(len(head))]
    heads = Markup("").join(
        Markup("<th{}>{}</th>").format(*column) for column in zip(classes, head, strict=True)
    )
    lines = Markup("").join(table_row(row, classes) for row in rows)
    return Markup(
        '<div class="wide" tabindex="0"><table>\n<thead><tr>{}</tr></thead>\n'
        "<tbody>\n{}</tbody>\n</table></div>"
    ).format(heads, lines)


def table_row(row: Sequence[Markup | str], stands: Sequence[Markup]) -> Markup:
    first, *others = row
    cells = Markup("").join(
        Markup("<td{}>{}</td>").format(*cell_and_text)
        for cell_and_text in zip(stands[1:], others, strict=True)
    )
    return Markup('<tr><th scope="row">{}</th>{}</tr>\n').format(first, cells)


def story_list(lines: Sequence[Markup | str]) -> Markup:
    inside = "".join(f"<li>{words_html(line)}</li>\n" for line in lines)
    return Markup(f'<ul class="story">\n{inside}</ul>') if lines else Markup("")


def paragraph(text: Markup | str, kind: str = "") -> Markup:
    css_class = f' class="{kind}"' if kind else ""
    return Markup(f"<p{css_class}>{words_html(text)}</p>") if text else Markup("")


class Series(NamedTuple):
    """A line of a chart: its key, name and colour number."""

    key: str
    name: str
    tint: int


def turns_chart(
    book: SiteBook, label: str, series_list: Sequence[Series], value: Callable[[VisibleTurn, str], int | None]
) -> Markup:
    """Return a chart over the turns with a line for each series; empty for less than two turns.

    `value` returns a whole number from 0 for a turn and a key, or None.
    """
    values = [[value(turn, series.key) for turn in book.turns] for series in series_list]
    numbers_known = [series for row in values for series in row if series is not None]
    if len(book.turns) < 2 or not numbers_known:
        return Markup("")
    ticks = round_ticks(max(numbers_known))
    numbers = [turn.number for turn in book.turns]
    traces = [
        Trace(
            series.name,
            series.tint,
            [
                (n, max(amount, 0) / ticks[-1])
                for n, amount in zip(numbers, row, strict=True)
                if amount is not None
            ],
        )
        for series, row in zip(series_list, values, strict=True)
    ]
    axes = Axes([(tick / ticks[-1], str(tick)) for tick in ticks], f"turn {numbers[0]}", str(numbers[-1]))
    rows = [
        [str(number), *("" if row[n] is None else str(row[n]) for row in values)]
        for n, number in enumerate(numbers)
    ]
    return line_chart(label, traces, axes, Figures(["turn", *(series.name for series in series_list)], rows))


def nav_html(links: Sequence[Markup]) -> Markup:
    if not links:
        return Markup("")
    inside = Markup(" ").join(links)
    return Markup('<nav class="ways" aria-label="Previous and next">{}</nav>').format(inside)


def site_html(book_title: str, title: str, root: str, body: Markup) -> str:
    values = {"campaign": clean(book_title), "title": clean(title), "root": root, "story": body, "deck": ""}
    return environment().get_template("site.html").render(values)
