"""The rule set Warmonger by Eric Shefferman."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.chance import stream
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.names import quoted
from cardbattle.core.options import BOUNDLESS
from cardbattle.core.ruleset import Advantage, Policy, RuleSet, Setup
from cardbattle.rules.warmonger import dealing, notation, scene, seasoned, tactics
from cardbattle.rules.warmonger.battle import (
    ARMISTICE_WON,
    LAST_STANDING,
    MORAL_VICTORY,
    ORDER,
    Warmonger,
    design_of,
)
from cardbattle.rules.warmonger.box import FIRST_CODE, LAST_STAND, TURN, WINDOWS, code_of, name_of, read_name
from cardbattle.rules.warmonger.boxfile import NONE, OUR_PILE, box_of, digests, file_errors
from cardbattle.rules.warmonger.options import HOUSE, OPTIONS, read_playing_card
from cardbattle.rules.warmonger.state import WarmongerView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.core.battle import Battle, Event, View
    from cardbattle.core.chance import Chance, RandomSource
    from cardbattle.core.telling import Block, Parts, Plot, Tale


class WarmongerRules(RuleSet):
    """The rule set Warmonger."""

    key = "warmonger"
    name = "Warmonger"
    code = "WM"
    credit = "Warmonger by Eric Shefferman, (c) 2018 Rise Above Adversity Inc., igpay.com"
    aim = (
        "In each Skirmish, every side turns up the top card of its deck, and the highest card takes all. "
        "Equal highest cards lead to War, which the best score up to 21 wins (J, Q and K count 10, A 1 or "
        "11). The last side with cards wins the battle."
    )
    default_sides = ("p1", "p2", "p3", "p4")
    fewest = 2
    most = 6
    house = HOUSE
    options = OPTIONS
    can_be_drawn = False
    reasons = {
        LAST_STANDING: "the last one with playing cards",
        MORAL_VICTORY: "a moral victory with the Superpower card",
        ARMISTICE_WON: "the largest army at the armistice",
    }
    forms = (
        "turn",
        "stand",
        "pass",
        "play ...",
        "order CARD...",
        "fate under SIDE CARD...",
        "fate casualties CARD...",
        "fate draw SIDE ...",
    )
    score_word = "cards"
    facts = notation.FACTS
    view_fields = {
        "skirmish": "",
        "superpower": "side",
        "live": "",
        "warmongers": "cards",
        "hand_sizes": "",
        "used_warmongers": "cards",
        "decks": "piles",
        "deck_sizes": "",
        "casualties": "cards",
        "war": "sides",
        "fighting": "sides",
        "scored": "sides",
        "lines": "piles",
        "downs": "piles",
        "pot": "piles",
        "totals": "",
    }
    advantage = Advantage(Fraction(1, 6), {"warmongers": 1}, 10)
    package = "cardbattle.rules.warmonger"
    lessons = scene.LESSONS
    lots = scene.LOTS
    conditions = scene.CONDITIONS
    standing_examples = ("laid behind: play Fighting Retreat | pass", "peace ahead: pass")
    blind = (ORDER,)
    unreported = (ORDER,)
    revealing = tuple(WINDOWS.values())
    rounds = ("skirmish_won", "war_won", "war_lost")
    place_words = {"mustered": "the muster", "revealed": "skirmish {skirmish}"}
    step_words = {
        "revealed": "the reveal",
        "announced": "Warmonger card",
        "war_declared": "the call to War",
        "laid": "line",
        "turned_up": "card turned up",
        "stood": "stand",
        "busted": "bust",
        "battle_tied": "the tie",
        "raided": "raid",
        "casualties": "the casualties",
        "drew": "the draw",
        "eliminated": "the elimination",
        "skirmish_won": "the result",
        "war_won": "the end of the War",
    }
    shows = scene.SHOWS
    alike = dealing.WARMONGERS
    iterations = {"veteran": 60, "elite": 240}
    horizon = 20

    def check(self, setup: Setup) -> list[Diagnostic]:
        return file_errors(setup.house, setup.base) or dealing.check(setup, box_of(setup.house, setup.base))

    def files(self, setup: Setup) -> dict[str, str]:
        return digests(setup.house, setup.base)

    def is_usual(self, setup: Setup, seat: int, word: str) -> bool:
        """Return True if an option of a side has its default value.

        The default of the option `cards` is an equal share of the pack (WM-50).
        """
        if word == "cards":
            return dealing.share(setup, seat) == dealing.even_share(setup)
        return super().is_usual(setup, seat, word)

    def option_value(self, setup: Setup, seat: int, word: str) -> object:
        if word == "cards":
            return dealing.share(setup, seat)
        return setup.sides[seat][word]

    def can_have(self, options: Mapping[str, object], word: str) -> bool:
        """Return True if a side with these options can have the option `word` too.

        A Robot cannot have Warmonger cards (WM-50).
        """
        return word != "warmongers" or "robot" not in options

    def most_each(self, word: str, sides: int, house: Mapping[str, object]) -> int:
        """Return the largest number of Warmonger cards that all sides except one can have (WM-50).

        The remaining side then gets 1 Warmonger card.
        """
        if word != "warmongers":
            return BOUNDLESS
        if house.get("cards") == NONE:
            return 0
        return (OUR_PILE * (2 if house.get("copies") == 2 else 1) - 1) // (sides - 1)

    def plot(self, setup: Setup, events: Sequence[Event]) -> Plot:
        from cardbattle.rules.warmonger import story  # loaded only when a story is written

        return story.plot(events)

    def losses_by_place(self, setup: Setup, battle: Battle, side: int) -> list[tuple[int, int]]:
        """Return a pair (lost, total) for each card of the side's starting deck (WM-52).

        The pair is (1, 1) if the card was lost, and otherwise (0, 1). For each card that the side captured,
        one lost card does not count, beginning with the last lost card.
        """
        assert isinstance(battle, Warmonger)
        held = [*battle.decks[side], *battle.pot[side]]
        net = max(0, battle.dealt[side] - battle.score(side))
        places: list[tuple[int, int]] = []
        for card in setup.deal[setup.seats[side]]:
            is_lost = net > 0 and card not in held
            net -= is_lost
            places.append((int(is_lost), 1))
        return places

    def choose_random_house_rules(self, setup: Setup, chance: Chance) -> None:
        """Choose the first holder of the Superpower card at random (WM-4), and set the armistice (WM-39)."""
        if setup.house["superpower"] is None:
            dealer = chance.below(len(setup.seats))
            setup.house["superpower"] = setup.seats[(dealer + 1) % len(setup.seats)]
        if setup.house["armistice"] is None:
            setup.house["armistice"] = dealing.usual_armistice(setup)

    def piles(self, setup: Setup) -> list[str]:
        return dealing.piles(setup)

    def deal(self, setup: Setup, chance: Chance) -> None:
        dealing.deal(setup, box_of(setup.house, setup.base), chance)

    def without_secrets(self, setup: Setup, seat: int) -> Setup:
        """Return a setup in which only the side's own Warmonger cards are given.

        The decks of all sides are removed, because no side knows their order (WM-2).
        """
        visible, hand = setup.copy(), f"{dealing.WARMONGERS}{setup.seats[seat]}"
        visible.deal = {pile: cards for pile, cards in visible.deal.items() if pile == hand}
        return visible

    def deal_unknown(self, setup: Setup) -> None:
        dealing.deal_unknown(setup)

    def guess_deal(self, setup: Setup) -> None:
        """Complete the deal with guessed cards, none of which a side must play."""
        dealing.guess_deal(setup, box_of(setup.house, setup.base), stream("table", "deal"))

    def default_answer(self, battle: Battle) -> str:
        """Return the default answer.

        It is "stand" if the side has no card left to turn up, and otherwise "pass".

        If the players must report the answer, the result is "".
        """
        assert isinstance(battle, Warmonger)
        if battle.question == TURN:
            return "" if battle.downs[battle.side] else "stand"
        return "" if battle.question in (LAST_STAND, ORDER) else "pass"

    def redeals_by_view(self, setup: Setup) -> bool:
        """Return True, because every redeal depends only on the viewer's knowledge."""
        return True

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        """Return a new battle with its first steps on the agenda. The method runs none of these steps.

        Raises:
            InvalidInput: a data file has errors, or the first holder of the Superpower card is missing.

        """
        box = box_of(setup.house, setup.base)
        armistice = setup.house["armistice"] or dealing.usual_armistice(setup)
        assert isinstance(armistice, int)
        if setup.house["superpower"] is None:
            raise InvalidInput([Diagnostic("superpower is missing; name its first holder", at=("house",))])
        seats = range(len(setup.seats))
        names = box.robot_names()
        robots = [
            names.index(str(setup.sides[seat]["robot"])) if dealing.is_robot(setup, seat) else NOBODY
            for seat in seats
        ]
        hands = []
        new = box.pile(dealing.copies(setup))
        for key in setup.seats:
            codes = setup.deal.get(f"{dealing.WARMONGERS}{key}", [])
            hands.append([UNKNOWN if code == UNKNOWN else box.codes.index(code) for code in codes])
            for design in hands[-1]:
                if design != UNKNOWN:
                    new.remove(design)
        battle = Warmonger()
        battle.begin(
            box,
            [setup.deal[key] for key in setup.seats],
            random_source,
            hands,
            new,
            robots,
            setup.seat(setup.house["superpower"]),
            armistice,
            setup.deal[dealing.ASIDE],
            [setup.cards(seat, "extra") for seat in seats],
            dealing.copies(setup),
            setup.seats,
            setup.house["spoils"] == "seats",
            setup.house["robot_ties"] == "stop",
            dealing.unseen_cards(setup),
        )
        return battle

    def cards_in(self, battle: Battle) -> list[int]:
        assert isinstance(battle, Warmonger)
        playing = [*battle.decks, *battle.pot, battle.casualties, battle.aside]
        announced = [design_of(choice) for choice in battle.stack[::4]]
        held = [*battle.hands, battle.new, battle.used, announced]
        codes = [
            battle.box.codes[design] if design != UNKNOWN else UNKNOWN for pile in held for design in pile
        ]
        return [card for pile in playing for card in pile] + codes

    @property
    def regular(self) -> Policy:
        return tactics.decide

    @property
    def seasoned(self) -> Policy:
        return seasoned.decide

    def estimate(self, battle: Battle, side: int) -> int:
        assert isinstance(battle, Warmonger)
        return seasoned.estimate(battle, side)

    def choice_text(self, battle: Battle, choice: int) -> str:
        assert isinstance(battle, Warmonger)
        return notation.choice_text(battle, choice)

    def fate_text(self, kind: int, side: int, seats: list[str]) -> str:
        return notation.fate_text(kind, side, seats)

    def why_not(self, battle: Battle, text: str) -> str:
        assert isinstance(battle, Warmonger)
        return notation.why_not(battle, text)

    def tale(self, setup: Setup) -> Tale:
        return notation.WarmongerTale(self, len(setup.seats))

    def scene(self, view: View) -> list[Block]:
        assert isinstance(view, WarmongerView)
        return scene.scene(view)

    def true_conditions(self, view: View) -> list[str]:
        assert isinstance(view, WarmongerView)
        return scene.true_conditions(view)

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        return scene.public_scene([view for view in views if isinstance(view, WarmongerView)])

    def hand(self, view: View) -> Parts:
        assert isinstance(view, WarmongerView)
        return scene.hand(view)

    def read_card(self, text: object, pile: str) -> int:
        """Parse a playing card, or a Warmonger card if `pile` has Warmonger cards.

        Raises ValueError if the text is not such a card.
        """
        if not pile.startswith(dealing.WARMONGERS):
            return read_playing_card(text)
        if not isinstance(text, str):
            raise ValueError(f"expected the name of a Warmonger card, such as Raid, got {quoted(text)}")
        return read_name(text)

    def card_text(self, card: int, pile: str = "") -> str:
        return name_of(card) if card >= FIRST_CODE else super().card_text(card)

    def card_name_length(self, words: Sequence[str]) -> int:
        lengths = range(len(words), 0, -1)
        return next((n for n in lengths if name_of(code_of(" ".join(words[:n]))) == " ".join(words[:n])), 0)


RULES = WarmongerRules()
