"""One script of answers through every door: the session, orders, a prompt, messages, the page, a table.

The full screen is held against the prompt in test_screen.py.
"""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest

from browser.app import PageApp
from cardbattle.battles.messages.answer_text import answers_in
from cardbattle.battles.physical.table_battle import begin_table
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.resolve import begin_session, fight_battle
from cardbattle.battles.session import Session
from cardbattle.cli.app import run
from cardbattle.core.referee import Referee
from cardbattle.rules import RULE_SETS
from tests.battles.physical.test_table_battle import agree
from tests.battles.test_session import play_out, table_for, without_commanders
from tests.support.replies import take_answers
from tests.support.table_told import Teller, fought_by, plan_at_table

SHORTEST: dict[str, dict[str, object]] = {
    "strategy-war": {"rounds": 3},
    "warfare-tactics": {"turn_limit": 4},
    "warmonger": {"armistice": 6},
}


def table_of(key: str) -> dict[str, object]:
    """Return a battle that takes few answers, a person on its first side."""
    return table_for(key, 5, house=SHORTEST.get(key, {}), id="mill")


def begun(key: str) -> Session:
    """Return it begun."""
    return begin_session(read_battle(table_of(key)))


def battle_text(key: str) -> str:
    """Return it as a battle file."""
    table = table_of(key)
    house, sides = table["house"], table["sides"]
    assert isinstance(house, dict) and isinstance(sides, dict)
    lines = [
        f'id = "mill"\nrules = "{key}"\nseed = 5\n[house]',
        *(f"{word} = {house[word]}" for word in house),
    ]
    lines += [f'[sides.{side}]\ncommander = "{sides[side]["commander"]}"' for side in sides]
    return "\n".join([*lines, ""])


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_the_same_answers_make_the_same_record_through_every_door(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    session = begun(key)
    script = [text for _, text in play_out(session, random.Random(key))]
    record = session.record()
    text = dumps_record(record)

    assert by_message(key, script) == text
    assert at_the_prompt(key, script, monkeypatch) == text
    assert on_the_page(key, script) == text
    assert without_commanders(by_orders(key, script)) == without_commanders(record)
    at_a_table(session)
    assert capsys.readouterr().err == ""


def by_message(key: str, script: list[str]) -> str:
    """Return the record of a battle whose answers came one by one in messages."""
    session = begun(key)
    for text in script:
        place = f"{session.keys[0]}@{session.place(0)}"
        take_answers(session, answers_in("mail", f"> what now?\n{place}: {text}\n"))
    return dumps_record(session.record())


def at_the_prompt(key: str, script: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the record of a battle whose answers were read from a pipe."""
    Path("mill.toml").write_text(battle_text(key), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{text}\n" for text in script)))
    assert run(["play", "mill.toml"]) == 0
    return Path("mill.record.toml").read_text(encoding="utf-8")


def on_the_page(key: str, script: list[str]) -> object:
    """Return the record of a battle played on the page for those without Python."""
    app = PageApp()

    def ask(request: str, text: str) -> dict[str, object]:
        answer = json.loads(app.call(request, json.dumps({"text": text})))
        assert isinstance(answer, dict) and "failure" not in answer
        return answer

    shown = ask("play", battle_text(key))
    for text in script:
        shown = ask("answer", text)
    return shown["text"]


def by_orders(key: str, script: list[str]):  # type: ignore[no-untyped-def]
    """Return the record of a battle whose answers stood in its file."""
    table = table_of(key)
    sides = table["sides"]
    assert isinstance(sides, dict)
    sides[next(iter(sides))] = {"commander": "orders", "orders": script}
    return fight_battle(read_battle(table))[0]


def at_a_table(session: Session) -> None:
    """Report the same battle as people with real cards would, and check that the result is the same."""

    def choose(referee: Referee) -> int:
        return referee.find(session.referee.moves[len(referee.moves)].partition(" ")[2])

    battle = fought_by(session.beginning.referee(), choose)
    table = begin_table(plan_at_table(session.rules, battle.referee.setup))
    Teller(battle).tell_all(table)
    agree(table, battle)
