"""Sealed orders count when they are opened."""

from __future__ import annotations

import textwrap

import pytest

from cardbattle.battles.messages.answer_text import read_to_seal
from cardbattle.battles.sealed_orders import seal_of
from cardbattle.campaign.exchange.message_error import player_text
from cardbattle.campaign.exchange.order_book import Taken, orders_operation, statuses, take_given_orders
from cardbattle.campaign.exchange.orders.message import opened_orders
from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.exchange.seal_check import wording_doubts, wording_errors
from cardbattle.campaign.exchange.typed_orders import given_by_hand
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.visibility.redaction import Clearance, redact_entry
from cardbattle.core.errors import InvalidInput, UsageError
from tests.campaign.phases.movement.test_procedure import vale
from tests.support.vale import ADDRESS, after, orders, take

SALT = "5" * 32


TEXT = "vanguard: march to the ford; militia: hold"


SEALED = f"{ADDRESS}: sealed {seal_of('the-vale', 1, 'red', SALT, TEXT)}"


OPENED = f"{ADDRESS}: open {SALT} {TEXT}"


def test_sealed_orders_are_opened_once_all_orders_are_in(campaign: Campaign) -> None:
    sealed = after(campaign, SEALED)
    assert "the orders of Blue and Green are missing" in str(take(sealed, OPENED).errors[0])
    waiting = after(after(sealed, "garrison: hold"), "archers: hold")
    assert all(status.is_in for status in statuses(waiting))
    assert after(waiting, "garrison: march to ford").orders["garrison"] == "march to ford"
    opened = after(waiting, OPENED)
    assert opened.orders["vanguard"] == "march to ford"
    late = take(opened, "garrison: march to ford")
    assert "no order can be changed" in str(late.errors[0])


def test_only_their_faction_reads_opened_orders_in_the_history_and_everybody_reads_the_seal(
    campaign: Campaign,
) -> None:
    waiting = after(after(after(campaign, SEALED), "garrison: hold"), "archers: hold")
    owners = {key: force.faction for key, force in campaign.forces.items()}
    for reader in ("red", "blue", None):
        clearance = Clearance(reader, campaign.visibility, owners)
        for before, mail, seen in ((campaign, SEALED, True), (waiting, OPENED, reader == "red")):
            entry = orders_operation(before, take(before, mail)).entry
            values = [change for change in entry.changes if change.key[-1]]
            shown = redact_entry(entry, clearance, EMPTY_LEDGER).changes
            assert [change for change in shown if change.key[-1]] == values * seen


def test_a_faction_with_sealed_orders_can_ask_a_question(campaign: Campaign) -> None:
    [question] = take(after(campaign, SEALED), f"{ADDRESS}:\nWhen do I open them?").refused["red"]
    assert "is a question" in player_text(question)


def test_a_sealed_line_for_each_force_is_an_order_for_each_force(campaign: Campaign) -> None:
    sealing = read_to_seal(f"{ADDRESS}:\n- vanguard: march to the ford,\n  avoid battle\n\nmilitia: hold\n")
    assert sealing.words == "vanguard: march to the ford, avoid battle; militia: hold"
    seal = seal_of(sealing.battle, sealing.place, sealing.side, SALT, sealing.words)
    sealed = after(campaign, f"{ADDRESS}: sealed {seal}")
    waiting = after(after(sealed, "garrison: hold"), "archers: hold")
    opened = after(waiting, f"{ADDRESS}: open {SALT} {sealing.words}")
    assert [opened.orders[force] for force in ("vanguard", "militia")] == [
        "march to ford, avoid battle",
        "hold",
    ]


@pytest.mark.parametrize("width", [20, 36, 60, 75, 90])
@pytest.mark.parametrize("marks", ["", "> "])
def test_a_wrapped_seal_is_joined(campaign: Campaign, width: int, marks: str) -> None:
    """A mail program can break the sealing and the opening line between words, or between characters."""
    text = "vanguard: march to ford, avoid battle; militia: hold"
    sealing = f"{ADDRESS}: sealed {seal_of('the-vale', 1, 'red', SALT, text)}"
    opening = f"{ADDRESS}: open {SALT} {text}"
    sealed = after(campaign, wrapped(sealing, width, marks))
    waiting = after(after(sealed, "blue: hold"), "archers: hold")
    opened = after(waiting, wrapped(opening, width, marks))
    assert [opened.orders[force] for force in ("vanguard", "militia")] == [
        "march to ford, avoid battle",
        "hold",
    ]
    [error] = take(waiting, wrapped(opening.replace("march", "go"), width, marks)).errors
    assert "unchanged and on one line" in str(error)


@pytest.mark.parametrize("width", [24, 47, 60, 71, 90])
def test_a_line_that_is_broken_within_words_opens_the_seal_or_is_refused_with_the_reason(
    campaign: Campaign, width: int
) -> None:
    """The player reads the reason of the umpire, and no error about an order in a part of the line."""
    text = "vanguard and militia: march to ford, avoid battle"
    sealed = after(campaign, f"{ADDRESS}: sealed {seal_of('the-vale', 1, 'red', SALT, text)}")
    waiting = after(after(sealed, "blue: hold"), "archers: hold")
    for said, is_right in ((text, True), (text.replace("march", "go"), False)):
        line = f"{ADDRESS}: open {SALT} {said}"
        mail = "\n".join(
            ["Hello", "", *(line[at : at + width] for at in range(0, len(line), width)), "", "Ann"]
        )
        taken = take(waiting, mail)
        assert (len(orders(taken)), len(taken.errors)) == ((2, 0) if is_right else (0, 1)), mail
        if not is_right:
            error = (
                "red@1: this is not the sealed text; send the line that was kept, unchanged and on one line"
            )
            assert [each.text for each in taken.errors] == [error]
            assert [*map(player_text, taken.refused["red"])] == [error]


def wrapped(line: str, width: int, marks: str) -> str:
    """Return a line as a mail program wraps it, with greetings."""
    broken = textwrap.wrap(line, width, break_on_hyphens=False)
    return "\n".join(["Dear umpire,", "", *(marks + part for part in broken), "", "Ann"])


def test_sealed_orders_that_run_together_are_refused() -> None:
    with pytest.raises(UsageError, match="a semicolon or a new line between them"):
        read_to_seal(f"{ADDRESS}: vanguard: march to the ford militia: hold")


def by_hand(campaign: Campaign, name: str) -> Taken:
    """Let the umpire order a force or a faction to hold."""
    parser = OrderParser(campaign)
    return take_given_orders(parser, given_by_hand(parser, name, "hold"))


def test_a_faction_stands_for_its_forces_without_an_order(campaign: Campaign) -> None:
    given = after(campaign, "guard: march to ford")
    assert orders(by_hand(given, "Blue")) == {"garrison": "hold"}


def test_a_short_address_of_sealed_orders_is_refused_with_an_example_for_orders() -> None:
    with pytest.raises(UsageError, match="or for orders the-marches/york@4: percy: hold"):
        read_to_seal("red@1: vanguard: hold")


def test_the_example_in_a_message_cannot_be_sealed() -> None:
    with pytest.raises(UsageError, match="write your orders in place of YOUR LINES"):
        read_to_seal(f"{ADDRESS}: YOUR LINES")


def test_a_seal_holds_the_faction_to_its_orders(campaign: Campaign) -> None:
    sealed = after(campaign, SEALED)
    assert "has sealed orders" in str(take(sealed, "vanguard: hold").errors[0])
    with pytest.raises(InvalidInput, match="has sealed orders"):
        orders_operation(sealed, by_hand(sealed, "vanguard"))
    waiting = after(after(sealed, "garrison: hold"), "archers: hold")
    for state, when in ((sealed, "when all orders are in"), (waiting, "now")):
        [error] = take(state, "vanguard: hold").refused["red"]
        assert error.text.endswith(f'cannot be changed; send the kept line with "open" {when}')
    changed = take(waiting, f"{ADDRESS}: open {SALT} vanguard: hold")
    assert "this is not the sealed text" in str(changed.errors[0])


def test_both_lines_of_a_seal_in_one_message_count_as_the_seal(campaign: Campaign) -> None:
    taken = take(campaign, f"{SEALED}\n{OPENED}")
    assert ("sealed_orders", "red", "seal") in taken.values
    assert "keep this line until all orders are in" in str(taken.errors[0])


def test_who_has_sent_orders_does_not_depend_on_hidden_marches(campaign: Campaign) -> None:
    forces = {key: dict(force) for key, force in campaign.data["forces"].items()}  # type: ignore[attr-defined]
    for force in forces.values():
        force["march"] = "march to fort"
    marching = vale({}, forces=forces)
    assert [status.is_in for status in statuses(marching)] == [status.is_in for status in statuses(campaign)]


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (
            "guard: march to Wem, but not past it",
            'guard: "but not past it" behind "march to Wem" is not read',
        ),
        ("hold: hold; mil: mrach to Wem", 'mil: cannot read "mrach to Wem"; did you mean "march to Wem"?'),
        ("guard: march to Wem (or hold)", '"or hold" behind "march to Wem"'),
        ("guard: march to Wem, no battle if you can help it; mil: hold, they are tired", ""),
        ("guard: march to Wem, via Oswestry, Chester", ""),
        ("guard: to Wem and attack; mil: join guard, too; all: same", ""),
        ("place 6S; place 3S", ""),
        ("when special behind: play JS | pass, or not", ""),
    ],
)
def test_the_wording_of_orders_is_checked_before_they_are_sealed(text: str, doubt: str) -> None:
    doubts = [*wording_doubts(text)]
    assert len(doubts) == bool(doubt) and doubt in "".join(doubts)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("vanguard: march to frod", 'vanguard: unknown place "frod"; did you mean "ford"?'),
        ("vanguard: mill -> fort", "no road leads from Mill to Fort"),
        ("vanguard: to ford, then wood", 'write "march to wood via ford"'),
        ("guard: hold", 'unknown force of Red: "guard"'),
        ("we wait for you", "the text contains no order"),
        ("vanguard: hold, they are tired", 'vanguard: hold; ignored: "they are tired"'),
        ("all: hold", ""),
    ],
)
def test_the_campaign_checks_orders_before_they_are_sealed(campaign: Campaign, text: str, error: str) -> None:
    errors = wording_errors(campaign, "red", text)
    assert len(errors) == bool(error) and error in "".join(errors)


def test_the_umpire_reads_what_is_ignored_in_opened_orders(campaign: Campaign) -> None:
    text = "vanguard: hold. Looking forward to the fight!; militia: hold; PS: what about supplies?"
    sealed = after(campaign, f"{ADDRESS}: sealed {seal_of('the-vale', 1, 'red', SALT, text)}")
    waiting = after(after(sealed, "garrison: hold"), "archers: hold")
    taken = take(waiting, f"{ADDRESS}: open {SALT} {text}")
    assert orders(taken) == {"vanguard": "hold", "militia": "hold"} and not taken.errors
    remark = 'red@1: vanguard: hold; ignored: "Looking forward to the fight"'
    assert taken.notes == [remark, 'red@1: ignored: "PS: what about supplies?"']


@pytest.mark.parametrize("order", ["hold", "march to ford", "mill -> bridge", "join militia"])
@pytest.mark.parametrize(
    "remark",
    ["Looking forward to the fight", "never attack", "we won't go, don't fight them", "fight nobody"],
)
def test_opened_orders_with_a_remark_count_as_in_earlier_releases(
    campaign: Campaign, order: str, remark: str
) -> None:
    """An opened order cannot be corrected. The umpire reads the remark."""
    parser = OrderParser(campaign)
    opened = opened_orders(parser, "red", f"vanguard: {order}, {remark}")
    assert [given.order for given in opened.given] == [parser.order("vanguard", order)]
    assert not opened.errors and f'ignored: "{remark}"' in opened.notes[0]
