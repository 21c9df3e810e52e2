"""Laws of the tale and of events as JSON."""

from __future__ import annotations

import json
import re

from cardbattle.core.battle import STEP
from cardbattle.core.telling import (
    AUDIT,
    BRIEF,
    TALE,
    Block,
    Card,
    Grid,
    Heading,
    Inflection,
    Line,
    Name,
    Part,
)
from cardbattle.testing.rulebook import numbers
from cardbattle.testing.trial import Trial, full_tale


def the_tale_is_told(trial: Trial) -> None:
    """Check that the tale covers every event for every reader, and that each line cites an existing rule."""
    fought = trial.fight()
    stranger = STEP
    for viewer in [None, stranger, *trial.seats]:
        blocks = full_tale(fought, viewer)
        assert blocks, "the tale is empty"
        for block in blocks:
            sound_block(block, trial)


def sound_block(block: Block, trial: Trial) -> None:
    """Check one block of a tale: its parts, rule number, detail and shape."""
    if isinstance(block, Heading):
        sound_parts([*block.parts, *block.remark], trial)
    elif isinstance(block, Line):
        sound_parts(block.parts, trial)
        assert block.parts, "a line is empty"
        assert block.rule in numbers(trial.rules), f"{block.rule} is not in rules.md: {block.parts}"
        assert block.detail in (BRIEF, TALE, AUDIT)
    else:
        assert isinstance(block, Grid)
        assert all(len(row) == len(block.head) for row in block.rows), (
            "a row and the head have different lengths"
        )
        sound_parts([part for row in [block.head, *block.rows] for cell in row for part in cell], trial)


def sound_parts(parts: list[Part], trial: Trial) -> None:
    """Check that parts are readable text, cards, and sides of this battle."""
    for part in parts:
        if isinstance(part, Name):
            assert part.seat in trial.seats, f"there is no side {part.seat}"
        elif isinstance(part, Inflection):
            assert part.seat in trial.seats, f"there is no side {part.seat}"
            assert re.fullmatch(r"[^|]+\|[^|]+", part.forms), f"not a singular and a plural: {part.forms!r}"
        elif isinstance(part, Card):
            assert part.text and part.text.isascii() and part.text.isprintable()
        else:
            assert isinstance(part, str)
            assert part.isprintable(), repr(part)
            assert not re.search(r"None|True|False|[\[\]{}]|<[^>]*>", part), f"not a sentence: {part!r}"


def events_are_json(trial: Trial) -> None:
    """Check that events are JSON without floats, and that hidden fields stay hidden."""
    fought, seats = trial.fight(), trial.setup.seats
    for _, event in fought.events:
        assert not set(event.fields) & set(event.hidden), f"{event.kind} shows and hides the same field"
        assert all(eye in trial.seats for eye in event.eyes)
        plain(json.loads(json.dumps(trial.rules.as_json(event.all_seeing(), seats))))
        for viewer in trial.seats:
            seen = event.seen_by(viewer)
            if seen is not None and viewer not in event.eyes:
                assert not set(trial.rules.as_json(seen, seats)) & set(event.hidden)


def plain(value: object) -> None:
    """Check that a JSON value has no floats."""
    if isinstance(value, dict):
        for inner in value.values():
            plain(inner)
    elif isinstance(value, list):
        for inner in value:
            plain(inner)
    else:
        assert value is None or isinstance(value, (str, int)), f"{value!r} is a {type(value).__name__}"
