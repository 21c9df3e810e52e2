"""The rule set Wargame by Dave Ross."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import Diagnostic
from cardbattle.core.ruleset import MILLION, Advantage, Policy, RuleSet, Setup
from cardbattle.rules.wargame import notation, scene, solver, tactics
from cardbattle.rules.wargame.battle import (
    DENOUNCE,
    DEPLOY,
    FOUR_ADJACENT,
    PLACES,
    RESIGNED,
    SEVEN_BATTLES,
    SWITCH,
    TRAITOR,
    Wargame,
    WargameView,
)
from cardbattle.rules.wargame.options import HOUSE, OPTIONS, read_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.battle import Battle, Event, View
    from cardbattle.core.chance import Chance, RandomSource
    from cardbattle.core.telling import Block, Parts, Plot, Tale


class WargameRules(RuleSet):
    """The rule set Wargame."""

    key = "wargame"
    name = "Wargame"
    code = "WG"
    credit = "Wargame by Dave Ross, 2011"
    aim = (
        "Each side lays out a line of numbered cards, which attack the cards opposite. The stronger card "
        "wins the space between them: the higher number, but 1 and 2 beat 12 and 13. The first side to win "
        "seven battles, or four adjacent spaces, wins."
    )
    default_sides = ("brown", "green")
    house = HOUSE
    options = OPTIONS
    can_be_drawn = False
    loss_parts = 13
    reasons = {
        SEVEN_BATTLES: "seven battles won",
        FOUR_ADJACENT: "four adjacent battles won",
        RESIGNED: "the other side resigned",
    }
    forms = (
        "deploy CARD PLACE",
        "traitor CARD",
        "switch PLACE PLACE",
        "hold",
        "advance PLACE",
        "denounce",
        "silent",
        "resign",
    )
    score_word = "battles"
    facts = {
        "card": "card",
        "against": "card",
        "cards": "cards",
        "lines": "piles",
        "results": "sides",
        "attacker": "side",
        "winners": "sides",
    }
    view_fields = {
        "places": "",
        "majority": "",
        "first": "side",
        "hand": "piles",
        "line": "piles",
        "holder": "sides",
        "won": "",
        "chips": "",
        "traitors": "piles",
        "traitor": "card",
        "spent": "",
        "attacker": "side",
        "place": "place",
        "zone": "piles",
    }
    advantage = Advantage(Fraction(1, 2), {"army": [13]}, 6)
    package = "cardbattle.rules.wargame"
    lessons = scene.LESSONS
    lots = scene.LOTS
    unordered = ("switch",)
    conditions = scene.CONDITIONS
    standing_examples = (
        "deploy: deploy 13 1 | deploy 12 13",
        "traitor: 9 | 8 | 7",
        "denounce behind: denounce",
    )
    iterations = {"veteran": 24, "elite": 250}
    blind = (TRAITOR,)
    unreported = (TRAITOR,)
    rounds = ("checked", "won")
    place_words = {"deployed": "deployment", "checked": "the lines", "battle_begun": "fight {number}"}
    step_words = {
        "deployed": "card",
        "checked": "the match-ups",
        "traitor_chosen": "Traitor card",
        "switched": "switch",
        "held": "hold",
        "advanced": "attack",
        "denounced": "denunciation",
        "kept_silent": "silence",
        "won": "the result",
    }
    sealed = (TRAITOR,)
    repeated = (DEPLOY,)
    revealing = (DENOUNCE,)

    def default_answer(self, battle: Battle) -> str:
        return "silent" if battle.question == DENOUNCE else ""

    def implied_answer(self, battle: Battle) -> str:
        return "hold" if battle.question == SWITCH else ""

    def check(self, setup: Setup) -> list[Diagnostic]:
        """Return an error if a side has the same Traitor card twice (WG-38)."""
        errors = []
        for seat, key in enumerate(setup.seats):
            traitors = setup.cards(seat, "traitors")
            twice = [card for card in dict.fromkeys(traitors) if traitors.count(card) > 1]
            errors += [
                Diagnostic(
                    f"expected each Traitor card at most once, got {card} twice",
                    at=("sides", key, "traitors"),
                )
                for card in twice
            ]
        return errors

    def choose_random_house_rules(self, setup: Setup, chance: Chance) -> None:
        """Choose at random which side deploys first (WG-7)."""
        if setup.house["first"] is None:
            setup.house["first"] = setup.seats[chance.below(2)]

    def redeals_by_view(self, setup: Setup) -> bool:
        """Return True, because every redeal depends only on the viewer's knowledge."""
        return True

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        chips = [side["chips"] if side["chips"] is not None else setup.house["chips"] for side in setup.sides]
        battle = Wargame()
        battle.begin(
            [setup.cards(0, "army"), setup.cards(1, "army")],
            random_source,
            setup.seat(setup.house["first"]),
            [int(str(count)) for count in chips],
            [setup.cards(seat, "traitors") if setup.house["traitors"] else [] for seat in range(2)],
            bool(setup.house["multi_switch"]),
        )
        return battle

    def plot(self, setup: Setup, events: Sequence[Event]) -> Plot:
        from cardbattle.rules.wargame import story  # loaded only when a story is written

        return story.plot(setup, events)

    def losses_by_place(self, setup: Setup, battle: Battle, side: int) -> list[tuple[int, int]]:
        """Return a pair (lost, total) for each space.

        The pair is (1, 1) if the side lost the battle for the space, and otherwise (0, 1) (WG-36, WG-39).
        """
        assert isinstance(battle, Wargame)
        lost = [NOBODY, 1 - side] if battle.resigned == side else [1 - side]
        return [(int(holder in lost), 1) for holder in battle.holder]

    def next_house(self, setup: Setup, winners: list[int]) -> dict[str, object]:
        """Return the house rules for the next battle of a series. The loser deploys first (WG-7)."""
        return {"first": setup.seats[1 - winners[0]]} if len(winners) == 1 else {}

    def solution(self, battle: Battle) -> list[int]:
        """If the battle can be solved, return 1 for each best option, and 0 for all other options.

        The best options are those after which the side can still force a win. If it cannot win, all options
        are equally good.
        """
        assert isinstance(battle, Wargame)
        if not solver.can_solve(battle):
            return []
        best = solver.solve(battle).best
        return [int(index in best) for index in range(len(battle.options))]

    def best_play(self, battle: Battle) -> list[int]:
        """If the battle can be solved, return MILLION for the winner under best play, and 0 for the loser."""
        assert isinstance(battle, Wargame)
        if not solver.can_solve(battle):
            return []
        winner = solver.solve(battle).winner
        return [MILLION * (side == winner) for side in (0, 1)]

    def option_values(self, battle: Battle) -> list[int]:
        """If the battle can be solved, return MILLION for each option that wins under best play.

        All other options have the value 0.
        """
        assert isinstance(battle, Wargame)
        if not solver.can_solve(battle):
            return []
        solution = solver.solve(battle)
        is_won = solution.winner == battle.side
        return [MILLION * (is_won and index in solution.best) for index in range(len(battle.options))]

    def cards_in(self, battle: Battle) -> list[int]:
        assert isinstance(battle, Wargame)
        return [card for cards in (*battle.hand, *battle.line, *battle.zone) for card in cards if card]

    def tally(self, setup: Setup) -> tuple[str, int]:
        return "battle", PLACES

    @property
    def regular(self) -> Policy:
        return tactics.decide

    def choice_text(self, battle: Battle, choice: int) -> str:
        return notation.choice_text(battle.question, choice)

    def why_not(self, battle: Battle, text: str) -> str:
        assert isinstance(battle, Wargame)
        return notation.why_not(battle, text)

    def tale(self, setup: Setup) -> Tale:
        return notation.WargameTale(self, len(setup.seats))

    def scene(self, view: View) -> list[Block]:
        assert isinstance(view, WargameView)
        return scene.scene(view)

    def true_conditions(self, view: View) -> list[str]:
        assert isinstance(view, WargameView)
        return scene.true_conditions(view)

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        return scene.public_scene([view for view in views if isinstance(view, WargameView)])

    def hand(self, view: View) -> Parts:
        assert isinstance(view, WargameView)
        return scene.hand(view)

    def read_card(self, text: object, pile: str) -> int:
        return read_number(text)

    def card_text(self, card: int, pile: str = "") -> str:
        return str(card)

    def fact(self, name: str, value: object, seats: list[str]) -> object:
        """Return the value of an event's field as JSON. Cards are whole numbers, as in files."""
        if self.facts.get(name) in ("card", "cards", "piles"):
            return value
        return super().fact(name, value, seats)


RULES = WargameRules()
