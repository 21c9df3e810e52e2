"""A referee for Warfare Tactics, written from its rules page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.referees.table import Dice, Ruling, Table, card_number, pack, plain, rank_of

FREE_STEPS = ("bonus", "exchange", "discard")
SPECIAL_MOVES = ("switch", "seven")  # WT-33
Options = Callable[[], list[str]]


# WT-2
def value_of(card: str) -> int:
    return 1 if rank_of(card) == 14 else rank_of(card)


def total_of(cards: Iterable[str]) -> int:
    return sum(map(value_of, cards))


def judge(record: Mapping[str, Any]) -> Ruling:
    """Replay a record and return its result; raise Refused if a move breaks a rule."""
    return WarfareTactics(Table(record, "warfare-tactics")).fight()


class HandEmpty(Exception):
    """The deck and a hand are empty within a turn (WT-42)."""


class Side:
    def __init__(self, seat: int, deck: list[str], hand: list[str], field: list[str]) -> None:
        self.seat = seat
        self.deck = deck  # top first; the same list for both sides unless decks are constructed
        self.hand = hand
        self.field = field
        self.pile: list[str] = []
        self.temporary: list[str] = []  # cards of the hand (WT-8)
        self.marked: list[str] = []  # bonus cards of the hand (WT-11)
        self.special_move = ""  # WT-37
        self.committed = set(field)  # WT-49
        self.enemy: Side

    def draw(self, number: int) -> list[str]:
        drawn = self.deck[:number]
        del self.deck[:number]
        self.hand += drawn
        return drawn

    def remove(self, card: str) -> None:
        """Remove a card from the hand or battlefield; it loses its mark."""
        for cards in (self.hand, self.temporary, self.marked, self.field):
            if card in cards:
                cards.remove(card)

    def take_column(self, column: Column) -> None:
        column.leave()
        self.field += column.cards


class Column:
    """The cards of a side in an attack."""

    def __init__(self, side: Side, target: str = "") -> None:
        self.side = side
        self.target = target  # the monster attacked
        self.cards = [target] if target else []
        self.from_hand = 0  # the number of cards that came from the hand
        self.other: Column

    def free_monsters(self) -> list[str]:
        return [card for card in self.side.field if card not in self.cards]

    def is_spent(self) -> bool:
        return not self.side.hand and not self.free_monsters()

    # WT-14, WT-17, WT-20, WT-32, WT-49
    def add(self, card: str) -> None:
        self.from_hand += card in self.side.hand
        self.side.remove(card)
        self.side.committed.add(card)
        self.cards.append(card)

    def leave(self) -> None:
        for card in self.cards:
            self.side.remove(card)


class WarfareTactics:
    # WT-1, WT-4
    def __init__(self, table: Table) -> None:
        self.table = table
        self.house = table.house
        self.sides = self.deal()
        for side, enemy in zip(self.sides, reversed(self.sides), strict=True):
            side.enemy = enemy
        self.active = self.sides[table.seats.index(self.house["dealer"])]
        self.turn = 0
        self.quiet = 0  # turns in a row in which nothing happened (WT-45)
        self.exhausted: list[str] = []  # WT-27
        self.compensation: tuple[Side, int] | None = None  # WT-31
        self.is_bonus_due = False  # WT-10
        self.is_busy = False  # WT-45
        self.has_enemy_moved = False  # WT-36

    # WT-1, WT-3, WT-5, WT-48
    def deal(self) -> list[Side]:
        table, dice = self.table, Dice(self.table.seed, "deal")
        fields, extras, hands = (
            table.options("battlefield", []),
            table.options("extra", []),
            table.options("hand", 7),
        )
        sides: list[Side] = []
        for seats in [(0,), (1,)] if self.house["decks"] == "constructed" else [(0, 1)]:
            taken = [card for seat in seats for card in fields[seat] + extras[seat]]
            cards = [card for card in self.cards_of_deck(seats[0]) if card not in taken]
            dice.shuffle(cards)
            dealt = [extras[seat] + [cards.pop() for _ in range(hands[seat])] for seat in seats]
            deck = cards[::-1]
            path = ("stack",) if len(seats) == 2 else ("decks", table.seats[seats[0]])
            table.check_pile(deck, *path)
            for seat, hand in zip(seats, dealt, strict=True):
                table.check_pile(hand, table.seats[seat])
                sides.append(Side(seat, deck, hand, list(fields[seat])))
        return sides

    def cards_of_deck(self, seat: int) -> list[str]:
        if self.house["decks"] != "constructed":
            return sorted(
                (card + "'" * copy for card in pack() for copy in range(self.house["decks"])), key=card_number
            )
        listed = self.table.options("deck")[seat]
        if len(listed) < 45 or any(listed.count(card) > 2 for card in listed):
            self.table.refuse("WT-5", "a deck has at least 45 cards and at most two of a kind")
        marks = ["'" * (2 * seat), "'" * (2 * seat + 1)]
        return sorted(
            (card + marks[listed[:i].count(card)] for i, card in enumerate(listed)), key=card_number
        )

    # WT-42, WT-44, WT-45, WT-47
    def fight(self) -> Ruling:
        try:
            return self.take_turns()
        except HandEmpty:
            return self.rule_on_the_end("hand-empty")

    def take_turns(self) -> Ruling:
        limit = self.house.get("turn_limit", 120 if self.house["decks"] == 1 else 240)
        while True:
            self.turn += 1
            self.take_turn()
            if self.is_hand_empty():
                return self.rule_on_the_end("hand-empty")
            if self.quiet == 8:
                return self.rule_on_the_end("stalled")
            if self.turn == limit:
                return self.rule_on_the_end("turn-limit")
            self.active = self.active.enemy

    # WT-42, WT-44
    def is_hand_empty(self) -> bool:
        return any(not side.hand and not side.deck for side in self.sides)

    def take_turn(self) -> None:
        side = self.active
        self.exhausted, self.compensation = [], None
        self.is_busy, self.has_enemy_moved = False, False
        self.is_bonus_due = len(side.field) < len(side.enemy.field)  # WT-10
        if self.house.get("windows") == 4:  # WT-34
            self.open_window()
        ends_turn = self.supply()
        self.open_window()
        if not ends_turn:
            self.act()
            self.open_window()
            self.compensate()
            self.ask_active(lambda: ["done"], "WT-9")
            self.open_window()
        for card in list(side.enemy.temporary):  # WT-8
            self.discard(side.enemy, card)
        self.quiet = 0 if self.is_busy else self.quiet + 1

    def choose(self, side: Side, options: list[str], rule: str) -> list[str]:
        return self.table.choose(side.seat, options, rule).split()

    # WT-9, WT-10, WT-11, WT-D2
    def ask_active(self, options: Options, rule: str) -> list[str]:
        """Ask the active side, with its free steps, until it chooses one of the options."""
        while (words := self.choose(self.active, options() + self.free_steps(), rule))[0] in FREE_STEPS:
            self.take_free_step(*words)
        return words

    def free_steps(self) -> list[str]:
        side = self.active
        steps = [f"discard {card}" for card in side.temporary]
        if side.deck and self.is_bonus_due:
            steps.append("bonus")
        if side.deck and len(side.pile) < len(side.enemy.pile):
            steps += [f"exchange {card}" for card in side.marked]
        return steps

    def take_free_step(self, step: str, card: str = "") -> None:
        side = self.active
        if step == "bonus":
            side.marked += side.draw(1)
            self.is_bonus_due = False
        else:
            self.discard(side, card)
        if step == "exchange":
            side.draw(1)
        self.is_busy |= step != "discard"

    def discard(self, side: Side, card: str) -> None:
        side.remove(card)
        side.pile.append(card)

    # WT-6, WT-7, WT-8, WT-D1
    def supply(self) -> bool:
        """Take the supply, and return whether the side ends its turn."""
        side = self.active
        fewest = 2 if self.house.get("returning") == "two" else 1

        def options() -> list[str]:
            returns = [f"return {card}" for card in side.pile if len(side.pile) >= fewest]
            return ["pass", *["draw"] * bool(side.deck), *returns]

        words = self.ask_active(options, "WT-6")
        self.is_busy |= words[0] != "pass"
        if words[0] == "draw":
            side.temporary += side.draw(3)
        elif words[0] == "return":
            self.return_monster(words[1])
            if side.pile:
                enough = ["enough"] if fewest == 1 else []
                words = self.choose(side, [*enough, *(f"return {card}" for card in side.pile)], "WT-7")
                if words[0] == "return":
                    self.return_monster(words[1])
        return words[0] == "pass" and self.house.get("passing") == "turn" and bool(side.deck)

    def return_monster(self, card: str) -> None:
        self.active.pile.remove(card)
        self.active.field.append(card)
        self.active.committed.add(card)

    # WT-34, WT-36, WT-39, WT-D3
    def open_window(self) -> None:
        if self.turn <= self.house.get("quiet_turns", 0):
            return
        if self.house.get("ending") == "at-once" and self.is_hand_empty():  # WT-42
            raise HandEmpty
        enemy = self.active.enemy
        is_any = self.house.get("special_moves") == "any"  # WT-37
        self.has_enemy_moved |= self.offer_special_move(enemy, "" if is_any else self.active.special_move)
        if self.has_enemy_moved:
            self.offer_special_move(self.active, enemy.special_move)

    # WT-35, WT-36, WT-37, WT-38
    def offer_special_move(self, side: Side, excluded: str) -> bool:
        """Let a side make a special move that is not excluded, and return whether it did."""
        if side.special_move:
            return False
        offers: dict[str, tuple[str, ...]] = {"none": ()}
        for move in SPECIAL_MOVES:
            prices = [()] if move == "seven" and self.house["seven_is_free"] else self.prices_of(side)
            if move != excluded and (side.deck or move == "switch"):
                offers |= {" ".join([move, *price] if len(prices) > 1 else [move]): price for price in prices}
        text = " ".join(self.choose(side, list(offers), "WT-34"))
        if text == "none":
            return False
        side.special_move = text.split()[0]
        for card in offers[text]:
            self.discard(side, card)
        if side.special_move == "switch":
            side.pile, side.enemy.pile = side.enemy.pile, side.pile
        else:
            side.draw(7)
        self.is_busy = True
        return True

    # WT-27, WT-35
    def prices_of(self, side: Side) -> list[tuple[str, ...]]:
        """Return every way to pay with the two highest cards, the higher card first."""
        cards = [card for card in side.hand + side.field if card not in self.exhausted]
        cards.sort(key=lambda card: (-value_of(card), card_number(plain(card)), card))
        highest = [value_of(card) for card in cards[:2]]
        return [pair for pair in combinations(cards, 2) if [*map(value_of, pair)] == highest]

    # WT-12, WT-13, WT-46, WT-D4
    def act(self) -> None:
        side = self.active
        words = self.ask_active(lambda: self.actions(may_post=True), "WT-12")
        if words[0] == "post":
            self.is_busy = True
            side.remove(words[1])
            side.field.append(words[1])
            side.committed.add(words[1])
            if self.house["play_and_attack"]:
                words = self.ask_active(lambda: self.actions(may_post=False), "WT-12")
        if words[0] == "attack":
            self.is_busy = True
            self.attack(*words[1:])

    # WT-8, WT-12, WT-14, WT-15, WT-46
    def actions(self, *, may_post: bool) -> list[str]:
        side = self.active
        texts = [f"attack {card} {target}" for card in side.hand + side.field for target in side.enemy.field]
        if may_post:
            texts += [f"post {card}" for card in side.hand if card not in side.temporary]
        if side.deck or not texts or not may_post:
            texts.append("nothing")
        return texts

    # WT-14, WT-16, WT-19
    def attack(self, card: str, target: str) -> None:
        own, other = Column(self.active), Column(self.active.enemy, target)
        own.other, other.other = other, own
        own.add(card)
        chooser, declined = other, False
        while not self.ends_before(chooser):
            move, *cards = self.choose(chooser.side, self.answers(chooser), "WT-16")
            if move == "counter":  # WT-17
                chooser.add(cards[0])
            elif move == "recall":  # WT-20
                chooser.side.deck.append(cards[0])
                chooser.side.field.remove(cards[0])
                chooser.add(chooser.side.deck.pop(0))
            elif move == "retreat":
                return self.retreat(chooser, cards[0])
            elif move == "surrender":
                return self.surrender(chooser)
            elif declined or self.is_final():
                break
            declined = move == "decline"
            chooser = chooser.other
        return self.compare_totals(own, other)

    # WT-19
    def is_final(self) -> bool:
        """Return whether the first side that declines ends the attack."""
        return self.house.get("last_card") == "final" and any(not side.hand for side in self.sides)

    # WT-19, WT-30
    def ends_before(self, column: Column) -> bool:
        """Return whether the totals are compared before a side chooses."""
        if self.house.get("last_card") == "final" and column.other.is_spent():
            return True
        return self.house.get("spent_side") == "ends" and column.is_spent()

    # WT-16, WT-17, WT-18, WT-19, WT-20, WT-24, WT-25, WT-D5
    def answers(self, column: Column) -> list[str]:
        side, free = column.side, column.free_monsters()
        texts = ["retreat hand", "surrender", *(f"counter {card}" for card in side.hand + free)]
        if side.deck and not side.hand:
            texts += [f"recall {card}" for card in free]
        is_ahead = self.house["hold_when_ahead"] and total_of(column.cards) > total_of(column.other.cards)
        if not side.hand or not side.enemy.hand or is_ahead:
            texts.append("decline")
        discarded = self.retreating_cards(column)
        pile = len(side.pile) + len(discarded)
        if side.deck and 0 < len(discarded) <= len(free) and pile > len(side.enemy.pile):
            texts.append("retreat field")
        return texts

    # WT-23
    def retreating_cards(self, column: Column) -> list[str]:
        return [card for card in column.cards if self.house["target_retreats"] or card != column.target]

    # WT-23, WT-24, WT-25, WT-26, WT-D6
    def retreat(self, column: Column, price: str) -> None:
        side, enemy = column.side, column.side.enemy
        free, discarded = column.free_monsters(), self.retreating_cards(column)
        column.leave()
        side.field += [card for card in column.cards if card not in discarded]
        side.pile += discarded
        enemy.take_column(column.other)
        if price == "field":
            for _ in discarded:
                card = self.choose(side, [f"bury {card}" for card in free], "WT-25")[1]
                free.remove(card)
                side.field.remove(card)
                side.deck.append(card)
        elif side.hand:
            card = self.choose(enemy, [f"take {card}" for card in side.hand], "WT-24")[1]
            side.remove(card)
            enemy.hand.append(card)

    # WT-27
    def surrender(self, column: Column) -> None:
        enemy = column.side.enemy
        enemy.take_column(column.other)
        if self.house.get("target_surrenders") is False and column.target:
            column.cards.remove(column.target)
        enemy.take_column(column)
        self.exhausted = column.cards

    # WT-28, WT-29, WT-30, WT-31
    def compare_totals(self, own: Column, other: Column) -> None:
        winner, loser = (own, other) if total_of(own.cards) > total_of(other.cards) else (other, own)
        is_rout = any(not column.side.hand and not column.free_monsters() for column in (own, other))
        winner.side.take_column(winner)
        if is_rout:
            winner.side.take_column(loser)
        else:
            loser.leave()
            loser.side.pile += loser.cards
        self.compensation = loser.side, loser.from_hand

    # WT-31
    def compensate(self) -> None:
        if self.compensation:
            side, number = self.compensation
            side.draw(number)

    # WT-43, WT-49
    def rule_on_the_end(self, reason: str) -> Ruling:
        self.table.close()
        scores = []
        losses = []
        for side in self.sides:
            pile = side.enemy.pile
            scores.append(
                total_of(side.field)
                + (len(pile) if self.house["discard_score"] == "count" else total_of(pile))
            )
            committed = total_of(side.committed)
            lost = committed - total_of(side.field)
            losses.append(Fraction(max(lost, 0), committed) if committed else Fraction(0))
        winners = [key for key, score in zip(self.table.seats, scores, strict=True) if score > min(scores)]
        return Ruling(winners, reason if winners else "level", scores, losses)
