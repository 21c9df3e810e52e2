"""Compute the result of each round of a battle of Strategy WAR, and describe it by facts for a story."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import Card, Episode, Fact, FactValue, Name, Points, conditions
from cardbattle.rules.strategy_war.options import rank_text

ACE, EARLY = 14, 5  # the highest card; if a side first plays an ace after this round, it has kept the ace
LOW, HIGH = 6, 12  # the highest card of a cheap win, and the lowest card of an expensive win
FAR = 4  # the smallest gap between the two cards of a win that was never in doubt
RICH, POOR = 130, 70  # a large and a small pot, in percent of the average pot


class Round:
    """One round of a battle, with its cards, its winner, its points, and the scores after it.

    Attributes:
        number: the number of the round, counted from 1.
        cards: the card of each side, or 0 for a side that has no cards.
        late: the sides that sacrificed their card, because they ran out of time.
        place: the index of the first event of the round.
        carry: the points that rolled over from earlier rounds.
        pot: all points at stake, including `carry`.
        winner: the side that won the round, or NOBODY.
        scores: the score of each side after the round.
        is_last: True for the last round of the battle.
        usual: the average total of the cards in a round of this battle.
        second: the sides that had played a card of the same rank once before.
        is_largest: True if all other rounds had smaller pots.
        is_first_of_rank: True if the winner had not played a card of the same rank before.
        leader: the side that was alone in the lead before the round, or NOBODY.
        lead: the lead of `leader` before the round, in points.

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
        self.second: Sequence[int] = ()
        self.is_largest = False
        self.is_first_of_rank = False
        self.leader, self.lead = NOBODY, 0

    def settle(self, carry: int, scores: Sequence[int]) -> None:
        """Compute the winner of the round and the scores after it (SW-5 to SW-7)."""
        self.carry = carry
        self.pot = carry + sum(self.cards)
        alone = [card for card in self.in_time if self.in_time.count(card) == 1]
        self.scores = list(scores)
        if alone:
            self.winner = self.seats_with(max(alone))[0]
            self.scores[self.winner] += self.pot

    @property
    def in_time(self) -> list[int]:
        return [card for seat, card in enumerate(self.cards) if card and seat not in self.late]

    def seats_with(self, card: int) -> list[int]:
        """Return the seats that played the card `card` in time."""
        return [seat for seat, other in enumerate(self.cards) if other == card and seat not in self.late]

    @property
    def card(self) -> int:
        """The card that won the round, or 0 if no side won."""
        return self.cards[self.winner] if self.winner != NOBODY else 0

    @property
    def cancelled(self) -> list[int]:
        """The ranks above the winning card, which cancelled each other, in descending order."""
        return sorted({card for card in self.in_time if card > self.card}, reverse=True)

    @property
    def is_plain(self) -> bool:
        """True if the highest card won the round, and no points had rolled over."""
        return not self.carry and not self.cancelled

    def card_by(self, seat: int) -> Card:
        """Return the card of a side, for a sentence that names it."""
        return Card(rank_text(self.cards[seat]), seat in self.second)

    def facts(self) -> list[Fact]:
        """Return the facts for a detailed story of the round."""
        late = [Fact("late", self.late_fields(seat)) for seat in self.late if self.cards[seat]]
        return [*late[:1], self.main()]

    def late_fields(self, seat: int) -> dict[str, FactValue]:
        return {"side": Name(seat), "card": card_of(self.cards[seat]), "round": self.number}

    def main(self) -> Fact:
        if self.winner == NOBODY:
            return self.nobody()
        fields = self.fields()
        if self.cancelled:
            return self.won_over_equal_cards(fields)
        if self.carry:
            return Fact("won_waiting", fields)
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
        """Return the fields of a fact about a round that one side won.

        If only one side played the next card below the winning card, `rival` is this side, and `other` is the
        card that it played. If that card was much lower, `far` is this side. If all other pots were smaller,
        `largest` is the pot. The field `many` is set if there are more than two sides, and `prompt` is set if
        no side sacrificed a card. The field `open` is set if, in addition, another round followed. If the
        winner played its first ace in the last round, `kept` is the winner.
        """
        fields: dict[str, FactValue] = {
            "round": self.number, "pot": Points(self.pot), "side": Name(self.winner),
            "card": self.card_by(self.winner), **self.conditions(),
        }  # fmt: skip
        if self.carry:
            fields["waiting"] = Points(self.carry)
        if self.is_last and self.is_first_of_rank and self.card == ACE and self.number > EARLY:
            fields["kept"] = Name(self.winner)
        if self.is_largest:
            fields["largest"] = Points(self.pot)
        seats = self.seats_with(self.below) if self.below else []
        if len(seats) == 1:
            fields |= {"rival": Name(seats[0]), "other": self.card_by(seats[0])}
            if self.card - self.below >= FAR:
                fields["far"] = Name(seats[0])
        return fields

    @property
    def below(self) -> int:
        """The next card below the winning card, or 0 if no card is lower."""
        return max((card for card in self.in_time if card < self.card), default=0)

    def won_over_equal_cards(self, fields: dict[str, FactValue]) -> Fact:
        """Return the fact about a round in which the highest cards cancelled each other."""
        kind = "won_waiting_cancelled" if self.carry else "won_cancelled"
        sides = [[Name(seat) for seat in self.seats_with(card)] for card in self.cancelled]
        fields |= {"sides": sides[0], "high": card_of(self.cancelled[0])}
        if len(sides) == 1:
            return Fact(kind, {**fields, "pair" if len(sides[0]) == 2 else "crowd": sides[0]})
        if len(sides) == 2:
            return Fact(f"{kind}_twice", {**fields, "more": sides[1], "middle": card_of(self.cancelled[1])})
        return Fact(f"{kind}_often", {**fields, "count": len(sides)})

    def nobody(self) -> Fact:
        """Return the fact about a round that no side won.

        If all sides played cards of the same rank, the field `card` of the fact is the rank.
        """
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
        return conditions(
            many=len(self.cards) > 2, prompt=not self.late, open=not (self.late or self.is_last)
        )


def card_of(card: int) -> Card:
    return Card(rank_text(card))


class Contest:
    """An episode of a story: a round that a side won, and the rounds directly before it that no side won."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self.rounds = rounds
        self.last = rounds[-1]

    def short(self) -> Fact:
        earlier = len(self.rounds) - 1
        if not earlier:
            return self.last.main()
        if self.last.winner == NOBODY:
            kind = "pot_lost_always" if earlier + 1 == self.last.number else "pot_lost_after"
            return Fact(kind, {"count": earlier + 1, "pot": Points(self.last.pot)})
        if earlier == 1:
            return Fact("chain", {**self.last.fields(), "rolled": self.rounds[0].number})
        return Fact("chain", {**self.last.fields(), "earlier": earlier})

    def episode(self, rounds: int) -> Episode:
        """Return the contest as an episode of a battle of `rounds` rounds."""
        winners = [] if self.last.winner == NOBODY else [self.last.winner]
        told = [(fact, self.rounds[0].place) for fact in self.before_last()]
        told += [(fact, each.place) for each in self.rounds for fact in each.facts()]
        first, last = self.rounds[0].place, self.last.place
        return Episode(
            [fact for fact, _ in told], self.short(), winners, self.last.scores, first, last, self.weight(),
            moments=[place for _, place in told], left=rounds - self.rounds[0].number + 1,
        )  # fmt: skip

    def before_last(self) -> list[Fact]:
        """Return a fact about the leader before the last round, if its lead was at most the last pot."""
        last = self.last
        if not last.is_last or len(self.rounds) > 1 or not 0 < last.lead <= last.pot or last.number < EARLY:
            return []
        before = [score - last.pot * (seat == last.winner) for seat, score in enumerate(last.scores)]
        others = [seat for seat in range(len(before)) if seat != last.leader]
        rival = max(others, key=lambda seat: before[seat])
        names: dict[str, FactValue] = {"side": Name(last.leader), "rival": Name(rival)}
        return [Fact("before_last", {**names, "margin": Points(last.lead)})]

    def weight(self) -> int:
        """Return how remarkable the contest is. This depends on its pot, its cards, and sacrificed cards."""
        last = self.last
        weight = min(50, max(0, 20 * (last.pot - last.usual) // last.usual))
        weight += 20 if last.card and last.cancelled else 0
        weight += 12 if 0 < last.card <= LOW else 0
        weight += 10 if not last.card else 0
        return weight + (15 if any(each.late for each in self.rounds) else 0)
