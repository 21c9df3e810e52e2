"""A later mail of a sender replaces the orders of an earlier one in the same file."""

from __future__ import annotations

import pytest

from cardbattle.battles.messages.pasted_text import mails_in
from cardbattle.campaign.exchange.order_book import Taken, take_messages
from tests.support.vale import ADDRESS, named_vale, orders

MAIL = "From ann@red.org Sat Dec  5 10:11:12 2026\nFrom: {}\nSubject: Re: orders\n{}\n{}\n\n> {}:\n"
NO_YEAR = "Date: Sat, 5 Dec 99999999999999999999 10:11:12 +0000"
FIRST, SECOND = "Date: Sat, 5 Dec 2026 10:11:12 +0000", "Date: Sat, 5 Dec 2026 12:40:00 +0200"


def take_both(first: str, second: str, sender: str = "Ann <ann@red.org>") -> Taken:
    """Return what two mails in one file come to."""
    one = MAIL.format("Ann <ann@red.org>", first, "vanguard: hold\nmilitia: hold", ADDRESS)
    other = MAIL.format(sender, second, "PS: no!\n\nvanguard: march to ford", ADDRESS)
    texts = [*mails_in(f"{one}\n{other}")]
    assert len(texts) == 2
    return take_messages(named_vale(), [("mails.mbox", text) for text in texts])


@pytest.mark.parametrize(
    ("first", "second", "order"), [(FIRST, SECOND, "march to ford"), (SECOND, FIRST, "hold")]
)
def test_the_order_in_the_later_mail_of_a_sender_counts(first: str, second: str, order: str) -> None:
    taken = take_both(first, second)
    assert orders(taken) == {"vanguard": order, "militia": "hold"} and not taken.errors
    assert any("replaced by a later mail of the sender: vanguard: " in note for note in taken.notes)


@pytest.mark.parametrize(
    ("first", "second", "sender"),
    [
        (FIRST, FIRST, ""),
        (FIRST, "Date: noon", ""),
        (FIRST, NO_YEAR, ""),
        ("", SECOND, ""),
        (FIRST, SECOND, "Tom <tom@red.org>"),
    ],
)
def test_without_two_dates_of_one_sender_different_orders_are_an_error(
    first: str, second: str, sender: str
) -> None:
    taken = take_both(first, second, sender or "Ann <ann@red.org>")
    assert orders(taken) == {"militia": "hold"} and taken.errors


def test_a_sender_with_a_rejected_line_reads_only_what_is_wrong() -> None:
    mails = [f"{ADDRESS}:\nvanguard: march to nowhere", f"Well then!\n\n> {ADDRESS}:\n> vanguard:"]
    for texts in (mails, mails[::-1]):
        taken = take_messages(named_vale(), [("mail.txt", text) for text in texts])
        [error] = taken.refused["red"]
        assert 'unknown place "nowhere"' in str(error)
