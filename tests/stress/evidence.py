"""What stands on the disk, read by other means than the program's, and in what the model differs."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tests.stress import page
from tests.stress.model import Entry, Result, same

OURS = re.compile(
    r"campaign\.toml|history\.toml|\.cardbattle\.(tmp|tmp\.old|checkpoint|checkpoint\.tmp|lock)"
    r"|history\.toml\.torn-\d+(-\d+)?|campaign\.toml\.overtaken-\d+(-\d+)?"
    r"|records/[a-z]+(\.\d+)?\.toml(\.orphan(-\d+)?)?|records/\.cardbattle\.tmp"
)
ENTRY = re.compile(rb'^\[\[entry\]\]\n.*?^check = "[0-9a-f]{64}"\n', re.MULTILINE | re.DOTALL)


def readable(text: str) -> bool:
    """Say whether a text is TOML."""
    try:
        page.read(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@lru_cache(maxsize=500)
def digest_in(record: bytes) -> object:
    """Return the digest of a record, or nothing if it is not a record."""
    try:
        return page.data_in(record.decode()).get("digest")
    except ValueError:
        return None


def result_in(table: dict[str, Any]) -> Result:
    """Return the result in an entry of the ledger."""
    sides = table["sides"].items()
    losses = {side: Fraction(one["losses"]) for side, one in sides}
    return Result(tuple(table["winners"]), losses, {side: one["score"] for side, one in sides})


def sealed(raw: bytes, before: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return an entry of the ledger if its hashes are right."""
    try:
        table: dict[str, Any] = page.data_in(raw.decode())["entry"][0]
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None
    content = {key: value for key, value in table.items() if key != "check"}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    fits = table["prev"] == (before[-1]["check"] if before else "")
    return table if fits and hashlib.sha256(canonical.encode()).hexdigest() == table["check"] else None


def entry_wrong(entry: Entry, table: dict[str, Any], number: int, *, ordered: bool) -> str:
    """Say in what an entry of the ledger is not what the model has."""
    pairs = {one["key"]: (one.get("before"), one.get("after")) for one in table["changes"]}
    changes = {key: (before, after) for key, (before, after) in pairs.items() if not same(before, after)}
    first, last = entry.group
    expected = (number, entry.kind, entry.id, list(entry.undoes), [number - first + 1, last - first + 1])
    told = tuple(table.get(key, other) for key, other in
                 (("revision", 0), ("kind", ""), ("id", ""), ("undoes", []), ("part", [1, 1])))  # fmt: skip
    if told != expected:
        return f"expected {expected}, got {told}"
    if repr(sorted(changes.items())) != repr(sorted(entry.changes.items())):
        return f"expected changes {entry.changes}, got {changes}"
    lines = {key: (own.strip(), place if ordered else 0) for key, own, place in entry.lines}
    kept = {key: (own.strip(), place if ordered else 0) for key, own, place in lines_in(table)}
    return "" if kept.items() <= lines.items() else f"expected the umpire's lines {lines}, got {kept}"


def lines_in(table: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Return the lines of battles that an entry of the ledger keeps, and their places."""
    kept = [one for one in table["changes"] if "text" in one]
    return [(one["key"], one["text"].replace("\r\n", "\n"), one.get("place", 0)) for one in kept]


def placed(entry: Entry, table: dict[str, Any]) -> Entry:
    """Return an entry with its battles in the places that the ledger names."""
    places = {key: place for key, _, place in lines_in(table)}
    lines = tuple((key, own, places.get(key, place)) for key, own, place in entry.lines)
    return entry if lines == entry.lines else entry._replace(lines=lines)


def text_wrong(expected: str, got: str, *, ordered: bool) -> str:
    """Say in what the umpire's file is not what it should be: values, order, every line."""
    if expected == got:
        return ""
    if not readable(got) or not readable(expected):
        return f"campaign.toml differs: expected {expected!r}, got {got!r}"
    if page.read(expected) != page.read(got) or (ordered and page.pending(expected) != page.pending(got)):
        one, other = page.read(expected), page.read(got)
        keys = [key for key in {**one[0], **other[0]} if one[0].get(key) != other[0].get(key)]
        told = [f"{key} is {other[0].get(key)}, expected {one[0].get(key)}" for key in keys]
        told += [f"revision {other[1]}, expected {one[1]}"] * (one[1] != other[1])
        return "; ".join(told) or f"battles in the order {page.pending(got)}, not {page.pending(expected)}"
    for battle in page.pending(expected):
        lines = page.lines_of(expected, battle)
        if lines.rstrip("\n") not in got:
            return f"the lines of {battle} are not as they were: {lines!r}"
        expected, got = expected.replace(lines.rstrip("\n"), "", 1), got.replace(lines.rstrip("\n"), "", 1)
    wished, found = plain_lines(expected), plain_lines(got)
    return "" if wished == found else f"the lines of campaign.toml are {found}, expected {wished}"


def plain_lines(text: str) -> list[str]:
    """Return the lines that the umpire wrote, in order; where a mark of destruction stands is free."""
    return [line for line in text.splitlines() if line and not line.startswith("destroyed = ")]
