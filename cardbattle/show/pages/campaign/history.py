"""What happened to a campaign, in sentences: what an entry of the ledger did, and each value it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import default_name
from cardbattle.campaign.ledger.history import entry_today, turn_of
from cardbattle.campaign.ledger.ledger import SEALING
from cardbattle.campaign.state.apply import attrition_rate
from cardbattle.campaign.state.battle_result import result_told
from cardbattle.campaign.state.changes import (
    SINGULAR,
    Change,
    is_battle,
    is_rename,
    is_table,
    merged,
    value_words,
)
from cardbattle.campaign.state.clock import local_time
from cardbattle.campaign.visibility.reader import UMPIRE, side_namer, visible_to
from cardbattle.campaign.visibility.redaction import sides_in
from cardbattle.core.grammar import Noun, with_verb
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.show.document import NUMBERED, Document, Item, Items, Paragraph, Repeatable, Section

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.state.apply import Result
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content


def name_today(campaign: Campaign, table: str, key: object) -> Noun:
    """Return the name of a faction, force or location, also of one that is there no more."""
    known = getattr(campaign, table)
    return campaign.name_of(table, str(key)) if key in known else Noun(default_name(str(key)))


def describe_change(campaign: Campaign, change: Change) -> str:
    """Return what a change did to one value, with names instead of keys."""
    key, before, after = change.key, change.before, change.after
    if is_battle(key):
        return battle_sentence(change)
    if is_rename(change):
        return f"the key of {name_today(campaign, key[0], after)}: {before} -> {after}"
    if is_table(key):
        thing = f"the {SINGULAR[key[0]]} {name_today(campaign, *key)}"
        return f"{thing} is {'no longer there' if after is None else 'new'}"
    told = VALUES.get((key[0], key[-1])) if len(key) in (1, 3) else None
    if told is None:
        return clean(str(change))
    return told(campaign, key[1] if len(key) == 3 else "", before, after)


def battle_sentence(change: Change) -> str:
    """Return what became of a pending battle."""
    if change.after is None:
        return f"{change.key[1]} is no longer pending"
    return f"{change.key[1]} is {'pending' if change.before is None else 'pending, changed'}"


def number_sentence(table: str, word: str) -> Callable[[Campaign, str, object, object], str]:
    """Return how a number is told, as `Thomas Carew: strength 8 -> 5`."""
    return lambda campaign, key, before, after: (
        f"{name_today(campaign, table, key)}: {word} {before or 0} -> {after or 0}"
    )


def text_sentence(table: str, word: str, unset: str) -> Callable[[Campaign, str, object, object], str]:
    """Return how a text is told that is `unset` where it is not written."""
    return lambda campaign, key, before, after: (
        f"{name_today(campaign, table, key)}: {word} {before or unset} -> {after or unset}"
    )


def owner_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    """Return whose a place is now."""
    now, then = (name_today(campaign, "factions", one) if one else "nobody" for one in (after, before))
    return f"{name_today(campaign, 'locations', key)}: held by {now}, before by {then}"


def location_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    """Return where a force stands now."""
    force = name_today(campaign, "forces", key)
    there = [name_today(campaign, "locations", one) if one else "nowhere" for one in (before, after)]
    return f"{force}: at {there[1]}" + (f", before at {there[0]}" if before else "")


def faction_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    """Return whose a force is now."""
    whose = [name_today(campaign, "factions", one) if one else "nobody" for one in (before, after)]
    return f"{name_today(campaign, 'forces', key)}: of {whose[1]}" + (
        f", before of {whose[0]}" if before else ""
    )


def destroyed_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    """Return whether a force is destroyed now."""
    return f"{name_today(campaign, 'forces', key)}: {'destroyed' if after else 'no longer destroyed'}"


def turn_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    """Return which turn it is now."""
    return f"turn {before or 0} -> {after or 0}"


def turn_name_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    """Return what the turn is called now."""
    return f"the turn is called {value_words(after)}" if after else "the turn has no name"


VALUES: Mapping[tuple[str, str], Callable[[Campaign, str, object, object], str]] = {
    ("turn", "turn"): turn_sentence,
    ("turn_name", "turn_name"): turn_name_sentence,
    ("factions", "points"): number_sentence("factions", "points"),
    ("factions", "name"): text_sentence("factions", "name", "none"),
    ("forces", "strength"): number_sentence("forces", "strength"),
    ("forces", "destroyed"): destroyed_sentence,
    ("forces", "location"): location_sentence,
    ("forces", "faction"): faction_sentence,
    ("forces", "commander"): text_sentence("forces", "commander", "regular"),
    ("forces", "name"): text_sentence("forces", "name", "none"),
    ("locations", "owner"): owner_sentence,
    ("locations", "value"): number_sentence("locations", "value"),
    ("locations", "name"): text_sentence("locations", "name", "none"),
}


def describe_changes(
    campaign: Campaign, changes: Sequence[Change], notes: Mapping[tuple[str, ...], str] | None = None
) -> list[str]:
    """Return what these changes did, a sentence for each; what is new or goes as a whole is told in one.

    `notes` explain changes, by their keys.
    """
    whole = {change.key for change in changes if is_table(change.key) and not is_rename(change)}
    found = []
    for change in changes:
        if change.key in whole and change.before is None:
            values = [one for one in changes if one.key[:2] == change.key and len(one.key) == 3]
            found.append(new_sentence(campaign, change, values))
        elif change.key in whole or change.key[:2] not in whole:
            note = (notes or {}).get(change.key)
            found.append(f"{describe_change(campaign, change)}{f' ({note})' if note else ''}")
    return [clean(one) for one in found]


def new_sentence(campaign: Campaign, change: Change, values: Sequence[Change]) -> str:
    """Return what is new with its values, as `new force Rhys Gethin (faction "glyndwr", strength 6)`."""
    told = {one.key[2]: one.after for one in values}
    name = told.pop("name", None) or default_name(change.key[1])
    more = ", ".join(f"{word} {value_words(value)}" for word, value in told.items())
    return f"new {SINGULAR[change.key[0]]} {name}" + (f" ({more})" if more else "")


def attrition_notes(
    campaign: Campaign, changes: Iterable[Change], results: Mapping[str, Result]
) -> dict[tuple[str, ...], str]:
    """Explain each strength that fell by less than the battle's losses: attrition keeps a part of them.

    `results` are by the battle's id; the notes by the key of the strength.
    """
    found: dict[tuple[str, ...], list[str]] = {}
    for change in changes:
        result = results.get(change.key[-1]) if is_battle(change.key) else None
        if result is None or not isinstance(change.before, dict):
            continue
        for side in sides_in(change.before):
            losses, rate = result.sides[side[0]].losses, attrition_rate(campaign, result, side[0])
            if losses and rate != 1:
                share = "all" if losses == 1 else str(losses)
                note = f"losses {share}, attrition rate {rate}"
                for force in side:
                    found.setdefault(("forces", force, "strength"), []).append(note)
    return {key: "; ".join(notes) for key, notes in found.items()}


def changes_blocks(
    campaign: Campaign, changes: Sequence[Change], results: Mapping[str, Result] | None = None
) -> list[Content]:
    """Return what is changed in a campaign, a line for each value; `results` are of its battles, by id."""
    notes = attrition_notes(campaign, changes, results or {})
    lines = describe_changes(campaign, changes, notes) or ["nothing: every value is what it was"]
    facts = [f"changed {line}" for line in lines]
    heading = f"Changed in {clean(campaign.name)}:"
    return [Section(heading, []), Items([Item("", line) for line in lines], facts=facts)]


def describe_entry(known: VisibleCampaign, entry: Entry) -> str:
    """Return what an entry did, as the umpire would tell it; it is one of those that the reader may know."""
    gone = " [taken back]" if entry.revision in known.ledger.taken_back else ""
    if not known.is_whole and entry.public and not is_something_told(entry):
        return clean(f"{entry.reason}{gone}")
    return f"{entry_as_recorded(known, entry)}{gone}"


def entry_as_recorded(known: VisibleCampaign, entry: Entry) -> str:
    """Return what an entry did when it was recorded, whatever became of it since."""
    told = TELLERS.get(entry.kind, told_plainly)(known, entry)
    forced = f"; in spite of: {'; '.join(entry.forced)}" if entry.forced else ""
    reason = f" ({entry.reason})" if entry.reason else ""
    return clean(f"{told}{forced}{reason}")


def is_something_told(entry: Entry) -> bool:
    """Say whether an entry tells anything besides its reason."""
    return bool(entry.changes or entry.result or entry.undoes or entry.text)


def told_battle(known: VisibleCampaign, entry: Entry) -> str:
    """Tell of a battle that was fought, brought in or decided."""
    how = {"import": ", from elsewhere", "override": ", by the umpire's word"}.get(entry.kind, "")
    assert entry.result is not None
    return f"Battle {entry.id}{how}: {result_told(entry.result, side_namer(known.campaign, entry))}"


def told_turning(known: VisibleCampaign, entry: Entry) -> str:
    """Tell of what was taken back, or brought back."""
    how = "Taken back" if entry.kind == "undo" else "Brought back"
    return f"{how}: {entry_words(known, entry.undoes)}"


def entry_words(known: VisibleCampaign, revisions: Sequence[int]) -> str:
    """Return what these revisions are called, as `battle mill (revision 2)`."""
    heads = [(known.numbers[revision], known.ledger.heads[revision - 1]) for revision in revisions]
    word = "revision" if known.is_whole else "number"
    return listed(f"{f'{head.kind} {head.id}'.rstrip()} ({word} {number})" for number, head in heads)


def told_turn(known: VisibleCampaign, entry: Entry) -> str:
    """Tell of a turn that began."""
    found = {change.key[0]: change.after for change in entry.changes}
    when = known.campaign.when(int(str(found.get("turn", 0))), str(found.get("turn_name") or ""))
    return f"Turn {found.get('turn')} begins{f': {when}' if when else ''}"


def told_note(known: VisibleCampaign, entry: Entry) -> str:
    """Tell what was noted, and of when."""
    when = [
        *([f"turn {entry.turn}"] if entry.turn is not None else []),
        *([entry.date] if entry.date else []),
    ]
    return f"Noted{' of ' if when else ''}{', '.join(when)}: {entry.text}"


def told_sealing(known: VisibleCampaign, entry: Entry) -> str:
    """Tell what was done with sealed dice."""
    return sealing_sentence(entry)


def sealing_sentence(entry: Entry) -> str:
    """Return what an entry about sealed dice says, and nothing of their secrets."""
    seal = entry.seal
    if entry.kind == "seal":
        return f"Dice sealed: {counted(number_of(seal.get('commitments')), 'slot')}"
    if entry.kind == "open":
        return f"Battle {entry.id} has slot {seal.get('slot')} of the sealed dice"
    if entry.kind == "reveal":
        revealed = counted(number_of(seal.get("secrets")), "slot")
        return f"Revealed: {revealed}{f', of {entry.id}' * bool(entry.id)}"
    side = Noun(default_name(str(seal.get("side"))))
    done = "promised a nonce" if entry.kind == "promise" else "revealed a nonce"
    return f"{with_verb(side, 'has|have')} {done} for battle {entry.id}"


def number_of(value: object) -> int:
    """Return how long a list is, 0 if it is none."""
    return len(value) if isinstance(value, list) else 0


def told_changes(lead: str) -> Callable[[VisibleCampaign, Entry], str]:
    """Return how an entry is told that is no more than its changes."""
    return lambda known, entry: (
        f"{lead}: {'; '.join(describe_changes(known.campaign, entry.changes)) or 'nothing'}"
    )


def told_added(known: VisibleCampaign, entry: Entry) -> str:
    """Tell of what was added."""
    found = [words.removeprefix("new ") for words in describe_changes(known.campaign, entry.changes)]
    return f"Added: {'; '.join(found)}"


def told_plainly(known: VisibleCampaign, entry: Entry) -> str:
    """Tell of an entry of a kind that this release does not know."""
    return told_changes(f"{entry.kind} {entry.id}".rstrip())(known, entry)


TELLERS: Mapping[str, Callable[[VisibleCampaign, Entry], str]] = {
    "battle": told_battle,
    "import": told_battle,
    "override": told_battle,
    "undo": told_turning,
    "redo": told_turning,
    "turn": told_turn,
    "note": told_note,
    "adjust": told_changes("Adjusted"),
    "edit": told_changes("Changed by hand"),
    "add": told_added,
    "move": told_changes("Moved"),
    "rename": told_changes("Renamed"),
    **dict.fromkeys(SEALING, told_sealing),
}


def ledger_lines(entry: Entry) -> list[str]:
    """Return an entry as the ledger has it: its kind, when it was recorded, each value before and after."""
    head = f"{entry.kind} {entry.id}".rstrip()
    undoes = f" of {listed(map(str, entry.undoes))}" if entry.undoes else ""
    time = local_time(entry.time)
    when = f", recorded {time}" if time else ""
    return [clean(line) for line in (f"{head}{undoes}{when}", *map(str, entry.changes))]


def history_page(known: VisibleCampaign, entries: Iterable[Entry], *, whole: bool = False) -> Document:
    """Return entries that a reader may know, each in a sentence.

    The `whole` has the ledger's own lines below, which are for the umpire. `entries` are iterated over when
    the page is written, and may be `Repeatable`.
    """

    def item_of(entry: Entry) -> Item:
        lines = ledger_lines(known.ledger.entry(entry.revision)) if whole and known.is_whole else []
        return Item(f"{known.numbers[entry.revision]}.", describe_entry(known, entry), lines)

    items = Repeatable(lambda: map(item_of, entries))
    facts = Repeatable(
        lambda: (line for item in items for line in (f"{item.about} {item.words}", *item.notes))
    )
    told = {"schema": 1, "entries": Repeatable(lambda: map(known.entry_table, entries))}
    return Document(f"{known.campaign.name}: history", [Items(items, NUMBERED, facts)], told)


def reversed_blocks(campaign: Campaign, ledger: Ledger, entries: Sequence[Entry]) -> list[Content]:
    """Return the commands that these entries, undos and redos among them, took back or brought back."""
    known = visible_to(campaign, ledger, UMPIRE)
    blocks: list[Content] = []
    for kind, heading in (("undo", "Taken back"), ("redo", "Brought back")):
        revisions = [revision for entry in entries if entry.kind == kind for revision in entry.undoes]
        if revisions:
            items = [Item(f"{one}.", undo_sentence(known, one)) for one in revisions]
            facts = [f"{heading.lower()} {item.about} {item.words}" for item in items]
            blocks += [Section(f"{heading}:", []), Items(items, NUMBERED, facts)]
    return blocks


def undo_sentence(known: VisibleCampaign, revision: int) -> str:
    """Return what an entry did that is taken back or brought back, and when it was recorded."""
    entry = entry_today(known.ledger, revision)
    return f"{entry_as_recorded(known, entry)} [{when_recorded(known, entry)}]"


def when_recorded(known: VisibleCampaign, entry: Entry) -> str:
    """Return the turn in which an entry was recorded, and when, if the ledger says so."""
    turn = turn_of(known.ledger, entry.revision)
    time = local_time(entry.time)
    return f"turn {known.campaign.turn if turn is None else turn}{f', recorded {time}' if time else ''}"


def confirmation_page(campaign: Campaign, ledger: Ledger, entries: Sequence[Entry]) -> Document:
    """Return what was recorded in a campaign, and what that changed."""
    numbers = [Paragraph(f"recorded as revision {entry.revision}") for entry in entries]
    changes = merged(change for entry in entries for change in entry.changes)
    results = {entry.id: entry.result for entry in entries if entry.result}
    sealing = [Paragraph(sealing_sentence(entry)) for entry in entries if entry.kind in SEALING]
    tells_nothing = not changes and all(entry.kind in ("note", *SEALING) for entry in entries)
    turned = reversed_blocks(campaign, ledger, entries)
    changed = [] if tells_nothing else changes_blocks(campaign, changes, results)
    blocks = [*numbers, *sealing, *turned, *changed]
    return Document(campaign.name, blocks, {"schema": 1, "entries": [entry.table() for entry in entries]})
