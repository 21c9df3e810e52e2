"""The battle state machine: a battle asks one side one question at a time.

Commanders answer, the referee records, odds count. The order of play is an agenda: a stack of steps, each a
small
integer, that copies as a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.pickling import restore, state_of

if TYPE_CHECKING:
    from typing import Self

    from cardbattle.core.chance import Chance, Fate

NOBODY: Final = -1
UNKNOWN: Final = -1  # a card nobody wrote down, in battles fought at a real table
STEP: Final = 16  # steps are multiples of 16, so that step + side is one number; at most 16 sides


SideName = TypeVar("SideName", int, str)


class Outcome(NamedTuple, Generic[SideName]):
    """How a battle ended, its sides by seat or by key.

    `winners` holds sides in seat order (none: drawn; several: shared), `reason` a word of the rule
    set, `losses` one exact fraction per seat, from 0 to 1, as (numerator, denominator).
    """

    winners: list[SideName]
    reason: str
    losses: list[tuple[int, int]]

    def __repr__(self) -> str:
        return f"Outcome(winners={self.winners!r}, reason={self.reason!r})"


def by_key(outcome: Outcome[int], seats: Sequence[str]) -> Outcome[str]:
    """Return an outcome with the sides' keys in place of their seats, and losses in lowest terms.

    >>> by_key(Outcome([1], "more-spaces", [(3, 5), (2, 5)]), ["york", "lancaster"])
    Outcome(winners=['lancaster'], reason='more-spaces')
    """
    losses = [(lost // gcd(lost, whole), whole // gcd(lost, whole)) for lost, whole in outcome.losses]
    return Outcome([seats[seat] for seat in outcome.winners], outcome.reason, losses)


class Event:
    """Something that happened.

    `fields` are public; only the seats in `eyes` see `hidden`. If `whole` is True, other seats do not see
    the event at all.
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
        """Pickle the event as its arguments."""
        return Event, (self.kind, self.side, self.fields, self.hidden, self.eyes, self.whole)

    def seen_by(self, viewer: int) -> Event | None:
        """Return the event as this seat saw it, None if it did not."""
        if not self.hidden or viewer in self.eyes:
            return self.all_seeing()
        if self.whole:
            return None
        return Event(self.kind, self.side, self.fields, {}, [], False)

    def all_seeing(self) -> Event:
        """Return the event with nothing hidden."""
        return Event(self.kind, self.side, {**self.fields, **self.hidden}, {}, [], False)


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """What one side may know while it is asked; each rule set adds its own facts."""

    side: int
    question: int
    options: list[int]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of seat {self.side}: {len(self.options)} options>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields, those of an interpreted subclass too, for `pickle` and `copy`."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take over pickled fields."""
        restore(self, state)


@mypyc_attr(allow_interpreted_subclasses=True)
class Battle:
    """One battle in progress; it trusts its caller.

    A rule set fills the fields in its own `start`, builds questions with `ask` and carries
    answers out in `answer`; a step asks at most once and does nothing after it.
    """

    sides: int
    side: int  # who must choose now; NOBODY when it is over
    question: int  # which question: one of the rule set's constants
    options: list[int]  # the legal choices; never empty while side != NOBODY
    unoffered: list[int]  # accepted but not offered: index len(options) + i takes unoffered[i]
    todo: list[int]  # the agenda: steps still to come, the next one last
    fate: Fate
    log: list[Event] | None  # None: nobody listens

    def __repr__(self) -> str:
        asked = f"seat {self.side} to choose among {len(self.options)}"
        return f"<{type(self).__name__}: {'over' if self.side == NOBODY else asked}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields, those of an interpreted subclass too, for `pickle` and `copy`."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take over pickled fields."""
        restore(self, state)

    def open_agenda(self, sides: int, fate: Fate) -> None:
        """Set the fields every battle has; a rule set's `start` calls this first."""
        self.sides = sides
        self.side = NOBODY
        self.question = 0
        self.options = []
        self.unoffered = []
        self.todo = []
        self.fate = fate
        self.log = None

    def choose(self, index: int) -> None:
        """Take options[index], or beyond them unoffered[index - len(options)]; run on to the next question.

        It trusts its caller: IndexError for an index beyond both.
        """
        options = self.options
        if index < len(options):
            choice = options[index]
        else:
            choice = self.unoffered[index - len(options)]
        side = self.side
        self.side = NOBODY
        self.answer(self.question, side, choice)
        if self.side == NOBODY:
            self.run()

    def choose_all(self, choices: list[int]) -> None:
        """Make several choices of one side in a row. Raises ValueError for one that is not an option."""
        for choice in choices:
            self.choose(self.options.index(choice))

    def run(self) -> None:
        """Run steps until a side has a question or the agenda is empty."""
        while self.side == NOBODY and self.todo:
            step: i64 = self.todo.pop()
            self.step(step & ~15, step & 15)

    def then(self, *steps: int) -> None:
        """Put these steps on top of the agenda, in reading order."""
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
        """Put a list of steps on the agenda, to be carried out in its order right before a later one.

        `later` is a step that is on the agenda; ValueError if it is not.
        """
        at = self.todo.index(later) + 1
        self.todo[at:at] = steps[::-1]

    def ask(self, side: int, question: int, options: list[int]) -> None:
        """Ask a side; a question with one answer is answered by the machine."""
        if len(options) == 1:
            self.answer(question, side, options[0])
        else:
            self.ask_even_if_forced(side, question, options)

    def ask_even_if_forced(self, side: int, question: int, options: list[int]) -> None:
        """Put a question to a side even if it has one answer only."""
        self.side = side
        self.question = question
        self.options = options

    def tell(
        self,
        kind: str,
        side: int,
        fields: dict[str, object],
        hidden: dict[str, object] | None = None,
        eyes: list[int] | None = None,
        whole: bool = False,
    ) -> None:
        """Note an event; callers ask first whether `log` is there."""
        if self.log is not None:
            self.log.append(Event(kind, side, fields, hidden or {}, eyes or [], whole))

    def is_over(self) -> bool:
        """Say whether the battle has ended."""
        return self.side == NOBODY

    def is_decided(self) -> bool:
        """Return True if `outcome` already knows the winners, whatever follows."""
        return self.side == NOBODY

    def copy_agenda(self, new: Battle) -> None:
        """Copy the fields every battle has into `new`; it does not listen."""
        new.sides = self.sides
        new.side = self.side
        new.question = self.question
        new.options = self.options.copy()
        new.unoffered = self.unoffered
        new.todo = self.todo.copy()
        new.fate = self.fate.copy()
        new.log = None

    def agenda(self) -> list[list[int]]:
        """Return the fields every battle has as lists of numbers, for `state`."""
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
        """Return a copy in which all that the viewer cannot know is dealt again: a determinization."""
        raise NotImplementedError

    def view(self, side: int) -> View:
        """Return what this side may know."""
        raise NotImplementedError

    def fast_view(self, side: int) -> View:
        """Return a view for the rule set's own policies, which neither keep nor change it.

        It can show the battle's own lists where a view has copies.
        """
        return self.view(side)

    def state(self) -> list[list[int]]:
        """Return every mutable field as lists of numbers, the agenda's first."""
        raise NotImplementedError

    def score(self, side: int) -> int:
        """Return the side's current score, in the rule set's own points."""
        raise NotImplementedError

    def outcome(self) -> Outcome[int]:
        """Return how the battle ended; only when it is over."""
        raise NotImplementedError


def play_out_randomly(battle: Battle, chance: Chance) -> None:
    """Let every side choose at random, each option equally likely, until the battle is over."""
    while battle.side != NOBODY:
        battle.choose(chance.below(len(battle.options)))
