"""One running engine: a process that reads and writes messages, with deadlines.

Reading and writing block. A second thread watches the deadline: it asks an engine that is late to answer at
once, and kills one that still does not, which ends the blocked call.
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
from cardbattle.engines.definitions import Engine, limited_environment, program_of
from cardbattle.engines.protocol import (
    LONGEST_LINE,
    TO_HOST,
    UNKNOWN_MESSAGE,
    Message,
    ProtocolError,
    decode,
    encode,
    error_message,
)

GRACE = 0.5  # seconds between the message `stop` and the end of the engine
POLL = 0.01  # seconds between two looks at the deadline
PARTING = 1.0  # seconds that an engine has to end after `quit`
SHOWN_ERROR = 200  # characters of the last line of the engine's own errors

LogLine = Callable[[str], None]


def no_log(line: str) -> None:
    """Log nothing."""


class EngineProcess:
    """A running engine. Its standard error is kept in a temporary file, for reports of failures."""

    def __init__(self, engine: Engine, log: LogLine = no_log) -> None:
        """Start the program. Raises UsageError if it cannot be started."""
        command = program_of(engine)
        self.engine = engine
        self.log = log
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.deadline = inf  # monotonic clock, seconds
        self.grace = GRACE
        self.stop: Message = {"type": "stop"}
        self.is_late = False  # True once `stop` was sent for the current question
        self.was_killed = False
        self.is_closed = threading.Event()
        self.code: int | None = None  # exit code, once the process is closed
        try:
            self.child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                env=limited_environment(),
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            self.errors.close()
            raise UsageError(f"engine {engine.name} cannot be started: {error.strerror}") from None
        threading.Thread(target=self.watch, daemon=True).start()

    def __repr__(self) -> str:
        return f"<EngineProcess {self.engine.name}: {'running' if self.is_running else 'ended'}>"

    @property
    def is_running(self) -> bool:
        """Whether the process runs and can be asked."""
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
        """Enforce the deadline until the process is closed."""
        while not self.is_closed.wait(POLL):
            now = monotonic()
            if now > self.deadline + self.grace:
                self.was_killed = True
                self.kill()
                return
            if now > self.deadline and not self.is_late:
                self.is_late = True
                threading.Thread(target=self.send_stop, daemon=True).start()  # can block if the pipe is full

    def send_stop(self) -> None:
        """Tell the engine to answer at once."""
        with suppress(OSError, ValueError):
            self.write(encode(self.stop))

    def kill(self) -> None:
        """End the process and its children at once."""
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self.child.pid, signal.SIGKILL)
            else:
                self.child.kill()

    def send(self, message: Message) -> None:
        """Send a message. Raises CommanderFailed if the engine has ended."""
        self.send_line(encode(message))

    def send_line(self, line: bytes) -> None:
        """Send a message that is already encoded. Raises CommanderFailed if the engine has ended."""
        try:
            self.write(line)
        except (OSError, ValueError):
            raise self.failure() from None

    def write(self, line: bytes) -> None:
        self.log_line(">", line)
        self.writer.write(line)
        self.writer.flush()

    def log_line(self, direction: str, line: bytes) -> None:
        """Log a message to (`>`) or from (`<`) the engine, if there is a log."""
        if self.log is not no_log:
            self.log(f"{self.engine.name} {direction} {line.decode('utf-8', 'replace').rstrip()}")

    def allow(self, seconds: float, stop: Message | None = None) -> None:
        """Set the deadline of the next messages; `stop` is sent at the deadline."""
        self.is_late = False
        self.stop = stop or {"type": "stop"}
        self.deadline = monotonic() + seconds

    def receive(self) -> dict[str, object]:
        """Return the next message of the engine; a line that is no message gets an `error` as its answer.

        Raises CommanderFailed if the engine has ended, or was killed at the deadline.
        """
        while True:
            try:
                line = self.reader.readline(LONGEST_LINE)
            except (OSError, ValueError):
                line = b""
            if not line:
                raise self.failure()
            self.log_line("<", line)
            if not line.endswith(b"\n"):
                raise CommanderFailed(self.engine.name, f"sent a line of over {LONGEST_LINE} bytes")
            try:
                return decode(line, TO_HOST)
            except ProtocolError as error:
                self.send(error_message(error.code, str(error)))
                if error.code != UNKNOWN_MESSAGE:
                    raise CommanderFailed(self.engine.name, f"sent {quoted(clean_line(line))}") from None

    def failure(self) -> CommanderFailed:
        """Return the error for an engine that has ended."""
        if self.was_killed:
            return CommanderFailed(self.engine.name, "did not answer in time and was ended")
        with suppress(subprocess.TimeoutExpired):
            self.child.wait(PARTING)
        code = self.child.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        last = self.last_error()
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
        """Send `quit`, end the process, and return its exit code; None if it had to be killed.

        Closing it again only returns the exit code.
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
    """Return the beginning of a line for an error."""
    return clean(line.decode("utf-8", "replace").strip())[:60]
