"""The facts for a story of a battle of Strategy WAR, from the events that its reader saw."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.setup import Setup
from cardbattle.core.telling import Card, Episode, Fact, FactValue, Name, Plot, numbers
from cardbattle.rules.strategy_war.options import rank_text

LOW, HIGH = 6, 12  # highest card of a cheap win, and lowest card of an expensive one
CLOSE = 10  # points; a smaller lead at the end is narrow


class Round:
    """One round: the cards, the winner with the points won, and the score after it."""

    def __init__(self, number_of: int, cards: Sequence[int], late: Sequence[int], place: int) -> None:
        self.number = number_of
        self.cards = cards
        self.late = late
        self.place = place
        self.carry = 0
        self.pot = 0
        self.winner = NOBODY
        self.is_last = False
        self.scores: list[int] = []

    def settle(self, carry: int, scores: Sequence[int]) -> None:
        """Compute the winner of the round and the score after it (SW-5 to SW-7)."""
        self.carry = carry
        self.pot = carry + sum(self.cards)
        alone = [card for card in self.in_time if self.in_time.count(card) == 1]
        self.scores = list(scores)
        if alone:
            self.winner = next(
                seat for seat, card in enumerate(self.cards) if card == max(alone) and seat not in self.late
            )
            self.scores[self.winner] += self.pot

    @property
    def in_time(self) -> list[int]:
        """The cards that were played in time."""
        return [card for seat, card in enumerate(self.cards) if card and seat not in self.late]

    @property
    def cancelled(self) -> list[int]:
        """The highest cards above the winner's that cancelled each other out, by seat."""
        won = self.cards[self.winner] if self.winner != NOBODY else 0
        higher = [card for card in self.in_time if card > won and self.in_time.count(card) > 1]
        best = max(higher, default=0)
        return [
            seat for seat, card in enumerate(self.cards) if best and card == best and seat not in self.late
        ]

    def facts(self) -> list[Fact]:
        """Return the facts about the round, at length."""
        late = [Fact("late", self.late_fields(seat)) for seat in self.late if self.cards[seat]]
        return [*late[:1], self.main()]

    def late_fields(self, seat: int) -> dict[str, FactValue]:
        return {"side": Name(seat), "card": card_of(self.cards[seat]), "round": self.number}

    def main(self) -> Fact:
        """Return the round as one fact."""
        fields: dict[str, FactValue] = {"round": self.number, "pot": self.pot}
        if self.winner == NOBODY:
            return self.nobody(fields)
        card = self.cards[self.winner]
        fields |= {"side": Name(self.winner), "card": card_of(card), **self.second(card)}
        if self.carry:
            fields["waiting"] = self.carry
        if self.cancelled:
            fields |= {
                "sides": [Name(seat) for seat in self.cancelled],
                "high": card_of(self.cards[self.cancelled[0]]),
            }
            return Fact("won_waiting_cancelled" if self.carry else "won_cancelled", fields)
        if self.carry:
            return Fact("won_waiting", fields)
        if card <= LOW:
            return Fact("won_cheaply", fields)
        if "rival" in fields and card - max(self.others(card)) == 1:
            return Fact("won_by_one", fields)
        return Fact("won_dearly" if card >= HIGH else "won", fields)

    def nobody(self, fields: dict[str, FactValue]) -> Fact:
        """Return the fact about a round without a winner."""
        cards = set(self.in_time)
        if len(cards) == 1:
            fields["card"] = card_of(self.in_time[0])
        if self.is_last:
            return Fact("pot_lost", fields)
        return Fact("rolled_again" if self.carry else "rolled", fields)

    def others(self, card: int) -> list[int]:
        return [other for other in self.in_time if other < card]

    def second(self, card: int) -> dict[str, FactValue]:
        """Return the best card below the winner's and its side, if only one side played it."""
        others = self.others(card)
        if not others:
            return {}
        best = max(others)
        seats = [seat for seat, other in enumerate(self.cards) if other == best and seat not in self.late]
        return (
            {"rival": Name(seats[0]), "other": card_of(best)} if len(seats) == 1 else {"other": card_of(best)}
        )

    def weight(self, usual: int) -> int:
        """Return how remarkable the round is: a large pot, cancelled cards, a cheap win."""
        weight = min(50, max(0, 20 * (self.pot - usual) // usual)) + (20 if self.cancelled else 0)
        weight += 12 if self.winner != NOBODY and self.cards[self.winner] <= LOW else 0
        return weight + (10 if self.winner == NOBODY else 0) + (15 if self.late else 0)

    def episode(self, usual: int) -> Episode:
        winners = [] if self.winner == NOBODY else [self.winner]
        return Episode(
            self.facts(), self.main(), winners, self.scores, self.place, self.place, self.weight(usual)
        )


def card_of(card: int) -> Card:
    return Card(rank_text(card))


def plot(setup: Setup, events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the hands, each round, and the end."""
    rounds = rounds_of(events)
    carry, scores = 0, [0] * len(setup.seats)
    for at, each in enumerate(rounds):
        each.is_last = at == len(rounds) - 1
        each.settle(carry, scores)
        carry, scores = (each.pot, scores) if each.winner == NOBODY else (0, each.scores)
    usual = max(1, sum(sum(each.cards) for each in rounds) // max(1, len(rounds)))
    ending = [end_fact(event) for event in events if event.kind == "ended"]
    return Plot(opening_facts(setup, len(rounds)), [each.episode(usual) for each in rounds], ending)


def rounds_of(events: Sequence[Event]) -> list[Round]:
    """Return the rounds; in a dark battle they are revealed at its end (SW-20)."""
    begun = [place for place, event in enumerate(events) if event.kind == "round_begun"]
    shown = [event for event in events if event.kind == "revealed" and "cards" in event.fields]
    shown = shown if len(shown) == len(begun) else [event for event in events if event.kind == "unveiled"]
    return [
        Round(at + 1, numbers(event, "cards"), numbers(event, "timed_out"), place)
        for at, (event, place) in enumerate(zip(shown, begun, strict=False))
    ]


def opening_facts(setup: Setup, rounds: int) -> list[Fact]:
    """Return a fact that compares the hands, or says that the battle was dark, which hides them (SW-19)."""
    sides = [Name(seat) for seat in range(len(setup.seats))]
    fields: dict[str, FactValue] = {"rounds": rounds, "sides": sides}
    if setup.house.get("mode") == "dark":
        return [Fact("dark", fields)]
    totals = [sum(hand) for hand in hands_in(setup)]
    if len(set(totals)) == 1:
        return [Fact("hands_even", fields)]
    if not totals:
        return []
    best = totals.index(max(totals))
    return [Fact("hands_unequal", {**fields, "side": Name(best), "best": totals[best], "least": min(totals)})]


def hands_in(setup: Setup) -> list[list[int]]:
    """Return the cards of each side, if its options list them."""
    hands = [side["cards"] for side in setup.sides]
    return (
        [hand for hand in hands if isinstance(hand, list)] if all(isinstance(h, list) for h in hands) else []
    )


def end_fact(event: Event) -> Fact:
    """Return the fact about the end of the battle."""
    winners, scores = numbers(event, "winners"), numbers(event, "scores")
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    fields: dict[str, FactValue] = {
        "sides": [Name(seat) for seat in winners], "side": Name(order[0]), "mine": scores[order[0]],
    }  # fmt: skip
    rivals = [seat for seat in order if seat not in winners]
    if rivals:
        fields |= {"rival": Name(rivals[0]), "other": scores[rivals[0]]}
    if event.fields["reason"] != "most-points":
        kind = "end_tiebreak" if event.fields["reason"] == "tiebreak" else "end_shared"
        return Fact(kind, {**fields, "side": Name(winners[0])} if winners else fields)
    lead = scores[order[0]] - scores[order[1]] if len(order) > 1 else 0
    if 0 < lead < CLOSE:
        return Fact("end_close", {**fields, "lead": lead})
    is_rout = len(order) > 1 and scores[order[0]] >= 2 * scores[order[1]]
    return Fact("end_rout" if is_rout else "end_won", {**fields, "lead": lead})
