"""The commands `odds` and `batch`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.battles.records import results_file
from cardbattle.cli import options
from cardbattle.cli.engine_options import EngineOptions
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.reading import blame, read_battle_input
from cardbattle.cli.run import WITH_NUMBERS, BattleOptions, CommandGroup, Printer, WorkOptions, option_group
from cardbattle.core.errors import InvalidInput, UsageError, first
from cardbattle.core.names import clean
from cardbattle.core.telling import counted
from cardbattle.files.disk import write_text
from cardbattle.rules import find
from cardbattle.show.document import Computed
from cardbattle.show.pages.battle import results_page
from cardbattle.show.pages.odds import odds_page
from cardbattle.show.pages.ranks import presets_page, ranks_page
from cardbattle.simulation import batch
from cardbattle.simulation.journal import Finished, Journal, last_seed, saved_battles
from cardbattle.simulation.odds import OddsStop, count_odds
from cardbattle.simulation.ranks import count_by_preset, count_by_rank
from cardbattle.simulation.worth import first_move_words

if TYPE_CHECKING:
    from cardbattle.simulation.batch import Batch
    from cardbattle.simulation.counting import Count
    from cardbattle.simulation.journal import FinishedBattle

Number = Annotated[
    int | None,
    option("-n N", "Fight exactly N battles.  [default: until --precision is reached]", min=1, max=10**9),
]
Precision = Annotated[
    str,
    option(
        "--precision P%",
        "Stop when every chance is known to within P percentage points (95% confidence).  [default: 1%]",
    ),
]


COMMANDS = CommandGroup()


ByRank = Annotated[
    bool,
    option("--ranks", "Same as --compare ranks."),
]


Compare = Annotated[
    str,
    option(
        "--compare WHAT",
        "ranks: print the chances with regular, seasoned and veteran commanders; "
        "presets: with each preset of house rules.",
    ),
]


@COMMANDS.command(
    "cardbattle odds field-of-honour --side york --side lancaster --set york.hand=12\n"
    "cardbattle odds examples/shrewsbury.toml -n 2000 --seed 1403",
    WITH_NUMBERS,
)
def odds_command(
    battle: BattleOptions,
    work: WorkOptions,
    engines: EngineOptions,
    to: Printer,
    number: Number = None,
    precision: Precision = "",
    by_rank: ByRank = False,
    compare: Compare = "",
) -> None:
    """Fight a battle many times and print each side's chances.

    Without -n, the simulation stops when --precision is reached, after 200,000 battles or after 30 seconds,
    whichever comes first. Press Ctrl-C to stop early and print the result so far. If an engine commands a
    side, all battles run in one process.
    """
    if number and precision:
        raise UsageError("-n and --precision contradict each other; leave out one")
    compared = options.one_of(compare, ["ranks", "presets"], "--compare") if compare else ""
    if by_rank and compared == "presets":
        raise UsageError("--ranks and --compare presets contradict each other; leave out one")
    compared = "ranks" if by_rank else compared
    if compared == "presets" and battle.preset:
        raise UsageError("--compare presets already uses each preset; leave out --preset")
    stop = OddsStop(number, options.read_per_cent(precision, "--precision") if precision else 0.01)
    battle_input = read_battle_input(battle)
    table, base = battle_input.table, battle_input.base
    with (
        engines.allow(battle.side) as host,
        blame(battle_input),
        work.workforce(here=host is not None) as pool,
        to.bar() as tick,
    ):

        def show_progress(counted: Count, of: int) -> None:
            tick(counted.battles, of)

        if compared == "ranks":
            ranked = count_by_rank(table, base, stop, *pool, show_progress)
            odds = [*ranked.values()][-1]
            page = ranks_page(ranked)
        elif compared == "presets":
            by_preset = count_by_preset(table, base, stop, *pool, show_progress)
            odds = [*by_preset.values()][-1]
            page = presets_page(by_preset)
        else:
            odds = count_odds(table, base, stop, *pool, show_progress)
            page = odds_page(odds)
    to.show(page)
    to.hint(first_move_words(odds.plan.rules, odds.plan.setup.house))
    if odds.stopped == "interrupted":
        raise typer.Exit(130)


@option_group
class BatchOptions(NamedTuple):
    """The options of `batch`, except the file and the output options."""

    seed: options.Seed = ""
    records: Annotated[
        bool, option("--records", "Also write every record, to a folder next to the results.")
    ] = False
    resume: Annotated[bool, option("--resume", "Continue an interrupted batch from its saved results.")] = (
        False
    )


@COMMANDS.command(
    "cardbattle batch examples/skirmishes.csv -o results.toml --records\n"
    "cardbattle batch examples/skirmishes.csv --seed 1403 --format csv",
    WITH_NUMBERS,
)
def batch_command(
    file: Annotated[
        str, argument("FILE.toml|FILE.csv", "A TOML file with [[battle]] tables, or a spreadsheet as CSV.")
    ],
    how: BatchOptions,
    work: WorkOptions,
    to: Printer,
) -> None:
    """Fight all battles of a file and write their results.

    -o writes a results file (TOML), which `cardbattle campaign import` can read, unless --format or the
    file's extension asks for another format. Without -o, the results are printed.
    """
    output = to.path
    if (how.records or how.resume) and output in ("", "-"):
        raise UsageError(
            f"{'--records' if how.records else '--resume'} needs a results file; name one with -o"
        )
    if how.records:
        results_file.folder_of(output)
    part = f"{output}.part"
    if how.resume and os.path.exists(output) and not os.path.exists(part):
        raise UsageError(
            f"{clean(output)}: these results are complete, nothing is left to resume; "
            "to fight all battles again, leave out --resume"
        )
    saved = saved_battles(part) if output not in ("", "-") else 0
    read = batch.read_batch(file, options.read_seed(how.seed), last_seed(part) if how.resume else None)
    double = batch.duplicates(read)
    if double:
        raise InvalidInput(double)
    journal = Journal(part, read, how.records) if output not in ("", "-") else None
    finished = journal.read() if journal and how.resume else Finished(len(read.entries), journal)
    if saved and how.resume:
        to.message(f"{len(finished)} of {counted(len(read.entries), 'battle')} are already finished")
    elif saved:
        message(
            f"all battles are fought again: {clean(part)} had {counted(saved, 'finished battle')}, "
            "which --resume would have kept"
        )
    if journal is not None:
        journal.begin(finished)
    try:
        fight_batch(read, journal, finished, work, to)
    except BaseException:
        print_resume_hint(read, journal, finished)
        raise
    write_results(read, finished, to)
    message(f"seed {clean(str(read.seed))}")
    failed = first(batch.failures(read, finished))
    if journal is not None:
        to.message(f"wrote {clean(output)}: {counted(len(finished.fought), 'result')}")
        journal.end()
    if failed:
        raise InvalidInput(failed)


def fight_batch(
    read: Batch, journal: Journal | None, finished: Finished, work: WorkOptions, to: Printer
) -> None:
    """Fight the remaining battles, and add each finished battle to the journal, which --resume reads.

    The journal must have been begun. Raises SystemFailure if it cannot be written, or if a worker has died.
    """
    with work.workforce() as (pool, workers), to.bar() as tick:
        tick(len(finished), len(read.entries))

        def show_progress(number: int, result: FinishedBattle) -> None:
            tick(len(finished), len(read.entries))

        batch.fight_all(
            read, pool, workers, journal is not None and journal.wants_records, finished, show_progress
        )


def print_resume_hint(read: Batch, journal: Journal | None, finished: Finished) -> None:
    """Print the progress of an unfinished batch, and the command that continues it."""
    if journal is not None:
        message(
            f"{len(finished)} of {counted(len(read.entries), 'battle')} are finished, "
            f"saved in {clean(journal.path)}; "
            "to continue, repeat the command with --resume"
        )


def write_results(read: Batch, finished: Finished, to: Printer) -> None:
    """Write or print the results in the order of the batch.

    With --records, write the records first. Raises SystemFailure if a file cannot be written.
    """
    fought = finished.fought
    tables = Computed(fought, lambda number: finished[number].result)
    if finished.has_records:
        folder = results_file.make_folder(to.path)
        for number in fought:
            write_text(os.path.join(folder, f"{finished[number].result['id']}.toml"), finished[number].record)
        name = os.path.basename(folder)
        tables = Computed(fought, lambda number: results_file.with_record(finished[number].result, name))
    rules = dict.fromkeys(str(table["rules"]) for table in tables)
    page = results_page(tables, read.seed, map(find, rules))
    is_results = not to.is_asked and to.form in ("text", "plain")
    if to.path not in ("", "-"):
        write_text(to.path, results_file.file_parts(tables) if is_results else to.parts(page))
        if is_results and not to.path.lower().endswith(".toml"):
            to.hint(f"{clean(to.path)} is a results file, in TOML; for a spreadsheet, write to a .csv file")
    elif to.path == "-" and is_results:
        sys.stdout.writelines(results_file.file_parts(tables))
    else:
        to.show(page)
