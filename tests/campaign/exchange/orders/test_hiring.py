"""Orders to hire soldiers: their forms, and the lines that stay requests."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from cardbattle.campaign.exchange.message_error import player_text
from cardbattle.campaign.exchange.order_book import Taken
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.visibility.reader import visible_to
from tests.campaign.phases.movement.test_procedure import vale
from tests.support.vale import ADDRESS, after, named_vale, orders, take

PRICE = {"cost": 3, "most": 5}
DECIDES = "is a request; the umpire has read it and will decide"


def market(**recruit: object) -> Campaign:
    """Return the campaign of the guide with a price for soldiers, and money for Red and Blue."""
    data = named_vale().data
    factions = {key: {"purse": 20} if key != "green" else {} for key in ("red", "blue", "green")}
    return vale({}, forces=data["forces"], factions=factions, recruit=recruit or PRICE)


def taken(text: str) -> Taken:
    return take(market(), f"{ADDRESS}:\n{text}")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("vanguard: hire 3", "hire 3"),
        ("vanguard: hold, hire 3", "hold, hire 3"),
        ("vanguard: hire 3 and march to bridge", "march to bridge, hire 3"),
        ("vanguard: march to bridge, hire 3, avoid battle", "march to bridge, avoid battle, hire 3"),
        ("vanguard: hold; hire three men", "hold, hire 3"),
        ("vanguard: hold. Hire 3.", "hold, hire 3"),
        ("vanguard: 3 soldiers", "hire 3"),
        ("vanguard: hold, hire 3 (9 silver)", "hold, hire 3"),
        ("vanguard:\nhire 3", "hire 3"),
        ("vanguard - hire 3", "hire 3"),
        ("The vanguard hires 3 soldiers.", "hire 3"),
        ("vanguard: hold\n3 soldiers for the Vanguard please (9 silver)", "hold, hire 3"),
        ("vanguard: hold\nPlease buy three men for the vanguard", "hold, hire 3"),
        ("vanguard: hold\nI'd like to hire 3 more for our vanguard, please.", "hold, hire 3"),
        ("Hire 3 for the vanguard. It is cold here.\nvanguard: hold", "hold, hire 3"),
        ("vanguard: hire 3\nall: hold", "hold, hire 3"),
        ("vanguard: hire 3\nall: hold, hire 1", "hold, hire 3"),
        ("vanguard: hold, hire none", "hold, hire 0"),
        ("vanguard: hold but no hiring", "hold, hire 0"),
        ("militia: hold, hire 2\nvanguard: same but no hire", "hold, hire 0"),
        ("militia: hold, hire 2\nvanguard: same, hire 1", "hold, hire 1"),
        ("vanguard: hold, hire 3, they are tired", "hold, hire 3"),
    ],
)
def test_an_order_to_hire_stands_beside_an_order_to_move(text: str, order: str) -> None:
    read = taken(text)
    assert orders(read)["vanguard"] == order and not read.errors


@pytest.mark.parametrize(
    "text",
    [
        "hire 2 for the vanguard and 1 for the militia",
        "vanguard: hold\nmilitia: hold\nPlease hire 2 for the Vanguard (6 silver), and one for the Militia.",
        "2 soldiers for the vanguard, 1 for the militia please",
        "hire 2 for the vanguard, hire 1 more for the militia",
        "The militia holds, and hire 1 for the militia plus two for the vanguard.",
    ],
)
def test_a_sentence_can_hire_soldiers_for_two_forces(text: str) -> None:
    read = taken(text)
    hired = {force: str(order).rpartition("hire ")[2] for force, order in orders(read).items()}
    assert (hired, read.errors) == ({"vanguard": "2", "militia": "1"}, [])


@pytest.mark.parametrize(
    ("text", "left", "told"),
    [
        (
            "3 soldiers for the vanguard (8 silver)",
            "hold",
            "orders give vanguard hire 3; the price is 9, not 8",
        ),
        ("Can I have 3 soldiers for the vanguard?", "hold", "orders give vanguard hire 3"),
        ("please spend 9 on the vanguard", "hold", "orders give vanguard hire 3"),
        ("2 soldiers for the vanguard and 2 for the watch", "hold", "orders give vanguard hire N"),
        ("hire 9 for the vanguard", "hold", "a force can hire at most 5 in a turn; write hire 5"),
        ("I'd like 9 soldiers for the vanguard", "hold", "a force can hire at most 5 in a turn"),
        ("Can I have 9 soldiers for the vanguard?", "hold", "hire 5; a force can hire at most 5 in a turn"),
        ("hire 2", "hold", '"hire 2" names no force; write FORCE: hire 2'),
        ("vanguard: hire 9", "hold", "a force can hire at most 5 in a turn; write hire 5"),
        ("vanguard: hire 3 (8 silver)", "hold", "3 soldiers cost 9; write hire 3"),
        ("vanguard: hire 2, hire 3", "hold", "it hires twice; write one number of soldiers"),
        ("vanguard: hire 2\nvanguard: hire 3", "hold", "another hiring order in line 3; leave one of them"),
    ],
)
def test_a_line_that_is_not_clear_hires_nobody(text: str, left: str, told: str) -> None:
    read = taken(f"vanguard: hold\n{text}")
    assert orders(read).get("vanguard") in (left, None)
    assert [told in str(error) for error in read.errors] == [True]


def test_soldiers_for_an_enemy_or_from_an_unknown_sender_are_no_order() -> None:
    assert "guard" not in orders(taken("vanguard: hold\n3 soldiers for the guard"))
    assert not any(
        "hire" in str(order) for order in orders(take(market(), "3 soldiers for the guard")).values()
    )


def test_without_a_price_a_purchase_is_a_request() -> None:
    text = f"{ADDRESS}:\nvanguard: hold, hire 3\nmilitia: hold\n3 soldiers for the militia please (9 silver)"
    read = take(named_vale(), text)
    assert orders(read) == {"vanguard": "hold", "militia": "hold"}
    assert [player_text(error).endswith(DECIDES) for error in read.errors] == [True, True]


@pytest.mark.parametrize("later", [" Next turn: hire 3 more.", "\nNext turn: hire three more."])
def test_soldiers_for_the_next_turn_are_reported_like_those_for_this_turn(later: str) -> None:
    text = f"{ADDRESS}:\nvanguard: hold, hire 2.{later}\nmilitia: hold"
    read = take(named_vale(), text)
    assert orders(read) == {"vanguard": "hold", "militia": "hold"}
    reasons = " ".join(map(player_text, read.errors))
    assert "hire 2" in reasons and "more." in reasons and reasons.endswith(DECIDES)
    [error] = taken(text).errors
    assert "is for the next turn and changes nothing now; send it for turn 2" in player_text(error)


LINES = ("vanguard: march to bridge", "vanguard: hire 2", "militia: hold, hire 1", "3 men for the militia")
MAILS = ("vanguard: hire 2", "vanguard: march to bridge", "militia: hire 1", "militia: hold")


def test_the_order_of_lines_and_mails_never_matters() -> None:
    lines = LINES[:3]
    read = {str(sorted(orders(taken("\n".join(each))).items())) for each in permutations(lines)}
    assert len(read) == 1
    ends = set()
    for mails in permutations(MAILS):
        campaign = market()
        for mail in mails:
            campaign = after(campaign, f"{ADDRESS}:\n{mail}")
        ends.add(str(sorted(campaign.orders.items())))
    assert ends == {"[('militia', 'hold, hire 1'), ('vanguard', 'march to bridge, hire 2')]"}


def test_contradicting_orders_to_hire_count_in_no_order_of_lines() -> None:
    for lines in permutations(LINES):
        assert "hire" not in str(orders(taken("\n".join(lines))).get("militia"))


def test_a_later_order_replaces_only_its_own_kind() -> None:
    campaign = after(market(), f"{ADDRESS}:\nvanguard: hold, hire 2")
    assert after(campaign, f"{ADDRESS}:\nvanguard: march to bridge").orders == {
        "vanguard": "march to bridge, hire 2"
    }
    assert after(campaign, f"{ADDRESS}:\nvanguard: hire 4").orders == {"vanguard": "hold, hire 4"}
    assert take(campaign, f"{ADDRESS}:\nvanguard: hire 2").notes == ["vanguard: hire 2: already accepted"]


def test_a_quoted_form_counts_beside_a_purchase_above_it() -> None:
    text = f"2 soldiers for the militia please.\n\n> {ADDRESS}:\n> vanguard: hold, hire 1\n> militia: hold\n"
    read = take(market(), text)
    assert orders(read) == {"vanguard": "hold, hire 1", "militia": "hold, hire 2"} and not read.errors


def test_other_factions_know_no_order_to_hire() -> None:
    """The number is part of the order, and then a value of the force that only its faction knows."""
    campaign = after(market(), f"{ADDRESS}:\nvanguard: hold, hire 2")
    forces: dict[str, dict[str, object]] = dict(campaign.data["forces"])  # type: ignore[call-overload]
    hiring = forces | {"militia": forces["militia"] | {"hires": 3}}
    world = vale(dict(campaign.orders), forces=hiring, recruit=PRICE)
    for reader, is_own in (("red", True), ("blue", False), (None, False)):
        assert ("hire" in str(visible_to(world, EMPTY_LEDGER, reader).table())) is is_own


def test_random_forms_never_hire_more_or_less_than_they_say() -> None:
    random = Random("hiring")
    forms = (
        "{f}: hire {n}",
        "{n} soldiers for the {f}",
        "hire {n} men for {f}",
        "{f}: hold, hire {n} ({s} gold)",
    )
    for _ in range(40):
        number, force = random.randint(1, 5), random.choice(("vanguard", "militia"))
        line = random.choice(forms).format(f=force, n=number, s=3 * number)
        read = orders(taken(f"all: hold\n{line}"))
        assert str(read[force]) == f"hold, hire {number}", line


@pytest.mark.parametrize("mail", [f"{ADDRESS}:\n{{}}", f"{{}}\n\n> {ADDRESS}:\n> vanguard:\n> militia:\n"])
@pytest.mark.parametrize("march", ["march to the bridge", "home to bridge"])
@pytest.mark.parametrize("hire", [", and hire 2 for the vanguard.", " and please hire 2 for the vanguard!"])
def test_soldiers_behind_the_march_in_a_sentence_are_hired(mail: str, march: str, hire: str) -> None:
    read = take(market(), mail.format(f"OK, licking our wounds. Vanguard and militia {march}{hire}"))
    assert orders(read) == {"vanguard": "march to bridge, hire 2", "militia": "march to bridge"}
    assert not read.errors


@pytest.mark.parametrize("mail", [f"{ADDRESS}:\n{{}}", f"{{}}\n\n> {ADDRESS}:\n> vanguard:\n> militia:\n"])
@pytest.mark.parametrize(
    "begin", ["Vanguard and militia lumber off to bridge", "If they come, vanguard holds"]
)
def test_a_line_with_an_unclear_order_and_a_number_of_soldiers_has_one_error(mail: str, begin: str) -> None:
    read = take(market(), mail.format(f"{begin}, and hire 2 for the vanguard."))
    [error] = read.errors
    assert not orders(read) and begin in player_text(error)
    assert '"and hire 2 for the vanguard." is a request; the umpire' in player_text(error)
    assert str(error).endswith("to agree, write: cardbattle campaign orders give vanguard hire 2")


@pytest.mark.parametrize("is_destroyed", [False, True])
@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("3 men for the Vanguard, 6 silver (the bridge is mine).", "hire 3; the price is 9, not 6"),
        ("Spend 9 silver on three more for the Vanguard.", "hire 3"),
        ("I'd like two more for the Vanguard, 6 silver.", "hire 2"),
    ],
)
def test_soldiers_for_a_force_are_no_order_for_a_force_named_men(
    line: str, command: str, is_destroyed: bool
) -> None:
    data: dict[str, Any] = dict(market().data)
    men = {"old-quarry-men": {**data["forces"]["vanguard"], "name": "Old Quarry Men"}}
    if is_destroyed:
        men["old-quarry-men"]["destroyed"] = True
    campaign = vale({}, forces={**data["forces"], **men}, factions=data["factions"], recruit=PRICE)
    read = take(campaign, f"{line}\n\n> {ADDRESS}:\n> vanguard: hold\n> militia: hold\n")
    [error] = read.errors
    assert orders(read) == {"vanguard": "hold", "militia": "hold"} and "old-quarry" not in str(error)
    assert str(error).endswith(f"campaign orders give vanguard {command}")


def test_the_number_of_a_request_to_hire_is_no_price() -> None:
    line = "The Vanguard hires 3 more, the others hire as many as the rest of the purse pays."
    [error] = taken(f"all: hold\n\n{line}").errors
    assert str(error).endswith("to agree, write: cardbattle campaign orders give vanguard hire 3")
