"""The pages of a site but for those of battles: the front, turns, factions, forces, places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from cardbattle.campaign.state.battle_result import loss_told
from cardbattle.campaign.state.standings import standings
from cardbattle.core.names import clean
from cardbattle.core.telling import counted
from cardbattle.show.bidi import words_html
from cardbattle.show.document import NO_TINT
from cardbattle.show.pages.campaign.chronicle import UNTOLD, event_sentences
from cardbattle.show.pages.campaign.dashboard import battle_line, battle_notes, strength_words
from cardbattle.show.svg.charts import Axes, Figures, Trace, line_chart
from cardbattle.show.svg.maps import NO_ONE, Pennant, Site, map_svg
from cardbattle.site.parts import (
    Links,
    Plotted,
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
    from cardbattle.campaign.state.model import Pending
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.site.book import SiteBattle, SiteBook, SiteTurn

LAST = 6  # battles that the front page recalls


class Leaf(NamedTuple):
    """A page of the site: where it stands from the front page's folder, and what it says."""

    path: str
    text: str


class Told(NamedTuple):
    """What was counted beyond the books, as far as it is to be told.

    `odds` are those of pending battles in words, `expected` the points that each seat of a battle could
    expect; both by the battle's id, empty where nothing was counted. `progress` says how far pending battles
    are that players have begun.
    """

    odds: Mapping[str, str]
    expected: Mapping[str, Sequence[float]]
    progress: Mapping[str, str]


def leaves(book: SiteBook, told: Told) -> Iterator[Leaf]:
    """Yield all pages but those of battles."""
    yield Leaf("index.html", front_page(book, told))
    for n in range(len(book.turns)):
        yield Leaf(f"turns/{book.turns[n].number}.html", turn_page(book, n))
    for key in book.campaign.factions:
        yield Leaf(f"factions/{key}.html", faction_page(book, key))
    for key in book.campaign.forces:
        yield Leaf(f"forces/{key}.html", force_page(book, key, told))
    for key in book.campaign.locations:
        yield Leaf(f"places/{key}.html", place_page(book, key))


def page(book: SiteBook, title: str, *parts: Markup, root: str = "../") -> str:
    """Return a page with a heading and its parts."""
    heading = Markup("<header>\n<h1>{}</h1>\n</header>\n").format(words_html(clean(title)))
    return site_html(
        book.campaign.name, title, root, Markup("\n").join([heading, *(part for part in parts if part)])
    )


def front_page(book: SiteBook, told: Told) -> str:
    """Return the front page: where the war stands, what is pending, the last tales."""
    known, way = book.known, Links(book, "")
    campaign = known.campaign
    last = list(book.battles.values())[-LAST:][::-1]
    return page(
        book,
        campaign.name,
        paragraph(f"{book.turns[-1].title(campaign)}. As {book.reader} may know it.", "facts"),
        front_map(book, way),
        section("Standings", standings_html(known, way), points_chart(book)),
        section(
            "Battles to come",
            story_list([pending_item(known, battle, way, told) for battle in campaign.pending]),
        ),
        section("Last battles", story_list([battle_item(book, one, way) for one in last])),
        section("Turn by turn", story_list([turn_item(book, turn, way) for turn in book.turns[::-1]])),
        section("Forces", forces_table_html(known, list(campaign.forces), way)),
        section("Places", places_table_html(known, way)),
        root="",
    )


def front_map(book: SiteBook, way: Links) -> Markup:
    """Return the map as it is, and the way to those of the turns before."""
    drawn = map_html(book, book.turns[-1], way)
    is_past = drawn and len(book.turns) > 1
    return drawn + (nav_html([way.to("map.html", "The map, turn by turn")]) if is_past else Markup(""))


def turn_item(book: SiteBook, turn: SiteTurn, way: Links) -> Markup:
    """Return a turn in a line, with how much was fought in it."""
    fought = sum(entry.result is not None for entry in turn.entries)
    return Markup("{}{}").format(way.turn(turn), f" ({counted(fought, 'battle')})" if fought else "")


def map_html(book: SiteBook, turn: SiteTurn, way: Links, copy: str = "") -> Markup:
    """Return the map as it was at the end of a turn; `copy` tells the ids of a drawing from another's."""
    known = turn.known
    label = f"Map at the end of turn {turn.number}" if turn.known is not book.known else "Map"
    places = known.campaign.locations
    if len(places) < 2 and book.drawing is None:
        return Markup("")
    at = {key: one.at for key, one in places.items() if one.at is not None}
    sites = {key: map_site(book, known, key, way) for key in places}
    if book.drawing is not None:
        return book.drawing.shown(label, sites, at, copy)
    return map_svg(label, sites, at, known.campaign.map.roads)


def held_words(known: VisibleCampaign, owner: str | None) -> str:
    """Return by whom a place is held."""
    return f"held by {known.campaign.faction_name(owner)}" if owner else "held by nobody"


def map_site(book: SiteBook, known: VisibleCampaign, key: str, way: Links) -> Site:
    """Return a place as the map shows it."""
    campaign = known.campaign
    place = campaign.locations[key]
    pennants = [
        Pennant(
            campaign.called(force), pennant_words(known, force), book.tints[campaign.forces[force].faction]
        )
        for force in forces_at(known, key)
    ]
    battles = [battle_line(known, one) for one in campaign.pending if battle_place(known, one) == key]
    words = [held_words(known, place.owner), *(f"{one.name} {one.strength}".strip() for one in pennants)]
    return Site(
        campaign.location_name(key),
        ", ".join([*words, *(f"to come: {battle}" for battle in battles)]),
        book.tints.get(place.owner or "", NO_ONE),
        pennants,
        battles,
        f"{way.root}places/{key}.html",
    )


def forces_at(known: VisibleCampaign, place: str) -> list[str]:
    """Return the forces that are known to stand at a place."""
    return [key for key, one in known.campaign.forces.items() if one.location == place and not one.destroyed]


def pennant_words(known: VisibleCampaign, force: str) -> str:
    """Return a force's strength as a pennant has it: a number, with a wave before it if it is rough."""
    strength = known.strengths[force]
    if strength is None:
        return "?"
    return f"~{strength.number}" if strength.is_rough else str(strength.number)


def battle_place(known: VisibleCampaign, battle: Pending) -> str | None:
    """Return where a battle is to be fought: for what it is fought, or else where its first force stands."""
    if battle.stakes:
        return battle.stakes
    places = [known.campaign.forces[force].location for side in battle.sides for force in side]
    return next((place for place in places if place), None)


def standings_html(known: VisibleCampaign, way: Links) -> Markup:
    """Return the factions by points."""
    rows = [
        [
            Markup("{}. {}").format(one.place, way.faction(one.key)),
            str(one.points),
            strength_words(known.strength_of_faction(one.key)),
            str(one.locations),
            str(one.value),
        ]
        for one in standings(known.campaign)
    ]
    return table(["faction", "points", "strength", "places", "value"], rows, (1, 2, 3, 4))


def points_chart(book: SiteBook) -> Markup:
    """Return the points of all factions turn by turn."""
    plotted = [Plotted(key, book.campaign.faction_name(key), tint) for key, tint in book.tints.items()]
    return turns_chart(book, "Points of the factions, turn by turn", plotted, points_then)


def points_then(turn: SiteTurn, key: str) -> int | None:
    """Return the points of a faction at the end of a turn, None if it was not there."""
    faction = turn.known.campaign.factions.get(key)
    return faction.points if faction else None


def strength_then(turn: SiteTurn, key: str) -> int | None:
    """Return the strength of a force at the end of a turn, None if it was not there or is not known."""
    force, strength = turn.known.campaign.forces.get(key), turn.known.strengths.get(key)
    if force and force.destroyed:
        return 0
    return strength.number if strength else None


def pending_item(known: VisibleCampaign, battle: Pending, way: Links, told: Told) -> Markup:
    """Return a battle that is to come, with what is to be known of it."""
    place = battle_place(known, battle)
    notes = [paragraph(line, "note facts") for line in battle_notes(known, battle, told.odds, told.progress)]
    at = Markup(" ({})").format(way.place(place)) if place and not battle.stakes else ""
    return Markup("<strong>{}</strong> {}{}{}").format(
        battle.id, words_html(clean(battle_line(known, battle))), at, Markup("").join(notes)
    )


def battle_item(book: SiteBook, battle: SiteBattle, way: Links, more: str = "") -> Markup:
    """Return a battle with how it ended, when and for what it was fought, and what else is to be said."""
    place = f", for {way.place(battle.stakes)}" if battle.stakes else ""
    when = f"turn {battle.turn}{place}{escape(more)}"
    return Markup(f'{way.battle(battle)} <span class="facts">({when})</span><br>{words_html(battle.ended)}')


def forces_table_html(known: VisibleCampaign, forces: Sequence[str], way: Links) -> Markup:
    """Return forces: whose, how strong, where."""
    rows: list[list[Markup | str]] = []
    for key in forces:
        force = known.campaign.forces[key]
        strength = "destroyed" if force.destroyed else strength_words(known.strengths[key])
        rows.append([way.force(key), way.faction(force.faction), strength, way.place(force.location)])
    return table(["force", "faction", "strength", "where"], rows, (2,))


def places_table_html(known: VisibleCampaign, way: Links) -> Markup:
    """Return the places: whose, of what value, who is there."""
    campaign = known.campaign
    rows: list[list[Markup | str]] = []
    for key, place in campaign.locations.items():
        here = in_a_row(map(way.force, forces_at(known, key)))
        rows.append([way.place(key), way.faction(place.owner), str(place.value), here])
    return table(["place", "owner", "value", "who is there"], rows, (2,))


def in_a_row(links: Iterable[Markup]) -> Markup:
    """Return links with commas between them."""
    return Markup(", ").join(links)


def turn_page(book: SiteBook, n: int) -> str:
    """Return a turn: the map at its end, what happened, and how it stood then."""
    turn, way = book.turns[n], Links(book, "../")
    ways = [*([book.turns[n - 1]] if n else []), *book.turns[n + 1 : n + 2]]
    return page(
        book,
        turn.title(book.campaign),
        map_html(book, turn, way),
        section(
            "What happened",
            story_list(story(book, turn, way)) or paragraph("Nothing that is known.", "facts"),
        ),
        section("Standings", standings_html(turn.known, way)),
        nav_html([way.turn(one) for one in ways]),
    )


UNEVENTFUL = paragraph("Nothing that is known.", "facts")


def story(book: SiteBook, turn: SiteTurn, way: Links) -> list[Markup]:
    """Return what happened in a turn and stands, each event with its sentences."""
    return [one for entry in turn.entries if entry.kind not in UNTOLD for one in told_entry(book, entry, way)]


def told_entry(book: SiteBook, entry: Entry, way: Links) -> list[Markup]:
    """Return the events of an entry, with a link to the battle if it is one."""
    sentences = map(clean, event_sentences(book.campaign, entry, None))
    told = [
        Markup("<bdi>{}</bdi>").format(one) if entry.kind == "note" else words_html(one) for one in sentences
    ]
    battle = book.battles.get(entry.id)
    if battle is None or battle.entry.revision != entry.revision:
        return told
    return [Markup("{} {}").format(one, way.to(f"battles/{entry.id}.html", "the battle")) for one in told]


def faction_page(book: SiteBook, key: str) -> str:
    """Return a faction: its points, forces, places and battles."""
    known, way = book.known, Links(book, "../")
    campaign = known.campaign
    faction = campaign.factions[key]
    forces = [force for force, one in campaign.forces.items() if one.faction == key]
    held = [place for place, one in campaign.locations.items() if one.owner == key]
    name = campaign.faction_name(key)

    plotted = [Plotted(key, name, book.tints[key])]
    return page(
        book,
        name,
        paragraph(f"{counted(faction.points, 'point')}.", "facts"),
        section("Points", turns_chart(book, f"Points of {name}, turn by turn", plotted, points_then)),
        section("Forces", forces_table_html(known, forces, way)),
        section("Places", paragraph(in_a_row(map(way.place, held)))),
        section("Battles", story_list([battle_item(book, one, way) for one in book.battles_of(forces)])),
    )


def force_page(book: SiteBook, key: str, told: Told) -> str:
    """Return a force: its strength over the turns, its battles, and its luck if that was counted."""
    known, way = book.known, Links(book, "../")
    force, name = known.campaign.forces[key], known.campaign.name_of("forces", key)
    strength = "destroyed" if force.destroyed else f"strength {strength_words(known.strengths[key])}"
    at = Markup(" at {}").format(way.place(force.location)) if force.location else ""
    plotted = [Plotted(key, name, book.tints.get(force.faction, NO_TINT))]
    return page(
        book,
        name,
        paragraph(Markup("{}, {}{}.").format(way.faction(force.faction), strength, at), "facts"),
        section("Strength", turns_chart(book, f"Strength of {name}, turn by turn", plotted, strength_then)),
        section("Battles", force_battles(book, key, told, way)),
    )


def force_battles(book: SiteBook, key: str, told: Told, way: Links) -> Markup:
    """Return the battles of a force, what it lost, and what it got beyond what it could expect."""
    lines: list[Markup] = []
    lucks = [0.0]
    for battle in book.battles_of([key]):
        seat = next(n for n, side in enumerate(battle.sides) if key in side)
        result = battle.entry.result
        assert result is not None
        more = f"; lost {loss_told([*result.sides.values()][seat].losses)}"
        expected = told.expected.get(battle.entry.id, ())
        if seat < len(expected):
            got = got_points([*result.sides], result.winners, seat)
            lucks.append(lucks[-1] + got - expected[seat])
            more += f"; luck so far {lucks[-1]:+.2f}"
        lines.append(battle_item(book, battle, way, more))
    return story_list(lines) + luck_chart(book, key, lucks)


def luck_chart(book: SiteBook, key: str, lucks: Sequence[float]) -> Markup:
    """Return how a force's luck added up from battle to battle; nothing if none was counted."""
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
    axes = Axes([(0, f"-{most}"), (0.5, "0"), (1, f"+{most}")], "luck at first", f"after {len(lucks) - 1}")
    rows = [[str(n), f"{luck:+.2f}"] for n, luck in enumerate(lucks)]
    chart = line_chart(
        f"Luck of {name}, battle by battle", [trace], axes, Figures(["after battle", "luck"], rows)
    )
    return chart + paragraph(LUCK, "facts")


LUCK = (
    "Luck is what it got beyond what regular commanders could expect: 1 for a win, part of it for a draw. "
    "cardbattle campaign luck reckons with those who commanded, and comes to other figures."
)


def got_points(keys: Sequence[str], winners: Sequence[str], seat: int) -> float:
    """Return what a seat got of a battle: 1, 0, or a fair part of 1."""
    best = winners or keys
    return 1 / len(best) if keys[seat] in best else 0.0


def place_page(book: SiteBook, key: str) -> str:
    """Return a place: who held it when, who is there, what was fought for it."""
    known, way = book.known, Links(book, "../")
    place = known.campaign.locations[key]
    held = Markup("Held by {}, worth {}.").format(way.faction(place.owner), place.value)
    return page(
        book,
        known.campaign.location_name(key),
        paragraph(held, "facts"),
        section("Who is there", paragraph(in_a_row(map(way.force, forces_at(known, key))))),
        section("Who held it", story_list([
            Markup("{}: {}").format(when, way.faction(owner)) for when, owner in tenures(book, key)
        ])),
        section("Fought for it", story_list([battle_item(book, one, way) for one in book.battles_for(key)])),
    )  # fmt: skip


def tenures(book: SiteBook, key: str) -> list[tuple[str, str | None]]:
    """Return who held a place at the end of which turns, as ("turns 2 to 4", "york")."""
    found: list[tuple[int, int, str | None]] = []
    for turn in book.turns:
        place = turn.known.campaign.locations.get(key)
        if place is None:
            continue
        if found and found[-1][2] == place.owner:
            found[-1] = (found[-1][0], turn.number, place.owner)
        else:
            found.append((turn.number, turn.number, place.owner))
    return [
        (f"turn {first}" if first == last else f"turns {first} to {last}", owner)
        for first, last, owner in found
    ]
