"""The JSON Schema of campaign.toml, for editors that complete and check as one types."""

from __future__ import annotations

from cardbattle import rules
from cardbattle.campaign.model import Campaign
from cardbattle.commanders import RANKS

NAME = "campaign.schema.json"


def campaign_schema() -> dict[str, object]:
    """Return the schema: every key, what may stand there, and a line of help."""
    bare = tidy(Campaign.model_json_schema(by_alias=True))
    assert isinstance(bare, dict)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "campaign.toml", **bare}


def tidy(value: object) -> object:
    """Return a schema without what TOML cannot say (null) and what pydantic made up (titles)."""
    if isinstance(value, list):
        return [tidy(item) for item in value]
    if not isinstance(value, dict):
        return value
    if is_nullable(value):
        return tidy({key: inside for key, inside in value.items() if key != "anyOf"} | value["anyOf"][0])
    left = {key: tidy(inside) for key, inside in value.items() if not is_made_up(key, inside)}
    known = WORDS.get(str(left.get("format")))
    return (
        {**{key: inside for key, inside in left.items() if key != "format"}, "enum": known} if known else left
    )


def is_nullable(schema: dict[str, object]) -> bool:
    """Say whether a schema allows one thing or null."""
    arms = schema.get("anyOf")
    return isinstance(arms, list) and len(arms) == 2 and arms[1] == {"type": "null"}


def is_made_up(key: str, value: object) -> bool:
    """Say whether a schema's entry says nothing to an umpire."""
    return (key == "title" and isinstance(value, str)) or (key == "default" and value is None)


WORDS = {"rules": [*rules.RULE_SETS, *rules.ALIASES], "rank": list(RANKS)}
