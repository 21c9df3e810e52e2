"""Pending battles in which the ranks of the commanders outweigh the strength of the forces."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardbattle.campaign.state.battle_setup import destroyed, side_advantages
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.commanders.strength import Pairing, measured_pairings

LOSES = 0.75  # the share of the points from which a rank's edge is worth a warning


def rank_warnings(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield the pending duels whose lower rank loses more by it than strength gives, by id, with a sentence.

    The ranks are compared by duels that were measured at equal strength (`cardbattle commanders`). A rank
    with iterations of its own, a plug-in's rule set and a battle of three sides or more were not measured.
    """
    for battle in campaign.pending:
        if len(battle.sides) == 2 and not destroyed(campaign, battle):
            words = rank_warning(campaign, battle)
            if words:
                yield battle.id, words


def rank_warning(campaign: Campaign, battle: Pending) -> str:
    """Return the warning about the ranks of a duel, or the empty string."""
    rules = campaign.rules_of(battle).key
    first, second = (campaign.forces[key].commander for key in battle.keys)
    for side, rank, against in zip(battle.sides, (first, second), (second, first), strict=True):
        pairing = measured_pairings().get((rules, rank, against))
        if pairing and outweighs(1 - pairing.share, strength_ratio(campaign, battle)):
            return (
                f"the {rank} commander of {campaign.side_name(side)} loses {percent_lost(pairing)} "
                "of such battles at equal strength"
            )
    return ""


def strength_ratio(campaign: Campaign, battle: Pending) -> Fraction | None:
    """Return how many times as strong the stronger side is; None if the other one has no strength.

    It is 1 if the stronger side gets nothing for its strength.
    """
    edges = side_advantages(campaign, battle)
    if not any(edge.gifts for edge in edges):
        return Fraction(1)
    weakest = min(edge.strength for edge in edges)
    return Fraction(max(edge.strength for edge in edges), weakest) if weakest else None


def outweighs(lost: float, ratio: Fraction | None) -> bool:
    """Say whether a share of the points lost by rank is much, and more than strength can lose.

    What strength gives turns a ratio of strengths into odds of about its square: two battles in three at 3:2,
    four in five at 2:1, nine in ten at 3:1.

    >>> outweighs(0.99, Fraction(2)), outweighs(0.78, Fraction(2)), outweighs(0.6, Fraction(1))
    (True, False, False)
    """
    if lost < LOSES or ratio is None:
        return False
    return lost > ratio**2 / (1 + ratio**2)


def percent_lost(pairing: Pairing) -> str:
    """Return the share of the points lost, in whole per cent; never all, as no count can show that."""
    lost = 100 * (1 - pairing.share)
    return "more than 99%" if lost >= 99.5 else f"{lost:.0f}%"
