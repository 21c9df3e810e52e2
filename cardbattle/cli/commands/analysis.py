"""The command `analyse`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.replay import ReplayMismatch, check_digest, refight
from cardbattle.battles.records.what_if import decisions_of, fight_on, find_decision, some_of
from cardbattle.campaign.turn.analysis_cache import AnalysisCache
from cardbattle.cli import options
from cardbattle.cli.parameters import option
from cardbattle.cli.reading import read_record_file
from cardbattle.cli.run import ALL, CommandGroup, Printer, WorkOptions, option_group
from cardbattle.core.errors import Diagnostic, UsageError
from cardbattle.show.pages.analysis import analysis_page
from cardbattle.show.pages.what_if import what_if_page
from cardbattle.simulation.analysis import Depth, analyse_record
from cardbattle.simulation.turning_points import CurveSample, sample_curve, turning_points

if TYPE_CHECKING:
    from cardbattle.battles.records.record import Record
    from cardbattle.show.document import Document
    from cardbattle.simulation.analysis import Analysis
    from cardbattle.simulation.turning_points import Curve, TurningPoint


COMMANDS = CommandGroup()
QUICK = 20  # number of battles from each position with --quick


@option_group
class AnalysisOptions(NamedTuple):
    """The options of `analyse` that set the amount of simulation, and which choices are listed."""

    battles: Annotated[
        int, option("-n N", "Battles to simulate from each position, for each side.", min=10, max=100_000)
    ] = 100
    all_seeing: Annotated[
        bool,
        option("--all-seeing", "Calculate chances from the actual cards instead of what each side knew."),
    ] = False
    margin: Annotated[
        str,
        option(
            "--margin P%", "List the choices that cost a side at least P percentage points of its chance."
        ),
    ] = "10%"
    positions: Annotated[int, option("--positions N", "Analyse at most N positions.", min=2, max=10_000)] = 40
    quick: Annotated[
        bool,
        option(
            "--quick",
            f"Simulate at most {QUICK} battles from each position, and leave out the turning points.",
        ),
    ] = False


WHAT_IF = "What if"


@option_group
class WhatIfOptions(NamedTuple):
    """The options of `analyse` that change one decision of the battle."""

    at: Annotated[
        str,
        option(
            "--at STEP",
            'Decision to change, by the number of its step, such as 7, or its move, such as "move 3".',
            callback=options.validate_text,
            panel=WHAT_IF,
        ),
    ] = ""
    instead: Annotated[
        str,
        option(
            "--instead OPTION",
            'Option to choose in the decision of --at, such as "play KH rally".',
            callback=options.validate_text,
            panel=WHAT_IF,
        ),
    ] = ""
    viewer: Annotated[
        str,
        option(
            "--for SIDE",
            "With --at: calculate chances from what this side knew.  [default: all cards]",
            callback=options.as_key,
            panel=WHAT_IF,
        ),
    ] = ""


@COMMANDS.command(
    "cardbattle analyse record.toml\n"
    "cardbattle analyse record.toml -n 1000 --margin 5% -o analysis.html\n"
    'cardbattle analyse record.toml --at 7 --instead "play KH rally"',
    ALL,
)
def analyse_command(
    record: options.RecordFile, how: AnalysisOptions, other: WhatIfOptions, work: WorkOptions, to: Printer
) -> None:
    """Show how choices and luck changed the chances in a battle.

    With --at and --instead, the command changes one decision, lets regular commanders finish the battle, and
    compares each side's chances with those in the recorded battle. The results are saved for the next run.
    """
    options.read_per_cent(how.margin, "--margin")
    check_what_if(how, other)
    read, source = read_record_file(record)
    try:
        check_digest(read)
        if other.at:
            to.show(what_if_of(read, record, how, other, to))
        else:
            to.show(analysis_of(read, record, how, work, to))
    except ReplayMismatch as mismatch:
        at = ("moves", mismatch.move - 1) if 0 < mismatch.move <= len(read.moves) else ()
        source.refuse([Diagnostic(str(mismatch), at=at)])


def analysis_of(record: Record, path: str, how: AnalysisOptions, work: WorkOptions, to: Printer) -> Document:
    """Return the analysis page of a record.

    `path` is the path of the record, or "" if it has none. Raises the errors of `analyse_record`.
    """
    cache = AnalysisCache(record, path)
    depth = Depth(min(how.battles, QUICK) if how.quick else how.battles, how.all_seeing, how.positions)

    def analyse() -> Analysis:
        announce = to.announcer("" if how.quick else "; --quick takes less time")
        with work.workforce() as (hands, workers), to.progress("positions", announce) as tick:
            return analyse_record(record, hands, workers, depth, tick)

    def find_turning_points() -> list[TurningPoint]:
        with to.progress("battles for turning points") as tick:
            return turning_points(record, progress=tick)

    analysis = cache.analysis(depth, analyse)
    turns = None if how.quick else cache.turning_points(find_turning_points)
    margin = options.read_per_cent(how.margin, "--margin")
    return analysis_page(analysis._replace(turning_points=turns), report_of(record, refight(record)), margin)


def check_what_if(how: AnalysisOptions, other: WhatIfOptions) -> None:
    """Raise UsageError if the options contradict each other."""
    if not other.at and (other.instead or other.viewer):
        raise UsageError(
            f"{'--instead' if other.instead else '--for'} needs --at, which names the decision to change"
        )
    if other.viewer and how.all_seeing:
        raise UsageError("--all-seeing shows more than a side could know; leave out --for or --all-seeing")


def what_if_of(
    record: Record, path: str, how: AnalysisOptions, options_given: WhatIfOptions, to: Printer
) -> Document:
    """Return the page that compares a recorded battle with the same battle after another decision.

    Raises InvalidInput if the battle does not have the decision of --at, IllegalMove if the decision does not
    have the option of --instead, and UsageError if --instead is missing.
    """
    viewer = options.read_viewer(options_given.viewer, record.seats)
    decision = find_decision(decisions_of(record, viewer), options_given.at, options_given.instead)
    if not options_given.instead:
        raise UsageError(
            f"--instead: missing; at step {decision.step}, {decision.key} chose {decision.choice}, "
            f"but could have chosen {some_of(decision.others)}"
        )
    report = report_of(record, refight(record), viewer)
    other = fight_on(record, report, decision, options_given.instead)
    around = (decision.step - 1, decision.step)
    sample = CurveSample(how.battles, how.positions, how.all_seeing, around)

    def sample_recorded() -> Curve:
        with to.bar("battles as recorded") as tick:
            return sample_curve(record, viewer, sample, progress=tick)

    def sample_other() -> Curve:
        with to.bar("battles after the change") as tick:
            return sample_curve(other.record, viewer, sample, steps=other.steps, progress=tick)

    cache = AnalysisCache(record, path)
    recorded = cache.curve(sample, (viewer,), sample_recorded)
    instead = cache.curve(sample, (viewer, decision.place, other.option), sample_other)
    return what_if_page(report, other, (recorded, instead))
