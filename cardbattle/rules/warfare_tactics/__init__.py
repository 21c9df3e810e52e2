"""The rule set Warfare Tactics by Andrew Merchant."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.core.ruleset import Advantage, FirstMoveEdge, Policy, RuleSet, Setup
from cardbattle.rules.warfare_tactics import dealing, notation, scene, tactics
from cardbattle.rules.warfare_tactics.battle import WarfareTactics
from cardbattle.rules.warfare_tactics.choices import ANSWER, FREE, SPECIAL
from cardbattle.rules.warfare_tactics.options import (
    FIRST_TURN_SHARES,
    HOUSE,
    LEVEL_QUIET_TURNS,
    OPTIONS,
    read_monster,
)
from cardbattle.rules.warfare_tactics.state import TURN_LIMIT, HouseRules, WarfareView, total

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.core.battle import Battle, Event, View
    from cardbattle.core.chance import Chance, RandomSource
    from cardbattle.core.errors import Diagnostic
    from cardbattle.core.telling import Block, Parts, Plot, Tale


class WarfareTacticsRules(RuleSet):
    """The rule set Warfare Tactics."""

    key = "warfare-tactics"
    name = "Warfare Tactics"
    code = "WT"
    credit = "Warfare Tactics by Andrew Merchant, 2012; Warfare Tactics(TM) is his mark"
    aim = (
        "Each side plays cards to its battlefield and attacks the enemy's cards; the higher column wins the "
        "attack. A side scores the value of its battlefield and of the enemy's discard pile (A "
        "counts 1, J 11, Q 12, K 13). The higher score wins the battle."
    )
    default_sides = ("mike", "mary")
    house = HOUSE
    options = OPTIONS
    reasons = {
        "hand-empty": "the higher score when the deck and one hand were empty",
        "stalled": "the higher score after eight turns in which nothing happened",
        "turn-limit": "the higher score when the turns had run out",
        "level": "equal scores",
    }
    forms = (
        *(notation.form(verb).replace("TARGET", "CARD") for verb in notation.VERBS),
        "switch CARD CARD",
        "seven CARD CARD",
    )
    facts = {
        "battlefields": "piles",
        "bonus": "cards",
        "card": "card",
        "cards": "cards",
        "discards": "piles",
        "drawn": "card",
        "first": "side",
        "known": "cards",
        "loser": "side",
        "paid": "cards",
        "target": "card",
        "temporary": "cards",
        "winners": "sides",
    }
    view_fields = {
        "turn": "",
        "active": "side",
        "hand": "cards",
        "temporary": "cards",
        "marked": "cards",
        "shown": "cards",
        "sizes": "",
        "temporary_sizes": "",
        "marked_counts": "",
        "known": "cards",
        "seen": "piles",
        "unseen": "cards",
        "buried": "piles",
        "battlefields": "piles",
        "discards": "piles",
        "own_decks": "",
        "deck_sizes": "",
        "columns": "piles",
        "target": "card",
        "from_hand": "",
        "declines": "",
        "to_bury": "",
        "exhausted": "cards",
        "owed": "",
        "posted": "",
        "bonus": "",
    }
    advantage = Advantage(Fraction(1, 2), {"battlefield": ["K"]}, 4)
    quiet_advantage = Advantage(Fraction(1, 2), {"extra": ["K"]}, 3)  # one King on the battlefield: 45 %
    package = "cardbattle.rules.warfare_tactics"
    lessons = scene.LESSONS
    lots = scene.LOTS
    conditions = scene.CONDITIONS
    standing_examples = ("supply behind: return | draw", "free: done")
    rounds = ("turn_begun",)
    place_words = {"opened": "the deal", "turn_begun": "turn {turn}"}
    step_words = {
        "drew": "draw",
        "bonus_drawn": "bonus draw",
        "called_seven": "call for seven",
        "posted": "post",
        "attacked": "attack",
        "countered": "counter",
        "declined": "refusal",
        "took": "capture",
        "recalled": "recall",
        "retreated": "retreat",
        "returned": "return",
        "exchanged": "exchange",
        "switched": "switch",
        "discarded": "discard",
        "surrendered": "surrender",
        "waited": "wait",
        "passed": "pass",
    }
    shows = scene.SHOWS
    iterations = {"veteran": 24, "elite": 120}

    def check(self, setup: Setup) -> list[Diagnostic]:
        return dealing.check(setup)

    def first_move_edge(self, house: Mapping[str, object]) -> FirstMoveEdge | None:
        """Return the measured advantage of the first turn, or None if it is unknown with these house rules.

        It was measured with the default house rules and several values of `quiet_turns`.
        """
        usual = {"turn_limit": TURN_LIMIT}
        for word, option in HOUSE.items():
            if word not in ("dealer", "quiet_turns") and house[word] not in (option.default, usual.get(word)):
                return None
        quiet = house["quiet_turns"] or 0
        if quiet not in FIRST_TURN_SHARES:
            return None
        level = FIRST_TURN_SHARES[LEVEL_QUIET_TURNS]
        return FirstMoveEdge(
            FIRST_TURN_SHARES[quiet], "quiet_turns", LEVEL_QUIET_TURNS, level, self.quiet_advantage
        )

    def can_hold(self, options: Mapping[str, object], card: int) -> bool:
        """Return True if a side can get this card.

        A side with its own deck gets only cards in that deck (WT-48).
        """
        deck = options.get("deck")
        return not isinstance(deck, list) or self.card_text(card) in deck

    def choose_random_house_rules(self, setup: Setup, chance: Chance) -> None:
        """Choose the dealer at random (WT-4), and set the default turn limit (WT-47)."""
        if setup.house["dealer"] is None:
            setup.house["dealer"] = setup.seats[chance.below(2)]
        dealing.settle_limit(setup)

    def piles(self, setup: Setup) -> list[str]:
        return dealing.piles(setup)

    def deal(self, setup: Setup, chance: Chance) -> None:
        dealing.deal(setup, chance)

    def without_secrets(self, setup: Setup, seat: int) -> Setup:
        """Return a setup without the order of the decks, the enemy's hand, and the enemy's extra cards."""
        visible = super().without_secrets(setup, seat)
        dealing.hide(visible, seat)
        return visible

    def deal_unknown(self, setup: Setup) -> None:
        dealing.lay_out(setup)

    def guess_deal(self, setup: Setup) -> None:
        """Complete the deal with the lowest cards in the hands, so that any two can be a hand's highest."""
        dealing.deal_lowest(setup)

    def default_answer(self, battle: Battle) -> str:
        """Return "none" for a special move, "done" for free steps, and "" for all other questions."""
        return {SPECIAL: "none", ANSWER: "none", FREE: "done"}.get(battle.question, "")

    def redeals_by_view(self, setup: Setup) -> bool:
        """Return True, because every redeal depends only on the viewer's knowledge."""
        return True

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        house = setup.house
        limit, quiet, windows = house["turn_limit"], house["quiet_turns"] or 0, house["windows"]
        assert isinstance(limit, int) and isinstance(quiet, int) and isinstance(windows, int)
        battle = WarfareTactics()
        battle.begin(
            [setup.deal[key] for key in setup.seats],
            [setup.cards(seat, "battlefield") for seat in (0, 1)],
            [setup.deal[pile] for pile in dealing.deck_piles(setup)],
            random_source,
            setup.seat(house["dealer"]),
            HouseRules(
                limit,
                bool(house["play_and_attack"]),
                bool(house["hold_when_ahead"]),
                bool(house["target_retreats"]),
                bool(house["seven_is_free"]),
                house["discard_score"] == "count",
                quiet,
                house["passing"] == "turn",
                house["returning"] == "two",
                house["last_card"] == "final",
                bool(house["target_surrenders"]),
                house["spent_side"] == "ends",
                windows,
                house["special_moves"] == "any",
                house["ending"] == "at-once",
            ),
            dealing.unseen_cards(setup),
        )
        return battle

    def plot(self, setup: Setup, events: Sequence[Event]) -> Plot:
        from cardbattle.rules.warfare_tactics import story  # loaded only when a story is written

        return story.plot(setup, events)

    def losses_by_place(self, setup: Setup, battle: Battle, side: int) -> list[tuple[int, int]]:
        """Return a pair (value lost, value) for each card that the side has committed (WT-49).

        The cards are in the order in which they were committed. A card that is not on the side's battlefield
        at the end is lost. The value of the cards that the side captured is subtracted from its losses. The
        loss of the card that was committed last is reduced first.
        """
        assert isinstance(battle, WarfareTactics)
        left = battle.losses(side)[0]
        places: list[tuple[int, int]] = []
        for card in battle.committed[side]:
            value = total([card])
            lost = 0 if card in battle.battlefields[side] else min(left, value)
            left -= lost
            places.append((lost, value))
        return places

    def cards_in(self, battle: Battle) -> list[int]:
        assert isinstance(battle, WarfareTactics)
        places = [battle.hands, battle.temporary, battle.battlefields, battle.discards, battle.decks]
        return [card for piles in [*places, battle.columns] for pile in piles for card in pile]

    @property
    def regular(self) -> Policy:
        return tactics.decide

    def choice_text(self, battle: Battle, choice: int) -> str:
        return notation.choice_text(battle, choice)

    def why_not(self, battle: Battle, text: str) -> str:
        assert isinstance(battle, WarfareTactics)
        return notation.why_not(battle, text)

    def tale(self, setup: Setup) -> Tale:
        return notation.WarfareTale(self, len(setup.seats))

    def scene(self, view: View) -> list[Block]:
        assert isinstance(view, WarfareView)
        return scene.scene(view)

    def true_conditions(self, view: View) -> list[str]:
        assert isinstance(view, WarfareView)
        return scene.true_conditions(view)

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        return scene.public_scene([view for view in views if isinstance(view, WarfareView)])

    def hand(self, view: View) -> Parts:
        assert isinstance(view, WarfareView)
        return scene.hand(view)

    def read_card(self, text: object, pile: str) -> int:
        return read_monster(text)


RULES = WarfareTacticsRules()
