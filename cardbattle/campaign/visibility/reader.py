"""What one reader may know of a campaign: a faction, everybody, or the umpire, who knows everything.

`visible_to` makes, out of nothing but what the reader may know, a campaign of the same shape: places,
commanders and battles that are hidden from them do not stand in it, nor do the seed, the umpire's own keys
and the ledger's lines. So what is printed of it cannot tell more, in whatever format.
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
from cardbattle.campaign.state.model import Campaign, Pending, given_name, read_campaign
from cardbattle.campaign.visibility.redaction import (
    Clearance,
    clearance_before,
    is_private,
    redacted,
    sides_in,
    without_secrets,
)
from cardbattle.commanders import RANKS
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
    """How strong something is, exactly or about."""

    number: int
    is_rough: bool = False

    def __str__(self) -> str:
        if not self.is_rough:
            return str(self.number)
        return "a few" if self.number <= FEW else f"about {self.number}"

    @property
    def value(self) -> int | str:
        """The estimate as JSON has it: a number, or words."""
        return str(self) if self.is_rough else self.number


def roughly(strength: int) -> Estimate:
    """Return the band in which a strength from 0 lies; the bands are the same for every force.

    >>> [str(roughly(strength)) for strength in (0, 3, 4, 7, 8, 12, 13, 61)]
    ['a few', 'a few', 'about 5', 'about 5', 'about 10', 'about 10', 'about 15', 'about 50']
    """
    return Estimate(CENTRES[bisect_left(EDGES, strength)], is_rough=True)


def rough_rank(rank: str) -> str:
    """Return about how good a commander is: one of those who think ahead, or of those who do not.

    >>> rough_rank("green"), rough_rank("elite:iterations=400")
    ('green, regular or seasoned', 'veteran or elite')
    """
    thinks = RANKS[rank.partition(":")[0]].thinks
    return listed([name for name, one in RANKS.items() if one.thinks == thinks], "or")


@dataclass(frozen=True)
class VisibleCampaign:
    """What one reader may know of a campaign.

    `campaign` has nothing else in it. A strength in it is as good as the reader knows it and 0 where they
    know nothing: `strengths` (None: not known) and `commanders` ("": not known) are what to tell.
    `certain` are the pending battles of which the reader knows every force and commander, so that their
    odds are no news; `sight` are the places they look at. `ledger` is the umpire's own; what may be told of
    it are `entries`.
    """

    reader: Reader
    campaign: Campaign
    ledger: Ledger
    strengths: Mapping[str, Estimate | None]
    commanders: Mapping[str, str]
    certain: Collection[str]
    sight: Collection[str]

    def __repr__(self) -> str:
        return f"<Intelligence of {self.campaign.name} for {self.reader or 'everybody'}>"

    @property
    def is_whole(self) -> bool:
        """Whether the reader is the umpire."""
        return self.reader == UMPIRE

    def strength_of(self, forces: Iterable[str]) -> Estimate | None:
        """Return how strong these forces are together; None if it is not known of one of them."""
        known = [self.strengths[force] for force in forces]
        found = [one for one in known if one is not None]
        if len(found) < len(known):
            return None
        return Estimate(sum(one.number for one in found), any(one.is_rough for one in found))

    def strength_of_faction(self, faction: str) -> Estimate | None:
        """Return how strong a faction's forces are that are not known to be destroyed."""
        forces = self.campaign.forces.items()
        return self.strength_of(key for key, one in forces if one.faction == faction and not one.destroyed)

    def table(self) -> dict[str, object]:
        """Return the campaign as JSON has it: the umpire's as the file has it, another's without a seed."""
        if self.is_whole:
            return dict(self.campaign.data)
        forces: dict[str, object] = {}
        for key, force in self.campaign.forces.items():
            strength = self.strengths[key]
            told = {
                "faction": force.faction,
                "name": force.name,
                "plural": force.plural,
                "strength": None if strength is None else strength.value,
                "commander": self.commanders[key] or None,
                "location": force.location,
                "destroyed": force.destroyed or None,
            }
            forces[key] = {word: value for word, value in told.items() if value is not None}
        shown = {word: value for word, value in self.campaign.data.items() if word != "seed"}
        return {"viewer": self.reader or "public", **shown, "forces": forces}

    def sees(self, place: str) -> bool:
        """Say whether the reader would know of any force that stands at a place."""
        return self.campaign.visibility.location == ALL or place in self.sight

    @cached_property
    def countable(self) -> Campaign:
        """The campaign with those pending battles alone whose odds the reader may count."""
        if self.is_whole:
            return self.campaign
        data = self.campaign.data
        tables = [table for table in pending(data) if table["id"] in self.certain]
        fighting = {force for table in tables for side in sides_in(table) for force in side}
        forces = {key: force for key, force in table_or_empty(data["forces"]).items() if key in fighting}
        return read_campaign({**data, PENDING: tables, "forces": forces}, self.campaign.folder)

    @cached_property
    def discretion(self) -> Clearance:
        """What the reader may not know of the past."""
        owners = {key: force.faction for key, force in self.campaign.forces.items()}
        return Clearance(self.reader, self.campaign.visibility, owners)

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries of the ledger that the reader may know, in today's keys, as far as they may.

        They keep their revisions, which only the umpire is told: `numbers` has what to tell.
        """
        if self.is_whole:
            return span_today(self.ledger, 1, self.ledger.settled)
        return redacted(self.ledger, self.discretion)

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The number by which the reader knows each revision: without gaps, which would tell of others."""
        if self.is_whole:
            return IdentityMapping(self.ledger.settled)
        return {entry.revision: number for number, entry in enumerate(self.entries, 1)}

    def entries_since(self, number: int = 1, turn: int | None = None) -> Iterator[Entry]:
        """Yield the entries from this number on, as the reader knows it, and from this turn's beginning on.

        `number` is from 1.
        """
        first = 1 if turn is None else first_of_turn(self.ledger, turn)
        if self.is_whole:
            return each_today(self.ledger, max(first, number), self.ledger.settled)
        return (entry for entry in self.entries[number - 1 :] if entry.revision >= first)

    def is_about(self, entry: Entry, key: str) -> bool:
        """Say whether one of the entries concerns a battle, a force, a faction or a place.

        The umpire may name it by the key it had then.
        """
        if self.is_whole:
            return is_about(self.ledger, self.ledger.entry(entry.revision), key)
        return concerns(entry, key)

    def entry_table(self, entry: Entry) -> dict[str, object]:
        """Return an entry as JSON has it; only the umpire's is as the ledger has it."""
        if self.is_whole:
            return self.ledger.entry(entry.revision).table()
        numbers = self.numbers
        told = entry._replace(
            revision=numbers[entry.revision], undoes=[numbers[undone] for undone in entry.undoes]
        )
        return {word: value for word, value in told.table().items() if word != "prev"}

    def changes_in(self, entry: Entry) -> list[Change]:
        """Return what an entry that was just made changes, as far as the reader may know."""
        return entry.changes if self.is_whole else without_secrets(entry, self.discretion).changes

    def logs(self, folder: str) -> dict[int, Record]:
        """Return the records, out of the campaign's folder, of the battles that stand, by their revisions.

        One that cannot be read is left out.
        """
        found = {}
        for entry in self.entries:
            name = self.ledger.heads[entry.revision - 1].record
            if name and entry.revision not in self.ledger.taken_back:
                found[entry.revision] = record_in(folder, name)
        return {revision: record for revision, record in found.items() if record is not None}

    def view_of(self, revision: int, record: Record) -> RecordView:
        """Return how the reader may see a battle that the entry of this revision has recorded."""
        if self.is_whole:
            return view_for(record, None, [])
        then = clearance_before(self.ledger, self.discretion, revision)
        keys = [force_today(self.ledger, key, revision) for key in record.setup.seats]
        sides = fighting_sides(entry_today(self.ledger, revision))
        return view_for(record, then, [sides.get(key, [key]) for key in keys])


class IdentityMapping(Mapping[int, int]):
    """The numbers of revisions for the umpire, who knows each by its own."""

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
    """A recorded battle for one reader: through whose eyes, and the commanders as far as they may be told.

    `seat` is a side's, `NOBODY` for what everybody saw, None for the umpire, who sees all. `led` are the
    sides whose orders are the reader's own: those of a side on which an ally's force leads are not.
    """

    record: Record
    seat: int | None
    commanders: list[str]
    led: list[str]

    @property
    def is_certain(self) -> bool:
        """Whether the reader knows all that decided how the battle could go: its commanders, its cards."""
        own = "" if self.seat in (None, NOBODY) else self.record.setup.seats[self.seat or 0]
        table, ranks = self.record.table, [side.commander for side in self.record.sides]
        others = [options for key, options in table_or_empty(table["sides"]).items() if key != own]
        given = (table_or_empty(table["house"]), *(without_orders(table_or_empty(one)) for one in others))
        has_cards = any(isinstance(value, list) for one in given for value in one.values())
        return self.commanders == ranks and not has_cards

    def report(self, referee: Referee) -> Report:
        """Return the battle's report, out of the record fought again."""
        return report_of(self.record, referee, self.seat)._replace(commanders=self.commanders)

    def table(self) -> dict[str, object]:
        """Return the record's table."""
        table = table_for(self.record, self.seat)
        if self.seat is None:
            return table
        sides = table["sides"]
        assert isinstance(sides, dict)
        ranks = dict(zip(self.record.setup.seats, self.commanders, strict=True))
        told = {key: side if key in self.led else without_orders(side) for key, side in sides.items()}
        return {**table, "sides": {key: commanded_by_rank(side, ranks[key]) for key, side in told.items()}}


def view_for(record: Record, then: Clearance | None, sides: Sequence[Sequence[str]]) -> RecordView:
    """Return how a reader may see a record: None is the umpire's discretion.

    `sides` are the forces of each seat as they are called today, the one that leads them first.
    """
    if then is None:
        return RecordView(record, None, [side.commander for side in record.sides], record.setup.seats)
    own = [seat for seat, forces in enumerate(sides) if then.fights([forces])]
    leads = list(zip(record.setup.seats, (forces[0] for forces in sides), record.sides, strict=True))
    ranks = [known_commander(then, lead, side.commander) for _, lead, side in leads]
    led = [seat for seat, lead, _ in leads if then.is_own(lead)]
    return RecordView(record, own[0] if own else NOBODY, ranks, led)


def without_orders(side: Mapping[str, object]) -> dict[str, object]:
    """Return a side of a record without what it was told beforehand, and who came in a person's place."""
    return {word: value for word, value in side.items() if word not in ("standing", "substitutes")}


def commanded_by_rank(side: Mapping[str, object], rank: str) -> dict[str, object]:
    """Return a side of a record with this commander, without any if the rank is not to be told."""
    bare = {word: value for word, value in side.items() if word != "commander"}
    return {**bare, "commander": rank} if rank else bare


def visible_to(
    campaign: Campaign, ledger: Ledger, reader: Reader, seen: Campaign | None = None
) -> VisibleCampaign:
    """Return what a reader may know of a campaign and of its ledger.

    `reader` is the key of a faction, PUBLIC for what everybody may know, UMPIRE for everything. `seen` is
    the campaign as it stood when they looked, where something has been taken back since: what they did not
    see then they do not know.
    """
    if reader == UMPIRE:
        strengths = {key: Estimate(force.strength) for key, force in campaign.forces.items()}
        commanders = {key: force.commander for key, force in campaign.forces.items()}
        ids = [battle.id for battle in campaign.pending]
        return VisibleCampaign(reader, campaign, ledger, strengths, commanders, ids, campaign.locations)
    then = seen or campaign
    may = Clearance(reader, campaign.visibility, owners_in_both(campaign, then))
    given = CampaignFilter(campaign, may, in_sight(campaign, reader) & in_sight(then, reader), then)
    battles = [battle for battle in campaign.pending if given.sees_battle(battle)]
    data = {
        **public_data(campaign),
        "forces": {key: given.force_table(key) for key in campaign.forces},
        PENDING: [given.battle_table(battle) for battle in battles],
    }
    return VisibleCampaign(
        reader,
        read_campaign(data, campaign.folder),
        ledger,
        {key: given.strength(key) for key in campaign.forces},
        {key: known_commander(given.may, key, one.commander) for key, one in campaign.forces.items()},
        [battle.id for battle in battles if given.is_certain(battle)],
        given.sight,
    )


def owners_in_both(campaign: Campaign, seen: Campaign) -> dict[str, str]:
    """Return whose the forces are that are the same faction's in both campaigns; nobody's for the others."""
    then = {key: force.faction for key, force in seen.forces.items()}
    forces = campaign.forces.items()
    return {key: force.faction if then.get(key) == force.faction else "" for key, force in forces}


def in_sight(campaign: Campaign, reader: Reader) -> set[str]:
    """Return the places that a faction holds or has a force at, and those one road from them."""
    forces = [one.location for one in campaign.forces.values() if one.faction == reader and not one.destroyed]
    held = [key for key, place in campaign.locations.items() if place.owner and place.owner == reader]
    here = {*held, *(place for place in forces if place is not None)}
    return here | {end for road in campaign.map.roads if here & {*road} for end in road}


def public_data(campaign: Campaign) -> dict[str, object]:
    """Return what of a campaign nobody hides, and a seed that is none of the umpire's."""
    told = {word: value for word, value in campaign.data.items() if word in PUBLIC_TABLES}
    found = own_keys({**told, "seed": f"what everybody knows of {campaign.name}"})
    assert isinstance(found, dict)
    return found


PUBLIC_TABLES = (
    "format", "name", "turn", "turn_name", "rules", "scoring", "attrition", "advantage", "factions",
    "locations", "calendar", "visibility", "map",
)  # fmt: skip


class CampaignFilter(NamedTuple):
    """A campaign being looked at by a reader who is not the umpire, who saw it once as `seen`."""

    campaign: Campaign
    may: Clearance
    sight: Collection[str]
    seen: Campaign

    def strength(self, key: str) -> Estimate | None:
        """Return how strong a force is as far as the reader knows."""
        strength = self.campaign.forces[key].strength
        if self.may.knows(key, "strength"):
            return Estimate(strength)
        return roughly(strength) if self.may.visibility.strength == ROUGH else None

    def location(self, key: str) -> str | None:
        """Return where a force stands if the reader knows."""
        place = self.campaign.forces[key].location
        then = self.seen.forces.get(key)
        was_there = then is not None and then.location == place
        near = self.may.visibility.location == ROUGH and place in self.sight and was_there
        return place if near or self.may.knows(key, "location") else None

    def force_table(self, key: str) -> dict[str, object]:
        """Return a force as a campaign file would have it, as far as the reader knows."""
        force, strength = self.campaign.forces[key], self.strength(key)
        told: dict[str, object] = {
            "faction": force.faction,
            "name": force.name,
            "plural": force.plural,
            "strength": strength.number if strength else 0,
            "commander": force.commander if self.may.knows(key, "commander") else None,
            "location": self.location(key),
            "destroyed": force.destroyed and strength is not None,
        }
        return {word: value for word, value in told.items() if value is not None}

    def sees_battle(self, battle: Pending) -> bool:
        """Say whether the reader knows of a pending battle: their own, all, or those at places in sight."""
        extent = self.may.visibility.pending
        if extent == ALL or self.may.fights(battle.sides):
            return True
        places = {battle.stakes, *(self.location(force) for side in battle.sides for force in side)}
        return extent == ROUGH and any(place in self.sight for place in places)

    def is_certain(self, battle: Pending) -> bool:
        """Say whether the reader knows all that decides how a pending battle may go."""
        forces = [force for side in battle.sides for force in side]
        others = [
            options for key, options in battle.options.items() if not self.may.fights([side_of(battle, key)])
        ]
        has_cards = any(isinstance(value, list) for one in (battle.house, *others) for value in one.values())
        return not has_cards and all(
            self.may.knows(force, what) for force in forces for what in ("strength", "commander")
        )

    def battle_table(self, battle: Pending) -> dict[str, object]:
        """Return a pending battle as a campaign file would have it, as far as the reader knows."""
        told: dict[str, object] = {"id": battle.id, "sides": battle.sides}
        told |= {"rules": battle.rules} if battle.rules else {}
        told |= {
            word: getattr(battle, word) for word in ("stakes", "names", "plural") if getattr(battle, word)
        }
        is_own, is_certain = self.may.fights(battle.sides), self.is_certain(battle)
        is_near = self.may.visibility.pending == ROUGH and not is_own
        if battle.note and not is_near and not is_private(battle.note):
            told["note"] = battle.note
        if is_certain:
            told |= {"house": battle.house, "options": battle.options}
        return told


def known_commander(may: Clearance, force: str, rank: str) -> str:
    """Return who commands a force, exactly or about; the empty string if the reader may not know."""
    if may.knows(force, "commander"):
        return rank
    is_rough = may.visibility.commander == ROUGH and rank.partition(":")[0] in RANKS
    return rough_rank(rank) if is_rough else ""


def fighting_sides(entry: Entry) -> dict[str, Sequence[str]]:
    """Return the forces of each side of a recorded battle, by the side's key."""
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    return {side[0]: side for table in tables if isinstance(table, dict) for side in sides_in(table)}


def side_namer(campaign: Campaign, entry: Entry) -> Callable[[str], str]:
    """Return what names a side of a recorded battle by its key: all the forces that fought on it."""
    sides = fighting_sides(entry)
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    battle = next((table for table in tables if isinstance(table, dict)), None)

    def name(key: str) -> str:
        forces = sides.get(key, [key])
        joint = campaign.called(forces[0]) if len(forces) == 1 else listed(map(campaign.called, forces))
        return given_name(key, battle) or joint

    return name
