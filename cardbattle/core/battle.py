"""The state machine of a battle, which asks one side one question at a time.

The order of play is stored as an agenda, a stack of steps. Each step is a small integer, so a battle can be
copied by copying lists of integers. Commanders answer the questions, and the referee records the answers.

A seat is the position of a side in the battle's list of sides, counted from 0.
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
STEP: Final = (
    16  # steps are multiples of 16, so step + side fits in one integer if there are at most 16 sides
)


SideName = TypeVar("SideName", int, str)


class Outcome(NamedTuple, Generic[SideName]):
    """The result of a battle. Each side is given by its seat or by its key.

    `winners` lists the winning sides in seat order. The list is empty after a draw, and has several sides
    after a shared win. `reason` is a key of `RuleSet.reasons`. `losses` has a fraction from 0 to 1 for each
    seat, which is a pair (numerator, denominator).
    """

    winners: list[SideName]
    reason: str
    losses: list[tuple[int, int]]

    def __repr__(self) -> str:
        return f"Outcome(winners={self.winners!r}, reason={self.reason!r})"


def by_key(outcome: Outcome[int], seats: Sequence[str]) -> Outcome[str]:
    """Return an outcome with keys instead of seats, and with losses in lowest terms.

    `seats` has the key of each side, in seat order.

    >>> by_key(Outcome([1], "more-spaces", [(3, 5), (2, 5)]), ["york", "lancaster"])
    Outcome(winners=['lancaster'], reason='more-spaces')
    """
    losses = [(lost // gcd(lost, whole), whole // gcd(lost, whole)) for lost, whole in outcome.losses]
    return Outcome([seats[seat] for seat in outcome.winners], outcome.reason, losses)


class Event:
    """Something that happened in a battle.

    Every seat sees the event and its `fields`. Only the seats in the list `eyes` see the fields in `hidden`
    too. If `whole` is True, seats that are not in `eyes` do not see the event at all.
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
        """Return the arguments with which `pickle` calls the constructor to rebuild the event."""
        return Event, (self.kind, self.side, self.fields, self.hidden, self.eyes, self.whole)

    def seen_by(self, viewer: int) -> Event | None:
        """Return the event as the seat `viewer` saw it, or None if `viewer` did not see it."""
        if not self.hidden or viewer in self.eyes:
            return self.all_seeing()
        if self.whole:
            return None
        return Event(self.kind, self.side, self.fields, {}, [], False)

    def all_seeing(self) -> Event:
        """Return a copy of the event in which all fields are visible, for readers who may see everything."""
        return Event(self.kind, self.side, {**self.fields, **self.hidden}, {}, [], False)


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """Everything that one side knows at the moment when it must choose.

    Each rule set adds fields to this class.
    """

    side: int
    question: int
    options: list[int]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of seat {self.side}: {len(self.options)} options>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Set the fields from a pickle."""
        restore(self, state)


@mypyc_attr(allow_interpreted_subclasses=True)
class Battle:
    """A battle in progress.

    The methods do not check their arguments, because `Referee` checks them first.

    A rule set initialises the fields of a battle in the method `start`. A step of the agenda calls `ask` to
    ask a question, and the method `answer` carries out the answer. Each step asks at most one question, and
    does nothing after asking it.
    """

    sides: int
    side: int  # the seat of the side that must choose now, or NOBODY if the battle is over
    question: int  # the current question: one of the rule set's constants
    options: list[int]  # the legal choices, at least one while side != NOBODY
    unoffered: list[int]  # legal choices that are not listed; the index len(options) + i selects unoffered[i]
    todo: list[int]  # the agenda; its last element is the next step
    random_source: RandomSource
    log: list[Event] | None  # None if events are not collected

    def __repr__(self) -> str:
        asked = f"seat {self.side} to choose among {len(self.options)}"
        return f"<{type(self).__name__}: {'over' if self.side == NOBODY else asked}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Set the fields from a pickle."""
        restore(self, state)

    def open_agenda(self, sides: int, random_source: RandomSource) -> None:
        """Initialise the fields that every battle has. A rule set's `start` calls this method first."""
        self.sides = sides
        self.side = NOBODY
        self.question = 0
        self.options = []
        self.unoffered = []
        self.todo = []
        self.random_source = random_source
        self.log = None

    def choose(self, index: int) -> None:
        """Choose the option with this index, and run the battle until the next question.

        The index `len(options) + i` selects `unoffered[i]`, a legal choice that is not listed. Raises
        IndexError if the index is too large for both lists.
        """
        self.begin_choice(index)
        if self.side == NOBODY:
            self.run()

    def begin_choice(self, index: int) -> None:
        """Choose the option with this index, as `choose` does, but do not run the next step of the agenda."""
        options = self.options
        if index < len(options):
            choice = options[index]
        else:
            choice = self.unoffered[index - len(options)]
        side = self.side
        self.side = NOBODY
        self.answer(self.question, side, choice)

    def choose_all(self, choices: list[int]) -> None:
        """Make several choices one after another.

        Each choice is the value of an option, not its index. Raises ValueError if a choice is not among the
        options at that time.
        """
        for choice in choices:
            self.choose(self.options.index(choice))

    def run(self) -> None:
        """Run the steps of the agenda until a side must answer a question or the agenda is empty."""
        while self.side == NOBODY:
            todo = self.todo
            length = len(todo)
            step: i64
            if length > 1:
                step = todo.pop()
            elif length == 1:
                step = todo[0]
                todo.clear()  # after `pop`, an empty list would use slower memory for its next elements
            else:
                return
            self.step(step & ~15, step & 15)

    def then(self, *steps: int) -> None:
        """Put steps on top of the agenda, so that the first argument is the next step."""
        for step in reversed(steps):
            self.todo.append(step)

    def then_step(self, step: int) -> None:
        """Put one step on top of the agenda. In compiled code, this method is faster than `then`."""
        self.todo.append(step)

    def then_all(self, steps: list[int]) -> None:
        """Put a list of steps on top of the agenda, so that the first item is the next step."""
        for step in reversed(steps):
            self.todo.append(step)

    def before(self, later: int, steps: list[int]) -> None:
        """Insert a list of steps into the agenda, so that they run just before the step `later`.

        Raises ValueError if `later` is not on the agenda.
        """
        at = self.todo.index(later) + 1
        self.todo[at:at] = steps[::-1]

    def ask(self, side: int, question: int, options: list[int]) -> None:
        """Ask a side a question. If the question has only one option, choose this option without asking."""
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
        """Add an event to the log, or do nothing if the log is None.

        Callers usually check the log first, so that they do not build the fields of an event for nothing.
        """
        if self.log is not None:
            self.log.append(Event(kind, side, fields, hidden or {}, eyes or [], whole))

    def is_over(self) -> bool:
        """Return True if the battle has ended."""
        return self.side == NOBODY

    def is_decided(self) -> bool:
        """Return True if it is certain which sides win. The battle may not be over yet."""
        return self.side == NOBODY

    def copy_agenda(self, new: Battle) -> None:
        """Copy to the battle `new` all fields that every battle has, except the log."""
        new.sides = self.sides
        new.side = self.side
        new.question = self.question
        new.options = self.options.copy()
        new.unoffered = self.unoffered
        new.todo = self.todo.copy()
        new.random_source = self.random_source.copy()
        new.log = None

    def agenda(self) -> list[list[int]]:
        """Return the fields that every battle has, as lists of numbers.

        The result of `state` begins with the lists that this method returns.
        """
        return [[self.sides, self.side, self.question], self.options, self.unoffered, self.todo]

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda for a side."""
        raise NotImplementedError

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice."""
        raise NotImplementedError

    def copy(self) -> Self:
        """Return an independent copy of the battle, without the log of events."""
        raise NotImplementedError

    def redeal(self, viewer: int, chance: Chance) -> Self:
        """Return a copy in which all cards that the viewer does not know are dealt again (determinization).

        `viewer` is a seat. If `RuleSet.redeals_by_view` returns True, `viewer` can also be -1 for the public,
        which sees only open cards.

        No card of the copy is UNKNOWN. If the rule set has UNKNOWN cards, begin with `complete_copy`.
        """
        raise NotImplementedError

    def complete_copy(self, chance: Chance) -> Self:
        """Return a copy in which all UNKNOWN cards are replaced with random unseen cards.

        A replay of a battle with real cards has UNKNOWN cards, with which a simulation cannot continue.
        """
        new = self.copy()
        new.guess_unknown_cards(chance)
        return new

    def guess_unknown_cards(self, chance: Chance) -> None:
        """Replace all UNKNOWN cards with random unseen cards.

        The default does nothing, for rule sets whose battles never have UNKNOWN cards.
        """

    def view(self, side: int) -> View:
        """Return what this side knows."""
        raise NotImplementedError

    def fast_view(self, side: int) -> View:
        """Return a view of this side for the policies of the rule set.

        A policy must not keep or change the view.

        The result of `view` has copies of the battle's lists, but this view can contain the lists themselves.
        """
        return self.view(side)

    def state(self) -> list[list[int]]:
        """Return all fields that can change as lists of integers. The first lists are those of `agenda`."""
        raise NotImplementedError

    def score(self, side: int) -> int:
        """Return the current score of the side, in the points of the rule set."""
        raise NotImplementedError

    def outcome(self) -> Outcome[int]:
        """Return the result of the battle. Call this method only after the end of the battle."""
        raise NotImplementedError


def play_out_randomly(battle: Battle, chance: Chance) -> None:
    """Let every side choose uniformly at random until the battle is over."""
    while battle.side != NOBODY:
        battle.choose(chance.below(len(battle.options)))
