"""campaign import, override, undo, redo, adjust, turn, history: what goes into the ledger."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.books import (
    LIST_FORMATS,
    DryRun,
    Folder,
    Reason,
    folder_of,
    read_books,
    show_changes,
    show_diff,
    tell_notes,
)
from cardbattle.cli.output import as_json, message
from cardbattle.core.errors import Refused, UsageError
from cardbattle.core.names import clean, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardbattle.campaign.apply import Result
    from cardbattle.campaign.deeds import Books, Deed
    from cardbattle.campaign.ledger import Ledger
    from cardbattle.campaign.model import Pending


def add_to(campaign: typer.Typer) -> None:
    """Add these commands to the campaign's."""
    campaign.command("import", epilog="Example: cardbattle campaign import results.toml")(import_results)
    campaign.command(
        "override",
        epilog='Example: cardbattle campaign override mill --winner birch --reason "the mill burned"',
    )(override)
    campaign.command("undo", epilog="Example: cardbattle campaign undo teme-ford")(undo)
    campaign.command("redo", epilog="Example: cardbattle campaign redo")(redo)
    campaign.command(
        "adjust", epilog="Example: cardbattle campaign adjust forces.birch.strength=11 --reason reinforced"
    )(adjust)
    campaign.command("turn", epilog="Example: cardbattle campaign turn")(turn)
    campaign.command("history", epilog="Example: cardbattle campaign history --kind battle")(history)


def import_results(
    context: typer.Context,
    file: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Records, results files or CSV."),
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Although forces have changed; needs --reason.")
    ] = False,
    reason: Reason = "",
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Apply results from elsewhere, all or none: records, results files, spreadsheets."""
    from cardbattle.campaign import deeds
    from cardbattle.campaign.importing import read_results

    fought = [battle for one in file for battle in read_results(one)]
    if not fought:
        raise Refused("there is no result in these files")

    def choose(books: Books, ledger: Ledger) -> list[Deed]:
        plan = deeds.plan(books, ledger, fought, force=force, reason=reason)
        tell_notes(plan.notes)
        for name in plan.known:
            message(f"battle {name} is already recorded")
        return plan.deeds

    record_deeds(folder_of(context, folder), dry_run, no_color, choose)


def override(
    context: typer.Context,
    battle: Annotated[str, typer.Argument(metavar="BATTLE", help="One pending or recorded.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; the ledger keeps it.")],
    winner: Annotated[
        list[str] | None, typer.Option("--winner", metavar="SIDE", help="Nobody: drawn.")
    ] = None,
    losses: Annotated[
        list[str] | None,
        typer.Option("--losses", metavar="SIDE=FRACTION", help="As birch=1/4."),
    ] = None,
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Decide a battle by the umpire's word; what the program found stays in the ledger beside it."""
    from cardbattle.campaign import deeds

    def choose(books: Books, ledger: Ledger) -> list[Deed]:
        result = decreed(sides_of(books, ledger, battle), winner or [], losses or [])
        return deeds.override(books, ledger, battle, result, reason)

    record_deeds(folder_of(context, folder), dry_run, no_color, choose)


def sides_of(books: Books, ledger: Ledger, battle: str) -> list[str]:
    """Return the side keys of a battle, pending or recorded."""
    pending: Pending | None = books.campaign.battle(battle)
    if pending is not None:
        return pending.keys
    entry = ledger.find(battle)
    if entry is None or entry.result is None:
        raise Refused(f"battle {quoted(battle)} is neither pending nor recorded")
    return list(entry.result.sides)


def decreed(sides: list[str], winners: list[str], losses: list[str]) -> Result:
    """Return a result as the umpire decrees it; who is not mentioned lost nothing."""
    from fractions import Fraction

    from cardbattle.campaign.apply import Result, SideResult
    from cardbattle.campaign.kinds import share

    lost = dict.fromkeys(sides, Fraction(0))
    for one in losses:
        side, equals, fraction = one.partition("=")
        options.one_of(side, sides, "--losses")
        try:
            lost[side] = share(fraction if equals else "")
        except ValueError as error:
            raise UsageError(f"--losses {clean(one)}: {error}") from None
    for side in winners:
        options.one_of(side, sides, "--winner")
    return Result(
        [side for side in sides if side in winners],
        {side: SideResult(0, lost[side]) for side in sides},
    )


def record_deeds(
    at: str, dry_run: bool, no_color: bool, choose: Callable[[Books, Ledger], Sequence[Deed]]
) -> None:
    """Record the deeds that `choose` returns for the campaign as it stands, or print their diff."""
    from cardbattle.campaign import deeds, store

    if dry_run:
        books, ledger = read_books(at)
        show_diff(deeds.diff(books, list(choose(books, ledger))), no_color)
        return
    with store.writing(at) as desk:
        tell_notes(desk.notes)
        chosen_deeds = list(choose(desk.books, desk.ledger))
        for entry in desk.commit(chosen_deeds):
            print(f"recorded as revision {entry.revision}")
        if chosen_deeds:
            show_changes(chosen_deeds, desk.campaign.name, "text")


def undo(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="[BATTLE|REVISION]", help="Default: the last command.")] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Take back the last command, or the battle or revision that is named; both lines stay in the ledger."""
    from cardbattle.campaign import deeds

    record_deeds(
        folder_of(context, folder),
        dry_run,
        no_color,
        lambda books, ledger: [deeds.undo(books, ledger, what, reason)],
    )


def redo(
    context: typer.Context,
    reason: Reason = "",
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Bring back what was taken back last."""
    from cardbattle.campaign import deeds

    record_deeds(
        folder_of(context, folder),
        dry_run,
        no_color,
        lambda books, ledger: [deeds.redo(books, ledger, reason)],
    )


def adjust(
    context: typer.Context,
    setting: Annotated[
        list[str], typer.Argument(metavar="KEY=VALUE...", help="As forces.percy.strength=16.")
    ],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; the ledger keeps it.")],
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Change values by the umpire's word: reinforcements, moves, points."""
    from cardbattle.campaign import deeds

    def choose(books: Books, ledger: Ledger) -> list[Deed]:
        found: list[Deed] = []
        for one in setting:
            key, equals, value = one.partition("=")
            if not equals:
                raise UsageError(f"{quoted(one)}: write KEY=VALUE, as forces.percy.strength=16")
            found.append(deeds.adjust(deeds.after(books, found), key.strip(), value.strip(), reason))
        return found

    record_deeds(folder_of(context, folder), dry_run, no_color, choose)


def turn(
    context: typer.Context,
    reason: Reason = "",
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Begin the next turn."""
    from cardbattle.campaign import deeds

    record_deeds(
        folder_of(context, folder), dry_run, no_color, lambda books, ledger: [deeds.next_turn(books, reason)]
    )


def history(
    context: typer.Context,
    battle: Annotated[str, typer.Argument(metavar="[BATTLE]", help="Show this battle's log again.")] = "",
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="Only battle, undo, adjust, ...")] = "",
    force: Annotated[
        str, typer.Option("--about", metavar="KEY", help="Only what touched this force, faction or place.")
    ] = "",
    folder: Folder = "",
    format: options.Format = "text",
    json: options.Json = False,
    detail: options.Detail = "tale",
    no_color: options.NoColor = False,
) -> None:
    """Print the ledger, or one battle's log again."""
    import os

    from cardbattle.cli.battles import replay
    from cardbattle.show.campaign import entry_line

    form = options.read_format(
        format, json, LIST_FORMATS if not battle else ("text", "plain", "json", "md", "html")
    )
    at = folder_of(context, folder)
    _, ledger = read_books(at)
    if battle:
        entry = ledger.find(battle)
        if entry is None or not entry.record:
            raise Refused(f"battle {quoted(battle)} has no record in the ledger")
        path = os.path.join(at, *entry.record.split("/"))
        replay(path, format=form, detail=detail, no_color=no_color)
        return
    gone = ledger.taken_back()
    shown = [
        entry
        for entry in ledger.entries[: ledger.settled]
        if (not kind or entry.kind == kind)
        and (not force or any(force in change.key for change in entry.changes))
    ]
    if form == "json":
        sys.stdout.write(as_json({"schema": 1, "entries": [entry.table() for entry in shown]}))
        return
    for entry in shown:
        print(entry_line(entry, entry.revision in gone))
