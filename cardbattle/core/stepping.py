"""Play a battle step by step from Python, with keys and text in place of numbers.

The five essential members are `side`, `options`, `choose`, `copy` and `outcome`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY, Battle, Outcome, by_key
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.errors import InvalidInput
from cardbattle.core.referee import choice_words, find_choice

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet, Setup


class SteppedBattle:
    """A battle played step by step, with sides as keys and choices as text.

    `machine` is the underlying battle, in integers and without checks, for programs that simulate thousands.
    """

    def __init__(self, rules: RuleSet, setup: Setup, machine: Battle) -> None:
        self.rules = rules
        self.setup = setup
        self.machine = machine

    def __repr__(self) -> str:
        asked = f"{self.side} to choose among {len(self.machine.options)}"
        return f"<Battle of {self.rules.name}: {asked if self.side else 'over'}>"

    @property
    def side(self) -> str | None:
        """The key of the side that must choose now; None once the battle is over."""
        return None if self.machine.side == NOBODY else self.setup.seats[self.machine.side]

    @property
    def options(self) -> list[str]:
        """Texts of the current options; empty when the battle is over."""
        if self.side is None:
            return []
        return [choice_words(self.rules, self.machine, index) for index in range(len(self.machine.options))]

    def choose(self, choice: str | int) -> None:
        """Make a choice, by its text or its index from 0, and run to the next question.

        Some rule sets accept unlisted choices, such as resign. Raises IllegalMove with the options,
        IndexError for an unknown index, and InvalidInput when the battle is over.
        """
        if self.side is None:
            raise InvalidInput("the battle is over; there is nothing to choose")
        if isinstance(choice, str):
            choice = find_choice(self.rules, self.machine, self.side, choice)
        elif not 0 <= choice < len(self.machine.options):
            raise IndexError(f"expected an option from 0 to {len(self.machine.options) - 1}, got {choice}")
        self.machine.choose(choice)

    def copy(self) -> SteppedBattle:
        """Return an independent battle at the same point, with the same future random events."""
        return SteppedBattle(self.rules, self.setup, self.machine.copy())

    def outcome(self) -> Outcome[str]:
        """Return the result, with winners by key. Raises InvalidInput before the end."""
        if self.side is not None:
            raise InvalidInput(f"the battle is not over: {self.side} must choose")
        return by_key(self.machine.outcome(), self.setup.seats)


def begin(rules: RuleSet, setup: Setup, seed: int | str) -> SteppedBattle:
    """Deal a battle with the random draws, cards and random events of this seed.

    They equal those of a resolved battle with the same seed. `setup` is not changed.
    """
    dealt = setup.copy()
    rules.choose_random_house_rules(dealt, stream(seed, "lot"))
    rules.deal(dealt, stream(seed, "deal"))
    machine = rules.start(dealt, Drawn(stream(seed, "battle")))
    machine.run()
    return SteppedBattle(rules, dealt, machine)
