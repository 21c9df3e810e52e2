"""The campaign of the guide to movement with names, and its orders by message."""

from __future__ import annotations

from cardbattle.campaign.exchange.mails import take_messages
from cardbattle.campaign.exchange.order_book import Taken, orders_operation
from cardbattle.campaign.state.model import Campaign
from tests.campaign.phases.movement.test_procedure import vale

NAMES = {
    "vanguard": "Red vanguard",
    "militia": "Red militia",
    "guard": "Blue guard",
    "garrison": "Blue garrison",
}
ADDRESS = "the-vale/red@1"


def named_vale() -> Campaign:
    """Return the campaign of the guide, with names."""
    bare = vale({})
    data = {**bare.data, "forces": {}}
    for key, force in bare.data["forces"].items():  # type: ignore[attr-defined]
        data["forces"][key] = force | ({"name": NAMES[key]} if key in NAMES else {})  # type: ignore[index]
    return vale({}, forces=data["forces"])


def take(campaign: Campaign, text: str, faction: str = "") -> Taken:
    """Return what a message comes to."""
    return take_messages(campaign, [("mail.txt", text)], faction)


def orders(taken: Taken) -> dict[str, object]:
    """Return the orders that were taken, by force."""
    return {key[1]: value for key, value in taken.values.items() if key[0] == "orders"}


def after(campaign: Campaign, text: str) -> Campaign:
    """Return the campaign after the orders of a message, without errors."""
    taken = take(campaign, text)
    assert not taken.errors
    return campaign.after(orders_operation(campaign, taken).entry.changes)
