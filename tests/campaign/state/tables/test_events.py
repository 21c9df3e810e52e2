"""Schedules and events in campaign.toml: each mistake has its place and what to write instead."""

from __future__ import annotations

import pytest

from cardbattle.campaign.ledger import umpire_changes
from cardbattle.campaign.ledger.operations import after
from cardbattle.core.errors import InvalidInput
from tests.support.marches import MARCHES, books

S, E = "[[schedule]]\n", '[[event]]\neach = "turn"\n'
MISTAKES = [
    (S + 'text = "x"', "schedule.1", "expected one time"),
    (S + 'turn = 5\ndate = 1403-07-08\ntext = "x"', "schedule.1", "it has turn and date"),
    (S + 'date = 1403-07-08\ntext = "x"', "schedule.1.date", r"needs a \[calendar\]"),
    (S + "turn = 5", "schedule.1", "nothing happens"),
    (S + 'turn = 5\ntext = "x"\nknown = ["yorc"]', "schedule.1.known.1", 'mean "york"'),
    (E + 'text = "x"\nturn = 4', "event.1", "it has each and turn"),
    ('[[event]]\neach = "week"\ntext = "x"', "event.1.each", "write turn = 5"),
    (E + "once = true", "event.1.once", "needs a text"),
    (E + 'when = "ludlow.owner == 1"\ntext = "x"', "event.1.when", '"ludlow" is not'),
    (E + 'when = "percy.luck > 1"\ntext = "x"', "event.1.when", 'unknown value "percy.luck"'),
    (E + 'change = { "forces.percy.strength" = "1" }', "event.1.change", "a share"),
    (E + 'change = { "forces.persy.strength" = 1 }', "event.1.change", 'mean "percy"'),
    (E + 'change = { "forces.percy.name" = 1 }', "event.1.change", "under set"),
    (E + 'change = { "percy.luck" = 1 }', "event.1.change", "write one such as forces.percy"),
    (E + 'set = { "forces.percy.strength" = -1 }', "event.1.set", "from 0"),
    (E + 'set = { "shrewsbury.owner" = "x" }', "event.1.set", '"x" is not in'),
    (E + 'set = { "factions.york.peace" = ["x"] }', "event.1.set", '"x" is not in'),
    (E + 'set = { "factions.york.peace" = ["york"] }', "event.1.set", "peace with itself"),
    (E + 'set = { "factions.*.peace" = ["york"] }', "event.1.set", "peace with itself"),
    (E + 'add.faction = { key = "a", peace = ["a"] }', "event.1.add.faction.peace", "with itself"),
    (E + 'text = "x"\nwhere = "strength > 1"', "event.1.where", "several forces"),
    (E + 'add = { army = { key = "a" } }', "event.1.add.army", 'unknown key "army"'),
    (E + 'add.force = { faction = "york", strength = 1 }', "event.1.add.force", "write it as key"),
    (E + 'add.force = { key = "a", strength = 1 }', "event.1.add.force", '"faction" is'),
    (E + 'add.place = { key = "a", owner = "x" }', "event.1.add.place.owner", '"x" is'),
]


@pytest.mark.parametrize(("table", "where", "why"), MISTAKES)
def test_a_mistake_is_refused_where_it_is(table: str, where: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why) as refused:
        books(f"{MARCHES}\n{table}\n")
    assert [str(mistake) for mistake in refused.value.errors if where in str(mistake)]


def test_what_a_plan_adds_is_known_to_other_events() -> None:
    text = '[[schedule]]\nturn = 5\nadd = { force = { key = "gray", faction = "york", strength = 8 } }\n'
    text += '[[event]]\nturn = 6\nwhen = "gray.strength > 1"\nchange = { "forces.gray.strength" = -1 }\n'
    assert len(books(f"{MARCHES}\n{text}").campaign.event) == 1


RENAMED = """
[[schedule]]
turn = 5
known = ["york", "public"]   # not a secret
set = { "locations.shrewsbury.owner" = "york", 'forces.percy.name' = "york" }
add.force = { key = "gray", faction = "york", strength = 8, location = "shrewsbury" }
add.battle = { id = "t5", sides = ["percy", ["stafford", "gray"]], place = "shrewsbury", defender = "percy" }

[[schedule]]
turn = 6
set = { "factions.lancaster.peace" = ["york"], "forces.stafford.prisoner_of" = "york" }

[[event]]
each = "turn"
when = "shrewsbury.owner == 'york' and forces.percy.strength > 2"
where = "faction == 'york'"
change = { "forces.percy.strength" = -1, "forces.*.strength" = 1 }
"""


@pytest.mark.parametrize(
    ("old", "count", "kept"),
    [("factions.york", 7, 3), ("forces.percy", 5, 0), ("locations.shrewsbury", 4, 0)],
)
def test_a_rename_reaches_schedules_and_events(old: str, count: int, kept: int) -> None:
    """`forces.percy.name = "york"` is a name, and stays."""
    file = books(f"{MARCHES}\n{RENAMED}")
    renamed = after(file, [umpire_changes.rename_key(file, old, "zz")])
    events = renamed.source.text[renamed.source.text.index("[[schedule]]") :]
    key = old.partition(".")[2]
    assert (events.count("zz"), events.count(key)) == (count, 1 if key == "york" else kept)
    assert "# not a secret" in events
