"""Soldiers for a price in a turn by messages: what each player reads, and undo."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.turn.hints.order_hints import order_hints
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.marches import books

WAR = """\
format = 1
name = "Valley"
turn = 1
revision = 0
seed = "soldiers"
rules = "field-of-honour"
[movement]
allowance = 2
[recruit]
cost = 3
[visibility]
strength = "own"
[factions.red]
purse = 11
[factions.blue]
[factions.green]
purse = 2
[forces.vanguard]
faction = "red"
strength = 12
location = "mill"
[forces.militia]
faction = "red"
strength = 6
location = "fort"
[forces.guard]
faction = "blue"
strength = 8
location = "bridge"
[forces.archers]
faction = "green"
strength = 3
location = "wood"
[locations.mill]
owner = "red"
supply = true
[locations.bridge]
owner = "blue"
supply = true
[locations.fort]
[locations.wood]
[[road]]
between = ["mill", "bridge"]
[[road]]
between = ["mill", "fort"]
"""


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def valley(sh: Shell) -> Path:
    """Write the campaign into the folder of the shell, and take orders of all players."""
    sh.write("campaign.toml", WAR)
    sh.write("red.txt", "valley/red@1:\nvanguard: hold, hire 2\nmilitia: hold\nhire 3 for the militia\n")
    sh.write("blue.txt", "guard: hold, hire 1\n")
    assert sh("campaign", "orders", "take", "red.txt", "blue.txt").code == 0
    return sh.folder


def test_a_message_has_the_price_and_an_example_for_who_can_hire(sh: Shell) -> None:
    sh.write("campaign.toml", WAR)
    red, blue, green = (sh("campaign", "orders", "ask", "--for", key).out for key in ("red", "blue", "green"))
    price = "A soldier costs 3: your purse pays for"
    assert f"Your purse: 11. {price} 3. Forces hire at the end of the turn, in Mill." in red
    assert '\nAdd ", hire 2" to an order to hire soldiers.\n' in red and "Mill (supply)" in red
    assert f"{price} none. Forces hire at the end of the turn, in Bridge." in blue and "hire 2" not in blue
    assert "soldier" not in green
    sh("campaign", "unset", "recruit")
    assert "hire" not in sh("campaign", "orders", "ask").out.lower()


RULES = """\
[aftermath]
retreat = "choose"
no_retreat = "surrenders"
capture = true
[attrition]
rate = "1/2"
[recovery]
rate = "1/4"
[experience]
battle = 1
win = 2
"""


def test_the_first_messages_and_those_with_the_whole_map_have_the_rules_of_the_war(sh: Shell) -> None:
    sh.write("campaign.toml", f"{WAR}{RULES}")
    asked = sh("campaign", "orders", "ask", "--for", "red").out
    assert (
        "Rules of this war: players choose where their beaten forces retreat; a force that cannot retreat "
        "surrenders; a faction takes a place in which only it has forces; a force loses 50% of its losses "
        "in a battle for good; a force that rests in a place of its faction regains 25% of its full "
        "strength; a battle brings a force 1 experience, and a victory 2 more.\n"
    ) in asked
    sh.write("mail.txt", f"vanguard: hold\nmilitia: hold\n\n{asked.partition('next:')[0]}")
    assert "Rules" not in sh("campaign", "orders", "take", "mail.txt").err
    sh("campaign", "set", "scoring.win=2", "visibility.strength=rough")
    asked = sh("campaign", "orders", "ask", "--for", "red").out
    assert "Rules of this war: points: 2 for a victory; players choose" in asked
    assert '; a strength of "about 5" is 4 to 7 and "about 10" is 8 to 12.\n' in asked
    wrapped = (
        each for line in asked.partition("next:")[0].splitlines() for each in textwrap.wrap(line) or [""]
    )
    quoted = "\n".join(f"> {line}" for line in wrapped)
    said = sh(
        "campaign",
        "orders",
        "take",
        sh.write("mail.txt", f"vanguard: hold, hire 1\nmilitia: hold\n\n{quoted}"),
    )
    assert said.code == 0 and "about" not in said.err
    sh("campaign", "advance", "--leave")
    assert "Rules of" not in sh("campaign", "orders", "ask", "--for", "red").out
    assert "Rules of" in sh("campaign", "orders", "ask", "--for", "red", "--map").out


def test_a_quoted_message_is_not_an_order_to_hire(sh: Shell) -> None:
    sh.write("campaign.toml", WAR)
    asked = sh("campaign", "orders", "ask", "--for", "red").out
    quoted = "\n".join(f"> {line}" for line in asked.splitlines())
    sh.write("mail.txt", f"vanguard: hold\nmilitia: hold\n\n{quoted}\n")
    assert sh("campaign", "orders", "take", "mail.txt").code == 0
    assert "hire" not in sh("campaign", "orders", "show").out


@pytest.mark.parametrize(
    ("order", "place"),
    [
        ("vanguard = 'march to fort, hire 2'", "Fort"),
        ("militia = 'hold, hire 2'", "Fort"),
        ("militia = 'hire 2'", "Fort"),
        ("vanguard = 'march to fort'", ""),
        ("militia = 'march to bridge, hire 2'", ""),  # through the mill, and the bridge can be captured
        ("vanguard = 'hold, hire 2'", ""),
    ],
)
def test_the_umpire_reads_that_an_order_ends_in_no_place_for_hiring(order: str, place: str) -> None:
    campaign = books(f"{WAR}[orders]\n{order}\n").campaign
    hints = [hint.text for hint in order_hints(campaign, EMPTY_LEDGER)]
    assert hints == ([f"it hires no soldiers: {place} is no place for hiring"] if place else [])


def test_a_player_reads_that_an_order_ends_in_no_place_for_hiring(sh: Shell) -> None:
    sh.write("campaign.toml", WAR)
    sh.write("mail.txt", "vanguard: march to fort, hire 1\nmilitia: join vanguard, hire 2\n")
    taken = sh("campaign", "orders", "take", "mail.txt", "--for", "red")
    warning = "hires no soldiers: Fort is no place for hiring"
    assert taken.code == 0 and taken.err.count(f"warning: order of vanguard: it {warning}") == 1
    assert f"- read as: vanguard: march to fort, hire 1; it {warning}" in taken.out
    assert f"- read as: militia: join vanguard, hire 2; it {warning}" in taken.out
    quoted = taken.out[taken.out.index("Red: read as") : taken.out.index("To change them")]
    sh.write("answer.txt", f"vanguard: hold, hire 1\nmilitia: hold\n\n{quoted}")
    assert sh("campaign", "orders", "take", "answer.txt", "--for", "red").code == 0


def test_a_turn_tells_what_was_hired_and_why_not_more(sh: Shell, valley: Path) -> None:
    told = (
        "Vanguard: hires 2 soldiers; Vanguard: strength 12 -> 14; Militia: hires 0 of 3 soldiers: it is in no"
    )
    dry = flat(sh("campaign", "advance", "--dry-run", "--explain").out)
    assert told in dry and "because: Vanguard hires 2 soldiers for 6, 3 for each" in dry
    assert "Guard: hires 0 of 1 soldier: the purse pays for no more" in dry
    assert sh("campaign", "advance").code == 0
    red, blue, public = (
        flat(sh("campaign", "report", "--turn", "1", "--format", "plain", *reader).out)
        for reader in (("--for", "red"), ("--for", "blue"), ("--for", "public"))
    )
    assert "Militia hires 0 of 3 soldiers: it is in no place for hiring" in red
    assert "reinforced by 2, to 14" in red and "The purse of Red shrinks by 6, to 5" in red
    assert "Guard hires 0 of 1 soldier" in blue
    for text in (blue, public):
        assert not any(word in text for word in ("Militia hires", "reinforced", "purse of Red", "14"))
    assert "hire" not in public
    assert told in flat(sh("campaign", "history").out)


def test_between_movement_and_upkeep_a_later_order_is_for_the_next_turn(sh: Shell, valley: Path) -> None:
    assert sh("campaign", "advance", "--phase", "movement").code == 0
    assert "Vanguard hires 2 soldiers at the end of the turn" in flat(sh("campaign", "show").out)
    sh.write("more.txt", "valley/red@2:\nvanguard: hire 1\n")
    assert sh("campaign", "orders", "take", "more.txt").code == 0
    assert sh("campaign", "advance").code == 0
    text = (valley / "campaign.toml").read_text(encoding="utf-8")
    assert "strength = 14" in text and 'vanguard = "hire 1"' in text and "hires" not in text
    assert sh("campaign", "advance", "--no-wait").code == 0
    assert "strength = 15" in (valley / "campaign.toml").read_text(encoding="utf-8")


def test_undo_restores_every_byte_and_an_order_to_hire_nobody_cancels(sh: Shell, valley: Path) -> None:
    file = valley / "campaign.toml"

    def without_count() -> list[str]:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if not line.startswith("revision")]

    before = without_count()
    assert sh("campaign", "orders", "give", "vanguard", "hire", "0").code == 0
    assert 'vanguard = "hold, hire 0"' in file.read_text(encoding="utf-8")
    sh("campaign", "undo")
    assert without_count() == before
    sh("campaign", "advance")
    sh("campaign", "undo", "--turn")
    assert without_count() == before
    for phase in ("movement", "upkeep"):  # one by one, as after an interruption
        assert sh("campaign", "advance", "--phase", phase).code == 0
    assert "strength = 14" in file.read_text(encoding="utf-8")
    sh("campaign", "undo")
    sh("campaign", "undo")
    assert without_count() == before


def test_orders_to_hire_that_were_not_carried_out_end_with_the_turn(sh: Shell, valley: Path) -> None:
    assert sh("campaign", "advance", "--skip", "upkeep").code == 0
    text = (valley / "campaign.toml").read_text(encoding="utf-8")
    assert "turn = 2" in text and "hires" not in text and "strength = 14" not in text


def test_a_sealed_order_to_hire_counts_when_it_is_opened(sh: Shell) -> None:
    sh.write("campaign.toml", WAR)
    said = sh("orders", "seal", "valley/red@1: vanguard: hold; vanguard: hire 2; militia: hire 1, hold").out
    sealed, opened = (
        next(line for line in said.splitlines() if word in line) for word in (": sealed", ": open")
    )
    for text in (sealed, "guard: hold\n", "archers: hold\n"):
        assert sh("campaign", "orders", "take", sh.write("mail.txt", text)).code == 0
    assert "hire" not in sh("campaign", "orders", "show").out
    assert sh("campaign", "orders", "take", sh.write("mail.txt", opened)).code == 0
    shown = flat(sh("campaign", "orders", "show").out)
    assert "hold, hire 2" in shown and "hold, hire 1" in shown


def test_a_campaign_without_a_price_reads_and_plays_as_before(sh: Shell) -> None:
    sh.write("campaign.toml", WAR.replace("[recruit]\ncost = 3\n", ""))
    sh.write("red.txt", "valley/red@1:\nvanguard: hold\nmilitia: hold\nhire 3 for the militia\n")
    assert "adjust factions.red.purse-=N forces.militia.strength+=3" in flat(
        sh("campaign", "orders", "take", "red.txt").err
    )
    assert sh("campaign", "advance", "--no-wait").code == 0
    assert "hir" not in sh("campaign", "history", "--json").out
