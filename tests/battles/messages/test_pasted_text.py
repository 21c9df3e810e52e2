"""Several mails in one file are separated, and a quotation stays in the mail that quotes it."""

from __future__ import annotations

import pytest

from cardbattle.battles.messages.pasted_text import mails_in

OWN = "york@3: hold\n\n"
REPLY = "march to wem\n\n> marches/percy@3:\n> hotspur:\n"
DATED = "From: Bob <bob@y.org>\nSubject: Re: orders\nDate: Mon, 29 Nov 2027\n\n"
SENT = "From: Bob <bob@y.org>\nSent: Monday\nTo: Umpire\nSubject: Re: orders\n\n"
MBOX = (
    "From bob@y.org Mon Nov 29 12:08:34 2027\nReturn-Path: <bob@y.org>\nFrom: Bob <bob@y.org>\nDate: Mon\n\n"
)
ANN = "From: Ann <ann@x.org>\nSubject: Re: orders\nDate: Sun, 28 Nov 2027\n\n"
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
    ],
    ids=range(9),
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
        (OWN, "From bob@y.org I have nothing\n"),
    ],
    ids=range(7),
)
def test_a_quoted_message_with_a_header_is_not_another_mail(first: str, second: str) -> None:
    assert mails_in(first + second) == [first + second]
