"""The commands `engine` and `engine check`, for engines that use the protocol of docs/protocol.md."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cardbattle.cli.command_table import ENGINE
from cardbattle.cli.engine_options import EngineOptions, open_log
from cardbattle.cli.lazy_group import Group, LazyGroup
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.commanders import DEFAULT
from cardbattle.engines.checks import CHECKS, Checker, run_check
from cardbattle.engines.definitions import read_definitions
from cardbattle.engines.server import serve
from cardbattle.files.settings import config_file
from cardbattle.show.pages.engine_check import engine_check_page

COMMANDS = CommandGroup()
engine = typer.Typer(
    name="engine",
    cls=LazyGroup,
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="cardbattle engine --commander veteran\ncardbattle engine check bold --engine bold='node bot.js'",
)
GROUP = Group(engine, ENGINE)


@engine.callback()
def engine_group(
    context: typer.Context,
    commander: Annotated[
        str, option("--commander RANK", "Rank of the commander that answers the questions.")
    ] = DEFAULT,
) -> None:
    """Run a computer commander as an engine for another program.

    The other program writes questions to standard input and reads answers from standard output, with one JSON
    object on each line. docs/protocol.md describes the questions and answers. The engine stops after the
    message `quit`, or at the end of its input.
    """
    if context.invoked_subcommand is None:
        serve(commander, sys.stdin.buffer, sys.stdout.buffer)


@COMMANDS.command(
    "cardbattle engine check bold --engine bold='node bot.js'\ncardbattle engine check bold -o report.md",
    ALL,
)
def check_command(
    name: Annotated[
        str, argument("NAME", "The engine, defined with --engine or in your configuration file.")
    ],
    engines: EngineOptions,
    to: Printer,
) -> None:
    """Check that an engine follows the protocol.

    The exit code is 1 if a check fails. If you are the author of the engine, you can publish the output in
    its README.
    """
    definitions = engines.engine or []
    named = [] if any(text.partition("=")[0] == name for text in definitions) else [name]
    definition = read_definitions([*definitions, *named], config_file())[name]
    with open_log(engines.engine_log) as log, to.bar("checks") as report_progress:
        checker = Checker(definition, engines.engine_time / 1000, log)
        results = []
        try:
            for number, check in enumerate(CHECKS, 1):
                results.append(run_check(check, checker))
                report_progress(number, len(CHECKS))
        finally:
            checker.close()
    to.show(engine_check_page(name, results))
    if any(result.state == "failed" for result in results):
        if not engines.engine_log:
            to.hint("to see the messages to and from the engine, add --engine-log FILE")
        raise typer.Exit(1)
