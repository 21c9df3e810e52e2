"""Which program an engine's name stands for; only the user defines names.

Definitions come from the command line (`--engine NAME='node bot.js'`) and from the user's own configuration
file. A battle file, campaign, record or message can name an engine, but never a program.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardbattle.core.errors import Diagnostic, UsageError
from cardbattle.core.names import clean, key_error, nearest, quoted
from cardbattle.files.reader import TableReader
from cardbattle.files.toml import read_toml

PREFIX = "engine:"  # of the commander in a battle file
ENVIRONMENT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP"),
    *("SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PATHEXT", "COMSPEC"),
)  # the only variables that an engine gets


class Engine(NamedTuple):
    """A program that the user defined as an engine: its name, its command as words, and its options."""

    name: str
    command: list[str]
    options: dict[str, object] = {}

    @property
    def commander(self) -> str:
        """The name of the commander in battle files, such as `engine:bold`."""
        return f"{PREFIX}{self.name}"


def read_definitions(given: Sequence[str], config: str) -> dict[str, Engine]:
    """Return the engines of `--engine NAME` and `--engine NAME=COMMAND`, by name.

    A name without a command must be in the configuration file at `config`. Raises UsageError for a wrong
    definition, and InvalidInput if the configuration file is not valid.
    """
    engines: dict[str, Engine] = {}
    configured: dict[str, Engine] | None = None
    for text in given:
        name, equals, command = text.partition("=")
        if key_error(name):
            raise UsageError(f"--engine {clean(text)}: {key_error(name)}")
        if equals:
            engines[name] = Engine(name, split_command(name, command))
            continue
        configured = read_config(config) if configured is None else configured
        if name not in configured:
            hint = nearest(name, configured) or f"; write --engine {name}='COMMAND', or add it to {config}"
            raise UsageError(f"engine {quoted(name)} is not defined{hint}")
        engines[name] = configured[name]
    return engines


def split_command(name: str, command: str) -> list[str]:
    """Split a command into words as a shell does, without running one. Raises UsageError."""
    try:
        parts = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise UsageError(f"--engine {name}: the command cannot be split into words: {error}") from None
    if not parts:
        raise UsageError(f"--engine {name}: the command is empty; write --engine {name}='node bot.js'")
    return parts


def read_config(path: str) -> dict[str, Engine]:
    """Return the engines of the table `[engines]` in a configuration file; none if there is no file.

    An engine is a command as text or as a list of words, or a table with `command` and `options`. Raises
    InvalidInput with all errors.
    """
    if not os.path.exists(path):
        return {}
    source = read_toml(path)
    errors: list[Diagnostic] = []
    config = TableReader(source.data, (), errors)
    config.only(("engines",))
    table = config.table("engines")
    engines = {}
    for name in table.data:
        if key_error(name):
            table.wrong(key_error(name), name)
        elif isinstance(table.data[name], dict):
            entry = table.table(name)
            entry.only(("command", "options"))
            command = entry.need("command", expect_command, list[str]())
            engines[name] = Engine(name, command, entry.table("options").data)
        else:
            engines[name] = Engine(name, table.need(name, expect_command, list[str]()))
    if errors:
        source.refuse(errors)
    return engines


def expect_command(value: object) -> list[str]:
    """Return a command as words. Raises ValueError."""
    if isinstance(value, str) and value.strip():
        try:
            return shlex.split(value, posix=os.name != "nt")
        except ValueError as error:
            raise ValueError(f"the command cannot be split into words: {error}") from None
    if isinstance(value, list) and value and all(isinstance(word, str) and word for word in value):
        return list(value)
    raise ValueError(f'expected a command, such as "node bot.js" or ["node", "bot.js"], got {quoted(value)}')


def program_of(engine: Engine) -> list[str]:
    """Return the command with the full path of its program. Raises UsageError if there is none."""
    first = engine.command[0]
    path = shutil.which(first)
    if path is None:
        raise UsageError(f"engine {engine.name}: {quoted(first)} is not a program on the PATH")
    return [path, *engine.command[1:]]


def limited_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that an engine gets: no secrets, and no settings of this program."""
    variables = os.environ if environment is None else environment
    return {name: variables[name] for name in ENVIRONMENT if name in variables}
