"""Run one battle with names and text instead of numbers.

The referee checks that each choice is legal. It records the moves, the events and hashes of the battle's
state, and shows each side only what that side knows.

A random event is recorded as a move that begins with the word `fate`.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from cardbattle.core.battle import NOBODY, UNKNOWN, Event, Outcome, View
from cardbattle.core.chance import Drawn, RandomSource
from cardbattle.core.errors import IllegalMove
from cardbattle.core.names import clean, quoted
from cardbattle.core.pickling import restore, state_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardbattle.core.battle import Battle
    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import Policy, RuleSet, Setup

CHECK_EVERY: Final = 20  # number of moves between two hashes of the state
SIGNS: Final = str.maketrans("♠♤♥♡♦♢♣♧′’", "sshhddcc''", "\ufe0f")
TEN: Final = re.compile(r"\bt(?=[shdc]?\b)")
PLUS: Final = re.compile(r"\s*\+\s*")
NAMED_CARD: Final = re.compile(
    r"\b(?:the\s+)?(10|[2-9]|[akqjt]|ten|ace|king|queen|jack)\s+of\s+(spade|heart|diamond|club)s?\b",
    re.IGNORECASE,
)
SENTENCE: Final = re.compile(r"[,;?!(]|\.(\s|$)")  # in a text that is quoted in an error
OFFERED: Final = 12  # maximum number of options that an error lists


def with_short_cards(text: str) -> str:
    """Write cards in a choice as options do, if they are named in full or have spaces around a plus sign.

    >>> with_short_cards("place the 10 of spades + Queen of hearts"), with_short_cards("2C + 8D")
    ('place 10S+QH', '2C+8D')
    """
    plain = PLUS.sub("+", text) if "+" in text else text
    return NAMED_CARD.sub(short_card, plain) if " of " in plain.casefold() else plain


def short_card(match: re.Match[str]) -> str:
    rank = match[1].upper()
    return f"{rank if rank[0].isdigit() else 'T' if rank == 'TEN' else rank[0]}{match[2][0].upper()}"


def comparable(text: str) -> str:
    """Normalise the text of a choice. Different spellings of the same choice have the same result.

    >>> comparable("place 4d+T♠") == comparable("place 10S+4D")
    True
    """
    plain = TEN.sub("10", with_short_cards(text).casefold().translate(SIGNS))
    return " ".join("+".join(sorted(word.split("+"))) for word in plain.split())


def choice_words(rules: RuleSet, battle: Battle, index: int) -> str:
    """Return the text of a choice. An index beyond the options selects a legal unlisted choice."""
    options = battle.options
    choice = options[index] if index < len(options) else battle.unoffered[index - len(options)]
    return rules.choice_text(battle, choice)


def find_choice(rules: RuleSet, battle: Battle, key: str, text: str) -> int:
    """Return the index of the choice with this text.

    Raises IllegalMove, which gives the reason and lists the options, if no option matches.
    """
    candidates: list[str] = []
    for index in range(len(battle.options) + len(battle.unoffered)):
        candidates.append(choice_words(rules, battle, index))
        if candidates[index] == text:  # records contain the exact text
            return index
    wanted = comparable(text)
    for index, candidate in enumerate(candidates):
        if comparable(candidate) == wanted:
            return index
    reason = rules.why_not(battle, text)
    because = f": {reason}" if reason else " now"
    verb = wanted.partition(" ")[0]
    is_verb = any(comparable(candidate).partition(" ")[0] == verb for candidate in candidates)
    unclear = f"choose {quoted(text)}" if text else "say nothing"
    is_plain = SENTENCE.search(text) is None
    refused = clean(text[:60]) if text and is_plain and (reason or is_verb) else unclear
    offered = candidates[: len(battle.options)]
    more = f", ... ({len(offered)} in all)" if len(offered) > OFFERED else ""
    meant = "" if reason else option_meant(wanted, offered)
    because += f"; did you mean {quoted(meant)}?" if meant else ""
    raise IllegalMove(f"{key} cannot {refused}{because}; choose one of {', '.join(offered[:OFFERED])}{more}")


def option_meant(text: str, options: list[str]) -> str:
    """Return the only option that has all words of a text which any option has, or "".

    >>> option_meant("draw please", ["play QD", "play AC draw"])
    'play AC draw'
    >>> option_meant("play it", ["play QD", "play AC draw"])
    ''
    """
    word_sets = [set(comparable(option).split()) for option in options]
    words = {word for word in text.split() if any(word in option for option in word_sets)}
    fitting = [option for option, each in zip(options, word_sets, strict=True) if words and words <= each]
    return fitting[0] if len(fitting) == 1 else ""


def without_lists(options: dict[str, object]) -> dict[str, object]:
    """Return a side's options with every list replaced with None, because lists can name hidden cards."""
    return {word: None if isinstance(value, list) else value for word, value in options.items()}


class Noted(RandomSource):
    """A source of random events that reports each result to the referee, who records the result."""

    def __init__(self, source: RandomSource, note: Callable[[int, int, list[int]], None]) -> None:
        self.source = source
        self.note = note

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Choose one of the cards at random, and report the card to the referee."""
        card = self.source.one_of(kind, side, cards)
        self.note(kind, side, [card])
        return card

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Choose k cards at random, return them in ascending order, and report them to the referee."""
        chosen = self.source.some_of(kind, side, k, cards)
        self.note(kind, side, chosen)
        return chosen

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all of `cards` in random order, and report the order to the referee."""
        order = self.source.order_of(kind, side, cards)
        self.note(kind, side, order)
        return order

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Shuffle a pile of cards, return the k cards on top, and report them to the referee."""
        top = self.source.top_of(kind, side, k, cards)
        self.note(kind, side, top)
        return top

    def copy(self) -> RandomSource:
        """Return an independent source whose results are not recorded."""
        return self.source.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the underlying source. The unpickled referee wraps it again."""
        return identity, (self.source,)


def identity(random_source: RandomSource) -> RandomSource:
    """Return the source unchanged. `pickle` calls this function to rebuild a `Noted`."""
    return random_source


@mypyc_attr(allow_interpreted_subclasses=True)
class Seat:
    """The information that a commander gets to make a choice.

    A seat gives access to the view and the options of one side, but not to the battle itself.
    """

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    def __repr__(self) -> str:
        return f"<Seat of {self.key}: {self.count} options>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Set the fields from a pickle."""
        restore(self, state)

    @property
    def view(self) -> View:
        """Everything that the side knows."""
        battle = self._referee.battle
        return battle.view(battle.side)

    @property
    def key(self) -> str:
        """The key of the side that must choose."""
        return self._referee.setup.seats[self._referee.battle.side]

    @property
    def setup(self) -> Setup:
        """The setup of the battle without the dealt cards and without the other sides' lists of cards."""
        referee = self._referee
        setup = referee.setup.copy()
        setup.deal = {}
        setup.house = without_lists(setup.house)
        for seat, options in enumerate(setup.sides):
            if seat != referee.battle.side:
                setup.sides[seat] = without_lists(options)
        return setup

    def events_since(self, count: int) -> list[Event]:
        """Return the events that the side has seen so far, without the first `count` events."""
        return self._referee.seen_events(self._referee.battle.side)[count:]

    @property
    def count(self) -> int:
        """The number of options that the side can choose from."""
        return len(self._referee.battle.options)

    @property
    def texts(self) -> list[str]:
        """The texts of the options."""
        return self._referee.texts()

    @property
    def unlisted_texts(self) -> list[str]:
        """The texts of legal choices that are not listed as options, such as "resign"."""
        offered = self.count
        return [self._referee.text(offered + n) for n in range(len(self._referee.battle.unoffered))]

    def find(self, text: str) -> int:
        """Return the index of the choice with this text.

        Raises IllegalMove, which lists the options, if no option matches.
        """
        return self._referee.find(text)

    def answer_by(self, policy: Policy, chance: Chance) -> int:
        """Return the index of the option that a policy chooses. A policy is a function of the rule set."""
        battle = self._referee.battle
        return policy(battle.fast_view(battle.side), chance)

    def redeal(self, chance: Chance) -> Battle:
        """Return a copy of the battle in which the cards that this side does not know are dealt again.

        The cards and all later random events are drawn from `chance`.
        """
        battle = self._referee.battle
        redealt = self._referee.rules.plausible_battle(battle, battle.side, chance)
        redealt.random_source = Drawn(chance)
        return redealt


@mypyc_attr(allow_interpreted_subclasses=True)
class Referee:
    """One battle with the keys of its sides, its moves and events, and hashes of its state."""

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
        self.events: list[tuple[int, Event]] = []  # (number of moves made before the event, event)
        # by seat: (number of events checked, events that the seat saw)
        self.seen: dict[int, tuple[int, list[Event]]] = {}
        self.trail = sha256()  # hash of all moves so far, part of each hash of the state
        self.listen = listen
        self.battle = rules.start(setup, Noted(random_source, self.note) if listen else random_source)
        if listen:
            self.battle.log = []
        if begins:
            self.begin()

    def begin(self) -> None:
        """Run the battle to its first question."""
        self.battle.run()
        if self.listen:
            self.gather()

    def __repr__(self) -> str:
        asked = f"{self.key} to choose among {len(self.battle.options)}"
        moves_made = f"{len(self.moves)} moves made"
        return f"<Referee of {self.rules.name}: {'over' if self.battle.is_over() else asked}, {moves_made}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`.

        The hash of the moves is not included, because it can be computed again.
        """
        return {name: value for name, value in state_of(self).items() if name != "trail"}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Set the fields from a pickle, and compute the hash of the moves again."""
        restore(self, state)
        self.trail = sha256("".join([f"{move}\n" for move in self.moves]).encode())
        if self.listen:
            self.battle.random_source = Noted(self.battle.random_source, self.note)

    def note(self, kind: int, side: int, cards: list[int]) -> None:
        """Record the result of a random event as a `fate` move."""
        move = self.rules.fate_text(kind, side, self.setup.seats)
        self.write_down(" ".join(["fate", move, *(self.rules.card_text(card) for card in cards)]))

    def write_down(self, move: str) -> None:
        """Append a move to the record."""
        self.moves.append(move)
        self.trail.update(f"{move}\n".encode())

    def choose(self, index: int) -> None:
        """Choose the option with this index for the side that must choose, and record the move."""
        if self.listen:
            self.write_down(f"{self.key} {self.text(index)}")
        self.battle.choose(index)
        if self.listen:
            self.gather()

    def pass_over(self) -> None:
        """Choose the first option for the side that must choose, without recording the move."""
        self.battle.choose(0)
        self.gather()

    def gather(self) -> None:
        """Move new events from the battle's log to `events`, and hash the state every 20 moves."""
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
        """The information for the side that must choose.

        Do not keep this object, because it refers to the referee and changes with every move.
        """
        return Seat(self)

    @property
    def key(self) -> str:
        """The key of the side that must choose."""
        return self.setup.seats[self.battle.side]

    def texts(self) -> list[str]:
        return [self.text(index) for index in range(len(self.battle.options))]

    def text(self, index: int) -> str:
        """Return the text of the choice with this index.

        An index beyond the options selects a legal choice that is not listed.
        """
        return choice_words(self.rules, self.battle, index)

    def find(self, text: str) -> int:
        """Return the index of the choice with this text.

        Raises IllegalMove, which lists the options, if no option matches.
        """
        return find_choice(self.rules, self.battle, self.key, text)

    def fight(self, commanders: list[Commander]) -> None:
        """Let the commanders choose until the battle is over.

        `commanders` has one commander for each seat.
        """
        battle = self.battle
        seat = self.seat
        while battle.side != NOBODY:
            self.choose(commanders[battle.side].answer(seat))

    def check(self) -> str:
        """Return a hash of the battle's state and of all moves so far. It has 16 hexadecimal digits."""
        hashed = self.trail.copy()
        hashed.update(repr(self.battle.state()).encode())
        return hashed.hexdigest()[:16]

    def outcome(self) -> Outcome[int]:
        """Return the result of the battle.

        Call this method only after the end of the battle.
        """
        return self.battle.outcome()

    def seen_events(self, viewer: int) -> list[Event]:
        """Return the events that the seat `viewer` saw.

        Every call returns the same list and appends new events to it, so the caller must not change it.
        """
        checked, seen = self.seen.get(viewer, (0, []))
        for _, event in self.events[checked:]:
            visible = event.seen_by(viewer)
            if visible is not None:
                seen.append(visible)
        self.seen[viewer] = (len(self.events), seen)
        return seen

    def events_for(self, viewer: int | None) -> list[tuple[int, Event]]:
        """Return the events that the seat `viewer` saw, or all events if `viewer` is None.

        Each element is a pair. The first item is the number of moves before the event, and the second is the
        event.
        """
        if viewer is None:
            return [(moves_made, event.all_seeing()) for moves_made, event in self.events]
        seen = [(moves_made, event.seen_by(viewer)) for moves_made, event in self.events]
        return [(moves_made, event) for moves_made, event in seen if event is not None]


def referee_of(seat: Seat) -> Referee:
    """Return the referee of a seat's battle, which has access to all hidden information.

    The program needs this function to run engines. A commander must not call it.
    """
    return seat._referee


@mypyc_attr(allow_interpreted_subclasses=True)
class Commander:
    """The base class of commanders.

    A commander makes the choices of one side. It uses only the information in the argument `seat` of
    `answer`.
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, a commander>"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for `pickle` and `copy`, including those of an interpreted subclass."""
        return state_of(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Set the fields from a pickle."""
        restore(self, state)

    def answer(self, seat: Seat) -> int:
        """Return the index of the chosen option.

        An index beyond `view.options` selects a legal choice that is not listed.
        """
        raise NotImplementedError


class Recorded(RandomSource):
    """A source that reads the random events of a battle from its record, and checks them.

    Each random event is the next `fate` move of the record. The function `take` is called with the words that
    the move must begin with, and returns the rest of the move. It raises IllegalMove if the next move is a
    different one. `witness` is None or another source, which draws the random events from the seed. Then each
    event in the record must be equal to the event that `witness` draws.
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
        """Return the card in the record. Raises IllegalMove if the card is not one of `cards`."""
        card = self.read(kind, side, cards, 1)[0]
        if self.witness is not None:
            self.agree([card], [self.witness.one_of(kind, side, cards)])
        return card

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the k cards in the record, sorted in ascending order."""
        chosen = sorted(self.read(kind, side, cards, k))
        if self.witness is not None:
            self.agree(chosen, self.witness.some_of(kind, side, k, cards))
        return chosen

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all of `cards` in the order in which the record lists them."""
        order = self.read(kind, side, cards, len(cards))
        if self.witness is not None:
            self.agree(order, self.witness.order_of(kind, side, cards))
        return order

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the k cards in the record, in the order in which the record lists them."""
        top = self.read(kind, side, cards, k)
        if self.witness is not None:
            self.agree(top, self.witness.top_of(kind, side, k, cards))
        return top

    def read(self, kind: int, side: int, cards: list[int], k: int) -> list[int]:
        """Return the k cards in the next `fate` move of the record.

        Raises IllegalMove if the move is a different event, or if it names a card that is not in `cards`.
        """
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
        """Return the card in `available` that a text names.

        Raises IllegalMove, which lists the available cards, if the card is not among them.
        """
        for card in available:
            if card != UNKNOWN and comparable(self.rules.card_text(card)) == comparable(text):
                return card
        names = ", ".join(self.rules.card_text(card) for card in available if card != UNKNOWN)
        raise IllegalMove(f"fate cannot choose {clean(text[:40])}; it can choose {names or 'no known cards'}")

    def agree(self, read: list[int], drawn: list[int]) -> None:
        """Raise IllegalMove if a result in the record differs from the result that the seed determines."""
        if read != drawn:
            names = " ".join(self.rules.card_text(card) for card in drawn)
            raise IllegalMove(f"the seed does not give this result; it gives {names}")

    def copy(self) -> RandomSource:
        """Return a source that draws nothing, because only one battle can read the record."""
        return RandomSource()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle a source that draws nothing, because only one battle can read the record."""
        return RandomSource, ()
