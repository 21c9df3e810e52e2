"""Read, compare and overwrite the fields of a battle or a view."""

from __future__ import annotations

from cardbattle.core.battle import Battle
from cardbattle.core.ruleset import RuleSet


def raw_contents(owner: object) -> dict[str, object]:
    """Return the fields of a battle, a view or a nested object, except `log` and `random_source`.

    The function accepts objects of interpreted and of compiled classes.
    """
    names = list(vars(owner)) if hasattr(owner, "__dict__") else []
    for kind in type(owner).__mro__:
        names += getattr(kind, "__mypyc_attrs__", ())
    unique = [name for name in dict.fromkeys(names) if not name.startswith("__")]
    return {name: getattr(owner, name) for name in unique if name not in ("log", "random_source")}


def contents(owner: object) -> dict[str, object]:
    """Return a snapshot of an object's fields. Later changes to the object do not affect the snapshot."""
    return {name: frozen(value) for name, value in raw_contents(owner).items()}


class Held:
    """An object in a snapshot. It is equal to any `Held` object of the same type with equal fields."""

    def __init__(self, value: object) -> None:
        self.thing = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Held) or self.thing is other.thing:
            return isinstance(other, Held)
        return type(self.thing) is type(other.thing) and contents(self.thing) == contents(other.thing)

    def __repr__(self) -> str:
        return repr(contents(self.thing))


def frozen(value: object) -> object:
    """Return a copy of a value in which lists are tuples and nested objects are `Held` objects."""
    if isinstance(value, list):
        return tuple(frozen(inner) for inner in value)
    return value if value is None or isinstance(value, (int, str, tuple)) else Held(value)


def as_lists(value: object) -> object:
    """Convert a value in a snapshot back to its original form. This reverses `frozen`."""
    if isinstance(value, Held):
        return value.thing
    return [as_lists(inner) for inner in value] if isinstance(value, tuple) else value


def spoil(value: object) -> None:
    """Empty a list and all lists in it.

    This shows whether another object shares one of these lists, because then it also changes.
    """
    if isinstance(value, list):
        for inner in value:
            spoil(inner)
        value.clear()


def unlike(before: dict[str, object], after: dict[str, object]) -> str:
    """Return a text that names the fields in which two snapshots differ, and the values of these fields."""
    names = [name for name in {**before, **after} if before.get(name, "") != after.get(name, "")]
    return ", ".join(f"{name} ({before.get(name)} -> {after.get(name)})" for name in names)


def count_cards(rules: RuleSet, battle: Battle) -> list[int]:
    """Return all cards of a battle, in ascending order."""
    return sorted(rules.cards_in(battle))


def differ(before: list[int], after: list[int]) -> str:
    """Return a text that lists the cards that `after` lacks, and the cards that only `after` has."""
    missing = [card for card in set(before) if after.count(card) < before.count(card)]
    surplus = [card for card in set(after) if after.count(card) > before.count(card)]
    return f"cards missing: {sorted(missing)}, cards too many: {sorted(surplus)}"
