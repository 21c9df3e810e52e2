"""Describe the position of a force: in a place, or on a road between two."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign, Force


def position_text(campaign: Campaign, force: Force) -> str:
    """Return the position of a force: `Wem`, or `Wem, on the road to Chester (1 of 3 steps)`.

    Empty if unknown.
    """
    if force.location is None:
        return ""
    place = str(campaign.location_name(force.location))
    if force.towards is None:
        return place
    length = campaign.roads.length(force.location, force.towards)
    towards = campaign.location_name(force.towards)
    return f"{place}, on the road to {towards} ({force.walked} of {length} steps)"


def name_with_heading(campaign: Campaign, key: str) -> str:
    """Return the name of a force, with its direction if it is on a road: `Percy (on the road to Chester)`."""
    name, towards = str(campaign.display_name(key)), campaign.forces[key].towards
    return f"{name} (on the road to {campaign.location_name(towards)})" if towards else name
