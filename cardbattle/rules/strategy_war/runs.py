"""Summarise several contests of Strategy WAR in one sentence.

The sentence names the winners, and says how the lead changed. A contest is a round that a side won, with the
rounds directly before it that no side won.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import Fact, FactValue, Name, Points, conditions
from cardbattle.rules.strategy_war.rounds import Contest, Round, card_of


class Run:
    """Consecutive contests of a battle, from the index `first` to the index `last`."""

    def __init__(self, contests: Sequence[Contest], first: int, last: int) -> None:
        told = contests[first : last + 1]
        self.rounds = [each for contest in told for each in contest.rounds]
        self.won = [each for each in self.rounds if each.winner != NOBODY]
        self.winners = [each.winner for each in self.won]
        self.sides = range(len(self.rounds[0].cards))
        self.winner_before = contests[first - 1].last.winner if first else NOBODY
        self.scores = [
            contests[first - 1].last.scores if first else [0] * len(self.sides),
            *(contest.last.scores for contest in told),
        ]
        self.leaders = [sole_leader(scores) for scores in self.scores]
        count = "first_count" if not first else "last_count" if last == len(contests) - 1 else "next_count"
        self.is_final = self.scores[-1] == contests[-1].last.scores and last < len(contests) - 1
        self.counts: dict[str, FactValue] = {
            count: len(self.rounds), **conditions(many=len(self.sides) > 2)
        }  # fmt: skip

    def fact(self) -> Fact:
        if len(set(self.winners)) == 1 and len(self.won) == len(self.rounds):
            return self.won_by_one_side(self.winners[0])
        before, after = self.leaders[0], self.leaders[-1]
        is_pair = len(self.won) == len(self.rounds) == 2
        if is_pair and ((before == after and changes_of(self.leaders) == 0) or not any(self.scores[0])):
            return self.two_rounds(*self.won)
        if after == NOBODY:
            return self.level()
        return self.led_by(after)

    def won_by_one_side(self, seat: int) -> Fact:
        """Return the fact about a run in which one side won every round.

        If this side also won the round before the run, the field `again` is the side.
        """
        before, after = self.scores[0][seat], self.scores[-1][seat]
        fields: dict[str, FactValue] = {
            **self.counts, "side": Name(seat), "gain": Points(after - before), "score": Points(after),
        }  # fmt: skip
        if seat == self.winner_before:
            fields["again"] = Name(seat)
        if self.leaders[0] not in (seat, NOBODY) and self.leaders[-1] == seat:
            fields["passed"] = Name(self.leaders[0])
        return Fact("run_all", fields)

    def two_rounds(self, first: Round, second: Round) -> Fact:
        """Return the fact about two rounds that different sides won.

        If both sides won with the same card, the field `both` is the card.
        """
        other = "both" if first.card == second.card else "other"
        return Fact("run_two", {
            **self.counts, "side": Name(first.winner), "rival": Name(second.winner),
            "card": card_of(first.card), other: card_of(second.card),
            "pot": Points(first.pot), "last_pot": Points(second.pot),
            "round": first.number, "last_round": second.number,
        })  # fmt: skip

    def level(self) -> Fact:
        """Return the fact about a run after which several sides share the highest score."""
        after = self.scores[-1]
        level = [Name(seat) for seat in self.sides if after[seat] == max(after)]
        return Fact("run_level", {**self.counts, "sides": level, "score": Points(max(after))})

    def led_by(self, leader: int) -> Fact:
        """Return the fact about a run after which `leader` leads. The field `rival` is the next best side."""
        before, after = self.scores[0], self.scores[-1]
        second = max((seat for seat in self.sides if seat != leader), key=lambda seat: (after[seat], -seat))
        wins = self.winners.count(leader)
        fields: dict[str, FactValue] = {
            **self.counts, "side": Name(leader), "rival": Name(second), "wins": wins,
            **self.prize(leader), **conditions(final=self.is_final),
        }  # fmt: skip
        if not self.is_final:  # the end of the story repeats the final score
            fields |= {
                "lead": Points(after[leader]), "behind": Points(after[second]),
                "margin": Points(after[leader] - after[second]),
            }  # fmt: skip
        changes = changes_of(self.leaders)
        if changes > 1:
            return Fact("run_changes", {**fields, "changes": changes})
        if not any(before):
            without = [seat for seat in self.sides if not after[seat]]
            if len(without) == 1:
                fields["without"] = Name(without[0])
            if changes:
                fields["passed"] = Name(next(seat for seat in self.leaders if seat != NOBODY))
            return Fact("run_first", fields)
        if self.leaders[0] != leader:
            led = [seat for seat in self.leaders[:-1] if seat not in (NOBODY, leader)]
            passed = {"passed": Name(led[0])} if led else {}
            return Fact("run_passed", {**fields, **passed})
        return Fact("run_kept" if wins else "run_idle", fields | self.pursuit(leader, second))

    def prize(self, leader: int) -> dict[str, FactValue]:
        """Return the fields about the largest pot of the run. If several pots were equally large, return {}.

        If the leader won the largest pot, the field is `haul`, or `only_haul` if the leader won no other
        round. If another side won this pot, the field is `prize`.
        """
        best = max(self.won, key=lambda each: each.pot)
        if [each.pot for each in self.won].count(best.pot) > 1:
            return {}
        if best.winner == leader:
            haul = "haul" if self.winners.count(leader) > 1 else "only_haul"
            return {haul: Points(best.pot), "card": card_of(best.card)}
        return {"prize": Points(best.pot), "card": card_of(best.card), "taker": Name(best.winner)}

    def pursuit(self, leader: int, second: int) -> dict[str, FactValue]:
        """Return fields about the lead of a side that led both before and after the run.

        If no side drew level during the run, `safe` is the leader. If its lead grew, `away` is the leader. If
        the second side came closer, `gaining` is the second side. If only one side won all other rounds,
        `rest` is this side and `rest_wins` is the number of rounds that it won.
        """
        before, after = self.scores[0], self.scores[-1]
        margin = before[leader] - max(before[seat] for seat in self.sides if seat != leader)
        change = after[leader] - after[second] - margin
        fields: dict[str, FactValue] = {}
        if all(seat == leader for seat in self.leaders):
            fields["safe"] = Name(leader)
        if change > 0:
            fields["away"] = Name(leader)
        if change < 0 and after[second] > before[second]:
            fields["gaining"] = Name(second)
        others = [seat for seat in self.winners if seat != leader]
        if len(set(others)) == 1 and len(self.won) == len(self.rounds) and len(others) > 1:
            fields |= {"rest": Name(others[0]), "rest_wins": len(others)}
        return fields


def sole_leader(scores: Sequence[int]) -> int:
    """Return the seat with the highest score, or NOBODY if several seats share it."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else NOBODY


def changes_of(leaders: Sequence[int]) -> int:
    """Return the number of times that the sole leader changed.

    >>> changes_of([-1, 0, -1, 0, 1, -1, 2])
    2
    """
    sole = [seat for seat in leaders if seat != NOBODY]
    return sum(before != after for before, after in pairwise(sole))
