"""Battles of every released version of the rules are fought again as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.fighting import records
from cardbattle.fighting.files import read_toml
from cardbattle.rules import RULE_SETS, find
from tests.golden import BATTLES, FOLDER

GOLDEN = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_record_is_fought_again_to_the_same_end(path: Path) -> None:
    record = records.read_record(read_toml(str(path)).data)
    records.check_digest(record)
    records.check_spelling(record)
    records.check_outcome(record, records.refight(record))
    if record.rules_version == record.rules.version:
        assert records.verify(record) == ""


def test_every_version_of_every_rule_set_has_its_golden_records() -> None:
    names = [path.stem for path in GOLDEN]
    for key in RULE_SETS:
        for version in range(1, find(key).version + 1):
            found = [name for name in names if name.startswith(f"{key}-{version}-")]
            assert len(found) == len(BATTLES[key])
