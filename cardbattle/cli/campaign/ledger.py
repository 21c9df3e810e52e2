"""campaign import, override, undo, redo, adjust, turn, history: what goes into the ledger."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.campaign.books import (
    LIST_FORMATS,
    DryRun,
    Folder,
    Reason,
    committed,
    folder_of,
    read_books,
    read_repaired,
    show_changes,
    show_diff,
    tell_notes,
    told_of,
)
from cardbattle.cli.chances import bar
from cardbattle.cli.output import as_json, message
from cardbattle.core.errors import Refused, UsageError
from cardbattle.core.names import clean, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardbattle.campaign.apply import Result
    from cardbattle.campaign.ledger import Ledger
    from cardbattle.campaign.model import Pending
    from cardbattle.campaign.operations import BattleResult, CampaignFile, Operation
    from cardbattle.core.errors import Mistake


Force = Annotated[bool, typer.Option("--force", help="Although something later decided it; needs --reason.")]


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
        bool, typer.Option("--force", help="Although it is not as exported; needs --reason.")
    ] = False,
    reason: Reason = "",
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Apply results from elsewhere, all or none: records, results files, spreadsheets.

    Those of the program are fought again first, before the campaign is locked: a commander who
    thinks may take his time.
    """
    from cardbattle.campaign.doubts import Doubts
    from cardbattle.campaign.operations import plan

    fought = read_files(file)
    if not fought:
        raise Refused("there is no result in these files")
    at = folder_of(context, folder)
    with bar(quiet=False, what="moves") as tick:
        doubts = Doubts(fought, tick)
        books = read_books(at) if dry_run else read_repaired(at)
        plan(*books, fought, force=force, reason=reason, doubt=doubts)

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        found = plan(books, ledger, fought, force=force, reason=reason, doubt=doubts)
        tell_notes(found.notes)
        for name in found.known:
            message(f"battle {name} is already recorded")
        return found.operations

    record_operations(at, dry_run, no_color, choose)


def read_files(paths: Sequence[str]) -> list[BattleResult]:
    """Return the battles that these files tell of; Refused lists the mistakes of all of them."""
    from cardbattle.campaign.importing import read_results

    found: list[BattleResult] = []
    mistakes: list[Mistake] = []
    for path in paths:
        try:
            found += read_results(path)
        except Refused as error:
            mistakes += error.mistakes
    if mistakes:
        raise Refused(mistakes)
    return found


def override(
    context: typer.Context,
    battle: Annotated[str, typer.Argument(metavar="BATTLE", help="One pending or recorded.")],
    reason: Reason,
    winner: Annotated[
        list[str] | None, typer.Option("--winner", metavar="SIDE", help="Nobody: drawn.")
    ] = None,
    losses: Annotated[
        list[str] | None,
        typer.Option("--losses", metavar="SIDE=FRACTION", help="As birch=1/4."),
    ] = None,
    force: Force = False,
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Decide a battle by the umpire's word; what the program found stays in the ledger beside it."""
    from cardbattle.campaign import undoing

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        result = decreed(sides_of(books, ledger, battle), winner or [], losses or [])
        return undoing.override(books, ledger, battle, result, reason, force=force)

    record_operations(folder_of(context, folder), dry_run, no_color, choose)


def sides_of(books: CampaignFile, ledger: Ledger, battle: str) -> list[str]:
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
    from cardbattle.campaign.fields import share

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


def record_operations(
    at: str, dry_run: bool, no_color: bool, choose: Callable[[CampaignFile, Ledger], Sequence[Operation]]
) -> None:
    """Record the operations that `choose` returns for the campaign as it stands, or print their diff."""
    from cardbattle.campaign import operations, store

    if dry_run:
        books, ledger = read_books(at)
        chosen = list(choose(books, ledger))
        warn_of_dependents(books, ledger, chosen)
        tell_notes([note for operation in chosen for note in operation.notes])
        show_diff(operations.diff(books, chosen, ledger.settled), no_color)
        return
    with store.open_for_writing(at) as desk:
        tell_notes(desk.take_notes())
        chosen = list(choose(desk.books, desk.ledger))
        warn_of_dependents(desk.books, desk.ledger, chosen)
        entries = committed(desk, chosen)
        with told_of(entries):
            for entry in entries:
                print(f"recorded as revision {entry.revision}")
            if entries:
                show_changes(chosen, desk.campaign.name, "text")


def warn_of_dependents(books: CampaignFile, ledger: Ledger, operations: Sequence[Operation]) -> None:
    """Say which later battles were fought with forces that are changed by taking something back."""
    from cardbattle.campaign.history import dependents

    for operation in operations:
        if operation.entry.kind in ("undo", "redo"):
            undone = [ledger.entry(revision) for revision in operation.entry.undoes]
            for later, forces in dependents(ledger, undone):
                names = listed(books.campaign.called(force) for force in forces)
                message(
                    f"cardbattle: warning: battle {later.id} (revision {later.revision}) was fought later "
                    f"with {clean(names)} as then recorded; its result stands"
                )


def undo(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="[BATTLE|REVISION]", help="Default: the last command.")] = "",
    force: Force = False,
    reason: Reason = "",
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Take back the last command, or the battle or revision that is named; both lines stay in the ledger.

    Points and strength give back the difference they made, whatever came later; owners and all else
    go back only if nothing later has decided them.
    """
    from cardbattle.campaign import undoing

    record_operations(
        folder_of(context, folder),
        dry_run,
        no_color,
        lambda books, ledger: [undoing.undo(books, ledger, what, reason, force=force)],
    )


def redo(
    context: typer.Context,
    reason: Reason = "",
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Bring back what was taken back last, if nothing since was decided about the same things."""
    from cardbattle.campaign import undoing

    record_operations(
        folder_of(context, folder),
        dry_run,
        no_color,
        lambda books, ledger: [undoing.redo(books, ledger, reason)],
    )


def adjust(
    context: typer.Context,
    setting: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY=VALUE...",
            help="As forces.percy.strength=16, or +=2, or -=2.",
            callback=options.checked_texts,
        ),
    ],
    reason: Reason,
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Change values by the umpire's word: reinforcements, moves, points."""
    from cardbattle.campaign import operations

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        found: list[Operation] = []
        for one in setting:
            key, equals, value = one.partition("=")
            if not equals:
                raise UsageError(f"{quoted(one)}: write KEY=VALUE, as forces.percy.strength=16")
            found.append(
                operations.adjust(operations.after(books, found), key.strip(), value.strip(), reason)
            )
        return found

    record_operations(folder_of(context, folder), dry_run, no_color, choose)


def turn(
    context: typer.Context,
    reason: Reason = "",
    dry_run: DryRun = False,
    folder: Folder = "",
    no_color: options.NoColor = False,
) -> None:
    """Begin the next turn."""
    from cardbattle.campaign import operations

    record_operations(
        folder_of(context, folder),
        dry_run,
        no_color,
        lambda books, ledger: [operations.next_turn(books, reason)],
    )


def history(
    context: typer.Context,
    battle: Annotated[str, typer.Argument(metavar="[BATTLE]", help="Show this battle's log again.")] = "",
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="Only battle, undo, adjust, ...")] = "",
    about: Annotated[
        str,
        typer.Option("--about", metavar="KEY", help="Only what concerns this force, faction, place, battle."),
    ] = "",
    since: Annotated[
        int, typer.Option("--since", metavar="REVISION", min=1, help="From this revision on.")
    ] = 1,
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=0, help="From the beginning of this turn on.")
    ] = None,
    folder: Folder = "",
    format: options.Format = "text",
    json: options.Json = False,
    detail: options.Detail = "tale",
    no_color: options.NoColor = False,
) -> None:
    """Print the ledger, or one battle's log again."""
    from cardbattle.campaign import history as past
    from cardbattle.show import campaign as shown

    form = options.read_format(
        format, json, LIST_FORMATS if not battle else ("text", "plain", "json", "md", "html")
    )
    if kind:
        options.one_of(kind, list(past.KINDS), "--kind")
    at = folder_of(context, folder)
    books, ledger = read_books(at, keep=not battle)
    if battle:
        show_log(at, ledger, battle, (form, detail, no_color))
        return
    if turn is not None:
        if turn > books.campaign.turn:
            raise Refused(f"turn {turn} has not come; it is turn {books.campaign.turn}")
        since = max(since, past.first_of_turn(ledger, turn))
    entries = [
        entry
        for entry in ledger.span(since, ledger.settled)
        if (not kind or entry.kind == kind) and (not about or past.is_about(entry, about))
    ]
    if form == "json":
        sys.stdout.write(as_json({"schema": 1, "entries": [entry.table() for entry in entries]}))
        return
    if not entries:
        message("nothing in the ledger is like that" if ledger.settled else "the ledger is empty")
    gone = ledger.taken_back
    lines = [shown.entry_line(books.campaign, entry, entry.revision in gone) for entry in entries]
    if form == "plain":
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        from cardbattle.show.console import console

        shown.chronicle(lines, console(sys.stdout, False if no_color else None))


def show_log(at: str, ledger: Ledger, battle: str, how: tuple[str, str, bool]) -> None:
    """Print the log of a recorded battle again, of one that was taken back too."""
    from cardbattle.campaign.history import log_of
    from cardbattle.campaign.premises import record_path
    from cardbattle.cli.battles import replay

    entry, standing = log_of(ledger, battle), ledger.find(battle)
    if entry is None:
        known = "was recorded without a log" if standing else "is not in the ledger"
        raise Refused(f"battle {quoted(battle)} {known}")
    if standing is None or standing.revision != entry.revision:
        since = f"; revision {standing.revision} stands" if standing else ""
        message(f"this is revision {entry.revision}, taken back{since}")
    form, detail, no_color = how
    replay(record_path(at, entry.record), format=form, detail=detail, no_color=no_color)
