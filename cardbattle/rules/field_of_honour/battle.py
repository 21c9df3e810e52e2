"""Field of Honour: two lines of five spaces meet one after the other.

Each side fills five spaces with one or two cards face down and keeps the rest in hand. Space by
space the contents are turned up and the higher value holds it; court cards, Aces and Jokers
kept in hand are specials that may change that, each answered by the other side. Most spaces
win. Two sides; chance decides only what an Ace makes the enemy discard.
Source: "Field of Honour - Rapid Play Battlefield Card Game", version 1, January 2007, author
unknown; numbers FH-n in rules.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, Outcome, View
from cardbattle.core.cards import ACE, JACK, JOKERS, KING, QUEEN, is_among, rank_of, standard_pack

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, Fate

SPACES: Final = 5
PACK: Final = [*standard_pack(), *JOKERS]  # FH-2
VALUES: Final = [min(rank_of(card), 10) for card in range(60)] + [15, 15]  # FH-5
MOST_OF_TWO: Final = 10  # FH-7
FIRST_SPECIAL: Final = 4 * JACK  # the lowest court card; every card from here on is a special

DRAW: Final = 1  # what a special can do
DISCARD: Final = 2
RALLY: Final = 3
REDEPLOY: Final = 4
SWAP: Final = 5
DOUBLE: Final = 6
POWERS: Final = {ACE: [DRAW, DISCARD], KING: [RALLY, REDEPLOY], QUEEN: [SWAP], JACK: [DOUBLE]}
ANY_POWER: Final = [DRAW, DISCARD, RALLY, REDEPLOY, SWAP, DOUBLE]  # FH-29

PICK: Final = 1  # questions: FH-40, FH-D1, FH-D2, FH-D3, FH-D4
PLACE: Final = 2
OPEN: Final = 3
COUNTER: Final = 4
DRAWN: Final = 5
PASS: Final = 0  # besides it a choice is a card, or card + HIGH * (the second card or the power)
HIGH: Final = 64

ASK_PICK: Final = 16  # steps, in playing order
DEAL: Final = 32
ASK_PLACE: Final = 48
LINE_UP: Final = 64
BEGIN_SPACE: Final = 80
REVEAL: Final = 96
ASK_OPEN: Final = 112
ASK_COUNTER: Final = 128
ASK_DRAWN: Final = 144
SETTLE: Final = 160

DISCARDED: Final = 1  # what fate decides: the card an Ace makes the enemy discard

TRIES: Final = 100  # redeal: draws for a pair that fits, before the true ones stay


@mypyc_attr(allow_interpreted_subclasses=True)
class FieldView(View):
    """What a side of Field of Honour may know (FH-9, FH-23, FH-26, FH-32).

    It shows the battle's own lists until it is detached. Lines are five contents, of the enemy's
    an empty one where it lies face down; `sizes` holds how many cards lie in each of the enemy's
    spaces once both lines are in place, `enemy_cards` those it is known to have begun with, and
    `begun_with` how many cards each side had then.
    """

    def __init__(self, battle: FieldOfHonour, side: int) -> None:
        enemy = 1 - side
        here, there = SPACES * side, SPACES * enemy
        is_asked = battle.side == side
        self.side = side
        self.question = battle.question if is_asked else 0
        self.options = battle.options if is_asked else []
        self.first = battle.first
        self.space = battle.space
        self.hand = battle.hands[side]
        self.drawn = battle.drawn if is_asked else []
        self.line = battle.spaces[here : here + SPACES]
        self.values = battle.values[here : here + SPACES]
        self.attached = battle.attached[here : here + SPACES]
        self.shown = battle.shown[here : here + SPACES]
        placed = [len(cards) for cards in battle.spaces[there : there + SPACES]]
        self.enemy_shown = battle.shown[there : there + SPACES]
        self.enemy_line = [battle.open_content(there + n) for n in range(SPACES)]
        self.enemy_values = [battle.values[there + n] * battle.shown[there + n] for n in range(SPACES)]
        self.enemy_attached = battle.attached[there : there + SPACES]
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
        """Take copies of the battle's lists, so that neither feels what happens to the other."""
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

    What lies in space n (from 0) of a side is at index 5 * side + n of four lists. Lists inside
    lists are replaced, never changed, so a copy may share them.
    """

    first: int  # N of FH-1, the side opposite the dealer
    picks: list[int]  # how many cards each side may still pick
    numbers: list[int]  # how many cards each side is dealt
    pack: list[int]  # before the deal: top first, without extras and picks
    stacked: bool
    begun: list[list[int]]  # extra and picked cards of each side
    begun_openly: list[list[int]]  # those of them that the enemy knows
    dealt: list[list[int]]  # the hands as the battle began, and the stack
    hands: list[list[int]]  # each ascending
    stack: list[int]  # top first
    spaces: list[list[int]]
    values: list[int]  # what the spaces are worth with all that lies on them
    attached: list[list[int]]  # Jacks and Kings on a content, in the order played
    shown: list[int]  # 1: face up
    space: int  # the space being fought for, 1 to 5; 0 before
    holders: list[int]  # who holds each settled space; NOBODY if it is drawn
    drawn: list[int]  # while FH-22 is asked: the cards just drawn, which lie in the hand too
    discards: list[int]

    def begin(
        self,
        first: int,
        extras: list[list[int]],
        picks: list[int],
        numbers: list[int],
        pack: list[int],
        fate: Fate,
        stacked: bool = False,
    ) -> None:
        """Set the battle up before the deal (FH-1, FH-40); `run` then begins it.

        `pack` is top first and without the extras. A picked card leaves a gap in a `stacked`
        pack that closes; else the bottom card takes its place, so that all others stay.
        """
        self.open_agenda(2, fate)
        self.first = first
        self.picks = picks.copy()
        self.numbers = numbers
        self.pack = pack.copy()
        self.stacked = stacked
        self.begun = [cards.copy() for cards in extras]
        is_open = any(picks)  # who sees the open pack sees what is missing from it
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
        """Return the steps from the deployment on; both place in secret (FH-6), this side is asked first."""
        return [ASK_PLACE + side, ASK_PLACE + 1 - side, LINE_UP, BEGIN_SPACE]

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda; the steps stand in playing order."""
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
        else:
            self.settle()

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice; the questions stand in playing order."""
        if question == PICK:
            self.pick(side, choice)
        elif question == PLACE:
            self.place(side, choice)
        else:
            self.special(question, side, choice)

    def ask_pick(self, side: int) -> None:
        """Ask a side for all the cards that it may pick from the open pack (FH-38, FH-40)."""
        if self.picks[side] == 0:
            return
        self.then_step(ASK_PICK + side)
        taken = [card for cards in self.begun for card in cards]
        self.ask_even_if_forced(side, PICK, [card for card in PACK if card not in taken])

    def pick(self, side: int, card: int) -> None:
        """Take a card out of the pack into the hand (FH-40)."""
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
            self.tell("picked", side, {"card": card})

    def deal(self) -> None:
        """Deal one card each in turn, N first; the rest is the stack (FH-3)."""
        dealt = [cards.copy() for cards in self.begun]
        turns = dealing_turns(self.first, self.numbers)
        for at, side in enumerate(turns):
            dealt[side].append(self.pack[at])
        self.stack = self.pack[len(turns) :]
        self.pack = []
        self.hands = [sorted(hand) for hand in dealt]
        self.dealt = [*dealt, self.stack.copy()]
        if self.log is not None:
            self.tell_deal()

    def ask_place(self, side: int) -> None:
        """Ask a side for its next space, until all five are filled (FH-6, FH-8)."""
        filled = self.filled_spaces(side)
        if filled == SPACES:
            return
        self.then_step(ASK_PLACE + side)
        hand = self.hands[side]
        options = [card for card in hand if card != UNKNOWN]
        if len(hand) - 2 >= SPACES - filled - 1:  # FH-8: a card remains for every empty space
            options += pairs_of(options)
        self.ask_knowing(hand, side, PLACE, options)

    def place(self, side: int, choice: int) -> None:
        """Place one card or two face down in the next space (FH-6, FH-7)."""
        cards = [choice] if choice < HIGH else [choice % HIGH, choice // HIGH]
        filled = self.filled_spaces(side)
        self.lay(SPACES * side + filled, cards)
        self.hands[side] = [card for card in self.hands[side] if not is_among(card, cards)]
        if self.log is not None:
            self.tell("placed", side, {}, {"space": filled + 1, "cards": cards.copy()}, [side], whole=True)

    def choose_all(self, choices: list[int]) -> None:
        """Take choices of one side in a row; a line is laid without asking for each of its spaces."""
        if self.question != PLACE:
            super().choose_all(choices)
            return
        side = self.side
        for choice in choices:
            self.place(side, choice)
        self.side = NOBODY
        self.run()

    def lay(self, at: int, cards: list[int]) -> None:
        """Lay cards face down into a space (FH-6)."""
        self.spaces[at] = cards
        self.values[at] = sum([VALUES[card] for card in cards])

    def filled_spaces(self, side: int) -> int:
        """Return how many spaces a side has filled, 0 to 5."""
        filled = 0
        while filled < SPACES and self.spaces[SPACES * side + filled]:
            filled += 1
        return filled

    def line_up(self) -> None:
        """Let both see how many cards lie in each space, and how many are in hand (FH-9)."""
        if self.log is not None:
            sizes = [len(cards) for cards in self.spaces]
            self.tell(
                "lined_up",
                NOBODY,
                {
                    "sizes": [sizes[:SPACES], sizes[SPACES:]],
                    "hands": [len(hand) for hand in self.hands],
                    "stack": len(self.stack),
                },
            )

    def begin_space(self) -> None:
        """Fight for the next space (FH-11, FH-12), or end the battle after the fifth (FH-35)."""
        if self.space == SPACES:
            if self.log is not None:
                self.tell_end()
            return
        self.space += 1
        self.then(REVEAL, ASK_OPEN + self.first, SETTLE, BEGIN_SPACE)

    def reveal(self) -> None:
        """Turn up both contents of the space (FH-12)."""
        self.shown[self.at(0)] = 1
        self.shown[self.at(1)] = 1
        if self.log is not None:
            self.tell(
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
        """Ask a side for one of the specials among these cards; without any it passes (FH-13)."""
        self.ask_knowing(cards, side, question, [PASS, *self.playable(side, cards)])

    def ask_knowing(self, cards: list[int], side: int, question: int, options: list[int]) -> None:
        """Ask; where nobody wrote down some of these cards, a single option is no forced answer."""
        if is_among(UNKNOWN, cards):
            self.ask_even_if_forced(side, question, options)
        else:
            self.ask(side, question, options)

    def playable(self, side: int, cards: list[int]) -> list[int]:
        """Return the specials among these cards with what each can do now (FH-17, FH-33)."""
        found = []
        for card in cards:
            if card >= FIRST_SPECIAL:
                for power in powers_of(card):
                    if self.is_possible(side, power):
                        found.append(card + HIGH * power)
        return found

    def is_possible(self, side: int, power: int) -> bool:
        """Say whether what a special does is possible now (FH-33)."""
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
        """Carry out a special, which the other side may counter, or a pass (FH-13 to FH-16)."""
        self.drawn = []
        if choice == PASS:
            if self.log is not None:
                self.tell("passed", side, {"question": question})
            if question == OPEN and side == self.first:
                self.then_step(ASK_OPEN + 1 - side)
            return
        if question != DRAWN:  # after a drawn card the counter is on the agenda already
            self.then_step(ASK_COUNTER + 1 - side)
        self.play(question, side, choice % HIGH, choice // HIGH)

    def play(self, question: int, side: int, card: int, power: int) -> None:
        """Play a special from the hand and do at once what it does (FH-16, FH-20)."""
        self.hands[side] = [held for held in self.hands[side] if held != card]
        if self.log is not None:
            self.tell("played", side, {"card": card, "power": power, "question": question})
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
        else:
            self.double(side)
        if power in (RALLY, DOUBLE):
            at = self.at(side)
            self.attached[at] = [*self.attached[at], card]  # FH-30
        else:
            self.discards.append(card)  # FH-32

    def draw(self, side: int) -> None:
        """Draw two cards from the stack, one of which may be played at once (FH-20, FH-22)."""
        drawn = sorted(self.stack[:2])
        self.stack = self.stack[2:]
        self.hands[side] = sorted(self.hands[side] + drawn)
        self.drawn = drawn
        self.then_step(ASK_DRAWN + side)
        if self.log is not None:
            self.tell(
                "drew",
                side,
                {"number": len(drawn), "stack": len(self.stack)},
                {"cards": drawn.copy()},
                [side],
            )

    def make_discard(self, side: int) -> None:
        """Make a side discard a card of its hand at random, shown to both (FH-20)."""
        hand = self.hands[side].copy()
        card = self.fate.one_of(DISCARDED, side, hand)
        hand.remove(card)
        self.hands[side] = hand
        self.discards.append(card)
        if self.log is not None:
            self.tell("discarded", side, {"card": card, "hand": len(hand)})

    def rally(self, side: int) -> None:
        """Add one to the value of the space (FH-24)."""
        was = self.values[self.at(side)]
        self.values[self.at(side)] = was + 1
        if self.log is not None:
            self.tell("rallied", side, {"was": was, "values": self.both_values()})

    def double(self, side: int) -> None:
        """Double the value of the space as it stands (FH-28, FH-31)."""
        was = self.values[self.at(side)]
        self.values[self.at(side)] = 2 * was
        if self.log is not None:
            self.tell("doubled", side, {"was": was, "values": self.both_values()})

    def redeploy(self, side: int) -> None:
        """Exchange the content of the space with that of the next; both lie face up (FH-25, FH-26)."""
        at = self.at(side)
        self.exchange(at, at + 1)
        self.shown[at] = 1
        if self.log is not None:
            self.tell(
                "redeployed",
                side,
                {
                    "came": self.spaces[at].copy(),
                    "sent": self.spaces[at + 1].copy(),
                    "sent_value": self.values[at + 1],
                    "values": self.both_values(),
                },
            )

    def swap(self) -> None:
        """Exchange the facing contents with all that lies on them (FH-27)."""
        self.exchange(self.at(0), self.at(1))
        if self.log is not None:
            self.tell(
                "swapped",
                NOBODY,
                {
                    "contents": self.contents(),
                    "attached": self.both_attached(),
                    "values": self.both_values(),
                },
            )

    def exchange(self, a: int, b: int) -> None:
        """Exchange two contents; what is attached moves with them (FH-30)."""
        spaces, values, attached, shown = self.spaces, self.values, self.attached, self.shown
        spaces[a], spaces[b] = spaces[b], spaces[a]
        values[a], values[b] = values[b], values[a]
        attached[a], attached[b] = attached[b], attached[a]
        shown[a], shown[b] = shown[b], shown[a]

    def settle(self) -> None:
        """Let the higher value hold the space; what is attached is discarded (FH-32, FH-34)."""
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
            self.tell(
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
        """Return where this side's content of the space being fought for stands in the lists."""
        return SPACES * side + self.space - 1

    def both_values(self) -> list[int]:
        """Return both sides' values in the space being fought for."""
        return [self.values[self.at(0)], self.values[self.at(1)]]

    def contents(self) -> list[list[int]]:
        """Return both sides' cards in the space being fought for."""
        return [self.spaces[self.at(0)].copy(), self.spaces[self.at(1)].copy()]

    def both_attached(self) -> list[list[int]]:
        """Return what is attached to both contents of the space being fought for."""
        return [self.attached[self.at(0)].copy(), self.attached[self.at(1)].copy()]

    def open_content(self, at: int) -> list[int]:
        """Return the cards of a content if they lie face up (FH-9)."""
        return self.spaces[at] if self.shown[at] else []

    def tell_deal(self) -> None:
        """Tell who is asked first and how many cards each side has; each learns its own."""
        dealt = self.dealt
        self.tell(
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
            self.tell("received", side, {}, {"cards": self.hands[side].copy()}, [side], whole=True)

    def tell_end(self) -> None:
        """Tell the result."""
        ended = self.outcome()
        self.tell(
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
        """Return how many spaces a side holds, 0 to 5 (FH-34)."""
        return self.holders.count(side)

    def score(self, side: int) -> int:
        """Return a point for each space held, and two for the battle (FH-36, FH-41)."""
        held = self.spaces_won_by(side)
        is_won = len(self.holders) == SPACES and held > self.spaces_won_by(1 - side)
        return held + 2 if is_won else held

    def outcome(self) -> Outcome[int]:
        """Return the side that holds more spaces (FH-35); a side has lost those it does not hold."""
        held = [self.spaces_won_by(0), self.spaces_won_by(1)]
        losses = [(held[1], SPACES), (held[0], SPACES)]  # FH-41
        if held[0] == held[1]:
            return Outcome([], "level", losses)
        return Outcome([0 if held[0] > held[1] else 1], "more-spaces", losses)

    def is_decided(self) -> bool:
        """Say whether one side holds more spaces than the other still can (FH-35)."""
        left = SPACES - len(self.holders)
        return left == 0 or (left < 3 and abs(self.spaces_won_by(0) - self.spaces_won_by(1)) > left)

    def view(self, side: int) -> FieldView:
        """Return what this side may know."""
        return FieldView(self, side).detach()

    def fast_view(self, side: int) -> FieldView:
        """Return the same without copies."""
        return FieldView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> FieldOfHonour:
        """Return a copy with the enemy's face-down cards, hand and the stack dealt again.

        Cards that the enemy is known to have begun with stay there, face-down pairs total at most
        ten (FH-7). While lines are still being placed the enemy places again, after the viewer.
        """
        new = self.copy()
        if self.dealt:  # only the record of the battle itself has its deal
            new.dealt = [[UNKNOWN] * len(cards) for cards in self.dealt]
            new.dealt[viewer] = self.dealt[viewer]
        enemy = 1 - viewer
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

    def take_back(self, side: int) -> None:
        """Take a side's placed cards back into its hand."""
        for at in range(SPACES * side, SPACES * side + SPACES):
            self.hands[side] = sorted(self.hands[side] + self.spaces[at])
            self.spaces[at] = []
            self.values[at] = 0

    def deal_again(self, side: int, chance: Chance) -> None:
        """Deal a side's hidden cards and the stack again; unknown cards stay where they are."""
        down = [at for at in range(SPACES * side, SPACES * side + SPACES) if not self.shown[at]]
        known = [card for card in self.hands[side] if card != UNKNOWN]
        own = known.copy()
        for at in down:
            own += self.spaces[at]
        bound = [card for card in self.begun_openly[side] if card in own]
        loose = [card for card in own + self.stack if card != UNKNOWN and card not in bound]
        loose.sort()
        pairs = [at for at in down if len(self.spaces[at]) == 2]
        dealt = fitting_pairs(len(pairs), bound, loose, len(own) - len(bound), chance)
        if not dealt:
            dealt = [card for at in pairs for card in self.spaces[at]]
        bound = [card for card in bound if card not in dealt]
        loose = [card for card in loose if card not in dealt]
        chance.shuffle(loose)
        rest = bound + [loose.pop() for _ in range(len(own) - len(dealt) - len(bound))]
        chance.shuffle(rest)
        for at in down:
            if len(self.spaces[at]) == 2:
                self.lay(at, sorted([dealt.pop(), dealt.pop()]))
            elif self.spaces[at]:
                self.lay(at, [rest.pop()])
        self.hands[side] = [UNKNOWN] * (len(self.hands[side]) - len(known)) + sorted(rest)
        self.stack = [card if card == UNKNOWN else loose.pop() for card in self.stack]

    def ask_again(self, chance: Chance) -> None:
        """Let the side that is asked choose from the hand it has now, at the same question."""
        hand = self.hands[self.side]
        cards = hand
        if self.question == DRAWN:
            self.drawn = sorted(chance.sample(len(self.drawn), hand))
            cards = self.drawn
        self.options = [PASS, *self.playable(self.side, cards)]

    def copy(self) -> FieldOfHonour:
        """Return an independent battle at the same point."""
        new = FieldOfHonour()
        self.copy_agenda(new)
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

        The pack stands sorted: its order shows in what is dealt from it, and a record has only that.
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
    """Return the sides in the order in which cards are dealt to them (FH-3).

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
    """Return as choices the pairs of these ascending cards that may lie in one space (FH-7)."""
    low = [card for card in cards if VALUES[card] < MOST_OF_TWO - 1]
    pairs: list[int] = []
    for at, card in enumerate(low):
        room = MOST_OF_TWO - VALUES[card]
        for other in range(at + 1, len(low)):
            if VALUES[low[other]] <= room:
                pairs.append(card + HIGH * low[other])
    return pairs


def choice_of(content: list[int]) -> int:
    """Return as a choice the one card or two that lie in a space."""
    return content[0] if len(content) == 1 else content[0] + HIGH * content[1]


def powers_of(card: int) -> list[int]:
    """Return what a special can do; a Joker acts as any of the others (FH-29)."""
    return POWERS.get(rank_of(card), ANY_POWER)


def fitting_pairs(count: int, bound: list[int], loose: list[int], room: int, chance: Chance) -> list[int]:
    """Return pairs that total at most ten (FH-7), one after the other; nothing if none were found.

    At most `room` of the loose cards may be used: so many places there are besides the bound ones.
    """
    low = [card for card in bound + loose if VALUES[card] < MOST_OF_TWO - 1]
    found: list[int] = []
    for _ in range(TRIES):
        if len(found) == 2 * count or len(low) < 2:
            break
        a = low[chance.below(len(low))]
        b = low[chance.below(len(low))]
        used = (a in loose) + (b in loose)
        if a != b and VALUES[a] + VALUES[b] <= MOST_OF_TWO and used <= room:
            found += [a, b]
            low.remove(a)
            low.remove(b)
            room -= used
    return found if len(found) == 2 * count else []
