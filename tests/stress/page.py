"""The umpire's file as lines of text: one value changed, one battle taken out or put back."""

from __future__ import annotations

import importlib
import importlib.util
import json
import pickle
import re
import tomllib
from functools import lru_cache
from typing import Any

# tomli is tomllib, compiled: where it is installed there are more stories in an hour.
loads = (importlib.import_module("tomli") if importlib.util.find_spec("tomli") else tomllib).loads
ID = re.compile(r'^id = "(\w+)"$', re.MULTILINE)


@lru_cache(maxsize=5000)
def parsed(text: str) -> bytes:
    """Return the data in a TOML text, pickled, or nothing if the text is not TOML."""
    try:
        return pickle.dumps(loads(text))
    except ValueError:
        return b""


def data_in(text: str) -> dict[str, Any]:
    """Return the data in a TOML text. A text that was read before is not parsed again."""
    found = parsed(text.strip("\r\n"))
    return pickle.loads(found) if found else tomllib.loads(text)


def plain(raw: bytes) -> str:
    """Return a text without its byte order mark, lines ended as in Unix."""
    return raw.decode().removeprefix("\ufeff").replace("\r\n", "\n")


@lru_cache(maxsize=5000)
def read(text: str) -> tuple[dict[str, Any], int]:
    """Return every value of a campaign by its key, and its revision; `pending.mill` is a whole battle.

    The umpire's own keys and checks are left out. What is returned is not to be changed.
    """
    found: dict[str, Any] = {}

    def walk(table: dict[str, Any], at: str) -> None:
        for key, value in table.items():
            if isinstance(value, dict):
                walk(value, f"{at}{key}.")
            elif not key.startswith("x_") and at + key not in ("pending", "assert", "revision"):
                found[at + key] = value

    data = data_in(text)
    walk(data, "")
    for battle in data.get("pending", []):
        own = {key: value for key, value in battle.items() if not key.startswith("x_")}
        found[f"pending.{battle['id']}"] = own
    return found, int(data["revision"])


def pending(text: str) -> list[str]:
    """Return the ids of the pending battles, in order."""
    return ID.findall(text)


def block(text: str, battle: str) -> tuple[int, int]:
    """Return where a pending battle's lines are: comments right above and below it, blank lines after."""
    lines = text.splitlines()
    head = lines.index(f'id = "{battle}"')
    while lines[head] != "[[pending]]":
        head -= 1
    end = next((i for i in range(head + 1, len(lines)) if lines[i].startswith("[")), len(lines))
    while end < len(lines) and lines[end - 1].startswith("#"):
        end -= 1  # the lines directly above the next table are about that table
    last = max(i for i in range(head, end) if lines[i] and not lines[i].startswith("#")) + 1
    while last < end and lines[last]:
        last += 1
    while last < end and not lines[last]:
        last += 1
    while head and lines[head - 1].startswith("#"):
        head -= 1
    return head, last


def lines_of(text: str, battle: str) -> str:
    """Return the lines of a pending battle."""
    start, end = block(text, battle)
    return "".join(text.splitlines(keepends=True)[start:end])


def without(text: str, battle: str) -> str:
    """Return the text without a pending battle."""
    start, end = block(text, battle)
    lines = text.splitlines(keepends=True)
    return "".join(lines[:start] + lines[end:])


def with_lines(text: str, battle: str, place: int) -> str:
    """Return the text with a battle's lines put back, as the battle of this place, from 0."""
    lines, names = text.splitlines(keepends=True), pending(text)
    at = len(lines)
    if names:
        at = block(text, names[place])[0] if place < len(names) else block(text, names[-1])[1]
    head, tail = "".join(lines[:at]), "".join(lines[at:])
    head += "\n" * (head[-1:] not in ("", "\n")) + "\n" * (at > 0 and lines[at - 1].startswith("#"))
    return head + battle + "\n" * (tail.startswith("#") and not battle.endswith("\n\n")) + tail


def with_battle(text: str, battle: str, wanted: dict[str, Any]) -> str:
    """Return the text with a pending battle's values set; its other lines stay."""
    start, end = block(text, battle)
    lines, now = text.splitlines(keepends=True), read(text)[0][f"pending.{battle}"]
    written = {key: f"{key} = {json.dumps(value)}\n" for key, value in wanted.items()}
    last = max(i for i in range(start, end) if " = " in lines[i] and not lines[i].startswith("#"))
    for place in range(start, end):
        key = lines[place].partition(" = ")[0]
        if key in now and now[key] != wanted.get(key):
            lines[place] = written.get(key, "")
    new = "".join(written[key] for key in wanted if key not in now)
    lines[last] += "\n" * (bool(new) and lines[last][-1:] not in ("", "\n")) + new
    return "".join(lines)


def written(battle: dict[str, Any]) -> str:
    """Return the lines of a battle that has none of the umpire's."""
    pairs = [f"{key} = {json.dumps(value)}" for key, value in battle.items()]
    return "\n".join(["", "[[pending]]", *pairs, ""])


def with_value(text: str, key: str, value: object) -> str:
    """Return the text with one value set, or taken away for None; the rest of its line stays."""
    lines = text.splitlines(keepends=True)
    section, _, word = key.rpartition(".")
    start = next(i for i, line in enumerate(lines) if line.strip() == f"[{section}]") + 1 if section else 0
    end = next((i for i in range(start, len(lines)) if lines[i].startswith("[")), len(lines))
    at = next((i for i in range(start, end) if lines[i].startswith(f"{word} = ")), None)
    written = f'"{value}"' if isinstance(value, str) else str(value).lower()
    if at is None:
        if start and not lines[start - 1].endswith("\n"):
            lines[start - 1] += "\n"
        lines.insert(start, f"{word} = {written}\n")
    elif value is None:
        del lines[at]
    else:
        _, mark, comment = lines[at].partition("   #")
        lines[at] = f"{word} = {written}{mark}{comment}" if mark else f"{word} = {written}\n"
    return "".join(lines)
