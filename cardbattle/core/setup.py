"""Store the setup of a battle, which consists of sides, house rules, side options and cards."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.errors import UsageError
from cardbattle.core.names import listed, quoted, unknown_word


def seat_of(side: object, keys: Sequence[str]) -> int:
    """Return the seat of a side. `side` is the key of the side, or already the seat, counted from 0.

    Raises UsageError for an unknown side.

    >>> seat_of("york", ["lancaster", "york"]), seat_of(0, ["lancaster", "york"])
    (1, 0)
    """
    if isinstance(side, str):
        if side in keys:
            return keys.index(side)
        raise UsageError(unknown_word("side", side, keys))
    if type(side) is int and 0 <= side < len(keys):
        return side
    most = len(keys) - 1
    raise UsageError(f"side: expected {listed(keys, 'or')}, or 0 to {most}, got {quoted(side)}")


class Setup:
    """Everything that is needed to begin a battle. Values of options are in their internal form.

    `house` has the value of every house rule, and `sides[seat]` has the value of every option of the side at
    this seat. None means that the option has no value, or that the value will be chosen at random.

    `deal` maps the name of a pile to the cards in the pile, beginning with the top card. The name is the key
    of a side or a word of the rule set. Before the cards are dealt, `deal` has only the cards that the battle
    file lists.

    Relative file names in options start from the folder `base`.
    """

    def __init__(
        self,
        seats: list[str],
        house: dict[str, object],
        sides: list[dict[str, object]],
        deal: dict[str, list[int]],
        base: str = "",
    ) -> None:
        self.seats = seats
        self.house = house
        self.sides = sides
        self.deal = deal
        self.base = base

    def __repr__(self) -> str:
        dealt = sum([len(cards) for cards in self.deal.values()])
        return f"<Setup: {', '.join(self.seats)}; {dealt} cards dealt>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Setup) and self.__reduce__() == other.__reduce__()

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments with which `pickle` calls the constructor to rebuild the setup."""
        return Setup, (self.seats, self.house, self.sides, self.deal, self.base)

    def copy(self) -> Setup:
        """Return a copy of the setup, including its house rules, options and piles.

        A change to these parts of the copy does not affect the original.
        """
        return Setup(
            self.seats.copy(),
            dict(self.house),
            [dict(side) for side in self.sides],
            {pile: dealt.copy() for pile, dealt in self.deal.items()},
            self.base,
        )

    def seat(self, key: object) -> int:
        """Return the seat of the side with this key."""
        return self.seats.index(str(key))

    def whole(self, seat: int, option: str) -> int:
        """Return the value of a side's integer option."""
        value = self.sides[seat][option]
        assert isinstance(value, int)
        return value

    def cards(self, seat: int, option: str) -> list[int]:
        """Return the cards that an option of a side lists.

        The list is empty if the option is not set.
        """
        value = self.sides[seat][option]
        return list(value) if isinstance(value, list) else []
