"""table, handicap: what strength is worth, for the game table and for a fair battle."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.cli import options
from cardbattle.cli.reading import blame, read_battle_input
from cardbattle.cli.run import WITH_NUMBERS, BattleOptions, CommandGroup, Printer, WorkOptions, option_group
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.rules import find
from cardbattle.show.pages.balance import handicap_page, table_page
from cardbattle.simulation import handicap, results_table

COMMANDS = CommandGroup()


@option_group
class TableOptions(NamedTuple):
    """What a results table is of."""

    option: Annotated[
        str,
        typer.Option(
            "--option",
            metavar="OPTION[=STEP]",
            help="What each step of strength adds, such as hand, hand=2 or cards=K.  [default: by rule set]",
        ),
    ] = ""
    ratios: Annotated[
        str,
        typer.Option("--ratios", metavar="A:D,...", help="Columns: strength of attacker to defender."),
    ] = "1:2,2:3,1:1,3:2,2:1"
    dice: Annotated[
        str, typer.Option("--dice", metavar="DICE", help="Dice for the rows: 2d6, d10 or d100.")
    ] = "2d6"
    side: options.Sides = None
    seed: options.Seed = ""
    setting: options.Settings = None
    number: Annotated[
        int, typer.Option("-n", metavar="N", min=1, max=10**7, help="Battles to fight for each column.")
    ] = 2000


@COMMANDS.command(
    "cardbattle table field-of-honour\n"
    "cardbattle table field-of-honour --option hand --ratios 1:2,1:1,2:1 --dice d10",
    WITH_NUMBERS,
)
def table_command(
    rules: options.Rules,
    given: TableOptions,
    work: WorkOptions,
    to: Printer,
) -> None:
    """Print a combat results table for real dice.

    Rows are dice rolls, columns are strength ratios. The attacker is the first side.
    """
    options.one_of(given.dice, list(results_table.DICE), "--dice")
    chosen = find(rules)
    advantage = results_table.advantage_for(chosen, given.option)
    columns = results_table.read_ratios(given.ratios)
    wanted = results_table.TableWanted(advantage, columns, given.dice, given.number)
    sides = given.side or list(chosen.default_sides)[:2]
    battle = read_battle_input(BattleOptions(chosen.key, sides, given.seed, given.setting))
    with blame(battle), work.workforce() as hands, to.bar() as tick:
        found = results_table.count_table(chosen, battle.table, wanted, hands, tick)
    to.show(table_page(found))


@option_group
class HandicapOptions(NamedTuple):
    """What is varied, and what is wished for."""

    side: Annotated[
        list[str] | None,
        typer.Option(
            "--side",
            metavar="KEY[=COMMANDER]",
            help="Side to balance; KEY=COMMANDER sets a commander. Repeatable.  [default: the first side]",
            callback=options.as_keys,
        ),
    ] = None
    option: Annotated[
        str,
        typer.Option(
            "--option", metavar="OPTION", help="Side option to vary.  [default: the first numeric one]"
        ),
    ] = ""
    values: Annotated[
        str,
        typer.Option(
            "--values",
            metavar="VALUES",
            help='Values to try: a range (8..14) or a list ("K; K K").  [default: near the current one]',
        ),
    ] = ""
    both: Annotated[bool, typer.Option("--both", help="Also vary the other side's option.")] = False
    target: Annotated[
        str, typer.Option("--target", metavar="P%", help="Target chance: the side's share of the points.")
    ] = "50%"
    precision: Annotated[
        str,
        typer.Option(
            "--precision",
            metavar="P%",
            help="Stop when the chance is known to within P% (half of its 95% interval).",
        ),
    ] = "1%"
    seed: options.Seed = ""
    setting: options.Settings = None


@COMMANDS.command(
    "cardbattle handicap field-of-honour --side south --option hand --target 60%\n"
    "cardbattle handicap examples/shrewsbury.toml --values 8..14",
    WITH_NUMBERS,
)
def handicap_command(battle: options.Battle, given: HandicapOptions, work: WorkOptions, to: Printer) -> None:
    """Find the handicap that gives a side a target chance of winning."""
    stop = handicap.HandicapStop(options.read_per_cent(given.precision, "--precision"))
    wished = options.read_per_cent(given.target, "--target")
    subject, named = subject_of(battle, given.side or [])
    read = read_battle_input(BattleOptions(battle, named, given.seed, given.setting))
    with blame(read):
        plan = read_battle(read.table, read.base)
    who = options.one_of(subject or plan.setup.seats[0], plan.setup.seats, "--side")
    word = handicap.option_of(plan.rules, given.option)
    tried = handicap.read_values(plan.rules.options[word], given.values)
    wish = handicap.Wish(who, word, wished, tried, given.both)
    try:
        with work.workforce() as hands, to.bar() as tick:
            found = handicap.find_handicap(read.table, read.base, wish, stop, hands, tick)
    except InvalidInput as refused:
        raise UsageError(f"--values: {refused.mistakes[0].text}") from None
    to.show(handicap_page(found))
    if found.stopped == "interrupted":
        raise typer.Exit(130)


def subject_of(battle: str, sides: list[str]) -> tuple[str, list[str]]:
    """Return whose chance it is about, and the sides as every command takes them.

    A side without a commander is the one it is about, unless all sides of a bare rule set are named.
    UsageError if that makes two.
    """
    bare = [side for side in sides if "=" not in side]
    if not options.is_file(battle) and len(sides) > 1:
        return (bare or sides)[0].partition("=")[0], sides
    if len(bare) > 1:
        raise UsageError(
            f"--side {bare[1]}: the chance of one side is sought, and {bare[0]} is named already"
        )
    return "".join(bare), [side for side in sides if "=" in side]
