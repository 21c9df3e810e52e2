"""Read the files that define the cases and issues of the conformance suite.

A case is a battle with a fixed deal and its moves. At chosen points, it says what a correct implementation
must show. An issue is a place where a rule book is ambiguous. docs/conformance.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources.abc import Traversable
from typing import NamedTuple

from cardbattle import rules
from cardbattle.battles.records.battle_file import rule_set
from cardbattle.conformance.case_names import FOLDER
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.names import listed, quoted, unknown_word
from cardbattle.core.ruleset import RuleSet
from cardbattle.files import reader
from cardbattle.files.reader import TableReader, table_or_empty
from cardbattle.files.toml import Source, parse_toml, read_toml

FORMAT = 1
FILE_KEYS = ("format", "rules", "issue", "start", "case", "perft")
SETUP_KEYS = ("seats", "house", "sides", "deal")
CASE_KEYS = ("id", "title", "rules", "source", "issues", "start", *SETUP_KEYS, "refused", "play")
PERFT_KEYS = ("id", "title", "start", *SETUP_KEYS, "play", "lines", "ended")
ISSUE_KEYS = ("id", "rules", "question", "readings", "ours", "why")
SOURCES = {
    "rules": "the published rules",
    "example": "an example of the author",
    "ruling": "a ruling of this program",
    "addition": "an addition of this program",
}
MOST_BYTES = 4_000_000

Expectation = dict[str, object]
Step = str | Expectation  # the text of a move, or a table of what is expected at this point


class Issue(NamedTuple):
    """A place where a rule book is ambiguous.

    Attributes:
        numbers: the numbers of the rules that settle the issue.
        readings: the possible interpretations of the rule book.
        ours: the number of the interpretation that this program follows, counted from 1.
        why: the reason why this program follows it.

    """

    id: str
    rules: RuleSet
    numbers: list[str]
    question: str
    readings: list[str]
    ours: int
    why: str


class Case(NamedTuple):
    """A test case: a battle with a fixed deal, its moves, and the expectations.

    Attributes:
        numbers: the numbers of the rules that the case tests.
        source: where the case comes from, a key of SOURCES.
        issues: ids of the issues that the case decides.
        table: the set-up of the battle, as the table of a battle file.
        refused: the key that makes the set-up invalid, or "" if the set-up is valid. An implementation must
            refuse an invalid set-up.
        steps: moves and expectations, in order.

    """

    id: str
    rules: RuleSet
    title: str
    numbers: list[str]
    source: str
    issues: list[str]
    table: dict[str, object]
    refused: str
    steps: list[Step]


class Position(NamedTuple):
    """A position for which the suite publishes how many continuations it has.

    Attributes:
        case: the set-up and the moves that lead to the position, as a case without expectations.
        lines: the numbers of continuations with 1, 2, ... decisions.
        ended: how many of the continuations in `lines` end the battle.

    """

    case: Case
    lines: list[int]
    ended: list[int]


class Suite(NamedTuple):
    """The issues, cases and counted positions of the conformance suite, in the order of their files."""

    issues: list[Issue]
    cases: list[Case]
    positions: list[Position] = []

    def of_rules(self, key: str) -> Suite:
        return Suite(
            [issue for issue in self.issues if issue.rules.key == key],
            [case for case in self.cases if case.rules.key == key],
            [position for position in self.positions if position.case.rules.key == key],
        )


class Start(NamedTuple):
    """A set-up with its first moves, which several cases share."""

    table: dict[str, object]
    steps: list[Step]


@cache
def built_in_suite() -> Suite:
    """Return the conformance suite that comes with the program."""
    sources = [
        parse_toml(f"{folder.name}/{file.name}", file.read_bytes())
        for folder in in_order(FOLDER)
        for file in in_order(folder)
    ]
    return suite_of(sources)


def in_order(folder: Traversable) -> list[Traversable]:
    """Return the entries of a folder: rule sets in the program's order, files by name."""
    keys = list(rules.RULE_SETS)
    return sorted(
        folder.iterdir(), key=lambda file: (keys.index(file.name) if file.name in keys else 0, file.name)
    )


def read_suite(path: str) -> Suite:
    """Read a suite from a file. Raises InvalidInput, which lists all errors, if the file has errors."""
    return suite_of([read_toml(path, MOST_BYTES)])


def suite_of(sources: Sequence[Source]) -> Suite:
    """Read several files of cases as one suite.

    Raises InvalidInput if a file has errors, or if two items have the same id.
    """
    suite = Suite([], [], [])
    for source in sources:
        errors: list[Diagnostic] = []
        more = read_cases(source.data, errors)
        seen_ids = ids_of(suite)
        for name in ids_of(more):
            if name in seen_ids:
                errors.append(Diagnostic(f"the id {name} occurs twice"))
            seen_ids.append(name)
        if errors:
            source.refuse(errors)
        suite.issues.extend(more.issues)
        suite.cases.extend(more.cases)
        suite.positions.extend(more.positions)
    return suite


def ids_of(suite: Suite) -> list[str]:
    cases = [*suite.cases, *(position.case for position in suite.positions)]
    return [issue.id for issue in suite.issues] + [case.id for case in cases]


def read_cases(data: Mapping[str, object], errors: list[Diagnostic]) -> Suite:
    """Parse the table of a file of cases. Errors are appended to `errors`."""
    table = TableReader(dict(data), (), errors)
    table.only(FILE_KEYS)
    if table.need("format", reader.expect_whole, FORMAT) != FORMAT:
        table.wrong(f"this program reads format {FORMAT}", "format")
    chosen = table.need("rules", rule_set, None)
    if chosen is None:
        return Suite([], [])
    starts: dict[str, Start] = {}
    for item in table.tables("start"):
        read_start(item, chosen, starts)
    issues = [read_issue(item, chosen) for item in table.tables("issue")]
    issue_ids = [issue.id for issue in issues]
    cases = [read_case(item, chosen, starts, issue_ids) for item in table.tables("case")]
    return Suite(issues, cases, [read_position(item, chosen, starts) for item in table.tables("perft")])


def read_issue(table: TableReader, chosen: RuleSet) -> Issue:
    table.only(ISSUE_KEYS)
    readings = table.need("readings", reader.expect_texts, [""])
    return Issue(
        table.need("id", reader.expect_text, ""),
        chosen,
        table.need("rules", numbers_reader(chosen), []),
        table.need("question", reader.expect_text, ""),
        readings,
        table.need("ours", reader.whole_between(1, max(1, len(readings))), 1),
        table.need("why", reader.expect_text, ""),
    )


def read_start(table: TableReader, chosen: RuleSet, starts: dict[str, Start]) -> None:
    """Parse a start, which cases can share, and add it to `starts`."""
    table.only(("id", "start", *SETUP_KEYS, "play"))
    name = table.need("id", reader.expect_key, "")
    starts[name] = with_start(table, chosen, starts)


def read_case(table: TableReader, chosen: RuleSet, starts: Mapping[str, Start], issue_ids: list[str]) -> Case:
    """Parse one case. `issue_ids` has the ids of the issues that a case can decide."""
    table.only(CASE_KEYS)
    beginning = with_start(table, chosen, starts)
    refused = table.take("refused", reader.expect_text, "")
    issues = table.take("issues", reader.expect_texts, list[str]())
    for place, issue in enumerate(issues):
        if issue not in issue_ids:
            table.wrong(unknown_word("issue", issue, issue_ids), "issues", place)
    if refused and beginning.steps:
        table.wrong("a case with refused has no moves; remove play", "play")
    if not refused and not any(isinstance(step, dict) for step in beginning.steps):
        table.wrong("this case expects nothing; add an expectation to play, such as { asks = ... }")
    return Case(
        table.need("id", reader.expect_key, ""),
        chosen,
        table.need("title", reader.expect_text, ""),
        table.need("rules", numbers_reader(chosen), []),
        table.need("source", source_word, ""),
        issues,
        beginning.table,
        refused,
        beginning.steps,
    )


def read_position(table: TableReader, chosen: RuleSet, starts: Mapping[str, Start]) -> Position:
    """Parse one position with its published counts."""
    table.only(PERFT_KEYS)
    beginning = with_start(table, chosen, starts)
    name = table.need("id", reader.expect_key, "")
    title = table.need("title", reader.expect_text, "")
    lines = table.need("lines", expect_counts, list[int]())
    ended = table.need("ended", expect_counts, list[int]())
    if len(lines) != len(ended):
        table.wrong("expected as many numbers as the list `lines` has", "ended")
    case = Case(name, chosen, title, [], "", [], beginning.table, "", beginning.steps)
    return Position(case, lines, ended)


def expect_counts(value: object) -> list[int]:
    """Return the value if it is a list of whole numbers; otherwise raise ValueError."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list of whole numbers, got {quoted(value)}")
    return [reader.expect_whole(item) for item in value]


def with_start(table: TableReader, chosen: RuleSet, starts: Mapping[str, Start]) -> Start:
    """Return the set-up and steps of a table.

    If the table names a start, the set-up and the first steps come from the start.
    """
    name = table.take("start", reader.expect_text, "")
    if name and name not in starts:
        table.wrong(unknown_word("start", name, starts), "start")
    before = starts.get(name, Start({}, []))
    seats = table.take("seats", reader.expect_texts, None)
    earlier = table_or_empty(before.table.get("sides"))
    keys = seats if seats is not None else [*earlier] or list(chosen.default_sides)
    sides = table.table("sides")
    sides.only(keys, "side")
    setup: dict[str, object] = {
        "rules": chosen.key,
        "house": table_or_empty(before.table.get("house")) | table.table("house").data,
        "sides": {
            key: table_or_empty(earlier.get(key)) | table_or_empty(sides.data.get(key)) for key in keys
        },
        "deal": merge_tables(table_or_empty(before.table.get("deal")), table.table("deal").data),
    }
    return Start(setup, [*before.steps, *read_steps(table, keys)])  # the steps of a start end with a move


def merge_tables(first: Mapping[str, object], second: Mapping[str, object]) -> dict[str, object]:
    """Merge two nested tables. If both have a value, that of the second is used."""
    result = dict(first)
    for key, value in second.items():
        earlier = result.get(key)
        nested = isinstance(value, dict) and isinstance(earlier, dict)
        result[key] = merge_tables(table_or_empty(earlier), table_or_empty(value)) if nested else value
    return result


def read_steps(table: TableReader, seats: Sequence[str]) -> list[Step]:
    """Return the moves and expectations in the key `play` of a table.

    A string can contain several moves that are separated by semicolons. Successive expectations are merged.
    """
    value = table.data.get("play", [])
    if not isinstance(value, list):
        table.wrong(f"expected a list of moves and expectations, got {quoted(value)}", "play")
        return []
    steps: list[Step] = []
    for place, item in enumerate(value):
        if isinstance(item, str):
            moves = [" ".join(move.split()) for move in item.split(";")]
            steps += moves
            for move in moves:
                if move.partition(" ")[0] not in (*seats, "fate"):
                    movers = listed([*seats, "fate"], "or")
                    table.wrong(f"expected a move of {movers}, got {quoted(move)}", "play", place)
        else:
            expectation = TableReader(item, (*table.at, "play", place), table.errors)
            check_expectation(expectation, seats)
            add_expectation(steps, expectation)
    return steps


def add_expectation(steps: list[Step], table: TableReader) -> None:
    """Append an expectation to the steps of a case. If the last step is an expectation, merge the two."""
    before = steps[-1] if steps else ""
    if not isinstance(before, dict):
        steps.append(table.data)
        return
    for key in table.data:
        if key in before and not isinstance(before[key], dict):
            table.wrong(f"{key} is expected twice at this point", key)
    steps[-1] = merge_tables(before, table.data)


def check_expectation(table: TableReader, seats: Sequence[str]) -> None:
    """Check an expectation. Errors are appended to `table.errors`."""
    table.only(EXPECTATIONS, "expectation")
    if not table.data:
        table.wrong("this expectation is empty")
    for key in table.data:
        if key in EXPECTATIONS:
            table.take(key, EXPECTATIONS[key], None)
    for key in ("views", "scores", "losses", "seen", "unseen"):
        TableReader(table.data.get(key, {}), (*table.at, key), table.errors).only(seats, "side")
    asks = table.data.get("asks")
    if isinstance(asks, str) and asks not in seats:
        table.wrong(unknown_word("side", asks, seats), "asks")


def expect_table(value: object) -> object:
    """Return the value if it is a table; otherwise raise ValueError."""
    if not isinstance(value, dict):
        raise ValueError(f"expected a table, got {quoted(value)}")
    return value


def expect_patterns(value: object) -> object:
    """Return the value if it is a list of events, each a kind or a table; otherwise raise ValueError."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list of events, got {quoted(value)}")
    for item in value:
        if not isinstance(item, str) and not (isinstance(item, dict) and isinstance(item.get("event"), str)):
            raise ValueError(f'expected an event, such as "won" or {{ event = "won" }}, got {quoted(item)}')
    return value


def expect_events_by_side(value: object) -> object:
    """Return the value if it is a table with a list of events for each side; otherwise raise ValueError."""
    return {key: expect_patterns(events) for key, events in table_or_empty(expect_table(value)).items()}


def expect_scores(value: object) -> object:
    """Return the value if it is a table of whole numbers; otherwise raise ValueError."""
    return {key: reader.expect_whole(score) for key, score in table_or_empty(expect_table(value)).items()}


def expect_losses(value: object) -> object:
    """Return the value if it is a table of fractions in lowest terms; otherwise raise ValueError."""
    for text in table_or_empty(expect_table(value)).values():
        if not isinstance(text, str) or not FRACTION.fullmatch(text):
            raise ValueError(f'expected a fraction in quotes, such as "2/5", "0" or "1", got {quoted(text)}')
    return value


FRACTION = re.compile("0|1|[1-9][0-9]*/[1-9][0-9]*")
EXPECTATIONS: Mapping[str, Callable[[object], object]] = {
    "asks": reader.expect_text,
    "question": reader.expect_text,
    "options": reader.expect_texts,
    "legal": reader.expect_texts,
    "illegal": reader.expect_texts,
    "count": reader.expect_whole,
    "events": expect_patterns,
    "no_events": expect_patterns,
    "seen": expect_events_by_side,
    "unseen": expect_events_by_side,
    "views": expect_table,
    "scores": expect_scores,
    "winners": reader.expect_texts,
    "reason": reader.expect_text,
    "losses": expect_losses,
    "next_house": expect_table,
}


def source_word(value: object) -> str:
    """Return the value if it is a key of SOURCES; otherwise raise ValueError."""
    if value not in SOURCES:
        raise ValueError(f"expected {listed(SOURCES, 'or')}, got {quoted(value)}")
    return str(value)


def numbers_reader(chosen: RuleSet) -> Callable[[object], list[str]]:
    """Return a parser for lists of rule numbers. It accepts only numbers on the rule set's page."""

    def read(value: object) -> list[str]:
        numbers = reader.expect_texts(value)
        if not numbers:
            raise ValueError("expected at least one rule number")
        for number in numbers:
            if number not in numbers_on_page(chosen.key):
                raise ValueError(f"{quoted(number)} is not a number on the rules page of {chosen.name}")
        return numbers

    return read


@cache
def numbers_on_page(key: str) -> frozenset[str]:
    """Return the numbers of all rules, decisions and cards on a rule set's page of rules."""
    return frozenset(re.findall(r"\b[A-Z]+(?:-?[A-Z]?)\d+\b", rules.find(key).rules_text()))


def numbered_rules(chosen: RuleSet) -> list[str]:
    """Return the numbers of all rules of a rule set, in the order of its page of rules.

    >>> from cardbattle import rules
    >>> numbered_rules(rules.find("wargame"))[:2]
    ['WG-1', 'WG-2']
    """
    return re.findall(rf"^- \*\*({chosen.code}-\d+)\*\*", chosen.rules_text(), re.MULTILINE)


def cases_by_issue(suite: Suite) -> dict[str, list[str]]:
    """Return the ids of the cases that decide each issue. The keys are the ids of the issues."""
    return {issue.id: [case.id for case in suite.cases if issue.id in case.issues] for issue in suite.issues}


def find_case(suite: Suite, name: str) -> Case:
    """Return the case with this id. For an unknown id, raises InvalidInput with the most similar one."""
    for case in suite.cases:
        if case.id == name:
            return case
    raise InvalidInput(unknown_word("case", name, [case.id for case in suite.cases]))


def find_position(suite: Suite, name: str) -> Position:
    """Return the position with this id. For an unknown id, raises InvalidInput with the most similar one."""
    for position in suite.positions:
        if position.case.id == name:
            return position
    raise InvalidInput(unknown_word("position", name, [position.case.id for position in suite.positions]))
