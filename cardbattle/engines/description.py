"""What a host tells an engine about a battle: never more than the engine's seat can know.

All values are those of records and battle files: sides as keys, cards as text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.records.record import fraction_text, house_table, side_options_table
from cardbattle.core.battle import NOBODY, Event, View
from cardbattle.core.spelling import FATE, MORE, has_form, is_a
from cardbattle.engines.protocol import ENCODER, Message

if TYPE_CHECKING:
    from cardbattle.core.referee import Referee, Seat
    from cardbattle.core.ruleset import RuleSet


class Clock(NamedTuple):
    """The time of one side: seconds for each decision, and for the whole battle (None without a limit)."""

    decision: float = 10.0
    battle: float | None = None

    def table(self) -> dict[str, int]:
        """Return the clock in milliseconds, without a missing limit."""
        limits = {"decision": self.decision, "battle": self.battle}
        return {name: round(1000 * limit) for name, limit in limits.items() if limit is not None}


def rules_table(rule_sets: Sequence[RuleSet]) -> dict[str, object]:
    """Return the rule sets of a host: name, version and the forms of all moves, by key."""
    return {
        rules.key: {"name": rules.name, "version": rules.version, "forms": list(rules.forms)}
        for rules in rule_sets
    }


def new_message(rules: RuleSet, seat: Seat, battle: str, clock: Clock, seed: int) -> Message:
    """Return the message `new` for a seat; `seed` is for the engine's own randomness, 0 to 2**53 - 1."""
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
    """The place of a question.

    Attributes:
        seats: keys of all sides, in seat order.
        sequence: number of the question among those to the seat, from 1.
        time_left: seconds.
        texts: the options as text.

    """

    battle: str
    seats: tuple[str, ...]
    sequence: int
    time_left: float
    texts: list[str]


def ask_line(
    rules: RuleSet, seat: Seat, question: Question, events: Sequence[Event], position: Message | None = None
) -> bytes:
    """Return the message `ask` as a line; options that were encoded before are not encoded again."""
    view, seats = seat.view, question.seats
    head: dict[str, object] = {
        "type": "ask",
        "battle": question.battle,
        "sequence": question.sequence,
        "question": question_table(rules, view),
        "time_left": max(0, round(1000 * question.time_left)),
        "events": [rules.as_json(event, list(seats)) for event in events],
        "view": view_table(rules, view, seats),
        **({} if position is None else {"position": position}),
    }
    options = ",".join([option_text(rules, text, seats) for text in question.texts])
    also = ",".join([option_text(rules, text, seats) for text in seat.unlisted_texts])
    more = f',"also":[{also}]' if also else ""
    return f'{ENCODER.encode(head)[:-1]},"options":[{options}]{more}}}\n'.encode("utf-8", "replace")


def question_table(rules: RuleSet, view: View) -> dict[str, object]:
    """Return the current question: its name in standing orders, its text and the rules that apply."""
    lesson = rules.lesson(view)
    if lesson is None:
        return {"name": "", "text": "Choose"}
    return {"name": lesson.word, "text": lesson.ask, "rules": list(lesson.rules)}


def view_table(rules: RuleSet, view: View, seats: Sequence[str]) -> dict[str, object]:
    """Return the fields of a view that the rule set describes, with named cards."""
    return {
        name: view_value(rules, kind, getattr(view, name), seats) for name, kind in rules.view_fields.items()
    }


def view_value(rules: RuleSet, kind: str, value: object, seats: Sequence[str]) -> object:
    """Return one field of a view: cards as text, sides as keys, places from 1; None for nothing.

    A hidden card is None. Lists by side have the order of the seats.
    """
    if not kind:
        return value
    if isinstance(value, list):
        return [view_value(rules, kind, item, seats) for item in value]
    assert isinstance(value, int)
    if kind in ("side", "sides"):
        return seats[value] if value != NOBODY else None
    if kind == "place":
        return value + 1 if value >= 0 else None
    return card_name(rules, value) if value > 0 or (value == 0 and has_card_zero(rules)) else None


@lru_cache(4096)
def card_name(rules: RuleSet, card: int) -> str:
    """Return a card's text."""
    return rules.card_text(card)


@lru_cache(64)
def has_card_zero(rules: RuleSet) -> bool:
    """Return True if the number 0 is a card of the rule set, and not an empty place."""
    try:
        return rules.read_card(rules.card_text(0), "") == 0
    except (ValueError, IndexError, KeyError):
        return False


@lru_cache(65_536)
def option_text(rules: RuleSet, text: str, seats: tuple[str, ...]) -> str:
    """Return an option as JSON: its id, which is also its text, and its parts."""
    return ENCODER.encode({"id": text, **option_parts(rules, text, seats)})


def option_parts(rules: RuleSet, text: str, seats: Sequence[str]) -> dict[str, object]:
    """Return the parts of a choice by the first matching form of the rule set.

    `verb` is the first word. `cards`, `numbers` and `sides` have the other parts by kind, in their order, and
    `words` the rest; a kind without a part is missing. The name of a card can be several words.
    """
    tokens = text.split()
    form = next((form for form in forms_of(rules) if has_form(form, tokens, rules, seats)), [])
    kinds = [*form, *form[-1:] * len(tokens)][: len(tokens)] if form else [MORE] * len(tokens)
    parts: dict[str, list[object]] = {"cards": [], "numbers": [], "sides": [], "words": []}
    length = rules.card_name_length(tokens[1:]) if kinds[1:2] == [MORE] else 0
    if length:
        parts["cards"].append(" ".join(tokens[1 : 1 + length]))
    for written, token in zip(kinds[1 + length :], tokens[1 + length :], strict=True):
        kind = kind_of(token, rules, seats) if written == MORE else written
        if kind.startswith("CARD"):
            parts["cards"] += token.split("+")
        elif kind in ("NUMBER", "PLACE"):
            parts["numbers"].append(int(token))
        else:
            parts["sides" if kind == "SIDE" else "words"].append(token)
    return {"verb": tokens[0], **{name: values for name, values in parts.items() if values}}


def kind_of(token: str, rules: RuleSet, seats: Sequence[str]) -> str:
    """Return the kind of a part for which the form of the move has only dots."""
    if token in seats:
        return "SIDE"
    return next((kind for kind in ("NUMBER", "CARD") if is_a(kind, token, rules, seats)), MORE)


@lru_cache(64)
def forms_of(rules: RuleSet) -> list[list[str]]:
    """Return the forms of the choices of sides, split into words."""
    return [form.split() for form in rules.forms if not form.startswith(FATE)]


def event_message(rules: RuleSet, seats: list[str], battle: str, events: Sequence[Event]) -> Message:
    """Return the message `event`: what the seat saw since the last message."""
    return {"type": "event", "battle": battle, "events": [rules.as_json(event, seats) for event in events]}


def result_message(referee: Referee, battle: str) -> Message:
    """Return the message `result` of a finished battle."""
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


def abandoned_message(battle: str) -> Message:
    """Return the message `result` of a battle that ends without a result."""
    return {"type": "result", "battle": battle, "winners": [], "reason": "abandoned"}


def battle_table(message: Mapping[str, object]) -> dict[str, object]:
    """Return the table of a battle file with the options of a message `new`."""
    sides = message["sides"]
    assert isinstance(sides, dict)
    seats = message["seats"]
    assert isinstance(seats, list)
    return {
        "rules": message["rules"],
        "house": message.get("house", {}),
        "sides": {key: sides.get(key, {}) for key in seats},
    }
