"""The umpire's next step in a turn: with orders, with battles, and after a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.battle_answers import take_answers
from cardbattle.campaign.exchange.confirmation import decision, reports_of
from cardbattle.campaign.exchange.order_book import (
    ADVANCE,
    APPLY,
    APPLY_MISSED,
    ASK_PLAYERS,
    TAKE,
    next_step,
    statuses,
)
from cardbattle.campaign.ledger.history import turn_of
from cardbattle.campaign.ledger.ledger import BATTLES, MISSED, PHASE_KINDS
from cardbattle.campaign.ledger.umpire_changes import STORY_OF_WAR, still_pending
from cardbattle.campaign.phases.battles import BY_MESSAGE, SHEET
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.phases.more_sides import standing_by
from cardbattle.campaign.state.clock import timestamp
from cardbattle.campaign.state.tables.deadlines import BOTH, HOLD, WAIT
from cardbattle.campaign.turn.factor_values import command_for_everyone
from cardbattle.campaign.turn.in_progress import (
    AT_TABLE,
    GO_ON_AT_TABLE,
    REPORTED,
    WAITING,
    battles_in_progress,
    late_answers_step,
    new_questions_step,
)
from cardbattle.campaign.turn.retreat_choices import open_retreats, retreats_step
from cardbattle.campaign.turn.waiting import (
    ALLY_DECLINES,
    ANSWER,
    CHECK,
    CONFIRM,
    DECIDE,
    RECORD,
    duties,
    duty_names,
    order_duties,
    overdue,
)
from cardbattle.cli.campaign.shared import campaign_command
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import clean, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.in_progress import BattleInProgress
    from cardbattle.campaign.turn.waiting import Duty
    from cardbattle.cli.run import Printer

SEE_WAITING = "; see what to do with: cardbattle campaign waiting"


def step_with_orders(
    campaign: Campaign, ledger: Ledger, current_time: str, *, is_to_correct: bool = False
) -> str:
    """Return a sentence: what the umpire should do next about this turn's orders, at `current_time`.

    With `is_to_correct`, a player still has to correct lines.
    """
    if retreats := open_retreats(campaign, ledger):
        return retreats_step(campaign, retreats, "cardbattle campaign")
    is_open = campaign.movement is None or has_moved(ledger)
    if is_open and (step := step_with_results(campaign, ledger, current_time)):
        return step
    if is_open and len(battles_to_begin(campaign, battles_in_progress(campaign))) > 1:
        return f"next: {len(campaign.pending)} battles are pending{SEE_WAITING}"
    if is_open and (step := step_with_battles(campaign)):
        return step
    if campaign.is_over:
        return f"next: {STORY_OF_WAR}"
    if campaign.movement is None:
        return f"next: run the turn with: {ADVANCE}"
    late = overdue(list(order_duties(campaign, ledger)), current_time)
    is_late = is_step_to_apply(campaign, late)
    return next_step(
        campaign,
        statuses(campaign),
        has_moved=has_moved(ledger),
        is_late=is_late,
        is_to_correct=is_to_correct,
    )


def step_with_results(campaign: Campaign, ledger: Ledger, current_time: str) -> str:
    """Return the umpire's next step with the results that sides have reported, or "" without such a step."""
    if not campaign.reported:
        return ""
    open_duties = duties(campaign, ledger, battles_in_progress(campaign))
    confirming = [duty for duty in open_duties if duty.kind == CONFIRM]
    if is_step_to_apply(campaign, overdue(confirming, current_time)):
        return f"next: {APPLY}"
    ask = f"{ASK_PLAYERS}; then take the answers with: {TAKE}"
    for duty in open_duties:
        if duty.kind == DECIDE:
            others = others_pending(campaign, [duty.battle])
            is_asked = any(other.kind == CHECK and other.battle == duty.battle for other in open_duties)
            check = f"; or ask the players to check their reports with: {ask}" if is_asked else ""
            battle = campaign.battle(duty.battle)
            assert battle is not None
            decide = decision(battle, reports_of(campaign, battle.id).values())
            return f"next: {decide}{check}{others}"
    names = mid_sentence(listed(dict.fromkeys(duty_names(campaign, duty) for duty in confirming)))
    battles = dict.fromkeys(duty.battle for duty in confirming)
    others = others_pending(campaign, battles)
    is_declined = all(duty.words.startswith(ALLY_DECLINES) for duty in confirming)
    do = "decline or fight" if is_declined else "confirm the result of"
    asking = f"next: ask {names} to {do} {listed(battles)} with: {ask}{others}"
    return asking if confirming else ""


def battles_to_begin(campaign: Campaign, begun: Collection[str]) -> list[str]:
    return [battle.id for battle in campaign.pending if battle.id not in begun]


def step_with_battles(campaign: Campaign) -> str:
    """Return the umpire's next step with the pending battles, or "" without one.

    A battle whose result sides have reported is left to `step_with_results`.
    """
    begun = battles_in_progress(campaign)
    free = next(iter(battles_to_begin(campaign, begun)), "")
    if free:
        is_reported = campaign.results.confirm == BOTH
        reports = f"ask the sides for reports with: {ASK_PLAYERS}, and take them with: {TAKE}"
        enter = f"enter its result with: cardbattle campaign override {free}, or import"
        return (
            f"next: fight battle {free} with: cardbattle campaign fight {free}; or by message with: "
            f"{BY_MESSAGE.format(free)}; or have it played at the table with: {SHEET.format(free)}; then "
            f"{reports if is_reported else enter}{step_for_all(campaign, free)}"
            f"{answers_to_take(campaign, begun.values())}"
            f"{others_pending(campaign, [free, *battles_to_answer(begun.values())])}"
        )
    open_battles = [progress for progress in begun.values() if progress.state != REPORTED]
    if not open_battles:
        return ""
    others = others_pending(campaign, [open_battles[0].battle.id])
    return f"next: {open_battles[0].next_step(campaign)}{others}"


def step_for_all(campaign: Campaign, battle_id: str) -> str:
    """Return the end of a next step that lets the forces fight that stand by in a pending battle, or ""."""
    battle = campaign.battle(battle_id)
    idle = standing_by(campaign, battle) if battle else []
    if not battle or not idle:
        return ""
    forces = [force for side in idle for force in side]
    names = mid_sentence(listed(map(campaign.display_name, forces)))
    command = command_for_everyone(campaign, battle)
    return f"; or first let {names} fight too with: {command}" if command else ""


def battles_to_answer(begun: Collection[BattleInProgress]) -> list[str]:
    return [progress.battle.id for progress in begun if progress.state == WAITING]


def answers_to_take(campaign: Campaign, begun: Collection[BattleInProgress]) -> str:
    """Return the end of a next step that says how begun battles go on, by message or at the table, or ""."""
    takes = [f"{battle} with: {take_answers(campaign, battle)}" for battle in battles_to_answer(begun)]
    tables = [
        f"; enter the moves of {progress.battle.id} with: {GO_ON_AT_TABLE.format(progress.battle.id)}"
        for progress in begun
        if progress.state == AT_TABLE
    ]
    return "".join([f"; take the answers in {listed(takes)}" if takes else "", *tables])


def others_pending(campaign: Campaign, named: Collection[str]) -> str:
    """Return the end of a next step that names the pending battles except those in `named`, or ""."""
    left = still_pending(campaign, named)
    return f"; {left}{SEE_WAITING}" if left else ""


def step_with_new_questions(campaign: Campaign, battles: Sequence[str]) -> str:
    """Return the umpire's next step after commanders have answered in these battles, or "" without one."""
    begun = battles_in_progress(campaign) if battles else {}
    battle = next((each for each in battles if each in begun and begun[each].state == WAITING), "")
    if not battle:
        return ""
    return f"next: {new_questions_step(campaign, battle)}{others_pending(campaign, [battle])}"


def is_step_to_apply(campaign: Campaign, late: Sequence[Duty]) -> bool:
    """Return True if `campaign advance` applies consequences for these duties, whose deadlines have passed.

    The result of a battle at the table has no consequence. With `missed = "hold"`, a battle by message waits
    for its answers.
    """
    missed = campaign.deadlines.missed if campaign.deadlines else WAIT
    without = (RECORD, ANSWER) if missed == HOLD else (RECORD,)
    return missed != WAIT and any(duty.kind not in without for duty in late)


def step_with_deadlines(campaign: Campaign, late: Sequence[Duty]) -> str:
    """Return the umpire's next step with these duties, whose deadlines have passed, or "" without a step."""
    battle = next((duty.battle for duty in late if duty.kind == ANSWER), "")
    if not is_step_to_apply(campaign, late):
        return f"next: {late_answers_step(campaign, battle)}" if battle else ""
    if not battle:
        return f"next: {APPLY}"
    by_mail = any(duty.kind not in (ANSWER, RECORD) for duty in late)
    others = f", and others with: {TAKE}" if by_mail else ""
    return f"next: {APPLY_MISSED}; or first take late answers with: {take_answers(campaign, battle)}{others}"


def print_step_after_undo(campaign: Campaign, ledger: Ledger, to: Printer) -> None:
    """Print what the umpire should do after an undo or a redo, and if reports can differ now.

    If the campaign has no movement, nothing is printed.
    """
    if campaign.movement is None:
        return
    undone = ledger.entry(ledger.whole_entries).undoes
    reported = [each for each in undone if ledger.entry(each).kind in (*PHASE_KINDS, *BATTLES, MISSED)]
    if reported:
        first = turn_of(ledger, min(reported)) or campaign.turn
        reports = f"reports of turn {first}" if first == campaign.turn else f"reports since turn {first}"
        to.message(f"if you have written {reports}, write them again: they can differ now")
    to.message(clean(step_with_orders(campaign, ledger, timestamp())))


def step_after_battle(campaign: Campaign, ledger: Ledger, at: str) -> str:
    """Return the umpire's next step after a result, including its command.

    `at` is the folder of the campaign, which the command names if it is not the working directory.
    """
    command = campaign_command(at)
    if left := still_pending(campaign):
        return f"next: {left}; see what to do with: {command} waiting"
    if retreats := open_retreats(campaign, ledger):
        return clean(retreats_step(campaign, retreats, command))
    return f"next: {STORY_OF_WAR}" if campaign.is_over else f"next: go on with the turn: {command} advance"


def print_step_in_turn(
    campaign: Campaign, ledger: Ledger, at: str, to: Printer, *, dry_run: bool = False
) -> None:
    """Print the umpire's next step after a result if the campaign has movement, unless it was a dry run."""
    if (campaign.movement is not None or campaign.is_over) and not dry_run:
        to.message(step_after_battle(campaign, ledger, at))
