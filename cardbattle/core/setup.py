"""A battle about to begin: its sides, its options, its cards."""

from __future__ import annotations


class Setup:
    """A battle about to begin, in the program's own values.

    `house` and `sides[seat]` hold every house rule and side option, None where it is left to
    lot or not given. `deal` maps a pile to its cards, top first: by seat key, or a word of the
    rule set; before the deal is complete it holds what was typed in. Files that an option names
    are looked up from the folder `base`.
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
        """Pickle the setup as its arguments."""
        return Setup, (self.seats, self.house, self.sides, self.deal, self.base)

    def copy(self) -> Setup:
        """Return a setup whose tables can be completed without touching this one."""
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
        """Return a side's option that is a whole number."""
        value = self.sides[seat][option]
        assert isinstance(value, int)
        return value

    def cards(self, seat: int, option: str) -> list[int]:
        """Return a side's option that is a list of cards; empty if it is not given."""
        value = self.sides[seat][option]
        return list(value) if isinstance(value, list) else []
