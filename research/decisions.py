"""Measure the gain of thinking: `python -m research.decisions RULES DECISIONS TRIES ITERATIONS[/HORIZON]...`.

For each number of iterations and horizon (decisions after which a try ends), the script prints the gain of
the search over a seasoned commander's choice, in hundredths of a battle, +- one standard error, and how
often the two choices differ. The DECISIONS open decisions are one in forty of those in battles between
seasoned commanders. All choices of a decision are tried TRIES times in the same redealt battles, which are
fought to the end. This needs far fewer battles than duels between commanders, in which one choice has
little effect.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import sqrt

from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.battles.resolve import deal, streams_of
from cardbattle.commanders.search import Candidate, Search
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.referee import Referee, Seat

FIRST = 9_700_000  # the seed of the first deal; nothing was tuned on these deals
ONE_IN = 40  # one decision in this number is examined
TO_THE_END = 1_000_000  # decisions after which a try of the judge ends


def decisions_of(plan: BattlePlan, first: int, one_in: int) -> Iterator[Referee]:
    """Yield the referee at random open decisions, one in `one_in`, in battles from the first seed on."""
    rules, seed = plan.rules, first
    while True:
        seeded = plan._replace(seed=seed)
        streams = streams_of(seeded)
        referee = Referee(rules, deal(seeded, streams), Drawn(streams.battle), listen=False)
        battle, lot = referee.battle, stream(seed, "lot")
        while not battle.is_over():
            if len(battle.options) > 1 and battle.question not in rules.sealed and not lot.below(one_in):
                yield referee
            battle.choose(rules.seasoned(battle.fast_view(battle.side), streams.sides[battle.side]))
        seed += 1


def gains_of(plan: BattlePlan, seat: Seat, tries: int, ways: list[tuple[int, int]], number: int) -> list[int]:
    """Return the gain of each setting over the policy's choice, in permille, summed over the tries."""
    rules = plan.rules
    chosen: list[int] = []
    for iterations, horizon in ways:
        rules.horizon = horizon
        thinker = Search(rules, rules.seasoned, stream(number, "side"))
        chosen.append(thinker.open_choice(seat, iterations))
    rules.horizon = TO_THE_END
    judge = Search(rules, rules.seasoned, stream(number, "judge"))
    own = judge.entrants(seat, 1)[0].choices[0]
    racing = [Candidate([choice]) for choice in dict.fromkeys([own, *chosen])]
    if len(racing) > 1:
        judge.run_round(seat, racing, tries * len(racing))
    worth = {candidate.choices[0]: sum(candidate.payoffs) for candidate in racing}
    return [worth[choice] - worth[own] for choice in chosen]


def main(key: str, decisions: int, tries: int, names: list[str]) -> None:
    """Print the gain of each setting."""
    plan = read_battle(bare_battle(key, ["s0", "s1"]))
    parts = [name.partition("/") for name in names]
    ways = [(int(number), int(horizon or plan.rules.horizon)) for number, _, horizon in parts]
    referees = decisions_of(plan, FIRST, ONE_IN)
    found = [gains_of(plan, next(referees).seat, tries, ways, number) for number in range(decisions)]
    print("iterations    gain            others")
    for at, name in enumerate(names):
        gains = [row[at] / tries / 10 for row in found]
        mean = sum(gains) / decisions
        error = sqrt(sum((gain - mean) ** 2 for gain in gains)) / decisions
        print(f"{name:12} {mean:+6.2f} +- {error:4.2f} {sum(gain != 0 for gain in gains) / decisions:10.0%}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
