"""Build the JSON Schema of battle files.

Editors use the schema to complete and check a file while you type.
"""

from __future__ import annotations

from typing import Any

from cardbattle import rules
from cardbattle.battles.records.battle_file import FORFEIT, STOP
from cardbattle.commanders import ENGINE, HUMAN, ORDERS, RANKS, plug_ins, thinks_ahead
from cardbattle.core.names import KEY
from cardbattle.core.ruleset import RuleSet
from cardbattle.files.reader import MOST_SEED

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: dict[str, object] = {"type": "string"}
TEXTS: dict[str, object] = {"type": "array", "items": TEXT}
NAME: dict[str, object] = {"type": "string", "pattern": f"^{KEY.pattern}$"}
SEED: dict[str, object] = {
    "description": "whole number or text that determines all random results",
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": MOST_SEED},
        {"type": "string", "minLength": 1, "maxLength": 200},
    ],
}


def any_rules() -> dict[str, object]:
    """Return the schema of the key `rules`, which lists the names of all installed rule sets."""
    return {"enum": [*rules.RULE_SETS, *rules.ALIASES, *rules.plug_ins()]}


def rank(*others: str) -> dict[str, object]:
    """Return the schema of a commander's rank. The schema also accepts the words in `others`."""
    ranks = [*RANKS, *plug_ins()]
    thinking = "|".join(filter(thinks_ahead, ranks))
    return {"anyOf": [{"enum": [*ranks, *others]}, {"pattern": f"^({thinking}):iterations=[0-9]{{1,8}}$"}]}


def commander() -> dict[str, object]:
    """Return the schema of the key `commander` in a battle file."""
    return {"anyOf": [rank(ORDERS, HUMAN), {"pattern": f"^{ENGINE}:{KEY.pattern}$"}]}


def battle_schema() -> dict[str, object]:
    """Return the schema of a battle file, with the options of all installed rule sets."""
    return {
        "$schema": DIALECT,
        "title": "Battle file",
        **table(
            {
                "format": {"const": 1, "description": "version of the format"},
                "id": {**NAME, "description": "name of the battle in campaigns and results"},
                "rules": {**any_rules(), "description": "the rule set"},
                "seed": SEED,
                "house": {"type": "object", "description": "house rules"},
                "sides": {"type": "object", "description": "one table for each side, in seat order"},
                "deal": {"type": "object", "description": "cards drawn at a real table, top first"},
                "bound": {"type": "object", "description": "the campaign battle; written by export"},
            },
            "rules",
            "sides",
        ),
        "allOf": [
            {"if": {"properties": {"rules": {"enum": names_of(chosen)}}}, "then": options_of(chosen)}
            for chosen in rules.every()
        ],
    }


def table(properties: dict[str, Any], *required: str) -> dict[str, object]:
    """Return the schema of a table that has only these keys. `required` names the required keys."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def names_of(chosen: RuleSet) -> list[str]:
    """Return the key of a rule set, and its alias if it has one."""
    return [chosen.key, chosen.alias] if chosen.alias else [chosen.key]


def options_of(chosen: RuleSet) -> dict[str, object]:
    """Return the schema of a rule set's house rules and sides."""
    side = table(side_keys() | {word: option.schema() for word, option in chosen.options.items()})
    sides = {"propertyNames": NAME, "additionalProperties": side}
    numbers = {"minProperties": chosen.fewest, "maxProperties": chosen.most}
    house = table({word: option.schema() for word, option in chosen.house.items()})
    return {"properties": {"house": house, "sides": {**sides, **numbers}}}


def side_keys() -> dict[str, object]:
    """Return the schemas of those keys of a side that exist in all rule sets."""
    return {
        "name": {"type": "string", "minLength": 1, "maxLength": 40, "description": "name in reports"},
        "plural": {"type": "boolean", "description": "whether the name takes plural verbs"},
        "commander": {**commander(), "description": "who answers for the side"},
        "orders": {**TEXTS, "description": "answers in order"},
        "then": {**rank(), "description": "the commander after the last order"},
        "if_impossible": {"enum": ["refuse", "then"], "description": "what to do with an impossible order"},
        "if_engine_fails": {**rank(STOP, FORFEIT), "description": "what happens if an engine fails"},
        "standing": {**TEXTS, "description": "standing orders: an answer for each kind of question"},
    }
