"""Compare the answers of an implementation with the cases, and write a compliance statement about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from cardbattle.conformance.case_file import Case, Expectation, Suite, numbered_rules
from cardbattle.conformance.play_case import FIELDS, Answer, Point, answer_case
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.referee import comparable
from cardbattle.core.ruleset import RuleSet
from cardbattle.files import reader
from cardbattle.files.reader import TableReader
from cardbattle.files.toml import STANDARD_INPUT, read_bytes

FORMAT = 1
PARTS: Mapping[str, tuple[str, ...]] = {  # the parts that an implementation can omit, with their expectations
    "events": ("events", "no_events", "seen", "unseen"),
    "views": ("views",),
    "losses": ("losses",),
    "series": ("next_house",),
}
MOST_BYTES = 64_000_000


class Verdict(NamedTuple):
    """The verdict on one case. The case passed if it has no failures.

    Attributes:
        failures: a sentence for each failed expectation, with the number of the expectation.
        is_answered: True if the results have an answer to the case.

    """

    case: Case
    failures: list[str]
    is_answered: bool = True

    @property
    def has_passed(self) -> bool:
        """True if every expectation of the case was met."""
        return not self.failures


class RulesVerdict(NamedTuple):
    """The verdicts on the cases of one rule set."""

    rules: RuleSet
    verdicts: list[Verdict]

    @property
    def passed(self) -> int:
        return sum(verdict.has_passed for verdict in self.verdicts)

    @property
    def covered(self) -> list[str]:
        """The numbers of the rules whose cases have all passed."""
        failed = {number for each in self.verdicts if not each.has_passed for number in each.case.numbers}
        named = {number for each in self.verdicts for number in each.case.numbers}
        return [number for number in numbered_rules(self.rules) if number in named - failed]


class Statement(NamedTuple):
    """The compliance statement of an implementation: its verdicts by rule set."""

    implementation: str
    left_out: list[str]
    rule_sets: list[RulesVerdict]

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on the cases of all rule sets."""
        return [verdict for each in self.rule_sets for verdict in each.verdicts]

    @property
    def has_passed(self) -> bool:
        return all(verdict.has_passed for verdict in self.verdicts)


class Results(NamedTuple):
    """A results file: the answers of an implementation, by case."""

    implementation: str
    left_out: list[str]
    answers: dict[str, Answer]


def own_results(cases: Iterable[Case], version: str) -> Results:
    """Play cases with this program, and return its answers as results."""
    return Results(f"cardbattle {version}", [], {case.id: answer_case(case) for case in cases})


def results_table(results: Results) -> dict[str, object]:
    return {
        "format": FORMAT,
        "implementation": results.implementation,
        "leaves_out": results.left_out,
        "results": {name: answer_table(answer) for name, answer in results.answers.items()},
    }


def answer_table(answer: Answer) -> dict[str, object]:
    """Return one answer to a case in the form of a results file."""
    if answer.refused:
        return {"refused": True}
    return {"points": answer.points, **({"error": answer.error} if answer.error else {})}


def read_results(path: str) -> Results:
    """Read a results file. Raises InvalidInput if the file is not valid."""
    name = STANDARD_INPUT if path == "-" else clean(path)
    try:
        data = json.loads(read_bytes(path, MOST_BYTES))
    except (ValueError, RecursionError):
        raise InvalidInput(
            f"{name}: expected JSON, as `cardbattle cases run --results FILE` writes it"
        ) from None
    errors: list[Diagnostic] = []
    table = TableReader(data, (), errors)
    table.only(("format", "implementation", "leaves_out", "results"))
    if table.need("format", reader.expect_whole, FORMAT) != FORMAT:
        table.wrong(f"this program reads format {FORMAT}", "format")
    left_out = table.take("leaves_out", expect_parts, list[str]())
    implementation = table.need("implementation", reader.expect_text, "")
    if "results" not in table.data:
        table.wrong("results is missing")
    answers = table.table("results")
    results = {key: read_answer(answers.table(key)) for key in answers.data}
    if errors:
        raise InvalidInput(Diagnostic(f"{name}: {error}") for error in errors)
    return Results(clean(implementation), left_out, results)


def expect_parts(value: object) -> list[str]:
    """Return the value if it lists parts that an implementation can omit; otherwise raise ValueError."""
    parts = reader.expect_texts(value)
    for part in parts:
        if part not in PARTS:
            raise ValueError(f"expected some of {listed(PARTS)}, got {quoted(part)}")
    return parts


def read_answer(table: TableReader) -> Answer:
    """Parse one answer in a results file."""
    table.only(("points", "refused", "error"))
    points = table.take("points", reader.expect_tables, list[Point]())
    return Answer(
        points,
        table.take("refused", reader.expect_switch, False),
        error=table.take("error", reader.expect_text, ""),
    )


def compare(suite: Suite, results: Results) -> Statement:
    """Compare results with the cases, for every rule set that has at least one answer.

    Raises InvalidInput if the results answer a case that the suite does not have.
    """
    case_ids = {case.id for case in suite.cases}
    strange = [name for name in results.answers if name not in case_ids]
    if strange:
        raise InvalidInput(f"results: there is no case {quoted(strange[0])} in this suite")
    skipped = {key for part in results.left_out for key in PARTS[part]}
    rule_sets: dict[str, RulesVerdict] = {}
    answered = {case.rules.key for case in suite.cases if case.id in results.answers}
    for case in suite.cases:
        if case.rules.key in answered:
            entry = rule_sets.setdefault(case.rules.key, RulesVerdict(case.rules, []))
            entry.verdicts.append(verdict_on(case, results.answers.get(case.id), skipped))
    return Statement(results.implementation, results.left_out, list(rule_sets.values()))


def verdict_on(case: Case, answer: Answer | None, skipped: set[str]) -> Verdict:
    """Compare an answer with its case. `skipped` names the expectations that are ignored."""
    if answer is None:
        return Verdict(case, ["no answer"], is_answered=False)
    if case.refused:
        return Verdict(case, refusal_failures(case, answer))
    if answer.refused:
        return Verdict(case, [f"the set-up is refused{f': {answer.error}' if answer.error else ''}"])
    failures = []
    expectations = [step for step in case.steps if isinstance(step, dict)]
    for number, (expectation, point) in enumerate(zip(expectations, answer.points, strict=False), 1):
        failures += [f"{number}: {text}" for text in point_failures(expectation, point, skipped)]
    if answer.error:
        failures.append(answer.error)
    elif len(answer.points) != len(expectations):
        failures.append(f"expected {len(expectations)} points, got {len(answer.points)}")
    return Verdict(case, failures)


def refusal_failures(case: Case, answer: Answer) -> list[str]:
    """Return the failures of an answer to a case with a set-up that must be refused."""
    if not answer.refused:
        return ["the set-up is accepted; it must be refused"]
    named = answer.refused_at
    if named and not any(at == case.refused or at.startswith(f"{case.refused}.") for at in named):
        return [f"the set-up is refused for another reason: {answer.error}"]
    return []


def point_failures(expectation: Expectation, point: Point, skipped: set[str]) -> list[str]:
    failures = []
    for key, wanted in expectation.items():
        if key in skipped:
            continue
        missing = [field for field in FIELDS[key] if field not in point and field != "also"]
        if missing:
            failures.append(f"{key}: no answer; the point needs {listed(missing)}")
        else:
            failures += [f"{key}: {text}" for text in COMPARISONS[key](wanted, point)]
    return failures


def texts_of(value: object) -> list[str]:
    """Return the items of a list as strings, or an empty list if `value` is not a list."""
    return [str(item) for item in value] if isinstance(value, list) else []


def table_at(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def compare_value(field: str) -> Callable[[object, Point], list[str]]:
    """Return a function that compares a field of a point with a single expected value."""

    def differences(wanted: object, point: Point) -> list[str]:
        return [] if agrees(wanted, point[field]) else [f"expected {show(wanted)}, got {show(point[field])}"]

    return differences


def compare_options(wanted: object, point: Point) -> list[str]:
    """Compare the options at a point with a complete list. The order does not matter."""
    expected, shown = texts_of(wanted), texts_of(point["options"])
    expected_texts = {comparable(text) for text in expected}
    got = {comparable(text) for text in shown}
    missing = [text for text in expected if comparable(text) not in got]
    extra = [text for text in shown if comparable(text) not in expected_texts]
    texts = [f"missing {listed(missing)}"] if missing else []
    return texts + ([f"not expected: {listed(extra)}"] if extra else [])


def compare_legal(is_legal: bool) -> Callable[[object, Point], list[str]]:
    """Return a function that checks that choices are legal (or illegal if `is_legal` is False)."""

    def differences(wanted: object, point: Point) -> list[str]:
        shown = {comparable(text) for text in texts_of(point["options"]) + texts_of(point.get("also"))}
        wrong = [text for text in texts_of(wanted) if (comparable(text) in shown) != is_legal]
        return [f"{listed(wrong)} must {'' if is_legal else 'not '}be legal"] if wrong else []

    return differences


def compare_count(wanted: object, point: Point) -> list[str]:
    """Return an error if the number of options at a point is not the expected number."""
    count = len(texts_of(point["options"]))
    return [] if count == wanted else [f"expected {wanted} options, got {count}"]


def missing_event(wanted: object, events: object) -> str:
    """Return the first expected event that does not occur after the expected events before it.

    Return "" if all expected events occur.
    """
    shown = iter(events if isinstance(events, list) else [])
    for pattern in wanted if isinstance(wanted, list) else []:
        if not any(fits(pattern, event) for event in shown):
            return show(pattern)
    return ""


def first_event(unwanted: object, events: object) -> str:
    """Return the first event that matches one of the patterns, or ""."""
    for event in events if isinstance(events, list) else []:
        if any(fits(pattern, event) for pattern in (unwanted if isinstance(unwanted, list) else [])):
            return show(event)
    return ""


def fits(pattern: object, event: object) -> bool:
    fields = pattern if isinstance(pattern, dict) else {"event": pattern}
    shown = table_at(event)
    return all(name in shown and agrees(value, shown[name]) for name, value in fields.items())


def compare_events(wanted: object, point: Point) -> list[str]:
    """Check that the expected events occur, in their order."""
    missing = missing_event(wanted, point["events"])
    return (
        [f"{missing} is missing, or comes in another order; {kinds_of(point['events'])}"] if missing else []
    )


def compare_no_events(wanted: object, point: Point) -> list[str]:
    """Check that no unwanted event occurs."""
    shown = first_event(wanted, point["events"])
    return [f"{shown} must not occur"] if shown else []


def compare_seen(wanted: object, point: Point) -> list[str]:
    """Check that the sides see the events that they must see."""
    texts = []
    for key, patterns in table_at(wanted).items():
        seen = table_at(point["seen"]).get(key)
        missing = missing_event(patterns, seen)
        if missing:
            texts.append(f"{key} does not see {missing} in this order; {kinds_of(seen)}")
    return texts


def compare_unseen(wanted: object, point: Point) -> list[str]:
    """Check that the sides do not see the events that are hidden from them."""
    texts = []
    for key, patterns in table_at(wanted).items():
        shown = first_event(patterns, table_at(point["seen"]).get(key))
        if shown:
            texts.append(f"{key} must not see {shown}")
    return texts


def compare_tables(field: str) -> Callable[[object, Point], list[str]]:
    """Return a function that compares nested tables, and ignores fields that are not expected."""

    def differences(wanted: object, point: Point) -> list[str]:
        return list(table_differences(table_at(wanted), table_at(point[field]), ""))

    return differences


def table_differences(wanted: Mapping[str, object], shown: Mapping[str, object], above: str) -> list[str]:
    """Return the differences between two tables, for the fields that `wanted` names."""
    texts = []
    for key, value in wanted.items():
        name = f"{above}{key}"
        if key not in shown:
            texts.append(f"{name} is missing")
        elif isinstance(value, dict):
            texts += table_differences(value, table_at(shown[key]), f"{name}.")
        elif not agrees(value, shown[key]):
            texts.append(f"{name}: expected {show(value)}, got {show(shown[key])}")
    return texts


def agrees(wanted: object, shown: object) -> bool:
    """Return True if a value equals the expected value. In cases, an empty text means null."""
    if isinstance(wanted, list) and isinstance(shown, list):
        return len(wanted) == len(shown) and all(map(agrees, wanted, shown))
    if isinstance(wanted, dict) and isinstance(shown, dict):
        return wanted.keys() == shown.keys() and all(agrees(wanted[key], shown[key]) for key in wanted)
    return wanted == shown or (wanted == "" and shown is None)


def show(value: object) -> str:
    """Return a value as JSON with at most 300 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return clean(text if len(text) <= 300 else f"{text[:297]}...")


def kinds_of(events: object) -> str:
    """Return the kinds of events, separated by commas, for an error message."""
    kinds = [str(table_at(event).get("event")) for event in (events if isinstance(events, Sequence) else [])]
    return f"events: {listed(kinds[-12:]) or 'none'}"


COMPARISONS: Mapping[str, Callable[[object, Point], list[str]]] = {
    "asks": compare_value("asks"),
    "question": compare_value("question"),
    "options": compare_options,
    "legal": compare_legal(True),
    "illegal": compare_legal(False),
    "count": compare_count,
    "events": compare_events,
    "no_events": compare_no_events,
    "seen": compare_seen,
    "unseen": compare_unseen,
    "views": compare_tables("views"),
    "scores": compare_tables("scores"),
    "winners": compare_value("winners"),
    "reason": compare_value("reason"),
    "losses": compare_tables("losses"),
    "next_house": compare_value("next_house"),
}
