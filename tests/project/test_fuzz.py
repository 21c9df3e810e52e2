"""Readers accept a changed file or reject it with a message; `python -m tests.fuzz` tries a million."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from cardbattle.core.errors import Diagnostic, InvalidInput, first
from cardbattle.files.errors import PlacedDiagnostic
from tests.fuzz.readers import Reader, Wrong, placed, readers
from tests.fuzz.trial import LONGEST, Tally, made, try_inputs, try_one
from tests.support.tally import tried

READERS = readers()
COUNTS = {"commands": 60, "record": 150}  # the others are quicker


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_changed_input_is_read_or_refused_in_words(name: str, tmp_path: Path) -> None:
    tally = try_inputs(name, READERS[name], "1", range(COUNTS.get(name, 250)), tmp_path)
    tried(f"changed inputs of the reader of {name}", tally.sound + tally.refused)
    assert not tally.fell, tally.words(name)
    assert tally.refused


@pytest.mark.parametrize("name", [name for name in READERS if name != "commands"])
def test_what_is_changed_is_sound_before(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    for sample in reader.samples:
        path = tmp_path / reader.file
        path.write_text(sample.text, encoding="utf-8")
        assert reader.read(path, Random(1)), sample.name


def test_an_input_is_the_same_for_the_same_number() -> None:
    """So that what was found can be found again."""
    texts = {made(name, READERS[name], "1", number) for name in READERS for number in range(40)}
    assert texts == {made(name, READERS[name], "1", number) for name in READERS for number in range(40)}
    assert len(texts) > 40 * len(READERS) * 0.8
    assert made("battle", READERS["battle"], "1", 3) != made("battle", READERS["battle"], "2", 3)


def test_mistakes_that_are_not_told_need_no_place() -> None:
    told = PlacedDiagnostic("wrong", file="x.toml", line=1)
    assert not placed(first([told] * 60), "x.toml")
    with pytest.raises(Wrong):
        placed(first([told] * 49 + [Diagnostic("nowhere")] * 2), "x.toml")


def refuse(*errors: Diagnostic) -> InvalidInput:
    """Return a refusal."""
    return InvalidInput(list(errors))


@pytest.mark.parametrize(
    "fault",
    [
        KeyError("x"),
        RecursionError(),
        refuse(),
        refuse(Diagnostic("")),
        refuse(Diagnostic("somewhere")),
        refuse(PlacedDiagnostic("nowhere", file="x.toml")),
    ],
)
def test_a_reader_that_breaks_the_law_is_found_out(fault: Exception, tmp_path: Path) -> None:
    """The test is tested: an error of another kind, a refusal without words, file or line."""

    def read(path: Path, random: Random) -> bool:
        try:
            raise fault
        except InvalidInput as refused:
            return placed(refused.errors, "x.toml")

    broken = Reader(READERS["battle"].samples, READERS["battle"].make, "x.toml", read)
    keep = tmp_path / "kept"
    tally = try_inputs("broken", broken, "1", range(3), tmp_path, keep)
    assert (tally.sound, tally.refused, tally.fell) == (0, 0, 3)
    assert "--reader broken --seed 1 --first 0 --count 1" in tally.words("broken")
    assert [path.name for path in keep.iterdir()] == ["broken-1-0-x.toml"]


def test_a_reader_that_works_too_long_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, LONGEST + 1])
    monkeypatch.setattr("tests.fuzz.trial.process_time", lambda: next(clock))
    slow = Reader([], READERS["battle"].make, "x.toml", lambda path, random: True)
    tally = Tally()
    assert try_one(slow, tmp_path, Random(1), tally) == "took 3.0 s"
    assert (tally.sound, tally.slowest) == (0, 3.0)
