"""The report of the command `engine check`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.engines.checks import NEVER_READY
from cardbattle.engines.protocol import VERSION
from cardbattle.show.document import Document, Paragraph, Table, Title
from cardbattle.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.engines.checks import CheckResult
    from cardbattle.show.document import Cell

MARKS = {"passed": "pass", "failed": "FAIL", "skipped": "skip"}


def engine_check_page(name: str, results: Sequence[CheckResult]) -> Document:
    """Show the result of each check, and the number of checks with each result.

    If the engine does not answer `hello`, the page has only the check that failed.
    """
    counts = Counter(result.state for result in results)
    heading = f"{clean(name)}: engine protocol {VERSION}, checked by cardbattle {__version__}"
    rows: list[list[Cell]] = []
    facts = []
    for result in results:
        if result.reason == NEVER_READY:
            continue
        words = f"{result.check.words}{f': {clean(result.reason)}' if result.reason else ''}"
        rows.append([MARKS[result.state], result.check.name, words])
        facts.append(f"{MARKS[result.state]} {result.check.name}: {words}")
    summary = f"{counts['passed']} of {len(results)} checks passed"
    if counts["skipped"]:
        summary += f", {counts['skipped']} skipped"
    if counts["failed"]:
        summary += f", {counts['failed']} failed"
    if len(rows) < len(results):
        summary += f". The others are skipped: {NEVER_READY}"
    data = {
        "schema": 1,
        "engine": name,
        "protocol": VERSION,
        **{state: counts[state] for state in MARKS},
        "checks": [
            {
                "name": result.check.name,
                "words": result.check.words,
                "result": result.state,
                "reason": result.reason,
            }
            for result in results
        ],
    }
    table = Table(["", "check", "a compliant engine"], rows, facts=facts)
    return Document(heading, [Title(heading), table, Paragraph(f"{summary}.")], data)
