"""PettingZoo's own tests, on an environment of each rule set; skipped where PettingZoo is missing."""

from __future__ import annotations

import re
from functools import partial

import pytest

from cardbattle.core.errors import UsageError
from cardbattle.rules import RULE_SETS
from tests.support.guides import ROOT

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, render_test, seed_test

from cardbattle.environments.pettingzoo import CardBattleEnv, env

pytestmark = pytest.mark.filterwarnings("ignore")  # it prefers agents that are called player_0


@pytest.mark.parametrize("key", RULE_SETS)
def test_pettingzoo_accepts_the_environment(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(key), num_cycles=200, verbose_progress=False)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_same_seed_gives_the_same_episodes(key: str) -> None:
    seed_test(lambda: env(key), num_cycles=60)


@pytest.mark.parametrize("key", RULE_SETS)
def test_an_episode_ends_with_the_points_of_the_battle(key: str) -> None:
    episode = env(key)
    episode.reset(seed=5)
    total = dict.fromkeys(episode.agents, 0.0)
    for agent in episode.agent_iter(30_000):
        observation, reward, terminated, _, _ = episode.last()
        total[agent] += reward
        action = None if terminated else int(observation["action_mask"].nonzero()[0][-1])
        episode.step(action)
    winners = episode.unwrapped.battle.outcome().winners
    assert sum(total.values()) == pytest.approx(0)
    assert {agent for agent, points in total.items() if points > 0} in (set(winners), set())


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_environment_renders_text(key: str) -> None:
    render_test(partial(env, key))


def test_options_of_the_battle_can_be_given() -> None:
    table = {"rules": "wargame", "house": {"first": "blue"}, "sides": {"red": {}, "blue": {}}}
    battle = CardBattleEnv(table, render_mode="ansi")
    battle.reset(seed=1)
    assert battle.possible_agents == ["red", "blue"]
    assert battle.agent_selection == "blue"
    assert "deploy" in str(battle.render())


def test_an_unknown_rule_set_is_refused() -> None:
    with pytest.raises(UsageError, match='unknown rule set "chess"'):
        env("chess")


def test_an_unknown_render_mode_is_refused() -> None:
    with pytest.raises(UsageError, match='render_mode: write "ansi" or None, got "human"'):
        env("wargame", render_mode="human")


def test_the_example_of_the_guide_runs() -> None:
    guide = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    assert "pettingzoo" in blocks[0]
    scope: dict[str, object] = {}
    exec(blocks[0], scope)
    assert scope["winners"]
