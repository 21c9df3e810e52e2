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

OMITTED_SETTINGS = ("turn", "turn_name", "notice", "reported")  # values of the campaign without a sentence
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
    has_reason = bool(entry.reason) and entry.kind in REASONED
    settings = [change for change in entry.changes if has_reason and is_setting(change.key)]
    describer = ChangeDescriber(campaign, entry, raised)
    for change in entry.changes:
        if change in settings or is_detail_of_substitute(change):
            continue
        if sentence := describer.sentence(change):
            yield sentence
    roads = [change for change in settings if change.key == ("road",)]
    for change in roads:
        yield from road_sentences(campaign, change)
    yield from setting_sentences(campaign, [change for change in settings if change not in roads])


class ChangeDescriber:
    """Describes the changes of one entry, each with what the others say about the same force.

    `raised` has the strength of each force that takes part again, or None if the reader does not know it.
    """

    def __init__(self, campaign: Campaign, entry: Entry, raised: Mapping[str, int | None]) -> None:
        self.campaign = campaign
        self.entry = entry
        self.raised = raised
        self.new_tables = {
            change.key for change in entry.changes if is_table(change.key) and not is_rename(change)
        }
        self.returning = {*self.forces_that_change("prisoner_of", to=False)}
        self.destroyed = {*self.forces_that_change("destroyed")}
        self.without_leader = {*self.forces_that_change("fallen"), *self.forces_that_change("prisoner_of")}
        cornered = {change.key[1] for change in entry.changes if change.text in CORNERED_VERBS}
        self.worn_out = {
            change.key[1] for change in entry.changes if self.is_loss(change)
        } & self.destroyed - cornered  # destroyed by the losses of this entry

    def forces_that_change(self, name: str, *, to: bool = True) -> Iterator[str]:
        """Yield the forces of which a value changes to something, or with `to` False, to nothing."""
        for change in self.entry.changes:
            if change.key[0] == "forces" and change.key[2:] == (name,) and bool(change.after) == to:
                yield change.key[1]

    def is_loss(self, change: Change) -> bool:
        return is_strength(change.key) and self.entry.kind in LOSSES

    def sentence(self, change: Change) -> str:
        """Return a sentence about a change, or "" if there is nothing to say."""
        if change.key in self.new_tables:
            return arrival_sentence(self.campaign, self.entry, change)
        if can_have_failure(change.key) and (failure := failure_in(change.text)):
            return failed_order_sentence(self.campaign, self.entry, change, failure)
        if change.key[:2] not in self.new_tables and not is_battle(change.key) and len(change.key) == 3:
            return self.force_sentence(change) if change.key[0] == "forces" else self.value_sentence(change)
        has_sentence = len(change.key) == 1 and change.key[0] not in OMITTED_SETTINGS
        return describe_change(self.campaign, change) if has_sentence else ""

    def force_sentence(self, change: Change) -> str:
        """Describe a value of a force that other changes of the entry can explain, or any other value."""
        force, value = change.key[1:]
        if value == "commander" and force in self.returning | self.destroyed:
            return ""  # the leader who returns commands, and a destroyed force needs no commander
        if value == "commander" and self.entry.kind == AFTERMATH and force not in self.without_leader:
            return promotion_sentence(self.campaign, change)
        if value == "destroyed":
            return self.end_or_return(change)
        if is_stay(change):
            return with_verb(short_name(self.campaign, "forces", force), CORNERED_VERBS[STAYS])
        if self.is_loss(change):
            is_last = force in self.worn_out
            clause = loss_sentence(self.campaign, change, self.entry.kind, is_last=is_last)
            return f"{clause}{unit_gains(self.entry.changes, force)}"
        return self.value_sentence(change)

    def end_or_return(self, change: Change) -> str:
        """Say how a force is destroyed, or that it takes part again."""
        force = change.key[1]
        if verb := no_retreat_verb(self.campaign, self.entry, change):
            return with_verb(short_name(self.campaign, "forces", force), verb)
        if is_return(change) and (strength := self.raised.get(force)) is not None:
            return f"{destruction_sentence(self.campaign, change)}, with strength {strength}"
        # the sentence about its last losses says that it is destroyed
        return "" if force in self.worn_out else self.value_sentence(change)

    def value_sentence(self, change: Change) -> str:
        """Describe a single value of a force, a faction or a place."""
        table, key, name = change.key
        describe = IN_PHASES.get((self.entry.kind, name)) or VALUES.get((table, name))
        if describe is not None:
            units = unit_gains(self.entry.changes, key) if is_strength(change.key) else ""
            return f"{describe(self.campaign, change)}{units}"
        has_reason = bool(self.entry.reason) and self.entry.kind in REASONED
        omitted = OMITTED_WITH_REASON if has_reason else OMITTED_VALUES
        is_omitted = table == "sealed_orders" or (table, name) in omitted
        return "" if is_omitted else describe_change(self.campaign, change)


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
OMITTED_VALUES = (
    ("forces", "location"), ("forces", "experience"), ("forces", "full"), ("forces", "towards"),
    ("forces", "leader_rank"), ("forces", "deputy"), ("forces", "retreat"),
    ("forces", "walked"), ("forces", "march"), ("forces", "motto"), ("forces", "badge"),
    ("factions", "motto"), ("factions", "badge"),
    ("forces", "plural"), ("factions", "plural"), ("locations", "plural"),
)  # fmt: skip
REASONED = ("set", "adjust", "edit", "add", "remove", "move")  # the umpire's own changes, with a reason
OMITTED_WITH_REASON = (
    ("forces", "location"), ("forces", "towards"), ("forces", "walked"), ("forces", "leader_rank"),
    ("forces", "plural"), ("factions", "plural"), ("locations", "plural"),
)  # also left out beside the umpire's reason; the first three are described as a march  # fmt: skip
