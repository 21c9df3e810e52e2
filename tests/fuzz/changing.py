"""A sound text becomes one with a few things changed: a word for another, a line out of its place."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<text> "(?:\\.|[^"\\\n])*" | '[^'\n]*' )
      | (?P<note> \#[^\n]* )
      | (?P<word> [\w+./^;-]+ )
      | (?P<gap> [ \t]+ )
      | (?P<mark> .|\n )""",
    re.VERBOSE,
)
CELL = re.compile(r"""(?P<text>[^,;\t\n"]+)|(?P<mark>.|\n)""")
NAMED = re.compile(r"[ \t]*=|[^\n=]*\]\]?[ \t]*(?:#[^\n]*)?$", re.MULTILINE)

TEXTS = (
    '""', '" "', '"x"', '"percy"', '"fate"', '"con"', '"../x"', '"/etc/passwd"', '"1/2"', '"2/4"', '"1/0"',
    '"-1"', '"12"', '"0"', '"KS"', '"RJ"', '"10H\'"', '"J9"', '"A"', '"green"', '"orders"', '"human"',
    '"elite"',
    '"elite:iterations=1"', '"elite:iterations=x"', '"brainwar"', '"wargame"', '"warmonger"', '"١٢"',
    '"e\\u0301"',
    '"\\u001b[31m"', '"\\u202e"', '"\\u0085"', '"\\u2028"', '"a\\nb"', '"\\t"', '"\\U000E0001"', '"=1+1"',
    '"[red]x[/]"', '"pass"', '"resign"', f'"{"x" * 41}"', f'"{"9" * 30}"', '"sha256:0"',
    '"0:0123456789abcdef"',
    "'a'", "'''a\nb'''", '"unclosed', '"bad \\q"', '"\x1b"', '"\ud800"',
)  # fmt: skip
WORDS = (
    "0", "1", "-1", "2", "3", "7", "40", "1000", "99999999", "9223372036854775807", "9223372036854775808",
    "-9223372036854775809", "1" * 30, "1" * 5000, "0x1F", "1_000", "01", "1.5", "1e3", "nan", "inf", "-inf",
    "true", "false", "True", "null", "1979-05-27", "1979-05-27T07:32:00Z", "07:32:00", "1979-02-30", "percy",
)  # fmt: skip
LISTS = (
    "[]", "[[]]", "[1, 2]", '["percy"]', '["percy", "percy"]', "{}", "{ a = 1 }", '{ name = "x" }', "[{}]",
    '["KS", "KS"]', "[" * 120 + "]" * 120, "{ a = " * 40 + "1" + " }" * 40, "[1, \"a\", [true]]", "[1,",
    "{ a = ",
)  # fmt: skip
NAMES = (
    "format", "id", "rules", "seed", "house", "sides", "deal", "name", "commander", "orders", "then", "hand",
    "cards", "x", "x_a", "x.y", "fate", "stack", "con", "percy", "Percy", "sides.percy", '""', '"a b"',
    '"\\u001b"',
    "'[red]'", "moves", "checks", "winners", "bound", "turn", "revision", "pending", "assert", "factions",
    "forces", "locations", "strength", "points", "per", "give", "most", "result", "battle", "defaults",
    "entry",
    "changes", "prev", "check", "part", "undoes", ".".join("a" * 30), "a" * 2000,
)  # fmt: skip
MARKS = (
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    ".",
    "#",
    '"',
    "'",
    '"""',
    "\n",
    "\r",
    "\r\n",
    "\0",
    "\ufeff",
)
CELLS = (
    "", " ", "x", "percy", "0", "-1", "1.5", "1" * 30, "١٢", "1/2", "1/0", "KS 10H", "green", "=1+1",
    "'=1", "@x",
    "\x1b[31m", "\u202e", '"', '""', '"a"', '"a,b"', '"a\nb"', "a;b;c", "true", "wargame", "brainwar",
    "fate", "x.y",
    "sides.percy.hand", "sides.percy", "id", "rules", "seed", "house.x", "deal.stack", ".", "..",
    "a." * 40, "a" * 2000,
)  # fmt: skip
SENT = (
    "40%", "40 %", "0,4", ".4", "lost 4 of 10", "4 of", "none", "all", "40", "2-May", "02. Mai", "45414",
    "99-99-99", "2026-05-02", "½", "draw", "?", "Harry Percy", "harry percy", "Hárry Pércy",
    "percy, stafford", "{ a = 1 }", "{", "{ forces = {} }", "{ campaign = 1 }", "side1", "side2", "side3",
    "losses1", "name0", "score99", "bound",
)  # fmt: skip
SIGNS = ",;\t\n\"' .=-@\0\r\ufeff\x1b\x85\u2028é٣"


class Token(NamedTuple):
    """A piece of a text and what it is: a key's name, a text, a word, a list, a mark, a gap."""

    kind: str
    text: str


class Sample(NamedTuple):
    """A sound text in pieces; `inside` has the places of the pieces of each kind."""

    name: str
    tokens: list[Token]
    inside: dict[str, list[int]]
    odd: dict[str, tuple[str, ...]]

    @property
    def text(self) -> str:
        """The sound text itself."""
        return "".join(token.text for token in self.tokens)


def toml_sample(name: str, text: str) -> Sample:
    """Return a TOML text in pieces."""
    odd = {"name": NAMES, "text": TEXTS + LISTS, "word": WORDS + LISTS, "mark": MARKS}
    return in_pieces(name, text, TOKEN, odd)


def sheet_sample(name: str, text: str) -> Sample:
    """Return a spreadsheet in pieces."""
    return in_pieces(name, text, CELL, {"text": CELLS, "mark": (",", ";", "\t", "\n", "\r\n", '"', "")})


def form_sample(name: str, text: str) -> Sample:
    """Return a form for results in pieces, with what people may write into it."""
    return in_pieces(name, text, CELL, {"text": (*CELLS, *SENT), "mark": (",", ";", "\n", '"', "")})


def in_pieces(name: str, text: str, pattern: re.Pattern[str], odd: dict[str, tuple[str, ...]]) -> Sample:
    """Split a text into pieces by the groups of a pattern."""
    tokens: list[Token] = []
    inside: dict[str, list[int]] = {}
    for found in pattern.finditer(text):
        kind = found.lastgroup or "mark"
        if "name" in odd and kind in ("text", "word") and is_name(text, found):
            kind = "name"
        if kind in odd:
            inside.setdefault(kind, []).append(len(tokens))
        tokens.append(Token(kind, found[0]))
    return Sample(name, tokens, inside, odd)


def is_name(text: str, found: re.Match[str]) -> bool:
    """Say whether a piece of TOML stands where a key does: before "=", or in a table's heading."""
    before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    heading = before.startswith("[") and NAMED.match(text, found.end()) is not None
    return heading or re.match(r"[ \t]*=", text[found.end() : found.end() + 9]) is not None


def change(sample: Sample, random: Random) -> str:
    """Return the sample's text with one to four things changed."""
    texts = [token.text for token in sample.tokens]
    lines = 0
    for _ in range(random.choice((1, 1, 1, 1, 2, 2, 3, 4))):
        if random.random() < 0.2:
            lines += 1
        else:
            change_token(texts, sample, random)
    text = "".join(texts)
    for _ in range(lines):
        text = change_lines(text, random)
    return text


def change_token(texts: list[str], sample: Sample, random: Random) -> None:
    """Replace one piece with another of its kind, with an odd one, with two, or with nothing."""
    kind = random.choice(list(sample.inside))
    place = random.choice(sample.inside[kind])
    way = random.random()
    if way < 0.35:
        texts[place] = texts[random.choice(sample.inside[kind])]
    elif way < 0.75:
        texts[place] = random.choice(sample.odd[kind])
    elif way < 0.85:
        texts[place] = random.choice(sample.odd[random.choice(list(sample.odd))])
    elif way < 0.9:
        texts[place] += texts[place]
    elif way < 0.95:
        texts[place] = ""
    else:
        texts[place] = change_sign(texts[place], random)


def change_sign(text: str, random: Random) -> str:
    """Return a piece with one sign changed, put in or taken out."""
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice(("", random.choice(SIGNS))) + text[place + random.choice((0, 1)) :]


def change_lines(text: str, random: Random) -> str:
    """Return a text with a line taken out, doubled or moved, or cut off after it."""
    lines = text.split("\n")
    place = random.randrange(len(lines))
    way = random.randrange(7)
    if way == 0:
        return "\n".join(lines[:place])
    line = lines[place] if way < 3 else lines.pop(place)
    if way < 5:
        lines.insert(random.randrange(len(lines) + 1), line)
    return ("\r\n" if way == 6 else "\n").join(lines)
