"""Measure the learned tables of Field of Honour: `python -m research.learned DEALS BATTLES`.

Prints the gain over a seasoned commander with the same cards, in hundredths of a battle, +- one standard
error, against seasoned commanders. The line is that of a seasoned commander, of a search with 2000 tries,
or of the learned table; the specials are those of the rules of thumb or of the learned table. All
combinations are tried in the same dealt battles with the same random numbers.
"""

from __future__ import annotations

import sys
from math import sqrt

from cardbattle.commanders.search import Search
from cardbattle.core.chance import stream
from cardbattle.rules.field_of_honour import RULES
from research.learned_field_of_honour import Trial, new_luck, worth_of

FIRST = 11_000_000  # the seed of the first deal; nothing was learned or tuned on these deals
TRIES = 2000
LINES = ["seasoned", "searched", "learned"]
SPECIALS = {"rules of thumb": None, "learned": RULES.learned}


def worths_of(seed: int, battles: int) -> dict[tuple[str, str], float]:
    """Return the share of the points for each kind of line and specials with the hand of this deal."""
    trial = Trial(seed, RULES.learned)
    searched = Search(RULES, RULES.seasoned, stream(seed, "side")).secret_choices(trial.seat, TRIES)
    found = dict.fromkeys(((line, specials) for line in LINES for specials in SPECIALS), 0.0)
    learned = trial.best_line()
    for _ in range(battles):
        dealt = trial.seat.redeal(trial.chance)
        usual = trial.search.line(dealt.copy(), False)
        theirs = trial.search.secret_answers(dealt, usual)
        luck = new_luck(trial.chance)
        for name, line in zip(LINES, (usual, searched, learned), strict=True):
            for specials, policy in SPECIALS.items():
                battle = dealt.copy()
                for choices in (line, *theirs):
                    battle.choose_all(choices)
                worth = worth_of(battle, luck.copy(), policy, trial.view.side)
                found[name, specials] += 100 * worth / battles
    return found


def main(deals: int, battles: int) -> None:
    """Print the gain of each combination over a seasoned commander."""
    worths = [worths_of(seed, battles) for seed in range(FIRST, FIRST + deals)]
    print("line      specials        more by")
    for way in worths[0]:
        gains = [each[way] - each["seasoned", "rules of thumb"] for each in worths]
        gain = sum(gains) / deals
        error = sqrt(sum((each - gain) ** 2 for each in gains)) / deals
        print(f"{way[0]:9} {way[1]:15} {gain:+.2f} +- {error:.2f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
