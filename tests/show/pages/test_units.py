"""Units on the pages of a campaign: only readers who may know a force's strength see their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, visible_to
from cardbattle.show.pages.campaign.battle_sheet import sheet_page
from cardbattle.show.pages.campaign.dashboard import campaign_page
from cardbattle.show.pages.campaign.report import report_page
from cardbattle.show.pages.campaign.reports.chronicle import chronicle_turns
from cardbattle.show.writers.markdown import to_markdown
from tests.campaign.ledger.test_units import Captain
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

READERS = [(UMPIRE, True), ("york", True), ("lancaster", False), (PUBLIC, False)]


@pytest.mark.parametrize(("reader", "knows"), READERS)
def test_pages_name_units_to_readers_who_know_the_strength(
    tmp_path: Path, reader: str | None, knows: bool
) -> None:
    captain = Captain(tmp_path)
    captain.fight("wood")
    visible = visible_to(captain.books.campaign, captain.ledger, reader)
    for page in (campaign_page(visible, {}, {}), report_page(visible, {})):
        assert ("St. Albans bows" in to_markdown(page)) == knows
    [turn] = chronicle_turns(visible, {})
    assert ("For good, the St. Albans bows lose three of five" in " ".join(turn.sentences)) == knows


def test_the_sheet_has_the_units_and_asks_for_their_losses(tmp_path: Path) -> None:
    captain = Captain(tmp_path)
    campaign = captain.books.campaign
    for reader, knows in READERS:
        sheet = to_markdown(
            sheet_page(campaign, campaign.pending[0], visible_to(campaign, captain.ledger, reader))
        )
        assert ("14 (St. Albans bows 5, Spears 6, The Old Guard 3)" in sheet) == knows
        assert "report what each unit lost" in sheet


@pytest.mark.slow
@pytest.mark.parametrize(("reader", "knows"), [("york", True), ("public", False)])
def test_the_site_shows_units_on_the_pages_of_force_and_faction(sh: Shell, reader: str, knows: bool) -> None:
    Captain(sh.folder)
    assert sh("campaign", "site", "site", "--for", reader, "--no-chances").code == 0
    for page in ("forces/percy.html", "factions/york.html"):
        text = (sh.folder / "site" / page).read_text(encoding="utf-8")
        assert ("Spears 6" in text) == knows


def test_a_force_is_added_with_its_units(sh: Shell) -> None:
    Captain(sh.folder)
    new = ("campaign", "add", "force", "Lord Grey", "--faction", "york")
    added = sh(*new, "--unit", "Lances=3", "--unit", "Bows=4")
    assert added.code == 0 and "strength 7, Lances 3, Bows 4" in " ".join(added.out.split())
    assert "units = { Lances = 3, Bows = 4 }" in (sh.folder / "campaign.toml").read_text()
    wrong = sh(*new, "--key", "grey-2", "--unit", "Lances")
    assert wrong.code == 2 and 'write NAME=N, such as "Bowmen=4"' in wrong.err
