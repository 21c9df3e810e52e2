"""The turn: its phases in order, each once; interrupted anywhere it goes on; one undo takes it back."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardbattle.campaign import check
from cardbattle.campaign.ledger import undo as undoing
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, PHASE_KINDS
from cardbattle.campaign.ledger.undo import undo_turn
from cardbattle.campaign.phases.finished_phases import entries_of_turn
from cardbattle.campaign.phases.names import BATTLES, REPORT, SUMMARIES
from cardbattle.campaign.phases.turn_order import KINDS, PHASES
from cardbattle.campaign.state import model
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.advance import (
    AdvanceOptions,
    begin_next_turn,
    phases_wanted,
    rehearse_turn,
    run_phase,
    situation_of,
)
from cardbattle.core.errors import InvalidInput, UsageError
from tests.benchmarks.turn import campaign as large_campaign
from tests.support import marches
from tests.support.marches import MARCHES
from tests.support.tally import tried

TABLES = """
[weather]
table = [{ p = 1, name = "fair" }, { p = 1, name = "rain" }]   # seldom snow

[[schedule]]
turn = 5
text = "Lord Grey rides in"
add.force = { key = "gray", faction = "york", strength = 8 }

[[event]]
each = "turn"
chance = "1/2"
text = "Fever in the camp"
change = { "forces.*.strength" = "-1/10" }
"""
PEACE = MARCHES[: MARCHES.index("# The bridge.")] + TABLES
LEAVE = AdvanceOptions(leave_battles=True)


def turn(folder: str, wanted: AdvanceOptions = LEAVE) -> None:
    """Run a turn, from the phase on that is due."""
    for phase in PHASES:
        if phase.name != BATTLES:
            run_phase(folder, phase, wanted)
    begin_next_turn(folder, wanted)


def text(folder: str) -> str:
    """Return the campaign's file without the count of its revisions."""
    lines = (Path(folder) / "campaign.toml").read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("revision"))


def take_back_turn(folder: str) -> None:
    with store.open_for_writing(folder) as desk:
        desk.commit([undo_turn(desk.books, desk.ledger)])


def test_every_kind_of_entry_belongs_to_one_phase() -> None:
    assert sorted(KINDS) == sorted(PHASE_KINDS)
    assert [phase.name for phase in PHASES] + [REPORT] == list(SUMMARIES)
    assert len(KINDS) == sum(len(phase.kinds) for phase in PHASES)


def test_the_turn_of_a_campaign_without_the_tables_only_begins_the_next(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path, MARCHES)
    before = text(folder)
    turn(folder)
    assert text(folder) == before.replace("turn = 4", "turn = 5")
    assert store.load_ledger(folder).heads.kinds == ["turn"]


def test_a_phase_runs_once_in_a_turn(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path, PEACE)
    for _ in range(3):
        for phase in PHASES:
            run_phase(folder, phase, LEAVE)
    assert store.load_ledger(folder).heads.kinds.count("weather") == 1


def test_an_undo_since_a_phase_goes_back_to_the_turn_before_only_if_it_had_this_phase(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path, PEACE)
    turn(folder)
    with store.open_for_writing(folder) as desk:
        assert desk.ledger.heads.kinds == ["weather", "turn"]
        with pytest.raises(InvalidInput, match="neither this turn nor the one before has such a phase"):
            undo_turn(desk.books, desk.ledger, kinds=("movement",))
        assert undo_turn(desk.books, desk.ledger, kinds=("weather",)).entry.undoes == [1, 2]


def test_battles_make_the_turn_wait(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path, MARCHES + TABLES)
    rehearsed = list(rehearse_turn(store.load(folder), store.load_ledger(folder), AdvanceOptions()))
    assert rehearsed[-1].phase.name == BATTLES and rehearsed[-1].outcome.waits
    assert len(list(rehearse_turn(store.load(folder), store.load_ledger(folder), LEAVE))) == len(PHASES)
    reports = [run_phase(folder, phase, AdvanceOptions()) for phase in PHASES]
    assert [report.phase.name for report in reports if report.outcome.waits] == [BATTLES]


def test_a_dry_run_with_fight_says_that_it_does_not_fight(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path, MARCHES + TABLES)
    wanted = AdvanceOptions(fight=True)
    *_, last = rehearse_turn(store.load(folder), store.load_ledger(folder), wanted)
    [why] = last.outcome.waits
    assert why.endswith(" pending; a dry run does not fight, so it ends here; leave out --dry-run")


def test_a_dry_run_says_what_the_turn_does_and_records_nothing(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path, PEACE.replace("turn = 4", "turn = 5"))
    before = (Path(folder) / "campaign.toml").read_bytes()
    ledger = store.load_ledger(folder)
    told = [list(report.outcome.causes) for report in rehearse_turn(store.load(folder), ledger, LEAVE)]
    assert (Path(folder) / "campaign.toml").read_bytes() == before
    assert not store.load_ledger(folder).heads
    assert told == [list(run_phase(folder, phase, LEAVE).outcome.causes) for phase in PHASES]
    assert "schedule" in store.load_ledger(folder).heads.kinds


def test_a_phase_waits_for_those_before_it(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path, PEACE.replace("turn = 4", "turn = 5"))
    situation = situation_of(store.load(folder), store.load_ledger(folder), {})
    with pytest.raises(UsageError, match="schedule comes first in this turn; run it with --phase schedule"):
        phases_wanted(situation, AdvanceOptions("events"))
    assert [phase.name for phase in phases_wanted(situation, AdvanceOptions("schedule"))] == ["schedule"]


def test_one_entry_of_a_phase_is_undone_alone_and_does_not_come_again(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path, PEACE.replace('chance = "1/2"', 'chance = "1"'))
    run_phase(folder, PHASES[1], LEAVE)
    with store.open_for_writing(folder) as desk:
        desk.commit([undoing.undo(desk.books, desk.ledger, "2")])
    assert store.load(folder).campaign.forces["percy"].strength == 14
    run_phase(folder, PHASES[1], LEAVE)
    assert [entry.kind for entry in entries_of_turn(store.load_ledger(folder))] == ["weather"]


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**6), st.lists(st.booleans(), min_size=2, max_size=6))
def test_undo_of_a_turn_restores_every_byte_and_the_turn_comes_out_the_same_again(
    tmp_path_factory: pytest.TempPathFactory, seed: int, steps: list[bool]
) -> None:
    """Each step is a turn, or takes one back; a turn that was taken back is the same when it comes again."""
    start = PEACE.replace("seed = 1403", f"seed = {seed}")
    folder = marches.folder_with(tmp_path_factory.mktemp("turns"), start)
    seen = {4: text(folder)}
    for goes_on in steps:
        number = store.load(folder).campaign.turn
        if goes_on or number == 4:
            turn(folder)
            assert seen.setdefault(number + 1, text(folder)) == text(folder)
        else:
            take_back_turn(folder)
            assert text(folder) == seen[number - 1]
        tried("turns advanced and taken back")
    assert check.check(folder) == []


@pytest.mark.slow
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**6), st.integers(0, len(PHASES)))
def test_a_turn_interrupted_after_any_phase_goes_on_to_the_same_end(
    tmp_path_factory: pytest.TempPathFactory, seed: int, done: int
) -> None:
    start = PEACE.replace("seed = 1403", f"seed = {seed}").replace("turn = 4", "turn = 5")
    whole, cut = (marches.folder_with(tmp_path_factory.mktemp("turn"), start) for _ in range(2))
    turn(whole)
    for phase in PHASES[:done]:
        run_phase(cut, phase, LEAVE)
    turn(cut)
    assert text(cut) == text(whole)
    kinds = [store.load_ledger(folder).heads.kinds for folder in (cut, whole)]
    assert kinds[0] == kinds[1]


def test_a_dry_run_reads_the_whole_campaign_a_few_times_however_many_battles_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    books = marches.books(large_campaign(80, 20, 40, 4))
    reads = Mock(wraps=model.read_campaign)
    monkeypatch.setattr(model, "read_campaign", reads)
    reports = list(rehearse_turn(books, EMPTY_LEDGER, LEAVE))
    assert sum(cause.kind == "contact" for report in reports for cause in report.outcome.causes) > 8
    assert reads.call_count < 10
