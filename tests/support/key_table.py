"""Write the keys of campaign.toml for shell completion: `python -m tests.support.key_table > FILE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from cardbattle.campaign.state.renaming import EACH, REFERENCES
from cardbattle.campaign.state.schema import campaign_schema

NOT_TYPED = ("revision", "format")  # keys that the program writes


def key_paths(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Any]]:
    """Yield each key path with its choices: a list of words, or the table whose keys are meant."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    inner = {
        key: value for key, value in schema.get("properties", {}).items() if key not in NOT_TYPED or path
    }
    kinds = [value for _, value in schema.get("patternProperties", {}).items() if value]
    kinds += [
        value
        for value in (schema.get("additionalProperties"), schema.get("items"))
        if isinstance(value, dict)
    ]
    kinds = [value for value in kinds if "$ref" in value or "properties" in value]
    inner |= {EACH: kinds[0]} if kinds else {}
    if path:
        yield path, choices(schema, path)
    for key, value in inner.items():
        yield from key_paths(value, definitions, f"{path}.{key}".lstrip("."))


def choices(schema: Mapping[str, Any], path: str) -> Any:
    """Return the words that a value can be, the name of a list that grows (`forces`, `ranks`), or nothing."""
    at = tuple(path.split("."))
    for table, places in REFERENCES.items():
        if any(place in (at, (*at, EACH)) for place in places):
            return table
    if at[-1] in ("rules", "commander"):
        return {"rules": "rules", "commander": "ranks"}[at[-1]]
    if schema.get("type") == "boolean":
        return ["true", "false"]
    arms = [schema, *schema.get("anyOf", [])]
    return next((arm["enum"] for arm in arms if "enum" in arm), [])


def key_table_text() -> str:
    """Return the whole file, a line for each key."""
    schema = campaign_schema()
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    lines = [f"{json.dumps(path)}: {json.dumps(words)}" for path, words in key_paths(schema, definitions)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(key_table_text())
