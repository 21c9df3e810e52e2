"""The steps of a recorded battle as one reader saw them, each with the position after it.

A step is a visible event with a sentence in the tale. Events, not questions, make a step,
because hidden cards can decide whether a side is asked a question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import Refight, setup_to_replay
from cardbattle.core.battle import NOBODY, Battle, Event
from cardbattle.core.referee import Recorded
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.telling import TALE, Grid, Heading, Line

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
FATE = "fate "


class VisibleStep(NamedTuple):
    """A step that a reader saw.

    Attributes:
        number: number of the step, from 1.
        moves: moves up to the step: all for the umpire, a side's own for that side, 0 for the public.
        events: visible events up to the step.
        choices: visible events up to the step that are choices, which is about the number of choices.
        words: the name of the step, such as "space 1, second special".
        battle: the position after the step.
        is_deployment: True before the first numbered part of the battle, such as "space 1".

    """

    number: int
    moves: int
    events: int
    choices: int
    words: str
    battle: Battle
    is_deployment: bool


class Boundary(NamedTuple):
    """A battle between two steps of its agenda, with the events and recorded moves since the step before."""

    battle: Battle
    events: list[Event]
    moves: list[str]


def steps_seen(record: Record, viewer: int | None) -> Iterator[VisibleStep]:
    """Yield the steps that a reader saw: a seat, -1 for the public, or None for the umpire.

    The umpire's steps are those of the public, with the numbers of all moves and events. Raises
    ReplayMismatch if the record does not replay.
    """
    places = PlaceWords(record.rules)
    tale = record.rules.tale(record.setup)
    prefix = "" if viewer is None or viewer == NOBODY else f"{record.setup.seats[viewer]} "
    number = moves = events = choices = 0
    for battle, happened, moves_made in boundaries(record):
        moves += len(moves_made) if viewer is None else sum(move.startswith(prefix) for move in moves_made)
        events += len(happened) if viewer is None else 0
        visible = [
            event
            for each in happened
            if (event := each.seen_by(NOBODY if viewer is None else viewer)) is not None
        ]
        events += len(visible) if viewer is not None else 0
        blocks = [block for event in visible for block in tale.describe(event)]
        choices += places.note(visible)
        if any(is_tale_sentence(block) for block in blocks):
            number += 1
            yield VisibleStep(
                number, moves, events, choices, places.words(), battle.copy(), places.is_deployment
            )


def is_tale_sentence(block: Heading | Line | Grid) -> bool:
    """Return True if a block is a sentence of the tale."""
    return isinstance(block, Line) and block.detail <= TALE <= block.most


class PlaceWords:
    """Names the latest step of a battle from its visible events."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.place = ""
        self.counts: Counter[str] = Counter()
        self.step = ""
        numbered = [kind for kind, words in rules.place_words.items() if "{" in words]
        self.numbered = frozenset(numbered)
        self.is_deployment = bool(numbered)

    def note(self, events: list[Event]) -> int:
        """Note the events of one step; return how many of them are choices."""
        choices = 0
        for event in events:
            self.is_deployment = self.is_deployment and event.kind not in self.numbered
            place = self.rules.place_words.get(event.kind, "").format_map(event.fields)
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
        """Return the place and the step, such as "space 1, second special"."""
        return ", ".join(filter(None, [self.place, self.step]))


def ordinal(number: int) -> str:
    """Return an ordinal number, spelled out up to ten.

    >>> ordinal(2), ordinal(11), ordinal(22)
    ('second', '11th', '22nd')
    """
    if number < len(ORDINALS):
        return ORDINALS[number]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def boundaries(record: Record) -> Iterator[Boundary]:
    """Replay a record and yield its battle after each step of the agenda: the same object each time.

    Raises ReplayMismatch if the record does not replay.
    """
    again = Refight(record)
    for _ in again.steps():
        pass
    moves: list[str] = []
    fates = iter([move for move in record.moves if move.startswith(FATE)])
    answers = iter([move for move in record.moves if not move.startswith(FATE)])

    def take(text: str) -> str:
        moves.append(next(fates))
        return moves[-1].removeprefix(f"{FATE}{text} ")

    setup = setup_to_replay(record)
    battle = record.rules.start(setup, Recorded(record.rules, setup.seats, take))
    choices = iter(again.choices)
    while True:
        battle.log = []
        if battle.side != NOBODY:
            choice = next(choices)
            if choice.is_recorded:
                moves.append(next(answers))
            battle.begin_choice(choice.option)
        elif battle.todo:
            step = battle.todo.pop()
            battle.step(step & ~15, step & 15)
        else:
            return
        yield Boundary(battle, battle.log, moves.copy())
        moves.clear()
