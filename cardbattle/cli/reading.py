"""Read the input of a command, which is a battle file, a rule set or a record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import path
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.records import battle_file
from cardbattle.battles.records.file_kinds import read_kind
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.seeds import draw_seed
from cardbattle.cli import options
from cardbattle.commanders import CommanderFailed
from cardbattle.core.errors import InvalidInput, UsageError

if TYPE_CHECKING:
    from cardbattle.battles.records.record import Record
    from cardbattle.cli.run import BattleOptions
    from cardbattle.core.errors import Diagnostic
    from cardbattle.files.toml import Source


class BattleInput(NamedTuple):
    """A battle from a file or the command line, not validated yet, with a seed."""

    table: dict[str, object]
    base: str  # folder of the file
    source: Source | None  # None for a bare rule set
    settings: list[str]
    is_drawn: bool  # True if the seed is random


def read_battle_input(named: BattleOptions) -> BattleInput:
    """Return the battle that a file or a rule set describes, with the options of the command line.

    Raises InvalidInput if the file is missing or invalid, and UsageError if options contradict each other.
    """
    battle, sides, settings = named.battle, named.side or [], named.settings
    seed = options.read_seed(named.seed)
    source = None
    if options.is_file(battle):
        source = read_kind(battle, "battle")
        table = battle_file.with_commanders(source.data, sides) if sides else source.data
    else:
        table = battle_file.bare_battle(battle, sides)
    table = battle_file.with_options(table, settings) if settings else table
    is_drawn = seed is None and "seed" not in table
    if is_drawn or seed is not None:
        table = table | {"seed": draw_seed() if seed is None else seed}
    return BattleInput(table, folder_of_file(battle) if source else "", source, settings, is_drawn)


@contextmanager
def blame(battle_input: BattleInput) -> Iterator[None]:
    """Convert an InvalidInput of the `with` block into an error that names the option or line at fault.

    Errors in values of --set or --preset become one UsageError. Without a battle file, every error becomes
    a UsageError. Any other error stays an InvalidInput, and gets its line in the battle file,
    unless an engine has failed.
    """
    try:
        yield
    except InvalidInput as error:
        set_paths = {tuple(setting.partition("=")[0].split(".", 1)) for setting in battle_input.settings}
        texts = []
        for diagnostic in error.errors:
            path = tuple(str(part) for part in diagnostic.at if part != "sides")
            if path[:2] in set_paths:
                option = "--preset" if path[:2] == ("house", "preset") else f"--set {'.'.join(path[:2])}"
                texts.append(f"{option}: {diagnostic.text}")
        if texts:
            raise UsageError("; ".join(texts)) from None
        if battle_input.source is None:
            raise UsageError("; ".join(map(option_error_text, error.errors))) from None
        if isinstance(error, CommanderFailed):  # no line of the file is at fault
            raise
        battle_input.source.refuse(error.errors)


def option_error_text(diagnostic: Diagnostic) -> str:
    """Return the text of an error in a battle without a battle file, with the option that caused it."""
    if diagnostic.at == ("sides",):
        return f"--side: {diagnostic.text}; give --side once for each side, or leave it out"
    if diagnostic.at[:1] == ("sides",) and diagnostic.at[2:] == ("commander",):
        return f"--side {diagnostic.at[1]}: {diagnostic.text}"
    return str(diagnostic)


def folder_of_file(battle: str) -> str:
    """Return the folder to which relative paths in a battle file refer."""
    return "" if battle == "-" else path.dirname(battle)


def read_record_file(path: str) -> tuple[Record, Source]:
    """Return the record in a file, after validating it.

    The digest of the record is not checked. Raises InvalidInput, which lists all errors.
    """
    source = read_kind(path, "record")
    try:
        return read_record(source.data, folder_of_file(path)), source
    except InvalidInput as error:
        source.refuse(error.errors)
