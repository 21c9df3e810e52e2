"""Battles of every released version of the rules are fought again with the same result."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import (
    check_digest,
    check_outcome,
    check_spelling,
    refight,
    verify_record,
)
from cardbattle.files.toml import read_toml
from cardbattle.rules import RULE_SETS, find
from tests.support.golden import BATTLES, FOLDER

GOLDEN = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_record_is_fought_again_to_the_same_end(path: Path) -> None:
    record = read_record(read_toml(str(path)).data)
    check_digest(record)
    check_spelling(record)
    check_outcome(record, refight(record))
    if record.rules_version == record.rules.version:
        assert verify_record(record) == ""


def test_every_version_of_every_rule_set_has_its_golden_records() -> None:
    names = [path.stem for path in GOLDEN]
    for key in RULE_SETS:
        for version in range(1, find(key).version + 1):
            found = [name for name in names if name.startswith(f"{key}-{version}-")]
            assert len(found) == len(BATTLES[key])
