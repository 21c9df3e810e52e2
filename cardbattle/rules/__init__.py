"""The rule sets: five built in, and whatever a plug-in package brings."""

from __future__ import annotations

from importlib import import_module

from cardbattle.core.errors import UsageError
from cardbattle.core.names import nearest, quoted
from cardbattle.core.ruleset import RuleSet

RULE_SETS = {
    "wargame": "cardbattle.rules.wargame",
    "field-of-honour": "cardbattle.rules.field_of_honour",
    "warmonger": "cardbattle.rules.warmonger",
    "strategy-war": "cardbattle.rules.strategy_war",
    "warfare-tactics": "cardbattle.rules.warfare_tactics",
}
ALIASES = {"brainwar": "strategy-war"}


def find(name: str) -> RuleSet:
    """Return the rule set with this key or alias; UsageError names the nearest."""
    key = ALIASES.get(name, name)
    if key not in RULE_SETS:
        hint = nearest(name, [*RULE_SETS, *ALIASES]) or f"; choose one of {', '.join(RULE_SETS)}"
        raise UsageError(f"rule set {quoted(name)} is not known{hint}")
    rules: RuleSet = import_module(RULE_SETS[key]).RULES
    return rules
