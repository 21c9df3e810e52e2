"""Encode, decode and check messages of the engine protocol, version 1.

A message is a JSON object on a line of its own.

The host asks questions, and the engine answers them. The page docs/protocol.md describes all messages. The
function `schema` returns the JSON Schema of a type of message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources

from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import quoted

VERSION = 1
LONGEST_LINE = 1_000_000  # maximum length of a message in bytes, without the line break
TO_ENGINE = ("hello", "new", "ask", "event", "result", "stop", "quit", "error")
TO_HOST = ("ready", "answer", "error")

UNKNOWN_MESSAGE = "unknown-message"  # the codes of the message `error`
INVALID_MESSAGE = "invalid-message"
UNKNOWN_BATTLE = "unknown-battle"
UNSUPPORTED = "unsupported"
ILLEGAL_ANSWER = "illegal-answer"
STALE_ANSWER = "stale-answer"

Message = Mapping[str, object]

ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


class ProtocolError(CardbattleError):
    """The error that is raised if a line is not a message of the protocol.

    The attribute `code` is the error code for the message `error` with which the line is answered.
    """

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


def encode(message: Message) -> bytes:
    """Return a message as one line of JSON, including the line ending."""
    return f"{ENCODER.encode(message)}\n".encode("utf-8", "replace")


def decode(line: bytes, kinds: tuple[str, ...]) -> dict[str, object]:
    """Decode a line, and return the message. The type of the message must be one of `kinds`.

    Raises ProtocolError if the line is not a message, or if the message has another type.
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
    """Return a field of a message that is a string. Raises ProtocolError if it is not a string."""
    value = message.get(name)
    if not isinstance(value, str):
        raise ProtocolError(INVALID_MESSAGE, f"{message['type']}: expected a text as {quoted(name)}")
    return value


def texts_field(message: Message, name: str) -> list[str]:
    """Return a field of a message that is a list of strings.

    If the field is missing, the result is an empty list.

    Raises ProtocolError if the field is not a list of strings.
    """
    value = message.get(name, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        text = f"{message['type']}: expected a list of texts as {quoted(name)}"
        raise ProtocolError(INVALID_MESSAGE, text)
    return value


def number_field(message: Message, name: str) -> int:
    """Return a field that is a whole number from 0. Raises ProtocolError for another value."""
    value = message.get(name)
    if type(value) is not int or value < 0:
        raise ProtocolError(INVALID_MESSAGE, f"{message['type']}: expected a whole number as {quoted(name)}")
    return value


def table_field(message: Message, name: str) -> dict[str, object]:
    """Return a field of a message that is an object.

    If the field is missing, the result is an empty object. Raises ProtocolError if the field is not an
    object.
    """
    value = message.get(name, {})
    if not isinstance(value, dict):
        raise ProtocolError(INVALID_MESSAGE, f"{message['type']}: expected an object as {quoted(name)}")
    return value


def error_message(code: str, text: str, about: Message | None = None) -> dict[str, object]:
    """Return a message `error`.

    `about` is the message that caused the error. The new message has the same battle and the same question as
    `about`.
    """
    place = {name: about[name] for name in ("battle", "sequence") if about and name in about}
    return {"type": "error", "code": code, "text": text, **place}


def schema(kind: str) -> dict[str, object]:
    """Return the JSON Schema of one type of message, such as `ask`."""
    file = resources.files("cardbattle").joinpath("data", "protocol", str(VERSION), f"{kind}.json")
    table = json.loads(file.read_text(encoding="utf-8"))
    assert isinstance(table, dict)
    return table
