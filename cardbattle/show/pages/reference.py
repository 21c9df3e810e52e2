"""Reference pages: rule sets with their rules and options, commanders with their strength, a solved duel."""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from typing import TYPE_CHECKING

from cardbattle.commanders import DEFAULT, HUMAN, HUMAN_WORDS, ORDERS, ORDERS_WORDS, RANKS, plug_ins
from cardbattle.commanders.standing import ANY
from cardbattle.commanders.strength import Pairing, load_pairings
from cardbattle.core.cards import RANKS as CARDS
from cardbattle.core.names import listed
from cardbattle.core.options import presets_of
from cardbattle.rules.provenance import KINDS, by_kind, numbered_rules
from cardbattle.rules.strategy_war.opening import PLACES
from cardbattle.show.document import STRONG, Book, Document, Numbers, Paragraph, Section, Span, Table, Title
from cardbattle.simulation.intervals import wilson_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.core.options import Option, Preset
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.rules.strategy_war.opening import Opening
    from cardbattle.show.document import Cell, Content

STRENGTH = (
    "Strength: the average points, in per cent, of the commander on the left in duels against the commander "
    "at the top, with equal forces. In brackets: the 95 % interval. A draw counts as half a point."
)
STRENGTH_COLUMNS = ("rules", "rank", "against", "battles", "points", "share", "low", "high")
STANDING_ORDERS = "Standing orders"
STANDING_WORDS = (
    "In a battle by message, standing orders answer later questions{}. The first word is the question. "
    "Conditions can follow, which must all be true. Of the answers behind the colon, divided by |, the first "
    'possible one counts. With a last line "else regular", a commander answers all other questions.'
)
LADDER = (("regular", "green"), ("veteran", "regular"), ("elite", "veteran"))


def rules_page(rules: RuleSet) -> Document:
    """Show the rules of a rule set and all its options."""
    blocks: list[Content] = [Book(rules.rules_text())]
    for title, options in (("House rules", rules.house), ("Side options", rules.options)):
        blocks += [Section(title, ["", f"## {title}", ""]), options_table(options)]
    presets = presets_of(rules.house)
    if presets:
        blocks += [Section("Presets", ["", "## Presets", ""]), presets_table(presets)]
    blocks += standing_orders(rules)
    sources = by_kind(rules)
    if len(sources) > 1:
        items = [Paragraph(f"{KINDS[kind]}: {listed(numbers)}.") for kind, numbers in sources.items()]
        blocks += [Section("Where the rules come from", ["", "## Where the rules come from", ""]), *items]
    return Document(rules.name, blocks, {"schema": 1, **rule_set_json(rules, whole=True)})


def standing_orders(rules: RuleSet) -> list[Content]:
    """Return a section with the words of standing orders, or [] if the rule set names no questions."""
    questions = {lesson.word: lesson.ask for lesson in rules.lessons.values() if lesson.word}
    if not questions:
        return []
    examples = listed(f'"when {example}"' for example in rules.standing_examples)
    such = f", such as {examples}" if examples else ""
    return [
        Section(STANDING_ORDERS, ["", f"## {STANDING_ORDERS}", ""]),
        Paragraph(STANDING_WORDS.format(such)),
        words_table("question", questions | {ANY: "Any question"}),
        *([words_table("condition", rules.conditions)] if rules.conditions else []),
    ]


def words_table(title: str, words: Mapping[str, str]) -> Table:
    facts = [f"- {title} `{word}`: {meaning}" for word, meaning in words.items()]
    return Table([title, ""], [[word, meaning] for word, meaning in words.items()], facts=facts)


def options_table(options: Mapping[str, Option]) -> Table:
    rows = [[key, option.expects(), default_text(option), option.help] for key, option in options.items()]
    facts = [f"- `{key}`: {meaning}; {expects}, default {default}" for key, expects, default, meaning in rows]
    return Table(["key", "expects", "default", ""], rows, facts=facts)


def presets_table(presets: Mapping[str, Preset]) -> Table:
    """Return a table of the presets and the house rules that they set."""
    rows = [[name, preset.help, preset_text(preset)] for name, preset in presets.items()]
    facts = [f"- `{name}`: {meaning}; sets {settings}" for name, meaning, settings in rows]
    return Table(["preset", "", "house rules"], rows, facts=facts)


def preset_text(preset: Preset) -> str:
    """Return the house rules that a preset sets, in the notation of a battle file."""
    return ", ".join(f"{word} = {dumps(value)}" for word, value in preset.house.items()) or "none"


def rule_sets_page(rule_sets: Sequence[RuleSet]) -> Document:
    rows = [[rules.key, rules.name, rules.number_of_sides, rules.credit] for rules in rule_sets]
    facts = [f"{rules.key}: {rules.name}. {rules.credit}" for rules in rule_sets]
    data = {"schema": 1, "rule_sets": [rule_set_json(rules, whole=False) for rules in rule_sets]}
    return Document("Rule sets", [Table(["rules", "name", "sides", "credit"], rows, facts=facts)], data)


def default_text(option: Option) -> str:
    """Format the default value of an option as text for the reader."""
    value = option.default
    if value is None:
        return "-"
    written = option.write(value)
    if isinstance(written, bool):
        return "true" if written else "false"
    return " ".join(map(str, written)) if isinstance(written, list) else str(written)


def rule_set_json(rules: RuleSet, whole: bool) -> dict[str, object]:
    """Return a rule set for JSON. If `whole` is true, the text of its rules is included."""
    facts: dict[str, object] = {
        "key": rules.key,
        "name": rules.name,
        "version": rules.version,
        "sides": [rules.fewest, rules.most],
        "default_sides": list(rules.default_sides),
        "credit": rules.credit,
        "house": option_facts(rules.house),
        "options": option_facts(rules.options),
        "presets": {
            name: {"help": preset.help, "house": dict(preset.house)}
            for name, preset in presets_of(rules.house).items()
        },
    }
    if whole:
        facts["rules"] = [rule._asdict() for rule in numbered_rules(rules)]
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
    """Return a table of the average points that each rank makes against each other rank in one rule set."""
    rows: list[list[Cell]] = []
    facts = []
    for rank in RANKS:
        row: list[Cell] = [Span(rank, STRONG)]
        for against in RANKS:
            pairing = load_pairings().get((key, rank, against))
            row.append(share_with_interval(pairing) if pairing else "-")
            if pairing:
                share = share_with_interval(pairing)
                facts.append(f"{key}: {rank} against {against}, {share} in {pairing.battles} battles")
        rows.append(row)
    return Table([key, *RANKS], rows, range(1, len(RANKS) + 1), facts)


def share_with_interval(pairing: Pairing) -> str:
    """Format average points and their interval as percentages.

    >>> share_with_interval(Pairing("wargame", "elite", "veteran", 200, 134.5))
    '67 (60-73)'
    """
    low, high = wilson_bounds(pairing.share, pairing.battles)
    return f"{100 * pairing.share:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def pairing_row(pairing: Pairing) -> dict[str, object]:
    low, high = wilson_bounds(pairing.share, pairing.battles)
    return {**pairing._asdict(), "share": pairing.share, "low": low, "high": high}


def ladder_json(key: str) -> dict[str, int]:
    """Return the average points of three ranks against a lower rank, as whole percentages."""
    steps = {(rank, below): load_pairings().get((key, rank, below)) for rank, below in LADDER}
    return {f"{rank} from {below}": round(100 * step.share) for (rank, below), step in steps.items() if step}


def solution_page(rules: RuleSet, opening: Opening) -> Document:
    """Show how often best play begins with each card, and how much each card is worth against best play."""
    cards = [CARDS[rank] for rank in opening.ranks]
    best = opening.shares()
    shares = [round(share, 6) for share in best]
    values = [in_points(value) for value in opening.values(best)]
    guarantee = in_points(opening.guarantee(best))
    rows: list[list[Cell]] = []
    facts = []
    for card, share, value in zip(cards, shares, values, strict=True):
        rows.append([Span(card, STRONG), f"{100 * share:.2f}%", f"{value:.3f}"])
        facts.append(f"{card}: played {100 * share:.2f}%, value {value:.3f}")
    title = f"{rules.name}: the duel of {len(cards)} cards, solved for the points"
    texts = (
        f"Both sides hold {cards[0]} to {cards[-1]}, know each other's cards, and play best for the "
        f"difference of the points: {opening.positions:,} positions. The value of a card is the average "
        "number of points by which a side that begins with it beats an enemy who plays best.",
        f"Guarantee: {guarantee:.3f} points. A side that begins with these shares and plays best "
        "afterwards wins by at least that number on average, whatever the enemy does.",
        f"SHA-256 of the payoffs: {opening.checksum()}",
    )
    table = Table(["card", "played", "value"], rows, (1, 2), facts)
    blocks: list[Content] = [Title(title), table, *(Paragraph(text) for text in texts)]
    payoffs = {
        card: dict(zip(cards, row, strict=True)) for card, row in zip(cards, opening.payoffs, strict=True)
    }
    json = {
        "schema": 1,
        "rules": rules.key,
        "cards": cards,
        "positions": opening.positions,
        "guarantee": guarantee,
        "checksum": opening.checksum(),
        "opening": [
            {"card": card, "share": share, "value": value}
            for card, share, value in zip(cards, shares, values, strict=True)
        ],
        "payoffs": payoffs,
    }
    columns = ["card", "share", "value", *(f"against_{card}" for card in cards)]
    numbers = [
        {"card": card, "share": share, "value": value}
        | {f"against_{theirs}": each for theirs, each in payoffs[card].items()}
        for card, share, value in zip(cards, shares, values, strict=True)
    ]
    return Document(title, blocks, json, Numbers(columns, numbers))


def in_points(value: float) -> float:
    """Round a value to the precision with which the duel was solved.

    >>> in_points(-0.0000001), in_points(-7.01234)
    (0.0, -7.0123)
    """
    return round(value, PLACES) + 0.0  # no -0.0
