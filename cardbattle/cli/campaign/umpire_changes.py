"""The commands `campaign add`, `move`, `rename`, `note` and `turn` for changes between battles."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.campaign.ledger import umpire_changes
from cardbattle.campaign.ledger.umpire_changes import find_key
from cardbattle.campaign.state.fields import read_whole
from cardbattle.campaign.turn.in_progress import battles_in_progress, progress_sentences
from cardbattle.campaign.visibility.redaction import is_private
from cardbattle.cli import options
from cardbattle.cli.asking import option_or_prompt
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import DryRun, Where, read_unchecked
from cardbattle.cli.command_table import CAMPAIGN_ADD
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer, option_group
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean, listed, quoted
from cardbattle.files.reader import expect_name
from cardbattle.files.spreadsheet import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation
    from cardbattle.campaign.state.model import Campaign

COMMANDS = CommandGroup()
ADDITIONS = CommandGroup()

add = typer.Typer(
    name="add",
    cls=LazyGroup,
    add_completion=False,
    help="Add a faction, a force, a place, a battle or another table.",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog='cardbattle campaign add force "Sir Walter Blount" --faction crown --strength 7',
)

NameArgument = Annotated[
    str,
    argument("NAME", "Name of the new faction, force or place.", callback=options.validate_text),
]
KeyOption = Annotated[str, option("--key NEWKEY", "Key in the file.  [default: made from the name]")]


@option_group
class NameAndKey(NamedTuple):
    """The name and the key of a new faction, force or place."""

    name: NameArgument = ""
    key: KeyOption = ""


@ADDITIONS.command('cardbattle campaign add faction "House York"', ALL)
def faction_command(
    home: Where,
    name_and_key: NameAndKey,
    how: RecordingOptions,
    to: Printer,
    points: Annotated[int, option("--points N", "Points to start with.")] = 0,
) -> None:
    """Add a faction."""

    def values(campaign: Campaign) -> dict[str, object]:
        return {"points": points}

    record_operations(home.path, how, to, addition(home, name_and_key, "factions", values, how))


@option_group
class ForceOptions(NamedTuple):
    """The faction, place, strength and other values of a new force."""

    faction: Annotated[str, option("--faction FACTION", "Faction that owns the force.")] = ""
    strength: Annotated[str, option("--strength N", "Strength.")] = ""
    place: Annotated[str, option("--place PLACE", "Place where the force is.")] = ""
    commander: Annotated[str, option("--commander RANK", "Commander.  [default: regular]")] = ""
    unit: Annotated[list[str] | None, option("--unit NAME=N", "Unit and its strength. Repeatable.")] = None

    def values(self, campaign: Campaign) -> dict[str, object]:
        """Return the values of the force's table. At a terminal, ask for missing values."""
        factions = listed([*campaign.factions], "or") or "none exists yet"
        find = partial(find_key, campaign, "factions")
        table: dict[str, object] = {
            "faction": option_or_prompt(
                self.faction, "--faction", f"Faction of the force ({factions})", find
            ),
        }
        units: dict[str, int] = {}
        for name, strength in map(unit_read, self.unit or ()):
            if name in units:
                raise UsageError(f"--unit: {name} is named twice")
            units[name] = strength
        if self.strength or not units:
            table["strength"] = option_or_prompt(
                self.strength, "--strength", "Strength of the force, a whole number", strength_read
            )
        else:
            table["strength"] = sum(units.values())
        if units:
            table["units"] = units
        if self.commander:
            table["commander"] = self.commander
        if self.place:
            table["location"] = find_key(campaign, "locations", self.place)
        return table


@ADDITIONS.command('cardbattle campaign add force "Sir Walter Blount" --faction crown --strength 7', ALL)
def force_command(
    home: Where, name_and_key: NameAndKey, wanted: ForceOptions, how: RecordingOptions, to: Printer
) -> None:
    """Add a force, which is an army or band that fights as a whole."""
    record_operations(home.path, how, to, addition(home, name_and_key, "forces", wanted.values, how))


def unit_read(text: str) -> tuple[str, int]:
    """Return a unit's (name, strength). Raises UsageError if the text is not NAME=N."""
    name, equals, number = text.rpartition("=")
    if not equals:
        raise UsageError(f'--unit {quoted(text)}: write NAME=N, such as "Bowmen=4"')
    try:
        return expect_name(name.strip()), strength_read(number.strip())
    except ValueError as error:
        raise UsageError(f"--unit {quoted(text)}: {error}") from None


def strength_read(answer: str) -> int:
    """Return the strength that an answer gives, a whole number from 0.

    Raises ValueError, which describes a valid answer, if the answer is not valid.
    """
    return read_whole(0)(whole_number(answer))


@option_group
class PlaceOptions(NamedTuple):
    """The owner and the value of a new place."""

    owner: Annotated[str, option("--owner FACTION", "Owner.  [default: none]")] = ""
    value: Annotated[int, option("--value N", "Value of the place.")] = 0

    def values(self, campaign: Campaign) -> dict[str, object]:
        table: dict[str, object] = {}
        if self.owner:
            table["owner"] = find_key(campaign, "factions", self.owner)
        return table | ({"value": self.value} if self.value else {})


@ADDITIONS.command('cardbattle campaign add place "Chester" --owner crown --value 2', ALL)
def place_command(
    home: Where, name_and_key: NameAndKey, wanted: PlaceOptions, how: RecordingOptions, to: Printer
) -> None:
    """Add a place that factions can hold and fight for."""
    record_operations(home.path, how, to, addition(home, name_and_key, "locations", wanted.values, how))


NOUNS = {"factions": "faction", "forces": "force", "locations": "place"}


def addition(
    home: Where,
    name_and_key: NameAndKey,
    table: str,
    values: Callable[[Campaign], Mapping[str, object]],
    how: RecordingOptions,
) -> Callable[[CampaignFile, Ledger], list[Operation]]:
    """Ask for missing values, and return the function that `record_operations` needs to add a table.

    `table` is `factions`, `forces` or `locations`. `values` returns the values of the table except its name.
    """
    campaign = read_unchecked(home.path)[0].campaign

    def name_read(answer: str) -> str:
        name = expect_name(answer.strip())
        return name if name_and_key.key else umpire_changes.new_name(campaign, table, name)

    name = option_or_prompt(name_and_key.name, "NAME", f"Name of the new {NOUNS[table]}", name_read)
    key = name_and_key.key or umpire_changes.key_for(name, getattr(campaign, table))
    data = {"name": name, **values(campaign)}
    notes = [] if key == name_and_key.key else [f"the key of {name} is {key}"]
    return lambda books, ledger: [
        umpire_changes.add_thing(books, table, key, data, how.reason)._replace(notes=notes)
    ]


@option_group
class BattleTerms(NamedTuple):
    """The sides, rule set, stakes and note of a new battle."""

    side: Annotated[
        list[str] | None,
        option(
            "--side FORCE[+FORCE]", "Forces of one side, joined by +; add =NAME to name the side. Repeatable."
        ),
    ] = None
    rules: Annotated[
        str, option("--rules RULES", "Rule set.  [default: the campaign's]", callback=options.as_rules)
    ] = ""
    stakes: Annotated[str, option("--stakes PLACE", "Place that the winner's faction takes.")] = ""
    place: Annotated[str, option("--place PLACE", "Place of the battle.  [default: the place at stake]")] = ""
    defender: Annotated[
        str,
        option(
            "--defender FORCE", "Force whose side defends.  [default: the side whose faction owns the place]"
        ),
    ] = ""
    note: Annotated[
        str, option("--note TEXT", "Remark about the battle.", callback=options.validate_text)
    ] = ""


@ADDITIONS.command("cardbattle campaign add battle t5-ford --side hotspur+douglas --side hal", ALL)
def battle_command(
    home: Where,
    wanted: BattleTerms,
    how: RecordingOptions,
    to: Printer,
    battle: Annotated[str, argument("ID", "Id of the battle, such as t5-ford.")] = "",
) -> None:
    """Add a pending battle."""
    books, kept = read_unchecked(home.path)
    campaign = books.campaign
    read = partial(
        umpire_changes.new_id, campaign, kept
    )  # an id on the command line is checked when the campaign is open
    name = battle or option_or_prompt(battle, "ID", "The battle's id, such as t5-ford", read)
    sides = [read_side(campaign, word) for word in wanted.side or []] or ask_sides(campaign)
    table: dict[str, object] = {"id": name}
    table |= {"rules": wanted.rules} if wanted.rules else {}
    table["sides"] = [side.forces[0] if len(side.forces) == 1 else side.forces for side in sides]
    names = {side.forces[0]: side.name for side in sides if side.name}
    table |= {"names": names} if names else {}
    if wanted.stakes:
        table["stakes"] = umpire_changes.find_key(campaign, "locations", wanted.stakes)
    if wanted.place:
        table["place"] = umpire_changes.find_key(campaign, "locations", wanted.place)
    if wanted.defender:
        table["defender"] = side_with(campaign, sides, wanted.defender)
    table |= {"note": wanted.note} if wanted.note else {}

    record_operations(
        home.path,
        how,
        to,
        lambda books, ledger: [umpire_changes.add_battle(books, ledger, table, how.reason)],
    )


class NewSide(NamedTuple):
    """The forces of one side of a new battle, and the name of the side, or ""."""

    forces: list[str]
    name: str = ""


def read_side(campaign: Campaign, text: str) -> NewSide:
    """Parse a side in the form FORCE, FORCE+FORCE or FORCE+FORCE=NAME.

    Raises InvalidInput if a force is unknown, and ValueError if the name is invalid.
    """
    forces, equals, name = text.partition("=")
    keys = [find_key(campaign, "forces", word.strip()) for word in forces.split("+")]
    return NewSide(keys, expect_name(name.strip()) if equals else "")


def side_with(campaign: Campaign, sides: Sequence[NewSide], word: str) -> str:
    """Return the key of the side with this force. Raises UsageError if the force fights on no side."""
    force = find_key(campaign, "forces", word)
    keys = [side.forces[0] for side in sides if force in side.forces]
    if not keys:
        raise UsageError(
            f"--defender: {force} does not fight in this battle; name a force of one of its sides"
        )
    return keys[0]


def ask_sides(campaign: Campaign) -> list[NewSide]:
    """Ask for the two sides of a new battle. Raises UsageError without a terminal."""
    text = "Side {}: a force, or several joined by +, and =NAME if the side has a name"
    read = partial(read_side, campaign)
    return [option_or_prompt("", "--side", text.format(number), read) for number in (1, 2)]


@COMMANDS.command("cardbattle campaign move hotspur douglas shrewsbury", ALL)
def move_command(
    home: Where,
    force: Annotated[list[str], argument("FORCE", "Forces, by key or name.")],
    place: Annotated[str, argument("PLACE", "Destination, by key or name.")],
    how: RecordingOptions,
    to: Printer,
) -> None:
    """Move forces to a place.

    The command ignores roads and movement orders. A force that is on a road leaves it.
    """
    record_operations(
        home.path,
        how,
        to,
        lambda books, ledger: [umpire_changes.move_forces(books, force, place, how.reason)],
    )


@COMMANDS.command("cardbattle campaign rename hal henry", ALL)
def rename_command(
    home: Where,
    target: Annotated[str, argument("KEY", "Key of a faction, force or place, such as hal or forces.hal.")],
    key: Annotated[str, argument("NEWKEY", "The new key.")],
    how: RecordingOptions,
    to: Printer,
) -> None:
    """Change the key of a faction, force or place.

    The key changes everywhere in the campaign. The name of the faction, force or place stays the same. To
    change the name, use: cardbattle campaign adjust forces.hal.name="King Henry".
    """
    record_operations(
        home.path,
        how,
        to,
        lambda books, ledger: [umpire_changes.rename_key(books, target, key, how.reason, ledger)],
    )


@COMMANDS.command(
    'cardbattle campaign note "The bridge at Montford is down" --turn 3\n'
    'cardbattle campaign note "Your scouts hear drums" --for percy',
    ALL,
)
def note_command(
    home: Where,
    text: Annotated[list[str], argument("TEXT", "Text of the note.", callback=options.validate_texts)],
    to: Printer,
    turn: Annotated[
        int | None, option("--turn N", "Turn to which the note belongs.  [default: the current turn]", min=0)
    ] = None,
    date: Annotated[
        str, option("--date TEXT", 'Date, such as "8 July".', callback=options.validate_text)
    ] = "",
    reader: Annotated[
        str,
        option(
            "--for FACTION",
            "Only this faction can read the note.  [default: everyone]",
            callback=options.as_key,
        ),
    ] = "",
    dry_run: DryRun = False,
) -> None:
    """Add a note to the campaign's chronicle.

    Until the forces move, `campaign orders ask` adds it to the messages of this turn. A note that begins with
    `private` is for you only.
    """
    words = " ".join(text)
    if reader and is_private(words):
        raise UsageError("a note that begins with 'private' is for you only; leave out that word or --for")

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        operation = umpire_changes.write_note(books, words, turn, date, reader)
        return [operation._replace(notes=[note_words(books.campaign, operation.entry)] if dry_run else [])]

    record_operations(home.path, RecordingOptions(dry_run=dry_run), to, choose)


def note_words(campaign: Campaign, note: Entry) -> str:
    """Say for whom a note is, and to which turn it belongs."""
    readers = campaign.faction_name(note.id) if note.id else "you" if is_private(note.text) else ""
    turn = campaign.turn if note.turn is None else note.turn
    return f"note of turn {turn} for {f'{readers} alone' if readers else 'everyone'}: {note.text}"


@COMMANDS.command('cardbattle campaign turn --name "Week of 8 July"', ALL)
def turn_command(
    home: Where,
    how: RecordingOptions,
    to: Printer,
    name: Annotated[str, option("--name TEXT", "Name of the turn.", callback=options.validate_text)] = "",
) -> None:
    """Begin the next turn."""

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        if left := umpire_changes.still_pending(books.campaign):
            message(f"cardbattle: warning: {left}")
        for battle, sentence in progress_sentences(
            books.campaign, battles_in_progress(books.campaign)
        ).items():
            message(clean(f"cardbattle: warning: battle {battle}: {sentence}"))
        return [umpire_changes.next_turn(books, how.reason, name)]

    record_operations(home.path, how, to, choose)


@add.callback()
def add_group(context: typer.Context) -> None:
    """Add a faction, a force, a place, a battle or another table."""
    print_help_without_command(context)


ADD_GROUP = Group(add, CAMPAIGN_ADD)
