"""Play a battle step by step from Python, with keys and text in place of numbers.

The five essential members are `side`, `options`, `choose`, `copy` and `outcome`.
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
    """A battle played step by step, with sides as keys and choices as text.

    Methods that take a side accept its key or its seat, and raise UsageError for an unknown side. `machine`
    is the underlying battle, in integers and without checks, for programs that simulate thousands.
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
        """The key of the side that must choose now; None once the battle is over."""
        return None if self.machine.side == NOBODY else self.setup.seats[self.machine.side]

    @property
    def options(self) -> list[str]:
        """Texts of the current options; empty when the battle is over.

        The text is also the stable id of an option: it means the same in every battle of the rule set, in
        records and in the engine protocol.
        """
        if self.side is None:
            return []
        return [choice_words(self.rules, self.machine, index) for index in range(len(self.machine.options))]

    @property
    def scores(self) -> dict[str, int]:
        """The current score of each side, in the points of the rule set."""
        return {key: self.machine.score(seat) for seat, key in enumerate(self.seats)}

    def view(self, side: int | str) -> View:
        """Return what a side may know now, with cards as numbers and lists by seat."""
        return self.machine.view(seat_of(side, self.seats))

    def view_table(self, side: int | str) -> dict[str, object]:
        """Return what a side may know now as a table: cards as text, sides as keys, places from 1.

        docs/protocol.md describes its fields, which engines get too.
        """
        table: dict[str, object] = library().view_of(self, side)
        return table

    def events_since(self, count: int = 0, side: int | str | None = None) -> list[dict[str, object]]:
        """Return the events that a side has seen, without the first `count` of them; all events for None.

        An event is a table as in JSON output: cards as text, sides as keys.
        """
        log = self.machine.log or []
        if side is None:
            seen = [event.all_seeing() for event in log]
        else:
            seat = seat_of(side, self.seats)
            seen = [event for event in (event.seen_by(seat) for event in log) if event is not None]
        return [self.rules.as_json(event, self.seats) for event in seen[max(count, 0) :]]

    def choose(self, choice: str | int) -> None:
        """Make a choice, by its text or its index from 0, and run to the next question.

        Some rule sets accept unlisted choices, such as resign. Raises IllegalMove with the options,
        NoSuchOption for an unknown index, and InvalidInput when the battle is over.
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
        """Return an independent battle at the same point, with the same future random events."""
        return self.with_machine(self.machine.copy(), self.machine.log, self.setup)

    def redeal(self, side: int | str, seed: int | str) -> SteppedBattle:
        """Return a battle that a side cannot distinguish from this one (determinization).

        The cards that it does not know are dealt again from the seed, which also draws all later random
        events. Its events are those that the side has seen, and its setup has no other deal.

        Raises InvalidInput for an invalid seed.
        """
        seat, chance = seat_of(side, self.seats), stream(check_seed(seed), "redeal")
        machine = self.rules.plausible_battle(self.machine, seat, chance)
        machine.random_source = Drawn(chance)
        seen = [event.seen_by(seat) for event in self.machine.log or []]
        visible = self.rules.without_secrets(self.setup, seat)
        return self.with_machine(machine, [event for event in seen if event is not None], visible)

    def with_machine(self, machine: Battle, log: list[Event] | None, setup: Setup) -> SteppedBattle:
        """Return a battle of the same rules with these earlier events."""
        machine.log = None if log is None else log.copy()
        return SteppedBattle(self.rules, setup, machine)

    def outcome(self) -> Outcome[str]:
        """Return the result, with winners by key. Raises InvalidInput before the end."""
        if self.side is not None:
            raise InvalidInput(f"the battle is not over: {self.side} must choose")
        return by_key(self.machine.outcome(), self.setup.seats)


def check_seed(seed: int | str) -> int | str:
    """Return a seed; raise InvalidInput unless it is a whole number, or text that can be written in UTF-8."""
    if type(seed) is not int and (not isinstance(seed, str) or SURROGATE.search(seed)):
        raise InvalidInput(f"expected a seed, a whole number or text, got {quoted(seed)}")
    return seed


SURROGATE = re.compile("[\ud800-\udfff]")


def begin(rules: RuleSet, setup: Setup, seed: int | str) -> SteppedBattle:
    """Deal a battle with the random draws, cards and random events of this seed.

    They equal those of a resolved battle with the same seed. `setup` is not changed. Raises InvalidInput for
    an invalid seed.
    """
    check_seed(seed)
    dealt = setup.copy()
    rules.choose_random_house_rules(dealt, stream(seed, "lot"))
    rules.deal(dealt, stream(seed, "deal"))
    machine = rules.start(dealt, Drawn(stream(seed, "battle")))
    machine.log = []
    machine.run()
    return SteppedBattle(rules, dealt, machine)
