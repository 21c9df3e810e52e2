"""The files of `orders ask --dir` are the current questions, and a file of the umpire is never removed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.campaign.turn.test_retreat_choices import MOVED, do, move
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

FOLDER = "mails"
REPORT = "rufus won, rufus lost none, boyd lost 1/4"


def asked_now(sh: Shell) -> set[str]:
    """Return the names of the files for all current questions."""
    messages = json.loads(sh("campaign", "orders", "ask", "--json").out)["messages"]
    topics = {each["topic"]: each["topic"].replace(" ", "-") for each in messages}
    topics["orders"] = ""
    return {
        "-".join(filter(None, [f"turn-{each['turn']}", each["faction"], topics[each["topic"]]])) + ".txt"
        for each in messages
    }


def files_in(sh: Shell) -> set[str]:
    """Return the names of the visible files in the folder of the messages."""
    return {path.name for path in Path(sh.folder, FOLDER).iterdir() if not path.name.startswith(".")}


@pytest.mark.slow
def test_the_files_are_the_current_questions(sh: Shell) -> None:
    sh.write("campaign.toml", MOVED)
    own = Path(sh.folder, FOLDER, "turn-3-red-retreat.txt")
    steps = (
        ("orders", "give", "boyd", "hold"),
        ("advance", "--phase", "movement", "--no-wait"),
        ("confirm", f"ford/rufus: {REPORT}"),
        ("confirm", f"ford/boyd: {REPORT}"),
        ("orders", "give", "boyd", "retreat to moor"),
    )
    seen: set[str] = set()
    for step in ((), *steps):
        if step:
            do(sh, *step)
        said = do(sh, "orders", "ask", "--dir", FOLDER)
        own.write_text("written by the umpire", encoding="utf-8")
        assert files_in(sh) == asked_now(sh) | {own.name}, step
        removed = {name for name in seen - asked_now(sh) if f"removed {Path(FOLDER, name)}" in said.err}
        assert removed == seen - asked_now(sh)
        seen = asked_now(sh)
    assert own.read_text("utf-8") == "written by the umpire"


@pytest.mark.slow
def test_only_an_unchanged_file_of_an_old_question_is_removed(sh: Shell) -> None:
    move(sh)
    do(sh, "orders", "ask", "--dir", FOLDER)
    files = sorted(files_in(sh))
    assert files == ["turn-3-blue-result-of-ford.txt", "turn-3-red-result-of-ford.txt"]
    Path(sh.folder, FOLDER, files[0]).write_text("a note of the umpire", encoding="utf-8")
    do(sh, "orders", "ask", "--dir", FOLDER, "--for", "red")
    assert sorted(files_in(sh)) == files  # Blue is still asked
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    said = do(sh, "orders", "ask", "--dir", FOLDER, "--for", "blue")
    assert files_in(sh) == {files[0], "turn-3-blue-retreat.txt"}
    assert files[1] in said.err and f"removed {Path(FOLDER, files[0])}" not in said.err


@pytest.mark.slow
def test_messages_about_one_battle_only(sh: Shell) -> None:
    move(sh)
    text = Path(sh.folder, "campaign.toml").read_text("utf-8")
    sh.write("campaign.toml", text + '[[pending]]\nid = "moor"\nsides = ["rufus", "archers"]\n')
    all_asked = {"To red, turn 3, result of ford", "To blue, turn 3, result of ford"}
    assert "result of moor" in do(sh, "orders", "ask").out
    asked = do(sh, "orders", "ask", "--battle", "ford").out
    assert "result of moor" not in asked and all(words in asked for words in all_asked)
    assert "To red" not in do(sh, "orders", "ask", "--battle", "ford", "--for", "blue").out
    error = do(sh, "orders", "ask", "--battle", "fird", code=2).err
    assert '--battle: unknown value "fird"; did you mean "ford"?' in error
    do(sh, "cancel", "moor")
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    assert "To blue, turn 3, retreat" in do(sh, "orders", "ask", "--battle", "ford").out
    do(sh, "advance", "--retreat", "boyd=moor", "--phase", "aftermath")
    assert "no battle is pending" in do(sh, "orders", "ask", "--battle", "ford", code=2).err


def texts_in(sh: Shell) -> dict[str, str]:
    """Return the texts of the visible files in the folder of the messages."""
    return {name: Path(sh.folder, FOLDER, name).read_text("utf-8") for name in files_in(sh)}


@pytest.mark.slow
def test_replies_to_several_players_are_files(sh: Shell) -> None:
    sh.write("campaign.toml", MOVED)
    mail = sh.write("mail.txt", "red@3:\nrufus: hodl\n\nblue@3:\nboyd: fly\n")
    said = do(sh, "orders", "take", mail, "--dir", FOLDER, code=3)
    texts = texts_in(sh)
    assert {*texts} == {"turn-3-red-not-taken.txt", "turn-3-blue-not-taken.txt"}
    for faction, other in (("red", "fly"), ("blue", "hodl")):
        name = f"turn-3-{faction}-not-taken.txt"
        assert texts[name].lower().startswith(f"{faction}: not taken\n") and other not in texts[name]
        assert f"wrote {Path(FOLDER, name)}, for {faction.capitalize()}" in said.err
    assert "fly" not in said.out


@pytest.mark.slow
def test_a_reply_replaces_no_other_reply_of_this_turn(sh: Shell) -> None:
    sh.write("campaign.toml", MOVED)
    for order in ("hodl", "fly", "fly"):
        mail = sh.write("mail.txt", f"red@3:\nrufus: {order}\n")
        do(sh, "orders", "take", mail, "--dir", FOLDER, code=3)
    do(sh, "orders", "ask", "--dir", FOLDER, "--for", "blue")
    texts = texts_in(sh)
    replies = {"turn-3-red-not-taken.txt", "turn-3-red-not-taken-2.txt"}
    assert replies < {*texts} and "turn-3-red-not-taken-3.txt" not in texts
    assert "hodl" in texts["turn-3-red-not-taken.txt"] and "fly" in texts["turn-3-red-not-taken-2.txt"]


@pytest.mark.slow
def test_a_short_reply_replaces_no_part_of_a_long_one(sh: Shell) -> None:
    sh.write("campaign.toml", MOVED)
    for lines in (30, 1, 30, 29):
        mail = sh.write("mail.txt", "red@3:\n" + f"rufus: fly {'far ' * 12}\n" * lines)
        do(sh, "orders", "take", mail, "--dir", FOLDER, "--json", code=3)
    parts = Counter(name.partition("-part")[0] for name in files_in(sh) if "-part" in name)
    assert {*parts} == {"turn-3-red-not-taken", "turn-3-red-not-taken-3"} and min(parts.values()) > 1
    assert [name for name in files_in(sh) if "-part" not in name] == ["turn-3-red-not-taken-2.json"]


@pytest.mark.slow
def test_orders_that_come_late_are_no_question(sh: Shell) -> None:
    move(sh)
    do(sh, "orders", "ask", "--dir", FOLDER)
    mail = sh.write("mail.txt", "rufus: hold\n")
    do(sh, "orders", "take", mail, "--for", "red", "--dir", FOLDER)
    do(sh, "orders", "ask", "--dir", FOLDER)
    assert "turn-3-red-late-orders.txt" in files_in(sh)


@pytest.mark.slow
def test_the_messages_of_a_battle_are_files_of_the_current_questions(sh: Shell) -> None:
    move(sh)
    said = do(sh, "fight", "--by-message", "--dir", FOLDER)
    first = {"ford.rufus.question-1.txt", "ford.boyd.question-1.txt"}
    assert files_in(sh) == first and "To rufus" not in said.out
    assert f"wrote {Path(FOLDER, 'ford.boyd.question-1.txt')}, for Boyd, Blue" in said.err
    texts = texts_in(sh)
    assert "part 1" not in texts["ford.rufus.question-1.txt"]
    assert texts["ford.rufus.question-1.txt"].rstrip().endswith("ford/rufus@1:")
    saved, mail = str(sh.folder / "ford.battle.toml"), sh.write("mail.txt", "ford/rufus@1: nonsense\n")
    assert sh("orders", "take", saved, mail, "--dir", FOLDER).code == 3
    assert "nonsense" in texts_in(sh)["ford.rufus.question-1-2.txt"]  # the first can be still unsent
    do(sh, "orders", "ask", "--dir", FOLDER)  # leaves the files of the battle
    assert first <= files_in(sh)
    assert sh("orders", "ask", saved, "--dir", FOLDER).code == 0
    assert "nonsense" not in texts_in(sh)["ford.rufus.question-1.txt"]
    for side in ("rufus", "boyd"):
        assert sh("orders", "substitute", saved, side, "regular", "--dir", FOLDER).code == 0
    assert {name for name in files_in(sh) if name.startswith("ford.")} == {
        "ford.rufus.the-end.txt",
        "ford.boyd.the-end.txt",
    }


def test_a_folder_for_messages_needs_messages(sh: Shell) -> None:
    move(sh)
    assert "--dir is for messages to players; add --by-message" in do(sh, "fight", "--dir", "x", code=2).err
