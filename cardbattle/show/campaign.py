"""A campaign for people: the dashboard, what a command changes, what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from cardbattle.campaign.battle_setup import explain
from cardbattle.campaign.changes import Change
from cardbattle.campaign.operations import result_told
from cardbattle.campaign.standings import Standing
from cardbattle.campaign.standings import standings as counted_standings
from cardbattle.core.names import clean, listed
from cardbattle.show import lists
from cardbattle.show.console import fitted
from cardbattle.show.layout import hung, measure, write

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.campaign.ledger import Entry, Ledger
    from cardbattle.campaign.model import Campaign, Pending
    from cardbattle.campaign.operations import CampaignFile

LAST = 5  # battles that the dashboard recalls


def title(campaign: Campaign) -> str:
    """Return the campaign's name and where it stands."""
    return f"{clean(campaign.name)}: turn {campaign.turn}, revision {campaign.revision}"


TINTS = ("cyan", "magenta", "yellow", "green", "blue", "red")


def tints(campaign: Campaign) -> dict[str, str]:
    """Return the colour of each faction; it only helps, the names say the same."""
    return {key: TINTS[n % len(TINTS)] for n, key in enumerate(campaign.factions)}


def standings(found: Sequence[Standing], console: Console, colours: Mapping[str, str] | None = None) -> None:
    """Print the factions, those with most points first."""
    rows: list[list[str | Text]] = [
        [
            f"{one.place}.",
            Text(one.name, (colours or {}).get(one.key, "")),
            str(one.points),
            str(one.strength),
            str(one.value),
        ]
        for one in found
    ]
    lists.columns(["", "faction", "points", "strength", "places"], rows, console, (2, 3, 4))


def forces(campaign: Campaign) -> list[list[str]]:
    """Return the forces: name, faction, strength, commander, where."""
    return [
        [
            campaign.called(key),
            campaign.faction_name(force.faction),
            "destroyed" if force.destroyed else str(force.strength),
            force.commander,
            campaign.location_name(force.location) if force.location else "",
        ]
        for key, force in campaign.forces.items()
    ]


def armies(campaign: Campaign, console: Console) -> None:
    """Print the forces, each with a bar as long as it is strong."""
    colours = tints(campaign)
    strengths = [force.strength for force in campaign.forces.values() if not force.destroyed]
    most = max(strengths) if len(set(strengths)) > 1 else 0
    rows: list[list[str | Text]] = []
    for key, force in campaign.forces.items():
        tint = "dim" if force.destroyed else colours[force.faction]
        rows.append(
            [
                Text(campaign.called(key), "dim" if force.destroyed else ""),
                Text(campaign.faction_name(force.faction), tint),
                Text("destroyed", "dim") if force.destroyed else str(force.strength),
                Text("" if force.destroyed else bar(force.strength, most, console), tint),
                force.commander,
            ]
        )
    head = ["force", "faction", "strength", "", "commander"]
    if console.width < NARROW or not most:
        head, rows = [*head[:3], head[4]], [[*row[:3], row[4]] for row in rows]
    if console.width < NARROW:
        listing(rows, console)
    else:
        lists.columns(head, rows, console, (2,))


NARROW = 60  # columns below which a table of words is a list


def listing(rows: Sequence[Sequence[str | Text]], console: Console) -> None:
    """Print the rows of a table as a list, the first cell of each in bold."""
    for first, *rest in rows:
        lead = Text(fitted(str(first), console.encoding), "bold").append("  ")
        words = Text(", ").join(lists.written(cell, console) for cell in rest if str(cell))
        write(hung(words, measure(console), console, lead, 2), console)


BAR = 12  # columns of the longest bar


def bar(strength: int, most: int, console: Console) -> str:
    """Return a bar for a strength; the strongest has the longest, and only none has none."""
    length = -(-strength * BAR // most) if most else 0
    return ("▪" if console.encoding.startswith("utf") else "#") * length


def map_of(campaign: Campaign, console: Console) -> None:
    """Print the places: who owns them, what they are worth, who stands there."""
    colours = tints(campaign)
    rows: list[list[str | Text]] = []
    for key, place in campaign.locations.items():
        here = [
            campaign.called(force)
            for force, one in campaign.forces.items()
            if one.location == key and not one.destroyed
        ]
        owner = Text(campaign.faction_name(place.owner), colours[place.owner]) if place.owner else "nobody"
        rows.append([campaign.location_name(key), owner, str(place.value), ", ".join(here)])
    if console.width < NARROW:
        listing(rows, console)
    else:
        lists.columns(["place", "owner", "value", "who is there"], rows, console, (2,))


def places(campaign: Campaign) -> list[list[str]]:
    """Return the places: name, owner, value."""
    return [
        [
            campaign.location_name(key),
            campaign.faction_name(place.owner) if place.owner else "nobody",
            str(place.value),
        ]
        for key, place in campaign.locations.items()
    ]


def battle_line(campaign: Campaign, battle: Pending) -> str:
    """Return who will fight whom, with what, for what."""
    sides = []
    for side in battle.sides:
        strength = sum(campaign.forces[force].strength for force in side)
        sides.append(f"{campaign.side_name(side)} ({strength})")
    who = " against ".join(sides) if len(sides) == 2 else listed(sides)
    stakes = f", for {campaign.location_name(battle.stakes)}" if battle.stakes else ""
    return f"{who}{stakes}; {campaign.rules_of(battle).name}"


def battle_notes(campaign: Campaign, battle: Pending, odds: Mapping[str, str]) -> list[str]:
    """Return what strength gives the sides of a pending battle, its odds, and the umpire's note."""
    counted = [odds[battle.id]] if battle.id in odds else []
    return [*explain(campaign, battle), *counted, *([battle.note] if battle.note else [])]


def recent(campaign: Campaign, ledger: Ledger) -> list[Entry]:
    """Return the last battles that were recorded and stand."""
    gone = ledger.taken_back
    heads = enumerate(ledger.heads[: campaign.revision], 1)
    battles = [revision for revision, head in heads if head.has_result and revision not in gone]
    return [ledger.entry(revision) for revision in battles[-LAST:]]


def dashboard(books: CampaignFile, ledger: Ledger, odds: Mapping[str, str], console: Console) -> None:
    """Print the state of a campaign: standings, forces, map, what is pending, what happened last."""
    campaign = books.campaign
    console.print(Text(fitted(title(campaign), console.encoding), "bold"))
    console.print()
    standings(counted_standings(campaign), console, tints(campaign))
    if campaign.forces:
        console.print()
        armies(campaign, console)
    if campaign.locations:
        console.print()
        map_of(campaign, console)
    console.print()
    console.print(Text("Pending" if campaign.pending else "No battle is pending", "bold"))
    for battle in campaign.pending:
        item(battle.id, battle_line(campaign, battle), console)
        for note in battle_notes(campaign, battle, odds):
            write(hung(plain_text(note, console, "dim"), measure(console), console, Text("    "), 4), console)
    last = recent(campaign, ledger)
    if last:
        console.print()
        console.print(Text("Last battles", "bold"))
        for entry in last:
            assert entry.result is not None
            item(entry.id, result_told(entry.result, campaign.called), console)


def chronicle(lines: Sequence[str], console: Console) -> None:
    """Print entries of the ledger, each hanging from its number."""
    found: list[Text] = []
    for line in lines:
        number, _, words = line.partition(" ")
        lead = Text(f"{number} ", "bold")
        found += hung(plain_text(words, console), measure(console), console, lead, 4)
    write(found, console)


def item(key: str, words: str, console: Console) -> None:
    """Print one line of a list, its key first."""
    lead = Text("  ").append(fitted(key, console.encoding), "bold").append("  ")
    write(hung(plain_text(words, console), measure(console), console, lead, 4), console)


def plain_text(words: str, console: Console, style: str = "") -> Text:
    """Return words in letters the console can write."""
    return Text(fitted(" ".join(words.split()), console.encoding), style)


def facts(books: CampaignFile, ledger: Ledger, odds: Mapping[str, str]) -> list[str]:
    """Return the state of a campaign with one fact per line."""
    campaign = books.campaign
    lines = [title(campaign)]
    lines += [
        f"faction {one.name}: {one.points} points, places {one.value}, strength {one.strength}"
        for one in counted_standings(campaign)
    ]
    for name, faction, strength, commander, where in forces(campaign):
        at = f", at {where}" if where else ""
        lines.append(f"force {name}: {faction}, strength {strength}, commander {commander}{at}")
    lines += [f"place {name}: {owner}, value {value}" for name, owner, value in places(campaign)]
    for battle in campaign.pending:
        lines.append(f"pending {battle.id}: {battle_line(campaign, battle)}")
        lines += [f"pending {battle.id}: {note}" for note in battle_notes(campaign, battle, odds)]
    for entry in recent(campaign, ledger):
        assert entry.result is not None
        lines.append(f"battle {entry.id}: {result_told(entry.result, campaign.called)}")
    return [clean(" ".join(line.split())) for line in lines]


def change_lines(changes: Sequence[Change]) -> list[str]:
    """Return what is changed, a line for each value."""
    return [clean(str(change)) for change in changes]


def entry_line(campaign: Campaign, entry: Entry, taken_back: bool) -> str:
    """Return one entry of the ledger in a line: revision, kind, battle, result or changes, reason."""
    what = f"{entry.revision}. {entry.kind}"
    if entry.id:
        what += f" {entry.id}"
    if entry.undoes:
        what += f" of {listed(map(str, entry.undoes))}"
    changes = listed(change_lines(entry.changes)) or "nothing, every value is what it was"
    told_of = result_told(entry.result, campaign.called) if entry.result is not None else changes
    forced = f"; in spite of: {'; '.join(entry.forced)}" if entry.forced else ""
    reason = f" ({entry.reason})" if entry.reason else ""
    gone = " [taken back]" if taken_back else ""
    return clean(f"{what}: {told_of}{forced}{reason}{gone}")
