"""campaign fight, demo: pending battles are fought, told and recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.cli import options
from cardbattle.cli.campaign.shared import (
    DryRun,
    Where,
    committed,
    read_only,
    read_repaired,
    show_diff,
    tell_notes,
    told_of,
)
from cardbattle.cli.campaign.state import Odds, odds_of_pending
from cardbattle.cli.output import message, standing
from cardbattle.cli.run import ALL, CommandGroup, Printer, PrintOptions, option_group
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.fighting import FoughtBattle
    from cardbattle.campaign.model import Campaign, Pending


COMMANDS = CommandGroup()
DEMO_COMMANDS = CommandGroup()


@option_group
class FightingOptions(NamedTuple):
    """Which battles are fought, and what is said before."""

    battle: Annotated[
        list[str] | None,
        typer.Argument(metavar="BATTLE", help="Default: the next one.", callback=options.as_keys),
    ] = None
    everything: Annotated[bool, typer.Option("--all", help="Fight every pending battle, in order.")] = False
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what strength gives to whom, or why nothing.")
    ] = False
    odds: Odds = None
    dry_run: DryRun = False
    jobs: options.Jobs = None
    detail: options.Detail = "tale"
    play: Annotated[
        bool, typer.Option("--play", help="Command a side of the battle yourself, as `cardbattle play` does.")
    ] = False
    played: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="SIDE", help="With --play: a side you command. Default: the first."),
    ] = None
    full: options.FullScreen = False
    teach: options.Teach = False
    at_table: options.AtTable = False


@COMMANDS.command("cardbattle campaign fight teme-ford --dry-run", ALL)
def fight_command(where: Where, wanted: FightingOptions, to: Printer) -> None:
    """Fight pending battles, print them, and record their results.

    They are fought before the campaign is locked: a commander who thinks may take time. Those
    that share no force are fought together, whatever --jobs says with the same results.
    """
    from cardbattle.campaign.fighting import (
        FightOptions,
        chosen,
        fight_battles,
        fighters,
        not_recorded,
        planned,
    )
    from cardbattle.campaign.operations import diff

    level = options.read_detail(wanted.detail)
    if wanted.battle and wanted.everything:
        raise UsageError("--all and named battles contradict each other")
    check_play(wanted)
    at = where.path
    books, ledger = read_only(at) if wanted.dry_run else read_repaired(at)
    names = chosen(books.campaign, wanted.battle or [], wanted.everything)
    battles = not_recorded(books.campaign, ledger, names)
    if wanted.play:
        play = tell_battle if wanted.at_table else play_battle
        play(at, books.campaign, battles[0], wanted, to)
        return
    odds = wanted.odds if to.is_for_people or wanted.odds else False
    for name, one in odds_of_pending(books.campaign, battles, odds, to.quiet).items():
        message(f"{name}: {clean(one.words())}")
    with (
        fighters(books.campaign, battles, wanted.jobs) as hands,
        to.bar() if len(names) > 1 else Printer.no_bar() as tick,
    ):
        how = FightOptions(wanted.everything, wanted.explain, lambda line: message(clean(line)), tick)
        fought = fight_battles(books.campaign, battles, hands, how)
    if wanted.dry_run:
        show_diff(diff(books, planned(books, ledger, fought), ledger.settled), to.no_color)
    else:
        record_fights(at, fought, level, to)


def check_play(wanted: FightingOptions) -> None:
    """Raise UsageError if what goes with --play contradicts it."""
    if (wanted.played or wanted.full or wanted.teach or wanted.at_table) and not wanted.play:
        raise UsageError("--as, --screen, --teach and --table go with --play")
    if (wanted.played or wanted.full) and wanted.at_table:
        raise UsageError("at a table nobody commands at the keyboard; leave out --as and --screen")
    if wanted.play and (wanted.everything or wanted.dry_run or len(wanted.battle or []) > 1):
        raise UsageError("--play is for one battle, which is recorded; leave out --all, --dry-run and others")


def play_battle(at: str, campaign: Campaign, battle: Pending, wanted: FightingOptions, to: Printer) -> None:
    """Let persons play a pending battle, and record it once it is over; until then it waits in its file.

    Refused if it cannot be fought, or was begun otherwise; errors as `record_fights`.
    """
    import os

    from cardbattle.campaign.playing import PlayedBattle
    from cardbattle.cli.play import face_wanted
    from cardbattle.cli.prompt import Prompt
    from cardbattle.files import disk

    face = face_wanted(wanted.full, to.no_color)
    played = PlayedBattle(campaign, battle, wanted.played or [])
    sides = "".join(f" --as {key}" for key in wanted.played or [])
    again = f"{again_with(at, battle)}{sides}{' --screen' if wanted.full else ''}"
    color = False if to.no_color else None
    prompt = Prompt(played.session, os.path.relpath(played.path), again, wanted.teach, color)
    if face(prompt):
        record_fights(at, [played.fought()], options.read_detail(wanted.detail), to)
        disk.remove(played.path)


def again_with(at: str, battle: Pending) -> str:
    """Return the command that goes on with a battle which is played."""
    import os

    return f"cardbattle campaign -C {os.path.relpath(at)} fight {battle.id} --play"


def tell_battle(at: str, campaign: Campaign, battle: Pending, wanted: FightingOptions, to: Printer) -> None:
    """Let people tell a pending battle that they fight with real cards, and record it once it is over.

    Refused if it cannot be fought, or was begun otherwise; errors as `record_fights`.
    """
    import os

    from cardbattle.campaign.importing import words_taken
    from cardbattle.campaign.playing import BattleAtTable
    from cardbattle.cli.play import settled
    from cardbattle.cli.table import TableLines
    from cardbattle.files import disk

    told = BattleAtTable(campaign, battle, settled)
    again = f"{again_with(at, battle)} --table"
    color = False if to.no_color else None
    lines = TableLines(told.table, os.path.relpath(told.path), again, wanted.teach, color)
    if lines.play():
        fought = told.fought()
        record_fights(at, [fought], options.read_detail(wanted.detail), to)
        disk.remove(told.path)
        for words in words_taken(fought.record):
            message(f"battle {battle.id}: {words}")


def record_fights(at: str, fought: Sequence[FoughtBattle], detail: int, to: Printer) -> None:
    """Record battles that were fought, if they still are the battles that are pending, and print them.

    NeedsUmpire if they are not; errors as `open_for_writing` and `Transaction.commit`.
    """
    from cardbattle.campaign import store
    from cardbattle.campaign.fighting import planned
    from cardbattle.show.pages.campaign import fights_page

    with store.open_for_writing(at) as transaction:
        tell_notes(transaction.take_notes())
        done = planned(transaction.books, transaction.ledger, fought)
        entries = committed(transaction, done)
        with told_of(entries):
            battles = [
                (one.report(), one.record.table, operation.entry.changes)
                for one, operation in zip(fought, done, strict=True)
            ]
            to.show(fights_page(transaction.campaign, battles, detail))


DEMO = "cider-war"


@DEMO_COMMANDS.command("cardbattle demo && cd cider-war && cardbattle campaign show")
def demo_command(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="Where to; default: the next free name.")
    ] = "",
    no_color: options.NoColor = False,
) -> None:
    """Copy the shipped campaign and fight its first battle."""
    import os

    from cardbattle.campaign.demo import copy_to
    from cardbattle.files import disk

    at = copy_to(folder or disk.free_name(DEMO))
    with standing(f"the demo campaign is in {clean(at)}"):
        print(f"The demo campaign is in {clean(at)}; look at campaign.toml with any editor.\n")
    fight_first(at, Printer(PrintOptions(no_color=no_color), ALL))
    print(f"\nGo on with: cardbattle campaign -C {clean(os.path.relpath(at))} show")
    print("Or play a side yourself: cardbattle play wargame --teach")


def fight_first(at: str, to: Printer) -> None:
    """Fight the first pending battle of a campaign, print it and what it changes."""
    from cardbattle.campaign.fighting import FightOptions, chosen, fight_battles, not_recorded
    from cardbattle.chances.workers import Serial
    from cardbattle.core.telling import TALE

    books, ledger = read_only(at)
    battles = not_recorded(books.campaign, ledger, chosen(books.campaign, [], False))
    record_fights(at, fight_battles(books.campaign, battles, (Serial(), 1), FightOptions()), TALE, to)
