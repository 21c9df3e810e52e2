"""The kinds of house rules and side options, one small class each.

`read` converts the TOML value of a battle file to the internal form, or raises ValueError with the expected
form; `write` converts it back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardbattle.core.cards import SUITS
from cardbattle.core.names import KEY, nearest, quoted

BOUNDLESS = 10**9  # above any possible number of cards, rounds or turns


class Option:
    """A house rule or side option: the kind of its values, its default, and a line of help."""

    kind = "value"

    def __init__(self, default: object, help: str) -> None:
        self.default = default
        self.help = help

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.expects()}; default {self.default!r}>"

    def read(self, value: object, seats: Sequence[str]) -> object:
        """Convert the value of a battle file to the internal form. Raises ValueError."""
        raise NotImplementedError

    def write(self, value: object) -> object:
        """Convert an internal value to the form of battle files."""
        return value

    def is_default(self, value: object) -> bool:
        """Return True if a value equals the default."""
        return value == self.default

    def expects(self) -> str:
        """Describe the accepted values in a few words."""
        raise NotImplementedError

    def words(self, text: str) -> object:
        """Convert command-line text to the value that a battle file would have."""
        return text

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema of the values of a battle file; it can accept more than `read`."""
        return {"description": self.help}

    def wrong(self, value: object) -> ValueError:
        """Return the error for a value that is not accepted."""
        return ValueError(f"expected {self.expects()}, got {quoted(value)}")


class Whole(Option):
    """An integer between two bounds."""

    kind = "integer"

    def __init__(self, default: int | None, help: str, least: int = 0, most: int = BOUNDLESS) -> None:
        super().__init__(default, help)
        self.least = least
        self.most = most

    def read(self, value: object, seats: Sequence[str]) -> int:
        """Return the integer. Raises ValueError if it is out of bounds, a float or a boolean."""
        if type(value) is not int or not self.least <= value <= self.most:
            raise self.wrong(value)
        return value

    def expects(self) -> str:
        if self.most == BOUNDLESS:
            return f"a whole number from {self.least}"
        return f"a whole number from {self.least} to {self.most}"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema of the integer."""
        most = {} if self.most == BOUNDLESS else {"maximum": self.most}
        return {"type": "integer", "minimum": self.least, **most, **super().schema()}

    def words(self, text: str) -> object:
        """Convert text from the command line to a number if possible."""
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else text


class Switch(Option):
    """True or false."""

    kind = "boolean"

    def read(self, value: object, seats: Sequence[str]) -> bool:
        """Return the boolean. Raises ValueError."""
        if not isinstance(value, bool):
            raise self.wrong(value)
        return value

    def expects(self) -> str:
        return "true or false"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema of the boolean."""
        return {"type": "boolean", **super().schema()}

    def words(self, text: str) -> object:
        """Convert text from the command line to a boolean if possible."""
        return {"true": True, "false": False}.get(text.lower(), text)


class OneOf(Option):
    """One of several words or numbers."""

    kind = "choice"

    def __init__(self, default: object, help: str, choices: Sequence[str | int]) -> None:
        super().__init__(default, help)
        self.choices = list(choices)

    def read(self, value: object, seats: Sequence[str]) -> object:
        """Return the choice. Raises ValueError with the nearest valid value."""
        if type(value) not in (int, str) or value not in self.choices:
            choices = [choice for choice in self.choices if isinstance(choice, str)]
            hint = nearest(value, choices) if isinstance(value, str) else ""
            raise ValueError(f"{self.wrong(value)}{hint}")
        return value

    def expects(self) -> str:
        choices = [quoted(choice) for choice in self.choices]
        return f"{', '.join(choices[:-1])} or {choices[-1]}"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema of the choices."""
        return {"enum": self.choices, **super().schema()}

    def words(self, text: str) -> object:
        """Convert command-line text to one of the choices."""
        return {str(choice): choice for choice in self.choices}.get(text, text)


class SideKey(Option):
    """The key of one of the battle's sides; None leaves the choice to chance."""

    kind = "side"

    def read(self, value: object, seats: Sequence[str]) -> str:
        """Return the key. Raises ValueError unless it is one of `seats`."""
        if not isinstance(value, str) or value not in seats:
            raise ValueError(f"expected a side of this battle ({', '.join(seats)}), got {quoted(value)}")
        return value

    def expects(self) -> str:
        return "a side's key"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema of any key."""
        return {"type": "string", "pattern": f"^{KEY.pattern}$", **super().schema()}


class CardList(Option):
    """A list of cards; `reader` parses a card from text or a number, `writer` writes it.

    `least` and `most` bound the length. If `ordered`, the order matters; otherwise the list is written in
    ascending order and compared as a set. If `numbers`, files contain integers instead of text.
    """

    kind = "cards"

    def __init__(
        self,
        default: list[int] | None,
        help: str,
        reader: Callable[[object], int],
        writer: Callable[[int], object],
        least: int = 0,
        most: int = 208,
        ordered: bool = False,
        numbers: bool = False,
    ) -> None:
        super().__init__(default, help)
        self.reader = reader
        self.writer = writer
        self.least = least
        self.most = most
        self.ordered = ordered
        self.numbers = numbers

    def read(self, value: object, seats: Sequence[str]) -> list[int]:
        """Return the cards. Raises ValueError for a wrong type, length or card."""
        if not isinstance(value, list):
            raise self.wrong(value)
        if not self.least <= len(value) <= self.most:
            raise ValueError(f"expected {self.expects()}, got {len(value)} card{'s' * (len(value) != 1)}")
        cards = [self.reader(item) for item in value]
        return cards if self.ordered else sorted(cards)

    def wrong(self, value: object) -> ValueError:
        """Return the error for a value that is not a list; if it names cards, suggest the list to write."""
        error = super().wrong(value)
        if not isinstance(value, str):
            return error
        cards = self.words(value)
        assert isinstance(cards, list)
        try:
            self.read(cards, [])
        except ValueError:
            return error
        meant = ", ".join([str(word) if isinstance(word, int) else f'"{word}"' for word in cards])
        return ValueError(f"{error}; write [{meant}]")

    def write(self, value: object) -> object:
        """Return the cards in the form of battle files."""
        assert isinstance(value, list)
        return [self.writer(card) for card in value]

    def is_default(self, value: object) -> bool:
        """Return True if the value has the same cards as the default, in the same order if the order matters.

        An empty list, and None, equal a missing default.
        """
        if self.default is None or not isinstance(value, list) or not isinstance(self.default, list):
            return value is self.default or (value == [] and not self.default)
        return value == self.default if self.ordered else sorted(value) == sorted(self.default)

    def card_named(self, word: object) -> list[int]:
        """Return the card that a word names; without a suit, all four suits.

        Raises ValueError for an unknown card.
        """
        try:
            return [self.reader(word)]
        except ValueError:
            if not isinstance(word, str):
                raise
            suited = [self.of_suit(word.strip(), suit) for suit in SUITS]
            if not all(suited):
                raise
            return [card for cards in suited for card in cards]

    def of_suit(self, rank: str, suit: str) -> list[int]:
        """Return the card of this rank and suit in a list, or an empty list."""
        try:
            return [self.reader(rank + suit)]
        except ValueError:
            return []

    def plus(self, cards: Sequence[object], card: int) -> list[object]:
        """Return a list with one more card, in the form of battle files, if its length allows it."""
        return [*cards, self.writer(card)] if len(cards) < self.most else list(cards)

    def expects(self) -> str:
        bounds = f"{self.least} to {self.most}" if self.least < self.most else f"{self.least}"
        return f"a list of {bounds} cards"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema of a list of this length."""
        items = {"type": "integer" if self.numbers else "string"}
        bounds = {"minItems": self.least, "maxItems": self.most}
        return {"type": "array", "items": items, **bounds, **super().schema()}

    def words(self, text: str) -> object:
        """Split command-line text at commas or spaces into a list of cards."""
        items = text.replace(",", " ").split()
        if not self.numbers:
            return items
        return [int(item) if item.isascii() and item.isdigit() else item for item in items]
