"""Show Markdown texts on the terminal. Only the Markdown that rule books use is supported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from cardbattle.show.console import fit_encoding, has_many_colors
from cardbattle.show.layout import hung, layout_table, measure, pad, rule_heading, strip_spaces, wrap
from cardbattle.show.writers.rulebook_text import HEADING, INLINE, ITEM, paragraphs

if TYPE_CHECKING:
    from rich.console import Console


def rulebook_lines(markdown: str, console: Console) -> list[Text]:
    """Return the lines of a rule book, with the rule numbers in a column of their own."""
    number = max(
        (len(item["number"]) for item in map(ITEM.match, markdown.splitlines()) if item and item["number"]),
        default=0,
    )
    blocks = list(paragraphs(markdown.strip()))[:-1]  # without the empty line after the last block
    return [line for paragraph in blocks for line in paragraph_lines(paragraph, number + 2, console)]


def paragraph_lines(paragraph: list[str], number: int, console: Console) -> list[Text]:
    """Return the lines of a paragraph. `number` is the width of the column for rule numbers."""
    width = measure(console)
    first = paragraph[0]
    if first.startswith("```"):
        return [strip_spaces(Text("    " + fit_encoding(line, console.encoding))) for line in paragraph[1:-1]]
    if first.startswith("|"):
        return grid(paragraph, console)
    text = " ".join(line.strip() for line in paragraph)
    if heading := HEADING.fullmatch(text):
        title = inline_text(heading[2], console, "bold")
        return (
            rule_heading(title, Text(), width, console)
            if len(heading[1]) == 2
            else wrap(title, width, console)
        )
    if item := ITEM.fullmatch(first):
        text = " ".join(line.strip() for line in [item["words"], *paragraph[1:]])
        lead = pad(Text(item["number"], "bold"), number) if item["number"] else Text(item["mark"])
        return hung(inline_text(text, console), width, console, lead, lead.cell_len)
    return wrap(inline_text(text, console), width, console)


def grid(rows: list[str], console: Console) -> list[Text]:
    cells = [
        [inline_text(cell.strip(), console) for cell in row.strip().strip("|").split("|")] for row in rows
    ]
    columns = min(len(row) for row in cells)
    head, body = cells[0][:columns], [row[:columns] for row in cells[2:]]
    lines = layout_table([head, *body], [False] * columns, measure(console) - 2, console)
    return [strip_spaces(Text("  ").append_text(line)) for line in lines]


def inline_text(markdown: str, console: Console, style: str = "") -> Text:
    """Return words with their emphasis. If the console has no colours, code keeps its backquotes."""
    text = Text(style=style)
    end = 0
    for match in INLINE.finditer(markdown):
        text.append(fit_encoding(markdown[end : match.start()], console.encoding))
        end = match.end()
        words = fit_encoding(
            match["strong"] or match["link"] or match["stress"] or match["code"], console.encoding
        )
        if match["code"]:
            plain = console.color_system is None
            text.append(f"`{words}`" if plain else words, "color(30)" if has_many_colors(console) else "bold")
        else:
            text.append(words, "bold" if match["strong"] else "italic" if match["stress"] else "")
    return text.append(fit_encoding(markdown[end:], console.encoding))
