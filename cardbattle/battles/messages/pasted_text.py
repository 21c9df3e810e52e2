"""Convert text that was copied from a mail, an HTML page, a chat or a phone to plain lines.

Characters are normalised (NFKC), so that full-width letters and signs become ASCII. HTML tags are removed,
and character references are replaced with the characters. A block element of HTML ends a line. Quoted lines
begin with `>`, and so do the lines below a reply header such as `Ann wrote:`. The time and the memory needed
are proportional to the length of the text. The length is checked after normalisation, which can replace one
character with up to 18.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from email.utils import parsedate_to_datetime
from html.entities import html5
from itertools import chain, dropwhile, islice, pairwise, takewhile
from typing import NamedTuple

from cardbattle.core.errors import InvalidInput
from cardbattle.files.errors import PlacedDiagnostic

MOST_CHARACTERS = 1_000_000  # maximum number of characters in a text after normalisation
MOST_LINES = 20_000
CHUNK = 10_000  # number of characters to normalise at a time
NEWLINE = re.compile(r"\r\n|\r|\n")
QUOTED = re.compile(r"[\s>]*")
QUOTES = str.maketrans("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb", '\'\'\'\'""""""')
REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|(?P<name>[a-zA-Z][a-zA-Z0-9]{1,31}));")
LINK = re.compile(
    r"<mailto:[^<>|\n]{0,200}>|\[mailto:[^\[\]\n]{0,200}\]"
)  # an address as mail programs mark it
NAMED_LINK = re.compile(r"<mailto:[^<>|\n]{0,200}\|([^<>\n]{0,200})>")  # an address as chat programs mark it
TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)(?=[\s/>])[^<>]{0,2000}>", re.IGNORECASE)  # not <b@example.org>
# HTML elements with an empty line around them, and elements that only begin a new line
BLOCKS = frozenset(
    ["blockquote", "body", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul"]
)
LINES = frozenset(["dd", "div", "dt", "li", "tr"])
HIDDEN = frozenset(["head", "script", "style", "title"])
INLINE = frozenset(
    [
        "a",
        "b",
        "big",
        "center",
        "code",
        "em",
        "font",
        "html",
        "i",
        "img",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "tbody",
        "td",
        "th",
        "u",
    ]
)
DEEPEST = 20  # maximum depth of nested quotations
BREAKING = BLOCKS | LINES
MARKED = re.compile(r"^[ \t]*(?:>|&gt;)|<blockquote", re.IGNORECASE | re.MULTILINE)
ORIGINAL = re.compile(
    r"\W*--\s*(original message|forwarded message|urspr(ü|ue)ngliche nachricht|weitergeleitete nachricht"
    r"|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht)\s*-{2,}.*",
    re.IGNORECASE,
)
WROTE = re.compile(
    r".*\b(wrote|schrieb( .{1,100})?|a écrit|escribió|ha scritto|schreef( .{1,100})?|skrev( .{1,100})?)\s?:",
    re.IGNORECASE,
)
WROTE_BEGINS = re.compile(
    r"(on|am|le|el|il|op|den)\b(?!.*:\s).*(\b(\d{1,2}[:.]\d\d|\d{4})\b|<).*", re.IGNORECASE
)  # the first line of a wrapped reply header, with a time, a year or a mail address
DATE = re.compile(r"^Date: (.{1,100})$", re.IGNORECASE | re.MULTILINE)
SENDER = re.compile(r"\W*(from|von|de|da|van|fra|från)\s?:.*", re.IGNORECASE)
MAIL_ADDRESS = re.compile(r"[^\s<>()\[\]\",;:@]+@[^\s<>()\[\]\",;:@]+")
IN_BRACKETS = re.compile(rf"<({MAIL_ADDRESS.pattern})>")
SENDER_LINE = re.compile(r"^[^\w\n]{0,9}(from|von|de|da|van|fra|från)\s?:", re.IGNORECASE | re.MULTILINE)
FROM = re.compile(r"from\s?: [^->@:;,.]{1,60}|from\s?: .{0,100}@.{1,100}", re.IGNORECASE)  # not an order
SENT = re.compile(
    r"\W*(sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|subject|betreff|objet|asunto|oggetto)"
    r"\s?:.*",
    re.IGNORECASE,
)
OUTLOOK = re.compile(r"\W*(sent|gesendet|envoyé|enviado|inviato|verzonden)\s?:.*", re.IGNORECASE)  # Outlook's
RECEIVER = re.compile(r"\W*(to|an|à|para|a|aan|til|till)\s?:(?P<names>.*)", re.IGNORECASE)
# Lines that only a header of a mail has, and lines that a header has beside these
HEADER = re.compile(
    r"\W*(date|subject|sent|reply-to|return-path|delivered-to|in-reply-to|message-id|received(-spf)?|references"
    r"|mime-version|user-agent|content-(type|transfer-encoding|language|disposition)|dkim-signature"
    r"|authentication-results|list-(id|post|help|owner|archive|subscribe|unsubscribe)|thread-(topic|index)"
    r"|x-(mailer|priority|(apple|forwarded|gm|google|mozilla|ms|originating|received|spam|virus)[a-z-]*))"
    r"\s?:.*",
    re.IGNORECASE,
)
BESIDE = re.compile(r"\W*(to|sender|b?cc|kopie|antwort an|répondre à|importance)\s?:.*", re.IGNORECASE)
FOLDED = re.compile(
    r"(?:(?:>\s)+)? \S(?!.*:(\s|$)).*"
)  # the rest of the line of a header above it, and not an order
MBOX = re.compile(  # the line that mail programs write above each mail in one file
    r"from \S{1,200}\s+(?:mon|tue|wed|thu|fri|sat|sun) [a-z]{3}\s+\d{1,2} \d\d:\d\d.{0,40}", re.IGNORECASE
)
MBOX_LINE = re.compile(r"^from \S{1,200} ", re.IGNORECASE | re.MULTILINE)
CUT_LINE = re.compile(r"_{5,}|begin forwarded message:", re.IGNORECASE)  # above a quoted mail
FORM = re.compile(r"[\w-]+/[\w-]+@\d+:")  # the address above the form of the program's own message
EMPTY = re.compile(r"[^:]{1,120}:(?: retreat to)?")  # a line of this form
BAR = re.compile(r"([ \t]*)\|(?!.*\|\s*$)")  # before a quoted line, and not before the row of a table
NARROWEST = 60  # characters of a line that a mail program wraps
MOST_RESTS = 4  # lines on which the rest of a wrapped line can stand
FEWEST_BARS = 3  # lines of a quotation with bars
CONDITION = re.compile(r"[^|]*\bwhen\s[^:|]{1,100}:", re.IGNORECASE)  # of a standing order
# The first line of the program's message with its length, its first line without it, and the line below
COUNTED_TITLE = re.compile(r"To .{1,200}: \d+ characters?")
SUBJECT = re.compile(
    r"[^:]{1,100}: (orders|where to retreat|result of [\w-]+|battle t\d+-[\w-]+|not taken|read as"
    r"|read by the umpire|[\w-]+@\d+)"
    r"(, reminder)?(, part \d+ of \d+)?"
)
SUBTITLE = re.compile(
    r".*, (?:Turn \d+(?: of \d+)?(?:: .*)?|After turn \d+)|.*\bbattle [\w-]+", re.IGNORECASE
)
FORM_LINE = re.compile(r"[\w-]+/[\w-]+(@\d+)?:")  # the address that the message asks to complete
LONGEST_HEADER = 300  # characters
MOST_MAILS = 100  # in one text
MOST_HEADER_LINES = 40
MOST_WRAPPED_HEADER = 3  # lines of a wrapped reply header
HEADER_LINES = (
    4  # number of lines after the sender in which the header of a quoted mail names date or subject
)
ELEMENTS = BREAKING | HIDDEN | INLINE | {"br"}


class PlainLine(NamedTuple):
    """A line of a pasted text, and the number of this line in the file."""

    number: int
    text: str

    @property
    def depth(self) -> int:
        """How often the line was quoted in replies."""
        mark = QUOTED.match(self.text)
        return mark[0].count(">") if mark else 0

    @property
    def bare(self) -> str:
        """The line without the marks `>` of a quotation, and without spaces at the beginning and end."""
        return QUOTED.sub("", self.text, count=1).strip()


def plain_lines(file: str, text: str) -> list[PlainLine]:
    """Return the normalised lines of a text. Raises InvalidInput if the text is too long.

    >>> plain_lines("-", "<blockquote><p>york@6:&nbsp;<b>3</b><br>Yours</blockquote>")[2:4]
    [PlainLine(number=1, text='> york@6: 3'), PlainLine(number=1, text='> Yours')]
    """
    is_html = any(elements_in(text))
    raw = html_lines(text) if is_html else map(PlainLine._make, enumerate(NEWLINE.split(text), 1))
    lines: list[PlainLine] = []
    left = MOST_CHARACTERS
    for number, line in raw:
        plain = plain_line(with_references(line) if "&" in line else line, left)
        left -= len(plain)
        if left < 0 or len(lines) == MOST_LINES:
            limit = f"{MOST_CHARACTERS:,} characters" if left < 0 else f"{MOST_LINES:,} lines"
            error_text = f"the text is longer than {limit}; paste only the answers"
            raise InvalidInput([PlacedDiagnostic(error_text, file=file, line=number)])
        lines.append(PlainLine(number, plain))
    return without_headers(mark_messages(mark_quotes(join_headers(mark_wrapped(mark_bars(lines))))))


def mark_bars(lines: list[PlainLine]) -> list[PlainLine]:
    """Mark the lines that a mail program has quoted with `|` with `>` instead.

    At least three lines must begin with a bar. Rows of a table, and standing orders that continue on lines
    with a bar, are not quotations.

    >>> lines = [PlainLine(n, text) for n, text in enumerate(["Hello", "| ann@1:", "| a: hold", "|"])]
    >>> [line.text for line in mark_bars(lines)]
    ['Hello', '> ann@1:', '> a: hold', '>']
    """
    if not has_bars([line.text for line in lines]):
        return lines
    return [PlainLine(n, BAR.sub(r"\1>", text, count=1)) for n, text in lines]


def has_bars(texts: Sequence[str]) -> bool:
    """Return True if a mail program has quoted lines with `|` in this text."""
    barred = [at for at, text in enumerate(texts) if BAR.match(text)]
    is_order = any(at and CONDITION.match(texts[at - 1]) for at in barred)
    return len(barred) >= FEWEST_BARS and not is_order


def mark_wrapped(lines: list[PlainLine]) -> list[PlainLine]:
    """Mark the rest of each quoted line that a mail program has wrapped without marks on the next line.

    Such a rest is between quoted lines, and its first word was too long for the line above, which is not an
    address.

    >>> texts = [f"> {'word ' * 12}", "place 2C; place 3D.", "> red@1:"]
    >>> [line.text for line in mark_wrapped([PlainLine(n, text) for n, text in enumerate(texts)])][1:]
    ['> place 2C; place 3D.', '> red@1:']
    """
    marked = [*lines]
    for at in range(1, len(lines) - 1):
        above, line = marked[at - 1], lines[at]
        if line.depth or not above.depth or not above.bare or not line.bare:
            continue
        below = takewhile(lambda each: each.text.strip(), lines[at + 1 : at + 1 + MOST_RESTS])
        if not any(each.depth for each in below):
            continue
        word = line.bare.split(maxsplit=1)[0]
        if len(above.text) + 1 + len(word) > NARROWEST and not FORM_LINE.match(above.bare):
            marked[at] = PlainLine(line.number, f"{'> ' * above.depth}{line.text}")
    return marked


def mark_messages(lines: list[PlainLine]) -> list[PlainLine]:
    """Mark the text of the program's own messages, which a reply has copied without marks, with `>`.

    The text of a message ends above the address that it asks the player to complete.

    >>> text = ["Hi", "Red: orders", "The Vale, Turn 1", "- vanguard: at York", "vale/red@1:", "a: hold"]
    >>> [line.text for line in mark_messages([PlainLine(n, line) for n, line in enumerate(text)])][1:4]
    ['> Red: orders', '> The Vale, Turn 1', '> - vanguard: at York']
    """
    starts = [at for at in range(len(lines)) if is_title(lines, at)]
    marked = [*lines]
    for start, end in pairwise([*starts, len(lines)]):
        form = next((at for at in range(start, end) if FORM_LINE.match(lines[at].text.lstrip())), end)
        for at in range(start, form if form < end or end < len(lines) else start):
            if not lines[at].depth:
                marked[at] = PlainLine(lines[at].number, f"> {lines[at].text}")
    return marked


def is_title(lines: Sequence[PlainLine], at: int) -> bool:
    """Return True if an unquoted line is the first one of a message of the program."""
    text = lines[at].text.strip()
    if lines[at].depth or len(text) > LONGEST_HEADER:
        return False
    below = [line.text.strip() for line in lines[at + 1 : at + 3]]
    is_subject = SUBJECT.fullmatch(text) is not None and any(map(SUBTITLE.fullmatch, below))
    return is_subject or COUNTED_TITLE.fullmatch(text) is not None


def unquoted_lines(lines: Sequence[PlainLine]) -> list[PlainLine]:
    """Return the lines that the sender has written, without empty lines and the headers of quotations."""
    own, is_header = [], False
    for at, line in enumerate(lines):
        is_header = bool(line.bare) and not line.depth and (is_header or is_reply_header(lines, at))
        if line.bare and not line.depth and not is_header:
            own.append(line)
    return own


def mark_quotes(lines: list[PlainLine]) -> list[PlainLine]:
    """Mark the lines below the first reply header with `>`, unless the mail program has marked them.

    In a mail that begins with its own header, the lines are marked only if its sender wrote text above them.

    >>> lines = [PlainLine(1, "Hello"), PlainLine(2, "Ann wrote:"), PlainLine(3, "york@6: 3")]
    >>> [line.text for line in mark_quotes(lines)]
    ['Hello', 'Ann wrote:', '> york@6: 3']
    """
    start = start_of_quotation(lines)
    if start is None:
        return lines
    return [*lines[: start + 1], *(PlainLine(n, f"> {text}") for n, text in lines[start + 1 :])]


def join_headers(lines: list[PlainLine]) -> list[PlainLine]:
    """Join each reply header that a mail program has wrapped, and empty the lines of its rest.

    >>> lines = [PlainLine(1, "Am 1. Mai 2026 schrieb Ann <"), PlainLine(2, "a@x.org>:"), PlainLine(3, "3")]
    >>> [line.text for line in join_headers(lines)]
    ['Am 1. Mai 2026 schrieb Ann < a@x.org>:', '', '3']
    """
    joined = [*lines]
    for at, line in enumerate(lines):
        if (
            len(line.text) > LONGEST_HEADER
            or not WROTE_BEGINS.fullmatch(line.text)
            or is_reply_header(lines, at)
        ):
            continue
        text = line.text
        for last, below in enumerate(lines[at + 1 : at + MOST_WRAPPED_HEADER], at + 1):
            text = f"{text} {below.text}"
            if not below.text or below.depth:
                break
            if is_reply_header([PlainLine(line.number, text)], 0):
                joined[at] = PlainLine(line.number, text)
                joined[at + 1 : last + 1] = [PlainLine(n, "") for n, _ in lines[at + 1 : last + 1]]
                break
    return joined


def start_of_quotation(lines: Sequence[PlainLine]) -> int | None:
    """Return the index of the first reply header below which no line has marks, or None."""
    first = next((at for at, line in enumerate(lines) if line.text.strip()), len(lines))
    end = end_of_header(lines, first) if first < len(lines) else 0
    for at in range(len(lines)):
        if is_reply_header(lines, at) and not is_marked_below(lines, at):
            if at > first and at >= end:
                return at
            if not has_own_text(lines, end):
                return None
    return None


def mails_in(text: str) -> list[str]:
    r"""Split a text into the mails that were copied into it. Each line keeps its number.

    A mail begins at a line such as `From: Ann`, or `From ann@example.org Mon Nov 29 12:08:34 2027` in a file
    of a mail program, unless a reply quotes the text below it without marks. In a text that begins with a
    header, a reply quotes only a mail to its own sender.

    >>> mails_in("From: Ann\nhold\n\nFrom: Bob\n> york@3:\n> hold")
    ['From: Ann\nhold\n', '\n\n\nFrom: Bob\n> york@3:\n> hold']
    """
    is_several = SENDER_LINE.search(text) or MBOX_LINE.search(text)
    if text.count("\n") > MOST_LINES or not is_several or any(elements_in(text)):
        return [text]
    raw = NEWLINE.split(text)
    lines = [PlainLine(number, line.strip()) for number, line in enumerate(raw)]
    starts = [*islice(starts_of_mails(lines), MOST_MAILS + 1)]
    if not starts or len(starts) > MOST_MAILS:
        return [text]
    return [
        "\n" * start + "\n".join(raw[start:end])
        for start, end in zip([0, *starts], [*starts, len(raw)], strict=True)
    ]


def sender_line(text: str) -> str:
    r"""Return the line of a mail's header that names its sender, in lower case, or "" without a header.

    >>> sender_line("From ann@x.org Mon Nov 29 12:08:34 2027\nFrom: Ann <ann@x.org>\nhold")
    'from: ann <ann@x.org>'
    """
    lines = header_lines(text) if begins_with_header(text) else []
    return next((line.strip().casefold() for line in lines if SENDER.fullmatch(line)), "")


def sender_address(text: str) -> str:
    r"""Return the address in the line of a mail's header that names its sender, in lower case, or "".

    Without angle brackets, the line must have only one address.

    >>> sender_address("Subject: war\nFrom: Ann <Ann@x.org>\n\nhold"), sender_address("From: Ann\n\nhold")
    ('ann@x.org', '')
    """
    line = sender_line(text)
    found = IN_BRACKETS.findall(line) or MAIL_ADDRESS.findall(line)
    return found[0] if len(found) == 1 else ""


def time_sent(text: str) -> float | None:
    r"""Return when a mail was sent, in seconds since 1970, or None without a date and its time zone.

    >>> time_sent("From: Ann <ann@x.org>\nDate: Sat, 5 Dec 2026 10:11:12 +0000\n\nhold"), time_sent("hold")
    (1796465472.0, None)
    """
    header = text.lstrip().partition("\n\n")[0]
    date = DATE.search(header) if sender_line(text) else None
    try:
        sent = parsedate_to_datetime(date[1]) if date else None
    except (ValueError, OverflowError):
        return None
    return sent.timestamp() if sent and sent.tzinfo else None


def starts_of_mails(lines: Sequence[PlainLine]) -> Iterator[int]:
    """Yield the index of the first line of each mail below the first one."""
    begin = 0
    for at in range(1, len(lines)):
        if is_start_of_mail(lines, at, begin):
            begin = at
            yield at


def is_start_of_mail(lines: Sequence[PlainLine], at: int, begin: int) -> bool:
    """Return True if a line names the sender of another mail than the one that begins at the line `begin`."""
    text = lines[at].text
    if len(text) > LONGEST_HEADER:
        return False
    if MBOX.fullmatch(text):
        return not lines[at - 1].text
    if not SENDER.fullmatch(text) or is_below_mbox_line(lines, at):
        return False
    above = text_above(lines, at)
    if ORIGINAL.fullmatch(above):
        return False
    if is_reply_header(lines, at):
        stop = min(at + MOST_HEADER_LINES, len(lines))
        end = next((n for n in range(at, stop) if not lines[n].text), stop)  # of the header
        return is_marked_below(lines, end) or (
            not CUT_LINE.fullmatch(above) and is_mail(lines, at, end, begin)
        )
    return FROM.fullmatch(text) is not None


def text_above(lines: Sequence[PlainLine], at: int) -> str:
    """Return the nearest text in the few lines above a line, or ""."""
    above = next((line.text for line in reversed(lines[max(0, at - HEADER_LINES) : at]) if line.text), "")
    return above[:LONGEST_HEADER]


def without_headers(lines: list[PlainLine]) -> list[PlainLine]:
    """Empty the lines in headers of mails, such as `Subject: orders`. Nobody has written them as text.

    A header is at the beginning of a text or of a quotation, or begins with the sender of a mail.

    >>> lines = [PlainLine(1, "From: Ann"), PlainLine(2, "Subject: hold"), PlainLine(3, "a: hold")]
    >>> [line.text for line in without_headers(lines)]
    ['', '', 'a: hold']
    """
    left, depth, end = [*lines], -1, 0
    for at, line in enumerate(lines):
        if not line.bare:
            continue
        if at >= end and (line.depth > depth or is_certain_sender(lines, at)):
            end = end_of_header(lines, at)
        if at < end:
            left[at] = PlainLine(line.number, ">" * line.depth)
        is_start = MBOX.fullmatch(line.bare) or ORIGINAL.fullmatch(line.bare) or CUT_LINE.fullmatch(line.bare)
        depth = -1 if is_start and len(line.bare) <= LONGEST_HEADER else line.depth
    return left


def is_certain_sender(lines: Sequence[PlainLine], at: int) -> bool:
    """Return True if a line inside a text names the sender of a mail, and is not a sentence or an order."""
    text = lines[at].bare
    if len(text) > LONGEST_HEADER or not is_sender(text):
        return bool(MBOX.fullmatch(text[:LONGEST_HEADER]))
    return ("@" in text and FROM.fullmatch(text) is not None) or has_date_or_subject(lines, at)


def end_of_header(lines: Sequence[PlainLine], start: int) -> int:
    """Return the line below the header that begins at the line `start`, or `start` if none begins there."""
    end, is_certain = start, False
    is_foreign = is_sender(lines[start].bare) and not FROM.fullmatch(lines[start].bare)
    for line in lines[start : start + MOST_HEADER_LINES]:
        text = line.bare[:LONGEST_HEADER]
        is_sure = HEADER.fullmatch(text) or SENT.fullmatch(text) or MBOX.fullmatch(text)
        is_from = is_sender(text) and (FROM.fullmatch(text) or has_date_or_subject(lines, end))
        is_beside = BESIDE.fullmatch(text) or (is_foreign and RECEIVER.fullmatch(text))
        is_rest = end > start and FOLDED.fullmatch(line.text)
        if not (is_sure or is_from or is_beside or is_rest) or line.depth != lines[start].depth:
            break
        is_certain = is_certain or bool(is_sure or is_from)
        end += 1
    return end if is_certain else start


def is_below_mbox_line(lines: Sequence[PlainLine], at: int) -> bool:
    """Return True if a line is in the header of a mail that a mail program has begun above it."""
    block = takewhile(lambda line: line.text, reversed(lines[max(0, at - MOST_HEADER_LINES) : at]))
    return any(MBOX.fullmatch(line.text[:LONGEST_HEADER]) for line in block)


def is_mail(lines: Sequence[PlainLine], start: int, end: int, begin: int) -> bool:
    """Return True if the text below a header is a mail, and not a quotation of the mail above it.

    `start` and `end` are the first line of the header, and the line below it. The mail above it begins at
    the line `begin`. In a text that begins with a header, each text is a mail, unless the sender above it has
    received it. Below a text without a header, a
    mail must have text of its own above a quotation, and no header of Outlook.
    """
    first = next(line.text for line in lines if line.text)
    header = [line.text[:LONGEST_HEADER] for line in lines[start:end]]
    is_reply = has_own_text(lines, end) and not any(map(OUTLOOK.fullmatch, header))
    return (is_first_of_header(first) or is_reply) and not is_answered(lines, start, header, begin)


def is_answered(lines: Sequence[PlainLine], start: int, header: Sequence[str], begin: int) -> bool:
    """Return True if the mail above answers or forwards the mail with the header that begins at `start`.

    The sender above is then a receiver of this mail. If the header above names receivers, the sender of this
    mail is one of them, or the mail that begins at `begin` has this header and forwards a mail that was not
    sent to them.
    """
    above = next((n for n in range(start - 1, -1, -1) if is_sender(lines[n].text)), None)
    if above is None or not has_name(names_of(lines[above].text), receivers_in(header)):
        return False
    block = takewhile(bool, (lines[n].text for n in range(above, min(above + MOST_HEADER_LINES, start))))
    receivers = receivers_in([text[:LONGEST_HEADER] for text in block])
    if not receivers or has_name(names_of(header[0]), receivers):
        return True
    is_first = not any(is_sender(lines[n].text) for n in range(begin, above))
    names = (name.strip(' "') for name in re.split("[<>,;]", receivers))
    return is_first and not has_name(names, receivers_in(header))


def is_sender(text: str) -> bool:
    """Return True if a line names the sender of a mail."""
    return SENDER.fullmatch(text[:LONGEST_HEADER]) is not None


def names_of(sender: str) -> list[str]:
    """Return the name and the address in a line such as `From: Ann <ann@example.org>`."""
    return [name.strip(' >"') for name in re.split("[<:]", sender[:LONGEST_HEADER])[1:]]


def receivers_in(header: Iterable[str]) -> str:
    """Return the receivers that the header of a mail names, or "" if it names none."""
    return "".join(found["names"] for line in header if (found := RECEIVER.fullmatch(line)))


def has_name(names: Iterable[str], receivers: str) -> bool:
    return any(name and name in receivers for name in names)


def has_own_text(lines: Sequence[PlainLine], end: int) -> bool:
    """Return True if there is text above the first quotation below a header, and not the program's form."""
    has_text = False
    for at in range(end, len(lines)):
        text = lines[at].text[:LONGEST_HEADER]
        if lines[at].depth or WROTE.fullmatch(text) or ORIGINAL.fullmatch(text):
            return has_text
        if SENDER.fullmatch(text):
            return has_text and is_reply_header(lines, at)
        if is_form(lines, at):
            return False
        has_text = has_text or bool(text)
    return False


def is_first_of_header(text: str) -> bool:
    """Return True if a line can be the first one of the header of a mail."""
    return any(pattern.fullmatch(text[:LONGEST_HEADER]) for pattern in (SENDER, SENT, MBOX))


def begins_with_header(text: str) -> bool:
    r"""Return True if the first line of a text can be the first one of the header of a mail.

    Lines such as `Return-Path: <ann@x.org>`, and the lines on which they continue, can stand above it.

    >>> begins_with_header("From: Ann"), begins_with_header("Hello, Ann")
    (True, False)
    >>> begins_with_header("Return-Path: <ann@x.org>\nReceived: from x.org\n by y.org\nFrom: Ann\n\nHello")
    True
    """
    lines = header_lines(text)
    first = dropwhile(lambda line: HEADER.fullmatch(line) and not is_first_of_header(line), lines)
    return is_first_of_header(next(first, ""))


def header_lines(text: str) -> list[str]:
    """Return the lines above the first empty line of a text, without those on which another continues."""
    block = takewhile(str.strip, islice(text.lstrip().splitlines(), MOST_HEADER_LINES))
    return [line[:LONGEST_HEADER].rstrip() for line in block if not line.startswith((" ", "\t"))]


def is_form(lines: Sequence[PlainLine], at: int) -> bool:
    """Return True if the form of the program's own message begins at a line, with nothing in it."""
    below = takewhile(bool, (lines[n].text[:LONGEST_HEADER] for n in range(at + 1, len(lines))))
    is_address = FORM.fullmatch(lines[at].text[:LONGEST_HEADER]) is not None
    return is_address and all(map(EMPTY.fullmatch, below))


def has_quotation_marks(text: str) -> bool:
    """Return True if a mail program has marked quoted lines in a text.

    >>> has_quotation_marks("> york@3: hold"), has_quotation_marks("Ann wrote:")
    (True, False)
    """
    return MARKED.search(text) is not None or ("|" in text and has_bars(NEWLINE.split(text)))


def is_quotation_certain(text: str) -> bool:
    r"""Return True if the quoted lines of a text cannot be a mail of their own.

    Without marks, the lines below `From: Ann` can be a second mail, if the text does not begin with a header.

    >>> is_quotation_certain("hold\n\nAnn wrote:\nhold")
    True
    >>> is_quotation_certain("hold\n\nFrom: Ann\nDate: May\nhold")
    False
    """
    if has_quotation_marks(text):
        return True
    if any(elements_in(text)):
        return False
    lines = [PlainLine(number, line.strip()) for number, line in enumerate(NEWLINE.split(text), 1)]
    lines = join_headers(lines)
    start = start_of_quotation(lines)
    if start is None or begins_with_header(text):
        return True
    above = text_above(lines, start)
    return not is_sender(lines[start].text) or CUT_LINE.fullmatch(above) is not None


def is_reply_header(lines: Sequence[PlainLine], at: int) -> bool:
    """Return True if a mail program has written this line above a quoted message."""
    text = lines[at].text.strip()
    if len(text) > LONGEST_HEADER or lines[at].depth:
        return False
    if SENDER.fullmatch(text):
        return has_date_or_subject(lines, at)
    return bool(ORIGINAL.fullmatch(text) or WROTE.fullmatch(text))


def has_date_or_subject(lines: Sequence[PlainLine], at: int) -> bool:
    """Return True if one of the lines directly below a line names the date or the subject of a mail."""
    below = lines[at + 1 : at + 1 + HEADER_LINES]
    return any(SENT.fullmatch(line.bare[:LONGEST_HEADER]) for line in below)


def is_marked_below(lines: Sequence[PlainLine], at: int) -> bool:
    """Return True if the first line with text below this line has the marks `>` of a quotation."""
    below = (lines[n] for n in range(at + 1, len(lines)))
    return next((line.depth > 0 for line in below if line.text.strip()), False)


def plain_line(raw: str, most: int = MOST_CHARACTERS) -> str:
    """Normalise the digits, spaces and quotes in a line, and remove invisible characters.

    Control characters stay in the line, and are rejected later. If the line is longer than `most` characters,
    the function can shorten it, but not to fewer than `most` characters.
    """
    if "mailto:" in raw:
        raw = LINK.sub("", NAMED_LINK.sub(r"\1", raw))
    if raw.isascii():
        return raw.replace("\t", " ")
    parts: list[str] = []
    length = 0
    for start in range(0, len(raw), CHUNK):
        parts.append(unicodedata.normalize("NFKC", raw[start : start + CHUNK].translate(QUOTES)))
        length += len(parts[-1])
        if length > most:
            break
    plain = "".join(parts).translate(QUOTES)
    unseen = {ord(char): None for char in set(plain) if unicodedata.category(char) == "Cf"}
    return plain.translate({**unseen, ord("\t"): " "})


def with_references(text: str) -> str:
    """Replace HTML character references in a line, such as `&amp;`, with the characters.

    >>> with_references("york@6:&#32;3 &amp; Gr&uuml;n &horse;")
    'york@6: 3 & Grün &horse;'
    """
    return NEWLINE.sub(" ", REFERENCE.sub(character_of, text))


def character_of(reference: re.Match[str]) -> str:
    """Return the character that a reference means, or the text itself for an unknown name."""
    name = reference["name"]
    return html.unescape(reference[0]) if not name or f"{name};" in html5 else reference[0]


def is_element(tag: re.Match[str]) -> bool:
    """Return True if a text in angle brackets is the tag of an HTML element.

    >>> [is_element(tag) for tag in TAG.finditer("<br/> <york>")]
    [True, False]
    """
    return tag[2].lower() in ELEMENTS


def elements_in(text: str) -> Iterator[re.Match[str]]:
    return (tag for tag in TAG.finditer(text) if is_element(tag))


def html_lines(text: str) -> Iterator[PlainLine]:
    """Yield the visible lines of an HTML text.

    Quoted lines begin with `>`, and there are empty lines between blocks.

    Line breaks in the source of the page are kept, because answers that continue on the next line are joined
    later.
    """
    number = depth = at = 0
    hidden = ""
    parts: list[str] = []
    for tag in chain(elements_in(text), [None]):
        first, *more = NEWLINE.split(text[at : tag.start()] if tag else text[at:])
        parts.append("" if hidden else first)
        for piece in more:
            yield html_line(number, depth, parts)
            number += 1
            parts = ["" if hidden else piece]
        if tag is None:
            break
        at, name, is_end = tag.end(), tag[2].lower(), bool(tag[1])
        if name == "br" or (name in BREAKING and any(map(str.strip, parts))):
            yield html_line(number, depth, parts)
        if name == "br" or name in BREAKING:
            parts = []
        if name in BLOCKS:
            yield html_line(number, depth, [])
        number += len(NEWLINE.findall(tag[0]))
        if name == "blockquote":
            depth = min(max(0, depth + (-1 if is_end else 1)), DEEPEST)
        elif name in HIDDEN and hidden in ("", name):
            hidden = "" if is_end else name
    yield html_line(number, depth, parts)


def html_line(number: int, depth: int, parts: Iterable[str]) -> PlainLine:
    """Join the parts of a line of HTML, and return the line.

    `number` is the number of the line, counted from 0. `depth` says how often the line was quoted.
    """
    return PlainLine(number + 1, f"{'>' * depth} {''.join(parts).strip()}".strip())
