"""Measure how long batches in TOML take to be read: `python -m tests.benchmarks.batch`."""

from __future__ import annotations

import resource
from collections.abc import Callable
from multiprocessing import Process
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from cardbattle.simulation.batch import read_batch

MEGABYTE = 1_000_000
BATTLE = """
[[battle]]
id = "b{number}"
rules = "field-of-honour"
{comment}[battle.sides.york]
commander = "regular"
hand = {hand}
[battle.sides.lancaster]
commander = "green"
"""
COMMENT = "# What the umpire has to say of this battle, at some length, for whoever reads it later.\n"
BATCHES = {"10,000 battles": (10_000, 0), "100,000 battles": (100_000, 0), "with comments": (95_000, 5)}


def written(path: Path, battles: int, comments: int) -> None:
    """Write a batch of `battles` battles, each with `comments` lines of comment."""
    comment = COMMENT * comments
    text = (BATTLE.format(number=number, hand=8 + number % 5, comment=comment) for number in range(battles))
    path.write_text("".join(text), encoding="utf-8")


def measure(words: str, path: Path) -> None:
    """Read a batch and print a line."""
    begun = process_time()
    battles = len(read_batch(str(path), 1).entries)
    seconds, most = process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    size = path.stat().st_size / MEGABYTE
    print(f"{words:16} {battles:8,} {size:6.1f} MB {seconds:6.1f} s {most / MEGABYTE:6.0f} MB", flush=True)


def alone(work: Callable[..., None], *arguments: object) -> None:
    """Do this in a process of its own, so that its memory is counted alone."""
    process = Process(target=work, args=arguments)
    process.start()
    process.join()


def main() -> None:
    """Print the figures."""
    with TemporaryDirectory() as name:
        for number, (words, (battles, comments)) in enumerate(BATCHES.items()):
            path = Path(name, f"{number}.toml")
            alone(written, path, battles, comments)
            alone(measure, words, path)


if __name__ == "__main__":
    main()
