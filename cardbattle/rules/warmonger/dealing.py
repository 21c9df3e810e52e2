"""Deal the decks, extra cards and Warmonger cards of Warmonger (WM-2, WM-3, WM-50).

Given cards are those that the user has entered, in a file or on the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.cards import PACK, card_text, is_among, standard_pack
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.rules.warmonger.box import JOKERS, Box, name_of
from cardbattle.rules.warmonger.boxfile import NONE
from cardbattle.rules.warmonger.state import ARMISTICE, LONG_ARMISTICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import Setup

COPY: Final = 60  # number of playing cards in one copy of the game
ASIDE: Final = "aside"
WARMONGERS: Final = "warmongers."  # prefix of a pile of Warmonger cards; the side's key follows


def copies(setup: Setup) -> int:
    """Return the number of copies of the game that the battle uses (WM-1)."""
    return 2 if setup.house["copies"] == 2 else 1


def usual_armistice(setup: Setup) -> int:
    """Return the default number of Skirmishes until the armistice (WM-39)."""
    return LONG_ARMISTICE if copies(setup) == 2 else ARMISTICE


def pack(setup: Setup) -> list[int]:
    """Return all playing cards of the battle, in ascending order (WM-2)."""
    single = [*range(JOKERS), *standard_pack()]
    return [PACK * n + card for n in range(copies(setup)) for card in single]


def pack_size(setup: Setup) -> int:
    """Return the number of playing cards in the battle (WM-2)."""
    return copies(setup) * COPY


def share(setup: Setup, seat: int) -> int:
    """Return the number of cards dealt to a side, not counting its extra cards (WM-50)."""
    value = setup.sides[seat]["cards"]
    return value if isinstance(value, int) else even_share(setup)


def even_share(setup: Setup) -> int:
    """Return the default number of cards dealt to a side (WM-50)."""
    extras = sum(len(setup.cards(seat, "extra")) for seat in range(len(setup.seats)))
    return max(0, pack_size(setup) - extras) // len(setup.seats)


def size(setup: Setup, seat: int) -> int:
    """Return the number of playing cards with which a side begins."""
    return share(setup, seat) + len(setup.cards(seat, "extra"))


def is_robot(setup: Setup, seat: int) -> bool:
    return setup.sides[seat]["robot"] is not None


def warmongers(setup: Setup, seat: int) -> int:
    """Return the number of Warmonger cards dealt to a side (WM-3, WM-50)."""
    if is_robot(setup, seat) or setup.house["cards"] == NONE:
        return 0
    return setup.whole(seat, "warmongers")


def piles(setup: Setup) -> list[str]:
    """Return the names of the piles of a complete deal, in dealing order."""
    holders = [] if setup.house["cards"] == NONE else range(len(setup.seats))
    hands = [f"{WARMONGERS}{setup.seats[seat]}" for seat in holders if not is_robot(setup, seat)]
    return [*setup.seats, ASIDE, *hands]


def sizes(setup: Setup) -> dict[str, int]:
    """Return the number of cards in each pile of a complete deal."""
    seats = range(len(setup.seats))
    whole = {key: size(setup, seat) for seat, key in enumerate(setup.seats)}
    whole[ASIDE] = pack_size(setup) - sum(whole.values())
    hands = {f"{WARMONGERS}{setup.seats[seat]}": warmongers(setup, seat) for seat in seats}
    every = whole | hands
    return {pile: every[pile] for pile in piles(setup)}


def check(setup: Setup, box: Box) -> list[Diagnostic]:
    """Return the errors in the options and in the given cards."""
    errors = [*check_robots(setup, box), *check_extras(setup), *check_sizes(setup, box)]
    return errors or [*check_decks(setup), *check_hands(setup, box)]


def check_robots(setup: Setup, box: Box) -> list[Diagnostic]:
    """Return errors for Robots that are unknown, play twice or get Warmonger cards (WM-49, WM-50)."""
    robots = box.robot_names()
    errors = []
    used: list[object] = []
    for seat, key in enumerate(setup.seats):
        name = setup.sides[seat]["robot"]
        at = ("sides", key, "robot")
        if name is None:
            continue
        if name not in robots:
            hint = nearest(str(name), robots) or f"; the Robots are {listed(robots)}"
            errors.append(Diagnostic(f"there is no Robot {quoted(name)}{hint}", at=at))
        elif name in used:
            errors.append(Diagnostic(f"{name} already plays another side; choose another Robot", at=at))
        used.append(name)
        if setup.whole(seat, "warmongers") > 1:
            at = ("sides", key, "warmongers")
            errors.append(Diagnostic("a Robot gets no Warmonger cards; leave this out", at=at))
    return errors


def check_extras(setup: Setup) -> list[Diagnostic]:
    """Return errors for extra cards that are not in the pack, or are named twice (WM-50)."""
    playing_cards = pack(setup)
    errors = []
    extras: list[int] = []
    for seat, key in enumerate(setup.seats):
        at = ("sides", key, "extra")
        for card in setup.cards(seat, "extra"):
            if card not in playing_cards:
                errors.append(Diagnostic(not_in_pack(card), at=at))
            elif card in extras:
                text = f"{card_text(card)} is named twice; name each card of the pack once"
                errors.append(Diagnostic(text, at=at))
            extras.append(card)
    return errors


def not_in_pack(card: int) -> str:
    return f"{card_text(card)} is not in a single pack; leave out the prime or set copies = 2"


def check_sizes(setup: Setup, box: Box) -> list[Diagnostic]:
    """Return errors for empty decks, and for deals that need more cards than there are (WM-50)."""
    seats = range(len(setup.seats))
    errors = [
        Diagnostic("a side needs at least one playing card", at=("sides", setup.seats[seat], "cards"))
        for seat in seats
        if size(setup, seat) < 1
    ]
    dealt = sum(size(setup, seat) for seat in seats)
    available = pack_size(setup)
    if dealt > available:
        sizes = listed(f"{setup.seats[seat]} {size(setup, seat)}" for seat in seats)
        text = f"the decks need {dealt} cards ({sizes}), but there are {available}; deal fewer cards"
        errors.append(Diagnostic(text, at=("sides",)))
    drawn = sum(warmongers(setup, seat) for seat in seats)
    available = len(box.pile(copies(setup)))
    if drawn > available:
        text = f"the sides need {drawn} Warmonger cards, but there are {available}; reduce warmongers"
        errors.append(Diagnostic(text, at=("sides",)))
    return errors


def check_decks(setup: Setup) -> list[Diagnostic]:
    """Return errors for given playing cards that cannot be in their pile."""
    playing_cards = pack(setup)
    owner = {card: seat for seat in range(len(setup.seats)) for card in setup.cards(seat, "extra")}
    errors = []
    placed: list[int] = []
    for pile, most in sizes(setup).items():
        typed = setup.deal.get(pile, [])
        if pile.startswith(WARMONGERS):
            continue
        seat = setup.seats.index(pile) if pile in setup.seats else -1
        at = ("deal", pile)
        for place, card in enumerate(typed):
            if card == UNKNOWN:
                continue
            if card not in playing_cards:
                errors.append(Diagnostic(not_in_pack(card), at=(*at, place)))
            elif card in placed:
                errors.append(Diagnostic(f"{card_text(card)} is in two places", at=(*at, place)))
            elif owner.get(card, seat) != seat:
                holder = setup.seats[owner[card]]
                text = f"{card_text(card)} is already an extra card of {holder}; deal another card here"
                errors.append(Diagnostic(text, at=(*at, place)))
            placed.append(card)
        if len(typed) > most:
            errors.append(Diagnostic(f"expected at most {most} cards, got {len(typed)}", at=at))
        elif seat >= 0:
            dealt = sum(owner.get(card) != seat for card in typed)
            if dealt > share(setup, seat):
                text = f"expected at most {share(setup, seat)} cards in addition to its extras, got {dealt}"
                errors.append(Diagnostic(text, at=at))
    return errors


def check_hands(setup: Setup, box: Box) -> list[Diagnostic]:
    """Return errors for given Warmonger cards that do not exist, and for too many given cards."""
    left = [box.codes[design] for design in box.pile(copies(setup))]
    names = [design.name for design in box.designs]
    errors = []
    for pile, most in sizes(setup).items():
        if not pile.startswith(WARMONGERS):
            continue
        at = ("deal", *pile.split(".", 1))
        typed = setup.deal.get(pile, [])
        for place, code in enumerate(typed):
            if code == UNKNOWN:
                continue
            if code not in box.codes:
                hint = nearest(name_of(code), names) or f"; the cards are {listed(names)}"
                text = f"there is no Warmonger card {quoted(name_of(code))}{hint}"
                errors.append(Diagnostic(text, at=(*at, place)))
            elif code not in left:
                text = f"all copies of {name_of(code)} are already dealt"
                errors.append(Diagnostic(text, at=(*at, place)))
            else:
                left.remove(code)
        if len(typed) > most:
            text = f"expected at most {most} cards (the option warmongers), got {len(typed)}"
            errors.append(Diagnostic(text, at=at))
    return errors


def deal(setup: Setup, box: Box, chance: Chance) -> None:
    """Complete the deal at random. In each pile, the dealt cards lie below the given cards."""
    deal_in_order(setup, box, chance, chance.shuffle)


def guess_deal(setup: Setup, box: Box, chance: Chance) -> None:
    """Complete the deal with guessed cards.

    The guessed Warmonger cards are the last cards in the box, without cards that a side must play.
    """
    deal_in_order(setup, box, chance, lambda cards: None)


def deal_in_order(setup: Setup, box: Box, chance: Chance, arrange: Callable[[list[int]], None]) -> None:
    """Complete the deal.

    `arrange` is a function that puts the list of Warmonger cards in order. The cards are then dealt from the
    end of the list.
    """
    seats = range(len(setup.seats))
    typed = {pile: setup.deal.get(pile, []) for pile in piles(setup)}
    gone = [card for pile, cards in typed.items() if not pile.startswith(WARMONGERS) for card in cards]
    extras = [setup.cards(seat, "extra") for seat in seats]
    named = gone + [card for cards in extras for card in cards]
    free = [card for card in pack(setup) if not is_among(card, named)]
    chance.shuffle(free)
    whole: dict[str, list[int]] = {}
    for seat, key in enumerate(setup.seats):
        missing = [card for card in extras[seat] if card not in gone]
        below = [*missing, *take(free, size(setup, seat) - len(typed[key]) - len(missing))]
        chance.shuffle(below)
        whole[key] = typed[key] + below
    whole[ASIDE] = typed[ASIDE] + free
    setup.deal = whole | deal_hands(setup, box, typed, arrange)


def deal_hands(
    setup: Setup, box: Box, typed: dict[str, list[int]], arrange: Callable[[list[int]], None]
) -> dict[str, list[int]]:
    left = [box.codes[design] for design in box.pile(copies(setup))]
    counts = {pile: most for pile, most in sizes(setup).items() if pile.startswith(WARMONGERS)}
    for pile in counts:
        for code in typed[pile]:
            if code != UNKNOWN:
                left.remove(code)
    arrange(left)
    return {pile: typed[pile] + take(left, most - len(typed[pile])) for pile, most in counts.items()}


def take(cards: list[int], n: int) -> list[int]:
    """Remove `n` cards from the end of a list, and return them."""
    return [cards.pop() for _ in range(n)]


def deal_unknown(setup: Setup) -> None:
    setup.deal = {
        pile: setup.deal.get(pile, []) + [UNKNOWN] * (most - len(setup.deal.get(pile, [])))
        for pile, most in sizes(setup).items()
    }


def unseen_cards(setup: Setup) -> list[int]:
    """Return the playing cards that a complete deal has UNKNOWN cards for."""
    cards = [card for pile in [*setup.seats, ASIDE] for card in setup.deal[pile]]
    return [card for card in pack(setup) if not is_among(card, cards)] if UNKNOWN in cards else []
