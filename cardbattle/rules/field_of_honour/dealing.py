"""Deal the cards of Field of Honour, and check the options of the deal (FH-3, FH-40).

A starting hand has extra cards first, then picked cards, then dealt cards. If the deal is completed before
the sides have picked cards, the bottom cards of the pack take the places of the picked cards. The battle then
takes each picked card from the pack that `pack_of` reconstructs from the deal. Given cards are those that the
user has entered, in a file or on the command line.
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
    """Return the extra cards of each side, in the order in which they are at the beginning of its hand."""
    extra_cards = []
    for seat, key in enumerate(setup.seats):
        cards = setup.cards(seat, "extra")
        first = setup.deal.get(key, [])[: len(cards)]
        extra_cards.append(first + [card for card in cards if card not in first])
    return extra_cards


def hand_size(setup: Setup, seat: int) -> int:
    """Return the number of cards in a side's starting hand."""
    return before_deal(setup, seat) + setup.whole(seat, "hand")


def before_deal(setup: Setup, seat: int) -> int:
    """Return the number of extra and picked cards of a side."""
    return len(setup.cards(seat, "extra")) + setup.whole(seat, "pick")


def pick_cards(setup: Setup, seat: int) -> list[int]:
    """Return the picked cards that the deal already lists in a side's hand."""
    hand = setup.deal.get(setup.seats[seat], [])
    return hand[len(setup.cards(seat, "extra")) : before_deal(setup, seat)]


class Places:
    """The places of all cards except the extra cards, in dealing order: pairs (pile, index)."""

    def __init__(self) -> None:
        self.piles: list[list[int]] = []
        self.at: list[int] = []

    def add(self, pile: list[int], begins: int, ends: int) -> None:
        """Add the places from the index `begins` up to, but not including, the index `ends` of a pile."""
        for place in range(begins, ends):
            self.piles.append(pile)
            self.at.append(place)


def places(setup: Setup) -> Places:
    """Return the places of all cards in a complete deal (FH-3).

    The cards that are dealt in turn come first, then the stack, then the picked cards.
    """
    first = 1 - setup.seat(setup.house["dealer"])
    hands = [setup.deal[key] for key in setup.seats]
    begins = [before_deal(setup, seat) for seat in SEATS]
    ends = begins.copy()
    order = Places()
    for seat in dealing_turns(first, [setup.whole(seat, "hand") for seat in SEATS]):
        order.add(hands[seat], ends[seat], ends[seat] + 1)
        ends[seat] += 1
    order.add(setup.deal[STACK], 0, stack_size(setup))
    for seat in (first, 1 - first):
        order.add(hands[seat], len(setup.cards(seat, "extra")), begins[seat])
    return order


def stack_size(setup: Setup) -> int:
    """Return the number of cards that are left when all hands are full."""
    return len(PACK) - sum(hand_size(setup, seat) for seat in SEATS)


def lay_out(setup: Setup) -> None:
    """Complete the deal with UNKNOWN cards. The given cards stay in their places."""
    whole = {}
    for seat, (key, cards) in enumerate(zip(setup.seats, extras(setup), strict=True)):
        hand = cards + setup.deal.get(key, [])[len(cards) :]
        whole[key] = hand + [UNKNOWN] * (hand_size(setup, seat) - len(hand))
    stack = setup.deal.get(STACK, [])
    whole[STACK] = stack + [UNKNOWN] * (stack_size(setup) - len(stack))
    setup.deal = whole


def deal(setup: Setup, chance: Chance) -> None:
    """Complete the deal from the stacked pack.

    Without a stacked pack, shuffle the cards that are not given.
    """
    stacked = setup.house["pack"]
    if isinstance(stacked, list):
        deal_stacked(setup, stacked)
        return
    lay_out(setup)
    cards = not_in(setup, PACK)
    chance.shuffle(cards)
    fill(setup, cards)


def deal_lowest(setup: Setup) -> None:
    """Complete the deal from the stacked pack.

    Without a stacked pack, use the lowest cards that are not given.
    """
    stacked = setup.house["pack"]
    if isinstance(stacked, list):
        deal_stacked(setup, stacked)
        return
    lay_out(setup)
    fill(setup, not_in(setup, PACK))


def deal_stacked(setup: Setup, stacked: list[int]) -> None:
    """Complete the deal from a pack in dealing order.

    All cards in `setup.deal` are replaced, except the cards that a side picks before the deal.
    """
    setup.deal = {
        key: setup.deal.get(key, [])[: before_deal(setup, seat)] for seat, key in enumerate(setup.seats)
    }
    lay_out(setup)
    fill(setup, not_in(setup, stacked))


def hide(setup: Setup, seat: int) -> None:
    """Remove the stacked pack from a setup.

    The enemy's extra cards are removed too, unless a side picks cards from an open pack, because an open pack
    reveals the extra cards.
    """
    enemy = setup.sides[1 - seat]
    setup.house["pack"] = None
    if not any(setup.whole(each, "pick") for each in SEATS):
        enemy["hand"] = hand_size(setup, 1 - seat)
        enemy["extra"] = []


def not_in(setup: Setup, cards: list[int]) -> list[int]:
    """Return the cards in `cards` that are not in a pile of the deal."""
    dealt = [card for pile in setup.deal.values() for card in pile if card != UNKNOWN]
    return [card for card in cards if not is_among(card, dealt)]


def fill(setup: Setup, cards: list[int]) -> None:
    """Replace the UNKNOWN cards of the deal with `cards`, from the first card to the last."""
    order = places(setup)
    dealt = 0
    for n, pile in enumerate(order.piles):
        if pile[order.at[n]] == UNKNOWN:
            pile[order.at[n]] = cards[dealt]
            dealt += 1


def pack_of(setup: Setup) -> list[int]:
    """Return the pack from which a complete deal was dealt, without extra cards."""
    order = places(setup)
    return [pile[order.at[n]] for n, pile in enumerate(order.piles)]


def check(setup: Setup) -> list[Diagnostic]:
    """Return the errors in hands, extra cards, picks, the stacked pack and given cards."""
    return (
        check_numbers(setup)
        or check_extras(setup) + check_pack(setup)
        or check_typed(setup)
        or check_stacked(setup)
    )


def check_numbers(setup: Setup) -> list[Diagnostic]:
    """Return an error if the hands need more cards than the pack has (FH-40)."""
    sizes = [hand_size(setup, seat) for seat in SEATS]
    if sum(sizes) <= len(PACK):
        return []
    seat = 0 if sizes[0] > sizes[1] else 1
    sizes_text = " and ".join(
        f"{key} begins with {counted(size, 'card')}" for key, size in zip(setup.seats, sizes, strict=True)
    )
    return [
        Diagnostic(
            f"{sizes_text} (hand, extra and pick): {sum(sizes)} in all, but the pack has {len(PACK)}",
            at=("sides", setup.seats[seat], "hand"),
        )
    ]


def check_extras(setup: Setup) -> list[Diagnostic]:
    """Return an error for each extra card that is listed twice (FH-40)."""
    errors = []
    seen: list[int] = []
    for seat, key in enumerate(setup.seats):
        for card in setup.cards(seat, "extra"):
            if card in seen:
                text = f"{card_text(card)} is listed twice as an extra card; the pack has one"
                errors.append(Diagnostic(text, at=("sides", key, "extra")))
            seen.append(card)
    return errors


def check_pack(setup: Setup) -> list[Diagnostic]:
    """Return an error if the stacked pack does not consist of the 54 cards (FH-2, FH-40)."""
    stacked = setup.house["pack"]
    if not isinstance(stacked, list):
        return []
    missing = [card_text(card) for card in PACK if card not in stacked]
    if not missing:
        return []
    twice = [card_text(card) for card in PACK if stacked.count(card) > 1]
    text = f"expected {len(PACK)} different cards; repeated: {listed(twice)}; missing: {listed(missing)}"
    return [Diagnostic(text, at=("house", "pack"))]


def check_typed(setup: Setup) -> list[Diagnostic]:
    """Return errors for too many given cards, repeated cards, and conflicts with the extra cards."""
    errors = []
    owner = {card: key for seat, key in enumerate(setup.seats) for card in setup.cards(seat, "extra")}
    seen: list[int] = []
    sizes = {key: hand_size(setup, seat) for seat, key in enumerate(setup.seats)}
    for pile, most in [*sizes.items(), (STACK, stack_size(setup))]:
        typed = setup.deal.get(pile, [])
        if len(typed) > most:
            text = f"expected at most {counted(most, 'card')}, got {len(typed)}"
            errors.append(Diagnostic(text, at=("deal", pile)))
        begins = list(owner.values()).count(pile)
        for place, card in enumerate(typed):
            text = ""
            if card in seen:
                text = f"{card_text(card)} is dealt twice; the pack has one"
            elif place < begins and owner.get(card) != pile:
                extra_names = [card_text(extra) for extra in owner if owner[extra] == pile]
                text = f"expected the extra cards first ({listed(extra_names)}), got {card_text(card)}"
            elif place >= begins and card in owner:
                text = f"{card_text(card)} is already an extra card of {owner[card]}; deal another card here"
            if text:
                errors.append(Diagnostic(text, at=("deal", pile, place)))
            seen.append(card)
    return errors


def check_stacked(setup: Setup) -> list[Diagnostic]:
    """Return errors for given cards that differ from the cards in the stacked pack (FH-40)."""
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
        text = "missing dealer; with a stacked pack and cards in [deal], name the side that deals"
        return [Diagnostic(text, at=("house", "dealer"))]
    for seat, key in enumerate(setup.seats):
        if len(pick_cards(setup, seat)) < setup.whole(seat, "pick"):
            text = f"leave this out; the cards that the stacked pack deals depend on what {key} picks"
            return [Diagnostic(text, at=("deal", typed[0]))]
    dealt = setup.copy()
    deal_stacked(dealt, stacked)
    return [
        Diagnostic(
            f"got {card_text(card)}, but the stacked pack deals {card_text(right)} here",
            at=("deal", pile, place),
        )
        for pile in typed
        for place, (card, right) in enumerate(zip(setup.deal[pile], dealt.deal[pile], strict=False))
        if card != right
    ]
