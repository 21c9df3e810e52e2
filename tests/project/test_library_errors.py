"""Every error of the library is a CardbattleError, for any arguments."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardbattle

TEXTS = ["", "x", "wargame", "nowhere.toml", "a/b", "\0", ".", "/", "x" * 5000, "\ud800"]
NUMBERS = [0, -1, 1.5, float("nan"), float("inf"), 10**30, True]
OTHERS: list[object] = [None, b"x", [], ["x"], {}, {1: 2}, object(), len, cardbattle.Commander]
TABLES: list[object] = [
    {"rules": "wargame"},
    {"rules": 1},
    {"rules": "wargame", "sides": {}},
    {"rules": "wargame", "sides": {"brown": {}, "green": {}}, "seed": []},
    {"rules": "wargame", "sides": {"brown": {}, "green": {}}, 3: 4},
]
ANYTHING = [*TEXTS, *NUMBERS, *OTHERS, *TABLES]
GREEN = {"brown": "green", "green": "green"}
SMALL = {"rules": "strategy-war", "seed": 1, "sides": {key: {"cards": ["2", "3"]} for key in ("a", "b")}}
DEMO = Path(cardbattle.__file__).parent / "data" / "demo"
RECORD = cardbattle.resolve(SMALL)
BATTLE = cardbattle.battle(SMALL)
SESSION = cardbattle.play(SMALL)
ODDS = cardbattle.odds(SMALL, battles=2)
RULES = cardbattle.find("wargame")
library: Any = cardbattle  # as from a place without a type checker

CALLS: dict[str, Callable[[Any], object]] = {
    "resolve": lambda value: library.resolve(value, sides=GREEN),
    "seed": lambda value: library.resolve("wargame", seed=value, sides=GREEN),
    "house": lambda value: library.resolve("wargame", seed=1, house=value, sides=GREEN),
    "sides": lambda value: library.resolve("wargame", seed=1, sides=value),
    "side": lambda value: library.resolve("wargame", seed=1, sides={**GREEN, "green": value}),
    "commander": lambda value: library.resolve("wargame", seed=1, sides={"green": {"commander": value}}),
    "resolve_many": lambda value: list(itertools.islice(library.resolve_many(value), 2)),
    "one of many": lambda value: list(library.resolve_many([value], sides=GREEN)),
    "jobs of many": lambda value: list(library.resolve_many([], jobs=value)),
    "odds": lambda value: library.odds(value, battles=1, sides=GREEN),
    "battles": lambda value: library.odds(SMALL, battles=value if value != 10**30 else 0),
    "precision": lambda value: library.odds(SMALL, battles=1, precision=value),
    "jobs": lambda value: library.odds(SMALL, battles=1, jobs=value),
    "executor": lambda value: library.odds(SMALL, battles=1, executor=value) if value is not None else 0,
    "growing_odds": lambda value: next(library.growing_odds(SMALL, battles=value)),
    "every": lambda value: next(library.growing_odds(SMALL, battles=1, every=value)),
    "play": library.play,
    "go_on": library.go_on,
    "replay": library.replay,
    "verify": library.verify,
    "load_seals": library.load_seals,
    "load_campaign": lambda value: library.load_campaign(value) if value != "" else 0,
    "find": library.find,
    "battle": library.battle,
    "table": library.table,
    "battle.choose": lambda value: BATTLE.copy().choose(value),
    "battle.view": BATTLE.view,
    "battle.events_since": BATTLE.events_since,
    "battle.events_since side": lambda value: BATTLE.events_since(0, value),
    "battle.redeal": lambda value: BATTLE.redeal(value, 1),
    "battle.redeal seed": lambda value: BATTLE.redeal("a", value),
    "session.answer": lambda value: SESSION.answer("a", value),
    "session.decision": SESSION.decision,
    "session.view": SESSION.view,
    "session.undo": SESSION.undo,
    "session.events_since": SESSION.events_since,
    "session.events_since side": lambda value: SESSION.events_since(0, value),
    "record.tale": lambda value: RECORD.tale(value) if value != "" else 0,
    "record.tale side": lambda value: RECORD.tale("brief", value),
    "record.score": RECORD.score,
    "record.lost": RECORD.lost,
    "odds.won": ODDS.won,
    "odds.score": ODDS.score,
    "rules.battle": RULES.battle,
    "campaign.fight": lambda value: cardbattle.load_campaign("war").fight(value),
    "ledger.entry": lambda value: cardbattle.load_campaign("war").ledger.entry(value),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_raises_a_cardbattle_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Except a TypeError for a value of another type than the signature says."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DEMO, tmp_path / "war")
    for value in ANYTHING:
        try:
            CALLS[name](value)
        except (cardbattle.CardbattleError, TypeError):
            pass
        except Exception as error:
            pytest.fail(f"{value!r:.60}: {error!r:.200}")
