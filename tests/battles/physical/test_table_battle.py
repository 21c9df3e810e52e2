"""Battles with real cards: the reports of the players lead to the battle that the program fought."""

from __future__ import annotations

import io
import tomllib
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pytest

from cardbattle.battles.physical.reconstruction import Seen, cards_of
from cardbattle.battles.physical.table_battle import TableBattle, Unclear, begin_table, lots
from cardbattle.battles.physical.table_battle_file import read_table, table_file_text
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import Record, dumps_record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import refight, verify_record
from cardbattle.battles.records.visible_steps import steps_seen
from cardbattle.battles.records.what_if import decisions_of
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.storage.store import load
from cardbattle.cli.app import run
from cardbattle.cli.play.prompt import UserQuit
from cardbattle.cli.play.table import TableLines
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import InvalidInput
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.rules import RULE_SETS, find
from cardbattle.testing import complete, setups
from cardbattle.testing.setting_up import plain_setup
from tests.cli.test_cli import Said
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.cli.test_play import Play
from tests.cli.test_play import play as play  # the same prompt
from tests.support.table_told import SPECIALS, Fought, Teller, fought_by_machine, plan_at_table

SMALL = {"warmonger": ("cards", 6)}
SOON = {"warfare-tactics": {"turn_limit": 5}}
BATTLES = 25  # of each rule set, in the heavy test


def small_setup(rules: RuleSet, seed: int) -> Setup:
    """Return a short battle, dealt."""
    setup = plain_setup(rules, rules.fewest)
    setup.house |= SOON.get(rules.key, {})
    if rules.key in SMALL:
        word, value = SMALL[rules.key]
        for side in setup.sides:
            side[word] = value
    return complete(rules, setup, seed)


def fought(key: str, seed: int) -> Fought:
    """Return a short battle that the machine has fought."""
    rules = find(key)
    return fought_by_machine(rules, small_setup(rules, seed), seed)


def agree(table: TableBattle, battle: Fought) -> Record:
    """Return the record of a completely reported battle, after comparing it with the original battle."""
    assert table.is_over
    record = table.record()
    outcome = battle.referee.outcome()
    assert record.winning_seats == outcome.winners
    assert record.reason == outcome.reason
    assert record.losses == [Fraction(lost, whole) for lost, whole in outcome.losses]
    assert record.scores == [battle.referee.battle.score(seat) for seat in range(len(record.seats))]
    told = [move for move in record.moves if not move.startswith("fate ")]
    seen = {choice.text for choice in battle.choices if not (choice.is_silent or choice.is_covered)}
    named = {text for text in seen if text.split()[0] not in SPECIALS}  # their cost may be the only one
    assert named <= {move.partition(" ")[2] for move in told}
    assert record.fought == "table" and record.seed is None
    written = read_record(tomllib.loads(dumps_record(record)))
    assert verify_record(written) == ""
    for event, true in zip(told_events(written), battle.seen, strict=True):
        assert (event.kind, event.side) == (true.kind, true.side)
        # A record can leave out cards, but it cannot add any.
        assert {*cards_of(record.rules, event)} <= {*cards_of(record.rules, true)}
    return record


def told_events(record: Record) -> list[Seen]:
    """Return the events of a record with real cards, which every reader is told alike, without a guess."""
    referee = refight(record)
    first, *others = [
        [Seen(event.kind, event.side, event.fields) for _, event in report_of(record, referee, viewer).events]
        for viewer in (NOBODY, None, *range(len(record.seats)))
    ]
    assert all(each == first for each in others)
    for viewer in (NOBODY, *range(len(record.seats))):
        assert [*steps_seen(record, viewer)][-1].events == len(first)
    return first


@pytest.mark.slow
@pytest.mark.parametrize("key", list(RULE_SETS))
def test_what_a_table_tells_comes_to_what_was_fought(key: str) -> None:
    tell_and_compare(key, 1)


@pytest.mark.slow
def test_a_special_drawn_after_the_last_report_can_be_played() -> None:
    tell_and_compare("warmonger", 136)  # the second side draws it as a consolation after a War


@pytest.mark.slow
def test_a_special_can_be_played_although_the_guesses_use_all_of_its_copies() -> None:
    rules = find("warmonger")
    setup = plain_setup(rules, 5)
    for side in setup.sides:
        side["cards"] = 4
    battle = fought_by_machine(rules, complete(rules, setup, 6), 6)
    table = begin_table(plan_at_table(rules, battle.referee.setup))
    Teller(battle).tell_all(table)
    agree(table, battle)


@pytest.mark.slow
@pytest.mark.parametrize("number", [3, 10])
def test_battles_with_picked_cards_can_be_reported(number: int) -> None:
    """A guess can have picked cards, which lie face down later, in a wrong place. It is then corrected."""
    rules = find("field-of-honour")
    setup = plain_setup(rules, 2)
    for side in setup.sides:
        side |= {"pick": number, "hand": 8}
    battle = fought_by_machine(rules, complete(rules, setup, 8), 8)
    table = begin_table(plan_at_table(rules, battle.referee.setup))
    Teller(battle).tell_all(table)
    agree(table, battle)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "number", "seed"),
    [
        ("warmonger", 42, 515),  # extra cards stay in the deck of their side
        ("warfare-tactics", 55, 503),  # a special after a choice without an event
        ("warfare-tactics", 43, 603),  # a card drawn late is in place of a card that a player played since
        ("wargame", 1, 586),  # the forced last card of a line is public
    ],
)
def test_rare_battles_can_be_reported(key: str, number: int, seed: int) -> None:
    """Reports of these battles were refused before."""
    rules = find(key)
    battle = fought_by_machine(rules, complete(rules, setups(rules)[number], seed), seed)
    table = begin_table(plan_at_table(rules, battle.referee.setup))
    Teller(battle).tell_all(table)
    agree(table, battle)


@pytest.mark.heavy
@pytest.mark.parametrize("key", list(RULE_SETS))
def test_many_battles_told_at_a_table_come_to_what_was_fought(key: str) -> None:
    for seed in range(10, 10 + BATTLES):
        tell_and_compare(key, seed)


def tell_and_compare(key: str, seed: int) -> None:
    """Report a battle that the program fought, and check that the result is the same."""
    battle = fought(key, seed)
    table = begin_table(plan_at_table(find(key), battle.referee.setup))
    Teller(battle).tell_all(table)
    agree(table, battle)


@pytest.mark.heavy
@pytest.mark.parametrize("key", list(RULE_SETS))
def test_a_table_left_at_every_line_goes_on_from_its_file(key: str) -> None:
    battle = fought(key, 5)
    table = begin_table(plan_at_table(find(key), battle.referee.setup))
    teller = Teller(battle)
    while line := teller.next_line(table):
        teller.tell(table, line)
        table = read_table(tomllib.loads(table_file_text(table)))
    agree(table, battle)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["strategy-war", "field-of-honour"])
def test_where_all_is_seen_the_moves_are_those_that_were_made(key: str) -> None:
    battle = fought(key, 1)
    table = begin_table(plan_at_table(find(key), battle.referee.setup))
    Teller(battle).tell_all(table)
    assert [move for move in battle.referee.moves if not move.endswith(" pass")] == [
        move for move in table.record().moves if not move.endswith(" pass")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["strategy-war", "field-of-honour", "warmonger"])
def test_a_table_left_at_a_line_goes_on_from_its_file(key: str) -> None:
    battle = fought(key, 3)
    table = begin_table(plan_at_table(find(key), battle.referee.setup))
    teller, lines = Teller(battle), 0
    while line := teller.next_line(table):
        teller.tell(table, line)
        lines += 1
        if lines in (1, 9, 17):
            text = table_file_text(table)
            table = read_table(tomllib.loads(text))
            assert table_file_text(table) == text
    agree(table, battle)


@pytest.mark.parametrize("key", list(RULE_SETS))
def test_undo_takes_back_one_line_after_another_to_the_beginning(key: str) -> None:
    battle = fought(key, 4)
    table = begin_table(plan_at_table(find(key), battle.referee.setup))
    teller = Teller(battle)
    texts = []
    for _ in range(8):
        texts.append(table_file_text(table))
        teller.tell(table, teller.next_line(table))
    while texts:
        table.undo()
        assert table_file_text(table) == texts.pop()
    with pytest.raises(InvalidInput, match="there is no report to undo"):
        table.undo()


@pytest.mark.slow
def test_undo_goes_back_beyond_the_file_that_a_battle_goes_on_from() -> None:
    battle = fought("field-of-honour", 4)
    table = begin_table(plan_at_table(find("field-of-honour"), battle.referee.setup))
    teller = Teller(battle)
    for _ in range(14):
        before = table_file_text(table)
        teller.tell(table, teller.next_line(table))
    again = read_table(tomllib.loads(table_file_text(table)))
    again.undo()
    assert table_file_text(again) == before


def test_a_search_that_is_broken_off_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = fought("warmonger", 1)
    table = begin_table(plan_at_table(find("warmonger"), battle.referee.setup))
    teller = Teller(battle)
    for name in ("table_battle", "guesses"):
        monkeypatch.setattr(f"cardbattle.battles.physical.{name}.MOST_TRIES", 0)
    line = teller.next_line(table)
    while line == " ".join(table.group.cards if table.group else []):
        teller.tell(table, line)
        line = teller.next_line(table)
    with pytest.raises(InvalidInput, match="tried 0 ways to deal the hidden cards, and none puts "):
        teller.tell(table, line)


def table_with_two_kings() -> TableBattle:
    """Return a battle in which Mike begins with two Kings on the battlefield, and can pay with them."""
    rules = find("warfare-tactics")
    setup = plain_setup(rules, 2)
    setup.house["dealer"] = setup.seats[0]
    for side, cards in zip(setup.sides, (("KS", "KH"), ("2S",)), strict=True):
        side["battlefield"] = [rules.read_card(card, "") for card in cards]
    return begin_table(plan_at_table(rules, setup))


def test_a_special_move_is_paid_with_the_cards_that_the_line_names() -> None:
    table = table_with_two_kings()
    for line in ("pass", "nothing", "mary pass", "mike seven KH KC"):
        table.report(line)
    [paid] = [seen.fields["paid"] for seen in table.replay.seen if seen.kind == "called_seven"]
    assert table.rules.fact("paid", paid, table.keys) == ["KH", "KC"]


def test_cards_in_place_of_a_choice_are_refused_without_a_search() -> None:
    table = table_with_two_kings()
    table.report("pass")
    with pytest.raises(InvalidInput) as error:
        table.report("8H 9H TH")
    problem = '"8H 9H TH": no cards are turned up now; mike must choose'
    assert str(error.value) == f"{problem}: post CARD, attack CARD CARD or nothing"
    assert table.tries == 0


# At the keyboard

RULES = ["field-of-honour", "--side", "york", "--side", "lancaster", "--table", "--save", "t.battle.toml"]
LINES = ["york", "2", "1", "1", "1", "1", *"11111"]
SPACES = [
    "3S 4D",
    "KH",
    "lancaster play AS draw",
    "lancaster play QD swap",
    "9S",
    "10D",
    "york play JC double",
]
LAST = ["8S 7S", "6S 5S", "5C 5D", "over"]


def script(*lines: str) -> str:
    """Return what is written at the keyboard."""
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.slow
def test_a_battle_is_told_at_the_keyboard_and_recorded(play: Play) -> None:
    done = play(script(*LINES, *SPACES, *LAST), *RULES)
    assert done.code == 0, done.err
    assert "York 6 points, losses none; Lancaster 0 points, losses 4/5 (80%)." in done.out
    assert "So far: York 2, Lancaster 0 (spaces)." in done.out
    record = read_record(tomllib.loads(Path("t.record.toml").read_text(encoding="utf-8")))
    assert verify_record(record) == ""
    assert (record.fought, record.winners, record.scores) == ("table", ["york"], [6, 0])
    assert not Path("t.battle.toml").exists()
    assert record.table["deal"] == {
        "york": ["3S", "4D", "JC", "5C", "6S", "8S", "9S"],
        "lancaster": ["AS", "5D", "5S", "7S", "10D", "KH"],
        "stack": ["QD"],
    }


@pytest.mark.slow
def test_a_card_that_lies_open_is_entered_without_a_question(play: Play) -> None:
    """A King sends a card face up to the next space. An undo takes back the line before it."""
    lines = ["york", *"1111111111", "7H 2S", "york play KD redeploy", "JS"]
    done = play(script(*lines, "3C", "undo", "3C", "undo", "undo", "JS", "3C", "8C 9S", "quit"), *RULES)
    assert done.out.count("York turns up 1 card in space 2") == 1  # before the King
    assert done.out.count("Lancaster turns up 1 card in space 2: which?") == 4
    assert "Taken back: JS" in done.out and done.out.count("York holds space 2, 7 to 3.") == 3


@pytest.mark.slow
def test_cards_of_several_sides_on_one_line_are_repeated(play: Play) -> None:
    done = play(script("york", *"1111111111", "7H", "2S 8C", "9S", "quit"), *RULES)
    said = "Lancaster turns up 1 card in space 1: 2S.\nYork turns up 1 card in space 2: 8C.\n"
    assert done.out.count(said) == 1


def test_the_beginning_of_a_side_is_enough_before_the_verb_of_a_move() -> None:
    sides = '[sides.pans]\n[sides.goats]\nname = "Old Goats"\n'
    plan = read_battle(tomllib.loads(f'format = 1\nrules = "field-of-honour"\nseed = 1\n{sides}'))
    table = begin_table(plan)
    assert table.mover("g play KC rally") == ("goats", "play KC rally")
    assert table.mover("Old: pass") == ("goats", "pass")
    assert table.mover("pan place KH") == ("pans", "place KH")
    for line in ("place KH", "pa 4", "x play KC", "KH 7S"):
        assert table.mover(line) == ("", line)


SLIPS = {
    "KH": "KH is already on the table; york turns up 1 card in space 2.",
    "9S 9S": "9S is already on the table; lancaster turns up 1 card in space 2.",
    "banana": "banana is not a card; york turns up 1 card in space 2.",
    "york place 3S": "york cannot place 3S now; york turns up 1 card in space 2.",
    "lancaster play QD swap": "lancaster cannot play QD swap now; york turns up 1 card in space 2.",
}


@pytest.mark.slow
def test_a_slip_is_refused_and_changes_nothing(play: Play) -> None:
    done = play(script(*LINES, *SPACES[:4], *SLIPS, *SPACES[4:], *LAST), *RULES)
    assert done.code == 0, done.err
    told = " ".join(done.out.split())
    for answer in SLIPS.values():
        assert answer in told
    assert "York 6 points, losses none; Lancaster 0 points, losses 4/5 (80%)." in done.out


@pytest.mark.slow
def test_two_cards_that_a_rule_forbids_together_are_refused_with_the_rule(play: Play) -> None:
    """Space 2 is also refused with the rule, although the search for other guesses stops at its limit."""
    lines = [*LINES[:2], "2", *LINES[3:]]
    done = play(script(*lines, "9S 2D", "3S 4D", "KH", "KS 2S", "8S 3H", "8S 2H", "quit"), *RULES)
    said = " ".join(done.out.split())
    rule = "two cards in a space total at most 10, these total"
    for cards, total, space in (("9S and 2D", 11, 1), ("KS and 2S", 12, 2), ("8S and 3H", 11, 2)):
        again = f"york turns up 2 cards in space {space}."
        assert f"{cards} cannot lie there: {rule} {total}; {again}" in said
    assert "lancaster turns up 1 card in space 2" in said.lower() and "rule out" not in said


@pytest.mark.slow
def test_a_slip_that_could_be_is_taken_back_with_undo(play: Play) -> None:
    done = play(script(*LINES, "3S 4D", "KC", "undo", "KH", *SPACES[2:], *LAST), *RULES)
    assert done.code == 0, done.err
    assert "Taken back: KC" in done.out
    record = read_record(tomllib.loads(Path("t.record.toml").read_text(encoding="utf-8")))
    assert "lancaster place KH" in record.moves


@pytest.mark.slow
def test_a_battle_left_at_the_table_goes_on(play: Play) -> None:
    done = play(script(*LINES, *SPACES), *RULES)
    assert done.code == 0
    assert "cardbattle play t.battle.toml" in done.out
    assert 'fought = "table"' in Path("t.battle.toml").read_text(encoding="utf-8")
    done = play(script(*LAST), "t.battle.toml")
    assert done.code == 0, done.err
    assert "York 6 points" in done.out


def test_after_a_round_the_table_is_told_what_lies_where(play: Play) -> None:
    rules = ["strategy-war", "--side", "york", "--side", "lancaster", "--table", "--save", "t.battle.toml"]
    done = play(script("K", "field", "7"), *rules)
    assert done.out.count("Round 1 of 13.") == 1
    assert "So far: York 20, Lancaster 0 (points).\n  Round 2 of 13.\n" in done.out
    assert "York 20 2 3 4 5 6 7 8 9 10 J Q A Lancaster 0 2 3" in " ".join(done.out.split())


def stretch(told: str, first: str, last: str) -> str:
    """Return what was printed between two texts, the last one after the first."""
    return told.partition(first)[2].partition(last)[0]


@pytest.mark.slow
def test_what_the_last_cards_come_to_is_told_before_the_next_are_asked_for(play: Play) -> None:
    done = play(script(*LINES, *SPACES[:2], "5D 6D", "KD 7S"), *RULES)
    told = stretch(done.out, "table> KH", "table>")
    assert "Lancaster holds space 1, 10 to 7.\nThe next question assumes that no side acts before" in told
    assert "So far: York 0, Lancaster 1 (spaces)." in told
    told = stretch(done.out, "table> 5D 6D", "table>")
    assert "Lancaster holds space 2, 6 to 5." in told and "That stands" not in told


@pytest.mark.slow
def test_what_a_late_special_changes_is_told_anew(play: Play) -> None:
    done = play(script(*LINES, *SPACES[:2], "lancaster play QD swap", "undo", "5D 6D"), *RULES)
    told = " ".join(stretch(done.out, "table> lancaster play QD swap", "table>").split())
    assert told.startswith(
        "Your line changes events that were shown before. The corrected events: Lancaster plays Q"
    )
    assert "York holds space 1, 10 to 7. So far: York 1, Lancaster 0 (spaces)." in told
    told = stretch(done.out, "table> undo", "table>")
    assert "Lancaster holds space 1" in told and "otherwise" not in told


def test_each_skirmish_and_a_war_are_told_at_once(play: Play) -> None:
    rules = ["warmonger", "--side", "york", "--side", "lancaster", "--table"]
    done = play(script("3S 4S", "5D 6D", "7H 7D"), *rules, "--set", "house.superpower=york")
    told = stretch(done.out, "table> 3S 4S", "table>")
    assert "Lancaster wins Skirmish 1 and 2 cards." in told
    assert "So far: York 29, Lancaster 31 (cards)." in told
    assert "Lancaster wins Skirmish 2 and 2 cards." in stretch(done.out, "table> 5D 6D", "table>")
    assert "York and Lancaster are level: War!" in stretch(done.out, "table> 7H 7D", "table>")
    assert "Skirmishes" not in done.out


@pytest.mark.slow
def test_the_last_round_and_the_score_are_told_before_the_battle_is_over(play: Play) -> None:
    rules = ["strategy-war", "--side", "york", "--side", "lancaster", "--table", "--save", "t.battle.toml"]
    cards = [
        "2",
        "3",
        "4",
        "4",
        "5",
        "6",
        "7",
        "7",
        "3",
        "2",
        "6",
        "5",
        "8",
        "9",
        "9",
        "8",
        "10",
        "J",
        "J",
        "10",
        "Q",
        "Q",
        "K",
        "A",
        "A",
        "K",
    ]
    done = play(script(*cards, "over"), *rules)
    assert (done.code, done.err) == (0, "")
    told = stretch(done.out, "table> A\nLancaster", "table> over")
    assert "York wins 27 points with A." in told and "Points: Lancaster 113, York 95." in told
    assert told.endswith("Enter over if that is right, or enter a move that is\nmissing.\n")
    for number in range(3, 14):
        told = stretch(done.out, f"  Round {number - 1} of 13.", f"  Round {number} of 13.")
        assert told.count("So far:") == (number not in (3, 5, 12)), number  # without a winner


def test_each_card_of_an_attack_is_told_with_the_totals(play: Play) -> None:
    sides = ["--side", "mike", "--side", "mary", "--set", "house.dealer=mary", "--set", "house.turn_limit=5"]
    given = ["--set", "mike.battlefield=KD", "--set", "mary.battlefield=9C"]
    done = play(
        script("pass", "mary attack 9C KD", "counter 10H"), "warfare-tactics", *sides, *given, "--table"
    )
    assert "Mike adds 10" in stretch(done.out, "table> counter 10H", "table>"), done.out + done.err


def test_a_question_says_what_it_is_about_and_by_which_rule(play: Play) -> None:
    done = play(script(*LINES[:3], "?", *LINES[3:], "?", SPACES[0]), *RULES)
    assert "York: Fill space 3 of the 5 in your line (FH-6)" in " ".join(done.out.split())
    assert "Lancaster: Fill space 5 of the 5 in your line (FH-6)" in " ".join(done.out.split())
    assert "York turns up 2 cards in space 1: which?" in done.out
    assert "FH-12 Turn up the cards of both sides in the space." in stretch(
        done.out, "table> ?\nYork turns up", "table>"
    )
    rules = ["warmonger", "--side", "york", "--side", "lancaster", "--table"]
    done = play(script("7S 7H", "?"), *rules, "--set", "house.superpower=york")
    assert "York lays 1 card face up to begin the War, after 3 face down: which?" in done.out
    assert "WM-16 Each side in the Battle lays" in done.out


@pytest.mark.parametrize("key", list(RULE_SETS))
def test_all_that_is_turned_up_has_its_rule(key: str) -> None:
    rules = find(key)
    for shows in rules.shows.values():
        assert all(f"**{show.rule}** " in rules.rules_text() for show in shows)


WRONG = {
    "warfare-tactics": {
        "attack 9C KD": 'mary cannot attack 9C KD now; the question is "Your turn begins: take your supply" '
        "(WT-6): draw or pass.",
        "over": "the battle is not over: mary must choose.",
    },
    "field-of-honour": {
        "place": "york cannot place now: the choice names no card; write 1 for place ? or 2 for place ?+?.",
        "play KH rally": "(FH-6): 1 for place ? or 2 for place ?+?.",
    },
    "wargame": {
        "deploy 13": "place of your line (WG-11): deploy CARD PLACE. table> deploy 13 york cannot deploy 13",
        "deploy 1 99": "write deploy CARD PLACE.",
        "advance 3": "(WG-11): deploy CARD PLACE.",
        "12": "cannot deploy 12 now; write deploy CARD PLACE.",
    },
    "strategy-war": {
        "12": '"12" is not a choice of york; the question is "Commit a card of your hand, in secret" '
        "(SW-3): commit 2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K or A.",
        "lancaster 12": '"12" is not a choice of lancaster; york must choose.',
        "3S": '"3S": suits do not matter; write 3.',
        "commit K\N{BLACK SPADE SUIT}": "suits do not matter; write commit K.",
        "quit": "begin the line with the key of that side: york or lancaster. To correct",
    },
}


@pytest.mark.parametrize("key", list(WRONG))
def test_a_refusal_names_the_reason_and_what_to_type(play: Play, key: str) -> None:
    sides = [
        "--side",
        "mary",
        "--side",
        "mike",
        "--set",
        "mary.battlefield=9C",
        "--set",
        "mike.battlefield=KD",
    ]
    sides = sides if key == "warfare-tactics" else ["--side", "york", "--side", "lancaster"]
    first = sides[1]
    done = play(script(first, *WRONG[key]), key, *sides, "--table")
    told = " ".join(done.out.split())
    for answer in WRONG[key].values():
        assert answer in told, told


@pytest.mark.slow
def test_what_a_denounced_traitor_changes_is_told_again(play: Play) -> None:
    rules = ["wargame", "--side", "york", "--side", "lancaster", "--table", "--save", "t.battle.toml"]
    turns = [("york", "lancaster"), ("lancaster", "york")] * 7
    whole = [f"{key} deploy {n} {n}" for n, keys in enumerate(turns[:12], 1) for key in keys]
    battle = ["hold", "advance 9", "hold", "lancaster denounce"]
    done = play(script(*whole, *battle), *rules, "--set", "house.first=york")
    assert done.out.count("So far: York") == 3, done.out
    assert "is a Traitor!" in done.out


@pytest.mark.slow
def test_a_traitor_card_that_nobody_saw_is_named_nowhere(play: Play) -> None:
    """The program guesses the 7 for both sides, so York could have denounced the 7 Shooter."""
    rules = ["wargame", "--side", "york", "--side", "lancaster", "--table", "--save", "t.battle.toml"]
    turns = [("york", "lancaster"), ("lancaster", "york")] * 7
    whole = [f"{key} deploy {n} {14 - n}" for n, keys in enumerate(turns[:12], 1) for key in keys]
    battle = [f"york advance {place}" for place in (7, 1, 13, 3)]
    done = play(script(*whole, "forms", *battle, "quit"), *rules, "--set", "house.first=york")
    prompt = " ".join(done.out.split())
    secret = 'Enter nothing for a choice that stays face down: "Choose your Traitor card, in secret" (WG-15).'
    assert secret in prompt
    assert "deploy CARD PLACE, switch PLACE PLACE, hold" in prompt
    table = read_table(tomllib.loads(Path("t.battle.toml").read_text(encoding="utf-8")))
    table.report("york resign")
    record = table.record()
    assert any(move.startswith("lancaster traitor 7") for move in record.moves)
    assert any(move == "lancaster silent" for move in record.moves)
    kinds = [seen.kind for seen in told_events(record)]
    assert kinds.count("traitor_chosen") == 2 and "kept_silent" not in kinds
    assert not [each for each in decisions_of(record) if each.choice.startswith(("traitor", "silent"))]


def moor_war() -> TableBattle:
    """Return a Wargame in which the cards of both sides lie in order, and the Host attacks first."""
    names = {"host": "The Moor Host", "guard": "The Duke's Guard"}
    sides = {key: {"name": name} for key, name in names.items()}
    table = begin_table(read_battle({"rules": "wargame", "sides": sides, "house": {"first": "host"}}))
    turns = [("host", "guard"), ("guard", "host")] * 6
    for line in [f"{key} deploy {n} {n}" for n, keys in enumerate(turns, 1) for key in keys]:
        table.report(line)
    return table


@pytest.mark.slow
def test_a_side_is_known_by_a_word_of_its_name_and_two_places_in_any_order() -> None:
    scripts = []
    for line in ("host switch 8 12", "Moor Host switch 12 8", "moor: switch 12 8"):
        table = moor_war()
        table.report(line)
        scripts.append(table.replay.seen)
    assert scripts[0] == scripts[1] == scripts[2]


@pytest.mark.slow
def test_a_refused_denunciation_says_how_the_other_side_makes_it() -> None:
    table = moor_war()
    table.report("switch 9 8")
    table.report("advance 9")
    with pytest.raises(InvalidInput, match="if host does it, write: host denounce"):
        table.report("guard denounce")


@pytest.mark.slow
def test_an_advance_can_be_reported_without_the_holds_before_it() -> None:
    rules = find("wargame")
    turns = [("brown", "green"), ("green", "brown")] * 7
    deployed = [f"{key} deploy {n} {n}" for n, keys in enumerate(turns[:12], 1) for key in keys]
    whole = ["brown hold", "brown advance 1", "green hold", "brown hold", "brown advance 4", "green hold"]
    tables = []
    for lines in (whole, ["brown advance 1", "brown advance 4", "hold"], ["advance 1", "advance 4", "hold"]):
        setup = plain_setup(rules, 2)
        setup.house["first"] = "brown"
        table = begin_table(plan_at_table(rules, setup))
        for line in (*deployed, *lines):
            table.report(line)
        tables.append(table)
    assert tables[0].replay.seen == tables[1].replay.seen == tables[2].replay.seen
    assert tables[0].state.fixed == tables[1].state.fixed == tables[2].state.fixed


def test_a_special_army_is_shown_and_a_card_that_it_lacks_is_refused(play: Play) -> None:
    """The other side has the same numbers, so the reason was that the card is already on the table."""
    army = "brown.army=1 1 2 4 5 6 7 8 9 10 11 12 13"
    lines = script("brown deploy 1 1", "green deploy 3 3", "green deploy 4 4", "brown deploy 3 4")
    done = play(lines, "wargame", "--table", "--set", "house.first=brown", "--set", army)
    assert "Brown: army 1 1 2 4 5 6 7 8 9 10 11 12 13.\n" in done.out
    assert "brown cannot deploy 3 4 now: there is no 3 left to deploy" in done.out


@pytest.mark.slow
def test_the_field_has_short_names_and_marks(play: Play) -> None:
    """A long name in a column of the field would break its thirteen places into blocks."""
    turns = [("brown", "green"), ("green", "brown")] * 6
    deployed = [f"{key} deploy {n} {n}" for n, keys in enumerate(turns, 1) for key in keys]
    options = ("--set", "house.first=brown", "--set", "brown.name=The Honourable Company of Brown")
    done = play(script(*deployed, "brown advance 4", "brown advance 5"), "wargame", "--table", *options)
    assert done.out.count("brown stands for The Honourable Company of Brown.") == 1
    assert "  won                 ^   >\n  Green   1   2   3   -   5   6" in done.out


@pytest.mark.parametrize("line", ["place 3S 5S", "3S 5S", "place 3S banana", "place 3S KH 5S"])
def test_words_behind_a_hidden_card_are_refused(play: Play, line: str) -> None:
    """The number of cards is all that the players see, so no word behind the first card can be dropped."""
    done = play(script("york", line, "place 3S+5S"), *RULES)
    assert "Fill space 2 of the 5" in done.out.partition("place 3S+5S")[2]
    moves = tomllib.loads(Path("t.battle.toml").read_text(encoding="utf-8"))["moves"]
    assert moves == ["york place 3S+5S"]


def test_a_wrong_line_is_answered_with_its_form_once(play: Play) -> None:
    done = play(script("brown deploy 11"), "wargame", "--table", "--set", "house.first=brown")
    assert "brown cannot deploy 11 now; write deploy CARD PLACE.\n" in done.out


def test_what_makes_no_sense_at_a_table_is_refused(play: Play) -> None:
    assert play("", *RULES, "--as", "york").code == 2
    assert play("", *RULES, "--seed", "3").code == 2


@pytest.mark.parametrize("leaving", [[], ["quit"]])
def test_what_the_lot_decides_is_asked_until_somebody_says_it_or_leaves(
    play: Play, leaving: list[str]
) -> None:
    done = play(script("nobody", "", "?", "help", *leaving), *RULES)
    assert (done.code, done.err) == (0, "")
    assert "nobody is not a side; enter york or lancaster, or quit." in done.out
    assert done.out.count("FH-4 Settled here: the first dealer is chosen at random") == 2
    assert done.out.endswith("Nothing was entered, so nothing is saved.\n")
    assert not Path("t.battle.toml").exists()
    done = play(script("what?", "Lan"), *RULES)
    assert done.out.count("Who deals (york or lancaster)? ") == 2
    assert 'dealer = "lancaster"' in Path("t.battle.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", list(RULE_SETS))
def test_each_lot_is_asked_for_in_the_words_of_its_rules(key: str) -> None:
    rules = find(key)
    plan = plan_at_table(rules, plain_setup(rules, rules.fewest))
    assert set(lots(plan)) == set(rules.lots)
    for lesson in rules.lots.values():
        assert lesson.ask.startswith("Who ")
        assert all(f"**{number}** " in rules.rules_text() for number in lesson.rules)


@pytest.mark.slow
def test_a_file_of_a_table_that_somebody_changed_is_refused(play: Play) -> None:
    play(script(*LINES, *SPACES), *RULES)
    path = Path("t.battle.toml")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("lancaster place KH", "lancaster place KD"), encoding="utf-8")
    done = play("", "t.battle.toml")
    assert done.code == 3, done.out
    assert "the moves do not fit the battle" in done.err


def test_help_at_a_table_says_how_to_tell(play: Play) -> None:
    done = play(script("york", "help", "?", "forms", "log", "save"), *RULES)
    for words in ("undo", "FH-6", "play CARD rally", "York deals", "t.battle.toml"):
        assert words in done.out


def test_the_log_has_the_lines_that_were_told_before_anything_came_of_them(play: Play) -> None:
    done = play(
        script("deploy 7 7", "log", "undo", "log"), "wargame", "--table", "--set", "house.first=brown"
    )
    told = done.out.split("table> ")
    assert told[2] == "log\n  1. deploy 7 7\n"
    assert told[4] == "log\nNothing has happened yet.\n"


# In a campaign


def told_lines(war: Path, name: str) -> list[str]:
    """Return the players' reports of a pending battle: first the random house rules, then line after line."""
    campaign = load(str(war)).campaign
    battle = campaign.battle(name)
    assert battle is not None
    plan = read_battle(battle_table(campaign, battle), str(war))
    setup = complete(plan.rules, plan.setup, 1)
    table = begin_table(plan._replace(setup=Setup(setup.seats, setup.house, setup.sides, {}, setup.base)))
    Teller(fought_by_machine(plan.rules, setup, 1)).tell_all(table)
    return [*(str(setup.house[word]) for word in lots(plan)), *table.lines, "over"]


@pytest.mark.slow
def test_a_pending_battle_is_told_at_a_table_and_recorded_on_somebodys_word(
    war: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = told_lines(war, "teme-ford")
    assert not [line for line in lines if " #" in line]

    def fight(answers: list[str], *more: str) -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(script(*answers)))
        return Said(run(["campaign", "fight", "teme-ford", *more]), *capsys.readouterr())

    before = (war / "campaign.toml").read_bytes()
    left = fight(lines[:6], "--play", "--table", "--teach")
    assert left.code == 0 and "fight teme-ford --play --table" in left.out
    assert (war / "campaign.toml").read_bytes() == before
    assert "add --table" in fight([], "--play").err
    done = fight(lines[6:], "--play", "--table")
    assert done.code == 0, done.err
    assert "it was fought with real cards; the moves replay, but the cards cannot be verified" in done.err
    assert not (war / "teme-ford.battle.toml").exists()
    record = read_record(tomllib.loads((war / "records" / "teme-ford.toml").read_text(encoding="utf-8")))
    assert record.fought == "table" and verify_record(record) == ""
    assert run(["campaign", "check"]) == 0
    assert run(["campaign", "undo", "--reason", "again"]) == 0
    assert (war / "campaign.toml").read_bytes() != before  # its revision
    capsys.readouterr()
    assert fight([], "--table").code == 2
    assert fight([], "--play", "--table", "--as", "x").code == 2


class Answered:
    """A table battle whose lines all have three meanings. It notes which one was chosen."""

    chosen: int | None = None

    def __init__(self, table: TableBattle) -> None:
        self.state, self.replay = table.state, table.replay

    def report(self, line: str, way: int | None = None) -> None:
        if way is None:
            raise Unclear(["from temporary", "from hand", "from bonus"])
        self.chosen = way


@pytest.mark.parametrize(
    ("answers", "chosen", "end"),
    [
        ("9\ncounter 6H\n2\n", 2, ""),
        ("QS\n\n", None, '"attack 2C" was left out.'),
        ("0\nquit\n", None, None),
        ("9\n", None, None),
    ],
)
def test_a_wrong_answer_about_a_meaning_is_asked_again(
    answers: str, chosen: int | None, end: str | None,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    plan = plan_at_table(find("warfare-tactics"), plain_setup(find("warfare-tactics"), 2))
    lines = TableLines(begin_table(plan), "t.battle.toml", "again", False, None)
    table = Answered(lines.table)
    monkeypatch.setattr(lines, "table", table)
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    with pytest.raises(UserQuit) if end is None else nullcontext():
        assert lines.handle("attack 2C") is (chosen is not None)
    out = capsys.readouterr().out
    assert table.chosen == chosen and (end or "") in out
    assert "  1 from hand\n  2 from bonus\n  3 from temporary\n" in out  # always in this order
    assert 'Enter a number from 1 to 3, or an empty line to leave out "attack 2C".' in out


def test_a_moment_after_an_attack_is_named_by_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    lines = TableLines(table_with_two_kings(), "t.battle.toml", "again", False, None)
    for line in ("pass", "attack 3C 2S", "surrender"):
        lines.table.report(line)
    lines.shown = lines.table.replay.seen
    [end] = [n for n, seen in enumerate(lines.shown) if seen.kind == "surrendered"]
    lines.explain_moments([end + 1])
    said = " ".join(capsys.readouterr().out.split())
    assert said == (
        "Moment 1 is after this event (WT-27): "
        "Mary surrenders; 2♠ to the battlefield of Mike, exhausted."
    )  # fmt: skip


@pytest.mark.slow
def test_meanings_at_several_moments_are_told_apart_by_the_events_before_them(play: Play) -> None:
    lines = script("mary", "draw", "mike seven JS JC", "discard 6D", "nothing", "mary switch QS 8S", "1")
    out = play(lines, "warfare-tactics", "--side", "mike", "--side", "mary", "--table").out
    asked = out[out.index("Moment 1 ") : out.index("Which of these happened")]
    assert "Moment 1 is after this event (WT-13): Mary waits.\n" in asked
    assert "Moment 2 is after this event (WT-34): Mary makes no special move in window 2.\n" in asked
    assert "  1 at moment 1 of 2, from hand and hand\n" in asked
    assert "  5 at moment 2 of 2, from hand and hand\n" in asked
