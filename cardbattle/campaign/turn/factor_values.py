"""The value of terrain, weather, experience, strength and rank in a pending battle, in points of chance.

The value of each factor is the side's share of the points, minus its share without this factor, in battles
from the same seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.campaign.state.battle_setup import (
    destroyed_forces_error,
    rehearsal_table,
    side_advantages,
)
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.battle_effects import circumstance_gifts, circumstances, experience_of
from cardbattle.campaign.turn.fighting import thinks
from cardbattle.commanders import DEFAULT
from cardbattle.core.errors import CardbattleError
from cardbattle.rules import is_not_installed
from cardbattle.simulation.counting import WHOLE, count

BATTLES = 200
PATH = "worth"

Without = Callable[[Campaign], Campaign]  # returns the campaign without one factor


class Worth(NamedTuple):
    """The value of one factor to a side, in points of its chance out of 100, rounded."""

    side: str
    name: str
    points: int

    def __str__(self) -> str:
        return f"{self.name} {self.points:+d}"


class Factor(NamedTuple):
    """One factor: the side that it helps, its name, and the campaign without it."""

    side: str
    name: str
    without: Without


def worth_sentence(campaign: Campaign, battle: Pending) -> str:
    """Describe the value of each factor in a battle with terrain, weather or experience; otherwise return "".

    An example: `worth in points of chance: Prince Henry: town +8, veteran +18; Harry Hotspur: strength 24 to
    19 +5`.
    """
    if is_not_installed(campaign.rules_key(battle)) or not circumstance_gifts(campaign, battle):
        return ""
    worths = measure_worth(campaign, battle)
    by_side: dict[str, list[str]] = {}
    for worth in worths:
        by_side.setdefault(worth.side, []).append(str(worth))
    names = dict(zip(battle.keys, battle.sides, strict=True))
    parts = [
        f"{campaign.side_name(names[side], battle)}: {', '.join(words)}" for side, words in by_side.items()
    ]
    return f"worth in points of chance: {'; '.join(parts)}" if parts else ""


def measure_worth(campaign: Campaign, battle: Pending, battles: int = BATTLES) -> list[Worth]:
    """Return the value of each factor in a pending battle, in seat order.

    Battles of commanders who think ahead are not measured, because that would take minutes.
    """
    if destroyed_forces_error(campaign, battle) or thinks(campaign, battle):
        return []
    try:
        whole = shares(campaign, battle, battles)
        worths = []
        for factor in factors_of(campaign, battle):
            seat = battle.keys.index(factor.side)
            points = whole[seat] - shares(factor.without(campaign), battle, battles)[seat]
            worths.append(Worth(factor.side, factor.name, round(100 * points)))
    except CardbattleError:
        return []
    return sorted(worths, key=lambda worth: battle.keys.index(worth.side))


def shares(campaign: Campaign, battle: Pending, battles: int) -> list[float]:
    """Return each side's share of the points in this number of battles, always from the same seeds."""
    plan = read_battle(rehearsal_table(campaign, battle), campaign.folder)
    tally = count(plan, PATH, 0, battles)
    return [points / (WHOLE * tally.battles) for points in tally.points]


def factors_of(campaign: Campaign, battle: Pending) -> Iterator[Factor]:
    """Yield the factors of a battle: circumstances, experience, strength, and ranks other than regular."""
    names = {circumstance.name for circumstance in circumstances(campaign, battle)}
    gifts = circumstance_gifts(campaign, battle)
    for name in [*dict.fromkeys(gift.cause.partition(",")[0] for gift in gifts)]:
        sides = [gift.side for gift in gifts if gift.cause.partition(",")[0] == name]
        if name in names:
            yield Factor(sides[0], name, without_circumstance(name))
    for experience in experience_of(campaign, battle):
        yield Factor(experience.side, experience.cause("", "", ""), without_experience(experience.side))
    edges = side_advantages(campaign, battle)
    for edge in edges:
        if edge.gifts:
            strength = f"strength {edge.strength} to {edge.weakest}"
            yield Factor(edge.side, strength, lambda now: now.model_copy(update={"advantage": {}}))
    for key in battle.keys:
        rank = campaign.forces[key].commander
        if rank != DEFAULT:
            yield Factor(key, rank, with_regular(key))


def without_circumstance(name: str) -> Without:
    """Return a function that removes a kind of terrain or weather from a campaign."""

    def without(campaign: Campaign) -> Campaign:
        terrain = {key: {} if key == name else table for key, table in campaign.terrain.items()}
        weather = campaign.weather
        if weather is not None:
            kinds = [
                kind.model_copy(update={"battle": {}}) if kind.name == name else kind
                for kind in weather.table
            ]
            weather = weather.model_copy(update={"table": kinds})
        return campaign.model_copy(update={"terrain": terrain, "weather": weather})

    return without


def without_experience(force: str) -> Without:
    """Return a function that removes a force's experience."""
    return lambda campaign: with_force(campaign, force, {"experience": 0})


def with_regular(force: str) -> Without:
    """Return a function that gives a force a regular commander."""
    return lambda campaign: with_force(campaign, force, {"commander": DEFAULT})


def with_force(campaign: Campaign, force: str, values: dict[str, object]) -> Campaign:
    """Return a campaign in which a force has different values."""
    forces = {**campaign.forces, force: campaign.forces[force].model_copy(update=values)}
    return campaign.model_copy(update={"forces": forces})


def worth_by_battle(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield the id of each pending battle with circumstances, and a sentence with the value of its factors.

    Values are in points of chance out of 100; each factor takes 200 simulated battles. Left out are battles
    that cannot be simulated, and those of commanders who think ahead.
    """
    for battle in campaign.pending:
        sentence = worth_sentence(campaign, battle)
        if sentence:
            yield battle.id, sentence
