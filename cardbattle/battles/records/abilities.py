"""What a value can do for a person only with rooms above it: the front door, which has them, lends it.

A record can tell itself and odds can draw themselves, yet neither knows a screen.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

FRONT_DOOR = "cardbattle.library"
LENT: dict[str, Callable[..., str]] = {}


def lend(name: str, ability: Callable[..., str]) -> None:
    """Lend an ability under a name."""
    LENT[name] = ability


def lent(name: str, *given: object) -> str:
    """Return what a lent ability makes of a value.

    A process that has only unpickled the value has not loaded the front door yet.
    """
    if name not in LENT:
        import_module(FRONT_DOOR)
    return LENT[name](*given)
