"""The command `match`, which lets commanders (ranks and engines) fight against each other."""

from __future__ import annotations

from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.battles.records.battle_file import bare_battle, read_battle, with_options
from cardbattle.battles.seeds import draw_seed
from cardbattle.cli import options
from cardbattle.cli.engine_options import EngineOptions
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.reading import BattleInput, blame
from cardbattle.cli.run import WITH_NUMBERS, CommandGroup, Printer, WorkOptions, option_group
from cardbattle.commanders import is_engine, rank_error
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean, key_error, quoted
from cardbattle.engines.definitions import PREFIX, read_config, read_definitions
from cardbattle.engines.description import Clock
from cardbattle.engines.elo import Hypotheses
from cardbattle.engines.match import SEATS, Match, MatchPlan, PairResult
from cardbattle.engines.match_file import continue_match, seed_in
from cardbattle.files import disk
from cardbattle.files.settings import config_file
from cardbattle.show.pages.match import match_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardbattle.engines.definitions import Engine

USUAL = 200  # battles of a pairing
MOST = 100_000  # battles of a test that stays undecided

COMMANDS = CommandGroup()


@option_group
class MatchOptions(NamedTuple):
    """The options of `match`: which battles are fought, and when the match ends."""

    rules: Annotated[
        str, option("--rules RULES", "The rule set.", callback=options.as_rules, panel=options.BATTLE)
    ]
    setting: options.Settings = None
    preset: options.PresetName = ""
    seed: Annotated[
        str,
        option(
            "--seed N|TEXT",
            "Random seed: a whole number or any text.  [default: from the file of --resume, or random]",
            panel=options.BATTLE,
        ),
    ] = ""
    games: Annotated[
        int | None,
        option(
            "--games -n N",
            "Battles of each pair of commanders, an even number.  [default: 200]",
            min=2,
            max=1_000_000,
            panel=options.BATTLE,
        ),
    ] = None
    sprt: Annotated[
        str,
        option(
            "--sprt ELO0,ELO1",
            "Stop when a sequential test (SPRT) decides which of two Elo differences fits: 0,10.",
            panel=options.BATTLE,
        ),
    ] = ""
    gauntlet: Annotated[
        bool,
        option(
            "--gauntlet",
            "Pair only the first commander with the others.  [default: pair all commanders]",
            panel=options.BATTLE,
        ),
    ] = False
    resume: Annotated[
        str,
        option(
            "--resume FILE",
            "Save all results in FILE. If FILE already has results, continue their match.",
            callback=options.validate_output,
            panel=options.BATTLE,
        ),
    ] = ""


@COMMANDS.command(
    "cardbattle match veteran regular --rules wargame --games 100\n"
    "cardbattle match bold seasoned --rules strategy-war --engine bold='node bot.js' --sprt 0,20",
    WITH_NUMBERS,
)
def match_command(
    commander: Annotated[list[str], argument("COMMANDER", "Ranks or engines, at least two.")],
    wanted: MatchOptions,
    engines: EngineOptions,
    work: WorkOptions,
    to: Printer,
) -> None:
    """Let commanders play a match, and compare their strength.

    Every deal is fought twice, with exchanged seats. A commander gets 1 point for a win, and half a point for
    a draw (both or neither win). An engine that crashes, is too slow or sends illegal answers loses the
    battle.
    """
    match, report = open_match(plan_match(commander, wanted, engines), wanted)
    announce = to.announcer("; Ctrl-C stops and prints the results so far")
    with work.workforce() as (executor, workers), to.progress("battles", announce) as report_progress:
        match.play(executor, workers, report, report_progress)
    if not match.battles:
        raise KeyboardInterrupt
    to.show(match_page(match))


def plan_match(names: list[str], wanted: MatchOptions, engines: EngineOptions) -> MatchPlan:
    """Return the plan of a match.

    If --engine-log is given, the log file is emptied. Raises UsageError if an option or a commander is not
    valid.
    """
    definitions = engines_of(names, engines.engine or [])
    commanders = [f"{PREFIX}{name}" if name in definitions else name for name in names]
    for name in commanders:
        if not is_engine(name) and rank_error(name, orders=False):
            raise UsageError(commander_error(name))
    if len(commanders) < 2 or len(set(commanders)) < len(commanders):
        raise UsageError("a match needs at least two different commanders")
    seed = options.read_seed(wanted.seed)
    if seed is None and wanted.resume:
        seed = seed_in(wanted.resume)
    settings = options.settings_with(wanted.setting, wanted.preset)
    table = with_options(bare_battle(wanted.rules, list(SEATS)), settings)
    with blame(BattleInput(table, "", None, settings, True)):
        read_battle(table)
    if engines.engine_log:
        disk.write_text(engines.engine_log, "")
    return MatchPlan(
        table,
        commanders,
        draw_seed() if seed is None else seed,
        definitions,
        Clock(engines.engine_time / 1000),
        engines.engine_log,
        wanted.gauntlet,
        monotonic(),
    )


def commander_error(name: str) -> str:
    """Return why a name is not a rank or a defined engine, and how to define the engine."""
    if name in read_config(config_file()):
        return f"{quoted(name)} is an engine of your configuration file; add --engine {name}"
    error = rank_error(name, orders=False)
    if error.endswith("?") or key_error(name):
        return error
    return f"{error}; if it is an engine, add --engine {name}='COMMAND'"


def engines_of(names: list[str], given: list[str]) -> dict[str, Engine]:
    """Return a dict from the names of the engines in a match to the engines.

    `names` are the commanders, and `given` are the values of `--engine`. Engines are the commanders that
    `--engine` names, and those written as `engine:NAME`.
    """
    defined = [text.partition("=")[0] for text in given]
    asked = [name.removeprefix(PREFIX) for name in names if is_engine(name)]
    definitions = read_definitions([*given, *(name for name in asked if name not in defined)], config_file())
    return {name: engine for name, engine in definitions.items() if name in [*names, *asked]}


def open_match(plan: MatchPlan, wanted: MatchOptions) -> tuple[Match, Callable[[PairResult], None]]:
    """Return a match, and a function that adds the result of one deal to the file of --resume.

    If the file has results of an earlier run, the match continues from these. Without --resume, the function
    does nothing. Raises UsageError if the value of --games or --sprt is not valid.
    """
    test = read_test(wanted.sprt) if wanted.sprt else None
    if test and len(plan.pairings) != 1:
        raise UsageError("--sprt compares two commanders; name exactly two")
    games = wanted.games or (MOST if test else USUAL)
    if games % 2:
        raise UsageError(f"--games {games}: write an even number, because every deal is fought twice")
    match = Match(plan, games, test)
    return match, continue_match(wanted.resume, match) if wanted.resume else lambda result: None


def read_test(text: str) -> Hypotheses:
    """Return the two Elo differences in a value of --sprt, such as `0,10`.

    Raises UsageError if the text is not two numbers, the lower first, with a comma between them.
    """
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        elo0 = elo1 = 0.0
    if not (isfinite(elo0) and isfinite(elo1) and elo0 < elo1):
        raise UsageError(f"--sprt {clean(text)}: write two Elo differences, the lower first, such as 0,10")
    return Hypotheses(elo0, elo1)
