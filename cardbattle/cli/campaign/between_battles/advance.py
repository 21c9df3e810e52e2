"""The command `campaign advance`, which runs the phases of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.campaign.exchange.order_book import ADVANCE, ASK
from cardbattle.campaign.ledger.ledger import BATTLES as BATTLE_KINDS
from cardbattle.campaign.ledger.umpire_changes import STORY_OF_WAR, find_key, refuse_after_last_turn
from cardbattle.campaign.phases.finished_phases import entries_of_turn
from cardbattle.campaign.phases.movement.phase import MOVEMENT
from cardbattle.campaign.phases.names import AFTERMATH, BATTLES, REPORT, SUMMARIES
from cardbattle.campaign.state.clock import zoned_time
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.seal_slots import opener
from cardbattle.campaign.turn.advance import (
    AdvanceOptions,
    PhaseReport,
    begin_next_turn,
    phases_wanted,
    record_retreats,
    rehearse_turn,
    run_phase,
    situation_of,
    waiting_for_orders,
)
from cardbattle.campaign.turn.factor_values import with_commands_for_everyone
from cardbattle.campaign.turn.fighting import (
    FightOptions,
    fight_battles,
    fighters,
    select_battles,
    unrecorded_battles,
)
from cardbattle.campaign.turn.hints.state_hints import unused_roads
from cardbattle.campaign.turn.missed_deadlines import rehearse_missed
from cardbattle.campaign.turn.played_battles import NO_BATTLES, plan_endings, recorded_files
from cardbattle.campaign.turn.waiting import ORDERS, order_duties
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.next_step import (
    step_with_new_questions,
    step_with_orders,
)
from cardbattle.cli.campaign.between_battles.turn_reports import check_reports_folder, write_turn_reports
from cardbattle.cli.campaign.between_battles.waiting import (
    Now,
    apply_deadlines,
    missing_orders,
    read_moment,
)
from cardbattle.cli.campaign.fight import FightingOptions, free_to_fight, notify
from cardbattle.cli.campaign.fight_results import commit_fights, record_endings
from cardbattle.cli.campaign.shared import Where, print_notes, read_only, read_repaired
from cardbattle.cli.commands.orders import last_messages
from cardbattle.cli.output import message
from cardbattle.cli.parameters import option
from cardbattle.cli.run import ALL, CommandGroup, Printer, option_group
from cardbattle.cli.streams import say
from cardbattle.core.errors import UsageError
from cardbattle.core.grammar import with_verb
from cardbattle.core.names import clean, listed, name_error, quoted
from cardbattle.files import disk
from cardbattle.show.battle_text import players_sentence
from cardbattle.show.pages.campaign.advance import AdvancedTurn, advance_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.state.model import Campaign

COMMANDS = CommandGroup()
SEND = "send each player their own report, and everyone the public one"
WRITE_REPORTS = (
    "write each player's report with: cardbattle campaign report --turn {} --for FACTION, and send it"
)
STOPPED = 4  # exit code: the turn waits for the umpire


@option_group
class TurnOptions(NamedTuple):
    """The options of `campaign advance`: the phases to run, the battles, and the reports to write."""

    dry_run: Annotated[bool, option("--dry-run", "Print what the turn would do, and record nothing.")] = False
    phase: Annotated[str, option("--phase PHASE", f"Run only this phase: {listed(SUMMARIES, 'or')}.")] = ""
    skip: Annotated[list[str] | None, option("--skip PHASE", "Leave out this phase. Repeatable.")] = None
    explain: Annotated[bool, option("--explain", "Also print the reasons for each change.")] = False
    fight: Annotated[
        bool,
        option(
            "--fight",
            "Fight the pending battles. Without it, the command stops until you record their results.",
        ),
    ] = False
    leave: Annotated[
        bool, option("--leave", "Continue without unfought battles, which stay pending in the next turn.")
    ] = False
    retreat: Annotated[
        list[str] | None,
        option(
            "--retreat FORCE=PLACE",
            "Beaten force, and the place to which it retreats. Repeatable.",
            callback=options.as_keys,
        ),
    ] = None
    name: Annotated[str, option("--name TEXT", "Name of the next turn.", callback=options.validate_text)] = ""
    reports: Annotated[
        str,
        option(
            "--reports DIR",
            "Write a report on the turn for the public and for each faction into this folder.",
            callback=options.validate_folder,
        ),
    ] = ""
    chances: Annotated[
        bool | None,
        option(
            "--chances/--no-chances",
            "Simulate all battles in full to find turning points for the reports, or none.  [default: the "
            "last 20 battles, and long battles in part]",
        ),
    ] = None
    now: Now = ""
    no_wait: Annotated[
        bool, option("--no-wait", "Do not wait for missing orders, even before their deadline.")
    ] = False

    @property
    def needs_orders(self) -> bool:
        """Whether the turn must wait for missing orders."""
        has_movement = self.phase in ("", MOVEMENT) and MOVEMENT not in (self.skip or [])
        return has_movement and not self.no_wait

    def advance_options(self, campaign: Campaign) -> AdvanceOptions:
        """Return these options as AdvanceOptions, with the keys of the forces and places in --retreat.

        Raises UsageError if an option is invalid, and InvalidInput if a force is unknown.
        """
        phase = options.one_of(self.phase, list(SUMMARIES), "--phase") if self.phase else ""
        skip = [options.one_of(word, list(SUMMARIES), "--skip") for word in self.skip or []]
        if phase and skip:
            raise UsageError("--phase runs one phase; leave out --skip")
        if self.chances is not None and not self.reports:
            option = "--chances" if self.chances else "--no-chances"
            raise UsageError(f"{option} is for the reports; add --reports DIR")
        if self.fight and self.leave:
            raise UsageError("--fight and --leave contradict each other; leave out one")
        if self.name and (problem := name_error(self.name)):
            raise UsageError(f"--name: {problem}")
        choices = dict(retreat_choice(campaign, word) for word in self.retreat or [])
        time = read_moment(self.now) if self.now else ""
        return AdvanceOptions(phase, skip, self.leave, self.fight, choices, self.name, time)


def refuse_early_retreats(campaign: Campaign, ledger: Ledger, choices: Mapping[str, str]) -> None:
    """Raise UsageError if a force is to retreat in a new turn, in which it fights no battle.

    Otherwise, a choice for the turn before would run a turn for which no orders have been given.
    """
    has_begun = any(entry.kind in (MOVEMENT, *BATTLE_KINDS) for entry in entries_of_turn(ledger))
    fighting = {key for battle in campaign.pending for side in battle.sides for key in side}
    early = [key for key in choices if key not in fighting]
    if early and not has_begun:
        name = with_verb(campaign.display_name(early[0]), "has|have")
        raise UsageError(f"--retreat {early[0]}: {name} not fought in turn {campaign.turn}; leave it out")


def retreat_choice(campaign: Campaign, text: str) -> tuple[str, str]:
    """Return the pair of keys (force, place) in a value of --retreat.

    The force and the place can be given by key or by name. Raises UsageError if the text is not FORCE=PLACE,
    and InvalidInput if the force or the place is unknown.
    """
    force, equals, place = text.partition("=")
    if not equals:
        raise UsageError(f"--retreat {quoted(text)}: write FORCE=PLACE, such as percy=chester")
    return find_key(campaign, "forces", force), find_key(campaign, "locations", place)


@COMMANDS.command("cardbattle campaign advance --dry-run\ncardbattle campaign advance --fight", ALL)
def advance_command(home: Where, wanted: TurnOptions, to: Printer) -> None:
    """Run the phases of this turn, and begin the next one.

    A phase that needs a table in campaign.toml, such as movement, does nothing without it. If a turn waits
    for a battle or a decision, repeat the command to continue the turn.
    """
    at, now = home.path, read_moment(wanted.now)
    books, ledger = read_only(at)
    how = wanted.advance_options(books.campaign)
    refuse_after_last_turn(books.campaign)
    refuse_early_retreats(books.campaign, ledger, how.choices)
    if wanted.reports:
        check_reports_folder(wanted.reports)
    if not wanted.dry_run and complete_turn(at, to):
        return
    asked = apply_deadlines(at, now, how.choices, dry_run=wanted.dry_run)
    waits = missing_orders(at, now) if wanted.needs_orders else ""
    if waits and not wanted.dry_run:
        message(clean(f"cardbattle: the turn waits {waits}"))
        raise typer.Exit(STOPPED)
    books, ledger = read_only(at) if wanted.dry_run else read_repaired(at)
    missed: Sequence[Entry] = ()
    if wanted.dry_run:
        _, books, missed = rehearse_missed(books, ledger, now, how.choices)
    reports: list[PhaseReport] = []
    ended = plan_endings(books, ledger) if wanted.dry_run else NO_BATTLES
    if wanted.dry_run and waits:
        reports = [waiting_for_orders(books.campaign, waits)]
    elif wanted.dry_run:
        reports = list(rehearse_turn(books, ledger, how, missed))
    else:
        for phase in phases_wanted(situation_of(books, ledger, how.choices), how):
            fought: list[Entry] = []
            if phase.name == BATTLES:
                ended, entries = record_endings(at)
                print_notes(ended.problems)
                fought += [*entries, *(fight_pending(at) if wanted.fight else [])]
            report = run_phase(at, phase, how)._replace(fought=fought)
            print_notes(report.warnings)
            reports.append(report)
            if must_stop(report, how):
                break
    is_over = how.wants(REPORT) and not any(must_stop(report, how) for report in reports)
    if is_over and not wanted.dry_run:
        begin_next_turn(at, how)
    kept = (
        record_retreats(at, how) if how.choices and not wanted.dry_run and waits_for_retreats(reports) else ()
    )
    after, now_recorded = read_only(at)
    begun = books.campaign.turn + 1 if is_over else None
    earlier = [entry for entry in [*entries_of_turn(ledger), *missed] if entry.result is not None]
    players = {
        battle.operation.entry.id: players_sentence(battle.saved.session.plan.sides)
        + ("" if wanted.dry_run else "; the last messages to the players are below")
        for battle in ended.battles
    }
    over = [] if wanted.dry_run else recorded_files(after.campaign, now_recorded)
    messages = [last_messages(saved, to) for saved in over]
    reports = [*map(with_commands_for_everyone, reports)]
    turn = AdvancedTurn(books.campaign, reports, earlier, begun, wanted.dry_run, players, messages)
    to.show(advance_page(turn, visible_to(after.campaign, now_recorded, UMPIRE), explain=wanted.explain))
    for saved in over:
        disk.remove(saved.path)
    for change in (change for entry in kept for change in entry.changes if change.after):
        name = with_verb(after.campaign.display_name(change.key[1]), "retreats|retreat")
        to.message(clean(f"recorded: {name} to {after.campaign.location_name(str(change.after))}"))
    for force in unused_retreats(reports, how):
        name = with_verb(books.campaign.display_name(force), "does|do")
        to.message(
            clean(f"hint: --retreat {force}={how.choices[force]} has no effect: {name} not retreat now")
        )
    if is_over and wanted.reports and not wanted.dry_run:
        say("")  # so that the turn is printed even if the reports are interrupted
        write_turn_reports(at, books.campaign, wanted.reports, books.campaign.turn, wanted.chances, to)
    if any(must_stop(report, how) for report in reports) and not wanted.dry_run:
        step = step_with_new_questions(after.campaign, asked)
        to.message(clean(step or step_with_orders(after.campaign, now_recorded, now)))
        raise typer.Exit(STOPPED)
    if wanted.dry_run and (hint := unused_roads(after.campaign)):
        to.message(f"hint: {hint}")
    if is_over and not wanted.dry_run and after.campaign.movement is not None:
        until = next((duty.until for duty in order_duties(after.campaign, now_recorded)), "")
        verb = "were" if until < now else "are"
        due = f"; the orders {verb} due by {zoned_time(until)}" if until else ""
        to.message(f"next: {sending(wanted, books.campaign)}; then {ASK}{due}")
    elif is_over and not wanted.dry_run and after.campaign.is_over:
        to.message(f"next: {sending(wanted, books.campaign)}; then {STORY_OF_WAR}")
    elif wanted.phase and not wanted.dry_run and asks_for_orders(after.campaign, now_recorded):
        to.message(f"next: {ASK}; then go on with: {ADVANCE}")


def sending(wanted: TurnOptions, campaign: Campaign) -> str:
    """Return the umpire's next step with the reports on the present turn of the campaign."""
    return SEND if wanted.reports else WRITE_REPORTS.format(campaign.turn)


def complete_turn(at: str, to: Printer) -> bool:
    """Complete an interrupted command. If this begins the next turn, print the new turn and return True.

    If the result is True, the caller must stop, because it would otherwise run the new turn too.
    """
    before = store.load(at)  # without the missing entries
    books, ledger = read_repaired(at)
    if books.campaign.turn == before.campaign.turn:
        return False
    over = recorded_files(books.campaign, ledger)
    messages = [last_messages(saved, to) for saved in over]
    turn = AdvancedTurn(before.campaign, [], [], books.campaign.turn, is_rehearsal=False, messages=messages)
    to.show(advance_page(turn, visible_to(books.campaign, ledger, UMPIRE), explain=False))
    for saved in over:
        disk.remove(saved.path)
    return True


def asks_for_orders(campaign: Campaign, ledger: Ledger) -> bool:
    """Return True if the turn goes on with orders that are still missing."""
    return any(duty.kind == ORDERS for duty in order_duties(campaign, ledger))


def must_stop(report: PhaseReport, how: AdvanceOptions) -> bool:
    """Return True if a phase waits for the umpire. With --leave, pending battles are not a reason to wait."""
    is_left = report.phase.name == BATTLES and how.leave_battles
    return bool(report.outcome.waits) and not is_left


def waits_for_retreats(reports: Sequence[PhaseReport]) -> bool:
    return any(report.outcome.waits for report in reports if report.phase.name == AFTERMATH)


def unused_retreats(reports: Sequence[PhaseReport], how: AdvanceOptions) -> list[str]:
    """Return the forces of --retreat that did not retreat. While other retreats are missing, return []."""
    if waits_for_retreats(reports):
        return []
    after_battles = [report for report in reports if report.phase.name == AFTERMATH]
    moved = {
        change.key[1]
        for report in after_battles
        for cause in report.outcome.causes
        for change in cause.changes
        if change.key[0] == "forces" and change.key[2:] == ("location",)
    }
    return [force for force in how.choices if force not in moved]


def fight_pending(at: str) -> Sequence[Entry]:
    """Fight and record the pending battles that no player has begun. Return their ledger entries."""
    books, ledger = read_only(at)
    if not books.campaign.pending:
        return []
    names = select_battles(books.campaign, [], everything=True)
    try:
        battles = free_to_fight(
            books.campaign,
            unrecorded_battles(books.campaign, ledger, names),
            FightingOptions(everything=True),
            notify,
        )
    except NeedsUmpire:  # the players have begun all battles; the phase says what the turn waits for
        return []
    with fighters(books.campaign, battles, None) as hands:
        way = FightOptions(passing=True, hear=notify, open=opener(at, notify))
        fought = fight_battles(books.campaign, battles, hands, way)
    return commit_fights(at, fought)[1]
