"""Sequences on the disk: they hold what was added, and close their file."""

from __future__ import annotations

import gc
import tempfile
import warnings

import pytest

from cardbattle.files.spool import Spool
from cardbattle.simulation.journal import Lines


def test_a_spool_holds_what_was_added() -> None:
    spool = Spool(range(5))
    spool.append(9)
    assert list(spool) == [0, 1, 2, 3, 4, 9] and spool[1:3] == [1, 2] and len(spool) == 6


@pytest.mark.parametrize("kind", [Spool, Lines])
def test_a_file_is_closed_without_a_warning_even_in_a_reference_cycle(
    kind: type[Spool[int] | Lines], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collector finalizes the older object of a cycle first; here that is the file."""
    file = tempfile.SpooledTemporaryFile(1000)  # noqa: SIM115
    monkeypatch.setattr("tempfile.SpooledTemporaryFile", [file].pop)
    monkeypatch.setattr("cardbattle.files.spool.IN_MEMORY", 0)
    monkeypatch.setattr("cardbattle.simulation.journal.IN_MEMORY", 0)
    owner = kind()
    vars(file)["cycle"] = owner
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        del file, owner
        gc.collect()
    assert not [warning for warning in seen if warning.category is ResourceWarning]
