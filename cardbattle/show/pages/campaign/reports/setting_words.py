"""The campaign's settings in sentences, for the players' reports."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.campaign.state.changes import is_presence
from cardbattle.campaign.state.model import Attrition, Scoring, Visibility
from cardbattle.campaign.state.tables.aftermath import (
    CHOOSE,
    DESTROYED,
    NEAREST_OWN,
    NO_RETREAT,
    PREVIOUS,
    STAYS,
    SURRENDERS,
    AftermathSettings,
    ExperienceSettings,
)
from cardbattle.campaign.state.tables.movement import PLACE, ROAD_AND_PLACE, MovementSettings
from cardbattle.campaign.state.tables.upkeep import (
    OWN,
    POINTS,
    PURSE,
    SUPPLY,
    IncomeSettings,
    RecoverySettings,
    RecruitSettings,
    SupplySettings,
)
from cardbattle.campaign.visibility.reader import ROUGH, rough_range
from cardbattle.core.names import listed

if TYPE_CHECKING:
    from cardbattle.campaign.state.changes import Change, Key
    from cardbattle.campaign.state.fields import Model
    from cardbattle.campaign.state.model import Campaign

MODELS: Mapping[str, type[Model]] = {
    "scoring": Scoring,
    "attrition": Attrition,
    "visibility": Visibility,
    "movement": MovementSettings,
    "aftermath": AftermathSettings,
    "experience": ExperienceSettings,
    "supply": SupplySettings,
    "recovery": RecoverySettings,
    "recruit": RecruitSettings,
    "income": IncomeSettings,
}

REMOVED = {
    "scoring": "battles bring no points",
    "attrition": "battles cost no strength for good",
    "movement": "forces no longer march by orders",
    "aftermath": "a lost battle has no further consequences",
    "experience": "forces gain no experience",
    "supply": "forces need no supplies",
    "recovery": "forces do not recover by rest",
    "recruit": "forces no longer hire soldiers",
    "income": "factions have no income",
}  # what it means that a table is gone

RULES: Mapping[Key, Mapping[object, str]] = {
    ("visibility", "strength"): {
        "all": "everyone knows the strength of all forces",
        "rough": "players know the strength of other forces only roughly",
        "own": "players know only the strength of their own forces",
    },
    ("visibility", "location"): {
        "all": "everyone sees where all forces are",
        "rough": "players see other forces only in or next to places that they own or occupy",
        "own": "players see only where their own forces are",
    },
    ("visibility", "commander"): {
        "all": "everyone knows the commanders of all forces",
        "rough": "players know the commanders of other forces only roughly",
        "own": "players know only the commanders of their own forces",
    },
    ("visibility", "pending"): {
        "all": "everyone knows all pending battles",
        "rough": "players know the pending battles of their own forces and those in sight",
        "own": "players know only the pending battles of their own forces",
    },
    ("movement", "contact"): {
        ROAD_AND_PLACE: "enemies meet in places and on roads",
        PLACE: "enemies meet only in places, and pass each other on roads",
    },
    ("aftermath", "retreat"): {
        NEAREST_OWN: "a beaten force retreats towards its own places",
        PREVIOUS: "a beaten force retreats to where it came from",
        CHOOSE: "players choose where their beaten forces retreat",
        NO_RETREAT: "beaten forces do not retreat",
    },
    ("aftermath", "no_retreat"): {
        STAYS: "a force that cannot retreat stays",
        SURRENDERS: "a force that cannot retreat surrenders",
        DESTROYED: "a force that cannot retreat is destroyed",
    },
    ("aftermath", "capture"): {
        True: "a faction takes a place in which only it has forces",
        False: "a faction takes no place without a battle for it",
    },
    ("aftermath", "exchange"): {
        True: "factions exchange prisoners one for one",
        False: "factions do not exchange prisoners",
    },
    ("recruit", "places"): {
        SUPPLY: "forces hire soldiers in supply places of their faction",
        OWN: "forces hire soldiers in all places of their faction",
    },
    ("income", "to"): {POINTS: "income is paid in points", PURSE: "income goes into the purse"},
}

AMOUNTS: Mapping[Key, str] = {
    ("scoring", "win"): "points for a victory",
    ("scoring", "draw"): "points for a draw",
    ("scoring", "loss"): "points for a defeat",
    ("scoring", "declined"): "points for declining a battle",
    ("scoring", "per_score"): "points for each point of a battle's score",
    ("scoring", "per_value"): "points for each point of value of a place at the end of the war",
    ("attrition", "destroyed_below"): "strength below which a force is destroyed",
    ("movement", "allowance"): "steps that a force can march in a turn",
    ("movement", "stacking"): "friendly forces that a place can hold",
    ("experience", "battle"): "experience for a battle",
    ("experience", "win"): "additional experience for a victory",
    ("supply", "range"): "greatest distance from supplies in steps",
    ("recruit", "cost"): "price of a soldier",
    ("recruit", "most"): "soldiers that a force can hire in a turn",
    ("income", "per_value"): "income for each point of value of a place",
}

SHARES: Mapping[Key, str] = {
    ("attrition", "rate"): "share of its losses in a battle that a force loses for good",
    ("attrition", "winner_rate"): "share of its losses in a battle that a winner loses for good",
    ("aftermath", "pursuit"): "share of its strength that a force loses in the pursuit for each full 2:1",
    ("aftermath", "leader_killed"): "chance that the leader of a beaten force falls",
    ("aftermath", "leader_captured"): "chance that the leader of a beaten force is captured",
    ("supply", "out_of_supply"): "share of its strength that a force without supplies loses in a turn",
    ("recovery", "rate"): "share of its full strength that a resting force regains in a turn",
}

UNSET: Mapping[Key, str] = {
    ("attrition", "winner_rate"): "as for all forces",
    ("movement", "stacking"): "any number",
    ("recruit", "most"): "any number",
}  # what a setting without a value means


EXAMPLES = (5, 10)  # rough strengths that a message explains


def rule_clause(change: Change) -> str:
    """Return a clause about the new rule of a changed setting, or "" if the setting has no words."""
    if is_presence(change.key):
        return REMOVED.get(change.key[0], "") if change.after is None and len(change.key) == 2 else ""
    values = [default(change.key) if value is None else value for value in (change.before, change.after)]
    if change.key in RULES:
        return RULES[change.key].get(values[1], "")
    label = AMOUNTS.get(change.key) or SHARES.get(change.key)
    before, after = (value_text(change.key, value) for value in values)
    if not label or not after:
        return ""
    return f"{label}: {after}{f' instead of {before}' if before else ''}"


def rules_of_war(campaign: Campaign) -> list[str]:
    """Return clauses about points, battles, rest and rough strengths, for players who read them for once."""
    clauses = [*points_clauses(campaign), *aftermath_clauses(campaign)]
    attrition, recovery = campaign.attrition, campaign.recovery
    if attrition.rate or attrition.winner_rate:
        rate, winner_rate = (
            value_text(("attrition", "rate"), share) for share in (attrition.rate, attrition.winner_rate)
        )
        winner = "" if attrition.winner_rate is None else f", and a winner {winner_rate}"
        clauses.append(f"a force loses {rate} of its losses in a battle for good{winner}")
    if recovery is not None and recovery.rate:
        rate = value_text(("recovery", "rate"), recovery.rate)
        clauses.append(f"a force that rests in a place of its faction regains {rate} of its full strength")
    clauses += experience_clauses(campaign)
    if campaign.visibility.strength == ROUGH:
        clauses.append(f"a strength of {listed(map(band_words, EXAMPLES))}")
    return clauses


def band_words(number: int) -> str:
    """Return what a rough strength means.

    >>> band_words(10)
    '"about 10" is 8 to 12'
    """
    low, high = rough_range(number)
    return f'"about {number}" is {low} to {high}'


def points_clauses(campaign: Campaign) -> list[str]:
    """Return a clause about how factions gain points. Messages name the value of places after a last turn."""
    scoring = campaign.scoring.model_dump()
    if campaign.last_turn is not None:
        del scoring["per_value"]
    points = {key: number for key, number in scoring.items() if number}
    parts = [f"{number} {AMOUNTS['scoring', key].removeprefix('points ')}" for key, number in points.items()]
    return [f"points: {listed(parts)}"] if parts else []


def aftermath_clauses(campaign: Campaign) -> list[str]:
    """Return clauses about retreats, the pursuit and the capture of places."""
    aftermath = campaign.aftermath
    clauses: list[str] = []
    if aftermath is not None:
        clauses.append(RULES["aftermath", "retreat"][aftermath.retreat])
        if aftermath.retreat != NO_RETREAT:
            clauses.append(RULES["aftermath", "no_retreat"][aftermath.no_retreat])
        if aftermath.pursuit:
            share = value_text(("aftermath", "pursuit"), aftermath.pursuit)
            clauses.append(f"a retreating force loses {share} of its strength for each full 2:1 against it")
        clauses.append(RULES["aftermath", "capture"][aftermath.capture])
    return clauses


def experience_clauses(campaign: Campaign) -> list[str]:
    """Return a clause about the experience that battles and victories bring."""
    gains = campaign.experience
    if gains is None or not (gains.battle or gains.win):
        return []
    if not gains.battle:
        return [f"a victory brings a force {gains.win} experience"]
    victory = f", and a victory {gains.win} more" if gains.win else ""
    return [f"a battle brings a force {gains.battle} experience{victory}"]


def default(key: Key) -> object:
    """Return the default of a setting, or None if it has none."""
    model = MODELS.get(key[0])
    field = model.model_fields.get(key[-1]) if model else None
    if field is None or field.is_required():
        return None
    return field.get_default(call_default_factory=True)


def value_text(key: Key, value: object) -> str:
    """Return a number as text, or a share in percent. The text of a missing value can be empty."""
    if value is None:
        return UNSET.get(key, "")
    return f"{float(100 * Fraction(str(value))):.0f}%" if key in SHARES else str(value)
