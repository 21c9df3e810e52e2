"""Run one command, and turn every error into one line on standard error and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType

import typer

from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.cli.root import command_line
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.cli.shell.usage_errors import usage_error_text
from cardbattle.cli.streams import (
    abandon_output,
    is_output_error,
    replace_closed_streams,
    say,
    silence,
    wrap_for,
)
from cardbattle.core.errors import CardbattleError, Diagnostic, InvalidInput, Remark
from cardbattle.core.names import clean
from cardbattle.files import disk
from cardbattle.files.errors import SystemFailure


class Terminated(BaseException):
    """Raised when the operating system asks the program to stop with the signal SIGTERM."""


def terminate(number: int, frame: FrameType | None) -> None:
    """Handle SIGTERM: raise Terminated, so that `with` and `finally` blocks clean up as usual."""
    raise Terminated


@contextmanager
def handle_termination() -> Iterator[None]:
    """Raise Terminated if the signal SIGTERM arrives while the `with` block runs."""
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run(arguments: list[str]) -> int:
    """Run one command, print its errors on standard error, and return the exit code."""
    replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with handle_termination():
            return flush_output(run_command(arguments))
    except KeyboardInterrupt:
        say("cardbattle: interrupted\n")
        return 130
    except Terminated:
        return 143


def run_command(arguments: list[str]) -> int:
    """Run one command and return the exit code. Standard output is not flushed."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = warn
            warnings.simplefilter("always", Remark)
            command = command_line()
            with command.make_context("cardbattle", list(arguments)) as context:
                command.invoke(context)
        return 0
    except typer.Exit as request:
        return request.exit_code
    except CardbattleError as error:
        return report_error(error)
    except typer.Abort:
        return 130
    except BrokenPipeError:
        return abandon_output()
    except OSError as error:
        return report_os_error(error)
    except Exception as error:  # users never see a traceback
        return report_unexpected(error, arguments)


def flush_output(code: int) -> int:
    """Flush standard output, and return the exit code of the program.

    This is `code`, or 6 (a system failure) if `code` is 0 and standard output cannot be written.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return code or abandon_output()
    except OSError as error:
        return code or report_os_error(error)
    return code


def report_os_error(error: OSError) -> int:
    """Print an error of the operating system, discard unwritten output, and return the exit code 6."""
    problem = (
        "standard output cannot be written"
        if is_output_error(error)
        else "the operating system reported an error"
    )
    abandon_output()
    return report_error(SystemFailure(f"{problem}: {disk.reason(error)}"))


def warn(message: Warning | str, *location: object, **more: object) -> None:
    """Print a warning as one line on standard error. This replaces `warnings.showwarning`."""
    say(wrap_for(sys.stderr, f"cardbattle: warning: {clean(str(message))}") + "\n")


def report_error(error: CardbattleError) -> int:
    """Print an error on standard error, and return its exit code.

    An InvalidInput can contain several errors. If the position of one in a file is known, its source line is
    printed with a caret (^). For NeedsUmpire, the text and the table of each conflict are printed instead of
    the error's own text.
    """
    if isinstance(error, NeedsUmpire):
        for conflict in error.conflicts:
            complain(Diagnostic(conflict.text))
            show_versions(conflict)
        return error.exit_code
    for diagnostic in error.errors if isinstance(error, InvalidInput) else [Diagnostic(str(error))]:
        complain(diagnostic)
    return error.exit_code


def show_versions(conflict: Conflict) -> None:
    """Print the table of a conflict, if it has one: both versions of a value, for the umpire to choose."""
    if conflict.beside:
        from cardbattle.show.console import console  # slow to import; only needed here
        from cardbattle.show.document import Document, Table
        from cardbattle.show.writers.terminal import to_terminal

        table = Table(conflict.beside[0], conflict.beside[1:])
        try:
            to_terminal(Document("conflict", [table], {}), console(sys.stderr))
        except OSError:
            silence(sys.stderr)


def report_unexpected(error: Exception, arguments: list[str]) -> int:
    """Print a usage error of typer or an unexpected exception, and return the exit code.

    If CARDBATTLE_TRACEBACK is set, an unexpected exception is raised again, so that Python prints its
    traceback.
    """
    if not hasattr(error, "format_message"):
        if os.environ.get("CARDBATTLE_TRACEBACK"):
            raise error
        text = f"{type(error).__name__}: {error}"
        complain(
            Diagnostic(f"unexpected failure: {text[:300]}; set CARDBATTLE_TRACEBACK=1 to print the traceback")
        )
        return 1

    complain(Diagnostic(usage_error_text(error, arguments, command_line())))
    return int(getattr(error, "exit_code", 2))
