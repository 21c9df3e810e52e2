"""Phrases about losses: a phrase that compares sides appears only if the shares support it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.core.chance import stream
from cardbattle.core.telling import Estimate, Name
from cardbattle.show.battle_text import share_words
from cardbattle.show.translation import catalogue_of
from cardbattle.story.language import language, phrases_of
from cardbattle.story.losses import counted_losses, losses_fact, unit_facts
from cardbattle.story.stakes import UnitLoss, simple_ratio
from cardbattle.story.teller import Teller

SHARES = st.sampled_from([Fraction(n, 104) for n in range(105)] + [Fraction(n, 11) for n in range(12)])


@given(shares=st.lists(SHARES, min_size=2, max_size=5), winner=st.integers(-1, 4))
def test_a_comparison_of_losses_is_true_of_the_shares(shares: list[Fraction], winner: int) -> None:
    words = language("en")
    winners = [winner] if 0 <= winner < len(shares) else []
    (fact,) = losses_fact(words, [str(share) for share in shares], winners, ())
    fields = fact.fields
    of = {key: shares[value.seat] for key, value in fields.items() if isinstance(value, Name)}
    assert ("victor" in fields) <= (len(winners) == 1)
    if fact.kind == "lost_nothing":
        assert not any(shares)
    elif fact.kind.endswith(("lost_same", "lost_alike")):
        assert all(shares) and fields["share"] in shares
        assert len(set(map(words.rounded, shares))) == 1
        assert fact.kind.endswith("same") == (len(set(shares)) == 1)
    elif len(shares) > 2:
        sides = fields.get("sides") or [fields["side"]]
        assert isinstance(sides, list)
        assert [seat for seat, share in enumerate(shares) if share == max(shares)] == [
            name.seat for name in sides if isinstance(name, Name)
        ]
        assert ("sides" in fields) == (len(sides) > 1)
        for key in fields.keys() & {"lightest", "lucky", "even"}:
            assert shares.count(min(shares)) == 1 and of[key] == min(shares)
        assert "lucky" not in fields or max(shares) - min(shares) >= Fraction(1, 5)
        assert "even" not in fields or min(shares) >= Fraction(1, 2)
        assert "victor" not in fields or 0 < of["victor"] < max(shares)
    else:
        assert (of["side"], of["rival"]) == (fields["share"], fields["rivals_share"])


@given(few=st.integers(1, 60), many=st.integers(1, 200))
def test_a_ratio_in_words_is_close_to_the_strengths(few: int, many: int) -> None:
    """Strengths that differ by less than a seventh are not compared."""
    few, many = sorted((few, many))
    ratio = simple_ratio(many, few)
    if 7 * many < 8 * few:
        assert ratio == (1, 1)
    else:
        assert abs(Fraction(*ratio) / Fraction(many, few) - 1) < Fraction(7, 100)


LOST = st.integers(1, 40).flatmap(lambda of: st.tuples(st.integers(1, of), st.just(of)))


@pytest.mark.parametrize("code", ["en", "de"])
@settings(max_examples=30)
@given(losses=st.lists(LOST, max_size=4), seed=st.integers(0, 99))
def test_the_units_that_were_hit_hardest_are_named(
    code: str, losses: list[tuple[int, int]], seed: int
) -> None:
    words = language(code)
    units = [UnitLoss(f"Lancers {n}", *each) for n, each in enumerate(losses)]
    teller = Teller(words, phrases_of(code, "wargame"), [], stream(seed, "story"))
    for fact in unit_facts(words, units):
        assert teller.tell(fact)
    told = " ".join(sentence.text for sentence in teller.sentences)
    named = [unit for unit in units if unit.name in told]
    assert bool(named) == bool(units) and len(named) <= 2
    if units:
        worst = max(Fraction(unit.lost, unit.of) for unit in units)
        assert any(Fraction(unit.lost, unit.of) == worst for unit in named)
        assert worst < 1 or len(named) == 1


@pytest.mark.parametrize("mine", [Fraction(1, 5), Fraction(3, 14), Estimate(Fraction(1, 5))])
@pytest.mark.parametrize("sides", [2, 3])
def test_a_share_that_is_an_estimate_is_never_the_same_as_another(mine: Fraction, sides: int) -> None:
    words = language("en")
    losses = [mine, *[Estimate(Fraction(1, 5))] * (sides - 1)]
    (fact,) = losses_fact(words, losses, [0], ())
    assert fact.kind.endswith("lost_alike")
    share = fact.fields["share"]
    assert isinstance(share, Fraction) and words.share(share) == "about a fifth"


def test_an_estimate_is_about_the_nearest_simple_share() -> None:
    words = language("en")
    shares = [words.share(Estimate(Fraction(*parts))) for parts in ((1, 2), (1, 7), (1, 20), (1, 80), (1, 1))]
    assert shares == ["about half", "about a sixth", "about a twentieth", "hardly anything", "all"]
    (fact,) = losses_fact(words, [Fraction(1, 4), Estimate(Fraction(1, 5))], [0], ())
    assert (fact.kind, words.share(fact.fields["rivals_share"])) == ("lost_both", "about a fifth")  # type: ignore[arg-type]


@given(st.fractions(0, 1, max_denominator=60).filter(lambda share: 0 < share < 1), st.booleans())
def test_reports_and_stories_have_the_same_words_for_a_loss(share: Fraction, is_rough: bool) -> None:
    """A twentieth was "hardly any" in a report."""
    exact = language("en").share(Estimate(share) if is_rough else share)
    assert share_words(share, is_rough=is_rough) == exact
    assert catalogue_of("de").text(exact) == language("de").share(Estimate(share) if is_rough else share)


def test_losses_rounded_to_the_whole_strength_are_not_all_of_it() -> None:
    nearly, every = Fraction(107, 110), Fraction(1)
    for share, kind in ((nearly, "lost_one_counted"), (every, "lost_all_counted")):
        assert counted_losses([0], [(0, 8), (8, 8)], [Fraction(0), share]).kind == kind
        assert counted_losses([1], [(0, 8), (8, 8)], [Fraction(0), share]).kind.startswith("lost_winner")
