"""Check the wording of orders before they are sealed: an opened order cannot be corrected."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.battles.messages.answer_text import ENDING, MARKUP, STANDING
from cardbattle.campaign.exchange.orders.lines import LINE
from cardbattle.campaign.exchange.orders.message import opened_orders
from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.exchange.orders.remarks import is_only_remark, split_remark
from cardbattle.campaign.exchange.orders.words import (
    ALSO,
    AVOID,
    BEGINS_IN_ANY_FORM,
    GOAL,
    VIA,
    misspelt_verb,
)
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.names import quoted


def wording_errors(campaign: Campaign, faction: str, text: str) -> list[str]:
    """Return the errors that the orders of a faction will have when they are opened, and what is ignored."""
    orders = opened_orders(OrderParser(campaign, faction), faction, text)
    if not (orders.given or orders.errors):
        return ["the text contains no order; write FORCE: ORDER"]
    return [*(error.text for error in orders.errors), *orders.notes]


def wording_doubts(text: str) -> Iterator[str]:
    """Yield what may be wrong with orders, as far as the words show it without the campaign.

    Answers in a battle have no doubts.

    >>> [*wording_doubts("guard: march to Wem, but not past it; mil: hold, avoid battle")]
    ['guard: "but not past it" behind "march to Wem" is not read; leave it out']
    """
    for line in LINE.finditer("" if STANDING.match(text) else text):
        force, given = line["force"].strip(), line["order"].strip(MARKUP + ENDING)
        order = ALSO.sub("", GOAL.sub("", AVOID.sub("", given)))
        corrected = misspelt_verb(order)
        if not BEGINS_IN_ANY_FORM.match(order):
            if BEGINS_IN_ANY_FORM.match(corrected):
                yield f"{force}: cannot read {quoted(given)}; did you mean {quoted(corrected)}?"
            continue
        for begin, remark in split_remark("" if VIA.search(order) else order):
            if not is_only_remark(remark, ()):
                bare = remark.strip(f"{MARKUP}{ENDING}-:")
                yield f"{force}: {quoted(bare)} behind {quoted(begin)} is not read; leave it out"
                break
