"""How Warmonger is dealt: even or uneven decks, named extras, Warmonger cards (WM-2, WM-3, WM-50)."""

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

COPY: Final = 60  # playing cards in one copy of the game
ASIDE: Final = "aside"
WARMONGERS: Final = "warmongers."  # then a side's key


def copies(setup: Setup) -> int:
    """Return how many packs there are (WM-1)."""
    return 2 if setup.house["copies"] == 2 else 1


def usual_armistice(setup: Setup) -> int:
    """Return after how many Skirmishes the armistice comes (WM-39)."""
    return LONG_ARMISTICE if copies(setup) == 2 else ARMISTICE


def pack(setup: Setup) -> list[int]:
    """Return all playing cards, ascending (WM-2)."""
    one = [*range(JOKERS), *standard_pack()]
    return [PACK * n + card for n in range(copies(setup)) for card in one]


def pack_size(setup: Setup) -> int:
    """Return how many playing cards there are (WM-2)."""
    return copies(setup) * COPY


def share(setup: Setup, seat: int) -> int:
    """Return how many cards a side is dealt besides its extras (WM-50)."""
    value = setup.sides[seat]["cards"]
    return value if isinstance(value, int) else even_share(setup)


def even_share(setup: Setup) -> int:
    """Return how many cards a side is dealt if nobody says how many (WM-50)."""
    extras = sum(len(setup.cards(each, "extra")) for each in range(len(setup.seats)))
    return max(0, pack_size(setup) - extras) // len(setup.seats)


def size(setup: Setup, seat: int) -> int:
    """Return how many playing cards a side begins with."""
    return share(setup, seat) + len(setup.cards(seat, "extra"))


def is_robot(setup: Setup, seat: int) -> bool:
    """Say whether a Robot plays this side."""
    return setup.sides[seat]["robot"] is not None


def warmongers(setup: Setup, seat: int) -> int:
    """Return how many Warmonger cards a side is dealt (WM-3, WM-50)."""
    if is_robot(setup, seat) or setup.house["cards"] == NONE:
        return 0
    return setup.whole(seat, "warmongers")


def piles(setup: Setup) -> list[str]:
    """Return the piles of a complete deal, in dealing order."""
    holders = [] if setup.house["cards"] == NONE else range(len(setup.seats))
    hands = [f"{WARMONGERS}{setup.seats[seat]}" for seat in holders if not is_robot(setup, seat)]
    return [*setup.seats, ASIDE, *hands]


def sizes(setup: Setup) -> dict[str, int]:
    """Return how many cards each pile of a complete deal has."""
    seats = range(len(setup.seats))
    whole = {key: size(setup, seat) for seat, key in enumerate(setup.seats)}
    whole[ASIDE] = pack_size(setup) - sum(whole.values())
    hands = {f"{WARMONGERS}{setup.seats[seat]}": warmongers(setup, seat) for seat in seats}
    every = whole | hands
    return {pile: every[pile] for pile in piles(setup)}


def check(setup: Setup, box: Box) -> list[Diagnostic]:
    """Return what does not add up between options and dealt cards."""
    found = [*check_robots(setup, box), *check_extras(setup), *check_sizes(setup, box)]
    return found or [*check_decks(setup), *check_hands(setup, box)]


def check_robots(setup: Setup, box: Box) -> list[Diagnostic]:
    """Find Robots that do not exist, stand twice or were given Warmonger cards (WM-49, WM-50)."""
    known = box.robot_names()
    found = []
    there: list[object] = []
    for seat, key in enumerate(setup.seats):
        name = setup.sides[seat]["robot"]
        at = ("sides", key, "robot")
        if name is None:
            continue
        if name not in known:
            hint = nearest(str(name), known) or f"; the Robots are {listed(known)}"
            found.append(Diagnostic(f"there is no Robot {quoted(name)}{hint}", at=at))
        elif name in there:
            found.append(Diagnostic(f"{name} plays another side already; there is one of each Robot", at=at))
        there.append(name)
        if setup.whole(seat, "warmongers") > 1:
            at = ("sides", key, "warmongers")
            found.append(Diagnostic("a Robot gets no Warmonger cards; leave this out", at=at))
    return found


def check_extras(setup: Setup) -> list[Diagnostic]:
    """Find extras that are not in the pack or are named twice (WM-50)."""
    known = pack(setup)
    found = []
    there: list[int] = []
    for seat, key in enumerate(setup.seats):
        at = ("sides", key, "extra")
        for card in setup.cards(seat, "extra"):
            if card not in known:
                found.append(Diagnostic(not_in_pack(card), at=at))
            elif card in there:
                found.append(
                    Diagnostic(f"{card_text(card)} is given out twice; there is one in the pack", at=at)
                )
            there.append(card)
    return found


def not_in_pack(card: int) -> str:
    """Say that only a second copy of the game would have this card."""
    return f"{card_text(card)} is not in one copy of the game; leave the prime out or set copies = 2"


def check_sizes(setup: Setup, box: Box) -> list[Diagnostic]:
    """Find decks without a card, and more cards given out than there are (WM-50)."""
    seats = range(len(setup.seats))
    found = [
        Diagnostic("a side begins with at least one playing card", at=("sides", setup.seats[seat], "cards"))
        for seat in seats
        if size(setup, seat) < 1
    ]
    dealt = sum(size(setup, seat) for seat in seats)
    there = pack_size(setup)
    if dealt > there:
        each = listed(f"{setup.seats[seat]} {size(setup, seat)}" for seat in seats)
        words = f"the decks need {dealt} cards ({each}) and there are {there}; give the sides fewer cards"
        found.append(Diagnostic(words, at=("sides",)))
    drawn = sum(warmongers(setup, seat) for seat in seats)
    if drawn > len(box.pile(copies(setup))):
        words = f"the sides need {drawn} Warmonger cards and there are {len(box.pile(copies(setup)))}"
        found.append(Diagnostic(f"{words}; give them fewer warmongers", at=("sides",)))
    return found


def check_decks(setup: Setup) -> list[Diagnostic]:
    """Find playing cards typed in that cannot lie where they were put."""
    known = pack(setup)
    owner = {card: seat for seat in range(len(setup.seats)) for card in setup.cards(seat, "extra")}
    found = []
    there: list[int] = []
    for pile, most in sizes(setup).items():
        typed = setup.deal.get(pile, [])
        if pile.startswith(WARMONGERS):
            continue
        seat = setup.seats.index(pile) if pile in setup.seats else -1
        at = ("deal", pile)
        for place, card in enumerate(typed):
            if card == UNKNOWN:
                continue
            if card not in known:
                found.append(Diagnostic(not_in_pack(card), at=(*at, place)))
            elif card in there:
                found.append(Diagnostic(f"{card_text(card)} lies in two places", at=(*at, place)))
            elif owner.get(card, seat) != seat:
                words = f"{card_text(card)} is an extra card of {setup.seats[owner[card]]}"
                found.append(Diagnostic(words, at=(*at, place)))
            there.append(card)
        if len(typed) > most:
            found.append(Diagnostic(f"expected at most {most} cards, got {len(typed)}", at=at))
        elif seat >= 0:
            others = sum(owner.get(card) != seat for card in typed)
            if others > share(setup, seat):
                words = f"expected at most {share(setup, seat)} cards besides its extra ones, got {others}"
                found.append(Diagnostic(words, at=at))
    return found


def check_hands(setup: Setup, box: Box) -> list[Diagnostic]:
    """Find Warmonger cards typed in that do not exist, or too many of them."""
    left = [box.codes[design] for design in box.pile(copies(setup))]
    names = [design.name for design in box.designs]
    found = []
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
                words = f"there is no Warmonger card {quoted(name_of(code))}{hint}"
                found.append(Diagnostic(words, at=(*at, place)))
            elif code not in left:
                found.append(Diagnostic(f"all copies of {name_of(code)} are given out", at=(*at, place)))
            else:
                left.remove(code)
        if len(typed) > most:
            words = f"expected at most {most} cards, as its warmongers say, got {len(typed)}"
            found.append(Diagnostic(words, at=at))
    return found


def deal(setup: Setup, box: Box, chance: Chance) -> None:
    """Complete the deal; what was typed in lies on top of its pile."""
    deal_in_order(setup, box, chance, chance.shuffle)


def guess_deal(setup: Setup, box: Box, chance: Chance) -> None:
    """Complete the deal likewise, with the last Warmonger cards of the box, which force nobody's hand."""
    deal_in_order(setup, box, chance, lambda cards: None)


def deal_in_order(setup: Setup, box: Box, chance: Chance, arrange: Callable[[list[int]], None]) -> None:
    """Complete the deal; of the Warmonger cards, once they are arranged, the last go first."""
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
        rest = [*missing, *take(free, size(setup, seat) - len(typed[key]) - len(missing))]
        chance.shuffle(rest)
        whole[key] = typed[key] + rest
    whole[ASIDE] = typed[ASIDE] + free
    setup.deal = whole | deal_hands(setup, box, typed, arrange)


def deal_hands(
    setup: Setup, box: Box, typed: dict[str, list[int]], arrange: Callable[[list[int]], None]
) -> dict[str, list[int]]:
    """Return every side's Warmonger cards."""
    left = [box.codes[design] for design in box.pile(copies(setup))]
    counts = {pile: most for pile, most in sizes(setup).items() if pile.startswith(WARMONGERS)}
    for pile in counts:
        for code in typed[pile]:
            if code != UNKNOWN:
                left.remove(code)
    arrange(left)
    return {pile: typed[pile] + take(left, most - len(typed[pile])) for pile, most in counts.items()}


def take(cards: list[int], n: int) -> list[int]:
    """Take cards off the end of a list."""
    return [cards.pop() for _ in range(n)]


def deal_unknown(setup: Setup) -> None:
    """Complete the deal with cards that nobody wrote down."""
    setup.deal = {
        pile: setup.deal.get(pile, []) + [UNKNOWN] * (most - len(setup.deal.get(pile, [])))
        for pile, most in sizes(setup).items()
    }
