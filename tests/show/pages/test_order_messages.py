"""Messages to players read as prose: names inside sentences, and losses in words."""

from __future__ import annotations

import re

import pytest

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

WAR = """\
format = 1
name = "War"
turn = 2
revision = 0
seed = "the articles"
rules = "field-of-honour"
[attrition]
rate = "1/2"
[movement]
allowance = 1
[aftermath]
retreat = "choose"
capture = true
[supply]
range = 2
out_of_supply = "1/10"
[recruit]
cost = 2
[factions.crown]
name = "The Crown"
peace = ["abbey"]
purse = 4
[factions.league]
name = "The League"
[factions.abbey]
name = "The Abbey"
[forces.guard]
name = "The Guard"
faction = "crown"
strength = 9
location = "bridge"
leader = "The Earl"
[forces.riders]
name = "The Riders"
faction = "crown"
strength = 4
location = "bridge"
[forces.lost]
name = "The Lost"
faction = "crown"
strength = 4
location = "mill"
leader = "The Count"
prisoner_of = "league"
[forces.gulls]
name = "The Gulls"
faction = "league"
strength = 8
location = "bridge"
[forces.monks]
name = "The Monks"
faction = "abbey"
strength = 8
location = "ford"
[locations.mill]
name = "The mill"
owner = "crown"
supply = true
[locations.bridge]
name = "The bridge"
owner = "crown"
[locations.ford]
name = "The ford"
owner = "abbey"
[locations.hill]
name = "The hill"
owner = "league"
[[road]]
between = ["mill", "bridge"]
[[road]]
between = ["ford", "bridge"]
[[road]]
between = ["hill", "bridge"]
[[pending]]
id = "fight"
sides = ["gulls", ["guard", "riders"]]
stakes = "bridge"
"""


def sentences_of(message: str) -> list[str]:
    """Return the lines of messages that are sentences, and not items of a list or headings."""
    return [line for line in message.splitlines() if re.search(r"[.:]$", line) and line[0] != "-"]


@pytest.mark.slow
def test_names_inside_the_sentences_of_messages_have_small_articles(sh: Shell) -> None:
    sh.write("campaign.toml", WAR)
    asked = sh("campaign", "orders", "ask", "--map").out
    assert "its leader the Count is a prisoner of the League" in asked
    assert "- battle at the bridge: The Gulls against the Guard and the Riders\n" in asked
    assert "- held by the Abbey: The ford\n" in asked and "led by the Earl" in asked
    lost = ("--winner", "gulls", "--losses", "guard=87/104", "--losses", "gulls=1/4", "--reason", "x")
    assert sh("campaign", "override", "fight", *lost).code == 0
    asked += sh("campaign", "orders", "ask", "--battle", "fight").out
    assert "- battle at the bridge: the Gulls won; the Gulls lost a quarter, " in asked
    assert "the Guard and the Riders lost about five sixths.\n" in asked
    assert [line for line in sentences_of(asked) if re.search(r"[a-z,;] The ", line)] == []


def test_players_read_losses_in_words_and_the_umpire_reads_exact_shares(sh: Shell) -> None:
    sh.write("campaign.toml", WAR)
    lost = ("--winner", "gulls", "--losses", "guard=87/104", "--losses", "gulls=1/4", "--reason", "x")
    assert sh("campaign", "override", "fight", *lost).code == 0
    for command in (("history",), ("show", "--no-odds")):
        printed = {
            reader: " ".join(sh("campaign", *command, "--for", reader).out.split())
            for reader in ("crown", "public", "umpire")
        }
        assert "lost 87/104" in printed["umpire"]
        for reader in ("crown", "public"):
            assert "87/104" not in printed[reader] and "lost about five sixths" in printed[reader]


def test_a_faction_without_a_supply_place_reads_that_it_has_none_left(sh: Shell) -> None:
    sh.write("campaign.toml", WAR)
    asked = sh("campaign", "orders", "ask", "--for", "league").out
    sentence = "You have no supply place left; a force without supply loses 1/10 in a turn, at least 1."
    assert f"\n{sentence}" in asked and "Supply reaches" not in asked
    assert sentence not in sh("campaign", "orders", "ask", "--for", "crown").out
    quoted = asked.replace("league@2:", "league@2:\ngulls: hold")
    assert sh("campaign", "orders", "take", sh.write("mail.txt", quoted)).code == 0
