"""Measure how fast battles are: `python -m tests.benchmarks.speed [--compiled PYTHON] [--long]`.

Everything is told as ratios within one run, in processor time, the least of some rounds in which
the rivals take turns, so that whatever else the machine does bears on all alike. PYTHON is the
interpreter of an environment in which the wheel is installed; without it only this one is
measured. Run from the checkout; the compiled form is run from elsewhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.battles.resolve import deal, fight_battle, fought, streams_of
from cardbattle.core.battle import play_out_randomly
from cardbattle.core.chance import Chance, Drawn, RandomSource, stream
from cardbattle.rules import RULE_SETS
from cardbattle.rules.strategy_war.battle import FULL_HAND, StrategyWar
from cardbattle.simulation.counting import count

ROOT = Path(__file__).parent.parent.parent
ROUNDS = 5
SECONDS = 0.15  # of each rival in each round
CARDS = 13


def least(plays: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the least seconds that each play takes, the plays taking turns."""
    times = {name: fitting(play) for name, play in plays.items()}
    best = dict.fromkeys(plays, 1e9)
    for _ in range(ROUNDS):
        for name, play in plays.items():
            began = process_time()
            for _ in range(times[name]):
                play()
            best[name] = min(best[name], (process_time() - began) / times[name])
    return best


def fitting(play: Callable[[], object]) -> int:
    """Return how many plays fill the time of a round."""
    began, times = process_time(), 0
    while process_time() - began < SECONDS / 2:
        play()
        times += 1
    return 2 * times


def random_strategy_war(sides: int, chance: Chance) -> None:
    """Fight a battle of random choices."""
    battle = StrategyWar()
    battle.begin([FULL_HAND] * sides, RandomSource())
    battle.run()
    play_out_randomly(battle, chance)


def plan_of(rules: str) -> BattlePlan:
    """Return a battle between regulars, as the bare rule set has it."""
    return read_battle(bare_battle(rules, []) | {"seed": 1}, "")


def random_battle(plan: BattlePlan, chance: Chance) -> None:
    """Deal and fight a battle of random choices, without a referee."""
    setup = deal(plan, streams_of(plan))
    battle = plan.rules.start(setup, Drawn(chance))
    battle.run()
    play_out_randomly(battle, chance)


def figures() -> dict[str, float]:
    """Return the seconds that everything takes in this form."""
    chance = stream(1, "bench")
    plays: dict[str, Callable[[], object]] = {}
    for sides in (2, 5):
        plays[f"strategy-war random {sides}"] = partial(random_strategy_war, sides, chance)
    numbers = iter(range(10**9))
    for rules in RULE_SETS:
        plan = plan_of(rules)
        plays[f"{rules} random"] = partial(random_battle, plan, chance)
        plays[f"{rules} odds"] = partial(one_of_the_odds, plan, numbers)
        plays[f"{rules} silent"] = partial(silent_battle, plan)
        plays[f"{rules} told"] = partial(fight_battle, plan)
    found: dict[str, float] = {}
    for name, play in plays.items():
        found |= least({name: play})
    return found


def one_of_the_odds(plan: BattlePlan, numbers: Iterator[int]) -> None:
    """Count the next battle of the odds."""
    number = next(numbers)
    count(plan, "odds", number, number + 1)


def silent_battle(plan: BattlePlan) -> None:
    """Fight a battle without recording moves and events."""
    fought(plan, streams_of(plan), listen=False)


def measured_by(python: str) -> dict[str, float]:
    """Return the figures of another environment."""
    read: dict[str, float] = json.loads(run_module(python, "speed", "--figures"))
    return read


def run_module(python: str, benchmark: str, *words: str, tool: Sequence[str] = ()) -> str:
    """Run a benchmark in another environment, outside the checkout, and return its output.

    `tool` is a command that runs another one, such as valgrind; the output then includes the tool's.
    Raises CalledProcessError if the exit code is not 0.
    """
    command = [*tool, python, "-m", f"tests.benchmarks.{benchmark}", *words]
    with TemporaryDirectory() as folder:
        (Path(folder) / "tests").symlink_to(ROOT / "tests")
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr if tool else done.stdout


def commanded(python: str, *arguments: str) -> tuple[float, float, int]:
    """Return a command's processor and wall seconds, and the peak memory of its largest process, in MB."""
    with TemporaryDirectory() as folder:
        began = perf_counter()
        process = subprocess.Popen(
            [python, "-m", "cardbattle", *arguments], cwd=folder, stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = perf_counter() - began
    assert status == 0, arguments
    return used.ru_utime + used.ru_stime, seconds, used.ru_maxrss // 1024


def row(*cells: str) -> None:
    """Print one line of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)


def head(*cells: str) -> None:
    """Print the head of a table."""
    print()
    row(*cells)
    row(*["---"] * len(cells))


def show_forms(here: dict[str, float], there: dict[str, float]) -> None:
    """Print every rule set in both forms."""
    head("rule set", "kind of battle", "interpreted", "compiled", "ratio")
    for rules in RULE_SETS:
        for kind in ("random", "odds"):
            slow, fast = here[f"{rules} {kind}"], there[f"{rules} {kind}"]
            row(rules, kind, f"{1 / slow:,.0f}/s", f"{1 / fast:,.0f}/s", f"{slow / fast:.1f}")
    head("rule set", "told against silent, interpreted", "compiled")
    for rules in RULE_SETS:
        ratios = [each[f"{rules} told"] / each[f"{rules} silent"] for each in (here, there)]
        row(rules, *(f"{ratio:.1f}" for ratio in ratios))


def show_commands(python: str, long: bool) -> None:
    """Print what whole commands take: of some runs the least of each figure."""
    head("command", "processes", "processor seconds", "wall seconds", "MB")
    runs = {"odds field-of-honour -n 10000": 3, "odds warfare-tactics -n 5000": 2}
    if long:
        runs["odds strategy-war --side a=green --side b=green -n 1000000"] = 1
    found = []
    for command, times in runs.items():
        walls = []
        for jobs in ("1", "2"):
            words = [*command.split(), "--seed", "1", "-q", "--jobs", jobs]
            figures = [commanded(python, *words) for _ in range(times)]
            processor, wall, memory = (min(column) for column in zip(*figures, strict=True))
            walls.append(wall)
            row(f"`{command}`", jobs, f"{processor:.2f}", f"{wall:.2f}", str(memory))
        found.append(f"{walls[0] / walls[1]:.2f}")
    print(f"\nTwo processes against one: {', '.join(found)} times as fast.")


def main() -> None:
    """Print all figures as Markdown."""
    words = sys.argv[1:]
    here = figures()
    if "--figures" in words:
        print(json.dumps(here))
        return
    python = sys.executable
    if "--compiled" in words:
        python = words[words.index("--compiled") + 1]
        show_forms(here, measured_by(python))
    show_commands(python, "--long" in words)


if __name__ == "__main__":
    main()
