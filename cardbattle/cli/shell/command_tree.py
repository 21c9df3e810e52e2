"""The commands and options for shell completion, which are read without importing typer or any command.

The commands and options are stored in a file that `make docs` writes. A test compares the file with the
commands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

COMMAND_FILE = "commands.json"


class ParameterNode:
    """An option or argument, with those attributes of a click parameter that completion needs."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.param_type_name: str = data["kind"]
        self.opts: list[str] = data["names"]
        self.secondary_opts: list[str] = data.get("off", [])
        self.metavar: str = data.get("metavar", "")
        self.help: str = data.get("help", "")
        self.is_flag: bool = data.get("is_flag", False)
        self.nargs: int = data.get("nargs", 1)
        self.count = self.hidden = False


class CommandNode:
    """A command or a group. Only a group has `commands`."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self.name = name
        self.summary: str = data.get("summary", "")
        self.params = [ParameterNode(parameter) for parameter in data.get("params", [])]
        if data.get("is_group"):
            self.commands: dict[str, CommandNode] = {}


def summaries(group: Any) -> dict[str, str]:
    return {name: command.summary for name, command in group.commands.items()}


@cache
def command_tree() -> CommandNode:
    file = resources.files("cardbattle").joinpath("data", "completion", COMMAND_FILE)
    root, *below = json.loads(file.read_text(encoding="utf-8")).items()
    tree = CommandNode("cardbattle", root[1])
    for path, data in below:  # a group comes before its commands
        *groups, name = path.split()
        parent = tree
        for group in groups:
            parent = parent.commands[group]
        parent.commands[name] = CommandNode(name, data)
    return tree
