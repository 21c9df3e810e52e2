"""What a value can do for a person only with rooms above it: the front door, which has them, lends it.

A record can tell itself and odds can draw themselves, yet neither knows a screen.
"""

from __future__ import annotations

from collections.abc import Callable

LENT: dict[str, Callable[..., str]] = {}


def lend(name: str, ability: Callable[..., str]) -> None:
    """Lend an ability under a name."""
    LENT[name] = ability


def lent(name: str, *given: object) -> str:
    """Return what a lent ability makes of a value; RuntimeError if nobody has lent it."""
    if name not in LENT:
        raise RuntimeError(f"{name} needs the front door: import cardbattle.library")
    return LENT[name](*given)
