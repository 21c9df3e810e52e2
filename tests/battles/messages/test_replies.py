"""Answers above the question that a mail quotes."""

from __future__ import annotations

import random

import pytest

from cardbattle.battles.messages.replies import answers_in_reply
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import session_text
from cardbattle.rules import RULE_SETS
from tests.battles.messages.test_answers import refusals, taken
from tests.battles.messages.test_messages import KEPT
from tests.battles.messages.test_messages import field as field  # the same battle
from tests.battles.messages.test_messages import mill as mill  # the same battle
from tests.battles.test_session import begun, play_out
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

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
    return [answer.words for answer in answers_in_reply(session, "mail", mail)]


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
