"""Run the phases of a turn in order. Each phase writes its own ledger entries.

The ledger shows which phases of a turn are done. A phase is done if it or a later phase has a valid entry. A
phase without effect writes nothing and is computed again by the next command. The result is the same unless
the campaign was changed. An interrupted turn therefore continues where it stopped. Only the movement writes
an entry in any case: players know whether the forces have moved, but not whether a hidden force marched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.ledger.umpire_changes import next_turn
from cardbattle.campaign.phases.battles import NOT_IN_DRY_RUN
from cardbattle.campaign.phases.finished_phases import REPEATED, entries_of_turn, names_of_finished_phases
from cardbattle.campaign.phases.movement.phase import MOVEMENT
from cardbattle.campaign.phases.names import BATTLES
from cardbattle.campaign.phases.phase import Cause, Outcome, Phase, Situation
from cardbattle.campaign.phases.turn_order import PHASES
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.in_progress import battles_to_wait_for
from cardbattle.campaign.turn.played_battles import plan_endings
from cardbattle.campaign.turn.retreat_choices import record_choices
from cardbattle.core.errors import UsageError
from cardbattle.core.names import listed


class AdvanceOptions(NamedTuple):
    """The umpire's options for a turn.

    Attributes:
        only: the name of the only phase to run, or an empty string to run all phases.
        skip: names of phases to leave out.
        leave_battles: True to continue although battles are pending.
        fight: True if the umpire lets the computer fight. A rehearsal only says that it does not fight.
        choices: the chosen retreats, by force.
        name: the name of the next turn.
        time: the time at which the next turn begins, if it is later than the clock.

    """

    only: str = ""
    skip: Collection[str] = ()
    leave_battles: bool = False
    fight: bool = False
    choices: Mapping[str, str] = {}
    name: str = ""
    time: str = ""

    def wants(self, phase: str) -> bool:
        return phase == self.only if self.only else phase not in self.skip


class PhaseReport(NamedTuple):
    """The outcome of a phase and its recorded entries. A dry run records no entries.

    `is_done` is True if the phase was done earlier in this turn. `campaign` is the campaign after the phase.
    `warnings` are about the campaign file, such as changes by hand. `fought` are the entries of the battles
    that the command records in the battle phase. In a dry run, they are not recorded.
    """

    phase: Phase
    outcome: Outcome
    campaign: Campaign
    entries: Sequence[Entry] = ()
    is_done: bool = False
    warnings: Sequence[str] = ()
    fought: Sequence[Entry] = ()


def situation_of(books: CampaignFile, ledger: Ledger, choices: Mapping[str, str]) -> Situation:
    """Return a campaign as the input of a phase."""
    return Situation(books.campaign, ledger, entries_of_turn(ledger), choices)


def compute_phase(phase: Phase, situation: Situation) -> PhaseReport:
    """Compute a phase without recording it. If the phase is done, the report says so."""
    if phase.name in names_of_finished_phases(situation.entries):
        is_on = phase.is_on(situation.campaign)
        return PhaseReport(phase, Outcome(), situation.campaign, is_done=is_on)
    outcome = phase.run(situation) if phase.is_on(situation.campaign) else Outcome()
    if phase.name == BATTLES and outcome.waits:
        outcome = outcome._replace(waits=battles_to_wait_for(situation.campaign))
    causes = outcome.causes if not outcome.waits else ()
    changes = [change for cause in causes for change in cause.changes]  # applied together: reading is slow
    return PhaseReport(phase, outcome, situation.after(changes).campaign)


def phases_wanted(situation: Situation, wanted: AdvanceOptions) -> list[Phase]:
    """Return the phases to run. Raises UsageError if an earlier phase must run before the named one."""
    chosen = [phase for phase in PHASES if wanted.wants(phase.name)]
    if wanted.only and chosen and wanted.only not in REPEATED:
        before = PHASES[: PHASES.index(chosen[0])]
        left = [
            phase.name
            for phase in before
            if phase.name not in REPEATED and compute_phase(phase, situation).outcome.causes
        ]
        if left:
            first = f"{listed(left)} comes first in this turn; run it with --phase {left[0]}"
            raise UsageError(f"--phase {wanted.only}: {first}")
    return chosen


def rehearse_turn(
    books: CampaignFile, ledger: Ledger, wanted: AdvanceOptions, missed: Sequence[Entry] = ()
) -> Iterator[PhaseReport]:
    """Yield the result of each phase of the turn without recording anything.

    The rehearsal ends at the phase that has to wait, for example for sealed orders that are not open, or for
    pending battles. If `leave_battles` is true, it goes on as if the battles stay pending. Battles by message
    that are over count as recorded in the battle phase. `missed` are the unrecorded entries about missed
    deadlines, which `books` contains already.
    """
    situation = situation_of(books, ledger, wanted.choices)
    situation = situation._replace(entries=[*situation.entries, *missed])
    for phase in phases_wanted(situation, wanted):
        fought: list[Entry] = []
        if phase.name == BATTLES:
            ended = plan_endings(books._replace(campaign=situation.campaign), ledger)
            fought = [operation.entry for operation in ended.operations]
            for entry in fought:
                situation = situation.after(entry.changes)
            situation = situation._replace(entries=[*situation.entries, *fought])
        report = compute_phase(phase, situation)._replace(fought=fought)
        if phase.name == BATTLES and report.outcome.waits and wanted.fight:
            waits = battles_to_wait_for(situation.campaign, NOT_IN_DRY_RUN)
            report = report._replace(outcome=report.outcome._replace(waits=waits))
        yield report
        if report.outcome.waits and not (phase.name == BATTLES and wanted.leave_battles):
            return
        entries = [*situation.entries, *(cause.entry() for cause in report.outcome.causes)]
        situation = situation._replace(campaign=report.campaign, entries=entries)


def waiting_for_orders(campaign: Campaign, why: str) -> PhaseReport:
    """Return the report of a turn that does not begin, because it waits for orders. `why` names them."""
    movement = next(phase for phase in PHASES if phase.name == MOVEMENT)
    return PhaseReport(movement, Outcome(waits=[why]), campaign)


def record_retreats(folder: str, wanted: AdvanceOptions) -> Sequence[Entry]:
    """Record the chosen retreats of a turn that waits for others, and return the entries.

    Raises as `open_for_writing` and `commit`.
    """
    with store.open_for_writing(folder) as transaction:
        operation = record_choices(transaction.campaign, transaction.ledger, wanted.choices)
        return transaction.commit([operation]) if operation else []


def run_phase(folder: str, phase: Phase, wanted: AdvanceOptions) -> PhaseReport:
    """Run one phase, and record either all of its entries or none.

    Raises the errors of `open_for_writing` and `commit`.
    """
    with store.open_for_writing(folder) as transaction:
        situation = situation_of(transaction.books, transaction.ledger, wanted.choices)
        report = compute_phase(phase, situation)
        entries: list[Entry] = []
        if not report.outcome.waits:
            entries = transaction.commit([operation_of(cause) for cause in report.outcome.causes])
        return report._replace(entries=entries, warnings=transaction.take_notes())


def operation_of(cause: Cause) -> Operation:
    return Operation(cause.entry(), keeps_lines=True)


def begin_next_turn(folder: str, wanted: AdvanceOptions) -> Campaign:
    """Record the beginning of the next turn, and return the campaign after it.

    Raises the errors of `run_phase`.
    """
    with store.open_for_writing(folder, wanted.time) as transaction:
        transaction.commit([next_turn(transaction.books, name=wanted.name)])
        return transaction.campaign
