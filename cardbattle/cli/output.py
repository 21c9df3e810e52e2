"""Printing: a fought battle in any format, messages, files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import date, time
from io import BytesIO, TextIOWrapper
from math import isfinite
from typing import TYPE_CHECKING
from unicodedata import category

from cardbattle.cli.streams import broken_output, say
from cardbattle.core.errors import SystemRefused
from cardbattle.core.names import UNFIT, clean

if TYPE_CHECKING:
    from cardbattle.records.viewer import Report


def message(text: str, quiet: bool = False) -> None:
    """Tell the person at the terminal something, on standard error."""
    if not quiet:
        say(f"{text}\n")


@contextmanager
def standing(words: str) -> Iterator[None]:
    """Print what was done; if that cannot be written, say in these words that it stands all the same."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        from cardbattle.files import disk

        broken_output()
        raise SystemRefused(f"{words}; its report could not be written: {disk.reason(error)}") from error


def write(path: str, text: str, quiet: bool) -> None:
    """Write a file whole or not at all, or print it for `-`."""
    if path == "-":
        sys.stdout.write(text)
        return
    from cardbattle.files.toml import write_new

    write_new(path, text)
    message(f"wrote {clean(path)}", quiet)


@contextmanager
def into(path: str, quiet: bool) -> Iterator[None]:
    """Print into a file, whole or not at all; to standard output for `-` or no name."""
    if path in ("", "-"):
        yield
        return
    page = TextIOWrapper(BytesIO(), encoding="utf-8", newline="\n")
    with redirect_stdout(page):
        yield
    page.seek(0)
    write(path, page.read(), quiet)


def show(report: Report, form: str, detail: int, no_color: bool, table: dict[str, object]) -> None:
    """Print a battle to standard output; `table` is its record as the reader may see it."""
    if form == "text":
        from cardbattle.show import text
        from cardbattle.show.console import console

        text.battle(report, detail, console(sys.stdout, False if no_color else None))
    else:
        sys.stdout.write(rendered(report, form, detail, table))


def rendered(report: Report, form: str, detail: int, table: dict[str, object]) -> str:
    """Return a battle as plain text, Markdown, a page or JSON."""
    if form == "json":
        return as_json(as_table(report, table))
    if form == "md":
        from cardbattle.show import markdown
        from cardbattle.show.cards import signs_fit

        return markdown.battle(report, detail, signs_fit(sys.stdout.encoding))
    if form == "html":
        from cardbattle.show import page

        return page.battle(report, detail)
    from cardbattle.show import plain

    return plain.battle(report, detail)


def as_json(value: object) -> str:
    """Return a value as JSON for people and programs; what would act on a terminal is escaped."""
    return escaped(json.dumps(plain_values(value), indent=2, ensure_ascii=False)) + "\n"


def plain_values(value: object) -> object:
    """Return a value with what JSON has no word for as text: dates in ISO form, `nan`, `inf`."""
    if isinstance(value, dict):
        return {key: plain_values(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [plain_values(inside) for inside in value]
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def escaped(text: str) -> str:
    """Return JSON with control, format and private characters inside its texts as codes."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(code_of(char) if char != "\n" and category(char) in UNFIT else char for char in text)


def code_of(char: str) -> str:
    r"""Return a character as JSON escapes it.

    >>> code_of(chr(0x202E)), code_of(chr(0xE0001))
    ('\\u202e', '\\udb40\\udc01')
    """
    return json.dumps(char)[1:-1] if not char.isascii() else f"\\u{ord(char):04x}"


def as_table(report: Report, table: dict[str, object]) -> dict[str, object]:
    """Return a record's keys with `schema` and `events` as JSON output has them."""
    seats = report.setup.seats
    events = [report.rules.as_json(event, seats) for _, event in report.events]
    return {"schema": 1, **table, "events": events}
