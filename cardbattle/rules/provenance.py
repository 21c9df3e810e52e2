"""Find the source of each numbered rule: the published rules, a ruling of this project, or an addition.

Marks in a page of rules show the source. `*Settled here:*` begins a ruling, which extends to the end of the
rule. `*Settled here*,` in the middle of a rule means that the whole rule is a ruling. `*Another reading:*`
begins what a house rule chooses instead. A rule that begins with `*Added here:*` is an addition. All other
sentences restate the published rules.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardbattle.core.ruleset import RuleSet

NUMBERED = re.compile(r"^- \*\*([A-Z]+-\w+)\*\* (.*(?:\n  .*)*)", re.MULTILINE)
SETTLED = re.compile(r"\*Settled here(:\*|\*)")
READING = re.compile(r"\*Another reading:\* with the house rule `([^`]+)`")
ADDED = "*Added here:*"
AUTHOR, RULING, ADDITION = "author", "ruling", "addition"
PARTLY = "author and ruling"
KINDS = {
    AUTHOR: "Published rules",
    PARTLY: "Published rules, completed by a ruling",
    RULING: "Rulings",
    ADDITION: "Additions",
}


class NumberedRule(NamedTuple):
    """A numbered rule on a page of rules.

    Attributes:
        number: the number, such as "FH-14".
        text: the text of the rule in Markdown, on one line.
        source: AUTHOR, RULING or ADDITION.
        ruling: the part of the text that is a ruling, or "".
        readings: the house rules that choose another reading, as in a battle file, such as 'answers = "one"'.

    """

    number: str
    text: str
    source: str
    ruling: str
    readings: list[str]

    @property
    def kind(self) -> str:
        """The source of the rule, or PARTLY if a ruling completes a published rule."""
        return PARTLY if self.source == AUTHOR and self.ruling else self.source


def numbered_rules(rules: RuleSet) -> list[NumberedRule]:
    """Return the numbered rules of a rule set, in the order of its page of rules."""
    return read_rules(rules.rules_text())


@lru_cache(maxsize=16)
def read_rules(page: str) -> list[NumberedRule]:
    return [read_rule(number, " ".join(text.split())) for number, text in NUMBERED.findall(page)]


def read_rule(number: str, text: str) -> NumberedRule:
    """Return a rule with its source, according to the marks in its text.

    >>> read_rule("FH-1", "Two sides fight. *Settled here:* N is asked first.")[2:4]
    ('author', 'N is asked first.')
    """
    readings = READING.findall(text)
    if text.startswith(ADDED):
        return NumberedRule(number, text, ADDITION, "", readings)
    mark = SETTLED.search(text)
    if mark is None:
        return NumberedRule(number, text, AUTHOR, "", readings)
    if mark.start() == 0 or not mark[1].startswith(":"):
        return NumberedRule(number, text, RULING, text, readings)
    return NumberedRule(number, text, AUTHOR, text[mark.end() :].strip(), readings)


def by_kind(rules: RuleSet, cited: Iterable[str] | None = None) -> dict[str, list[str]]:
    """Return the numbers of a rule set's rules, grouped by the kinds in KINDS.

    If `cited` is not None, the result has only the numbers in `cited`.
    """
    numbers = None if cited is None else set(cited)
    kinds: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for rule in numbered_rules(rules):
        if numbers is None or rule.number in numbers:
            kinds[rule.kind].append(rule.number)
    return {kind: kept for kind, kept in kinds.items() if kept}
