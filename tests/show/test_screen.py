"""The full screen: the same session with its cards drawn, played by keys as textual's pilot presses them."""

from __future__ import annotations

import asyncio
import io
import os
import random
import subprocess
import sys
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.text import Text
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.image import SVGImageSnapshotExtension
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.resolve import begin_session
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import read_session, session_text
from cardbattle.cli.app import run
from cardbattle.cli.play import screen
from cardbattle.cli.play.play import PlayOptions, prompt_for
from cardbattle.cli.play.prompt import Prompt
from cardbattle.cli.play.screen import FullScreen
from cardbattle.rules import RULE_SETS
from cardbattle.show.console import console
from cardbattle.show.decision import ShownDecision, question_lines
from cardbattle.show.drawing import BLUE, GREEN, PAPER, RED, CardPen, card_lines
from tests.battles.test_session import begun, play_out, table_for
from tests.cli.test_play import KEPT, alter_hidden, sessions_of

SMALL, LARGE = (80, 24), (120, 40)
SHORTEST: dict[str, dict[str, object]] = {
    "strategy-war": {"rounds": 3},
    "warfare-tactics": {"turn_limit": 2},
    "warmonger": {"armistice": 4},
}
ROOM = 17  # lines of scene and question that leave two options and the rest of the screen
Pressed = Pilot[None]
Scenario = Callable[[FullScreen, Pressed], Awaitable[None]]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)


def shown_on_screen(
    session: Session, scenario: Scenario, size: tuple[int, int] = SMALL, is_colored: bool = True
) -> FullScreen:
    """Run a scenario on the screen of a session, and return the screen."""
    prompt = Prompt(session, KEPT, "again", False, False)
    prompt.keep()

    async def ran() -> FullScreen:
        face = FullScreen(prompt, is_colored)
        async with face.run_test(size=size) as pilot:
            await settled(face, pilot)
            await scenario(face, pilot)
        return face

    return asyncio.run(ran())


async def settled(face: FullScreen, pilot: Pressed, *keys: str) -> None:
    """Press keys and wait until the screen shows what came of them."""
    await pilot.press(*keys)
    await pilot.pause()
    while face.is_running and (face.prompt.at < 0 or face.is_thinking):
        await pilot.pause()
    if face.error is not None:
        raise face.error


async def picture(face: FullScreen, pilot: Pressed) -> str:
    """Return a picture of the screen, once it does not change any more."""
    pictures = ["", "", ""]
    while len({*pictures[-3:]}) > 1 or not pictures[-1]:
        await pilot.pause()
        pictures.append(face.export_screenshot(simplify=True))
    return pictures[-1]


def words_on(face: FullScreen) -> str:
    """Return what the screen shows, line by line."""
    lines = face.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines)


def short_battle(key: str, persons: int) -> Session:
    """Return a battle that takes few answers."""
    return begin_session(read_battle(table_for(key, 5, persons, house=SHORTEST.get(key, {}))))


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_battle_played_by_keys_makes_the_record_that_lines_make(
    key: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By number, and by marking an option with the arrows; byte for byte the record of `cardbattle play`.

    Wargame knows no short battle, so it is given up in the middle.
    """
    played_alike(key, 4 if key == "wargame" else 10**6, monkeypatch)
    assert capsys.readouterr().err == ""


@pytest.mark.heavy
def test_a_whole_battle_of_wargame_played_by_keys_makes_the_record_that_lines_make(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played_alike("wargame", 10**6, monkeypatch)


def played_alike(key: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a battle by keys, resign after `most` answers, then play it by lines. Compare the records."""
    chance = random.Random(key)
    given: list[str] = []

    async def scenario(face: FullScreen, pilot: Pressed) -> None:
        while not face.session.is_over:
            assert face.asked is not None
            number = chance.randint(1, len(face.asked.texts))
            given.append(f"#{number}" if len(given) < most else "resign")
            keys = ["down"] if given[-1] == "#1" else [*given[-1]]
            await settled(face, pilot, *keys, "enter")

    face = shown_on_screen(short_battle(key, 1), scenario)
    made = dumps_record(face.session.record())
    house = "".join(f"{word} = {value}\n" for word, value in SHORTEST.get(key, {}).items())
    sides = "".join(
        f'[sides.{side}]\ncommander = "{"regular" if seat else "human"}"\n'
        for seat, side in enumerate(face.session.keys)
    )
    Path("battle.toml").write_text(f'rules = "{key}"\nseed = 5\n[house]\n{house}{sides}', encoding="utf-8")
    Path(KEPT).unlink()
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in given)))
    assert run(["play", "battle.toml", "--save", KEPT]) == 0
    assert Path("kept.record.toml").read_text(encoding="utf-8") == made
    assert len(given) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_whatever_is_hidden_changes_nothing_on_the_full_screen(key: str) -> None:
    session = begun(key, 3, 2)
    play_out(session, random.Random(key), 6)
    while session.sealed:
        play_out(session, random.Random(key), 1)
    seat = session.seats_to_answer[0]
    other = read_session(tomllib.loads(session_text(session)))
    alter_hidden(other, seat, 9)
    pictures, words = [], []
    for one in (session, other):

        async def scenario(face: FullScreen, pilot: Pressed) -> None:
            await settled(face, pilot, "enter")
            assert face.asked is not None and face.asked.view.side == seat
            pictures.append(await picture(face, pilot))
            words.append(words_on(face))

        shown_on_screen(one, scenario)
    assert words[0] == words[1]
    assert pictures[0] == pictures[1] and len(pictures[0]) > 5000


@pytest.mark.slow
def test_between_two_persons_the_screen_shows_nothing_but_a_name() -> None:
    async def scenario(face: FullScreen, pilot: Pressed) -> None:
        assert "It is the turn of P1." in words_on(face)
        await settled(face, pilot, "enter")
        assert "13 options" in words_on(face)
        await settled(face, pilot, *"commit k")
        await pilot.click(OptionList, offset=(4, 1))  # which is its first option
        await settled(face, pilot)
        told = words_on(face)
        assert "It is the turn of P2. Press Enter when nobody else is looking." in told
        assert "Your hand" not in told and "commit" not in told and "cards left" not in told
        assert "options" not in told.replace("option's", "") and face.query_one(Input).value == ""
        await settled(face, pilot, "f3")
        assert face.asked is None and face.query_one(OptionList).option_count == 0
        await settled(face, pilot, "enter")
        assert "Your hand" in words_on(face) and "commit 2" in words_on(face)

    assert shown_on_screen(begun("strategy-war", 2, 2), scenario).session.sealed == {0: ["commit 2"]}


@pytest.mark.slow
def test_the_full_screen_knows_the_words_of_line_play() -> None:
    """They work by key or in writing. Their output is shown until the player presses Enter."""

    async def told_after(face: FullScreen, pilot: Pressed, *keys: str) -> str:
        await settled(face, pilot, *keys)
        told = face.query_one("#told", Static).content
        assert isinstance(told, Text)
        return told.plain

    async def scenario(face: FullScreen, pilot: Pressed) -> None:
        assert "take back your last answer" in await told_after(face, pilot, "f1")
        assert "FH-6" in await told_after(face, pilot, "f2")
        assert "North begins with" in await told_after(face, pilot, "enter")
        assert "there are options 1 to" in await told_after(face, pilot, *"99", "enter")
        assert "9♥ 9♦ K♥ K♣" in await told_after(face, pilot, *"hand", "enter")
        assert "Saved in" in await told_after(face, pilot, *"save", "enter")
        await told_after(face, pilot, *"pl kh", "enter")
        assert face.session.sealed == {0: ["place KH"]}
        assert "Taken back: place KH" in await told_after(face, pilot, "f4")
        assert face.session.sealed == {} and face.query_one(Input).value == ""
        await pilot.press("ctrl+q")

    assert not shown_on_screen(begun("field-of-honour", 4), scenario).session.is_over
    assert Path(KEPT).exists()


@pytest.mark.slow
def test_a_file_that_another_program_changes_ends_the_screen() -> None:
    async def scenario(face: FullScreen, pilot: Pressed) -> None:
        Path(KEPT).write_text("mine", encoding="utf-8")
        await settled(face, pilot, "#", "1", "enter")

    with pytest.raises(Exception, match="another program has changed it"):
        shown_on_screen(begun("wargame", 1), scenario)
    assert Path(KEPT).read_text(encoding="utf-8") == "mine"


PICTURES = [
    ("field-of-honour", SMALL, 7, True),
    ("wargame", LARGE, 0, True),
    ("warfare-tactics", SMALL, 8, False),
]


@pytest.mark.parametrize(("key", "size", "answers", "is_colored"), PICTURES)
def test_the_picture_of_a_screen(
    key: str,
    size: tuple[int, int],
    answers: int,
    is_colored: bool,
    snapshot: SnapshotAssertion,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not is_colored:
        monkeypatch.setenv("NO_COLOR", "1")
    session = begun(key, 4)
    for _ in range(answers):
        session.answer(0, session.decision(0).texts[0])
    pictures = []

    async def scenario(face: FullScreen, pilot: Pressed) -> None:
        pictures.append(await picture(face, pilot))

    shown_on_screen(session, scenario, size, is_colored)
    assert pictures[0] == snapshot(extension_class=SVGImageSnapshotExtension)
    colors = [color for color in (PAPER, RED, BLUE, GREEN) if color in pictures[0]]
    assert len(colors) == (0 if not is_colored else 1 if key == "wargame" else 4)


def try_rooms(key: str, most: int, answers: int) -> None:
    """Look at what the screen draws of random battles: it fits, with room for two options at least."""
    chance = random.Random(key)
    for session in sessions_of(key, chance, most):
        for _ in range(answers):
            if session.is_over:
                break
            seat = chance.choice(session.seats_to_answer)
            decision = session.decision(seat)
            lesson = session.rules.lessons.get(decision.view.question)
            shown = ShownDecision(session.report(seat), 0, decision.view, decision.texts, lesson, True)
            for columns, lines in (SMALL, LARGE):
                paper = console(io.StringIO(), False, columns)
                asked = question_lines(shown, CardPen(shown.report, paper, True, True))
                drawn = card_lines(shown, paper, lines - 3 - len(asked) - screen.LEAST, True)
                assert max(line.cell_len for line in [*asked, *drawn]) <= columns
                assert len(asked) + len(drawn) <= lines - (SMALL[1] - ROOM)
            session.answer(seat, chance.choice(decision.texts))


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_what_is_drawn_fits_the_screen(key: str) -> None:
    try_rooms(key, 4, 4)


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULE_SETS)
def test_whatever_is_drawn_fits_the_screen(key: str) -> None:
    try_rooms(key, 1000, 30)


def test_a_battle_left_on_the_screen_goes_on_there() -> None:
    prompt = prompt_for(begun("wargame", 1), "mill.battle.toml", PlayOptions(full=True))
    assert prompt.again == "cardbattle play mill.battle.toml --screen"


def test_letters_stand_for_suits_and_frames_where_signs_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun("field-of-honour", 4)
    session.answer(0, "place KH")
    decision = session.decision(0)
    shown = ShownDecision(session.report(0), 0, decision.view, decision.texts, None, False)
    paper = screen.CapturedConsole(80, "ascii", False).console
    told = "\n".join(line.plain for line in card_lines(shown, paper, 30, False))
    assert told.isascii() and "|KH|" in told and "+--+" in told
    close = "\n".join(line.plain for line in card_lines(shown, paper, 1, False))
    assert "KH" in close and "+--+" not in close


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (None, "--screen needs a terminal"),
        ((79, 24), "needs 80 columns and 24 lines"),
        ((80, 23), "80 and 23"),
    ],
)
def test_a_screen_that_cannot_be_filled_is_refused(
    size: tuple[int, int] | None,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: size is not None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: size is not None)
    monkeypatch.setattr(sys.stdout, "fileno", lambda: 1)
    if size is not None:
        columns, lines = size
        answer = SimpleNamespace(columns=columns, lines=lines)
        monkeypatch.setattr(os, "get_terminal_size", lambda _: answer)
    assert run(["play", "wargame", "--screen"]) == 2
    assert told in capsys.readouterr().err
    assert not list(Path().glob("*.toml"))


def test_without_its_extra_the_screen_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cardbattle.cli.play.screen", None)
    assert run(["play", "wargame", "--screen"]) == 2
    assert "--screen needs textual; install it with: " in capsys.readouterr().err


@pytest.mark.slow
def test_line_play_loads_no_textual() -> None:
    script = (
        "import sys; from cardbattle.cli.app import run; run(['play', 'wargame', '--save', 'k.toml'])\n"
        "sys.exit('textual' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert done.returncode == 0 and b"brown> " in done.stdout
