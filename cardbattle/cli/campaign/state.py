"""campaign show, standings, check, history: how it stands, and how it came to that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.battles.records.replay import ReplayMismatch, check_digest, refight
from cardbattle.battles.seeds import is_guessable, is_visible
from cardbattle.campaign.state.paths import record_path
from cardbattle.campaign.state.renaming import TABLES
from cardbattle.cli import options
from cardbattle.cli.campaign.shared import ForReader, Where, discreet, read_known
from cardbattle.cli.commands.battles import PartOptions, ReportOptions, replay_command
from cardbattle.cli.output import bar, message
from cardbattle.cli.reading import read_record_file
from cardbattle.cli.run import ALL, POSTS, WITH_NUMBERS, CommandGroup, Printer, option_group
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.core.errors import CardbattleError, InvalidInput
from cardbattle.core.names import clean, nearest, quoted
from cardbattle.show.document import Repeatable
from cardbattle.show.pages.battle import battle_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Document


COMMANDS = CommandGroup()


Odds = Annotated[
    bool | None,
    typer.Option(
        "--odds/--no-odds",
        help="Count the odds of each pending battle, with the commanders it has, for longer; or not at all.",
    ),
]


@COMMANDS.command("cardbattle campaign show --format plain", (*ALL, *POSTS))
def show_command(where: Where, to: Printer, odds: Odds = None, reader: ForReader = "") -> None:
    """Print how the campaign stands, and the odds to come.

    Standings, forces, places, pending battles.
    """
    from cardbattle.campaign.turn.in_progress import battles_in_progress, progress_sentences
    from cardbattle.show.pages.campaign.dashboard import campaign_page

    known = read_known(where.path, reader, checked=False)
    begun = battles_in_progress(known.campaign)
    found = odds_of_pending(known.countable, known.countable.pending, odds, to.quiet)
    told = {
        "schema": 1,
        **campaign_table(known),
        "odds": {name: one.table() for name, one in found.items()},
        "in_progress": {battle: one.table() for battle, one in begun.items()},
        **dice_told(known),
    }
    words = {name: one.words() for name, one in found.items()}
    to.show(campaign_page(known, words, told, progress_sentences(known.campaign, begun)))
    if to.form == "json" or told.get("seals"):
        return
    if told.get("seed_is_guessable"):
        to.message(f"cardbattle: warning: {GUESSABLE}")
    elif told.get("seed_is_visible"):
        to.message(f"cardbattle: warning: {VISIBLE}")


def dice_told(known: VisibleCampaign) -> dict[str, object]:
    """Return whether the seed can be guessed or seen, and what of sealed dice is told to the umpire."""
    from cardbattle.campaign.storage.seal_slots import seals_told

    if not known.is_whole:
        return {}
    seed = known.campaign.seed
    others = {key: value for key, value in known.campaign.data.items() if key != "seed"}
    return {
        "seed_is_guessable": is_guessable(seed),
        "seed_is_visible": is_visible(seed, others),
        "seals": seals_told(known.campaign, known.ledger),
    }


VISIBLE = (
    "the seed stands in a name or note too, where players read it; take another, as drawn by: campaign new"
)
GUESSABLE = "the seed is short enough to be guessed, and every deal with it; 30 letters or more are not"


def odds_of_pending(
    campaign: Campaign, pending: Sequence[Pending], odds: bool | None, quiet: bool = False
) -> dict[str, Advice]:
    """Return the odds of pending battles by their ids; none if they are not wanted."""
    from cardbattle.campaign.turn.advice import advise

    if odds is False:
        return {}
    with bar(quiet) as tick:
        return advise(campaign, pending, bool(odds), tick)


def campaign_table(known: VisibleCampaign) -> dict[str, object]:
    """Return a campaign as JSON has it: the file's own keys, each pending battle with its advantage."""
    from cardbattle.campaign.state.battle_setup import explain, no_effect

    table, campaign = known.table(), known.countable
    table["advantages"] = {battle.id: explain(campaign, battle) for battle in campaign.pending}
    table["without_effect"] = {
        battle.id: words for battle in campaign.pending if (words := no_effect(campaign, battle))
    }
    return table


def map_hints(campaign: Campaign) -> list[str]:
    """Return what keeps the umpire's own map, or a place on it, from being shown."""
    if campaign.map.file is None:
        return []
    from cardbattle.site.book import drawing_of, unplaceable

    try:
        drawing = drawing_of(campaign)
    except CardbattleError as error:
        return [str(error)]
    return [words for words in [unplaceable(campaign, drawing) if drawing else ""] if words]


def begun_hints(campaign: Campaign) -> list[str]:
    """Return which pending battles are in progress, and what keeps one from being recorded."""
    from cardbattle.campaign.turn.in_progress import battles_in_progress

    found = []
    for battle, one in battles_in_progress(campaign).items():
        since = one.changes(campaign)
        changed = f"; it was begun when the campaign stood otherwise: {since}" if since else ""
        found.append(f"battle {battle}: {one.words(campaign)}{changed}")
    return found


@COMMANDS.command("cardbattle campaign check --repair", ("text", "plain", "json"))
def check_command(
    where: Where,
    to: Printer,
    repair: Annotated[bool, typer.Option("--repair", help="Finish what was interrupted.")] = False,
) -> None:
    """Find everything that is wrong with the campaign.

    Exit 0 when all is well, else 1. What was changed by hand is no mistake; it is told on standard
    error, and so is a pending battle in which strength has no effect, the first move is worth much, or a
    commander's rank outweighs strength, or that is so one-sided that the cards are a formality, and a place
    that your own map cannot show.
    """
    from cardbattle.campaign import check
    from cardbattle.show.pages.campaign.dashboard import check_page

    at = where.path
    if repair:
        for note in check.repair(at):
            to.message(note)
    found = check.look_through(at)
    hints = [*found.hints()]
    if found.campaign:
        hints += [*map_hints(found.campaign), *begun_hints(found.campaign)]
    to.show(check_page(found.mistakes, found.edits, hints))
    for mistake in found.mistakes if to.form != "json" else []:
        complain(mistake)
    for change in found.edits:
        to.message(clean(f"changed by hand: {change}; the next command that writes notes it"))
    for words in hints:
        to.message(clean(f"hint: {words}"))
    for words in check.numbers_of_names(found.campaign) if found.campaign else []:
        to.remark(clean(f"name: {words}"))
    if found.mistakes:
        raise typer.Exit(1)


@COMMANDS.command("cardbattle campaign standings --format md", (*WITH_NUMBERS, *POSTS))
def standings_command(where: Where, to: Printer, reader: ForReader = "") -> None:
    """Print the factions by points, with their forces and places."""
    from cardbattle.show.pages.campaign.dashboard import standings_page

    to.show(standings_page(read_known(where.path, reader, checked=False)))


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
            help="Only what concerns this force, faction, place, battle; its key or name.",
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
    reader: ForReader = ""


@COMMANDS.command("cardbattle campaign history --kind battle", (*ALL, *POSTS))
def history_command(where: Where, wanted: HistoryOptions, to: Printer) -> None:
    """Print the ledger, or one battle's log again.

    With --for an entry about what is hidden is left out, and the others have numbers of their own.
    """
    from cardbattle.campaign.ledger import history
    from cardbattle.show.pages.campaign.history import history_page

    if wanted.kind:
        options.one_of(wanted.kind, list(history.KINDS), "--kind")
    at = where.path
    known = read_known(at, wanted.reader, keep=False)
    if wanted.battle:
        show_log(at, known, wanted, to)
        return
    if wanted.turn is not None and wanted.turn > known.campaign.turn:
        raise InvalidInput(f"turn {wanted.turn} has not come; it is turn {known.campaign.turn}")
    about = thing_meant(known, wanted.about) if wanted.about else ""
    entries = Repeatable(lambda: entries_wanted(known, wanted, about))
    if to.form != "json" and next(iter(entries), None) is None:
        message("the ledger has no such entry" if known.numbers else "the ledger is empty")
    to.show(history_page(known, entries, whole=to.verbose))


def entries_wanted(known: VisibleCampaign, wanted: HistoryOptions, about: str) -> Iterator[Entry]:
    """Yield the entries of a kind, about a thing, from a revision or turn on, as far as they are named."""
    for entry in known.entries_since(wanted.since, wanted.turn):
        if (not wanted.kind or entry.kind == wanted.kind) and (not about or known.is_about(entry, about)):
            yield entry


def thing_meant(known: VisibleCampaign, word: str) -> str:
    """Return the key of what a word names, by its key now or then, or by a name that no other has.

    Refused names the nearest if nothing that the reader may know is called so.
    """
    from cardbattle.campaign.ledger.roster import is_alike

    campaign = known.campaign
    names: dict[str, str] = {
        key: campaign.name_of(table, key) for table in TABLES for key in getattr(campaign, table)
    }
    keys = [*names, *(battle.id for battle in campaign.pending)]
    if word in keys or any(known.is_about(entry, word) for entry in known.entries):
        return word
    meant = [key for key, name in names.items() if is_alike(name, word)]
    if len(meant) == 1:
        return meant[0]
    raise InvalidInput(f"--about: nothing is called {quoted(word)}{nearest(word, [*keys, *names.values()])}")


def show_log(at: str, known: VisibleCampaign, wanted: HistoryOptions, to: Printer) -> None:
    """Print the log of a recorded battle again, of one that was taken back too; Refused if there is none."""
    from cardbattle.campaign.ledger.history import log_of

    battle, ledger = wanted.battle, known.ledger
    entry, standing = log_of(ledger, battle), ledger.find(battle)
    if entry is None:
        hint = nearest(battle, dict.fromkeys(one.id for one in known.entries if one.result is not None))
        why = "was recorded without a log" if standing else f"is not in the ledger{hint}"
        raise InvalidInput(f"battle {quoted(battle)} {why}")
    if standing is None or standing.revision != entry.revision:
        message(taken_back_words(known, entry, standing))
    path = record_path(at, entry.record)
    if known.is_whole:
        replay_command(path, PartOptions(), ReportOptions(wanted.detail), to)
    else:
        with discreet(wanted.reader):
            page = told_again(path, known, entry.revision, options.read_detail(wanted.detail))
        to.show(page)


def taken_back_words(known: VisibleCampaign, entry: Entry, standing: Entry | None) -> str:
    """Return that a battle's log is of an entry that was taken back, and which stands instead."""
    word = "revision" if known.is_whole else "number"
    since = f"; {word} {known.numbers[standing.revision]} stands" if standing else ""
    return f"this is {word} {known.numbers[entry.revision]}, taken back{since}"


def told_again(path: str, known: VisibleCampaign, revision: int, detail: int) -> Document:
    """Return a recorded battle as the reader may see it; Refused if its record does not hold good."""
    record, _ = read_record_file(path)
    try:
        check_digest(record)
        view = known.view_of(revision, record)
        return battle_page(view.report(refight(record)), detail, view.table())
    except ReplayMismatch as differs:
        raise InvalidInput(str(differs)) from None
