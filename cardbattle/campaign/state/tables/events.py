"""The scheduled and random events of a campaign, and its weather."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from cardbattle.campaign.state.fields import (
    MOST,
    Count,
    Day,
    Key,
    Model,
    Name,
    Note,
    Options,
    ParsedBy,
    Rules,
    Share,
    Switch,
    read_whole,
)
from cardbattle.campaign.state.tables.conditions import ConditionText
from cardbattle.campaign.state.tables.terrain import Modifiers
from cardbattle.campaign.state.tables.upkeep import Rate
from cardbattle.core.names import quoted

LARGEST_PART = 1000  # maximum number of parts of a weather table


def read_each(value: object) -> str:
    """Return the value if it is the word `turn`, the only interval of random events.

    Raises ValueError for any other value.
    """
    if value != "turn":
        raise ValueError(f'expected "turn", got {quoted(value)}; for one turn alone, write turn = 5')
    return "turn"


def read_amount(value: object) -> int | Fraction:
    """Return a whole number to add, or parse a signed share of a value, such as "-1/10".

    Raises ValueError if the value has another form.
    """
    if type(value) is int and 0 < abs(value) <= MOST:
        return value
    sign, text = ("-", value[1:]) if isinstance(value, str) and value[:1] == "-" else ("", value)
    numerator, slash, denominator = text.partition("/") if isinstance(text, str) else ("", "", "")
    is_share = slash and all(
        part.isdecimal() and part.isascii() and len(part) < 10 for part in (numerator, denominator)
    )
    if is_share and int(numerator) > 0 and int(denominator):
        return Fraction(int(f"{sign}{numerator}"), int(denominator))
    raise ValueError(f'expected a whole number to add, or a share such as "-1/10", got {quoted(value)}')


Amount = Annotated[
    Any,
    ParsedBy(read_amount, type=["integer", "string"], pattern=r"^-?[0-9]+/[0-9]+$"),
]
Part = Annotated[int, ParsedBy(read_whole(1, LARGEST_PART), type="integer", minimum=1, maximum=LARGEST_PART)]


MOST_STEPS = 100
StepsMore = Annotated[
    int,
    ParsedBy(read_whole(-MOST_STEPS, MOST_STEPS), type="integer", minimum=-MOST_STEPS, maximum=MOST_STEPS),
]


class Happening(Model):
    """An event, which has a text for the players, changes of values, and additions.

    `change` adds whole numbers to values, or shares of values. `set` replaces values. `add` contains tables
    for new forces, places, factions and battles. Keys have the form forces.percy.strength. The key
    forces.*.strength means all forces that meet the condition `where`.
    """

    text: Note = ""
    change: dict[str, Amount] = {}
    set: Options = {}
    add: Options = {}
    where: ConditionText | None = None


class Scheduled(Happening):
    """An event that is planned for one turn, given by its number or a date.

    `known` are the factions that know the event in advance. The word `public` means everyone.
    """

    turn: Count | None = None
    date: Day | None = None
    known: list[Key] = []


class RandomEvent(Happening):
    """An event that can happen by chance in each turn or in one turn, if the condition `when` holds.

    With `once`, the event happens at most once.
    """

    each: Annotated[Literal["turn"] | None, ParsedBy(read_each, type="string", const="turn")] = None
    turn: Count | None = None
    date: Day | None = None
    when: ConditionText | None = None
    chance: Share = Field(default_factory=lambda: Fraction(1))
    once: Switch = False


class WeatherKind(Model):
    """One kind of weather, with its weight in the random draw and its effects in battle.

    `movement` is added to the steps of every force. `recovery` replaces the usual rate of recovery.
    """

    p: Part
    name: Name
    movement: StepsMore = 0
    recovery: Rate | None = None
    battle: dict[Rules, Modifiers] = {}


class Weather(Model):
    """The kinds of weather that are drawn for each turn, and the current one."""

    table: list[WeatherKind]
    now: Name | None = None

    def kind(self, name: str | None) -> WeatherKind | None:
        """Return the kind of weather with a name. If the name is None, return the current kind."""
        return next((kind for kind in self.table if kind.name == (name or self.now)), None)


def has_date(at: tuple[str | int, ...]) -> bool:
    """Return True if the value at a path is a day of an event or a schedule."""
    return len(at) == 3 and at[0] in ("event", "schedule") and at[2] == "date"
