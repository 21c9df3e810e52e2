"""The compiled rules are the rules: what is compiled, what is not, and that nobody can tell.

`.ci/run` builds the wheel, installs it in an environment of its own and runs the tests of the
rules there, from a copy without sources, with CARDBATTLE_FORM=compiled; then these say whether it
was what it should have been.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from cardbattle import build_form
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.core.battle import Battle, View, play_out_randomly
from cardbattle.core.chance import RandomSource, stream
from cardbattle.core.referee import Commander
from cardbattle.rules.strategy_war.battle import FULL_HAND, StrategyWar
from cardbattle.show.pages.odds import odds_json
from cardbattle.simulation.counting import count
from cardbattle.simulation.odds import OddsStop, count_odds
from cardbattle.simulation.workers import Serial, processes
from cardbattle.testing.contents import contents

ROOT = Path(__file__).parents[2]
COMPILED = [
    "cardbattle.core.battle",
    "cardbattle.core.cards",
    "cardbattle.core.chance",
    "cardbattle.core.referee",
    "cardbattle.core.numeric.matrix_game",
    "cardbattle.core.setup",
    "cardbattle.commanders.ranks",
    "cardbattle.commanders.search",
    "cardbattle.commanders.rollout",
    "cardbattle.battles.resolve",
    "cardbattle.simulation.counting",
    "cardbattle.show.board_changes",
    "cardbattle.show.writers.replay_html",
    *[
        f"cardbattle.rules.{rules}.{room}"
        for rules in ("wargame", "field_of_honour", "warmonger", "strategy_war", "warfare_tactics")
        for room in ("battle", "tactics")
    ],
]


def is_compiled(module: str) -> bool:
    """Say whether this module was loaded from machine code."""
    return str(import_module(module).__file__).endswith(tuple(EXTENSION_SUFFIXES))


@pytest.mark.parametrize("module", COMPILED)
def test_a_module_is_in_the_form_that_the_version_tells(module: str) -> None:
    assert is_compiled(module) == (build_form() == "compiled")


def test_the_form_is_the_one_that_was_asked_for() -> None:
    """Interpreted in a checkout, for an editable install never compiles."""
    expected = os.environ.get("CARDBATTLE_FORM", "interpreted")
    assert build_form() == expected
    done = subprocess.run(
        [sys.executable, "-m", "cardbattle", "--version"], capture_output=True, text=True, check=True
    )
    assert f" ({expected}), Python " in done.stdout


def test_an_interpreted_class_can_be_a_battle_a_view_a_commander() -> None:
    """A plug-in brings its rules as plain Python."""

    class Short(Battle):
        """A battle of one question."""

        def step(self, step: int, side: int) -> None:
            """Ask the first side."""
            self.ask_even_if_forced(0, 1, [10, 20, 30])

        def answer(self, question: int, side: int, choice: int) -> None:
            """Note the choice."""
            self.chosen = choice

    class Seen(View):
        """A view with a fact of its own."""

    class First(Commander):
        """Takes the first option."""

    battle = Short()
    battle.open_agenda(2, RandomSource())
    battle.then(16)
    battle.run()
    assert battle.options == [10, 20, 30]
    play_out_randomly(battle, stream(1, "short"))
    assert battle.chosen in (10, 20, 30)
    assert battle.is_over()
    assert isinstance(Seen(), View)
    assert isinstance(First(), Commander)


def test_a_battle_played_out_at_random_ends() -> None:
    """And is the same battle for the same stream, on to the last number drawn."""
    ends = []
    for _ in range(2):
        battle, chance = StrategyWar(), stream(7, "play")
        battle.begin([FULL_HAND] * 3, RandomSource())
        battle.run()
        play_out_randomly(battle, chance)
        assert battle.is_over()
        ends.append((battle.state(), chance.bits()))
    assert ends[0] == ends[1]


def test_a_count_travels_between_processes() -> None:
    """A worker sends it back with every field."""
    plan = read_battle(bare_battle("strategy-war", []) | {"seed": 1}, "")
    seen = count(plan, "odds", 0, 50)
    again = pickle.loads(pickle.dumps(seen))
    assert contents(again) == contents(seen)
    assert again.battles == 50


@pytest.mark.slow
def test_processes_count_the_same_in_this_form() -> None:
    table = bare_battle("field-of-honour", []) | {"seed": 1}
    with processes(2) as pool:
        told = odds_json(count_odds(table, "", OddsStop(300), pool, 2))
    assert told == odds_json(count_odds(table, "", OddsStop(300), Serial()))


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="needs the checkout")
def test_only_a_wheel_is_compiled() -> None:
    """For other builds, such as an editable install, setup names no extension."""
    commands = ("editable_wheel", "dist_info", "egg_info", "sdist", "develop")
    code = (
        "import sys; sys.argv = ['setup.py', 'sdist']; import setup\n"
        f"for command in {commands}: sys.argv[1] = command; print(setup.extensions())"
    )
    assert outcome(code).endswith("[]\n" * len(commands))


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="needs the checkout")
def test_without_mypyc_the_rules_stay_plain_python() -> None:
    code = (
        "import sys; sys.argv = ['setup.py', 'bdist_wheel']; sys.modules['mypyc.build'] = None; "
        "import setup; print(setup.extensions())"
    )
    assert outcome(code).endswith("mypyc is not there; the rules stay plain Python\n[]\n")


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="needs the checkout")
def test_what_mypyc_refuses_stays_plain_python() -> None:
    code = (
        "import sys, types; sys.argv = ['setup.py', 'bdist_wheel']; "
        "sys.modules['mypyc.build'] = build = types.ModuleType('build'); "
        "build.mypycify = lambda *words, **more: sys.exit('no'); import setup; print(setup.extensions())"
    )
    assert outcome(code).endswith("mypyc refuses; the rules stay plain Python: no\n[]\n")


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="needs the checkout")
def test_every_room_of_the_rules_that_must_be_fast_is_compiled() -> None:
    code = "import sys; sys.argv = ['x']; import setup; print(*setup.modules())"
    files = outcome(code).split()
    named = {file.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for file in files}
    assert set(COMPILED) <= named
    assert all((ROOT / file).exists() for file in files)


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="needs the checkout")
def test_of_a_rule_set_only_what_reads_and_speaks_is_not_compiled() -> None:
    """A file that is new or has a new name must not fall out of the group."""
    compiled = outcome("import sys; sys.argv = ['x']; import setup; print(*setup.modules())").split()
    every = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("cardbattle/rules/*/*.py")}
    assert {Path(file).stem for file in every - {*compiled}} == {
        "__init__",
        "boxfile",
        "fight",
        "notation",
        "opening",
        "options",
        "rounds",
        "runs",
        "score_history",
        "space",
        "story",
        "threads",
        "turns",
        "wars",
    }


def outcome(code: str) -> str:
    """Return what a piece of Python prints that looks into setup.py without running it."""
    before = "import setuptools; setuptools.setup = lambda **words: None; "
    done = subprocess.run(
        [sys.executable, "-c", before + code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout
