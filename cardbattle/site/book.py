"""Collect the content of a site that its reader may know: the turns, the battles, and who fought in them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.state.model import Force, name_from_battle
from cardbattle.campaign.visibility.reader import (
    VisibleCampaign,
    fighting_sides,
    seat_of_reader,
)
from cardbattle.campaign.visibility.redaction import Clearance
from cardbattle.campaign.visibility.visible_turns import VisibleTurn, visible_turns
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import mid_sentence, sentence_start
from cardbattle.core.names import clean, listed, opposed
from cardbattle.files.toml import MEGABYTE, read_bytes
from cardbattle.show.pages.campaign.reports.battle_results import battle_sentences
from cardbattle.show.svg.badges import badge_svg
from cardbattle.show.svg.drawn_map import Drawing, read_drawing
from cardbattle.show.svg.map_marks import letters_of

if TYPE_CHECKING:
    from markupsafe import Markup

    from cardbattle.campaign.state.model import Campaign, Faction


LARGEST_BADGE = 20_000  # maximum size in bytes, because every page that shows a badge contains the badge
NO_BADGES: Mapping[str, Drawing] = {}


class SiteBattle(NamedTuple):
    """A recorded battle that was not undone.

    Attributes:
        sides: the forces of each side.
        place: the place where the battle was fought, or "" if it is the place at stake or unknown.
        road: the two ends of the road on which the battle was fought. It is empty for other battles.
        title: the names of the sides, such as `Owain Glyndŵr against Thomas Carew`.
        ended: the result and the losses, in one or two sentences.

    """

    entry: Entry
    turn: int
    sides: list[list[str]]
    stakes: str
    place: str
    road: list[str]
    note: str
    title: str
    ended: str


class SiteBook:
    """The content of a site.

    Attributes:
        visible: what the reader may know today.
        turns: the turns, from the first one to the present one.
        battles: the battles by id, from the earliest to the latest.
        tints: the number of each faction's colour.
        letters: one or two letters for each faction, which mark its places on the map.
        drawing: the umpire's own map, or None.
        badges: the umpire's own badges, by file name.
        address: the address at which the site will be published, with a slash at the end, or "" if it is
            unknown.

    """

    def __init__(
        self,
        visible: VisibleCampaign,
        whole: Campaign,
        drawing: Drawing | None = None,
        badges: Mapping[str, Drawing] = NO_BADGES,
        address: str = "",
    ) -> None:
        self.visible = visible
        self.campaign = visible.campaign
        self.drawing = drawing
        self.badges = badges
        self.address = address
        self.tints = {key: n for n, key in enumerate(visible.campaign.factions)}
        self.letters = letters_of(list(self.tints))
        self.turns = visible_turns(visible, whole)
        self.battles = {
            entry.id: site_battle(visible, entry, turn.number)
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

    @property
    def turns_of_war(self) -> Sequence[VisibleTurn]:
        """The turns without the time after the last one."""
        return self.turns[:-1] if self.campaign.is_over else self.turns

    @property
    def reader(self) -> str:
        """The name of the reader. It also marks the folder of the site."""
        if self.visible.is_whole:
            return "the umpire"
        return self.campaign.faction_name(self.visible.reader) if self.visible.reader else "everybody"

    def badge(self, table: str, key: str, *, small: bool = False) -> Markup:
        """Return the badge of a faction or force: the umpire's own, or one generated from the name.

        If `small` is true, the badge has the size for a list of names.
        """
        factions, forces = self.campaign.factions, self.campaign.forces
        part: Faction | Force = factions[key] if table == "factions" else forces[key]
        drawing = self.badges.get(part.badge or "")
        kind = "badge small" if small else "badge"
        if drawing is not None:
            return drawing.picture(kind, f"{table}-{key}-{'small-' if small else ''}")
        faction = part.faction if isinstance(part, Force) else key
        return badge_svg(str(self.campaign.name_of(table, key)), self.tints.get(faction, 0), kind)

    def tint_of(self, side: Sequence[str]) -> int:
        force = self.campaign.forces.get(side[0])
        return self.tints.get(force.faction, 0) if force else 0

    def battles_of(self, keys: Sequence[str]) -> list[SiteBattle]:
        """Return the battles in which any of these forces fought, from the earliest to the latest."""
        ids = {battle.entry.id for key in keys for battle in self.fought.get(key, ())}
        return [self.battles[key] for key in sorted(ids, key=self.places.__getitem__)]


def entries_in_order(turns: Sequence[VisibleTurn]) -> list[tuple[Entry, VisibleTurn]]:
    """Return a pair (entry, turn) for each entry, in the order of the ledger."""
    return sorted(
        ((entry, turn) for turn in turns for entry in turn.entries), key=lambda pair: pair[0].revision
    )


def drawing_of(campaign: Campaign) -> Drawing | None:
    """Return the umpire's own map, or None if the campaign has none. Raises the errors of `read_svg`."""
    name = campaign.map.file
    return None if name is None else read_svg(campaign, name, MEGABYTE)


def badges_of(campaign: Campaign) -> dict[str, Drawing]:
    """Return the umpire's own badges, by file name. Raises the errors of `read_svg`."""
    parts: list[Faction | Force] = [*campaign.factions.values(), *campaign.forces.values()]
    names = dict.fromkeys(part.badge for part in parts if part.badge)
    return {name: read_svg(campaign, name, LARGEST_BADGE) for name in names}


def read_svg(campaign: Campaign, name: str, most: int) -> Drawing:
    """Read a drawing from the campaign's folder.

    Raises InvalidInput if the file is not a drawing or has more than `most` bytes.
    """
    content = read_bytes(os.path.join(campaign.folder, name), most)
    try:
        return read_drawing(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInput(f"{clean(name)}: not UTF-8 text; save it as plain SVG") from None
    except InvalidInput as error:
        raise InvalidInput(f"{clean(name)}: {error}") from None


def unplaceable(campaign: Campaign, drawing: Drawing) -> str:
    """Return a warning that names the places which the umpire's own map cannot show.

    Return "" if the map shows all places.
    """
    places = campaign.locations.items()
    missing = [clean(key) for key, place in places if drawing.spot(key, place.at) is None]
    why = "the drawing has no shape with that id, and `at` is missing or outside it"
    return f"{clean(campaign.map.file or '')} cannot show {listed(missing)}: {why}" if missing else ""


def site_battle(visible: VisibleCampaign, entry: Entry, turn: int) -> SiteBattle:
    """Return a recorded battle for the site. Its sides are those that the pending battle had."""
    assert entry.result is not None
    tables = [
        change.before for change in entry.changes if is_battle(change.key) and isinstance(change.before, dict)
    ]
    table: Mapping[str, object] = tables[0] if tables else {}
    forces = fighting_sides(entry)
    road = table.get("road")
    sides = [[*forces.get(key, [key])] for key in entry.result.sides]
    return SiteBattle(
        entry,
        turn,
        sides,
        str(table.get("stakes", "")),
        str(table.get("place", "")),
        [str(end) for end in road] if isinstance(road, list) else [],
        "" if entry.id in visible.ledger.contact_by_battle else str(table.get("note", "")),
        title_of_sides(visible.campaign_after(entry), sides, table),
        clean(battle_sentences(visible, entry)),
    )


def title_of_sides(campaign: Campaign, sides: Sequence[Sequence[str]], battle: Mapping[str, object]) -> str:
    """Return the names of the sides, such as "The Cheshire archers against the garrison of Chester"."""
    names = [name_from_battle(side[0], battle) or listed(map(campaign.display_name, side)) for side in sides]
    names = [mid_sentence(name) if n else sentence_start(name) for n, name in enumerate(names)]
    return clean(opposed(names))


def seats_of_reader(book: SiteBook) -> Iterator[tuple[SiteBattle, int | None]]:
    """Yield each battle with the number of the reader's side.

    The number is -1 if the reader did not fight, and None for the umpire.
    """
    battles = list(book.battles.values())
    if book.visible.is_whole:
        yield from ((battle, None) for battle in battles)
        return
    clearances = dict(clearances_before(book.visible, [battle.entry.revision for battle in battles]))
    for battle in battles:
        yield battle, seat_of_reader(clearances[battle.entry.revision], battle.sides)


def clearances_before(visible: VisibleCampaign, revisions: Sequence[int]) -> Iterator[tuple[int, Clearance]]:
    """Yield a pair (revision, clearance) for each of these revisions, the last one first.

    The clearance is what the reader was allowed to see before the revision.
    """
    wanted, clearance = {*revisions}, visible.clearance
    for revision in range(visible.ledger.whole_entries, 0, -1):
        clearance = clearance.before(entry_today(visible.ledger, revision), visible.ledger)
        if revision in wanted:
            yield revision, clearance
