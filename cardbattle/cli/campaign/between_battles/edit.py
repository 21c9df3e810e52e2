"""The commands `campaign set`, `unset`, `remove`, `cancel` and `edit`, which change campaign.toml."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from cardbattle.campaign.ledger import umpire_changes, value_edits
from cardbattle.campaign.ledger.addresses import is_in_campaign, names_value, read_condition
from cardbattle.campaign.phases.declined_battles import forces_left_out
from cardbattle.campaign.state.renaming import TABLES
from cardbattle.campaign.turn.factor_values import strength_hint
from cardbattle.campaign.visibility.redaction import SETTINGS
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.next_step import print_step_in_turn
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import Where
from cardbattle.cli.campaign.umpire_changes import read_side
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.core.errors import UsageError
from cardbattle.core.names import as_typed, clean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation
    from cardbattle.campaign.ledger.value_edits import Assignment
    from cardbattle.campaign.state.model import Campaign

COMMANDS = CommandGroup()
PATH = re.compile(r"[a-z][\w-]*(?:\.[\w*-]+)+")  # a KEY, such as forces.percy.strength
ASSIGNMENT = re.compile(r"\w[\w' -]*(?:\.[\w*-]+)+[-+]?=(?!=)")  # KEY=VALUE, not a comparison

WhereOption = Annotated[
    list[str] | None,
    option(
        "--where CONDITION",
        "Only forces, battles or other tables that meet this condition, such as faction=crown or "
        "strength<5. Repeatable.",
        callback=options.validate_texts,
    ),
]


def record_edit(
    home: Where, how: RecordingOptions, to: Printer, plan: Callable[[CampaignFile], Operation]
) -> tuple[Campaign, Ledger]:
    """Print an edit's diff, record it, and return the campaign and the ledger afterwards."""
    return record_operations(home.path, how, to, lambda books, _: [plan(books)], diff_first=True)


@COMMANDS.command(
    "cardbattle campaign set forces.percy.strength 12\n"
    "cardbattle campaign set scoring.win=3 scoring.draw=1\n"
    "cardbattle campaign set 'forces.*.commander' seasoned --where faction=crown",
    ALL,
)
def set_command(
    home: Where,
    setting: Annotated[
        list[str],
        argument(
            "KEY=VALUE",
            "Key and its new value; += adds, -= subtracts. A single pair can also be written KEY VALUE.",
            callback=options.validate_lines,
        ),
    ],
    how: RecordingOptions,
    to: Printer,
    condition: WhereOption = None,
) -> None:
    """Change values in campaign.toml.

    KEY is the path to a value, such as forces.percy.strength. A * means any key: forces.*.strength changes
    the strength of all forces. Items of a list are numbered from 1: event.2.chance. To add an item to a list
    of N items, use the number N + 1 in KEY. To set a whole list, separate its items by commas. KEY+=VALUE
    adds items to a list, and KEY-=VALUE removes items from a list. You can write the name of a force, faction
    or place instead of its key.

    The command prints all changes as a diff, then records them as one ledger entry. You can set all required
    keys of a new table in one command. Comments are kept, and `campaign undo` restores the file byte for
    byte.
    """
    conditions = [read_condition(text) for text in condition or []]
    assignments = read_assignments(setting)

    def plan(books: CampaignFile) -> Operation:
        if len(assignments) < len(setting):
            refuse_second_key(books.campaign, setting)
        return value_edits.set_values(books, assignments, conditions, how.reason)

    record_edit(home, how, to, plan)


def read_assignments(arguments: Sequence[str]) -> list[Assignment]:
    """Return the assignments on a command line: KEY=VALUE words, or a single KEY followed by its VALUE.

    Raises UsageError if a word is not KEY=VALUE.
    """
    if "=" in arguments[0] or len(arguments) == 1:
        return [value_edits.read_assignment(word) for word in arguments]
    return [value_edits.Assignment(arguments[0], " ".join(arguments[1:]).strip())]


def refuse_second_key(campaign: Campaign, arguments: Sequence[str]) -> None:
    """Raise UsageError if another KEY of this campaign follows a KEY and its VALUE."""
    pairs = [word for word in arguments[2:] if ASSIGNMENT.match(word)]
    more = next((word for word in pairs if is_in_campaign(campaign, word.partition(".")[0])), "")
    if more:
        raise UsageError(f"before {quoted(more)}, write {first_pair(arguments, more)}, with an equals sign")
    if "." not in arguments[0] or arguments[0].endswith((".when", ".where")):
        return
    tables = {arguments[0].partition(".")[0], *TABLES, *SETTINGS, "deadlines", "results"}
    paths = (word for word in arguments[2:-1] if PATH.fullmatch(word) and word.partition(".")[0] in tables)
    path = next((path for path in paths if names_value(campaign, path)), "")
    if path:
        example = f"{first_pair(arguments, path)} {path}=VALUE"
        raise UsageError(f"to change several values, write KEY=VALUE for each, such as: {example}")


def first_pair(arguments: Sequence[str], second: str) -> str:
    """Return the KEY and the VALUE before the `second` key as one word of a command line."""
    return f"{arguments[0]}={as_typed(' '.join(arguments[1 : arguments.index(second, 2)]))}"


@COMMANDS.command(
    "cardbattle campaign unset locations.wem.owner\ncardbattle campaign unset 'forces.*.standing'", ALL
)
def unset_command(
    home: Where,
    key: Annotated[list[str], argument("KEY", "Value to remove, such as locations.wem.owner.")],
    how: RecordingOptions,
    to: Printer,
    condition: WhereOption = None,
) -> None:
    """Remove values from campaign.toml, so that their defaults apply."""
    conditions = [read_condition(text) for text in condition or []]
    record_edit(home, how, to, lambda books: value_edits.unset_values(books, key, conditions, how.reason))


@COMMANDS.command(
    "cardbattle campaign remove forces.percy\ncardbattle campaign remove 'forces.*' --where destroyed=true",
    ALL,
)
def remove_command(
    home: Where,
    key: Annotated[
        list[str],
        argument("KEY", "Faction, force, place, table or list item, such as percy, calendar or road.3."),
    ],
    how: RecordingOptions,
    to: Printer,
    condition: WhereOption = None,
) -> None:
    """Remove factions, forces, places, tables or items of lists.

    If a remaining value of campaign.toml refers to a removed key, nothing is removed, and the error lists
    every reference. If you remove keys that refer to each other, name all these keys in one command.
    """
    conditions = [read_condition(text) for text in condition or []]
    record_edit(home, how, to, lambda books: value_edits.remove_things(books, key, conditions, how.reason))


@COMMANDS.command(
    'cardbattle campaign cancel t4-ford --reason "the river is in flood"\n'
    "cardbattle campaign cancel '*' --where stakes=wem",
    ALL,
)
def cancel_command(
    home: Where,
    battle: Annotated[list[str], argument("BATTLE", "Pending battles, by id.")],
    how: RecordingOptions,
    to: Printer,
    condition: WhereOption = None,
) -> None:
    """Cancel pending battles without fighting them.

    The battles are removed from campaign.toml. The ledger gets no result for them.
    """
    conditions = [read_condition(text) for text in condition or []]
    campaign, ledger = record_edit(
        home, how, to, lambda books: value_edits.cancel_battles(books, battle, conditions, how.reason)
    )
    print_step_in_turn(campaign, ledger, home.path, to, dry_run=how.dry_run)


@COMMANDS.command(
    'cardbattle campaign edit t4-ford --set stakes=wem --set note="At dawn"\n'
    "cardbattle campaign edit t4-ford --side hotspur+douglas --side hal",
    ALL,
)
def edit_command(
    home: Where,
    battle: Annotated[str, argument("BATTLE", "Pending battle, by id.")],
    how: RecordingOptions,
    to: Printer,
    setting: Annotated[
        list[str] | None,
        option(
            "--set KEY=VALUE",
            "Value to set, such as stakes=wem or options.percy.hand=6. Repeatable.",
            callback=options.validate_texts,
        ),
    ] = None,
    unset: Annotated[list[str] | None, option("--unset KEY", "Value to remove. Repeatable.")] = None,
    side: Annotated[
        list[str] | None,
        option("--side FORCE[+FORCE]", "New side, instead of the old sides; name every side. Repeatable."),
    ] = None,
) -> None:
    """Edit a pending battle.

    If the new sides leave out a force that is where the battle is, the command says where it must retreat.
    """
    if not setting and not unset and not side:
        raise UsageError(f"nothing to change in battle {quoted(battle)}; use --set, --unset or --side")

    def plan(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        sides = [read_side(books.campaign, text) for text in side or []]
        values: dict[str, object] = {}
        if sides:
            values["sides"] = [each.forces[0] if len(each.forces) == 1 else each.forces for each in sides]
        if names := {each.forces[0]: each.name for each in sides if each.name}:
            values["names"] = names
        edit = value_edits.edit_battle(books, battle, values, setting or [], unset or [], how.reason)
        pending = books.campaign.battle(battle)
        left = forces_left_out(books.campaign, ledger, pending, edit.entry.changes) if pending else []
        after = books.campaign.after(edit.entry.changes)
        others = umpire_changes.second_battles(after, battle) if side else []
        return [edit._replace(notes=[*edit.notes, *left, *others])]

    campaign, ledger = record_operations(home.path, how, to, plan, diff_first=True)
    edited = None if how.dry_run else campaign.battle(battle)
    if edited and (hint := strength_hint(campaign, edited)):
        to.message(clean(f"hint: battle {battle}: {hint}"))
    print_step_in_turn(campaign, ledger, home.path, to, dry_run=how.dry_run)
