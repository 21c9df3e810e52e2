"""From a pending battle to a battle file: strength becomes what the rule set gives the stronger."""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from cardbattle.campaign.model import Advantage, Campaign, Force, Pending
from cardbattle.core.chance import child_seed
from cardbattle.core.options import CardList, Option, Whole
from cardbattle.fighting.battlefile import FORMAT, canonical


class Edge(NamedTuple):
    """By how much a side is stronger than the weakest, and what it gets for that.

    `excess` is None where the weakest has no strength at all. `given` holds the side's options
    after the gift.
    """

    side: str
    strength: int
    weakest: int
    excess: Fraction | None
    steps: int
    given: dict[str, object]


def edges(campaign: Campaign, battle: Pending) -> list[Edge]:
    """Return each side's edge over the weakest, in seat order."""
    chosen = campaign.rules_of(battle)
    strengths = [sum(campaign.forces[force].strength for force in side) for side in battle.sides]
    weakest = min(strengths)
    rule = campaign.advantage.get(chosen.key)
    found = []
    for side, strength in zip(battle.keys, strengths, strict=True):
        excess = Fraction(strength, weakest) - 1 if weakest else None
        steps = count_steps(rule, strength, weakest) if rule else 0
        given: dict[str, object] = {}
        if rule and steps:
            own = battle.options.get(side, {})
            given = {
                word: raised(chosen.options[word], own.get(word), gift, steps)
                for word, gift in rule.give.items()
            }
        found.append(Edge(side, strength, weakest, excess, steps, given))
    return found


def count_steps(rule: Advantage, strength: int, weakest: int) -> int:
    """Return how many full steps stronger than the weakest a side is, at most `most`."""
    if strength == weakest:
        return 0
    if not weakest:
        return rule.most
    return min(int((Fraction(strength, weakest) - 1) // rule.per), rule.most)


def raised(option: Option, own: object, gift: object, steps: int) -> object:
    """Return an option's value after `steps` gifts, kept within what the option allows."""
    if isinstance(option, Whole):
        base = option.default if own is None else own
        assert isinstance(gift, int)
        most = option.most
        return max(option.least, min(most, (base if isinstance(base, int) else 0) + gift * steps))
    assert isinstance(option, CardList)
    assert isinstance(gift, list)
    base = own if own is not None else option.write(option.default or [])
    assert isinstance(base, list)
    return [*base, *(gift * steps)][: option.most]


def explain(campaign: Campaign, battle: Pending) -> list[str]:
    """Return a sentence for each side that gets something for its strength.

    As `Percy is stronger by 3/4 (14 against 8): hand 10`.
    """
    names = dict(zip(battle.keys, battle.sides, strict=True))
    return [
        f"{campaign.side_name(names[edge.side])} is stronger by {how_much(edge)} "
        f"({edge.strength} against {edge.weakest}): {gifts(campaign, battle, edge)}"
        for edge in edges(campaign, battle)
        if edge.steps
    ]


def how_much(edge: Edge) -> str:
    """Return by how much a side is the stronger."""
    return "any measure" if edge.excess is None else str(edge.excess)


def gifts(campaign: Campaign, battle: Pending, edge: Edge) -> str:
    """Return what a side gets, as `hand +3`."""
    give = campaign.advantage[campaign.rules_of(battle).key].give
    words = []
    for word, gift in give.items():
        if isinstance(gift, int):
            words.append(f"{word} {gift * edge.steps:+d}")
        else:
            words.append(f"{word} + {' '.join(map(str, gift * edge.steps))}")
    return ", ".join(words)


def battle_table(campaign: Campaign, battle: Pending) -> dict[str, object]:
    """Return a pending battle as a battle file has it, bound to the forces as they are now."""
    sides: dict[str, object] = {}
    for side, edge in zip(battle.sides, edges(campaign, battle), strict=True):
        key = side[0]
        sides[key] = {
            "name": campaign.side_name(side),
            "commander": campaign.forces[key].commander,
            **battle.options.get(key, {}),
            **edge.given,
        }
    table: dict[str, object] = {
        "format": FORMAT,
        "id": battle.id,
        "rules": campaign.rules_of(battle).key,
        "seed": child_seed(campaign.seed, f"battle/{battle.id}"),
    }
    if battle.house:
        table["house"] = dict(battle.house)
    return {**table, "sides": sides, "bound": bound(campaign, battle)}


def bound(campaign: Campaign, battle: Pending) -> dict[str, object]:
    """Return what ties a result to this battle and to its forces as they are now."""
    forces = {
        force: {
            "strength": campaign.forces[force].strength,
            "digest": force_digest(campaign.forces[force]),
        }
        for side in battle.sides
        for force in side
    }
    return {"campaign": campaign.name, "battle": battle.id, "forces": forces}


def force_digest(force: Force) -> str:
    """Return the digest of what of a force matters to a battle."""
    matters = [force.faction, force.strength, force.commander, force.destroyed]
    return sha256(canonical(matters).encode()).hexdigest()[:16]


def differences(campaign: Campaign, battle: Pending, told: dict[str, object]) -> list[str]:
    """Return what has changed since a result was bound, a sentence for each; none if nothing has."""
    found = []
    if told.get("campaign") != campaign.name:
        found.append(f"it belongs to the campaign {told.get('campaign')}, this is {campaign.name}")
    if told.get("battle") != battle.id:
        found.append(f"it belongs to battle {told.get('battle')}")
    then = told.get("forces")
    now = bound(campaign, battle)["forces"]
    assert isinstance(then, dict)
    assert isinstance(now, dict)
    for force in dict.fromkeys([*now, *then]):
        found += force_differences(campaign, force, then.get(force), now.get(force))
    return found


def force_differences(
    campaign: Campaign, key: str, then: dict[str, object] | None, now: dict[str, object] | None
) -> list[str]:
    """Return what has changed in one force since."""
    name = campaign.called(key)
    if then is None:
        return [f"{name} fights now, and did not then"]
    if now is None:
        return [f"{name} fought then, and does not now"]
    if then.get("strength") != now["strength"]:
        return [f"{name} had strength {then.get('strength')} then, and has {now['strength']} now"]
    if then.get("digest") != now["digest"]:
        return [f"{name} has another faction or commander now, or is destroyed"]
    return []
