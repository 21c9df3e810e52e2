"""Several mails in one file are separated, and a quotation stays in the mail that quotes it."""

from __future__ import annotations

import time

import pytest

from cardbattle.battles.messages.pasted_text import mails_in, plain_lines

OWN = "york@3: hold\n\n"
REPLY = "march to wem\n\n> marches/percy@3:\n> hotspur:\n"
DATED = "From: Bob <bob@y.org>\nSubject: Re: orders\nDate: Mon, 29 Nov 2027\n\n"
SENT = "From: Bob <bob@y.org>\nSent: Monday\nTo: Umpire\nSubject: Re: orders\n\n"
MBOX = (
    "From bob@y.org Mon Nov 29 12:08:34 2027\nReturn-Path: <bob@y.org>\nFrom: Bob <bob@y.org>\nDate: Mon\n\n"
)
ANN = "From: Ann <ann@x.org>\nSubject: Re: orders\nDate: Sun, 28 Nov 2027\n\n"
THREAD = (  # with a quotation of the umpire's message, which has no marks
    "From: Ann\nSent: Friday\nTo: Umpire\nSubject: Re: orders\n\nyork@3: hold\n\n"
    "From: Umpire\nSent: Thursday\nTo: Ann\nSubject: orders\n\nPlease write\n\n"
)
FORM = "marches/york@3:\nclifford:\npercy: retreat to\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (OWN, DATED + REPLY),
        (ANN + OWN, DATED + REPLY),
        (ANN + OWN, SENT + REPLY),
        (ANN + OWN, DATED + REPLY.replace("> ", "On Sat the umpire wrote:\n", 1)),
        (ANN + OWN, SENT + f"{REPLY[:13]}\n-----Original Message-----\nFrom: Umpire\nSent: Friday\n\n{FORM}"),
        (OWN, DATED + "marches/percy@3:\nhotspur:\nblount: hold\n\n> hotspur: fly\n"),
        (OWN, MBOX + REPLY),
        (OWN, MBOX + "march to wem\n"),
        (MBOX.replace("bob", "ann") + OWN, MBOX + REPLY),
        ("From: Ann\n\n" + OWN, "From: Bob <bob@y.org>\nSubject: orders\n\nhotspur: wem\nblount: hold\n"),
        ("From: Ann\n\n" + OWN, "From: Bob\nDate: today\n\nhotspur: wem\n"),
        (ANN + OWN, SENT + "hotspur: wem\n"),
        (ANN + OWN, SENT + "hotspur: wem\n\n" + FORM),
        (THREAD, SENT + "hotspur: wem\n"),
    ],
    ids=range(14),
)
def test_a_mail_with_text_above_its_quotation_is_a_mail_of_its_own(first: str, second: str) -> None:
    assert mails_in(first + second) == [first[:-1], "\n" * first.count("\n") + second]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (OWN, DATED + "The old form:\n\n" + FORM + "\nOn Fri Ann wrote:\n> york@3: fly\n"),
        (OWN, SENT + "Please write again\n\n> york@3: fly\n"),
        (ANN + OWN, SENT.replace("Umpire", "Ann") + "Please write again\n\n> york@3: fly\n"),
        (OWN + "_" * 32 + "\n", DATED + "Please write again\n\n> york@3: fly\n"),
        (OWN + "-----Original Message-----\n", DATED + "Please write again\n\n> york@3: fly\n"),
        (OWN, DATED + "The mail that I meant\n"),
        (THREAD, "From: Ann\nSent: Wednesday\nTo: Umpire\nSubject: orders\n\nWhen do we begin?\n"),
        (OWN, "From bob@y.org I have nothing\n"),
    ],
    ids=range(8),
)
def test_a_quoted_message_with_a_header_is_not_another_mail(first: str, second: str) -> None:
    assert mails_in(first + second) == [first + second]


def test_the_address_of_a_sender_is_not_html() -> None:
    """An address such as <b@example.org> begins like the tag of an element."""
    first, second = (text.replace("@", "@mail.").replace("ann@", "a@") for text in (ANN + OWN, DATED + REPLY))
    whole = (first + second).replace("bob@", "b@")
    assert len(mails_in(whole)) == 2
    assert [line.text for line in plain_lines("-", "From: B <b@y.org>\n<b>york@6: 3</b>")][-1] == "york@6: 3"


@pytest.mark.slow
def test_many_headers_are_read_in_a_short_time() -> None:
    begin = time.monotonic()
    for text in ("From: B\nDate: M\n" * 40_000, (DATED + "hi\n") * 5_000, DATED + "a/b@1:\nx\n" * 20_000):
        mails_in(text)
    assert time.monotonic() - begin < 30  # the first of them took 146 seconds


def test_a_long_line_of_dashes_is_read_in_a_moment() -> None:
    begin = time.process_time()
    assert plain_lines("-", "-" * 10_000)
    assert time.process_time() - begin < 1  # it took 4 seconds


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Van: hold\nbows: hold", ["Van: hold", "bows: hold"]),
        ("To: saltmarket", ["To: saltmarket"]),
        ("From: Bram\nvan: hold\nan: hold", ["", "van: hold", "an: hold"]),
        ("From: Bram\n  oaks: hold", ["", "  oaks: hold"]),
        ("> van: hold\n> x-ray: hold", ["> van: hold", "> x-ray: hold"]),
        ("From: wem -> york", ["From: wem -> york"]),
        ("Von: Bram\nGesendet: Montag\nAn: Ann\n\nvan: hold", ["", "", "", "", "van: hold"]),
    ],
)
def test_an_order_that_begins_like_a_line_of_a_header_is_kept(text: str, left: list[str]) -> None:
    assert [line.text for line in plain_lines("-", text)] == left
