"""After a battle: who retreats where and why, what pursuit costs, who gains experience, which places fall."""

from __future__ import annotations

import pytest

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, MISSED, Entry
from cardbattle.campaign.ledger.operations import decline_battle, plan_import
from cardbattle.campaign.phases import retreat
from cardbattle.campaign.phases.aftermath import run_aftermath
from cardbattle.campaign.phases.phase import Outcome, Situation
from cardbattle.campaign.state.battle_result import BattleResult
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign
from tests.support.marches import books, decided

WAR = """\
format = 1
name = "The Crossing"
turn = 3
seed = 7
rules = "field-of-honour"

[scoring]
win = 2
declined = -1

[attrition]
rate = "1"

[aftermath]
retreat = "nearest-own"
pursuit = "1/4"
no_retreat = "destroyed"
capture = true

[experience]
battle = 1
win = 2
steps = [
    { at = 3, title = "blooded", commander = "seasoned" },
    { at = 6, title = "old guard", give = { hand = 1 } },
]

[factions.red]
[factions.blue]

[forces.rufus]
faction = "red"
strength = 12
location = "ford"

[forces.boyd]
faction = "blue"
strength = 8
location = "ford"

[locations.ford]
owner = "blue"
[locations.hill]
[locations.keep]
owner = "blue"
[locations.camp]
owner = "red"
[locations.moor]

[map]
roads = [["camp", "ford"], ["ford", "hill"], ["hill", "keep"], ["ford", "moor"]]

[[pending]]
id = "ford"
sides = ["rufus", "boyd"]
stakes = "ford"
"""
MARCH = Entry(1, "movement", [Change(("forces", "rufus", "location"), "camp", "ford")])


def after(
    text: str, battle: BattleResult, *entries: Entry, choices: dict[str, str] | None = None
) -> Situation:
    """Return the situation after a battle in the war at the crossing."""
    file = books(text)
    [operation] = plan_import(file, EMPTY_LEDGER, [battle]).operations
    campaign = file.campaign.after(operation.entry.changes)
    return Situation(campaign, EMPTY_LEDGER, [*entries, operation.entry], choices or {})


def lost_by(loser: str = "boyd", share: str = "0") -> BattleResult:
    winner = "rufus" if loser == "boyd" else "boyd"
    return decided("ford", winner, **{winner: "0", loser: share})


def campaign_after(situation: Situation) -> Campaign:
    for cause in run_aftermath(situation).causes:
        situation = situation.after(cause.changes)
    return situation.campaign


def reasons(outcome: Outcome) -> str:
    return "\n".join(reason for cause in outcome.causes for reason in (*cause.reasons, *cause.remarks))


def test_the_beaten_retreat_one_road_towards_the_nearest_own_place() -> None:
    situation = after(WAR, lost_by(), MARCH)
    assert campaign_after(situation).forces["boyd"].location == "hill"
    told = reasons(run_aftermath(situation))
    assert "Boyd retreats to Hill: the best of Hill (1 step from a place of its own) or Moor" in told


def test_no_one_retreats_along_the_road_of_another_beaten_side() -> None:
    third = '[factions.green]\n[forces.kyd]\nfaction = "green"\nlocation = "ford"\nstrength = 4\n'
    text = WAR.replace("field-of-honour", "strategy-war")
    text = text.replace(", give = { hand = 1 }", "").replace(", give = { hand = 1 }", "")
    text = text.replace('"boyd"]', '"boyd", "kyd"]')
    text = text.replace("[locations.ford]", third + "[locations.ford]", 1)
    came = Entry(2, "movement", [Change(("forces", "kyd", "location"), "hill", "ford")])
    lost = decided("ford", "rufus", rufus="0", boyd="0", kyd="0")
    assert campaign_after(after(text, lost, MARCH, came)).forces["boyd"].location == "moor"


def test_no_one_retreats_along_the_road_by_which_the_enemy_came() -> None:
    west = WAR.replace('["ford", "hill"]', '["ford", "keep"]').replace('"hill", "keep"', '"hill", "camp"')
    come_from_keep = Entry(1, "movement", [Change(("forces", "rufus", "location"), "keep", "ford")])
    assert campaign_after(after(west, lost_by())).forces["boyd"].location == "keep"
    assert campaign_after(after(west, lost_by(), come_from_keep)).forces["boyd"].location != "keep"


def test_the_road_by_which_the_enemy_came_in_an_earlier_turn_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entries of a situation are those of its turn; the ledger knows the earlier ones."""
    west = WAR.replace('["ford", "hill"]', '["ford", "keep"]').replace('"hill", "keep"', '"hill", "camp"')
    monkeypatch.setattr(retreat, "previous_place", lambda situation, force: "keep")
    assert campaign_after(after(west, lost_by())).forces["boyd"].location == "keep"


def test_no_one_retreats_to_an_enemy_nor_to_a_full_place() -> None:
    guard = '[forces.guard]\nfaction = "red"\nstrength = 1\nlocation = "hill"\n\n[locations.ford]'
    situation = after(WAR.replace("[locations.ford]", guard), lost_by(), MARCH)
    assert campaign_after(situation).forces["boyd"].location == "moor"
    friend = guard.replace('"red"', '"blue"').replace(
        "[locations.ford]", "[movement]\nstacking = 1\n\n[locations.ford]"
    )
    situation = after(WAR.replace("[locations.ford]", friend), lost_by(), MARCH)
    assert campaign_after(situation).forces["boyd"].location == "moor"


def test_forces_of_an_ally_do_not_fill_a_place() -> None:
    ally = (
        '[forces.guard]\nfaction = "green"\nstrength = 1\nlocation = "hill"\n\n[movement]\nstacking = 1\n\n'
    )
    text = WAR.replace("[locations.ford]", f"{ally}[locations.ford]")
    text = text.replace("[factions.blue]", '[factions.blue]\npeace = ["green"]\n[factions.green]')
    assert campaign_after(after(text, lost_by(), MARCH)).forces["boyd"].location == "hill"


@pytest.mark.parametrize(("contact", "place"), [("road-and-place", "moor"), ("place", "hill")])
def test_no_one_retreats_past_an_enemy_on_the_road(contact: str, place: str) -> None:
    guard = (
        '[forces.guard]\nfaction = "red"\nstrength = 1\nlocation = "hill"\ntowards = "ford"\nwalked = 1\n\n'
    )
    text = WAR.replace("[locations.ford]", f'{guard}[movement]\ncontact = "{contact}"\n\n[locations.ford]')
    text = text.replace('["ford", "hill"], ', "")
    text = text.replace("[[pending]]", '[[road]]\nbetween = ["ford", "hill"]\nlength = 2\n\n[[pending]]')
    assert campaign_after(after(text, lost_by(), MARCH)).forces["boyd"].location == place


@pytest.mark.parametrize(
    ("rule", "destroyed", "why"),
    [
        ("destroyed", True, "Boyd is destroyed"),
        ("surrenders", True, "Boyd surrenders"),
        ("stays", False, "Boyd stays"),
    ],
)
def test_a_force_that_cannot_retreat_does_what_the_file_says(rule: str, destroyed: bool, why: str) -> None:
    cut_off = WAR.replace('["ford", "hill"], ["hill", "keep"], ["ford", "moor"]', '["hill", "keep"]')
    situation = after(cut_off.replace('"destroyed"', f'"{rule}"', 1), lost_by(), MARCH)
    boyd = campaign_after(situation).forces["boyd"]
    assert (boyd.destroyed, boyd.location) == (destroyed, "ford")
    assert f"{why}: no way out: Camp is where the enemy came from" in reasons(run_aftermath(situation))


@pytest.mark.parametrize(("share", "left"), [("0", 8), ("1/2", 3), ("3/4", 0)])
def test_pursuit_costs_a_quarter_for_each_full_two_to_one(share: str, left: int) -> None:
    """12 against 8 is less than 2:1; against 4 it is one step, a quarter of 4; against 2 three."""
    assert campaign_after(after(WAR, lost_by("boyd", share), MARCH)).forces["boyd"].strength == left


def test_pursuit_compares_the_winners_with_each_beaten_side() -> None:
    """12 against 8 is less than 2:1, and 12 against 3 two steps. The two beaten sides are not one."""
    third = '[forces.gray]\nfaction = "green"\nstrength = 3\nlocation = "ford"\n\n[forces.boyd]'
    text = WAR.replace("[forces.boyd]", third).replace("[factions.red]", "[factions.red]\n[factions.green]")
    text = text.replace('"boyd"]', '"boyd", "gray"]').replace("field-of-honour", "strategy-war")
    text = text.replace(", give = { hand = 1 }", "")
    result = decided("ford", "rufus", rufus="0", boyd="0", gray="0")
    forces = campaign_after(after(text, result, MARCH)).forces
    assert (forces["boyd"].strength, forces["gray"].strength) == (8, 1)


def test_a_draw_lets_all_stay() -> None:
    draw = decided("ford", rufus="1/4", boyd="1/4")
    situation = after(WAR, draw, MARCH)
    forces = campaign_after(situation).forces
    assert (forces["rufus"].location, forces["boyd"].location) == ("ford", "ford")


def test_a_force_that_fought_from_elsewhere_stays_there() -> None:
    away = WAR.replace('strength = 8\nlocation = "ford"', 'strength = 8\nlocation = "keep"')
    situation = after(away, lost_by(), MARCH)
    assert campaign_after(situation).forces["boyd"].location == "keep"
    assert ": at Keep, not where the battle was" in reasons(run_aftermath(situation))


def test_the_umpire_chooses_and_the_turn_waits_until_then() -> None:
    text = WAR.replace('"nearest-own"', '"choose"')
    [wait] = run_aftermath(after(text, lost_by(), MARCH)).waits
    ask = "ask its player with: cardbattle campaign orders ask"
    how = f"{ask}, or choose with: cardbattle campaign advance --retreat boyd=hill"
    assert wait == f"battle ford: Boyd must retreat to Hill or Moor; {how}"
    assert (
        campaign_after(after(text, lost_by(), MARCH, choices={"boyd": "moor"})).forces["boyd"].location
        == "moor"
    )
    [wait] = run_aftermath(after(text, lost_by(), MARCH, choices={"boyd": "camp"})).waits
    assert '"camp" is not one of them' in wait


@pytest.mark.parametrize(
    ("kind", "places", "why"),
    [
        ("orders", ("hill", "moor"), "chosen among Hill and Moor"),
        ("orders", ("moor",), "chosen, and now the only way out: Moor (cut off from places of its own)"),
        (
            MISSED,
            ("hill", "moor"),
            "no answer came in time; the best of Hill (1 step from a place of its own) or Moor (cut off from "
            "places of its own)",
        ),
        (
            MISSED,
            ("hill",),
            "no answer came in time; the only way out: Hill (1 step from a place of its own)",
        ),
    ],
)
def test_the_umpire_reads_whether_a_retreat_was_chosen(kind: str, places: tuple[str, ...], why: str) -> None:
    steps = {"hill": 1, "moor": retreat.FAR}
    candidates = [retreat.Candidate(False, steps[place], 1, place) for place in places]
    choice = Entry(1, kind, [Change(("forces", "boyd", "retreat"), None, places[0])])
    situation = Situation(books(WAR).campaign, EMPTY_LEDGER, [MARCH, choice])
    assert retreat.reason_of_choice(situation, "boyd", candidates) == why


def test_a_force_can_go_back_where_it_came_from() -> None:
    text = WAR.replace('"nearest-own"', '"previous"')
    came = Entry(1, "movement", [Change(("forces", "boyd", "location"), "moor", "ford")])
    assert campaign_after(after(text, lost_by(), came)).forces["boyd"].location == "moor"


def test_experience_follows_from_the_recorded_result() -> None:
    situation = after(WAR, lost_by("boyd", "1/8"), MARCH)
    forces = campaign_after(situation).forces
    assert (forces["rufus"].experience, forces["boyd"].experience) == (3, 1)
    assert (forces["rufus"].title, forces["rufus"].commander) == ("blooded", "seasoned")
    assert (forces["boyd"].title, forces["boyd"].commander) == (None, "regular")


def test_a_better_commander_stays_better() -> None:
    text = WAR.replace('faction = "red"\nstrength', 'faction = "red"\ncommander = "elite"\nstrength')
    assert campaign_after(after(text, lost_by(), MARCH)).forces["rufus"].commander == "elite"


def test_a_destroyed_force_neither_retreats_nor_learns() -> None:
    text = WAR.replace('rate = "1"', 'rate = "1"\ndestroyed_below = 2')
    forces = campaign_after(after(text, lost_by("boyd", "1"), MARCH)).forces
    assert (forces["boyd"].location, forces["boyd"].experience) == ("ford", 0)


def test_a_place_falls_to_those_who_stand_alone_in_it() -> None:
    text = WAR.replace('stakes = "ford"', 'place = "ford"')
    assert campaign_after(after(text, lost_by(), MARCH)).locations["ford"].owner == "red"
    assert campaign_after(after(text, lost_by("rufus"), MARCH)).locations["ford"].owner == "blue"
    draw = decided("ford", rufus="0", boyd="0")
    assert campaign_after(after(text, draw, MARCH)).locations["ford"].owner == "blue"


@pytest.mark.parametrize(("starved", "owner"), [(False, "red"), (True, "blue")])
def test_an_upkeep_before_the_aftermath_changes_no_capture(starved: bool, owner: str) -> None:
    text = WAR[: WAR.index("[[pending]]")].replace("strength = 8\n", "strength = 0\ndestroyed = true\n")
    fallen = [Change(("forces", "boyd", "destroyed"), None, True)] if starved else []
    upkeep = Entry(2, "supply", fallen)
    campaign = campaign_after(Situation(books(text).campaign, EMPTY_LEDGER, [MARCH, upkeep]))
    assert campaign.locations["ford"].owner == owner


LONG_ROAD = '[[road]]\nbetween = ["hill", "keep"]\nlength = 3\n\n'


def test_a_force_that_retreats_captures_nothing() -> None:
    open_hill = WAR.replace("[locations.hill]", '[locations.hill]\nowner = "red"')
    to_hill = open_hill.replace(', ["ford", "moor"]', "")
    campaign = campaign_after(after(to_hill, lost_by(), MARCH))
    assert (campaign.forces["boyd"].location, campaign.locations["hill"].owner) == ("hill", "red")


@pytest.mark.parametrize("fate", ["destroyed = true", 'towards = "keep"\nwalked = 1'])
def test_a_comrade_who_is_destroyed_or_on_the_road_captures_no_place_for_it(fate: str) -> None:
    text = WAR.replace("[locations.hill]", '[locations.hill]\nowner = "red"').replace(
        ', ["ford", "moor"]', ""
    )
    text = text.replace('["hill", "keep"]', '["hill", "camp"]').replace(
        "[[pending]]", LONG_ROAD + "[[pending]]", 1
    )
    text += f'[forces.bowes]\nfaction = "blue"\nstrength = 3\nlocation = "hill"\n{fate}\n'
    campaign = campaign_after(after(text, lost_by(), MARCH))
    assert (campaign.forces["boyd"].location, campaign.locations["hill"].owner) == ("hill", "red")


def test_who_declines_retreats_without_pursuit_keeps_the_leader_and_learns_nothing() -> None:
    file = books(LED.replace("capture = true", 'capture = true\nleader_killed = "1"'))
    operation = decline_battle(file.campaign, "ford", ["boyd"])
    campaign = file.campaign.after(operation.entry.changes)
    assert campaign.factions["blue"].points == -1
    assert campaign.factions["red"].points == 0
    assert campaign.locations["ford"].owner == "red"
    end = campaign_after(Situation(campaign, EMPTY_LEDGER, [MARCH, operation.entry]))
    boyd = end.forces["boyd"]
    assert (boyd.location, boyd.strength, boyd.experience) == ("hill", 8, 0)
    assert (boyd.fallen, boyd.commander) == (False, "veteran")


def test_an_aftermath_comes_once_for_each_battle() -> None:
    situation = after(WAR, lost_by(), MARCH)
    causes = run_aftermath(situation).causes
    entries = [*situation.entries, *(cause.entry() for cause in causes)]
    again = situation.after([change for cause in causes for change in cause.changes])._replace(
        entries=entries
    )
    assert run_aftermath(again).causes == []


def test_without_an_aftermath_a_leader_is_safe_and_the_force_learns() -> None:
    text = LED[: LED.index("[aftermath]")] + LED[LED.index("[experience]") :]
    boyd = campaign_after(after(text, lost_by(), MARCH)).forces["boyd"]
    assert (boyd.location, boyd.experience, boyd.fallen) == ("ford", 1, False)


def test_without_the_tables_nothing_follows() -> None:
    text = WAR[: WAR.index("[aftermath]")] + WAR[WAR.index("[factions.red]") :]
    assert run_aftermath(after(text, lost_by(), MARCH)).causes == []


LED = WAR.replace(
    "strength = 8\nlocation",
    'strength = 8\nleader = "Sir Boyd"\ncommander = "veteran"\ndeputy = "green"\nlocation',
)


@pytest.mark.parametrize(
    ("rule", "prisoner_of", "fallen", "commander"),
    [
        ('leader_captured = "1"', "red", False, "green"),
        ('leader_killed = "1"', None, True, "green"),
        ('leader_killed = "1"\nleader_captured = "1"', None, True, "green"),
        ("", None, False, "veteran"),
    ],
)
def test_a_beaten_force_can_lose_its_leader_to_death_or_captivity(
    rule: str, prisoner_of: str | None, fallen: bool, commander: str
) -> None:
    text = LED.replace("capture = true", f"capture = true\n{rule}")
    boyd = campaign_after(after(text, lost_by())).forces["boyd"]
    assert (boyd.prisoner_of, boyd.fallen, boyd.commander) == (prisoner_of, fallen, commander)
    assert boyd.leader_rank == ("veteran" if prisoner_of else None)


def test_a_leader_of_winners_is_safe_and_one_of_a_force_that_surrenders_is_captured() -> None:
    sure = LED.replace("capture = true", 'capture = true\nleader_killed = "1"')
    assert not campaign_after(after(sure, lost_by("rufus"))).forces["boyd"].fallen
    cut_off = sure.replace('["ford", "hill"], ["hill", "keep"], ["ford", "moor"]', '["hill", "keep"]')
    surrender = cut_off.replace('no_retreat = "destroyed"', 'no_retreat = "surrenders"')
    boyd = campaign_after(after(surrender, lost_by(), MARCH)).forces["boyd"]
    assert (boyd.destroyed, boyd.prisoner_of, boyd.fallen) == (True, "red", False)


def test_a_side_of_several_factions_takes_a_prisoner_for_its_first_force() -> None:
    """Nobody took prisoners if forces of several factions won as one side."""
    fitz = '[factions.green]\n[forces.fitz]\nfaction = "green"\nstrength = 20\nlocation = "ford"\n'
    text = LED.replace("capture = true", 'capture = true\nleader_captured = "1"')
    text = text.replace("[locations.ford]", f"{fitz}[locations.ford]")
    for sides, captor in (('[["rufus", "fitz"], "boyd"]', "red"), ('[["fitz", "rufus"], "boyd"]', "green")):
        first = sides.strip('["').partition('"')[0]
        lost = decided("ford", first, **{first: "0", "boyd": "0"})
        end = campaign_after(after(text.replace('["rufus", "boyd"]', sides), lost, MARCH))
        assert end.forces["boyd"].prisoner_of == captor


def test_a_leader_keeps_the_rank_that_his_force_reached_during_his_captivity() -> None:
    """The exchange gave him his old rank again, and the force lost its promotion."""
    text = LED.replace("capture = true", "capture = true\nexchange = true").replace(
        'commander = "veteran"\ndeputy = "green"',
        'leader_rank = "regular"\nprisoner_of = "red"\nexperience = 2',
    )
    held = text.replace(
        "strength = 12\nlocation", 'strength = 12\nleader = "Rufus"\nprisoner_of = "blue"\nlocation'
    )
    boyd = campaign_after(after(held, lost_by("rufus"))).forces["boyd"]
    assert (boyd.prisoner_of, boyd.leader_rank, boyd.commander) == (None, None, "seasoned")
    still = campaign_after(after(text, lost_by("rufus"))).forces["boyd"]
    assert (still.prisoner_of, still.leader_rank, still.commander) == ("red", "seasoned", "seasoned")


def test_prisoners_are_exchanged_one_for_one_and_lead_again() -> None:
    text = LED.replace("capture = true", "capture = true\nexchange = true")
    text = text.replace(
        'leader = "Sir Boyd"', 'leader = "Sir Boyd"\nprisoner_of = "red"\nleader_rank = "elite"'
    )
    alone = campaign_after(after(text, lost_by(), MARCH)).forces["boyd"]
    assert (alone.prisoner_of, alone.commander) == ("red", "veteran")
    both = text.replace("strength = 12", 'strength = 12\nleader = "Rufus"\nprisoner_of = "blue"')
    forces = campaign_after(after(both, lost_by(), MARCH)).forces
    assert [forces[key].prisoner_of for key in ("boyd", "rufus")] == [None, None]
    assert (forces["boyd"].commander, forces["boyd"].leader_rank) == ("elite", None)


@pytest.mark.parametrize(
    ("rufus", "end"),
    [
        ('location = "ford"\ntowards = "keep"\nwalked = 1', "keep"),
        ('location = "ford"', "keep"),
        ('location = "keep"\ntowards = "ford"\nwalked = 1', "ford"),
        ('location = "keep"', "ford"),
    ],
)
def test_on_a_road_a_force_retreats_away_from_the_enemy(rufus: str, end: str) -> None:
    """Boyd is in the middle of a road of four steps from the Ford to the Keep."""
    road = '[[road]]\nbetween = ["ford", "keep"]\nlength = 4\n'
    text = WAR.replace("[[pending]]", f"{road}[[pending]]")
    text = text.replace('stakes = "ford"', 'road = ["ford", "keep"]')
    text = text.replace('8\nlocation = "ford"', '8\nlocation = "ford"\ntowards = "keep"\nwalked = 2')
    text = text.replace('12\nlocation = "ford"', f"12\n{rufus}")
    boyd = campaign_after(after(text, lost_by())).forces["boyd"]
    assert (boyd.location, boyd.towards) == (end, None)
