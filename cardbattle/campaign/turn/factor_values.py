"""Measure how much each factor contributes to a side's chance of winning a pending battle.

Factors are terrain, weather, experience, strength, house rules and rank. The value of a factor is the side's
share of the points minus its share without this factor, in percentage points. Both shares are counted over
battles with the same seeds (common random numbers), so that fewer battles are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, sqrt
from statistics import fmean, pstdev
from typing import NamedTuple

from cardbattle.battles.strength import Bonus, less
from cardbattle.campaign.ledger.ledger import CONTACT
from cardbattle.campaign.phases.more_sides import command_for_all, rules_for, sides_with, standing_by
from cardbattle.campaign.state.battle_setup import (
    destroyed_forces_error,
    side_advantages,
)
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.battle_effects import (
    circumstance_gifts,
    circumstances,
    experience_of,
    house_of,
)
from cardbattle.campaign.turn.advance import PhaseReport
from cardbattle.campaign.turn.advice import public_plan
from cardbattle.campaign.turn.fighting import thinks
from cardbattle.commanders import DEFAULT
from cardbattle.core.errors import CardbattleError
from cardbattle.core.grammar import together
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.telling import counted
from cardbattle.rules import find, is_not_installed
from cardbattle.simulation.counting import WHOLE, count
from cardbattle.simulation.intervals import Z
from cardbattle.simulation.worth import OPTION, RANK, STRENGTH, worth_of, worths_of

BATTLES = 600  # maximum number of battles with a factor, and as many without it
COMPARED = 60  # maximum number of battles in each rule set that is compared
STEP = 100  # number of battles after which the margin is computed again
CLOSE = 3.0  # margin in percentage points with which a measurement is finished
MOST_WITH, MOST_WITHOUT = 3, 1  # battles that `check` measures: with terrain, weather or experience; others
MOST_FAIR = 2  # maximum number of sides with which strength always helps the stronger side
PATH = "worth"

Position = tuple[Campaign, Pending]
Without = Callable[[Campaign, Pending], Position]  # returns the campaign and the battle without one factor


class Worth(NamedTuple):
    """The value of one factor to a side, as a rounded number of percentage points of the chance to win.

    The true value is within `margin` of `points` with a probability of 95 %. The margin is 0 for values from
    the table of measurements.
    """

    side: str
    name: str
    points: int
    margin: int = 0

    def __str__(self) -> str:
        low, high = self.points - self.margin, self.points + self.margin
        return f"{self.name} {self.points:+d}" + (f" ({low:+d} to {high:+d})" if self.margin else "")


class Factor(NamedTuple):
    """A factor of a battle.

    It has a name, the side whose chance it changes, and a function that removes it. The side is "" if the
    factor changes the rules for all sides. Its value is then the value for the side that it helps most.
    """

    side: str
    name: str
    without: Without


def worth_sentence(
    campaign: Campaign, battle: Pending, battles: int | None = None, *, is_for_umpire: bool = False
) -> str:
    """Describe the value of each factor in a battle: strength, rank, terrain, weather and experience.

    The sentence is empty for a battle without such factors. An example: `worth, in percentage points of the
    chance to win: Prince Henry: town +8 (+5 to +11); Harry Hotspur: strength 24 to 19 +5 (+2 to +8)`. The
    umpire also reads against which sides strength counts.
    """
    if is_not_installed(campaign.rules_key(battle)):
        return ""
    worths = measure_worth(campaign, battle, battles)
    by_side: dict[str, list[str]] = {}
    for worth in worths:
        by_side.setdefault(worth.side, []).append(str(worth))
    names = dict(zip(battle.keys, battle.sides, strict=True))
    parts = [
        f"{campaign.side_name(names[side], battle)}: {', '.join(words)}" for side, words in by_side.items()
    ]
    hints = [harmful_strength_hint(campaign, battle, worths)] if is_for_umpire else []
    sentence = f"worth, in percentage points of the chance to win: {'; '.join(parts)}" if parts else ""
    return "; ".join(filter(None, [sentence, *hints]))


def harmful_strength_hint(campaign: Campaign, battle: Pending, worths: Sequence[Worth]) -> str:
    """Say against which sides their own strength counts, and how to choose another rule set, or return "".

    With more than two sides, the cards that strength gives to two of them can cancel each other out.
    """
    names = dict(zip(battle.keys, battle.sides, strict=True))
    weakened = [
        campaign.side_name(names[worth.side], battle)
        for worth in worths
        if worth.name.startswith("strength ") and worth.points + worth.margin < 0
    ]
    if len(battle.sides) <= MOST_FAIR or not weakened:
        return ""
    key = campaign.rules_key(battle)
    best = best_rules(campaign, battle)
    command = f"cardbattle campaign edit {battle.id} --set rules={best.key}"
    how = f"; choose {best.name} with: {command}" if best.key != key else ""
    where = f"in {find(key).name} with {counted(len(battle.sides), 'side')}"
    return f"strength counts against {together(weakened)} {where}{how}"


def strength_hint(campaign: Campaign, battle: Pending) -> str:
    """Measure against which sides of a battle their own strength counts, as `harmful_strength_hint` says."""
    if len(battle.sides) <= MOST_FAIR or is_not_installed(campaign.rules_key(battle)):
        return ""
    if destroyed_forces_error(campaign, battle) or thinks(campaign, battle):
        return ""
    worths = simulate(campaign, battle, strength_factors(campaign, battle), BATTLES // 3)
    return harmful_strength_hint(campaign, battle, worths)


def best_rules(campaign: Campaign, battle: Pending) -> RuleSet:
    """Return the rule set in which strength counts best for the sides of a battle.

    It is the one in which the side that gains least from its strength gains most. Regular commanders are
    measured. At least one rule set must have enough sides.
    """
    for key in battle.keys:
        campaign = with_force(campaign, key, {"commander": DEFAULT})
    return max(rules_for(len(battle.sides)), key=lambda each: lowest_worth(campaign, battle, each.key))


def lowest_worth(campaign: Campaign, battle: Pending, rules: str) -> float:
    """Return the lowest value of its strength to a side, or minus infinity if strength has no effect."""
    if rules != campaign.rules_key(battle):
        battle = battle.model_copy(update={"rules": rules, "options": {}, "house": {}})
    worths = simulate(campaign, battle, strength_factors(campaign, battle), COMPARED)
    return min((worth.points for worth in worths), default=-inf)


def command_for_everyone(campaign: Campaign, battle: Pending) -> str:
    """Return the command with which the forces fight too that stand by in a pending battle, or "".

    If the battle's rule set has too few sides, the command sets the one in which strength counts best.
    """
    forces = [force for side in standing_by(campaign, battle) for force in side]
    sides = sides_with(campaign, battle.sides, forces)
    enough = rules_for(len(sides))
    if not forces or not enough:
        return ""
    if any(each.key == campaign.rules_key(battle) for each in enough):
        return command_for_all(battle.id, sides)
    best = best_rules(campaign, battle.model_copy(update={"sides": sides}))
    return command_for_all(battle.id, sides, best.key)


def with_commands_for_everyone(report: PhaseReport) -> PhaseReport:
    """Return the report of a movement with the commands that let forces fight that stand by."""
    causes = []
    for cause in report.outcome.causes:
        battle = report.campaign.battle(cause.id) if cause.kind == CONTACT else None
        command = command_for_everyone(report.campaign, battle) if battle else ""
        remarks = [*cause.remarks, f"to let all of them fight: {command}"] if command else cause.remarks
        causes.append(cause._replace(remarks=remarks))
    return report._replace(outcome=report.outcome._replace(causes=causes))


def measure_worth(campaign: Campaign, battle: Pending, battles: int | None = None) -> list[Worth]:
    """Return the value of each factor in a pending battle, in seat order.

    The values are measured by simulation, in BATTLES battles if `battles` is None. If commanders think ahead,
    this would take minutes, so their values come from a table of measured values.
    """
    if destroyed_forces_error(campaign, battle):
        return []
    if thinks(campaign, battle):
        return sorted(look_up(campaign, battle), key=lambda worth: battle.keys.index(worth.side))
    worths = simulate(campaign, battle, [*factors_of(campaign, battle)], battles or BATTLES)
    return sorted(worths, key=lambda worth: battle.keys.index(worth.side))


def simulate(campaign: Campaign, battle: Pending, factors: Sequence[Factor], battles: int) -> list[Worth]:
    """Measure the value of these factors. The list is empty if the battle cannot be simulated."""
    if not factors:
        return []
    try:
        whole = Sample(campaign, battle)
        without = {factor.without: Sample(*factor.without(campaign, battle)) for factor in factors}
        return [measure(factor, whole, without[factor.without], battles) for factor in factors]
    except CardbattleError:
        return []


class Sample:
    """The points of each side, from 0 to 1, in simulated battles. The seeds are always the same."""

    def __init__(self, campaign: Campaign, battle: Pending) -> None:
        self.campaign = campaign
        self.battle = battle
        self.plan = public_plan(campaign, battle)
        self.points: list[list[float]] = []

    def first(self, battles: int) -> list[list[float]]:
        """Return the points in this number of battles, and fight those that are missing."""
        for number in range(len(self.points), battles):
            result = count(self.plan, PATH, number, number + 1)
            self.points.append([points / WHOLE for points in result.points])
        return self.points[:battles]


def measure(factor: Factor, whole: Sample, rest: Sample, battles: int) -> Worth:
    """Measure the value of a factor, in at most this number of battles with the factor and without it."""
    keys = whole.battle.keys
    for number in [*range(STEP, battles, STEP), battles]:
        pairs = zip(whole.first(number), rest.first(number), strict=True)
        gains = [[100 * (a - b) for a, b in zip(*pair, strict=True)] for pair in pairs]
        means = [fmean(column) for column in zip(*gains, strict=True)]
        seat = keys.index(factor.side) if factor.side else means.index(max(means))
        margin = Z * pstdev(gain[seat] for gain in gains) / sqrt(number)
        if margin <= CLOSE:
            break
    return Worth(keys[seat], factor.name, round(means[seat]), round(margin))


def look_up(campaign: Campaign, battle: Pending) -> Iterator[Worth]:
    """Yield the values of each side's rank, strength and gifts from a table of measured values.

    Gifts are options that a side has by terrain, weather or experience. The table was measured in battles of
    regular commanders. It has no values of house rules, so they are simulated, with regular commanders too.
    """
    rules = campaign.rules_key(battle)
    rule_factors = house_factors(campaign, battle)
    regulars = campaign
    for key in battle.keys:
        regulars = with_force(regulars, key, {"commander": DEFAULT})
    yield from simulate(regulars, battle, rule_factors, BATTLES)
    simulated = {factor.name for factor in rule_factors}
    for gift in circumstance_gifts(campaign, battle):
        if gift.cause.partition(",")[0] in simulated:
            continue
        points = gift_worth(rules, gift.bonus)
        if points is not None:
            yield Worth(gift.side, gift.cause.partition(",")[0], round(points))
    for edge in side_advantages(campaign, battle):
        ratios = worths_of(rules, STRENGTH)
        if edge.gifts and ratios and edge.weakest:
            nearest = min(ratios, key=lambda worth: abs(ratio_of(worth.name) - edge.strength / edge.weakest))
            yield Worth(edge.side, f"strength {edge.strength} to {edge.weakest}", round(nearest.points))
    for key in battle.keys:
        rank = campaign.forces[key].commander
        worth = worth_of(rules, RANK, rank.partition(":")[0])
        if worth is not None:
            yield Worth(key, rank, round(worth.points))


def ratio_of(name: str) -> float:
    """Convert a ratio such as `3:2` to a number.

    >>> ratio_of("3:2")
    1.5
    """
    strong, _, weak = name.partition(":")
    return int(strong) / int(weak)


def gift_worth(rules: str, bonus: Bonus) -> float | None:
    """Return the value of a gift in percentage points, or None if this kind of gift was not measured."""
    before, after = bonus.before, bonus.after
    if isinstance(before, int) and isinstance(after, int):
        step = worth_of(rules, OPTION, f"{bonus.option} +1")
        return None if step is None else step.points * (after - before)
    if not isinstance(before, list) or not isinstance(after, list):
        return None
    steps = [card_worth(rules, bonus.option, str(card)) for card in less(after, before)]
    return sum(step for step in steps if step is not None) if None not in steps else None


def card_worth(rules: str, option: str, card: str) -> float | None:
    """Return the value of a card as a side option, in percentage points.

    The table has values for single cards and for ranks. If the card has no value of its own, the value of its
    rank is used. Returns None if neither was measured.
    """
    step = worth_of(rules, OPTION, f"{option} {card}") or worth_of(rules, OPTION, f"{option} {card[:-1]}")
    return step.points if step is not None else None


def factors_of(campaign: Campaign, battle: Pending) -> Iterator[Factor]:
    """Yield the factors of a battle: terrain, weather, experience, strength, house rules and ranks."""
    names = {circumstance.name for circumstance in circumstances(campaign, battle)}
    gifts = circumstance_gifts(campaign, battle)
    for name in [*dict.fromkeys(gift.cause.partition(",")[0] for gift in gifts)]:
        sides = [gift.side for gift in gifts if gift.cause.partition(",")[0] == name]
        if name in names:
            yield Factor(sides[0], name, without_circumstance(name))
    for experience in experience_of(campaign, battle):
        yield Factor(experience.side, experience.cause("", "", ""), without_experience(experience.side))
    yield from strength_factors(campaign, battle)
    with_gifts = {gift.cause.partition(",")[0] for gift in gifts}
    yield from (factor for factor in house_factors(campaign, battle) if factor.name not in with_gifts)
    for key in battle.keys:
        rank = campaign.forces[key].commander
        if rank != DEFAULT:
            yield Factor(key, rank, with_regular(key))


def strength_factors(campaign: Campaign, battle: Pending) -> list[Factor]:
    """Return the strength of each side to which it gives an advantage."""
    return [
        Factor(edge.side, f"strength {edge.strength} to {edge.weakest}", without_strength)
        for edge in side_advantages(campaign, battle)
        if edge.gifts
    ]


def house_factors(campaign: Campaign, battle: Pending) -> list[Factor]:
    """Return the factors that change house rules: terrain, weather, and the house rules of the umpire."""
    house = house_of(campaign, battle)
    factors = [
        Factor("", circumstance.name, without_circumstance(circumstance.name))
        for circumstance in circumstances(campaign, battle)
        if house_of(*without_circumstance(circumstance.name)(campaign, battle)) != house
    ]
    own = [*battle.house, *campaign.house.get(campaign.rules_key(battle), {})]
    if [word for word in own if word not in campaign.rules_of(battle).lots]:
        factors.append(Factor(battle.keys[0], "house rules", without_house))
    return factors


def without_circumstance(name: str) -> Without:
    """Return a function that removes a kind of terrain or weather from a campaign."""

    def without(campaign: Campaign, battle: Pending) -> Position:
        terrain = {key: {} if key == name else table for key, table in campaign.terrain.items()}
        weather = campaign.weather
        if weather is not None:
            kinds = [
                kind.model_copy(update={"battle": {}}) if kind.name == name else kind
                for kind in weather.table
            ]
            weather = weather.model_copy(update={"table": kinds})
        return campaign.model_copy(update={"terrain": terrain, "weather": weather}), battle

    return without


def without_strength(campaign: Campaign, battle: Pending) -> Position:
    """Return the battle without the advantage that strength gives."""
    return campaign.model_copy(update={"advantage": {}}), battle


def without_house(campaign: Campaign, battle: Pending) -> Position:
    """Return the battle without the umpire's house rules, but with the one that says who moves first."""
    lots = campaign.rules_of(battle).lots
    other_rules = {word: value for word, value in battle.house.items() if word in lots}
    return campaign.model_copy(update={"house": {}}), battle.model_copy(update={"house": other_rules})


def without_experience(force: str) -> Without:
    """Return a function that removes a force's experience."""
    return lambda campaign, battle: (with_force(campaign, force, {"experience": 0}), battle)


def with_regular(force: str) -> Without:
    """Return a function that gives a force a regular commander."""
    return lambda campaign, battle: (with_force(campaign, force, {"commander": DEFAULT}), battle)


def with_force(campaign: Campaign, force: str, values: dict[str, object]) -> Campaign:
    """Return a copy of the campaign in which `values` replace the values of a force."""
    forces = {**campaign.forces, force: campaign.forces[force].model_copy(update=values)}
    return campaign.model_copy(update={"forces": forces})


def worth_by_battle(campaign: Campaign, *, is_for_umpire: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the id of each pending battle in which a factor counts, and a sentence about its factors.

    The sentence gives the value of each factor in percentage points of the chance to win. Measuring a factor
    takes at most 1,200 simulated battles. Battles that cannot be simulated are left out.
    """
    for battle in campaign.pending:
        sentence = worth_sentence(campaign, battle, is_for_umpire=is_for_umpire)
        if sentence:
            yield battle.id, sentence


def some_worth_by_battle(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield the same as `worth_by_battle`, but for a few battles, so that it takes a second or two.

    These are the first three battles with terrain, weather or experience, and the first one in which only
    strength, rank or house rules count. They are measured with fewer battles.
    """
    counts = {True: 0, False: 0}
    for battle in campaign.pending:
        has_circumstances = not is_not_installed(campaign.rules_key(battle)) and any(
            (*circumstances(campaign, battle), *experience_of(campaign, battle))
        )
        if counts[has_circumstances] >= (MOST_WITH if has_circumstances else MOST_WITHOUT):
            continue
        number = BATTLES // 2 if has_circumstances else BATTLES // 3
        sentence = worth_sentence(campaign, battle, number, is_for_umpire=True)
        if sentence:
            counts[has_circumstances] += 1
            yield battle.id, sentence
