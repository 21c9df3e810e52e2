"""The HTML format: one self-contained page that needs no network access. Only a replay has a script."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING, cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from cardbattle.core.grammar import capital
from cardbattle.core.names import clean
from cardbattle.core.telling import AUDIT, STORY, Card, Heading, Name, skip_empty_sections
from cardbattle.show.battle_text import (
    ShownBlock,
    blocks_of,
    circumstances,
    commanders_text,
    credit,
    fought_by,
    is_brief,
    losses_text,
    names_of,
    said,
    seed_text,
    winner_words,
)
from cardbattle.show.bidi import words_html
from cardbattle.show.document import (
    FAINT,
    NO_TINT,
    STRONG,
    Bar,
    BattleReport,
    Book,
    Chart,
    Items,
    Listing,
    Pair,
    Paragraph,
    Section,
    Side,
    Span,
    Table,
    Title,
    as_text,
    stretches_of,
)
from cardbattle.show.svg.bracket_shape import Bracket
from cardbattle.show.svg.brackets import bracket_svg
from cardbattle.show.svg.charts import Axes, Figures, Trace, line_chart
from cardbattle.show.svg.deck import Deck
from cardbattle.show.writers.battle_html import TINTS, BattleHtml, Stretch, small_card
from cardbattle.show.writers.packing import pack
from cardbattle.show.writers.replay_html import NOTHING, QUARTERS, fits, replay_facts

LONGEST_DESCRIPTION = 200  # characters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardbattle.core.telling import Block, Parts
    from cardbattle.show.document import Cell, Content, Document, Words
    from cardbattle.show.replay import Replay

    Spans = Callable[[Words], list[dict[str, object]]]


HEADINGS = (Title, BattleReport, Book)  # blocks that begin with a heading of the page


def to_html(document: Document) -> str:
    """Return a whole page. If no block has a heading, the page begins with the name of the document."""
    deck = Deck()
    has_heading = any(isinstance(block, HEADINGS) for block in document.blocks)
    heading = [] if has_heading else [Title(capital(clean(document.name)))]
    blocks = [block_facts(block, deck, document.drawn) for block in [*heading, *document.blocks]]
    script, source = replay_script() if any(block.get("replay") for block in blocks) else (Markup(""), "")
    return fill_template(
        "document.html",
        name=clean(document.name),
        description=description_of(document),
        blocks=blocks,
        deck=deck.symbols(),
        script=script,
        script_hash=source,
    )


def description_of(document: Document) -> str:
    """Return the description of a page for search engines and link previews.

    It is the first paragraph, or the sides of the first battle and its result.
    """
    for block in document.blocks:
        if isinstance(block, Paragraph):
            return description(as_text(block.words))
        if isinstance(block, BattleReport):
            names, (won, why) = names_of(block.report), winner_words(block.report)
            result = f"{said(fought_by(block.report), names)}. {said(won, names)}: {why}."
            return description(said(fought_by(block.report), names) if block.span else result)
    return clean(document.name)


def description(text: str) -> str:
    """Return the description of a page. A long text is cut between two words.

    >>> description("one two three " * 20)[-30:]
    'e two three one two three one…'
    """
    text = clean(text)
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    return f"{text[:LONGEST_DESCRIPTION].rsplit(' ', 1)[0].rstrip(',;:.')}…"


def to_fragment(document: Document, deck: Deck) -> str:
    """Return the blocks of a document as HTML, for a page that has the style sheet and the deck."""
    blocks = [block_facts(block, deck, document.drawn) for block in document.blocks]
    return fill_template("blocks.html", blocks=blocks, deck=Markup(""))


def scene_fragment(blocks: Sequence[ShownBlock], scribe: BattleHtml) -> str:
    """Return the table of a battle, for a page that shows the deck of `scribe`."""
    return fill_template("scene.html", scene={"stretches": scribe.stretches(blocks), "audit": False})


def hand_fragment(hand: Parts, scribe: BattleHtml) -> str:
    """Return a hand with its cards drawn, for a page that shows the deck of `scribe`.

    Return "" if the hand is empty.
    """
    cards = [" " if part == ", " else part for part in hand]  # no commas between drawn cards
    return f'<p class="line">{scribe.cell_html(cards)}</p>' if cards else ""


def replay_script() -> tuple[Markup, str]:
    """Return the script of a page with replays, and its hash for the page's content security policy."""
    return inline_script("replay.js", 'document.querySelectorAll(".replay").forEach(replay);\n')


@cache
def inline_script(template: str, start: str = "") -> tuple[Markup, str]:
    """Return a script without comments and with the code `start` at its end, and return its hash.

    With the hash, the page's content security policy can allow this script and no other.
    """
    lines = [line.strip() for line in fill_template(template).splitlines()]
    script = "\n".join(line for line in lines if line and not line.startswith("//")) + f"\n{start}"
    return Markup(script), f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


@cache
def style_sheet() -> str:
    """Return the style sheet of every page."""
    return without_spaces(fill_template("style.css"))


@cache
def site_style_sheet() -> str:
    """Return an additional style sheet, which all pages of a site except battles have.

    Other pages have it if they show a map.
    """
    return without_spaces(fill_template("site.css"))


def without_spaces(css: str) -> str:
    """Remove the spaces that a style sheet does not need.

    >>> without_spaces("a, b { color: red; }")
    'a,b{color:red}'
    """
    return re.sub(r" ?([{};,]) ?|: ", lambda match: match[1] or ":", css).replace(";}", "}")


def fill_template(template: str, **values: object) -> str:
    return environment().get_template(template).render(tints=TINTS, **values)


def block_facts(block: Content, deck: Deck, drawn: str) -> dict[str, object]:
    """Return the kind and the content of a block for the template.

    Cards shown as pictures are added to `deck`.

    `drawn` is the key of the rule set whose cards are shown as pictures in the text.
    """
    kind = type(block).__name__.lower()
    spans = partial(spans_drawn, deck=deck, drawn=drawn)
    if isinstance(block, BattleReport):
        report = block.report
        scribe = BattleHtml(names_of(report), report.rules.key, deck)
        return {"kind": kind, **battle_values(block, scribe)}
    if isinstance(block, Title):
        return {"kind": kind, "words": spans(block.words)}
    if isinstance(block, Section):
        return {"kind": kind, "words": spans(block.words), "is_part": block.is_part}
    if isinstance(block, Paragraph):
        return {"kind": kind, "words": spans(block.words), "stress": block.stress}
    if isinstance(block, Items):
        items = [
            {"about": clean(item.about), "words": spans(item.words), "notes": list(map(clean, item.notes))}
            for item in block.items
        ]
        return {"kind": kind, "items": items}
    if isinstance(block, Table):
        return {"kind": kind, **table_facts(block, spans)}
    if isinstance(block, Chart | Bracket):
        drawing = chart_html(block) if isinstance(block, Chart) else bracket_svg(block)
        return {"kind": "chart", "html": drawing}
    if isinstance(block, Listing):
        return {"kind": kind, "lines": list(map(clean, block.lines))}
    return {"kind": kind, "html": book_html(block.text)}


def spans_drawn(text: Words, deck: Deck, drawn: str) -> list[dict[str, object]]:
    """Split words into runs of text with emphasis and colour.

    Cards become pictures if the page has pictures of cards.
    """
    return [
        {
            "text": words_html(clean(as_text(word))),
            "stress": word.stress if isinstance(word, Span) else "",
            "tint": word.tint if isinstance(word, Span | Side) else NO_TINT,
            "card": card_html(word, deck, drawn) if isinstance(word, Card) else "",
        }
        for word in stretches_of(text)
    ]


def card_html(card: Card, deck: Deck, drawn: str) -> Markup:
    return deck.card(card.text, drawn) if drawn else small_card(card.text)


def table_facts(table: Table, spans: Spans) -> dict[str, object]:
    """Return the values of a table for the template. The longest bar determines the scale of all bars."""
    longest = max((cell.length for row in table.rows for cell in row if isinstance(cell, Bar)), default=0)
    return {
        "head": [clean(word) for word in table.head],
        "rows": [[cell_facts(cell, longest, spans) for cell in row] for row in table.rows],
        "right": [n in table.right for n in range(len(table.head))],
        "to_fill": table.to_fill,
    }


def cell_facts(cell: Cell, longest: int, spans: Spans) -> dict[str, object]:
    """Return the values of a cell for the template. The cell has words, a bar, or a pair."""
    if isinstance(cell, Bar):
        return {"bar": round(100 * cell.length / longest) if longest else 0, "tint": cell.tint}
    if isinstance(cell, Pair):
        main, aside = Span(cell.main, STRONG), Span(cell.aside, FAINT)
        return {"words": spans([main, " ", aside] if cell.aside else main)}
    return {"words": spans(cell)}


def chart_html(chart: Chart) -> Markup:
    names = [curve.side.name for curve in chart.curves]
    traces = [
        Trace(curve.side.name, seat if curve.side.tint == NO_TINT else curve.side.tint, curve.points)
        for seat, curve in enumerate(chart.curves)
    ]
    shares = [dict(curve.points) for curve in chart.curves]
    rows = [
        [str(move), *(f"{100 * known[move]:.0f}%" if move in known else "" for known in shares)]
        for move in chart.moves
    ]
    axes = Axes(QUARTERS, f"{chart.axis} {chart.moves[0]}", str(chart.moves[-1]), chart.marks)
    return line_chart(chart.label, traces, axes, Figures([f"after {chart.axis}", *names], rows))


def book_html(text: str) -> Markup:
    """Convert Markdown to HTML. HTML tags in the Markdown are shown as text."""
    from markdown_it import MarkdownIt  # only for rule books

    return Markup(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def battle_values(battle_report: BattleReport, scribe: BattleHtml) -> dict[str, object]:
    """Return the values of a battle for the template.

    The brief level of detail has no log. A part of a battle has only the log.
    """
    is_untold = battle_report.span is None and is_brief(battle_report.detail)
    if is_untold or battle_report.replay is None:
        blocks = [] if is_untold else blocks_of(battle_report)
        stretches = scribe.stretches(blocks, is_audit=battle_report.detail >= AUDIT)
        return tale_values(battle_report, stretches, scribe)
    replay = battle_report.replay()
    is_story = battle_report.detail == STORY
    return replay_values(battle_report, replay._replace(log=[]) if is_story else replay, scribe)


def replay_values(
    battle_report: BattleReport, replay: Replay, scribe: BattleHtml, onward: Markup = NOTHING
) -> dict[str, object]:
    """Return the values of a battle with a replay for the template. `onward` is a link to the next battle."""
    blocks, steps = [block for _, block in replay.log], [step for step, _ in replay.log]
    drawn, is_audit = len(scribe.deck.drawn), battle_report.detail >= AUDIT
    stretches = scribe.stretches(blocks, steps, is_audit=is_audit)
    won, why = winner_words(battle_report.report)
    verdict = Markup("<strong>{}</strong>: {}.").format(scribe.said(won), why)
    facts = replay_facts(replay, scribe, size_of(stretches), verdict, onward)
    if facts["packed"]:
        scribe.deck.forget_after(drawn)
        compact = scribe.compact(replay.linked_steps)
        stretches = compact.stretches(blocks, steps, is_audit=is_audit)
        if not fits(cast("int", facts["size"]) + size_of(stretches)):
            whole_log = stretches if not is_audit else compact.stretches(blocks, steps)
            facts["packed_log"] = Markup(pack(log_html(whole_log)))
            linked = [(step, block) for step, block in replay.log if is_linked(step, block, compact)]
            log = skip_empty_sections(linked)
            blocks, steps = [block for _, block in log], [step for step, _ in log]
            stretches = compact.stretches(blocks, steps, is_audit=is_audit)
    return tale_values(battle_report, stretches, scribe) | {"replay": facts}


def is_linked(step: int, block: Block, writer: BattleHtml) -> bool:
    """Return True for the headings of a log, and for the blocks of the steps to which the page has links."""
    return isinstance(block, Heading) or step in writer.linked


def log_html(stretches: Sequence[Stretch]) -> str:
    module = environment().get_template("battle.html").module
    return str(module.tale({"stretches": stretches, "audit": False})).strip()  # type: ignore[attr-defined]


def size_of(stretches: Sequence[Stretch]) -> int:
    """Return the size of a log, in bytes."""
    return sum(stretch.size for stretch in stretches)


def tale_values(
    battle_report: BattleReport, stretches: Sequence[Stretch], scribe: BattleHtml
) -> dict[str, object]:
    """Return the values of a battle for the template, with `stretches` as the sections of its log."""
    report, detail = battle_report.report, battle_report.detail
    won, why = winner_words(report)
    sides = [
        {
            "name": scribe.said([Name(seat)]),
            "won": seat in report.winners_to_name,
            "score": report.scores[seat],
            "losses": losses_text(report.losses[seat]),
        }
        for seat in range(len(report.names))
    ]
    return {
        "is_whole": battle_report.span is None,
        "fought": scribe.said(fought_by(report)),
        "circumstances": scribe.said(circumstances(report)),
        "commanders": scribe.said(commanders_text(report)),
        "stretches": stretches,
        "replay": None,
        "audit": detail >= AUDIT,
        "won": scribe.said(won),
        "why": why,
        "score_word": report.rules.score_word,
        "sides": sides,
        "seed": None if report.seed is None else seed_text(report.seed),
        "credit": credit(report),
    }


@cache
def environment() -> Environment:
    """Return the environment of the templates. It escapes all text that is inserted into a template."""
    templates = Environment(
        loader=PackageLoader("cardbattle.show", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # templates do not change while the program runs
    )
    templates.globals["style"] = lambda: Markup(style_sheet())
    templates.globals["site_style"] = lambda: Markup(site_style_sheet())
    return templates
