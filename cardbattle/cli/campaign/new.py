"""campaign new, export, results, schema: campaigns and battles as files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.asking import question
from cardbattle.cli.campaign.shared import Where
from cardbattle.cli.output import standing, write_file
from cardbattle.cli.run import CommandGroup, Printer
from cardbattle.core.errors import Refused, UsageError
from cardbattle.core.names import clean, listed, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.template import Party

SHEETS = ("md", "plain", "html", "text", "json")
FORMS = ("csv", "toml", "json")


COMMANDS = CommandGroup()


@COMMANDS.command("cardbattle campaign new the-marches")
def new_command(
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
    from cardbattle.campaign.new import found_campaign
    from cardbattle.campaign.template import RED_AND_BLUE

    parties: Sequence[Party] = RED_AND_BLUE
    if ask:
        name, rules, parties = asked(name, rules)
    at = found_campaign(folder, name, options.read_seed(seed), rules, parties)
    with standing(f"the campaign is in {clean(at)}"):
        print(f"The campaign is in {clean(at)}; edit campaign.toml,")
        print(f"then look at it with: cardbattle campaign -C {clean(folder)} show")


def asked(name: str, rules: str) -> tuple[str, str, list[Party]]:
    """Ask for what a new campaign needs; an empty answer takes what stands in brackets.

    Raise Abort at the end of input.
    """
    from cardbattle.campaign.fields import read_whole, rule_set_key
    from cardbattle.campaign.template import RED_AND_BLUE, Party
    from cardbattle.files.reader import expect_name
    from cardbattle.files.spreadsheet import whole_number

    def strength(answer: object) -> int:
        return read_whole(1)(whole_number(str(answer)))

    name = question("Name of the campaign", name or "A campaign", expect_name)
    rules = question("Rule set of its battles", rules, rule_set_key)
    parties = []
    for number, usual in enumerate(RED_AND_BLUE, 1):
        faction = question(f"Faction {number}", usual.faction, expect_name)
        force = question(f"  its first force, of {faction}", f"First of the {faction}"[:40], expect_name)
        parties.append(Party(faction, force, question("  and its strength", str(usual.strength), strength)))
    return name, rules, parties


@COMMANDS.command("cardbattle campaign export mill -o mill.toml", SHEETS)
def export_command(
    where: Where,
    battle: Annotated[str, typer.Argument(metavar="BATTLE", help="A pending battle.")],
    to: Printer,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="A sheet for the real table instead of a battle file.")
    ] = False,
) -> None:
    """Write a pending battle as a battle file, bound to its forces, so that its result can be imported.

    A sheet has the formats; a battle file is TOML.
    """
    if to.is_asked and not sheet:
        raise UsageError("--format is for --sheet; a battle file is TOML")
    from cardbattle.campaign import store
    from cardbattle.campaign.exporting import export_text
    from cardbattle.show.pages.battle_sheet import sheet_page

    read = store.load(where.path).campaign
    pending = read.battle(battle)
    if pending is None:
        known = [one.id for one in read.pending]
        hint = nearest(battle, known) or f"; {listed(known) or 'none'} {'are' if len(known) > 1 else 'is'}"
        raise Refused(f"battle {quoted(battle)} is not pending{hint}")
    if sheet:
        to.show(sheet_page(read, pending))
    else:
        write_file(to.path or "-", export_text(read, pending), to.quiet)


@COMMANDS.command("cardbattle campaign results -o results.csv", FORMS)
def results_command(where: Where, to: Printer) -> None:
    """Write a form for the results of all pending battles, to be filled in and imported at one go.

    It has ids, names and sides, and what ties each result to its forces.
    """
    from cardbattle.campaign import store
    from cardbattle.show.pages.results_form import results_form_page

    to.show(results_form_page(store.load(where.path).campaign))


@COMMANDS.command("cardbattle campaign schema")
def schema_command(output: options.Output = "-", quiet: options.Quiet = False) -> None:
    """Print the JSON Schema of campaign.toml, for editors that complete and check."""
    from cardbattle.campaign import schema

    write_file(output, schema.text(), quiet)
