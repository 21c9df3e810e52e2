"""The content of a site, as far as its reader may know it: turns, battles, and who fought in them."""

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
from cardbattle.campaign.state.model import name_from_battle, read_campaign
from cardbattle.campaign.visibility.reader import (
    VisibleCampaign,
    fighting_sides,
    owners_in_both,
    seat_of_reader,
    visible_to,
)
from cardbattle.campaign.visibility.redaction import PUBLIC_WORDS, Clearance
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, listed
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import MEGABYTE, read_bytes
from cardbattle.show.pages.campaign.chronicle import battle_sentences, turn_title
from cardbattle.show.svg.drawn_map import Drawing, read_drawing

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign


REASON_UNRECORDED = "after an undo or an edit of the file"


@dataclass(frozen=True)
class SiteTurn:
    """A turn of the site: its number, the campaign at its end, and its entries that were not undone."""

    number: int
    visible: VisibleCampaign
    entries: list[Entry]

    def title(self, campaign: Campaign) -> str:
        """Return the turn's heading, with its name and dates if it has them."""
        name = campaign.turn_name if self.number == campaign.turn else None
        return turn_title(campaign, self.number, str(name or self.last_name))

    @cached_property
    def last_name(self) -> str:
        """The turn's last recorded name; empty if it has none."""
        names = [
            change.after for entry in self.entries for change in entry.changes if change.key == ("turn_name",)
        ]
        return str((names[-1] if names else "") or "")


class SiteBattle(NamedTuple):
    """A recorded battle that was not undone.

    Attributes:
        sides: the forces of each side.
        title: who fought, as `Owain Glyndŵr against Thomas Carew`.
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
        turn_list = timeline(whole, visible.ledger)
        turns = {revision: turn for turn in turn_list for revision in turn.revisions}
        numbers = {revision: turn.number for revision, turn in turns.items()}
        entries = [
            self.with_turn_changes(shown, turns[shown.revision])
            for shown in visible.entries
            if shown.revision not in visible.ledger.undone_revisions
        ]
        by_turn: dict[int, list[Entry]] = {turn.number: [] for turn in turn_list}
        for entry in entries:
            by_turn[entry.turn if entry.turn in by_turn else numbers[entry.revision]].append(entry)
        self.turns = [
            SiteTurn(
                turn.number,
                self.visible_then(turn, whole),
                [*by_turn[turn.number], *self.unrecorded_changes(turn)],
            )
            for turn in turn_list
        ]
        self.battles = {
            entry.id: site_battle(visible.campaign, entry, numbers[entry.revision])
            for entry in entries
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

    def visible_then(self, turn: PastTurn, whole: Campaign) -> VisibleCampaign:
        if turn.campaign is whole:
            return self.visible
        return visible_to(self.past_campaign(turn), self.visible.ledger, self.visible.reader, turn.seen)

    def past_campaign(self, turn: PastTurn) -> Campaign:
        """Return the campaign at the end of a turn.

        Forces that changed sides since are as the reader saw them then.

        Undone changes to those forces stay hidden from the reader.
        """
        forces, seen = (table_or_empty(past.data["forces"]) for past in (turn.campaign, turn.seen))
        lost = {
            key: seen[key]
            for key, faction in owners_in_both(turn.campaign, turn.seen).items()
            if faction == self.visible.reader and not self.visible.clearance.is_own(key)
        }
        if not lost:
            return turn.campaign
        data = without_loose_ends({**turn.campaign.data, "forces": {**forces, **lost}})
        return read_campaign(data, turn.campaign.folder)

    def with_turn_changes(self, entry: Entry, turn: PastTurn) -> Entry:
        """Return an entry with its points and strengths recomputed from the end of the previous turn.

        Strengths that the reader may not know today stay as recorded.
        """
        visible = self.visible
        changes = [
            turn.explained.get((entry.revision, change.key), change)
            if visible.is_whole
            or change.key[0] != "forces"
            or visible.clearance.knows(change.key[1], "strength")
            else change
            for change in entry.changes
        ]
        return entry._replace(changes=changes)

    def unrecorded_changes(self, turn: PastTurn) -> Iterator[Entry]:
        """Yield a turn's changes that no valid entry records, as far as the reader may know them."""
        for change in turn.unexplained:
            if self.visible.is_whole or change.key[-1] in PUBLIC_WORDS:
                yield Entry(0, edits.KIND, [change], reason=REASON_UNRECORDED)

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
