"""The command `doctor`, which checks the installation and prints facts for a bug report."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, entry_points, requires, version

import typer

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.cli.commands.config import check_file
from cardbattle.cli.run import CommandGroup, Printer
from cardbattle.core.errors import CardbattleError
from cardbattle.files.settings import KEYS, config_file, setting_variables, settings_of_environment
from cardbattle.files.toml import read_toml
from cardbattle.installation import EXTRAS, NAME, install_method
from cardbattle.rules import RULE_SETS
from cardbattle.show.console import stream_width, wants_color
from cardbattle.show.pages.installation import CheckRow, doctor_page
from cardbattle.simulation.workers import processes, processors
from cardbattle.version import __version__, build_form

COMMANDS = CommandGroup()
VARIABLES = (
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "CARDBATTLE_CACHE",
    "CARDBATTLE_CONFIG",
    "CARDBATTLE_TRACEBACK",
)
PLUG_INS = ("cardbattle.rules", "cardbattle.commanders", "cardbattle.writers")  # groups of entry points
SEED = 1645


@COMMANDS.command("cardbattle doctor\ncardbattle doctor --json -o doctor.json", ("plain", "json"))
def doctor_command(to: Printer) -> None:
    """Check this installation, and print facts for a bug report.

    The output has no paths, names of engines, values of settings, or text from your files. The exit code is 1
    if a check fails.
    """
    checks = [CheckRow(name, problem_of(check)) for name, check in CHECKS.items()]
    to.show(doctor_page(facts(), checks))
    if any(check.problem for check in checks):
        raise typer.Exit(1)


def facts() -> dict[str, dict[str, str]]:
    """Return facts by group and name: about the program, its packages, the terminal and the settings."""
    return {
        "Program": {
            "cardbattle": f"{__version__} ({build_form()})",
            "installed by": install_method(),
            "Python": f"{platform.python_implementation()} {platform.python_version()}",
            "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
            "processors": str(processors()),
        },
        "Packages": package_versions(),
        "Terminal": {
            "output": "terminal" if sys.stdout.isatty() else "pipe or file",
            "width": str(stream_width(sys.stdout)),
            "colours": "yes" if wants_color(sys.stdout) else "no",
            "encoding": str(sys.stdout.encoding),
            "file names": sys.getfilesystemencoding(),
        },
        "Settings": {"file": settings_in_file(), "variables": list_or_none(variables_set())},
    }


def package_versions() -> dict[str, str]:
    """Return a dict from the packages that the program uses, and the plug-ins, to their versions."""
    names = [name_of(line) for line in requirements() if "extra ==" not in line]
    table = {name: version_of_package(name) for name in names}
    table |= {
        f"{name_of(package)} (extra {extra})": version_of_package(name_of(package))
        for extra, package in EXTRAS.items()
    }
    for group in PLUG_INS:
        for entry in entry_points(group=group):
            if entry.dist is not None and entry.dist.name != NAME:
                table[f"{entry.dist.name} (plug-in)"] = entry.dist.version
    return table


def requirements() -> list[str]:
    """Return the requirements of the installed program, or an empty list if it is not installed."""
    try:
        return requires(NAME) or []
    except PackageNotFoundError:
        return []


def name_of(requirement: str) -> str:
    """Return the name of the package in a requirement.

    >>> name_of("textual>=6"), name_of("tomlrt<3,>=2.3"), name_of("jinja2")
    ('textual', 'tomlrt', 'jinja2')
    """
    return requirement.split(";")[0].split("<")[0].split(">")[0].split("=")[0].split("[")[0].strip()


def version_of_package(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def settings_in_file() -> str:
    """Return the names of the settings in the configuration file, without their values."""
    path = config_file()
    if not os.path.exists(path):
        return "no configuration file"
    try:
        return list_or_none([key for key in read_toml(path).data if key in KEYS])
    except CardbattleError:
        return "not valid"


def variables_set() -> list[str]:
    """Return the names of the environment variables that the program reads and that are set."""
    names = [name for _, name, _ in setting_variables(os.environ)]
    return [*names, *(name for name in VARIABLES if os.environ.get(name))]


def list_or_none(names: list[str]) -> str:
    return ", ".join(names) or "none"


def problem_of(check: Callable[[], None]) -> str:
    """Run a check, and return the type of the exception that it raises, or "" if it passes.

    The message of the exception is left out, because it could contain a path.
    """
    try:
        check()
    except Exception as error:
        return type(error).__name__
    return ""


def check_battle(key: str) -> Callable[[], None]:
    """Return a check that fights a battle of a rule set and verifies its record."""

    def check() -> None:
        plan = read_battle({**bare_battle(key, []), "seed": SEED})
        text = dumps_record(fight_battle(plan)[0])
        verify_record(read_record(tomllib.loads(text)))

    return check


def check_settings() -> None:
    """Raise InvalidInput if the configuration file is invalid, or UsageError if a variable is."""
    path = config_file()
    if os.path.exists(path):
        check_file(read_toml(path))
    settings_of_environment(os.environ)


def check_temporary_folder() -> None:
    """Write a temporary file, which is deleted again."""
    with tempfile.TemporaryFile() as file:
        file.write(b"cardbattle")


def check_workers() -> None:
    """Start a worker process."""
    with processes(1) as pool:
        pool.submit(abs, -1).result(60)


CHECKS: Mapping[str, Callable[[], None]] = {
    **{f"a battle of {key} is fought and verified": check_battle(key) for key in RULE_SETS},
    "the settings are valid": check_settings,
    "temporary files can be written": check_temporary_folder,
    "a worker process starts": check_workers,
}
