"""How pages describe the changes of the ledger."""

from __future__ import annotations

import pytest

from cardbattle.campaign.state.changes import Change, Key
from cardbattle.campaign.state.fields import keys_of_table
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.renaming import TABLES
from cardbattle.campaign.visibility.redaction import Clearance, is_visible
from cardbattle.show.pages.campaign.history import describe_changes
from tests.support.marches import MARCHES, books

OPEN = MARCHES + "\n[visibility]\nstrength = 'all'\nlocation = 'all'\ncommander = 'all'\n"
KEYS: list[Key] = [("turn",), ("turn_name",), ("name",), ("weather", "now"), ("orders", "percy")]
KEYS += [("sealed_orders", "york", word) for word in ("address", "seal", "salt", "text", "")]
KEYS += [
    (table, key, word)
    for table, key in zip(TABLES, ("york", "percy", "shrewsbury"), strict=True)
    for word in keys_of_table(Campaign, (table, key))
]


@pytest.mark.parametrize(
    ("after", "text"),
    [
        ({"id": "ford", "sides": ["a", "b"], "rules": "wargame"}, ': rules "wargame"'),
        ({"id": "ford", "sides": ["a", "c"]}, ": sides; no weather"),
        ({"id": "ford", "sides": ["a", "b"], "weather": "fair"}, ""),
    ],
)
def test_the_history_says_what_changed_in_a_pending_battle(after: dict[str, object], text: str) -> None:
    before: dict[str, object] = {"id": "ford", "sides": ["a", "b"], "weather": "fair"}
    after = after if "no weather" in text else {"weather": "fair", **after}
    [sentence] = describe_changes(books(OPEN).campaign, [Change(("pending", "ford"), before, after)])
    assert sentence == f"ford is still pending, but changed{text}"


def test_an_undone_order_to_hire_is_described_once() -> None:
    campaign = books(OPEN).campaign
    hires = Change(("forces", "percy", "hires"), 3, None)
    order = Change(("orders", "percy"), None, "hold, hire 3")
    [sentence] = describe_changes(campaign, [hires, order])
    assert sentence.endswith(": hold, hire 3")
    [cancelled] = describe_changes(campaign, [hires])
    assert cancelled.endswith(": no order to hire (was 3)")


@pytest.mark.parametrize("faction", [None, "york"])
def test_changes_that_a_player_can_see_are_described_without_the_tables_of_the_file(
    faction: str | None,
) -> None:
    campaign = books(OPEN).campaign
    clearance = Clearance(faction, campaign.visibility, {"percy": "york"})
    seen = [key for key in KEYS if is_visible(Change(key, None, "x"), clearance)]
    assert len(seen) > 30
    for key in seen:
        for before, after in ((None, True), (True, None), ("x", "y")):
            text = "; ".join(describe_changes(campaign, [Change(key, before, after)]))
            assert f"{key[0]}." not in text and "[" not in text, text
