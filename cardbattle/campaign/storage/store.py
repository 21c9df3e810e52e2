"""The campaign on disk: what was said to be recorded is recorded, what was refused changed nothing.

The ledger is a write-ahead log. The order of a commit: lock; read and repair; the records; the
ledger, whose fsync is the moment that counts; last campaign.toml, which the ledger can always bring
up to date. Readers wait for no lock and write nothing but the checkpoint, if nobody else is writing.

Source: J. Gray, A. Reuter, Transaction Processing: Concepts and Techniques, 1993 (write-ahead log).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
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
    grouped,
    is_torn,
    scan_ledger,
)
from cardbattle.campaign.ledger.ledger_file import open_ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, parse_campaign
from cardbattle.campaign.seals.seal_laws import seals_in
from cardbattle.campaign.seals.sealed_draw import with_draw
from cardbattle.campaign.seals.seals import SEALS_NAME, Seals, find_alterations, read_seals, seals_text
from cardbattle.campaign.state.changes import Change, caught_up, changed, merged
from cardbattle.campaign.state.clock import timestamp
from cardbattle.campaign.state.errors import InUse, NeedsUmpire
from cardbattle.campaign.state.file_editing import edited, encoded, with_lines
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.errors import CardbattleError, InvalidInput
from cardbattle.core.names import clean, listed
from cardbattle.files import disk
from cardbattle.files.errors import SystemRefused
from cardbattle.files.signals import signals_deferred
from cardbattle.files.toml import MEGABYTE, read_bytes, read_toml

NAME = "campaign.toml"
RECORDS = "records"
LOCK = ".cardbattle.lock"
TEMPORARY = ".cardbattle.tmp"
WAIT = 10.0  # seconds for another process to finish


def load(folder: str) -> CampaignFile:
    """Return the campaign in a folder, without a lock; Refused lists all mistakes of its file."""
    return parse_campaign(folder, NAME, read_bytes(os.path.join(folder, NAME), MEGABYTE))


def load_ledger(folder: str, *, whole: bool = False, keep: bool = False) -> Ledger:
    """Return the campaign's ledger, empty if there is none yet; nothing is written.

    Entries that a checkpoint vouches for are not verified again, unless the `whole` is to be. With
    `keep` an entry that was read once is not read again. Where the ledger is damaged it ends, and
    says so; Refused if it cannot be read at all, or is over 256 MB.
    """
    return scanned(folder, whole=whole, keep=keep)[0]


def read_ledger(folder: str, *, keep: bool = False) -> Ledger:
    """Return the campaign's ledger as `load_ledger`; refresh the checkpoint if much had to be verified."""
    ledger, vouched = scanned(folder, keep=keep)
    is_sound = ledger.damage is None and ledger.settled == len(ledger.heads) and not ledger.breaches
    if is_sound and len(ledger.heads) >= vouched + checkpoint.EVERY:
        refresh_checkpoint(folder, ledger)
    return ledger


def scanned(folder: str, *, whole: bool = False, keep: bool = False) -> tuple[Ledger, int]:
    """Return the campaign's ledger, and how many of its entries a checkpoint vouched for."""
    path = os.path.join(folder, LEDGER_NAME)
    raw = open_ledger(path, MOST_LEDGER_BYTES) if os.path.lexists(path) else b""
    start = EMPTY_LEDGER if whole else checkpoint.read_checkpoint(folder, raw)
    return scan_ledger(raw, replace(start, kept={}) if keep else start), len(start.heads)


def refresh_checkpoint(folder: str, ledger: Ledger) -> None:
    """Write a checkpoint for a command that only reads.

    It is left out if another process is writing or has written since the ledger was read, and where the
    folder cannot be written.
    """
    with contextlib.suppress(CardbattleError, OSError), locked(folder, wait=0):
        if os.path.getsize(os.path.join(folder, LEDGER_NAME)) == len(ledger.raw):
            checkpoint.write_checkpoint(folder, ledger)


def ledger_bytes(folder: str) -> bytes:
    """Return what stands in the ledger, nothing if there is none yet; Refused if it cannot be read."""
    path = os.path.join(folder, LEDGER_NAME)
    return read_bytes(path, MOST_LEDGER_BYTES) if os.path.lexists(path) else b""


class Transaction:
    """A campaign opened for writing: locked, read and repaired.

    `ledger` has the entry that notes what was changed by hand, if there is one, as if it were
    written; the first `written` bytes of it are. `notes` says what had to be repaired or noted;
    the first `vouched` entries are in the checkpoint.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self.raw = b""
        self.read()

    def __repr__(self) -> str:
        return f"<Transaction in {self.folder}: revision {self.campaign.revision}>"

    def read(self) -> None:
        """Read both files; Refused lists all that is wrong with them."""
        self.raw = read_bytes(self.path(NAME), MEGABYTE)
        self.books = parse_campaign(self.folder, NAME, self.raw)
        raw = ledger_bytes(self.folder)
        self.written = len(raw)
        start = checkpoint.read_checkpoint(self.folder, raw)
        self.vouched = len(start.heads)
        self.ledger = scan_ledger(raw, start)
        self.books = with_draw(self.books, self.ledger)

    def path(self, *names: str) -> str:
        """Return the path of a file of the campaign."""
        return os.path.join(self.folder, *names)

    @property
    def campaign(self) -> Campaign:
        """The campaign as it stands."""
        return self.books.campaign

    def repair(self) -> None:
        """Finish what an interrupted command began; NeedsUmpire if it is more than that.

        Both files are read again after each step, and an editor may have saved an old one meanwhile.
        """
        check_ledger(self.ledger, self.campaign.revision)
        while self.ledger.tail or self.campaign.revision < self.ledger.settled:
            if self.ledger.tail:
                self.drop_tail()
            else:
                self.catch_up(self.ledger.span(self.campaign.revision + 1, self.ledger.settled))
            check_ledger(self.ledger, self.campaign.revision)
        self.vouch()
        self.publish()
        self.ledger = with_edits(self.books, self.ledger)

    def drop_tail(self) -> None:
        """Put aside what was appended and cut short; it was never said to be recorded.

        SystemRefused if it cannot be put aside.
        """
        aside = self.torn_name()
        with system_words(aside):
            if not os.path.exists(self.path(aside)):
                disk.replace(self.path(aside), self.ledger.tail, TEMPORARY)
            disk.truncate(self.path(LEDGER_NAME), self.ledger.end)
        size = len(self.ledger.tail)
        self.notes.append(f"{LEDGER_NAME}: {size} bytes of an unfinished entry were moved to {aside}")
        self.read()

    def torn_name(self) -> str:
        """Return the name of the file for the bytes that are put aside."""
        name = f"{LEDGER_NAME}.torn-{self.ledger.settled}"
        number = 1
        while os.path.exists(self.path(name)) and not self.holds_tail(name):
            number += 1
            name = f"{LEDGER_NAME}.torn-{self.ledger.settled}-{number}"
        return name

    def holds_tail(self, name: str) -> bool:
        """Say whether these bytes were put aside before."""
        return read_bytes(self.path(name), MOST_LEDGER_BYTES) == self.ledger.tail

    def catch_up(self, entries: Sequence[Entry]) -> None:
        """Bring campaign.toml up to the ledger, entry by entry, each value that is as it was before.

        NeedsUmpire names those that are not; SystemRefused if it cannot be written.
        """
        revision = entries[-1].revision
        content = content_caught_up(self.books, entries)
        with system_words(LEDGER_NAME):
            disk.sync(self.path(LEDGER_NAME))  # whoever wrote the entries may have died before that
        with system_words(NAME):
            self.put_state(content, revision, "nothing was recorded")
        self.notes.append(f"{NAME} was brought up to revision {revision}: {entries_as_words(entries)}")
        self.read()

    def commit(self, operations: Sequence[Operation]) -> list[Entry]:
        """Record the operations, all or none, and return their ledger entries.

        Refused or NeedsUmpire if they cannot be recorded, SystemRefused if a file cannot be written;
        the words say what is recorded all the same.
        """
        if not operations:
            return []
        ledger = self.ledger
        entries = grouped(self.numbered(operations), ledger.last_check)
        longer = extended(ledger, entries)
        seals_in(longer)
        content = self.content_after(entries)
        self.write_edits()
        for operation in operations:
            if operation.record:
                self.put_record(operation.entry.record, operation.record.encode("utf-8"))
        self.append(longer)
        self.replace(content, entries)
        self.vouch()
        return entries

    def numbered(self, operations: Sequence[Operation]) -> list[Entry]:
        """Return the entries with their revisions, and the umpire's lines of what is taken out."""
        found = []
        steps = [change for operation in operations for change in operation.entry.changes]
        kept = iter(with_lines(self.books.source.text, steps)[0])
        battles, now = edits.baseline(self.books.source.data, self.ledger), timestamp()
        for revision, operation in enumerate(operations, self.ledger.settled + 1):
            changes = list(islice(kept, len(operation.entry.changes)))
            found.append(
                operation.entry._replace(revision=revision, changes=changes, pending=battles, time=now)
            )
            battles = None
        return found

    def write_edits(self) -> None:
        """Append the entry that notes what was changed by hand; it stands whatever comes after it.

        SystemRefused if it cannot be written.
        """
        if self.written < len(self.ledger.raw):
            entry = self.ledger.entry(self.ledger.settled)
            self.append(self.ledger)
            lines = "; ".join(map(str, entry.changes[:3])) + "; and more" * (len(entry.changes) > 3)
            self.notes.append(f"changed by hand, noted as revision {entry.revision}: {lines}")

    def take_notes(self) -> list[str]:
        """Return what is to be told, and forget it."""
        notes, self.notes = self.notes, []
        return notes

    def vouch(self) -> None:
        """Write the checkpoint if much has been read that it does not vouch for."""
        count = len(self.ledger.heads)
        if count >= self.vouched + checkpoint.EVERY and not self.ledger.breaches:
            checkpoint.write_checkpoint(self.folder, self.ledger)
            self.vouched = count

    def content_after(self, entries: Sequence[Entry]) -> bytes:
        """Return campaign.toml as it is to be; Refused if it would not be sound.

        NeedsUmpire if it cannot be edited in place.
        """
        changes = merged(change for entry in entries for change in entry.changes)
        content = encoded(self.books.source, edited(self.books.source, changes, entries[-1].revision))
        parse_campaign(self.folder, NAME, content)
        return content

    def put_record(self, name: str, content: bytes) -> None:
        """Write a battle's record beside the others; NeedsUmpire if another stands there.

        Refused if its name leads out of the records, SystemRefused if it cannot be written.
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
        """Move a record out of the way that no entry of the ledger names; NeedsUmpire if one does."""
        if name in self.ledger.records:
            raise NeedsUmpire(f"{name} holds another battle of this name; move it away or import it")
        aside = disk.free_name(self.path(f"{name}.orphan"))
        disk.move(self.path(name), aside)
        told = f"{RECORDS}/{os.path.basename(aside)}"
        self.notes.append(f"{name} belongs to no battle in {LEDGER_NAME}; it was moved to {told}")

    def append(self, longer: Ledger) -> None:
        """Write what the longer ledger has more; when this returns it is recorded.

        SystemRefused if it cannot be written.
        """
        with nothing_recorded(LEDGER_NAME):
            disk.append(self.path(LEDGER_NAME), longer.raw[self.written :])
        self.written = len(longer.raw)
        self.ledger = longer

    def replace(self, content: bytes, entries: Sequence[Entry]) -> None:
        """Put the new campaign.toml in place of the old, unless that was edited meanwhile.

        SystemRefused if it cannot be written, NeedsUmpire if it was edited; what is recorded stands.
        """
        told = f"{entries_as_words(entries)} is recorded"
        try:
            self.put_state(content, entries[-1].revision, told)
        except (OSError, InvalidInput) as error:
            why = disk.reason(error) if isinstance(error, OSError) else str(error)
            raise SystemRefused(
                f"{told}; {NAME} could not be updated ({why}); the next command finishes it"
            ) from error
        self.raw = content
        self.books = with_draw(parse_campaign(self.folder, NAME, content), self.ledger)
        try:
            self.publish()
        except SystemRefused as error:
            raise SystemRefused(f"{told}; {error}; the next command finishes it") from error

    def publish(self) -> None:
        """Write seals.toml anew where the ledger says more of sealed dice than it does.

        NeedsUmpire if it says what the ledger does not; SystemRefused if it cannot be written.
        """
        seals = seals_in(self.ledger)
        if seals is None or not is_behind(self.folder, seals):
            return
        with system_words(SEALS_NAME):
            disk.replace(self.path(SEALS_NAME), seals_text(seals).encode("utf-8"), TEMPORARY)

    def put_state(self, content: bytes, revision: int, told: str) -> None:
        """Write campaign.toml anew; NeedsUmpire if another program saved it since it was read.

        `told` says in the error what is recorded.
        """
        path = os.path.realpath(self.path(NAME))
        try:
            overtaken = disk.replace_unchanged(path, content, self.raw, TEMPORARY)
        except disk.Changed:
            raise NeedsUmpire(
                f"{told}; {NAME} was saved by another program at the same time and is left alone: "
                "the next command brings it up to date"
            ) from None
        if overtaken:
            aside = disk.free_name(f"{path}.overtaken-{revision}")
            disk.move(overtaken, aside)
            raise NeedsUmpire(
                f"{told}; another program saved {NAME} in the same moment: what it saved is kept as "
                f"{clean(os.path.basename(aside))}; bring over from it into {NAME} what you changed"
            )


def content_caught_up(books: CampaignFile, entries: Sequence[Entry]) -> bytes:
    """Return campaign.toml brought up to these entries, each value that is as it was before them.

    NeedsUmpire names the values that are not; Refused if the result would not be sound.
    """
    steps = [change for entry in entries for change in entry.changes]
    changes = caught_up(books.source.data, steps)
    content = encoded(books.source, edited(books.source, changes, entries[-1].revision))
    parse_campaign(books.folder, NAME, content)
    return content


def is_behind(folder: str, seals: Seals) -> bool:
    """Say whether the campaign's seals.toml says less than the ledger does.

    NeedsUmpire if it says anything else; Refused lists its mistakes.
    """
    path = os.path.join(folder, SEALS_NAME)
    if not os.path.lexists(path):
        return True
    told = read_seals(read_toml(path))
    ahead = find_alterations(told, seals)
    if ahead:
        raise NeedsUmpire(
            f"{SEALS_NAME} is not as {LEDGER_NAME} has it: {listed(ahead[:3])}; restore from a copy "
            "whichever of the two was changed"
        )
    return bool(find_alterations(seals, told))


def with_edits(books: CampaignFile, ledger: Ledger) -> Ledger:
    """Return the ledger with the entry that notes what was changed by hand, if anything was."""
    settled = ledger.settled == books.campaign.revision and not ledger.tail
    entry = edits.noted(books.source.data, ledger) if settled else None
    if entry is None:
        return ledger
    numbered = entry._replace(revision=ledger.settled + 1, time=timestamp())
    return extended(ledger, grouped([numbered], ledger.last_check))


def extended(ledger: Ledger, entries: Sequence[Entry]) -> Ledger:
    """Return the ledger with these entries appended; NeedsUmpire if it does not take them."""
    text = "".join(map(entry_text, entries))
    if not ledger.raw:
        text = LEDGER_HEADING + text
    elif ledger.raw[-1:] != b"\n":
        text = "\n" + text
    longer = scan_ledger(ledger.raw + text.encode("utf-8"), ledger)
    if longer.damage is not None or longer.settled != entries[-1].revision:
        raise NeedsUmpire(f"the ledger does not take entry {entries[0].revision}; nothing was recorded")
    if len(longer.breaches) > len(ledger.breaches):
        raise NeedsUmpire(f"{longer.breaches[-1]}; nothing was recorded")
    return longer


def entries_as_words(entries: Sequence[Entry]) -> str:
    """Return what was recorded, as `battle t4-shrewsbury`."""
    words = [f"{entry.kind} {entry.id}".rstrip() for entry in entries]
    return listed(words) if len(words) < 4 else f"{words[0]} and {len(words) - 1} more"


def check_ledger(ledger: Ledger, revision: int) -> None:
    """Raise NeedsUmpire if the state cannot be brought up to the ledger."""
    mistake = ledger_mistake(ledger, revision)
    if mistake:
        raise NeedsUmpire(mistake)


def ledger_mistake(ledger: Ledger, revision: int) -> str:
    """Say how ledger and state differ beyond repair, or return the empty string."""
    behind = ledger.heads[revision : ledger.settled]
    is_even = revision <= ledger.settled and all(head.kind == edits.KIND for head in behind)
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
    if revision > ledger.settled:
        return (
            f"{NAME} is at revision {revision}, but {LEDGER_NAME} has only {ledger.settled} entries; "
            "restore the ledger from a copy"
        )
    return ""


@contextlib.contextmanager
def open_for_writing(folder: str) -> Iterator[Transaction]:
    """Open a campaign for writing; signals wait until the block is left, message and all.

    Refused lists all mistakes of its files; NeedsUmpire if its ledger is damaged; InUse if another
    process keeps it over 10 seconds; SystemRefused if it may not be written.
    """
    for name in (NAME, LEDGER_NAME):
        disk.refuse_write_protected(os.path.join(folder, name))
    with locked(folder), signals_deferred():
        desk = Transaction(folder)
        desk.repair()
        yield desk


def commit(
    folder: str,
    kind: str,
    changes: Sequence[Change],
    *,
    id: str = "",
    record: str = "",
    digest: str = "",
    reason: str = "",
) -> list[Entry]:
    """Record one change that was computed before; NeedsUmpire if a value differs by now."""
    name = f"{RECORDS}/{id}.toml" if record else ""
    entry = Entry(0, kind, list(changes), id=id, record=name, digest=digest, reason=reason)
    with open_for_writing(folder) as desk:
        changed(desk.books.source.data, changes)
        return desk.commit([Operation(entry, record)])


@contextlib.contextmanager
def locked(folder: str, wait: float | None = None) -> Iterator[None]:
    """Hold the campaign's lock; InUse if another process keeps it over `wait` seconds, by default WAIT.

    SystemRefused if the system cannot lock it.
    """
    from filelock import FileLock, Timeout

    timeout = WAIT if wait is None else wait
    lock = FileLock(os.path.join(folder, LOCK), timeout=timeout, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise InUse("the campaign is in use by another process; try again when that is done") from None
    except OSError as error:
        raise SystemRefused(f"the campaign cannot be locked for writing: {disk.reason(error)}") from error
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def system_words(name: str) -> Iterator[None]:
    """Turn the system's refusal to write a file, an OSError, into SystemRefused in our words."""
    try:
        yield
    except OSError as error:
        raise SystemRefused(f"{clean(name)} cannot be written: {disk.reason(error)}") from error


@contextlib.contextmanager
def nothing_recorded(name: str) -> Iterator[None]:
    """Turn the system's refusal before the commit point, an OSError, into SystemRefused.

    It says that nothing was recorded, or of AppendNotUndone that this is not known.
    """
    try:
        yield
    except disk.AppendNotUndone as error:
        raise SystemRefused(
            f"{name} cannot be written ({disk.reason(error)}) nor set back; "
            "whether it was recorded the next command finds out"
        ) from error
    except OSError as error:
        raise SystemRefused(
            f"{clean(name)} cannot be written: {disk.reason(error)}; nothing was recorded"
        ) from error
