"""Several orders, in one mail or in several: which replaces which."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cardbattle.battles.messages.pasted_text import mails_in
from cardbattle.campaign.exchange.mails import take_messages
from cardbattle.campaign.exchange.order_book import Taken
from cardbattle.campaign.exchange.orders.parser import RetreatChoice
from cardbattle.campaign.state.changes import Change
from tests.campaign.phases.movement.test_procedure import vale
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


def test_a_refused_retreat_frees_no_place_for_another_force() -> None:
    """Each place has room for one force. The guns keep the mill, because the militia has the ford."""
    forces = named_vale().data["forces"] | {"guns": {"faction": "red", "strength": 3, "location": "wood"}}  # type: ignore[operator]
    campaign = vale({}, forces=forces)
    recorded = {"guns": "mill", "militia": "ford"}
    campaign = campaign.after(
        [Change(("forces", force, "retreat"), None, place) for force, place in recorded.items()]
    )

    def retreats_after(changes: Sequence[Change], force: str) -> dict[str, RetreatChoice]:
        after = campaign.after(changes).forces
        choices = {}
        for each in ("guns", "militia", "vanguard"):
            others = {after[key].retreat for key in after if key != each}
            full = dict.fromkeys(filter(others.__contains__, ("mill", "ford")), "is full")
            choices[each] = RetreatChoice(
                [key for key in ("mill", "ford", "bridge") if key not in full], full
            )
        return choices

    for lines in ("vanguard: retreat to mill; guns: retreat to ford", "guns: ford\nvanguard: mill"):
        text = f"red@1:\n{lines}"
        taken = take_messages(campaign, [("mail.txt", text)], has_moved=True, retreats_after=retreats_after)
        assert not taken.values
        assert {str(error).partition(";")[0].partition(": ")[2] for error in taken.errors} == {
            "guns: it cannot retreat to ford, which is full",
            "vanguard: it cannot retreat to mill, which is full",
        }


def test_notes_about_several_files_name_the_file() -> None:
    remark = "Those blues: never trust them 1"
    texts = [(name, f"vanguard: hold\n{remark}\n") for name in ("ann.eml", "ben.eml")]
    notes = take_messages(named_vale(), texts).notes
    assert notes[:2] == [f'{name}, line 2: ignored: "{remark}"' for name, _ in texts]
    assert take_messages(named_vale(), texts[:1]).notes == [f'line 2: ignored: "{remark}"']


def test_a_mail_with_only_rejected_lines_beside_others_needs_its_sender() -> None:
    greta = "From: Greta <greta@x.org>\n\nArchers go with the Guard.\nAll the others rest.\n3 coins please?\n"
    texts = [("hanna.eml", f"{ADDRESS}:\nvanguard: hold"), ("greta.eml", greta)]
    [note] = take_messages(named_vale(), texts).notes
    assert note.startswith(
        "greta.eml:3: this mail does not show who sent it; take it alone with --for FACTION"
    )
    assert "who sent it" not in str(take_messages(named_vale(), texts, "red").notes)


@pytest.mark.parametrize(
    ("line", "is_noted"),
    [
        ("retreat to ford", True),
        ("I fall back to the ford!", True),
        ("march to ford", False),
        ("hold", False),
    ],
)
def test_only_words_of_a_retreat_repeat_a_retreat_of_an_earlier_turn(line: str, is_noted: bool) -> None:
    earlier = {"vanguard": {"retreat to ford"}}
    taken = take_messages(named_vale(), [("mail.txt", f"vanguard: {line}")], "red", earlier=earlier)
    assert orders(taken) and is_noted == any("same orders in an earlier turn" in note for note in taken.notes)
