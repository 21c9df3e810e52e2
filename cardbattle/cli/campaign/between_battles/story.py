"""The command `campaign story`, which prints the story of a battle or replaces the story."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cardbattle.battles.records.replay import refight
from cardbattle.campaign.ledger.history import read_record_in
from cardbattle.campaign.ledger.umpire_changes import write_story
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.turn.chance_cache import jobs_of_logs, known_curves
from cardbattle.campaign.visibility.reader import PUBLIC
from cardbattle.cli import options
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import ForReader, Where, discreet, read_known
from cardbattle.cli.editor import edit_text
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, POSTS, CommandGroup, Printer
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import clean, nearest, quoted
from cardbattle.core.telling import ENGLISH
from cardbattle.show.pages.campaign.story import story_page
from cardbattle.show.stories.battle_context import umpires_sentences
from cardbattle.show.stories.battle_story import CampaignStories
from cardbattle.story.story import Story

if TYPE_CHECKING:
    from cardbattle.campaign.visibility.reader import VisibleCampaign

COMMANDS = CommandGroup()
NO_STORY = Story([], ())


@COMMANDS.command(
    "cardbattle campaign story t1-malpas --for percy\ncardbattle campaign story t1-malpas --edit",
    (*ALL, *POSTS),
)
def story_command(
    home: Where,
    battle: Annotated[str, argument("BATTLE", "A recorded battle.")],
    to: Printer,
    reader: ForReader = "",
    lang: options.Lang = ENGLISH,
    edit: Annotated[
        bool,
        option("--edit", "Edit the story in your editor, starting from the story that everyone may read."),
    ] = False,
    text: Annotated[
        str, option("--text TEXT", "Replace the story with this text.", callback=options.validate_text)
    ] = "",
) -> None:
    """Print the story of a battle, or write your own.

    The program writes a story from the battle's record. To replace the story with your own, use --edit or
    --text. Your story is shown to everyone who may know about the battle. `campaign undo` restores the
    generated story.
    """
    if edit and text:
        raise UsageError("--edit and --text contradict each other; leave out one")
    if (edit or text) and reader:
        raise UsageError("a story that you write yourself is for all readers; leave out --for")
    if edit or text:
        replace_story(home.path, battle, text, to)
        return
    known = read_known(home.path, reader)
    with discreet(reader):
        story, generated = stories_of_battle(home.path, known, battle, lang)
        unreadable = [] if reader or generated.sentences else record_errors(home.path, known, battle)
        if not story.sentences:
            why = "; ".join(unreadable) or "it was recorded without a log or text"
            raise InvalidInput(f"battle {quoted(battle)}: {why}; write its story with --text")
    to.show(story_page(battle, story, generated))
    for error in unreadable:
        to.message(clean(f"the story is not from the battle's record: {error}"))


def record_errors(at: str, known: VisibleCampaign, battle: str) -> list[str]:
    """Return the reasons why the record of a battle cannot be read, such as a missing plug-in."""
    name = known.ledger.heads[known.ledger.revision_by_battle[battle] - 1].record
    try:
        if name:
            read_record_in(at, name)
    except InvalidInput as unreadable:
        return [*map(str, unreadable.errors)]
    except NeedsUmpire as unreadable:
        return [str(unreadable)]
    return []


def stories_of_battle(
    at: str, known: VisibleCampaign, battle: str, lang: str = ENGLISH
) -> tuple[Story, Story]:
    """Return a pair for a battle: the story that the reader sees, and the generated story for this reader.

    If the umpire has written a story, the reader sees the story by the umpire. If the battle has no log, the
    generated story is empty, and the reader sees what the umpire wrote in the note or the result. Raises
    InvalidInput if the battle is not recorded, and ReplayMismatch if the replay differs from its record.
    """
    revision = known.ledger.revision_by_battle.get(battle)
    if revision is None:
        hint = nearest(battle, known.ledger.revision_by_battle)
        raise InvalidInput(f"battle {quoted(battle)} is not recorded{hint}")
    record = known.logs(at).get(revision)
    jobs = {} if record is None else jobs_of_logs(known, at, {revision: record})
    writer = CampaignStories(known, lang, known_curves(at, jobs))
    generated = NO_STORY
    if record is not None:
        report = known.view_of(revision, record).report(refight(record))
        generated = writer.generated(revision, report)
    written = writer.written.get(revision)
    if written:
        return Story([written], ()), generated
    if record is None:
        return Story(umpires_sentences(writer.known.entries[revision], known.ledger), ()), generated
    return generated, generated


def replace_story(at: str, battle: str, text: str, to: Printer) -> None:
    """Replace the story of a battle with `text`. If `text` is "", open the story in an editor."""
    story, generated = stories_of_battle(at, read_known(at, "public", PUBLIC), battle)
    if not text:
        edited = edit_text(f"{story.text}\n")
        text = " ".join(edited.split())
        if not text or text == story.text:
            message("the story is unchanged")
            return

    record_operations(
        at, RecordingOptions(), to, lambda books, ledger: [write_story(ledger, battle, text, generated.text)]
    )
