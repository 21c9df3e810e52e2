"""The state of a Warmonger battle: decks, hands, piles, the Battlefield, and what each side can see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, View
from cardbattle.core.cards import PACK
from cardbattle.core.errors import IllegalMove
from cardbattle.rules.warmonger.box import LOADED_DICE, NO_POWER, Box
from cardbattle.rules.warmonger.knowledge import SURE, deal_again, home, look_entry, packet

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, RandomSource

FIRST_STEP: Final = 16
ARMISTICE: Final = 600  # WM-39
LONG_ARMISTICE: Final = 1200
BEST: Final = 21  # WM-10
BUST: Final = -1
TOTALS: Final = (1 << (BEST + 1)) - 1  # a bit for each total up to 21
UNMARKED: Final = -1
SEEN: Final[list[int]] = []  # the trail of a card that all sides see
NOTHING: Final[list[int]] = []  # a side's cards on a clear Battlefield; never changed
UNDER: Final = 1  # kinds of chance
CASUALTY: Final = 2
DRAW: Final = 3
ANY_WINDOW: Final = 127  # the windows of a card that was not written down
UNWRITTEN: Final = "the next card of a deck is not known; write it down in [deal]"


@mypyc_attr(allow_interpreted_subclasses=True)
class WarmongerView(View):
    """What a side of Warmonger can see (WM-2, WM-3, WM-19, WM-22).

    Until it is detached, a view shares the battle's lists, and computes the costly ones on demand. Lists by
    side have an entry for each side. A design is the index of a Warmonger card in the box. In `decks` and
    `downs`, a face-down card is its code if the side knows it, otherwise -1 - packet: the number of the last
    shuffle it went through. `homes` has the packet in which the side last knew each hidden card, and SURE for
    all other cards. `stack` holds the current announcements, `played` and `made` the past announcements and
    scores.
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
        self._battle: WarmongerState | None = battle  # until it is detached
        self._decks: list[list[int]] | None = None
        self._downs: list[list[int]] | None = None
        self._pot: list[list[int]] | None = None
        self._homes: list[int] | None = None
        self._totals: list[int] | None = None
        self._hand_sizes: list[int] | None = None
        self.removed_card = UNKNOWN  # cache of `tactics.totals_without`: a card and the totals of its line
        self.totals_left = 0

    def _shared(self) -> WarmongerState:
        assert self._battle is not None
        return self._battle

    @property
    def warmongers(self) -> list[int]:
        """The codes of the Warmonger cards in the side's hand."""
        return [self.box.codes[design] for design in self.hand if design != UNKNOWN]

    @property
    def used_warmongers(self) -> list[int]:
        """The codes of the Warmonger cards that were played."""
        return [self.box.codes[design] for design in self.used]

    @property
    def decks(self) -> list[list[int]]:
        """The deck of each side, top first, with what this side knows of it."""
        if self._decks is None:
            self._decks = self._shared().as_seen_by(self.side, self._shared().decks)
        return self._decks

    @property
    def deck_sizes(self) -> list[int]:
        """The deck size of each side."""
        return [len(cards) for cards in (self.decks if self._battle is None else self._battle.decks)]

    @property
    def downs(self) -> list[list[int]]:
        """The face-down Battle cards of each side, the next one first, with what this side knows of them."""
        if self._downs is None:
            self._downs = self._shared().as_seen_by(self.side, self._shared().downs)
        return self._downs

    def down_of(self, side: int) -> list[int]:
        """Return one side's entry of `downs`, faster than computing all."""
        battle = self._battle
        if battle is None or self._downs is not None:
            return self.downs[side]
        return [as_seen(card, battle.trails, self.side) for card in battle.downs[side]]

    @property
    def pot(self) -> list[list[int]]:
        """The cards that each side put on the Battlefield, UNKNOWN for those face down."""
        if self._pot is None:
            trails = self._shared().trails
            self._pot = [
                [card if card >= 0 and not trails[card] else UNKNOWN for card in cards]
                for cards in self._shared().pot
            ]
        return self._pot

    @property
    def homes(self) -> list[int]:
        """For each card, the packet in which this side last knew it; SURE if it knows its place."""
        if self._homes is None:
            side = self.side
            self._homes = [home(trail, side) if trail else SURE for trail in self._shared().trails]
        return self._homes

    @property
    def totals(self) -> list[int]:
        """The best total of each side's line, or BUST."""
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
        """Copy the lists shared with the battle, so that later changes do not affect the view."""
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
    """Return the best total up to 21 that a line of cards allows, or BUST (WM-9, WM-10)."""
    return best_of(totals_of(values, line, marks))


def totals_of(values: list[list[int]], line: list[int], marks: list[int], without: int = UNKNOWN) -> i64:
    """Return the possible totals up to 21 of a line as a bit set, leaving out one card (WM-9, WM-10)."""
    totals: i64 = 1
    for place, card in enumerate(line):
        mark: i64 = marks[place]
        if card == without:
            continue
        totals = totals_with(totals, values[card % PACK]) if mark < 0 else (totals << mark) & TOTALS
    return totals


def totals_with(totals: i64, values: list[int]) -> i64:
    """Return a bit set of totals after adding a card that counts any one of these values."""
    sums: i64 = 0
    for value in values:
        sums |= totals << value
    return sums & TOTALS


def best_of(totals: i64) -> int:
    """Return the best total of a bit set, from 0 to 21, or BUST (WM-10)."""
    best: i64 = BUST
    while totals:
        totals >>= 1
        best += 1
    return best


def as_seen(card: int, trails: list[list[int]], viewer: int) -> int:
    """Return a face-down card as a view shows it: its code if the viewer knows it, otherwise -1 - packet."""
    trail = trails[card]
    if not trail:
        return UNKNOWN
    if trail[-1] == look_entry(viewer):
        return card
    return -1 - packet(trail)


class WarmongerState(Battle):
    """The state of one battle of Warmonger; the order of play is in `battle`."""

    box: Box
    keys: list[str]  # of the sides, used in the text of choices
    robots: list[int]  # by side: which Robot of the box, or NOBODY
    powers: list[int]  # by side: the Robot's power
    armistice: int
    dealt: list[int]  # by side: playing cards it began with
    decks: list[list[int]]  # top first
    aside: list[int]
    hands: list[list[int]]  # designs, ascending
    reach: list[int]  # by side: a bit for each window of its cards
    new: list[int]  # designs; the pile has no order (WM-34)
    used: list[int]
    casualties: list[int]
    live: list[int]  # by side: 1 if not eliminated
    fallen: list[int]  # sides in the order of their elimination
    superpower: int
    skirmish: int
    shuffles: int
    trails: list[list[int]]  # by card, see `knowledge`; empty: all sides see it; never changed in place
    pot: list[list[int]]  # the Battlefield: by side, the cards it put there
    lines: list[list[int]]  # by side: face-up cards of this Battle
    marks: list[list[int]]  # the number that each of them counts; -1: its usual value
    downs: list[list[int]]  # by side: face-down cards of this Battle, the next one first
    armoured: list[int]  # by side: 1 if its Armour was pierced in this Battle
    war: list[int]  # the sides in this War at its start
    fighting: list[int]  # the sides in this Battle
    scored: list[int]  # the sides that have taken their turn in it
    winner: int  # of this Skirmish or War
    window: int  # the window that is open, or was last
    turn: int  # the next seat to play in the window
    passed: int  # seats passed since the last play
    stack: list[int]  # announcements, the last one on top
    played: list[int]  # side and choice of every announcement, -1 - design for a card laid down at the end
    made: list[int]  # side, cards turned up and score of every line in past Battles

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
    ) -> None:
        """Set up the battle (WM-1 to WM-6, WM-50); `run` then starts it."""
        sides = len(decks)
        self.open_agenda(sides, random_source)
        self.box = box
        self.keys = keys if keys is not None else [f"p{side + 1}" for side in range(sides)]
        self.robots = robots.copy() if robots is not None else [NOBODY] * sides
        self.powers = [box.robots[robot].power if robot >= 0 else NO_POWER for robot in self.robots]
        self.armistice = armistice
        self.dealt = [len(deck) for deck in decks]
        self.decks = [deck.copy() for deck in decks]
        self.aside = aside.copy() if aside is not None else []
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
        dealt = [0]
        for cards in [*self.decks, self.aside]:
            for card in cards:
                self.trails[card] = dealt
        for side, named_cards in enumerate(extras or []):
            self.mark_extras(side, named_cards)
        self.pot = [[] for _ in decks]
        self.war = []
        self.winner = NOBODY
        self.window = 0
        self.turn = 0
        self.passed = 0
        self.stack = []
        self.played = []
        self.made = []
        self.lines = []
        self.clear_battle(list(range(sides)))
        self.fighting = []
        self.then_step(FIRST_STEP)

    def mark_extras(self, side: int, extras: list[int]) -> None:
        """Make it public that these cards are in the side's deck (WM-50)."""
        if extras:
            for card in self.decks[side]:
                self.trails[card] = [1 + side] if card in extras else [0, 1 + side]

    def rearm(self, side: int) -> None:
        """Update the windows in which the side's hand can be played (WM-42)."""
        reach = 0
        for design in self.hands[side]:
            reach |= self.box.windows[design] if design != UNKNOWN else ANY_WINDOW
        self.reach[side] = reach

    def clear_battle(self, fighting: list[int]) -> None:
        """Begin a Battle of these sides with no cards laid; store the scores of the last one (WM-24)."""
        for side, line in enumerate(self.lines):
            if line:
                self.made.extend([side, len(line), self.total(side)])
        self.fighting = fighting
        self.scored = []
        sides = self.sides
        if fighting:
            self.lines = [[] for _ in range(sides)]
            self.marks = [[] for _ in range(sides)]
            self.downs = [[] for _ in range(sides)]
        else:
            self.lines = [NOTHING] * sides
            self.marks = [NOTHING] * sides
            self.downs = [NOTHING] * sides
        self.armoured = [0] * sides

    def battlefield(self) -> list[int]:
        return [card for cards in self.pot for card in cards]

    def leave_battlefield(self) -> None:
        self.pot = [NOTHING] * self.sides
        if self.war:
            self.war = []
            self.clear_battle([])

    def take(self, side: int) -> int:
        """Take the top card off a deck; IllegalMove if it was not written down."""
        card = self.decks[side].pop(0)
        if card == UNKNOWN:
            raise IllegalMove(UNWRITTEN)
        return card

    def show(self, side: int, card: int) -> None:
        """Put a card face up into a side's Battle line (WM-16)."""
        self.trails[card] = SEEN
        self.lines[side].append(card)
        self.marks[side].append(UNMARKED)

    def under(self, side: int, cards: list[int]) -> None:
        """Put cards under a side's deck in random order (WM-14)."""
        if cards:
            self.place(side, self.random_source.order_of(UNDER, side, cards))

    def place(self, side: int, order: list[int]) -> None:
        """Put cards under a side's deck in this order (WM-14); face-down cards stay unseen."""
        self.shuffles += 1
        fresh = [self.shuffles]
        for card in order:
            trail = self.trails[card]
            self.trails[card] = [*trail, self.shuffles] if trail else fresh
        self.decks[side].extend(order)
        if self.log is not None:
            self.emit("placed", side, {"count": len(order)}, {"cards": order}, [])

    def total(self, side: int) -> int:
        """Return the side's best total up to 21, or BUST (WM-10)."""
        if not self.lines[side]:
            return 0
        values = self.box.dice if self.powers[side] == LOADED_DICE else self.box.values
        return best_total(values, self.lines[side], self.marks[side])

    def least(self, side: int) -> int:
        """Return the side's least total, with each card at its lowest value (WM-48)."""
        values = self.box.dice if self.powers[side] == LOADED_DICE else self.box.values
        return sum(
            [
                mark if mark >= 0 else values[card % PACK][0]
                for card, mark in zip(self.lines[side], self.marks[side], strict=True)
            ]
        )

    def scoring(self, side: int, fields: dict[str, object]) -> dict[str, object]:
        """Add the side's score to an event's fields, unless the side is Bust."""
        score = self.total(side)
        return fields if score < 0 or not self.lines[side] else fields | {"score": score}

    def clockwise(self, side: int) -> list[int]:
        """Return all sides clockwise from the left of this one, which comes last (WM-6)."""
        sides = self.sides
        return [(side + n) % sides for n in range(1, sides + 1)]

    def is_empty(self, side: int) -> bool:
        """Return whether a live side has no playing cards; call it when the Battlefield is clear (WM-36)."""
        return self.live[side] == 1 and not self.decks[side]

    def empty_sides(self) -> list[int]:
        """Return the live sides without playing cards, clockwise from the Superpower holder (WM-30)."""
        for side in range(self.sides):
            if self.is_empty(side):
                return [side for side in self.clockwise(self.superpower) if self.is_empty(side)]
        return []

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
        """Return the number of playing cards that the side holds (WM-52)."""
        return len(self.decks[side]) + len(self.pot[side])

    def deal_cards_again(self, viewer: int, chance: Chance) -> None:
        """Redeal the playing cards that the viewer cannot see."""
        trails = self.trails
        piles = [*self.decks, self.aside, *self.pot]
        cards = [card for pile in piles for card in pile if card != UNKNOWN and trails[card]]
        becomes = list(range(len(trails)))
        becomes[UNKNOWN] = UNKNOWN
        for place, card in enumerate(deal_again(cards, trails, viewer, chance)):
            becomes[cards[place]] = card
        self.decks = [[becomes[card] for card in deck] for deck in self.decks]
        self.aside = [becomes[card] for card in self.aside]
        self.pot = [[becomes[card] for card in cards] for cards in self.pot]
        self.downs = [[becomes[card] for card in cards] for cards in self.downs]

    def deal_hands_again(
        self, viewer: int, chance: Chance, holder: int = NOBODY, fixed_card: int = UNKNOWN
    ) -> None:
        """Redeal the hands of all sides but the viewer from those hands and the New pile.

        The `fixed_card` stays in the hand of its `holder`.
        """
        if fixed_card != UNKNOWN:
            self.hands[holder].remove(fixed_card)
        rivals = [side for side in range(self.sides) if side != viewer]
        pool = self.new + [card for side in rivals for card in self.hands[side] if card != UNKNOWN]
        pool.sort()
        chance.shuffle(pool)
        for side in rivals:
            hand = [card if card == UNKNOWN else pool.pop() for card in self.hands[side]]
            if side == holder and fixed_card != UNKNOWN:
                hand.append(fixed_card)
            self.hands[side] = sorted(hand)
            self.rearm(side)
        self.new = pool

    def copy_state(self, new: WarmongerState) -> None:
        """Copy all fields into `new`."""
        self.copy_agenda(new)
        new.box = self.box
        new.keys = self.keys
        new.robots = self.robots
        new.powers = self.powers
        new.armistice = self.armistice
        new.dealt = self.dealt
        new.decks = [deck.copy() for deck in self.decks]
        new.aside = self.aside.copy()
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
        else:  # nothing lies there, and a Battle begins with new lists
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
        """Return every mutable field as lists of numbers; the lengths of the trails separate them."""
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
