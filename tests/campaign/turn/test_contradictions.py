"""What `check` says of settings of the turn that contradict each other: the line and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign import check
from cardbattle.cli.app import run
from tests.support.marches import folder_with

FIELD = """\
format = 1
name = "The Ford"
turn = 1
seed = "a seed that is long enough not to be guessed"
rules = "field-of-honour"
[factions.red]
[factions.blue]
[forces.rufus]
faction = "red"
strength = 8
location = "ford"
[forces.boyd]
faction = "blue"
strength = 8
[locations.ford]
"""


def hints(tmp_path: Path, more: str, text: str = FIELD) -> list[str]:
    found = check.look_through(folder_with(tmp_path, text + more))
    assert found.errors == []
    return [str(each).partition("campaign.toml:")[2] for each in found.contradictions]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", []),
        (
            '[supply]\nrange = 2\nout_of_supply = "1/9"\n',
            ["16: supply: no place has supply = true, so every force is out of supply; mark some places"],
        ),
        (
            'supply = true\nowner = "red"\n[supply]\nrange = 2\n',
            [
                "18: supply: a force out of supply loses nothing; to change this, write "
                'out_of_supply = "1/10"',
                "18: supply: blue owns no place with supply = true, so its forces are out of supply "
                "until it takes one; if that is not meant, mark one of its places",
            ],
        ),
        (
            '[recovery]\nrate = "1/10"\n',
            ["16: recovery: no place has an owner, so no force recovers; write owner = ... in places"],
        ),
        (
            "[experience]\nwin = 1\n",
            [
                "16: experience: there are no steps, so it has no effect; add one with: cardbattle campaign "
                "set experience.steps.1.at=4 experience.steps.1.title=blooded"
            ],
        ),
        (
            '[aftermath]\npursuit = "1/10"\n',
            [
                "17: aftermath.pursuit: it has no effect, because no force retreats; "
                'write retreat = "nearest-own"'
            ],
        ),
        (
            '[aftermath]\nretreat = "nearest-own"\n',
            ["17: aftermath.retreat: there are no roads, so no force can retreat; add roads"],
        ),
        ("[movement]\n", ["16: movement: there are no roads, so no force can march; add some"]),
        (
            "[income]\nper_value = 1\n",
            ["16: income: no place has a value, so there is no income; write value = ... in places"],
        ),
        (
            '[experience]\nsteps = [{ at = 2, title = "old" }]\n',
            ["16: experience: battle and win are 0, so no force gains experience; write one of them"],
        ),
        (
            '[experience]\nwin = 1\nsteps = [{ at = 2, title = "old" }, { at = 2, title = "new" }]\n',
            ["18: experience.steps.2.at: another step is at 2 too, and only one of them counts; change one"],
        ),
        (
            'terrain = "woods"\n[terrain.woods]\nwargame = { all = { army = [3] } }\n',
            ['16: locations.ford.terrain: terrain "woods" has no field-of-honour effect; add one'],
        ),
        (
            'terrain = "woods"\n[terrain.woods]\nwargame = { all = { army = [3] } }\n[house.wargame]\n',
            [],
        ),
        (
            'terrain = "woods"\n[terrain.woods]\nfield-of-honour = { all = { hand = 1 } }\n'
            '[[pending]]\nid = "b"\nrules = "wargame"\nsides = ["rufus", "boyd"]\nstakes = "ford"\n',
            ['19: pending.1: battle b: terrain "woods" has no wargame effect; add one'],
        ),
        (
            '[calendar]\nfirst_day = 1403-07-01\n[[schedule]]\ndate = 1402-07-01\ntext = "Too early"\n',
            [
                "19: schedule.1.date: this day is before the first day of the calendar; "
                "it will not happen; change it"
            ],
        ),
    ],
)
def test_a_contradiction_is_explained_with_its_line_and_remedy(
    more: str, said: list[str], tmp_path: Path
) -> None:
    assert hints(tmp_path, more) == said


VALLEY = (
    FIELD
    + """\
[locations.mill]
[[road]]
between = ["ford", "mill"]
[movement]
allowance = 1
[weather]
table = [{ p = 1, name = "rain" }, { p = 1, name = "snow" }]
[forces.gray]
faction = "red"
strength = 4
location = "mill"
"""
)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            'prisoner_of = "red"\nleader = "Ann"',
            "27: forces.gray.prisoner_of: a leader cannot be a prisoner of the own faction; "
            "name another, or remove prisoner_of",
        ),
        (
            'fallen = true\nprisoner_of = "blue"\nleader = "Ann"',
            "27: forces.gray.fallen: the leader has fallen and cannot be a prisoner too; "
            "remove fallen or prisoner_of",
        ),
        (
            'leader_rank = "elite"',
            "27: forces.gray.leader_rank: it has no effect, because the leader is no prisoner; "
            "remove leader_rank",
        ),
        (
            "fallen = true",
            "27: forces.gray.fallen: it has no effect, because the force has no leader; "
            "write leader, or remove fallen",
        ),
        (
            "experience = 2",
            "27: forces.gray.experience: it has no effect, because there is no [experience]; "
            "add one, or remove this",
        ),
        (
            "[[schedule]]\nturn = 0\ntext = 'x'",
            "28: schedule.1.turn: turn 0 is over, so this will not happen; write turn = 1, or more",
        ),
        (
            'deputy = "green"',
            "27: forces.gray.deputy: it has no effect, because the force has no leader; "
            "write leader, or remove deputy",
        ),
        (
            '[orders]\ngray = "join boyd"',
            "28: orders.gray: the force will hold: Boyd is not an ally in sight; give it another order",
        ),
        (
            '[[event]]\neach = "turn"\ntext = "x"\nwhen = "weather == \'hail\' or turn > 3"',
            '30: event.1.when: no value is ever "hail"; write rain or snow',
        ),
        (
            '[[event]]\neach = "turn"\ntext = "x"\nwhen = "not ford.owner == \'bleu\'"',
            '30: event.1.when: no value is ever "bleu"; did you mean "blue"?',
        ),
        (
            '[[schedule]]\nturn = 4\nadd.force = { key = "gray", faction = "red", strength = 1 }',
            '29: schedule.1.add.force.key: "gray" exists already; choose another key',
        ),
        (
            '[deadlines]\nmissed = "hold"',
            "27: deadlines: there is no deadline; write one of orders, answer, result or confirm, "
            'such as orders = "3 days"',
        ),
        (
            '[deadlines]\nresult = "1 week"\nmissed = "forfeit"',
            "29: deadlines.missed: only results have a deadline, which you decide yourself; "
            'write answer = "36 hours"',
        ),
        (
            '[deadlines]\norders = "1 week"\nmissed = "hold"\ncommander = "elite"',
            '30: deadlines.commander: it has no effect with missed = "hold"; '
            'write missed = "standing-orders"',
        ),
        (
            '[deadlines]\nconfirm = "1 week"',
            '28: deadlines.confirm: it has no effect without results.confirm = "both"; '
            "set that, or remove it",
        ),
        (
            '[[pending]]\nid = "q"\nsides = ["gray", "boyd"]\nroad = ["mill", "wood"]\n[locations.wood]',
            "30: pending.1.road: no road joins mill and wood; name the ends of a road",
        ),
        (
            '[aftermath]\ncapture = true\n[[pending]]\nid = "q"\nsides = ["gray", "boyd"]\nplace = "ford"',
            "32: pending.1.place: gray is in mill, so it will not retreat; move it, or change the place",
        ),
        (
            '[[reported]]\nbattle = "x"\nside = "gray"\nwinners = []\nlosses = {}',
            '28: reported.1.battle: battle "x" is not pending; remove this report',
        ),
    ],
)
def test_values_that_contradict_each_other_are_explained(more: str, said: str, tmp_path: Path) -> None:
    assert hints(tmp_path, more + "\n", VALLEY) == [said]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("allowance = 1", "allowance = 0", "movement.allowance: allowance is 0, so no force can march"),
        ("allowance = 1", "stacking = 0", "movement.stacking"),
        ('name = "snow"', 'name = "rain"', 'another kind of weather is called "rain"; write different names'),
        (
            "[weather]",
            '[orders]\nrufus = "mill -> ford"\n[weather]',
            "orders.rufus: the force will hold: its order begins at Mill",
        ),
    ],
)
def test_settings_of_the_movement_that_stop_it_are_explained(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    if new == "stacking = 0":
        new = "stacking = 1\n[forces.more]\nfaction = 'red'\nstrength = 3\nlocation = 'ford'"
    [hint] = hints(tmp_path, "", VALLEY.replace(old, new))
    assert said in hint


def test_a_deadline_for_orders_has_no_effect_without_movement(tmp_path: Path) -> None:
    text = VALLEY.replace("[movement]\nallowance = 1\n", "")
    assert text != VALLEY
    said = hints(tmp_path, '[deadlines]\norders = "3 days"\n', text)
    assert any("deadlines.orders: it has no effect without [movement]" in hint for hint in said)


STEPS = """\
[experience]
win = 1
steps = [
    { at = 1, commander = "seasoned" },
    { at = 3, title = "blooded" },
    { at = 6, title = "old guard" },
    { at = 9, commander = "elite" },
]
"""


@pytest.mark.parametrize(
    ("force", "said"),
    [
        ("experience = 2", ""),
        ('experience = 5\ntitle = "blooded"', ""),
        ('experience = 12\ntitle = "old guard"', ""),
        ("experience = 12\ndestroyed = true", ""),
        (
            "experience = 5",
            '27: forces.gray.experience: 5 reaches the title "blooded"; write title = "blooded"',
        ),
        (
            'title = "old guard"\nexperience = 5',
            "27: forces.gray.title: this title needs experience 6; write experience = 6, or another title",
        ),
        (
            'title = "blooded"\nexperience = 8',
            '27: forces.gray.title: experience 8 reaches the title "old guard"; write title = "old guard"',
        ),
        (
            'title = "old gard"\nexperience = 8',
            '27: forces.gray.title: no step of [experience] has the title "old gard"; '
            'did you mean "old guard"?',
        ),
        (
            'title = "The Unseen"',
            '27: forces.gray.title: no step of [experience] has the title "The Unseen"; '
            "write blooded or old guard",
        ),
    ],
)
def test_a_title_that_is_not_that_of_the_experience(force: str, said: str, tmp_path: Path) -> None:
    assert hints(tmp_path, f"{force}\n{STEPS}", VALLEY) == ([said] if said else [])


def test_forces_of_one_faction_on_opposite_sides(tmp_path: Path) -> None:
    ally = '[forces.gray]\nfaction = "red"\nstrength = 3\n[[pending]]\nid = "ford"\n'
    assert hints(tmp_path / "allies", ally + 'sides = [["rufus", "gray"], "boyd"]\n') == []
    assert hints(tmp_path / "enemies", ally + 'sides = ["rufus", ["boyd", "gray"]]\n') == [
        "21: pending.1.sides.2: rufus and gray are forces of red, but fight each other in ford; "
        "put them on one side, or set the faction of one to another"
    ]


def test_a_plan_that_was_carried_out_needs_no_hint_and_one_that_was_missed_does(tmp_path: Path) -> None:
    plan = "[[schedule]]\nturn = 1\ntext = 'Grey rides in'\n"
    folder = folder_with(tmp_path / "kept", FIELD + plan)
    assert run(["campaign", "advance", "-q", "-C", folder]) == 0
    assert check.look_through(folder).contradictions == []
    folder = folder_with(tmp_path / "missed", FIELD + plan)
    assert run(["campaign", "turn", "-q", "-C", folder]) == 0
    said = "18: schedule.1.turn: turn 1 is over, so this will not happen; write turn = 2, or more"
    assert [
        str(each).partition("campaign.toml:")[2] for each in check.look_through(folder).contradictions
    ] == [said]
    dated = FIELD.replace("turn = 1", "turn = 3") + "[calendar]\nfirst_day = 1403-07-01\ndays = 7\n"
    dated += "[[schedule]]\ndate = 1403-07-08\ntext = 'x'\n"
    assert hints(tmp_path / "dated", "", dated) == [
        "20: schedule.1.date: this day is in turn 2, which is over, so this will not happen; change it"
    ]


@pytest.mark.parametrize("deputy", ["regular", "green"])
def test_a_prisoner_is_released_and_a_fallen_leader_replaced_by_the_commands_in_the_guide(
    tmp_path: Path, deputy: str
) -> None:
    captive = 'leader = "Ann"\nprisoner_of = "blue"\nleader_rank = "regular"\n'
    text = VALLEY.replace("strength = 4\n", f'strength = 4\ncommander = "{deputy}"\n{captive}')
    folder = folder_with(
        tmp_path,
        text.replace("strength = 8\nlocation", 'strength = 8\nleader = "Bo"\nfallen = true\nlocation'),
    )
    commands = [["unset", "forces.gray.prisoner_of", "forces.gray.leader_rank"]]
    commands += [["set", "forces.gray.commander=regular"]] if deputy != "regular" else []
    commands += [["set", "forces.rufus.leader", "Cy"], ["unset", "forces.rufus.fallen"]]
    for words in commands:
        assert run(["campaign", "-C", folder, *words]) == 0
    found = check.look_through(folder)
    assert not found.errors and not found.contradictions


def test_settings_of_a_league_without_effect_are_named(tmp_path: Path) -> None:
    league = '[fixtures]\nkind = "round-robin"\nforces = ["rufus", "boyd"]\n'
    odd = 'drawn = "higher-seed"\ntie_breaks = ["wins", "score", "wins"]\npoints = { win = -1 }\n'
    assert [text.partition(": ")[2] for text in hints(tmp_path, league + odd)] == [
        "fixtures.drawn: drawn is for a knock-out or play-offs, and has no effect here; remove it",
        "fixtures.tie_breaks.3: tie_breaks names wins twice; the second has no effect, so remove it",
        "fixtures.points: a win brings -1 league points, a draw 1 and a loss 0; a better result should not "
        "bring fewer",
    ]


def test_a_rule_set_of_a_league_that_is_not_installed_is_an_error(tmp_path: Path) -> None:
    league = '[fixtures]\nkind = "round-robin"\nforces = ["rufus", "boyd"]\nrules = "chess"\n'
    errors = check.check(folder_with(tmp_path, FIELD + league))
    assert ['fixtures.rules: rule set "chess" is not installed' in str(error) for error in errors] == [True]
