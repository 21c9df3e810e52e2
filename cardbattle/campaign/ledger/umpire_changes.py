"""Add, move and rename things, write notes and stories, and begin turns, as the umpire's commands do.

The functions are pure, like those of `operations`, and return the operation to record.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cardbattle.campaign.ledger.ledger import NOTE, STORY, Entry, Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.ledger.roster import (
    is_alike,
    is_alike_without_article,
    is_beginning,
    is_exact_part,
    is_part,
)
from cardbattle.campaign.state.battle_setup import refuse_destroyed
from cardbattle.campaign.state.changes import PENDING, SINGULAR, Change, pending, value_at, with_units
from cardbattle.campaign.state.model import Campaign, missing
from cardbattle.campaign.state.renaming import TABLES
from cardbattle.campaign.state.tables.battle_effects import circumstances, defender_of, place_of_battle
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.grammar import together, with_verb
from cardbattle.core.names import key_error, key_from, keys_for, listed, nearest, quoted, write_one_of


def add_thing(
    books: CampaignFile, table: str, key: str, values: Mapping[str, object], reason: str = ""
) -> Operation:
    """Return the operation that adds a faction, force or location with these values.

    `table` is `factions`, `forces` or `locations`. Raises InvalidInput if the key is already used or invalid,
    or if the campaign would become invalid.
    """
    kind = SINGULAR[table]
    if key_error(key):
        raise InvalidInput(f"{quoted(key)} cannot be the key of a {kind}: {key_error(key)}{as_key_of(key)}")
    if value_at(books.source.data, (table, key)) is not None:
        raise InvalidInput(f"there is a {kind} {quoted(key)} already; choose another key")
    changes = [Change((table, key), None, {})]
    changes += [Change((table, key, word), None, value) for word, value in values.items()]
    changes = with_units(books.source.data, changes)
    books.campaign.after(changes)
    return Operation(Entry(0, "add", changes, reason=reason))


def new_name(campaign: Campaign, table: str, name: str) -> str:
    """Return the name for something to add.

    Its key will be derived from the name. Raises InvalidInput if the table already has that name or key.
    Capitals and accents do not matter.
    """
    for key in getattr(campaign, table):
        called = campaign.name_of(table, key)
        if is_alike(called, name) or is_alike(key, name):
            raise InvalidInput(
                f"there is a {SINGULAR[table]} {quoted(called)} already, with the key {key}; choose another "
                "name, or give a second one of that name its own key with --key"
            )
    return name


def key_for(name: str, names: Collection[str]) -> str:
    """Return a key made from a name. If the key is already used, a number is added at its end.

    >>> key_for("Sir Walter Blount", []), key_for("Rhys", ["rhys"])
    ('sir-walter-blount', 'rhys-2')
    """
    [key] = keys_for([name])
    candidate, number = key, 1
    while candidate in names:
        number += 1
        candidate = f"{key[: 40 - len(str(number)) - 1].rstrip('-')}-{number}"
    return candidate


def new_id(campaign: Campaign, ledger: Ledger, battle: str) -> str:
    """Return the id of a battle to add. Raises InvalidInput if it is used or invalid."""
    if key_error(battle):
        text = f"{key_error(battle)}{as_key_of(battle)}"
        raise InvalidInput(f"{quoted(battle)} cannot be the id of a battle: {text}")
    if campaign.battle(battle):
        raise InvalidInput(f"a battle {quoted(battle)} is pending already; choose another id")
    recorded = ledger.find(battle)
    if recorded is not None:
        raise InvalidInput(
            f"a battle {quoted(battle)} is already recorded (revision {recorded.revision}); choose another id"
        )
    return battle


def add_battle(
    books: CampaignFile, ledger: Ledger, table: Mapping[str, object], reason: str = ""
) -> Operation:
    """Return the operation that adds a pending battle. `table` has the form of campaign.toml.

    Raises InvalidInput if the battle's id is already used or invalid, or if the campaign would be invalid.
    """
    battle = new_id(books.campaign, ledger, str(table["id"]))
    place = len(pending(books.source.data))
    change = Change((PENDING, battle), None, dict(table), place=place)
    try:
        books.campaign.after([change])
    except InvalidInput as refused:  # the position in a list that does not exist yet helps no reader
        raise InvalidInput(
            Diagnostic(error.text, error.at[2:] if error.at[:2] == (PENDING, place) else error.at)
            for error in refused.errors
        ) from None
    after = books.campaign.after([change])
    refuse_destroyed(after, after.pending[place])
    notes = [*terms_missing(after, battle), *second_battles(after, battle)]
    return Operation(Entry(0, "add", [change], reason=reason), notes=notes)


def second_battles(campaign: Campaign, battle: str) -> list[str]:
    """Return a note for each other pending battle with forces of this one, if the campaign has movement.

    Movement gives a force at most one battle per turn, and only the umpire can give it a second one.
    """
    forces = {
        force for each in campaign.pending if each.id == battle for side in each.sides for force in side
    }
    notes = []
    for other in campaign.pending if campaign.movement else ():
        shared = [force for side in other.sides for force in side if force in forces]
        if other.id != battle and shared:
            names = with_verb(together(map(campaign.display_name, shared)), "fights|fight")
            notes.append(
                f"{names} in {other.id} too, which is pending, and a force should fight once per turn; "
                f"cancel one of the two, such as: cardbattle campaign cancel {battle}"
            )
    return notes


def terms_missing(campaign: Campaign, battle: str) -> list[str]:
    """Return notes about what a new battle lacks, so that rules of the campaign would not apply to it."""
    added = campaign.battle(battle)
    if added is None or not (campaign.movement or campaign.terrain):
        return []
    command = f"cardbattle campaign set pending.{battle}"
    if added.road is None and not place_of_battle(campaign, added):
        standing = {campaign.forces[key].location for side in added.sides for key in side}
        where = standing.pop() if len(standing) == 1 else None
        return [
            f"battle {battle} has no place, so terrain and retreats do not count; to set it: "
            f"{command}.place={where or 'PLACE'}"
        ]
    if any(circumstances(campaign, added)) and not defender_of(campaign, added):
        return [f"battle {battle} has no defender; to set it: {command}.defender={added.keys[-1]}"]
    return []


def move_forces(books: CampaignFile, forces: Sequence[str], place: str, reason: str = "") -> Operation:
    """Return the operation that moves forces to a location. Forces are named by key or name.

    A force that is on a road leaves the road.

    Raises InvalidInput if a force does not exist or is destroyed, or if all forces are already there.
    """
    campaign = books.campaign
    to = find_key(campaign, "locations", place)
    changes = []
    keys = dict.fromkeys(find_key(campaign, "forces", word) for word in forces)
    for key in keys:
        if campaign.forces[key].destroyed:
            raise InvalidInput(f"{with_verb(campaign.display_name(key), 'is|are')} destroyed and cannot move")
        values = {"location": to, "towards": None, "walked": None}
        old = {word: value_at(books.source.data, ("forces", key, word)) for word in values}
        changes += [
            Change(("forces", key, word), old[word], value)
            for word, value in values.items()
            if old[word] != value
        ]
    if not changes:
        names = listed(map(campaign.display_name, keys))
        raise InvalidInput(f"{names}: at {campaign.location_name(to)} already")
    leaves_road = any(change.after is None for change in changes)
    return Operation(Entry(0, "move", changes, reason=reason), keeps_lines=leaves_road)


def rename_key(
    books: CampaignFile, label: str, key: str, reason: str = "", ledger: Ledger | None = None
) -> Operation:
    """Return the operation that changes the key of a faction, force or location everywhere.

    `label` is the old key, or for example `forces.KEY` if the key is ambiguous. Raises InvalidInput if the
    old key does not exist or is ambiguous, or if the new key is already used or invalid, also if it was the
    key of something that `ledger` says was removed.
    """
    campaign = books.campaign
    table, _, old = label.rpartition(".")
    tables = [word for word in TABLES if table in ("", word) and old in getattr(campaign, word)]
    if not tables:
        raise InvalidInput(no_such_key(campaign, label))
    if len(tables) > 1:
        both = listed([f"{word}.{old}" for word in tables], "or")
        raise InvalidInput(f"{quoted(old)} is the key of several things; name one of them, {both}")
    if key_error(key):
        error = key_error(key)
        raise InvalidInput(f"{quoted(key)} cannot be a key: {error}{as_key_of(key.rpartition('.')[2])}")
    if key in getattr(campaign, tables[0]):
        raise InvalidInput(f"there is a {SINGULAR[tables[0]]} {quoted(key)} already; choose another key")
    if ledger and (tables[0], key) in ledger.left:
        raise InvalidInput(f"a removed {SINGULAR[tables[0]]} had the key {quoted(key)}; choose another key")
    changes = [Change((tables[0], old), old, key)]
    campaign.after(changes)
    return Operation(
        Entry(0, "rename", changes, reason=reason), notes=exports_with_old_key(campaign, tables[0], old)
    )


def no_such_key(campaign: Campaign, label: str) -> str:
    """Return the error for an unknown key.

    It has advice if the key is the id of a battle, a name, or similar to an existing key.
    """
    table, _, old = label.rpartition(".")
    if campaign.battle(label):
        return f"{label} is a battle: its id determines its cards; change the id in campaign.toml"
    keys = [(word, key) for word in TABLES for key in getattr(campaign, word)]
    called = [f"{word}.{key}" for word, key in keys if is_alike(campaign.name_of(word, key), label)]
    if called:
        rename = f'to change the name, use: cardbattle campaign set {called[0]}.name="NEW NAME"'
        return f"{quoted(label)} is a name; write the key, {listed(called, 'or')}; {rename}"
    if table not in ("", *TABLES):
        forms = listed([f"{word}.KEY" for word in TABLES], "or")
        return f"unknown key {quoted(label)}; write a key, alone or as {forms}"
    candidates = [key for word, key in keys if table in ("", word)]
    kind = SINGULAR.get(table, "faction, force or place")
    return "".join(error.text for error in missing(kind, old, candidates, ()))


def as_key_of(text: str) -> str:
    """Return a suggestion for a key made from a name, or "" if no key can be made from it.

    >>> as_key_of("The Fürth"), as_key_of("織田")
    ('; write the-furth', '')
    """
    key = key_from(text)
    return "" if key_error(key) else f"; write {key}"


def exports_with_old_key(campaign: Campaign, table: str, key: str) -> list[str]:
    """Return a note about the pending battles of a renamed force, whose exported files have its old key."""
    battles = [battle.id for battle in campaign.pending if any(key in side for side in battle.sides)]
    if table != "forces" or not battles:
        return []
    return [f"if you have exported {listed(battles)}, export again: the file names {key}"]


def write_note(
    books: CampaignFile, text: str, turn: int | None = None, date: str = "", faction: str = ""
) -> Operation:
    """Return the operation that adds a note to the chronicle, for this turn or an earlier one.

    If a faction is named, no other faction can read the note. Raises InvalidInput if the turn is in the
    future or the faction is unknown, and UsageError if the text is empty.
    """
    if not text.strip():
        raise UsageError("the note is empty; write its text")
    key = find_key(books.campaign, "factions", faction) if faction else ""
    if turn is not None and turn > books.campaign.turn:
        raise InvalidInput(f"turn {turn} is in the future; it is turn {books.campaign.turn}")
    return Operation(Entry(0, NOTE, [], id=key, text=text, turn=turn, date=date))


def write_story(ledger: Ledger, battle: str, text: str, generated: str) -> Operation:
    """Return the operation that replaces the story of a battle. The entry keeps the `generated` story.

    Raises InvalidInput if the battle is not recorded, and UsageError if the text is empty.
    """
    if not text.strip():
        raise UsageError("the story is empty; write its text, or undo the entry that replaced it")
    if battle not in ledger.revision_by_battle:
        hint = nearest(battle, ledger.revision_by_battle)
        raise InvalidInput(f"battle {quoted(battle)} is not recorded{hint}")
    return Operation(Entry(0, STORY, [], id=battle, text=" ".join(text.split()), generated=generated))


def next_turn(books: CampaignFile, reason: str = "", name: str = "") -> Operation:
    """Return the operation that begins the next turn.

    It removes the name and the weather of the last turn, and orders to retreat and to hire that were left.

    Raises InvalidInput if the name is invalid, and UsageError after the last turn.
    """
    campaign = books.campaign
    refuse_after_last_turn(campaign)
    changes = [Change(("turn",), value_at(books.source.data, ("turn",)), campaign.turn + 1)]
    if name != (campaign.turn_name or ""):
        changes.append(Change(("turn_name",), campaign.turn_name, name or None))
    weather = campaign.weather
    if weather is not None and weather.now is not None:
        changes.append(Change(("weather", "now"), weather.now, None))
    changes += [
        Change(("forces", key, word), value, None)
        for key, force in campaign.forces.items()
        for word, value in (("retreat", force.retreat), ("hires", force.hires))
        if value is not None
    ]
    campaign.after(changes)
    return Operation(Entry(0, "turn", changes, reason=reason), keeps_lines=weather is not None)


def refuse_after_last_turn(campaign: Campaign) -> None:
    """Raise UsageError if the last turn of the campaign is over."""
    if campaign.is_over:
        raise UsageError(
            f"turn {campaign.last_turn} was the last one; {STORY_OF_WAR}; or play on with: "
            f"cardbattle campaign set last_turn={campaign.turn}"
        )


STORY_OF_WAR = "write the story of the whole war with: cardbattle campaign report --from 1 -o war.md"


def still_pending(campaign: Campaign, without: Collection[str] = ()) -> str:
    """Return a sentence about the pending battles except those in `without`, or "" without such battles.

    At most `MOST_NAMED` battles are named, and the others are counted.
    """
    left = [battle.id for battle in campaign.pending if battle.id not in without]
    shown = left if len(left) <= MOST_NAMED else [*left[:MOST_NAMED], f"{len(left) - MOST_NAMED} more"]
    return f"{listed(shown)} {'is' if len(left) == 1 else 'are'} still pending" if left else ""


MOST_NAMED = 8


def find_key(campaign: Campaign, table: str, word: str) -> str:
    """Return the key of a faction, force or location, given its key, its name or a unique part of either.

    Beginnings of words are enough for a force, as in players' orders. Case, accents, punctuation and a
    leading article do not matter in a name. Raises InvalidInput, which lists the existing keys if nothing
    matches, or the candidates if several match.
    """
    known_values: Mapping[str, object] = getattr(campaign, table)
    if word in known_values:
        return word
    called = {key: campaign.name_of(table, key) for key in known_values}
    matches: list[str] = []
    for is_same in (is_alike, is_alike_without_article, is_exact_part, is_part):
        matches = matches or [key for key, name in called.items() if is_same(word, name)]
    matches = matches or [key for key in known_values if is_part(word, key)]
    if table == "forces":
        matches = matches or [key for key, name in called.items() if is_beginning(word, key, str(name))]
    if len(matches) == 1:
        return matches[0]
    kind = SINGULAR[table]
    if matches:
        raise InvalidInput(f"{quoted(word)} names several {kind}s: {listed(matches, 'or')}; write the key")
    hint = nearest(word, [*known_values, *called.values()]) or write_one_of(list(known_values))
    hint = hint if known_values else f"; to add one: cardbattle campaign add {kind} NAME"
    raise InvalidInput(f"{kind} {quoted(word)} is not in this campaign{hint}")
