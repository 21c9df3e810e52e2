"""Measure the overhead of the engine protocol: `python tests/benchmarks/engine.py [BATTLES]`.

An engine that takes the first option answers at once. The script fights the same battles, in turn, with the
engine and with a commander in this process that takes the first option, and counts each battle's fastest
time. For each rule set it prints the milliseconds of a decision with and without the engine, and their
difference, the overhead. The target is 0.3 ms. Two columns explain the overhead: `pipes` is the part that
remains if finished questions go through the same pipes to the same engine, and `host` is the processor time
of this process. One process of the engine serves all battles.

On a busy machine with Linux, `sudo chrt --rr 10 python tests/benchmarks/engine.py` keeps other processes from
interrupting the measurement.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from cardbattle import build_form
from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.battles.resolve import fought, streams_of
from cardbattle.core.referee import Commander, Seat
from cardbattle.engines.definitions import Engine
from cardbattle.engines.description import Clock
from cardbattle.engines.host import EngineHost
from cardbattle.engines.process import EngineProcess, no_log
from cardbattle.rules import RULE_SETS

ENGINE = """
import sys

read, write, flush = sys.stdin.buffer.readline, sys.stdout.buffer.write, sys.stdout.buffer.flush
while line := read():
    kind = line[9:12]
    if kind == b"ask":
        battle = line[line.index(b'"battle":') : line.index(b',"question"')]
        option = line[line.index(b'"options":[{"id":') + 17 :]
        write(b'{"type":"answer",%s,"option":%s}\\n' % (battle, option[: option.index(b",")].rstrip(b"}")))
        flush()
    elif kind == b"hel":
        write(b'{"type":"ready","protocol":1,"name":"first option"}\\n')
        flush()
    elif kind == b"qui":
        sys.exit()
"""
BATTLES = 100
ROUNDS = 3
WARM_UP = 3  # battles before the measurement


class First(Commander):
    """Takes the first option, and counts its decisions."""

    def __init__(self, inner: Commander | None = None) -> None:
        self.inner = inner
        self.decisions = 0

    def answer(self, seat: Seat) -> int:
        """Return the answer of the other commander, or the first option."""
        self.decisions += 1
        return 0 if self.inner is None else self.inner.answer(seat)


class Times(NamedTuple):
    """The seconds of a battle, by the clock and of this process, and the decisions of the first side."""

    clock: float
    processor: float
    decisions: int


def fight(plan: BattlePlan, seed: int, host: EngineHost | None) -> Times:
    """Fight a battle with the engine, or without it if `host` is None."""
    clock, processor = perf_counter(), process_time()
    seeded = plan._replace(seed=seed)
    first = First(None if host is None else host.commander("first", plan.rules))
    fought(seeded, streams_of(seeded), listen=True, own={0: first})
    if host is not None:
        host.settle()
    return Times(perf_counter() - clock, process_time() - processor, first.decisions)


def fastest(rounds: list[list[Times]]) -> Times:
    """Return the fastest times of each battle, added up. A round has one item for each battle."""
    by_battle = list(zip(*rounds, strict=True))
    clock = sum(min(times.clock for times in battle) for battle in by_battle)
    processor = sum(min(times.processor for times in battle) for battle in by_battle)
    return Times(clock, processor, sum(battle[0].decisions for battle in by_battle))


def questions(plan: BattlePlan, host: EngineHost, process: EngineProcess) -> list[bytes]:
    """Fight some battles with the engine, and return the lines of all questions."""
    log: list[str] = []
    process.log = log.append
    for seed in range(WARM_UP):
        fight(plan, seed, host)
    process.log = no_log
    return [f"{line.partition(' > ')[2]}\n".encode() for line in log if ' > {"type":"ask"' in line]


def exchange(process: EngineProcess, lines: list[bytes]) -> float:
    """Send finished questions to the engine, and return the seconds that one question and its answer take."""
    clock = perf_counter()
    for line in lines:
        process.write(line)
        process.reader.readline()
    return (perf_counter() - clock) / len(lines)


def main(battles: int) -> None:
    """Print a line for each rule set."""
    print(build_form())
    heads = f"{'rules':18}{'battles':>8}{'decisions':>11}{'ms with':>9}{'without':>9}{'overhead':>10}"
    print(f"{heads}{'pipes':>8}{'host':>8}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "first.py"
        file.write_text(ENGINE, encoding="utf-8")
        engine = Engine("first", [sys.executable, "-I", "-S", str(file)])
        host = EngineHost({"first": engine}, Clock())
        process = host.running["first"].open()
        for rules in RULE_SETS:
            plan = read_battle(bare_battle(rules, []))
            plan = plan._replace(sides=[side._replace(commander="green") for side in plan.sides])
            lines = questions(plan, host, process)
            pairs = [
                [(fight(plan, seed, host), fight(plan, seed, None)) for seed in range(battles)]
                for _ in range(ROUNDS)
            ]
            with_engine = fastest([[pair[0] for pair in battle] for battle in pairs])
            without = fastest([[pair[1] for pair in battle] for battle in pairs])
            each = [1000 * times.clock / times.decisions for times in (with_engine, without)]
            extra = 1000 * (with_engine.processor - without.processor) / with_engine.decisions
            pipes = 1000 * min(exchange(process, lines) for _ in range(ROUNDS))
            print(
                f"{rules:18}{battles:8}{with_engine.decisions:11}{each[0]:9.3f}{each[1]:9.3f}"
                f"{each[0] - each[1]:10.3f}{pipes:8.3f}{extra:8.3f}",
                flush=True,
            )
        host.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else BATTLES)
