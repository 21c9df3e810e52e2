"""The mail addresses of players show who sent a mail, and nobody else may read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign.ledger import value_edits
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.visibility.reader import PUBLIC, visible_to
from cardbattle.core.errors import InvalidInput
from tests.campaign.exchange.orders.test_sealed_orders import SEALED
from tests.campaign.ledger.test_umpire_changes import umpire_of
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.marches import MARCHES, folder_with
from tests.support.vale import ADDRESS, named_vale, orders, take

ANN, BOB, EVE = "From: Ann <Ann@x.org>\n\n", "From: bob@x.org\n\n", "From: eve@y.org\n\n"
BLUE = ADDRESS.replace("red", "blue")
KNOWN = "eve@y.org is not a mail address of Red; to take the lines of red, add --for red, or write: "


def vale_with_mail(**mail: list[str]) -> Campaign:
    """Return the campaign of the guide, in which these factions have mail addresses."""
    data = named_vale().data
    factions = {key: {"mail": mail[key]} if key in mail else {} for key in ("red", "blue", "green")}
    return read_campaign({**data, "factions": factions})


@pytest.fixture
def campaign() -> Campaign:
    return vale_with_mail(red=["ann@x.org", "ann@work.org"], blue=["Bob@x.org"])


@pytest.mark.parametrize(
    "header", [ANN, "Return-Path: <a@b.c>\nDate: now\nTo: eve@y.org\nFrom: ANN@work.org\n\n"]
)
def test_the_mail_address_shows_the_sender(campaign: Campaign, header: str) -> None:
    taken = take(campaign, f"{header}All the others go to the ford.\nVanguard: fly\n")
    assert orders(taken) == {"militia": "march to ford"}
    assert "cannot read" in str(taken.refused["red"])
    assert not orders(take(vale_with_mail(), f"{header}All the others go to the ford."))


def test_a_known_sender_cannot_send_the_orders_of_another_faction(campaign: Campaign) -> None:
    taken = take(campaign, f"{BOB}{ADDRESS}:\nvanguard: march to ford\n")
    assert not taken.values and "red" not in taken.refused
    assert "these are orders of red, but the mail address of the sender is that of blue" in str(taken.errors)
    assert orders(take(campaign, f"{BOB}{ADDRESS}:\nvanguard: hold", "red")) == {"vanguard": "hold"}
    assert not take(campaign, f"{BOB}{SEALED}\n").values


@pytest.mark.parametrize("text", [f"{ADDRESS}:\nvanguard: hold", "vanguard: hold", SEALED])
def test_another_address_sends_nothing_for_a_faction_with_addresses(campaign: Campaign, text: str) -> None:
    taken = take(campaign, EVE + text)
    assert not taken.values and "red" not in taken.refused
    assert f"{KNOWN}cardbattle campaign set factions.red.mail+=eve@y.org" in str(taken.errors)
    assert take(campaign, text).values and take(campaign, EVE + text, "red").values
    assert take(vale_with_mail(blue=["bob@x.org"]), EVE + text).values


def test_the_address_of_a_player_with_two_factions_shows_no_sender() -> None:
    campaign = vale_with_mail(red=["ann@x.org"], blue=["ann@x.org"])
    mail = f"{ANN}{ADDRESS}:\nvanguard: hold\n\n{BLUE}:\nguard: hold"
    assert orders(take(campaign, mail)) == {"vanguard": "hold", "guard": "hold"}


def test_only_the_umpire_reads_who_plays_a_faction(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, MARCHES)
    texts = [
        "factions.york.mail=ann@x.org",
        "factions.lancaster.mail+=ann@x.org",
        "factions.york.player=Ann Q",
    ]
    umpire.do(value_edits.set_values(umpire.books, [*map(value_edits.read_assignment, texts)]))
    for reader in ("york", "lancaster", PUBLIC):
        visible = visible_to(umpire.books.campaign, umpire.seen, reader)
        seen = str(visible.table()) + str(visible.entries)
        assert "ann@x.org" not in seen and "Ann Q" not in seen


def test_an_invalid_mail_address_is_refused() -> None:
    for mail in ("ann", "ann@x .org", "", "a@b@c"):
        with pytest.raises(InvalidInput, match="expected a mail address in quotes"):
            vale_with_mail(red=[mail])


def test_the_mail_address_counts_for_reports_of_results(sh: Shell, tmp_path: Path) -> None:
    mail = '[factions.york]\nmail = ["ann@x.org"]\n'
    text = MARCHES.replace("[factions.york]\n", mail) + '\n[results]\nconfirm = "both"\n'
    folder = folder_with(tmp_path / "war", text)
    report = "bridge: won, we lost 1/4, stafford lost 1/2\n"
    (tmp_path / "ann.txt").write_text(ANN + report)
    (tmp_path / "eve.txt").write_text(f"{EVE}york@4:\n{report}")
    command = ["campaign", "confirm", "-C", folder, "--dry-run", "--file"]
    assert sh(*command, str(tmp_path / "ann.txt")).code == 0
    refused = sh(*command, str(tmp_path / "eve.txt"))
    assert refused.code == 3 and "eve@y.org is not a mail address of House York" in refused.err
