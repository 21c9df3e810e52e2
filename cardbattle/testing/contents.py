"""What stands in the fields of a battle or a view."""

from __future__ import annotations

from cardbattle.core.battle import Battle, View
from cardbattle.core.ruleset import RuleSet


def raw_contents(thing: Battle | View) -> dict[str, object]:
    """Return the fields of a battle or a view, interpreted or compiled, without log and fate."""
    names = list(vars(thing)) if hasattr(thing, "__dict__") else []
    for kind in type(thing).__mro__:
        names += getattr(kind, "__mypyc_attrs__", ())
    unique = [name for name in dict.fromkeys(names) if not name.startswith("__")]
    return {name: getattr(thing, name) for name in unique if name not in ("log", "fate")}


def contents(thing: Battle | View) -> dict[str, object]:
    """Return the fields as they are now, safe from what happens later."""
    return {name: frozen(value) for name, value in raw_contents(thing).items()}


def frozen(value: object) -> object:
    """Return a value with its lists as tuples."""
    return tuple(frozen(inner) for inner in value) if isinstance(value, list) else value


def thawed(value: object) -> object:
    """Return a value with its tuples as lists."""
    return [thawed(inner) for inner in value] if isinstance(value, tuple) else value


def spoil(value: object) -> None:
    """Empty a list and the lists in it."""
    if isinstance(value, list):
        for inner in value:
            spoil(inner)
        value.clear()


def unlike(before: dict[str, object], now: dict[str, object]) -> str:
    """Name the fields in which two contents differ."""
    names = [name for name in {**before, **now} if before.get(name, "") != now.get(name, "")]
    return ", ".join(f"{name} ({before.get(name)} -> {now.get(name)})" for name in names)


def counted(rules: RuleSet, battle: Battle) -> list[int]:
    """Return all cards of a battle, ascending."""
    return sorted(rules.cards_in(battle))


def differ(before: list[int], now: list[int]) -> str:
    """Say which cards are missing and which are there too often."""
    gone = [card for card in set(before) if now.count(card) < before.count(card)]
    more = [card for card in set(now) if now.count(card) > before.count(card)]
    return f"cards missing: {sorted(gone)}, cards too many: {sorted(more)}"
