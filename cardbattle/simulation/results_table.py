"""Build combat results tables for real dice. Such a table has a column for each ratio of strength.

The simulated battles of a column are sorted from the worst result for the attacker to the best, by the winner
and by the losses of the loser. Then each result gets a range of dice totals. The range begins at the total
for which the chance to roll less is nearest to the chance of a worse result in the simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from itertools import accumulate, pairwise
from json import dumps
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.battles.strength import SideAdvantage, advantages_of, with_gifts
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import UsageError
from cardbattle.core.names import listed
from cardbattle.core.options import CardList, Whole
from cardbattle.core.ruleset import Advantage, RuleSet
from cardbattle.files.signals import signals_deferred
from cardbattle.simulation.counting import Ending, add_counts, count_endings
from cardbattle.simulation.intervals import Interval, wilson
from cardbattle.simulation.sample import plan_in
from cardbattle.simulation.workers import in_order

RATIOS = "1:2,2:3,1:1,3:2,2:1"
BATTLES = 2000  # default number of battles for each column
MOST_STRENGTH = 10**6
PATH = "table"
CHUNK = 50
DEGREES = [
    Fraction(1, 3),
    Fraction(2, 3),
]  # minimum losses of the loser in clear and crushing victories
DICE = {
    "2d6": [(total, min(total - 1, 13 - total)) for total in range(2, 13)],
    "d10": [(total, 1) for total in range(1, 11)],
    "d100": [(total, 1) for total in range(1, 101)],
}


class Code(NamedTuple):
    """A result in the table, with the winner and the size of the victory from 1 to 3.

    After a draw or a shared win, the winner is NOBODY and the size is 0.
    """

    winner: int
    degree: int

    def __str__(self) -> str:
        return "=" if self.winner == NOBODY else f"{'AD'[self.winner]}{self.degree}"


CODES = [Code(1, 3), Code(1, 2), Code(1, 1), Code(NOBODY, 0), Code(0, 1), Code(0, 2), Code(0, 3)]


class TableEntry(NamedTuple):
    """A result in one column, with the dice totals that mean this result.

    The entry also has the chance to roll one of these totals, and the chance of the result in the simulation.

    `low` and `high` are the first and the last of these totals. Both are 0 if no total means this
    result.
    """

    code: Code
    low: int
    high: int
    dice: Fraction
    true: Interval


class Column(NamedTuple):
    """A column of the table, with a ratio of strength, the advantages of both sides, and the results."""

    ratio: tuple[int, int]
    edges: list[SideAdvantage]
    endings: dict[Ending, int]
    results: list[TableEntry]

    @property
    def name(self) -> str:
        """The ratio of strength as text, such as "3:1"."""
        return f"{self.ratio[0]}:{self.ratio[1]}"


class ResultsTable(NamedTuple):
    """A combat results table. The attacker is the side at seat 0."""

    plan: BattlePlan
    advantage: Advantage
    dice: str
    battles: int  # number of battles in each column
    columns: list[Column]

    def __repr__(self) -> str:
        ratios = " ".join(column.name for column in self.columns)
        return f"<ResultsTable of {self.plan.rules.name} for {self.dice}: {ratios}>"

    def losses(self, code: Code) -> tuple[Fraction, Fraction] | None:
        """Return the mean losses of attacker and defender in battles with this result.

        Return None if no battle had this result.
        """
        attacker, defender, often = Fraction(0), Fraction(0), 0
        for column in self.columns:
            for ending, times in column.endings.items():
                if code_of(ending) == code:
                    attacker += fraction_of(ending[1]) * times
                    defender += fraction_of(ending[2]) * times
                    often += times
        return (attacker / often, defender / often) if often else None


def fraction_of(loss: tuple[int, int]) -> Fraction:
    """Convert a loss from a pair (numerator, denominator) to a Fraction."""
    return Fraction(loss[0], loss[1])


class ColumnJob(NamedTuple):
    """A task for a worker, which is to fight the battles `first` to `beyond` - 1 of one column."""

    column: int
    table: str  # JSON
    base: str
    first: int
    beyond: int


def run_column_job(job: ColumnJob) -> tuple[int, dict[Ending, int]]:
    """Fight the battles of a job.

    Return the number of the column, and the number of battles with each ending.
    """
    return job.column, count_endings(plan_in(job.table, job.base), PATH, job.first, job.beyond)


def read_ratios(text: str) -> list[tuple[int, int]]:
    """Parse a list of ratios of the attacker's to the defender's strength.

    Strengths are from 1 to 1,000,000.

    Raises UsageError, which explains the notation, if the text is not such a list.

    >>> read_ratios("1:2, 3:1")
    [(1, 2), (3, 1)]
    """
    ratios = []
    for word in text.split(","):
        parts = word.strip().split(":")
        if len(parts) != 2 or not all(is_strength(part) for part in parts):
            raise UsageError(
                f'--ratios "{word.strip()[:20]}": write attacker:defender in whole numbers, such as {RATIOS}'
            )
        ratios.append((int(parts[0]), int(parts[1])))
    return ratios


def is_strength(word: str) -> bool:
    """Return True if a word is a whole number from 1 to 1,000,000."""
    return word.isascii() and word.isdigit() and 0 < int(word[:8]) <= MOST_STRENGTH and len(word) < 8


def advantage_for(rules: RuleSet, option: str) -> Advantage:
    """Return the advantage for greater strength that the user requests.

    `option` has the form OPTION or OPTION=STEP. If it is empty, the function returns the default advantage of
    the rule set.

    STEP is the number that each step of strength adds to the option, or the cards that it adds. The default
    is 1. Raises UsageError, which lists the options that steps can increase, if the option is not one of
    them.
    """
    shipped = rules.advantage
    word, equals, step = option.partition("=")
    if not option or (shipped is not None and not equals and list(shipped.give) == [word]):
        if shipped is None:
            raise UsageError(
                f"{rules.name} has no default advantage; write what a step adds: --option OPTION=1"
            )
        return shipped
    option_type = rules.options.get(word)
    if isinstance(option_type, Whole):
        gift: object = option_type.words(step) if equals else 1
        if type(gift) is not int or gift == 0:
            raise UsageError(f"--option {option}: expected a whole number for each step, such as {word}=1")
    elif isinstance(option_type, CardList):
        gift = option_type.words(step)
        try:
            cards = [option_type.card_named(card) for card in gift] if isinstance(gift, list) else []
        except ValueError as error:
            raise UsageError(f"--option {option}: {error}") from None
        if not cards:
            raise UsageError(f"--option {option}: name the cards that a step adds: {word}=CARD")
    else:
        fit = [each for each, kind in rules.options.items() if isinstance(kind, Whole | CardList)]
        raise UsageError(f"--option {option}: numbers and cards can be given in steps: {listed(fit, 'or')}")
    terms = shipped or Advantage(Fraction(1, 4), {}, 8)
    return Advantage(terms.per, {word: gift}, terms.most)


class TableRequest(NamedTuple):
    """A request for a combat results table.

    It has the advantage for greater strength, the dice, the number of battles for each column, and the ratio
    of the attacker's to the defender's strength for each column.
    """

    advantage: Advantage
    ratios: Sequence[tuple[int, int]]
    dice: str
    battles: int


def count_table(
    rules: RuleSet,
    battle: Mapping[str, object],
    wanted: TableRequest,
    hands: tuple[Executor, int],
    report_progress: Callable[[int, int], None] = lambda finished, of: None,
) -> ResultsTable:
    """Fight the battles of all columns, and return the table. The battle must have a seed.

    Raises UsageError if there are not exactly two sides, and InvalidInput if the battle of a column is not
    valid.
    """
    advantage, ratios, dice, battles = wanted
    plan = read_battle(battle, "")
    keys = plan.setup.seats
    if len(keys) != 2:
        raise UsageError(f"a combat results table has an attacker and a defender, got {len(keys)} sides")
    advantages = [
        advantages_of(rules, advantage, dict(zip(keys, ratio, strict=True)), battle) for ratio in ratios
    ]
    tables = [with_gifts(battle, each) for each in advantages]
    for each in tables:
        read_battle(each, "")  # reject invalid columns before the first battle
    endings = fight_columns(tables, battles, hands, report_progress)
    columns = [
        Column(ratio, edge, ending, results(ending, dice))
        for ratio, edge, ending in zip(ratios, advantages, endings, strict=True)
    ]
    return ResultsTable(plan, advantage, dice, battles, columns)


def fight_columns(
    tables: Sequence[Mapping[str, object]],
    battles: int,
    hands: tuple[Executor, int],
    report_progress: Callable[[int, int], None],
) -> list[dict[Ending, int]]:
    """Fight the battles of all columns. Return the number of battles with each ending, for each column."""
    endings: list[dict[Ending, int]] = [{} for _ in tables]
    finished = 0
    executor, workers = hands
    for column, more in in_order(executor, run_column_job, jobs(tables, battles), workers):
        with signals_deferred():
            add_counts(endings[column], more)
        finished += sum(more.values())
        report_progress(finished, battles * len(tables))
    return endings


def jobs(tables: Sequence[Mapping[str, object]], battles: int) -> Iterator[ColumnJob]:
    """Yield the jobs for the workers, one column after the other."""
    for column, battle in enumerate(tables):
        sent = dumps(battle, default=str)
        for first in range(0, battles, CHUNK):
            yield ColumnJob(column, sent, "", first, min(first + CHUNK, battles))


def code_of(ending: Ending) -> Code:
    """Return the result in the table to which the ending of a battle belongs."""
    winner = ending[0]
    if winner == NOBODY:
        return Code(NOBODY, 0)
    lost = fraction_of(ending[2] if winner == 0 else ending[1])
    return Code(winner, 1 + sum(lost >= degree for degree in DEGREES))


def results(endings: Mapping[Ending, int], dice: str) -> list[TableEntry]:
    """Return the results in one column of a combat results table.

    Each result has its dice totals. The results are sorted from the worst to the best for the attacker.
    """
    counts = dict.fromkeys(CODES, 0)
    for ending, times in endings.items():
        counts[code_of(ending)] += times
    battles = sum(counts.values())
    bands = dice_for([Fraction(times, battles) for times in counts.values()], DICE[dice])
    return [
        TableEntry(code, *band, wilson(counts[code], battles))
        for code, band in zip(CODES, bands, strict=True)
    ]


def dice_for(chances: Sequence[Fraction], dice: Sequence[tuple[int, int]]) -> list[tuple[int, int, Fraction]]:
    """Return a tuple (first, last, chance) for each of the given chances.

    `first` and `last` are the first and the last dice total of a range, and `chance` is the chance to roll
    one of these totals.

    If the range is empty, both totals are 0. The given chances must add up to 1. `dice` has a pair of total
    and weight for each possible total.

    >>> dice_for([Fraction(1, 3), Fraction(2, 3)], [(total, 1) for total in range(1, 11)])
    [(1, 3, Fraction(3, 10)), (4, 10, Fraction(7, 10))]
    """
    whole = sum(weight for _, weight in dice)
    below = [Fraction(0), *accumulate(Fraction(weight, whole) for _, weight in dice)]
    totals = [total for total, _ in dice]
    places = [nearest_value(below, chance) for chance in [Fraction(0), *accumulate(chances)]]
    return [
        (totals[begin], totals[end - 1], below[end] - below[begin]) if begin < end else (0, 0, Fraction(0))
        for begin, end in pairwise(places)
    ]


def nearest_value(values: Sequence[Fraction], wanted: Fraction) -> int:
    """Return the index of the value that is nearest to `wanted`.

    If two values are equally near, return the index of the first.
    """
    return min(range(len(values)), key=lambda index: abs(values[index] - wanted))
