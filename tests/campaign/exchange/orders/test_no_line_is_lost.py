"""A line that names a force gives it an order, or is reported."""

from __future__ import annotations

import re
from itertools import cycle, product
from time import process_time
from typing import Any

import pytest

from cardbattle.campaign.exchange.mails import take_messages
from cardbattle.campaign.exchange.message_error import player_text
from cardbattle.campaign.exchange.order_book import Taken
from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.exchange.orders.words import CONDITION_BEGINS
from cardbattle.campaign.exchange.typed_orders import given_by_hand
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.core.errors import InvalidInput
from tests.campaign.phases.movement.test_procedure import vale
from tests.support.vale import after, named_vale, orders, take

DROWNED, SAILS = ("the-drowned",), ("black-sails",)
NAMES = {
    **dict.fromkeys(["the-drowned", "The Drowned", "Drowned", "drown", "DRO.", "drowneds"], DROWNED),
    **dict.fromkeys(["Black Sails", "Sails", "black", "Bl. Sails", "blacksails", "sail"], SAILS),
    **dict.fromkeys(["Drowned and Black Sails", "both", "the rest", "sails + dro"], DROWNED + SAILS),
}
SIGNS = [":", " : ", ": - ", " - ", "- ", " -", " \u2013 ", "\u2014", " \u2014 ", " = ", "=", " -> "]
WEAK_SIGNS = [", ", "; ", "... ", " "]
MARCH = "march to mirebridge"
RIGHT = {"hold": "hold", MARCH: MARCH, "to Mirebridge, avoid battle": f"{MARCH}, avoid battle"}
WRONG = [
    "march to mirbridge",
    "off to mirbridge",
    "mirbridge",
    "hodl",
    "mrach to Mirebridge",
    "sail to mirbridge",
]
REMARKS = ["", ", quick!", " - sorry for the delay", " (I think)", ". Tom"]
NOT_AN_ORDER = "this line names the-drowned, but is not an order; write the-drowned: ORDER"
MAILS = [
    ("red@1:\n{}", ""),
    ("red@1:\n\n{}", ""),
    ("red@1: guns: hold; {}", ""),
    ("red@1:\n- {}", ""),
    ("Hello\n- {}\nTom", "red"),
    ("Hello\n{}\nTom", ""),
]


def coast(**more: object) -> Campaign:
    """Return a campaign whose names have several words."""
    return vale(
        {},
        forces={
            key: {"faction": faction, "name": name, "strength": 9, "location": place}
            for key, faction, name, place in (
                ("black-sails", "red", "Black Sails", "gull-rock"),
                ("the-drowned", "red", "The Drowned", "gull-rock"),
                ("watch", "blue", "Harbour Watch", "tar-quay"),
            )
        },
        locations={"gull-rock": {}, "mirebridge": {}, "tar-quay": {}},
        road=[{"between": ["gull-rock", "mirebridge"]}, {"between": ["mirebridge", "tar-quay"]}],
        **more,
    )


def is_taken(given: dict[str, object], forces: tuple[str, ...], order: str) -> bool:
    """Return True if these forces have the order. An arrow gives the same order as a path."""
    paths = {force: str(each).replace("gull-rock -> ", "march to ") for force, each in given.items()}
    return paths == dict.fromkeys(forces, order)


@pytest.mark.slow
@pytest.mark.parametrize("sign", [*SIGNS, *WEAK_SIGNS])
@pytest.mark.parametrize("visibility", ["all", "own"])
def test_a_line_that_names_a_force_is_taken_or_reported(sign: str, visibility: str) -> None:
    """No form of a name, no sign behind it, no misspelling and no remark makes a difference."""
    campaign = coast(visibility={"location": visibility})
    mails, remarks = cycle(MAILS), cycle(REMARKS)
    for name, order in product(NAMES, [*RIGHT, *WRONG]):
        (mail, faction), remark = next(mails), next(remarks)
        taken = take(campaign, mail.format(f"{name}{sign}{order}{remark}"), faction)
        given = orders(taken)
        is_right = order in RIGHT and is_taken(given, NAMES[name], RIGHT[order])
        is_reported = not given and bool(taken.errors) and not taken.is_unread
        assert is_right or is_reported, (mail, name, sign, order, remark, given)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("Drowned - off to mirbridge",
         'Drowned: unknown place "off to mirbridge"; did you mean "mirebridge"'),
        ("Drowned - march to mirbridge", 'Drowned: unknown place "mirbridge"; did you mean "mirebridge"?'),
        ("The Drowned march to mirbridge",
         'The Drowned: unknown place "mirbridge"; did you mean "mirebridge"?'),
        ("Drown = hodl", 'Drown: cannot read "hodl"; did you mean "hold"?'),
        ("Drown, hold!", NOT_AN_ORDER),
        ("dro off to mirbridge", NOT_AN_ORDER),
        ("I see the Drowned in mirbridge", NOT_AN_ORDER),
        ("- drowned: march against mirbridge", 'drowned: unknown place "mirbridge"; did you mean '),
    ],
)  # fmt: skip
def test_the_error_names_what_is_wrong(line: str, error: str) -> None:
    [found] = take(coast(), f"Hello\n\n{line}\n\nCheers, Tom", "red").errors
    assert f"mail.txt:3: {error}" in str(found)


REQUESTS = [
    "Please spend 4 of our purse on the Drowned (+2).",
    "I will hire two more guns for the Drowned",
    "The Drowned need food, please",
    "Dear Ann, buy the Drowned a drink, and march them home!",
]


@pytest.mark.parametrize("request_line", REQUESTS)
@pytest.mark.parametrize(
    "mail",
    [
        "red@1:\n{}\n\nthe-drowned: hold",
        "{}\n\nthe-drowned: hold\n\n> red@1:",
        "{}\nTom\n\n> red@1:\n> the-drowned: hold",
        "red@1:\nall: hold\n\n{}",
    ],
)
def test_a_request_about_a_force_is_reported_beside_its_order(mail: str, request_line: str) -> None:
    taken = take(coast(), mail.format(request_line))
    assert orders(taken)["the-drowned"] == "hold"
    [error] = taken.errors
    assert f'"{request_line}" is a request; the umpire has read it' in player_text(error)
    assert taken.refused == {"red": taken.errors}


@pytest.mark.parametrize("request_line", ["6 coins for the Sails, please.", "What about my 6 coins??"])
@pytest.mark.parametrize(
    "order", ["Ok, Drowned: hold.", "The Drowned should hold.", "drowned - hodl!", "drowned: hold."]
)
def test_an_order_beside_a_request_is_taken_or_reported(order: str, request_line: str) -> None:
    """The request is reported too, whether it stands before the order or behind it."""
    for line in (f"{order} {request_line}", f"{request_line} {order}"):
        for mail in (f"red@1:\n{line}", f"{line}\n\n> red@1:\n> the-drowned:"):
            taken = take(coast(), mail)
            texts = [player_text(error) for error in taken.refused["red"]]
            asked = [text for text in texts if "is a request; the umpire has read it" in text]
            others = [text for text in texts if text not in asked or "; write " in text or "did you" in text]
            assert "the-drowned" in orders(taken) or others, mail
            assert asked or others, mail


@pytest.mark.parametrize(
    "heading",
    [
        "Please take this instead:",
        "please take these orders for the Drowned and the Sails instead:",
        "Sorry! Please use this for the Drowned:",
        "**Please take this for the Drowned instead:**",
    ],
)
@pytest.mark.parametrize("order", ["the-drowned: hold", "the-drowned: fly"])
@pytest.mark.parametrize("mail", ["red@1:\n{}", "{}\n\n> red@1:\n> the-drowned: march to mirebridge"])
def test_a_line_that_introduces_orders_is_not_a_request(mail: str, order: str, heading: str) -> None:
    without = take(coast(), mail.format(f"\n{order}"))
    for line in (heading, f"{heading}\n"):
        taken = take(coast(), mail.format(f"{line}\n{order}"))
        assert orders(taken) == orders(without)
        assert [*map(player_text, taken.errors)] == [*map(player_text, without.errors)]
    alone = take(coast(), mail.format("Please buy these for the Drowned:\nthe-drowned: hold"))
    assert "is a request" in player_text(alone.errors[0])


@pytest.mark.parametrize(
    "line",
    ["Please spend 4 on more men.", "Please disband my weakest force.", "I resign from the campaign.",
     "I would like to offer Blue peace.", "We hereby propose a truce", "Offer Blue peace!", "I quit.",
     "Could we have a day", "I disband the Drowned.", "I'm leaving the campaign", "Let us make peace, Blue!",
     "Proposal to Blue - a truce for 3 turns"],
)  # fmt: skip
def test_a_line_that_asks_the_umpire_for_something_is_a_request(line: str) -> None:
    for mail in ("red@1:\nall: hold\n\n{}", "red@1:\nall: hold\n{}\nTom", "{}\n\nred@1:\nall: hold"):
        taken = take(coast(), mail.format(line))
        assert orders(taken) == {"black-sails": "hold", "the-drowned": "hold"}
        assert [*map(player_text, taken.refused["red"])] == [
            f'"{line}" is a request; the umpire has read it and will decide'
        ]


PEACE = "We propose peace to Blue."
ONE, OTHER = "red@1:\nall: hold\n", "blue@1:\nwatch: hold\n"


@pytest.mark.parametrize(
    ("mail", "readers"),
    [
        (f"{PEACE}\n\n{ONE}\n{OTHER}", ["red"]),
        (f"{ONE}{PEACE}\n\n{OTHER}", ["red"]),
        (f"{OTHER}\n{PEACE}\n\n{ONE}", []),
        (f"{ONE}\n{PEACE}\n\n{OTHER}", []),
        (f"{OTHER}\n{ONE}\n{PEACE}", ["red"]),
    ],
)
def test_a_request_between_the_mails_of_two_factions_is_shown_to_neither(
    mail: str, readers: list[str]
) -> None:
    taken = take(coast(), mail)
    assert len(orders(taken)) == 3 and len(taken.errors) == 1
    assert [side for side, errors in taken.refused.items() if PEACE in player_text(errors[0])] == readers


@pytest.mark.parametrize("line", ["We march to mirebridge instead!", "Sails to mirebridge, sorry."])
def test_a_correction_between_two_mails_is_shown_to_neither_faction(line: str) -> None:
    taken = take(coast(visibility={"location": "own"}), f"{OTHER}\n{line}\n\n{ONE}")
    assert taken.errors and "mirebridge" not in " ".join(map(player_text, taken.refused.get("blue", ())))


def test_a_correction_between_two_mails_refuses_the_order_of_its_force() -> None:
    taken = take(coast(), f"red@1:\nsails: hold\n\nPS: sails should rather go\n\n{OTHER}")
    [error] = taken.errors
    assert 'so "black-sails: hold" does not count' in error.text and [*orders(taken)] == ["watch"]


@pytest.mark.parametrize(
    "line",
    ["Please find my orders above.", "I'd like to thank you.", "I want to win!", "I wish you all well",
     "We will never surrender.", "Let me know if I can help.", "Rest in peace!", "See http://example.org/?page=3"],
)  # fmt: skip
def test_small_talk_is_not_a_request(line: str) -> None:
    taken = take(coast(), f"red@1:\nall: hold\n\n{line}\n\n> Please spend 4.\n\n--\nWe offer tents")
    assert (len(orders(taken)), taken.errors) == (2, [])


@pytest.mark.parametrize(
    "question",
    ["Also, can I call the Drowned back next turn?", "May I move the Sails twice?",
     "Can I see how strong the walls of Mirebridge are? And does my purse\npay interest?",
     "I do not know how it is with the sea. Is there enough water for a ship if\nit rains?"],
)  # fmt: skip
def test_a_question_changes_no_order_even_if_it_is_wrapped(question: str) -> None:
    for mail in ("red@1:\nall: hold\n\n{}", "red@1:\nall: hold\n{}\nTom", "{}\n\nred@1:\nall: hold"):
        taken = take(coast(), mail.format(question))
        assert orders(taken) == {"black-sails": "hold", "the-drowned": "hold"}
        [error] = taken.refused["red"]
        asked = question.replace("\n", " ").removeprefix("I do not know how it is with the sea. ")
        assert player_text(error) == f'"{asked}" is a question; the umpire has read it and will answer'
    taken = take(coast(), "red@1:\nall: hold\n\nCan I move the Sails to Mirebridge?")  # may be an order
    assert orders(taken) == {"the-drowned": "hold"}


LEADER = {"leader": "Bo Holt", "prisoner_of": "red"}
RELEASES = ["We release Captain Holt.", "The Red pays 10 for Holt", "Ransom accepted", "PS: we let Holt go!",
            "Free Captain Holt!", "We swap Holt for our chief.", "Our prisoner Holt may go home",
            "If Blue asks for Holt: they may have him back for 10."]  # fmt: skip


@pytest.mark.parametrize("line", RELEASES)
@pytest.mark.parametrize(
    "mail", ["red@1:\nall: hold\n{}", "red@1:\nall: hold\n\n{}", "{}\n\n> red@1:\n> all: hold"]
)
def test_a_line_about_a_prisoner_is_a_request_to_the_umpire(mail: str, line: str) -> None:
    captured = [Change(("forces", "watch", key), None, value) for key, value in LEADER.items()]
    for campaign in (coast(), coast().after(captured)):
        taken = take(campaign, mail.format(line))
        assert orders(taken) == {"black-sails": "hold", "the-drowned": "hold"}
        [error] = taken.errors
        is_clear = campaign.forces["watch"].prisoner_of and "swap" not in line
        force = "watch" if is_clear else "FORCE"
        assert f"campaign unset forces.{force}.prisoner_of forces.{force}.leader_rank" in error.text
        assert f'"{line}" is a request' in player_text(error) and "watch" not in player_text(error)


@pytest.mark.parametrize(("line", "leader"), [("Captain Holt sings too loud", LEADER), ("York may go", {})])
def test_a_line_with_the_name_of_a_prisoner_is_quoted_if_it_releases_nobody(
    line: str, leader: dict[str, object]
) -> None:
    leader = leader or {"leader": "Ann York", "prisoner_of": "blue"}
    changes = [Change(("forces", "watch", key), None, value) for key, value in leader.items()]
    taken = take(coast().after(changes), f"red@1:\nall: hold\n\n{line}")
    assert taken.notes == [f'line 4: ignored: "{line}"'] and not taken.errors


@pytest.mark.parametrize("order", ["", " if the Watch comes"])
def test_a_line_that_ends_with_to_or_the_continues_below(order: str) -> None:
    """The name of the place begins the name of a force too."""
    name = Change(("forces", "watch", "name"), "Harbour Watch", "Mirebridge Watch")
    campaign = coast().after([Change(("forces", "watch", "faction"), "blue", "red"), name])
    text = f"red@1:\nall stay where they are, only the\nSails go to\nMirebridge{order}\n"
    taken = take(campaign, text)
    others = {"the-drowned": "hold", "watch": "hold"}
    assert orders(taken) == (others if order else {**others, "black-sails": "march to mirebridge"})
    condition = 'cannot read "go to Mirebridge if the Watch comes"; an order cannot have a condition'
    assert [condition in str(error) for error in taken.errors] == [True] * bool(order)


def test_an_ignored_line_is_quoted_with_its_last_bracket() -> None:
    taken = take(coast(), "red@1:\nall: hold\n\nTom (Count of Gull Rock)")
    assert taken.notes == ['line 4: ignored: "Tom (Count of Gull Rock)"']


@pytest.mark.parametrize("line", ["Let the Sails go home.", "Sails return Mirebridge", "PS: let Sails go!"])
@pytest.mark.parametrize("mail", ["red@1:\nall: hold\n{}", "{}\n\nall: hold\n\n> red@1:"])
def test_a_line_that_lets_an_own_force_go_is_asked_for_again(mail: str, line: str) -> None:
    taken = take(coast(), mail.format(line))
    assert orders(taken) == {"the-drowned": "hold"}
    [error] = map(player_text, taken.refused["red"])
    assert "is a request" not in error and line.strip(".!") in error


@pytest.mark.parametrize(
    "line",
    ["We are free on Sunday, feel free to call", "Let's go! We return soon", "We meet at 8 for Dinner",
     "Turn 2 for Red was good", "Have us back at 9", "It was a long 3 days for Tom", "We spend 3 days here"],
)  # fmt: skip
def test_other_text_releases_no_prisoner(line: str) -> None:
    assert not take(coast(), f"red@1:\nall: hold\n\n{line}").errors


QUESTIONS = [
    "My new chief is called Fychan. Can you put him in charge of the Drowned?",
    "Do the Drowned still have food?",
    "One more question: does the rain slow the Drowned as well?",
    "Hi! Can our Drowned see Mirebridge?",
    "Can the Drowned see who stands at Mirebridge?",
    "Who holds Mirebridge, and can the Drowned see them?",
    "Hello Ann, are the drowned out of supply? And who is at Tar Quay?",
]


@pytest.mark.parametrize("line", QUESTIONS)
@pytest.mark.parametrize("own", ["", "drowned: hold\n"])
@pytest.mark.parametrize(
    "mail",
    ["red@1:\nsails: hold\n{}\n{}", "red@1:\nsails: hold\n{}{}", "{1}\n\nsails: hold\n{0}\n\n> red@1:"],
)
def test_a_question_about_a_force_is_reported_and_changes_no_order(mail: str, own: str, line: str) -> None:
    taken = take(coast(), mail.format(own, line))
    assert orders(taken) == {"black-sails": "hold"} | ({"the-drowned": "hold"} if own else {})
    [error] = taken.refused["red"]
    kind = "request" if "Fychan" in line else "question"
    assert f'?" is a {kind}; the umpire has read it' in player_text(error)


@pytest.mark.parametrize(
    "line", ["Where are the sails? The Drowned to Mirebrige!", "Can the Drowned go to Mirebridge?",
             "Why can't the Drowned be at Mirebridge instead?"],
)  # fmt: skip
def test_a_question_that_can_be_an_order_is_no_mere_question(line: str) -> None:
    [error] = take(coast(), f"red@1:\nsails: hold\n\n{line}").refused["red"]
    assert "names the-drowned, but is not an order" in player_text(error)


@pytest.mark.parametrize(
    "line",
    [
        "Do the Drowned still keep Gull Rock if they march out, or can anyone walk in?",
        "If the Drowned march to Tar Quay, do they lose Gull Rock?",
        "Is Gull Rock lost when the Drowned march out?",
        "Will the Drowned lose Gull Rock once they leave?",
        "Do I keep Gull Rock if the Drowned go to Tar Quay?",
    ],
)
def test_a_question_about_what_happens_changes_no_order(line: str) -> None:
    for mail in ("drowned: march to mirebridge\n\n{}", "drowned: march to mirebridge. {}"):
        taken = take(coast(), mail.format(line), "red")
        assert str(orders(taken)["the-drowned"]) == MARCH
        [error] = taken.errors
        assert '?" is a question; the umpire has read it and will answer' in player_text(error)


@pytest.mark.parametrize(
    "line",
    [
        "Or should the Drowned hold Gull Rock?",
        "Will the Drowned march to Tar Quay?",
        "Would it be better if the Drowned went to Tar Quay?",
        "Who keeps Gull Rock, or should the Drowned hold it?",
        "Who keeps Gull Rock? Will the Drowned hold it?",
        "Do the Drowned keep Gull Rock if they hold instead?",
    ],
)
def test_a_question_that_proposes_another_order_makes_the_order_doubtful(line: str) -> None:
    taken = take(coast(), f"drowned: march to mirebridge\n\n{line}", "red")
    assert not orders(taken)
    assert "can be a correction" in str(taken.errors[0])


@pytest.mark.parametrize(
    "text",
    ["drowned: {order}\n\n{line}", "drowned: {order}. {line}", "The Drowned {order}.\n{line}"],
)
@pytest.mark.parametrize("order", ["hold", "march to mirebridge"])
@pytest.mark.parametrize(
    "line",
    [
        "Next turn: Drowned hold.",
        "But next turn they go to Tar Quay.",
        "For next turn: drowned: hold",
        "In turn 2 the Drowned march to Tar Quay.",
    ],
)
def test_a_sentence_about_the_next_turn_changes_nothing_now(text: str, order: str, line: str) -> None:
    taken = take(coast(), text.format(order=order, line=line), "red")
    assert str(orders(taken)["the-drowned"]) == order
    [error] = taken.errors
    assert " is for the next turn and changes nothing now; send it for turn 2" in player_text(error)


@pytest.mark.parametrize("line", ["Please pay the Harbour Watch to leave", "What do the Watch mean?"])
def test_a_request_about_a_force_of_another_faction_is_answered_if_a_form_shows_the_sender(line: str) -> None:
    taken = take(coast(), f"{line}\n\nsails: hold\n\n> red@1:")
    [answer] = taken.refused["red"]
    assert f'"{line}" is a ' in player_text(answer)
    taken = take(coast(), f"{line}\n\nsails: hold")  # the line can be in a mail of its own
    assert not taken.refused


BRINE = {"leader": "Captain Brine", "prisoner_of": "red", "leader_rank": "elite"}
FINN = {"leader": "Old Finn", "prisoner_of": "blue"}
HELD_BY = {"watch": BRINE, "the-drowned": FINN}
UNSET = "campaign unset forces.{0}.prisoner_of forces.{0}.leader_rank"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("We let Captain Brine go free.", UNSET.format("watch")),
        ("We release the leader of the Harbour Men.", f"{UNSET.format('watch')}; and write: cardbattle"),
        ("We release the Harbour Men's commander.", UNSET.format("watch")),
        ("We swap the leader of the Harbour Men for the leader of the Drowned.", "forces.the-drowned.p"),
        ("We release the leader of the Harbour Mice.", UNSET.format("FORCE")),
        ("Our prisoner may go home.", UNSET.format("watch")),
        ("We exchange Brine for Old Finn.", f"{UNSET.format('the-drowned')} forces.watch.prisoner_of"),
        ("We release Old Finn.", "Old Finn is a prisoner of Blue; decide on it yourself"),
        ("We offer to exchange Brine for gold.", UNSET.format("watch")),
        ("We exchange Brine for 6 gold.", "blue.purse-=6 factions.red.purse+=6 --reason TEXT; to release a "
         f"prisoner, write: cardbattle {UNSET.format('watch')}"),
        ("We exchange Brine for their captain and 6 gold.", UNSET.format("FORCE")),
        ("We offer 6 gold for Finn.", "factions.red.purse-=6 factions.blue.purse+=6 --reason TEXT; Old Finn"),
        ("We release nobody, as the Watch did.", ""),
        ("We will not let Brine go free.", ""),
        ("Release one to the Harbour Watch.", UNSET.format("FORCE")),
        ("We release Brine. Please spend 6 on the Sails.", "red.purse-=6 forces.black-sails.strength"),
        ("Please spend 8 on men, 4 of them for the Sails.", "red.purse-=N forces.black-sails.strength+=N"),
        ("Please buy 8 men from our purse.", "red.purse-=N forces.FORCE.strength+=8"),
        ("Please spend 6 on more men", "red.purse-=6 forces.FORCE.strength+=N"),
        ("Please spend 6 on a feast", "red.purse-=6 --reason"),
        ("Please spend 6 on the Drowned and the Sails", "red.purse-=N forces.FORCE.strength+=N"),
        ("Please do not spend 6 on the Sails", ""),
        ("Please give the Sails a new name", ""),
        ("Spend 6 on a feast", "red.purse-=6 --reason"),
        ("Why not spend 6 on the Sails?", "red.purse-=6 forces.black-sails.strength+=N"),
        ("May I buy 4 worth of holy water for the Sails?", "red.purse-=4 forces.black-sails.strength+=N"),
        ("May I buy soldiers for 4 for the Sails?", "red.purse-=4 forces.black-sails.strength+=N"),
        ("We release Brine, without a penny of ransom.", UNSET.format("watch")),
        ("We release Brine without ransom.", UNSET.format("watch")),
        ("And brine may go home for the feast, without an exchange.", UNSET.format("watch")),
        ("Captain Brine is free to go.", UNSET.format("watch")),
        ("I pay 6 from my purse to Blue if they release the Drowned Finn.", "factions.red.purse-=6 "
         "factions.blue.purse+=6 --reason TEXT; Old Finn is a prisoner of Blue; if this faction agrees, to "
         f"release a prisoner, write: cardbattle {UNSET.format('the-drowned')}"),
        ("I pay Blue 6 coins if they let Finn go.", "red.purse-=6 factions.blue.purse+=6 --reason TEXT; Old"),
    ],
)  # fmt: skip
def test_a_command_names_a_force_or_a_prisoner_only_if_they_are_certain(line: str, command: str) -> None:
    campaign = coast(factions={"red": {"name": "Red", "purse": 9}, "blue": {"name": "Blue"}})
    changes = [Change(("forces", force, key), None, value)
               for force, values in HELD_BY.items() for key, value in values.items()]  # fmt: skip
    changes.append(Change(("forces", "watch", "name"), "Harbour Watch", "Harbour Men"))
    for mail in ("red@1:\nall: hold\n\n{}", "{}\n\nall: hold\n\n> red@1:"):
        taken = take(campaign.after(changes), mail.format(line))
        [error] = taken.errors
        assert command in error.text and ("campaign" in error.text) == bool(
            re.search("forces|purse", command)
        )
        kind = "refusal" if "nobody" in line or "will not" in line else "request"
        assert f'"{line}" is a {kind}' in player_text(error) and len(taken.refused["red"]) == 1


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Please give 3 from my purse\nto Blue.", "factions.red.purse-=3 factions.blue.purse+=3"),
        ("I am in a good mood. Please give\n3 from my purse to\nBlue. Yours, Ann", "blue.purse+=3"),
        ("We release Brine, without a\npenny of ransom.", UNSET.format("watch")),
        ("We offer\npeace to Blue.", "factions.red.peace+=blue"),
    ],
)
@pytest.mark.parametrize(
    "mail", ["red@1:\nall: hold\n{}", "all: hold\n\n{}\n\n> red@1:", "red@1:\n{}\nall: hold"]
)
def test_a_wrapped_sentence_about_a_deal_is_one_request(mail: str, text: str, command: str) -> None:
    campaign = coast(factions={"red": {"name": "Red", "purse": 9}, "blue": {"name": "Blue", "purse": 1}})
    changes = [Change(("forces", "watch", key), None, value) for key, value in BRINE.items()]
    taken = take(campaign.after(changes), mail.format(text))
    [error] = taken.errors
    assert command in error.text and "FORCE" not in error.text
    assert len(orders(taken)) == 2


@pytest.mark.parametrize(
    "line",
    [
        "I go back to Gull Rock then",
        "You move fast, Ann!",
        "All goes well here",
        "The Drowned were lucky, what a fight",
        "Red: orders",
        "Sails: result of gull-rock",
        "Rud: result of gull-rock",
        "Sails: battle t1-gull-rock",
        "At the end of turn 6, places bring 1 point for each point of value.",
        "You own no place; at the end of a turn, a place brings 1 for each point of its value.",
        "- t1-mirebridge: Black Sails against Harbour Watch",
        "- gull-rock -> mirebridge",
    ],
)
def test_other_text_is_not_reported(line: str) -> None:
    for force in ("black-sails", "the-drowned"):
        taken = take(coast(), f"{line}\n\nred@1:\n{force}: hold", "red")
        assert (orders(taken), taken.errors) == ({force: "hold"}, [])


@pytest.mark.parametrize("mail", ["red@1:\n{}", "{}\n\n> red@1:\n> sails:"])
def test_an_unreadable_order_for_all_names_no_force(mail: str) -> None:
    [error] = take(coast(), mail.format("all hold mate")).errors
    assert 'all: cannot read "' in str(error) and "black-sails" not in str(error).splitlines()[0]


@pytest.mark.parametrize("line", ["soz late. sails: mirebridge", "soz, sails will hide in mirebridge"])
def test_a_late_reply_reads_that_it_is_late(line: str) -> None:
    [error] = take(coast(turn=2), f"{line}\n\n> red@1:\n> sails:\n> drowned:").errors
    assert "turn 1 has been played; the address for this turn is red@2" in str(error)


@pytest.mark.parametrize("mail", ["red@1:\n{}", "red@1:\n\n{}", "{}\n\n> red@1:\n> sails:"])
@pytest.mark.parametrize(
    ("line", "sails"),
    [
        ("The Drowned march to Mirebridge. The Sails join the Drowned.", "join the-drowned"),
        ("The Drowned march to Mirebridge and the Sails hold", "hold"),
        ("Sails: hold. Drowned: Mirebridge", "hold"),
        ("The Drowned march to Mirebridge\nand the Sails join the Drowned.", "join the-drowned"),
        ("drowned to mirebridge, then sails: join drowned", "join the-drowned"),
        ("The Drowned march to Mirebridge and the Sails go with them.", "join the-drowned"),
        ("Drowned: to Mirebridge, sails with them", "join the-drowned"),
        ("Drowned to Mirebridge please, the Sails follow.", "join the-drowned"),
        ("The Drowned go to Mirebridge, the Sails do the same.", MARCH),
    ],
)
def test_exact_orders_on_a_line_are_all_taken(mail: str, line: str, sails: str) -> None:
    taken = take(coast(), mail.format(line))
    assert (orders(taken), taken.errors) == ({"the-drowned": MARCH, "black-sails": sails}, [])


@pytest.mark.parametrize("mail", ["red@1:\n{}", "red@1:\n\n{}", "{}\n\n> red@1:\n> sails:"])
@pytest.mark.parametrize(
    "line",
    [
        "The Drowned march to Mirebridge. The Sails should perhaps join the Drowned.",
        "The Drowned march to Mirebridge and the Sails go there with them.",
        "The Drowned march to Mirebridge. Not if it rains. The Sails hold.",
    ],
)
def test_other_orders_on_a_line_need_lines_of_their_own(mail: str, line: str) -> None:
    taken = take(coast(), mail.format(line))
    assert not orders(taken)
    assert "write the order of each force on a line of its own" in str(taken.errors[0])
    assert "leave" not in str(taken.errors[0])


@pytest.mark.parametrize(
    ("line", "is_shown"),
    [
        ("Wenn es regnet, bleiben die Sails im Hafen.", True),
        ("Bitte 5 Taler an Kev zahlen.", True),
        ("Ich lasse Captain Brine frei", True),
        ("Was ist bei Mirebridge los", True),
        ("Blue gefällt mir nicht", True),
        ("Schönes Wochenende", False),
        ("On Monday, Blue <blue@example.org> wrote:\n> Hi", False),
        ("On Monday 4 May, Blue <blue@example.org>\nwrote:\n> Hi", False),
        ("> Wenn es regnet, bleiben die Sails im Hafen.", False),
        ("--\nTom, 12 Mirebridge Road", False),
    ],
)
def test_a_line_in_another_language_that_names_something_is_shown(line: str, is_shown: bool) -> None:
    campaign = coast().after([Change(("forces", "watch", "leader"), None, "Captain Brine")])
    taken = take(campaign, f"red@1:\nall: hold\n\n{line}")
    assert len(orders(taken)) == 2 and not taken.errors
    assert (
        any(f'ignored: "{line.rstrip(".")}' in note for note in taken.notes) == is_shown == bool(taken.notes)
    )


@pytest.mark.parametrize(
    "line", ["Gull Rock of course", "Gull Rock", "gull rock, to be sure!", "To Gull Rock"]
)
def test_the_first_word_of_a_place_is_not_the_name_of_a_force(line: str) -> None:
    gulls = Change(("forces", "the-drowned", "name"), "The Drowned", "Gull Levy")
    campaign = coast().after([gulls])
    taken = take(campaign, f"red@1:\nsails: hold\n\n{line}")
    assert (orders(taken), taken.errors) == ({"black-sails": "hold"}, [])
    taken = take(campaign, "red@1:\nGull to mirebridge of course\nsails: gull rock of course")
    assert (orders(taken), taken.errors) == ({"the-drowned": MARCH, "black-sails": "march to gull-rock"}, [])


@pytest.mark.parametrize("sign", [" - ", ": ", " \u2013 "])
@pytest.mark.parametrize("places", ["gull rock, mirebridge", "the gull rock, then the mirebridge"])
def test_the_order_behind_a_dash_does_not_belong_to_the_name(sign: str, places: str) -> None:
    """`levy - gull` could be the name of The Gull Levy, and `levy - the` too."""
    campaign = coast().after([Change(("forces", "the-drowned", "name"), "The Drowned", "The Gull Levy")])
    for mail, faction in ((f"red@1:\nlevy{sign}{places}", ""), (f"levy{sign}{places}", "red")):
        [error] = take(campaign, mail, faction).errors
        assert f'levy: cannot read "{places}"; write "march to mirebridge"' in str(error)


OTHER_LINES = [
    "Drowned as before.",
    "The Drowned were lucky, what a fight",
    "drowned, dear Ann: no idea yet",
    "Tell the Drowned that I am proud",
    "12 coins: 6 for the Drowned please, rest is saved.",
    "6 coins for both of them!",
    "PS: what about our supplies?",
    "Please let the Sails rest",
    "Greetings from the mill",
    "Tom",
]
PARAGRAPHS = ["sails: hold\n{}\n\nTom", "{}\nsails: hold\n", "sails: hodl\n{}", "sails: hold\n\nPS {}"]


def reported_lines(taken: Taken) -> list[str]:
    """Return the numbers of the lines with errors."""
    return [str(error).split(":")[1] for error in taken.errors]


@pytest.mark.parametrize("line", OTHER_LINES)
@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=range(len(PARAGRAPHS)))
def test_the_same_lines_are_reported_wherever_the_address_stands(paragraph: str, line: str) -> None:
    """An address above the orders, in the quotation below them, or in no place, makes no difference."""
    text = paragraph.format(line)
    above = take(coast(), f"red@1:\n{text}")
    for below in ("\n\n> red@1:\n> black-sails:\n> the-drowned:", ""):
        taken = take(coast(), f"\n{text}{below}")
        assert orders(taken) == orders(above)
        assert reported_lines(taken) == reported_lines(above)


def test_lines_that_only_name_a_force_are_reported_beside_orders_without_an_address() -> None:
    lines = "Drowned as before.\n12 coins: 6 for the Drowned please, rest is saved."
    taken = take(coast(), f"sails: hold\n{lines}")
    assert reported_lines(taken) == ["2", "3"] and taken.refused == {"red": taken.errors}
    assert NOT_AN_ORDER in str(taken.errors[0])
    assert orders(taken) == {"black-sails": "hold"}


def test_an_order_against_a_place_is_not_a_line_of_the_request() -> None:
    taken = take(coast(), "red@1:\n- drowned: march against mirebridge")
    assert (orders(taken), taken.errors) == ({"the-drowned": MARCH}, [])


@pytest.mark.parametrize(
    "line",
    ["Everyone marches to Mirbridge", "The Drowned march to mirbridge", "All go to mirbridge"],
)
def test_a_missing_colon_and_a_wrong_place_are_reported_at_once(line: str) -> None:
    """A sender who is known needs no colon."""
    for mail in (f"red@1:\n\n{line}", f"Hello\n{line}"):
        [error] = take(coast(), mail, "red").errors
        assert str(error).casefold().endswith('unknown place "mirbridge"; did you mean "mirebridge"?')
        assert "colon" not in str(error)
    [error] = take(coast(), "The Drowned march to mirbridge").errors
    assert 'The Drowned: write a colon after the force; unknown place "mirbridge"' in str(error)


@pytest.mark.parametrize(
    "order", ["hodl: hold", "watsch: hold", "drowmed: hold", "drowwned: hold to mirebridge"]
)
def test_the_other_lines_show_whose_force_a_misspelt_name_means(order: str) -> None:
    """The error names only forces of the faction that has given an order in this mail."""
    campaign = coast(visibility={"location": "own"})
    for mail in ("sails: hold\n{}", "{}\n\nsails: hold\nTom", "From: Tom\n\n{}\nsails: hold"):
        taken = take(campaign, mail.format(order))
        text = str(taken.errors)
        assert ("watsch" in order or "the-drowned" in text) and "watch" not in text.replace("watsch", "")
        assert "FACTION" not in text and taken.refused == {"red": taken.errors}
    [error] = take(campaign, "drowmed: hold").errors
    assert "write the address of its faction above it" in str(error)
    errors = take(campaign, "> sails: hold\n\ndrowmed: hold").errors
    assert "write the address of its faction above it" in str(errors[-1])


@pytest.mark.parametrize(
    "mail",
    [
        "sails: hold\ndrowned: fly\nwatch: hold",
        "sails: hold\nDrowned as before\nHarbour Watch: march to Rome",
        "sails: hold\nall: hold\nwatch: fly",
        "sails: hold\nI think the watch should hold?",
        "watch: hold\ndrowned: fly",
        "sails: hold\nwatch: hold",
        "watch: hold",
    ],
)
def test_no_message_shows_whether_a_force_of_another_faction_is_on_the_map(mail: str) -> None:
    """Without an address, an order for it shows that the sender is not known."""
    campaign = coast(visibility={"location": "own"})
    gone = campaign.after([Change(("forces", "watch", "location"), "tar-quay", None)])
    on_map, off_map = (take(each, mail) for each in (campaign, gone))
    for taken in (on_map, off_map):
        read = {side: [*map(player_text, errors)] for side, errors in taken.refused.items()}
        assert not any(filter(None, read.get("red", []))) and not any(read.get("blue", []))
    own = {force: order for force, order in orders(on_map).items() if force != "watch"}
    assert orders(off_map) == own


@pytest.mark.parametrize("line", ["all: hold", "the rest: hold", "everyone: hold"])
def test_the_other_lines_show_whose_forces_an_order_for_all_means(line: str) -> None:
    for mail in ("sails: march to mirebridge\n{}", "{}\n\nsails: march to mirebridge\nTom"):
        taken = take(coast(), mail.format(line))
        assert (orders(taken), taken.errors) == ({"black-sails": MARCH, "the-drowned": "hold"}, [])
        taken = take(coast(), f"watch: hold\n{mail.format(line)}")  # the orders of two factions
        assert "write the faction's address above its orders" in str(taken.errors)
        assert "the-drowned" not in orders(taken)


@pytest.mark.parametrize(
    "words",
    [
        "same as before",
        "as before",
        "Same as last turn!",
        "the same order as always",
        "go on",
        "Carry on!",
        "continue the march",
        "keeps marching",
    ],
)
def test_an_order_of_an_earlier_turn_is_refused_with_what_to_write(words: str) -> None:
    for line in (f"sails: {words}", f"sails - {words}", "sails: goes on: mirebridge -> york"):
        [error] = take(coast(), f"red@1:\ndrowned: hold\n{line}").errors
        assert "write the order itself, or leave it out to hold or to go on with a march" in str(error)


def test_who_writes_in_a_train_asks_for_no_money() -> None:
    for vehicle, is_request in (("on the train", False), ("in a train", False), ("to train the men", True)):
        taken = take(coast(), f"red@1:\nsails: hold\ndrowned: hold\n\nI am glad {vehicle} of the sails.")
        assert any("request" in str(error) for error in taken.errors) is is_request


@pytest.mark.parametrize("words", ["stay home", "stays at home", "stay where you are", "wait where they are"])
def test_a_force_that_stays_where_it_is_holds(words: str) -> None:
    taken = take(coast(), f"red@1:\nsails: {words}")
    assert (orders(taken), taken.errors) == ({"black-sails": "hold"}, [])


@pytest.mark.parametrize("between", ["! ", ". ", ", ", " and ", ", and ", ". And ", " / "])
@pytest.mark.parametrize("first", ["hold", "march to mirebridge"])
def test_two_exact_orders_on_a_line_are_taken(first: str, between: str) -> None:
    taken = take(coast(), f"red@1:\nsails: {first}{between}drowned: hold")
    assert (orders(taken), taken.errors) == ({"black-sails": first, "the-drowned": "hold"}, [])


FORM = "> red@1:\n> - the-drowned: hold\n> - black-sails: hold\n"
OUTLOOK = (
    "-----Original Message-----\nFrom: Umpire\nSent: Monday\n\nred@1:\nthe-drowned: hold\nblack-sails: hold"
)


@pytest.mark.parametrize("form", [FORM, f"{FORM}>\n> Yours", OUTLOOK], ids=range(3))
@pytest.mark.parametrize(
    "line",
    [
        "Second thoughts: the Drowned shall take Mirebridge instead. Rest as before.",
        "Tom, I filled in the form yesterday, but the Drowned march to Mirebridge after all!",
        "One change: The Drowned: march to Mirebridge.",
        "Please don't let the Drowned stand there. Wait until I write.",
        "the-drowned: march to Mirbridge",
        "the Drowned to mirebridge, not to the rock!",
    ],
)
def test_a_line_that_can_correct_a_filled_form_refuses_the_order_in_it(line: str, form: str) -> None:
    """The form below the line is quoted, so its orders are older. The player reads what to send."""
    taken = take(coast(), f"From: Ann <ann@x.org>\nSubject: Re: orders\n\n{line}\n\nAnn\n\n{form}")
    assert orders(taken).get("the-drowned") in (None, MARCH)
    read = " ".join(map(player_text, taken.refused["red"]))
    assert "the-drowned" in orders(taken) or "drowned" in read.lower()


@pytest.mark.parametrize("form", [FORM, OUTLOOK], ids=range(2))
@pytest.mark.parametrize(
    "line",
    [
        "Sorry, I changed my mind: we march off instead.",
        "We go to Mirebridge.",
        "Rather go back to Gull Rock.",
    ],
)
def test_a_correction_without_a_force_refuses_all_quoted_orders(line: str, form: str) -> None:
    taken = take(coast(), f"{line}\n\n{form}")
    assert not orders(taken)
    [error] = taken.refused["red"]
    assert "can be a correction, so the quoted" in str(error) and "the-drowned: hold" in str(error)
    alone = take(coast(), f"red@1:\nsails: hold\nall: hold\n\n{line}")
    assert orders(alone) == {"black-sails": "hold", "the-drowned": "hold"}


@pytest.mark.parametrize("form", [FORM, OUTLOOK], ids=range(2))
@pytest.mark.parametrize(
    "line",
    ["Thanks for the great turn, have a rest!", "The Drowned were lucky, what a fight", "My corrected orders",
     "Please spend 4 of our purse on the Drowned (+2).", "Greetings from Mirebridge", "My orders are below."],
)  # fmt: skip
def test_other_text_above_a_filled_form_changes_no_order(line: str, form: str) -> None:
    assert orders(take(coast(), f"{line}\n\n{form}")) == {"the-drowned": "hold", "black-sails": "hold"}


UNKNOWN = ["spears: tar quay", "Spears to Mirebridge", "the spears go to Tar Quay, please",
           "Long Meg and her lot will go to tar quay", "- sailsmen: Tar Quay!",
           "spears go to Mirebridge then Tar Quay", "spears -> mirebridge and tar quay",
           "The spears march to Mirebridge via Tar Quay", "spears go to Tar Quay and hold"]  # fmt: skip


@pytest.mark.parametrize("line", UNKNOWN)
@pytest.mark.parametrize("visibility", ["all", "own"])
def test_a_line_that_sends_an_unknown_force_to_a_place_is_reported(line: str, visibility: str) -> None:
    campaign = coast(visibility={"location": visibility})
    for mail in ("drowned: hold\n{}", "red@1:\ndrowned: hold\n\n{}", "red@1:\ndrowned: hold\n{}\nTom"):
        taken = take(campaign, mail.format(line))
        assert orders(taken) == {"the-drowned": "hold"}
        [error] = taken.refused["red"]
        reasons = ("names no force", "unknown force of Red:", "write FORCE: ORDER")
        assert any(reason in player_text(error) for reason in reasons)
    taken = take(campaign, f"{line}\n\n> red@1:\n> the-drowned: hold")  # may correct the filled form
    assert not orders(taken) and taken.refused["red"]
    [error] = take(campaign, "red@1:\n\nThe drawings go to Mirebridge").refused["red"]
    assert 'names no force; did you mean "The Drowned"?' in player_text(error)


@pytest.mark.parametrize("line", ["Welcome to Mirebridge!", "PS: mirebridge", "We walk to Tar Quay and rest"])
def test_a_line_with_a_place_that_cannot_begin_with_a_force_is_not_reported(line: str) -> None:
    taken = take(coast(), f"drowned: hold\n\n{line}")
    assert (orders(taken), taken.errors) == ({"the-drowned": "hold"}, [])


CHANGES = [
    "The sails should rather stay at home, I have changed my mind",
    "Oops, the Sails had better stay at Gull Rock.",
    "Sorry, sails hold",
    "On second thought let the sails hold",
    "Please let the Sails rest",
    "The Sails should remain.",
    "Forget what I wrote about the Sails",
    "ps actually no, keep the Sails home",
    "Please keep the Sails back!",
    "If they run, the Sails stop.",
]


@pytest.mark.parametrize("line", CHANGES)
def test_a_change_of_mind_below_an_order_refuses_it(line: str) -> None:
    """The line is not a clear order, and the order above it can be wrong. The player reads about both."""
    mails = ["red@1:\nsails: {}\n{}", "sails: {}\ndrowned: hold\n\nPS\n{}", "red@1:\nall: {}\n\n{}\nTom",
             "red@1:\n\n{1}\n\nall: {0}", "sails: {}\n{}\n\n> red@1:\n> black-sails:"]  # fmt: skip
    for mail in mails:
        taken = take(coast(), mail.format(MARCH, line))
        assert "black-sails" not in orders(taken)
        [error] = taken.refused["red"]
        assert f'can be a correction, so "black-sails: {MARCH}" does not count' in player_text(error)
    taken = take(coast(), f"{line}\n\nred@1:\nsails: {MARCH}")  # the order is newer
    assert orders(taken) == {"black-sails": MARCH}


def test_errors_are_in_the_order_of_the_lines() -> None:
    lines = "Can I see Blue?\nsails: fly\nPlease spend 4.\n\nWhat now?\nsails: hold\ndrowned: swim"
    for mail in (f"red@1:\n{lines}", f"{lines}\n\n> red@1:"):
        numbers = [*map(int, reported_lines(take(coast(), mail)))]
        assert numbers == sorted(numbers) and len(numbers) > 4


@pytest.mark.parametrize(
    "line",
    ["The Sails are tired.", "Greetings from the Sails!", "Actually no idea if the Sails keep us warm."],
)
def test_a_remark_below_an_order_is_quoted_as_ignored(line: str) -> None:
    taken = take(coast(), f"sails: hold\n\n{line}")
    assert (orders(taken), taken.errors) == ({"black-sails": "hold"}, [])
    assert taken.notes == [f'line 3: ignored: "{line}"']


UNCLEAR_GIFTS = (
    "Gold for Blue: 5",
    "We give the hill to Blue for 5 gold.",
    "Let Blue give 5 gold to Red.",
    "Please give 5 gold to Clara.",
    "Give 5 gold to the enemy.",
    "We pay 5 gold to Blue from their purse.",
)


@pytest.mark.parametrize(
    "line",
    [
        "I'd also like to give 5 gold to Blue if they leave.",
        "Please give 5 to Blue.",
        "We pay 5 to the blue faction.",
        "Send Blue 5, will you?",
        "A gift to Blue: 5 gold",
        *UNCLEAR_GIFTS,
    ],
)
def test_money_for_another_faction_is_a_request(line: str) -> None:
    rich = {"red": {"name": "Red", "purse": 9}, "blue": {"name": "Blue"}}
    for mail in ("sails: hold\n\n{}", "red@1:\nsails: hold\n{}", "{}\n\nred@1:\nall: hold"):
        taken = take(coast(factions=rich), mail.format(line))
        assert orders(taken)["black-sails"] == "hold"
        [error] = taken.refused["red"]
        assert f'"{line}" is a request; the umpire has read it' in player_text(error)
        names = ("PAYER", "RECEIVER") if line in UNCLEAR_GIFTS else ("red", "blue")
        assert "adjust factions.{}.purse-=5 factions.{}.purse+=5 --reason".format(*names) in str(error)


@pytest.mark.parametrize("name", ["and Sails", "and the Black Sails", "& sails", "Sails and"])
def test_a_line_that_begins_with_and_names_the_force_behind_it(name: str) -> None:
    taken = take(coast(), f"red@1:\ndrowned: hold\n{name}: {MARCH}")
    assert (orders(taken), taken.errors) == ({"the-drowned": "hold", "black-sails": MARCH}, [])
    [error] = take(coast(), f"red@1:\n{name}: march to Rome").errors
    assert '""' not in str(error)


@pytest.mark.parametrize(("name", "text"), [("black", "sails march to mirebridge"), ("the", "drowned hold")])
def test_a_name_without_quotes_on_the_command_line_is_explained(name: str, text: str) -> None:
    parser = OrderParser(coast())
    second, _, order = text.partition(" ")
    with pytest.raises(InvalidInput, match=f'in quotes: "{name} {second}" {order}$'):
        given_by_hand(parser, name, text)
    with pytest.raises(InvalidInput) as refused:
        given_by_hand(parser, f"{name} {second}", "fly")
    assert "in quotes" not in str(refused.value)


@pytest.mark.parametrize(
    "line", ["-", "--", "-- ", "---", "- - -", "* - *", ". . .", "_____", "| |", "-" * 400]
)
def test_a_line_without_words_is_passed_over(line: str) -> None:
    for mail in (
        f"red@1:\n{line}\ndrowned: hold",
        f"red@1:\ndrowned: hold\n{line}\nAnn",
        f"{line}\ndrowned: hold",
    ):
        taken = take(coast(), mail)
        assert (orders(taken), taken.errors) == ({"the-drowned": "hold"}, [])


@pytest.mark.parametrize(
    ("line", "cost", "strength"),
    [
        ("We want to buy 2 strength for the sails out of our purse", "N", "2"),
        ("We would like to hire another 2 recruits for the sails", "N", "2"),
        ("Please spend a bit of our purse on the sails (+2).", "N", "2"),
        ("Please reinforce the sails by 2", "N", "2"),
        ("Please spend 2 on the sails", "2", "N"),
        ("Buy men for the sails for 2 coins, please", "2", "N"),
        ("We need 2 of our coins for the sails", "2", "N"),
        ("Buy 3 men for the sails for 2 gold", "2", "3"),
        ("Please spend 4 on the sails (+2).", "4", "2"),
        ("Buy 2 men for the sails for 2 gold", "N", "N"),
    ],
)
def test_a_number_of_bought_strength_is_not_its_cost(line: str, cost: str, strength: str) -> None:
    rich = {"red": {"name": "Red", "purse": 9}, "blue": {"name": "Blue"}}
    [error] = take(coast(factions=rich), f"red@1:\nall: hold\n\n{line}").errors
    assert f"factions.red.purse-={cost} forces.black-sails.strength+={strength} " in str(error)


@pytest.mark.parametrize("end", ["for now", "until further notice", "this turn", ", until I say otherwise"])
@pytest.mark.parametrize("order", ["hold", "stay there", MARCH, f"{MARCH}, avoid battle"])
def test_how_long_an_order_counts_makes_no_difference(order: str, end: str) -> None:
    without = take(coast(), f"red@1:\nsails: {order}")
    taken = take(coast(), f"red@1:\nsails: {order} {end}".replace(" ,", ","))
    assert orders(taken) and orders(taken) == orders(without)
    [error] = take(coast(), f"red@1:\nsails: {order} until they attack").errors
    assert "until" in str(error)


@pytest.mark.parametrize("order", ["go home", "returns home", "back home"])
def test_an_order_to_go_home_is_refused_with_an_own_place(order: str) -> None:
    [error] = take(named_vale(), f"red@1:\nmilitia: {order}").errors
    assert 'write the place, such as "march to mill"' in str(error)


def test_a_condition_behind_many_signs_is_found_in_a_moment() -> None:
    began = process_time()
    assert CONDITION_BEGINS.search("? " * 10_000 + "- if they come")
    assert not CONDITION_BEGINS.search("? " * 10_000 + " " * 10_000 + "we hold")
    assert process_time() - began < 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [f"drowned: hold{', ' * 2_000}x", "the drowned and I could stand. " * 150, "drowned holds. " * 150],
)
def test_a_line_of_many_sentences_or_commas_is_read_in_a_moment(text: str) -> None:
    began = process_time()
    assert take(coast(), text).errors
    assert process_time() - began < 3


@pytest.mark.slow
def test_a_long_letter_on_the_line_of_an_order_is_read_in_a_moment() -> None:
    began = process_time()
    letter = " ".join(f"what? well{n % 500}!" for n in range(1_000))
    assert orders(take(coast(), f"red@1:\ndrowned: hold, {letter}")) == {"the-drowned": "hold"}
    assert process_time() - began < 5


@pytest.mark.parametrize(
    "text", ["hold (unless attacked, then run)", "the mill (or wherever)", "(hold if attacked)"]
)
def test_an_error_quotes_both_brackets_or_none(text: str) -> None:
    for line in (f"sails: {text}", f"The sails will {text}"):
        [error] = take(coast(), f"red@1:\n{line}").errors
        first = str(error).splitlines()[0]
        assert first.count("(") == first.count(")"), first


INTRODUCTIONS = [
    "Thanks for the drowned men. Here are our marching orders:",
    "Well fought, Sails! My new orders, to stay ahead:",
    "Hello, this is Brother Sail. I stand in for Tom this week.",
]


@pytest.mark.parametrize("line", INTRODUCTIONS)
@pytest.mark.parametrize("form", [FORM, OUTLOOK], ids=range(2))
def test_a_line_that_introduces_the_orders_or_the_sender_refuses_no_order(form: str, line: str) -> None:
    taken = take(coast(), f"{line}\n\n{form}")
    assert (orders(taken), taken.errors) == ({"the-drowned": "hold", "black-sails": "hold"}, [])


@pytest.mark.parametrize(
    "line", ["Marching orders for the Drowned:", "This is it, Drowned to mirebridge!",
             "This is Drowned. They hold. Orders:", "Orders to march to Tar Quay for the Drowned:"],
)  # fmt: skip
def test_an_introduction_with_a_force_or_a_place_is_reported(line: str) -> None:
    taken = take(coast(), f"{line}\n\n{FORM}")
    assert "the-drowned" not in orders(taken) and "the-drowned" in str(taken.refused["red"])


def test_no_common_word_and_no_word_of_a_name_is_a_misspelt_place() -> None:
    """`mirebridges` is a word of a force and similar to a place, and so is `for`."""
    data: dict[str, Any] = coast().data
    forces = data["forces"] | {"drums": {**data["forces"]["the-drowned"], "name": "Mirebridges"}}
    campaign = vale({}, forces=forces, locations=data["locations"] | {"ford": {}}, road=data["road"])
    taken = take(campaign, f"Thanks for the mirebridges!\n\n{FORM}> drums: hold")
    assert (len(orders(taken)), taken.errors) == (3, [])


@pytest.mark.parametrize(
    "line",
    ["Sorry, we march to Mirebridge instead", "Oops, hold everything!", "Forget my orders, more tomorrow.",
     "We changed our minds, new orders follow.", "Please ignore all that", "Actually no, keep them home."],
)  # fmt: skip
def test_a_correction_without_a_force_below_orders_is_reported(line: str) -> None:
    for mail in (
        "red@1:\nsails: hold\nall: hold\n\n{}",
        "sails: hold\ndrowned: hold\n\n{}\n\n> red@1:\n> sails:",
    ):
        taken = take(coast(), mail.format(line))
        assert orders(taken) == {"black-sails": "hold", "the-drowned": "hold"}
        [error] = taken.refused["red"]
        assert "can be a correction, but names no force, so it changes no order" in player_text(error)
    other = take(coast(), f"{line}\n\nred@1:\nall: hold")  # the orders are newer
    assert orders(other) and not other.errors


@pytest.mark.parametrize(
    "line", ["Ignore the form, I call you tonight.", "I changed my mind, more tomorrow."]
)
def test_who_takes_back_a_filled_form_has_no_orders(line: str) -> None:
    taken = take(coast(), f"{line}\n\n{FORM}")
    assert not orders(taken) and "can be a correction, so the quoted" in player_text(taken.refused["red"][0])


@pytest.mark.parametrize(
    "line", ["Sorry for the delay, I had to go home.", "Sorry, I was late.", "I like it!"]
)
def test_an_apology_corrects_nothing(line: str) -> None:
    for mail in (f"red@1:\nall: hold\n\n{line}", f"{line}\n\n{FORM}"):
        assert orders(take(coast(), mail)) and not take(coast(), mail).errors


LETTER = (
    "It was a long day, and nobody in the village slept, for the wind was loud and the sea was high. " * 4
)


@pytest.mark.parametrize(
    "mail", ["red@1:\nsails: hold\n\n{}", "{}\n\nsails: hold\n\n> red@1:\n> the-drowned:"]
)
def test_a_force_without_an_order_in_a_long_letter_is_reported(mail: str) -> None:
    letter = f"{LETTER}Let the Drowned march to Tar Quay, because they can swim. Yours, Tom"
    taken = take(coast(), mail.format(letter))
    assert orders(taken) == {"black-sails": "hold"}
    assert NOT_AN_ORDER in str(taken.errors[0])


def test_a_long_story_changes_no_order_and_a_correction_in_it_does() -> None:
    story = f"{LETTER}The Drowned marched past Tar Quay, and hold their heads up."
    for mail in (f"{story}\n\n{FORM}", f"red@1:\nall: hold\n\n{story}"):
        taken = take(coast(), mail)
        assert (orders(taken), taken.errors) == ({"the-drowned": "hold", "black-sails": "hold"}, [])
        taken = take(coast(), mail.replace("and hold", "and should march to Tar Quay instead of"))
        assert orders(taken) == {"black-sails": "hold"} and taken.refused["red"]


@pytest.mark.parametrize("order", ["hold pls", f"plz {MARCH}"])
def test_short_forms_of_please_say_nothing(order: str) -> None:
    assert orders(take(coast(), f"red@1:\nsails: {order}"))["black-sails"] in ("hold", MARCH)


@pytest.mark.parametrize("order", ["hold. drowned: fly", "mirebridge - tar quay"])
def test_no_error_suggests_a_verb_for_a_verb_or_a_place(order: str) -> None:
    [error] = take(coast(), f"red@1:\nsails: {order}").errors
    assert ' for "' not in str(error)


@pytest.mark.parametrize("words", ["Carry on as before, both of them.", "Thank you, we agree.", ""])
@pytest.mark.parametrize("form", ["> red@1:\n\n{}", "{}\n\n> red@1:\n> the-drowned:"])
@pytest.mark.parametrize("other", ["blue@1:\nwatch: hold", "> blue@1:\n\nwatch: fly", "> blue@1:\n\nHello."])
def test_a_mail_without_an_order_is_reported_beside_another_mail(other: str, form: str, words: str) -> None:
    campaign, mail = coast(), form.format(words)
    for mails in ([mail, other], [other, mail]):
        taken = take_messages(campaign, [("mail.txt", each) for each in mails])
        assert orders(taken) == orders(take(campaign, other))
        [error] = taken.refused["red"]
        assert "the mail of Red contains no new order; write FORCE: ORDER" in player_text(error)
        assert taken.is_unread == ("Hello" in other)
        assert len(taken.errors) == (1 if "hold" in other else 2)


@pytest.mark.parametrize(
    "line",
    [
        "Could you tell me whether Brother Odo is a leader?",
        "When will I know what Tar Quay is up to?",
        "Where is my lost Guard? Will there be a battle at Mirebridge?",
        "Shall we wait?",
        "PS: what about supplies?",
        "how much does a new company cost ?? :)",
    ],
)
@pytest.mark.parametrize(
    "mail",
    [
        "{}\n\nred@1:\nsails: hold",
        "red@1:\nsails: hold\n{}",
        "red@1:\nsails: hold\n\n{}\n-- \nDo you need a desk?",
        "{}\nsails: hold\nhttps://example.org/?page=2\n\n> red@1:\n> Any questions?",
    ],
)
def test_a_question_without_a_force_is_reported(mail: str, line: str) -> None:
    """A signature, a quotation and the address of a web page ask nothing."""
    taken = take(coast(), mail.format(line))
    assert orders(taken) == {"black-sails": "hold"}
    [error] = taken.refused["red"]
    assert "is a question; the umpire has read it and will answer" in player_text(error)


@pytest.mark.parametrize("mail", ["{}\nred@1:\n{}", "red@1:\n{}\n{}", "{}\n{}\n\n> red@1:\n> the-drowned:"])
@pytest.mark.parametrize("line", ["When is the battle?", "Could you write to me?"])
def test_a_question_before_a_heading_of_orders_is_reported(mail: str, line: str) -> None:
    taken = take(coast(), mail.format(f"{line} My orders:", "sails: hold"))
    assert orders(taken) == {"black-sails": "hold"}
    [error] = taken.refused["red"]
    assert f'{line}" is a question' in player_text(error)


def test_an_earlier_order_says_its_turn_after_the_movement() -> None:
    campaign = after(coast(), "red@1:\nsails: hold")
    for has_moved, turn in ((False, ""), (True, " in turn 2")):
        mail = f"red@{1 + has_moved}:\ndrowned: fly"
        taken = take_messages(campaign, [("mail.txt", mail)], has_moved=has_moved)
        assert taken.earlier == {"red": [f"black-sails: hold{turn}"]}


def test_a_question_does_not_replace_an_order() -> None:
    """The player reads what an order looks like beside a line such as `as before`."""
    taken = take(coast(), "> red@1:\n\nCarry on as before, both of them.\nWhat will happen at Tar Quay?")
    question, error = map(player_text, taken.refused["red"])
    assert "is a question" in question and "contains no new order; write FORCE: ORDER" in error
    later = after(coast(), "red@1:\nsails: hold")
    [question] = map(player_text, take(later, "> red@1:\n\nIs it my turn?").refused["red"])
    assert "is a question" in question


SEVERAL_EXCEPT = [
    ("all hold except sails, who march to mirebridge, and the drowned, who join the sails", {}),
    ("all hold (except sails, who march to mirebridge, and drowned, who join the sails)", {}),
    ("all hold, but sails go to mirebridge and the drowned join the sails", {}),
    ("all: hold, except sails: march to mirebridge, drowned: join sails", {}),
    ("all except sails, who march to mirebridge, and drowned, who join the sails, hold", {}),
    ("all except sails and drowned hold, and sails march to mirebridge, and the drowned join the sails", {}),
    ("all hold except sails, who march to mirebridge, and drowned, who fly", {"the-drowned": None}),
    ("all hold except sails, who fly, and drowned, who join the sails", {"black-sails": None}),
    ("all hold except sails, who march to a mire and the drowned",
     {"black-sails": None, "the-drowned": None}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "different"), SEVERAL_EXCEPT)
def test_each_force_behind_except_gets_its_own_order_or_none(line: str, different: dict[str, object]) -> None:
    data = coast().data
    guns = {"guns": {"faction": "red", "strength": 3, "location": "tar-quay"}}
    campaign = read_campaign({**data, "forces": {**data["forces"], **guns}})  # type: ignore[dict-item]
    taken = take(campaign, f"red@1:\n{line}")
    own = {"black-sails": "march to mirebridge", "the-drowned": "join black-sails"} | different
    assert orders(taken) == {"guns": "hold"} | {force: order for force, order in own.items() if order}
    assert len(taken.errors) == bool(different)


def test_a_force_in_the_rejected_order_of_another_does_not_hold_with_the_rest(campaign: Campaign) -> None:
    taken = take(campaign, "red@1:\nvanguard: march to ford and militia fly with them\nthe rest: hold")
    assert not orders(taken) and len(taken.errors) == 1


def test_an_excepted_force_in_the_remark_of_another_does_not_hold(campaign: Campaign) -> None:
    taken = take(campaign, "red@1:\nall hold except vanguard, who march to ford, and militias fly")
    assert orders(taken) == {"vanguard": "march to ford"}
    assert "the order of militia is missing" in taken.errors[0].text


@pytest.mark.parametrize("mail", ["red@1:\n{}", "red@1:\nvanguard: hold\n{}\n\nTom", "> red@1:\n\n{}"])
@pytest.mark.parametrize("end", [",\navoid battle", ", and\navoid battle.", " and\nplease avoid battle"])
def test_an_order_that_a_mail_program_has_wrapped_is_joined(campaign: Campaign, mail: str, end: str) -> None:
    taken = take(campaign, mail.format(f"militia: march to ford{end}"))
    assert orders(taken)["militia"] == "march to ford, avoid battle" and not taken.errors


@pytest.mark.parametrize("below", ["Tom", "guard: hold", "vanguard: hold", "thanks for the game"])
def test_other_text_below_a_comma_does_not_belong_to_the_order(campaign: Campaign, below: str) -> None:
    taken = take(campaign, f"red@1:\nmilitia: march to ford,\n{below}")
    assert orders(taken)["militia"] == "march to ford"


ROUTES = ["red@1:\n{}", "red@1:\n{}\nmilitia: hold", "> red@1:\n> vanguard:\n\n{}", "{}\n\nred@1:\nmilitia:"]


@pytest.mark.parametrize("mail", ROUTES)
def test_a_route_that_a_mail_program_has_wrapped_is_joined(campaign: Campaign, mail: str) -> None:
    """The first line alone would be an order, and the second one would be passed over as a signature."""
    for route in (
        "mill ->\nbridge ->\nfort",
        "march to fort via\nbridge",
        "mill -> bridge ->\nfort, avoid battle",
        "mill -> bridge\n-> fort",
        "to the bridge\n-> the fort",
        "\nmill -> bridge ->\nfort",
    ):
        taken = take(campaign, mail.format(f"vanguard: {route}"))
        assert str(orders(taken)["vanguard"]).startswith("mill -> bridge -> fort") and not taken.errors
    for route in (
        "bridge,\nfort",
        "mill,\nbridge,\nfort",
        "bridge, then\nfort",
        "to bridge, then\nto the fort",
    ):
        taken = take(campaign, mail.format(f"vanguard: {route}"))
        assert [error.text[-35:] for error in taken.errors] == ['"; write "march to fort via bridge"']
        assert "vanguard" not in orders(taken)
    for route in (
        "mill ->\nfort",
        "mill\n-> fort",
        "mill -> bridge ->\n\nfort",
    ):  # no road, and an empty line
        taken = take(campaign, mail.format(f"vanguard: {route}"))
        assert "vanguard" not in orders(taken) and len(taken.errors) == 1


WRAPPED_QUESTIONS = {
    "Can the vanguard reach fort this turn?": True,
    "Hello. What do the militia see at the fort? Yours, Ann": True,
    "Is it possible that the vanguard marches to fort in one turn?": False,  # it can be meant as an order
    "I wonder if vanguard march to fort in one turn?": False,
}


@pytest.mark.parametrize(("words", "is_question"), WRAPPED_QUESTIONS.items())
@pytest.mark.parametrize("mail", ["red@1:\n{}", "{}\n\n> red@1:\n> vanguard:", "{}\n\nred@1:\nvanguard:"])
def test_a_wrapped_question_is_no_order(campaign: Campaign, mail: str, words: str, is_question: bool) -> None:
    for space in re.finditer(" ", words):
        taken = take(campaign, mail.format(f"{words[: space.start()]}\n{words[space.end() :]}"))
        assert not orders(taken), words[: space.start()]
        said = " ".join(map(player_text, taken.refused["red"]))
        assert ("is a question; the umpire has read it" in said) == is_question


@pytest.mark.parametrize("line", ["Will Scarlet holds", "Will Scarlet: hold"])
def test_a_force_whose_name_begins_like_a_question_gets_its_order(line: str) -> None:
    forces = {"will": {"faction": "red", "name": "Will Scarlet", "strength": 9, "location": "mill"}}
    taken = take(vale({}, forces=forces), f"red@1:\n{line}\nIs that right?")
    assert orders(taken) == {"will": "hold"} and len(taken.errors) == 1


CONDITIONS = {
    "vanguard: if the bridge is free, march to bridge, otherwise hold": "vanguard",
    "vanguard: march to bridge\nunless they hold it": "vanguard",
    "If the bridge is free,\nthe vanguard marches to bridge.": "vanguard",
    "If the bridge is free, vanguard holds": "vanguard",
    "If they come, fall back to the ford.": "FORCE",
    "all: hold unless attacked": "FORCE",
}


@pytest.mark.parametrize(("line", "force"), CONDITIONS.items())
@pytest.mark.parametrize("mail", ["red@1:\n{}", "{}\n\n> red@1:\n> vanguard:", "red@1:\nmilitia: hold\n{}"])
def test_an_order_with_a_condition_is_left_to_the_umpire(
    campaign: Campaign, mail: str, line: str, force: str
) -> None:
    taken = take(campaign, mail.format(line))
    assert "vanguard" not in orders(taken)
    [read], [error] = taken.refused["red"], taken.errors
    assert "an order cannot have a condition; write one order" in player_text(read)
    assert f"cardbattle campaign orders give {force} ORDER" in str(error) and "give" not in player_text(read)


@pytest.mark.parametrize(
    "line",
    [
        "If you have questions, write to me.",
        "Back to the ford! If they come we fight.",
        "Unless I hear from you: bye",
    ],
)
def test_a_condition_about_something_else_is_not_reported(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"red@1:\nvanguard: hold\n\n{line}")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold"}, [])


@pytest.mark.parametrize(
    "below", ["avoid battle", "meadow, avoid battle.", "via the ford", "and then to the mill"]
)
def test_a_part_of_an_order_on_a_line_of_its_own_is_reported(campaign: Campaign, below: str) -> None:
    taken = take(campaign, f"red@1:\nmilitia: march to ford\n{below}\n\nTom")
    [error] = map(player_text, taken.refused["red"])
    assert "is on a line of its own, so it changes no order" in error


@pytest.mark.parametrize("other", ['"Guard march to fort".', "guard: march to fort", "guard: fly"])
def test_lines_beside_an_order_for_an_enemy_are_reported_to_the_sender_of_the_form(
    campaign: Campaign, other: str
) -> None:
    mail = f"vanguard: hold\n\n{other}\n\nIf it snows, we stay home.\n\n> red@1:\n> vanguard:\n"
    refused = [*map(player_text, take(campaign, mail).refused["red"])]
    assert len(refused) == 1 and "If it snows, we stay home." in refused[0]


@pytest.mark.parametrize("remark", ["Home to the mill, both of them.", "Both home to the mill!"])
def test_a_sentence_above_the_orders_of_all_forces_is_only_ignored(campaign: Campaign, remark: str) -> None:
    taken = take(campaign, f"{remark}\n\nred@1:\nvanguard: march to mill\nmilitia: hold")
    assert not taken.errors and taken.notes == [f'line 1: ignored: "{remark}"']
    assert orders(taken) == {"vanguard": "march to mill", "militia": "hold"}


@pytest.mark.parametrize(
    "mail",
    [
        "{}\n\nred@1:\nvanguard: march to mill",
        "red@1:\nvanguard: hold\nmilitia: hold\n\n{}",
        "horsemen: mill\n\nred@1:\nvanguard: hold\nmilitia: hold",
        "horsemen - march to mill\n\nred@1:\nvanguard: hold\nmilitia: hold",
    ],
)
def test_a_sentence_that_can_mean_a_force_without_an_order_below_is_reported(
    campaign: Campaign, mail: str
) -> None:
    assert len(take(campaign, mail.format("Home to the mill, both of them.")).errors) == 1


@pytest.mark.parametrize(
    ("text", "is_remark"), [("(poor Holt...)", True), ("dead, alas", True), ("hold", False), ("mill", False)]
)
def test_a_remark_about_a_force_that_is_not_on_the_map_is_only_ignored(
    campaign: Campaign, text: str, is_remark: bool
) -> None:
    lost = campaign.after([Change(("forces", "militia", "location"), "mill", None)])
    taken = take(lost, f"red@1:\nvanguard: hold\nmilitia: {text}")
    assert orders(taken) == {"vanguard": "hold"}
    assert [player_text(error) for error in taken.errors] == (
        [] if is_remark else ["militia: it is not on the map; leave it out"]
    )
    assert (f'line 3: ignored: "militia: {text}"' in taken.notes) == is_remark


LETTERS = {
    "The vanguard and the militia stay here. They are tired.": 0,
    "Hello Tom, what a week! The vanguard stays. The militia stays, and I'd like 2 soldiers for it.": 1,
    "Sorry. The vanguard stays where it is. Blue is weak. The militia holds, please. Have you seen it?": 1,
    "The militia stays where it is, all others hold. What a turn! Please send the map.": 1,
    "Where is the guard? The vanguard stays, the militia stays too!": 1,
}


@pytest.mark.parametrize(("text", "requests"), LETTERS.items())
@pytest.mark.parametrize("mail", ["red@1:\n{}", "{}\n\n> red@1:\n> vanguard: march to ford"])
def test_the_sentences_of_a_paragraph_are_orders_requests_and_remarks(
    campaign: Campaign, mail: str, text: str, requests: int
) -> None:
    spaces = [space.start() for space in re.finditer(" ", text)]
    for space in (0, *spaces[:: 1 + len(spaces) // 4]):  # also wrapped
        taken = take(campaign, mail.format(f"{text[:space]}\n{text[space:].strip()}"))
        assert orders(taken) == {"vanguard": "hold", "militia": "hold"}, text[space:]
        assert len(taken.refused.get("red", ())) == len(taken.errors) == requests
        assert all("the umpire has read it" in player_text(error) for error in taken.errors)


@pytest.mark.parametrize(
    "text", ["Vanguard: hold. Lovely weather. Militia: hold. Thank you, Tom", "Hi! All hold. What a turn!",
             "All hold except the militia, who stay here. What a turn!"]
)  # fmt: skip
def test_the_sentences_of_a_line_are_orders_and_remarks(campaign: Campaign, text: str) -> None:
    taken = take(campaign, f"red@1:\n{text}")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold", "militia": "hold"}, [])


@pytest.mark.parametrize(
    "text",
    [
        "The vanguard holds. No, sorry. The militia goes to the ford.",
        "The vanguard holds. They leave tomorrow. The militia goes to the ford.",
        "The vanguard holds. I will decide tomorrow. The militia goes to the ford.",
        "The vanguard holds. But not if it rains. The militia goes to the ford.",
        "The vanguard holds. The militia goes to the ford. Forget the mill!",
        "The vanguard holds. The militia goes to the ford. Or to the mill.",
        "The vanguard holds. It is cold at the ford. The militia goes to the ford.",
        "The vanguard holds. The vanguard goes to the ford.",
        "I think that the vanguard holds. The militia goes to the ford.",
        "The vanguard holds. The militia goes to the ford, I hope?",
        "The vanguard holds. The militia goes to the ford?",
        "The vanguard holds. The guard goes to the ford.",
        "The vanguard holds and I will ambush them there. The militia goes to the ford.",
    ],
)
@pytest.mark.parametrize("mail", ["red@1:\n{}", "{}\n\n> red@1:\n> vanguard:"])
def test_a_paragraph_with_a_doubtful_sentence_gives_no_order(
    campaign: Campaign, mail: str, text: str
) -> None:
    taken = take(campaign, mail.format(text))
    assert not orders(taken) and len(taken.refused["red"]) == 1


@pytest.mark.parametrize(
    "line",
    [
        "The Sails to Mirebridge please, drowneds with them.",
        "sails: to Mirebridge please, drowneds with them",
        "sails: to Mirebridge\ndrowneds with them",
        "sails: to Mirebridge\ndrowned: they can go along",
    ],
)
def test_a_second_force_that_goes_with_the_first_joins_it(line: str) -> None:
    taken = take(coast(), f"red@1:\n{line}")
    assert (orders(taken), taken.errors) == ({"black-sails": MARCH, "the-drowned": "join black-sails"}, [])


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("drowned: with them", {}),
        ("sails: to Rome\ndrowned: with them", {}),
        ("watch: hold\ndrowned: with them", {}),
        ("sails: to Mirebridge (drowneds with them too)", {}),
    ],
)
def test_them_means_no_force_without_a_single_one_on_the_line_above(line: str, left: dict[str, str]) -> None:
    taken = take(coast(), f"red@1:\n{line}")
    assert orders(taken) == left and "drowned" in player_text(taken.errors[-1])


@pytest.mark.parametrize(
    "line",
    [
        "Poor Bob. They all march to the ford.",
        "They both hold.",
        "Take your time. We wait.",
        "Are they all there? We wait.",
    ],
)
def test_a_sentence_about_others_is_no_order_for_all_forces(campaign: Campaign, line: str) -> None:
    assert orders(take(campaign, f"red@1:\nvanguard: hold\n{line}")) == {"vanguard": "hold"}


@pytest.mark.parametrize("remark", ["Just kidding.", "Forget it", "I changed my mind!", "I am only joking"])
@pytest.mark.parametrize("order", ["We hold", "vanguard: hold"])
def test_a_remark_that_takes_back_its_order_is_an_error(campaign: Campaign, order: str, remark: str) -> None:
    taken = take(campaign, f"{order}. {remark}", "red")
    assert not orders(taken) and "leave it out" in player_text(taken.errors[0])


@pytest.mark.parametrize(
    "line",
    ["If Vanguard marches to the ford, is he safe? Then do it.", "Does Vanguard go there too? Yes, please.",
     "Is the ford free for Vanguard? OK, then please go."],
)  # fmt: skip
def test_a_question_that_is_followed_by_yes_can_be_a_correction(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"red@1:\nvanguard: hold\n{line}")
    assert not orders(taken) and "can be a correction" in player_text(taken.errors[0])
