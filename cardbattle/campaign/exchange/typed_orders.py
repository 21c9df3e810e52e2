"""Read the orders that the umpire types for a force or a faction."""

from __future__ import annotations

from contextlib import suppress

from cardbattle.campaign.exchange.orders.names import find_force, find_named
from cardbattle.campaign.exchange.orders.parser import ASK_FOR_BATTLE, GivenOrder, OrderParser
from cardbattle.campaign.exchange.orders.words import RETREATING
from cardbattle.campaign.ledger.roster import is_alike_without_article
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import with_verb
from cardbattle.core.names import quoted


def given_by_hand(parser: OrderParser, name: str, text: str) -> list[GivenOrder]:
    """Return the orders that the umpire has typed for a force or a faction.

    The order for a faction goes to all of its forces that have no order. A beaten force can get its retreat.
    Raises InvalidInput if the name or the order is not valid.
    """
    campaign, key = parser.campaign, ""
    try:
        faction = faction_given(parser, name)
        if faction:
            forces = [force for force in parser.movable(faction) if force not in campaign.orders]
            if not forces:
                raise ValueError(nothing_to_order(parser, faction, text))
            return [GivenOrder(force, part) for force in forces for part in parser.order(force, text).parts()]
        key = find_force(parser.forces(""), name)
        if key not in parser.movable(""):
            how = f"cardbattle campaign move {key} PLACE"
            lost = with_verb(parser.forces("")[key], "is|are")
            raise ValueError(f"{lost} not on the map; place it with: {how}")
        is_retreat = key in parser.retreats and RETREATING.match(text)
        order = parser.retreat(key, text) if is_retreat else parser.order(key, text)
        return [GivenOrder(key, part) for part in order.parts()]
    except ValueError as error:
        battle = parser.battle_hint(key) if ASK_FOR_BATTLE in str(error) else ""
        raise InvalidInput(f"{error}{battle}{quoting_hint(parser, name, text)}") from None


def quoting_hint(parser: OrderParser, name: str, text: str) -> str:
    """Return what to write if the words of a force's name are also in the text of its order, or ""."""
    words = [*name.split(), *text.split()]
    for count in range(len(words) - 1, len(name.split()), -1):
        force, order = " ".join(words[:count]), " ".join(words[count:])
        if any(is_alike_without_article(name, force) for name in parser.forces("").values()):
            return f"; write the name of the force in quotes: {quoted(force)} {order}"
    return ""


def nothing_to_order(parser: OrderParser, faction: str, text: str) -> str:
    """Return the error for an order for the forces of a faction without an order, if it has no such force."""
    orders = {force: parser.campaign.orders.get(force) for force in parser.movable(faction)}
    if not orders:
        return f"no force of {faction} is on the map; place one with: cardbattle campaign move FORCE PLACE"
    if all(str(parser.order(force, text)) == order for force, order in orders.items()):
        return f"each force of {faction} has this order already, so nothing changes"
    return (
        f"each force of {faction} has an order; to change one, name the force, such as {next(iter(orders))}"
    )


def faction_given(parser: OrderParser, name: str) -> str:
    """Return the faction that the umpire has typed, by key or name, or "" if the words name a force.

    The key of a faction comes before the name of a force, and a force before the name of a faction.
    """
    factions, forces = parser.factions(), parser.forces("")
    if name.lower() in forces or name.lower() in factions:
        return "" if name.lower() in forces else name.lower()
    with suppress(ValueError):
        find_named(forces, name, "force")
        return ""
    with suppress(ValueError):
        return find_named(factions, name, "faction")
    return ""
