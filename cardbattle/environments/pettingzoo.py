"""Provide a PettingZoo environment (AEC) for each rule set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

import cardbattle
from cardbattle.core.errors import UsageError
from cardbattle.core.names import quoted
from cardbattle.core.stepping import SteppedBattle
from cardbattle.environments.encoding import LEAST, MOST, Layout, rewards

SEEDS = 2**53


def env(
    battle: str | Mapping[str, Any] = "wargame", *, scale: int = 1, render_mode: str | None = None
) -> Any:
    """Return an environment with the checks that PettingZoo recommends.

    `battle` is the key of a rule set, or a dictionary with the content of a battle file without the key
    `seed`. The rule set must not come from a plug-in. `scale` multiplies the number of slots for cards in an
    observation. Use it for battles with more cards than usual. The render mode `ansi` lets `render` return
    text. Raises InvalidInput if the rule set has no environment, and UsageError for another render mode.
    """
    raw = CardBattleEnv(battle, scale=scale, render_mode=render_mode)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw))


class CardBattleEnv(AECEnv):  # type: ignore[misc]
    """A PettingZoo environment for one battle.

    The names of the agents are the keys of the sides. Action n chooses option n, counted from 0.

    After `reset`, the attribute `battle` has the same type as the result of `cardbattle.battle`. The texts of
    the options are in `env.unwrapped.battle.options`. Search programs can use the methods `redeal`, `copy`
    and `events_since` of the battle.
    """

    metadata = {"name": "cardbattle_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self, battle: str | Mapping[str, Any] = "wargame", *, scale: int = 1, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise UsageError(f'render_mode: write "ansi" or None, got {quoted(render_mode)}')
        self.described = battle
        self.render_mode = render_mode
        self.battle = self.begin(1)
        self.layout = Layout(self.battle.rules, len(self.battle.seats), scale)
        self.possible_agents = list(self.battle.seats)
        self.agents: list[str] = []
        observation = Dict(
            {
                "observation": Box(LEAST, MOST, (self.layout.width,), np.int16),
                "action_mask": Box(0, 1, (self.layout.actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = {agent: Discrete(self.layout.actions) for agent in self.possible_agents}
        self.random, _ = seeding.np_random(None)

    def begin(self, seed: int) -> SteppedBattle:
        """Deal the cards of a new battle, and return the battle."""
        return cardbattle.battle(self.described, seed=seed)

    def observation_space(self, agent: str) -> Any:
        """Return the space of the observations that a side can make."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of the actions that a side can take."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new battle.

        The same seed always gives the same battle. If the method is called again without a seed, the sequence
        of battles is also always the same.
        """
        if seed is not None:
            self.random, _ = seeding.np_random(seed)
        self.battle = self.begin(int(self.random.integers(SEEDS)))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.battle.side or self.agents[0]
        if self.battle.side is None:
            self.end()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of a side, and the mask of the actions that the side can take now."""
        return {
            "observation": np.array(self.layout.observe(self.battle, agent), np.int16),
            "action_mask": np.array(self.layout.mask(self.battle, agent), np.int8),
        }

    def step(self, action: int | None) -> None:
        """Choose an option for the side that must choose.

        Raises a CardbattleError if `action` is not the number of an option.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.battle.choose(int(action))
        self._cumulative_rewards[agent] = 0.0
        if self.battle.side is None:
            self.end()
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self._clear_rewards()
            self.agent_selection = self.battle.side

    def end(self) -> None:
        """Set the rewards of all sides, and end the episode."""
        self.rewards = rewards(self.battle.seats, self.battle.outcome().winners)
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """Return the question and the scores as text. The render mode must be `ansi`."""
        if self.render_mode != "ansi":
            return None
        scores = ", ".join(f"{key} {score}" for key, score in self.battle.scores.items())
        asked = f"{self.battle.side}: {', '.join(self.battle.options)}" if self.battle.side else "over"
        return f"{scores}; {asked}"

    def close(self) -> None:
        """Do nothing. The environment has no resources to close."""
