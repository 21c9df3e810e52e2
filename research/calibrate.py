"""Find advantages that give strength its target value: `python -m research.calibrate [RULES|all]`.

The targets are shares of the points between regular commanders: 68.5 % at 3:2, 81 % at 2:1 and 92 % at
3:1. For each target and rule set, the solver of `cardbattle handicap` looks among advantages of one or
more steps for those that bring the first side nearest to it. The advantage of a rule set should reach the
first target in one step, the second in two and the third in four. `research.strength` then measures it
with other battles.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from concurrent.futures import Executor
from fractions import Fraction

from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.battles.strength import advantages_of
from cardbattle.core.ruleset import Advantage
from cardbattle.rules import RULE_SETS, find
from cardbattle.simulation.handicap import HandicapRequest, HandicapStop, find_handicap
from cardbattle.simulation.workers import workforce

SEED = 1_000_000
TARGETS = {"3:2": 0.685, "2:1": 0.81, "3:1": 0.92}
STEPS = range(1, 7)
STOP = HandicapStop(precision=0.015, most=60_000, seconds=60.0)
NEAREST = 4  # advantages printed for each target
GIFTS: Mapping[str, list[tuple[str, object]]] = {
    "wargame": [("army", [number]) for number in range(9, 14)],
    "field-of-honour": [("extra", [rank]) for rank in ("8", "10", "J", "Q", "K", "A")],
    "warmonger": [("warmongers", 1), ("warmongers", 2), ("warmongers", 3)],
    "strategy-war": [("cards", [rank]) for rank in ("8", "9", "10", "J", "Q", "K", "A")],
    "warfare-tactics": [("battlefield", [rank]) for rank in ("7", "8", "9", "10", "J", "Q", "K")],
}


def values_of(rules: str) -> dict[str, tuple[str, object]]:
    """Return the option and value of each advantage of one or more steps, by a description."""
    found: dict[str, tuple[str, object]] = {}
    for word, gift in GIFTS[rules]:
        for steps in STEPS:
            terms = Advantage(Fraction(1), {word: gift}, steps)
            edges = advantages_of(find(rules), terms, {"s0": 1 + steps, "s1": 1}, {})
            found[f"{word} {gift} x {steps}"] = (word, edges[0].gifts[0].after)
    return found


def nearest(rules: str, target: float, hands: tuple[Executor, int]) -> list[str]:
    """Return lines with the advantages that bring the first side nearest to a share of the points."""
    named = values_of(rules)
    option = next(iter(named.values()))[0]
    values = [value for _, value in named.values()]
    unique = [value for place, value in enumerate(values) if value not in values[:place]]
    battle = bare_battle(rules, ["s0", "s1"]) | {"seed": SEED}
    found = find_handicap(battle, "", HandicapRequest("s0", option, target, unique), STOP, hands)
    words = {str(value): name for name, (_, value) in reversed(named.items())}
    return [
        f"{words[str(one.values[0])]:24} {one.chance().share:6.1%} of {one.battles}"
        for one in found.trials[:NEAREST]
    ]


def main(rules: list[str]) -> None:
    """Print the nearest advantages for each rule set and target."""
    with workforce() as hands:
        for key in rules:
            for ratio, target in TARGETS.items():
                for line in nearest(key, target, hands):
                    print(f"{key:16} {ratio} {target:.1%}  {line}", flush=True)


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    main(list(RULE_SETS) if wanted == "all" else [wanted])
