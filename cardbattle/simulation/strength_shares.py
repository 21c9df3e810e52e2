"""Measure the value of strength: how often the stronger side wins, by ratio of strength.

Half of the battles have the stronger side in the first seat and half in the last, so that the advantage of a
seat cancels out. A drawn or shared battle counts an equal part for each side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import NamedTuple

from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.battles.strength import advantages_of, with_gifts
from cardbattle.core.errors import UsageError
from cardbattle.core.ruleset import RuleSet
from cardbattle.simulation.counting import WHOLE, Count
from cardbattle.simulation.intervals import wilson_bounds
from cardbattle.simulation.sample import Sample

PATH = "strength"
BATTLES = 1000  # for each ratio
RATIOS = [(3, 2), (2, 1), (3, 1)]
SEED = "calibrate"  # fixed, so that the same rules give the same figures


class StrengthShare(NamedTuple):
    """The share of the points that the stronger side took at one ratio of strength, from 0 to 1.

    `low` and `high` are the ends of its 95 % interval; `seats` has the share from the first and from the last
    seat.
    """

    strengths: Sequence[int]  # the stronger side first
    battles: int
    share: float
    low: float
    high: float
    seats: tuple[float, float]

    @property
    def ratio(self) -> str:
        """The ratio as text, such as 3:2."""
        return ":".join(map(str, self.strengths))


def measure_strength(
    rules: RuleSet,
    hands: tuple[Executor, int],
    battles: int = BATTLES,
    report_progress: Callable[[int, int], None] = lambda finished, of: None,
) -> list[StrengthShare]:
    """Fight a number of battles at each ratio, with regular commanders.

    `report_progress` is called with the progress. Raises UsageError if the rule set gives nothing for
    strength, and SystemFailure if a worker died.
    """
    if rules.advantage is None:
        raise UsageError(f"{rules.name} has no advantage for strength, so there is nothing to measure")
    shares: list[StrengthShare] = []
    for number, (strong, weak) in enumerate(RATIOS):

        def tell_all(finished: int, before: int = number * battles) -> None:
            report_progress(before + finished, battles * len(RATIOS))

        strengths = (strong, *[weak] * (rules.fewest - 1))
        shares.append(measure_ratio(rules, strengths, battles, SEED, hands, tell_all))
    return shares


def measure_ratio(
    rules: RuleSet,
    strengths: Sequence[int],
    battles: int,
    seed: int | str,
    hands: tuple[Executor, int],
    report_progress: Callable[[int], None] = lambda finished: None,
) -> StrengthShare:
    """Return the share of the first of these strengths in an even number of battles."""
    half = battles // 2
    shares = []
    for place, ordered in enumerate((strengths, strengths[::-1])):

        def tell_both(counted: Count, before: int = place * half) -> None:
            report_progress(before + counted.battles)

        battle = battle_of(rules, ordered, seed + place if isinstance(seed, int) else f"{seed}/{place}")
        sample = Sample(battle, "", *hands, PATH)
        sample.up_to(half, report_progress=tell_both)
        shares.append(sample.counted.points[place * (len(ordered) - 1)] / (WHOLE * half))
    mean = sum(shares) / 2
    return StrengthShare(strengths, 2 * half, mean, *wilson_bounds(mean, 2 * half), (shares[0], shares[1]))


def battle_of(rules: RuleSet, strengths: Sequence[int], seed: int | str) -> Mapping[str, object]:
    """Return the table of a battle between sides of these strengths, with the rule set's advantage."""
    keys = {f"s{seat}": strength for seat, strength in enumerate(strengths)}
    table = bare_battle(rules.key, list(keys)) | {"seed": seed}
    return with_gifts(table, advantages_of(rules, rules.advantage, keys, table))
