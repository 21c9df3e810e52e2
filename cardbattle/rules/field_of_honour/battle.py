"""Field of Honour: two lines of cards fight for five spaces, one by one.

Each side places one or two face-down cards in each of five spaces, and keeps its other cards in hand. Then
the cards are turned up, space by space, and the side with the higher value holds the space. Court cards, Aces
and Jokers in hand are specials that can change the result. The enemy can answer each special with a special
of its own. The side that holds more spaces wins. After the deal, the only random event is the discard that an
Ace forces.

Source: "Field of Honour - Rapid Play Battlefield Card Game", version 1, January 2007, author unknown. Numbers
such as FH-7 are those of the rules in rules.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, Outcome, View
from cardbattle.core.cards import ACE, JACK, JOKERS, KING, QUEEN, is_among, rank_of, standard_pack

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, RandomSource

SPACES: Final = 5
PACK: Final = [*standard_pack(), *JOKERS]  # FH-2
VALUES: Final = [min(rank_of(card), 10) for card in range(60)] + [15, 15]  # FH-5
MOST_OF_TWO: Final = 10  # FH-7
FIRST_SPECIAL: Final = 4 * JACK  # the lowest court card, and the lowest special

DRAW: Final = 1  # the effects of specials
DISCARD: Final = 2
RALLY: Final = 3
REDEPLOY: Final = 4
SWAP: Final = 5
DOUBLE: Final = 6
REDEPLOY_BACK: Final = 7
POWERS: Final = {ACE: [DRAW, DISCARD], KING: [RALLY, REDEPLOY], QUEEN: [SWAP], JACK: [DOUBLE]}
ANY_POWER: Final = [DRAW, DISCARD, RALLY, REDEPLOY, SWAP, DOUBLE]  # FH-29

PICK: Final = 1  # questions: FH-40, FH-D1, FH-D2, FH-D3, FH-D4
PLACE: Final = 2
OPEN: Final = 3
COUNTER: Final = 4
DRAWN: Final = 5
END: Final = 6  # FH-D6
PASS: Final = 0  # this choice passes; other choices are a card, or card + HIGH * (second card or power)
HIGH: Final = 64
LEFT: Final = 1  # the choices of an end of the line, seen from the side N (FH-11)
RIGHT: Final = 2

ASK_PICK: Final = 16  # the steps of the agenda, in playing order
DEAL: Final = 32
ASK_PLACE: Final = 48
LINE_UP: Final = 64
BEGIN_SPACE: Final = 80
REVEAL: Final = 96
ASK_OPEN: Final = 112
ASK_COUNTER: Final = 128
ASK_DRAWN: Final = 144
SETTLE: Final = 160
ASK_END: Final = 176

DISCARDED: Final = 1  # the kind of random event in which a card is discarded for an Ace

TRIES: Final = 1000  # number of attempts in a redeal to draw legal pairs, before the true pairs are kept


class Readings:
    """The interpretations of ambiguous rules that one battle uses. The object is immutable."""

    def __init__(
        self,
        chosen_end: bool = False,
        one_answer: bool = False,
        both_drawn: bool = False,
        either_way: bool = False,
    ) -> None:
        self.chosen_end = chosen_end  # FH-11
        self.one_answer = one_answer  # FH-14
        self.both_drawn = both_drawn  # FH-22
        self.either_way = either_way  # FH-25

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor arguments, from which `pickle` rebuilds the object."""
        return Readings, (self.chosen_end, self.one_answer, self.both_drawn, self.either_way)


DEFAULT_READINGS: Final = Readings()


@mypyc_attr(allow_interpreted_subclasses=True)
class FieldView(View):
    """What one side can see in a battle of Field of Honour (FH-9, FH-23, FH-26, FH-32).

    The view shares lists with the battle until `detach` is called. Each line has five lists of cards. For the
    enemy's line, a list is empty as long as its cards lie face down.

    Attributes:
        sizes: the number of cards in each of the enemy's spaces after both lines have been placed.
        enemy_cards: the cards that the enemy is known to have had at the start.
        begun_with: the number of cards that each side had at the start.

    """

    def __init__(self, battle: FieldOfHonour, side: int) -> None:
        enemy = 1 - side
        first_place, enemy_place = SPACES * side, SPACES * enemy
        is_asked = battle.side == side
        self.side = side
        self.question = battle.question if is_asked else 0
        self.options = battle.options if is_asked else []
        self.readings = battle.readings
        self.first = battle.first
        self.space = battle.space
        self.hand = battle.hands[side]
        self.drawn = battle.drawn if is_asked else []
        self.line = battle.spaces[first_place : first_place + SPACES]
        self.values = battle.values[first_place : first_place + SPACES]
        self.attached = battle.attached[first_place : first_place + SPACES]
        self.shown = battle.shown[first_place : first_place + SPACES]
        placed = [len(cards) for cards in battle.spaces[enemy_place : enemy_place + SPACES]]
        self.enemy_shown = battle.shown[enemy_place : enemy_place + SPACES]
        self.enemy_line = [battle.open_content(enemy_place + n) for n in range(SPACES)]
        self.enemy_values = [
            battle.values[enemy_place + n] * battle.shown[enemy_place + n] for n in range(SPACES)
        ]
        self.enemy_attached = battle.attached[enemy_place : enemy_place + SPACES]
        self.enemy_hand = len(battle.hands[enemy])
        self.sizes: list[int] = []
        if battle.space:
            self.sizes = placed
        else:
            self.enemy_hand += sum(placed)
        self.enemy_cards = battle.begun_openly[enemy]
        self.begun_with = [len(battle.dealt[0]), len(battle.dealt[1])] if battle.dealt else []
        self.holders = battle.holders
        self.stack = len(battle.stack)
        self.discards = battle.discards

    def detach(self) -> FieldView:
        """Copy the shared lists, so that later changes to the battle do not affect the view."""
        self.options = self.options.copy()
        self.hand = self.hand.copy()
        self.drawn = self.drawn.copy()
        self.line = [cards.copy() for cards in self.line]
        self.attached = [cards.copy() for cards in self.attached]
        self.enemy_line = [cards.copy() for cards in self.enemy_line]
        self.enemy_attached = [cards.copy() for cards in self.enemy_attached]
        self.enemy_cards = self.enemy_cards.copy()
        self.holders = self.holders.copy()
        self.discards = self.discards.copy()
        return self


class FieldOfHonour(Battle):
    """One battle of Field of Honour.

    Four lists describe the two lines of cards. Space `n` of a side, counted from 0, has the index `5 * side +
    n`. The inner lists are never changed in place, so that copies of the battle can share them.
    """

    readings: Readings
    first: int  # the side N of FH-1, opposite the dealer
    picks: list[int]  # number of cards that each side may still pick
    numbers: list[int]  # number of cards dealt to each side
    pack: list[int]  # the pack before the deal: top card first, without extra and picked cards
    stacked: bool
    begun: list[list[int]]  # the extra and picked cards of each side
    begun_openly: list[list[int]]  # those of `begun` that the enemy knows
    dealt: list[list[int]]  # the starting hands and the stack
    hands: list[list[int]]  # each ascending
    stack: list[int]  # top first
    spaces: list[list[int]]
    values: list[int]  # the values of the spaces, including attached specials
    attached: list[list[int]]  # Jacks and Kings attached to the cards of a space, in playing order
    shown: list[int]  # 1 if the cards of a space are face up
    space: int  # the space of the current fight, 1 to 5; 0 before the first fight
    holders: list[int]  # the side that holds each settled space; NOBODY if the space is drawn
    drawn: list[int]  # the cards just drawn (also in the hand), during the question of FH-22
    discards: list[int]

    def begin(
        self,
        first: int,
        extras: list[list[int]],
        picks: list[int],
        numbers: list[int],
        pack: list[int],
        random_source: RandomSource,
        stacked: bool = False,
        readings: Readings = DEFAULT_READINGS,
    ) -> None:
        """Set up the battle before the deal (FH-1, FH-40). The method `run` then starts it.

        `pack` begins with the top card, and has no extra cards. If `stacked` is true, the cards below a
        picked card move up. Otherwise, the bottom card takes the place of a picked card, and all other cards
        keep their places.
        """
        self.open_agenda(2, random_source)
        self.readings = readings
        self.first = first
        self.picks = picks.copy()
        self.numbers = numbers
        self.pack = pack.copy()
        self.stacked = stacked
        self.begun = [cards.copy() for cards in extras]
        is_open = any(picks)  # an open pack shows which cards were removed from it
        self.begun_openly = [cards.copy() if is_open else [] for cards in extras]
        self.dealt = []
        self.hands = [sorted(cards) for cards in extras]
        self.stack = []
        self.spaces = [[] for _ in range(2 * SPACES)]
        self.values = [0] * (2 * SPACES)
        self.attached = [[] for _ in range(2 * SPACES)]
        self.shown = [0] * (2 * SPACES)
        self.space = 0
        self.holders = []
        self.drawn = []
        self.discards = []
        self.then_all([ASK_PICK + first, ASK_PICK + 1 - first, DEAL, *self.deployment(0)])

    def deployment(self, side: int) -> list[int]:
        """Return the steps of the agenda from the placement of the lines to the end of the battle.

        `side` is asked first, in secret (FH-6).
        """
        return [ASK_PLACE + side, ASK_PLACE + 1 - side, LINE_UP, BEGIN_SPACE]

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda. The branches of the code are in the order of play."""
        if step == ASK_PICK:
            self.ask_pick(side)
        elif step == DEAL:
            self.deal()
        elif step == ASK_PLACE:
            self.ask_place(side)
        elif step == LINE_UP:
            self.line_up()
        elif step == BEGIN_SPACE:
            self.begin_space()
        elif step == REVEAL:
            self.reveal()
        elif step == ASK_OPEN:
            self.ask_special(OPEN, side, self.hands[side])
        elif step == ASK_COUNTER:
            self.ask_special(COUNTER, side, self.hands[side])
        elif step == ASK_DRAWN:
            self.ask_special(DRAWN, side, self.drawn)
        elif step == SETTLE:
            self.settle()
        else:
            self.ask(side, END, [LEFT, RIGHT])

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice. The branches of the code are in the order of play."""
        if question == PICK:
            self.pick(side, choice)
        elif question == PLACE:
            self.place(side, choice)
        elif question == END:
            self.begin_at(side, choice)
        else:
            self.special(question, side, choice)

    def ask_pick(self, side: int) -> None:
        """Ask a side which cards it picks from the open pack (FH-38, FH-40)."""
        if self.picks[side] == 0:
            return
        self.then_step(ASK_PICK + side)
        removed = [card for cards in self.begun for card in cards]
        self.ask_even_if_forced(side, PICK, [card for card in PACK if card not in removed])

    def pick(self, side: int, card: int) -> None:
        """Move a picked card from the pack to the side's hand (FH-40)."""
        self.picks[side] -= 1
        self.begun[side] = [*self.begun[side], card]
        self.begun_openly[side] = [*self.begun_openly[side], card]
        self.hands[side] = sorted([*self.hands[side], card])
        gone = card if card in self.pack else UNKNOWN
        if self.stacked:
            self.pack.remove(gone)
        else:
            bottom = self.pack.pop()
            if bottom != gone:
                self.pack[self.pack.index(gone)] = bottom
        if self.log is not None:
            self.emit("picked", side, {"card": card})

    def deal(self) -> None:
        """Deal the cards to the sides in turn, beginning with N. The remaining cards are the stack (FH-3)."""
        dealt = [cards.copy() for cards in self.begun]
        turns = dealing_turns(self.first, self.numbers)
        for at, side in enumerate(turns):
            dealt[side].append(self.pack[at])
        self.stack = self.pack[len(turns) :]
        self.pack = []
        self.hands = [sorted(hand) for hand in dealt]
        self.dealt = [*dealt, self.stack.copy()]
        if self.log is not None:
            self.emit_deal()

    def ask_place(self, side: int) -> None:
        """Ask a side which cards it places in the next space, if one is empty (FH-6, FH-8)."""
        filled = self.filled_spaces(side)
        if filled == SPACES:
            return
        self.then_step(ASK_PLACE + side)
        hand = self.hands[side]
        options = [card for card in hand if card != UNKNOWN]
        if len(hand) - 2 >= SPACES - filled - 1:  # FH-8: keep a card for every empty space
            options += pairs_of(options)
        self.ask_knowing(hand, side, PLACE, options)

    def guess_unknown_cards(self, chance: Chance) -> None:
        """Replace the UNKNOWN cards in the hands, the stack and the pack with random unseen cards."""
        piles = [*self.hands, self.stack, self.pack]
        number = sum([pile.count(UNKNOWN) for pile in piles])
        if number == 0:
            return
        known = [card for cards in [*self.begun, *self.dealt, *piles, *self.spaces] for card in cards]
        guesses = chance.sample(number, [card for card in PACK if card not in known])
        for side in (0, 1):
            hand = self.hands[side]
            self.hands[side] = sorted([guesses.pop() if card == UNKNOWN else card for card in hand])
        self.stack = [guesses.pop() if card == UNKNOWN else card for card in self.stack]
        self.pack = [guesses.pop() if card == UNKNOWN else card for card in self.pack]

    def place(self, side: int, choice: int) -> None:
        """Place one or two cards face down in the next space (FH-6, FH-7)."""
        cards = [choice] if choice < HIGH else [choice % HIGH, choice // HIGH]
        filled = self.filled_spaces(side)
        self.lay(SPACES * side + filled, cards)
        self.hands[side] = [card for card in self.hands[side] if not is_among(card, cards)]
        if self.log is not None:
            self.emit("placed", side, {}, {"space": filled + 1, "cards": cards.copy()}, [side], whole=True)

    def choose_all(self, choices: list[int]) -> None:
        """Make several choices for one side. Those for a whole line are placed at once, which is faster."""
        if self.question != PLACE:
            super().choose_all(choices)
            return
        side = self.side
        for choice in choices:
            self.place(side, choice)
        self.side = NOBODY
        self.run()

    def lay(self, at: int, cards: list[int]) -> None:
        self.spaces[at] = cards
        self.values[at] = sum([VALUES[card] for card in cards])

    def filled_spaces(self, side: int) -> int:
        filled = 0
        while filled < SPACES and self.spaces[SPACES * side + filled]:
            filled += 1
        return filled

    def line_up(self) -> None:
        """Show all sides how many cards each side has in each space and in hand (FH-9)."""
        if self.log is not None:
            sizes = [len(cards) for cards in self.spaces]
            self.emit(
                "lined_up",
                NOBODY,
                {
                    "sizes": [sizes[:SPACES], sizes[SPACES:]],
                    "hands": [len(hand) for hand in self.hands],
                    "stack": len(self.stack),
                },
            )

    def begin_space(self) -> None:
        """Begin the fight for the next space (FH-11, FH-12), or end the battle after the fifth (FH-35)."""
        if self.space == SPACES:
            if self.log is not None:
                self.emit_end()
            return
        self.space += 1
        self.then(REVEAL, ASK_OPEN + self.first, SETTLE, BEGIN_SPACE)
        if self.space == 1 and self.readings.chosen_end:
            self.then_step(ASK_END + self.first)

    def begin_at(self, side: int, end: int) -> None:
        """Begin the fights at the end `end` of the lines, and number the spaces from there (FH-11)."""
        if end == RIGHT:
            for first in (0, SPACES):
                last = first + SPACES
                self.spaces[first:last] = self.spaces[first:last][::-1]
                self.values[first:last] = self.values[first:last][::-1]
        if self.log is not None:
            sizes = [len(cards) for cards in self.spaces]
            fields: dict[str, object] = {"end": "left" if end == LEFT else "right"}
            self.emit("begun", side, fields | {"sizes": [sizes[:SPACES], sizes[SPACES:]]})

    def reveal(self) -> None:
        """Turn up the cards of both sides in the current space (FH-12)."""
        self.shown[self.at(0)] = 1
        self.shown[self.at(1)] = 1
        if self.log is not None:
            self.emit(
                "revealed",
                NOBODY,
                {
                    "space": self.space,
                    "contents": self.contents(),
                    "attached": self.both_attached(),
                    "values": self.both_values(),
                },
            )

    def ask_special(self, question: int, side: int, cards: list[int]) -> None:
        """Ask a side whether it plays a special from `cards`. A side without specials passes (FH-13)."""
        self.ask_knowing(cards, side, question, [PASS, *self.playable(side, cards)])

    def ask_knowing(self, cards: list[int], side: int, question: int, options: list[int]) -> None:
        """Ask a question whose options depend on `cards`.

        If the program does not know all of the cards, it asks even if only one option is known.
        """
        if is_among(UNKNOWN, cards):
            self.ask_even_if_forced(side, question, options)
        else:
            self.ask(side, question, options)

    def playable(self, side: int, cards: list[int]) -> list[int]:
        """Return the choices that play a special from `cards`, one for each effect (FH-17, FH-33)."""
        choices = []
        for card in cards:
            if card >= FIRST_SPECIAL:
                for power in powers_of(card):
                    if self.is_possible(side, power):
                        choices.append(card + HIGH * power)
                    if power == REDEPLOY and self.readings.either_way and self.space > 1:
                        choices.append(card + HIGH * REDEPLOY_BACK)  # FH-25
        return choices

    def is_possible(self, side: int, power: int) -> bool:
        """Return True if a special with the effect `power` can be played now (FH-33)."""
        if power == DRAW:
            return len(self.stack) > 0  # FH-21
        if power == DISCARD:
            return len(self.hands[1 - side]) > 0  # FH-21
        if power == RALLY:
            return self.values[self.at(0)] == self.values[self.at(1)]  # FH-24
        if power == REDEPLOY:
            return self.space < SPACES  # FH-25
        return True

    def special(self, question: int, side: int, choice: int) -> None:
        """Carry out a choice to play a special, which the enemy may counter, or to pass (FH-13 to FH-16)."""
        playable: list[int] = []  # drawn cards that the side may play at once (FH-22)
        if question == DRAWN and self.readings.both_drawn:
            playable = [card for card in self.drawn if card != choice % HIGH]
        self.drawn = []
        if choice == PASS:
            if self.log is not None:
                self.emit("passed", side, {"question": question})
            if question == OPEN and side == self.first:
                self.then_step(ASK_OPEN + 1 - side)
            return
        if question == OPEN or (question == COUNTER and not self.readings.one_answer):
            self.then_step(ASK_COUNTER + 1 - side)  # after a drawn card, this step is already on the agenda
        self.play(question, side, choice % HIGH, choice // HIGH)
        if playable:
            if not self.drawn:
                self.then_step(ASK_DRAWN + side)
            self.drawn = sorted(playable + self.drawn)

    def play(self, question: int, side: int, card: int, power: int) -> None:
        """Play a special from the hand. It takes effect at once (FH-16, FH-20)."""
        self.hands[side] = [held for held in self.hands[side] if held != card]
        if self.log is not None:
            self.emit("played", side, {"card": card, "power": power, "question": question})
        if power == DRAW:
            self.draw(side)
        elif power == DISCARD:
            self.make_discard(1 - side)
        elif power == RALLY:
            self.rally(side)
        elif power == REDEPLOY:
            self.redeploy(side)
        elif power == SWAP:
            self.swap()
        elif power == DOUBLE:
            self.double(side)
        else:
            self.redeploy_back(side)
        if power in (RALLY, DOUBLE):
            at = self.at(side)
            self.attached[at] = [*self.attached[at], card]  # FH-30
        else:
            self.discards.append(card)  # FH-32

    def draw(self, side: int) -> None:
        """Draw two cards from the stack. The side may play one of them at once (FH-20, FH-22)."""
        drawn = sorted(self.stack[:2])
        self.stack = self.stack[2:]
        self.hands[side] = sorted(self.hands[side] + drawn)
        self.drawn = drawn
        self.then_step(ASK_DRAWN + side)
        if self.log is not None:
            self.emit(
                "drew",
                side,
                {"number": len(drawn), "stack": len(self.stack)},
                {"cards": drawn.copy()},
                [side],
            )

    def make_discard(self, side: int) -> None:
        """Make a side discard a random card from its hand. Both sides see the card (FH-20)."""
        hand = self.hands[side].copy()
        card = self.random_source.one_of(DISCARDED, side, hand)
        hand.remove(card)
        self.hands[side] = hand
        self.discards.append(card)
        if self.log is not None:
            self.emit("discarded", side, {"card": card, "hand": len(hand)})

    def rally(self, side: int) -> None:
        """Add 1 to the value of the side's cards in the space (FH-24)."""
        was = self.values[self.at(side)]
        self.values[self.at(side)] = was + 1
        if self.log is not None:
            self.emit("rallied", side, {"was": was, "values": self.both_values()})

    def double(self, side: int) -> None:
        """Double the current value of the side's cards in the space (FH-28, FH-31)."""
        was = self.values[self.at(side)]
        self.values[self.at(side)] = 2 * was
        if self.log is not None:
            self.emit("doubled", side, {"was": was, "values": self.both_values()})

    def redeploy(self, side: int) -> None:
        """Exchange the side's cards with those in the next space, all face up (FH-25, FH-26)."""
        at = self.at(side)
        self.exchange(at, at + 1)
        self.shown[at] = 1
        if self.log is not None:
            self.emit(
                "redeployed",
                side,
                {
                    "came": self.spaces[at].copy(),
                    "sent": self.spaces[at + 1].copy(),
                    "sent_value": self.values[at + 1],
                    "values": self.both_values(),
                },
            )

    def redeploy_back(self, side: int) -> None:
        """Exchange the side's cards in this space with those in the previous space (FH-25).

        The previous space stays settled, so specials attached to cards that move there are discarded (FH-30).
        """
        at = self.at(side)
        self.discards += self.attached[at]
        self.attached[at] = []
        self.exchange(at, at - 1)
        self.lay(at, self.spaces[at])
        self.lay(at - 1, self.spaces[at - 1])
        if self.log is not None:
            self.emit(
                "redeployed_back",
                side,
                {
                    "came": self.spaces[at].copy(),
                    "sent": self.spaces[at - 1].copy(),
                    "values": self.both_values(),
                },
            )

    def swap(self) -> None:
        """Exchange the cards of both sides in the space, with the specials attached to them (FH-27)."""
        self.exchange(self.at(0), self.at(1))
        if self.log is not None:
            self.emit(
                "swapped",
                NOBODY,
                {
                    "contents": self.contents(),
                    "attached": self.both_attached(),
                    "values": self.both_values(),
                },
            )

    def exchange(self, a: int, b: int) -> None:
        """Exchange the cards of the spaces `a` and `b`, with the specials attached to them (FH-30)."""
        spaces, values, attached, shown = self.spaces, self.values, self.attached, self.shown
        spaces[a], spaces[b] = spaces[b], spaces[a]
        values[a], values[b] = values[b], values[a]
        attached[a], attached[b] = attached[b], attached[a]
        shown[a], shown[b] = shown[b], shown[a]

    def settle(self) -> None:
        """Give the space to the side with the higher value, and discard attached specials (FH-32, FH-34)."""
        values = self.both_values()
        holder = NOBODY
        if values[0] != values[1]:
            holder = 0 if values[0] > values[1] else 1
        self.holders.append(holder)
        attached = self.both_attached()
        for side in (0, 1):
            self.discards += attached[side]
            self.attached[self.at(side)] = []
        if self.log is not None:
            self.emit(
                "settled",
                NOBODY,
                {
                    "space": self.space,
                    "holder": holder,
                    "contents": self.contents(),
                    "values": values,
                    "attached": attached,
                    "held": [self.spaces_won_by(0), self.spaces_won_by(1)],
                },
            )

    def at(self, side: int) -> int:
        """Return the index of a side's current space in the lists of spaces."""
        return SPACES * side + self.space - 1

    def both_values(self) -> list[int]:
        return [self.values[self.at(0)], self.values[self.at(1)]]

    def contents(self) -> list[list[int]]:
        """Return the cards of both sides in the current space."""
        return [self.spaces[self.at(0)].copy(), self.spaces[self.at(1)].copy()]

    def both_attached(self) -> list[list[int]]:
        """Return the specials that are attached in the current space, as one list for each side."""
        return [self.attached[self.at(0)].copy(), self.attached[self.at(1)].copy()]

    def open_content(self, at: int) -> list[int]:
        """Return the cards in a space, or an empty list if they lie face down (FH-9)."""
        return self.spaces[at] if self.shown[at] else []

    def emit_deal(self) -> None:
        """Log which side deals, and the sizes of the hands and of the stack. Show each side its own cards."""
        dealt = self.dealt
        self.emit(
            "dealt",
            NOBODY,
            {
                "dealer": 1 - self.first,
                "opposite": self.first,
                "hands": [len(hand) for hand in dealt[:2]],
                "stack": len(self.stack),
            },
        )
        for side in (0, 1):
            self.emit("received", side, {}, {"cards": self.hands[side].copy()}, [side], whole=True)

    def emit_end(self) -> None:
        ended = self.outcome()
        self.emit(
            "ended",
            NOBODY,
            {
                "winners": ended.winners,
                "reason": ended.reason,
                "held": [self.spaces_won_by(0), self.spaces_won_by(1)],
                "scores": [self.score(0), self.score(1)],
            },
        )

    def spaces_won_by(self, side: int) -> int:
        """Return the number of spaces that a side holds, from 0 to 5 (FH-34)."""
        return self.holders.count(side)

    def score(self, side: int) -> int:
        """Return a side's score: 1 point for each space that it holds, and 2 for winning (FH-36, FH-41)."""
        held = self.spaces_won_by(side)
        is_won = len(self.holders) == SPACES and held > self.spaces_won_by(1 - side)
        return held + 2 if is_won else held

    def outcome(self) -> Outcome[int]:
        """Return the result. The side that holds more spaces wins (FH-35).

        The losses of a side are the share of spaces that the enemy holds (FH-41).
        """
        held = [self.spaces_won_by(0), self.spaces_won_by(1)]
        losses = [(held[1], SPACES), (held[0], SPACES)]  # FH-41
        if held[0] == held[1]:
            return Outcome([], "level", losses)
        return Outcome([0 if held[0] > held[1] else 1], "more-spaces", losses)

    def is_decided(self) -> bool:
        """Return True if the winner is certain (FH-35).

        The winner is certain if no space is left, or if too few are left for the side behind to draw level.
        """
        left = SPACES - len(self.holders)
        return left == 0 or (left < 3 and abs(self.spaces_won_by(0) - self.spaces_won_by(1)) > left)

    def view(self, side: int) -> FieldView:
        return FieldView(self, side).detach()

    def fast_view(self, side: int) -> FieldView:
        return FieldView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> FieldOfHonour:
        """Return a copy in which the enemy's hidden cards and the stack are dealt again.

        In a battle with real cards, the cards that nobody has seen are hidden too, also those of the viewer.

        If the viewer knows that the enemy began with a card, the card stays with the enemy. Face-down pairs
        total at most 10 (FH-7). If lines are still being placed, the enemy places its whole line again, after
        the viewer.
        """
        if viewer == NOBODY:
            return self.redeal_for_public(chance)
        new = self.complete_copy(chance)
        enemy = 1 - viewer
        new.forget_the_deal([enemy])
        if self.pack:
            chance.shuffle(new.pack)
            return new
        if self.space == 0:
            new.take_back(enemy)
        new.deal_again(enemy, chance)
        if self.space == 0:
            new.todo.clear()
            new.then_all(self.deployment(viewer))
            if self.side == enemy:
                new.side = NOBODY
                new.run()
        elif self.side == enemy:
            new.ask_again(chance)
        return new

    def redeal_for_public(self, chance: Chance) -> FieldOfHonour:
        """Return a copy in which the hidden cards of both sides and the stack are dealt again.

        While the first side's hidden cards are dealt again, the hidden cards of the second side are shuffled
        into the stack. Therefore every hidden card can go to either side.
        """
        new = self.complete_copy(chance)
        new.forget_the_deal([0, 1])
        if self.pack:
            chance.shuffle(new.pack)
            return new
        if self.space == 0:
            new.take_back(0)
            new.take_back(1)
        mixed = new.loose_cards(1)
        new.stack = new.stack + mixed
        new.deal_again(0, chance)
        becomes = dict(zip(mixed, new.stack[len(self.stack) :], strict=True))
        new.stack = new.stack[: len(self.stack)]
        new.hands[1] = sorted([becomes.get(card, card) for card in new.hands[1]])
        for at in range(SPACES, SPACES + SPACES):
            if not new.shown[at]:
                new.spaces[at] = [becomes.get(card, card) for card in new.spaces[at]]
        new.deal_again(1, chance)
        if self.space == 0:
            new.todo.clear()
            new.then_all(self.deployment(self.first))
            new.side = NOBODY
            new.run()
        elif self.side != NOBODY:
            new.ask_again(chance)
        return new

    def forget_the_deal(self, sides: list[int]) -> None:
        """Remove the facts about the deal that a copy with redealt cards must not reveal.

        The removed facts are the stack, the first hands of the sides in `sides`, which cards of these hands
        were extra cards, and whether the pack was stacked.
        """
        self.stacked = False
        if not self.dealt:
            return
        dealt = self.dealt.copy()
        self.begun = self.begun.copy()
        for hand in [*sides, 2]:
            dealt[hand] = [UNKNOWN] * len(dealt[hand])
        for side in sides:
            self.begun[side] = self.begun_openly[side]
        self.dealt = dealt
        self.numbers = [len(hand) for hand in dealt[:2]]

    def loose_cards(self, side: int) -> list[int]:
        """Return those hand cards and face-down cards of a side that the enemy cannot know.

        The cards are in ascending order. The enemy knows the cards that a side picked. If any side picks
        cards, the enemy also knows the extra cards.
        """
        cards = self.hands[side].copy()
        for at in range(SPACES * side, SPACES * side + SPACES):
            if not self.shown[at]:
                cards += self.spaces[at]
        openly = self.begun_openly[side]
        return sorted([card for card in cards if card not in openly])

    def take_back(self, side: int) -> None:
        """Return a side's placed cards to its hand."""
        for at in range(SPACES * side, SPACES * side + SPACES):
            self.hands[side] = sorted(self.hands[side] + self.spaces[at])
            self.spaces[at] = []
            self.values[at] = 0

    def deal_again(self, side: int, chance: Chance) -> None:
        """Deal a side's hidden cards and the stack again."""
        down = [at for at in range(SPACES * side, SPACES * side + SPACES) if not self.shown[at]]
        cards = self.hands[side].copy()
        for at in down:
            cards += self.spaces[at]
        bound = [card for card in self.begun_openly[side] if card in cards]
        loose = [card for card in cards + self.stack if card not in bound]
        loose.sort()
        pairs = [at for at in down if len(self.spaces[at]) == 2]
        dealt = fitting_pairs(len(pairs), bound, loose, len(cards) - len(bound), chance)
        if not dealt:
            dealt = [card for at in pairs for card in self.spaces[at]]
        bound = [card for card in bound if card not in dealt]
        loose = [card for card in loose if card not in dealt]
        chance.shuffle(loose)
        others_left = bound + [loose.pop() for _ in range(len(cards) - len(dealt) - len(bound))]
        chance.shuffle(others_left)
        for at in down:
            if len(self.spaces[at]) == 2:
                self.lay(at, sorted([dealt.pop(), dealt.pop()]))
            elif self.spaces[at]:
                self.lay(at, [others_left.pop()])
        self.hands[side] = sorted(others_left)
        self.stack = [loose.pop() for _ in self.stack]

    def ask_again(self, chance: Chance) -> None:
        """Ask the current question again, with options that fit the redealt hand."""
        if self.question == END:
            return
        hand = self.hands[self.side]
        cards = hand
        if self.question == DRAWN:
            self.drawn = sorted(chance.sample(len(self.drawn), hand))
            cards = self.drawn
        self.options = [PASS, *self.playable(self.side, cards)]

    def copy(self) -> FieldOfHonour:
        new = FieldOfHonour()
        self.copy_agenda(new)
        new.readings = self.readings
        new.first = self.first
        new.picks = self.picks.copy()
        new.numbers = self.numbers
        new.pack = self.pack.copy()
        new.stacked = self.stacked
        new.begun = self.begun.copy()
        new.begun_openly = self.begun_openly.copy()
        new.dealt = self.dealt
        new.hands = self.hands.copy()
        new.stack = self.stack.copy()
        new.spaces = self.spaces.copy()
        new.values = self.values.copy()
        new.attached = self.attached.copy()
        new.shown = self.shown.copy()
        new.space = self.space
        new.holders = self.holders.copy()
        new.drawn = self.drawn.copy()
        new.discards = self.discards.copy()
        return new

    def state(self) -> list[list[int]]:
        """Return every mutable field as lists of numbers.

        The pack is sorted, because a record does not contain the order of cards that were not dealt.
        """
        return [
            *self.agenda(),
            [self.first, self.stacked, self.space],
            self.picks,
            self.numbers,
            sorted(self.pack),
            *self.begun,
            *self.begun_openly,
            *self.dealt,
            *self.hands,
            self.stack,
            *self.spaces,
            self.values,
            *self.attached,
            self.shown,
            self.holders,
            self.drawn,
            self.discards,
        ]


def dealing_turns(first: int, numbers: list[int]) -> list[int]:
    """Return the side that gets each dealt card, from the first card to the last (FH-3).

    `first` is the side that gets the first card. `numbers` has the number of cards for each side.

    >>> dealing_turns(1, [2, 4])
    [1, 0, 1, 0, 1, 1]
    """
    turns: list[int] = []
    for n in range(max(numbers)):
        for side in (first, 1 - first):
            if n < numbers[side]:
                turns.append(side)
    return turns


def pairs_of(cards: list[int]) -> list[int]:
    """Return the choices that place two of the `cards` together (FH-7).

    The cards must be in ascending order.
    """
    low = [card for card in cards if VALUES[card] < MOST_OF_TWO - 1]
    pairs: list[int] = []
    for at, card in enumerate(low):
        room = MOST_OF_TWO - VALUES[card]
        for second in range(at + 1, len(low)):
            if VALUES[low[second]] <= room:
                pairs.append(card + HIGH * low[second])
    return pairs


def choice_of(content: list[int]) -> int:
    """Return the choice that places the cards in `content` in a space."""
    return content[0] if len(content) == 1 else content[0] + HIGH * content[1]


def powers_of(card: int) -> list[int]:
    """Return the possible effects of a special. A Joker can have any effect (FH-29)."""
    return POWERS.get(rank_of(card), ANY_POWER)


def fitting_pairs(count: int, bound: list[int], loose: list[int], room: int, chance: Chance) -> list[int]:
    """Draw pairs of cards with a total of at most 10 for a side, and return them as one flat list (FH-7).

    If no legal pairs are found, the list is empty.

    The side has all cards in `bound`, and also `room` of the cards in `loose`. If one pair is illegal, all
    pairs are drawn again (rejection sampling). All legal deals are therefore equally likely.
    """
    low = [card for card in bound + loose if VALUES[card] < MOST_OF_TWO - 1]
    if len(low) < 2 * count:
        return []
    bound_low = len([card for card in bound if VALUES[card] < MOST_OF_TWO - 1])
    free = max(0, 2 * count - bound_low)  # minimum number of loose cards in `count` pairs
    for _ in range(TRIES):
        pairs = draw_pairs(count, low, chance)
        if len(pairs) < 2 * count:
            continue
        used = len([card for card in pairs if card in loose])
        if used <= room and all_dealt(free, used, room, len(loose), chance):
            return pairs
    return []


def draw_pairs(count: int, low: list[int], chance: Chance) -> list[int]:
    """Draw up to `count` pairs, but stop at the first illegal pair (FH-7). Return the legal pairs."""
    left = low.copy()
    pairs: list[int] = []
    for _ in range(count):
        a = left[chance.below(len(left))]
        b = left[chance.below(len(left))]
        if a == b or VALUES[a] + VALUES[b] > MOST_OF_TWO:
            break
        pairs += [a, b]
        left.remove(a)
        left.remove(b)
    return pairs


def all_dealt(free: int, used: int, room: int, loose: int, chance: Chance) -> bool:
    """Decide at random whether a side can hold all loose cards in the pairs.

    The pairs contain `used` loose cards, and the side holds `room` of the `loose` loose cards. The
    probability of True is proportional to the chance that the side was dealt the loose cards in the pairs.
    Every set of pairs contains at least `free` loose cards, so the factors of the first `free` cards are
    always the same and are left out.
    """
    return all(chance.below(loose - n) < room - n for n in range(free, used))
