"""Reference pages: rule sets with their rules and options, commanders with their strength."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardbattle.commanders import DEFAULT, HUMAN, HUMAN_WORDS, ORDERS, ORDERS_WORDS, RANKS, plug_ins
from cardbattle.commanders.strength import Pairing, load_pairings
from cardbattle.show.document import STRONG, Book, Document, Numbers, Paragraph, Section, Span, Table
from cardbattle.simulation.intervals import wilson_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.options import Option
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.show.document import Cell, Content

STRENGTH = (
    "Strength: the average points, in per cent, of the commander on the left in duels against the commander "
    "at the top, with equal forces. In brackets: the 95 % interval. A draw counts as half a point."
)
STRENGTH_COLUMNS = ("rules", "rank", "against", "battles", "points", "share", "low", "high")
LADDER = (("regular", "green"), ("veteran", "regular"), ("elite", "veteran"))

NUMBERED = re.compile(r"^- \*\*([A-Z]+-\w+)\*\* (.*(?:\n  .*)*)", re.MULTILINE)


def rules_page(rules: RuleSet) -> Document:
    """Show the rules of a rule set with all its options."""
    blocks: list[Content] = [Book(rules.rules_text())]
    for title, options in (("House rules", rules.house), ("Side options", rules.options)):
        blocks += [Section(title, ["", f"## {title}", ""]), options_table(options)]
    return Document(rules.name, blocks, {"schema": 1, **rule_set_json(rules, whole=True)})


def options_table(options: Mapping[str, Option]) -> Table:
    rows = [[key, option.expects(), default_text(option), option.help] for key, option in options.items()]
    facts = [f"- `{key}`: {meaning}; {expects}, default {default}" for key, expects, default, meaning in rows]
    return Table(["key", "expects", "default", ""], rows, facts=facts)


def rule_sets_page(rule_sets: Sequence[RuleSet]) -> Document:
    rows = [[rules.key, rules.name, rules.number_of_sides, rules.credit] for rules in rule_sets]
    facts = [f"{rules.key}: {rules.name}. {rules.credit}" for rules in rule_sets]
    data = {"schema": 1, "rule_sets": [rule_set_json(rules, whole=False) for rules in rule_sets]}
    return Document("Rule sets", [Table(["rules", "name", "sides", "credit"], rows, facts=facts)], data)


def default_text(option: Option) -> str:
    """Format an option's default for people."""
    value = option.default
    if value is None:
        return "-"
    written = option.write(value)
    if isinstance(written, bool):
        return "true" if written else "false"
    return " ".join(map(str, written)) if isinstance(written, list) else str(written)


def rule_set_json(rules: RuleSet, whole: bool) -> dict[str, object]:
    """Return a rule set as JSON, with the text of its rules if `whole`."""
    facts: dict[str, object] = {
        "key": rules.key,
        "name": rules.name,
        "version": rules.version,
        "sides": [rules.fewest, rules.most],
        "default_sides": list(rules.default_sides),
        "credit": rules.credit,
        "house": option_facts(rules.house),
        "options": option_facts(rules.options),
    }
    if whole:
        numbered = NUMBERED.findall(rules.rules_text())
        facts["rules"] = [{"number": number, "text": " ".join(text.split())} for number, text in numbered]
    return facts


def option_facts(options: Mapping[str, Option]) -> dict[str, object]:
    return {
        key: {
            "kind": option.kind,
            "expects": option.expects(),
            "default": None if option.default is None else option.write(option.default),
            "help": option.help,
        }
        for key, option in options.items()
    }


def commanders_page() -> Document:
    """Show the commanders and their measured strength."""
    descriptions = {name: rank.words for name, rank in (RANKS | plug_ins()).items()}
    descriptions |= {ORDERS: ORDERS_WORDS, HUMAN: HUMAN_WORDS}
    ranks = Table(
        ["commander", ""],
        [[Span(name, STRONG), text] for name, text in descriptions.items()],
        facts=[f"{name}: {text}" for name, text in descriptions.items()],
    )
    pairings = load_pairings()
    rules = list(dict.fromkeys(pairing.rules for pairing in pairings.values()))
    json = {
        "schema": 1,
        "default": DEFAULT,
        "commanders": descriptions,
        "strength": {key: ladder_json(key) for key in rules},
        "pairings": [pairing_row(pairing) for pairing in pairings.values()],
    }
    numbers = Numbers(STRENGTH_COLUMNS, [pairing_row(pairing) for pairing in pairings.values()])
    tables = [strength_table(key) for key in rules]
    return Document("Commanders", [ranks, Paragraph(STRENGTH, facts=[]), *tables], json, numbers)


def strength_table(key: str) -> Table:
    """Tabulate the average points of each rank against each other rank, by one rule set."""
    rows: list[list[Cell]] = []
    facts = []
    for rank in RANKS:
        row: list[Cell] = [Span(rank, STRONG)]
        for against in RANKS:
            pairing = load_pairings().get((key, rank, against))
            row.append(share_with_interval(pairing) if pairing else "-")
            if pairing:
                share = share_with_interval(pairing)
                facts.append(f"{key}: {rank} takes {share} from {against}, {pairing.battles} battles")
        rows.append(row)
    return Table([key, *RANKS], rows, range(1, len(RANKS) + 1), facts)


def share_with_interval(pairing: Pairing) -> str:
    """Format average points and their interval, in per cent.

    >>> share_with_interval(Pairing("wargame", "elite", "veteran", 200, 134.5))
    '67 (60-73)'
    """
    low, high = wilson_bounds(pairing.share, pairing.battles)
    return f"{100 * pairing.share:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def pairing_row(pairing: Pairing) -> dict[str, object]:
    low, high = wilson_bounds(pairing.share, pairing.battles)
    return {**pairing._asdict(), "share": pairing.share, "low": low, "high": high}


def ladder_json(key: str) -> dict[str, int]:
    """Return the points that three ranks take from a lower one, in whole per cent."""
    steps = {(rank, below): load_pairings().get((key, rank, below)) for rank, below in LADDER}
    return {f"{rank} from {below}": round(100 * step.share) for (rank, below), step in steps.items() if step}
