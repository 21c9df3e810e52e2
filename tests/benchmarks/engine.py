"""Measure the overhead of the engine protocol: `python tests/benchmarks/engine.py [BATTLES]`.

An engine that takes the first option answers at once. The script fights the same battles with the engine and
with a commander in this process that takes the first option, both with events. For each rule set it prints
the milliseconds that the protocol adds to a decision: describing the question, two pipes, two process
switches, and reading the answer. One process of the engine serves all battles. The target is 0.3 ms. On a
busy machine only the last column means something: the processor time that host and engine spend together on
the protocol, without the process switches. It needs Linux.
"""

from __future__ import annotations

import os
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
BATTLES = 200


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
    """Seconds of some battles, by the clock and of processors, and the decisions of the first side."""

    clock: float
    processors: float
    decisions: int


def engine_seconds(host: EngineHost | None) -> float:
    """Return the processor time of the engine so far."""
    process = None if host is None else host.running["first"].process
    if process is None:
        return 0.0
    stat = Path(f"/proc/{process.child.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def run(plan: BattlePlan, battles: int, host: EngineHost | None) -> Times:
    """Fight some battles, with the engine or without it."""
    decisions, clock, processors = 0, perf_counter(), process_time() + engine_seconds(host)
    for seed in range(battles):
        seeded = plan._replace(seed=seed)
        inner = None if host is None else host.commander("first", plan.rules)
        first = First(inner)
        fought(seeded, streams_of(seeded), listen=True, own={0: first})
        decisions += first.decisions
    return Times(perf_counter() - clock, process_time() + engine_seconds(host) - processors, decisions)


def main(battles: int) -> None:
    """Print a line for each rule set."""
    print(build_form())
    heads = f"{'rules':18}{'battles':>8}{'decisions':>11}{'ms with':>9}{'without':>9}{'overhead':>10}"
    print(f"{heads}{'processors':>12}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "first.py"
        file.write_text(ENGINE, encoding="utf-8")
        engine = Engine("first", [sys.executable, "-I", "-S", str(file)])
        host = EngineHost({"first": engine}, Clock())
        for rules in RULE_SETS:
            plan = read_battle(bare_battle(rules, []))
            plan = plan._replace(sides=[side._replace(commander="green") for side in plan.sides])
            run(plan, 3, host)
            with_engine, without = run(plan, battles, host), run(plan, battles, None)
            each = [1000 * times.clock / times.decisions for times in (with_engine, without)]
            extra = 1000 * (with_engine.processors - without.processors) / with_engine.decisions
            print(
                f"{rules:18}{battles:8}{with_engine.decisions:11}{each[0]:9.3f}{each[1]:9.3f}"
                f"{each[0] - each[1]:10.3f}{extra:12.3f}",
                flush=True,
            )
        host.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else BATTLES)
