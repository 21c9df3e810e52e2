"""Compare an imported battle with the pending battle that an export would write now.

The pending battle comes from `battle_table`, which the campaign also uses to fight the battle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle import rules
from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.battles.records.record import Record, house_table, side_options_table
from cardbattle.battles.resolve import streams_of
from cardbattle.campaign.ledger.roster import SideNames, is_one_of, names_of_sides
from cardbattle.campaign.state.battle_setup import Difference, battle_table, differences
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.commanders import HUMAN, is_engine
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import quoted
from cardbattle.core.ruleset import Setup
from cardbattle.files.reader import table_or_empty

if TYPE_CHECKING:
    from cardbattle.campaign.state.battle_result import BattleResult
    from cardbattle.campaign.state.model import Campaign, Pending

HEAD = ["", "the campaign's", "this one"]


class ComparedValue(NamedTuple):
    """A value in a record, and the corresponding value in the export."""

    what: str
    exported: object
    recorded: object


def export_of(campaign: Campaign, battle: Pending) -> BattlePlan:
    """Return the battle that an export would describe now. Raises the errors of `battle_table`."""
    return read_battle(battle_table(campaign, battle), campaign.folder)


def unlike(campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
    """Return the differences between a fought battle and the pending battle, in terms of the record."""
    mismatches = other_rules(campaign, pending, battle.rules)
    if battle.bound:
        mismatches += differences(campaign, pending, dict(battle.bound))
    mismatches += other_seal(campaign, pending, battle)
    mismatches += names_of_others(campaign, pending, battle)
    if battle.log is None and battle.seed is None:
        return mismatches
    try:
        plan = export_of(campaign, pending)
    except (InvalidInput, NeedsUmpire) as error:
        return mismatches or [Difference(str(error))]
    return mismatches + [difference(twin) for twin in twins(plan, battle) if not is_same(twin)]


def twins(plan: BattlePlan, battle: BattleResult) -> Iterator[ComparedValue]:
    """Yield every value that an export and a fought battle both contain."""
    if battle.log is not None:
        yield from record_twins(plan, battle.log, battle.kind == "battle")
    else:
        yield ComparedValue("seed", plan.seed, battle.seed)


def other_seal(campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
    """Return a difference if the seed of a battle does not come from the battle's own slot of sealed dice."""
    slot = campaign.draw.slot_number(pending.id) if campaign.draw else 0
    ours, theirs = slot_text(slot), slot_text(table_or_empty(battle.bound.get("seal")).get("slot", 0))
    if ours == theirs:
        return []
    return [Difference(f"it was drawn by {theirs}, not by {ours}", ["seal", ours, theirs])]


def slot_text(number: object) -> str:
    """Return the name of a slot of sealed dice. The number 0 means no slot."""
    return f"slot {number}" if number else "no slot"


def other_rules(campaign: Campaign, pending: Pending, text: str) -> list[Difference]:
    """Return a difference if a battle and the pending battle name different rule sets."""
    asked = campaign.rules_of(pending)
    if text in ("", asked.key):
        return []
    name = rules.find(text).name
    sentence = f"it was fought with {name}, but the campaign requires {asked.name}"
    return [Difference(sentence, ["rules", asked.name, name])]


def names_of_others(campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
    """Return a difference for each side that a results form calls by the name of another force.

    This happens if cells of a spreadsheet were moved to another row.
    """
    sides = names_of_sides(campaign, pending.sides, pending)
    names = []
    for key, name in foreign_names(battle, sides):
        owner = owner_of_name(campaign, sides, name)
        if owner:
            text = f"{quoted(name)} is the name of {owner}, not of {key}"
            names.append(Difference(text, [f"{key}.name", sides[key][0], name]))
    return names


def foreign_names(battle: BattleResult, sides: SideNames) -> Iterator[tuple[str, str]]:
    """Yield a pair (side, name) for each side that a form calls by a name which the side does not have."""
    for key, name in battle.names.items():
        if key in sides and name and not is_one_of(name, key, sides[key]):
            yield key, name


def owner_of_name(campaign: Campaign, sides: SideNames, name: str) -> str:
    """Return the side of a pending battle, or the force of the campaign, that has this name.

    The sides of the battle itself come first. The result is empty if no side or force has the name.
    """
    matches = [key for key, names in sides.items() if is_one_of(name, key, names)]
    matches += [key for key in campaign.forces if is_one_of(name, key, [campaign.display_name(key)])]
    sides_of_battles = ((side, battle) for battle in campaign.pending for side in battle.sides)
    matches += [
        side[0]
        for side, battle in sides_of_battles
        if is_one_of(name, "", [campaign.side_name(side, battle)])
    ]
    return next(iter(matches), "")


def is_same(twin: ComparedValue) -> bool:
    """Return True if two values are equal. The values true and 1 are different."""
    return type(twin.exported) is type(twin.recorded) and twin.exported == twin.recorded


def difference(twin: ComparedValue) -> Difference:
    """Return a difference for a compared value whose two versions differ."""
    ours, theirs = side_by_side_words(twin.exported), side_by_side_words(twin.recorded)
    return Difference(f"{twin.what} is {theirs}, not {ours}", [twin.what, ours, theirs])


def side_by_side_words(value: object) -> str:
    """Format a value for a table of differences.

    >>> side_by_side_words(["K", "K"]), side_by_side_words(True), side_by_side_words(None)
    ('K K', 'true', 'nothing')
    """
    if value is None or value == []:
        return "nothing"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def record_twins(plan: BattlePlan, record: Record, is_ours: bool) -> Iterator[ComparedValue]:
    """Yield each value that an export and a record both contain.

    `is_ours` is True if this command fought the battle. In a battle with real cards, the commanders are not
    compared, because people play, and a missing seed does not count as a difference.
    """
    yield ComparedValue("id", plan.id, record.id)
    if record.fought != "table" or record.seed is not None:
        yield ComparedValue("seed", plan.seed, record.seed)
    yield ComparedValue("seats", plan.setup.seats, record.setup.seats)
    if plan.rules is not record.rules or sorted(plan.setup.seats) != sorted(record.setup.seats):
        return
    expected = plan.setup.copy()
    if record.fought != "table":
        plan.rules.choose_random_house_rules(expected, streams_of(plan).lot)
        yield from commander_twins(plan, record, is_ours)
    yield from house_twins(plan, expected, record)
    for key in plan.setup.seats:
        yield from option_twins(plan, expected, record, key)


def commander_twins(plan: BattlePlan, record: Record, is_ours: bool) -> Iterator[ComparedValue]:
    """Yield each side's commander, standing orders and substitutes.

    In battles that the program fought itself, people and engines are skipped.
    """
    recorded = dict(zip(record.setup.seats, record.sides, strict=True))
    for key, side in zip(plan.setup.seats, plan.sides, strict=True):
        commander = recorded[key].commander
        if is_ours and (commander == HUMAN or is_engine(commander)):
            continue
        yield ComparedValue(f"{key}.commander", side.commander, commander)
        ours, theirs = ("; ".join(plan_side.standing) or None for plan_side in (side, recorded[key]))
        yield ComparedValue(f"{key}.standing", ours, theirs)
        yield ComparedValue(f"{key}.substitutes", None, "; ".join(recorded[key].substitutes) or None)


def house_twins(plan: BattlePlan, expected: Setup, record: Record) -> Iterator[ComparedValue]:
    """Yield each house rule, and the content of each card file that a house rule names."""
    ours, theirs = house_table(plan.rules, expected), house_table(plan.rules, record.setup)
    for word in plan.rules.house:
        if record.fought != "table" or plan.setup.house[word] is not None:
            yield ComparedValue(f"house.{word}", ours.get(word), theirs.get(word))
    digests = record.table.get("files", {})
    assert isinstance(digests, dict)
    for word, digest in plan.rules.files(expected).items():
        yield ComparedValue(f"files.{word}", digest, digests.get(word, digest))


def option_twins(plan: BattlePlan, expected: Setup, record: Record, key: str) -> Iterator[ComparedValue]:
    """Yield the options of one side whose values differ between the expected setup and the record.

    An omitted option has its default value.
    """
    seats = expected.seat(key), record.setup.seat(key)
    ours, theirs = (
        side_options_table(plan.rules, setup, seat)
        for setup, seat in zip((expected, record.setup), seats, strict=True)
    )
    for word, option in plan.rules.options.items():
        if ours.get(word) != theirs.get(word):
            values = expected.sides[seats[0]][word], record.setup.sides[seats[1]][word]
            yield ComparedValue(
                f"{key}.{word}", *(None if value is None else option.write(value) for value in values)
            )


def name_differences(campaign: Campaign, pending: Pending, battle: BattleResult) -> list[str]:
    """Return a remark, not an error, on each side that is called by another name."""
    if battle.log is None:
        sides = names_of_sides(campaign, pending.sides, pending)
        return [
            f"battle {pending.id}: its form calls {sides[key][0]} {name}"
            for key, name in foreign_names(battle, sides)
        ]
    recorded = dict(zip(battle.log.setup.seats, battle.log.names, strict=True))
    names = {side[0]: campaign.side_name(side, pending) for side in pending.sides}
    return [
        f"battle {pending.id}: its record calls {names[key]} {recorded[key]}"
        for key in names
        if recorded.get(key, names[key]) != names[key]
    ]


def beside(differences: Sequence[Difference]) -> list[list[str]]:
    """Return the differences as rows below a heading.

    If the sentences already contain all differences, the list is empty.
    """
    rows = [difference.beside for difference in differences if difference.beside]
    return [HEAD, *rows] if rows else []


def differences_in_words(differences: Sequence[Difference]) -> str:
    return "; ".join(difference.words for difference in differences)
