"""The names of the phases of a turn in order, with a description of each phase."""

from __future__ import annotations

BATTLES, AFTERMATH, REPORT = "battles", "aftermath", "report"
SUMMARIES = {
    "schedule": "changes planned for this turn",
    "events": "the weather, and events",
    "movement": "all orders to move, at the same time",
    BATTLES: "the pending battles",
    AFTERMATH: "retreat, pursuit, experience, captured places",
    "upkeep": "supply, recovery, hiring, income",
    REPORT: "the next turn begins",
}
