"""Measure long ledgers beside another checkout: `python -m tests.benchmarks.ledger OTHER [ENTRIES [ROUNDS]]`.

Both read the same ledger, one after the other, nothing of it verified yet; what counts is the ratio of
their times on a processor.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from cardbattle.campaign.ledger import checkpoint
from tests.benchmarks.campaign import MEGABYTE, found, measured

ENTRIES, ROUNDS = 100_000, 3
COMMANDS = "show", "check", "history", "report"
HERE = Path(__file__).parents[2]


def busy(checkout: Path, folder: Path, command: str) -> float:
    """Return the seconds on a processor that a checkout takes for a command on an unverified ledger."""
    (folder / checkpoint.NAME).unlink(missing_ok=True)
    os.environ["PYTHONPATH"] = str(checkout)
    return measured(folder, command)[1]


def main(other: Path, entries: int, rounds: int) -> None:
    """Print the figures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        size = found(folder, entries)
        os.chdir(folder)  # python -m searches this folder first
        print(f"{entries:,} ledger entries, {size / MEGABYTE:.1f} MB, {rounds} rounds")
        for command in COMMANDS:
            pairs = [(busy(other, folder, command), busy(HERE, folder, command)) for _ in range(rounds)]
            theirs, ours = (median(times) for times in zip(*pairs, strict=True))
            ratio = median(our / their for their, our in pairs)
            print(f"{command:10}{theirs:8.2f} s {ours:8.2f} s   ratio {ratio:.2f}", flush=True)
        os.chdir(HERE)


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[2:]]
    main(Path(sys.argv[1]).resolve(), *(numbers + [ENTRIES, ROUNDS][len(numbers) :]))
