"""The page of the command `campaign advance`: the result of each phase of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger.ledger import AFTERMATH, change_table
from cardbattle.campaign.phases.aftermath import owner_clause
from cardbattle.campaign.phases.battles import NOT_IN_DRY_RUN
from cardbattle.campaign.phases.events import WEATHER
from cardbattle.campaign.phases.movement.phase import MOVEMENT
from cardbattle.campaign.phases.names import BATTLES
from cardbattle.campaign.phases.retreat import ASK
from cardbattle.campaign.phases.standoffs import add_battle_command, standoffs
from cardbattle.campaign.state.changes import REPORTED, is_battle, is_stay
from cardbattle.campaign.turn.in_progress import states_of_pending
from cardbattle.core.grammar import capital, mid_sentence, sentence_start, together, with_verb
from cardbattle.core.names import clean, listed
from cardbattle.show.document import Document, Item, Items, Section, Title
from cardbattle.show.pages.campaign.history import (
    attrition_notes,
    contact_words,
    describe_changes,
    describe_entry,
    movement_sentences,
    recovery_sentences,
)
from cardbattle.show.pages.campaign.reports.chronicle import turn_title

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.phases.phase import Cause
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.advance import PhaseReport
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content


# the umpire's next step says how to ask the players where their forces retreat
CHOOSE_ONLY = (f"{ASK}, or choose with", "choose for its player with")


class AdvancedTurn(NamedTuple):
    """How far a turn has progressed.

    Attributes:
        campaign: the campaign at the beginning of the command.
        reports: the result of each phase.
        earlier: the entries of battles that were recorded earlier in this turn.
        next_turn: the number of the turn that begins, or None if the present turn is not over.
        is_rehearsal: True if the command only shows what would happen, and has recorded nothing.
        players: by the ids of battles by message that the command recorded: who answered in them.
        messages: the last messages of these battles.

    """

    campaign: Campaign
    reports: Sequence[PhaseReport]
    earlier: Sequence[Entry]
    next_turn: int | None
    is_rehearsal: bool
    players: Mapping[str, str] = {}
    messages: Sequence[Document] = ()


def advance_page(turn: AdvancedTurn, visible: VisibleCampaign, *, explain: bool) -> Document:
    """Show the umpire the result of each phase of a turn. If `explain` is true, show the reasons too."""
    campaign = turn.campaign
    title = f"{clean(campaign.name)}: {turn_title(campaign, campaign.turn, campaign.turn_name or '')}"
    blocks: list[Content] = [Title(title)]
    done = [report.phase.name for report in turn.reports if report.is_done]
    if done:
        before = capital(listed(done))
        blocks += [
            Section("Done earlier in this turn", []),
            Items([Item("", before)], facts=[f"done: {before}"]),
        ]
    for report in turn.reports:
        causes = report.outcome.causes
        shown = [cause for cause in causes if explain or cause.changes or cause.text or cause.remarks]
        items = [cause_item(report.campaign, cause, explain) for cause in shown]
        items += [
            battle_item(visible, entry, turn.players.get(entry.id, "")) for entry in fought_in(turn, report)
        ]
        items += [Item("", line) for line in waiting_lines(turn, report)]
        if explain or turn.is_rehearsal or report.phase.name == MOVEMENT or report.outcome.waits:
            items += [Item("", clean(note)) for note in report.outcome.notes]
        if items:
            name = report.phase.name
            facts = [f"{name}: {line}" for item in items for line in (item.words, *item.notes)]
            blocks += [Section(capital(name), []), Items(items, facts=facts)]
    last = closing(turn)
    lines = [last, *standing_by(turn, visible)]
    items = [Item("", line) for line in lines]
    blocks += [Section("Report", []), Items(items, facts=[f"report: {line}" for line in lines])]
    for page in turn.messages:
        blocks += page.blocks
    return Document(title, blocks, advance_table(turn), is_sent=bool(turn.messages))


def waiting_lines(turn: AdvancedTurn, report: PhaseReport) -> list[str]:
    """Return a line for each reason to wait. If the turn goes on all the same, name the battles that stay.

    The commands that the umpire's next step names are left out.
    """
    waits: Sequence[str] = report.outcome.waits
    if report.phase.name == BATTLES and waits and turn.next_turn is not None:
        ids = [battle.id for battle in report.campaign.pending]
        return [clean(f"left: {listed(ids)}, which {'stays' if len(ids) == 1 else 'stay'} pending")]
    if waits_for_battles(report) and not any(NOT_IN_DRY_RUN in line for line in waits):
        waits = states_of_pending(report.campaign)
    return [f"waits: {clean(line.replace(*CHOOSE_ONLY))}" for line in waits]


def waits_for_battles(report: PhaseReport) -> bool:
    return report.phase.name == BATTLES and bool(report.outcome.waits)


def fought_in(turn: AdvancedTurn, report: PhaseReport) -> Sequence[Entry]:
    """Return the battles of the turn if the report is about the battle phase. Otherwise, return nothing."""
    return [*turn.earlier, *report.fought] if report.phase.name == BATTLES else []


def battle_item(visible: VisibleCampaign, entry: Entry, players: str) -> Item:
    """Return an item that describes a battle, who played it, its result and everything that it changed."""
    results = {entry.id: entry.result} if entry.result else {}
    changes = [change for change in entry.changes if not is_battle(change.key) and change.key[0] != REPORTED]
    notes = attrition_notes(visible.campaign, entry.changes, results)
    changed = describe_changes(visible.campaign, changes, notes)
    return Item("", describe_entry(visible, entry), [*([players] if players else []), *changed])


def closing(turn: AdvancedTurn) -> str:
    """Return a sentence about the progress of the turn, and about the next step if the turn is not over."""
    if turn.next_turn is not None:
        if turn.campaign.is_last(turn.campaign.turn):
            return "the war would be over" if turn.is_rehearsal else "the war is over"
        verb = "would begin" if turn.is_rehearsal else "begins"
        return f"turn {turn.next_turn} {verb}"
    waits = any(report.outcome.waits for report in turn.reports)
    if any(map(waits_for_battles, turn.reports)):
        how = "--fight fights pending battles by computer, --leave keeps them for the next turn"
        return f"turn {turn.campaign.turn} is not over; {how}; go on with: cardbattle campaign advance"
    then = "do what it waits for, then" if waits else "go on with"
    return f"turn {turn.campaign.turn} is not over; {then}: cardbattle campaign advance"


def standing_by(turn: AdvancedTurn, visible: VisibleCampaign) -> list[str]:
    """Return a line about each place in which hostile forces are without a battle after the turn."""
    if turn.next_turn is None or not turn.reports or turn.campaign.is_last(turn.campaign.turn):
        return []
    campaign = turn.reports[-1].campaign
    lines = []
    for standoff in standoffs(campaign):
        names = sentence_start(
            together(campaign.display_name(key) for side in standoff.sides for key in side)
        )
        place = mid_sentence(campaign.location_name(standoff.place))
        command = add_battle_command(campaign, visible.ledger, standoff, turn.next_turn)
        stand = f"{with_verb(names, 'is|are')} at {place} without a battle"
        if campaign.aftermath is not None and campaign.aftermath.capture:
            stand += f", so it {owner_clause(campaign, standoff.place)}"
        lines.append(clean(f"{stand}; add one with: {command}"))
    return lines


def cause_item(campaign: Campaign, cause: Cause, explain: bool) -> Item:
    """Return an item about a cause and its changes, also with the reasons if `explain` is true."""
    changes = cause_sentences(campaign, cause)
    reasons = [*map(clean, cause.remarks)]
    reasons += [f"because: {clean(reason)}" for reason in cause.reasons] if explain else []
    text = clean(cause.text).removesuffix(".")
    if cause.kind == AFTERMATH:
        of = f" of {cause.id}" if cause.id else ": prisoners are exchanged"
        return Item("", f"{cause.kind}{of}", [*(by_subject(changes) or ["nothing changes"]), *reasons])
    if cause.kind == WEATHER:
        return Item("", f"{cause.kind}: {text}", reasons)
    if text:
        return Item("", f"{cause.kind}: {text}", [*(changes or ["nothing changes"]), *reasons])
    return Item("", f"{cause.kind}: {'; '.join(changes) or 'nothing changes'}", reasons)


def cause_sentences(campaign: Campaign, cause: Cause) -> list[str]:
    if cause.kind == "movement":
        return movement_sentences(campaign, cause.changes) or ["no force moves"]
    if cause.kind == "contact" and isinstance(table := cause.changes[0].after, dict):
        return [f"{contact_words(campaign, table)}; battle {cause.id} is pending"]
    if cause.kind == "recovery":
        return recovery_sentences(campaign, cause.changes)
    return describe_changes(campaign, [change for change in cause.changes if not is_stay(change)])


def by_subject(sentences: Sequence[str]) -> list[str]:
    """Join the sentences with the same subject.

    >>> by_subject(["Boyd: strength 4 -> 3", "Percy: title none -> proud", "Boyd: experience 0 -> 1"])
    ['Boyd: strength 4 -> 3, experience 0 -> 1', 'Percy: title none -> proud']
    """
    facts: dict[str, list[str]] = {}
    for sentence in sentences:
        subject, _, fact = sentence.partition(": ")
        facts.setdefault(subject, []).append(fact)
    return [f"{subject}: {', '.join(rest)}" if any(rest) else subject for subject, rest in facts.items()]


def advance_table(turn: AdvancedTurn) -> dict[str, object]:
    phases = [
        {
            "phase": report.phase.name,
            "done_before": report.is_done,
            "entries": [entry.table() for entry in report.entries],
            "causes": [cause_table(cause) for cause in report.outcome.causes],
            "waits": list(report.outcome.waits),
            "notes": list(report.outcome.notes),
        }
        for report in turn.reports
    ]
    recorded = [] if turn.is_rehearsal else turn.reports
    return {
        "schema": 1,
        "turn": turn.campaign.turn,
        "dry_run": turn.is_rehearsal,
        "phases": phases,
        "fought": [entry.table() for report in recorded for entry in report.fought],
        "fought_before": [entry.table() for entry in turn.earlier],
        "next_turn": turn.next_turn,
        **({"messages": [page.json for page in turn.messages]} if turn.messages else {}),
    }


def cause_table(cause: Cause) -> dict[str, object]:
    """Return a cause for JSON: its kind, battle, text, changes and reasons."""
    return {
        "kind": cause.kind,
        "id": cause.id,
        "text": cause.text,
        "changes": [change_table(change) for change in cause.changes],
        "reasons": [*cause.reasons, *cause.remarks],
    }
