"""The rule set Strategy WAR by Michael A. Coan, also called BrainWar."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.ruleset import Advantage, Policy, RuleSet, Setup
from cardbattle.rules.strategy_war import notation, scene, solver, tactics
from cardbattle.rules.strategy_war.battle import COMMIT, StrategyView, StrategyWar, winner_of
from cardbattle.rules.strategy_war.options import HOUSE, OPTIONS, TIEBREAKS, rank_text, read_rank

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.core.battle import Battle, Event, View
    from cardbattle.core.chance import RandomSource
    from cardbattle.core.telling import Block, Parts, Plot, Tale


class StrategyWarRules(RuleSet):
    """The rule set Strategy WAR."""

    key = "strategy-war"
    alias = "brainwar"
    name = "Strategy WAR"
    code = "SW"
    credit = "Strategy WAR (BrainWar) by Michael A. Coan, COAN.NET"
    aim = (
        "In each round, every side plays a card in secret. Equal cards cancel each other out, and the "
        "highest card left wins the values of all cards played (J counts 11, Q 12, K 13, A 14). The side "
        "with the most points wins the battle."
    )
    credit_reports = True
    default_sides = ("p1", "p2", "p3", "p4", "p5")
    fewest = 2
    most = 10
    house = HOUSE
    options = OPTIONS
    reasons = {
        "most-points": "most points",
        "tiebreak": "on the tiebreak",
        "shared": "equal points",
    }
    forms = ("commit CARD", "timeout")
    facts = {
        "card": "card",
        "cards": "cards",
        "pooled": "cards",
        "sacrificed": "cards",
        "winner": "side",
        "winners": "sides",
        "timed_out": "sides",
    }
    view_fields = {
        "round": "",
        "rounds": "",
        "hand": "cards",
        "pool": "cards",
        "hands": "piles",
        "sizes": "",
        "scores": "",
        "carry": "",
        "history": "piles",
    }
    advantage = Advantage(Fraction(1, 2), {"cards": ["J"]}, 6)
    package = "cardbattle.rules.strategy_war"
    lessons = scene.LESSONS
    conditions = scene.CONDITIONS
    standing_examples = ("commit ahead: 2 | 3 | 4", "commit waiting behind: A | K | Q")
    iterations = {"veteran": 400}
    random_rivals = 90
    sealed = (COMMIT,)
    rounds = ("won", "rolled_over")
    place_words = {"round_begun": "round {round}"}
    step_words = {"committed": "card", "revealed": "the reveal", "rolled_over": "the reveal"}

    def redeals_by_view(self, setup: Setup) -> bool:
        """Return False for a dark battle, because a redeal then starts from the true history (SW-19)."""
        return setup.house["mode"] != "dark"

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        battle = StrategyWar()
        rounds = setup.house["rounds"]
        assert isinstance(rounds, int)
        battle.begin(
            [setup.cards(seat, "cards") for seat in range(len(setup.seats))],
            random_source,
            rounds,
            setup.house["mode"] == "dark",
            TIEBREAKS.index(str(setup.house["tiebreak"])),
            bool(setup.house["auto_last"]),
        )
        return battle

    def plot(self, setup: Setup, events: Sequence[Event]) -> Plot:
        from cardbattle.rules.strategy_war import story  # loaded only when a story is written

        return story.plot(setup, events)

    def losses_by_place(self, setup: Setup, battle: Battle, side: int) -> list[tuple[int, int]]:
        """Return a pair (value lost, value) for each card that the side played (SW-22).

        The last pair is for all cards that the side did not play.
        """
        assert isinstance(battle, StrategyWar)
        places: list[tuple[int, int]] = []
        carried: list[int] = []
        for number, sealed in enumerate(battle.history):
            value, winner = abs(sealed[side]), winner_of(sealed)
            places.append((value, value))
            carried.append(number)
            if winner == side:
                for won_back in carried:
                    places[won_back] = (0, places[won_back][1])
            carried = carried if winner == NOBODY else []
        return [*places, (0, sum(battle.hands[side]))]

    def tally(self, setup: Setup) -> tuple[str, int]:
        rounds = setup.house["rounds"]
        assert isinstance(rounds, int)
        longest = max(len(cards) for side in setup.sides if isinstance(cards := side["cards"], list))
        return "round", min(rounds, longest)

    @property
    def regular(self) -> Policy:
        return tactics.commit

    def best_play(self, battle: Battle) -> list[int]:
        """Return the exact value of a duel for each side, if few cards are left."""
        assert isinstance(battle, StrategyWar)
        return solver.worths(battle) if solver.can_solve(battle) else []

    def option_values(self, battle: Battle) -> list[int]:
        """Return the exact value of each card against equilibrium play in a duel, if few cards are left."""
        assert isinstance(battle, StrategyWar)
        return solver.card_worths(battle) if solver.can_solve(battle) else []

    def choice_text(self, battle: Battle, choice: int) -> str:
        return notation.choice_text(choice)

    def why_not(self, battle: Battle, text: str) -> str:
        return notation.why_not(text)

    def cards_in(self, battle: Battle) -> list[int]:
        assert isinstance(battle, StrategyWar)
        played = [abs(card) for sealed in battle.history for card in sealed if card]
        return played + [card for hand in battle.hands for card in hand]

    def tale(self, setup: Setup) -> Tale:
        return notation.StrategyTale(self, len(setup.seats))

    def scene(self, view: View) -> list[Block]:
        assert isinstance(view, StrategyView)
        return scene.scene(view)

    def true_conditions(self, view: View) -> list[str]:
        assert isinstance(view, StrategyView)
        return scene.true_conditions(view)

    def possible_conditions(self, house: Mapping[str, object]) -> Mapping[str, str]:
        return scene.possible_conditions(dark=house["mode"] == "dark")

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        return scene.public_scene([view for view in views if isinstance(view, StrategyView)])

    def hand(self, view: View) -> Parts:
        assert isinstance(view, StrategyView)
        return scene.hand(view)

    def read_card(self, text: object, pile: str) -> int:
        return read_rank(text)

    def card_text(self, card: int, pile: str = "") -> str:
        """Return a rank in the notation of records, or `-` if no card was played."""
        return rank_text(card) if card else "-"


RULES = StrategyWarRules()
