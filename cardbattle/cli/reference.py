"""rules, commanders: what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.run import ALL, CommandGroup, Printer

COMMANDS = CommandGroup()


@COMMANDS.command("cardbattle rules field-of-honour", ALL)
def rules_command(
    to: Printer,
    name: Annotated[
        str,
        typer.Argument(
            metavar="[RULES]", help="A rule set; without one all are listed.", callback=options.as_rules
        ),
    ] = "",
) -> None:
    """Print the rules of a rule set, numbered.

    With rulings, house rules, side options and credit.
    """
    from cardbattle.rules import every, find
    from cardbattle.show.pages.reference import rule_sets_page, rules_page

    to.show(rules_page(find(name)) if name else rule_sets_page(every()))


@COMMANDS.command("cardbattle commanders", ALL)
def commanders_command(to: Printer) -> None:
    """Print who can command, and how strong they are."""
    from cardbattle.show.pages.reference import commanders_page

    to.show(commanders_page())
