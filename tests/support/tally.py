"""Count what the tests have tried. The end of a run prints the figures of research/reliability.md."""

from __future__ import annotations

TRIED: dict[str, int] = {}


def tried(what: str, number: int = 1) -> None:
    """Count things that were tried."""
    TRIED[what] = TRIED.get(what, 0) + number
