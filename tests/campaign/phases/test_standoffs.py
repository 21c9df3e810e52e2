"""Hostile forces in one place without a battle are named to everyone who may know of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.phases.declined_battles import must_retreat
from cardbattle.campaign.phases.retreat import NO_RETREATS, RetreatQuestion
from cardbattle.campaign.state.apply import Result, SideResult, apply, decline
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.show.pages.campaign.messages.battles import bystander_notice, result_request
from tests.campaign.turn.test_turn_by_messages import VALLEY, do, take
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.marches import MARCHES, books

FACE = "face to face at Bridge, without a battle"
COMMAND = "cardbattle campaign add battle t2-bridge --side guard --side archers --stakes bridge"


def test_the_order_of_the_sides_does_not_show_which_is_stronger(sh: Shell) -> None:
    """Players read the order of the sides of a pending battle."""
    for strength in (3, 9):
        text = VALLEY.replace("strength = 3", f"strength = {strength}")
        sh.write("campaign.toml", f'{text}[visibility]\nstrength = "own"\n')
        do(sh, "set", "forces.archers.location=bridge")
        assert "t1-bridge --side guard --side archers --stakes" in do(sh, "check").err
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
    do(sh, "undo")
    do(sh, "set", "aftermath.capture=true", "locations.bridge.owner=red")
    printed = " ".join(do(sh, "advance").out.split())
    assert "Guard and Archers are at Bridge without a battle, so it stays with Red; add one with:" in printed
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


BESIDE = '[[pending]]\nid = "old"\nsides = ["vanguard", "guard"]\nstakes = "bridge"\nplace = "bridge"\n'
AT_BRIDGE = VALLEY.replace('location = "mill"', 'location = "bridge"') + BESIDE
WITH_ARCHERS = AT_BRIDGE.replace('strength = 3\nlocation = "fort"', 'strength = 3\nlocation = "bridge"')


@pytest.mark.parametrize(
    ("text", "winner", "falls"),
    [
        (AT_BRIDGE, "vanguard", True),
        (WITH_ARCHERS, "vanguard", False),
        (WITH_ARCHERS, "guard", False),
        (WITH_ARCHERS.replace("[factions.red]", '[factions.red]\npeace = ["green"]'), "vanguard", True),
        (WITH_ARCHERS.replace("[movement]\nallowance = 2\n", ""), "vanguard", True),
    ],
)
def test_a_place_does_not_fall_while_an_enemy_of_the_winner_stands_by(
    text: str, winner: str, falls: bool
) -> None:
    campaign = books(text).campaign
    loser = "guard" if winner == "vanguard" else "vanguard"
    result = Result([winner], {winner: SideResult(1, Fraction(0)), loser: SideResult(0, Fraction(0))})
    for changes in (apply(campaign, "old", result), decline(campaign, "old", [loser])[1]):
        owners = [change.after for change in changes if change.key == ("locations", "bridge", "owner")]
        assert owners == ([campaign.forces[winner].faction] if falls else [])
    assert campaign.can_win_place(campaign.forces[winner].faction, campaign.pending[0]) == falls


@pytest.mark.parametrize(("location", "knows"), [("rough", True), ("own", False)])
def test_the_players_read_which_force_stands_by_and_what_it_means(location: str, knows: bool) -> None:
    line = "Archers stand by, and Bridge does not fall to their enemies while they are there."
    pending = "rough" if knows else "own"
    text = f'{WITH_ARCHERS}\n[visibility]\nlocation = "{location}"\npending = "{pending}"\n'
    campaign = books(text).campaign
    battle = campaign.pending[0]
    reader = visible_to(campaign, EMPTY_LEDGER, "red")
    [message] = result_request(reader, "red", "vanguard", battle, [])
    assert (line in message.lines) == knows
    assert any("Declining gives Bridge" in text for text in message.lines) != knows
    notices = bystander_notice(visible_to(campaign, EMPTY_LEDGER, "green"), "green", battle)
    assert [line in notice.lines for notice in notices] == ([True] if knows else [])
    alone = books(AT_BRIDGE).campaign
    assert not bystander_notice(visible_to(alone, EMPTY_LEDGER, "green"), "green", battle)


def test_a_force_is_in_two_pending_battles_only_if_the_umpire_insists(sh: Shell) -> None:
    """The program warns of it, and a force that arrives later stands by, or joins at the umpire's command."""
    sh.write("campaign.toml", VALLEY.replace('location = "mill"', 'location = "bridge"'))
    do(sh, "add", "battle", "old", "--side", "vanguard", "--side", "guard", "--stakes", "bridge")
    wrong = ("second", "--side", "guard", "--side", "archers", "--stakes", "bridge")
    err = do(sh, "add", "battle", *wrong).err
    assert "Guard fights in old too, which is pending" in err
    assert "cancel one of the two, such as: cardbattle campaign cancel" in err
    assert "battle old has guard too; a force should fight once" in do(sh, "check").err
    do(sh, "undo")
    take(sh, "garrison: march to bridge\narchers: hold\nvanguard: hold\nguard: hold")
    join = "cardbattle campaign edit old --side vanguard --side guard+garrison"
    stands_by = "Garrison stands by: the enemies there"
    printed = do(sh, "advance", code=4).out
    assert f"{stands_by} fight in old, which is pending; to let Garrison fight in it too: {join}" in printed
    assert stands_by in do(sh, "report", "--for", "blue", "--turn", "1").out
    do(sh, *join.split()[2:])
    assert stands_by not in do(sh, "report", "--for", "blue", "--turn", "1").out
    do(sh, "override", "old", "--winner", "vanguard", "--reason", "x")
    assert stands_by not in do(sh, "report", "--for", "blue", "--turn", "1").out


def test_an_attack_in_the_place_of_the_force_names_the_command_for_the_battle(sh: Shell) -> None:
    """An order only moves a force. The player reads the same where no enemy is."""
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", "forces.archers.location=bridge")
    sh.write(
        "mail.txt", "blue@1:\nguard: attack the Archers at Bridge\ngarrison: attack the Archers at Bridge\n"
    )
    said = do(sh, "orders", "take", "mail.txt", code=3)
    told = "guard: the force is at Bridge already; only the umpire can add a battle there"
    added = f"to add it, write: {COMMAND.replace('t2', 't1')}"
    assert f"not taken: {told} - not taken" in said.out and f"{told}; {added}" in said.err
    assert 'garrison: cannot read "the Archers at Bridge"; write "march to bridge"' in said.out
    assert added in do(sh, "orders", "give", "guard", "attack the Archers at Bridge", code=3).err
    do(sh, "set", "forces.archers.location=fort")
    again = do(sh, "orders", "take", "mail.txt", code=3)
    assert again.out == said.out and "add battle" not in again.err


def test_an_attack_without_a_place_says_how_to_attack_and_reveals_no_enemy(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    sh.write("mail.txt", "blue@1:\nguard: attack the Archers\ngarrison: attack\n")
    where = 'to attack in another place, write "march to PLACE"; the force is at '
    texts = (f'guard: "the Archers" is no place; {where}Bridge', f'garrison: "attack" is no place; {where}')
    hidden = do(sh, "orders", "take", "mail.txt", code=3)
    assert all(text in hidden.out for text in texts) and COMMAND.replace("t2", "t1") not in hidden.err
    do(sh, "set", "forces.archers.location=bridge")
    seen = do(sh, "orders", "take", "mail.txt", code=3)
    assert seen.out == hidden.out and f"to add it, write: {COMMAND.replace('t2', 't1')}" in seen.err


def test_the_form_of_a_rejected_line_lists_no_force_if_each_has_an_order_now(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    sh.write("mail.txt", "blue@1:\nguard: hold\ngarrison: hold\n\nIf it snows, we stay home.\n")
    said = do(sh, "orders", "take", "mail.txt", code=3).out
    assert " ".join(said.split()).endswith("lines below this address: valley/blue@1:")


def test_a_player_with_one_possible_place_does_not_choose() -> None:
    campaign = books(MARCHES + "[locations.wem]\n").campaign
    words = "Percy must retreat to Shrewsbury"
    for places, end in ((["shrewsbury"], ", the only possible place,"), (["shrewsbury", "wem"], " or Wem; ")):
        question = RetreatQuestion("wood", "percy", [], places, {}, "", "", campaign, NO_RETREATS)
        assert f"{words}{end}" in must_retreat(campaign, question)
