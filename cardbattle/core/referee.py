"""The referee runs a battle with names and text in place of numbers.

It checks that each choice is legal, records moves, events and state hashes, and shows each side only what
that side knows.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from cardbattle.core.battle import NOBODY, UNKNOWN, Event, Outcome, View
from cardbattle.core.chance import Drawn, RandomSource
from cardbattle.core.errors import IllegalMove
from cardbattle.core.names import clean
from cardbattle.core.pickling import restore, state_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardbattle.core.battle import Battle
    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import Policy, RuleSet, Setup

CHECK_EVERY: Final = 20  # number of moves between hashes of the state
SIGNS: Final = str.maketrans("♠♤♥♡♦♢♣♧′’", "sshhddcc''", "\ufe0f")
TEN: Final = re.compile(r"\bt(?=[shdc]?\b)")
OFFERED: Final = 12  # maximum number of options that an error lists


def comparable(text: str) -> str:
    """Normalise a choice for comparison: case, T for 10, suit symbols, order of a pair.

    >>> comparable("place 4d+T♠") == comparable("place 10S+4D")
    True
    """
    plain = TEN.sub("10", text.casefold().translate(SIGNS))
    return " ".join("+".join(sorted(word.split("+"))) for word in plain.split())


def choice_words(rules: RuleSet, battle: Battle, index: int) -> str:
    """Return the text of an option; higher indices select accepted choices that are not listed."""
    options = battle.options
    choice = options[index] if index < len(options) else battle.unoffered[index - len(options)]
    return rules.choice_text(battle, choice)


def find_choice(rules: RuleSet, battle: Battle, key: str, text: str) -> int:
    """Return the index of the choice that a text names. Raises IllegalMove with the options."""
    candidates = [
        choice_words(rules, battle, index) for index in range(len(battle.options) + len(battle.unoffered))
    ]
    if text in candidates:  # the usual spelling in records: a fast look-up before the slow comparison
        return candidates.index(text)
    wanted = comparable(text)
    for index, candidate in enumerate(candidates):
        if comparable(candidate) == wanted:
            return index
    reason = rules.why_not(battle, text)
    because = f": {reason}" if reason else " now"
    offered = candidates[: len(battle.options)]
    more = f", ... ({len(offered)} in all)" if len(offered) > OFFERED else ""
    raise IllegalMove(
        f"{key} cannot {clean(text[:60]) or 'say nothing'}{because}; "
        f"choose one of {', '.join(offered[:OFFERED])}{more}"
    )


def without_lists(options: dict[str, object]) -> dict[str, object]:
    """Return options with None in place of lists, which can name hidden cards."""
    return {word: None if isinstance(value, list) else value for word, value in options.items()}


class Noted(RandomSource):
    """A source of random events that also passes each result to the referee's record."""

    def __init__(self, source: RandomSource, note: Callable[[int, int, list[int]], None]) -> None:
        self.source = source
        self.note = note

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Return one of the cards."""
        card = self.source.one_of(kind, side, cards)
        self.note(kind, side, [card])
        return card

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards in ascending order."""
        chosen = self.source.some_of(kind, side, k, cards)
        self.note(kind, side, chosen)
        return chosen

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all cards in a new order."""
        order = self.source.order_of(kind, side, cards)
        self.note(kind, side, order)
        return order

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the top k cards after shuffling, in that order."""
        top = self.source.top_of(kind, side, k, cards)
        self.note(kind, side, top)
        return top

    def copy(self) -> RandomSource:
        """Return an independent source whose results are not recorded."""
        return self.source.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the source; the restored referee wraps it again."""
        return identity, (self.source,)


def identity(random_source: RandomSource) -> RandomSource:
    """Return the source unchanged; pickle needs a function that rebuilds a `Noted`."""
    return random_source


@mypyc_attr(allow_interpreted_subclasses=True)
class Seat:
    """The input of a commander: one side's view and options, but not the battle."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    def __repr__(self) -> str:
        return f"<Seat of {self.key}: {self.count} options>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore pickled fields."""
        restore(self, state)

    @property
    def view(self) -> View:
        """What the side that must choose may know."""
        battle = self._referee.battle
        return battle.view(battle.side)

    @property
    def key(self) -> str:
        """The key of the side that must choose."""
        return self._referee.setup.seats[self._referee.battle.side]

    @property
    def setup(self) -> Setup:
        """The battle's options that the side may know: no deal, and no lists of cards of other sides."""
        referee = self._referee
        setup = referee.setup.copy()
        setup.deal = {}
        setup.house = without_lists(setup.house)
        for seat, options in enumerate(setup.sides):
            if seat != referee.battle.side:
                setup.sides[seat] = without_lists(options)
        return setup

    def events_since(self, count: int) -> list[Event]:
        """Return the events that the side has seen so far, without the first `count` of them."""
        return self._referee.seen_events(self._referee.battle.side)[count:]

    @property
    def count(self) -> int:
        """The number of options."""
        return len(self._referee.battle.options)

    @property
    def texts(self) -> list[str]:
        """The options as text."""
        return self._referee.texts()

    @property
    def unlisted_texts(self) -> list[str]:
        """Accepted choices that are not listed as options, such as resign."""
        offered = self.count
        return [self._referee.text(offered + n) for n in range(len(self._referee.battle.unoffered))]

    def find(self, text: str) -> int:
        """Return the index of the choice that a text names. Raises IllegalMove with the options."""
        return self._referee.find(text)

    def answer_by(self, policy: Policy, chance: Chance) -> int:
        """Return the index of the option that a policy of the rule set chooses."""
        battle = self._referee.battle
        return policy(battle.fast_view(battle.side), chance)

    def redeal(self, chance: Chance) -> Battle:
        """Return a battle consistent with what this side knows, with new hidden cards and random events."""
        battle = self._referee.battle
        redealt = self._referee.rules.plausible_battle(battle, battle.side, chance)
        redealt.random_source = Drawn(chance)
        return redealt


@mypyc_attr(allow_interpreted_subclasses=True)
class Referee:
    """One battle with its names, moves, events and state hashes."""

    def __init__(
        self,
        rules: RuleSet,
        setup: Setup,
        random_source: RandomSource,
        listen: bool = True,
        begins: bool = True,
    ) -> None:
        self.rules = rules
        self.setup = setup
        self.moves: list[str] = []
        self.checks: list[str] = []
        self.events: list[tuple[int, Event]] = []  # (number of moves made before it, event)
        self.seen: dict[int, tuple[int, list[Event]]] = {}  # by seat: events checked, and those that it saw
        self.trail = sha256()  # hash of all moves so far, so that a check covers their order
        self.listen = listen
        self.battle = rules.start(setup, Noted(random_source, self.note) if listen else random_source)
        if listen:
            self.battle.log = []
        if begins:
            self.begin()

    def begin(self) -> None:
        """Run the battle to the first question."""
        self.battle.run()
        if self.listen:
            self.gather()

    def __repr__(self) -> str:
        asked = f"{self.key} to choose among {len(self.battle.options)}"
        moves_made = f"{len(self.moves)} moves made"
        return f"<Referee of {self.rules.name}: {'over' if self.battle.is_over() else asked}, {moves_made}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, without the hash, which is computed from the moves."""
        return {name: value for name, value in state_of(self).items() if name != "trail"}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore pickled fields and record random events again."""
        restore(self, state)
        self.trail = sha256("".join([f"{move}\n" for move in self.moves]).encode())
        if self.listen:
            self.battle.random_source = Noted(self.battle.random_source, self.note)

    def note(self, kind: int, side: int, cards: list[int]) -> None:
        """Record the result of a random event as a `fate` move."""
        move = self.rules.fate_text(kind, side, self.setup.seats)
        self.write_down(" ".join(["fate", move, *(self.rules.card_text(card) for card in cards)]))

    def write_down(self, move: str) -> None:
        """Add a move to the record."""
        self.moves.append(move)
        self.trail.update(f"{move}\n".encode())

    def choose(self, index: int) -> None:
        """Make a choice for the side that must choose, and record it."""
        if self.listen:
            self.write_down(f"{self.key} {self.text(index)}")
        self.battle.choose(index)
        if self.listen:
            self.gather()

    def pass_over(self) -> None:
        """Choose the only option of the side that must choose, without recording it."""
        self.battle.choose(0)
        self.gather()

    def gather(self) -> None:
        """Collect the battle's new events, and hash the state at the regular intervals."""
        moves_made = len(self.moves)
        log = self.battle.log
        if log:
            self.events.extend((moves_made, event) for event in log)
            log.clear()
        last = int(self.checks[-1].partition(":")[0]) if self.checks else -CHECK_EVERY
        if moves_made - last >= CHECK_EVERY or (self.battle.is_over() and moves_made > last):
            self.checks.append(f"{moves_made}:{self.check()}")

    @property
    def seat(self) -> Seat:
        """The seat of the side with the current question. Do not keep it: it refers to the referee."""
        return Seat(self)

    @property
    def key(self) -> str:
        """The key of the side that must choose."""
        return self.setup.seats[self.battle.side]

    def texts(self) -> list[str]:
        """Return the options as text."""
        return [self.text(index) for index in range(len(self.battle.options))]

    def text(self, index: int) -> str:
        """Return the text of an option; higher indices select accepted choices that are not listed."""
        return choice_words(self.rules, self.battle, index)

    def find(self, text: str) -> int:
        """Return the index of the choice that a text names. Raises IllegalMove with the options."""
        return find_choice(self.rules, self.battle, self.key, text)

    def fight(self, commanders: list[Commander]) -> None:
        """Let the commanders, one per seat, fight the battle to its end."""
        battle = self.battle
        seat = self.seat
        while battle.side != NOBODY:
            self.choose(commanders[battle.side].answer(seat))

    def check(self) -> str:
        """Return a hash of the state and the moves so far: 16 hexadecimal digits."""
        hashed = self.trail.copy()
        hashed.update(repr(self.battle.state()).encode())
        return hashed.hexdigest()[:16]

    def outcome(self) -> Outcome[int]:
        """Return the winners, reason and losses.

        Call it only when the battle is over; before that it means nothing.
        """
        return self.battle.outcome()

    def seen_events(self, viewer: int) -> list[Event]:
        """Return the events that this seat saw, without searching the old ones again; do not change it."""
        checked, seen = self.seen.get(viewer, (0, []))
        for _, event in self.events[checked:]:
            visible = event.seen_by(viewer)
            if visible is not None:
                seen.append(visible)
        self.seen[viewer] = (len(self.events), seen)
        return seen

    def events_for(self, viewer: int | None) -> list[tuple[int, Event]]:
        """Return the events that this seat saw; all events for None."""
        if viewer is None:
            return [(moves_made, event.all_seeing()) for moves_made, event in self.events]
        seen = [(moves_made, event.seen_by(viewer)) for moves_made, event in self.events]
        return [(moves_made, event) for moves_made, event in seen if event is not None]


def referee_of(seat: Seat) -> Referee:
    """Return the referee behind a seat, with all that is hidden: for hosts of engines, not for commanders."""
    return seat._referee


@mypyc_attr(allow_interpreted_subclasses=True)
class Commander:
    """Answers questions for a side, using only what its seat shows."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, a commander>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore pickled fields."""
        restore(self, state)

    def answer(self, seat: Seat) -> int:
        """Return an index into the view's options; indices beyond them select from `unoffered`."""
        raise NotImplementedError


class Recorded(RandomSource):
    """Random events read from a record; each result is the record's next `fate` move, checked.

    `take` returns the text of the next `fate` move without its prefix, or raises IllegalMove. `witness` is an
    optional random source of the seed; every result must agree with it.
    """

    def __init__(
        self,
        rules: RuleSet,
        seats: list[str],
        take: Callable[[str], str],
        witness: RandomSource | None = None,
    ) -> None:
        self.rules = rules
        self.seats = seats
        self.take = take
        self.witness = witness

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Return the card that the record names; it must be one of these."""
        card = self.read(kind, side, cards, 1)[0]
        if self.witness is not None:
            self.agree([card], [self.witness.one_of(kind, side, cards)])
        return card

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the k cards that the record names, in ascending order."""
        chosen = sorted(self.read(kind, side, cards, k))
        if self.witness is not None:
            self.agree(chosen, self.witness.some_of(kind, side, k, cards))
        return chosen

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return the cards in the order the record names."""
        order = self.read(kind, side, cards, len(cards))
        if self.witness is not None:
            self.agree(order, self.witness.order_of(kind, side, cards))
        return order

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the k cards that the record names, in the order of the record."""
        top = self.read(kind, side, cards, k)
        if self.witness is not None:
            self.agree(top, self.witness.top_of(kind, side, k, cards))
        return top

    def read(self, kind: int, side: int, cards: list[int], k: int) -> list[int]:
        """Return the k cards of the next `fate` move. Raises IllegalMove otherwise."""
        prefix = self.rules.fate_text(kind, side, self.seats)
        texts = self.take(prefix)
        available = cards.copy()
        chosen = []
        for text in [texts] if k == 1 else texts.split():
            card = self.among(text, available)
            available.remove(card)
            chosen.append(card)
        if len(chosen) != k:
            raise IllegalMove(f"fate {prefix} needs {k} cards, got {len(chosen)}")
        return chosen

    def among(self, text: str, available: list[int]) -> int:
        """Return the available card that a text names. Raises IllegalMove with the available cards."""
        for card in available:
            if card != UNKNOWN and comparable(self.rules.card_text(card)) == comparable(text):
                return card
        names = ", ".join(self.rules.card_text(card) for card in available if card != UNKNOWN)
        raise IllegalMove(f"fate cannot choose {clean(text[:40])}; there are {names or 'no known cards'}")

    def agree(self, read: list[int], drawn: list[int]) -> None:
        """Raise IllegalMove if a result differs from the result of the seed."""
        if read != drawn:
            names = " ".join(self.rules.card_text(card) for card in drawn)
            raise IllegalMove(f"this is not the result of the seed, which is {names}")

    def copy(self) -> RandomSource:
        """Return a source without results: a record can be read by only one battle."""
        return RandomSource()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle a source without results, like `copy`."""
        return RandomSource, ()
