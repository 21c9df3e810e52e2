"""Deal the decks and hands of Warfare Tactics, and check the options of the deal (WT-1 to WT-5, WT-48).

A side's starting hand consists of its extra cards and the cards dealt to it. A card that begins on a
battlefield is not in any pile of the deal. Given cards are those that the user has entered, in a file or on
the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.cards import PACK, card_text, is_among, standard_pack
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed
from cardbattle.core.telling import counted
from cardbattle.rules.warfare_tactics.options import CONSTRUCTED
from cardbattle.rules.warfare_tactics.state import LONG_TURN_LIMIT, TURN_LIMIT, VALUES

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import Setup

STACK: Final = "stack"
SEATS: Final = (0, 1)


def is_constructed(setup: Setup) -> bool:
    """Return True if each side has its own deck (WT-5)."""
    return setup.house["decks"] == CONSTRUCTED


def deck_piles(setup: Setup) -> list[str]:
    """Return the names of the decks in the deal: a common deck, or one deck for each side."""
    return [f"decks.{key}" for key in setup.seats] if is_constructed(setup) else [STACK]


def piles(setup: Setup) -> list[str]:
    """Return the names of the piles of a complete deal, in dealing order."""
    return [*setup.seats, *deck_piles(setup)]


def cards_of(setup: Setup, seat: int) -> list[int]:
    """Return all cards of the deck from which a side draws, in ascending order.

    With constructed decks, a card of the first side has no prime or one prime, and a card of the second side
    has two or three primes.
    """
    if not is_constructed(setup):
        second = [PACK + card for card in standard_pack()] if setup.house["decks"] == 2 else []
        return standard_pack() + second
    cards: list[int] = []
    for face in setup.cards(seat, "deck"):
        card = face + 2 * PACK * seat
        cards.append(card + PACK if card in cards else card)
    return sorted(cards)


def hand_size(setup: Setup, seat: int) -> int:
    """Return the number of cards in a side's starting hand (WT-48)."""
    return setup.whole(seat, "hand") + len(setup.cards(seat, "extra"))


def hand_before_deal(setup: Setup, seat: int) -> list[int]:
    """Return the cards of a starting hand before the deal: given cards, then extra cards."""
    typed = setup.deal.get(setup.seats[seat], [])
    return typed + [card for card in setup.cards(seat, "extra") if card not in typed]


def lay_out(setup: Setup) -> None:
    """Complete the deal with UNKNOWN cards."""
    whole: dict[str, list[int]] = {}
    for seat, key in enumerate(setup.seats):
        whole[key] = pad_unknown(hand_before_deal(setup, seat), hand_size(setup, seat))
    for at, pile in enumerate(deck_piles(setup)):
        whole[pile] = pad_unknown(setup.deal.get(pile, []), deck_size(setup, at))
    setup.deal = whole


def pad_unknown(cards: list[int], size: int) -> list[int]:
    """Return the cards of a pile, followed by UNKNOWN cards until there are `size` cards."""
    return cards + [UNKNOWN] * (size - len(cards))


def owners(setup: Setup, deck: int) -> tuple[int, ...]:
    return (deck,) if is_constructed(setup) else SEATS


def deck_size(setup: Setup, deck: int) -> int:
    """Return the number of cards in a deck after the deal, which is negative if there are too few cards."""
    gone = [hand_size(setup, seat) + len(setup.cards(seat, "battlefield")) for seat in owners(setup, deck)]
    return len(cards_of(setup, deck)) - sum(gone)


def hide(setup: Setup, seat: int) -> None:
    """Replace the enemy's extra cards in a setup with the same number of cards dealt at random."""
    enemy = setup.sides[1 - seat]
    enemy["hand"] = hand_size(setup, 1 - seat)
    enemy["extra"] = []


def deal(setup: Setup, chance: Chance) -> None:
    """Complete the deal at random: first the hands, then the decks (WT-3)."""
    deal_in_order(setup, chance.shuffle)


def deal_lowest(setup: Setup) -> None:
    """Complete the deal with the lowest cards in the hands."""
    deal_in_order(setup, lambda cards: cards.sort(key=value_of, reverse=True))


def value_of(card: int) -> int:
    return VALUES[card]


def deal_in_order(setup: Setup, arrange: Callable[[list[int]], None]) -> None:
    """Complete the deal.

    `arrange` is a function that puts the list of the remaining cards in order. The cards are then dealt from
    the end of the list.
    """
    lay_out(setup)
    for at, pile in enumerate(deck_piles(setup)):
        keys = [setup.seats[seat] for seat in owners(setup, at)]
        placed = [card for key in [*keys, pile] for card in setup.deal[key] if card != UNKNOWN]
        placed += [card for seat in owners(setup, at) for card in setup.cards(seat, "battlefield")]
        cards = [card for card in cards_of(setup, at) if not is_among(card, placed)]
        arrange(cards)
        for key in [*keys, pile]:
            setup.deal[key] = [cards.pop() if card == UNKNOWN else card for card in setup.deal[key]]


def unseen_cards(setup: Setup) -> list[list[int]]:
    """Return the cards that a complete deal has UNKNOWN cards for, by deck."""
    unseen: list[list[int]] = []
    for at, pile in enumerate(deck_piles(setup)):
        seats = owners(setup, at)
        cards = [card for key in [*(setup.seats[seat] for seat in seats), pile] for card in setup.deal[key]]
        if UNKNOWN in cards:
            cards += [card for seat in seats for card in setup.cards(seat, "battlefield")]
            unseen.append([card for card in cards_of(setup, at) if not is_among(card, cards)])
        else:
            unseen.append([])
    return unseen


def settle_limit(setup: Setup) -> None:
    """If the house rules set no turn limit, set the default, which depends on the decks (WT-47)."""
    if setup.house["turn_limit"] is None:
        setup.house["turn_limit"] = TURN_LIMIT if setup.house["decks"] == 1 else LONG_TURN_LIMIT


def check(setup: Setup) -> list[Diagnostic]:
    """Return the errors in decks, hands, battlefields and given cards."""
    return check_lists(setup) or check_piles(setup) + check_numbers(setup) or check_cards(setup)


def check_lists(setup: Setup) -> list[Diagnostic]:
    """Return the errors in deck lists (WT-5).

    It is an error if a battle without constructed decks has a list, if a list is missing, or if a list has a
    card more than twice. The length of a list (45 to 104) is checked when the option is read.
    """
    errors = []
    for seat, key in enumerate(setup.seats):
        at = ("sides", key, "deck")
        cards = setup.cards(seat, "deck")
        if not is_constructed(setup):
            if cards:
                text = 'a deck list needs the house rule decks = "constructed"'
                errors.append(Diagnostic(text, at=at))
        elif not cards:
            text = 'decks = "constructed" needs a list of at least 45 cards here'
            errors.append(Diagnostic(text, at=at))
        else:
            often = [card_text(card) for card in dict.fromkeys(cards) if cards.count(card) > 2]
            if often:
                text = f"expected at most two of any card; there are more of {listed(often)}"
                errors.append(Diagnostic(text, at=at))
    return errors


def check_piles(setup: Setup) -> list[Diagnostic]:
    """Return an error for each pile that is given but does not exist."""
    names = piles(setup)
    return [
        Diagnostic(f"there is no pile {pile}; the piles are {listed(names)}", at=("deal", *pile.split(".")))
        for pile in setup.deal
        if pile not in names
    ]


def check_numbers(setup: Setup) -> list[Diagnostic]:
    """Return errors for decks that are too small, and for given piles that are too long."""
    errors = []
    for at in range(len(deck_piles(setup))):
        left = deck_size(setup, at)
        if left < 0:
            seat = max(owners(setup, at), key=lambda seat: hand_size(setup, seat))
            text = (
                f"hands, extra cards and battlefields need {counted(-left, 'card')} more than the "
                f"{len(cards_of(setup, at))} in the deck"
            )
            errors.append(Diagnostic(text, at=("sides", setup.seats[seat], "hand")))
    if errors:
        return errors
    sizes = {key: hand_size(setup, seat) for seat, key in enumerate(setup.seats)}
    sizes |= {pile: deck_size(setup, at) for at, pile in enumerate(deck_piles(setup))}
    lengths = {key: len(hand_before_deal(setup, seat)) for seat, key in enumerate(setup.seats)}
    for pile, most in sizes.items():
        length = lengths.get(pile, len(setup.deal.get(pile, [])))
        if length > most:
            note = " including its extra cards" if pile in lengths else ""
            text = f"expected at most {counted(most, 'card')}{note}, got {length}"
            errors.append(Diagnostic(text, at=("deal", *pile.split("."))))
    return errors


def check_cards(setup: Setup) -> list[Diagnostic]:
    """Return errors for cards that the decks do not have, and for cards in two places."""
    errors = []
    seen: list[int] = []
    for at, path, cards in cards_by_name(setup):
        deck = cards_of(setup, at)
        for card in cards:
            text = ""
            if card not in deck:
                text = f"{card_text(card)} is not in {describe_deck(setup, at)}"
            elif card in seen:
                text = f"{card_text(card)} is in two places"
            seen.append(card)
            if text:
                errors.append(Diagnostic(text, at=path))
    return errors


def cards_by_name(setup: Setup) -> list[tuple[int, tuple[str, ...], list[int]]]:
    """Return a tuple (deck, key path, cards) for each list of cards in the setup.

    If a given hand repeats an extra card of its side, the card is returned only as an extra card.
    """
    lists: list[tuple[int, tuple[str, ...], list[int]]] = []
    for seat, key in enumerate(setup.seats):
        deck = seat if is_constructed(setup) else 0
        extra = setup.cards(seat, "extra")
        lists.append((deck, ("sides", key, "battlefield"), setup.cards(seat, "battlefield")))
        lists.append((deck, ("sides", key, "extra"), extra))
        typed = [card for card in setup.deal.get(key, []) if card != UNKNOWN]
        for card in extra:
            if card in typed:
                typed.remove(card)
        lists.append((deck, ("deal", key), typed))
    for at, pile in enumerate(deck_piles(setup)):
        typed = [card for card in setup.deal.get(pile, []) if card != UNKNOWN]
        lists.append((at, ("deal", *pile.split(".")), typed))
    return lists


def describe_deck(setup: Setup, deck: int) -> str:
    if is_constructed(setup):
        primes = "no prime or one" if deck == 0 else "two or three primes"
        return f"the deck of {setup.seats[deck]}, whose cards have {primes}"
    return "the pack of 52 cards" if setup.house["decks"] == 1 else "the two packs of 52 cards"
