"""Measure long ledgers and many battles: `python tests/benchmarks/campaign.py [ENTRIES [TO CHECK]]`."""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from cardbattle.campaign.ledger import ledger as ledgers
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.storage import store
from cardbattle.core.chance import stream

ENTRIES, TO_CHECK = 10_000, 100_000
LARGE = 2000, 500
PENDING = 3
MEGABYTE = 1024 * 1024

STATE = """\
# The Hundred Years' War, as it was minuted.
format = 1
name = "The Hundred Years' War"
turn = 116
revision = {revision}
seed = 1337
rules = "field-of-honour"
scoring = {{ win = 1 }}
attrition = {{ rate = "1/100" }}

[factions.england]
points = {odd}

[factions.france]
points = {even}

[forces.talbot]
faction = "england"
strength = {strength}

[forces.dunois]
faction = "france"
strength = 1000

{pending}"""

BATTLE = """\
[[pending]]
id = "{id}"
sides = ["talbot", "dunois"]

"""


def entry(revision: int, losses: Fraction) -> Entry:
    """Return an entry as a battle leaves one, but for its links."""
    battle = f"b{revision}"
    winner, faction = ("talbot", "england") if revision % 2 else ("dunois", "france")
    points = (revision + 1) // 2
    return Entry(
        revision,
        "import",
        [
            Change(("factions", faction, "points"), points - 1, points),
            Change(("forces", "talbot", "strength"), strength(revision - 1), strength(revision)),
            Change(
                ("pending", battle),
                {"id": battle, "sides": ["talbot", "dunois"]},
                None,
                BATTLE.format(id=battle),
                line=25,
            ),
        ],
        id=battle,
        digest="sha256:" + "0" * 64,
        result=Result(
            [winner], {"talbot": SideResult(3, losses), "dunois": SideResult(revision % 5, Fraction(1, 5))}
        ),
    )


def strength(revision: int) -> int:
    """Return the strength that a force has after this revision."""
    return 1000 + revision % 7


def found(folder: Path, entries: int) -> int:
    """Make a campaign with `entries` ledger entries and return the ledger's bytes."""
    chance = stream(1337, "bench")
    last, texts = "", [ledgers.LEDGER_HEADING]
    for revision in range(1, entries + 1):
        sealed = ledgers.with_hash(entry(revision, Fraction(chance.below(6), 5)), last)
        texts.append(ledgers.entry_text(sealed))
        last = sealed.check
    raw = "".join(texts).encode()
    (folder / ledgers.LEDGER_NAME).write_bytes(raw)
    pending = "".join(BATTLE.format(id=f"next-{number}") for number in range(PENDING))
    state = STATE.format(
        revision=entries,
        odd=(entries + 1) // 2,
        even=entries // 2,
        strength=strength(entries),
        pending=pending,
    )
    (folder / store.NAME).write_text(state, encoding="utf-8")
    return len(raw)


WAR = """\
# A large war.
format = 1
name = "A large war"
turn = 3
seed = 7
rules = "strategy-war"
scoring = {{ win = 2, draw = 1 }}
attrition = {{ rate = "1/2", winner_rate = "1/4" }}
"""


def large(folder: Path, forces: int, battles: int) -> None:
    """Make a campaign with these numbers of forces and pending battles, which take the forces in turn."""
    lines = [WAR.format()]
    lines += [f'[factions.f{number}]\nname = "Faction {number}"\npoints = {number}\n' for number in range(20)]
    for number in range(forces):
        lines.append(
            f'[forces.force-{number}]  # raised in spring\nfaction = "f{number % 20}"\n'
            f'name = "Force {number}"\nstrength = {10 + number % 50}\n'
        )
    for number in range(battles):
        one, other = 2 * number % forces, (2 * number + 1) % forces
        lines.append(
            f'# at dawn\n[[pending]]\nid = "b{number}"\nsides = ["force-{one}", "force-{other}"]\n'
            'note = "dawn"  # mist\n'
        )
    (folder / store.NAME).write_text("\n".join(lines), encoding="utf-8")


def measured(folder: Path, *arguments: str) -> tuple[float, float, float]:
    """Return the seconds, those of them on a processor, and the megabytes that a command takes."""
    command = [sys.executable, "-m", "cardbattle", "campaign", "-C", str(folder), *arguments]
    start = perf_counter()
    nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(sys.executable, command, os.environ, file_actions=nowhere)
    _, status, used = os.wait4(process, 0)
    seconds = perf_counter() - start
    if status:
        raise SystemExit(f"{' '.join(arguments)}: exit code {os.waitstatus_to_exitcode(status)}")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / MEGABYTE


def row(words: str, folder: Path, *arguments: str) -> None:
    """Measure a command and print a line."""
    seconds, busy, megabytes = measured(folder, *arguments)
    print(f"{words:34}{seconds:8.2f} s, busy {busy:6.2f} s {megabytes:8.0f} MB")


def main(entries: int, to_check: int) -> None:
    """Print the figures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        size = found(folder, entries)
        print(f"{entries:,} ledger entries, {size / MEGABYTE:.1f} MB")
        row("show, nothing verified yet", folder, "show")
        row("fight, nothing verified yet", folder, "fight", "--detail", "brief")
        row("show", folder, "show")
        row("fight", folder, "fight", "--detail", "brief")
        row("undo", folder, "undo")
        row("check", folder, "check")
    with TemporaryDirectory() as name:
        folder = Path(name)
        size = found(folder, to_check)
        print(f"{to_check:,} ledger entries, {size / MEGABYTE:.1f} MB")
        row("check", folder, "check")
        row("history, nothing verified yet", folder, "history")
        row("show, verified", folder, "show")
        row("history, verified", folder, "history")
        row("report, nothing verified yet", folder, "report")


def war(forces: int, battles: int) -> None:
    """Print the figures of a campaign with many forces and battles."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        large(folder, forces, battles)
        print(f"{forces:,} forces, {battles:,} pending battles")
        row("fight --all", folder, "fight", "--all", "--detail", "brief", "--no-odds")
        for command in ("undo", "redo", "check"):
            row(command, folder, command)


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    main(*(numbers + [ENTRIES, TO_CHECK][len(numbers) :]))
    war(*LARGE)
