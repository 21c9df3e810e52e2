"""Measure a turn of a large campaign: `python -m tests.benchmarks.turn [FORCES PLACES ROADS FACTIONS]`.

All tables of the turn are on, each force has an order to march, and no battle is fought. The script prints
the processor seconds of `campaign advance --dry-run`, of the command that records the turn, and of its undo.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from cardbattle.core.chance import stream

SIZE = (500, 200, 400, 8)  # forces, places, roads, factions
LIMIT = 3.0  # seconds for the dry run

TABLES = """\
format = 1
name = "A large war"
turn = 3
seed = "large"
rules = "field-of-honour"

[movement]
allowance = 2

[aftermath]
retreat = "nearest-own"
pursuit = "1/10"
no_retreat = "destroyed"
capture = true

[experience]
battle = 1
win = 2
steps = [{ at = 4, title = "blooded", commander = "seasoned" }]

[supply]
range = 3
out_of_supply = "1/10"

[recovery]
rate = "1/10"

[income]
per_value = 1
to = "purse"

[weather]
table = [{ p = 3, name = "fair" }, { p = 1, name = "rain", movement = -1 }]

[[schedule]]
turn = 3
text = "Harvest"
change = { "forces.*.strength" = 1 }

[[event]]
each = "turn"
when = "weather == 'rain' or turn >= 3"
text = "Fever"
where = "strength > 5"
change = { "forces.*.strength" = "-1/10" }
"""


def campaign(forces: int, places: int, roads: int, factions: int) -> str:
    """Return a campaign file of this size, the same each time."""
    chance = stream("large", "benchmark")
    parts = [TABLES, *(f"[factions.f{n}]\n" for n in range(factions))]
    for n in range(forces):
        place = chance.below(places)
        march = f'march = "march to p{chance.below(places)}"'
        parts.append(
            f'[forces.a{n}]\nfaction = "f{n % factions}"\nstrength = {2 + chance.below(20)}\n'
            f'location = "p{place}"\n{march}\n'
        )
    for n in range(places):
        supply = "supply = true\n" if n % 5 == 0 else ""
        parts.append(f'[locations.p{n}]\nowner = "f{n % factions}"\nvalue = {n % 4}\n{supply}')
    ends = {(n, n + 1) for n in range(places - 1)}
    while len(ends) < roads:
        one, other = sorted((chance.below(places), chance.below(places)))
        if one != other:
            ends.add((one, other))
    parts += [
        f'[[road]]\nbetween = ["p{one}", "p{other}"]\nlength = {1 + (one + other) % 2}\n'
        for one, other in sorted(ends)
    ]
    return "\n".join(parts)


def seconds(folder: str, *words: str) -> float:
    """Return the processor time of a command; its exit code may be 4, if the turn waits for battles."""
    began = children_time()
    command = [sys.executable, "-m", "cardbattle", "campaign", "-C", folder, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    return children_time() - began


def children_time() -> float:
    """Return the processor time of all child processes so far, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(size: tuple[int, ...]) -> None:
    """Print the measurements."""
    with TemporaryDirectory() as folder:
        Path(folder, "campaign.toml").write_text(campaign(*size), encoding="utf-8")
        rehearsal = seconds(folder, "advance", "--dry-run")
        turn = seconds(folder, "advance", "--leave")
        undone = seconds(folder, "undo", "--turn")
        print(f"{size[0]} forces, {size[1]} places, {size[2]} roads, {size[3]} factions, no battle fought:")
        print(
            f"advance --dry-run {rehearsal:.2f} s, advance --leave {turn:.2f} s, undo --turn {undone:.2f} s"
        )
        assert rehearsal < LIMIT, f"expected a dry run below {LIMIT} s"


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:5])) if len(sys.argv) == 5 else SIZE)
