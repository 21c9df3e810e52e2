"""Run an engine as a process, exchange messages with it, and enforce deadlines.

Reading and writing can block, so another thread watches the deadline. If the engine is late, this thread asks
the engine to answer immediately. If the engine still does not answer, the thread kills it, so that the
blocked call returns.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from math import inf
from time import monotonic
from typing import IO

from cardbattle.commanders.ranks import CommanderFailed
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean, quoted
from cardbattle.engines.definitions import Engine, environment_for_engines, program_of
from cardbattle.engines.protocol import (
    INVALID_MESSAGE,
    LONGEST_LINE,
    TO_HOST,
    UNKNOWN_MESSAGE,
    Message,
    ProtocolError,
    decode,
    encode,
    error_message,
)

GRACE = 0.5  # seconds between the message `stop` and the end of a late engine
POLL = 0.01  # seconds between two checks of the deadline
PARTING = 1.0  # seconds within which an engine must end after `quit`
SHOWN_ERROR = 200  # number of printed characters from the last line of the engine's standard error

LogLine = Callable[[str], None]


def no_log(line: str) -> None:
    """Do nothing. This is the default function for logging."""


class EngineProcess:
    """A running engine.

    A temporary file collects the standard error of the engine. If the engine fails, the error message quotes
    the last line of this file.
    """

    def __init__(self, engine: Engine, log: LogLine = no_log) -> None:
        """Start the program of the engine. Raises UsageError if the program cannot be started."""
        command = program_of(engine)
        self.engine = engine
        self.log = log
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.deadline = inf  # seconds of the monotonic clock
        self.grace = GRACE
        self.stop: Message = {"type": "stop"}
        self.is_late = False  # True after `stop` was sent for the current question
        self.was_killed = False
        self.has_written = False  # True after the engine has written a line
        self.is_closed = threading.Event()
        self.unknown = ""  # the last message of an unknown type that the engine has sent
        self.code: int | None = None  # the engine's exit code, once the process is closed
        try:
            self.child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                env=environment_for_engines(),
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            self.errors.close()
            raise UsageError(f"engine {engine.name} cannot be started: {error.strerror}") from None
        threading.Thread(target=self.watch, daemon=True).start()

    @property
    def is_running(self) -> bool:
        """True if the process is running and can answer questions."""
        return not self.is_closed.is_set() and not self.was_killed and self.child.poll() is None

    @property
    def reader(self) -> IO[bytes]:
        assert self.child.stdout is not None
        return self.child.stdout

    @property
    def writer(self) -> IO[bytes]:
        assert self.child.stdin is not None
        return self.child.stdin

    def watch(self) -> None:
        """Enforce the deadline until the process is closed. This method runs in a separate thread."""
        while not self.is_closed.wait(POLL):
            current_time = monotonic()
            if current_time > self.deadline + self.grace:
                self.was_killed = True
                self.kill()
                return
            if current_time > self.deadline and not self.is_late:
                self.is_late = True
                threading.Thread(target=self.send_stop, daemon=True).start()  # can block if the pipe is full

    def send_stop(self) -> None:
        """Ask the engine to answer immediately."""
        with suppress(OSError, ValueError):
            self.write(encode(self.stop))

    def kill(self) -> None:
        """Kill the process and its child processes."""
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self.child.pid, signal.SIGKILL)
            else:
                self.child.kill()

    def send(self, message: Message) -> None:
        """Send a message to the engine. Raises CommanderFailed if the engine has ended."""
        self.send_line(encode(message))

    def send_line(self, line: bytes) -> None:
        """Send an encoded message to the engine. Raises CommanderFailed if the engine has ended."""
        try:
            self.write(line)
        except (OSError, ValueError):
            raise self.failure() from None

    def write(self, line: bytes) -> None:
        self.log_line(">", line)
        self.writer.write(line)
        self.writer.flush()

    def log_line(self, direction: str, line: bytes) -> None:
        """Log a message. The direction `>` means to the engine, and `<` means from the engine."""
        if self.log is not no_log:
            self.log(f"{self.engine.name} {direction} {line.decode('utf-8', 'replace').rstrip()}")

    def allow(self, seconds: float, stop: Message | None = None) -> None:
        """Set the deadline for the next messages from the engine.

        The deadline is this number of seconds from now. If the engine is late, the message `stop` is sent to
        it.
        """
        self.is_late = False
        self.stop = stop or {"type": "stop"}
        self.deadline = monotonic() + seconds

    def receive(self) -> dict[str, object]:
        """Wait for the next message from the engine, and return it.

        If the type of a message is unknown, the method answers with a message `error` and waits for the next
        one.

        Raises CommanderFailed if a line is not a message, if the engine has ended, or if it was killed
        because it was late.
        """
        while True:
            try:
                line = self.reader.readline(LONGEST_LINE + 1)
            except (OSError, ValueError):
                line = b""
            if line:
                self.has_written = True
                self.log_line("<", line)
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                self.skip_line()
                with suppress(CommanderFailed):
                    self.send(error_message(INVALID_MESSAGE, f"expected at most {LONGEST_LINE:,} bytes"))
                text = f"sent a message of more than {LONGEST_LINE:,} bytes"
                raise CommanderFailed(self.engine.name, text)
            if not line.endswith(b"\n"):
                raise self.failure()
            try:
                return decode(line, TO_HOST)
            except ProtocolError as error:
                self.send(error_message(error.code, str(error)))
                if error.code != UNKNOWN_MESSAGE:
                    raise CommanderFailed(self.engine.name, f"sent {quoted(clean_line(line))}") from None
                self.unknown = clean_line(line)

    def skip_line(self) -> None:
        """Read and discard the rest of a line that is too long. Stop at the deadline."""
        with suppress(OSError, ValueError):
            while part := self.reader.readline(LONGEST_LINE):
                if part.endswith(b"\n"):
                    return

    def failure(self) -> CommanderFailed:
        """Return an error that says how the engine ended."""
        if self.was_killed:
            hint = "" if self.has_written else "; it wrote nothing (flush the output after each message)"
            return CommanderFailed(self.engine.name, f"did not answer in time and was ended{hint}")
        with suppress(subprocess.TimeoutExpired):
            self.child.wait(PARTING)
        code = self.child.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        last = self.last_error().removesuffix(".")  # the error ends a sentence in reports
        return CommanderFailed(self.engine.name, f"{how}{f': {last}' if last else ''}")

    def last_error(self) -> str:
        """Return the last line that the engine wrote to standard error."""
        try:
            size = self.errors.seek(0, os.SEEK_END)
            self.errors.seek(max(0, size - 10_000))
            lines = self.errors.read().decode("utf-8", "replace").split("\n")
        except (OSError, ValueError):
            return ""
        return clean(next((line for line in reversed(lines) if line.strip()), "").strip()[:SHOWN_ERROR])

    def close(self) -> int | None:
        """Send the message `quit`, end the process, and return the exit code.

        Returns None if the process had to be killed.

        If the method was called before, it only returns the exit code.
        """
        if self.is_closed.is_set():
            return self.code
        self.allow(PARTING)
        with suppress(CommanderFailed):
            self.send({"type": "quit"})
        with suppress(OSError):
            self.writer.close()
        with suppress(subprocess.TimeoutExpired):
            self.code = self.child.wait(PARTING)
        self.is_closed.set()
        self.kill()
        self.child.wait()
        self.reader.close()
        self.errors.close()
        return self.code


def clean_line(line: bytes) -> str:
    """Return the first 60 characters of a line in a form that is safe to print."""
    return clean(line.decode("utf-8", "replace").strip())[:60]
