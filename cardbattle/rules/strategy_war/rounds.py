"""The rounds of Strategy WAR as facts for a story, computed from the cards on the table."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import Card, Episode, Fact, FactValue, Name, Points, conditions
from cardbattle.rules.strategy_war.options import rank_text

LOW, HIGH = 6, 12  # highest card of a cheap win, and lowest card of an expensive one
FAR = 4  # smallest gap between the cards of a win that was never in doubt
RICH, POOR = 130, 70  # a large and a small pot, in percent of the average


class Round:
    """One round: the cards, the winner with the points won, and the score after it.

    Attributes:
        number: number of the round, from 1.
        cards: the card of each seat; 0 for a side without cards.
        late: seats that sacrificed their card.
        place: index of its first event.
        carry: points from the rounds before it.
        pot: all points at stake, `carry` included.
        winner: seat, or NOBODY.
        scores: score of each seat after it.
        is_last: True for the last round of the battle.
        usual: the average value of the cards of a round.
        is_repeat: True if the winner had played a card of this rank once before.
        is_largest: True if no other round had as large a pot.

    """

    def __init__(self, number_of: int, cards: Sequence[int], late: Sequence[int], place: int) -> None:
        self.number = number_of
        self.cards = cards
        self.late = late
        self.place = place
        self.carry = 0
        self.pot = 0
        self.winner = NOBODY
        self.scores: list[int] = []
        self.is_last = False
        self.usual = 1
        self.is_repeat = False
        self.is_largest = False

    def settle(self, carry: int, scores: Sequence[int]) -> None:
        """Compute the winner of the round and the score after it (SW-5 to SW-7)."""
        self.carry = carry
        self.pot = carry + sum(self.cards)
        alone = [card for card in self.in_time if self.in_time.count(card) == 1]
        self.scores = list(scores)
        if alone:
            self.winner = self.seats_with(max(alone))[0]
            self.scores[self.winner] += self.pot

    @property
    def in_time(self) -> list[int]:
        """The cards that were played in time."""
        return [card for seat, card in enumerate(self.cards) if card and seat not in self.late]

    def seats_with(self, card: int) -> list[int]:
        """Return the seats that played this card in time."""
        return [seat for seat, other in enumerate(self.cards) if other == card and seat not in self.late]

    @property
    def card(self) -> int:
        """The winner's card; 0 without a winner."""
        return self.cards[self.winner] if self.winner != NOBODY else 0

    @property
    def cancelled(self) -> list[int]:
        """The ranks above the winner's card, highest first, all of which cancelled each other out."""
        return sorted({card for card in self.in_time if card > self.card}, reverse=True)

    def facts(self) -> list[Fact]:
        """Return the facts about the round, at length."""
        late = [Fact("late", self.late_fields(seat)) for seat in self.late if self.cards[seat]]
        return [*late[:1], self.main()]

    def late_fields(self, seat: int) -> dict[str, FactValue]:
        return {"side": Name(seat), "card": card_of(self.cards[seat]), "round": self.number}

    def main(self) -> Fact:
        """Return the round as one fact."""
        if self.winner == NOBODY:
            return self.nobody()
        fields = self.fields()
        if self.cancelled:
            return self.won_over_equal_cards(fields)
        if self.carry:
            return Fact("won_waiting", fields)
        if self.is_repeat:
            return Fact("won_again", fields)
        if self.card >= HIGH and 100 * self.pot <= POOR * self.usual:
            return Fact("won_for_little", fields)
        if self.card <= LOW:
            return Fact("won_cheaply", fields)
        if "rival" in fields and self.card - self.below == 1:
            return Fact("won_by_one", fields)
        if self.is_largest or 100 * self.pot >= RICH * self.usual:
            return Fact("won_much", fields)
        return Fact("won_dearly" if self.card >= HIGH else "won", fields)

    def fields(self) -> dict[str, FactValue]:
        """Return the fields of a round with a winner.

        `rival` and `other` are the next card below the winner's, if one side played it; `far` is the same
        side if its card was much lower. `largest` is the pot if no other was as large, `many` stands for more
        than two sides, and `prompt` for a round without sacrifices.
        """
        fields: dict[str, FactValue] = {
            "round": self.number, "pot": Points(self.pot), "side": Name(self.winner),
            "card": card_of(self.card), **self.conditions(),
        }  # fmt: skip
        if self.carry:
            fields["waiting"] = Points(self.carry)
        if self.is_largest:
            fields["largest"] = Points(self.pot)
        seats = self.seats_with(self.below) if self.below else []
        if len(seats) == 1:
            fields |= {"rival": Name(seats[0]), "other": card_of(self.below)}
            if self.card - self.below >= FAR:
                fields["far"] = Name(seats[0])
        return fields

    @property
    def below(self) -> int:
        """The next card below the winner's; 0 if there is none."""
        return max((card for card in self.in_time if card < self.card), default=0)

    def won_over_equal_cards(self, fields: dict[str, FactValue]) -> Fact:
        """Return the fact about a round whose highest cards cancelled each other out."""
        kind = "won_waiting_cancelled" if self.carry else "won_cancelled"
        sides = [[Name(seat) for seat in self.seats_with(card)] for card in self.cancelled]
        fields |= {"sides": sides[0], "high": card_of(self.cancelled[0])}
        if len(sides) == 1:
            return Fact(kind, {**fields, "pair" if len(sides[0]) == 2 else "crowd": sides[0]})
        if len(sides) == 2:
            return Fact(f"{kind}_twice", {**fields, "more": sides[1], "middle": card_of(self.cancelled[1])})
        return Fact(f"{kind}_often", {**fields, "count": len(sides)})

    def nobody(self) -> Fact:
        """Return the fact about a round without a winner; `card` is the only rank, if there is only one."""
        fields: dict[str, FactValue] = {
            "round": self.number, "pot": Points(self.pot), **self.conditions(),
        }  # fmt: skip
        ranks = set(self.in_time)
        if not ranks:
            return Fact("pot_lost_late" if self.is_last else "rolled_late", fields)
        if len(ranks) == 1:
            sides = [Name(seat) for seat in self.seats_with(self.in_time[0])]
            fields |= {"card": card_of(self.in_time[0]), "pair" if len(sides) == 2 else "crowd": sides}
        if self.is_last:
            return Fact("pot_lost", fields)
        return Fact("rolled_again" if self.carry else "rolled", fields)

    def conditions(self) -> dict[str, FactValue]:
        return conditions(many=len(self.cards) > 2, prompt=not self.late)


def card_of(card: int) -> Card:
    return Card(rank_text(card))


class Contest:
    """A round with a winner, and the rounds before it that had none, as one episode."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self.rounds = rounds
        self.last = rounds[-1]

    def short(self) -> Fact:
        """Return the contest as one fact."""
        earlier = len(self.rounds) - 1
        if not earlier:
            return self.last.main()
        if self.last.winner == NOBODY:
            return Fact("pot_lost_after", {"count": earlier + 1, "pot": Points(self.last.pot)})
        if earlier == 1:
            return Fact("chain", {**self.last.fields(), "rolled": self.rounds[0].number})
        return Fact("chain", {**self.last.fields(), "earlier": earlier})

    def episode(self) -> Episode:
        winners = [] if self.last.winner == NOBODY else [self.last.winner]
        facts = [fact for each in self.rounds for fact in each.facts()]
        first, last = self.rounds[0].place, self.last.place
        return Episode(facts, self.short(), winners, self.last.scores, first, last, self.weight())

    def weight(self) -> int:
        """Return how remarkable the contest is: a large pot, cancelled cards, a cheap win, a sacrifice."""
        last = self.last
        weight = min(50, max(0, 20 * (last.pot - last.usual) // last.usual))
        weight += 20 if last.card and last.cancelled else 0
        weight += 12 if 0 < last.card <= LOW else 0
        weight += 10 if not last.card else 0
        return weight + (15 if any(each.late for each in self.rounds) else 0)
