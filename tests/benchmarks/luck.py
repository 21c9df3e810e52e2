"""How much luck leaves to skill: `python -m tests.benchmarks.luck [RULES] [SECONDS] [ITERATIONS]`.

Prints what share of the points a commander takes from regulars who makes every open choice with
all cards on the table, drawn ones and those to come included, and who lays his secret lines by
so many iterations. He looks one choice ahead, so this is a mark to measure by and no strict bound.
"""

from __future__ import annotations

import sys
from itertools import count
from time import process_time

from cardbattle.commanders.search import Thinker
from cardbattle.commanders.tree import fought_on
from cardbattle.core.battle import Battle
from cardbattle.core.chance import Chance, Drawn
from cardbattle.core.referee import Commander, Referee, Seat
from cardbattle.fighting.battlefile import bare_battle, read_battle
from cardbattle.fighting.resolve import commanders, deal, streams_of
from tests.benchmarks.tournament import Pairing
from tests.matches import points

SECONDS = 120.0
OPENLY = 10  # tries of an open choice: little is left to doubt


class AllSeeing(Commander):
    """Sees all cards, but not what the enemy is about to choose in secret."""

    def __init__(self, referee: Referee, chance: Chance, iterations: int) -> None:
        self.referee = referee
        self.chance = chance
        self.secretly = Thinker(referee.rules, chance, iterations)

    def answer(self, seat: Seat) -> int:
        """Return the option that is best as the cards lie, the regular's own if it is one."""
        battle, rules = self.referee.battle, self.referee.rules
        if battle.question in rules.sealed:
            return self.secretly.answer(seat)
        own = seat.answer_by(rules.regular, self.chance)
        worths = [self.worth(battle, index) for index in range(seat.count)]
        return own if worths[own] == max(worths) else worths.index(max(worths))

    def worth(self, battle: Battle, index: int) -> int:
        """Return what a choice comes to as the cards lie, if regulars fight on."""
        rules = self.referee.rules
        total = 0
        for _ in range(OPENLY):
            trial = battle.copy()
            luck = Chance(self.chance.bits(), self.chance.bits(), self.chance.bits(), 1)
            trial.fate = Drawn(luck)
            trial.choose(index)
            total += fought_on(rules, rules.regular, trial, luck)[battle.side]
        return total


def taken(rules: str, seed: int, seat: int, iterations: int) -> float:
    """Return the share of one battle that the all-seeing commander takes from this seat."""
    plan = read_battle(bare_battle(rules, ["s0", "s1"]))._replace(seed=seed)
    streams = streams_of(plan)
    referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle), listen=False)
    mustered = commanders(plan, streams)
    mustered[seat] = AllSeeing(referee, streams.sides[seat], iterations)
    referee.fight(mustered)
    return float(points(referee.outcome().winners, seat, 2))


def main(rules: str, seconds: float, iterations: int) -> None:
    """Print the share."""
    found = Pairing()
    began = process_time()
    for seed in count():
        found.add(sum(taken(rules, seed, seat, iterations) for seat in (0, 1)) / 2)
        found.seconds = process_time() - began
        if found.seconds > seconds:
            break
    print("rules            rank     against   share  interval           Elo battles seconds each")
    print(found.row(rules, "all-seer", "regular"))


if __name__ == "__main__":
    main(
        sys.argv[1] if len(sys.argv) > 1 else "field-of-honour",
        float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS,
        int(sys.argv[3]) if len(sys.argv) > 3 else 4000,
    )
