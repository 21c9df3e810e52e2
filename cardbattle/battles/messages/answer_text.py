"""Find the answers of players in pasted text.

An answer begins with an address, which names the battle, the side, and the number of the side's question. An
example is `shrewsbury/york@14: 3`. Standing orders, which answer later questions too, have the same form:
`york@14: when counter: pass`. A player can also seal an answer, which means to send only a hash of the
answer, and reveal the answer later. All other text is ignored. The program checks all answers in a text
before it uses any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from types import MappingProxyType
from typing import NamedTuple

from cardbattle.battles.messages.pasted_text import PlainLine, plain_line, plain_lines
from cardbattle.commanders.standing import column_of
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.names import has_unfit, quoted
from cardbattle.core.referee import with_short_cards
from cardbattle.files.errors import PlacedDiagnostic

ADDRESS = re.compile(
    r"(?<![\w.@/-])(?:(?P<battle>[a-z0-9][\w-]*)\s?/\s?)?(?P<side>[a-z0-9][\w-]*)\s?@\s?(?P<place>\d+)\s?:",
    re.IGNORECASE,
)
BARE_ADDRESS = re.compile(
    r"(?:(?P<battle>[a-z0-9][\w-]*)\s?/\s?)?(?P<side>[a-z0-9][\w-]*)\s?@\s?(?P<place>\d+)(?![\w@-]|\.\w)",
    re.IGNORECASE,
)  # an address without its colon
NO_COLON = re.compile(
    r"(?<![\w.@/-])(?:(?P<battle>[a-z0-9][\w-]*)/)?(?P<side>[a-z0-9][\w-]*)\s?@\s?(?P<place>\d+)"
    r"(?:\s*[-=]+>?\s*|\s+)(?P<words>[^\s@][^@]{0,200})$",
    re.IGNORECASE,
)
YOUR_LINES = "YOUR LINES"  # placeholder for the orders in the command that a message shows
MOST_ANSWERS = 1000  # maximum number of answers in one text, more than any side has questions
LONGEST = 200  # maximum number of characters in an answer
LONGEST_SEALED = 5000  # maximum number of characters in all answers under one seal
HIGHEST = 10**9  # larger question numbers count as this number
WHEN = re.compile(r":\s?when\s", re.IGNORECASE)
WRAPPED = 20  # maximum number of lines over which a mail program wraps an answer, or in a list of answers
WRAPPED_SEAL = 100  # maximum number of lines over which a mail program wraps the line that opens a seal
MARKUP = '*`_"(<>[]\u00b7\u2022 \t'  # characters that people and programs add around an answer
BULLETS = f"{MARKUP}-\u2013"  # characters before a line of a list
NUMBERED_ORDER = re.compile(r"\d{1,2}[.)]\s*(?=(?:when|else)\s)", re.IGNORECASE)  # in a numbered list
ENDING = '*`_")<>[].!,; \t'
LIST = re.compile(r"#?\d{1,9}(?:\s*,\s*#?\d{1,9})+")  # numbers separated by commas
NUMBERS = re.compile(r"#?\d{1,9}(?:\s*[;,]\s*#?\d{1,9})*\s*[;,.]?")
INITIAL = re.compile(r"\W*[a-z]\W*", re.IGNORECASE)  # a signature, although it can be a card
UNFINISHED = re.compile(r"[;,][*`_\"\s]*$")
SEALED = re.compile(r"sealed\s+(?:sha256:)?([0-9a-f]{64})", re.IGNORECASE)
OPENED = re.compile(r"open\s+([0-9a-f]{32})\s+(\S.*)", re.IGNORECASE)
OPENS = re.compile(r"^\W*open\s", re.IGNORECASE)
SHORT = re.compile(r":\s?(?:sealed|open)\s*$", re.IGNORECASE)  # the sealed text follows on the next line
BARE = re.compile(r"@\s?\d+\s?:\s*$")  # the sealed line follows on the next line
CUT = re.compile(r":\s?sealed\s+[0-9a-f]{1,63}$|:\s?open\s+[0-9a-f]{1,31}$", re.IGNORECASE)
SEAL_WORD = re.compile(r"(?:sealed|open)\b", re.IGNORECASE)
HEX = re.compile(r"[0-9a-f]+(?:\s.*)?", re.IGNORECASE)
BEGINS = re.compile(r":\s?(?:sealed|open)\b", re.IGNORECASE)
RUN_TOGETHER = re.compile(
    r"(?::\s*(?:hold|march|join)\b[^:;]*){2}", re.IGNORECASE
)  # two orders without a semicolon between them
CONDITION = re.compile(r"when\s[^:]{1,100}:\s*\S", re.IGNORECASE)
ORDER_LINE = re.compile(rf"{CONDITION.pattern}|else\s+[\w:-]+\W*$", re.IGNORECASE)
STANDING = re.compile(r"(when\s+(?=\S)|(?=else\s)|forget$)", re.IGNORECASE)


IsAnswer = Callable[[str], bool]  # whether a line below an address is an answer, and not prose


class Answer(NamedTuple):
    """A side's answer to one of its questions, and the file, line and column where the answer was found.

    Attributes:
        battle: the id of the battle, or "" if the address does not name a battle.
        place: the number of the question, counted from 1.
        words: the text of the answer.
        depth: how often the line was quoted in replies, which is the number of marks `>` before it.
        below: the lines directly below the answer, on which the answer can continue.
        is_unfinished: True if the answer ends with a semicolon or a comma.
        whole: the number of the first question of a group of answers, or 0 if the answer is not in a group.
            Answers that were sealed together are a group, which is accepted or rejected as a whole.
        has_colon: False if no colon follows the address. Then the line may be an ordinary sentence.

    """

    battle: str
    side: str
    place: int
    words: str
    depth: int  # how often the line was quoted in replies
    file: str
    line: int
    column: int
    source: str
    below: tuple[str, ...] = ()
    is_unfinished: bool = False
    whole: int = 0
    has_colon: bool = True

    @property
    def is_sealed(self) -> bool:
        """True if the answer is sealed, or if it reveals an answer that was sealed before."""
        return self.has_colon and self.words.casefold().split(" ")[0] in ("sealed", "open")

    @property
    def is_standing(self) -> bool:
        """True if the answer gives or withdraws standing orders."""
        return self.has_colon and STANDING.match(self.words) is not None

    @property
    def label(self) -> str:
        """The address of the question, with the side and the number of the question, such as york@14."""
        return f"{self.side}@{self.place}"

    @property
    def unit(self) -> object:
        """A value that identifies a group of answers that are accepted only together.

        The standing orders of a side are such a group.
        """
        if self.is_standing:
            return self.side
        return self.file, self.line, self.column, self.whole or self.place

    def inside(self, error: Diagnostic, text: str) -> RejectedAnswer:
        """Convert an error in a part of the answer to an error at a position in the file.

        `text` is the last part of the answer. The column of `error` is counted from the beginning of `text`.
        """
        at = self.source.find(text, self.column - 1) + column_of(error)
        return RejectedAnswer(error.text, [self], max(at, self.column))

    def wrong(self, text: str) -> RejectedAnswer:
        """Return an error with this text at the position of the answer in the file."""
        return RejectedAnswer(text, [self], self.column)


class RejectedAnswer(PlacedDiagnostic):
    """An error that rejects one or more answers. Its position is where the last of these answers is.

    Attributes:
        answers: the rejected answers.
        again: the lines, without their address, that are clear and that the player must send again, by the
            number of their first question, or 0 for the current question.

    """

    again: Mapping[int, Sequence[str]] = MappingProxyType({})

    def __init__(self, text: str, answers: Sequence[Answer], column: int) -> None:
        last = answers[-1]
        super().__init__(text, file=last.file, line=last.line, column=column, source=last.source)
        self.answers = answers


def is_order_line(line: str) -> bool:
    """Return True if a line without an address has the form of a standing order."""
    return ORDER_LINE.match(line) is not None


def answers_in(file: str, text: str, is_answer: IsAnswer = is_order_line) -> list[Answer]:
    r"""Return all answers in a text, in the order of the text.

    Empty answers are left out, and so are quoted copies of answers. The function `is_answer` decides whether
    a line below an address is an answer or a standing order. Numbers always are.

    Raises InvalidInput if the text is too long or has more than 1,000 answers.

    >>> [(one.label, one.words) for one in answers_in("-", "> york@3:\nYork@\uff14: \u201cPlay KH\u201d")]
    [('york@4', 'Play KH')]
    """
    return answers_in_lines(file, plain_lines(file, text), is_answer)


def answers_in_lines(file: str, lines: Sequence[PlainLine], is_answer: IsAnswer) -> list[Answer]:
    """Return all answers in the lines of a text, as `answers_in` does."""
    answers: list[Answer] = []
    nearest_to: dict[str, int] = {}
    lines = join_standing_orders(lines)
    for number, line in enumerate(lines, 1):
        if "@" in line.text:
            wrapped = WRAPPED_SEAL if BEGINS.search(line.text) else WRAPPED
            on_line = answers_on(file, line, lines[number : number + wrapped], is_answer)
            found = [*islice(on_line, MOST_ANSWERS + 1)]
            answers += found
            for answer in found:
                nearest_to[answer.side] = min(answer.depth, nearest_to.get(answer.side, answer.depth))
            last = found[-1] if found else empty_answer(file, line)
            if last and last.has_colon and not last.is_sealed:
                same = (each for each in answers if (each.side, each.battle) == (last.side, last.battle))
                base = last._replace(place=next(same, last).place)
                answers += standing_below(base, lines[number : number + MOST_ANSWERS], is_answer)
        if len(answers) > MOST_ANSWERS:
            error_text = f"it contains more than {MOST_ANSWERS:,} answers; paste only the new ones"
            raise InvalidInput([PlacedDiagnostic(error_text, file=file, line=line.number)])
    return [answer for answer in answers if is_nearest(answer, nearest_to)]


def is_nearest(answer: Answer, nearest_to: Mapping[str, int]) -> bool:
    """Return True if an answer is not a quoted copy.

    `nearest_to` has the smallest depth of each side's answers. A reply to a quoted answer has less depth.
    """
    depth = nearest_to.get(answer.side, answer.depth)
    return answer.depth <= depth


def unbroken(line: str, following: Sequence[PlainLine]) -> tuple[str, Sequence[PlainLine]]:
    """Join a line of sealed orders with the lines on which it continues.

    Returns the joined line, and the lines after it.

    >>> unbroken("york@6: sealed", [PlainLine(2, "0a1b"), PlainLine(3, "Yours")])
    ('york@6: sealed 0a1b', [PlainLine(number=3, text='Yours')])
    """
    below = lines_below(following[:1])
    if BARE.search(line) and below and SEAL_WORD.match(below[0]):
        line, following = f"{line.rstrip()} {below[0]}", following[1:]
    if SHORT.search(line):
        line = f"{line.rstrip()} {' '.join(lines_below(following)[:1])}"
        following = following[1:]
    while CUT.search(line) and (below := lines_below(following[:1])) and HEX.fullmatch(below[0]):
        line, following = f"{line.rstrip()}{below[0]}", following[1:]
    return line, following


def join_standing_orders(lines: Iterable[PlainLine]) -> list[PlainLine]:
    """Join each standing order with the lines on which a mail program has continued it.

    >>> lines = ["york@6: when counter: play KH |", "rally | pass", "when any: 1 |", "2", "Yours"]
    >>> [line.text for line in join_standing_orders(map(PlainLine, range(5), lines))]
    ['york@6: when counter: play KH | rally | pass', 'when any: 1 | 2', 'Yours']
    """
    joined: list[PlainLine] = []
    for line in lines:
        if joined and continues_order(joined[-1], line):
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text.rstrip()} {line.bare}")
        else:
            joined.append(line)
    return joined


def continues_order(line: PlainLine, below: PlainLine) -> bool:
    """Return True if a standing order continues on the next line.

    The order ends with `|` or `:`, or the line has a `|` and is no order.
    """
    is_open = "|" in below.bare or line.text.rstrip().endswith(("|", ":"))
    if not (is_open and below.bare) or "@" in below.text or below.number - line.number > WRAPPED:
        return False
    is_order = WHEN.search(line.text) is not None or is_order_line(without_bullet(line.bare))
    return is_order and not is_order_line(without_bullet(below.bare))


def lines_below(following: Sequence[PlainLine]) -> tuple[str, ...]:
    """Return the lines, without marks `>`, from an address to the next address or empty line."""
    bare = (line.bare for line in following)
    return tuple(takewhile(lambda line: line and "@" not in line, bare))


def continuation_lines(
    line: PlainLine, following: Sequence[PlainLine], is_unfinished: bool
) -> tuple[str, ...]:
    """Return those lines below an answer on which the answer can continue.

    An answer does not continue on lines that were quoted more often than its own line. If the answer ends
    with a semicolon, one empty line below it is skipped.
    """
    if is_unfinished and following and not following[0].bare:
        following = following[1:]
    return lines_below([*takewhile(lambda below: below.depth <= line.depth, following)])


def answers_on(
    file: str, line: PlainLine, following: Sequence[PlainLine], is_answer: IsAnswer
) -> Iterator[Answer]:
    """Yield the answers that begin on one line. If there are several answers, semicolons separate them."""
    text, remaining = unbroken(line.text, following)
    addresses = [*islice(ADDRESS.finditer(text), MOST_ANSWERS + 1)]
    if not addresses:
        yield from without_colon(file, line, following, is_answer)
    for n, match in enumerate(addresses):
        is_last = n == len(addresses) - 1
        said_here = text[match.end() : len(text) if is_last else addresses[n + 1].start()]
        answer = answer_at(match, file, line._replace(text=text))
        if is_last and not said_here.strip(MARKUP + ENDING):
            yield from answers_under(answer, following, is_answer)
        elif is_last:
            is_unfinished = UNFINISHED.search(said_here[-20:]) is not None
            below = (
                lines_below(remaining)
                if BEGINS.search(text)
                else continuation_lines(line, remaining, is_unfinished)
            )
            yield from split_answers(answer, said_here, below, is_unfinished)
        else:
            yield from split_answers(answer, said_here)


def standing_below(base: Answer, following: Sequence[PlainLine], is_answer: IsAnswer) -> list[Answer]:
    """Return the standing orders without an address in the lines below an answer or an empty address.

    They are orders of the side of `base`, at its question, and can be in a list or in quotation marks. The
    next line with an address or another `@` ends them.
    """
    orders = []
    for line in takewhile(lambda line: "@" not in line.text, following):
        words = without_bullet(line.bare)
        if len(line.text) <= LONGEST_SEALED and is_order_line(words) and is_answer(words):
            column = line.text.find(words) + 1
            order = base._replace(words=trim(words), depth=line.depth, below=(), is_unfinished=False)
            orders.append(order._replace(whole=0, line=line.number, column=column, source=line.text))
    return orders


def without_bullet(line: str) -> str:
    """Remove the mark or the number before a line of a list. Numbers stay that can be an answer.

    >>> without_bullet("- when any: pass"), without_bullet("2) else regular"), without_bullet("2) play KH")
    ('when any: pass', 'else regular', '2) play KH')
    """
    return NUMBERED_ORDER.sub("", line.lstrip(BULLETS), count=1)


def empty_answer(file: str, line: PlainLine) -> Answer | None:
    """Return an Answer without text for the last address on a line, or None without an address."""
    addresses = [*islice(ADDRESS.finditer(line.text), MOST_ANSWERS)]
    return answer_at(addresses[-1], file, line) if addresses else None


def answer_at(address: re.Match[str], file: str, line: PlainLine) -> Answer:
    """Return an Answer for the question at an address. The text of the answer is still empty."""
    return Answer(
        (address["battle"] or "").lower(), address["side"].lower(), place_of(address), "", line.depth, file,
        line.number, address.start() + 1, line.text,
    )  # fmt: skip


def without_colon(
    file: str, line: PlainLine, following: Sequence[PlainLine], is_answer: IsAnswer
) -> Iterator[Answer]:
    """Yield possible answers after an address without a colon, on the same line or the line below."""
    match = NO_COLON.search(line.text)
    alone = BARE_ADDRESS.fullmatch(line.bare.strip(MARKUP + ENDING)) if len(line.text) < LONGEST else None
    if alone:
        answer = answer_at(alone, file, line)._replace(has_colon=False)
        yield from answers_under(answer, following, is_answer)
    elif match:
        yield answer_at(match, file, line)._replace(words=trim(match["words"]), has_colon=False)


def answers_under(answer: Answer, following: Sequence[PlainLine], is_answer: IsAnswer) -> Iterator[Answer]:
    """Yield the answers on the line below an address. Standing orders are not among them."""
    for n, line in enumerate(following[:2], 1):
        if not line.bare:
            continue
        is_open = line.depth <= answer.depth and len(line.bare) <= LONGEST_SEALED and "@" not in line.text
        is_open = is_open and not (n > 1 and INITIAL.fullmatch(line.bare))
        is_order = answer.has_colon and is_order_line(line.bare)
        if is_open and not is_order and (NUMBERS.fullmatch(line.bare) or is_answer(line.bare)):
            is_unfinished = UNFINISHED.search(line.bare[-20:]) is not None
            below = continuation_lines(line, following[n:], is_unfinished)
            yield from split_answers(answer._replace(depth=line.depth), line.bare, below, is_unfinished)
        return


def split_answers(
    first: Answer, said: str, below: tuple[str, ...] = (), is_unfinished: bool = False
) -> Iterator[Answer]:
    """Split the text `said` into answers.

    The first answer is for the question of `first`, and each further answer is for the next question.

    The last answer gets the lines in `below`, because it can continue on these lines.
    """
    is_open = OPENS.search(said) is not None  # an opened text must be used unchanged
    parts = [said.strip().lstrip(MARKUP)] if is_open else parts_of(said)
    for n, part in enumerate(parts, 1):
        answer = first._replace(words=part)
        yield answer._replace(below=below, is_unfinished=is_unfinished) if n == len(parts) else answer
        first = first if answer.is_standing else first._replace(place=first.place + 1)


def parts_of(said: str) -> list[str]:
    """Split a text into answers, which are separated by semicolons or, between numbers, by commas.

    >>> parts_of(" 3,1, 4; Play KH. "), parts_of("place 3S, please")
    (['3', '1', '4', 'Play KH'], ['place 3S, please'])
    """
    parts: list[str] = []
    for part in said.split(";", MOST_ANSWERS + 1):
        bare = trim(part)
        if len(bare) <= LONGEST_SEALED and LIST.fullmatch(bare):
            parts += re.split(r"\s*,\s*", bare)
        elif bare:
            parts.append(bare)
    return parts


def trim(text: str) -> str:
    """Remove markup and quotation marks around the text of an answer, and shorten the names of cards.

    >>> trim(' "Play KH rally". '), trim("**(3)**"), trim("place 7H'"), trim("'3'")
    ('Play KH rally', '3', "place 7H'", '3')
    >>> trim("3 (I think)."), trim("2C + 10 of spades")
    ('3 (I think)', '2C+10S')
    """
    bare = with_short_cards(text).strip().lstrip(MARKUP).rstrip(ENDING)
    if bare.startswith("'"):
        bare = bare.strip("'").strip()
    return bare + ")" if bare.count("(") > bare.count(")") else bare


def read_to_seal(text: str) -> Answer:
    """Check an answer that is going to be sealed, and join its lines with semicolons.

    Raises UsageError if the text is not exactly one complete answer.
    """
    line = plain_line("\n".join(" ".join(each.split()) for each in text.strip().splitlines()))
    match = ADDRESS.match(line)
    answer_text = trim(one_line(line[match.end() :])) if match else ""
    place = place_of(match) if match else 0
    if match is None or not match["battle"] or not place or not answer_text or has_unfit(answer_text):
        forms = "shrewsbury/percy@3: play KH rally, or for orders the-marches/york@4: percy: hold"
        raise UsageError(f"{quoted(text)}: write the whole address and the answer, for example {forms}")
    if answer_text == YOUR_LINES:
        raise UsageError(f"{quoted(text)}: write your orders in place of {YOUR_LINES}")
    if len(answer_text) > LONGEST_SEALED:
        raise UsageError(
            f"the answer has {len(answer_text)} characters; a sealed answer has at most {LONGEST_SEALED}"
        )
    if not STANDING.match(answer_text) and RUN_TOGETHER.search(answer_text):
        raise UsageError(
            f"{quoted(answer_text)}: two orders run together; write a semicolon or a new line between them"
        )
    return Answer(
        match["battle"].lower(), match["side"].lower(), place, answer_text, 0, "", 0, 0, answer_text
    )


def one_line(text: str) -> str:
    r"""Join the lines of an answer with semicolons. Lines that were wrapped are first joined with spaces.

    >>> one_line("guard: hold\n\ngarrison: join guard,\navoid battle")
    'guard: hold; garrison: join guard, avoid battle'
    """
    joined = ""
    for line in filter(None, (line.strip().removeprefix("- ") for line in text.splitlines())):
        is_continued = joined.endswith((",", "|", ":", "->")) or line.startswith((",", "|", "->"))
        if is_continued and ":" not in line:
            joined += f" {line}"
        else:
            joined = f"{joined.rstrip(';, ')}; {line}" if joined else line
    return joined


def place_of(address: re.Match[str]) -> int:
    """Return the number of the question in an address, or HIGHEST if the number is larger."""
    return min(int(address["place"][:12]), HIGHEST)


def standing_in(
    file: str, text: str, side: str, is_answer: IsAnswer = is_order_line
) -> list[tuple[str, Answer]]:
    """Return the standing orders of a side in a text. Each comes with an Answer, which has the position.

    The text is a message or a plain list of orders. In a message, only lines with an address of this side are
    used. In a list, lines that begin with `#` are comments.
    """
    answers = answers_in(file, text, is_answer)
    sent = [answer for answer in answers if answer.is_standing and answer.side == side]
    if sent:
        return [(STANDING.sub("", answer.words, count=1), answer) for answer in sent]
    results = []
    for number, line in plain_lines(file, text):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            column = len(line) - len(line.lstrip()) + 1
            results.append((bare, Answer("", side, 0, bare, 0, file, number, column, line)))
    return results
