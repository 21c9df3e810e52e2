"""campaign, demo: the campaign's books."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.chances import bar
from cardbattle.cli.complaints import complain
from cardbattle.cli.output import as_json, message, show, standing
from cardbattle.core.errors import Conflict, NeedsUmpire, Refused, UsageError
from cardbattle.core.names import clean, listed, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from cardbattle.campaign.advice import Advice
    from cardbattle.campaign.fighting import FoughtBattle
    from cardbattle.campaign.ledger import Entry, Ledger
    from cardbattle.campaign.model import Campaign, Pending
    from cardbattle.campaign.operations import CampaignFile, Operation
    from cardbattle.campaign.store import Transaction

campaign = typer.Typer(
    name="campaign",
    help="Keep a campaign's books: show, check, fight, and all that follows.",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="Commands find the campaign by walking up from the working directory; -C DIR names one.",
)
Folder = Annotated[str, typer.Option("-C", metavar="DIR", help="The campaign's folder.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the change to campaign.toml as a diff; write nothing.")
]
Reason = Annotated[
    str,
    typer.Option("--reason", metavar="TEXT", help="Why; the ledger keeps it.", callback=options.checked_text),
]
LIST_FORMATS = ("text", "plain", "json")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(epilog="Example: cardbattle demo && cd cider-war && cardbattle campaign show")(demo)
    campaign.command("show", epilog="Example: cardbattle campaign show --format plain")(show_campaign)
    campaign.command("check", epilog="Example: cardbattle campaign check --repair")(check)
    campaign.command("fight", epilog="Example: cardbattle campaign fight teme-ford --dry-run")(fight)
    campaign.command("standings", epilog="Example: cardbattle campaign standings --format md")(standings)
    app.add_typer(campaign)


@campaign.callback()
def campaign_group(context: typer.Context, folder: Folder = "") -> None:
    """Keep a campaign's books: show, check, fight, and all that follows."""
    context.obj = folder
    help_instead(context)


def help_instead(context: typer.Context) -> None:
    """Print the help whole where no command is named, and exit as for any wrong command line."""
    if context.invoked_subcommand is None:
        sys.stdout.write(f"{context.get_help()}\n")
        raise typer.Exit(2)


def folder_of(context: typer.Context, named: str) -> str:
    """Return the campaign's folder: the one that is named, or the nearest above."""
    from cardbattle.campaign import store

    named = named or context.obj or ""
    return store.open_folder(named) if named else store.find_folder()


Odds = Annotated[
    bool | None,
    typer.Option(
        "--odds/--no-odds",
        help="Count the odds of each pending battle, with the commanders it has, for longer; or not at all.",
    ),
]


def show_campaign(
    context: typer.Context,
    folder: Folder = "",
    odds: Odds = None,
    format: options.Format = "text",
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Print the state of the campaign: standings, forces, places, pending battles."""
    from cardbattle.campaign import store
    from cardbattle.fighting.seeds import is_guessable, is_visible
    from cardbattle.show import campaign as shown

    form = options.read_format(format, json, LIST_FORMATS)
    at = folder_of(context, folder)
    books, ledger = store.load(at), store.load_ledger(at)
    found = odds_of(books.campaign, books.campaign.pending, odds)
    if form == "json":
        told = {name: one.table() for name, one in found.items()}
        seed = books.campaign.seed
        guess = {"seed_is_guessable": is_guessable(seed), "seed_is_visible": is_visible(seed, others(books))}
        sys.stdout.write(as_json({"schema": 1, **as_table(books), "odds": told, **guess}))
        return
    words = {name: one.words() for name, one in found.items()}
    if form == "plain":
        sys.stdout.writelines(f"{line}\n" for line in shown.facts(books, ledger, words))
    else:
        from cardbattle.show.console import console

        shown.dashboard(books, ledger, words, console(sys.stdout, False if no_color else None))
    sys.stdout.flush()
    if is_guessable(books.campaign.seed):
        message(f"cardbattle: warning: {GUESSABLE}")
    elif is_visible(books.campaign.seed, others(books)):
        message(f"cardbattle: warning: {VISIBLE}")


def others(books: CampaignFile) -> dict[str, object]:
    """Return what a campaign file says besides its seed."""
    return {key: value for key, value in books.source.data.items() if key != "seed"}


VISIBLE = (
    "the seed stands in a name or note too, where players read it; take another, as drawn by: campaign new"
)
GUESSABLE = "the seed is short enough to be guessed, and every deal with it; 30 letters or more are not"


def odds_of(campaign: Campaign, pending: Sequence[Pending], odds: bool | None) -> dict[str, Advice]:
    """Return the odds of pending battles by their ids; none if they are not wanted."""
    from cardbattle.campaign.advice import advice

    if odds is False:
        return {}
    with bar(quiet=False) as tick:
        return advice(campaign, pending, bool(odds), tick)


def as_table(books: CampaignFile) -> dict[str, object]:
    """Return a campaign as JSON has it: the file's own keys, each pending battle with its advantage."""
    from cardbattle.campaign.battle_setup import explain

    table = dict(books.source.data)
    table["advantages"] = {battle.id: explain(books.campaign, battle) for battle in books.campaign.pending}
    return table


def check(
    context: typer.Context,
    folder: Folder = "",
    repair: Annotated[bool, typer.Option("--repair", help="Finish what was interrupted.")] = False,
    format: options.Format = "text",
    json: options.Json = False,
) -> None:
    """Find everything that is wrong with the campaign; 0 when all is well.

    What was changed by hand is no mistake; it is told on standard error.
    """
    from cardbattle.campaign import checking
    from cardbattle.campaign.ledger import change_table

    form = options.read_format(format, json, LIST_FORMATS)
    at = folder_of(context, folder)
    if repair:
        for note in checking.repair(at):
            message(note)
    mistakes = checking.check(at)
    changes = [] if mistakes else checking.edited_by_hand(at)
    if form == "json":
        found = [
            {"file": one.file, "line": one.line, "column": one.column, "at": list(one.at), "text": one.text}
            for one in mistakes
        ]
        edits = [change_table(change) for change in changes]
        sys.stdout.write(as_json({"schema": 1, "mistakes": found, "edits": edits}))
    else:
        for mistake in mistakes:
            complain(mistake)
    for change in changes:
        message(clean(f"changed by hand: {change}; the next command that writes notes it"))
    if mistakes:
        raise typer.Exit(1)


def fight(
    context: typer.Context,
    battle: Annotated[
        list[str] | None, typer.Argument(metavar="[BATTLE]...", help="Default: the next one.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Fight every pending battle, in order.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say what strength gives to whom.")] = False,
    odds: Odds = None,
    dry_run: DryRun = False,
    jobs: options.Jobs = None,
    folder: Folder = "",
    format: options.Format = "text",
    json: options.Json = False,
    detail: options.Detail = "tale",
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Fight pending battles, print them, and record their results.

    They are fought before the campaign is locked: a commander who thinks may take his time. Those
    that share no force are fought together, whatever --jobs says with the same results.
    """
    from cardbattle.campaign import operations
    from cardbattle.campaign.fighting import FightOptions, fight_battles, fighters

    form = options.read_format(format, json, ("text", "plain", "json", "md"))
    level = options.read_detail(detail)
    if battle and everything:
        raise UsageError("--all and named battles contradict each other")
    at = folder_of(context, folder)
    books, ledger = read_books(at) if dry_run else read_repaired(at)
    names = chosen(books.campaign, battle or [], everything)
    battles = pending_battles(books, ledger, names)
    is_read = not quiet and form != "json"  # by a person
    for name, one in odds_of(books.campaign, battles, odds if is_read or odds else False).items():
        message(f"{name}: {clean(one.words())}")
    with (
        fighters(books.campaign, battles, jobs) as hands,
        bar(quiet or len(names) == 1) as tick,
    ):
        way = FightOptions(everything, explain, lambda line: message(clean(line)), tick)
        bouts = fight_battles(books.campaign, battles, hands, way)
    if dry_run:
        show_diff(operations.diff(books, planned(books, ledger, bouts), ledger.settled), no_color)
    else:
        record_fights(at, bouts, (form, level, no_color))


def read_books(at: str, keep: bool = False) -> tuple[CampaignFile, Ledger]:
    """Return a campaign and its ledger as a command sees them that writes nothing.

    With `keep`, for a command that tells all entries.
    """
    from cardbattle.campaign import store

    books, ledger = store.load(at), store.load_ledger(at, keep=keep)
    store.check_ledger(ledger, books.campaign.revision)
    return books, store.with_edits(books, ledger)


def read_repaired(at: str) -> tuple[CampaignFile, Ledger]:
    """Return a campaign and its ledger after what was interrupted is finished."""
    from cardbattle.campaign import store

    with store.open_for_writing(at) as desk:
        tell_notes(desk.take_notes())
        return desk.books, desk.ledger


def tell_notes(notes: Sequence[str]) -> None:
    """Say what had to be repaired, and what else the umpire should know."""
    for note in notes:
        message(clean(note))


def show_diff(diff: str, no_color: bool) -> None:
    """Print a unified diff."""
    if sys.stdout.isatty():
        from cardbattle.show import lists
        from cardbattle.show.console import console

        lists.diff(diff, console(sys.stdout, False if no_color else None))
    else:
        sys.stdout.write(diff)


def record_fights(at: str, bouts: Sequence[FoughtBattle], how: tuple[str, int, bool]) -> None:
    """Record battles that were fought, if they still are the battles that are pending, and print them."""
    from cardbattle.campaign import store

    with store.open_for_writing(at) as desk:
        tell_notes(desk.take_notes())
        done = planned(desk.books, desk.ledger, bouts)
        entries = committed(desk, done)
        with told_of(entries):
            show_fights(desk.campaign.name, done, bouts, how)


def committed(desk: Transaction, operations: Sequence[Operation]) -> list[Entry]:
    """Record the operations, and tell what the umpire should know of them."""
    try:
        return desk.commit(operations)
    finally:
        tell_notes([*(note for operation in operations for note in operation.notes), *desk.take_notes()])


def told_of(entries: Sequence[Entry]) -> AbstractContextManager[None]:
    """Print what was recorded; if that cannot be written, say that it is recorded all the same."""
    from cardbattle.campaign.store import entries_as_words

    return standing(f"{entries_as_words(entries) or 'nothing'} is recorded")


def show_fights(
    name: str, operations: Sequence[Operation], bouts: Sequence[FoughtBattle], how: tuple[str, int, bool]
) -> None:
    """Print fought battles, each with what it changed."""
    form, level, no_color = how
    if form == "json":
        sys.stdout.write(as_json(fights_table(operations, bouts)))
        return
    for bout, operation in zip(bouts, operations, strict=True):
        show(bout.report(), form, level, no_color, bout.record.table)
        show_changes([operation], name, form)


def pending_battles(books: CampaignFile, ledger: Ledger, names: Sequence[str]) -> list[Pending]:
    """Return the pending battles of these ids; NeedsUmpire if one was recorded before."""
    told = [(name, ledger.find(name)) for name in names]
    known = [
        f"battle {name} is recorded already (revision {entry.revision}), and pending again; "
        "give the pending one another id, or undo the other"
        for name, entry in told
        if entry is not None
    ]
    if known:
        raise NeedsUmpire([Conflict(words) for words in known])
    return [battle for name in names if (battle := books.campaign.battle(name)) is not None]


def planned(books: CampaignFile, ledger: Ledger, bouts: Sequence[FoughtBattle]) -> list[Operation]:
    """Return what recording these battles changes, one after the other."""
    now, found = books.campaign, []
    for bout in bouts:
        found.append(deed_of(books._replace(campaign=now), ledger, bout))
        now = now.after(found[-1].entry.changes)
    return found


def deed_of(books: CampaignFile, ledger: Ledger, bout: FoughtBattle) -> Operation:
    """Return the operation of recording a battle; NeedsUmpire if by now it would be another one."""
    from cardbattle.campaign import operations
    from cardbattle.campaign.battle_setup import battle_table, differences

    pending = books.campaign.battle(bout.battle.id)
    if pending is None:
        why = ["it is pending no more"]
    elif battle_table(books.campaign, pending) == bout.setting:
        return operations.plan(books, ledger, [bout.battle]).operations[0]
    else:
        changed = differences(books.campaign, pending, dict(bout.battle.bound))
        why = [one.words for one in changed] or ["it was set up anew"]
    raise NeedsUmpire(
        f"the campaign was changed while battle {bout.battle.id} was fought: {'; '.join(why)}; "
        "nothing was recorded, fight again"
    )


def chosen(campaign: Campaign, names: list[str], everything: bool) -> list[str]:
    """Return the ids of the battles to be fought; Refused if one is not pending."""
    pending = [battle.id for battle in campaign.pending]
    if not pending:
        raise Refused("no battle is pending; write the next one under [[pending]] in campaign.toml")
    if not names:
        return pending if everything else pending[:1]
    for name in names:
        if name not in pending:
            hint = nearest(name, pending) or f"; {listed(pending)} {'is' if len(pending) == 1 else 'are'}"
            raise Refused(f"battle {quoted(name)} is not pending{hint}")
    return list(dict.fromkeys(names))


def show_changes(operations: Sequence[Operation], name: str, form: str) -> None:
    """Print what operations changed in the campaign."""
    from cardbattle.campaign.changes import merged
    from cardbattle.show.campaign import change_lines

    changes = merged(change for operation in operations for change in operation.entry.changes)
    lines = change_lines(changes) or ["nothing: every value is what it was"]
    if form == "plain":
        sys.stdout.writelines(f"changed {line}\n" for line in lines)
    elif form == "md":
        print("\n### The campaign\n\n" + "\n".join(f"- {line}" for line in lines))
    else:
        print(f"\nChanged in {clean(name)}:\n" + "\n".join(f"  {line}" for line in lines))


def standings(
    context: typer.Context,
    folder: Folder = "",
    format: options.Format = "text",
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Print the factions by points, with their forces and places."""
    from cardbattle.campaign import store
    from cardbattle.campaign.standings import standings as counted_standings

    form = options.read_format(format, json, (*LIST_FORMATS, "md", "csv"))
    found = counted_standings(store.load(folder_of(context, folder)).campaign)
    tables: list[dict[str, object]] = [one._asdict() for one in found]
    if form == "json":
        sys.stdout.write(as_json({"schema": 1, "standings": tables}))
    elif form == "csv":
        from cardbattle.files.spreadsheet import as_csv

        sys.stdout.write(as_csv(tables[0] if tables else (), tables))
    elif form == "md":
        from cardbattle.show.markdown import escaped

        print("| | faction | points | strength | places |\n|--:|---|--:|--:|--:|")
        for one in found:
            print(f"| {one.place} | {escaped(one.name)} | {one.points} | {one.strength} | {one.value} |")
    elif form == "plain":
        for one in found:
            told = f"{one.place}. {one.name}: points {one.points}"
            print(clean(f"{told}, strength {one.strength}, places {one.value}"))
    else:
        from cardbattle.show import campaign as shown
        from cardbattle.show.console import console

        shown.standings(found, console(sys.stdout, False if no_color else None))


def fights_table(operations: Sequence[Operation], bouts: Sequence[FoughtBattle]) -> dict[str, object]:
    """Return fought battles with what they changed, as JSON has them."""
    from cardbattle.campaign.ledger import change_table
    from cardbattle.cli.output import as_table as battle_json

    battles = [
        {
            **battle_json(bout.report(), bout.record.table),
            "changes": [change_table(change) for change in operation.entry.changes],
        }
        for bout, operation in zip(bouts, operations, strict=True)
    ]
    return {"schema": 1, "battles": battles}


DEMO = "cider-war"


def demo(
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER]", help="Where to; default: the next free name.")
    ] = "",
    no_color: options.NoColor = False,
) -> None:
    """Copy the shipped campaign into a new folder and fight its first pending battle."""
    import os

    from cardbattle.campaign import demo as shipped
    from cardbattle.files import disk

    at = shipped.copy_to(folder or disk.free_name(DEMO))
    with standing(f"the demo campaign is in {clean(at)}"):
        print(f"The demo campaign is in {clean(at)}; look at campaign.toml with any editor.\n")
    fight_first(at, no_color)
    print(f"\nGo on with: cd {clean(os.path.relpath(at))} && cardbattle campaign show")


def fight_first(at: str, no_color: bool) -> None:
    """Fight the first pending battle of a campaign, print it and what it changes."""
    from cardbattle.campaign.fighting import FightOptions, fight_battles
    from cardbattle.chances.workers import Serial
    from cardbattle.core.telling import TALE

    books, ledger = read_books(at)
    battles = pending_battles(books, ledger, chosen(books.campaign, [], False))
    bouts = fight_battles(books.campaign, battles, (Serial(), 1), FightOptions())
    record_fights(at, bouts, ("text", TALE, no_color))
