"""The types of values in a campaign file, which pydantic validates with readable error messages.

The functions that read a value raise ValueError if the value is not valid. The error says what to write
instead.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError, WithJsonSchema
from pydantic_core.core_schema import no_info_plain_validator_function

from cardbattle import rules
from cardbattle.commanders import rank_error
from cardbattle.core.errors import Diagnostic, UsageError
from cardbattle.core.names import has_unfit, listed, nearest, quoted
from cardbattle.files import reader
from cardbattle.files.errors import MissingKey, UnknownKey
from cardbattle.files.toml import unknown_key

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema, ErrorDetails

MOST = 10**6
LONGEST_NOTE = 2000
LONGEST_MOTTO = 80
LONGEST_ADDRESS = 200
MAIL_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")
FURTHEST = 10_000  # maximum distance of a place from the origin of a map, per axis
KEY_PATTERN = r"^[a-z0-9]([a-z0-9_-]{0,38}[a-z0-9])?$"


class Model(BaseModel):
    """One table of a campaign file. Unknown keys are errors."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        arbitrary_types_allowed=True,
        defer_build=True,  # most commands validate a whole Campaign and need no validators of its parts
        json_schema_extra={"patternProperties": {"^x_": {}}},
    )

    def __repr_args__(self) -> Iterator[tuple[str | None, object]]:
        """Yield the values that are in the file. Default values are left out."""
        return ((name, value) for name, value in super().__repr_args__() if name in self.model_fields_set)


def read_whole(least: int, most: int = MOST) -> Callable[[object], int]:
    """Return a parser that accepts whole numbers from `least` to `most`.

    The parser raises ValueError for any other value. The error says what to write instead.
    """

    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            is_much = type(value) is int and value > most
            bounds = f"from {least} to {most}" if is_much or most < MOST else f"from {least}"
            raise ValueError(f"expected a whole number {bounds}, got {quoted(value)}")
        return value

    return read


def one_of(*words: str) -> Callable[[object], str]:
    """Return a parser that accepts only the given words.

    Its ValueError lists the words and suggests the nearest one.
    """

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            hint = nearest(value, words) if isinstance(value, str) else ""
            raise ValueError(f"expected {listed(map(quoted, words), 'or')}, got {quoted(value)}{hint}")
        return value

    return read


def fraction(value: object) -> Fraction:
    """Parse an exact fraction of at least 0. Numerator and denominator have at most nine digits.

    Raises ValueError, which says what to write instead.

    >>> fraction("2/4")
    Fraction(1, 2)
    """
    if isinstance(value, str) and (parts := FRACTION.fullmatch(value)) and int(parts[2] or 1):
        return Fraction(int(parts[1]), int(parts[2] or 1))
    raise ValueError(f'expected a fraction in quotes, such as "1/2", got {quoted(value)}')


FRACTION = re.compile(r"([0-9]{1,9})(?:/([0-9]{1,9}))?")


def read_share(value: object) -> Fraction:
    """Return a fraction from 0 to 1. Raises ValueError for any other value."""
    read = fraction(value)
    if read > 1:
        raise ValueError(f'expected a fraction from "0" to "1", got {quoted(value)}')
    return read


def step(value: object) -> Fraction:
    """Return a fraction above 0. Raises ValueError for any other value."""
    read = fraction(value)
    if not read:
        raise ValueError('expected a fraction above "0", such as "1/4"')
    return read


def rule_set_key(value: object) -> str:
    """Return the key of a rule set, which is given by its key or an alias.

    The key of a plug-in that is not installed is accepted, because many commands need no rules. Raises
    ValueError for an unknown rule set.
    """
    if not isinstance(value, str):
        raise ValueError(f"expected a rule set in quotes, got {quoted(value)}")
    if rules.is_not_installed(value):
        return value
    try:
        return rules.find(value).key
    except UsageError as error:
        raise ValueError(str(error)) from None


def rank(value: object) -> str:
    """Return the value if it is the rank of a computer commander.

    Raises ValueError for other values, including a list of orders.
    """
    error = rank_error(value, orders=False)
    if error:
        raise ValueError(error)
    return str(value)


def read_motto(value: object) -> str:
    """Return a motto: 1 to 80 characters on a line. Raises ValueError otherwise."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f'expected a motto in quotes, such as "Esperance", got {quoted(value)}')
    if len(value) > LONGEST_MOTTO:
        raise ValueError(f"expected at most {LONGEST_MOTTO} characters, got {len(value)}")
    if has_unfit(value):
        raise ValueError(f"expected text without control or format characters, got {quoted(value)}")
    return value


def read_mail_address(value: object) -> str:
    """Return a mail address. Raises ValueError for any other value."""
    if not isinstance(value, str) or len(value) > LONGEST_ADDRESS or not MAIL_ADDRESS.fullmatch(value):
        raise ValueError(f'expected a mail address in quotes, such as "ann@example.org", got {quoted(value)}')
    return value


def read_note(value: object) -> str:
    """Return a note, which has up to 2000 characters and can have several lines.

    Raises ValueError if the value is not a string, is too long, or contains control characters.
    """
    if not isinstance(value, str):
        raise ValueError(f"expected text in quotes, got {quoted(value)}")
    if len(value) > LONGEST_NOTE:
        raise ValueError(f"expected at most {LONGEST_NOTE} characters, got {len(value)}")
    if has_unfit(value.replace("\n", " ").replace("\r", " ").replace("\t", " ")):
        raise ValueError(f"expected text without control or format characters, got {quoted(value)}")
    return value


def read_day(value: object) -> date:
    """Parse a day such as 1403-07-08, with or without quotes. Raises ValueError if the value is not a day."""
    try:
        if type(value) is date:
            return value
        if isinstance(value, str) and DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise ValueError(f"expected a date such as 1403-07-08, got {quoted(value)}")


DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def contenders(value: object) -> list[list[str]]:
    """Return the forces of each side.

    A side with one force can be written as the key of this force. Raises ValueError, which shows the form, if
    the value has another form.
    """
    example = 'such as ["percy", "stafford"] or [["percy", "mortimer"], ["stafford"]]'
    if not isinstance(value, list):
        raise ValueError(f"expected a list of forces, {example}, got {quoted(value)}")
    sides = [side if isinstance(side, list) else [side] for side in value]
    for side in sides:
        if not side or not all(isinstance(force, str) for force in side):
            raise ValueError(f"expected the keys of forces, {example}")
    return sides


def read_point(value: object) -> tuple[int, int]:
    """Parse a point on a map.

    A point is a list of two whole numbers, which are the distances to the right and down. Raises ValueError
    if the value is not a point, or if a distance is above 10000.
    """
    if not isinstance(value, list) or len(value) != 2 or not all(type(number) is int for number in value):
        raise ValueError(
            f"expected the distances to the right and down, such as [120, 80], got {quoted(value)}"
        )
    x, y = value
    if max(abs(x), abs(y)) > FURTHEST:
        raise ValueError(f"expected numbers from -{FURTHEST} to {FURTHEST}, got {quoted(value)}")
    return x, y


def read_road(value: object) -> tuple[str, str]:
    """Return the two places that a road joins. Raises ValueError if the value is not a pair of places."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(key, str) for key in value):
        raise ValueError(
            f'expected the keys of two places, such as ["chester", "whitchurch"], got {quoted(value)}'
        )
    if value[0] == value[1]:
        raise ValueError(f"the road leads from {quoted(value[0])} to itself; name two places")
    return value[0], value[1]


def read_picture(value: object) -> str:
    """Return the value if it is the name of an SVG file.

    Raises ValueError if it is not, or if it has a folder.
    """
    if not isinstance(value, str) or has_unfit(value) or not PICTURE.fullmatch(value):
        raise ValueError(
            f'expected an SVG file in the campaign\'s folder, such as "marches.svg", got {quoted(value)}'
        )
    return value


PICTURE = re.compile(r"(?!\.)[^/\\:]{1,100}\.svg", re.IGNORECASE)


EXTENTS = ("all", "rough", "own")


def extent(value: object) -> str:
    """Return a level of visibility: all, rough or own. Raises ValueError otherwise."""
    if not isinstance(value, str) or value not in EXTENTS:
        raise ValueError(f'expected "all", "rough" or "own", got {quoted(value)}')
    return value


def file_format(value: object) -> int:
    """Return the value if it is a format number that this program can read.

    Raises ValueError for any other value.
    """
    if value == "1":
        raise ValueError('write 1 without quotes, got "1"')
    if type(value) is not int or value != 1:
        raise ValueError(
            f"this program reads format 1, got {quoted(value)}; a newer version may read this file"
        )
    return value


class ParsedBy:
    """An annotation of a key in the file: the function that reads its value, and the value's JSON Schema.

    The function returns a value of the annotated type, or raises ValueError. PlainValidator and
    WithJsonSchema of pydantic do the same, but pydantic then inspects the function and the type again for
    every key with the annotation, which makes all commands start noticeably later.
    """

    def __init__(self, read: Callable[[object], object], **json_schema: object) -> None:
        self.read = read
        self.json_schema = json_schema

    def __get_pydantic_core_schema__(self, kind: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return how pydantic validates the value."""
        return no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the JSON Schema of the value."""
        return dict(self.json_schema)


Format = Annotated[int, ParsedBy(file_format, const=1)]
Key = Annotated[str, ParsedBy(reader.expect_key, type="string", pattern=KEY_PATTERN)]
Name = Annotated[str, ParsedBy(reader.expect_name, type="string", minLength=1, maxLength=40)]
Motto = Annotated[str, ParsedBy(read_motto, type="string", minLength=1, maxLength=LONGEST_MOTTO)]
MailAddress = Annotated[
    str, ParsedBy(read_mail_address, type="string", pattern=r"^[^\s@]+@[^\s@]+$", maxLength=LONGEST_ADDRESS)
]
Note = Annotated[str, ParsedBy(read_note, type="string", maxLength=LONGEST_NOTE)]
Count = Annotated[int, ParsedBy(read_whole(0), type="integer", minimum=0, maximum=MOST)]
Points = Annotated[int, ParsedBy(read_whole(-MOST), type="integer", minimum=-MOST, maximum=MOST)]
Times = Annotated[int, ParsedBy(read_whole(0, 100), type="integer", minimum=0, maximum=100)]
Share = Annotated[Fraction, ParsedBy(read_share, type="string", pattern=r"^[0-9]+(/[0-9]+)?$")]
Step = Annotated[Fraction, ParsedBy(step, type="string", pattern=r"^[0-9]+(/[0-9]+)?$")]
Day = Annotated[date, ParsedBy(read_day, type="string", format="date")]
Days = Annotated[int, ParsedBy(read_whole(1, 1000), type="integer", minimum=1, maximum=1000)]
Rules = Annotated[str, ParsedBy(rule_set_key, type="string", format="rules")]
Rank = Annotated[str, ParsedBy(rank, type="string", format="rank")]
Lines = Annotated[list[str], ParsedBy(reader.expect_texts, type="array", items={"type": "string"})]
Switch = Annotated[bool, ParsedBy(reader.expect_switch, type="boolean")]
Seed = Annotated[int | str, ParsedBy(reader.expect_seed, type=["integer", "string"])]
Sides = Annotated[
    list[list[str]],
    ParsedBy(
        contenders, type="array", items={"type": ["string", "array"], "items": {"type": "string"}}, minItems=2
    ),
]
Point = Annotated[
    tuple[int, int],
    ParsedBy(
        read_point,
        type="array",
        items={"type": "integer", "minimum": -FURTHEST, "maximum": FURTHEST},
        minItems=2,
        maxItems=2,
    ),
]
Road = Annotated[
    tuple[str, str],
    ParsedBy(
        read_road, type="array", items={"type": "string", "pattern": KEY_PATTERN}, minItems=2, maxItems=2
    ),
]
Picture = Annotated[str, ParsedBy(read_picture, type="string", pattern=r"\.[sS][vV][gG]$")]
Extent = Annotated[str, ParsedBy(extent, type="string", enum=list(EXTENTS))]
Options = Annotated[dict[str, Any], WithJsonSchema({"type": "object"})]


FREE = (
    ("factions",), ("forces",), ("locations",), ("advantage",), ("house",), ("terrain",),
    ("pending", 0, "options"),
)  # fmt: skip


def own_keys(value: object, at: tuple[str | int, ...] = ()) -> object:
    """Return the data without the umpire's own keys: the table `x`, and all keys that begin with `x_`.

    The key of a force, faction or location can also begin with `x_`. Such tables are kept.
    """
    if isinstance(value, list):
        return [own_keys(item, (*at, 0)) for item in value]
    if not isinstance(value, dict):
        return value
    owned = {key: inside for key, inside in value.items() if not is_foreign(key, inside, at)}
    return {key: own_keys(inside, (*at, key)) for key, inside in owned.items()}


def with_foreign_keys(
    current: Mapping[str, object], values: Mapping[str, object], at: tuple[str | int, ...] = ()
) -> dict[str, object]:
    """Return a table of `values`, completed with the umpire's own keys from the `current` table."""
    merged = {key: value for key, value in current.items() if is_foreign(key, value, at)}
    for key, value in values.items():
        inner = current.get(key)
        if isinstance(value, Mapping) and isinstance(inner, Mapping):
            value = with_foreign_keys(inner, value, (*at, key))
        merged[key] = value
    return merged


def is_foreign(key: str, value: object, at: tuple[str | int, ...]) -> bool:
    """Return True if a key is the umpire's own key. The program keeps such keys but does not read them."""
    if at in FREE and isinstance(value, dict):
        return False
    return key.startswith("x_") or (key == "x" and not at)


EXAMPLES = {
    "format": "1",
    "name": '"The Marches"',
    "seed": '"a long text that players cannot guess"',
    "kind": '"round-robin", "knock-out", "swiss" or "random"',
    "forces": '["percy", "stafford"]',
    "between": '["shrewsbury", "chester"]',
    "first_day": "1403-07-01",
    "faction": '"york"',
    "strength": "14",
    "id": '"bridge"',
    "sides": '["percy", "stafford"]',
    "per": '"1/4"',
    "give": "{ hand = 1 }",
}


def errors_in(error: ValidationError, model: type[BaseModel]) -> Iterator[Diagnostic]:
    """Yield the errors of pydantic with readable messages."""
    for detail in error.errors(include_url=False):
        yield error_in(detail, model)


def error_in(error_details: ErrorDetails, model: type[BaseModel]) -> Diagnostic:
    at = tuple(part for part in error_details["loc"] if part != "[key]")
    kind, value = error_details["type"], error_details["input"]
    if kind == "extra_forbidden":
        unknown = unknown_key(at, keys_of_table(model, at[:-1]))
        if "did you mean" in unknown.text:
            return unknown
        return UnknownKey(f"{unknown.text}; for a key of your own write x_{at[-1]}", at=at)
    if kind == "missing":
        example = EXAMPLES.get(str(at[-1]), "...")
        return MissingKey(f"key {quoted(at[-1])} is missing; write it as {at[-1]} = {example}", at)
    if kind == "value_error":
        return Diagnostic(str(error_details["ctx"]["error"]), at=at)
    if kind in ("model_type", "dict_type"):
        return Diagnostic(f"expected a table, such as [{'.'.join(map(str, at))}], got {quoted(value)}", at=at)
    if kind == "list_type":
        has_tables = is_settings_table(type_at(model, (*at, 0)))
        expected = f"a list of tables, such as [[{at[-1]}]]" if has_tables else "a list in square brackets"
        return Diagnostic(f"expected {expected}, got {quoted(value)}", at=at)
    return Diagnostic(f"{error_details['msg'].lower()}, got {quoted(value)}", at=at)


def keys_of_table(model: type[BaseModel], at: tuple[int | str, ...], *, required: bool = False) -> list[str]:
    """Return the keys that the table at this path can have.

    The list is empty if it can have any key. With `required`, return only the keys that the table must have.
    """
    kind = type_at(model, at)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = kind.model_fields.items()
        return [field.alias or name for name, field in fields if field.is_required() or not required]
    return []


def type_at(model: type[BaseModel], at: tuple[int | str, ...]) -> object:
    """Return the type of the value at this path, or None if any type is allowed."""
    kind: object = model
    for part in at:
        kind = type_inside(kind, part)
    return plain(kind)


def is_settings_table(kind: object) -> bool:
    """Return True if a type is a table with known keys."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def type_inside(kind: object, part: int | str) -> object:
    """Return the type of the value at one key or index inside a value of the type `kind`."""
    kind = plain(kind)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        aliases: Mapping[str, Any] = {
            field.alias or name: field.annotation for name, field in kind.model_fields.items()
        }
        return aliases.get(str(part))
    return get_args(kind)[-1] if get_args(kind) else None


def plain(kind: object) -> object:
    """Return the type inside `Annotated` and `Optional`."""
    if get_origin(kind) is Annotated:
        return plain(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return plain(next(arm for arm in get_args(kind) if arm is not type(None)))
    return kind
