"""Sealed orders: each attack on them, named, and what must still go through."""

from __future__ import annotations

import hashlib
import json
import tomllib

import pytest

from cardbattle.battles.messages.answer_text import answers_in
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.sealed_orders import draw_salt, seal_of
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import read_session, session_text
from cardbattle.core.errors import InvalidInput
from tests.battles.messages.test_messages import FIELD, KEPT
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.replies import take_answers

YORK, LANCASTER = "place; place; place; place; place".replace("place", "1"), "2;2;2;2;2"
SALTS = {"york": "0" * 31 + "1", "lancaster": "0" * 31 + "2"}


def take(session: Session, text: str) -> Session:
    """Return the battle after the answers in a text, read again from its file."""
    now = read_session(tomllib.loads(session_text(session)))
    take_answers(now, answers_in("letter", text))
    return read_session(tomllib.loads(session_text(now)))


def seal(side: str, text: str, place: int = 1, battle: str = "mill", salt: str = "") -> str:
    """Return the line that seals an answer."""
    return f"mill/{side}@{place}: sealed {seal_of(battle, place, side, salt or SALTS[side], text)}"


def opening(side: str, text: str, place: int = 1, salt: str = "") -> str:
    """Return the line that opens it."""
    return f"mill/{side}@{place}: open {salt or SALTS[side]} {text}"


def refused(session: Session, text: str, told: str) -> None:
    """Check that a text is refused in these words, and that it changes nothing."""
    before = session_text(session)
    with pytest.raises(InvalidInput, match=told):
        take(session, text)
    assert session_text(session) == before


@pytest.fixture
def begun() -> Session:
    """Give a battle in which both sides are asked in secret."""
    return begin_session(read_battle(tomllib.loads(FIELD)))


@pytest.fixture
def both(begun: Session) -> Session:
    """Give it with both answers sealed."""
    return take(take(begun, seal("york", YORK)), seal("lancaster", LANCASTER))


@pytest.mark.slow
def test_sealed_orders_come_to_what_open_ones_do(both: Session, begun: Session) -> None:
    assert both.are_all_sealed() and both.seats_to_answer == [0, 1] and both.sealed == {}
    for lines in ([opening("york", YORK), opening("lancaster", LANCASTER)],
                  [opening("lancaster", LANCASTER.upper()), f"> {opening('york', YORK)}"]):  # fmt: skip
        at = both
        for line in lines:
            at = take(at, f"Sire,\n{line}\n-- \nme")
        assert at.referee.moves == take(begun, f"york@1: {YORK}\nlancaster@1: {LANCASTER}").referee.moves
        assert at.seals == {} and len(at.spent) == 4


def test_a_seal_is_what_sha256sum_says() -> None:
    by_hand = hashlib.sha256(b"mill|1|york|" + b"a" * 32 + b"|place 10s; place 2h").hexdigest()
    assert seal_of("mill", 1, "york", "a" * 32, "Place 10S;  place 2H") == by_hand
    assert draw_salt() != draw_salt() and len(draw_salt()) == 32


def test_attack_order_copied_from_another_side(begun: Session, both: Session) -> None:
    york = take(begun, seal("york", YORK))
    copied = seal("york", YORK).replace("york@", "lancaster@")
    refused(york, copied, "this is the seal of york and does not open for lancaster")
    refused(
        both, opening("york", YORK).replace("york@", "lancaster@"), "this is not what lancaster has sealed"
    )


def test_attack_seal_of_another_side_with_its_opening(begun: Session) -> None:
    """A player who learns both lines of another side beforehand cannot use them."""
    session = take(
        take(begun, seal("lancaster", LANCASTER)), seal("york", LANCASTER, salt=SALTS["lancaster"])
    )
    session = take(session, opening("lancaster", LANCASTER))
    refused(session, opening("york", LANCASTER, salt=SALTS["lancaster"]), "this salt was used before")


def test_attack_order_copied_from_another_battle(begun: Session) -> None:
    session = take(take(begun, seal("york", YORK, battle="orchard")), seal("lancaster", LANCASTER))
    refused(session, opening("york", YORK), "this is not what york has sealed for york@1 of mill")
    refused(begun, seal("york", YORK).replace("mill/", "orchard/"), "york@1 is for battle orchard")


def test_attack_order_copied_from_another_place(begun: Session) -> None:
    session = take(take(begun, seal("york", YORK, place=2).replace("@2", "@1")), seal("lancaster", LANCASTER))
    refused(session, opening("york", YORK), "this is not what york has sealed")
    refused(begun, seal("york", YORK, place=2), "york@2: the current question is york@1")


def test_attack_seal_given_again_later(both: Session) -> None:
    session = take(take(both, opening("york", YORK)), opening("lancaster", LANCASTER))
    key, place = session.keys[session.seats_to_answer[0]], session.place(session.seats_to_answer[0])
    old = seal(key, YORK if key == "york" else LANCASTER).replace("@1", f"@{place}")
    refused(session, old, "this seal was used before")


def test_attack_salt_reused(both: Session) -> None:
    session = take(take(both, opening("york", YORK)), opening("lancaster", LANCASTER))
    key, place = session.keys[session.seats_to_answer[0]], session.place(session.seats_to_answer[0])
    session = take(session, seal(key, "pass", place))
    refused(session, opening(key, "pass", place), "this salt was used before")


def test_attack_another_answer_once_the_others_are_open(both: Session) -> None:
    session = take(both, opening("lancaster", LANCASTER))
    refused(session, opening("york", "2;1;1;1;1"), "this is not what york has sealed")
    refused(session, f"york@1: {YORK}", "york@1 is sealed; send the line that opens it")
    refused(session, seal("york", "2;1;1;1;1"), "york has already sealed its answer; a sealed answer cannot")
    refused(session, opening("york", YORK, salt="f" * 32), "this is not what york has sealed")


def test_attack_opened_before_all_are_in(begun: Session) -> None:
    session = take(begun, seal("york", YORK))
    refused(session, opening("york", YORK), "not all sides have sealed their answers; keep this line")
    refused(begun, opening("york", YORK), "york has sealed nothing for york@1")


def test_who_has_sealed_shows_nobody(begun: Session, sh: Shell) -> None:
    sh.write(KEPT, session_text(begun))
    before = sh("orders", "status", KEPT)
    lancaster = sh("orders", "ask", KEPT, "--for", "lancaster").out
    sh.write("mail.txt", seal("york", YORK))
    waits = sh("orders", "take", KEPT, "mail.txt")
    assert waits.out.startswith("There are no new questions")
    assert waits.err.endswith(f"next: enter answers with: cardbattle orders take {KEPT}\n")
    assert sh("orders", "status", KEPT) == before
    assert sh("orders", "ask", KEPT, "--for", "lancaster").out == lancaster


def told_of_opening(sh: Shell, begun: Session, york: str) -> list[str]:
    """Return what everybody may see when York has sealed this, Lancaster all, and York opens first."""
    sh.write(KEPT, session_text(take(begun, f"{seal('york', york)}\n{seal('lancaster', LANCASTER)}")))
    sh.write("york.txt", opening("york", york))
    told = [sh("orders", "ask", KEPT).out, sh("orders", "take", KEPT, "york.txt").out]
    return [*told, sh("orders", "ask", KEPT).out, sh("orders", "status", KEPT).out]


@pytest.mark.slow
def test_what_a_seal_leaves_out_is_asked_when_all_are_open_and_shows_nobody_before(
    begun: Session, sh: Shell
) -> None:
    whole, short = told_of_opening(sh, begun, YORK), told_of_opening(sh, begun, "1")
    assert short == whole and short[0].count("All answers are sealed.") == 2
    assert short[1].startswith("There are no new questions; the battle is waiting for")
    assert "To lancaster" in short[2] and "To york" not in short[2]
    sh.write("lancaster.txt", opening("lancaster", LANCASTER))
    asked = sh("orders", "take", KEPT, "lancaster.txt").out
    assert "To york, question 2" in asked and "mill/york@2:" in asked and "To lancaster" not in asked
    sh.write("york.txt", "york@2: 1;1;1;1")
    assert sh("orders", "take", KEPT, "york.txt").code == 0
    assert "@6:" in sh("orders", "ask", KEPT).out


@pytest.mark.slow
def test_a_seal_is_given_before_any_is_opened_or_after_all_are(both: Session, begun: Session) -> None:
    session = take(take(begun, seal("york", "1")), seal("lancaster", LANCASTER))
    session = take(session, opening("york", "1"))
    again = seal("york", "1;1;1;1", 2, salt="0" * 31 + "3")
    refused(session, again, "the sealed answers are being opened; give this answer once all are open")
    assert take(session, "york@2: 1").seats_to_answer == [0, 1]
    session = take(take(session, opening("lancaster", LANCASTER)), again)
    session = take(session, opening("york", "1;1;1;1", 2, salt="0" * 31 + "3"))
    assert session.place(0) == session.place(1) == 6 and len(session.spent) == 6
    left = take(both, opening("york", YORK))
    left.substitute(1, "regular")
    assert not left.is_opening and left.place(1) == 6


def test_an_order_that_proves_impossible_leaves_the_seal_and_a_way_out(both: Session) -> None:
    session = take(
        take(begin_session(read_battle(tomllib.loads(FIELD))), seal("york", "dance")), "lancaster@1: 1"
    )
    session = take(session, "lancaster@2: 1;1;1;1")
    refused(session, opening("york", "dance"), 'york@1: york cannot choose "dance" now')
    session.substitute(0, "regular")
    session.substitute(0, "human")
    assert session.seals == {} and 0 not in session.seals and both.seals != {}


def test_garbled_seals_are_refused(begun: Session, both: Session) -> None:
    refused(begun, "york@1: sealed 12ab", 'expected "sealed" and 64 letters')
    refused(both, "york@1: open 12ab pass", 'expected "open", 32 letters and the text')
    refused(
        begun, seal("york", YORK) + "\n" + seal("york", "2;1;1;1;1"), "york has already sealed its answer"
    )


def test_what_the_program_seals_it_opens_however_a_mail_breaks_it(sh: Shell) -> None:
    sh.write(KEPT, session_text(begin_session(read_battle(tomllib.loads(FIELD)))))
    told = json.loads(sh("orders", "seal", "Mill/York@1: 1; 2;  PLACE JC; 1; 1", "--json").out)
    assert told["seal"] == seal_of("mill", 1, "york", told["salt"], "1; 2; place jc; 1; 1")
    shown = sh("orders", "seal", "mill/york@1: 1").out.splitlines()
    assert shown[0] == "Send now:" and "open" in shown[-1]
    sh.write("a.txt", f"Hi\n> {told['send'].replace(' sealed ', ' sealed' + chr(10) + '> ')}\n-- \nY")
    assert sh("orders", "take", KEPT, "a.txt").code == 0
    sh.write("b.txt", "lancaster@1: 1;1;1;1;1")
    asked = sh("orders", "take", KEPT, "b.txt").out
    assert "All answers are sealed. Send the line that you kept:" in asked and "To lancaster" not in asked
    sh.write("c.txt", told["keep"].replace("; ", ";\n").replace(" open ", " open\n"))
    assert sh("orders", "take", KEPT, "c.txt").code == 0
    assert "To york, question 6" in sh("orders", "ask", KEPT).out
    assert sh("orders", "seal", "york@1: 1").code == sh("orders", "seal", "hello").code == 2
