"""Measure perfect information: `python -m research.ceiling RULES|all BATTLES [RANK[/AGAINST]...]`.

Prints the share of the points that a player with perfect information, a veteran and an elite commander
take from a seasoned one (or from AGAINST) in this number of battles, half of them from each seat, with the
interval of `research.tournament`. The player with perfect information searches as an elite commander does,
but in the actual battle instead of redealt ones: only future shuffles and draws are unknown. This is an
upper estimate for the same search with hidden cards.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.commanders import RANKS, Rank
from cardbattle.commanders.search import SearchCommander
from cardbattle.core.chance import Drawn
from cardbattle.core.referee import Commander, Seat
from cardbattle.rules import RULE_SETS
from research.tournament import Pairing, taken_of

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import RuleSet

FIRST = 11_000_000  # the seed of the first deal; nothing was tuned on these deals
SEASONED = "seasoned"
SEES_ALL = "sees-all"


class OpenSeat(Seat):
    """A seat that sees all cards."""

    def redeal(self, chance: Chance) -> Battle:
        """Return a copy of the actual battle with new future random events."""
        battle = self._referee.battle.copy()
        battle.random_source = Drawn(chance)
        return battle


class AllSeeing(Commander):
    """An elite commander with perfect information."""

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int) -> None:
        usual = rules.iterations.get("elite", rules.iterations["veteran"])
        self.commander = SearchCommander(rules, chance, iterations or usual, is_elite=True)

    def answer(self, seat: Seat) -> int:
        """Return the best option according to the search."""
        return self.commander.answer(OpenSeat(seat._referee))


def pairing(plan: BattlePlan, rank: str, against: str, battles: int) -> Pairing:
    """Return the points that a rank takes from another in this number of battles."""
    found = Pairing()
    began = process_time()
    for number in range(battles // 2):
        found.add(taken_of(plan, FIRST + number, rank, against))
    found.seconds = process_time() - began
    return found


def main(rules: list[str], battles: int, ranks: list[str]) -> None:
    """Print the shares of each rule set."""
    RANKS[SEES_ALL] = Rank("sees all cards", AllSeeing, True)
    print("rules            rank     against   share  interval           Elo battles seconds each")
    for key in rules:
        plan = read_battle(bare_battle(key, ["s0", "s1"]))
        for names in ranks:
            rank, _, against = names.partition("/")
            against = against or SEASONED
            print(pairing(plan, rank, against, battles).row(key, rank, against), flush=True)


if __name__ == "__main__":
    main(
        list(RULE_SETS) if sys.argv[1] == "all" else [sys.argv[1]],
        int(sys.argv[2]),
        sys.argv[3:] or [SEES_ALL, "veteran", "elite"],
    )
