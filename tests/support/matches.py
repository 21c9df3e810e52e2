"""Matches between commanders: the same deals from both seats, draws as halves."""

from __future__ import annotations

from fractions import Fraction

from cardbattle.battles.records.battle_file import BattlePlan, bare_battle, read_battle
from cardbattle.battles.resolve import fought, streams_of


def winners_of(plan: BattlePlan, seed: int, ranks: list[str]) -> list[int]:
    """Return the seats that win one battle with these commanders; no log is kept."""
    sides = [side._replace(commander=rank) for side, rank in zip(plan.sides, ranks, strict=True)]
    ranked = plan._replace(seed=seed, sides=sides)
    return fought(ranked, streams_of(ranked), listen=False).outcome().winners


def points(winners: list[int], seat: int, sides: int) -> Fraction:
    """Return 1 for a win, a fair part of it for a shared or drawn battle."""
    if not winners:
        return Fraction(1, sides)
    return Fraction(1, len(winners)) if seat in winners else Fraction(0)


def share(rules: str, rank: str, against: str, battles: int, sides: int = 2, first_seed: int = 0) -> Fraction:
    """Return the share of points that one commander takes against others of another rank.

    Each deal is fought once from every seat; `battles` is the number fought in all.
    """
    plan = read_battle(bare_battle(rules, [f"s{seat}" for seat in range(sides)]))
    total = Fraction(0)
    for number in range(battles):
        seed, seat = divmod(number, sides)
        ranks = [rank if place == seat else against for place in range(sides)]
        total += points(winners_of(plan, first_seed + seed, ranks), seat, sides)
    return total / battles
