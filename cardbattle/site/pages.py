"""The pages of a site other than battles: front page, turns, factions, forces, places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from cardbattle.campaign.state.battle_result import loss_text
from cardbattle.campaign.state.standings import standings
from cardbattle.core.names import clean
from cardbattle.core.telling import counted
from cardbattle.show.bidi import words_html
from cardbattle.show.document import NO_TINT
from cardbattle.show.pages.campaign.between import between_lines, forces_out_of_supply
from cardbattle.show.pages.campaign.chronicle import UNTOLD, event_sentences, title_of_turn
from cardbattle.show.pages.campaign.dashboard import battle_line, battle_notes, strength_words
from cardbattle.show.pages.campaign.league import HEAD, league_of_reader
from cardbattle.show.pages.campaign.position import name_with_heading
from cardbattle.show.svg.charts import Axes, Figures, Trace, line_chart
from cardbattle.show.svg.maps import NO_ONE, Pennant, Site, map_svg
from cardbattle.site.parts import (
    Links,
    Series,
    nav_html,
    paragraph,
    section,
    site_html,
    story_list,
    table,
    turns_chart,
)

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Force, Pending
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.site.book import SiteBattle, SiteBook

LAST = 6  # battles on the front page


class SitePage(NamedTuple):
    """A page of the site: its path from the site's root, and its HTML."""

    path: str
    text: str


class SiteFigures(NamedTuple):
    """Simulation results shown on a site, all by battle id.

    Attributes:
        odds: sentences about pending battles.
        expected: points that each seat of a recorded battle could expect.
        progress: sentences about pending battles that players have begun.

    """

    odds: Mapping[str, str]
    expected: Mapping[str, Sequence[float]]
    progress: Mapping[str, str]


def other_pages(book: SiteBook, figures: SiteFigures) -> Iterator[SitePage]:
    yield SitePage("index.html", front_page(book, figures))
    for n in range(len(book.turns)):
        yield SitePage(f"turns/{book.turns[n].number}.html", turn_page(book, n))
    for key in book.campaign.factions:
        yield SitePage(f"factions/{key}.html", faction_page(book, key))
    for key in book.campaign.forces:
        yield SitePage(f"forces/{key}.html", force_page(book, key, figures))
    for key in book.campaign.locations:
        yield SitePage(f"places/{key}.html", place_page(book, key))


def page_html(book: SiteBook, title: str, *content: Markup, root_path: str = "../") -> str:
    heading = Markup("<header>\n<h1>{}</h1>\n</header>\n").format(words_html(clean(title)))
    return site_html(
        book.campaign.name,
        title,
        root_path,
        Markup("\n").join([heading, *(part for part in content if part)]),
    )


def front_page(book: SiteBook, figures: SiteFigures) -> str:
    """Return the front page.

    It has the map, this turn, standings, league, pending battles, the last six battles, and links to turns,
    forces and places.
    """
    visible, links = book.visible, Links(book, "")
    campaign = visible.campaign
    scope = "Everything the umpire knows." if visible.is_whole else f"What {book.reader} may know."
    plotted = [Series(key, campaign.faction_name(key), tint) for key, tint in book.tints.items()]
    latest = list(book.battles.values())[-LAST:][::-1]
    return page_html(
        book,
        campaign.name,
        paragraph(f"{title_of_turn(campaign, book.turns[-1])}. {scope}", "facts"),
        front_map(book, links),
        section("This turn", story_list([clean(line) for line in between_lines(visible)])),
        section(
            "Standings",
            standings_html(visible, links),
            turns_chart(book, "Points of the factions, turn by turn", plotted, past_points),
        ),
        section("League", league_html(visible, links)),
        section(
            "Pending battles",
            story_list([pending_item(visible, battle, links, figures) for battle in campaign.pending]),
        ),
        section("Last battles", story_list([battle_item(book, fought, links) for fought in latest])),
        section("Turn by turn", story_list([turn_item(book, turn, links) for turn in book.turns[::-1]])),
        section("Forces", forces_table_html(visible, list(campaign.forces), links)),
        section("Places", places_table_html(visible, links)),
        root_path="",
    )


def front_map(book: SiteBook, links: Links) -> Markup:
    """Return the current map, and a link to earlier maps."""
    svg = map_html(book, book.turns[-1], links)
    is_past = svg and len(book.turns) > 1
    return svg + (nav_html([links.to("map.html", "Map, turn by turn")]) if is_past else Markup(""))


def turn_item(book: SiteBook, turn: VisibleTurn, links: Links) -> Markup:
    battles = sum(entry.result is not None for entry in turn.entries)
    return Markup("{}{}").format(links.turn(turn), f" ({counted(battles, 'battle')})" if battles else "")


def map_html(book: SiteBook, turn: VisibleTurn, links: Links, copy: str = "") -> Markup:
    """Return the map at the end of a turn; `copy` makes its ids differ from another copy's."""
    visible = turn.visible
    label = f"Map at the end of turn {turn.number}" if turn.visible is not book.visible else "Map"
    places = visible.campaign.locations
    if len(places) < 2 and book.drawing is None:
        return Markup("")
    at = {key: location.at for key, location in places.items() if location.at is not None}
    hungry = set(forces_out_of_supply(visible))
    sites = {key: map_site(book, visible, key, links, hungry) for key in places}
    if book.drawing is not None:
        return book.drawing.to_svg(label, sites, at, copy)
    return map_svg(label, sites, at, visible.campaign.road_ends)


def map_site(
    book: SiteBook, visible: VisibleCampaign, key: str, links: Links, hungry: Collection[str]
) -> Site:
    """Return a place on the map; `hungry` are the forces out of supply."""
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
    owner = f"held by {campaign.faction_name(place.owner)}" if place.owner else "no owner"
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
    )


def forces_at(visible: VisibleCampaign, place: str) -> list[str]:
    return [
        key
        for key, force in visible.campaign.forces.items()
        if force.location == place and not force.destroyed
    ]


def pennant_strength(visible: VisibleCampaign, force: str) -> str:
    """Return a force's strength for a pennant: `12`, `~10` if it is rough, `?` if it is unknown."""
    strength = visible.strengths[force]
    if strength is None:
        return "?"
    return f"~{strength.number}" if strength.is_rough else str(strength.number)


def battle_place(visible: VisibleCampaign, battle: Pending) -> str | None:
    """Return the place of a battle: its stakes, otherwise where its first known force is."""
    if battle.stakes:
        return battle.stakes
    places = [visible.campaign.forces[force].location for side in battle.sides for force in side]
    return next((place for place in places if place), None)


def standings_html(visible: VisibleCampaign, links: Links) -> Markup:
    rows = [
        [
            Markup("{}. {}").format(standing.place, links.faction(standing.key)),
            str(standing.points),
            strength_words(visible.strength_of_faction(standing.key)),
            str(standing.locations),
            str(standing.value),
        ]
        for standing in standings(visible.campaign)
    ]
    return table(["faction", "points", "strength", "places", "value"], rows, (1, 2, 3, 4))


def league_html(visible: VisibleCampaign, links: Links) -> Markup:
    """Return the league table; empty without a league, and for a knock-out."""
    league = league_of_reader(visible)
    rows = [
        [
            Markup("{}. {}").format(row.place, links.force(row.key)),
            *map(str, (row.played, row.won, row.drawn, row.lost)),
            f"{row.score}:{row.score_against}",
            str(row.points),
        ]
        for row in (league.rows() if league else [])
    ]
    return table(HEAD[1:], rows, (1, 2, 3, 4, 5, 6))


def past_points(turn: VisibleTurn, key: str) -> int | None:
    """Return a faction's points at the end of a turn; None if it did not exist."""
    faction = turn.visible.campaign.factions.get(key)
    return faction.points if faction else None


def past_strength(turn: VisibleTurn, key: str) -> int | None:
    """Return a force's strength at the end of a turn; None if it did not exist or is unknown."""
    force, strength = turn.visible.campaign.forces.get(key), turn.visible.strengths.get(key)
    if force and force.destroyed:
        return 0
    return strength.number if strength else None


def pending_item(visible: VisibleCampaign, battle: Pending, links: Links, figures: SiteFigures) -> Markup:
    place = battle_place(visible, battle)
    notes = [
        paragraph(line, "note facts")
        for line in battle_notes(visible, battle, figures.odds, figures.progress)
    ]
    place_link = Markup(" ({})").format(links.place(place)) if place and not battle.stakes else ""
    return Markup("<strong>{}</strong> {}{}{}").format(
        battle.id, words_html(clean(battle_line(visible, battle))), place_link, Markup("").join(notes)
    )


def battle_item(book: SiteBook, battle: SiteBattle, links: Links, more: str = "") -> Markup:
    """Return a battle with its turn, stakes and result, and `more`."""
    place = f", for {links.place(battle.stakes)}" if battle.stakes else ""
    when = f"turn {battle.turn}{place}{escape(more)}"
    return Markup(f'{links.battle(battle)} <span class="facts">({when})</span><br>{words_html(battle.ended)}')


def forces_table_html(visible: VisibleCampaign, forces: Sequence[str], links: Links) -> Markup:
    rows: list[list[Markup | str]] = []
    for key in forces:
        force = visible.campaign.forces[key]
        strength = "destroyed" if force.destroyed else strength_words(visible.strengths[key])
        rows.append([links.force(key), links.faction(force.faction), strength, position_html(force, links)])
    return table(["force", "faction", "strength", "place"], rows, (2,))


def places_table_html(visible: VisibleCampaign, links: Links) -> Markup:
    campaign = visible.campaign
    rows: list[list[Markup | str]] = []
    for key, place in campaign.locations.items():
        here = forces_at_html(visible, key, links)
        rows.append([links.place(key), links.faction(place.owner), str(place.value), here])
    return table(["place", "owner", "value", "forces"], rows, (2,))


def position_html(force: Force, links: Links) -> Markup:
    """Return where a force is, with links: in a place, or on a road."""
    if force.towards is None:
        return links.place(force.location)
    return Markup("{}, on the road to {}").format(links.place(force.location), links.place(force.towards))


def forces_at_html(visible: VisibleCampaign, place: str, links: Links) -> Markup:
    """Return links to the forces at a place, with the direction of those that are on a road from it."""
    items = []
    for key in forces_at(visible, place):
        towards = visible.campaign.forces[key].towards
        heading = Markup(" (on the road to {})").format(links.place(towards)) if towards else ""
        items.append(links.force(key) + heading)
    return comma_list(items)


def comma_list(links: Iterable[Markup]) -> Markup:
    return Markup(", ").join(links)


def turn_page(book: SiteBook, n: int) -> str:
    turn, links = book.turns[n], Links(book, "../")
    neighbours = [*([book.turns[n - 1]] if n else []), *book.turns[n + 1 : n + 2]]
    return page_html(
        book,
        title_of_turn(book.campaign, turn),
        map_html(book, turn, links),
        section(
            "What happened",
            story_list(story(book, turn, links)) or paragraph("No known events.", "facts"),
        ),
        section("Standings", standings_html(turn.visible, links)),
        nav_html([links.turn(turn_beside) for turn_beside in neighbours]),
    )


def story(book: SiteBook, turn: VisibleTurn, links: Links) -> list[Markup]:
    return [
        item for entry in turn.entries if entry.kind not in UNTOLD for item in entry_items(book, entry, links)
    ]


def entry_items(book: SiteBook, entry: Entry, links: Links) -> list[Markup]:
    """Return the events of an entry, with a link to the battle if it is one."""
    sentences = map(clean, event_sentences(book.campaign, entry))
    items = [
        Markup("<bdi>{}</bdi>").format(sentence) if entry.kind == "note" else words_html(sentence)
        for sentence in sentences
    ]
    battle = book.battles.get(entry.id)
    if battle is None or battle.entry.revision != entry.revision:
        return items
    return [
        Markup("{} {}").format(sentence, links.to(f"battles/{entry.id}.html", "the battle"))
        for sentence in items
    ]


def faction_page(book: SiteBook, key: str) -> str:
    visible, links = book.visible, Links(book, "../")
    campaign = visible.campaign
    faction = campaign.factions[key]
    forces = [force for force, item in campaign.forces.items() if item.faction == key]
    owned = [place for place, item in campaign.locations.items() if item.owner == key]
    name = campaign.faction_name(key)

    plotted = [Series(key, name, book.tints[key])]
    return page_html(
        book,
        name,
        paragraph(f"{counted(faction.points, 'point')}.", "facts"),
        section("Points", turns_chart(book, f"Points of {name}, turn by turn", plotted, past_points)),
        section("Forces", forces_table_html(visible, forces, links)),
        section("Places", paragraph(comma_list(map(links.place, owned)))),
        section("Battles", story_list([battle_item(book, item, links) for item in book.battles_of(forces)])),
    )


def force_page(book: SiteBook, key: str, figures: SiteFigures) -> str:
    """Return a force: its strength over the turns, its battles, and its luck if it was counted."""
    visible, links = book.visible, Links(book, "../")
    force, name = visible.campaign.forces[key], visible.campaign.name_of("forces", key)
    strength = "destroyed" if force.destroyed else f"strength {strength_words(visible.strengths[key])}"
    location = Markup(" at {}").format(position_html(force, links)) if force.location else ""
    plotted = [Series(key, name, book.tints.get(force.faction, NO_TINT))]
    facts = Markup("{}, {}{}{}.").format(links.faction(force.faction), strength, location, service(force))
    return page_html(
        book,
        name,
        paragraph(facts, "facts"),
        section("Strength", turns_chart(book, f"Strength of {name}, turn by turn", plotted, past_strength)),
        section("Battles", force_battles(book, key, figures, links)),
    )


def service(force: Force) -> str:
    """Return the title and the experience of a force behind a comma; empty if it has neither."""
    parts = [force.title or "", f"experience {force.experience}" if force.experience else ""]
    return "".join(f", {clean(part)}" for part in parts if part)


def force_battles(book: SiteBook, key: str, figures: SiteFigures, links: Links) -> Markup:
    lines: list[Markup] = []
    lucks = [0.0]
    for battle in book.battles_of([key]):
        seat = next(n for n, side in enumerate(battle.sides) if key in side)
        result = battle.entry.result
        assert result is not None
        details = f"; lost {loss_text([*result.sides.values()][seat].losses)}"
        expected = figures.expected.get(battle.entry.id, ())
        if seat < len(expected):
            actual = points_of([*result.sides], result.winners, seat)
            lucks.append(lucks[-1] + actual - expected[seat])
            details += f"; luck so far {lucks[-1]:+.2f}"
        lines.append(battle_item(book, battle, links, details))
    return story_list(lines) + luck_chart(book, key, lucks)


def luck_chart(book: SiteBook, key: str, lucks: Sequence[float]) -> Markup:
    """Return a chart of a force's luck, battle by battle; empty if none was counted."""
    if len(lucks) < 2:
        return Markup("")
    force = book.campaign.forces[key]
    name = book.campaign.name_of("forces", key)
    most = max(1, ceil(max(map(abs, lucks))))
    trace = Trace(
        name,
        book.tints.get(force.faction, 0),
        [(n, (luck + most) / (2 * most)) for n, luck in enumerate(lucks)],
    )
    axes = Axes([(0, f"-{most}"), (0.5, "0"), (1, f"+{most}")], "start", f"after {len(lucks) - 1}")
    rows = [[str(n), f"{luck:+.2f}"] for n, luck in enumerate(lucks)]
    chart = line_chart(
        f"Luck of {name}, battle by battle", [trace], axes, Figures(["after battle", "luck"], rows)
    )
    return chart + paragraph(LUCK, "facts")


LUCK = (
    "Luck is the points it won (1 for a win, a share for a draw) minus the points that regular commanders "
    "could expect. The command cardbattle campaign luck uses the actual commanders, so its figures differ."
)


def points_of(keys: Sequence[str], winners: Sequence[str], seat: int) -> float:
    """Return the points of a seat: 1 for a win, 0 for a defeat, a fair share otherwise."""
    best = winners or keys
    return 1 / len(best) if keys[seat] in best else 0.0


def place_page(book: SiteBook, key: str) -> str:
    visible, links = book.visible, Links(book, "../")
    place = visible.campaign.locations[key]
    facts = Markup("Owner: {}. Value: {}.").format(links.faction(place.owner), place.value)
    facts += Markup(" Terrain: {}.").format(place.terrain) if place.terrain else ""
    facts += " It supplies the forces of its owner." if place.supply else ""
    return page_html(
        book,
        visible.campaign.location_name(key),
        paragraph(facts, "facts"),
        section("Forces", paragraph(forces_at_html(visible, key, links))),
        section("Owners", story_list([
            Markup("{}: {}").format(when, links.faction(owner)) for when, owner in owner_periods(book, key)
        ])),
        section("Battles for it", story_list([
            battle_item(book, battle, links) for battle in book.staked.get(key, [])
        ])),
    )  # fmt: skip


def owner_periods(book: SiteBook, key: str) -> list[tuple[str, str | None]]:
    """Return the owners of a place over time, such as ("turns 2 to 4", "york")."""
    periods: list[tuple[int, int, str | None]] = []
    for turn in book.turns:
        place = turn.visible.campaign.locations.get(key)
        if place is None:
            continue
        if periods and periods[-1][2] == place.owner:
            periods[-1] = (periods[-1][0], turn.number, place.owner)
        else:
            periods.append((turn.number, turn.number, place.owner))
    return [
        (f"turn {first}" if first == last else f"turns {first} to {last}", owner)
        for first, last, owner in periods
    ]
