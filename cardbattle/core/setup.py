"""The setup of a battle: its sides, options and cards."""

from __future__ import annotations


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
