"""The command `campaign undo` and the orders of forces that are gone."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

WAR = """\
format = 1
name = "Two Hills"
revision = 0
seed = "drawn by lot"
rules = "wargame"
turn = 1

[movement]
allowance = 1

[factions.red]
[factions.blue]

[locations.hill]
[locations.mill]
[locations.fen]

[[road]]
between = ["mill", "fen"]

[forces.guard]
faction = "red"
strength = 8
location = "hill"

[forces.watch]
faction = "blue"
strength = 8
location = "mill"
"""


@pytest.fixture
def moved(sh: Shell) -> Shell:
    """Let the forces carry out their orders, and return the shell. The movement is revision 3."""
    sh.write("campaign.toml", WAR)
    for order in (("guard", "hold"), ("watch", "march to fen")):
        assert sh("campaign", "orders", "give", *order).code == 0
    assert sh("campaign", "advance").code == 0
    kinds = [entry["kind"] for entry in json.loads(sh("campaign", "history", "--json").out)["entries"]]
    assert kinds[:3] == ["orders", "orders", "movement"]
    return sh


@pytest.mark.parametrize("later", ["destroyed", "removed"])
def test_undo_restores_no_order_of_a_force_that_is_gone(moved: Shell, later: str) -> None:
    if later == "destroyed":
        moved("campaign", "adjust", "forces.guard.destroyed=true", "--reason", "fever")
    else:
        moved("campaign", "remove", "forces.guard")
    said = moved("campaign", "undo", "3")
    assert said.code == 0, said.err
    assert "Watch: march to Fen" in said.out and "Guard: hold" not in said.out
    assert "order of guard not restored: the force is destroyed or removed" in said.err
    assert json.loads(moved("campaign", "orders", "show", "--json").out)["orders"] == {
        "watch": "march to fen"
    }
    assert moved("campaign", "check").code == 0
    assert moved("campaign", "redo").code == 0 and moved("campaign", "check").code == 0


def test_undo_restores_the_order_of_a_force_that_it_brings_back(moved: Shell) -> None:
    moved("campaign", "adjust", "forces.guard.destroyed=true", "--reason", "fever")
    assert moved("campaign", "undo").code == 0
    said = moved("campaign", "undo", "3")
    assert said.code == 0 and "not restored" not in said.err
    orders = json.loads(moved("campaign", "orders", "show", "--json").out)["orders"]
    assert orders == {"guard": "hold", "watch": "march to fen"}


def test_undo_restores_the_order_of_a_force_that_was_destroyed_before_it(sh: Shell) -> None:
    orders = '\n[orders]\nwatch = "march to fen"  # by mail\nguard = "hold"  # by mail\n'
    text = WAR.replace('location = "hill"', 'destroyed = true\nlocation = "hill"') + orders
    sh.write("campaign.toml", text)
    assert sh("campaign", "advance", "--phase", "movement").code == 0
    said = sh("campaign", "undo")
    assert said.code == 0 and "not restored" not in said.err
    after = (sh.folder / "campaign.toml").read_text(encoding="utf-8")
    assert after.endswith(orders)
