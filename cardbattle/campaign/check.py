"""Check a campaign's folder and report every error at once, without writing anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import record_digest
from cardbattle.campaign.ledger.edits import hand_edits
from cardbattle.campaign.ledger.ledger import LEDGER_NAME, Ledger
from cardbattle.campaign.ledger.ledger_heads import Head
from cardbattle.campaign.ledger.operations import CampaignFile
from cardbattle.campaign.seals.master import openness
from cardbattle.campaign.seals.seal_rules import seals_in
from cardbattle.campaign.seals.sealed_draw import term_differences, with_draw
from cardbattle.campaign.seals.seals import SEALS_NAME, Seals
from cardbattle.campaign.state.battle_setup import (
    destroyed_forces_error,
    levelling_command,
    no_effect,
    rehearsal_table,
    table_without_seed,
    unfit_advantage,
)
from cardbattle.campaign.state.changes import PENDING, Change, is_battle, place_of
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.state.model import Campaign, Pending, assert_errors, missing_rule_sets
from cardbattle.campaign.state.tables.battle_effects import house_of
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.advice import formalities
from cardbattle.campaign.turn.factor_values import some_worth_by_battle
from cardbattle.campaign.turn.hints.contradictions import contradictions
from cardbattle.campaign.turn.hints.destroyed_hints import destroyed_hints, weak_hints
from cardbattle.campaign.turn.hints.league_hints import league_hints
from cardbattle.campaign.turn.hints.order_hints import order_hints
from cardbattle.campaign.turn.hints.past_plans import past_plan_hints
from cardbattle.campaign.turn.hints.rank_warnings import rank_warnings
from cardbattle.campaign.turn.hints.standoff_hints import standoff_hints
from cardbattle.core.errors import CardbattleError, Diagnostic, InvalidInput, first
from cardbattle.core.grammar import number_words
from cardbattle.core.names import listed
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import MEGABYTE, read_toml
from cardbattle.rules import is_not_installed
from cardbattle.simulation.worth import first_move_words

At = tuple[str | int, ...]


class Findings(NamedTuple):
    """The errors in a campaign's folder.

    Without errors, the findings also contain the campaign, the umpire's edits to the file since the last
    entry, and hints about settings of the turn that contradict each other.
    """

    errors: list[Diagnostic]
    campaign: Campaign | None = None
    edits: list[Change] = []
    contradictions: list[Diagnostic] = []

    def hints(self) -> list[str]:
        """Return suggestions for the umpire. Some suggestions are found by simulating battles."""
        return [*map(str, self.contradictions), *hints(self.campaign)] if self.campaign else []


def check(folder: str) -> list[Diagnostic]:
    """Return every error in a campaign's file, ledger and records, and every failed check of the umpire."""
    return look_through(folder).errors


def look_through(folder: str) -> Findings:
    """Return every error in a campaign's folder, and the edits that the next command will record.

    Raises InvalidInput only if the ledger cannot be read at all.
    """
    try:
        books = store.load(folder)
    except InvalidInput as error:
        return Findings(error.errors)
    ledger = store.load_ledger(folder, whole=True)
    errors = books.source.in_order(
        chain(
            missing_rule_sets(books.campaign),
            assert_errors(books.campaign),
            wrong_battles(books.campaign, ledger),
        )
    )
    blocking = blocking_errors(books, ledger)
    unfinished = [] if blocking else interruption_errors(books, ledger)
    remedy = AFTERWARDS if blocking else REPAIR
    lost = first(chain(breaches(ledger), wrong_records(folder, ledger), wrong_seals(books, ledger, remedy)))
    errors = [*errors, *blocking, *unfinished, *lost]
    if errors:
        return Findings(errors)
    edits = hand_edits(books.source.data, ledger)
    campaign = books.campaign
    contradicting = chain(
        contradictions(campaign),
        order_hints(campaign, ledger),
        standoff_hints(campaign, ledger),
        destroyed_hints(campaign, ledger),
        weak_hints(campaign),
        past_plan_hints(campaign, ledger),
        league_hints(campaign, ledger),
    )
    return Findings([], books.campaign, edits, books.source.in_order(contradicting))


def hints(campaign: Campaign) -> list[str]:
    """Return suggestions for the umpire, one per line.

    Some suggestions concern pending battles in which strength has no effect, the first move is worth a lot,
    ranks outweigh strength, or one side nearly always wins. Other suggestions concern files that only the
    umpire should read, but that other people can read too.
    """
    ids_by_reason: dict[str, list[str]] = {}
    for battle in campaign.pending:
        reason = no_effect(campaign, battle)
        if reason:
            ids_by_reason.setdefault(f"{reason}; this is allowed", []).append(battle.id)
    for battle in campaign.pending:
        reason = first_move_hint(campaign, battle)
        if reason:
            ids_by_reason.setdefault(reason, []).append(battle.id)
    sentences = [
        f"{'battle' if len(ids) == 1 else 'battles'} {listed(ids)}: {why}"
        for why, ids in ids_by_reason.items()
    ]
    sentences += [reason for reason in [openness(campaign.folder)] if reason]
    worth = some_worth_by_battle(campaign)
    by_battle = chain(rank_warnings(campaign), formalities(campaign), worth)
    return [*sentences, *(f"battle {battle}: {reason}" for battle, reason in by_battle)]


def numbers_of_names(campaign: Campaign) -> list[str]:
    """Return a line for each name: singular or plural, and whether the campaign file says so."""
    names = [
        (f"{table}.{key}", part.plural, campaign.name_of(table, key))
        for table in ("factions", "forces", "locations")
        for key, part in getattr(campaign, table).items()
    ]
    for battle in campaign.pending:
        for side in battle.sides:
            if side[0] in battle.names:
                number = battle.plural.get(side[0])
                names.append((f"battle {battle.id}", number, campaign.side_name(side, battle)))
    return [f"{location}: {number_words(name, plural)}" for location, plural, name in names]


def first_move_hint(campaign: Campaign, battle: Pending) -> str:
    """Describe the advantage of the first move, and strength that does not fit the rules of a battle.

    The text is empty if the advantage is small and strength fits.
    """
    chosen, house = campaign.rules_of(battle), house_of(campaign, battle)
    read = {word: house.get(word, option.default) for word, option in chosen.house.items()}
    hint, edge = first_move_words(chosen, read), chosen.first_move_edge(read)
    if not hint or edge is None:
        return unfit_advantage(campaign, battle)
    rule = f"house.{chosen.key}.{edge.level_rule}={edge.level_value}"
    hint += f"; for all battles, also those of later turns: cardbattle campaign set {rule}"
    command = levelling_command(campaign, battle)
    return f"{hint}; with it, strength needs another line: {command}" if command else hint


def breaches(ledger: Ledger) -> Iterator[Diagnostic]:
    """Yield an error for each ledger entry that contradicts earlier entries."""
    for breach in ledger.breaches:
        line = ledger.line(ledger.start(breach.revision))
        yield PlacedDiagnostic(f"{breach}; restore the ledger from a copy", file=LEDGER_NAME, line=line)


def wrong_battles(campaign: Campaign, ledger: Ledger) -> Iterator[Diagnostic]:
    """Yield the errors that prevent pending battles from being fought."""
    for place, battle in enumerate(campaign.pending):
        at: At = ("pending", place)
        entry = ledger.find(battle.id)
        if entry is not None and entry.revision <= campaign.revision:
            text = f"battle {battle.id} is already recorded (revision {entry.revision}); choose another id"
            yield Diagnostic(text, at=(*at, "id"))
        gone = destroyed_forces_error(campaign, battle)
        if gone:
            yield Diagnostic(gone, at=(*at, "sides"))
            continue
        if is_not_installed(campaign.rules_key(battle)):  # missing_rule_sets says so
            continue
        try:
            read_battle(rehearsal_table(campaign, battle), campaign.folder)
        except InvalidInput as refusal:
            for error in refusal.errors:
                yield type(error)(error.text, at=campaign_path(error.at, at))


def campaign_path(path: At, at: At) -> At:
    """Convert the path of a value in a battle file to the path of the same value in the campaign."""
    if path[:1] == ("sides",) and len(path) > 1:
        return (*at, "options", *path[1:])
    return (*at, *path)


REPAIR = "the next command that writes finishes it, or: cardbattle campaign check --repair"
AFTERWARDS = "once the rest is corrected, the next command that writes finishes it"


def blocking_errors(books: CampaignFile, ledger: Ledger) -> list[Diagnostic]:
    """Return the places where the file contradicts the ledger. They block every command that writes."""
    revision = books.campaign.revision
    text = store.ledger_error(ledger, revision)
    if text:
        line = ledger.damage.line if ledger.damage else 0
        return [PlacedDiagnostic(text, file=LEDGER_NAME, line=line)]
    behind = ledger.span(revision + 1, ledger.whole_entries)
    if not behind:
        return []
    try:
        store.content_caught_up(books, ledger)
    except NeedsUmpire as error:
        errors = sorted(
            (conflict_error(books, conflict) for conflict in error.conflicts),
            key=lambda conflict: conflict.line,
        )
        if [conflict.key for conflict in error.conflicts] == [("revision",)]:
            return [*errors]
    except InvalidInput as error:
        errors = [
            PlacedDiagnostic(conflict.text, at=conflict.at, file=store.NAME) for conflict in error.errors
        ]
    else:
        return []
    labels = store.entries_text(behind)
    refusal = "until you correct this, every command that writes is refused"
    text = f"recorded, but not yet applied here: {labels}; {refusal}"
    return [PlacedDiagnostic(text, file=store.NAME), *errors]


def conflict_error(books: CampaignFile, conflict: Conflict) -> PlacedDiagnostic:
    """Return a conflict as an error at the line of the conflicting value."""
    at: At = conflict.key
    if is_battle(conflict.key):
        at = (PENDING, place_of(books.source.data, conflict.key[1]))
    place = books.source.placed(Diagnostic("", at)) if at else PlacedDiagnostic("")
    return PlacedDiagnostic(
        conflict.text, file=store.NAME, line=place.line, column=place.column, source=place.source
    )


def interruption_errors(books: CampaignFile, ledger: Ledger) -> list[Diagnostic]:
    """Return an error for each unfinished step of an interrupted command.

    The next command that writes will finish these steps.
    """
    revision = books.campaign.revision
    errors: list[Diagnostic] = []
    if ledger.tail:
        text = f"the last entry is incomplete and was never recorded; {REPAIR}"
        line = ledger.line(ledger.end)
        errors.append(PlacedDiagnostic(text, file=LEDGER_NAME, line=line))
    if revision < ledger.whole_entries:
        recorded = store.recorded_text(ledger.span(revision + 1, ledger.whole_entries))
        errors.append(PlacedDiagnostic(f"{recorded}, but not yet in {store.NAME}; {REPAIR}", file=store.NAME))
    return errors


def wrong_records(folder: str, ledger: Ledger) -> Iterator[Diagnostic]:
    """Yield an error for each record that is missing or was changed."""
    for head in islice(ledger.heads, ledger.whole_entries):
        if head.record:
            text = record_error(folder, head)
            if text:
                yield PlacedDiagnostic(text, file=head.record)


def wrong_seals(books: CampaignFile, ledger: Ledger, remedy: str) -> Iterator[Diagnostic]:
    """Yield the errors in the sealed dice.

    The errors concern the ledger entries of the dice, seals.toml, battles that changed after they got a slot,
    and records that name an unknown slot. `remedy` is the advice to print if seals.toml is older than the
    ledger.
    """
    try:
        seals = seals_in(ledger)
        draws = with_draw(books, ledger).campaign
        if seals and store.is_behind(books.folder, seals):
            yield PlacedDiagnostic(f"it is behind {LEDGER_NAME}; {remedy}", file=SEALS_NAME)
    except CardbattleError as error:
        yield Diagnostic(str(error))
        return
    if seals is None:
        return
    for battle in books.campaign.pending:
        slot = seals.slot_of(battle.id)
        if slot and not destroyed_forces_error(draws, battle):
            differences = term_differences(draws, battle, slot, table_without_seed(draws, battle))
            for difference in differences:
                yield PlacedDiagnostic(
                    f"battle {battle.id} has changed since it got slot {slot.number}: {difference.words}",
                    file=store.NAME,
                )
    for head in islice(ledger.heads, ledger.whole_entries):
        if head.record:
            yield from strange_slot(books.folder, head, seals)


def strange_slot(folder: str, head: Head, seals: Seals) -> Iterator[Diagnostic]:
    """Yield an error if a record names a slot that its battle does not have in the ledger."""
    try:
        table = read_toml(os.path.join(folder, *head.record.split("/")), MEGABYTE).data
    except CardbattleError:
        return  # wrong_records reports it
    number = table_or_empty(table_or_empty(table.get("bound")).get("seal")).get("slot", 0)
    slot = seals.slot_of(head.id)
    if number and (slot is None or slot.number != number):
        text = (
            f"the record of battle {head.id} names slot {number}, but {LEDGER_NAME} has no such slot for it"
        )
        yield PlacedDiagnostic(f"{text}; restore the ledger from a copy", file=head.record)


def record_error(folder: str, head: Head) -> str:
    path = os.path.join(folder, *head.record.split("/"))
    if not os.path.exists(path):
        text = f"the record of battle {head.id} is missing; restore it from a copy"
        return f"{text}; its result is in {LEDGER_NAME}"
    try:
        table = read_toml(path, MEGABYTE).data
    except CardbattleError as error:
        return f"the record of battle {head.id} cannot be read: {error}"
    if record_digest(table) != head.digest or table.get("digest") != head.digest:
        return f"the record of battle {head.id} was changed after it was recorded"
    return ""


def repair(folder: str) -> list[str]:
    """Complete an interrupted command, and return sentences about what was done.

    Raises the errors of `open_for_writing`.
    """
    with store.open_for_writing(folder) as transaction:
        return transaction.take_notes()
