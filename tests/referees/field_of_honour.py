"""A referee for Field of Honour, written from its rules page."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.referees.table import Dice, Ruling, Table, card_number, pack, rank_of

SPACES = 5
BACK = "redeploy-back"
EFFECTS = {"A": ["draw", "discard"], "K": ["rally", "redeploy", BACK], "Q": ["swap"], "J": ["double"]}
JOKER = [effect for effects in EFFECTS.values() for effect in effects]  # FH-29


class Group:
    """The cards of a side in a space, and the specials lying on them (FH-30)."""

    def __init__(self, cards: list[str]) -> None:
        self.cards = cards
        self.specials: list[str] = []

    # FH-12, FH-31
    def value(self) -> int:
        value = sum(map(value_of, self.cards))
        for special in self.specials:
            value = value * 2 if special == "double" else value + 1
        return value


# FH-5
def value_of(card: str) -> int:
    return 15 if card in ("RJ", "BJ") else min(rank_of(card), 10)


# FH-20, FH-24, FH-25, FH-27, FH-28, FH-29
def effects_of(card: str) -> list[str]:
    return JOKER if card in ("RJ", "BJ") else EFFECTS.get(card[0], [])


def judge(record: Mapping[str, Any]) -> Ruling:
    """Replay a record and return its result; raise Refused if a move breaks a rule."""
    return FieldOfHonour(Table(record, "field-of-honour")).fight()


class FieldOfHonour:
    # FH-1, FH-4
    def __init__(self, table: Table) -> None:
        self.table = table
        self.dealer = table.seats.index(table.house["dealer"])
        self.non_dealer = 1 - self.dealer
        self.extra: list[list[str]] = table.options("extra", [])
        self.hands, self.stack = self.deal()
        for seat in (0, 1):
            table.check_pile(self.hands[seat], table.seats[seat])
        table.check_pile(self.stack, "stack")
        self.lines: list[list[Group]] = []

    # FH-2, FH-3, FH-40
    def deal(self) -> tuple[list[list[str]], list[str]]:
        ordered: list[str] = self.table.house.get("pack", [])
        cards = [card for card in ordered or pack("RJ", "BJ") if card not in self.extra[0] + self.extra[1]]
        if not ordered:
            Dice(self.table.seed, "deal").shuffle(cards)
        picked = self.pick_cards(cards, is_ordered=bool(ordered))
        dealt: list[list[str]] = [[], []]
        wanted = self.table.options("hand", 10)
        seat = self.non_dealer
        while sum(map(len, dealt)) < sum(wanted):
            if len(dealt[seat]) < wanted[seat]:
                dealt[seat].append(cards.pop(0))
            seat = 1 - seat
        return [self.extra[seat] + picked[seat] + dealt[seat] for seat in (0, 1)], cards

    # FH-38, FH-40
    def pick_cards(self, cards: list[str], *, is_ordered: bool) -> list[list[str]]:
        picked: list[list[str]] = [[], []]
        for seat in (self.non_dealer, self.dealer):
            for _ in range(self.table.options("pick", 0)[seat]):
                text = self.table.choose(seat, [f"pick {card}" for card in cards], "FH-40")
                card = text.split()[1]
                picked[seat].append(card)
                if is_ordered:
                    cards.remove(card)
                elif (last := cards.pop()) != card:
                    cards[cards.index(card)] = last
        return picked

    # FH-35
    def fight(self) -> Ruling:
        self.lines = [self.place_line(seat) for seat in (0, 1)]  # FH-6, FH-9: at the same time, by seat
        held = [0, 0]
        self.choose_end()
        for space in range(SPACES):  # FH-11
            self.fight_for(space)
            values = [line[space].value() for line in self.lines]
            for seat in (0, 1):
                held[seat] += values[seat] > values[1 - seat]  # FH-34
                self.lines[seat][space].specials = []  # FH-32
        self.table.close()
        return self.rule_on_the_end(held)

    # FH-6, FH-7, FH-8
    def place_line(self, seat: int) -> list[Group]:
        hand = self.hands[seat]
        line: list[Group] = []
        while len(line) < SPACES:
            spare = len(hand) - (SPACES - len(line))
            texts = [f"place {card}" for card in hand]
            if spare >= 1:
                ascending = sorted(hand, key=card_number)
                texts += [
                    f"place {low}+{high}"
                    for i, low in enumerate(ascending)
                    for high in ascending[i + 1 :]
                    if value_of(low) + value_of(high) <= 10
                ]
            cards = self.table.choose(seat, texts, "FH-8").split()[1].split("+")
            for card in cards:
                hand.remove(card)
            line.append(Group(cards))
        return line

    # FH-11, FH-D6
    def choose_end(self) -> None:
        if self.table.house.get("order") != "chosen":
            return
        if self.table.ask(self.non_dealer, ["begin left", "begin right"], "FH-11") == "begin right":
            self.lines = [line[::-1] for line in self.lines]

    # FH-13, FH-14, FH-15, FH-18
    def fight_for(self, space: int) -> None:
        for seat in (self.non_dealer, self.dealer):
            if self.play_special(seat, space, self.hands[seat], "FH-13"):
                answerer = 1 - seat
                while self.play_special(answerer, space, self.hands[answerer], "FH-14"):
                    if self.table.house.get("answers") == "one":
                        return
                    answerer = 1 - answerer
                return

    # FH-13, FH-16, FH-17, FH-22, FH-33, FH-D2, FH-D3, FH-D4
    def play_special(self, seat: int, space: int, cards: list[str], rule: str) -> bool:
        """Let a side play one of these cards of its hand, and return whether it did."""
        possible = [effect for effect in JOKER if self.is_possible(effect, seat, space)]
        plays = [
            f"play {card} {effect}" for card in cards for effect in effects_of(card) if effect in possible
        ]
        choice = self.table.choose(seat, ["pass", *plays], rule)
        if choice == "pass":
            return False
        _, card, effect = choice.split()
        self.hands[seat].remove(card)  # FH-19, FH-20
        drawn = self.take_effect(effect, seat, space)
        if self.table.house.get("drawn_specials") == "both" and rule == "FH-22":
            drawn += [other for other in cards if other != card]
        self.play_special(seat, space, drawn, "FH-22")
        return True

    # FH-21, FH-24, FH-25, FH-33
    def is_possible(self, effect: str, seat: int, space: int) -> bool:
        own, enemy = self.lines[seat][space], self.lines[1 - seat][space]
        conditions = {
            "draw": bool(self.stack),
            "discard": bool(self.hands[1 - seat]),
            "rally": own.value() == enemy.value(),
            "redeploy": space + 1 < SPACES,
            BACK: space > 0 and self.table.house.get("redeploy") == "either",
        }
        return conditions.get(effect, True)

    def take_effect(self, effect: str, seat: int, space: int) -> list[str]:
        """Carry out a special, and return the cards that it draws."""
        line, enemy_line = self.lines[seat], self.lines[1 - seat]
        if effect == "draw":  # FH-20, FH-21
            drawn, self.stack = self.stack[:2], self.stack[2:]
            self.hands[seat] += drawn
            return drawn
        if effect == "discard":  # FH-20
            hand = sorted(self.hands[1 - seat], key=card_number)
            card = hand[self.table.dice.below(len(hand))]
            self.table.fate(f"discard {card}", "FH-20")
            self.hands[1 - seat].remove(card)
        elif effect == "redeploy":  # FH-25, FH-26, FH-30
            line[space], line[space + 1] = line[space + 1], line[space]
        elif effect == BACK:  # FH-25
            line[space].specials = []
            line[space], line[space - 1] = line[space - 1], line[space]
        elif effect == "swap":  # FH-27, FH-30
            line[space], enemy_line[space] = enemy_line[space], line[space]
        else:  # FH-24, FH-28, FH-30
            line[space].specials.append(effect)
        return []

    # FH-36, FH-41
    def rule_on_the_end(self, held: list[int]) -> Ruling:
        winners = [seat for seat in (0, 1) if held[seat] > held[1 - seat]]
        scores = [held[seat] + (2 if seat in winners else 0) for seat in (0, 1)]
        losses = [Fraction(held[1 - seat], SPACES) for seat in (0, 1)]
        keys = [self.table.seats[seat] for seat in winners]
        return Ruling(keys, "more-spaces" if winners else "level", scores, losses)
