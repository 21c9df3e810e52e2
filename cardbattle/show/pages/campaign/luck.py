"""What was luck: the luck ledger of a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.show.document import Document, Numbers, Paragraph, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.luck import Luck

NUMBERS = ["battle", "side", "name", "expected", "got", "score", "mean score", "luck so far"]
LUCK = ["battle", "side", "expected", "got", "score", "mean score", "luck so far"]
NOTHING = "There is no battle with a record of which it is known what could be expected."


def luck_rows(campaign: Campaign, found: Sequence[Luck]) -> list[list[str]]:
    """Return the luck ledger's lines, the sides by name."""
    return [
        [
            one.battle,
            campaign.called(one.side),
            f"{float(one.expected):.2f}",
            f"{float(one.got):.2f}",
            str(one.score),
            f"{float(one.mean):.1f}",
            f"{float(one.total):+.2f}",
        ]
        for one in found
    ]


def luck_numbers(campaign: Campaign, found: Sequence[Luck]) -> list[dict[str, object]]:
    """Return the luck ledger's lines with numbers as numbers; its estimates are floats."""
    return [
        {
            "battle": one.battle,
            "side": one.side,
            "name": campaign.called(one.side),
            "expected": round(float(one.expected), 2),
            "got": round(float(one.got), 2),
            "score": one.score,
            "mean score": round(float(one.mean), 1),
            "luck so far": round(float(one.total), 2),
        }
        for one in found
    ]


def luck_page(campaign: Campaign, found: Sequence[Luck]) -> Document:
    """Return what each side could expect of its battles, what it got, and how its luck adds up."""
    rows, numbers = luck_rows(campaign, found), luck_numbers(campaign, found)
    facts = [f"{row[0]}: {row[1]} expected {row[2]}, got {row[3]}, luck so far {row[6]}" for row in rows]
    table = Table(LUCK, rows, (2, 3, 4, 5, 6), facts, labels=2)
    return Document(
        "Luck",
        [table if found else Paragraph(NOTHING)],
        {"schema": 1, "luck": numbers},
        Numbers(NUMBERS, numbers),
    )
