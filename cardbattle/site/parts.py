"""Building blocks for the pages of a site: links, tables, lists, and charts over the turns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import clean
from cardbattle.show.bidi import words_html, words_text
from cardbattle.show.document import NO_TINT
from cardbattle.show.pages.campaign.reports.chronicle import title_of_turn
from cardbattle.show.svg.charts import Axes, Figures, Trace, line_chart, round_ticks
from cardbattle.show.writers.battle_html import TINTS
from cardbattle.show.writers.html import description, environment, inline_script
from cardbattle.site.summaries import summaries_of

if TYPE_CHECKING:
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.site.book import SiteBattle, SiteBook


MOST_CARDS = 18_000  # maximum number of characters in the summaries of a page's links
SUMMARISED = re.compile(r'href="(?:\.\./)?((?:factions|forces|places)/[^"]*)"')


class Links:
    """Makes links between pages. `root` is the relative path to the root of the site."""

    def __init__(self, book: SiteBook, root: str) -> None:
        self.book = book
        self.root = root

    def to(self, page: str, text: str, tint: int = NO_TINT) -> Markup:
        """Return a link to a page. `page` is the path of the page from the root of the site."""
        return link_html(f"side{tint % TINTS}" if tint != NO_TINT else "plain", self.root + page, text)

    def faction(self, key: str | None) -> Markup:
        if key is None or key not in self.book.campaign.factions:
            return Markup("nobody")
        return self.to(f"factions/{key}.html", self.book.campaign.faction_name(key), self.book.tints[key])

    def force(self, key: str, *, is_first: bool = True) -> Markup:
        """Return a link to the page of a force. If the force no longer exists, return only its name.

        If `is_first` is false, the name is inside a sentence, and its article is in lower case.
        """
        forces = self.book.campaign.forces
        name = self.book.campaign.display_name(key)
        shown = name if is_first else mid_sentence(name)
        if key not in forces:
            return words_html(clean(shown))
        return self.to(f"forces/{key}.html", shown, self.book.tints.get(forces[key].faction, NO_TINT))

    def place(self, key: str | None) -> Markup:
        """Return a link to the page of a place, or "" if the place is unknown."""
        if key is None or key not in self.book.campaign.locations:
            return Markup("")
        return self.to(f"places/{key}.html", self.book.campaign.location_name(key))

    def battle(self, battle: SiteBattle) -> Markup:
        return self.to(f"battles/{battle.entry.id}.html", battle.title)

    def turn(self, turn: VisibleTurn) -> Markup:
        return self.to(f"turns/{turn.number}.html", title_of_turn(turn))


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
    """Return a table in which the first column labels the rows, or "" without rows.

    Columns without content are left out, for example the positions of forces if the reader knows none.
    """
    if not rows:
        return Markup("")
    kept = [n for n in range(len(head)) if not n or any(row[n] for row in rows)]
    classes = [Markup(' class="right"') if n in right else Markup("") for n in kept]
    heads = Markup("").join(
        Markup("<th{}>{}</th>").format(css_class, head[n]) for css_class, n in zip(classes, kept, strict=True)
    )
    lines = Markup("").join(table_row([row[n] for n in kept], classes) for row in rows)
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
    """A line of a chart, with its key, its name and the number of its colour."""

    key: str
    name: str
    tint: int


def turns_chart(
    book: SiteBook, label: str, series_list: Sequence[Series], value: Callable[[VisibleTurn, str], int | None]
) -> Markup:
    """Return a chart over the turns with a line for each series, or "" if there are fewer than two turns.

    `value` is a function that returns a number, at least 0, for a turn and the key of a series. It returns
    None if the number is unknown.
    """
    values = [[value(turn, series.key) for turn in book.turns_of_war] for series in series_list]
    numbers_known = [series for row in values for series in row if series is not None]
    if len(book.turns_of_war) < 2 or not numbers_known:
        return Markup("")
    ticks = round_ticks(max(numbers_known))
    numbers = [turn.number for turn in book.turns_of_war]
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


class PageHead(NamedTuple):
    """The title and the description of a page.

    Attributes:
        path: the path from the root of the site.
        description: what the page says, in one or two sentences, for search engines and link previews.
        badge: a badge beside the title, or "" for no badge.

    """

    path: str
    title: str
    description: str
    badge: Markup = Markup("")
    motto: str = ""

    @property
    def root(self) -> str:
        """The relative path from the page to the root of the site, which is "" for the front page."""
        return "" if self.path == "index.html" else "../" * self.path.count("/") or "./"


def head_values(book: SiteBook, head: PageHead) -> dict[str, object]:
    """Return the values that the template needs for every page."""
    return {
        "campaign": clean(book.campaign.name),
        "title": clean(head.title),
        "root": head.root,
        "description": description(head.description),
        "kind": "website" if head.path == "index.html" else "article",
        "address": f"{book.address}{head.path}" if book.address else "",
        "picture": "",
    }


def site_html(book: SiteBook, head: PageHead, body: Markup) -> str:
    """Return a page. Pages that change every turn also have the summaries that appear over their links."""
    cards = {} if head.path.startswith("turns/") else cards_of(book, body)
    script, source = inline_script("glimpse.js") if cards else (Markup(""), "")
    values = {
        **head_values(book, head),
        "story": body,
        "deck": "",
        "cards": Markup(json.dumps(cards, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")),
        "script": script,
        "script_hash": source,
    }
    return environment().get_template("site_page.html").render(values)


def cards_of(book: SiteBook, body: str) -> dict[str, tuple[str, str]]:
    """Return the name and the summary of each page to which `body` has a link, by the path of the page.

    The result has at most 18,000 characters.
    """
    paths = dict.fromkeys(SUMMARISED.findall(body))
    summaries = summaries_of(book)
    known = [path for path in paths if path in summaries]
    sizes = accumulate(len(path) + sum(map(len, summaries[path])) for path in known)
    small_paths = [path for path, size in zip(known, sizes, strict=True) if size < MOST_CARDS]
    return {path: (words_text(summaries[path][0]), words_text(summaries[path][1])) for path in small_paths}
