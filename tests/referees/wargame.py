"""A referee for Wargame, written from its rules page."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.referees.table import Ruling, Table

PLACES = range(1, 14)  # WG-5
SPIES, SPIES_BEAT = (1, 2), (12, 13)  # WG-3, WG-8
TRAITORS = [9, 8, 7]  # WG-4
Line = dict[int, int]  # the card on each place


class Resigned(Exception):
    """A side gives up (WG-36)."""


# WG-8, WG-9
def is_stronger(card: int, other: int) -> bool:
    if card in SPIES and other in SPIES_BEAT:
        return True
    if card in SPIES_BEAT and other in SPIES:
        return False
    return card > other


def judge(record: Mapping[str, Any]) -> Ruling:
    """Replay a record and return its result; raise Refused if a move breaks a rule."""
    return Wargame(Table(record, "wargame")).fight()


class Wargame:
    # WG-1, WG-2, WG-4, WG-7, WG-35, WG-37
    def __init__(self, table: Table) -> None:
        self.table = table
        if table.deal != {}:
            table.refuse("WG-37", "nothing is dealt")
        self.first = table.seats.index(table.house["first"])
        self.armies = table.options("army", [*PLACES])
        self.chips = table.options("chips", table.house["chips"])
        self.choices = table.options("traitors", TRAITORS) if table.house["traitors"] else [[], []]
        self.traitors: list[int | None] = [None, None]
        self.lines: list[Line] = [{}, {}]
        self.won_by: dict[int, int] = {}  # the winner of each space

    def choose(self, seat: int, options: list[str], rule: str) -> str:
        choice = self.table.choose(seat, options, rule, ["resign"])
        if choice == "resign":
            raise Resigned(seat)
        return choice

    # WG-16, WG-32, WG-33, WG-36
    def fight(self) -> Ruling:
        try:
            self.deploy()
            attacker = self.first_attacker()
            self.choose_traitors()
            while not (reason := self.end_reason(attacker)):
                attacker = self.fight_battle(attacker)
            self.table.close()
            return self.rule_on_the_end(attacker, reason)
        except Resigned as resigned:
            self.table.close()
            return self.rule_on_the_end(1 - int(resigned.args[0]), "resigned")

    # WG-10, WG-11, WG-12
    def deploy(self) -> None:
        hands = [list(army) for army in self.armies]
        turns = [1, *[2] * 12, 1]
        for turn, cards in enumerate(turns):
            seat = self.first if turn % 2 == 0 else 1 - self.first
            for _ in range(cards):
                empty = [place for place in PLACES if place not in self.lines[seat]]
                texts = [f"deploy {card} {place}" for card in sorted(set(hands[seat])) for place in empty]
                card, place = map(int, self.choose(seat, texts, "WG-11").split()[1:])
                hands[seat].remove(card)
                self.lines[seat][place] = card

    # WG-13, WG-14
    def first_attacker(self) -> int:
        brown, green = self.lines
        won_by_brown = sum(is_stronger(brown[place], green[place]) for place in PLACES)
        won_by_green = sum(is_stronger(green[place], brown[place]) for place in PLACES)
        if won_by_brown == won_by_green:
            return self.first
        return 0 if won_by_brown > won_by_green else 1

    # WG-15, WG-D2
    def choose_traitors(self) -> None:
        for seat in (0, 1):
            if self.choices[seat]:
                texts = [f"traitor {card}" for card in self.choices[seat]]
                self.traitors[seat] = int(self.choose(seat, texts, "WG-15").split()[1])

    # WG-17, WG-18, WG-19
    def fight_battle(self, attacker: int) -> int:
        """Fight a battle, and return its winner."""
        defender = 1 - attacker
        self.switch(attacker)
        texts = [f"advance {place}" for place in sorted(self.lines[attacker])]
        place = int(self.choose(attacker, texts, "WG-17").split()[1])
        cards = {attacker: self.lines[attacker].pop(place)}
        self.switch(defender)
        cards[defender] = self.lines[defender].pop(place)
        winner = defender if is_stronger(cards[defender], cards[attacker]) else attacker
        winner = self.unmask(winner, cards)
        self.won_by[place] = winner
        return winner

    # WG-20, WG-21, WG-22, WG-23, WG-38, WG-D6
    def unmask(self, winner: int, cards: dict[int, int]) -> int:
        """Let the sides denounce Traitors, and return the winner after that."""
        loser = 1 - winner
        if self.denounces(loser, cards[winner]) and not self.denounces(winner, cards[loser]):
            return loser
        return winner

    def denounces(self, seat: int, card: int) -> bool:
        if self.traitors[seat] != card or self.choose(seat, ["denounce", "silent"], "WG-22") == "silent":
            return False
        self.traitors[seat] = None
        return True

    # WG-24, WG-25, WG-26, WG-30, WG-D3, WG-D5
    def switch(self, seat: int) -> None:
        line = self.lines[seat]
        while self.chips[seat] and (pairs := self.pairs_to_switch(seat)):
            texts = [f"switch {low} {high}" for low, high in pairs]
            choice = self.choose(seat, [*texts, "hold"], "WG-25")
            if choice == "hold":
                return
            low, high = map(int, choice.split()[1:])
            line[low], line[high] = line[high], line[low]
            self.chips[seat] -= 1
            if not self.table.house["multi_switch"]:
                return

    # WG-27, WG-28, WG-29, WG-31
    def pairs_to_switch(self, seat: int) -> list[tuple[int, int]]:
        breaks = self.runs_won(1 - seat, 3)
        return [
            (low, high)
            for low, high in combinations(sorted(self.lines[seat]), 2)
            if not any(low < start < high for start in breaks)
        ]

    def runs_won(self, seat: int, length: int) -> list[int]:
        """Return the first place of every row of spaces that a side won."""
        return [
            start
            for start in PLACES
            if all(self.won_by.get(place) == seat for place in range(start, start + length))
        ]

    # WG-32, WG-33, WG-34
    def end_reason(self, winner: int) -> str:
        if list(self.won_by.values()).count(winner) == 7:
            return "seven-battles"
        return "four-adjacent" if self.runs_won(winner, 4) else ""

    # WG-36, WG-39
    def rule_on_the_end(self, winner: int, reason: str) -> Ruling:
        scores = [list(self.won_by.values()).count(seat) for seat in (0, 1)]
        lost = [scores[1], scores[0]]
        if reason == "resigned":
            lost[1 - winner] = len(PLACES) - scores[1 - winner]
        losses = [Fraction(battles, len(PLACES)) for battles in lost]
        return Ruling([self.table.seats[winner]], reason, scores, losses)
