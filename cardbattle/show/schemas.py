"""The JSON Schemas of files and of JSON output, by name.

Most are files of `cardbattle/data/schemas`; `index.json` lists them. The schemas of battle files and of
campaigns depend on the installed rule sets, so they are made when they are needed.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import NamedTuple

FOLDER = resources.files("cardbattle").joinpath("data", "schemas")


class SchemaIndex(NamedTuple):
    """The names of all schemas.

    Attributes:
        files: for each kind of file, what it is.
        outputs: for each command with JSON output, the name of its schema.

    """

    files: dict[str, str]
    outputs: dict[str, str]


@cache
def schema_index() -> SchemaIndex:
    """Return the names of all schemas."""
    table = json.loads(FOLDER.joinpath("index.json").read_text(encoding="utf-8"))
    return SchemaIndex(table["files"], table["outputs"])


def stored_schema(name: str) -> dict[str, object]:
    """Return one of the schemas of the package."""
    schema: dict[str, object] = json.loads(FOLDER.joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return schema


def schema_text(schema: dict[str, object]) -> str:
    """Return a schema as the text of a file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
