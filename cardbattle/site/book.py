"""The content of a site that its reader may know: turns, battles, and who fought in them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.state.model import name_from_battle
from cardbattle.campaign.visibility.reader import (
    VisibleCampaign,
    fighting_sides,
    seat_of_reader,
)
from cardbattle.campaign.visibility.redaction import Clearance
from cardbattle.campaign.visibility.visible_turns import VisibleTurn, visible_turns
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, listed
from cardbattle.files.toml import MEGABYTE, read_bytes
from cardbattle.show.pages.campaign.chronicle import battle_sentences
from cardbattle.show.svg.drawn_map import Drawing, read_drawing

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign


class SiteBattle(NamedTuple):
    """A recorded battle that was not undone.

    Attributes:
        sides: the forces of each side.
        title: who fought, such as `Owain Glyndŵr against Thomas Carew`.
        ended: the result and its cost, in a sentence or two.

    """

    entry: Entry
    turn: int
    sides: list[list[str]]
    stakes: str
    note: str
    title: str
    ended: str


class SiteBook:
    """The content of a site.

    Attributes:
        visible: what the reader may know today.
        turns: in order; the last one is today.
        battles: by id, in order.
        tints: the colour number of each faction.
        drawing: the umpire's own map, or None.

    """

    def __init__(self, visible: VisibleCampaign, whole: Campaign, drawing: Drawing | None = None) -> None:
        self.visible = visible
        self.campaign = visible.campaign
        self.drawing = drawing
        self.tints = {key: n for n, key in enumerate(visible.campaign.factions)}
        self.turns = visible_turns(visible, whole)
        self.battles = {
            entry.id: site_battle(visible.campaign, entry, turn.number)
            for entry, turn in entries_in_order(self.turns)
            if entry.result is not None and visible.ledger.revision_by_battle.get(entry.id) == entry.revision
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

    @property
    def reader(self) -> str:
        """The reader's name; it also marks the site's folder."""
        if self.visible.is_whole:
            return "the umpire"
        return self.campaign.faction_name(self.visible.reader) if self.visible.reader else "everybody"

    def tint_of(self, side: Sequence[str]) -> int:
        force = self.campaign.forces.get(side[0])
        return self.tints.get(force.faction, 0) if force else 0

    def battles_of(self, keys: Sequence[str]) -> list[SiteBattle]:
        """Return the battles in which any of these forces fought, in order."""
        ids = {battle.entry.id for key in keys for battle in self.fought.get(key, ())}
        return [self.battles[key] for key in sorted(ids, key=self.places.__getitem__)]


def entries_in_order(turns: Sequence[VisibleTurn]) -> list[tuple[Entry, VisibleTurn]]:
    """Return the entries in the order of the ledger, each with its turn."""
    return sorted(
        ((entry, turn) for turn in turns for entry in turn.entries), key=lambda pair: pair[0].revision
    )


def drawing_of(campaign: Campaign) -> Drawing | None:
    """Return the umpire's own map, if the campaign names one; InvalidInput if it is not a drawing."""
    name = campaign.map.file
    if name is None:
        return None
    content = read_bytes(os.path.join(campaign.folder, name), MEGABYTE)
    try:
        return read_drawing(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInput(f"{clean(name)}: not UTF-8 text; save it as plain SVG") from None
    except InvalidInput as error:
        raise InvalidInput(f"{clean(name)}: {error}") from None


def unplaceable(campaign: Campaign, drawing: Drawing) -> str:
    """Return a warning about places that the umpire's own map cannot show; empty if it shows all."""
    places = campaign.locations.items()
    missing = [clean(key) for key, place in places if drawing.spot(key, place.at) is None]
    why = "the drawing has no shape with that id, and `at` is missing or outside it"
    return f"{clean(campaign.map.file or '')} cannot show {listed(missing)}: {why}" if missing else ""


def site_battle(campaign: Campaign, entry: Entry, turn: int) -> SiteBattle:
    """Return a recorded battle for the site, its sides by the pending battle's table."""
    assert entry.result is not None
    tables = [
        change.before for change in entry.changes if is_battle(change.key) and isinstance(change.before, dict)
    ]
    table: Mapping[str, object] = tables[0] if tables else {}
    forces = fighting_sides(entry)
    sides = [[*forces.get(key, [key])] for key in entry.result.sides]
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
    names = [name_from_battle(side[0], battle) or listed(map(campaign.display_name, side)) for side in sides]
    return clean(" against ".join(names) if len(names) == 2 else listed(names))


def seats_of_reader(book: SiteBook) -> Iterator[tuple[SiteBattle, int | None]]:
    """Yield each battle with the reader's seat: -1 if they did not fight, None for the umpire."""
    battles = list(book.battles.values())
    if book.visible.is_whole:
        yield from ((battle, None) for battle in battles)
        return
    clearances = dict(clearances_before(book.visible, [battle.entry.revision for battle in battles]))
    for battle in battles:
        yield battle, seat_of_reader(clearances[battle.entry.revision], battle.sides)


def clearances_before(visible: VisibleCampaign, revisions: Sequence[int]) -> Iterator[tuple[int, Clearance]]:
    """Yield each of these revisions, the last first, with the reader's clearance before it."""
    wanted, clearance = {*revisions}, visible.clearance
    for revision in range(visible.ledger.whole_entries, 0, -1):
        clearance = clearance.before(entry_today(visible.ledger, revision))
        if revision in wanted:
            yield revision, clearance
