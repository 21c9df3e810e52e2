"""The components of Warmonger: Warmonger cards, Robots and Jokers (WM-51).

There are fixed lists of windows, effects, openings, chases and powers, and the rules implement each entry of
a list. A data file chooses entries for each card and sets their numbers. A data file cannot contain code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from cardbattle.core.cards import ACE, JACK, PACK
from cardbattle.core.names import quoted

# The windows in which a Warmonger card can be played (WM-42). Each window is also a question of the battle.
PEACE: Final = 1
SKIRMISH: Final = 2
LAID: Final = 4
TURN: Final = 8
FINAL: Final = 16
LAST_STAND: Final = 32
RESPONSE: Final = 64
WINDOWS: Final = {
    "peace": PEACE,
    "skirmish": SKIRMISH,
    "laid": LAID,
    "turn": TURN,
    "final": FINAL,
    "last-stand": LAST_STAND,
    "response": RESPONSE,
}

# The effects C1 to C12, and the windows that each allows.
CONSCRIPT: Final = 0
RAID: Final = 1
CEASE_FIRE: Final = 2
PROVOKE: Final = 3
STRIKE: Final = 4
SUPPLY: Final = 5
MARCH: Final = 6
EXCHANGE: Final = 7
PROMOTE: Final = 8
SCOUT: Final = 9
RETREAT: Final = 10
VETO: Final = 11
EFFECTS: Final = {
    "conscript": CONSCRIPT,
    "raid": RAID,
    "cease-fire": CEASE_FIRE,
    "provoke": PROVOKE,
    "strike": STRIKE,
    "supply": SUPPLY,
    "march": MARCH,
    "exchange": EXCHANGE,
    "promote": PROMOTE,
    "scout": SCOUT,
    "retreat": RETREAT,
    "veto": VETO,
}
EFFECT_WINDOWS: Final = [
    PEACE | LAST_STAND,
    PEACE | LAST_STAND,
    SKIRMISH | LAID | FINAL,
    SKIRMISH,
    TURN | FINAL,
    TURN | FINAL,
    FINAL,
    FINAL,
    TURN | FINAL,
    PEACE | LAID | TURN,
    LAID,
    RESPONSE,
]

# How a Robot opens, how it chases a score, and its power (WM-48, WM-49).
STAND_PAT: Final = 0
UNTIL: Final = 1
TURN_SOME: Final = 2
SAFE: Final = 3
OPENINGS: Final = {"stand": STAND_PAT, "until": UNTIL, "turn": TURN_SOME, "safe": SAFE}
BEAT: Final = 0
EQUAL: Final = 1
GREEDY: Final = 2
CHASES: Final = {"beat": BEAT, "equal": EQUAL, "greedy": GREEDY}
NO_POWER: Final = 0
ARMOUR: Final = 1
RAMPAGE: Final = 2
SALVAGE: Final = 3
LOADED_DICE: Final = 4
LAST_WORD: Final = 5
POWERS: Final = {
    "none": NO_POWER,
    "armour": ARMOUR,
    "rampage": RAMPAGE,
    "salvage": SALVAGE,
    "loaded-dice": LOADED_DICE,
    "last-word": LAST_WORD,
}

JOKERS: Final = 8  # WM-2
MOST_JOKER: Final = 10  # WM-8
FIRST_CODE: Final = 1000  # codes of Warmonger cards begin here, above those of playing cards
NAME: Final = re.compile(r"[A-Za-z0-9]+([ '-][A-Za-z0-9]+)*")
LONGEST_NAME: Final = 40


class Design:
    """A design of a Warmonger card, and the number of cards with this design."""

    def __init__(self, name: str, copies: int, windows: int, effect: int, cards: int, text: str) -> None:
        self.name = name
        self.copies = copies
        self.windows = windows
        self.effect = effect
        self.cards = cards  # how many cards the effect moves, turns up or looks at
        self.text = text

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor arguments, from which `pickle` rebuilds the Design."""
        return Design, (self.name, self.copies, self.windows, self.effect, self.cards, self.text)


class Robot:
    """A Robot card, which says how the Robot opens, how it chases a score, and which power it has.

    Attributes:
        limit: the number for the opening, which is a total or a number of cards.
        ties: True if the Robot stops when it ties the score to beat.
        below: a total. If the Robot leads with a lower total, it turns up one more card.

    """

    def __init__(
        self, name: str, opening: int, limit: int, ties: bool, below: int, power: int, text: str
    ) -> None:
        self.name = name
        self.opening = opening
        self.limit = limit
        self.ties = ties
        self.below = below
        self.power = power
        self.text = text

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor arguments, from which `pickle` rebuilds the Robot."""
        return Robot, (
            self.name, self.opening, self.limit, self.ties, self.below, self.power, self.text
        )  # fmt: skip


class Joker:
    """A Joker: its printed numbers in ascending order, and a flag that is True if it declares War."""

    def __init__(self, numbers: list[int], is_war: bool) -> None:
        self.numbers = numbers
        self.is_war = is_war

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor arguments, from which `pickle` rebuilds the Joker."""
        return Joker, (self.numbers, self.is_war)


class Box:
    """All components of a battle. The object is immutable.

    Lists about Warmonger cards have an element for each design. In lists about playing cards, the index of a
    card is `card % PACK`.
    """

    def __init__(self, designs: Sequence[Design], robots: Sequence[Robot], jokers: Sequence[Joker]) -> None:
        self.designs = list(designs)
        self.codes = [code_of(design.name) for design in designs]
        self.windows = [design.windows for design in designs]
        self.effects = [design.effect for design in designs]
        self.robots = list(robots)
        self.jokers = list(jokers)
        numbers = [joker.numbers for joker in jokers]
        self.ranks = [printed[-1] for printed in numbers] + [code >> 2 for code in range(JOKERS, PACK)]
        self.wars = [int(joker.is_war) for joker in jokers] + [0] * (PACK - JOKERS)
        self.values = numbers + [values_of(code >> 2, [10]) for code in range(JOKERS, PACK)]
        self.dice = numbers + [values_of(code >> 2, [5, 10]) for code in range(JOKERS, PACK)]
        for design in designs:
            NAMES[code_of(design.name)] = design.name

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor arguments, from which `pickle` rebuilds the box.

        The constructor registers the names of the cards in the other process.
        """
        return Box, (self.designs, self.robots, self.jokers)

    def pile(self, copies: int) -> list[int]:
        """Return the design of each Warmonger card in several copies of the game (WM-3)."""
        return [design for design, card in enumerate(self.designs) for _ in range(card.copies * copies)]

    def robot_names(self) -> list[str]:
        """Return the names of the Robots, as files write them (WM-49)."""
        return [robot.name.lower() for robot in self.robots]


def values_of(rank: int, court: list[int]) -> list[int]:
    """Return the values that a card can have in a Battle (WM-9). Jokers have their own values."""
    if rank == ACE:
        return [1, 11]
    return court if rank >= JACK else [rank]


NAMES: dict[int, str] = {}  # by code: the name of every Warmonger card read so far


def is_name(text: str) -> bool:
    """Return True if a text is a valid name of a Warmonger card or a Robot."""
    return len(text) <= LONGEST_NAME and NAME.fullmatch(text) is not None


def code_of(name: str) -> int:
    """Return the code of a Warmonger card.

    The code is a hash of the name, so that a card has the same code in every box.
    """
    return FIRST_CODE + crc32(name.casefold().encode())


def read_name(text: str) -> int:
    """Return the code of the Warmonger card with this name. Raises ValueError if the name is not valid."""
    name = " ".join(text.split())
    if not is_name(name):
        raise ValueError(f"expected the name of a Warmonger card, such as Raid, got {quoted(text)}")
    code = code_of(name)
    NAMES.setdefault(code, name)
    return code


def name_of(code: int) -> str:
    return NAMES.get(code, f"card {code}")
