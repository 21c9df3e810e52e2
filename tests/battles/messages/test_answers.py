"""Answers that arrive together: valid ones are taken, and the others refused as if they had not been sent."""

from __future__ import annotations

import random
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cardbattle.battles.messages.answer_text import answers_in, is_order_line
from cardbattle.battles.messages.answers import DependentAnswer, Taken, take_valid_answers
from cardbattle.battles.messages.pasted_text import plain_lines
from cardbattle.battles.messages.wrapped_answers import answer_test
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.session import Session, option_meant
from cardbattle.battles.session_file import read_session, session_text
from cardbattle.commanders.standing import read_standing
from cardbattle.core.errors import InvalidInput
from cardbattle.rules import RULE_SETS, find
from tests.battles.messages.test_messages import FIELD, KEPT, LINED_UP, again
from tests.battles.messages.test_messages import field as field  # the same battle
from tests.battles.messages.test_messages import mill as mill  # the same battle
from tests.battles.test_session import begun, play_out
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell


def taken(session: Session, text: str) -> Taken:
    """Take the valid answers of a text, in a copy of the battle."""
    answers = answers_in("mail", text, answer_test(session.rules, session.keys))
    return take_valid_answers(again(session), answers, lambda: again(session))


def refusals(result: Taken) -> list[str]:
    """Return what is wrong with the refused answers."""
    return [str(error) for error in result.errors]


# Each line is refused wherever it stands beside valid answers of both sides to questions 1 to 5.
WRONG = [
    "york@0: 1",
    "york@9: 1",
    "york@99999999999: 1",
    "lancaster@6: 1",
    "north@1: 1",
    "other/york@1: 1",
    "york@7: when nonsense: 1",
    "york@3: when any: pass",
    "york@2: sealed 12",
    "york@1: open 12 pass",
]


@pytest.mark.slow
@pytest.mark.parametrize("line", WRONG)
def test_an_invalid_line_changes_nothing_about_the_valid_ones(line: str) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    wanted = taken(session, LINED_UP)
    assert not wanted.errors
    lines = LINED_UP.splitlines()
    for at in range(len(lines) + 1):
        result = taken(session, "\n".join([*lines[:at], line, *lines[at:]]))
        assert session_text(result.session) == session_text(wanted.session)
        assert result.errors and all(line.startswith(f"mail:{at + 1}: ") for line in refusals(result))


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_the_battle_goes_on_as_if_only_the_valid_answers_had_been_sent(key: str) -> None:
    """Valid answers of all sides that must answer, cut off at random by one that is not legal."""
    chance = random.Random(key)
    for seed in range(6):
        session = begun(key, seed, 2)
        play_out(session, chance, chance.randrange(4))
        mixed, valid = [], []
        for seat in [] if session.is_over else session.seats_to_answer:
            place, side = session.place(seat), session.keys[seat]
            line = f"{side}@{place}: {chance.choice(session.decision(seat).texts)}"
            if chance.random() < 0.5:
                valid.append(line)
            else:
                line = f"{side}@{place}: dance; 1; 1\n{side}@{place}: when any: {line.split()[1]}"
            mixed += [line, *chance.choices(["nobody@1: 1", f"{side}@0: 1", f"{side}@900: 1"], k=2)]
        chance.shuffle(mixed)
        result, wanted = taken(session, "\n".join(mixed)), taken(session, "\n".join(valid))
        assert not wanted.errors
        assert session_text(result.session) == session_text(wanted.session)


def test_what_comes_after_a_refused_answer_is_refused_with_it(mill: Session) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    text = "york@1: 1; dance; 1; 1\nyork@1: when any: pass | place\nlancaster@1: 1;1"
    result = taken(session, text)
    assert result.session.place(0) == 2 and result.session.place(1) == 3
    assert [one.split(": ", 1)[1] for one in refusals(result)][1:] == [
        "york@3 to york@4 not accepted, because york@2 was rejected; send all of them again",
        "york: standing orders not accepted, because york@2 was rejected; send them again with it",
    ]
    assert result.session.plan.sides[0].standing == []
    assert [one.label for one in result.answers] == ["york@1", "lancaster@1", "lancaster@2"]
    twice = taken(mill, "york@6: pass; pass\nyork@7: 2")
    assert twice.session.place(0) == 7 and len(twice.errors) == 1
    assert 'york@7 is answered twice: line 1 has "pass", and this line "2"' in refusals(twice)[0]
    ahead = taken(mill, "york@6: 1; 1; 1; 1; 1; 1")
    assert ahead.session.place(0) > 6
    assert refusals(ahead)[-1].endswith("york@7 to york@11 are too early; send one when you are asked")


@pytest.mark.parametrize("held", [True, False])
def test_no_line_to_copy_names_a_card_that_the_side_cannot_play(held: bool) -> None:
    """After a refused answer, a later answer with such a card has an error of its own."""
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    options = [*session.decision("york").texts]
    other = next(card for card in ("2C", "3C", "4C", "5C", "6C", "7C") if f"place {card}" not in options)
    card = options[1].split()[1] if held else other
    result = taken(session, f"york@1: {options[0]}; place 3X; place {card}; place 5X")
    runs = [error.again for error in result.errors if isinstance(error, DependentAnswer)]
    again = "".join(line for run in runs for lines in run.values() for line in lines)
    assert again == (f"place {card}" if held else "")
    assert any('york@4: "place 5X" is not an answer' in text for text in refusals(result))


def test_a_standing_order_with_a_card_of_no_suit_is_refused() -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    result = taken(session, "york@1: when special: play 5X | play JS\nelse regular")
    assert '"5X" is not a card of the pack' in refusals(result)[0]
    assert session.plan.sides[0].standing == []


def test_answers_far_in_advance_get_one_error_with_a_standing_order() -> None:
    session = begun("strategy-war", 2, 2)
    side, place = session.keys[0], session.place(0)
    for address in (f"{side}@{place}: {session.decision(0).texts[0]}; ", f"{side}@{place + 1}: "):
        result = taken(session, f"{address}K; Q; J")
        [error] = refusals(result)
        assert f"{side}@{place + 1} to {side}@{place + 3} are too early" in error
        order = error.partition("or a standing order such as: ")[2]
        assert order == "when commit: K | Q | J"
        accepted = taken(session, f"{side}@{place}: {order}")
        assert accepted.session.plan.sides[0].standing == ["commit: K | Q | J"]


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize("form", ["{0}\n{1}", "> {0}\n\n{1}\n\nRichard", "{0}\n({1}).\nRichard"])
def test_an_answer_below_its_address_counts_as_one_behind_it(key: str, form: str) -> None:
    chance = random.Random(key)
    session = begun(key, 2, 2)
    for _ in range(8):
        for seat in session.seats_to_answer:
            text = chance.choice(session.decision(seat).texts)
            address = f"{session.plan.id}/{session.keys[seat]}@{session.place(seat)}:"
            result, wanted = taken(session, form.format(address, text)), taken(session, f"{address} {text}")
            assert refusals(result) == []
            assert session_text(result.session) == session_text(wanted.session)
        play_out(session, chance, 1)


@pytest.mark.parametrize(
    "words", ["ace", "the ace", "Ace!", "A please", "an ace, please", "the A", "commit my ace", "ace (high)"]
)
def test_a_rank_can_be_written_as_card_players_write_it(words: str) -> None:
    session = begun("strategy-war", 2, 2)
    side = session.keys[0]
    assert taken(session, f"{side}@1: {words}").session.sealed[0] == ["commit A"]
    assert taken(session, f"{side}@1: the ten; two").session.sealed[0] == ["commit 10"]
    result = taken(session, f"{side}@1: when commit last: the ace | jack")
    assert refusals(result) == []
    long, short = (read_standing([f"commit: {line}"], session.rules) for line in ("the ace | jack", "A | J"))
    assert long == short


def test_a_card_below_an_address_is_an_answer_and_an_initial_is_not() -> None:
    session = begun("strategy-war", 2, 2)
    address = f"{session.keys[0]}@1:"
    assert taken(session, f"{address}\nK\nNan").session.sealed[0] == ["commit K"]
    assert not taken(session, f"{address}\n\nK").answers


@pytest.mark.parametrize(
    "text",
    [
        "york@1:\nwhen special: play | pass\nelse seasoned",
        "york@1: {0}\n\nwhen special: play | pass\n\nelse seasoned\nRichard",
        "> york@1: {0}\nwhen special: play | pass\nWe shall win.\nelse seasoned",
        "> york@1:\n\n{0}\nwhen special: play | pass\nelse seasoned\n> when any: pass",
    ],
)
def test_no_standing_order_below_an_address_is_lost(text: str) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    result = taken(session, text.format(session.decision(0).texts[0]))
    assert refusals(result) == []
    assert result.session.plan.sides[0].standing == ["special: play | pass", "else seasoned"]
    assert (result.session.place(0) > 1) == ("{0}" in text)
    refused = taken(session, "york@1:\nwhen spacial: play")
    assert 'did you mean "special"' in refusals(refused)[0]


def test_late_standing_orders_name_the_question_after_the_valid_answers(mill: Session) -> None:
    result = taken(mill, "york@6: pass\nyork@5: when any: pass")
    [error] = refusals(result)
    assert f"come too late; send them again behind york@{result.session.place(0)}" in error
    assert result.session.place(0) == 7


@pytest.mark.parametrize(
    "line", ["when I am back: more", "Dear umpire; pass", "pass the salt", "else nothing"]
)
def test_prose_below_an_address_stays_prose(mill: Session, line: str) -> None:
    result = taken(mill, f"> york@6:\n\n{line}\n\nyork@6: pass")
    assert (refusals(result), result.session.place(0)) == ([], 7)


@pytest.mark.parametrize("mark", ["", "> "])
def test_standing_orders_below_an_answer_need_no_address(mark: str) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    lines = [
        f"{mark}{line}" for line in ("york@1: 1; 1; 1", "when special behind: play | pass", "when any: pass")
    ]
    wanted = taken(
        session, "\n".join([lines[0], *(f"{mark}york@1: {line[len(mark) :]}" for line in lines[1:])])
    )
    result = taken(session, "\n".join(lines))
    assert not result.errors and len(result.session.plan.sides[0].standing) == 2
    assert session_text(result.session) == session_text(wanted.session)
    prose = taken(session, f"{lines[0]}\n\n{mark}when I am back: more")
    assert not prose.errors and prose.session.plan.sides[0].standing == []
    assert taken(session, f"{lines[0]}\n{mark}when nonsense: pass").errors


@pytest.mark.parametrize("wrong", ["when dance: pass", "when any: dance", "when special: pass, place"])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_standing_orders_refused_because_of_another_one_are_named(wrong: str, at: int) -> None:
    """They count only together. Without the notice, the player would send only the corrected line."""
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    orders = ["when special behind: play | pass", "when any: pass"]
    orders.insert(at, wrong)
    result = taken(session, "\n".join(["york@1: 1", *orders]))
    assert result.session.place(0) == 2 and result.session.plan.sides[0].standing == []
    told = refusals(result)
    notice = "york: its other standing orders are not accepted either; send all of them again, corrected"
    assert len(told) == 2 and told[1].endswith(notice)
    alone = taken(session, f"york@1: 1\n{wrong}")
    assert len(refusals(alone)) == 1


def test_a_seal_is_opened_whole_or_not_at_all() -> None:
    from tests.battles.test_sealed_orders import opening, seal, take

    session = take(
        take(begin_session(read_battle(tomllib.loads(FIELD))), seal("york", "1; dance; 1")),
        seal("lancaster", "1;1;1;1;1"),
    )
    result = taken(session, f"{opening('york', '1; dance; 1')}\n{opening('lancaster', '1;1;1;1;1')}")
    assert len(result.errors) == 1 and 'york cannot choose "dance" now' in refusals(result)[0]
    assert list(result.session.seals) == [0] and result.session.place(0) == 1
    assert result.session.place(1) == 6 and len(result.session.spent) == 2


def test_the_command_takes_what_is_valid_and_says_what_is_not(sh: Shell, field: str) -> None:
    sh.write(KEPT, field)
    sh.write("a.txt", "Hi\nyork@0: 1\nyork@6: pass\n")
    sh.write("b.txt", "thanks for the battle!")
    Path("c.txt").write_bytes(b"york@6: 1\n" * 200_000)
    said = sh("orders", "take", KEPT, "a.txt", "b.txt", "c.txt", "a.txt", "gone.txt")
    assert said.code == 3 and said.out.startswith("To lancaster, question 6: ")
    assert "accepted: york@6; these answers are rejected:" in said.err
    errors = [line for line in said.err.splitlines() if line.startswith("cardbattle: ")]
    assert [line.split(": ")[1] for line in errors] == ["b.txt", "c.txt", "gone.txt", "a.txt:2"]
    assert (
        read_session(tomllib.loads(Path(KEPT).read_text(encoding="utf-8"))).referee.moves[-1] == "york pass"
    )
    before = Path(KEPT).read_bytes()
    said = sh("orders", "take", KEPT, "a.txt", "b.txt")
    assert (said.code, said.out, Path(KEPT).read_bytes()) == (3, "", before)
    assert said.err.count("cardbattle: ") == 3 and "taken" not in said.err.replace("was taken before", "")


WRAPPED = [
    "york@1: 3; 1; 4;\n2; 1",
    "york@1: 3; 1; 4;\n\n2; 1\n\nRichard",
    "> york@1: 3;1;\n4;2; 1",
    "york@1: 3;\n1;\n4;\n2;\n1",
    "york@1: 3,1,4,2,1",
    "york@1: 3, 1; 4 , 2,\n1",
    "york@1: #3; #1; option 4; No. 2; 1",
    "york@1:\n3; 1; 4; 2; 1",
    "> mill/york@1:\n\n3,1,4,2,1\n\nRichard",
    "york@1: 3 (I think); 1; 4 (sorry!); 2; 1 (at last).",
    "<div>york@1:&nbsp;3; 1; 4; 2; 1<br></div>",
    "<html><body><p>Hi Ann,</p><p><b>york@1</b>: 3;&#32;1; 4;<br>2; 1</p><p>Richard</p></body></html>",
    '<p>york@1: 3; 1; 4; 2; 1</p><blockquote type="cite"><p>york@1: 9</p></blockquote>',
    '<a href="mailto:york@1">york@1</a>: 3; 1; 4; 2; 1<br>',
    "york@1<mailto:york@1>: 3; 1; 4; 2; 1",
    "<mailto:york@1|york@1>: 3; 1; 4; 2; 1",
    "york@1: 3 (place {3}); {1}; 4: {4};\n{2}; 1",
    "york@1: 3; 1; place\n{card}; 2; 1\nRichard",
]


@pytest.mark.slow
@pytest.mark.parametrize("text", WRAPPED, ids=range(len(WRAPPED)))
def test_a_wrapped_or_remarked_answer_is_understood(text: str) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    texts, wanted, probe = {}, [], again(session)
    for n, number in enumerate((3, 1, 4, 2, 1)):
        decision = probe.decision(0)
        wanted.append(decision.texts[number - 1])
        probe.answer(0, wanted[-1])
        texts[n] = wanted[-1]
    for place, mark in ((0, "{3}"), (1, "{1}"), (2, "{4}"), (3, "{2}")):
        text = text.replace(f"place {mark}", texts[place]).replace(mark, texts[place])
    text = text.replace("{card}", texts[2].split()[1])
    result = taken(session, f"Sire,\n{text}\n-- \nR. of York")
    assert refusals(result) == []
    assert result.session.sealed[0] == wanted


@pytest.mark.parametrize(
    ("second", "fourth", "accepted"),
    [("{1}", "place 2Z", 3), ("place 2Z", "{3}", 1)],
    ids=["later", "earlier"],
)
def test_a_wrong_answer_on_a_wrapped_line_rejects_the_same_answers_as_on_one_line(
    second: str, fourth: str, accepted: int
) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    cards = [text for text in session.decision(0).texts if "+" not in text]
    lines = f"york@1: {cards[0]}; {second}; place|{cards[2].split()[1]}; {fourth}; {cards[4]}".format(*cards)
    one, two = (taken(again(session), lines.replace("|", sign)) for sign in (" ", "\n"))
    assert refusals(one) == refusals(two) and "york@5" in refusals(two)[-1]
    assert len(two.answers) == accepted and two.session.place(0) == accepted + 1


def test_a_line_of_cards_with_signs_of_suits_is_an_answer() -> None:
    is_answer = answer_test(find("field-of-honour"), ["north", "south"])
    assert is_answer("KH; K\u2663") and is_answer("10\u2665\ufe0f + 2\u2664") and not is_answer("K\u2660ing")


UNCLEAR = [
    ("york@6: 1\n2; 1", 'the line below it, "2; 1", can be an answer, too'),
    ("york@6: pass\npass", 'the line below it, "pass", can be an answer, too'),
    ("york@6: pass;\nplya 7H now", 'the line below it, "plya 7H now", is unclear'),
    ("york@6: 1 (or 2)", "york@6: (or 2) may be another answer"),
    ("york@6: 1 (not pass but play)", "york@6: (not pass but play) may be another answer"),
    ("york@6: 1 (option 2)", "1 is pass, and option 2 is play"),
    ("york@6: 2 pass", "2 is play"),
    ("york@6: 1 surely", 'york cannot choose "1 surely" now'),
    ("york@6: 1 2", "1 is pass, and 2 is play"),
    ("york@6:\nplay 2Z rally", "york@6: york cannot play 2Z rally"),
    ("york@6\npass", "york@6: a colon is missing; write york@6: pass"),
    ("york@6:\npass\nplay KH", 'the line below it, "play KH", can be an answer, too'),
    ("york@6: when special: play JD, play QH, pass", "such as special: play JD | play QH | pass"),
    ("york@6 1", "york@6: a colon is missing; write york@6: 1"),
    ("york@6\n1", "york@6: a colon is missing; write york@6: 1"),
    ("mill/york@6 -> pass", "york@6: a colon is missing; write york@6: pass"),
    ("york@6 when any: pass", "a colon is missing; write york@6: when any: pass"),
]


@pytest.mark.parametrize(("text", "told"), UNCLEAR, ids=range(len(UNCLEAR)))
def test_an_unclear_answer_is_asked_back(mill: Session, text: str, told: str) -> None:
    result = taken(mill, text)
    assert result.session.place(0) == 6 and not result.answers
    assert told in refusals(result)[0]


PROSE = [
    "york@6: pass\nRichard",
    "york@6: pass,\nRichard",
    "york@6: pass;\nYours\nAnn",
    "york@6: pass\n-- \nKing of 7 realms",
    "york@6: pass\n\nPass the salt",
    "As york@6 you asked me, and ann@6 pass is not me.\nyork@6: pass\nThe question york@6 has 3 options",
]


@pytest.mark.parametrize("text", PROSE, ids=range(len(PROSE)))
def test_prose_below_an_answer_is_passed_over(mill: Session, text: str) -> None:
    result = taken(mill, text)
    assert refusals(result) == [] and result.session.place(0) == 7


def test_a_standing_order_goes_on_below_its_colon() -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    result = taken(session, "york@1: when counter:\npass\nyork@1: when special: play |\npass\nRichard")
    assert refusals(result) == []
    assert result.session.plan.sides[0].standing == ["counter: pass", "special: play | pass"]


def test_a_wrapped_standing_order_is_joined_before_the_next_one() -> None:
    special, counter = "when special: pass | play |\n3", "- when counter: pass\n| play"
    mail = f"york@1: 7\n{special}\n{counter}\nwhen any: 1 |\n2 | pass\nTom"
    answers = answers_in("mail", mail, is_order_line)
    assert [answer.words for answer in answers] == [
        "7",
        "when special: pass | play | 3",
        "when counter: pass | play",
        "when any: 1 | 2 | pass",
    ]
    assert answers[0].below[-1] == "Tom" and "2 | pass" not in answers[0].below


HOSTILE = {
    "semicolons": "york@1: " + "1; " * 330_000,
    "commas": "york@1: " + "1," * 490_000,
    "lines": "york@1: 1\n" * 99_000,
    "addresses": "york@1: 1 " * 99_000,
    "ligatures": "york@1: " + "\ufdfa" * 333_000,
    "references": "york@1: " + "&#64018;" * 120_000,
    "newlines": "\n" * 990_000,
    "paragraphs": "<p>" * 330_000,
    "quotations": "<blockquote>" * 80_000,
    "breaks": "<br>" * 240_000,
    "tags": "<a" * 490_000,
    "brackets": "york@1: 1 " + "(" * 980_000,
    "unfinished": "york@1: 1;\n" + "1;\n" * 320_000,
    "openings": f"york@1: open {'0' * 32} " + "1;" * 480_000,
    "one word": "a" * 990_000,
    "moves": "york@1: 1\n\n" + "pass it on\n" * 80_000,
    "senders": "york@1: 1\n" + "From: a\n" * 30_000,
    "padding": "york@1: 1\n" + "hello there\n" * 80_000,
    "quotations without a text": "On Mon, Jan 3, 2026 a@b wrote:\n" * 19_999,
}


def test_a_text_of_too_many_lines_is_refused() -> None:
    """Each line costs time, however short it is: 100,000 lines took more than two seconds."""
    with pytest.raises(InvalidInput, match=r"longer than 20,000 lines"):
        answers_in("mail", "\n" * 20_001)


@pytest.mark.heavy
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_limited(name: str) -> None:
    """A text of a megabyte is read to few answers and characters, or refused."""
    try:
        count = len(answers_in("mail", HOSTILE[name]))
        characters = sum(len(line.text) for line in plain_lines("mail", HOSTILE[name]))
    except InvalidInput as refused:
        count, characters = len(refused.errors), 0
    assert count <= 1 and characters <= 1_000_000


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_message_takes_under_a_second_and_100_megabytes(name: str, tmp_path: Path) -> None:
    """The system ends the command after one second of processor time, and it may grow by 100 MB."""
    (tmp_path / KEPT).write_text(session_text(begin_session(read_battle(tomllib.loads(FIELD)))), "utf-8")
    (tmp_path / "mail.txt").write_text(HOSTILE[name], "utf-8", newline="")
    code = (
        "import os, resource, sys; from cardbattle.cli.app import run;"
        "run(['orders', 'status', sys.argv[1]]);"
        "usage = resource.getrusage(resource.RUSAGE_SELF); before = usage.ru_utime + usage.ru_stime;"
        "code = run(['orders', 'take', *sys.argv[1:]]); usage = resource.getrusage(resource.RUSAGE_SELF);"
        "status = open('/proc/self/status').read() if os.path.exists('/proc/self/status') else 'VmHWM: 0';"
        "peak = int(status.partition('VmHWM:')[2].split()[0]);"  # ru_maxrss would begin with the parent's
        "print(usage.ru_utime + usage.ru_stime - before, peak, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, KEPT, "mail.txt"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds, kilobytes = map(float, done.stderr.splitlines()[-1].split())
    assert done.returncode in (0, 3)
    assert seconds < 1 and kilobytes < 100_000


@pytest.mark.parametrize("text", ["a" * 300_000, "a-" * 150_000, "york@6: x" + " " * 300_000 + "y"])
def test_a_long_text_without_an_answer_is_refused_at_once(sh: Shell, text: str) -> None:
    """Patterns that try each character as a beginning would take minutes."""
    battle = sh.write("mill.battle.toml", FIELD)
    assert sh("orders", "take", battle, sh.write("long.txt", text)).code == 3


@pytest.mark.slow
def test_a_long_answer_that_means_no_option_is_returned_at_once() -> None:
    session = begun("strategy-war", 2, 2)
    text = "x" + " " * 300_000 + "y"
    assert option_meant(session.decision(0), text).split() == ["x", "y"]
