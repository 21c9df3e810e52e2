"""A battle fought with real cards on a real table: who played what is told, and the books are kept.

The program knows the cards that lie open and no others. It asks for what comes next: a side's choice, or
which cards are turned up. What it supposed about the rest is looked for anew whenever a card shows that
it was wrong; `fighting.course` says why that can be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from cardbattle.commanders import HUMAN
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import stream
from cardbattle.core.errors import Refused
from cardbattle.core.names import clean, listed
from cardbattle.core.referee import comparable
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import Card, counted
from cardbattle.fighting.course import (
    CARDS,
    Course,
    Group,
    Seen,
    ToldMove,
    cards_of,
    comes_in_copies,
    exchange_names,
    shapes_of,
)
from cardbattle.fighting.packets import rearranged
from cardbattle.records.battle_file import BattlePlan
from cardbattle.records.record import Record, record_of
from cardbattle.records.refight import Differs, Refight

PLAYS = "plays"  # what a side does with a card that it was not asked for
DEAL = -1  # in place of a shuffle
MOST_TRIES = 1500  # courses that are tried before a line is refused
FEW = 12  # secret choices that are tried one after the other


class TableState(NamedTuple):
    """A battle as far as it was told.

    `setup` has the supposed deal, `script` the moves; `shown` groups of cards were told, and the first
    `fixed` things seen cannot become others.
    """

    setup: Setup
    script: list[ToldMove]
    shown: int
    fixed: int


class Unclear(Exception):
    """What was told can have been done in several ways that the table can tell apart."""

    def __init__(self, ways: list[str]) -> None:
        self.ways = ways
        super().__init__(listed(ways, "or"))


class TableBattle:
    """One battle at a table, as far as it was told; `lines` are what was told, the last one last."""

    def __init__(self, plan: BattlePlan, setup: Setup) -> None:
        self.plan = plan
        self.rules: RuleSet = plan.rules
        self.keys = plan.setup.seats
        self.typed = {card for pile in plan.setup.deal.values() for card in pile}
        self.given: set[int] = set()  # cards that a side is known to have begun with
        for seat in range(len(self.keys)):
            for word in plan.setup.sides[seat]:
                self.given |= {card for card in plan.setup.cards(seat, word) if isinstance(card, int)}
        self.past: list[TableState] = []
        self.tries = 0  # courses that were tried for the present line
        self.showing: Group | None = None  # the cards for which a course is looked for
        self.lines: list[str] = []
        self.now = TableState(setup, [], 0, 0)
        self.course = self.run(self.now)

    def __repr__(self) -> str:
        return f"<TableBattle of {self.rules.name}: {counted(len(self.lines), 'line')} told>"

    # What is told next

    @property
    def group(self) -> Group | None:
        """The cards that are turned up next; None if a side chooses, or the battle is over."""
        return self.course.group

    @property
    def seat(self) -> int:
        """The seat that chooses next; NOBODY if cards are turned up, or the battle is over."""
        return NOBODY if self.group is not None else self.course.battle.side

    @property
    def is_over(self) -> bool:
        """Whether everything was told."""
        return self.group is None and self.course.battle.is_over()

    def shapes(self) -> list[str]:
        """Return the ways of an answer of which the table sees the backs of cards only; else none."""
        battle = self.course.battle
        if self.seat == NOBODY or battle.question not in self.rules.blind:
            return []
        return shapes_of(self.course.referee.texts())

    def known(self) -> set[str]:
        """Return the cards that were seen or named so far."""
        found: set[str] = set()
        for seen in self.course.seen[: self.now.fixed]:
            found.update(cards_of(self.rules, seen))
        for group in self.course.groups[: self.now.shown]:
            found.update(group.cards)
        return {card for card in found if not comes_in_copies(self.rules, card)}

    # Telling

    def tell(self, line: str, way: int = NOBODY) -> None:
        """Take what was done or turned up, as a line says it.

        Refused if that cannot be; Unclear if it can be in several ways, of which `way` names one from 0.
        Then nothing has changed.
        """
        before = self.now, self.course
        self.tries = 0
        try:
            self.take(line, way)
        except (Refused, Unclear):
            self.now, self.course = before
            raise
        self.past.append(before[0])
        self.lines.append(line if way == NOBODY else f"{line} #{way + 1}")

    def undo(self) -> str:
        """Take back the last line and return it; Refused if there is none."""
        if not self.lines:
            raise Refused("nothing was told yet")
        if len(self.past) < len(self.lines):
            again = TableBattle(self.plan, self.begun_setup())
            for line in self.lines[:-1]:
                again.tell(*read_way(line))
            self.past = again.past
            self.now = again.now
        else:
            self.now = self.past.pop()
        self.course = self.run(self.now)
        return self.lines.pop()

    def go_back(self, moment: TableState, lines: list[str]) -> None:
        """Stand where a battle was left when these lines had been told."""
        self.now, self.lines = moment, lines
        self.course = self.run(moment)

    def begun_setup(self) -> Setup:
        """Return the deal as it was first supposed."""
        return supposed(self.plan)

    def take(self, line: str, way: int) -> None:
        """Take a line: cards that are turned up, or a choice of a side; Refused if it cannot be."""
        key, text = self.mover(line)
        if self.group is not None and not key:
            words = self.cards_in(text)
            if words:
                self.show(words)
                return
        if self.seat != NOBODY and key in ("", self.keys[self.seat]):
            text = self.whole_choice(text)
        key = key or (self.keys[self.seat] if self.seat != NOBODY else "")
        if not key:
            raise Refused(f"{clean(line)} is no card; {self.wanted()}")
        self.answer(key, text, way)

    def whole_choice(self, text: str) -> str:
        """Return a choice with its verb, where there is one verb only; a number is that of a shape."""
        shapes = self.shapes()
        if text.isdecimal() and 0 < int(text[:9]) <= len(shapes):
            return shapes[int(text) - 1]
        verbs = {words.split()[0] for words in self.course.referee.texts()}
        return f"{verbs.pop()} {text}" if len(verbs) == 1 and self.cards_in(text) else text

    def mover(self, line: str) -> tuple[str, str]:
        """Return the key of the side that a line begins with, empty if with none, and the rest of it."""
        first, _, rest = line.strip().partition(" ")
        names = [side.name.casefold() for side in self.plan.sides]
        word = first.casefold().removesuffix(":")
        if word in self.keys and rest:
            return word, rest.strip()
        if word in names and rest:
            return self.keys[names.index(word)], rest.strip()
        return "", line.strip()

    def cards_in(self, text: str) -> list[str]:
        """Return the cards that a line consists of, as records have them; none if it is no list of cards."""
        rest = comparable(text).replace(",", " ").replace("+", " ").split()
        there = {comparable(name): name for name in self.names_there()}
        found: list[str] = []
        while rest:
            for length in range(len(rest), 0, -1):
                name = there.get(" ".join(rest[:length]))
                if name is not None:
                    found.append(name)
                    del rest[:length]
                    break
            else:
                return []
        return found

    def names_there(self) -> list[str]:
        """Return the names of all cards of the battle."""
        return [self.rules.card_text(card) for card in self.rules.cards_in(self.course.battle)]

    def show(self, words: list[str]) -> None:
        """Take cards that are turned up, group after group; Refused if one cannot be."""
        while words:
            group = self.group
            if group is None:
                raise Refused(f"nothing more is turned up; {listed(words)} cannot be")
            number = len(group.cards)
            if len(words) < number:
                raise Refused(f"{self.wanted()}, and {counted(len(words), 'card')} was written")
            self.show_group(group, words[:number])
            words = words[number:]

    def show_group(self, group: Group, cards: Sequence[str]) -> None:
        """Take the cards of one group; Refused if they cannot be there."""
        if len(set(cards)) < len(cards) and not self.rules.alike:
            raise Refused("a card was written twice")
        shown, course = self.now.shown, None
        self.showing = group
        course = next(self.with_cards(self.course, list(cards), [], shown), None)
        course = course or self.reshuffled(group, cards)
        course = course or next(self.with_cards(self.course, list(cards), [], shown, chain=True), None)
        self.showing = None
        if course is None:
            raise Refused(self.why_not_shown(cards))
        is_last = len(course.groups) == shown + 1 or course.groups[shown + 1].event > group.event
        kept = [given for given in course.script if given.at <= group.event]
        self.go_on(course.setup, kept, shown + 1, group.event + is_last)

    def go_on(self, setup: Setup, script: list[ToldMove], shown: int, fixed: int) -> None:
        """Go on from here."""
        self.now = TableState(setup, script, shown, fixed)
        self.course = self.run(self.now)

    def answer(self, key: str, text: str, way: int) -> None:
        """Take a side's choice; Refused if it cannot be made."""
        courses = self.ways_of(key, text)
        if not courses:
            if not self.forced(key, text):
                raise Refused(self.why_not(key, text))
            return
        if len(courses) > 1 and way == NOBODY:
            raise Unclear(self.ways(courses))
        course = courses[way if 0 <= way < len(courses) else 0]
        at = self.moment(course)
        is_seen = len(course.seen) > at and not any(group.event == at for group in course.groups)
        self.go_on(course.setup, course.script[: course.last + 1], self.now.shown, at + is_seen)

    def ways_of(self, key: str, text: str) -> list[Course]:
        """Return a course for each way to make a side's choice that the table can tell apart.

        Refused if it shows cards that it does not name.
        """
        found: dict[object, Course] = {}
        courses = list(self.answered(key, text))
        for course in courses:
            if not self.unnamed(course, text):
                found.setdefault(self.told_apart(course), course)
        if courses and not found:
            raise Refused(f"name the cards too that {key} shows")
        return list(found.values())

    def told_apart(self, course: Course) -> tuple[int, str]:
        """Return what tells a way to make the last choice from others: when it is made, and what is seen."""
        at = self.moment(course)
        return at, repr(course.seen[at : at + 1])

    def forced(self, key: str, text: str) -> bool:
        """Take a choice that was the only one, so that nobody was asked for it; say whether it was."""
        names = self.names_in(text)
        if not any(show.does == PLAYS for shows in self.rules.shows.values() for show in shows):
            return False
        for chain in (False, True):
            for course, _ in self.pulled(self.course, key, names, chain) if names else ():
                group = course.group
                if group is None or group.side == NOBODY or self.keys[group.side] != key:
                    continue
                if group.does == PLAYS and set(group.cards) <= set(names):
                    kept = [given for given in course.script if given.at <= group.event]
                    self.go_on(course.setup, kept, self.now.shown + 1, group.event + 1)
                    return True
        return False

    def unnamed(self, course: Course, text: str) -> bool:
        """Say whether a choice shows cards that nobody has seen or named."""
        at = self.moment(course)
        seen = course.seen[at : at + 1]
        if not seen or not course.script[course.last].is_told:
            return False
        shown = {card for group in course.groups if group.event == at for card in group.cards}
        return not (self.known() | set(self.names_in(text)) | shown).issuperset(cards_of(self.rules, seen[0]))

    def moment(self, course: Course) -> int:
        """Return how many things had been seen before the last move that was given to a course."""
        return course.script[course.last].at

    def ways(self, courses: Sequence[Course]) -> list[str]:
        """Say how several courses differ: in when the last move is made, and what is seen of it."""
        moments = sorted({self.moment(course) for course in courses})
        asks = {self.moment(course): self.rules.lessons[course.question].ask for course in courses}
        fields = [course.seen[self.moment(course)].fields for course in courses]
        apart = [name for name in fields[0] if len({repr(one.get(name)) for one in fields}) > 1]
        found = []
        for course, one in zip(courses, fields, strict=True):
            at = self.moment(course)
            when = asks[at] if len(set(asks.values())) == len(moments) else f"chance {moments.index(at) + 1}"
            told = [f"{name} {listed(self.told_value(one[name]))}" for name in apart]
            found.append(", ".join([*([f'at "{when}"'] if len(moments) > 1 else []), *told]))
        return found

    def told_value(self, value: object) -> list[str]:
        """Return a field of an event as words."""
        return [str(one) for one in value] if isinstance(value, list) else [str(value)]

    # Looking for a course that shows what was told

    def run(self, moment: TableState) -> Course:
        """Return the battle fought as far as it was told."""
        return Course(self.rules, moment.setup, moment.script, moment.shown)

    def tried(self, setup: Setup, script: Sequence[ToldMove]) -> Course | None:
        """Return the course of these moves if it shows all that was seen, else None."""
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
            for other in self.exchanged(course, card, first, chain):
                there = other.groups[shown].cards if len(other.groups) > shown else []
                if first in there and all(one in there for one in placed):
                    yield from self.with_cards(other, rest, [*placed, first], shown, chain)

    def reshuffled(self, group: Group, cards: Sequence[str]) -> Course | None:
        """Return the course in which the cards have come out of all shuffles in orders that show these cards.

        None if there are no shuffles, or no such orders.
        """
        script, rules = self.kept(self.course), self.rules
        piles = [pile for pile in self.now.setup.deal if not (rules.alike and pile.startswith(rules.alike))]
        dealt = [rules.card_text(card) for pile in piles for card in self.now.setup.deal[pile]]
        shuffles = shuffles_in(script, set(dealt))
        if not shuffles:
            return None
        orders = [dealt, *(list(one.names) for one in shuffles)]
        is_cut = shuffles[-1].places[-1] == len(script) - 1 and shuffles[-1].is_choice
        orders[-1] += self.course.waiting if is_cut else []
        leaving = [card for card in group.cards if card not in cards]
        coming = [card for card in cards if card not in group.cards]
        sightings = [
            (1 + sum(one.is_before(number, seen, rules) for one in shuffles), name)
            for number, seen in enumerate(self.course.seen[: group.event + 1])
            for name in cards_of(rules, seen)
            if number < group.event or name in self.shown_so_far(group)
        ]
        found = rearranged(orders, sightings, dict(zip(leaving, coming, strict=True)))
        return self.laid_out(found, piles, shuffles, script) if found else None

    def shown_so_far(self, group: Group) -> set[str]:
        """Return the cards of an event that are shown together with a group or before it."""
        groups = self.course.groups[: self.now.shown + 1]
        return {card for one in groups if one.event == group.event for card in one.cards}

    def laid_out(
        self,
        orders: list[list[str]],
        piles: Sequence[str],
        shuffles: Sequence[Shuffle],
        script: list[ToldMove],
    ) -> Course | None:
        """Return the course with these orders of the deal and of the shuffles, if it shows what was told."""
        setup, moves = self.now.setup.copy(), list(script)
        codes = {self.rules.card_text(card): card for pile in piles for card in setup.deal[pile]}
        names = list(orders[0])
        for pile in piles:
            setup.deal[pile] = [codes[names.pop(0)] for _ in setup.deal[pile]]
        for shuffle, order in zip(shuffles, orders[1:], strict=True):
            left = list(order)
            for place in shuffle.places:
                words = moves[place].text.split()
                size = sum(word in codes for word in words)
                text = " ".join([*words[:-size], *(left.pop(0) for _ in range(size))])
                moves[place] = moves[place]._replace(text=text)
        return None if self.rules.check(setup) else self.tried(setup, moves)

    def exchanged(self, course: Course, one: str, other: str, chain: bool) -> Iterator[Course]:
        """Yield courses in which two cards have changed places; in a chain by way of a third one."""
        if not chain:
            yield from self.swapped(course, one, other)
            return
        for third in dict.fromkeys(self.names_there()):
            if third not in (one, other):
                for between in self.swapped(course, third, other):
                    yield from self.swapped(between, one, other)

    def swapped(self, course: Course, one: str, other: str) -> Iterator[Course]:
        """Yield courses in which two cards have changed places: since the deal, or since a supposed move.

        They may have changed back where both were shuffled together.
        """
        if comes_in_copies(self.rules, other):
            yield from self.replaced(course, one, other)
            return
        script = self.kept(course)
        named = [names_among(given, one, other) for given in script]
        ends = [len(script), *(at for at, names in enumerate(named) if names == 2)]
        dealt = self.dealt_anew(course.setup, one, other)
        begins = [at for at, names in enumerate(named) if names][::-1]
        for end in ends:
            for begin in [*begins, DEAL] if dealt is not None else begins:
                if begin < end:
                    first = max(begin, 0)
                    moves = [*script[:first], *with_exchanged(script[first:end], one, other), *script[end:]]
                    setup = dealt if begin == DEAL and dealt is not None else course.setup
                    found = self.tried(setup, moves)
                    if found:
                        yield found
        found = self.tried(dealt, script) if dealt is not None else None
        if found:
            yield found

    def kept(self, course: Course) -> list[ToldMove]:
        """Return the moves of a course as far as they were told; to a group of cards, what leads there."""
        if self.showing is None:
            return course.script[: course.last + 1]
        return [given for given in course.script if given.at <= self.showing.event]

    def dealt_anew(self, setup: Setup, one: str, other: str) -> Setup | None:
        """Return a deal in which two cards have changed places; None if one of them was typed in."""
        codes = {self.rules.card_text(card): card for pile in setup.deal.values() for card in pile}
        if one not in codes or other not in codes or {codes[one], codes[other]} & self.typed:
            return None
        change = {codes[one]: codes[other], codes[other]: codes[one]}
        new = setup.copy()
        new.deal = {pile: [change.get(card, card) for card in cards] for pile, cards in setup.deal.items()}
        return None if self.given & {*change} and self.rules.check(new) else new

    def replaced(self, course: Course, one: str, other: str, key: str = "") -> Iterator[Course]:
        """Yield courses in which a card of which there are several has come to a hand instead of another."""
        script, alike = self.kept(course), self.rules.alike
        card = self.rules.read_card(other, alike)
        for pile, cards in course.setup.deal.items():
            if pile.startswith(alike) and key in ("", pile.removeprefix(alike)):
                for place, held in enumerate(cards):
                    if self.rules.card_text(held) == one and held not in self.typed:
                        setup = course.setup.copy()
                        setup.deal[pile][place] = card
                        yield from self.made_possible(setup, script, one, other)
        for at, given in enumerate(script):
            if not given.is_told and given.text.endswith(f" {one}") and f" {key}" in given.text:
                text = f"{given.text.removesuffix(one)}{other}"
                moves = [*script[:at], given._replace(text=text), *script[at + 1 :]]
                yield from self.made_possible(course.setup, moves, one, other)

    def made_possible(self, setup: Setup, script: list[ToldMove], one: str, other: str) -> Iterator[Course]:
        """Yield a course with one card more of a name, if need be with one less elsewhere."""
        found = self.tried(setup, script)
        if found:
            yield found
            return
        alike = self.rules.alike
        for pile, cards in setup.deal.items():
            for place, held in enumerate(cards if pile.startswith(alike) else []):
                if self.rules.card_text(held) == other and held not in self.typed:
                    new = setup.copy()
                    new.deal[pile][place] = self.rules.read_card(one, alike)
                    found = self.tried(new, script)
                    if found:
                        yield found
        for at, given in enumerate(script):
            if not given.is_told and given.text.endswith(f" {other}"):
                text = f"{given.text.removesuffix(other)}{one}"
                found = self.tried(setup, [*script[:at], given._replace(text=text), *script[at + 1 :]])
                if found:
                    yield found

    # Choices

    def answered(self, key: str, text: str) -> Iterator[Course]:
        """Yield courses in which a side makes this choice next."""
        base = self.kept(self.course)
        said = ToldMove(f"{key} {text}", self.now.fixed, True, to_come=True)
        direct = self.tried(self.now.setup, [*base, said])
        if direct:
            yield from self.later(direct, base, said)
        unseen = [name for name in self.names_in(text) if name not in self.known()]
        done: set[tuple[int, ...]] = set()
        for chain in (False, True):
            for course, parts in self.pulled(self.course, key, unseen, chain) if unseen else ():
                made = self.tried(course.setup, [*self.kept(course), said]) if parts not in done else None
                if made:
                    done.add(parts)
                    yield from self.later(made, self.kept(course), said)
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
            course = self.tried(made.setup, [*base, said._replace(at=at)])

    def pulled(
        self, course: Course, key: str, names: Sequence[str], chain: bool, parts: tuple[int, ...] = ()
    ) -> Iterator[tuple[Course, tuple[int, ...]]]:
        """Yield courses in which a side holds these cards, which nobody has seen, and in which parts."""
        if not names:
            yield course, parts
            return
        first, *rest = names
        if comes_in_copies(self.rules, first):
            for name in dict.fromkeys(self.names_there()):
                if name != first and comes_in_copies(self.rules, name):
                    for other in self.replaced(course, name, first, key):
                        yield from self.pulled(other, key, rest, chain, parts)
            return
        known = self.known()
        for number, part in enumerate(self.holdings(course, key)):
            if first in part:
                yield from self.pulled(course, key, rest, chain, (*parts, number))
            for card in part:
                if card not in names and card not in known:
                    for other in islice(self.exchanged(course, card, first, chain), 1):
                        yield from self.pulled(other, key, rest, chain, (*parts, number))

    def holdings(self, course: Course, key: str) -> list[list[str]]:
        """Return what a side may have held since the last thing told: as it was then, and what came later."""
        then = Course(self.rules, course.setup, self.kept(course), self.now.shown, pauses=True)
        before = self.held(then, key)
        there = {card for part in before for card in part}
        later = [card for part in self.held(course, key) for card in part if card not in there]
        return [*before, later] if later else before

    def held(self, course: Course, key: str) -> list[list[str]]:
        """Return the cards of a side that nobody else sees, those apart that the table keeps apart."""
        found: list[list[str]] = [[]]
        for part in self.rules.hand(course.battle.view(self.keys.index(key))):
            if isinstance(part, Card):
                found[-1].append(part.text)
            elif isinstance(part, str) and ";" in part:
                found.append([])
        apart = {card for cards in found[1:] for card in cards}
        found[0] = [card for card in found[0] if card not in apart]
        return [cards for cards in found if cards]

    def names_in(self, text: str) -> list[str]:
        """Return the cards that a choice names."""
        line = f" {comparable(text).replace('+', ' ')} "
        names = dict.fromkeys(self.names_there())
        return [name for name in names if f" {comparable(name)} " in line]

    def chosen_otherwise(self, key: str, said: ToldMove) -> Iterator[Course]:
        """Yield courses in which a side has made another secret choice before, so that it can make this."""
        base = self.kept(self.course)
        for at, texts in self.course.others.items():
            if at < len(base) and base[at].text.startswith(f"{key} ") and len(texts) <= FEW:
                for text in texts:
                    script = [*base[:at], base[at]._replace(text=f"{key} {text}"), *base[at + 1 :], said]
                    found = self.tried(self.now.setup, script)
                    if found:
                        yield found

    # What is wrong

    def wanted(self) -> str:
        """Say what is to be told next."""
        group = self.group
        if self.is_over:
            return "the battle is over"
        if group is None:
            return f"{self.keys[self.seat]} is to choose"
        cards = counted(len(group.cards), "card")
        return (
            f"{self.keys[group.side]} {group.does} {cards}"
            if group.side != NOBODY
            else f"{cards} {group.does}"
        )

    def why_not_shown(self, cards: Sequence[str]) -> str:
        """Say why these cards cannot be turned up."""
        known = self.known()
        seen = [card for card in cards if card in known]
        if seen:
            are = "is" if len(seen) == 1 else "are"
            return f"{listed(seen)} {are} already on the table; {self.wanted()}"
        return f"by what was told before, {listed(cards)} cannot be there; {self.wanted()}"

    def why_not(self, key: str, text: str) -> str:
        """Say why a side cannot make a choice now."""
        told = f"{key} cannot {clean(text[:60]) or 'say nothing'} now"
        names = self.names_in(text)
        known = self.known()
        seen = [name for name in names if name in known]
        if names and not self.held(self.course, key) and self.rules.blind:
            return f"{told}: by what was told before, {key} has no cards left in hand; {self.wanted()}"
        battle = self.course.battle
        if self.seat != NOBODY and self.keys[self.seat] == key:
            if seen:
                return f"{told}: {listed(seen)} {'is' if len(seen) == 1 else 'are'} already on the table"
            reason = self.rules.why_not(battle, text) if not names or not self.rules.shows else ""
            return f"{told}{f': {reason}' if reason else ''}; it may be {listed(self.forms(), 'or')}"
        return f"{told}; {self.wanted()}"

    def forms(self) -> list[str]:
        """Return how the next choice is written, where the program knows all that may be chosen in words."""
        texts = self.course.referee.texts()
        verbs = {text.split()[0] for text in texts}
        forms = [form for form in self.rules.forms if form.split()[0] in verbs]
        return self.shapes() or forms or sorted(verbs)

    # The end

    def record(self) -> Record:
        """Return the record of the battle, which must be over; what nobody saw is left out where it can be.

        Refused if it cannot be fought again.
        """
        battle, setup = self.course.battle, self.course.referee.setup
        dealt = self.rules.dealt(battle, setup)
        known = self.known() | {self.rules.card_text(card) for card in self.typed | self.given}
        for leave_out in (self.only_seen, self.up_to_seen, self.whole):
            deal = {pile: leave_out(pile, cards, known) for pile, cards in dealt.items()}
            record = self.refought(deal)
            if record is not None:
                return record
        raise Refused("the battle cannot be fought again as it was told")

    def only_seen(self, pile: str, cards: list[int], known: set[str]) -> list[int]:
        """Return the cards of a hand that were seen; of other piles all down to the last that was."""
        if pile in self.keys:
            return [card for card in cards if self.rules.card_text(card) in known]
        return self.up_to_seen(pile, cards, known)

    def up_to_seen(self, pile: str, cards: list[int], known: set[str]) -> list[int]:
        """Return the cards of a pile down to the last that was seen."""
        last = max([n for n, card in enumerate(cards) if self.rules.card_text(card) in known], default=-1)
        return cards[: last + 1]

    def whole(self, pile: str, cards: list[int], known: set[str]) -> list[int]:
        """Return all cards of a pile."""
        return cards

    def refought(self, deal: Mapping[str, list[int]]) -> Record | None:
        """Return the record of the battle with this deal, None if it does not come to the same."""
        ours = self.course.referee
        setup = Setup(ours.setup.seats, ours.setup.house, ours.setup.sides, dict(deal), ours.setup.base)
        told = record_of(self.plan, ours, "table")._replace(setup=setup)
        try:
            again = Refight(told)
            for _ in again.steps():
                pass
        except Differs:
            return None
        if again.referee.outcome() != ours.outcome() or not again.referee.battle.is_over():
            return None
        return record_of(self.plan, again.referee, "table")


def names_among(given: ToldMove, one: str, other: str) -> int:
    """Return how many of two cards a supposed move names, 0 to 2."""
    names = [] if given.is_told else CARDS.findall(given.text)
    return (one in names) + (other in names)


class Shuffle(NamedTuple):
    """A shuffle of a course: where its supposed moves stand in the script, the cards, and when it was made.

    `is_choice` says that some of the cards were shown at once, as casualties.
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
    found: list[Shuffle] = []
    for place, given in enumerate(script):
        names = [word for word in given.text.split() if word in cards]
        if given.is_told or not names:
            continue
        before = found[-1] if found else None
        if before and before.is_choice and len(before.places) == 1 and before.places[0] == place - 1:
            before.places.append(place)
            before.names.extend(names)
        else:
            is_choice = given.text.split()[1] not in ("under", "order")
            found.append(Shuffle([place], names, given.at, is_choice))
    return found


def with_exchanged(script: Sequence[ToldMove], one: str, other: str) -> list[ToldMove]:
    """Return moves in which two cards have changed places."""
    return [given._replace(text=exchange_names(given.text, one, other)) for given in script]


def read_way(line: str) -> tuple[str, int]:
    """Return a line as it was told, and which of several ways it meant."""
    text, _, way = line.partition(" #")
    return (text, int(way) - 1) if way.isdigit() else (line, NOBODY)


def supposed(plan: BattlePlan) -> Setup:
    """Return the setup of a battle with supposed cards wherever none was typed in."""
    setup = plan.setup.copy()
    plan.rules.cast_lots(setup, stream("table", "lot"))
    plan.rules.suppose(setup)
    return setup


def lots(plan: BattlePlan) -> dict[str, str]:
    """Return the house rules that the lot would settle, with what it might: the table must say them."""
    settled = plan.setup.copy()
    plan.rules.cast_lots(settled, stream("table", "lot"))
    return {
        word: str(value)
        for word, value in settled.house.items()
        if plan.setup.house[word] is None and value in plan.setup.seats
    }


def begin_table(plan: BattlePlan) -> TableBattle:
    """Return a battle at a table that has just begun; everybody is a person there, and no seed decides."""
    sides = [side._replace(commander=HUMAN, orders=[], then=HUMAN) for side in plan.sides]
    ours = plan._replace(seed=None, sides=sides)
    return TableBattle(ours, supposed(ours))
