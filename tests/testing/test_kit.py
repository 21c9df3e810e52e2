"""The kit for authors of rule sets: limits, the report of all failures, and the package to begin with."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from cardbattle import rules
from cardbattle.cli.app import run
from cardbattle.core.battle import View
from cardbattle.core.chance import Chance
from cardbattle.core.errors import InvalidInput
from cardbattle.testing.kit import limits
from cardbattle.testing.kit.limits import OverLimit, limited
from cardbattle.testing.kit.new_package import create_package, new_package
from cardbattle.testing.kit.option_effects import options_without_effect
from cardbattle.testing.kit.run import run_laws
from research.planted_bugs import GAMES, bugs, plant
from tests.testing.test_laws import NeverEnds, OffersTwice, with_battle
from tests.toy import OUTBID, OutbidRules

SAMPLE = Path(__file__).parents[2] / "examples" / "plug-in"


# Limits


def run_endlessly() -> None:
    """Use processor time."""
    while True:
        pass


def ignore_twice() -> None:
    """Catch the first two interruptions."""
    for _ in range(2):
        with suppress(OverLimit):
            run_endlessly()
    run_endlessly()


@pytest.fixture
def busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a law wait as long as it likes: on a busy machine it may get a tenth of a processor."""
    monkeypatch.setattr(limits, "WALL", 10_000)


@pytest.mark.slow
@pytest.mark.usefixtures("busy_machine")
@pytest.mark.parametrize("endless", [run_endlessly, ignore_twice])
def test_an_endless_block_is_stopped_by_its_processor_time(endless: Callable[[], None]) -> None:
    with pytest.raises(OverLimit, match=r"no end after 0\.1 s of processor time"), limited(0.1):
        endless()


def test_a_block_that_ends_in_time_is_left_alone() -> None:
    with limited(60):
        total = sum(range(100))
    assert total == 4950


# The run


@pytest.mark.slow
def test_a_correct_rule_set_keeps_every_law_and_its_report_names_the_dead_option() -> None:
    report = run_laws(OUTBID, 2)
    assert [result.name for result in report.results if result.state != "passed"] == []
    assert report.without_effect == ["dealer"]


def test_options_with_an_effect_are_not_named() -> None:
    assert options_without_effect(OUTBID, 20) == ["dealer"]


@pytest.mark.slow
def test_laws_that_need_the_end_are_skipped_where_battles_do_not_end() -> None:
    report = run_laws(with_battle(NeverEnds), 2)
    assert [result.name for result in report.failed] == ["random_play_ends"]
    assert report.failed[0].failures[0].reason == (
        "no end after 20,000 choices, at question 1 for ann: seal 2S, seal 2H"
    )
    skipped = {result.reason for result in report.results if result.state == "skipped"}
    assert skipped == {
        "it is not a global variable that another process can import",
        "its battles do not end",
    }


class Ponders(OutbidRules):
    def regular(self, view: View, chance: Chance) -> int:
        while True:
            pass


@pytest.mark.slow
@pytest.mark.usefixtures("busy_machine")
def test_a_law_that_runs_into_its_limit_says_where() -> None:
    report = run_laws(Ponders(), 2, 0.2, ["a_policy_sees_its_view_only"])
    failure = report.failed[0].failures[0]
    assert failure.reason == "no end after 0.2 s of processor time"
    assert failure.battle.startswith("battle ")
    assert "regular" in failure.trace


@pytest.mark.slow
def test_every_failure_is_in_the_report() -> None:
    report = run_laws(with_battle(OffersTwice), 2)
    assert len(report.failed) > 1
    assert report.without_effect is None
    failed = {result.name: result for result in report.failed}["options_are_distinct"]
    assert (failed.tried, failed.failed) == (2, 2)
    assert failed.failures[0].reason.startswith("a choice is offered twice: [")


# The commands


def forget_plug_ins() -> None:
    """Forget which plug-ins there are, and the sample that other tests have imported."""
    rules.plug_ins.cache_clear()
    for module in [name for name in sys.modules if name.startswith("push_of_pike")]:
        del sys.modules[module]


def test_test_rules_prints_the_failures_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bug = next(bug for bug in bugs() if bug.name == "a copy shares the hands")
    plant(bug, "pike", tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    forget_plug_ins()
    try:
        line = ["test-rules", "push-of-pike", "-n", "2", "--law", "a_copy_is_independent"]
        assert run(line) == 1
        printed = capsys.readouterr().out
        assert run([*line, "--json"]) == 1
        table = json.loads(capsys.readouterr().out)
    finally:
        forget_plug_ins()
    assert "a_copy_is_independent\nThe law: a copy equals the battle" in printed
    assert "Broken in 2 of 2 battles." in printed
    assert "0 of 1 laws kept, 1 broken; up to 2 battles each." in printed
    assert (table["passed"], table["failed"]) == (0, 1)


def test_test_rules_of_a_correct_rule_set_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test-rules", "wargame", "-n", "1", "--law", "rules_are_numbered"]) == 0
    assert "1 of 1 laws kept" in capsys.readouterr().out


def test_an_unknown_law_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test-rules", "wargame", "--law", "random_play_end"]) == 2
    assert 'unknown law "random_play_end"; did you mean "random_play_ends"?' in capsys.readouterr().err


# The package to begin with


def test_the_sample_of_the_guide_is_what_new_rules_writes() -> None:
    package = new_package("Push of Pike", code="PP")
    assert package.key == "push-of-pike"
    for place, text in package.files.items():
        assert (SAMPLE / place).read_text(encoding="utf-8") == text, place


@pytest.mark.slow
def test_new_rules_writes_a_package_that_keeps_every_law(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new-rules", "Siege of Lille"]) == 0
    assert "Test it: cardbattle test-rules siege-of-lille\n" in capsys.readouterr().out
    monkeypatch.syspath_prepend(str(tmp_path / "siege-of-lille"))
    lille = __import__("siege_of_lille").RULES
    assert (lille.key, lille.name, lille.code) == ("siege-of-lille", "Siege of Lille", "SOL")
    report = run_laws(lille, 2)
    assert [result.name for result in report.results if result.state != "passed"] == []
    assert report.without_effect == []
    assert run(["new-rules", "Siege of Lille"]) == 3
    assert "siege-of-lille exists already; name a new folder with --folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("Wargame", "", '"wargame" is a rule set already'),
        ("1648", "", "gives no Python package"),
        ("織田", "", "expected a key"),
        ('The "Siege"', "", "without quotation marks"),
        ("Siege", "s", "expected 2 to 4 capital letters"),
    ],
)
def test_a_name_that_gives_no_package_is_refused(name: str, code: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=words):
        create_package(name, str(tmp_path / "new"), code)
    assert not (tmp_path / "new").exists()


# The planted bugs


def test_every_planted_bug_fits_its_game() -> None:
    """`research.planted_bugs` runs the kit on each; here, each text to replace occurs once."""
    names = [bug.name for bug in bugs()]
    assert len(names) == len(set(names)) >= 60
    for bug in bugs():
        text = (GAMES[bug.game].folder / bug.file).read_text(encoding="utf-8")
        assert text.count(bug.old) == 1, bug.name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "the lower card wins",
        "the loser of the battle is called the winner",
        "a rounded score: two pushes count as one",
    ],
)
def test_the_samples_test_of_its_rules_finds_bugs_that_break_no_law(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(next((bug for bug in bugs() if bug.name == name), None), "pike", tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    forget_plug_ins()
    try:
        tests = runpy.run_path(str(SAMPLE / "tests" / "test_rules.py"))
        with pytest.raises(AssertionError) if name else nullcontext():
            tests["test_the_higher_card_wins_a_push_and_more_pushes_win_the_battle"]()
    finally:
        forget_plug_ins()
