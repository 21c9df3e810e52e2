"""The commands of the group `config`, which show and change the user's settings."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import Annotated, Any

import tomlrt
import typer

from cardbattle.cli.command_table import CONFIG
from cardbattle.cli.editor import editor_command
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean, key_error, quoted, unknown_word
from cardbattle.engines.definitions import engines_in, expect_command
from cardbattle.files import disk
from cardbattle.files.settings import (
    ENGINES,
    PARSERS,
    config_file,
    parse_setting,
    setting_variables,
    settings_in,
)
from cardbattle.files.toml import Source, parse_toml, read_toml
from cardbattle.show.pages.installation import SettingRow, settings_page

COMMANDS = CommandGroup()
config = typer.Typer(
    name="config",
    cls=LazyGroup,
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="cardbattle config set jobs 4\ncardbattle config list",
)
GROUP = Group(config, CONFIG)
DEFAULTS = {"format": "set by each command", "color": "auto", "jobs": "one per CPU"}
TEMPLATE = """\
# The settings of cardbattle. To read what each setting means, run: cardbattle help configuration

# format = "md"
# color = "never"
# jobs = 4

# [engines]
# bold = "node /home/ann/bold.js"
"""
Key = Annotated[
    str,
    argument("SETTING", "Setting: format, color, jobs, or engines.NAME for an engine."),
]


@config.callback()
def config_group(context: typer.Context) -> None:
    """Show and change your settings.

    The settings are in your configuration file. `cardbattle help configuration` explains the settings.
    """
    print_help_without_command(context)


@COMMANDS.command("cardbattle config list\ncardbattle config list --json", ALL)
def list_command(to: Printer) -> None:
    """List the settings, with their values and where each value comes from."""
    to.show(settings_page(setting_rows(), config_file()))


@COMMANDS.command("cardbattle config get jobs\ncardbattle config get engines.bold")
def get_command(key: Key) -> None:
    """Print the value of a setting.

    If the file and the environment variables do not set the setting, an empty line is printed.
    """
    check_key(key)
    values = {row.key: row.value for row in setting_rows() if row.origin != "default"}
    sys.stdout.write(f"{values.get(key, '')}\n")


@COMMANDS.command("cardbattle config set jobs 4\ncardbattle config set engines.bold 'node /home/ann/bold.js'")
def set_command(key: Key, value: Annotated[str, argument("VALUE", "The new value.")]) -> None:
    """Change a setting in the configuration file."""
    group, _, name = check_key(key)
    if group == ENGINES:
        check_engine_command(key, value)
        change_file(lambda document: set_engine(document, name, value))
    else:
        change_file(lambda document: document.update({key: parse_setting(key, value, key)}))
    warn_of_variable(key)


@COMMANDS.command("cardbattle config unset jobs\ncardbattle config unset engines.bold")
def unset_command(key: Key) -> None:
    """Remove a setting, so that its default applies."""
    group, _, name = check_key(key)
    if key not in {row.key for row in rows_of_file()}:
        raise UsageError(f"{quoted(key)} is not set in {clean(config_file())}")
    if group == ENGINES:
        change_file(lambda document: document[ENGINES].pop(name))
    else:
        change_file(lambda document: document.pop(key))
    warn_of_variable(key)


@COMMANDS.command("cardbattle config path")
def path_command() -> None:
    """Print the path of the configuration file.

    The path is printed even if the file does not exist.
    """
    sys.stdout.write(f"{config_file()}\n")


@COMMANDS.command("cardbattle config edit")
def edit_command() -> None:
    """Open the configuration file in your editor, and check it afterwards.

    The environment variable VISUAL or EDITOR names your editor. If the saved file has errors, they are
    printed, and your edit is kept.
    """
    path = config_file()
    if not os.path.exists(path):
        write_file(path, TEMPLATE)
    command = editor_command()
    try:
        code = subprocess.run([*command, path], check=False).returncode
    except OSError as error:
        raise UsageError(
            f"cannot edit with {quoted(command[0])}: {disk.reason(error)}; set EDITOR to another editor"
        ) from None
    if code:
        raise UsageError(f"{quoted(command[0])} failed with exit code {code}")
    check_file(read_toml(path))


def check_key(key: str) -> tuple[str, str, str]:
    """Split a setting at its first dot: `engines.bold` gives ("engines", ".", "bold").

    Raises UsageError, which suggests the nearest name, if the setting is unknown.
    """
    group, dot, name = key.partition(".")
    if group == ENGINES and dot:
        if key_error(name):
            raise UsageError(f"{clean(key)}: {key_error(name)}")
    elif key not in PARSERS:
        raise UsageError(unknown_word("setting", key, [*PARSERS, f"{ENGINES}.NAME"]))
    return group, dot, name


def set_engine(document: Any, name: str, command: str) -> None:
    """Set the command of an engine in the parsed configuration file. Other values of the engine are kept."""
    engines = document.ensure_table(ENGINES)
    if isinstance(engines.get(name), dict):
        engines[name]["command"] = command
    else:
        engines[name] = command


def check_engine_command(key: str, value: str) -> None:
    """Raise UsageError if `value`, the command of an engine, cannot be split into words."""
    try:
        expect_command(value)
    except ValueError as error:
        raise UsageError(f"{key}: {error}") from None


def check_file(source: Source) -> None:
    """Check the settings and the commands of engines in a configuration file.

    No engine is started. Raises InvalidInput if the file is invalid.
    """
    settings_in(source)
    engines_in(source)


def rows_of_file() -> list[SettingRow]:
    """Return the settings in the configuration file, and each engine's command as `engines.NAME`.

    Raises InvalidInput if the file is invalid.
    """
    path = config_file()
    if not os.path.exists(path):
        return []
    source = read_toml(path)
    values = {key: str(value) for key, value in settings_in(source).items()}
    values |= {f"{ENGINES}.{name}": shlex.join(engine.command) for name, engine in engines_in(source).items()}
    return [SettingRow(key, text, "file") for key, text in values.items()]


def setting_rows() -> list[SettingRow]:
    """Return every setting with its value and its source: file, environment variable or default.

    Raises InvalidInput if the file is invalid, and UsageError if an environment variable is invalid.
    """
    rows = {key: SettingRow(key, text, "default") for key, text in DEFAULTS.items()}
    rows |= {row.key: row for row in rows_of_file()}
    for key, name, text in setting_variables(os.environ):
        rows[key] = SettingRow(key, str(parse_setting(key, text, name)), name)
    return list(rows.values())


def change_file(change: Any) -> None:
    """Let the function `change` edit the parsed configuration file, and write the file.

    Comments are kept. Raises InvalidInput if the file would become invalid.
    """
    path = config_file()
    text = read_toml(path).text if os.path.exists(path) else ""
    document = tomlrt.loads(text)
    change(document)
    changed = tomlrt.dumps(document)
    check_file(parse_toml(path, changed.encode()))
    write_file(path, changed)


def write_file(path: str, text: str) -> None:
    """Write the configuration file.

    If the folder of the file does not exist, it is created. Raises SystemFailure if the file cannot be
    written.
    """
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    except OSError as error:
        disk.refuse(path, error)
    disk.write_text(path, text)


def warn_of_variable(key: str) -> None:
    """Print a message if an environment variable overrides a setting of the file."""
    for name in [name for changed, name, _ in setting_variables(os.environ) if changed == key]:
        message(f"hint: the environment variable {name} is set, and overrides the configuration file")
