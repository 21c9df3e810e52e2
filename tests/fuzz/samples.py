"""Valid files. Small ones are included, because each change matters more in a small file."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import tomli_w

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.resolve import fight_battle
from tests.fuzz.changing import Sample, form_sample, sheet_sample, toml_sample
from tests.support import marches

ROOT = Path(__file__).parent.parent.parent
BATTLES = [*sorted((ROOT / "tests" / "battles").glob("*.toml")), ROOT / "examples" / "shrewsbury.toml"]
LEDGERS = [ROOT / "campaigns" / name / "history.toml" for name in ("back-room-league", "the-marches-1403")]
SMALL_CAMPAIGNS = (
    """\
format = 1
name = "Border"
turn = 1
revision = 0
seed = 7
rules = "wargame"
factions = { york = {}, lancaster = { points = 9 } }
[scoring]
per_score = 1
[forces]
percy = { faction = "york", strength = 14 }
neville = { faction = "york", strength = 3, location = "ford" }
stafford = { faction = "lancaster", strength = 8, commander = "green" }
[locations.ford]
owner = "york"
[[pending]]
id = "ford"
sides = ["percy", "stafford"]
stakes = "ford"
""",
    """\
format = 1
name = "League"
seed = "x"
rules = "field-of-honour"
factions.f = {}
[forces.a]
faction = "f"
strength = 1
[forces.b]
faction = "f"
name = "B"
strength = 2
[[pending]]
id = "first"
sides = ["a", "b"]
house = { dealer = "a" }
options.a = { hand = 12 }
note = '''two
lines'''
""",
    """\
format = 1
name = "One"
seed = 1
factions.f = {}
forces.a = { faction = "f", strength = 1 }
""",
)
SMALL_BATTLES = (
    """\
rules = "strategy-war"
seed = 3
sides = { york = { cards = ["A"], commander = "green" }, lancaster = {} }
""",
    """\
rules = "wargame"
[sides.a]
commander = "orders"
then = "regular"
orders = ["pass"]
[sides.b]
name = "The Bs"
""",
    """\
format = 1
rules = "warmonger"
house.armistice = 2
sides.a.warmongers = 3
sides.b = {}
""",
    """\
rules = "warfare-tactics"
[house]
turn_limit = 2
[sides]
a = { hand = 5 }
b = { hand = 6, battlefield = ["KH"] }
""",
)
RESULTS = (
    """\
format = 1
[[result]]
id = "bridge"
rules = "strategy-war"
seed = 3
winners = ["percy"]
reason = "more-rounds"
[result.sides.percy]
score = 5
losses = "1/4"
[result.sides.stafford]
score = 3
losses = "2/5"
[result.bound]
campaign = "The Marches"
battle = "bridge"
[result.bound.forces.percy]
strength = 14
digest = "0123"
[[result]]
id = "wood"
winners = []
sides = { percy = { losses = "0" }, stafford = { losses = "all" } }
""",
    """\
[[result]]
id = "wood"
winners = ["percy"]
sides = { percy = { losses = "0" }, stafford = { losses = "1/2" } }
""",
)
RESULT_ROWS = """\
id,rules,seed,winners,reason,sides.percy.score,sides.percy.losses,sides.stafford.losses
bridge,strategy-war,3,percy,more-rounds,5,1/4,2/5
wood,,,,,,0,all
ford,wargame,x,percy stafford,,4,"1/3",1/3
"""
FORM_ROWS = (
    """\
id,rules,winners,side1,name1,losses1,score1,side2,name2,losses2,score2,bound
bridge,strategy-war,Harry Percy,percy,Harry Percy,2/5,5,stafford,Stafford,40%,3,
wood,strategy-war,,percy,Harry Percy,,,stafford,Stafford,,,
""",
    """\
id;winners;side1;losses1;side2;losses2;bound
bridge;draw;harry percy;0,4;stafford;lost 4 of 10;\
"{ campaign = ""Border"", battle = ""bridge"", forces = { percy = { strength = 14, digest = ""0123"" } } }"
""",
)
BATTLE_ROWS = """\
id,rules,seed,sides.york.hand,sides.york.commander,sides.lancaster.commander,house.dealer,deal.stack
a,field-of-honour,7,12,green,regular,york,KS 10H
b,strategy-war,x,,green,green,,
,field-of-honour,,9,regular,green,,
"""


def parsed(paths: Sequence[Path], most: int) -> list[Sample]:
    """Return those of the files that have at most `most` characters."""
    texts = [(path, path.read_bytes().decode()) for path in sorted(paths)]
    return [toml_sample(path.name, text) for path, text in texts if len(text) <= most]


def named(stem: str, texts: Sequence[str]) -> list[Sample]:
    """Return samples of these texts."""
    return [toml_sample(f"{stem} {number}", text) for number, text in enumerate(texts, 1)]


def battles() -> list[Sample]:
    """Return battle files of every rule set."""
    return [*parsed(BATTLES, 4000), *named("battle", SMALL_BATTLES)]


def campaigns() -> list[Sample]:
    """Return campaigns, from one of five lines on."""
    shipped = parsed(list((ROOT / "campaigns").glob("*/campaign.toml")), 4000)
    return [toml_sample("marches", marches.MARCHES), *named("campaign", SMALL_CAMPAIGNS), *shipped]


def fought(battle: str) -> str:
    """Return the record of a battle file's battle, between greens."""
    plan = read_battle(tomllib.loads(battle) | {"seed": 1}, str(ROOT))
    sides = [side._replace(commander="green", orders=[]) for side in plan.sides]
    return dumps_record(fight_battle(plan._replace(sides=sides))[0])


def all_records() -> list[Sample]:
    """Return records of every rule set: golden ones, and short ones."""
    golden = parsed(list((ROOT / "tests" / "golden").glob("*.toml")), 2200)
    short = [fought(battle.text) for battle in battles() if len(battle.text) < 250]
    return [*golden, *named("record", [text for text in short if len(text) <= 1600])]


def shorter(path: Path, entries: int) -> str:
    """Return the first entries of a shipped ledger."""
    return "[[entry]]".join(path.read_text(encoding="utf-8").split("[[entry]]")[: entries + 1])


def ledgers() -> list[Sample]:
    """Return the beginnings of the shipped ledgers."""
    lengths = [(path, entries) for path in LEDGERS for entries in (1, 2)]
    return [toml_sample(f"{path.parent.name} {entries}", shorter(path, entries)) for path, entries in lengths]


def batch_of(paths: Sequence[Path]) -> str:
    """Return a batch of small battles with defaults."""
    listed = [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths]
    defaults = {"seed": 5, "sides": {"north": {"commander": "green"}}}
    return tomli_w.dumps({"format": 1, "defaults": defaults, "battle": listed})


def batches() -> list[Sample]:
    """Return a batch of six battles, and batches of two."""
    small = [path for path in BATTLES if path.stat().st_size < 250]
    return named("batch", [batch_of(part) for part in (small, small[:2], small[2:4], small[4:])])


def result_rows() -> list[Sample]:
    """Return a spreadsheet of results."""
    return [sheet_sample("results", RESULT_ROWS)]


def forms() -> list[Sample]:
    """Return forms for results, filled in for a battle of two."""
    return [form_sample(f"form {number}", text) for number, text in enumerate(FORM_ROWS, 1)]


def battle_rows() -> list[Sample]:
    """Return a spreadsheet of battles."""
    return [sheet_sample("batch", BATTLE_ROWS)]
