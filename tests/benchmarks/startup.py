"""How long commands take to start: `python -m tests.benchmarks.startup`.

Prints the median wall time of short commands as multiples of `python -c pass`, run in turn with
it, so that a slow moment of the machine slows both.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parent.parent.parent
RUNS = 15
NOTHING = [sys.executable, "-c", "pass"]
IMPORT = [sys.executable, "-c", "import cardbattle"]
COMMANDS = {
    "--version": (["--version"], 1.5),
    "--help": (["--help"], 8),
    "resolve strategy-war": (["resolve", "strategy-war", "--seed", "1", "--format", "plain"], 20),
    "resolve examples/shrewsbury.toml": (["resolve", "examples/shrewsbury.toml"], 20),
    "Tab after campaign fight": (
        ["--complete=bash", "--word=", "campaign", "-C", "campaigns/the-marches-1403", "fight"],
        8,
    ),
    "campaign show": (["campaign", "-C", "campaigns/the-marches-1403", "show"], 40),
}


def seconds(command: list[str]) -> float:
    """Return how long one run of a command takes."""
    began = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd=ROOT)
    return perf_counter() - began


def main() -> None:
    """Print the table."""
    programs = {
        name: ([sys.executable, "-m", "cardbattle", *arguments], aim)
        for name, (arguments, aim) in COMMANDS.items()
    }
    for name, (program, aim) in {"import cardbattle": (IMPORT, 1.2), **programs}.items():
        pairs = [(seconds(program), seconds(NOTHING)) for _ in range(RUNS)]
        ratio = median(took / nothing for took, nothing in pairs)
        took = median(took for took, _ in pairs)
        print(f"{name:34} {ratio:5.1f} times python -c pass ({took * 1000:.0f} ms), aim {aim}")


if __name__ == "__main__":
    main()
