"""Requests about peace, and the command by which the umpire makes it."""

from __future__ import annotations

import pytest

from cardbattle.campaign.exchange.message_error import player_text
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign
from tests.campaign.phases.movement.test_procedure import vale
from tests.support.vale import ADDRESS, named_vale, orders, take

COMMAND = "campaign set factions.red.peace+=blue --reason TEXT; with --public, all players read the reason"


@pytest.mark.parametrize("mail", [f"{ADDRESS}:\nall: hold\n{{}}", f"{{}}\n\nall: hold\n\n> {ADDRESS}:\n"])
@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("We have made peace with Blue.", COMMAND),
        ("The militia is in an alliance with Blue now and marches beside the Blue guard.", COMMAND),
        ("Frieden mit Blue!", COMMAND),
        ("Ann and I have made peace.", ""),
        ("Peace: no, not as long as the guard is at the ford.", ""),
        ("An alliance against Blue!", ""),
        ("Blue has broken the peace; vanguard and militia stay.", ""),
    ],
)
def test_a_line_about_peace_is_a_request_and_changes_no_order(mail: str, line: str, command: str) -> None:
    taken = take(named_vale(), mail.format(line))
    assert orders(taken) == {"vanguard": "hold", "militia": "hold"}
    assert "is a request, not an order" in str(taken.errors[0])
    assert (COMMAND in str(taken.errors[0])) == bool(command)


@pytest.mark.parametrize(
    "line",
    ["No peace while he sits at my ford!", "We want no truce with Blue.", "I release nobody.",
     "Blue asked for peace. We decline.",
     "We won't let Holt go, and there is no peace.", "Peace with Blue? Not today.", "A truce, Blue? Never!"],
)  # fmt: skip
def test_a_refusal_is_not_a_request(line: str) -> None:
    taken = take(named_vale(), f"{ADDRESS}:\nall: hold\n\n{line}\n")
    [error] = taken.errors
    assert "is a refusal, not an order; forward it" in str(error)
    assert player_text(error) == f'"{line}" is a refusal; the umpire has read it'
    friends = named_vale().after([Change(("factions", "red", "peace"), None, ["blue"])])
    [error] = take(friends, f"{ADDRESS}:\nall: hold\n\n{line}\n").errors  # it can end the peace
    assert "is a request" in str(error)


def test_an_answer_that_changes_is_no_refusal() -> None:
    line = "Peace with Blue? No. Yes, all right."
    [error] = take(named_vale(), f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
    assert "is a request, not an order; decide on it yourself" in str(error)
    assert player_text(error).startswith(f'"{line}" is a request')


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (
            "Next turn I need a substitute.",
            "when turn 2 has begun, write: cardbattle campaign substitute red --turn 2",
        ),
        ("I need a substitute.", "commander, write: cardbattle campaign substitute red --turn 1"),
        ("Tom, don't tell Blue, but I end the peace with Blue.", "set factions.red.peace-=blue"),
        ("Please give 3 of my silver to Blue", "factions.red.purse-=3 factions.blue.purse+=3"),
    ],
)
def test_a_request_has_the_right_command(line: str, command: str) -> None:
    changes = [Change(("factions", "red", "peace"), None, ["blue"])] if "peace" in line else []
    rich = named_vale().after([Change(("factions", "red", "purse"), None, 9), *changes])
    [error] = take(rich, f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
    assert command in str(error)


@pytest.mark.parametrize(
    ("line", "is_offer"),
    [("We offer peace to Blue.", True), ("I offer Blue 4 gold.", True), ("Blue has broken the peace!", False),
     ("We want no peace with Blue.", False), ("Please spend 4 on the militia.", False)],
)  # fmt: skip
def test_the_umpire_reads_that_the_program_forwards_no_offer(line: str, is_offer: bool) -> None:
    rich = named_vale().after([Change(("factions", "red", "purse"), None, 9)])
    [error] = take(rich, f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
    assert ("if this is an offer to another player, forward it" in str(error)) == is_offer
    assert "forward" not in player_text(error)


@pytest.mark.parametrize(
    "line", ["Peace, Ann", "Rest in peace, Blue guard!", "You are at peace with Blue: no fight."]
)
def test_other_words_about_peace_are_no_request(line: str) -> None:
    assert not take(named_vale(), f"{ADDRESS}:\nall: hold\n\n{line}\n").errors


@pytest.mark.parametrize("line", ["The peace with Blue is over!", "We break our alliance with Blue."])
@pytest.mark.parametrize(("one", "other"), [("red", "blue"), ("blue", "red")])
def test_the_end_of_a_peace_has_a_command(line: str, one: str, other: str) -> None:
    friends = named_vale().after([Change(("factions", one, "peace"), None, [other])])
    mail = f"{ADDRESS}:\nall: hold\n\n{line}\n"
    command = f"to end the peace, write: cardbattle campaign set factions.{one}.peace-={other}"
    assert command in str(take(friends, mail).errors)
    assert "to end the peace" not in str(take(named_vale(), mail).errors)


@pytest.mark.parametrize(
    "name", ["The Abbey of Saint Osyth", "the-abbey-of-saint-osyth", "the Abbey", "blue"]
)
@pytest.mark.parametrize("begin", ["We accept the truce with", "I offer peace to"])
def test_a_faction_can_have_the_name_of_a_place(name: str, begin: str) -> None:
    abbey = {("factions", "blue", "name"): "The Abbey of Saint Osyth"}
    abbey |= {("locations", "mill", "name"): "Abbey Hill", ("locations", "ford", "name"): "Saint Osyth"}
    campaign = named_vale().after([Change(key, None, value) for key, value in abbey.items()])
    mail = f"{ADDRESS}:\nall: hold\n\n{begin} {name}.\n"
    assert COMMAND in str(take(campaign, mail).errors[0])
    assert COMMAND not in str(
        take(campaign, f"{ADDRESS}:\nall: hold\n\n{begin} our friends at Abbey Hill.").errors
    )


@pytest.mark.parametrize(
    ("line", "is_request"),
    [
        ("off to tenerife til monday, get someone to sub me", True),
        ("Ann is my substitute until Monday.", True),
        ("I ask for a substitute next turn.", True),
        ("I am back, thank you for the substitute!", False),
        ("Thanks for the substitute last week!", False),
        ("I am away next week, let somebody else play.", True),
        (
            "I read about nuns all weekend (did you know that they fought knights?) and the dog is well.",
            False,
        ),
    ],
)
def test_a_wish_for_a_substitute_is_a_request_and_a_question_in_brackets_is_not(
    line: str, is_request: bool
) -> None:
    taken = take(named_vale(), f"{ADDRESS}:\nall: hold\n\n{line}\n")
    assert len(orders(taken)) == 2 and ("is a request" in str(taken.errors)) == is_request == bool(
        taken.errors
    )


def test_a_request_for_a_peace_that_exists_has_no_command() -> None:
    friends = named_vale().after([Change(("factions", "red", "peace"), None, ["blue"])])
    assert COMMAND not in str(take(friends, f"{ADDRESS}:\nall: hold\nPeace with Blue!").errors)


@pytest.mark.parametrize(
    "line",
    [
        "Could you please send the map next time? And how many steps is it from the ford to the mill?",
        "Could you please send the map? How many steps is it for the Town Band from the ford to the mill?",
        "Please send the map. How many steps does the Town Band march to the mill?",
        "and wait there for the Abbey",
    ],
)
@pytest.mark.parametrize("sender", ["", "red"])
def test_a_request_and_a_question_on_a_line_change_no_order(line: str, sender: str) -> None:
    forces = {key: dict(force) for key, force in named_vale().data["forces"].items()}  # type: ignore[attr-defined]
    forces["vanguard"]["name"] = "The Town Band"
    mail = f"{'' if sender else ADDRESS}:\nThe Town Band: march to ford\nmilitia: hold\n\n{line}"
    taken = take(vale({}, forces=forces), mail, sender)
    assert orders(taken) == {"vanguard": "march to ford", "militia": "hold"}
    assert [*map(str, taken.errors)] == [
        "mail.txt:5: this line is a request, not an order; decide on it yourself"
    ][: "map" in line]


def test_a_line_about_a_place_named_peace_is_not_about_peace() -> None:
    campaign = vale({}, locations={**vale({}).data["locations"], "peace": {}})  # type: ignore[dict-item]
    text = f"{ADDRESS}:\nvanguard: hold\nWhat a nice evening at Peace"
    assert take(vale({}), text).errors and not take(campaign, text).errors


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (
            "I release nobody. Can I hire men for 6?",
            "write for example: cardbattle campaign adjust factions.red",
        ),
        ("No peace! Please spend 6 on the militia.", "factions.red.purse-=6 forces.militia.strength+=N"),
        ("Never attack Blue, we have peace.", "decide on it yourself"),
        ("They give us the bridge back.", "write: cardbattle campaign set locations.bridge.owner=red"),
        ("Blue hands back the bridge.", "write: cardbattle campaign set locations.bridge.owner=red"),
        ("We give the mill back to Blue.", "write: cardbattle campaign set locations.mill.owner=blue"),
        ("We give the bridge to Blue.", "decide on it yourself"),
        ("We hand the mill back.", "write: cardbattle campaign set locations.mill.owner=FACTION"),
        ("We give him back at the mill.", "to release a prisoner, write: cardbattle campaign unset"),
        ("8 coins and you catch him AGAIN?? Unfair!!!", "decide on it yourself"),
        ("I want to spend 9 on the militia (3 men).", "factions.red.purse-=9 forces.militia.strength+=3"),
        ("I spend 6 on the militia. Pay 2 coins to Blue.", "purse-=6 forces.militia.strength+=N"),
        ("I spend 6 on the militia. Pay 2 coins to Blue.", "factions.red.purse-=2 factions.blue.purse+=2"),
        ("6 on the Militia please.", "factions.red.purse-=6 forces.militia.strength+=N"),
        ("6 on the bridge please.", "decide on it yourself"),
        ("I offer Blue peace until the very end.", "factions.red.peace+=blue"),
        ("A truce with Blue till the end of the war?", "factions.red.peace+=blue"),
        ("I want to end the truce with Blue.", "decide on it yourself"),
        (
            "A truce with Blue until turn 4!",
            "to end it, write in turn 4: cardbattle campaign set factions.red.peace-=",
        ),
        ("Peace with Blue, please. To the end of turn 4.", "write in turn 5: cardbattle campaign set"),
        ("Blue and I have made a truce for two turns.", "factions.red.peace+=blue"),
        (
            "Blue and I have made a truce for two turns.",
            "in turn 3: cardbattle campaign set factions.red.peace-=blue",
        ),
        ("pls let someone play for me", "write: cardbattle campaign substitute red --turn 1"),
        ("I cannot play this turn.", "write: cardbattle campaign substitute red --turn 1"),
        ("Please let the computer make my battles.", "write: cardbattle campaign substitute red --turn 1"),
        ("We agree on a truce with Blue. I give Blue 3 silver for his wounded.", "factions.red.peace+=blue"),
        (
            "We agree on a truce with Blue. I give Blue 3 silver for his wounded.",
            "factions.red.purse-=3 factions.blue.purse+=3",
        ),
        ("Peace with Blue, and the others must not hear of it.", "factions.red.peace+=blue"),
    ],
)
def test_a_request_has_the_command_that_fits_it(line: str, hint: str) -> None:
    rich = named_vale().after([Change(("factions", "red", "purse"), None, 9)])
    [error] = take(rich, f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
    assert hint in str(error)


def test_the_player_reads_that_the_order_beside_a_request_is_taken() -> None:
    lines = "vanguard: hold, buy 4 strength for 12 coins"
    taken = take(named_vale(), f"{ADDRESS}:\n{lines}")
    assert orders(taken) == {"vanguard": "hold"}
    rest = "the rest is a request; the umpire has read it and will decide"
    [text] = map(player_text, taken.refused["red"])
    assert text == f'"{lines}" is read as "vanguard: hold"; {rest}'
    taken = take(named_vale(), f"{ADDRESS}:\nvanguard: hold. Can the militia see the ford?")
    [text] = map(player_text, taken.refused["red"])
    assert text.startswith('"Can the militia see the ford?" is a question')


def test_a_request_that_ends_with_a_force_on_the_next_line_is_one_request() -> None:
    """The next line begins with the name of a force, but is no order."""
    taken = take(
        named_vale(), f"{ADDRESS}:\nvanguard: hold\n\nPlease spend 6 silver on the\nmilitia. I am cold."
    )
    [request] = taken.refused["red"]
    assert len(taken.errors) == 1 and "silver on the militia." in player_text(request)
    order = take(named_vale(), f"{ADDRESS}:\nvanguard: hold\n\nPlease spend 6 silver\nmilitia will hold.")
    assert len(order.errors) == 1 and orders(order) == {"vanguard": "hold", "militia": "hold"}


RICH = named_vale().after([Change(("factions", "red", "purse"), None, 30)])


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("Seven soldiers for the Militia (21 crowns).", "purse-=21 forces.militia.strength+=7"),
        ("10 crowns: three soldiers for the Vanguard, keep the change.", "-=10 forces.vanguard.strength+=3"),
        ("Three soldiers for Militia.", "purse-=N forces.militia.strength+=3"),
        ("Two men (6 crowns) for the Militia before they leave.", "purse-=6 forces.militia.strength+=2"),
        ("9 crowns for 3 men for the Militia? They are at the ford, so I guess not.", "-=9 forces.militia"),
        ("Twenty-one crowns for the Militia before they march.", "purse-=N forces.militia.strength+=N"),
        ("Militia: another six crowns", "purse-=6 forces.militia.strength+=N"),
        (
            "Can I have two more soldiers for the Militia please? I have 6 silver.",
            "-=N forces.militia.strength+=2",
        ),
        ("Please put 4 new men into the Militia (12 silver).", "purse-=12 forces.militia.strength+=4"),
        ("My 9 silver: 3 fighters for the Militia, please.", "purse-=9 forces.militia.strength+=3"),
        ("3 fighters for the Militia for 9 silver please", "purse-=9 forces.militia.strength+=3"),
        ("I want 6 crowns for the Militia", "purse-=6 forces.militia.strength+=N"),
    ],
)
def test_a_purchase_without_a_verb_is_a_request_and_changes_no_order(line: str, change: str) -> None:
    taken = take(RICH, f"{ADDRESS}:\nvanguard: march to ford\nmilitia: hold\n\n{line}\n")
    assert orders(taken) == {"vanguard": "march to ford", "militia": "hold"}
    [error] = taken.errors
    assert "is a request" in player_text(error) and "the umpire has read it" in player_text(error)
    assert change in str(error) and "prisoner" not in str(error)


@pytest.mark.parametrize(
    ("line", "force"),
    [
        ("The Vanguard lost 5 men, so they hold.", "vanguard"),
        ("5 men of the Vanguard march to the mill.", "vanguard"),
        ("Vanguard stays home, three soldiers for the Militia.", "vanguard"),
        ("Two men for the Militia would be nice. But they march to the mill instead.", "militia"),
    ],
)
def test_a_correction_beside_a_number_of_soldiers_is_a_correction(line: str, force: str) -> None:
    taken = take(RICH, f"{ADDRESS}:\nvanguard: march to ford\nmilitia: hold\n\n{line}\n")
    assert {*orders(taken)} == {"vanguard", "militia"} - {force}


def test_a_purchase_and_a_peace_on_a_line_have_a_command_each() -> None:
    line = "We'd like 2 soldiers for the Militia. And would Blue like a truce with us for three turns?"
    [error] = take(RICH, f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
    assert "adjust factions.red.purse-=N forces.militia.strength+=2" in str(error)
    assert "factions.red.peace+=blue" in str(error)


def test_a_question_with_a_sum_changes_no_order() -> None:
    line = "How many soldiers for 10 crowns can the Vanguard get before they march?"
    taken = take(RICH, f"{ADDRESS}:\nall: hold\n\n{line}\n")
    assert len(orders(taken)) == 2 and "is a question" in str(taken.errors[0])


@pytest.mark.parametrize(
    ("line", "request_text", "change"),
    [
        (
            "militia: hold. Three soldiers for the Militia.",
            "Three soldiers for the Militia.",
            "-=N forces.militia.strength+=3",
        ),
        (
            "militia: hold, three soldiers for the Militia, 9 crowns",
            "three soldiers for the Militia, 9 crowns",
            "-=9 forces.militia.strength+=3",
        ),
        (
            "Militia holds; and please 2 men for the Vanguard",
            "and please 2 men for the Vanguard",
            "-=N forces.vanguard.strength+=2",
        ),
        (
            "militia: hold. Please hire 2 men for the Militia. Is that enough?",
            "Please hire 2 men for the Militia. Is that enough?",
            "-=N forces.militia.strength+=2",
        ),
    ],
)
def test_an_order_and_a_request_on_a_line_are_both_read(line: str, request_text: str, change: str) -> None:
    taken = take(RICH, f"{ADDRESS}:\nvanguard: march to ford\n{line}\n")
    assert orders(taken) == {"vanguard": "march to ford", "militia": "hold"}
    [error] = taken.errors
    assert change in str(error) and f'"{request_text}" is a request' in player_text(error)


@pytest.mark.parametrize(
    "line",
    [
        "militia: hold. Three soldiers for the Militia, then march to the mill.",
        "militia: hold. Three soldiers for the Militia instead.",
        "militia: hold, 3 men of the Militia march to the mill",
    ],
)
def test_a_request_that_can_change_the_order_before_it_refuses_the_order(line: str) -> None:
    taken = take(RICH, f"{ADDRESS}:\nvanguard: march to ford\n{line}\n")
    assert orders(taken) == {"vanguard": "march to ford"} and taken.refused["red"]


def test_a_peace_without_the_name_of_a_faction_has_a_command() -> None:
    def hint(campaign: Campaign, line: str) -> str:
        [error] = take(campaign, f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
        return str(error)

    friends = named_vale().after([Change(("factions", "green", "peace"), None, ["red"])])
    assert "factions.red.peace+=FACTION --reason" in hint(named_vale(), "Yes to Greta's peace!")
    assert "factions.red.peace+=blue --reason" in hint(friends, "Yes to Greta's peace!")
    assert "factions.green.peace-=red --reason" in hint(friends, "The peace is over!")
    assert "factions.red.peace-=" not in hint(named_vale(), "The peace is over!")


def with_player(name: str) -> Campaign:
    """Return the campaign, in which Red owns the mill and Blue's player has a name."""
    changes = [Change(("factions", each, "purse"), None, 9) for each in ("red", "blue")]
    changes.append(Change(("factions", "blue", "player"), None, name))
    return named_vale().after([*changes, Change(("locations", "mill", "owner"), None, "red")])


@pytest.mark.parametrize(
    "line",
    [
        "I give the Mill back to Joan, as a present.",
        "And I give the Mill back to Joan, as a present.",
        "I give the Mill to Joan.",
        "We hereby hand over the Mill to Blue!",
        "Hello! I give Joan the Mill.",
    ],
)
@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_gift_of_a_place_is_a_request(line: str, gap: str) -> None:
    taken = take(with_player("Joan"), f"{ADDRESS}:\nall: hold\n{gap}{line}\n")
    [error] = taken.errors
    assert "campaign set locations.mill.owner=blue --reason TEXT" in str(error)
    assert "is a request" in player_text(error) and len(orders(taken)) == 2


@pytest.mark.parametrize("line", ["We give Joan a fight at the Mill.", "I give the Mill Guard to Joan."])
def test_other_gifts_are_no_gifts_of_a_place(line: str) -> None:
    assert "owner=" not in str(take(with_player("Joan"), f"{ADDRESS}:\nall: hold\n\n{line}\n").errors)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("I pay Joan 4 silver for peace", "factions.red.purse-=4 factions.blue.purse+=4 --reason"),
        ("I pay Joan 4 silver for peace", "factions.red.peace+=blue --reason"),
        ("Agreed with joan: peace for 4 silver", "factions.red.peace+=blue --reason"),
        ("Agreed with joan: peace for 4 silver", "factions.PAYER.purse-=4 factions.RECEIVER.purse+=4"),
        ("We have a truce with Joan Smith.", "factions.red.peace+=blue --reason"),
        ("I give Joan 3.", "factions.red.purse-=3 factions.blue.purse+=3 --reason"),
    ],
)
def test_the_name_of_a_player_means_the_faction(line: str, command: str) -> None:
    [error] = take(with_player("Joan Smith"), f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
    assert command in str(error) and "blue" not in player_text(error)


def test_an_everyday_word_names_no_player() -> None:
    [error] = take(with_player("Will"), f"{ADDRESS}:\nall: hold\n\nI will make peace with Green.\n").errors
    assert "factions.red.peace+=green --reason" in str(error)


@pytest.mark.parametrize(
    ("line", "is_request"),
    [
        ("Could someone take over for me?", True),
        ("I am away next week, can the computer play for me?", True),
        ("Can the AI take my turn?", True),
        ("Could somebody play for two weeks?", True),
        ("Can I have a substitute next week?", True),
        ("Does the computer still play for me?", False),
        ("Who is my substitute?", False),
        ("Could someone play for Blue?", False),
        ("Can the computer play the battle?", False),
    ],
)
def test_a_question_for_a_substitute_is_a_request(line: str, is_request: bool) -> None:
    [error] = take(named_vale(), f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
    assert ("campaign substitute red --turn 1" in str(error)) == is_request
    assert ("is a request" if is_request else "is a question") in player_text(error)


def test_a_question_with_an_announcement_is_a_question() -> None:
    text = "Before my orders, a question: if the militia comes to the ford, is it ours?"
    [error] = take(named_vale(), f"{ADDRESS}:\nall: hold\n\n{text}\n").errors
    assert "is a question; the umpire has read it and will answer" in player_text(error)


@pytest.mark.parametrize(
    "line", ["I would like to add that I am not angry.", "I'd like to mention the rain."]
)
def test_a_polite_remark_is_no_request(line: str) -> None:
    assert not take(named_vale(), f"{ADDRESS}:\nall: hold\n\n{line}\n").errors


@pytest.mark.parametrize(
    "line", ["I would like to add 3 men to the militia.", "I want to tell Blue that we resign."]
)
def test_a_wish_that_begins_like_a_remark_is_a_request(line: str) -> None:
    [error] = take(named_vale(), f"{ADDRESS}:\nall: hold\n\n{line}\n").errors
    assert "is a request" in player_text(error)


REST = ("All the rest stays as it was.", "Everything else is unchanged.", "Keep the rest as I wrote.")


@pytest.mark.parametrize("rest", [*REST, "No other changes.", "The others remain as in my first mail."])
@pytest.mark.parametrize(
    "form", ["vanguard: march to ford\n{}", "{} vanguard: march to ford", "vanguard: march to ford. {}"]
)
def test_a_sentence_that_leaves_earlier_orders_alone_orders_nothing(rest: str, form: str) -> None:
    taken = take(named_vale(), f"{ADDRESS}:\n{form.format(rest)}")
    assert orders(taken) == {"vanguard": "march to ford"} and not taken.errors


@pytest.mark.parametrize(
    ("line", "is_question"),
    [
        ("Does the mill help who stands in it?", True),
        ("Thank you. Would it be possible to tell me whether the ford helps who holds it?", True),
        ("May we march to the mill?", False),
        ("Would it be possible to hold at the mill?", False),
        ("What about the mill instead, to hold it?", False),
        ("Does the mill help who stands in it? March to the mill!", False),
    ],
)
def test_a_question_above_a_quoted_form_leaves_its_orders(line: str, is_question: bool) -> None:
    form = f"> {ADDRESS}:\n> vanguard: march to ford\n> militia: hold\n"
    taken = take(named_vale(), f"{line}\n\n{form}")
    assert bool(orders(taken)) == is_question
    assert taken.errors
