"""Records that lack keys of their optional tables are read or refused with a reason, and never crash."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.record import dumps_record, record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.battles.resolve import begin_session, fight_battle
from cardbattle.core.errors import CardbattleError, InvalidInput

BOUND: dict[str, object] = {
    "campaign": "marches",
    "battle": "mill",
    "forces": {"percy": {"strength": 12, "digest": "sha256:1"}},
    "seal": {"slot": 1, "sides": [["percy"], ["york"]], "blind": "ab", "files": {"battle.toml": "sha256:2"}},
}
DECK = """
format = 1
[[card]]
name = "Raid"
effect = "raid"
copies = 9
"""


def subsets(table: dict[str, object]) -> Iterator[dict[str, object]]:
    """Yield a table with every subset of its keys, and with every subset of the keys of each table in it."""
    for count in range(len(table) + 1):
        for keys in combinations(table, count):
            yield {key: table[key] for key in keys}
    for key, value in table.items():
        if isinstance(value, dict):
            for part in subsets(value):
                yield {**table, key: part}


def is_accepted(table: dict[str, object]) -> bool:
    """Return True if a record with these keys is verified, and False if it is refused with a reason."""
    table = {**table, "digest": record_digest(table)}
    try:
        verify_record(read_record(tomllib.loads(dumps_record(RECORD._replace(table=table)))))
    except CardbattleError:
        return False
    return True


RECORD = fight_battle(read_battle({**bare_battle("strategy-war", []), "seed": 1}))[0]


@pytest.fixture(scope="module")
def by_message() -> dict[str, object]:
    """Return the table of the record of a battle by message."""
    session = begin_session(read_battle({**bare_battle("strategy-war", ["p1=human", "p2=human"]), "seed": 1}))
    session.give_receipts("5a" * 16)
    while not session.is_over:
        seat = session.seats_to_answer[0]
        session.answer(seat, session.decision(seat).texts[0])
    return dict(session.record().table)


def test_receipts_have_both_their_keys(by_message: dict[str, object]) -> None:
    receipts = by_message["receipts"]
    assert isinstance(receipts, dict)
    accepted = [part for part in subsets(receipts) if is_accepted({**by_message, "receipts": part})]
    assert accepted == [receipts, receipts]
    for part in ({}, {"salt": receipts["salt"]}, {"sides": receipts["sides"]}):
        with pytest.raises(InvalidInput, match=r"receipts: (salt|sides) is missing"):
            read_record({**by_message, "receipts": part})


@pytest.mark.slow
def test_a_binding_to_a_campaign_has_its_required_keys() -> None:
    accepted = [part for part in subsets(BOUND) if is_accepted({**RECORD.table, "bound": part})]
    assert {} in accepted
    seal = BOUND["seal"]
    assert isinstance(seal, dict)
    for part in accepted[1:]:
        assert {"campaign", "battle", "forces"} <= part.keys()
        terms = part.get("seal", seal)
        assert isinstance(terms, dict) and {"slot", "sides"} <= terms.keys()


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["field-of-honour", "warmonger", "warfare-tactics"])
def test_a_deal_has_every_pile(rules: str) -> None:
    table = dict(fight_battle(read_battle({**bare_battle(rules, []), "seed": 1}))[0].table)
    deal = table["deal"]
    assert isinstance(deal, dict)
    assert {str(part) for part in subsets(deal) if is_accepted({**table, "deal": part})} == {str(deal)}


def test_the_files_of_a_record_can_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deck.toml").write_text(DECK, encoding="utf-8")
    battle = {**bare_battle("warmonger", []), "seed": 1, "house": {"cards": "deck.toml", "armistice": 9}}
    table = dict(fight_battle(read_battle(battle))[0].table)
    files = table["files"]
    assert isinstance(files, dict)
    assert [part for part in subsets(files) if is_accepted({**table, "files": part})] == [{}, files]
    assert not is_accepted({**table, "files": {"cards": "sha256:0"}})
    assert not is_accepted({**table, "files": {**files, "chips": "sha256:0"}})
