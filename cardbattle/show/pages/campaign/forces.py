"""Describe forces: where they are, their units, and what the units lost or gained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.undo import number_or_zero
from cardbattle.campaign.state.changes import is_unit
from cardbattle.core.grammar import mid_sentence, unit_noun, with_verb
from cardbattle.core.names import clean, listed
from cardbattle.show.document import KEYED, Item, Items

if TYPE_CHECKING:
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign, Force

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"
)  # fmt: skip
MOST_NAMED = 4  # units in a sentence


def position_text(campaign: Campaign, force: Force) -> str:
    """Return the position of a force: `Wem`, or `Wem, on the road to Chester (1 of 3 steps)`.

    Return "" if the position is unknown, or if the force is destroyed.
    """
    if force.location is None or force.destroyed:
        return ""
    place = str(campaign.location_name(force.location))
    if force.towards is None:
        return place
    length = campaign.roads.length(force.location, force.towards)
    towards = campaign.location_name(force.towards)
    return f"{place}, on the road to {towards} ({force.walked} of {length} steps)"


def leader_text(campaign: Campaign, force: Force) -> str:
    """Return the leader of a force, such as `Captain Rhys` or `Captain Rhys (prisoner of the Crown)`.

    Return "" if the force has no leader, or if the reader does not know the leader.
    """
    if not force.leader:
        return ""
    state = ""
    if force.prisoner_of is not None:
        state = f" (prisoner of {mid_sentence(campaign.faction_name(force.prisoner_of))})"
    elif force.fallen:
        state = " (fallen)"
    elif force.destroyed:
        state = " (without a force)"
    return clean(f"{force.leader}{state}")


def has_leaders(campaign: Campaign) -> bool:
    """Return True if the reader knows the leader of any force."""
    return any(force.leader for force in campaign.forces.values())


def name_with_heading(campaign: Campaign, key: str) -> str:
    """Return the name of a force.

    If it is on a road, its direction follows: `Percy (on the road to Chester)`.
    """
    name, towards = str(campaign.display_name(key)), campaign.forces[key].towards
    return f"{name} (on the road to {campaign.location_name(towards)})" if towards else name


def unit_words(force: Force) -> str:
    """Return a force's units and their strengths, such as `archers 4, spears 2`, or "" if it has no units."""
    return clean(", ".join(f"{name} {strength}" for name, strength in force.units.items()))


def strength_with_units(strength: str, force: Force) -> str:
    """Return a strength, followed by the units of the force in brackets."""
    words = unit_words(force)
    return f"{strength} ({words})" if words else strength


def unit_items(campaign: Campaign) -> Items:
    """Return a list of the units of each force that has any units and is not destroyed."""
    rows = [
        (clean(campaign.display_name(key)), unit_words(force))
        for key, force in campaign.forces.items()
        if force.units and not force.destroyed
    ]
    facts = [f"units of {name}: {words}" for name, words in rows]
    return Items([Item(name, words) for name, words in rows], KEYED, facts)


def unit_gains(changes: Iterable[Change], force: str) -> str:
    """Return what the units of a force gained or lost, such as ` (archers -2, spears +1)`.

    Return "" if no unit changed.
    """
    gains = [
        f"{change.key[3]} {number_or_zero(change.after) - number_or_zero(change.before):+}"
        for change in changes
        if is_unit(change.key) and change.key[1] == force
    ]
    return clean(f" ({', '.join(gains)})") if gains else ""


def unit_losses(changes: Iterable[Change]) -> Iterator[tuple[str, str, int, int]]:
    """Yield a tuple (force, unit, lost strength, strength before) for each loss of a unit in an entry."""
    for change in changes:
        before, after = change.before, change.after
        if is_unit(change.key) and isinstance(before, int) and isinstance(after, int) and after < before:
            yield change.key[1], change.key[3], before - after, before


def unit_loss_sentence(changes: Iterable[Change]) -> str:
    """Return a clause about the heaviest losses of units, or "" if no unit had losses.

    Example: `the Cheshire archers lose three of four, the Flint spears one of six`.
    """
    losses = sorted(unit_losses(changes), key=lambda loss: -loss[2] / loss[3])[:MOST_NAMED]
    phrases: list[str] = []
    for _, unit, lost, of in losses:
        number = f"all {number_word(of)}" if lost == of > 1 else f"{number_word(lost)} of {number_word(of)}"
        name = unit_noun(unit)
        phrases.append(f"{name} {number}" if phrases else f"{with_verb(name, 'loses|lose')} {number}")
    return clean(listed(phrases)) if phrases else ""


def number_word(number: int) -> str:
    """Return a number as a word, if it is not negative and at most twelve."""
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)
