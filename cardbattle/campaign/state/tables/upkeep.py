"""Settings for supply, recovery, hiring and income in a turn."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from cardbattle.campaign.state.fields import Model, ParsedBy, Share, Times, one_of, read_share, read_whole

POINTS, PURSE = "points", "purse"
SUPPLY, OWN = "supply", "own"  # the places in which forces hire soldiers: with supply, or all of the faction
# why a force did not hire all soldiers that it was to hire, in the text of the change of `hires`
LOST, FIGHTING, RETREATED, ON_ROAD, NOT_THERE, ENEMY_THERE, MOST_HIRED, PAID = (
    "destroyed",
    "in-battle",
    "retreated",
    "on-road",
    "not-there",
    "enemy-there",
    "most",
    "purse",
)


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
Price = Annotated[int, ParsedBy(read_whole(1, 1000), type="integer", minimum=1, maximum=1000)]
HiringPlaces = Annotated[str, ParsedBy(one_of(SUPPLY, OWN), type="string", enum=[SUPPLY, OWN])]


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


class RecruitSettings(Model):
    """What a soldier costs, in which places forces hire, and how many soldiers a force hires in a turn.

    A soldier is a point of strength. Its faction pays `cost` for it from its purse. `places` are those of the
    faction with supply, or all of the faction. Without `most`, only the purse limits the number.
    """

    cost: Price
    places: HiringPlaces = SUPPLY
    most: Times | None = None
