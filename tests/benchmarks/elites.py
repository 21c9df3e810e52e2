"""Measure a turn of ten battles with elite commanders on both sides: `python -m tests.benchmarks.elites`.

For each rule set, the script prints the processor seconds of `campaign fight --all` in a new campaign, and
half of them, which two free cores need: the battles share no force, so they are fought in parallel. If the
rules are compiled and two cores need more than 20 seconds, the exit code is 1.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from cardbattle import build_form
from cardbattle.rules import RULE_SETS
from tests.benchmarks.turn import children_time

BATTLES = 10
LIMIT = 20.0  # seconds on two cores, compiled
SIDES = ("red", "blue")


def campaign(rules: str) -> str:
    """Return a campaign file with ten pending battles of elite commanders."""
    parts = [f'format = 1\nname = "Elites"\nseed = "elites"\nrules = "{rules}"\n']
    for side in SIDES:
        parts.append(f"[factions.{side}]\n")
        parts += [
            f'[forces.{side}-{n}]\nfaction = "{side}"\nstrength = 8\ncommander = "elite"\n'
            for n in range(BATTLES)
        ]
    parts += [
        f'[[pending]]\nid = "battle-{n}"\nsides = {[[f"{side}-{n}"] for side in SIDES]}\n'
        for n in range(BATTLES)
    ]
    return "\n".join(parts)


def seconds(rules: str) -> float:
    """Return the processor seconds of the command that fights all battles."""
    with TemporaryDirectory() as folder:
        Path(folder, "campaign.toml").write_text(campaign(rules), encoding="utf-8")
        began = children_time()
        words = ["campaign", "-C", folder, "fight", "--all", "-q"]
        subprocess.run([sys.executable, "-m", "cardbattle", *words], capture_output=True, check=True)
        return children_time() - began


def main() -> int:
    """Print a line for each rule set; return the exit code."""
    print(build_form())
    print(f"{'rules':18}{'processor s':>12}{'two cores s':>12}")
    slowest = 0.0
    for rules in RULE_SETS:
        spent = seconds(rules)
        slowest = max(slowest, spent / 2)
        print(f"{rules:18}{spent:12.1f}{spent / 2:12.1f}", flush=True)
    return int(slowest > LIMIT and build_form() == "compiled")


if __name__ == "__main__":
    sys.exit(main())
