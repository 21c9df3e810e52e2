"""Read the JSON Schemas of files and of JSON output by their names.

Most schemas are files in `cardbattle/data/schemas`, and `index.json` lists them. The schemas of battle files
and of campaigns depend on the installed rule sets, so they are generated when they are needed.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import NamedTuple

FOLDER = resources.files("cardbattle").joinpath("data", "schemas")
MESSAGES = resources.files("cardbattle").joinpath("data", "protocol", "1")


class SchemaIndex(NamedTuple):
    """The names of all schemas.

    Attributes:
        files: for each kind of file, a description of the kind.
        outputs: for each command with JSON output, the name of its schema.
        messages: for each message of the engine protocol, such as `protocol ask`, its type.

    """

    files: dict[str, str]
    outputs: dict[str, str]
    messages: dict[str, str]


@cache
def schema_index() -> SchemaIndex:
    table = json.loads(FOLDER.joinpath("index.json").read_text(encoding="utf-8"))
    types = sorted(file.name.removesuffix(".json") for file in MESSAGES.iterdir())
    return SchemaIndex(table["files"], table["outputs"], {f"protocol {kind}": kind for kind in types})


def read_stored_schema(name: str) -> dict[str, object]:
    """Return the schema of a file or of JSON output."""
    schema: dict[str, object] = json.loads(FOLDER.joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return schema


def schema_text(schema: dict[str, object]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
