"""The commands `campaign fight` and `cardbattle demo`, which fight, record and print pending battles."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.battles.records.replay import refight
from cardbattle.battles.saved_session import SavedSession, open_saved
from cardbattle.campaign.exchange.confirmation import leading_force, report_sentence
from cardbattle.campaign.exchange.import_results import unverifiable_parts
from cardbattle.campaign.ledger.operations import check_force, diff
from cardbattle.campaign.ledger.roster import factions_of_side
from cardbattle.campaign.state.battle_setup import unfit_advantage
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.storage.demo import copy_to
from cardbattle.campaign.storage.seal_slots import opener, with_slot
from cardbattle.campaign.turn.factor_values import worth_sentence
from cardbattle.campaign.turn.fighting import (
    FightOptions,
    fight_battles,
    fighters,
    plan_recording,
    select_battles,
    unrecorded_battles,
)
from cardbattle.campaign.turn.in_progress import blocked_battles
from cardbattle.campaign.turn.missed_deadlines import follow_substitutes
from cardbattle.campaign.turn.played_battles import (
    PlayedBattle,
    TableBattleFile,
    persons_in,
    players_waiting_sentence,
)
from cardbattle.cli import options
from cardbattle.cli.campaign.between_battles.next_step import others_pending, print_step_in_turn
from cardbattle.cli.campaign.between_battles.questions import files_of
from cardbattle.cli.campaign.fight_results import commit_fights
from cardbattle.cli.campaign.shared import (
    DryRun,
    ForReader,
    Reason,
    Where,
    discreet,
    read_only,
    read_repaired,
    report_lost_output,
    show_diff,
    visible_campaign,
)
from cardbattle.cli.campaign.show import Odds, odds_of_pending
from cardbattle.cli.commands.orders import (
    end_by_message,
    note_time,
    print_next_step,
    questions,
    rules_hint,
    show,
)
from cardbattle.cli.engine_options import EngineOptions
from cardbattle.cli.message_files import MessageFolder, write_messages
from cardbattle.cli.output import message, report_completed, write_line
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.play.play import choose_front_end
from cardbattle.cli.play.table import TableLines, ask_random_house_rules
from cardbattle.cli.run import ALL, POSTS, CommandGroup, Printer, PrintOptions, option_group
from cardbattle.commanders import is_engine
from cardbattle.core.errors import UsageError
from cardbattle.core.grammar import mid_sentence, with_verb
from cardbattle.core.names import as_typed, clean, listed, nearest, quoted
from cardbattle.core.telling import STORY, TALE
from cardbattle.files import disk
from cardbattle.show.pages.campaign.dashboard import fights_page
from cardbattle.show.pages.campaign.messages.battles import ally_notices
from cardbattle.show.pages.campaign.messages.request import requests_page
from cardbattle.show.stories.battle_story import CampaignStories
from cardbattle.simulation.workers import Serial

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.turn.fighting import FoughtBattle
    from cardbattle.campaign.visibility.reader import RecordView, VisibleCampaign


COMMANDS = CommandGroup()
DEMO_COMMANDS = CommandGroup()


@option_group
class FightingOptions(NamedTuple):
    """The options of `campaign fight`, which select the battles and the way in which they are fought."""

    battle: Annotated[
        list[str] | None,
        argument("BATTLE", "Battles to fight.  [default: the next pending battle]", callback=options.as_keys),
    ] = None
    everything: Annotated[
        bool, option("--all", "Fight every pending battle in order, except battles that players have begun.")
    ] = False
    explain: Annotated[
        bool,
        option(
            "--explain", "Also print each side's advantages from terrain, weather, experience and strength."
        ),
    ] = False
    odds: Odds = None
    dry_run: DryRun = False
    jobs: options.Jobs = None
    detail: options.Detail = ""
    play: Annotated[
        bool, option("--play", "Command a side yourself, like `cardbattle play`.", panel="Players")
    ] = False
    by_message: Annotated[
        bool,
        option("--by-message", "Ask the players by message, like `cardbattle orders ask`.", panel="Players"),
    ] = False
    message_folder: MessageFolder = ""
    played: Annotated[
        list[str] | None,
        option(
            "--as SIDE",
            "Side that people command. Repeatable.  [default: the first; with --by-message, all sides]",
            panel="Players",
        ),
    ] = None
    side: Annotated[
        list[str] | None,
        option(
            "--side SIDE=engine:NAME",
            "Let an engine command a side in this battle. Repeatable.",
            callback=options.as_keys,
            panel="Players",
        ),
    ] = None
    full: options.FullScreen = False
    teach: options.Teach = False
    at_table: options.AtTable = False
    reader: ForReader = ""
    force: Annotated[
        bool, option("--force", "Also fight battles that players have begun. Requires --reason.")
    ] = False
    reason: Reason = ""


@COMMANDS.command(
    "cardbattle campaign fight teme-ford --dry-run\ncardbattle campaign fight --all", (*ALL, *POSTS)
)
def fight_command(home: Where, wanted: FightingOptions, engines: EngineOptions, to: Printer) -> None:
    """Fight pending battles, print them, and record their results.

    The command fights all battles first and records them afterwards, so it locks the campaign only briefly.
    Battles that do not share a force are fought in parallel. The results do not depend on --jobs.
    """
    level = options.read_detail(wanted.detail, to.form)
    check_fight(wanted)
    check_play(wanted)
    at = home.path
    with discreet(wanted.reader):
        books, ledger = read_only(at) if wanted.dry_run else read_repaired(at, wanted.reader)
    visible = visible_campaign(books, ledger, wanted.reader)
    battles = battles_to_fight(books.campaign, visible, wanted)
    if wanted.by_message:
        fight_by_message(at, books.campaign, battles[0], wanted, to)
        return
    if wanted.play:
        play = record_table_battle if wanted.at_table else play_battle
        play(at, books.campaign, battles[0], wanted, to)
        return
    battles = free_to_fight(books.campaign, battles, wanted, hearing(visible))
    commanders = commanders_of(wanted.side or [], books.campaign, battles)
    begun = {} if wanted.dry_run else begun_by_players(at, battles, wanted)
    for state in begun.values():
        hearing(visible)(f"{state}; computer commanders fight the battle now, and the players' file is kept")
    odds = wanted.odds if to.is_for_people or wanted.odds else False
    expected = [battle for battle in battles if battle.id in visible.certain]
    for name, fought_battle in odds_of_pending(visible, expected, odds, to.quiet).items():
        message(f"{name}: {clean(fought_battle.words())}")
    for battle in expected:
        if problem := unfit_advantage(visible.countable, battle):
            to.hint(clean(f"battle {battle.id}: {problem}"))
    for battle in expected if wanted.explain else []:
        if worth := worth_sentence(visible.countable, battle, is_for_umpire=visible.is_whole):
            message(clean(f"{battle.id}: {worth}"))
    with (
        discreet(wanted.reader),
        engines.allow(wanted.side) as host,
        fighters(books.campaign, battles, 1 if host else wanted.jobs) as hands,
        to.progress("battles", to.announcer("")) if len(battles) > 1 else Printer.no_bar() as tick,
    ):
        how = FightOptions(wanted.everything, wanted.explain, hearing(visible), tick, commanders=commanders)
        if not wanted.dry_run:
            how = how._replace(open=opener(at, hearing(visible)))
        fought = fight_battles(books.campaign, battles, hands, how)
    if wanted.dry_run:
        show_diff(diff(books, plan_recording(books, ledger, fought), ledger.whole_entries), to.no_color)
    else:
        fought = [
            fought_battle._replace(forced=begun.get(fought_battle.battle.id, ""), reason=wanted.reason)
            for fought_battle in fought
        ]
        record_fights(at, fought, (level, wanted.reader), to)


def commanders_of(sides: Sequence[str], campaign: Campaign, battles: Sequence[Pending]) -> Mapping[str, str]:
    """Return a dict from the keys of sides to the engines that --side names for them.

    Raises UsageError if an engine cannot command a side.
    """
    commanders = {}
    for text in sides:
        key, _, commander = text.partition("=")
        keys = [each for battle in battles for each in battle.keys]
        if not is_engine(commander):
            raise UsageError(
                f"--side {clean(text)}: write SIDE=engine:NAME; "
                f"`campaign set forces.{clean(key)}.commander RANK` sets a rank"
            )
        if key not in keys:
            hint = nearest(key, keys) or f"; the sides are {listed(keys)}"
            raise UsageError(
                f"--side {clean(text)}: none of the battles to fight has the side {quoted(key)}{hint}"
            )
        commanders[key] = commander
    if commanders and campaign.draw is not None:
        raise UsageError(
            "--side: an engine cannot fight with sealed dice, because players could not check its decisions"
        )
    return commanders


def free_to_fight(
    campaign: Campaign, battles: list[Pending], wanted: FightingOptions, hear: Callable[[str], None]
) -> list[Pending]:
    """Return the battles that --all fights.

    Battles in progress and battles with a reported result are left out, and so are battles that share a force
    with them. For each battle that is left out, `hear` is called with a sentence. Raises NeedsUmpire if no
    battle is left.
    """
    if not wanted.everything or wanted.force:
        return battles
    with discreet(wanted.reader):
        played = players_waiting(campaign.folder, battles)
        reported = {battle.id: text for battle in battles if (text := report_sentence(campaign, battle))}
        begun = reported | played
        waiting = blocked_battles(battles, begun)
        free = [battle for battle in battles if battle.id not in begun and battle.id not in waiting]
        if not free:
            undecided = [Conflict(f"{text}; {DECIDE.format(key)}") for key, text in reported.items()]
            raise NeedsUmpire([*past_conflicts(played), *undecided])
    for battle in battles:
        if battle.id in begun:
            hear(f"battle {battle.id} is held back: {begun[battle.id]}")
        elif battle.id in waiting:
            hear(f"battle {battle.id} is held back: {waiting[battle.id]}")
    return free


DECIDE = (
    "take the other reports with campaign confirm, decide it with campaign override, or let computer "
    "commanders fight it with: cardbattle campaign fight {}"
)


def players_waiting(at: str, battles: Sequence[Pending]) -> dict[str, str]:
    """Return a dict from the ids of battles that players have begun to sentences about their state."""
    return {battle.id: state for battle in battles if (state := players_waiting_sentence(at, battle))}


def begun_by_players(at: str, battles: Sequence[Pending], wanted: FightingOptions) -> Mapping[str, str]:
    """Return a dict from the ids of battles that players have begun to sentences about their state.

    Raises NeedsUmpire if players have begun a battle and --force is not set, and InvalidInput if a saved
    battle is invalid.
    """
    with discreet(wanted.reader):
        states = players_waiting(at, battles)
        if states and not wanted.force:
            raise NeedsUmpire(past_conflicts(states))
    return states


def past_conflicts(begun: Mapping[str, str]) -> list[Conflict]:
    """Return a conflict for each battle that players have begun. Its text says what the umpire can do."""
    more = (
        "continue it with --play or cardbattle orders take FILE, move its file away to discard it, "
        "or let computer commanders fight it"
    )
    return [Conflict(f"{state}; {more} with --force --reason TEXT") for state in begun.values()]


def hearing(visible: VisibleCampaign) -> Callable[[str], None]:
    """Return a function that prints a line on standard error. For players, it does nothing."""
    return (lambda line: message(clean(line))) if visible.is_whole else (lambda line: None)


def battles_to_fight(campaign: Campaign, visible: VisibleCampaign, wanted: FightingOptions) -> list[Pending]:
    """Return the pending battles that the command must fight.

    A battle that the reader of --for must not know causes the same error as a battle that does not exist.
    Raises the errors of `select_battles` and `unrecorded_battles`.
    """
    names = wanted.battle or []
    if names and not visible.is_whole:
        select_battles(visible.campaign, names, everything=False)
    with discreet(wanted.reader if not names else ""):
        selected = select_battles(campaign, names, wanted.everything)
    with discreet(wanted.reader):
        return unrecorded_battles(campaign, visible.ledger, selected)


def check_fight(wanted: FightingOptions) -> None:
    """Raise UsageError if the options contradict each other."""
    if wanted.battle and wanted.everything:
        raise UsageError("--all fights every battle; leave out --all or the battle names")
    check_force(wanted.force, wanted.reason)
    if wanted.reason and not wanted.force:
        raise UsageError("--reason needs --force; add --force or leave out --reason")
    if wanted.side and (wanted.play or wanted.by_message):
        raise UsageError("--side lets an engine fight the battle now; leave out --play and --by-message")
    if wanted.force and (wanted.play or wanted.by_message or wanted.dry_run):
        raise UsageError("--force fights without the players; leave out --play, --by-message and --dry-run")
    if wanted.reader and (wanted.dry_run or wanted.explain or wanted.by_message or wanted.side):
        raise UsageError("--dry-run, --explain, --by-message and --side are for the umpire; leave out --for")


def notify(line: str) -> None:
    """Print this line on standard error."""
    message(clean(line))


def check_play(wanted: FightingOptions) -> None:
    """Raise UsageError if the options for --play and --by-message contradict each other."""
    if (wanted.full or wanted.teach or wanted.at_table) and not wanted.play:
        raise UsageError("--screen, --teach and --table need --play; add --play")
    if wanted.played and not (wanted.play or wanted.by_message):
        raise UsageError("--as needs --play or --by-message; add one of them")
    if wanted.message_folder and not wanted.by_message:
        raise UsageError("--dir is for messages to players; add --by-message")
    if wanted.play and wanted.by_message:
        raise UsageError("--play and --by-message contradict each other; leave out one")
    if (wanted.played or wanted.full) and wanted.at_table:
        raise UsageError("--table records a battle at a real table; leave out --as and --screen")
    way = "--play" if wanted.play else "--by-message" if wanted.by_message else ""
    if way and (wanted.everything or wanted.dry_run or len(wanted.battle or []) > 1):
        raise UsageError(
            f"{way} fights and records only one battle; leave out --all, --dry-run and other battle names"
        )


def fight_by_message(
    at: str, campaign: Campaign, battle: Pending, wanted: FightingOptions, to: Printer
) -> None:
    """Begin a pending battle by message, or print its open questions again. If the battle is over, record it.

    Without --as, every side is asked. For factions named by `campaign substitute`, a computer commander
    answers.

    Raises InvalidInput if the setup of the battle is invalid, or if it was begun with another option (--play,
    --table or --by-message). Also raises the errors of `record_fights`.
    """
    to.message_folder = wanted.message_folder
    campaign = with_slot(at, campaign, battle, notify)
    played = PlayedBattle(campaign, battle, wanted.played or [], by_message=True)
    path = os.path.relpath(played.path)
    kept_battle = SavedSession(path, played.session, b"")
    if not os.path.lexists(path):
        note_time(kept_battle, -1)
        kept_battle.keep()
        to.message(
            f"the battle is saved in {clean(path)}; that file reveals every hand, so do not send it to anyone"
        )
        to.message(rules_hint(kept_battle))
        for line in follow_substitutes(campaign):
            to.message(clean(line))
        if others := [key for key in battle.keys if key not in persons_in(path)]:
            names = listed(map(campaign.display_name, others))
            to.message(clean(f"computer commanders play the sides that --as does not name: {names}"))
        kept_battle = open_saved(path)
        played.session = kept_battle.session
        show_allies(at, campaign, battle, to)
    if played.session.is_over:
        end_by_message(kept_battle, to)
    else:
        show(kept_battle, questions(kept_battle, played.session.seats_to_answer, to), to)
        print_next_step(kept_battle, to, others_pending(campaign, [battle.id]))


def show_allies(at: str, campaign: Campaign, battle: Pending, to: Printer) -> None:
    """Print who commands the joint sides of a battle by message, and the messages to their allies."""
    notices = ally_notices(campaign, read_only(at)[1], battle)
    for side in battle.sides:
        leader = campaign.forces[leading_force(campaign, battle, side[0])].faction
        allies = [campaign.faction_name(key) for key in factions_of_side(campaign, side) if key != leader]
        if allies:
            commands = with_verb(campaign.faction_name(leader), "commands|command")
            name = mid_sentence(campaign.side_name(side, battle))
            to.message(clean(f"{commands} {name}, also for {mid_sentence(listed(allies))}"))
    if to.message_folder:
        write_messages(to.message_folder, files_of(campaign, notices, to), to)
    elif notices and to.form == "text":
        to.show(requests_page(campaign, notices))


def play_battle(at: str, campaign: Campaign, battle: Pending, wanted: FightingOptions, to: Printer) -> None:
    """Let people play a pending battle, and save it after each answer. When the battle is over, record it.

    Raises InvalidInput if the setup of the battle is invalid, or if it was begun with another option (--play,
    --table or --by-message). Also raises the errors of `record_fights`.
    """
    from cardbattle.cli.play.prompt import Prompt  # slow to import; only needed when a person plays

    face = choose_front_end(wanted.full, to.no_color)
    with discreet(wanted.reader):
        played = PlayedBattle(with_slot(at, campaign, battle, notify), battle, wanted.played or [])
    sides = "".join(f" --as {key}" for key in wanted.played or [])
    again = f"{again_with(at, battle)}{sides}{' --screen' if wanted.full else ''}"
    color = False if to.no_color else None
    prompt = Prompt(played.session, os.path.relpath(played.path), again, wanted.teach, color)
    if face(prompt):
        record_fights(at, [played.fought()], (options.read_detail(wanted.detail, to.form), wanted.reader), to)
        disk.remove(played.path)


def again_with(at: str, battle: Pending) -> str:
    """Return the command line that continues a battle that people have begun to play."""
    return f"cardbattle campaign -C {as_typed(os.path.relpath(at))} fight {battle.id} --play"


def record_table_battle(
    at: str, campaign: Campaign, battle: Pending, wanted: FightingOptions, to: Printer
) -> None:
    """Let people report the moves of a pending battle with real cards. When the battle is over, record it.

    Raises InvalidInput if the setup of the battle is invalid, or if it was begun with another option (--play,
    --table or --by-message). Also raises the errors of `record_fights`.
    """
    with discreet(wanted.reader):
        table_battle_file = TableBattleFile(
            with_slot(at, campaign, battle, notify), battle, ask_random_house_rules
        )
    again = f"{again_with(at, battle)} --table"
    color = False if to.no_color else None
    lines = TableLines(
        table_battle_file.table, os.path.relpath(table_battle_file.path), again, wanted.teach, color
    )
    if lines.play():
        fought = table_battle_file.fought()
        record_fights(at, [fought], (options.read_detail(wanted.detail, to.form), wanted.reader), to)
        disk.remove(table_battle_file.path)
        for part in unverifiable_parts(fought.record):
            message(f"battle {battle.id}: {part}")


def record_fights(at: str, fought: Sequence[FoughtBattle], telling: tuple[int, str], to: Printer) -> None:
    """Record the results of fought battles, then print the battles.

    `telling` is a pair: the level of --detail, and the reader of --for. Raises NeedsUmpire if a pending
    battle has changed since it was fought, and the errors of `open_for_writing` and `Transaction.commit`.
    """
    detail, reader = telling
    operations, entries, visible = commit_fights(at, fought, reader, to.quiet)
    with (
        discreet(reader),
        report_lost_output(entries)
        if visible.is_whole
        else report_completed("the results of the battles are recorded"),
    ):
        views = [
            visible.view_of(entry.revision, battle.record)
            for battle, entry in zip(fought, entries, strict=True)
        ]
        changes = [visible.changes_in(operation.entry) for operation in operations]
        battles = reports_with_changes(views, changes)
        stories = []
        if detail == STORY:
            writer = CampaignStories(visible)
            stories = [
                writer.story(entry.revision, report)
                for entry, (report, _, _) in zip(entries, battles, strict=True)
            ]
        to.show(fights_page(visible.campaign, battles, detail, stories))
    if visible.is_whole:
        print_step_in_turn(visible.campaign, visible.ledger, at, to)


def reports_with_changes(
    views: Sequence[RecordView], changes: Sequence[Sequence[Change]]
) -> list[tuple[Report, Mapping[str, object], Sequence[Change]]]:
    """Return a tuple for each battle: its report, its record as a dict, and its changes to the campaign.

    All three contain only what the reader may see.
    """
    return [
        (view.report(refight(view.record)), view.table(), changed)
        for view, changed in zip(views, changes, strict=True)
    ]


DEMO = "cider-war"
NEXT_STEPS = """\
  cardbattle campaign show              see what is left to fight
  cardbattle campaign fight             fight the next battle
  cardbattle campaign undo              undo the last command
  cardbattle campaign report            print a report for the players
  cardbattle campaign new ../war --ask  create a campaign of your own
  cardbattle play wargame --teach       command a side yourself
"""


@DEMO_COMMANDS.command("cardbattle demo && cd cider-war && cardbattle campaign show")
def demo_command(
    folder: Annotated[
        str,
        argument(
            "FOLDER",
            "Folder to create.  [default: cider-war, or cider-war-2 and so on]",
            callback=options.validate_folder,
        ),
    ] = "",
    quiet: options.Quiet = False,
    no_color: options.NoColor = False,
) -> None:
    """Create a sample campaign and fight its first battle."""
    at = copy_to(folder or disk.free_name(DEMO))
    if not quiet:
        with report_completed(f"the demo campaign is in {clean(at)}"):
            write_line(f"The demo campaign is in {clean(at)}; look at campaign.toml with any editor.\n")
    fight_first(at, Printer(PrintOptions(quiet=quiet, no_color=no_color), ALL))
    if not quiet:
        print(f"\nWhat to do next:\n  cd {as_typed(os.path.relpath(at))}\n{NEXT_STEPS}", end="")


def fight_first(at: str, to: Printer) -> None:
    """Fight and record the first pending battle of a campaign, and print its log and the changes."""
    books, ledger = read_only(at)
    battles = unrecorded_battles(books.campaign, ledger, select_battles(books.campaign, [], False))
    fought = fight_battles(books.campaign, battles, (Serial(), 1), FightOptions())
    record_fights(at, fought, (TALE, ""), to)
