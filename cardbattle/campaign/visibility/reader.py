"""What one reader (a faction, the public or the umpire) may know of a campaign.

`visible_to` builds a campaign of the same shape from only what the reader may know. It omits hidden places,
commanders and battles, the seed, the custom fields that only the umpire may read, and the ledger's lines.
Every output format prints this reduced campaign, so no format can reveal more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from cardbattle.battles.records.reader_view import Report, report_of, table_for
from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.history import (
    concerns,
    each_today,
    entry_today,
    first_of_turn,
    force_today,
    is_about,
    record_in,
    span_today,
)
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state.apply import side_of
from cardbattle.campaign.state.changes import PENDING, Change, is_battle, pending
from cardbattle.campaign.state.fields import own_keys
from cardbattle.campaign.state.model import Campaign, Force, Pending, name_from_battle, read_campaign
from cardbattle.campaign.state.tables.event_checks import PUBLIC as PUBLIC_READER
from cardbattle.campaign.state.tables.fixtures import Round
from cardbattle.campaign.visibility.redaction import (
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


class Estimate(NamedTuple):
    """A strength, exact or rough."""

    number: int
    is_rough: bool = False

    def __str__(self) -> str:
        if not self.is_rough:
            return str(self.number)
        return "a few" if self.number <= FEW else f"about {self.number}"

    @property
    def value(self) -> int | str:
        """The estimate for JSON: a number, or words if it is rough."""
        return str(self) if self.is_rough else self.number


def rough_strength(strength: int) -> Estimate:
    """Round a strength to the nearest band; the bands are the same for every force.

    >>> [str(rough_strength(strength)) for strength in (0, 3, 4, 7, 8, 12, 13, 61)]
    ['a few', 'a few', 'about 5', 'about 5', 'about 10', 'about 10', 'about 15', 'about 50']
    """
    return Estimate(CENTRES[bisect_left(EDGES, strength)], is_rough=True)


def rough_rank(rank: str) -> str:
    """Return the group of ranks that a commander belongs to: those that think ahead, or the others.

    >>> rough_rank("green"), rough_rank("elite:iterations=400")
    ('green, regular or seasoned', 'veteran or elite')
    """
    thinks = thinks_ahead(rank)
    return listed([name for name, commander in RANKS.items() if commander.thinks == thinks], "or")


@dataclass(frozen=True)
class VisibleCampaign:
    """What one reader may know of a campaign.

    Attributes:
        campaign: contains only what the reader may know. An unknown strength is 0 in it, a rough one rounded.
        ledger: the umpire's own; `entries` are the part that the reader may know.
        strengths: by force; None if the reader does not know it.
        commanders: by force; empty if the reader does not know it.
        certain: pending battles whose forces and commanders the reader knows completely, so that their odds
            reveal nothing.
        sight: the places in the reader's sight.

    """

    reader: Reader
    campaign: Campaign
    ledger: Ledger
    strengths: Mapping[str, Estimate | None]
    commanders: Mapping[str, str]
    certain: Collection[str]
    sight: Collection[str]

    def __repr__(self) -> str:
        return f"<VisibleCampaign of {self.campaign.name} for {self.reader or 'everybody'}>"

    @property
    def is_whole(self) -> bool:
        return self.reader == UMPIRE

    def strength_of(self, forces: Iterable[str]) -> Estimate | None:
        """Return the total strength of forces; None if any of them is unknown."""
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
        """Return the campaign for JSON: as in the file for the umpire, without the seed for others."""
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
                "strength": None if strength is None else strength.value,
                "commander": self.commanders[key] or None,
                "location": force.location,
                "destroyed": force.destroyed or None,
                "pace": force.pace,
                "towards": force.towards,
                "walked": force.walked or None,
                "march": force.march,
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
        """Return True if the reader would know of any force at this place."""
        return self.campaign.visibility.location == ALL or place in self.sight

    @cached_property
    def countable(self) -> Campaign:
        """The campaign with only the pending battles whose odds the reader may know."""
        if self.is_whole:
            return self.campaign
        data = self.campaign.data
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
        """The entries that the reader may know, redacted, with today's keys.

        They keep their revisions, which only the umpire may see; `numbers` has the numbers to print.
        """
        if self.is_whole:
            return span_today(self.ledger, 1, self.ledger.whole_entries)
        return redact_ledger(self.ledger, self.clearance)

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The number of each revision for this reader, without gaps that would reveal hidden entries."""
        if self.is_whole:
            return IdentityMapping(self.ledger.whole_entries)
        return {entry.revision: number for number, entry in enumerate(self.entries, 1)}

    def entries_since(self, number: int = 1, turn: int | None = None) -> Iterator[Entry]:
        """Yield the entries from this number (as the reader counts, from 1) and this turn on."""
        first = 1 if turn is None else first_of_turn(self.ledger, turn)
        if self.is_whole:
            return each_today(self.ledger, max(first, number), self.ledger.whole_entries)
        return (entry for entry in self.entries[number - 1 :] if entry.revision >= first)

    def is_about(self, entry: Entry, key: str) -> bool:
        """Return True if an entry concerns this battle, force, faction or place.

        The umpire may also use the key of that time.
        """
        if self.is_whole:
            return is_about(self.ledger, self.ledger.entry(entry.revision), key)
        return concerns(entry, key)

    def entry_table(self, entry: Entry) -> dict[str, object]:
        """Return one of `entries` for JSON, numbered as the reader counts.

        It redacts nothing: pass only entries from `entries` or `entries_since`. The umpire gets the ledger's
        own entry. Raises KeyError for an entry that the reader may not know.
        """
        if self.is_whole:
            return self.ledger.entry(entry.revision).table()
        numbers = self.numbers
        visible = entry._replace(
            revision=numbers[entry.revision], undoes=[numbers[undone] for undone in entry.undoes]
        )
        return {word: value for word, value in visible.table().items() if word != "prev"}

    def changes_in(self, entry: Entry) -> list[Change]:
        return entry.changes if self.is_whole else redact_entry(entry, self.clearance).changes

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
    """The revision numbers for the umpire: each is itself."""

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
    """A recorded battle for one reader.

    Attributes:
        seat: whose view; `NOBODY` for the public, None for the umpire.
        commanders: of each seat; empty if the reader may not know it.
        led: keys of the sides whose orders are the reader's own, not an ally's.

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
    """Return how a reader may see a record; `clearance` is None for the umpire.

    `sides` are the forces of each seat by today's keys, the leading force first.
    """
    if clearance is None:
        return RecordView(record, None, [side.commander for side in record.sides], record.setup.seats)
    leaders = list(zip(record.setup.seats, (forces[0] for forces in sides), record.sides, strict=True))
    ranks = [visible_commander(clearance, lead, side.commander) for _, lead, side in leaders]
    led = [seat for seat, lead, _ in leaders if clearance.is_own(lead)]
    return RecordView(record, seat_of_reader(clearance, sides), ranks, led)


def seat_of_reader(clearance: Clearance, sides: Sequence[Sequence[str]]) -> int:
    """Return the first seat for which a force of the reader's own fought; `NOBODY` if none did."""
    seats = [seat for seat, forces in enumerate(sides) if clearance.fights([forces])]
    return seats[0] if seats else NOBODY


def without_orders(side: Mapping[str, object]) -> dict[str, object]:
    return {word: value for word, value in side.items() if word not in ("standing", "substitutes")}


def with_commander(side: Mapping[str, object], rank: str) -> dict[str, object]:
    """Return a side of a record with this commander, or without one if the rank is empty."""
    bare = {word: value for word, value in side.items() if word != "commander"}
    return {**bare, "commander": rank} if rank else bare


def visible_to(
    campaign: Campaign, ledger: Ledger, reader: Reader, seen: Campaign | None = None
) -> VisibleCampaign:
    """Return what a reader may know of a campaign and its ledger.

    `reader` is the key of a faction, PUBLIC or UMPIRE. `seen` is the campaign as the reader saw it at the
    time, if changes were undone since: they do not know what they could not see then.
    """
    if reader == UMPIRE:
        strengths = {key: Estimate(force.strength) for key, force in campaign.forces.items()}
        commanders = {key: force.commander for key, force in campaign.forces.items()}
        ids = [battle.id for battle in campaign.pending]
        return VisibleCampaign(reader, campaign, ledger, strengths, commanders, ids, campaign.locations)
    past = seen or campaign
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
    )


def owners_in_both(campaign: Campaign, seen: Campaign) -> dict[str, str]:
    """Return the faction of each force; empty if it differs between the two campaigns."""
    owners = {key: force.faction for key, force in seen.forces.items()}
    forces = campaign.forces.items()
    return {key: force.faction if owners.get(key) == force.faction else "" for key, force in forces}


def in_sight(campaign: Campaign, reader: Reader) -> set[str]:
    """Return the places a faction holds or has a force at, and their neighbours by road."""
    forces = [
        force.location
        for force in campaign.forces.values()
        if force.faction == reader and not force.destroyed
    ]
    held = [key for key, place in campaign.locations.items() if place.owner and place.owner == reader]
    here = {*held, *(place for place in forces if place is not None)}
    return here | {end for road in campaign.road_ends if here & {*road} for end in road}


def known_plans(campaign: Campaign, reader: Reader) -> list[dict[str, object]]:
    """Return the plans of the schedule that a reader may know: when, and the text; not what they change."""
    return [
        {word: value for word in ("turn", "date", "text", "known") if (value := getattr(item, word))}
        for item in campaign.schedule
        if item.text
        and not is_private(item.text)
        and {reader or PUBLIC_READER, PUBLIC_READER} & {*item.known}
    ]


def without_purse(faction: Mapping[str, object]) -> dict[str, object]:
    return {word: value for word, value in faction.items() if word != "purse"}


def public_data(campaign: Campaign, reader: Reader) -> dict[str, object]:
    """Return the public part of a campaign's data and a faction's purse, with a substitute seed."""
    data = {word: value for word, value in campaign.data.items() if word in PUBLIC_TABLES}
    if "factions" in data:
        data["factions"] = {
            key: faction if key == reader else without_purse(table_or_empty(faction))
            for key, faction in table_or_empty(data["factions"]).items()
        }
    plans = known_plans(campaign, reader)
    if plans:
        data["schedule"] = plans
    copy = own_keys({**data, "seed": f"what everybody knows of {campaign.name}"})
    assert isinstance(copy, dict)
    return copy


def public_league(campaign: Campaign, ledger: Ledger, seen: Collection[str]) -> dict[str, object]:
    """Return the league without matches that the reader knows nothing of; `seen` are battles by id.

    A recorded result is known to everybody. While matches of a round are hidden, so are its byes; and while
    battles are hidden, so is the order of the draw, from which all rounds of a round robin follow.
    """
    if campaign.fixtures is None:
        return {}
    is_open = campaign.visibility.pending == ALL
    known = {*seen, *ledger.revision_by_battle}
    rounds = [drawn if is_open else known_round(drawn, known) for drawn in campaign.round]
    tables = [
        drawn.model_dump(exclude_none=True, exclude_defaults=True)
        for drawn in rounds
        if drawn.matches or drawn.byes
    ]
    fixtures = dict(table_or_empty(campaign.data["fixtures"]))
    if not is_open:
        fixtures.pop("order", None)
    return {"fixtures": fixtures, "round": tables}


def known_round(drawn: Round, known: Collection[str]) -> Round:
    """Return a round with only its known matches, and with byes only if it has no others."""
    matches = [match for match in drawn.matches if match.battle in known]
    is_whole = len(matches) == len(drawn.matches)
    kept = drawn.byes if is_whole else []
    return Round(name=drawn.name, matches=matches, byes=kept, stage=drawn.stage)


PUBLIC_TABLES = (
    "format", "name", "turn", "turn_name", "rules", "scoring", "attrition", "advantage", "factions",
    "locations", "calendar", "visibility", "map", "weather", "terrain", "movement", "road",
    "aftermath", "experience", "supply", "recovery", "income",
)  # fmt: skip


def person_fields(force: Force) -> dict[str, object]:
    """Return the fields of a force that a reader who knows its commander also knows."""
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
    """What a faction or the public sees of a campaign; `seen` is the campaign as they saw it then."""

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
        """Return towards which place a force is on a road, if it is on one, and how far it is."""
        force = self.campaign.forces[key]
        return force.towards, force.walked

    def seen_position(self, key: str) -> tuple[str | None, str | None, int] | None:
        """Return where the reader could see a force at the time, None if it was not there."""
        past = self.seen.forces.get(key)
        return None if past is None else (past.location, past.towards, past.walked)

    def movement_fields(self, key: str) -> dict[str, object]:
        """Return what the reader may know of how a force moves: its orders, if it is their own."""
        force = self.campaign.forces[key]
        on_road = self.location(key) is not None and force.towards is not None
        fields = {"towards": force.towards, "walked": force.walked} if on_road else {}
        own = {"pace": force.pace, "march": force.march} if self.clearance.is_own(key) else {}
        return {**fields, **own}

    def movement_tables(self) -> dict[str, object]:
        """Return the orders that the reader may know: their own, and the seals of all."""
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
            "strength": strength.number if strength else 0,
            "commander": force.commander if self.clearance.knows(key, "commander") else None,
            "location": self.location(key),
            "destroyed": force.destroyed and strength is not None,
            **self.movement_fields(key),
            "full": force.full if self.clearance.knows(key, "strength") else None,
            **(person_fields(force) if self.knows_rank(key) else {}),
            **({"prisoner_of": force.prisoner_of} if force.prisoner_of == self.clearance.reader else {}),
        }
        return {word: value for word, value in fields.items() if value is not None}

    def knows_rank(self, key: str) -> bool:
        """Return True if the reader knows a force's commander, and so its experience."""
        return self.clearance.knows(key, "commander")

    def sees_battle(self, battle: Pending) -> bool:
        """Return True if the reader knows of a pending battle: all, their own, or those in sight."""
        extent = self.clearance.visibility.pending
        if extent == ALL or self.clearance.fights(battle.sides):
            return True
        places = {battle.stakes, *(self.location(force) for side in battle.sides for force in side)}
        return extent == ROUGH and any(place in self.sight for place in places)

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
    """Return the commander of a force, exact, rough, or empty, depending on the reader."""
    if clearance.knows(force, "commander"):
        return rank
    is_rough = clearance.visibility.commander == ROUGH and find_rank(rank)
    return rough_rank(rank) if is_rough else ""


def fighting_sides(entry: Entry) -> dict[str, Sequence[str]]:
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    return {side[0]: side for table in tables if isinstance(table, dict) for side in sides_in(table)}


def side_namer(campaign: Campaign, entry: Entry) -> Callable[[str], str]:
    """Return a function that names a side of a recorded battle by its key."""
    sides = fighting_sides(entry)
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    battle = next((table for table in tables if isinstance(table, dict)), None)

    def name(key: str) -> str:
        forces = sides.get(key, [key])
        joint = (
            campaign.display_name(forces[0])
            if len(forces) == 1
            else listed(map(campaign.display_name, forces))
        )
        return name_from_battle(key, battle) or joint

    return name
