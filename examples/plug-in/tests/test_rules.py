"""Check the numbered rules of Push of Pike. The laws in test_conformance.py do not know them."""

from push_of_pike import RULES
from push_of_pike.battle import PushOfPike

from cardbattle.plugin import rank_of
from cardbattle.testing import trials


def test_the_higher_card_wins_a_push_and_more_pushes_win_the_battle() -> None:
    """Count the pushes again from the played cards (PP-4, PP-5, PP-6)."""
    for trial in trials(RULES):
        battle = trial.fight().battle
        assert isinstance(battle, PushOfPike)
        won = [0, 0]
        for first, second in zip(battle.played[::2], battle.played[1::2], strict=True):
            won[0] += rank_of(first) > rank_of(second)
            won[1] += rank_of(second) > rank_of(first)
        assert [battle.score(seat) for seat in (0, 1)] == won
        assert battle.outcome().winners == [seat for seat in (0, 1) if won[seat] > won[1 - seat]]
