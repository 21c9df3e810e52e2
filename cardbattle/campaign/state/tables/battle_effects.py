"""The effects of terrain, weather and experience on the sides of a pending battle.

They are applied before the advantages that strength gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.battles import strength
from cardbattle.battles.strength import Bonus, Recipient
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.aftermath import ExperienceStep
from cardbattle.campaign.state.tables.terrain import ALL, ATTACKER, DEFENDER, Modifiers
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import listed
from cardbattle.core.options import expand_preset
from cardbattle.core.ruleset import RuleSet


class Circumstance(NamedTuple):
    """The terrain or the weather of a battle, with its name and its effects."""

    name: str
    modifiers: Modifiers

    def gifts(self, side: str, defender: str) -> Iterator[tuple[str, object]]:
        """Yield pairs (option, value) for the gifts to a side.

        `defender` is the key of the defending side, or empty if no side defends.
        """
        return self.modifiers.gifts(side, defender)

    def cause(self, side: str, defender: str, option: str) -> str:
        """Return the reason for a gift to a side, such as `woods, for the defender`."""
        role = DEFENDER if side == defender else ATTACKER
        is_for_role = bool(defender) and option in getattr(self.modifiers, role)
        return f"{self.name}, for the {role}" if is_for_role else self.name


class Experience(NamedTuple):
    """The effects of a side's experience."""

    side: str
    step: ExperienceStep

    def gifts(self, side: str, defender: str) -> Iterator[tuple[str, object]]:
        """Yield pairs (option, value) for the gifts to a side."""
        yield from self.step.give.items() if side == self.side else ()

    def cause(self, side: str, defender: str, option: str) -> str:
        """Return the title that the side has by its experience, such as `veterans`."""
        return self.step.title or f"experience {self.step.at}"


class Gift(NamedTuple):
    """A gift of one option to a side, and the reason for it, such as `woods, for the defender`."""

    side: str
    cause: str
    bonus: Bonus


def place_of_battle(campaign: Campaign, battle: Pending) -> str:
    """Return the key of the place where a battle is fought, or "" if the battle has no place."""
    return battle.place or battle.stakes or ""


def terrain_of(campaign: Campaign, battle: Pending) -> str | None:
    """Return the key of the terrain of a battle, which is its own or that of its place, or None."""
    place = place_of_battle(campaign, battle)
    return battle.terrain or (campaign.locations[place].terrain if place else None)


def battle_title(campaign: Campaign, battle: Pending) -> str:
    """Name a battle for readers by the place or road where it is fought, such as `the battle at York`."""
    at = battle_place_words(campaign, battle.road or (), place_of_battle(campaign, battle))
    return f"the battle {at}" if at else f"battle {battle.id}"


def battle_place_words(campaign: Campaign, road: Sequence[str], place: str) -> str:
    """Return where a battle is fought, such as `at York` or `between York and Wem`, or "" if unknown."""
    if road:
        return f"between {listed(mid_sentence(campaign.location_name(end)) for end in road)}"
    return f"at {mid_sentence(campaign.location_name(place))}" if place else ""


def defender_of(campaign: Campaign, battle: Pending) -> str:
    """Return the key of the side that defends, or "" if no side defends.

    It is the side that the battle names, or otherwise the side whose faction owns the place.
    """
    if battle.defender is not None:
        return battle.defender
    place = place_of_battle(campaign, battle)
    owner = campaign.locations[place].owner if place else None
    holders = [
        side[0] for side in battle.sides if any(campaign.forces[force].faction == owner for force in side)
    ]
    return holders[0] if len(holders) == 1 else ""


def circumstances(campaign: Campaign, battle: Pending) -> Iterator[Circumstance]:
    """Yield the terrain and the weather of a battle, if they have effects in its rule set."""
    key, terrain = campaign.rules_key(battle), terrain_of(campaign, battle)
    if terrain is not None and key in campaign.terrain[terrain]:
        yield Circumstance(terrain, campaign.terrain[terrain][key])
    kind = campaign.weather.kind(battle.weather) if campaign.weather else None
    if kind is not None and key in kind.battle:
        yield Circumstance(kind.name, kind.battle[key])


def battle_effect_clauses(campaign: Campaign, battle: Pending) -> list[str]:
    """Return a clause for each side to which the terrain or the weather of a battle gives options."""
    names = {side[0]: campaign.side_name(side, battle) for side in battle.sides}
    defender = defender_of(campaign, battle)
    roles = {ALL: "every side"}
    if defender:
        attackers = [str(name) for key, name in names.items() if key != defender]
        roles[DEFENDER] = f"the defender ({names[defender]})"
        roles[ATTACKER] = f"the attacker ({attackers[0]})" if len(attackers) == 1 else "each attacker"
    return [
        clause
        for circumstance in circumstances(campaign, battle)
        for clause in effect_clauses(*circumstance, roles)
    ]


def effect_clauses(name: str, modifiers: Modifiers, roles: Mapping[str, str]) -> list[str]:
    """Return clauses about the options that terrain or weather adds to the sides of a battle.

    `roles` has the words for the sides with each role. Roles that no side has are left out.

    >>> effect_clauses("woods", Modifiers(defender={"hand": 1, "extra": ["K"]}), {DEFENDER: "the defender"})
    ['with woods, the defender has hand +1 and extra + K']
    """
    given = {
        whose: [
            f"{option} + {' '.join(map(str, value))}" if isinstance(value, list) else f"{option} {value:+}"
            for option, value in getattr(modifiers, role).items()
        ]
        for role, whose in roles.items()
    }
    return [f"with {name}, {whose} has {listed(gifts)}" for whose, gifts in given.items() if gifts]


def house_of(campaign: Campaign, battle: Pending) -> dict[str, object]:
    """Return the house rules of a battle, of its terrain and weather, and of the campaign, in this order."""
    options = campaign.rules_of(battle).house
    house = expand_preset(options, campaign.house.get(campaign.rules_key(battle), {}))
    for circumstance in circumstances(campaign, battle):
        house |= expand_preset(options, circumstance.modifiers.house)
    return house | expand_preset(options, battle.house)


def options_of(campaign: Campaign, battle: Pending) -> dict[str, dict[str, object]]:
    """Return the options of a battle's sides, including the gifts of terrain, weather and experience."""
    options = {key: dict(values) for key, values in battle.options.items()}
    for gift in circumstance_gifts(campaign, battle):
        options.setdefault(gift.side, {})[gift.bonus.option] = gift.bonus.after
    return options


def circumstance_gifts(campaign: Campaign, battle: Pending) -> list[Gift]:
    """Return the gifts of terrain, weather and experience to each side, in this order.

    Gifts without effect are left out.
    """
    stages: list[Circumstance | Experience] = [
        *circumstances(campaign, battle),
        *experience_of(campaign, battle),
    ]
    if not stages:
        return []
    rules, house = campaign.rules_of(battle), house_of(campaign, battle)
    defender = defender_of(campaign, battle)
    options = {key: dict(battle.options.get(key, {})) for key in battle.keys}
    cards_taken = strength.cards_by_name(rules, {"sides": dict(battle.options)})
    gifts = []
    for stage in stages:
        for side, values in options.items():
            whose = Recipient(values, house, len(battle.keys), cards_taken)
            for bonus in bonuses(rules, stage.gifts(side, defender), whose):
                values[bonus.option] = bonus.after
                gifts.append(Gift(side, stage.cause(side, defender, bonus.option), bonus))
    return gifts


def experience_of(campaign: Campaign, battle: Pending) -> Iterator[Experience]:
    """Yield the effects of experience on each side in battles with the campaign's default rule set.

    The experience of the side's leading force counts.
    """
    if campaign.experience is None or campaign.rules_key(battle) != campaign.rules:
        return
    for key in battle.keys:
        step = campaign.experience.step(campaign.forces[key].experience)
        if step is not None and step.give:
            yield Experience(key, step)


def bonuses(rules: RuleSet, bonus_values: Iterator[tuple[str, object]], whose: Recipient) -> Iterator[Bonus]:
    """Yield the options that a side is given one after the other."""
    for word, gift in bonus_values:
        bonus = strength.bonus_of(rules, word, (gift, 1), whose)
        if bonus.before != bonus.after:
            yield bonus
