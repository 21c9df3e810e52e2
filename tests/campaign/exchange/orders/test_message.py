"""Messages with orders are read as players write them, and nothing in them is lost."""

from __future__ import annotations

import textwrap
from itertools import chain, pairwise, product

import pytest

from cardbattle.battles.messages.answer_text import YOUR_LINES
from cardbattle.campaign.exchange.mails import take_messages
from cardbattle.campaign.exchange.message_error import player_text
from cardbattle.campaign.exchange.order_book import orders_operation
from cardbattle.campaign.exchange.orders.addresses import UNDO_MOVEMENT
from cardbattle.campaign.exchange.orders.words import is_release
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.core.errors import InvalidInput
from cardbattle.show.battle_text import LONGEST_POST, post_length
from cardbattle.show.pages.campaign.messages.orders import request_to
from tests.campaign.phases.movement.test_procedure import vale
from tests.support.vale import ADDRESS, after, named_vale, orders, take


def test_greetings_signatures_and_quoted_orders_are_ignored(campaign: Campaign) -> None:
    quoted = f"> {ADDRESS}:\n> vanguard: march to ford\n"
    text = f"Dear umpire: all well here.\n\n{ADDRESS}:\nvanguard: hold\nSee you\nAnn\n\n{quoted}"
    taken = take(campaign, text)
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])


@pytest.mark.parametrize(
    "wrong",
    [
        "militia: march to rome",
        "red mil: behind vanguard",
        "militia nears the ford",
        "militia and guard: hold",
        "militia: same as guard",
    ],
)
def test_the_rest_are_the_forces_without_a_rejected_line(campaign: Campaign, wrong: str) -> None:
    for text in (f"{wrong}\nthe rest: hold", f"the rest: hold\n{wrong}"):
        taken = take(campaign, f"red@1:\n{text}")
        assert orders(taken) == {"vanguard": "hold"} and len(taken.refused["red"]) == 1


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("fall back to the ford", "march to ford"),
        ("shall both march to the ford", "march to ford"),
        ("march all to Kahlfall Hof", "march to kahlfall"),
        ("all to All Saints", "march to saints"),
        ("All Saints, avoid battle", "march to saints, avoid battle"),
        ("All Saints via Kahlfall Hof", "mill -> kahlfall -> saints"),
    ],
)
def test_all_is_left_out_only_as_a_word_before_the_order_of_several_forces(line: str, order: str) -> None:
    places = {"mill": {}, "ford": {}, "kahlfall": {"name": "Kahlfall Hof"}, "saints": {"name": "All Saints"}}
    roads = [{"between": ["mill", "ford"]}, {"between": ["mill", "kahlfall"]}]
    roads.append({"between": ["kahlfall", "saints"]})
    forces = {
        key: {"faction": "red", "strength": 9, "location": "mill"} for key in ("vanguard", "militia", "levy")
    }
    taken = take(
        vale({}, forces=forces, locations=places, road=roads), f"red@1:\nvanguard and militia: {line}"
    )
    assert (orders(taken), taken.errors) == ({"vanguard": order, "militia": order}, [])


def test_the_named_characters_of_html_are_read() -> None:
    """A semicolon ends such a name, and separates orders."""
    forces = {"jaeger": {"faction": "red", "name": "Grüne Jäger", "strength": 9, "location": "mill"}}
    html = (
        "<p>Gr&uuml;ne J&auml;ger &ndash; march to the ford,&nbsp;avoid battle</p><p>K&ouml;nig &horse;</p>"
    )
    taken = take(vale({}, forces=forces), html, "red")
    assert (orders(taken), taken.errors) == ({"jaeger": "march to ford, avoid battle"}, [])


def test_a_line_with_a_colon_that_is_not_read_is_quoted(campaign: Campaign) -> None:
    taken = take(campaign, "vanguard: hold\nJagers: fly to Rouen\nMy orders:\nhttps://example.org")
    assert (orders(taken), taken.notes) == ({"vanguard": "hold"}, ['line 2: ignored: "Jagers: fly to Rouen"'])


REPLIES = [
    "",
    "-----Original Message-----\n",
    "On Fri, 27 Nov 2026 at 22:40, the umpire wrote:\n",
    "Von: Umpire\nGesendet: Freitag\nBetreff: Orders\n",
]


def request(campaign: Campaign) -> str:
    """Return the program's request for the orders of red."""
    visible = visible_to(campaign, EMPTY_LEDGER, "red")
    own = [key for key, force in campaign.forces.items() if force.faction == "red" and not force.destroyed]
    steps = dict.fromkeys(own, 2)
    [message] = request_to(visible, "red", ADDRESS, steps)
    return "\n".join(message.lines)


def test_a_request_has_what_a_player_needs_to_decide(campaign: Campaign) -> None:
    """A campaign without these settings has none of the lines."""
    plain, rules = request(campaign), 'Rules of this war: a strength of "about 5" is '
    assert f"- yours: Mill\n- held by Blue: Bridge, Fort\n- free: Ford, Wood\n\n{rules}" in plain
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
            income={"per_value": 3, "to": "purse"},
            scoring={"per_value": 2},
            last_turn=4,
            factions={"red": {"purse": 5}, "blue": {"purse": 7}, "green": {}},
        )
    )
    assert "- Red vanguard: strength 9, at Mill, 2 steps, led by Ann Day\n" in rich
    assert "- Red militia: strength 9, at Ford, 2 steps, out of supply\n" in rich
    assert "Places, with their values:\n- yours: Mill 2 (supply)\n" in rich
    assert (
        "\n\nAt most 3 friendly forces in a place. Supply reaches 1 step from your supply places, not past "
        "enemies; a force without supply loses 1/4 in a turn, at least 1. Your purse: 5; at the end of a "
        "turn, your places bring 6, 3 for each point of value. At the end of turn 4, places bring 2 points "
        f"for each point of value.\n\n{rules}" in rich
    )


def test_a_request_names_the_ranks_of_own_commanders_if_one_is_not_regular(campaign: Campaign) -> None:
    forces = {key: dict(force) for key, force in campaign.data["forces"].items()}  # type: ignore[attr-defined]
    forces["guard"]["commander"] = "elite"
    assert "regular" not in request(vale({}, forces=forces))
    forces["vanguard"] |= {"leader": "Ann Day", "commander": "veteran"}
    text = request(vale({}, forces=forces))
    assert "- Red vanguard: strength 9, at Mill, 2 steps, led by Ann Day (veteran)\n" in text
    assert "- Red militia: strength 9, at Mill, 2 steps, commander regular\n" in text
    assert "elite" not in text


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (
            "",
            "drawn when the turn runs; it can be rain (-1 step), storm (-2 steps, no recovery) or fog",
        ),
        ("fair", "fair\n"),
        ("storm", "storm (-2 steps, no recovery)\n"),
        ("fog", "fog (changes battles)\n"),
    ],
)
def test_the_weather_is_shown_with_all_its_effects(now: str, words: str) -> None:
    table = [
        {"p": 1, "name": "fair"},
        {"p": 1, "name": "rain", "movement": -1},
        {"p": 1, "name": "storm", "movement": -2, "recovery": "0"},
        {"p": 1, "name": "fog", "battle": {"field-of-honour": {"attacker": {"hand": -1}}}},
    ]
    weather = {"table": table} | ({"now": now} if now else {})
    text = request(vale({}, weather=weather, recovery={"rate": "1/10"}))
    assert f"Weather: {words}" in text
    assert ("with fog, each attacker has hand -1" in text) is (now in ("", "fog"))
    assert "no recovery" not in request(vale({}, weather=weather))  # without [recovery], it changes nothing


@pytest.mark.parametrize("is_exchanged", [False, True])
def test_a_request_lists_prisoners_and_what_their_captor_can_do(
    campaign: Campaign, is_exchanged: bool
) -> None:
    forces = {key: dict(force) for key, force in campaign.data["forces"].items()}  # type: ignore[attr-defined]
    forces["vanguard"] |= {"leader": "Ann Day", "prisoner_of": "blue"}
    forces["guard"] |= {"leader": "Bo Holt", "prisoner_of": "red"}
    forces["garrison"]["prisoner_of"] = "red"
    forces["levy"] = {
        "faction": "red", "strength": 9, "destroyed": True, "leader": "Cy Poe", "prisoner_of": "blue",
    }  # fmt: skip
    held = vale({}, forces=forces, aftermath={"exchange": is_exchanged}, visibility={"commander": "own"})
    text = request(held)
    assert "2 steps, its leader Ann Day is a prisoner of Blue\n" in text
    how = (
        "Prisoners are exchanged one for one after the battles of a turn, without an order. To release one "
        "without an exchange, write to the umpire."
        if is_exchanged
        else "To release or exchange a prisoner, write to the umpire."
    )
    leaders = "Bo Holt (the leader of Blue guard, Blue) and the leader of Blue garrison (Blue)"
    captured = "Your captured leaders: Cy Poe (the leader of Levy, held by Blue)."
    assert f"\n\nYour prisoners: {leaders}.\n{captured}\n{how}\n\n" in text
    assert not any(is_release(line) for width in range(12, 99) for line in textwrap.wrap(how, width))
    for width, mark in product((60, 66, 72, 76, 300), ("> ", "")):
        wrapped = "\n".join(textwrap.fill(line, width) for line in text.splitlines())
        taken = take(held, f"{ADDRESS}:\nvanguard: hold\n\n{mark}{wrapped}")
        assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])


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


def test_a_divided_message_has_the_order_of_the_whole_one() -> None:
    keys = [f"company-{n}-of-the-red-regiment-of-foot" for n in range(10)]
    force = {"faction": "red", "strength": 3, "location": "mill"}
    campaign = vale({}, forces=dict.fromkeys(keys, force))
    visible = visible_to(campaign, EMPTY_LEDGER, "red")
    first, *more, last = request_to(visible, "red", ADDRESS, dict.fromkeys(keys, 2))
    assert last.parts > 1 and last.lines[-10:] == [f"{key}:" for key in keys]
    sent = [line for part in (first, *more, last) for line in part.lines[3:] if line]
    assert first.whole[3] == "Your forces:" and sent == [*filter(None, first.whole[3:])]


@pytest.mark.parametrize("places", range(4, 40))
def test_the_example_orders_of_a_divided_message_are_in_one_part(places: int) -> None:
    names = ["mill", *(f"place-{n}-in-the-vale" for n in range(places))]
    roads = [{"between": [one, other]} for one, other in pairwise(names)]
    forces = {"pikes": {"faction": "red", "strength": 3, "location": "mill"}}
    campaign = vale({}, forces=forces, locations={name: {} for name in names}, road=roads)
    visible = visible_to(campaign, EMPTY_LEDGER, "red")
    parts = request_to(visible, "red", ADDRESS, {"pikes": 2})
    ends = ("- hold", "A force without an order holds, or goes on with its march.")
    holding = [[part.part for part in parts if line in part.lines] for line in ends]
    assert holding[0] == holding[1] and len(holding[0]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("marks", ["", "> ", "    "])
@pytest.mark.parametrize("header", REPLIES)
def test_the_text_of_a_request_is_never_an_order(campaign: Campaign, header: str, marks: str) -> None:
    quoted = textwrap.indent(request(campaign), marks)
    for width in (60, 72, 76, 300):
        wrapped = "\n".join(textwrap.fill(line, width) for line in quoted.splitlines())
        taken = take(campaign, f"The militia may see the ford!\n\n{header}{wrapped}")
        assert not taken.values
        assert [str(error).splitlines()[0] for error in taken.errors] == [
            "mail.txt:1: this line names militia, but is not an order; write militia: ORDER"
        ]


@pytest.mark.parametrize("marks", ["", "> "])
def test_the_example_of_sealed_orders_is_never_an_order(marks: str) -> None:
    """A mail program can wrap it anywhere, and a force can have its words as a name."""
    force = {"faction": "red", "strength": 3, "location": "mill"}
    campaign = vale({}, forces={"lines": force | {"name": "Your Lines"}, "seal": force})
    [line] = [line for line in request(campaign).splitlines() if YOUR_LINES in line]
    assert line.endswith(f': cardbattle orders seal "{ADDRESS}: YOUR LINES"')
    for width in range(20, len(line) + 1):
        wrapped = textwrap.indent(textwrap.fill(line, width), marks)
        taken = take(campaign, f"{ADDRESS}:\nseal: hold\n\n{wrapped}\n")
        assert (orders(taken), taken.errors) == ({"seal": "hold"}, [])


@pytest.mark.parametrize("header", REPLIES)
def test_a_player_can_complete_the_quoted_request(campaign: Campaign, header: str) -> None:
    answered = request(campaign).replace("\nvanguard:", "\nvanguard: hold")
    taken = take(campaign, f"For the ford!\n\n{header}{answered}")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])
    taken = take(campaign, f"{ADDRESS}:\nvanguard: march to ford\n\n{header or REPLIES[1]}{answered}")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford"}, [])


EXCEPT = ["All hold except vanguard, who marches to ford", "All: hold, except vanguard: march to ford",
          "The others hold but the vanguard goes to the ford", "All hold, only vanguard to ford"]  # fmt: skip


@pytest.mark.parametrize("line", EXCEPT)
@pytest.mark.parametrize("mail", ["red@1:\n{}", "{}\n\n> red@1:\n> vanguard:\n> militia:"])
def test_an_order_for_all_forces_except_one_orders_each_force(
    campaign: Campaign, mail: str, line: str
) -> None:
    taken = take(campaign, mail.format(line))
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])


@pytest.mark.parametrize("line", ["All hold except the vanguard.", "Everyone but vanguard: hold"])
def test_a_force_that_an_order_for_all_excepts_needs_an_order(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"red@1:\n{line}\nvanguard: march to ford")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])
    taken = take(campaign, f"red@1:\n{line}")
    assert not orders(taken)
    assert "the order of vanguard is missing; write vanguard: ORDER too" in taken.errors[0].text
    taken = take(campaign, f"red@1:\n{line}\nvanguard: fly")
    assert orders(taken) == {"militia": "hold"} and len(taken.errors) == 1


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
        ("red@1: KH; QH", "1: turn 1 has been played; the address for this turn is red@3; enter an "
         "answer to a battle with: {}"),
        ("red@1:\nHello\n\nall: hold", "1: turn 1 has been played; the address for this turn is red@3"),
        ("blue@1:\nelse regular", "1: turn 1 has been played; the address for this turn is blue@3"),
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
        "Redmilitia quickly to the frod, march!",
        "The miltia go to ford",
        "Milita would attack, I think",
        "Let the redmilitia see the ford",
    ],
)
@pytest.mark.parametrize("break_", ["", "\n"])
def test_a_line_that_may_be_an_order_is_never_lost(campaign: Campaign, line: str, break_: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\nvanguard: hold\n{break_}{line}")
    assert orders(taken) == {"vanguard": "hold"}
    assert [str(error).split(": ")[1][:23] for error in taken.errors] == ["this line names militia"]
    taken = take(campaign, f"{ADDRESS}:\nall: hold\n\n{line}")
    assert orders(taken) == {"vanguard": "hold"} and "can be a correction" in str(taken.errors)


@pytest.mark.parametrize("address", ["", "red@1:\n"])
@pytest.mark.parametrize(
    "line",
    [
        "Militia may go home.\nRed vanguard: hold",
        "My militia can rest.\nRed vanguard: hold",
        "The militia go to the sea, please. Red vanguard: hold",
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
        ("red@1\nmlitia - hold\nvanguard - hold", {"vanguard": "hold"}, ['of Red: "mlitia"; did you']),
        ("red@1:\nlancers - march to ford", {}, ['unknown force of Red: "lancers"; ']),
        ("> red@1:\n> vanguard:\nmarch to ford\n> militia:\nhold i guess\nBye", {"vanguard": "march to ford"},
         ['militia: cannot read "']),
        ("red@1:\nvanguard:\nhold\n\nmilitia:\nAnn", {"vanguard": "hold"}, []),
        ("From: Ann\nDate: Tue, 1 Dec\n\nvanguard: hold\nmilitia march to ford\nAnn\nred@1",
         {"vanguard": "hold", "militia": "march to ford"}, []),
        ("From: Ann\nDate: Tue, 1 Dec\n\nThe miltia march to ford\nAnn\nred@1:", {},
         ["this line names militia,"]),
        ("red@1:\nvanguard: hold\n\nguard: march to ford\nPS: hold your horses", {"vanguard": "hold"},
         ['unknown force of Red: "guard"']),
        ("> ford/militia:\nvanguard: hold", {"vanguard": "hold"}, []),
        ("red@1:\nvanguard: hold\nThe old militia stay at the mill: ok", {"vanguard": "hold"},
         ["this line names militia,"]),
        ("Sorry, one more! red@1: vanguard: hold", {"vanguard": "hold"}, []),
        ("red@1:\nvanguard: hold\nMilitia stay at the mill :)", {"vanguard": "hold", "militia": "hold"}, []),
        ("red@1:\nvanguard: hold\neveryone else holds ok", {"vanguard": "hold"}, ['write "hold"']),
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
    """A valid order beside it makes no difference, and an order such as `same` makes none either."""
    for line in ("lancers: hold", "lancers: march to ford", "red vangd: to ford", "Van Red.: same"):
        taken = take(campaign, f"Dear umpire: hello\n{line}\nmilitia: hold\nPS: hold\nNo: hold", faction)
        assert orders(taken) == {"militia": "hold"}
        assert [getattr(error, "line", 0) for error in taken.errors] == [2], line


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
        ("The almoner's boats may march with the sisters", "boats"),
        ("vangard: is to hold", "vanguard"),
        ("Hold the mill, sistrs", "sisters"),
        ("Old chap, the eel spears hold the mill", "spears"),
    ):
        [error] = take(several, f"{ADDRESS}:\n\n{line}").errors
        assert f"names {named}" in str(error) or f'did you mean "{named}"' in str(error)


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


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("vanguard marhc to the ford", "vanguard: march to the ford"),
        ("Red vanguard mvoe to ford, avoid battle", "Red vanguard: move to ford, avoid battle"),
        ("marhc to the ford", "FORCE: march to the ford"),
    ],
)
def test_a_line_without_a_colon_and_with_a_misspelt_verb_is_reported_with_the_right_one(
    campaign: Campaign, line: str, meant: str
) -> None:
    taken = take(campaign, f"{ADDRESS}:\n{line}\nmilitia: hold")
    assert orders(taken) == {"militia": "hold"}
    expected = f'mail.txt:2: cannot read "{line}"; did you mean "{meant}"?'
    assert [str(found).splitlines()[0] for found in taken.errors] == [expected]


def test_a_misspelt_verb_behind_a_force_is_corrected_without_an_address(campaign: Campaign) -> None:
    [error] = take(campaign, "vanguard marhc to the ford").errors
    assert 'is not an order; did you mean "vanguard: march to the ford"?' in str(error)


@pytest.mark.parametrize("line", ["Best", "Joan", "Mike Hodl", "Hope to see you at the ford"])
def test_a_signature_is_not_a_misspelt_verb(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\nmilitia: hold\n{line}")
    assert (orders(taken), taken.errors) == ({"militia": "hold"}, [])


def test_no_order_between_semicolons_is_lost(campaign: Campaign) -> None:
    taken = take(campaign, "red@1: vanguard march to ford; militia: hold")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])
    taken = take(campaign, "red@1: vanguard: hold; militia nears the ford")
    assert orders(taken) == {"vanguard": "hold"} and "militia nears the ford" in str(taken.errors[0])


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
    assert "this faction has 1 force on the map; name them, such as vanguard: ORDER" in str(error)
    [error] = take(alone, f"{ADDRESS}:\nlancers: hold").errors
    assert 'unknown force of Red: "lancers"; write vanguard' in str(error)


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
    assert (orders(alone), alone.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])


@pytest.mark.parametrize(
    "line", ["all of my lot go and kick Blue out of the Bridge!", "All of you, march to the bridge somehow"]
)
@pytest.mark.parametrize("mail", ["{}\n{}\n\n> red@1:\n> vanguard:", "red@1:\n{}\n{}"])
def test_a_line_about_all_is_a_remark_if_each_force_has_an_order(
    campaign: Campaign, mail: str, line: str
) -> None:
    taken = take(campaign, mail.format(line, "vanguard: hold\nmilitia: march to ford"))
    assert (orders(taken), taken.errors) == ({"vanguard": "hold", "militia": "march to ford"}, [])
    assert [note for note in taken.notes if f'ignored: "{line}"' in note]
    one = take(campaign, mail.format(line, "vanguard: hold"))
    assert orders(one) == {"vanguard": "hold"} and len(one.refused["red"]) == 1
    late = take_messages(campaign, [("mail.txt", f"red@1:\n{line}")], has_moved=True)
    assert len(late.errors) == 1 and not late.values


def test_a_clear_order_needs_no_colon_if_the_sender_is_given(campaign: Campaign) -> None:
    taken = take(campaign, "Hello,\nred vanguard hold\nmilitia march to ford\nAnn", "red")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold", "militia": "march to ford"}, [])
    taken = take(campaign, "vanguard hold on, I must think\nmilitia march to rome", "red")
    assert not orders(taken) and len(taken.errors) == 2
    assert len(take(campaign, "red vanguard hold").errors) == 1


PLACES_OF_AN_ANSWER = [
    ("red@1:\n{}", ""),
    ("red@1:\n\n{}", ""),
    ("{}", "red"),
    ("{}\n\n> red@1:\n> vanguard:\n> militia:", ""),
    ("{}\n\n> red@1:\n> vanguard:\n> militia:", "red"),
    ("> red@1:\n> vanguard:\n> militia:\n\n{}", ""),
    ("> red@1:\n> vanguard:\n> militia:\n\n{}", "red"),
    ("> red@1:\n{}\n> vanguard:\n> militia:", ""),
]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("vanguard hold", "hold"),
        ("Red vanguard holds.", "hold"),
        ("The vanguard marches to the ford", "march to ford"),
        ("Vanguard to the ford, please", "march to ford"),
        ("Vanguard will stay here, I think", ""),
        ("Vanguard march to rome", ""),
        ("Redvan hold", ""),
    ],
)
@pytest.mark.parametrize(("mail", "faction"), PLACES_OF_AN_ANSWER)
def test_a_short_name_without_a_colon_counts_in_every_place_of_an_answer(
    campaign: Campaign, mail: str, faction: str, line: str, order: str
) -> None:
    """It is read if the sender is known and the whole line is the order, and reported otherwise."""
    taken = take(campaign, mail.format(line), faction)
    assert orders(taken) == ({"vanguard": order} if order else {}) or "I think" in line
    assert bool(taken.errors) != bool(orders(taken))


@pytest.mark.parametrize("mail", ["{}\n", "{}\n\n> red@1:\n> blue@1:\n", "{}\n\nred@1:\nHello."])
def test_an_order_without_a_colon_is_reported_if_its_sender_is_not_known(
    campaign: Campaign, mail: str
) -> None:
    taken = take(campaign, mail.format("Red vanguard hold"))
    assert not taken.values and "write a colon after the force: Red vanguard: hold" in str(taken.errors[0])


@pytest.mark.parametrize("line", ["back home to Ford!", "Ford", "escape to the ford", "hold your horses"])
def test_a_line_below_the_name_of_a_force_is_taken_or_reported(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"vanguard:\nhold\nmilitia:\n{line}", "red")
    assert len(orders(taken)) + len(taken.errors) == 2
    assert [getattr(error, "line", 0) for error in taken.errors] == [4] * len(taken.errors)


def test_text_below_the_name_of_a_force_is_quoted(campaign: Campaign) -> None:
    taken = take(campaign, "vanguard:\n\n- hold\nmilitia:\nas you like", "red")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])
    assert taken.notes == ['line 5: ignored: "as you like"']
    taken = take(campaign, "red@1:\nvanguard:\nmilitia hold\n\nSee you at the ford")
    assert (orders(taken), taken.errors) == ({"militia": "hold"}, [])


@pytest.mark.parametrize(
    "words",
    ["all: hold", "Everyone: hold", "all hold", "Everyone holds!", "vanguard: march to ford\nothers: hold"],
)
def test_an_order_for_all_is_read_above_the_only_quoted_address(campaign: Campaign, words: str) -> None:
    below = take(campaign, f"{ADDRESS}:\n{words}")
    above = take(campaign, f"Hello,\n{words}\nAnn\n\n> {ADDRESS}:\n> vanguard:\n")
    assert orders(above) == orders(below) and len(orders(below)) == 2 and not above.errors
    blue = f"> {ADDRESS.replace('red', 'blue')}:\n"
    alone = words.replace("vanguard: march to ford\n", "")
    for unclear in (f"{words}\n> {ADDRESS}:\n{blue}", f"{words}\n\n{ADDRESS}:\nHello.", alone):
        errors = take(campaign, unclear).errors
        assert [error for error in errors if "write the faction's address above its orders" in str(error)]


FOR_ALL = {
    "All fall back to the ford.": ["march to ford", "march to ford"],
    "Everyone holds": ["hold", "hold"],
    "all hold except the vanguard, who march to the ford!": ["march to ford", "hold"],
    "all except the vanguard hold, and the vanguard marches to the ford": ["march to ford", "hold"],
}


@pytest.mark.parametrize(
    "remark", ["Sorry for the delay. ", "Sorry, ", "Hello Ann - ", "How are you? ", "Hi!\n\n"]
)
@pytest.mark.parametrize(
    "mail",
    [
        "{}\n\n> red@1:\n> vanguard: hold\n> militia:",
        "{}\n\nred@1:\nvanguard:\nmilitia:\n",
        "{}\nAnn\nred@1:",
        "red@1:\n{}",
        "{}\n-----Original Message-----\nFrom: Umpire\nSent: Monday\n\nred@1:\nvanguard:\nmilitia:",
    ],
)
def test_an_order_for_all_is_read_behind_a_remark(campaign: Campaign, mail: str, remark: str) -> None:
    for line, given in FOR_ALL.items():
        taken = take(campaign, mail.format(f"{remark}{line}"))
        assert [orders(taken).get(force) for force in ("vanguard", "militia")] == given, line
        assert len(taken.errors) == remark.count("?")


@pytest.mark.parametrize(
    "line", ["If the ford is free, all hold", "Unless you say so. All hold", "Next turn, all march to ford"]
)
def test_a_condition_before_an_order_for_all_is_no_remark(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"{line}\n\n> red@1:\n> vanguard:\n> militia:")
    assert not orders(taken) and taken.errors


def test_a_line_that_lets_all_forces_hold_replaces_the_quoted_orders(campaign: Campaign) -> None:
    taken = take(campaign, "So we all hold this turn.\n\n> red@1:\n> vanguard: march to ford")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold", "militia": "hold"}, [])


def test_a_force_behind_a_remark_gets_its_order(campaign: Campaign) -> None:
    taken = take(campaign, "Sorry for the delay. The vanguard holds.\n\n> red@1:\n> vanguard:\n> militia:")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])


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


@pytest.mark.parametrize("faction", ["", "red"])
@pytest.mark.parametrize(("turn", "has_moved"), [(1, True), (2, False)])
@pytest.mark.parametrize(
    "mail",
    [
        f"vanguard: march to ford\nthe rest: hold\n\n> {ADDRESS}:\n> vanguard:\n> militia:\n",
        f"vanguard: march to ford\nmilitia: hold\n\nThe umpire wrote:\n{ADDRESS}:\nvanguard:\n",
        f"> {ADDRESS}:\n> vanguard:\n\nvanguard: march to ford\nmilitia: hold\n",
        f"vanguard: march to ford\nmilitia: hold\n\n{ADDRESS}:\nvanguard:\nmilitia:\n",
    ],
)
def test_a_reply_to_a_message_of_a_past_turn_is_never_an_order_of_the_next_turn(
    campaign: Campaign, mail: str, turn: int, has_moved: bool, faction: str
) -> None:
    later = campaign.after([Change(("turn",), 1, turn)])
    taken = take_messages(later, [("mail.txt", mail)], faction, has_moved=has_moved)
    [error] = taken.refused["red"]
    why = "the forces of turn 1 have moved; for orders of turn 2, write red@2"
    why = why if has_moved else "turn 1 has been played; the address for this turn is red@2"
    assert player_text(error).endswith(why)
    assert str(error).endswith(f"{why}; to let it count in turn 1, write first: {UNDO_MOVEMENT}")
    assert not taken.values and taken.errors == [error]


def test_orders_above_a_quoted_address_of_the_next_turn_count_for_it(campaign: Campaign) -> None:
    mail = f"vanguard: march to ford\n\n> the-vale/red@2:\n> militia:\n>> {ADDRESS}:\n>> vanguard:\n"
    taken = take_messages(campaign, [("mail.txt", mail)], has_moved=True)
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford"}, [])


def test_a_later_order_replaces_an_earlier_one(campaign: Campaign) -> None:
    once = after(campaign, "vanguard: hold")
    assert after(once, "vanguard: march to ford").orders == {"vanguard": "march to ford"}
    with pytest.raises(InvalidInput, match="contains no new order; its orders are recorded already"):
        orders_operation(once, take(once, "vanguard: hold"))
    with pytest.raises(InvalidInput, match="contains no new order; write FORCE: ORDER"):
        orders_operation(once, take(once, "Hello"))


def test_a_greeting_before_the_name_of_a_force_is_ignored(campaign: Campaign) -> None:
    for greeting in ("Sorry!! ", "Hello. Well, ", "Dear umpire, the "):
        taken = take(campaign, f"{greeting}Red vanguard: march to ford")
        assert (orders(taken), taken.errors) == ({"vanguard": "march to ford"}, [])


@pytest.mark.parametrize("above", ["", f"{ADDRESS}:\n"])
@pytest.mark.parametrize(
    "line",
    [
        "vanguard and militia: march to ford",
        "Red Vanguard & the militia: to ford",
        "both the vanguard and the militia - march to ford",
        "vanguard, militia: to ford, please",
        "vanguard, and militia: to ford",
        "vang + mil: to ford",
        "vang + mil: both to ford",
        "vang and mil: all of them march to ford",
        "vanguard: march to ford\nmilitia: same",
        "vanguard: march to ford\nmilitia: same as the vanguard, please",
        "vanguard: march to ford\nWe hope for the best\nmilitia:\nditto!",
        "militia: to ford\nvanguard - the same as the above",
        "vanguard: to ford; militia: same order too",
        "vanguard: march to ford\nmilitia: as well",
        "vanguard: march to ford\nThe militia too.",
        "The vanguard marches to ford. The militia as well.",
        "red@1:\nvanguard: to ford\nmilitia likewise",
    ],
)
def test_several_forces_can_have_one_order(campaign: Campaign, above: str, line: str) -> None:
    taken = take(campaign, f"{above}{line}", "red")
    ordered = {"vanguard": "march to ford", "militia": "march to ford"}
    assert (orders(taken), taken.errors) == (ordered, [])


def test_the_same_order_can_avoid_battle(campaign: Campaign) -> None:
    for first in ("to ford", "to ford, avoid battle"):
        taken = take(campaign, f"{ADDRESS}:\nvanguard: {first}\nmilitia: same, but avoid battle")
        assert orders(taken)["militia"] == "march to ford, avoid battle"
    assert orders(take(campaign, f"{ADDRESS}:\nvanguard and militia: same")) == {}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("militia: same", "militia: there is no order above it; write the order itself"),
        ("militia: same as the vanguard", "there is no order of vanguard above it; write the order itself"),
        ("vanguard: to rome\nmilitia: same", "militia: the line above it does not count; write"),
        ("vanguard: hold\nvanguard nears the ford\nmilitia: same", "the line above it does not count"),
        ("vanguard: hold\n\nthe vangurd should go to the ford\nmilitia: same", "the line above it does not"),
        (
            "vanguard: hold\nmilitia: same as last turn",
            '"same as last turn" is no order; write the order itself',
        ),
        ("vanguard: join militia\nmilitia: same", 'militia: "militia" is no other force of Red'),
        ("> vanguard: hold\nmilitia: same", "there is no order above it"),
        ("vanguard: hold\nred@1:\nmilitia: same", "there is no order above it"),
    ],
)
def test_the_same_order_is_never_guessed(campaign: Campaign, text: str, error: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\n{text}")
    assert "militia" not in orders(taken)
    assert any(error in str(each) for each in taken.errors)


def test_an_order_for_several_forces_counts_for_all_or_none(campaign: Campaign) -> None:
    taken = take(campaign, f"{ADDRESS}:\nvanguard and guard: hold\nthe rest: to ford")
    assert orders(taken) == {"militia": "march to ford"}
    [error] = taken.errors
    assert 'vanguard and guard: unknown force of Red: "guard"' in str(error)
    taken = take(campaign, f"{ADDRESS}:\nvanguard and militia: join militia")
    assert orders(taken) == {}
    assert 'militia: "militia" is no other force of Red' in str(taken.errors[0])


def test_both_does_not_mean_a_third_force() -> None:
    force = {"faction": "red", "strength": 3, "location": "mill"}
    campaign = vale({}, forces=dict.fromkeys(["bows", "pikes", "guns"], force))
    for line in ("both: hold", "Both at the mill, i.e. bows & pikes -> ford"):
        taken = take(campaign, f"{ADDRESS}:\n{line}")
        assert not orders(taken)
        assert "this faction has 3 forces on the map; name them, such as bows and pikes: ORDER" in str(
            taken.errors[0]
        )


def test_the_rows_of_a_table_and_a_list_are_read(campaign: Campaign) -> None:
    for rows in ("| vanguard | to ford |\n| militia | hold |", "* vanguard -> ford\n* militia - hold"):
        taken = take(campaign, f"{ADDRESS}:\n{rows}")
        ways = ("march to ford", "mill -> ford")
        assert orders(taken)["vanguard"] in ways and orders(taken)["militia"] == "hold"
        assert not taken.errors


@pytest.mark.parametrize("wrong", ["militia: fly", "militia: join the vanguard, and if they come, go home"])
def test_an_order_to_a_past_turn_is_reported_beside_a_line_that_cannot_be_read(
    campaign: Campaign, wrong: str
) -> None:
    later = vale({}, forces=campaign.data["forces"], turn=2)
    taken = take(later, f"> the-vale/red@1:\n> vanguard: march to ford\n\nvanguard: hold\n{wrong}\n\nNed")
    late, unread = (player_text(error) for error in taken.refused["red"])
    assert late == "vanguard: turn 1 has been played; the address for this turn is red@2"
    assert unread.startswith("militia: ") and not orders(taken)


def test_a_request_names_the_terrain_below_the_roads(campaign: Campaign) -> None:
    assert "Terrain" not in request(campaign)
    data = {**campaign.data, "terrain": {"woods": {"field-of-honour": {"defender": {"hand": 1}}}}}
    wooded = read_campaign(data).after([Change(("locations", "wood", "terrain"), None, "woods")])
    effect = "In Field of Honour: with woods, the defender has hand +1."
    assert f"- Wood - Ford: 1\nTerrain: Wood (woods).\n{effect}\n\n" in request(wooded)
    taken = take(wooded, f"vanguard: hold\n\n{request(wooded)}")
    assert orders(taken) == {"vanguard": "hold"} and not taken.errors


@pytest.mark.parametrize("mail", [f"{ADDRESS}:\n{{}}", f"{{}}\n\n> {ADDRESS}:\n> vanguard:\n"])
def test_a_question_behind_an_order_is_not_lost(mail: str) -> None:
    """Neither as a remark, nor as a part of a line that cannot be read."""
    question = "Who commanded the Blue garrison in the last battle of them all?"
    for line in ("vanguard: go to the ford.", "Alas! The vanguard goes to the ford.", "vanguard - to ford!"):
        taken = take(named_vale(), mail.format(f"{line} {question}"))
        assert orders(taken) == {"vanguard": "march to ford"} and not taken.remarks
        [error] = taken.errors
        assert error.text == f'"{question}" is a question, not an order; answer it yourself'
        assert player_text(error) == f'"{question}" is a question; the umpire has read it and will answer'
    [wrong] = take(named_vale(), mail.format(f"The vanguard goes to a fort there. {question}")).errors
    assert "fort there" in player_text(wrong) and f'"{question}" is a question' in wrong.text


def test_a_player_reads_the_whole_line_that_is_refused() -> None:
    line = "Once more unto the breach, dear friends, and may the Red vanguard never look back to the mill"
    [error] = take(named_vale(), f"{line}\n\n> {ADDRESS}:\n").errors
    assert f'"{line}"' in player_text(error)


def test_a_player_reads_the_whole_remark_that_a_mail_program_has_wrapped() -> None:
    wrapped = "vanguard: march to ford, we shall burn all of their precious salt\npans there\n"
    for end, remark in ((wrapped, "salt pans there"), (f"{wrapped}militia: hold", "salt pans there")):
        [order] = take(named_vale(), f"{ADDRESS}:\n{end}").remarks["red"]
        assert order.remark == f"we shall burn all of their precious {remark}"
    lines = wrapped.replace("pans there", "militia: hold")
    [order] = take(named_vale(), f"{ADDRESS}:\n{lines}").remarks["red"]
    assert order.remark.endswith("salt")


BEHIND = "behind the vanguard, please, so that they arrive together"


@pytest.mark.parametrize("wrapped", ["mill -> bridge -> fort ({})", "mill -> bridge ->\n fort ({})"])
@pytest.mark.parametrize("breaks", [" so that\n they", " so\nthat they\narrive"])
def test_a_remark_in_brackets_can_be_wrapped_and_name_a_force(
    campaign: Campaign, wrapped: str, breaks: str
) -> None:
    remark = BEHIND.replace(f" {' '.join(breaks.split())}", breaks)
    taken = take(campaign, f"{ADDRESS}:\nvanguard: hold\nmilitia: {wrapped.format(remark)}\n")
    assert orders(taken) == {"vanguard": "hold", "militia": "mill -> bridge -> fort"} and not taken.errors
    assert taken.notes == [f'militia: mill -> bridge -> fort; ignored: "{BEHIND}"']


@pytest.mark.parametrize(
    "remark", ["vanguard too", "not the vanguard", "vanguard marches", "vanguard to ford"]
)
def test_a_remark_in_brackets_hides_no_order_of_another_force(campaign: Campaign, remark: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\nmilitia: hold ({remark})\n")
    assert not orders(taken) and remark in str(taken.errors[0])


def test_the_order_below_an_open_bracket_is_read(campaign: Campaign) -> None:
    taken = take(campaign, f"{ADDRESS}:\nmilitia: hold (they are tired\nvanguard: hold\n")
    assert len(orders(taken)) == 2 and not taken.errors


@pytest.mark.parametrize(
    ("line", "order"),
    [("hold", "hold"), ("Sorry. March to fort", "march to fort"), ("we held them.", ""), ("fort", "")],
)
@pytest.mark.parametrize("mail", [f"{ADDRESS}:\n{{}}\n", f"{{}}\n\n> {ADDRESS}:\n> vanguard:\n"])
def test_the_only_force_of_a_player_needs_no_name(
    campaign: Campaign, mail: str, line: str, order: str
) -> None:
    alone = campaign.after([Change(("forces", "militia", "destroyed"), None, True)])
    assert orders(take(alone, mail.format(line))) == ({"vanguard": order} if order else {})
    taken = take(campaign, mail.format(line))
    assert not orders(taken)
    assert (line == "hold") == ("all: hold" in str(taken.errors))


@pytest.mark.parametrize("others", ["The others", "the rest"])
def test_the_orders_of_the_other_forces_can_follow_a_heading(campaign: Campaign, others: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\n{others}: vanguard to the bridge, militia holds\n")
    assert orders(taken) == {"vanguard": "march to bridge", "militia": "hold"} and not taken.errors
    for doubtful in ("vanguard to the bridge, militia holds if they come", "not the vanguard, militia holds"):
        taken = take(campaign, f"{ADDRESS}:\n{others}: {doubtful}\n")
        assert not orders(taken) and taken.errors
    taken = take(campaign, f"{ADDRESS}:\nvanguard: hold\n{others}: join vanguard\n")
    assert orders(taken) == {"vanguard": "hold", "militia": "join vanguard"}


def test_an_example_of_the_message_is_no_order_of_the_only_force(campaign: Campaign) -> None:
    alone = campaign.after([Change(("forces", "militia", "destroyed"), None, True)])
    taken = take(alone, f"{ADDRESS}:\n- hold\n- march to fort\n\nvanguard: march to bridge\n")
    assert orders(taken) == {"vanguard": "march to bridge"}


def test_a_line_without_a_force_is_no_order_below_an_order_of_the_only_force(campaign: Campaign) -> None:
    alone = campaign.after([Change(("forces", "militia", "destroyed"), None, True)])
    taken = take(alone, f"{ADDRESS}:\nvanguard: march to fort\nhold\n")
    assert not orders(taken) and "vanguard has another order in line 2" in str(taken.errors[0])


@pytest.mark.parametrize(
    "header",
    [
        "Am 01.12.26 um 09:15 schrieb Umpire:",
        "Am Di., 1. Dez. 2026 um 09:15 Uhr schrieb Umpire <\nump@example.org>:",
        "On Tue, Dec 1, 2026 at 9:15 AM The Umpire of the Ford\n<ump@example.org> wrote:",
        "On Tue, Dec 1, 2026 at 9:15 AM The Umpire of the Ford <ump@example.org>\nwrote:",
        "-----Original Message-----",
    ],
)
@pytest.mark.parametrize("mark", ["> ", ""])
def test_the_header_of_a_quotation_is_not_quoted_to_the_umpire(
    campaign: Campaign, header: str, mark: str
) -> None:
    taken = take(campaign, f"vanguard: hold\n\n{header}\n{mark}{ADDRESS}:\n{mark}vanguard: march to ford\n")
    assert (orders(taken), taken.notes, taken.errors) == ({"vanguard": "hold"}, [], [])


@pytest.mark.parametrize("line", ["On 1 May 2026: the guard to ford", "On the 1st the guard is at ford"])
def test_a_line_above_the_header_of_a_quotation_is_not_lost(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"vanguard: hold\n\n{line}\nAnn wrote:\n> {ADDRESS}:\n")
    assert line in str(taken.notes + taken.errors)


@pytest.mark.parametrize(
    ("lines", "given"),
    [
        ("Vanguard march to\nford", {"vanguard": "march to ford"}),
        ("vanguard: march to the\nford", {"vanguard": "march to ford"}),
        ("Vanguard hold and\nmilitia march to ford", {"vanguard": "hold", "militia": "march to ford"}),
        ("The vanguard stays at the mill and the\nmilitia holds.", {"vanguard": "hold", "militia": "hold"}),
        ("Vanguard go to the ford, avoid\nbattle", {"vanguard": "march to ford, avoid battle"}),
        ("Vanguard do not\nmarch to ford", {}),
        ("Vanguard march to\nford or to the bridge", {}),
    ],
)
@pytest.mark.parametrize("mail", [f"{ADDRESS}:\n{{}}\n", f"{{}}\n\n> {ADDRESS}:\n> vanguard:\n"])
def test_an_exact_order_in_prose_can_be_wrapped(
    campaign: Campaign, mail: str, lines: str, given: dict[str, object]
) -> None:
    taken = take(campaign, mail.format(lines))
    assert orders(taken) == given and bool(taken.errors) == (not given)


@pytest.mark.parametrize("line", ["Hold on!", "hold on...", "*Hold on!!*"])
def test_hold_on_in_a_line_of_its_own_is_no_order_of_the_only_force(line: str) -> None:
    data = named_vale().data
    forces = {key: force for key, force in data["forces"].items() if key != "militia"}  # type: ignore[attr-defined]
    campaign = read_campaign({**data, "forces": forces})
    march = {"vanguard": "march to ford"}
    assert orders(take(campaign, f"red@1:\n{line}\nmarch to ford")) == march
    assert orders(take(campaign, f"red@1:\nmarch to ford\n\n{line}")) == march
    assert take(campaign, f"red@1:\n{line}").is_unread
    for order in ("hold on", "Hold!", "hold", f"vanguard: {line}"):
        assert orders(take(campaign, f"red@1:\n{order}")) == {"vanguard": "hold"}


@pytest.mark.parametrize("width", [62, 66, 72, 76])
def test_a_refusal_that_a_mail_program_has_wrapped_is_no_error(width: int) -> None:
    reason = 'cannot read "avoid battle if there is anybody" behind "march to the mill"; write one order'
    refusal = [
        f"- not taken: Red militia, who are the militia: {reason}",
        '- not taken: "My vanguard shall march to the ford by way of the mill, and then the militia holds" '
        "names vanguard, but is not an order; write vanguard: ORDER",
        "- still counts: vanguard: hold",
    ]
    wrapped = chain.from_iterable(textwrap.wrap(line, width) for line in refusal)
    quoted = "\n".join(f"> {line}" for line in wrapped)
    form = f"> {ADDRESS}:\n> vanguard: march to ford\n> militia: hold"
    taken = take(named_vale(), f"Here it is.\n\n{quoted}\n>\n{form}")
    assert (orders(taken), taken.errors) == ({"vanguard": "march to ford", "militia": "hold"}, [])
    taken = take(named_vale(), f"> - not taken: vanguard\n> militia: hold\n> {form}")
    assert orders(taken)["militia"] == "hold"


def test_a_name_that_a_mail_program_has_wrapped_is_read() -> None:
    taken = take(named_vale(), f"{ADDRESS}: vanguard: hold; Red\nmilitia go to the ford")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold", "militia": "march to ford"}, [])


@pytest.mark.parametrize(
    "words", ["All three to the ford! Drown them!", "all 3: to ford", "all three of us: ford"]
)
def test_all_three_means_the_forces_of_a_faction_that_has_three(words: str) -> None:
    forces = {key: {"faction": "red", "strength": 9, "location": "mill"} for key in ("bows", "pikes", "levy")}
    taken = take(vale({}, forces=forces), f"{ADDRESS}:\n{words}")
    assert (orders(taken), taken.errors) == (dict.fromkeys(forces, "march to ford"), [])
    more = forces | {"scouts": forces["levy"]}
    [error] = take(vale({}, forces=more), f"{ADDRESS}:\n{words}").errors
    assert "this faction has 4 forces on the map; name them" in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "We all hold. It was fun.",
        "Dear Ann, thanks for the report. We hold. Tom",
        "We stay where we are",
        "Then we both hold our ground.",
    ],
)
@pytest.mark.parametrize("mail", ["{}", "{}\n\n> the-vale/red@1:\n> vanguard:\n> militia:"])
def test_a_player_can_hold_with_all_forces_in_the_first_person(
    campaign: Campaign, text: str, mail: str
) -> None:
    taken = take(campaign, mail.format(text), "red")
    assert not taken.errors
    assert list(map(str, orders(taken).values())) == ["hold", "hold"]


@pytest.mark.parametrize("address", ["", f"{ADDRESS}:\n"])
def test_a_remark_can_stand_behind_please(campaign: Campaign, address: str) -> None:
    taken = take(campaign, f"{address}Militia to the ford please, nobody is there.", "red")
    assert (orders(taken), taken.errors) == ({"militia": "march to ford"}, [])
    assert taken.notes == ['militia: march to ford; ignored: "nobody is there"']
    for end in ("unless they come", "then hold", "vanguard too late"):
        assert not orders(take(campaign, f"Militia to the ford please, {end}.", "red"))


@pytest.mark.parametrize(
    "words", ["row to the ford", "sneak to ford please, my friends", "back home to the ford"]
)
def test_both_need_no_colon_before_any_verb_of_a_march(campaign: Campaign, words: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\nBoth {words}")
    assert (orders(taken), taken.errors) == (dict.fromkeys(("vanguard", "militia"), "march to ford"), [])
    assert not orders(take(campaign, f"{ADDRESS}:\nBoth row to Rome"))


@pytest.mark.parametrize("words", ["keep going", "carries on", "continue the march"])
@pytest.mark.parametrize("end", ["", ", avoid battle"])
def test_a_force_on_the_march_can_keep_going(words: str, end: str) -> None:
    forces = {"vanguard": {"faction": "red", "strength": 9, "location": "mill", "march": "march to wood"}}
    taken = take(vale({}, forces=forces), f"{ADDRESS}:\nThe vanguard {words}{end}.")
    assert (orders(taken), taken.errors) == ({"vanguard": f"march to wood{end}"}, [])


@pytest.mark.parametrize("text", ["If Blue comes. We hold.", "Be quick if the fort falls! So we hold"])
def test_a_line_that_is_not_read_is_quoted_in_the_words_of_its_player(campaign: Campaign, text: str) -> None:
    taken = take(campaign, f"red@1:\nvanguard: hold\n{text}")
    assert f'"{text.rstrip(".")}' in str(taken.notes) and "all hold" not in str(taken)


@pytest.mark.parametrize("text", ["We hold our breath.", "We all know the fort is lost", "We hold the fort"])
def test_other_sentences_in_the_first_person_are_no_orders(campaign: Campaign, text: str) -> None:
    assert not orders(take(campaign, f"vanguard: march to bridge\n\n{text}", "red")).keys() - {"vanguard"}
