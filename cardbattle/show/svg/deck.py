"""Draw a deck of cards as SVG. A page defines each card once and refers to it wherever the card is shown.

A card is 60 units wide and 84 units high. A card with a suit has its rank and suit in two corners, so that
they can be read at the width of a thumb. Between the corners are pips, or arms on a court card: a king's
crown and shield, a queen's coronet and lozenge, a jack's cap and targe. Wargame's numbers, Strategy WAR's
ranks and named cards have their own designs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from textwrap import wrap

from markupsafe import Markup, escape

from cardbattle.core.names import clean

SUITED = re.compile(r"(10|[2-9JQKA])([SHDC])('*)")
JOKER = re.compile(r"([RB]J|J[1-8])('*)")
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
FACE_DOWN, EMPTY = "?", "-"
KEPT = 1000  # drawings in the cache

PIPS = {
    "S": "M0-10C4-4 9-1 9 3.5A4.6 4.6 0 0 1 1.2 5.6Q1.6 8.6 4 10H-4Q-1.6 8.6-1.2 5.6"
    "A4.6 4.6 0 0 1-9 3.5C-9-1-4-4 0-10Z",
    "H": "M0 9.5C-4 4-9.4 1-9.4-4A4.8 4.8 0 0 1 0-5.6A4.8 4.8 0 0 1 9.4-4C9.4 1 4 4 0 9.5Z",
    "D": "M0-10L7.6 0L0 10L-7.6 0Z",
    "C": "M0-10A4.6 4.6 0 0 1 3.9-3A4.6 4.6 0 1 1 1.3 4.4Q1.7 8.4 4 10H-4Q-1.7 8.4-1.3 4.4"
    "A4.6 4.6 0 1 1-3.9-3A4.6 4.6 0 0 1 0-10Z",
}
LEFT, MIDDLE, RIGHT = 23, 30, 37
TOP, HIGH, CENTRE, LOW, BOTTOM = 18, 34, 42, 50, 66
PLACES: dict[str, list[tuple[int, int]]] = {  # the positions of the pips, beginning with the upper half
    "2": [(MIDDLE, TOP), (MIDDLE, BOTTOM)],
    "3": [(MIDDLE, TOP), (MIDDLE, CENTRE), (MIDDLE, BOTTOM)],
    "4": [(x, y) for y in (TOP, BOTTOM) for x in (LEFT, RIGHT)],
    "5": [(x, y) for y in (TOP, BOTTOM) for x in (LEFT, RIGHT)] + [(MIDDLE, CENTRE)],
    "6": [(x, y) for y in (TOP, CENTRE, BOTTOM) for x in (LEFT, RIGHT)],
    "7": [(x, y) for y in (TOP, CENTRE, BOTTOM) for x in (LEFT, RIGHT)] + [(MIDDLE, 30)],
    "8": [(x, y) for y in (TOP, CENTRE, BOTTOM) for x in (LEFT, RIGHT)] + [(MIDDLE, 30), (MIDDLE, 54)],
    "9": [(x, y) for y in (TOP, HIGH, LOW, BOTTOM) for x in (LEFT, RIGHT)] + [(MIDDLE, CENTRE)],
    "10": [(x, y) for y in (TOP, HIGH, LOW, BOTTOM) for x in (LEFT, RIGHT)] + [(MIDDLE, 26), (MIDDLE, 58)],
}
ARMS = {  # the head-dress, its ornament, and the shield
    "K": (
        "M18 28L15.5 16L23 21.5L30 13L37 21.5L44.5 16L42 28Z",
        "M18 25.5H42",
        "M17 33H43V49Q43 62 30 70Q17 62 17 49Z",
    ),
    "Q": (
        "M18 28L16.5 21L21 23.5L23.5 18L27.5 22.5L30 15L32.5 22.5L36.5 18L39 23.5L43.5 21L42 28Z",
        "M16.5 19.5h.1M23.5 16.5h.1M30 13.5h.1M36.5 16.5h.1M43.5 19.5h.1",
        "M30 31L45 51L30 71L15 51Z",
    ),
    "J": ("M17 28Q17 17 30 17Q43 17 43 28Z", "M40 20Q50 18 48 8Q40 10 39 19", "M30 34A17 17 0 1 1 29.9 34Z"),
}  # fmt: skip
CAP = (
    "M18 46C13 40 13 30 18 24C20 30 25 31 27 36C26 29 27 23 30 17C33 23 34 29 33 36C35 31 40 30 42 24"
    "C47 30 47 40 42 46Z"
)
BELLS = ((18, 22), (30, 15), (42, 22))
FRAME = '<rect class="face{0}" x=".5" y=".5" width="59" height="83" rx="5"/>'
STAR = "M0-13L3.2-4.3L12.4-4L5.1 1.6L7.6 10.5L0 5.4L-7.6 10.5L-5.1 1.6L-12.4-4L-3.2-4.3Z"
ROLES = {13: "Bazooka", 12: "Mortar", 9: "Shooter", 8: "Shooter", 7: "Shooter", 2: "Spy", 1: "Spy"}
EMBLEMS = {  # line drawings for Wargame's cards and for named cards, around the point (0, 0)
    "Spy": "M-13-2Q-7-7 0-3Q7-7 13-2Q11 6 5 5Q1 4 0 1Q-1 4-5 5Q-11 6-13-2ZM-7 0h3M4 0h3",
    "Shooter": "M9 0A9 9 0 1 1 9-.1M4 0A4 4 0 1 1 4-.1M0-13V-6M0 13V6M-13 0H-6M13 0H6",
    "Mortar": "M-10 9H8M-7 9L1-9L8-6L1 9M6-12Q11-13 13-9",
    "Bazooka": "M-13 3L9-8L12-3L-10 8ZM-4 4L-2 10M2 1L4 8",
    "": "M-9-9H9V1Q9 9 0 12Q-9 9-9 1ZM-9-3H9",
    "Conscription": "M-9-6A9 3.5 0 1 1 9-6A9 3.5 0 1 1-9-6V7A9 3.5 0 0 0 9 7V-6M-9-4L-4 9L0-2L4 9L9-4",
    "Raid": "M-2 13L0 2M-5 2H5M0 2Q-8-4-2-12Q-1-7 3-7Q6-1 0 2",
    "Cease-fire": "M-8 12V-12M-8-11Q-2-14 3-11T12-11V0Q8 3 3 0T-8 0",
    "Provocation": "M-11-3L6-10V9L-11 3ZM10-7L13-9M10 0H14M10 6L13 8",
    "Air Strike": "M0-12V8M-13 0L0-5L13 0M-5 11L0 8L5 11",
    "Supply Drop": "M-12-3Q-11-12 0-12Q11-12 12-3ZM-12-3L-4 5M12-3L4 5M0-3V5M-5 5H5V12H-5Z",
    "Forced March": "M-10-7L-3 0L-10 7M-2-7L5 0L-2 7M6-7L13 0L6 7",
    "Double Agent": "M-12-6Q-6-9 0-6V3Q-2 10-6 11Q-12 8-12 0ZM0-6Q6-9 12-6V0Q12 8 6 11Q2 10 0 3M-8 0h3M5 0h3",
    "Field Promotion": "M-10 2L0-6L10 2M-10 9L0 1L10 9M0-13V-9",
    "Reconnaissance": "M-13 0Q0-12 13 0Q0 12-13 0ZM4 0A4 4 0 1 1 4-.1",
    "Fighting Retreat": "M12 9Q12-5-2-5H-12M-7-11L-13-5L-7 1",
    "Veto": "M11 0A11 11 0 1 1 11-.1M-7.5-7.5L7.5 7.5",
    "Bulwark": "M-12 11V-6H-8V-2H-4V-6H-2V-2H2V-6H4V-2H8V-6H12V11ZM-3 11V5Q0 2 3 5V11",
    "Onslaught": "M-11 11L9-9M9-9V-2M9-9H2M11 11L-9-9M-9-9V-2M-9-9H-2",
    "Ledger": "M-11-9Q-5-12 0-9V11Q-5 8-11 11ZM11-9Q5-12 0-9M11-9V11Q5 8 0 11M-8-4h5M-8 1h5M3-4h5M3 1h5",
    "Jackpot": "M-11-10H11V10H-11ZM-4-10V10M4-10V10M-13 0H13",
    "Echo": "M-10 0h.1M-5-5Q-1 0-5 5M0-9Q6 0 0 9M5-12Q13 0 5 12",
}  # fmt: skip


LEAF = '<ellipse class="c-leaf" rx="2.4" ry="5" transform="rotate({} 30 42) translate(30 19.5) rotate(62)"/>'
WREATH = "".join(LEAF.format(angle) for n in (30, 190) for angle in range(n, n + 141, 28))
SHARED = {  # shapes that several cards use, by their ids
    **{f"p{suit}": f'<path id="p{suit}" d="{path}"/>' for suit, path in PIPS.items()},
    "pW": f'<g id="pW">{WREATH}</g>',
}


class Deck:
    """The cards that one page shows. Each card is drawn once, even if the page shows it several times.

    Cards are numbered in the order in which the page shows them, so that equal pages have equal bytes.
    """

    def __init__(self) -> None:
        self.drawn: dict[tuple[str, str], tuple[int, str]] = {}
        self.shown: dict[tuple[str, str], Markup] = {}

    def card(self, text: str, kind: str = "") -> Markup:
        """Return a reference to a card. `kind` is the key of the card's rule set.

        The text FACE_DOWN means the back of a card, and EMPTY a place without a card.
        """
        shown = self.shown.get((kind, text))
        if shown is None:
            number = len(self.drawn)
            self.drawn[kind, text] = (number, drawing(text, kind))
            label = escape(spoken_card(text, kind))
            shown = Markup(f'<svg class="pc" role="img" aria-label="{label}"><use href="#c{number}"/></svg>')
            self.shown[kind, text] = shown
        return shown

    def forget_after(self, count: int) -> None:
        """Remove all cards except the first `count` cards, because the page does not show the others."""
        for key in [*self.drawn][count:]:
            del self.drawn[key], self.shown[key]

    def symbols(self) -> Markup:
        """Return the definitions of the cards, which a page must contain once. Return "" without cards."""
        if not self.drawn:
            return Markup("")
        cards = "".join(
            f'<symbol id="c{number}" viewBox="0 0 60 84">{inside}</symbol>\n'
            for number, inside in self.drawn.values()
        )
        shared = "".join(shape for name, shape in SHARED.items() if f'"#{name}"' in cards)
        defined = f"<defs>{shared}\n{cards}</defs>"
        return Markup(f'<svg class="deck" width="0" height="0" aria-hidden="true">{defined}</svg>\n')


@lru_cache(maxsize=KEPT)
def spoken_card(text: str, kind: str = "") -> str:
    """Return the text of a card for screen readers. `kind` is the key of the card's rule set.

    >>> spoken_card("KS"), spoken_card("7D'"), spoken_card("RJ"), spoken_card("13", "wargame")
    ('king of spades', '7 of diamonds, second pack', 'red Joker', '13, Bazooka')
    """
    suited, joker = SUITED.fullmatch(text), JOKER.fullmatch(text)
    if text in (FACE_DOWN, EMPTY):
        return "a card face down" if text == FACE_DOWN else "no card"
    if suited:
        return f"{RANKS.get(suited[1], suited[1])} of {SUITS[suited[2]]}{pack_words(suited[3])}"
    if joker:
        colours = {"RJ": "red Joker", "BJ": "black Joker"}
        return colours.get(joker[1], f"Joker {joker[1][1:]}") + pack_words(joker[2])
    role = ROLES.get(int(text)) if kind == "wargame" and text.isdecimal() else None
    return f"{text}, {role}" if role else RANKS.get(text, clean(text))


def pack_words(primes: str) -> str:
    """Return words for the pack to which a card belongs, or "" for the first pack."""
    return f", {('second', 'third', 'fourth')[min(len(primes), 3) - 1]} pack" if primes else ""


@lru_cache(maxsize=KEPT)
def drawing(text: str, kind: str) -> str:
    """Return the SVG elements of a card's picture, without an enclosing element.

    `kind` is the key of the card's rule set.
    """
    suited, joker = SUITED.fullmatch(text), JOKER.fullmatch(text)
    if text == FACE_DOWN:
        return back()
    if text == EMPTY:
        return FRAME.format(" none")
    if suited:
        return suit_card(suited[1], suited[2], suited[3])
    if joker:
        return joker_card(joker[1], joker[2])
    special = SPECIAL.get(kind)
    return special(text) if special and len(text) < 3 else name_card(text)


def suit_card(rank: str, suit: str, primes: str) -> str:
    if rank == "A":
        body = pip(suit, 30, 42, 1.6)
    elif rank in ARMS:
        body = court(rank, suit)
    else:
        body = "".join(pip(suit, x, y, 0.5, y > CENTRE) for x, y in PLACES[rank])
    return face(primes) + f'<g class="ink{suit}">{corners(rank + "′" * len(primes), suit)}{body}</g>'


def face(primes: str) -> str:
    """Return the background of a card. Cards of the second pack have another shade."""
    return FRAME.format(" second" if primes else "")


def corners(rank: str, suit: str = "") -> str:
    """Return the rank and suit for the top-left corner and, upside down, for the bottom-right corner."""
    corner = f'<text class="c-rank" x="8" y="16">{rank}</text>' + (pip(suit, 8, 24, 0.42) if suit else "")
    return f'{corner}<g transform="rotate(180 30 42)">{corner}</g>'


def pip(suit: str, x: float, y: float, scale: float, turned: bool = False) -> str:
    turn = " rotate(180)" if turned else ""
    return f'<use href="#p{suit}" transform="translate({x:g} {y:g}) scale({scale:g}){turn}"/>'


def court(rank: str, suit: str) -> str:
    hat, ornament, shield = ARMS[rank]
    return (
        f'<path class="c-gold" d="{hat}"/><path class="c-line" d="{ornament}"/>'
        f'<path class="c-arms" d="{shield}"/>{pip(suit, 30, 51, 0.95)}'
    )


def joker_card(name: str, primes: str) -> str:
    ink = "H" if name == "RJ" else "S"
    bells = "".join(f'<circle class="c-gold" cx="{x}" cy="{y}" r="3"/>' for x, y in BELLS)
    number = name[1:] if name[0] == "J" else "★"
    return (
        f'{face(primes)}<g class="ink{ink}">{corners(number + "′" * len(primes))}<path d="{CAP}"/>{bells}'
        '<path class="c-gold" d="M17 47H43V52H17Z"/><text class="c-small" x="30" y="65">JOKER</text></g>'
    )


def back() -> str:
    """Return the back of a card, which shows lozenges in a frame."""
    net = "".join(f"M{x} 6L{x + 12} 30L{x} 54L{x + 12} 78" for x in (6, 18, 30, 42))
    mirrored = "".join(f"M{x + 12} 6L{x} 30L{x + 12} 54L{x} 78" for x in (6, 18, 30, 42))
    return (
        FRAME.format(" back") + '<rect class="c-inset" x="5" y="5" width="50" height="74" rx="2"/>'
        f'<path class="c-net" d="{net}{mirrored}"/>'
    )


def number_card(text: str) -> str:
    """Return a card of Wargame: a large number, and below it the meaning of the number."""
    role = ROLES.get(int(text)) if text.isdecimal() else ""
    kind = {"Spy": "D", "Shooter": "C", "Mortar": "H", "Bazooka": "H"}.get(role or "", "S")
    name = f'<text class="c-small" x="30" y="79">{role}</text>' if role else ""
    return (
        f'{FRAME.format("")}<g class="ink{kind}"><path class="c-band" d="M1 44H59V67H1Z"/>'
        f'<text class="c-number" x="30" y="36">{escape(clean(text))}</text>'
        f"{emblem(role or '', 55.5, 0.72)}{name}</g>"
    )


def rank_card(text: str) -> str:
    """Return a card of Strategy WAR: its rank in a wreath. Suits do not count."""
    return (
        f'{FRAME.format("")}<rect class="c-inset" x="4" y="4" width="52" height="76" rx="3"/><g class="inkD">'
        f'<use href="#pW"/><text class="c-number" x="30" y="53">{escape(clean(text))}</text></g>'
    )


def name_card(text: str) -> str:
    """Return a card with a name, such as a card of Warmonger: a banner with the name, and an emblem."""
    name = clean(text)
    lines = wrap(name, 10, break_long_words=False, break_on_hyphens=False)[:3]
    first = 68.5 - 4.5 * len(lines)
    title = "".join(
        f'<text class="c-title" x="30" y="{first + 9 * n:g}"{squeeze(line)}>{escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    bare_name = name.lstrip("0123456789 ")
    mark = (
        emblem(bare_name, 27, 1)
        if bare_name in EMBLEMS and bare_name
        else f'<path d="{STAR}" transform="translate(30 27)"/>'
    )
    return f'{FRAME.format("")}<g class="inkH">{mark}</g><path class="c-ribbon" d="M1 46H59V79H1Z"/>{title}'


def squeeze(line: str) -> str:
    """Return SVG attributes that squeeze a line of a name into the width of the card."""
    return ' textLength="54" lengthAdjust="spacingAndGlyphs"' if len(line) > 10 else ""


def emblem(name: str, y: float, scale: float) -> str:
    """Return an emblem drawn in lines, in the middle of the card at the height `y`."""
    return f'<path class="c-line" transform="translate(30 {y:g}) scale({scale:g})" d="{EMBLEMS[name]}"/>'


SPECIAL: dict[str, Callable[[str], str]] = {"wargame": number_card, "strategy-war": rank_card}
