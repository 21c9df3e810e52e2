"""Settings for movement, roads, and the orders for the turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from cardbattle.campaign.state.fields import Model, ParsedBy, Road, Times, read_whole
from cardbattle.campaign.state.tables.march_orders import read_order
from cardbattle.core.names import quoted

ROAD_AND_PLACE, PLACE = "road-and-place", "place"
MOST_STEPS = 100


def read_contact(value: object) -> str:
    """Return the value if it says where hostile forces meet: on roads and in places, or only in places.

    Raises ValueError for any other value.
    """
    if value not in (ROAD_AND_PLACE, PLACE):
        raise ValueError(f'expected "{ROAD_AND_PLACE}" or "{PLACE}", got {quoted(value)}')
    return str(value)


def text_of(length: int) -> Callable[[object], str]:
    """Return a validator for strings of exactly `length` lower-case hexadecimal digits."""

    def read(value: object) -> str:
        digits = "0123456789abcdef"
        if not isinstance(value, str) or len(value) != length or any(char not in digits for char in value):
            raise ValueError(f"expected {length} hexadecimal digits, got {quoted(value)}")
        return value

    return read


Contact = Annotated[str, ParsedBy(read_contact, type="string", enum=[ROAD_AND_PLACE, PLACE])]
Steps = Annotated[
    int,
    ParsedBy(read_whole(1, MOST_STEPS), type="integer", minimum=1, maximum=MOST_STEPS),
]
OrderText = Annotated[str, ParsedBy(read_order, type="string", minLength=1)]
Seal = Annotated[str, ParsedBy(text_of(64), type="string", pattern="^[0-9a-f]{64}$")]
Salt = Annotated[str, ParsedBy(text_of(32), type="string", pattern="^[0-9a-f]{32}$")]


class MovementSettings(Model):
    """The rules of movement: the steps in a turn, where enemies meet, and how many friends a place can hold.

    Without `stacking`, a place can hold any number of forces.
    """

    allowance: Times = 1
    contact: Contact = ROAD_AND_PLACE
    stacking: Steps | None = None


class RoadSettings(Model):
    """A road between two places, and its length in steps."""

    between: Road
    length: Steps = 1


class SealedOrders(Model):
    """The sealed orders of a faction for one turn. After they are opened, they have a `salt` and a `text`.

    The seal is as in `battles/sealed_orders.py`, with the address `campaign/faction@turn`.
    """

    address: str
    seal: Seal
    salt: Salt | None = None
    text: str | None = None

    def is_for(self, turn: int) -> bool:
        return self.address.endswith(f"@{turn}")
