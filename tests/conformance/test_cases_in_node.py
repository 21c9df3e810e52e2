"""The reader in node plays the cases of Strategy WAR, and the suite finds bugs that are planted in it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from cardbattle.conformance.case_file import built_in_suite, cases_by_issue
from cardbattle.conformance.statement import Statement, compare, read_results
from cardbattle.show.pages.cases import case_page

FOLDER = Path(__file__).parents[2] / "examples" / "record-reader"
NODE = shutil.which("node")
SUITE = built_in_suite().of_rules("strategy-war")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    """Give a folder with a copy of the reader and the cases in the form for other programs."""
    for name in ("reader.mjs", "cases.mjs"):
        shutil.copy(FOLDER / name, tmp_path)
    (tmp_path / "cases.json").write_text(
        json.dumps(case_page(SUITE, cases_by_issue(SUITE)).json), encoding="utf-8"
    )
    return tmp_path


def statement_of(folder: Path) -> tuple[Statement, str]:
    """Run the reader of a folder; return its compliance statement and what it prints about the positions."""
    command = [NODE or "", str(folder / "cases.mjs"), str(folder / "cases.json")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    (folder / "results.json").write_text(done.stdout, encoding="utf-8")
    return compare(SUITE, read_results(str(folder / "results.json"))), done.stderr


@pytest.mark.slow
def test_the_reader_passes_every_case_and_counts_the_same_continuations(reader: Path) -> None:
    statement, positions = statement_of(reader)
    assert statement.has_passed
    assert not statement.left_out
    assert len(statement.verdicts) == len(SUITE.cases)
    agreed = [f"{position.case.id}: the numbers agree" for position in SUITE.positions]
    assert positions.splitlines() == agreed


BUGS = {  # a part of reader.mjs, and a bug in its place
    "a sacrifice cancels": ("(other) => other === card", "(other) => Math.abs(other) === card"),
    "the lowest card wins": ("sealed.indexOf(Math.max(...unique))", "sealed.indexOf(Math.min(...unique))"),
    "a pot does not roll over": ("this.carry = pot;", "this.carry = 0;"),
    "the last pot is kept": ("this.lost = pot;", "this.lost = 0;"),
    "a late side loses its lowest card": (
        "-Math.max(...this.hands[this.seat])",
        "-Math.min(...this.hands[this.seat])",
    ),
    "a round too few": ("this.round === this.house.rounds", "this.round === this.house.rounds - 1"),
    "tiebreaks are exchanged": (
        '"most-rounds": this.won, "best-pot": this.best',
        '"most-rounds": this.best, "best-pot": this.won',
    ),
    "a card won back is lost": ("sealed[winner] + (this.carry", "0 * (this.carry"),
    "the last card is played": ("this.house.auto_last && hand.length", "hand.length"),
}


@pytest.mark.heavy
@pytest.mark.parametrize("name", BUGS)
def test_the_suite_finds_planted_bugs(reader: Path, name: str) -> None:
    part, bug = BUGS[name]
    text = (reader / "reader.mjs").read_text(encoding="utf-8")
    assert text.count(part) == 1
    (reader / "reader.mjs").write_text(text.replace(part, bug), encoding="utf-8")
    assert not statement_of(reader)[0].has_passed
