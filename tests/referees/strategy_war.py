"""A referee for Strategy WAR, written from its rules page."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.referees.table import RANKS, Ruling, Table

Cards = list[int]
Played = list[tuple[int, int]]  # the seat and the value of each card


def judge(record: Mapping[str, Any]) -> Ruling:
    """Replay a record and return its result; raise Refused if a move breaks a rule."""
    return StrategyWar(Table(record, "strategy-war")).fight()


class StrategyWar:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = range(len(table.seats))
        self.begun_with = self.deal()
        self.hands = [list(hand) for hand in self.begun_with]
        self.pot: Played = []
        self.points = [0 for _ in self.seats]
        self.rounds_won = [0 for _ in self.seats]
        self.best_pot = [0 for _ in self.seats]
        self.lost_cards: Played = []

    # SW-1, SW-2, SW-21
    def deal(self) -> list[Cards]:
        if not 2 <= len(self.seats) <= 10:
            self.table.refuse("SW-1", "two to ten sides play")
        if self.table.deal != {}:
            self.table.refuse("SW-21", "nothing is dealt")
        return [sorted(RANKS[card] for card in cards) for cards in self.table.options("cards", list(RANKS))]

    # SW-3, SW-12
    def fight(self) -> Ruling:
        for number in range(1, self.table.house["rounds"] + 1):
            if any(self.hands):
                is_last = self.fight_round(number)
        assert is_last
        self.table.close()
        return self.rule_on_the_end()

    def fight_round(self, number: int) -> bool:
        """Fight a round, and return whether it was the last."""
        in_time, late = self.commit_cards()
        self.pot += in_time + late  # SW-6
        is_last = number == self.table.house["rounds"] or not any(self.hands)  # SW-8
        winner = self.winner_of(in_time)
        if winner is not None:
            self.take_pot(winner)
        elif is_last:
            self.lost_cards += self.pot  # SW-8
            self.pot = []
        return is_last  # SW-7: otherwise the pot stays

    # SW-3, SW-4, SW-9, SW-13, SW-14, SW-16, SW-17, SW-D1
    def commit_cards(self) -> tuple[Played, Played]:
        in_time: Played = []
        late: Played = []
        for seat, hand in enumerate(self.hands):
            if not hand:
                continue  # SW-21
            texts = {f"commit {rank}": value for rank, value in RANKS.items() if value in hand}
            if len(hand) == 1 and self.table.house["auto_last"]:
                choice = next(iter(texts))  # SW-16
            else:
                choice = self.table.ask(seat, list(texts), "SW-3", ["timeout"])
            card = max(hand) if choice == "timeout" else texts[choice]  # SW-13
            (late if choice == "timeout" else in_time).append((seat, card))
        for seat, card in in_time + late:
            self.hands[seat].remove(card)
        return in_time, late

    # SW-5, SW-11, SW-13, SW-15
    def winner_of(self, in_time: Played) -> int | None:
        values = [value for _, value in in_time]
        single = [(value, seat) for seat, value in in_time if values.count(value) == 1]
        return max(single)[1] if single else None

    # SW-6, SW-22
    def take_pot(self, winner: int) -> None:
        total = sum(value for _, value in self.pot)
        self.points[winner] += total
        self.rounds_won[winner] += 1
        self.best_pot[winner] = max(self.best_pot[winner], total)
        self.lost_cards += [(owner, value) for owner, value in self.pot if owner != winner]
        self.pot = []

    # SW-10, SW-12, SW-22
    def rule_on_the_end(self) -> Ruling:
        played = sum(map(sum, self.begun_with)) - sum(map(sum, self.hands))
        lost_pot = played - sum(self.points)
        assert 0 <= lost_pot <= sum(value for _, value in self.lost_cards)
        winners = self.best(list(self.seats), self.points)
        reason = "most-points" if len(winners) == 1 else "shared"
        if len(winners) > 1 and self.table.house["tiebreak"] != "shared":
            by_rounds = self.table.house["tiebreak"] == "most-rounds"
            winners = self.best(winners, self.rounds_won if by_rounds else self.best_pot)
            reason = "tiebreak" if len(winners) == 1 else "shared"
        return Ruling([self.table.seats[seat] for seat in winners], reason, self.points, self.losses())

    def best(self, seats: list[int], numbers: list[int]) -> list[int]:
        return [seat for seat in seats if numbers[seat] == max(numbers[other] for other in seats)]

    # SW-22
    def losses(self) -> list[Fraction]:
        lost = [sum(value for owner, value in self.lost_cards if owner == seat) for seat in self.seats]
        return [Fraction(lost[seat], sum(self.begun_with[seat])) for seat in self.seats]
