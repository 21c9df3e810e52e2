"""The command `campaign history`, which prints the ledger, or the log of a recorded battle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.battles.records.replay import ReplayMismatch, check_digest, refight
from cardbattle.campaign.ledger import history
from cardbattle.campaign.ledger.history import log_of
from cardbattle.campaign.ledger.roster import is_alike
from cardbattle.campaign.state.paths import record_path
from cardbattle.campaign.state.renaming import TABLES
from cardbattle.cli import options
from cardbattle.cli.campaign.shared import ForReader, Where, discreet, read_known
from cardbattle.cli.commands.battles import PartOptions, ReportOptions, replay_command
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.reading import read_record_file
from cardbattle.cli.run import ALL, POSTS, CommandGroup, Printer, option_group
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, nearest, quoted
from cardbattle.core.telling import STORY
from cardbattle.show.document import Repeatable
from cardbattle.show.pages.battle import battle_page
from cardbattle.show.pages.campaign.history import history_page
from cardbattle.show.stories.battle_story import CampaignStories

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Document


COMMANDS = CommandGroup()


@option_group
class HistoryOptions(NamedTuple):
    """The options of `campaign history`, which select the entries, or the battle whose log is printed."""

    battle: Annotated[str, argument("BATTLE", "Print the log of this battle.", callback=options.as_key)] = ""
    kind: Annotated[str, option("--kind KIND", "Only entries of this kind: battle, undo, adjust, ...")] = ""
    about: Annotated[
        str,
        option(
            "--about KEY",
            "Only entries about this force, faction, place or battle (key or name).",
            callback=options.as_key,
        ),
    ] = ""
    since: Annotated[
        int, option("--since REVISION", "Start with the ledger entry that has this revision.", min=1)
    ] = 1
    turn: Annotated[
        int | None, option("--turn N", "Start at the beginning of this turn; later turns follow.", min=0)
    ] = None
    detail: options.Detail = ""
    reader: ForReader = ""


@COMMANDS.command(
    "cardbattle campaign history --kind battle\ncardbattle campaign history mill --detail audit",
    (*ALL, *POSTS),
)
def history_command(home: Where, wanted: HistoryOptions, to: Printer) -> None:
    """Print the ledger, or the log of one battle.

    With --for, entries about things that the faction must not know are left out, and the remaining entries
    are numbered from 1.
    """
    if wanted.kind:
        options.one_of(wanted.kind, list(history.KINDS), "--kind")
    at = home.path
    visible = read_known(at, wanted.reader)
    if wanted.battle:
        show_log(at, visible, wanted, to)
        return
    if wanted.turn is not None and wanted.turn > visible.campaign.turn:
        raise InvalidInput(f"turn {wanted.turn} has not begun; this is turn {visible.campaign.turn}")
    about = find_subject(visible, wanted.about) if wanted.about else ""
    entries = Repeatable(lambda: select_entries(visible, wanted, about))
    if to.form != "json" and next(iter(entries), None) is None:
        message(
            "none of the ledger entries matches these options" if visible.numbers else "the ledger is empty"
        )
    to.show(history_page(visible, entries, whole=to.verbose))


def select_entries(visible_campaign: VisibleCampaign, wanted: HistoryOptions, about: str) -> Iterator[Entry]:
    for entry in visible_campaign.entries_since(wanted.since, wanted.turn):
        if (not wanted.kind or entry.kind == wanted.kind) and (
            not about or visible_campaign.is_about(entry, about)
        ):
            yield entry


def find_subject(visible_campaign: VisibleCampaign, word: str) -> str:
    """Return the key of the faction, force, place or battle that a word names.

    The word can be a current key, a key of earlier entries (returned unchanged), or a name that only one
    faction, force or place has. Raises InvalidInput, which suggests the nearest key or name, for any other
    word.
    """
    campaign = visible_campaign.campaign
    names: dict[str, str] = {
        key: campaign.name_of(table, key) for table in TABLES for key in getattr(campaign, table)
    }
    keys = [*names, *(battle.id for battle in campaign.pending)]
    if word in keys or any(visible_campaign.is_about(entry, word) for entry in visible_campaign.entries):
        return word
    meant = [key for key, name in names.items() if is_alike(name, word)]
    if len(meant) == 1:
        return meant[0]
    hint = (
        nearest(word, [*keys, *names.values()])
        or "; write the key or name of a faction, force, place or battle"
    )
    raise InvalidInput(f"--about: unknown name {quoted(word)}{hint}")


def show_log(at: str, visible_campaign: VisibleCampaign, wanted: HistoryOptions, to: Printer) -> None:
    """Print the log of a recorded battle, even if its ledger entry was undone.

    Raises InvalidInput if the battle has no log.
    """
    battle, ledger = wanted.battle, visible_campaign.ledger
    entry, standing = log_of(ledger, battle), ledger.find(battle)
    if entry is None:
        hint = nearest(
            battle, dict.fromkeys(each.id for each in visible_campaign.entries if each.result is not None)
        )
        see = f"for its result, use: cardbattle campaign history --about {clean(battle)}"
        why = f"was recorded without a log; {see}" if standing else f"is not in the ledger{hint}"
        raise InvalidInput(f"battle {quoted(battle)} {why}")
    if standing is None or standing.revision != entry.revision:
        message(undone_note(visible_campaign, entry, standing))
    path, detail = record_path(at, entry.record), options.read_detail(wanted.detail, to.form)
    if visible_campaign.is_whole and detail != STORY:
        replay_command(path, PartOptions(), ReportOptions(wanted.detail), to)
    else:
        with discreet(wanted.reader):
            page = replay_page(path, visible_campaign, entry.revision, detail)
        to.show(page)


def undone_note(visible_campaign: VisibleCampaign, entry: Entry, standing: Entry | None) -> str:
    """Return a sentence that says that the printed battle was undone, and which entry is valid instead."""
    word = "revision" if visible_campaign.is_whole else "number"
    since = f"; the valid result is {word} {visible_campaign.numbers[standing.revision]}" if standing else ""
    return f"this is the log of {word} {visible_campaign.numbers[entry.revision]}, which was undone{since}"


def replay_page(path: str, visible_campaign: VisibleCampaign, revision: int, detail: int) -> Document:
    """Return the log or story of a recorded battle as the reader may see it.

    Raises InvalidInput if the record is invalid.
    """
    record, _ = read_record_file(path)
    try:
        check_digest(record)
        view = visible_campaign.view_of(revision, record)
        report = view.report(refight(record))
        story = CampaignStories(visible_campaign).story(revision, report) if detail == STORY else None
        return battle_page(report, detail, view.table(), story=story, record=record)
    except ReplayMismatch as differs:
        raise InvalidInput(str(differs)) from None
