"""The program as an engine: its commanders answer any host."""

from __future__ import annotations

import io
import json

import pytest

from cardbattle.core.chance import stream
from cardbattle.core.errors import UsageError
from cardbattle.engines.description import Clock, ask_line, new_message
from cardbattle.engines.position import position_of
from cardbattle.engines.protocol import Message, encode
from cardbattle.engines.server import Server, serve
from cardbattle.rules import RULE_SETS, find
from tests.engines.test_description import place_of, questions, referee_of_battle


def exchange(server: Server, message: Message) -> dict[str, object]:
    """Return the reply to a message that has one."""
    (reply,) = server.reply(encode(message))
    return dict(reply)


def new(server: Server, rules: str, seed: int = 3) -> None:
    """Begin a battle."""
    referee = referee_of_battle(rules, seed)
    message = new_message(find(rules), referee.seat, "battle-1", Clock(), 7)
    assert server.reply(encode(message)) == []


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("rank", ["seasoned", "elite:iterations=2"])
def test_a_commander_answers_every_kind_of_question_by_its_own_rules(rules: str, rank: str) -> None:
    """Never at random: the answer has no comment."""
    chosen, asked = find(rules), set[int]()
    servers: dict[int, Server] = {}
    for referee in questions(rules, 5):
        battle = referee.battle
        if battle.question in asked:
            continue
        asked.add(battle.question)
        seat = battle.side
        server = servers.setdefault(seat, Server(rank))
        if not server.battles:
            server.reply(encode(new_message(chosen, referee.seat, "battle-1", Clock(), 7)))
        position = position_of(chosen, referee.seat, referee.setup, stream(1, "position"))
        (reply,) = server.reply(ask_line(chosen, referee.seat, place_of(referee), [], position))
        assert reply["type"] == "answer", reply
        assert reply["option"] in referee.texts()
        assert "comment" not in reply
    assert asked


def test_without_a_position_the_answer_is_random_and_says_so() -> None:
    server = Server("seasoned")
    new(server, "wargame")
    referee = referee_of_battle("wargame", 3)
    question = json.loads(ask_line(find("wargame"), referee.seat, place_of(referee), []))
    reply = exchange(server, question)
    assert reply["option"] in referee.texts()
    assert reply["comment"] == "at random: the host sent no position with the question"
    wrong = exchange(server, {**question, "position": {"side": 0}})
    assert wrong["comment"] == "at random: this is not a position of this battle"


def test_messages_that_cannot_be_answered_get_an_error_with_their_place() -> None:
    server = Server("green")
    assert exchange(server, {"type": "hello", "protocol": 1})["wants"] == ["position"]
    ask = {"type": "ask", "battle": "x", "sequence": 3, "options": [{"id": "pass"}]}
    error = exchange(server, ask)
    assert (error["code"], error["battle"], error["sequence"]) == ("unknown-battle", "x", 3)
    odd = {
        "type": "new",
        "battle": "x",
        "rules": "chess",
        "seats": ["a"],
        "seat": "a",
        "sides": {},
        "seed": 1,
    }
    assert exchange(server, odd)["code"] == "unsupported"
    assert exchange(server, {"type": "new"})["code"] == "invalid-message"
    assert exchange(server, {"type": "later"})["code"] == "unknown-message"
    new(server, "strategy-war")
    assert exchange(server, {**ask, "battle": "battle-1", "options": []})["code"] == "invalid-message"
    assert server.reply(b'{"type": "result", "battle": "battle-1"}\n') == []
    assert exchange(server, {**ask, "battle": "battle-1"})["code"] == "unknown-battle"


def test_it_ends_at_quit_and_at_the_end_of_its_input() -> None:
    for lines in (b'{"type": "quit"}\n{"type": "hello"}\n', b""):
        output = io.BytesIO()
        serve("green", io.BytesIO(lines), output)
        assert output.getvalue() == b""


def test_an_unknown_commander_is_refused() -> None:
    for rank in ("general", "human", "engine:test"):
        with pytest.raises(UsageError):
            Server(rank)
