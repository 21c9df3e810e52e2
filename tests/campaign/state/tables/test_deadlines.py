"""Deadlines, substitutes and reported results in campaign.toml: each mistake has its place and remedy."""

from __future__ import annotations

import pytest

from cardbattle.campaign.ledger import umpire_changes
from cardbattle.campaign.ledger.operations import after
from cardbattle.core.errors import InvalidInput
from tests.support.marches import MARCHES, books

REPORT = '[[reported]]\nbattle = "bridge"\nside = "percy"\nwinners = ["percy"]\n'
MISTAKES = [
    ('[deadlines]\norders = "soon"', "deadlines.orders", '"3 days" or "36 hours", got "soon"'),
    ("[deadlines]\nanswer = 3", "deadlines.answer", '"3 days" or "36 hours", got 3'),
    ('[deadlines]\nmissed = "forfiet"', "deadlines.missed", 'mean "forfeit"'),
    ('[deadlines]\ncommander = "captain"', "deadlines.commander", "captain"),
    ('[results]\nconfirm = "each"', "results.confirm", 'expected "both" or "umpire"'),
    ("[substitutes.yorc]", "substitutes.yorc", 'mean "york"'),
    ('[substitutes.york]\ncommander = "human"', "substitutes.york.commander", "human"),
    (REPORT + 'losses = { persy = "1/4" }', "reported.1.losses.persy", 'mean "percy"'),
    (REPORT + 'losses = { percy = "5/4" }', "reported.1.losses.percy", 'from "0" to "1"'),
    (REPORT.replace('side = "percy"', 'side = "hal"') + "losses = {}", "reported.1.side", '"hal" is not in'),
]


@pytest.mark.parametrize(("table", "where", "why"), MISTAKES)
def test_a_mistake_is_refused_where_it_is(table: str, where: str, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        books(f"{MARCHES}\n{table}\n")
    assert [str(mistake) for mistake in refused.value.errors if where in str(mistake) and why in str(mistake)]


def test_deadlines_can_be_set_before_the_settings_that_need_them() -> None:
    """`campaign check` has a hint about a deadline without effect."""
    campaign = books(f'{MARCHES}\n[deadlines]\norders = "3 days"\nconfirm = "2 days"\n').campaign
    assert campaign.movement is None and campaign.results.confirm == "umpire"
    assert campaign.deadlines is not None and campaign.deadlines.confirm == "2 days"


def test_a_rename_reaches_substitutes_and_reports() -> None:
    text = f'{MARCHES}\n[substitutes.york]\nturn = 5\n{REPORT}losses = {{ percy = "1/4", stafford = "0" }}\n'
    campaign = books(text)
    for old, new in (("factions.york", "white"), ("forces.percy", "harry")):
        campaign = after(campaign, [umpire_changes.rename_key(campaign, old, new)])
    [report] = campaign.campaign.reported
    assert [*campaign.campaign.substitutes] == ["white"]
    assert (report.side, report.winners, [*report.losses]) == ("harry", ["harry"], ["harry", "stafford"])
