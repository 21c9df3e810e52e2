"""The commands `campaign waiting`, `confirm` and `substitute`, and what happens after missed deadlines."""

from __future__ import annotations

import re
import shlex
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.battles.messages.pasted_text import sender_address
from cardbattle.battles.messages.saved_mail import read_message
from cardbattle.campaign.exchange.confirmation import (
    battle_meant,
    declining_side,
    how_to_undo,
    is_repeated,
    is_substituted,
    leading_force,
    plan_report,
    read_report,
    with_only_address,
)
from cardbattle.campaign.exchange.order_book import ASK_PLAYERS, REMIND, TAKE, next_step, statuses
from cardbattle.campaign.exchange.orders.addresses import faction_of_sender, sender_error
from cardbattle.campaign.exchange.report_examples import EXAMPLE, example_of
from cardbattle.campaign.exchange.report_text import quoted_reports, report_lines, unused_words
from cardbattle.campaign.exchange.unaddressed_reports import are_quoted, claims_beside, unaddressed_reports
from cardbattle.campaign.ledger import value_edits
from cardbattle.campaign.ledger.umpire_changes import STORY_OF_WAR
from cardbattle.campaign.phases.declined_battles import result_of_declining
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.phases.retreat import no_retreat_notes
from cardbattle.campaign.state.apply import DECLINED
from cardbattle.campaign.state.clock import FORMAT, timestamp, zoned_time
from cardbattle.campaign.turn.in_progress import WAITING, ask_again, battles_in_progress, report_refusal
from cardbattle.campaign.turn.missed_deadlines import (
    AppliedDeadlines,
    apply_missed,
    follow_substitutes,
    rehearse_missed,
)
from cardbattle.campaign.turn.retreat_choices import forced_retreats
from cardbattle.campaign.turn.waiting import (
    ANSWER,
    CHECK,
    CONFIRM,
    DECIDE,
    DRAW,
    FIGHT,
    OPEN,
    ORDERS,
    RECORD,
    RETREAT,
    duties,
    duty_names,
    idle_factions,
    overdue,
)
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.next_step import (
    SEE_WAITING,
    answers_to_take,
    step_after_battle,
    step_with_battles,
    step_with_deadlines,
    step_with_orders,
    step_with_results,
)
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import (
    ForReader,
    Where,
    read_only,
    read_repaired,
    read_unchecked,
    visible_campaign,
)
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, POSTS, CommandGroup, Printer
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.commanders import DEFAULT, HUMAN, rank_error
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.grammar import capital, mid_sentence, with_verb
from cardbattle.core.names import clean, listed, quoted
from cardbattle.show.pages.campaign.waiting import (
    duties_of_reader,
    idle_of_reader,
    idle_sentence,
    waiting_page,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardbattle.campaign.exchange.report_text import ReportLine
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.state.tables.deadlines import Substitute
    from cardbattle.campaign.turn.waiting import Duty

COMMANDS = CommandGroup()
OVERRIDE = "cardbattle campaign override BATTLE --winner SIDE --losses SIDE=1/4 --reason TEXT"
CORRECT_REPORTS = f"correct the rejected reports and repeat the command, or decide with: {OVERRIDE}"
DECLINING = re.compile(r"\b(?:declin|refus)", re.IGNORECASE)
ASKED = (ORDERS, OPEN, RETREAT, CONFIRM, CHECK)  # duties for which `campaign orders ask` has messages
MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(?::[0-9]{2})?Z?)?")


def read_moment(text: str) -> str:
    """Return a time in the form that the ledger uses.

    If the text is empty, return the current time. Raises UsageError if the text is not a time.
    """
    if not text:
        return timestamp()
    match = MOMENT.fullmatch(text.strip())
    try:
        if match:
            text_of_ledger = f"{match[1]}T{match[2] or '00:00'}:00Z"
            datetime.strptime(text_of_ledger, FORMAT)
            return text_of_ledger
    except ValueError:
        pass
    raise UsageError(f"--now {quoted(text)}: write a time in UTC, such as 2026-11-24T18:00")


Now = Annotated[
    str,
    option(
        "--now TIME",
        "Current time for deadlines, in UTC, such as 2026-11-24T18:00.  [default: the clock]",
        callback=options.validate_text,
    ),
]


@COMMANDS.command("cardbattle campaign waiting\ncardbattle campaign waiting --format discord", (*ALL, *POSTS))
def waiting_command(home: Where, to: Printer, now: Now = "", reader: ForReader = "") -> None:
    """Print what the players and the umpire still have to do.

    The list has movement orders, answers by message, results of battles at the table, reports that confirm a
    result, and the umpire's decisions, each with its begin and its deadline. [deadlines] in campaign.toml
    sets how long people have.
    """
    books, ledger = read_only(home.path)
    visible = visible_campaign(books, ledger, reader)
    open_duties = duties(books.campaign, ledger, battles_in_progress(books.campaign))
    known, idle = (
        duties_of_reader(visible, open_duties),
        idle_of_reader(visible, idle_factions(books.campaign, ledger)),
    )
    forced = forced_retreats(books.campaign, ledger) if visible.is_whole else []
    notes = [f"{capital(note)}." for note in no_retreat_notes(books.campaign, forced)]
    note = " ".join([*notes, idle_sentence(visible, known, idle)]).strip()
    time = read_moment(now)
    to.show(waiting_page(visible.campaign, known, time, idle, note, visible.is_whole))
    if visible.is_whole and (step := step_with_duties(books.campaign, ledger, open_duties, time)):
        to.message(clean(step.removesuffix(SEE_WAITING)))


def step_with_duties(
    campaign: Campaign, ledger: Ledger, open_duties: Sequence[Duty], current_time: str
) -> str:
    """Return the umpire's next step with these duties at the time `current_time`, or "" without a step."""
    if step := step_with_deadlines(campaign, overdue(open_duties, current_time)):
        return step
    if any(duty.kind == DECIDE for duty in open_duties):
        return step_with_results(campaign, ledger, current_time)
    if asked := [duty for duty in open_duties if duty.kind in ASKED and duty.factions]:
        is_late = all(duty.is_half_over(current_time) for duty in asked)
        ask = (
            f"remind the players with: {REMIND}"
            if is_late
            else f"print the messages that ask the players with: {ASK_PLAYERS}"
        )
        answers = answers_to_take(campaign, battles_in_progress(campaign).values())
        return f"next: {ask}; then take the answers with: {TAKE}{answers}"
    if any(duty.kind in (ANSWER, FIGHT, RECORD) for duty in open_duties):
        return step_with_battles(campaign)
    if campaign.is_over and not open_duties:
        return f"next: {STORY_OF_WAR}"
    if campaign.movement is not None and all(duty.kind == DRAW for duty in open_duties):
        table = [] if has_moved(ledger) else statuses(campaign)
        return next_step(campaign, table)
    return ""


@COMMANDS.command(
    f'cardbattle campaign confirm "{EXAMPLE}"\ncardbattle campaign confirm --file mail.txt', ALL
)
def confirm_command(
    home: Where,
    how: RecordingOptions,
    to: Printer,
    text: Annotated[
        list[str] | None,
        argument(
            "TEXT",
            f"Report in the form BATTLE/SIDE: RESULT, such as: {EXAMPLE}.",
            callback=options.validate_texts,
        ),
    ] = None,
    file: Annotated[
        list[str] | None, option("--file FILE", "Text with reports, or - for standard input. Repeatable.")
    ] = None,
) -> None:
    """Record a side's report of a battle played at the table.

    Use this command in campaigns with results.confirm = "both". When the reports of all sides are in and
    agree, the result is recorded. If the reports differ, all of them are printed, and the battle stays
    pending until a side sends another report or you decide with `campaign override`. Sides can be named by a
    part of their name, or by their faction. An invalid report is printed as an error, and the other reports
    are recorded.
    """
    texts = [("", given) for given in text or []]
    texts += [read_message(name) for name in file or []]
    campaign = read_unchecked(home.path)[0].campaign
    lines = find_reports(campaign, texts)
    if not lines:
        example = example_of(campaign, campaign.pending[0]) if campaign.pending else EXAMPLE
        raise InvalidInput(f"the text contains no report; write {example}")
    if rejected := record_reports(home.path, how, to, lines):
        to.message(clean(correction_of_reports(*read_only(home.path), rejected)))
        raise typer.Exit(InvalidInput.exit_code)
    print_step_after_reports(home.path, how, to)


def find_reports(campaign: Campaign, texts: Sequence[tuple[str, str]], faction: str = "") -> list[ReportLine]:
    """Return the reports in these texts, and the lines that are meant as reports.

    Each text comes with the printable name of its file. If `faction` is given, all texts are from it.
    Otherwise, the mail address of its sender can show the faction.
    """
    lines: list[ReportLine] = []
    for name, text in texts:
        sender = faction or faction_of_sender(campaign, text)
        addressed = report_lines(campaign, text, name, sender)
        for line in quoted_reports(campaign, text, name):
            message(clean(f"{name}:{line.line}: ignored, because another player quotes it: {line.lines[0]}"))
        claims = claims_beside(campaign, name, text, addressed, sender)
        doubt = next(filter(None, claims.values()), "")
        addressed = [line._replace(doubt=doubt) for line in addressed]
        loose = [*unaddressed_reports(campaign, name or "TEXT", text, addressed, sender)]
        loose = [line._replace(doubt=doubt) for line in loose if not addressed or line.line not in claims]
        if loose and are_quoted(addressed):
            for line in addressed:
                message(
                    clean(
                        f"{name}:{line.line}: ignored, because a newer line can correct it: {line.lines[0]}"
                    )
                )
            addressed = []
        mail = "" if faction else sender_address(text)
        addressed = [line._replace(faction=sender or line.faction) for line in addressed]
        lines += [line._replace(mail=mail) for line in (*loose, *addressed)]
    return lines


def correction_of_reports(books: CampaignFile, ledger: Ledger, rejected: Sequence[ReportLine]) -> str:
    """Return what the umpire can do about rejected reports.

    One can lack only its address, or say that its side declines. If its faction has sent another one, it is
    not clear which of them counts.
    """
    campaign = books.campaign
    senders = [line.faction for line in rejected]
    single = (line for line in rejected if senders.count(line.faction) == 1)
    complete = filter(None, (with_only_address(campaign, ledger, line) for line in single))
    if confirming := [f"cardbattle campaign confirm {shlex.quote(text)}" for text in complete]:
        return "; ".join(
            [CORRECT_REPORTS, *(f"or take the report with: {command}" for command in confirming)]
        )
    declined = [line for line in rejected if DECLINING.search(line.words)]
    if not declined:
        return CORRECT_REPORTS
    battle = battle_meant(campaign, declined[0])
    side = (battle and declining_side(campaign, battle, declined[0])) or "SIDE"
    return f"{CORRECT_REPORTS}; or: cardbattle campaign decline {battle.id if battle else 'BATTLE'} {side}"


def record_reports(
    at: str, how: RecordingOptions, to: Printer, lines: Sequence[ReportLine], time: str = ""
) -> list[ReportLine]:
    """Record reports one after the other. Print the errors of those that are not valid, and return these.

    `time` is that of `record_operations`.
    """
    rejected: list[ReportLine] = []
    for line in lines:
        try:
            record_operations(at, how, to, partial(report, line, how.reason), time=time)
        except InvalidInput as refused:
            rejected.append(line)
            for error in refused.errors:
                complain(error)
            if hint := how_to_undo(read_only(at)[1], line.battle):
                message(clean(hint))
    return rejected


def print_step_after_reports(at: str, how: RecordingOptions, to: Printer) -> None:
    """Print what the umpire should do after reports. A dry run prints nothing."""
    if how.dry_run:
        return
    books, ledger = read_only(at)
    step = step_with_results(books.campaign, ledger, timestamp())
    to.message(clean(step or step_after_battle(books.campaign, ledger, at)))


def report(line: ReportLine, reason: str, books: CampaignFile, ledger: Ledger) -> Sequence[Operation]:
    """Return the operations that record a side's report of a battle, or [] if it is already recorded."""
    reported = read_report(books.campaign, ledger, line)
    faction = books.campaign.forces[reported.side].faction
    refusal = sender_error(books.campaign, faction, line.mail) or report_refusal(
        books.campaign, reported.battle
    )
    if refusal:
        raise InvalidInput([line.error(refusal)])
    if is_repeated(books.campaign, reported):
        message(f"{reported.battle}/{reported.side} has already sent this report, so nothing is recorded")
        return []
    try:
        planned = plan_report(books, ledger, reported, reason)
    except InvalidInput as refused:
        raise InvalidInput([line.error(error.text) for error in refused.errors]) from None
    planned = [with_result_of_declining(books.campaign, ledger, operation) for operation in planned]
    ignored = [f"ignored: {quoted(text)}" for text in unused_words(line.words)]
    return [operation._replace(notes=[*ignored, *operation.notes]) for operation in planned[:1]] + planned[1:]


def with_result_of_declining(campaign: Campaign, ledger: Ledger, operation: Operation) -> Operation:
    """Return an operation with notes about who wins and who retreats, if a side declines a battle."""
    if operation.entry.kind != DECLINED:
        return operation
    notes = [*operation.notes, *result_of_declining(campaign, ledger, operation.entry)]
    return operation._replace(notes=notes)


@COMMANDS.command(
    "cardbattle campaign substitute percy regular\n"
    "cardbattle campaign substitute percy veteran --always\n"
    "cardbattle campaign substitute percy human",
    ALL,
)
def substitute_command(
    home: Where,
    faction: Annotated[str, argument("FACTION", "Faction whose player is away.")],
    how: RecordingOptions,
    to: Printer,
    commander: Annotated[
        str, argument("RANK", "Rank of the commander, or human to return the faction to its player.")
    ] = DEFAULT,
    turn: Annotated[
        int | None,
        option(
            "--turn N",
            "Last turn in which the commander replaces the player.  [default: the current turn]",
            min=0,
        ),
    ] = None,
    always: Annotated[
        bool, option("--always", "Replace the player until you return the faction to its player.")
    ] = False,
) -> None:
    """Let a computer commander replace a faction's absent player.

    In battles by message, the commander answers for the faction. `campaign advance` does not wait for the
    faction's orders and reports of results.
    """
    error = rank_error(commander.lower(), orders=False) if commander.lower() != HUMAN else ""
    if error:
        raise UsageError(error)
    if always and turn is not None:
        raise UsageError("--turn and --always contradict each other; leave out one")

    before: dict[str, Substitute] = {}
    past: list[Campaign] = []

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        before.update(books.campaign.substitutes)
        past[:] = [books.campaign]
        until = None if always else books.campaign.turn if turn is None else turn
        return [value_edits.plan_substitute(books, faction, commander.lower(), until, how.reason)]

    record_operations(home.path, how, to, choose)
    if how.dry_run:
        return
    books, ledger = read_only(home.path)
    changed = [*follow_substitutes(books.campaign, before), *new_leaders(past[0], books.campaign)]
    for words in changed:
        message(clean(words))
    if changed or books.campaign.movement is not None:
        to.message(clean(step_with_orders(books.campaign, ledger, timestamp())))


def new_leaders(before: Campaign, after: Campaign) -> Iterator[str]:
    """Yield a sentence about each side of a battle by message that another ally's player commands now."""
    for battle in (each.battle for each in battles_in_progress(after).values() if each.state == WAITING):
        for side in battle.sides:
            old, new = (leading_force(campaign, battle, side[0]) for campaign in (before, after))
            if old != new and not is_substituted(after, new):
                leads = with_verb(after.faction_name(after.forces[new].faction), "commands|command")
                questions = f"print the questions with: {ask_again(after, battle.id)}"
                name = mid_sentence(after.side_name(side, battle))
                yield f"battle {battle.id}: {leads} {name} now; {questions}"


def apply_deadlines(
    at: str, current_time: str, choices: Mapping[str, str], *, dry_run: bool
) -> Sequence[str]:
    """Record what follows from missed deadlines, such as a forfeit. With `dry_run`, only print it.

    `choices` are the retreats that the umpire has chosen, from forces to places. Returns the battles in which
    a commander has answered, and which have new questions for a player.
    """
    books, ledger = read_only(at) if dry_run else read_repaired(at)
    if books.campaign.deadlines is None and not books.campaign.substitutes:
        return ()
    if dry_run:
        applied = AppliedDeadlines(
            [each.words for each in rehearse_missed(books, ledger, current_time, choices).settled], ()
        )
    else:
        applied = apply_missed(at, current_time, choices)
    changed = [] if dry_run else follow_substitutes(books.campaign)
    for words in (*applied.notes, *changed):
        message(clean(words))
    return applied.asked


def missing_orders(at: str, current_time: str) -> str:
    """Return a text such as "for the orders of Red; ...", or "" if the turn does not wait for orders."""
    books, ledger = read_only(at)
    deadlines = books.campaign.deadlines
    if deadlines is None or deadlines.orders is None:
        return ""
    open_duties = duties(books.campaign, ledger, {})
    waits = [
        duty
        for duty in open_duties
        if duty.kind == ORDERS and (not duty.is_overdue(current_time) or deadlines.missed == "wait")
    ]
    if not waits:
        return ""
    names = mid_sentence(listed(duty_names(books.campaign, duty) for duty in waits))
    late = waits[0].is_overdue(current_time)
    until = f", {'due since' if late else 'until'} {zoned_time(waits[0].until)}" if waits[0].until else ""
    only = {faction for duty in waits for faction in duty.factions}
    remind = f"{REMIND} --for {only.pop()}" if len(only) == 1 else REMIND
    return (
        f"for the orders of {names}{until}; remind them with: {remind}; take the orders "
        f"with: {TAKE}; or use --no-wait"
    )
