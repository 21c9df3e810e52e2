"""The commands that add a TOML table to campaign.toml, such as `campaign add road`."""

from __future__ import annotations

from typing import Annotated

from cardbattle.campaign.ledger import value_edits
from cardbattle.campaign.state.tables.movement import MOST_STEPS
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.edit import record_edit
from cardbattle.cli.campaign.record import RecordingOptions
from cardbattle.cli.campaign.shared import Where
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.cli.shell.key_suggestions import SINGLE_TABLES, key_table, schema_keys
from cardbattle.core.errors import UsageError
from cardbattle.core.names import listed

ADDITIONS = CommandGroup()

Settings = Annotated[
    list[str],
    argument("KEY=VALUE", "Values of the new table.", callback=options.validate_texts),
]

OptionalSettings = Annotated[
    list[str] | None,
    argument(
        "KEY=VALUE",
        "Values of the new table; leave them out to see its keys.",
        show_default=False,
        callback=options.validate_texts,
    ),
]


def keys_of_table(name: str) -> str:
    """Return the keys of a table with their possible values, such as `to (points or purse)`."""
    path = "experience.steps.*" if name == "experience.steps" else name
    values = {key: key_table()[f"{path}.{key}"] for key in schema_keys(path)}
    return ", ".join(
        f"{key} ({listed(words, 'or')})" if isinstance(words, list) and words else key
        for key, words in values.items()
    )


def add_table(
    home: Where, table: str, key: str, settings: list[str], how: RecordingOptions, to: Printer
) -> None:
    """Add a table, such as [movement], or an item of a list of tables, such as [[assert]].

    `settings` are the values of the new table, as KEY=VALUE texts.
    """
    assignments = [value_edits.read_assignment(text) for text in settings]
    record_edit(home, how, to, lambda books: value_edits.add_item(books, table, key, assignments, how.reason))


@ADDITIONS.command(
    "cardbattle campaign add table movement allowance=2 stacking=3\n"
    "cardbattle campaign add table experience.steps at=3 title=blooded commander=seasoned",
    ALL,
)
def table_command(
    home: Where,
    table: Annotated[str, argument("TABLE", f"Table: {listed(SINGLE_TABLES, 'or')}.")],
    how: RecordingOptions,
    to: Printer,
    setting: OptionalSettings = None,
) -> None:
    """Add one of the tables that a campaign has once, such as movement or deadlines.

    Without KEY=VALUE, the error lists the keys of the table and their possible values.
    """
    name = options.one_of(table, [*SINGLE_TABLES], "TABLE")
    if not setting:
        raise UsageError(f"{name}: KEY=VALUE is missing; write one or more of: {keys_of_table(name)}")
    add_table(home, name, "", setting, how, to)


@ADDITIONS.command("cardbattle campaign add assert force=percy strength=14", ALL)
def assert_command(home: Where, setting: Settings, how: RecordingOptions, to: Printer) -> None:
    """Add an assertion: a value that `campaign check` compares with the campaign."""
    add_table(home, "assert", "", setting, how, to)


@ADDITIONS.command(
    "cardbattle campaign add road chester whitchurch\n"
    "cardbattle campaign add road chester wrexham oswestry --length 2",
    ALL,
)
def road_command(
    home: Where,
    place: Annotated[list[str], argument("PLACE", "Places, by key or name.")],
    how: RecordingOptions,
    to: Printer,
    length: Annotated[int, option("--length N", "Length in steps.", min=1, max=MOST_STEPS)] = 1,
) -> None:
    """Add a road between two places.

    If you name several places, a road is added from each place to the next.
    """
    record_edit(home, how, to, lambda books: value_edits.add_roads(books, place, length, how.reason))


@ADDITIONS.command(
    'cardbattle campaign add schedule turn=5 add.force=\'{ key = "gray", faction = "crown" }\'\n'
    'cardbattle campaign add schedule date=1403-07-21 "text=Lord Grey rides in"',
    ALL,
)
def schedule_command(home: Where, setting: Settings, how: RecordingOptions, to: Printer) -> None:
    """Add a change of the campaign that happens in a certain turn or on a date."""
    add_table(home, "schedule", "", setting, how, to)


@ADDITIONS.command(
    'cardbattle campaign add event each=turn chance=1/6 "text=Fever in the camp" '
    "change.forces.hotspur.strength=-1",
    ALL,
)
def event_command(home: Where, setting: Settings, how: RecordingOptions, to: Printer) -> None:
    """Add an event of the campaign that can happen by chance."""
    add_table(home, "event", "", setting, how, to)


@ADDITIONS.command("cardbattle campaign add weather name=rain p=2", ALL)
def weather_command(home: Where, setting: Settings, how: RecordingOptions, to: Printer) -> None:
    """Add a kind of weather to the weather table."""
    add_table(home, "weather.table", "", setting, how, to)


@ADDITIONS.command("cardbattle campaign add terrain woods field-of-honour.defender.hand=1", ALL)
def terrain_command(
    home: Where,
    key: Annotated[str, argument("NEWKEY", "Key of the terrain, such as woods.")],
    setting: Settings,
    how: RecordingOptions,
    to: Printer,
) -> None:
    """Add a kind of terrain, and its effects in battle."""
    add_table(home, "terrain", key, setting, how, to)


@ADDITIONS.command(
    "cardbattle campaign add fixtures kind=round-robin forces=hal,hotspur,douglas\n"
    "cardbattle campaign add fixtures kind=swiss forces=hal,hotspur,douglas,owain rounds=3 points.win=2",
    ALL,
)
def fixtures_command(home: Where, setting: Settings, how: RecordingOptions, to: Printer) -> None:
    """Add a league, whose rounds `campaign fixtures` draws."""
    add_table(home, "fixtures", "", setting, how, to)
