"""Measure the value of guessing the enemy's cards: `python -m research.specials DECISIONS TRIES ITERATIONS`.

The script prints the gain of thinking about a special of Field of Honour over a seasoned commander's
choice, in hundredths of a battle, +- one standard error, for three kinds of tries: the enemy's cards are
dealt again; they are dealt again, consistent with the line that a seasoned enemy would place; or they are
known. The decisions are half of the open ones in battles between seasoned commanders. The choices are
compared in the actual battle with only the stack shuffled again, so that wrong guesses about the enemy's
cards show.
"""

from __future__ import annotations

import sys
from math import sqrt

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.commanders.search import Candidate, Search
from cardbattle.core.battle import Battle
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.referee import Referee, Seat
from cardbattle.rules.field_of_honour.battle import FieldOfHonour
from research.decisions import decisions_of

FIRST = 11_500_000  # the seed of the first deal; nothing was tuned on these deals
ONE_IN = 2  # one decision in this number is examined


class Redealing(Seat):
    """A seat that draws no conclusions from the enemy's line."""

    def redeal(self, chance: Chance) -> Battle:
        """Return a redealt battle."""
        battle = self._referee.battle
        other = battle.redeal(battle.side, chance)
        other.random_source = Drawn(chance)
        return other


class Seeing(Seat):
    """A seat that sees the enemy's cards."""

    def redeal(self, chance: Chance) -> Battle:
        """Return a copy with the stack shuffled again."""
        other = self._referee.battle.copy()
        assert isinstance(other, FieldOfHonour)
        chance.shuffle(other.stack)
        other.random_source = Drawn(chance)
        return other


WAYS = {"redealt": Redealing, "supposed": Seat, "seen": Seeing}


def gains_of(referee: Referee, tries: int, iterations: int, number: int) -> list[float]:
    """Return the gain of each way over the policy's own choice, in hundredths of a battle."""
    rules = referee.rules
    chosen = [
        Search(rules, rules.seasoned, stream(number, "side")).open_choice(way(referee), iterations)
        for way in WAYS.values()
    ]
    judge = Search(rules, rules.seasoned, stream(number, "judge"))
    own = judge.entrants(Seat(referee), 1)[0].choices[0]
    racing = [Candidate([choice]) for choice in dict.fromkeys([own, *chosen])]
    judge.run_round(Seeing(referee), racing, tries * len(racing))
    worth = {candidate.choices[0]: sum(candidate.payoffs) / tries / 10 for candidate in racing}
    return [worth[choice] - worth[own] for choice in chosen]


def main(decisions: int, tries: int, iterations: int) -> None:
    """Print the gain of each way, and its difference from the first."""
    found = decisions_of(read_battle(bare_battle("field-of-honour", ["s0", "s1"])), FIRST, ONE_IN)
    rows = [gains_of(next(found), tries, iterations, number) for number in range(decisions)]
    print("cards     gain            beyond redealt")
    for at, way in enumerate(WAYS):
        gain, error = mean_of([row[at] for row in rows])
        more, doubt = mean_of([row[at] - row[0] for row in rows])
        print(f"{way:9} {gain:+6.2f} +- {error:4.2f} {more:+6.2f} +- {doubt:4.2f}")


def mean_of(gains: list[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    mean = sum(gains) / len(gains)
    return mean, sqrt(sum((gain - mean) ** 2 for gain in gains)) / len(gains)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
