"""Engines for tests: programs of a few lines, started with the same Python."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardbattle.engines.definitions import Engine
from cardbattle.engines.description import Clock
from cardbattle.engines.host import EngineHost, engines_allowed
from tests.support.guides import ROOT

USUAL = Clock()
PYTHON = [sys.executable, "-I", "-S"]
SAMPLE = ROOT / "examples/engines/random_engine.py"
NODE_SAMPLE = ROOT / "examples/engines/random-engine.mjs"

FIRST = """
import json, os, sys, time

def send(**message):
    print(json.dumps(message), flush=True)

def answer(ask, option):
    send(type="answer", battle=ask["battle"], sequence=ask["sequence"], option=option)
"""
LOOP = """
count = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send(type="ready", protocol=1, name="test")
    if message["type"] == "quit":
        sys.exit()
    if message["type"] == "ask":
        count += 1
"""


def sample() -> Engine:
    """Return the sample engine in Python."""
    return Engine("test", [*PYTHON, str(SAMPLE)])


def scripted(folder: Path, on_ask: str, name: str = "test") -> Engine:
    """Return an engine that runs these lines for each question; `message` is the question."""
    lines = "".join([f"        {line}\n" for line in on_ask.splitlines()])
    return program(folder, f"{LOOP}{lines}", name)


def program(folder: Path, text: str, name: str = "test") -> Engine:
    """Return an engine that is this program."""
    file = folder / f"{name}.py"
    file.write_text(f"{FIRST}{text}", encoding="utf-8")
    return Engine(name, [*PYTHON, str(file)])


@contextmanager
def allowed(*engines: Engine, clock: Clock = USUAL) -> Iterator[list[str]]:
    """Let these engines command sides; return the list of all messages, as the log has them."""
    log: list[str] = []
    host = EngineHost({engine.name: engine for engine in engines}, clock, log.append)
    with engines_allowed(host):
        yield log
