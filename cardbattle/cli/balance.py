"""table, handicap: what strength is worth, for the game table and for a fair battle."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.chances import bar
from cardbattle.cli.output import as_json, write
from cardbattle.cli.reading import blame, is_file, read_given
from cardbattle.core.errors import Refused, UsageError

if TYPE_CHECKING:
    from cardbattle.chances.handicap import Handicap
    from cardbattle.chances.results_table import ResultsTable

FORMATS = ("text", "plain", "json", "csv", "md", "html")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(
        epilog="Example: cardbattle table field-of-honour --option hand --ratios 1:2,1:1,2:1 --dice 2d6"
    )(table)
    app.command(
        epilog="Example: cardbattle handicap field-of-honour --side south --option hand --target 60%"
    )(handicap)


def table(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule set.")],
    option: Annotated[
        str,
        typer.Option(
            "--option",
            metavar="OPTION[=STEP]",
            help="What a step of strength gives, as hand, hand=2 or cards=K; else the rule set's own.",
        ),
    ] = "",
    ratios: Annotated[
        str, typer.Option("--ratios", metavar="A:D,...", help="The columns: attacker to defender.")
    ] = "1:2,2:3,1:1,3:2,2:1",
    dice: Annotated[str, typer.Option("--dice", metavar="DICE", help="2d6, d10 or d100.")] = "2d6",
    side: options.Sides = None,
    seed: options.Seed = "",
    setting: options.Settings = None,
    number: Annotated[
        int, typer.Option("-n", metavar="N", min=1, max=10**7, help="Fight so many battles for each column.")
    ] = 2000,
    jobs: options.Jobs = None,
    scheduler: options.Scheduler = "",
    output: options.Output = "",
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, plain, json, csv, md or html.")
    ] = "text",
    json: options.Json = False,
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Print a combat results table for real dice: the attacker is the first side."""
    from cardbattle import rules as known
    from cardbattle.chances import results_table as tables
    from cardbattle.chances.workers import workforce

    form = options.read_format(format, json, FORMATS)
    options.one_of(dice, list(tables.DICE), "--dice")
    chosen = known.find(rules)
    columns = tables.read_ratios(ratios)
    advantage = tables.advantage_for(chosen, option)
    sides = side or list(chosen.default_sides)[:2]
    given = read_given(chosen.key, sides, setting or [], options.read_seed(seed))
    with (
        blame(given),
        workforce(jobs, scheduler) as hands,
        bar(quiet) as tell,
    ):
        found = tables.table(chosen, given.table, advantage, columns, dice, number, hands, tell)
    if output and output != "-":
        write(output, rendered(found, options.form_of(output, form, FORMATS)), quiet)
    elif form == "text" and not output:
        from cardbattle.show import tables as shown
        from cardbattle.show.console import console

        shown.text(found, console(sys.stdout, False if no_color else None))
    else:
        sys.stdout.write(rendered(found, form))


def rendered(found: ResultsTable, form: str) -> str:
    """Return a table in a format that needs no terminal."""
    from cardbattle.show import tables as shown

    if form == "json":
        return as_json(shown.json(found))
    makers = {"csv": shown.csv, "md": shown.markdown, "html": shown.html}
    return makers.get(form, shown.plain)(found)


def handicap(
    battle: options.Battle,
    side: Annotated[
        list[str] | None,
        typer.Option(
            "--side",
            metavar="KEY[=COMMANDER]",
            help="Whose chance it is about, else the first; with a commander as elsewhere.",
        ),
    ] = None,
    option: Annotated[
        str, typer.Option("--option", metavar="OPTION", help="The option to vary; else what strength gives.")
    ] = "",
    values: Annotated[
        str,
        typer.Option(
            "--values", metavar="VALUES", help='Those to try, as 8..14 or "K; K K"; else near ones.'
        ),
    ] = "",
    both: Annotated[bool, typer.Option("--both", help="Vary the other side's option too.")] = False,
    target: Annotated[
        str, typer.Option("--target", metavar="P%", help="The wished share of points.")
    ] = "50%",
    precision: Annotated[
        str, typer.Option("--precision", metavar="P%", help="How well the chance is to be known.")
    ] = "1%",
    seed: options.Seed = "",
    setting: options.Settings = None,
    jobs: options.Jobs = None,
    scheduler: options.Scheduler = "",
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, plain or json.")] = "text",
    json: options.Json = False,
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Find the value of an option that brings a side to a wished chance."""
    from cardbattle.chances import handicap as handicaps
    from cardbattle.chances.workers import workforce
    from cardbattle.records.battle_file import read_battle

    form = options.read_format(format, json, ("text", "plain", "json"))
    stop = handicaps.Stop(options.read_per_cent(precision, "--precision"))
    wished = options.read_per_cent(target, "--target")
    subject, named = subject_of(battle, side or [])
    given = read_given(battle, named, setting or [], options.read_seed(seed))
    with blame(given):
        plan = read_battle(given.table, given.base)
    who = options.one_of(subject or plan.setup.seats[0], plan.setup.seats, "--side")
    word = handicaps.option_of(plan.rules, option)
    tried = handicaps.read_values(plan.rules.options[word], values)
    wish = handicaps.Wish(who, word, wished, tried, both)
    try:
        with workforce(jobs, scheduler) as hands, bar(quiet) as tell:
            found = handicaps.handicap(given.table, given.base, wish, stop, hands, tell)
    except Refused as refused:
        raise UsageError(f"--values: {refused.mistakes[0].text}") from None
    if form == "text":
        from cardbattle.show import tables as shown
        from cardbattle.show.console import console

        shown.handicap_text(found, console(sys.stdout, False if no_color else None))
    else:
        sys.stdout.write(as_words(found, form))
    if found.stopped == "interrupted":
        raise typer.Exit(130)


def as_words(found: Handicap, form: str) -> str:
    """Return a handicap in a format that needs no terminal."""
    from cardbattle.show import tables as shown

    return as_json(shown.handicap_json(found)) if form == "json" else shown.handicap_plain(found)


def subject_of(battle: str, sides: list[str]) -> tuple[str, list[str]]:
    """Return whose chance it is about, and the sides as every command takes them.

    A side without a commander is the one it is about, unless all sides of a bare rule set are named.
    """
    bare = [side for side in sides if "=" not in side]
    if not is_file(battle) and len(sides) > 1:
        return (bare or sides)[0].partition("=")[0], sides
    if len(bare) > 1:
        raise UsageError(
            f"--side {bare[1]}: the chance of one side is sought, and {bare[0]} is named already"
        )
    return "".join(bare), [side for side in sides if "=" in side]
