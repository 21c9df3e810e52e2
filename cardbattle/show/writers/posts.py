"""Posts for forums and chats. They have few marks and no tables, and text from users is escaped.

The dialects differ only in their `Marks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.names import clean
from cardbattle.core.telling import AUDIT, Heading, Line, Name
from cardbattle.show.battle_text import (
    LONGEST_POST,
    Passage,
    ShownBlock,
    blocks_of,
    circumstances,
    commanders_text,
    credit,
    fought_by,
    is_brief,
    names_of,
    post_length,
    said,
    tally,
    winner_words,
)
from cardbattle.show.document import (
    STRONG,
    BattleReport,
    Book,
    Chart,
    Items,
    Listing,
    Paragraph,
    Section,
    Table,
    Title,
    as_text,
    without_bars,
)
from cardbattle.show.svg.bracket_shape import Bracket
from cardbattle.show.writers.plain import to_plain

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.core.telling import Part
    from cardbattle.show.document import Cell, Content, Document, Item


class Marks(NamedTuple):
    """The markup of a dialect. In each template, `{}` is replaced with the text.

    `escape` disables markup in a text. A list is enclosed in `before` and `after`, and code in `code` and
    `end`. In a message that players send unchanged, `escape_code` disables markup in lines of code, and
    `escape_sent` in all other lines.
    """

    escape: Callable[[str], str]
    title: str
    section: str
    heading: str
    strong: str
    item: str
    note: str
    before: Sequence[str]
    after: Sequence[str]
    code: str
    end: str
    escape_code: Callable[[str], str]
    escape_sent: Callable[[str], str]


def to_post(document: Document, form: str) -> str:
    """Return a document as a post. The dialect `form` is "discord" or "bbcode"."""
    marks = DIALECTS[form]
    if document.is_sent:
        return post_to_send(document, marks)
    paragraphs = [paragraph for block in document.blocks for paragraph in block_paragraphs(block, marks)]
    if form == "discord":
        return number_messages(messages(paragraphs))
    return "\n\n".join("\n".join(lines) for lines in paragraphs) + "\n"


def post_to_send(document: Document, marks: Marks) -> str:
    """Return messages that players send unchanged.

    Listings are formatted as code, and other text has no markup.
    """
    lines: list[str] = []
    for block in document.blocks:
        if isinstance(block, Listing):
            code = [marks.escape_code(clean(line)) for line in block.lines]
            lines += [marks.code.format(""), *code, marks.end]
        else:
            lines += map(marks.escape_sent, to_plain(document._replace(blocks=[block])).splitlines())
    return "".join(f"{line}\n" for line in lines)


def block_paragraphs(block: Content, marks: Marks) -> list[list[str]]:
    """Return a block as a list of paragraphs. A chart has none, because other blocks contain its numbers."""
    if isinstance(block, BattleReport):
        return battle_post(block, marks)
    if isinstance(block, Title):
        return [[marks.title.format(marks.escape(as_text(block.words)))]]
    if isinstance(block, Section):
        mark = marks.heading if block.is_part else marks.section
        return [[mark.format(marks.escape(as_text(block.words)))]]
    if isinstance(block, Paragraph):
        text = marks.escape(as_text(block.words))
        return [[marks.strong.format(text) if block.stress == STRONG and text else text]]
    if isinstance(block, Items):
        return list_paragraph([line for item in block.items for line in bullet_lines(item, marks)], marks)
    if isinstance(block, Table):
        bare = without_bars(block)
        return list_paragraph([row_line(bare.head, row, marks) for row in bare.rows], marks)
    if isinstance(block, Chart | Bracket):
        return []
    lines = block.text.splitlines() if isinstance(block, Book) else block.lines
    language = block.language if isinstance(block, Listing) else ""
    return [[marks.code.format(language), *(clean(line).replace("```", "'''") for line in lines), marks.end]]


def list_paragraph(lines: Sequence[str], marks: Marks) -> list[list[str]]:
    """Return the lines of a list as one paragraph, or no paragraph for an empty list."""
    return [[*marks.before, *lines, *marks.after]] if lines else []


def bullet_lines(item: Item, marks: Marks) -> list[str]:
    lead = f"{marks.strong.format(marks.escape(item.about))} " if item.about else ""
    text = marks.escape(as_text(item.words))
    return [
        marks.item.format(f"{lead}{text}"),
        *(marks.note.format(marks.escape(note)) for note in item.notes),
    ]


def row_line(head: Sequence[str], row: Sequence[Cell], marks: Marks) -> str:
    """Return a row as a list item: the first cell, then the others after their headings."""
    cells = [(word, as_text(cell)) for word, cell in zip(head, row, strict=True)]
    first = next((n for n, (word, cell) in enumerate(cells) if word and cell), 0) + 1
    about = " ".join(cell for _, cell in cells[:first] if cell)
    text = ", ".join(f"{word} {cell}" if word else cell for word, cell in cells[first:] if cell)
    lead = marks.strong.format(marks.escape(about))
    return marks.item.format(f"{lead}{f': {marks.escape(text)}' if text else ''}")


def battle_post(battle_report: BattleReport, marks: Marks) -> list[list[str]]:
    """Return the title, the circumstances, the story or log, and the outcome of a battle.

    For a part of a battle, return only the log.
    """
    report, detail = battle_report.report, battle_report.detail
    if battle_report.span is not None:
        return tale_post(battle_report, marks)
    names = names_of(report)
    commanders = commanders_text(report)
    results = [
        [marks.section.format(sentence(fought_by(report), names, marks))],
        [sentence([*circumstances(report), "."], names, marks)],
        *([[sentence(["Commanders: ", *commanders, "."], names, marks)]] if commanders else []),
    ]
    return [*results, *([] if is_brief(detail) else tale_post(battle_report, marks)), *outcome(report, marks)]


def sentence(parts: Sequence[Part], names: Sequence[str], marks: Marks) -> str:
    return marks.escape(said(parts, names, signs=True))


def tale_post(battle_report: BattleReport, marks: Marks) -> list[list[str]]:
    """Return the paragraphs of the story or log.

    Each heading is followed by its lines as a list. Grids are left out.
    """
    names, rows = names_of(battle_report.report), list[list[str]]()
    lines: list[str] = []
    for block in [*blocks_of(battle_report), None]:
        if isinstance(block, Passage):
            rows.append([sentence(block.parts, names, marks)])
        elif isinstance(block, Line):
            lines.append(tale_line(block, battle_report.detail, names, marks))
        elif block is None or isinstance(block, Heading):
            rows += list_paragraph(lines, marks)
            lines = []
            rows += [[heading_of(block, names, marks)]] if block is not None else []
    return rows


def tale_line(line: Line, detail: int, names: Sequence[str], marks: Marks) -> str:
    """Return a line of the log. In an audit, the number of the rule comes first."""
    rule = f"{marks.strong.format(marks.escape(line.rule))} " if detail >= AUDIT else ""
    return marks.item.format(f"{rule}{sentence(line.parts, names, marks)}")


def heading_of(block: ShownBlock, names: Sequence[str], marks: Marks) -> str:
    """Return the heading of a part of the battle, with its remark."""
    assert isinstance(block, Heading)
    remark = f" ({said(block.remark, names, signs=True)})" if block.remark else ""
    return marks.heading.format(marks.escape(f"{said(block.parts, names, signs=True)}{remark}"))


def outcome(report: Report, marks: Marks) -> list[list[str]]:
    """Return the winner and the reason, each side's score and losses, and the credit, if any."""
    names = names_of(report)
    won, why = winner_words(report)
    bold = [marks.strong.format(sentence([Name(seat)], names, marks)) for seat in range(len(names))]
    sides = [
        marks.item.format(f"{name}: {marks.escape(tally(report, seat))}") for seat, name in enumerate(bold)
    ]
    lead = marks.strong.format(sentence(won, names, marks))
    small = [[marks.escape(f"{credit(report)}.")]] if credit(report) else []
    return [[f"{lead}: {marks.escape(why)}.", *marks.before, *sides, *marks.after], *small]


def number_messages(posts: Sequence[str]) -> str:
    """Join messages into one text. If there are several, each has a line above it that shows where to cut."""
    if len(posts) == 1:
        return f"{posts[0]}\n"
    return "\n".join(
        f"------ message {number} of {len(posts)} ------\n{text}\n" for number, text in enumerate(posts, 1)
    )


def messages(paragraphs: Sequence[Sequence[str]]) -> list[str]:
    """Divide paragraphs into messages of at most 1,900 characters, counted as Discord counts them.

    If possible, paragraphs are not divided, and headings are in the same message as the next paragraph.
    """
    posts = [""]
    for part in parts_of(paragraphs):
        for piece in [part] if post_length([part]) <= LONGEST_POST else pieces(part.split("\n")):
            joined = f"{posts[-1]}\n{piece}" if posts[-1] else piece
            if post_length([joined]) <= LONGEST_POST:
                posts[-1] = joined
            else:
                posts.append(piece)
    return posts


def parts_of(paragraphs: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each paragraph as text. Headings are joined with the paragraph that follows them."""
    waiting: list[str] = []
    for lines in paragraphs:
        waiting += lines
        if not lines[0].startswith("#"):
            yield "\n".join(waiting)
            waiting = []
    if waiting:
        yield "\n".join(waiting)


def pieces(lines: Sequence[str]) -> Iterator[str]:
    """Divide lines into pieces that fit a message.

    If a code block must be divided, it is closed at the end of one piece and opened again in the next.
    """
    piece, fence = "", ""
    for line in (short for long in lines for short in broken(long)):
        end = ["```"] if fence and line != "```" else []
        if piece and post_length([piece, line, *end]) > LONGEST_POST:
            yield f"{piece}\n```" if fence else piece
            piece = fence
        piece = f"{piece}\n{line}" if piece else line
        if line.startswith("```"):
            fence = "" if fence else line
    yield piece


def broken(line: str) -> Iterator[str]:
    """Divide a line into parts that fit a message. If possible, it is divided between words."""
    room = LONGEST_POST // 2
    while post_length([line]) > room:
        cut = line.rfind(" ", 1, room)
        cut = cut if cut > 0 else room - line[:room].endswith("\\")
        yield line[:cut]
        line = line[cut:].lstrip(" ")
    yield line


DISCORD_MARKUP = re.compile(r"[\\`*_\[\]<>|~#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
LIST_START = re.compile(r"[-+]|\d+[.)]")
CHAT_MARKUP = re.compile(r"[*_~|`<>@]")
AT = "＠"  # a full-width sign, so that it does not mention a user


def escape_discord(text: str) -> str:
    r"""Escape Discord's markup, mentions, emoji and links in a line.

    >>> print(escape_discord("*York* @everyone :skull: - 1. <@7>"))
    \*York\* ＠everyone \:skull: - 1. \<＠7\>
    """
    line = DISCORD_MARKUP.sub(lambda match: "\\" + match[0], " ".join(clean(text).split())).replace("@", AT)
    start = LIST_START.match(line)
    return f"{line[: start.end() - 1]}\\{line[start.end() - 1 :]}" if start else line


def escape_chat(line: str) -> str:
    r"""Escape the markup of chat programs in a line of a message that players send.

    >>> print(escape_chat("**you** and _me_"))
    \*\*you\*\* and \_me\_
    """
    return CHAT_MARKUP.sub(lambda match: f"\\{match[0]}", line)


# BBCode has no escapes, so full-width characters replace those that act.
BRACKETS = str.maketrans("[]", "［］")
LINK = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
WIDE = {":": "：", ".": "．"}
TAG = re.compile(r"\[(?=\s*/?\s*\w)")


def escape_bbcode(text: str) -> str:
    """In a line, replace the characters that would form tags or links.

    >>> escape_bbcode("[b]York[/b] http://x www.y.org")
    '［b］York［/b］ http：//x www．y.org'
    """
    line = " ".join(clean(text).split()).translate(BRACKETS)
    return LINK.sub(lambda match: WIDE[match[0]], line)


def without_tags(line: str) -> str:
    """In a line, replace the brackets that would begin a tag.

    >>> without_tags("[/code][b]x[/b] [ 1 ]")
    '(/code](b]x(/b] ( 1 ]'
    """
    return TAG.sub("(", line)


DIALECTS = {
    "discord": Marks(
        escape=escape_discord,
        title="# {}",
        section="## {}",
        heading="### {}",
        strong="**{}**",
        item="- {}",
        note="  - {}",
        before=(),
        after=(),
        code="```{}",
        end="```",
        escape_code=lambda line: line.replace("`", "'"),
        escape_sent=escape_chat,
    ),
    "bbcode": Marks(
        escape=escape_bbcode,
        title="[size=150][b]{}[/b][/size]",
        section="[size=120][b]{}[/b][/size]",
        heading="[b]{}[/b]",
        strong="[b]{}[/b]",
        item="[*]{}",
        note="[i]{}[/i]",
        before=("[list]",),
        after=("[/list]",),
        code="[code]",
        end="[/code]",
        escape_code=without_tags,
        escape_sent=without_tags,
    ),
}
