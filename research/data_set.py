"""Make a data set of records, with a checksum.

Usage: python -m research.data_set FOLDER [--count 100000] [--jobs N] [--seed TEXT]

Write `RULES.jsonl.gz` for each rule set, with an equal share of the records, and `CHECKSUMS`. A line is
the canonical JSON of one record (docs/format-record.md) with its digest. The commanders of the sides are all
pairs of the ranks that do not think ahead, in turn.

The same count, seed and version of the program give the same content, with any number of jobs. Compressed
bytes can differ with the version of zlib, so the checksums are those of the content, as
`zcat wargame.jsonl.gz | sha256sum` prints them.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path
from time import monotonic

from cardbattle import resolve_many
from cardbattle.battles.records.battle_file import canonical
from cardbattle.rules import RULE_SETS, find

COUNT = 100_000
SEED = "cardbattle-data-set-1"
RANKS = ("green", "regular", "seasoned")


def battles(key: str, count: int, seed: str) -> Iterator[dict[str, object]]:
    """Yield the battle files' tables of one rule set."""
    sides = find(key).default_sides
    ranks = list(product(RANKS, repeat=2))
    for number in range(1, count + 1):
        pair = ranks[number % len(ranks)]
        yield {
            "id": f"{key}-{number}",
            "rules": key,
            "seed": f"{seed}/{key}/{number}",
            "sides": {side: {"commander": pair[seat % 2]} for seat, side in enumerate(sides)},
        }


def shares(count: int) -> dict[str, int]:
    """Return the number of records of each rule set; the first ones get the remainder.

    >>> shares(7)
    {'wargame': 2, 'field-of-honour': 2, 'warmonger': 1, 'strategy-war': 1, 'warfare-tactics': 1}
    """
    keys = list(RULE_SETS)
    return {key: count // len(keys) + (place < count % len(keys)) for place, key in enumerate(keys)}


def write_records(folder: Path, key: str, count: int, seed: str, jobs: int) -> str:
    """Write the records of one rule set, and return the SHA-256 of the file's content."""
    content = sha256()
    with gzip.GzipFile(folder / f"{key}.jsonl.gz", "wb", mtime=0) as file:
        for record in resolve_many(battles(key, count, seed), jobs=jobs):
            line = f"{canonical(record.table)}\n".encode()
            content.update(line)
            file.write(line)
    return content.hexdigest()


def make_data_set(folder: Path, count: int = COUNT, seed: str = SEED, jobs: int = 1) -> str:
    """Write all files, and return the text of CHECKSUMS; its last line is the checksum of the others."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ""
    for key, share in shares(count).items():
        began = monotonic()
        lines += f"{write_records(folder, key, share, seed, jobs)}  {key}.jsonl\n"
        print(f"{key}: {share} records in {monotonic() - began:.1f} s", file=sys.stderr)
    text = f"{lines}{sha256(lines.encode()).hexdigest()}  all {count} records, seed {seed}\n"
    (folder / "CHECKSUMS").write_text(text, encoding="utf-8")
    return text


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Make a data set of records, with a checksum.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", default=SEED)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    print(make_data_set(given.folder, given.count, given.seed, given.jobs), end="")


if __name__ == "__main__":
    main()
