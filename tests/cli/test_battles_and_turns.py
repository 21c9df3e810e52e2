"""The turn for which a battle counts after an undo of a turn, or after a correction."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import marches

RESULT = ["--winner", "percy", "--losses", "percy=1/7", "--losses", "stafford=1/2", "--reason", "played"]
OTHER = ["--winner", "stafford", "--losses", "percy=1/2", "--losses", "stafford=0", "--reason", "a slip"]


@pytest.fixture
def do(sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    marches.folder_with(tmp_path)
    monkeypatch.chdir(tmp_path)
    return sh


def test_the_reports_of_both_turns_name_a_battle_that_was_corrected_later(do: Shell) -> None:
    do("campaign", "override", "bridge", *RESULT)
    do("campaign", "override", "bridge", *OTHER)
    note = "The result of battle bridge, fought in turn 4, was corrected in turn 5."
    assert "corrected" not in do("campaign", "report", "--turn", "4").out
    do("campaign", "turn")
    do("campaign", "override", "bridge", *RESULT)
    do("campaign", "turn")
    for turn in ("4", "5"):
        assert do("campaign", "report", "--turn", turn, "--for", "public").out.count(note) == 1
    assert note not in do("campaign", "report", "--turn", "6").out


def test_a_battle_that_was_undone_in_its_own_turn_was_not_corrected(do: Shell) -> None:
    do("campaign", "override", "bridge", *RESULT)
    do("campaign", "undo", "bridge")
    do("campaign", "turn")
    do("campaign", "override", "bridge", *OTHER)
    for turn in ("4", "5"):
        assert "corrected" not in do("campaign", "report", "--turn", turn, "--for", "public").out


@pytest.mark.slow
def test_a_correction_in_a_later_turn_counts_for_the_turn_of_the_battle(
    do: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pages() -> list[str]:
        reports = [do("campaign", "report", "--turn", turn, "--for", "public").out for turn in ("4", "5")]
        return [re.sub(r"The result of battle bridge, .*\n\n", "", report) for report in reports]

    do("campaign", "override", "bridge", *RESULT)
    do("campaign", "override", "bridge", *OTHER)
    do("campaign", "turn")
    at_once = pages()
    monkeypatch.chdir(marches.folder_with(tmp_path / "later"))
    do("campaign", "override", "bridge", *RESULT)
    do("campaign", "turn")
    do("campaign", "override", "bridge", *OTHER)
    assert pages() == at_once


def test_an_undone_turn_with_battles_is_a_warning(do: Shell) -> None:
    do("campaign", "turn")
    do("campaign", "override", "bridge", *RESULT)
    warning = (
        "cardbattle: warning: without the beginning of turn 5, bridge counts for turn 4; "
        "to bring turn 5 back: cardbattle campaign redo\n"
    )
    assert warning in do("campaign", "undo", "1", "--dry-run").err
    undone = do("campaign", "undo", "1")
    assert undone.code == 0 and warning in undone.err
    again = "The end of turn 4 was undone. Earlier reports of it and of later turns no longer count."
    assert again in do("campaign", "report", "--turn", "4", "--style", "plain").out
    do("campaign", "turn")
    assert again in do("campaign", "report", "--from", "4", "--style", "plain").out
    do("campaign", "turn")
    assert again not in do("campaign", "report", "--from", "4", "--style", "plain").out
    do("campaign", "undo")
    do("campaign", "undo")
    do("campaign", "redo")
    assert "warning" not in do("campaign", "undo", "bridge", "1").err
    assert "warning" not in do("campaign", "redo").err
