"""How strong the commanders are, as measured: shares of points in duels, draws as halves.

Each deal was fought from both seats; `python -m tests.benchmarks.tournament` measures them, and
docs/commanders.md has them with their intervals. None where too few battles were fought to say.
"""

from __future__ import annotations

PAIRINGS = ("regular from green", "veteran from regular", "elite from veteran")
MEASURED: dict[str, tuple[int | None, int | None, int | None]] = {  # in per cent
    "wargame": (100, 100, 68),
    "field-of-honour": (86, 62, 50),
    "warmonger": (100, None, 54),
    "strategy-war": (61, 82, 54),
    "warfare-tactics": (100, 90, 60),
}
EXPLAINED = "Share of the points, in per cent, that each takes from the one below in duels:"
