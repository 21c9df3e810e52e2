"""Reserve the only way out of each beaten force, so that the choice of another player cannot close it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardbattle.campaign.phases.phase import Situation
from cardbattle.campaign.phases.retreat import ChosenRetreats, candidates_of


class BeatenForce(NamedTuple):
    """A force that must retreat. `enemies` are the forces of the other sides of its battle."""

    force: str
    enemies: Sequence[str]


def with_reserved(
    situation: Situation, beaten: Sequence[BeatenForce], chosen: ChosenRetreats
) -> ChosenRetreats:
    """Return the chosen retreats with a reserved place for each force that has only one.

    A force with one way out takes it before all choices. A force to which the choices of others leave one
    place keeps that place. If two enemies have the same only way out, the first in `beaten` gets it. Choices
    that are not possible are left out.
    """
    reserved = only_ways(situation, beaten, chosen._replace(later={}))
    chosen = chosen._replace(reserved=reserved)
    for each in beaten:
        other_retreats = chosen.without(each.force)
        if each.force in reserved and len(places_of(situation, each, other_retreats)) > 1:
            chosen = other_retreats  # the retreat of another force has opened a second place
    for each in beaten:
        other_retreats = chosen.without(each.force)
        choice = chosen.later.get(each.force)
        if choice is not None and choice not in places_of(situation, each, other_retreats):
            chosen = chosen._replace(later=other_retreats.later)
    left = [each for each in beaten if each.force not in {*chosen.later, *chosen.reserved}]
    return chosen._replace(later={**chosen.later, **only_ways(situation, left, chosen)})


def only_ways(situation: Situation, beaten: Sequence[BeatenForce], chosen: ChosenRetreats) -> dict[str, str]:
    """Return the place of each force that has only one way out, by force.

    A place that such a force takes can leave one way to another force (unit propagation).
    """
    places: dict[str, str] = {}
    left = list(beaten)
    while left:
        other_retreats = chosen._replace(reserved={**chosen.reserved, **places})
        arrived = other_retreats.arrived(situation.campaign)
        for each in left:
            ways = candidates_of(situation, each.force, each.enemies, other_retreats, arrived).candidates
            if len(ways) == 1:
                places[each.force] = ways[0].place
                left.remove(each)
                break
        else:
            break
    return places


def places_of(situation: Situation, beaten: BeatenForce, other_retreats: ChosenRetreats) -> list[str]:
    ways = candidates_of(situation, beaten.force, beaten.enemies, other_retreats)
    return [candidate.place for candidate in ways.candidates]
