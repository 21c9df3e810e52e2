"""Limit a campaign to the facts that one reader may know. A reader is a faction, the public or the umpire.

`visible_to` builds a campaign of the same shape that contains only these facts. The reduced campaign omits
hidden places, commanders and battles, the seed, the custom fields that only the umpire may read, and the
ledger's lines. Every output format prints this reduced campaign, so no format can reveal more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from cardbattle.battles.records.reader_view import Report, report_of, table_for
from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.history import (
    PastSetting,
    concerns,
    each_today,
    entry_today,
    first_of_turn,
    force_today,
    is_about,
    record_in,
    setting_changes,
    span_today,
    value_then,
)
from cardbattle.campaign.ledger.ledger import AFTERMATH, CONTACT, MOVEMENT, SETUP_KINDS, TURNS, Entry, Ledger
from cardbattle.campaign.state.apply import side_of
from cardbattle.campaign.state.battle_result import battle_result_text, loss_text
from cardbattle.campaign.state.changes import PENDING, Change, Key, is_battle, pending
from cardbattle.campaign.state.fields import own_keys
from cardbattle.campaign.state.model import (
    Attrition,
    Calendar,
    Campaign,
    Force,
    Pending,
    read_campaign,
)
from cardbattle.campaign.state.tables.aftermath import STAYS, AftermathSettings
from cardbattle.campaign.state.tables.event_checks import PUBLIC as PUBLIC_READER
from cardbattle.campaign.state.tables.fixtures import Round
from cardbattle.campaign.visibility.leaders import (
    LeaderFields,
    changes_of,
    ends_for_former_leaders,
    is_about_command,
    leader_fields,
    leaders_by_entry,
    name_of_captive,
    names_of_prisoners,
    rank_restorations,
    with_leaders,
)
from cardbattle.campaign.visibility.past_values import (
    PastValue,
    RemovedPart,
    past_values,
    placements,
    removed_parts,
    value_before,
    with_places,
    with_removed_parts,
    with_values,
)
from cardbattle.campaign.visibility.redaction import (
    OWN_WORDS,
    PUBLIC_KEYS,
    SETTINGS,
    Clearance,
    clearance_before,
    is_private,
    redact_entry,
    redact_ledger,
    sides_in,
)
from cardbattle.commanders import RANKS, find_rank, thinks_ahead
from cardbattle.core.battle import NOBODY
from cardbattle.core.names import listed
from cardbattle.core.referee import Referee
from cardbattle.files.reader import table_or_empty

Reader = str | None
PUBLIC: Final = None
UMPIRE: Final = "*"  # no faction has such a key
ALL, ROUGH = "all", "rough"
FEW = 2
CENTRES = [FEW, 5, *(int(lead * 10**zeros) for zeros in range(1, 7) for lead in (1, 1.5, 2, 3, 4, 5, 7.5))]
EDGES = [(low + high) // 2 for low, high in pairwise(CENTRES)]
NAME_ALL_FORCES = ("orders", "fixtures", "round")  # tables that name forces, in battles or not


class Estimate(NamedTuple):
    """A strength, which is exact or rough."""

    number: int
    is_rough: bool = False

    def __str__(self) -> str:
        if not self.is_rough:
            return str(self.number)
        return "a few" if self.is_few else f"about {self.number}"

    @property
    def is_few(self) -> bool:
        """True if the estimate is the lowest one, which has no number."""
        return self.is_rough and self.number <= FEW

    @property
    def value(self) -> int | str:
        """The estimate for JSON, which is a number, or words if it is rough."""
        return str(self) if self.is_rough else self.number


def rough_strength(strength: int) -> Estimate:
    """Round a strength to the nearest band. The bands are the same for every force.

    >>> [str(rough_strength(strength)) for strength in (0, 3, 4, 7, 8, 12, 13, 61)]
    ['a few', 'a few', 'about 5', 'about 5', 'about 10', 'about 10', 'about 15', 'about 50']
    """
    return Estimate(CENTRES[bisect_left(EDGES, strength)], is_rough=True)


def rough_range(strength: int) -> tuple[int, int]:
    """Return the least and the greatest strength that are rounded to the same number as this strength.

    >>> rough_range(5), rough_range(10)
    ((4, 7), (8, 12))
    """
    band = bisect_left(EDGES, strength)
    return EDGES[band - 1] + 1 if band else 0, EDGES[band]


def rough_rank(rank: str) -> str:
    """Return the names of all ranks in the group of a commander.

    One group thinks ahead, and the other does not.

    >>> rough_rank("green"), rough_rank("elite:iterations=400")
    ('green, regular or seasoned', 'veteran or elite')
    """
    thinks = thinks_ahead(rank)
    return listed([name for name, commander in RANKS.items() if commander.thinks == thinks], "or")


RATES = ("rate", "winner_rate")  # the settings of attrition that decide what a force loses for good


@dataclass(frozen=True)
class VisibleCampaign:
    """The part of a campaign that one reader may know.

    Attributes:
        campaign: the campaign with only the facts that the reader may know. An unknown strength is 0 in it,
            and a rough strength is rounded.
        ledger: the complete ledger. `entries` is the part of it that the reader may know.
        strengths: the strengths by force. A strength is None if the reader does not know it.
        commanders: the commanders by force. A commander is empty if the reader does not know it.
        certain: the pending battles whose forces and commanders the reader knows completely, so that their
            odds reveal nothing.
        sight: the places that the reader can see.
        all_leaders: the leader of every force, which the reader may not know.

    """

    reader: Reader
    campaign: Campaign
    ledger: Ledger
    strengths: Mapping[str, Estimate | None]
    commanders: Mapping[str, str]
    certain: Collection[str]
    sight: Collection[str]
    all_leaders: Mapping[str, LeaderFields]

    @property
    def is_whole(self) -> bool:
        return self.reader == UMPIRE

    def strength_of(self, forces: Iterable[str]) -> Estimate | None:
        """Return the total strength of forces, or None if the strength of any of them is unknown."""
        total, is_rough = 0, False
        for force in forces:
            estimate = self.strengths[force]
            if estimate is None:
                return None
            total += estimate.number
            is_rough |= estimate.is_rough
        return Estimate(total, is_rough)

    def strength_of_faction(self, faction: str) -> Estimate | None:
        forces = self.campaign.forces.items()
        return self.strength_of(
            key for key, force in forces if force.faction == faction and not force.destroyed
        )

    def table(self) -> dict[str, object]:
        """Return the campaign for JSON.

        The umpire gets the data of the file. For other readers, the seed is left out.
        """
        if self.is_whole:
            return dict(self.campaign.data)
        forces: dict[str, object] = {}
        for key, force in self.campaign.forces.items():
            strength = self.strengths[key]
            fields = {
                "faction": force.faction,
                "name": force.name,
                "plural": force.plural,
                "short": force.short,
                "motto": force.motto,
                "badge": force.badge,
                "strength": None if strength is None else strength.value,
                "units": force.units or None,
                "commander": self.commanders[key] or None,
                "location": force.location,
                "destroyed": force.destroyed or None,
                "pace": force.pace,
                "towards": force.towards,
                "walked": force.walked or None,
                "march": force.march,
                "retreat": force.retreat,
                "hires": force.hires,
                "full": force.full,
                "experience": force.experience or None,
                "title": force.title,
                "leader": force.leader,
                "leader_rank": force.leader_rank,
                "deputy": force.deputy,
                "prisoner_of": force.prisoner_of,
                "fallen": force.fallen or None,
            }
            forces[key] = {word: value for word, value in fields.items() if value is not None}
        shown = {word: value for word, value in self.campaign.data.items() if word != "seed"}
        return {"viewer": self.reader or "public", **shown, "forces": forces}

    def sees(self, place: str) -> bool:
        """Return True if the reader would know of every force at this place."""
        return self.campaign.visibility.location == ALL or place in self.sight

    @cached_property
    def countable(self) -> Campaign:
        """The campaign without the pending battles whose odds the reader must not know."""
        if self.is_whole:
            return self.campaign
        data = {word: value for word, value in self.campaign.data.items() if word not in NAME_ALL_FORCES}
        tables = [table for table in pending(data) if table["id"] in self.certain]
        fighting = {force for table in tables for side in sides_in(table) for force in side}
        forces = {key: force for key, force in table_or_empty(data["forces"]).items() if key in fighting}
        return read_campaign({**data, PENDING: tables, "forces": forces}, self.campaign.folder)

    @cached_property
    def clearance(self) -> Clearance:
        """The rules that decide what the reader may know."""
        owners = {key: force.faction for key, force in self.campaign.forces.items()}
        return Clearance(self.reader, self.campaign.visibility, owners)

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries that the reader may know, after redaction and with current keys.

        The entries keep their revisions, which only the umpire may see. `numbers` has the numbers to print
        instead.
        """
        if self.is_whole:
            return span_today(self.ledger, 1, self.ledger.whole_entries)
        return redact_ledger(self.ledger, self.clearance)

    @cached_property
    def past_places(self) -> dict[str, list[PastValue]]:
        """The places that each force had before each change of its place, as far as the reader knows them."""
        return past_values(self.entries, "location", self.is_whole)

    @cached_property
    def past_strengths(self) -> dict[str, list[PastValue]]:
        """The strengths that each force had before each change, as far as the reader knows them."""
        return past_values(self.entries, "strength", self.is_whole)

    @cached_property
    def past_factions(self) -> dict[str, list[PastValue]]:
        """The factions that each force had before each change."""
        return past_values(self.entries, "faction", True)

    @cached_property
    def past_owners(self) -> dict[str, list[PastValue]]:
        """The owners that each place had before each change."""
        return past_values(self.entries, "owner", True, "locations")

    @cached_property
    def past_destructions(self) -> dict[str, list[PastValue]]:
        """Whether each force was destroyed before each change of that, as far as the reader knows."""
        return past_values(self.entries, "destroyed", self.is_whole)

    def was_destroyed(self, force: str, revision: int) -> bool:
        """Return True if the reader knows that a force was destroyed just before a revision."""
        known = self.campaign.forces.get(force)
        today = known is not None and known.destroyed
        return bool(value_before(self.past_destructions, force, revision, today))

    def place_then(self, force: str, revision: int) -> str | None:
        """Return the place of a force just before a revision, or None if the reader does not know it."""
        known = self.campaign.forces.get(force)
        if known is None or not (self.is_whole or self.clearance.knows(force, "location")):
            return None
        place = value_before(self.past_places, force, revision, known.location)
        return None if place is None else str(place)

    def strength_then(self, force: str, revision: int) -> int | None:
        """Return the strength of a force just before a revision, or None if the reader does not know it.

        A rough strength counts as unknown. A reader with a partial view does not know every change of a force
        that changed sides at this revision or later.
        """
        estimate = self.strengths.get(force)
        if estimate is None or estimate.is_rough:
            return None
        strength = value_before(self.past_strengths, force, revision, estimate.number)
        return strength if isinstance(strength, int) else None

    @cached_property
    def all_past_strengths(self) -> dict[str, list[PastValue]]:
        """The exact strengths that each force had before each change, for the umpire only."""
        return past_values(span_today(self.ledger, 1, self.ledger.whole_entries), "strength", True)

    def rough_strength_then(self, force: str, revision: int) -> Estimate | None:
        """Return the strength of a force just before a revision for a reader who knows it only roughly.

        Return None if the reader knows it exactly, or not at all. Rough strengths do not depend on what a
        force is doing or where it is, so the reader could see this one at the time.
        """
        estimate = self.strengths.get(force)
        if estimate is None or not estimate.is_rough:
            return None
        strength = value_before(self.all_past_strengths, force, revision, None)
        return rough_strength(strength) if isinstance(strength, int) else estimate

    @cached_property
    def leaders(self) -> dict[int, dict[str, LeaderFields]]:
        """The leaders after each entry that changed who commands a force, by revision and force.

        A captor knows the name of a captured leader, also when the captivity ends.
        """
        known = leaders_by_entry(leader_fields(self.campaign), self.entries)
        has_captivity = any(changes_of(entry, "prisoner_of") for entry in self.entries)
        if self.reader and not self.is_whole and has_captivity:
            entries = span_today(self.ledger, 1, self.ledger.whole_entries)
            names = names_of_prisoners(self.reader, self.all_leaders, entries)
            for (revision, force), name in names.items():
                if force in known.get(revision, {}):
                    known[revision][force]["leader"] = name
        return known

    @cached_property
    def ends_for_former_leaders(self) -> set[tuple[int, Key]]:
        """The changes that end a captivity or death of a leader who was replaced, by revision and key."""
        return ends_for_former_leaders(self.campaign, self.entries)

    @cached_property
    def rank_restorations(self) -> set[tuple[int, Key]]:
        """The changes that give a force the rank of its released leader back, by revision and key."""
        return rank_restorations(self.valid_entries)

    @cached_property
    def valid_entries(self) -> list[Entry]:
        """The entries that were not undone, without undos and redos."""
        undone = self.ledger.undone_revisions
        return [entry for entry in self.entries if entry.revision not in undone and entry.kind not in TURNS]

    @cached_property
    def placements(self) -> set[tuple[int, str]]:
        """The changes by which the umpire placed a destroyed force, as pairs (revision, force)."""
        return placements(self.valid_entries)

    @cached_property
    def removed_parts(self) -> list[RemovedPart]:
        """The forces, factions and locations that were removed from the campaign, the earliest first."""
        return removed_parts(self.valid_entries)

    def campaign_after(self, entry: Entry) -> Campaign:
        """Return the present campaign, but with the leaders, the attrition and the retreat rule of an entry.

        The forces of the entry have the leaders that they had then, and forces that meet or turn back have
        their places of that time. If the entry has a result, the rates of attrition, the factions of the
        forces and the owners of the places are those of that time. If an aftermath does not say by which rule
        it destroyed a force, `aftermath.no_retreat` has the value that it had then in the ledger. Forces,
        factions and locations that were removed since then have their names.
        """
        campaign = with_removed_parts(self.campaign, self.removed_parts, entry.revision)
        if any(is_about_command(change.key) for change in entry.changes):
            campaign = with_leaders(campaign, self.leaders.get(entry.revision, {}))
        if entry.kind == AFTERMATH and any(lacks_rule(change) for change in entry.changes):
            current = campaign.aftermath.no_retreat if campaign.aftermath else None
            rule = self.setting_then(("aftermath", "no_retreat"), entry.revision, current)
            campaign = with_retreat_rule(campaign, rule)
        if entry.result is not None:
            campaign = self.with_attrition_then(campaign, entry.revision)
            campaign = self.with_factions_then(campaign, entry.revision)
            campaign = self.with_owners_then(campaign, entry.revision)
        if entry.kind == CONTACT:
            sides = [side for change in entry.changes for side in sides_in(table_or_empty(change.after))]
            campaign = self.with_places_then(campaign, [force for side in sides for force in side], entry)
        if entry.kind == MOVEMENT:
            turned = [change.key[1] for change in entry.changes if change.key[-1] == "towards"]
            campaign = self.with_places_then(campaign, turned, entry)
        return campaign

    def with_places_then(self, campaign: Campaign, forces: Iterable[str], entry: Entry) -> Campaign:
        """Return a copy of the campaign in which the forces are where they were just before an entry."""
        return with_places(campaign, {key: self.place_then(key, entry.revision) for key in forces})

    def with_factions_then(self, campaign: Campaign, revision: int) -> Campaign:
        """Return a copy in which the forces that changed sides have their factions just before a revision."""
        factions = {
            key: value_before(self.past_factions, key, revision, campaign.forces[key].faction)
            for key in campaign.forces.keys() & self.past_factions.keys()
        }
        known = {key: faction for key, faction in factions.items() if faction in campaign.factions}
        return with_values(campaign, "faction", known) if known else campaign

    def with_owners_then(self, campaign: Campaign, revision: int) -> Campaign:
        """Return a copy in which the places have their owners just before a revision."""
        owners = {
            key: value_before(self.past_owners, key, revision, campaign.locations[key].owner)
            for key in campaign.locations.keys() & self.past_owners.keys()
        }
        changed = {key: campaign.locations[key].model_copy(update={"owner": owners[key]}) for key in owners}
        return campaign.model_copy(update={"locations": {**campaign.locations, **changed}})

    @cached_property
    def setting_changes(self) -> Mapping[Key, Sequence[PastSetting]]:
        """The values that each setting had before it was changed."""
        return setting_changes(self.ledger)

    def setting_then(self, key: Key, revision: int, current: object) -> object:
        """Return the value of a setting at a revision. `current` is its present value."""
        return value_then(self.setting_changes.get(key, ()), revision, current)

    def when(self, revision: int, turn: int, name: str) -> str:
        """Return the name and the dates of a turn by the calendar that the campaign had at a revision."""
        return self.campaign.model_copy(update={"calendar": self.calendar_then(revision)}).when(turn, name)

    def calendar_then(self, revision: int) -> Calendar | None:
        """Return the calendar that the campaign had at a revision, or None if it had none."""
        today = self.campaign.calendar
        dates = {
            word: self.setting_then(("calendar", word), revision, getattr(today, word, None))
            for word in Calendar.model_fields
        }
        known = {word: value for word, value in dates.items() if value is not None}
        return Calendar.model_validate(known) if "first_day" in known else None

    def with_attrition_then(self, campaign: Campaign, revision: int) -> Campaign:
        """Return the campaign with the rates of attrition that it had at a revision."""
        current = table_or_empty(campaign.data.get("attrition"))
        rates = {word: self.setting_then(("attrition", word), revision, current.get(word)) for word in RATES}
        if all(rates[word] == current.get(word) for word in RATES):
            return campaign
        known = {word: rate for word, rate in rates.items() if rate is not None}
        settings = {word: value for word, value in current.items() if word not in RATES}
        return campaign.model_copy(update={"attrition": Attrition.model_validate({**settings, **known})})

    @cached_property
    def setup_revisions(self) -> frozenset[int]:
        """The revisions with which the umpire set up a new campaign, before its first event.

        An entry with words of the umpire, such as a reason, is an event. A campaign that begins with a turn
        later than 1 was set up before its ledger.
        """
        valid = [entry for entry in self.entries if entry.revision not in self.ledger.undone_revisions]
        begun = [entry for entry in valid if entry.kind not in TURNS]  # an undo of a turn begins none
        turns = (change.before for entry in begun for change in entry.changes if change.key == ("turn",))
        if int(str(next(turns, self.campaign.turn) or 0)) > 1:
            return frozenset()
        first = takewhile(lambda entry: entry.kind in SETUP_KINDS, valid)
        return frozenset(entry.revision for entry in first if not (entry.reason or entry.text))

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The number that this reader sees for each revision.

        The numbers have no gaps, which would reveal hidden entries.
        """
        if self.is_whole:
            return IdentityMapping(self.ledger.whole_entries)
        return {entry.revision: number for number, entry in enumerate(self.entries, 1)}

    def label_of(self, revision: int) -> str:
        """Return the kind of an entry that the reader may know, and the id of its battle."""
        entry = self.ledger.heads[revision - 1] if self.is_whole else self.entries[self.numbers[revision] - 1]
        return f"{entry.kind} {entry.id}".rstrip()

    def entries_since(self, number: int = 1, turn: int | None = None) -> Iterator[Entry]:
        """Yield the entries from the number `number` on that were recorded in this turn or later.

        The number is the reader's number of the entry, from 1.
        """
        first = 1 if turn is None else first_of_turn(self.ledger, turn)
        if self.is_whole:
            return each_today(self.ledger, max(first, number), self.ledger.whole_entries)
        return (entry for entry in self.entries[number - 1 :] if entry.revision >= first)

    def is_about(self, entry: Entry, key: str) -> bool:
        """Return True if an entry concerns a key. The umpire can use its former key too."""
        if self.is_whole:
            return is_about(self.ledger, self.ledger.entry(entry.revision), key)
        return concerns(entry, key)

    def entry_table(self, entry: Entry) -> dict[str, object]:
        """Return one of the `entries` for JSON, with the reader's number instead of the revision.

        The method redacts nothing, so pass only entries from `entries` or `entries_since`. The umpire gets
        the original entry of the ledger. Raises KeyError if the reader may not know the entry.
        """
        if self.is_whole:
            return self.ledger.entry(entry.revision).table()
        numbers = self.numbers
        visible = entry._replace(
            revision=numbers[entry.revision], undoes=[numbers[undone] for undone in entry.undoes]
        )
        return {word: value for word, value in visible.table().items() if word != "prev"}

    def changes_in(self, entry: Entry) -> list[Change]:
        return entry.changes if self.is_whole else redact_entry(entry, self.clearance, self.ledger).changes

    def logs(self, folder: str) -> dict[int, Record]:
        """Return the readable records of the battles that were not undone, by revision."""
        records = {}
        for entry in self.entries:
            name = self.ledger.heads[entry.revision - 1].record
            if name and entry.revision not in self.ledger.undone_revisions:
                records[entry.revision] = record_in(folder, name)
        return {revision: record for revision, record in records.items() if record is not None}

    def view_of(self, revision: int, record: Record) -> RecordView:
        """Return the recorded battle of this revision as the reader may see it."""
        if self.is_whole:
            return view_for(record, None, [])
        clearance = clearance_before(self.ledger, self.clearance, revision)
        keys = [force_today(self.ledger, key, revision) for key in record.setup.seats]
        sides = fighting_sides(entry_today(self.ledger, revision))
        return view_for(record, clearance, [sides.get(key, [key]) for key in keys])


class IdentityMapping(Mapping[int, int]):
    """The numbers of revisions for the umpire. Every revision is its own number."""

    def __init__(self, last: int) -> None:
        self.revisions = range(1, last + 1)

    def __getitem__(self, revision: int) -> int:
        if revision not in self.revisions:
            raise KeyError(revision)
        return revision

    def __iter__(self) -> Iterator[int]:
        return iter(self.revisions)

    def __len__(self) -> int:
        return len(self.revisions)


class RecordView(NamedTuple):
    """A recorded battle as one reader may see it.

    Attributes:
        seat: the seat of the reader, `NOBODY` for the public, or None for the umpire.
        commanders: the commander of each seat. It is empty if the reader may not know the commander.
        led: the keys of the sides that are led by a force of the reader, not of an ally.

    """

    record: Record
    seat: int | None
    commanders: list[str]
    led: list[str]

    @property
    def is_certain(self) -> bool:
        """Return True if the reader knows every commander and card option that decided the battle."""
        key_of_reader = "" if self.seat in (None, NOBODY) else self.record.setup.seats[self.seat or 0]
        table, ranks = self.record.table, [side.commander for side in self.record.sides]
        hidden = [options for key, options in table_or_empty(table["sides"]).items() if key != key_of_reader]
        settings = (
            table_or_empty(table["house"]),
            *(without_orders(table_or_empty(setting)) for setting in hidden),
        )
        has_cards = any(isinstance(value, list) for setting in settings for value in setting.values())
        return self.commanders == ranks and not has_cards

    def report(self, referee: Referee) -> Report:
        return report_of(self.record, referee, self.seat)._replace(commanders=self.commanders)

    def table(self) -> dict[str, object]:
        table = table_for(self.record, self.seat)
        if self.seat is None:
            return table
        sides = table["sides"]
        assert isinstance(sides, dict)
        ranks = dict(zip(self.record.setup.seats, self.commanders, strict=True))
        visible = {key: side if key in self.led else without_orders(side) for key, side in sides.items()}
        return {**table, "sides": {key: with_commander(side, ranks[key]) for key, side in visible.items()}}


def view_for(record: Record, clearance: Clearance | None, sides: Sequence[Sequence[str]]) -> RecordView:
    """Return a record as a reader may see it. For the umpire, `clearance` is None.

    `sides` are the forces of each seat by their current keys. The leading force comes first.
    """
    if clearance is None:
        return RecordView(record, None, [side.commander for side in record.sides], record.setup.seats)
    leaders = list(zip(record.setup.seats, (forces[0] for forces in sides), record.sides, strict=True))
    ranks = [visible_commander(clearance, lead, side.commander) for _, lead, side in leaders]
    led = [seat for seat, lead, _ in leaders if clearance.is_own(lead)]
    return RecordView(record, seat_of_reader(clearance, sides), ranks, led)


def seat_of_reader(clearance: Clearance, sides: Sequence[Sequence[str]]) -> int:
    """Return the first seat for which a force of the reader fought, or `NOBODY` if no such force fought."""
    seats = [seat for seat, forces in enumerate(sides) if clearance.fights([forces])]
    return seats[0] if seats else NOBODY


def lacks_rule(change: Change) -> bool:
    """Return True if a change destroys a force and does not say by which rule."""
    is_destruction = change.key[0] == "forces" and change.key[2:] == ("destroyed",)
    return is_destruction and bool(change.after) and not change.text


def with_retreat_rule(campaign: Campaign, rule: object) -> Campaign:
    """Return the campaign with this rule for forces that cannot retreat. None means the default."""
    settings = campaign.aftermath or AftermathSettings()
    changed = settings.model_copy(update={"no_retreat": rule or STAYS})
    return campaign.model_copy(update={"aftermath": changed})


def without_orders(side: Mapping[str, object]) -> dict[str, object]:
    return {word: value for word, value in side.items() if word not in ("standing", "substitutes")}


def with_commander(side: Mapping[str, object], rank: str) -> dict[str, object]:
    """Return a side of a record with this commander. If the rank is empty, the side has no commander."""
    bare = {word: value for word, value in side.items() if word != "commander"}
    return {**bare, "commander": rank} if rank else bare


def visible_to(
    campaign: Campaign, ledger: Ledger, reader: Reader, seen: Campaign | None = None
) -> VisibleCampaign:
    """Return the part of a campaign and its ledger that a reader may know.

    `reader` is the key of a faction, PUBLIC or UMPIRE. If changes were undone since then, `seen` is the
    campaign as the reader saw it at the time. Facts that were hidden at the time stay hidden.
    """
    if reader == UMPIRE:
        strengths = {key: Estimate(force.strength) for key, force in campaign.forces.items()}
        commanders = {key: force.commander for key, force in campaign.forces.items()}
        ids = [battle.id for battle in campaign.pending]
        leaders = leader_fields(campaign)
        return VisibleCampaign(
            reader, campaign, ledger, strengths, commanders, ids, campaign.locations, leaders
        )
    past, all_leaders = seen or campaign, leader_fields(campaign)
    campaign = with_names_of_captives(campaign, ledger, reader)
    clearance = Clearance(reader, campaign.visibility, owners_in_both(campaign, past))
    view = CampaignFilter(campaign, clearance, in_sight(campaign, reader) & in_sight(past, reader), past)
    battles = [battle for battle in campaign.pending if view.sees_battle(battle)]
    data = {
        **public_data(campaign, reader),
        **view.movement_tables(),
        **public_league(campaign, ledger, {battle.id for battle in battles}),
        "forces": {key: view.force_table(key) for key in campaign.forces},
        PENDING: [view.battle_table(battle) for battle in battles],
    }
    return VisibleCampaign(
        reader,
        read_campaign(data, campaign.folder),
        ledger,
        {key: view.strength(key) for key in campaign.forces},
        {
            key: visible_commander(view.clearance, key, force.commander)
            for key, force in campaign.forces.items()
        },
        [battle.id for battle in battles if view.is_certain(battle)],
        view.sight,
        all_leaders,
    )


def with_names_of_captives(campaign: Campaign, ledger: Ledger, reader: Reader) -> Campaign:
    """Return a copy of the campaign in which the prisoners of a reader have their names of the capture.

    The umpire can give the force a new leader during the captivity, whom the captor does not know.
    """
    captives = [key for key, force in campaign.forces.items() if reader and force.prisoner_of == reader]
    if not captives or campaign.visibility.commander == ALL:
        return campaign
    entries = span_today(ledger, 1, ledger.whole_entries)
    names = {key: name_of_captive(key, campaign.forces[key].leader, entries) for key in captives}
    return with_values(campaign, "leader", names)


def owners_in_both(campaign: Campaign, seen: Campaign) -> dict[str, str]:
    """Return the faction of each force. It is empty if the force has another faction in `seen`."""
    owners = {key: force.faction for key, force in seen.forces.items()}
    forces = campaign.forces.items()
    return {key: force.faction if owners.get(key) == force.faction else "" for key, force in forces}


def in_sight(campaign: Campaign, reader: Reader) -> set[str]:
    """Return the places where a faction can see: its places, the places of its forces, and their neighbours.

    Neighbours are connected by a road.
    """
    forces = [
        force.location
        for force in campaign.forces.values()
        if force.faction == reader and not force.destroyed
    ]
    held = [key for key, place in campaign.locations.items() if place.owner and place.owner == reader]
    here = {*held, *(place for place in forces if place is not None)}
    return here | {end for road in campaign.road_ends if here & {*road} for end in road}


def allies_in_sight(campaign: Campaign, faction: str) -> list[str]:
    """Return the forces on the map of factions at peace with this one, in the places that it can see."""
    friends, extent = campaign.friends_of(faction), campaign.visibility.location
    sight = in_sight(campaign, faction) if extent == ROUGH else campaign.locations if extent == ALL else ()
    return [
        key
        for key, force in campaign.forces.items()
        if force.faction in friends and force.location in sight and not force.destroyed
    ]


def with_known_battles(campaign: Campaign, reader: Reader) -> Campaign:
    """Return a copy of the campaign with only the pending battles that a faction or the public may know."""
    if campaign.visibility.pending == ALL:
        return campaign
    owners = {key: force.faction for key, force in campaign.forces.items()}
    clearance = Clearance(reader, campaign.visibility, owners)
    view = CampaignFilter(campaign, clearance, in_sight(campaign, reader), campaign)
    known = [battle for battle in campaign.pending if view.sees_battle(battle)]
    return campaign.model_copy(update={"pending": known})


def known_plans(campaign: Campaign, reader: Reader) -> list[dict[str, object]]:
    """Return the plans of the schedule that a reader may know.

    They include the times and the texts of the plans, but not their changes.
    """
    return [
        {word: value for word in ("turn", "date", "text", "known") if (value := getattr(item, word))}
        for item in campaign.schedule
        if item.text
        and not is_private(item.text)
        and {reader or PUBLIC_READER, PUBLIC_READER} & {*item.known}
    ]


def public_factions(campaign: Campaign, reader: Reader) -> dict[str, object]:
    """Return the factions' data. Only the reader's own purse and peace are included, and no player."""
    public: dict[str, object] = {}
    for key, value in table_or_empty(campaign.data["factions"]).items():
        table = {word: each for word, each in table_or_empty(value).items() if word not in NOT_PUBLIC}
        if key == reader:
            friends = campaign.friends_of(key)
            public[key] = table | ({"peace": friends} if friends else {})
        else:
            public[key] = {word: each for word, each in table.items() if word != "purse"}
    return public


def public_data(campaign: Campaign, reader: Reader) -> dict[str, object]:
    """Return the public part of a campaign's data, and the reader's own purse, peace and substitute.

    The real seed is left out.
    """
    data = {word: value for word, value in campaign.data.items() if word in PUBLIC_TABLES}
    if campaign.deadlines is not None and campaign.deadlines.orders is not None:
        data["deadlines"] = {"orders": campaign.deadlines.orders}
    if "factions" in data:
        data["factions"] = public_factions(campaign, reader)
    if reader is not None and reader in campaign.substitutes:
        data["substitutes"] = {reader: table_or_empty(campaign.data["substitutes"])[reader]}
    plans = known_plans(campaign, reader)
    if plans:
        data["schedule"] = plans
    copy = own_keys({**data, "seed": f"what everybody knows of {campaign.name}"})
    assert isinstance(copy, dict)
    return copy


def public_league(campaign: Campaign, ledger: Ledger, seen: Collection[str]) -> dict[str, object]:
    """Return the league without the matches that are hidden from the reader.

    `seen` are the ids of the battles that the reader can see. Everybody knows the recorded results. While
    some matches of a round are hidden, its byes are hidden too. While battles can be hidden, the order of the
    draw is hidden too, because it determines all rounds of a round robin.
    """
    if campaign.fixtures is None:
        return {}
    is_open = campaign.visibility.pending == ALL
    known = {*seen, *ledger.revision_by_battle}
    rounds = [drawn if is_open else round_for_reader(drawn, known) for drawn in campaign.round]
    tables = [
        drawn.model_dump(exclude_none=True, exclude_defaults=True)
        for drawn in rounds
        if drawn.matches or drawn.byes
    ]
    fixtures = dict(table_or_empty(campaign.data["fixtures"]))
    if not is_open:
        fixtures.pop("order", None)
    return {"fixtures": fixtures, "round": tables}


def round_for_reader(drawn: Round, known: Collection[str]) -> Round:
    """Return a round with only its known matches. The byes are included only if all matches are known."""
    matches = [match for match in drawn.matches if match.battle in known]
    is_whole = len(matches) == len(drawn.matches)
    kept = drawn.byes if is_whole else []
    return Round(name=drawn.name, matches=matches, byes=kept, stage=drawn.stage)


NOT_PUBLIC = ("peace", "player", "mail")  # keys of a faction
PUBLIC_TABLES = ("format", *PUBLIC_KEYS, "factions", "locations", *SETTINGS)


def person_fields(force: Force) -> dict[str, object]:
    """Return the fields of a force that every reader who knows its commander also knows."""
    return {
        "experience": force.experience,
        "title": force.title,
        "leader": force.leader,
        "leader_rank": force.leader_rank,
        "deputy": force.deputy,
        "prisoner_of": force.prisoner_of,
        "fallen": force.fallen or None,
    }


class CampaignFilter(NamedTuple):
    """Computes which parts of a campaign a faction or the public sees.

    `seen` is the campaign as this reader saw it at the time.
    """

    campaign: Campaign
    clearance: Clearance
    sight: Collection[str]
    seen: Campaign

    def strength(self, key: str) -> Estimate | None:
        strength = self.campaign.forces[key].strength
        if self.clearance.knows(key, "strength"):
            return Estimate(strength)
        return rough_strength(strength) if self.clearance.visibility.strength == ROUGH else None

    def location(self, key: str) -> str | None:
        place = self.campaign.forces[key].location
        was_there = self.seen_position(key) == (place, *self.road_position(key))
        near = self.clearance.visibility.location == ROUGH and place in self.sight and was_there
        return place if near or self.clearance.knows(key, "location") else None

    def road_position(self, key: str) -> tuple[str | None, int]:
        """Return a pair: the place towards which a force is on a road, and the steps it has walked.

        The place is None if the force is not on a road.
        """
        force = self.campaign.forces[key]
        return force.towards, force.walked

    def seen_position(self, key: str) -> tuple[str | None, str | None, int] | None:
        """Return the position of a force as the reader could see it at the time, or None if it was hidden."""
        past = self.seen.forces.get(key)
        return None if past is None else (past.location, past.towards, past.walked)

    def movement_fields(self, key: str) -> dict[str, object]:
        """Return the fields about a force's movement that the reader may know.

        Orders are included only for the reader's own forces.
        """
        force = self.campaign.forces[key]
        on_road = self.location(key) is not None and force.towards is not None
        fields = {"towards": force.towards, "walked": force.walked} if on_road else {}
        words = OWN_WORDS if self.clearance.is_own(key) else ()
        own = {word: getattr(force, word) for word in words}
        return {**fields, **own}

    def movement_tables(self) -> dict[str, object]:
        """Return the orders that the reader may know, which are the reader's own orders and all seals."""
        own = {key: text for key, text in self.campaign.orders.items() if self.clearance.is_own(key)}
        sealed = {
            key: orders.model_dump(
                exclude_none=True, exclude=set() if key == self.clearance.reader else {"salt", "text"}
            )
            for key, orders in self.campaign.sealed_orders.items()
        }
        return {word: table for word, table in (("orders", own), ("sealed_orders", sealed)) if table}

    def force_table(self, key: str) -> dict[str, object]:
        force, strength = self.campaign.forces[key], self.strength(key)
        fields: dict[str, object] = {
            "faction": force.faction,
            "name": force.name,
            "plural": force.plural,
            "short": force.short,
            "motto": force.motto,
            "badge": force.badge,
            "strength": strength.number if strength else 0,
            "units": force.units if self.clearance.knows(key, "strength") and force.units else None,
            "commander": force.commander if self.clearance.knows(key, "commander") else None,
            "location": self.location(key),
            "destroyed": force.destroyed and strength is not None,
            **self.movement_fields(key),
            "full": force.full if self.clearance.knows(key, "strength") else None,
            **self.leader_fields(key),
        }
        return {word: value for word, value in fields.items() if value is not None}

    def leader_fields(self, key: str) -> dict[str, object]:
        """Return the fields about the leader of a force that the reader may know.

        A captor knows the name of its prisoner, but not the rank.
        """
        force = self.campaign.forces[key]
        if self.clearance.knows(key, "commander"):
            return person_fields(force)
        is_captor = force.prisoner_of is not None and force.prisoner_of == self.clearance.reader
        return {"leader": force.leader, "prisoner_of": force.prisoner_of} if is_captor else {}

    def sees_battle(self, battle: Pending) -> bool:
        """Return True if the reader may know of a pending battle.

        The campaign's visibility decides if these are all battles, battles of the reader's own forces, or
        also those whose place is in sight.
        """
        extent = self.clearance.visibility.pending
        if extent == ALL or self.clearance.fights(battle.sides):
            return True
        return extent == ROUGH and any(place in self.sight for place in self.places_of(battle))

    def places_of(self, battle: Pending) -> Iterable[str | None]:
        """Return the place of a pending battle, or the ends of its road.

        A battle without a place is fought for its stakes. If it has no stakes either, it is where its forces
        are. A force that joins a battle at another place, because its contacts became one battle, does not
        show the battle.
        """
        if battle.road:
            return battle.road
        place = battle.place or battle.stakes
        return [place] if place else (self.location(force) for side in battle.sides for force in side)

    def is_certain(self, battle: Pending) -> bool:
        """Return True if the reader knows everything that decides a pending battle."""
        forces = [force for side in battle.sides for force in side]
        hidden = [
            options
            for key, options in battle.options.items()
            if not self.clearance.fights([side_of(battle, key)])
        ]
        has_cards = any(
            isinstance(value, list) for setting in (battle.house, *hidden) for value in setting.values()
        )
        return not has_cards and all(
            self.clearance.knows(force, fact) for force in forces for fact in ("strength", "commander")
        )

    def battle_table(self, battle: Pending) -> dict[str, object]:
        fields: dict[str, object] = {"id": battle.id, "sides": battle.sides}
        fields |= {"rules": battle.rules} if battle.rules else {}
        fields |= {
            word: getattr(battle, word)
            for word in ("stakes", "place", "terrain", "weather", "defender", "names", "plural")
            if getattr(battle, word)
        }
        fields |= {"road": list(battle.road)} if battle.road else {}
        is_own, is_certain = self.clearance.fights(battle.sides), self.is_certain(battle)
        is_near = self.clearance.visibility.pending == ROUGH and not is_own
        if battle.note and not is_near and not is_private(battle.note):
            fields["note"] = battle.note
        if is_certain:
            fields |= {"house": battle.house, "options": battle.options}
        return fields


def visible_commander(clearance: Clearance, force: str, rank: str) -> str:
    """Return the commander of a force as the reader may know it.

    The result is a rank, the ranks of a group, or an empty string.
    """
    if clearance.knows(force, "commander"):
        return rank
    is_rough = clearance.visibility.commander == ROUGH and find_rank(rank)
    return rough_rank(rank) if is_rough else ""


def fighting_sides(entry: Entry) -> dict[str, Sequence[str]]:
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    return {side[0]: side for table in tables if isinstance(table, dict) for side in sides_in(table)}


def recorded_battle(entry: Entry) -> dict[str, object] | None:
    """Return the table of a recorded battle while it was pending, or None if the battle was not planned."""
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    return next((table for table in tables if isinstance(table, dict)), None)


def recorded_side_name(campaign: Campaign, entry: Entry, key: str) -> str:
    """Return the name of a side of a recorded battle, given the key of its first force."""
    return campaign.side_name(fighting_sides(entry).get(key, [key]), recorded_battle(entry))


def recorded_result_text(
    campaign: Campaign,
    entry: Entry,
    describe_losses: Callable[[Fraction], str] = loss_text,
    write_name: Callable[[str], str] = str,
) -> str:
    """Return the result of a recorded battle in a few words, in which the forces of a side occur once.

    `describe_losses` is that of `result_text`. `write_name` changes the name of a side for the text.
    """
    assert entry.result is not None
    sides, battle = fighting_sides(entry), recorded_battle(entry)

    def brief(key: str) -> str:
        return write_name(recorded_side_name(campaign, entry, key))

    def in_full(key: str) -> str:
        return write_name(campaign.side_with_forces(sides.get(key, [key]), battle))

    return battle_result_text(entry.result, entry.kind, brief, in_full, describe_losses)
