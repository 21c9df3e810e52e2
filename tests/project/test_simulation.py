"""Whole campaigns simulated, each from one seed: the program and a plain model of it must agree."""

from __future__ import annotations

import pytest

from tests.stress.broken import BROKEN
from tests.stress.disk import FOLDER
from tests.stress.machine import POWER, Mishap
from tests.stress.shrink import shrunk
from tests.stress.story import Step, Story, told_by
from tests.stress.survey import Survey
from tests.stress.world import Divergence, World
from tests.support.tally import tried

CALM = Story(0, "\n", False, 12, True, ())


def agree(seed: int, commands: int) -> Survey:
    """Let the stories from this seed on happen; fail with the shortest that goes wrong."""
    survey = Survey()
    found = survey.run(seed, commands)
    assert found is None, str(survey.shortest(found))
    tried("commands of simulated campaigns", survey.commands)
    return survey


@pytest.mark.heavy
def test_program_and_model_tell_the_same_stories_of_all_that_can_happen() -> None:
    happened = agree(1, 1500).happened
    for what in ("fight", "import", "override", "undo", "redo", "adjust", "turn", "add", "move", "note"):
        assert happened[f"{what}: 0"] > 10, what
    for what in ("fight: 3", "import: 4", "override: 4", "undo: 4", "redo: 4", "adjust: 5", "turn: died"):
        assert happened[what], what
    for what in ("meanwhile", "EIO", "ENOSPC", "short write", "die before", "die after", *POWER):
        assert happened[f"befell: {what}"] > 5, what


@pytest.mark.heavy
def test_program_and_model_tell_the_same_stories_for_long() -> None:
    agree(100_001, 50_000)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", [1, 20_001, 30_001])
@pytest.mark.parametrize("program", ["redo", "ledger", "comments"])
def test_a_program_broken_on_purpose_is_found_out(program: str, seed: int) -> None:
    survey = Survey(program)
    assert survey.run(seed, 2000) is not None
    tried("programs broken on purpose, found out by simulation")


@pytest.mark.heavy
@pytest.mark.parametrize("program", [name for name in BROKEN if name])
def test_every_program_broken_on_purpose_is_found_out(program: str) -> None:
    assert Survey(program).run(40_001, 20_000) is not None


@pytest.mark.slow
def test_a_seed_tells_one_story_and_it_always_ends_the_same() -> None:
    for seed in range(60, 70):
        assert told_by(seed) == told_by(seed)
        ends = []
        for _ in range(2):
            world = World(told_by(seed))
            world.run()
            ends.append({path: inode.now for path, inode in world.machine.disk.files.items()})
        assert ends[0] == ends[1]


def test_a_story_is_shrunk_to_the_steps_that_matter() -> None:
    steps = tuple(Step("adjust", (f"turn={n}",)) for n in range(20))
    cut = Mishap(3, POWER[0], 7)
    story = CALM._replace(
        line_end="\r\n", steps=(*steps[:7], steps[7]._replace(mishaps=(cut, cut)), *steps[8:])
    )
    shorter = shrunk(story, lambda one: steps[3] in one.steps and any(step.mishaps for step in one.steps))
    assert shorter == CALM._replace(steps=(steps[3], steps[7]._replace(mishaps=(cut,))))


def told(*steps: Step) -> World:
    """Let a story happen that was made up by hand."""
    world = World(CALM._replace(steps=steps))
    world.run()
    return world


def test_a_calm_story_is_told_as_it_is() -> None:
    """The simulator runs what it says: a battle by decree, taken back, brought back, lost to no one."""
    decree = Step("override", ("bridge", "percy", "1/2", "1"))
    world = told(decree, Step("undo", ("",)), Step("redo"), Step("power cut", (), (5,)))
    kinds = [table["kind"] for table in world.tables]
    assert kinds == ["override", "undo", "redo", "turn"]
    assert world.model.now["forces.percy.strength"] == 12
    assert world.model.now["forces.stafford.strength"] == 4
    assert 'id = "bridge"' not in world.text()


def after_a_power_cut(number: int) -> dict[str, bytes]:
    """Write a file and sync it, write another and do not; return what a power cut leaves."""
    machine = World(CALM).machine
    with machine.process(()):
        for name in ("sure", "unsure"):
            handle = machine.open(f"{FOLDER}/{name}", machine.O_WRONLY | machine.O_CREAT)
            machine.write(handle, b"words")
            if name == "sure":
                machine.fsync(handle)
                machine.fsync(machine.open(FOLDER, machine.O_RDONLY))
        machine.cut_power(number)
    return {path: inode.now for path, inode in machine.disk.files.items()}


def test_a_power_cut_takes_what_was_not_synced_or_a_part_of_it_or_nothing() -> None:
    left = [after_a_power_cut(number) for number in range(60)]
    assert {files[f"{FOLDER}/sure"] for files in left} == {b"words"}
    found = {files.get(f"{FOLDER}/unsure") for files in left}
    assert {None, b"", b"words", b"wo"} <= found


@pytest.mark.slow
def test_what_differs_is_told_with_the_step_and_the_seed() -> None:
    decree = Step("override", ("bridge", "percy", "1/2", "1"))
    with BROKEN["comments"](), pytest.raises(Divergence, match=r"step 1, .*: expected the umpire's"):
        told(decree)
    survey = Survey("comments")
    found = survey.run(1, 2000)
    assert found is not None
    shortest = survey.shortest(found)
    assert f"python -m tests.stress --seed {found.seed} --commands 1" in str(shortest)
    assert "expected the umpire's lines" in shortest.why
    assert len(shortest.story.steps) <= 3


@pytest.mark.parametrize("call", range(1, 36))
def test_an_old_text_saved_at_any_call_of_a_command_that_repairs_loses_nothing(call: int) -> None:
    """The editor has the text of the beginning in it, and saves it before the command and while it works."""
    old = Step("edit", ("touch", "", "", ""), (1, 0, 0))
    points = Step("adjust", ("factions.york.points+=1",), (), (Mishap(call, "meanwhile", 0, old),))
    told(Step("turn"), old, points, Step("turn"))


@pytest.mark.parametrize("call", range(1, 16))
def test_a_fight_that_another_command_overtakes_says_only_of_itself_that_it_recorded_nothing(
    call: int,
) -> None:
    decree = Step("override", ("wood", "stafford", "1/2", "0"))
    told(Step("fight", ("wood",), (), (Mishap(call, "meanwhile", 0, decree),)))


def test_the_lines_that_the_ledger_keeps_tell_which_text_a_command_found() -> None:
    """An editor saves an old text while a command repairs; the file after it is the same either way."""
    own, old = ("own", "", "", "bridge"), ("touch", "", "", "")
    steps = (
        Step("turn"),
        Step("undo", ("",)),
        Step("override", ("wood", "", "0", "1/3")),
        Step("redo"),
        Step(
            "override",
            ("wood", "stafford", "1/7", "1"),
            (),
            (Mishap(5, "meanwhile", 0, Step("edit", own, (0, 1, 0))),),
        ),
        Step(
            "override",
            ("bridge", "", "1/2", "1/3"),
            (),
            (Mishap(23, "meanwhile", 0, Step("edit", old, (5, 0, 0))),),
        ),
        Step("undo", ("",)),
    )
    World(CALM._replace(exchanges=False, steps=steps)).run()


@pytest.mark.parametrize("call", range(1, 36))
def test_a_file_spoilt_at_any_call_of_an_undo_does_not_hide_that_it_is_recorded(call: int) -> None:
    """Once an undo is recorded, the command does not read campaign.toml again."""
    spoilt = Step("edit", ("spoil", "", "", ""), (5, 0, 0))
    undo = Step("undo", ("",), (), (Mishap(call, "meanwhile", 0, spoilt),))
    told(Step("move", ("stafford", "bridge")), undo)
