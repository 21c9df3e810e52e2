"""The rule sets: five built in, and whatever plug-in packages bring.

A plug-in names its rule set in the entry points of the group `cardbattle.rules`; see
docs/adding-a-rule-set.md.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import key_mistake, nearest, quoted
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.stepping import begin

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

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


class PlugInWarning(UserWarning):
    """A plug-in package whose rule set cannot be used."""


class NotInstalled(InvalidInput):
    """The rule set of a plug-in that is not installed, or cannot be loaded, is needed."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"rule set {quoted(key)} {NOT_INSTALLED}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the error as its argument."""
        return NotInstalled, (self.key,)


NOT_INSTALLED = "is not installed; it came from a plug-in: install that package again"


def find(name: str) -> RuleSet:
    """Return the rule set with this key or alias; UsageError names the nearest."""
    key = ALIASES.get(name, name)
    if key in RULE_SETS:
        built_in: RuleSet = import_module(RULE_SETS[key]).RULES
        return built_in
    brought = plug_ins()
    if key not in brought:
        known = [*RULE_SETS, *brought]
        missing = ", or install the plug-in that brings it" if is_not_installed(name) else ""
        hint = nearest(name, [*known, *ALIASES]) or f"; choose one of {', '.join(known)}{missing}"
        raise UsageError(f"rule set {quoted(name)} is not known{hint}")
    return brought[key]


def is_not_installed(key: str) -> bool:
    """Say whether a key can be that of a plug-in's rule set that is not installed: no known key is like it.

    >>> is_not_installed("chess-war"), is_not_installed("wargmae"), is_not_installed("wargame")
    (True, False, False)
    """
    known = [*RULE_SETS, *ALIASES, *plug_ins()]
    return key not in known and not key_mistake(key) and not nearest(key, known)


def require_installed(key: str) -> RuleSet:
    """Return the rule set with a key that a file had; NotInstalled if its plug-in is missing."""
    if is_not_installed(key):
        raise NotInstalled(key)
    return find(key)


def every() -> list[RuleSet]:
    """Return all rule sets, the built-in ones first."""
    return [*map(find, RULE_SETS), *plug_ins().values()]


@cache
def plug_ins() -> dict[str, RuleSet]:
    """Return the rule sets that plug-in packages bring; a broken one is warned of by its name."""
    from importlib.metadata import entry_points

    found: dict[str, RuleSet] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        rules = load_plug_in(entry)
        if rules is not None:
            found[rules.key] = rules
    return found


def load_plug_in(entry: EntryPoint) -> RuleSet | None:
    """Return a plug-in's rule set, or None with a warning if it cannot be used, whatever it raises."""
    try:
        rules = entry.load()
        if not isinstance(rules, RuleSet):
            raise TypeError(f"{entry.value} is no RuleSet")
        if rules.key != entry.name or rules.key in RULE_SETS or rules.key in ALIASES:
            raise ValueError(f"the key {quoted(rules.key)} is taken, or not the entry point's name")
    except Exception as error:  # whatever a stranger's package does, the program goes on without it
        said = f"{type(error).__name__}: {error}"
        warnings.warn(
            f"the rule set plug-in {entry.name} cannot be used: {said}", PlugInWarning, stacklevel=2
        )
        return None
    return rules
