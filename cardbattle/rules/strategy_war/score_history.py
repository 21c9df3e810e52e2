"""Compute the scores of a battle of Strategy WAR after each round.

The history of the scores says after each round which side led, and which sides won points or wasted cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.battle import NOBODY
from cardbattle.rules.strategy_war.rounds import HIGH, Round
from cardbattle.rules.strategy_war.runs import sole_leader

LARGE = 6  # a lead is large if it is at least all points divided by this number


class ScoreHistory:
    """The rounds of a battle, and facts that follow from them.

    Attributes:
        rounds: all rounds, after `Round.settle` was called for each of them.
        last: the number of rounds.
        winner: the number of the winner, or NOBODY if several sides won.
        scores: the scores after each round. The first element has the scores before the first round.
        leaders: the leader after each round, or NOBODY if several sides were level.
        order: the numbers of the sides, sorted by final score. The highest score is first.
        rival: the number of the side in second place.
        for_good: the round in which the winner took the lead for good, or None if several sides won.

    """

    def __init__(self, rounds: Sequence[Round], winners: Sequence[int]) -> None:
        self.rounds = rounds
        self.last = len(rounds)
        self.sides = range(len(rounds[0].cards) if rounds else 0)
        self.scores = [[0] * len(self.sides), *(each.scores for each in rounds)]
        self.final = self.scores[-1]
        self.leaders = [sole_leader(scores) if any(scores) else NOBODY for scores in self.scores]
        self.order = sorted(self.sides, key=lambda seat: (-self.final[seat], seat))
        is_clear = len(winners) == 1 and bool(rounds) and self.leaders[-1] == winners[0]
        self.winner = winners[0] if is_clear else NOBODY
        self.rival = self.order[1] if is_clear else NOBODY
        self.for_good = self.taking_of(self.winner, self.last) if is_clear else None

    @property
    def final_lead(self) -> int:
        return self.lead(self.last)

    @property
    def large(self) -> int:
        """The smallest lead that is considered large."""
        return sum(self.final) // (LARGE * max(1, len(self.sides) - 1))

    def lead(self, number: int) -> int:
        """Return the winner's lead after round `number`. It is negative if the winner was behind."""
        return self.margin(self.winner, number)

    def margin(self, seat: int, number: int) -> int:
        """Return a side's lead over the best other side after a round. It is negative if it was behind."""
        scores = self.scores[number]
        return scores[seat] - max(score for rival, score in enumerate(scores) if rival != seat)

    def deficit(self, seat: int, number: int) -> int:
        """Return by how many points a side was behind the highest score after round `number`."""
        return max(self.scores[number]) - self.scores[number][seat]

    def second(self, seat: int, number: int) -> int:
        """Return the first side with the highest score after round `number`, apart from `seat`."""
        scores = self.scores[number]
        return max(
            (rival for rival in self.sides if rival != seat), key=lambda rival: (scores[rival], -rival)
        )

    def won_by(self, seat: int) -> list[Round]:
        return [each for each in self.rounds if each.winner == seat]

    def taking_of(self, seat: int, number: int) -> Round | None:
        """Return the round in which a side took the lead that it had after round `number`.

        Return None if the side did not lead after that round.
        """
        if self.leaders[number] != seat:
            return None
        at = number
        while at > 1 and self.leaders[at - 1] == seat:
            at -= 1
        return self.rounds[at - 1]

    def collisions(self, first: int, second: int) -> list[Round]:
        """Return the rounds in which exactly the sides `first` and `second` played the highest card.

        Equal cards cancel each other. Only rounds that another side then won are returned.
        """
        return [
            each for each in self.rounds
            if each.winner != NOBODY and each.cancelled
            and [*each.seats_with(each.cancelled[0])] == [first, second]
        ]  # fmt: skip

    def rounds_rolled_over(self, each: Round) -> list[Round]:
        """Return the rounds directly before `each` that no side won. Their points rolled over into `each`."""
        at = each.number - 1
        while at and self.rounds[at - 1].winner == NOBODY:
            at -= 1
        return list(self.rounds[at : each.number - 1])

    def wasted(self, seat: int) -> list[Round]:
        """Return the rounds in which a side played its highest cards and won nothing.

        The round with the best card is first. The list ends before the first high card that won its round.
        """
        played = [each for each in self.rounds if each.cards[seat] >= HIGH]
        if len({each.cards[seat] for each in played}) < len(played):
            return []  # a story does not distinguish two aces
        wasted: list[Round] = []
        for each in sorted(played, key=lambda each: (-each.cards[seat], each.number)):
            is_lost = each.winner not in (seat, NOBODY) and seat not in each.late
            if not is_lost:
                break
            wasted.append(each)
        return wasted
