"""Store the finished battles of a batch on disk, so that a batch of any length needs little memory.

Each battle is one line of JSON. With a results file, the lines are in a journal beside it, from which an
interrupted batch can continue; otherwise they are in a temporary file.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from array import array
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import BinaryIO, NamedTuple, Protocol, cast
from weakref import finalize

from cardbattle.core.errors import InvalidInput
from cardbattle.files import disk
from cardbattle.files.errors import PlacedDiagnostic
from cardbattle.version import __version__

IN_MEMORY = 1_000_000  # bytes of a temporary file
MISSING, REFUSED, FOUGHT, RECORDED = range(4)  # the state of a battle
JOURNAL_KEYS = ("number", "result", "record", "mistakes")


class FinishedBattle(NamedTuple):
    """The result of one battle: its result and record as text, or the errors that prevented it.

    `is_unexpected` marks an internal error, which the user did not cause.
    """

    result: dict[str, object]
    record: str
    errors: list[tuple[str, tuple[str | int, ...]]]
    is_unexpected: bool = False


def finished_line(number: int, outcome: FinishedBattle) -> str:
    """Format a finished battle as a line, without the line end."""
    fields = dict(zip(JOURNAL_KEYS, (number, *outcome[:3]), strict=True))
    return json.dumps({**fields, "is_unexpected": outcome.is_unexpected}, ensure_ascii=False)


def parse_finished_line(line: bytes) -> tuple[int, FinishedBattle]:
    """Return the number and the result of a battle; ValueError if the line is not valid."""
    data = json.loads(line)
    number, result, record, errors = (
        data.get(key) if isinstance(data, dict) else None for key in JOURNAL_KEYS
    )
    if type(number) is not int or not isinstance(result, dict) or not isinstance(errors, list):
        raise ValueError("this line is not a battle")
    is_unexpected = bool(data.get("is_unexpected"))
    return number, FinishedBattle(
        result, str(record), [(text, tuple(at)) for text, at in errors], is_unexpected
    )


class Lines:
    """Lines of a temporary file."""

    def __init__(self) -> None:
        self.file = cast(BinaryIO, tempfile.SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115
        finalize(self, self.file.close)  # before the file's own finalizer, even in a reference cycle

    def add(self, number: int, outcome: FinishedBattle) -> int:
        """Add a finished battle; return the offset of its line."""
        place = self.file.seek(0, os.SEEK_END)
        self.file.write(f"{finished_line(number, outcome)}\n".encode())
        return place

    def line(self, place: int) -> bytes:
        """Return the line at an offset."""
        self.file.seek(place)
        return self.file.readline()


class Finished(MutableMapping[int, FinishedBattle]):
    """The results of a batch's battles, by number: nine bytes each in memory, the rest in `lines`."""

    def __init__(self, battles: int, lines: Lines | Journal | None = None) -> None:
        self.lines = Lines() if lines is None else lines
        self.states = bytearray(battles)
        self.places = array("Q", bytes(8 * battles))

    def __repr__(self) -> str:
        return f"<Finished: {len(self)} of {len(self.states)} battles>"

    def __setitem__(self, number: int, outcome: FinishedBattle) -> None:
        self.note(number, outcome, self.lines.add(number, outcome))

    def note(self, number: int, outcome: FinishedBattle, place: int) -> None:
        """Register a battle whose line is already in the file."""
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
        """The numbers of the battles that have a result."""
        return array("Q", (number for number, state in enumerate(self.states) if state >= FOUGHT))

    @property
    def refused_numbers(self) -> list[int]:
        """The numbers of the battles with errors."""
        return [number for number, state in enumerate(self.states) if state == REFUSED]

    @property
    def has_records(self) -> bool:
        """Whether any battle has a record."""
        return RECORDED in self.states


class JournaledBatch(Protocol):
    """The properties of a batch that its journal needs."""

    @property
    def content_hash(self) -> str:
        """The hash of the batch's content and seed."""

    @property
    def seed(self) -> int | str:
        """The batch's seed."""

    @property
    def entries(self) -> Sequence[object]:
        """The battles of the batch."""


class Journal:
    """The finished battles of an unfinished batch, one line of JSON each, beside the results.

    Its first line has the program version, the batch's content hash and its seed; it is valid only for these.
    """

    def __init__(self, path: str, batch: JournaledBatch, wants_records: bool) -> None:
        self.path = path
        self.wants_records = wants_records
        self.head = {
            "program": __version__,
            "batch": batch.content_hash,
            "seed": batch.seed,
            "battles": len(batch.entries),
            "records": wants_records,
        }
        self.reader: io.BufferedReader | None = None
        self.valid = 0  # bytes up to the end of the last complete line

    def __del__(self) -> None:
        self.close()

    def read(self) -> Finished:
        """Return the finished battles.

        Raises InvalidInput if the journal is unreadable or belongs to another batch.
        """
        battles = self.head["battles"]
        assert isinstance(battles, int)
        finished, place = Finished(battles, self), 0
        self.valid = 0
        for line in journal_lines(self.path):
            try:
                if place:
                    number, outcome = parse_finished_line(line)
                    finished.note(number, outcome, place)
                elif json.loads(line) != self.head:
                    self.refuse()
            except (ValueError, TypeError, IndexError):
                break
            place += len(line)
            self.valid = place
        return finished

    def refuse(self) -> None:
        """Raise InvalidInput for the journal of another batch."""
        text = "this journal is of another batch, seed or version; remove it, or begin without --resume"
        raise InvalidInput([PlacedDiagnostic(text, file=self.path, line=1)])

    def begin(self, finished: Mapping[int, FinishedBattle]) -> None:
        """Rewrite the journal with only the complete lines. Raises SystemFailure."""
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
        """Append one finished battle, and return the offset of its line. Raises SystemFailure."""
        try:
            with open(self.path, "ab") as file:
                place = file.tell()
                file.write(f"{finished_line(number, outcome)}\n".encode())
                return place
        except OSError as error:
            disk.refuse(self.path, error)

    def line(self, place: int) -> bytes:
        """Return the line at an offset. Raises InvalidInput if the journal cannot be read."""
        try:
            if self.reader is None:
                self.reader = open(self.path, "rb")  # noqa: SIM115
            self.reader.seek(place)
            return self.reader.readline()
        except OSError as error:
            raise unreadable(self.path, error) from None

    def close(self) -> None:
        """Close the file."""
        reader = self.__dict__.get("reader")
        if reader is not None:
            reader.close()
        self.reader = None

    def end(self) -> None:
        """Remove the journal once the results are written."""
        self.close()
        disk.remove(self.path)


def journal_lines(path: str) -> Iterator[bytes]:
    """Yield the complete lines of a journal; nothing if it does not exist.

    Raises InvalidInput if it cannot be read.
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
    """Return the seed of a journal's batch, or None. Raises InvalidInput if it cannot be read."""
    for line in journal_lines(path):
        try:
            seed = json.loads(line)["seed"]
        except (ValueError, TypeError, LookupError):
            return None
        return seed if isinstance(seed, int | str) else None
    return None
