"""Reconstruct a battle played with real cards from the moves that the players report.

The program does not know which cards are face down. It guesses them and replays the battle from the deal. A
guess is consistent if the replay has the same public events as the battle on the table. If a revealed card
contradicts the guess, `GuessSearch` searches for another guess that is consistent with all events so far.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import RandomSource
from cardbattle.core.errors import IllegalMove
from cardbattle.core.grammar import choose_form
from cardbattle.core.referee import Recorded, Referee, choice_words, comparable
from cardbattle.core.telling import counted

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.ruleset import RuleSet, Setup

FATE = "fate "
CARDS = re.compile(r"[^\s+]+")  # splits a word of a move, such as a pair of cards, into its parts


class ScriptedMove(NamedTuple):
    """A move to replay, written as in a record.

    Attributes:
        after_events: the number of public events before the move.
        is_reported: True if players reported the move. False if the move is a guess about a random event or a
            secret choice.
        is_pending: True if the move must be played as soon as it is legal.

    """

    text: str
    after_events: int
    is_reported: bool
    is_pending: bool = False


class Seen(NamedTuple):
    """A public event, without its hidden fields."""

    kind: str
    side: int
    fields: dict[str, object]


class Group(NamedTuple):
    """A group of face-down cards that are turned up by one event in one place.

    Attributes:
        event: the number of the event.
        side: the seat of the side that owns the cards, or NOBODY.
        does: the verb that describes the action, in the singular and the plural.
        about: the purpose of the cards. It can be empty.
        rule: the number of the rule that says that the cards are revealed. It can be empty.
        is_open: True if the cards have lain open since an earlier event.

    """

    event: int
    side: int
    does: str
    cards: list[str]
    about: str = ""
    rule: str = ""
    is_open: bool = False

    def describe(self, plural: bool = False) -> str:
        """Return the action as a phrase, such as "turns up 1 card in space 3".

        `plural` is True if the name of the side is plural. If the cards belong to no side, they are the
        subject of the phrase.
        """
        cards = counted(len(self.cards), "card")
        if self.side == NOBODY:
            phrase = [cards, choose_form(self.does, len(self.cards) != 1)]
        else:
            phrase = [choose_form(self.does, plural), cards]
        return " ".join([*phrase, self.about]).rstrip()


class MissingReveal(Exception):
    """The error that stops a replay if it needs a card that the players have not revealed yet."""


class GuessedChance(RandomSource):
    """A source that reads the random events of a replay from the script.

    After the last random event in the script, the source uses the last of the available cards.
    """

    def __init__(self, replay: Reconstruction) -> None:
        self.replay = replay

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        return self.replay.pick_cards(kind, side, cards, 1)[0]

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards, in ascending order."""
        return sorted(self.replay.pick_cards(kind, side, cards, k))

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        return self.replay.pick_cards(kind, side, cards, len(cards))

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        return self.replay.pick_cards(kind, side, cards, k)

    def copy(self) -> RandomSource:
        """Return a source that draws nothing, because copies of a replay must not need random events."""
        return RandomSource()


class Reconstruction:
    """A replay of a battle from the deal, with a script of reported and guessed moves.

    The replay stops at the first group of cards that players have not revealed. `revealed` is the number of
    groups that they have revealed. `fits` is True if all moves of the script were legal. `script` has the
    moves that were played, without default answers. `seen` has the public events, and `groups` has the groups
    of cards that these events show. If `pauses` is True, the replay stops after the last move of the script,
    and does not even add a default answer.
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
        self.last = -1  # index of the last scripted move in `script`
        self.question = 0  # the question that the last scripted move answered
        self.option = ""  # the text of the option that the last scripted move chose
        self.script: list[ScriptedMove] = []
        self.alternatives: dict[
            int, list[str]
        ] = {}  # by index in `script`: secret choices that are equally possible
        self.seen: list[Seen] = []
        self.groups: list[Group] = []
        self.waiting: list[str] = []  # the cards in a shuffle that must wait until players reveal cards
        self.visible: set[str] = set()  # names of the cards seen so far
        self.event_count = 0  # number of events processed so far
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

    @property
    def battle(self) -> Battle:
        """The battle after all reports so far. It has no question while cards must be reported first."""
        return self.referee.battle

    @property
    def group(self) -> Group | None:
        """The group of cards that the players must reveal next, or None if they must reveal no cards now."""
        return self.groups[self.revealed] if len(self.groups) > self.revealed else None

    def record_events(self) -> None:
        """Process the new public events of the battle."""
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
                self.groups += groups_of(self.rules, seen, self.seen, visible)
                self.visible.update(
                    card for card in cards_of(self.rules, seen) if not comes_in_copies(self.rules, card)
                )
                self.seen.append(seen)
        self.event_count += len(events)

    def next_event_was_reported(self) -> bool:
        """Return True if a reported move causes the next public event."""
        return (
            bool(self.script)
            and self.script[-1].is_reported
            and self.script[-1].after_events == len(self.seen)
        )

    def drop_outdated_guesses(self) -> None:
        """Skip guessed moves in the script that cannot be played any more."""
        while self.position < len(self.moves):
            move = self.moves[self.position]
            if move.is_reported or move.after_events >= len(self.seen):
                return
            self.position += 1

    def step(self) -> bool:
        """Play the next move, if it is known. Return True if a move was played."""
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
                self.option = choice_words(self.rules, battle, index)
                self.choose(index, text, move.is_reported)
                return True
            implied_answer = self.rules.implied_answer(battle) if move.is_pending else ""
            if implied_answer:
                self.choose(self.referee.find(implied_answer), implied_answer, True)
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
        """Choose an option. If the other players do not see this choice, it is stored as a guess."""
        if self.battle.question in self.rules.blind:
            text, is_reported = self.referee.text(index), False
            alike = shape_of(text)
            self.alternatives[len(self.script)] = [
                option for option in self.referee.texts() if shape_of(option) == alike
            ]
        self.script.append(ScriptedMove(f"{self.referee.key} {text}", len(self.seen), is_reported))
        self.referee.choose(index)

    def pick_cards(self, kind: int, side: int, cards: list[int], k: int) -> list[int]:
        """Return k cards for a random event.

        These are the cards in the script. If the script has no cards, they are the last available cards.

        Raises MissingReveal if the players must reveal cards first.
        """
        self.record_events()
        self.drop_outdated_guesses()
        prefix = FATE + self.rules.fate_text(kind, side, self.referee.setup.seats)
        chosen: list[int] = []
        if self.position < len(self.moves):
            move = self.moves[self.position]
            if move.after_events == len(self.seen) and move.text.startswith(f"{prefix} "):
                self.position += 1
                self.last = len(self.script)
                chosen = self.read(kind, side, cards, k, move.text.removeprefix(f"{prefix} "))
        if not chosen and self.group is not None:
            self.waiting = [self.rules.card_text(card) for card in cards]
            raise MissingReveal
        chosen = chosen or cards[-k:]
        names = " ".join(self.rules.card_text(card) for card in chosen)
        self.script.append(ScriptedMove(f"{prefix} {names}", len(self.seen), False))
        return chosen

    def read(self, kind: int, side: int, cards: list[int], k: int, names: str) -> list[int]:
        """Return the k cards with these names. The list is empty if these cards are not available."""
        recorded = Recorded(self.rules, self.referee.setup.seats, lambda _: names)
        try:
            return recorded.read(kind, side, cards, k)
        except IllegalMove:
            return []


def groups_of(rules: RuleSet, seen: Seen, earlier: Sequence[Seen], visible: set[str]) -> list[Group]:
    """Return the groups of cards that an event turns up. There is one group for each place.

    `earlier` are the public events before it. `visible` are the names of the cards seen so far.
    """
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
        lie_open = cards_in_field(rules, show.open_after, earlier)
        about = show.about.format_map(seen.fields)
        groups += [
            Group(len(earlier), seat, show.does, pile, about, show.rule, lie_open.issuperset(pile))
            for seat, pile in piles
            if pile and (show.always or not visible.issuperset(pile))
        ]
    return groups


def cards_in_field(rules: RuleSet, field: str, events: Sequence[Seen]) -> set[str]:
    """Return the names of the cards in one field of some events."""
    values = (rules.fact(field, event.fields[field], []) for event in events if field in event.fields)
    return {str(card) for cards in values if isinstance(cards, list) for card in cards}


def comes_in_copies(rules: RuleSet, name: str) -> bool:
    """Return True if several cards in the battle can have this name."""
    try:
        rules.read_card(name, "")
    except ValueError:
        return bool(rules.alike)
    return False


def cards_of(rules: RuleSet, seen: Seen) -> list[str]:
    names: list[str] = []
    for name, value in seen.fields.items():
        fact = rules.fact(name, value, []) if rules.facts.get(name) in ("card", "cards", "piles") else []
        for item in fact if isinstance(fact, list) else [fact]:
            names += item if isinstance(item, list) else [str(item)]
    return names


def match_option(rules: RuleSet, battle: Battle, text: str) -> int:
    """Return the index of the option that matches a text.

    The result is NOBODY if no option or more than one option matches.

    The text can be the text of the option, or the beginnings of its words. A "?" means a hidden card. If the
    cards of a choice are shown, more words can follow, such as the names of these cards.
    """
    texts = [choice_words(rules, battle, n) for n in range(len(battle.options) + len(battle.unoffered))]
    if text in texts:
        return texts.index(text)
    plain, wanted = [comparable(option) for option in texts], comparable(text)
    if wanted in plain:
        return plain.index(wanted)
    if "?" in text:
        alike = [n for n, option in enumerate(texts) if shape_of(option) == wanted]
        return (alike[0] if wanted.count("?") > 1 else alike[-1]) if alike else NOBODY
    prefixes = wanted.split()
    matches = [
        n
        for n, option in enumerate(plain[: len(battle.options)])
        if matches_prefixes(option.split(), prefixes)
    ]
    if battle.question not in rules.blind:
        matches = matches or [
            n for n, option in enumerate(plain) if prefixes[: len(option.split())] == option.split()
        ]
    return matches[0] if len(matches) == 1 else NOBODY


def matches_prefixes(tokens: Sequence[str], prefixes: Sequence[str]) -> bool:
    """Return True if each word in `tokens` begins with the element of `prefixes` at the same position."""
    return bool(prefixes) and [word[: len(begin)] for word, begin in zip(tokens, prefixes, strict=False)] == [
        *prefixes
    ]


def shape_of(text: str) -> str:
    """Return the text of an option in which each card is replaced with "?".

    >>> shape_of("place 3S+4D")
    'place ?+?'
    """
    verb, *operands = text.split()
    return " ".join([verb.casefold(), *(CARDS.sub("?", word) for word in operands)])


def shapes_of(texts: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(map(shape_of, texts)))


def swap_names(text: str, first: str, second: str) -> str:
    """Return the text of a move in which two cards are swapped.

    >>> swap_names("fate under york 7H KS", "7H", "KS")
    'fate under york KS 7H'
    """
    return CARDS.sub(lambda word: {first: second, second: first}.get(word[0], word[0]), text)
