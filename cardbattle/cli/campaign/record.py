"""The commands `campaign import`, `override`, `decline`, `undo`, `redo` and `adjust`."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

from cardbattle.campaign.exchange.confirmation import report_contradictions, unit_named, winner_contradiction
from cardbattle.campaign.exchange.cross_check import CrossCheck
from cardbattle.campaign.exchange.import_results import read_results, read_score
from cardbattle.campaign.league.round_draws import refuse_part_of_draws
from cardbattle.campaign.ledger import operations, undo
from cardbattle.campaign.ledger.addresses import key_to_adjust
from cardbattle.campaign.ledger.history import battles_since_turn, dependents, in_todays_keys, record_in
from cardbattle.campaign.ledger.ledger import BATTLES, group_entries
from cardbattle.campaign.ledger.operations import diff, plan_import
from cardbattle.campaign.ledger.roster import Roster, key_of
from cardbattle.campaign.phases.declined_battles import result_of_declining
from cardbattle.campaign.phases.turn_order import PHASES
from cardbattle.campaign.state.apply import Result, SideResult, pending_battle
from cardbattle.campaign.state.battle_result import loss_text, rosters_of
from cardbattle.campaign.state.losses import read_losses
from cardbattle.campaign.state.paths import is_same_file
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.played_battles import stale_battle_warnings
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.next_step import print_step_after_undo, print_step_in_turn
from cardbattle.cli.campaign.commit import commit, print_new_hints
from cardbattle.cli.campaign.shared import (
    DryRun,
    Public,
    Reason,
    Where,
    print_notes,
    read_only,
    read_repaired,
    report_lost_output,
    show_diff,
)
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer, option_group
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.grammar import choose_form
from cardbattle.core.names import clean, listed, nearest, quoted
from cardbattle.show.pages.campaign.history import confirmation_page, undo_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation
    from cardbattle.campaign.ledger.roster import Roster, SideNames
    from cardbattle.campaign.state.apply import Result
    from cardbattle.campaign.state.battle_result import BattleResult
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.core.errors import Diagnostic

Force = Annotated[bool, option("--force", "Override conflicts with later entries. Requires --reason.")]


COMMANDS = CommandGroup()
T = TypeVar("T")
PHASE_OF_NAME = {phase.name: phase for phase in PHASES}
NO_WINNER = "; for a draw, leave out --winner"
PLAYED = (
    "people commanded in battle {}: a new fight begins at its first question; to restore the result and the "
    "answers: cardbattle campaign redo"
)


@option_group
class RecordingOptions(NamedTuple):
    """The options for recording a change.

    The options give the reason for the change, make the reason public, or request only a diff of the
    change.
    """

    reason: Reason = ""
    public: Public = False
    dry_run: DryRun = False


@COMMANDS.command(
    "cardbattle campaign import results.toml\ncardbattle campaign import results.csv --dry-run", ALL
)
def import_command(
    home: Where,
    file: Annotated[list[str], argument("FILE", "Records, results files or filled-in forms.")],
    how: RecordingOptions,
    to: Printer,
    force: Annotated[
        bool,
        option(
            "--force",
            "Import even if a battle or its forces have changed since the export. Requires --reason.",
        ),
    ] = False,
) -> None:
    """Import results of battles fought elsewhere.

    The battles can be fought with `cardbattle resolve`, by another program or at a table. The files can be
    records, results files and filled-in results forms, as TOML, CSV or JSON. If one of the files has an
    error, nothing is imported. To check a record, the command fights its battle again, which takes as long as
    the original battle.
    """
    at = home.path
    books = read_only(at) if how.dry_run else read_repaired(at)
    fought = read_files(file, Roster(books[0].campaign, books[1]))
    if not fought:
        raise InvalidInput("these files contain no results of battles")
    with to.bar("moves") as tick:
        doubts = CrossCheck(fought, tick)
        plan_import(*books, fought, force=force, reason=how.reason, doubt=doubts)

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        plan = plan_import(books, ledger, fought, force=force, reason=how.reason, doubt=doubts)
        print_notes(plan.notes)
        print_notes([text for battle in fought for text in report_contradictions(books.campaign, battle)])
        for name in dict.fromkeys(plan.known):
            message(f"battle {name} is already recorded")
        return plan.operations

    campaign, ledger = record_operations(at, how, to, choose)
    print_step_in_turn(campaign, ledger, at, to, dry_run=how.dry_run)


def read_files(paths: Sequence[str], roster: Roster) -> list[BattleResult]:
    """Return the results in these files, and print a message for each empty row of a results form.

    Raises InvalidInput, which lists the errors of all files.
    """
    battle_results: list[BattleResult] = []
    errors: list[Diagnostic] = []
    for path in different_files(paths):
        try:
            battles, blank = read_results(path, roster)
        except InvalidInput as error:
            errors += error.errors
            continue
        battle_results += battles
        for battle in blank:
            message(blank_row_text(roster, battle))
    if errors:
        raise InvalidInput(errors)
    return battle_results


def different_files(paths: Sequence[str]) -> list[str]:
    """Return the paths without those of a file that an earlier path names."""
    different: list[str] = []
    for path in paths:
        if not any(path == earlier or is_same_file(path, earlier) for earlier in different):
            different.append(path)
    return different


def blank_row_text(roster: Roster, battle: str) -> str:
    """Return a sentence about an empty row of a results form: what happens to its battle."""
    if roster.campaign.battle(battle) is not None:
        return f"battle {battle} is not filled in; it stays pending"
    state = "already recorded" if roster.ledger.find(battle) is not None else "no longer pending"
    return f"battle {battle} is {state}; its empty row is ignored"


@option_group
class DecreeOptions(NamedTuple):
    """The options of `campaign override`: the umpire's result, and --force, --public and --dry-run."""

    winner: Annotated[
        list[str] | None,
        option("--winner SIDE", "Winning side; leave out for a draw. Repeatable.", callback=options.as_keys),
    ] = None
    losses: Annotated[
        list[str] | None,
        option(
            "--losses SIDE=FRACTION",
            "Share of its strength that a side loses, before attrition, such as birch=1/4. Repeatable.",
            callback=options.as_keys,
        ),
    ] = None
    score: Annotated[
        list[str] | None,
        option("--score SIDE=N", "Score of a side, such as birch=5. Repeatable.", callback=options.as_keys),
    ] = None
    unit: Annotated[
        list[str] | None,
        option(
            "--unit NAME=N",
            "Unit and the strength that it lost, such as Gunners=2 or birch.Gunners=2. Repeatable.",
            callback=options.validate_texts,
        ),
    ] = None
    force: Force = False
    public: Public = False
    dry_run: DryRun = False


@COMMANDS.command('cardbattle campaign override mill --winner birch --reason "the mill burned"', ALL)
def override_command(
    home: Where,
    battle: Annotated[str, argument("BATTLE", "Pending or recorded battle.", callback=options.as_key)],
    reason: Reason,
    wanted: DecreeOptions,
    to: Printer,
) -> None:
    """Set the result of a battle as the umpire.

    If the battle is already recorded, its earlier result stays in the ledger. A side loses the share of its
    strength that --losses gives, multiplied by the attrition rate; without --losses, it loses nothing. --unit
    says which units had the losses.
    """

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        sides = sides_of(books, ledger, battle)
        before = result_in_ledger(books, ledger, battle)
        result = umpire_result(sides, wanted)
        units = lost_units(books.campaign, battle, wanted.unit or [])
        operations = undo.override(books, ledger, battle, result, reason, force=wanted.force, units=units)
        notes = winner_contradiction(books.campaign, battle, result.winners)
        notes += override_notes(books.campaign, before, result, sides, wanted) if before else []
        return [*operations[:-1], operations[-1]._replace(notes=[*operations[-1].notes, *notes])]

    how = RecordingOptions(reason, wanted.public, wanted.dry_run)
    campaign, ledger = record_operations(home.path, how, to, choose)
    print_step_in_turn(campaign, ledger, home.path, to, dry_run=wanted.dry_run)


@COMMANDS.command('cardbattle campaign decline t4-ford hotspur --reason "he sees the numbers"', ALL)
def decline_command(
    home: Where,
    battle: Annotated[str, argument("BATTLE", "Pending battle.", callback=options.as_key)],
    side: Annotated[
        list[str], argument("SIDE", "Sides that decline, by key or name.", callback=options.as_keys)
    ],
    how: RecordingOptions,
    to: Printer,
) -> None:
    """Record that a side declines a battle.

    No side has losses, and the other sides win the stakes. A side that declines gets the points that
    `declined` in [scoring] sets, and retreats in the phase `aftermath`. The command, and a dry run too, says
    who wins, who gets the place at stake, and where the beaten forces go.
    """

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        pending_battle(books.campaign, battle)
        names = sides_of(books, ledger, battle)
        sides = [find_side("SIDE", word, names) for word in side]
        operation = operations.decline_battle(books.campaign, battle, sides, how.reason)
        notes = result_of_declining(books.campaign, ledger, operation.entry)
        return [operation._replace(notes=notes)]

    campaign, ledger = record_operations(home.path, how, to, choose)
    print_step_in_turn(campaign, ledger, home.path, to, dry_run=how.dry_run)


def sides_of(books: CampaignFile, ledger: Ledger, battle: str) -> SideNames:
    """Return the keys and names of the sides of a battle, which can be pending or recorded.

    Raises InvalidInput if the campaign has no such battle.
    """
    campaign = books.campaign
    pending = campaign.battle(battle)
    if pending is not None:
        return Roster(campaign, ledger).side_names(pending.sides, pending)
    entry = ledger.find(battle)
    if entry is None or entry.result is None:
        hint = nearest(
            battle, [*(pending_battle.id for pending_battle in campaign.pending), *ledger.revision_by_battle]
        )
        raise InvalidInput(f"battle {quoted(battle)} is neither pending nor recorded{hint}")
    today = in_todays_keys(ledger, entry)
    names = Roster(campaign, ledger).names_of_recorded_sides(today)
    return {key: names.get(key, [campaign.display_name(key)]) for key in (today.result or entry.result).sides}


def result_in_ledger(books: CampaignFile, ledger: Ledger, battle: str) -> Result | None:
    """Return the recorded result of a battle in today's keys, or None if the battle has no result."""
    entry = ledger.find(battle) if books.campaign.battle(battle) is None else None
    return in_todays_keys(ledger, entry).result if entry else None


def umpire_result(sides: SideNames, wanted: DecreeOptions) -> Result:
    """Return the result that the umpire sets, with the values of --winner, --losses and --score.

    A side without these options has no losses and no score. Raises UsageError if a side or a value is not
    valid.
    """
    lost = values_by_side("--losses", wanted.losses, sides, read_losses)
    scores = values_by_side("--score", wanted.score, sides, read_score)
    won = [find_side("--winner", word, sides, NO_WINNER) for word in wanted.winner or ()]
    results = {side: SideResult(scores.get(side, 0), lost.get(side, Fraction(0))) for side in sides}
    return Result([side for side in sides if side in won], results)


def values_by_side(
    option: str, words: Sequence[str] | None, sides: SideNames, read: Callable[[str], T]
) -> dict[str, T]:
    """Return the values of an option that has the form SIDE=VALUE, by side.

    Raises UsageError if a side is unknown or named twice, or if `read` raises ValueError.
    """
    values: dict[str, T] = {}
    for word in words or ():
        name, equals, text = word.rpartition("=")
        if not equals:
            example = "2/5" if option == "--losses" else "5"
            raise UsageError(
                f"{option} {clean(word)}: write SIDE=VALUE, such as {next(iter(sides))}={example}"
            )
        side = find_side(option, name, sides)
        if side in values:
            raise UsageError(f"{option} {clean(word)}: {side} is named twice")
        try:
            values[side] = read(text.strip())
        except ValueError as error:
            raise UsageError(f"{option} {clean(word)}: {error}") from None
    return values


def override_notes(
    campaign: Campaign, before: Result, result: Result, sides: SideNames, wanted: DecreeOptions
) -> list[str]:
    """Say what an override drops of the recorded result, and the options that keep it.

    The losses and the score of a side are dropped if the umpire gave none for this side, and winners if the
    battle is now a draw.
    """
    notes = []
    losses_given = values_by_side("--losses", wanted.losses, sides, read_losses)
    scores_given = values_by_side("--score", wanted.score, sides, str)
    lost = {key: old.losses for key, old in before.sides.items() if old.losses and key not in losses_given}
    scored = {key: old.score for key, old in before.sides.items() if old.score and key not in scores_given}
    if lost or scored:
        dropped = [
            *(f"{campaign.display_name(key)} lost {loss_text(losses)}" for key, losses in lost.items()),
            *(f"{campaign.display_name(key)} scored {score}" for key, score in scored.items()),
        ]
        kept = [
            *(f"--losses {key}={losses}" for key, losses in lost.items()),
            *(f"--score {key}={score}" for key, score in scored.items()),
        ]
        notes.append(f"not kept from the recorded result: {', '.join(dropped)}; to keep it: {' '.join(kept)}")
    if before.winners and not result.winners:
        names = listed(map(campaign.display_name, before.winners))
        winners = " ".join(f"--winner {key}" for key in before.winners)
        notes.append(f"the battle is now a draw; before, {names} won; to keep this, use {winners}")
    return notes


def lost_units(campaign: Campaign, battle: str, arguments: list[str]) -> dict[str, dict[str, int]]:
    """Return the lost strength of units in a pending battle: {side: {name of the unit: lost strength}}.

    `arguments` are the values of --unit. Raises UsageError if the battle is not pending, if a word is not
    UNIT=N, if no unit has the name, or if a unit is named twice.
    """
    pending = campaign.battle(battle)
    if arguments and pending is None:
        raise UsageError(f"--unit: battle {battle} is recorded; undo it first: campaign undo {battle}")
    rosters = rosters_of(campaign, pending)
    lost: dict[str, dict[str, int]] = {}
    for word in arguments:
        name, _, number = word.rpartition("=")
        try:
            unit = unit_named(name.strip(), rosters)
        except ValueError as error:
            raise UsageError(f"--unit: {error}") from None
        if unit is None or not number.strip().isdecimal():
            known = [unit.label for roster in rosters.values() for unit in roster]
            hint = nearest(name, known) or f"; the units are {listed(known) or 'none'}"
            raise UsageError(f"--unit {quoted(word)}: write UNIT=N, such as Gunners=2{hint}")
        of_side = lost.setdefault(unit[0], {})
        if unit[1].label in of_side:
            raise UsageError(f"--unit {quoted(word)}: {unit[1].label} is named twice")
        of_side[unit[1].label] = int(number.strip()[:9])
    return lost


def find_side(option: str, word: str, sides: SideNames, hint: str = "") -> str:
    """Return the key of the side whose key or name is `word`, a value of `option`.

    Raises UsageError, which lists the sides and ends with `hint`, if no side has this key or name.
    """
    try:
        return key_of(word, sides)
    except ValueError as error:
        raise UsageError(f"{option}: {error}{hint}") from None


def record_operations(
    at: str,
    how: RecordingOptions,
    to: Printer,
    choose: Callable[[CampaignFile, Ledger], Sequence[Operation]],
    *,
    diff_first: bool = False,
    time: str = "",
) -> tuple[Campaign, Ledger]:
    """Record the operations that `choose` returns for the campaign, or with --dry-run print their diff.

    Returns the campaign and the ledger afterwards, which a dry run does not change. Use these
    instead of reading the files again, because the umpire can edit them in the meantime.

    With `diff_first`, the diff is also printed to standard error before recording, unless --quiet is set.
    The ledger notes `time` if it is later than the clock.
    Raises UsageError if --public is given without a reason, the exceptions of `choose`, and the errors of
    `open_for_writing` and `Transaction.commit`.
    """
    if how.public and not how.reason:
        raise UsageError("--public publishes the reason; give one with --reason TEXT")
    if how.dry_run:
        books, ledger = read_only(at)
        chosen = list(choose(books, ledger))
        warn_of_dependents(books, ledger, chosen)
        warn_of_moved_battles(ledger, chosen)
        print_notes([note for operation in chosen for note in operation.notes])
        print_notes(reversals(books, ledger, chosen))
        later, ledger_then = after_each(books, ledger, chosen)
        print_new_hints((books.campaign, ledger), (later.campaign, ledger_then))
        print_notes(stale_battle_warnings(books.campaign, later.campaign))
        show_diff(diff(books, chosen, ledger.whole_entries), to.no_color)
        return books.campaign, ledger
    with store.open_for_writing(at, time) as transaction:
        print_notes(transaction.take_notes())
        before = transaction.campaign
        chosen = [publish_reason(one, how) for one in choose(transaction.books, transaction.ledger)]
        warn_of_dependents(transaction.books, transaction.ledger, chosen)
        warn_of_moved_battles(transaction.ledger, chosen)
        if diff_first and not to.quiet:
            lines = diff(transaction.books, chosen, transaction.ledger.whole_entries)
            show_diff(f"{lines}\n", to.no_color, sys.stderr)
        entries = commit(transaction, chosen, quiet=to.quiet)
        print_notes(stale_battle_warnings(before, transaction.campaign))
        with report_lost_output(entries):
            to.show(confirmation_page(transaction.campaign, transaction.ledger, entries))
        return transaction.campaign, transaction.ledger


def reversals(books: CampaignFile, ledger: Ledger, operations: Sequence[Operation]) -> list[str]:
    """Return a sentence for each entry that `operations` undo or redo, such as `undoes revision 12: ...`."""
    visible = visible_to(books.campaign, ledger, UMPIRE)
    verbs = {"undo": "undoes", "redo": "redoes"}
    return [
        f"{verbs[entry.kind]} revision {revision}: {undo_sentence(visible, revision)}"
        for entry in (operation.entry for operation in operations)
        if entry.kind in verbs
        for revision in entry.undoes
    ]


def publish_reason(operation: Operation, how: RecordingOptions) -> Operation:
    """Return the operation with the value of --public, which decides whether players may read its reason."""
    return operation._replace(entry=operation.entry._replace(public=how.public))


def warn_of_dependents(books: CampaignFile, ledger: Ledger, operations: Sequence[Operation]) -> None:
    """Print a warning for each later battle of a force whose values an undo or redo changes."""
    for operation in operations:
        if operation.entry.kind in ("undo", "redo"):
            undone = [ledger.entry(revision) for revision in operation.entry.undoes]
            for later, forces in dependents(ledger, undone):
                names = listed(books.campaign.display_name(force) for force in forces)
                message(
                    f"cardbattle: warning: battle {later.id} (revision {later.revision}) was fought later, "
                    f"with the values of {clean(names)} at that time; its result does not change"
                )


def warn_of_moved_battles(ledger: Ledger, operations: Sequence[Operation]) -> None:
    """Print a warning if an undo of a turn leaves its battles, which then count for an earlier turn."""
    undone = {
        revision
        for operation in operations
        if operation.entry.kind == "undo"
        for revision in operation.entry.undoes
    }
    if moved := battles_since_turn(ledger, undone):
        turn, battles = moved
        verb = choose_form("counts|count", len(battles) > 1)
        message(
            f"cardbattle: warning: without the beginning of turn {turn.after}, "
            f"{clean(listed([entry.id for entry in battles]))} {verb} for turn {turn.before}; "
            f"to bring turn {turn.after} back: cardbattle campaign redo"
        )


def undo_each(
    books: CampaignFile,
    ledger: Ledger,
    targets: Sequence[str],
    reason: str,
    *,
    force: bool,
    only: bool = False,
) -> list[Operation]:
    """Return the operations that undo these battles and revisions one after the other, in this order.

    Without targets, the last command is undone. A target that an earlier target has already undone is left
    out. Raises the errors of `undo.undo`.
    """
    chosen: list[Operation] = []
    for target in targets or [""]:
        if is_undone_by(chosen, books, ledger, target):
            continue
        entries = undo.undone_with(ledger, undo.undoable(ledger, target), target, only=only)
        refuse_part_of_draws(books.campaign, ledger, entries, force=force)
        chosen.append(undo.undo(books, ledger, target, reason, force=force, only=only))
        if len(targets) > 1:
            books, ledger = after_each(books, ledger, chosen[-1:])
    return chosen


def is_undone_by(operations: Sequence[Operation], books: CampaignFile, ledger: Ledger, target: str) -> bool:
    """Return True if these undos have taken back a target, and `ledger` has nothing else of this name."""
    revisions = [revision for operation in operations for revision in operation.entry.undoes]
    if target in map(str, revisions):
        return True
    if target not in [ledger.heads[revision - 1].id for revision in revisions]:
        return False
    try:
        undo.undoable(ledger, target)
    except InvalidInput:
        return True
    return False


def redo_each(books: CampaignFile, ledger: Ledger, reason: str) -> list[Operation]:
    """Return the operations that redo the last undo. Raises the errors of `undo.redo`."""
    chosen = [undo.redo(books, ledger, reason)]
    for _ in range(undo.undos_together(ledger) - 1):
        books, ledger = after_each(books, ledger, chosen[-1:])
        chosen.append(undo.redo(books, ledger, reason))
    return chosen


def after_each(
    books: CampaignFile, ledger: Ledger, chosen: Sequence[Operation]
) -> tuple[CampaignFile, Ledger]:
    """Return the campaign and the ledger as they will be after these operations. Nothing is written."""
    if not chosen:
        return books, ledger
    first = ledger.whole_entries + 1
    entries = [each.entry._replace(revision=first + n) for n, each in enumerate(chosen)]
    later = store.append_entries(ledger, group_entries(entries, ledger.last_check))
    return operations.after(books, chosen), later


@COMMANDS.command(
    "cardbattle campaign undo\ncardbattle campaign undo teme-ford\ncardbattle campaign undo 14 12\n"
    "cardbattle campaign undo --phase movement",
    ALL,
)
def undo_command(
    home: Where,
    how: RecordingOptions,
    to: Printer,
    target: Annotated[
        list[str] | None,
        argument(
            "BATTLE|REVISION",
            "Battles or revisions to undo, in this order.  [default: the last command]",
            callback=options.as_keys,
        ),
    ] = None,
    force: Force = False,
    turn: Annotated[
        bool, option("--turn", "Undo the whole last turn: all entries since its first phase.")
    ] = False,
    phase: Annotated[
        str,
        option("--phase PHASE", f"Undo the entries since this phase: {listed([*PHASE_OF_NAME], 'or')}."),
    ] = "",
    only: Annotated[
        bool, option("--only", "Undo these battles without what the same command recorded.")
    ] = False,
) -> None:
    """Undo the last command, or the battles or revisions you name.

    All entries of one command are undone together, but for the phases of a turn, repeat the command: each
    undo takes back one phase. The ledger keeps all entries.

    If an undone entry changed points or strength, the undo takes back only this difference, and keeps later
    changes. If an entry changed another value, such as an owner, the undo restores the earlier value. If a
    later entry changed this value again, the undo needs --force.
    """

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        if turn:
            return [undo.undo_turn(books, ledger, how.reason, force=force)]
        if phase:
            kinds = PHASE_OF_NAME[phase].kinds or BATTLES
            return [undo.undo_turn(books, ledger, how.reason, force=force, kinds=kinds)]
        return undo_each(books, ledger, target or [], how.reason, force=force, only=only)

    given = [name for name, value in (("--turn", turn), ("--phase", phase), ("--only", only)) if value]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} contradict each other; leave out one")
    if (turn or phase) and target:
        what = "the whole turn" if turn else "all entries since a phase"
        raise UsageError(f"{given[0]} undoes {what}; leave out the battle or revision")
    if phase:
        options.one_of(phase, [*PHASE_OF_NAME], "--phase")

    campaign, ledger = record_operations(home.path, how, to, choose)
    if how.dry_run:
        return
    last = ledger.entry(ledger.whole_entries)
    together = range(last.revision - last.part[1] + 1, last.revision + 1)
    undone = [undone for revision in together for undone in ledger.entry(revision).undoes]
    for battle in battles_played_by_people(campaign, ledger, undone):
        message(clean(PLAYED.format(battle)))
    print_step_after_undo(campaign, ledger, to)


def battles_played_by_people(campaign: Campaign, ledger: Ledger, revisions: Sequence[int]) -> list[str]:
    """Return the pending battles with results in these entries in which a person commanded a side."""
    battles: list[str] = []
    for entry in map(ledger.entry, revisions):
        record = record_in(campaign.folder, entry.record) if entry.record else None
        is_by_people = record is not None and any(side.commander == HUMAN for side in record.sides)
        if is_by_people and campaign.battle(entry.id) is not None:
            battles.append(entry.id)
    return battles


@COMMANDS.command("cardbattle campaign redo\ncardbattle campaign redo --dry-run", ALL)
def redo_command(home: Where, how: RecordingOptions, to: Printer) -> None:
    """Redo the command that was undone last.

    If an entry after the undo concerns the same battle, force or value, nothing is redone and an error is
    printed.
    """
    campaign, ledger = record_operations(
        home.path, how, to, lambda books, ledger: redo_each(books, ledger, how.reason)
    )
    if not how.dry_run:
        print_step_after_undo(campaign, ledger, to)


@option_group
class WordOptions(NamedTuple):
    """The options for recording a change whose reason is required."""

    reason: Reason
    public: Public = False
    dry_run: DryRun = False


@COMMANDS.command("cardbattle campaign adjust forces.birch.strength=11 --reason reinforced", ALL)
def adjust_command(
    home: Where,
    setting: Annotated[
        list[str],
        argument(
            "KEY=VALUE",
            "Value to set, such as forces.percy.strength=16; += and -= add and subtract.",
            callback=options.validate_texts,
        ),
    ],
    how: WordOptions,
    to: Printer,
) -> None:
    """Change values of the campaign, and record the reason.

    Use the command for changes such as reinforcements, moves and points. The reason is required.
    """

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        values = []
        for assignment in setting:
            key, equals, value = assignment.partition("=")
            if not equals:
                raise UsageError(f"{quoted(assignment)}: write KEY=VALUE, such as forces.percy.strength=16")
            values.append((key_to_adjust(books.campaign, key.strip()), value.strip()))
        return [operations.adjust_all(books, values, how.reason)]

    record_operations(home.path, RecordingOptions(*how), to, choose)
