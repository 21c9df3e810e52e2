"""A message of the program that a player sends back is no order and no result, but the answer in it is."""

from __future__ import annotations

import re
import textwrap
from itertools import cycle, product

import pytest

from tests.campaign.turn.test_retreat_choices import CHOOSE, MOVED, do, lose, move, take
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.replies import HEADERS, MARKS, PLACES, quotations, reply

RESULT = "rufus won, rufus lost 1/4, boyd lost 1/2"
OTHER = "rufus won, rufus lost 1/4, boyd lost all"


def orders_form(sh: Shell) -> tuple[str, str, str]:
    """Return the request for orders, an answer, and the answer with its address."""
    sh.write("campaign.toml", MOVED)
    form = sh("campaign", "orders", "ask", "--for", "blue").out
    return form[: form.index("To blue, turn 3, result")], "boyd: hold", "blue@3: boyd: hold"


def retreat_form(sh: Shell) -> tuple[str, str, str]:
    """Return the question where a force retreats, an answer, and the answer with its address."""
    lose(sh, CHOOSE)
    form = sh("campaign", "orders", "ask", "--for", "blue").out
    answer = "boyd: retreat to moor"
    return form[form.index("To blue, turn 3, retreat") :], answer, f"blue@3: {answer}"


def result_form(sh: Shell) -> tuple[str, str, str]:
    """Return the request for a result, an answer, and the answer with its address."""
    move(sh)
    return sh("campaign", "orders", "ask", "--for", "blue").out, RESULT, f"ford/boyd: {RESULT}"


def confirmation_form(sh: Shell) -> tuple[str, str, str]:
    """Return the request to confirm a result, an answer, and the answer with its address."""
    move(sh)
    do(sh, "confirm", f"ford/rufus: {OTHER}")
    return sh("campaign", "orders", "ask", "--for", "blue").out, RESULT, f"ford/boyd: {RESULT}"


def difference_form(sh: Shell) -> tuple[str, str, str]:
    """Return the request to check a report, an answer, and the answer with its address."""
    move(sh)
    do(sh, "confirm", f"ford/rufus: {OTHER}")
    do(sh, "confirm", "ford/boyd: rufus won, rufus lost none, boyd lost 1/4")
    return sh("campaign", "orders", "ask", "--for", "blue").out, RESULT, f"ford/boyd: {RESULT}"


def refusal_form(sh: Shell) -> tuple[str, str, str]:
    """Return the message about a report that was not taken, an answer, and the answer with its address."""
    move(sh)
    form = sh("campaign", "orders", "take", sh.write("mail.txt", "ford/boyd: boyd won, boyd lost 9/4")).out
    return form, RESULT, f"ford/boyd: {RESULT}"


SENDER_HINT = re.compile(
    "; to know this sender from now on: cardbattle campaign set factions.FACTION.mail[^\n]*"
)
# Headers of mails, with names of forces and places, results and orders
MAIL_HEADERS = (
    "From: Boyd <boyd@moor.example>\nSubject: AW: Blue: result of ford\n",
    "Subject: Boyd won at the ford, boyd lost 1/4\n",
    "Date: Mon, 30 Nov 2026 08:12:01 +0000\nSubject: Re: Blue:\n retreat to the moor\nTo: Boyd of Moor\n",
    "Von: Boyd\nGesendet: Montag\nAn: Rufus\nCc: Ford\nBetreff: boyd retreats to the moor\n",
    "*De :* Boyd\n*Envoyé :* lundi\n*À :* Rufus\n*Objet :* blue@3: we won\n",
    "From boyd@moor.example Mon Nov 29 12:08:34 2027\nReturn-Path: <boyd@moor.example>\nFrom: Boyd\n"
    "Message-ID: <boyd-hold@moor>\nReply-To: ford@moor.example\nSubject: boyd march to moor\n",
)
TEXTS = (
    "My report is right. Rufus held three spaces.",
    "We fall back home.",
    "Greetings",
    "boyd: march to rome",
    "ford/boyd: boyd won, boyd lost 9/4",
)

FORMS = (orders_form, retreat_form, result_form, confirmation_form, difference_form, refusal_form)


def change_by(sh: Shell, mail: str) -> list[str]:
    """Return the lines of the campaign file that a mail would change."""
    said = sh("campaign", "orders", "take", sh.write("mail.txt", mail), "--dry-run")
    lines = [line for line in said.out.splitlines() if line[:1] in ("+", "-") and "revision" not in line]
    assert lines or said.code == 3 or "already sent this report" in said.err, mail
    return lines


@pytest.mark.slow
@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("form", FORMS)
def test_a_message_of_the_program_is_never_an_answer_and_the_answer_in_it_always_is(
    sh: Shell, form: object, mark: str
) -> None:
    message, answer, addressed = form(sh)  # type: ignore[operator]
    wanted = change_by(sh, addressed)
    assert wanted
    whole = message.rstrip()
    headers = cycle(HEADERS)
    for text in (whole, whole.partition("\n")[2]):  # with the title, and without it
        for quotation in quotations(text, mark):
            header = next(headers)
            assert change_by(sh, f"{header}{quotation}") == []
            assert change_by(sh, reply("We will see.", header, quotation, "above")) == []
            for place in PLACES:
                mail = reply(answer, header, quotation, place)
                assert change_by(sh, mail) == wanted, mail
        next(headers)


@pytest.mark.parametrize("rules", ["wargame", "warmonger"])
def test_the_examples_offer_a_draw_only_if_the_rules_have_one(sh: Shell, rules: str) -> None:
    assert "- a draw, rufus" in result_form(sh)[0]
    do(sh, "set", f"pending.ford.rules={rules}")
    message = sh("campaign", "orders", "ask", "--for", "blue").out
    assert re.search("- boyd won, rufus lost (6/13|1/3), boyd lost none", message) and "a draw" not in message
    assert change_by(sh, message) == []
    assert change_by(sh, f"{message.rstrip()} {RESULT}") != []


@pytest.mark.slow
@pytest.mark.parametrize("mark", MARKS)
def test_no_error_quotes_the_text_of_a_request_for_a_result(sh: Shell, mark: str) -> None:
    message, *_ = result_form(sh)
    for header, quotation in product(HEADERS, quotations(message.rstrip(), mark)):
        said = take(sh, f"{header}{quotation}", code=3)
        assert "mail.txt:" not in said.err, quotation
        assert "ford/boyd: the report is missing; write something like ford/boyd: rufus won" in said.err
        assert "- not taken: ford/boyd: the report is missing" in said.out and "FORCE" not in said.out


@pytest.mark.parametrize("answer", ["Decline", "declines.", "We decline"])
def test_a_short_answer_above_the_request_declines_the_battle(sh: Shell, answer: str) -> None:
    message, *_ = result_form(sh)
    quotation = "\n".join(f"> {line}" for line in message.splitlines())
    assert "Boyd declines battle ford" in take(sh, f"{answer}\n\n{quotation}").err


@pytest.mark.parametrize("mark", ["", "> "])
@pytest.mark.parametrize("width", [40, 46, 60])
def test_a_wrapped_request_for_a_result_is_no_order_and_no_report(sh: Shell, width: int, mark: str) -> None:
    """The examples are wrapped too. The second part of a line has no mark of a quotation."""
    message, *_ = result_form(sh)
    lines = message.replace("Rufus", "Rufus of the Long Moor").rstrip().splitlines()
    said = take(sh, "\n".join(textwrap.fill(f"{mark}{line}", width) for line in lines), code=3)
    assert "names boyd" not in said.err and "the report is missing" in said.err


@pytest.mark.slow
def test_a_question_of_a_battle_among_orders_is_refused_with_the_command(sh: Shell) -> None:
    move(sh)
    message = sh("campaign", "fight", "ford", "--by-message").out
    for mark in MARKS:
        for quotation in quotations(message.rstrip(), mark):
            said = take(sh, quotation, code=3)
            assert "expected" not in said.err and "Changed" not in said.out, said.err
            filled = quotation.replace("ford/boyd@1:", "ford/boyd@1: place 3C")
            assert "cardbattle orders take ford.battle.toml FILE" in take(sh, filled, code=3).err


@pytest.mark.parametrize("top", ["", "Will report tomorrow.\n", "blue@3: boyd: hold\n"])
@pytest.mark.parametrize("form", [result_form, confirmation_form, difference_form, refusal_form])
def test_an_example_that_a_player_changed_is_refused_with_the_place_for_a_report(
    sh: Shell, form: object, top: str
) -> None:
    """It is not recorded: an example of an older message can differ, too."""
    message = form(sh)[0].partition("\n")[2]  # type: ignore[operator]
    example = "- rufus won, rufus lost 1/5, boyd lost 3/5"
    other = "- a draw, rufus lost 2/5, boyd lost none"
    for new in ("- rufus won, rufus lost 1/3, boyd lost none", "- we declined", "- boyd won, both lost 1/4"):
        for changed in (message.replace(example, new), message.replace(other, f"{other}\n{new}")):
            assert changed != message
            said = sh("campaign", "orders", "take", "--dry-run", sh.write("mail.txt", f"{top}{changed}"))
            assert said.code == 3 and "results reported" not in said.out
            assert "the address of this report is missing; write ford/boyd: before it" in said.err
            assert new in said.err


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("left", ["- a draw", "- boyd declined", "- a draw, rufus lost 2/5, boyd lost none"])
def test_an_example_that_a_player_left_alone_is_refused_with_the_place_for_a_report(
    sh: Shell, left: str, mark: str
) -> None:
    message = result_form(sh)[0].partition("\n")[2].rstrip()
    lines = [line for line in message.splitlines() if not line.startswith(("- rufus", "- a draw", "- boyd"))]
    at = next(number for number, line in enumerate(lines) if line.endswith("For example:"))
    mail = textwrap.indent("\n".join([*lines[: at + 1], left, *lines[at + 1 :]]), mark, lambda _: True)
    said = take(sh, mail, code=3)
    assert "the address of this report is missing; write ford/boyd: before it" in said.err
    assert "To blue, turn 3, result of ford" in said.out


@pytest.mark.parametrize("kept", range(3))
def test_an_example_that_a_player_left_in_a_quotation_is_no_report(sh: Shell, kept: int) -> None:
    lines = result_form(sh)[0].partition("\n")[2].rstrip().splitlines()
    at = next(number for number, line in enumerate(lines) if line.endswith("For example:"))
    for trimmed in ([lines[at], lines[at + 1 + kept], lines[-1]], [*lines[at : at + 3], lines[-1]]):
        quoted = textwrap.indent("\n".join(trimmed), "> ")
        said = take(sh, f"Tom says we won, 3 to 2. We lost 2/5, they lost 3/5.\n\nAnn\n\n{quoted}", code=3)
        assert "the address of this report is missing" not in said.err
        assert "not one of the sides" in said.err


@pytest.mark.slow
@pytest.mark.parametrize("label", ["", "Correction: ", "My corrected report: ", "Sorry, new result - "])
@pytest.mark.parametrize(
    "older",
    [
        "> ford/boyd:",
        f"> ford/boyd: {OTHER}",
        f"> ford/boyd: {OTHER}\n>\n>> ford/boyd:",
        f"Ann wrote:\nford/boyd: {OTHER}\n\nford/boyd:",
    ],
    ids=range(4),
)
def test_a_correction_above_an_older_report_or_form_is_the_report(sh: Shell, older: str, label: str) -> None:
    move(sh)
    do(sh, "confirm", f"ford/boyd: {OTHER}")
    wanted = change_by(sh, f"ford/boyd: {RESULT}")
    assert wanted
    for mail in (f"{label}{RESULT}\n\n{older}", f"ford/boyd: {label}{RESULT}\n\n{older}"):
        assert change_by(sh, mail) == wanted, mail


@pytest.mark.slow
@pytest.mark.parametrize("header", MAIL_HEADERS, ids=range(len(MAIL_HEADERS)))
@pytest.mark.parametrize("form", [orders_form, retreat_form, result_form, difference_form])
def test_no_reader_reads_or_quotes_the_header_of_a_mail(sh: Shell, form: object, header: str) -> None:
    """A mail is read as if its header, and the header of its quotation, were empty lines.

    Only the command with the mail address of a sender comes from the header.
    """
    message, answer, addressed = form(sh)  # type: ignore[operator]
    below = "\n\n" + textwrap.indent(
        message[message.rindex("blue@3" if "blue@3" in message else "ford/") :], "> "
    )
    quoted_header = textwrap.indent(header, "> ", lambda _: True)
    for text, end in product([*TEXTS, answer, addressed], ("", below)):
        mails = (f"{header}\n{text}{end}", f"{text}\n\n{quoted_header}> \n{end.lstrip()}")
        for mail, lines in zip(mails, (header, quoted_header), strict=True):
            plain = mail.replace(lines, re.sub("[^>\n]", "", lines), 1)
            options = () if text in TEXTS else ("--dry-run",)
            found = [
                sh("campaign", "orders", "take", sh.write("mail.txt", each), *options)
                for each in (plain, mail)
            ]
            said = [(each.code, each.out, SENDER_HINT.sub("", each.err)) for each in found]
            assert said[0] == said[1], mail
