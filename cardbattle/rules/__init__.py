"""The five built-in rule sets, and the rule sets of plug-ins.

A plug-in declares its rule set as an entry point of the group `cardbattle.rules` (see docs/extending.md).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import key_error, nearest, quoted, write_one_of
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.stepping import begin
from cardbattle.rules.plug_in_loader import PlugInWarning as PlugInWarning
from cardbattle.rules.plug_in_loader import load_all

RuleSet.stepped = begin

RULE_SETS = {
    "wargame": "cardbattle.rules.wargame",
    "field-of-honour": "cardbattle.rules.field_of_honour",
    "warmonger": "cardbattle.rules.warmonger",
    "strategy-war": "cardbattle.rules.strategy_war",
    "warfare-tactics": "cardbattle.rules.warfare_tactics",
}
ALIASES = {"brainwar": "strategy-war"}
GROUP = "cardbattle.rules"


class NotInstalled(InvalidInput):
    """A file needs the rule set of a plug-in that is not installed or cannot be loaded."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"rule set {quoted(key)} {NOT_INSTALLED}")

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor argument, from which `pickle` rebuilds the error."""
        return NotInstalled, (self.key,)


NOT_INSTALLED = "is not installed; it came from a plug-in: install that package again"


def find(name: str) -> RuleSet:
    """Return the rule set with this key or alias.

    Raises UsageError, which suggests the most similar key, for any other name.
    """
    key = ALIASES.get(name, name)
    if key in RULE_SETS:
        built_in: RuleSet = import_module(RULE_SETS[key]).RULES
        return built_in
    brought = plug_ins()
    if key not in brought:
        every_key = [*RULE_SETS, *brought]
        missing = ", or install the plug-in that brings it" if is_not_installed(name) else ""
        hint = nearest(name, [*every_key, *ALIASES]) or f"{write_one_of(every_key)}{missing}"
        raise UsageError(f"unknown rule set {quoted(name)}{hint}")
    return brought[key]


def is_not_installed(key: str) -> bool:
    """Return True if an unknown key probably belongs to the rule set of a plug-in.

    If the key is similar to a known key, it is probably a misspelling, and the result is False.

    >>> is_not_installed("chess-war"), is_not_installed("wargmae"), is_not_installed("wargame")
    (True, False, False)
    """
    every_key = [*RULE_SETS, *ALIASES, *plug_ins()]
    return key not in every_key and not key_error(key) and not nearest(key, every_key)


def require_installed(key: str) -> RuleSet:
    """Return the rule set with the key that a file names. Raises NotInstalled if its plug-in is missing."""
    if is_not_installed(key):
        raise NotInstalled(key)
    return find(key)


def every() -> list[RuleSet]:
    """Return all rule sets. The built-in ones are first."""
    return [*map(find, RULE_SETS), *plug_ins().values()]


@cache
def plug_ins() -> dict[str, RuleSet]:
    """Return the rule sets that plug-ins add, by key. A broken plug-in only causes a warning."""
    return load_all(GROUP, RuleSet, {*RULE_SETS, *ALIASES})
