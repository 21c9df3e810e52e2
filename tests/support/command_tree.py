"""Write the commands for shell completion: `python -m tests.support.command_tree > FILE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from cardbattle.cli.lazy_group import summaries
from cardbattle.cli.root import command_line


def describe_parameter(parameter: Any) -> dict[str, Any]:
    """Return what completion needs of an option or argument; values that go without saying are left out."""
    entry = {
        "kind": parameter.param_type_name,
        "names": list(parameter.opts),
        "off": list(parameter.secondary_opts),
        "metavar": str(parameter.metavar or ""),
        "help": parameter.help or "",
        "is_flag": bool(getattr(parameter, "is_flag", False) or getattr(parameter, "count", False)),
    }
    entry = {key: value for key, value in entry.items() if value}
    return entry if parameter.nargs == 1 else entry | {"nargs": parameter.nargs}


def describe_command(command: Any, summary: str = "") -> dict[str, Any]:
    """Return a command with its parameters, and a group with its commands."""
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    entry: dict[str, Any] = {"summary": summary, "params": list(map(describe_parameter, shown))}
    return entry | {"is_group": True} if hasattr(command, "commands") else entry


def describe_commands(
    command: Any, path: str = "", summary: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a command and all below it with their paths, a group before its commands."""
    yield path, describe_command(command, summary)
    for name, text in summaries(command).items() if hasattr(command, "commands") else []:
        yield from describe_commands(command.commands[name], f"{path} {name}".lstrip(), text)


def command_tree_text() -> str:
    """Return the whole file, a line for each command."""
    lines = [
        f"{json.dumps(path)}: {json.dumps(entry, ensure_ascii=False)}"
        for path, entry in describe_commands(command_line())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(command_tree_text())
