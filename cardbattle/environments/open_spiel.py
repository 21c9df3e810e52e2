"""Register an OpenSpiel game for each rule set, under names such as `cardbattle_wargame`.

The only chance node of a game chooses one of `deals` deals. The number of the deal is the seed of the battle,
which determines all later random events too. Therefore the game tree contains only a sample of the possible
deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel

import cardbattle
from cardbattle.core.errors import InvalidInput
from cardbattle.core.stepping import SteppedBattle
from cardbattle.environments.encoding import EMPTY, SIZES, Layout, rewards
from cardbattle.rules import find

DEALS = 1000
CHANCE, TERMINAL = pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL


def short_name(key: str) -> str:
    """Return the name under which OpenSpiel knows the game of a rule set."""
    return f"cardbattle_{key.replace('-', '_')}"


def game_type(key: str) -> Any:
    """Return the description of a rule set's game that OpenSpiel needs."""
    sides = len(find(key).default_sides)
    return pyspiel.GameType(
        short_name=short_name(key),
        long_name=f"{find(key).name} (cardbattle)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=sides,
        min_num_players=sides,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"deals": DEALS},
        provides_factored_observation_string=False,
    )


class CardBattleGame(pyspiel.Game):  # type: ignore[misc]
    """The OpenSpiel game of one rule set, with the default sides and the default options."""

    key = ""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.deals = int((params or {}).get("deals", DEALS))
        rules = find(self.key)
        sides = len(rules.default_sides)
        self.layout = Layout(rules, sides)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.layout.actions,
            max_chance_outcomes=self.deals,
            num_players=sides,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.layout.decisions,
        )
        super().__init__(game_type(self.key), info, {"deals": self.deals})

    def new_initial_state(self) -> CardBattleState:
        """Return the state before the deal."""
        return CardBattleState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CardBattleObserver:
        """Return an object that observes states for one side.

        If `iig_obs_type` requires perfect recall, an observation includes all events that the side has
        seen.
        """
        if params:
            raise ValueError(f"there are no parameters of observations; leave out {params}")
        remembers = iig_obs_type is not None and iig_obs_type.perfect_recall
        return CardBattleObserver(self.layout, remembers)


class Position:
    """A battle, and the text of all events that each side has seen so far."""

    def __init__(self, battle: SteppedBattle, seen: Mapping[str, Sequence[str]]) -> None:
        self.battle = battle
        self.seen = {side: list(texts) for side, texts in seen.items()}

    def __deepcopy__(self, memo: object) -> Position:
        """Return an independent copy. OpenSpiel copies states with `deepcopy`."""
        return Position(self.battle.copy(), self.seen)

    def seen_by(self, side: str) -> list[str]:
        texts = self.seen.setdefault(side, [])
        texts += [str(event) for event in self.battle.events_since(len(texts), side)]
        return texts


class CardBattleState(pyspiel.State):  # type: ignore[misc]
    """A state of the game, which is a battle in progress or the chance node before the deal."""

    def __init__(self, game: CardBattleGame) -> None:
        super().__init__(game)
        self.key = game.key
        self.sides = game.layout.sides
        self.deals = game.deals
        self.position: Position | None = None

    @property
    def battle(self) -> SteppedBattle:
        """The battle, which has the type that `cardbattle.battle` returns.

        Raises InvalidInput if the cards have not been dealt yet.
        """
        if self.position is None:
            raise InvalidInput("the battle has not been dealt; apply the action of the chance node first")
        return self.position.battle

    def current_player(self) -> Any:
        """Return the seat that must choose."""
        if self.position is None:
            return CHANCE
        return TERMINAL if self.battle.side is None else self.battle.seats.index(self.battle.side)

    def is_terminal(self) -> bool:
        return self.position is not None and self.battle.side is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return pairs of the number of a deal and its probability. All probabilities are equal."""
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _legal_actions(self, player: int) -> list[int]:
        """Return the numbers of the options that the player can choose."""
        return list(range(len(self.battle.options)))

    def _apply_action(self, action: int) -> None:
        """Deal the cards, or choose an option."""
        if self.position is None:
            self.position = Position(cardbattle.battle(self.key, seed=action), {})
        else:
            self.battle.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the text of the option or the deal with the number `action`."""
        return f"deal {action}" if self.position is None else self.battle.options[action]

    def returns(self) -> list[float]:
        """Return the rewards of all sides. If the battle is not over, all rewards are 0."""
        if not self.is_terminal():
            return [0.0] * self.sides
        return list(rewards(self.battle.seats, self.battle.outcome().winners).values())

    def __str__(self) -> str:
        """Return text with the scores and the side that must choose."""
        return f"{self.battle.scores} {self.battle.side}" if self.position else "before the deal"


class CardBattleObserver:
    """Writes a side's observations (see docs/environments.md) to the array `tensor`."""

    def __init__(self, layout: Layout, remembers: bool) -> None:
        self.layout = layout
        self.remembers = remembers
        self.tensor = np.zeros(layout.width, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CardBattleState, player: int) -> None:
        """Write the observation of a player to the array `tensor`."""
        if state.position is None:
            self.tensor.fill(EMPTY)
        else:
            self.tensor[:] = self.layout.observe(state.battle, state.battle.seats[player])

    def string_from(self, state: CardBattleState, player: int) -> str:
        if state.position is None:
            return "before the deal"
        side = state.battle.seats[player]
        asked = state.battle.options if state.battle.side == side else []
        seen = state.position.seen_by(side) if self.remembers else []
        return f"{side} {seen} {state.battle.view_table(side)} {state.battle.scores} {asked}"


def register(key: str) -> type[CardBattleGame]:
    """Register the game of a rule set with OpenSpiel, and return the class of the game."""
    game = type(f"{key.title().replace('-', '')}Game", (CardBattleGame,), {"key": key})
    pyspiel.register_game(game_type(key), game)
    return game


GAMES = {key: register(key) for key in SIZES}
