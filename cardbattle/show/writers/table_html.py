"""Show the table of a battle as HTML. A player answers by pressing cards, places and sides.

The attribute `data-part` of an element names its card, place or side, as in `card:KH`, `place:3` or
`side:york`. The function `option_keys` names the cards, places and sides of an option in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from markupsafe import Markup

from cardbattle.core.telling import Card, Name
from cardbattle.show.writers.battle_html import BattleHtml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.telling import Grid, Parts
    from cardbattle.show.svg.deck import Deck

KINDS = {"cards": "card", "numbers": "place", "sides": "side"}  # the kinds of parts that the table can show


def option_keys(parts: Mapping[str, object]) -> list[str]:
    """Return the names of the cards, places and sides of an option. `parts` is from `Session.option_parts`.

    >>> option_keys({"verb": "deploy", "cards": ["13"], "numbers": [4]})
    ['card:13', 'place:4']
    """
    keys = []
    for field, kind in KINDS.items():
        values = parts.get(field, [])
        assert isinstance(values, list)
        keys += [f"{kind}:{value}" for value in values]
    return keys


class TableHtml(BattleHtml):
    """Writes what the side that must choose can see.

    `keys` has the keys of all sides, and `seat` is the number of the side that must choose.
    """

    def __init__(self, names: list[str], kind: str, deck: Deck, keys: Sequence[str], seat: int) -> None:
        super().__init__(names, kind, deck)
        self.keys = keys
        self.seat = seat

    def said(self, parts: Parts) -> Markup:
        """Return a sentence in which each card has its `data-part`."""
        pieces = [
            with_part("card", part.text, self.part(part)) if isinstance(part, Card) else self.part(part)
            for part in parts
        ]
        return Markup("").join(pieces)

    def draw_card(self, card: Card) -> Markup:
        """Return a card as a picture with its `data-part`."""
        return with_part("card", card.text, super().draw_card(card))

    def column_attributes(self, grid: Grid, column: int) -> str:
        """Return the `data-part` of a column if its heading is the number of a place, and otherwise ""."""
        head = "".join(map(str, grid.head[column]))
        return f' data-part="place:{head}"' if head.isdecimal() else ""

    def row_attributes(self, label: Parts) -> str:
        """Return the `data-part` of a row that shows a side, or "" for other rows.

        The player's own row is marked.
        """
        if not label or not isinstance(label[0], Name):
            return ""
        own = " data-own" if label[0].seat == self.seat else ""
        return Markup(' data-part="side:{}"{}').format(self.keys[label[0].seat], Markup(own))


def with_part(kind: str, value: str, html: Markup) -> Markup:
    """Return HTML inside an element with the attribute `data-part`."""
    return Markup('<span data-part="{}:{}">{}</span>').format(kind, value, html)
