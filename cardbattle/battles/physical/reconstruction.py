"""Reconstruct a battle played with real cards from the moves the players report.

Nobody at a table tells the program what lies face down, so it supposes any cards there and fights the
battle from its beginning. What everybody sees in a battle hangs on nothing that is hidden; so two candidates
are equally possible as long as they show the same, and once a card is turned up that the replay did
not suppose, another replay is looked for that shows this card and all that was seen before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Fate
from cardbattle.core.errors import IllegalMove
from cardbattle.core.grammar import choose_form
from cardbattle.core.referee import Recorded, Referee, choice_words, comparable
from cardbattle.core.telling import counted

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.ruleset import RuleSet, Setup

FATE = "fate "
CARDS = re.compile(r"[^\s+]+")  # the words of a move, the cards of a pair apart


class ScriptedMove(NamedTuple):
    """A move of a replay, as records have it, and how many things everybody had seen before it.

    `is_reported` says that the table told it; what it did not, chance and secret choices, is supposed. A move
    that is still `is_pending` is made as soon as it can be, but not before that moment.
    """

    text: str
    after_events: int
    is_reported: bool
    is_pending: bool = False


class Seen(NamedTuple):
    """Something that everybody saw: an event without what was hidden."""

    kind: str
    side: int
    fields: dict[str, object]


class Group(NamedTuple):
    """Cards that an event shows at one place: the number of the event, whose they are, what is done.

    `about` says what for, and `rule` has the number of the rule, where the rule set says so.
    """

    event: int
    side: int
    does: str
    cards: list[str]
    about: str = ""
    rule: str = ""

    def describe(self, plural: bool = False) -> str:
        """Return what the side does: turns up 1 card in space 3; without a side, what the cards do.

        `plural` says whether the side's name is.
        """
        cards = counted(len(self.cards), "card")
        if self.side == NOBODY:
            phrase = [cards, choose_form(self.does, len(self.cards) != 1)]
        else:
            phrase = [choose_form(self.does, plural), cards]
        return " ".join([*phrase, self.about]).rstrip()


class MissingReveal(Exception):
    """The replay has come to something that the table has still to show."""


class GuessedChance(Fate):
    """Chance as a replay has it; where it says nothing, the last cards of those there are."""

    def __init__(self, replay: Reconstruction) -> None:
        self.replay = replay

    def one_of(self, what: int, side: int, cards: list[int]) -> int:
        """Return one of the cards."""
        return self.replay.pick_cards(what, side, cards, 1)[0]

    def some_of(self, what: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards, ascending."""
        return sorted(self.replay.pick_cards(what, side, cards, k))

    def order_of(self, what: int, side: int, cards: list[int]) -> list[int]:
        """Return the cards in an order."""
        return self.replay.pick_cards(what, side, cards, len(cards))

    def top_of(self, what: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards in an order."""
        return self.replay.pick_cards(what, side, cards, k)

    def copy(self) -> Fate:
        """Return a source with nothing to give: a replay is fought once."""
        return Fate()


class Reconstruction:
    """A battle fought from its beginning by these moves, as far as they go.

    `told` is how many groups of cards the table has shown; with the first group beyond them the replay
    ends. `fits` says whether every move found its place. `script` has the moves as they were made, what
    went without saying left out; `seen` and `groups` what everybody saw. One that `pauses` makes no move
    after the last of these, not even what goes without saying.
    """

    def __init__(
        self, rules: RuleSet, setup: Setup, moves: Sequence[ScriptedMove], revealed: int, pauses: bool = False
    ) -> None:
        self.rules = rules
        self.setup = setup
        self.moves = moves
        self.revealed = revealed
        self.pauses = pauses
        self.position = 0
        self.last = -1  # the place in the script of the last move that was given
        self.question = 0  # what that answered
        self.script: list[ScriptedMove] = []
        self.alternatives: dict[
            int, list[str]
        ] = {}  # by place in the script: secret choices as possible as this
        self.seen: list[Seen] = []
        self.groups: list[Group] = []
        self.waiting: list[str] = []  # cards that were about to be shuffled when something had to be shown
        self.visible: set[str] = set()  # cards that were seen
        self.event_count = 0  # how many events were looked at
        self.referee = Referee(rules, setup.copy(), GuessedChance(self), begins=False)
        try:
            self.referee.begin()
            while self.step():
                pass
        except MissingReveal:
            pass
        self.record_events()
        self.drop_outdated_guesses()
        self.fits = self.position == len(moves)

    def __repr__(self) -> str:
        return (
            f"<Reconstruction of {self.rules.name}: {len(self.script)} moves, {len(self.seen)} events seen>"
        )

    @property
    def battle(self) -> Battle:
        """The current battle; it stops before the next question while a group of cards is missing."""
        return self.referee.battle

    @property
    def group(self) -> Group | None:
        """The cards that the table has to show next, if any."""
        return self.groups[self.revealed] if len(self.groups) > self.revealed else None

    def record_events(self) -> None:
        """Take note of what everybody has seen since this was done last."""
        gathered, log = self.referee.events, self.battle.log or []
        events = [event for _, event in gathered[self.event_count :]]
        events += log[max(0, self.event_count - len(gathered)) :]
        for event in events:
            public = event.seen_by(NOBODY)
            if public is not None:
                seen = Seen(public.kind, public.side, public.fields)
                visible = (
                    self.visible | set(cards_of(self.rules, seen))
                    if self.next_event_was_reported()
                    else self.visible
                )
                self.groups += groups_of(self.rules, seen, len(self.seen), visible)
                self.visible.update(
                    card for card in cards_of(self.rules, seen) if not comes_in_copies(self.rules, card)
                )
                self.seen.append(seen)
        self.event_count += len(events)

    def next_event_was_reported(self) -> bool:
        """Say whether what is seen next comes of a choice that the table has told."""
        return (
            bool(self.script)
            and self.script[-1].is_reported
            and self.script[-1].after_events == len(self.seen)
        )

    def drop_outdated_guesses(self) -> None:
        """Leave out what was supposed of a moment that has passed without it."""
        while self.position < len(self.moves):
            move = self.moves[self.position]
            if move.is_reported or move.after_events >= len(self.seen):
                return
            self.position += 1

    def step(self) -> bool:
        """Make the next move, if it is known what it is; say so."""
        self.record_events()
        self.drop_outdated_guesses()
        battle = self.battle
        if battle.side == NOBODY or self.group is not None:
            return False
        move = self.moves[self.position] if self.position < len(self.moves) else None
        if move is not None and (
            move.after_events == len(self.seen) or (move.is_pending and move.after_events < len(self.seen))
        ):
            key, _, text = move.text.partition(" ")
            index = match_option(self.rules, battle, text) if key == self.referee.key else NOBODY
            if index != NOBODY:
                self.position += 1
                self.last = len(self.script)
                self.question = battle.question
                self.choose(index, text, move.is_reported)
                return True
        default_answer = self.rules.default_answer(battle)
        if self.pauses and self.position == len(self.moves):
            return False
        if default_answer:
            self.referee.choose(self.referee.find(default_answer))
            return True
        if battle.question in self.rules.blind and len(shapes_of(self.referee.texts())) == 1:
            self.choose(0, self.referee.text(0), False)
            return True
        return False

    def choose(self, index: int, text: str, is_reported: bool) -> None:
        """Make a choice; what the table cannot know of it is supposed."""
        if self.battle.question in self.rules.blind:
            text, is_reported = self.referee.text(index), False
            alike = shape_of(text)
            self.alternatives[len(self.script)] = [
                option for option in self.referee.texts() if shape_of(option) == alike
            ]
        self.script.append(ScriptedMove(f"{self.referee.key} {text}", len(self.seen), is_reported))
        self.referee.choose(index)

    def pick_cards(self, what: int, side: int, cards: list[int], k: int) -> list[int]:
        """Return k of the cards in an order: as the replay says, else the last of them.

        MissingReveal if there is something that the table has to show first.
        """
        self.record_events()
        self.drop_outdated_guesses()
        prefix = FATE + self.rules.fate_text(what, side, self.referee.setup.seats)
        chosen: list[int] = []
        if self.position < len(self.moves):
            move = self.moves[self.position]
            if move.after_events == len(self.seen) and move.text.startswith(f"{prefix} "):
                self.position += 1
                self.last = len(self.script)
                chosen = self.read(what, side, cards, k, move.text.removeprefix(f"{prefix} "))
        if not chosen and self.group is not None:
            self.waiting = [self.rules.card_text(card) for card in cards]
            raise MissingReveal
        chosen = chosen or cards[-k:]
        names = " ".join(self.rules.card_text(card) for card in chosen)
        self.script.append(ScriptedMove(f"{prefix} {names}", len(self.seen), False))
        return chosen

    def read(self, what: int, side: int, cards: list[int], k: int, names: str) -> list[int]:
        """Return the k cards of these names; none if they are not there."""
        recorded = Recorded(self.rules, self.referee.setup.seats, lambda _: names)
        try:
            return recorded.read(what, side, cards, k)
        except IllegalMove:
            return []


def groups_of(rules: RuleSet, seen: Seen, number: int, visible: set[str]) -> list[Group]:
    """Return the cards that an event shows of those that lay face down, place by place."""
    groups: list[Group] = []
    for show in rules.shows.get(seen.kind, ()):
        shown = rules.fact(show.field, seen.fields[show.field], [])
        cards = shown if isinstance(shown, list) else [shown]
        sides = seen.fields.get("sides")
        if cards and isinstance(cards[0], list):
            piles = list(enumerate(cards))
        elif isinstance(sides, list):
            piles = [(seat, [card]) for seat, card in zip(sides, cards, strict=True)]
        else:
            piles = [(seen.side, cards)]
        groups += [
            Group(number, seat, show.does, pile, show.about.format_map(seen.fields), show.rule)
            for seat, pile in piles
            if pile and (show.always or not visible.issuperset(pile))
        ]
    return groups


def comes_in_copies(rules: RuleSet, name: str) -> bool:
    """Say whether there may be several cards of this name."""
    try:
        rules.read_card(name, "")
    except ValueError:
        return bool(rules.alike)
    return False


def cards_of(rules: RuleSet, seen: Seen) -> list[str]:
    """Return all cards that an event names."""
    names: list[str] = []
    for name, value in seen.fields.items():
        fact = rules.fact(name, value, []) if rules.facts.get(name) in ("card", "cards", "piles") else []
        for item in fact if isinstance(fact, list) else [fact]:
            names += item if isinstance(item, list) else [str(item)]
    return names


def match_option(rules: RuleSet, battle: Battle, text: str) -> int:
    """Return the place of the only choice that a text means, or NOBODY.

    The text can be complete, the beginning of the choice, longer where the choice is complete, or have ?
    for unseen cards.
    """
    texts = [choice_words(rules, battle, n) for n in range(len(battle.options) + len(battle.unoffered))]
    if text in texts:
        return texts.index(text)
    plain, wanted = [comparable(one) for one in texts], comparable(text)
    if wanted in plain:
        return plain.index(wanted)
    if "?" in text:
        alike = [n for n, one in enumerate(texts) if shape_of(one) == wanted]
        return (alike[0] if wanted.count("?") > 1 else alike[-1]) if alike else NOBODY
    prefixes = wanted.split()
    matches = [
        n for n, one in enumerate(plain[: len(battle.options)]) if matches_prefixes(one.split(), prefixes)
    ]
    matches = matches or [n for n, one in enumerate(plain) if prefixes[: len(one.split())] == one.split()]
    return matches[0] if len(matches) == 1 else NOBODY


def matches_prefixes(words: Sequence[str], prefixes: Sequence[str]) -> bool:
    """Say whether words begin like these."""
    return bool(prefixes) and [word[: len(begin)] for word, begin in zip(words, prefixes, strict=False)] == [
        *prefixes
    ]


def shape_of(text: str) -> str:
    """Return a choice with its cards covered: all words but the first.

    >>> shape_of("place 3S+4D")
    'place ?+?'
    """
    verb, *operands = text.split()
    return " ".join([verb.casefold(), *(CARDS.sub("?", word) for word in operands)])


def shapes_of(texts: Sequence[str]) -> list[str]:
    """Return the shapes that choices have, each once."""
    return list(dict.fromkeys(map(shape_of, texts)))


def swap_names(text: str, first: str, second: str) -> str:
    """Return a move in which two cards have changed places.

    >>> swap_names("fate under york 7H KS", "7H", "KS")
    'fate under york KS 7H'
    """
    return CARDS.sub(lambda word: {first: second, second: first}.get(word[0], word[0]), text)
