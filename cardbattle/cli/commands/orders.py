"""orders: a battle fought by people who are not there; they are written, and their answers are pasted."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.battles.messages.answer_text import answers_in, read_to_seal, standing_in
from cardbattle.battles.messages.answers import take_valid_answers, unanswered, unclear_lines
from cardbattle.battles.messages.rehearsal import Rehearsal
from cardbattle.battles.messages.wrapped_answers import is_meant
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.saved_session import KeptBattle, open_kept
from cardbattle.battles.sealed_orders import draw_salt, seal_of
from cardbattle.battles.session_file import ENDING, is_session
from cardbattle.campaign.state.paths import NAME
from cardbattle.cli import options
from cardbattle.cli.command_table import ORDERS
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.play.play import commander_of, record_beside, with_players
from cardbattle.cli.reading import blame, read_battle_input
from cardbattle.cli.run import BattleOptions, CommandGroup, Printer, option_group
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.commanders import HUMAN, rank_mistake
from cardbattle.commanders.standing import read_standing
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.names import as_typed, clean, key_from, key_mistake, listed
from cardbattle.files import disk
from cardbattle.files.reader import table_or_empty
from cardbattle.files.spreadsheet import read_text
from cardbattle.files.toml import MEGABYTE, read_toml
from cardbattle.show.pages.orders import rehearsal_page, seal_page, status_page, waiting_words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cardbattle.battles.messages.answer_text import Answer
    from cardbattle.battles.messages.answers import Taken
    from cardbattle.battles.session import Session
    from cardbattle.commanders.standing import StandingLine
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.show.message import Message

COMMANDS = CommandGroup()
FORMATS = ("text", "discord", "bbcode", "md", "json")
TOLD = ("text", "plain", "md", "json")

Kept = Annotated[
    str, typer.Argument(metavar="ID.battle.toml", help="The saved battle. Only the umpire may see it.")
]

OnlyTo = Annotated[
    str,
    typer.Option(
        "--for",
        metavar="SIDE",
        help="Print only the message to this side.  [default: all messages]",
        callback=options.as_key,
    ),
]
OrdersOf = Annotated[
    str,
    typer.Option(
        "--for",
        metavar="SIDE",
        help="Side that has these standing orders; required.",
        callback=options.as_key,
    ),
]

orders = typer.Typer(
    name="orders",
    cls=LazyGroup,
    add_completion=False,
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="cardbattle orders ask examples/shrewsbury.toml --as percy\n"
    "cardbattle orders take shrewsbury.battle.toml mail.txt",
)


@orders.callback()
def orders_group(context: typer.Context) -> None:
    """Fight a battle by message: send questions and enter the answers."""
    print_help_without_command(context)


@option_group
class BattleByMessage(NamedTuple):
    """A battle as it is named on the command line, or the file of one that was begun, and who is asked."""

    battle: Annotated[
        str,
        typer.Argument(metavar="RULES|BATTLE.toml", help="A saved battle, a battle file, or a rule set."),
    ]
    side: options.Sides = None
    seed: options.Seed = ""
    setting: options.Settings = None
    played: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            metavar="SIDE",
            help="Side that answers by message. Repeatable.  [default: sides with commander human]",
        ),
    ] = None
    save: options.SaveFile = ""


@COMMANDS.command(
    "cardbattle orders ask examples/shrewsbury.toml --as percy --as stafford\n"
    "cardbattle orders ask shrewsbury.battle.toml --for percy --format discord",
    FORMATS,
)
def ask_command(named: BattleByMessage, to: Printer, viewer: OnlyTo = "") -> None:
    """Print a message to each side that must decide.

    A message says what has happened, what the side sees and what it can choose. Send it to that side
    alone. Long messages are split into parts of at most 1900 characters.

    A battle file or a rule set starts a new battle and saves it; a saved battle prints its messages again.
    """
    if named.battle == "-":
        raise UsageError("a battle by message is kept in a file; name one, or a rule set")
    kept = open_or_create(named)
    session = kept.session
    seats = [session.keys.index(options.one_of(viewer, session.keys, "--for"))] if viewer else session.asked
    if session.is_over:
        end_by_message(kept, to)
        return
    written = questions(session, seats, to)
    if not kept.file.written:
        kept.keep()
        to.message(f"the battle is kept in {clean(kept.path)}; it holds everything, so send it to nobody")
        to.message(f"take answers with: cardbattle orders take {as_typed(kept.path)}")
    show(session, written, to)


@COMMANDS.command(
    "cardbattle orders take shrewsbury.battle.toml mail.txt\n"
    "cardbattle orders take shrewsbury.battle.toml monday.txt tuesday.txt",
    FORMATS,
)
def take_command(
    battle: Kept,
    to: Printer,
    letters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE", help="Text with answers, or - for standard input.  [default: standard input]"
        ),
    ] = None,
) -> None:
    """Read answers from pasted text and print the next messages.

    An answer follows its address, such as "shrewsbury/percy@3: 2". Greetings, signatures and quoted text
    are ignored. Valid answers are accepted; each other answer is reported with file, line and side, and the
    exit code is then 3. When the battle is over, its record is written.
    """
    kept = open_to_go_on(battle)
    before = places(kept.session)
    taken = take_files(kept, letters or ["-"])
    kept.session = taken.session
    kept.keep()
    report_rejected(taken, to)
    continue_by_message(kept, before, to)
    if taken.mistakes:
        raise typer.Exit(InvalidInput.exit_code)


@COMMANDS.command(
    "cardbattle orders status shrewsbury.battle.toml\n"
    "cardbattle orders status shrewsbury.battle.toml --format md",
    TOLD,
)
def status_command(battle: Kept, to: Printer) -> None:
    """Show whose answer is missing, and since when.

    When sides choose in secret, all of them are listed until all have chosen. When the name alone would
    reveal something about a hand, all players are listed.
    """
    to.show(status_page(open_kept(battle).session))


@COMMANDS.command(
    "cardbattle orders remind shrewsbury.battle.toml percy\n"
    "cardbattle orders remind shrewsbury.battle.toml percy --format discord",
    FORMATS,
)
def remind_command(
    battle: Kept,
    side: Annotated[str, typer.Argument(metavar="SIDE", help="Side to remind.", callback=options.as_key)],
    to: Printer,
) -> None:
    """Print a reminder to a side that has not answered."""
    from cardbattle.show.message import reminder_to

    session = open_to_go_on(battle).session
    seat = session.keys.index(options.one_of(side, session.keys, "SIDE"))
    show(session, reminder_to(session, seat, encoding_of(to)), to)


@COMMANDS.command(
    "cardbattle orders substitute shrewsbury.battle.toml percy regular\n"
    "cardbattle orders substitute shrewsbury.battle.toml percy human",
    FORMATS,
)
def substitute_command(
    battle: Kept,
    side: Annotated[
        str, typer.Argument(metavar="SIDE", help="Side whose player is absent.", callback=options.as_key)
    ],
    commander: Annotated[
        str,
        typer.Argument(
            metavar="RANK", help="Commander from now on: a rank, or human to return the side to its player."
        ),
    ],
    to: Printer,
) -> None:
    """Let a computer commander answer for an absent player.

    The player's secret choices and standing orders still count. The record notes from which question on the
    commander answered.
    """
    kept = open_to_go_on(battle)
    seat = kept.session.keys.index(options.one_of(side, kept.session.keys, "SIDE"))
    mistake = rank_mistake(commander.lower(), orders=False) if commander.lower() != HUMAN else ""
    if mistake:
        raise UsageError(mistake)
    before = places(kept.session)
    kept.session.substitute(seat, commander.lower())
    kept.keep()
    to.message(f"{side} is commanded by: {commander.lower()}")
    continue_by_message(kept, before, to)


@COMMANDS.command(
    'cardbattle orders seal "shrewsbury/percy@3: play KH rally"\n'
    'cardbattle orders seal "shrewsbury/percy@3: 2" --format plain',
    TOLD,
    called="seal",
)
def seal_answer_command(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The whole answer, with its address: BATTLE/SIDE@N: CHOICE.")
    ],
    to: Printer,
) -> None:
    """Seal an answer: it stays secret until all have answered.

    Prints a line to send now and a line to keep. The first line hides the answer, but nobody can change the
    answer later, not even its sender. The second line opens it.
    """
    one = read_to_seal(text)
    salt = draw_salt()
    to.show(seal_page(one, salt, seal_of(one.battle, one.place, one.side, salt, one.words)))


@COMMANDS.command(
    "cardbattle orders check examples/shrewsbury.toml orders.txt --for percy\n"
    "cardbattle orders check shrewsbury.battle.toml --for percy",
    TOLD,
    "check",
)
def check_orders_command(
    battle: BattleOptions,
    to: Printer,
    viewer: OrdersOf = "",
    lines: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Standing orders, or - for standard input.  [default: those the side already has]",
        ),
    ] = "",
) -> None:
    """Show what standing orders would do, in ten battles.

    Regular commanders play the other sides. A saved battle is continued from what the side knows, with
    random cards in place of the hidden ones.
    """
    rehearsal = read_rehearsal(battle)
    keys = rehearsal.plan.setup.seats
    if not viewer:
        raise UsageError(f"--for says whose orders they are; name one of {listed(keys, 'or')}")
    seat = keys.index(options.one_of(viewer, keys, "--for"))
    texts, orders = read_orders_to_check(
        lines, viewer, rehearsal.plan.sides[seat].standing, rehearsal.plan.rules
    )
    to.show(rehearsal_page(viewer, texts, rehearsal.run(seat, orders)))


def read_rehearsal(named: BattleOptions) -> Rehearsal:
    """Return a battle to be tried, begun or not; errors as `read_battle_input` and `open_kept`."""
    if options.is_file(named.battle) and named.battle != "-" and is_session(read_toml(named.battle).data):
        session = open_kept(named.battle).session
        return Rehearsal(session.plan, session)
    given = read_battle_input(named)
    with blame(given):
        return Rehearsal(read_battle(given.table, given.base))


def read_orders_to_check(
    file: str, side: str, own: Sequence[str], rules: RuleSet
) -> tuple[Sequence[str], list[StandingLine]]:
    """Return the standing orders of a file, else those that the side has; Refused if one is unclear.

    UsageError if there are none.
    """
    if not file:
        if not own:
            raise UsageError(
                f"{side} has no standing orders; name a file that has some, or - for standard input"
            )
        return own, read_standing(own, rules)
    name, text = read_text(file, MEGABYTE, is_letter=True)
    found = standing_in(name, text, side)
    texts = [line for line, _ in found]
    mistakes = unclear_lines(rules, [one for _, one in found], texts)
    if mistakes:
        raise InvalidInput(mistakes)
    return texts, read_standing(texts, rules)


def open_or_create(named: BattleByMessage) -> KeptBattle:
    """Return a battle that was begun, from its file, or a new one that is not kept yet.

    UsageError if what is added makes no sense; Refused if a file is refused.
    """
    if options.is_file(named.battle) and is_session(read_toml(named.battle).data):
        if named.played or named.side or named.seed or named.setting or named.save:
            raise UsageError(
                "a battle goes on as it was begun; leave out --as, --side, --set, --seed and --save"
            )
        return open_kept(named.battle)
    return new_by_message(named)


def new_by_message(named: BattleByMessage) -> KeptBattle:
    """Return a new battle, not kept yet; UsageError if nobody is asked, or its file is there already."""
    given = read_battle_input(
        BattleOptions(options.as_rules(named.battle), named.side, named.seed, named.setting)
    )
    table = with_players(given.table, named.side or [], options.as_keys(named.played))
    with blame(given):
        plan = read_battle({"id": battle_id(named)} | table, given.base)
        if HUMAN not in map(commander_of, table_or_empty(table["sides"]).values()):
            raise UsageError(
                "nobody is asked by message: name who answers with --as SIDE, or write commander = "
                f'"{HUMAN}" in the side\'s table'
            )
        path = named.save or f"{plan.id}{ENDING}"
        if os.path.lexists(path):
            raise UsageError(
                f"{clean(path)} is there already; ask again with: cardbattle orders ask {as_typed(path)}, or "
                "keep this battle elsewhere with --save"
            )
        session = begin_session(plan)
        session.give_receipts(draw_salt())
        return KeptBattle(path, session, b"")


def battle_id(named: BattleByMessage) -> str:
    """Return the id of a battle that has none of its own: what its file is called, or the rule set.

    It must not come of the content, as others do, for every message names it and the seed is secret.
    """
    file = named.save.removesuffix(ENDING) or named.battle
    found = key_from(os.path.basename(file).removesuffix(".toml"))
    return "battle" if key_mistake(found) else found


def open_to_go_on(path: str) -> KeptBattle:
    """Return a battle in progress that is not over; Refused if it is."""
    kept = open_kept(path)
    if kept.session.is_over:
        raise InvalidInput(f"{clean(path)}: the battle is over; {closing_hint(kept)}")
    return kept


def closing_hint(kept: KeptBattle) -> str:
    """Return what is to be done with a battle that is over and was not recorded yet."""
    folder = campaign_of_battle(kept)
    if folder:
        at = f"cardbattle campaign -C {as_typed(folder)}"
        return f"record it with: {at} fight {kept.session.plan.id} --by-message"
    return f"write its record with: cardbattle play {as_typed(kept.path)}"


def campaign_of_battle(kept: KeptBattle) -> str:
    """Return the folder of the campaign in which a battle is pending, the empty string if in none."""
    folder = os.path.dirname(kept.path) or "."
    is_bound = bool(kept.session.plan.bound) and os.path.exists(os.path.join(folder, NAME))
    return folder if is_bound else ""


def take_files(kept: KeptBattle, files: Sequence[str]) -> Taken:
    """Take every valid answer in these files; what is wrong with the others comes with them.

    Refused if nothing was taken.
    """
    found: list[Answer] = []
    mistakes: list[Diagnostic] = []
    for file in files:
        try:
            name, text = read_text(file, MEGABYTE, is_letter=True)
            rules, keys = kept.session.rules, kept.session.keys
            answers = [one for one in answers_in(name, text) if is_meant(rules, keys, one)]
        except InvalidInput as refused:
            mistakes += refused.mistakes
            continue
        found += answers
        mistakes += [] if answers else [unanswered(name, kept.session)]
    taken = take_valid_answers(kept.session, found, lambda: open_kept(kept.path).session)
    mistakes += taken.mistakes
    if not taken.answers:
        raise InvalidInput(mistakes)
    return taken._replace(mistakes=mistakes)


def report_rejected(taken: Taken, to: Printer) -> None:
    """Say which answers were taken, and what is wrong with the others, if there are any."""
    if taken.mistakes:
        to.message(f"taken: {clean(listed(dict.fromkeys(one.told for one in taken.answers)))}; refused:")
    for mistake in taken.mistakes:
        complain(mistake)


def places(session: Session) -> dict[int, tuple[int, bool]]:
    """Return the place of each seat that is asked, and whether it is to open what it has sealed."""
    is_time = session.are_all_sealed()
    return {seat: (session.place(seat), is_time) for seat in session.asked}


def continue_by_message(kept: KeptBattle, before: dict[int, tuple[int, bool]], to: Printer) -> None:
    """Write to those who are asked something new in a battle that has gone on and was kept; or end it."""
    session = kept.session
    if session.is_over:
        end_by_message(kept, to)
        return
    now = places(session)
    show(session, questions(session, [seat for seat in now if before.get(seat) != now[seat]], to), to)


def end_by_message(kept: KeptBattle, to: Printer) -> None:
    """Record a battle that is over, remove its file, and write to all how it ended.

    In a campaign's folder the campaign records it, else its record is written; errors as of either.
    """
    from cardbattle.show.message import ending_to

    session = kept.session
    folder = campaign_of_battle(kept)
    if folder:
        record_in_campaign(kept, folder, to)
    else:
        write_record(kept, to)
    written = [one for seat in session.players for one in ending_to(session, seat, encoding_of(to))]
    show(session, written, to)


def write_record(kept: KeptBattle, to: Printer) -> None:
    """Write the record of a battle that is over, and remove the file that kept it."""
    path = record_beside(kept.path)
    disk.write_text(path, dumps_record(kept.session.record()))
    if kept.file.written:
        disk.remove(kept.path)
    to.message(f"the battle is over; its record is in {clean(path)}")


def record_in_campaign(kept: KeptBattle, folder: str, to: Printer) -> None:
    """Let the campaign record a battle that is over, and remove the file that kept it.

    Refused if it is not pending any more, NeedsUmpire if it would be another battle by now; then its file
    stays as it is.
    """
    from cardbattle.campaign.turn.fighting import chosen, not_recorded
    from cardbattle.campaign.turn.playing import PlayedBattle
    from cardbattle.cli.campaign.shared import committed_fights, read_repaired

    books, ledger = read_repaired(folder)
    battle = not_recorded(books.campaign, ledger, chosen(books.campaign, [kept.session.plan.id], False))[0]
    persons = [kept.session.keys[seat] for seat in kept.session.players]
    committed_fights(folder, [PlayedBattle(books.campaign, battle, persons, by_message=True).fought()])
    disk.remove(kept.path)
    to.message(f"the battle is over; {battle.id} is recorded in the campaign")


def questions(session: Session, seats: Collection[int], to: Printer) -> list[Message]:
    """Return the messages to these seats; Refused if one is not asked.

    While seals are opened nobody is asked anything else.
    """
    from cardbattle.show.message import opening_to, question_to

    if session.are_all_sealed():
        return [one for seat in seats if seat in session.seals for one in opening_to(session, seat)]
    return [one for seat in seats for one in question_to(session, seat, encoding_of(to))]


def encoding_of(to: Printer) -> str:
    """Return which letters a message may have."""
    return "utf-8" if to.is_file or to.form == "json" else sys.stdout.encoding or "utf-8"


def show(session: Session, written: Sequence[Message], to: Printer) -> None:
    """Print messages; where there is none, who is waited for."""
    from cardbattle.show.message import messages_page

    to.show(messages_page(session.plan.id, written, waiting_words(session)))


GROUP = Group(orders, ORDERS)
