"""Losses in words: a phrase that compares sides appears only if the shares support it."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cardbattle.core.telling import Name
from cardbattle.story.language import language
from cardbattle.story.losses import losses_fact

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
