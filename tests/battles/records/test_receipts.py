"""Receipts by message: the record of the same battle contains each of them, and they reveal nothing."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import pytest

from cardbattle import rules
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.reader_view import table_for
from cardbattle.battles.records.receipts import receipts_in
from cardbattle.battles.records.record import dumps_record, record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import ReplayMismatch, verify_record
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import read_session, session_text
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import InvalidInput
from cardbattle.show.message import ending_to, question_to
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.seal_variants import RULES

SALT = "5a" * 16
LINE = re.compile(r"^Receipt: ([0-9a-f]{32})$", re.MULTILINE)


def begun(key: str, seed: str) -> Session:
    """Return a battle by message of two sides, both played by persons."""
    names = rules.find(key).default_sides[:2]
    table = bare_battle(key, [f"{name}=human" for name in names])
    if key == "warmonger":
        table["house"] = {"armistice": 12}
    if key == "warfare-tactics":
        table["house"] = {"turn_limit": 20}
    session = begin_session(read_battle({"id": "mill", **table, "seed": seed}))
    session.give_receipts(SALT)
    return session


def kept(session: Session) -> Session:
    """Return a battle as it goes on from its file."""
    return read_session(tomllib.loads(session_text(session)))


def shown(session: Session, seat: int) -> str:
    """Return the receipt in the message to a seat that is asked."""
    (receipt,) = LINE.findall("\n".join(line for part in question_to(session, seat) for line in part.lines))
    return str(receipt)


@pytest.mark.parametrize("key", RULES)
@pytest.mark.parametrize(
    "seed",
    [pytest.param(0, marks=pytest.mark.slow), *(pytest.param(n, marks=pytest.mark.heavy) for n in (1, 2))],
)
def test_every_receipt_in_a_message_is_in_the_record(key: str, seed: int) -> None:
    chance = random.Random(seed)
    session, given = begun(key, f"a battle by message, the {seed}."), set[str]()
    while not session.is_over:
        given |= {shown(session, seat) for seat in session.seats_to_answer}
        seat = chance.choice(session.seats_to_answer)
        session.answer(seat, chance.choice(session.decision(seat).texts))
        session = kept(session) if chance.random() < 0.2 else session
    for seat in session.players:
        [receipt] = LINE.findall("\n".join(line for part in ending_to(session, seat) for line in part.lines))
        given.add(receipt)
    record = read_record(tomllib.loads(dumps_record(session.record())))
    assert verify_record(record) == ""
    assert given == receipts_in(record.table)


def test_a_receipt_is_the_same_whoever_has_answered_in_secret() -> None:
    for key in ("field-of-honour", "strategy-war"):
        session = begun(key, "who is first")
        first, second = session.seats_to_answer
        before = shown(session, second)
        session.answer(first, session.decision(first).texts[0])
        assert shown(session, second) == before
        assert session.seats_to_answer == [first, second] if key == "field-of-honour" else [second]


def test_a_receipt_covers_the_answers_that_are_still_secret() -> None:
    texts = begun("field-of-honour", "still secret").decision(0).texts[:2]
    given = []
    for text in texts:
        session = begun("field-of-honour", "still secret")
        session.answer(0, text)
        given.append(shown(session, 0))
    assert len({*given, shown(begun("field-of-honour", "still secret"), 0)}) == 3


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[1:] + lines[:1],
        lambda lines: [lines[0][:-1] + "x", *lines[1:]],
        lambda lines: [lines[0].replace(":0:", ":1:", 1), *lines[1:]],
        lambda lines: lines[:-1],
        lambda lines: [*lines[:-1], lines[-1][:-1] + ("0" if lines[-1][-1] != "0" else "1")],
        lambda lines: [],
    ],
)
def test_changed_receipts_are_refused(change: object) -> None:
    session = begun("strategy-war", "to be changed")
    while not session.is_over:
        session.answer(session.seats_to_answer[0], session.decision(session.seats_to_answer[0]).texts[0])
    table = tomllib.loads(dumps_record(session.record()))
    assert callable(change)
    table["receipts"]["sides"]["p1"] = change(table["receipts"]["sides"]["p1"])
    table["digest"] = record_digest(table)
    with pytest.raises((ReplayMismatch, InvalidInput), match=r"receipt|QUESTION:MOVES:RECEIPT"):
        verify_record(read_record(table))


def test_nobody_but_the_umpire_sees_the_receipts_of_others() -> None:
    session = begun("strategy-war", "who sees what")
    while not session.is_over:
        session.answer(session.seats_to_answer[0], session.decision(session.seats_to_answer[0]).texts[0])
    record = session.record()
    assert "receipts" in table_for(record, None)
    assert not [seat for seat in (0, 1, NOBODY) if "receipts" in table_for(record, seat)]


def test_verify_finds_a_receipt_or_says_that_no_record_has_it(sh: Shell) -> None:
    """A battle that was begun again has other receipts, even with the same seed and the same answers."""
    named = ("--side", "york", "--side", "percy", "--as", "york", "--seed", "1485")
    Path("answers.txt").write_text(f"york@1: {'; '.join(['#1'] * 13)}\n")
    receipts = []
    for name in ("first.toml", "again.toml"):
        receipts += re.findall(r"Receipt: ([0-9a-f]{32})\n", sh("orders", "ask", "strategy-war", *named).out)
        assert sh("orders", "take", "strategy-war.battle.toml", "answers.txt").code == 0
        Path("strategy-war.record.toml").rename(name)
    assert len({*receipts}) == 2
    said = sh("verify", "first.toml", "again.toml", "--receipt", receipts[0])
    assert (said.code, f'receipt "{receipts[0]}": in first.toml\n' in said.err) == (0, True)
    said = sh("verify", "again.toml", "--receipt", receipts[0])
    assert said.code == 1
    assert f'receipt "{receipts[0]}": not in any of these records' in said.err


def test_a_battle_begun_before_there_were_receipts_goes_on_without() -> None:
    table = bare_battle("strategy-war", ["york=human", "percy"])
    session = kept(begin_session(read_battle({"id": "mill", **table, "seed": 1})))
    assert not LINE.findall("\n".join(question_to(session, 0)[0].lines))
    while not session.is_over:
        session.answer(0, session.decision(0).texts[0])
    assert "receipts" not in session.record().table
