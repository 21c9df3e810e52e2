"""campaign show, standings, check, history: how it stands, and how it came to that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.cli import options
from cardbattle.cli.campaign.shared import Where, read_only
from cardbattle.cli.complaints import complain
from cardbattle.cli.output import bar, message
from cardbattle.cli.run import ALL, WITH_NUMBERS, CommandGroup, Printer, option_group
from cardbattle.core.errors import Refused
from cardbattle.core.names import clean, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.advice import Advice
    from cardbattle.campaign.ledger import Ledger
    from cardbattle.campaign.model import Campaign, Pending
    from cardbattle.campaign.operations import CampaignFile


COMMANDS = CommandGroup()


Odds = Annotated[
    bool | None,
    typer.Option(
        "--odds/--no-odds",
        help="Count the odds of each pending battle, with the commanders it has, for longer; or not at all.",
    ),
]


@COMMANDS.command("cardbattle campaign show --format plain", ALL)
def show_command(where: Where, to: Printer, odds: Odds = None) -> None:
    """Print how the campaign stands, and the odds to come.

    Standings, forces, places, pending battles.
    """
    from cardbattle.campaign import store
    from cardbattle.fighting.seeds import is_guessable, is_visible
    from cardbattle.show.pages.campaign import campaign_page

    at = where.path
    books, ledger = store.load(at), store.load_ledger(at)
    seed = books.campaign.seed
    found = odds_of_pending(books.campaign, books.campaign.pending, odds, to.quiet)
    told = {
        "schema": 1,
        **campaign_table(books),
        "odds": {name: one.table() for name, one in found.items()},
        "seed_is_guessable": is_guessable(seed),
        "seed_is_visible": is_visible(seed, others(books)),
    }
    to.show(campaign_page(books, ledger, {name: one.words() for name, one in found.items()}, told))
    if to.form == "json":
        return
    if told["seed_is_guessable"]:
        to.message(f"cardbattle: warning: {GUESSABLE}")
    elif told["seed_is_visible"]:
        to.message(f"cardbattle: warning: {VISIBLE}")


def others(books: CampaignFile) -> dict[str, object]:
    """Return what a campaign file says besides its seed."""
    return {key: value for key, value in books.source.data.items() if key != "seed"}


VISIBLE = (
    "the seed stands in a name or note too, where players read it; take another, as drawn by: campaign new"
)
GUESSABLE = "the seed is short enough to be guessed, and every deal with it; 30 letters or more are not"


def odds_of_pending(
    campaign: Campaign, pending: Sequence[Pending], odds: bool | None, quiet: bool = False
) -> dict[str, Advice]:
    """Return the odds of pending battles by their ids; none if they are not wanted."""
    from cardbattle.campaign.advice import advise

    if odds is False:
        return {}
    with bar(quiet) as tick:
        return advise(campaign, pending, bool(odds), tick)


def campaign_table(books: CampaignFile) -> dict[str, object]:
    """Return a campaign as JSON has it: the file's own keys, each pending battle with its advantage."""
    from cardbattle.campaign.battle_setup import explain, no_effect

    table, pending = dict(books.source.data), books.campaign.pending
    table["advantages"] = {battle.id: explain(books.campaign, battle) for battle in pending}
    table["without_effect"] = {
        battle.id: words for battle in pending if (words := no_effect(books.campaign, battle))
    }
    return table


@COMMANDS.command("cardbattle campaign check --repair", ("text", "plain", "json"))
def check_command(
    where: Where,
    to: Printer,
    repair: Annotated[bool, typer.Option("--repair", help="Finish what was interrupted.")] = False,
) -> None:
    """Find everything that is wrong with the campaign.

    Exit 0 when all is well, else 1. What was changed by hand is no mistake; it is told on standard
    error, and so is a pending battle in which strength has no effect, or that is so one-sided that
    the cards are a formality.
    """
    from cardbattle.campaign import checking
    from cardbattle.show.pages.campaign import check_page

    at = where.path
    if repair:
        for note in checking.repair(at):
            to.message(note)
    found = checking.look_through(at)
    hints = found.hints()
    to.show(check_page(found.mistakes, found.edits, hints))
    for mistake in found.mistakes if to.form != "json" else []:
        complain(mistake)
    for change in found.edits:
        to.message(clean(f"changed by hand: {change}; the next command that writes notes it"))
    for words in hints:
        to.message(clean(f"hint: {words}"))
    if found.mistakes:
        raise typer.Exit(1)


@COMMANDS.command("cardbattle campaign standings --format md", WITH_NUMBERS)
def standings_command(where: Where, to: Printer) -> None:
    """Print the factions by points, with their forces and places."""
    from cardbattle.campaign import store
    from cardbattle.show.pages.campaign import standings_page

    to.show(standings_page(store.load(where.path).campaign))


@option_group
class HistoryOptions(NamedTuple):
    """Which entries of the ledger are told, or whose log."""

    battle: Annotated[
        str, typer.Argument(metavar="BATTLE", help="Show this battle's log again.", callback=options.as_key)
    ] = ""
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="Only battle, undo, adjust, ...")] = ""
    about: Annotated[
        str,
        typer.Option(
            "--about",
            metavar="KEY",
            help="Only what concerns this force, faction, place, battle.",
            callback=options.as_key,
        ),
    ] = ""
    since: Annotated[
        int, typer.Option("--since", metavar="REVISION", min=1, help="From this revision on.")
    ] = 1
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=0, help="From the beginning of this turn on.")
    ] = None
    detail: options.Detail = "tale"


@COMMANDS.command("cardbattle campaign history --kind battle", ALL)
def history_command(where: Where, wanted: HistoryOptions, to: Printer) -> None:
    """Print the ledger, or one battle's log again."""
    from cardbattle.campaign import history
    from cardbattle.show.pages.history import history_page

    if wanted.kind:
        options.one_of(wanted.kind, list(history.KINDS), "--kind")
    at = where.path
    books, ledger = read_only(at, keep=not wanted.battle)
    if wanted.battle:
        show_log(at, ledger, wanted, to)
        return
    since = wanted.since
    if wanted.turn is not None:
        if wanted.turn > books.campaign.turn:
            raise Refused(f"turn {wanted.turn} has not come; it is turn {books.campaign.turn}")
        since = max(since, history.first_of_turn(ledger, wanted.turn))
    entries = [
        entry
        for entry in ledger.span(since, ledger.settled)
        if (not wanted.kind or entry.kind == wanted.kind)
        and (not wanted.about or history.is_about(ledger, entry, wanted.about))
    ]
    if not entries and to.form != "json":
        message("the ledger has no such entry" if ledger.settled else "the ledger is empty")
    to.show(history_page(books.campaign, ledger, entries, whole=to.verbose))


def show_log(at: str, ledger: Ledger, wanted: HistoryOptions, to: Printer) -> None:
    """Print the log of a recorded battle again, of one that was taken back too; Refused if there is none."""
    from cardbattle.campaign.history import log_of
    from cardbattle.campaign.premises import record_path
    from cardbattle.cli.battles import PartOptions, TellingOptions, replay_command

    battle = wanted.battle
    entry, standing = log_of(ledger, battle), ledger.find(battle)
    if entry is None:
        known = "was recorded without a log" if standing else "is not in the ledger"
        raise Refused(f"battle {quoted(battle)} {known}")
    if standing is None or standing.revision != entry.revision:
        since = f"; revision {standing.revision} stands" if standing else ""
        message(f"this is revision {entry.revision}, taken back{since}")
    replay_command(record_path(at, entry.record), PartOptions(), TellingOptions(wanted.detail), to)
