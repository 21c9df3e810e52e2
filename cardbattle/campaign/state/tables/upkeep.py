"""Settings for supply, recovery and income in a turn."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from cardbattle.campaign.state.fields import Model, ParsedBy, Share, Times, one_of, read_share

POINTS, PURSE = "points", "purse"


def read_rate(value: object) -> Fraction:
    """Return a share that is written in quotes, or as a bare 0 or 1.

    Raises ValueError if the value has another form.
    """
    return read_share(str(value) if type(value) is int else value)


Rate = Annotated[
    Fraction,
    ParsedBy(read_rate, type=["string", "integer"], pattern=r"^[0-9]+(/[0-9]+)?$", minimum=0, maximum=1),
]
Account = Annotated[str, ParsedBy(one_of(POINTS, PURSE), type="string", enum=[POINTS, PURSE])]


class SupplySettings(Model):
    """The range of supply, and the share that a force beyond this range loses.

    The range is a number of steps from a supply place of the faction.
    """

    range: Times
    out_of_supply: Share = Field(default_factory=Fraction)


class RecoverySettings(Model):
    """The share of its full strength that a force regains by a turn of rest in a place of its faction."""

    rate: Share


class IncomeSettings(Model):
    """The income, as points or money, that a faction gets in each turn for the value of its places."""

    per_value: Times
    to: Account = POINTS
