"""Addresses above orders are read as players write them."""

from __future__ import annotations

import pytest

from cardbattle.campaign.state.model import Campaign
from tests.campaign.phases.movement.test_procedure import vale
from tests.support.vale import orders, take


@pytest.mark.parametrize("address", ["Sorry! red@1:", "the-vale/red@1", "red@1", "Red @ 1", "**red@1**"])
def test_an_address_without_its_colon_is_an_address(campaign: Campaign, address: str) -> None:
    taken = take(campaign, f"Hello\n{address}\nvanguard march to ford\nall: hold\n")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])
    assert orders(take(campaign, f"{address} vanguard: hold")) == {"vanguard": "hold"}


@pytest.mark.parametrize(
    "address",
    [
        "Red, {}:",
        "red ({})",
        "Red - turn {}",
        "red @ turn {}:",
        "Army, turn {}:",
        "My orders for red@{}",
        "Sorry, the-vale/red @ {}.",
    ],
)
def test_a_line_that_names_faction_and_turn_is_an_address(campaign: Campaign, address: str) -> None:
    named = {**campaign.data["factions"], "red": {"name": "The Army of Kent"}}  # type: ignore[dict-item]
    campaign = vale({}, forces=campaign.data["forces"], factions=named) if "Army" in address else campaign
    text = f"{address}\nvanguard march to ford\nall - hold"
    taken = take(campaign, text.format(1))
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])
    [error] = take(campaign, text.format(4)).errors
    assert "mail.txt:1: these are orders for turn 4" in str(error)
    assert take(campaign, f"I read {address} again\n\nred@1\nall: hold".format(4)).errors == []


def test_text_with_an_at_sign_is_no_address(campaign: Campaign) -> None:
    taken = take(campaign, "ann@12 at the inn: vanguard\nred@example.com wrote:\nvanguard: hold")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])


def test_orders_for_another_turn_or_campaign_are_refused(campaign: Campaign) -> None:
    for address, error in (
        ("the-vale/red@2", "these are orders for turn 2; the address for this turn is red@1"),
        ("the-dale/red@1", 'the address is for "the-dale"; addresses of this campaign begin with the-vale'),
        ("the-vale/rad@1", 'faction "rad" is not in this campaign; did you mean "red"?'),
    ):
        taken = take(campaign, f"{address}:\nvanguard: hold")
        assert not taken.values
        assert error in str(taken.errors[0])
