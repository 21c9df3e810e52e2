"""Guess a table's hidden cards, and search for another guess when a card contradicts the current one.

A reconstruction can change wherever players have not looked: cards trade places in the deal, in a shuffle,
or in between.
The battle is then replayed to check that it still shows everything that was reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from cardbattle.battles.physical.hidden_cards import rearrange
from cardbattle.battles.physical.reconstruction import (
    CARDS,
    Course,
    Group,
    Seen,
    ToldMove,
    cards_of,
    comes_in_copies,
    exchange_names,
)
from cardbattle.core.referee import comparable
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import Card

DEAL = -1  # in place of a shuffle
MOST_TRIES = 1500  # courses that are tried before a line is refused
FEW = 12  # secret choices that are tried one after the other


class TableState(NamedTuple):
    """The reported part of a battle.

    Attributes:
        setup: the setup with a guessed deal.
        script: the moves.
        shown: number of reported groups of cards.
        fixed: number of events that cannot change any more.

    """

    setup: Setup
    script: list[ToldMove]
    shown: int
    fixed: int


class Suppositions:
    """A battle at a table, as reported so far (`now`), and a `course` that agrees with all reports.

    `keys` are the sides' keys by seat.
    """

    def __init__(self, rules: RuleSet, setup: Setup, keys: list[str]) -> None:
        self.rules = rules
        self.keys = keys
        self.typed: set[int] = set()  # cards whose place was typed in
        self.given: set[int] = set()  # cards that a side is known to have begun with
        self.tries = 0  # courses that were tried for the present line
        self.showing: Group | None = None  # the cards for which a course is looked for
        self.now = TableState(setup, [], 0, 0)
        self.course = self.run(self.now)

    def visible_cards(self) -> set[str]:
        """Return the cards that were seen or named so far."""
        texts: set[str] = set()
        for seen in self.course.seen[: self.now.fixed]:
            texts.update(cards_of(self.rules, seen))
        for group in self.course.groups[: self.now.shown]:
            texts.update(group.cards)
        return {card for card in texts if not comes_in_copies(self.rules, card)}

    def names_there(self) -> list[str]:
        """Return the names of all cards of the battle."""
        return [self.rules.card_text(card) for card in self.rules.cards_in(self.course.battle)]

    def names_in(self, text: str) -> list[str]:
        """Return the cards that a choice names."""
        line = f" {comparable(text).replace('+', ' ')} "
        names = dict.fromkeys(self.names_there())
        return [name for name in names if f" {comparable(name)} " in line]

    def moment(self, course: Course) -> int:
        """Return how many things had been seen before the last move that was given to a course."""
        return course.script[course.last].at

    def run(self, state: TableState) -> Course:
        """Return the battle replayed as far as it was reported."""
        return Course(self.rules, state.setup, state.script, state.shown)

    def try_script(self, setup: Setup, script: Sequence[ToldMove]) -> Course | None:
        """Return the reconstruction of these moves if it agrees with all reports, else None."""
        self.tries += 1
        if self.tries > MOST_TRIES:
            return None
        try:
            course = Course(self.rules, setup, script, self.now.shown)
        except (ValueError, IndexError):  # a deal that cannot be
            return None
        ours, fixed, shown = self.course, self.now.fixed, self.now.shown
        if not course.fits or course.seen[:fixed] != ours.seen[:fixed]:
            return None
        theirs = [sorted(group.cards) for group in course.groups[:shown]]
        return course if theirs == [sorted(group.cards) for group in ours.groups[:shown]] else None

    # Cards that are turned up

    def with_cards(
        self, course: Course, wanted: list[str], placed: list[str], shown: int, chain: bool = False
    ) -> Iterator[Course]:
        """Yield courses in which a group shows these cards, one after the other."""
        cards = course.groups[shown].cards if len(course.groups) > shown else []
        if not wanted:
            if sorted(cards) == sorted(placed):
                yield course
            return
        first, *rest = wanted
        if cards.count(first) > placed.count(first):
            yield from self.with_cards(course, rest, [*placed, first], shown, chain)
            return
        for card in cards:
            if cards.count(card) <= [*placed, *rest].count(card):
                continue
            for exchange_card in self.exchange_cards(course, card, first, chain):
                there = exchange_card.groups[shown].cards if len(exchange_card.groups) > shown else []
                if first in there and all(one in there for one in placed):
                    yield from self.with_cards(exchange_card, rest, [*placed, first], shown, chain)

    def reshuffle(self, group: Group, cards: Sequence[str]) -> Course | None:
        """Return a reconstruction whose shuffles give these cards, or None if there is none."""
        script, rules = self.reported_moves(self.course), self.rules
        piles = [pile for pile in self.now.setup.deal if not (rules.alike and pile.startswith(rules.alike))]
        dealt = [rules.card_text(card) for pile in piles for card in self.now.setup.deal[pile]]
        shuffles = shuffles_in(script, set(dealt))
        if not shuffles:
            return None
        orders = [dealt, *(list(shuffle.names) for shuffle in shuffles)]
        is_cut = shuffles[-1].places[-1] == len(script) - 1 and shuffles[-1].is_choice
        orders[-1] += self.course.waiting if is_cut else []
        leaving = [card for card in group.cards if card not in cards]
        coming = [card for card in cards if card not in group.cards]
        sightings = [
            (1 + sum(shuffle.is_before(number, seen, rules) for shuffle in shuffles), name)
            for number, seen in enumerate(self.course.seen[: group.event + 1])
            for name in cards_of(rules, seen)
            if number < group.event or name in self.cards_shown_with(group)
        ]
        found = rearrange(orders, sightings, dict(zip(leaving, coming, strict=True)))
        return self.lay_out(found, piles, shuffles, script) if found else None

    def cards_shown_with(self, group: Group) -> set[str]:
        """Return the cards of an event that are shown together with a group or before it."""
        groups = self.course.groups[: self.now.shown + 1]
        return {card for one in groups if one.event == group.event for card in one.cards}

    def lay_out(
        self,
        orders: list[list[str]],
        piles: Sequence[str],
        shuffles: Sequence[Shuffle],
        script: list[ToldMove],
    ) -> Course | None:
        """Return the reconstruction with these orders of deal and shuffles, if it agrees with all reports."""
        setup, moves = self.now.setup.copy(), list(script)
        codes = {self.rules.card_text(card): card for pile in piles for card in setup.deal[pile]}
        names = list(orders[0])
        for pile in piles:
            setup.deal[pile] = [codes[names.pop(0)] for _ in setup.deal[pile]]
        for shuffle, order in zip(shuffles, orders[1:], strict=True):
            left = list(order)
            for place in shuffle.places:
                tokens = moves[place].text.split()
                size = sum(word in codes for word in tokens)
                text = " ".join([*tokens[:-size], *(left.pop(0) for _ in range(size))])
                moves[place] = moves[place]._replace(text=text)
        return None if self.rules.check(setup) else self.try_script(setup, moves)

    # Cards that change places

    def exchange_cards(self, course: Course, text: str, other: str, chain: bool) -> Iterator[Course]:
        """Yield courses in which two cards have changed places; in a chain by way of a third one."""
        if not chain:
            yield from self.swap_cards(course, text, other)
            return
        for third in dict.fromkeys(self.names_there()):
            if third not in (text, other):
                for between in self.swap_cards(course, third, other):
                    yield from self.swap_cards(between, text, other)

    def swap_cards(self, course: Course, text: str, other: str) -> Iterator[Course]:
        """Yield courses in which two cards have changed places: since the deal, or since a supposed move.

        They may have changed back where both were shuffled together.
        """
        if comes_in_copies(self.rules, other):
            yield from self.replace_card(course, text, other)
            return
        script = self.reported_moves(course)
        named = [names_among(given, text, other) for given in script]
        ends = [len(script), *(at for at, names in enumerate(named) if names == 2)]
        dealt = self.dealt_anew(course.setup, text, other)
        begins = [at for at, names in enumerate(named) if names][::-1]
        for end in ends:
            for begin in [*begins, DEAL] if dealt is not None else begins:
                if begin < end:
                    first = max(begin, 0)
                    moves = [*script[:first], *with_exchanged(script[first:end], text, other), *script[end:]]
                    setup = dealt if begin == DEAL and dealt is not None else course.setup
                    found = self.try_script(setup, moves)
                    if found:
                        yield found
        found = self.try_script(dealt, script) if dealt is not None else None
        if found:
            yield found

    def reported_moves(self, course: Course) -> list[ToldMove]:
        """Return the reported moves of a reconstruction; with a group of cards, those that lead to it."""
        if self.showing is None:
            return course.script[: course.last + 1]
        return [given for given in course.script if given.at <= self.showing.event]

    def dealt_anew(self, setup: Setup, text: str, other: str) -> Setup | None:
        """Return a deal in which two cards have changed places; None if one of them was typed in."""
        codes = {self.rules.card_text(card): card for pile in setup.deal.values() for card in pile}
        if text not in codes or other not in codes or {codes[text], codes[other]} & self.typed:
            return None
        change = {codes[text]: codes[other], codes[other]: codes[text]}
        new = setup.copy()
        new.deal = {pile: [change.get(card, card) for card in cards] for pile, cards in setup.deal.items()}
        return None if self.given & {*change} and self.rules.check(new) else new

    def replace_card(self, course: Course, one: str, other: str, key: str = "") -> Iterator[Course]:
        """Yield reconstructions in which a hand got another copy of an interchangeable card."""
        script, alike = self.reported_moves(course), self.rules.alike
        card = self.rules.read_card(other, alike)
        for pile, cards in course.setup.deal.items():
            if pile.startswith(alike) and key in ("", pile.removeprefix(alike)):
                for place, held in enumerate(cards):
                    if self.rules.card_text(held) == one and held not in self.typed:
                        setup = course.setup.copy()
                        setup.deal[pile][place] = card
                        yield from self.add_missing_card(setup, script, one, other)
        for at, given in enumerate(script):
            if not given.is_told and given.text.endswith(f" {one}") and f" {key}" in given.text:
                text = f"{given.text.removesuffix(one)}{other}"
                moves = [*script[:at], given._replace(text=text), *script[at + 1 :]]
                yield from self.add_missing_card(course.setup, moves, one, other)

    def add_missing_card(
        self, setup: Setup, script: list[ToldMove], one: str, other: str
    ) -> Iterator[Course]:
        """Yield a course with one card more of a name, if need be with one less elsewhere."""
        found = self.try_script(setup, script)
        if found:
            yield found
            return
        alike = self.rules.alike
        for pile, cards in setup.deal.items():
            for place, held in enumerate(cards if pile.startswith(alike) else []):
                if self.rules.card_text(held) == other and held not in self.typed:
                    new = setup.copy()
                    new.deal[pile][place] = self.rules.read_card(one, alike)
                    found = self.try_script(new, script)
                    if found:
                        yield found
        for at, given in enumerate(script):
            if not given.is_told and given.text.endswith(f" {other}"):
                text = f"{given.text.removesuffix(other)}{one}"
                found = self.try_script(setup, [*script[:at], given._replace(text=text), *script[at + 1 :]])
                if found:
                    yield found

    # Choices

    def try_answer(self, key: str, text: str) -> Iterator[Course]:
        """Yield courses in which a side makes this choice next."""
        base = self.reported_moves(self.course)
        said = ToldMove(f"{key} {text}", self.now.fixed, True, to_come=True)
        direct = self.try_script(self.now.setup, [*base, said])
        if direct:
            yield from self.later(direct, base, said)
        unseen = [name for name in self.names_in(text) if name not in self.visible_cards()]
        done: set[tuple[int, ...]] = set()
        for chain in (False, True):
            for course, parts in self.pull_cards(self.course, key, unseen, chain) if unseen else ():
                made = (
                    self.try_script(course.setup, [*self.reported_moves(course), said])
                    if parts not in done
                    else None
                )
                if made:
                    done.add(parts)
                    yield from self.later(made, self.reported_moves(course), said)
                    if not parts:  # of cards that are alike one will do
                        break
            if direct or done:
                return
            unseen = self.names_in(text)  # one that was seen may have been hidden since
        if not self.names_in(text):
            yield from self.chosen_otherwise(key, said)

    def later(self, made: Course, base: Sequence[ToldMove], said: ToldMove) -> Iterator[Course]:
        """Yield a course and those in which the same choice is made at a later chance."""
        course: Course | None = made
        while course is not None:
            yield course
            at = self.moment(course) + 1
            course = self.try_script(made.setup, [*base, said._replace(at=at)])

    def pull_cards(
        self, course: Course, key: str, names: Sequence[str], chain: bool, parts: tuple[int, ...] = ()
    ) -> Iterator[tuple[Course, tuple[int, ...]]]:
        """Yield reconstructions in which a side holds these unseen cards, and the parts of its hand."""
        if not names:
            yield course, parts
            return
        first, *rest = names
        if comes_in_copies(self.rules, first):
            for name in dict.fromkeys(self.names_there()):
                if name != first and comes_in_copies(self.rules, name):
                    for other in self.replace_card(course, name, first, key):
                        yield from self.pull_cards(other, key, rest, chain, parts)
            return
        known = self.visible_cards()
        for number, part in enumerate(self.holdings(course, key)):
            if first in part:
                yield from self.pull_cards(course, key, rest, chain, (*parts, number))
            for card in part:
                if card not in names and card not in known:
                    for other in islice(self.exchange_cards(course, card, first, chain), 1):
                        yield from self.pull_cards(other, key, rest, chain, (*parts, number))

    def holdings(self, course: Course, key: str) -> list[list[str]]:
        """Return what a side may have held since the last report: its cards then, and later ones."""
        then = Course(self.rules, course.setup, self.reported_moves(course), self.now.shown, pauses=True)
        before = self.hidden_cards_of(then, key)
        there = {card for part in before for card in part}
        later = [card for part in self.hidden_cards_of(course, key) for card in part if card not in there]
        return [*before, later] if later else before

    def hidden_cards_of(self, course: Course, key: str) -> list[list[str]]:
        """Return the cards that only this side sees, in the groups that the table keeps apart."""
        rows: list[list[str]] = [[]]
        for part in self.rules.hand(course.battle.view(self.keys.index(key))):
            if isinstance(part, Card):
                rows[-1].append(part.text)
            elif isinstance(part, str) and ";" in part:
                rows.append([])
        apart = {card for cards in rows[1:] for card in cards}
        rows[0] = [card for card in rows[0] if card not in apart]
        return [cards for cards in rows if cards]

    def chosen_otherwise(self, key: str, said: ToldMove) -> Iterator[Course]:
        """Yield courses in which a side has made another secret choice before, so that it can make this."""
        base = self.reported_moves(self.course)
        for at, texts in self.course.others.items():
            if at < len(base) and base[at].text.startswith(f"{key} ") and len(texts) <= FEW:
                for text in texts:
                    script = [*base[:at], base[at]._replace(text=f"{key} {text}"), *base[at + 1 :], said]
                    found = self.try_script(self.now.setup, script)
                    if found:
                        yield found


def names_among(told_move: ToldMove, text: str, other: str) -> int:
    """Return how many of two cards a supposed move names, 0 to 2."""
    names = [] if told_move.is_told else CARDS.findall(told_move.text)
    return (text in names) + (other in names)


class Shuffle(NamedTuple):
    """A shuffle in a reconstruction: its guessed moves in the script, its cards, and its moment.

    `is_choice` is True if some of the cards were shown at once, such as casualties.
    """

    places: list[int]
    names: list[str]
    at: int
    is_choice: bool

    def is_before(self, number: int, seen: Seen, rules: RuleSet) -> bool:
        """Say whether it was made before something was seen; what shows the very cards was seen before it."""
        shows_these = not self.is_choice and sorted(cards_of(rules, seen)) == sorted(self.names)
        return self.at < number or (self.at == number and not shows_these)


def shuffles_in(script: Sequence[ToldMove], cards: set[str]) -> list[Shuffle]:
    """Return the shuffles of a course; some cards chosen out of a heap, and the rest of it, are one."""
    shuffles: list[Shuffle] = []
    for place, given in enumerate(script):
        names = [word for word in given.text.split() if word in cards]
        if given.is_told or not names:
            continue
        before = shuffles[-1] if shuffles else None
        if before and before.is_choice and len(before.places) == 1 and before.places[0] == place - 1:
            before.places.append(place)
            before.names.extend(names)
        else:
            is_choice = given.text.split()[1] not in ("under", "order")
            shuffles.append(Shuffle([place], names, given.at, is_choice))
    return shuffles


def with_exchanged(script: Sequence[ToldMove], text: str, other: str) -> list[ToldMove]:
    """Return moves in which two cards have changed places."""
    return [given._replace(text=exchange_names(given.text, text, other)) for given in script]
