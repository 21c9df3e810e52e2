"""Battles by message: each side's message, the answers that are read from pasted text, and rejected text."""

from __future__ import annotations

import io
import json
import os
import random
import re
import tomllib
from pathlib import Path

import pytest

from cardbattle.battles.messages.answer_text import answers_in
from cardbattle.battles.messages.answers import numbered_in_advance
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.saved_session import open_saved
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import read_session, session_text
from cardbattle.commanders.standing import read_standing
from cardbattle.core.chance import stream
from cardbattle.core.errors import InvalidInput
from cardbattle.core.ruleset import Lesson
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.battle_text import LONGEST_POST, post_length
from cardbattle.show.message import (
    NO_QUESTION,
    NOT_TAKEN,
    OPENING,
    Message,
    ending_to,
    how_in_words,
    question_to,
)
from cardbattle.show.pages.orders import waiting_words
from tests.battles.test_session import begun, play_out
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_play import alter_hidden, sessions_of
from tests.support.correspondence import FOLDER, written
from tests.support.replies import take_answers

FIELD = """\
id = "mill"
rules = "field-of-honour"
seed = 1403
[house]
dealer = "lancaster"
[sides.york]
commander = "human"
[sides.lancaster]
commander = "human"
"""
KEPT = "mill.battle.toml"
LINED_UP = "york@1: 1;1;1;1;1\nlancaster@1: 1;1;1;1;1\n"


def again(session: Session) -> Session:
    """Write a session to a file and read it again."""
    return read_session(tomllib.loads(session_text(session)))


def take(session: Session, text: str) -> None:
    """Apply the answers in a text."""
    take_answers(session, answers_in("letter", text))


def texts(messages: list[Message]) -> list[str]:
    """Return the texts of the parts of a message, in the form in which they are sent."""
    return ["\n".join(message.lines) for message in messages]


@pytest.fixture(scope="module")
def field() -> str:
    """Give the file of a Field of Honour battle in which both lines are laid and York is asked."""
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    take(session, LINED_UP)
    return session_text(session)


@pytest.fixture
def mill(field: str) -> Session:
    """Give that battle, York's to answer as york@6."""
    return read_session(tomllib.loads(field))


def letter(session: Session, seat: int, text: str, chance: random.Random) -> str:
    """Return a mail that answers: by number, by words as a phone writes them, quoted or not."""
    decision = session.decision(seat)
    place = f"{session.keys[seat]}@{session.place(seat)}"
    words = chance.choice([text, f"#{decision.texts.index(text) + 1}", f"\u201c{text.capitalize()}\u201d"])
    lead = chance.choice(["", "> ", f"{session.plan.id}/", "My answer is "])
    where = place if lead else place.capitalize()
    return f"Dear umpire,\r\n> {place}:\r\n\r\n{lead}{where}: {words}\r\n-- \r\nY"


@pytest.mark.parametrize("key", RULE_SETS)
def test_answers_as_people_write_them_make_the_record_of_the_session(key: str) -> None:
    played, written = begun(key, 6, 2), begun(key, 6, 2)
    chance = random.Random(key)
    for n, (seat, text) in enumerate(play_out(played, chance)):
        take(written, letter(written, seat, text, chance))
        if n % 15 == 4:
            written = again(written)
    assert written.record().table == played.record().table
    assert verify_record(written.record()) == ""


READ = [
    "york@6: 1",
    "> york@6: 1",
    "> > mill/york@6: 1\n> bye",
    "MILL/York@6: 1.",
    "York @ 6 : 1",
    "\uff59ork\uff20\uff16\uff1a\uff11",
    "york@6:\u00a01\u00a0",
    "york@6: \u201cpass\u201d",
    "york@6: \u2018Pass\u2019",
    "**york@6: PASS**",
    "- york@6: `pass`",
    "york@6: (1)",
    "york@6: #1!",
    "york\u200b@6\ufeff: pa\u00adss",
    "Hi Ann, my answer is york@6: pass\nYork",
    "york@6: 1\n\nOn Sunday the umpire wrote:\n> york@6: 2\n> mill/york@5: 3\n",
    "york@6: 1\r\nyork@6: 1\r\n",
    "mill/york@6:\nmill/york@6: 1\nmeet me at 6: pass or@ not",
    "york@6:\tpass",
    "Grüße aus Straßburg: york@6: 1",
]


@pytest.mark.parametrize("text", READ, ids=range(len(READ)))
def test_an_answer_is_understood_however_it_comes_back(mill: Session, text: str) -> None:
    assert mill.decision(0).texts[0] == "pass" and mill.place(0) == 6
    take(mill, f"Hello\n{text}\n-- \nR. of York")
    assert mill.referee.moves[-1] == "york pass"
    assert mill.place(0) == 7


@pytest.mark.parametrize("text", ["1", "2"])
def test_an_answer_after_a_substitute_says_that_a_commander_answered(mill: Session, text: str) -> None:
    mill.substitute("york", "green")
    assert mill.place(0) > 6
    with pytest.raises(InvalidInput, match="york@6 is too late: a green commander answered for york; "):
        take(mill, f"york@6: {text}")
    with pytest.raises(InvalidInput, match=r"york@5 (was already accepted|is too late: another answer)"):
        take(mill, f"york@5: {text}")


def test_a_name_with_its_article_is_not_explained_by_itself() -> None:
    names = {"york": "The Black Band", "lancaster": "The Free Hanse"}
    text = FIELD
    for key, name in names.items():
        text = text.replace(f"[sides.{key}]\n", f'[sides.{key}]\nname = "{name}"\n')
    message = "\n".join(texts(question_to(begin_session(read_battle(tomllib.loads(text))), 0)))
    assert "Black Band" in message and "stands for" not in message


def test_cards_are_understood_as_people_write_them(mill: Session) -> None:
    cards = [text for text in mill.decision(0).texts if text.startswith("play ")]
    suits = {"S": "\u2660\ufe0f", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
    _, card, power = cards[0].split(" ", 2)
    take(mill, f"york@6: Play {card[:-1]}{suits[card[-1]]} {power[:2]}")
    assert mill.referee.moves[-1] == f"york {cards[0]}"


SUIT_NAMES = {"S": "spades", "H": "Hearts", "D": "diamonds", "C": "clubs"}


def test_two_cards_are_understood_with_spaces_and_with_their_names() -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    option = next(text for text in session.decision(1).texts if "+" in text)
    first, second = option.removeprefix("place ").split("+")
    named = f"{first[:-1]} of {SUIT_NAMES[first[-1]]}"
    wanted = again(session)
    take(wanted, f"lancaster@1: {option}; 1")
    for words in (f"place {first} + {second}", f"{named} +{second}", f"place {second}+ {named}"):
        result = again(session)
        take(result, f"lancaster@1: {words}; 1")
        assert session_text(result) == session_text(wanted), words
    with pytest.raises(InvalidInput, match=f"lancaster cannot place {first}: .* not in its hand"):
        take(session, f"lancaster@1: {option}; {named}")  # the reason is the same as with the verb


REFUSED = [
    ("york@5: 1", "york@5 was already accepted; the current question is york@6"),
    ("york@5: 2", "york@5 is too late: another answer was accepted before"),
    ("york@7: 1", "york@7 is too early; the current question is york@6"),
    ("lancaster@6: 1", "lancaster@6 is too early: other sides must answer first"),
    ("yrok@6: 1", 'no side of this battle is "yrok"; did you mean "york"?'),
    ("shrewsbury/york@6: 1", "york@6 is for battle shrewsbury, but this is mill"),
    ("york@6: 1\nyork@6: 2", 'york@6 is answered twice: line 1 has "1", and this line "2"'),
    ("york@6: 1 york@6: 2", "york@6 is answered twice"),
    ("york@6: 9999", "york@6: there are options 1 to"),
    ("york@6: dance", 'york@6: york cannot choose "dance" now; choose one of pass'),
    ("york@6: pa\x1bss", 'york@6 has characters that cannot be seen: "pa<1b>ss"; type it again'),
    (f"york@6: {'p' * 300}", "york@6 is 300 characters long; an answer has at most 200"),
    ("york@0: 1", "york@0: questions count from 1; the current question is york@6"),
    ("york@1234567890123: 1", "york@1000000000 is too early; the current question is york@6"),
]


@pytest.mark.parametrize(("text", "told"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_taken_is_told_apart_and_nothing_is_taken(
    sh: Shell, field: str, text: str, told: str
) -> None:
    sh.write(KEPT, field)
    sh.write("mail.txt", f"Hello\n{text}\n".replace("line 1", "line 2"))
    said = sh("orders", "take", KEPT, "mail.txt")
    is_earlier, side = "york@0" in text or "already" in told, text.partition("@")[0].rpartition("/")[2]
    if is_earlier or side == "yrok":
        assert (said.code, said.out) == (3, "")
    else:
        assert (said.code, said.out.split(", ")[0]) == (3, f"To {side}") and NOT_TAKEN in said.out
        assert (NO_QUESTION in said.out) == (side == "lancaster") != ("mill/york@6:" in said.out)
    assert told.replace("line 1", "line 2") in said.err
    assert said.err.startswith("cardbattle: mail.txt:")
    assert len(said.err.splitlines()) == 4 and "to print the questions: cardbattle orders ask" in said.err
    assert Path(KEPT).read_text(encoding="utf-8") == field


def test_mistakes_of_all_kinds_are_told_at_once(sh: Shell, field: str) -> None:
    """What was sent for one side hides nothing of what is wrong for another."""
    sh.write(KEPT, field)
    sh.write("mail.txt", "yrok@6: 1\nlancaster@9: 2\nyork@6: dance\nlancaster@6: when plce: pass\n")
    said = sh("orders", "take", KEPT, "mail.txt")
    assert said.code == 3 and said.out.index("To york") < said.out.index("To lancaster")
    assert (
        'york cannot choose "dance" now\n' in said.out and "plce" in said.out.partition("To lancaster")[2]
    )  # each side reads its own errors
    told = [line.partition(": ")[2] for line in said.err.splitlines() if line.startswith("cardbattle: ")]
    assert [line.split(": ")[0] for line in told] == [f"mail.txt:{n}" for n in range(1, 5)], said.err
    assert 'not a question of Field of Honour; did you mean "place"?' in told[3]
    assert Path(KEPT).read_text(encoding="utf-8") == field


def test_a_side_of_the_program_is_nobodys_to_answer() -> None:
    session = begun("field-of-honour", 3)
    with pytest.raises(InvalidInput, match="south has a computer commander"):
        take(session, "south@1: 1")


def test_a_question_is_not_printed_among_the_rejected_answers(sh: Shell) -> None:
    sh.write("war.toml", 'id = "war"\nrules = "strategy-war"\nseed = 3\n[sides.york]\n[sides.lanc]\n')
    assert sh("orders", "ask", "war.toml", "--as", "york", "--as", "lanc", "--save", KEPT).code == 0
    sh.write("mail.txt", "war/york@1: the king\nCan I see your hand?\nwar/lanc@1: the joker\n")
    said = sh("orders", "take", KEPT, "mail.txt")
    above, rejected = said.err.split("accepted: york@1; these answers are rejected:")
    assert '"Can I see your hand?" is a question' in above and "question, not" not in rejected
    assert "joker" in rejected and said.code == 3


def test_text_without_an_answer_too_much_text_and_no_text_are_refused(sh: Shell, field: str) -> None:
    sh.write(KEPT, field)
    sh.write("none.txt", "york@6:\n> mill/york@6:\nwhat shall I do?")
    Path("much.txt").write_bytes(b"york@6: 1\n" * 1_000_000)
    Path("code.txt").write_bytes(b"york@6: 1\0\n")
    for file, told in (
        ("none.txt", "none.txt: it contains no answer; write one after its address, such as mill/york@6: 1"),
        ("much.txt", "much.txt: the file is larger than the limit of 1 MB"),
        ("code.txt", "NUL character"),
        ("gone.txt", "gone.txt"),
    ):
        said = sh("orders", "take", KEPT, file)
        is_written = file == "none.txt"
        assert (said.code, said.out.startswith("To york, question 6: ")) == (3, is_written)
        assert ("your mail contains no answer" in said.out) == is_written and (is_written or not said.out)
        assert told in said.err and said.err.count("cardbattle: ") == 1 + is_written  # and a question
    assert Path(KEPT).read_text(encoding="utf-8") == field


def test_rejected_answers_of_a_side_that_is_not_asked_again_get_a_message(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    sh.write("mill.toml", FIELD)
    sh("orders", "ask", "mill.toml")
    said = wrote(sh, monkeypatch, "york@1: 1;1;1;1;1;1\nyork@1: when special: pass\n")
    assert said.code == 3 and "accepted: york@1" in said.err
    letter = " ".join(said.out.split())
    assert letter.startswith("To york, question 6: ") and NO_QUESTION in letter
    assert letter.endswith("You can send the standing orders now: mill/york@6:")
    assert f"{NOT_TAKEN} - york@6 is too early" in letter
    assert "standing orders not accepted, because york@6 was rejected" in letter


def test_a_late_answer_gets_a_message(sh: Shell, field: str) -> None:
    sh.write(KEPT, field)
    sh("orders", "substitute", KEPT, "york", "green")
    sh("orders", "substitute", KEPT, "york", "human")
    sh.write("mail.txt", "york@6: 1\n")
    said = sh("orders", "take", KEPT, "mail.txt")
    letter = " ".join(said.out.split())
    assert said.code == 3 and letter.startswith("To york")
    assert f"{NOT_TAKEN} - york@6 is too late: a green commander answered for york" in letter


def test_late_standing_orders_get_a_message_unless_the_side_has_them(sh: Shell, field: str) -> None:
    sh.write(KEPT, field)
    orders = "when counter: pass\nwhen drawn: pass"
    assert sh("orders", "take", KEPT, sh.write("mail.txt", f"york@6: pass\n{orders}")).code == 0
    repeated = sh("orders", "take", KEPT, "mail.txt")
    assert repeated.code == 3 and NOT_TAKEN not in repeated.out
    late = sh("orders", "take", KEPT, sh.write("mail.txt", f"york@6: pass\n{orders}\nwhen special: pass"))
    assert late.code == 3 and late.out.startswith("To york")
    error = "- standing orders of york@6 come too late; send them again behind york@7"
    assert " ".join(late.out.split()).count(error) == 1
    copied = "To copy (york@7):\n  when counter: pass\n  when drawn: pass\n  when special: pass\n"
    assert copied in late.out  # new orders replace all earlier ones, also those that stay the same


def wrote(sh: Shell, monkeypatch: pytest.MonkeyPatch, text: str, *more: str) -> Said:
    """Take answers from standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return sh("orders", "take", KEPT, *more)


def test_numbers_in_advance_are_reported_but_words_and_cards_are_not() -> None:
    def blind(rules: str, text: str) -> list[str]:
        in_advance = numbered_in_advance(find(rules), {"york": 1}, answers_in("-", text))
        return [each.label for each in in_advance]

    assert blind("field-of-honour", "york@1: 9; 10; place KH; 7; #1") == ["york@2", "york@4", "york@5"]
    assert blind("strategy-war", "york@1: #3; 7; commit K; #2") == ["york@4"]


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_the_answers_that_a_message_proposes_are_accepted(key: str) -> None:
    chance = random.Random(key)
    proposals = examples = 0
    for seed in range(4):
        session = begun(key, seed, 2)
        for _ in range(12):
            for seat in session.seats_to_answer:
                lines = question_to(session, seat)[-1].lines
                proposed = re.search(r"You can add answers .*: (.*; .*)\.$", "\n".join(lines), re.MULTILINE)
                if proposed:
                    proposals += 1
                    take(again(session), f"{lines[-1]} {proposed[1]}")
                example = re.search(r"Answer after the colon, [^:]* such as (.*?):", " ".join(lines))
                if example:
                    examples += 1
                    assert key != "wargame" or "in the form deploy CARD PLACE" in " ".join(lines)
                    take(again(session), f"{lines[-1]} {example[1]}")
            play_out(session, chance, 1)
    assert (proposals > 0) == (key in ("field-of-honour", "wargame"))
    assert examples > 0 or key != "wargame"


def test_the_example_of_an_answer_has_the_form_that_the_message_names() -> None:
    lesson = Lesson("", [], "", form="switch PLACE PLACE")
    assert how_in_words(["hold", "switch 2 2", "switch 3 4"], lesson) == (
        "Answer after the colon, in the form switch PLACE PLACE, such as switch 3 4:"
    )


@pytest.mark.slow
def test_a_battle_goes_from_its_file_to_its_record(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    sh.write("mill.toml", FIELD)
    begins = sh("orders", "ask", "mill.toml")
    assert begins.code == 0 and "saved in mill.battle.toml" in begins.err
    assert sh("orders", "ask", KEPT).out == begins.out
    assert begins.out.count("The battle begins.") == 2
    assert sh("orders", "ask", "mill.toml").code == 2
    york = sh("orders", "ask", KEPT, "--for", "york").out
    assert begins.out.startswith(york) and "lancaster@1" not in york
    assert "the battle is waiting for York and Lancaster" in wrote(sh, monkeypatch, "york@1: 1;1;1;1;1").out
    told = wrote(sh, monkeypatch, "lancaster@1: 1;1;1;1;1")
    assert told.out.startswith("To york, question 6: ")
    assert "lancaster@2, lancaster@3, lancaster@4 and lancaster@5: a number in advance counts in" in told.err
    session = read_session(tomllib.loads(Path(KEPT).read_text(encoding="utf-8")))
    while Path(KEPT).exists():
        told = wrote(sh, monkeypatch, "".join(f"{side}@{n}: 1\n" for side, n in asked(session)))
        assert told.code == 0
        session = (
            session if not Path(KEPT).exists() else read_session(tomllib.loads(Path(KEPT).read_text("utf-8")))
        )
    assert "its record is in mill.record.toml" in told.err
    assert told.out.count("more spaces held") == 2 or told.out.count("both hold equally many spaces") == 2
    record = read_record(tomllib.loads(Path("mill.record.toml").read_text(encoding="utf-8")))
    assert verify_record(record) == "" and record.id == "mill"
    played = begin_session(read_battle(tomllib.loads(FIELD)))
    while not played.is_over:
        played.answer(played.seats_to_answer[0], played.decision(played.seats_to_answer[0]).texts[0])
    answers = {word: value for word, value in record.table.items() if word not in ("receipts", "digest")}
    assert played.record().table.items() >= answers.items()


def asked(session: Session) -> list[tuple[str, int]]:
    """Return the keys and places of those who are asked."""
    return [(session.keys[seat], session.place(seat)) for seat in session.seats_to_answer]


def test_who_is_asked_by_message_is_named(sh: Shell) -> None:
    said = sh("orders", "ask", "wargame", "--seed", "3")
    assert said.code == 2 and "no side answers by message; name one with --as SIDE" in said.err
    said = sh("orders", "ask", "wargame", "--seed", "3", "--as", "Green", "--save", "duel.battle.toml")
    assert said.code == 0 and "duel/green@1:" in said.out and "brown@" not in said.out
    assert sh("orders", "ask", "duel.battle.toml", "--as", "brown").code == 2
    assert (
        "brown has no question to answer now" in sh("orders", "ask", "duel.battle.toml", "--for", "brown").err
    )


@pytest.mark.parametrize("key", RULE_SETS)
def test_no_battle_tells_its_seed_by_its_name(key: str) -> None:
    """If the name depended on the content, a reader could try seeds."""
    from cardbattle.cli.commands.orders import BattleByMessage, new_by_message

    side = find(key).default_sides[0]
    ids = {new_by_message(BattleByMessage(key, seed=str(n), played=[side])).session.plan.id for n in (1, 2)}
    assert ids == {key}


@pytest.mark.parametrize("form", ["text", "discord", "bbcode", "md", "json"])
def test_a_message_is_the_same_in_every_frame(sh: Shell, field: str, form: str) -> None:
    sh.write(KEPT, field)
    said = sh("orders", "ask", KEPT, "--format", form)
    message = texts(question_to(read_session(tomllib.loads(field)), 0))[0]
    if form == "json":
        told = json.loads(said.out)
        assert [one["text"] for one in told["messages"]] == [message]
        assert (told["battle"], told["messages"][0]["side"], told["messages"][0]["place"]) == (
            "mill",
            "york",
            6,
        )
    else:
        opens, closes = {
            "text": ("", ""),
            "discord": ("```\n", "\n```"),
            "bbcode": ("[code]\n", "\n[/code]"),
        }.get(form, ("```text\n", "\n```"))
        assert f"{opens}{message}{closes}\n" in said.out
        assert len(f"{opens}{message}{closes}") <= LONGEST_POST


@pytest.mark.parametrize("form", ["text", "discord", "bbcode", "md"])
def test_no_name_breaks_the_frame_of_a_message(sh: Shell, form: str) -> None:
    names = "name = '``` @everyone ```'", "name = '[/code][b]York[/b]'"
    text = FIELD.replace("[sides.york]", f"[sides.york]\n{names[0]}")
    sh.write("mill.toml", text.replace("[sides.lancaster]", f"[sides.lancaster]\n{names[1]}"))
    told = sh("orders", "ask", "mill.toml", "--format", form, "-q").out
    assert told.count("mill/york@1:") == told.count("mill/lancaster@1:") == 1
    if form == "discord":
        assert told.count("```") == 4 and "@everyone" in told
    if form == "bbcode":
        assert told.count("[/code]") == told.count("[code]") == 2 and "[b]" not in told
    if form == "md":
        assert sum(line.strip() in ("```", "```text") for line in told.splitlines()) == 4


def looked_through(key: str, most: int, answers: int) -> tuple[int, int]:
    """Look at messages of random battles; return how long the longest part is, and the most parts of one."""
    chance = random.Random(key)
    longest = parts = 0
    for session in sessions_of(key, chance, most):
        for _ in range(answers):
            if session.is_over:
                break
            seat = chance.choice(session.seats_to_answer)
            messages = question_to(session, seat)
            assert all(message.parts == len(messages) == messages[-1].part for message in messages)
            longest = max(longest, *(post_length(message.lines) for message in messages))
            parts = max(parts, len(messages))
            take(
                session,
                f"{session.keys[seat]}@{session.place(seat)}: {chance.choice(session.decision(seat).texts)}",
            )
        if session.is_over:
            longest = max(longest, *(post_length(one.lines) for one in ending_to(session, 0)))
    assert longest <= LONGEST_POST - 24
    return longest, parts


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_message_fits_a_post(key: str) -> None:
    assert looked_through(key, 2, 8)[0] > 450


def test_the_last_message_has_the_story_before_the_news() -> None:
    session = begun("field-of-honour", 3)
    play_out(session, random.Random(3))
    [text] = ("\n".join(message.lines) for message in ending_to(session, 0, limit=None))
    wins, story, news = (text.index(words) for words in (" wins: ", "strength", OPENING))
    assert wins < story < news


@pytest.mark.parametrize("record", [os.path.join("records", "mill.toml"), "mill.record.toml"])
@pytest.mark.parametrize("command", ["ask", "check", "status", "remind", "take"])
def test_the_commands_for_a_battle_that_is_over_name_its_record(sh: Shell, command: str, record: str) -> None:
    (sh.folder / "records").mkdir()
    sh.write(record, "")
    more = {"remind": ["york"], "take": [sh.write("mail.txt", "york@1: else regular")]}.get(command, [])
    said = sh("orders", command, "mill.battle.toml", *more)
    assert said.code == 3 and "the battle is not in progress" in said.err
    assert record in said.err
    assert "there is no such file" in sh("orders", command, "barn.battle.toml", *more).err


@pytest.mark.parametrize("form", ["text", "md", "discord", "json"])
def test_the_last_message_is_whole_unless_its_format_has_a_limit(
    sh: Shell, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr("cardbattle.cli.commands.orders.LONGEST_POST", 420)
    sh.write("mill.toml", FIELD)
    sh("orders", "ask", "mill.toml")
    for side in ("york", "lancaster"):
        ended = sh("orders", "take", KEPT, sh.write("mail.txt", f"{side}@1: else regular"), "--format", form)
    assert ended.code == 0 and "the battle is over" in ended.err
    if form == "json":
        parts = [message["text"] for message in json.loads(ended.out)["messages"]]
    else:
        parts = ended.out.split("York: the end")
    assert ("part 2 of" in ended.out) == (form in ("discord", "json"))
    table = [part.partition("points  losses\n")[2] for part in parts if "points  losses" in part]
    assert table and all("Lancaster" in rows and "York" in rows for rows in table)


@pytest.mark.parametrize("key", RULE_SETS)
def test_only_the_first_message_explains_the_game_and_its_standing_orders_work(key: str) -> None:
    session = begun(key, 3, 2)
    seat = session.seats_to_answer[0]
    message = "\n".join(texts(question_to(session, seat)))
    first = " ".join(message.split())
    assert session.rules.aim and session.rules.aim in first
    examples = [line.strip() for line in message.splitlines() if re.match("  (when|else) ", line)]
    assert (
        len(examples) == 3 + (key == "wargame")
        and "|" in "".join(examples)
        and examples[-1] == "else regular"
    )
    lists = re.search(
        r"Questions: ([^.]+)[.] Conditions: ([^.]+)[.] The rules explain", re.sub(r" \([^)]*\)", "", first)
    )
    assert lists
    questions, conditions = (re.split(", | and ", words) for words in lists.groups())
    assert "any" in questions and {"ahead", "behind"} <= {*conditions}
    for question in questions:
        for condition in conditions:
            line = f"{question} {condition.replace('N', '1')}: {session.rules.forms[0].split()[0]}"
            assert read_standing([line], session.rules)
    answer = session.decision(seat).texts[0]
    address = f"{session.keys[seat]}@{session.place(seat)}:"
    for reply in (f"{address} {answer}\n\n{message}", f"{message} {answer}"):  # nothing marks the quotation
        quoted = again(session)
        take(quoted, reply)
        assert not quoted.plan.sides[seat].standing
    take(session, "\n".join([f"{address} {answer}", *examples]))
    standing = [example.removeprefix("when ") for example in examples]
    assert session.plan.sides[seat].standing == standing


def test_the_first_message_names_the_house_rules_that_are_not_the_default(sh: Shell) -> None:
    house = [f"--set=house.{value}" for value in ("quiet_turns=5", "decks=1", "dealer=york")]
    sh("orders", "ask", "warfare-tactics", "--side=york", "--side=wales", *house, "--seed=1", "--as=york")
    session = open_saved("warfare-tactics.battle.toml").session
    seat = session.seats_to_answer[0]
    address = f"{session.keys[seat]}@{session.place(seat)}:"
    message = "\n".join(texts(question_to(session, seat)))
    rule = "quiet turns 5: no special moves in the first turns of both sides together (default: 0)."
    assert f"House rule of this battle: {rule} Choose one" in " ".join(message.split())
    assert message.count("House rule") == 1
    take(session, f"{address} draw\n\n{message}")  # nothing marks the quotation
    assert not session.plan.sides[seat].standing
    assert "House rule" not in "\n".join(texts(question_to(session, session.seats_to_answer[0])))


@pytest.mark.parametrize(
    ("key", "seed"), [("field-of-honour", 13), ("field-of-honour", 22), ("warmonger", 23), ("warmonger", 24)]
)
def test_the_last_part_of_a_message_has_all_that_its_question_needs(key: str, seed: int) -> None:
    session = begun(key, seed, 2)
    seat = next(seat for seat in session.seats_to_answer if len(question_to(session, seat)) > 1)
    *_, last = texts(question_to(session, seat))
    decision = session.decision(seat)
    assert "Your hand: " in last and "\nReceipt: " not in texts(question_to(session, seat))[0]
    assert all(text in last for text in decision.texts)
    assert last.endswith(f"/{session.keys[seat]}@{session.place(seat)}:")


@pytest.mark.parametrize("lead", ["- ", "* ", "\u2022 ", '"'])
def test_standing_orders_can_stand_in_a_list(mill: Session, lead: str) -> None:
    end = '"' if lead == '"' else ""
    take(mill, f"york@6: pass\n{lead}when counter: pass{end}\n{lead}else regular{end}")
    assert mill.plan.sides[0].standing == ["counter: pass", "else regular"]


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULE_SETS)
def test_every_message_fits_a_post(key: str) -> None:
    print(key, looked_through(key, 1000, 80))


def compared(key: str, seeds: range, most: int) -> int:
    """Alter what each reader of a message may not know, in random positions, and return in how many.

    What the others hold and will draw, what they have answered in secret, what they were told, and the
    seed: no letter of the message may change.
    """
    found = 0
    for seed in seeds:
        session, chance = begun(key, seed, 2), random.Random(seed)
        while not session.is_over and found < most:
            seat = chance.choice(session.seats_to_answer)
            before = texts(question_to(session, seat))
            other = altered(session, seat, seed + found)
            assert texts(question_to(other, seat)) == before
            found += 1
            session.reported_events[seat] = len(session.referee.events_for(seat))
            session.answer(seat, chance.choice(session.decision(seat).texts))
    return found


def altered(session: Session, seat: int, n: int) -> Session:
    """Return a battle in which all is otherwise that a seat may not know."""
    other = Session(session.beginning, session.commanders)
    other.referee.battle = session.referee.battle.copy()
    other.referee.events = session.referee.events
    other.reported_events = {each: told for each, told in session.reported_events.items() if each == seat} | {
        9: n
    }
    alter_hidden(other, seat, n)
    other.plan = other.plan._replace(id=session.plan.id)
    key = f"{session.keys[seat]} "
    other.referee.moves = [move for move in session.referee.moves if move.startswith(key)]
    if session.sealed.get(seat):
        other.sealed[seat] = session.sealed[seat]
    for another in other.secretive() if n % 3 else []:
        if another != seat:
            battle = other.position(another)
            other.sealed[another] = [
                session.rules.choice_text(battle, stream(n, "secret").choice(battle.options))
            ]
    return other


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_no_letter_of_a_message_tells_what_is_hidden(key: str) -> None:
    assert compared(key, range(30), 25) == 25


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULE_SETS)
def test_no_letter_of_a_message_tells_what_is_hidden_in_many_positions(key: str) -> None:
    assert compared(key, range(100_000), 20_000) == 20_000


def test_nothing_that_all_may_read_tells_who_has_chosen_in_secret(sh: Shell) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    sh.write(KEPT, session_text(session))
    before = sh("orders", "status", KEPT)
    lancaster = sh("orders", "ask", KEPT, "--for", "lancaster").out
    assert before.out.splitlines()[2:5] == ["waiting for", "York", "Lancaster"] and before.code == 0
    sh.write("york.txt", "york@1: 1;1;1;1;1\nwhen counter: pass\nelse regular")
    said = sh("orders", "take", KEPT, "york.txt")
    assert said.code == 0 and "york" not in said.out
    assert said.err.splitlines()[0] == "accepted: 5 answers and 2 standing orders of york (else regular)"
    assert sh("orders", "status", KEPT) == before
    told = json.loads(sh("orders", "status", KEPT, "--json").out)
    assert told["waiting"] == [{"side": "york"}, {"side": "lancaster"}] and not told["one_of"]
    assert sh("orders", "ask", KEPT, "--for", "lancaster").out == lancaster
    assert sh("orders", "remind", KEPT, "lancaster").out.count("mill/lancaster@1:") == 1
    assert "york has no question to answer now" in sh("orders", "remind", KEPT, "york").err


def lined_up(last: dict[str, str], second: str = "human") -> Session:
    """Return a battle with both lines laid, in which each side holds one card more."""
    sides = {"york": {"commander": "human", "hand": 6}, "lancaster": {"commander": second, "hand": 6}}
    low = {"york": "2S 3S 4S 5S 6S", "lancaster": "2H 3H 4H 5H 6H"}
    deal = {key: [*cards.split(), last[key]] for key, cards in low.items()}
    house = {"dealer": "lancaster"}
    plan = {"id": "mill", "rules": "field-of-honour", "seed": 1, "house": house, "sides": sides, "deal": deal}
    session = begin_session(read_battle(plan))
    while session.is_sealed(session.referee.battle):
        seat = session.seats_to_answer[0]
        session.answer(seat, f"place {low[session.keys[seat]].split()[session.place(seat) - 1]}")
    return session


def test_where_who_is_asked_tells_of_a_card_the_status_names_all(sh: Shell) -> None:
    """Of these sides one holds a Queen, and it alone is asked for a special."""
    told = []
    for n, last in enumerate(({"york": "QS", "lancaster": "7H"}, {"york": "7S", "lancaster": "QH"})):
        session = lined_up(last)
        assert session.seats_to_answer == [n] and session.pending_seats == [0, 1]
        sh.write(KEPT, session_text(session))
        told.append(
            [sh("orders", "status", KEPT, "--format", form).out for form in ("text", "plain", "json")]
        )
        assert waiting_words(session).endswith("the battle is waiting for York or Lancaster.")
    assert told[0] == told[1] and json.loads(told[0][2])["one_of"]
    assert "waiting for one of\nYork\nLancaster\n" in told[0][0]


def test_where_one_alone_plays_the_status_says_which_question(sh: Shell) -> None:
    sh.write(KEPT, session_text(lined_up({"york": "QS", "lancaster": "7H"}, "green")))
    row = ["York", "york@6", "its answer to york@5"]
    assert [one.strip() for one in sh("orders", "status", KEPT).out.splitlines()[3].split("  ") if one] == row
    told = json.loads(sh("orders", "status", KEPT, "--json").out)
    assert told["waiting"] == [{"side": "york", "place": 6}] and not told["one_of"]


def test_what_was_told_in_a_message_is_not_told_again(mill: Session) -> None:
    take(mill, "york@6: pass")
    first = texts(question_to(mill, mill.seats_to_answer[0]))[0]
    assert "Since your last message:" in first
    key = mill.keys[mill.seats_to_answer[0]]
    take(mill, f"{key}@{mill.place(mill.seats_to_answer[0])}: pass")
    told = [
        line
        for line in texts(question_to(again(mill), mill.seats_to_answer[0]))[0].splitlines()
        if "shows" in line
    ]
    assert told and "The deal" not in texts(question_to(mill, mill.seats_to_answer[0]))[0]


def test_the_umpire_is_told_what_the_file_of_another_kind_is(sh: Shell) -> None:
    sh.write("mill.toml", FIELD)
    assert (
        "a battle that has not begun; begin it with: cardbattle orders ask"
        in sh("orders", "take", "mill.toml").err
    )
    assert sh("resolve", "wargame", "--seed", "1", "--record", "r.toml", "-q").code == 0
    assert "this is the record of a fought battle" in sh("orders", "take", "r.toml").err


def test_a_file_that_was_changed_meanwhile_is_left_as_it_is(sh: Shell, field: str) -> None:
    from cardbattle.battles.saved_session import open_saved

    sh.write(KEPT, field)
    kept = open_saved(KEPT)
    sh.write(KEPT, f"# mine\n{field}")
    with pytest.raises(InvalidInput, match="another program has changed it meanwhile; nothing was written"):
        kept.keep()
    assert Path(KEPT).read_text(encoding="utf-8") == f"# mine\n{field}"


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.md")), ids=lambda file: file.stem)
def test_a_sample_correspondence_goes_as_it_stands_there(file: Path) -> None:
    """Take its answers in order; `python -m tests.support.correspondence` rewrites the messages."""
    text, record = written(file)
    assert text == file.read_text(encoding="utf-8")
    found = read_record(tomllib.loads(record))
    assert found.rules.key == file.stem and verify_record(found) == ""
    assert text.count("### From ") >= 2 and text.count(", the end") >= 2


ORDERS_OF_YORK = ["when special behind: play JS | pass", "when any: pass"]


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("mark", ["", "> "])
def test_standing_orders_refused_with_another_one_can_be_copied(sh: Shell, at: int, mark: str) -> None:
    """The message quotes the wrong line and the others; copied and corrected, they are accepted."""
    sh("orders", "ask", "field-of-honour", "--as", "north", "--as", "south", "--save", KEPT, "--seed", "1")
    orders = list(ORDERS_OF_YORK)
    orders.insert(at, "when counter: stay")
    mail = "\n".join(["north@1: 1; 1; 1; 1; 1", *orders])
    refused = sh("orders", "take", KEPT, sh.write("mail.txt", mail))
    assert refused.code == 3
    message = refused.out.partition("To north")[2].partition("To south")[0]
    assert '- "when counter: stay": no answer begins with "stay"' in " ".join(message.split())
    place = re.search(r"To copy [(]north@(\d+)[)]:", " ".join(message.split()))
    assert place
    [address] = re.findall(r"^\S+/north@\d+:$", message, re.MULTILINE)
    assert address.endswith(f"@{place[1]}:")
    block = re.findall(r"^  (when .*)$", message, re.MULTILINE)
    assert block == ORDERS_OF_YORK
    for reply in ("Thank you, I will look at it.\n", ""):  # a quotation is not an answer
        quoted = "".join(f"{mark}{line}\n" for line in f"Umpire wrote:\n{message}".splitlines())
        sh("orders", "take", KEPT, sh.write("mail.txt", reply + quoted))
        assert "play JS" not in Path(sh.folder, KEPT).read_text()
    again = sh(
        "orders", "take", KEPT, sh.write("mail.txt", "\n".join([address, *block, "when counter: pass"]))
    )
    assert again.code == 0, again.err
    assert all(line.removeprefix("when ") in Path(sh.folder, KEPT).read_text() for line in block)


def test_answers_after_a_rejected_one_can_be_copied(sh: Shell) -> None:
    sh("orders", "ask", "field-of-honour", "--as", "north", "--save", KEPT, "--seed", "1")
    refused = sh(
        "orders", "take", KEPT, sh.write("mail.txt", "north@1: nonsense; place; place; place\nwhen any: pass")
    )
    message = " ".join(refused.out.split())
    assert "send all of them again. To copy (north@2): place; place; place" in message
    assert "send them again with it. To copy (north@1): when any: pass" in message


@pytest.mark.parametrize(
    "mail",
    [
        "north@1: place 2C; place 99; place 3C; place 4C",
        "north@1: place 99; place 3C",
        "north@1: nonsense\nnorth@2: place 3C\nnorth@4: place 4C\nnorth@5: place 5C",
    ],
)
def test_each_line_to_copy_has_the_questions_of_its_answers(sh: Shell, mail: str) -> None:
    """A copy behind the question of the rejected answer would answer other questions."""
    sh("orders", "ask", "field-of-honour", "--as", "north", "--save", KEPT, "--seed", "1")
    hand = re.findall(r"\d+ place (\w+)", sh("orders", "ask", KEPT).out)
    for card, own in zip(("2C", "3C", "4C", "5C"), hand, strict=False):
        mail = mail.replace(f"place {card}", f"place {own}")
    message = sh("orders", "take", KEPT, sh.write("mail.txt", mail)).out
    sent = by_question(re.findall(r"north@(\d+): (.*)", mail))
    rejected = min(place for place, words in sent.items() if words in ("place 99", "nonsense"))
    wanted = {place: words for place, words in sent.items() if place > rejected}
    assert by_question(re.findall(r"\(north@(\d+)\):\n  (.*)", message)) == wanted


@pytest.mark.parametrize(
    "mail",
    [
        "north@1: nonsense; plaice 3C; place 2H; place 2D",
        "north@1: nonsense; place 2H; plaice 3C; place 2D\nwhen conter: fly\nwhen any: pass",
        "north@1: place or else\nnorth@2: plaice; place 2H\nwhen counter: stay\nwhen any: pass",
        "north@2: plaice 3C; place 2H\nwhen conter: fly\nwhen any: pass",
    ],
)
def test_each_line_to_copy_is_accepted(sh: Shell, mail: str) -> None:
    sh("orders", "ask", "field-of-honour", "--as", "north", "--save", KEPT, "--seed", "1")
    message = sh("orders", "take", KEPT, sh.write("mail.txt", mail)).out.partition("Each side lays")[0]
    blocks = re.findall(r"\(north@(\d+)\):\n((?:  (?:when |place).*\n)+)", message)
    assert blocks
    answers = by_question([(place, text.strip()) for place, text in blocks if "when" not in text])
    cards = dict(enumerate(("2S", "5C", "8H", "8C"), 1))
    missing = range(1, max(answers, default=1) + 1)
    lines = [f"north@{place}: {answers.get(place, f'place {cards[place]}')}" for place in missing]
    orders = [line.strip() for _, text in blocks for line in text.splitlines() if "when" in line]
    said = sh("orders", "take", KEPT, sh.write("mail.txt", "\n".join([*lines, *orders])))
    assert said.code == 0, said.err


def by_question(lines: list[tuple[str, str]]) -> dict[int, str]:
    """Return the answers in these lines by question, given the question and the text of each line."""
    return {
        int(place) + ahead: words
        for place, text in lines
        for ahead, words in enumerate(text.rstrip().split("; "))
    }


def test_the_first_message_of_a_dark_battle_names_no_points() -> None:
    sides = {"north": {"commander": "human"}, "south": {"commander": "human"}}
    table = {"rules": "strategy-war", "seed": 3, "house": {"mode": "dark"}, "sides": sides}
    session = begin_session(read_battle(table))
    first = " ".join("\n".join(texts(question_to(session, 0))).split())
    assert "Conditions: round N, last and waiting." in first and "when commit: " in first
    assert not re.search(r"\b(ahead|level|behind)\b", first)


def test_a_word_of_one_option_is_no_answer_but_the_player_reads_which_option_has_it(sh: Shell) -> None:
    sh.write(KEPT, session_text(begin_session(read_battle(tomllib.loads(FIELD)))))
    lancaster = "lancaster@1: 1\nelse regular"
    sh.write("mail.txt", f"{lancaster}\n\nyork@1: 6D surely\n")
    said = sh("orders", "take", KEPT, "mail.txt")
    assert said.code == 3 and 'cannot place 6D surely now; did you mean "place 6D"?; choose' in said.err
    assert 'now; did you mean "place 6D"?' in " ".join(said.out.split())
    accepted = "accepted: lancaster@1 and 1 standing order of lancaster (else regular); these answers are"
    assert accepted in said.err


def test_an_unclear_mail_beside_an_answer_is_rejected(sh: Shell) -> None:
    sh.write("war.toml", 'id = "war"\nrules = "strategy-war"\nseed = 3\n[sides.york]\n[sides.lanc]\n')
    asked = sh("orders", "ask", "war.toml", "--as", "york", "--as", "lanc", "--save", KEPT)
    assert asked.code == 0
    mails = ["From: Y\n\nthe king\n\n> war/york@1:\n", "From: J\n\n7 or 8, hmm\n\n> war/lanc@1:\n"]
    thanks = "From: Y\n\nThanks for this game\n\n> war/york@1:\n"
    sh.write("mails.txt", "\n".join([*mails, thanks]))
    said = sh("orders", "take", KEPT, "mails.txt")
    assert (said.code, said.err.count("cardbattle: ")) == (3, 1)
    assert "accepted: york@1; these answers are rejected" in said.err
    assert 'mails.txt: "7 or 8, hmm" is not clear as an answer' in said.err
    assert '- "7 or 8, hmm" is not clear' in said.out and "Thanks" not in said.out + said.err


@pytest.mark.slow
def test_a_message_with_rejected_answers_stays_when_the_next_question_has_its_name(sh: Shell) -> None:
    sides = ["--side", "north", "--side", "south", "--as", "north", "--as", "south"]
    assert sh("orders", "ask", "strategy-war", *sides, "--dir", "m", "--save", "b.battle.toml").code == 0
    for answers in ("b/north@1: K; 9; 5\nwhen commit ahead: 2 | 3\nelse regular\n", "b/south@1: Q\n"):
        sh("orders", "take", "b.battle.toml", sh.write("mail.txt", answers), "--dir", "m")
    assert sh("orders", "ask", "b.battle.toml", "--dir", "m").code == 0
    names = sorted(path.name for path in (sh.folder / "m").iterdir())
    assert names[1:] == [
        f"b.{end}.txt" for end in ("north.question-2-2", "north.question-2", "south.question-2")
    ]
    first = (sh.folder / "m" / "b.north.question-2.txt").read_text("utf-8")
    assert "These answers of yours were not taken" in first
