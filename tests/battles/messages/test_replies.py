"""Answers above the question that a mail quotes."""

from __future__ import annotations

import random
import tomllib
from itertools import product

import pytest

from cardbattle.battles.messages.answers import Taken, no_answer_error, take_valid_answers
from cardbattle.battles.messages.pasted_text import plain_lines
from cardbattle.battles.messages.replies import answers_in_reply, read_mail, unread_text
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import session_text
from cardbattle.commanders.standing import read_standing
from cardbattle.core.names import quoted
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.message import question_to
from tests.battles.messages.test_answers import refusals, taken
from tests.battles.messages.test_messages import FIELD, KEPT, again
from tests.battles.messages.test_messages import field as field  # the same battle
from tests.battles.messages.test_messages import mill as mill  # the same battle
from tests.battles.test_session import begun, play_out
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.replies import HEADERS, MARKS, PLACES, quotations, reply

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
ASKED = "On Sunday the umpire wrote:\n> Which card?\n> {0}\n"
FORMS = [
    "Hello,\n{1}\nRichard\n\n" + ASKED,
    "Dear Umpire, {1}.\n" + ASKED,
    ASKED + "\nDear Ann,\n\n{1}\nRichard",
]


def address_of(session: Session, seat: int) -> str:
    """Return the address of a side's open question."""
    return f"{session.plan.id}/{session.keys[seat]}@{session.place(seat)}:"


def words_read(session: Session, mail: str) -> list[str]:
    """Return the answers of a reply."""
    return [answer.words for answer in answers_in_reply(session, "mail", plain_lines("mail", mail))]


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize("form", FORMS, ids=range(len(FORMS)))
def test_an_answer_above_a_quoted_question_counts_as_one_behind_its_address(key: str, form: str) -> None:
    chance = random.Random(key)
    session = begun(key, 2, 2)
    for _ in range(8):
        for seat in session.seats_to_answer:
            text = chance.choice(session.decision(seat).texts)
            address = address_of(session, seat)
            words = words_read(session, form.format(address, text))
            result, wanted = (
                taken(session, f"{address} {'; '.join(words)}"),
                taken(session, f"{address} {text}"),
            )
            assert refusals(result) == []
            assert session_text(result.session) == session_text(wanted.session)
        play_out(session, chance, 1)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("Dear Umpire, the king, please.\nAnna", ["the king, please"]),
        ("K", ["K"]),
        ("the ace!\nA", ["the ace"]),
        ("King\nwhen any: 10 | 9\nelse regular", ["King", "when any: 10 | 9", "else regular"]),
        ("We throw everything at them, the ace!", []),
        ("If he has the king, the ace", []),
        ("the ace\nor the king\nking", []),
        ("queen\nking", []),
    ],
)
def test_only_a_clear_answer_is_read(reply: str, words: list[str]) -> None:
    session = begun("strategy-war", 2, 2)
    address = address_of(session, 0)
    assert words_read(session, f"{reply}\n> {address}") == words
    other = address_of(session, 1)
    for quote in (f"> {address}\n> {other}", address, f"> {address} 3", "> york@9:", f"> {address}\n{other}"):
        assert words_read(session, f"{reply}\n{quote}") == []


def test_the_command_takes_a_reply_or_quotes_it_to_its_player(sh: Shell, field: str) -> None:
    sh.write(KEPT, field)
    sh.write("mail.txt", "Hi,\nI would rather not play.\nAnn\n\n> mill/york@6:\n")
    said = sh("orders", "take", KEPT, "mail.txt")
    assert said.code == 3
    assert 'mail.txt: "I would rather not play." is not clear as an answer; write one after' in said.err
    assert '"I would rather not play." is not clear; write your answer' in " ".join(said.out.split())
    sh.write("mail.txt", "Hi,\npass\nAnn\n\n> mill/york@6:\n")
    said = sh("orders", "take", KEPT, "mail.txt")
    assert said.code == 0 and "accepted: 1 answer of york" in said.err


def no_name(word: str) -> str:
    """Find no side by its name."""
    raise ValueError(word)


def read(session: Session, mail: str) -> Taken:
    """Take the valid answers of a mail, with the errors in its unclear lines."""
    answers, unclear, _ = read_mail(session, "mail", mail, no_name)
    return take_valid_answers(again(session), answers, lambda: again(session), unclear)


STANDING = "when any: {0}\nelse regular"


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize("mark", ["", "> "])
@pytest.mark.parametrize(
    "line", ["the lot, please", "I'd say whatever wins", "{0} - no, not that", "{0} or not"]
)
def test_standing_orders_never_answer_in_place_of_an_unclear_line(key: str, mark: str, line: str) -> None:
    session = begun(key, 2, 2)
    for seat in session.seats_to_answer:
        text = session.decision(seat).texts[0]
        address, standing = address_of(session, seat), STANDING.format(text)
        result = read(session, f"{mark}{address}\n{line.format(text)}\n\n{standing}\nAnn")
        assert result.session.place(seat) == session.place(seat)
        assert line.format(text) in " ".join(refusals(result))
        assert "standing orders not accepted" in " ".join(refusals(result))
        for greeting in ("Hello Ann,", "My orders are:"):
            plain = read(session, f"{mark}{address}\n{greeting}\n{standing}\nAnn")
            assert refusals(plain) == [] and plain.session.plan.sides[seat].standing


MAIL_HEADERS = (
    "From: Ann <ann@york.example>\nSubject: Re: {1}\n",
    "Subject: Re: The North: {1}, part 2 of 2\n",
    "Von: Ann\nGesendet: Montag\nAn: North\nBetreff: {0}\n",
    "From: Ann\nDate: 3 May\nSubject: Re: {1}\n play {0}\nMessage-ID: <3@north>\n",
)


@pytest.mark.parametrize("header", MAIL_HEADERS, ids=range(len(MAIL_HEADERS)))
def test_the_header_of_a_mail_is_no_answer_and_no_error(header: str) -> None:
    """A mail is read as if its header were empty lines, and an error quotes the text of the player."""
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    address, text = address_of(session, 0), session.decision(0).texts[0]
    head = header.format(text, address.partition("/")[2].rstrip(":"))
    empty = "\n" * head.count("\n")
    for own in (text, "I cannot decide", f"{text}\nelse regular", f"the lot\nwhen any: {text}"):
        for mail in (f"{{}}\n{own}\n\n> {address}", f"{{}}\n{address} {own}", f"{{}}\n{own}"):
            with_header, plain = (read(session, mail.format(top)) for top in (head, empty))
            assert refusals(with_header) == refusals(plain), mail
            assert with_header.answers == plain.answers
    reply = f"{head}\nDear Ann,\nI cannot decide\n\n> {address}"
    assert unread_text(session, "mail", reply) == "I cannot decide"


def test_an_error_names_the_line_with_the_cards_and_asks_for_semicolons() -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    address = address_of(session, 0)
    cards = "5C, then 6S, then JH, 7D"
    wanted = f"separate the answers with semicolons, such as {address} 5C; 6S; JH; 7D"
    reply = f"hi, ok here goes\n\n> {address}\n{cards}\nkeep the joker for tricks\n\nAnn"
    assert str(no_answer_error("mail", reply, session)).endswith(
        f"{quoted(cards)} is not clear as an answer; {wanted}"
    )
    assert no_answer_error("mail", f"Nice map.\n{cards}\n\n> {address}", session).unread == cards
    [behind] = refusals(read(session, f"{address} {cards}"))
    assert behind.endswith(wanted)
    assert refusals(read(session, wanted.partition("such as ")[2])) == []
    assert "semicolons" not in str(refusals(read(session, f"{address} 5C, please, Ann")))


UNCLEAR = (
    "the lot, please",
    "I'd say whatever wins",
    "3 or maybe 4",
    "{0} - no, not that",
    "{0} or not",
    "The Ace now. From now on:",
)
ABOVE_ORDERS = (
    "{1}\n{2}\n\n> {0}",
    "Hello Ann,\n{1}\n\n{2}\nRichard\n\n> {0}",
    "{1}\n\nOn Sunday the umpire wrote:\n> {0}\n\n{2}",
    "From: Ann\nDate: 3 May\n\n{1}\n{2}\n\n> {0}",
    "{1}\n{0} else regular\n> {0}",
)


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize("form", ABOVE_ORDERS, ids=range(len(ABOVE_ORDERS)))
def test_standing_orders_never_answer_in_place_of_an_unclear_line_above_a_quotation(
    key: str, form: str
) -> None:
    session = begun(key, 2, 2)
    for seat in session.seats_to_answer:
        text, address = session.decision(seat).texts[0], address_of(session, seat)
        for line in UNCLEAR:
            result = read(session, form.format(address, line.format(text), STANDING.format(text)))
            assert result.session.place(seat) == session.place(seat)
            assert not result.session.plan.sides[seat].standing
            assert line.format(text).split()[0] in " ".join(refusals(result))
            assert "standing orders not accepted" in " ".join(refusals(result))
        for greeting in ("Hi Ann, thanks for the map!", "My orders are:", "(sorry, a busy week)", ""):
            plain = read(session, form.format(address, greeting, STANDING.format(text)))
            assert refusals(plain) == [] and plain.session.plan.sides[seat].standing


def test_a_sentence_before_a_heading_is_no_heading() -> None:
    session = begun("field-of-honour", 2, 2)
    seat = session.seats_to_answer[0]
    result = read(session, f"The Ace now. From now on:\nelse regular\n\n> {address_of(session, seat)}")
    assert '"The Ace now. From now on:" is not clear as an answer' in " ".join(refusals(result))
    assert not result.session.plan.sides[seat].standing


def test_a_line_below_standing_orders_that_begins_like_an_answer_is_reported() -> None:
    session = begun("field-of-honour", 1, 2)
    address = address_of(session, session.seats_to_answer[0])
    for line in ("3 or 4", "place the queen or the jack", "QD or JD"):
        result = read(session, f"else regular\n{line}\n\n> {address}")
        assert f'"{line}" is not clear as an answer' in " ".join(refusals(result)) and not result.answers
    for line in ("Richard", "K", "\n3 Bridge Street"):
        assert refusals(read(session, f"else regular\n{line}\n\n> {address}")) == []


@pytest.mark.parametrize(("remark", "is_read"), [("I think", True), ("or JD", False), ("JD?", False)])
def test_a_second_card_in_brackets_is_no_remark(remark: str, is_read: bool) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    text = session.decision(0).texts[0]
    result = read(session, f"{address_of(session, 0)} {text} ({remark})")
    assert bool(result.answers) == is_read == (not refusals(result))


@pytest.mark.parametrize("remark", ["I have two of them", "2 left", "or JD"])
def test_the_refusal_of_a_remark_with_a_number_quotes_it(remark: str) -> None:
    session = begun("strategy-war", 2, 2)
    result = read(session, f"{address_of(session, 0)} the ten ({remark})")
    assert not result.answers
    assert f"({remark}) may be another answer; leave it out" in " ".join(refusals(result))


@pytest.mark.parametrize("mark", ["", "> "])
@pytest.mark.parametrize("words", ["the ten, please", "a ten", "10", "commit the ten", "Ten!"])
def test_a_card_in_words_below_its_address_comes_before_standing_orders(mark: str, words: str) -> None:
    session = begun("strategy-war", 2, 2)
    for form in ("{0}\n{1}\n\n{2}", "{0}\nHello Ann,\n{1}\n\n{2}", "{1}\n\n{0}\n\n{2}"):
        result = read(session, form.format(f"{mark}{address_of(session, 0)}", words, STANDING.format("A")))
        if mark or form.startswith("{0}\n{1}"):
            assert (refusals(result), result.session.sealed.get(0)) == ([], ["commit 10"])
        else:
            assert f'"{words}" is not clear as an answer' in " ".join(refusals(result))
        assert not mark or result.session.plan.sides[0].standing


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_answers_to_questions_in_a_row_can_stand_below_each_other(key: str) -> None:
    chance = random.Random(key)
    session = begun(key, 2, 2)
    for _ in range(8):
        for seat in session.seats_to_answer:
            texts = session.answers_ahead(seat) or [session.decision(seat).texts[0]] * 2
            address = address_of(session, seat)
            wanted = read(session, f"{address} {'; '.join(texts)}")
            for form in ("{0}\n{1}\n{2}\nAnn", "{0} {1}\n{2}\nAnn", "> {0}\n\n{1}\n{2}"):
                result = read(session, form.format(address, *texts))
                if session.answers_ahead(seat):
                    assert refusals(result) == [] == refusals(wanted)
                    assert session_text(result.session) == session_text(wanted.session)
                else:
                    assert "can be an answer, too" in refusals(result)[0] and not result.answers
        play_out(session, chance, 1)


@pytest.mark.parametrize(
    "mail",
    [
        "york@1: {0}; {1}; {2};\n{3}; {4}",
        "york@1: place {0}; {1};\nplace {2}; {3}\n{4}",
        "york@1:\n{0}\n{1}\n{2}\n{3}\n{4}\nAnn",
        "> york@1:\n\n{0};\n{1};\n{2};\n{3};\n{4}\n",
    ],
)
def test_cards_without_a_verb_can_stand_on_several_lines(mail: str) -> None:
    session = begin_session(read_battle(tomllib.loads(FIELD)))
    cards = [text.split()[1] for text in session.decision(0).texts if "+" not in text][:5]
    names = [f"{card[0]} of {SUITS[card[1]]}" for card in cards]
    for texts in (cards, names):
        result = read(session, mail.format(*texts))
        assert (refusals(result), result.session.sealed[0]) == ([], [f"place {card}" for card in cards])
    wrong = read(session, mail.format(*cards[:3], "2Z", cards[4]))
    assert refusals(wrong) and wrong.session.place(0) < 4


def test_a_further_answer_anywhere_in_a_mail_is_reported() -> None:
    session = begun("strategy-war", 2, 2)
    key = session.keys[0]
    for mail in ("{0} K\n\nqueen, please", "the queen!\n\n> {0} K", "{0} K\nAnn\nqueen\n"):
        [error] = refusals(read(session, mail.format(f"{key}@1:")))
        assert "queen" in error
    for mail in ("{0} K\n\nA", "{0} K\n\nQueen Ann's men", "{0} K\n\nK", "{0} K\n\n> Q"):
        result = read(session, mail.format(f"{key}@1:"))
        assert refusals(result) == [] and result.answers


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_no_line_of_a_message_is_an_answer_if_it_is_sent_back_whole(key: str) -> None:
    chance = random.Random(key)
    session = begun(key, 3, 2)
    for _ in range(12):
        for seat in session.seats_to_answer:
            text = session.decision(seat).texts[0]
            lines = [line for part in question_to(session, seat) for line in part.lines]
            assert lines[-1] == address_of(session, seat)
            result = read(session, "\n".join([*lines[:-1], f"{lines[-1]} {text}", "", "Ann"]))
            assert refusals(result) == [] and result.answers
        play_out(session, chance, 1)


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize("mark", MARKS)
def test_a_question_sent_back_is_never_an_answer_and_the_answer_in_it_always_is(key: str, mark: str) -> None:
    """However a mail program quotes and wraps the question, and wherever the answer stands."""
    chance = random.Random(key)
    session = begun(key, 3, 2)
    for _ in range(2):
        for seat in session.seats_to_answer:
            text = chance.choice(session.decision(seat).texts)
            wanted = session_text(taken(session, f"{address_of(session, seat)} {text}").session)
            parts = [part.lines for part in question_to(session, seat)]
            message = "\n".join("\n".join([*lines, ""]) for lines in parts).rstrip()
            for header, quotation in product(HEADERS, quotations(message, mark)):
                assert not mail_taken(session, f"{header}{quotation}").answers
                for place in PLACES:
                    result = mail_taken(session, reply(text, header, quotation, place))
                    assert refusals(result) == [] and session_text(result.session) == wanted
        play_out(session, chance, 2)


ASKING = ["Can I see my discard pile?", "(What is a special?)", "Hi! How many cards has he?"]


@pytest.mark.parametrize("line", [*ASKING, "plase 3S"])
@pytest.mark.parametrize("mail", ["{0} {2}\n{1}", "{1}\n\n{2}\n\n> {0}", "{1}\n\n{0}\n{2}\nAnn"])
def test_a_question_and_a_misspelt_line_beside_an_answer_are_for_the_umpire(mail: str, line: str) -> None:
    session = begun("field-of-honour", 2, 2)
    text = mail.format(address_of(session, 0), line, session.decision(0).texts[0])
    answers, unclear, [note] = read_mail(session, "mail", text, no_name)
    assert len(answers) == 1 and not unclear
    assert quoted(line) in note.text and note.line == 1 + text.splitlines().index(line)


WRONG_ADDRESS = [
    *(
        "{0}@2;3",
        "{0}@2. 3",
        "{0}@1.5: 3",
        "{0}@-1: 3",
        "{0}@: 3",
        "{0}@two: 3",
        "@2: 3",
        "{0}: 3",
        "{0}#2: 3",
    ),
    *("{0} 2: 3", "question 2: 3", "{0}@2-3: place 3D; place 5D", "{0}@2,3: 3; 5D", "a/{0}: place 3D"),
    *("when any: pass", "2) when any: pass", "else regular"),
]


@pytest.mark.parametrize("line", WRONG_ADDRESS)
def test_an_answer_with_an_address_that_cannot_be_read_is_for_the_umpire(line: str) -> None:
    session = begun("field-of-honour", 2, 2)
    line, answer = line.format(session.keys[1]), f"{address_of(session, 0)} {session.decision(0).texts[0]}"
    answers, unclear, [note] = read_mail(session, "mail", f"{line}\n{answer}", no_name)
    assert len(answers) == 1 and not unclear
    assert quoted(line) in note.text and note.line == 1


@pytest.mark.parametrize("line", ["{0}@example.org", "{0}: see you at 3", "Ann <ann@club4.org>", "Tel: 3"])
def test_a_line_that_only_looks_like_an_address_is_not_for_the_umpire(line: str) -> None:
    session = begun("field-of-honour", 2, 2)
    line, answer = line.format(session.keys[1]), f"{address_of(session, 0)} {session.decision(0).texts[0]}"
    assert not read_mail(session, "mail", f"{line}\n{answer}", no_name).for_umpire


def test_only_the_question_behind_an_answer_is_for_the_umpire() -> None:
    session = begun("field-of-honour", 2, 2)
    address, text = address_of(session, 0), session.decision(0).texts[0]
    [note] = read_mail(session, "mail", f"{address} {text} (who deals?)", no_name).for_umpire
    assert note.text.startswith('"(who deals?)" is a question')
    for line in ("What is north@2 about?", "north@2 plaace 3S"):
        [note] = read_mail(session, "mail", f"{address} {text}\n{line}", no_name).for_umpire
        assert quoted(line) in note.text
    for mail in ("{0} {1}\nPage 3 is lost\n-- \nWho cares?", "{0}\n{1}?", "{0} {1}\n> Is it me?"):
        assert not read_mail(session, "mail", mail.format(address, text), no_name).for_umpire


@pytest.mark.parametrize("mark", MARKS)
def test_no_line_of_a_question_sent_back_is_for_the_umpire(mark: str) -> None:
    session = begun("field-of-honour", 2, 2)
    message = "\n".join(line for part in question_to(session, 0) for line in part.lines)
    for header, quotation, place in product(HEADERS, quotations(message, mark), PLACES):
        mail = reply(session.decision(0).texts[0], header, quotation, place)
        assert not read_mail(session, "mail", mail, no_name).for_umpire


POLITE = (
    "{} please", "{}, please", "Please {}", "please, {}", "{}, please!", "{}, thank you.", "{} pls",
    "Please {}, thanks", "{} (please)",
)  # fmt: skip


def mail_taken(session: Session, text: str) -> Taken:
    """Take the valid answers of a whole mail, in a copy of the battle."""
    mail = read_mail(again(session), "mail", text, lambda word: word)
    return take_valid_answers(again(session), mail.answers, lambda: again(session), mail.unclear)


@pytest.mark.slow
@pytest.mark.parametrize("form", POLITE)
@pytest.mark.parametrize("key", RULE_SETS)
def test_polite_answers_are_read_in_every_rule_set(key: str, form: str) -> None:
    chance = random.Random(f"{key} {form}")
    session = begun(key, 1, 2)
    while session.seats_to_answer and len(session.referee.moves) < 60:
        seat = session.seats_to_answer[0]
        decision, address = session.decision(seat), address_of(session, seat)
        options = {f"{decision.mark}1", chance.choice(decision.texts)}
        for said in [*sorted(options), chance.choice(decision.texts).upper()]:
            wanted = taken(session, f"{address} {said}")
            polite = form.format(said)
            mails = (
                f"{address} {polite}",
                f"Sir,\n\n{address}\n{polite}\n\nAnn",
                ASKED.format(address) + f"\n{polite}\n",
            )
            for mail in mails:
                result = mail_taken(session, mail)
                assert refusals(result) == [], mail
                assert session_text(result.session) == session_text(wanted.session), mail
        play_out(session, chance, 2)


@pytest.mark.parametrize("form", POLITE[:-1])
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_polite_standing_order_is_followed(key: str, form: str) -> None:
    rules = find(key)
    for option in (verb.split()[0] for verb in rules.forms if not verb.startswith("fate ")):
        assert read_standing([f"any: {form.format(option)}"], rules) == read_standing(
            [f"any: {option}"], rules
        )


def test_the_example_for_the_umpire_is_what_the_message_asks_for() -> None:
    """A message with many options numbers none of them."""
    wide, short = begun("wargame", 1, 2), begun("field-of-honour", 1, 2)
    error = str(no_answer_error("mail", "hello", wide))
    side = wide.keys[wide.seats_to_answer[0]]
    assert error.endswith(f"such as {wide.plan.id}/{side}@1: deploy CARD PLACE")
    side = short.keys[short.seats_to_answer[0]]
    assert str(no_answer_error("mail", "hello", short)).endswith(f"/{side}@1: 1")


@pytest.mark.parametrize(
    ("line", "standing"),
    [
        ("1. when counter: pass", ["counter: pass"]),
        ("2) When counter: pass", ["counter: pass"]),
        ("3. else regular", ["else regular"]),
        ("when counter pass", "write when counter: pass"),
        ("when counter - pass", "write when counter: pass"),
        ("when counter, pass", "write when counter: pass"),
        ("if counter: pass", "write when counter: pass"),
        ("If special space 2 and behind, then play JS", "write when special space 2 behind: play JS"),
        ("PS: when counter: pass", "write when counter: pass"),
        ("otherwise regular", "write else regular"),
        ("Or else a veteran commander.", "write else veteran"),
        ("if special orders come, I pass them on", []),
        ("when I am back: more", []),
        ("otherwise we are fine", []),
        ("Sorry, no: 3", "can correct north@1, so neither counts"),
        ("I mean 3", "can correct north@1, so neither counts"),
        ("No more news from here", []),
    ],
)
def test_a_line_like_an_order_is_read_or_reported(line: str, standing: list[str] | str) -> None:
    """It is never lost: if it is not clear, no other standing order of the mail counts either."""
    session = begun("field-of-honour", 1, 2)
    address = address_of(session, session.seats_to_answer[0])
    for mail in (f"{address} 2\n\n{line}\n\nAnn", f"- {address} 2\n- {line}\nwhen drawn: pass"):
        result = mail_taken(session, mail)
        kept = result.session.plan.sides[0].standing
        if isinstance(standing, str):
            assert any(standing in error for error in refusals(result)), (mail, refusals(result))
            assert kept == []
        elif "else" not in line or "drawn" not in mail:  # else is the last line
            assert refusals(result) == []
            assert kept == standing + ["drawn: pass"] * ("drawn" in mail)


@pytest.mark.parametrize("line", ["- when any: pass", "1. when any: pass", "* when any: pass"])
def test_a_list_of_standing_orders_above_the_quoted_question_is_read(line: str) -> None:
    session = begun("field-of-honour", 1, 2)
    address = address_of(session, session.seats_to_answer[0])
    result = mail_taken(session, f"{line}\nelse regular\n\n{ASKED.format(address)}")
    assert refusals(result) == [] and result.session.plan.sides[0].standing == ["any: pass", "else regular"]


CORRECTIONS = [
    "{0}\nsorry, make that {1}",
    "{0}\n\nNo, wait: {1}",
    "{0}\nI meant {1}.",
    "Oops, {1}\n\n{0}",
]


@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize("form", CORRECTIONS)
def test_an_answer_that_its_mail_corrects_does_not_count(key: str, form: str) -> None:
    """The step in the error is never refused."""
    session = begun(key, 2, 2)
    for seat in session.seats_to_answer:
        address, texts = address_of(session, seat), session.decision(seat).texts
        result = read(session, form.format(f"{address} {texts[0]}", texts[-1]))
        if len(texts) == 1:
            continue
        label = address.partition("/")[2].strip(":")
        assert not result.answers and f"can correct {label}, so neither counts" in refusals(result)[0]
        assert f"behind {label}:" in refusals(result)[0]
        assert refusals(read(session, f"{address} {texts[-1]}")) == []


def test_an_answer_without_an_address_goes_behind_the_address_of_the_open_question() -> None:
    """The answers of the mail that count decide which question is open then."""
    for above, place in (("", 2), ("; {2}", 3), ("\n{2}", 3), ("; nonsense", 2)):
        session = begin_session(read_battle(tomllib.loads(FIELD)))
        address, texts = address_of(session, 0), session.decision(0).texts
        mail = f"{address} {{0}}{above}\n\n{{1}}".format(*texts)
        result = read(session, mail)
        label = f"{session.keys[0]}@{place}:"
        assert f'"{texts[1]}" is not clear as an answer; write it behind {label}' in refusals(result)[-1]
        assert refusals(read(result.session, f"{label} {texts[1]}")) == []


@pytest.mark.parametrize("header", ["From: C <c@x.org>\nSubject: AW: q\n\n", "From: C <c@x.org>\n\n", ""])
@pytest.mark.parametrize("quoted", ["Answer after the colon:\n", "From: J <j@x.org>\nSubject: q\n\n"])
def test_a_reply_of_outlook_is_read_with_and_without_its_header(header: str, quoted: str) -> None:
    session = begun("field-of-honour", 1, 2)
    seat = session.seats_to_answer[0]
    text, address = session.decision(seat).texts[0], address_of(session, seat)
    reply = f"Dear Jonas,\n{text} please\nCarla\n\n-----Original Message-----\n{quoted}{address}\n"
    result = read(session, header + reply)
    assert result.answers and refusals(result) == []
