"""OpenSpiel's generic tests, on the game of each rule set; skipped where OpenSpiel is missing."""

from __future__ import annotations

import pytest

from cardbattle.rules import RULE_SETS

pyspiel = pytest.importorskip("pyspiel")

from cardbattle.environments.open_spiel import short_name  # noqa: E402  after the skip


@pytest.mark.parametrize("key", RULE_SETS)
def test_open_spiel_accepts_the_game(key: str) -> None:
    game = pyspiel.load_game(short_name(key), {"deals": 20})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("key", ["wargame", "field-of-honour"])
def test_a_clone_goes_on_by_itself(key: str) -> None:
    state = pyspiel.load_game(short_name(key)).new_initial_state()
    state.apply_action(3)
    clone = state.clone()
    before = [str(state), *(state.information_state_string(player) for player in (0, 1))]
    while not clone.is_terminal():
        clone.apply_action(clone.legal_actions()[-1])
    assert [str(state), *(state.information_state_string(player) for player in (0, 1))] == before
    assert sum(clone.returns()) == 0


def test_the_same_deal_is_the_same_battle() -> None:
    game = pyspiel.load_game("cardbattle_field_of_honour")
    texts = set()
    for deal in (4, 4, 5):
        state = game.new_initial_state()
        state.apply_action(deal)
        texts.add(state.information_state_string(0) + state.information_state_string(1))
    assert len(texts) == 2
