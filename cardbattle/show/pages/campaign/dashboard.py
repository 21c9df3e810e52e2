"""A campaign for people: the dashboard, what a command changes, what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import change_table
from cardbattle.campaign.state.apply import result_of_table
from cardbattle.campaign.state.battle_result import result_told
from cardbattle.campaign.state.battle_setup import explain, no_effect
from cardbattle.campaign.state.changes import Change, merged
from cardbattle.campaign.state.standings import standings
from cardbattle.campaign.visibility.reader import side_namer
from cardbattle.core.names import clean, listed
from cardbattle.files.errors import with_place
from cardbattle.show.document import (
    FAINT,
    KEYED,
    NO_TINT,
    Bar,
    Document,
    Item,
    Items,
    Numbers,
    Paragraph,
    Section,
    Span,
    Table,
    Title,
    ToldBattle,
    as_text,
)
from cardbattle.show.pages.battle import battle_json
from cardbattle.show.pages.campaign.history import changes_blocks

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.visibility.reader import Estimate, VisibleCampaign
    from cardbattle.core.errors import Diagnostic
    from cardbattle.files.errors import with_place
from cardbattle.show.document import Cell, Content

LAST = 5  # battles that the dashboard recalls
NONE_BEGUN: Mapping[str, str] = {}


def campaign_title(campaign: Campaign, is_whole: bool = True) -> str:
    """Return the campaign's name and where it stands; only the umpire is told how much was recorded."""
    when = campaign.when(campaign.turn)
    turn = f"turn {campaign.turn}{f' ({clean(when)})' if when else ''}"
    return f"{clean(campaign.name)}: {turn}{f', revision {campaign.revision}' if is_whole else ''}"


def subjects(campaign: Campaign) -> dict[str, list[str]]:
    """Return the names of a campaign's factions, forces and places, for links."""
    return {
        "factions": [campaign.faction_name(key) for key in campaign.factions],
        "forces": [campaign.name_of("forces", key) for key in campaign.forces],
        "places": [campaign.location_name(key) for key in campaign.locations],
    }


def tints(campaign: Campaign) -> dict[str, int]:
    """Return the colour of each faction; it only helps, the names say the same."""
    return {key: n for n, key in enumerate(campaign.factions)}


def standings_table(known: VisibleCampaign, colours: Mapping[str, int]) -> Table:
    """Return the factions, those with most points first."""
    found = [(one, strength_words(known.strength_of_faction(one.key))) for one in standings(known.campaign)]
    rows: list[list[Cell]] = [
        [
            f"{one.place}.",
            Span(one.name, tint=colours.get(one.key, NO_TINT)),
            str(one.points),
            strength,
            str(one.locations),
            str(one.value),
        ]
        for one, strength in found
    ]
    facts = [
        f"{one.place}. {one.name}: points {one.points}, strength {strength}, places {one.locations}, "
        f"value {one.value}"
        for one, strength in found
    ]
    return Table(
        ["", "faction", "points", "strength", "places", "value"], rows, (2, 3, 4, 5), facts, labels=2
    )


def strength_words(strength: Estimate | None) -> str:
    """Return how strong something is as far as the reader knows."""
    return "unknown" if strength is None else str(strength)


def standings_rows(known: VisibleCampaign) -> list[dict[str, object]]:
    """Return the factions by points as JSON has them."""
    found = []
    for one in standings(known.campaign):
        strength = known.strength_of_faction(one.key)
        found.append({**one._asdict(), "strength": None if strength is None else strength.value})
    return found


def standings_page(known: VisibleCampaign) -> Document:
    """Return the factions by points, with their forces and places."""
    rows = standings_rows(known)
    told = {"schema": 1, "standings": rows}
    blocks = [standings_table(known, tints(known.campaign))]
    return Document(
        f"{known.campaign.name}: standings", blocks, told, Numbers(list(rows[0]) if rows else (), rows)
    )


def armies_table(known: VisibleCampaign) -> Table:
    """Return the forces, each with a bar as long as it is strong."""
    campaign = known.campaign
    colours = tints(campaign)
    strengths = [force.strength for force in campaign.forces.values() if not force.destroyed]
    most = max(strengths) if len(set(strengths)) > 1 else 0
    rows: list[list[Cell]] = []
    facts = []
    for key, force in campaign.forces.items():
        name, gone = campaign.called(key), force.destroyed
        faction = campaign.faction_name(force.faction)
        strength = "destroyed" if gone else strength_words(known.strengths[key])
        commander = known.commanders[key]
        at = f", at {campaign.location_name(force.location)}" if force.location else ""
        length = -(-force.strength * BAR // most) if most and not gone else 0
        rows.append(
            [
                Span(name, FAINT if gone else ""),
                Span(faction, FAINT) if gone else Span(faction, tint=colours[force.faction]),
                Span(strength, FAINT) if gone else strength,
                Bar(length, mark="▪", tint=colours[force.faction]),
                commander,
            ]
        )
        led = f", commander {commander}" if commander else ""
        facts.append(f"force {name}: {faction}, strength {strength}{led}{at}")
    return Table(["force", "faction", "strength", "", "commander"], rows, (2,), facts, is_list=True)


BAR = 12  # columns of the longest bar


def places_table(known: VisibleCampaign) -> Table:
    """Return the places: who owns them, what they are worth, who stands there."""
    campaign = known.campaign
    colours = tints(campaign)
    rows: list[list[Cell]] = []
    facts = []
    for key, place in campaign.locations.items():
        here = [
            campaign.called(force)
            for force, one in campaign.forces.items()
            if one.location == key and not one.destroyed
        ]
        name = campaign.location_name(key)
        held: Span | str = "nobody"
        if place.owner:
            held = Span(campaign.faction_name(place.owner), tint=colours[place.owner])
        unseen = "" if here or known.sees(key) else "not in sight"
        rows.append([name, held, str(place.value), ", ".join(here) or unseen])
        facts.append(f"place {name}: {as_text(held)}, value {place.value}")
    return Table(["place", "owner", "value", "who is there"], rows, (2,), facts, is_list=True)


def battle_line(known: VisibleCampaign, battle: Pending) -> str:
    """Return who will fight whom, with what, for what."""
    campaign, sides = known.campaign, []
    for side in battle.sides:
        strength = known.strength_of(side)
        sides.append(f"{campaign.side_name(side, battle)}{'' if strength is None else f' ({strength})'}")
    who = " against ".join(sides) if len(sides) == 2 else listed(sides)
    stakes = f", for {campaign.location_name(battle.stakes)}" if battle.stakes else ""
    return f"{who}{stakes}; {campaign.rules_name(battle)}"


def battle_notes(
    known: VisibleCampaign, battle: Pending, odds: Mapping[str, str], progress: Mapping[str, str]
) -> list[str]:
    """Return how far a pending battle is, what strength gives its sides, its odds, and the umpire's note."""
    gifts = explain(known.countable, battle) if battle.id in known.certain else []
    effect = no_effect(known.countable, battle) if battle.id in known.certain else ""
    begun = [words for words in [progress.get(battle.id, "")] if words]
    return [*begun, *gifts, *(words for words in (effect, odds.get(battle.id, ""), battle.note) if words)]


def recent(known: VisibleCampaign) -> list[Entry]:
    """Return the last battles that were recorded and stand."""
    ledger, gone = known.ledger, known.ledger.taken_back
    count = known.campaign.revision if known.is_whole else ledger.settled
    results = enumerate(ledger.heads.results[:count], 1)
    battles = [revision for revision, has_result in results if has_result and revision not in gone]
    return [entry_today(ledger, revision) for revision in battles[-LAST:]]


def campaign_page(
    known: VisibleCampaign,
    odds: Mapping[str, str],
    told: Mapping[str, object],
    progress: Mapping[str, str] = NONE_BEGUN,
) -> Document:
    """Return the state of a campaign: standings, forces, places, what is pending, what happened last.

    `odds` has those of pending battles in words, by id, and `progress` how far begun ones are; `told` is what
    JSON says.
    """
    campaign = known.campaign
    title = campaign_title(campaign, known.is_whole)
    factions = [
        f"faction {one.name}: {one.points} points, places {one.locations}, value {one.value}, "
        f"strength {strength_words(known.strength_of_faction(one.key))}"
        for one in standings(campaign)
    ]
    blocks: list[Content] = [
        Title(title),
        standings_table(known, tints(campaign))._replace(facts=factions),
    ]
    blocks += [armies_table(known)] if campaign.forces else []
    blocks += [places_table(known)] if campaign.locations else []
    nothing = "No battle is pending" + ("" if known.is_whole else " that is known")
    blocks.append(Section("Pending" if campaign.pending else nothing, []))
    blocks.append(pending_items(known, odds, progress))
    last = recent(known)
    if last:
        results = [
            (entry.id, result_told(entry.result, side_namer(campaign, entry)))
            for entry in last
            if entry.result
        ]
        facts = [f"battle {battle}: {words}" for battle, words in results]
        items = [Item(battle, words) for battle, words in results]
        blocks += [Section("Last battles", []), Items(items, KEYED, facts)]
    if known.is_whole:
        seals = told.get("seals")
        blocks.append(Paragraph(dice_words(seals if isinstance(seals, dict) else {})))
    return Document(title, blocks, told, subjects=subjects(campaign))


def dice_words(seals: Mapping[str, object]) -> str:
    """Return how many slots of sealed dice there are, and what became of them; or that there are none."""
    if not seals:
        return "Dice: not sealed; the seed is open to whoever reads campaign.toml."
    told = f"Dice: {seals['slots']} slots sealed, {seals['spent']} spent, {seals['revealed']} revealed"
    idle = seals["for_nothing"]
    assert isinstance(idle, dict)
    vain = [f"slot {number} for battle {clean(battle)}" for number, battle in idle.items()]
    return f"{told}{f'; spent for nothing: {listed(vain)}' if vain else ''}."


def pending_items(
    known: VisibleCampaign, odds: Mapping[str, str], progress: Mapping[str, str] = NONE_BEGUN
) -> Items:
    """Return the pending battles, each with what is to be known of it."""
    items, facts = [], []
    for battle in known.campaign.pending:
        words, notes = battle_line(known, battle), battle_notes(known, battle, odds, progress)
        items.append(Item(battle.id, words, notes))
        facts += [f"pending {battle.id}: {line}" for line in (words, *notes)]
    return Items(items, KEYED, facts)


def fights_page(
    campaign: Campaign, battles: Sequence[tuple[Report, Mapping[str, object], Sequence[Change]]], detail: int
) -> Document:
    """Return fought battles of a campaign, each with what it changed as far as that may be told."""
    blocks: list[Content] = []
    told = []
    for report, table, changes in battles:
        blocks.append(ToldBattle(report, detail))
        results = {str(table["id"]): result_of_table(table)} if "id" in table else {}
        blocks += changes_blocks(campaign, merged(changes), results) if changes else []
        told.append({**battle_json(report, table), "changes": [change_table(change) for change in changes]})
    return Document(campaign.name, blocks, {"schema": 1, "battles": told}, subjects=subjects(campaign))


def check_page(mistakes: Sequence[Diagnostic], changes: Sequence[Change], hints: Sequence[str]) -> Document:
    """Return what is wrong with a campaign, changed by hand, or worth a thought: for programs alone.

    People are told on standard error, as of any mistake.
    """
    found = [
        {"file": one.file, "line": one.line, "column": one.column, "at": list(one.at), "text": one.text}
        for one in map(with_place, mistakes)
    ]
    edits = [change_table(change) for change in changes]
    return Document("check", [], {"schema": 1, "mistakes": found, "edits": edits, "hints": list(hints)})
