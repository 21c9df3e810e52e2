"""Define one class for each kind of option, such as integers, switches and lists of cards.

House rules apply to a whole battle, and side options to one side.

The method `read` of an option converts a value in a battle file to the internal form, and `write` converts
the internal form back. If the value is not valid, `read` raises a ValueError that describes the valid values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from cardbattle.core.cards import SUITS
from cardbattle.core.names import KEY, listed, nearest, quoted

MOST_WRONG = 10  # cards in an error message
BOUNDLESS = 10**9  # larger than any possible number of cards, rounds or turns


class Option:
    """A house rule or side option, with a default value and a line of help.

    `is_reading` is True if the option chooses between two interpretations of a rule and was added to the
    program later. Records omit the default value of such an option. Therefore a record from an older version,
    which does not have the option, equals a new record of the same battle.
    """

    kind = "value"
    is_reading = False

    def __init__(self, default: object, help: str) -> None:
        self.default = default
        self.help = help

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.expects()}; default {self.default!r}>"

    def read(self, value: object, seats: Sequence[str]) -> object:
        """Convert a value in a battle file to the internal form.

        Raises ValueError if the value is not valid.
        """
        raise NotImplementedError

    def write(self, value: object) -> object:
        """Convert an internal value to the form of battle files."""
        return value

    def is_default(self, value: object) -> bool:
        """Return True if a value equals the default."""
        return value == self.default

    def is_recorded(self, value: object) -> bool:
        """Return True if records contain the house rule when it has this value."""
        return value is not None and not (self.is_reading and self.is_default(value))

    def expects(self) -> str:
        """Return a description of the accepted values, such as "a whole number from 1 to 6"."""
        raise NotImplementedError

    def words(self, text: str) -> object:
        """Convert text on the command line to the value that a battle file would have."""
        return text

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema for the option's values in battle files.

        The schema may be less strict than `read`.
        """
        return {"description": self.help}

    def wrong(self, value: object) -> ValueError:
        """Return the error for a value that the option does not accept."""
        return ValueError(f"expected {self.expects()}, got {quoted(value)}")


class Whole(Option):
    """An integer between two bounds."""

    kind = "integer"

    def __init__(self, default: int | None, help: str, least: int = 0, most: int = BOUNDLESS) -> None:
        super().__init__(default, help)
        self.least = least
        self.most = most

    def read(self, value: object, seats: Sequence[str]) -> int:
        """Return the value if it is an integer within the bounds.

        Raises ValueError for any other value, including a boolean.
        """
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
        """Convert text on the command line to an integer. Other text is returned unchanged."""
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else text


class Switch(Option):
    """An option of a rule set that is true or false."""

    kind = "boolean"

    def read(self, value: object, seats: Sequence[str]) -> bool:
        """Return the value if it is a boolean. Raises ValueError for any other value."""
        if not isinstance(value, bool):
            raise self.wrong(value)
        return value

    def expects(self) -> str:
        return "true or false"

    def schema(self) -> dict[str, object]:
        """Return the JSON Schema of a boolean."""
        return {"type": "boolean", **super().schema()}

    def words(self, text: str) -> object:
        """Convert "true" and "false" on the command line to a boolean. Other text is returned unchanged."""
        return {"true": True, "false": False}.get(text.lower(), text)


class OneOf(Option):
    """An option whose value is one of several words or numbers."""

    kind = "choice"

    def __init__(self, default: object, help: str, choices: Sequence[str | int]) -> None:
        super().__init__(default, help)
        self.choices = list(choices)

    def read(self, value: object, seats: Sequence[str]) -> object:
        """Return the value if it is one of the choices.

        Raises ValueError, which suggests the most similar choice, for any other value.
        """
        if type(value) not in (int, str) or value not in self.choices:
            choices = [choice for choice in self.choices if isinstance(choice, str)]
            hint = nearest(value, choices) if isinstance(value, str) else ""
            raise ValueError(f"{self.wrong(value)}{hint}")
        return value

    def expects(self) -> str:
        choices = [quoted(choice) for choice in self.choices]
        return f"{', '.join(choices[:-1])} or {choices[-1]}"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema that accepts only the choices."""
        return {"enum": self.choices, **super().schema()}

    def words(self, text: str) -> object:
        """Convert text on the command line to one of the choices. Other text is returned unchanged."""
        return {str(choice): choice for choice in self.choices}.get(text, text)


class Preset(NamedTuple):
    """A set of house rules that are used together.

    Attributes:
        help: one line that says what the preset is for.
        house: the house rules that the preset sets, in the form of battle files.

    """

    help: str
    house: Mapping[str, object]


class Presets(OneOf):
    """The house rule `preset`: the name of a preset.

    The preset supplies the house rules that a battle file omits.
    """

    kind = "preset"

    def __init__(self, presets: Mapping[str, Preset]) -> None:
        super().__init__(None, "a named set of house rules; house rules in the file override it", [*presets])
        self.presets = presets


PRESET = "preset"  # the name of the house rule that chooses a preset, in rule sets with presets


def presets_of(options: Mapping[str, Option]) -> Mapping[str, Preset]:
    """Return a rule set's presets by name. Without a house rule `preset`, there are none."""
    option = options.get(PRESET)
    return option.presets if isinstance(option, Presets) else {}


def expand_preset(options: Mapping[str, Option], house: Mapping[str, object]) -> dict[str, object]:
    """Return house rules in which the house rules of a preset replace the key `preset`.

    House rules that `house` sets itself keep their values. If the name of the preset is unknown, it stays in
    the result, so that a later error message can quote it.
    """
    presets = presets_of(options)
    name = house.get(PRESET)
    if not isinstance(name, str) or name not in presets:
        return dict(house)
    return {**presets[name].house, **{word: value for word, value in house.items() if word != PRESET}}


AnyOption = TypeVar("AnyOption", bound=Option)


def reading(option: AnyOption) -> AnyOption:
    """Mark an option as a choice between two interpretations of a rule, and return the option."""
    option.is_reading = True
    return option


class SideKey(Option):
    """An option whose value is the key of a side, or None if the side is chosen at random."""

    kind = "side"

    def read(self, value: object, seats: Sequence[str]) -> str:
        """Return the value if it is the key of a side in `seats`. Raises ValueError for any other value."""
        if not seats:
            raise ValueError("leave this out here; only a battle can name a side")
        if not isinstance(value, str) or value not in seats:
            raise ValueError(f"expected a side of this battle ({', '.join(seats)}), got {quoted(value)}")
        return value

    def expects(self) -> str:
        return "a side's key"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema that accepts any valid key."""
        return {"type": "string", "pattern": f"^{KEY.pattern}$", **super().schema()}


class CardList(Option):
    """An option whose value is a list of cards.

    `reader` parses a card from text or a number, and `writer` formats a card.

    `least` and `most` are the minimum and maximum length of the list. If `ordered` is True, the order of the
    cards is kept. If `ordered` is False, the cards are written in ascending order, and lists with the same
    cards are equal. If `numbers` is True, files contain integers instead of the names of cards.
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
        """Convert a list of cards in a battle file to the integers that the rule set uses.

        Raises ValueError if the value is not a list, has the wrong length, or contains an unknown card.
        """
        if not isinstance(value, list):
            raise self.wrong(value)
        if not self.least <= len(value) <= self.most:
            raise ValueError(f"expected {self.expects()}, got {len(value)} card{'s' * (len(value) != 1)}")
        cards = self.cards_of(value)
        return cards if self.ordered else sorted(cards)

    def cards_of(self, value: list[object]) -> list[int]:
        """Convert each item of a list. Raises ValueError, which quotes all items that are not cards."""
        cards: list[int] = []
        wrong: list[object] = []
        first_error: ValueError | None = None
        for item in value:
            try:
                cards.append(self.reader(item))
            except ValueError as error:
                first_error = first_error or error
                wrong.append(item)
        if first_error is None:
            return cards
        others = dict.fromkeys(map(quoted, wrong[1:MOST_WRONG]))
        raise ValueError(f"{first_error}; also wrong: {listed(others)}") if others else first_error

    def wrong(self, value: object) -> ValueError:
        """Return the error for a value that is not a list.

        If the value is a string that names cards, the error suggests the list to write instead.
        """
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
        """Convert the cards to the form of battle files, which is a list of strings or integers."""
        assert isinstance(value, list)
        return [self.writer(card) for card in value]

    def is_default(self, value: object) -> bool:
        """Return True if the value has the same cards as the default.

        If `ordered` is True, the order of the cards must also be the same.

        If the option has no default, the method returns True for an empty list and for None.
        """
        if self.default is None or not isinstance(value, list) or not isinstance(self.default, list):
            return value is self.default or (value == [] and not self.default)
        return value == self.default if self.ordered else sorted(value) == sorted(self.default)

    def card_named(self, word: object) -> list[int]:
        """Return the cards that a word means.

        The name of a card means this card, and a rank means the four cards of this rank.

        Raises ValueError if the word is neither.
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
        """Return a list that contains the card of this rank and suit.

        The list is empty if no card matches.
        """
        try:
            return [self.reader(rank + suit)]
        except ValueError:
            return []

    def plus(self, cards: Sequence[object], card: int) -> list[object]:
        """Return a copy of a list in a battle file with a card added.

        If the list already has its maximum length, the copy is unchanged.
        """
        return [*cards, self.writer(card)] if len(cards) < self.most else list(cards)

    def expects(self) -> str:
        bounds = f"{self.least} to {self.most}" if self.least < self.most else f"{self.least}"
        return f"a list of {bounds} cards"

    def schema(self) -> dict[str, object]:
        """Return a JSON Schema that accepts lists of cards with a length from `least` to `most`."""
        items = {"type": "integer" if self.numbers else "string"}
        bounds = {"minItems": self.least, "maxItems": self.most}
        return {"type": "array", "items": items, **bounds, **super().schema()}

    def words(self, text: str) -> object:
        """Convert text on the command line to a list of cards.

        Commas or spaces separate the cards. The brackets and double quotes of a list in TOML are ignored.
        """
        if text.startswith("[") and text.endswith("]"):
            text = text[1:-1].replace('"', " ")
        items = text.replace(",", " ").split()
        if not self.numbers:
            return items
        return [int(item) if item.isascii() and item.isdigit() else item for item in items]
