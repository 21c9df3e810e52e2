"""Field of Honour, rule by rule; FH-n are the numbers of its rules.md."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.core.battle import NOBODY, UNKNOWN, Event
from cardbattle.core.cards import card_text, read_card
from cardbattle.core.chance import Chance, Drawn, RandomSource, stream
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import Policy, Setup
from cardbattle.core.telling import AUDIT, Grid, Heading, Line, Parts
from cardbattle.rules.field_of_honour import RULES, dealing
from cardbattle.rules.field_of_honour.battle import (
    COUNTER,
    DEFAULT_READINGS,
    DRAWN,
    END,
    FIRST_SPECIAL,
    OPEN,
    PACK,
    PICK,
    PLACE,
    SPACES,
    VALUES,
    FieldOfHonour,
    FieldView,
    Readings,
    dealing_turns,
    fitting_pairs,
)
from cardbattle.show.battle_text import said
from cardbattle.testing import refought
from cardbattle.testing.contents import raw_contents

PLAIN = "10S 9S 8S 7S 6S"  # five spaces without a special
OTHER = "10H 9H 8H 7H 6H"
STACK = "2C 3C 4C 5C"


class Loses(RandomSource):
    """Fate that makes a side discard this card."""

    def __init__(self, card: str) -> None:
        self.card = read_card(card)
        self.asked: list[tuple[int, list[str]]] = []

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Return the card, which must be there."""
        self.asked.append((side, texts(cards)))
        assert self.card in cards
        return self.card


def cards(text: str) -> list[int]:
    return [read_card(word) for word in text.replace("+", " ").split()]


def texts(found: list[int]) -> list[str]:
    return [card_text(card) for card in found]


def field(
    north: str = PLAIN,
    south: str = OTHER,
    hands: tuple[str, str] = ("", ""),
    stack: str = "",
    first: int = 0,
    random_source: RandomSource | None = None,
    listen: bool = False,
    readings: Readings = DEFAULT_READINGS,
) -> FieldOfHonour:
    """Return a battle in which these lines have been placed; hands hold what is kept."""
    battle = FieldOfHonour()
    whole = [cards(f"{line} {hand}") for line, hand in zip((north, south), hands, strict=True)]
    fate = random_source or RandomSource()
    battle.begin(first, whole, [0, 0], [0, 0], cards(stack), fate, readings=readings)
    battle.log = [] if listen else None
    battle.run()
    for side, line in enumerate((north, south)):
        for content in line.split():
            if asked(battle) == (side, PLACE):
                say(battle, f"place {content}")
    return battle


def say(battle: FieldOfHonour, *choices: str) -> None:
    """Make these choices in order, each for the side that must choose."""
    for text in choices:
        battle.choose(offered(battle).index(text))


def offered(battle: FieldOfHonour) -> list[str]:
    return [RULES.choice_text(battle, choice) for choice in battle.options]


def asked(battle: FieldOfHonour) -> tuple[int, int]:
    """Return who is asked, and what."""
    return battle.side, battle.question


def told(battle: FieldOfHonour, viewer: int | None = None) -> list[Event]:
    assert battle.log is not None
    seen = [event if viewer is None else event.seen_by(viewer) for event in battle.log]
    return [event for event in seen if event is not None]


def kinds(battle: FieldOfHonour, viewer: int | None = None) -> list[str]:
    return [event.kind for event in told(battle, viewer)]


def fresh(numbers: tuple[int, int] = (10, 10), seed: int = 1, first: int = 0) -> FieldOfHonour:
    """Return a dealt battle at its first question."""
    pack = PACK.copy()
    stream(seed, "deal").shuffle(pack)
    battle = FieldOfHonour()
    battle.begin(first, [[], []], [0, 0], list(numbers), pack, Drawn(stream(seed, "battle")))
    battle.run()
    return battle


def at_random(battle: FieldOfHonour, chance: Chance) -> None:
    while not battle.is_over():
        battle.choose(chance.below(len(battle.options)))


def facts(battle: FieldOfHonour, viewer: int) -> dict[str, object]:
    return raw_contents(battle.view(viewer))


def setup(
    north: dict[str, object] | None = None, south: dict[str, object] | None = None, **house: object
) -> Setup:
    """Return a setup with these options, not yet dealt; north deals unless another does."""
    sides = [
        {key: option.default for key, option in RULES.options.items()} | (side or {})
        for side in (north, south)
    ]
    rules = {key: option.default for key, option in RULES.house.items()}
    return Setup(["north", "south"], rules | {"dealer": "north"} | house, sides, {})


def dealt(found: Setup, seed: int = 1) -> Setup:
    """Return a copy of the setup with all cards dealt."""
    whole = found.copy()
    RULES.deal(whole, stream(seed, "deal"))
    return whole


def referee(found: Setup, *moves: str, seed: int = 1) -> Referee:
    """Return a referee of this setup after these choices, each by the side that must choose."""
    judge = Referee(RULES, found, Drawn(stream(seed, "battle")))
    for text in moves:
        judge.choose(judge.find(text))
    return judge


def test_the_field_names_the_open_space_until_a_side_holds_it() -> None:
    battle = field(hands=("JS", "JH"))
    rows = []
    for _ in range(2):
        grid = next(block for block in RULES.scene(battle.view(battle.side)) if isinstance(block, Grid))
        rows += [row[1:] for row in grid.rows if row[0] == ["held by"]]
        say(battle, "pass", "pass")
    assert rows[0] == [["open"], [], [], [], []]
    assert rows[1][1:] == [["open"], [], [], []] and rows[1][0] not in ([], ["open"])


def fight(judge: Referee, seed: int = 1) -> Referee:
    """Let both sides choose at random to the end."""
    chance = stream(seed, "choices")
    while not judge.battle.is_over():
        judge.choose(chance.below(len(judge.battle.options)))
    return judge


def field_of(judge: Referee) -> FieldOfHonour:
    assert isinstance(judge.battle, FieldOfHonour)
    return judge.battle


def refused(found: Setup) -> list[str]:
    return [str(error) for error in RULES.check(found)]


# The pack and the deal


def test_fh_01_the_other_side_than_the_dealer_is_asked_first() -> None:
    assert (RULES.fewest, RULES.most) == (2, 2)
    for dealer, first in (("north", 1), ("south", 0)):
        battle = RULES.start(dealt(setup(dealer=dealer)), RandomSource())
        assert isinstance(battle, FieldOfHonour)
        assert battle.first == first


def test_fh_02_the_pack_has_54_cards() -> None:
    assert len(PACK) == len(set(PACK)) == 54
    assert texts(PACK[:5]) == ["2S", "2H", "2D", "2C", "3S"]
    assert texts(PACK[-2:]) == ["RJ", "BJ"]


def test_fh_03_cards_are_dealt_in_turn_to_n_first() -> None:
    found = setup(dealer="north", pack=PACK)
    whole = dealt(found)
    assert texts(whole.deal["south"][:3]) == ["2S", "2D", "3S"]
    assert texts(whole.deal["north"][:3]) == ["2H", "2C", "3H"]
    assert whole.deal["stack"] == PACK[20:]
    assert len(PACK[20:]) == 34


def test_fh_03_when_one_hand_is_full_the_rest_goes_to_the_other() -> None:
    assert dealing_turns(1, [5, 7]) == [1, 0] * 5 + [1, 1]
    assert dealing_turns(0, [5, 7]) == [0, 1] * 5 + [1, 1]


def test_fh_03_the_stack_is_drawn_from_the_top() -> None:
    battle = field(hands=("AS", ""), stack="2C 3C 4C")
    say(battle, "play AS draw")
    assert texts(battle.hands[0]) == ["2C", "3C"]
    assert texts(battle.stack) == ["4C"]


def test_fh_04_the_lot_decides_who_deals_first_and_then_both_take_turns() -> None:
    dealers = set()
    for seed in range(20):
        found = setup(dealer=None)
        RULES.choose_random_house_rules(found, stream(seed, "lot"))
        dealers.add(found.house["dealer"])
        other = "south" if found.house["dealer"] == "north" else "north"
        assert RULES.next_house(found, [0]) == {"dealer": other}
    assert dealers == {"north", "south"}


def test_fh_05_face_cards_count_ten_and_jokers_fifteen() -> None:
    named = "2S 9H 10D JC QS KH AD RJ BJ"
    assert [VALUES[card] for card in cards(named)] == [2, 9, 10, 10, 10, 10, 10, 15, 15]


# The lines


def test_fh_06_five_spaces_are_filled_space_1_first() -> None:
    battle = fresh()
    for _ in range(SPACES):
        assert asked(battle) == (0, PLACE)
        battle.choose(0)
    for _ in range(SPACES):
        assert asked(battle) == (1, PLACE)
        battle.choose(0)
    assert [len(content) for content in battle.spaces] == [1] * 10


def test_fh_06_neither_side_sees_the_other_place() -> None:
    battle = fresh()
    battle.log = []
    before = facts(battle, 1)
    while battle.side == 0:
        battle.choose(0)
        assert battle.side == 1 or facts(battle, 1) == before
    assert "placed" not in kinds(battle, 1)
    now = facts(battle, 1)
    assert {key: now[key] for key in ("sizes", "enemy_line", "enemy_hand")} == {
        "sizes": [],
        "enemy_line": [[]] * 5,
        "enemy_hand": 10,
    }


def test_fh_07_two_cards_total_at_most_ten() -> None:
    battle = FieldOfHonour()
    battle.begin(0, [cards("2S 3S 7S 8S 9S KS RJ"), cards(OTHER)], [0, 0], [0, 0], [], RandomSource())
    battle.run()
    singles = [f"place {text}" for text in ["2S", "3S", "7S", "8S", "9S", "KS", "RJ"]]
    assert offered(battle) == [*singles, "place 2S+3S", "place 2S+7S", "place 2S+8S", "place 3S+7S"]


def test_fh_07_the_lower_card_stands_first_and_equal_ranks_in_the_order_s_h_d_c() -> None:
    battle = FieldOfHonour()
    battle.begin(0, [cards("4C 4S 4D 4H 2C KS"), cards(OTHER)], [0, 0], [0, 0], [], RandomSource())
    battle.run()
    pairs = [text for text in offered(battle) if "+" in text]
    assert pairs[:4] == ["place 2C+4S", "place 2C+4H", "place 2C+4D", "place 2C+4C"]
    assert "place 4S+4H" in pairs and "place 4H+4S" not in pairs


def test_fh_08_a_pair_needs_a_card_for_every_empty_space() -> None:
    six = FieldOfHonour()
    six.begin(0, [cards("2S 3S 4S 5S 6S 7S"), cards(OTHER)], [0, 0], [0, 0], [], RandomSource())
    six.run()
    say(six, "place 2S+3S")
    assert all("+" not in text for text in offered(six))
    five = FieldOfHonour()
    five.begin(0, [cards("2S 3S 4S 5S 6S"), cards(OTHER)], [0, 0], [0, 0], [], RandomSource())
    five.run()
    assert offered(five) == [f"place {text}" for text in ["2S", "3S", "4S", "5S", "6S"]]


def test_fh_08_a_fifth_space_with_one_card_left_is_not_asked() -> None:
    battle = fresh((5, 10))
    for _ in range(4):
        battle.choose(0)
    assert battle.side == 1
    assert battle.hands[0] == []


def test_fh_08_ten_cards_can_fill_five_to_ten_places() -> None:
    battle = field("2S+8S 3S+7S 4S+6S 5S+5H 2H+3H", OTHER)
    assert battle.hands[0] == []
    assert sum(len(content) for content in battle.spaces[:5]) == 10


def test_fh_09_numbers_of_cards_are_public_and_faces_are_not() -> None:
    battle = field("2S+8S 9S 8H 7S 6S", OTHER, hands=("QS", "JH KH"))
    view = battle.view(1)
    assert view.sizes == [2, 1, 1, 1, 1]
    assert view.enemy_hand == 1
    assert view.enemy_line == [cards("2S 8S"), [], [], [], []]
    assert view.enemy_values == [10, 0, 0, 0, 0]
    assert view.line == [[card] for card in cards(OTHER)]


def test_fh_10_a_line_stays_as_it_was_placed() -> None:
    battle = field(hands=("AS", ""), stack=STACK)
    while not battle.is_over():
        say(battle, "pass")
    assert battle.spaces[:5] == [[card] for card in cards(PLAIN)]
    assert battle.spaces[5:] == [[card] for card in cards(OTHER)]


def test_fh_11_space_p_faces_space_p_and_space_1_comes_first() -> None:
    battle = field(hands=("QS", ""))
    spaces = []
    while not battle.is_over():
        spaces.append((battle.space, texts(battle.spaces[battle.at(0)] + battle.spaces[battle.at(1)])))
        say(battle, "pass")
    lines = zip(PLAIN.split(), OTHER.split(), strict=True)
    assert spaces == [(n + 1, list(facing)) for n, facing in enumerate(lines)]


# Fighting for a space


def test_fh_12_both_contents_are_turned_up_and_worth_their_sum() -> None:
    battle = field("2S+8S 9S 8H 7S 6S", OTHER, hands=("QS", ""), listen=True)
    (revealed,) = [event for event in told(battle) if event.kind == "revealed"]
    assert revealed.fields["contents"] == [cards("2S 8S"), cards("10H")]
    assert revealed.fields["values"] == [10, 10]
    assert battle.shown == [1, 0, 0, 0, 0] * 2


@pytest.mark.parametrize("first", [0, 1])
def test_fh_13_n_is_asked_first_then_d(first: int) -> None:
    battle = field(hands=("QS", "QH"), first=first)
    assert asked(battle) == (first, OPEN)
    say(battle, "pass")
    assert asked(battle) == (1 - first, OPEN)
    say(battle, "pass")
    assert battle.space == 2


def test_fh_13_a_side_without_a_playable_special_is_not_asked_but_seen_to_pass() -> None:
    without = field(hands=("4S", "QH"), listen=True)
    assert asked(without) == (1, OPEN)
    with_one = field(hands=("JS", "QH"), listen=True)
    say(with_one, "pass")
    assert asked(with_one) == (1, OPEN)
    seen, also = (
        [(event.kind, event.side, event.fields) for event in told(battle, 1)]
        for battle in (without, with_one)
    )
    assert seen == also
    assert seen[-1] == ("passed", 0, {"question": OPEN})


def test_fh_13_a_special_may_be_played_whoever_leads() -> None:
    for north in ("2S 9S 8S 7S 6S", "RJ 9S 8S 7S 6S"):
        assert "play JS double" in offered(field(north, hands=("JS", "")))


def test_fh_14_specials_are_countered_in_turn() -> None:
    battle = field(hands=("JS JH", "JD JC"))
    say(battle, "play JS double")
    assert asked(battle) == (1, COUNTER)
    say(battle, "play JD double")
    assert asked(battle) == (0, COUNTER)
    say(battle, "play JH double")
    assert asked(battle) == (1, COUNTER)
    assert battle.both_values() == [40, 20]


def test_fh_15_a_pass_to_a_special_closes_the_space() -> None:
    battle = field(hands=("JS JH", "JD"))
    say(battle, "play JS double", "pass")
    assert battle.space == 2
    assert battle.holders == [0]


def test_fh_15_a_space_closes_when_the_other_side_has_nothing_to_answer_with() -> None:
    battle = field(hands=("JS JH", "4D"), listen=True)
    say(battle, "play JS double")
    assert battle.space == 2
    assert "passed" in kinds(battle, 0)


def test_fh_16_a_counter_undoes_nothing() -> None:
    battle = field("9S 8S 7S 6S 5S", "10H 9H 8H 7H 6H", hands=("JS", "QH"))
    say(battle, "play JS double")
    say(battle, "play QH swap")
    assert battle.values[5] == 18 and battle.values[0] == 10
    assert battle.holders[0] == 1


def test_fh_17_court_cards_in_the_line_have_their_value_only() -> None:
    battle = field("KS QS JS AS RJ", "KH QH JH AH BJ")
    assert battle.is_over()
    assert battle.holders == [NOBODY] * 5


def test_fh_18_a_side_may_play_all_it_holds_in_one_space() -> None:
    battle = field(hands=("JS JH JD", "QS QH QD"))
    say(battle, "play JS double", "play QS swap", "play JH double", "play QH swap", "play JD double")
    say(battle, "play QD swap")
    assert battle.hands == [[], []]


def test_fh_19_every_chain_ends() -> None:
    everything = "JS JH QS QH KS KH AS AD RJ"
    for seed in range(30):
        battle = field(
            hands=(everything, "JD JC QD QC KD KC AH AC BJ"),
            stack=STACK,
            random_source=Drawn(stream(seed, "b")),
        )
        at_random(battle, stream(seed, "choices"))
        assert len(battle.holders) == 5


# Specials


def test_fh_20_an_ace_draws_two_or_makes_the_enemy_discard() -> None:
    battle = field(hands=("AS", "4D 5D"), stack=STACK, random_source=Loses("5D"))
    assert offered(battle) == ["pass", "play AS draw", "play AS discard"]
    say(battle, "play AS discard")
    assert texts(battle.hands[1]) == ["4D"]
    assert set(texts(battle.discards)) == {"AS", "5D"}


def test_fh_20_the_discard_is_by_chance_and_shown() -> None:
    random_source = Loses("5D")
    battle = field(hands=("AS", "4D 5D"), random_source=random_source, listen=True)
    say(battle, "play AS discard")
    assert random_source.asked == [(1, ["4D", "5D"])]
    (event,) = [event for event in told(battle, 0) if event.kind == "discarded"]
    assert (event.side, event.fields["card"]) == (1, read_card("5D"))


def test_fh_20_the_discard_is_recorded_even_from_a_hand_of_one() -> None:
    found = setup(north={"hand": 6}, south={"hand": 6}, dealer="south")
    found.deal = {"north": cards(f"{PLAIN} AS"), "south": cards(f"{OTHER} 5D")}
    places = [f"place {text}" for text in f"{PLAIN} {OTHER}".split()]
    judge = referee(dealt(found), *places, "play AS discard")
    assert judge.moves[10:] == ["north play AS discard", "fate discard 5D"]


def test_fh_20_the_ace_leaves_the_hand_before_it_works() -> None:
    battle = field(hands=("AS", ""), stack="QC 4C")
    say(battle, "play AS draw")
    assert texts(battle.drawn) == ["4C", "QC"]
    assert texts(battle.hands[0]) == ["4C", "QC"]


def test_fh_21_drawing_needs_a_stack() -> None:
    assert offered(field(hands=("AS", "4D"))) == ["pass", "play AS discard"]


def test_fh_21_a_stack_of_one_gives_one_card() -> None:
    battle = field(hands=("AS", ""), stack="4C")
    say(battle, "play AS draw")
    assert texts(battle.hands[0]) == ["4C"]
    assert battle.stack == []


def test_fh_21_an_ace_that_can_do_neither_cannot_be_played() -> None:
    battle = field(hands=("AS", ""))
    assert battle.is_over()
    assert texts(battle.hands[0]) == ["AS"]


def test_fh_22_a_drawn_special_may_be_played_before_the_counter() -> None:
    battle = field(hands=("AS JS", "QH"), stack="KC QC")
    say(battle, "play AS draw")
    assert asked(battle) == (0, DRAWN)
    assert offered(battle) == ["pass", "play QC swap", "play KC rally", "play KC redeploy"]
    say(battle, "play QC swap")
    assert asked(battle) == (1, COUNTER)
    assert texts(battle.hands[0]) == ["JS", "KC"]


def test_fh_22_a_drawn_ace_that_draws_allows_one_more() -> None:
    battle = field(hands=("AS", "QH"), stack="AC KC JC 4C")
    say(battle, "play AS draw", "play AC draw")
    assert asked(battle) == (0, DRAWN)
    assert offered(battle) == ["pass", "play JC double"]
    say(battle, "pass")
    assert asked(battle) == (1, COUNTER)


def test_fh_22_a_drawn_ace_may_make_the_enemy_discard() -> None:
    battle = field(hands=("AS", "4H QH"), stack="AC 4C", random_source=Loses("4H"))
    say(battle, "play AS draw", "play AC discard")
    assert asked(battle) == (1, COUNTER)


def test_fh_22_a_joker_that_draws_counts_as_an_ace() -> None:
    battle = field(hands=("RJ", "QH"), stack="JC 4C")
    say(battle, "play RJ draw")
    assert asked(battle) == (0, DRAWN)


def test_fh_22_nobody_sees_whether_a_drawn_card_could_have_been_played() -> None:
    blank = field(hands=("AS", "QH"), stack="2C 4C", listen=True)
    say(blank, "play AS draw")
    special = field(hands=("AS", "QH"), stack="JC 4C", listen=True)
    say(special, "play AS draw", "pass")
    assert asked(blank) == asked(special) == (1, COUNTER)
    assert facts(blank, 1) == facts(special, 1)
    seen, also = ([(event.kind, event.fields) for event in told(battle, 1)] for battle in (blank, special))
    assert seen == also


def test_fh_23_the_enemy_sees_how_many_cards_are_drawn_only() -> None:
    battle = field(hands=("AS", "QH"), stack="2C 4C 5C", listen=True)
    say(battle, "play AS draw")
    (own,) = [event for event in told(battle, 0) if event.kind == "drew"]
    (other,) = [event for event in told(battle, 1) if event.kind == "drew"]
    assert own.fields == {"number": 2, "stack": 1, "cards": cards("2C 4C")}
    assert other.fields == {"number": 2, "stack": 1}


def test_fh_24_a_king_rallies_only_while_values_are_equal() -> None:
    battle = field(hands=("KS", "JH"))
    assert "play KS rally" in offered(battle)
    say(battle, "play KS rally")
    assert battle.both_values() == [11, 10]
    unequal = field("9S 8S 7S 6S 5S", hands=("KS", ""))
    assert offered(unequal) == ["pass", "play KS redeploy"]


def test_fh_25_a_king_exchanges_the_whole_content_with_the_next_space() -> None:
    battle = field("2S+3S 10S 8S 7S 6S", hands=("KS", "JH"))
    say(battle, "play KS redeploy")
    assert texts(battle.spaces[0]) == ["10S"] and texts(battle.spaces[1]) == ["2S", "3S"]
    assert battle.values[:2] == [10, 5]


def test_fh_25_there_is_nowhere_to_redeploy_from_space_5() -> None:
    battle = field(f"{PLAIN[:-2]}5S", hands=("KS", ""))
    say(battle, "pass", "pass", "pass", "pass")
    assert battle.is_over()  # values differ in space 5, so the King can do nothing
    level = field(hands=("KS", ""))
    say(level, "pass", "pass", "pass", "pass")
    assert offered(level) == ["pass", "play KS rally"]


def test_fh_25_with_either_a_king_brings_cards_back_that_have_fought() -> None:
    readings = Readings(either_way=True)
    battle = field("10S 2S 8S 7S 6S", hands=("JS KS", "JH"), readings=readings)
    assert "play KS redeploy-back" not in offered(battle)  # no space before the first
    say(battle, "play JS double", "pass")
    assert battle.holders == [0]
    say(battle, "play KS redeploy-back", "pass")
    assert battle.holders == [0, 0]  # the ten won space 1 with the Jack, and space 2 without it
    assert [texts(line) for line in battle.spaces[:2]] == [["2S"], ["10S"]]
    assert battle.values[:2] == [2, 10]
    assert battle.discards == cards("JS KS")


def test_fh_25_specials_on_cards_sent_back_are_discarded() -> None:
    battle = field("10S 9S 8S 7S 6S", hands=("JS KS", "JD"), readings=Readings(either_way=True))
    say(battle, "pass", "pass", "play JS double", "play JD double", "play KS redeploy-back")
    assert battle.holders[:2] == [NOBODY, 1]  # 10 against 18
    assert texts(battle.discards) == ["JS", "KS", "JD"]


def test_fh_11_with_chosen_n_chooses_the_end_and_the_spaces_are_renumbered() -> None:
    right = field("9S 8S 7S 6S 2S+3S", first=1, readings=Readings(chosen_end=True), listen=True)
    assert asked(right) == (1, END) and offered(right) == ["begin left", "begin right"]
    assert right.view(1).enemy_line == [[]] * SPACES and right.view(1).sizes == [1, 1, 1, 1, 2]
    say(right, "begin right")
    begun = next(event for event in told(right) if event.kind == "begun")
    assert begun.fields == {"end": "right", "sizes": [[2, 1, 1, 1, 1], [1, 1, 1, 1, 1]]}
    shown = [event.fields["values"] for event in told(right) if event.kind == "revealed"]
    assert shown[0] == [5, VALUES[cards(OTHER)[-1]]]
    left = field("9S 8S 7S 6S 2S+3S", first=1, readings=Readings(chosen_end=True), listen=True)
    say(left, "begin left")
    assert [event.fields["values"] for event in told(left) if event.kind == "revealed"] == shown[::-1]


def test_fh_14_with_one_answer_the_space_closes_after_it() -> None:
    battle = field("9S 8S 7S 6S 5S", hands=("JS QS", "JH"), readings=Readings(one_answer=True))
    say(battle, "play JS double", "play JH double")
    assert battle.holders == [1]  # 18 against 20, and the Queen comes too late
    assert asked(battle) == (0, OPEN)


def test_fh_22_with_both_every_drawn_special_can_be_played() -> None:
    battle = field("9S 8S 7S 6S 5S", hands=("AS", "JH"), stack="JS QS 2D", readings=Readings(both_drawn=True))
    say(battle, "play AS draw")
    assert asked(battle) == (0, DRAWN) and offered(battle) == ["pass", "play JS double", "play QS swap"]
    say(battle, "play JS double")
    assert asked(battle) == (0, DRAWN) and offered(battle) == ["pass", "play QS swap"]
    say(battle, "play QS swap")
    assert asked(battle) == (1, COUNTER)


def test_fh_22_with_both_a_drawn_ace_adds_two_more_cards() -> None:
    stack = "AD QS JS KS"
    battle = field(hands=("AS", ""), stack=stack, readings=Readings(both_drawn=True))
    say(battle, "play AS draw", "play AD draw")
    assert offered(battle) == [
        "pass", "play JS double", "play QS swap", "play KS rally", "play KS redeploy",
    ]  # fmt: skip


def test_fh_26_what_was_sent_stays_face_up() -> None:
    battle = field("2S+3S 10S 8S 7S 6S", hands=("KS", "JH"))
    say(battle, "play KS redeploy")
    assert battle.view(1).enemy_line == [cards("10S"), cards("2S 3S"), [], [], []]
    assert battle.view(1).enemy_values == [10, 5, 0, 0, 0]


def test_fh_27_a_queen_exchanges_the_facing_contents() -> None:
    battle = field("2S+3S 9S 8S 7S 6S", hands=("QS", "JH"))
    say(battle, "play QS swap")
    assert battle.contents() == [cards("10H"), cards("2S 3S")]
    assert battle.both_values() == [10, 5]


def test_fh_27_attached_specials_change_sides_too() -> None:
    battle = field("9S 8S 7S 6S 5S", hands=("JS", "JH QH"))
    say(battle, "play JS double", "play QH swap")
    assert battle.holders == [1]  # the Jack went with the nine: 18 to 10
    assert texts(battle.discards) == ["QH", "JS"]


def test_fh_28_a_jack_doubles_the_total_of_two_cards() -> None:
    battle = field("4S+5S 9S 8S 7S 6S", "RJ 9H 8H 7H 6H", hands=("JS", "JH"))
    say(battle, "play JS double")
    assert battle.both_values() == [18, 15]


def test_fh_29_a_joker_does_any_one_of_the_six() -> None:
    battle = field(hands=("RJ", "4D"), stack=STACK)
    powers = ["draw", "discard", "rally", "redeploy", "swap", "double"]
    assert offered(battle) == ["pass", *(f"play RJ {power}" for power in powers)]


def test_fh_29_a_joker_keeps_the_conditions() -> None:
    battle = field("9S 8S 7S 6S 5S", hands=("RJ", ""))
    assert offered(battle) == ["pass", "play RJ redeploy", "play RJ swap", "play RJ double"]
    say(battle, "play RJ double")
    assert battle.holders[0] == 0


def test_fh_30_attached_specials_move_with_a_redeployment() -> None:
    battle = field("5S 9S 8S 7S 6S", hands=("JS KS", "JH QH"))
    say(battle, "play JS double", "play JH double", "play KS redeploy")
    assert battle.values[:2] == [9, 10]
    assert [texts(attached) for attached in battle.attached[:2]] == [[], ["JS"]]
    say(battle, "pass")
    assert battle.both_values() == [10, 9]  # the five came to space 2 with its Jack on it


def test_fh_31_modifiers_count_in_the_order_played() -> None:
    first = field("5S 9S 8S 7S 6S", "10H 9H 8H 7H 6H", hands=("JS KS", "AH"), stack="2D 3D 4D")
    say(first, "play JS double", "play AH draw", "play KS rally")
    assert first.values[0] == 2 * 5 + 1
    then = field("5S 9S 8S 7S 6S", "5H 9H 8H 7H 6H", hands=("JS KS", "AH"), stack="2D 3D 4D")
    say(then, "play KS rally", "play AH draw", "play JS double")
    assert then.values[0] == 2 * (5 + 1)
    both = field("5S 9S 8S 7S 6S", "5H 9H 8H 7H 6H", hands=("JS JD", "AH"), stack="2D 3D 4D")
    say(both, "play JS double", "play AH draw", "play JD double")
    assert both.values[0] == 4 * 5


def test_fh_32_attached_specials_are_discarded_when_the_space_is_settled() -> None:
    battle = field(hands=("JS QS", "AH QH"), stack=STACK)
    say(battle, "play JS double")
    assert battle.discards == []
    say(battle, "play AH draw")
    assert texts(battle.discards) == ["AH"]
    say(battle, "pass")
    assert texts(battle.discards) == ["AH", "JS"]
    assert battle.view(0).discards == battle.view(1).discards == battle.discards


def test_fh_33_a_useless_special_may_be_played() -> None:
    battle = field(hands=("QS", "JH"))
    say(battle, "play QS swap")
    assert battle.both_values() == [10, 10]
    assert asked(battle) == (1, COUNTER)


# Who holds and who wins


def test_fh_34_the_higher_value_holds_and_equal_values_nobody() -> None:
    battle = field("10S 9S 5S 7S RJ", "10H 8H 6H 7H 9H")
    assert battle.holders == [NOBODY, 0, 1, NOBODY, 0]


def test_fh_35_the_side_that_holds_more_spaces_wins() -> None:
    won = field("10S 9S 5S 7S RJ", "10H 8H 6H 7H 9H").outcome()
    assert (won.winners, won.reason) == ([0], "more-spaces")
    level = field("10S 8S 5S 7S RJ", "10H 9H 6H 6D 9D").outcome()
    assert (level.winners, level.reason) == ([], "level")


def test_fh_35_the_battle_goes_on_after_three_spaces() -> None:
    battle = field("10S 9S 8S 7S 2S", "9H 8H 7H 6H 5H")
    assert battle.holders == [0, 0, 0, 0, 1]


def test_fh_36_a_point_for_each_space_and_two_for_the_battle() -> None:
    battle = field("10S 9S 8S 7S 2S", "9H 8H 7H 7D 5H")
    assert [battle.score(0), battle.score(1)] == [3 + 2, 1]
    drawn = field("10S 8S 5S 7S RJ", "10H 9H 6H 6D 9D")
    assert [drawn.score(0), drawn.score(1)] == [2, 2]
    most = field("10S 9S 8S 7S 6S", "9H 8H 7H 6H 5H")
    assert [most.score(0), most.score(1)] == [7, 0]


def test_fh_37_the_next_battle_of_a_series_is_dealt_by_the_other_side() -> None:
    found = setup(dealer="north")
    assert RULES.next_house(found, []) == {"dealer": "south"}


def test_fh_38_unequal_hands_keep_the_limits_of_the_line() -> None:
    battle = fresh((15, 5))
    for _ in range(SPACES):
        battle.choose(0)
    assert len(battle.hands[0]) == 10
    assert battle.side == 1


def test_fh_39_a_campaign_is_told_winner_and_margin() -> None:
    battle = field("10S 9S 8S 7S 2S", "9H 8H 7H 7D 5H", listen=True)
    ended = told(battle)[-1]
    assert ended.kind == "ended"
    assert (ended.fields["winners"], ended.fields["held"]) == ([0], [3, 1])


def test_fh_40_extra_cards_come_out_of_the_pack_on_top_of_the_hand() -> None:
    found = dealt(setup(north={"extra": cards("KS RJ"), "hand": 12}))
    assert texts(found.deal["north"][:2]) == ["KS", "RJ"]
    assert [len(found.deal[pile]) for pile in ("north", "south", "stack")] == [14, 10, 30]
    assert sorted(card for pile in found.deal.values() for card in pile) == PACK


def test_fh_40_n_picks_all_his_cards_before_d() -> None:
    found = dealt(setup(north={"pick": 2}, south={"pick": 1, "extra": cards("AS")}, dealer="north"))
    judge = referee(found, "pick QH", "pick RJ", "pick KS")
    assert judge.moves == ["south pick QH", "north pick RJ", "north pick KS"]
    fight(judge)
    whole = RULES.dealt(judge.battle, found)
    assert texts(whole["south"][:2]) == ["AS", "QH"]
    assert texts(whole["north"][:2]) == ["RJ", "KS"]
    assert [len(whole[pile]) for pile in ("north", "south", "stack")] == [12, 12, 30]


def test_fh_40_picks_are_made_from_the_pack_without_extras_and_in_no_order_of_the_pack() -> None:
    found = setup(north={"pick": 1, "extra": cards("AS")}, south={"extra": cards("BJ")}, dealer="south")
    one, other = referee(dealt(found, 1)), referee(dealt(found, 2))
    assert one.texts() == other.texts()
    assert one.texts() == [f"pick {card_text(card)}" for card in PACK if card_text(card) not in ("AS", "BJ")]
    assert asked(field_of(one)) == (0, PICK)


def test_fh_40_a_picked_card_leaves_the_others_where_they_would_be_dealt() -> None:
    found = setup(north={"pick": 1}, dealer="south")
    whole = dealt(found)
    top = whole.deal["north"][1]
    judge = fight(referee(whole, f"pick {card_text(top)}"))
    deal = RULES.dealt(judge.battle, whole)
    assert deal["north"] == [top, whole.deal["north"][0], *whole.deal["north"][2:]]
    assert deal["south"] == whole.deal["south"]
    assert deal["stack"] == whole.deal["stack"]


def test_fh_40_a_stacked_pack_closes_up_where_a_card_was_picked() -> None:
    found = dealt(setup(north={"pick": 1}, south={"extra": cards("2S")}, dealer="south", pack=PACK))
    judge = fight(referee(found, "pick 2D"))
    deal = RULES.dealt(judge.battle, found)
    assert texts(deal["north"][:4]) == ["2D", "2H", "3S", "3D"]
    assert texts(deal["south"][:4]) == ["2S", "2C", "3H", "3C"]
    assert deal["stack"] == PACK[22:]


def test_fh_40_a_record_of_picks_fights_again_from_its_deal_alone() -> None:
    found = dealt(setup(north={"pick": 2}, south={"pick": 3, "hand": 12}))
    judge = fight(referee(found))
    recorded = found.copy()
    recorded.deal = RULES.dealt(judge.battle, found)
    assert recorded.deal != found.deal
    again = refought(RULES, recorded, judge.moves)
    assert again.checks == judge.checks
    assert RULES.dealt(again.battle, recorded) == recorded.deal
    assert not refused(recorded)


def test_fh_40_typed_in_hands_answer_the_picks() -> None:
    found = setup(north={"pick": 2, "extra": cards("AS")}, south={"pick": 1})
    found.deal = {"north": cards("AS QH RJ 10D"), "south": []}
    assert RULES.choices_from_cards(found) == [["pick QH", "pick RJ"], []]
    assert texts(dealt(found).deal["north"][:4]) == ["AS", "QH", "RJ", "10D"]


def test_fh_40_what_is_typed_in_stays_and_the_seed_gives_the_rest() -> None:
    found = setup(south={"hand": 7})
    found.deal = {"south": cards("2S 3S"), "stack": cards("RJ BJ AS")}
    one, other = dealt(found, 1), dealt(found, 2)
    assert one.deal != other.deal
    for whole in (one, other):
        assert texts(whole.deal["south"][:2]) == ["2S", "3S"]
        assert texts(whole.deal["stack"][:3]) == ["RJ", "BJ", "AS"]
        assert [len(whole.deal[pile]) for pile in ("north", "south", "stack")] == [10, 7, 37]


def test_fh_40_the_seed_does_not_shuffle_a_stacked_pack() -> None:
    found = setup(pack=PACK)
    assert dealt(found, 1).deal == dealt(found, 2).deal


def test_fh_40_the_default_sides() -> None:
    assert RULES.default_sides == ("north", "south")
    assert setup().sides == [{"hand": 10, "extra": [], "pick": 0}] * 2


@pytest.mark.parametrize(
    ("where", "key", "value", "message"),
    [
        ("side", "hand", 4, "sides.a.hand: expected a whole number from 5 to 49, got 4"),
        ("side", "hand", "ten", 'sides.a.hand: expected a whole number from 5 to 49, got "ten"'),
        ("side", "pick", -1, "sides.a.pick: expected a whole number from 0 to 44, got -1"),
        ("side", "extra", "KS", 'sides.a.extra: expected a list of 0 to 54 cards, got "KS"'),
        ("side", "extra", ["KX"], '"KX" is not a card; write a rank and a suit, such as KS or 10H'),
        ("side", "extra", ["J3"], '"J3" is not in the pack of 52 cards, RJ and BJ'),
        ("side", "extra", ["KS'"], "is not in the pack of 52 cards, RJ and BJ"),
        ("side", "extra", [13], 'expected a card in quotes, such as "KS", "10H" or "RJ", got 13'),
        ("house", "dealer", "c", 'house.dealer: expected a side of this battle (a, b), got "c"'),
        ("house", "pack", ["KS"] * 53, "house.pack: expected a list of 54 cards, got 53 cards"),
        ("house", "pack", ["KS"], "house.pack: expected a list of 54 cards, got 1 card"),
    ],
)
def test_fh_40_options_out_of_bounds_are_refused(where: str, key: str, value: object, message: str) -> None:
    side = {key: value} if where == "side" else {}
    house = {key: value} if where == "house" else {}
    with pytest.raises(InvalidInput) as found:
        read_battle({"rules": "field-of-honour", "house": house, "sides": {"a": side, "b": {}}})
    assert message in str(found.value)


def test_fh_40_hands_too_large_for_the_pack_are_refused() -> None:
    assert refused(setup({"hand": 30, "extra": cards("KS")}, {"hand": 20, "pick": 4})) == [
        "sides.north.hand: north begins with 31 cards and south begins with 24 cards (hand, extra and "
        "pick): 55 in all, but the pack has 54"
    ]
    assert refused(setup({"hand": 30}, {"hand": 20, "pick": 4})) == []


def test_fh_40_an_extra_card_is_given_out_once() -> None:
    wrong = "KS is listed twice as an extra card; the pack has one"
    assert refused(setup({"extra": cards("KS")}, {"extra": cards("KS")})) == [f"sides.south.extra: {wrong}"]
    assert refused(setup({"extra": cards("KS KS")})) == [f"sides.north.extra: {wrong}"]


def test_fh_40_a_pack_of_other_cards_is_refused() -> None:
    assert refused(setup(pack=[*PACK[1:], *cards("3S")])) == [
        "house.pack: expected 54 different cards; repeated: 3S; missing: 2S"
    ]
    assert refused(setup(pack=[*PACK[2:], *cards("3S 3H")])) == [
        "house.pack: expected 54 different cards; repeated: 3S and 3H; missing: 2S and 2H"
    ]


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({"north": "KS KS"}, "deal.north.2: KS is dealt twice; the pack has one"),
        ({"north": "KH", "south": "KH"}, "deal.south.1: KH is dealt twice; the pack has one"),
        ({"stack": "AS"}, "deal.stack.1: AS is already an extra card of south; deal another card here"),
        ({"south": "KS"}, "deal.south.1: expected the extra cards first (AS), got KS"),
        ({"south": "AS 2S 2H 2D 2C 3S 3H"}, "deal.south: expected at most 6 cards, got 7"),
    ],
)
def test_fh_40_cards_that_cannot_lie_there_are_refused(deal: dict[str, str], message: str) -> None:
    found = setup(south={"extra": cards("AS"), "hand": 5})
    found.deal = {pile: cards(text) for pile, text in deal.items()}
    assert message in refused(found)


def test_fh_40_typed_in_cards_may_not_contradict_a_stacked_pack() -> None:
    found = setup(pack=PACK, dealer="north")
    found.deal = {"south": cards("2S 2D 3S"), "stack": []}
    assert refused(found) == []
    found.deal = {"south": cards("2S 2C"), "stack": cards("7S")}
    assert refused(found) == ["deal.south.2: got 2C, but the stacked pack deals 2D here"]
    unknown = setup(pack=PACK, dealer=None)
    unknown.deal = {"stack": cards("7S")}
    assert refused(unknown) == [
        "house.dealer: missing dealer; with a stacked pack and cards in [deal], name the side that deals"
    ]
    open_picks = setup({"pick": 1}, pack=PACK)
    open_picks.deal = {"stack": cards("7S")}
    assert refused(open_picks) == [
        "deal.stack: leave this out; the cards that the stacked pack deals depend on what north picks"
    ]


def test_fh_41_score_reasons_and_losses() -> None:
    assert set(RULES.reasons) == {"more-spaces", "level"}
    battle = field("10S 9S 8S 7S 2S", "9H 8H 7H 7D 5H")
    assert battle.outcome().losses == [(1, 5), (3, 5)]


# The vectors of the rules


def test_four_and_five_with_a_jack_beat_a_joker() -> None:
    battle = field("4S+5S 9S 8S 7S 6S", "RJ 9H 8H 7H 6H", hands=("JS", ""))
    say(battle, "play JS double")
    assert battle.values[0] == 18 and battle.holders == [0, *[NOBODY] * 4]


def test_ten_to_ten_a_king_and_a_jack_in_answer() -> None:
    battle = field(hands=("KS", "JH"))
    say(battle, "play KS rally", "play JH double")
    assert battle.values[0] == 11 and battle.values[5] == 20
    assert battle.holders[0] == 1


def test_ten_to_ten_a_king_and_a_queen_in_answer() -> None:
    battle = field(hands=("KS", "QH"))
    say(battle, "play KS rally", "play QH swap")
    assert battle.values[5] == 11 and battle.values[0] == 10
    assert battle.holders[0] == 1


def test_a_doubled_joker_is_swapped_away() -> None:
    battle = field("RJ 9S 8S 7S 6S", hands=("JS", "QH"))
    say(battle, "play JS double", "play QH swap")
    assert battle.values[5] == 30
    assert battle.holders[0] == 1


def test_three_won_one_lost_one_drawn_is_five_to_one() -> None:
    battle = field("10S 9S 8S 7S 2S", "9H 8H 7H 7D 5H")
    assert [battle.score(0), battle.score(1)] == [5, 1]


# Perft


def perft(battle: FieldOfHonour, depth: int) -> int:
    """Return the number of sequences of `depth` choices."""
    if depth == 0 or battle.is_over():
        return 1
    total = 0
    for index in range(len(battle.options)):
        other = battle.copy()
        other.choose(index)
        total += perft(other, depth - 1)
    return total


def test_five_cards_can_be_placed_in_120_ways() -> None:
    battle = fresh((5, 5), seed=3)
    assert [perft(battle, depth) for depth in range(6)] == [1, 5, 20, 60, 120, 600]


@pytest.mark.parametrize(
    ("battle", "counts"),
    [
        # one Queen: play it in one of five spaces, or never
        (field(hands=("QS", "")), [1, 2, 3, 4, 5, 6, 6]),
        # N's Jack and D's Queen, each played first, in answer or never
        (field(hands=("JS", "QH")), [1, 2, 4, 7, 11, 16]),
        # a King rallies or redeploys in four level spaces and can do nothing in the fifth
        (field("10S 9S 8S 7S 5S", hands=("KS", "")), [1, 3, 5, 7, 9, 9]),
        # an Ace draws a Jack, which may be played at once
        (field(hands=("AS", ""), stack="JC 2C"), [1, 2, 4, 7, 11, 16]),
        (field(hands=("RJ QS JS", "BJ QH KH"), stack=STACK), [1, 9, 81, 369, 1840]),
    ],
)
def test_small_hands_have_so_many_sequences(battle: FieldOfHonour, counts: list[int]) -> None:
    battle.random_source = Drawn(stream(1, "perft"))
    assert [perft(battle, depth) for depth in range(len(counts))] == counts


def test_a_line_laid_at_once_is_the_line_laid_space_by_space() -> None:
    """Whether a last space is forced or cards are left over."""
    for hand in (5, 6, 8, 12):
        for seed in range(5):
            step, choices = fresh((hand, hand), seed), stream(seed, "choices")
            whole = step.copy()
            for _ in (0, 1):
                side, line = step.side, []
                while (step.side, step.question) == (side, PLACE):
                    line.append(choices.choice(step.options))
                    step.choose(step.options.index(line[-1]))
                whole.choose_all(line)
                asked_of, offers, *rest = whole.state()
                assert [asked_of, *rest] == [step.state()[0], *step.state()[2:]]
                assert offers == step.options or step.is_over()
    special = field(hands=("KS QS", "JS"), stack=STACK)
    assert asked(special) == (0, OPEN)
    special.choose_all([special.options[1]])
    assert special.values[5:6] != [] and len(special.hands[0]) == 1


def test_fh_35_a_battle_is_decided_once_nobody_can_catch_up() -> None:
    """Three spaces to none, or two ahead with one to come; a lead that can be made up decides nothing."""
    battle = fresh()
    for holders, decided in (
        ([0, 0], False),
        ([0, 0, 0], True),
        ([0, 0, 1], False),
        ([0, 0, NOBODY], False),
        ([1, 1, 1, 0], True),
        ([1, 1, NOBODY, NOBODY], True),
        ([0, 0, 1, NOBODY], False),
        ([0, 1, 0, 1, NOBODY], True),
    ):
        battle.holders = holders
        assert battle.is_decided() == decided, holders


# What a side knows


def lined_up(seed: int) -> FieldOfHonour:
    """Return a battle in which seasoned players have placed their lines, at the first open question."""
    battle, chance = fresh(seed=seed), stream(seed, "lines")
    while battle.question == PLACE and not battle.is_over():
        battle.choose(RULES.seasoned(battle.fast_view(battle.side), chance))
    return battle


@pytest.mark.slow
def test_who_thinks_supposes_that_the_enemy_laid_a_seasoned_line() -> None:
    """Half of the cards that they kept are specials then, as in truth; in a mere redeal it is a third.

    The viewer sees no difference, and no card is lost.
    """
    chance = stream(1, "supposed")
    specials, held = {"truth": 0, "supposed": 0, "redealt": 0}, 0
    for seed in range(400):
        battle = lined_up(seed)
        viewer = battle.side
        supposed = RULES.plausible_battle(battle, viewer, chance)
        assert isinstance(supposed, FieldOfHonour)
        assert facts(supposed, viewer) == facts(battle, viewer)
        assert sorted(RULES.cards_in(supposed)) == PACK
        found = {"truth": battle, "supposed": supposed, "redealt": battle.redeal(viewer, chance)}
        for name, other in found.items():
            specials[name] += sum(card >= FIRST_SPECIAL for card in other.hands[1 - viewer])
        held += len(battle.hands[1 - viewer])
    share = {name: number / held for name, number in specials.items()}
    assert abs(share["supposed"] - share["truth"]) < 0.08
    assert share["redealt"] < share["truth"] - 0.1


def test_what_cannot_be_a_seasoned_line_is_just_dealt_again() -> None:
    """So is the enemy's hand while they are asked, and while lines are placed."""
    odd = field("2S 2H 2D 3S 3H", hands=("10S", "QS"), stack="10H 10D 10C 9S 9H 9D")
    assert asked(odd) == (1, OPEN)
    for battle, viewer in ((odd, 1), (odd, 0), (fresh(), 0)):
        one = RULES.plausible_battle(battle, viewer, stream(1, "redeal"))
        assert one.state() == battle.redeal(viewer, stream(1, "redeal")).state()


@pytest.mark.slow
def test_a_redeal_deals_hidden_cards_again_and_keeps_what_was_seen() -> None:
    chance = stream(1, "redeal")
    hidden = set()
    for seed in range(40):
        battle = fresh((10, 12), seed)
        choices = stream(seed, "choices")
        while not battle.is_over():
            for viewer in (0, 1):
                other = battle.redeal(viewer, chance)
                before, after = facts(battle, viewer), facts(other, viewer)
                if battle.side != viewer:
                    before |= {"question": 0, "options": [], "drawn": []}
                    after |= {"question": 0, "options": [], "drawn": []}
                assert after == before
                assert sorted(RULES.cards_in(other)) == PACK
                hidden.add(other.state() != battle.state())
                for at in range(2 * SPACES):
                    assert (
                        other.values[at] == sum(VALUES[card] for card in other.spaces[at]) or other.shown[at]
                    )
                    if len(other.spaces[at]) == 2 and not other.shown[at]:
                        assert other.values[at] <= 10
            battle.choose(choices.below(len(battle.options)))
    assert True in hidden


def test_a_redeal_takes_back_what_the_enemy_has_placed() -> None:
    battle = fresh()
    for _ in range(SPACES):
        battle.choose(0)
    battle.choose(0)
    other = battle.redeal(1, stream(1, "redeal"))
    assert other.options == battle.options and other.side == 1
    assert other.spaces[:5] == [[]] * 5 and len(other.hands[0]) == 10
    assert other.spaces[5:] == battle.spaces[5:]
    for _ in range(SPACES - 1):
        assert other.side == 1
        other.choose(0)
    for _ in range(SPACES):
        assert (other.side, other.question) == (0, PLACE)
        other.choose(0)
    assert other.space == 1


def test_a_redeal_for_the_side_that_waits_asks_it_first() -> None:
    battle = fresh()
    battle.choose(0)
    other = battle.redeal(1, stream(1, "redeal"))
    assert asked(other) == (1, PLACE)
    assert other.filled_spaces(0) == 0
    before = battle.redeal(0, stream(1, "redeal"))
    assert asked(before) == (0, PLACE)
    assert before.filled_spaces(0) == 1


def test_a_redeal_leaves_pairs_that_have_no_other_reading() -> None:
    battle = field("2S+3S 4S+5S 10S 9S 8S", "10H 9H 8H 7H 6H", hands=("", "QH"))
    assert battle.side == 1
    other = battle.redeal(1, stream(1, "redeal"))
    assert sorted(other.spaces[1]) == cards("4S 5S")
    assert sorted(other.spaces[2] + other.spaces[3] + other.spaces[4]) == cards("8S 9S 10S")


def test_pairs_that_cannot_be_found_are_given_up() -> None:
    chance = stream(1, "pairs")
    assert fitting_pairs(1, cards("8S 8H"), [], 0, chance) == []
    assert fitting_pairs(1, [], cards("2S"), 1, chance) == []
    assert sorted(fitting_pairs(1, cards("2S KS"), cards("8H"), 1, chance)) == cards("2S 8H")
    assert fitting_pairs(1, cards("2S KS"), cards("8H"), 0, chance) == []
    assert fitting_pairs(0, [], [], 0, chance) == []


def test_picked_cards_stay_with_the_side_that_picked_them() -> None:
    found = dealt(setup(north={"pick": 2}, dealer="south"))
    judge = referee(found, "pick RJ", "pick 2C")
    battle = field_of(judge)
    assert battle.view(1).enemy_cards == cards("RJ 2C")
    chance = stream(1, "redeal")
    while not battle.is_over():
        other = battle.redeal(1, chance)
        for card in cards("RJ 2C"):
            assert (card in other.stack) is False
        battle.choose(0)


def test_extra_cards_are_hidden_unless_the_pack_lies_open() -> None:
    closed = RULES.start(dealt(setup(north={"extra": cards("RJ")})), RandomSource())
    opened = RULES.start(dealt(setup(north={"extra": cards("RJ")}, south={"pick": 1})), RandomSource())
    for battle, known in ((closed, []), (opened, cards("RJ"))):
        assert isinstance(battle, FieldOfHonour)
        battle.run()
        assert battle.view(1).enemy_cards == known


def test_a_redeal_before_the_deal_shuffles_the_pack() -> None:
    battle = field_of(referee(dealt(setup(north={"pick": 2}, dealer="south"))))
    other = battle.redeal(1, stream(1, "redeal"))
    assert other.pack != battle.pack and sorted(other.pack) == sorted(battle.pack)
    assert other.options == battle.options
    at_random(other, stream(1, "choices"))


def test_a_redeal_keeps_a_drawn_card_open_to_the_one_who_drew() -> None:
    battle = field(hands=("AS JS", "QH"), stack="KC QC 2C 3C 4C 5C")
    say(battle, "play AS draw")
    for seed in range(20):
        mine = battle.redeal(0, stream(seed, "mine"))
        assert mine.drawn == battle.drawn and mine.options == battle.options
        theirs = battle.redeal(1, stream(seed, "theirs"))
        assert asked(theirs) == (0, DRAWN) and theirs.options[0] == 0
        assert set(theirs.drawn) <= set(theirs.hands[0])


def test_a_view_shows_the_hand_to_its_side_only() -> None:
    battle = field(hands=("JS", "QH"))
    assert battle.view(0).options == battle.options
    other = battle.view(1)
    assert (other.question, other.options, other.hand) == (0, [], cards("QH"))


# unrecorded cards


def table(north: str, south: str, stack: str = "", **options: int) -> Setup:
    """Return the recorded setup of a battle that was fought with real cards."""
    found = setup({**options}, {**options}, dealer="south")
    found.deal = {"north": cards(north), "south": cards(south), "stack": cards(stack)}
    RULES.deal_unknown(found)
    return found


def test_a_table_battle_needs_only_what_was_seen() -> None:
    found = table(f"{PLAIN} AS", OTHER, "QC 2C")
    assert [len(found.deal[pile]) for pile in ("north", "south", "stack")] == [10, 10, 34]
    places = [f"place {text}" for text in f"{PLAIN} {OTHER}".split()]
    judge = referee(found, *places, "play AS draw", "play QC swap", *["pass"] * 9)
    battle = field_of(judge)
    assert battle.is_over()
    assert texts(battle.discards) == ["AS", "QC"]
    assert battle.hands == [[*[UNKNOWN] * 4, read_card("2C")], [UNKNOWN] * 5]


def test_whoever_holds_an_unknown_card_is_asked() -> None:
    found = table(f"{PLAIN} AS", f"{OTHER} 2D 3D 4D 5D 6D", "2C 3C")
    places = [f"place {text}" for text in f"{PLAIN} {OTHER}".split()]
    judge = referee(found, *places, "play AS draw")
    assert (judge.key, judge.texts(), field_of(judge).space) == ("north", ["pass"], 2)
    judge.choose(0)
    assert (judge.key, field_of(judge).space) == ("north", 3)


def test_an_unknown_card_is_never_offered() -> None:
    found = table("10S 9S 2S 3S", OTHER)
    judge = referee(found)
    assert judge.texts() == ["place 2S", "place 3S", "place 9S", "place 10S", "place 2S+3S"]
    judge = referee(found, "place 2S", "place 3S", "place 9S")
    assert judge.texts() == ["place 10S"]  # an unknown card might have been placed, so this is asked
    judge.choose(0)
    with pytest.raises(IllegalMove, match="KS is not among the known cards of its hand"):
        judge.find("place KS")


def test_an_unknown_discard_is_refused_by_name() -> None:
    found = table(f"{PLAIN} AS", f"{OTHER} 4D")
    places = [f"place {text}" for text in f"{PLAIN} {OTHER}".split()]
    moves = [f"{'north' if n < 5 else 'south'} {text}" for n, text in enumerate(places)]
    with pytest.raises(IllegalMove, match="fate cannot choose 5D; it can choose 4D"):
        refought(RULES, found, [*moves, "north play AS discard", "fate discard 5D"])


def test_unknown_picks_are_taken_from_the_moves() -> None:
    found = table(f"RJ {PLAIN}", OTHER, pick=1)
    judge = referee(found, "pick RJ", "pick BJ")
    battle = field_of(judge)
    assert battle.hands[1].count(read_card("BJ")) == 1
    assert len(battle.hands[1]) == 11 and len(battle.stack) == 32


def test_a_redeal_deals_unknown_cards_too() -> None:
    found = table(f"{PLAIN} AS", f"{OTHER} QH", "QC 2C 3C 4C")
    judge = referee(found, *(f"place {text}" for text in f"{PLAIN} {OTHER}".split()))
    battle = field_of(judge)
    for viewer in (0, 1):
        other = battle.redeal(viewer, stream(viewer, "redeal"))
        assert all(UNKNOWN not in pile for pile in [*other.hands, *other.spaces, other.stack])
        assert [len(hand) for hand in other.hands] == [len(hand) for hand in battle.hands]
        assert set(cards("QC 2C 3C 4C")) <= {*RULES.cards_in(other)}


# Choices and refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("play KS rally", "the values of the two sides differ (9 against 4); choose one of pass, "),
        ("play KH rally", "KH is not in its hand; "),
        ("play 5C double", "5C is not a special; specials are J, Q, K, A and the Jokers; "),
        ("play QS double", "QS can swap; "),
        ("play RJ", "RJ can draw, discard, rally, redeploy, swap or double; "),
        ("play RJ discard", "the enemy's hand is empty; "),
        ("play AS draw", "the stack is empty; "),
        ("play ZZ draw", '"ZZ" is not a card of the pack; '),
        ("play", "the choice names no card; "),
        ("place 5C", "the lines are complete; "),
        ("sing", 'north cannot choose "sing" now; '),
    ],
)
def test_an_illegal_special_is_explained(text: str, message: str) -> None:
    battle = field("9S 8S 7S 6S 5S", "4H 3H 2H 7H 6H", hands=("QS KS AS RJ 5C", ""))
    with pytest.raises(IllegalMove) as found:
        judge_of(battle).find(text)
    cannot = "" if "cannot" in message else f"north cannot {text}: "
    assert str(found.value).startswith(f"{cannot}{message}")


def judge_of(battle: FieldOfHonour) -> Referee:
    """Return a referee of a battle set up by hand."""
    judge = Referee(RULES, dealt(setup()), RandomSource())
    judge.battle = battle
    return judge


def test_a_redeployment_from_space_5_is_explained() -> None:
    battle = field(hands=("KS QS", ""))
    say(battle, "pass", "pass", "pass", "pass")
    assert RULES.why_not(battle, "play KS redeploy") == "space 5 is the last one"


def test_what_may_be_played_at_once_is_explained() -> None:
    battle = field(hands=("AS QS", ""), stack="JC 2C")
    say(battle, "play AS draw")
    assert RULES.why_not(battle, "play QS swap") == "only a card just drawn can be played now: 2C or JC"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("place 8S+3S", "two cards in a space total at most 10, these total 11"),
        ("place 2S+3S+4S", "a space takes one card or two"),
        ("place 2S+2S", "a space takes one card or two"),
        ("place KH", "KH is not in its hand"),
        ("place KH+QH", "KH and QH are not in its hand"),
        ("place \x1b", '"<1b>" is not a card of the pack'),
        ("place", "the choice names no card"),
        ("play KH rally", "fill space 1 of the line first"),
        ("pick KH", "fill space 1 of the line first"),
    ],
)
def test_an_illegal_content_is_explained(text: str, reason: str) -> None:
    battle = FieldOfHonour()
    battle.begin(0, [cards("2S 3S 4S 8S 9S 10S"), cards(OTHER)], [0, 0], [0, 0], [], RandomSource())
    battle.run()
    assert RULES.why_not(battle, text) == reason


def test_a_pair_that_leaves_too_few_is_explained() -> None:
    battle = FieldOfHonour()
    battle.begin(0, [cards("2S 3S 4S 8S 9S"), cards(OTHER)], [0, 0], [0, 0], [], RandomSource())
    battle.run()
    assert RULES.why_not(battle, "place 2S+3S") == "only 3 cards would be left for 4 spaces"


def test_an_illegal_pick_is_explained() -> None:
    battle = field_of(referee(dealt(setup(north={"pick": 2}, dealer="south")), "pick RJ"))
    assert RULES.why_not(battle, "pick RJ") == "RJ is no longer in the pack"
    assert RULES.why_not(battle, "place RJ") == "cards are being picked before the deal"


def test_choices_are_found_in_other_hands_writing() -> None:
    judge = referee(dealt(setup()))
    battle = field_of(judge)
    pair = next(text for text in judge.texts() if "+" in text)
    low, high = pair.removeprefix("place ").split("+")
    assert judge.find(f"PLACE {high.lower()}+{low}") == judge.find(pair)
    assert battle.side == 0


# The regular commander and the seasoned one

POLICIES = pytest.mark.parametrize("policy", [RULES.regular, RULES.seasoned])


def answer(battle: FieldOfHonour, policy: Policy = RULES.regular) -> str:
    return offered(battle)[policy(battle.view(battle.side), stream(1, "regular"))]


@POLICIES
def test_both_form_pairs_of_ten_and_keep_specials(policy: Policy) -> None:
    battle = FieldOfHonour()
    battle.begin(
        0, [cards("2S 8S 3S 7S 4S 6S 10S 9S QS JS"), cards(OTHER)], [0, 0], [0, 0], [], RandomSource()
    )
    battle.run()
    while battle.side == 0:
        say(battle, answer(battle, policy))
    placed = {tuple(texts(content)) for content in battle.spaces[:5]}
    assert placed == {("2S", "8S"), ("3S", "7S"), ("4S", "6S"), ("10S",), ("9S",)}


@POLICIES
def test_both_turn_a_space_and_leave_one_they_hold(policy: Policy) -> None:
    assert answer(field("9S 8S 7S 6S 5S", hands=("JS", "2D 3D 4D")), policy) == "play JS double"
    assert answer(field("RJ 8S 7S 6S 5S", hands=("JS", "2D 3D 4D")), policy) == "pass"


def test_the_seasoned_takes_the_cheapest_special_that_turns_a_space_the_regular_the_first() -> None:
    battle = field(hands=("KS QS JS RJ", "2D"))
    assert answer(battle, RULES.seasoned) == "play KS rally"
    assert answer(battle) == "play JS double"


def test_the_regular_lines_up_a_special_for_want_of_a_content_of_seven() -> None:
    battle = FieldOfHonour()
    battle.begin(0, [cards("2S 3S 4S 9S 10S QS JS"), cards(OTHER)], [0, 0], [0, 0], [], RandomSource())
    battle.run()
    while battle.side == 0:
        say(battle, answer(battle))
    placed = {tuple(texts(content)) for content in battle.spaces[:5]}
    assert placed == {("10S",), ("9S",), ("QS",), ("JS",), ("3S", "4S")}


@POLICIES
def test_both_spend_what_helps_in_the_last_space(policy: Policy) -> None:
    battle = field("10S 9S 8S 7S 5S", hands=("QS", ""))
    say(battle, "pass", "pass", "pass", "pass")
    assert answer(battle, policy) == "play QS swap"


def test_the_regular_draws_when_nothing_turns_a_space_the_seasoned_may_rob_the_enemy() -> None:
    bare = field("9S 8S 7S 6S 5S", hands=("AS", "2D"))
    assert answer(bare, RULES.seasoned) == "play AS discard"
    assert answer(bare) == "pass"
    assert answer(field("9S 8S 7S 6S 5S", hands=("AS", "2D"), stack=STACK)) == "play AS draw"


def test_the_seasoned_picks_what_is_worth_most_in_hand_the_regular_the_highest() -> None:
    battle = field_of(referee(dealt(setup(north={"pick": 1}, dealer="south"))))
    assert answer(battle, RULES.seasoned) == "pick QS"
    assert answer(battle) == offered(battle)[-1]


@pytest.mark.slow
@POLICIES
def test_both_answer_alike_whatever_is_hidden(policy: Policy) -> None:
    for seed in range(60):
        battle = fresh(seed=seed)
        chance = stream(seed, "choices")
        while not battle.is_over():
            for n in range(2):
                other = battle.redeal(battle.side, stream(n, "redeal"))
                view = other.view(battle.side)
                assert policy(view, stream(1, "r")) == policy(battle.view(battle.side), stream(1, "r"))
            battle.choose(chance.below(len(battle.options)))


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "most"), [(RULES.regular, 0.82), (RULES.seasoned, 0.88)])
def test_both_beat_random_play(policy: Policy, most: float) -> None:
    """Of 600 mirrored battles, each policy takes more than this share, with draws as halves."""
    points = 0
    for seed in range(300):
        pack = PACK.copy()
        stream(seed, "deal").shuffle(pack)
        for seat in (0, 1):
            battle = FieldOfHonour()
            battle.begin(seed % 2, [[], []], [0, 0], [10, 10], pack, Drawn(stream(seed, "battle")))
            battle.run()
            chances = [stream(seed, f"side/{side}") for side in (0, 1)]
            while not battle.is_over():
                side = battle.side
                view = battle.view(side)
                is_regular = side == seat
                green = chances[side].below(len(view.options)) if not is_regular else 0
                battle.choose(policy(view, chances[side]) if is_regular else green)
            winners = battle.outcome().winners
            points += 2 if winners == [seat] else 0 if winners else 1
    assert points / 1200 > most


# The tale


def tale(judge: Referee, viewer: int | None = None, detail: int = AUDIT) -> str:
    """Return the whole tale for one reader as text."""
    teller = RULES.tale(judge.setup)
    lines: list[str] = []
    for _, event in judge.events_for(viewer):
        for block in teller.describe(event):
            if isinstance(block, Heading):
                lines += ["", f"== {plain(block.parts)} ({plain(block.remark)})"]
            elif isinstance(block, Grid):
                lines += [" | ".join(plain(cell) for cell in row) for row in (block.head, *block.rows)]
            elif block.detail <= detail:
                assert isinstance(block, Line)
                lines.append(f"{block.rule}: {plain(block.parts)}")
    return "\n".join(lines)


def plain(parts: Parts) -> str:
    return said(parts, ["North", "South"])


NORTH = "9S 2S+8S 3S 10S 4S AS KS RJ 5S".replace("+", " ")
SOUTH = "10H 9H 2H 8H 7H 3H QH JH KH 5H"
STORY = (
    *(f"place {text}" for text in ["9S", "2S+8S", "3S", "10S", "4S"]),
    *(f"place {text}" for text in ["10H", "9H", "2H+8H", "7H", "3H"]),
    "play AS draw", "play JC double", "play QH swap", "play KS redeploy", "pass",
    "pass", "play JH double", "play RJ discard", "play KH redeploy",
)  # fmt: skip


def story() -> Referee:
    """Return a battle in which most of what can happen does."""
    found = setup(dealer="south")
    found.deal = {"north": cards(NORTH), "south": cards(SOUTH), "stack": cards("JC 4C")}
    judge = referee(dealt(found), *STORY, seed=2)
    while not judge.battle.is_over():
        judge.choose(0)
    return judge


def test_the_tale_of_a_battle(snapshot: SnapshotAssertion) -> None:
    told = tale(story())
    assert "FH-20: North plays AS: draws 4C JC." in told
    assert "FH-28: North at once plays the drawn JC: 9 becomes 18, against 10." in told
    assert "FH-27: South counters with QH: the contents change places; North has 10H (10), South has" in told
    assert told == snapshot


@pytest.mark.parametrize("viewer", [0, 1])
def test_the_tale_as_a_side_knows_it(viewer: int, snapshot: SnapshotAssertion) -> None:
    told = tale(story(), viewer)
    assert ("draws 4C JC" in told) == (viewer == 0)
    assert ("draws 2 cards" in told) == (viewer == 1)
    assert ("South places" in told) == (viewer == 1)
    assert told == snapshot


def test_the_tale_begins_with_the_picks() -> None:
    found = dealt(setup(north={"pick": 2}, dealer="south"))
    judge = referee(found, "pick RJ", "pick KS")
    told = tale(judge)
    assert told.startswith(
        "\n== Before the deal ()\nFH-40: North picks RJ from the open pack.\n"
        "FH-40: North picks KS from the open pack.\n\n== The deal ()\n"
    )


def test_the_end_says_what_is_drawn() -> None:
    played = setup({"hand": 5}, {"hand": 5}, dealer="south")
    played.deal = {"north": cards("10S 8S 5S 7S RJ"), "south": cards("10H 9H 6H 7H 9D")}
    lines = ["10S", "8S", "5S", "7S", "10H", "9H", "6H", "7H"]
    told = tale(referee(dealt(played), *(f"place {text}" for text in lines)))
    assert "FH-35: North holds 1 space, South 2; 2 are drawn." in told
    assert "FH-36: Points: North 1, South 4 (a point for each space, 2 for the battle)." in told
    assert "worth | 10 | 8 | 5 | 7 | 15\nheld by | nobody | South | South | nobody | North" in told


def test_the_deal_before_the_picks_is_the_one_without_them() -> None:
    found = dealt(setup(north={"pick": 2}, dealer="south"))
    judge = referee(found)
    assert RULES.dealt(judge.battle, found) == found.deal


def test_a_dealer_who_is_named_is_not_drawn_by_lot() -> None:
    found = setup(dealer="south")
    chance = stream(1, "lot")
    before = chance.counter
    RULES.choose_random_house_rules(found, chance)
    assert (found.house["dealer"], chance.counter) == ("south", before)


def test_events_carry_their_facts_in_words() -> None:
    judge = story()
    found = [RULES.as_json(event, judge.setup.seats) for _, event in judge.events_for(None)]
    played = [event for event in found if event["event"] == "played"]
    assert played[0] == {
        "event": "played",
        "side": "north",
        "card": "AS",
        "power": "draw",
        "question": "open",
    }
    assert [event["question"] for event in played[1:3]] == ["drawn", "counter"]
    settled = next(event for event in found if event["event"] == "settled")
    assert (settled["space"], settled["contents"], settled["values"]) == (1, [["2S", "8S"], ["9S"]], [10, 18])
    assert (settled["holder"], settled["attached"], settled["held"]) == ("south", [[], ["JC"]], [0, 1])


def test_a_side_sees_its_own_line_and_the_enemy_face_down() -> None:
    told = tale(story(), 0)
    assert "North | 9S | 2S 8S | 3S | 10S | 4S\nSouth | 1 card | 1 card | 2 cards | 1 card | 1 card" in told
    both = tale(story())
    assert "North | 1 card | 2 cards | 1 card | 1 card | 1 card\nSouth | 1 card | 1 card | 2 cards" in both


def test_the_rules_have_every_number_and_the_credit() -> None:
    for number in range(1, 42):
        assert f"- **FH-{number}** " in RULES.rules_text()
    assert "author unknown" in RULES.credit
    assert dealing.STACK in RULES.piles(setup())


def test_the_view_is_of_this_rule_set() -> None:
    assert isinstance(fresh().view(0), FieldView)
