"""The law that the same seed gives the same battle in every process."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys

from cardbattle.core.pickling import global_name
from cardbattle.core.ruleset import RuleSet
from cardbattle.testing.setting_up import trials
from cardbattle.testing.trial import NotTried

BATTLES = 8
HASH_SEEDS = ("1", "2")
PATIENCE = 60  # seconds to wait for one process


def every_process_fights_the_same_battles(rules: RuleSet) -> None:
    """Check that the same seed gives the same house rules, deal and moves in other processes.

    Each process has a different PYTHONHASHSEED, so that sets of strings have a different order.
    """
    if not global_name(rules) or type(rules).__module__ == "__main__":
        raise NotTried("it is not a global variable that another process can import")
    here = battles_of(rules)
    given = pickle.dumps(sys.path) + pickle.dumps(rules)
    command = [sys.executable, "-c", f"from {__name__} import main; main()"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    for hash_seed in HASH_SEEDS:
        there = subprocess.run(
            command,
            input=given,
            env={**environment, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
        error = there.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        assert there.returncode == 0, f"in another process: {error}"
        compare(here, json.loads(there.stdout))


def compare(here: list[dict[str, object]], there: list[dict[str, object]]) -> None:
    """Check that two processes have fought the same battles."""
    for n, (battle, other) in enumerate(zip(here, there, strict=True)):
        for part in battle:
            assert other[part] == battle[part], f"battle {n} has a different {part} in another process"


def battles_of(rules: RuleSet) -> list[dict[str, object]]:
    """Fight some battles, and return their random house rules, deals, moves and state hashes as JSON."""
    fought = [(trial.setup, trial.fight()) for trial in trials(rules)[:BATTLES]]
    table = [
        {
            "lots": repr(setup.house),
            "cards": setup.deal,
            "moves": referee.moves,
            "states": referee.checks,
        }
        for setup, referee in fought
    ]
    return list(json.loads(json.dumps(table)))


def main() -> None:
    """Read the key of a rule set from standard input, and print its battles as JSON."""
    sys.path = pickle.load(sys.stdin.buffer)
    rules = pickle.load(sys.stdin.buffer)
    print(json.dumps(battles_of(rules)))
