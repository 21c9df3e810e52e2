"""Each order and each error of a message counts once."""

from __future__ import annotations

import textwrap

import pytest

from cardbattle.battles.messages.pasted_text import mails_in
from cardbattle.campaign.exchange.mails import take_messages
from cardbattle.campaign.exchange.message_error import player_text
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign, read_campaign
from tests.campaign.phases.movement.test_procedure import vale
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.vale import ADDRESS, after, named_vale, orders, take


def test_an_error_is_reported_once_for_all_parts_of_a_line(campaign: Campaign) -> None:
    assert len(take(campaign, "all: hold; all: march to ford; all: hold").errors) == 1


def test_a_mail_without_an_address_orders_the_forces_of_one_faction(campaign: Campaign) -> None:
    """Its sender could otherwise order the forces of another player. Pasted lines have no header."""
    lines = "vanguard: hold\nmilitia: hold\nguard: march to fort (haha)\n"
    taken = take(campaign, f"From: Ann <ann@example.org>\n\n{lines}")
    assert not orders(taken) and not taken.values and len(taken.errors) == 3
    assert "this mail orders forces of Red and Blue; name its sender with --for" in str(taken.errors[0])
    assert not any(faction for faction in taken.refused if faction)
    assert len(orders(take(campaign, lines))) == 3
    blue = ADDRESS.replace("red", "blue")
    addressed = f"From: Ann <ann@example.org>\n\n{ADDRESS}:\nvanguard: hold\n{blue}:\nguard: hold"
    assert orders(take(campaign, addressed)) == {"vanguard": "hold", "guard": "hold"}


HEADER = "From: Ann <ann@example.org>\n\n"


@pytest.mark.parametrize("line", ["guard: march to Rome", "guard: fly to ford", "guard = hodl and hold"])
def test_a_bad_order_for_another_faction_refuses_a_mail_too(campaign: Campaign, line: str) -> None:
    """The sender can be the player of the bad order, and the good one a joke."""
    mail = f"{HEADER}{line}\nvanguard: hold (haha)\n"
    taken = take(campaign, mail)
    assert not taken.values and not taken.refused
    assert "vanguard: this mail orders forces of Blue and Red; name its sender with --for" in str(
        taken.errors
    )
    assert orders(take(campaign, mail, "red")) == {"vanguard": "hold"}
    assert orders(take(campaign, f"{mail}\n> {ADDRESS}:\n> militia:")) == {"vanguard": "hold"}


@pytest.mark.parametrize("about", ["guard: burn your boats", "Guard march to hell", "I hate the guard."])
def test_a_remark_about_an_enemy_does_not_hide_who_sent_a_mail(campaign: Campaign, about: str) -> None:
    mail = f"{HEADER}vanguard: hold\nThe militia stays.\n{about}\nPlease spend 4 on the militia.\nvangard fly"
    taken = take(campaign, mail)
    assert orders(taken) == {"vanguard": "hold", "militia": "hold"}
    read = [*map(player_text, taken.refused["red"])]
    assert "is a request; the umpire has read it" in str(read) and "guard" not in str(read)


def test_one_order_does_not_show_who_sent_a_mail_with_a_remark_about_another_force(
    campaign: Campaign,
) -> None:
    taken = take(campaign, f"{HEADER}guard: burn\nvanguard: hold\nPlease spend 4 on the militia.")
    assert not taken.values and not taken.refused


def test_an_eml_file_begins_with_a_header(campaign: Campaign) -> None:
    mail = (
        "Return-Path: <ann@x.org>\nReceived: from x.org\n by y.org\nFrom: Ann\n\nvanguard: hold\nguard: hold"
    )
    assert not take(campaign, mail).values


FOES = ["{}: burn", "{}: march to ford", "{}: hold at bridge", "{} march to ford", "{} - with garrison"]
FOES += ["{}: same", "{} -> ford", "{} - avoid battle", "{}: ford", "{}: we hold", "The {} marches to ford."]


@pytest.mark.parametrize(
    "form", ["", pytest.param("\n> the-vale/blue@1:\n> guard:\n", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", ["guard", pytest.param("Brandt", marks=pytest.mark.slow)])
@pytest.mark.parametrize("foe", [*FOES, "{} hold"])
def test_the_answer_to_a_mail_shows_nothing_of_a_hidden_force(foe: str, name: str, form: str) -> None:
    """The enemy's place, leader and destruction are hidden, so they change neither orders nor answer.

    That is also so if the sender quotes the enemy's form, above which an order can be the enemy's own.
    """
    data = {**named_vale().data, "visibility": {"location": "own", "commander": "own"}}
    changes = [
        Change(("forces", "guard", "destroyed"), None, True),
        Change(("forces", "guard", "location"), "bridge", "wood"),
        Change(("forces", "guard", "leader"), None, "Captain Brandt"),
        Change(("forces", "garrison", "destroyed"), None, True),
    ]
    worlds = [read_campaign(data), *(read_campaign(data).after([change]) for change in changes)]
    for own in ("vanguard: hold, tired\nmilitia: fly", "vanguard: hold\nMilitia stays here."):
        mail = f"{HEADER}{own}\n{foe.format(name)}\nPlease spend 4 on the militia.\n{form}"
        read = []
        for taken in (take(world, mail) for world in worlds):
            own_orders = {
                key: order for key, order in orders(taken).items() if key in ("vanguard", "militia")
            }
            read.append(
                (own_orders, [*map(player_text, taken.refused.get("red", ()))], taken.remarks.get("red"))
            )
        assert all(each == read[0] for each in read)


@pytest.mark.parametrize("foe", ["vanguard: hold", "Vanguard hold"])
def test_a_mail_above_a_quoted_form_orders_no_force_of_another_player(campaign: Campaign, foe: str) -> None:
    form = "\n\n> the-vale/blue@1:\n> guard:\n"
    taken = take(campaign, f"{HEADER}The guard holds.\n{foe}{form}")
    assert orders(taken) == {"guard": "hold"} and "vanguard" in str(taken.errors[0]).casefold()
    assert orders(take(campaign, f"{HEADER}vanguard: hold\nI hate the guard.{form}")) == {"vanguard": "hold"}


def test_a_rejected_order_is_not_replaced_by_an_older_quoted_one(campaign: Campaign) -> None:
    quoted = "On Sat the umpire wrote:\n> Red militia: march to ford\n> Red vanguard: march to ford\n"
    taken = take(campaign, f"Red vanguard hold\nRed militia: hold\n\n{quoted}")
    assert orders(taken) == {"militia": "hold"}
    alone = take(campaign, f"Red militia hold\n\n{quoted}")
    assert orders(alone) == {}
    assert "write a colon after the force" in str(alone.errors[0])


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
    "own", [f"{ADDRESS}:\nall: hold", "Red vanguard: hold\nmilitia: hold", f"{ADDRESS}:\nWell!"]
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


FORWARDS = [
    "Bea wrote:\n",
    "Am Fr., 27. Nov. 2026 um 22:40 Uhr schrieb Bea <b@y.org>:\n\n",
    "-----Original Message-----\nFrom: Bea\nSubject: my plan\n\n",
    "-----Urspr\u00fcngliche Nachricht-----\nVon: Bea\nBetreff: Plan\n\n",
    "---------- Forwarded message ---------\nVon: Bea <b@y.org>\nDate: Fr.\nSubject: Plan\nTo: Ann\n\n",
    "________________________________\nVon: Bea\nGesendet: Freitag\nBetreff: Plan\n\n",
    "Von: Bea\nGesendet: Freitag\nAn: Ann <a@x.org>\nBetreff: Plan\n\n",
]


@pytest.mark.parametrize("own", [f"{ADDRESS}:\nall: hold", "vanguard: hold\nmilitia: hold"])
@pytest.mark.parametrize("header", ["", "From: Ann <a@x.org>\nTo: Umpire <u@z.org>\nSubject: orders\n\n"])
@pytest.mark.parametrize("forward", FORWARDS, ids=range(len(FORWARDS)))
def test_the_orders_of_a_forwarded_mail_do_not_count(
    campaign: Campaign, forward: str, header: str, own: str
) -> None:
    if not header and forward == FORWARDS[-1]:
        return  # without the header of the first mail, this can be a mail of its own
    text = f"{header}{own}\n\nCan we lend 5 from our purse to Blue?\n\n{forward}blue@1:\nguard: march to ford"
    assert mails_in(text) == [text]
    taken = take(campaign, text)
    assert orders(taken) == {"vanguard": "hold", "militia": "hold"}
    assert "another player quotes it: guard: march to ford" in str(taken.notes)
    assert "lend 5" in str([*map(player_text, taken.refused["red"])])
    assert "lend 5" not in str([*map(player_text, taken.refused["blue"])])


def test_several_mails_with_headers_are_no_forwarded_mails(campaign: Campaign) -> None:
    for receiver in ("Umpire <u@z.org>", "Ann <a@x.org>, Umpire <u@z.org>"):
        ann = "From: Ann <a@x.org>\nTo: Umpire <u@z.org>\nSubject: orders\n\nred@1:\nall: hold\n\n"
        bea = f"From: Bea <b@y.org>\nTo: {receiver}\nSubject: orders\n\nblue@1:\nguard: march to ford\n"
        taken = take_messages(campaign, [("mail.txt", mail) for mail in mails_in(ann + bea)])
        assert orders(taken) == {"vanguard": "hold", "militia": "hold", "guard": "march to ford"}


@pytest.mark.slow
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
            assert (orders(one), one.remarks) == (orders(other), other.remarks)
            notes = [note for note in one.notes + other.notes if "ignored" not in note]
            assert not notes  # the umpire reads which lines are ignored


def test_an_answer_does_not_show_the_name_of_an_enemy_leader(campaign: Campaign) -> None:
    led = campaign.after([Change(("forces", "guard", "leader"), None, "Captain Brandt")])
    for text in (
        f"Brandt -> ford\n{ADDRESS}:\nvanguard: hold",
        f"Rowe: join Brandt\n> {ADDRESS}:\n> militia:",
    ):
        refused = [take(each, text).refused for each in (campaign, led)]
        assert len(refused[0]["red"]) == 1
        assert str(refused[0]) == str(refused[1])


def test_an_answer_does_not_show_whether_an_enemy_is_destroyed(campaign: Campaign) -> None:
    """An order for an enemy above the quoted form changed who reads the errors of the mail."""
    lost = campaign.after([Change(("forces", "guard", "destroyed"), None, True)])
    text = f"we attack Red militia at ford\nguard: to ford\n> {ADDRESS}:\n> vanguard: hold\n"
    refused = [take(each, text).refused.get("red") for each in (campaign, lost)]
    assert str(refused[0]) == str(refused[1])


@pytest.mark.parametrize(
    "text", ["{}: hold", "{} hold", "{}: march to ford", "On Sat Bea wrote:\n> {}: hold"]
)
def test_an_order_for_forces_of_two_factions_does_not_show_whether_one_is_destroyed(text: str) -> None:
    lost = named_vale().after([Change(("forces", "guard", "destroyed"), None, True)])
    texts = [text.format(names) for names in ("vanguard and guard", "Blue guard and Red vanguard")]
    for each in texts:
        read = [take(campaign, each) for campaign in (named_vale(), lost)]
        assert [taken.values for taken in read] == [{}, {}]
        assert str(read[0].errors) == str(read[1].errors)
        assert str(read[0].refused) == str(read[1].refused)
        assert "are of several factions" in str(read[0].errors)


def test_an_error_without_an_address_names_no_hidden_force(campaign: Campaign) -> None:
    forces = campaign.data["forces"]
    assert isinstance(forces, dict)
    hidden = vale({}, forces=forces, visibility={"location": "own"})
    [error] = take(hidden, "gaurd: hold").errors
    assert "unknown force; write the address of its faction above it, such as the-vale/FACTION@1:" in str(
        error
    )
    assert 'did you mean "guard"' in str(take(campaign, "gaurd: hold").errors[0])


def test_a_quoted_order_does_not_replace_a_new_order_for_all(campaign: Campaign) -> None:
    taken = take(campaign, f"{ADDRESS}:\nall: hold\n\nAnn wrote:\n> {ADDRESS}:\n> vanguard: to ford")
    assert (orders(taken), taken.errors) == ({"vanguard": "hold", "militia": "hold"}, [])
    errors = take(campaign, f"{ADDRESS}:\nall: hold\nall: march to ford").errors
    assert "vanguard has another order in line 2; leave one of them" in str(errors[0])


def test_different_orders_for_one_force_are_refused(campaign: Campaign) -> None:
    messages = [("one.txt", "vanguard: hold"), ("two.txt", "vanguard: march to ford\nmilitia: hold")]
    taken = take_messages(campaign, messages)
    assert orders(taken) == {"militia": "hold"}
    assert "another order in one.txt, line 1" in str(taken.errors[0])
    taken = take(campaign, f"{ADDRESS}:\nvanguard: hold\nvanguard: march to ford\nmilitia: hold")
    assert orders(taken) == {"militia": "hold"}
    assert "vanguard has another order in line 2" in str(taken.errors[0])
    lines = '"vanguard: hold" and "vanguard: march to ford"'  # the player does not know the umpire's file
    assert (
        player_text(taken.errors[0]) == f"vanguard has two orders, in your lines {lines}; leave one of them"
    )
    assert getattr(taken.errors[0], "source", "") == "vanguard: march to ford"
    line = "vanguard: hold; vanguard: march to ford"
    [error] = take(campaign, f"{ADDRESS}:\n{line}").errors
    assert player_text(error) == f'vanguard has two orders in your line "{line}"; leave one of them'
    assert "vanguard has two orders on this line" in str(error)


def test_a_player_with_different_orders_in_two_mails_reads_once_that_none_counts(campaign: Campaign) -> None:
    mails = [
        (f"{number}.txt", f"vanguard: {order}") for number, order in enumerate(("hold", "to ford", "to mill"))
    ]
    [error] = take_messages(campaign, mails).refused["red"]
    assert player_text(error) == "vanguard has different orders in your mails; send the one that counts"


SECRET = "xylophone"  # a word that only the sender of a text has written
ABOUT_BLUE = [
    "The guard will march to the ford and I will ambush it with the xylophone.",
    "guard: xylophone",
    "guard: march to xylophone",
    "guard - march to xylophone",
    "guard: march to ford, but not if the xylophone comes",
    "guard march to xylophone",
    "guard: hold\nguard: march to xylophone",
    "guard: mrach to xylophone",
    "guard and garrison: march to xylophone",
    "Can the guard spend 3 coins on a xylophone?",
    "Please tell the guard about the xylophone",
    "guard: join xylophone",
    "guard: same as xylophone",
]
ABOVE = ["", "From: Ann <ann@x.org>\n\n", "vangard: fly\n", "vanguard: march to Rome\n", "vanguard: hold\n"]
QUOTATIONS = ["", "> ", "-----Original Message-----\n", "From: Bob <bob@y.org>\nSubject: orders\n\n"]


@pytest.mark.parametrize("quotation", QUOTATIONS, ids=range(len(QUOTATIONS)))
@pytest.mark.parametrize("above", ABOVE, ids=range(len(ABOVE)))
@pytest.mark.parametrize("text", ABOUT_BLUE)
def test_no_player_reads_the_text_of_an_unknown_sender(
    campaign: Campaign, text: str, above: str, quotation: str
) -> None:
    """A line that names a force of Blue can be from Red, who writes about it. The umpire reads it."""
    below = textwrap.indent(text, quotation) if quotation == "> " else quotation + text
    taken = take(campaign, above + below)
    sent = {faction: [*map(player_text, errors)] for faction, errors in taken.refused.items()}
    is_first_order = orders(taken).get("guard") is not None  # which shows that Blue sent the text
    assert is_first_order or SECRET not in str(sent.get("blue"))
    sources = [getattr(error, "source", "") for error in taken.errors]
    assert quotation or SECRET in str([*map(str, taken.errors), *taken.notes, *sources])


@pytest.mark.parametrize("text", ABOUT_BLUE)
def test_a_player_reads_the_text_below_an_address(campaign: Campaign, text: str) -> None:
    for known in (take(campaign, f"blue@1:\n{text}"), take(campaign, text, "blue")):
        assert "red" not in known.refused
        assert [*map(str, known.errors)] == [*map(str, known.refused["blue"])]


@pytest.mark.parametrize("above", ["vanguard: hold", "vangard: fly", "Hello"])
def test_no_player_reads_an_order_that_an_unknown_sender_quotes(campaign: Campaign, above: str) -> None:
    for quote in ("> guard: march to ford", "-----Original Message-----\nguard: march to ford"):
        taken = take(campaign, f"{above}\n{quote}")
        assert taken.refused.get("blue") is None
        assert "march to ford" in str([*taken.errors, *taken.notes, taken.values])


DESTROYED = Change(("forces", "vanguard", "destroyed"), None, True)
LOST = {
    "the force is destroyed": DESTROYED,
    "the force has surrendered": DESTROYED._replace(text="surrenders"),
    "it is a force of Blue now": Change(("forces", "vanguard", "faction"), "red", "blue"),
}


@pytest.mark.parametrize("mail", ["red@1:\nvanguard: hold", "Vanguard: hold\n\n> red@1:\n> militia: hold"])
@pytest.mark.parametrize("visibility", ["all", "own"])
@pytest.mark.parametrize("fate", LOST)
def test_the_player_of_a_lost_force_reads_what_happened_to_it(mail: str, visibility: str, fate: str) -> None:
    data = named_vale().data
    change = LOST[fate]
    campaign = read_campaign({**data, "visibility": {"location": visibility}}).after([change])
    taken = take_messages(campaign, [("mail.txt", mail)], past=lambda force: [change])
    assert "vanguard" not in orders(taken)
    [error] = [each for each in map(player_text, taken.refused["red"]) if "vanguard" in each.lower()]
    assert error.lower() == f"vanguard: {fate}; leave it out".lower()


def test_another_faction_does_not_read_what_happened_to_a_force() -> None:
    data = named_vale().data
    change = Change(("forces", "guard", "destroyed"), None, True)
    campaign = read_campaign({**data, "visibility": {"location": "own"}}).after([change])
    for mail in (
        "red@1:\nguard: hold",
        "vanguard: hold\nguard: hold",
        "Guard: hold\n\n> red@1:\n> vanguard:",
    ):
        read = map(player_text, take(campaign, mail).refused.get("red", ()))
        assert "destroyed" not in " ".join(read)


@pytest.mark.slow
def test_the_ledger_shows_which_forces_a_faction_has_lost(sh: Shell) -> None:
    sh("campaign", "new", "vale", "--seed", "7")
    folder = str(sh.folder / "vale")
    sh("campaign", "set", "movement.allowance=2", "-C", folder)
    sh("campaign", "add", "road", "the-mill", "the-bridge", "-C", folder)
    sh("campaign", "set", "forces.red-militia.faction=blue", "-C", folder)
    mail = sh.write("mail.txt", "vale/red@1:\nred-militia: hold")
    assert (
        "red-militia: it is a force of Blue now" in sh("campaign", "orders", "take", mail, "-C", folder).out
    )
    sh("campaign", "undo", "-C", folder)
    assert "Red militia: hold" in sh("campaign", "orders", "take", mail, "-C", folder).out


@pytest.mark.parametrize(
    ("line", "is_remark"),
    [
        ("what a fight! Your queen stole my ten, but the\nvanguard held. Nice evening!", True),
        ("The vanguard attacks the fort next.", False),
        ("Can the vanguard march twice?", False),
        ("vanguard: fly", False),
    ],
)
def test_prose_beside_a_result_is_a_remark_after_the_movement(
    campaign: Campaign, line: str, is_remark: bool
) -> None:
    skipped = {"ford/vanguard: we won": "red"}
    texts = [("mail.txt", f"Hello,\n\n{line}\n\nford/vanguard: we won\n\nTom")]
    taken = take_messages(campaign, texts, skipped=skipped, has_moved=True)
    assert bool(taken.errors) is not is_remark
    assert is_remark == any("vanguard held" in note for note in taken.notes)


@pytest.mark.parametrize("names", ["vanguard", "vanguard and militia", "militia + vanguard"])
def test_the_command_for_a_battle_is_shown_for_each_list_of_forces(campaign: Campaign, names: str) -> None:
    texts = [("mail.txt", f"red@1:\n{names}: attack the guard at mill")]
    taken = take_messages(campaign, texts, battle_commands={"mill": "COMMAND"})
    assert "to add it, write: COMMAND" in str(taken.errors[0])


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('"The vanguard might march".', '"The vanguard might march." names vanguard'),
        ('"Please spend 3 on the vanguard."', '"Please spend 3 on the vanguard." is a request'),
        ('"vanguard: hold"\n"vanguard: march to ford"', '"vanguard: hold" and "vanguard: march to ford"'),
    ],
)
def test_a_line_in_quotation_marks_is_quoted_with_one_pair(campaign: Campaign, line: str, text: str) -> None:
    [error] = take_messages(campaign, [("mail.txt", f"red@1:\nmilitia: hold\n\n{line}")]).errors
    assert text in player_text(error) and '""' not in player_text(error)


def test_a_rejected_order_of_a_force_on_the_march_says_that_the_march_goes_on(campaign: Campaign) -> None:
    march = Change(("forces", "vanguard", "march"), None, "march to ford")
    marching = campaign.after([march])
    wrong = take(marching, "red@1:\nvanguard: turn round\nmilitia: hold")
    assert wrong.earlier == {"red": ["vanguard: goes on: march to ford"]}
    assert take(marching, "red@1:\nvanguard: hold\nmilitia: turn round").earlier == {"red": []}


UNDECIDED = ["Not sure yet about the militia, tell you later.", "I'll decide tomorrow about the militia."]


@pytest.mark.parametrize("line", UNDECIDED)
def test_a_player_who_is_not_sure_about_a_force_is_asked_again(campaign: Campaign, line: str) -> None:
    mail = f"{ADDRESS}:\nvanguard: hold\nmilitia: hold\n\n{line}\n"
    taken = take(campaign, mail)
    assert orders(taken) == {"vanguard": "hold"}
    assert 'can be a correction, so "militia: hold" does not count' in str(taken.refused["red"])
    assert orders(take(campaign, mail.replace(line, "The militia is not home yet."))).keys() >= {"militia"}


@pytest.mark.parametrize("line", ["We will decide tomorrow.", "The rest is undecided."])
def test_a_player_who_is_not_sure_without_a_name_reads_that_the_orders_count(
    campaign: Campaign, line: str
) -> None:
    taken = take(campaign, f"{ADDRESS}:\nvanguard: hold\nmilitia: hold\n\n{line}\n")
    assert len(orders(taken)) == 2
    assert "names no force, so it changes no order" in str(taken.refused["red"])


LATER = ["If we can play on Tuesday, I'll let you know.", "I'll tell you later about the militia's party."]


@pytest.mark.parametrize("line", [*LATER, "We'll decide who brings the cake for the militia."])
def test_a_promise_of_news_is_no_doubt_about_an_order(campaign: Campaign, line: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\nvanguard: hold\nmilitia: hold\n\n{line}\n")
    assert len(orders(taken)) == 2 and not taken.refused
