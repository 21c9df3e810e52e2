"""The changes of a ledger entry, as sentences of a chronicle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.ledger import AFTERMATH
from cardbattle.campaign.state.changes import is_battle, is_rename, is_stay, is_strength, is_table
from cardbattle.campaign.state.tables.aftermath import DESTROYED, STAYS, SURRENDERS
from cardbattle.campaign.state.tables.march_orders import can_have_failure, failure_in
from cardbattle.campaign.visibility.reader import ALL
from cardbattle.campaign.visibility.redaction import is_setting
from cardbattle.core.grammar import Noun, mid_sentence, together, with_verb
from cardbattle.core.telling import counted
from cardbattle.show.pages.campaign.forces import unit_gains
from cardbattle.show.pages.campaign.history import (
    describe_change,
    describe_changes,
    is_detail_of_substitute,
    name_today,
    without_detail,
)
from cardbattle.show.pages.campaign.reports.marches import failed_order_sentence
from cardbattle.show.pages.campaign.reports.setting_words import rule_clause
from cardbattle.show.pages.campaign.reports.value_sentences import (
    IN_PHASES,
    LOSSES,
    VALUES,
    destruction_sentence,
    loss_sentence,
    promotion_sentence,
    short_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign

RETREATED = {"strength", "location", "towards", "walked"}  # values that a retreat and a pursuit change


def is_return(change: Change) -> bool:
    """Return True if a destroyed force takes part again."""
    return change.key[0] == "forces" and change.key[2:] == ("destroyed",) and not change.after


def event_change_sentences(
    campaign: Campaign, entry: Entry, raised: Mapping[str, int | None] = {}
) -> Iterator[str]:
    """Yield a sentence for each change of an entry, except for marches.

    `raised` has the strength of each force that takes part again, or None if the reader does not know it.
    Settings, and values without a sentence of their own, are described only beside the umpire's reason.
    """
    new = {change.key: change for change in entry.changes if is_table(change.key) and not is_rename(change)}
    returning = {
        change.key[1]
        for change in entry.changes
        if change.key[0] == "forces" and change.key[2:] == ("prisoner_of",) and not change.after
    }
    destroyed = {
        change.key[1]
        for change in entry.changes
        if change.key[0] == "forces" and change.key[2:] == ("destroyed",) and change.after
    }
    cornered = {change.key[1] for change in entry.changes if change.text in CORNERED_VERBS}
    lost = {
        change.key[1]
        for change in entry.changes
        if change.key[0] == "forces" and change.key[2:] in (("fallen",), ("prisoner_of",)) and change.after
    }
    spent = {
        change.key[1] for change in entry.changes
        if is_strength(change.key) and entry.kind in LOSSES and change.key[1] in destroyed - cornered
    }  # fmt: skip
    has_reason = bool(entry.reason) and entry.kind in REASONED
    settings = [change for change in entry.changes if has_reason and is_setting(change.key)]
    roads = [change for change in settings if change.key == ("road",)]
    for change in (change for change in entry.changes if change not in settings):
        if is_detail_of_substitute(change):
            continue
        if change.key in new:
            yield arrival_sentence(campaign, entry, change)
        elif can_have_failure(change.key) and (failure := failure_in(change.text)):
            yield failed_order_sentence(campaign, entry, change, failure)
        elif change.key[:2] not in new and not is_battle(change.key) and len(change.key) == 3:
            word = (change.key[0], change.key[2])
            if word == ("forces", "commander") and change.key[1] in returning | destroyed:
                continue  # the leader who returns commands, and a destroyed force needs no commander
            if word == ("forces", "commander") and entry.kind == AFTERMATH and change.key[1] not in lost:
                yield promotion_sentence(campaign, change)
                continue
            if word == ("forces", "destroyed") and (verb := no_retreat_verb(campaign, entry, change)):
                yield with_verb(short_name(campaign, "forces", change.key[1]), verb)
                continue
            if is_return(change) and (strength := raised.get(change.key[1])) is not None:
                yield f"{destruction_sentence(campaign, change)}, with strength {strength}"
                continue
            if word == ("forces", "destroyed") and change.key[1] in spent:
                continue  # the sentence about its last losses says so
            if is_stay(change):
                yield with_verb(short_name(campaign, "forces", change.key[1]), CORNERED_VERBS[STAYS])
                continue
            if is_strength(change.key) and entry.kind in LOSSES:
                clause = loss_sentence(campaign, change, entry.kind, is_last=change.key[1] in spent)
                yield f"{clause}{unit_gains(entry.changes, change.key[1])}"
                continue
            describe = IN_PHASES.get((entry.kind, word[1])) or VALUES.get(word)
            if describe is not None:
                units = unit_gains(entry.changes, change.key[1]) if is_strength(change.key) else ""
                yield f"{describe(campaign, change)}{units}"
            elif change.key[0] != "sealed_orders" and word not in (
                UNTOLD_WITH_REASON if has_reason else UNTOLD_VALUES
            ):
                yield describe_change(campaign, change)
        elif len(change.key) == 1 and change.key[0] not in ("turn", "turn_name", "notice", "reported"):
            yield describe_change(campaign, change)
    for change in roads:
        yield from road_sentences(campaign, change)
    yield from setting_sentences(campaign, [change for change in settings if change not in roads])


def setting_sentences(campaign: Campaign, changes: Sequence[Change]) -> Iterator[str]:
    """Yield a sentence for each new rule, and one for all settings that have no words of their own."""
    clauses = [(change, rule_clause(change)) for change in without_detail(changes)]
    yield from (f"new rule: {clause}" for _, clause in clauses if clause)
    if other := [change for change, clause in clauses if not clause]:
        yield f"settings: {'; '.join(describe_changes(campaign, other))}"


def road_sentences(campaign: Campaign, change: Change) -> Iterator[str]:
    """Yield a sentence for each road that is new, has a new length, or no longer exists."""
    before, after = map(road_lengths, (change.before, change.after))
    for road in {**before, **after}:
        ends = together([short_name(campaign, "locations", end) for end in road])
        if road not in before:
            yield f"a new road of {counted(after[road], 'step')} joins {ends}"
        elif road not in after:
            yield f"the road between {ends} is gone"
        elif before[road] != after[road]:
            length = f"{counted(after[road], 'step')} instead of {before[road]}"
            yield f"the road between {ends} now takes {length}"


def road_lengths(roads: object) -> dict[tuple[str, ...], int]:
    """Return the length of each road, by the places at its ends."""
    assert roads is None or isinstance(roads, list)
    return {tuple(road["between"]): int(road.get("length", 1)) for road in roads or ()}


def no_retreat_verb(campaign: Campaign, entry: Entry, change: Change) -> str:
    """Return the verb for a force that could not retreat after a battle, with its singular and plural.

    The verb is empty for any other change, and if the reader may not know that the force could not retreat.
    `change` is the change that destroyed the force. Older ledgers do not have the rule for forces that cannot
    retreat. The rule is then the one of the campaign, and a force that has moved was destroyed in the
    pursuit. If movements can be hidden from the reader, that rule is not used.
    """
    if entry.kind != AFTERMATH or not change.after:
        return ""
    if change.text:
        return CORNERED_VERBS.get(change.text, "")
    words = {each.key[2] for each in entry.changes if each.key[:2] == change.key[:2]}
    rule = campaign.aftermath.no_retreat if campaign.aftermath else ""
    is_known = campaign.visibility.location == ALL and rule == SURRENDERS and not words & RETREATED
    return CORNERED_VERBS[SURRENDERS] if is_known else ""


CORNERED_VERBS = {
    SURRENDERS: "has no way to retreat, and surrenders|have no way to retreat, and surrender",
    DESTROYED: "has no way to retreat, and is destroyed|have no way to retreat, and are destroyed",
    STAYS: "has no way to retreat, and stays|have no way to retreat, and stay",
}


def arrival_sentence(campaign: Campaign, entry: Entry, change: Change) -> str:
    table, key = change.key
    values = {
        value.key[2]: value.after
        for value in entry.changes
        if value.key[:2] == change.key and len(value.key) == 3
    }
    name = name_today(campaign, table, key)
    if values.get("name") and values["name"] != name:
        plural = values.get("plural")
        name = Noun(str(values["name"]), plural if isinstance(plural, bool) else None)
    name = mid_sentence(name)
    if change.after is None:
        return f"{with_verb(name, DEPARTURES[table][0])} {DEPARTURES[table][1]}"
    if table == "factions":
        return f"{with_verb(name, 'enters|enter')} the war"
    if table == "locations":
        return f"{with_verb(name, 'is|are')} now on the map"
    owner = f" for {short_name(campaign, 'factions', values['faction'])}" if "faction" in values else ""
    strength = f", {values['strength']} strong" if "strength" in values else ""
    place = f", at {short_name(campaign, 'locations', values['location'])}" if "location" in values else ""
    return f"{with_verb(name, 'takes|take')} the field{owner}{strength}{place}"


DEPARTURES = {
    "factions": ("leaves|leave", "the war"),
    "forces": ("leaves|leave", "the field"),
    "locations": ("is|are", "no longer on the map"),
}
UNTOLD_VALUES = (
    ("forces", "location"), ("forces", "experience"), ("forces", "full"), ("forces", "towards"),
    ("forces", "leader_rank"), ("forces", "deputy"), ("forces", "retreat"),
    ("forces", "walked"), ("forces", "march"), ("forces", "motto"), ("forces", "badge"),
    ("factions", "motto"), ("factions", "badge"),
    ("forces", "plural"), ("factions", "plural"), ("locations", "plural"),
)  # fmt: skip
REASONED = ("set", "adjust", "edit", "add", "remove", "move")  # the umpire's own changes, with a reason
UNTOLD_WITH_REASON = (
    ("forces", "location"), ("forces", "towards"), ("forces", "walked"), ("forces", "leader_rank"),
    ("forces", "plural"), ("factions", "plural"), ("locations", "plural"),
)  # also left out beside the umpire's reason; the first three are described as a march  # fmt: skip
