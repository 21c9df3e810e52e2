"""What `check` says of settings of the turn that contradict each other: the line and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign import check
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
            "[supply]\nrange = 2\n",
            ["16: supply: no place has supply = true, so every force is out of supply; mark some places"],
        ),
        (
            'supply = true\nowner = "red"\n[supply]\nrange = 2\n',
            [
                "18: supply: blue owns no place with supply = true, so all its forces are out of supply; "
                "mark one of its places"
            ],
        ),
        (
            '[recovery]\nrate = "1/10"\n',
            ["16: recovery: no place has an owner, so no force recovers; write owner = ... in places"],
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
