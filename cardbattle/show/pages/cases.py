"""Pages about the conformance suite: lists of cases, one case in full, and compliance statements."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from cardbattle.conformance.case_file import SOURCES, Position, numbered_rules
from cardbattle.conformance.play_case import case_table
from cardbattle.core.names import listed
from cardbattle.core.telling import counted
from cardbattle.show.document import Document, Item, Items, Listing, Numbers, Paragraph, Section, Table, Title
from cardbattle.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.conformance.case_file import Case, Issue, Suite
    from cardbattle.conformance.perft import Count
    from cardbattle.conformance.statement import RulesVerdict, Statement
    from cardbattle.show.document import Cell, Content

SUITE = 1  # version of the suite in JSON output


def cases_page(suite: Suite) -> Document:
    """List the cases and the issues (open questions about the rules) of a suite."""
    counts = Counter(case.rules.name for case in suite.cases)
    rows: list[list[Cell]] = [[case.id, ", ".join(case.numbers), case.title] for case in suite.cases]
    facts = [f"{case.id} ({', '.join(case.numbers)}): {case.title}" for case in suite.cases]
    blocks: list[Content] = [
        Title("Conformance suite"),
        Paragraph(f"{count_text(counts)}; {len(suite.issues)} issues."),
        Table(["case", "rules", "title"], rows, facts=facts),
    ]
    if suite.issues:
        issues = [Item(issue.id, f"{issue.question} ({', '.join(issue.numbers)})") for issue in suite.issues]
        facts = [f"{issue.id}: {issue.question}" for issue in suite.issues]
        blocks += [Section("Issues"), Items(issues, "keyed", facts)]
    data = {
        "schema": 1,
        "suite": SUITE,
        "cases": [
            {
                "id": case.id,
                "rules": case.rules.key,
                "title": case.title,
                "numbers": case.numbers,
                "source": case.source,
                "issues": case.issues,
            }
            for case in suite.cases
        ],
        "issues": [issue.id for issue in suite.issues],
    }
    columns = ["id", "rules", "numbers", "source", "title"]
    sheet = [
        {
            "id": case.id,
            "rules": case.rules.key,
            "numbers": " ".join(case.numbers),
            "source": case.source,
            "title": case.title,
        }
        for case in suite.cases
    ]
    return Document("Conformance suite", blocks, data, Numbers(columns, sheet))


def count_text(counts: Counter[str]) -> str:
    """Return the number of cases of each rule set as text."""
    return ", ".join(f"{counted(count, 'case')} of {name}" for name, count in counts.items()) or "no cases"


def case_page(suite: Suite, decided: Mapping[str, Sequence[str]]) -> Document:
    """Show cases in full, and for each issue the cases that decide it. JSON has all details."""
    blocks: list[Content] = [Title("Conformance suite")] if len(suite.cases) > 1 else []
    for case in suite.cases:
        blocks += case_blocks(case)
    for issue in suite.issues:
        blocks += issue_blocks(issue, decided[issue.id])
    if isinstance(blocks[0], Section):
        blocks[0] = Title(blocks[0].words)
    data = {
        "schema": 1,
        "suite": SUITE,
        "program": f"cardbattle {__version__}",
        "issues": [issue_table(issue) for issue in suite.issues],
        "cases": [case_table(case) for case in suite.cases],
        "positions": [position_table(position) for position in suite.positions],
    }
    return Document("Conformance suite", blocks, data)


def case_blocks(case: Case) -> list[Content]:
    """Return blocks that describe a case to people: its set-up, its moves, and the expected results."""
    lines = [
        f"{key}: {compact(value)}"
        for key, value in case.table.items()
        if key not in ("rules", "sides") and value
    ]
    sides = case.table["sides"]
    assert isinstance(sides, dict)
    lines += [
        f"{key}: {compact(options) if options else 'default options'}" for key, options in sides.items()
    ]
    if case.refused:
        lines.append(f"refused: {case.refused}")
    for step in case.steps:
        if isinstance(step, str):
            lines.append(f"  {step}")
        else:
            lines += [f"expect {key}: {compact(value)}" for key, value in step.items()]
    issues = f" Decides {listed(case.issues)}." if case.issues else ""
    about = f"{case.rules.name}, {', '.join(case.numbers)}. Source: {SOURCES[case.source]}.{issues}"
    return [Section(f"{case.id}: {case.title}"), Paragraph(about), Listing(lines, "")]


def compact(value: object) -> str:
    """Return a value as JSON on one line. Text is returned without quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def issue_blocks(issue: Issue, cases: Sequence[str]) -> list[Content]:
    """Return blocks that describe an issue to people.

    They contain the question, the possible readings, why this program chose one of the readings, and the
    cases that decide the issue.
    """
    readings = [
        Item(str(number), f"{reading}{' (chosen)' if number == issue.ours else ''}")
        for number, reading in enumerate(issue.readings, 1)
    ]
    facts = [f"{item.about}. {item.words}" for item in readings]
    return [
        Section(f"{issue.id}: {issue.question}"),
        Paragraph(f"{issue.rules.name}, {', '.join(issue.numbers)}."),
        Items(readings, "numbered", facts),
        Paragraph(issue.why),
        Paragraph(f"Cases: {', '.join(cases)}."),
    ]


def issue_table(issue: Issue) -> dict[str, object]:
    return {
        "id": issue.id,
        "rules": issue.rules.key,
        "numbers": issue.numbers,
        "question": issue.question,
        "readings": issue.readings,
        "ours": issue.ours,
        "why": issue.why,
    }


def statement_page(statement: Statement) -> Document:
    """Show a compliance statement: the result of each rule set, and each failed case with the reasons."""
    heading = f"{statement.implementation}: conformance suite {SUITE}, checked by cardbattle {__version__}"
    rows: list[list[Cell]] = []
    facts = []
    for each in statement.rule_sets:
        cases = f"{each.passed} of {len(each.verdicts)}"
        covered = f"{len(each.covered)} of {len(numbered_rules(each.rules))}"
        rows.append([each.rules.name, cases, percent(each), covered])
        facts.append(f"{each.rules.name}: {cases} cases passed ({percent(each)}), {covered} rules covered")
    table = Table(["rule set", "cases passed", "", "rules covered"], rows, right=[1, 2, 3], facts=facts)
    blocks: list[Content] = [Title(heading), table]
    if statement.left_out:
        blocks.append(Paragraph(f"Not compared: {listed(statement.left_out)}."))
    failed = [verdict for verdict in statement.verdicts if not verdict.has_passed]
    if failed:
        items = [Item(verdict.case.id, verdict.case.title, verdict.failures) for verdict in failed]
        facts = [f"{verdict.case.id}: {text}" for verdict in failed for text in verdict.failures]
        blocks += [Section("Failed cases"), Items(items, "keyed", facts)]
    return Document(heading, blocks, statement_table(statement))


def percent(verdict: RulesVerdict) -> str:
    """Return the percentage of passed cases. The percentage is 100 only if all cases passed."""
    return f"{100 * verdict.passed // len(verdict.verdicts)} %"


def statement_table(statement: Statement) -> dict[str, object]:
    return {
        "schema": 1,
        "suite": SUITE,
        "program": f"cardbattle {__version__}",
        "implementation": statement.implementation,
        "leaves_out": statement.left_out,
        "passed": sum(verdict.has_passed for verdict in statement.verdicts),
        "cases": len(statement.verdicts),
        "rules": [rules_table(each) for each in statement.rule_sets],
        "failed": [
            {"id": verdict.case.id, "rules": verdict.case.rules.key, "failures": verdict.failures}
            for verdict in statement.verdicts
            if not verdict.has_passed
        ],
    }


def rules_table(each: RulesVerdict) -> dict[str, object]:
    numbers: Sequence[str] = numbered_rules(each.rules)
    return {
        "rules": each.rules.key,
        "passed": each.passed,
        "cases": len(each.verdicts),
        "covered": each.covered,
        "not_covered": [number for number in numbers if number not in each.covered],
    }


def position_table(position: Position) -> dict[str, object]:
    """Return a counted position for JSON: its set-up, the moves leading to it, and the published numbers."""
    table = case_table(position.case)
    shown_keys = ("id", "title", "rules", "rules_version", "seats", "house", "sides", "deal", "steps")
    return {**{key: table[key] for key in shown_keys}, "lines": position.lines, "ended": position.ended}


def perft_page(counts: Sequence[Count]) -> Document:
    """Show how many continuations positions have, and whether the numbers match the published ones."""
    blocks: list[Content] = [Title("Continuations of small positions")] if len(counts) != 1 else []
    for count in counts:
        case = count.position.case
        seats = list(table_of_sides(case))
        rows: list[list[Cell]] = [
            [str(number), f"{depth.lines:,}", f"{depth.ended:,}", *(f"{wins:,}" for wins in depth.wins)]
            for number, depth in enumerate(count.depths, 1)
        ]
        facts = [
            f"{case.id}, {number}: {depth.lines} lines, {depth.ended} ended"
            for number, depth in enumerate(count.depths, 1)
        ]
        head = ["decisions", "lines", "ended", *(f"{key} wins" for key in seats)]
        blocks += [
            Section(f"{case.id}: {case.title}"),
            Table(head, rows, right=list(range(len(head))), facts=facts),
        ]
        if not count.agrees:
            published = ", ".join(f"{number:,}" for number in count.position.lines)
            blocks.append(Paragraph(f"The published numbers of lines are different: {published}."))
    data = {
        "schema": 1,
        "suite": SUITE,
        "positions": [
            {
                "id": count.position.case.id,
                "rules": count.position.case.rules.key,
                "agrees": count.agrees,
                "depths": [
                    {
                        "lines": depth.lines,
                        "ended": depth.ended,
                        "wins": dict(zip(table_of_sides(count.position.case), depth.wins, strict=True)),
                    }
                    for depth in count.depths
                ],
            }
            for count in counts
        ],
    }
    return Document("Continuations of small positions", blocks, data)


def table_of_sides(case: Case) -> dict[str, object]:
    """Return the options of each side of a case. The sides are in the order of their seats."""
    sides = case.table["sides"]
    assert isinstance(sides, dict)
    return sides
