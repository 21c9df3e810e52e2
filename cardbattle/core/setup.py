"""The setup of a battle: its sides, options and cards."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.errors import UsageError
from cardbattle.core.names import listed, quoted, unknown_word


def seat_of(side: object, keys: Sequence[str]) -> int:
    """Return the seat of a side that is named by its key, or by its seat from 0.

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
    """Everything needed to begin a battle, in internal values.

    `house` and `sides[seat]` hold every house rule and side option; None means a random or a missing value.
    `deal` maps a pile to its cards, top first; a pile is named by a side's key or a word of the rule set.
    Before dealing, it holds the cards typed into the file. Relative file names in options start from the
    folder `base`.
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

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the setup as its constructor arguments."""
        return Setup, (self.seats, self.house, self.sides, self.deal, self.base)

    def copy(self) -> Setup:
        """Return a copy; changes to its tables do not affect the original."""
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
        """Return a side's option that is an integer."""
        value = self.sides[seat][option]
        assert isinstance(value, int)
        return value

    def cards(self, seat: int, option: str) -> list[int]:
        """Return a side's option that is a list of cards; empty if it is not set."""
        value = self.sides[seat][option]
        return list(value) if isinstance(value, list) else []
