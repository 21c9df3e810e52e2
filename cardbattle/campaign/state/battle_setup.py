"""Turn a pending battle into a battle file, in which a strength advantage is an option of the rule set."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from cardbattle.battles import strength
from cardbattle.battles.records.battle_file import FORMAT, canonical
from cardbattle.battles.strength import SideAdvantage
from cardbattle.campaign.state.editing.layout import inline_value
from cardbattle.campaign.state.model import Campaign, Force, Pending
from cardbattle.campaign.state.tables.battle_effects import circumstance_gifts, house_of, options_of
from cardbattle.core.chance import child_seed
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import choose_form, together, with_verb
from cardbattle.core.names import listed
from cardbattle.core.ruleset import Advantage, FirstMoveEdge, RuleSet
from cardbattle.rules import is_not_installed


def side_advantages(campaign: Campaign, battle: Pending) -> list[SideAdvantage]:
    """Return each side's advantage over the weakest side, in seat order."""
    chosen = campaign.rules_of(battle)
    strengths = {
        key: sum(campaign.forces[force].strength for force in side)
        for key, side in zip(battle.keys, battle.sides, strict=True)
    }
    table = {"house": house_of(campaign, battle), "sides": options_of(campaign, battle)}
    return strength.advantages_of(chosen, campaign.advantage.get(chosen.key), strengths, table)


def explain(campaign: Campaign, battle: Pending, *, with_strengths: bool = True) -> list[str]:
    """Return a sentence for each side to which terrain, weather, experience or strength gives an advantage.

    For example `Harry Percy: strength 14 against 8, so hand 10 -> 13`, or `greater strength` in place of the
    numbers if `with_strengths` is False. The list is empty if the rule set is not installed.
    """
    if is_not_installed(campaign.rules_key(battle)):
        return []
    names = dict(zip(battle.keys, battle.sides, strict=True))
    circumstances = [
        f"{campaign.side_name(names[gift.side], battle)}: {gift.cause}, so {gift.bonus}"
        for gift in circumstance_gifts(campaign, battle)
    ]
    return circumstances + [
        f"{campaign.side_name(names[edge.side], battle)}: "
        f"{f'strength {edge.strength} against {edge.weakest}' if with_strengths else 'greater strength'}, "
        f"so {listed(map(str, edge.gifts))}"
        for edge in side_advantages(campaign, battle)
        if edge.gifts
    ]


def no_effect(campaign: Campaign, battle: Pending) -> str:
    """Return the reason why strength gives no advantage although one side is stronger, or ""."""
    if is_not_installed(campaign.rules_key(battle)):
        return ""
    edges = side_advantages(campaign, battle)
    strongest = max(edges, key=lambda edge: edge.strength)
    if strongest.strength == strongest.weakest or any(edge.gifts for edge in edges):
        return ""
    key = campaign.rules_key(battle)
    terms = campaign.advantage.get(key)
    if terms is None:
        return f"strength has no effect, because [advantage.{key}] is missing"
    if not strength.count_steps(terms, strongest.strength, strongest.weakest):
        ratio, step = f"{strongest.strength} against {strongest.weakest}", f"per = {terms.per}"
        return f"strength has no effect: {ratio} is less than one step of [advantage.{key}], {step}"
    return f"strength has no effect: the options in [advantage.{key}] are at their limits"


def unfit_advantage(campaign: Campaign, battle: Pending) -> str:
    """Return why strength does not help under the battle's house rules, with a remedy, or "".

    In Warfare Tactics, a King on the battlefield makes a side lose in a battle with quiet turns.
    """
    command = levelling_command(campaign, battle)
    edge = default_edge(campaign.rules_of(battle)) if command else None
    if edge is None or not house_of(campaign, battle).get(edge.level_rule):
        return ""
    problem = "the advantage of strength hardly helps, or makes the stronger side lose"
    return f"{campaign.rules_of(battle).name}: with {edge.level_rule}, {problem}; to correct it: {command}"


def levelling_command(campaign: Campaign, battle: Pending) -> str:
    """Return the command for the advantage that works with the house rule that makes the first move fair.

    The command is "" if the campaign does not give the usual advantage of the rule set, or this also works.
    """
    key = campaign.rules_key(battle)
    terms = campaign.advantage.get(key)
    if terms is None or is_not_installed(key):
        return ""
    usual, fit = campaign.rules_of(battle).advantage, default_advantage(campaign.rules_of(battle))
    if usual is None or fit is None or fit.give.keys() & terms.give.keys():
        return ""
    if not usual.give.keys() & terms.give.keys():
        return ""
    return f"cardbattle campaign set 'advantage.{key}={advantage_value(fit)}'"


def default_edge(chosen: RuleSet) -> FirstMoveEdge | None:
    """Return the advantage of the first move with default house rules, or None if it was not measured."""
    return chosen.first_move_edge({word: option.default for word, option in chosen.house.items()})


def default_advantage(chosen: RuleSet) -> Advantage | None:
    """Return the advantage of strength for a new campaign, or None if the rule set has none.

    It works with and without the house rule that makes the first move fair.
    """
    edge = default_edge(chosen)
    return edge.level_advantage if edge and edge.level_advantage else chosen.advantage


def advantage_value(advantage: Advantage) -> str:
    """Return the value of an advantage of strength in `campaign.toml`."""
    return inline_value({"per": str(advantage.per), "give": dict(advantage.give), "most": advantage.most})


def battle_table(campaign: Campaign, battle: Pending) -> dict[str, object]:
    """Return a pending battle as a battle file, with its seed and the digests of its current forces.

    Raises InvalidInput if a force is destroyed. With sealed dice, raises NeedsUmpire if the battle has no
    slot or has changed since it got its slot.
    """
    if campaign.draw is None:
        return rehearsal_table(campaign, battle)
    return campaign.draw.table(campaign, battle, table_without_seed(campaign, battle))


def rehearsal_table(campaign: Campaign, battle: Pending) -> dict[str, object]:
    """Return a pending battle as a battle file, with a seed derived from the campaign's seed.

    It is used only for odds and checks, because a battle with sealed dice is never fought with this seed.
    Raises InvalidInput if a force is destroyed.
    """
    seed = child_seed(campaign.seed, f"battle/{battle.id}")
    return with_seed(table_without_seed(campaign, battle), seed)


def with_seed(table: Mapping[str, object], seed: int | str) -> dict[str, object]:
    """Return the table of a battle file with a seed. The seed comes before the house rules."""
    return {**{word: table[word] for word in ("format", "id", "rules")}, "seed": seed, **table}


def table_without_seed(campaign: Campaign, battle: Pending) -> dict[str, object]:
    """Return a pending battle as a battle file without a seed.

    Raises InvalidInput if a force is destroyed.
    """
    gone = destroyed_forces_error(campaign, battle)
    if gone:
        raise InvalidInput(f"battle {battle.id} cannot be fought: {gone}")
    sides: dict[str, object] = {}
    options = options_of(campaign, battle)
    for side, edge in zip(battle.sides, side_advantages(campaign, battle), strict=True):
        key = side[0]
        sides[key] = {
            "name": campaign.side_name(side, battle),
            **number_of(campaign, battle, side),
            "commander": campaign.forces[key].commander,
            **standing_for(campaign, battle, key),
            **options.get(key, {}),
            **{gift.option: gift.after for gift in edge.gifts},
        }
    table: dict[str, object] = {
        "format": FORMAT,
        "id": battle.id,
        "rules": campaign.rules_key(battle),
    }
    house = house_of(campaign, battle)
    if house:
        table["house"] = house
    return {**table, "sides": sides, "bound": binding_of(campaign, battle)}


def number_of(campaign: Campaign, battle: Pending, side: list[str]) -> dict[str, object]:
    """Return a dict with the key `plural` of a side, or an empty dict.

    The campaign file can have the value for the side, or for its only force.
    """
    plural = battle.plural.get(side[0])
    if plural is None and len(side) == 1 and side[0] not in battle.names:
        plural = campaign.forces[side[0]].plural
    return {} if plural is None else {"plural": plural}


def standing_for(campaign: Campaign, battle: Pending, key: str) -> dict[str, object]:
    """Return the standing orders of a side. They apply only in battles with the campaign's rule set."""
    lines = campaign.forces[key].standing
    return {"standing": lines} if lines and campaign.rules_key(battle) == campaign.rules else {}


def destroyed_forces_error(campaign: Campaign, battle: Pending) -> str:
    """Return an error that names the destroyed forces of a battle, or "" if no force is destroyed."""
    gone = destroyed_in(campaign, battle)
    if not gone:
        return ""
    names = together(map(campaign.display_name, gone))
    them = choose_form("it|them", names.is_plural)
    left = [side for side in battle.sides if not set(side) <= set(gone)]
    remedy = f"to drop the battle: cardbattle campaign cancel {battle.id}"
    if len(left) > 1:
        remedy = f"take {them} out of sides"
    return f"{with_verb(names, 'is|are')} destroyed; {remedy}"


def refuse_destroyed(campaign: Campaign, battle: Pending) -> None:
    """Raise InvalidInput if a force of a new or edited battle is destroyed."""
    gone = destroyed_in(campaign, battle)
    if gone:
        names = together(map(campaign.display_name, gone))
        them = choose_form("it|them", names.is_plural)
        keys = " ".join(f"forces.{force}.destroyed" for force in gone)
        raise InvalidInput(
            f"{with_verb(names, 'is|are')} destroyed; leave {them} out, "
            f"or bring {them} back: cardbattle campaign unset {keys}"
        )


def destroyed_in(campaign: Campaign, battle: Pending) -> list[str]:
    return [force for side in battle.sides for force in side if campaign.forces[force].destroyed]


def binding_of(campaign: Campaign, battle: Pending) -> dict[str, object]:
    """Return the values that bind a result to this battle. They include the digests of its current forces."""
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
    """Return a digest of those values of a force on which a battle depends."""
    matters: list[object] = [force.faction, force.strength, force.commander, force.destroyed]
    matters += [force.standing] if force.standing else []
    return sha256(canonical(matters).encode()).hexdigest()[:16]


class Difference(NamedTuple):
    """A difference between an imported battle and the pending one.

    `words` is a sentence. If the sentence does not contain both values, `beside` has a name, the campaign's
    value and the battle's value.
    """

    words: str
    beside: list[str] = []


def differences(campaign: Campaign, battle: Pending, table: dict[str, object]) -> list[Difference]:
    """Return the changes of a battle's forces since its binding, `table`, was written.

    A binding is written when a battle is exported, begun or fought.
    """
    results = []
    name, number = str(table.get("campaign")), str(table.get("battle"))
    if name != campaign.name:
        text = f"it belongs to the campaign {name}, this is {campaign.name}"
        results.append(Difference(text, ["campaign", campaign.name, name]))
    if number != battle.id:
        results.append(Difference(f"it belongs to battle {number}", ["battle", battle.id, number]))
    then = table.get("forces")
    current = binding_of(campaign, battle)["forces"]
    assert isinstance(then, dict)
    assert isinstance(current, dict)
    for force in dict.fromkeys([*current, *then]):
        results += force_differences(campaign, force, then.get(force), current.get(force))
    return results


def force_differences(
    campaign: Campaign, key: str, then: dict[str, object] | None, current: dict[str, object] | None
) -> list[Difference]:
    """Return the changes of one force since a binding was written. `then` is the force in the binding."""
    name = campaign.display_name(key)
    if then is None:
        text = f"{with_verb(name, 'fights|fight')} now, and did not then"
        return [Difference(text, [name, "fights", "did not fight"])]
    if current is None:
        text = f"{name} fought then, and {choose_form('does|do', name.is_plural)} not now"
        return [Difference(text, [name, "does not fight", "fought"])]
    if then.get("strength") != current["strength"]:
        has = choose_form("has|have", name.is_plural)
        text = f"{name} had strength {then.get('strength')} then, and {has} {current['strength']} now"
        return [Difference(text, [name, *(f"strength {table.get('strength')}" for table in (current, then))])]
    if then.get("digest") != current["digest"]:
        is_now = choose_form("is|are", name.is_plural)
        text = f"{with_verb(name, 'has|have')} another faction or commander now, or {is_now} destroyed"
        return [Difference(text)]
    return []
