"""Guess the hidden cards of a battle played with real cards, and correct wrong guesses.

To correct a guess, the search swaps two cards that no player has seen. The cards can be in the deal, in a
shuffle or in a move. Then the search replays the battle with the swapped cards, and accepts the swap if the
replay has the same public events. The list of moves that a replay follows is called a script.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from cardbattle.battles.physical.hidden_cards import rearrange
from cardbattle.battles.physical.reconstruction import (
    CARDS,
    Group,
    Reconstruction,
    ScriptedMove,
    Seen,
    cards_of,
    comes_in_copies,
    swap_names,
)
from cardbattle.core.referee import comparable
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import Card

DEAL = -1  # used as a position for the deal, which comes before all shuffles
NEW, OLD = "new", "old"  # the cards that are swapped with a third card first
MOST_TRIES = 1500  # number of candidates tried before a report is rejected
FEW = 12  # if a secret choice has more options, the other options are not tried


class TableState(NamedTuple):
    """The part of a battle with real cards that players have reported.

    Attributes:
        setup: the setup with a guessed deal.
        script: all moves, which are reported or guessed.
        shown: the number of groups of cards that players have reported.
        fixed: the number of public events, counted from the first, that can no longer change.

    """

    setup: Setup
    script: list[ScriptedMove]
    shown: int
    fixed: int


class GuessSearch:
    """A search for hidden cards that are consistent with the reports of the players.

    The attribute `state` has the reports, and `replay` is a replay that is consistent with them.

    `keys` has the keys of the sides, by seat.
    """

    def __init__(self, rules: RuleSet, setup: Setup, keys: list[str]) -> None:
        self.rules = rules
        self.keys = keys
        self.typed: set[int] = set()  # cards whose position is fixed in the battle file
        self.known_hands: set[int] = set()  # cards that the options of a side list
        self.tries = 0  # number of candidates tried for the current report
        self.showing: Group | None = None  # the group of cards that a new guess must show
        self.state = TableState(setup, [], 0, 0)
        self.replay = self.run(self.state)

    def visible_cards(self) -> set[str]:
        """Return the cards that players have seen or reported, except those in several copies."""
        names: set[str] = set()
        for seen in self.replay.seen[: self.state.fixed]:
            names.update(cards_of(self.rules, seen))
        for group in self.replay.groups[: self.state.shown]:
            names.update(group.cards)
        return {card for card in names if not comes_in_copies(self.rules, card)}

    def all_card_names(self) -> list[str]:
        return [self.rules.card_text(card) for card in self.rules.cards_in(self.replay.battle)]

    def names_in(self, text: str) -> list[str]:
        line = f" {comparable(text).replace('+', ' ')} "
        names = dict.fromkeys(self.all_card_names())
        return [name for name in names if f" {comparable(name)} " in line]

    def moment(self, replay: Reconstruction) -> int:
        """Return the number of public events before the last move of the script in a replay."""
        return replay.script[replay.last].after_events

    def run(self, state: TableState) -> Reconstruction:
        return Reconstruction(self.rules, state.setup, state.script, state.shown)

    def try_script(self, setup: Setup, script: Sequence[ScriptedMove]) -> Reconstruction | None:
        """Return the replay of a script, or None if it contradicts a public event or a reported card."""
        self.tries += 1
        if self.tries > MOST_TRIES:
            return None
        try:
            replay = Reconstruction(self.rules, setup, script, self.state.shown)
        except (ValueError, IndexError):  # the deal is not possible
            return None
        ours, fixed, shown = self.replay, self.state.fixed, self.state.shown
        if not replay.fits or replay.seen[:fixed] != ours.seen[:fixed]:
            return None
        theirs = [sorted(group.cards) for group in replay.groups[:shown]]
        return replay if theirs == [sorted(group.cards) for group in ours.groups[:shown]] else None

    # Revealed cards

    def show_cards(
        self, replay: Reconstruction, wanted: list[str], placed: list[str], shown: int, chain: str = ""
    ) -> Iterator[Reconstruction]:
        """Yield replays in which the group number `shown` consists of the cards in `wanted` and `placed`.

        The cards in `placed` are already in the group. `chain` is the same as in `exchange_cards`.
        """
        cards = replay.groups[shown].cards if len(replay.groups) > shown else []
        if not wanted:
            if sorted(cards) == sorted(placed):
                yield replay
            return
        first, *remaining = wanted
        if cards.count(first) > placed.count(first):
            yield from self.show_cards(replay, remaining, [*placed, first], shown, chain)
            return
        for card in cards:
            if cards.count(card) <= [*placed, *remaining].count(card):
                continue
            for swapped in self.exchange_cards(replay, card, first, chain):
                shown_cards = swapped.groups[shown].cards if len(swapped.groups) > shown else []
                if first in shown_cards and all(name in shown_cards for name in placed):
                    yield from self.show_cards(swapped, remaining, [*placed, first], shown, chain)

    def reshuffle(self, group: Group, cards: Sequence[str]) -> Reconstruction | None:
        """Change the order of several shuffles at once, so that `group` shows the cards in `cards`.

        Returns the replay, or None if there was no shuffle, or if no order is consistent with the public
        events.
        """
        script, rules = self.reported_moves(self.replay), self.rules
        piles, extras = self.piles_by_name(), self.extras_by_pile()
        dealt = [name for pile, names in piles.items() for name in names if name not in extras.get(pile, ())]
        shuffles = find_shuffles(script, {name for names in piles.values() for name in names})
        if not shuffles:
            return None
        orders = [dealt, *(piles[pile] for pile in extras), *(list(shuffle.names) for shuffle in shuffles)]
        is_cut = shuffles[-1].places[-1] == len(script) - 1 and shuffles[-1].is_choice
        orders[-1] += self.replay.waiting if is_cut else []
        leaving = [card for card in group.cards if card not in cards]
        coming = [card for card in cards if card not in group.cards]
        sightings = [
            (1 + len(extras) + sum(shuffle.is_before(number, seen, rules) for shuffle in shuffles), name)
            for number, seen in enumerate(self.replay.seen[: group.event + 1])
            for name in cards_of(rules, seen)
            if number < group.event or name in self.cards_shown_with(group)
        ]
        new_orders = rearrange(orders, sightings, dict(zip(leaving, coming, strict=True)))
        replay = self.apply_orders(new_orders, shuffles, script) if new_orders else None
        return replay if replay and self.shows(replay, cards) else None

    def shows(self, replay: Reconstruction, cards: Sequence[str]) -> bool:
        """Return True if the next group of a replay consists of these cards."""
        groups = replay.groups[self.state.shown :]
        return bool(groups) and sorted(groups[0].cards) == sorted(cards)

    def cards_shown_with(self, group: Group) -> set[str]:
        """Return the cards that an event shows in this group and in the event's earlier groups."""
        groups = self.replay.groups[: self.state.shown + 1]
        return {card for shown in groups if shown.event == group.event for card in shown.cards}

    def piles_by_name(self) -> dict[str, list[str]]:
        """Return the names of the cards in each pile of the deal, without cards that come in copies."""
        rules, deal = self.rules, self.state.setup.deal
        return {
            pile: [rules.card_text(card) for card in cards]
            for pile, cards in deal.items()
            if not (rules.alike and pile.startswith(rules.alike))
        }

    def extras_by_pile(self) -> dict[str, list[str]]:
        """Return the names of the extra cards of each side that has any. They are shuffled into its pile."""
        setup = self.state.setup
        sides = zip(setup.seats, setup.sides, strict=True)
        seats = [seat for seat, (key, side) in enumerate(sides) if side.get("extra") and key in setup.deal]
        return {
            setup.seats[seat]: [self.rules.card_text(card) for card in setup.cards(seat, "extra")]
            for seat in seats
        }

    def apply_orders(
        self, orders: list[list[str]], shuffles: Sequence[Shuffle], script: list[ScriptedMove]
    ) -> Reconstruction | None:
        """Replay the battle with other orders of the cards in the deal and in the shuffles.

        `orders` has the order of all dealt cards but extras, then the orders of the piles with extra cards,
        and then those of the shuffles. Returns None if the replay contradicts a public event.
        """
        setup, moves, piles = self.state.setup.copy(), list(script), self.piles_by_name()
        codes = {self.rules.card_text(card): card for pile in piles for card in setup.deal[pile]}
        extras = self.extras_by_pile()
        shuffled = dict(zip(extras, orders[1:], strict=False))
        names = iter(orders[0])
        for pile, old in piles.items():
            dealt = [next(names) for name in old if name not in extras.get(pile, ())]
            setup.deal[pile] = [codes[name] for name in shuffled.get(pile, dealt)]
        for shuffle, order in zip(shuffles, orders[1 + len(extras) :], strict=True):
            left = list(order)
            for place in shuffle.places:
                tokens = moves[place].text.split()
                size = sum(word in codes for word in tokens)
                text = " ".join([*tokens[:-size], *(left.pop(0) for _ in range(size))])
                moves[place] = moves[place]._replace(text=text)
        return None if self.rules.check(setup) else self.try_script(setup, moves)

    # Swaps

    def exchange_cards(
        self, replay: Reconstruction, old: str, new: str, chain: str
    ) -> Iterator[Reconstruction]:
        """Yield replays in which the cards `old` and `new` are swapped.

        If `chain` is NEW or OLD, they are swapped by first swapping this one of them with a third card.
        """
        if not chain:
            yield from self.swap_cards(replay, old, new)
            return
        first = new if chain == NEW else old
        for third in dict.fromkeys(self.all_card_names()):
            if third not in (old, new):
                for between in self.swap_cards(replay, third, first):
                    yield from self.swap_cards(between, old, new)

    def swap_cards(self, replay: Reconstruction, old: str, new: str) -> Iterator[Reconstruction]:
        """Yield replays in which two cards are swapped.

        They are swapped in the deal or in a guessed move, and in all later moves.

        If both cards are in a later shuffle, the swap can end with this shuffle.
        """
        if comes_in_copies(self.rules, new):
            yield from self.replace_card(replay, old, new)
            return
        script = self.reported_moves(replay)
        named = [count_names(move, old, new) for move in script]
        ends = [len(script), *(at for at, names in enumerate(named) if names == 2)]
        dealt = self.swap_in_deal(replay.setup, old, new)
        begins = [at for at, names in enumerate(named) if names][::-1]
        for end in ends:
            for begin in [*begins, DEAL] if dealt is not None else begins:
                if begin < end:
                    first = max(begin, 0)
                    moves = [*script[:first], *swap_in_moves(script[first:end], old, new), *script[end:]]
                    setup = dealt if begin == DEAL and dealt is not None else replay.setup
                    candidate = self.try_script(setup, moves)
                    if candidate:
                        yield candidate
        candidate = self.try_script(dealt, script) if dealt is not None else None
        if candidate:
            yield candidate

    def reported_moves(self, replay: Reconstruction) -> list[ScriptedMove]:
        """Return the script up to the last move that players reported.

        If players are reporting cards, return the script up to the event that shows these cards.
        """
        if self.showing is None:
            return replay.script[: replay.last + 1]
        return [move for move in replay.script if move.after_events <= self.showing.event]

    def swap_in_deal(self, setup: Setup, first: str, second: str) -> Setup | None:
        """Return a copy of the setup with two cards of the deal swapped.

        Returns None if the battle file sets the position of one of these cards.
        """
        codes = {self.rules.card_text(card): card for pile in setup.deal.values() for card in pile}
        if first not in codes or second not in codes or {codes[first], codes[second]} & self.typed:
            return None
        change = {codes[first]: codes[second], codes[second]: codes[first]}
        new = setup.copy()
        new.deal = {pile: [change.get(card, card) for card in cards] for pile, cards in setup.deal.items()}
        return None if self.known_hands & {*change} and self.rules.check(new) else new

    def replace_card(
        self, replay: Reconstruction, old: str, new: str, key: str = ""
    ) -> Iterator[Reconstruction]:
        """Yield replays in which a hand has another copy of the card `new` instead of the card `old`."""
        script, alike = self.reported_moves(replay), self.rules.alike
        card = self.rules.read_card(new, alike)
        for pile, cards in replay.setup.deal.items():
            if pile.startswith(alike) and key in ("", pile.removeprefix(alike)):
                for place, held in enumerate(cards):
                    if self.rules.card_text(held) == old and held not in self.typed:
                        setup = replay.setup.copy()
                        setup.deal[pile][place] = card
                        yield from self.add_missing_card(setup, script, old, new)
        for at, move in enumerate(replay.script):  # also cards drawn since the last report
            if not move.is_reported and move.text.endswith(f" {old}") and f" {key}" in move.text:
                text = f"{move.text.removesuffix(old)}{new}"
                moves = [*replay.script[:at], move._replace(text=text), *script[at + 1 :]]
                yield from self.add_missing_card(replay.setup, moves, old, new)

    def add_missing_card(
        self, setup: Setup, script: list[ScriptedMove], removed: str, added: str
    ) -> Iterator[Reconstruction]:
        """Yield replays of a script in which there is one more copy of the card `added`.

        If there are then too many copies, another copy is replaced with the card `removed`.
        """
        candidate = self.try_script(setup, script)
        if candidate and count_draws(candidate.script, added) >= count_draws(script, added):
            yield candidate
            return
        alike = self.rules.alike
        for pile, cards in setup.deal.items():
            for place, held in enumerate(cards if pile.startswith(alike) else []):
                if self.rules.card_text(held) == added and held not in self.typed:
                    new = setup.copy()
                    new.deal[pile][place] = self.rules.read_card(removed, alike)
                    candidate = self.try_script(new, script)
                    if candidate:
                        yield candidate
        for at, move in enumerate(script):
            if not move.is_reported and move.text.endswith(f" {added}"):
                text = f"{move.text.removesuffix(added)}{removed}"
                candidate = self.try_script(
                    setup, [*script[:at], move._replace(text=text), *script[at + 1 :]]
                )
                if candidate:
                    yield candidate

    # Choices

    def try_answer(self, key: str, text: str) -> Iterator[Reconstruction]:
        """Yield replays in which the next choice of a side is `text`."""
        base = self.reported_moves(self.replay)
        said = ScriptedMove(f"{key} {text}", self.state.fixed, True, is_pending=True)
        direct = self.try_script(self.state.setup, [*base, said])
        if direct:
            yield from self.later(direct, base, said)
        names = self.names_in(text)
        unseen = [name for name in names if name not in self.visible_cards()]
        again = names if names != unseen else []  # a shuffle can hide a card again that players have seen
        tried_parts: set[tuple[int, ...]] = set()
        for moved, chain in ((unseen, ""), (unseen, NEW), (unseen, OLD), (again, NEW)):
            for replay, parts in self.move_to_hand(self.replay, key, moved, chain) if moved else ():
                candidate = (
                    self.try_script(replay.setup, [*self.reported_moves(replay), said])
                    if parts not in tried_parts
                    else None
                )
                if candidate:
                    tried_parts.add(parts)
                    yield from self.later(candidate, self.reported_moves(replay), said)
                    if not parts:  # for copies of a card, one candidate is enough
                        break
            if direct or tried_parts:
                return
        if not names:
            yield from self.try_other_secret_choices(key, said)

    def later(
        self, earliest: Reconstruction, base: Sequence[ScriptedMove], said: ScriptedMove
    ) -> Iterator[Reconstruction]:
        """Yield the replay `earliest`, and then replays in which the choice answers a later question."""
        replay: Reconstruction | None = earliest
        while replay is not None:
            yield replay
            at = self.moment(replay) + 1
            replay = self.try_script(earliest.setup, [*base, said._replace(after_events=at)])

    def move_to_hand(
        self, replay: Reconstruction, key: str, names: Sequence[str], chain: str, parts: tuple[int, ...] = ()
    ) -> Iterator[tuple[Reconstruction, tuple[int, ...]]]:
        """Yield replays in which the side `key` holds the cards in `names`, which are hidden.

        Each replay comes with a tuple of numbers, one for each card. The number says in which part of the
        hand the card is.
        """
        if not names:
            yield replay, parts
            return
        first, *remaining = names
        if comes_in_copies(self.rules, first):
            for name in dict.fromkeys(self.all_card_names()):
                if name != first and comes_in_copies(self.rules, name):
                    for candidate in self.replace_card(replay, name, first, key):
                        yield from self.move_to_hand(candidate, key, remaining, chain, parts)
            return
        visible = self.visible_cards()
        for number, part in enumerate(self.holdings(replay, key)):
            if first in part:
                yield from self.move_to_hand(replay, key, remaining, chain, (*parts, number))
            for card in part:
                if card not in names and (chain or card not in visible):
                    exchanged = self.exchange_cards(replay, card, first, chain)
                    moved = (each for each in exchanged if self.holds(each, key, first))
                    for candidate in islice(moved, 1):
                        yield from self.move_to_hand(candidate, key, remaining, chain, (*parts, number))

    def holds(self, replay: Reconstruction, key: str, name: str) -> bool:
        return any(name in part for part in self.holdings(replay, key))

    def holdings(self, replay: Reconstruction, key: str) -> list[list[str]]:
        """Return the parts of the hand that a side had at the last report.

        The last part has the cards that the side got later.
        """
        then = Reconstruction(
            self.rules, replay.setup, self.reported_moves(replay), self.state.shown, pauses=True
        )
        before = self.hidden_cards_of(then, key)
        earlier_cards = {card for part in before for card in part}
        later = [
            card for part in self.hidden_cards_of(replay, key) for card in part if card not in earlier_cards
        ]
        return [*before, later] if later else before

    def hidden_cards_of(self, replay: Reconstruction, key: str) -> list[list[str]]:
        """Return the hidden cards of a side, by the parts that lie separately on the table."""
        parts: list[list[str]] = [[]]
        for part in self.rules.hand(replay.battle.view(self.keys.index(key))):
            if isinstance(part, Card):
                parts[-1].append(part.text)
            elif isinstance(part, str) and ";" in part:
                parts.append([])
        apart = {card for cards in parts[1:] for card in cards}
        parts[0] = [card for card in parts[0] if card not in apart]
        return [cards for cards in parts if cards]

    def try_other_secret_choices(self, key: str, said: ScriptedMove) -> Iterator[Reconstruction]:
        """Yield replays in which a different earlier choice makes the choice `said` legal.

        Both choices are choices of the side `key`, and the earlier one is secret.
        """
        base = self.reported_moves(self.replay)
        for at, texts in self.replay.alternatives.items():
            if at < len(base) and base[at].text.startswith(f"{key} ") and len(texts) <= FEW:
                for text in texts:
                    script = [*base[:at], base[at]._replace(text=f"{key} {text}"), *base[at + 1 :], said]
                    candidate = self.try_script(self.state.setup, script)
                    if candidate:
                        yield candidate


def count_draws(script: Sequence[ScriptedMove], name: str) -> int:
    """Return how many guessed moves of a script end with the name of a card."""
    return sum(not move.is_reported and move.text.endswith(f" {name}") for move in script)


def count_names(move: ScriptedMove, first: str, second: str) -> int:
    """Return how many of two cards a guessed move names. For a reported move, this is 0."""
    names = [] if move.is_reported else CARDS.findall(move.text)
    return (first in names) + (second in names)


class Shuffle(NamedTuple):
    """A shuffle of cards in a script of moves.

    `places` has the indices of the guessed moves in the script that describe the shuffle. `names` has the
    cards. `after_events` is the number of public events before the shuffle. `is_choice` is True if some of
    the cards, such as casualties, were shown at once.
    """

    places: list[int]
    names: list[str]
    after_events: int
    is_choice: bool

    def is_before(self, number: int, seen: Seen, rules: RuleSet) -> bool:
        """Return True if the shuffle comes before a public event.

        If the event happens at the same moment and shows exactly the shuffled cards, the event comes first.
        """
        shows_these = not self.is_choice and sorted(cards_of(rules, seen)) == sorted(self.names)
        return self.after_events < number or (self.after_events == number and not shows_these)


def find_shuffles(script: Sequence[ScriptedMove], cards: set[str]) -> list[Shuffle]:
    """Return all shuffles in a script of moves.

    If cards are chosen at random from a pile, these cards and the other cards of the pile count as one
    shuffle.
    """
    shuffles: list[Shuffle] = []
    for place, move in enumerate(script):
        names = [word for word in move.text.split() if word in cards]
        if move.is_reported or not names:
            continue
        before = shuffles[-1] if shuffles else None
        if before and before.is_choice and len(before.places) == 1 and before.places[0] == place - 1:
            before.places.append(place)
            before.names.extend(names)
        else:
            is_choice = move.text.split()[1] not in ("under", "order")
            shuffles.append(Shuffle([place], names, move.after_events, is_choice))
    return shuffles


def swap_in_moves(script: Sequence[ScriptedMove], first: str, second: str) -> list[ScriptedMove]:
    return [move._replace(text=swap_names(move.text, first, second)) for move in script]
