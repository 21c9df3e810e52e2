"""The commands `test-rules` and `new-rules`, for authors of rule sets."""

from __future__ import annotations

from typing import Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.output import message, write_line
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.core.errors import UsageError
from cardbattle.core.names import as_typed, quoted, unknown_word
from cardbattle.rules import find
from cardbattle.show.pages.rules_test import rules_test_page
from cardbattle.testing.kit.new_package import create_package
from cardbattle.testing.kit.run import BATTLES, SECONDS, run_laws
from cardbattle.testing.laws import LAWS, RULE_LAWS

COMMANDS = CommandGroup()


@COMMANDS.command(
    "cardbattle test-rules push-of-pike\n"
    "cardbattle test-rules push-of-pike --law random_play_ends -v\n"
    "cardbattle test-rules push-of-pike -n 50 -o report.md",
    ALL,
    called="test-rules",
)
def check_rules_command(
    rules: options.Rules,
    to: Printer,
    law: Annotated[
        list[str] | None,
        option("--law LAW", "Check only this law (property), such as random_play_ends. Repeatable."),
    ] = None,
    battles: Annotated[int, option("-n --battles N", "Battles per law.", min=1, max=1000)] = BATTLES,
    seconds: Annotated[
        float,
        option(
            "--seconds N",
            "Processor time for one battle, in seconds, after which a law fails.",
            min=0.1,
            max=3600,
        ),
    ] = SECONDS,
) -> None:
    """Check that a rule set has all required properties (laws).

    The exit code is 1 if a law is broken. With --verbose, the report has the
    traceback of each failure.
    """
    rule_set = find(rules)
    names = [read_law_name(name) for name in law or []]
    with to.bar("laws") as report_progress:
        report = run_laws(rule_set, battles, seconds, names, report_progress)
    to.show(rules_test_page(rule_set, report, to.verbose))
    if report.failed:
        raise typer.Exit(1)


def read_law_name(name: str) -> str:
    """Return the name if it is the name of a law, which is a property that every rule set must have.

    Raises UsageError, which suggests the nearest law, if no law has this name.
    """
    laws = [law.__name__ for law in [*RULE_LAWS, *LAWS]]
    if name not in laws:
        raise UsageError(unknown_word("law", name, laws))
    return name


@COMMANDS.command(
    'cardbattle new-rules "Siege of Lille"\ncardbattle new-rules "Siege of Lille" --code SL --folder lille',
    called="new-rules",
)
def new_rules_command(
    name: Annotated[str, argument("NAME", "Name of the game, such as 'Siege of Lille'.")],
    folder: Annotated[
        str,
        option(
            "--folder FOLDER",
            "Folder to create.  [default: the key of the game]",
            callback=options.validate_folder,
        ),
    ] = "",
    code: Annotated[
        str,
        option(
            "--code LETTERS",
            "2 to 4 capital letters before the rule numbers.  [default: the initials of the name]",
        ),
    ] = "",
    quiet: options.Quiet = False,
) -> None:
    """Write the package of a small rule set that you can change.

    The package contains a small complete game, its numbered rules and its tests. If the folder already
    contains files, nothing is written.
    """
    if not name.strip():
        raise UsageError(
            f"{quoted(name)} cannot be the name of a new rule set; write words, such as Stone Bridge"
        )
    package = create_package(name, folder, code)
    message(f"wrote {len(package.files)} files", quiet)
    write_line(f"Install it: python -m pip install -e {as_typed(package.folder)}")
    write_line(f"Test it: cardbattle test-rules {package.key}")
    write_line(f"Play it: cardbattle play {package.key}")
