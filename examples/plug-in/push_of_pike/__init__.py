"""Push of Pike, a rule set for cardbattle. The entry point `cardbattle.rules` registers it."""

from __future__ import annotations

from cardbattle.plugin import (
    TALE,
    UNKNOWN,
    Battle,
    Block,
    Chance,
    Diagnostic,
    Event,
    Heading,
    Line,
    RandomSource,
    RuleSet,
    Setup,
    Tale,
    View,
    Whole,
    Words,
    card_text,
    rank_of,
    standard_pack,
)
from push_of_pike.battle import PushOfPike, PushOfPikeView

ASIDE = "aside"


class PushOfPikeTale(Tale):
    """The log of a battle, which has a line for each push."""

    words = {"clashed": Words("PP-4", TALE, "{cards}: {winner} {winner:wins|win} the push.")}

    def on_ended(self, event: Event) -> list[Block]:
        """Return the end of the log, which says how many pushes each side won."""
        scores = self.rules.part("scores", event.fields["scores"])
        assert isinstance(scores, str)
        return [Heading(["The end"]), Line([f"Pushes won: {scores}."], "PP-5")]


class PushOfPikeRules(RuleSet):
    """The rule set of Push of Pike."""

    key = "push-of-pike"
    name = "Push of Pike"
    code = "PP"
    credit = "Push of Pike, written for cardbattle"
    default_sides = ("red", "blue")
    house = {}
    options = {"hand": Whole(5, "cards dealt", 1, 26)}
    reasons = {"more-pushes": "more pushes won", "level": "as many pushes won"}
    forms = ("push CARD",)
    score_word = "pushes"
    facts = {"cards": "cards", "winner": "side", "winners": "sides"}
    package = "push_of_pike"

    def piles(self, setup: Setup) -> list[str]:
        """Return the names of the piles, which are the hands of the sides and the unused cards."""
        return [*setup.seats, ASIDE]

    def check(self, setup: Setup) -> list[Diagnostic]:
        """Return an error for each card that occurs twice, and for each hand with too many cards."""
        errors: list[Diagnostic] = []
        seen: set[int] = set()
        for pile, cards in setup.deal.items():
            most = setup.whole(setup.seat(pile), "hand") if pile != ASIDE else 52 - sum(self.sizes(setup))
            if len(cards) > most:
                text = f"expected at most {most} cards, got {len(cards)}"
                errors.append(Diagnostic(text, at=("deal", pile)))
            for place, card in enumerate(cards):
                if card in seen or card not in standard_pack():
                    text = f"{card_text(card)} is there twice or not in the pack"
                    errors.append(Diagnostic(text, at=("deal", pile, place)))
                seen.add(card)
        return errors

    def sizes(self, setup: Setup) -> list[int]:
        """Return the number of cards in each hand."""
        return [setup.whole(seat, "hand") for seat in (0, 1)]

    def deal(self, setup: Setup, chance: Chance) -> None:
        """Complete the deal (PP-1). Cards that the battle file lists stay where they are."""
        taken = [card for cards in setup.deal.values() for card in cards]
        pack = [card for card in standard_pack() if card not in taken]
        chance.shuffle(pack)
        for key, size in zip(setup.seats, self.sizes(setup), strict=True):
            hand = setup.deal.get(key, [])
            setup.deal[key] = hand + [pack.pop(0) for _ in range(size - len(hand))]
        setup.deal[ASIDE] = setup.deal.get(ASIDE, []) + pack

    def deal_unknown(self, setup: Setup) -> None:
        """Complete the deal with unknown cards."""
        for key, size in zip(setup.seats, self.sizes(setup), strict=True):
            hand = setup.deal.get(key, [])
            setup.deal[key] = hand + [UNKNOWN] * (size - len(hand))
        rest = 52 - sum(self.sizes(setup))
        aside = setup.deal.get(ASIDE, [])
        setup.deal[ASIDE] = aside + [UNKNOWN] * (rest - len(aside))

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        """Return a battle with its first step on the agenda, which has not been run yet."""
        battle = PushOfPike()
        battle.begin([setup.deal[key] for key in setup.seats], setup.deal[ASIDE], random_source)
        return battle

    def regular(self, view: View, chance: Chance) -> int:
        """Play the highest card if the side is behind, and a middle card if it is not."""
        assert isinstance(view, PushOfPikeView)
        behind = view.won[view.side] < view.won[1 - view.side]
        order = sorted(range(len(view.options)), key=lambda index: rank_of(view.options[index]))
        return order[-1] if behind else order[len(order) // 2]

    def choice_text(self, battle: Battle, choice: int) -> str:
        """Return the text of a choice."""
        return f"push {card_text(choice)}"

    def cards_in(self, battle: Battle) -> list[int]:
        """Return all cards of the battle, from all piles."""
        assert isinstance(battle, PushOfPike)
        return [*battle.hands[0], *battle.hands[1], *battle.aside, *battle.played]

    def tale(self, setup: Setup) -> Tale:
        """Return a new log for one battle."""
        return PushOfPikeTale(self, len(setup.seats))


RULES = PushOfPikeRules()
