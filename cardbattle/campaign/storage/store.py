"""Read and write a campaign on disk. Every commit is atomic and durable.

The ledger is a write-ahead log. A commit takes the lock, and reads and repairs the files. It then writes the
battle records, the ledger and campaign.toml, in this order. The fsync of the ledger is the commit point,
because campaign.toml can always be rebuilt from the ledger. Commands that only read take no lock. They write
only the checkpoint, and only if no other process is writing.

Source: J. Gray, A. Reuter, Transaction Processing: Concepts and Techniques, 1993 (write-ahead log).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from itertools import islice

from cardbattle.campaign.ledger import checkpoint, edits
from cardbattle.campaign.ledger.ledger import (
    EMPTY_LEDGER,
    LEDGER_HEADING,
    LEDGER_NAME,
    MOST_LEDGER_BYTES,
    Entry,
    Ledger,
    entry_text,
    group_entries,
    is_torn,
    scan_ledger,
)
from cardbattle.campaign.ledger.ledger_file import LedgerBytes, open_ledger
from cardbattle.campaign.ledger.operations import (
    CampaignFile,
    Operation,
    keep_lines,
    parse_campaign,
    texts_after_each,
    without_old_reports,
)
from cardbattle.campaign.seals.seal_rules import seals_in
from cardbattle.campaign.seals.sealed_draw import with_draw
from cardbattle.campaign.seals.seals import SEALS_NAME, Seals, find_alterations, read_seals, seals_text
from cardbattle.campaign.state.changes import caught_up, is_battle, merge_changes
from cardbattle.campaign.state.clock import timestamp
from cardbattle.campaign.state.editing.hunks import Hunk
from cardbattle.campaign.state.errors import Conflict, InUse, NeedsUmpire
from cardbattle.campaign.state.file_editing import (
    edit_text,
    encode_text,
    hunks_of_edit,
    with_lines,
)
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.errors import CardbattleError, InvalidInput
from cardbattle.core.grammar import choose_form
from cardbattle.core.names import clean, listed
from cardbattle.files import disk
from cardbattle.files.errors import SystemFailure
from cardbattle.files.signals import signals_deferred
from cardbattle.files.toml import MEGABYTE, Source, read_bytes, read_toml

NAME = "campaign.toml"
RECORDS = "records"
LOCK = ".cardbattle.lock"
TEMPORARY = ".cardbattle.tmp"
WAIT = 10.0  # seconds for another process to finish


def load(folder: str) -> CampaignFile:
    """Read the campaign in a folder without a lock. Raises InvalidInput with all errors."""
    return parse_campaign(folder, NAME, read_bytes(os.path.join(folder, NAME), MEGABYTE))


def load_ledger(folder: str, *, whole: bool = False) -> Ledger:
    """Read the campaign's ledger without writing anything.

    The ledger is empty if the file does not exist yet. Entries before the checkpoint are not verified again
    unless `whole` is True. A damaged ledger ends before the damage,
    and its `damage` describes the damage. Raises InvalidInput if the file cannot be read or is larger than
    256 MB.
    """
    return scan_folder(folder, whole=whole)[0]


def read_ledger(folder: str) -> Ledger:
    """Read the ledger as `load_ledger` does. If many entries were verified, write a new checkpoint."""
    ledger, vouched = scan_folder(folder)
    is_sound = ledger.damage is None and ledger.whole_entries == len(ledger.heads) and not ledger.breaches
    if is_sound and len(ledger.heads) >= vouched + checkpoint.EVERY:
        refresh_checkpoint(folder, ledger)
    return ledger


def scan_folder(folder: str, *, whole: bool = False) -> tuple[Ledger, int]:
    """Return a pair: the ledger, and the number of its entries that a checkpoint covered."""
    path = os.path.join(folder, LEDGER_NAME)
    raw = open_ledger(path, MOST_LEDGER_BYTES) if os.path.lexists(path) else b""
    start = EMPTY_LEDGER if whole else checkpoint.read_checkpoint(folder, raw)
    first = start if whole else start_of_scan(raw, start)
    return remember(scan_ledger(raw, first)), len(start.heads)


verified: list[Ledger] = []  # the last ledger that this process has verified


def start_of_scan(raw: LedgerBytes, start: Ledger) -> Ledger:
    """Return the verified beginning of a ledger, which comes from the checkpoint or from the last scan.

    A command reads the ledger several times. If the bytes are the same as before, they are not verified
    again.
    """
    for ledger in verified:
        if len(ledger.heads) > len(start.heads) and isinstance(raw, bytes) and raw.startswith(ledger.raw[:]):
            return ledger
    return start


def remember(ledger: Ledger) -> Ledger:
    """Return the ledger. If it is short and sound, later scans begin after its entries."""
    if isinstance(ledger.raw, bytes) and ledger.damage is None and ledger.heads:
        verified[:] = [ledger]
    return ledger


def refresh_checkpoint(folder: str, ledger: Ledger) -> None:
    """Write a checkpoint for a command that only reads.

    Nothing is written if another process is writing, if the ledger has grown, or if the folder is read-only.
    """
    with contextlib.suppress(CardbattleError, OSError), hold_lock(folder, wait=0):
        if os.path.getsize(os.path.join(folder, LEDGER_NAME)) == len(ledger.raw):
            checkpoint.write_checkpoint(folder, ledger)


def ledger_bytes(folder: str) -> bytes:
    """Return the bytes of the ledger.

    They are empty if the file does not exist yet. Raises InvalidInput if the ledger cannot be read.
    """
    path = os.path.join(folder, LEDGER_NAME)
    return read_bytes(path, MOST_LEDGER_BYTES) if os.path.lexists(path) else b""


class Transaction:
    """A campaign that is opened for writing. It was locked, read and repaired.

    `ledger` includes an entry for manual edits of campaign.toml even before this entry is on disk. Only the
    first `written` bytes are on disk. `time` is that of `open_for_writing`. `notes` lists repairs and manual
    edits for the umpire. The checkpoint covers the first `vouched` entries.
    """

    def __init__(self, folder: str, time: str = "") -> None:
        self.folder = folder
        self.time = time
        self.notes: list[str] = []
        self.raw = b""
        self.read()

    def read(self) -> None:
        """Read campaign.toml and the ledger. Raises InvalidInput with their errors."""
        self.raw = read_bytes(self.path(NAME), MEGABYTE)
        self.books = parse_campaign(self.folder, NAME, self.raw)
        raw = ledger_bytes(self.folder)
        self.written = len(raw)
        start = checkpoint.read_checkpoint(self.folder, raw)
        self.vouched = len(start.heads)
        self.ledger = remember(scan_ledger(raw, start_of_scan(raw, start)))
        self.books = with_draw(self.books, self.ledger)

    def path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    @property
    def campaign(self) -> Campaign:
        return self.books.campaign

    def repair(self) -> None:
        """Complete an interrupted commit.

        Each step reads campaign.toml and the ledger again, because an editor can save an old version in
        between. Raises NeedsUmpire if the files differ in any other way.
        """
        check_ledger(self.ledger, self.campaign.revision)
        while self.ledger.tail or self.campaign.revision < self.ledger.whole_entries:
            if self.ledger.tail:
                self.drop_tail()
            else:
                self.catch_up(self.ledger.span(self.campaign.revision + 1, self.ledger.whole_entries))
            check_ledger(self.ledger, self.campaign.revision)
        self.vouch()
        self.publish()
        self.ledger = with_edits(self.books, self.ledger)

    def drop_tail(self) -> None:
        """Move an incomplete append, which was never committed, from the ledger into a separate file.

        Raises SystemFailure if that file or the ledger cannot be written.
        """
        aside = self.torn_name()
        with report_write_errors(aside):
            if not os.path.exists(self.path(aside)):
                disk.replace(self.path(aside), self.ledger.tail, TEMPORARY)
            disk.truncate(self.path(LEDGER_NAME), self.ledger.end)
        size = len(self.ledger.tail)
        self.notes.append(f"{LEDGER_NAME}: {size} bytes of an unfinished entry were moved to {aside}")
        self.read()

    def torn_name(self) -> str:
        name = f"{LEDGER_NAME}.torn-{self.ledger.whole_entries}"
        number = 1
        while os.path.exists(self.path(name)) and not self.holds_tail(name):
            number += 1
            name = f"{LEDGER_NAME}.torn-{self.ledger.whole_entries}-{number}"
        return name

    def holds_tail(self, name: str) -> bool:
        return read_bytes(self.path(name), MOST_LEDGER_BYTES) == self.ledger.tail

    def catch_up(self, entries: Sequence[Entry]) -> None:
        """Apply committed entries that campaign.toml does not contain yet.

        Raises NeedsUmpire, which names the values that an editor has changed after the commit, and
        SystemFailure if campaign.toml cannot be written.
        """
        revision = entries[-1].revision
        content = content_caught_up(self.books, self.ledger)
        with report_write_errors(LEDGER_NAME):
            disk.sync(
                self.path(LEDGER_NAME)
            )  # the process that wrote the entries may have died before its fsync
        with report_write_errors(NAME):
            self.put_state(content, revision, "nothing was recorded")
        self.notes.append(f"{NAME} was brought up to revision {revision}: {entries_text(entries)}")
        self.read()

    def commit(self, operations: Sequence[Operation]) -> list[Entry]:
        """Record either all operations or none, and return their ledger entries.

        Raises InvalidInput or NeedsUmpire if they cannot be recorded, and SystemFailure if a file cannot be
        written. The error says which operations were recorded nevertheless.
        """
        if not operations:
            return []
        operations = without_old_reports(self.books.source.data, operations)
        ledger = self.ledger
        numbered, text = self.with_changed_lines(self.number_entries(operations), operations)
        entries = group_entries(numbered, ledger.last_check)
        longer = append_entries(ledger, entries)
        seals_in(longer)
        content = self.content_of(text or text_after(self.books.source, entries))
        self.write_edits()
        for operation in operations:
            if operation.record:
                self.put_record(operation.entry.record, operation.record.encode("utf-8"))
        self.append(longer)
        self.replace(content, entries)
        self.vouch()
        return entries

    def number_entries(self, operations: Sequence[Operation]) -> list[Entry]:
        """Return the entries of the operations, with revisions and times.

        Entries that remove a battle also get the original lines of this battle.
        """
        entries = []
        steps = [change for operation in operations for change in operation.entry.changes]
        changes_with_lines = iter(with_lines(self.books.source.text, steps)[0])
        battles, time = edits.baseline(self.books.source.data, self.ledger), max(self.time, timestamp())
        first_changes = operations[0].entry.changes
        first_values = edits.first_values(self.books.source.data, self.ledger, first_changes)
        for revision, operation in enumerate(operations, self.ledger.whole_entries + 1):
            changes = list(islice(changes_with_lines, len(operation.entry.changes)))
            entries.append(
                operation.entry._replace(
                    revision=revision, changes=changes, pending=battles, time=time, first_values=first_values
                )
            )
            battles, first_values = None, []
        return entries

    def with_changed_lines(
        self, entries: Sequence[Entry], operations: Sequence[Operation]
    ) -> tuple[Sequence[Entry], str]:
        """Return a pair: the entries with the lines that they change in campaign.toml, and its new text.

        The lines are added only if all operations keep lines. Otherwise the text is empty. Raises NeedsUmpire
        if the file cannot be edited in place.
        """
        if not keep_lines(operations):
            return [entry._replace(lines=[]) for entry in entries], ""
        texts = texts_after_each(self.books.source, entries, self.ledger.whole_entries)
        complete: list[Entry] = []
        for entry, old, new in zip(entries, [self.books.source.text, *texts], texts, strict=False):
            changes = with_lines(old, entry.changes)[0] if removes_battle(entry) else entry.changes
            complete.append(entry._replace(changes=changes, lines=hunks_of_edit(old, new, entry.revision)))
        return complete, texts[-1]

    def write_edits(self) -> None:
        """Append the entry for manual edits.

        It is kept even if the operations after it fail. Raises SystemFailure if the ledger cannot be written.
        """
        if self.written < len(self.ledger.raw):
            entry = self.ledger.entry(self.ledger.whole_entries)
            self.append(self.ledger)
            lines = "; ".join(map(str, entry.changes[:3])) + "; and more" * (len(entry.changes) > 3)
            self.notes.append(f"changed by hand, noted as revision {entry.revision}: {lines}")

    def take_notes(self) -> list[str]:
        """Return the notes for the umpire and clear them."""
        notes, self.notes = self.notes, []
        return notes

    def vouch(self) -> None:
        """Write the checkpoint if it lacks at least `checkpoint.EVERY` entries."""
        count = len(self.ledger.heads)
        if count >= self.vouched + checkpoint.EVERY and not self.ledger.breaches:
            checkpoint.write_checkpoint(self.folder, self.ledger)
            self.vouched = count

    def content_of(self, text: str) -> bytes:
        """Return the content of campaign.toml with a new text.

        Raises InvalidInput if the text is not valid.
        """
        content = encode_text(self.books.source, text)
        parse_campaign(self.folder, NAME, content)
        return content

    def put_record(self, name: str, content: bytes) -> None:
        """Write the record of a battle.

        Raises NeedsUmpire if the file belongs to another recorded battle, InvalidInput if the name leads out
        of the records folder, and SystemFailure if the record cannot be written.
        """
        path = self.path(name)
        inside = os.path.realpath(self.path(RECORDS))
        if os.path.dirname(os.path.realpath(path)) != inside:
            raise InvalidInput(f"{clean(name)} would be outside of {RECORDS}/")
        with nothing_recorded(name):
            if os.path.lexists(path) and read_bytes(path, MOST_LEDGER_BYTES) != content:
                self.move_aside(name)
            is_there = os.path.lexists(path)
            if not os.path.isdir(inside):
                os.mkdir(inside)
            disk.sync_folder(self.folder)
            if is_there:
                disk.sync(path)
            else:
                disk.replace(path, content, TEMPORARY)

    def move_aside(self, name: str) -> None:
        """Move away a record. Raises NeedsUmpire if an entry of the ledger names it."""
        if name in self.ledger.records:
            raise NeedsUmpire(f"{name} holds another battle of this name; move it away or import it")
        aside = disk.free_name(self.path(f"{name}.orphan"))
        disk.move(self.path(name), aside)
        new_name = f"{RECORDS}/{os.path.basename(aside)}"
        self.notes.append(f"{name} belongs to no battle in {LEDGER_NAME}; it was moved to {new_name}")

    def append(self, longer: Ledger) -> None:
        """Append the new entries of the ledger `longer`, and call fsync.

        This is the commit point. Raises SystemFailure if the ledger cannot be written.
        """
        with nothing_recorded(LEDGER_NAME):
            disk.append(self.path(LEDGER_NAME), longer.raw[self.written :])
        self.written = len(longer.raw)
        self.ledger = longer

    def replace(self, content: bytes, entries: Sequence[Entry]) -> None:
        """Replace campaign.toml atomically, unless it was edited since it was read.

        Raises SystemFailure if campaign.toml cannot be written, and NeedsUmpire if it was edited. The entries
        are still committed.
        """
        status = recorded_text(entries)
        try:
            self.put_state(content, entries[-1].revision, status)
        except (OSError, InvalidInput) as error:
            why = disk.reason(error) if isinstance(error, OSError) else str(error)
            raise SystemFailure(
                f"{status}; {NAME} could not be updated ({why}); the next command finishes it"
            ) from error
        self.raw = content
        self.books = with_draw(parse_campaign(self.folder, NAME, content), self.ledger)
        try:
            self.publish()
        except SystemFailure as error:
            raise SystemFailure(f"{status}; {error}; the next command finishes it") from error

    def publish(self) -> None:
        """Update seals.toml if it is older than the ledger.

        Raises NeedsUmpire if seals.toml contradicts the ledger, and SystemFailure if it cannot be written.
        """
        seals = seals_in(self.ledger)
        if seals is None or not is_behind(self.folder, seals):
            return
        with report_write_errors(SEALS_NAME):
            disk.replace(self.path(SEALS_NAME), seals_text(seals).encode("utf-8"), TEMPORARY)

    def put_state(self, content: bytes, revision: int, status: str) -> None:
        """Replace campaign.toml.

        Raises NeedsUmpire if another program has saved the file since it was read. The error begins with
        `status`, which says what is recorded.
        """
        path = os.path.realpath(self.path(NAME))
        try:
            overtaken = disk.replace_unchanged(path, content, self.raw, TEMPORARY)
        except disk.Changed:
            raise NeedsUmpire(
                f"{status}; {NAME} was saved by another program at the same time and is left alone: "
                "the next command brings it up to date"
            ) from None
        if overtaken:
            aside = disk.free_name(f"{path}.overtaken-{revision}")
            disk.move(overtaken, aside)
            raise NeedsUmpire(
                f"{status}; another program saved {NAME} at the same moment: its version is kept as "
                f"{clean(os.path.basename(aside))}; copy your changes from there into {NAME}"
            )


def with_missing_entries(books: CampaignFile, ledger: Ledger) -> CampaignFile:
    """Return the campaign with all entries of its ledger, for a command that writes nothing.

    campaign.toml lacks entries if a command was interrupted, or if an editor saved an old copy. If the next
    command that writes would be refused, because the file contradicts the ledger, the campaign is unchanged.
    """
    revision = books.campaign.revision
    if revision >= ledger.whole_entries or ledger_error(ledger, revision):
        return books
    try:
        content = content_caught_up(books, ledger)
    except (InvalidInput, NeedsUmpire):
        return books
    return parse_campaign(books.folder, NAME, content)


def content_caught_up(books: CampaignFile, ledger: Ledger) -> bytes:
    """Return the content of campaign.toml after applying the entries of the ledger that it lacks.

    Raises NeedsUmpire, which names values that were edited after the commit, and InvalidInput if the result
    is not valid. If only the number of the revision was edited, NeedsUmpire gives the right number.
    """
    entries = ledger.span(books.campaign.revision + 1, ledger.whole_entries)
    try:
        content = encode_text(books.source, text_caught_up(books.source, entries))
    except (InvalidInput, NeedsUmpire):
        if edits.hand_edits(books.source.data, ledger):
            raise
        raise NeedsUmpire([wrong_revision(books.campaign.revision, ledger)]) from None
    parse_campaign(books.folder, NAME, content)
    return content


def wrong_revision(revision: int, ledger: Ledger) -> Conflict:
    """Return the conflict of a file that has the values of the last entry, but an earlier revision."""
    last = ledger.whole_entries
    text = f"revision is {revision}, but {NAME} has all changes up to {last}; write revision = {last}"
    return Conflict(text, key=("revision",))


def text_caught_up(source: Source, entries: Sequence[Entry]) -> str:
    """Return the text of campaign.toml after applying these committed entries.

    If they are the entries of one command, the text is the one that the command would have written. Raises
    the errors of `content_caught_up`.
    """
    if entries[0].part == (1, len(entries)):
        with contextlib.suppress(NeedsUmpire):
            return text_after(source, entries)
    changes = caught_up(source.data, [change for entry in entries for change in entry.changes])
    return edit_text(source, changes, entries[-1].revision, lines_of_all(entries))


def text_after(source: Source, entries: Sequence[Entry]) -> str:
    """Return the text of campaign.toml after a command has recorded these entries.

    Raises NeedsUmpire if the file cannot be edited in place.
    """
    if all(entry.lines or not entry.changes for entry in entries):
        return texts_after_each(source, entries, entries[0].revision - 1)[-1]
    changes = merge_changes(change for entry in entries for change in entry.changes)
    return edit_text(source, changes, entries[-1].revision)


def removes_battle(entry: Entry) -> bool:
    """Return True if an entry takes a battle out of the pending battles."""
    return any(is_battle(change.key) and change.after is None for change in entry.changes)


def lines_of_all(entries: Sequence[Entry]) -> list[Hunk]:
    """Return the changed lines of these entries, in order.

    The list is empty unless every entry that changes something has its own lines.
    """
    if not all(entry.lines or not entry.changes for entry in entries):
        return []
    return [hunk for entry in entries for hunk in entry.lines]


def is_behind(folder: str, seals: Seals) -> bool:
    """Return True if seals.toml lacks something that is in the ledger.

    Raises NeedsUmpire if seals.toml contradicts the ledger, and InvalidInput, which lists the errors, if
    seals.toml is not valid.
    """
    path = os.path.join(folder, SEALS_NAME)
    if not os.path.lexists(path):
        return True
    published = read_seals(read_toml(path))
    ahead = find_alterations(published, seals)
    if ahead:
        raise NeedsUmpire(
            f"{SEALS_NAME} contradicts {LEDGER_NAME}: {listed(ahead[:3])}; restore the changed file "
            "from a copy"
        )
    return bool(find_alterations(seals, published))


def with_edits(books: CampaignFile, ledger: Ledger) -> Ledger:
    """Return the ledger. If campaign.toml has manual edits, an entry for them is added."""
    settled = ledger.whole_entries == books.campaign.revision and not ledger.tail
    entry = edits.edit_entry(books.source.data, ledger) if settled else None
    if entry is None:
        return ledger
    numbered = entry._replace(revision=ledger.whole_entries + 1, time=timestamp())
    return append_entries(ledger, group_entries([numbered], ledger.last_check))


def append_entries(ledger: Ledger, entries: Sequence[Entry]) -> Ledger:
    """Return the ledger with more entries. Raises NeedsUmpire if they contradict it."""
    text = "".join(map(entry_text, entries))
    if not ledger.raw:
        text = LEDGER_HEADING + text
    elif ledger.raw[-1:] != b"\n":
        text = "\n" + text
    longer = remember(scan_ledger(ledger.raw + text.encode("utf-8"), ledger))
    if longer.damage is not None or longer.whole_entries != entries[-1].revision:
        raise NeedsUmpire(f"the ledger rejects entry {entries[0].revision}; nothing was recorded")
    if len(longer.breaches) > len(ledger.breaches):
        raise NeedsUmpire(f"{longer.breaches[-1]}; nothing was recorded")
    return longer


def entries_text(entries: Sequence[Entry]) -> str:
    """Return a label for each entry, joined for a message, such as `battle t4-shrewsbury`."""
    labels = [f"{entry.kind} {entry.id}".rstrip() for entry in entries]
    return listed(labels) if len(labels) < 4 else f"{labels[0]} and {len(labels) - 1} more"


def recorded_text(entries: Sequence[Entry]) -> str:
    """Return the sentence that these entries are recorded."""
    return f"{entries_text(entries) or 'nothing'} {choose_form('is|are', len(entries) > 1)} recorded"


def check_ledger(ledger: Ledger, revision: int) -> None:
    """Raise NeedsUmpire if campaign.toml cannot be updated from the ledger."""
    error = ledger_error(ledger, revision)
    if error:
        raise NeedsUmpire(error)


def ledger_error(ledger: Ledger, revision: int) -> str:
    """Return the reason why ledger and campaign.toml cannot be reconciled, or "" if they can."""
    behind = ledger.heads[revision : ledger.whole_entries]
    is_even = revision <= ledger.whole_entries and all(head.kind == edits.KIND for head in behind)
    if ledger.tail and not (is_even and is_torn(ledger)):
        if ledger.damage is None:
            return f"{LEDGER_NAME} ends in the middle of a group; restore it from a copy"
        return (
            f"{LEDGER_NAME} is damaged at line {ledger.damage.line}: {ledger.damage.why}; "
            "restore it from a copy"
        )
    if revision and not len(ledger.raw):
        return (
            f"{LEDGER_NAME} is missing or empty, but {NAME} is at revision {revision}; restore {LEDGER_NAME} "
            "from a copy, or begin a new history with revision = 0"
        )
    if revision > ledger.whole_entries:
        return (
            f"{NAME} is at revision {revision}, but {LEDGER_NAME} has only {ledger.whole_entries} entries; "
            "restore the ledger from a copy"
        )
    return ""


@contextlib.contextmanager
def open_for_writing(folder: str, time: str = "") -> Iterator[Transaction]:
    """Lock, read and repair a campaign for writing. Signals are deferred until the block ends.

    Entries are recorded at `time`, if it is later than the clock. Raises InvalidInput, which lists all errors
    in the files, NeedsUmpire if the ledger is damaged, InUse if another process holds the lock for more than
    10 seconds, and SystemFailure if the campaign is write-protected.
    """
    for name in (NAME, LEDGER_NAME):
        disk.refuse_write_protected(os.path.join(folder, name))
    with hold_lock(folder), signals_deferred():
        transaction = Transaction(folder, time)
        transaction.repair()
        yield transaction


@contextlib.contextmanager
def hold_lock(folder: str, wait: float | None = None) -> Iterator[None]:
    """Hold the lock of the campaign.

    Raises InUse if another process holds the lock for `wait` seconds (default: WAIT). Raises SystemFailure if
    the file system cannot lock the campaign.
    """
    from filelock import FileLock, Timeout  # only when writing

    timeout = WAIT if wait is None else wait
    lock = FileLock(os.path.join(folder, LOCK), timeout=timeout, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise InUse("the campaign is in use by another process; try again when that is done") from None
    except OSError as error:
        raise SystemFailure(f"the campaign cannot be locked for writing: {disk.reason(error)}") from error
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def report_write_errors(name: str) -> Iterator[None]:
    """Convert an OSError into SystemFailure while a file is written."""
    try:
        yield
    except OSError as error:
        raise SystemFailure(f"{clean(name)} cannot be written: {disk.reason(error)}") from error


@contextlib.contextmanager
def nothing_recorded(name: str) -> Iterator[None]:
    """Convert an OSError before the commit point into a SystemFailure that says nothing was recorded.

    After AppendNotUndone, the error says that it is unknown whether the entry was recorded.
    """
    try:
        yield
    except disk.AppendNotUndone as error:
        raise SystemFailure(
            f"{name} cannot be written ({disk.reason(error)}), and cannot be restored; "
            "the next command finds out whether it was recorded"
        ) from error
    except OSError as error:
        raise SystemFailure(
            f"{clean(name)} cannot be written: {disk.reason(error)}; nothing was recorded"
        ) from error
