"""Print messages, write output files, and show progress bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic

from cardbattle.campaign.turn.estimate import Announce, estimating
from cardbattle.cli.streams import abandon_output, say, wrap_for
from cardbattle.core.names import clean
from cardbattle.files import disk
from cardbattle.files.disk import write_text
from cardbattle.files.errors import SystemFailure

LINE_SECONDS = 15.0  # seconds between two lines of progress


def message(text: str, quiet: bool = False) -> None:
    """Write a message to standard error, unless `quiet` is True."""
    if not quiet:
        say(f"{wrap_for(sys.stderr, text)}\n")


def write_line(text: str) -> None:
    """Print a line on standard output. At a terminal, the line is wrapped between words."""
    print(wrap_for(sys.stdout, text))


def duration_words(seconds: float) -> str:
    """Return a rounded duration, such as `about 4 minutes`.

    >>> duration_words(7.2), duration_words(95), duration_words(9000)
    ('about 10 seconds', 'about 2 minutes', 'about 2.5 hours')
    """
    if seconds < 55:
        return f"about {max(10, round(seconds, -1)):.0f} seconds"
    if seconds < 90 * 60:
        minutes = round(seconds / 60)
        return f"about {minutes} minute{'s' if minutes > 1 else ''}"
    return f"about {seconds / 3600:.1f} hours"


@contextmanager
def report_completed(text: str) -> Iterator[None]:
    """Run a `with` block that prints the report of a completed action.

    Raises SystemFailure if the report cannot be written. The message of the error begins with `text`, which
    says what was completed.
    """
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        abandon_output()
        raise SystemFailure(f"{text}, but the report could not be written: {disk.reason(error)}") from error


def write_file(path: str, text: str | Iterable[str], quiet: bool) -> None:
    """Write a file atomically and print its path, unless `quiet`.

    Print to standard output for the path `-`. Raises SystemFailure if the file cannot be written.
    """
    if path == "-":
        sys.stdout.writelines([text] if isinstance(text, str) else text)
        return
    write_text(path, text)
    message(f"wrote {clean(path)}", quiet)


@contextmanager
def bar(quiet: bool, label: str = "battles") -> Iterator[Callable[[float, int], None]]:
    """Show a progress bar on standard error while the `with` block runs.

    The block gets a function of two arguments: the number of finished items, and the number of all items. The
    bar is not shown if `quiet` is True, or if standard error is not a terminal that can show colours.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda completed, of: None
        return
    from cardbattle.show.console import console, wants_color  # slow to import; only needed at a terminal

    if not wants_color(sys.stderr):
        yield lambda completed, of: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # the same

    columns = (
        TextColumn(f"{{task.completed}} {label}"),
        BarColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console(sys.stderr), transient=True) as shown:
        task = shown.add_task("")
        yield lambda completed, of: shown.update(task, completed=int(completed), total=of)


def announcer(quiet: bool, hint: str) -> Announce:
    """Return a function that prints the remaining time, which it gets in seconds, and the hint."""
    return lambda seconds: message(f"{duration_words(seconds)} left{hint}", quiet)


@contextmanager
def progress(
    quiet: bool, label: str, announce: Announce | None = None
) -> Iterator[Callable[[float, int], None]]:
    """Show progress on standard error as `bar` does; without a terminal, print a line every 15 seconds.

    With `announce`, the remaining time is estimated and announced once.
    """
    if sys.stderr.isatty() or quiet:
        with bar(quiet, label) as tick:
            yield estimating(tick, announce) if announce else tick
        return
    last = monotonic()

    def say_progress(finished: float, of: int) -> None:
        nonlocal last
        if monotonic() - last >= LINE_SECONDS:
            last = monotonic()
            message(f"{int(finished):,} of {of:,} {label}")

    yield estimating(say_progress, announce) if announce else say_progress
