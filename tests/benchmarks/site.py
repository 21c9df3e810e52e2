"""Measure the site of a long campaign: `python -m tests.benchmarks.site [BATTLES]`.

The command as an umpire runs it, its start in it, without chances: they are counted once for each battle, and
take longer than all else. Seconds by the clock, with as many processes as there are processors; seconds of a
processor, of all processes together; and these as a ratio to telling the same battles as pages one by one
(`resolve --format html`), which is much the same work without the files.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import Record, dumps_table, record_digest
from cardbattle.battles.records.replay import refight
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.ledger import ledger as ledgers
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.state.apply import result_of_table
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.storage import store
from cardbattle.core.telling import TALE
from cardbattle.show.pages.battle import battle_page
from cardbattle.show.writers.html import to_html

BATTLES = 1000
FORCES = 40
A_TURN = 25  # battles
KINDS = 40  # different battles; the others are these again under other ids
STATE = """\
format = 1
name = "The Hundred Years' War"
turn = {turn}
revision = {revision}
seed = "long enough not to be guessed by anybody who tries"
rules = "field-of-honour"

[factions.england]
points = {points}

[factions.france]

{forces}"""
FORCE = """\
[forces.{key}]
faction = "{faction}"
strength = {strength}
location = "calais"

"""
CALAIS = '[locations.calais]\nowner = "england"\n'


def fought() -> list[Record]:
    """Return different battles of the forces against each other."""
    found = []
    for n in range(KINDS):
        sides: dict[str, dict[str, object]] = {f"e{n % (FORCES // 2)}": {}, f"f{(n * 7) % (FORCES // 2)}": {}}
        plan = read_battle({"rules": "field-of-honour", "seed": n, "sides": sides})
        found.append(fight_battle(plan)[0])
    return found


def long_war(folder: Path, battles: int) -> None:
    """Write a campaign with this number of fought battles."""
    records = fought()
    (folder / "records").mkdir(parents=True)
    strengths = dict.fromkeys([f"{side}{n}" for side in "ef" for n in range(FORCES // 2)], battles)
    entries: list[Entry] = []
    turn = 1
    for n in range(battles):
        if n and n % A_TURN == 0:
            entries.append(Entry(0, "turn", [Change(("turn",), turn, turn + 1)]))
            turn += 1
        entries.append(battle_entry(folder, records[n % KINDS], f"b{n}", strengths))
    text, last = [ledgers.LEDGER_HEADING], ""
    for revision, entry in enumerate(entries, 1):
        sealed = ledgers.with_hash(entry._replace(revision=revision), last)
        text.append(ledgers.entry_text(sealed))
        last = sealed.check
    (folder / ledgers.LEDGER_NAME).write_text("".join(text), encoding="utf-8")
    forces = [
        FORCE.format(key=key, faction="england" if key[0] == "e" else "france", strength=strength)
        for key, strength in strengths.items()
    ]
    state = STATE.format(turn=turn, revision=len(entries), points=battles, forces="".join(forces) + CALAIS)
    (folder / store.NAME).write_text(state, encoding="utf-8")


def battle_entry(folder: Path, record: Record, name: str, strengths: dict[str, int]) -> Entry:
    """Write a battle under a name, and return its entry; a force loses one man by it."""
    table = {**record.table, "id": name}
    table["digest"] = record_digest(table)
    (folder / "records" / f"{name}.toml").write_text(dumps_table(table), encoding="utf-8")
    key = record.setup.seats[0]
    strengths[key] -= 1
    pending: dict[str, object] = {"id": name, "sides": record.setup.seats, "stakes": "calais"}
    changes = [
        Change(("forces", key, "strength"), strengths[key] + 1, strengths[key]),
        Change(("pending", name), pending, None),
    ]
    result, digest = result_of_table(table), str(table["digest"])
    return Entry(0, "battle", changes, name, record=f"records/{name}.toml", digest=digest, result=result)


class Took(NamedTuple):
    """How long a thing took: seconds by the clock, and of a processor."""

    clock: float
    work: float

    def __str__(self) -> str:
        return f"{self.clock:.1f} s by the clock, {self.work:.1f} s of a processor"


def took(thing: Callable[[], object]) -> Took:
    """Do a thing, and return how long it took."""
    clock, work = perf_counter(), worked()
    thing()
    return Took(perf_counter() - clock, worked() - work)


def worked() -> float:
    """Return how many seconds this process and those that it started have worked."""
    return sum(os.times()[:4])


def make_site(folder: Path) -> None:
    """Make the site of a campaign, by a program of its own."""
    command = [
        sys.executable,
        "-m",
        "cardbattle",
        "campaign",
        "-C",
        str(folder),
        "site",
        "--no-chances",
        "-q",
    ]
    subprocess.run(command, check=True)


def tell_one_by_one(battles: int) -> None:
    """Fight this number of battles and render them as pages, without files."""
    records = fought()
    for n in range(battles):
        record = records[n % KINDS]
        to_html(battle_page(report_of(record, refight(record)), TALE, record.table))


def main() -> None:
    """Print what a site takes."""
    battles = int(sys.argv[1]) if len(sys.argv) > 1 else BATTLES
    with TemporaryDirectory() as name:
        folder = Path(name) / "war"
        long_war(folder, battles)
        first, second = took(lambda: make_site(folder)), took(lambda: make_site(folder))
        alone = took(lambda: tell_one_by_one(battles))
        size = sum(path.stat().st_size for path in (folder / "site").rglob("*"))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # of the largest
    print(f"{battles} battles: {first}; again {second}; {size / 1e6:.0f} MB, memory {memory:.0f} MB")
    ratio = first.work / alone.work
    print(f"ratio to telling them alone: {ratio:.2f}, again {second.work / alone.work:.2f}")


if __name__ == "__main__":
    main()
