"""What elite commanders take in Strategy WAR: `python -m research.luckless BATTLES RANK...`.

Prints for each rank the share that elite commanders take from it in so many battles, half of them from each
seat: as they ended, and without the luck of their own lots, which is known. A card that they drew among
several is worth something against the enemy's, by their own account; by how much that is more than the draw
was worth is luck, on average nothing, whether the account is right or not. Without it the same battles tell
the share more exactly (N. Burch and others, AIVAT, 2018). With a regular that is done for their lots as well.
"""

from __future__ import annotations

import sys
from math import sqrt
from time import process_time
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.battles.resolve import fought, streams_of
from cardbattle.core.numeric.matrix_game import against, worth_of
from cardbattle.rules.strategy_war.battle import StrategyWar
from cardbattle.rules.strategy_war.risk import position_after, position_at_start, risk_at_start, round_of

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST = 14_000_000  # the seed of the first deal; nothing was ever chosen by these
REGULARS = ("regular", "seasoned")  # whose lots are known, too


def luck(battle: StrategyWar, side: int, is_regular: bool) -> float:
    """Return what an elite commander won by lots, beyond what these were worth; those of a regular, too."""
    position, risk, found = position_at_start(battle), risk_at_start(battle), 0.0
    for sealed in battle.history:
        own, other = abs(sealed[side]), abs(sealed[1 - side])
        then = position_after(position, sealed)
        played = round_of(position, side)
        mix, place = played.mix(risk), played.others.index(other)
        due = worth_of(mix, played.table[place])
        if is_regular:
            due = worth_of(mix, against(played.habits, played.table))
        found += played.table[place][played.cards.index(own)] - due
        if then[-1]:
            risk = played.risk_after(risk, own, other, round_of(then, side))
        position = then
    return found


def taken(plan: BattlePlan, rank: str, battles: int) -> Iterator[tuple[float, float]]:
    """Yield what an elite commander takes of each battle, and the luck in it."""
    for number in range(battles):
        seat = number % 2
        ranks = ["elite", rank] if seat == 0 else [rank, "elite"]
        sides = [side._replace(commander=each) for side, each in zip(plan.sides, ranks, strict=True)]
        ranked = plan._replace(seed=FIRST + number // 2, sides=sides)
        battle = fought(ranked, streams_of(ranked), listen=False).battle
        assert isinstance(battle, StrategyWar)
        winners = battle.outcome().winners
        yield (seat in winners) / len(winners), luck(battle, seat, rank in REGULARS)


def mean(values: list[float]) -> str:
    """Return the mean of shares, in hundredths, and its standard error."""
    middle = sum(values) / len(values)
    spread = sum((each - middle) ** 2 for each in values) / (len(values) - 1)
    return f"{100 * middle:5.1f} +- {100 * sqrt(spread / len(values)):.1f}"


def main(battles: int, ranks: list[str]) -> None:
    """Print the shares that are taken from each rank."""
    plan = read_battle(bare_battle("strategy-war", ["s0", "s1"]))
    print("from       share         without luck  battles seconds each")
    for rank in ranks:
        began = process_time()
        found = list(taken(plan, rank, battles))
        ended = [share for share, _ in found]
        seconds = (process_time() - began) / battles
        print(
            f"{rank:10} {mean(ended)}  {mean([share - by_luck for share, by_luck in found])}  "
            f"{battles:7} {seconds:12.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:] or ["regular", "veteran", "green"])
