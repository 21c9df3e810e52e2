"""The commands `orders`, for battles by message: the umpire sends questions and enters the answers."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardbattle.battles.messages.answer_text import LONGEST, RejectedAnswer, read_to_seal, standing_in
from cardbattle.battles.messages.answers import (
    LateAnswer,
    MisplacedOrder,
    NoAnswer,
    no_answer_error,
    numbered_in_advance,
    take_valid_answers,
    unclear_lines,
)
from cardbattle.battles.messages.pasted_text import mails_in
from cardbattle.battles.messages.rehearsal import Rehearsal
from cardbattle.battles.messages.replies import LineForUmpire, Mail, read_mail
from cardbattle.battles.messages.saved_mail import read_message
from cardbattle.battles.messages.side_names import AMBIGUOUS
from cardbattle.battles.messages.wrapped_answers import answer_test
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.saved_session import SavedSession, open_saved
from cardbattle.battles.sealed_orders import draw_salt, seal_of
from cardbattle.battles.session_file import ENDING, is_session
from cardbattle.campaign.state.clock import timestamp, zoned_time
from cardbattle.campaign.state.paths import NAME, RECORDS
from cardbattle.cli import options
from cardbattle.cli.command_table import ORDERS
from cardbattle.cli.lazy_group import Group, LazyGroup, print_help_without_command
from cardbattle.cli.message_files import POST_FORMATS, FileMessage, MessageFolder, is_divided, write_messages
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.play.play import commander_of, record_beside, with_players
from cardbattle.cli.reading import blame, read_battle_input
from cardbattle.cli.run import BattleOptions, CommandGroup, Printer, option_group
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.commanders import HUMAN, rank_error
from cardbattle.commanders.standing import is_else, read_standing
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.names import as_typed, clean, key_error, key_from, listed, quoted
from cardbattle.core.telling import counted
from cardbattle.files import disk
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import read_toml
from cardbattle.show.battle_text import LONGEST_POST
from cardbattle.show.message import ending_to, messages_page, notice_to, opening_to, question_to, reminder_to
from cardbattle.show.pages.orders import rehearsal_page, seal_page, status_page, waiting_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from cardbattle.battles.messages.answer_text import Answer
    from cardbattle.battles.messages.answers import Taken
    from cardbattle.battles.session import Session
    from cardbattle.commanders.standing import StandingLine
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.show.document import Document
    from cardbattle.show.message import Message

NUMBERED = re.compile(r"(\.question-\d+)-\d+$")  # the name of a second file with the same question
COMMANDS = CommandGroup()
FORMATS = ("text", "discord", "bbcode", "md", "json")
CHOOSE = "; choose one of "  # the list of options in an error, which a message with the question has too
WRITE_BEHIND = "write your answer after the address in the last line"
NO_ANSWER = "your mail contains no answer; write it after the address in the last line"
REPORT_FORMATS = ("text", "plain", "md", "json")

SavedBattle = Annotated[
    str, argument("ID.battle.toml", "The saved battle. Only the umpire may see this file.")
]

OnlyTo = Annotated[
    str,
    option(
        "--for SIDE", "Print only the message to this side.  [default: all messages]", callback=options.as_key
    ),
]
OrdersOf = Annotated[
    str,
    option("--for SIDE", "Side to which the standing orders belong; required.", callback=options.as_key),
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
    """The options that name the battle, which can be new or saved, and the sides that answer by message."""

    battle: Annotated[str, argument("RULES|BATTLE.toml", "A saved battle, a battle file, or a rule set.")]
    side: options.Sides = None
    seed: options.Seed = ""
    setting: options.Settings = None
    preset: options.PresetName = ""
    played: Annotated[
        list[str] | None,
        option(
            "--as SIDE", "Side that answers by message. Repeatable.  [default: sides with commander human]"
        ),
    ] = None
    save: options.SaveFile = ""


@COMMANDS.command(
    "cardbattle orders ask examples/shrewsbury.toml --as percy --as stafford\n"
    "cardbattle orders ask shrewsbury.battle.toml --for percy --format discord",
    FORMATS,
)
def ask_command(
    named: BattleByMessage, to: Printer, viewer: OnlyTo = "", message_folder: MessageFolder = ""
) -> None:
    """Print a message to each side that must decide.

    A message says what has happened, what the side sees and what it can choose. Send each message only to its
    side. Long messages are split into parts of at most 1900 characters.

    If you name a battle file or a rule set, the command starts a new battle and saves it. If you name a saved
    battle, the command prints the messages of its open questions again.

    With --dir, files have names such as shrewsbury.percy.question-1.txt, and files of earlier questions are
    removed.
    """
    to.message_folder = message_folder
    if named.battle == "-":
        raise UsageError(
            "a battle by message cannot come from standard input; name a battle file or a rule set, not -"
        )
    battle_file = open_or_create(named)
    session = battle_file.session
    seats = [seat_named(battle_file, viewer, "--for")] if viewer else session.seats_to_answer
    if session.is_over:
        end_by_message(battle_file, to)
        return
    is_new = not battle_file.file.written
    if is_new:
        note_time(battle_file, -1)
    messages = questions(battle_file, seats, to)
    if is_new:
        battle_file.keep()
        to.message(
            f"the battle is saved in {clean(battle_file.path)}; "
            "that file reveals every hand, so do not send it to anyone"
        )
        to.message(rules_hint(battle_file))
    show(battle_file, messages, to)
    print_next_step(battle_file, to)


@COMMANDS.command(
    "cardbattle orders take shrewsbury.battle.toml mail.txt\n"
    "cardbattle orders take shrewsbury.battle.toml monday.txt tuesday.txt",
    FORMATS,
)
def take_command(
    battle: SavedBattle,
    to: Printer,
    files: Annotated[
        list[str] | None,
        argument("FILE", "Text with answers, or - for standard input.  [default: standard input]"),
    ] = None,
    message_folder: MessageFolder = "",
) -> None:
    """Read the players' answers from pasted text and print the next messages.

    An answer consists of its address and the choice, such as "shrewsbury/percy@3: 2". Greetings, signatures
    and quoted text are ignored. Valid answers are accepted. Invalid answers are reported with file, line and
    side, and make the exit code 3, and so do questions to you. When the battle is over, the command writes
    its record.
    """
    to.message_folder = message_folder
    battle_file = open_unfinished(battle)
    session = battle_file.session
    places = {session.keys[seat]: session.place(seat) for seat in session.players}
    before, since = question_numbers(session), session.since
    move_count = len(session.referee.moves)
    try:
        result = take_files(battle_file, files or ["-"])
    except InvalidInput as refused:
        report_errors(refused.errors, battle_file, to)
        show_refusals(open_saved(battle), refusals(refused.errors, places, places), to)
        raise typer.Exit(InvalidInput.exit_code) from None
    battle_file.session = result.session
    battle_file.session.since = since
    note_time(battle_file, move_count)
    battle_file.keep()
    report_rejected(result, battle_file, to)
    report_numbers(result, before, to)
    after = {session.keys[seat]: result.session.place(seat) for seat in session.players}
    continue_by_message(battle_file, before, to, refusals(result.errors, places, after))
    if result.errors:
        raise typer.Exit(InvalidInput.exit_code)


@COMMANDS.command(
    "cardbattle orders status shrewsbury.battle.toml\n"
    "cardbattle orders status shrewsbury.battle.toml --format md",
    REPORT_FORMATS,
)
def status_command(battle: SavedBattle, to: Printer) -> None:
    """Show whose answer is missing, and since when.

    If several sides choose at the same time in secret, all of them are listed until all have chosen. If the
    name of a side that must decide would reveal something about its cards, all players are listed.
    """
    to.show(status_page(open_begun(battle).session))


@COMMANDS.command(
    "cardbattle orders remind shrewsbury.battle.toml percy\n"
    "cardbattle orders remind shrewsbury.battle.toml percy --format discord",
    FORMATS,
)
def remind_command(
    battle: SavedBattle,
    side: Annotated[str, argument("SIDE", "Side to remind.", callback=options.as_key)],
    to: Printer,
) -> None:
    """Print a reminder to a side that has not answered."""
    battle_file = open_unfinished(battle)
    session = battle_file.session
    seat = seat_named(battle_file, side, "SIDE")
    show(battle_file, reminder_to(session, seat, encoding_of(to), deadline_sentence(battle_file)), to)
    print_next_step(battle_file, to)


@COMMANDS.command(
    "cardbattle orders substitute shrewsbury.battle.toml percy regular\n"
    "cardbattle orders substitute shrewsbury.battle.toml percy human",
    FORMATS,
)
def substitute_command(
    battle: SavedBattle,
    side: Annotated[str, argument("SIDE", "Side whose player is absent.", callback=options.as_key)],
    commander: Annotated[
        str, argument("RANK", "Commander from now on: a rank, or human to return the side to its player.")
    ],
    to: Printer,
    message_folder: MessageFolder = "",
) -> None:
    """Let a computer commander answer for an absent player.

    Secret choices and standing orders that the player has already sent still count. The record contains the
    number of the first question that the commander answered.
    """
    to.message_folder = message_folder
    battle_file = open_unfinished(battle)
    seat = seat_named(battle_file, side, "SIDE")
    error = rank_error(commander.lower(), orders=False) if commander.lower() != HUMAN else ""
    if error:
        raise UsageError(error)
    before = question_numbers(battle_file.session)
    move_count = len(battle_file.session.referee.moves)
    battle_file.session.substitute(seat, commander.lower())
    note_time(battle_file, move_count)
    battle_file.keep()
    to.message(f"{side}: the commander is now {commander.lower()}")
    continue_by_message(battle_file, before, to)


@COMMANDS.command(
    'cardbattle orders seal "shrewsbury/percy@3: play KH rally"\n'
    'cardbattle orders seal "shrewsbury/percy@3: 2" --format plain',
    REPORT_FORMATS,
    called="seal",
)
def seal_answer_command(
    text: Annotated[
        str, argument("TEXT", "The whole answer: BATTLE/SIDE@N: CHOICE, where N is the question's number.")
    ],
    to: Printer,
) -> None:
    """Seal an answer, to keep it secret until all sides have answered.

    The command prints a line to send now and a line to keep. The first line hides your answer, but you cannot
    change the answer after you have sent it. The second line reveals the answer: send it later, when you are
    asked for it.

    Orders to move that probably cannot be read are reported. In the folder of their campaign, the program
    checks them completely.
    """
    answer = read_to_seal(text)
    salt = draw_salt()
    to.show(seal_page(answer, salt, seal_of(answer.battle, answer.place, answer.side, salt, answer.words)))
    for doubt in wording_of(answer):
        to.message(clean(f"before you send the sealed line: {doubt}"))


def wording_of(answer: Answer) -> list[str]:
    """Return what is wrong with orders to move that are sealed, or probably wrong.

    The campaign in the current folder checks its orders of this turn. Answers in battles are not checked.
    """
    if ":" not in answer.words and not os.path.exists(NAME):
        return []
    from cardbattle.campaign.exchange.orders.addresses import address_word  # imports pydantic
    from cardbattle.campaign.exchange.seal_check import wording_doubts, wording_errors
    from cardbattle.campaign.storage.store import load

    campaign = None
    with suppress(InvalidInput):
        campaign = load(".").campaign if os.path.exists(NAME) else None
    if (
        campaign
        and campaign.movement
        and (address_word(campaign), campaign.turn) == (answer.battle, answer.place)
    ):
        return wording_errors(campaign, answer.side, answer.words) if answer.side in campaign.factions else []
    return list(wording_doubts(answer.words))


@COMMANDS.command(
    "cardbattle orders check examples/shrewsbury.toml orders.txt --for percy\n"
    "cardbattle orders check shrewsbury.battle.toml orders.txt --for percy",
    REPORT_FORMATS,
    "check",
)
def check_orders_command(
    battle: BattleOptions,
    to: Printer,
    viewer: OrdersOf = "",
    lines: Annotated[
        str,
        argument(
            "FILE",
            "Standing orders, or - for standard input.  [default: the orders that the side already has]",
        ),
    ] = "",
) -> None:
    """Fight ten battles to show what standing orders would do.

    The output shows how often each order was followed. Commanders of the rank regular play the other sides. A
    saved battle continues from its present position. Cards that the side of --for cannot know are dealt again
    at random.
    """
    rehearsal = read_rehearsal(battle)
    keys = rehearsal.plan.setup.seats
    if not viewer:
        raise UsageError(f"missing --for: name the side that has the orders, {listed(keys, 'or')}")
    seat = keys.index(options.one_of(viewer, keys, "--for"))
    texts, orders = read_orders_to_check(
        lines, viewer, rehearsal.plan.sides[seat].standing, rehearsal.plan.rules
    )
    to.show(rehearsal_page(viewer, texts, rehearsal.run(seat, orders)))


def read_rehearsal(named: BattleOptions) -> Rehearsal:
    """Return an object that fights a new or saved battle several times with standing orders.

    Raises the errors of `read_battle_input` and `open_begun`.
    """
    refuse_recorded(named.battle)
    if options.is_file(named.battle) and named.battle != "-" and is_session(read_toml(named.battle).data):
        session = open_saved(named.battle).session
        return Rehearsal(session.plan, session)
    battle_input = read_battle_input(named)
    with blame(battle_input):
        return Rehearsal(read_battle(battle_input.table, battle_input.base))


def read_orders_to_check(
    file: str, side: str, default: Sequence[str], rules: RuleSet
) -> tuple[Sequence[str], list[StandingLine]]:
    """Return a pair: the lines of standing orders in a file, and the same orders, parsed.

    If `file` is "", the lines are `default`, the orders that the side already has.

    Raises UsageError if `file` and `default` are empty, and InvalidInput if a line is not a valid order.
    """
    if not file:
        if not default:
            raise UsageError(
                f"{side} has no standing orders; name a file with orders, or - for standard input"
            )
        return default, read_standing(default, rules)
    name, text = read_message(file)
    lines = standing_in(name, text, side, answer_test(rules, [side]))
    texts = [line for line, _ in lines]
    errors = unclear_lines(rules, [place for _, place in lines], texts)
    if errors:
        raise InvalidInput(errors)
    return texts, read_standing(texts, rules)


def rules_hint(battle_file: SavedSession) -> str:
    """Return a sentence with the command that writes the rules for the players of a new battle."""
    key = battle_file.session.rules.key
    return f"send the players the rules too: cardbattle rules {key} -o {key}.html"


def open_or_create(named: BattleByMessage) -> SavedSession:
    """Return a saved battle, or a new battle that is not saved yet.

    Raises UsageError if a saved battle is given with options for new ones, and InvalidInput if a file is
    invalid or the saved battle is over and recorded.
    """
    refuse_recorded(named.battle)
    if options.is_file(named.battle) and is_session(read_toml(named.battle).data):
        if named.played or named.side or named.seed or named.setting or named.preset or named.save:
            raise UsageError(
                "a saved battle keeps its settings; leave out --as, --side, --set, --preset, --seed, --save"
            )
        return open_saved(named.battle)
    return new_by_message(named)


def new_by_message(named: BattleByMessage) -> SavedSession:
    """Return a new battle that is not saved yet.

    Raises UsageError if no side is human, or if the file of the new battle already exists.
    """
    battle_input = read_battle_input(
        BattleOptions(options.as_rules(named.battle), named.side, named.seed, named.setting, named.preset)
    )
    table = with_players(battle_input.table, named.side or [], options.as_keys(named.played))
    with blame(battle_input):
        plan = read_battle({"id": battle_id(named)} | table, battle_input.base)
        if HUMAN not in map(commander_of, table_or_empty(table["sides"]).values()):
            raise UsageError(
                "no side answers by message; name one with --as SIDE, or write commander = "
                f'"{HUMAN}" in the table of a side'
            )
        path = named.save or f"{plan.id}{ENDING}"
        if os.path.lexists(path):
            raise UsageError(
                f"{clean(path)} already exists; continue it with: cardbattle orders ask {as_typed(path)}, or "
                "save this battle elsewhere with --save"
            )
        session = begin_session(plan)
        session.give_receipts(draw_salt())
        return SavedSession(path, session, b"")


def battle_id(named: BattleByMessage) -> str:
    """Return the id of a new battle whose file has no id, made from the name of the file or rule set.

    The id is not a hash of the battle, because messages show the id, and a hash would help to guess the
    secret seed.
    """
    file = named.save.removesuffix(ENDING) or named.battle
    key = key_from(os.path.basename(file).removesuffix(".toml"))
    return "battle" if key_error(key) else key


def open_begun(path: str) -> SavedSession:
    """Return a saved battle.

    Raises InvalidInput if no battle is saved there. If the battle is over, the error names its record.
    """
    refuse_recorded(path)
    return open_saved(path)


def refuse_recorded(path: str) -> None:
    """Raise InvalidInput with the record of a battle that is over and whose saved battle is removed."""
    if not path.endswith(ENDING) or os.path.lexists(path):
        return
    folder, name = os.path.split(path)
    key = name.removesuffix(ENDING)
    records = [os.path.join(folder, RECORDS, f"{key}.toml"), os.path.join(folder, f"{key}.record.toml")]
    for record in filter(os.path.exists, records):
        hint = f"print its record with: cardbattle replay {as_typed(record)}"
        raise InvalidInput(f"{clean(path)}: the battle is not in progress; {hint}")


def open_unfinished(path: str) -> SavedSession:
    """Return a saved battle. Raises InvalidInput if the battle is over."""
    battle_file = open_begun(path)
    if battle_file.session.is_over:
        ask = f"cardbattle orders ask {as_typed(path)}"
        raise InvalidInput(
            f"{clean(path)}: the battle is over; record it and print the last messages with: {ask}"
        )
    return battle_file


def note_time(kept_battle: SavedSession, move_count: int) -> None:
    """Store when the open questions were asked (now), if the campaign has a deadline for answers.

    If the battle belongs to no campaign, nothing is stored. `move_count` is the number of moves before the
    last answers, or -1 for a new battle. Answers to a secret choice do not change the time until all sides
    have answered, so that the time reveals nothing.
    """
    session = kept_battle.session
    if time_to_answer(kept_battle) and len(session.referee.moves) != move_count:
        session.since = timestamp()


def time_to_answer(kept_battle: SavedSession) -> str:
    """Return the time that the campaign of a battle gives for an answer, such as "2 days", or ""."""
    folder = campaign_of_battle(kept_battle)
    settings = table_or_empty(read_toml(os.path.join(folder, NAME)).data.get("deadlines")) if folder else {}
    return str(settings.get("answer") or "")


def deadline_sentence(kept_battle: SavedSession, current_time: str = "") -> str:
    """Return a sentence about the deadline for answers to the open questions, or "" without a deadline.

    Without `current_time`, the clock says whether the deadline has passed.
    """
    length, since = time_to_answer(kept_battle), kept_battle.session.since
    if not length or not since:
        return ""
    # imports pydantic; only needed with deadlines
    from cardbattle.campaign.turn.deadline import deadline

    until = deadline(since, length)
    verb = "was" if until < (current_time or timestamp()) else "is"
    return f"The deadline {verb} {zoned_time(until)}." if until else ""


def campaign_of_battle(kept_battle: SavedSession) -> str:
    """Return the folder of the campaign to which a battle belongs, or "" if it belongs to no campaign."""
    folder = os.path.dirname(kept_battle.path) or "."
    is_bound = bool(kept_battle.session.plan.bound) and os.path.exists(os.path.join(folder, NAME))
    return folder if is_bound else ""


def take_files(kept_battle: SavedSession, files: Sequence[str]) -> Taken:
    """Accept every valid answer in these files. Return the answers, the new session and all errors.

    Raises InvalidInput if all answers are invalid.
    """
    answers: list[Answer] = []
    unclear: list[RejectedAnswer] = []
    errors: list[Diagnostic] = []
    for file in files:
        try:
            name, text = read_message(file)
            find = side_finder(kept_battle)
            texts = mails_in(text)
            mails = [read_mail(kept_battle.session, name, mail, find) for mail in texts]
        except InvalidInput as error:
            errors += error.errors
            continue
        answers += [answer for mail in mails for answer in mail.answers]
        unclear += [error for mail in mails for error in mail.unclear]
        missing = [*missing_answers(kept_battle.session, name, texts, mails)]
        errors += missing
        unread = tuple(quoted(error.unread, LONGEST) for error in missing if error.unread)
        notes = (note for mail in mails for note in mail.for_umpire)
        errors += [note for note in notes if not note.text.startswith(unread)]
    result = take_valid_answers(
        kept_battle.session, answers, lambda: open_saved(kept_battle.path).session, unclear
    )
    errors += result.errors
    if not result.answers:
        raise InvalidInput(errors)
    return result._replace(errors=errors)


def missing_answers(
    session: Session, file: str, texts: Sequence[str], mails: Sequence[Mail]
) -> Iterator[NoAnswer]:
    """Yield an error for each mail that can be meant as an answer but has none.

    A side with an answer in another mail has answered. If no mail has an answer, there is at least one error.
    """
    unread = [text for text, mail in zip(texts, mails, strict=True) if not (mail.answers or mail.unclear)]
    answered = {answer.side for mail in mails for answer in mail.answers}
    every = [no_answer_error(file, text, session) for text in unread]
    errors = [error for error in every if error.unread and error.side not in answered]
    if not errors and len(unread) == len(mails):
        joined = "\n".join(map(str.strip, texts))
        errors = every if len(texts) == 1 else [no_answer_error(file, joined, session)]
    yield from errors


def side_finder(kept_battle: SavedSession) -> Callable[[str], str]:
    """Return a function that returns the key of the side with a name, and raises ValueError otherwise.

    A word can be the key or the name of the side, or a unique part of the name. In a battle of a campaign, it
    can also name a force, or the faction if no other side has it.
    """

    @cache
    def find() -> Callable[[str], str]:
        # imports pydantic; only needed for names
        from cardbattle.cli.campaign.fight_results import find_side

        return find_side(kept_battle.session, campaign_of_battle(kept_battle))

    return lambda word: find()(word)


def seat_named(kept_battle: SavedSession, word: str, option: str) -> int:
    """Return the seat of the side that a word names. Raises UsageError if no side or several sides match."""
    keys = kept_battle.session.keys
    if word not in keys:
        try:
            word = side_finder(kept_battle)(word)
        except ValueError as error:
            if AMBIGUOUS in str(error):
                raise UsageError(f"{option}: {error}") from None
    return keys.index(options.one_of(word, keys, option))


def report_rejected(result: Taken, kept_battle: SavedSession, to: Printer) -> None:
    """Print how many answers of each side were accepted. Of rejected answers, print the errors.

    Lines that only the umpire reads, such as a question, are printed above them.
    """
    questions = [error for error in result.errors if isinstance(error, LineForUmpire)]
    rejected = [error for error in result.errors if error not in questions]
    for error in questions:
        complain(error)
    if rejected:
        labels = dict.fromkeys(answer.label for answer in result.answers if not answer.is_standing)
        orders = count_accepted([answer for answer in result.answers if answer.is_standing])
        accepted = listed([*labels, *([orders] if orders else [])])
        to.message(f"accepted: {clean(accepted)}; these answers are rejected:")
        report_errors(rejected, kept_battle, to)
    else:
        to.message(f"accepted: {clean(count_accepted(result.answers))}")


def count_accepted(answers: Sequence[Answer]) -> str:
    """Return the number of accepted answers and standing orders of each side, for the umpire.

    The commander to whom a side hands over is named, because the side decides itself how strong it is.
    A text with sealed answers counts as one answer until it is opened.
    """
    parts = []
    for side in dict.fromkeys(answer.side for answer in answers):
        own = [answer for answer in answers if answer.side == side]
        orders = sum(answer.is_standing for answer in own)
        counts = [counted(len(own) - orders, "answer"), counted(orders, "standing order")]
        handover = "".join(f" ({answer.words})" for answer in handovers(own))
        parts.append(f"{listed(each for each in counts if not each.startswith('0 '))} of {side}{handover}")
    return "; ".join(parts)


def handovers(answers: Iterable[Answer]) -> list[Answer]:
    """Return the standing orders that let a commander answer, such as `else regular`."""
    return [answer for answer in answers if answer.is_standing and is_else(answer.words)]


def report_errors(errors: Sequence[Diagnostic], kept_battle: SavedSession, to: Printer) -> None:
    """Print the errors in rejected answers, and what the umpire can do."""
    for error in errors:
        complain(error)
    path = as_typed(kept_battle.path)
    to.message(
        "correct the rejected answers and take them again, or ask the player again; to print the questions: "
        f"cardbattle orders ask {path}"
    )


def report_numbers(result: Taken, before: dict[int, tuple[int, bool]], to: Printer) -> None:
    """Print which accepted answers chose by number from a list of options that their player had not seen.

    `before` is the result of `question_numbers` before the answers.
    """
    asked = {result.session.keys[seat]: place for seat, (place, _) in before.items()}
    blind = dict.fromkeys(
        each.label for each in numbered_in_advance(result.session.rules, asked, result.answers)
    )
    if blind:
        to.message(
            f"{clean(listed(blind))}: a number in advance counts in a list that the player had not seen; "
            "ask the player for words in advance"
        )


def question_numbers(session: Session) -> dict[int, tuple[int, bool]]:
    """Return a dict from the seats to answer to (question number, whether sealed answers are opened now)."""
    must_open = session.are_all_sealed()
    return {seat: (session.place(seat), must_open) for seat in session.seats_to_answer}


def continue_by_message(
    kept_battle: SavedSession,
    before: dict[int, tuple[int, bool]],
    to: Printer,
    refused: Mapping[str, Sequence[str]] = {},
) -> None:
    """Print messages to the seats with a new question. If the battle is over, record it and print the result.

    `before` is the result of `question_numbers` before the last answers. `refused` has the errors in the
    answers of each side, which gets a message with them.
    """
    session = kept_battle.session
    if session.is_over:
        end_by_message(kept_battle, to)
        return
    after = question_numbers(session)
    changed = [seat for seat in after if before.get(seat) != after[seat] or session.keys[seat] in refused]
    messages = [*questions(kept_battle, changed, to, refused), *notices(session, after, refused)]
    show(kept_battle, messages, to)
    print_next_step(kept_battle, to)


def refusals(
    errors: Sequence[Diagnostic], places: Mapping[str, int], after: Mapping[str, int]
) -> dict[str, list[str]]:
    """Return the errors in the answers of each side, for a message to its player.

    `places` has the numbers of the current questions before the answers, for the sides with players, and
    `after` has those after the answers. Of the answers to earlier questions, which mail often quotes, only
    those are included that came too late, and standing orders that the side does not have yet. Below an
    error, each line that the player must send again has a line of its own.
    """
    by_side: dict[str, dict[str, dict[int, list[str]]]] = {}
    for error in errors:
        if isinstance(error, NoAnswer) and error.side:
            text = f"{quoted(error.unread)} is not clear; {WRITE_BEHIND}" if error.unread else NO_ANSWER
            by_side.setdefault(error.side, {}).setdefault(text, {})
        answer = error.answers[0] if isinstance(error, RejectedAnswer) else None
        if answer is None or answer.side not in places or not isinstance(error, RejectedAnswer):
            continue
        is_late = isinstance(error, LateAnswer) or (isinstance(error, MisplacedOrder) and error.is_new)
        if answer.place >= places[answer.side] or is_late:
            again = by_side.setdefault(answer.side, {}).setdefault(refusal_text(error), {})
            for place, lines in error.again.items():
                again.setdefault(place or after[answer.side], []).extend(lines)
    return {
        side: [with_lines_to_copy(text, side, again) for text, again in texts.items()]
        for side, texts in by_side.items()
    }


def with_lines_to_copy(text: str, side: str, again: Mapping[int, Sequence[str]]) -> str:
    r"""Return an error with the lines to send again below it, by the number of their first question.

    >>> with_lines_to_copy("north@1 was rejected", "north", {2: ["place 5C; place 6D"]})
    'north@1 was rejected. To copy (north@2):\nplace 5C; place 6D'
    """
    blocks = ["\n".join([f"To copy ({side}@{place}):", *lines]) for place, lines in again.items()]
    return ". ".join([text, "\n".join(blocks)]) if blocks else text


def refusal_text(error: RejectedAnswer) -> str:
    """Return the text of an error for the player, who cannot see the line to which it belongs."""
    text = error.text.partition(CHOOSE)[0]
    answer = error.answers[-1]
    is_whole = error.again or not answer.is_standing or answer.label in text or answer.words in text
    return text if is_whole else f"{quoted(answer.words)}: {text}"


def show_refusals(kept_battle: SavedSession, refused: Mapping[str, Sequence[str]], to: Printer) -> None:
    """Print the current question again to each side whose answers were all refused, with the errors.

    A side without a question gets a message with the errors alone.
    """
    session = kept_battle.session
    seats = [seat for seat in session.seats_to_answer if session.keys[seat] in refused]
    if messages := [*questions(kept_battle, seats, to, refused), *notices(session, seats, refused)]:
        show(kept_battle, messages, to)


def notices(
    session: Session, asked: Collection[int], refused: Mapping[str, Sequence[str]]
) -> Iterator[Message]:
    """Yield the messages with the errors in answers to the players who are not `asked` a question now."""
    for seat in session.players:
        if seat not in asked and session.keys[seat] in refused:
            yield from notice_to(session, seat, refused[session.keys[seat]])


def end_by_message(kept_battle: SavedSession, to: Printer) -> None:
    """Record a finished battle, print a message with the result for each player, and remove the saved battle.

    A battle of a campaign is recorded in the campaign. A battle without a campaign is recorded in a record
    file. The saved battle is removed last, so that the messages can be printed again after an interruption.
    """
    folder = campaign_of_battle(kept_battle)
    next_step = ""
    if folder:
        next_step = record_in_campaign(kept_battle, folder, to)
    else:
        write_record(kept_battle, to)
    show_messages(kept_battle, endings(kept_battle, to), to)
    if folder or kept_battle.file.written:
        disk.remove(kept_battle.path)
    if next_step:
        to.message(next_step)


def last_messages(kept_battle: SavedSession, to: Printer) -> Document:
    """Return the page with the messages to the players of a finished battle about its end."""
    messages = endings(kept_battle, to)
    return messages_page(kept_battle.session.plan.id, messages, names=names_in_campaign(kept_battle))


def endings(kept_battle: SavedSession, to: Printer) -> list[Message]:
    """Return the messages to the players of a finished battle about its end."""
    session = kept_battle.session
    limit = LONGEST_POST if to.form in POST_FORMATS else None
    is_in_campaign = bool(campaign_of_battle(kept_battle))
    return [
        part
        for seat in session.players
        for part in ending_to(session, seat, encoding_of(to), limit, is_in_campaign=is_in_campaign)
    ]


def write_record(kept_battle: SavedSession, to: Printer) -> None:
    path = record_beside(kept_battle.path)
    disk.write_text(path, dumps_record(kept_battle.session.record()))
    to.message(f"the battle is over; its record is in {clean(path)}")


def record_in_campaign(kept_battle: SavedSession, folder: str, to: Printer) -> str:
    """Record a finished battle in its campaign. Return the umpire's next step, or "".

    Raises InvalidInput if the battle is not pending in the campaign, and NeedsUmpire if the pending battle
    has changed since it was begun.
    """
    # imports pydantic; only needed for a battle of a campaign
    from cardbattle.cli.campaign.fight_results import record_session

    next_step = record_session(kept_battle.session, folder)
    to.message(f"the battle is over; {kept_battle.session.plan.id} is recorded in the campaign")
    return next_step


def questions(
    kept_battle: SavedSession,
    seats: Collection[int],
    to: Printer,
    refused: Mapping[str, Sequence[str]] = {},
) -> list[Message]:
    """Return the messages to these seats. When all answers are sealed, only seats with a seal get one.

    `refused` has the errors in the last answers of each side. Raises InvalidInput if a seat has no question.
    """
    session, due = kept_battle.session, deadline_sentence(kept_battle)
    if session.are_all_sealed():
        return [
            part
            for seat in seats
            if seat in session.seals
            for part in opening_to(session, seat, due, refused.get(session.keys[seat], ()))
        ]
    encoding, keys, about = encoding_of(to), session.keys, lines_about(kept_battle, seats)
    return [
        part
        for seat in seats
        for part in question_to(
            session, seat, encoding, due, refused.get(keys[seat], ()), about.get(keys[seat], "")
        )
    ]


def reminders_to(
    kept_battle: SavedSession, sides: Collection[str], to: Printer, current_time: str
) -> list[Message]:
    """Return a short message to each of these sides that must answer now or open its sealed answer."""
    session, due = kept_battle.session, deadline_sentence(kept_battle, current_time)
    seats = [seat for seat in session.seats_to_answer if session.keys[seat] in sides]
    if session.are_all_sealed():
        return questions(kept_battle, seats, to)
    return [part for seat in seats for part in reminder_to(session, seat, encoding_of(to), due)]


def lines_about(kept_battle: SavedSession, seats: Collection[int]) -> dict[str, str]:
    """Return a line about a battle of a campaign for each side that has not had a message yet."""
    folder, session = campaign_of_battle(kept_battle), kept_battle.session
    first = [seat for seat in seats if seat not in session.reported_events]
    if not folder or not first:
        return {}
    # imports pydantic; only needed for a battle of a campaign
    from cardbattle.cli.campaign.fight_results import battle_lines

    return battle_lines(session, folder, first)


def encoding_of(to: Printer) -> str:
    """Return the encoding of the output. Messages use only characters of this encoding."""
    is_file = to.is_file or to.message_folder
    return "utf-8" if is_file or to.form == "json" else sys.stdout.encoding or "utf-8"


def show(kept_battle: SavedSession, messages: Sequence[Message], to: Printer) -> None:
    """Print the messages. Without messages, print whose answer is missing."""
    show_messages(kept_battle, messages, to, waiting_words(kept_battle.session))


def show_messages(
    kept_battle: SavedSession, messages: Sequence[Message], to: Printer, instead: str = ""
) -> None:
    """Print the messages, or write each one to a file. Without messages, print the text `instead`."""
    battle = kept_battle.session.plan.id
    if to.message_folder:
        files = files_of(kept_battle, messages, to)
        write_messages(to.message_folder, files, to, is_old_in(kept_battle), keep=True)
    if messages and to.message_folder:
        return
    names = names_in_campaign(kept_battle) if messages else {}
    to.show(messages_page(battle, messages, instead, names))


def files_of(kept_battle: SavedSession, messages: Sequence[Message], to: Printer) -> list[FileMessage]:
    """Return the messages in the form in which they are written to files."""
    battle, names = kept_battle.session.plan.id, names_in_campaign(kept_battle)
    if not is_divided(to):
        messages = [each._replace(parts=1, lines=[*each.whole]) for each in messages if each.part == 1]
    return [
        FileMessage(
            file_question(battle, each.side, each.place),
            names.get(each.side, each.side),
            each.part,
            each.parts,
            each.lines,
            messages_page(battle, [each], names=names),
        )
        for each in messages
    ]


def file_question(battle: str, side: str, place: int) -> str:
    """Return the beginning of the name of a message's file. Keys have no full stop, so no two are the same.

    >>> file_question("shrewsbury", "percy", 3), file_question("shrewsbury", "percy", 0)
    ('shrewsbury.percy.question-3', 'shrewsbury.percy.the-end')
    """
    return f"{battle}.{side}.{f'question-{place}' if place else 'the-end'}"


def is_old_in(kept_battle: SavedSession) -> Callable[[str], bool]:
    """Return a function that returns True for the names of files of earlier questions in a battle."""
    session = kept_battle.session
    battle = session.plan.id
    asked = {
        file_question(battle, session.keys[seat], session.place(seat)) for seat in session.seats_to_answer
    }
    return lambda question: question.startswith(f"{battle}.") and NUMBERED.sub(r"\1", question) not in asked


def print_next_step(kept_battle: SavedSession, to: Printer, others: str = "") -> None:
    """Print the command that takes the next answers. `others` is the end of the sentence."""
    to.message(
        clean(f"next: enter answers with: cardbattle orders take {as_typed(kept_battle.path)}{others}")
    )


def names_in_campaign(kept_battle: SavedSession) -> dict[str, str]:
    """Return a dict from the keys of the sides to the names of their force and faction.

    It is empty if the battle belongs to no campaign, or if the campaign cannot be read.
    """
    folder = campaign_of_battle(kept_battle)
    if not folder:
        return {}
    # imports pydantic; only needed for a battle of a campaign
    from cardbattle.cli.campaign.fight_results import names_of_forces

    return names_of_forces(kept_battle.session, folder)


GROUP = Group(orders, ORDERS)
