"""The page of a battle has at most 120 kB on a site, even if the battle is long."""

from __future__ import annotations

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import Record
from cardbattle.battles.records.visible_steps import steps_seen
from cardbattle.battles.resolve import fight_battle
from cardbattle.rules import RULE_SETS
from cardbattle.simulation.turning_points import Curve, CurvePoint, TurningPoint
from cardbattle.site.battle_page import BattleJob, battle_html
from cardbattle.story.stakes import Stakes

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
LONG: dict[
    str, tuple[int, int, dict[str, object], dict[str, object]]
] = {  # sides, seed, house rules, options
    "wargame": (2, 4, {}, {}),
    "field-of-honour": (2, 3, {}, {"commander": "green"}),
    "warmonger": (6, 2, {"copies": 2}, {"commander": "green", "cards": 20}),  # 535 steps
    "strategy-war": (10, 1, {"rounds": 26}, {"cards": 2 * RANKS}),
    "warfare-tactics": (2, 14, {"decks": 2}, {"commander": "green"}),  # 299 steps
}
SLOW = ("warmonger", "warfare-tactics")  # they take a second; a shorter one is in tests/show/test_replay.py
POINTS = 48  # of the chances: those of at most 33 steps are counted, and of some between them


def job_of(record: Record) -> BattleJob:
    """Return the job of a battle's page as the umpire reads it, with everything that a page can have."""
    steps, sides = len([*steps_seen(record, None)]), len(record.seats)
    places = sorted({1 + (steps - 1) * n // POINTS for n in range(POINTS + 1)})
    points = [CurvePoint(n, n, n, [(333 + 37 * n * seat) % 1000 for seat in range(sides)]) for n in places]
    turns = [TurningPoint(n, n, n, 0, 500, 900, "space 3, the reveal") for n in places[1:4]]
    link = '<a class="side0" href="../forces/the-regiment.html">The Regiment of County 1</a> '
    return BattleJob(
        site="",
        campaign="",
        name="The War of the Counties",
        id="b",
        title="The Regiment of County 1 against The Regiment of County 2",
        record="",
        then=None,
        sides=[[key] for key in record.seats],
        tints=[*range(sides)],
        stakes=Stakes(),
        ended="The Regiment of County 1 takes the Bridge. The Regiment of County 2 loses two fifths.",
        umpires_text="",
        address="https://example.org/war/battles/b.html",
        preview="<svg/>",
        lead=link * sides,
        after=f"<p>{link}</p>" * 3 * sides,
        previous=link,
        following=link,
        curve=Curve(points, turns, 128),
        has_record=True,
        source="",
    )


@pytest.mark.parametrize(
    "rules", [pytest.param(key, marks=pytest.mark.slow) if key in SLOW else key for key in sorted(RULE_SETS)]
)
def test_a_long_battle_has_a_page_of_at_most_120_kilobytes(rules: str) -> None:
    count, seed, house, options = LONG[rules]
    sides = {f"side{n}": {"name": f"The Regiment of County {n}", **options} for n in range(1, count + 1)}
    data = {"format": 1, "id": "b", "rules": rules, "seed": seed, "house": house, "sides": sides}
    record, _ = fight_battle(read_battle(data))
    page = battle_html(job_of(record), record)
    assert '<p class="verdict">' in page
    assert len(page.encode()) < 120_000
