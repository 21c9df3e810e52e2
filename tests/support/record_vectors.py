"""Test vectors of the record format: `python -m tests.support.record_vectors` writes them.

The values are released: other programs depend on them, so an existing vector never changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path

import cardbattle
from cardbattle.battles.records.battle_file import canonical
from cardbattle.battles.records.record import (
    Record,
    deal_table,
    house_table,
    record_digest,
    side_options_table,
)
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import Refight
from cardbattle.core.chance import stream, words
from cardbattle.core.stepping import SteppedBattle
from cardbattle.files.toml import read_toml
from cardbattle.rules import RULE_SETS, find
from tests.support.golden import FOLDER

ROOT = Path(__file__).parents[2]
FILE = ROOT / "examples" / "record-reader" / "vectors.json"
SEEDS: list[tuple[int | str, str]] = [
    (0, "deal"),
    (7, "deal"),
    (1403, "battle"),
    (2**63 - 1, "side/percy"),
    ("Zürich 🎲", "lot"),
]
SHUFFLES: list[tuple[int | str, int]] = [(1, 2), (7, 10), ("under the oak", 52)]
VALUES: list[object] = [
    {},
    {"b": 1, "a": [True, False], "a-b": "", "a_b": {}, "é": "ü", "Z": 0},
    'a "quoted" \\ backslash,\ttab,\nline,\rreturn, \b \f \x01 \x7f \u2028 🎲 /',
    {"seed": 2**53, "moves": ["york commit 2"]},
]


def vectors() -> dict[str, object]:
    """Return all test vectors by kind."""
    return {
        "canonical": [canonical_vector(value) for value in VALUES],
        "streams": [stream_vector(seed, path) for seed, path in SEEDS],
        "below": [below_vector(1, [1, 2, 3, 52, 1000]), below_vector(2, [5 << 28] * 16)],
        "shuffle": [shuffle_vector(seed, n) for seed, n in SHUFFLES],
        "lots": [lot_vector(key, seed) for key in RULE_SETS for seed in (1, 2, 3)],
        "deals": [deal_vector(*dealt) for dealt in dealt_battles()],
        "checks": [*check_vectors()],
        "digests": [digest_vector(golden_record())],
    }


def canonical_vector(value: object) -> dict[str, object]:
    """Return a value with its canonical JSON and the hash of this text."""
    text = canonical(value)
    return {"value": value, "text": text, "sha256": sha256(text.encode()).hexdigest()}


def stream_vector(seed: int | str, path: str) -> dict[str, object]:
    """Return the key and the first words of a stream; the seed is text, which gives the same stream."""
    chance = stream(seed, path)
    return {
        "seed": str(seed),
        "path": path,
        "key": words(seed, path).hex(),
        "words": [chance.bits() for _ in range(8)],
    }


def below_vector(seed: int, bounds: list[int]) -> dict[str, object]:
    """Return a number below each of these bounds, drawn one after the other."""
    chance = stream(seed, "vector")
    return {"seed": seed, "path": "vector", "bounds": bounds, "numbers": [*map(chance.below, bounds)]}


def shuffle_vector(seed: int | str, n: int) -> dict[str, object]:
    """Return the numbers from 0 to n - 1 in shuffled order."""
    order = list(range(n))
    stream(seed, "vector").shuffle(order)
    return {"seed": seed, "path": "vector", "n": n, "order": order}


def lot_vector(key: str, seed: int) -> dict[str, object]:
    """Return the house rules that the lot decides in a battle of the default sides."""
    setup = find(key).usual_setup()
    find(key).choose_random_house_rules(setup, stream(seed, "lot"))
    drawn = {word: setup.house[word] for word in ("first", "dealer", "superpower") if word in setup.house}
    return {"rules": key, "seed": seed, "seats": setup.seats, "house": drawn}


def dealt_battles() -> Iterator[tuple[str, SteppedBattle, int | str]]:
    """Yield battles whose deals have every feature: name, battle, seed."""
    for key in RULE_SETS:
        seed = f"the deal of {key}"
        yield key, cardbattle.battle(key, seed=seed), seed
    for name in (
        "field-of-honour-picks", "field-of-honour-stacked", "warfare-tactics-all-options",
        "warfare-tactics-constructed", "warmonger-robots", "warmonger-two-copies",
    ):  # fmt: skip
        yield name, cardbattle.battle(ROOT / "tests" / "battles" / f"{name}.toml", seed=11), 11


def deal_vector(name: str, battle: SteppedBattle, seed: int | str) -> dict[str, object]:
    """Return what a reader needs to deal a battle's cards, and the deal. Picks take every seventh option."""
    rules, setup, picks = battle.rules, battle.setup, list[str]()
    while battle.options and battle.options[0].startswith("pick "):
        picks.append(f"{battle.side} {battle.options[7 * len(picks)]}")
        battle.choose(7 * len(picks) - 7)
    return {
        "name": name,
        "rules": rules.key,
        "seed": seed,
        "seats": setup.seats,
        "moves": picks,
        "house": house_table(rules, setup),
        "sides": {key: side_options_table(rules, setup, seat) for seat, key in enumerate(setup.seats)},
        "deal": deal_table(rules.dealt(battle.machine, setup), rules),
    }


def golden_record() -> Record:
    """Return a golden record of Strategy WAR."""
    return read_record(read_toml(str(FOLDER / "strategy-war-1-2.toml")).data)


def check_vectors() -> Iterator[dict[str, object]]:
    """Yield the state and the check of a battle of Strategy WAR at its first questions and at the end."""
    record = golden_record()
    again = Refight(record)
    for moves in chain([0], again.steps()):
        if moves in (0, 1, 2, 3, len(record.moves)):
            referee = again.referee
            state = repr(referee.battle.state())
            yield {"moves": record.moves[:moves], "state": state, "check": referee.check()}


def digest_vector(record: Record) -> dict[str, object]:
    """Return a record, its canonical JSON and its digest."""
    return {
        "record": record.table,
        "text": canonical({key: value for key, value in record.table.items() if key != "digest"}),
        "digest": record_digest(record.table),
    }


def text_of(table: dict[str, object]) -> str:
    """Return the vectors as JSON, one line for each vector."""
    lists = []
    for kind, items in table.items():
        assert isinstance(items, list)
        lines = ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in items)
        lists.append(f'  "{kind}": [\n{lines}\n  ]')
    return "{\n" + ",\n".join(lists) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text_of(vectors()), encoding="utf-8")
