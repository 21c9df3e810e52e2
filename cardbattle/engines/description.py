"""Build the messages that describe a battle to an engine.

They contain only information that the engine's side has.

Values are written as in records and battle files: sides are keys, and cards are strings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.records.record import fraction_text, house_table, side_options_table
from cardbattle.core.battle import NOBODY, Event, View
from cardbattle.core.spelling import option_parts
from cardbattle.engines.protocol import ENCODER, Message

if TYPE_CHECKING:
    from cardbattle.core.referee import Referee, Seat
    from cardbattle.core.ruleset import RuleSet

MOST_NAMES = 4096  # maximum number of cards of one rule set whose names are cached


class Clock(NamedTuple):
    """The time limits of one side for each decision and for the whole battle, in seconds.

    `battle` is None if only decisions have a limit.
    """

    decision: float = 10.0
    battle: float | None = None

    def table(self) -> dict[str, int]:
        """Return the limits in milliseconds. Limits that are not set are left out."""
        limits = {"decision": self.decision, "battle": self.battle}
        return {name: round(1000 * limit) for name, limit in limits.items() if limit is not None}


def rules_table(rule_sets: Sequence[RuleSet]) -> dict[str, object]:
    """Return a table of the rule sets that a host offers.

    The keys are those of the rule sets. Each entry has the name, the version and the forms of moves of a
    rule set.
    """
    return {
        rules.key: {"name": rules.name, "version": rules.version, "forms": list(rules.forms)}
        for rules in rule_sets
    }


def new_message(rules: RuleSet, seat: Seat, battle: str, clock: Clock, seed: int) -> Message:
    """Return the message `new`, which announces a battle to the engine at this seat.

    `seed` is a number from 0 to 2**53 - 1, which the engine can use for random choices.
    """
    setup = seat.setup
    return {
        "type": "new",
        "battle": battle,
        "rules": rules.key,
        "rules_version": rules.version,
        "seats": setup.seats,
        "seat": seat.key,
        "house": house_table(rules, setup),
        "sides": {key: side_options_table(rules, setup, place) for place, key in enumerate(setup.seats)},
        "clock": clock.table(),
        "seed": seed,
    }


class Question(NamedTuple):
    """The information about a question that is not in the side's view.

    Attributes:
        seats: the keys of all sides, in seat order.
        sequence: the number of the question. All questions to this seat are counted from 1.
        time_left: the time for the answer, in seconds.
        texts: the texts of the options.

    """

    battle: str
    seats: tuple[str, ...]
    sequence: int
    time_left: float
    texts: list[str]


def ask_line(
    rules: RuleSet, seat: Seat, question: Question, events: Sequence[Event], position: Message | None = None
) -> bytes:
    """Return the message `ask`, encoded as a line of JSON.

    The JSON text of each option is cached, because the same options occur in many questions.
    """
    view, seats = seat.view, question.seats
    keys = list(seats)
    head: dict[str, object] = {
        "type": "ask",
        "battle": question.battle,
        "sequence": question.sequence,
        "question": question_table(rules, view),
        "time_left": max(0, round(1000 * question.time_left)),
        "events": [rules.as_json(event, keys) for event in events],
        "view": view_table(rules, view, seats),
        **({} if position is None else {"position": position}),
    }
    options = ",".join([option_text(rules, text, seats) for text in question.texts])
    also = ",".join([option_text(rules, text, seats) for text in seat.unlisted_texts])
    more = f',"also":[{also}]' if also else ""
    return f'{ENCODER.encode(head)[:-1]},"options":[{options}]{more}}}\n'.encode("utf-8", "replace")


def question_table(rules: RuleSet, view: View) -> dict[str, object]:
    """Return the current question: its name, its text, and the rules that apply."""
    lesson = rules.lesson(view)
    if lesson is None:
        return {"name": "", "text": "Choose"}
    return {"name": lesson.word, "text": lesson.ask, "rules": list(lesson.rules)}


def view_table(rules: RuleSet, view: View, seats: Sequence[str]) -> dict[str, object]:
    """Return the fields of a view as a table. Cards and sides are strings."""
    return {
        name: view_value(rules, kind, getattr(view, name), seats) for name, kind in rules.view_fields.items()
    }


def view_value(rules: RuleSet, kind: str, value: object, seats: Sequence[str]) -> object:
    """Return one field of a view in the form that engines get.

    Cards are strings, sides are keys, and places on the battlefield are counted from 1.

    A hidden card, an empty place and a missing side are None. A list that has one value for each side is in
    seat order.
    """
    if not kind:
        return value
    if kind in ("side", "sides"):
        return replace_numbers(value, dict(enumerate(seats)) | {NOBODY: None})
    if kind == "place":
        if isinstance(value, list):
            return [view_value(rules, kind, item, seats) for item in value]
        assert isinstance(value, int)
        return value + 1 if value >= 0 else None
    return replace_numbers(value, card_names(rules))


def replace_numbers(value: object, names: Mapping[int, str | None]) -> object:
    """Replace a number, or all numbers in a nested list, with their names."""
    if isinstance(value, list):
        return [replace_numbers(item, names) if isinstance(item, list) else names[item] for item in value]
    assert isinstance(value, int)
    return names[value]


class CardNames(dict[int, str | None]):
    """A cache for the names of a rule set's cards. Hidden cards and empty places have the name None."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.first = 0 if has_card_zero(rules) else 1

    def __missing__(self, card: int) -> str | None:
        """Return the name of a card, and store the name in the cache."""
        if len(self) > MOST_NAMES:
            self.clear()
        self[card] = self.rules.card_text(card) if card >= self.first else None
        return self[card]


@lru_cache(64)
def card_names(rules: RuleSet) -> CardNames:
    return CardNames(rules)


@lru_cache(64)
def has_card_zero(rules: RuleSet) -> bool:
    """Return True if the number 0 is a card of the rule set, and False if 0 means an empty place."""
    try:
        return rules.read_card(rules.card_text(0), "") == 0
    except (ValueError, IndexError, KeyError):
        return False


@lru_cache(65_536)
def option_text(rules: RuleSet, text: str, seats: tuple[str, ...]) -> str:
    """Return an option as JSON: its text as the id, and the parts of this text."""
    return ENCODER.encode({"id": text, **option_parts(rules, text, seats)})


def event_message(rules: RuleSet, seats: list[str], battle: str, events: Sequence[Event]) -> Message:
    """Return the message `event`, which reports the events that the seat has seen since the last message."""
    return {"type": "event", "battle": battle, "events": [rules.as_json(event, seats) for event in events]}


def result_message(referee: Referee, battle: str) -> Message:
    outcome, seats = referee.outcome(), referee.setup.seats
    return {
        "type": "result",
        "battle": battle,
        "winners": [seats[seat] for seat in outcome.winners],
        "reason": outcome.reason,
        "scores": {key: referee.battle.score(seat) for seat, key in enumerate(seats)},
        "losses": {
            key: fraction_text(Fraction(*lost)) for key, lost in zip(seats, outcome.losses, strict=True)
        },
    }


def abandonment_message(battle: str) -> Message:
    """Return the message `result` for a battle that was abandoned."""
    return {"type": "result", "battle": battle, "winners": [], "reason": "abandoned"}


def battle_table(message: Mapping[str, object]) -> dict[str, object]:
    """Return the content of a battle file with the rule set, the sides and the options in a message `new`."""
    sides = message["sides"]
    assert isinstance(sides, dict)
    seats = message["seats"]
    assert isinstance(seats, list)
    return {
        "rules": message["rules"],
        "house": message.get("house", {}),
        "sides": {key: sides.get(key, {}) for key in seats},
    }
