"""The ledger, history.toml, to which every change of the campaign is appended.

Entries are never rewritten. Each entry contains the old and the new value of everything it changed, and the
hash of the previous entry. This hash chain shows if an entry was removed or altered. The hash covers the
parsed entry, so git and editors can change line ends and spacing, but not the content. An undo is also an
entry. The entries that it undoes stay in the ledger, but they are not called valid any more.

The ledger has an invariant. The `before` of every change is the value that the earlier entries left at its
key, and campaign.toml contains the values that the last entry left.

Source: S. Haber, W. S. Stornetta, How to Time-Stamp a Digital Document, 1991 (hash chain).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

from cardbattle.battles.records.battle_file import canonical
from cardbattle.battles.records.record_reader import read_fraction
from cardbattle.campaign.ledger import entry_parser
from cardbattle.campaign.ledger.ledger_file import LedgerBytes, concurrent_change_error, line_number
from cardbattle.campaign.ledger.ledger_heads import Head, Heads
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.changes import (
    PENDING,
    Change,
    Key,
    dotted_key,
    is_battle,
    is_rename,
    rename_of,
    same,
    split_key,
    value_text,
)
from cardbattle.campaign.state.editing.hunks import Hunk, hunk_of
from cardbattle.campaign.state.editing.layout import inline_value
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.renaming import Rename, rename_in_key, rename_in_value
from cardbattle.core.errors import Diagnostic, UsageError
from cardbattle.core.names import quoted
from cardbattle.files import reader
from cardbattle.files.reader import TableReader

LEDGER_NAME = "history.toml"
SEALING = (
    "seal",
    "promise",
    "open",
    "nonce",
    "reveal",
)  # kinds of entries about sealed dice; undo never removes them
NOTE = "note"  # the kind of entries with a note; the id is the faction that alone may read it, or ""
STORY = "story"  # the kind of entries with the umpire's own story of a battle
MOST_LEDGER_BYTES = 256_000_000
PATTERNS_FROM = 100  # entries; compiling patterns takes longer than tomllib takes for a short ledger
LEDGER_HEADING = "# The ledger: every change, in order. cardbattle appends to it; leave it as it is.\n"
KEYS = dict.fromkeys((
    "revision", "kind", "id", "part", "undoes", "record", "digest", "winners", "sides", "forced", "reason",
    "public", "text", "turn", "date", "time", "seal", "pending", "changes", "lines", "prev", "check",
    "generated",
))  # fmt: skip
FORMAT_VALUE = Change(("format",), 1, 1)  # one of the first values of every ledger
SHORT = frozenset(("key", "before", "after"))  # the keys of most changes, which have a fast path
CHANGE_KEYS = dict.fromkeys(("key", "before", "after", "text", "place", "line"))
NO_LINES = {"above": "", "before": "", "after": "", "below": ""}  # what a hunk has by default
SIDE_KEYS = dict.fromkeys(("score", "losses"))


class Entry(NamedTuple):
    """One change of the campaign.

    If n entries belong together, such as those of an import, `part` is (i, n) for the i-th of them. For a
    single entry it is (1, 1). `undoes` are the revisions that an undo reverses or a redo restores. `forced`
    lists the conflicts that an umpire overrode. `pending` contains the battles that were pending before the
    entry, in the first entry that records them. In all other entries it is None.

    `text` is the text of a note. `turn` and `date` are the time of the note, if known. If `public` is True,
    players may read the reason. `seal` has the data of an entry about sealed dice, and is empty in all
    others. `time` is the time of recording in UTC. Old entries have no time. `lines` are the lines of the
    file that an edit by command changed, so that an undo restores every byte. `generated` is the story of a
    battle that the umpire replaced with `text`.

    `first_values` are the values that the file had before the entry and that no earlier entry has recorded.
    They are in the first entry of a ledger, before its changes, with equal values before and after.
    """

    revision: int
    kind: str
    changes: list[Change]
    id: str = ""
    part: tuple[int, int] = (1, 1)
    undoes: list[int] = []
    record: str = ""
    digest: str = ""
    result: Result | None = None
    forced: list[str] = []
    reason: str = ""
    text: str = ""
    turn: int | None = None
    date: str = ""
    seal: Mapping[str, object] = {}
    pending: list[dict[str, object]] | None = None
    prev: str = ""
    check: str = ""
    public: bool = False
    time: str = ""
    lines: list[Hunk] = []
    generated: str = ""
    first_values: list[Change] = []

    def __repr__(self) -> str:
        label = f"{self.kind} {self.id}".rstrip()
        return f"<Entry {self.revision}: {label}, {len(self.changes)} changes>"

    def table(self) -> dict[str, object]:
        """Return the entry in the form of the ledger, without its own hash and its first values."""
        table: dict[str, object] = {"revision": self.revision, "kind": self.kind}
        if self.id:
            table["id"] = self.id
        if self.part != (1, 1):
            table["part"] = list(self.part)
        if self.undoes:
            table["undoes"] = self.undoes
        if self.record:
            table["record"] = self.record
        if self.digest:
            table["digest"] = self.digest
        if self.result is not None:
            table |= self.result.table()
        if self.forced:
            table["forced"] = self.forced
        if self.reason:
            table["reason"] = self.reason
        if self.public:
            table["public"] = True
        if self.text:
            table["text"] = self.text
        if self.generated:
            table["generated"] = self.generated
        if self.turn is not None:
            table["turn"] = self.turn
        if self.date:
            table["date"] = self.date
        if self.time:
            table["time"] = self.time
        if self.seal:
            table["seal"] = self.seal
        if self.pending is not None:
            table["pending"] = self.pending
        table["changes"] = [change_table(change) for change in self.changes]
        if self.lines:
            table["lines"] = [hunk.table() for hunk in self.lines]
        return table | {"prev": self.prev}

    def ledger_table(self) -> dict[str, object]:
        """Return the complete entry in the form of the ledger, without its own hash."""
        return self._replace(changes=[*self.first_values, *self.changes]).table()


def change_table(change: Change) -> dict[str, object]:
    """Return a change in the form of the ledger. Missing values are left out."""
    table: dict[str, object] = {"key": dotted_key(change.key)}
    if change.before is not None:
        table["before"] = change.before
    if change.after is not None:
        table["after"] = change.after
    if change.text:
        table["text"] = change.text
    if change.place:
        table["place"] = change.place
    if change.line:
        table["line"] = change.line
    return table


def entry_hash(table: dict[str, object]) -> str:
    """Return the hash of an entry's table. The hash stored in the table itself is ignored."""
    content = {key: value for key, value in table.items() if key != "check"}
    return sha256(canonical(content).encode("utf-8", "surrogatepass")).hexdigest()


def with_hash(entry: Entry, prev: str) -> Entry:
    linked = entry._replace(prev=prev)
    return linked._replace(check=entry_hash(linked.ledger_table()))


def entry_text(entry: Entry) -> str:
    """Format an entry and its hash as TOML, with each change and each pending battle on its own line.

    Raises NeedsUmpire if the text cannot be parsed back to the same entry.
    """
    table = entry.ledger_table()
    lines = ["", "[[entry]]"]
    for key, value in table.items():
        if key in ("changes", "lines", PENDING) and isinstance(value, list) and value:
            lines += [f"{key} = [", *(f"    {inline_value(item)}," for item in value), "]"]
        else:
            lines.append(f"{key} = {inline_value(value)}")
    lines.append(f'check = "{entry.check}"')
    text = "\n".join(lines) + "\n"
    if tomllib.loads(text) != {"entry": [{**table, "check": entry.check}]}:
        raise NeedsUmpire(f"entry {entry.revision} cannot be written to the ledger")
    return text


class Damage(NamedTuple):
    """The position from which the ledger cannot be read, and the reason."""

    offset: int
    line: int
    why: str


class Breach(NamedTuple):
    """A violation of the ledger's invariant.

    The `before` of a change is not the value that the earlier entries left.
    """

    revision: int
    change: Change
    left: object

    def __str__(self) -> str:
        key, before = dotted_key(self.change.key), value_text(self.change.before)
        return (
            f"revision {self.revision} changes {key} from {before}, "
            f"but the earlier entries left {value_text(self.left)}"
        )


@dataclass(frozen=True)
class Ledger:
    """The sound entries of a ledger from its start, given by their heads.

    `heads[i]` is the head of revision i + 1. `damage` says where the rest of the ledger cannot be read. A
    group without its last part does not count yet. `left` is the last value of each changed key, including
    pending battles. If `knows_pending` is True, it includes all pending battles. If `knows_values` is True,
    it includes all values except the umpire's own. `breaches` are the violations of the invariant that were
    found while reading the ledger.
    """

    raw: LedgerBytes = b""
    heads: Heads = field(default_factory=Heads)
    damage: Damage | None = None
    left: dict[Key, object] = field(default_factory=dict)
    knows_pending: bool = False
    breaches: list[Breach] = field(default_factory=list)
    knows_values: bool = False

    def __repr__(self) -> str:
        return (
            f"<Ledger: {self.whole_entries} entries{'' if self.damage is None else ', damaged after them'}>"
        )

    @property
    def ends(self) -> list[int]:
        """The offset of the end of each entry."""
        return list(self.heads.ends)

    @property
    def entries(self) -> list[Entry]:
        """All entries. `entry` and `span` read only those that are needed."""
        return self.span(1, len(self.heads))

    def table(self) -> list[dict[str, object]]:
        """Return a row for each number that an entry changed, for a spreadsheet or a data frame.

        `before`, `after` and `change` are floats, in which a missing number counts as 0. `revision` is an
        int. All other values are strings.
        """
        return [
            {
                "revision": entry.revision,
                "kind": entry.kind,
                "battle": entry.id,
                "time": entry.time,
                "key": dotted_key(change.key),
                "before": as_float(change.before),
                "after": as_float(change.after),
                "change": as_float(change.after) - as_float(change.before),
            }
            for entry in self.entries
            for change in entry.changes
            if type(change.before) is int or type(change.after) is int
        ]

    def entry(self, revision: int) -> Entry:
        """Return the entry of a revision, from 1.

        Raises UsageError if no entry has this revision, and NeedsUmpire if the ledger was changed since it
        was verified.
        """
        ends = self.heads.ends
        if not 1 <= revision <= len(ends):
            raise UsageError(
                f"revision: expected a whole number from 1 to {len(ends)}, got {quoted(revision)}"
            )
        lines = self.raw[ends[revision - 2] if revision > 1 else 0 : ends[revision - 1]]
        try:
            return read_trusted(bytes(lines), min(len(ends), PATTERNS_FROM))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise concurrent_change_error(LEDGER_NAME) from None

    def start(self, revision: int) -> int:
        """Return the offset at which an entry begins."""
        first = self.heads.ends[revision - 2] if revision > 1 else 0
        return first + blank_end(self.raw[first : self.heads.ends[revision - 1]], 0)

    def line(self, offset: int) -> int:
        """Return the number of the line that contains this offset. The first line has number 1."""
        return line_number(self.raw, offset)

    def span(self, first: int, last: int) -> list[Entry]:
        """Return the entries from one revision to another, both included."""
        return [self.entry(revision) for revision in range(first, last + 1)]

    @cached_property
    def whole_entries(self) -> int:
        """The number of sound entries, without the entries of an incomplete group."""
        count = len(self.heads)
        while count and len(set(self.heads.part(count - 1))) > 1:
            count -= 1
        return count

    @property
    def end(self) -> int:
        """The offset after the last entry of a complete group."""
        if self.whole_entries == len(self.heads) and self.damage is None:
            return len(self.raw)
        return self.heads.ends[self.whole_entries - 1] if self.whole_entries else heading_end(self.raw)

    @property
    def last_check(self) -> str:
        """The hash of the last entry of a complete group."""
        return self.heads[self.whole_entries - 1].check if self.whole_entries else ""

    @property
    def tail(self) -> bytes:
        """The bytes after the last entry of a complete group, which are invalid or incomplete."""
        return self.raw[self.end :]

    def find(self, battle: str) -> Entry | None:
        """Return the entry that recorded a battle, or None if it was not recorded or was undone."""
        revision = self.revision_by_battle.get(battle)
        return self.entry(revision) if revision else None

    @cached_property
    def revision_by_battle(self) -> dict[str, int]:
        """The revision of each recorded battle that was not undone."""
        gone, ids = self.undone_revisions, self.heads.ids
        battles = self.heads.revisions(BATTLES, self.whole_entries)
        return {ids[revision - 1]: revision for revision in battles if revision not in gone}

    @cached_property
    def contact_by_battle(self) -> dict[str, int]:
        """The revision of the last contact that made each battle, because forces met in the movement."""
        contacts = self.heads.revisions((CONTACT,), self.whole_entries)
        return {self.heads.ids[revision - 1]: revision for revision in contacts}

    @cached_property
    def records(self) -> set[str]:
        """The names of the records that the entries name."""
        return set(filter(None, self.heads.records))

    @property
    def undone_revisions(self) -> set[int]:
        """The revisions that were undone and not redone."""
        return self.undone_entries.gone

    @property
    def undos(self) -> list[int]:
        """The revisions of the undos that were not redone, in order."""
        return [
            revision for revision in self.undone_entries.undos if revision not in self.undone_entries.gone
        ]

    @cached_property
    def redone_undos(self) -> set[int]:
        """The revisions of the undos that were redone."""
        return {*self.heads.revisions(("undo",), self.whole_entries)} - {*self.undone_entries.undos}

    @cached_property
    def renames(self) -> list[tuple[int, Rename]]:
        """The renames of factions, forces and locations in order, as pairs (revision, rename)."""
        table: dict[int, list[Rename]] = {}
        turned = {
            number + 1: undoes for number, undoes in self.heads.undoes.items() if number < self.whole_entries
        }
        for revision in sorted({*self.heads.revisions(("rename",), self.whole_entries), *turned}):
            undoes = turned.get(revision, [])
            if self.heads.kinds[revision - 1] == "rename" or any(undone in table for undone in undoes):
                changes = self.entry(revision).changes
                table[revision] = [rename_of(change) for change in changes if is_rename(change)]
        return [(revision, rename) for revision, renames in table.items() for rename in renames]

    @cached_property
    def undone_entries(self) -> UndoneEntries:
        """The effect of all undos and redos on the entries."""
        undone_entries = UndoneEntries(self.heads, set(), [])
        for revision in self.heads.revisions(TURNS, self.whole_entries):
            head = self.heads[revision - 1]
            if head.kind == "undo":
                undone_entries.undos.append(revision)
                undone_entries.take_back(head.undoes)
            else:
                undone_entries.close(head.undoes)
                undone_entries.bring_back(head.undoes)
        return undone_entries


class UndoneEntries(NamedTuple):
    """The revisions of the undone entries (`gone`), and of the undos that were not redone (`undos`)."""

    heads: Sequence[Head]
    gone: set[int]
    undos: list[int]

    def take_back(self, revisions: Sequence[int]) -> None:
        """Undo entries. If an undo is undone, its entries are restored."""
        for revision in reversed(revisions):
            self.gone.add(revision)
            if self.heads[revision - 1].kind == "undo":
                self.bring_back(self.heads[revision - 1].undoes)

    def bring_back(self, revisions: Sequence[int]) -> None:
        """Redo entries. If an undo is redone, its entries are undone again."""
        for revision in revisions:
            self.gone.discard(revision)
            if self.heads[revision - 1].kind == "undo":
                self.take_back(self.heads[revision - 1].undoes)

    def close(self, revisions: Sequence[int]) -> None:
        """Remove the last undo of these entries from `undos`, because a redo reversed it."""
        for undo in reversed(self.undos):
            if self.heads[undo - 1].undoes == revisions:
                self.undos.remove(undo)
                return


BATTLES = ("battle", "import", "override", "declined")
AFTERMATH, MISSED, CONTACT = "aftermath", "missed", "contact"
MOVEMENT, ORDERS = "movement", "orders"
PHASE_KINDS = (
    "schedule",
    "weather",
    "event",
    "movement",
    "contact",
    "aftermath",
    "capture",
    "supply",
    "recovery",
    "recruit",
    "income",
)  # kinds of entries that the phases of a turn write
TURNS = ("undo", "redo")
# the kinds of entries before the first event of a campaign
SETUP_KINDS = ("add", "set", "remove", "edit", "rename", "cancel", ORDERS, *TURNS)
EMPTY_LEDGER = Ledger()
NO_HEAD = Head(0, "", "", (1, 1), [], "", "", False, "")  # before the first entry
BLOCK = 250_000  # bytes of the ledger that are scanned at a time
BLANK = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n\0]*)?\r?(?:\n|\Z))*")
HEAD = re.compile(rb"^\[\[entry\]\]", re.MULTILINE)
LAST = re.compile(rb'check = "[0-9a-f]{64}"[ \t]*\r?(?:\n|\Z)')
RECORD = re.compile(r"records/([a-z0-9_-]+)(?:\.[1-9][0-9]{0,8})?\.toml")
PART = re.compile(rb"^part = \[(\d{1,9}), (\d{1,9})\]", re.MULTILINE)


def blank_end(raw: bytes, position: int) -> int:
    """Return the offset after the blank lines and comments that begin at `position`."""
    match = BLANK.match(raw, position)
    return match.end() if match else position


def heading_end(raw: LedgerBytes) -> int:
    """Return the offset after the comments at the head of the ledger."""
    return blank_end(raw[:], 0)


def entry_end(raw: bytes, position: int) -> int:
    """Return the end of the entry that begins at `position`, after the line with its hash.

    Returns 0 if the entry has no such line.
    """
    line = raw.find(b"\ncheck = ", position) + 1
    while line:
        last = LAST.match(raw, line)
        if last:
            return last.end()
        line = raw.find(b"\ncheck = ", line) + 1
    return 0


def scan_ledger(raw: LedgerBytes, start: Ledger = EMPTY_LEDGER) -> Ledger:
    """Read the ledger entry by entry, and stop at the first invalid entry.

    `start` is the result for a shorter ledger with the same beginning. The ledger is read in blocks. A block
    that ends inside an entry is read again from the start of this entry, with twice the size if needed.
    """
    walk = Walk(
        start.heads.copy(), start.left.copy(), start.knows_pending, start.breaches.copy(), start.knows_values
    )
    position, size = walk.heads.ends[-1] if walk.heads else 0, BLOCK
    damage = None
    while position < len(raw) and damage is None:
        block = raw[position : position + size]
        is_last = position + len(block) == len(raw)
        used, why = scan_block(block if is_last else whole_lines(block), position, walk, is_last)
        position += used
        size = BLOCK if used else 2 * size
        if why:
            damage = Damage(position, line_number(raw, position), why)
    return Ledger(raw, walk.heads, damage, walk.left, walk.knows_pending, walk.breaches, walk.knows_values)


def whole_lines(block: bytes) -> bytes:
    """Return a block without an incomplete last line."""
    return block[: block.rfind(b"\n") + 1]


def scan_block(block: bytes, offset: int, walk: Walk, is_last: bool) -> tuple[int, str]:
    """Read the entries in a block that begins at this offset of the ledger.

    Returns a pair (number of bytes read, problem). The problem is the error in the next entry, or an empty
    string.
    """
    position = blank_end(block, 0)
    while position < len(block):
        if not block.startswith(b"[[entry]]", position):
            return position, "expected [[entry]]"
        end = entry_end(block, position)
        if not end:
            return position, "this entry has no end" if is_last else ""
        why = add_entry(block[position:end], offset + end, walk)
        if why:
            return position, why
        position = blank_end(block, end)
    return position, ""


@dataclass
class Walk:
    """The state while the ledger is read from its first entry. The attributes are those of `Ledger`."""

    heads: Heads
    left: dict[Key, object]
    knows_pending: bool
    breaches: list[Breach]
    knows_values: bool

    def step(self, entry: Entry) -> None:
        """Record the values that an entry leaves, and the entry's violations of the invariant."""
        if entry.pending is not None:
            self.knows_pending = True
            self.left |= {(PENDING, str(table.get("id"))): table for table in entry.pending}
        if entry.first_values:
            self.knows_values = True
        for change in [*entry.first_values, *entry.changes]:
            key = change.key
            if is_rename(change):
                self.rename(entry.revision, change)
                continue
            is_known = key in self.left or (is_battle(key) and self.knows_pending)
            if is_known and not same(self.left.get(key), change.before):
                self.breaches.append(Breach(entry.revision, change, self.left.get(key)))
            if is_battle(key) and change.after is None:
                self.left.pop(key, None)
            else:
                self.left[key] = change.after

    def rename(self, revision: int, change: Change) -> None:
        """Record the new key of a faction, force or location. An inconsistent rename is a violation."""
        rename = rename_of(change)
        old, new = ((rename.table, key) for key in rename[1:])
        if self.left.get(old, {}) is None or self.left.get(new) is not None:
            self.breaches.append(Breach(revision, change, None))
        self.left = {
            rename_in_key(key, rename): rename_left(key, value, rename) for key, value in self.left.items()
        }


def rename_left(key: Key, value: object, rename: Rename) -> object:
    """Return the last value of a key after a rename."""
    return rename_in_value(value, (PENDING, 0) if is_battle(key) else key, rename)


def add_entry(lines: bytes, end: int, walk: Walk) -> str:
    """Add the entry in these lines to `walk`. Returns the reason if the entry is invalid, otherwise ""."""
    heads = walk.heads
    before = heads[-1] if heads else NO_HEAD
    try:
        text = lines.decode("utf-8")
        table = read_plain(text, len(heads)) or lone_table(tomllib.loads(text))
    except (ValueError, RecursionError):
        return "this entry is not TOML"
    if table is None:
        return "this entry has no end before the next one"
    errors: list[Diagnostic] = []
    entry = read_entry(table, errors)
    if errors:
        return f"this entry is not valid: {errors[0]}"
    if entry.check != entry_hash(table):
        return "this entry was changed after it was written"
    if entry.prev != before.check:
        return "an entry is missing before this one"
    if entry.revision != len(heads) + 1:
        return f"expected revision {len(heads) + 1}, got {entry.revision}"
    if entry.undoes != sorted({undone for undone in entry.undoes if 0 < undone < entry.revision}):
        return "it undoes a revision that is not before it"
    if not follows(entry.part, before.part):
        return "this entry is not the next part of its group"
    heads.append(head_of(entry, end))
    walk.step(entry)
    return ""


def read_plain(text: str, length: int) -> dict[str, object] | None:
    """Return the table of an entry in the program's own form.

    Returns None if the ledger is short or the entry is in another form. For a short ledger, tomllib is
    faster than compiling the patterns of `entry_parser`.
    """
    return entry_parser.read_plain(text) if length >= PATTERNS_FROM else None


def lone_table(data: dict[str, object]) -> dict[str, object] | None:
    """Return the table of the entry if `data` contains exactly one, otherwise None."""
    entries = data.get("entry")
    return entries[0] if isinstance(entries, list) and len(data) == len(entries) == 1 else None


def as_float(value: object) -> float:
    """Return a whole number as a float, and 0 for any other value."""
    return float(value) if isinstance(value, int) else 0.0


def head_of(entry: Entry, end: int) -> Head:
    return Head(
        end,
        entry.kind,
        entry.id,
        entry.part,
        entry.undoes,
        entry.record,
        entry.digest,
        entry.result is not None,
        entry.check,
    )


def follows(part: tuple[int, int], before: tuple[int, int]) -> bool:
    """Return True if the part `part` of a group can follow the part `before`.

    Both are pairs (part number, number of parts).
    """
    i, n = before
    return part[0] == 1 <= part[1] if i == n else part == (i + 1, n)


def read_entry(data: object, errors: list[Diagnostic]) -> Entry:
    """Return the entry in a table. Errors are added to `errors`."""
    table = TableReader(data, (), errors)
    table.only(KEYS)
    result = None
    if "winners" in table.data:
        sides = table.table("sides")
        result = Result(
            table.take("winners", reader.expect_texts, list[str]()),
            {key: sound_side(side) or read_side_result(sides.table(key)) for key, side in sides.data.items()},
        )
    changes, first_values = split_first_values(table.need("changes", read_changes, list[Change]()))
    return Entry(
        table.need("revision", reader.expect_whole, 0),
        table.need("kind", reader.expect_text, ""),
        changes,
        table.take("id", reader.expect_key, ""),
        table.take("part", read_group_part, (1, 1)),
        table.take("undoes", wholes, list[int]()),
        table.take("record", record_in_folder, ""),
        table.take("digest", reader.expect_text, ""),
        result,
        table.take("forced", reader.expect_texts, list[str]()),
        table.take("reason", reader.expect_text, ""),
        table.take("text", reader.expect_text, ""),
        table.take("turn", reader.expect_whole, None),
        table.take("date", reader.expect_text, ""),
        table.table("seal").data,
        table.take(PENDING, battle_tables, None),
        table.need("prev", reader.expect_text, ""),
        table.need("check", reader.expect_text, ""),
        table.take("public", reader.expect_switch, False),
        table.take("time", reader.expect_text, ""),
        table.take("lines", read_hunks, list[Hunk]()),
        table.take("generated", reader.expect_text, ""),
        first_values,
    )


@lru_cache(maxsize=4096)
def read_trusted(lines: bytes, length: int) -> Entry:
    """Return the entry in the lines of a ledger that was verified earlier.

    Commands need the last entries of a ledger many times. Raises the errors of `trust_entry`.
    """
    text = lines[blank_end(lines, 0) :].decode("utf-8")
    return trust_entry(read_plain(text, length) or tomllib.loads(text)["entry"][0])


def trust_entry(table: Mapping[str, Any]) -> Entry:
    """Return the entry in a table that was verified earlier, without the checks of `read_entry`.

    Raises LookupError, TypeError, ValueError or AttributeError if the table was not verified.
    """
    result = None
    if "winners" in table:
        sides = {key: side_result(side) for key, side in table["sides"].items()}
        result = Result(table["winners"], sides)
    changes, first_values = split_first_values([change_of(change) for change in table["changes"]])
    return Entry(
        table["revision"],
        table["kind"],
        changes,
        table.get("id", ""),
        tuple(table.get("part", (1, 1))),
        table.get("undoes", []),
        table.get("record", ""),
        table.get("digest", ""),
        result,
        table.get("forced", []),
        table.get("reason", ""),
        table.get("text", ""),
        table.get("turn"),
        table.get("date", ""),
        table.get("seal", {}),
        table.get(PENDING),
        table["prev"],
        table["check"],
        table.get("public", False),
        table.get("time", ""),
        [Hunk(**{**NO_LINES, **hunk}) for hunk in table.get("lines", [])],
        table.get("generated", ""),
        first_values,
    )


def split_first_values(changes: list[Change]) -> tuple[list[Change], list[Change]]:
    """Return a pair: the changes of an entry, and the first values that are written before them.

    A list of first values contains the format of the file, which is always there and never changes. Other
    changes with equal values before and after are changes.
    """
    if FORMAT_VALUE not in changes:
        return changes, []
    first_values = [change for change in changes if is_first_value(change)]
    return [change for change in changes if not is_first_value(change)], first_values


def is_first_value(change: Change) -> bool:
    """Return True if a change has equal values and no text, which says why a value stays."""
    return change.before is not None and same(change.before, change.after) and not change.text


def side_result(side: Mapping[str, Any]) -> SideResult:
    """Return one side's result from a verified table."""
    return SideResult(side["score"], read_fraction(side["losses"]))


def change_of(change: Mapping[str, Any]) -> Change:
    """Return a change from a verified table."""
    get = change.get
    key = split_key(change["key"])
    return Change(key, get("before"), get("after"), get("text", ""), get("place", 0), get("line", 0))


def sound_side(data: object) -> SideResult | None:
    """Return one side's result if it has the usual form, otherwise None. This is a fast path."""
    try:
        if isinstance(data, dict) and data.keys() == SIDE_KEYS.keys():
            return SideResult(reader.expect_whole(data["score"]), read_fraction(data["losses"]))
    except ValueError:
        pass
    return None


def read_side_result(table: TableReader) -> SideResult:
    """Parse one side's result. Errors are collected by `table`."""
    table.only(SIDE_KEYS)
    return SideResult(
        table.need("score", reader.expect_whole, 0), table.need("losses", read_fraction, Fraction(0))
    )


def read_group_part(value: object) -> tuple[int, int]:
    """Return a pair (part number, number of parts). Raises ValueError, which shows the expected form."""
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("expected a part such as [1, 3]")
    return reader.expect_whole(value[0]), reader.expect_whole(value[1])


def record_in_folder(value: object) -> str:
    """Return a record's name. Raises ValueError if it is not in records/."""
    match = RECORD.fullmatch(reader.expect_text(value))
    if not match:
        raise ValueError(f"expected a record such as records/mill.toml, got {quoted(value)}")
    reader.expect_key(match[1])
    return match[0]


def battle_tables(value: object) -> list[dict[str, object]]:
    """Return pending battles. Raises ValueError unless they are tables with ids."""
    if not isinstance(value, list) or not all(isinstance(item, dict) and "id" in item for item in value):
        raise ValueError("expected a list of pending battles")
    return value


def read_hunks(value: object) -> list[Hunk]:
    """Return the lines that an entry changed. Raises ValueError if they have the wrong form."""
    if not isinstance(value, list):
        raise ValueError("expected a list of changed lines")
    return [hunk_of(item) for item in value]


def wholes(value: object) -> list[int]:
    """Return a list of whole numbers. Raises ValueError for any other value."""
    if not isinstance(value, list):
        raise ValueError("expected a list of whole numbers")
    return [reader.expect_whole(item) for item in value]


def read_changes(value: object) -> list[Change]:
    """Return an entry's changes. Raises ValueError, which names the first wrong one."""
    if not isinstance(value, list):
        raise ValueError("expected a list of changes")
    errors: list[Diagnostic] = []
    changes = []
    for item in value:
        if isinstance(item, dict) and item.keys() <= SHORT and isinstance(item.get("key"), str):
            changes.append(Change(split_key(item["key"]), item.get("before"), item.get("after")))
            continue
        table = TableReader(item, (), errors)
        table.only(CHANGE_KEYS)
        changes.append(
            Change(
                split_key(table.need("key", reader.expect_text, "")),
                table.data.get("before"),
                table.data.get("after"),
                table.take("text", reader.expect_text, ""),
                table.take("place", reader.expect_whole, 0),
                table.take("line", reader.expect_whole, 0),
            )
        )
    if errors:
        raise ValueError(str(errors[0]))
    return changes


def is_torn(ledger: Ledger) -> bool:
    """Return True if the invalid end of the ledger can come from one interrupted write.

    Such an end is a single entry or a single group.
    """
    heads = len(HEAD.findall(ledger.tail))
    if heads <= 1:
        return True
    parts = [(int(i), int(n)) for i, n in PART.findall(ledger.tail)]
    consecutive = all(follows(after, before) for before, after in pairwise(parts))
    return bool(parts) and parts[0][1] > 1 and consecutive and heads <= parts[0][1]


def group_entries(entries: Sequence[Entry], prev: str) -> list[Entry]:
    """Return new entries with their hashes. Several entries become one group."""
    grouped: list[Entry] = []
    for place, entry in enumerate(entries, 1):
        part = (place, len(entries)) if len(entries) > 1 else (1, 1)
        grouped.append(with_hash(entry._replace(part=part), grouped[-1].check if grouped else prev))
    return grouped
