"""docs/events.md lists every kind of event, its fields, and what is hidden."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardbattle.conformance.case_file import built_in_suite
from cardbattle.conformance.play_case import CaseBattle, setup_of
from cardbattle.core.battle import NOBODY, Event, play_out_randomly
from cardbattle.core.chance import stream
from cardbattle.core.stepping import begin
from cardbattle.rules import RULE_SETS, find

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")


def rows_of(key: str) -> dict[str, tuple[str, str]]:
    """Return the two cells of the row of each kind of event."""
    section = PAGE.split(f"\n## {find(key).name}\n")[1].split("\n## ")[0]
    rows: dict[str, tuple[str, str]] = {}
    for line in section.splitlines()[3:]:
        if line.startswith("| `"):
            kinds, fields = line.strip("| ").split(" | ", 1)
            rows |= dict.fromkeys(re.findall("`([a-z_]+)`", kinds), (kinds, fields))
    return rows


def events_of(key: str) -> list[Event]:
    """Return the events of all cases of a rule set and of some random battles."""
    events = []
    for case in built_in_suite().of_rules(key).cases:
        if not case.refused:
            battle = CaseBattle(case, setup_of(case))
            battle.play()
            assert battle.referee is not None
            events += [event for _, event in battle.referee.events]
    for seed in range(8):
        machine = begin(find(key), find(key).usual_setup(), seed).machine
        play_out_randomly(machine, stream(seed, "random"))
        events += machine.log or []
    return events


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_page_lists_every_kind_with_its_fields(key: str) -> None:
    rows, chosen = rows_of(key), find(key)
    tale = chosen.tale(chosen.usual_setup())
    assert {name.removeprefix("on_") for name in dir(tale) if name.startswith("on_")} <= rows.keys()
    folder = ROOT / "cardbattle" / "rules" / key.replace("-", "_")
    code = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    assert [kind for kind in rows if f'"{kind}"' not in code] == []
    for event in events_of(key):
        kinds, fields = rows[event.kind]
        missing = [name for name in event.all_seeing().fields if f"`{name}`" not in fields]
        assert not missing, f"{event.kind}: {missing}"
        unmarked = [name for name in event.hidden if f"`{name}`*" not in fields]
        assert not unmarked, f"{event.kind}: {unmarked} is hidden"
        assert (f"`{event.kind}`*" in kinds) == event.whole, event.kind
        assert event.side == NOBODY or not kinds.endswith(" -"), event.kind
