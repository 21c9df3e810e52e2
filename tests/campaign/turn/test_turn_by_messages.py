"""A turn that is run by messages: the program always says what comes next."""

from __future__ import annotations

import json
import re
import shlex
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cardbattle.cli.campaign.between_battles import turn_reports
from cardbattle.cli.campaign.between_battles.report import ReportPlan, report_document
from cardbattle.show.document import Document
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in

VALLEY = """\
format = 1
name = "Valley"
turn = 1
revision = 0
seed = "by message"
rules = "field-of-honour"
[attrition]
rate = "1/2"
[movement]
allowance = 2
[weather]
table = [{ p = 1, name = "snow", movement = -1 }]
[factions.red]
[factions.blue]
[factions.green]
[forces.vanguard]
faction = "red"
strength = 12
location = "mill"
[forces.guard]
faction = "blue"
strength = 8
location = "bridge"
[forces.garrison]
faction = "blue"
strength = 7
location = "fort"
[forces.archers]
faction = "green"
strength = 3
location = "fort"
[locations.mill]
[locations.bridge]
[locations.fort]
[[road]]
between = ["mill", "bridge"]
[[road]]
between = ["bridge", "fort"]
"""
LINES = "vanguard: march to bridge"


@pytest.fixture
def valley(sh: Shell) -> Path:
    """Write a campaign of three players into the folder of the shell."""
    sh.write("campaign.toml", VALLEY)
    return sh.folder


def do(sh: Shell, *words: str, code: int = 0) -> Said:
    """Run a command of the campaign, which must end with this exit code."""
    said = sh("campaign", *words)
    assert said.code == code, said.err
    return Said(said.code, " ".join(said.out.split()), " ".join(said.err.split()))


def take(sh: Shell, text: str, code: int = 0) -> Said:
    """Take orders from a message."""
    return do(sh, "orders", "take", sh.write("mail.txt", text), code=code)


def seal(sh: Shell) -> list[str]:
    """Seal the orders of Red, and return both lines."""
    printed = sh("orders", "seal", f"valley/red@1: {LINES}").out.splitlines()
    return [line for line in printed if line.startswith("valley/red@1")]


@pytest.mark.slow
def test_late_orders_can_be_used_without_the_loss_of_earlier_orders(sh: Shell, valley: Path) -> None:
    do(sh, "advance", "--phase", "events")
    take(sh, "red@1: vanguard: hold")
    do(sh, "note", "Red sends greetings")
    do(sh, "advance", "--phase", "movement")
    late = take(sh, "garrison: hold").err
    assert "undo --phase movement, and take these orders again; all earlier orders stay next:" in late
    assert (
        "; that also undoes orders (revision 5), recorded after the movement" in take(sh, "archers: hold").err
    )
    undone = do(sh, "undo", "--phase", "movement").out
    assert "4. Movement:" in undone and "6. Orders:" in undone and "3. Note" not in undone
    assert "Red in" in do(sh, "orders", "status").out
    assert "contradict" in do(sh, "undo", "--phase", "movement", "--turn", code=2).err
    assert "leave out the battle" in do(sh, "undo", "--phase", "movement", "4", code=2).err
    assert "one of schedule, events, movement" in do(sh, "undo", "--phase", "march", code=2).err


@pytest.mark.slow
def test_the_next_step_takes_corrected_lines_before_it_runs_the_turn(sh: Shell, valley: Path) -> None:
    take(sh, "vanguard: hold\nguard: hold\ngarrison: hold\narchers: hold")
    said = take(sh, "blue@1: guard: dance", code=3).err
    assert (
        "next: take the corrected lines with: cardbattle campaign orders take FILE; or go on without" in said
    )


@pytest.mark.slow
def test_the_message_says_how_far_a_faction_sees(sh: Shell, valley: Path) -> None:
    sight = "in your places, where your forces are, and one road from there"
    assert "Others that you see:" in do(sh, "orders", "ask", "--for", "red").out
    do(sh, "set", "visibility.location=rough")
    asked = do(sh, "orders", "ask", "--for", "red").out
    assert f"Others that you see {sight}:" in asked or f"You see no others {sight}." in asked


@pytest.mark.slow
def test_a_message_about_an_order_with_a_remark_has_the_order_to_change(sh: Shell, valley: Path) -> None:
    message = take(sh, "vanguard: march to bridge (what else)").out
    assert "To change them, send other orders below this address:" in message
    assert message.endswith("valley/red@1: vanguard: march to bridge")


@pytest.mark.slow
def test_orders_after_the_movement_are_for_the_next_turn_and_the_program_says_so(
    sh: Shell, valley: Path
) -> None:
    assert (
        "next: take the orders of Blue and Green with: cardbattle campaign orders take"
        in take(sh, "vanguard: march to bridge").err
    )
    do(sh, "advance", code=4)
    late = take(sh, "blue@2: garrison: march to bridge")
    assert "the forces of turn 1 have moved: these orders count for turn 2" in late.err
    assert "cardbattle campaign undo --phase movement, and take these orders again" in late.err
    assert "To blue" not in late.out  # the address says so
    assert "these orders count for turn 2" in take(sh, "green@2:\narchers: hold").err
    message = take(sh, "Archers: march to bridge\nred@2: vanguard: hold").out.partition("To green")[2]
    assert "the forces had moved before these orders came, so they count for turn 2." in message
    assert message.endswith("valley/green@2: archers: march to bridge") and "To red" not in message
    whole = sh("campaign", "orders", "take", sh.write("mail.txt", "Archers: hold")).out.partition("To green")[
        2
    ]
    assert "already" in take(sh, textwrap.indent(whole, "> "), code=3).err
    do(sh, "undo")
    do(sh, "undo")
    status = do(sh, "orders", "status")
    assert "orders for turn 2" in status.out and "missing" not in status.out
    assert "next: fight battle t1-bridge with:" in status.err and "advance" not in status.err
    assert json.loads(sh("campaign", "orders", "status", "--json").out)["moved"] is True
    asked = do(sh, "orders", "ask")
    assert "Battle t1-bridge at" in asked.out and "red@1" not in asked.out
    assert "orders: the forces have moved" in do(sh, "show", "--no-odds").out
    assert "the forces of turn 1 have moved" in take(sh, f"valley/red@1: sealed {'a' * 64}", code=3).err
    do(sh, "advance", "--leave")
    status = do(sh, "orders", "status")
    assert "Waiting for Red." in status.out
    step = "next: take the orders of Blue and Green with: cardbattle campaign orders take"
    assert step in do(sh, "undo", "--turn").err
    assert "Waiting for Blue and Green." in do(sh, "orders", "status").out
    refused = take(sh, "blue@1:\ngarrison: march to Rome\nguard: fly", code=3).err
    assert "no order is recorded; correct the rejected ones in the file and repeat the command" in refused
    redone = do(sh, "redo").err
    assert "if you have written reports since turn 1, write them again: they can differ now" in redone
    assert "next: take the orders of Red with: cardbattle campaign orders take" in redone


@pytest.mark.slow
def test_the_next_step_names_or_counts_all_pending_battles(sh: Shell, valley: Path) -> None:
    do(sh, "add", "battle", "t1-fort", "--side", "garrison", "--side", "archers", "--stakes", "fort")
    take(sh, LINES)
    both = do(sh, "advance", code=4).err
    assert both.endswith("next: 2 battles are pending; see what to do with: cardbattle campaign waiting")
    waiting = do(sh, "waiting").err
    assert "next: fight battle t1-fort with: cardbattle campaign fight t1-fort; or by message" in waiting
    assert waiting.endswith("or import; t1-bridge is still pending")
    begun = do(sh, "fight", "t1-fort", "--by-message").err
    assert "orders take t1-fort.battle.toml; t1-bridge is still pending; see what to do" in begun
    left = do(sh, "substitute", "green", "regular").err
    answers = "or import; take the answers in t1-fort with: cardbattle orders take t1-fort.battle.toml FILE"
    assert "next: fight battle t1-bridge with:" in left and left.endswith(answers)
    assert do(sh, "waiting").err.endswith(answers)
    for number in range(9):
        do(sh, "add", "battle", f"b{number}", "--side", "garrison", "--side", "archers")
    assert "b0, b1, b2, b3, b4, b5, b6, b7 and 1 more are still pending" in do(sh, "waiting").err
    assert "next: 11 battles are pending; see what to do" in do(sh, "orders", "status").err


@pytest.mark.slow
def test_a_message_about_a_pending_battle_names_its_rules_terrain_and_weather(
    sh: Shell, valley: Path
) -> None:
    do(sh, "add", "terrain", "woods", "field-of-honour.defender.hand=1")
    do(sh, "set", "locations.bridge.terrain=woods")
    do(sh, "add", "weather", "name=snow", "p=1", "battle.field-of-honour.attacker.hand=-1")
    take(sh, LINES)
    do(sh, "advance", code=4)
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert (
        "Battle t1-bridge at Bridge: Vanguard against Guard; Field of Honour, woods, weather: snow. "
        "With woods, the defender (Guard) has hand +1." in asked
    )
    do(sh, "edit", "t1-bridge", "--set", "rules=strategy-war")
    asked = sh("campaign", "orders", "ask", "--for", "blue").out
    assert "against Guard; Strategy WAR, woods, weather: snow." in asked
    line = next(line for line in asked.splitlines() if line.startswith("Battle t1"))
    quoted = f"> {line.replace(' at Bridge', ' between Mill and Bridge')}\n> {line}\nregards"
    refused = take(sh, quoted, code=3).err
    assert "mail.txt:1" not in refused and "mail.txt:2" not in refused
    begun = do(sh, "fight", "--by-message").out
    first = "Battle t1-bridge at Bridge: Vanguard against Guard; Strategy WAR, woods, weather: snow."
    assert " ".join(begun.split()).count(first) == 2
    answers = sh.write("mail.txt", "vanguard@1: 3\nguard@1: 3")
    assert "snow" not in sh("orders", "take", "t1-bridge.battle.toml", answers).out


@pytest.mark.slow
def test_a_force_that_turns_back_is_where_it_began(sh: Shell, valley: Path) -> None:
    sh.write("campaign.toml", VALLEY.replace('["mill", "bridge"]', '["mill", "bridge"]\nlength = 3'))
    take(sh, "vanguard: march to bridge\nblue@1: all: hold\ngreen@1: all: hold")
    do(sh, "advance")
    take(sh, "vanguard: march to mill\nblue@2: all: hold\ngreen@2: all: hold")
    back = "vanguard: at mill, back from the road to bridge"
    assert back in do(sh, "advance").out.lower()
    do(sh, "move", "vanguard", "fort", "--reason", "by sea")
    assert back in do(sh, "history").out.lower()


@pytest.mark.slow
def test_an_undo_of_a_battle_or_of_orders_names_the_next_step(sh: Shell, valley: Path) -> None:
    take(sh, "vanguard: march to bridge\nblue@1: all: hold")
    undone = do(sh, "undo").err
    assert "next: print the messages that ask for orders with:" in undone and "reports" not in undone
    take(sh, "vanguard: march to bridge\nblue@1: all: hold")
    do(sh, "advance", code=4)
    do(sh, "fight", "t1-bridge")
    undone = do(sh, "undo").err
    assert "next: fight battle t1-bridge with:" in undone
    assert "if you have written reports of turn 1, write them again: they can differ now" in undone


@pytest.mark.slow
def test_an_old_message_never_becomes_an_order_of_the_next_turn(sh: Shell, valley: Path) -> None:
    """A message with an address belongs to one turn. One without is compared with the orders of its turn."""
    dated, plain = "valley/blue@1:\nguard: hold", "vanguard: march to mill\n"
    take(sh, dated)
    take(sh, plain)
    take(sh, LINES)
    do(sh, "advance", code=4)
    before = bytes_in(valley)
    late = take(sh, dated, code=3)
    assert "the forces of turn 1 have moved; for orders of turn 2, write blue@2" in late.err
    assert "to use late orders in turn 1, go back to before the movement with: " in late.err
    assert "for orders of turn 2" in late.out and "undo" not in late.out
    for old in (plain, LINES):
        words = old.strip().split(": ")[1]
        said = take(sh, old, code=3).err
        assert f'vanguard: "{words}" was already taken for turn 1; if it is for turn 2, write red@2:' in said
    assert {**bytes_in(valley), "mail.txt": b""} == {**before, "mail.txt": b""}
    take(sh, f"red@2: {LINES}")
    do(sh, "undo")
    do(sh, "orders", "give", "vanguard", "march to bridge")
    do(sh, "undo")
    do(sh, "advance", "--leave")
    assert "turn 1 has been played; the address for this turn is blue@2" in take(sh, dated, code=3).err
    assert "Red had the same orders in an earlier turn; if you have taken an old" in take(sh, LINES).err
    do(sh, "undo")
    for form in ("red@2:", "> red@2:"):  # an answer to the message of this turn
        assert "same orders" not in take(sh, f"{LINES}\n\n{form}\n").err
        do(sh, "undo")


def test_in_fog_the_status_of_orders_does_not_say_who_has_lost_all_forces(sh: Shell, valley: Path) -> None:
    destroyed = VALLEY.replace("strength = 3\n", "strength = 3\ndestroyed = true\n")
    sh.write("campaign.toml", f"{destroyed}[visibility]\nstrength = 'own'\n")
    status = do(sh, "orders", "status").out
    assert "green done" in status.lower()
    assert "no forces" not in status


@pytest.mark.slow
def test_every_hint_about_sealed_orders_names_the_next_thing_to_do(sh: Shell, valley: Path) -> None:
    sealed, opened = seal(sh)
    assert "or let forces hold with: cardbattle campaign orders give blue hold" in take(sh, sealed).err
    waits = do(sh, "advance", code=4).out
    assert "can be opened when the orders of Blue and Green are in; first take these with" in waits
    assert "orders give blue hold" in waits and "orders ask" not in waits
    assert "Your orders are sealed." in do(sh, "orders", "ask", "--for", "red").out
    assert "red@1" not in do(sh, "orders", "ask").out
    assert "orders of Blue and Green are missing; keep this line" in take(sh, opened, code=3).err
    given = do(sh, "orders", "give", "blue", "hold")
    assert (
        "Guard: hold" in given.out
        and "Garrison: hold" in given.out
        and "the orders of Green with" in given.err
    )
    assert "To green" in do(sh, "orders", "ask").out
    do(sh, "substitute", "green", "regular")
    asked = do(sh, "orders", "ask").out
    assert "To green" not in asked
    wrote = do(sh, "orders", "ask", "--dir", str(sh.folder / "mails")).err
    files = sorted((sh.folder / "mails").glob("turn-*"))
    assert files and all(f"wrote {file}" in wrote for file in files)
    assert all(" ".join(file.read_text("utf-8").split()) in asked for file in files)
    assert "Green substitute" in do(sh, "orders", "status").out
    waits = do(sh, "advance", code=4).out
    assert "Red has sealed orders to open; print the message that asks for them with" in waits
    assert "red@1: open ..." in do(sh, "orders", "ask").out
    assert "next: run the turn with: cardbattle campaign advance" in take(sh, opened).err
    assert "Guard is pending" not in do(sh, "advance", code=4).out


def test_a_player_who_sends_orders_beside_sealed_ones_is_asked_for_the_kept_line(
    sh: Shell, valley: Path
) -> None:
    sealed, _ = seal(sh)
    take(sh, sealed)
    for line in ("vanguard: hold", "vanguard: hodl"):
        said = take(sh, f"red@1: {line}", code=3)
        assert said.out.endswith(
            "Your orders are sealed. Keep the line that opens them until you are asked for it."
        )
    take(sh, "blue@1: all: hold\n\ngreen@1: all: hold")
    for line in ("vanguard: hold", "vanguard: hodl"):
        said = take(sh, f"red@1: {line}", code=3)
        assert said.out.endswith("Send the line that you kept: valley/red@1: open ...")


def test_before_sealed_orders_are_opened_the_next_step_names_the_forces_without_an_order(
    sh: Shell, valley: Path
) -> None:
    sealed, opened = seal(sh)
    take(sh, f"{sealed}\nblue@1: guard: hold\ngreen@1: archers: hold")
    ask = "next: ask Red to open sealed orders with: cardbattle campaign orders ask"
    first = "; or first take an order of Garrison with: cardbattle campaign orders take FILE"
    step = do(sh, "orders", "status").err
    assert step.endswith(f"{ask}{first} (the first opened line fixes all orders)")
    assert take(sh, "blue@1: garrison: hold").err.endswith(ask)
    do(sh, "undo")
    assert take(sh, opened).err == "next: run the turn with: cardbattle campaign advance"


LATE = ("--now", "2027-01-01")


@pytest.mark.slow
def test_seals_can_be_opened_once_a_deadline_has_ended_the_waiting_for_others(
    sh: Shell, valley: Path
) -> None:
    do(sh, "set", "deadlines.orders=3 days", "deadlines.missed=hold")
    sealed, opened = seal(sh)
    take(sh, sealed)
    before = bytes_in(valley)
    status = do(sh, "orders", "status", *LATE)
    assert "next: apply the missed deadline with: cardbattle campaign advance" in status.err
    assert "missed deadline" not in do(sh, "orders", "status").err
    planned = do(sh, "advance", "--dry-run", *LATE)
    assert "Blue has sent no orders in time" in planned.err
    assert "Red has sealed orders to open; print the message" in planned.out
    assert bytes_in(valley) == before
    waits = do(sh, "advance", *LATE, code=4)
    assert "Red has sealed orders to open; print the message" in waits.out
    assert "Red can open the sealed orders." in do(sh, "orders", "status").out
    assert "red@1: open ..." in do(sh, "orders", "ask").out
    take(sh, opened)
    moved = do(sh, "advance", *LATE, code=4)
    assert "no orders in time" not in moved.err and "no order for" not in moved.out
    do(sh, "undo", "--turn")
    assert "Waiting for Blue and Green." in do(sh, "orders", "status").out


@pytest.mark.slow
def test_a_march_goes_on_after_a_missed_deadline_also_if_others_have_sealed_orders(
    sh: Shell, valley: Path
) -> None:
    do(sh, "set", "deadlines.orders=3 days", "deadlines.missed=hold", "forces.archers.march=march to bridge")
    sealed, opened = seal(sh)
    take(sh, sealed)
    do(sh, "advance", *LATE, code=4)
    take(sh, opened)
    assert "Archers: Fort -> Bridge" in do(sh, "advance", *LATE, code=4).out


@pytest.mark.slow
@pytest.mark.parametrize("missed", ["hold", "wait"])
def test_seals_that_stay_closed_after_the_deadline_are_dropped(sh: Shell, valley: Path, missed: str) -> None:
    do(sh, "set", "deadlines.orders=3 days", f"deadlines.missed={missed}")
    sealed, opened = seal(sh)
    take(sh, sealed)
    take(sh, "blue@1: all: hold")
    take(sh, "green@1: all: hold")
    duties = json.loads(do(sh, "waiting", "--json").out)["waiting"]
    assert [(duty["kind"], duty["factions"], bool(duty["until"])) for duty in duties] == [
        ("open", ["red"], True)
    ]
    if missed == "wait":
        assert "to open" in do(sh, "advance", *LATE, code=4).out
        return
    over = do(sh, "advance", *LATE)
    assert "Red has not opened its sealed orders in time" in over.err
    for reader in ("*", "public", "blue", "red"):  # in names, not with the tables of the file
        pages = [
            do(sh, page, *(() if reader == "*" else ("--for", reader))).out for page in ("history", "report")
        ]
        assert "Red: orders are no longer sealed" in pages[0]
        assert "sealed_orders" not in "".join(pages)
    assert "movement: no force moves" in over.out and "turn 2 begins" in over.out
    assert "Movement: no force moves" in do(sh, "history", "--for", "umpire").out
    assert "Movement: you see no force march" in do(sh, "history", "--for", "blue").out
    do(sh, "undo", "--turn")
    assert "next: run the turn" in take(sh, opened).err


@pytest.mark.slow
@pytest.mark.parametrize("fog", [False, True])
def test_a_faction_without_forces_to_order_is_named_to_readers_who_may_know(
    sh: Shell, valley: Path, fog: bool
) -> None:
    """In fog, others cannot distinguish it from a faction whose orders are in."""
    do(
        sh,
        "set",
        "deadlines.orders=3 days",
        "deadlines.missed=hold",
        *(["visibility.location=own"] if fog else []),
    )

    def seen_by(reader: str) -> list[str]:
        pages = [do(sh, "waiting", "--for", reader), do(sh, "waiting", "--json", "--for", reader)]
        return [page.out for page in (*pages, do(sh, "orders", "status"))]

    take(sh, "green@1: all: hold")
    sent = [seen_by(reader) for reader in ("red", "public")]
    do(sh, "undo")
    do(sh, "unset", "forces.archers.location")
    idle = [seen_by(reader) for reader in ("red", "public")]
    assert (idle == sent) == fog
    for reader in ("red", "public", "green"):
        assert ("Green has no forces to order." in seen_by(reader)[0]) == (not fog or reader == "green")
    assert "Green has no forces to order." in do(sh, "waiting").out
    assert json.loads(do(sh, "waiting", "--json").out)["nothing_to_order"] == ["green"]
    assert ("nothing to order" in idle[0][2]) != fog and ("done" in idle[0][2]) == fog
    planned = do(sh, "advance", "--dry-run", *LATE)
    done = do(sh, "advance", *LATE, code=0)
    assert "Green has no forces to order" in planned.err and "Green has no forces to order" in done.err
    assert "Green has no forces to order" in do(sh, "history").out
    assert ("no forces to order" in do(sh, "history", "--for", "red").out) == (not fog)


@pytest.mark.slow
def test_the_movement_does_not_wait_for_the_seal_of_a_player_with_a_substitute(
    sh: Shell, valley: Path
) -> None:
    take(sh, seal(sh)[0])
    take(sh, "blue@1: all: hold")
    take(sh, "green@1: all: hold")
    assert "or go on without them: cardbattle campaign substitute red" in do(sh, "advance", code=4).out
    do(sh, "substitute", "red", "regular")
    assert "next: run the turn with" in do(sh, "orders", "status").err
    assert "turn 2 begins" in do(sh, "advance").out


def test_a_message_names_the_rough_strength_of_a_small_force(sh: Shell, valley: Path) -> None:
    do(sh, "set", "visibility.strength=rough")
    asked = do(sh, "orders", "ask", "--for", "red").out
    assert "- Archers (Green): strength of a few, at Fort" in asked
    assert "- Guard (Blue): strength about 10, at Bridge" in asked


@pytest.mark.slow
def test_the_weather_shows_in_messages_only_once_it_is_drawn(sh: Shell, valley: Path) -> None:
    before = "Weather: drawn when the turn runs; it can be snow (-1 step)"
    for turn in (1, 2):
        asked = do(sh, "orders", "ask", "--for", "blue").out
        assert before in asked and "strength 8, at Bridge, 2 steps" in asked
        assert "weather: snow" not in do(sh, "show", "--no-odds").out
        if turn == 1:
            do(sh, "advance")
    do(sh, "advance", "--phase", "events")
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "Weather: snow (-1 step)" in asked and "strength 8, at Bridge, 1 step" in asked
    do(sh, "undo", "--turn")
    assert before in do(sh, "orders", "ask", "--for", "blue").out


def test_the_umpire_reads_every_event_that_the_players_read(sh: Shell, valley: Path) -> None:
    """An event can reach no force, because no force meets its condition."""
    file = valley / "campaign.toml"
    event = '[[event]]\neach = "turn"\ntext = "Marsh fever."\nwhere = "strength > 99"\n'
    file.write_text(f'{file.read_text("utf-8")}\n{event}change = {{ "forces.*.strength" = -1 }}\n', "utf-8")
    shown = do(sh, "advance", "--phase", "events").out
    assert "Marsh fever." in do(sh, "report", "--turn", "1", "--for", "blue").out
    assert "event: Marsh fever" in shown and "nothing changes" in shown


@pytest.mark.slow
def test_a_battle_by_message_asks_every_player(sh: Shell, valley: Path) -> None:
    take(sh, LINES)
    do(sh, "advance", code=4)
    do(sh, "substitute", "blue", "green")
    begun = do(sh, "fight", "--by-message")
    assert "To vanguard (Vanguard, Red), question 1" in begun.out and "To guard" not in begun.out
    assert "battle t1-bridge: the commander of Guard is now green" in begun.err
    stopped = do(sh, "advance", code=4)
    assert "waits: t1-bridge is in progress, waiting for Vanguard Report" in stopped.out
    assert "take the answers with: cardbattle orders take t1-bridge" in stopped.err
    (valley / "t1-bridge.battle.toml").unlink()
    do(sh, "substitute", "blue", "human")
    begun = do(sh, "fight", "--by-message")
    assert "To vanguard (Vanguard, Red), question 1" in begun.out and "To guard (Guard, Blue), q" in begun.out
    assert "not asked" not in begun.err
    (valley / "t1-bridge.battle.toml").unlink()
    begun = do(sh, "fight", "--by-message", "--as", "guard")
    assert "computer commanders play the sides that --as does not name: Vanguard" in begun.err


@pytest.mark.slow
def test_a_player_can_write_the_name_of_the_faction_as_the_address_of_an_answer(
    sh: Shell, valley: Path
) -> None:
    take(sh, LINES)
    do(sh, "advance", code=4)
    do(sh, "fight", "--by-message")
    wrong = sh("orders", "take", "t1-bridge.battle.toml", sh.write("mail.txt", "green@1: 1; 2; 3"))
    assert wrong.code == 3 and wrong.err.count('no side of this battle is "green"') == 1
    sealed = sh("orders", "take", "t1-bridge.battle.toml", sh.write("mail.txt", f"red@1: sealed {'a' * 64}"))
    assert 'no side of this battle is "red"' in sealed.err  # the seal contains the address
    for side in ("red", "the Guard"):
        assert sh("orders", "take", "t1-bridge.battle.toml", sh.write("mail.txt", f"{side}@1: 1")).code == 0
    again = sh("orders", "take", "t1-bridge.battle.toml", sh.write("mail.txt", "vanguard@1: 1")).err
    assert "vanguard@1 was already accepted" in again and again.splitlines()[-1].startswith("correct the")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("t1-bridge/the Old Bows@1: 1", ""),
        ("Our answer for the old bows@1: 1", ""),
        ("> the old bows@1:\n\n1\nwhen any: pass | place", ""),
        ("the old bows@1:\nwhen any: pass | place\nelse regular", ""),
        ("the old@1: 1", '"the old" is ambiguous: vanguard or guard; write the key'),
        ("pikes old bows@1: 1", '"pikes old bows" is ambiguous: guard or vanguard; write the key'),
        ("t9-mill/old bows@1: 1", "guard@1 is for battle t9-mill, but this is t1-bridge"),
        ("old army@1: 1", 'no side of this battle is "army"'),
    ],
)
def test_the_name_of_a_side_can_have_several_words(sh: Shell, valley: Path, line: str, said: str) -> None:
    do(sh, "set", "forces.vanguard.name=The Old Pikes", "forces.guard.name=The Old Bows")
    take(sh, LINES)
    do(sh, "advance", code=4)
    do(sh, "fight", "--by-message")
    taken = sh("orders", "take", "t1-bridge.battle.toml", sh.write("mail.txt", line))
    assert (taken.code, said in taken.err) == (3 if said else 0, True), taken.err
    assert not said or taken.err.startswith("cardbattle: mail.txt:1: ")
    kept = (valley / "t1-bridge.battle.toml").read_text("utf-8")
    assert ("when" in line) == ('"any: pass | place"' in kept)
    reminded = sh("orders", "remind", "t1-bridge.battle.toml", "old")
    assert reminded.code == 2 and '"old" is ambiguous: vanguard or guard' in reminded.err


def test_the_address_of_orders_can_have_the_name_of_the_faction(sh: Shell, valley: Path) -> None:
    do(sh, "set", "factions.blue.name=House Merrow", "factions.green.name=House Fen")
    assert "Guard: hold" in take(sh, "Valley/House Merrow@1:\nguard: hold").out
    assert "Garrison: hold" in take(sh, "merrow@1: garrison: hold").out
    assert "Archers: hold" in take(sh, "House Fen @ 1\narchers - hold").out
    refused = take(sh, "house@1:\narchers: hold", code=3).err
    assert 'mail.txt:1: "house" is ambiguous; write a key: blue, green' in refused


@pytest.mark.slow
def test_commands_take_a_faction_or_side_by_its_name_or_a_part_of_it(sh: Shell, valley: Path) -> None:
    do(sh, "set", "factions.blue.name=The Wardens", "factions.green.name=The Green Wardens")
    for word in ("blue", "The Wardens", "wardens", "WARDENS"):
        shown = do(sh, "show", "--no-odds", "--json", "--for", word).out
        assert shown == do(sh, "show", "--no-odds", "--json", "--for", "blue").out
    assert 'unknown value "wurdens"' in do(sh, "show", "--for", "wurdens", code=2).err
    do(sh, "set", "factions.blue.name=The White Wardens")
    assert "names several factions" in do(sh, "show", "--for", "wardens", code=2).err
    do(sh, "orders", "give", "white", "hold")
    take(sh, LINES)
    do(sh, "advance", code=4)
    begun = do(sh, "fight", "--by-message", "--as", "white wardens")
    assert "To guard (Guard, The White Wardens), question 1" in begun.out
    assert "guard@1" in sh("orders", "remind", "t1-bridge.battle.toml", "white").out


@pytest.mark.slow
def test_the_printed_turn_has_the_losses_and_the_forces_that_stand_by(sh: Shell, valley: Path) -> None:
    take(sh, "garrison: march to bridge\narchers: march to bridge\nvanguard: march to bridge")
    printed = do(sh, "advance", code=4).out
    assert "Archers stand by: a battle has at most 2 sides, and the strongest fight" in printed
    assert "Blue: no order for Guard; it holds" in printed
    do(sh, "fight", "--no-odds")
    printed = do(sh, "advance").out
    readers = ("red", "blue", "green", "public", "umpire")
    reports = {
        reader: do(sh, "report", "--no-chances", "--turn", "1", "--for", reader).out for reader in readers
    }
    assert [reader for reader in readers if "Archers stand by" in reports[reader]] == ["green", "umpire"]
    assert "Battle t1-bridge:" in printed
    assert "Vanguard: strength 12 ->" in printed and "attrition rate" in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("retreat", "line"),
    [
        ("nearest-own", "Declining gives Bridge to the other side, and your forces must retreat."),
        ("none", "Declining gives Bridge to the other side. You can"),
    ],
)
def test_the_message_about_a_battle_says_what_declining_costs(
    sh: Shell, valley: Path, retreat: str, line: str
) -> None:
    do(sh, "set", "results.confirm=both", f"aftermath.retreat={retreat}")
    take(sh, LINES)
    do(sh, "advance", code=4)
    assert line in " ".join(do(sh, "orders", "ask", "--for", "blue").out.split())


@pytest.mark.parametrize(
    ("rule", "warning"),
    [
        ("stays", "your forces must retreat. "),
        ("destroyed", "your forces must retreat; a force without a way out is destroyed. "),
        ("surrenders", "your forces must retreat; a force without a way out surrenders. "),
    ],
)
def test_a_player_reads_the_fate_of_a_force_without_a_way_out_before_declining(
    sh: Shell, rule: str, warning: str
) -> None:
    battle = '[[pending]]\nid = "bridge"\nsides = ["vanguard", "guard"]\nplace = "bridge"\n'
    aftermath = f'[aftermath]\nretreat = "choose"\nno_retreat = "{rule}"\n'
    text = VALLEY.replace('location = "mill"', 'location = "bridge"')
    sh.write("campaign.toml", f'{text}[results]\nconfirm = "both"\n{aftermath}{battle}')
    asked = do(sh, "orders", "ask", "--battle", "bridge", "--for", "blue").out
    assert warning in " ".join(asked.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("note", "line"),
    [
        ("Guard won the toss", "Field of Honour.\nFrom the umpire: Guard won the toss\nThis battle is"),
        ("private: a trap", "Field of Honour.\nThis battle is"),
    ],
)
def test_the_message_about_a_battle_has_its_note(sh: Shell, note: str, line: str) -> None:
    battle = f'[[pending]]\nid = "bridge"\nsides = ["vanguard", "guard"]\nnote = "{note}"\n'
    sh.write("campaign.toml", f'{VALLEY}[results]\nconfirm = "both"\n{battle}')
    asked = sh("campaign", "orders", "ask", "--battle", "bridge", "--for", "blue").out
    assert line in asked
    copied = asked[asked.index("Battle bridge") :].rstrip()
    said = take(sh, f"{copied} we lost 1/4, vanguard won, vanguard lost none")
    assert "read as: Vanguard won" in said.err and "not taken" not in said.out


def test_a_side_that_has_reported_a_fight_does_not_read_what_declining_costs(sh: Shell) -> None:
    battle = '[[pending]]\nid = "bridge"\nsides = ["vanguard", "guard"]\nstakes = "bridge"\n'
    sh.write("campaign.toml", f'{VALLEY}[results]\nconfirm = "both"\n{battle}')
    cost = "Declining gives Bridge to the other side"
    assert cost in do(sh, "orders", "ask", "--battle", "bridge", "--for", "blue").out
    for side, loss in (("vanguard", "1/2"), ("guard", "1/4")):
        do(sh, "confirm", f"bridge/{side}: vanguard won, vanguard lost none, guard lost {loss}")
    asked = do(sh, "orders", "ask", "--battle", "bridge", "--for", "blue").out
    assert "the reports of the sides differ" in asked and cost not in asked
    refused = take(sh, "bridge/guard: vanguard won, and we lost much", code=3).out
    for text in (asked, refused):
        assert "- a draw, " in text and "guard declined" not in text and cost not in text
    message = sh("campaign", "orders", "ask", "--battle", "bridge", "--for", "blue").out
    said = take(sh, f"{message} vanguard won, vanguard lost none, guard lost 1/2".replace("\n vang", " vang"))
    assert "bridge is no longer pending" in said.out and "not taken" not in said.out


@pytest.mark.slow
def test_a_force_that_declines_a_battle_on_a_road_stays_in_its_place(sh: Shell, valley: Path) -> None:
    do(sh, "set", "results.confirm=both", "aftermath.retreat=nearest-own")
    take(sh, "vanguard: march to bridge\nguard: march to mill\ngarrison: hold\narchers: hold\n")
    do(sh, "advance", code=4)
    [battle] = json.loads(do(sh, "show", "--no-odds", "--json").out)["pending"]
    for faction in ("blue", "red"):
        asked = do(sh, "orders", "ask", "--for", faction).out
        assert "between Bridge and Mill" in asked and "retreat" not in asked
    declined = take(sh, f"{battle['id']}/guard: we decline").err
    assert f"Guard declines battle {battle['id']}; Vanguard wins it without losses" in declined
    assert "Vanguard stays at Mill" in declined
    said = do(sh, "advance")
    assert "at Bridge, not on the road where the battle was" in " ".join(f"{said.out}{said.err}".split())


@pytest.mark.slow
def test_a_result_of_declining_says_who_stays_on_the_road_and_who_turns_back(sh: Shell, valley: Path) -> None:
    text = (valley / "campaign.toml").read_text(encoding="utf-8")
    road = 'between = ["mill", "bridge"]'
    assert road in text
    sh.write("campaign.toml", text.replace(road, f"{road}\nlength = 4"))
    do(sh, "set", "movement.allowance=4")
    take(sh, "vanguard: march to bridge\nguard: march to mill\ngarrison: hold\narchers: hold\n")
    do(sh, "advance", code=4)
    [battle] = json.loads(do(sh, "show", "--no-odds", "--json").out)["pending"]
    goes_on = "Vanguard stays on the road to Bridge, and needs a new order to go on"
    stays = do(sh, "decline", battle["id"], "guard", "--dry-run").err
    assert goes_on in stays and "Guard stays on the road to Mill, and needs a new order to go on" in stays
    do(sh, "set", "aftermath.retreat=nearest-own")
    said = do(sh, "decline", battle["id"], "guard").err
    assert goes_on in said and "Guard retreats to Bridge: the only way out" in said
    assert "Guard stays" not in said
    do(sh, "advance")
    for reader in ("blue", "red", "public"):
        report = do(sh, "report", "--no-chances", "--turn", "1", "--for", reader).out
        assert "- Guard turns back on the road to Mill." in report, reader


@pytest.fixture
def meeting(sh: Shell, valley: Path) -> Path:
    """Let the forces of three players meet at the bridge, which has a road to an empty hill."""
    text = VALLEY.replace('"field-of-honour"', '"warmonger"').replace("[locations.fort]\n", HILL)
    sh.write("campaign.toml", text)
    take(sh, f"{LINES}\narchers: march to bridge\nblue@1: all: hold")
    do(sh, "advance", code=4)
    return valley


HILL = """\
[locations.fort]
[locations.hill]
[[road]]
between = ["bridge", "hill"]
[aftermath]
retreat = "choose"
"""


@pytest.mark.slow
def test_a_dry_run_of_declining_says_who_wins_and_who_retreats(sh: Shell, meeting: Path) -> None:
    before = bytes_in(meeting)
    dry = do(sh, "decline", "t1-bridge", "vanguard", "archers", "--dry-run").err
    assert bytes_in(meeting) == before and "next:" not in dry
    won = "Vanguard and Archers decline battle t1-bridge; Guard wins it without losses, and Blue gets Bridge"
    assert won in dry and "Archers retreat to Hill: the only way out" in dry
    assert "Vanguard retreats to Mill: the only way out" in dry and "; Hill is taken by Archers" in dry
    alone = do(sh, "decline", "t1-bridge", "vanguard", "--dry-run").err
    assert "Vanguard must retreat to Hill or Mill; the player chooses after the battles" in alone
    two_left = do(sh, "decline", "t1-bridge", "guard", "--dry-run").err
    assert "Vanguard and Archers win it without losses, and no faction gets Bridge" in two_left
    edit = "cardbattle campaign edit t1-bridge --side vanguard --side archers --unset defender"
    assert f"do not fight each other; to let them fight instead: {edit}" in two_left
    do(sh, "set", "locations.bridge.owner=blue")
    real = do(sh, "decline", "t1-bridge", "vanguard", "archers").err
    assert "Guard wins it without losses, and Blue keeps Bridge" in real
    assert "next: go on with the turn: cardbattle campaign advance" in real


@pytest.mark.slow
def test_a_force_that_an_edit_takes_out_of_a_battle_must_retreat(sh: Shell, meeting: Path) -> None:
    left = do(sh, "edit", "t1-bridge", "--side", "archers", "--side", "guard")
    words = "Vanguard no longer fights in battle t1-bridge and must retreat, like a force that declines, to"
    move = "with: cardbattle campaign move vanguard hill"
    assert f"{words} Hill or Mill, as the player chooses, {move}" in left.err
    assert "next: t1-bridge is still pending; see what to do with: cardbattle campaign waiting" in left.err
    do(sh, "undo")
    do(sh, "set", "aftermath.no_retreat=surrenders", "aftermath.retreat=nearest-own")
    do(sh, "set", "forces.archers.location=hill", "forces.guard.location=mill")
    lost = do(sh, "edit", "t1-bridge", "--side", "archers", "--side", "guard").err
    assert 'has no way out; by no_retreat = "surrenders", it is lost; record this with' in lost
    do(sh, "undo")
    do(sh, "set", "aftermath.no_retreat=stays")
    assert "it stays" in do(sh, "edit", "t1-bridge", "--side", "archers", "--side", "guard").err
    do(sh, "set", "aftermath.retreat=none")
    assert "no longer" not in do(sh, "edit", "t1-bridge", "--side", "vanguard", "--side", "guard").err
    assert "next: go on with the turn: cardbattle campaign advance" in do(sh, "cancel", "t1-bridge").err


@pytest.mark.slow
def test_the_commands_name_the_one_that_lets_all_factions_of_a_contact_fight(sh: Shell, valley: Path) -> None:
    take(sh, "garrison: march to bridge\narchers: march to bridge\nvanguard: march to bridge")
    said = do(sh, "advance", code=4)
    found = re.search(r"fight too with: cardbattle campaign (edit [^;]*);?", said.err)
    assert found is not None and f"to let all of them fight: cardbattle campaign {found[1]}" in said.out
    assert found[1].startswith("edit t1-bridge --set rules=warmonger --side ")
    do(sh, *found[1].split())
    after = do(sh, "waiting")
    assert "fight too" not in after.out + after.err
    [battle] = json.loads(do(sh, "show", "--no-odds", "--json").out)["pending"]
    assert battle["rules"] == "warmonger"
    sides = [side if isinstance(side, list) else [side] for side in battle["sides"]]
    assert sorted(map(sorted, sides)) == [["archers"], ["garrison", "guard"], ["vanguard"]]
    do(sh, "fight", "--no-odds")


@pytest.mark.slow
@pytest.mark.parametrize("pending", ["all", "own"])
def test_a_force_that_the_umpire_adds_to_a_battle_meets_its_enemies(
    sh: Shell, valley: Path, pending: str
) -> None:
    """The reports show the fought battle, and not that the force stood by."""
    do(sh, "set", f"visibility.pending={pending}")
    take(sh, "archers: march to bridge\nvanguard: march to bridge")
    do(sh, "advance", code=4)
    sides = ("--side", "vanguard", "--side", "guard", "--side", "archers")
    do(sh, "edit", "t1-bridge", "--set", "rules=strategy-war", *sides)
    meeting = "Vanguard meets Guard and Archers at Bridge."
    reports = [do(sh, "report", "--no-chances", "--turn", "1", "--for", "green").out]
    do(sh, "override", "t1-bridge", "--winner", "archers", "--reason", "x")
    do(sh, "advance")
    for reader in ("green", "red", "umpire"):
        reports.append(do(sh, "report", "--no-chances", "--turn", "1", "--for", reader).out)
    assert all(meeting in report for report in reports)
    assert not any("stand by" in report for report in reports)


@pytest.mark.slow
def test_a_force_that_is_added_to_a_battle_reads_that_it_could_not_avoid_it(sh: Shell, valley: Path) -> None:
    """Blue reads about the battle, and not where the vanguard came from: in the twin, from the wood."""
    sentence = "Guard has to fight, although ordered to avoid battle"
    roads = '[[road]]\nbetween = ["wood", "mill"]\n[locations.wood]\n'
    hidden = "[visibility]\nlocation = 'rough'\npending = 'rough'\nstrength = 'rough'\n[movement]"
    sides = ("--side", "vanguard", "--side", "guard", "--side", "archers")
    seen = []
    for start in ("mill", "wood"):
        text = VALLEY.replace('location = "mill"', f'location = "{start}"').replace("[movement]", hidden)
        text = text.replace("strength = 8", "strength = 2").replace("allowance = 2", "allowance = 3")
        sh.write("campaign.toml", text + roads)
        (sh.folder / "history.toml").unlink(missing_ok=True)
        take(sh, "archers: march to bridge\nvanguard: march to bridge\nguard: hold, avoid battle")
        do(sh, "advance", code=4)
        reports = [do(sh, "report", "--no-chances", "--turn", "1", "--for", "blue").out]
        do(sh, "edit", "t1-bridge", "--set", "rules=strategy-war", *sides)
        reports.append(do(sh, "report", "--no-chances", "--turn", "1", "--for", "blue").out)
        seen.append(reports)
    assert seen[0] == seen[1]
    before, after = seen[0]
    assert "Guard stands by" in before and sentence not in before
    assert (
        sentence in after
        and "Vanguard meets Guard and Archers at Bridge" in after
        and "stands by" not in after
    )


@pytest.mark.slow
@pytest.mark.parametrize("fog", [False, True])
def test_a_force_that_fights_from_another_place_is_never_said_to_be_at_the_battle(
    sh: Shell, valley: Path, fog: bool
) -> None:
    """Contacts that share a force are one battle: Vanguard meets Guard on the road, and stays at the mill."""
    do(sh, "set", "forces.archers.faction=red", "locations.bridge.owner=blue", "locations.mill.owner=red")
    do(sh, "set", f"visibility.location={'own' if fog else 'all'}")
    take(sh, "vanguard: march to bridge\nguard: march to mill\narchers: march to bridge\ngarrison: hold\n")
    where = "at Bridge (Vanguard at Mill)"
    assert f"Vanguard and Archers meet Guard {where}" in do(sh, "advance", code=4).out
    do(sh, "fight", "--no-odds")
    do(sh, "advance")
    for reader in ("red", "blue", "green", "public", "umpire"):
        knows = not fog or reader in ("red", "umpire")
        told = sh("campaign", "report", "--turn", "1", "--no-chances", "--for", reader).out
        history = do(sh, "history", "--for", reader).out
        assert (where in history) == (where in told) == knows
        opening = re.search(r"^##? .* Bridge.*\n\n(?!Valley)(.*?)\.", told, re.MULTILINE)
        assert opening is not None  # it can say that they fought for the bridge, but not that they were there
        assert not re.search(r"\b(at|to|held|reached) Bridge|^Bridge,|\bthere\b", opening[1])


@pytest.mark.slow
def test_the_printed_turn_says_why_a_force_is_lost(sh: Shell, valley: Path) -> None:
    do(sh, "set", "aftermath.retreat=nearest-own", "aftermath.no_retreat=destroyed")
    take(sh, "archers: march to bridge")
    do(sh, "advance", code=4)
    do(sh, "override", "t1-bridge", "--winner", "archers", "--losses", "guard=1/2", "--reason", "x")
    printed = do(sh, "advance").out
    assert "Guard: strength 8 -> 6 (losses 1/2, attrition rate 1/2)" in printed
    assert "aftermath of t1-bridge Guard: destroyed Guard is destroyed: no way out" in printed
    assert "because" not in printed


@pytest.mark.slow
@pytest.mark.parametrize("is_undone", [False, True])
def test_a_report_leaves_out_how_the_campaign_was_set_up(sh: Shell, valley: Path, is_undone: bool) -> None:
    do(sh, "add", "faction", "Grey")
    do(sh, "add", "place", "Wood")
    do(sh, "add", "force", "Scouts", "--faction", "grey", "--strength", "4", "--place", "wood")
    do(sh, "add", "force", "Pikes", "--faction", "grey", "--strength", "4", "--reason", "new", "--public")
    take(sh, LINES)
    do(sh, "advance", "--fight")
    if is_undone:
        do(sh, "undo", "--turn")
        do(sh, "advance", "--fight")
    do(sh, "add", "force", "Late", "--faction", "grey", "--strength", "4", "--place", "wood")
    for words in (("--turn", "1", "--for", "blue"), ("--turn", "1"), ()):
        report = do(sh, "report", "--no-chances", *words).out
        assert "enters the war" not in report and "now on the map" not in report
        assert "Scouts take the field" not in report
        assert "Pikes take the field" in report and "Vanguard marches" in report
    assert "Late takes the field" in do(sh, "report", "--no-chances").out


@pytest.mark.slow
def test_a_faction_reads_names_in_its_unfinished_orders_and_when_new_ones_are_due(
    sh: Shell, valley: Path
) -> None:
    do(sh, "set", "forces.garrison.march=join guard", "deadlines.orders=3 days")
    assert "without a new order, Garrison goes on: join Guard" in do(sh, "report", "--for", "blue").out
    assert re.search(
        r"your orders for turn 1 to the umpire, by .* \(UTC", do(sh, "report", "--for", "blue").out
    )
    assert "orders for turn 1 are due by" in do(sh, "report", "--for", "public").out
    take(sh, "valley/blue@1:\nall: hold")
    assert "send your orders" not in do(sh, "report", "--for", "blue").out
    due = re.search(r"orders ask; the orders are due by [^(]* \(UTC", do(sh, "advance", "--no-wait").err)
    assert due is not None
    due_later = do(sh, "advance", "--no-wait", "--now", "2100-01-01").err
    assert "; the orders are due by 4 January 2100" in due_later  # the turn begins at that time


def test_the_umpire_reads_which_force_has_no_order_although_its_faction_has_sent_orders(
    sh: Shell, valley: Path
) -> None:
    take(sh, "blue@1:\nguard: hold\ngarrison: support the guard", code=3)
    said = do(sh, "orders", "status")
    assert "Blue in" in said.out and "Garrison" not in said.out
    assert "for you alone: no order for Garrison, in a faction whose orders are in" in said.err
    take(sh, "blue@1: garrison: hold")
    assert "no order for" not in do(sh, "orders", "status").err


def test_only_the_umpire_reads_which_faction_has_nothing_to_order(sh: Shell, valley: Path) -> None:
    assert "for you alone" not in do(sh, "orders", "status").err  # everyone knows
    do(sh, "set", "visibility.location=rough")
    assert "for you alone" not in do(sh, "orders", "status").err
    do(sh, "set", "forces.archers.destroyed=true")
    said = do(sh, "orders", "status")
    assert "for you alone: Green has no forces to order" in said.err and "no forces" not in said.out


def test_the_printed_recovery_has_only_what_forces_regain(sh: Shell, valley: Path) -> None:
    do(sh, "set", "recovery.rate=1/4", "locations.bridge.owner=blue", "locations.fort.owner=blue")
    do(sh, "set", "forces.guard.strength=4")
    printed = do(sh, "advance").out + do(sh, "history").out
    assert printed.count("ecovery: Guard: strength 4 -> 6") == 2 and "full strength" not in printed
    assert "full = 8" in (valley / "campaign.toml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_each_command_names_the_next_step(sh: Shell, valley: Path) -> None:
    ask = "next: print the messages that ask for orders with: cardbattle campaign orders ask"
    assert ask in do(sh, "check").err
    assert ask in do(sh, "advance", "--phase", "events").err
    assert "Roads: Mill to Bridge; Bridge to Fort." in do(sh, "show", "--no-odds").out
    do(sh, "set", "deadlines.orders=3 days")
    waits = do(sh, "advance", code=4).err
    assert ", until " in waits and "remind them with: cardbattle campaign orders ask --remind;" in waits
    do(sh, "orders", "give", "guard", "hold")
    do(sh, "orders", "give", "vanguard", "hold")
    waits = do(sh, "advance", code=4).err
    assert "the orders of Green, until " in waits and "campaign orders ask --remind --for green;" in waits
    take(sh, LINES)
    stopped = do(sh, "advance", "--no-wait", code=4)
    assert "Battles waits: t1-bridge is pending Report" in stopped.out  # `next:` has the commands
    assert "with: cardbattle campaign export t1-bridge --sheet" in stopped.err
    assert "campaign export t1-bridge --sheet" in do(sh, "waiting").out


def test_roads_without_movement_are_named(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY.replace("[movement]\nallowance = 2\n", ""))
    for command in (["check"], ["advance", "--dry-run"]):
        said = do(sh, *command).err
        assert "turn movement on: cardbattle campaign set movement.allowance=2" in said


@pytest.mark.slow
def test_views_after_the_movement_name_the_turn_of_new_orders_and_each_reason_once(
    sh: Shell, valley: Path
) -> None:
    take(sh, "vanguard: march to bridge\narchers: march to bridge")
    do(sh, "set", "forces.archers.plural=true")
    do(sh, "advance", "--fight")
    do(sh, "set", "forces.archers.plural=false")
    do(sh, "adjust", "factions.red.purse+=1", "forces.vanguard.strength+=1", "--reason", "levies", "--public")
    take(sh, LINES)
    do(sh, "advance", "--phase", "events")
    do(sh, "set", "locations.fort.name=Three Oaks")
    do(sh, "adjust", "locations.fort.owner=green", "--reason", "a treaty", "--public")
    assert "Three Oaks now belongs to Green" in do(sh, "report").out
    do(sh, "set", "locations.fort.plural=true")
    assert "Three Oaks now belong to Green" in do(sh, "report").out
    do(sh, "advance", "--phase", "movement")
    assert "orders for turn 3" in do(sh, "orders", "show").out
    report = do(sh, "report", "--turn", "2", "--for", "public").out
    assert report.count("Levies.") == 1 and "plural" not in report


@pytest.mark.slow
def test_an_opened_order_that_cannot_be_read_has_no_correction(sh: Shell, valley: Path) -> None:
    """Every correction would be refused, so the program advises none and asks for no order."""
    printed = sh("orders", "seal", "valley/red@1: vanguard: march to bidge")
    warned = 'before you send the sealed line: vanguard: unknown place "bidge"; did you mean'
    assert warned in " ".join(printed.err.split())
    sealed, opened = (line for line in printed.out.splitlines() if line.startswith("valley/red@1"))
    take(sh, sealed)
    take(sh, "blue@1: all: hold\ngreen@1: all: hold")
    do(sh, "set", "deadlines.orders=3 days")
    opening = do(sh, "orders", "ask").out
    assert "The deadline is " in opening
    assert opening.endswith("Send the line that you kept: valley/red@1: open ...")
    said = take(sh, opened, code=3).err
    assert 'unknown place "bidge"' in said and "orders give" not in said and "repeat" not in said
    assert "opened orders cannot be corrected; next: run the turn with: cardbattle campaign advance" in said
    for only in ((), ("--for", "red"), ("--for", "blue")):
        asked = do(sh, "orders", "ask", *only)
        assert asked.out == "The sealed orders are open, so no order can be changed."
    assert "repeat the command" in take(sh, "blue@1: guard: march to mill", code=3).err
    assert "orders give" not in take(sh, "blue@1: guard: march to mill", code=3).err


def test_a_long_message_is_one_file_but_several_posts(sh: Shell, valley: Path) -> None:
    text = VALLEY
    for n in range(16):
        text += f'[forces.company-{n}]\nname = "Company {n} of the Regiment of Foot"\nfaction = "red"\n'
        text += 'strength = 3\nlocation = "mill"\n'
    sh.write("campaign.toml", text)
    printed = sh("campaign", "orders", "ask", "--for", "red").out
    assert "To red, turn 1, part 1 of 2" in printed and "turn 1, part 2 of 2" in printed
    for form, names in (
        ("text", ["turn-1-red.txt"]),
        ("md", ["turn-1-red.md"]),
        ("discord", ["turn-1-red-part-1.txt", "turn-1-red-part-2.txt"]),
        ("json", ["turn-1-red-part-1.json", "turn-1-red-part-2.json"]),
    ):
        folder = sh.folder / form
        do(sh, "orders", "ask", "--for", "red", "--dir", form, "--format", form)
        assert sorted(file.name for file in folder.glob("turn-*")) == names
    whole = (sh.folder / "text" / "turn-1-red.txt").read_text("utf-8")
    assert whole.count("valley/red@1:\n") == 1 and "part" not in whole and len(whole) > 2000
    assert whole.startswith("Red: orders\nValley, Turn 1\n\nYour forces:\n")
    assert {*whole.splitlines()} <= {*printed.splitlines(), "Red: orders"}


def test_the_messages_end_with_the_step_that_belongs_to_them(sh: Shell, valley: Path) -> None:
    take_answers = "next: take the answers with: cardbattle campaign orders take FILE"
    assert do(sh, "orders", "ask", "--dir", "mails").err.endswith(take_answers)
    take(sh, "red@1: all: hold\nblue@1: all: hold\ngreen@1: all: hold")
    assert do(sh, "orders", "ask").err.endswith("next: run the turn with: cardbattle campaign advance")


def test_the_step_after_a_request_for_a_report_is_not_about_another_battle(sh: Shell, valley: Path) -> None:
    text = VALLEY.replace("[movement]\nallowance = 2\n", "")
    for battle, sides in (("north", '["vanguard", "garrison"]'), ("south", '["guard", "archers"]')):
        text += f'[[pending]]\nid = "{battle}"\nsides = {sides}\n'
    sh.write("campaign.toml", text + '[results]\nconfirm = "both"\n')
    do(sh, "fight", "south", "--by-message")
    do(sh, "confirm", "north/red: we won, we lost 1/4, they lost 1/2")
    take_answers = "next: take the answers with: cardbattle campaign orders take FILE"
    assert do(sh, "orders", "ask", "--for", "blue").err.endswith(take_answers)


@pytest.mark.slow
def test_the_turn_ends_with_the_command_for_the_reports(sh: Shell, valley: Path) -> None:
    take(sh, "red@1: all: hold\nblue@1: all: hold\ngreen@1: all: hold")
    wanted = "next: write each player's report with: cardbattle campaign report --turn 1 --for FACTION, and"
    said = do(sh, "advance")
    assert f"{wanted} send it; then print the messages that ask for orders with:" in said.err
    assert sh("campaign", "report", "--turn", "1", "--for", "red").code == 0
    written = do(sh, "advance", "--reports", "reports").err
    assert "next: send each player their own report, and everyone the public one; then print" in written


@pytest.mark.slow
def test_a_player_gets_a_message_about_lines_that_were_not_taken(sh: Shell, valley: Path) -> None:
    do(sh, "set", "deadlines.orders=3 days")
    said = take(sh, "blue@1:\nguard: hold\ngarrison: march to bidge\n", code=3)
    message = said.out[said.out.index("To blue, turn 1, not taken") :]
    assert 'These lines of yours do not count: - not taken: garrison: unknown place "bidge"' in message
    assert "The deadline is " in message and message.endswith("below this address: valley/blue@1: garrison:")
    dry = sh("campaign", "orders", "take", "--dry-run", "mail.txt")
    assert dry.code == 3 and "not taken" not in dry.out
    assert "The deadline is " in do(sh, "orders", "ask", "--for", "blue").out
    wanted = "next: run the turn with: cardbattle campaign advance"
    lacking = f"{wanted}; or first take an order of Garrison with: cardbattle campaign orders take FILE"
    assert lacking in take(sh, "red@1: all: hold\ngreen@1: all: hold").err
    assert lacking in do(sh, "waiting").err
    assert "Garrison" not in do(sh, "waiting", "--for", "blue").err
    assert take(sh, "blue@1: garrison: march to bridge").err.endswith(wanted)
    assert do(sh, "waiting").err.endswith(wanted)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("blue@1:\ngarrison: march to bidge\nSee you, Ann", False),
        ("blue@1:\ngarrison: march to bidge\nguard: hold", True),
        ("blue@1:\ngarrison: march to bidge\n\nred@1: vanguard: hold", False),
    ],
)
def test_the_message_says_that_other_lines_count_only_if_one_does(
    sh: Shell, valley: Path, text: str, counts: bool
) -> None:
    said = take(sh, text, code=3)
    assert "Send corrected lines below this address: valley/blue@1:" in said.out
    assert ("Your other lines count." in said.out) is counts
    again = take(sh, text, code=3)
    assert ("Your other lines count." in again.out) is counts


@pytest.mark.parametrize(
    "line", ["garrison - hold after all, no attack", "Garrison as agreed.", "guard: march to bidge"]
)
def test_the_message_about_later_lines_says_which_earlier_orders_count(
    sh: Shell, valley: Path, line: str
) -> None:
    take(sh, "blue@1: garrison: hold")
    said = take(sh, f"blue@1:\n{line}", code=3)
    counts = "Your earlier orders still count: - still counts: garrison: hold Send corrected lines below"
    assert counts in said.out and "the earlier order still counts: garrison: hold" in said.err


FORM = "\n\n> valley/blue@1:\n> garrison:\n"  # the form of one force


@pytest.mark.parametrize(
    "text",
    [
        *("Ah, sorry. Then: to the bridge, avoid battle\n\nO.", "to the bridge, avoid battle"),
        *("So then to the bridge, avoid battle, please.", "Thanks!\nMarch to the bridge, avoid battle"),
    ],
)
def test_an_order_alone_above_a_quoted_form_of_one_force_is_its_order(
    sh: Shell, valley: Path, text: str
) -> None:
    take(sh, text + FORM, code=3)  # the guard, too, has no order
    take(sh, "blue@1: guard: hold")
    said = take(sh, text + FORM)
    assert "Garrison: march to Bridge, avoid battle" in said.out and "not taken" not in said.out


@pytest.mark.parametrize(
    ("text", "below"),
    [
        *(("march to the bridge", "> guard:\n"), ("march to the bridge", "> guard: hold\n")),
        *(("march to the bridge\nhold", ""), ("march to the bridge?", "")),
        *(
            ("to the bridge\nbut only with Tom", ""),
            ("not to the bridge", ""),
            ("Hold on!", ""),
            ("Wait", ""),
        ),
        *(("to the bridge if it is free", ""), ("Forget it. To the bridge", ""), ("the bridge", "")),
        *(("Red marched to the bridge", ""), ("to the bridge\nor wait for Tom", "")),
    ],
)
def test_an_order_alone_is_not_read_if_anything_can_change_it(
    sh: Shell, valley: Path, text: str, below: str
) -> None:
    take(sh, "blue@1: guard: hold")
    take(sh, f"{text}{FORM}{below}", code=3)
    assert "garrison = " not in (valley / "campaign.toml").read_text()


def test_the_earlier_order_of_a_force_in_a_line_of_an_unknown_sender_is_named(
    sh: Shell, valley: Path
) -> None:
    take(sh, "blue@1: garrison: hold")
    said = take(
        sh, "Sorry, changed my mind: the garrison goes to the ford instead, I do not trust them.", code=3
    )
    assert "the earlier order still counts: garrison: hold" in said.err and not said.out
    assert (
        "still counts" not in take(sh, "Sorry, the vanguard goes to the ford instead, I think.", code=3).err
    )


@pytest.mark.parametrize(
    ("line", "form"),
    [("Garrison: fly", "guard: garrison:"), ("all: fly", "guard: garrison:"), ("guard: fly", "guard:")],
)
def test_the_form_has_the_force_of_a_rejected_line_whose_earlier_order_counts(
    sh: Shell, valley: Path, line: str, form: str
) -> None:
    take(sh, "blue@1: garrison: hold")
    said = take(sh, f"blue@1:\n{line}", code=3)
    assert "still counts: garrison: hold" in said.out
    assert said.out.rstrip().endswith(f"valley/blue@1: {form}")


def test_the_word_of_an_address_asks_for_no_force_with_this_word_in_its_name(sh: Shell, valley: Path) -> None:
    do(sh, "set", "forces.garrison.name=Young Blue")
    take(sh, "blue@1: garrison: hold")
    assert take(sh, "blue@1: guard: fly", code=3).out.endswith("valley/blue@1: guard:")


@pytest.mark.parametrize("before", ["hold", "march to bridge"])
def test_an_order_that_a_later_message_replaces_or_repeats_is_not_called_earlier(
    sh: Shell, valley: Path, before: str
) -> None:
    take(sh, f"blue@1: garrison: {before}")
    said = take(sh, "blue@1:\ngarrison: march to bridge\nguard: march to bidge", code=3)
    assert "Your other lines count. Send corrected lines below this address: valley/blue@1:" in said.out
    assert "still count" not in said.out + said.err


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["", "> "])
def test_earlier_orders_in_a_message_of_the_program_are_not_read_as_orders(
    sh: Shell, valley: Path, mark: str
) -> None:
    take(sh, "blue@1: garrison: hold")
    quoted = sh("campaign", "orders", "take", sh.write("no.txt", "blue@1:\nGarrison as agreed.")).out
    take(sh, "blue@1: garrison: march to bridge")
    back = take(sh, textwrap.indent(quoted, mark), code=3)
    assert "- not taken: the text contains no new order" in back.out
    assert "- still counts: garrison: march to bridge" in back.out


@pytest.mark.parametrize(("wrong", "is_to_correct"), [("", False), ("\nguard: fly", True)])
def test_the_umpire_need_not_correct_a_question_in_the_file(
    sh: Shell, valley: Path, wrong: str, is_to_correct: bool
) -> None:
    said = take(sh, f"blue@1:\ngarrison: march to bridge\nHow are you?{wrong}", code=3).err
    assert "this line is a question, not an order; answer it yourself" in said
    assert ("all other orders are accepted; correct the rejected ones in the file" in said) is is_to_correct
    assert ("correct" in said) is is_to_correct


def test_a_question_beside_a_rejected_line_is_not_under_the_lines_that_do_not_count(
    sh: Shell, valley: Path
) -> None:
    said = take(sh, "blue@1:\ngarrison: march to bridge\nguard: fly\n\nLike this then?", code=3).out
    refused, _, for_umpire = said.partition("These lines of yours are for the umpire: ")
    assert "These lines of yours do not count: - not taken: guard: " in refused and "Like this" not in refused
    assert for_umpire.startswith('- read by the umpire: "Like this then?" is a question; ')
    assert "Send corrected lines below this address" in for_umpire and "guard:" in for_umpire


def test_the_umpire_reads_how_to_spend_and_the_player_that_the_umpire_decides(
    sh: Shell, valley: Path
) -> None:
    do(sh, "set", "factions.blue.purse=9")
    request = "Could you please spend 4 from the purse on the garrison?"
    said = take(sh, f"What a first turn! {request}\n\nall: hold\n\n> blue@1:\n> guard:", code=3)
    command = "cardbattle campaign adjust factions.blue.purse-=4 forces.garrison.strength+=N --reason TEXT"
    assert f"this line is a request, not an order; to agree, write for example: {command}" in said.err
    answer = f'"{request}" is a request; the umpire has read it and will decide Your other lines count.'
    assert f"These lines of yours are for the umpire: - read by the umpire: {answer}" in said.out
    assert "To blue, turn 1, read by the umpire: " in said.out and "not taken" not in said.out
    quoted = f"Blue: read by the umpire\n\n- read by the umpire: {answer}"
    again = take(sh, f"blue@1:\ngarrison: march to bridge\n\n{quoted}")
    assert "Garrison: march to " in again.out and "ignored" not in again.err
    assert said.out.endswith("will decide Your other lines count.")
    do(sh, *command.replace("N", "2").split()[2:])


def test_the_command_for_a_gift_pays_the_receiver_as_printed(sh: Shell, valley: Path) -> None:
    do(sh, "set", "factions.blue.purse=9")
    said = take(sh, "blue@1:\nguard: hold\nPlease give 5 coins to Red.", code=3)
    command = "cardbattle campaign adjust factions.blue.purse-=5 factions.red.purse+=5 --reason TEXT"
    assert f"to agree, write: {command}; the receiver reads the reason only with --public" in said.err
    do(sh, *command.replace("TEXT", "tribute").split()[2:], "--public")
    for reader, sentence in (
        ("red", "The purse of Red grows by 5, to 5, paid by Blue (tribute)."),
        ("blue", "The purse of Blue shrinks by 5, to 4, paid to Red (tribute)."),
        ("green", "Tribute."),
    ):
        report = sh("campaign", "report", "--turn", "1", "--for", reader).out
        assert sentence in report and ("paid" in report) == ("purse" in report)
    do(sh, "undo")
    text = "blue@1:\nguard: hold\nPlease spend 4 on the garrison and give Red 1."
    said = take(sh, text, code=3)
    assert "each sum of the request can need a command of its own" in said.err


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Is my purse now 13?", "question"),
        ("What did the guard pay last turn?", "question"),
        ("*Do I have 13 coins??*", "question"),
        ("What about 13 coins for the garrison?", "request"),
        ("Can I spend 4 on the garrison?", "request"),
        ("Could you pay 4 for the garrison?", "request"),
        ("Why not spend 4 on the garrison?", "request"),
        ("Is my purse 13? Then spend 4 on the garrison.", "request"),
    ],
)
def test_a_question_about_money_is_not_a_request_for_it(
    sh: Shell, valley: Path, line: str, kind: str
) -> None:
    do(sh, "set", "factions.blue.purse=13")
    said = take(sh, f"blue@1:\nguard: hold\n{line}", code=3)
    assert f"this line is a {kind}, not an order" in said.err and f"is a {kind}; the umpire" in said.out
    assert ("purse-=" in said.err) == (kind == "request")


@pytest.mark.parametrize(
    "request_line",
    [
        "Please pay Anna 5 gold from her purse",
        "Please pay the vanguard 5 coins",
        "Please take 5 coins from their purse for the garrison",
        "Please pay 5 for the garrison from Red's purse",
        "Let Red give 5 coins to the garrison",
        "5 coins from Red for the garrison, please",
    ],
)
def test_no_command_charges_the_sender_for_what_another_can_be_meant_to_pay(
    sh: Shell, valley: Path, request_line: str
) -> None:
    do(sh, "set", "factions.blue.purse=9")
    said = take(sh, f"blue@1:\nguard: hold\n{request_line}", code=3)
    gain = "forces.garrison.strength+=N" if "garrison" in request_line else "factions.RECEIVER.purse+=5"
    command = f"cardbattle campaign adjust factions.PAYER.purse-=5 {gain} --reason TEXT"
    assert (
        f"it does not clearly say who pays whom; to agree, write with the right names: {command}" in said.err
    )
    assert "factions.blue" not in said.err and "is a request" in said.out


def test_a_message_without_anything_to_correct_has_no_empty_form(sh: Shell, valley: Path) -> None:
    request = "PS: please spend 4 on the garrison"
    said = take(sh, f"blue@1:\ngarrison: hold\n{request}", code=3)
    assert said.out.endswith("You can send the missing orders below this address: valley/blue@1: guard:")
    do(sh, "set", "forces.guard.destroyed=true")
    for line in ("guard: march to bridge", request):
        said = take(sh, f"blue@1:\ngarrison: march to bridge\n{line}", code=3)
        assert said.out.endswith("Your other lines count.") and "valley/blue@1:" not in said.out
    said = take(sh, f"blue@1:\n{request}\ngarrison: march to bidge", code=3)
    assert said.out.endswith("Send corrected lines below this address: valley/blue@1: garrison:")


@pytest.mark.parametrize(
    ("text", "only", "example"),
    [
        ("Dear umpire, we stay where we are.", ("--for", "red"), "vanguard"),
        ("red@1:\nDear umpire, we stay where we are.", (), "vanguard"),
        ("blue@1:\nWell!", (), "guard"),
    ],
)
def test_a_player_gets_a_message_about_a_mail_without_any_order(
    sh: Shell, valley: Path, text: str, only: tuple[str, ...], example: str
) -> None:
    said = do(sh, "orders", "take", sh.write("mail.txt", text), *only, code=3)
    error = f"the text contains no new order; write FORCE: ORDER, such as {example}: hold"
    faction = "red" if example == "vanguard" else "blue"
    assert f"cardbattle: {error}" in said.err and f"- not taken: {error}" in said.out
    assert f"To {faction}, turn 1, not taken" in said.out and f"valley/{faction}@1:" in said.out
    assert "other lines" not in said.out
    wanted = "next: print the messages that ask for orders with: cardbattle campaign orders ask; then take "
    assert wanted in said.err


def test_the_example_names_a_force_that_has_no_order_yet(sh: Shell, valley: Path) -> None:
    """A player who copies it must not stop a march."""
    take(sh, "valley/blue@1:\nguard: march to mill\n")
    said = take(sh, "valley/blue@1:\nDear umpire, we stay where we are.", code=3)
    assert "no new order; write FORCE: ORDER, such as garrison: hold" in said.err
    take(sh, "valley/blue@1:\ngarrison: hold\n")
    said = take(sh, "valley/blue@1:\nDear umpire, we stay where we are.", code=3)
    assert "no new order; each force has an order; to change one, write FORCE: ORDER" in said.err
    assert "such as" not in said.err + said.out


@pytest.mark.parametrize(
    ("faction", "order", "error"),
    [
        ("red", "hold", "each force of red has this order already, so nothing changes"),
        ("blue", "hold", "each force of blue has an order; to change one, name the force, such as guard"),
        ("green", "hold", "no force of green is on the map; place one with: cardbattle campaign move FORCE"),
        ("red", "fly", 'cannot read "fly"; write "hold", "march to PLACE"'),
    ],
)
def test_an_order_for_a_faction_without_a_force_that_needs_one_has_a_reason(
    sh: Shell, valley: Path, faction: str, order: str, error: str
) -> None:
    sh.write("campaign.toml", VALLEY.replace("strength = 3\n", "strength = 3\ndestroyed = true\n"))
    take(sh, "red@1: vanguard: hold\n\nblue@1: guard: march to mill\ngarrison: hold")
    said = do(sh, "orders", "give", faction, order, code=3)
    assert error in said.err and "percy" not in said.err


def test_a_mail_of_an_unknown_sender_without_any_order_has_a_next_step(sh: Shell, valley: Path) -> None:
    said = take(sh, "Dear umpire, we stay where we are.", code=3)
    assert not said.out and "contains no new order; write FORCE: ORDER" in said.err
    assert "next: print the messages that ask for orders" in said.err


def test_only_the_faction_that_sent_a_line_gets_the_message_about_it(sh: Shell, valley: Path) -> None:
    do(sh, "set", "visibility.location=own")
    said = take(sh, "Hello\nguard: march to bidge\nblue@1:\n\nred@1: vanguard: fly to fort\n", code=3)
    assert "To red, turn 1, not taken" in said.out and "To green" not in said.out
    red = said.out[said.out.index("To red, turn 1, not taken") :]
    assert "vanguard" in red and "bidge" not in red and "guard: march" not in red.replace("vanguard:", "")
    said = do(sh, "orders", "take", sh.write("mail.txt", "guard: march to bidge"), "--for", "blue", code=3)
    assert "To blue, turn 1, not taken" in said.out and "valley/blue@1: guard: garrison:" in said.out


@pytest.mark.parametrize(
    ("text", "only", "error"),
    [
        ("vanguard: hold\ngarrison: mill -> bridge", (), "begin it at Fort, where the force is"),
        ("garrison: mill -> bridge; vanguard: hold", (), "begin it at Fort, where the force is"),
        ("vanguard: hold\nblue: stay at mill", (), "the force is not at Mill"),
        ("vanguard: hold\nDid you see the archers march?", (), "this line is a question"),
        ("red@1: vanguard: hold\n\nblue@1: guard: hold", ("--for", "red"), "leave out --for"),
    ],
)
def test_a_player_gets_no_message_about_a_force_of_another_faction(
    sh: Shell, valley: Path, text: str, only: tuple[str, ...], error: str
) -> None:
    """Such an error can say where the force is, or that it still exists."""
    do(sh, "set", "visibility.location=own", "visibility.strength=own")
    said = do(sh, "orders", "take", sh.write("mail.txt", text), *only, code=3)
    assert error in said.err and "not taken" not in said.out


def test_the_words_of_a_player_do_not_keep_an_error_from_the_player(sh: Shell, valley: Path) -> None:
    said = take(sh, "red@1:\nvanguard: march to cardbattle land", code=3)
    assert '- not taken: vanguard: unknown place "cardbattle land"' in said.out


def test_a_player_reads_an_error_without_the_command_of_the_umpire(sh: Shell, valley: Path) -> None:
    sh.write("campaign.toml", (VALLEY + HIDDEN_BATTLE).replace("turn = 1", "turn = 2"))
    said = take(sh, "blue@1:\n", code=3)
    error = "turn 1 has been played; the address for this turn is blue@2"
    assert f"{error}; enter an answer to a battle with: cardbattle orders take" in said.err
    assert f"- not taken: {error}\n" in said.out or f"- not taken: {error} " in said.out
    assert "orders take" not in said.out


HIDDEN_BATTLE = """\
[[pending]]
id = "t1-fort"
sides = ["garrison", "archers"]
stakes = "fort"
"""


@pytest.mark.parametrize(
    "mail",
    [
        "red@1:\nfort: we won, they lost all",
        "red@1:\nfort - we won",
        "red@1:\nfort/blue: 5 to 3",
        "red@1: we fought at t1-fort, we won",
        "t1-fort/red@1:\nvanguard: hold",
        "red@1: vanguard: hold\n\nt1-fort/garrison@1: hold",
    ],
)
def test_a_battle_that_is_hidden_from_the_sender_does_not_change_the_message(
    sh: Shell, valley: Path, mail: str
) -> None:
    text = VALLEY + '[results]\nconfirm = "both"\n[visibility]\nlocation = "own"\npending = "own"\n'
    sent = []
    for battles in ("", HIDDEN_BATTLE):
        sh.write("campaign.toml", text + battles)
        for path in valley.glob("history.toml"):
            path.unlink()
        sent.append(sh("campaign", "orders", "take", sh.write("mail.txt", mail)).out.partition("To red")[2])
    assert sent[0] == sent[1]


def test_a_hidden_battle_that_was_declined_does_not_change_the_message(sh: Shell, valley: Path) -> None:
    mail = "red@1:\nt1-fort/red: red won, blue lost 1/4"
    text = VALLEY + '[results]\nconfirm = "both"\n[visibility]\nlocation = "own"\npending = "own"\n'
    sent = []
    for battle in ("", HIDDEN_BATTLE):
        sh.write("campaign.toml", text + battle)
        for path in valley.glob("history.toml"):
            path.unlink()
        if battle:
            assert sh("campaign", "decline", "t1-fort", "archers").code == 0
        said = sh("campaign", "orders", "take", sh.write("mail.txt", mail))
        assert ("was declined" in said.err) == bool(battle)
        sent.append(said.out.partition("To red")[2])
    assert sent[0] == sent[1] != ""


def test_the_message_about_a_rejected_line_can_be_quoted(sh: Shell, valley: Path) -> None:
    sh.write("mail.txt", "blue@1:\nguard: hold\ngarrison: march to bidge\n")
    out = sh("campaign", "orders", "take", "mail.txt").out
    form = out[out.index("Blue: not taken") :].rstrip()
    assert "Garrison: march to Bridge" in take(sh, f"{form} march to bridge").out
    quoted = "\n".join(f"> {line}" for line in form.splitlines())
    assert "Garrison: hold" in take(sh, f"blue@1: garrison: hold\n\n{quoted}").out


@pytest.mark.slow
@pytest.mark.parametrize("reported", [True, False])
def test_the_message_about_a_rejected_report_names_its_deadline(
    sh: Shell, valley: Path, reported: bool
) -> None:
    do(sh, "set", "results.confirm=both", "deadlines.confirm=2 days")
    take(sh, LINES)
    do(sh, "advance", code=4)
    if reported:
        take(sh, "t1-bridge/vanguard: we won, we lost 1/4, they lost 1/2")
    said = take(sh, "t1-bridge/guard: a feast, they lost none", code=3)
    assert "To blue, turn 1, result of t1-bridge" in said.out
    assert ("The deadline is " in said.out) == reported
    if reported:
        asked = do(sh, "orders", "ask", "--for", "blue").out
        assert re.findall("The deadline is .*", asked) == re.findall("The deadline is .*", said.out)


def test_an_example_that_was_edited_in_place_gets_the_hint_that_it_names_no_force(
    sh: Shell, valley: Path
) -> None:
    message = sh("campaign", "orders", "ask", "--for", "red").out
    edited = re.sub(r"(?m)^- march to .*", "march to hill", message)
    said = take(sh, edited, code=3)
    assert (
        'the text contains no new order; "march to hill" names no force; write FORCE: ORDER, such' in said.err
    )
    assert "names no force" not in take(sh, message, code=3).err


@pytest.mark.slow
def test_an_interrupted_report_does_not_hide_the_turn(
    sh: Shell, valley: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn is printed first, and then the commands for the reports that are missing."""

    def interrupt(plan: ReportPlan, *known: Mapping[Any, Any]) -> Document:
        if plan.wanted.reader == "red":
            raise KeyboardInterrupt
        return report_document(plan, *known)

    monkeypatch.setattr(turn_reports, "report_document", interrupt)
    said = do(sh, "advance", "--no-wait", "--reports", "my reports", "--no-chances", code=130)
    assert "Report turn 2 begins" in said.out
    assert said.err.startswith("wrote my reports/turn-1-public.md turn 1 is over, but some reports are not")
    command = "cardbattle campaign report --turn 1 --for red --no-chances -o 'my reports/turn-1-red.md'"
    assert command in said.err and "--for public" not in said.err
    assert sh(*shlex.split(command)[1:]).code == 0
    monkeypatch.chdir(valley.parent)
    said = sh("campaign", "-C", valley.name, "advance", "--no-wait", "--reports", "reports")
    assert (
        f"  cardbattle campaign -C {valley.name} report --turn 2 --for red -o reports/turn-2-red.md"
        in said.err
    )


def test_advance_simulates_no_chances_without_reports(sh: Shell, valley: Path) -> None:
    said = do(sh, "advance", "--no-chances", code=2).err
    assert "--no-chances is for the reports; add --reports DIR" in said


@pytest.mark.slow
def test_events_before_the_orders_are_in_the_message_that_asks_for_orders(sh: Shell, valley: Path) -> None:
    """A faction reads there what it reads in the report after the turn, until the forces have moved."""
    more = (
        '[visibility]\nstrength = "own"\n'
        '[[schedule]]\nturn = 1\ntext = "Recruits arrive"\nchange = { "forces.guard.strength" = 3 }\n'
        '[[event]]\nturn = 1\ntext = "Fever"\nchange = { "forces.vanguard.strength" = -1 }\n'
    )
    sh.write("campaign.toml", VALLEY + more)
    assert "What has happened in this turn" not in sh("campaign", "orders", "ask").out
    do(sh, "advance", "--phase", "schedule")
    do(sh, "advance", "--phase", "events")
    heading = "What has happened in this turn:\n- Recruits arrive."
    messages = sh("campaign", "orders", "ask").out
    blue = " Guard is reinforced by 3, to 11.\n- Fever.\n\nWeather: snow (-1 step)"
    red = "\n- Fever. Vanguard is reduced by 1, to 11.\n\nWeather: snow (-1 step)"
    for faction, text in (("blue", blue), ("red", red)):
        asked = sh("campaign", "orders", "ask", "--for", faction).out
        assert f"{heading}{text}" in asked and asked in messages
    take(sh, "\n".join(f"{force}: hold" for force in ("vanguard", "guard", "garrison", "archers")))
    do(sh, "advance", "--phase", "movement")
    assert "What has happened" not in sh("campaign", "orders", "ask").out


@pytest.mark.slow
def test_notes_of_the_turn_are_in_the_order_messages_of_those_who_may_read_them(
    sh: Shell, valley: Path
) -> None:
    """A mail that quotes a note gives no order."""
    do(sh, "note", "Guard: march to fort")
    note_words = {(): "everyone: Drums", ("--for", "Blue"): "Blue alone: Drums"}
    for options, words in note_words.items():
        assert do(sh, "note", "Drums", "--dry-run", *options).err.startswith(f"note of turn 1 for {words}")
    do(sh, "note", "Drums", "at the ford", "--for", "Blue", "--date", "8 July")
    do(sh, "note", "private: a trap")
    both = "\n\nFrom the umpire: Guard: march to fort\n"
    asked = {key: sh("campaign", "orders", "ask", "--for", key).out for key in ("red", "blue")}
    assert f"{both}From the umpire: 8 July, for Blue alone: Drums at the ford\n\nYour" in asked["blue"]
    assert f"{both}\nYour" in asked["red"]
    assert "trap" not in str(asked)
    take(sh, "blue@1:\ngarrison: hold\n" + "".join(f"> {line}\n" for line in asked["blue"].splitlines()))
    assert "march to fort" not in sh("campaign", "orders", "show").out
    do(sh, "advance")
    assert "From the umpire" not in sh("campaign", "orders", "ask").out
    assert "Drums" in sh("campaign", "report", "--turn", "1", "--for", "blue", "--no-chances").out
    assert "Drums" not in sh("campaign", "report", "--turn", "1", "--for", "red", "--no-chances").out
    refused = sh("campaign", "note", "Private", "x", "--for", "red")
    assert refused.code == 2 and "a note that begins with 'private' is for you only" in refused.err


@pytest.mark.slow
def test_a_plan_is_in_the_order_messages_of_the_factions_that_know_it_until_it_is_carried_out(
    sh: Shell, valley: Path
) -> None:
    """A mail that quotes the line gives no order."""
    more = (
        '[[schedule]]\nturn = 1\ntext = "Guard: march to fort"\nknown = ["blue"]\n'
        '[[schedule]]\nturn = 2\ntext = "A barge"\nknown = ["blue"]\n'
        '[[schedule]]\nturn = 2\ntext = "A fair"\nknown = ["public"]\n[[schedule]]\nturn = 1\ntext = "Rain"\n'
    )
    sh.write("campaign.toml", VALLEY + more)
    fair, barge = "- planned for turn 2: A fair\n", "- planned for turn 2: A barge\n"
    plan = "- planned for turn 1: Guard: march to fort\n"
    asked = {key: sh("campaign", "orders", "ask", "--for", key).out for key in ("red", "blue")}
    assert f"\n\nPlans that you know:\n{plan}{barge}{fair}\n" in asked["blue"]
    assert f"\n\nPlans that you know:\n{fair}\n" in asked["red"]
    assert "Rain" not in str(asked) and "barge" not in asked["red"]
    quoted = "blue@1:\ngarrison: hold\n" + "".join(f"> {line}\n" for line in asked["blue"].splitlines())
    take(sh, f"{quoted}\n")
    assert "march to fort" not in sh("campaign", "orders", "show").out
    do(sh, "advance", "--phase", "schedule")
    after = sh("campaign", "orders", "ask", "--for", "blue").out
    assert f"\n\nPlans that you know:\n{barge}{fair}\n" in after and plan not in after


def test_a_battle_for_a_force_with_an_order_warns_that_the_order_is_dropped(sh: Shell, valley: Path) -> None:
    take(sh, "guard: march to fort")
    do(sh, "move", "archers", "bridge")
    said = do(sh, "add", "battle", "x", "--side", "archers", "--side", "guard", "--stakes", "bridge")
    why = "it fights in the pending battle x"
    assert f"warning: order of guard: the force will hold, and the order is dropped: {why}" in said.err
    assert f"Guard: march to Fort: holds: {why}" in do(sh, "advance", code=4).out
    assert "warning" not in do(sh, "orders", "give", "guard", "march to fort").err


def test_the_umpire_reads_which_public_reason_stands_alone_in_reports(sh: Shell, valley: Path) -> None:
    do(sh, "set", "visibility.strength=own", "visibility.commander=own")
    do(sh, "set", "forces.guard.leader=Ann", "forces.guard.prisoner_of=red")
    why = ("--reason", "released", "--public")
    note = 'some players read only the reason, not the change: "released"'
    assert note in do(sh, "unset", "forces.guard.prisoner_of", *why).err
    for kept in (("visibility.pending=own",), ("factions.red.points=3",)):
        assert "some players" not in do(sh, "set", *kept, *why).err
    assert "some players" not in do(sh, "set", "forces.guard.strength=3", *why[:2]).err
    assert "Released." in do(sh, "report", "--turn", "1", "--for", "green").out


def test_messages_about_losses_say_that_only_a_part_is_lost_for_good(sh: Shell, valley: Path) -> None:
    """A player who has reported a half reads in the next message that a quarter is gone."""
    do(sh, "move", "archers", "bridge")
    do(sh, "add", "battle", "x", "--side", "guard", "--side", "archers", "--stakes", "bridge")
    do(sh, "set", "results.confirm=both", "aftermath.retreat=choose")
    do(sh, "advance", code=4)
    note = "A force loses only a part of its losses in a battle for good."
    asked = do(sh, "orders", "ask", "--battle", "x").out
    assert asked.count(note) == 2
    do(sh, "set", "attrition.rate=1")
    assert note not in do(sh, "orders", "ask", "--battle", "x").out
    do(sh, "set", "attrition.winner_rate=1/2")
    assert note in do(sh, "orders", "ask", "--battle", "x").out


def test_the_message_to_a_faction_with_a_substitute_says_that_no_orders_are_needed(
    sh: Shell, valley: Path
) -> None:
    do(sh, "substitute", "red", "veteran")
    message = sh("campaign", "orders", "ask", "--for", "red").out
    note = "A substitute (veteran) plays for Red until the end of turn 1, so no orders are needed."
    assert note in message and "You do not need to answer this message." in message
    for asking in ("Write an order", "- hold", "red@1", "vanguard:\n", "seal"):
        assert asking not in message
    said = take(sh, f"{message}\n{LINES}")
    assert "substitute" not in said.err
    do(sh, "substitute", "red", "human")
    assert "no orders are needed" not in sh("campaign", "orders", "ask", "--for", "red").out


@pytest.mark.slow
def test_a_force_that_goes_on_without_the_one_it_joins_reads_why(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY + '[forces.pikes]\nfaction = "red"\nstrength = 6\nlocation = "mill"\n')
    mail = sh.write("mail.txt", "red@1:\nvanguard: march to bridge, avoid battle\npikes: join vanguard\n")
    warning = "pikes: joins vanguard, which avoids battle: if that stops, pikes goes on alone"
    assert warning in do(sh, "orders", "take", mail).err
    printed = do(sh, "advance", "--no-wait", "--explain", code=4).out
    assert "Pikes: join Vanguard: Mill -> Bridge; meets Guard at Bridge; goes on without Vanguard" in printed
    sentence = "Pikes go on without Vanguard, which stops to avoid battle."
    assert sentence in do(sh, "report", "--turn", "1", "--for", "red").out
    assert sentence not in do(sh, "report", "--turn", "1", "--for", "blue").out
