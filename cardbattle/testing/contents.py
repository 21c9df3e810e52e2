"""What stands in the fields of a battle or a view."""

from __future__ import annotations

from cardbattle.core.battle import Battle
from cardbattle.core.ruleset import RuleSet


def raw_contents(thing: object) -> dict[str, object]:
    """Return the fields of a battle, a view or what they hold, compiled or not, without log and fate."""
    names = list(vars(thing)) if hasattr(thing, "__dict__") else []
    for kind in type(thing).__mro__:
        names += getattr(kind, "__mypyc_attrs__", ())
    unique = [name for name in dict.fromkeys(names) if not name.startswith("__")]
    return {name: getattr(thing, name) for name in unique if name not in ("log", "fate")}


def contents(thing: object) -> dict[str, object]:
    """Return the fields as they are now, safe from what happens later."""
    return {name: frozen(value) for name, value in raw_contents(thing).items()}


class Held:
    """An object in a field, equal to another with the same fields."""

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Held) or self.thing is other.thing:
            return isinstance(other, Held)
        return type(self.thing) is type(other.thing) and contents(self.thing) == contents(other.thing)

    def __repr__(self) -> str:
        return repr(contents(self.thing))


def frozen(value: object) -> object:
    """Return a value with its lists as tuples."""
    if isinstance(value, list):
        return tuple(frozen(inner) for inner in value)
    return value if value is None or isinstance(value, (int, str, tuple)) else Held(value)


def as_lists(value: object) -> object:
    """Return a value with its tuples as lists."""
    if isinstance(value, Held):
        return value.thing
    return [as_lists(inner) for inner in value] if isinstance(value, tuple) else value


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


def count_cards(rules: RuleSet, battle: Battle) -> list[int]:
    """Return all cards of a battle, ascending."""
    return sorted(rules.cards_in(battle))


def differ(before: list[int], now: list[int]) -> str:
    """Say which cards are missing and which are there too often."""
    gone = [card for card in set(before) if now.count(card) < before.count(card)]
    more = [card for card in set(now) if now.count(card) > before.count(card)]
    return f"cards missing: {sorted(gone)}, cards too many: {sorted(more)}"
