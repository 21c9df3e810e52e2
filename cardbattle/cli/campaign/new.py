"""campaign new, export, schema: campaigns and battles as files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from cardbattle.cli import options
from cardbattle.cli.campaign.books import Folder, folder_of
from cardbattle.cli.output import standing, write
from cardbattle.core.errors import Refused, UsageError
from cardbattle.core.names import clean, listed, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardbattle.campaign.founding import Party
    from cardbattle.campaign.model import Campaign, Pending

T = TypeVar("T")


def add_to(campaign: typer.Typer) -> None:
    """Add these commands to the campaign's."""
    campaign.command("new", epilog="Example: cardbattle campaign new the-marches")(new)
    campaign.command("export", epilog="Example: cardbattle campaign export mill -o mill.toml")(export)
    campaign.command("schema", epilog="Example: cardbattle campaign schema")(print_schema)


def new(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A new folder, or one without a campaign.")],
    name: Annotated[
        str,
        typer.Option("--name", metavar="TEXT", help="Default: the folder's.", callback=options.checked_text),
    ] = "",
    rules: Annotated[
        str, typer.Option("--rules", metavar="RULES", help="For battles that name none.")
    ] = "field-of-honour",
    seed: options.Seed = "",
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask for name, rules and parties, one after the other.")
    ] = False,
) -> None:
    """Make a new campaign: a campaign.toml that explains itself."""
    from cardbattle.campaign import founding

    parties: Sequence[Party] = founding.RED_AND_BLUE
    if ask:
        name, rules, parties = asked(name, rules)
    at = founding.found(folder, name, options.read_seed(seed), rules, parties)
    with standing(f"the campaign is in {clean(at)}"):
        print(f"The campaign is in {clean(at)}; edit campaign.toml,")
        print(f"then look at it with: cardbattle campaign -C {clean(folder)} show")


def asked(name: str, rules: str) -> tuple[str, str, list[Party]]:
    """Ask for what a new campaign needs; an empty answer takes what stands in brackets."""
    from cardbattle.campaign.fields import rule_set, whole
    from cardbattle.campaign.founding import RED_AND_BLUE, Party
    from cardbattle.files.reader import expect_name as read_name
    from cardbattle.files.spreadsheet import whole_number

    def strength(answer: object) -> int:
        return whole(1)(whole_number(str(answer)))

    name = question("Name of the campaign", name or "A campaign", read_name)
    rules = question("Rule set of its battles", rules, rule_set)
    parties = []
    for number, usual in enumerate(RED_AND_BLUE, 1):
        faction = question(f"Faction {number}", usual.faction, read_name)
        force = question(f"  its first force, of {faction}", f"First of the {faction}"[:40], read_name)
        parties.append(Party(faction, force, question("  and its strength", str(usual.strength), strength)))
    return name, rules, parties


def question(words: str, usual: str, read: Callable[[object], T]) -> T:
    """Ask one question on standard error until the answer can be read."""

    def readable(answer: str) -> T:
        try:
            return read(answer.strip())
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    answer: T = typer.prompt(words, default=usual, value_proc=readable, err=True)
    return answer


def export(
    context: typer.Context,
    battle: Annotated[str, typer.Argument(metavar="BATTLE", help="A pending battle.")],
    sheet: Annotated[
        bool, typer.Option("--sheet", help="A sheet for the real table instead of a battle file.")
    ] = False,
    output: options.Output = "-",
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="Of a sheet: md, plain or html.")
    ] = "",
    folder: Folder = "",
    quiet: options.Quiet = False,
) -> None:
    """Write a pending battle as a battle file, bound to its forces, so that its result can be imported."""
    if format and not sheet:
        raise UsageError("--format is for --sheet; a battle file is TOML")
    from cardbattle.campaign import store
    from cardbattle.campaign.exporting import battle_file

    read = store.load(folder_of(context, folder)).campaign
    pending = read.battle(battle)
    if pending is None:
        known = [one.id for one in read.pending]
        hint = nearest(battle, known) or f"; {listed(known) or 'none'} {'are' if len(known) > 1 else 'is'}"
        raise Refused(f"battle {quoted(battle)} is not pending{hint}")
    text = sheet_text(read, pending, output, format) if sheet else battle_file(read, pending)
    write(output, text, quiet)


def sheet_text(campaign: Campaign, battle: Pending, output: str, format: str) -> str:
    """Return the sheet for a real table in the format that is asked for, or that the file's name asks for."""
    from cardbattle.show import report
    from cardbattle.show.battle_sheet import sheet_sections, sheet_title

    by_name = "html" if output.lower().endswith((".html", ".htm")) else "md"
    form = options.one_of(format or by_name, list(SHEETS), "--format")
    writers = dict(zip(SHEETS, (report.markdown, report.plain, report.page), strict=True))
    return writers[form](sheet_title(campaign, battle), sheet_sections(campaign, battle))


SHEETS = ("md", "plain", "html")


def print_schema(output: options.Output = "-", quiet: options.Quiet = False) -> None:
    """Print the JSON Schema of campaign.toml, for editors that complete and check."""
    from cardbattle.campaign import schema

    write(output, schema.text(), quiet)
