"""The part of JSON Schema that our own schema uses, to hold files against it."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
KNOWN = {
    "$schema", "$defs", "$ref", "title", "description", "default", "type", "enum", "const", "pattern",
    "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "items", "properties",
    "patternProperties", "propertyNames", "additionalProperties", "required", "anyOf", "format",
}  # fmt: skip


def fits(value: Any, schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    """Say whether a value is as a schema wants it; a word this does not know is an error."""
    assert schema.keys() <= KNOWN, schema.keys() - KNOWN
    if isinstance(value, date):  # as editors see a date of TOML
        return schema.get("format") == "date" and fits(value.isoformat(), schema, whole)
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if not is_kind(value, schema.get("type")) or value not in schema.get("enum", [value]):
        return False
    if "anyOf" in schema and not any(fits(value, one, whole) for one in schema["anyOf"]):
        return False
    if "const" in schema and (type(value) is bool or value != schema["const"]):
        return False
    if isinstance(value, dict):
        return table_fits(value, schema, whole)
    if isinstance(value, list):
        return schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)) and all(
            fits(item, schema.get("items", {}), whole) for item in value
        )
    if isinstance(value, str):
        fitting = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        return fitting and re.search(schema.get("pattern", ""), value) is not None
    if type(value) is not int:
        return True
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))


def is_kind(value: Any, kinds: Any) -> bool:
    """Say whether a value is of one of these types; true is no number."""
    named = [kinds] if isinstance(kinds, str) else kinds
    return named is None or any(type(value) is KINDS[kind] for kind in named)


def table_fits(table: dict[str, Any], schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    """Say whether a table has what it must, and under each key what may stand there."""
    if not set(schema.get("required", [])) <= table.keys():
        return False
    for key, value in table.items():
        if not fits(key, schema.get("propertyNames", {}), whole):
            return False
        inside = schema.get("properties", {}).get(key)
        if inside is None:
            patterns = schema.get("patternProperties", {}).items()
            inside = next((one for pattern, one in patterns if re.search(pattern, key)), None)
        if inside is None:
            inside = schema.get("additionalProperties", True)
        if inside is False or (inside is not True and not fits(value, inside, whole)):
            return False
    return True
