"""Read the user's settings from a configuration file and from environment variables.

Environment variables have priority. For example, `CARDBATTLE_JOBS` replaces the setting `jobs` in the file.
The variable `CARDBATTLE_CONFIG` is the path of another configuration file, and `CARDBATTLE_CACHE` is the path
of another cache folder. Commands use the settings, but the library ignores them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cardbattle.core.errors import CardbattleError, Diagnostic, UsageError
from cardbattle.files.reader import TableReader, expect_one_of, whole_between
from cardbattle.files.toml import Source, read_toml

PREFIX = "CARDBATTLE_"  # prefix of the environment variables that override settings
FILE_VARIABLE = "CARDBATTLE_CONFIG"
CACHE_VARIABLE = "CARDBATTLE_CACHE"
ENGINES = "engines"  # the table of engines; cardbattle.engines.definitions reads it
FORMATS = ("text", "plain", "json", "csv", "md", "html", "discord", "bbcode", "obsidian")
COLORS = ("auto", "always", "never")
MOST_JOBS = 256


class Settings(NamedTuple):
    """The settings that a user can change.

    Attributes:
        format: the default output format. If it is empty, each command uses its own default.
        color: when output is coloured, which is "auto", "always" or "never".
        jobs: the default number of processes, or None for one process per CPU.

    """

    format: str = ""
    color: str = "auto"
    jobs: int | None = None


def expect_word(choices: tuple[str, ...]) -> Callable[[object], str]:
    """Return a parser that accepts only the words in `choices`."""
    return expect_one_of(dict(zip(choices, choices, strict=True)))


PARSERS: Mapping[str, Callable[[object], Any]] = {
    "format": expect_word(FORMATS),
    "color": expect_word(COLORS),
    "jobs": whole_between(1, MOST_JOBS),
}
KEYS = (*PARSERS, ENGINES)  # the keys of the configuration file


def config_file() -> str:
    """Return the path of the user's configuration file. The file may not exist."""
    path = os.environ.get(FILE_VARIABLE)
    if path:
        return path
    from platformdirs import user_config_dir  # slow to import, and often not needed

    return os.path.join(user_config_dir("cardbattle", appauthor=False, roaming=True), "config.toml")


def cache_folder() -> str:
    """Return the user's cache folder, which may not exist yet, or "" if the user has no home folder."""
    path = os.environ.get(CACHE_VARIABLE)
    if path:
        return os.path.abspath(path)
    from platformdirs import user_cache_dir  # slow to import, and often not needed

    path = user_cache_dir("cardbattle", appauthor=False)
    return path if os.path.isabs(path) else ""


def read_settings() -> Settings:
    """Return the user's settings.

    An environment variable overrides the configuration file, which overrides the default.

    Raises InvalidInput if the configuration file is not valid, and UsageError if a variable is not valid.
    """
    path = config_file()
    values = settings_in(read_toml(path)) if os.path.exists(path) else {}
    return Settings(**values | settings_of_environment(os.environ))


def settings_in(source: Source) -> dict[str, Any]:
    """Return the settings in a file, except engines. Raises InvalidInput if one is not valid."""
    errors: list[Diagnostic] = []
    table = TableReader(source.data, (), errors)
    table.only(KEYS)
    values = {key: table.take(key, parse, None) for key, parse in PARSERS.items() if key in table.data}
    if errors:
        source.refuse(errors)
    return values


def settings_of_environment(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings that environment variables set.

    Empty variables are ignored. Raises UsageError if a variable is not valid.
    """
    return {key: parse_setting(key, text, name) for key, name, text in setting_variables(variables)}


def setting_variables(variables: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return a tuple (setting, variable, text) for each setting that an environment variable sets.

    `variable` is the name of the variable, and `text` is its value.
    """
    names = {key: f"{PREFIX}{key.upper()}" for key in PARSERS}
    return [(key, name, variables[name]) for key, name in names.items() if variables.get(name)]


def parse_setting(key: str, text: str, place: str) -> Any:
    """Parse a setting. If it is not valid, raises UsageError, whose message begins with `place`."""
    is_number = key == "jobs" and text.isascii() and text.isdigit() and len(text) < 10
    try:
        return PARSERS[key](int(text) if is_number else text)
    except ValueError as error:
        raise UsageError(f"{place}: {error}") from None


def color_setting() -> str:
    """Return the setting `color`.

    If the settings are not valid, the result is "auto". Another function reads them too, and reports the
    error.
    """
    try:
        return read_settings().color
    except CardbattleError:
        return "auto"
