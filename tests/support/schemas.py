"""The part of JSON Schema that our schemas use, to check files and output against them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

Schema = dict[str, Any]
KINDS = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
KNOWN = {
    "$schema", "$defs", "$ref", "title", "description", "default", "type", "enum", "const", "pattern",
    "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "items", "properties",
    "minProperties", "maxProperties", "patternProperties", "propertyNames", "additionalProperties",
    "required", "anyOf", "allOf", "if", "then", "format",
}  # fmt: skip


def fits(value: Any, schema: Schema, whole: Schema) -> bool:
    """Return True if a value is valid; an unknown word in the schema is an error."""
    return not complaint(value, schema, whole)


def complaint(value: Any, schema: Schema, whole: Schema, at: str = "") -> str:
    """Return the first reason why a value is not valid, with its place; "" if it is valid."""
    return next(complaints(value, schema, whole, at), "")


def complaints(value: Any, schema: Schema, whole: Schema, at: str) -> Iterator[str]:
    """Yield why a value is not valid, each with its place."""
    assert schema.keys() <= KNOWN, schema.keys() - KNOWN
    if isinstance(value, date):  # as editors see a date of TOML
        if schema.get("format") != "date":
            yield f"{at}: a date"
        value = value.isoformat()
    if "$ref" in schema:
        yield from complaints(value, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], whole, at)
    if not is_kind(value, schema.get("type")):
        yield f"{at}: not {schema['type']}: {value!r}"
    if not any(equal(value, item) for item in schema.get("enum", [value])):
        yield f"{at}: none of {schema['enum']}: {value!r}"
    if "const" in schema and not equal(value, schema["const"]):
        yield f"{at}: not {schema['const']!r}: {value!r}"
    if "anyOf" in schema:
        reasons = []
        for choice in schema["anyOf"]:
            reasons.append(complaint(value, choice, whole, at))
            if not reasons[-1]:
                break
        else:
            yield f"{at}: ({'; '.join(reasons)})"
    for part in schema.get("allOf", []):
        yield from complaints(value, part, whole, at)
    if "if" in schema and fits(value, schema["if"], whole):
        yield from complaints(value, schema["then"], whole, at)
    if isinstance(value, dict):
        yield from table_complaints(value, schema, whole, at)
    if isinstance(value, list):
        yield from bound_complaints(len(value), schema, "minItems", "maxItems", at)
        for place, item in enumerate(value):
            yield from complaints(item, schema.get("items", {}), whole, f"{at}.{place}")
    if isinstance(value, str):
        yield from bound_complaints(len(value), schema, "minLength", "maxLength", at)
        if re.search(schema.get("pattern", ""), value) is None:
            yield f"{at}: not like {schema['pattern']}: {value!r}"
    if type(value) in (int, float):
        yield from bound_complaints(value, schema, "minimum", "maximum", at)


def equal(value: Any, other: Any) -> bool:
    """Return True if two values are equal; true is not the number 1."""
    return type(value) is type(other) and value == other


def bound_complaints(size: float, schema: Schema, least: str, most: str, at: str) -> Iterator[str]:
    """Yield why a number or a length is out of bounds."""
    if not schema.get(least, size) <= size <= schema.get(most, size):
        yield f"{at}: {size} is out of bounds"


def is_kind(value: Any, kinds: Any) -> bool:
    """Return True if a value has one of these types; true is not a number."""
    named = [kinds] if isinstance(kinds, str) else kinds
    return named is None or any(type(value) in KINDS[kind] for kind in named)


def table_complaints(table: Schema, schema: Schema, whole: Schema, at: str) -> Iterator[str]:
    """Yield why a table is not valid: missing and unknown keys, and wrong values."""
    for key in schema.get("required", []):
        if key not in table:
            yield f"{at}: {key} is missing"
    yield from bound_complaints(len(table), schema, "minProperties", "maxProperties", at)
    for key, value in table.items():
        yield from complaints(key, schema.get("propertyNames", {}), whole, f"{at}.{key}")
        inside = schema.get("properties", {}).get(key)
        if inside is None:
            patterns = schema.get("patternProperties", {}).items()
            inside = next((part for pattern, part in patterns if re.search(pattern, key)), None)
        if inside is None:
            inside = schema.get("additionalProperties", True)
        if inside is False:
            yield f"{at}: unknown key {key}"
        elif inside is not True:
            yield from complaints(value, inside, whole, f"{at}.{key}")
