"""Measure how often the stronger side wins at several ratios of strength.

The stronger side has the first seat in half of the battles and the last seat in the other half, so that the
advantage of a seat does not affect the result. After a draw or a shared win, the points are divided equally.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import NamedTuple

from cardbattle.battles.records.battle_file import bare_battle
from cardbattle.battles.strength import AdvantageTerms, advantages_of, with_gifts
from cardbattle.core.errors import UsageError
from cardbattle.core.ruleset import RuleSet
from cardbattle.simulation.counting import WHOLE, Count
from cardbattle.simulation.intervals import wilson_bounds
from cardbattle.simulation.sample import Sample

PATH = "strength"
BATTLES = 1000  # default number of battles for each ratio
RATIOS = [(3, 2), (2, 1), (3, 1)]
SEED = "calibrate"  # fixed, so that the same rules always give the same figures


class StrengthShare(NamedTuple):
    """The share of the points, from 0 to 1, that the stronger side took at one ratio of strength.

    `low` and `high` are the ends of the 95 % interval of the share. `seats` has the share in the battles in
    which the stronger side had the first seat, and the share in the others.
    """

    strengths: Sequence[int]  # the strength of the stronger side comes first
    battles: int
    share: float
    low: float
    high: float
    seats: tuple[float, float]

    @property
    def ratio(self) -> str:
        """The ratio of strength as text, such as "3:2"."""
        return ":".join(map(str, self.strengths))


def measure_strength(
    rules: RuleSet,
    hands: tuple[Executor, int],
    battles: int = BATTLES,
    report_progress: Callable[[int, int], None] = lambda finished, of: None,
) -> list[StrengthShare]:
    """Fight battles between regular commanders at each ratio of strength, and return the shares.

    `battles` is the number of battles for each ratio. The function `report_progress` is called with the
    number of finished battles and the number of all battles. Raises UsageError if the rule set has no
    advantage for greater strength, and SystemFailure if a worker died.
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
    advantage: AdvantageTerms | None = None,
) -> StrengthShare:
    """Fight battles between sides of these strengths. Return the first strength's share of the points.

    `battles` is an even number. `advantage` is the advantage for greater strength. By default, it is the
    advantage of the rule set.
    """
    half = battles // 2
    shares = []
    for place, ordered in enumerate((strengths, strengths[::-1])):

        def tell_both(counted: Count, before: int = place * half) -> None:
            report_progress(before + counted.battles)

        seeded = seed + place if isinstance(seed, int) else f"{seed}/{place}"
        battle = battle_of(rules, ordered, seeded, advantage or rules.advantage)
        sample = Sample(battle, "", *hands, PATH)
        sample.up_to(half, report_progress=tell_both)
        shares.append(sample.counted.points[place * (len(ordered) - 1)] / (WHOLE * half))
    mean = sum(shares) / 2
    return StrengthShare(strengths, 2 * half, mean, *wilson_bounds(mean, 2 * half), (shares[0], shares[1]))


def battle_of(
    rules: RuleSet, strengths: Sequence[int], seed: int | str, advantage: AdvantageTerms | None
) -> Mapping[str, object]:
    """Return the content of a battle file for sides of these strengths, including their advantages."""
    keys = {f"s{seat}": strength for seat, strength in enumerate(strengths)}
    table = bare_battle(rules.key, list(keys)) | {"seed": seed}
    return with_gifts(table, advantages_of(rules, advantage, keys, table))
