"""Undo and redo entries of the ledger, and override results of battles.

An undo is a new entry, computed from the current campaign. Points and strength change by the difference that
the undone entry made, regardless of later entries. Other values are restored unless a later entry decided
them.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import dropwhile, groupby, islice
from math import inf
from typing import NamedTuple

from cardbattle.campaign.ledger import edits
from cardbattle.campaign.ledger.history import (
    entry_today,
    forces_in,
    in_todays_keys,
    prize_of,
    span_today,
    turn_of,
)
from cardbattle.campaign.ledger.ledger import (
    AFTERMATH,
    BATTLES,
    MISSED,
    MOVEMENT,
    PHASE_KINDS,
    SEALING,
    STORY,
    Entry,
    Ledger,
)
from cardbattle.campaign.ledger.ledger_heads import Head
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, battle_operation, check_force
from cardbattle.campaign.state.apply import DECLINED, Result
from cardbattle.campaign.state.battle_result import BattleResult, result_digest
from cardbattle.campaign.state.changes import (
    REPORTED,
    Change,
    Key,
    balanced,
    dotted_key,
    is_battle,
    is_presence,
    is_rename,
    is_strength,
    is_table,
    is_unit,
    merge_changes,
    rename_of,
    same,
    table_at,
    undone,
    value_at,
    value_text,
)
from cardbattle.campaign.state.editing.hunks import Hunk, apply_hunks, reverse_hunks
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.state.file_editing import edit_text, hunks_of_edit
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.files.toml import parse_text

ORDERS = "orders"  # the table of orders to move, by force
TURNS = ("undo", "redo")  # kinds that only undo or redo other entries
TURN_KINDS = (*PHASE_KINDS, MISSED)  # the kinds of entries with which a turn can begin
TALLIES = (
    ("factions", "points"), ("factions", "purse"), ("forces", "strength"), ("forces", "experience"),
)  # fmt: skip
# Numbers that battles and phases increase and decrease.


def undo(
    books: CampaignFile,
    ledger: Ledger,
    label: str = "",
    reason: str = "",
    *,
    force: bool = False,
    only: bool = False,
) -> Operation:
    """Return the operation that undoes the last command, or the battle or revision that `label` names.

    Entries that one command recorded together are undone together, and a note lists them. An import is an
    example. With `only`, the operation undoes one battle and its aftermath. Raises NeedsUmpire if later
    entries decided the same values. `force` overrides this, and needs a reason. Raises InvalidInput if there
    is nothing to undo, and UsageError if `force` is given without a reason, or `only` without a battle.
    """
    check_force(force, reason)
    named = undoable(ledger, label)
    entries = with_missed_deadlines(ledger, undone_with(ledger, named, label, only=only))
    try:
        operation = undo_operation(books, ledger, entries, reason, force)
    except NeedsUmpire as error:
        if label and conflicts_alone(books, ledger, entries, named) < len(error.conflicts):
            raise NeedsUmpire([*error.conflicts, alone_hint(entries, named)]) from None
        raise
    if not label:
        return operation._replace(notes=[*entries_to_skip(ledger, named), *operation.notes])
    company = [entry_label(entry) for entry in entries if entry.revision != named.revision]
    if not company:
        return operation
    text = f"undone with {entry_label(named)}, because the same command recorded it: {listed(company)}"
    return operation._replace(notes=[text, *operation.notes])


def conflicts_alone(books: CampaignFile, ledger: Ledger, entries: Sequence[Entry], named: Entry) -> float:
    """Return the number of conflicts if `named` is undone without the other battles in `entries`.

    The number is infinite if there is no other battle, or if `named` cannot be undone alone.
    """
    ids = {entry.id for entry in entries if entry.kind in BATTLES}
    if named.id not in ids or len(ids) == 1:
        return inf
    try:
        undo_operation(books, ledger, with_aftermath(ledger, [named]), "", force=False)
    except NeedsUmpire as error:
        return len(error.conflicts)
    except InvalidInput:
        return inf
    return 0


def alone_hint(entries: Sequence[Entry], named: Entry) -> Conflict:
    """Return the advice to undo one battle without the other battles of its command."""
    battles = [entry.id for entry in entries if entry.kind in BATTLES and entry.id != named.id]
    return Conflict(
        f"the same command recorded {first_few(battles)}, so they are undone too; to undo battle {named.id} "
        f"alone, use: cardbattle campaign undo {named.id} --only"
    )


def undone_with(ledger: Ledger, named: Entry, label: str, *, only: bool = False) -> list[Entry]:
    """Return the entries that are undone with an entry, which `label` names if it is not empty.

    With `only`, these are the entry and its aftermath. Raises UsageError if the entry is then not a battle.
    """
    if only and (not label or named.kind not in BATTLES):
        what = f"{quoted(label)} is an entry of kind {named.kind}; " if label else ""
        raise UsageError(f"--only: {what}name a battle that has a result")
    if only:
        return with_aftermath(ledger, [named])
    if label and named.kind in PHASE_KINDS:
        return [named]
    return with_aftermath(ledger, group_of(ledger, named))


def with_missed_deadlines(ledger: Ledger, entries: Sequence[Entry]) -> list[Entry]:
    """Return these entries, and those about the missed deadlines that an undone phase has acted on.

    Late orders and retreats can be taken again after the undo, and the next `campaign advance` decides again
    what came too late.
    """
    undone_now = {entry.revision for entry in entries}
    missed = [
        entry
        for entry in [*missing_orders(ledger, entries), *missing_retreats(ledger, entries)]
        if entry.revision not in undone_now
    ]
    return sorted([*missed, *entries], key=lambda entry: entry.revision)


def missing_orders(ledger: Ledger, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries which say that orders for an undone movement came too late."""
    moved = next((entry.revision for entry in entries if entry.kind == MOVEMENT), None)
    if moved is None:
        return []
    earlier = standing_since_turn(ledger, moved - 1)[0]
    return [entry for entry in earlier if entry.kind == MISSED and not entry.id]


def missing_retreats(ledger: Ledger, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries which say that the choices for undone retreats came too late."""
    retreats = {
        change.key: entry.revision
        for entry in entries
        if entry.kind == AFTERMATH
        for change in entry.changes
        if change.key[2:] == ("retreat",)
    }
    if not retreats:
        return []
    earlier = standing_since_turn(ledger, min(retreats.values()) - 1)[0]
    last = {change.key: entry for entry in earlier for change in entry.changes if change.key in retreats}
    return [entry for entry in last.values() if entry.kind == MISSED]


def with_aftermath(ledger: Ledger, entries: Sequence[Entry]) -> list[Entry]:
    """Return these entries and the aftermath of their battles. The entries must be in order.

    Undone entries are left out. So is an earlier aftermath if an undo among the entries took back the first
    result of its battle, which is valid again without them. Captured places and exchanged prisoners are also
    left out, because they have entries of their own.
    """
    battles = {entry.id for entry in entries if entry.kind in BATTLES}
    restored = {
        ledger.heads.ids[revision - 1]
        for entry in entries
        if entry.kind == "undo"
        for revision in entry.undoes
    }
    revisions = {entry.revision for entry in entries}
    later = ledger.heads.revisions((AFTERMATH,), ledger.whole_entries) if battles else []
    followed = [
        entry_today(ledger, revision)
        for revision in later
        if (revision > entries[-1].revision or ledger.heads.ids[revision - 1] not in restored)
        and ledger.heads.ids[revision - 1] in battles
        and revision not in ledger.undone_revisions
        and revision not in revisions
    ]
    return sorted([*entries, *followed], key=lambda entry: entry.revision)


def undo_turn(
    books: CampaignFile,
    ledger: Ledger,
    reason: str = "",
    *,
    force: bool = False,
    kinds: Collection[str] = TURN_KINDS,
) -> Operation:
    """Return the operation that undoes the turn, which is everything recorded since its first phase.

    With `kinds`, the operation undoes only the entries since the first one of these kinds.

    If the present turn has no such entry, the operation undoes the beginning of this turn and the previous
    turn. Manual edits of the file and sealed dice are kept. Raises the errors of `undo`.
    """
    check_force(force, reason)
    entries = entries_since(ledger, kinds)
    if not entries:
        raise InvalidInput("neither this turn nor the one before has such a phase; there is nothing to undo")
    entries = with_missed_deadlines(ledger, entries)
    operation = undo_operation(books, ledger, entries, reason, force)
    return operation._replace(notes=[*entries_to_skip(ledger, entries[-1]), *operation.notes])


def entries_since(ledger: Ledger, kinds: Collection[str]) -> list[Entry]:
    """Return the entries that an undo can take back, from the first one in the turn of one of these kinds.

    If the present turn has no phase yet, the entries begin in the previous turn.
    """
    current, begin = standing_since_turn(ledger, ledger.whole_entries)
    if begin is None or from_first(current, TURN_KINDS):
        return from_first(current, kinds)
    before = from_first(standing_since_turn(ledger, begin.revision - 1)[0], kinds)
    return [*before, begin, *current] if before or kinds == TURN_KINDS else []


def standing_since_turn(ledger: Ledger, last: int) -> tuple[list[Entry], Entry | None]:
    """Return a pair: the entries of a turn that an undo can take back, and the entry that began the turn.

    Only entries up to the revision `last` are considered. The second item is None if the turn began before
    the ledger.
    """
    entries: list[Entry] = []
    for revision in range(last, 0, -1):
        kind = ledger.heads[revision - 1].kind
        if kind in (*TURNS, *SEALING, edits.KIND) or revision in ledger.undone_revisions:
            continue
        entry = entry_today(ledger, revision)
        if any(change.key == ("turn",) for change in entry.changes):
            return entries[::-1], entry
        entries.append(entry)
    return entries[::-1], None


def from_first(entries: Sequence[Entry], kinds: Collection[str]) -> list[Entry]:
    """Return the entries from the first entry of one of these kinds."""
    return list(dropwhile(lambda entry: entry.kind not in kinds, entries))


def undoable(ledger: Ledger, label: str) -> Entry:
    """Return the entry to undo.

    Raises InvalidInput if no such entry exists, or if the entry is a manual edit.
    """
    heads_left = [
        revision
        for revision, head in enumerate(islice(ledger.heads, ledger.whole_entries), 1)
        if head.kind not in (*TURNS, *SEALING)
        and revision not in ledger.undone_revisions
        and (label in ("", str(revision)) or (label == head.id and head.kind not in (AFTERMATH, STORY)))
    ]
    if label and heads_left and ledger.heads[heads_left[-1] - 1].kind == edits.KIND:
        raise InvalidInput(
            f"revision {label} records a manual edit; change it back in the file, or with adjust"
        )
    heads_left = [revision for revision in heads_left if ledger.heads[revision - 1].kind != edits.KIND]
    if not heads_left:
        raise InvalidInput(nothing_to_undo(ledger, label))
    return entry_today(ledger, heads_left[-1])


def entries_to_skip(ledger: Ledger, last: Entry) -> list[str]:
    """Return notes about later entries that an undo of the last command skips."""
    later = range(last.revision + 1, ledger.whole_entries + 1)
    kinds = {revision: ledger.heads[revision - 1].kind for revision in later}
    sealed = [entry_label(ledger.entry(revision)) for revision in later if kinds[revision] in SEALING]
    typed = [f"revision {revision}" for revision in later if kinds[revision] == edits.KIND]
    notes = []
    if sealed:
        notes.append(f"not undone: {first_few(sealed)}; sealed and revealed draws cannot be undone")
    if typed:
        notes.append(f"not undone: {first_few(typed)}, your own changes to the file; change them back there")
    return notes


def first_few(items: Sequence[str]) -> str:
    """Join the first three items, and add the number of further items."""
    return listed([*items[:3], f"{len(items) - 3} more"] if len(items) > 4 else items)


def nothing_to_undo(ledger: Ledger, label: str) -> str:
    """Return the reason why the named battle or revision cannot be undone.

    Without a name, the reason is that there is nothing to undo.
    """
    if not label:
        return "there is nothing to undo"
    heads = ledger.heads[: ledger.whole_entries]
    if label.isdecimal():
        return revision_not_undone(heads, label)
    ids = dict.fromkeys(head.id for head in heads if head.id and head.kind not in SEALING)
    if label in ids:
        return f"{quoted(label)} is already undone"
    return f"there is no {quoted(label)} to undo{nearest(label, ids)}"


def revision_not_undone(heads: Sequence[Head], revision: str) -> str:
    """Return the reason why a revision cannot be undone. The revision is given as digits."""
    kinds = {str(number): head.kind for number, head in enumerate(heads, 1)}
    if revision not in kinds:
        return f"there is no revision {revision[:20]}; the last is {len(heads)}"
    kind = kinds[revision]
    if kind in SEALING:
        return f"revision {revision} is about sealed dice, which cannot be undone"
    if kind == "undo":
        return f"revision {revision} undid other entries; campaign redo redoes what was undone last"
    if kind == "redo":
        return f"revision {revision} redid other entries; name one of those"
    return f"revision {revision} is already undone"


def group_of(ledger: Ledger, entry: Entry) -> list[Entry]:
    """Return the valid entries that were recorded together with this entry."""
    i, n = entry.part
    revisions = range(entry.revision - i + 1, entry.revision - i + n + 1)
    return [
        entry_today(ledger, revision) for revision in revisions if revision not in ledger.undone_revisions
    ]


def undo_operation(
    books: CampaignFile, ledger: Ledger, entries: Sequence[Entry], reason: str, force: bool
) -> Operation:
    """Return the operation that undoes entries. Raises NeedsUmpire with all obstacles."""
    undone_now = {entry.revision for entry in entries}
    later = [
        entry
        for entry in span_today(ledger, entries[0].revision + 1, ledger.whole_entries)
        if entry.revision not in undone_now
    ]
    changes = merge_changes(change for entry in reversed(entries) for change in undone(entry.changes))
    refuse_remains(books, changes)
    changes = [change for change in changes if not is_still_used(books, change, changes)]
    new = {change.key for change in changes if is_table(change.key)}
    first = first_revisions(entries)
    steps = [
        undo_change(
            books,
            ledger,
            change,
            [entry for entry in later if entry.revision > first.get(change.key, 0)],
            is_new=change.key[:2] in new,
        )
        for change in changes
    ]
    hurdles = [step.hurdle for step in steps if step.hurdle]
    if hurdles and not force:
        raise NeedsUmpire(
            [Conflict(f"{hurdle}; undo it anyway with --force --reason TEXT") for hurdle in hurdles]
        )
    replaced = {step.change.key[1] for step in steps if step.hurdle and is_battle(step.change.key)}
    changes = [without_reports_of(step.change, replaced) for step in steps]
    changes = [change for change in changes if not same(change.before, change.after)]
    idle = [change for change in changes if is_idle_order(books, change, changes, later)]
    changes = [change for change in changes if change not in idle]
    if not any(map(is_rename, changes)):
        changes.sort(key=lambda change: is_unit(change.key))  # a sum of units changes with the first of them
    changes = balanced(books.source.data, changes)
    name = entries[0].id if len({entry.id for entry in entries}) == 1 else ""
    revisions = [entry.revision for entry in entries]
    lines = restoring_hunks(books, entries)
    entry = Entry(
        0,
        "undo",
        changes,
        id=name,
        undoes=revisions,
        forced=hurdles,
        reason=reason,
        lines=lines,
    )
    notes = [step.note for step in steps if step.note]
    notes += [f"order of {change.key[1]} not restored: the force is destroyed or removed" for change in idle]
    return Operation(entry, notes=notes, keeps_lines=True)


def first_revisions(entries: Iterable[Entry]) -> dict[Key, int]:
    """Return the revision of the first of these entries that changed each value."""
    first: dict[Key, int] = {}
    for entry in entries:
        for change in entry.changes:
            first.setdefault(change.key, entry.revision)
    return first


def is_idle_order(
    books: CampaignFile, change: Change, changes: Sequence[Change], later: Sequence[Entry]
) -> bool:
    """Return True for the order of a force that a later entry destroyed or removed.

    If these changes bring the force back, the order is not idle.
    """
    if len(change.key) != 2 or change.key[0] != ORDERS or change.after is None or not change.key[1]:
        return False
    force = ("forces", change.key[1])
    fates = (force, (*force, "destroyed"))
    if not any(each.key in fates for entry in later for each in entry.changes):
        return False
    after = {each.key: each.after for each in changes}
    now, is_destroyed = (after.get(key, value_at(books.source.data, key)) for key in fates)
    return now is None or is_destroyed is True


def without_reports_of(change: Change, battles: Collection[str]) -> Change:
    """Return a change that restores no reports of battles whose ids other battles now have."""
    if change.key != (REPORTED,) or not battles or not isinstance(change.after, list):
        return change
    current = change.before if isinstance(change.before, list) else []
    left = [table for table in change.after if table in current or table.get("battle") not in battles]
    return change._replace(after=left or None)


def restoring_hunks(books: CampaignFile, entries: Sequence[Entry]) -> list[Hunk]:
    """Return the hunks that restore the lines of the file to their state before these entries.

    Entries without lines, such as battles, are undone by their values. The result is empty if no entry has
    lines, or if some lines no longer match the file. In this case, all entries are undone by their values.
    """
    if not any(entry.lines for entry in entries):
        return []
    text: str | None = books.source.text
    for has_lines, group in groupby(reversed(entries), lambda entry: bool(entry.lines)):
        if text is None:
            return []
        if has_lines:
            text = apply_hunks(text, [hunk for entry in group for hunk in reverse_hunks(entry.lines)])
            continue
        changes = merge_changes(change for entry in group for change in undone(entry.changes))
        try:
            text = edit_text(parse_text(books.source.name, text), changes, books.campaign.revision)
        except (InvalidInput, NeedsUmpire):
            return []
    return hunks_of_edit(books.source.text, text, books.campaign.revision) if text is not None else []


def refuse_remains(books: CampaignFile, changes: Sequence[Change]) -> None:
    """Raise InvalidInput if a faction, force or place to remove has keys that the changes do not remove."""
    for change in changes:
        if is_table(change.key) and change.after is None and not is_rename(change):
            table = value_at(books.campaign.data, change.key[:1])
            assert isinstance(table, dict)
            keys = {
                other_change.key[2]
                for other_change in changes
                if other_change.key[:2] == change.key and len(other_change.key) >= 3
            }
            more = [word for word in table.get(change.key[1], {}) if word not in keys]
            if more:
                raise InvalidInput(
                    f"{dotted_key(change.key)} would be removed, but it now has {listed(more)}; "
                    "delete that from campaign.toml first"
                )


def is_still_used(books: CampaignFile, change: Change, changes: Sequence[Change]) -> bool:
    """Return True if a settings table to remove still has keys that the changes do not remove."""
    if not is_presence(change.key) or change.after is not None:
        return False
    path = change.key[:-1]
    table = table_at(books.source.data, path)
    covered = {each.key[len(path)] for each in changes if each.key[: len(path)] == path}
    return isinstance(table, dict) and any(word not in covered for word in table)


class Step(NamedTuple):
    """A step of an undo, which restores one value."""

    change: Change
    note: str = ""
    hurdle: str = ""


def undo_change(
    books: CampaignFile, ledger: Ledger, change: Change, later: Sequence[Entry], *, is_new: bool = False
) -> Step:
    """Return the step that undoes one change of a value.

    `change` is the change from the new value back to the old one. `later` are the entries recorded after that
    change. With `is_new`, the whole table is removed or restored, so a number is set to its old value.
    """
    current = value_at(books.source.data, change.key)
    if is_rename(change):
        return key_back(books, change, later)
    if is_battle(change.key):
        decided = [entry for entry in later if touches(entry, change.key) and is_decision(ledger, entry)]
        return battle_back(as_taken_out(change, later), current, decided)
    if is_presence(change.key):
        return Step(change._replace(before=current))
    if isinstance(change.before, list) or isinstance(change.after, list):
        return list_back(change, current)
    step = change._replace(before=current)
    deciders = [entry for entry in later if touches(entry, change.key)]
    standing = [entry for entry in deciders if is_decision(ledger, entry)]
    if is_tally(change.key) and type(current) is int and not is_new:
        typed = [entry for entry in standing if entry.kind == edits.KIND]
        return tally_back(change, current, typed)
    if not standing and same(current, change.before):
        return Step(step)
    if current is None and not is_there(books, change.key):
        return Step(change._replace(after=None, before=None), hurdle=f"{dotted_key(change.key[:-1])} is gone")
    by = (standing or deciders)[-1:]
    return Step(step, hurdle=later_decision(change.key, current, by))


def as_taken_out(change: Change, later: Sequence[Entry]) -> Change:
    """Return the change that restores a battle, with the lines that the battle had when a redo removed it."""
    redone = [
        change_made
        for entry in later
        if entry.kind == "redo"
        for change_made in entry.changes
        if change_made.key == change.key and same(change_made.before, change.after)
    ]
    return (
        change._replace(text=redone[-1].text, place=redone[-1].place, line=redone[-1].line)
        if redone
        else change
    )


def key_back(books: CampaignFile, change: Change, later: Sequence[Entry]) -> Step:
    """Return the step that restores the former key of a faction, force or place."""
    rename = rename_of(change)
    if value_at(books.source.data, (rename.table, rename.old)) is not None:
        return Step(change)
    by = [
        entry
        for entry in later
        for later_change in entry.changes
        if is_rename(later_change) and later_change.before == rename.old
    ]
    hurdle = f"{dotted_key(rename[:2])} is gone"
    if by:
        hurdle += f", by {entry_label(by[0])}; undo that first (campaign undo {by[0].revision})"
    return Step(change._replace(after=change.before), hurdle=hurdle)


def battle_back(change: Change, current: object, later: Sequence[Entry]) -> Step:
    """Return the step that restores a pending battle, or removes it again.

    `later` are the later entries that decided or changed the battle and are still valid.
    """
    if same(current, change.before):
        return Step(change)
    text = f"battle {change.key[1]}"
    by_command = [entry for entry in later if entry.kind != edits.KIND]
    if change.before is not None and by_command:
        entry = by_command[-1]
        verb = "has a result" if entry.result else "was changed" if current else "is not pending"
        text += f" {verb} (revision {entry.revision}); undo that first (campaign undo {entry.revision})"
    elif current is None:
        text += " is not pending any more"
    else:
        text += " is pending again with different content; give it another id, or remove it"
    return Step(change._replace(before=current, after=current), hurdle=text)


def list_back(change: Change, current: object) -> Step:
    """Return the step that restores removed items of a list and removes added items. Other items stay."""
    if same(current, change.before):
        return Step(change)
    left = copy.deepcopy(current) if isinstance(current, list) else []
    before, after = (value if isinstance(value, list) else [] for value in (change.before, change.after))
    steps = SequenceMatcher(None, list(map(repr, before)), list(map(repr, after)), autojunk=False)
    for tag, start, stop, low, high in reversed(steps.get_opcodes()):
        place = start
        for item in before[start:stop] if tag != "equal" else []:
            if item not in left:
                text = f"{dotted_key(change.key)} no longer has {quoted(item)}"
                return Step(change._replace(before=current, after=current), hurdle=text)
            place = left.index(item)
            left.pop(place)
        if tag != "equal":
            left[place:place] = after[low:high]
    return Step(change._replace(before=current, after=left or change.after))


def tally_back(change: Change, current: int, typed: Sequence[Entry]) -> Step:
    """Return the step that reverses a change of a number. `typed` are its later manual edits."""
    after, before = number_or_zero(change.before), number_or_zero(change.after)
    if current == after and not typed:
        return Step(change)
    difference = after - before
    left = current - difference
    if change.key[0] == "forces":
        left = max(left, 0)
    sign = "-" if difference >= 0 else "+"
    text = f"{dotted_key(change.key)}: {current} {sign} {abs(difference)} = {left}"
    text += " (never below 0)" if left != current - difference else ""
    step = change._replace(before=current, after=left)
    return Step(step, text, later_decision(change.key, current, typed[-1:]) if typed else "")


def number_or_zero(value: object) -> int:
    return value if isinstance(value, int) else 0


def is_tally(key: Key) -> bool:
    """Return True if undoing an entry changes this number by the difference that the entry made."""
    return is_unit(key) or (len(key) == 3 and (key[0], key[2]) in TALLIES)


def is_there(books: CampaignFile, key: Key) -> bool:
    """Return True if the campaign has the table to which this value belongs."""
    return value_at(books.source.data, key[:-1]) is not None


def touches(entry: Entry, key: Key) -> bool:
    """Return True if an entry changed the value at a key.

    A battle for a place counts as a change of the place's owner.
    """
    return prize_of(entry) == key or any(change.key == key for change in entry.changes)


def is_decision(ledger: Ledger, entry: Entry) -> bool:
    """Return True if an entry is valid and is not an undo or redo."""
    return entry.kind not in TURNS and entry.revision not in ledger.undone_revisions


def later_decision(key: Key, current: object, by: Sequence[Entry]) -> str:
    """Return a sentence about the later decision of a value, with advice."""
    text = f"{dotted_key(key)} is now {value_text(current)}"
    if not by:
        return f"{text}; correct it with adjust"
    entry = by[0]
    if entry.kind == edits.KIND:
        return f"{text}, changed by hand since (revision {entry.revision})"
    return f"{text}, by {entry_label(entry)}; undo that first (campaign undo {entry.revision})"


def entry_label(entry: Entry) -> str:
    """Return a label for an entry inside a sentence, such as `battle mill (revision 7)`."""
    return f"{entry.kind} {entry.id}".rstrip() + f" (revision {entry.revision})"


def redo(books: CampaignFile, ledger: Ledger, reason: str = "") -> Operation:
    """Return the operation that redoes the last undone command.

    Raises NeedsUmpire if a later entry decided the same battle, force or value. Raises InvalidInput if there
    is nothing to redo, or if the campaign would no longer be valid.
    """
    if not ledger.undos:
        raise InvalidInput("there is nothing to redo")
    last = entry_today(ledger, ledger.undos[-1])
    concerns = {
        *about(last),
        *(key for revision in last.undoes for key in about(entry_today(ledger, revision))),
    }
    for entry in span_today(ledger, last.revision + 1, ledger.whole_entries):
        shared = [key for key in about(entry) if key in concerns]
        if shared and is_decision(ledger, entry):
            raise NeedsUmpire(in_the_way(last, entry, shared))
    changes = undone(last.changes)
    books.campaign.after(changes)
    lines = reverse_hunks(last.lines)
    entry = Entry(0, "redo", changes, id=last.id, undoes=last.undoes, reason=reason, lines=lines)
    return Operation(entry, keeps_lines=True)


def undos_together(ledger: Ledger) -> int:
    """Return the number of undos that the command of the last undo recorded and that are not redone.

    The number is 1 for a command that recorded something else too, such as an override.
    """
    last = ledger.undos[-1]
    number, count = ledger.heads.part(last - 1)
    together = range(last - number + 1, last - number + count + 1)
    if any(ledger.heads.kinds[revision - 1] != "undo" for revision in together):
        return 1
    return len({*together}.intersection(ledger.undos))


def about(entry: Entry) -> Iterator[Key]:
    """Yield the keys that an entry concerns.

    These are its battle, its forces, the place at stake, and each changed value and force.
    """
    if entry.result is not None:
        yield ("pending", entry.id)
    for force in forces_in(entry):
        yield ("forces", force)
    prize = prize_of(entry)
    if prize is not None:
        yield prize
    for change in entry.changes:
        yield change.key
        if change.key[0] == "forces":
            yield change.key[:2]


def in_the_way(last: Entry, entry: Entry, shared: Sequence[Key]) -> str:
    """Return the reason why the last undone command cannot be redone."""
    label = last.id or listed([f"revision {revision}" for revision in last.undoes])
    text = f"{label} was undone (revision {last.revision}); {entry_label(entry)} has since decided"
    paths = listed(dict.fromkeys(dotted_key(key) for key in shared[:3]))
    if entry.kind == edits.KIND:
        return f"{text} {paths} by hand; fight, import or override it again"
    first_undo = f"undo that first (campaign undo {entry.revision})"
    return f"{text} {paths}; {first_undo}, or decide it again"


def override(
    books: CampaignFile,
    ledger: Ledger,
    battle: str,
    result: Result,
    reason: str,
    *,
    force: bool = False,
    units: Mapping[str, Mapping[str, int]] | None = None,
) -> list[Operation]:
    """Return the operations that decide a battle by the umpire's ruling.

    A recorded battle is undone first, with its aftermath, and the ruling uses the forces after that undo. The
    aftermath of an earlier turn stays if the ruling has the same winners and destroys the same forces; losses
    are then shares of the strengths at that time. `units` has the losses of named units, by side. Raises
    UsageError if no reason is given, InvalidInput if the battle is unknown, and NeedsUmpire if a later entry
    is in the way and `force` is False.
    """
    if not reason:
        raise UsageError("override needs --reason TEXT: the ledger keeps why")
    decreed = BattleResult(battle, result, result_digest(battle, result), kind="override", units=units or {})
    found = ledger.find(battle)
    if found is None:
        return [battle_operation(books.campaign, ledger, decreed, [], reason)]
    recorded = in_todays_keys(ledger, found)
    if has_same_winners(ledger, recorded, result):
        operation = undo_operation(books, ledger, [recorded], reason, force)
        after = ruling_at_that_time(
            books.campaign.after(operation.entry.changes), ledger, recorded, decreed, reason
        )
        if forces_destroyed(after.entry) == forces_destroyed(recorded):
            return [operation, after]
    operation = undo_operation(books, ledger, with_aftermath(ledger, [recorded]), reason, force)
    campaign = books.campaign.after(operation.entry.changes)
    return [operation, battle_operation(campaign, ledger, decreed, [], reason)]


def has_same_winners(ledger: Ledger, recorded: Entry, result: Result) -> bool:
    """Return True if a battle of an earlier turn was fought, and the same sides win it in a new result."""
    is_past = turn_of(ledger, recorded.revision) is not None and recorded.kind != DECLINED
    return is_past and recorded.result is not None and {*recorded.result.winners} == {*result.winners}


def forces_destroyed(entry: Entry) -> set[str]:
    return {change.key[1] for change in entry.changes if change.key[2:] == ("destroyed",) and change.after}


def ruling_at_that_time(
    campaign: Campaign, ledger: Ledger, recorded: Entry, decreed: BattleResult, reason: str
) -> Operation:
    """Return the operation of a ruling about a recorded battle, with losses from the strengths at that time.

    `campaign` is the campaign without the recorded result. Later gains and losses of the forces stay.
    """
    gains = gains_since(ledger, recorded)
    then = [Change(key, now, now - gain) for key, gain in gains.items() if (now := number_at(campaign, key))]
    operation = battle_operation(campaign.after(then), ledger, decreed, [], reason)
    changes = [shifted(change, gains.get(change.key, 0)) for change in operation.entry.changes]
    return operation._replace(entry=operation.entry._replace(changes=balanced(campaign.data, changes)))


def gains_since(ledger: Ledger, recorded: Entry) -> dict[Key, int]:
    """Return by how much the strengths of a battle's forces and units have grown since it was recorded."""
    forces, gains = forces_in(recorded), dict[Key, int]()
    for revision in range(recorded.revision + 1, ledger.whole_entries + 1):
        if revision in ledger.undone_revisions or ledger.heads.kinds[revision - 1] in TURNS:
            continue
        for change in entry_today(ledger, revision).changes:
            key = change.key
            if (is_strength(key) or is_unit(key)) and key[1] in forces:
                gain = number_or_zero(change.after) - number_or_zero(change.before)
                gains[key] = gains.get(key, 0) + gain
    return {key: gain for key, gain in gains.items() if gain}


def number_at(campaign: Campaign, key: Key) -> int:
    return number_or_zero(value_at(campaign.data, key))


def shifted(change: Change, gain: int) -> Change:
    """Return a change of a number that has grown by `gain` in the meantime."""
    if not gain:
        return change
    before, after = number_or_zero(change.before) + gain, max(number_or_zero(change.after) + gain, 0)
    return change._replace(before=before, after=after)
