"""play: a person commands one side or several, line by line or on a full screen."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.battles.physical.table_battle import begin_table
from cardbattle.battles.physical.table_battle_file import is_of_table, read_table
from cardbattle.battles.records.battle_file import read_battle, with_persons
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.replay import refight
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.session_file import ENDING, is_session, read_session
from cardbattle.cli import options
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
    from cardbattle.cli.play.prompt import Prompt
    from cardbattle.cli.play.table import TableLines

COMMANDS = CommandGroup()


@option_group
class BattleToPlay(NamedTuple):
    """A battle to be played as it is named on the command line, or the file of one that was begun."""

    battle: Annotated[
        str,
        typer.Argument(
            metavar="RULES|BATTLE.toml", help="A rule set, a battle file, or a saved battle to continue."
        ),
    ]
    side: options.Sides = None
    seed: options.Seed = ""
    setting: options.Settings = None


@option_group
class PlayOptions(NamedTuple):
    """Which sides a person commands, where the battle is kept, and how much is explained."""

    played: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="SIDE", help="Side you command. Repeatable.  [default: the first side]"),
    ] = None
    save: options.SaveFile = ""
    teach: options.Teach = False
    full: options.FullScreen = False
    at_table: options.AtTable = False
    no_color: options.NoColor = False


@COMMANDS.command(
    "cardbattle play wargame --teach\ncardbattle play examples/shrewsbury.toml --as percy --screen"
)
def play_command(battle: BattleToPlay, wanted: PlayOptions) -> None:
    """Command a side, or record a battle played with real cards.

    You answer at a prompt, or full screen with --screen. With several --as, people take turns at one
    terminal. Computer commanders play the other sides. With --table, people play with their own cards and
    the program keeps the score.

    Every answer is saved at once. To continue a battle that you left, name its file. At the end a record
    is written.
    """
    if battle.battle == "-":
        raise UsageError("standard input has the answers; name a file or a rule set")
    if wanted.at_table or is_table_file(battle.battle):
        play_at_table(BattleOptions(*battle), wanted)
        return
    face = choose_front_end(wanted.full, wanted.no_color)
    session, path = open_play(BattleOptions(*battle), wanted)
    prompt = prompt_for(session, path, wanted)
    if face(prompt):
        close_play(prompt, wanted.no_color)


def is_table_file(path: str) -> bool:
    """Say whether a file is a battle at a table that was left; Refused if it cannot be read."""
    return options.is_file(path) and is_of_table(read_toml(path).data)


def play_at_table(battle: BattleOptions, wanted: PlayOptions) -> None:
    """Let people tell a battle at a table, and write its record once it is over.

    UsageError if what is added makes no sense; Refused if a file is refused, or the battle was begun before.
    """
    from cardbattle.cli.play.table import TableLines

    if wanted.played or wanted.full:
        raise UsageError("at a table nobody commands at the keyboard; leave out --as and --screen")
    color = False if wanted.no_color else None
    table, path = open_table(battle, wanted)
    lines = TableLines(table, path, f"cardbattle play {as_typed(path)}", wanted.teach, color)
    if lines.play():
        close_table(lines, wanted.no_color)


def open_table(battle: BattleOptions, wanted: PlayOptions) -> tuple[TableBattle, str]:
    """Return a battle at a table that goes on, or a new one, and the file that keeps it.

    UsageError if what is added makes no sense; Refused if a file is refused, or the battle was begun before.
    """
    from cardbattle.cli.play.table import settled

    if is_table_file(battle.battle):
        if battle.side or battle.seed or battle.setting:
            raise UsageError("a battle goes on as it was begun; leave out --side, --set and --seed")
        source = read_toml(battle.battle)
        try:
            return read_table(source.data), wanted.save or battle.battle
        except InvalidInput as refused:
            source.refuse(refused.mistakes)
    if battle.seed:
        raise UsageError("at a table the cards decide; leave out --seed")
    given = read_battle_input(battle)
    with blame(given):
        plan = read_battle(given.table, given.base)
        path = wanted.save or f"{plan.id}{ENDING}"
        refuse_existing(path)
        return begin_table(settled(plan)), path


def close_table(lines: TableLines, no_color: bool) -> None:
    """Write the record of a battle that was told to its end, and tell how it ended."""
    record = lines.table.record()
    path = record_beside(lines.path)
    disk.write_text(path, dumps_record(record))
    disk.remove(lines.path)
    report = report_of(record, refight(record))
    Printer(PrintOptions(no_color=no_color), ALL).show(battle_page(report, BRIEF, record.table))
    lines.say(f"The record is in {clean(path)}; it is fought again, and told whole, with:")
    lines.say(f"  cardbattle replay {as_typed(path)}")


def choose_front_end(full: bool, no_color: bool) -> Callable[[Prompt], bool]:
    """Return what plays a battle, on the full screen or line by line, and says whether it is over.

    UsageError if the full screen is wanted and its extra is missing, or the terminal cannot show it.
    """
    from cardbattle.cli.play.prompt import Prompt

    if not full:
        return Prompt.play
    try:
        from cardbattle.cli.play.screen import check_screen, play_on_screen
    except ImportError:
        raise UsageError(f"--screen needs textual; install it with: {install_command('tui')}") from None
    check_screen()
    return lambda prompt: play_on_screen(prompt, False if no_color else None)


def prompt_for(session: Session, path: str, wanted: PlayOptions) -> Prompt:
    """Return line play of a session."""
    from cardbattle.cli.play.prompt import Prompt

    again = f"cardbattle play {as_typed(path)}{' --screen' if wanted.full else ''}"
    return Prompt(session, path, again, wanted.teach, False if wanted.no_color else None)


def open_play(battle: BattleOptions, wanted: PlayOptions) -> tuple[Session, str]:
    """Return a battle that goes on, or a new one, and the file that keeps it.

    UsageError if what is added makes no sense; Refused if a file is refused, or the battle was begun before.
    """
    if options.is_file(battle.battle):
        source = read_toml(battle.battle)
        if is_session(source.data):
            if wanted.played or battle.side or battle.seed or battle.setting:
                raise UsageError("a battle goes on as it was begun; leave out --as, --side, --set and --seed")
            try:
                return read_session(source.data), wanted.save or battle.battle
            except InvalidInput as refused:
                source.refuse(refused.mistakes)
    return begun(battle, wanted)


def begun(battle: BattleOptions, wanted: PlayOptions) -> tuple[Session, str]:
    """Return a new battle and the file that will keep it; Refused if that is there already."""
    given = read_battle_input(battle)
    table = with_players(given.table, battle.side or [], wanted.played, at_prompt=True)
    with blame(given):
        plan = read_battle(table, given.base)
        path = wanted.save or f"{plan.id}{ENDING}"
        refuse_existing(path)
        return begin_session(plan), path


def with_players(
    table: dict[str, object], given: Sequence[str], played: Sequence[str] | None, at_prompt: bool = False
) -> dict[str, object]:
    """Return a battle file's table with persons for the sides that --as names, and for those that have one.

    At a prompt they are asked everything, whatever their side's standing orders say. If there is no person,
    the first side without a commander in `given`, the values of --side, gets one. UsageError if a side is not
    there, or has both --as and a commander.
    """
    sides = table.get("sides")
    known = list(sides) if isinstance(sides, dict) else []
    there = [key for key in known if isinstance(sides, dict) and commander_of(sides[key]) == HUMAN]
    commanded = [side.partition("=")[0] for side in given if "=" in side]
    for key in played or []:
        options.one_of(key, known, "--as")
        if key in commanded and key not in there:
            raise UsageError(f"--as {key} and --side {key}=... contradict each other; leave out one")
    named = list(played or [])
    if at_prompt and not named and not there:
        named = [key for key in known if key not in commanded][:1]
        if not named:
            raise UsageError("every side has a commander; name the side you command with --as SIDE")
    return with_persons(table, list(dict.fromkeys([*named, *there])), is_asked_all=at_prompt)


def refuse_existing(path: str) -> None:
    """Raise UsageError if there is a file where a new battle is to be kept."""
    if os.path.lexists(path):
        raise UsageError(
            f"{clean(path)} is there already; go on with: cardbattle play {as_typed(path)}, or keep this "
            "battle elsewhere with --save"
        )


def commander_of(side: object) -> object:
    """Return who commands a side of a battle file, None if that is not said."""
    return side.get("commander") if isinstance(side, dict) else None


def close_play(prompt: Prompt, no_color: bool) -> None:
    """Write the record of a battle that is over, remove the file that kept it, and tell how it ended."""
    record = prompt.session.record()
    path = record_beside(prompt.path)
    disk.write_text(path, dumps_record(record))
    disk.remove(prompt.path)
    tell_end(prompt, record, no_color)
    prompt.say(f"The record is in {clean(path)}; it is fought again, and told whole, with:")
    prompt.say(f"  cardbattle replay {as_typed(path)}")
    after_battle(prompt, record, no_color)


def record_beside(kept: str) -> str:
    """Return a free name for the record of a battle that was kept in this file."""
    stem, number = kept.removesuffix(".toml").removesuffix(ENDING.removesuffix(".toml")), 1
    path = f"{stem}.record.toml"
    while os.path.lexists(path):
        number += 1
        path = f"{stem}-{number}.record.toml"
    return path


def tell_end(prompt: Prompt, record: Record, no_color: bool) -> None:
    """Tell how a battle ended, and all that was hidden in it."""
    report = report_of(record, prompt.session.referee)
    Printer(PrintOptions(no_color=no_color), ALL).show(battle_page(report, BRIEF, record.table))


def after_battle(prompt: Prompt, record: Record, no_color: bool) -> None:
    """Print the tale or the analysis of a battle that is over, as long as somebody asks for it.

    On a pipe there is no prompt, and what asks for neither ends it.
    """
    from cardbattle.cli.commands.analysis import AnalysisOptions, analysed
    from cardbattle.cli.play.prompt import UserQuit

    to = Printer(PrintOptions(no_color=no_color), ALL)
    is_piped = not sys.stdin.isatty()
    while True:
        try:
            word = prompt.read("" if is_piped else "tale, analyse, or Enter to leave: ").casefold()
        except UserQuit:
            return
        if word == "tale":
            to.show(battle_page(report_of(record, prompt.session.referee), TALE, record.table))
        elif word == "analyse":
            to.show(analysed(record, AnalysisOptions(), WorkOptions(), to))
        elif word in ("", "quit") or is_piped:
            return
        else:
            prompt.say(f"{clean(word)} is none of these.")
        sys.stdout.flush()
