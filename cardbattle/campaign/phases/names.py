"""The names of the phases of a turn, in order, with what each does."""

from __future__ import annotations

BATTLES, REPORT = "battles", "report"
SUMMARIES = {
    "schedule": "what is planned for this turn",
    "events": "the weather, and events",
    BATTLES: "the pending battles",
    REPORT: "the next turn begins",
}
