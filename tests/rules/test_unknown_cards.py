"""Redeals of battles with real cards, in which some cards are UNKNOWN because no player has seen them."""

from __future__ import annotations

from contextlib import suppress

import pytest

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.chance import Chance
from cardbattle.core.errors import IllegalMove
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.rules import find
from cardbattle.testing import Trial, complete, setups
from cardbattle.testing.contents import count_cards
from cardbattle.testing.trial import refought

WITH_UNKNOWN_CARDS = ("field-of-honour", "warmonger", "warfare-tactics")


def shortened(rules: RuleSet, setup: Setup, chance: Chance) -> Setup:
    """Return a setup with some cards at the end of each pile UNKNOWN."""
    table = setup.copy()
    for pile, cards in table.deal.items():
        table.deal[pile] = cards[: len(cards) - chance.below(min(4, len(cards) + 1))]
    rules.deal_unknown(table)
    return table


def check_redeals(trial: Trial) -> int:
    """Check the redeals at each question of a battle until a move needs an UNKNOWN card, and count them."""
    rules, chance = trial.rules, trial.chance("redeals")
    fought = trial.fight()
    whole = count_cards(rules, fought.battle)
    checked = []

    def watch(referee: Referee) -> None:
        battle = referee.battle
        if UNKNOWN not in rules.cards_in(battle) or chance.below(8):
            return
        state = battle.state()
        for viewer in (None, NOBODY, *trial.seats):
            again = battle.complete_copy(chance) if viewer is None else battle.redeal(viewer, chance)
            assert count_cards(rules, again) == whole
            checked.append(viewer)
        assert battle.state() == state

    with suppress(IllegalMove):
        refought(rules, shortened(rules, trial.setup, chance), fought.moves, watch=watch)
    return len(checked)


@pytest.mark.parametrize("key", WITH_UNKNOWN_CARDS)
def test_redeals_replace_unknown_cards_with_the_missing_cards(key: str) -> None:
    rules = find(key)
    setup = setups(rules)[0]
    assert sum(check_redeals(Trial(rules, complete(rules, setup, seed), seed)) for seed in range(4)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("key", WITH_UNKNOWN_CARDS)
def test_redeals_replace_unknown_cards_in_every_setup(key: str) -> None:
    rules = find(key)
    checked = [
        check_redeals(Trial(rules, complete(rules, setup, seed), seed, regular=seed % 2 == 0))
        for setup in setups(rules)
        for seed in range(3)
    ]
    assert sum(checked) > 100
