"""Golden records: battles of every released version of the rules, kept for ever.

`python -m tests.support.golden` writes those of the present versions that are not there yet; it never
touches one that is.
"""

from __future__ import annotations

from pathlib import Path

from cardbattle.battles.records.battle_file import bare_battle, read_battle, with_options
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.rules import RULE_SETS, find

FOLDER = Path(__file__).parents[1] / "golden"
BATTLES: dict[str, list[tuple[list[str], list[str]]]] = {
    "wargame": [([], []), ([], ["house.multi_switch=true", "house.chips=4"]), ([], ["house.traitors=false"])],
    "field-of-honour": [
        ([], []),
        (["percy", "stafford=green"], ["percy.hand=12", "stafford.pick=2"]),
        (["a=green", "b=green"], ["a.extra=RJ,BJ,AS,AD", "b.extra=AH,AC,QS"]),
    ],
    "warmonger": [
        (["a", "b"], ["house.armistice=40"]),
        (["a", "b", "c", "d"], ["c.robot=bulwark", "d.robot=ledger", "house.armistice=40"]),
        (["a=green", "b=green", "c=green"], ["house.copies=2", "house.armistice=30"]),
    ],
    "strategy-war": [
        ([], []),
        (["a", "b=green"], ["house.mode=dark", "a.cards=2,5,5,J,A", "house.rounds=6"]),
        (["a", "b", "c"], ["house.tiebreak=most-rounds", "house.auto_last=true"]),
    ],
    "warfare-tactics": [
        ([], []),
        (["a=green", "b=green"], ["house.decks=2", "house.turn_limit=60"]),
        (["a", "b=green"], ["a.hand=9", "b.battlefield=KS,5H", "house.play_and_attack=true"]),
    ],
}


def write(rules: str) -> None:
    """Write the golden records of a rule set's present version that are missing."""
    for number, (sides, settings) in enumerate(BATTLES[rules], 1):
        file = FOLDER / f"{rules}-{find(rules).version}-{number}.toml"
        if not file.exists():
            table = with_options(bare_battle(rules, sides), settings) | {"seed": 1400 + number}
            record, _ = fight_battle(read_battle(table | {"id": file.stem}))
            file.write_text(dumps_record(record), encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for key in RULE_SETS:
        write(key)
