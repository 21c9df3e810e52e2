"""Pages about the state of a campaign: the dashboard, and the battles that were fought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import change_table
from cardbattle.campaign.state.apply import result_of_table
from cardbattle.campaign.state.battle_result import loss_text
from cardbattle.campaign.state.battle_setup import explain, no_effect
from cardbattle.campaign.state.changes import Change, merge_changes
from cardbattle.campaign.state.standings import standings
from cardbattle.campaign.state.tables.battle_effects import battle_title
from cardbattle.campaign.visibility.reader import recorded_result_text
from cardbattle.core.grammar import capital, mid_sentence, sentence_start
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.files.errors import with_place
from cardbattle.show.battle_text import share_words
from cardbattle.show.document import (
    BARE,
    FAINT,
    KEYED,
    Bar,
    BattleReport,
    Document,
    Item,
    Items,
    Paragraph,
    Section,
    Span,
    Table,
    Title,
    as_text,
)
from cardbattle.show.pages.battle import battle_json
from cardbattle.show.pages.campaign.between import between_blocks
from cardbattle.show.pages.campaign.forces import (
    has_leaders,
    leader_text,
    name_with_heading,
    position_text,
    unit_items,
)
from cardbattle.show.pages.campaign.history import changes_blocks
from cardbattle.show.pages.campaign.league import league_blocks
from cardbattle.show.pages.campaign.standings import (
    campaign_title,
    standings_table,
    strength_words,
    subjects,
    tints,
)

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.core.errors import Diagnostic
    from cardbattle.show.document import Cell, Content
    from cardbattle.story.story import Story

LAST = 5  # battles under "Last battles"
NONE_BEGUN: Mapping[str, str] = {}


def armies_table(visible: VisibleCampaign) -> Table:
    """Return a table of the forces. Each force has a bar in proportion to its strength."""
    campaign = visible.campaign
    colours = tints(campaign)
    strengths = [force.strength for force in campaign.forces.values() if not force.destroyed]
    most = max(strengths) if len(set(strengths)) > 1 else 0
    rows: list[list[Cell]] = []
    facts = []
    for key, force in campaign.forces.items():
        name, gone = campaign.display_name(key), force.destroyed
        faction = campaign.faction_name(force.faction)
        strength = "destroyed" if gone else strength_words(visible.strengths[key])
        commander = visible.commanders[key]
        position = position_text(campaign, force)
        at = f", at {position}" if position else ""
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
        leader = leader_text(campaign, force)
        if has_leaders(campaign):
            rows[-1].append(leader)
        led = (f", leader {leader}" if leader else "") + (f", commander {commander}" if commander else "")
        facts.append(f"force {name}: {faction}, strength {strength}{led}{at}")
    head = ["force", "faction", "strength", "", "commander", *(["leader"] if has_leaders(campaign) else [])]
    return Table(head, rows, (2,), facts, is_list=True)


BAR = 12  # columns of the longest bar


def places_table(visible: VisibleCampaign) -> Table:
    campaign = visible.campaign
    colours = tints(campaign)
    rows: list[list[Cell]] = []
    facts = []
    for key, place in campaign.locations.items():
        here = [
            name_with_heading(campaign, force)
            for force, unit in campaign.forces.items()
            if unit.location == key and not unit.destroyed
        ]
        name = campaign.location_name(key)
        held: Span | str = "nobody"
        if place.owner:
            held = Span(campaign.faction_name(place.owner), tint=colours[place.owner])
        unseen = "" if here or visible.sees(key) else "not in sight"
        ground = [place.terrain or ""] if has_terrain(campaign) else []
        rows.append([name, held, str(place.value), *ground, ", ".join(here) or unseen])
        kind = f", terrain {place.terrain}" if place.terrain else ""
        facts.append(f"place {name}: {as_text(held)}, value {place.value}{kind}")
    ground = ["terrain"] if has_terrain(campaign) else []
    return Table(["place", "owner", "value", *ground, "forces"], rows, (2,), facts, is_list=True)


def has_terrain(campaign: Campaign) -> bool:
    """Return True if a place has terrain, which every reader may know."""
    return any(place.terrain for place in campaign.locations.values())


def battle_line(visible: VisibleCampaign, battle: Pending) -> str:
    """Describe a pending battle: its sides with their strengths, the stakes, and the rule set."""
    campaign, sides = visible.campaign, []
    for n, side in enumerate(battle.sides):
        name, strength = campaign.side_name(side, battle), visible.strength_of(side)
        shown = mid_sentence(name) if n else sentence_start(name)
        sides.append(shown if strength is None else f"{shown} ({strength})")
    who = " against ".join(sides) if len(sides) == 2 else listed(sides)
    stakes = f", for {mid_sentence(campaign.location_name(battle.stakes))}" if battle.stakes else ""
    return f"{who}{stakes}; {campaign.rules_name(battle)}"


def battle_notes(
    visible: VisibleCampaign, battle: Pending, odds: Mapping[str, str], progress: Mapping[str, str]
) -> list[str]:
    """Return notes about a pending battle: progress, effects of strength, odds, and the umpire's note."""
    effects = explain(visible.countable, battle) if battle.id in visible.certain else []
    no_advantage = no_effect(visible.countable, battle) if battle.id in visible.certain else ""
    started = [sentence for sentence in [progress.get(battle.id, "")] if sentence]
    return [
        *started,
        *effects,
        *(sentence for sentence in (no_advantage, odds.get(battle.id, ""), battle.note) if sentence),
    ]


def recent(visible: VisibleCampaign) -> list[Entry]:
    """Return the last battles that were recorded and not undone."""
    ledger, undone = visible.ledger, visible.ledger.undone_revisions
    count = visible.campaign.revision if visible.is_whole else ledger.whole_entries
    results = enumerate(ledger.heads.results[:count], 1)
    battles = [revision for revision, has_result in results if has_result and revision not in undone]
    return [entry_today(ledger, revision) for revision in battles[-LAST:]]


def campaign_page(
    visible: VisibleCampaign,
    odds: Mapping[str, str],
    json: Mapping[str, object],
    progress: Mapping[str, str] = NONE_BEGUN,
    waits: Sequence[str] = (),
) -> Document:
    """Show the state of a campaign: standings, forces, places, pending battles, and the last battles.

    `odds` and `progress` map the ids of battles to sentences. `waits` has sentences about what the campaign
    waits for. `json` is the JSON output.
    """
    campaign = visible.campaign
    title = campaign_title(campaign, visible.is_whole)
    factions = [
        f"faction {standing.name}: points {standing.points}, places {standing.locations}, "
        f"value of its places {standing.value}, "
        f"strength {strength_words(visible.strength_of_faction(standing.key))}"
        for standing in standings(campaign)
    ]
    blocks: list[Content] = [Title(title)]
    league_part = league_blocks(visible)
    blocks += league_part
    blocks += [Section("Standings", [])] if league_part else []
    blocks.append(standings_table(visible, tints(campaign))._replace(facts=factions))
    blocks += [armies_table(visible)] if campaign.forces else []
    units = unit_items(campaign)
    blocks += [Section("Units", []), units] if units.items else []
    blocks += [places_table(visible)] if campaign.locations else []
    blocks += [Paragraph(roads_sentence(campaign))] if campaign.road else []
    blocks += between_blocks(visible)
    nothing = "No battle is pending" if visible.is_whole else "No known battle is pending"
    blocks.append(Section("Pending" if campaign.pending else nothing, []))
    blocks.append(pending_items(visible, odds, progress))
    if waits:
        facts = [f"waiting for {sentence}" for sentence in waits]
        blocks += [Section("Waiting for", []), Items([Item("", sentence) for sentence in waits], facts=facts)]
    last = recent(visible)
    if last:
        describe_losses = loss_text if visible.is_whole else share_words
        results = [
            (entry.id, recorded_result_text(visible.campaign_after(entry), entry, describe_losses))
            for entry in last
            if entry.result
        ]
        facts = [f"battle {battle}: {sentence}" for battle, sentence in results]
        items = [Item(battle, sentence) for battle, sentence in results]
        blocks += [Section("Last battles", []), Items(items, KEYED, facts)]
    if visible.is_whole:
        seals = json.get("seals")
        blocks.append(Paragraph(dice_words(seals if isinstance(seals, dict) else {})))
    return Document(title, blocks, json, subjects=subjects(campaign))


def roads_sentence(campaign: Campaign) -> str:
    """Name the ends of all roads, with the length of those that are longer than one step."""
    roads = []
    for ends in campaign.road_ends:
        names = " to ".join(clean(campaign.location_name(end)) for end in ends)
        length = campaign.roads.length(*ends)
        roads.append(f"{names} ({counted(length, 'step')})" if length > 1 else names)
    return f"Roads: {'; '.join(roads)}."


def dice_words(seals: Mapping[str, object]) -> str:
    if not seals:
        return "Dice: not sealed; anyone who can read campaign.toml knows the seed."
    text = f"Dice: {seals['slots']} slots sealed, {seals['spent']} spent, {seals['revealed']} revealed"
    idle = seals["for_nothing"]
    assert isinstance(idle, dict)
    wasted = [f"slot {number} for battle {clean(battle)}" for number, battle in idle.items()]
    return f"{text}{f'; wasted: {listed(wasted)}' if wasted else ''}."


def pending_items(
    visible: VisibleCampaign,
    odds: Mapping[str, str],
    progress: Mapping[str, str] = NONE_BEGUN,
    *,
    has_ids: bool = True,
) -> Items:
    """Return a list of the pending battles. Each begins with its id or, for a report, with its place."""
    items, facts = [], []
    for battle in visible.campaign.pending:
        sentence, notes = battle_line(visible, battle), battle_notes(visible, battle, odds, progress)
        title = battle_title(visible.campaign, battle)
        titled = f"{capital(title)}: {sentence}"
        items.append(Item(battle.id, sentence, notes) if has_ids else Item("", titled, notes))
        facts += [f"pending {battle.id}: {line}" for line in (sentence, *notes)]
    return Items(items, KEYED if has_ids else BARE, facts)


def fights_page(
    campaign: Campaign,
    battles: Sequence[tuple[Report, Mapping[str, object], Sequence[Change]]],
    detail: int,
    stories: Sequence[Story] = (),
) -> Document:
    """Show battles that were fought, with their stories if `stories` has any.

    The page also shows the changes that the reader may know.
    """
    blocks: list[Content] = []
    json = []
    for at, (report, table, changes) in enumerate(battles):
        blocks.append(BattleReport(report, detail, None, [stories[at].text] if stories else None))
        results = {str(table["id"]): result_of_table(table)} if "id" in table else {}
        blocks += changes_blocks(campaign, merge_changes(changes), results) if changes else []
        story = {"story": stories[at].sentences} if stories else {}
        json.append(
            {**battle_json(report, table), **story, "changes": [change_table(change) for change in changes]}
        )
    return Document(campaign.name, blocks, {"schema": 1, "battles": json}, subjects=subjects(campaign))


def check_page(errors: Sequence[Diagnostic], changes: Sequence[Change], hints: Sequence[str]) -> Document:
    """Return a check's errors and hints for JSON. Other formats print them on standard error."""
    json_errors = [
        {
            "file": error.file,
            "line": error.line,
            "column": error.column,
            "at": list(error.at),
            "text": error.text,
        }
        for error in map(with_place, errors)
    ]
    edits = [change_table(change) for change in changes]
    return Document("check", [], {"schema": 1, "mistakes": json_errors, "edits": edits, "hints": list(hints)})
