"""The state of a battle of Warmonger: decks, hands, piles, the Battlefield, and each side's knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.battle import NOBODY, STEP, UNKNOWN, Battle, View
from cardbattle.core.cards import PACK, is_among
from cardbattle.core.errors import IllegalMove
from cardbattle.rules.warmonger.box import LOADED_DICE, NO_POWER, Box
from cardbattle.rules.warmonger.knowledge import (
    SURE,
    deal_again,
    home,
    last_shuffle,
    look_entry,
    trail_of_shuffle,
)

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, RandomSource

FIRST_STEP: Final = 16
ARMISTICE: Final = 600  # WM-39
LONG_ARMISTICE: Final = 1200
BEST: Final = 21  # WM-10
BUST: Final = -1
CODES: Final = PACK - 1  # the bits of a card that do not depend on its pack
TOTALS: Final = (1 << (BEST + 1)) - 1  # a bit set of all totals up to 21
UNMARKED: Final = -1
SEEN: Final[list[int]] = []  # the trail of a card that all sides can see
DEALT: Final = [0]  # the trail of a card since the deal
NOTHING: Final[list[int]] = []  # a side's cards on an empty Battlefield; this list never changes
NOTHING_BY_SIDE: Final[list[list[list[int]]]] = [  # the same for all sides, by their number
    [NOTHING] * sides for sides in range(STEP + 1)
]
UNDER: Final = 1  # the kinds of random events
CASUALTY: Final = 2
DRAW: Final = 3
ANY_WINDOW: Final = 127  # the windows of an unknown card
UNWRITTEN: Final = "the next card of a deck is not known; write it down in [deal]"


def take_from(deck: list[int]) -> i64:
    """Take the top card from a deck. Raises IllegalMove if the card is unknown."""
    card: i64 = deck.pop(0)
    if card == UNKNOWN:
        raise IllegalMove(UNWRITTEN)
    return card


@mypyc_attr(allow_interpreted_subclasses=True)
class WarmongerView(View):
    """What one side can see in a battle of Warmonger (WM-2, WM-3, WM-19, WM-22).

    The view shares lists with the battle until `detach` is called, and computes costly lists only when they
    are needed. A list by side has one element for each side. A design is the index of a Warmonger card in the
    box. In `decks` and `downs`, a face-down card that the viewer knows is its code. For any other face-down
    card, the element is -1 minus the number of its last shuffle. For each hidden card, `homes` has the oldest
    shuffle that hides the card from the viewer; for all other cards, it has SURE. `stack` has the current
    announcements. `played` has past announcements, and `made` has past scores.
    """

    def __init__(self, battle: WarmongerState, side: int) -> None:
        is_asked = battle.side == side
        self.side = side
        self.question = battle.question if is_asked else 0
        self.options = battle.options if is_asked else []
        self.box = battle.box
        self.robots = battle.robots
        self.skirmish = battle.skirmish
        self.armistice = battle.armistice
        self.superpower = battle.superpower
        self.live = battle.live
        self.hand = battle.hands[side]
        self.new_size = len(battle.new)
        self.used = battle.used
        self.casualties = battle.casualties
        self.war = battle.war
        self.fighting = battle.fighting
        self.scored = battle.scored
        self.lines = battle.lines
        self.marks = battle.marks
        self.stack = battle.stack
        self.played = battle.played
        self.made = battle.made
        self._battle: WarmongerState | None = battle  # None after `detach`
        self._decks: list[list[int]] | None = None
        self._downs: list[list[int]] | None = None
        self._pot: list[list[int]] | None = None
        self._homes: list[int] | None = None
        self._totals: list[int] | None = None
        self._hand_sizes: list[int] | None = None
        self.removed_card = UNKNOWN  # a cache for `tactics.totals_without`
        self.totals_left = 0

    def _shared(self) -> WarmongerState:
        assert self._battle is not None
        return self._battle

    @property
    def warmongers(self) -> list[int]:
        """The codes of the Warmonger cards in the viewer's hand."""
        return [self.box.codes[design] for design in self.hand if design != UNKNOWN]

    @property
    def used_warmongers(self) -> list[int]:
        """The codes of the Warmonger cards that were played."""
        return [self.box.codes[design] for design in self.used]

    @property
    def decks(self) -> list[list[int]]:
        """The deck of each side with the top card first, as far as this side knows its cards."""
        if self._decks is None:
            self._decks = self._shared().as_seen_by(self.side, self._shared().decks)
        return self._decks

    @property
    def deck_sizes(self) -> list[int]:
        """The number of cards in each side's deck."""
        return [len(cards) for cards in (self.decks if self._battle is None else self._battle.decks)]

    @property
    def downs(self) -> list[list[int]]:
        """The face-down Battle cards of each side, the next card first, as far as this side knows them."""
        if self._downs is None:
            self._downs = self._shared().as_seen_by(self.side, self._shared().downs)
        return self._downs

    def down_of(self, side: int) -> list[int]:
        """Return the element of `downs` for one side, without computing the whole list."""
        battle = self._battle
        if battle is None or self._downs is not None:
            return self.downs[side]
        return [as_seen(card, battle.trails, self.side) for card in battle.downs[side]]

    def down_size(self, side: int) -> int:
        """Return the number of face-down Battle cards of one side."""
        return len(self.downs[side] if self._battle is None else self._battle.downs[side])

    def cards_from(self, shuffle: int) -> list[int]:
        """Return the cards for which `homes` has this shuffle, without computing the whole list."""
        if self._homes is not None:
            return [card for card, home in enumerate(self._homes) if home == shuffle]
        side = self.side
        cards = []
        for card, trail in enumerate(self._shared().trails):
            if trail and (trail[0] if len(trail) == 1 else home(trail, side)) == shuffle:
                cards.append(card)
        return cards

    @property
    def pot(self) -> list[list[int]]:
        """The cards that each side has put on the Battlefield. A face-down card is UNKNOWN."""
        if self._pot is None:
            trails = self._shared().trails
            self._pot = [
                [card if card >= 0 and not trails[card] else UNKNOWN for card in cards]
                for cards in self._shared().pot
            ]
        return self._pot

    @property
    def homes(self) -> list[int]:
        """For each card, the oldest shuffle that hides it from this side, or SURE if none does."""
        if self._homes is None:
            side = self.side
            self._homes = [home(trail, side) if trail else SURE for trail in self._shared().trails]
        return self._homes

    @property
    def totals(self) -> list[int]:
        """The best total of each side's Battle line, or BUST."""
        if self._totals is None:
            battle = self._shared()
            self._totals = [battle.total(side) for side in range(battle.sides)]
        return self._totals

    @property
    def hand_sizes(self) -> list[int]:
        """The number of Warmonger cards in each side's hand."""
        if self._hand_sizes is None:
            self._hand_sizes = [len(hand) for hand in self._shared().hands]
        return self._hand_sizes

    def detach(self) -> WarmongerView:
        """Copy the shared lists, so that later changes to the battle do not affect the view."""
        self._decks = self.decks
        self._downs = self.downs
        self._pot = self.pot
        self._homes = self.homes
        self._totals = self.totals
        self._hand_sizes = self.hand_sizes
        self._battle = None
        self.options = self.options.copy()
        self.robots = self.robots.copy()
        self.live = self.live.copy()
        self.hand = self.hand.copy()
        self.used = self.used.copy()
        self.casualties = self.casualties.copy()
        self.war = self.war.copy()
        self.fighting = self.fighting.copy()
        self.scored = self.scored.copy()
        self.lines = [cards.copy() for cards in self.lines]
        self.marks = [marks.copy() for marks in self.marks]
        self.stack = self.stack.copy()
        self.played = self.played.copy()
        self.made = self.made.copy()
        return self


def best_total(values: list[list[int]], line: list[int], marks: list[int]) -> int:
    """Return the best total up to 21 that a Battle line allows, or BUST (WM-9, WM-10)."""
    return best_of(totals_of(values, line, marks))


def totals_of(values: list[list[int]], line: list[int], marks: list[int], without: int = UNKNOWN) -> i64:
    """Return a Battle line's possible totals up to 21 as a bit set, not counting `without` (WM-9, WM-10)."""
    totals: i64 = 1
    for place, card in enumerate(line):
        mark: i64 = marks[place]
        if card == without:
            continue
        totals = totals_with(totals, values[card & CODES]) if mark < 0 else (totals << mark) & TOTALS
    return totals


def totals_with(totals: i64, values: list[int]) -> i64:
    """Return the bit set of totals after adding a card that can have any of the values in `values`."""
    sums: i64 = 0
    for value in values:
        sums |= totals << value
    return sums & TOTALS


def best_of(totals: i64) -> int:
    """Return the best total in a bit set, from 0 to 21, or BUST (WM-10)."""
    best: i64 = BUST
    while totals:
        totals >>= 1
        best += 1
    return best


def as_seen(card: int, trails: list[list[int]], viewer: int) -> int:
    """Return the value of a face-down card in a view.

    If the viewer knows the card, the result is its code. If the viewer does not know it, the result is -1
    minus the number of the card's last shuffle.
    """
    trail = trails[card]
    if not trail:
        return UNKNOWN
    if trail[-1] == look_entry(viewer):
        return card
    return -1 - last_shuffle(trail)


class WarmongerState(Battle):
    """The state of one battle of Warmonger. The module `battle` has the order of play."""

    box: Box
    keys: list[str]  # the keys of the sides, for the texts of choices
    robots: list[int]  # by side: the index of its Robot in the box, or NOBODY
    powers: list[int]  # by side: the power of its Robot
    armistice: int
    spoils_by_seat: bool  # WM-14
    robots_stop_at_ties: bool  # WM-48
    dealt: list[int]  # by side: the number of playing cards with which it began
    decks: list[list[int]]  # the top card is first
    aside: list[int]
    extras: list[list[int]]  # by side: the cards that its deck began with, as all sides know; never changed
    unseen: list[int]  # the playing cards in place of which the deal has UNKNOWN cards; never changed
    hands: list[list[int]]  # designs in ascending order
    reach: list[int]  # by side: a bit set of the windows in which its cards can be played
    new: list[int]  # designs of the New pile, which has no order (WM-34)
    used: list[int]
    casualties: list[int]
    live: list[int]  # by side: 1 if it is not eliminated
    fallen: list[int]  # the eliminated sides, in order
    superpower: int
    skirmish: int
    shuffles: int
    trails: list[list[int]]  # by card, see `knowledge`; empty if public; never changed in place
    pot: list[list[int]]  # the Battlefield: by side, the cards that it put there; shared while it is empty
    lines: list[list[int]]  # by side: its face-up cards in this Battle
    marks: list[list[int]]  # the number for which each card of `lines` counts; -1 for its usual value
    downs: list[list[int]]  # by side: its face-down cards in this Battle, with the next one first
    armoured: list[int]  # by side: 1 if its Armour was pierced in this Battle; never changed in place
    war: list[int]  # the sides that began this War
    fighting: list[int]  # the sides in this Battle
    scored: list[int]  # the sides that have completed their turn in this Battle
    winner: int  # the winner of this Skirmish or War
    window: int  # the window that is open, or was open last
    turn: int  # the next seat to play in the open window
    passed: int  # number of seats that passed since the last card
    stack: list[int]  # the announcements, with the last one on top
    # side and choice of each announcement; for each card of an eliminated side, the side and -1 - design
    played: list[int]
    made: list[int]  # the side, the cards turned up and the score of every line in past Battles

    def begin(
        self,
        box: Box,
        decks: list[list[int]],
        random_source: RandomSource,
        hands: list[list[int]] | None = None,
        new: list[int] | None = None,
        robots: list[int] | None = None,
        superpower: int = 0,
        armistice: int = ARMISTICE,
        aside: list[int] | None = None,
        extras: list[list[int]] | None = None,
        copies: int = 1,
        keys: list[str] | None = None,
        spoils_by_seat: bool = False,
        robots_stop_at_ties: bool = False,
        unseen: list[int] | None = None,
    ) -> None:
        """Set up the battle (WM-1 to WM-6, WM-50). The method `run` then starts the battle.

        In a battle with real cards, `unseen` has the playing cards that the deal has UNKNOWN cards for.
        """
        sides = len(decks)
        self.open_agenda(sides, random_source)
        self.box = box
        self.keys = keys if keys is not None else [f"p{side + 1}" for side in range(sides)]
        self.robots = robots.copy() if robots is not None else [NOBODY] * sides
        self.powers = [box.robots[robot].power if robot >= 0 else NO_POWER for robot in self.robots]
        self.armistice = armistice
        self.spoils_by_seat = spoils_by_seat
        self.robots_stop_at_ties = robots_stop_at_ties
        self.dealt = [len(deck) for deck in decks]
        self.decks = [deck.copy() for deck in decks]
        self.aside = aside.copy() if aside is not None else []
        self.extras = extras if extras is not None else [[] for _ in decks]
        self.unseen = unseen if unseen is not None else []
        self.hands = [sorted(hand) for hand in hands] if hands is not None else [[] for _ in decks]
        self.reach = [0] * sides
        for side in range(sides):
            self.rearm(side)
        self.new = new.copy() if new is not None else []
        self.used = []
        self.casualties = []
        self.live = [1] * sides
        self.fallen = []
        self.superpower = superpower
        self.skirmish = 0
        self.shuffles = sides
        self.trails = [SEEN] * (PACK * copies + 1)
        for side, cards in enumerate(self.decks):
            self.hide_dealt(side, cards)
        self.hide_dealt(NOBODY, self.aside)
        self.pot = [[] for _ in decks]
        self.war = []
        self.winner = NOBODY
        self.window = 0
        self.turn = 0
        self.passed = 0
        self.stack = []
        self.played = []
        self.made = []
        self.lines = [[] for _ in decks]
        self.marks = [[] for _ in decks]
        self.downs = [[] for _ in decks]
        self.armoured = [0] * sides
        self.fighting = []
        self.scored = []
        self.then_step(FIRST_STEP)

    def hide_dealt(self, side: int, cards: list[int]) -> None:
        """Record that no side has seen these cards of a side's deck since the deal.

        All sides know that the deck contains the extra cards of the side (WM-50). The side is NOBODY if the
        cards were set aside.
        """
        extras = NOTHING if side == NOBODY else self.extras[side]
        for card in cards:
            if not extras:
                self.trails[card] = DEALT
            else:
                self.trails[card] = [1 + side] if card in extras else [0, 1 + side]

    def rearm(self, side: int) -> None:
        """Update the windows in which the cards in a side's hand can be played (WM-42)."""
        reach = 0
        for design in self.hands[side]:
            reach |= self.box.windows[design] if design != UNKNOWN else ANY_WINDOW
        self.reach[side] = reach

    def clear_battle(self, fighting: list[int]) -> None:
        """Begin a Battle between these sides, before cards are laid, and store the old scores (WM-24)."""
        for side, line in enumerate(self.lines):
            if line:
                made = self.made
                made.append(side)
                made.append(len(line))
                made.append(self.total(side))
        self.fighting = fighting
        if self.scored:
            self.scored = []
        nothing = NOTHING_BY_SIDE[self.sides]
        if fighting:
            self.lines = nothing.copy()
            self.marks = nothing.copy()
            self.downs = nothing.copy()
        else:
            self.lines = nothing
            self.marks = nothing
            self.downs = nothing
        if is_among(1, self.armoured):
            self.armoured = [0] * self.sides

    def battlefield(self) -> list[int]:
        cards: list[int] = []
        for pile in self.pot:
            cards.extend(pile)
        return cards

    def leave_battlefield(self) -> None:
        self.pot = NOTHING_BY_SIDE[self.sides]
        if self.war:
            self.war = NOTHING
            self.clear_battle(NOTHING)

    def take(self, side: int) -> int:
        """Take the top card from a deck. Raises IllegalMove if the card is unknown."""
        return take_from(self.decks[side])

    def take_some(self, side: int, most: int) -> list[int]:
        """Take at most `most` cards from the top of a deck. Raises IllegalMove if one of them is unknown."""
        deck = self.decks[side]
        cards = deck[:most]
        if is_among(UNKNOWN, cards):
            raise IllegalMove(UNWRITTEN)
        del deck[:most]
        return cards

    def show(self, side: int, card: int) -> None:
        """Put a card face up into a side's Battle line (WM-16)."""
        self.trails[card] = SEEN
        self.lines[side].append(card)
        self.marks[side].append(UNMARKED)

    def under(self, side: int, cards: list[int]) -> None:
        """Put cards under a side's deck, in random order (WM-14). The list `cards` is shuffled."""
        if cards:
            self.random_source.shuffle(UNDER, side, cards)
            self.place(side, cards)

    def place(self, side: int, order: list[int]) -> None:
        """Put cards under a side's deck, in the order `order` (WM-14). Face-down cards stay hidden."""
        self.shuffles += 1
        fresh = trail_of_shuffle(self.shuffles)
        trails = self.trails
        objects: list[Any] = order  # untyped, so that compiled code converts each card to `i64` at once
        card: i64
        for card in objects:
            trail = trails[card]
            trails[card] = trail + fresh if trail else fresh
        self.decks[side].extend(order)
        if self.log is not None:
            self.emit("placed", side, {"count": len(order)}, {"cards": order}, [])

    def total(self, side: int) -> int:
        """Return the best total up to 21 of a side's Battle line, or BUST (WM-10)."""
        line = self.lines[side]
        if not line:
            return 0
        values = self.box.dice if self.powers[side] == LOADED_DICE else self.box.values
        return best_total(values, line, self.marks[side])

    def least(self, side: int) -> int:
        """Return the smallest total of a side's Battle line, with each card at its lowest value (WM-48)."""
        values = self.box.dice if self.powers[side] == LOADED_DICE else self.box.values
        return sum(
            [
                mark if mark >= 0 else values[card % PACK][0]
                for card, mark in zip(self.lines[side], self.marks[side], strict=True)
            ]
        )

    def scoring(self, side: int, fields: dict[str, object]) -> dict[str, object]:
        """If the side is not Bust, add its score to the fields of an event."""
        score = self.total(side)
        return fields if score < 0 or not self.lines[side] else fields | {"score": score}

    def clockwise(self, side: int) -> list[int]:
        """Return all sides clockwise. The side to the left of `side` comes first, and `side` last (WM-6)."""
        sides = self.sides
        return [(side + n) % sides for n in range(1, sides + 1)]

    def is_empty(self, side: int) -> bool:
        """Return True if a side that is not eliminated has no playing cards (WM-36).

        The Battlefield must be empty.
        """
        return self.live[side] == 1 and not self.decks[side]

    def empty_sides(self) -> list[int]:
        """Return the sides that have no playing cards but are not eliminated (WM-30).

        They are in clockwise order. The side to the left of the Superpower holder comes first.
        """
        return [side for side in self.clockwise(self.superpower) if self.is_empty(side)]

    def has_empty_side(self) -> bool:
        """Return True if `empty_sides` would return a side."""
        live = self.live
        return any(not deck and live[side] for side, deck in enumerate(self.decks))

    def shortest_deck(self) -> i64:
        """Return the number of cards in the shortest deck of the sides that are not eliminated."""
        shortest: i64 = -1
        for side, deck in enumerate(self.decks):
            size: i64 = len(deck)
            if self.live[side] and (shortest < 0 or size < shortest):
                shortest = size
        return shortest

    def live_sides(self) -> list[int]:
        return [side for side in range(self.sides) if self.live[side]]

    def live_count(self) -> int:
        left: i64 = 0
        for live in self.live:
            left += live
        return left

    def as_seen_by(self, viewer: int, piles: list[list[int]]) -> list[list[int]]:
        trails = self.trails
        return [[as_seen(card, trails, viewer) for card in cards] for cards in piles]

    def score(self, side: int) -> int:
        """Return a side's score: the number of its playing cards (WM-52)."""
        return len(self.decks[side]) + len(self.pot[side])

    def guess_unknown_cards(self, chance: Chance) -> None:
        """Replace the UNKNOWN cards in the decks and in the hands with random unseen cards."""
        if self.unseen:
            cards = [card for card in self.unseen if not any(card in extras for extras in self.extras)]
            chance.shuffle(cards)
            for side, deck in enumerate(self.decks):
                extras = [card for card in self.extras[side] if card in self.unseen]
                self.decks[side] = self.guess_unknown_pile(side, deck, extras, cards, chance)
            self.aside = self.guess_unknown_pile(NOBODY, self.aside, [], cards, chance)
        for side, hand in enumerate(self.hands):
            if is_among(UNKNOWN, hand):
                self.new = sorted(self.new)
                chance.shuffle(self.new)
                self.hands[side] = sorted([self.new.pop() if card == UNKNOWN else card for card in hand])
                self.rearm(side)

    def guess_unknown_pile(
        self, side: int, pile: list[int], extras: list[int], cards: list[int], chance: Chance
    ) -> list[int]:
        """Return a pile with the extra cards, and with the last of `cards`, in place of its UNKNOWN cards."""
        guesses = extras + [cards.pop() for _ in range(pile.count(UNKNOWN) - len(extras))]
        chance.shuffle(guesses)
        self.hide_dealt(side, guesses)
        return [guesses.pop() if card == UNKNOWN else card for card in pile]

    def deal_cards_again(self, viewer: int, chance: Chance) -> None:
        """Deal again all playing cards that the viewer cannot see."""
        trails = self.trails
        piles = [*self.decks, self.aside, *self.pot]
        cards = [card for pile in piles for card in pile if trails[card]]
        becomes = list(range(len(trails)))
        for place, card in enumerate(deal_again(cards, trails, viewer, chance)):
            becomes[cards[place]] = card
        self.decks = [[becomes[card] for card in deck] for deck in self.decks]
        self.aside = [becomes[card] for card in self.aside]
        self.pot = [[becomes[card] for card in cards] for cards in self.pot]
        self.downs = [[becomes[card] for card in cards] for cards in self.downs]

    def deal_hands_again(
        self, viewer: int, chance: Chance, holder: int = NOBODY, fixed_card: int = UNKNOWN
    ) -> None:
        """Deal again the hands of all sides except the viewer, from the cards of the hands and the New pile.

        The card `fixed_card` stays in the hand of the side `holder`.
        """
        if fixed_card != UNKNOWN:
            self.hands[holder].remove(fixed_card)
        rivals = [side for side in range(self.sides) if side != viewer]
        pool = self.new + [card for side in rivals for card in self.hands[side]]
        pool.sort()
        chance.shuffle(pool)
        for side in rivals:
            hand = [pool.pop() for _ in self.hands[side]]
            if side == holder and fixed_card != UNKNOWN:
                hand.append(fixed_card)
            self.hands[side] = sorted(hand)
            self.rearm(side)
        self.new = pool

    def copy_state(self, new: WarmongerState) -> None:
        self.copy_agenda(new)
        new.box = self.box
        new.keys = self.keys
        new.robots = self.robots
        new.powers = self.powers
        new.armistice = self.armistice
        new.spoils_by_seat = self.spoils_by_seat
        new.robots_stop_at_ties = self.robots_stop_at_ties
        new.dealt = self.dealt
        new.decks = [deck.copy() for deck in self.decks]
        new.aside = self.aside.copy()
        new.extras = self.extras
        new.unseen = self.unseen
        new.hands = [hand.copy() for hand in self.hands]
        new.reach = self.reach.copy()
        new.new = self.new.copy()
        new.used = self.used.copy()
        new.casualties = self.casualties.copy()
        new.live = self.live.copy()
        new.fallen = self.fallen.copy()
        new.superpower = self.superpower
        new.skirmish = self.skirmish
        new.shuffles = self.shuffles
        new.trails = self.trails.copy()
        new.pot = [cards.copy() for cards in self.pot]
        if self.fighting:
            new.lines = [cards.copy() for cards in self.lines]
            new.marks = [marks.copy() for marks in self.marks]
            new.downs = [cards.copy() for cards in self.downs]
            new.armoured = self.armoured.copy()
        else:  # the Battlefield is empty, and a Battle begins with new lists
            new.lines = self.lines
            new.marks = self.marks
            new.downs = self.downs
            new.armoured = self.armoured
        new.war = self.war.copy()
        new.fighting = self.fighting.copy()
        new.scored = self.scored.copy()
        new.winner = self.winner
        new.window = self.window
        new.turn = self.turn
        new.passed = self.passed
        new.stack = self.stack.copy()
        new.played = self.played.copy()
        new.made = self.made.copy()

    def state(self) -> list[list[int]]:
        """Return every mutable field as lists of numbers.

        The lengths of the trails are a list of their own, before the list with the entries of all trails, so
        that different trails give different lists.
        """
        facts = [self.armistice, self.superpower, self.skirmish, self.shuffles, self.winner]
        return [
            *self.agenda(),
            [*facts, self.window, self.turn, self.passed],
            self.robots,
            self.powers,
            self.dealt,
            self.live,
            self.fallen,
            self.reach,
            self.new,
            self.used,
            self.casualties,
            self.aside,
            self.armoured,
            self.war,
            self.fighting,
            self.scored,
            self.stack,
            self.played,
            self.made,
            *self.decks,
            *self.hands,
            *self.pot,
            *self.lines,
            *self.marks,
            *self.downs,
            [len(trail) for trail in self.trails],
            [entry for trail in self.trails for entry in trail],
        ]
