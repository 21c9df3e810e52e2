"""Command groups that import the module of a command only when the command runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup

from cardbattle.cli.command_table import Commands
from cardbattle.cli.parameters import without_pydantic, write_epilog


class LazyCommands(Mapping[str, Any]):
    """The commands of a group by name. A command is built when it is looked up for the first time."""

    def __init__(self, table: Commands) -> None:
        self.table = table
        self.loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.loaded:
            module, _, registry = self.table[name].module.partition(":")
            commands = getattr(import_module(f"cardbattle.cli.{module}"), registry or "COMMANDS")
            self.loaded[name] = commands.build(name)
        return self.loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self.table

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.table)


class LazyGroup(TyperGroup):
    """A group whose help lists the commands in the command table."""

    commands: Any

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options of the group, including `--help`."""
        return list(map(without_pydantic, super().get_params(ctx)))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in the order of the table."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names of the commands and their summaries."""
        with formatter.section("Commands"):
            formatter.write_dl(list(summaries(self).items()))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples at the end of the help."""
        write_epilog(self.epilog or "", formatter)


class Group(NamedTuple):
    """A group of commands, which `command_table.py` lists.

    Attributes:
        app: the typer app with the options, the help and the callback of the group.
        table: a dict from the names of the group's commands to ListedCommands.

    """

    app: typer.Typer
    table: Commands

    def build(self, name: str = "") -> Any:
        """Return the group as a click command. The command has the name of `app`, and `name` is ignored."""
        group = typer.main.get_command(self.app)
        group.commands = LazyCommands(self.table)  # type: ignore[attr-defined]
        return group


def summaries(group: Any) -> dict[str, str]:
    """Return the one-line summary of each command of a group, without importing the commands."""
    return {name: listed.summary for name, listed in group.commands.table.items()}


def print_help_without_command(context: typer.Context) -> None:
    """If the command line names no command of a group, print the help of the group and raise Exit(2)."""
    if context.invoked_subcommand is None:
        sys.stdout.write(f"{context.get_help()}\n")
        raise typer.Exit(2)
