"""Operations on a campaign, as pure functions that return the changes to record.

The functions do not read or write files. The caller can commit an operation with the store, or only show it.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from cardbattle.campaign.ledger.battle_match import beside, differences_in_words, name_differences, unlike
from cardbattle.campaign.ledger.history import force_today
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state import file_editing
from cardbattle.campaign.state.apply import DECLINED, Result, apply, decline
from cardbattle.campaign.state.battle_result import (
    BattleResult,
    casualties_of,
    is_of_the_program,
    result_digest,
    side_result_text,
)
from cardbattle.campaign.state.battle_setup import Difference
from cardbattle.campaign.state.changes import (
    PENDING,
    REPORTED,
    Change,
    apply_changes,
    is_battle,
    is_strength,
    merge_changes,
    old_reports,
    same,
    value_at,
    value_text,
    with_units,
)
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.state.model import Campaign, Pending, missing, read_campaign
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.grammar import choose_form, is_plural, with_verb
from cardbattle.core.names import listed, quoted
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import Source, parse_text, parse_toml


class CampaignFile(NamedTuple):
    """A campaign that was read from its folder."""

    folder: str
    source: Source
    campaign: Campaign

    def __repr__(self) -> str:
        return f"<CampaignFile {self.source.name} in {self.folder}: revision {self.campaign.revision}>"


@lru_cache(maxsize=4)
def parse_campaign(folder: str, name: str, raw: bytes) -> CampaignFile:
    """Parse the bytes of a campaign file.

    A command parses the same bytes several times, for example before and while it holds the lock. The last
    campaigns are therefore cached. Raises InvalidInput, which lists all errors with their lines.
    """
    source = parse_toml(name, raw)
    try:
        return CampaignFile(folder, source, read_campaign(source.data, folder))
    except InvalidInput as error:
        source.refuse(error.errors)


class Operation(NamedTuple):
    """A change to record.

    It consists of a ledger entry without a number, and the record of the battle if any.

    `notes` are remarks for the umpire. With `keeps_lines`, the ledger keeps the changed lines of the file, so
    that an undo restores every byte. An entry whose `lines` are already set restores those lines instead.
    """

    entry: Entry
    record: str = ""
    notes: list[str] = []
    keeps_lines: bool = False

    def __repr__(self) -> str:
        return f"<Operation {self.entry!r}>"


class ImportPlan(NamedTuple):
    """The operations of an import, the battles `known` before it, and `notes` for the umpire."""

    operations: list[Operation]
    known: list[str]
    notes: list[str]


Doubt = Callable[[Campaign, Pending, BattleResult], list[Difference]]  # what cannot be reproduced


def no_doubt(campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
    """Return no differences, because this program has just fought the battle itself."""
    return []


def plan_import(
    books: CampaignFile,
    ledger: Ledger,
    battles: Sequence[BattleResult],
    *,
    force: bool = False,
    reason: str = "",
    doubt: Doubt = no_doubt,
) -> ImportPlan:
    """Return the operations that record these battles, one after the other.

    Battles that are already recorded are skipped. Three things need the umpire: an id that is recorded with
    another result, a difference from the export, and a difference that `doubt` reports. `force` overrides the
    last two, and the reason is stored.

    Raises NeedsUmpire, which lists everything that needs the umpire, InvalidInput if a battle is not
    pending or recorded, and UsageError if `force` is given without a reason.
    """
    check_force(force, reason)
    import_plan = ImportPlan([], [], [])
    undecided: list[Conflict] = []
    campaign = books.campaign
    for battle in battles:
        entry = entry_of_battle(ledger, import_plan.operations, battle)
        if entry is not None:
            import_plan.known.append(battle.id)
            if not is_the_same(entry, battle):
                undecided.append(clash(campaign, entry, battle))
            continue
        forced = conflicts(books.campaign, campaign, battle, doubt)
        if forced and not force:
            text = f"battle {battle.id} does not fit: {differences_in_words(forced)}"
            more = (
                hint_for_rename(campaign, ledger, battle) or "to apply it anyway, use --force --reason TEXT"
            )
            undecided.append(Conflict(f"{text}; {more}", beside(forced)))
        import_plan.notes.extend(notes_on(campaign, battle))
        operation = battle_operation(
            campaign, ledger, battle, [difference.words for difference in forced], reason
        )
        import_plan.operations.append(operation)
        campaign = campaign.after(operation.entry.changes)
    if undecided:
        raise NeedsUmpire(undecided)
    return import_plan


def hint_for_rename(campaign: Campaign, ledger: Ledger, battle: BattleResult) -> str:
    """Return what to write in a form for forces that had another key when it was made, or ""."""
    if battle.log is not None:
        return ""
    missing_forces = [key for key in table_or_empty(battle.bound.get("forces")) if key not in campaign.forces]
    today = {key: force_today(ledger, key, 0) for key in missing_forces}
    renamed = [f"{new} instead of {old}" for old, new in today.items() if new in campaign.forces]
    return f"a key was renamed; write {listed(renamed)} everywhere in the file" if renamed else ""


def check_force(force: bool, reason: str) -> None:
    """Raise UsageError if `force` is given without a reason."""
    if force and not reason:
        raise UsageError("--force needs --reason TEXT: the ledger keeps why")


def entry_of_battle(ledger: Ledger, operations: Sequence[Operation], battle: BattleResult) -> Entry | None:
    """Return the entry that records a battle, from the ledger or from the operations.

    Returns None if no entry records the battle.
    """
    ours = next((operation.entry for operation in operations if operation.entry.id == battle.id), None)
    return ours or ledger.find(battle.id)


def is_the_same(entry: Entry, battle: BattleResult) -> bool:
    """Return True if `entry` records this battle.

    An equal digest alone is not enough, as it can be forged.
    """
    if entry.result is None:
        return entry.digest == battle.digest
    bare = result_digest(battle.id, battle.result)
    return same_result(entry.result, battle.result) and (
        entry.digest == battle.digest or bare in (entry.digest, battle.digest)
    )


def same_result(result: Result, other: Result) -> bool:
    """Return True if two results are equal. The order of the sides does not matter."""
    return sorted(result.winners) == sorted(other.winners) and result.sides == other.sides


def clash(campaign: Campaign, entry: Entry, battle: BattleResult) -> Conflict:
    """Return the conflict of a battle that is already recorded with another result. It shows both results."""
    message = f"battle {battle.id} is given twice, with another result; keep one of the two"
    if entry.revision:
        message = (
            f"battle {battle.id} is recorded as revision {entry.revision}, with another result; "
            f"to change it: cardbattle campaign override {battle.id}, "
            f"or first: cardbattle campaign undo {battle.id} --only"
        )
    before, current = entry.result or Result([], {}), battle.result
    rows = [
        [
            "won by",
            *(
                listed(map(campaign.display_name, version.winners)) or "nobody"
                for version in (before, current)
            ),
        ]
    ]
    for key in dict.fromkeys([*before.sides, *current.sides]):
        lost = [side_result_text(version.sides.get(key)) for version in (before, current)]
        rows.append([campaign.display_name(key), *lost])
    return Conflict(message, [["", "recorded" if entry.revision else "first", "this one"], *rows])


def notes_on(campaign: Campaign, battle: BattleResult) -> list[str]:
    """Return remarks for the umpire about a battle to record."""
    pending = campaign.battle(battle.id)
    notes = [*battle.notes, *(name_differences(campaign, pending, battle) if pending else [])]
    if battle.kind == "import" and not battle.record and not is_of_the_program(battle):
        notes.append(f"battle {battle.id} cannot be verified: it has no record")
    if not battle.bound:
        notes.append(f"battle {battle.id} is matched by its id only: its forces are unknown")
    return notes


def conflicts(at_start: Campaign, current: Campaign, battle: BattleResult, doubt: Doubt) -> list[Difference]:
    """Return the differences from the pending battle, and the parts that cannot be reproduced.

    Battles that are applied together may all have been fought with the current forces.
    """
    pending, campaign = current.battle(battle.id), current
    if pending is None:
        return []
    differences = unlike(current, pending, battle)
    if differences and current is not at_start:
        campaign, pending = at_start, at_start.battle(battle.id) or pending
        differences = unlike(at_start, pending, battle)
    return differences + doubt(campaign, pending, battle)


def battle_operation(
    campaign: Campaign, ledger: Ledger, battle: BattleResult, forced: list[str], reason: str
) -> Operation:
    """Return a battle's operation. Raises InvalidInput if its result cannot be applied."""
    if battle.kind == DECLINED:
        decliners = [key for key in battle.result.sides if key not in battle.result.winners]
        return decline_battle(campaign, battle.id, decliners, reason)
    entry = Entry(
        0,
        battle.kind,
        apply(campaign, battle.id, battle.result, casualties_of(campaign, battle)),
        id=battle.id,
        record=record_name(ledger, battle.id) if battle.record else "",
        digest=battle.digest,
        result=battle.result,
        forced=forced,
        reason=reason,
        text=battle.story,
    )
    return Operation(entry, battle.record)


def decline_battle(campaign: Campaign, battle: str, sides: Sequence[str], reason: str = "") -> Operation:
    """Return the operation which records that these sides decline a pending battle.

    Raises the errors of `decline`.
    """
    result, changes = decline(campaign, battle, sides)
    digest = result_digest(battle, result)
    return Operation(Entry(0, DECLINED, changes, battle, digest=digest, result=result, reason=reason))


def record_name(ledger: Ledger, battle: str) -> str:
    """Return an unused file name for a battle's record. The record of an undone battle keeps its name."""
    name, number = f"records/{battle}.toml", 1
    while name in ledger.records:
        number += 1
        name = f"records/{battle}.{number}.toml"
    return name


NOT_ADJUSTED = (PENDING, "revision", "format", "assert")


def adjust(books: CampaignFile, key: str, value: str, reason: str = "") -> Operation:
    """Return the operation that sets one value of campaign.toml, such as `forces.percy.strength`.

    The value is written as in the file, but strings need no quotes. A key that ends in + or -, or a number
    with a sign, is relative: `+=3`, `=+3` and `=-2` add to the current value. The spellings `=+3` and `=-2`
    are deprecated; a note says so.

    Raises UsageError if this value cannot be adjusted, and InvalidInput if the value is already set, its
    force, faction or location does not exist, or the campaign would become invalid.
    """
    key, sign = (key[:-1].rstrip(), key[-1]) if key[-1:] in ("+", "-") else (key, "")
    path = tuple(key.split("."))
    parent = value_at(books.source.data, path[:-1])
    if path[0] in NOT_ADJUSTED or not all(path) or not isinstance(parent, dict | None):
        raise UsageError(f"{quoted(key)} cannot be adjusted; name a value as forces.percy.strength")
    if len(path) == 2 and parent is None:
        below_its_table(path, books.campaign)
    if len(path) > 2 and parent is None:
        unknown(path[0], path[1], books.campaign)
    before = value_at(books.source.data, path)
    has_old_sign = not sign and SIGNED.fullmatch(value) is not None
    after = sum_of(key, before, sign + value) if sign or has_old_sign else value_of(value)
    if isinstance(before, dict | date) or isinstance(after, dict | list | float | date):
        raise UsageError(f"{quoted(key)}: adjust sets one number, text, true or false at a time")
    if same(before, after):
        raise InvalidInput(f"{key} is already {value_text(before)}")
    changes = with_units(books.source.data, [Change(path, before, after)])
    books.campaign.after(changes)
    notes = [old_sign_note(key, value)] if has_old_sign else []
    return Operation(Entry(0, "adjust", changes, reason=reason), notes=notes)


def old_sign_note(key: str, change: str) -> str:
    """Return the note about a deprecated assignment such as `=-5`, which subtracts.

    >>> old_sign_note("turn", "-5")
    'turn=-5 subtracts 5, which is deprecated; write turn-=5, or to set -5: cardbattle campaign set turn=-5'
    """
    sign, number = change[0], change[1:].strip()
    verb, plain = ("subtracts", f"-{number}") if sign == "-" else ("adds", number)
    return (
        f"{key}={change} {verb} {number}, which is deprecated; write {key}{sign}={number}, "
        f"or to set {plain}: cardbattle campaign set {key}={plain}"
    )


def adjust_all(books: CampaignFile, values: Sequence[tuple[str, str]], reason: str = "") -> Operation:
    """Return the operation that sets several values, given as pairs (key, value), in one ledger entry.

    Its notes are those of `adjust` and `strength_notes`. Raises the errors of `adjust`.
    """
    changes: list[Change] = []
    notes: list[str] = []
    for key, value in values:
        operation = adjust(books, key, value)
        changes += operation.entry.changes
        notes += operation.notes
        books = after(books, [operation])
    changes = merge_changes(changes)
    if not changes:
        raise InvalidInput("these values cancel each other, so nothing changes; leave them out")
    notes += strength_notes(books.campaign, changes)
    return Operation(Entry(0, "adjust", changes, reason=reason), notes=notes)


def strength_notes(after: Campaign, changes: Sequence[Change]) -> list[str]:
    """Return a note for each force that stays destroyed with a new strength, or that should be destroyed.

    `after` is the campaign after the changes.
    """
    present = [change for change in changes if is_strength(change.key) and change.key[1] in after.forces]
    ended = {change.key[1] for change in changes if change.key[2:] == ("destroyed",)}
    still = [
        change.key[1]
        for change in present
        if leaves_strength(change) and after.forces[change.key[1]].destroyed and change.key[1] not in ended
    ]
    weak = [change.key[1] for change in present if is_too_weak(after, change.key[1])]
    return [
        *(
            f"{with_verb(name, 'is|are')} still destroyed; "
            f"{revive_command(key, choose_form('it|them', is_plural(name)))}"
            for key, name in ((key, after.display_name(key)) for key in still)
        ),
        *(
            f"{with_verb(after.display_name(key), 'is|are')} not destroyed, {destroy_command(after, key)}"
            for key in weak
        ),
    ]


def is_too_weak(campaign: Campaign, force: str) -> bool:
    """Return True if a battle that leaves a force so weak destroys it, but it is not destroyed."""
    unit = campaign.forces[force]
    return not unit.destroyed and unit.strength < campaign.attrition.destroyed_below


def destroy_command(campaign: Campaign, force: str) -> str:
    """Return the words that say why a force is too weak, and name the command that destroys it."""
    limit = (
        f"although strength {campaign.forces[force].strength} is below {campaign.attrition.destroyed_below}"
    )
    return f"{limit}; to remove it from play: cardbattle campaign set forces.{force}.destroyed=true"


def leaves_strength(change: Change) -> bool:
    """Return True if a change gives a force another strength than 0."""
    return is_strength(change.key) and isinstance(change.after, int) and change.after > 0


def revive_command(force: str, pronoun: str = "it") -> str:
    """Return the words that name the command by which a destroyed force takes part again."""
    return f"to bring {pronoun} back: cardbattle campaign unset forces.{force}.destroyed"


def below_its_table(tokens: Sequence[str], campaign: Campaign) -> None:
    """Raise UsageError for a key without its table, such as `strength` instead of `forces.percy.strength`."""
    tables = [table for table in ("factions", "forces", "locations") if tokens[0] in getattr(campaign, table)]
    if tables:
        meant = listed([f'"{table}.{".".join(tokens)}"' for table in tables], "or")
        raise InvalidInput(f"unknown value {quoted('.'.join(tokens))}; did you mean {meant}?")


def unknown(table: str, key: str, campaign: Campaign) -> None:
    """Raise InvalidInput if a key belongs to something that does not exist.

    Otherwise a typing error would create a new thing. The error suggests the nearest existing key.
    """
    known_values: dict[str, Mapping[str, object]] = {
        "factions": campaign.factions,
        "forces": campaign.forces,
        "locations": campaign.locations,
    }
    if table in known_values and key not in known_values[table]:
        raise InvalidInput(missing(table.removesuffix("s"), key, known_values[table], ()))


SIGNED = re.compile(r"[+-] *[0-9]{1,18}")


def sum_of(key: str, before: object, change: str) -> int:
    """Return the sum of a number and a signed number.

    Raises UsageError if either of them is not a whole number.

    >>> sum_of("forces.percy.strength", 11, "+3"), sum_of("turn", 4, "- 1")
    (14, 3)
    """
    if type(before) is not int and before is not None:
        raise UsageError(f"{quoted(key)} is {value_text(before)}; only a number can be added to")
    if not SIGNED.fullmatch(change):
        raise UsageError(f"{quoted(key)}: expected a whole number to add, got {quoted(change[1:])}")
    return (before or 0) + int(change.replace(" ", ""))


def value_of(text: str) -> object:
    """Parse a value that is written as in a file. Other text is returned as a string.

    >>> value_of("14"), value_of("true"), value_of("york")
    (14, True, 'york')
    """
    try:
        data = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return data["value"] if len(data) == 1 else text


def without_old_reports(data: Mapping[str, object], operations: Sequence[Operation]) -> list[Operation]:
    """Return the operations, which also remove the reports of the battles that they take out of the campaign.

    Otherwise the reports would count for a later battle with the same id. `data` is the campaign's data
    before the operations. If a report is removed, the ledger keeps the changed lines of all operations, so
    that an undo restores every byte.
    """
    if not data.get(REPORTED) and not any(changes_reports(operation.entry) for operation in operations):
        return list(operations)
    complete: list[Operation] = []
    drops_reports = False
    for operation in operations:
        entry = operation.entry
        following = apply_changes(data, entry.changes)
        dropped = old_reports(data, following, is_undo=entry.kind == "undo")
        if dropped is not None:
            drops_reports = True
            entry = entry._replace(changes=merge_changes([*entry.changes, dropped]), lines=[])
            following = apply_changes(following, [dropped])
        complete.append(operation._replace(entry=entry))
        data = following
    return [each._replace(keeps_lines=True) for each in complete] if drops_reports else list(operations)


def changes_reports(entry: Entry) -> bool:
    return any(change.key == (REPORTED,) for change in entry.changes)


def after(books: CampaignFile, operations: Sequence[Operation], revision: int = 0) -> CampaignFile:
    """Return the campaign file after these operations.

    `revision` is the number of the ledger's last entry. Raises InvalidInput if the campaign would be invalid,
    and NeedsUmpire if the file cannot be edited in place.
    """
    if not operations:
        return books
    operations = without_old_reports(books.source.data, operations)
    entries = [operation.entry for operation in operations]
    number = revision or books.campaign.revision
    if keep_lines(operations):
        text = texts_after_each(books.source, entries, number)[-1]
    else:
        changes = merge_changes(change for entry in entries for change in entry.changes)
        text = file_editing.edit_text(books.source, changes, number + len(entries))
    return parse_campaign(books.folder, books.source.name, file_editing.encode_text(books.source, text))


def keep_lines(operations: Sequence[Operation]) -> bool:
    """Return True if the ledger keeps the changed lines of operations that are recorded together."""
    return all(operation.keeps_lines for operation in operations)


def texts_after_each(source: Source, entries: Sequence[Entry], revision: int) -> list[str]:
    """Return the texts of the file after each of these entries, as separate commands would write it.

    `revision` is the number of the last entry before them. Raises NeedsUmpire if the file cannot be edited in
    place.
    """
    texts: list[str] = []
    while len(texts) < len(entries):
        waiting = list(enumerate(entries[len(texts) :], revision + len(texts) + 1))
        battles = takewhile(lambda numbered: changes_only_battles(numbered[1]), waiting)
        added = file_editing.battle_texts(source, [(entry.changes, number) for number, entry in battles])
        number, entry = waiting[0]
        texts += added or [file_editing.edit_text(source, entry.changes, number, entry.lines)]
        if len(texts) < len(entries):
            source = parse_text(source.name, texts[-1])
    return texts


def changes_only_battles(entry: Entry) -> bool:
    """Return True if an entry changes only pending battles and stores no lines for an undo."""
    return not entry.lines and all(is_battle(change.key) for change in entry.changes)


def diff(books: CampaignFile, operations: Sequence[Operation], revision: int = 0) -> str:
    """Return a unified diff of the changes that these operations make to campaign.toml.

    `revision` is the number of the ledger's last entry.
    """
    old, new = books.source, after(books, operations, revision).source
    lines = difflib.unified_diff(
        old.text.splitlines(), new.text.splitlines(), f"a/{old.name}", f"b/{old.name}", lineterm=""
    )
    return "".join(f"{line}\n" for line in lines)
