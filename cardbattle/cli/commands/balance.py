"""The commands `table` and `handicap`."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.cli import options
from cardbattle.cli.parameters import option
from cardbattle.cli.reading import blame, read_battle_input
from cardbattle.cli.run import WITH_NUMBERS, BattleOptions, CommandGroup, Printer, WorkOptions, option_group
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.rules import find
from cardbattle.show.pages.balance import handicap_page, table_page
from cardbattle.simulation import handicap, results_table

COMMANDS = CommandGroup()


@option_group
class TableOptions(NamedTuple):
    """The options of `table`, except the rule set and the output options."""

    option: Annotated[
        str,
        option(
            "--option OPTION[=STEP]",
            "Side option that a step of strength increases: hand adds 1, hand=2 adds 2, cards=K a K.  "
            "[default: set by the rule set]",
        ),
    ] = ""
    ratios: Annotated[
        str,
        option(
            "--ratios A:D,...", "Columns of the table: ratios of the attacker's strength to the defender's."
        ),
    ] = "1:2,2:3,1:1,3:2,2:1"
    dice: Annotated[str, option("--dice DICE", "Dice to roll for a row of the table: 2d6, d10 or d100.")] = (
        "2d6"
    )
    side: options.Sides = None
    seed: options.Seed = ""
    setting: options.Settings = None
    preset: options.PresetName = ""
    number: Annotated[int, option("-n N", "Battles to fight for each column.", min=1, max=10**7)] = 2000


@COMMANDS.command(
    "cardbattle table field-of-honour\n"
    "cardbattle table field-of-honour --option hand --ratios 1:2,1:1,2:1 --dice d10",
    WITH_NUMBERS,
)
def table_command(
    rules: options.Rules,
    wanted: TableOptions,
    work: WorkOptions,
    to: Printer,
) -> None:
    """Print a combat results table for real dice.

    Rows are dice rolls, and columns are strength ratios. The attacker is the first side.
    """
    options.one_of(wanted.dice, list(results_table.DICE), "--dice")
    chosen = find(rules)
    advantage = results_table.advantage_for(chosen, wanted.option)
    columns = results_table.read_ratios(wanted.ratios)
    plan = results_table.TableRequest(advantage, columns, wanted.dice, wanted.number)
    sides = wanted.side or list(chosen.default_sides)[:2]
    battle = read_battle_input(BattleOptions(chosen.key, sides, wanted.seed, wanted.setting, wanted.preset))
    with blame(battle), work.workforce() as hands, to.progress("battles", to.announcer("")) as tick:
        table = results_table.count_table(chosen, battle.table, plan, hands, tick)
    to.show(table_page(table))


@option_group
class HandicapOptions(NamedTuple):
    """The options of `handicap`, except the battle and the output options."""

    side: Annotated[
        list[str] | None,
        option(
            "--side KEY[=COMMANDER]",
            "Side that gets the handicap; KEY=COMMANDER sets a commander. Repeatable.  "
            "[default: the first side]",
            callback=options.as_keys,
        ),
    ] = None
    option: Annotated[
        str,
        option(
            "--option OPTION",
            "Side option to vary.  [default: one with numbers, otherwise the one for strength]",
        ),
    ] = ""
    values: Annotated[
        str,
        option(
            "--values VALUES",
            'Values to try: a range (8..14) or a list with semicolons ("K; K K").  '
            "[default: near the current value]",
        ),
    ] = ""
    both: Annotated[
        bool, option("--both", "Vary the option for both sides, and try all pairs of values.")
    ] = False
    target: Annotated[
        str, option("--target P%", "Target chance: the side's average share of the points.")
    ] = "50%"
    precision: Annotated[
        str,
        option(
            "--precision P%", "Stop when the chance is known to within P percentage points (95% confidence)."
        ),
    ] = "1%"
    seed: options.Seed = ""
    setting: options.Settings = None
    preset: options.PresetName = ""


@COMMANDS.command(
    "cardbattle handicap field-of-honour --side south --option hand --target 60%\n"
    "cardbattle handicap examples/shrewsbury.toml --values 8..14",
    WITH_NUMBERS,
)
def handicap_command(battle: options.Battle, wanted: HandicapOptions, work: WorkOptions, to: Printer) -> None:
    """Find the handicap that gives a side a target chance of winning."""
    stop = handicap.HandicapStop(options.read_per_cent(wanted.precision, "--precision"))
    target = options.read_per_cent(wanted.target, "--target")
    subject, sides = subject_of(battle, wanted.side or [])
    battle_input = read_battle_input(BattleOptions(battle, sides, wanted.seed, wanted.setting, wanted.preset))
    with blame(battle_input):
        plan = read_battle(battle_input.table, battle_input.base)
    side = options.one_of(subject or plan.setup.seats[0], plan.setup.seats, "--side")
    option = handicap.option_of(plan.rules, wanted.option)
    values = handicap.read_values(plan.rules.options[option], wanted.values)
    wish = handicap.HandicapRequest(side, option, target, values, wanted.both)
    try:
        announce = to.announcer("; Ctrl-C stops and prints the results so far")
        with work.workforce() as pool, to.progress("battles", announce) as tick:
            result = handicap.find_handicap(battle_input.table, battle_input.base, wish, stop, pool, tick)
    except InvalidInput as error:
        raise UsageError(f"--values: {error.errors[0].text}") from None
    to.show(handicap_page(result))
    if result.stopped == "interrupted":
        raise typer.Exit(130)


def subject_of(battle: str, sides: list[str]) -> tuple[str, list[str]]:
    """Return a pair: the key of the side with the handicap, and the values of --side that set the battle.

    A --side without a commander names the side with the handicap. Without such a --side, the key is "". If
    `battle` is a rule set and several sides are named, it is the first one without a commander. If all have a
    commander, it is the first one. Raises UsageError if a battle file is given and two sides without a
    commander are named.
    """
    bare = [side for side in sides if "=" not in side]
    if not options.is_file(battle) and len(sides) > 1:
        return (bare or sides)[0].partition("=")[0], sides
    if len(bare) > 1:
        raise UsageError(
            f"--side {bare[1]}: only one side gets a handicap, and --side {bare[0]} already names this side"
        )
    return "".join(bare), [side for side in sides if "=" in side]
