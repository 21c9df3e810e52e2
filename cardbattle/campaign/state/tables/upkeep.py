"""The costs and the income of a turn: supply, recovery and income."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field, PlainValidator, WithJsonSchema

from cardbattle.campaign.state.fields import Model, Share, Times, one_of, read_share, schema

POINTS, PURSE = "points", "purse"


def read_rate(value: object) -> Fraction:
    """Return a share written in quotes, or a bare 0 or 1. Raises ValueError."""
    return read_share(str(value) if type(value) is int else value)


Rate = Annotated[
    Fraction,
    PlainValidator(read_rate),
    WithJsonSchema(
        {"type": ["string", "integer"], "pattern": r"^[0-9]+(/[0-9]+)?$", "minimum": 0, "maximum": 1}
    ),
]
Account = Annotated[str, one_of(POINTS, PURSE), schema("string", enum=[POINTS, PURSE])]


class SupplySettings(Model):
    """The range of supply in steps from an own place with supply, and the losses beyond it."""

    range: Times
    out_of_supply: Share = Field(default_factory=Fraction)


class RecoverySettings(Model):
    """The share of its full strength that a force regains in a turn of rest in an own place."""

    rate: Share


class IncomeSettings(Model):
    """The income of a faction in each turn from the value of its places: points or money."""

    per_value: Times
    to: Account = POINTS
