"""TOML's own list of good and bad files goes through our reader, our finder and our editor.

`toml-test-2.1.0.zip` holds the files that toml-test 2.1.0 lists for TOML 1.0 (MIT, see LICENSE in it).
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from cardbattle.campaign.state.editing.layout import is_same_data
from cardbattle.campaign.state.file_editing import edit_text
from cardbattle.core.errors import InvalidInput
from cardbattle.files.errors import with_place
from cardbattle.files.toml import parse_toml
from cardbattle.files.toml_positions import Path as KeyPath
from cardbattle.files.toml_positions import Places
from tests.support.tally import tried

with ZipFile(Path(__file__).parents[1] / "toml-test-2.1.0.zip") as suite:
    FILES = {name: suite.read(name) for name in suite.namelist()}
VALID = sorted(name for name in FILES if name.startswith("valid/") and name.endswith(".toml"))
INVALID = sorted(name for name in FILES if name.startswith("invalid/"))
GOOD_FOLDERS, BAD_FOLDERS = ({name.split("/")[1]: None for name in names} for names in (VALID, INVALID))


def files_in(names: list[str], folder: str) -> list[str]:
    """Return the names in a folder, or the name of the one file that is not in a folder."""
    return [name for name in names if name.split("/")[1] == folder]


def test_the_lists_are_whole() -> None:
    assert (len(VALID), len(INVALID)) == (205, 473)


def untagged(value: Any) -> Any:
    """Return what toml-test says a file holds, as tomllib would."""
    if isinstance(value, list):
        return [untagged(item) for item in value]
    if value.keys() != {"type", "value"}:
        return {key: untagged(item) for key, item in value.items()}
    kind, text = value["type"], value["value"]
    if kind in ("integer", "float"):
        return int(text) if kind == "integer" else float(text)
    if kind == "bool":
        return text == "true"
    return READERS[kind](text.upper()) if kind in READERS else text


READERS: dict[str, Callable[[str], object]] = {
    "datetime": datetime.fromisoformat,
    "datetime-local": datetime.fromisoformat,
    "date-local": date.fromisoformat,
    "time-local": time.fromisoformat,
}


def same(one: Any, other: Any) -> bool:
    """Say whether two values are one; not-a-number is itself."""
    if isinstance(one, float) and math.isnan(one):
        return isinstance(other, float) and math.isnan(other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


@pytest.mark.parametrize("folder", GOOD_FOLDERS)
def test_a_good_file_is_read_as_it_says(folder: str) -> None:
    for name in files_in(VALID, folder):
        source = parse_toml("good.toml", FILES[name])
        tried("good files of toml-test")
        assert same(source.data, untagged(json.loads(FILES[name.removesuffix("toml") + "json"]))), name


@pytest.mark.parametrize("folder", BAD_FOLDERS)
def test_a_bad_file_is_refused_in_one_clear_line(folder: str) -> None:
    for name in files_in(INVALID, folder):
        with pytest.raises(InvalidInput) as caught:
            raise AssertionError(f"{name} was read as {parse_toml('bad.toml', FILES[name]).data}")
        (error,) = caught.value.errors
        tried("bad files of toml-test")
        assert with_place(error).file == "bad.toml"
        assert error.text.isprintable(), name
        last = FILES[name].count(b"\n") + 1
        assert with_place(error).line in range(1, last + 1) or "UTF" in error.text, name


def leaves(value: object, at: KeyPath = ()) -> list[KeyPath]:
    """Return the path of every value except tables."""
    if isinstance(value, dict):
        return [path for key, item in value.items() for path in leaves(item, (*at, key))]
    if isinstance(value, list):
        inside = [path for place, item in enumerate(value) for path in leaves(item, (*at, place))]
        return inside if value else [at]
    return [at]


@pytest.mark.parametrize("folder", GOOD_FOLDERS)
def test_every_value_of_a_good_file_is_found_where_it_stands(folder: str) -> None:
    for name in files_in(VALID, folder):
        source = parse_toml("good.toml", FILES[name])
        places = Places(source.text)
        for path in leaves(source.data):
            assert source.text[places.values[path]] not in " \t\r\n#=", name


@pytest.mark.parametrize("folder", GOOD_FOLDERS)
def test_in_a_good_file_one_line_is_added_and_nothing_else_changes(folder: str) -> None:
    for name in files_in(VALID, folder):
        source = parse_toml("good.toml", FILES[name])
        assert "revision" not in source.data, name
        text = edit_text(source, [], 7)
        assert is_same_data(tomllib.loads(text), {"revision": 7, **source.data}), name
        lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
        lines.remove("revision = 7")
        assert lines == [line.rstrip("\r") for line in source.text.split("\n") if line.strip()], name
