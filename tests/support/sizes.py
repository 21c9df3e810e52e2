"""Files full of mistakes, as large as is read: `python -m tests.support.sizes [NAME]...` measures each."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from multiprocessing import Process
from pathlib import Path
from tempfile import TemporaryDirectory

MEGABYTE = 1_000_000
LEDGER = 256 * MEGABYTE
BATCH = 64 * MEGABYTE
Make = Callable[[int], str]

HEAD = 'format = 1\nname = "War"\nseed = 1\nrules = "strategy-war"\n'
TWO = """\
[factions.york]
[factions.rose]
[forces.percy]
faction = "york"
strength = 4
[forces.hal]
faction = "rose"
strength = 4
"""
PENDING = '[[pending]]\nid = "mill"\nsides = ["percy", "hal"]\n'
SIDES = "[sides.percy]\n[sides.hal]\n"


def filled(size: int, head: str, lines: Callable[[int], str], foot: str = "") -> str:
    """Return head, numbered lines up to this number of characters, and foot."""
    found, left, number = [head], size - len(head) - len(foot), 0
    while left > 0:
        line = lines(number)
        found.append(line)
        left -= len(line)
        number += 1
    return "".join([*found[: -1 if left < 0 else None], foot])


def toml(head: str, line: str, foot: str = "") -> Make:
    """Return the maker of a file: a head, then lines in which `@` is their number, then a foot."""
    return lambda size: filled(size, head, lambda number: line.replace("@", str(number)), foot)


def two_halves(head: str, one: str, other: str) -> Make:
    """Return the maker of a file whose first half has one kind of lines, the second another."""
    return lambda size: toml(toml(head, one)(size // 2), other)(size)


CAMPAIGNS: dict[str, Make] = {
    "keys": toml(HEAD, "misspelt@ = 1\n"),
    "keys of a force": toml(HEAD + TWO, "strenght@ = 1\n"),
    "keys of scoring": toml(HEAD + "[scoring]\n", "wun@ = 1\n"),
    "factions misspelt": two_halves(
        HEAD, "[factions.york@]\n", '[forces.f@]\nfaction = "yrok@"\nstrength = 1\n'
    ),
    "locations misspelt": two_halves(
        HEAD + "[factions.york]\n",
        "[locations.hill@]\n",
        '[forces.f@]\nfaction = "york"\nstrength = 1\nlocation = "hlil@"\n',
    ),
    "owners misspelt": two_halves(HEAD, "[factions.york@]\n", '[locations.l@]\nowner = "yrok@"\n'),
    "forces wrong in every value": toml(
        HEAD, '[forces.f@]\nfaction = 1\nname = ""\nstrength = "x"\ncommander = "vetran"\ndestroyed = 3\n'
    ),
    "keys that are none": toml(HEAD, "[forces.F@]\n"),
    "forces that are numbers": toml(HEAD + "[forces]\n", "f@ = 1\n"),
    "asserts that do not hold": toml(HEAD + TWO, '[[assert]]\nforce = "percy"\nstrength = 5\n'),
    "asserts of nobody": toml(HEAD + TWO, '[[assert]]\nforce = "precy@"\nstrength = 4\n'),
    "asserts of nothing": toml(HEAD + TWO, '[[assert]]\nforce = "percy"\nvalue = 4\n'),
    "asserts misspelt": toml(HEAD + TWO, '[[assert]]\nfroce = "percy"\n'),
    "battles of nobody": toml(HEAD + TWO, '[[pending]]\nid = "b@"\nsides = ["percyx@", "halx@"]\n'),
    "forces twice in a battle": toml(HEAD + TWO, PENDING.replace("mill", "b@").replace("hal", "percy")),
    "battles of one id": toml(HEAD + TWO, PENDING),
    "a battle of too many sides": toml(HEAD + TWO + '[[pending]]\nid = "mill"\nsides = [', '"s@",', "]\n"),
    "a side of too many forces": toml(
        HEAD + TWO + '[[pending]]\nid = "mill"\nsides = [["percy"], [', '"s@",', "]]\n"
    ),
    "a side that has a force often": toml(
        HEAD + TWO + '[[pending]]\nid = "mill"\nsides = [["percy"], [', '"hal",', "]]\n"
    ),
    "house rules": toml(HEAD + TWO + PENDING + "[pending.house]\n", "prizs@ = 1\n"),
    "options of nobody": toml(HEAD + TWO + PENDING, "[pending.options.nobody@]\n"),
    "options of many": two_halves(
        HEAD + TWO + '[[pending]]\nid = "mill"\nsides = [["percy"]]\n',
        "[pending.options.nobody@]\nhnad = 1\n",
        "[pending.options.other@]\nhnad = 1\n",
    ),
    "options of a side": toml(HEAD + TWO + PENDING + "[pending.options.percy]\n", "hnad@ = 1\n"),
    "cards of an option": toml(HEAD + TWO + PENDING + "[pending.options.percy]\nhand = [", '"1@",', "]\n"),
    "advantages": toml(HEAD, '[advantage.war@]\nper = "1/4"\ngive = { hand = 1 }\n'),
    "cards of an advantage": toml(
        HEAD + '[advantage.strategy-war]\nper = "1/4"\ngive = { cards = [', '"1@",', "] }\n"
    ),
    "options of an advantage": toml(
        HEAD + '[advantage.strategy-war]\nper = "1/4"\n[advantage.strategy-war.give]\n', "hnad@ = 1\n"
    ),
    "fractional numbers": toml(HEAD + TWO + "[forces.percy.x_own]\n", "a@ = 1.5\n"),
    "numbers in a list": toml(HEAD + TWO + PENDING + "[pending.house]\nprizes = [", "1.5,", "]\n"),
    "dates": toml(HEAD + TWO + PENDING + "[pending.house]\n", "d@ = 1403-07-21\n"),
    "control characters": toml(HEAD + TWO + PENDING + "[pending.house]\n", 'd@ = "\\u0007"\n'),
    "format characters": toml(HEAD + TWO + PENDING + "[pending.house]\n", 'd@ = "\u202e"\n'),
    "a key of control characters": toml(HEAD + TWO + PENDING + "[pending.house]\n", '"\\u0007@" = 1\n'),
    "comments": toml(HEAD + "wrong = 1\n", "#\n"),
    "blank lines": toml(HEAD + "wrong = 1\n", "\n"),
    "a long line": toml(HEAD + 'wrong = "', "x", '"\n'),
    "a long key": toml(HEAD, "x", " = 1\n"),
    "a long list in a line": toml(HEAD + "wrong = [", "1,", "]\n"),
    "deep lists": lambda size: f"{HEAD}[x]\na = {'[' * (size // 2 - 50)}{']' * (size // 2 - 50)}\n",
    "lists as deep as they are read": lambda size: HEAD + "[x]\na = " + "[" * 300 + "]" * 300 + "\n",
    "tables as deep as keys are long": lambda size: HEAD + "[x" + ".a" * 20 + ".b" * 200 + "]\n",
    "one key twice": toml(HEAD, "name = 1\n"),
    "words that are nearly known": toml(HEAD, "forses" * 6 + "@ = 1\n"),
}

BATTLE = 'rules = "{rules}"\n'
BATTLES: dict[str, Make] = {
    "keys": toml(BATTLE, "sed@ = 1\n", SIDES),
    "sides": toml(BATTLE, "[sides.s@]\n"),
    "sides with options": toml(BATTLE, "[sides.s@]\nhnad = 1\n"),
    "sides that are numbers": toml(BATTLE + "[sides]\n", "s@ = 1\n"),
    "options of a side": toml(BATTLE + SIDES, "hnad@ = 1\n"),
    "house rules": toml(BATTLE + SIDES + "[house]\n", "prizs@ = 1\n"),
    "orders": toml(BATTLE + "[sides.percy]\norders = [", '"nothing@",', "]\n[sides.hal]\n"),
    "cards": toml(BATTLE + SIDES + "[deal]\npercy = [", '"1@",', "]\n"),
    "cards that are there": toml(BATTLE + SIDES + "[deal]\npercy = [", '"KS",', "]\n"),
    "numbers that are there": toml(BATTLE + SIDES + "[deal]\npercy = [", "7,", "]\n"),
    "piles": toml(BATTLE + SIDES + "[deal]\n", "pile@ = []\n"),
    "piles in piles": toml(BATTLE + SIDES, "[deal.a@.b.c.d]\ne = []\n"),
    "forces it is bound to": toml(BATTLE + SIDES, "[bound.forces.f@]\nstrenght = 1\n"),
}
DEALT = ("cards", "cards that are there", "numbers that are there", "piles")
RULES = ("wargame", "field-of-honour", "warmonger", "strategy-war", "warfare-tactics")

RECORD = """\
format = 1
id = "mill"
rules = "strategy-war"
rules_version = 1
seed = 1
fought = "table"
reason = "points"
"""
TABLES = '[sides.percy]\nname = "A"\ncommander = "green"\n[sides.hal]\nname = "B"\ncommander = "green"\n'
SEATS = 'seats = ["percy", "hal"]\nwinners = []\n'
RECORDS: dict[str, Make] = {
    "keys": toml(RECORD + SEATS + "moves = []\n", "sed@ = 1\n", TABLES),
    "moves": toml(RECORD + SEATS + "moves = [", '"percy nothing@",', "]\n" + TABLES),
    "numbers for moves": toml(RECORD + SEATS + "moves = [", "1,", "]\n" + TABLES),
    "checks": toml(RECORD + SEATS + "moves = []\nchecks = [", '"@:x",', "]\n" + TABLES),
    "seats": toml(RECORD + "winners = []\nmoves = []\nseats = [", '"s@",', "]\n" + TABLES),
    "seats that won": two_halves(RECORD + "moves = []\nseats = [", '"s@",', '"s@",'),
    "winners": toml(RECORD + 'seats = ["percy", "hal"]\nmoves = []\nwinners = [', '"w@",', "]\n" + TABLES),
    "sides": toml(RECORD + SEATS + "moves = []\n", "[sides.s@]\n"),
    "cards": toml(RECORD + SEATS + "moves = []\n" + TABLES + "[deal]\npercy = [", '"1@",', "]\n"),
    "piles": toml(RECORD + SEATS + "moves = []\n" + TABLES + "[deal]\n", "pile@ = []\n"),
}
RECORDS["seats that won"] = lambda size: (
    RECORD
    + "moves = []\nseats = ["
    + toml("", '"s@",')(size // 2 - 200)
    + "]\nwinners = ["
    + toml("", '"s@",')(size // 2 - 200)
    + "]\n"
)

RESULTS: dict[str, Make] = {
    "battles nobody knows": toml(
        "format = 1\n", '[[result]]\nid = "b@"\nwinners = []\nsides = { percy = { losses = "0" } }\n'
    ),
    "one battle": toml(
        "format = 1\n", '[[result]]\nid = "b"\nwinners = []\nsides = { percy = { losses = "0" } }\n'
    ),
    "keys": toml('format = 1\n[[result]]\nid = "b"\n', "winers@ = []\n"),
    "ids that are none": toml("format = 1\n", '[[result]]\nid = "B@"\n'),
    "nothing": toml("format = 1\n", "[[result]]\n"),
    "winners": toml('format = 1\n[[result]]\nid = "b"\nwinners = [', '"w@",', "]\n"),
    "sides": toml('format = 1\n[[result]]\nid = "b"\nwinners = []\n', "[result.sides.s@]\nloses = 1\n"),
    "sides and winners": two_halves(
        'format = 1\n[[result]]\nid = "b"\nwinners = ["x"]\n', "[result.sides.s@]\n", "[result.sides.t@]\n"
    ),
    "records that are not there": toml(
        "format = 1\n",
        '[[result]]\nid = "b@"\nwinners = []\nrecord = "r@"\nsides = { percy = { losses = "0" } }\n',
    ),
    "what it is bound to": toml('format = 1\n[[result]]\nid = "b"\n', "[result.bound.forces.f@]\nx = 1\n"),
}

ROW = "sides.percy.losses,sides.hal.losses\n"
SHEETS: dict[str, Make] = {
    "battles nobody knows": toml("id,winners," + ROW, "b@,percy,0,0\n"),
    "one battle": toml("id,winners," + ROW, "b,percy,0,0\n"),
    "winners nobody knows": toml("id,winners," + ROW, "b@,pecry@,0,0\n"),
    "rows too long": toml("id,winners\n", "b@,percy,0,0\n"),
    "columns": toml("id", ",c@", "\nb,1,2\n"),
    "columns of one name": toml("id", ",c", "\nb,1,2\n"),
    "columns without a name": toml("id", ",", "\nb,1,2\n"),
    "columns that go below a value": toml("id", ",id.c@", "\nb" + ",1" * 9 + "\n"),
    "a column of dots": toml("id,a", ".a", "\nb,1\n"),
    "dots in quotes": toml("id,a", ".", "\nb,1\n"),
    "rows that go below a value": toml("id,sides,sides.a\n", "b@,1,2\n"),
    "a long cell": toml("id,winners\n", "x", "\n"),
    "empty rows": toml("id,winners\n", ",\n", "b,percy\n"),
    "separators": toml("id,winners\n", ",", "x\n"),
}
BATCH_SHEETS: dict[str, Make] = SHEETS | {
    "rules nobody knows": toml("id,rules\n", "b@,chess\n"),
    "no sides": toml("id,rules\n", "b@,wargame\n"),
    "no rules": toml("id,seed\n", "b@,1\n"),
    "equal rows": toml("rules,seed\n", "wargame,1\n"),
    "options": toml("rules,sides.a.hnad,sides.b\n", "wargame,@,green\n"),
}
BATCHES: dict[str, Make] = {
    "keys": toml("", "defalts@ = 1\n"),
    "defaults": toml("[defaults]\n", "sed@ = 1\n"),
    "no tables": toml("battle = [", "1,", "]\n"),
    "nothing": toml("", "[[battle]]\n"),
    "rules nobody knows": toml("", '[[battle]]\nid = "b@"\nrules = "chess"\n'),
    "one id": toml("", '[[battle]]\nid = "b"\nrules = "wargame"\n'),
    "options": toml("", '[[battle]]\nrules = "wargame"\nsides = { a = { hnad = @ }, b = {} }\n'),
    "comments": toml("wrong = 1\n", "#\n"),
}
LEDGERS: dict[str, Make] = {
    "comments": toml("", "#\n"),
    "blank lines": toml("", "\n"),
    "entries that are none": toml("", "[[entry]]\n"),
    "an entry without end": toml("[[entry]]\nchanges = [", '{ key = "a.b", after = 1 },', "]\n"),
    "an entry that ends": toml(
        "[[entry]]\nrevision = 1\nchanges = [", '{ key = "a.b", after = 1 },', f']\ncheck = "{"0" * 64}"\n'
    ),
    "ends": toml("[[entry]]\n", f'check = "{"0" * 64}"\n'),
    "a long line": toml("[[entry]]\n# ", "x", "\n"),
}


class Case:
    """A file that is too much, and the command that is given it."""

    def __init__(self, file: str, make: Make, most: int, *arguments: str) -> None:
        self.file = file
        self.make = make
        self.most = most
        self.arguments = arguments

    def write(self, folder: Path, size: int) -> None:
        """Write the campaign for the test, and the file with this number of characters."""
        (folder / "campaign.toml").write_text(HEAD + TWO + PENDING, encoding="utf-8")
        (folder / self.file).write_text(self.make(size), encoding="utf-8", newline="\n")


def battle(rules: str, make: Make) -> Make:
    """Return the maker of a battle of a rule set."""
    return lambda size: make(size).replace("{rules}", rules, 1)


def cases() -> Iterable[tuple[str, Case]]:
    """Yield every case by its name."""
    for name, make in CAMPAIGNS.items():
        yield f"campaign, {name}", Case("campaign.toml", make, MEGABYTE, "campaign", "check")
    for place, (name, make) in enumerate(BATTLES.items()):
        for rules in RULES if name in DEALT else RULES[place % len(RULES) :][:1]:
            made = battle(rules, make)
            yield f"{rules}, {name}", Case("battle.toml", made, MEGABYTE, "resolve", "battle.toml")
    for name, make in RECORDS.items():
        yield f"record, {name}", Case("record.toml", make, MEGABYTE, "verify", "record.toml")
        yield f"imported, {name}", Case("record.toml", make, MEGABYTE, "campaign", "import", "record.toml")
    for name, make in RESULTS.items():
        yield f"results, {name}", Case("result.toml", make, MEGABYTE, "campaign", "import", "result.toml")
    for name, make in SHEETS.items():
        yield f"sheet, {name}", Case("result.csv", make, MEGABYTE, "campaign", "import", "result.csv")
    for name, make in BATCH_SHEETS.items():
        yield f"rows, {name}", Case("batch.csv", make, BATCH, "batch", "batch.csv", "--jobs", "1")
    for name, make in BATCHES.items():
        yield f"batch, {name}", Case("batch.toml", make, BATCH, "batch", "batch.toml", "--jobs", "1")
    for name, make in LEDGERS.items():
        yield f"ledger, {name}", Case("history.toml", make, LEDGER, "campaign", "history")


CASES = dict(cases())


def measured(folder: str, arguments: Sequence[str]) -> tuple[int, float, float, int]:
    """Return what a command came to: exit code, seconds of a processor, megabytes, lines of complaint."""
    said = os.path.join(folder, "said")
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-m", "cardbattle", *arguments]
    with open(said, "wb") as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": root},
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        _, status, used = os.wait4(process.pid, 0)
    lines = Path(said).read_bytes().count(b"\n")
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, lines


def main(names: list[str]) -> None:
    """Print what each case takes at its largest, in seconds of a processor and megabytes."""
    for name, case in CASES.items():
        if names and not any(wanted in name for wanted in names):
            continue
        with TemporaryDirectory() as folder:
            maker = Process(target=case.write, args=(Path(folder), case.most))
            maker.start()  # what a process takes counts for those that it starts
            maker.join()
            code, busy, megabytes, lines = measured(folder, case.arguments)
            print(f"{name:50} exit {code:3} {busy:7.2f} s {megabytes:6.0f} MB {lines:5} lines", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
