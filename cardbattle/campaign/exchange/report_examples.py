"""Examples of reports about the result of a battle, for messages, sheets and errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from cardbattle import rules
from cardbattle.campaign.ledger.roster import keys_for
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.names import listed

NO_EXAMPLE = 3  # the number of examples in a message
EXAMPLE = "mill/birch: birch won, birch lost 1/4, lunsford lost 1/2"  # if no battle is known


class ExampleLosses(NamedTuple):
    """Losses for the examples of reports, as shares of a side."""

    winner: str = "1/4"
    loser: str = "1/2"
    drawn: str = "1/3"


def losses_in_parts(parts: int) -> ExampleLosses:
    """Return losses for examples by rules in which a side loses some of these equal parts.

    0 parts mean that any share is possible.

    >>> losses_in_parts(5)
    ExampleLosses(winner='1/5', loser='3/5', drawn='2/5')
    """
    if not parts:
        return ExampleLosses()
    return ExampleLosses(*(f"{lost}/{parts}" for lost in (parts // 4, parts // 2 + 1, parts // 2)))


def example_losses(campaign: Campaign, battle: Pending) -> ExampleLosses:
    """Return losses for examples that the rules of a pending battle can give."""
    if rules.is_not_installed(campaign.rules_key(battle)):
        return ExampleLosses()
    return losses_in_parts(campaign.rules_of(battle).loss_parts)


def is_example(number: int, text: str) -> bool:
    """Return True if a line is the example with this number in a message. The first has the number 0."""
    parts = {0, *(rule_set.loss_parts for rule_set in rules.every())}
    return number < NO_EXAMPLE and any(patterns(each)[number].fullmatch(text) for each in parts)


@cache
def patterns(parts: int) -> Sequence[re.Pattern[str]]:
    """Return a pattern for each example in a message about a battle by rules with these parts of losses."""
    winner, loser, drawn = losses_in_parts(parts)
    key = r"[\w-]+"
    others = rf"(?:, {key} lost {winner})*"
    return (
        re.compile(rf"- ({key}) won, \1 lost {winner}, {key} lost {loser}{others}"),
        re.compile(rf"- (?:a draw|{key} won), {key} lost {drawn}, {key} lost none{others}"),
        re.compile(rf"- {key} declined"),
    )


def can_be_drawn(campaign: Campaign, battle: Pending) -> bool:
    """Return False if the rules of a pending battle always name one winner."""
    is_unknown = rules.is_not_installed(campaign.rules_key(battle))
    return is_unknown or campaign.rules_of(battle).can_be_drawn


def example_reports(
    sides: Sequence[str], side: str, losses: ExampleLosses, *, can_be_drawn: bool = True
) -> list[str]:
    """Return the examples of reports in the message to one of the sides of a battle.

    By the rules of some battles, there is always one winner.
    """
    first, second, *more = sides
    winner, loser, drawn = losses
    others = [f"{key} lost {winner}" for key in more]
    without_winner = "a draw" if can_be_drawn else f"{second} won"
    return [
        ", ".join([f"{first} won", f"{first} lost {winner}", f"{second} lost {loser}", *others]),
        ", ".join([without_winner, f"{first} lost {drawn}", f"{second} lost none", *others]),
        f"{side} declined",
    ]


def examples_of(campaign: Campaign, battle: Pending, side: str, *, can_decline: bool = True) -> list[str]:
    """Return the examples of reports in the message to those in whose name the force `side` reports.

    The last example says that the side declines. It is left out for a player who has fought the battle.
    """
    examples = examples_with(campaign, battle, side, example_losses(campaign, battle))
    return examples if can_decline else examples[:-1]


def known_examples(campaign: Campaign, battle: Pending, side: str) -> list[str]:
    """Return the examples that a message about a battle can have, also a message of an older version."""
    losses = dict.fromkeys((example_losses(campaign, battle), ExampleLosses()))
    return [example for each in losses for example in examples_with(campaign, battle, side, each)]


def examples_with(campaign: Campaign, battle: Pending, side: str, losses: ExampleLosses) -> list[str]:
    is_drawn = can_be_drawn(campaign, battle)
    return example_reports(keys_for(battle, side), side, losses, can_be_drawn=is_drawn)


def example_of(campaign: Campaign, battle: Pending, sender: str = "", report: str = "") -> str:
    """Return an example of a report about a battle, with its own sides.

    `sender` is the side that reports. If no side has this key, the first side reports. If `report`, the
    player's report, mention that a side declined, the examples say this of each side.
    """
    losses = example_losses(campaign, battle)
    lost = [f"{key} lost {losses.loser if place else losses.winner}" for place, key in enumerate(battle.keys)]
    side = sender if sender in battle.keys else battle.keys[0]
    if re.search("declin|refuse", report, re.IGNORECASE):
        return listed((f"{battle.id}/{side}: {key} declined" for key in battle.keys), "or")
    return f"{battle.id}/{side}: {battle.keys[0]} won, {', '.join(lost)}"
