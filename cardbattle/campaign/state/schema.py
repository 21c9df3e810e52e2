"""The JSON Schema of campaign.toml, for editors that complete and check as one types."""

from __future__ import annotations

import json
import os
from typing import Any

from cardbattle import rules
from cardbattle.campaign.state.fields import KEY_PATTERN
from cardbattle.campaign.state.model import Campaign
from cardbattle.commanders import RANKS, plug_ins, thinks_ahead
from cardbattle.files import disk

NAME = "campaign.schema.json"


def campaign_schema() -> dict[str, object]:
    """Return the JSON Schema: every key, its values, and a line of help."""
    bare = tidy(Campaign.model_json_schema(by_alias=True))
    assert isinstance(bare, dict)
    bare["patternProperties"] = {"^x(_|$)": {}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "campaign.toml", **bare}


def text() -> str:
    """Return the schema as its file has it."""
    return json.dumps(campaign_schema(), indent=2, ensure_ascii=False) + "\n"


def put_into(folder: str) -> None:
    """Write the schema beside a campaign, unless there is one."""
    path = os.path.join(folder, NAME)
    if not os.path.lexists(path):
        disk.replace(path, text().encode("utf-8"))


def tidy(value: object) -> object:
    """Return a schema without what TOML cannot say (null) and what pydantic made up (titles)."""
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
    """Return that a table has these things by their keys, and the umpire's own notes beside them."""
    patterns = {f"^(?!x_){KEY_PATTERN[1:]}": inside, "^x_": {}}
    return {"patternProperties": patterns, "additionalProperties": False}


def is_nullable(schema: dict[str, object]) -> bool:
    """Say whether a schema allows one thing or null."""
    arms = schema.get("anyOf")
    return isinstance(arms, list) and len(arms) == 2 and arms[1] == {"type": "null"}


def is_made_up(key: str, value: object) -> bool:
    """Say whether a schema's entry says nothing to an umpire."""
    return (key == "title" and isinstance(value, str)) or (key == "default" and value is None)


COMMANDERS = [*RANKS, *plug_ins()]
THINKING = "|".join(filter(thinks_ahead, COMMANDERS))
WORDS: dict[str, dict[str, object]] = {
    "rules": {"enum": [*rules.RULE_SETS, *rules.ALIASES, *rules.plug_ins()]},
    "rank": {"anyOf": [{"enum": COMMANDERS}, {"pattern": f"^({THINKING}):iterations=[0-9]{{1,8}}$"}]},
}
