"""Standing orders, orders that may be impossible, and commanders who come in a person's place."""

from __future__ import annotations

import io
import json
import random
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from cardbattle.battles.messages.answer_text import answers_in
from cardbattle.battles.messages.rehearsal import Rehearsal, new_deals
from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.battles.rederive import CommanderMismatch, derive
from cardbattle.battles.resolve import begin_session, fight_battle
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import read_session, session_text
from cardbattle.commanders.standing import (
    ANY,
    NOTHING,
    column_of,
    first_on_offer,
    is_number,
    question_words,
    read_standing,
    standing_choice,
)
from cardbattle.core.cards import card_text
from cardbattle.core.chance import stream
from cardbattle.core.errors import InvalidInput
from cardbattle.rules import RULE_SETS, find
from cardbattle.rules.field_of_honour.battle import PACK
from cardbattle.show.message import question_to
from cardbattle.show.pages.orders import status_page, waiting_words
from cardbattle.testing import setups
from tests.battles.test_session import begun, play_out, table_for
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_play import alter_hidden
from tests.support.replies import take_answers

MILL = {
    "id": "mill",
    "rules": "field-of-honour",
    "seed": 1403,
    "house": {"dealer": "lancaster"},
    "sides": {"york": {"commander": "human"}, "lancaster": {"commander": "human"}},
}
LINES = {
    "field-of-honour": ["place: place", "special behind: play | pass", "counter: pass", "any: pass"],
    "wargame": [
        "deploy: deploy 13 4 | deploy",
        "traitor: traitor 8",
        "switch ahead: switch | hold",
        "any: hold | advance | silent",
    ],
    "strategy-war": [
        "commit last: commit",
        "commit behind, waiting: commit A | commit K",
        "commit round 1: commit 7",
    ],
    "warfare-tactics": [
        "supply turn 1: draw",
        "fight attacker: retreat | surrender",
        "any defender: none | decline",
    ],
    "warmonger": ["turn: stand", "skirmish skirmish 1: pass", "any ahead: pass", "response: pass"],
}


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_guide_names_every_word_of_standing_orders(key: str) -> None:
    rules = find(key)
    guide = (Path(__file__).parents[2] / "docs" / "by-message.md").read_text(encoding="utf-8")
    row = next(line for line in guide.splitlines() if line.startswith(f"| {rules.name} |"))
    assert set(re.findall("`([^`]+)`", row)) == {*question_words(rules), *rules.conditions}


def mill(*york: str, lancaster: list[str] | None = None, **more: object) -> dict[str, object]:
    """Return the battle of the mill with standing orders, the sides commanded as is said."""
    sides = {
        "york": {"standing": list(york), **more},
        "lancaster": {"standing": lancaster or ["any: pass | place"]},
    }
    return MILL | {"sides": sides}


def take(session: Session, text: str) -> None:
    """Apply the answers in a text."""
    take_answers(session, answers_in("letter", text))


def answers_of(key: str, moves: list[str], question: str) -> list[str]:
    """Return what a side has answered that begins with a word."""
    return [move.partition(" ")[2] for move in moves if move.startswith(f"{key} {question}")]


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_question_has_a_word_of_its_own(key: str) -> None:
    rules = find(key)
    words = question_words(rules)
    assert len(words) == len({*words, ANY}) - 1 == len(rules.lessons)
    assert all(word.replace("-", "").isalpha() and word.islower() for word in words)


@pytest.mark.parametrize("key", RULE_SETS)
def test_only_facts_that_are_named_hold(key: str) -> None:
    """Of each position the facts are known ones, and they are those of the side's own view."""
    rules, seen, chance = find(key), set[str](), random.Random(key)
    for seed in range(40):
        if seen == set(rules.conditions):
            break
        session = begun(key, seed, 2)
        while not session.is_over:
            seat = chance.choice(session.seats_to_answer)
            view = session.decision(seat).view
            held = rules.true_conditions(view)
            for fact in held:
                word, _, number = fact.partition(" ")
                named = fact if fact in rules.conditions else f"{word} N"
                assert named in rules.conditions and (not number or is_number(number))
                seen.add(named)
            assert len(held) == len(set(held))
            session.answer(seat, chance.choice(session.decision(seat).texts))
    assert seen == set(rules.conditions)


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_first_line_that_fits_and_is_on_offer_is_taken(key: str) -> None:
    """Checked in every position against the words themselves; each line is followed somewhere."""
    rules, chance = find(key), random.Random(key)
    orders, taken = read_standing(LINES[key], rules), set[int]()
    for seed in range(40):
        if taken == set(range(len(orders))):
            break
        session = begun(key, seed, 2)
        while not session.is_over:
            seat = chance.choice(session.seats_to_answer)
            decision = session.decision(seat)
            question = rules.lessons[decision.view.question].word
            held = rules.true_conditions(decision.view)
            expected = [
                (text, n)
                for n, line in enumerate(LINES[key])
                for when, wanted in [line.split(": ")]
                if when.split()[0] in (ANY, question)
                and all(fact in f"{' / '.join(held)} / " for fact in facts_of(when))
                for choice in wanted.split(" | ")
                for text in decision.texts
                if f"{text} ".startswith(f"{choice} ")
            ]
            place = standing_choice(orders, rules, decision.view, decision.texts)
            assert (decision.texts[place] if place != NOTHING else "") == (expected[0][0] if expected else "")
            taken |= {expected[0][1]} if expected else set()
            text = decision.texts[place] if place != NOTHING else chance.choice(decision.texts)
            session.answer(seat, text)
    assert taken == set(range(len(orders)))


def facts_of(when: str) -> list[str]:
    """Return the facts of a line, in the form of the list of true facts."""
    words = when.replace(",", "").split()[1:]
    found = []
    while words:
        number = len(words) > 1 and words[1].isdigit()
        found.append(" ".join(words[: 1 + number]) + " /")
        words = words[1 + number :]
    return found


def test_what_none_fits_the_commander_answers() -> None:
    without = fight_battle(read_battle(mill()))[0]
    again = fight_battle(read_battle(mill("special space 9: pass")))[0]
    assert again.moves == without.moves
    greens = fight_battle(read_battle(mill("special space 9: pass", "else green")))[0]
    assert greens.moves == fight_battle(read_battle(mill(commander="green")))[0].moves != without.moves


@pytest.mark.parametrize("key", RULE_SETS)
def test_standing_orders_make_the_same_record_by_file_and_by_message(key: str) -> None:
    table = table_for(key, 5, 1) | {"id": "same"}
    sides = table["sides"]
    assert isinstance(sides, dict)
    first = next(iter(sides))
    lines = [*LINES[key], "else green"]
    sides[first] = {"commander": "human", "standing": lines}
    record = fight_battle(read_battle(table))[0]
    sides[first] = {"commander": "human"}
    session = begin_session(read_battle(table))
    assert session.seats_to_answer == [0]
    session = read_session(tomllib.loads(session_text(session)))
    take(
        session,
        "\n".join(f"{first}@1: {line if line.startswith('else') else f'when {line}'}" for line in lines),
    )
    assert session.is_over
    assert session.record().table == record.table
    assert verify_record(record) == ""
    assert answers_of(first, record.moves, "") != []


def test_a_whole_battle_takes_one_message_from_each() -> None:
    session = begin_session(read_battle(MILL))
    letter = """Dear umpire,
> mill/york@1:
York@1: 2; 3
York@1: When place: place JC | place |
place JD
York@1: when special, behind: play | pass; when counter: pass
york@1: when any: pass
-- York
Lancaster@1: when place: place; when special: pass; when counter: play | pass; else green
"""
    take(session, letter)
    assert session.is_over
    record = session.record()
    placed = answers_of("york", record.moves, "place")
    assert placed[:2] == [begin_session(read_battle(MILL)).decision(0).texts[1], "place 7S"]
    assert placed[2] == "place JC" and len(placed) == 5
    assert set(answers_of("lancaster", record.moves, "pass")) == {"pass"}
    assert record.sides[1].standing[-1] == "else green"
    assert verify_record(record) == ""


UNCLEAR = [
    (
        "specail: pass",
        1,
        '"specail" is not a question of Field of Honour; did you mean "special"?',
    ),
    (
        ": pass",
        1,
        "a question is missing; the questions are any, pick, place, end, special, counter and drawn",
    ),
    (
        "special now: pass",
        9,
        '"now" is not a condition of Field of Honour; '
        "the conditions are space N, last, ahead, level and behind",
    ),
    ("special and space: pass", 13, '"space" is not a condition'),
    ("special space x: pass", 9, '"space" is not a condition'),
    ("special: pass | plya KH", 17, 'no answer begins with "plya"; did you mean "play"?'),
    ("special: pass |", 16, "an answer is missing here"),
    ("special", 1, "expected WHEN: A | B, such as drawn: pick CARD; or else COMMANDER"),
    ("else vetran", 6, 'unknown commander "vetran"; did you mean "veteran"?'),
    ("else human", 6, 'unknown commander "human"'),
]


@pytest.mark.parametrize(
    ("key", "line", "whole"),
    [
        ("strategy-war", "commit: Q | J | 10", "commit: commit Q | commit J | commit 10"),
        ("field-of-honour", "place: 3S+4S | 6H", "place: place 3S+4S | place 6H"),
        ("wargame", "deploy place 2: 7 2 | 5", "deploy place 2: deploy 7 2 | deploy 5"),
    ],
)
def test_the_verb_before_a_card_can_be_left_out(key: str, line: str, whole: str) -> None:
    """Every list of options gets the same answer from both lines."""
    [short], [full] = read_standing([line], find(key)), read_standing([whole], find(key))
    verb = full.choices[0][0]
    cards = [" ".join(choice[1:]) for choice in full.choices]
    chance = random.Random(line)
    for _ in range(20):
        offered = [[verb, *chance.choice([*cards, "K", "9 2"]).split()] for _ in range(3)] + [["hold"]]
        assert first_on_offer(short.choices, offered) == first_on_offer(full.choices, offered)


@pytest.mark.parametrize(("line", "column", "told"), UNCLEAR)
def test_an_unclear_line_is_refused_at_its_letter(line: str, column: int, told: str, sh: Shell) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_standing(["counter: pass", line], find("field-of-honour"))
    assert [(one.at, column_of(one)) for one in refused.value.errors] == [((1,), column)]
    assert told in refused.value.errors[0].text
    file = sh.write(
        "b.toml", f'rules = "field-of-honour"\n[sides.york]\nstanding = ["{line}"]\n[sides.red]\n'
    )
    said = sh("resolve", file, "--seed", "1").err.splitlines()
    assert said[0].startswith("cardbattle: b.toml:3: sides.york.standing.1: ") and told in said[0]
    assert said[2] == " " * (4 + len('standing = ["') + column - 1) + "^"
    session = begin_session(read_battle(MILL))
    lead = "" if line.startswith("else") else "when "
    if line not in (": pass", "special"):
        with pytest.raises(InvalidInput, match="letter:2: "):
            take(session, f"Hi\nyork@1: {lead}{line}")


def test_lines_behind_else_and_too_many_lines_are_refused() -> None:
    rules = find("wargame")
    with pytest.raises(InvalidInput, match="else must be the last line"):
        read_standing(["else green", "hold: hold"], rules)
    with pytest.raises(InvalidInput, match="there are 61 standing orders; at most 60 are allowed"):
        read_standing(["switch: hold"] * 61, rules)


def test_standing_orders_out_of_time_are_refused() -> None:
    session = begin_session(read_battle(MILL))
    take(session, "york@1: 1")
    before = session_text(session)
    for place, told in (
        (1, "come too late; send them again behind york@2"),
        (3, "come too early; send them again behind york@2"),
    ):
        with pytest.raises(InvalidInput, match=told):
            take(session, f"york@{place}: when place: place")
    assert session_text(session) == before


def test_new_standing_orders_take_the_place_of_the_old_and_may_be_taken_back() -> None:
    session = begin_session(read_battle(MILL))
    take(session, "york@1: when counter: pass")
    take(session, "york@1: when special: pass; when counter: pass")
    assert session.plan.sides[0].standing == ["special: pass", "counter: pass"]
    take(session, "york@1: forget")
    assert session.plan.sides[0].standing == []
    assert session.seats_to_answer == [0, 1]


def test_who_is_asked_all_the_same_is_told_that_no_line_fits() -> None:
    session = begin_session(read_battle(MILL))
    assert "standing orders" not in "\n".join(question_to(session, 0)[0].lines)
    take(session, "york@1: when counter: pass; when special: pass")
    assert "Your standing orders (2 lines) do not answer this question." in question_to(session, 0)[0].lines
    assert "standing orders" not in "\n".join(question_to(session, 1)[0].lines)


def test_standing_orders_in_secret_tell_nobody() -> None:
    session = begin_session(read_battle(MILL))
    before = [
        session.pending_seats,
        session.open_place(0),
        len(session.events(1)),
        list(session.referee.moves),
    ]
    take(session, "york@1: when place: place")
    assert session.seats_to_answer == [1] and len(session.sealed[0]) == 5
    assert [
        session.pending_seats,
        session.open_place(0),
        len(session.events(1)),
        session.referee.moves,
    ] == before
    again = read_session(tomllib.loads(session_text(session)))
    assert session_text(again) == session_text(session)


@pytest.mark.parametrize("key", [key for key in RULE_SETS if find(key).sealed])
@pytest.mark.parametrize("line", ["else green", ""])
def test_a_commander_who_acts_for_a_player_chooses_in_secret_like_them(key: str, line: str) -> None:
    """Nothing shows that a player need not be waited for, until all have chosen; then all goes on."""
    session = begun(key, 3, 2)
    while not session.is_sealed(session.referee.battle):
        play_out(session, random.Random(3), 1)
    first, *others = session.seats_to_answer
    public = [session.pending_seats, waiting_words(session), status_page(session)]
    letters = [question_to(session, seat) for seat in others]
    if line:
        take(session, f"{session.keys[first]}@{session.place(first)}: {line}")
    else:
        session.substitute(first, "green")
    for _ in range(2):
        assert session.seats_to_answer == others
        assert public == [session.pending_seats, waiting_words(session), status_page(session)]
        assert [question_to(session, seat) for seat in others] == letters
        session = read_session(tomllib.loads(session_text(session)))
    made = len(session.referee.moves)
    for seat in others:
        while seat in session.seats_to_answer and len(session.referee.moves) == made:
            session.answer(seat, session.decision(seat).texts[0])
    assert session.referee.moves[made].startswith(f"{session.keys[first]} ")
    assert session.referee.moves[made + 1 :] and first not in session.seats_to_answer


def test_a_player_who_comes_back_in_the_midst_of_a_secret_finds_their_answers() -> None:
    session = begin_session(read_battle(MILL))
    take(session, "york@1: 3; 1")
    kept = list(session.sealed[0])
    session.substitute(0, "regular")
    session.substitute(0, "human")
    session = read_session(tomllib.loads(session_text(session)))
    assert session.sealed == {0: kept} and session.seats_to_answer == [0, 1] and session.place(0) == 3
    session.substitute(0, "green")
    session.substitute(1, "green")
    assert session.is_over and answers_of("york", session.record().moves, "place")[:2] == kept


def test_an_impossible_order_is_passed_over_if_the_side_says_so() -> None:
    rules = {"commander": "orders", "orders": ["place 9D", "place 10S"]}
    with pytest.raises(InvalidInput, match=r"sides\.york\.orders\.2: york cannot place 10S"):
        fight_battle(read_battle(MILL | {"sides": {"york": rules, "lancaster": {}}}))
    passing = rules | {"if_impossible": "then", "then": "green"}
    record = fight_battle(read_battle(MILL | {"sides": {"york": passing, "lancaster": {}}}))[0]
    assert verify_record(record) == "" and len(answers_of("york", record.moves, "place")) == 5
    whole = begin_session(
        read_battle(MILL | {"sides": {"york": passing, "lancaster": {"commander": "human"}}})
    )
    while not whole.is_over:
        whole = read_session(tomllib.loads(session_text(whole)))
        whole.answer(1, whole.decision(1).texts[0])
    assert whole.plan.sides[0].passes
    with pytest.raises(InvalidInput, match='only commander = "orders" reads if_impossible'):
        read_battle(MILL | {"sides": {"york": {"if_impossible": "then"}, "lancaster": {}}})
    with pytest.raises(InvalidInput, match='expected "refuse" or "then", got "pass"'):
        read_battle(MILL | {"sides": {"york": rules | {"if_impossible": "pass"}, "lancaster": {}}})


def test_a_record_with_standing_orders_is_derived_again() -> None:
    record = read_record(
        tomllib.loads(dumps_record(fight_battle(read_battle(mill("special: play | pass")))[0]))
    )
    assert record.table["sides"]["york"]["standing"] == ["special: play | pass"]  # type: ignore[index]
    assert derive(record, [0, 1]).moves == record.moves
    sides = [record.sides[0]._replace(standing=["special: pass"]), record.sides[1]]
    with pytest.raises(CommanderMismatch, match="york"):
        derive(record._replace(sides=sides), [0, 1])


def test_a_side_reads_no_others_standing_orders(sh: Shell) -> None:
    sh.write("r.toml", dumps_record(fight_battle(read_battle(mill("special: play | pass")))[0]))
    assert "special: play | pass" in sh("replay", "r.toml", "--for", "york", "--json").out
    assert "special: play | pass" not in sh("replay", "r.toml", "--for", "lancaster", "--json").out


def test_a_substitute_goes_on_for_a_person_and_is_noted() -> None:
    session = begin_session(read_battle(MILL))
    take(session, "york@1: 3; 1")
    kept = list(session.sealed[0])
    session.substitute(0, "green")
    session = read_session(tomllib.loads(session_text(session)))
    assert session.seats_to_answer == [1] and session.sealed == {0: kept} and session.pending_seats == [0, 1]
    take(session, "lancaster@1: 1;1;1;1;1")
    assert session.seats_to_answer == [1]
    placed = answers_of("york", session.referee.moves, "place")
    assert placed[:2] == kept and len(placed) == 5
    session.substitute(0, "human")
    with pytest.raises(InvalidInput, match="york already has this commander: human"):
        session.substitute(0, "human")
    while not session.is_over:
        session = read_session(tomllib.loads(session_text(session)))
        seat = session.seats_to_answer[0]
        take(session, f"{session.keys[seat]}@{session.place(seat)}: 1")
    record = read_record(tomllib.loads(dumps_record(session.record())))
    assert record.sides[0].substitutes[0] == "3: green" and record.sides[0].acting == "human"
    assert len(record.sides[0].substitutes) == 2 and record.sides[0].commander == "human"
    assert verify_record(record) == ""


def test_a_check_shows_what_a_player_would_do_in_ten_battles(sh: Shell) -> None:
    lines = (
        "# at the mill\nplace: place KC | place\n\n  special behind: play | pass\ncounter: pass\nelse green\n"
    )
    sh.write("lines.txt", lines)
    told = json.loads(sh("orders", "check", "field-of-honour", "--for", "north", "lines.txt", "--json").out)
    assert len(told["battles"]) == 10 and {one["end"] for one in told["battles"]} <= {"won", "drawn", "lost"}
    assert all(one["lines"][:5] == [0] * 5 for one in told["battles"])
    countered = [
        answer
        for one in told["battles"]
        for line, answer in zip(one["lines"], one["answers"], strict=True)
        if line == 2
    ]
    assert countered and set(countered) == {"pass"}
    shown = sh("orders", "check", "field-of-honour", "--for", "north", "lines.txt").out
    assert "place: place KC | place            50\n" in shown and "else green" not in shown
    letter = "Hi\n" + "".join(f"north@1: when {line}\n" for line in lines.splitlines() if ":" in line)
    sh.write("mail.txt", f"{letter}south@1: when place: play\nnorth@1: else green\nBye")
    assert sh("orders", "check", "field-of-honour", "--for", "north", "mail.txt").out == shown
    sh.write("bad.txt", "counter: pass\nspecial: pass | plya\n")
    said = sh("orders", "check", "field-of-honour", "--for", "north", "bad.txt")
    assert said.code == 3 and said.err.startswith('cardbattle: bad.txt:2: no answer begins with "plya"')
    assert said.err.splitlines()[2].index("^") == 4 + len("special: pass | ")
    assert sh("orders", "check", "field-of-honour", "--for", "north").code == 2
    assert sh("orders", "check", "field-of-honour", "lines.txt").code == 2


def test_a_check_of_a_battle_in_progress_knows_what_its_side_knows(sh: Shell) -> None:
    """The hidden parts of the battle do not change the result of the check."""
    session = begun("field-of-honour", 6, 2)
    play_out(session, random.Random(2), 11)
    seat = session.seats_to_answer[0]
    orders = read_standing(LINES["field-of-honour"], session.rules)
    told = Rehearsal(session.plan, session).run(seat, orders)
    other = read_session(tomllib.loads(session_text(session)))
    alter_hidden(other, seat, 5)
    assert Rehearsal(other.plan, other).run(seat, orders) == told and len(told) == 10
    sh.write("x.battle.toml", session_text(session))
    sh.write("lines.txt", "\n".join(LINES["field-of-honour"]))
    shown = sh("orders", "check", "x.battle.toml", "--for", session.keys[seat], "lines.txt", "--json")
    assert json.loads(shown.out)["battles"][0]["answers"] == told[0].answers


def tried_battles(plan: BattlePlan, seat: int) -> list[list[list[int]]]:
    """Return the states in which the battles begin that a check fights for a side."""
    return [battle.state() for battle, _ in new_deals(plan, seat)]


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_check_of_a_battle_file_knows_none_of_the_cards_typed_in_for_others(key: str) -> None:
    """Two deals that differ wherever the side does not look are one to it."""
    rules, compared = find(key), 0
    for n, one in enumerate(setups(rules)[::5]):
        seat = n % len(one.seats)
        other = one.copy()
        own = f"warmongers.{one.seats[seat]}" if key == "warmonger" else one.seats[seat]
        other.deal = {pile: cards for pile, cards in one.deal.items() if pile == own}
        rules.deal(other, stream(n, "twin"))
        compared += other.deal != one.deal
        plans = [BattlePlan("x", rules, 1, setup, [], {}) for setup in (one, other)]
        assert tried_battles(plans[0], seat) == tried_battles(plans[1], seat)
    assert compared > 2 or key in ("wargame", "strategy-war")  # which deal nothing


STACKED = [card_text(card) for card in PACK]
TWINS: list[tuple[str, dict[str, object], dict[str, object]]] = [
    ("field-of-honour", {"house": {"pack": STACKED}}, {"house": {"pack": STACKED[::-1]}}),
    ("field-of-honour", {"deal": {"b": ["AS", "KS"]}}, {"deal": {"b": ["2S", "3S"]}}),
    ("field-of-honour", {"deal": {"stack": ["AS"]}}, {}),
    ("field-of-honour", {"b": {"extra": ["AS"]}}, {"b": {"extra": ["2S"]}}),
    ("warfare-tactics", {"deal": {"b": ["KS", "KH"]}}, {"deal": {"stack": ["KS"]}}),
    ("warfare-tactics", {"b": {"extra": ["KS"]}}, {"b": {"extra": ["AS"]}}),
    ("warmonger", {"deal": {"a": ["AS"]}}, {"deal": {"b": ["AS"], "aside": []}}),
    ("warmonger", {"deal": {"warmongers": {"b": ["Raid"]}}}, {}),
]


@pytest.mark.parametrize(("key", "one", "other"), TWINS)
def test_a_check_of_a_battle_file_knows_no_pack_and_no_extras_of_others(
    key: str, one: dict[str, object], other: dict[str, object]
) -> None:
    told = []
    for twin in (one, other):
        rest = {word: table for word, table in twin.items() if word != "b"}
        sides = {"a": {}, "b": twin.get("b", {})}
        told.append(tried_battles(read_battle({"rules": key, "sides": sides, **rest}), 0))
    assert told[0] == told[1] and told[0][0] != told[0][1]


def test_a_check_of_a_battle_file_knows_what_the_side_itself_holds() -> None:
    """Its own cards typed in, and others' extras where they are taken out of an open pack."""
    own = ["9S", "10S", "JS", "QS", "KS"]
    plan = read_battle(
        {"rules": "field-of-honour", "sides": {"a": {"hand": 5}, "b": {}}, "deal": {"a": own[::-1]}}
    )
    for battle, _ in new_deals(plan, 0):
        assert [plan.rules.choice_text(battle, card) for card in battle.options] == [
            f"place {card}" for card in own
        ]
    sides = {"a": {"pick": 1}, "b": {"extra": ["AS"]}}
    plan = read_battle({"rules": "field-of-honour", "house": {"dealer": "b"}, "sides": sides})
    battle, _ = next(new_deals(plan, 0))
    assert "pick AS" not in [plan.rules.choice_text(battle, card) for card in battle.options]


def test_at_a_prompt_a_person_is_asked_and_a_commander_that_is_named_answers(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    side = "{}standing = ['commit: commit 2', {}]\n"
    file = f"id = 'b'\nrules = 'strategy-war'\nseed = 1\n[sides.a]\n{side}[sides.b]\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    sh.write("b.toml", file.format("commander = 'human'\n", ""))
    assert "Commit a card of your hand" in sh("play", "b.toml").out
    sh.write("b.toml", file.format("", "'else green'"))
    ways = ((), ("--side", "a=regular"))
    moves = [json.loads(sh("resolve", "b.toml", *way, "--json").out)["moves"] for way in ways]
    assert moves[0][0] == moves[1][0] == "a commit 2" and moves[0] != moves[1]


def test_nobody_comes_in_the_place_of_a_commander(sh: Shell) -> None:
    sh.write("b.toml", 'id = "b"\nrules = "wargame"\nseed = 1\n[sides.a]\ncommander = "human"\n[sides.b]\n')
    assert sh("orders", "ask", "b.toml", "-q").code == 0
    said = sh("orders", "substitute", "b.battle.toml", "b", "green")
    assert said.code == 3 and "b has no human player: its commander is regular" in said.err
    assert sh("orders", "substitute", "b.battle.toml", "a", "vetran").code == 2
    assert sh("orders", "substitute", "b.battle.toml", "c", "green").code == 2
    said = sh("orders", "substitute", "b.battle.toml", "A", "Green")
    assert (
        said.code == 0 and "its record is in b.record.toml" in said.err and not Path("b.battle.toml").exists()
    )


def test_words_of_a_choice_are_those_of_the_rule_set() -> None:
    """A card is understood with its sign, as everywhere."""
    session = begun("field-of-honour", 1, 2)
    decision = session.decision(0)
    card = decision.texts[2].split()[1].translate(str.maketrans("SHDC", "\u2660\u2665\u2666\u2663"))
    orders = read_standing([f"Place: PLACE {card}"], session.rules)
    assert standing_choice(orders, session.rules, decision.view, decision.texts) == 2


@pytest.mark.slow
@pytest.mark.parametrize("sides", [2, 4])
@pytest.mark.parametrize("key", RULE_SETS)
def test_the_examples_of_a_first_message_do_not_lose_battles(
    key: str, sides: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players copy the examples, so a side that follows them wins about as often as without orders."""
    rules = find(key)
    if sides > rules.most:
        pytest.skip("too many sides for this rule set")
    monkeypatch.setattr("cardbattle.battles.messages.rehearsal.BATTLES", 60)
    names: dict[str, object] = {f"s{number}": {} for number in range(sides)}
    plan = read_battle({"format": 1, "id": "trial", "rules": key, "seed": 1, "sides": names})
    wins = [won(plan, lines) for lines in ((), rules.standing_examples)]
    assert wins[1] >= wins[0] - 6  # of 60 battles


def won(plan: BattlePlan, lines: Sequence[str]) -> float:
    """Return how many battles the second side wins with these standing orders; half of each drawn one."""
    ends = [rehearsed.end for rehearsed in Rehearsal(plan).run(1, read_standing(lines, plan.rules))]
    return ends.count("won") + ends.count("drawn") / 2


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("field-of-honour", "your side has the most spaces"),
        ("wargame", "your side has the most battles won"),
        ("strategy-war", "your side has the most points"),
        ("warmonger", "your side has the most cards in its deck; scores in a War do not count"),
        ("warfare-tactics", "your side has the most points on its battlefield"),
    ],
)
def test_a_first_message_says_what_ahead_compares(key: str, words: str) -> None:
    session = begun(key, 1)
    seat = session.seats_to_answer[0]
    text = " ".join(" ".join(line.split()) for part in question_to(session, seat) for line in part.lines)
    assert f"ahead ({words}), level and behind." in text
