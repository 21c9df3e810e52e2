"""Laws about the log of a battle, about events as JSON, and about the notation of moves."""

from __future__ import annotations

import json
import re

from cardbattle.core.battle import STEP, Event
from cardbattle.core.spelling import is_spelled, mover_error
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
    """Check that the log for each reader has text, and that each line cites a rule that exists."""
    fought = trial.fight()
    stranger = STEP
    for viewer in [None, stranger, *trial.seats]:
        blocks = full_tale(fought, viewer)
        assert blocks, "the tale is empty"
        for block in blocks:
            sound_block(block, trial)


def sound_block(block: Block, trial: Trial) -> None:
    """Check the parts, the rule number, the level of detail and the shape of one block of a log."""
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
            "a row of a table has more or fewer cells than its head"
        )
        sound_parts([part for row in [block.head, *block.rows] for cell in row for part in cell], trial)


def sound_parts(parts: list[Part], trial: Trial) -> None:
    """Check that the parts of a sentence are printable text, cards or sides of the battle."""
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
    """Check that events convert to JSON without floats, and that hidden fields stay hidden."""
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
        assert value is None or isinstance(value, (str, int)), (
            f"{value!r} in an event is a {type(value).__name__}"
        )


def moves_have_forms(trial: Trial) -> None:
    """Check that every move matches one of the forms of the rule set, if it has forms."""
    seats = trial.setup.seats
    for move in trial.fight().moves:
        assert "  " not in move, f"the random event {move!r} has no text"
        assert not mover_error(move, seats), move
        assert is_spelled(trial.rules, move, seats), f"{move!r} matches none of the forms of the rule set"


def events_do_not_change(trial: Trial) -> None:
    """Check that an event does not change later in the battle.

    This would happen, for example, if an event shared a list with the battle.
    """
    before: list[str] = []
    events: list[tuple[int, Event]] = []
    for referee in trial.questions():
        events = referee.events
        before += [event_text(trial, event) for _, event in events[len(before) :]]
    for first, (_, event) in zip(before, events, strict=False):
        last = event_text(trial, event)
        assert first == last, f"an event was logged as {first}, but later in the battle it was {last}"


def event_text(trial: Trial, event: Event) -> str:
    """Return an event with all its fields as text."""
    return repr(trial.rules.as_json(event.all_seeing(), trial.setup.seats))


def what_a_player_sees_is_sound(trial: Trial) -> None:
    """Check that the scene, the hand, the lesson and the conditions can be shown at every question."""
    rules = trial.rules
    for referee in trial.questions(listen=False):
        view = referee.seat.view
        for block in rules.scene(view):
            sound_block(block, trial)
        sound_parts(rules.hand(view), trial)
        lesson = rules.lesson(view)
        assert lesson is None or (lesson.ask and lesson.words), "a lesson is empty"
        heads = {text.split()[0] for text in rules.possible_conditions(trial.setup.house)}
        assert all(text.split()[0] in heads for text in rules.true_conditions(view)), (
            f"not all of the true conditions {rules.true_conditions(view)} are in `possible_conditions`"
        )
