"""All that a site tells, as far as its reader may know it: turns, battles, and who took part in them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger import edits
from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.ledger.timeline import PastTurn, timeline, without_loose_ends
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.state.model import given_name, read_campaign
from cardbattle.campaign.visibility.reader import VisibleCampaign, fighting_sides, owners_in_both, visible_to
from cardbattle.campaign.visibility.redaction import PUBLIC_WORDS, Clearance
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, listed
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import MEGABYTE, read_bytes
from cardbattle.show.pages.campaign.chronicle import battle_sentences, turn_title
from cardbattle.show.svg.drawn_map import Drawing, read_drawing

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign


REASON_UNRECORDED = "by what was taken back or changed by hand"


@dataclass(frozen=True)
class SiteTurn:
    """One turn: its number, what its reader may know of its end, and what happened in it and stands."""

    number: int
    known: VisibleCampaign
    entries: list[Entry]

    def title(self, campaign: Campaign) -> str:
        """Return what the turn is called, with its name and days if it has them."""
        now = campaign.turn_name if self.number == campaign.turn else None
        return turn_title(campaign, self.number, str(now or self.last_name))

    @cached_property
    def last_name(self) -> str:
        """The name that the turn was given last, empty if none: every battle's page names its turn."""
        named = [one.after for entry in self.entries for one in entry.changes if one.key == ("turn_name",)]
        return str((named[-1] if named else "") or "")


class SiteBattle(NamedTuple):
    """A recorded battle that stands: its entry, the turn, the forces of each side, what it was fought for.

    `title` says who fought it, as `Owain Glyndŵr against Thomas Carew`, `ended` how it ended and what it
    cost, in a sentence or two.
    """

    entry: Entry
    turn: int
    sides: list[list[str]]
    stakes: str
    note: str
    title: str
    ended: str


class SiteBook:
    """All that a site tells.

    `known` is what its reader may know today, `turns` the same turn by turn, the last one today;
    `battles` are by id, in order. `tints` has the number of each faction's colour, `drawing` the
    umpire's own map if there is one.
    """

    def __init__(self, known: VisibleCampaign, whole: Campaign, drawing: Drawing | None = None) -> None:
        self.known = known
        self.campaign = known.campaign
        self.drawing = drawing
        self.tints = {key: n for n, key in enumerate(known.campaign.factions)}
        past = timeline(whole, known.ledger)
        turns = {revision: turn for turn in past for revision in turn.revisions}
        numbers = {revision: turn.number for revision, turn in turns.items()}
        stand = [
            self.as_told(one, turns[one.revision])
            for one in known.entries
            if one.revision not in known.ledger.taken_back
        ]
        told: dict[int, list[Entry]] = {turn.number: [] for turn in past}
        for entry in stand:
            told[entry.turn if entry.turn in told else numbers[entry.revision]].append(entry)
        self.turns = [
            SiteTurn(turn.number, self.known_then(turn, whole), [*told[turn.number], *self.untold(turn)])
            for turn in past
        ]
        self.battles = {
            entry.id: site_battle(known.campaign, entry, numbers[entry.revision])
            for entry in stand
            if entry.result is not None and known.ledger.recorded.get(entry.id) == entry.revision
        }
        self.places = {key: place for place, key in enumerate(self.battles)}  # in the order of battles
        self.staked: dict[str, list[SiteBattle]] = {}  # by place
        for battle in self.battles.values():
            self.staked.setdefault(battle.stakes, []).append(battle)
        self.fought: dict[str, list[SiteBattle]] = {}  # by force
        for battle in self.battles.values():
            for force in {key for side in battle.sides for key in side}:
                self.fought.setdefault(force, []).append(battle)

    def __repr__(self) -> str:
        return f"<SiteBook of {self.campaign.name}: {len(self.turns)} turns, {len(self.battles)} battles>"

    def known_then(self, turn: PastTurn, whole: Campaign) -> VisibleCampaign:
        """Return what the reader may know of a turn's end, of the present one what is known already."""
        if turn.campaign is whole:
            return self.known
        return visible_to(self.remembered(turn), self.known.ledger, self.known.reader, turn.seen)

    def remembered(self, turn: PastTurn) -> Campaign:
        """Return a turn's end, the reader's own forces that are another's today as they were seen then.

        What has been taken back of those since is not for the reader.
        """
        told, seen = (table_or_empty(one.data["forces"]) for one in (turn.campaign, turn.seen))
        lost = {
            key: seen[key]
            for key, faction in owners_in_both(turn.campaign, turn.seen).items()
            if faction == self.known.reader and not self.known.discretion.is_own(key)
        }
        if not lost:
            return turn.campaign
        data = without_loose_ends({**turn.campaign.data, "forces": {**told, **lost}})
        return read_campaign(data, turn.campaign.folder)

    def as_told(self, entry: Entry, turn: PastTurn) -> Entry:
        """Return an entry with its points and strengths as they follow from the end of the turn before.

        Strengths that are not the reader's to know today are as they were.
        """
        known = self.known
        changes = [
            turn.told.get((entry.revision, one.key), one)
            if known.is_whole or one.key[0] != "forces" or known.discretion.knows(one.key[1], "strength")
            else one
            for one in entry.changes
        ]
        return entry._replace(changes=changes)

    def untold(self, turn: PastTurn) -> Iterator[Entry]:
        """Yield what changed in a turn without an entry that stands, as far as the reader may know it."""
        for change in turn.rest:
            if self.known.is_whole or change.key[-1] in PUBLIC_WORDS:
                yield Entry(0, edits.KIND, [change], reason=REASON_UNRECORDED)

    @property
    def reader(self) -> str:
        """For whom the site is, in words."""
        if self.known.is_whole:
            return "the umpire"
        return self.campaign.faction_name(self.known.reader) if self.known.reader else "everybody"

    def tint_of(self, side: Sequence[str]) -> int:
        """Return the number of a side's colour: its faction's, or the first one's if that is not known."""
        force = self.campaign.forces.get(side[0])
        return self.tints.get(force.faction, 0) if force else 0

    def battles_of(self, keys: Sequence[str]) -> list[SiteBattle]:
        """Return the battles in which any of these forces fought, in order."""
        found = {one.entry.id for key in keys for one in self.fought.get(key, ())}
        return [self.battles[key] for key in sorted(found, key=self.places.__getitem__)]

    def battles_for(self, place: str) -> list[SiteBattle]:
        """Return the battles that were fought for a place, in order."""
        return self.staked.get(place, [])


def drawing_of(campaign: Campaign) -> Drawing | None:
    """Return the umpire's own map, if the campaign names one; Refused if it cannot be read as a drawing."""
    name = campaign.map.file
    if name is None:
        return None
    content = read_bytes(os.path.join(campaign.folder, name), MEGABYTE)
    try:
        return read_drawing(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInput(f"{clean(name)}: this is no text in UTF-8; save it as plain SVG") from None
    except InvalidInput as error:
        raise InvalidInput(f"{clean(name)}: {error}") from None


def unplaced(campaign: Campaign, drawing: Drawing) -> str:
    """Return which places the umpire's own map cannot show, and why; the empty string if it shows all."""
    places = campaign.locations.items()
    lost = [clean(key) for key, place in places if drawing.spot(key, place.at) is None]
    why = "it has no shape of that id, and no `at` lies within it"
    return f"{clean(campaign.map.file or '')} cannot show {listed(lost)}: {why}" if lost else ""


def site_battle(campaign: Campaign, entry: Entry, turn: int) -> SiteBattle:
    """Return a recorded battle as the site tells it, its forces by the table it was pending as."""
    assert entry.result is not None
    tables = [one.before for one in entry.changes if is_battle(one.key) and isinstance(one.before, dict)]
    table: Mapping[str, object] = tables[0] if tables else {}
    fought = fighting_sides(entry)
    sides = [[*fought.get(key, [key])] for key in entry.result.sides]
    return SiteBattle(
        entry,
        turn,
        sides,
        str(table.get("stakes", "")),
        str(table.get("note", "")),
        title_of_sides(campaign, sides, table),
        clean(battle_sentences(campaign, entry)),
    )


def title_of_sides(campaign: Campaign, sides: Sequence[Sequence[str]], battle: Mapping[str, object]) -> str:
    """Return who fought a battle, also if they are there no more."""
    names = [given_name(side[0], battle) or listed(map(campaign.called, side)) for side in sides]
    return clean(" against ".join(names) if len(names) == 2 else listed(names))


def discretions(known: VisibleCampaign, revisions: Sequence[int]) -> Iterator[tuple[int, Clearance]]:
    """Yield each of these revisions, the last first, with what the reader could know before it."""
    wanted, found = {*revisions}, known.discretion
    for revision in range(known.ledger.settled, 0, -1):
        found = found.before(entry_today(known.ledger, revision))
        if revision in wanted:
            yield revision, found
