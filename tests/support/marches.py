"""A small campaign for the tests, and battles fought in it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, parse_campaign, plan_import
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.battle_result import BattleResult, fought_battle, result_digest
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.state.changes import Change, apply_changes
from cardbattle.campaign.storage import store

MARCHES = """\
# The umpire's own words.
format = 1
name = "The Marches"
turn = 4
revision = 0   # the tool counts
seed = 1403
rules = "strategy-war"

[scoring]
win = 2
draw = 1
per_score = 0

[attrition]
rate = "1/2"
winner_rate = "1/4"
destroyed_below = 2

[advantage.strategy-war]
per = "1/4"
give = { cards = ["K"] }
most = 3

[factions.york]
name = "House York"
points = 12  # so far

[factions.lancaster]
points = 9

[forces.percy]
faction = "york"
name = "Harry Percy"
strength = 14   # men-at-arms
location = "shrewsbury"
x_banner = 0.5

[forces.mortimer]
faction = "york"
strength = 3

[forces.stafford]
faction = "lancaster"
strength = 8
commander = "green"

[locations.shrewsbury]
name = "Shrewsbury"
owner = "york"

# The bridge.
[[pending]]
id = "bridge"
sides = ["percy", "stafford"]
stakes = "shrewsbury"
# Fog until noon.

[[pending]]
id = "wood"
sides = [["percy", "mortimer"], ["stafford"]]
note = "a hollow way"
x_map = "4b"

[pending.options.stafford]
cards = ["A", "A"]

[[assert]]
force = "percy"
faction = "york"
"""


def books(text: str = MARCHES, folder: str = "") -> CampaignFile:
    """Return the campaign in a text."""
    return parse_campaign(folder, store.NAME, text.encode())


def folder_with(path: Path, text: str = MARCHES) -> str:
    """Make a campaign's folder and return its path."""
    path.mkdir(parents=True, exist_ok=True)
    (path / store.NAME).write_bytes(text.encode())
    return str(path)


def result(*winners: str, **losses: str) -> Result:
    """Return a result: the winners' keys, and each side's losses."""
    return Result(list(winners), {key: SideResult(3, Fraction(lost)) for key, lost in losses.items()})


def decided(battle: str, *winners: str, **losses: str) -> BattleResult:
    """Return a battle of which only the result is known."""
    outcome = result(*winners, **losses)
    return BattleResult(battle, outcome, result_digest(battle, outcome))


def fought(campaign: CampaignFile, battle: str) -> BattleResult:
    """Return a pending battle fought by the program."""
    pending = campaign.campaign.battle(battle)
    assert pending is not None
    record, _ = fight_battle(read_battle(battle_table(campaign.campaign, pending)))
    return fought_battle(record, dumps_record(record))


def record(folder: str, *battles: BattleResult) -> list[Operation]:
    """Record battles in a campaign's folder."""
    with store.open_for_writing(folder) as desk:
        operations = plan_import(desk.books, desk.ledger, battles).operations
        desk.commit(operations)
        return operations


def commit(folder: str, kind: str, changes: list[Change], reason: str = "") -> list[Entry]:
    """Record changes that were computed earlier."""
    with store.open_for_writing(folder) as transaction:
        apply_changes(transaction.books.source.data, changes)
        return transaction.commit([Operation(Entry(0, kind, changes, reason=reason), "")])
