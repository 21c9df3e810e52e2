"""The battle state machine: a battle asks one side one question at a time.

The order of play is an agenda: a stack of steps, each a small integer, so that a battle copies as lists of
numbers. Commanders answer the questions; the referee records the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.pickling import restore, state_of

if TYPE_CHECKING:
    from typing import Self

    from cardbattle.core.chance import Chance, RandomSource

NOBODY: Final = -1
UNKNOWN: Final = -1  # a hidden card in a battle played with real cards
STEP: Final = 16  # steps are multiples of 16, so step + side fits in one integer; at most 16 sides


SideName = TypeVar("SideName", int, str)


class Outcome(NamedTuple, Generic[SideName]):
    """The result of a battle, with sides as seats or as keys.

    `winners` lists sides in seat order: none for a draw, several for a shared win. `reason` is a word of the
    rule set. `losses` has one exact fraction per seat, from 0 to 1: (numerator, denominator).
    """

    winners: list[SideName]
    reason: str
    losses: list[tuple[int, int]]

    def __repr__(self) -> str:
        return f"Outcome(winners={self.winners!r}, reason={self.reason!r})"


def by_key(outcome: Outcome[int], seats: Sequence[str]) -> Outcome[str]:
    """Return an outcome with keys in place of seats, and losses in lowest terms.

    >>> by_key(Outcome([1], "more-spaces", [(3, 5), (2, 5)]), ["york", "lancaster"])
    Outcome(winners=['lancaster'], reason='more-spaces')
    """
    losses = [(lost // gcd(lost, whole), whole // gcd(lost, whole)) for lost, whole in outcome.losses]
    return Outcome([seats[seat] for seat in outcome.winners], outcome.reason, losses)


class Event:
    """Something that happened in a battle.

    Every seat sees `fields`; only the seats in `eyes` see `hidden`. If `whole` is True, other seats do not
    see the event at all.
    """

    def __init__(
        self,
        kind: str,
        side: int,
        fields: dict[str, object],
        hidden: dict[str, object],
        eyes: list[int],
        whole: bool,
    ) -> None:
        self.kind = kind
        self.side = side
        self.fields = fields
        self.hidden = hidden
        self.eyes = eyes
        self.whole = whole

    def __repr__(self) -> str:
        fields_text = "".join(f", {name}={value!r}" for name, value in self.fields.items())
        return f"Event({self.kind!r}, side={self.side}{fields_text})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the event as its constructor arguments."""
        return Event, (self.kind, self.side, self.fields, self.hidden, self.eyes, self.whole)

    def seen_by(self, viewer: int) -> Event | None:
        """Return the event as this seat saw it, or None if the seat did not see it."""
        if not self.hidden or viewer in self.eyes:
            return self.all_seeing()
        if self.whole:
            return None
        return Event(self.kind, self.side, self.fields, {}, [], False)

    def all_seeing(self) -> Event:
        """Return the event with all its fields, hidden ones included."""
        return Event(self.kind, self.side, {**self.fields, **self.hidden}, {}, [], False)


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """What the side that must choose knows; each rule set adds its own fields."""

    side: int
    question: int
    options: list[int]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of seat {self.side}: {len(self.options)} options>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore pickled fields."""
        restore(self, state)


@mypyc_attr(allow_interpreted_subclasses=True)
class Battle:
    """One battle in progress. It does not check its arguments; `Referee` does.

    A rule set sets its fields in `start`, asks questions with `ask` and carries out the answers in `answer`.
    A step of the agenda asks at most one question, and asks it last.
    """

    sides: int
    side: int  # who must choose now; NOBODY when it is over
    question: int  # which question: one of the rule set's constants
    options: list[int]  # the legal choices; never empty while side != NOBODY
    unoffered: list[int]  # accepted but not offered: index len(options) + i takes unoffered[i]
    todo: list[int]  # the agenda: steps still to come, the next one last
    random_source: RandomSource
    log: list[Event] | None  # None: events are not collected

    def __repr__(self) -> str:
        asked = f"seat {self.side} to choose among {len(self.options)}"
        return f"<{type(self).__name__}: {'over' if self.side == NOBODY else asked}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore pickled fields."""
        restore(self, state)

    def open_agenda(self, sides: int, random_source: RandomSource) -> None:
        """Initialise the fields that every battle has. A rule set's `start` calls this first."""
        self.sides = sides
        self.side = NOBODY
        self.question = 0
        self.options = []
        self.unoffered = []
        self.todo = []
        self.random_source = random_source
        self.log = None

    def choose(self, index: int) -> None:
        """Make the choice with this index and run to the next question.

        Indices beyond `options` select from `unoffered`. Raises IndexError for an index beyond both.
        """
        self.begin_choice(index)
        if self.side == NOBODY:
            self.run()

    def begin_choice(self, index: int) -> None:
        """Take an option as `choose` does, but carry out no step of the agenda after it."""
        options = self.options
        if index < len(options):
            choice = options[index]
        else:
            choice = self.unoffered[index - len(options)]
        side = self.side
        self.side = NOBODY
        self.answer(self.question, side, choice)

    def choose_all(self, choices: list[int]) -> None:
        """Make several choices for one side in a row. Raises ValueError if one is not an option."""
        for choice in choices:
            self.choose(self.options.index(choice))

    def run(self) -> None:
        """Run steps until a side has a question or the agenda is empty."""
        while self.side == NOBODY and self.todo:
            step: i64 = self.todo.pop()
            self.step(step & ~15, step & 15)

    def then(self, *steps: int) -> None:
        """Put steps on top of the agenda, in reading order."""
        for step in reversed(steps):
            self.todo.append(step)

    def then_step(self, step: int) -> None:
        """Put one step on top of the agenda (faster than `then` in compiled code)."""
        self.todo.append(step)

    def then_all(self, steps: list[int]) -> None:
        """Put a list of steps on top of the agenda."""
        for step in reversed(steps):
            self.todo.append(step)

    def before(self, later: int, steps: list[int]) -> None:
        """Insert a list of steps, in their order, just before the step `later`.

        Raises ValueError if `later` is not on the agenda.
        """
        at = self.todo.index(later) + 1
        self.todo[at:at] = steps[::-1]

    def ask(self, side: int, question: int, options: list[int]) -> None:
        """Ask a side a question. A question with only one option is answered automatically."""
        if len(options) == 1:
            self.answer(question, side, options[0])
        else:
            self.ask_even_if_forced(side, question, options)

    def ask_even_if_forced(self, side: int, question: int, options: list[int]) -> None:
        """Ask a side a question, even if it has only one option."""
        self.side = side
        self.question = question
        self.options = options

    def emit(
        self,
        kind: str,
        side: int,
        fields: dict[str, object],
        hidden: dict[str, object] | None = None,
        eyes: list[int] | None = None,
        whole: bool = False,
    ) -> None:
        """Log an event. Callers check first that `log` is not None."""
        if self.log is not None:
            self.log.append(Event(kind, side, fields, hidden or {}, eyes or [], whole))

    def is_over(self) -> bool:
        """Return True if the battle has ended."""
        return self.side == NOBODY

    def is_decided(self) -> bool:
        """Return True if `outcome` already knows the winners, although the battle may go on."""
        return self.side == NOBODY

    def copy_agenda(self, new: Battle) -> None:
        """Copy the fields that every battle has into `new`, without the log."""
        new.sides = self.sides
        new.side = self.side
        new.question = self.question
        new.options = self.options.copy()
        new.unoffered = self.unoffered
        new.todo = self.todo.copy()
        new.random_source = self.random_source.copy()
        new.log = None

    def agenda(self) -> list[list[int]]:
        """Return the fields that every battle has as lists of numbers, for `state`."""
        return [[self.sides, self.side, self.question], self.options, self.unoffered, self.todo]

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda."""
        raise NotImplementedError

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice."""
        raise NotImplementedError

    def copy(self) -> Self:
        """Return an independent battle at the same point, without the log."""
        raise NotImplementedError

    def redeal(self, viewer: int, chance: Chance) -> Self:
        """Return a copy in which the cards unknown to the viewer are dealt again (determinization).

        The viewer is a seat, or -1 for the public if `RuleSet.redeals_by_view` returns True.
        """
        raise NotImplementedError

    def view(self, side: int) -> View:
        """Return what this side knows."""
        raise NotImplementedError

    def fast_view(self, side: int) -> View:
        """Return a view for the rule set's own policies, which must not keep or change it.

        Unlike `view`, it can share the battle's own lists instead of copying them.
        """
        return self.view(side)

    def state(self) -> list[list[int]]:
        """Return all mutable fields as lists of numbers, the agenda first."""
        raise NotImplementedError

    def score(self, side: int) -> int:
        """Return the side's current score, in the rule set's own points."""
        raise NotImplementedError

    def outcome(self) -> Outcome[int]:
        """Return the result. Call it only when the battle is over."""
        raise NotImplementedError


def play_out_randomly(battle: Battle, chance: Chance) -> None:
    """Let every side choose uniformly at random until the battle is over."""
    while battle.side != NOBODY:
        battle.choose(chance.below(len(battle.options)))
