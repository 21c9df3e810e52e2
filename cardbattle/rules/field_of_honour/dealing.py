"""The deal of Field of Honour: what adds up, and which card lies where (FH-3, FH-40).

A side's starting hand is its extra cards, the picked ones and the dealt ones, in that order. In
a deal that is complete before anybody has picked, the bottom cards of the pack stand where the
picked ones will: a battle takes what is picked out of the pack that this deal was dealt from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.cards import card_text, is_among
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed
from cardbattle.core.telling import counted
from cardbattle.rules.field_of_honour.battle import PACK, dealing_turns

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import Setup

STACK: Final = "stack"
SEATS: Final = (0, 1)


def extras(setup: Setup) -> list[list[int]]:
    """Return the extra cards of each seat, in the order in which its hand has them."""
    found = []
    for seat, key in enumerate(setup.seats):
        cards = setup.cards(seat, "extra")
        first = setup.deal.get(key, [])[: len(cards)]
        found.append(first + [card for card in cards if card not in first])
    return found


def hand_size(setup: Setup, seat: int) -> int:
    """Return how many cards a side begins with."""
    return before_deal(setup, seat) + setup.whole(seat, "hand")


def before_deal(setup: Setup, seat: int) -> int:
    """Return how many cards a side has before the deal."""
    return len(setup.cards(seat, "extra")) + setup.whole(seat, "pick")


def pick_cards(setup: Setup, seat: int) -> list[int]:
    """Return the picked cards of a side that its hand tells already."""
    hand = setup.deal.get(setup.seats[seat], [])
    return hand[len(setup.cards(seat, "extra")) : before_deal(setup, seat)]


class Places:
    """Where every card below the extras lies, in the order of the deal: a pile and a place in it."""

    def __init__(self) -> None:
        self.piles: list[list[int]] = []
        self.at: list[int] = []

    def add(self, pile: list[int], begins: int, ends: int) -> None:
        """Add these places of one pile."""
        for place in range(begins, ends):
            self.piles.append(pile)
            self.at.append(place)


def places(setup: Setup) -> Places:
    """Return the places of a deal that is laid out: dealt in turn, stack, picked (FH-3)."""
    first = 1 - setup.seat(setup.house["dealer"])
    hands = [setup.deal[key] for key in setup.seats]
    begins = [before_deal(setup, seat) for seat in SEATS]
    ends = begins.copy()
    found = Places()
    for seat in dealing_turns(first, [setup.whole(seat, "hand") for seat in SEATS]):
        found.add(hands[seat], ends[seat], ends[seat] + 1)
        ends[seat] += 1
    found.add(setup.deal[STACK], 0, stack_size(setup))
    for seat in (first, 1 - first):
        found.add(hands[seat], len(setup.cards(seat, "extra")), begins[seat])
    return found


def stack_size(setup: Setup) -> int:
    """Return how many cards are left when all hands are full."""
    return len(PACK) - sum(hand_size(setup, seat) for seat in SEATS)


def lay_out(setup: Setup) -> None:
    """Complete the deal with UNKNOWN in every place that is not typed in."""
    whole = {}
    for seat, (key, cards) in enumerate(zip(setup.seats, extras(setup), strict=True)):
        hand = cards + setup.deal.get(key, [])[len(cards) :]
        whole[key] = hand + [UNKNOWN] * (hand_size(setup, seat) - len(hand))
    stack = setup.deal.get(STACK, [])
    whole[STACK] = stack + [UNKNOWN] * (stack_size(setup) - len(stack))
    setup.deal = whole


def deal(setup: Setup, chance: Chance) -> None:
    """Complete the deal from the stacked pack, else from the shuffled cards that are not typed in."""
    stacked = setup.house["pack"]
    if isinstance(stacked, list):
        deal_stacked(setup, stacked)
        return
    lay_out(setup)
    cards = not_in(setup, PACK)
    chance.shuffle(cards)
    fill(setup, cards)


def deal_lowest(setup: Setup) -> None:
    """Complete the deal from the stacked pack, else with the lowest cards that are not typed in."""
    stacked = setup.house["pack"]
    if isinstance(stacked, list):
        deal_stacked(setup, stacked)
        return
    lay_out(setup)
    fill(setup, not_in(setup, PACK))


def deal_stacked(setup: Setup, stacked: list[int]) -> None:
    """Complete the deal from a pack in dealing order; of what is typed in only picks are needed."""
    setup.deal = {
        key: setup.deal.get(key, [])[: before_deal(setup, seat)] for seat, key in enumerate(setup.seats)
    }
    lay_out(setup)
    fill(setup, not_in(setup, stacked))


def hide(setup: Setup, seat: int) -> None:
    """Leave a stacked pack to chance, and the other side's extra cards unless an open pack shows them."""
    enemy = setup.sides[1 - seat]
    setup.house["pack"] = None
    if not any(setup.whole(each, "pick") for each in SEATS):
        enemy["hand"] = hand_size(setup, 1 - seat)
        enemy["extra"] = []


def not_in(setup: Setup, cards: list[int]) -> list[int]:
    """Return those of the cards that lie in no pile of the deal."""
    taken = [card for pile in setup.deal.values() for card in pile if card != UNKNOWN]
    return [card for card in cards if not is_among(card, taken)]


def fill(setup: Setup, cards: list[int]) -> None:
    """Put the next of these cards in every place whose card is UNKNOWN."""
    found = places(setup)
    dealt = 0
    for n, pile in enumerate(found.piles):
        if pile[found.at[n]] == UNKNOWN:
            pile[found.at[n]] = cards[dealt]
            dealt += 1


def pack_of(setup: Setup) -> list[int]:
    """Return the pack, without extras, from which this complete deal is dealt."""
    found = places(setup)
    return [pile[found.at[n]] for n, pile in enumerate(found.piles)]


def check(setup: Setup) -> list[Diagnostic]:
    """Return what does not add up between hands, extras, picks, stacked pack and typed-in cards."""
    return (
        check_numbers(setup)
        or check_extras(setup) + check_pack(setup)
        or check_typed(setup)
        or check_stacked(setup)
    )


def check_numbers(setup: Setup) -> list[Diagnostic]:
    """Refuse hands for which the pack is too small (FH-40)."""
    sizes = [hand_size(setup, seat) for seat in SEATS]
    if sum(sizes) <= len(PACK):
        return []
    seat = 0 if sizes[0] > sizes[1] else 1
    told = " and ".join(
        f"{key} begins with {counted(size, 'card')}" for key, size in zip(setup.seats, sizes, strict=True)
    )
    return [
        Diagnostic(
            f"{told} (hand, extra and pick); that is {sum(sizes)}, and the pack has {len(PACK)}",
            at=("sides", setup.seats[seat], "hand"),
        )
    ]


def check_extras(setup: Setup) -> list[Diagnostic]:
    """Refuse an extra card that is given out twice (FH-40)."""
    mistakes = []
    given: list[int] = []
    for seat, key in enumerate(setup.seats):
        for card in setup.cards(seat, "extra"):
            if card in given:
                text = f"{card_text(card)} is given out twice; there is one in the pack"
                mistakes.append(Diagnostic(text, at=("sides", key, "extra")))
            given.append(card)
    return mistakes


def check_pack(setup: Setup) -> list[Diagnostic]:
    """Refuse a stacked pack that is not the 54 cards (FH-2, FH-40)."""
    stacked = setup.house["pack"]
    if not isinstance(stacked, list):
        return []
    missing = [card_text(card) for card in PACK if card not in stacked]
    if not missing:
        return []
    twice = [card_text(card) for card in PACK if stacked.count(card) > 1]
    stand = "stands" if len(twice) == 1 else "stand"
    are = "is" if len(missing) == 1 else "are"
    text = (
        f"the pack has {len(PACK)} different cards; {listed(twice)} {stand} there more than once, "
        f"{listed(missing)} {are} missing"
    )
    return [Diagnostic(text, at=("house", "pack"))]


def check_typed(setup: Setup) -> list[Diagnostic]:
    """Refuse typed-in cards that cannot lie there: too many, twice, or others where the extras are."""
    mistakes = []
    owner = {card: key for seat, key in enumerate(setup.seats) for card in setup.cards(seat, "extra")}
    seen: list[int] = []
    sizes = {key: hand_size(setup, seat) for seat, key in enumerate(setup.seats)}
    for pile, most in [*sizes.items(), (STACK, stack_size(setup))]:
        typed = setup.deal.get(pile, [])
        if len(typed) > most:
            text = f"expected at most {counted(most, 'card')}, got {len(typed)}"
            mistakes.append(Diagnostic(text, at=("deal", pile)))
        begins = list(owner.values()).count(pile)
        for place, card in enumerate(typed):
            text = ""
            if card in seen:
                text = f"{card_text(card)} is dealt twice; there is one in the pack"
            elif place < begins and owner.get(card) != pile:
                own = [card_text(extra) for extra in owner if owner[extra] == pile]
                text = f"the hand begins with its extra cards ({listed(own)}), not with {card_text(card)}"
            elif place >= begins and card in owner:
                text = f"{card_text(card)} is an extra card of {owner[card]}"
            if text:
                mistakes.append(Diagnostic(text, at=("deal", pile, place)))
            seen.append(card)
    return mistakes


def check_stacked(setup: Setup) -> list[Diagnostic]:
    """Refuse typed-in cards that are not those which the stacked pack deals (FH-40)."""
    stacked = setup.house["pack"]
    begins = [before_deal(setup, seat) for seat in SEATS] + [0]
    typed = [
        pile
        for pile, before in zip([*setup.seats, STACK], begins, strict=True)
        if len(setup.deal.get(pile, [])) > before
    ]
    if not isinstance(stacked, list) or not typed:
        return []
    if setup.house["dealer"] is None:
        text = "name the dealer; who deals decides which side the stacked pack gives a card that is typed in"
        return [Diagnostic(text, at=("house", "dealer"))]
    for seat, key in enumerate(setup.seats):
        if len(pick_cards(setup, seat)) < setup.whole(seat, "pick"):
            text = f"leave this out: what the stacked pack deals depends on what {key} picks"
            return [Diagnostic(text, at=("deal", typed[0]))]
    dealt = setup.copy()
    deal_stacked(dealt, stacked)
    return [
        Diagnostic(
            f"the stacked pack deals {card_text(right)} here, not {card_text(card)}", at=("deal", pile, place)
        )
        for pile in typed
        for place, (card, right) in enumerate(zip(setup.deal[pile], dealt.deal[pile], strict=False))
        if card != right
    ]
