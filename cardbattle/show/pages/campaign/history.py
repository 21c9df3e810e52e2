"""Describe the ledger's entries and changed values in sentences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import default_name
from cardbattle.campaign.ledger.history import entry_today, turn_of
from cardbattle.campaign.ledger.ledger import SEALING
from cardbattle.campaign.state.apply import attrition_rate
from cardbattle.campaign.state.battle_result import loss_text
from cardbattle.campaign.state.changes import (
    SINGULAR,
    Change,
    Key,
    dotted_key,
    is_battle,
    is_presence,
    is_refused_retreat,
    is_rename,
    is_stay,
    is_table,
    is_unit,
    merge_changes,
    value_text,
)
from cardbattle.campaign.state.clock import local_time
from cardbattle.campaign.state.tables import upkeep
from cardbattle.campaign.state.tables.march_orders import RETREAT, closed_places_in, parse_order
from cardbattle.campaign.state.tables.terrain import ALL, ATTACKER, DEFENDER
from cardbattle.campaign.visibility.reader import UMPIRE, recorded_result_text, visible_to
from cardbattle.campaign.visibility.redaction import sides_in
from cardbattle.commanders import DEFAULT
from cardbattle.core.grammar import Noun, capital, choose_form, mid_sentence, together, with_verb
from cardbattle.core.names import clean, listed, one_line, opposed, quoted
from cardbattle.core.telling import counted
from cardbattle.show.battle_text import share_words
from cardbattle.show.document import NUMBERED, Document, Item, Items, Paragraph, Repeatable, Section
from cardbattle.show.pages.campaign.forces import number_word

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.state.apply import Result
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Content

DescribeValue = Callable[["Campaign", str, object, object], str]  # campaign, key, before, after


def name_today(campaign: Campaign, table: str, key: object) -> Noun:
    exists = key in getattr(campaign, table)
    return campaign.name_of(table, str(key)) if exists else Noun(default_name(str(key)))


def describe_change(campaign: Campaign, change: Change) -> str:
    """Describe one changed value, with names instead of keys."""
    key, before, after = change.key, change.before, change.after
    if is_battle(key):
        return describe_pending(change)
    if is_rename(change):
        current = before if before in getattr(campaign, key[0]) else after
        return f"the key of {name_today(campaign, key[0], current)}: {before} -> {after}"
    if is_table(key):
        state = "no longer there" if after is None else "new"
        return f"the {SINGULAR[key[0]]} {name_today(campaign, *key)} is {state}"
    if is_unit(key):
        return unit_sentence(campaign, change)
    if key[0] == "orders" and key[1]:
        return order_sentence(campaign, change)
    if is_stay(change):
        return f"{name_today(campaign, 'forces', key[1])}: stays, with no way to retreat"
    if is_refused_retreat(change):
        return closure_sentence(campaign, change)
    if key[0] == "forces" and key[2:] == ("hires",):
        return hiring_sentence(campaign, change)
    if is_terrain_effect(key) and all(isinstance(value, int | None) for value in (before, after)):
        return clean(f"{dotted_key(key)}: {signed(before)} -> {signed(after)}")
    describe = VALUES.get((key[0], key[-1])) if len(key) in (1, 3) or key in VALUES else None
    if describe is None:
        return clean(str(change))
    return describe(campaign, key[1] if len(key) == 3 else "", before, after)


def is_terrain_effect(key: Key) -> bool:
    """Return True for an option that terrain adds to sides in battle."""
    return key[0] == "terrain" and len(key) == 5 and key[3] in (ATTACKER, DEFENDER, ALL)


def signed(value: object) -> str:
    """Return a number that is added, with its sign.

    >>> [signed(value) for value in (5, -1, 0, None)]
    ['+5', '-1', '0', '0']
    """
    return f"{value:+}" if isinstance(value, int) and value else "0"


def closure_sentence(campaign: Campaign, change: Change) -> str:
    """Say to which places a beaten force cannot retreat, although its player wanted it to."""
    places = listed(
        (name_today(campaign, "locations", place) for place in closed_places_in(change.text)), "or"
    )
    return f"{name_today(campaign, 'forces', change.key[1])}: cannot retreat to {places}: closed"


def unit_sentence(campaign: Campaign, change: Change) -> str:
    """Describe a changed unit, such as `Harry Percy: Cheshire archers 4 -> 1`."""
    unit = f"{name_today(campaign, 'forces', change.key[1])}: {change.key[3]}"
    if change.after is None:
        return f"{unit} no longer there"
    return f"{unit} new, strength {change.after}" if change.before is None else f"{unit} {change.values()}"


def describe_pending(change: Change) -> str:
    if change.after is None:
        return f"{change.key[1]} is no longer pending"
    if change.before is None:
        return f"{change.key[1]} is now pending"
    return f"{change.key[1]} is still pending, but changed{value_changes(change.before, change.after)}"


def value_changes(before: object, after: object) -> str:
    """Return the known values of a battle that have changed, such as `: rules "wargame"`."""
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return ""
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    values = [
        f"no {key}" if key not in after
        else f"{key} {value_text(after[key])}" if isinstance(after[key], str | int)
        else key
        for key in keys
    ]  # fmt: skip
    return clean(f": {'; '.join(values)}") if values else ""


def value_sentence(table: str, word: str, unset: str, refers_to: str = "") -> DescribeValue:
    """Return a function that describes the change of a value, such as `Thomas Carew: strength 8 -> 5`.

    `table` is the table that has the changed item, `word` names the value, and `unset` replaces an empty
    value. If the values are keys of another table, `refers_to` is the name of that table.
    """

    def describe(campaign: Campaign, key: str, before: object, after: object) -> str:
        old, new = (
            name_today(campaign, refers_to, value) if value and refers_to else value or unset
            for value in (before, after)
        )
        return f"{name_today(campaign, table, key)}: {word} {old} -> {new}"

    return describe


def flag_sentence(table: str, yes: str, no: str) -> DescribeValue:
    """Return a function that says whether a value is set now, such as `Wem: has supplies`."""
    return lambda campaign, key, before, after: f"{name_today(campaign, table, key)}: {yes if after else no}"


def prisoner_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    name = name_today(campaign, "forces", key)
    if after:
        return f"{name}: the leader is a prisoner of {mid_sentence(name_today(campaign, 'factions', after))}"
    captor = mid_sentence(name_today(campaign, "factions", before))
    return f"{name}: the leader is no longer a prisoner of {captor}"


def substitute_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    name = name_today(campaign, "factions", key)
    if after is None:
        return f"{name}: the player plays again (the substitute was {before})"
    return (
        f"{name}: the rank of the substitute is now {after}"
        if before
        else f"a substitute ({after}) plays for {name}"
    )


def substitute_end_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    return f"{name_today(campaign, 'factions', key)}: the last turn of the substitute is turn {after}"


def turn_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    return f"turn {before or 0} -> {after or 0}"


def turn_name_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    return f"the turn is called {value_text(after)}" if after else "the turn has no name"


def last_turn_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    return "the war has no last turn" if after is None else f"the last turn of the war is turn {after}"


def notice_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    text = value_text(one_line(str(after)))
    return f"the notice in all messages and reports: {text}" if after else "there is no notice"


def weather_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    return f"the weather: {before or 'none'} -> {after or 'none'}"


def order_sentence(campaign: Campaign, change: Change) -> str:
    name = name_today(campaign, "forces", change.key[-1])
    if change.after is None:
        return f"{name}: no order (was {quoted(order_words(campaign, change.before))})"
    was = f" (was {quoted(order_words(campaign, change.before))})" if change.before else ""
    return f"{name}: {order_words(campaign, change.after)}{was}"


def order_words(campaign: Campaign, order: object) -> str:
    """Return an order in the form of the campaign file with names instead of keys."""
    try:
        read = parse_order(str(order))
    except ValueError:
        return str(order)
    return read.named(
        lambda key: mid_sentence(name_today(campaign, "locations", key)),
        lambda key: mid_sentence(name_today(campaign, "forces", key)),
    )


def road_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    name = name_today(campaign, "forces", key)
    if after is None:
        return f"{name}: no longer on the road to {name_today(campaign, 'locations', before)}"
    return f"{name}: on the road to {name_today(campaign, 'locations', after)}"


def march_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    name = name_today(campaign, "forces", key)
    words = order_words(campaign, after or before)
    return f"{name}: goes on: {words}" if after else f"{name}: no longer on the march ({words})"


def retreat_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    name = name_today(campaign, "forces", key)
    if after is None:
        return f"{name}: no retreat chosen (was {name_today(campaign, 'locations', before)})"
    return f"{name}: {RETREAT} {name_today(campaign, 'locations', after)}"


def hiring_sentence(campaign: Campaign, change: Change) -> str:
    """Describe how many soldiers a force is to hire, how many it has hired, or that it has no such order."""
    name = name_today(campaign, "forces", change.key[1])
    if change.after is not None:
        return f"{name}: hires {soldiers(change.after)} at the end of the turn"
    if not change.text:
        return f"{name}: no order to hire (was {change.before})"
    return f"{name}: hires {hired_words(change, name)}"


def hired_words(change: Change, name: Noun) -> str:
    """Return how many soldiers a force has hired, such as `2 of 3 soldiers: the purse pays for no more`."""
    hired, _, why = change.text.partition(" ")
    if not why:
        return soldiers(hired)
    reason = choose_form(NOT_HIRED.get(why, why), name.is_plural)
    return f"{hired} of {soldiers(change.before)}: {reason}"


def soldiers(number: object) -> str:
    return f"{number} {'soldier' if str(number) == '1' else 'soldiers'}"


NOT_HIRED: Mapping[str, str] = {
    upkeep.LOST: "it is destroyed|they are destroyed",
    upkeep.FIGHTING: "it has a battle to fight|they have a battle to fight",
    upkeep.RETREATED: "it had to retreat|they had to retreat",
    upkeep.ON_ROAD: "it is on the road|they are on the road",
    upkeep.NOT_THERE: "it is in no place for hiring|they are in no place for hiring",
    upkeep.ENEMY_THERE: "an enemy is in the same place",
    upkeep.MOST_HIRED: "a force can hire no more in a turn",
    upkeep.PAID: "the purse pays for no more",
}


def peace_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    old, new = (friends_words(campaign, value) for value in (before, after))
    return f"{name_today(campaign, 'factions', key)}: at peace with {old} -> {new}"


def friends_words(campaign: Campaign, value: object) -> str:
    """Return the names in a list of factions, or `nobody`."""
    keys = value if isinstance(value, list) else []
    return listed(name_today(campaign, "factions", key) for key in keys) or "nobody"


def draw_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    keys = after if isinstance(after, list) else []
    return f"the order of the draw: {listed(campaign.display_name(str(key)) for key in keys) or 'none'}"


def rounds_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    return f"rounds drawn: {list_length(before)} -> {list_length(after)}"


def reports_sentence(campaign: Campaign, key: str, before: object, after: object) -> str:
    old, new = list_length(before), list_length(after)
    return "a side has changed its report" if old == new else f"results reported by sides: {old} -> {new}"


NameOf = Callable[["Campaign", str, str], Noun]  # campaign, table, key
VALUES: Mapping[tuple[str, ...], DescribeValue] = {
    ("reported", "reported"): reports_sentence,
    ("substitutes", "commander"): substitute_sentence,
    ("substitutes", "turn"): substitute_end_sentence,
    ("fixtures", "order"): draw_sentence,
    ("round", "round"): rounds_sentence,
    ("weather", "now"): weather_sentence,
    ("turn", "turn"): turn_sentence,
    ("turn_name", "turn_name"): turn_name_sentence,
    ("last_turn", "last_turn"): last_turn_sentence,
    ("notice", "notice"): notice_sentence,
    ("factions", "points"): value_sentence("factions", "points", "0"),
    ("factions", "name"): value_sentence("factions", "name", "none"),
    ("forces", "strength"): value_sentence("forces", "strength", "0"),
    ("factions", "purse"): value_sentence("factions", "purse", "0"),
    ("factions", "peace"): peace_sentence,
    ("forces", "experience"): value_sentence("forces", "experience", "0"),
    ("forces", "leader"): value_sentence("forces", "leader", "none"),
    ("forces", "leader_rank"): value_sentence("forces", "rank of the lost leader", "none"),
    ("forces", "deputy"): value_sentence("forces", "deputy", "none"),
    ("forces", "prisoner_of"): prisoner_sentence,
    ("forces", "fallen"): flag_sentence("forces", "the leader has fallen", "the leader has not fallen"),
    ("forces", "title"): value_sentence("forces", "title", "none"),
    ("forces", "full"): value_sentence("forces", "full strength", "not set"),
    ("forces", "destroyed"): flag_sentence("forces", "destroyed", "no longer destroyed"),
    ("forces", "location"): value_sentence("forces", "location", "nowhere", "locations"),
    ("forces", "faction"): value_sentence("forces", "faction", "none", "factions"),
    ("forces", "commander"): value_sentence("forces", "commander", "regular"),
    ("forces", "name"): value_sentence("forces", "name", "none"),
    ("forces", "towards"): road_sentence,
    ("forces", "walked"): value_sentence("forces", "steps on the road", "0"),
    ("forces", "march"): march_sentence,
    ("forces", "retreat"): retreat_sentence,
    ("forces", "pace"): value_sentence("forces", "steps in a turn", "as the campaign"),
    ("sealed_orders", "seal"): flag_sentence("factions", "orders are sealed", "orders are no longer sealed"),
    ("sealed_orders", "text"): flag_sentence(
        "factions", "sealed orders are opened", "sealed orders are no longer open"
    ),
    ("locations", "owner"): value_sentence("locations", "owner", "nobody", "factions"),
    ("locations", "value"): value_sentence("locations", "value", "0"),
    ("locations", "name"): value_sentence("locations", "name", "none"),
    ("locations", "terrain"): value_sentence("locations", "terrain", "none"),
    ("locations", "supply"): flag_sentence("locations", "has supplies", "no longer has supplies"),
    ("locations", "at"): flag_sentence("locations", "moved on the map", "no longer placed on the map"),
    **{
        (table, "plural"): flag_sentence(table, "the name is plural", "the name is singular")
        for table in SINGULAR
    },
    **{
        (table, word): value_sentence(table, name, "none")
        for table in SINGULAR
        for word, name in (("short", "short name"), ("motto", "motto"), ("badge", "badge"))
    },
}


def describe_changes(
    campaign: Campaign, changes: Sequence[Change], notes: Mapping[tuple[str, ...], str] | None = None
) -> list[str]:
    """Describe each change in a sentence.

    If a table is added or removed, one sentence describes it as a whole. `notes` maps the keys of changes to
    explanations.
    """
    tables = {change.key for change in changes if is_table(change.key) and not is_rename(change)}
    sentences = []
    for change in without_detail(changes):
        if change.key in tables and change.before is None:
            values = [each for each in changes if is_value_of(each.key, change.key)]
            sentences.append(describe_addition(campaign, change, values))
        elif change.key in tables and (name := name_removed(changes, change.key)):
            sentences.append(f"the {SINGULAR[change.key[0]]} {name} is no longer there")
        elif change.key in tables or change.key[:2] not in tables:
            note = (notes or {}).get(change.key)
            sentences.append(f"{describe_change(campaign, change)}{f' ({note})' if note else ''}")
    return [clean(sentence) for sentence in sentences]


def name_removed(changes: Sequence[Change], table: Key) -> str:
    """Return the name of a removed faction, force or location, or "" if it had none."""
    return next((str(each.before) for each in changes if each.key == (*table, "name") and not each.after), "")


def is_value_of(key: Key, table: Key) -> bool:
    """Return True if `key` is a value or a unit of the faction, force or location with the key `table`."""
    return key[:2] == table and (len(key) == 3 or is_unit(key))


def without_detail(changes: Sequence[Change]) -> list[Change]:
    """Return the changes without the details of settings tables.

    These details are the addition of a settings table whose values are also changes, the contents of removed
    tables, a chosen retreat that is carried out, soldiers to hire that are an order again, and everything
    about sealed orders but the seal and the text. The rest means nothing to a reader. The tables of factions,
    forces and locations stay. If a substitute is removed, only the removal of its commander stays, because it
    says that the player plays again.
    """
    changes = [change for change in changes if not is_detail_of_substitute(change)]
    changes = [change for change in changes if not is_detail_of_seal(change.key)]
    changes = without_kept_ranks(changes)
    moved = {change.key[:2] for change in changes if change.key[-1] == "location"}
    changes = [change for change in changes if not is_detail_of_retreat(change.key, moved)]
    ordered = {change.key[1] for change in changes if change.key[0] == "orders" and change.after is not None}
    changes = [change for change in changes if not is_detail_of_order(change, ordered)]
    gone = {change.key[:-1] for change in changes if is_presence(change.key) and change.after is None}
    paths = {change.key for change in changes if not is_presence(change.key)}
    changes_left = []
    for change in changes:
        path = change.key[:-1] if is_presence(change.key) else change.key
        is_inside = any(path[:length] in gone for length in range(1, len(path)))
        has_values = (
            is_presence(change.key)
            and change.after is not None
            and any(path_above[: len(path)] == path for path_above in paths)
        )
        if not is_inside and not has_values:
            changes_left.append(change)
    return changes_left


def without_kept_ranks(changes: Sequence[Change]) -> list[Change]:
    """Return the changes without the ranks that are kept for captured leaders.

    The rank of a deputy that is the same as the lost leader's is left out too.
    """
    captured = {change.key[:2] for change in changes if change.key[2:] == ("prisoner_of",)}
    lost = captured | {change.key[:2] for change in changes if change.key[2:] == ("fallen",)}
    return [
        change
        for change in changes
        if not (change.key[2:] == ("leader_rank",) and change.key[:2] in captured)
        and not (change.key[2:] == ("commander",) and change.key[:2] in lost and is_same_rank(change))
    ]


def is_same_rank(change: Change) -> bool:
    """Return True if a change of a commander only writes down the default rank, or removes it."""
    return (change.before or DEFAULT) == (change.after or DEFAULT)


def is_detail_of_retreat(key: Key, moved: Collection[Key]) -> bool:
    """Return True for the chosen retreat of a force that retreats. `moved` are the keys of moving forces."""
    return key[2:] == ("retreat",) and key[:2] in moved


def is_detail_of_order(change: Change, ordered: Collection[str]) -> bool:
    """Return True if an undo makes a count of soldiers to hire an order again. `ordered` are such forces."""
    return change.key[2:] == ("hires",) and change.after is None and change.key[1] in ordered


def is_detail_of_seal(key: Key) -> bool:
    """Return True for a value of sealed orders other than the seal and the text, and for their tables."""
    return key[0] == "sealed_orders" and key[-1] not in ("seal", "text")


def is_detail_of_substitute(change: Change) -> bool:
    """Return True for the table around a substitute, and for a change that removes a substitute's turn."""
    is_removed = change.after is None and change.key[-1] != "commander"
    return change.key[0] == "substitutes" and (is_presence(change.key) or is_removed)


def describe_addition(campaign: Campaign, change: Change, values: Sequence[Change]) -> str:
    """Describe a new table, as in `new force Rhys Gethin (faction Glyndŵr, strength 6)`.

    `values` has the changes that set the values of the table.
    """
    fields = {value.key[-1]: value.after for value in values}
    name = fields.pop("name", None) or default_name(change.key[1])
    fields.pop("plural", None)
    more = ", ".join(f"{word} {name_or_value(campaign, word, value)}" for word, value in fields.items())
    return f"new {SINGULAR[change.key[0]]} {name}" + (f" ({more})" if more else "")


REFERENCES = {"faction": "factions", "owner": "factions", "location": "locations"}


def name_or_value(campaign: Campaign, word: str, value: object) -> str:
    """Return a value for a sentence. A key of a faction or a place is replaced by its name."""
    if word == "peace":
        return f"with {friends_words(campaign, value)}"
    return name_today(campaign, REFERENCES[word], value) if word in REFERENCES else value_text(value)


def attrition_notes(
    campaign: Campaign, changes: Iterable[Change], results: Mapping[str, Result]
) -> dict[tuple[str, ...], str]:
    """Explain why strengths fell by less than the losses: only a part of the losses is permanent.

    `results` maps the ids of battles to their results. The key of each note is the key of the strength that
    changed.
    """
    notes: dict[tuple[str, ...], list[str]] = {}
    for change in changes:
        result = results.get(change.key[-1]) if is_battle(change.key) else None
        if result is None or not isinstance(change.before, dict):
            continue
        for side in sides_in(change.before):
            losses, rate = result.sides[side[0]].losses, attrition_rate(campaign, result, side[0])
            if losses and rate not in (0, 1):
                share = "all" if losses == 1 else loss_text(losses)
                note = f"losses {share}, attrition rate {rate}"
                for force in side:
                    notes.setdefault(("forces", force, "strength"), []).append(note)
    return {key: "; ".join(texts) for key, texts in notes.items()}


def changes_blocks(
    campaign: Campaign,
    changes: Sequence[Change],
    results: Mapping[str, Result] | None = None,
    *,
    for_umpire: bool = False,
) -> list[Content]:
    """Return the changed values of a campaign, each on a line of its own.

    `results` maps the ids of battles to their results. The umpire also reads which strengths did not change
    although the force had losses.
    """
    notes = attrition_notes(campaign, changes, results or {})
    lines = describe_changes(campaign, changes, notes)
    lines += strengths_without_change(campaign, changes, notes) if for_umpire else []
    lines = lines or ["nothing: all values are unchanged"]
    facts = [f"changed {line}" for line in lines]
    heading = f"Changed in {clean(campaign.name)}:"
    return [Section(heading, []), Items([Item("", line) for line in lines], facts=facts)]


def strengths_without_change(
    campaign: Campaign, changes: Sequence[Change], notes: Mapping[tuple[str, ...], str]
) -> list[str]:
    """Describe the strengths that did not change because the permanent losses rounded to 0.

    `notes` is the return value of `attrition_notes`.
    """
    changed = {change.key for change in changes}
    sentences = []
    for key, note in notes.items():
        force = campaign.forces.get(key[1])
        if force is not None and key not in changed:
            name = campaign.display_name(key[1])
            sentences.append(clean(f"{name}: strength {force.strength}, unchanged ({note})"))
    return sentences


def describe_entry(visible: VisibleCampaign, entry: Entry) -> str:
    """Describe an entry that the reader may know. If it was undone, the text says so."""
    status = " [undone]" if entry.revision in visible.ledger.undone_revisions else ""
    has_details = entry.changes or entry.result or entry.undoes or entry.text
    if not visible.is_whole and entry.public and not has_details:
        return clean(one_line(f"{entry.reason}{status}"))
    return f"{entry_as_recorded(visible, entry)}{status}"


def entry_as_recorded(visible: VisibleCampaign, entry: Entry) -> str:
    """Describe an entry in its recorded form, even if it was undone later."""
    if describe := KINDS.get(entry.kind):
        sentence = describe(visible, entry)
    else:  # a kind that this release does not know
        sentence = lead_and_changes(f"{entry.kind} {entry.id}".rstrip())(visible, entry)
    forced = f"; despite: {'; '.join(entry.forced)}" if entry.forced else ""
    reason = f" ({entry.reason})" if entry.reason else ""
    return clean(one_line(f"{sentence}{forced}{reason}"))


def describe_battle(visible: VisibleCampaign, entry: Entry) -> str:
    how = {"import": ", imported", "override": ", decided by the umpire"}.get(entry.kind, "")
    describe_losses = loss_text if visible.is_whole else share_words
    text = recorded_result_text(visible.campaign_after(entry), entry, describe_losses)
    if entry.kind == "declined":
        return f"Battle {entry.id} was {text}"
    return f"Battle {entry.id}{how}: {text}"


def describe_undo(visible: VisibleCampaign, entry: Entry) -> str:
    how = "Undone" if entry.kind == "undo" else "Redone"
    return f"{how}: {entry_labels(visible, entry.undoes)}"


def entry_labels(visible: VisibleCampaign, revisions: Sequence[int]) -> str:
    """Return names for the entries with these revisions, such as `battle mill (revision 2)`."""
    word = "revision" if visible.is_whole else "number"
    labels = ((visible.label_of(revision), visible.numbers[revision]) for revision in revisions)
    return listed(f"{label} ({word} {number})" for label, number in labels)


def describe_turn(visible: VisibleCampaign, entry: Entry) -> str:
    values = {change.key[0]: change.after for change in entry.changes}
    when = visible.when(entry.revision, int(str(values.get("turn", 0))), str(values.get("turn_name") or ""))
    number = int(str(values.get("turn", 0)))
    if visible.campaign.last_turn == number - 1:
        return "The war is over"
    return f"Turn {number} begins{f': {when}' if when else ''}"


def describe_note(visible: VisibleCampaign, entry: Entry) -> str:
    turn = f"turn {entry.turn}" if entry.turn is not None else ""
    when = ", ".join(part for part in (turn, entry.date) if part)
    reader = f" to {visible.campaign_after(entry).faction_name(entry.id)}" if entry.id else ""
    return f"Note{reader}{f' for {when}' if when else ''}: {entry.text}"


def describe_story(visible: VisibleCampaign, entry: Entry) -> str:
    return f"Story of battle {entry.id}: {entry.text}"


def describe_sealing(entry: Entry) -> str:
    """Describe an entry about sealed dice, without its secret values."""
    seal = entry.seal
    if entry.kind == "seal":
        return f"Dice sealed: {counted(list_length(seal.get('commitments')), 'slot')}"
    if entry.kind == "open":
        return f"Battle {entry.id} uses slot {seal.get('slot')} of the sealed dice"
    if entry.kind == "reveal":
        slots = counted(list_length(seal.get("secrets")), "slot")
        return f"Revealed: {slots}{f', for battle {entry.id}' if entry.id else ''}"
    side = Noun(default_name(str(seal.get("side"))))
    action = "promised a nonce" if entry.kind == "promise" else "revealed a nonce"
    return f"{with_verb(side, 'has|have')} {action} for battle {entry.id}"


def list_length(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def lead_and_changes(lead: str) -> Callable[[VisibleCampaign, Entry], str]:
    return lambda visible, entry: (
        f"{lead}: {'; '.join(describe_changes(visible.campaign_after(entry), entry.changes)) or 'nothing'}"
    )


def recovery_sentences(campaign: Campaign, changes: Sequence[Change]) -> list[str]:
    """Describe what forces regain, without the full strength that the program notes in the file."""
    return describe_changes(campaign, [change for change in changes if change.key[-1:] != ("full",)])


def describe_recovery(visible: VisibleCampaign, entry: Entry) -> str:
    sentences = recovery_sentences(visible.campaign_after(entry), entry.changes)
    return f"Recovery: {'; '.join(sentences) or 'nothing'}"


def describe_additions(visible: VisibleCampaign, entry: Entry) -> str:
    changes = describe_changes(visible.campaign_after(entry), entry.changes)
    return f"Added: {'; '.join(change.removeprefix('new ') for change in changes)}"


def describe_happening(visible: VisibleCampaign, entry: Entry) -> str:
    """Describe a phase of the turn with its text for the players and its changes."""
    changes = describe_changes(visible.campaign_after(entry), entry.changes)
    text = entry.text.removesuffix(".")
    description = (
        f"{text} ({'; '.join(changes)})" if text and changes else text or "; ".join(changes) or "nothing"
    )
    return f"{capital(entry.kind)}: {description}"


def describe_movement(visible: VisibleCampaign, entry: Entry) -> str:
    """Describe the movements of forces, but not the orders that are done with these movements."""
    moves = movement_sentences(visible.campaign_after(entry), entry.changes)
    none = "no force moves" if visible.is_whole else "you see no force march"
    return f"Movement: {'; '.join(moves) or none}"


def movement_sentences(campaign: Campaign, changes: Iterable[Change]) -> list[str]:
    """Return a sentence for the movement of each force, such as `Percy: Wem -> Chester`.

    Changes of marches and orders are left out.
    """
    moves: dict[str, dict[str, Change]] = {}
    for change in changes:
        if change.key[0] == "forces" and change.key[-1] in ("location", "towards", "walked"):
            moves.setdefault(change.key[1], {})[change.key[2]] = change
    return [
        f"{name_today(campaign, 'forces', key)}: {move_words(campaign, key, move)}"
        for key, move in moves.items()
    ]


def move_words(campaign: Campaign, key: str, move: Mapping[str, Change]) -> str:
    """Describe the movement of a force, from the changes of its location, direction and steps on the road.

    `campaign` is the campaign after the movement.
    """
    phrases = []
    if "location" in move:
        ends = (move["location"].before, move["location"].after)
        phrases.append(
            " -> ".join(str(name_today(campaign, "locations", end)) if end else "nowhere" for end in ends)
        )
    towards, walked = move.get("towards"), move.get("walked")
    if towards is not None and towards.after is not None:
        phrases.append(f"on the road to {name_today(campaign, 'locations', towards.after)}")
    if towards is not None and towards.after is None and not phrases:
        place = campaign.forces[key].location if key in campaign.forces else None
        at = f"at {name_today(campaign, 'locations', place)}, " if place else ""
        phrases.append(f"{at}back from the road to {name_today(campaign, 'locations', towards.before)}")
    if walked is not None and walked.after is not None:
        count = counted(int(str(walked.after)), "step")
        phrases.append(f"{count} along it" if phrases else f"{count} along its road")
    return ", ".join(phrases)


def describe_orders(visible: VisibleCampaign, entry: Entry) -> str:
    """Describe orders that were given or sealed. Each sealed order has its own sentence."""
    changes = [change for change in entry.changes if change.key[-1] not in ("address", "salt")]
    return f"Orders: {'; '.join(describe_changes(visible.campaign_after(entry), changes)) or 'none'}"


def describe_contact(visible: VisibleCampaign, entry: Entry) -> str:
    """Describe a contact of forces and the pending battle that results from it."""
    table = next((change.after for change in entry.changes if is_battle(change.key)), None)
    if not isinstance(table, dict):
        return lead_and_changes(f"Contact {entry.id}")(visible, entry)
    return f"Contact: {contact_words(visible.campaign_after(entry), table)}; battle {entry.id} is pending"


def contact_words(campaign: Campaign, table: Mapping[str, object]) -> str:
    """Describe a contact in a sentence, such as `Percy meets Stafford and Blount at Wem`."""
    return meeting_words(campaign, table, name_today)


def meeting_words(campaign: Campaign, table: Mapping[str, object], name: NameOf) -> str:
    """Describe a contact in a sentence. The function `name` returns the name of a force or a place.

    `campaign` has the places of the forces after the movement. Contacts that share a force are one battle at
    one place, so the sentence adds where the other forces are.
    """
    first, *others = sides = [
        together([name(campaign, "forces", force) for force in side]) for side in sides_in(table)
    ]
    where = f"{met_at(campaign, table, name)}{elsewhere(campaign, table, name)}"
    if len(sides) > 2 and any(" and " in side for side in sides):
        return f"{number_word(len(sides)).capitalize()} sides meet{where}: {opposed(sides)}"
    return f"{with_verb(first, 'meets|meet')} {listed(others)}{where}"


def elsewhere(campaign: Campaign, table: Mapping[str, object], name: NameOf) -> str:
    """Return the forces at other places than their battle, such as ` (Percy at Wem)`, as far as known."""
    absent: dict[str, list[Noun]] = {}
    for force in [force for side in sides_in(table) for force in side]:
        place = campaign.forces[force].location if force in campaign.forces else None
        if place is not None and "place" in table and place != table["place"]:
            absent.setdefault(place, []).append(name(campaign, "forces", force))
    phrases = [
        f"{listed(forces)} at {name(campaign, 'locations', place)}" for place, forces in absent.items()
    ]
    return f" ({', '.join(phrases)})" if phrases else ""


def met_at(campaign: Campaign, table: Mapping[str, object], name: NameOf) -> str:
    """Return the place of a battle as a phrase, such as ` at Wem`, or "" if the battle has no place."""
    road = table.get("road")
    if isinstance(road, list):
        ends = [name(campaign, "locations", end) for end in road]
        return f" on the road between {listed(ends)}"
    return f" at {name(campaign, 'locations', str(table['place']))}" if "place" in table else ""


def describe_cancelled(visible: VisibleCampaign, entry: Entry) -> str:
    battles = [change.key[1] for change in entry.changes if is_battle(change.key)]
    return f"Cancelled: {'battle' if len(battles) == 1 else 'battles'} {listed(battles)}"


KINDS: Mapping[str, Callable[[VisibleCampaign, Entry], str]] = {
    **dict.fromkeys(("schedule", "event", "fixtures", "missed"), describe_happening),
    "orders": describe_orders,
    "report": lambda visible, entry: lead_and_changes(f"Reports of battle {entry.id}")(visible, entry),
    "movement": describe_movement,
    "contact": describe_contact,
    "weather": lambda visible, entry: f"Weather: {entry.text}",
    "battle": describe_battle,
    "import": describe_battle,
    "override": describe_battle,
    "declined": describe_battle,
    "aftermath": lambda visible, entry: lead_and_changes(
        f"After battle {entry.id}" if entry.id else "Prisoners are exchanged"
    )(visible, entry),
    "capture": lead_and_changes("Captured"),
    "supply": lead_and_changes("Supply"),
    "recovery": describe_recovery,
    "recruit": lead_and_changes("Hiring"),
    "income": lead_and_changes("Income"),
    "undo": describe_undo,
    "redo": describe_undo,
    "turn": describe_turn,
    "note": describe_note,
    "story": describe_story,
    "adjust": lead_and_changes("Adjusted"),
    "set": lead_and_changes("Set"),
    "remove": lead_and_changes("Removed"),
    "cancel": describe_cancelled,
    "edit": lead_and_changes("Edited in the file"),
    "add": describe_additions,
    "move": lead_and_changes("Moved"),
    "rename": lead_and_changes("Renamed"),
    **dict.fromkeys(SEALING, lambda visible, entry: describe_sealing(entry)),
}


def ledger_lines(entry: Entry) -> list[str]:
    """Return an entry as the ledger stores it: kind, time, and each value before and after the change."""
    head = f"{entry.kind} {entry.id}".rstrip()
    undoes = f" of {listed(map(str, entry.undoes))}" if entry.undoes else ""
    time = local_time(entry.time)
    when = f", recorded {time}" if time else ""
    return [clean(line) for line in (f"{head}{undoes}{when}", *map(str, entry.changes))]


def history_page(visible: VisibleCampaign, entries: Iterable[Entry], *, whole: bool = False) -> Document:
    """Show the entries that a reader may know. Each entry is described in a sentence.

    If `whole` is true, the page also has the lines that the ledger stores, which only the umpire may see.
    `entries` can be `Repeatable`, and are iterated over when the page is written.
    """

    def item_of(entry: Entry) -> Item:
        lines = ledger_lines(visible.ledger.entry(entry.revision)) if whole and visible.is_whole else []
        return Item(f"{visible.numbers[entry.revision]}.", describe_entry(visible, entry), lines)

    items = Repeatable(lambda: map(item_of, entries))
    facts = Repeatable(
        lambda: (line for item in items for line in (f"{item.about} {item.words}", *item.notes))
    )
    table = {"schema": 1, "entries": Repeatable(lambda: map(visible.entry_table, entries))}
    return Document(f"{visible.campaign.name}: history", [Items(items, NUMBERED, facts)], table)


def undo_blocks(campaign: Campaign, ledger: Ledger, entries: Sequence[Entry]) -> list[Content]:
    """Return lists of the commands that these entries undid or redid.

    The commands can be undos and redos themselves.
    """
    visible = visible_to(campaign, ledger, UMPIRE)
    blocks: list[Content] = []
    for kind, heading in (("undo", "Undone"), ("redo", "Redone")):
        revisions = [revision for entry in entries if entry.kind == kind for revision in entry.undoes]
        if revisions:
            items = [Item(f"{revision}.", undo_sentence(visible, revision)) for revision in revisions]
            facts = [f"{heading.lower()} {item.about} {item.words}" for item in items]
            blocks += [Section(f"{heading}:", []), Items(items, NUMBERED, facts)]
    return blocks


def ruling_blocks(campaign: Campaign, ledger: Ledger, entries: Sequence[Entry]) -> list[Content]:
    """Return a list of the results in these entries that the umpire decided."""
    visible = visible_to(campaign, ledger, UMPIRE)
    rulings = [entry for entry in entries if entry.kind == "override"]
    items = [Item(f"{entry.revision}.", describe_entry(visible, entry)) for entry in rulings]
    facts = [f"recorded {item.about} {item.words}" for item in items]
    return [Section("Recorded:", []), Items(items, NUMBERED, facts)] if items else []


def undo_sentence(visible: VisibleCampaign, revision: int) -> str:
    """Describe an entry that is undone or redone, and say in which turn and when it was recorded."""
    entry = entry_today(visible.ledger, revision)
    turn = turn_of(visible.ledger, revision)
    time = local_time(entry.time)
    when = f"turn {visible.campaign.turn if turn is None else turn}{f', recorded {time}' if time else ''}"
    return f"{entry_as_recorded(visible, entry)} [{when}]"


def confirmation_page(campaign: Campaign, ledger: Ledger, entries: Sequence[Entry]) -> Document:
    """Show the entries that a command recorded, and the values that they changed."""
    numbers = [Paragraph(f"recorded as revision {entry.revision}") for entry in entries]
    recorded = [change for entry in entries for change in entry.changes]
    changes = [*merge_changes(recorded), *filter(is_refused_retreat, recorded)]
    results = {entry.id: entry.result for entry in entries if entry.result}
    sealing = [Paragraph(describe_sealing(entry)) for entry in entries if entry.kind in SEALING]
    changes_nothing = not changes and all(entry.kind in ("note", "story", *SEALING) for entry in entries)
    blocks = [
        *numbers,
        *sealing,
        *undo_blocks(campaign, ledger, entries),
        *ruling_blocks(campaign, ledger, entries),
        *([] if changes_nothing else changes_blocks(campaign, changes, results, for_umpire=True)),
    ]
    return Document(campaign.name, blocks, {"schema": 1, "entries": [entry.table() for entry in entries]})
