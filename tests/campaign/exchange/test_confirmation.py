"""Results that both sides confirm: they count when all say the same, in whichever order they report."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.campaign.exchange.confirmation import plan_report, read_report, report_lines, reports_of
from cardbattle.campaign.ledger import value_edits
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER as EMPTY
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.core.errors import InvalidInput
from tests.campaign.ledger.test_umpire_changes import umpire_of
from tests.campaign.ledger.test_undo import Umpire
from tests.support.marches import MARCHES, books

TEXT = MARCHES + '\n[results]\nconfirm = "both" # fair\n'
AGREED = "percy won, percy lost 1/4, stafford lost 1/2"
OTHER = "Harry Percy won; Harry Percy lost 1/4; stafford lost all"


def tell(umpire: Umpire, text: str) -> list[str]:
    """Take a report, and return the notes."""
    [line] = report_lines(text)
    campaign, ledger = umpire.books.campaign, umpire.seen
    operations = plan_report(umpire.books, ledger, read_report(campaign, ledger, line))
    umpire.do(*operations)
    return [note for operation in operations for note in operation.notes]


def state_of(umpire: Umpire) -> object:
    """Return the campaign's data without its revision."""
    return {key: value for key, value in umpire.books.campaign.data.items() if key != "revision"}


def test_the_order_of_reports_makes_no_difference(tmp_path: Path) -> None:
    states = []
    for number, order in enumerate(permutations(["percy", "stafford"])):
        umpire = umpire_of(tmp_path / str(number), TEXT)
        for side in order:
            assert umpire.ledger.find("bridge") is None
            tell(umpire, f"bridge/{side}: {AGREED}")
        assert umpire.ledger.find("bridge") is not None
        states.append(state_of(umpire))
    assert states[0] == states[1]
    assert "reported" not in states[0]  # type: ignore[operator]


def test_reports_that_differ_are_both_shown_and_record_nothing(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    before = umpire.file.read_bytes()
    assert tell(umpire, f"bridge/percy: {AGREED}") == ["battle bridge waits for the report of stafford"]
    notes = tell(umpire, f"bridge/stafford: {OTHER}")
    assert notes[0] == "battle bridge: the reports differ"
    assert notes[1].startswith("Harry Percy reports: ") and notes[2].startswith("Stafford reports: ")
    assert "campaign override bridge" in notes[3]
    assert umpire.ledger.find("bridge") is None and umpire.books.campaign.battle("bridge") is not None
    with pytest.raises(InvalidInput, match="has already reported this"):
        tell(umpire, f"bridge/percy: {AGREED}")
    tell(umpire, f"bridge/stafford: {AGREED}")  # they have talked it over
    assert umpire.ledger.find("bridge") is not None
    for _ in range(3):
        umpire.undo()
    assert re.sub(rb"revision = \d+", b"revision = 0", umpire.file.read_bytes()) == before


def test_who_has_a_substitute_need_not_confirm(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    umpire.do(value_edits.plan_substitute(umpire.books, "House York", "regular", None))
    tell(umpire, f"bridge/stafford: {AGREED}")
    assert umpire.ledger.find("bridge") is not None


def test_a_report_is_hidden_from_the_other_side(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    tell(umpire, f"bridge/percy: {AGREED}")
    for reader in (None, "lancaster"):
        visible = visible_to(umpire.books.campaign, umpire.seen, reader)
        assert "reported" not in visible.table() and visible.entries == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bridge/percy: percy lost 1/4, stafford lost 1/2", "the winner is missing"),
        ("bridge/percy: percy won, percy lost 1/4", "the losses of stafford are missing"),
        ("bridge/percy: percy won easily", "stafford"),
        ("bridge/percy: pursy won", '"pursy"'),
        ("bridge/percy: percy won, percy lost much, stafford lost all", "much"),
        ("bridge/percy: well fought", '"well fought" is not clear'),
        ("brigde/percy: percy won", 'did you mean "bridge"?'),
    ],
)
def test_an_unclear_report_is_refused_with_an_example(tmp_path: Path, text: str, words: str) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    with pytest.raises(InvalidInput) as refused:
        tell(umpire, text)
    assert words in str(refused.value)
    assert "brigde" in text or "write mill/birch: birch won" in str(refused.value)


def test_without_the_setting_the_umpire_enters_results(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="campaign set results"):
        tell(umpire_of(tmp_path, MARCHES), f"bridge/percy: {AGREED}")


@settings(max_examples=100, deadline=None)
@given(words=st.text(alphabet="percy stafford won lost 1/2,;draw.", max_size=50))
def test_any_report_is_read_or_refused(words: str) -> None:
    campaign = books(TEXT).campaign
    for line in report_lines(f"bridge/percy: {words}"):
        try:
            report = read_report(campaign, EMPTY, line)
        except InvalidInput:
            continue
        assert {*report.losses} == {"percy", "stafford"} and {*report.winners} <= {*report.losses}


def test_reports_are_by_battle_and_side(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    tell(umpire, f"bridge/percy: {AGREED}")
    tell(umpire, "wood/percy: a draw, percy lost nothing, stafford lost nothing")
    assert [*reports_of(umpire.books.campaign, "bridge")] == ["percy"]
    assert reports_of(umpire.books.campaign, "wood")["percy"].winners == []
