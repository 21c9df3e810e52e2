"""Pages about the installation: the user's settings, and the report of `doctor`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardbattle.core.names import clean
from cardbattle.show.document import Document, Paragraph, Section, Table, Title


class SettingRow(NamedTuple):
    """The value of a setting. `origin` is "default", "file", or the name of an environment variable."""

    key: str
    value: str
    origin: str


class CheckRow(NamedTuple):
    """A check of the installation. `problem` is empty if the check passed."""

    name: str
    problem: str


def settings_page(rows: Sequence[SettingRow], path: str) -> Document:
    """Show all settings, and the path of the configuration file."""
    table = Table(
        ["setting", "value", "from"],
        [[row.key, clean(row.value), row.origin] for row in rows],
        facts=[f"{row.key} = {clean(row.value)} ({row.origin})" for row in rows],
    )
    data = {
        "schema": 1,
        "file": path,
        "settings": [{"key": row.key, "value": row.value, "from": row.origin} for row in rows],
    }
    return Document("Settings", [Title("Settings"), table, Paragraph(f"file: {clean(path)}")], data)


def doctor_page(facts: Mapping[str, Mapping[str, str]], checks: Sequence[CheckRow]) -> Document:
    """Show groups of facts about the installation, and the result of each check."""
    blocks: list[Title | Section | Table | Paragraph] = [Title("cardbattle doctor")]
    for heading, group in facts.items():
        lines = [f"{name}: {value}" for name, value in group.items()]
        rows = [[name, value] for name, value in group.items()]
        blocks += [Section(heading), Table(["", ""], rows, facts=lines)]
    marks = ["FAIL" if check.problem else "pass" for check in checks]
    words = [f"{check.name}{f': {check.problem}' if check.problem else ''}" for check in checks]
    lines = [f"{mark} {text}" for mark, text in zip(marks, words, strict=True)]
    results = [list(row) for row in zip(marks, words, strict=True)]
    blocks += [Section("Checks"), Table(["", ""], results, facts=lines)]
    data = {
        "schema": 1,
        "facts": {heading: dict(group) for heading, group in facts.items()},
        "checks": [{"name": check.name, "problem": check.problem} for check in checks],
    }
    return Document("Doctor", blocks, data)
