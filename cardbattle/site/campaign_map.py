"""Draw the map of a campaign at the end of a turn.

It shows places, forces, movements, pending battles, and battles that were fought.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from cardbattle.campaign.ledger.undo import TURNS
from cardbattle.core.grammar import mid_sentence
from cardbattle.show.pages.campaign.between import forces_out_of_supply
from cardbattle.show.pages.campaign.dashboard import battle_line
from cardbattle.show.pages.campaign.forces import name_with_heading
from cardbattle.show.svg.map_marks import (
    NO_ONE,
    Arrow,
    Clash,
    Holder,
    Memory,
    Pennant,
    Position,
    Site,
    legend_html,
)
from cardbattle.show.svg.maps import map_svg
from cardbattle.site.summaries import forces_at

if TYPE_CHECKING:
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.site.book import SiteBattle, SiteBook
    from cardbattle.site.parts import Links

STEPS = ("location", "towards", "walked")  # the fields of a force that say where it is
Steps = tuple[object, object, object]


class CampaignMap(NamedTuple):
    """A map and its legend. Both are empty if there is nothing to draw."""

    svg: Markup
    legend: Markup

    def html(self) -> Markup:
        return self.svg + self.legend


def campaign_map(book: SiteBook, n: int, links: Links, copy: str = "") -> CampaignMap:
    """Return the map at the end of the turn with the index `n`.

    The ids in the map contain `copy`, so that one page can have several maps.
    """
    turn = book.turns[n]
    visible = turn.visible
    label = f"Map at the end of turn {turn.number}" if turn.visible is not book.visible else "Map"
    places = visible.campaign.locations
    if len(places) < 2 and book.drawing is None:
        return CampaignMap(Markup(""), Markup(""))
    at = {key: location.at for key, location in places.items() if location.at is not None}
    hungry = set(forces_out_of_supply(visible))
    sites = {key: map_site(book, visible, key, links, hungry) for key in places}
    memory = Memory([*movements(book, n)], [*clashes(book, turn.number, links)])
    legend = legend_html(holders(book, visible), [*sites.values()], memory, f"turn {turn.number}")
    if book.drawing is not None:
        return CampaignMap(book.drawing.to_svg(label, sites, at, copy, memory), legend)
    return CampaignMap(map_svg(label, sites, at, visible.campaign.road_ends, memory), legend)


def map_site(
    book: SiteBook, visible: VisibleCampaign, key: str, links: Links, hungry: Collection[str]
) -> Site:
    """Return a place for the map. `hungry` has the forces that are out of supply."""
    campaign = visible.campaign
    place = campaign.locations[key]
    pennants = [
        Pennant(
            name_with_heading(campaign, force),
            pennant_strength(visible, force),
            book.tints[campaign.forces[force].faction],
            campaign.forces[force].experience,
            campaign.forces[force].title or "",
            force in hungry,
        )
        for force in forces_at(visible, key)
    ]
    owner = f"held by {mid_sentence(campaign.faction_name(place.owner))}" if place.owner else "no owner"
    battles = [
        battle_line(visible, entry) for entry in campaign.pending if battle_place(visible, entry) == key
    ]
    lines = [owner, *(["supply"] if place.supply else []), *(entry.label for entry in pennants)]
    return Site(
        campaign.location_name(key),
        ", ".join([*lines, *(f"pending: {battle}" for battle in battles)]),
        book.tints.get(place.owner or "", NO_ONE),
        pennants,
        battles,
        f"{links.root}places/{key}.html",
        place.supply,
        book.letters.get(place.owner or "", ""),
        place.terrain or "",
    )


def holders(book: SiteBook, visible: VisibleCampaign) -> list[Holder]:
    return [
        Holder(book.campaign.faction_name(key), book.tints[key], book.letters[key])
        for key in visible.campaign.factions
        if key in book.tints
    ]


def movements(book: SiteBook, n: int) -> Iterator[Arrow]:
    """Yield the movements in the turn with the index `n` that the reader may know about.

    They are in the order of the ledger.
    """
    turn = book.turns[n]
    campaign = turn.visible.campaign
    places = before_turn(book, n)
    for entry in turn.entries:
        if entry.kind in TURNS:
            continue
        moved: dict[str, dict[str, object]] = {}
        for change in entry.changes:
            if len(change.key) == 3 and change.key[0] == "forces" and change.key[2] in STEPS:
                moved.setdefault(change.key[1], {})[change.key[2]] = change.after
        for key, values in moved.items():
            start = places.get(key, (None, None, None))
            steps = [values.get(word, start[k]) for k, word in enumerate(STEPS)]
            end = places[key] = (steps[0], steps[1], steps[2])
            here, there = position(campaign, start), position(campaign, end)
            if here and there and key in campaign.forces:
                names = [campaign.location_name(place) for place in (here.place, there.place)]
                heading = f", on the road to {campaign.location_name(there.towards)}" if there.towards else ""
                label = f"{campaign.display_name(key)}: from {names[0]} to {names[1]}{heading}"
                yield Arrow(label, book.tints[campaign.forces[key].faction], here, there)


def before_turn(book: SiteBook, n: int) -> dict[str, Steps]:
    """Return where each force was before the turn with the index `n`, as far as the reader may know."""
    turn = book.turns[n]
    first: dict[tuple[str, str], object] = {}
    for entry in turn.entries:
        for change in entry.changes:
            if len(change.key) == 3 and change.key[0] == "forces" and entry.kind not in TURNS:
                first.setdefault((change.key[1], change.key[2]), change.before)
    earlier = book.turns[n - 1 if n else 0].visible.campaign.forces
    table: dict[str, Steps] = {}
    for key in turn.visible.campaign.forces:
        force = earlier.get(key)
        now = [first.get((key, word), getattr(force, word, None)) for word in STEPS]
        table[key] = (now[0], now[1], now[2])
    return table


def position(campaign: Campaign, steps: Steps) -> Position | None:
    """Return a position on the map, or None if it is unknown or its place no longer exists."""
    place, towards, walked = steps
    if not isinstance(place, str) or place not in campaign.locations:
        return None
    if not isinstance(towards, str) or towards not in campaign.locations:
        return Position(place)
    length = campaign.roads.length(place, towards)
    return Position(place, towards, walked / length if isinstance(walked, int) and length else 0.5)


def clashes(book: SiteBook, number: int, links: Links) -> Iterator[Clash]:
    """Yield a mark for each place or road where battles were fought up to the end of a turn.

    `number` is the number of the turn. The place of the earliest battle is first.
    """
    fought: dict[Position, list[SiteBattle]] = {}
    for battle in book.battles.values():
        at = battlefield(book.campaign, battle)
        if at is not None and battle.turn <= number:
            fought.setdefault(at, []).append(battle)
    for at, battles in fought.items():
        last = battles[-1]
        others = f", the last of {len(battles)} battles here" if len(battles) > 1 else ""
        label = f"turn {last.turn}: {last.title}{others}"
        yield Clash(label, at, f"{links.root}battles/{last.entry.id}.html", last.turn == number)


def battlefield(campaign: Campaign, battle: SiteBattle) -> Position | None:
    """Return the road or the place where a battle was fought, or None if it is unknown."""
    if len(battle.road) == 2 and all(end in campaign.locations for end in battle.road):
        return Position(battle.road[0], battle.road[1], 0.5)
    place = battle.place or battle.stakes
    return Position(place) if place in campaign.locations else None


def pennant_strength(visible: VisibleCampaign, force: str) -> str:
    """Return the strength of a force for its pennant: `12`, `~10` if it is only roughly known, or `?`."""
    strength = visible.strengths[force]
    if strength is None:
        return "?"
    return f"~{strength.number}" if strength.is_rough else str(strength.number)


def battle_place(visible: VisibleCampaign, battle: Pending) -> str | None:
    """Return the place of a battle.

    This is the place at stake. If no place is at stake, it is the place of the first force whose place is
    known.
    """
    if battle.stakes:
        return battle.stakes
    places = [visible.campaign.forces[force].location for side in battle.sides for force in side]
    return next((place for place in places if place), None)
