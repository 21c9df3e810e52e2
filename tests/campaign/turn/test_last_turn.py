"""The last turn of a campaign: what messages and reports say before it, and what is left after it."""

from __future__ import annotations

import json

import pytest

from cardbattle.battles.messages.pasted_text import plain_lines
from cardbattle.campaign.state.model import read_campaign
from tests.campaign.turn.test_retreat_choices import do, take
from tests.campaign.turn.test_short_messages import HOLD
from tests.campaign.turn.test_turn_by_messages import VALLEY
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

OVER = "turn 2 was the last one; write the story of the whole war with: cardbattle campaign report --from 1"
DATA = {"format": 1, "name": "Valley", "seed": 1, "rules": "wargame", "movement": {"allowance": 2}}


@pytest.mark.parametrize(("turn", "last", "is_over"), [(6, None, False), (6, 6, False), (7, 6, True)])
def test_no_force_moves_after_the_last_turn(turn: int, last: int | None, is_over: bool) -> None:
    campaign = read_campaign(DATA | {"turn": turn} | ({} if last is None else {"last_turn": last}))
    assert campaign.is_over is is_over and (campaign.movement is None) is is_over
    assert campaign.movement_settings is not None and campaign.data["movement"] == {"allowance": 2}


def end_turn(sh: Shell) -> str:
    """Let all forces hold, and begin the next turn. Return what the command prints."""
    take(sh, HOLD)
    said = do(sh, "advance", "--reports", "reports")
    return f"{said.out} {said.err}"


@pytest.mark.slow
def test_messages_and_reports_name_the_last_turn_until_it_is_over(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    assert "Turn 1 of" not in do(sh, "orders", "ask").out
    do(sh, "set", "last_turn=2", "deadlines.orders=3 days")
    assert "Valley, Turn 1 of 2" in do(sh, "orders", "ask", "--for", "red").out
    said = end_turn(sh)
    assert "turn 2 begins" in said and "print the messages that ask for orders" in said
    assert "Turn 1 of 2" in do(sh, "report", "--for", "red").out
    assert "send your orders for turn 2" in do(sh, "report", "--for", "red").out
    assert "would be over" in do(sh, "advance", "--dry-run", "--no-wait").out
    said = end_turn(sh)
    assert "the war is over" in said and "turn 3" not in said and "orders ask" not in said
    for reader in ("red", "public"):
        report = do(sh, "report", "--turn", "2", "--for", reader).out
        assert "Turn 2 of 2" in report and "The war is over." in report and "orders" not in report


@pytest.mark.slow
def test_nothing_moves_after_the_last_turn_until_a_later_one_is_set(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", "last_turn=2")
    end_turn(sh)
    end_turn(sh)
    for command in (["advance"], ["turn"], ["orders", "ask"], ["orders", "give", "guard", "hold"]):
        error = do(sh, *command, code=2).err
        assert OVER in error and "cardbattle campaign set last_turn=3" in error
    assert do(sh, "waiting").err.startswith("next: write the story of the whole war with: ")
    assert json.loads(sh("campaign", "waiting", "--json").out)["waiting"] == []
    assert "hint: " not in do(sh, "check").err and "The war is over" in do(sh, "history").out
    assert "over after turn 2" in do(sh, "show", "--no-odds").out
    do(sh, "note", "Red has won.")
    assert "## After turn 2" in do(sh, "report", "--from", "1").out
    do(sh, "set", "last_turn=4")
    assert "Turn 3 of 4" in do(sh, "orders", "ask").out and "turn 4 begins" in end_turn(sh)
    assert "the last turn of the war is turn 4" in do(sh, "report", "--turn", "3", "--for", "red").out.lower()
    do(sh, "unset", "last_turn")
    assert "Valley, Turn 4 " in do(sh, "orders", "ask", "--for", "red").out


@pytest.mark.slow
@pytest.mark.parametrize(("last", "is_open"), [(2, False), (3, True)])
def test_after_the_war_enemies_in_one_place_are_no_open_question(sh: Shell, last: int, is_open: bool) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", f"last_turn={last}")
    end_turn(sh)
    campaign = json.loads(do(sh, "show", "--json", "--no-odds").out)["forces"]
    place = next(force["location"] for force in campaign.values() if force["faction"] == "red")
    do(sh, "set", f"forces.guard.location={place}")
    end_turn(sh)
    assert ("are face to face at" in do(sh, "report", "--turn", "2").out) is is_open


@pytest.mark.parametrize("turn", ["Turn 1", "Turn 1 of 6", "Turn 1 of 6: 8 to 14 July 1403", "Turn 2: Rain"])
def test_a_message_is_found_in_a_mail_by_each_form_of_its_heading(turn: str) -> None:
    mail = f"Here you are.\nRed: orders\nValley, {turn}\n\n- Guard: strength 3\n\nvalley/red@1:\nguard: hold"
    quoted = [line.bare for line in plain_lines("mail.txt", mail) if line.depth]
    assert quoted == ["Red: orders", f"Valley, {turn}", "", "- Guard: strength 3", ""]
