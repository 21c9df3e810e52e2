"""The engine protocol, version 1: one JSON object per line, in both directions.

A host asks, an engine answers. docs/protocol.md describes every message; `schema` returns its JSON Schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources

from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import quoted

VERSION = 1
LONGEST_LINE = 1_000_000  # bytes of one message
TO_ENGINE = ("hello", "new", "ask", "event", "result", "stop", "quit", "error")
TO_HOST = ("ready", "answer", "error")

UNKNOWN_MESSAGE = "unknown-message"  # codes of the message `error`
INVALID_MESSAGE = "invalid-message"
UNKNOWN_BATTLE = "unknown-battle"
UNSUPPORTED = "unsupported"
ILLEGAL_ANSWER = "illegal-answer"
STALE_ANSWER = "stale-answer"

Message = Mapping[str, object]

ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class ProtocolError(CardbattleError):
    """A line is not a message of the protocol; `code` is the code for the message `error`."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


def encode(message: Message) -> bytes:
    """Return a message as one line of JSON with its line end."""
    return f"{ENCODER.encode(message)}\n".encode("utf-8", "replace")


def decode(line: bytes, kinds: tuple[str, ...]) -> dict[str, object]:
    """Return the message in a line; its type must be one of `kinds`.

    Raises ProtocolError for anything that is not a message, or a message of another type.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise ProtocolError(INVALID_MESSAGE, "expected one JSON object on each line") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise ProtocolError(INVALID_MESSAGE, 'expected a JSON object with a text "type"')
    if message["type"] not in kinds:
        raise ProtocolError(UNKNOWN_MESSAGE, f"unknown message type {quoted(message['type'])}")
    return message


def text_field(message: Message, name: str) -> str:
    """Return a field of a message that must be a text. Raises ProtocolError."""
    value = message.get(name)
    if not isinstance(value, str):
        raise ProtocolError(INVALID_MESSAGE, f"{message['type']}: expected a text as {quoted(name)}")
    return value


def number_field(message: Message, name: str) -> int:
    """Return a field of a message that must be a whole number from 0. Raises ProtocolError."""
    value = message.get(name)
    if type(value) is not int or value < 0:
        raise ProtocolError(INVALID_MESSAGE, f"{message['type']}: expected a whole number as {quoted(name)}")
    return value


def table_field(message: Message, name: str) -> dict[str, object]:
    """Return a field of a message that must be an object; empty if it is missing. Raises ProtocolError."""
    value = message.get(name, {})
    if not isinstance(value, dict):
        raise ProtocolError(INVALID_MESSAGE, f"{message['type']}: expected an object as {quoted(name)}")
    return value


def error_message(code: str, text: str, about: Message | None = None) -> dict[str, object]:
    """Return a message `error`, with the battle and the question that it is about."""
    place = {name: about[name] for name in ("battle", "sequence") if about and name in about}
    return {"type": "error", "code": code, "text": text, **place}


def schema(kind: str) -> dict[str, object]:
    """Return the JSON Schema of one type of message, such as `ask`."""
    file = resources.files("cardbattle").joinpath("data", "protocol", str(VERSION), f"{kind}.json")
    table = json.loads(file.read_text(encoding="utf-8"))
    assert isinstance(table, dict)
    return table
