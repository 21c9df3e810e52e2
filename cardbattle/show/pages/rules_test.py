"""The report of the command `test-rules`, which checks laws: properties that every battle must have."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardbattle.core.names import clean, listed
from cardbattle.show.document import FAINT, Document, Item, Items, Listing, Paragraph, Section, Title
from cardbattle.version import __version__

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.show.document import Content
    from cardbattle.testing.kit.run import Failure, KitReport, LawResult


def rules_test_page(rules: RuleSet, report: KitReport, with_traces: bool = False) -> Document:
    """Show the broken laws with their failures, the skipped laws, options that had no effect, and totals.

    If `with_traces` is true, show the Python traceback of each failure.
    """
    counts = Counter(result.state for result in report.results)
    blocks: list[Content] = [Title(f"{rules.name}: the laws of rule sets, cardbattle {__version__}")]
    for result in report.failed:
        blocks += law_failure(result, with_traces)
    skipped = [result for result in report.results if result.state == "skipped"]
    if skipped:
        blocks += [Section("Skipped"), Items([Item("", f"{law.name}: {law.reason}") for law in skipped])]
    if report.without_effect:
        blocks.append(Section("Options without effect"))
        blocks.append(
            Paragraph(f"In 200 battles, these options changed nothing: {listed(report.without_effect)}.")
        )
    blocks.append(Section("Result"))
    blocks.append(Paragraph(summary(report, counts)))
    if report.failed:
        again = f"cardbattle test-rules {rules.key} --law {report.failed[0].name} --verbose"
        blocks.append(Paragraph("Fix the first law first; later failures often have the same cause.", FAINT))
        blocks.append(Paragraph(f"To see one law with its traceback: {again}", FAINT))
    return Document(f"{rules.name}: laws", blocks, data_of(report, counts))


def summary(report: KitReport, counts: Counter[str]) -> str:
    """Return a sentence that says how many laws were kept, broken and skipped."""
    laws = len(report.results)
    parts = [f"{counts['passed']} of {laws} laws kept"]
    parts += [
        f"{counts[state]} {word}"
        for state, word in (("failed", "broken"), ("skipped", "skipped"))
        if counts[state]
    ]
    return f"{', '.join(parts)}; up to {report.battles} battles each."


def law_failure(result: LawResult, with_traces: bool) -> list[Content]:
    """Return a section about a broken law.

    It says what the law checks, and shows one failure of each kind.
    """
    blocks: list[Content] = [Section(result.name), Paragraph(f"The law: {result.words}.")]
    if result.tried > 1:
        blocks.append(Paragraph(f"Broken in {result.failed} of {result.tried} battles."))
    for failure in result.failures:
        blocks.append(Items([Item(clean(failure.reason), "", notes_of(failure))]))
        if with_traces:
            blocks.append(Listing(failure.trace.splitlines(), "text"))
    return blocks


def notes_of(failure: Failure) -> list[str]:
    """Return lines that say where a failure happened, and in which battle."""
    place = [f"at {failure.place}"] if failure.place else []
    return [*place, *([failure.battle] if failure.battle else [])]


def data_of(report: KitReport, counts: Counter[str]) -> dict[str, object]:
    return {
        "schema": 1,
        "rules": report.rules,
        "battles": report.battles,
        "passed": counts["passed"],
        "failed": counts["failed"],
        "skipped": counts["skipped"],
        "laws": [
            {
                "name": result.name,
                "words": result.words,
                "result": result.state,
                "tried": result.tried,
                "broken": result.failed,
                "reason": result.reason,
                "failures": [
                    {"reason": failure.reason, "place": failure.place, "battle": failure.battle}
                    for failure in result.failures
                ],
            }
            for result in report.results
        ],
        "without_effect": None if report.without_effect is None else list(report.without_effect),
    }
