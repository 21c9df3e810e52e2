"""Handle the three standard streams, which can be closed."""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import suppress
from shutil import get_terminal_size
from typing import TextIO

from cardbattle.files.errors import SystemFailure

CLOSED = (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY))


def replace_closed_streams() -> None:
    """Open the null device for each closed standard stream.

    Otherwise the next file that the program opens would get the file number of the closed stream. After the
    call, reading from a closed standard input and writing to a closed standard output fail. Text for a closed
    standard error is discarded.
    """
    for number, (name, flags) in enumerate(CLOSED):
        if getattr(sys, name) is None:
            open_null_device(number, flags)
            stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def open_null_device(number: int, flags: int) -> None:
    """Open the null device under a file number, unless an open file already has this number."""
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, flags)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)


def say(text: str) -> None:
    """Write to standard error, after all earlier output. Errors must not stop the program and are ignored.

    Standard output is flushed first, so that both streams keep their order in one file. If this fails, the
    text stays in its buffer, and the next flush raises the error.
    """
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


INDENT = "  "  # indentation of continuation lines
USUAL_WIDTH = 80
WORD = re.compile(r" *[^ ]+")


def terminal_width(stream: TextIO) -> int:
    """Return the width of the terminal of a stream in columns, or 0 if the stream is not a terminal."""
    try:
        if not stream.isatty():
            return 0
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return USUAL_WIDTH
    return get_terminal_size().columns if os.environ.get("COLUMNS") else columns or USUAL_WIDTH


def wrap_for(stream: TextIO, text: str) -> str:
    """Return a text, wrapped between words if the stream is a terminal."""
    width = terminal_width(stream)
    return "\n".join(wrap_line(line, width) for line in text.split("\n")) if width else text


def wrap_line(line: str, width: int) -> str:
    r"""Wrap one line between words. A word that is wider than a line is not split.

    >>> wrap_line("a battle of field-of-honour", 20)
    'a battle of\n  field-of-honour'
    """
    from rich.cells import cell_len  # slow to import; only needed at a terminal

    lines = [""]
    for word in WORD.findall(line):
        if lines[-1].strip() and cell_len(lines[-1] + word) > width:
            lines.append(INDENT)
            word = word.lstrip()
        lines[-1] += word
    return "\n".join(lines)


def silence(stream: TextIO) -> None:
    """Redirect a broken stream to the null device, so that the interpreter prints no error at exit."""
    try:
        number = stream.fileno()
    except OSError:  # not a stream with a file number
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def abandon_output() -> int:
    """Redirect standard output to the null device, and return the exit code for a failed write."""
    silence(sys.stdout)
    return SystemFailure.exit_code


def is_output_error(error: OSError) -> bool:
    """Return True if an error comes from writing to standard output, and not from a file with a name."""
    return error.filename is None and error.errno in OUTPUT


OUTPUT = (errno.EBADF, errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
