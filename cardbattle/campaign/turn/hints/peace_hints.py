"""Find treaties of peace that contradict each other or the sides of pending battles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.aftermath import NO_RETREAT
from cardbattle.core.errors import Diagnostic


def peace_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each peace that two factions list, or that does not fit the sides of a battle."""
    for key, faction in campaign.factions.items():
        for place, other in enumerate(faction.peace):
            if other < key and key in campaign.factions[other].peace:
                text = f"{other} already lists {key}, and a peace counts for both; remove {other} here"
                yield Diagnostic(text, at=("factions", key, "peace", place))
    for place, battle in enumerate(campaign.pending):
        yield from sides_at_peace(campaign, battle, ("pending", place, "sides"))
        if campaign.aftermath is not None and campaign.aftermath.retreat != NO_RETREAT:
            yield from hostile_partners(campaign, battle, ("pending", place, "sides"))


def factions_of(campaign: Campaign, battle: Pending) -> list[list[str]]:
    return [[*dict.fromkeys(campaign.forces[force].faction for force in side)] for side in battle.sides]


def sides_at_peace(campaign: Campaign, battle: Pending, at: tuple[str | int, ...]) -> Iterator[Diagnostic]:
    """Yield a hint for each two factions that are at peace and on different sides of a battle."""
    for (_, side), (place, second_side) in combinations(enumerate(factions_of(campaign, battle)), 2):
        for first in side:
            for second in second_side:
                if first != second and not campaign.are_enemies(first, second):
                    text = f"{first} and {second} are at peace, but fight each other in {battle.id}"
                    remedy = f"put them on one side, or cancel it: cardbattle campaign cancel {battle.id}"
                    yield Diagnostic(f"{text}; {remedy}", at=(*at, place))


def hostile_partners(campaign: Campaign, battle: Pending, at: tuple[str | int, ...]) -> Iterator[Diagnostic]:
    """Yield a hint for each two factions that are on one side of a battle and not at peace."""
    for place, side in enumerate(factions_of(campaign, battle)):
        for first, second in combinations(side, 2):
            if campaign.are_enemies(first, second):
                text = f"{first} and {second} fight on one side in {battle.id}, but are not at peace"
                why = "after a defeat, each can close a place to the other"
                remedy = f"make peace: cardbattle campaign set factions.{first}.peace+={second}"
                yield Diagnostic(f"{text}; {why}; {remedy}", at=(*at, place))
