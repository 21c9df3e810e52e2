"""Store the finished battles of a batch on disk, so that long batches need little memory.

Each battle is one line of JSON. If the batch has a results file, the lines are in a journal beside this file,
from which an interrupted batch can be continued. If the batch has no results file, the lines are in a
temporary file.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import tempfile
from array import array
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import BinaryIO, NamedTuple, Protocol, cast
from weakref import finalize

from cardbattle.core.errors import InvalidInput
from cardbattle.files import disk
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.version import __version__

IN_MEMORY = 1_000_000  # number of bytes kept in memory before a temporary file is created
FORMAT = 2  # format of the journal; format 1 had the number of each battle, not its hash
MISSING, REFUSED, FOUGHT, RECORDED = range(4)  # the possible states of a battle
JOURNAL_KEYS = ("battle", "result", "record", "mistakes")


class FinishedBattle(NamedTuple):
    """The outcome of one battle of a batch, which is its result and its record, or its errors.

    `is_unexpected` is True if a bug in the program caused the error, and not a mistake in the battle's table.
    """

    result: dict[str, object]
    record: str
    errors: list[tuple[str, tuple[str | int, ...]]]
    is_unexpected: bool = False


def finished_line(digest: str, outcome: FinishedBattle) -> str:
    """Format a finished battle as a line of JSON, without the line ending.

    `digest` is the hash of the battle, or empty if the line is found only by its offset.
    """
    fields = dict(zip(JOURNAL_KEYS, (digest, *outcome[:3]), strict=True))
    return json.dumps({**fields, "is_unexpected": outcome.is_unexpected}, ensure_ascii=False)


def parse_finished_line(line: bytes) -> tuple[str, FinishedBattle]:
    """Parse a line, and return the hash and the outcome of the battle.

    Raises ValueError if the line is not valid.
    """
    data = json.loads(line)
    digest, result, record, errors = (
        data.get(key) if isinstance(data, dict) else None for key in JOURNAL_KEYS
    )
    if not isinstance(digest, str) or not isinstance(result, dict) or not isinstance(errors, list):
        raise ValueError("this line is not a battle")
    is_unexpected = bool(data.get("is_unexpected"))
    return digest, FinishedBattle(
        result, str(record), [(text, tuple(at)) for text, at in errors], is_unexpected
    )


class Lines:
    """Finished battles in a temporary file, with one battle on each line."""

    def __init__(self) -> None:
        self.file = cast(BinaryIO, tempfile.SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115
        finalize(self, self.file.close)  # before the file's own finalizer, even in a reference cycle

    def add(self, number: int, outcome: FinishedBattle) -> int:
        """Add a finished battle, and return the offset of its line in the file."""
        place = self.file.seek(0, os.SEEK_END)
        self.file.write(f"{finished_line('', outcome)}\n".encode())
        return place

    def line(self, place: int) -> bytes:
        self.file.seek(place)
        return self.file.readline()


class Finished(MutableMapping[int, FinishedBattle]):
    """A mapping from the numbers of battles to their outcomes.

    Each outcome takes nine bytes of memory. Its details are stored on disk, in `lines`.
    """

    def __init__(self, battles: int, lines: Lines | Journal | None = None) -> None:
        self.lines = Lines() if lines is None else lines
        self.states = bytearray(battles)
        self.places = array("Q", bytes(8 * battles))

    def __setitem__(self, number: int, outcome: FinishedBattle) -> None:
        self.note(number, outcome, self.lines.add(number, outcome))

    def note(self, number: int, outcome: FinishedBattle, place: int) -> None:
        """Register a finished battle whose line is already stored in the file, at the offset `place`."""
        self.states[number] = REFUSED if not outcome.result else RECORDED if outcome.record else FOUGHT
        self.places[number] = place

    def __getitem__(self, number: int) -> FinishedBattle:
        if number not in self:
            raise KeyError(number)
        return parse_finished_line(self.lines.line(self.places[number]))[1]

    def __delitem__(self, number: int) -> None:
        self.states[number] = MISSING

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and 0 <= number < len(self.states) and bool(self.states[number])

    def __iter__(self) -> Iterator[int]:
        return (number for number, state in enumerate(self.states) if state)

    def __len__(self) -> int:
        return len(self.states) - self.states.count(MISSING)

    @property
    def fought(self) -> array[int]:
        """The numbers of the battles that were fought."""
        return array("Q", (number for number, state in enumerate(self.states) if state >= FOUGHT))

    @property
    def refused_numbers(self) -> list[int]:
        """The numbers of the battles that were rejected because of errors."""
        return [number for number, state in enumerate(self.states) if state == REFUSED]

    @property
    def has_records(self) -> bool:
        return RECORDED in self.states


class JournaledBatch(Protocol):
    """The attributes of a batch that a journal needs."""

    @property
    def seed(self) -> int | str:
        """The seed of the batch."""

    @property
    def entries(self) -> Sequence[object]:
        """The battles of the batch."""

    def digest(self, number: int) -> str:
        """Return a hash of one battle."""


class Journal:
    """The journal of an unfinished batch, a file that has a line of JSON for each finished battle.

    The first line of the journal has the version of the program and the seed of the batch. A journal can be
    continued only if both are still the same. Each other line has the hash of its battle. If a battle was
    changed or removed in the input file, its line is ignored, so that a changed batch can be continued too.
    """

    def __init__(self, path: str, batch: JournaledBatch, wants_records: bool) -> None:
        self.path = path
        self.wants_records = wants_records
        self.batch = batch
        self.head = {
            "format": FORMAT,
            "program": __version__,
            "seed": batch.seed,
            "records": wants_records,
        }
        self.reader: io.BufferedReader | None = None
        self.valid = 0  # number of bytes up to the end of the last complete line

    def __del__(self) -> None:
        self.close()

    def read(self) -> Finished:
        """Return the finished battles in the journal that are still in the batch.

        Raises InvalidInput if the journal cannot be read or belongs to another batch.
        """
        battles = len(self.batch.entries)
        finished, place = Finished(battles, self), 0
        numbers: dict[str, int] = {}
        self.valid = 0
        for line in journal_lines(self.path):
            try:
                if place:
                    digest, outcome = parse_finished_line(line)
                    numbers = numbers or {self.batch.digest(number): number for number in range(battles)}
                    if digest in numbers:
                        finished.note(numbers[digest], outcome, place)
                else:
                    self.check_head(json.loads(line))
            except (ValueError, TypeError, IndexError):
                break
            place += len(line)
            self.valid = place
        return finished

    def check_head(self, head: object) -> None:
        """Raise an InvalidInput if the first line of the journal is of another version or batch."""
        read = head if isinstance(head, dict) else {}
        if read == self.head:
            return
        if [read.get(key) for key in ("format", "program")] != [FORMAT, __version__]:
            problem, remedy = (
                "another version of cardbattle wrote these battles",
                "finish them with that version",
            )
        elif read.get("seed") != self.batch.seed:
            seed = read.get("seed")
            problem = f"these battles have seed {seed}, not {self.batch.seed}"
            remedy = f"continue with --seed {shlex.quote(str(seed))}"
        elif self.wants_records:
            problem, remedy = "these battles have no records", "leave out --records"
        else:
            problem, remedy = "these battles have records", "add --records"
        text = f"{problem}; {remedy}, or leave out --resume to fight all battles again"
        raise InvalidInput([PlacedDiagnostic(text, file=self.path, line=1)])

    def begin(self, finished: Mapping[int, FinishedBattle]) -> None:
        """Prepare the journal for new battles.

        If the journal already has the battles in `finished`, remove only an incomplete last line. Otherwise,
        write these battles to a new file. Raises SystemFailure if the journal cannot be written.
        """
        self.close()
        if isinstance(finished, Finished) and finished.lines is self and len(finished):
            try:
                os.truncate(self.path, self.valid)
            except OSError as error:
                disk.refuse(self.path, error)
            return
        disk.write_text(self.path, f"{json.dumps(self.head)}\n")
        for number, outcome in finished.items():
            self.add(number, outcome)

    def add(self, number: int, outcome: FinishedBattle) -> int:
        """Append one finished battle to the journal, and return the offset of its line.

        Raises SystemFailure if the journal cannot be written.
        """
        try:
            with open(self.path, "ab") as file:
                place = file.tell()
                file.write(f"{finished_line(self.batch.digest(number), outcome)}\n".encode())
                return place
        except OSError as error:
            disk.refuse(self.path, error)

    def line(self, place: int) -> bytes:
        """Return the line at an offset in the journal. Raises InvalidInput if the journal cannot be read."""
        try:
            if self.reader is None:
                self.reader = open(self.path, "rb")  # noqa: SIM115
            self.reader.seek(place)
            return self.reader.readline()
        except OSError as error:
            raise unreadable(self.path, error) from None

    def close(self) -> None:
        reader = self.__dict__.get("reader")
        if reader is not None:
            reader.close()
        self.reader = None

    def end(self) -> None:
        """Remove the journal. Call this method after the results have been written."""
        self.close()
        disk.remove(self.path)


def journal_lines(path: str) -> Iterator[bytes]:
    """Yield the complete lines of a journal.

    A missing file counts as empty. Raises InvalidInput if the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            yield from (line for line in file if line.endswith(b"\n"))
    except FileNotFoundError:
        return
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: str, error: OSError) -> InvalidInput:
    """Return the error for a journal that cannot be read."""
    return InvalidInput([PlacedDiagnostic(f"the journal cannot be read: {disk.reason(error)}", file=path)])


def last_seed(path: str) -> int | str | None:
    """Return the seed of the batch that a journal belongs to, or None if the journal does not exist.

    Raises InvalidInput if the journal cannot be read.
    """
    for line in journal_lines(path):
        try:
            seed = json.loads(line)["seed"]
        except (ValueError, TypeError, LookupError):
            return None
        return seed if isinstance(seed, int | str) else None
    return None


def saved_battles(path: str) -> int:
    """Return the number of complete lines of battles in a journal, or 0 if it does not exist.

    Raises InvalidInput if the journal cannot be read.
    """
    return max(0, sum(1 for _ in journal_lines(path)) - 1)
