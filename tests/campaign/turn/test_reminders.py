"""Short reminders of `orders ask --remind`: who gets one, what it says, and how its answer is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardbattle.campaign.turn.waiting import ORDERS, Duty
from cardbattle.show.pages.campaign.messages.orders import NO_ORDERS
from cardbattle.show.pages.campaign.messages.request import DETAILS, REMINDER
from tests.campaign.turn.test_message_files import FOLDER, REPORT, files_in
from tests.campaign.turn.test_orders import BOTH
from tests.campaign.turn.test_orders import campaign as in_war
from tests.campaign.turn.test_retreat_choices import CHOOSE, LATE, MOVED, do, lose, move, take
from tests.campaign.turn.test_turn_by_messages import VALLEY
from tests.campaign.turn.test_waiting import birch_answers
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import war as war  # the same campaign

ONLY_IN_REMINDERS = (REMINDER, DETAILS.split('"')[0], NO_ORDERS.split("{")[0], "The deadline was")


def messages(sh: Shell, *options: str) -> list[dict[str, str]]:
    """Return the messages of `campaign orders ask`."""
    said = sh("campaign", "orders", "ask", "--json", *options)
    assert said.code == 0, said.err
    found: list[dict[str, str]] = json.loads(said.out)["messages"]
    return found


def players_waited_for(sh: Shell) -> set[tuple[str, str]]:
    """Return the faction and topic of each message that `campaign waiting` leads to."""
    duties = json.loads(sh("campaign", "waiting", "--json").out)["waiting"]
    topics = {"orders": "orders", "open": "orders", "retreat": "retreat"}
    return {
        (faction, topics.get(duty["kind"], f"result of {duty['battle']}"))
        for duty in duties
        for faction in duty["factions"]
    }


def check_reminders(sh: Shell) -> None:
    """Check that each player who is waited for gets a reminder, which says nothing that the message hides."""
    full: dict[tuple[str, str], str] = {}
    for each in messages(sh):
        full[each["faction"], each["topic"]] = full.get((each["faction"], each["topic"]), "") + each["text"]
    reminders = messages(sh, "--remind")
    assert {(each["faction"], each["topic"]) for each in reminders} == players_waited_for(sh)
    for each in reminders:
        text = full[each["faction"], each["topic"]]
        assert len(each["text"]) < len(text) + 200 and each["reminder"]
        for line in each["text"].splitlines():
            assert line in text or any(words in line for words in ONLY_IN_REMINDERS), line


@pytest.mark.slow
def test_each_player_who_is_waited_for_gets_a_reminder(sh: Shell) -> None:
    sh.write("campaign.toml", MOVED)
    steps = (
        ("set", "deadlines.orders=2 days", "visibility.location=rough"),
        ("orders", "give", "boyd", "hold"),
        ("advance", "--phase", "movement", "--no-wait"),
        ("confirm", f"ford/rufus: {REPORT}"),
        ("confirm", f"ford/boyd: {REPORT.replace('1/4', '1/2')}"),
        ("confirm", f"ford/boyd: {REPORT}"),
    )
    for step in steps:
        do(sh, *step)
        check_reminders(sh)
    assert [each["topic"] for each in messages(sh, "--remind")] == ["retreat"]
    do(sh, "orders", "give", "boyd", "retreat to moor")
    assert messages(sh, "--remind") == []
    assert "No answer of a player is missing." in do(sh, "orders", "ask", "--remind").out


@pytest.mark.slow
def test_the_answer_to_a_reminder_is_read_with_the_reminder_around_it(sh: Shell) -> None:
    lose(sh, CHOOSE)
    (reminder,) = (each["text"] for each in messages(sh, "--remind") if each["topic"] == "retreat")
    assert "ignored" not in take(sh, reminder.replace("retreat to", "retreat to the moor")).err
    assert "retreat to Moor" in do(sh, "orders", "show").out
    sh.write("campaign.toml", VALLEY)
    (sh.folder / "history.toml").unlink()
    (reminder,) = (each["text"] for each in messages(sh, "--remind", "--for", "blue"))
    answer = reminder.replace("guard:", "guard: march to mill").replace("garrison:", "garrison: hold")
    said = take(sh, answer)
    assert "Guard: march to Mill Garrison: hold" in said.out and "ignored" not in said.err


@pytest.mark.slow
def test_a_reminder_names_the_forces_without_an_order_and_the_deadline(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", "deadlines.orders=1 minute")
    do(sh, "orders", "give", "guard", "hold")
    text = do(sh, "orders", "ask", "--remind").out
    assert "To blue" not in text  # a faction whose orders are in is not waited for
    text = do(sh, "orders", "ask", "--remind", "--for", "blue").out
    assert "No orders have come yet for Garrison. The deadline is " in text
    assert text.endswith("- march to bridge valley/blue@1: garrison:") and "Roads" not in text


@pytest.mark.slow
def test_a_reminder_of_orders_has_the_notes_for_this_player_alone(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "note", "Green offers you peace", "--for", "blue")
    do(sh, "note", "Each turn ends on Friday")
    texts = {each["faction"]: each["text"] for each in messages(sh, "--remind")}
    assert [faction for faction, text in texts.items() if "Green offers you peace" in text] == ["blue"]
    assert not any("Friday" in text for text in texts.values())


@pytest.mark.slow
def test_the_files_of_reminders_stay_as_long_as_their_questions(sh: Shell) -> None:
    move(sh)
    do(sh, "orders", "ask", "--dir", FOLDER, "--remind")
    assert files_in(sh) == set()
    do(sh, "confirm", f"ford/rufus: {REPORT}")
    reminder = "turn-3-blue-result-of-ford-reminder.txt"
    do(sh, "orders", "ask", "--dir", FOLDER, "--remind")
    assert files_in(sh) == {reminder}
    do(sh, "orders", "ask", "--dir", FOLDER)
    assert reminder in files_in(sh)
    do(sh, "confirm", f"ford/boyd: {REPORT}")
    do(sh, "orders", "ask", "--dir", FOLDER)
    assert reminder not in files_in(sh)


@pytest.mark.slow
def test_a_battle_by_message_reminds_only_the_sides_that_have_not_answered(sh: Shell, war: Path) -> None:
    in_war(sh, "set", "deadlines.answer=3 days")
    in_war(sh, *BOTH)
    topics = {(each["faction"], each["topic"]) for each in messages(sh, "--remind")}
    assert topics == {("parliament", "battle mill"), ("king", "battle mill")}
    birch_answers(sh, war)
    (reminder,) = messages(sh, "--remind")
    assert reminder["faction"] == "king" and "mill/vaughan@1:" in reminder["text"]
    assert "The deadline is" in reminder["text"]


@pytest.mark.slow
def test_the_next_step_is_a_reminder_when_half_of_the_time_is_over(sh: Shell) -> None:
    duty = Duty(ORDERS, ["red"], "", "", "2026-11-24T18:00:00Z", "2026-11-26T18:00:00Z")
    assert [duty.is_half_over(f"2026-11-25T{hour}:00:00Z") for hour in ("17", "18")] == [False, True]
    assert not duty._replace(until="").is_half_over("2026-11-30T18:00:00Z")
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", "deadlines.orders=3 days")
    ask = "cardbattle campaign orders ask; then"
    assert ask in do(sh, "waiting").err
    for command in (("waiting", *LATE), ("waiting", *LATE, "--format", "discord")):
        assert (
            "next: remind the players with: cardbattle campaign orders ask --remind;" in do(sh, *command).err
        )


@pytest.mark.slow
def test_messages_and_orders_have_the_time_that_the_umpire_gives(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", "deadlines.orders=3 days", "deadlines.missed=hold")
    remind = ("orders", "ask", "--remind", "--for", "blue")
    assert "The deadline is" in do(sh, *remind).out
    late = do(sh, *remind, *LATE)
    assert "The deadline was" in late.out
    mail = sh.write("mail.txt", "vanguard: hold")
    assert "--now" in do(sh, "orders", "take", mail, "--now", "noon", code=2).err
    applied = "apply the missed deadline with: cardbattle campaign advance"
    assert applied in do(sh, "orders", "take", mail, *LATE).err
    assert (
        json.loads(sh("campaign", "history", "--json").out)["entries"][-1]["time"] == "2027-01-01T00:00:00Z"
    )
    assert applied not in do(sh, "orders", "take", sh.write("mail.txt", "archers: hold")).err
