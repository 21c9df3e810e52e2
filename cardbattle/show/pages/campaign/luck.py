"""The page of a campaign's luck ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.names import listed
from cardbattle.show.document import Document, Numbers, Paragraph, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.turn.luck import Luck

NUMBERS = ["battle", "side", "name", "expected", "got", "score", "mean score", "luck so far"]
LUCK = ["battle", "side", "expected", "got", "score", "mean score", "luck so far"]
NOTHING = "No recorded battle has an expected result to compare with."


def luck_rows(battles: Sequence[Luck]) -> list[list[str]]:
    return [
        [
            battle.battle,
            battle.name,
            f"{float(battle.expected):.2f}",
            f"{float(battle.got):.2f}",
            str(battle.score),
            f"{float(battle.mean):.1f}",
            f"{float(battle.total):+.2f}",
        ]
        for battle in battles
    ]


def luck_numbers(battles: Sequence[Luck]) -> list[dict[str, object]]:
    return [
        {
            "battle": battle.battle,
            "side": battle.side,
            "name": battle.name,
            "expected": round(float(battle.expected), 2),
            "got": round(float(battle.got), 2),
            "score": battle.score,
            "mean score": round(float(battle.mean), 1),
            "luck so far": round(float(battle.total), 2),
        }
        for battle in battles
    ]


def luck_page(battles: Sequence[Luck], left_out: Sequence[str] = ()) -> Document:
    """Show each side's results and accumulated luck. `left_out` are battles without a simulation."""
    rows, numbers = luck_rows(battles), luck_numbers(battles)
    facts = [f"{row[0]}: {row[1]} expected {row[2]}, got {row[3]}, luck so far {row[6]}" for row in rows]
    table = Table(LUCK, rows, (2, 3, 4, 5, 6), facts, labels=2)
    note = [Paragraph(f"Left out, because they have no record to simulate: {listed(left_out)}.")]
    return Document(
        "Luck",
        [table if battles else Paragraph(NOTHING), *(note if left_out else [])],
        {"schema": 1, "luck": numbers},
        Numbers(NUMBERS, numbers),
    )
