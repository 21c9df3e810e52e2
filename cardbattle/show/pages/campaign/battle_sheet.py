"""Forms for pending battles: the printed sheet of a battle with real cards, and the results form of a turn.

The sheet has the sides, a results form and the rules. The results form of a turn is a spreadsheet or a file
that the umpire completes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.campaign.exchange.report_examples import can_be_drawn, example_of
from cardbattle.campaign.exchange.results_form import (
    can_decline,
    form_columns,
    form_lines,
    form_row,
    form_table,
    pending_battles,
)
from cardbattle.campaign.ledger.roster import factions_of_side
from cardbattle.campaign.state.battle_setup import battle_table, explain
from cardbattle.campaign.state.tables.battle_effects import house_of
from cardbattle.campaign.state.tables.deadlines import BOTH
from cardbattle.campaign.visibility.reader import ALL, UMPIRE
from cardbattle.campaign.visibility.redaction import is_private
from cardbattle.core.names import listed
from cardbattle.core.options import CardList
from cardbattle.core.telling import Card
from cardbattle.files.reader import table_or_empty
from cardbattle.rules.provenance import ADDED
from cardbattle.show.battle_text import house_rule_lines, option_words
from cardbattle.show.cards import in_cards
from cardbattle.show.document import (
    Book,
    Document,
    Item,
    Items,
    Listing,
    Numbers,
    Paragraph,
    Section,
    Table,
    Title,
    as_text,
)
from cardbattle.show.pages.campaign.forces import unit_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.battles.records.battle_file import BattlePlan
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.show.document import Cell, Content, Word

ITEM = re.compile(
    r"^- \*\*(?P<number>[A-Z]+-\d+)\*\* (?P<words>.*?)(?=^- \*\*|^#|^$|\Z)", re.MULTILINE | re.DOTALL
)

WINNERS = "winners: a key or a name, several separated by commas{}"
HOW = (
    'losses: the share of its force that a side lost: 2/5, 40%, 0.4, "lost 4 of 10", none or all',
    "do not change a battle that is still to be fought; never change bound, it ties the result to the forces",
)
SCORE = "score: the points of a side in the battle, a whole number"
NOT_COUNTED = "; leave all scores of a battle empty if they were not counted"
DECLINED = "declined: the sides that refuse the battle; then leave winners and losses empty"


def sheet_page(campaign: Campaign, battle: Pending, visible: VisibleCampaign) -> Document:
    """Return the sheet of a pending battle, with the strengths that the reader of `visible` may know.

    All players may read the sheet of the public. Every sheet has the cards and options of all
    sides, because they cannot play without them. Raises InvalidInput if the battle cannot be fought.
    """
    table = battle_table(campaign, battle)
    plan = read_battle(table, campaign.folder)
    has_units = any(campaign.forces[force].units for side in battle.sides for force in side)
    name = f"{campaign.name}, turn {campaign.turn}: battle {battle.id}"
    blocks: list[Content] = [
        Title(name),
        *reader_note(campaign, battle, visible),
        *part("The battle", battle_facts(campaign, battle, plan, visible)),
        Section("The sides"),
        sides_table(battle, plan, visible),
        *part("Special options in this battle", special_options(house_of(campaign, battle), plan)),
        Section("What to write down"),
        results_table(plan),
        Paragraph(
            (ANSWER_WITH_SCORE if campaign.uses_scores else ANSWER).format(
                battle=battle.id, draw=" (or a draw)" if plan.rules.can_be_drawn else ""
            )
            + (UNITS if has_units else "")
        ),
        *report_examples(campaign, battle),
        *tally_table(plan),
        *table_rules(plan.rules),
    ]
    shown = table if visible.is_whole else players_table(table)
    return Document(name, blocks, {"schema": 1, **shown}, drawn=plan.rules.key)


UMPIRES = "The umpire's sheet: it shows strengths that the sides do not know of each other."
SIDES = "The sheet of {}: the other sides do not know all of these strengths."


def reader_note(campaign: Campaign, battle: Pending, visible: VisibleCampaign) -> list[Content]:
    """Return a line that says whose sheet this is, if it contains facts that not all sides may know."""
    if visible.reader is None or campaign.visibility.strength == ALL:
        return []
    is_umpire = visible.reader == UMPIRE
    return [Paragraph(UMPIRES if is_umpire else SIDES.format(campaign.faction_name(str(visible.reader))))]


def players_table(table: Mapping[str, object]) -> dict[str, object]:
    """Return a battle for JSON without its seed, exact strengths, commanders and standing orders."""
    hidden = ("commander", "standing")
    sides = {
        key: {word: value for word, value in table_or_empty(side).items() if word not in hidden}
        for key, side in table_or_empty(table["sides"]).items()
    }
    shown = {word: value for word, value in table.items() if word not in ("seed", "bound")}
    return {**shown, "sides": sides}


ANSWER = (
    "Report to the umpire: battle {battle}, the winner{draw}, and the share of its force that each "
    "side lost, such as 2/5, 40% or 4 of 10."
)
ANSWER_WITH_SCORE = (
    "Report to the umpire: battle {battle}, the winner{draw}, the share of its force that each side "
    "lost, such as 2/5, 40% or 4 of 10, and the score of each side if you counted it."
)
UNITS = " If you know it, report what each unit lost, too."
CONFIRM = "Each side sends a line, which begins as below. For example, if the first side wins:"
SCORES = 'Add the score of each side, such as "{0} scored 5, {1} scored 3".'


def report_examples(campaign: Campaign, battle: Pending) -> list[Content]:
    """Return an example of a report for each side, if the sides confirm results."""
    if campaign.results.confirm != BOTH:
        return []
    examples: list[Content] = [
        Paragraph(CONFIRM),
        Items(bare_items([example_of(campaign, battle, side) for side in battle.keys])),
    ]
    scores = [Paragraph(SCORES.format(*battle.keys[:2]))] if campaign.uses_scores else []
    return [*examples, *scores]


def part(title: str, lines: Sequence[str]) -> list[Content]:
    return [Section(title), Items(bare_items(lines))] if lines else []


def bare_items(lines: Sequence[str]) -> list[Item]:
    return [Item("", line) for line in lines]


def battle_facts(
    campaign: Campaign, battle: Pending, plan: BattlePlan, visible: VisibleCampaign
) -> list[str]:
    """Return lines about the sides, the rule set, the stakes and the umpire's notes."""
    lines = [f"{' against '.join(str(side.name) for side in plan.sides)}, by the rules of {plan.rules.name}."]
    if battle.stakes:
        lines.append(f"At stake: {campaign.location_name(battle.stakes)}.")
    note = "" if is_private(battle.note) else battle.note
    lines += [line for line in note.splitlines() if line.strip()]
    total = visible.strength_of(force for side in battle.sides for force in side)
    is_exact = total is not None and not total.is_rough
    return [*lines, *(f"{line}." for line in explain(campaign, battle, with_strengths=is_exact))]


def sides_table(battle: Pending, plan: BattlePlan, visible: VisibleCampaign) -> Table:
    """Return the table of the sides with their factions, strengths and options."""
    rows = side_rows(battle, plan, visible)
    facts = []
    for number, side, strength, options in ([as_text(cell) for cell in row] for row in rows):
        known = f"strength {strength}; " if strength else ""
        facts.append(f"Side {number}, {side}: {known}{options}")
    return Table(["", "side", "strength", "fights with"], rows, facts=facts)


def side_rows(battle: Pending, plan: BattlePlan, visible: VisibleCampaign) -> list[list[Cell]]:
    """Return a row for each side: number, name, strength if known, and every option that is set."""
    rows: list[list[Cell]] = []
    for seat, forces in enumerate(battle.sides):
        values = plan.setup.sides[seat]
        parts: list[Word] = []
        for word, option in plan.rules.options.items():
            if values[word] not in (None, [], False):
                written = option.write(values[word])
                parts += ["; " if parts else ""]
                if isinstance(option, CardList) and isinstance(written, list):
                    parts += separate_cards(word, written)
                else:
                    parts += in_cards(option_words(word, written))
        strength = str(visible.strength_of(forces) or "")
        units = ", ".join(filter(None, (unit_words(visible.campaign.forces[force]) for force in forces)))
        strength += f" ({units})" if units else ""
        rows.append(
            [
                str(seat + 1),
                with_factions(plan.sides[seat].name, forces, visible),
                strength,
                parts or "standard",
            ]
        )
    return rows


def with_factions(name: str, forces: Sequence[str], visible: VisibleCampaign) -> str:
    """Return the name of a side with its factions in brackets, unless the name has them."""
    factions = [visible.campaign.faction_name(key) for key in factions_of_side(visible.campaign, forces)]
    return name if all(faction in name for faction in factions) else f"{name} ({listed(factions)})"


def separate_cards(word: str, cards: Sequence[object]) -> list[Word]:
    """Split the value of the option `word`, which lists cards, ranks or numbers, into separate parts."""
    parts: list[Word] = [word.replace("_", " ")]
    for card in cards:
        parts += [" ", Card(str(card))]
    return parts


def special_options(house: Mapping[str, object], plan: BattlePlan) -> list[str]:
    """Explain each house rule of this battle, and each option of a side that has a special value."""
    rules, setup = plan.rules, plan.setup
    lines = house_rule_lines(plan, house)
    for word, option in rules.options.items():
        if not all(rules.is_usual(setup, seat, word) for seat in range(len(setup.seats))):
            lines.append(f"{word.replace('_', ' ')}: {option.help}.")
    return lines


def results_table(plan: BattlePlan) -> Table:
    head = ["side", "won?", "score", "share lost"]
    facts = [f"{side.name}: won? ..... score ..... share lost ....." for side in plan.sides]
    return Table(head, [[side.name, "", "", ""] for side in plan.sides], facts=facts, to_fill=True)


def tally_table(plan: BattlePlan) -> list[Content]:
    """Return an empty table with a row for each round.

    Return nothing if the rule set does not count rounds.
    """
    word, most = plan.rules.tally(plan.setup)
    sides = [str(seat + 1) for seat in range(len(plan.sides))]
    rows = [[str(number), *[""] * len(sides), ""] for number in range(1, most + 1)]
    return [Table([word, *sides, "won by"], rows, facts=[], to_fill=True)] if rows else []


def table_rules(rules: RuleSet) -> list[Content]:
    """Return the rule set's one-page summary. If it has none, say how losses are counted."""
    text = rules.table_text()
    if text:
        return [Book(f"## {rules.name} on one page\n\n{text}\n{rules.credit}\n")]
    return part("Score and losses", counting(rules))


def counting(rules: RuleSet) -> list[str]:
    return [
        " ".join(item["words"].replace("`", "").replace(ADDED, "").split())
        for item in ITEM.finditer(rules.rules_text())
        if "score" in item["words"] and "losses" in item["words"]
    ]


def results_form_page(campaign: Campaign) -> Document:
    """Return the results form. Raises InvalidInput if no battle is pending."""
    battles = pending_battles(campaign)
    name = f"{campaign.name}, turn {campaign.turn}: results of the pending battles"
    is_draw_possible = any(can_be_drawn(campaign, battle) for battle in battles)
    winners = WINNERS.format(", or draw" if is_draw_possible else "")
    hints = [
        winners,
        HOW[0],
        *score_hints(campaign),
        *([DECLINED] if can_decline(campaign) else []),
        *HOW[1:],
    ]
    blocks: list[Content] = [Title(name), Items(bare_items(hints)), Listing(["", "format = 1"])]
    for battle in battles:
        blocks.append(Listing(["", *form_lines(campaign, battle)]))
    return Document(
        name,
        blocks,
        {"schema": 1, "result": [form_table(campaign, battle) for battle in battles]},
        Numbers(form_columns(campaign), [form_row(campaign, battle) for battle in battles]),
    )


def score_hints(campaign: Campaign) -> list[str]:
    """Return a line about scores if the form asks for them. Only a league does without them."""
    if not campaign.uses_scores:
        return []
    return [SCORE if campaign.scoring.per_score else SCORE + NOT_COUNTED]
