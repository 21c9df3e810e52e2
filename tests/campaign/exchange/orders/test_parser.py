"""The order of one force is read as players write it."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from cardbattle.campaign.exchange.orders.parser import LONGEST_PLACE, OrderParser
from cardbattle.campaign.exchange.orders.remarks import LONGEST as ORDER_LENGTH
from cardbattle.campaign.exchange.orders.remarks import split_remark
from cardbattle.campaign.exchange.orders.words import (
    AT_WORDS,
    AVOID_WORDS,
    BATTLE_WORDS,
    DIRECTIONS,
    GO_WORDS,
    GOAL_WORDS,
    GUARD_WORDS,
    HERE_WORDS,
    HOLD_WORDS,
    JOIN_WORDS,
    MARCH_WORDS,
    NO_WORDS,
    STAY_WORDS,
    TAKE_WORDS,
    TO_WORDS,
    VIA_WORDS,
)
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign
from tests.campaign.phases.movement.test_procedure import vale
from tests.support.vale import ADDRESS, named_vale, orders, take

GUIDE = Path(__file__).parents[4] / "docs" / "order-mails.md"


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
        ("vanguard: stay behind", "hold"),
        ("vanguard: sit tight in the mill", "hold"),
        ("vanguard: camps here and guards the mill", "hold"),
        ("vanguard: keep to the mill, avoid battle", "hold, avoid battle"),
        ("vanguard: guard the mill until they come", "hold"),
        ("vanguard: take back the Bridge!!", "march to bridge"),
        ("vanguard: go and take the bridge, they are weak", "march to bridge"),
        ("vanguard: will occupy the ford and hold it", "march to ford"),
        ("vanguard: march to the ford and take it", "march to ford"),
        ("vanguard: running for the wood via ford", "mill -> ford -> wood"),
        ("red@1:\nvanguard take the bridge", "march to bridge"),
        ("vanguard: hold back, no fighting please", "hold, avoid battle"),
        ("vanguard: to ford too, but try not to fight", "march to ford, avoid battle"),
        ("vanguard: to ford without any battle", "march to ford, avoid battle"),
        ("vanguard: -> wood via the ford", "mill -> ford -> wood"),
        ("vanguard: hold, don\u2019t fight", "hold, avoid battle"),
        ("vanguard: to ford too", "march to ford"),
        ("vanguard: hold as well, avoid battle", "hold, avoid battle"),
        ("vanguard: to ford, then", "march to ford"),
        ("vanguard: to ford also, avoid battle too", "march to ford, avoid battle"),
        ("vanguard: with the militia", "join militia"),
        ("vanguard: together with militia, avoid battle", "join militia, avoid battle"),
        ("vanguard: stay here and defend the Mill", "hold"),
        ("vanguard: hold, then stand firm", "hold"),
        ("vanguard: go home to the ford", "march to ford"),
        ("vanguard: back home to the ford", "march to ford"),
        ("vanguard: to ford; please avoid any battle", "march to ford, avoid battle"),
        ("vanguard: to ford, but try to avoid battle", "march to ford, avoid battle"),
        ("vanguard: to ford, no battle if you can help it", "march to ford, avoid battle"),
        ("vanguard: to ford, avoid a fight where possible!", "march to ford, avoid battle"),
        ("vanguard: to the ford, dont fight", "march to ford, avoid battle"),
        ("vanguard: to the ford, never fight", "march to ford, avoid battle"),
        ("vanguard: to ford, but don't get into a fight, if it can be helped", "march to ford, avoid battle"),
        ("vanguard: march on to Ford and attack", "march to ford"),
        ("vanguard: go to the ford, then hold there", "march to ford"),
        ("vanguard: go to the ford and hold the ford", "march to ford"),
        ("vanguard: go to the ford, hold Ford, avoid battle", "march to ford, avoid battle"),
        ("vanguard: stay at the mill and defend it", "hold"),
        ("vanguard: come over to the ford and dig in there", "march to ford"),
        ("vanguard: up to the ford", "march to ford"),
        ("vang - hold (they are tired)", "hold"),
        ("vanguard: to ford instead", "march to ford"),
        ("vanguard: to ford instead, avoid battle", "march to ford, avoid battle"),
        ("vanguard: carry on to the ford", "march to ford"),
        ("vanguard: continues to the ford via the bridge", "mill -> bridge -> fort -> ford"),
        ("vanguard: keep going to ford", "march to ford"),
        ("vanguard: continue to hold the mill", "hold"),
        ("vanguard: keeps holding", "hold"),
        ("vanguard: has to go to the ford", "march to ford"),
        ("vanguard: is going to march to the ford", "march to ford"),
        ("red@1:\nThe vanguard walks to the ford.", "march to ford"),
        ("red@1:\nVanguard sneak over to the ford, they sleep", "march to ford"),
        ("red@1:\nVanguard: they can row to the ford", "march to ford"),
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
    marching = [MARCH_WORDS, TAKE_WORDS, GO_WORDS, DIRECTIONS, TO_WORDS, VIA_WORDS]
    tuples = [
        HOLD_WORDS,
        HERE_WORDS,
        AT_WORDS,
        STAY_WORDS,
        GUARD_WORDS,
        *marching,
        GOAL_WORDS,
        JOIN_WORDS,
        AVOID_WORDS,
        NO_WORDS,
        BATTLE_WORDS,
    ]
    assert listed == [list(words) for words in tuples]
    for word in (*HOLD_WORDS, *STAY_WORDS):
        forms = [word, *(f"{word} {here}" for here in HERE_WORDS), *(f"{word} {at} mill" for at in AT_WORDS)]
        assert {str(parser.order("vanguard", form)) for form in forms} == {"hold"}
    assert {str(parser.order("vanguard", f"{word} the mill")) for word in GUARD_WORDS} == {"hold"}
    assert {str(parser.order("vanguard", f"{word} the ford")) for word in TAKE_WORDS} == {"march to ford"}
    for word in MARCH_WORDS:
        assert {str(parser.order("vanguard", f"{word} {to} ford")) for to in TO_WORDS} == {"march to ford"}
    for word, way in product((*MARCH_WORDS, *GO_WORDS), ("", *DIRECTIONS)):
        assert str(parser.order("vanguard", f"{word} {way} to the ford")) == "march to ford"
    assert {str(parser.order("vanguard", f"{way} to the ford")) for way in DIRECTIONS} == {"march to ford"}
    assert {str(parser.order("vanguard", f"{word} militia")) for word in JOIN_WORDS} == {"join militia"}
    for word in GOAL_WORDS:
        assert str(parser.order("vanguard", f"march to ford and {word}")) == "march to ford"
    for via in VIA_WORDS:
        assert str(parser.order("vanguard", f"go to wood {via} ford")) == "mill -> ford -> wood"
    for word in NO_WORDS:
        assert str(parser.order("vanguard", f"hold, {word} fighting")) == "hold, avoid battle"
    for word in AVOID_WORDS:
        forms = [f"hold, {word}", *(f"hold, {word} {battle}" for battle in BATTLE_WORDS)]
        assert {str(parser.order("vanguard", form)) for form in forms} == {"hold, avoid battle"}


@pytest.mark.parametrize(
    ("written", "error"),
    [
        ("vanguard: march to the brigde", 'unknown place "the brigde"; did you mean "bridge"?'),
        ("vangaurd: hold", 'unknown force of Red: "vangaurd"; did you mean "vanguard"?'),
        ("blue: hold", "these are orders of red; leave out the orders for blue"),
        (
            "vanguard: mill -> fort",
            'no road leads from Mill to Fort; write "march to fort" for the shortest way',
        ),
        (
            "vanguard: join guard",
            '"guard" is no other force of Red; write "join militia" or "march to PLACE"',
        ),
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
            'cannot read "The vanguard will ride to the ford, and wait there"; write "hold"',
        ),
        ("vanguard: stay here and defend the ford", "the force is not at Ford"),
        ("vanguard: stay here and defend honour", 'write "hold", "march to PLACE"'),
        ("vanguard: with caution", '"caution" is no other force of Red'),
        ("vanguard: go home", '"home" names no place'),
        ("vanguard: to ford and mill too", 'ford and mill too"; write "march to mill via ford"'),
        ("vanguard: march to ford and then on to the mill", 'write "march to mill via ford"'),
        ("vanguard: march to ford, and from there further to the mill", 'write "march to mill via ford"'),
        ("vanguard: hold till the guard comes, and retreat", "an order cannot have a condition"),
        ("vanguard: hold until the militia is here", "an order cannot have a condition"),
        ("vanguard: hold till dusk and slip away", "an order cannot have a condition"),
        ("vanguard: hold, until dusk, slip away", "an order cannot have a condition"),
        ("vanguard: march to ford until Friday", "an order cannot have a condition"),
        ("vanguard: march to ford, until the storm begins", "an order cannot have a condition"),
        ("vanguard: hold your horses", 'write "hold", "march to PLACE"'),
        ("Reds: hold", '"Reds" is ambiguous; write a key: vanguard, militia'),
        ("vanguard: hold at dawn", 'write "hold"'),
        ("vanguard: march to brigde, quickly", 'unknown place "brigde"; did you mean "bridge"?'),
        ("vanguard: stay on the bridge, please!", "the force is not at Bridge"),
        ("vanguard: hodl", 'cannot read "hodl"; did you mean "hold"?'),
        ("vanguard: mrach to ford", 'cannot read "mrach to ford"; did you mean "march to ford"?'),
        (
            "vanguard: mrach to brigde",
            'write "march" for "mrach"; unknown place "brigde"; did you mean "bridge"?',
        ),
        ("vanguard: more troops at brigde", 'write "hold", "march to PLACE"'),
        ("vanguard: march to ford and hold the bridge", 'leave out "and hold the bridge"'),
        ("vanguard: march to ford and attack the bridge", 'write "march to bridge via ford"'),
        ("guard: hold", 'unknown force of Red: "guard"; did you mean "vanguard"?'),
        ("vanguard nears the bridge", 'cannot read "vanguard nears the bridge"; write FORCE: ORDER'),
        (
            "vanguard: guard the bridge",
            'the force is not at Bridge; write "hold" to stay where it is, or "march',
        ),
        ("vanguard: guard the militia", 'cannot read "guard the militia"; write "hold"'),
        ("vanguard: sit tight and attack", 'cannot read "sit tight and attack"; write "hold"'),
        (
            "vanguard: sit tight, then take the bridge",
            'cannot read "then take the bridge" behind "sit tight"',
        ),
        ("vanguard: remain alert", 'cannot read "remain alert"; write "hold"'),
        ("vanguard: keep the guard warm", 'cannot read "keep the guard warm"; write "hold"'),
        ("vanguard: polish boots in the mill", 'cannot read "polish boots in the mill"; write "hold"'),
        ("vanguard: take care at the mill", 'cannot read "take care at the mill"; write "hold"'),
        ("vanguard: take the cards", 'cannot read "take the cards"; write "hold"'),
        ("vanguard: take the militia", 'cannot read "take the militia"; write "hold"'),
        (
            "vanguard: secure the flank at the bridge",
            '"secure the flank at the bridge"; write "march to bridge"',
        ),
        ("vanguard: take the bridge or the ford", 'cannot read "take the bridge or the ford"; write "hold"'),
        ("vanguard: take the bridge if it is free", "an order cannot have a condition"),
        ("vanguard: take the brigde", 'unknown place "the brigde"; did you mean "bridge"?'),
        ("vanguard: seize the ford, then bridge", 'write "march to bridge via ford"'),
        ("The vanguard takes care of the cards", "write FORCE: ORDER"),
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


@pytest.mark.parametrize(
    ("written", "ignored"),
    [
        ("vanguard: hold, they are tired", "they are tired"),
        ("vanguard: hold (I think)", "I think"),
        ("vanguard: hold, what else", "what else"),
        ("vanguard: hold, good fight last time", "good fight last time"),
        ("vanguard: hold. Don't forget the pizza", "Don't forget the pizza"),
        ("vanguard: march to ford. Never mind the snow!", "Never mind the snow"),
        ("vanguard: march to ford. That's never been easier!", "That's never been easier"),
        ("vanguard: march to ford, fight anyone there", "fight anyone there"),
        ("vanguard: march to ford. Looking forward to the fight!", "Looking forward to the fight"),
        ("vanguard: march to the ford, avoid battle! Good luck to them", "Good luck to them"),
        ("vanguard: hold - my people need rest", "my people need rest"),
        ("vanguard: march to the ford, and throw the Blue garrison out!", "and throw the Blue garrison out"),
        ("PS: supplies are low\nvanguard: hold", "PS: supplies are low"),
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
        "hold, with the militia",
        "to the ford, dont you fight them",
        "to the ford, fight nobody",
        "to the ford, dont attack them",
        "to the ford, never attack",
        "to the ford, don't go near them",
        "to the ford. We won't fight them",
        "to the ford, no attacks please, never start a fight",
        "mrach to ford, quickly",
    ],
)
def test_a_text_behind_an_order_that_can_change_it_is_not_a_remark(campaign: Campaign, words: str) -> None:
    taken = take(campaign, f"{ADDRESS}:\nvanguard: {words}")
    assert orders(taken) == {} and len(taken.errors) == 1


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("to ford, but not past it", 'cannot read "but not past it" behind "to ford"; leave it out'),
        ("hold (or march to ford)", 'cannot read "or march to ford" behind "hold"; leave it out'),
        ("hold, unless attacked, please", 'cannot read "unless attacked, please" behind "hold"'),
        ("march to frod, no battle if you can help it", 'unknown place "frod"; did you mean "ford"?'),
        ("mill -> fort, then bridge", "no road leads from Mill to Fort"),
    ],
)
def test_the_error_names_the_text_behind_an_order_that_is_not_understood(
    campaign: Campaign, words: str, error: str
) -> None:
    [found] = take(campaign, f"{ADDRESS}:\nvanguard: {words}").errors
    assert error in str(found)


@pytest.mark.parametrize(
    "route",
    ["bridge, fort", "march to bridge, then go to the fort", "mill, bridge, fort", "Bridge and Fort!",
     "bridge / fort", "bridge, fort, avoid battle"],
)  # fmt: skip
def test_a_list_of_places_is_refused_with_what_to_write(campaign: Campaign, route: str) -> None:
    [error] = take(campaign, f"{ADDRESS}: vanguard: {route}").errors
    assert error.text.endswith('"; write "march to fort via bridge"')


def test_a_way_through_a_place_does_not_pass_the_goal(campaign: Campaign) -> None:
    """From the mill, the shortest way to the fort leads over the bridge."""
    assert orders(take(campaign, "vanguard: go to bridge via fort")) == {
        "vanguard": "mill -> ford -> fort -> bridge"
    }
    [error] = take(campaign, "vanguard: go to ford via wood").errors
    assert (
        'the way to Wood leads through Ford; write "march to ford", or the whole path with arrows'
    ) in str(error)


def test_a_long_text_has_only_so_many_ways_to_be_an_order_and_a_remark() -> None:
    """The remark of each way is read, so that a mail of 60 kB took most of a minute."""
    ways = [*split_remark("hold" + ", tired" * 20_000)]
    assert 0 < len(ways) <= ORDER_LENGTH


def test_the_beginning_of_a_long_text_is_compared_with_places_in_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each beginning of the text was compared, which took most of a minute for 20,000 characters."""
    beginnings: list[str] = []
    monkeypatch.setattr(OrderParser, "is_place", lambda _, text: beginnings.append(text))
    assert not OrderParser(named_vale()).advice_on_rest(["a"] * 100)
    assert 0 < len(beginnings) <= LONGEST_PLACE


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("ropewalk -> long-marsh -> mill-go", "ropewalk -> long-marsh -> mill-go"),
        ("march from ropewalk -> long-marsh", "ropewalk -> long-marsh"),
        ("long marsh -> mill-go", "ropewalk -> long-marsh -> mill-go"),
    ],
)
def test_a_place_whose_name_ends_like_a_verb_is_read_in_a_path(written: str, order: str) -> None:
    campaign = vale(
        {},
        forces={"watch": {"faction": "red", "strength": 9, "location": "ropewalk"}},
        locations={"ropewalk": {}, "long-marsh": {}, "mill-go": {}},
        road=[{"between": ["ropewalk", "long-marsh"]}, {"between": ["long-marsh", "mill-go"]}],
    )
    assert orders(take(campaign, f"red@1:\nwatch: {written}")) == {"watch": order}


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("attack ford together", "march to ford"),
        ("hold and fight to the last", "hold"),
        ("march to ford, fight to the last man", "march to ford"),
    ],
)
def test_words_without_effect_end_an_order(text: str, order: str) -> None:
    assert str(OrderParser(named_vale()).order("vanguard", text)) == order


@pytest.mark.parametrize(
    "text", ["hold and fight to the last, avoid battle", "hold, avoid battle, fight to the last"]
)
def test_an_order_to_fight_and_to_avoid_battle_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|cannot read"):
        OrderParser(named_vale()).order("vanguard", text)


def test_the_error_for_text_behind_a_place_says_what_to_leave_out() -> None:
    error = 'unknown place "ford with the Blue guard"; write "ford" and leave out "with the Blue guard"'
    with pytest.raises(ValueError, match=error):
        OrderParser(named_vale()).order("vanguard", "march to ford with the Blue guard")


def test_the_error_for_text_behind_a_place_leaves_out_its_sign_too() -> None:
    with pytest.raises(ValueError, match=r'write "the ford" and leave out "& dig in there"$'):
        OrderParser(named_vale()).order("vanguard", "go to the ford & dig in there")


def test_the_error_for_a_remark_behind_avoid_battle_does_not_suggest_it_again() -> None:
    with pytest.raises(ValueError, match=r'behind "hold, avoid battle"; leave it out$'):
        OrderParser(named_vale()).order_and_remark("vanguard", "hold, avoid battle. They are only three.")


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("hold till the fleet is in", "till the fleet is in"),
        ("hold at the mill until Friday, please", "until Friday, please"),
        ("hold the mill until Friday", "until Friday"),
        ("please hold to the last man", "to the last man"),
        ("stay at the mill and guard the causeway", "and guard the causeway"),
        ("defend the mill at all costs, they are many", "at all costs, they are many"),
        ("hold against the archers", "against the archers"),
    ],
)
def test_text_behind_an_order_to_hold_is_a_remark(text: str, remark: str) -> None:
    """The order counts for one turn. The player reads how it was read."""
    taken = take(named_vale(), f"{ADDRESS}:\nvanguard: {text}\n")
    assert [(each.force, str(each.order), each.remark) for each in taken.remarks["red"]] == [
        ("vanguard", "hold", remark)
    ]


@pytest.mark.parametrize(
    "text", ["hold with the militia", "hold and march to ford", "hold at the inn", "hold to the ford",
             "hold for now and then cross at ford"]
)  # fmt: skip
def test_text_behind_an_order_to_hold_that_can_change_it_is_refused(text: str) -> None:
    taken = take(named_vale(), f"{ADDRESS}:\nvanguard: {text}\n")
    assert not orders(taken) and taken.errors


@pytest.mark.parametrize("words", ["the guard", "guard", "Ann's Guard", "Friends\u2019 guard", "the gua"])
def test_a_force_joins_the_force_of_an_ally_in_sight(words: str) -> None:
    factions = {"red": {"peace": ["blue"]}, "blue": {}, "green": {}}
    parser = OrderParser(vale({}, factions=factions, visibility={"location": "rough"}))
    assert str(parser.order("vanguard", f"join {words}")) == "join guard"
    hidden = "the garrison", "Ann's garrison", "archers", "nobody"
    why = "is no other force of Red, nor of an ally in sight; write"
    for name in hidden:
        with pytest.raises(ValueError, match=f'^"{name}" {why} "join militia" or "march'):
            parser.order("vanguard", f"go with {name}")


def test_an_own_force_comes_before_that_of_an_ally() -> None:
    forces = {"red-guard": "red", "vanguard": "red", "blue-guard": "blue"}
    tables = {key: {"faction": side, "strength": 9, "location": "mill"} for key, side in forces.items()}
    parser = OrderParser(vale({}, forces=tables, factions={"red": {"peace": ["blue"]}, "blue": {}}))
    assert str(parser.order("vanguard", "join guard")) == "join red-guard"
    assert str(parser.order("vanguard", "join blue guard")) == "join blue-guard"


def test_the_error_for_a_force_to_join_is_the_same_whether_another_faction_has_it() -> None:
    parser = OrderParser(named_vale())
    for name in ("archers", "spears"):
        with pytest.raises(
            ValueError, match=f'^"{name}" is no other force of Red; write "join militia" or "march'
        ):
            parser.order("vanguard", f"join {name}")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("march to ford, because whoever holds it holds the vale", "march to ford"),
        ("hold because we are tired of the march", "hold"),
        ("hold, because we march to the ford", ""),
        ("hold, because the militia joins us", ""),
        ("hold, because tired and march", ""),
        ("hold, because tired, march", ""),
        ("march to ford because nobody will attack if it rains", ""),
    ],
)
def test_a_reason_behind_an_order_is_a_remark_unless_it_can_be_an_order(text: str, order: str) -> None:
    taken = take(named_vale(), f"{ADDRESS}:\nvanguard: {text}")
    assert orders(taken) == ({"vanguard": order} if order else {}) and bool(taken.errors) != bool(order)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("hold, but run away if someone comes", '; ", avoid battle" behind it lets the force withdraw'),
        ("hold and defend the walls", '; write "hold" and leave out "and defend the walls"'),
    ],
)
def test_the_refusal_of_an_order_says_what_to_write(text: str, advice: str) -> None:
    [error] = take(named_vale(), f"{ADDRESS}:\nvanguard: {text}").errors
    assert advice in str(error)


@pytest.mark.parametrize("words", ["but no fighting if they are there", ", no battle if Blue is there"])
def test_the_error_of_a_condition_names_the_words_that_avoid_a_fight(campaign: Campaign, words: str) -> None:
    [error] = take(campaign, f"{ADDRESS}:\nvanguard: march to ford {words}").errors
    assert 'write one order; ", avoid battle" behind it lets the force withdraw from enemies' in str(error)


def test_a_part_of_the_name_of_the_goal_says_what_a_force_shall_hold(campaign: Campaign) -> None:
    named = campaign.after([Change(("locations", "ford", "name"), None, "Bell Crossing")])
    parser = OrderParser(named)
    order = parser.order("vanguard", "march to Bell Crossing and hold the crossing")
    assert str(order) == "march to ford"
    with pytest.raises(ValueError, match="unknown place"):
        parser.order("vanguard", "march to Bell Crossing and hold the bridge")


def test_the_error_for_a_force_to_join_names_only_forces_on_the_map() -> None:
    places = {"lancers": None, "vanguard": "mill", "militia": "ford"}
    forces = {
        key: {"faction": "red", "name": f"The Red {key.title()}", "strength": 9, "location": place}
        if place
        else {"faction": "red", "name": f"The Red {key.title()}", "strength": 0, "destroyed": True}
        for key, place in places.items()
    }
    parser = OrderParser(vale({}, forces=forces))
    forms = 'write "join militia" or "march to PLACE"$'
    with pytest.raises(ValueError, match=f'^"the archers" is no other force of Red; {forms}'):
        parser.order("vanguard", "go with the archers")
    with pytest.raises(ValueError, match=f"^The Red Lancers are not on the map; {forms}"):
        parser.order("vanguard", "join lancers")
