"""Warfare Tactics: two armies recruit monsters from each other's battlefields.

A turn begins with a supply: the side draws three temporary cards, or returns up to two monsters from the
discard pile. Then the side takes an action: it plays a card or attacks a monster. In an attack, both sides
add card after card. The attack ends when one side retreats or surrenders, or when both decline; then the
higher total wins. Once in the battle, a side can pay its two highest cards to exchange the discard piles or
to draw seven cards. A side's score is the value of its battlefield and of the enemy's discard pile.

Source: Warfare Tactics by Andrew Merchant, 2012. Numbers such as WT-12 are those of the rules in rules.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import NOBODY, STEP, UNKNOWN, Outcome
from cardbattle.core.cards import add_in_order, is_among, take_out
from cardbattle.rules.warfare_tactics.choices import (
    ACTION,
    ANSWER,
    ATTACK,
    BONUS,
    BURY,
    BURY_ONE,
    COUNTER,
    DECLINE,
    DISCARD,
    DONE,
    DRAW,
    ENOUGH,
    EXCHANGE,
    FIGHT,
    FREE,
    MORE,
    NO_CARDS,
    NONE,
    NOTHING,
    PASS,
    POST,
    PRICES,
    RECALL,
    RETREAT_FIELD,
    RETREAT_HAND,
    RETURN,
    SECOND,
    SEVEN,
    SPECIAL,
    SUPPLY,
    SURRENDER,
    SWITCH,
    TAKE,
    TAKE_ONE,
    action_choices,
    append_choices,
    card_of,
    cards_named,
    choices_of,
    fight_choices,
    known_cards,
    target_of,
    verb_of,
)
from cardbattle.rules.warfare_tactics.state import (
    FIELD,
    HAND,
    ORIGINS,
    VALUES,
    HouseRules,
    WarfareState,
    WarfareView,
    total,
)

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, RandomSource

TEMPORARY: Final = 3  # WT-6
QUIET: Final = 8  # WT-45
FOUR_WINDOWS: Final = 4  # WT-34

# The step that asks a question has the number STEP times the question's number. The other steps follow.
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

TURN_STEPS: Final = [  # by the active side; the last step of a turn comes first, as on the agenda
    [
        END_TURN + side,
        DISMISS + 1 - side,
        OPEN_WINDOW + 1 - side,  # X3
        ASK_FREE + side,
        COMPENSATE,
        OPEN_WINDOW + 1 - side,  # X2
        ASK_ACTION + side,
        OPEN_WINDOW + 1 - side,  # X1
        ASK_SUPPLY + side,
    ]
    for side in (0, 1)
]

HAND_EMPTY: Final = 1  # the ways in which a battle ends (WT-42, WT-45, WT-47)
STALLED: Final = 2
OUT_OF_TURNS: Final = 3
REASONS: Final = ["", "hand-empty", "stalled", "turn-limit"]  # WT-49


class WarfareTactics(WarfareState):
    """One battle of Warfare Tactics: the order of play."""

    def begin(
        self,
        hands: list[list[int]],
        battlefields: list[list[int]],
        decks: list[list[int]],
        random_source: RandomSource,
        first: int = 0,
        house: HouseRules | None = None,
        unseen: list[list[int]] | None = None,
    ) -> None:
        """Set up the battle (WT-1 to WT-5, WT-48). The method `run` then starts it.

        Each deck in `decks` begins with its top card. In a battle with real cards, `unseen` has the cards
        that hands and decks have UNKNOWN cards for, by deck.
        """
        self.open_agenda(2, random_source)
        rules = house if house is not None else HouseRules()
        self.lay_out(hands, battlefields, decks, first, rules, unseen if unseen is not None else [])
        self.then(OPEN, BEGIN_TURN + first)

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda. The branches of the code are in the order of play."""
        if step == OPEN:
            self.open()
        elif step == BEGIN_TURN:
            self.begin_turn(side)
        elif step == ASK_SUPPLY:
            self.ask_supply(side)
        elif step == ASK_MORE:
            self.ask_more(side)
        elif step == OPEN_WINDOW:
            self.open_window(side)
        elif step == ASK_SPECIAL:
            self.ask_special(side)
        elif step == ASK_ANSWER:
            self.ask_answer(side)
        elif step == ASK_ACTION:
            self.ask_action(side)
        elif step == ASK_FIGHT:
            self.ask_fight(side)
        elif step == ASK_TAKE:
            self.ask_take(side)
        elif step == ASK_BURY:
            self.ask_bury(side)
        elif step == STAND_DOWN:
            self.stand_down()
        elif step == COMPENSATE:
            self.compensate()
        elif step == ASK_FREE:
            self.ask_free(side)
        elif step == DISMISS:
            self.dismiss(side)
        else:
            self.end_turn(side)

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice. The branches of the code are in the order of play."""
        if question == SUPPLY:
            self.supply(side, choice)
        elif question == MORE:
            self.bring_more(side, choice)
        elif question in (SPECIAL, ANSWER):
            self.special(side, choice)
        elif question == ACTION:
            self.act(side, choice)
        elif question == FIGHT:
            self.fight(side, choice)
        elif question == TAKE_ONE:
            self.take(side, choice)
        elif question == BURY_ONE:
            self.bury(side, choice)
        else:
            self.free(side, choice)

    def ask_again(self, question: int, side: int) -> None:
        """Put a question on the agenda again. The options are determined when the question is asked."""
        self.then_step(STEP * question + side)

    def open(self) -> None:
        if self.log is not None:
            self.log_deal()

    def begin_turn(self, side: int) -> None:
        """Put the steps of a turn on the agenda. Decide whether the side can draw a bonus card (WT-10)."""
        enemy = 1 - side
        self.todo = TURN_STEPS[side].copy()  # between turns, the agenda is empty
        if self.house.windows == FOUR_WINDOWS:
            self.then_step(OPEN_WINDOW + enemy)
        self.turn += 1
        self.active = side
        self.bonus = len(self.battlefields[side]) < len(self.battlefields[enemy])
        self.window = 0
        self.called = False
        self.posted = False
        self.stirred = False
        if self.log is not None:
            self.log_turn(side)

    # Supply

    def ask_supply(self, side: int) -> None:
        """Ask a side to draw, return a monster, pass, or take a free step first (WT-6, WT-7, WT-9)."""
        deck, discards = self.decks[self.deck_of(side)], self.discards[side]
        is_known = not is_unknown_on_top(deck, TEMPORARY)
        can_return = len(discards) > 1 or not self.house.return_two
        options = choices_of(RETURN, discards) if can_return else []
        if deck and is_known:
            options.insert(0, DRAW)
        options.append(PASS)
        self.add_free_steps(options, side)
        self.ask_knowing(is_known, side, SUPPLY, options)

    def supply(self, side: int, choice: int) -> None:
        """Carry out the supply: draw temporary cards (WT-8), return a monster, pass, or take a free step."""
        if choice == DRAW:
            self.stirred = True
            self.draw(side, self.temporary[side], TEMPORARY, "drew")
        elif choice == PASS:
            if self.log is not None:
                self.emit("passed", side, {})
            if self.house.pass_ends_turn and self.decks[self.deck_of(side)]:
                self.todo.clear()
                self.then(OPEN_WINDOW + 1 - side, DISMISS + 1 - side, END_TURN + side)
        elif verb_of(choice) == RETURN:
            self.bring_back(side, card_of(choice))
            if self.discards[side]:
                self.then_step(ASK_MORE + side)
        else:
            self.free_step(side, choice, SUPPLY)

    def ask_more(self, side: int) -> None:
        """Ask whether a second monster returns (WT-7)."""
        options = choices_of(RETURN, self.discards[side])
        if not self.house.return_two:
            options.append(ENOUGH)
        self.ask(side, MORE, options)

    def bring_more(self, side: int, choice: int) -> None:
        """Carry out the answer: return a second monster, or stop (WT-7)."""
        if choice != ENOUGH:
            self.bring_back(side, card_of(choice))

    def bring_back(self, side: int, card: int) -> None:
        """Return a monster from the discard pile to the battlefield (WT-6)."""
        self.stirred = True
        take_out(card, self.discards[side])
        self.battlefields[side].append(card)
        self.enlist(side, card)
        if self.log is not None:
            self.emit("returned", side, {"card": card})

    # Free steps, which are offered with the supply, with the action, and before the third window

    def add_free_steps(self, options: list[int], side: int) -> None:
        """Add the possible free steps to `options`: a bonus card, exchanges and discards (WT-9 to WT-11)."""
        if self.decks[self.deck_of(side)]:
            if self.bonus:
                options.append(BONUS)
            if self.marked[side] and len(self.discards[side]) < len(self.discards[1 - side]):
                append_choices(options, EXCHANGE, known_cards(self.marked[side]))
        if self.temporary[side]:
            append_choices(options, DISCARD, known_cards(self.temporary[side]))

    def free_step(self, side: int, choice: int, question: int) -> None:
        """Draw or exchange a bonus card, or discard a temporary card (WT-9 to WT-11), then ask again."""
        verb = verb_of(choice)
        if verb == BONUS:
            self.draw_bonus(side)
        elif verb == EXCHANGE:
            self.exchange(side, card_of(choice))
        else:
            self.discard(side, card_of(choice))
        self.ask_again(question, side)

    def draw_bonus(self, side: int) -> None:
        """Draw the bonus card, and mark the card (WT-10, WT-11)."""
        self.stirred = True
        self.bonus = False
        drawn = self.draw(side, self.hands[side], 1, "bonus_drawn")
        add_in_order(drawn[0], self.marked[side])

    def exchange(self, side: int, card: int) -> None:
        """Discard a bonus card, and draw an ordinary card in its place (WT-11)."""
        self.stirred = True
        self.give_up(side, card)
        self.discards[side].append(card)
        if self.log is not None:
            self.emit("exchanged", side, {"card": card})
        self.draw(side, self.hands[side], 1, "exchange_drawn")

    def discard(self, side: int, card: int) -> None:
        """Discard a temporary card (WT-9)."""
        self.give_up(side, card)
        self.discards[side].append(card)
        if self.log is not None:
            self.emit("discarded", side, {"card": card})

    def ask_free(self, side: int) -> None:
        """Ask a side for free steps until it is done (WT-9)."""
        if not (self.bonus or self.marked[side] or self.temporary[side]):
            return
        options: list[int] = []
        self.add_free_steps(options, side)
        if options:
            options.append(DONE)
            self.ask_even_if_forced(side, FREE, options)

    def free(self, side: int, choice: int) -> None:
        """Take a free step, or end the free steps (WT-9)."""
        if choice != DONE:
            self.free_step(side, choice, FREE)

    # Special moves

    def open_window(self, side: int) -> None:
        """Ask the inactive side for a special move and the active side for an answer (WT-34).

        The window does not open if both sides have made their special move (WT-37), or during the quiet turns
        at the start. With a house rule, if a hand and the deck are empty, the battle ends instead (WT-42).
        """
        self.window += 1
        if self.house.ends_at_once and (self.is_out_of_cards(0) or self.is_out_of_cards(1)):
            self.todo.clear()
            self.end(HAND_EMPTY)
            return
        if self.turn > self.house.quiet_turns and not (self.specials[0] and self.specials[1]):
            self.then_step(ASK_ANSWER + 1 - side)
            self.then_step(ASK_SPECIAL + side)

    def ask_special(self, side: int) -> None:
        """Ask the inactive side for a special move (WT-34)."""
        if not self.specials[side]:
            self.ask_for_move(side, SPECIAL)

    def ask_answer(self, side: int) -> None:
        """Ask the active side for the other special move, if the enemy made one in this turn (WT-36)."""
        if self.called and not self.specials[side]:
            self.ask_for_move(side, ANSWER)

    def ask_for_move(self, side: int, question: int) -> None:
        """Ask for a special move that is still possible, or for none.

        Each pair of cards that can pay is a separate choice (WT-35).
        """
        options = [NONE]
        purse = self.purse(side)
        kinds = self.open_kinds(side, len(purse) > 1, question)
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

    def open_kinds(self, side: int, can_pay: bool, question: int) -> list[int]:
        """Return the special moves that the side can make now (WT-36 to WT-38)."""
        enemy_move = self.specials[1 - side]
        if self.house.any_kind and question == SPECIAL:
            enemy_move = NONE
        kinds = [SWITCH] if enemy_move != SWITCH and can_pay else []
        if enemy_move != SEVEN and self.decks[self.deck_of(side)] and (can_pay or self.house.seven_is_free):
            kinds.append(SEVEN)
        return kinds

    def purse(self, side: int) -> list[int]:
        """Return the cards that can pay for a special move: those that are not exhausted (WT-35)."""
        standing = [card for card in self.battlefields[side] if not is_among(card, self.exhausted)]
        return standing + self.hands[side] + self.temporary[side]

    def payments(self, cards: list[int]) -> list[int]:
        """Return all pairs of cards with which a side can pay (WT-35).

        A pair consists of the two highest of `cards`. If cards have equal values, several pairs are possible.
        There must be at least two cards.
        """
        if is_among(UNKNOWN, cards):
            return []
        best, second = cards[0], 0
        for card in cards[1:]:
            value = VALUES[card]
            if value > VALUES[best]:
                best, second = card, VALUES[best]
            elif value > second:
                second = value
        level = [card for card in cards if VALUES[card] == second]
        if len(level) > 1:
            level.sort(key=precedence)
        if VALUES[best] > second:
            return [best + SECOND * card for card in level]
        return [first + SECOND * card for n, first in enumerate(level) for card in level[n + 1 :]]

    def special(self, side: int, choice: int) -> None:
        """Pay for a special move, then exchange the discard piles or draw seven cards (WT-33)."""
        if choice == NONE:
            if self.log is not None:
                self.emit("kept_still", side, {"window": self.window})
            return
        self.stirred = True
        self.called = True
        kind = verb_of(choice)
        self.specials[side] = kind
        paid = cards_named(choice)
        origins = [self.give_up(side, card) for card in paid]
        self.discards[side] += paid
        if paid:
            self.limit_hand(side, VALUES[paid[1]])
        if kind == SWITCH:
            self.discards.reverse()
        if self.log is not None:
            name = "switched" if kind == SWITCH else "called_seven"
            self.emit(name, side, {"paid": paid, "origins": [ORIGINS[origin] for origin in origins]})
        if kind == SEVEN:
            self.draw(side, self.hands[side], HAND, "seven_drawn")

    # Action

    def ask_action(self, side: int) -> None:
        """Ask a side to play a card, attack or pass, or to take a free step first (WT-12 to WT-14)."""
        hand, temporary = self.hands[side], self.temporary[side]
        known, free = known_cards(hand), self.battlefields[side]
        targets = self.battlefields[1 - side]
        playable = NO_CARDS if self.posted else known
        can_wait = self.posted or len(self.decks[self.deck_of(side)]) > 0
        options = action_choices(playable, known, known_cards(temporary), free, targets, can_wait)
        self.add_free_steps(options, side)
        self.ask_knowing(len(known) == len(hand), side, ACTION, options)

    def act(self, side: int, choice: int) -> None:
        """Carry out the action: play a card, attack or pass (WT-12, WT-13), or take a free step."""
        verb = verb_of(choice)
        if verb == POST:
            self.post(side, card_of(choice))
            if self.house.play_and_attack:
                self.then_step(ASK_ACTION + side)
        elif verb == ATTACK:
            self.attack(side, card_of(choice), target_of(choice))
        elif verb != NOTHING:
            self.free_step(side, choice, ACTION)
        elif self.log is not None:
            self.emit("waited", side, {})

    def post(self, side: int, card: int) -> None:
        """Play an ordinary card to the battlefield (WT-12)."""
        self.stirred = True
        self.posted = True
        origin = self.give_up(side, card)
        self.battlefields[side].append(card)
        self.enlist(side, card)
        if self.log is not None:
            self.emit("posted", side, {"card": card, "origin": ORIGINS[origin]})

    # The attack

    def attack(self, side: int, card: int, target: int) -> None:
        """Put a card next to an enemy monster. The enemy chooses first (WT-14, WT-16)."""
        enemy = 1 - side
        self.stirred = True
        self.target = target
        take_out(target, self.battlefields[enemy])
        self.columns[enemy].append(target)
        self.from_hand[0] = 0
        self.from_hand[1] = 0
        self.declines = 0
        origin = self.add(side, card)
        if self.log is not None:
            self.emit("attacked", side, {"card": card, "target": target, "origin": ORIGINS[origin]})
        self.then_step(ASK_FIGHT + enemy)

    def add(self, side: int, card: int) -> int:
        """Add a card to the side's column, and return the index of its origin in ORIGINS (WT-17)."""
        origin = self.give_up(side, card)
        if origin != FIELD:
            self.from_hand[side] += 1
        self.columns[side].append(card)
        self.enlist(side, card)
        return origin

    def ask_fight(self, side: int) -> None:
        """Ask a side how it continues an attack (WT-16 to WT-20). A side cannot pass in an attack.

        With house rules, the attack ends instead if the side has no cards or monsters left (WT-30), or
        if the enemy has added its last card (WT-19).
        """
        enemy = 1 - side
        house = self.house
        if (house.spent_ends and self.is_spent(side)) or (house.last_card_final and self.is_spent(enemy)):
            self.settle()
            return
        hand, temporary = known_cards(self.hands[side]), known_cards(self.temporary[side])
        free, deck = self.battlefields[side], self.decks[self.deck_of(side)]
        visible, held = len(hand) + len(temporary), len(self.hands[side]) + len(self.temporary[side])
        can_recall = not held and len(deck) > 0 and deck[-1] != UNKNOWN
        prices = PRICES[(2 if visible or not held else 0) + (1 if self.may_bury(side) else 0)]
        is_held = house.hold_when_ahead and self.is_ahead(side)  # WT-18
        can_decline = not held or not self.holds_cards(enemy) or is_held
        options = fight_choices(hand, temporary, free, free if can_recall else NO_CARDS, prices, can_decline)
        if visible < held:
            self.ask_even_if_forced(side, FIGHT, options)
        else:
            self.ask(side, FIGHT, options)

    def may_bury(self, side: int) -> bool:
        """Return True if a side can pay for a retreat with monsters from its battlefield (WT-25, WT-40)."""
        n = self.retreater_count(side)
        return (
            n > 0
            and len(self.battlefields[side]) >= n
            and len(self.decks[self.deck_of(side)]) > 0
            and len(self.discards[side]) + n > len(self.discards[1 - side])
        )

    def fight(self, side: int, choice: int) -> None:
        """Carry out a choice in an attack. Unless the attack ends, the other side is asked next (WT-16)."""
        verb = verb_of(choice)
        if verb == COUNTER:
            self.counter(side, card_of(choice))
        elif verb == RECALL:
            self.recall(side, card_of(choice))
        elif verb == DECLINE:
            self.decline(side)
        elif verb == SURRENDER:
            self.surrender(side)
        else:
            self.retreat(side, verb)

    def counter(self, side: int, card: int) -> None:
        """Add a card to the side's column (WT-17)."""
        self.declines = 0
        origin = self.add(side, card)
        if self.log is not None:
            fields: dict[str, object] = {"card": card, "origin": ORIGINS[origin]}
            self.emit("countered", side, fields | {"totals": self.totals()})
        self.then_step(ASK_FIGHT + 1 - side)

    def recall(self, side: int, card: int) -> None:
        """Put a free monster under the deck, and add the top card of the deck to the column (WT-20)."""
        self.declines = 0
        self.put_under(side, card)
        at = self.deck_of(side)
        drawn = self.decks[at].pop()
        self.buried[at] = min(self.buried[at], len(self.decks[at]))
        self.columns[side].append(drawn)
        self.enlist(side, drawn)
        if self.log is not None:
            self.emit("recalled", side, {"card": card, "drawn": drawn, "totals": self.totals()})
        self.then_step(ASK_FIGHT + 1 - side)

    def retreat(self, side: int, price: int) -> None:
        """Discard the column (WT-23), then pay for the retreat (WT-24, WT-25)."""
        lost = self.retreaters(side).copy()
        self.columns[side] = self.columns[side][: -len(lost)] if lost else self.columns[side]
        self.discards[side] += lost
        if price == RETREAT_FIELD:
            self.to_bury = len(lost)
            self.then(ASK_BURY + side, STAND_DOWN)
        elif self.holds_cards(side):
            self.then(ASK_TAKE + 1 - side, STAND_DOWN)
        else:
            self.then_step(STAND_DOWN)
        if self.log is not None:
            paid_from = "hand" if price == RETREAT_HAND else "field"
            self.emit("retreated", side, {"cards": lost, "price": paid_from})
        if price == RETREAT_HAND and self.holds_cards(side):
            self.show_hand(side)

    def ask_take(self, side: int) -> None:
        """Ask the winner which card it takes from the shown hand (WT-24, WT-D6)."""
        hand = sorted(self.hands[1 - side] + self.temporary[1 - side])
        known = known_cards(hand)
        self.ask_knowing(len(known) == len(hand), side, TAKE_ONE, choices_of(TAKE, known))

    def take(self, side: int, choice: int) -> None:
        """Move the card to the side's hand as an ordinary card (WT-11, WT-24)."""
        card = card_of(choice)
        self.give_up(1 - side, card)
        add_in_order(card, self.hands[side])
        add_in_order(card, self.seen[side])
        if self.log is not None:
            self.emit("took", side, {"card": card})

    def ask_bury(self, side: int) -> None:
        """Ask which free monster goes under the deck next (WT-25)."""
        self.ask(side, BURY_ONE, choices_of(BURY, self.battlefields[side]))

    def bury(self, side: int, choice: int) -> None:
        """Put a monster under the deck, below the monsters chosen earlier (WT-25)."""
        card = card_of(choice)
        self.put_under(side, card)
        self.to_bury -= 1
        if self.to_bury:
            self.then_step(ASK_BURY + side)
        if self.log is not None:
            self.emit("buried", side, {"card": card})

    def surrender(self, side: int) -> None:
        """Give the side's column to the enemy, and mark the cards as exhausted (WT-27)."""
        lost = self.surrendered(side)
        self.exhausted = lost.copy()
        self.columns[side] = self.columns[side][: -len(lost)] if lost else self.columns[side]
        self.columns[1 - side] += lost
        if self.log is not None:
            self.emit("surrendered", side, {"cards": self.exhausted.copy()})
        self.stand_down()

    def decline(self, side: int) -> None:
        """Add no card to the column. A second decline in a row ends the attack (WT-19)."""
        self.declines += 1
        if self.log is not None:
            self.emit("declined", side, {})
        is_final = self.house.last_card_final and not (self.holds_cards(0) and self.holds_cards(1))
        if self.declines == 2 or is_final:
            self.settle()
        else:
            self.then_step(ASK_FIGHT + 1 - side)

    def settle(self) -> None:
        """Compare the totals of both columns. If they are equal, the attacker loses (WT-28 to WT-32)."""
        winner = self.active if self.is_ahead(self.active) else 1 - self.active
        loser = 1 - winner
        lost = self.columns[loser]
        self.columns[loser] = []
        is_rout = self.is_spent(winner) or self.is_spent(loser)
        if self.log is not None:
            totals = [total(self.columns[winner]), total(lost)]
            fields: dict[str, object] = {"totals": totals if winner == 0 else totals[::-1]}
            self.emit("won", winner, fields | {"loser": loser, "cards": lost.copy(), "rout": is_rout})
        if is_rout:
            self.columns[winner] += lost
        else:
            self.discards[loser] += lost
        self.owed[loser] = self.from_hand[loser]
        self.stand_down()

    def stand_down(self) -> None:
        """Move the remaining columns to the battlefields of their owners (WT-26)."""
        for side in range(2):
            if self.columns[side]:
                self.battlefields[side].extend(self.columns[side])
                self.columns[side].clear()
        self.target = NOBODY

    def compensate(self) -> None:
        """Let the loser of an attack draw cards, as compensation for cards from its hand (WT-31)."""
        for side in range(2):
            owed = self.owed[side]
            if owed:
                self.owed[side] = 0
                self.draw(side, self.hands[side], owed, "compensated")

    # The end of a turn

    def dismiss(self, side: int) -> None:
        """Discard the temporary cards that are left (WT-8)."""
        if not self.temporary[side]:
            return
        cards = self.temporary[side].copy()
        for card in cards:
            self.give_up(side, card)
        self.discards[side] += cards
        if self.log is not None:
            self.emit("dismissed", side, {"cards": cards})

    def end_turn(self, side: int) -> None:
        """Refresh exhausted cards, then check whether the battle ends (WT-42, WT-45, WT-47)."""
        if self.exhausted:
            self.exhausted = []
        self.quiet = 0 if self.stirred else self.quiet + 1
        if self.is_out_of_cards(0) or self.is_out_of_cards(1):
            self.end(HAND_EMPTY)
        elif self.quiet == QUIET:
            self.end(STALLED)
        elif self.turn >= self.house.turn_limit:
            self.end(OUT_OF_TURNS)
        else:
            self.then_step(BEGIN_TURN + 1 - side)

    def end(self, ending: int) -> None:
        """End the battle for the reason `ending`, an index into REASONS (WT-42, WT-45, WT-47)."""
        self.ending = ending
        if self.log is not None:
            self.log_end()

    def outcome(self) -> Outcome[int]:
        """Return the result. The side with the higher score wins (WT-43). The losses are counted by WT-49."""
        scores = [self.score(0), self.score(1)]
        losses = [self.losses(0), self.losses(1)]
        if scores[0] == scores[1]:
            return Outcome([], "level", losses)
        return Outcome([0 if scores[0] > scores[1] else 1], REASONS[self.ending], losses)

    def log_end(self) -> None:
        outcome = self.outcome()
        self.emit(
            "ended",
            NOBODY,
            {
                "winners": outcome.winners,
                "reason": outcome.reason,
                "ending": REASONS[self.ending],
                "scores": [self.score(0), self.score(1)],
                "battlefields": self.copies(self.battlefields),
                "discards": self.copies(self.discards),
            },
        )

    def ask_knowing(self, is_known: bool, side: int, question: int, options: list[int]) -> None:
        """Ask a question whose options depend on cards.

        If some of the cards are unknown, ask the question even if it has only one option.
        """
        if is_known:
            self.ask(side, question, options)
        else:
            self.ask_even_if_forced(side, question, options)

    # Hidden cards

    def view(self, side: int) -> WarfareView:
        return WarfareView(self, side).detach()

    def fast_view(self, side: int) -> WarfareView:
        """Return a side's view, which shares lists with the battle."""
        return WarfareView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> WarfareTactics:
        """Return a copy in which the enemy's unseen cards and the decks are dealt again.

        Cards that the viewer has seen in the enemy's hand, and cards that were put under a deck, keep their
        places. Each part of the hand keeps its size. If the enemy has paid its two highest cards, the viewer
        knows that the enemy's other cards were lower. The new hand has as many cards that must be lower as
        before.
        """
        if viewer == NOBODY:
            return self.redeal_for_public(chance)
        new = self.complete_copy(chance)
        enemy = 1 - viewer
        if len(new.decks) > 1:
            deck = new.decks[viewer]
            pool = sorted(deck[new.buried[viewer] :])
            chance.shuffle(pool)
            deck[new.buried[viewer] :] = pool
        new.deal_again(enemy, chance)
        if new.side == enemy:
            new.side = NOBODY
            new.ask_again(new.question, enemy)
            new.run()
        return new

    def redeal_for_public(self, chance: Chance) -> WarfareTactics:
        """Return a copy in which the hidden cards of both hands and the decks are dealt again."""
        new = self.complete_copy(chance)
        new.deal_both_again(chance)
        if new.side != NOBODY:
            side = new.side
            new.side = NOBODY
            new.ask_again(new.question, side)
            new.run()
        return new

    def copy(self) -> WarfareTactics:
        new = WarfareTactics()
        self.copy_state(new)
        return new


def is_unknown_on_top(deck: list[int], n: int) -> bool:
    """Return True if one of the top `n` cards of a deck is unknown. The top card is last."""
    size = len(deck)
    return any(deck[place] == UNKNOWN for place in range(size - n if size > n else 0, size))


def precedence(card: int) -> int:
    """Return the sort key of a card: value from high to low, suit (S, H, D, C), primes (WT-D3)."""
    return -1024 * VALUES[card] + 256 * (card & 3) + (card >> 6)
