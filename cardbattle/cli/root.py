"""The root command, with the global options and the groups of commands."""

from __future__ import annotations

import sys
from functools import cache
from typing import Annotated, Any

import typer

from cardbattle.cli.command_table import PROGRAM
from cardbattle.cli.lazy_group import Group, LazyGroup
from cardbattle.cli.parameters import option
from cardbattle.version import version_text

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


FIRST_STEPS = """\
cardbattle resolves the battles of a tabletop campaign by card game.

Three things to try:
  cardbattle resolve field-of-honour    fight a battle, and read how it went
  cardbattle play wargame --teach       command a side yourself
  cardbattle demo                       create a sample campaign, and fight in it

All commands: cardbattle --help
Topics, such as campaigns and seeds: cardbattle help
"""


def show_version(is_requested: bool) -> None:
    """If --version is set, print the version and raise Exit."""
    if is_requested:
        sys.stdout.write(version_text())
        raise typer.Exit


@app.callback()
def cardbattle(
    context: typer.Context,
    version: Annotated[
        bool, option("--version", "Show the version and exit.", callback=show_version, is_eager=True)
    ] = False,
    install_completion: Annotated[bool, option("--install-completion", "Install shell completion.")] = False,
    show_completion: Annotated[
        bool, option("--show-completion", "Print the script for shell completion.")
    ] = False,
    shell: Annotated[
        str,
        option("--shell SHELL", "Shell for completion: bash, zsh, fish or powershell.  [default: detected]"),
    ] = "",
) -> None:
    """Resolve the minor battles of a tabletop campaign by card game, and keep its ledger."""
    if install_completion or show_completion:
        run_completion(shell, show_completion)
    if context.invoked_subcommand is None:
        sys.stdout.write(FIRST_STEPS)
        raise typer.Exit(2)


def run_completion(shell: str, is_only_shown: bool) -> None:
    """Install the completion script for a shell, or only print it.

    Always raises Exit. Raises UsageError if the shell is unknown, and the errors of `install_script`.
    """
    from cardbattle.cli.shell.completion import choose_shell, install_script, script_for  # slow to import

    name = choose_shell(shell)
    sys.stdout.write(script_for(name) if is_only_shown else f"{install_script(name)}\n")
    raise typer.Exit


@cache
def command_line() -> Any:
    """Return the root command with all commands and their options. Later calls return the same object."""
    return Group(app, PROGRAM).build()
