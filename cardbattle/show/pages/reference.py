"""What there is: rule sets with their rules and options, commanders and how strong they are."""

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
    "How strong they are: the share of the points, in per cent, that the rank on the left takes from the "
    "rank above in duels at equal strength. In brackets the interval of 95 %; a draw is half a point."
)
STRENGTH_COLUMNS = ("rules", "rank", "against", "battles", "points", "share", "low", "high")
LADDER = (("regular", "green"), ("veteran", "regular"), ("elite", "veteran"))

NUMBERED = re.compile(r"^- \*\*([A-Z]+-\w+)\*\* (.*(?:\n  .*)*)", re.MULTILINE)


def rules_page(chosen: RuleSet) -> Document:
    """Return the rules of a rule set with all its options."""
    blocks: list[Content] = [Book(chosen.rules_text())]
    for title, known in (("House rules", chosen.house), ("Side options", chosen.options)):
        blocks += [Section(title, ["", f"## {title}", ""]), options_table(known)]
    return Document(chosen.name, blocks, {"schema": 1, **rule_set_json(chosen, whole=True)})


def options_table(known_values: Mapping[str, Option]) -> Table:
    """Return options: key, what is expected, default, meaning."""
    rows = [
        [word, option.expects(), default_text(option), option.help] for word, option in known_values.items()
    ]
    facts = [f"- `{word}`: {words}; {expects}, default {usual}" for word, expects, usual, words in rows]
    return Table(["key", "expects", "default", ""], rows, facts=facts)


def rule_sets_page(chosen: Sequence[RuleSet]) -> Document:
    """Return the rule sets there are."""
    rows = [[one.key, one.name, one.number_of_sides, one.credit] for one in chosen]
    facts = [f"{one.key}: {one.name}. {one.credit}" for one in chosen]
    data = {"schema": 1, "rule_sets": [rule_set_json(one, whole=False) for one in chosen]}
    return Document("Rule sets", [Table(["rules", "name", "sides", "credit"], rows, facts=facts)], data)


def default_text(option: Option) -> str:
    """Return an option's default as a person reads it."""
    value = option.default
    if value is None:
        return "-"
    written = option.write(value)
    if isinstance(written, bool):
        return "true" if written else "false"
    return " ".join(map(str, written)) if isinstance(written, list) else str(written)


def options_text(chosen: RuleSet) -> str:
    """Return the house rules and side options as Markdown."""
    lines = []
    for title, known in (("House rules", chosen.house), ("Side options", chosen.options)):
        lines += ["", f"## {title}", ""]
        for word, option in known.items():
            lines.append(f"- `{word}`: {option.help}; {option.expects()}, default {default_text(option)}")
    return "\n".join([*lines, ""])


def rule_set_json(chosen: RuleSet, whole: bool) -> dict[str, object]:
    """Return what JSON says of a rule set, with its rules if the `whole` is wanted."""
    facts: dict[str, object] = {
        "key": chosen.key,
        "name": chosen.name,
        "version": chosen.version,
        "sides": [chosen.fewest, chosen.most],
        "default_sides": list(chosen.default_sides),
        "credit": chosen.credit,
        "house": option_facts(chosen.house),
        "options": option_facts(chosen.options),
    }
    if whole:
        found = NUMBERED.findall(chosen.rules_text())
        facts["rules"] = [{"number": number, "text": " ".join(text.split())} for number, text in found]
    return facts


def option_facts(known_values: Mapping[str, Option]) -> dict[str, object]:
    """Return what JSON says of options."""
    return {
        word: {
            "kind": option.kind,
            "expects": option.expects(),
            "default": None if option.default is None else option.write(option.default),
            "help": option.help,
        }
        for word, option in known_values.items()
    }


def commanders_page() -> Document:
    """Return who can command, and how strong they are as measured."""
    known = {name: rank.words for name, rank in (RANKS | plug_ins()).items()}
    known |= {ORDERS: ORDERS_WORDS, HUMAN: HUMAN_WORDS}
    ranks = Table(
        ["commander", ""],
        [[Span(name, STRONG), words] for name, words in known.items()],
        facts=[f"{name}: {words}" for name, words in known.items()],
    )
    pairings = load_pairings()
    rules = list(dict.fromkeys(pairing.rules for pairing in pairings.values()))
    told_json = {
        "schema": 1,
        "default": DEFAULT,
        "commanders": known,
        "strength": {key: ladder_json(key) for key in rules},
        "pairings": [pairing_row(pairing) for pairing in pairings.values()],
    }
    numbers = Numbers(STRENGTH_COLUMNS, [pairing_row(pairing) for pairing in pairings.values()])
    tables = [strength_table(key) for key in rules]
    return Document("Commanders", [ranks, Paragraph(STRENGTH, facts=[]), *tables], told_json, numbers)


def strength_table(key: str) -> Table:
    """Return what each rank takes from each other one by these rules."""
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
    """Return a share of the points and its interval, in per cent.

    >>> share_with_interval(Pairing("wargame", "elite", "veteran", 200, 134.5))
    '67 (60-73)'
    """
    low, high = wilson_bounds(pairing.share, pairing.battles)
    return f"{100 * pairing.share:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def pairing_row(pairing: Pairing) -> dict[str, object]:
    """Return a pairing as JSON and spreadsheets have it."""
    low, high = wilson_bounds(pairing.share, pairing.battles)
    return {**pairing._asdict(), "share": pairing.share, "low": low, "high": high}


def ladder_json(key: str) -> dict[str, int]:
    """Return what three ranks take from the one below, in whole per cent."""
    steps = {(rank, below): load_pairings().get((key, rank, below)) for rank, below in LADDER}
    return {f"{rank} from {below}": round(100 * step.share) for (rank, below), step in steps.items() if step}
