"""Conditions in campaign.toml, such as `shrewsbury.owner == 'percy' and turn >= 3`.

A condition compares values of the campaign with whole numbers or with strings in quotes. Comparisons are
joined by `and`, `or`, `not` and parentheses. A condition can read only the campaign and cannot call
functions.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, NamedTuple

from cardbattle.campaign.state.fields import ParsedBy
from cardbattle.core.names import quoted

Value = str | int | bool
Lookup = Callable[[str], Value]  # returns the value at a path such as `percy.strength`
LONGEST = 500
DEEPEST = 20  # maximum depth of nested parentheses and negations
PATH = r"[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_][a-z0-9_-]*)*"
TOKEN = re.compile(
    rf"\s*(?:(?P<text>'[^']*'|\"[^\"]*\")|(?P<number>-?[0-9]{{1,9}}(?![a-z0-9_.-]))|(?P<path>{PATH})"
    r"|(?P<mark>==|!=|<=|>=|<|>|\(|\)))"
)
COMPARE: dict[str, Callable[[object, object], bool]] = {"==": operator.eq, "!=": operator.ne}
ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge
}  # fmt: skip
EXAMPLE = "write it like shrewsbury.owner == 'percy'; join several with and, or, not"


class Term(NamedTuple):
    """A path, a string or a number in a condition, with its offset in the text of the condition."""

    kind: str
    value: str | int
    start: int


class Condition(NamedTuple):
    """A parsed condition.

    The operator is `and`, `or`, `not`, a comparison such as `==`, or `is` for a single value.
    """

    operator: str
    parts: Sequence[Condition | Term]

    def holds(self, lookup: Lookup) -> bool:
        """Return True if the condition holds. `lookup` returns the value at a path."""
        inside = (part.holds(lookup) for part in self.parts if isinstance(part, Condition))
        if self.operator in JOIN:
            return JOIN[self.operator](inside)
        values = [value_of(term, lookup) for term in self.parts if isinstance(term, Term)]
        if self.operator == "is":
            return bool(values[0])
        left, right = values
        if self.operator in COMPARE:
            return COMPARE[self.operator](left, right)
        return isinstance(left, int) and isinstance(right, int) and ORDER[self.operator](left, right)

    def paths(self) -> Iterator[Term]:
        for part in self.parts:
            if isinstance(part, Condition):
                yield from part.paths()
            elif part.kind == "path":
                yield part


JOIN: dict[str, Callable[[Iterator[bool]], bool]] = {
    "and": all, "or": any, "not": lambda inside: not next(inside)
}  # fmt: skip


def value_of(term: Term, lookup: Lookup) -> Value:
    return lookup(str(term.value)) if term.kind == "path" else term.value


def parse_condition(text: str) -> Condition:
    """Parse a condition.

    Raises ValueError, which shows an example, if the text is not a condition.

    >>> parse_condition("turn >= 3 and not percy.destroyed").operator
    'and'
    """
    if len(text) > LONGEST:
        raise ValueError(f"expected a condition of at most {LONGEST} characters, got {len(text)}")
    parser = Parser(list(tokens_of(text)))
    condition = parser.either(0)
    if parser.token is not None:
        raise ValueError(f"{quoted(parser.token.value)} is not expected here; {EXAMPLE}")
    return condition


def tokens_of(text: str) -> Iterator[Term]:
    """Yield the tokens of a condition. Raises ValueError if a part of the text is not a token."""
    position = 0
    while text[position:].strip():
        match = TOKEN.match(text, position)
        if match is None:
            word = text[position:].split()[0]
            hint = "; to compare, write ==" if word.startswith("=") else f"; {EXAMPLE}"
            raise ValueError(f"{quoted(word)} is not allowed in a condition{hint}")
        kind = str(match.lastgroup)
        word, start = match[kind], match.start(kind)
        if kind == "text":
            yield Term(kind, word[1:-1], start)
        elif kind == "number":
            yield Term(kind, int(word), start)
        else:
            yield Term("mark" if word in JOIN else kind, word, start)
        position = match.end()


class Parser:
    """A recursive-descent parser. `not` binds most tightly, followed by `and` and then `or`."""

    def __init__(self, tokens: Sequence[Term]) -> None:
        self.tokens = tokens
        self.place = 0

    @property
    def token(self) -> Term | None:
        """The next token, or None at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def takes(self, word: str) -> bool:
        """Consume the next token and return True if it is `word`. Otherwise return False."""
        is_next = self.token is not None and self.token.kind == "mark" and self.token.value == word
        self.place += is_next
        return is_next

    def either(self, depth: int) -> Condition:
        parts = [self.each(depth)]
        while self.takes("or"):
            parts.append(self.each(depth))
        return parts[0] if len(parts) == 1 else Condition("or", parts)

    def each(self, depth: int) -> Condition:
        parts = [self.single(depth)]
        while self.takes("and"):
            parts.append(self.single(depth))
        return parts[0] if len(parts) == 1 else Condition("and", parts)

    def single(self, depth: int) -> Condition:
        if depth > DEEPEST:
            raise ValueError("the condition has too many levels; write it as several events")
        if self.takes("not"):
            return Condition("not", [self.single(depth + 1)])
        if self.takes("("):
            inside = self.either(depth + 1)
            if not self.takes(")"):
                raise ValueError("a parenthesis is not closed; write )")
            return inside
        left = self.term()
        for mark in (*COMPARE, *ORDER):
            if self.takes(mark):
                return Condition(mark, [left, self.term()])
        return Condition("is", [left])

    def term(self) -> Term:
        token = self.token
        if token is None:
            raise ValueError(f"the condition ends too soon; {EXAMPLE}")
        if token.kind == "mark":
            raise ValueError(f"{quoted(token.value)} is not expected here; {EXAMPLE}")
        self.place += 1
        return token


def read_condition(value: object) -> str:
    """Return a valid condition. Raises ValueError for any other value."""
    if not isinstance(value, str):
        raise ValueError(f"expected a condition in quotes, got {quoted(value)}; {EXAMPLE}")
    parse_condition(value)
    return value


def rename_in_condition(text: str, table: str, old: str, new: str) -> str:
    """Return a condition after the rename of a key of this table.

    The key is renamed in paths and in values that are compared.

    >>> rename_in_condition("hal.strength < 5 and ford.owner == 'hal'", "forces", "hal", "henry")
    "henry.strength < 5 and ford.owner == 'hal'"
    """
    try:
        starts = sorted(offsets_of_key(parse_condition(text), table, old), reverse=True)
    except ValueError:
        return text
    for start in starts:
        text = f"{text[:start]}{new}{text[start + len(old) :]}"
    return text


def offsets_of_key(condition: Condition, table: str, old: str) -> Iterator[int]:
    """Yield the offsets at which the key `old` of a table occurs in a condition."""
    for part in condition.parts:
        if isinstance(part, Condition):
            yield from offsets_of_key(part, table, old)
        elif part.kind == "path":
            named = Place.named(str(part.value))
            if named and (named.table, named.key) == (table, old):
                yield part.start + str(part.value).index(f"{old}.")
        elif part.kind == "text" and part.value == old and refers_to(condition) == table:
            yield part.start + 1


def refers_to(condition: Condition) -> str:
    """Return the table whose keys a comparison refers to, such as `locations` for a force's location."""
    fields = [str(part.value).rpartition(".")[2] for part in condition.parts if isinstance(part, Term)]
    return next((REFERENCES[word] for word in fields if word in REFERENCES), "")


WORDS = {
    "forces": (
        "faction", "strength", "commander", "location", "destroyed", "experience", "title", "full",
    ),
    "factions": ("points", "purse"),
    "locations": ("owner", "value", "terrain", "supply"),
}  # fmt: skip
# The values of each table that conditions and events can name; all tables also have a name.
CAMPAIGN_WORDS = ("turn", "weather")
REFERENCES = {
    "owner": "factions", "faction": "factions", "peace": "factions", "prisoner_of": "factions",
    "location": "locations", "stakes": "locations", "place": "locations",
    "sides": "forces", "defender": "forces",
}  # fmt: skip
# The values that are keys of another table, or lists of such keys.


def is_reference(word: str, table: str) -> bool:
    """Return True if the values named `word`, such as `owner`, are keys of this table."""
    return REFERENCES.get(word) == table


class Place(NamedTuple):
    """A value of a force, faction or location, given by the table, the key and the name of the value."""

    table: str
    key: str
    word: str

    @classmethod
    def named(cls, path: str) -> Place | None:
        """Return the value that a path names, with or without its table.

        Returns None if the path has another form.

        >>> Place.named("forces.hal.strength") == Place.named("hal.strength")
        True
        """
        parts = path.split(".")
        if len(parts) == 3 and parts[0] in WORDS:
            return cls(*parts)
        tables = [table for table, valid_words in WORDS.items() if parts[-1] in valid_words]
        return cls(tables[0], *parts) if len(parts) == 2 and tables else None


ConditionText = Annotated[str, ParsedBy(read_condition, type="string", maxLength=LONGEST)]
