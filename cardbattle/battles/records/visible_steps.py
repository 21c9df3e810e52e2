"""Divide a recorded battle into the steps that one reader saw.

A step contains at least one event that the reader saw and that has a sentence in the log. A question alone is
not a step, because whether a side is asked can depend on hidden cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import Boundary, Refight, whole_refight
from cardbattle.core.battle import NOBODY, Battle, Event
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import TALE, Block, Line

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
FATE = "fate "


class VisibleStep(NamedTuple):
    """A step of a battle, with the information that one reader is allowed to see.

    Attributes:
        number: the number of the step, counted from 1.
        moves: the number of moves up to the step. If the reader is the umpire, the moves of all sides are
            counted. If the reader is a side, only its own moves are counted. For the public, the number is 0.
        events: the number of events up to the step that the reader saw.
        choices: the number of events up to the step that show a choice. This is roughly the number of choices
            so far.
        words: the name of the step, such as "space 1, second special".
        battle: the state of the battle after the step.
        is_deployment: True if the first numbered part of the battle, such as "space 1", has not begun.

    """

    number: int
    moves: int
    events: int
    choices: int
    words: str
    battle: Battle
    is_deployment: bool


def steps_seen(
    record: Record,
    viewer: int | None,
    again: Refight | None = None,
    logged: Iterable[list[Block]] | None = None,
) -> Iterator[VisibleStep]:
    """Yield the steps of a battle that a reader saw.

    `viewer` is the seat of the reader, -1 for the public, or None for the umpire. The umpire sees the same
    steps as the public, but the moves and events of all sides are counted. To save time, pass a finished
    replay that kept its boundaries as `again`, and the blocks of the log for each event that the public saw
    as `logged`. Raises ReplayMismatch if the replay differs from the record.
    """
    counter = StepCounter(record.rules, record.setup, viewer, logged)
    for boundary in boundaries(record, again):
        step = counter.note(boundary)
        if step is not None:
            yield step


class StepCounter:
    """An object that counts the steps of a battle that one reader sees.

    `viewer` and `logged` are the same as in `steps_seen`.

    Attributes:
        number, moves, events, choices: the numbers up to the last boundary. They have the same meaning as in
            `VisibleStep`.

    """

    def __init__(
        self,
        rules: RuleSet,
        setup: Setup,
        viewer: int | None,
        logged: Iterable[list[Block]] | None = None,
    ) -> None:
        self.viewer = viewer
        self.logged = None if logged is None else iter(logged)
        self.places = PlaceWords(rules)
        self.tale = rules.tale(setup)
        self.prefix = "" if viewer is None or viewer == NOBODY else f"{setup.seats[viewer]} "
        self.number = self.moves = self.events = self.choices = 0

    def visible(self, events: list[Event]) -> list[Event]:
        """Return the events that decide which steps the reader sees.

        The umpire sees the same steps as the public. If the reader is the umpire, the method therefore
        returns the events that the public sees.
        """
        seen = [event.seen_by(NOBODY if self.viewer is None else self.viewer) for event in events]
        return [event for event in seen if event is not None]

    def describe(self, event: Event) -> list[Block]:
        """Return the blocks of the log for the next event that decides which steps the reader sees."""
        return self.tale.describe(event) if self.logged is None else next(self.logged)

    def note(self, boundary: Boundary) -> VisibleStep | None:
        """Count the events and moves at a boundary, and return the step that ends there.

        Returns None if the reader saw no event that has a sentence in the log.
        """
        battle, happened, moves = boundary
        visible = self.visible(happened)
        if self.viewer is None:
            self.moves += len(moves)
        else:
            self.moves += sum(move.startswith(self.prefix) for move in moves)
        self.events += len(happened if self.viewer is None else visible)
        blocks = [block for event in visible for block in self.describe(event)]
        self.choices += self.places.note(visible)
        if not any(isinstance(block, Line) and block.detail <= TALE <= block.most for block in blocks):
            return None
        self.number += 1
        return VisibleStep(
            self.number,
            self.moves,
            self.events,
            self.choices,
            self.places.words(),
            battle,
            self.places.is_deployment,
        )


class PlaceWords:
    """An object that finds a name for the latest step of a battle from the events that a reader saw."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.place = ""
        self.counts: Counter[str] = Counter()
        self.step = ""
        numbered = [kind for kind, words in rules.place_words.items() if "{" in words]
        self.numbered = frozenset(numbered)
        self.is_deployment = bool(numbered)

    def note(self, events: list[Event]) -> int:
        """Process the events of one step, and return the number of events that show a choice."""
        choices = 0
        for event in events:
            self.is_deployment = self.is_deployment and event.kind not in self.numbered
            pattern = self.rules.place_words.get(event.kind)
            place = pattern.format_map(event.fields) if pattern else ""
            if place and place != self.place:
                self.place, self.counts, self.step = place, Counter(), ""
            noun = self.rules.step_words.get(event.kind, "")
            if noun.startswith("the "):
                self.step = noun
            elif noun:
                choices += 1
                self.counts[noun] += 1
                self.step = f"{ordinal(self.counts[noun])} {noun}"
        return choices

    def words(self) -> str:
        """Return the name of the latest step, such as "space 1, second special"."""
        return ", ".join(filter(None, [self.place, self.step]))


def ordinal(number: int) -> str:
    """Return an ordinal number. Numbers up to ten are written as words.

    >>> ordinal(2), ordinal(11), ordinal(22)
    ('second', '11th', '22nd')
    """
    if number < len(ORDINALS):
        return ORDINALS[number]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def boundaries(record: Record, again: Refight | None = None) -> Sequence[Boundary]:
    """Replay a record, and return the state of the battle after each step of the agenda.

    To save time, pass a finished replay that kept its boundaries as `again`. Raises ReplayMismatch if the
    replay differs from the record.
    """
    return (again or whole_refight(record, keeps_boundaries=True)).boundaries
