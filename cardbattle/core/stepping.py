"""Play a battle step by step in Python, with keys and text instead of numbers.

A program needs only five members of a battle: `side`, `options`, `choose`, `copy` and `outcome`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY, Battle, Event, Outcome, View, by_key
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.errors import InvalidInput, NoSuchOption
from cardbattle.core.names import quoted
from cardbattle.core.public_library import library
from cardbattle.core.referee import choice_words, find_choice
from cardbattle.core.setup import seat_of

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet, Setup


class SteppedBattle:
    """A battle that a program plays step by step. Sides are given by their keys, and choices by their text.

    The argument `side` of a method is the key or the seat of a side. Methods raise UsageError for an
    unknown side.

    The attribute `machine` is the underlying battle, which uses only integers and does not check arguments.
    Use it in programs that simulate thousands of battles.
    """

    def __init__(self, rules: RuleSet, setup: Setup, machine: Battle) -> None:
        self.rules = rules
        self.setup = setup
        self.machine = machine

    def __repr__(self) -> str:
        asked = f"{self.side} to choose among {len(self.machine.options)}"
        return f"<Battle of {self.rules.name}: {asked if self.side else 'over'}>"

    @property
    def seats(self) -> list[str]:
        """The keys of the sides, in seat order."""
        return self.setup.seats

    @property
    def side(self) -> str | None:
        """The key of the side that must choose now, or None if the battle is over."""
        return None if self.machine.side == NOBODY else self.setup.seats[self.machine.side]

    @property
    def options(self) -> list[str]:
        """The texts of the current options. The list is empty if the battle is over.

        You can use the text of an option as an id. In all battles of the rule set, in records and in the
        engine protocol, the same text means the same choice.
        """
        if self.side is None:
            return []
        return [choice_words(self.rules, self.machine, index) for index in range(len(self.machine.options))]

    @property
    def scores(self) -> dict[str, int]:
        """The current score of each side by key, in the points of the rule set."""
        return {key: self.machine.score(seat) for seat, key in enumerate(self.seats)}

    def view(self, side: int | str) -> View:
        """Return everything that a side knows now. Cards are integers, and sides are seats."""
        return self.machine.view(seat_of(side, self.seats))

    def view_table(self, side: int | str) -> dict[str, object]:
        """Return everything that a side knows now as a dictionary with names.

        Cards are strings, sides are keys, and places on the battlefield are counted from 1.

        Engines get the same dictionary. The page docs/protocol.md describes the fields.
        """
        table: dict[str, object] = library().view_of(self, side)
        return table

    def events_since(self, count: int = 0, side: int | str | None = None) -> list[dict[str, object]]:
        """Return the events that a side has seen, without the first `count` events.

        If `side` is None, the events are those of the whole battle, with all hidden fields.

        Each event is a dictionary as in JSON output. Cards are strings, and sides are keys.
        """
        log = self.machine.log or []
        if side is None:
            seen = [event.all_seeing() for event in log]
        else:
            seat = seat_of(side, self.seats)
            seen = [event for event in (event.seen_by(seat) for event in log) if event is not None]
        return [self.rules.as_json(event, self.seats) for event in seen[max(count, 0) :]]

    def choose(self, choice: str | int) -> None:
        """Make a choice, and run the battle until the next question.

        `choice` is the text of an option, or the index of an option, counted from 0. Some rule sets also
        accept choices that are not listed as options, such as "resign".

        Raises IllegalMove, which lists the options, if no choice has this text. Raises NoSuchOption if no
        option has this index, and InvalidInput if the battle is over.
        """
        if self.side is None:
            raise InvalidInput("the battle is over; there is nothing to choose")
        if isinstance(choice, str):
            choice = find_choice(self.rules, self.machine, self.side, choice)
        elif type(choice) is not int or not 0 <= choice < len(self.machine.options):
            most = len(self.machine.options) - 1
            raise NoSuchOption(f"expected an option from 0 to {most}, got {quoted(choice)}")
        self.machine.choose(choice)

    def copy(self) -> SteppedBattle:
        """Return an independent copy of the battle. The copy will have the same random events."""
        return self.with_machine(self.machine.copy(), self.machine.log, self.setup)

    def redeal(self, side: int | str, seed: int | str) -> SteppedBattle:
        """Return a battle that looks the same to a side, but can have other hidden cards (determinization).

        The cards that the side does not know are dealt again from the seed, which also determines all later
        random events. The new battle keeps only the events that the side has seen, and its setup no longer
        contains the original deal.

        Raises InvalidInput if the seed is not valid.
        """
        seat, chance = seat_of(side, self.seats), stream(check_seed(seed), "redeal")
        machine = self.rules.plausible_battle(self.machine, seat, chance)
        machine.random_source = Drawn(chance)
        seen = [event.seen_by(seat) for event in self.machine.log or []]
        visible = self.rules.without_secrets(self.setup, seat)
        return self.with_machine(machine, [event for event in seen if event is not None], visible)

    def with_machine(self, machine: Battle, log: list[Event] | None, setup: Setup) -> SteppedBattle:
        """Return a new battle of the same rule set.

        `machine` is the underlying battle, `log` has the events so far, and `setup` is the setup.
        """
        machine.log = None if log is None else log.copy()
        return SteppedBattle(self.rules, setup, machine)

    def outcome(self) -> Outcome[str]:
        """Return the result.

        Winners are given by their keys. Raises InvalidInput if the battle is not over.
        """
        if self.side is not None:
            raise InvalidInput(f"the battle is not over: {self.side} must choose")
        return by_key(self.machine.outcome(), self.setup.seats)


def check_seed(seed: int | str) -> int | str:
    """Return the seed unchanged if it is valid.

    Raises InvalidInput if the seed is not valid. A seed is a whole number, or a string that UTF-8 can encode.
    """
    if type(seed) is not int and (not isinstance(seed, str) or SURROGATE.search(seed)):
        raise InvalidInput(f"expected a seed, a whole number or text, got {quoted(seed)}")
    return seed


SURROGATE = re.compile("[\ud800-\udfff]")


def begin(rules: RuleSet, setup: Setup, seed: int | str) -> SteppedBattle:
    """Deal the cards and begin a battle. The seed determines the cards and all random events.

    With the same seed, `resolve` deals the same cards and draws the same random events. `setup` is not
    changed. Raises InvalidInput if the seed is not valid.
    """
    check_seed(seed)
    dealt = setup.copy()
    rules.choose_random_house_rules(dealt, stream(seed, "lot"))
    rules.deal(dealt, stream(seed, "deal"))
    machine = rules.start(dealt, Drawn(stream(seed, "battle")))
    machine.log = []
    machine.run()
    return SteppedBattle(rules, dealt, machine)
