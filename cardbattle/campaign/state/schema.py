"""The JSON Schema of campaign.toml, with which editors complete and check the file while you type."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from cardbattle.battles.records.battle_schema import DIALECT, any_rules, rank
from cardbattle.campaign.state.fields import KEY_PATTERN
from cardbattle.campaign.state.model import Campaign
from cardbattle.files import disk

NAME = "campaign.schema.json"


def campaign_schema() -> dict[str, object]:
    """Return the JSON Schema, which contains every key, its possible values, and a line of help."""
    bare = tidy(Campaign.model_json_schema(by_alias=True))
    assert isinstance(bare, dict)
    bare["patternProperties"] = {"^x(_|$)": {}}
    return {"$schema": DIALECT, "title": "campaign.toml", **bare}


@cache
def text() -> str:
    return json.dumps(campaign_schema(), indent=2, ensure_ascii=False) + "\n"


def put_into(folder: str) -> None:
    """Write the schema to the folder of a campaign, unless the file already exists."""
    path = os.path.join(folder, NAME)
    if not os.path.lexists(path):
        disk.replace(path, text().encode("utf-8"))


def tidy(value: object) -> object:
    """Return a schema without null and without pydantic's generated titles. TOML has no null."""
    if isinstance(value, list):
        return [tidy(item) for item in value]
    if not isinstance(value, dict):
        return value
    if is_nullable(value):
        return tidy({key: inside for key, inside in value.items() if key != "anyOf"} | value["anyOf"][0])
    left: dict[str, Any] = {key: tidy(inside) for key, inside in value.items() if not is_made_up(key, inside)}
    if KEY_PATTERN in left.get("patternProperties", {}):
        left |= only_keys(left["patternProperties"][KEY_PATTERN])
    if left.get("format") in ("rules", "rank"):
        left |= WORDS[left.pop("format")]
    return left


def only_keys(inside: object) -> dict[str, object]:
    """Return the schema of a table that has values of the type `inside`, and the umpire's own keys."""
    patterns = {f"^(?!x_){KEY_PATTERN[1:]}": inside, "^x_": {}}
    return {"patternProperties": patterns, "additionalProperties": False}


def is_nullable(schema: dict[str, object]) -> bool:
    """Return True if a schema allows one type or null."""
    arms = schema.get("anyOf")
    return isinstance(arms, list) and len(arms) == 2 and arms[1] == {"type": "null"}


def is_made_up(key: str, value: object) -> bool:
    """Return True if pydantic generated this entry of a schema and it does not help an umpire."""
    return (key == "title" and isinstance(value, str)) or (key == "default" and value is None)


WORDS: dict[str, dict[str, object]] = {"rules": any_rules(), "rank": rank()}
