"""The rule set Field of Honour, a rapid play battlefield card game by an unknown author."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.core.ruleset import Advantage, Policy, RuleSet, Setup
from cardbattle.rules.field_of_honour import (
    dealing,
    knowledge,
    notation,
    scene,
    seasoned,
    tactics,
)
from cardbattle.rules.field_of_honour.battle import (
    COUNTER,
    DRAWN,
    OPEN,
    PLACE,
    SPACES,
    FieldOfHonour,
    FieldView,
    Readings,
)
from cardbattle.rules.field_of_honour.options import HOUSE, OPTIONS, read_pack_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.battle import Battle, Event, View
    from cardbattle.core.chance import Chance, RandomSource
    from cardbattle.core.errors import Diagnostic
    from cardbattle.core.ruleset import Lesson
    from cardbattle.core.telling import Block, Parts, Plot, Tale


class FieldOfHonourRules(RuleSet):
    """The rule set Field of Honour."""

    key = "field-of-honour"
    name = "Field of Honour"
    code = "FH"
    credit = "Field of Honour - Rapid Play Battlefield Card Game, version 1, January 2007; author unknown"
    aim = (
        "Each side lays a line of cards in secret, and the sides fight for one space after the other. The "
        "higher total wins a space (J, Q, K and A count 10, a Joker 15); special cards from the hand can "
        "change it. The side that wins more spaces wins the battle."
    )
    default_sides = ("north", "south")
    house = HOUSE
    options = OPTIONS
    loss_parts = 5
    reasons = {"more-spaces": "more spaces held", "level": "both hold equally many spaces"}
    forms = (
        "pick CARD",
        "place CARD",
        "place CARD+CARD",
        "pass",
        *(f"begin {end}" for end in notation.ENDS.values()),
        *(f"play CARD {power}" for power in notation.POWER_WORDS.values()),
        "fate discard CARD",
    )
    facts = {
        "card": "card",
        "cards": "cards",
        "came": "cards",
        "sent": "cards",
        "contents": "piles",
        "attached": "piles",
        "dealer": "side",
        "opposite": "side",
        "holder": "side",
        "winners": "sides",
    }
    view_fields = {
        "first": "side",
        "space": "",
        "hand": "cards",
        "drawn": "cards",
        "line": "piles",
        "values": "",
        "attached": "piles",
        "shown": "",
        "sizes": "",
        "enemy_hand": "",
        "enemy_cards": "cards",
        "enemy_line": "piles",
        "enemy_values": "",
        "enemy_attached": "piles",
        "enemy_shown": "",
        "begun_with": "",
        "holders": "sides",
        "stack": "",
        "discards": "cards",
    }
    advantage = Advantage(Fraction(1, 2), {"extra": ["10"]}, 4)
    package = "cardbattle.rules.field_of_honour"
    lessons = scene.LESSONS
    letters = {"N": "the side that does not deal", "D": "the dealer"}
    lots = scene.LOTS
    conditions = scene.CONDITIONS
    standing_examples = ("special behind: play JS | play KH", "special space 1: pass")
    iterations = {"veteran": 300}
    sealed = (PLACE,)
    revealing = (OPEN, COUNTER, DRAWN)
    blind = (PLACE,)
    rounds = ("settled",)
    place_words = {"dealt": "the deal", "lined_up": "the lines", "revealed": "space {space}"}
    step_words = {
        "picked": "pick",
        "placed": "card",
        "begun": "the choice of the end",
        "revealed": "the reveal",
        "played": "special",
        "passed": "pass",
        "settled": "the result",
    }
    shows = scene.SHOWS

    def check(self, setup: Setup) -> list[Diagnostic]:
        return dealing.check(setup)

    def choose_random_house_rules(self, setup: Setup, chance: Chance) -> None:
        """If the house rules do not name the dealer, choose the dealer at random (FH-4)."""
        if setup.house["dealer"] is None:
            setup.house["dealer"] = setup.seats[chance.below(2)]

    def piles(self, setup: Setup) -> list[str]:
        return [*setup.seats, dealing.STACK]

    def deal(self, setup: Setup, chance: Chance) -> None:
        dealing.deal(setup, chance)

    def without_secrets(self, setup: Setup, seat: int) -> Setup:
        visible_setup = super().without_secrets(setup, seat)
        dealing.hide(visible_setup, seat)
        return visible_setup

    def deal_unknown(self, setup: Setup) -> None:
        dealing.lay_out(setup)

    def guess_deal(self, setup: Setup) -> None:
        """Complete the deal with the lowest cards in the hands, so that any two fit in a space (FH-7)."""
        dealing.deal_lowest(setup)

    def default_answer(self, battle: Battle) -> str:
        return "pass" if battle.question in (OPEN, COUNTER, DRAWN) else ""

    def redeals_by_view(self, setup: Setup) -> bool:
        """Return True, because every redeal depends only on the viewer's knowledge."""
        return True

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        battle = FieldOfHonour()
        battle.begin(
            1 - setup.seat(setup.house["dealer"]),
            dealing.extras(setup),
            [setup.whole(seat, "pick") for seat in dealing.SEATS],
            [setup.whole(seat, "hand") for seat in dealing.SEATS],
            dealing.pack_of(setup),
            random_source,
            setup.house["pack"] is not None,
            Readings(
                setup.house["order"] == "chosen",
                setup.house["answers"] == "one",
                setup.house["drawn_specials"] == "both",
                setup.house["redeploy"] == "either",
            ),
        )
        return battle

    def dealt(self, battle: Battle, setup: Setup) -> dict[str, list[int]]:
        """Return the deal, including the cards that the sides picked.

        If the cards are not dealt yet, return the deal that the setup plans.
        """
        assert isinstance(battle, FieldOfHonour)
        if not battle.dealt:
            return setup.deal
        return dict(zip(self.piles(setup), battle.dealt, strict=True))

    def next_house(self, setup: Setup, winners: list[int]) -> dict[str, object]:
        """Return the house rules for the next battle of a series: the other side deals (FH-4, FH-37)."""
        return {"dealer": setup.seats[1 - setup.seat(setup.house["dealer"])]}

    def losses_by_place(self, setup: Setup, battle: Battle, side: int) -> list[tuple[int, int]]:
        """Return a pair (lost, total) for each space.

        The pair is (1, 1) if the enemy holds the space, and otherwise (0, 1) (FH-41).
        """
        assert isinstance(battle, FieldOfHonour)
        lost = [int(holder == 1 - side) for holder in battle.holders]
        return [(number, 1) for number in [*lost, *[0] * (SPACES - len(lost))]]

    def tally(self, setup: Setup) -> tuple[str, int]:
        return "space", SPACES

    @property
    def regular(self) -> Policy:
        return tactics.choose

    @property
    def seasoned(self) -> Policy:
        return seasoned.choose

    def plausible_battle(self, battle: Battle, viewer: int, chance: Chance) -> Battle:
        assert isinstance(battle, FieldOfHonour)
        return knowledge.plausible_deal(battle, viewer, chance)

    def cards_in(self, battle: Battle) -> list[int]:
        assert isinstance(battle, FieldOfHonour)
        piles = [*battle.hands, *battle.spaces, *battle.attached, battle.pack, battle.stack, battle.discards]
        return [card for pile in piles for card in pile]

    def choices_from_cards(self, setup: Setup) -> list[list[str]]:
        """Return for each side the choices that follow from the cards given in the setup.

        These are the choices of cards that the side picks before the deal (FH-40).
        """
        return [
            [f"pick {self.card_text(card)}" for card in dealing.pick_cards(setup, seat)]
            for seat in dealing.SEATS
        ]

    def choice_text(self, battle: Battle, choice: int) -> str:
        assert isinstance(battle, FieldOfHonour)
        return notation.choice_text(battle, choice)

    def fate_text(self, kind: int, side: int, seats: list[str]) -> str:
        return "discard"

    def why_not(self, battle: Battle, text: str) -> str:
        assert isinstance(battle, FieldOfHonour)
        return notation.why_not(battle, text)

    def tale(self, setup: Setup) -> Tale:
        return notation.FieldTale(self, len(setup.seats))

    def plot(self, setup: Setup, events: Sequence[Event]) -> Plot:
        from cardbattle.rules.field_of_honour import story  # loaded only when a story is written

        return story.plot(events)

    def lesson(self, view: View) -> Lesson | None:
        assert isinstance(view, FieldView)
        return scene.lesson(view)

    def scene(self, view: View) -> list[Block]:
        assert isinstance(view, FieldView)
        return scene.scene(view)

    def true_conditions(self, view: View) -> list[str]:
        assert isinstance(view, FieldView)
        return scene.true_conditions(view)

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        return scene.public_scene([view for view in views if isinstance(view, FieldView)])

    def hand(self, view: View) -> Parts:
        assert isinstance(view, FieldView)
        return scene.hand(view)

    def read_card(self, text: object, pile: str) -> int:
        return read_pack_card(text)

    def fact(self, name: str, value: object, seats: list[str]) -> object:
        """Return the value of an event's field as JSON, with powers and questions as text."""
        if name == "power" and isinstance(value, int):
            return notation.POWER_WORDS[value]
        if name == "question" and isinstance(value, int):
            return notation.QUESTION_WORDS[value]
        return super().fact(name, value, seats)


RULES = FieldOfHonourRules()
