"""The commands `campaign new`, `export`, `results` and `schema`.

`new` creates a campaign. The other commands write a battle file, a results form or the JSON Schema.
"""

from __future__ import annotations

import sys
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.campaign.exchange.export_battle import export_text
from cardbattle.campaign.state import schema
from cardbattle.campaign.state.tables.deadlines import BOTH
from cardbattle.campaign.state.template import EMPTY, RED_AND_BLUE, not_measured_comment, shares_comment
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.new import create_campaign, name_of, refuse_taken
from cardbattle.campaign.storage.new_season import create_season
from cardbattle.campaign.storage.seal_slots import with_slot
from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, visible_to
from cardbattle.cli import options
from cardbattle.cli.campaign.new_questions import Answers, ask_outline
from cardbattle.cli.campaign.shared import (
    ADD_YOUR_OWN,
    Where,
    campaign_command,
    read_only,
    read_repaired,
    read_unchecked,
    reader_named,
)
from cardbattle.cli.output import bar, message, report_completed, write_file, write_line
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import CommandGroup, Printer, option_group
from cardbattle.cli.streams import terminal_width
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import as_typed, clean, listed, nearest, quoted
from cardbattle.rules import find
from cardbattle.show.pages.campaign.battle_sheet import results_form_page, sheet_page
from cardbattle.simulation.strength_shares import BATTLES, RATIOS, measure_strength
from cardbattle.simulation.workers import workforce

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.visibility.reader import Reader
    from cardbattle.simulation.strength_shares import StrengthShare

REPORT = (
    "next: after the battle, ask the sides for reports with: {0} orders ask; then take the answers with: "
    "{0} orders take FILE"
)
FILL_IN = (
    "next: after the battle, fill in the form of: {0} results -o results.csv; then take it with: "
    "{0} import results.csv"
)
SHEETS = ("md", "plain", "html", "text", "json")
FORMS = ("csv", "toml", "json")


COMMANDS = CommandGroup()


@option_group
class NewCampaignOptions(NamedTuple):
    """The options of `campaign new`: the settings of the campaign, or their source (--ask, --from)."""

    name: Annotated[
        str,
        option(
            "--name TEXT", "Name of the campaign.  [default: the folder's]", callback=options.validate_text
        ),
    ] = ""
    rules: Annotated[
        str,
        option(
            "--rules RULES",
            "Default rule set of battles.  [default: field-of-honour]",
            callback=options.as_rules,
        ),
    ] = ""
    seed: Annotated[
        str, option("--seed N|TEXT", "Random seed: a whole number or any text.  [default: random]")
    ] = ""
    ask: Annotated[
        bool, option("--ask", "Ask for the name, rules, factions, places, forces and battles.")
    ] = False
    empty: Annotated[
        bool, option("--empty", "Leave out the sample factions, forces, places and battle: add your own.")
    ] = False
    calibrate: Annotated[
        bool,
        option(
            "--calibrate",
            "Measure how often the stronger side wins, and add a comment about it to campaign.toml.",
        ),
    ] = False
    model: Annotated[
        str,
        option(
            "--from FOLDER",
            "Start a new season of the campaign in this folder, with an empty ledger.",
            callback=options.validate_folder,
        ),
    ] = ""
    quiet: options.Quiet = False


@COMMANDS.command("cardbattle campaign new the-marches\ncardbattle campaign new the-marches --ask")
def new_command(
    folder: Annotated[str, argument("FOLDER", "New folder, or an existing one without a campaign.")],
    wanted: NewCampaignOptions,
) -> None:
    """Create a campaign, with comments that explain campaign.toml."""
    if wanted.model and wanted.calibrate:
        raise UsageError(
            "--from and --calibrate contradict each other: a new season keeps the comments of the old one; "
            "to measure strength, use cardbattle table"
        )
    if wanted.model and wanted.ask:
        raise UsageError(
            "--from and --ask contradict each other: --from copies the answers from a campaign; leave out one"
        )
    if wanted.empty and (wanted.model or wanted.ask):
        other = "--from" if wanted.model else "--ask"
        raise UsageError(f"--empty and {other} contradict each other; leave out one")
    seed = options.read_seed(wanted.seed)
    if wanted.model:
        at, notes = new_season(folder, wanted, seed)
        print_created(folder, at, notes, quiet=wanted.quiet)
        return
    refuse_taken(folder, wanted.name)
    usual = Answers(wanted.name, wanted.rules or USUAL_RULES, EMPTY if wanted.empty else RED_AND_BLUE)
    answers = ask_outline(usual.name or name_of(folder), usual.rules) if wanted.ask else usual
    measured = calibrate(answers.rules) if wanted.calibrate else []
    at = create_campaign(folder, answers.name, seed, answers.rules, answers.outline, measured)
    notes = [ADD_YOUR_OWN] if wanted.empty else keys_made(at)
    notes += strength_comments(answers.rules, measured)
    print_created(folder, at, notes, quiet=wanted.quiet)


def calibrate(by: str) -> list[StrengthShare]:
    """Measure how much the strength of a force changes its chance of winning.

    A progress bar is shown on standard error. Raises UsageError if the rule set has no advantage for
    strength.
    """
    rules = find(by)
    message(f"fighting {BATTLES * len(RATIOS):,} battles of {rules.name} to measure the effect of strength")
    with workforce(None) as hands, bar(False) as tick:
        return measure_strength(rules, hands, report_progress=tick)


def strength_comments(by: str, measured: Sequence[StrengthShare]) -> list[str]:
    """Return at most one sentence, about the effect of strength or about how to measure it, in a list."""
    rules = find(by)
    comment = shares_comment(rules.name, measured) if measured else not_measured_comment(rules.key)
    return [comment] if comment else []


def keys_made(at: str) -> list[str]:
    """Return lines that list the keys of the factions, forces, places and battles of a new campaign."""
    campaign = store.load(at).campaign
    keys_by_table = {
        "faction": [*campaign.factions],
        "force": [*campaign.forces],
        "place": [*campaign.locations],
        "battle": [battle.id for battle in campaign.pending],
    }
    return [f"Keys of {word}s: {', '.join(keys)}" for word, keys in keys_by_table.items() if keys]


USUAL_RULES = "field-of-honour"


def new_season(folder: str, wanted: NewCampaignOptions, seed: int | str | None) -> tuple[str, list[str]]:
    """Create a new season of a campaign, and return a pair: the new folder, and messages to print."""
    season = create_season(folder, wanted.model, wanted.name, seed, wanted.rules)
    return season.folder, season.done


def print_created(folder: str, at: str, notes: Sequence[str], *, quiet: bool = False) -> None:
    """Print the new campaign's folder and, unless `quiet` is true, the next command and the notes."""
    with report_completed(f"the campaign is in {clean(at)}"):
        write_line(f"The campaign is in {clean(at)}.")
        if quiet:
            return
        write_line("Change it with cardbattle campaign add and set, or edit campaign.toml,")
        print(f"then look at it with: cardbattle campaign -C {as_typed(folder)} show")
        for line in notes:
            text = clean(line)
            write_line(text if terminal_width(sys.stdout) else fill(text, 79))


@COMMANDS.command(
    "cardbattle campaign export mill -o mill.toml\n"
    "cardbattle campaign export mill --sheet\n"
    "cardbattle campaign export mill --sheet --for york",
    SHEETS,
    toml_file=".toml, or with --sheet to ",
)
def export_command(
    home: Where,
    battle: Annotated[str, argument("BATTLE", "Pending battle.", callback=options.as_key)],
    to: Printer,
    sheet: Annotated[
        bool, option("--sheet", "Write a sheet for players with real cards, not a battle file.")
    ] = False,
    reader: Annotated[
        str,
        option(
            "--for FACTION",
            "Show the strengths that this faction knows; `umpire`: all.  [default: what all may know]",
            callback=options.as_key,
        ),
    ] = "",
) -> None:
    """Write a battle file or a players' sheet of a pending battle.

    The battle file is in TOML and contains the keys of the forces, so that `campaign import` accepts the
    record of the battle. It is for the umpire: it contains all strengths and commanders. --format and --for
    apply only to a sheet.
    """
    if to.is_asked and not sheet:
        raise UsageError("--format needs --sheet; a battle file is always TOML")
    if reader and not sheet:
        raise UsageError("--for needs --sheet; a battle file is for the umpire")
    if not sheet and options.ending_of(to.path) in ("html", "md", "json"):
        raise UsageError(f"-o {clean(to.path)}: a battle file is always TOML; add --sheet, or write to .toml")
    at = home.path
    books, ledger = read_only(at)
    read = books.campaign
    pending = read.battle(battle)
    known = campaign_known_to(reader_named(read, reader, PUBLIC), read, ledger)
    if pending is None or known.battle(battle) is None:
        pending_ids = [one.id for one in known.pending]
        hint = nearest(battle, pending_ids) or f"; pending: {', '.join(pending_ids) or 'none'}"
        raise InvalidInput(f"battle {quoted(battle)} is not pending{hint}")
    if sheet:
        to.show(sheet_page(read, pending, visible_to(read, ledger, sheet_reader(read, pending, reader))))
        step = REPORT if read.results.confirm == BOTH else FILL_IN
        to.message(clean(step.format(campaign_command(at))))
    else:
        if read.draw is not None:
            read = with_slot(at, read_repaired(at)[0].campaign, pending, message)
        write_file(to.path or "-", export_text(read, pending), to.quiet)


def campaign_known_to(reader: Reader, campaign: Campaign, ledger: Ledger) -> Campaign:
    """Return the campaign without the pending battles that a faction must not know of.

    The sheet for the public is for all players of the battle, so that the public counts as the umpire here.
    """
    return campaign if reader in (PUBLIC, UMPIRE) else visible_to(campaign, ledger, reader).campaign


def sheet_reader(campaign: Campaign, battle: Pending, word: str) -> Reader:
    """Return the reader of a sheet: the public, the umpire, or a faction that fights in the battle.

    Raises UsageError for any other reader.
    """
    reader = reader_named(campaign, word, PUBLIC)
    fighting = [*dict.fromkeys(campaign.forces[key].faction for side in battle.sides for key in side)]
    if reader not in (PUBLIC, UMPIRE, *fighting):
        raise UsageError(f"--for {word}: it does not fight in this battle; name {listed(fighting, 'or')}")
    return reader


@COMMANDS.command(
    "cardbattle campaign results -o results.csv\ncardbattle campaign results --format toml", FORMS
)
def results_command(home: Where, to: Printer) -> None:
    """Write a form for the results of all pending battles.

    You fill in the form with an editor or a spreadsheet, and `cardbattle campaign import` then takes all its
    results at once. The form lists the id, name and sides of each battle, and the state of its forces.
    """
    to.show(results_form_page(read_unchecked(home.path)[0].campaign))


@COMMANDS.command("cardbattle campaign schema\ncardbattle campaign schema -o campaign.schema.json")
def schema_command(output: options.Output = "-", quiet: options.Quiet = False) -> None:
    """Print the JSON Schema of campaign.toml.

    Editors use the schema to complete and check the file.
    """
    write_file(output, schema.text(), quiet)
