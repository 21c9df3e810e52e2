"""The command `play`, with which people command sides or record a battle with real cards."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.battles.physical.table_battle import begin_table
from cardbattle.battles.physical.table_battle_file import read_table
from cardbattle.battles.records.battle_file import read_battle, with_persons
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.replay import refight
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.session_file import ENDING, is_of_table, is_session, read_session
from cardbattle.cli import options
from cardbattle.cli.engine_options import EngineOptions
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.play.prompt import Prompt, UserQuit
from cardbattle.cli.reading import blame, read_battle_input
from cardbattle.cli.run import (
    ALL,
    BattleOptions,
    CommandGroup,
    Printer,
    PrintOptions,
    WorkOptions,
    option_group,
)
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import as_typed, clean
from cardbattle.core.telling import BRIEF, TALE
from cardbattle.files import disk
from cardbattle.files.toml import read_toml
from cardbattle.installation import install_command
from cardbattle.show.pages.battle import battle_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardbattle.battles.physical.table_battle import TableBattle
    from cardbattle.battles.records.record import Record
    from cardbattle.battles.session import Session
    from cardbattle.cli.play.prompt import Lines, Prompt
    from cardbattle.cli.play.table import TableLines  # only needed with --table
    from cardbattle.core.referee import Referee

COMMANDS = CommandGroup()


@option_group
class BattleToPlay(NamedTuple):
    """The options that name the battle to play, which can be new or saved."""

    battle: Annotated[
        str, argument("RULES|BATTLE.toml", "A rule set, a battle file, or a saved battle to continue.")
    ]
    side: options.Sides = None
    seed: options.Seed = ""
    setting: options.Settings = None
    preset: options.PresetName = ""


@option_group
class PlayOptions(NamedTuple):
    """The options of `play` that say who plays, and how."""

    played: Annotated[
        list[str] | None, option("--as SIDE", "Side you command. Repeatable.  [default: the first side]")
    ] = None
    save: options.SaveFile = ""
    teach: options.Teach = False
    full: options.FullScreen = False
    at_table: options.AtTable = False
    no_color: options.NoColor = False


@COMMANDS.command(
    "cardbattle play wargame --teach\ncardbattle play examples/shrewsbury.toml --as percy --screen"
)
def play_command(battle: BattleToPlay, wanted: PlayOptions, engines: EngineOptions) -> None:
    """Command a side, or record a battle played with real cards.

    You answer at a prompt, or full screen with --screen. If you give --as several times, several people take
    turns at one terminal. Computer commanders play the other sides. With --table, people play with their own
    cards, and the program keeps the score.

    Every answer is saved at once. To continue a saved battle, give its file as the argument. When the battle
    is over, its record is written.
    """
    if battle.battle == "-":
        raise UsageError(
            "play reads your answers from standard input; name a battle file or a rule set instead of -"
        )
    if wanted.at_table or is_table_file(battle.battle):
        play_at_table(BattleOptions(*battle), wanted)
        return
    play = choose_front_end(wanted.full, wanted.no_color)
    with engines.allow(battle.side):
        session, path = open_play(BattleOptions(*battle), wanted)
        prompt = prompt_for(session, path, wanted)
        if play(prompt):
            close_play(prompt, wanted.no_color)


def is_table_file(path: str) -> bool:
    """Return True for a saved battle with real cards. Raises InvalidInput if it cannot be read."""
    return options.is_file(path) and is_of_table(read_toml(path).data)


def play_at_table(battle: BattleOptions, wanted: PlayOptions) -> None:
    """Record a battle that people play with real cards.

    Raises the errors of `open_table`, and UsageError if --as or --screen is given.
    """
    from cardbattle.cli.play.table import TableLines  # only needed with --table

    if wanted.played or wanted.full:
        raise UsageError("--table records a battle between people; leave out --as and --screen")
    color = False if wanted.no_color else None
    table, path = open_table(battle, wanted)
    lines = TableLines(table, path, f"cardbattle play {as_typed(path)}", wanted.teach, color)
    if lines.play():
        close_table(lines, wanted.no_color)


def open_table(battle: BattleOptions, wanted: PlayOptions) -> tuple[TableBattle, str]:
    """Return a pair: a saved or new battle with real cards, and the path of its file.

    Raises UsageError if a saved battle is given with options for new ones, or if the file of a new battle
    exists. Raises InvalidInput if a file is invalid.
    """
    from cardbattle.cli.play.table import ask_random_house_rules  # only needed with --table

    if is_table_file(battle.battle):
        if battle.side or battle.seed or battle.settings:
            raise UsageError("a saved battle keeps its settings; leave out --side, --set, --preset, --seed")
        source = read_toml(battle.battle)
        try:
            return read_table(source.data), wanted.save or battle.battle
        except InvalidInput as error:
            source.refuse(error.errors)
    if battle.seed:
        raise UsageError("real cards have no seed; leave out --seed")
    battle_input = read_battle_input(battle)
    with blame(battle_input):
        plan = read_battle(battle_input.table, battle_input.base)
        path = wanted.save or f"{plan.id}{ENDING}"
        refuse_existing(path)
        return begin_table(ask_random_house_rules(plan)), path


def close_table(lines: TableLines, no_color: bool) -> None:
    """Write the record of a finished battle with real cards, and print the result."""
    record = lines.table.record()
    close(lines, record, refight(record), no_color)


def close(lines: Lines, record: Record, referee: Referee, no_color: bool) -> None:
    """Write a record, remove the saved battle, and print the result."""
    path = record_beside(lines.path)
    disk.write_text(path, dumps_record(record))
    disk.remove(lines.path)
    report = report_of(record, referee)
    Printer(PrintOptions(no_color=no_color), ALL).show(battle_page(report, BRIEF, record.table))
    lines.say(f"The record is in {clean(path)}; to read the whole battle:")
    lines.say(f"  cardbattle replay {as_typed(path)}")


def choose_front_end(full: bool, no_color: bool) -> Callable[[Prompt], bool]:
    """Return the function that plays a battle on the full screen or at the prompt.

    The function returns True if the battle is over. Raises UsageError if textual is missing, or if the
    terminal is not suitable.
    """
    if not full:
        return Prompt.play
    try:
        # imports textual, which is optional
        from cardbattle.cli.play.screen import check_screen, play_on_screen
    except ImportError:
        raise UsageError(f"--screen needs textual; install it with: {install_command('tui')}") from None
    check_screen()
    return lambda prompt: play_on_screen(prompt, False if no_color else None)


def prompt_for(session: Session, path: str, wanted: PlayOptions) -> Prompt:
    """Return the prompt at which people play a session. `path` is the file of the battle."""
    again = f"cardbattle play {as_typed(path)}{' --screen' if wanted.full else ''}"
    return Prompt(session, path, again, wanted.teach, False if wanted.no_color else None)


def open_play(battle: BattleOptions, wanted: PlayOptions) -> tuple[Session, str]:
    """Return a pair: a saved or new session, and the path of its file.

    Raises UsageError if a saved battle is given with options for new ones, or if the file of a new battle
    exists. Raises InvalidInput if a file is invalid.
    """
    if options.is_file(battle.battle):
        source = read_toml(battle.battle)
        if is_session(source.data):
            if wanted.played or battle.side or battle.seed or battle.settings:
                raise UsageError(
                    "a saved battle keeps its settings; leave out --as, --side, --set, --preset and --seed"
                )
            try:
                return read_session(source.data), wanted.save or battle.battle
            except InvalidInput as error:
                source.refuse(error.errors)
    battle_input = read_battle_input(battle)
    table = with_players(battle_input.table, battle.side or [], wanted.played, at_prompt=True)
    with blame(battle_input):
        plan = read_battle(table, battle_input.base)
        path = wanted.save or f"{plan.id}{ENDING}"
        refuse_existing(path)
        return begin_session(plan), path


def with_players(
    table: dict[str, object], sides: Sequence[str], played: Sequence[str] | None, at_prompt: bool = False
) -> dict[str, object]:
    """Return the table of a battle file in which the sides of --as have the commander `human`.

    At a prompt, human sides ignore their standing orders. If no side is human, the first side that has no
    commander in `sides` (the values of --side) becomes human. Raises UsageError if a side of --as does not
    exist, or has a commander in `sides`.
    """
    tables = table.get("sides")
    keys = list(tables) if isinstance(tables, dict) else []
    human = [key for key in keys if isinstance(tables, dict) and commander_of(tables[key]) == HUMAN]
    commanded = [side.partition("=")[0] for side in sides if "=" in side]
    for key in played or []:
        options.one_of(key, keys, "--as")
        if key in commanded and key not in human:
            raise UsageError(f"--as {key} and --side {key}=... contradict each other; leave out one")
    chosen = list(played or [])
    if at_prompt and not chosen and not human:
        chosen = [key for key in keys if key not in commanded][:1]
        if not chosen:
            raise UsageError("every side has a commander; name the side you command with --as SIDE")
    return with_persons(table, list(dict.fromkeys([*chosen, *human])), is_asked_all=at_prompt)


def refuse_existing(path: str) -> None:
    """Raise UsageError if the file of a new battle exists."""
    if os.path.lexists(path):
        raise UsageError(
            f"{clean(path)} already exists; continue it with: cardbattle play {as_typed(path)}, or save this "
            "battle elsewhere with --save"
        )


def commander_of(side: object) -> object:
    """Return the commander of a side in a battle file, or None if it has none."""
    return side.get("commander") if isinstance(side, dict) else None


def close_play(prompt: Prompt, no_color: bool) -> None:
    """Write the record of a finished battle, print the result, and offer the log and the analysis."""
    record = prompt.session.record()
    close(prompt, record, prompt.session.referee, no_color)
    after_battle(prompt, record, no_color)


def record_beside(battle_path: str) -> str:
    """Return an unused path for the record of a saved battle."""
    stem, number = battle_path.removesuffix(".toml").removesuffix(ENDING.removesuffix(".toml")), 1
    path = f"{stem}.record.toml"
    while os.path.lexists(path):
        number += 1
        path = f"{stem}-{number}.record.toml"
    return path


AFTER_BATTLE = "tale (print the log), analyse (print the chances), or Enter to leave: "


def after_battle(prompt: Prompt, record: Record, no_color: bool) -> None:
    """After a battle, print its log or its analysis each time the user enters `tale` or `analyse`.

    An empty line ends the function. If the input is a pipe, no prompt is printed, and any line except these
    two words ends the function.
    """
    from cardbattle.cli.commands.analysis import AnalysisOptions, analysis_of  # only needed after a battle

    to = Printer(PrintOptions(no_color=no_color), ALL)
    is_piped = not sys.stdin.isatty()
    while True:
        try:
            word = prompt.read("" if is_piped else AFTER_BATTLE).casefold()
        except UserQuit:
            return
        if word == "tale":
            to.show(battle_page(report_of(record, prompt.session.referee), TALE, record.table))
        elif word == "analyse":
            to.show(analysis_of(record, "", AnalysisOptions(), WorkOptions(), to))
        elif word in ("", "quit") or is_piped:
            return
        else:
            prompt.say(f"{clean(word)} is not possible here; enter tale, analyse or nothing.")
        sys.stdout.flush()
