"""Read a great many changed files: `python -m tests.fuzz --reader campaign --count 1000000`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.readers import readers
from tests.fuzz.trial import try_inputs


def main() -> int:
    """Try as many inputs as were asked for; print what came of them, and each that a reader fell over."""
    known = readers()
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--reader", choices=[*known, "all"], default="all")
    parser.add_argument("--count", type=int, default=1000, help="how many inputs for each reader")
    parser.add_argument("--seed", default="1", help="the inputs are the same for the same seed")
    parser.add_argument("--first", type=int, default=0, help="begin with the input of this number")
    parser.add_argument("--keep", type=Path, help="keep the inputs that a reader fell over in this folder")
    given = parser.parse_args()
    names = list(known) if given.reader == "all" else [given.reader]
    found = 0
    for name in names:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            numbers = range(given.first, given.first + given.count)
            tally = try_inputs(name, known[name], given.seed, numbers, Path(folder), given.keep)
        print(f"{tally.words(name)}, {time.monotonic() - begun:.0f} s", flush=True)
        found += tally.fell
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
