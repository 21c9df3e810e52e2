"""A pending battle as a sheet for the real table: who fights with what, what to note, how to send it back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.campaign.battle_setup import battle_table, bound, explain
from cardbattle.campaign.tomlfile import inline_value
from cardbattle.core.names import listed
from cardbattle.records.battle_file import read_battle
from cardbattle.show.document import Document, Item, Items, Listing, Section, Table, Title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.model import Campaign, Pending
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.records.battle_file import BattlePlan
    from cardbattle.show.document import Content

BLANK = "........"
ITEM = re.compile(
    r"^- \*\*(?P<number>[A-Z]+-\d+)\*\* (?P<words>.*?)(?=^- \*\*|^#|^$|\Z)", re.MULTILINE | re.DOTALL
)


def sheet_page(campaign: Campaign, battle: Pending) -> Document:
    """Return the sheet; Refused if the battle cannot be fought."""
    plan = read_battle(battle_table(campaign, battle), campaign.folder)
    name = f"{campaign.name}, turn {campaign.turn}: battle {battle.id}"
    rows = side_rows(campaign, battle, plan)
    sides = Table(["side", "key", "strength", "fights with"], rows)
    noted = Table(["side", "won?", "score", "lost of all it had"], blanks(plan))
    blocks: list[Content] = [
        Title(name),
        *part("The battle", battle_facts(campaign, battle, plan)),
        Section("The sides"),
        sides,
        Section("What to note down"),
        noted,
        *part("How it is counted", counting(plan.rules)),
        *part("How to send it back", SEND.splitlines()),
        Listing(answer(campaign, battle, plan)),
    ]
    return Document(name, blocks, {"schema": 1, **battle_table(campaign, battle)})


def part(title: str, lines: Sequence[str]) -> list[Content]:
    """Return sentences under a title."""
    return [Section(title), Items(bare_items(lines))]


def bare_items(lines: Sequence[str]) -> list[Item]:
    """Return sentences as the items of a list."""
    return [Item("", line) for line in lines]


def battle_facts(campaign: Campaign, battle: Pending, plan: BattlePlan) -> list[str]:
    """Return what is fought, by which rules, and for what."""
    lines = [f"{listed(side.name for side in plan.sides)} fight by {plan.rules.name}."]
    lines.append(f"The rules: cardbattle rules {plan.rules.key}")
    if battle.stakes:
        lines.append(f"At stake: {campaign.location_name(battle.stakes)}.")
    lines += [line for line in battle.note.splitlines() if line.strip()]
    given = [option_words(word, value) for word, value in battle.house.items()]
    lines += [f"House rules: {listed(given)}."] if given else []
    return [*lines, *(f"{line}." for line in explain(campaign, battle))]


def side_rows(campaign: Campaign, battle: Pending, plan: BattlePlan) -> list[list[str]]:
    """Return the sides: name, key, strength, and every option that is not empty."""
    rows = []
    for seat, forces in enumerate(battle.sides):
        values = plan.setup.sides[seat]
        options = [
            option_words(word, option.write(values[word]))
            for word, option in plan.rules.options.items()
            if values[word] not in (None, [], False)
        ]
        strength = sum(campaign.forces[force].strength for force in forces)
        rows.append([plan.sides[seat].name, forces[0], str(strength), "; ".join(options) or "the usual"])
    return rows


def option_words(word: str, value: object) -> str:
    """Return an option and its value in words: `hand 12`, `cards 2 3 4`."""
    told = " ".join(map(str, value)) if isinstance(value, list) else inline_value(value).strip('"')
    return f"{word.replace('_', ' ')} {told}"


def blanks(plan: BattlePlan) -> list[list[str]]:
    """Return a row to be filled in for each side."""
    return [[side.name, BLANK, BLANK, BLANK] for side in plan.sides]


def counting(rules: RuleSet) -> list[str]:
    """Return what the rule set says of score and losses."""
    found = [
        f"{item['number']}: {' '.join(item['words'].replace('`', '').split())}"
        for item in ITEM.finditer(rules.rules_text())
        if "score" in item["words"] and "losses" in item["words"]
    ]
    return [*found, "Losses are written as a fraction: 2/5, or 0, or 1 for everything."]


SEND = """\
Copy these lines into a file, put the winners' keys and the fractions in place of the question marks, \
and send it to the umpire. Nobody won: write winners = [].
The umpire brings it in with: cardbattle campaign import FILE"""


def answer(campaign: Campaign, battle: Pending, plan: BattlePlan) -> list[str]:
    """Return a results file to be filled in, tied to the forces as they are now; as it is it is refused."""
    lines = ["[[result]]", f"id = {inline_value(battle.id)}", f"rules = {inline_value(plan.rules.key)}"]
    lines += [f'winners = ["?"]   # {listed(battle.keys, "or")}']
    for key in battle.keys:
        lines += [f'sides.{key}.score = "?"'] if campaign.scoring.per_score else []
        lines += [f'sides.{key}.losses = "?"']
    return [*lines, f"bound = {inline_value(bound(campaign, battle))}"]
