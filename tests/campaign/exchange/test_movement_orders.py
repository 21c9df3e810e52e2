"""Orders to move are read as players write them, and kept until the turn advances."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from cardbattle.battles.messages.answer_text import read_to_seal
from cardbattle.battles.sealed_orders import seal_of
from cardbattle.campaign.exchange.movement_orders import OrderParser, given_by_hand
from cardbattle.campaign.exchange.order_book import (
    Taken,
    orders_operation,
    statuses,
    take_given_orders,
    take_messages,
)
from cardbattle.campaign.exchange.order_remarks import LONGEST as ORDER_LENGTH
from cardbattle.campaign.exchange.order_remarks import split_remark
from cardbattle.campaign.exchange.order_words import (
    AT_WORDS,
    AVOID_WORDS,
    BATTLE_WORDS,
    GOAL_WORDS,
    HERE_WORDS,
    HOLD_WORDS,
    JOIN_WORDS,
    MARCH_WORDS,
    TO_WORDS,
    VIA_WORDS,
)
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.show.battle_text import LONGEST_POST, post_length
from cardbattle.show.pages.campaign.orders import request_to
from tests.campaign.phases.movement.test_procedure import vale

GUIDE = Path(__file__).parents[3] / "docs" / "movement.md"
NAMES = {
    "vanguard": "Red vanguard",
    "militia": "Red militia",
    "guard": "Blue guard",
    "garrison": "Blue garrison",
}
ADDRESS = "the-vale/red@1"


@pytest.fixture
def campaign() -> Campaign:
    """Return the campaign of the guide, with names."""
    bare = vale({})
    data = {**bare.data, "forces": {}}
    for key, force in bare.data["forces"].items():  # type: ignore[attr-defined]
        data["forces"][key] = force | ({"name": NAMES[key]} if key in NAMES else {})  # type: ignore[index]
    return vale({}, forces=data["forces"])


def take(campaign: Campaign, text: str, faction: str = "") -> Taken:
    """Return what a message comes to."""
    return take_messages(campaign, [("mail.txt", text)], faction)


def orders(taken: Taken) -> dict[str, object]:
    """Return the orders that were taken, by force."""
    return {key[1]: value for key, value in taken.values.items() if key[0] == "orders"}


def after(campaign: Campaign, text: str) -> Campaign:
    """Return the campaign after the orders of a message, without errors."""
    taken = take(campaign, text)
    assert not taken.errors
    return campaign.after(orders_operation(campaign, taken).entry.changes)


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("vanguard: hold", "hold"),
        ("RED VANGUARD: stay here.", "hold"),
        ("the vanguard: march to the bridge", "march to bridge"),
        ("- vanguard: Move to Ford, avoid battle!", "march to ford, avoid battle"),
        ("vanguard: march to ford, avoid battle if poss.", "march to ford, avoid battle"),
        ("vanguard: mill -> bridge -> fort", "mill -> bridge -> fort"),
        ("vanguard: bridge => fort", "mill -> bridge -> fort"),
        ("vanguard: go to the wood via the ford", "mill -> ford -> wood"),
        ("vanguard: join the militia and avoid the enemy", "join militia, avoid battle"),
        ("vanguard: bridge", "march to bridge"),
        ("vanguard: attack the bridge", "march to bridge"),
        ("vanguard: go with the militia", "join militia"),
        ("vanguard: stay at the mill", "hold"),
        ("vanguard: hold position on Mill, avoid battle", "hold, avoid battle"),
        ("vanguard: back to the bridge", "march to bridge"),
        ("vanguard: return to bridge via the ford", "mill -> ford -> fort -> bridge"),
        ("vanguard: fall back to the bridge", "march to bridge"),
        ("vanguard: -> mill", "hold"),
        ("vanguard: hold the mill!", "hold"),
        ("vanguard: defend mill, avoid battle", "hold, avoid battle"),
        ("vanguards: to bridge", "march to bridge"),
        ("Vang.: bridge", "march to bridge"),
        ("vanguard: join the mil", "join militia"),
        ("vanguard: holds", "hold"),
        ("vanguard: stays put", "hold"),
        ("vanguard: holding the mill", "hold"),
        ("vanguard: goes to the ford", "march to ford"),
        ("vanguard - marches to ford, avoiding battle", "march to ford, avoid battle"),
        ("vanguard: moving to bridge via ford", "mill -> ford -> fort -> bridge"),
        ("vanguard: will march to ford", "march to ford"),
        ("vanguard: falls back to the ford", "march to ford"),
        ("vanguard: goes with the militia", "join militia"),
        ("vanguard: march on to Ford and attack", "march to ford"),
        ("vanguard: go to the ford, then hold there", "march to ford"),
        ("vang - hold (they are tired)", "hold"),
        ("Vanguards \u2013 marches to ford", "march to ford"),
    ],
)
def test_an_order_is_understood(campaign: Campaign, written: str, order: str) -> None:
    taken = take(campaign, written)
    assert (orders(taken), taken.errors) == ({"vanguard": order}, [])


def test_the_guide_lists_every_word_that_is_read(campaign: Campaign) -> None:
    parser = OrderParser(campaign)
    text = GUIDE.read_text(encoding="utf-8")
    table = text[text.index("| meaning | words |") :].split("\n\n")[0].splitlines()[2:]
    listed = [[*re.findall("`(.*?)`", row)] for row in table]
    marching = [MARCH_WORDS, TO_WORDS, VIA_WORDS]
    tuples = [HOLD_WORDS, HERE_WORDS, AT_WORDS, *marching, GOAL_WORDS, JOIN_WORDS, AVOID_WORDS, BATTLE_WORDS]
    assert listed == [list(words) for words in tuples]
    for word in HOLD_WORDS:
        forms = [word, *(f"{word} {here}" for here in HERE_WORDS), *(f"{word} {at} mill" for at in AT_WORDS)]
        assert {str(parser.order("vanguard", form)) for form in forms} == {"hold"}
    for word in MARCH_WORDS:
        assert {str(parser.order("vanguard", f"{word} {to} ford")) for to in TO_WORDS} == {"march to ford"}
    assert {str(parser.order("vanguard", f"{word} militia")) for word in JOIN_WORDS} == {"join militia"}
    for word in GOAL_WORDS:
        assert str(parser.order("vanguard", f"march to ford and {word}")) == "march to ford"
    for via in VIA_WORDS:
        assert str(parser.order("vanguard", f"go to wood {via} ford")) == "mill -> ford -> wood"
    for word in AVOID_WORDS:
        forms = [f"hold, {word}", *(f"hold, {word} {battle}" for battle in BATTLE_WORDS)]
        assert {str(parser.order("vanguard", form)) for form in forms} == {"hold, avoid battle"}


@pytest.mark.parametrize(
    ("written", "error"),
    [
        ("vanguard: march to the brigde", 'unknown place "the brigde"; did you mean "bridge"?'),
        ("vangaurd: hold", 'unknown red force "vangaurd"; did you mean "vanguard"?'),
        ("blue: hold", "these are orders of red; leave out the orders for blue"),
        (
            "vanguard: mill -> fort",
            'no road leads from Mill to Fort; write "march to fort" for the shortest way',
        ),
        ("vanguard: join guard", 'unknown force "guard"'),
        (
            "vanguard: stay on the bridge",
            'the force is not at Bridge; write "hold" to stay where it is, or "march',
        ),
        (
            "vanguard: hold the bridge",
            'not at Bridge; write "hold" to stay where it is, or "march to bridge", where it then holds',
        ),
        (
            "vanguard: The vanguard will ride to the ford, and wait there",
            'or "join FORCE", got "The vanguard will ride to the ford, and wait there"',
        ),
        ("vanguard: hold your horses", 'expected "hold", "march to PLACE"'),
        ("Reds: hold", '"Reds" is ambiguous; write a key: vanguard, militia'),
        ("vanguard: hold at dawn", 'expected "hold"'),
        ("vanguard: hodl", 'cannot read "hodl"; did you mean "hold"?'),
        ("vanguard: mrach to ford", 'cannot read "mrach to ford"; did you mean "march to ford"?'),
        ("vanguard: march to ford and attack the bridge", 'unknown place "ford and attack the bridge"'),
        ("guard: hold", 'unknown red force "guard"; did you mean "vanguard"?'),
        ("vanguard takes the bridge", 'expected FORCE: ORDER, got "vanguard takes the bridge"'),
    ],
)
def test_an_order_that_is_not_understood_is_reported_with_its_line(
    campaign: Campaign, written: str, error: str
) -> None:
    taken = take(campaign, f"Hello\n{ADDRESS}:\nmilitia: hold\n{written}")
    assert orders(taken) == {"militia": "hold"}
    [found] = taken.errors
    assert error in str(found)
    assert str(found).startswith("mail.txt:4: ")


def test_greetings_signatures_and_quoted_orders_are_ignored(campaign: Campaign) -> None:
    quoted = f"> {ADDRESS}:\n> vanguard: march to ford\n"
    text = f"Dear umpire: all well here.\n\n{ADDRESS}:\nvanguard: hold\nSee you\nAnn\n\n{quoted}"
    taken = take(campaign, text)
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])


@pytest.mark.parametrize(
    ("written", "ignored"),
    [
        ("vanguard: hold, they are tired", "they are tired"),
        ("vanguard: hold (I think)", "I think"),
        ("vanguard: hold, what else", "what else"),
        ("vanguard: march to the ford, avoid battle! Good luck to them", "Good luck to them"),
        ("vanguard: hold - my people need rest", "my people need rest"),
        ("PS: what about supplies?\nvanguard: hold", "PS: what about supplies?"),
        ("What I want:\nvanguard: hold", "What I want:"),
    ],
)
def test_a_remark_is_ignored_and_quoted(campaign: Campaign, written: str, ignored: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\n{written}")
    assert (list(orders(taken)), taken.errors) == (["vanguard"], [])
    assert [note for note in taken.notes if f'ignored: "{ignored}"' in note]


@pytest.mark.parametrize(
    "words",
    [
        "hold, unless attacked",
        "hold (or march to ford)",
        "march to ford, aviod battle",
        "march to ford, then bridge",
        "hold, guard the garrison",
        "mrach to ford, quickly",
    ],
)
def test_a_text_behind_an_order_that_can_change_it_is_not_a_remark(campaign: Campaign, words: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\nvanguard: {words}")
    assert orders(taken) == {} and len(taken.errors) == 1


def test_an_error_is_reported_once_for_all_parts_of_a_line(campaign: Campaign) -> None:
    assert len(take(campaign, "all: hold; all: march to ford; all: hold").errors) == 1


def test_a_rejected_order_is_not_replaced_by_an_older_quoted_one(campaign: Campaign) -> None:
    quoted = "On Sat the umpire wrote:\n> Red militia: march to ford\n> Red vanguard: march to ford\n"
    taken = take(campaign, f"Red vanguard hold\nRed militia: hold\n\n{quoted}")
    assert orders(taken) == {"militia": "hold"}
    alone = take(campaign, f"Red militia hold\n\n{quoted}")
    assert orders(alone) == {}
    assert "write a colon after the force" in str(alone.errors[0])


@pytest.mark.parametrize(
    "wrong",
    ["militia: march to rome", "red mil: with vanguard", "militia takes the ford", "militia and guard: hold"],
)
def test_the_rest_are_the_forces_without_a_rejected_line(campaign: Campaign, wrong: str) -> None:
    for text in (f"{wrong}\nthe rest: hold", f"the rest: hold\n{wrong}"):
        taken = take(campaign, f"red@1:\n{text}")
        assert orders(taken) == {"vanguard": "hold"} and len(taken.refused["red"]) == 1


REPLIES = [
    "",
    "-----Original Message-----\n",
    "On Fri, 27 Nov 2026 at 22:40, the umpire wrote:\n",
    "Von: Umpire\nGesendet: Freitag\nBetreff: Orders\n",
]


def request(campaign: Campaign) -> str:
    """Return the program's request for the orders of red."""
    visible = visible_to(campaign, EMPTY_LEDGER, "red")
    [message] = request_to(visible, "red", ADDRESS, {"vanguard": 2, "militia": 2})
    return "\n".join(message.lines)


def test_a_request_has_what_a_player_needs_to_decide(campaign: Campaign) -> None:
    """A campaign without these settings has none of the lines."""
    plain = request(campaign)
    assert "- yours: Mill\n- held by Blue: Bridge, Fort\n- free: Ford, Wood\n\nRoads" in plain
    forces = {key: dict(force) for key, force in campaign.data["forces"].items()}  # type: ignore[attr-defined]
    forces["vanguard"]["leader"] = "Ann Day"
    forces["militia"]["location"] = "ford"
    places = {"mill": {"owner": "red", "value": 2, "supply": True}, "bridge": {"owner": "blue"}}
    rich = request(
        vale(
            {},
            forces=forces,
            locations={**campaign.data["locations"], **places},  # type: ignore[dict-item]
            movement={"allowance": 2, "stacking": 3},
            supply={"range": 1, "out_of_supply": "1/4"},
            income={"per_value": 1, "to": "purse"},
            factions={"red": {"purse": 5}, "blue": {"purse": 7}, "green": {}},
        )
    )
    assert "- vanguard (Red vanguard): strength 9, at Mill, 2 steps, led by Ann Day\n" in rich
    assert "- militia (Red militia): strength 9, at Ford, 2 steps, out of supply\n" in rich
    assert "Places, with their values:\n- yours: Mill 2 (supply)\n" in rich
    assert (
        "\n\nAt most 3 friendly forces in a place. Supply reaches 1 step from your supply places, not past "
        "enemies; a force without supply loses 1/4 in a turn. Your purse: 5.\n\nRoads" in rich
    )


@pytest.mark.parametrize("count", [8, 10, 20, 22, 70])
def test_each_part_of_a_form_has_its_address(count: int) -> None:
    """A form that fits into one part is in one part."""
    keys = [f"company-{n}-of-the-red-regiment-of-foot" for n in range(count)]
    force = {"faction": "red", "strength": 3, "location": "mill"}
    campaign = vale({}, forces=dict.fromkeys(keys, force))
    visible = visible_to(campaign, EMPTY_LEDGER, "red")
    parts = [part.lines for part in request_to(visible, "red", ADDRESS, dict.fromkeys(keys, 2))]
    forms = [part[part.index(f"{ADDRESS}:") + 1 :] for part in parts if f"{ADDRESS}:" in part]
    assert [line for form in forms for line in form] == [f"{key}:" for key in keys]
    assert len(forms) == 1 + (count == 70)
    assert all(post_length(part) <= LONGEST_POST for part in parts)


@pytest.mark.parametrize("marks", ["", "> ", "    "])
@pytest.mark.parametrize("header", REPLIES)
def test_the_text_of_a_request_is_never_an_order(campaign: Campaign, header: str, marks: str) -> None:
    quoted = textwrap.indent(request(campaign), marks)
    for width in (60, 300):
        wrapped = "\n".join(textwrap.fill(line, width) for line in quoted.splitlines())
        taken = take(campaign, f"The militia to the ford please!\n\n{header}{wrapped}")
        assert not taken.values
        assert [str(error).splitlines()[0] for error in taken.errors] == [
            "mail.txt:1: this line names militia, but is not an order; write militia: ORDER"
        ]


@pytest.mark.parametrize("header", REPLIES)
def test_a_player_can_complete_the_quoted_request(campaign: Campaign, header: str) -> None:
    answered = request(campaign).replace("\nvanguard:", "\nvanguard: hold")
    taken = take(campaign, f"For the ford!\n\n{header}{answered}")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])
    taken = take(campaign, f"{ADDRESS}:\nvanguard: march to ford\n\n{header or REPLIES[1]}{answered}")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford"}, [])


def test_a_quoted_order_is_reported_if_other_orders_replace_the_quotation(campaign: Campaign) -> None:
    form = f"Ann wrote:\n> {ADDRESS}:\n> vanguard: march to ford\n> militia:\n"
    taken = take(campaign, f"{form}\nMilitia: hold")
    assert orders(taken) == {"militia": "hold"}
    error = 'vanguard: "march to ford" is quoted, which does not count beside new orders; send it again'
    assert [str(each) for each in taken.errors] == [f"mail.txt:3: {error}"]
    assert [str(each) for each in taken.refused["red"]] == [f"mail.txt:3: {error}"]
    assert take(campaign, f"{form}\nMilitia: hold\nVanguard: hold").errors == []
    assert len(take(campaign, f"{form}\nMilitia: hold\nVanguard: flee").errors) == 1
    assert take(after(campaign, "red@1: vanguard: march to ford"), f"Militia: hold\n\n{form}").errors == []


@pytest.mark.parametrize("address", ["", "the-vale/blue@1:\n"])
@pytest.mark.parametrize(
    "own", [f"{ADDRESS}:\nall: hold", "Red vanguard: hold\nmilitia: hold", f"{ADDRESS}:\nWell?"]
)
def test_quoted_orders_of_another_faction_do_not_count(campaign: Campaign, address: str, own: str) -> None:
    """They count in a mail of the quoted player, who can complete a quoted form."""
    quote = textwrap.indent(f"{address}guard: march to ford\nBlue garrison marches on", "> ")
    hold = {"vanguard": "hold", "militia": "hold"} if "hold" in own else {}
    below = take(campaign, f"{own}\n\nBea wrote:\n{quote}")
    assert orders(below) == hold
    assert below.is_unread == bool(address and not hold)  # otherwise read as an order of red
    assert len(below.errors) == (not hold)
    if ADDRESS in own or not address:
        above = take(campaign, f"{quote}\n\n{own}")
        assert (orders(above), above.is_unread, len(above.errors)) == (hold, not hold, not hold)
        assert [note for note in above.notes if "another player quotes it: guard: march to ford" in note]
    assert orders(take(campaign, f"{quote}\n\nblue@1:\nWell?")) == {"guard": "march to ford"}
    report = take_messages(
        campaign, [("mail.txt", f"ford/vanguard: we won\n{quote}")], skipped={"ford/vanguard: we won": "red"}
    )
    assert (orders(report), report.errors) == ({}, [])


def test_several_mails_with_headers_are_all_read(campaign: Campaign) -> None:
    blue = "From: Bea\nSent: Friday\n\nblue@1:\nguard: hold\n"
    taken = take(campaign, f"red@1:\nvanguard: hold\n\n{blue}")
    assert orders(taken) == {"vanguard": "hold", "guard": "hold"}


def test_the_name_of_a_faction_orders_its_forces(campaign: Campaign) -> None:
    assert orders(take(campaign, "Blue: hold")) == {"guard": "hold", "garrison": "hold"}
    assert "these are orders of red" in str(take(campaign, f"{ADDRESS}:\nblue: hold").errors[0])
    assert not take(campaign, "Blue: I wait for your orders").values


def test_an_answer_to_a_battle_is_not_an_order(campaign: Campaign) -> None:
    [error] = take(campaign, "vanguard@3: place KH").errors
    assert "enter it with: cardbattle orders take ID.battle.toml FILE" in str(error)


@pytest.mark.parametrize("faction", ["", "red"])
@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("red@1:\nelse regular", "2: this answers a battle; enter it with: {}"),
        ("red@1: 3; 4", "1: this answers a battle; enter it with: {}"),
        ("Red vanguard@1: KH; QH", "1: this answers a battle; enter it with: {}"),
        ("Vanguard@1: two", "1: this answers a battle; enter it with: {}"),
        ("Redvanguard@3: 5", "1: this answers a battle; enter it with: {}"),
        ("red@3:\nelse regular", "2: this answers a battle; enter it with: {}"),
        ("red@1: KH; QH", "1: these are orders for turn 1; the address for this turn is red@3; enter an "
         "answer to a battle with: {}"),
        ("red@1:\nHello\n\nall: hold", "1: these are orders for turn 1; the address for this turn is red@3"),
        ("blue@1:\nelse regular", "1: these are orders for turn 1; the address for this turn is blue@3"),
    ],
)  # fmt: skip
def test_an_answer_to_a_pending_battle_names_the_command_that_takes_it(
    campaign: Campaign, text: str, error: str, faction: str
) -> None:
    """Only a faction that fights in the battle reads its id."""
    pending = [{"id": "t3-ford", "sides": [["militia", "vanguard"], ["archers"]]}]
    later = vale({}, forces=campaign.data["forces"], turn=3, pending=pending)
    taken = take(later, text, faction if text.lower().startswith("red") else "")
    command = "cardbattle orders take t3-ford.battle.toml FILE"
    assert [*map(str, taken.errors)] == [f"mail.txt:{error.format(command)}"]


def test_a_name_means_a_force_of_the_faction_that_writes(campaign: Campaign) -> None:
    forces = {key: dict(force) for key, force in campaign.data["forces"].items()}  # type: ignore[attr-defined]
    forces["archers"]["name"] = "Green vanguard"
    both = vale({}, forces=forces)
    assert orders(take(both, "the-vale/green@1:\nthe vanguard: hold")) == {"archers": "hold"}


def test_below_an_address_the_colon_can_be_missing(campaign: Campaign) -> None:
    taken = take(campaign, f"{ADDRESS}:\n- The vanguard march to the ford\n- militia -> bridge")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "mill -> bridge"}, [])


@pytest.mark.parametrize("dash", [" - ", " -- ", "- ", " -", " \u2013 ", "\u2014"])
@pytest.mark.parametrize("name", ["Redmilitia", "The Red Militia", "red  militia", "Red-militia"])
def test_a_dash_counts_as_a_colon(campaign: Campaign, name: str, dash: str) -> None:
    mail = f"Hello - all is well.\n{name}{dash}march to the ford\nAnn - at the mill"
    for text in (mail, f"{ADDRESS}:\n{name}{dash}march to the ford"):
        taken = take(campaign, text)
        assert (orders(taken), taken.errors) == ({"militia": "march to ford"}, [])
    taken = take(campaign, f"{ADDRESS}:\nmilitia -> bridge\nall{dash}hold")
    assert (orders(taken), taken.errors) == ({"militia": "mill -> bridge", "vanguard": "hold"}, [])


@pytest.mark.parametrize(
    "line",
    [
        "Redmilitia - quickly to the frod, march!",
        "The militias go to ford",
        "Milita would attack, I think",
        "Let the redmilitia see the ford",
    ],
)
@pytest.mark.parametrize("break_", ["", "\n"])
def test_a_line_that_may_be_an_order_is_never_lost(campaign: Campaign, line: str, break_: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\nvanguard: hold\n{break_}{line}")
    assert orders(taken) == {"vanguard": "hold"}
    assert [str(error).split(": ")[1][:23] for error in taken.errors] == ["this line names militia"]
    assert not take(campaign, f"{ADDRESS}:\nall: hold\n\n{line}").errors


@pytest.mark.parametrize("address", ["", "red@1:\n"])
@pytest.mark.parametrize(
    "line",
    [
        "Militia may go home.\nRed vanguard: hold",
        "My militia can rest.\nRed vanguard: hold",
        "The militia go to the ford, please. Red vanguard: hold",
        f"I think {'very ' * 20} much that the militia should walk. Red vanguard: hold",
    ],
)
def test_prose_that_names_a_force_is_reported(campaign: Campaign, address: str, line: str) -> None:
    taken = take(campaign, f"{address}\n{line}", "red")
    assert orders(taken) == {"vanguard": "hold"}
    assert ["this line names militia, but is not an order" in str(error) for error in taken.errors] == [True]


@pytest.mark.parametrize(
    ("text", "taken_orders", "words"),
    [
        ("red@1\nmlitia - hold\nvanguard - hold", {"vanguard": "hold"}, ['red force "mlitia"; did you']),
        ("red@1:\nlancers - march to ford", {}, ['unknown red force "lancers"; ']),
        ("> red@1:\n> vanguard:\nmarch to ford\n> militia:\nhold i guess\nBye", {"vanguard": "march to ford"},
         ['militia: expected "hold"']),
        ("red@1:\nvanguard:\nhold\n\nmilitia:\nAnn", {"vanguard": "hold"}, []),
        ("From: Ann\nDate: Tue, 1 Dec\n\nvanguard: hold\nmilitia march to ford\nAnn\nred@1",
         {"vanguard": "hold"}, ["write a colon after the force: militia"]),
        ("From: Ann\nDate: Tue, 1 Dec\n\nThe militias march to ford\nAnn\nred@1:", {},
         ["this line names militia,"]),
        ("red@1:\nvanguard: hold\n\nguard: march to ford\nPS: hold your horses", {"vanguard": "hold"},
         ['unknown red force "guard"']),
        ("> ford/militia:\nvanguard: hold", {"vanguard": "hold"}, []),
        ("red@1:\nvanguard: hold\nThe old militia stay at the mill: ok", {"vanguard": "hold"},
         ["this line names militia,"]),
        ("Sorry, one more! red@1: vanguard: hold", {"vanguard": "hold"}, []),
        ("red@1:\nvanguard: hold\nMilitia stay at the mill :)", {"vanguard": "hold", "militia": "hold"}, []),
        ("red@1:\nvanguard: hold\neveryone else holds ok", {"vanguard": "hold"}, ['expected "hold"']),
        ("red@1:\n\nThe vanguard holds while the militia marches to ford", {}, ["this line names vanguard,"]),
        ("red@1:\n\nThe milita holds at the mill", {}, ["this line names militia,"]),
    ],
)  # fmt: skip
def test_each_line_that_looks_like_an_order_is_taken_or_reported(
    campaign: Campaign, text: str, taken_orders: dict[str, str], words: list[str]
) -> None:
    taken = take(campaign, text)
    assert orders(taken) == taken_orders
    errors = [str(error) for error in taken.errors]
    assert [word in error for word, error in zip(words, errors, strict=True)] == [True] * len(words)
    wrong = {getattr(error, "line", 0) for error in taken.errors}
    assert not [note for note in taken.notes if any(note.startswith(f"line {line}:") for line in wrong)]


@pytest.mark.parametrize("faction", ["", "red"])
def test_an_order_for_an_unclear_force_is_reported_without_an_address(
    campaign: Campaign, faction: str
) -> None:
    """A valid order beside it makes no difference, nor does an order such as `same`."""
    for line in ("lancers: hold", "lancers: march to ford", "red vangd: to ford", "Van Red.: same"):
        taken = take(campaign, f"Dear umpire: hello\n{line}\nmilitia: hold\nPS: hold\nNo: hold", faction)
        assert orders(taken) == {"militia": "hold"}
        assert [getattr(error, "line", 0) for error in taken.errors] == [2], line


def test_an_error_names_no_force_of_another_faction(campaign: Campaign) -> None:
    """Red's errors are the same in a campaign in which Blue's hidden force has another name."""
    forces = campaign.data["forces"]
    assert isinstance(forces, dict)
    others = vale(
        {}, forces={**{key: forces[key] for key in forces if key != "guard"}, "wolves": forces["guard"]}
    )
    lines = [
        f"{name}{order}"
        for name in ("guard", "wolves", "wulves", "gaurd", "blue guards")
        for order in (": hold", " hold", " - march to ford", ": how are they?", " marches to ford")
    ]
    for line in lines:
        for break_ in ("", "\n"):
            text = f"{ADDRESS}:\nvanguard: hold\n{break_}{line}"
            one, other = take(campaign, text), take(others, text)
            assert [*map(str, one.errors)] == [*map(str, other.errors)], line
            assert (orders(one), one.notes) == (orders(other), other.notes)


def test_an_error_without_an_address_names_no_hidden_force(campaign: Campaign) -> None:
    forces = campaign.data["forces"]
    assert isinstance(forces, dict)
    hidden = vale({}, forces=forces, visibility={"location": "own"})
    [error] = take(hidden, "gaurd: hold").errors
    assert "unknown force; write the address of its faction above it, such as the-vale/FACTION@1:" in str(
        error
    )
    assert 'did you mean "guard"' in str(take(campaign, "gaurd: hold").errors[0])


def test_the_longest_name_on_a_line_wins(campaign: Campaign) -> None:
    forces = dict(campaign.data["forces"])  # type: ignore[call-overload]
    for key, name in (
        ("old-levy", "Old Pike's Levy"),
        ("boats", "The Almoner's Boats"),
        ("sisters", "The Sisters"),
        ("spears", "The Eelspears"),
    ):
        forces[key] = {**forces["vanguard"], "name": name}
    several = vale({}, forces=forces)
    for line, named in (
        ("The almoner's boats will march with the sisters", "boats"),
        ("vangard: is to hold", "vanguard"),
        ("Hold the mill, sistrs", "sisters"),
        ("Old chap, the eel spears hold the mill", "spears"),
    ):
        [error] = take(several, f"{ADDRESS}:\n\n{line}").errors
        assert f"names {named}" in str(error) or f'did you mean "{named}"' in str(error)


@pytest.mark.parametrize("address", ["Sorry! red@1:", "the-vale/red@1", "red@1", "Red @ 1", "**red@1**"])
def test_an_address_without_its_colon_is_an_address(campaign: Campaign, address: str) -> None:
    taken = take(campaign, f"Hello\n{address}\nvanguard march to ford\nall: hold\n")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])
    assert orders(take(campaign, f"{address} vanguard: hold")) == {"vanguard": "hold"}


@pytest.mark.parametrize(
    "address",
    [
        "Red, {}:",
        "red ({})",
        "Red - turn {}",
        "red @ turn {}:",
        "Army, turn {}:",
        "My orders for red@{}",
        "Sorry, the-vale/red @ {}.",
    ],
)
def test_a_line_that_names_faction_and_turn_is_an_address(campaign: Campaign, address: str) -> None:
    named = {**campaign.data["factions"], "red": {"name": "The Army of Kent"}}  # type: ignore[dict-item]
    campaign = vale({}, forces=campaign.data["forces"], factions=named) if "Army" in address else campaign
    text = f"{address}\nvanguard march to ford\nall - hold"
    taken = take(campaign, text.format(1))
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])
    [error] = take(campaign, text.format(4)).errors
    assert "mail.txt:1: these are orders for turn 4" in str(error)
    assert take(campaign, f"I read {address} again\n\nred@1\nall: hold".format(4)).errors == []


@pytest.mark.parametrize(
    ("written", "error"),
    [
        ("rad@1\nall: hold", 'mail.txt:1: faction "rad" is not in this campaign; did you mean "red"?'),
        ("red@4\nall: hold", "mail.txt:1: these are orders for turn 4; the address for this turn is red@1"),
        ("Red vanguard hold", "mail.txt:1: write a colon after the force: Red vanguard: hold"),
        (
            "Hi, red@4: vanguard: hold",
            "mail.txt:1: these are orders for turn 4; the address for this turn is red@1",
        ),
        (f"red@1 sealed {'a' * 64}", "mail.txt:1: write a colon after the address: red@1:"),
    ],
)
def test_a_missing_colon_is_reported_with_its_line(campaign: Campaign, written: str, error: str) -> None:
    taken = take(campaign, written)
    assert not taken.values
    assert [str(found).splitlines()[0] for found in taken.errors] == [error]


def test_text_with_an_at_sign_is_no_address(campaign: Campaign) -> None:
    taken = take(campaign, "ann@12 at the inn: vanguard\nred@example.com wrote:\nvanguard: hold")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])


def test_no_order_between_semicolons_is_lost(campaign: Campaign) -> None:
    taken = take(campaign, "red@1: vanguard march to ford; militia: hold")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])
    taken = take(campaign, "red@1: vanguard: hold; militia takes the ford")
    assert orders(taken) == {"vanguard": "hold"} and "militia takes the ford" in str(taken.errors[0])


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("vanguard: march to ford; avoid battle", "march to ford, avoid battle"),
        ("vanguard march to ford; but avoid battle!; militia: hold", "march to ford, avoid battle"),
        ("vanguard: march to wood; via the ford", "mill -> ford -> wood"),
        ("vanguard: march to ford; hold there; militia - hold", "march to ford"),
        ("vanguard; hold", "hold"),
        ("Hello; vanguard: hold; ", "hold"),
    ],
)
def test_a_piece_behind_a_semicolon_without_a_force_belongs_to_the_order_before_it(
    campaign: Campaign, written: str, order: str
) -> None:
    taken = take(campaign, f"red@1: {written}")
    assert (orders(taken)["vanguard"], taken.errors) == (order, [])


def test_a_remark_behind_a_semicolon_is_quoted_and_a_condition_is_rejected(campaign: Campaign) -> None:
    taken = take(campaign, "vanguard: hold; they are tired; militia: hold")
    assert 'vanguard: hold; ignored: "they are tired"' in taken.notes and not taken.errors
    taken = take(campaign, "red@1: vanguard: march to ford; unless blue is there; militia: hold")
    assert orders(taken) == {"militia": "hold"} and "unless blue is there" in str(taken.errors[0])


def test_all_means_the_forces_without_an_order_of_their_own(campaign: Campaign) -> None:
    taken = take(campaign, f"{ADDRESS}:\nvanguard: march to ford\nall: hold")
    assert orders(taken) == {"vanguard": "march to ford", "militia": "hold"}
    assert orders(take(campaign, f"{ADDRESS}:\nred: hold")) == {"vanguard": "hold", "militia": "hold"}
    assert orders(take(campaign, f"{ADDRESS}:\nboth: hold")) == {"vanguard": "hold", "militia": "hold"}
    forces = {key: dict(force) for key, force in campaign.data["forces"].items()}  # type: ignore[attr-defined]
    forces["militia"]["destroyed"] = True
    alone = vale({}, forces=forces)
    [error] = take(alone, f"{ADDRESS}:\nboth: hold").errors
    assert "this faction does not have two forces on the map; write all" in str(error)
    [error] = take(alone, f"{ADDRESS}:\nlancers: hold").errors
    assert 'unknown red force "lancers"; write vanguard' in str(error)


@pytest.mark.parametrize(
    "rest", ["all", "All others", "the rest", "rest", "the others", "everyone else", "my other forces"]
)
@pytest.mark.parametrize("sign", [":", " -", ""])
def test_an_order_for_the_rest_counts_wherever_it_stands(campaign: Campaign, rest: str, sign: str) -> None:
    for lines in (
        [f"{rest}{sign} hold", "vanguard: march to ford"],
        ["vanguard: to ford", f"{rest}{sign} hold"],
    ):
        taken = take(campaign, "\n".join([f"{ADDRESS}:", *lines]))
        assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, []), lines
    alone = take(campaign, f"Hello\nvanguard: to ford\n{rest}{sign} hold\nAll goes well", "red")
    assert bool(alone.errors) == (sign == "")
    assert orders(alone) == {"vanguard": "march to ford"} | ({"militia": "hold"} if sign else {})


def test_a_quoted_order_does_not_replace_a_new_order_for_all(campaign: Campaign) -> None:
    taken = take(campaign, f"{ADDRESS}:\nall: hold\n\nAnn wrote:\n> {ADDRESS}:\n> vanguard: to ford")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold", "militia": "hold"}, [])
    errors = take(campaign, f"{ADDRESS}:\nall: hold\nall: march to ford").errors
    assert "vanguard has another order in line 2; leave one of them" in str(errors[0])


@pytest.mark.parametrize("line", ["back home to Ford!", "Ford", "escape to the ford", "hold your horses"])
def test_a_line_below_the_name_of_a_force_is_taken_or_reported(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"vanguard:\nhold\nmilitia:\n{line}", "red")
    assert len(orders(taken)) + len(taken.errors) == 2
    assert [getattr(error, "line", 0) for error in taken.errors] == [4] * len(taken.errors)


def test_text_below_the_name_of_a_force_is_quoted(campaign: Campaign) -> None:
    taken = take(campaign, "vanguard:\n\n- hold\nmilitia:\nditto", "red")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])
    assert taken.notes == ['line 5: ignored: "ditto"']
    taken = take(campaign, "red@1:\nvanguard:\nmilitia hold\n\nSee you at the ford")
    assert (orders(taken), taken.errors) == ({"militia": "hold"}, [])


def test_different_orders_for_one_force_are_refused(campaign: Campaign) -> None:
    messages = [("one.txt", "vanguard: hold"), ("two.txt", "vanguard: march to ford\nmilitia: hold")]
    taken = take_messages(campaign, messages)
    assert orders(taken) == {"militia": "hold"}
    assert "another order in one.txt, line 1" in str(taken.errors[0])
    taken = take(campaign, f"{ADDRESS}:\nvanguard: hold\nvanguard: march to ford\nmilitia: hold")
    assert orders(taken) == {"militia": "hold"}
    assert "vanguard has another order in line 2" in str(taken.errors[0])


def test_orders_for_another_turn_or_campaign_are_refused(campaign: Campaign) -> None:
    for address, error in (
        ("the-vale/red@2", "these are orders for turn 2; the address for this turn is red@1"),
        ("the-dale/red@1", 'the address is for "the-dale"; addresses of this campaign begin with the-vale'),
        ("the-vale/rad@1", 'faction "rad" is not in this campaign; did you mean "red"?'),
    ):
        taken = take(campaign, f"{address}:\nvanguard: hold")
        assert not taken.values
        assert error in str(taken.errors[0])


@pytest.mark.parametrize("faction", ["", "red"])
@pytest.mark.parametrize("above", ["", f"{ADDRESS}:\n\n"])
@pytest.mark.parametrize("old", ["the-vale/red@7", "the-vale/blue@7", "Orders for red@7"])
def test_orders_below_a_quoted_old_address_count(
    campaign: Campaign, faction: str, above: str, old: str
) -> None:
    mail = f"{above}> {old}:\n> vanguard: march to ford\nDear umpire, for turn 1:\nvanguard: hold\n"
    taken = take(campaign, mail, faction)
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])
    alone = take(campaign, f"Dear umpire, as before\n> {old}:\n> vanguard: march to ford\n", faction)
    assert not alone.values and alone.errors
    wrong = take(campaign, "red@7:\n> see below\nvanguard: hold")
    assert not wrong.values and "these are orders for turn 7" in str(wrong.errors[0])


def test_a_later_order_replaces_an_earlier_one(campaign: Campaign) -> None:
    once = after(campaign, "vanguard: hold")
    assert after(once, "vanguard: march to ford").orders == {"vanguard": "march to ford"}
    with pytest.raises(InvalidInput, match="contains no new order; its orders are recorded already"):
        orders_operation(once, take(once, "vanguard: hold"))
    with pytest.raises(InvalidInput, match="contains no new order; write FORCE: ORDER"):
        orders_operation(once, take(once, "Hello"))


def test_a_way_through_a_place_does_not_pass_the_goal(campaign: Campaign) -> None:
    """From the mill, the shortest way to the fort leads over the bridge."""
    assert orders(take(campaign, "vanguard: go to bridge via fort")) == {
        "vanguard": "mill -> ford -> fort -> bridge"
    }
    [error] = take(campaign, "vanguard: go to ford via wood").errors
    assert (
        'the way to Wood leads through Ford; write "march to ford", or the whole path with arrows'
    ) in str(error)


def test_a_greeting_before_the_name_of_a_force_is_ignored(campaign: Campaign) -> None:
    for greeting in ("Sorry!! ", "Hello. Well, ", "Dear umpire, the "):
        taken = take(campaign, f"{greeting}Red vanguard: march to ford")
        assert (orders(taken), taken.errors) == ({"vanguard": "march to ford"}, [])


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


def test_a_seal_holds_the_faction_to_its_orders(campaign: Campaign) -> None:
    sealed = after(campaign, SEALED)
    assert "has sealed orders" in str(take(sealed, "vanguard: hold").errors[0])
    with pytest.raises(InvalidInput, match="has sealed orders"):
        orders_operation(sealed, by_hand(sealed, "vanguard"))
    waiting = after(after(sealed, "garrison: hold"), "archers: hold")
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


def test_a_long_text_has_only_so_many_ways_to_be_an_order_and_a_remark() -> None:
    """The remark of each way is read, so that a mail of 60 kB took most of a minute."""
    ways = [*split_remark("hold" + ", tired" * 20_000)]
    assert 0 < len(ways) <= ORDER_LENGTH
