"""Supply, purse, income and hiring in a message to a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.phases.recruit import hiring_places
from cardbattle.campaign.phases.upkeep import Network
from cardbattle.campaign.state.tables.upkeep import OWN, PURSE
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import listed
from cardbattle.core.telling import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardbattle.campaign.state.model import Campaign

NO_HIRING_PLACE = "You have no place to hire them."
MOST_HIRING_PLACES = 5  # that a message names
STACKING = "At most {} in a place."
NO_SUPPLY = "You have no supply place left"
SUPPLY = "Supply reaches {} from your supply places, not past enemies{}."


def limit_lines(campaign: Campaign, faction: str) -> Iterator[str]:
    """Yield a line about the limit of forces in a place, supply and money, if the campaign has them."""
    facts = []
    if campaign.movement is not None and campaign.movement.stacking:
        facts.append(STACKING.format(counted(campaign.movement.stacking, "friendly force")))
    facts += [*supply_facts(campaign, faction), *purse_facts(campaign, faction)]
    facts += hiring_facts(campaign, faction)
    if facts:
        yield from ("", " ".join(facts))


def supply_facts(campaign: Campaign, faction: str) -> list[str]:
    """Return how far supply reaches, or that a faction has none, and what a force without supply loses."""
    if campaign.supply is None:
        return []
    loss = campaign.supply.out_of_supply
    cost = f"; a force without supply loses {loss} in a turn, at least 1" if loss else ""
    if not Network(campaign).sources(faction):
        return [f"{NO_SUPPLY}{cost}."]
    return [SUPPLY.format(counted(campaign.supply.range, "step"), cost)]


def purse_facts(campaign: Campaign, faction: str) -> list[str]:
    """Return what a faction has in its purse, and what places bring at the end of a turn and of the war."""
    purse, settings, rate = campaign.factions[faction].purse, campaign.income, campaign.scoring.per_value
    values = [place.value for place in campaign.locations.values() if place.owner == faction]
    facts = [f"Your purse: {purse}."] if purse else []
    if settings is not None and settings.to == PURSE:
        facts = [f"Your purse: {purse}; {income_text(values, settings.per_value)}."]
    if rate and campaign.last_turn is not None:
        end, points = f"At the end of turn {campaign.last_turn}", counted(rate, "point")
        facts.append(f"{end}, places bring {points} for each point of value.")
    return facts


def income_text(values: Sequence[int], per_value: int) -> str:
    """Return what the places of a faction, which have these values, bring at the end of a turn.

    >>> income_text([2, 1], 3)
    'at the end of a turn, your places bring 9, 3 for each point of value'
    >>> income_text([], 3)
    'you own no place; at the end of a turn, a place brings 3 for each point of its value'
    """
    if sum(values):
        gain = per_value * sum(values) or "nothing"
        return f"at the end of a turn, your places bring {gain}, {per_value} for each point of value"
    lack = "your places have no value" if values else "you own no place"
    return f"{lack}; at the end of a turn, a place brings {per_value} for each point of its value"


def hiring_facts(campaign: Campaign, faction: str) -> list[str]:
    """Return the price of soldiers, how many the purse pays for, and where forces hire them.

    The list is empty if the faction has neither a place for it nor the money for one soldier.
    """
    settings, places = campaign.recruit, hiring_places(campaign, faction)
    number = max(campaign.factions[faction].purse, 0) // settings.cost if settings else 0
    if settings is None or not (number or places):
        return []
    names = str(mid_sentence(listed(map(campaign.location_name, places))))
    if len(places) > MOST_HIRING_PLACES:
        names = "your places" if settings.places == OWN else "your supply places"
    limit = f", each at most {settings.most}" if settings.most is not None else ""
    how = f"Forces hire at the end of the turn{limit}, in {names}." if places else NO_HIRING_PLACE
    return [f"A soldier costs {settings.cost}: your purse pays for {number or 'none'}.", how]


def soldiers_to_hire(campaign: Campaign, faction: str) -> int:
    """Return how many soldiers the forces of a faction can hire, or a force if each has a limit."""
    settings, purse = campaign.recruit, campaign.factions[faction].purse
    if settings is None or not hiring_places(campaign, faction):
        return 0
    number = max(purse, 0) // settings.cost
    return number if settings.most is None else min(number, settings.most)
