"""Warfare Tactics: two armies recruit monsters from each other's battlefields.

A turn is a supply (draw three temporary cards, or bring back two monsters from the own discard
pile), then one card posted or one monster attacked. In an attack both sides add card after card
until one retreats, surrenders or both decline; the higher total wins. Once each a side may
exchange the discard piles or draw seven cards, at the price of its two highest cards. What
stands on the own battlefield counts, and what lies in the enemy's discard pile.
Source: Warfare Tactics by Andrew Merchant, 2012; numbers WT-n in rules.md.
"""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import NOBODY, STEP, UNKNOWN, Battle, Outcome, View
from cardbattle.core.cards import is_among, take_out

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, Fate

# WT-2: the value of every card code, Ace 1; the last entry is that of an UNKNOWN card, 0
VALUES: Final = [1 if code % 64 // 4 == 14 else code % 64 // 4 for code in range(255)] + [0]

HAND: Final = 7  # WT-3
TEMPORARY: Final = 3  # WT-6
QUIET: Final = 8  # WT-45
TURN_LIMIT: Final = 120  # WT-47
LONG_TURN_LIMIT: Final = 240

SUPPLY: Final = 1  # questions WT-D1 to WT-D6
MORE: Final = 2
SPECIAL: Final = 3
ANSWER: Final = 4
ACTION: Final = 5
FIGHT: Final = 6
BURY_ONE: Final = 7
TAKE_ONE: Final = 8
FREE: Final = 9

# Each question has the step that asks it; then come those that ask nothing.
ASK_SUPPLY: Final = 16
ASK_MORE: Final = 32
ASK_SPECIAL: Final = 48
ASK_ANSWER: Final = 64
ASK_ACTION: Final = 80
ASK_FIGHT: Final = 96
ASK_BURY: Final = 112
ASK_TAKE: Final = 128
ASK_FREE: Final = 144
OPEN: Final = 160
BEGIN_TURN: Final = 176
OPEN_WINDOW: Final = 192
STAND_DOWN: Final = 208
COMPENSATE: Final = 224
DISMISS: Final = 240
END_TURN: Final = 256

# A choice is a verb, at most two cards: verb + 256 * second + first.
VERB: Final = 65536
SECOND: Final = 256
DRAW: Final = 1 * VERB
RETURN: Final = 2 * VERB
PASS: Final = 3 * VERB
ENOUGH: Final = 4 * VERB
BONUS: Final = 5 * VERB
EXCHANGE: Final = 6 * VERB
DISCARD: Final = 7 * VERB
DONE: Final = 8 * VERB
POST: Final = 9 * VERB
ATTACK: Final = 10 * VERB
NOTHING: Final = 11 * VERB
COUNTER: Final = 12 * VERB
RECALL: Final = 13 * VERB
SURRENDER: Final = 14 * VERB
DECLINE: Final = 15 * VERB
RETREAT_HAND: Final = 16 * VERB
RETREAT_FIELD: Final = 17 * VERB
BURY: Final = 18 * VERB
TAKE: Final = 19 * VERB
NONE: Final = 20 * VERB
SWITCH: Final = 21 * VERB
SEVEN: Final = 22 * VERB

HAND_EMPTY: Final = 1  # what ends a battle (WT-42, WT-45, WT-47)
STALLED: Final = 2
OUT_OF_TURNS: Final = 3
REASONS: Final = ["", "hand-empty", "stalled", "turn-limit"]  # WT-49

PLAIN: Final = 0  # the parts of a hand that everybody can tell apart
MARKED: Final = 1
TEMPORARIES: Final = 2
PARTS: Final = 3
FIELD: Final = 3  # no part of a hand: the battlefield
ORIGINS: Final = ["hand", "bonus", "temporary", "battlefield"]


class HouseRules:
    """The house rules of one battle; they never change."""

    def __init__(
        self,
        turn_limit: int = TURN_LIMIT,
        play_and_attack: bool = False,
        hold_when_ahead: bool = False,
        target_retreats: bool = True,
        seven_is_free: bool = False,
        count_discards: bool = False,
    ) -> None:
        self.turn_limit = turn_limit  # WT-47
        self.play_and_attack = play_and_attack  # WT-12
        self.hold_when_ahead = hold_when_ahead  # WT-18
        self.target_retreats = target_retreats  # WT-23
        self.seven_is_free = seven_is_free  # WT-35
        self.count_discards = count_discards  # WT-43


class WarfareView(View):
    """What a side of Warfare Tactics may know (WT-3, WT-41).

    It shows the battle's own lists until it is detached, and `unseen` in no order. Lists by side
    hold both sides' facts. Of the enemy's hand there are the sizes of its parts,
    the cards the side has `seen` there, and a `ceiling`: at least `low` unseen cards of each part
    (ordinary, marked, temporary) are no higher, as he has paid his two highest. `unseen` are the
    cards that the side's deck may still bring: with a shared deck the enemy may hold them too.
    `buried` are the known cards at the bottom of each deck, the lowest first.
    """

    def __init__(self, battle: WarfareTactics, side: int) -> None:
        enemy = 1 - side
        asked = battle.side == side
        self.side = side
        self.question = battle.question if asked else 0
        self.options = battle.options if asked else []
        self.house = battle.house
        self.turn = battle.turn
        self.active = battle.active
        self.hand = battle.hands[side]
        self.temporary = battle.temporary[side]
        self.marked = battle.marked[side]
        self.shown = battle.seen[side]
        self.seen = battle.seen_parts(enemy)
        self.sizes = [len(hand) for hand in battle.hands]
        self.temporary_sizes = [len(cards) for cards in battle.temporary]
        self.marked_sizes = [len(cards) for cards in battle.marked]
        self.ceiling = battle.ceiling[enemy]
        self.low = battle.low[PARTS * enemy : PARTS * enemy + PARTS]
        self.battlefields = battle.battlefields
        self.discards = battle.discards
        self.own_decks = len(battle.decks) > 1
        self.deck_sizes = [len(battle.decks[battle.deck_of(each)]) for each in (0, 1)]
        self.buried = [deck[: battle.buried[at]] for at, deck in enumerate(battle.decks)]
        self.unseen = battle.unseen_by(side)
        self.columns = battle.columns
        self.target = battle.target
        self.from_hand = battle.from_hand
        self.declines = battle.declines
        self.to_bury = battle.to_bury
        self.exhausted = battle.exhausted
        self.owed = battle.owed
        self.specials = battle.specials
        self.window = battle.window
        self.called = battle.called
        self.bonus = battle.bonus
        self.posted = battle.posted
        self.stirred = battle.stirred
        self.quiet = battle.quiet

    def detach(self) -> WarfareView:
        """Take copies of the battle's lists, so that neither feels what happens to the other."""
        self.options = self.options.copy()
        self.hand = self.hand.copy()
        self.temporary = self.temporary.copy()
        self.marked = self.marked.copy()
        self.shown = self.shown.copy()
        self.battlefields = [cards.copy() for cards in self.battlefields]
        self.discards = [cards.copy() for cards in self.discards]
        self.unseen.sort()
        self.columns = [cards.copy() for cards in self.columns]
        self.from_hand = self.from_hand.copy()
        self.exhausted = self.exhausted.copy()
        self.owed = self.owed.copy()
        self.specials = self.specials.copy()
        return self


class WarfareTactics(Battle):
    """One battle of Warfare Tactics."""

    house: HouseRules
    turn: int
    active: int  # whose turn it is
    hands: list[list[int]]  # ordinary cards, ascending
    temporary: list[list[int]]  # WT-8, ascending
    marked: list[list[int]]  # those of `hands` that were bonus draws (WT-11)
    battlefields: list[list[int]]  # free monsters: those in an attack are in `columns`
    discards: list[list[int]]
    decks: list[list[int]]  # one for both sides or one for each, bottom first
    buried: list[int]  # so many cards at the bottom of each deck were put there face up (WT-41)
    seen: list[list[int]]  # cards of each hand that the enemy knows
    ceiling: list[int]  # value of the lower card each side paid for its special move, else 0
    low: list[int]  # per side and part of its hand: at least so many unseen cards are no higher
    columns: list[list[int]]  # the two sides of an attack
    target: int  # the monster attacked, NOBODY outside an attack
    from_hand: list[int]  # cards each side added to the attack from its hand (WT-31)
    declines: int  # DECLINEs in a row
    to_bury: int  # cards still to be put under the deck (WT-25)
    exhausted: list[int]  # WT-27
    owed: list[int]  # compensation still to be drawn (WT-31)
    specials: list[int]  # the special move each side has made, 0 if none (WT-37)
    window: int  # the window for special moves that is open, or was last in this turn (WT-34)
    called: bool  # the other side has made one in this turn (WT-36)
    bonus: bool  # the active side may draw a bonus card (WT-10)
    posted: bool  # the active side has played a card in this turn (WT-12)
    stirred: bool  # something has happened in this turn (WT-45)
    quiet: int  # turns in a row in which nothing did
    committed: list[list[int]]  # cards each side ever brought to battlefield or attack (WT-49)
    ending: int

    def begin(
        self,
        hands: list[list[int]],
        battlefields: list[list[int]],
        decks: list[list[int]],
        fate: Fate,
        first: int = 0,
        house: HouseRules | None = None,
    ) -> None:
        """Set the battle up (WT-1 to WT-5, WT-48); decks are given top first."""
        self.open_agenda(2, fate)
        self.house = house if house is not None else HouseRules()
        self.turn = 0
        self.active = first
        self.hands = [sorted(hand) for hand in hands]
        self.temporary = [[], []]
        self.marked = [[], []]
        self.battlefields = [cards.copy() for cards in battlefields]
        self.discards = [[], []]
        self.decks = [deck[::-1] for deck in decks]
        self.buried = [0] * len(decks)
        self.seen = [[], []]
        self.ceiling = [0, 0]
        self.low = [0] * (2 * PARTS)
        self.columns = [[], []]
        self.target = NOBODY
        self.from_hand = [0, 0]
        self.declines = 0
        self.to_bury = 0
        self.exhausted = []
        self.owed = [0, 0]
        self.specials = [0, 0]
        self.window = 0
        self.called = False
        self.bonus = False
        self.posted = False
        self.stirred = False
        self.quiet = 0
        self.committed = [cards.copy() for cards in battlefields]
        self.ending = 0
        self.then(OPEN, BEGIN_TURN + first)

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda."""
        if step == ASK_FIGHT:
            self.ask_fight(side)
        elif step == ASK_SPECIAL:
            self.ask_special(side)
        elif step == ASK_ANSWER:
            self.ask_answer(side)
        elif step == ASK_SUPPLY:
            self.ask_supply(side)
        elif step == ASK_ACTION:
            self.ask_action(side)
        elif step == ASK_FREE:
            self.ask_free(side)
        elif step == ASK_MORE:
            self.ask_more(side)
        elif step == ASK_BURY:
            self.ask_bury(side)
        elif step == ASK_TAKE:
            self.ask_take(side)
        elif step == OPEN_WINDOW:
            self.open_window(side)
        elif step == STAND_DOWN:
            self.stand_down()
        elif step == COMPENSATE:
            self.compensate()
        elif step == DISMISS:
            self.dismiss(side)
        elif step == END_TURN:
            self.end_turn(side)
        elif step == BEGIN_TURN:
            self.begin_turn(side)
        else:
            self.open()

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice."""
        if BONUS <= choice < DONE:
            self.free_step(side, choice)
            self.then(STEP * question + side)
        elif question == FIGHT:
            self.fight(side, choice)
        elif question in (SPECIAL, ANSWER):
            self.special(side, choice)
        elif question == ACTION:
            self.act(side, choice)
        elif question == SUPPLY:
            self.supply(side, choice)
        elif question == MORE:
            self.bring_more(side, choice)
        elif question == BURY_ONE:
            self.bury(side, choice)
        elif question == TAKE_ONE:
            self.take(side, choice)

    def open(self) -> None:
        """Tell what stands and what was dealt before the first turn."""
        if self.log is not None:
            self.tell_deal()

    def begin_turn(self, side: int) -> None:
        """Put a turn on the agenda, read downwards; the bonus draw is earned now (WT-10)."""
        other = 1 - side
        self.then(
            ASK_SUPPLY + side,
            OPEN_WINDOW + other,  # X1
            ASK_ACTION + side,
            OPEN_WINDOW + other,  # X2
            COMPENSATE,
            ASK_FREE + side,
            OPEN_WINDOW + other,  # X3
            DISMISS + other,
            END_TURN + side,
        )
        self.turn += 1
        self.active = side
        self.bonus = len(self.battlefields[side]) < len(self.battlefields[other])
        self.window = 0
        self.called = False
        self.posted = False
        self.stirred = False
        if self.log is not None:
            self.tell_turn(side)

    # Supply

    def ask_supply(self, side: int) -> None:
        """Ask for the supply: draw, return or pass, or first a free step (WT-6, WT-7, WT-9)."""
        top = self.decks[self.deck_of(side)][-TEMPORARY:]
        options = [DRAW] if top and UNKNOWN not in top else []
        options += [RETURN + card for card in self.discards[side]]
        options.append(PASS)
        self.ask_knowing(top, side, SUPPLY, options + self.free_steps(side))

    def supply(self, side: int, choice: int) -> None:
        """Draw temporary cards (WT-8), return a monster, or take nothing."""
        if choice == DRAW:
            self.stirred = True
            self.draw(side, self.temporary[side], TEMPORARY, "drew")
        elif choice == PASS:
            if self.log is not None:
                self.tell("passed", side, {})
        else:
            self.bring_back(side, choice & 255)
            if self.discards[side]:
                self.then(ASK_MORE + side)

    def ask_more(self, side: int) -> None:
        """Ask for a second monster to return (WT-7)."""
        self.ask(side, MORE, [*[RETURN + card for card in self.discards[side]], ENOUGH])

    def bring_more(self, side: int, choice: int) -> None:
        """Return a second monster, or leave it at one."""
        if choice != ENOUGH:
            self.bring_back(side, choice & 255)

    def bring_back(self, side: int, card: int) -> None:
        """Return a monster from the discard pile to the battlefield (WT-6)."""
        self.stirred = True
        self.discards[side].remove(card)
        self.battlefields[side].append(card)
        self.enlist(side, card)
        if self.log is not None:
            self.tell("returned", side, {"card": card})

    # Free steps

    def free_steps(self, side: int) -> list[int]:
        """Return the bonus draw, the exchanges and the discards that cost no action (WT-9 to WT-11)."""
        options = []
        if self.decks[self.deck_of(side)]:
            if self.bonus:
                options.append(BONUS)
            if self.marked[side] and len(self.discards[side]) < len(self.discards[1 - side]):
                options += [EXCHANGE + card for card in self.marked[side] if card != UNKNOWN]
        options += [DISCARD + card for card in self.temporary[side]]
        return options

    def free_step(self, side: int, choice: int) -> None:
        """Draw a bonus card, exchange one, or discard a temporary card."""
        card = choice & 255
        if choice == BONUS:
            self.stirred = True
            self.bonus = False
            drawn = self.draw(side, self.hands[side], 1, "bonus_drawn")
            insort(self.marked[side], drawn[0])
        elif choice < DISCARD:
            self.stirred = True
            self.give_up(side, card)
            self.discards[side].append(card)
            if self.log is not None:
                self.tell("exchanged", side, {"card": card})
            self.draw(side, self.hands[side], 1, "exchange_drawn")
        else:
            self.give_up(side, card)
            self.discards[side].append(card)
            if self.log is not None:
                self.tell("discarded", side, {"card": card})

    def ask_free(self, side: int) -> None:
        """Ask for free steps once more, until the side is done (WT-9)."""
        self.ask(side, FREE, [*self.free_steps(side), DONE])

    # Special moves

    def open_window(self, side: int) -> None:
        """Let the side whose turn it is not make a special move, and the other one answer (WT-34)."""
        self.window += 1
        self.then(ASK_SPECIAL + side, ASK_ANSWER + 1 - side)

    def ask_special(self, side: int) -> None:
        """Ask the side whose turn it is not for a special move (WT-34)."""
        if not self.specials[side]:
            self.ask_for_move(side, SPECIAL)

    def ask_answer(self, side: int) -> None:
        """Ask the side whose turn it is for the other one, if the enemy made one in it (WT-36)."""
        if self.called and not self.specials[side]:
            self.ask_for_move(side, ANSWER)

    def ask_for_move(self, side: int, question: int) -> None:
        """Ask for one of the special moves still open, or none; each way to pay is one choice."""
        options = [NONE]
        purse = self.purse(side)
        kinds = self.open_kinds(side, len(purse) > 1)
        costs = self.payments(purse) if len(purse) > 1 else []
        for kind in kinds:
            if kind == SEVEN and self.house.seven_is_free:
                options.append(SEVEN)
            else:
                options.extend([kind + cost for cost in costs])
        if kinds and is_among(UNKNOWN, self.hands[side]):
            self.ask_even_if_forced(side, question, options)
        else:
            self.ask(side, question, options)

    def open_kinds(self, side: int, can_pay: bool) -> list[int]:
        """Return the special moves that nobody has made and that have their cards (WT-37, WT-38)."""
        taken = self.specials[1 - side]
        kinds = [SWITCH] if taken != SWITCH and can_pay else []
        if taken != SEVEN and self.decks[self.deck_of(side)] and (can_pay or self.house.seven_is_free):
            kinds.append(SEVEN)
        return kinds

    def purse(self, side: int) -> list[int]:
        """Return the cards that a special move may be paid with, the exhausted left out (WT-35)."""
        standing = [card for card in self.battlefields[side] if not is_among(card, self.exhausted)]
        return standing + self.hands[side] + self.temporary[side]

    def payments(self, cards: list[int]) -> list[int]:
        """Return the pairs that are the two highest of these cards, two at least (WT-35)."""
        if is_among(UNKNOWN, cards):
            return []
        best, second = cards[0], 0
        for card in cards[1:]:
            value = VALUES[card]
            if value > VALUES[best]:
                best, second = card, VALUES[best]
            elif value > second:
                second = value
        level = sorted([card for card in cards if VALUES[card] == second], key=precedence)
        if VALUES[best] > second:
            return [best + SECOND * card for card in level]
        return [one + SECOND * other for n, one in enumerate(level) for other in level[n + 1 :]]

    def special(self, side: int, choice: int) -> None:
        """Pay, then exchange the discard piles or draw seven cards (WT-33)."""
        if choice == NONE:
            if self.log is not None:
                self.tell("kept_still", side, {"window": self.window})
            return
        self.stirred = True
        self.called = True
        kind = choice - choice % VERB
        self.specials[side] = kind
        paid = [choice & 255, choice >> 8 & 255] if choice > kind else []
        origins = [self.give_up(side, card) for card in paid]
        self.discards[side] += paid
        if paid:
            self.bound(side, VALUES[paid[1]])
        if kind == SWITCH:
            self.discards.reverse()
        if self.log is not None:
            name = "switched" if kind == SWITCH else "called_seven"
            self.tell(name, side, {"paid": paid, "origins": [ORIGINS[origin] for origin in origins]})
        if kind == SEVEN:
            self.draw(side, self.hands[side], HAND, "seven_drawn")

    def bound(self, side: int, value: int) -> None:
        """Note that what is left of a hand is no higher than the lower card that was paid."""
        self.ceiling[side] = value
        seen = self.seen[side]
        hidden = [card for card in self.hands[side] if card not in seen]
        marked = len([card for card in self.marked[side] if card not in seen])
        at = PARTS * side
        self.low[at + PLAIN] = len(hidden) - marked
        self.low[at + MARKED] = marked
        self.low[at + TEMPORARIES] = len([card for card in self.temporary[side] if card not in seen])

    # Action

    def ask_action(self, side: int) -> None:
        """Ask for a card to post, an attack, or nothing (WT-12 to WT-14), or a free step first."""
        hand = self.hands[side]
        options = [POST + card for card in hand if card != UNKNOWN] if not self.posted else []
        targets = self.battlefields[1 - side]
        if targets:
            for cards in (hand, self.temporary[side], self.battlefields[side]):
                for card in cards:
                    if card != UNKNOWN:
                        options.extend([ATTACK + SECOND * target + card for target in targets])
        if self.posted or self.decks[self.deck_of(side)] or not options:  # WT-46
            options.append(NOTHING)
        self.ask_knowing(hand, side, ACTION, options + self.free_steps(side))

    def act(self, side: int, choice: int) -> None:
        """Post a card, attack, or do nothing."""
        if choice == NOTHING:
            if self.log is not None:
                self.tell("waited", side, {})
        elif choice < ATTACK:
            self.post(side, choice & 255)
            if self.house.play_and_attack:
                self.then(ASK_ACTION + side)
        else:
            self.attack(side, choice & 255, choice >> 8 & 255)

    def post(self, side: int, card: int) -> None:
        """Play an ordinary card to the battlefield (WT-12)."""
        self.stirred = True
        self.posted = True
        origin = self.give_up(side, card)
        self.battlefields[side].append(card)
        self.enlist(side, card)
        if self.log is not None:
            self.tell("posted", side, {"card": card, "origin": ORIGINS[origin]})

    # The attack

    def attack(self, side: int, card: int, target: int) -> None:
        """Put a card next to a monster of the enemy, who chooses first (WT-14, WT-16)."""
        enemy = 1 - side
        self.stirred = True
        self.target = target
        self.battlefields[enemy].remove(target)
        self.columns[enemy].append(target)
        self.from_hand = [0, 0]
        self.declines = 0
        origin = self.add(side, card)
        if self.log is not None:
            self.tell("attacked", side, {"card": card, "target": target, "origin": ORIGINS[origin]})
        self.then(ASK_FIGHT + enemy)

    def add(self, side: int, card: int) -> int:
        """Add a card to the side's column; return where it came from."""
        origin = self.give_up(side, card)
        if origin != FIELD:
            self.from_hand[side] += 1
        self.columns[side].append(card)
        self.enlist(side, card)
        return origin

    def ask_fight(self, side: int) -> None:
        """Ask for one of the chooser's ways: there is no pass in an attack (WT-16 to WT-20)."""
        enemy = 1 - side
        free = self.battlefields[side]
        hand = self.hands[side] + self.temporary[side]
        options = [COUNTER + card for card in hand if card != UNKNOWN]
        options += [COUNTER + card for card in free]
        deck = self.decks[self.deck_of(side)]
        if not hand and deck and deck[-1] != UNKNOWN:
            options += [RECALL + card for card in free]
        if not hand or max(hand) != UNKNOWN:
            options.append(RETREAT_HAND)
        if self.may_bury(side):
            options.append(RETREAT_FIELD)
        options.append(SURRENDER)
        if not hand or not self.holds_cards(enemy) or (self.house.hold_when_ahead and self.is_ahead(side)):
            options.append(DECLINE)
        self.ask_knowing(hand, side, FIGHT, options)

    def may_bury(self, side: int) -> bool:
        """Say whether a retreat can be paid from the battlefield (WT-25, WT-40)."""
        n = len(self.retreaters(side))
        return (
            n > 0
            and len(self.battlefields[side]) >= n
            and len(self.decks[self.deck_of(side)]) > 0
            and len(self.discards[side]) + n > len(self.discards[1 - side])
        )

    def retreaters(self, side: int) -> list[int]:
        """Return the cards that go to the discard pile if this side retreats (WT-23)."""
        if self.house.target_retreats or side == self.active:
            return self.columns[side]
        return self.columns[side][1:]

    def is_ahead(self, side: int) -> bool:
        """Say whether the side's column has the larger total (WT-18)."""
        return total(self.columns[side]) > total(self.columns[1 - side])

    def holds_cards(self, side: int) -> bool:
        """Say whether the side has a card in hand, temporary ones included."""
        return len(self.hands[side]) + len(self.temporary[side]) > 0

    def fight(self, side: int, choice: int) -> None:
        """Carry out the chooser's way; unless it ends the attack the other one chooses next."""
        if choice == DECLINE:
            self.decline(side)
        elif choice < RECALL:
            self.declines = 0
            card = choice & 255
            origin = self.add(side, card)
            if self.log is not None:
                fields: dict[str, object] = {"card": card, "origin": ORIGINS[origin]}
                self.tell("countered", side, fields | {"totals": self.totals()})
            self.then(ASK_FIGHT + 1 - side)
        elif choice < SURRENDER:
            self.recall(side, choice & 255)
        elif choice == SURRENDER:
            self.surrender(side)
        else:
            self.retreat(side, choice)

    def recall(self, side: int, card: int) -> None:
        """Put a free monster under the deck and add the top card in its stead (WT-20)."""
        self.declines = 0
        self.put_under(side, card)
        at = self.deck_of(side)
        drawn = self.decks[at].pop()
        self.buried[at] = min(self.buried[at], len(self.decks[at]))
        self.columns[side].append(drawn)
        self.enlist(side, drawn)
        if self.log is not None:
            self.tell("recalled", side, {"card": card, "drawn": drawn, "totals": self.totals()})
        self.then(ASK_FIGHT + 1 - side)

    def put_under(self, side: int, card: int) -> None:
        """Put a free monster under the deck, where both know it lies (WT-41)."""
        at = self.deck_of(side)
        self.battlefields[side].remove(card)
        self.decks[at].insert(0, card)
        self.buried[at] += 1

    def retreat(self, side: int, choice: int) -> None:
        """Discard the column (WT-23), then pay: from the hand (WT-24) or the battlefield (WT-25)."""
        lost = self.retreaters(side).copy()
        self.columns[side] = self.columns[side][: -len(lost)] if lost else self.columns[side]
        self.discards[side] += lost
        if choice == RETREAT_FIELD:
            self.to_bury = len(lost)
            self.then(ASK_BURY + side, STAND_DOWN)
        elif self.holds_cards(side):
            self.then(ASK_TAKE + 1 - side, STAND_DOWN)
        else:
            self.then(STAND_DOWN)
        if self.log is not None:
            price = "hand" if choice == RETREAT_HAND else "field"
            self.tell("retreated", side, {"cards": lost, "price": price})
        if choice == RETREAT_HAND and self.holds_cards(side):
            self.show_hand(side)

    def show_hand(self, side: int) -> None:
        """Let the enemy see the whole hand (WT-24)."""
        hand = sorted(self.hands[side] + self.temporary[side])
        self.seen[side] = [card for card in hand if card != UNKNOWN]
        for part in range(PARTS):
            self.low[PARTS * side + part] = 0
        if self.log is not None:
            fields: dict[str, object] = {"cards": hand, "bonus": self.marked[side].copy()}
            self.tell("hand_shown", side, fields | {"temporary": self.temporary[side].copy()})

    def ask_take(self, side: int) -> None:
        """Ask for one card of the hand that is shown (WT-24, WT-D6)."""
        hand = self.hands[1 - side] + self.temporary[1 - side]
        self.ask_knowing(hand, side, TAKE_ONE, [TAKE + card for card in sorted(hand) if card != UNKNOWN])

    def take(self, side: int, choice: int) -> None:
        """Take the card into the own hand, as an ordinary one (WT-11, WT-24)."""
        card = choice & 255
        self.give_up(1 - side, card)
        insort(self.hands[side], card)
        insort(self.seen[side], card)
        if self.log is not None:
            self.tell("took", side, {"card": card})

    def ask_bury(self, side: int) -> None:
        """Ask for the next free monster to go under the deck (WT-25)."""
        self.ask(side, BURY_ONE, [BURY + card for card in self.battlefields[side]])

    def bury(self, side: int, choice: int) -> None:
        """Put it there, below those named before."""
        card = choice & 255
        self.put_under(side, card)
        self.to_bury -= 1
        if self.to_bury:
            self.then(ASK_BURY + side)
        if self.log is not None:
            self.tell("buried", side, {"card": card})

    def surrender(self, side: int) -> None:
        """Give the own column to the enemy, exhausted (WT-27)."""
        lost = self.columns[side]
        self.exhausted = lost.copy()
        self.columns[side] = []
        self.columns[1 - side] += lost
        if self.log is not None:
            self.tell("surrendered", side, {"cards": self.exhausted.copy()})
        self.stand_down()

    def stand_down(self) -> None:
        """Let what is left of the attack stand on its owner's battlefield (WT-26)."""
        for side in (0, 1):
            self.battlefields[side] += self.columns[side]
            self.columns[side] = []
        self.target = NOBODY

    def decline(self, side: int) -> None:
        """Add nothing; the second time in a row ends the attack (WT-19)."""
        self.declines += 1
        if self.log is not None:
            self.tell("declined", side, {})
        if self.declines == 2:
            self.settle()
        else:
            self.then(ASK_FIGHT + 1 - side)

    def settle(self) -> None:
        """Compare the totals; equal ones lose for the attacker (WT-28 to WT-32)."""
        winner = self.active if self.is_ahead(self.active) else 1 - self.active
        loser = 1 - winner
        lost = self.columns[loser]
        self.columns[loser] = []
        rout = self.is_spent(winner) or self.is_spent(loser)
        if self.log is not None:
            fields: dict[str, object] = {"totals": [0, 0], "loser": loser, "cards": lost.copy(), "rout": rout}
            totals = [total(self.columns[winner]), total(lost)]
            fields["totals"] = totals if winner == 0 else totals[::-1]
            self.tell("won", winner, fields)
        if rout:
            self.columns[winner] += lost
        else:
            self.discards[loser] += lost
        self.owed[loser] = self.from_hand[loser]
        self.stand_down()

    def is_spent(self, side: int) -> bool:
        """Say whether the side has neither a hand nor a free monster (WT-30)."""
        return not self.holds_cards(side) and not self.battlefields[side]

    def compensate(self) -> None:
        """Let the loser of an attack draw for what he lost from his hand (WT-31)."""
        for side in (0, 1):
            owed = self.owed[side]
            self.owed[side] = 0
            if owed:
                self.draw(side, self.hands[side], owed, "compensated")

    # The end of a turn

    def dismiss(self, side: int) -> None:
        """Put the temporary cards that are left on the discard pile (WT-8)."""
        cards = self.temporary[side].copy()
        if not cards:
            return
        for card in cards:
            self.give_up(side, card)
        self.discards[side] += cards
        if self.log is not None:
            self.tell("dismissed", side, {"cards": cards})

    def end_turn(self, side: int) -> None:
        """Refresh the exhausted, then look whether the battle is over (WT-42, WT-45, WT-47)."""
        self.exhausted = []
        self.quiet = 0 if self.stirred else self.quiet + 1
        if self.is_out_of_cards(0) or self.is_out_of_cards(1):
            self.ending = HAND_EMPTY
        elif self.quiet == QUIET:
            self.ending = STALLED
        elif self.turn >= self.house.turn_limit:
            self.ending = OUT_OF_TURNS
        if not self.ending:
            self.then(BEGIN_TURN + 1 - side)
        elif self.log is not None:
            self.tell_end()

    def is_out_of_cards(self, side: int) -> bool:
        """Say whether the side's hand and the deck it draws from are empty (WT-42, WT-44)."""
        return not self.holds_cards(side) and not self.decks[self.deck_of(side)]

    def score(self, side: int) -> int:
        """Return the battlefield's value and that of the enemy's discard pile (WT-43)."""
        pile = self.discards[1 - side]
        stands = total(self.battlefields[side]) + total(self.columns[side])
        return stands + (len(pile) if self.house.count_discards else total(pile))

    def outcome(self) -> Outcome[int]:
        """Return who has the higher score, and the losses (WT-43, WT-49)."""
        scores = [self.score(0), self.score(1)]
        losses = [self.losses(0), self.losses(1)]
        if scores[0] == scores[1]:
            return Outcome([], "level", losses)
        return Outcome([0 if scores[0] > scores[1] else 1], REASONS[self.ending], losses)

    def losses(self, side: int) -> tuple[int, int]:
        """Return the share of all value ever committed that does not stand at the end (WT-49)."""
        committed = total(self.committed[side])
        lost = committed - total(self.battlefields[side])
        return (lost if lost > 0 else 0, committed) if committed else (0, 1)

    # Cards

    def deck_of(self, side: int) -> int:
        """Return which deck the side draws from (WT-5)."""
        return side if len(self.decks) > 1 else 0

    def draw(self, side: int, into: list[int], n: int, kind: str) -> list[int]:
        """Draw up to n cards, top first; those that were put under the deck are known (WT-41)."""
        at = self.deck_of(side)
        deck = self.decks[at]
        drawn = []
        known = []
        for _ in range(min(n, len(deck))):
            card = deck.pop()
            drawn.append(card)
            insort(into, card)
            if len(deck) < self.buried[at]:
                self.buried[at] = len(deck)
                known.append(card)
                insort(self.seen[side], card)
        if self.log is not None and drawn:
            self.tell_draw(kind, side, drawn, known)
        return drawn

    def give_up(self, side: int, card: int) -> int:
        """Take a card from the side's hand or battlefield; return the part of them that held it."""
        part = PLAIN
        if take_out(card, self.battlefields[side]):
            return FIELD
        if take_out(card, self.temporary[side]):
            part = TEMPORARIES
        elif take_out(card, self.hands[side]) and take_out(card, self.marked[side]):
            part = MARKED
        if not take_out(card, self.seen[side]) and VALUES[card] <= self.ceiling[side]:
            at = PARTS * side + part
            if self.low[at]:
                self.low[at] -= 1
        return part

    def enlist(self, side: int, card: int) -> None:
        """Note that the side has brought this card to battlefield or attack (WT-49)."""
        if not is_among(card, self.committed[side]):
            self.committed[side].append(card)

    def ask_knowing(self, cards: list[int], side: int, question: int, options: list[int]) -> None:
        """Ask; where some of these cards are unknown a single option is no forced answer."""
        if is_among(UNKNOWN, cards):
            self.ask_even_if_forced(side, question, options)
        else:
            self.ask(side, question, options)

    # Events

    def tell_deal(self) -> None:
        """Tell what stands on the battlefields, and to each side what it holds."""
        self.tell(
            "opened",
            NOBODY,
            {
                "first": self.active,
                "battlefields": self.copies(self.battlefields),
                "deck_sizes": [len(deck) for deck in self.decks],
            },
        )
        for side in (0, 1):
            hand = self.hands[side]
            self.tell("dealt", side, {"count": len(hand)}, {"cards": hand.copy()}, [side])

    def tell_turn(self, side: int) -> None:
        """Tell whose turn it is and how the battle stands."""
        self.tell(
            "turn_begun",
            side,
            {
                "turn": self.turn,
                "totals": [total(cards) for cards in self.battlefields],
                "battlefields": self.copies(self.battlefields),
                "discard_totals": [total(cards) for cards in self.discards],
                "hand_sizes": [len(hand) for hand in self.hands],
                "temporary_sizes": [len(cards) for cards in self.temporary],
                "deck_sizes": [len(deck) for deck in self.decks],
                "may_draw_bonus": self.bonus,
            },
        )

    def tell_draw(self, kind: str, side: int, drawn: list[int], known: list[int]) -> None:
        """Tell how many cards were drawn, and which to those who know them."""
        fields: dict[str, object] = {"count": len(drawn)}
        if len(known) == len(drawn):
            self.tell(kind, side, fields | {"cards": sorted(drawn)})
            return
        if known:
            fields["known"] = sorted(known)
        self.tell(kind, side, fields, {"cards": sorted(drawn)}, [side])

    def tell_end(self) -> None:
        """Tell the result and what it is made of."""
        ended = self.outcome()
        self.tell(
            "ended",
            NOBODY,
            {
                "winners": ended.winners,
                "reason": ended.reason,
                "ending": REASONS[self.ending],
                "scores": [self.score(0), self.score(1)],
                "battlefields": self.copies(self.battlefields),
                "discards": self.copies(self.discards),
            },
        )

    def totals(self) -> list[int]:
        """Return the totals of the two sides of an attack."""
        return [total(self.columns[0]), total(self.columns[1])]

    def copies(self, piles: list[list[int]]) -> list[list[int]]:
        """Return copies of both sides' piles, for an event."""
        return [pile.copy() for pile in piles]

    # Hidden cards

    def view(self, side: int) -> WarfareView:
        """Return what this side may know."""
        return WarfareView(self, side).detach()

    def shared_view(self, side: int) -> WarfareView:
        """Return the same without copies."""
        return WarfareView(self, side)

    def unseen_by(self, side: int) -> list[int]:
        """Return the cards that the side's deck may still bring, for all it knows, in no order."""
        at = self.deck_of(side)
        pool = self.decks[at][self.buried[at] :]
        if len(self.decks) == 1:
            for part in self.hidden_parts(1 - side):
                pool += part
        return pool

    def hidden_parts(self, side: int) -> list[list[int]]:
        """Return the parts of a hand without the cards that the enemy has seen."""
        plain = self.hands[side].copy()
        for card in self.marked[side]:
            plain.remove(card)
        seen = self.seen[side]
        parts = [plain, self.marked[side], self.temporary[side]]
        return [[card for card in part if card not in seen] for part in parts]

    def seen_parts(self, side: int) -> list[list[int]]:
        """Return the parts of a hand as far as the enemy has seen them."""
        seen = self.seen[side]
        marked = self.marked[side]
        plain = [card for card in self.hands[side] if card not in marked]
        return [[card for card in part if card in seen] for part in (plain, marked, self.temporary[side])]

    def redeal(self, viewer: int, chance: Chance) -> WarfareTactics:
        """Return a copy in which the enemy's unseen cards and the decks are dealt again.

        Cards seen in his hand or put under a deck stay; his hand keeps its parts, and so much of
        it as must be low because he paid his two highest stays low.
        """
        new = self.copy()
        enemy = 1 - viewer
        if len(new.decks) > 1:
            deck = new.decks[viewer]
            pool = sorted(deck[new.buried[viewer] :])
            chance.shuffle(pool)
            deck[new.buried[viewer] :] = pool
        new.deal_again(enemy, chance)
        if new.side == enemy:
            new.side = NOBODY
            new.then(STEP * new.question + enemy)
            new.run()
        return new

    def deal_again(self, side: int, chance: Chance) -> None:
        """Deal what is hidden of a side's hand and of its deck again."""
        at = self.deck_of(side)
        deck = self.decks[at]
        pool = deck[self.buried[at] :]
        parts = self.hidden_parts(side)
        for cards in parts:
            pool += cards
        pool.sort()
        chance.shuffle(pool)
        dealt = [self.low_cards(pool, side, part) for part in range(PARTS)]
        for part, cards in enumerate(dealt):
            while len(cards) < len(parts[part]):
                cards.append(pool.pop())
        deck[self.buried[at] :] = pool
        seen = self.seen[side]
        self.marked[side] = sorted([card for card in self.marked[side] if card in seen] + dealt[MARKED])
        self.temporary[side] = sorted(
            [card for card in self.temporary[side] if card in seen] + dealt[TEMPORARIES]
        )
        known = [card for card in self.hands[side] if card in seen]
        self.hands[side] = sorted(known + dealt[PLAIN] + dealt[MARKED])

    def low_cards(self, pool: list[int], side: int, part: int) -> list[int]:
        """Take out of the shuffled pool as many low cards as this part of a hand must have."""
        found: list[int] = []
        needed = self.low[PARTS * side + part]
        ceiling = self.ceiling[side]
        place = len(pool) - 1
        while place >= 0 and len(found) < needed:
            if VALUES[pool[place]] <= ceiling:
                found.append(pool.pop(place))
            place -= 1
        return found

    def copy(self) -> WarfareTactics:
        """Return an independent battle at the same point."""
        new = WarfareTactics()
        self.copy_agenda(new)
        new.house = self.house
        new.turn = self.turn
        new.active = self.active
        new.hands = self.copies(self.hands)
        new.temporary = self.copies(self.temporary)
        new.marked = self.copies(self.marked)
        new.battlefields = self.copies(self.battlefields)
        new.discards = self.copies(self.discards)
        new.decks = self.copies(self.decks)
        new.buried = self.buried.copy()
        new.seen = self.copies(self.seen)
        new.ceiling = self.ceiling.copy()
        new.low = self.low.copy()
        new.columns = self.copies(self.columns)
        new.target = self.target
        new.from_hand = self.from_hand.copy()
        new.declines = self.declines
        new.to_bury = self.to_bury
        new.exhausted = self.exhausted.copy()
        new.owed = self.owed.copy()
        new.specials = self.specials.copy()
        new.window = self.window
        new.called = self.called
        new.bonus = self.bonus
        new.posted = self.posted
        new.stirred = self.stirred
        new.quiet = self.quiet
        new.committed = self.copies(self.committed)
        new.ending = self.ending
        return new

    def state(self) -> list[list[int]]:
        """Return every mutable field as lists of numbers."""
        house = self.house
        return [
            *self.agenda(),
            [
                house.turn_limit,
                house.play_and_attack,
                house.hold_when_ahead,
                house.target_retreats,
                house.seven_is_free,
                house.count_discards,
            ],
            [self.turn, self.active, self.window, self.target, self.declines, self.to_bury],
            [self.quiet, self.ending],
            [self.called, self.bonus, self.posted, self.stirred],
            *self.hands,
            *self.temporary,
            *self.marked,
            *self.battlefields,
            *self.discards,
            *self.decks,
            *self.seen,
            *self.columns,
            *self.committed,
            self.buried,
            self.ceiling,
            self.low,
            self.from_hand,
            self.exhausted,
            self.owed,
            self.specials,
        ]


def total(cards: list[int]) -> int:
    """Return the sum of the cards' values."""
    found = 0
    for card in cards:
        found += VALUES[card]
    return found


def precedence(card: int) -> int:
    """Return a number by which cards sort from high to low, then S H D C, then primes."""
    return -1024 * VALUES[card] + 256 * (card & 3) + (card >> 6)
