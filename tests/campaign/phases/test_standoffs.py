"""Hostile forces in one place without a battle are named to everyone who may know of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.turn.test_turn_by_messages import VALLEY, do, take
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

FACE = "face to face at Bridge, without a battle"
COMMAND = "cardbattle campaign add battle t2-bridge-2 --side guard --side archers --stakes bridge"


def test_the_order_of_the_sides_does_not_show_which_is_stronger(sh: Shell) -> None:
    """Players read the order of the sides of a pending battle."""
    for strength in (3, 9):
        text = VALLEY.replace("strength = 3", f"strength = {strength}")
        sh.write("campaign.toml", f'{text}[visibility]\nstrength = "own"\n')
        do(sh, "set", "forces.archers.location=bridge")
        assert "t1-bridge-2 --side guard --side archers --stakes" in do(sh, "check").err
        (sh.folder / "history.toml").unlink()


def test_the_battle_is_between_the_strongest_sides(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", *(f"forces.{key}.location=bridge" for key in ("archers", "vanguard", "garrison")))
    assert "--side vanguard --side guard+garrison --stakes" in do(sh, "check").err


def test_a_battle_whose_aftermath_is_open_is_not_to_be_fought_again(sh: Shell) -> None:
    """The beaten force is still there, and is about to retreat."""
    Path("campaign.toml").write_text(f'{VALLEY}\n[aftermath]\nretreat = "nearest-own"\n', encoding="utf-8")
    take(sh, "archers: march to bridge")
    do(sh, "advance", code=4)
    do(sh, "override", "t1-bridge", "--winner", "guard", "--reason", "x")
    assert "without a battle" not in do(sh, "check").err
    for reader in ("blue", "green", "umpire"):
        report = " ".join(do(sh, "report", "--turn", "1", "--for", reader).out.split())
        assert FACE not in report and "Archers must still retreat from Bridge." in report
    assert "must still retreat" not in do(sh, "report", "--turn", "1", "--for", "red").out
    do(sh, "advance")  # the archers have nowhere to go
    assert "without a battle" in do(sh, "check").err


@pytest.mark.slow
@pytest.mark.parametrize("location", ["all", "rough", "own"])
def test_forces_that_stood_by_are_named_after_the_turn(sh: Shell, location: str) -> None:
    """The command in the hint adds the battle, and then nothing more is said."""
    Path("campaign.toml").write_text(f'{VALLEY}\n[visibility]\nlocation = "{location}"\n', encoding="utf-8")
    take(sh, "archers: march to bridge\nvanguard: march to bridge")
    assert "without a battle" not in do(sh, "advance", code=4).out
    do(sh, "override", "t1-bridge", "--winner", "guard", "--reason", "x")
    do(sh, "move", "vanguard", "mill")
    printed = " ".join(do(sh, "advance").out.split())
    assert f"Guard and Archers are at Bridge without a battle; add one with: {COMMAND}" in printed
    checked = do(sh, "check").err
    assert f"guard and archers are in bridge without a battle; add one with: {COMMAND}" in checked
    readers = ("red", "blue", "green", "public", "umpire")
    reports = {reader: do(sh, "report", "--turn", "1", "--for", reader).out for reader in readers}
    knowing = {
        "all": ["blue", "green", "public", "umpire"],
        "rough": ["blue", "green", "umpire"],
        "own": ["umpire"],
    }
    assert [reader for reader in readers if FACE in " ".join(reports[reader].split())] == knowing[location]
    messages = {reader: do(sh, "orders", "ask", "--for", reader).out for reader in readers[:3]}
    told = [reader for reader in messages if "Your forces and others are at Bridge" in messages[reader]]
    assert told == [reader for reader in knowing[location] if reader in messages]
    assert sh(*COMMAND.split()[1:]).code == 0
    assert "without a battle" not in do(sh, "check").err
