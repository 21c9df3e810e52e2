"""The messages of the engine protocol: their schemas, and invalid lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardbattle import resolve, verify
from cardbattle.core.errors import InvalidInput
from cardbattle.engines.protocol import (
    TO_ENGINE,
    TO_HOST,
    ProtocolError,
    decode,
    encode,
    number_field,
    schema,
    table_field,
    text_field,
)
from cardbattle.rules import RULE_SETS, find
from tests.support.engines import allowed, sample, scripted
from tests.support.schemas import fits


def messages(log: list[str]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the direction and the content of each message in a log."""
    for line in log:
        _, direction, text = line.split(" ", 2)
        yield direction, json.loads(text)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_message_of_a_battle_fits_its_schema(rules: str) -> None:
    with allowed(sample()) as log:
        record = resolve(rules, seed=1, sides={find(rules).default_sides[0]: "engine:test"})
    verify(record)
    seen = set()
    for direction, message in messages(log):
        kind = str(message["type"])
        assert kind in (TO_ENGINE if direction == ">" else TO_HOST)
        whole = schema(kind)
        assert fits(message, whole, whole), message
        seen.add(kind)
    assert seen == {"hello", "ready", "new", "ask", "answer", "event", "result", "quit"}


def test_errors_and_stop_fit_their_schemas(tmp_path: Path) -> None:
    lines = "answer(message, 'nothing')\nanswer(message, message['options'][0]['id'])\nsend(type='chat')"
    with allowed(scripted(tmp_path, lines)) as log:
        verify(resolve("strategy-war", seed=1, p1="engine:test"))
    errors = [message for direction, message in messages(log) if message["type"] == "error"]
    assert {str(error["code"]) for error in errors} == {
        *("illegal-answer", "stale-answer", "unknown-message")
    }
    whole = schema("error")
    assert all(fits(error, whole, whole) for error in errors)
    stop = schema("stop")
    assert fits({"type": "stop", "battle": "battle-1", "sequence": 1}, stop, stop)


def test_each_type_of_message_has_a_schema_with_its_name() -> None:
    for kind in {*TO_ENGINE, *TO_HOST}:
        assert schema(kind)["title"] == kind


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\n", "invalid-message"),
        (b"[]\n", "invalid-message"),
        (b'{"type": 1}\n', "invalid-message"),
        (b"\xff\xfe\n", "invalid-message"),
        (b"[" * 100_000, "invalid-message"),
        (b'{"type": "ready"}\n', "unknown-message"),
    ],
)
def test_a_line_that_is_no_message_is_refused_with_a_code(line: bytes, code: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        decode(line, TO_ENGINE)
    assert refused.value.code == code


def test_unknown_fields_are_ignored_and_known_ones_are_checked() -> None:
    message = decode(encode({"type": "ask", "battle": "ä", "later": [1]}), TO_ENGINE)
    assert text_field(message, "battle") == "ä"
    for read in (text_field, number_field):
        with pytest.raises(ProtocolError, match="ask: expected a"):
            read(message, "later")
    assert table_field(message, "view") == {}
    with pytest.raises(ProtocolError, match="expected an object"):
        table_field(message, "later")


def test_an_engine_is_a_commander_only_where_the_user_lets_it_run() -> None:
    with pytest.raises(InvalidInput, match='engine "test" may not run here'):
        resolve("wargame", seed=1, brown="engine:test")
    with allowed(sample()):
        resolve("wargame", seed=1, brown="engine:test")
    with pytest.raises(InvalidInput, match="may not run here"):
        resolve("wargame", seed=1, brown="engine:test")
