"""Redact the ledger for a reader.

Entries about hidden things are left out. All other entries are shown without private reasons, hidden values
and the ledger's own lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.history import in_todays_keys
from cardbattle.campaign.ledger.ledger import AFTERMATH, BATTLES, CONTACT, MISSED, NOTE, STORY, Entry, Ledger
from cardbattle.campaign.state.changes import Change, Key, is_battle, is_table, is_unit
from cardbattle.campaign.state.fields import own_keys
from cardbattle.campaign.state.model import Campaign, Visibility
from cardbattle.campaign.state.tables.aftermath import SURRENDERS
from cardbattle.campaign.state.tables.march_orders import can_have_failure, without_enemies

PUBLIC_KEYS = ("turn", "turn_name", "last_turn", "notice", "name")
SETTINGS = (
    "rules", "scoring", "attrition", "advantage", "house", "calendar", "visibility", "map", "weather",
    "terrain", "movement", "road", "aftermath", "experience", "supply", "recovery", "recruit",
    "income",
)  # settings that every reader knows; their changes are shown with a public reason  # fmt: skip
PUBLIC_WORDS = (
    "name", "plural", "short", "motto", "badge", "points", "owner", "value", "faction", "at", "terrain",
    "supply",
)  # fmt: skip
BATTLE_WORDS = (
    "id", "rules", "sides", "stakes", "place", "road", "terrain", "weather", "defender", "names", "plural",
)  # fmt: skip
MOVEMENT_WORDS = ("pace", "towards", "walked", "march", "retreat", "hires")
OWN_WORDS = ("pace", "march", "retreat", "hires")  # values about orders that only the faction knows
FACTS = {
    "strength": "strength", "location": "location", "commander": "commander", "destroyed": "strength",
    "full": "strength", "experience": "commander", "title": "commander", "leader": "commander",
    "leader_rank": "commander", "deputy": "commander", "fallen": "commander", "prisoner_of": "commander",
}  # fmt: skip
# Values of a force that some readers may know, by the rule of [visibility] that decides it.
ALWAYS = ("turn", "rename")  # kinds of entries that hide nothing


def is_private(note: str) -> bool:
    """Return True if a note is for the umpire only, which is the case if it begins with `private`.

    >>> is_private("Private: Owain bluffs"), is_private("a private feud")
    (True, False)
    """
    return note.lstrip().lower().startswith("private")


class Clearance(NamedTuple):
    """Decides which facts a reader may know.

    The decision uses the campaign's visibility rules and the factions that own the forces. `reader` is the
    key of a faction, or None for the public. The umpire needs no clearance. `owners` is a dict from forces to
    factions.
    """

    reader: str | None
    visibility: Visibility
    owners: Mapping[str, str]

    def is_own(self, force: str) -> bool:
        return self.reader is not None and self.owners.get(force) == self.reader

    def fights(self, sides: Sequence[Sequence[str]]) -> bool:
        return any(self.is_own(force) for side in sides for force in side)

    def knows(self, force: str, fact: str) -> bool:
        """Return True if the reader knows a force's exact strength, location or commander."""
        return self.is_own(force) or getattr(self.visibility, fact) == "all"

    def before(self, entry: Entry, ledger: Ledger) -> Clearance:
        """Return the clearance before an entry, which can have added the reader or changed a force's faction.

        A faction with the key of a removed one knows only what the public knew before it was added.
        """
        changes = [
            change for change in entry.changes if change.key[0] == "forces" and change.key[2:] == ("faction",)
        ]
        return self._replace(
            reader=None if self.is_added_by(entry, ledger) else self.reader,
            owners={**self.owners, **{change.key[1]: str(change.before) for change in changes}},
        )

    def is_added_by(self, entry: Entry, ledger: Ledger) -> bool:
        """Return True if an entry that was not undone added the reader's faction to the campaign."""
        if entry.kind in ("undo", "redo") or entry.revision in ledger.undone_revisions:
            return False
        return any(
            change.key == ("factions", self.reader) and change.before is None for change in entry.changes
        )


def redact_ledger(ledger: Ledger, clearance: Clearance) -> list[Entry]:
    """Return the entries that a reader may know, in order. They are redacted and have current keys."""
    redacted: list[Entry] = []
    later: dict[Key, object] = {}  # each battle with its last sides
    for revision in range(ledger.whole_entries, 0, -1):
        entry = in_todays_keys(ledger, ledger.entry(revision))
        for change in entry.changes:
            if is_battle(change.key):
                later.setdefault(change.key, change.after or change.before)
        redacted.append(redact_entry(entry, clearance, ledger, later if entry.kind == CONTACT else {}))
        for change in entry.changes if entry.kind == CONTACT else ():
            later.pop(change.key, None)  # an earlier battle can have the same id
        clearance = clearance.before(entry, ledger)
    visible: dict[int, Entry] = {}
    for entry in reversed(redacted):
        undoes = [revision for revision in entry.undoes if revision in visible]
        is_hidden = undoes and all(visible[revision].id != entry.id for revision in undoes)
        entry = entry._replace(undoes=undoes, id="" if is_hidden else entry.id)
        if says_something(entry):
            visible[entry.revision] = entry
    return list(visible.values())


def says_something(entry: Entry) -> bool:
    if entry.kind in ("undo", "redo"):
        return bool(entry.undoes)
    is_something = entry.changes or entry.reason or entry.text or entry.result
    return bool(is_something) or entry.kind in ALWAYS


def clearance_before(ledger: Ledger, clearance: Clearance, revision: int) -> Clearance:
    for later in range(ledger.whole_entries, revision - 1, -1):
        clearance = clearance.before(in_todays_keys(ledger, ledger.entry(later)), ledger)
    return clearance


def redact_entry(
    entry: Entry, clearance: Clearance, ledger: Ledger, later: Mapping[Key, object] = {}
) -> Entry:
    """Return the part of an entry that a reader may know. It can be empty.

    `later` has the later table of a battle. If the reader fights in it, the reader may know the battle.
    """
    surrendered = any(change.text == SURRENDERS for change in entry.changes)
    is_enemy = surrendered and clearance.fights([side for side, _ in sides_of_aftermath(entry, ledger)])
    has_captured = any(is_capture(change) for change in entry.changes)
    captives = captives_seen(sides_of_aftermath(entry, ledger), clearance) if has_captured else set()
    is_public = entry.public and bool(entry.reason)
    changes: list[Change] = []
    for change in entry.changes:
        if is_public and is_setting(change.key):
            changes += visible_setting(change)
        elif is_capture(change) and change.key[1] in captives:
            changes.append(change)
        else:
            changes += visible_changes(change, clearance, bool(entry.result), is_enemy, later.get(change.key))
    partner = partner_in_payment(entry, clearance.reader)
    changes = [change._replace(text=partner) if is_purse(change.key) else change for change in changes]
    return Entry(
        entry.revision,
        entry.kind,
        changes,
        id=entry.id if knows_id(entry, changes, clearance) else "",
        undoes=entry.undoes,
        result=entry.result,
        reason=entry.reason if entry.public else "",
        text=visible_text(entry, changes, clearance.reader),
        turn=entry.turn,
        date=entry.date,
        public=is_public,
    )


def bare_reasons(campaign: Campaign, ledger: Ledger, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the public reason of each entry of which some players read nothing else."""
    owners = {key: force.faction for key, force in campaign.forces.items()}
    for entry in entries:
        known = redact_entry(entry, Clearance(None, campaign.visibility, owners), ledger)
        if known.public and not (known.changes or known.text or known.result):
            yield entry.reason


def is_setting(key: Key) -> bool:
    """Return True for the key of a setting that every reader knows, but not for the umpire's own keys."""
    return key[0] in SETTINGS and not any(part == "x" or part.startswith("x_") for part in key)


def visible_setting(change: Change) -> list[Change]:
    """Return the change of a setting without the umpire's own keys, as a list. The list can be empty."""
    before, after = own_keys(change.before), own_keys(change.after)
    return [change._replace(before=before, after=after)] if before != after else []


def visible_text(entry: Entry, visible: Sequence[Change], reader: str | None) -> str:
    """Return the text of an entry that a reader may know, given the changes that the reader may know.

    A note can be for one faction, whose key is the id of the entry. A player who has missed a deadline reads
    why the program has chosen retreats of the player's forces.
    """
    if entry.kind == NOTE and entry.id not in ("", reader):
        return ""
    if not is_private(entry.text):
        return entry.text
    is_own = entry.kind == MISSED and bool(visible) and list(visible) == list(entry.changes)
    return entry.text.partition(":")[2].strip() if is_own else ""


def knows_id(entry: Entry, visible: Sequence[Change], clearance: Clearance) -> bool:
    """Return True if a reader may know the battle that an entry is about, or the faction that a note is for.

    Everyone knows the battles that were fought. A pending battle can be hidden, even if a reason for changing
    it is public. `visible` are the changes that the reader may know. An undo is decided by the entries that
    it undoes.
    """
    if entry.kind == NOTE:
        return entry.id == clearance.reader
    is_fought = entry.result is not None or entry.kind in (AFTERMATH, STORY, "undo", "redo")
    is_seen = any(is_battle(change.key) and change.key[1] == entry.id for change in visible)
    return is_fought or is_seen or clearance.visibility.pending == "all"


def is_capture(change: Change) -> bool:
    """Return True if the leader of a force becomes a prisoner."""
    return change.key[0] == "forces" and change.key[2:] == ("prisoner_of",) and bool(change.after)


def captives_seen(sides: Sequence[tuple[list[str], bool]], clearance: Clearance) -> set[str]:
    """Return the forces whose capture a reader saw: of its own side, or of all sides if its side won."""
    own = [(side, has_won) for side, has_won in sides if clearance.fights([side])]
    seen = sides if any(has_won for _, has_won in own) else own
    return {force for side, _ in seen for force in side}


def sides_of_aftermath(entry: Entry, ledger: Ledger) -> list[tuple[list[str], bool]]:
    """Return each side of the battle whose aftermath an entry is, and whether it won. The list can be empty.

    A corrected result names only the first force of each side; an earlier entry names the others.
    """
    battle = ledger.find(entry.id) if entry.kind == AFTERMATH else None
    if battle is None:
        return []
    battle = in_todays_keys(ledger, battle)
    if battle.result is None:
        return []
    revisions = ledger.heads.revisions(BATTLES, battle.revision)
    same = [revision for revision in revisions if ledger.heads.ids[revision - 1] == entry.id]
    entries = (in_todays_keys(ledger, ledger.entry(revision)) for revision in reversed(same))
    tables = (change.before for each in entries for change in each.changes if is_battle(change.key))
    table = next((table for table in tables if isinstance(table, dict)), None)
    sides = sides_in(table) if table else [[key] for key in battle.result.sides]
    return [(side, side[0] in battle.result.winners) for side in sides]


def visible_changes(
    change: Change, clearance: Clearance, is_fought: bool, is_enemy: bool = False, later: object = None
) -> list[Change]:
    """Return the part of a change that a reader may know, as a list. The list can be empty.

    If the battle of the change `is_fought`, everybody knows its sides and stakes. If the reader `is_enemy`
    of the forces in an aftermath, the reader knows which forces surrendered. `later` is a later table of a
    battle, which the umpire can have given more sides.
    """
    if not is_battle(change.key):
        knows_surrender = is_enemy and change.text == SURRENDERS
        if change.text and not knows_surrender and not knows_cause(change.key, clearance):
            change = change._replace(text="")
        if can_have_failure(change.key) and clearance.visibility.location == "own":
            change = change._replace(text=without_enemies(change.text))
        if is_peace(change.key):
            return visible_peace(change, clearance.reader)
        return [change] if is_visible(change, clearance) else []
    tables = [table for table in (change.before, change.after) if isinstance(table, dict)]
    is_open = clearance.visibility.pending == "all" or any(
        clearance.fights(sides_in(table)) for table in (*tables, later) if isinstance(table, dict)
    )
    if not is_open and not is_fought:
        return []
    before, after = (visible_battle(table, with_note=is_open) for table in (change.before, change.after))
    return [Change(change.key, before, after)] if before != after else []


def is_purse(key: Key) -> bool:
    return key[0] == "factions" and key[2:] == ("purse",)


def partner_in_payment(entry: Entry, reader: str | None) -> str:
    """Return the faction that pays the reader or is paid by the reader, or "".

    One command of the umpire must have changed only these two purses, by the same sum.
    """
    gains = {
        change.key[1]: int(str(change.after or 0)) - int(str(change.before or 0))
        for change in entry.changes
        if is_purse(change.key)
    }
    others = [key for key in gains if key != reader]
    is_paid = entry.kind == "adjust" and reader in gains and len(gains) == 2 and sum(gains.values()) == 0
    return others[0] if is_paid else ""


def is_peace(key: Key) -> bool:
    """Return True for the list of factions with which a faction is at peace."""
    return key[0] == "factions" and key[2:] == ("peace",)


def visible_peace(change: Change, reader: str | None) -> list[Change]:
    """Return the change of a peace as far as a reader has a part in it, as a list. The list can be empty."""
    if change.key[1] == reader:
        return [change]
    before, after = (
        [reader] if isinstance(value, list) and reader in value else None
        for value in (change.before, change.after)
    )
    return [change._replace(before=before, after=after)] if before != after else []


def knows_cause(key: Key, clearance: Clearance) -> bool:
    """Return True if a reader may know why an order failed, or that a force could not retreat.

    Both say where other forces were.
    """
    if key[0] == "forces":
        return clearance.knows(key[1], "location")
    return key[0] == "orders" and is_order_visible(key, clearance)


def is_visible(change: Change, clearance: Clearance) -> bool:
    """Return True if a reader may know a change, which can be of one value or of a whole table."""
    table, word = change.key[0], change.key[-1]
    if len(change.key) == 1:
        return table in PUBLIC_KEYS
    if change.key == ("weather", "now"):
        return True
    if table in ("orders", "sealed_orders"):
        return is_order_visible(change.key, clearance)
    if is_table(change.key):
        return True
    if is_unit(change.key):
        return clearance.knows(change.key[1], "strength")
    if len(change.key) != 3 or table not in ("factions", "forces", "locations"):
        return False
    if word in PUBLIC_WORDS:
        return True
    if table == "forces" and word in MOVEMENT_WORDS:
        return clearance.is_own(change.key[1]) or (
            word not in OWN_WORDS and clearance.knows(change.key[1], "location")
        )
    if (table, word) == ("factions", "purse"):
        return clearance.reader == change.key[1]
    if table != "forces" or word not in FACTS:
        return False
    if word == "prisoner_of" and clearance.reader and clearance.reader in (change.before, change.after):
        return True
    if word == "destroyed":
        return clearance.visibility.strength != "own" or clearance.is_own(change.key[1])
    return clearance.knows(change.key[1], FACTS[word])


def is_order_visible(key: Key, clearance: Clearance) -> bool:
    """Return True if a reader may know an order to move.

    A reader may know the orders of the reader's own faction, and the seals of all factions.
    """
    if key[0] == "orders":
        return len(key) == 2 and clearance.is_own(key[1])
    return len(key) == 3 and (key[2] in ("address", "seal", "") or key[1] == clearance.reader)


def sides_in(table: Mapping[str, object]) -> list[list[str]]:
    sides = table.get("sides")
    return (
        [side if isinstance(side, list) else [str(side)] for side in sides] if isinstance(sides, list) else []
    )


def visible_battle(table: object, *, with_note: bool) -> dict[str, object] | None:
    """Return a pending battle without the umpire's options and house rules, and without a private note."""
    if not isinstance(table, dict):
        return None
    visible = {word: table[word] for word in BATTLE_WORDS if word in table}
    note = str(table.get("note", ""))
    return visible | ({"note": note} if with_note and note and not is_private(note) else {})
