"""What a turn costs and brings: supply, recovery and income."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainValidator, WithJsonSchema

from cardbattle.campaign.state.fields import Model, Share, Times, read_share, schema
from cardbattle.campaign.state.tables.aftermath import one_of

POINTS, PURSE = "points", "purse"


def read_rate(value: object) -> Fraction:
    """Return a share as in quotes; a bare 0 or 1 is nothing or all. Raises ValueError."""
    return read_share(str(value) if type(value) is int else value)


Rate = Annotated[
    Fraction,
    PlainValidator(read_rate),
    WithJsonSchema(
        {"type": ["string", "integer"], "pattern": r"^[0-9]+(/[0-9]+)?$", "minimum": 0, "maximum": 1}
    ),
]
Account = Annotated[str, BeforeValidator(one_of((POINTS, PURSE))), schema("string", enum=[POINTS, PURSE])]


class SupplySettings(Model):
    """How far a force can be from an own place with supply, in steps, and what it loses beyond."""

    range: Times
    out_of_supply: Share = Field(default_factory=Fraction)


class RecoverySettings(Model):
    """The share of its full strength that a force regains in a turn of rest in an own place."""

    rate: Share


class IncomeSettings(Model):
    """What a faction gets in each turn for the value of its places, as points or into its purse."""

    per_value: Times
    to: Account = POINTS
