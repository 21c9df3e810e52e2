"""State the losses of all sides as one fact.

The fact has the exact numbers of the campaign if they are known, and otherwise shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from cardbattle.core.grammar import unit_noun
from cardbattle.core.telling import ENGLISH, Estimate, Fact, FactValue, Name, conditions
from cardbattle.story.language import Language
from cardbattle.story.stakes import COUNTED, UnitLoss

LUCKY = Fraction(1, 5)  # smallest difference to the heaviest losses for which a side is called lucky
LIGHT = Fraction(1, 8)  # smaller losses are called light
NOTICED = Fraction(
    2, 5
)  # a story mentions rough losses if at most this share is left: 10 and 5 can be 8 and 7
SLIGHT = Fraction(1, 5)  # smaller shares are not mentioned in a campaign
HEAVY = Fraction(1, 2)  # from this share on, losses are called heavy even if they are the lightest


def losses_fact(
    vocabulary: Language,
    losses: Sequence[str | Fraction | None],
    winners: Sequence[int],
    casualties: Sequence[tuple[int, int]],
    *,
    is_brief: bool = False,
) -> list[Fact]:
    """Return the losses of all sides as one fact. The list is empty if the campaign restores all losses.

    If `is_brief` is true, light losses have no shares, and slight ones are not mentioned. If the share of a
    side is None, the fact is about the other side alone.
    """
    shares = [Fraction(share) if isinstance(share, str) else share for share in losses if share is not None]
    if len(shares) < len(losses):
        return losses_of_one(losses)
    if any(shares) and casualties and not any(lost for lost, _ in casualties):
        return []
    if not any(shares):
        return [Fact("lost_nothing", {"sides": [Name(seat) for seat in range(len(shares))]})]
    if len(shares) > 2:
        return [losses_of_many(vocabulary, shares, winners)]
    if casualties:
        return [counted_losses(winners, casualties, shares)]
    if is_brief and max(shares) < SLIGHT:
        return []
    light = light_losses(shares, winners) if is_brief else []
    return light or [losses_of_two(vocabulary, shares, winners)]


def rough_losses(before: Sequence[int], after: Sequence[int], winners: Sequence[int]) -> list[Fact]:
    """Return a fact about the side of two with the heavier losses, if the reader sees that it is weaker now.

    This reader knows only the rough strengths before and after the battle. The fact has the field `dear` if
    the side won. If less than COUNTED is left, the list is empty.
    """
    left = [Fraction(now, then) for then, now in zip(before, after, strict=True)]
    worst = left.index(min(left))
    if left[worst] > NOTICED or after[worst] < COUNTED:
        return []
    fields: dict[str, FactValue] = {
        "side": Name(worst), "rival": Name(1 - worst), "strength": before[worst], "left": after[worst],
        **conditions(dear=[*winners] == [worst]),
    }  # fmt: skip
    return [Fact("left_roughly", fields)]


def unit_facts(vocabulary: Language, units: Sequence[UnitLoss]) -> list[Fact]:
    """Return one fact about the losses of the two units with the heaviest losses.

    If a unit was lost completely, the fact is about this unit alone.
    """
    if not units:
        return []
    worst, *others = sorted(units, key=lambda unit: (-Fraction(unit.lost, unit.of), -unit.lost))
    fields: dict[str, FactValue] = {"unit": unit_name(vocabulary, worst), "lost": worst.lost, "of": worst.of}
    if worst.lost == worst.of:
        return [Fact("unit_gone", {**fields, **conditions(several=worst.of > 1)})]
    if not others:
        return [Fact("unit_lost", fields)]
    fields |= {
        "other": unit_name(vocabulary, others[0]),
        "others_lost": others[0].lost,
        "others_of": others[0].of,
    }
    return [Fact("units_lost", fields)]


def unit_name(vocabulary: Language, unit: UnitLoss) -> str:
    """Return a unit's name for a sentence. An English common noun has an article."""
    return str(unit_noun(unit.name)) if vocabulary.code == ENGLISH else unit.name


def fields_of_two(winners: Sequence[int]) -> tuple[int, dict[str, FactValue]]:
    """Return the side to name first, and the fields of a fact that name both sides.

    The field `victor` exists only if exactly one side won.
    """
    first = winners[0] if winners else 0
    fields: dict[str, FactValue] = {
        "side": Name(first), "rival": Name(1 - first), "sides": [Name(0), Name(1)],
    }  # fmt: skip
    return first, fields | ({"victor": Name(first)} if len(winners) == 1 else {})


def losses_of_one(losses: Sequence[str | Fraction | None]) -> list[Fact]:
    """Return a fact about the heaviest losses whose share is known, unless they are slight."""
    known_shares = {side: Fraction(share) for side, share in enumerate(losses) if share is not None}
    side, share = max(known_shares.items(), key=lambda item: item[1])
    return [Fact("lost_alone", {"side": Name(side), "share": share})] if share >= SLIGHT else []


def losses_of_two(vocabulary: Language, shares: Sequence[Fraction], winners: Sequence[int]) -> Fact:
    """Return a fact about the losses of two sides. The winner's losses are first."""
    first, names = fields_of_two(winners)
    fields = {**names, "share": shares[first], "rivals_share": shares[1 - first]}
    alike = vocabulary.common_share(shares) if all(shares) else None
    if alike:
        kind = "lost_same" if are_equal(shares) else "lost_alike"
        return Fact(kind, {**fields, "share": alike})
    if shares[1 - first] == 1 and shares[first]:
        return Fact("lost_both_all", fields)
    if not shares[first]:
        return Fact("lost_all" if shares[1 - first] == 1 else "lost_one", fields)
    if shares[1 - first]:
        return Fact("lost_both", fields)
    return Fact("lost_winner_all" if shares[first] == 1 else "lost_winner", fields)


def are_equal(shares: Sequence[Fraction]) -> bool:
    """Return True if all shares are known exactly, and are equal."""
    return len(set(shares)) == 1 and not any(isinstance(share, Estimate) for share in shares)


def light_losses(shares: Sequence[Fraction], winners: Sequence[int]) -> list[Fact]:
    """Return a fact about the losses of two sides if those of the winner were light."""
    first, names = fields_of_two(winners)
    if 0 < shares[first] < LIGHT and shares[1 - first] < 1:
        return [Fact("lost_mostly", {**names, "rivals_share": shares[1 - first]})]
    return []


def counted_losses(
    winners: Sequence[int], casualties: Sequence[tuple[int, int]], shares: Sequence[Fraction]
) -> Fact:
    """Return a fact about the losses of two sides in the campaign's numbers. The winner's losses are first.

    If a side's losses were rounded to 0, the fact says that it lost "hardly anybody" instead of "nobody". A
    side lost all only if its share is 1, because a smaller share can be rounded up to the whole strength.
    """
    first, names = fields_of_two(winners)
    (lost, of), (rivals_lost, rivals_of) = casualties[first], casualties[1 - first]
    is_whole = all(lost or not share for (lost, _), share in zip(casualties, shares, strict=True))
    fields: dict[str, FactValue] = {
        **names, **conditions(whole=is_whole, hardly=not is_whole),
        "lost": lost, "of": of, "rivals_lost": rivals_lost, "rivals_of": rivals_of,
    }  # fmt: skip
    if not lost and not rivals_lost:
        return Fact("lost_nothing", fields)
    who = "both" if lost and rivals_lost else "winner" if lost else "one"
    is_all = shares[first if who == "winner" else 1 - first] == 1
    kind = "all" if who == "one" and is_all else f"{who}_all" if is_all else who
    return Fact(f"lost_{kind}_counted", fields)


def losses_of_many(vocabulary: Language, shares: Sequence[Fraction], winners: Sequence[int]) -> Fact:
    """Return a fact about the heaviest and the lightest losses of three or more sides.

    The field `lightest` exists only if one side lost less than all others. This side is also in the field
    `lucky` if its losses are much lighter than the heaviest losses, or in the field `even` if its losses are
    heavy. `victor` and `price` exist if one side won and another side had heavier losses.
    """
    most, least = max(shares), min(shares)
    worst = [seat for seat, share in enumerate(shares) if share == most]
    spared = [Name(seat) for seat, share in enumerate(shares) if not share]
    alike = vocabulary.common_share(shares) if least else None
    if alike:
        return Fact("many_lost_same" if are_equal(shares) else "many_lost_alike", {"share": alike})
    fields: dict[str, FactValue] = {"share": most, "least": least, "spared": spared}
    fields |= {"side": Name(worst[0])} if len(worst) == 1 else {"sides": [Name(seat) for seat in worst]}
    if shares.count(least) == 1:
        lightest = Name(shares.index(least))
        fields["lightest"] = lightest
        fields |= {"lucky": lightest} if most - least >= LUCKY else {}
        fields |= {"even": lightest} if least >= HEAVY else {}
    if len(winners) == 1 and 0 < shares[winners[0]] < most:
        fields |= {"victor": Name(winners[0]), "price": shares[winners[0]]}
    kind = "many_lost_all" if most == 1 else "many_lost"
    return Fact(f"{kind}_spared" if spared else kind, fields)
