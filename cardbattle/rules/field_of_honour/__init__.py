"""Field of Honour, a rapid play battlefield card game; author unknown."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.core.ruleset import Advantage, Policy, RuleSet, Setup
from cardbattle.rules.field_of_honour import dealing, knowledge, learned, notation, scene, seasoned, tactics
from cardbattle.rules.field_of_honour.battle import (
    COUNTER,
    DRAWN,
    OPEN,
    PLACE,
    SPACES,
    FieldOfHonour,
    FieldView,
)
from cardbattle.rules.field_of_honour.options import HOUSE, OPTIONS, read_pack_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.battle import Battle, View
    from cardbattle.core.chance import Chance, Fate
    from cardbattle.core.errors import Diagnostic
    from cardbattle.core.ruleset import Lesson
    from cardbattle.core.telling import Block, Parts, Tale


class FieldOfHonourRules(RuleSet):
    """Field of Honour as the rest of the program knows it."""

    key = "field-of-honour"
    name = "Field of Honour"
    code = "FH"
    credit = "Field of Honour - Rapid Play Battlefield Card Game, version 1, January 2007; author unknown"
    default_sides = ("north", "south")
    house = HOUSE
    options = OPTIONS
    reasons = {"more-spaces": "more spaces held", "level": "both hold as many spaces"}
    forms = (
        "pick CARD",
        "place CARD",
        "place CARD+CARD",
        "pass",
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
    advantage = Advantage(Fraction(1, 2), {"extra": ["10"]}, 4)
    package = "cardbattle.rules.field_of_honour"
    lessons = scene.LESSONS
    letters = {"N": "the side that does not deal", "D": "the dealer"}
    lots = scene.LOTS
    conditions = scene.CONDITIONS
    iterations = {"veteran": 300, "elite": 2000}
    sealed = (PLACE,)
    revealing = (OPEN, COUNTER, DRAWN)
    blind = (PLACE,)
    rounds = ("settled",)
    shows = scene.SHOWS

    def check(self, setup: Setup) -> list[Diagnostic]:
        """Return what does not add up between the options, sides and dealt cards (FH-40)."""
        return dealing.check(setup)

    def cast_lots(self, setup: Setup, chance: Chance) -> None:
        """Let the lot decide who deals, if nobody did (FH-4)."""
        if setup.house["dealer"] is None:
            setup.house["dealer"] = setup.seats[chance.below(2)]

    def piles(self, setup: Setup) -> list[str]:
        """Return the piles of a complete deal: both starting hands and the stack."""
        return [*setup.seats, dealing.STACK]

    def deal(self, setup: Setup, chance: Chance) -> None:
        """Complete the deal from the stream or the stacked pack (FH-3, FH-40)."""
        dealing.deal(setup, chance)

    def without_secrets(self, setup: Setup, seat: int) -> Setup:
        """Return a setup with neither the order of the pack nor the other side's hand and extras in it."""
        known = super().without_secrets(setup, seat)
        dealing.hide(known, seat)
        return known

    def deal_unknown(self, setup: Setup) -> None:
        """Complete the deal with UNKNOWN cards."""
        dealing.lay_out(setup)

    def guess_deal(self, setup: Setup) -> None:
        """Complete the deal with any cards, the lowest in the hands: pairs of them fit any space."""
        dealing.deal_lowest(setup)

    def default_answer(self, battle: Battle) -> str:
        """Return that a side passes, where it is asked for a special."""
        return "pass" if battle.question in (OPEN, COUNTER, DRAWN) else ""

    def start(self, setup: Setup, fate: Fate) -> Battle:
        """Return the battle with its first steps on the agenda, not yet run."""
        battle = FieldOfHonour()
        battle.begin(
            1 - setup.seat(setup.house["dealer"]),
            dealing.extras(setup),
            [setup.whole(seat, "pick") for seat in dealing.SEATS],
            [setup.whole(seat, "hand") for seat in dealing.SEATS],
            dealing.pack_of(setup),
            fate,
            setup.house["pack"] is not None,
        )
        return battle

    def dealt(self, battle: Battle, setup: Setup) -> dict[str, list[int]]:
        """Return the deal with the cards that were picked; before the deal, the one it would be."""
        assert isinstance(battle, FieldOfHonour)
        if not battle.dealt:
            return setup.deal
        return dict(zip(self.piles(setup), battle.dealt, strict=True))

    def next_house(self, setup: Setup, winners: list[int]) -> dict[str, object]:
        """Let the other side deal the next battle of a series (FH-4, FH-37)."""
        return {"dealer": setup.seats[1 - setup.seat(setup.house["dealer"])]}

    def tally(self, setup: Setup) -> tuple[str, int]:
        """Return what players count at a real table, and how many there are at most."""
        return "space", SPACES

    @property
    def regular(self) -> Policy:
        """How a regular commander answers, as the compiled function itself."""
        return tactics.choose

    @property
    def seasoned(self) -> Policy:
        """How a seasoned player answers by rules of thumb, as the compiled function itself."""
        return seasoned.choose

    @property
    def learned(self) -> Policy:
        """How one answers who learned it, as the compiled function itself."""
        return learned.choose

    def plausible_battle(self, battle: Battle, viewer: int, chance: Chance) -> Battle:
        """Return a redealt battle in which a seasoned enemy would have laid what has been seen."""
        assert isinstance(battle, FieldOfHonour)
        return knowledge.plausible_deal(battle, viewer, chance)

    def cards_in(self, battle: Battle) -> list[int]:
        """Return all cards of the battle wherever they lie."""
        assert isinstance(battle, FieldOfHonour)
        piles = [*battle.hands, *battle.spaces, *battle.attached, battle.pack, battle.stack, battle.discards]
        return [card for pile in piles for card in pile]

    def answers_dealt(self, setup: Setup) -> list[list[str]]:
        """Return the picks that the typed-in hands answer already (FH-40)."""
        return [
            [f"pick {self.card_text(card)}" for card in dealing.pick_cards(setup, seat)]
            for seat in dealing.SEATS
        ]

    def choice_text(self, battle: Battle, choice: int) -> str:
        """Return the text of a choice at the question the battle asks now."""
        assert isinstance(battle, FieldOfHonour)
        return notation.choice_text(battle, choice)

    def fate_text(self, what: int, side: int, seats: list[str]) -> str:
        """Return the words that begin a `fate` move: the discard an Ace forces (FH-20)."""
        return "discard"

    def why_not(self, battle: Battle, text: str) -> str:
        """Say why this choice is not on offer, if the rules can tell."""
        assert isinstance(battle, FieldOfHonour)
        return notation.why_not(battle, text)

    def tale(self, setup: Setup) -> Tale:
        """Return a fresh teller for one battle."""
        return notation.FieldTale(self, len(setup.seats))

    def lesson(self, view: View) -> Lesson | None:
        """Return what the question is about that the side is asked now; of a placement, which space."""
        assert isinstance(view, FieldView)
        return scene.lesson(view)

    def scene(self, view: View) -> list[Block]:
        """Return what lies where, as the side sees it that is asked."""
        assert isinstance(view, FieldView)
        return scene.scene(view)

    def true_conditions(self, view: View) -> list[str]:
        """Return which facts that standing orders may name hold for the side that is asked."""
        assert isinstance(view, FieldView)
        return scene.true_conditions(view)

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        """Return what lies where as anybody sees it who looks on."""
        return scene.public_scene([view for view in views if isinstance(view, FieldView)])

    def hand(self, view: View) -> Parts:
        """Return the cards that the side holds and nobody else sees."""
        assert isinstance(view, FieldView)
        return scene.hand(view)

    def read_card(self, text: object, pile: str) -> int:
        """Return the card of the pack that a text names."""
        return read_pack_card(text)

    def fact(self, name: str, value: object, seats: list[str]) -> object:
        """Return an event's field as JSON has it; powers and questions in words."""
        if name == "power" and isinstance(value, int):
            return notation.POWER_WORDS[value]
        if name == "question" and isinstance(value, int):
            return notation.QUESTION_WORDS[value]
        return super().fact(name, value, seats)


RULES = FieldOfHonourRules()
