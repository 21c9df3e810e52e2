"""campaign new, export, schema: campaigns and battles as files."""

from __future__ import annotations

from typing import Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.battles import write
from cardbattle.cli.books import Folder, folder_of
from cardbattle.cli.output import as_json
from cardbattle.core.errors import Refused
from cardbattle.core.names import clean, listed, nearest, quoted


def add_to(campaign: typer.Typer) -> None:
    """Add these commands to the campaign's."""
    campaign.command("new", epilog="Example: cardbattle campaign new the-marches")(new)
    campaign.command("export", epilog="Example: cardbattle campaign export mill -o mill.toml")(export)
    campaign.command("schema", epilog="Example: cardbattle campaign schema")(schema)


def new(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A new folder, or one without a campaign.")],
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="Default: the folder's.")] = "",
    rules: Annotated[
        str, typer.Option("--rules", metavar="RULES", help="For battles that name none.")
    ] = "field-of-honour",
    seed: options.Seed = "",
    ask: Annotated[bool, typer.Option("--ask", help="Ask for name and rules, one after the other.")] = False,
) -> None:
    """Make a new campaign: a campaign.toml that explains itself."""
    from cardbattle.campaign import founding

    if ask:
        name = typer.prompt("Name of the campaign", default=name or "A campaign")
        rules = typer.prompt("Rule set of its battles", default=rules)
    at = founding.found(folder, name, options.read_seed(seed), rules)
    print(f"The campaign is in {clean(at)}; edit campaign.toml,")
    print(f"then look at it with: cardbattle campaign -C {clean(folder)} show")


def export(
    context: typer.Context,
    battle: Annotated[str, typer.Argument(metavar="BATTLE", help="A pending battle.")],
    output: options.Output = "-",
    folder: Folder = "",
    quiet: options.Quiet = False,
) -> None:
    """Write a pending battle as a battle file, bound to its forces, so that its result can be imported."""
    from cardbattle.campaign import store
    from cardbattle.campaign.exporting import battle_file

    read = store.load(folder_of(context, folder)).campaign
    pending = read.battle(battle)
    if pending is None:
        known = [one.id for one in read.pending]
        hint = nearest(battle, known) or f"; pending are {listed(known) or 'none'}"
        raise Refused(f"battle {quoted(battle)} is not pending{hint}")
    write(output, battle_file(read, pending), quiet)


def schema(output: options.Output = "-", quiet: options.Quiet = False) -> None:
    """Print the JSON Schema of campaign.toml, for editors that complete and check."""
    from cardbattle.campaign.schema import campaign_schema

    write(output, as_json(campaign_schema()), quiet)
