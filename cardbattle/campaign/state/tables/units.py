"""The named units of a force, and how they share its losses and gains of strength.

The strengths of a force's units add up to the strength of the force. A unit that has lost everything stays in
the list with the strength 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple

from cardbattle.files.reader import table_or_empty

UNITS, STRENGTH = "units", "strength"
Losses = tuple[int, int]  # the lost strength, and the strength before the battle


def units_in(force: object) -> dict[str, int]:
    """Return a dict from the units in a force's table to their strengths, in the order of the file."""
    units = table_or_empty(table_or_empty(force).get(UNITS))
    return {name: strength for name, strength in units.items() if type(strength) is int}


def total_strength(force: object) -> int | None:
    """Return the sum of the units' strengths in a force's table, or None if it has no units."""
    units = units_in(force)
    return sum(units.values()) if units else None


def with_strength(force: object) -> object:
    """Return a force's table with its strength. A file can leave the strength out if the force has units."""
    total = None if not isinstance(force, dict) or STRENGTH in force else total_strength(force)
    return force if total is None or not isinstance(force, dict) else {**force, STRENGTH: total}


class Casualties(NamedTuple):
    """Where a side had its losses in a battle.

    Attributes:
        places: a pair (lost strength, strength before the battle) for each place of the side's line, as in
            `RuleSet.losses_by_place`.
        units: the reported losses of each unit by name. If losses of units are given, the places do not
            count.

    """

    places: Sequence[Losses] = ()
    units: Mapping[str, int] = {}

    def weights(self, units: Mapping[str, int]) -> list[Fraction]:
        """Return how heavily each unit of a force was hit.

        The losses at a place fall on the units that stood at this part of the line.
        """
        if self.units:
            return [Fraction(self.units.get(name, 0)) for name in units]
        return hits(list(units.values()), self.places)


UNKNOWN = Casualties()


def hits(strengths: Sequence[int], places: Sequence[Losses]) -> list[Fraction]:
    """Return how much strength of each unit was hit.

    The units stand side by side along the line, in order. The width of a unit is its strength, and the width
    of a place is the strength that stood there. Without places, all units are hit in proportion to
    their strength.

    >>> hits([4, 4, 2], [(1, 1), (1, 1), (0, 1), (0, 1), (0, 1)])
    [Fraction(4, 1), Fraction(0, 1), Fraction(0, 1)]
    """
    width = sum(whole for _, whole in places)
    total = sum(strengths)
    if not width or not any(lost for lost, _ in places):
        return list(map(Fraction, strengths))
    ends = [Fraction(end * total, width) for end in accumulate((whole for _, whole in places), initial=0)]
    edges = list(map(Fraction, accumulate(strengths, initial=0)))
    return [
        sum(
            (
                Fraction(lost, whole) * max(Fraction(0), min(end, right) - max(start, left))
                for (start, end), (lost, whole) in zip(pairwise(ends), places, strict=True)
                if lost
            ),
            Fraction(0),
        )
        for left, right in pairwise(edges)
    ]


def share_out(amount: int, weights: Sequence[Fraction], room: Sequence[int]) -> list[int]:
    """Share a whole number in proportion to weights, with at most `room` for each share.

    The largest remainders are rounded up first. Of equal remainders, the first one is rounded up. If a share
    would exceed its room, the excess goes to shares that still have room. The sum of the rooms must be at
    least the amount. Source: the Hare quota (T. Hare, 1859; A. Hamilton, 1792).

    >>> share_out(3, [Fraction(4), Fraction(4), Fraction(2)], [4, 4, 2])
    [1, 1, 1]
    """
    total = sum(weights)
    if not total:
        weights, total = list(map(Fraction, room)), Fraction(sum(room))
    quotas = [amount * weight / total for weight in weights] if total else [Fraction(0)] * len(room)
    shares = [min(int(quota), most) for quota, most in zip(quotas, room, strict=True)]
    for place in sorted(range(len(shares)), key=lambda place: int(quotas[place]) - quotas[place]):
        is_short = shares[place] < quotas[place] and shares[place] < room[place]
        if sum(shares) < amount and is_short:
            shares[place] += 1
    left, more = amount - sum(shares), [most - share for most, share in zip(room, shares, strict=True)]
    if left and sum(more) >= left:
        extra = share_out(left, list(map(Fraction, more)), more)
        shares = [share + added for share, added in zip(shares, extra, strict=True)]
    return shares


def units_at(units: Mapping[str, int], strength: int, casualties: Casualties = UNKNOWN) -> dict[str, int]:
    """Return the units of a force after its strength has changed to `strength`.

    Losses are shared according to `casualties`. Gains are shared in proportion to the units' strengths.

    >>> units_at({"archers": 4, "spears": 2}, 3), units_at({"archers": 2, "spears": 1}, 6)
    ({'archers': 2, 'spears': 1}, {'archers': 4, 'spears': 2})
    """
    strengths = list(units.values())
    change = strength - sum(strengths)
    if change < 0:
        lost = share_out(-change, casualties.weights(units), strengths)
        return {name: units[name] - loss for name, loss in zip(units, lost, strict=True)}
    gained = share_out(change, list(map(Fraction, strengths)), [change] * len(units))
    return {name: units[name] + gain for name, gain in zip(units, gained, strict=True)}


def units_after_rest(units: Mapping[str, int], full: Mapping[str, int], gain: int) -> dict[str, int]:
    """Return the units after a rest. The units are filled up to their full strength, one after the other.

    Units with the strength 0 come last. The remaining gain is shared in proportion.

    >>> units_after_rest({"archers": 0, "spears": 1, "pikes": 2}, {"archers": 4, "spears": 2, "pikes": 3}, 3)
    {'archers': 1, 'spears': 2, 'pikes': 3}
    """
    filled = dict(units)
    for name in sorted(units, key=lambda name: units[name] == 0):
        added = min(gain, max(0, full.get(name, 0) - units[name]))
        filled[name] += added
        gain -= added
    return units_at(filled, sum(filled.values()) + gain)
