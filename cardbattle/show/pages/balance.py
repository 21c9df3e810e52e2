"""Pages of the commands `table` and `handicap`: combat results tables, and options that balance a battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.grammar import with_verb
from cardbattle.core.names import listed
from cardbattle.show.battle_text import credits_of
from cardbattle.show.document import (
    CODED,
    STRONG,
    Document,
    Item,
    Items,
    Numbers,
    Pair,
    Paragraph,
    Span,
    Table,
    Title,
)
from cardbattle.show.pages.odds import per_cent
from cardbattle.simulation.handicap import Handicap, TriedValue, proposes_values, untried
from cardbattle.simulation.results_table import CODES, DEGREES, Code, Column, ResultsTable, TableEntry
from cardbattle.simulation.worth import similar_worths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.show.document import Cell, Content

COLUMNS = ("ratio", "code", "from", "to", "dice_chance", "count", "chance", "low", "high")
DEGREE_WORDS = ["narrowly", "clearly", "by a rout"]
DICE = {
    "2d6": "two six-sided dice",
    "d10": "one ten-sided die",
    "d100": "two ten-sided dice, read from 1 to 100",
}


def table_title(table: ResultsTable) -> str:
    attacker, defender = (side.name for side in table.plan.sides)
    return f"{table.plan.rules.name}: {attacker} attacks {defender}"


def how_to_throw(table: ResultsTable) -> str:
    return (
        f"Find the column with the ratio of strengths (attacker:defender), throw {DICE[table.dice]}, and "
        "read the result. The percentages beside the dice are the true chances."
    )


def terms(table: ResultsTable) -> str:
    """Describe the advantage that the stronger side gets."""
    gifts = [
        f"{option} + {' '.join(map(str, gift)) if isinstance(gift, list) else gift}"
        for option, gift in table.advantage.give.items()
    ]
    return (
        f"The stronger side gets {listed(gifts)} for every full {table.advantage.per} of the weaker side's "
        f"strength by which it is stronger, at most {table.advantage.most} times."
    )


def source(table: ResultsTable) -> str:
    """Return a sentence about how the chances were counted."""
    widest = max(result.true.width for column in table.columns for result in column.results)
    ranks = {side.commander for side in table.plan.sides}
    return (
        f"{table.battles} battles a column, {' against '.join(sorted(ranks))} commanders, "
        f"seed {table.plan.seed}; chances +- {50 * widest:.1f} points or less (95%)."
    )


def code_explanations(table: ResultsTable) -> list[tuple[str, str]]:
    """Return a pair (code, meaning) for each result code that occurs in the table."""
    names = [side.noun for side in table.plan.sides]
    explanations = []
    for code in CODES:
        losses = table.losses(code)
        if losses is not None:
            lost = listed(
                f"{with_verb(name, 'loses|lose')} {round(100 * share)}%"
                for name, share in zip(names, losses, strict=True)
            )
            explanations.append((str(code), f"{code_meaning(code, names)}; on average {lost} of the force"))
    return explanations


def code_meaning(code: Code, names: Sequence[str]) -> str:

    if code.winner == NOBODY:
        return "nobody wins"
    loser = names[1 - code.winner]
    bounds = [f"less than {DEGREES[0]}", f"{DEGREES[0]} to {DEGREES[1]}", f"{DEGREES[1]} or more"]
    degree = code.degree - 1
    won = f"{with_verb(names[code.winner], 'wins|win')} {DEGREE_WORDS[degree]}"
    return f"{won}: {with_verb(loser, 'loses|lose')} {bounds[degree]}"


def band(result: TableEntry) -> str:
    """Return the totals of the dice that give a result.

    >>> from fractions import Fraction
    >>> from cardbattle.simulation.intervals import wilson
    >>> band(TableEntry(CODES[0], 2, 5, Fraction(1), wilson(1, 2)))
    '2-5'
    """
    if not result.high:
        return "-"
    return str(result.low) if result.low == result.high else f"{result.low}-{result.high}"


def chance(result: TableEntry) -> str:
    """Return the true chance of a result, or "" if the result never occurred."""
    return per_cent(result.true.share) if result.true.hits else ""


def codes_in_use(table: ResultsTable) -> list[int]:
    """Return the indices in CODES of the results that occur in at least one column."""
    return [
        place
        for place in range(len(CODES))
        if any(column.results[place].true.hits for column in table.columns)
    ]


def table_page(table: ResultsTable) -> Document:
    """Show a combat results table, the meaning of its codes and the source of its chances."""
    head = [table.dice, *(column.name for column in table.columns)]
    rows: list[list[Cell]] = [
        [Span(str(CODES[place]), STRONG), *(dice_cell(column.results[place]) for column in table.columns)]
        for place in codes_in_use(table)
    ]
    facts = [
        f"{column.name} {result.code} {table.dice} {band(result)} {chance(result)}"
        for column in table.columns
        for result in column.results
        if result.true.hits
    ]
    explanations = code_explanations(table)
    blocks: list[Content] = [
        Title(table_title(table)),
        Paragraph(how_to_throw(table)),
        Table(head, rows, range(1, len(head)), facts),
        Items(
            [Item(code, meaning) for code, meaning in explanations],
            CODED,
            [f"{code} {meaning}" for code, meaning in explanations],
        ),
        *(Paragraph(text) for text in (terms(table), source(table), *credits_of([table.plan.rules]))),
    ]
    return Document(table_title(table), blocks, table_json(table), Numbers(COLUMNS, table_rows(table)))


def dice_cell(result: TableEntry) -> Cell:
    """Return a cell with the totals of the dice that give a result, and its true chance."""
    return Pair(band(result), chance(result))


def table_rows(table: ResultsTable) -> list[dict[str, object]]:

    return [row(column, result) for column in table.columns for result in column.results]


def row(column: Column, result: TableEntry) -> dict[str, object]:
    return {
        "ratio": column.name,
        "code": str(result.code),
        "from": result.low or "",
        "to": result.high or "",
        "dice_chance": float(result.dice),
        "count": result.true.hits,
        "chance": result.true.share,
        "low": result.true.low,
        "high": result.true.high,
    }


def table_json(table: ResultsTable) -> dict[str, object]:

    keys = table.plan.setup.seats
    return {
        "schema": 1,
        "rules": table.plan.rules.key,
        "seed": table.plan.seed,
        "dice": table.dice,
        "battles": table.battles,
        "attacker": keys[0],
        "defender": keys[1],
        "advantage": {
            "per": str(table.advantage.per), "give": dict(table.advantage.give), "most": table.advantage.most
        },
        "columns": [
            {
                "ratio": column.name,
                "gives": gift_of(column),
                "results": [
                    {key: value for key, value in row(column, result).items() if key != "ratio"}
                    for result in column.results
                ],
            }
            for column in table.columns
        ],
        "codes": dict(code_explanations(table)),
    }  # fmt: skip


def gift_of(column: Column) -> dict[str, dict[str, object]]:
    """Return the options of each side in a column, as a battle file would have them."""
    return {edge.side: {gift.option: gift.after for gift in edge.gifts} for edge in column.edges}


def handicap_words(handicap: Handicap) -> str:
    """State in a sentence which value was found."""
    name = handicap.plan.sides[handicap.seat].name
    best = handicap.best
    chance = best.chance()
    result = f"{per_cent(chance.share)} ({per_cent(chance.low)} to {per_cent(chance.high)})"
    if not handicap.is_reached:
        bound = "high" if chance.share < handicap.target else "low"
        return (
            f"No value tried gives {name} a chance as {bound} as {per_cent(handicap.target)}; "
            f"the nearest is {values_text(handicap, best)} with {result}."
        )
    return (
        f"{values_text(handicap, best)} gives {name} a chance of {result}; "
        f"the target was {per_cent(handicap.target)}."
    )


def next_words(handicap: Handicap) -> list[str]:
    """If no tried value reaches the target, return a sentence about what else to try."""
    if handicap.is_reached:
        return []
    key, _, option = handicap.options[0].partition(".")
    values = untried(handicap)
    rules = handicap.plan.rules
    others = [word for word in rules.options if word != option and proposes_values(rules, word)]
    ways = [
        *([f"--values {values}"] if values else []),
        *([f"--option {listed(others, 'or')}"] if others else []),
        f"or another commander (--side {key}=RANK)",
    ]
    return [f"To come nearer, try {'; '.join(ways)}."]


def values_text(handicap: Handicap, trial: TriedValue) -> str:
    """Format the values of a trial, such as `north.hand = 11`."""
    pairs = zip(handicap.options, trial.values, strict=True)
    return listed(f"{option} = {value_text(value)}" for option, value in pairs)


def value_text(value: object) -> str:
    """Format a value in the way in which it is written on the command line."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


ENDED = {
    "precision": "precision reached",
    "limit": "limit of battles or time reached",
    "interrupted": "interrupted",
}


def handicap_source(handicap: Handicap) -> str:
    """Return a sentence about how the chances were counted."""
    return (
        f"{handicap.battles} battles of {handicap.plan.rules.name} ({ENDED[handicap.stopped]}); "
        f"seed {handicap.plan.seed}. A draw or a shared win counts as an equal share of a win."
    )


def handicap_page(handicap: Handicap) -> Document:
    """Show the value that gives a side its target chance, and the other values that were tried."""
    head = [*handicap.options, "chance", "95%", "battles"]
    rows = [[*map(value_text, trial.values), *chance_cells(trial)] for trial in handicap.trials[:MOST_SHOWN]]
    facts = []
    for trial in handicap.trials:
        share, interval, battles = chance_cells(trial)
        facts.append(f"{values_text(handicap, trial)}: {share} ({interval}) of {battles}")
    blocks: list[Content] = [
        Title(handicap_words(handicap)),
        Table(head, rows, range(1, len(head)), facts),
        *(Paragraph(text) for text in (*next_words(handicap), *scale_words(handicap))),
        *(Paragraph(text) for text in (handicap_source(handicap), *credits_of([handicap.plan.rules]))),
    ]
    columns = [*handicap.options, "points", "low", "high", "battles"]
    return Document(
        f"{handicap.plan.rules.name}: handicap",
        blocks,
        handicap_json(handicap),
        Numbers(columns, handicap_rows(handicap)),
    )


def scale_words(handicap: Handicap) -> list[str]:
    """Name a ratio of strength, a rank and an option that have about the same effect as the best value.

    If no value reaches the target, or the effect is small, the list is empty.
    """
    if len(handicap.plan.setup.seats) != 2 or not handicap.is_reached:
        return []
    points = abs(100 * (handicap.best.chance().share - 0.5))
    similar = similar_worths(handicap.plan.rules.key, points)
    if points < LEVEL or not similar:
        return []
    names = [f"{NAMES[worth.kind].format(worth.name)} {round(worth.points):+d}" for worth in similar]
    change = f"about as much ({round(points)} points)"
    if len(names) == 1:
        return [f"Between equal sides, {names[0]} changes the chance by {change}."]
    return [f"Between equal sides, each of these changes the chance by {change}: {listed(names)}."]


LEVEL = 2  # a smaller effect, in percentage points, is not compared with other advantages
NAMES = {"strength": "strength {}", "rank": "a commander of rank {}", "option": "{}"}


def handicap_rows(handicap: Handicap) -> list[dict[str, object]]:
    """Return a spreadsheet row for each value that was tried. The value nearest to the target is first."""
    return [
        {option: value_text(value) for option, value in zip(handicap.options, trial.values, strict=True)}
        | {
            "points": trial.chance().share,
            "low": trial.chance().low,
            "high": trial.chance().high,
            "battles": trial.battles,
        }
        for trial in handicap.trials
    ]


MOST_SHOWN = 8  # maximum number of tried values to show; the nearest values are shown


def chance_cells(trial: TriedValue) -> list[str]:
    chance = trial.chance()
    return [
        per_cent(chance.share),
        f"{per_cent(chance.low)} to {per_cent(chance.high)}",
        str(trial.battles),
    ]


def handicap_json(handicap: Handicap) -> dict[str, object]:

    return {
        "schema": 1,
        "rules": handicap.plan.rules.key,
        "seed": handicap.plan.seed,
        "side": handicap.plan.setup.seats[handicap.seat],
        "target": handicap.target,
        "reached": handicap.is_reached,
        "stopped": handicap.stopped,
        "battles": handicap.battles,
        "values": dict(zip(handicap.options, handicap.best.values, strict=True)),
        "tried": [
            {
                "values": dict(zip(handicap.options, trial.values, strict=True)),
                "points": trial.chance()._asdict(),
                "battles": trial.battles,
            }
            for trial in handicap.trials
        ],
    }
