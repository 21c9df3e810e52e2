"""The umpire's notice, which stays in all order messages and reports."""

from __future__ import annotations

import json

import pytest

from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.show.pages.campaign.messages.news import note_lines
from tests.campaign.turn.test_retreat_choices import do
from tests.campaign.turn.test_turn_by_messages import VALLEY
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.marches import MARCHES, books

NOTICE = "Six turns.\nA soldier costs 3 silver, at a supply place."


def with_notice(text: str) -> Campaign:
    return books(MARCHES.replace("turn = ", f"{text}turn = ", 1)).campaign


@pytest.mark.parametrize("reader", ["york", "lancaster"])
def test_all_players_read_each_line_of_the_notice(reader: str) -> None:
    campaign = with_notice('notice = """\nSix turns.\n\n Towns count double."""\n')
    visible = visible_to(campaign, Ledger(), reader)
    lines = ["From the umpire: Six turns.", "From the umpire: Towns count double.", ""]
    assert list(note_lines(visible)) == lines
    assert list(note_lines(visible, reader)) == []  # of a reminder
    assert list(note_lines(visible_to(with_notice(""), Ledger(), reader))) == []


@pytest.mark.slow
def test_a_notice_is_in_all_messages_and_reports_until_it_changes(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", f"notice={NOTICE}")
    lines = "From the umpire: Six turns. From the umpire: A soldier costs 3 silver, at a supply place. "
    for _ in range(2):
        assert f"{lines}Your forces" in do(sh, "orders", "ask", "--for", "red").out
        do(sh, "advance", "--no-wait", "--fight")
    assert do(sh, "report", "--turn", "1", "--for", "public").out.count("Six turns") == 1
    assert do(sh, "report", "--from", "1", "--for", "blue").out.count("at a supply place.") == 1
    assert "at a supply place." in do(sh, "report", "--for", "red").out
    do(sh, "set", "notice=Seven turns")
    do(sh, "advance", "--no-wait", "--fight")
    for turn, text in (("1", NOTICE.splitlines()), ("3", ["Seven turns"])):
        assert json.loads(sh("campaign", "report", "--turn", turn, "--json").out)["notice"] == text
    do(sh, "unset", "notice")
    assert "notice" not in json.loads(sh("campaign", "report", "--turn", "4", "--json").out)
    assert "there is no notice" in do(sh, "history").out.lower()


def test_other_settings_have_one_line_and_no_setting_has_tabs(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    assert "without control" in do(sh, "set", "name=a\nb", code=3).err
    assert "without control" in do(sh, "set", "notice=a\tb", code=2).err
