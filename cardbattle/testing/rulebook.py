"""Laws about the names, the options and the numbered rules of a rule set."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from cardbattle.core.battle import STEP
from cardbattle.core.names import key_error
from cardbattle.core.ruleset import RuleSet
from cardbattle.testing.setting_up import other_values


def the_words_are_there(rules: RuleSet) -> None:
    """Check the key, name, sides, reasons, facts and options of a rule set."""
    assert key_error(rules.key) == "", key_error(rules.key)
    assert not rules.alias or key_error(rules.alias) == "", key_error(rules.alias)
    assert rules.name and rules.credit and rules.version >= 1
    assert re.fullmatch("[A-Z]{2,4}", rules.code), rules.code
    assert 2 <= rules.fewest <= len(rules.default_sides) <= rules.most <= STEP
    assert not any(key_error(key) for key in rules.default_sides)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", reason) for reason in rules.reasons), rules.reasons
    assert all(rules.reasons.values()), "an outcome reason has no text"
    kinds = {"", "card", "cards", "piles", "side", "sides"}
    assert set(rules.facts.values()) <= kinds, f"the kinds of facts are {sorted(kinds)}"
    for table in (rules.house, rules.options):
        assert all(re.fullmatch("[a-z]+(_[a-z]+)*", key) for key in table), "option names must be snake_case"
        assert all(option.help and option.expects() for option in table.values())


def options_read_what_they_write(rules: RuleSet) -> None:
    """Check that the values of options are the same after they are written to a file and read again."""
    seats = list(rules.default_sides)
    for option in [*rules.house.values(), *rules.options.values()]:
        for value in [option.default, *other_values(option, seats)]:
            if value is not None:
                assert option.read(option.write(value), seats) == value


def rules_are_numbered(rules: RuleSet) -> None:
    """Check that rules.md numbers its rules from 1 without gaps, and has all rules that the code cites."""
    defined = [
        int(number) for number in re.findall(rf"^- \*\*{rules.code}-(\d+)\*\*", rules.rules_text(), re.M)
    ]
    assert defined, f"rules.md has no line that begins with - **{rules.code}-1**"
    twice = sorted({number for number in defined if defined.count(number) > 1})
    assert not twice, f"numbers defined twice in rules.md: {twice}"
    missing = sorted(set(range(1, max(defined) + 1)) - set(defined))
    assert not missing, f"numbers missing in rules.md: {missing}"
    assert rules.name in rules.rules_text().partition("\n")[0]
    for name, number in citations(rules):
        assert number in numbers(rules), f"{name} cites {number}, which rules.md does not have"


def citations(rules: RuleSet) -> list[tuple[str, str]]:
    """Return a pair (file name, rule number) for each rule number in the code of a rule set."""
    files = [file for file in resources.files(rules.package).iterdir() if file.name.endswith(".py")]
    pattern = rf"\b{rules.code}-D?\d+"
    return [(file.name, number) for file in files for number in re.findall(pattern, file.read_text("utf-8"))]


@cache
def numbers(rules: RuleSet) -> frozenset[str]:
    """Return the numbers of all rules in rules.md."""
    return frozenset(re.findall(rf"\b{rules.code}-D?\d+", rules.rules_text()))
