"""The root command: global options, and the groups of commands below it."""

from __future__ import annotations

import sys
from functools import cache
from typing import Annotated, Any

import typer

from cardbattle import __version__, build_form
from cardbattle.cli.command_table import PROGRAM
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.shell.completion import choose_shell, install_script, script_for

app = typer.Typer(
    name="cardbattle",
    cls=LazyGroup,
    help="Resolve the minor battles of a tabletop campaign by card game, and keep its ledger.",
    epilog="cardbattle resolve field-of-honour --seed 1403\ncardbattle demo",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def show_version(is_requested: bool) -> None:
    """Print the version and raise Exit, if --version is set."""
    if is_requested:
        typer.echo(f"cardbattle {__version__} ({build_form()})")
        raise typer.Exit


@app.callback()
def cardbattle(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=show_version, is_eager=True),
    ] = False,
    install_completion: Annotated[
        bool, typer.Option("--install-completion", help="Install completion for the shell.")
    ] = False,
    show_completion: Annotated[
        bool, typer.Option("--show-completion", help="Print the completion script.")
    ] = False,
    shell: Annotated[
        str,
        typer.Option(
            "--shell",
            metavar="SHELL",
            help="Shell for completion: bash, zsh, fish or powershell.  [default: detected]",
        ),
    ] = "",
) -> None:
    """Resolve the minor battles of a tabletop campaign by card game, and keep its ledger."""
    if install_completion or show_completion:
        run_completion(shell, show_completion)
    print_help_without_command(context)


def run_completion(shell: str, is_only_shown: bool) -> None:
    """Install the completion script for a shell, or only print it, and raise Exit.

    Raises UsageError for an unknown shell, and the errors of `install_script`.
    """
    name = choose_shell(shell)
    sys.stdout.write(script_for(name) if is_only_shown else f"{install_script(name)}\n")
    raise typer.Exit


@cache
def command_line() -> Any:
    """Return all commands with their options, built once."""
    return Group(app, PROGRAM).build()
