"""Line play: a person at a prompt or a script in a pipe, in every rule set."""

from __future__ import annotations

import io
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardbattle.battles import advice
from cardbattle.battles.records.battle_file import BattlePlan, SidePlan
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.battles.resolve import make_commanders, streams_from
from cardbattle.battles.session import BattleStart, Session, option_meant
from cardbattle.battles.session_file import read_session, session_text
from cardbattle.cli.app import run
from cardbattle.cli.play.play import AFTER_BATTLE
from cardbattle.cli.play.prompt import CLEARED, Prompt
from cardbattle.core.battle import Event
from cardbattle.core.chance import stream
from cardbattle.core.errors import InvalidInput
from cardbattle.core.referee import comparable
from cardbattle.core.spelling import is_card
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.console import console
from cardbattle.show.decision import HEIGHT, ShownDecision, decision_lines
from cardbattle.testing import complete, setups
from tests.battles.test_session import SHORT, begun, play_out, without_commanders
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import state
from tests.cli.test_cli_campaign import war as war  # the same campaign

LONG = "Sir Humphrey of Bartholomew-Longstaffshi"
KEPT = "kept.battle.toml"
RECORD = "kept.record.toml"
SCRIPTED = 500  # whole battles of each rule set, in the heavy test
Play = Callable[..., Said]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run `cardbattle play` with answers from a pipe, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def played(answers: str, *arguments: str) -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        code = run(["play", *arguments])
        return Said(code, *capsys.readouterr())

    return played


def script(key: str, seed: int, persons: int = 1, every: int = 10**9) -> tuple[list[str], Session]:
    """Return answers to a whole battle, and the session that took them.

    Who has more to answer stays at the terminal, unless the program begins anew, `every` so many answers.
    """
    session = begun(key, seed, persons)
    chance = random.Random(f"{key}{seed}")
    answers: list[str] = []
    at = -1
    while not session.is_over:
        stays = at in session.seats_to_answer and len(answers) % every
        at = at if stays else session.seats_to_answer[0]
        text = chance.choice(session.decision(at).texts)
        session.answer(at, text)
        answers.append(text)
    return answers, session


def begin(key: str, seed: int, persons: int = 1) -> list[str]:
    """Return the arguments that begin a battle of these persons."""
    sides = find(key).default_sides[:persons]
    played = [word for side in sides for word in ("--as", side)]
    short = [f"house.{word}={value}" for word, value in SHORT.get(key, {}).items()]
    return [key, "--seed", str(seed), "--save", KEPT, *played, *(w for s in short for w in ("--set", s))]


def lines(answers: list[str]) -> str:
    """Return answers one a line."""
    return "".join(f"{answer}\n" for answer in answers)


def recorded() -> dict[str, object]:
    """Return the record that was written, without what depends on the commanders' words and the id."""
    record = read_record(tomllib.loads(Path(RECORD).read_text(encoding="utf-8")))
    assert verify_record(record) == ""
    return without_commanders(record) | {"id": ""}


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_script_in_a_pipe_makes_the_record_that_the_session_makes(play: Play, key: str) -> None:
    answers, session = script(key, 11)
    said = play(lines(answers), *begin(key, 11))
    assert said.code == 0 and said.err == ""
    assert recorded() == without_commanders(session.record()) | {"id": ""}
    assert not Path(KEPT).exists()
    assert said.out.count("> ") >= len(answers)


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_battle_that_is_left_goes_on_where_it_was(play: Play, key: str) -> None:
    leave_and_go_on(play, key, {"wargame": 9, "warmonger": 3, "warfare-tactics": 9}.get(key, 3))


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_battle_left_at_every_answer_goes_on_where_it_was(play: Play, key: str) -> None:
    leave_and_go_on(play, key, 1)


def leave_and_go_on(play: Play, key: str, every: int) -> None:
    """Play a battle, and leave it after each `every` answers."""
    answers, session = script(key, 12, 2, every)
    assert play("", *begin(key, 12, 2)).code == 0
    for first in range(0, len(answers), every):
        more = "quit\nnever read\n" if first % 2 else ""
        said = play(lines(answers[first : first + every]) + more, KEPT)
        assert said.code == 0
        assert first + every >= len(answers) or f"cardbattle play {KEPT}" in said.out
    assert recorded() == without_commanders(session.record()) | {"id": ""}


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULE_SETS)
def test_five_hundred_scripted_battles_have_sound_records(play: Play, key: str) -> None:
    """Whole battles by options at random, with slips, questions and undo in between."""
    for seed in range(SCRIPTED):
        chance = random.Random(f"{key}/{seed}")
        persons = 1 + seed % 2
        assert play("", *begin(key, seed, persons)).code == 0
        asked = 0
        while Path(KEPT).exists() and asked < 200:
            asked += 1
            words = [chance.choice(["undo", "hand", "log", "nonsense", "9999", "?", ""]) for _ in range(3)]
            numbers = [f"#{chance.randint(1, 6)}" for _ in range(40)]
            said = play(lines([*words, *numbers]), KEPT)
            assert (said.code, said.err) == (0, ""), seed
            assert "Traceback" not in said.out
        assert recorded()
        Path(RECORD).unlink()


@contextmanager
def outside(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Begin the program at a pseudo-terminal; give it and the terminal's other end; leave neither behind."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "cardbattle", "play", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80", "PYTHONPATH": str(Path.cwd())},
        start_new_session=True,
    ) as program:
        os.close(theirs)
        try:
            yield program, ours
        finally:
            program.kill()
            os.close(ours)


def wait_until_it_listens(program: subprocess.Popen[bytes]) -> None:
    """Return once a program that has asked sleeps in its read: before it, Python may keep a signal."""
    state = Path(f"/proc/{program.pid}/stat")
    while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "S":
        time.sleep(0.01)


def until(ours: int, words: str) -> str:
    """Read from a terminal until these words have come; fail if it closes first."""
    found = ""
    while words not in found:
        assert select.select([ours], [], [], 60)[0], f"nothing more comes after {found[-500:]}"
        try:
            told = os.read(ours, 65536)
        except OSError:
            told = b""
        assert told, f"it has closed after {found[-500:]}"
        found += told.decode()
    return found


@pytest.mark.slow
def test_two_persons_at_one_terminal_do_not_leave_their_hands_to_each_other(tmp_path: Path) -> None:
    """Screen and scroll-back are cleared before the other one looks; killed hard, the battle goes on."""
    with outside(tmp_path, *begin("field-of-honour", 3, 2)) as (program, ours):
        until(ours, "Press Enter")
        os.write(ours, b"\n")
        first = until(ours, "north> ")
        assert "Your hand" in first
        for _ in range(5):
            os.write(ours, b"1\n")
            told = until(ours, "> " if _ < 4 else "Press Enter")
        assert CLEARED in told
        assert "Your hand" not in told.partition(CLEARED)[2]
        os.write(ours, b"\n")
        until(ours, "south> ")
        os.killpg(program.pid, signal.SIGKILL)
        program.wait()
    with outside(tmp_path, KEPT) as (program, ours):
        assert "South" in until(ours, "Press Enter")
        os.write(ours, b"\n")
        until(ours, "south> ")
        os.write(ours, b"\x04")
        assert "continue with" in until(ours, "cardbattle play kept.battle.toml")
        assert program.wait(timeout=60) == 0


LONG_NAMES = """\
rules = "strategy-war"
[sides.mmk]
name = "Margarethe-Mathilde von Berg"
[sides.york]
name = "York"
[sides.fhz]
name = "Friedrich Heinrich Freiherr von Zollern"
"""


def test_whose_a_key_is_that_stands_for_a_long_name_is_said_once(play: Play, sh: Shell) -> None:
    battle = sh.write("long.toml", LONG_NAMES)
    told = play("#1\n#1\nquit\n", battle, "--seed", "3", "--save", KEPT).out
    words = "  mmk stands for Margarethe-Mathilde von Berg; fhz stands for Friedrich Heinrich\n"
    assert told.count("Strategy WAR\n") == 3
    assert told.count(words) == 1
    assert words in play("quit\n", KEPT).out
    message = sh("orders", "ask", KEPT).out
    assert "mmk stands for Margarethe-Mathilde von Berg; fhz stands" in message


class Keyboard(io.StringIO):
    """Lines that a person types at a terminal."""

    def isatty(self) -> bool:
        return True


def test_what_is_typed_before_a_player_is_there_is_not_taken_and_shows_them_nothing(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def typed(lines: str, *arguments: str) -> str:
        monkeypatch.setattr("sys.stdin", Keyboard(lines))
        return sh("play", *arguments).out

    told = typed("\n#1\ncommit 3\n\nquit\n", *begin("strategy-war", 3, 2))
    refused = "Press Enter when nobody else is looking: That line was ignored, because your decision"
    assert told.count(refused) == told.count("That line was ignored") == 1
    before, _, after = told.partition(refused)
    assert "p1> " in before and "p2" not in before.partition("p1> ")[2]
    assert after.count("Your hand") == 1 and "p2> " in after
    again = typed("quit\n", KEPT)
    assert "Your hand" not in again
    assert again.endswith(f"continue with:\n  cardbattle play {KEPT}\n")


@pytest.mark.slow
def test_who_presses_ctrl_c_is_told_how_to_go_on(tmp_path: Path) -> None:
    with outside(tmp_path, *begin("strategy-war", 3)) as (program, ours):
        until(ours, "p1> ")
        wait_until_it_listens(program)
        os.killpg(program.pid, signal.SIGINT)  # as the terminal does
        told = until(ours, f"cardbattle play {KEPT}\r\n").replace("\r", "")
        assert told == f"\nSaved in {KEPT}; continue with:\n  cardbattle play {KEPT}\n"
        assert program.wait(timeout=60) == 130


class Interrupted(io.StringIO):
    """Answers, and then Ctrl-C."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size)
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.mark.parametrize(
    ("words", "again"),
    [
        (("play", "strategy-war", "--seed", "1", "--save", KEPT), f"cardbattle play {KEPT}"),
        (("play", "strategy-war", "--table", "--save", KEPT), f"cardbattle play {KEPT}"),
        (("campaign", "fight", "mill", "--play"), "cardbattle campaign -C . fight mill --play"),
    ],
)
def test_ctrl_c_leaves_a_battle_as_quit_does(
    war: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    again: str,
) -> None:
    monkeypatch.setattr("sys.stdin", Interrupted("help\n"))
    assert run([*words]) == 130
    said = capsys.readouterr()
    kept = "mill.battle.toml" if "mill" in words else KEPT
    assert said.out.endswith(f"> \nSaved in {kept}; continue with:\n  {again}\n") and said.err == ""
    assert (war / kept).exists()


def test_where_nothing_can_be_cleared_it_is_said(play: Play) -> None:
    assert "cannot be cleared" in play(lines(["#1"] * 3), *begin("strategy-war", 2, 2)).out
    assert "cannot be cleared" not in play(lines(["#1"] * 3), "strategy-war").out


class Screen(io.StringIO):
    """A screen that keeps the text that is printed to it."""

    encoding = "utf-8"


def all_told(session: Session, seat: int, wise: bool) -> str:
    """Return everything that a person at this seat can be shown now."""
    screen = Screen()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", screen)
        prompt = Prompt(session, KEPT, "again", True, False)
        prompt.show_decision(seat)
        patch.setattr(advice, "TRIES", 1)
        patch.setattr(type(session.rules), "iterations", {"veteran": 1})
        for word in ("?", "options", "hand", "log", *(["why"] if wise else [])):
            prompt.explain(seat, word)
        for line in (
            "nonsense",
            "99999",
            "play",
            "resign",
            "place 10S",
            "play KH rally",
            "commit A",
            "turn 5",
        ):
            try:
                prompt.chosen(session.decision(seat), line)
                session.position_of(seat)
            except Exception as error:
                screen.write(str(error))
            try:
                if line not in session.decision(seat).texts:
                    session.keep_sealed(seat, f"{line} never")
            except Exception as error:
                screen.write(str(error))
    return screen.getvalue()


def alter_hidden(session: Session, seat: int, n: int) -> None:
    """Change everything that a seat may not know: hidden cards, other sides' messages, the seed."""
    battle = session.position(seat)
    session.referee.battle = battle.redeal(seat, stream(n, "alter"))
    session.sealed = {}
    spoilt = []
    for made, event in session.referee.events:
        hides = event.hidden and seat not in event.eyes
        hidden: dict[str, object] = dict.fromkeys(event.hidden, 7) if hides else event.hidden
        if not (hides and event.whole and n % 2):
            spoilt.append(
                (made, Event(event.kind, event.side, event.fields, hidden, event.eyes, event.whole))
            )
    session.referee.events = spoilt
    session.plan = session.plan._replace(seed=n, id=f"altered-{n}")


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_whatever_is_hidden_changes_nothing_on_the_screen(key: str) -> None:
    compared = 0
    for seed in range(2):
        session, chance = begun(key, seed, 2), random.Random(seed)
        for _ in range(60):
            play_out(session, chance, 1)
            if session.is_over or compared == 3 * (seed + 1):
                break
            if session.sealed or chance.random() < 0.4:
                continue
            seat = session.seats_to_answer[0]
            wise = compared == 3 * seed
            seen = all_told(session, seat, wise)
            other = read_session(tomllib.loads(session_text(session)))
            alter_hidden(other, seat, 5 + seed)
            assert all_told(other, seat, wise) == seen
            compared += 1
    assert compared > 2


def sessions_of(key: str, chance: random.Random, most: int) -> list[Session]:
    """Return battles with all sides commanded by persons with long names, of some setups of a rule set."""
    rules = find(key)
    known = setups(rules)
    found = []
    for n in sorted(chance.sample(range(len(known)), min(most, len(known)))):
        dealt = complete(rules, known[n], n)
        sides = [SidePlan(LONG, "human", [], "") for _ in dealt.seats]
        plan = BattlePlan("wide", rules, n, dealt, sides, {})
        streams = streams_from(n, dealt.seats)
        session = Session(BattleStart(plan, dealt, streams, "engine"), make_commanders(plan, streams))
        session.go_on()
        found.append(session)
    return found


def fits(session: Session, seat: int, columns: int, is_new: bool = True) -> list[str]:
    """Return the lines of a decision, which must fit a terminal with this number of columns."""
    decision = session.decision(seat)
    report = session.report(seat)
    lesson = session.rules.lessons.get(decision.view.question)
    shown = ShownDecision(
        report, max(0, len(report.events) - 12), decision.view, decision.texts, lesson, is_new, is_new
    )
    found = decision_lines(shown, console(Screen(), False, columns))
    assert max(line.cell_len for line in found) <= columns
    screen = "\n".join(line.plain for line in found)
    assert columns < 80 or len(found) < HEIGHT, screen
    assert "hand: ;" not in screen and ", ;" not in screen
    assert len(decision.texts) > 2 or "options; write one" not in " ".join(screen.split())
    return [line.plain for line in found]


def try_fits(key: str, most: int, answers: int) -> None:
    """Look at decisions of random battles in 80 and in 40 columns."""
    chance = random.Random(key)
    for session in sessions_of(key, chance, most):
        for _ in range(answers):
            if session.is_over:
                break
            seat = chance.choice(session.seats_to_answer)
            fits(session, seat, 80)
            fits(session, seat, 40)
            session.answer(seat, chance.choice(session.decision(seat).texts))


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_decision_fits_a_screen(key: str) -> None:
    try_fits(key, 5, 5)


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULE_SETS)
def test_every_decision_fits_a_screen(key: str) -> None:
    try_fits(key, 1000, 60)


def test_an_answer_may_be_a_number_words_or_how_they_begin(play: Play) -> None:
    said = play("1\n pl 3s \nPLACE 2♦\nplace\n77\nplace 3S\n", "field-of-honour", "--seed", "4")
    assert said.code == 0
    assert "place may be place" in said.out and "write more of it." in said.out
    assert "there are options 1 to" in said.out
    assert "you cannot place 3S: 3S is not in your hand" in said.out


@pytest.mark.slow
def test_what_the_prompt_knows(play: Play) -> None:
    said = play("?\nhelp\nwhy\nhand\nlog\noptions\nsave\nresign\nundo\n", *begin("strategy-war", 3))
    for words in (
        "SW-3 There are thirteen rounds.",
        "undo: take back your last answer",
        "How many of 100 battles you win after each option",
        "2 3 4 5 6 7 8 9 10 J Q K A",
        "resigning is not allowed in Strategy WAR",
        "you have answered nothing yet.",
    ):
        assert words in said.out
    assert said.out.count(f"Saved in {KEPT}") == 2


def test_who_resigns_has_lost(play: Play) -> None:
    said = play("resign\n", *begin("wargame", 3))
    assert "Green wins" in said.out
    assert recorded()["reason"] == "resigned"


def test_undo_takes_back_and_says_what(play: Play) -> None:
    said = play("place 2S\nundo\nundo\n", *begin("field-of-honour", 4))
    assert "Taken back: place 2S" in said.out and "you have answered nothing yet." in said.out
    data = tomllib.loads(Path(KEPT).read_text(encoding="utf-8"))
    assert data["waiting"]["sealed"] == {} and data["moves"] == []


@pytest.mark.parametrize("key", RULE_SETS)
def test_undo_says_that_nothing_was_answered_yet_or_why_it_comes_too_late(key: str) -> None:
    session, chance = begun(key, 3, 2), random.Random(key)
    for _ in range(12):
        seat = session.seats_to_answer[0]
        if not session.can_undo(seat):
            late = session.place(seat) > 1
            with pytest.raises(
                InvalidInput, match="cannot take back" if late else f"^{session.keys[seat]} has answered"
            ):
                session.undo(seat)
        play_out(session, chance, 1)
        if session.is_over:
            break


def test_a_lesson_is_told_once(play: Play) -> None:
    said = play(lines(["#1"] * 4), "strategy-war", "--seed", "3", "--teach")
    assert said.out.count("Equal cards cancel each other out") == 1
    assert "Equal cards cancel each other out" not in play("1\n", "wargame").out


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_every_question_has_its_lesson(key: str) -> None:
    """Two sentences or three, and numbers of rules that there are."""
    rules = find(key)
    text = rules.rules_text()
    for session in sessions_of(key, random.Random(key), 5):
        chance = random.Random(1)
        for _ in range(40):
            if not session.is_over:
                assert session.decision(session.seats_to_answer[0]).view.question in rules.lessons
                play_out(session, chance, 1)
    for lesson in rules.lessons.values():
        assert all(f"**{number}**" in text for number in lesson.rules)
        assert len(re.findall(r"[.]( |$)", lesson.words)) in (2, 3)
        assert len(lesson.ask) < 60


def test_the_question_after_a_battle_fits_a_line() -> None:
    assert len(AFTER_BATTLE) + len("analyse") < 80


@pytest.mark.slow
def test_the_tale_and_the_analysis_are_there_when_it_is_over(play: Play) -> None:
    short = ("--set", "house.rounds=2", "--set", "p1.cards=2 3", "--side", "p1", "--side", "p2")
    said = play(lines(["#1", "#1", "tale", "analyse", ""]), "strategy-war", *short)
    assert "Round 2 of 2" in said.out and "luck" in said.out
    assert "or Enter to leave" not in said.out


@pytest.mark.parametrize("more", ["", "1\n" * 99, "what\ntale\n"])
def test_play_on_a_pipe_ends_with_the_battle(play: Play, more: str) -> None:
    short = ("--set", "house.rounds=2", "--set", "p1.cards=2 3", "--side", "p1", "--side", "p2")
    said = play(f"2\n3\n{more}", "strategy-war", "--save", KEPT, *short)
    assert said.code == 0 and said.out.endswith(f"  cardbattle replay {RECORD}\n")


def test_a_number_is_a_card_where_cards_are_numbers(play: Play) -> None:
    """It never means the option of that number, which is written #1; the first word can be left out."""
    said = play("7\nK\n1\n7\n#1\n#99\nlog\n", "strategy-war", "--seed", "3", "--as", "p1", "--save", KEPT)
    assert " #1 commit 2 " in said.out and "#13 commit A" in said.out
    moves = read_session(tomllib.loads(Path(KEPT).read_text(encoding="utf-8"))).referee.moves
    assert [move for move in moves if move.startswith("p1 ")] == ["p1 commit 7", "p1 commit K", "p1 commit 2"]
    assert "1 is not one of the cards; write #1 for the option of that number" in said.out
    assert "7 is not one of the cards" in said.out and "there are options #1 to #10, not #99" in said.out
    said = play("13 2\n13 2\n5\ndeploy 1 1\n", "wargame", "--seed", "3", "--save", "w.battle.toml")
    moves = read_session(tomllib.loads(Path("w.battle.toml").read_text(encoding="utf-8"))).referee.moves
    assert "brown deploy 13 2" in moves and "brown deploy 1 1" in moves
    assert "5 may be deploy 5 1, deploy 5 3" in said.out


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_no_number_of_an_option_can_be_a_card(key: str) -> None:
    """Every option is reached by its number as it is shown, and a bare number that is a card is that card."""
    rules, chance = find(key), random.Random(key)
    for seed in range(3):
        session = begun(key, seed)
        while not session.is_over:
            decision = session.decision(session.seats_to_answer[0])
            for n, text in enumerate(decision.texts, 1):
                assert option_meant(decision, f"{decision.mark}{n}") == text
                assert option_meant(decision, f"#{n}") == text
                assert comparable(option_meant(decision, text)) == comparable(text)
                card = text.split()[-1]
                if is_card(card, rules) and len(text.split()) == 2:
                    named = [other for other in decision.texts if other.split()[1:] == [card]]
                    assert len(named) > 1 or option_meant(decision, card) == text
            play_out(session, chance, 1)


def test_a_battle_that_is_kept_is_not_begun_anew(play: Play) -> None:
    assert play("", *begin("wargame", 1)).code == 0
    before = Path(KEPT).read_bytes()
    said = play("1\n", *begin("wargame", 1))
    assert said.code == 2 and f"continue it with: cardbattle play {KEPT}" in said.err
    assert play("1\n", KEPT, "--as", "green").code == 2
    assert Path(KEPT).read_bytes() == before


def test_a_file_that_another_program_changes_is_left_alone(play: Play) -> None:
    class Answers(io.StringIO):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            Path(KEPT).write_text("mine", encoding="utf-8")
            return "#1\n"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", Answers())
        assert run(["play", *begin("wargame", 1)]) == 3
    assert Path(KEPT).read_text(encoding="utf-8") == "mine"


def test_a_record_does_not_take_the_place_of_another(play: Play) -> None:
    for _ in range(2):
        assert play("#1\n" * 5, *begin("strategy-war", 3), "--set", "house.rounds=2").code == 0
    assert Path(RECORD).read_bytes() == Path("kept-2.record.toml").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-"], "play reads your answers from standard input"),
        (["wargame", "--as", "red"], '--as: unknown value "red"'),
        (["wargame", "--as", "brown", "--side", "brown=elite", "--side", "green"], "contradict each other"),
        (["wargame", "--side", "brown=elite", "--side", "green=green"], "every side has a commander; name"),
        (["wargme"], 'did you mean "wargame"?'),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(play: Play, arguments: list[str], told: str) -> None:
    said = play("", *arguments)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["--side", "brown=human", "--side", "green"], "brown"),
        (["--side", "brown", "--side", "green=human"], "green"),
        (["--side", "brown=elite", "--side", "green"], "green"),
        (["--side", "brown=human", "--side", "green", "--as", "brown"], "brown"),
        (["--side", "brown", "--side", "green"], "brown"),
    ],
)
def test_a_person_named_by_side_needs_no_as(play: Play, arguments: list[str], asked: str) -> None:
    said = play("", "wargame", "--seed", "3", "--save", KEPT, *arguments)
    assert said.code == 0 and f"{asked}> " in said.out
    if any("=human" in word for word in arguments):
        assert run(["orders", "ask", "wargame", "--seed", "3", *arguments]) == 0


def test_a_side_that_a_file_gives_to_a_person_is_asked(play: Play) -> None:
    text = 'rules = "wargame"\nseed = 1\n[house]\nfirst = "b"\n[sides.a]\n[sides.b]\ncommander = "human"\n'
    Path("two.toml").write_text(text, encoding="utf-8")
    assert "b> " in play("", "two.toml", "--save", KEPT).out
    assert run(["resolve", "two.toml"]) == 3


def test_letters_stand_for_suits_where_the_signs_do_not_fit() -> None:
    session = begun("field-of-honour", 4)

    class Narrow(io.StringIO):
        encoding = "ascii"

    decision = session.decision(0)
    report = session.report(0)
    shown = ShownDecision(report, 0, decision.view, decision.texts, None, False)
    told = "\n".join(line.plain for line in decision_lines(shown, console(Narrow(), False, 80)))
    assert told.isascii() and "KH KC" in told


@pytest.mark.slow
def test_a_pending_battle_is_played_and_recorded(
    war: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits in the campaign's folder; left and gone on with, it is recorded and undone like any other."""

    def fight(answers: str, *more: str) -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        return Said(run(["campaign", "fight", "teme-ford", *more]), *capsys.readouterr())

    before = (war / "campaign.toml").read_bytes()
    side = str(state(war)["pending"][0]["sides"][0])  # type: ignore[index]
    left = fight("#1\n", "--play")
    assert left.code == 0 and "campaign -C . fight teme-ford --play" in left.out
    assert (war / "campaign.toml").read_bytes() == before
    assert "(WG-" in left.out or "(FH-" in left.out or "(WT-" in left.out
    taught = fight("", "--play", "--teach")
    assert taught.code == 0 and len(taught.out) > len(fight("", "--play").out)
    other = fight("1\n", "--play", "--as", str(state(war)["pending"][0]["sides"][1]))  # type: ignore[index]
    assert other.code == 3 and "was begun with other sides" in other.err
    done = fight("#1\n" * 200, "--play", "--as", side)
    assert done.code == 0, done.err
    assert not (war / "teme-ford.battle.toml").exists()
    record = read_record(tomllib.loads((war / "records" / "teme-ford.toml").read_text(encoding="utf-8")))
    assert record.sides[0].commander == "human" and verify_record(record) == ""
    assert run(["campaign", "check"]) == 0
    assert run(["campaign", "undo", "--reason", "again"]) == 0
    assert "teme-ford" in [one["id"] for one in state(war)["pending"]]  # type: ignore[attr-defined]
    capsys.readouterr()
    assert fight("", "--as", side).code == 2
    assert fight("", "--play", "--dry-run").code == 2
    assert fight("", "--play", "--as", "nobody").code == 3


LAST = {
    "strategy-war": ("Points: ",),
    "field-of-honour": (" space 5", "Points: "),
    "wargame": (" wins space ", "The end"),
    "warfare-tactics": ("The count",),
    "warmonger": ("The end",),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_what_came_of_the_last_answer_is_told_before_who_wins(key: str, play: Play) -> None:
    answers, _ = script(key, 2)
    said = play(lines(answers), *begin(key, 2))
    assert said.code == 0, said.err
    told = said.out.rpartition(f"> {answers[-1]}\n")[2].partition(f"{find(key).name}, battle ")[0]
    assert all(words in told for words in LAST[key]), told
    assert not any(words in told for words in ("The deal", "Round 1 ", "Deployment", "The armies"))


def test_a_deployment_is_told_in_words_while_it_is_made(play: Play) -> None:
    said = play("log\ndeploy 5 3\nlog\n", "wargame", "--seed", "3")
    assert "brown> log\nNothing has happened yet.\n" in said.out
    assert "Brown puts the 5 on place 3.\n  Green puts the " in said.out
    assert said.out.rpartition("brown> log")[2].count(" on place ") == 3


def test_rules_that_speak_of_n_and_d_say_who_they_are(play: Play) -> None:
    assert "N: the side that does not deal." in play("?\n", "field-of-honour", "--seed", "3").out
    assert "N: the side" not in play("?\n", "warmonger", "--seed", "3").out
