"""Warn of pending battles in which the commanders' ranks outweigh the strength of the forces."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardbattle.campaign.state.battle_setup import destroyed_forces_error, side_advantages
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.commanders.strength import Pairing, load_pairings

LOSES = 0.75  # share of the points lost that deserves a warning


def rank_warnings(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield the id of each pending duel in which the ranks outweigh the strength, and a warning.

    The weaker rank must cost more than the stronger force gains by its strength. The cost of a rank was
    measured in duels at equal strength (`cardbattle commanders`). The warnings leave out commanders that
    were not measured (custom numbers of iterations and plug-ins), and battles with three or more sides.
    """
    for battle in campaign.pending:
        if len(battle.sides) == 2 and not destroyed_forces_error(campaign, battle):
            warning = rank_warning(campaign, battle)
            if warning:
                yield battle.id, warning


def rank_warning(campaign: Campaign, battle: Pending) -> str:
    rules = campaign.rules_of(battle).key
    first, second = (campaign.forces[key].commander for key in battle.keys)
    for side, rank, against in zip(battle.sides, (first, second), (second, first), strict=True):
        pairing = load_pairings().get((rules, rank, against))
        if pairing and outweighs(1 - pairing.share, strength_ratio(campaign, battle)):
            return (
                f"the {rank} commander of {campaign.side_name(side)} loses {percent_lost(pairing)} "
                "of such battles at equal strength"
            )
    return ""


def strength_ratio(campaign: Campaign, battle: Pending) -> Fraction | None:
    """Return the stronger side's strength divided by the weaker side's strength.

    The ratio is 1 if strength gives no advantage, and None if the weaker side's strength is 0.
    """
    edges = side_advantages(campaign, battle)
    if not any(edge.gifts for edge in edges):
        return Fraction(1)
    weakest = min(edge.strength for edge in edges)
    return Fraction(max(edge.strength for edge in edges), weakest) if weakest else None


def outweighs(lost: float, ratio: Fraction | None) -> bool:
    """Return True if a lower rank costs many points, and more points than the strength ratio can win back.

    The odds are about the square of the strength ratio. The stronger side wins two in three battles at 3:2,
    four in five at 2:1, and nine in ten at 3:1.

    >>> outweighs(0.99, Fraction(2)), outweighs(0.78, Fraction(2)), outweighs(0.6, Fraction(1))
    (True, False, False)
    """
    if lost < LOSES or ratio is None:
        return False
    return lost > ratio**2 / (1 + ratio**2)


def percent_lost(pairing: Pairing) -> str:
    """Return the share of the points lost in percent, but never 100 %, because no sample can prove it."""
    lost = 100 * (1 - pairing.share)
    return "more than 99%" if lost >= 99.5 else f"{lost:.0f}%"
