"""The program brought onto the simulated machine: its modules get our system instead of the real one."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import sys
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from types import ModuleType
from unittest import mock

import filelock

import cardbattle
from cardbattle.campaign.ledger import checkpoint, operations
from cardbattle.campaign.state import file_editing
from cardbattle.campaign.storage import store
from cardbattle.cli import app as cli
from cardbattle.files import disk
from cardbattle.files.toml_positions import Places
from tests.stress import page
from tests.stress.machine import Machine


@cache
def load_all() -> None:
    """Load every module of the program, except environments, which need other packages."""
    for module in pkgutil.walk_packages(cardbattle.__path__, "cardbattle."):
        if module.name != "cardbattle.__main__" and not module.name.startswith("cardbattle.environments"):
            importlib.import_module(module.name)


def run(arguments: list[str]) -> int:
    """Run one command of the program; Ctrl-C ends the simulation too."""
    code = cli.run(arguments)
    if code in (130, 143):
        raise KeyboardInterrupt
    return code


def modules_with(name: str) -> list[ModuleType]:
    """Return the program's modules that have this name of a module."""
    found = [module for key, module in list(sys.modules.items()) if key.startswith("cardbattle.")]
    return [module for module in found if isinstance(vars(module).get(name), ModuleType)]


@contextlib.contextmanager
def set_for(machine: Machine, every: int) -> Iterator[None]:
    """Let the program run on a machine, and write its checkpoint after each `every` entries."""
    with contextlib.ExitStack() as stack:

        def change(target: object, name: str, value: object, *, create: bool = False) -> None:
            stack.enter_context(mock.patch.object(target, name, value, create=create))

        for module in systems():
            change(module, "os", machine)
        for module in readers():
            change(module, "tomllib", Reader)
        change(filelock, "FileLock", machine.lock)
        change(checkpoint, "EVERY", every)
        change(store, "parse_campaign", parse_campaign)
        change(file_editing, "Places", places_in)
        change(disk, "open", machine.open_file, create=True)
        change(disk, "exchange", machine.exchange)
        yield


@cache
def systems() -> list[ModuleType]:
    """Return the program's modules that call the system."""
    load_all()
    return modules_with("os")


@cache
def readers() -> list[ModuleType]:
    """Return the program's modules that read TOML."""
    return modules_with("tomllib")


class Reader:
    """Replaces tomllib. A text that was read before is not parsed again."""

    TOMLDecodeError = tomllib.TOMLDecodeError
    loads = staticmethod(page.data_in)


places_in = lru_cache(maxsize=500)(Places)
parse_campaign = lru_cache(maxsize=500)(operations.parse_campaign)
