"""Read the definitions of engines. A definition says which program is started for the name of an engine.

The user writes definitions on the command line (`--engine NAME='node bot.js'`) or in the configuration file.
Battle files, records and messages can contain the names of engines, but no programs.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from typing import NamedTuple

from cardbattle.core.errors import Diagnostic, UsageError
from cardbattle.core.names import clean, key_error, nearest, quoted
from cardbattle.files.reader import TableReader
from cardbattle.files.settings import ENGINES, KEYS
from cardbattle.files.toml import Source, read_toml

PREFIX = "engine:"  # prefix of an engine's name in a battle file
ENVIRONMENT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP"),
    *("SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PATHEXT", "COMSPEC"),
)  # the only environment variables that an engine gets


class Engine(NamedTuple):
    """A program that the user has defined as an engine.

    It has a name, a command, which is a list of words, and options.
    """

    name: str
    command: list[str]
    options: dict[str, object] = {}

    @property
    def commander(self) -> str:
        """The name of the commander in battle files, such as `engine:bold`."""
        return f"{PREFIX}{self.name}"


def read_definitions(definitions: Sequence[str], config: str) -> dict[str, Engine]:
    """Return the engines that the options `--engine NAME` and `--engine NAME=COMMAND` define.

    The keys of the result are the names of the engines.

    If an option has a name without a command, the configuration file `config` must define the engine. Raises
    UsageError if a definition is not valid, and InvalidInput if the configuration file is not valid.
    """
    engines: dict[str, Engine] = {}
    configured: dict[str, Engine] | None = None
    for text in definitions:
        name, equals, command = text.partition("=")
        if key_error(name):
            hint = "" if equals else "; write NAME='COMMAND', such as bold='node bot.js'"
            raise UsageError(f"--engine {clean(text)}: {key_error(name)}{hint}")
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
    """Split a command into words in the same way as a shell, but without starting one.

    Raises UsageError if the command cannot be split.
    """
    try:
        parts = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise UsageError(f"--engine {name}: the command cannot be split into words: {error}") from None
    if not parts:
        raise UsageError(f"--engine {name}: the command is empty; write --engine {name}='node bot.js'")
    return parts


def read_config(path: str) -> dict[str, Engine]:
    """Return the engines in the table `[engines]` of a configuration file, by their names.

    If the file does not exist, the result is empty.

    Raises InvalidInput, which lists all errors in the file, if the file is not valid.
    """
    return engines_in(read_toml(path)) if os.path.exists(path) else {}


def engines_in(source: Source) -> dict[str, Engine]:
    """Return the engines in a configuration file, by their names.

    The definition of an engine is its command or a table with the keys `command` and `options`. A command is
    a string or a list of words. Raises InvalidInput, which lists all errors in the definitions, if there are
    any.
    """
    errors: list[Diagnostic] = []
    config = TableReader(source.data, (), errors)
    config.only(KEYS)
    table = config.table(ENGINES)
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
    """Return the value as a list of words if it is a command. Raises ValueError if it is not."""
    if isinstance(value, str) and value.strip():
        try:
            return shlex.split(value, posix=os.name != "nt")
        except ValueError as error:
            raise ValueError(f"the command cannot be split into words: {error}") from None
    if isinstance(value, list) and value and all(isinstance(word, str) and word for word in value):
        return list(value)
    raise ValueError(f'expected a command, such as "node bot.js" or ["node", "bot.js"], got {quoted(value)}')


def program_of(engine: Engine) -> list[str]:
    """Return an engine's command with its program's full path. Raises UsageError if it is not found."""
    first = engine.command[0]
    path = shutil.which(first)
    if path is None:
        is_file = os.path.isfile(first)
        hint = "; name the program that runs this file, such as 'python3 bot.py'" if is_file else ""
        raise UsageError(f"engine {engine.name}: {quoted(first)} is not a program on the PATH{hint}")
    return [path, *engine.command[1:]]


def environment_for_engines() -> dict[str, str]:
    """Return the environment variables for an engine, without secrets and this program's settings."""
    return {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
