"""A record in the program's own form is read without tomllib, to the same table; no other form is."""

from __future__ import annotations

import json
import re
import tomllib
from random import Random

import pytest

from cardbattle.files.plain_toml import read_plain
from tests.support.golden import FOLDER
from tests.support.guides import ROOT
from tests.support.tally import tried

RECORDS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.toml"))}
TEXT = RECORDS["strategy-war-1-2"]
PIECES = [
    "\n", " ", ",", ", ", '"', "\\", "[", "]", "{}", "[]", " = ", "=", "-", "0", "1.5", "1979-05-27", "é",
    "#", "\r", "\t", "\1", "\x7f", "true", "a = 1\n", "\\ud800", "\\u00e9", "\\/", "'x'", '"""', "0x1",
    "9" * 30,
    "[sides]\n", "[sides.x]\n", "[[x]]\n", "[moves]\n", "[house.dealer.x]\n", "x.y = 1\n", '"x" = 1\n',
]  # fmt: skip


def test_records_are_read_plainly_with_their_keys_in_order() -> None:
    assert len(RECORDS) > 5
    for text in RECORDS.values():
        table = read_plain(text)
        assert json.dumps(table) == json.dumps(tomllib.loads(text))


@pytest.mark.parametrize(
    "text",
    ["a = 1\na = 2\n", "[a]\n[a]\n", "a = 1\n[a]\n", "a = 1\n[a.b]\n", "[a.b]\n[a]\n", "a = 1", "a  = 1\n"],
)
def test_other_forms_are_left_to_tomllib(text: str) -> None:
    assert read_plain(text) is None


def test_what_is_read_plainly_is_what_toml_says() -> None:
    chance, taken = Random(7), 0
    for _ in range(400):
        start = chance.randrange(len(TEXT))
        end = start + chance.choice((0, 0, 1, 1, 2, 9))
        other = TEXT[:start] + chance.choice([*PIECES, TEXT[end : end + 30], ""]) + TEXT[end:]
        table = read_plain(other)
        if table is not None:
            taken += 1
            assert json.dumps(table) == json.dumps(tomllib.loads(other))
    assert taken
    tried("records changed by a few letters, read with and without tomllib", 400)


POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[^}]*\})\+|\(\?>")


def test_no_pattern_has_a_group_that_is_repeated_possessively() -> None:
    """Python 3.11.0 to 3.11.4 lose the place after such a group (gh-106052), and then read no record."""
    sources = [*(ROOT / "cardbattle").rglob("*.py")]
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if '"' in line and POSSESSIVE_GROUP.search(line)
    ]
    assert sources
    assert not found
    assert POSSESSIVE_GROUP.search(r"(?:a|b)*+")
