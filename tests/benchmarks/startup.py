"""How long commands take to start: `python -m tests.benchmarks.startup [PYTHON]`.

PYTHON is the interpreter of an environment in which a wheel of cardbattle is installed; by default this
one. Each command runs in turn with a bare typer program of two commands, so that a slow moment slows both.
Printed are the median wall time and the median ratio to the bare program's `--help` or `a q`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).parents[2]
RUNS = 15
BARE = """\
import typer

app = typer.Typer()

@app.command()
def a(name: str) -> None:
    print(name)

@app.command()
def b() -> None:
    print("b")

app()
"""
HELP, RUN = ["--help"], ["a", "q"]
COMMANDS = [  # arguments, what the bare program does beside it, the target ratio
    (["--version"], HELP, 0.5),
    (["--help"], HELP, 1.2),
    (["resolve", "--help"], RUN, 1.1),
    (["resolve", "strategy-war", "--seed", "1"], RUN, 1.3),
    (["campaign", "-C", "campaigns/the-marches-1403", "standings"], RUN, 1.6),
    (["--complete=bash", "--word=", "campaign", "-C", "campaigns/the-marches-1403", "fight"], RUN, 0.7),
]


def seconds(command: list[str]) -> float:
    """Return the wall time of one run of a command."""
    began = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd=ROOT)
    return perf_counter() - began


def main() -> None:
    """Print a line for each command."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    with TemporaryDirectory() as folder:
        bare = Path(folder, "bare.py")
        bare.write_text(BARE, encoding="utf-8")
        for arguments, beside, target in COMMANDS:
            ours = [python, "-P", "-m", "cardbattle", *arguments]
            pairs = [(seconds(ours), seconds([python, str(bare), *beside])) for _ in range(RUNS)]
            took, ratio = median(pair[0] for pair in pairs), median(a / b for a, b in pairs)
            compared = f"{ratio:.2f} of the bare {' '.join(beside)} (target {target})"
            print(f"{' '.join(arguments)[:58]:58} {took * 1000:5.0f} ms, {compared}")


if __name__ == "__main__":
    main()
