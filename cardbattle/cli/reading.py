"""Reading what a command is given: a battle file or a bare rule set, a record."""

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
from cardbattle.core.errors import InvalidInput, UsageError

if TYPE_CHECKING:
    from cardbattle.battles.records.record import Record
    from cardbattle.cli.run import BattleOptions
    from cardbattle.core.errors import Diagnostic
    from cardbattle.files.toml import Source


class BattleInput(NamedTuple):
    """A battle from a file or the command line, with a seed."""

    table: dict[str, object]
    base: str  # folder of the file
    source: Source | None  # None for a bare rule set
    settings: list[str]
    is_drawn: bool  # nobody named the seed


def read_battle_input(named: BattleOptions) -> BattleInput:
    """Return the battle of a file or a bare rule set, with the options of the command line.

    Raises InvalidInput if there is no such battle file, and UsageError for contradictory options.
    """
    battle, sides, settings = named.battle, named.side or [], named.setting or []
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
    """Attribute an error to the command line or to the file.

    Errors in a bare rule set or in --set become a UsageError; all others stay InvalidInput, with their line
    in the file.
    """
    try:
        yield
    except InvalidInput as refused:
        by_hand = {tuple(setting.partition("=")[0].split(".", 1)) for setting in battle_input.settings}
        for mistake in refused.mistakes:
            path = tuple(str(part) for part in mistake.at if part != "sides")
            if path[:2] in by_hand:
                raise UsageError(f"--set {'.'.join(path[:2])}: {mistake.text}") from None
        if battle_input.source is None:
            raise UsageError("; ".join(map(option_error_text, refused.mistakes))) from None
        battle_input.source.refuse(refused.mistakes)


def option_error_text(mistake: Diagnostic) -> str:
    """Return what is wrong with a bare rule set, with the option that said it."""
    if mistake.at == ("sides",):
        return f"--side: {mistake.text}; name all of them, or none"
    if mistake.at[:1] == ("sides",) and mistake.at[2:] == ("commander",):
        return f"--side {mistake.at[1]}: {mistake.text}"
    return str(mistake)


def folder_of_file(battle: str) -> str:
    """Return the folder against which a battle file's own files are looked up."""
    return "" if battle == "-" else path.dirname(battle)


def read_record_file(path: str) -> tuple[Record, Source]:
    """Return the record in a file, checked except for its digest; Refused lists all that is wrong with it."""
    source = read_kind(path, "record")
    try:
        return read_record(source.data, folder_of_file(path)), source
    except InvalidInput as refused:
        source.refuse(refused.mistakes)
