"""The data set of records: the same content each time, every record sound."""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest

from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from research.data_set import make_data_set, shares

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_data_set_has_sound_records_and_their_checksums(tmp_path: Path) -> None:
    text = make_data_set(tmp_path / "one", count=6, seed="a")
    for line in text.splitlines()[:-1]:
        checksum, name = line.split("  ")
        content = gzip.decompress((tmp_path / "one" / f"{name}.gz").read_bytes())
        assert sha256(content).hexdigest() == checksum
        records = [read_record(json.loads(record)) for record in content.splitlines()]
        assert len(records) == shares(6)[name.removesuffix(".jsonl")]
        for record in records:
            assert verify_record(record) == ""
    assert (tmp_path / "one" / "CHECKSUMS").read_text(encoding="utf-8") == text
    assert make_data_set(tmp_path / "two", count=6, seed="a") == text
    assert make_data_set(tmp_path / "two", count=6, seed="b").splitlines()[-1] != text.splitlines()[-1]


@pytest.mark.heavy
def test_the_checksum_in_the_guide_is_that_of_the_script(tmp_path: Path) -> None:
    text = make_data_set(tmp_path, count=500, jobs=2)
    guide = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    assert text.splitlines()[-1] in guide
