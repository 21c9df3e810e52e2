"""Rosters in the ledger: after every command the units add up, and an undo restores every byte."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from cardbattle.campaign.exchange.import_results import read_results
from cardbattle.campaign.ledger import edits, operations, umpire_changes, value_edits
from cardbattle.campaign.ledger.roster import Roster
from cardbattle.campaign.ledger.timeline import gain_of, timeline
from cardbattle.campaign.state.changes import is_unit
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.new_season import create_season
from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, visible_to
from cardbattle.campaign.visibility.visible_turns import visible_turns
from cardbattle.core.errors import InvalidInput
from tests.campaign.ledger.test_undo import Umpire
from tests.support import marches
from tests.support.marches import MARCHES
from tests.support.tally import tried

GRAY = {"faction": "york", "units": {"Lances": 3}}
PERCY = ("forces", "percy", "strength")
STRENGTH = "strength = 14   # men-at-arms\n"
ROSTER = '"St. Albans bows" = 5, Spears = 6, "The Old Guard" = 3'
LAYOUTS = [
    f"{STRENGTH}units = {{ {ROSTER} }} # as of May\n",
    f"units = {{ {ROSTER} }}\n",
    "[forces.percy.units]  # as of May\n{}\n".format(ROSTER.replace(", ", "  # brave\n")),
]


def with_roster(layout: str) -> str:
    """Return the Marches with a roster of Harry Percy in this layout."""
    if not layout.startswith("["):
        return MARCHES.replace(STRENGTH, layout)
    return MARCHES.replace(STRENGTH, "").replace("[forces.mortimer]", f"{layout}\n[forces.mortimer]")


class Captain(Umpire):
    """An umpire of a campaign with a roster."""

    def __init__(self, path: Path, layout: str = LAYOUTS[0]) -> None:
        super().__init__(path)
        self.file.write_text(with_roster(layout))

    @property
    def units(self) -> dict[str, int]:
        return self.books.campaign.forces["percy"].units

    def set(self, key: str, value: str) -> None:
        self.do(value_edits.set_values(self.books, [value_edits.Assignment(key, value)]))

    def law(self) -> None:
        """Do the usual checks; each entry changes units by as much as the strength, if both are there."""
        super().law()  # a campaign whose units do not add up cannot be read at all
        for entry in self.ledger.span(1, self.ledger.whole_entries):
            units = [change for change in entry.changes if is_unit(change.key)]
            strengths = [change for change in entry.changes if change.key == PERCY]
            if units and not any(change.key[-1] == "" for change in entry.changes):
                assert sum(map(gain_of, units)) == sum(map(gain_of, strengths))


def without_revision(text: str) -> str:
    return re.sub(r"revision = \d+", "revision = ?", text)


def one_command(captain: Captain, chance: random.Random) -> None:
    """Give a random command. A refused command changes nothing."""
    unit = chance.choice([*captain.units])
    kind = chance.randrange(7)
    if kind == 0:
        captain.fight(chance.choice(("bridge", "wood")))
    elif kind == 1:
        captain.adjust("forces.percy.strength", f"+={chance.randint(1, 9)}")
    elif kind == 2:
        captain.adjust("forces.percy.strength", str(chance.randint(0, 15)))
    elif kind == 3:
        captain.set(f'forces.percy.units."{unit}"', str(chance.randint(0, 9)))
    elif kind == 4:
        captain.undo(str(chance.randint(1, max(1, len(captain.ledger.heads)))))
    elif kind == 5:
        captain.redo()
    else:
        captain.set("forces.percy.units.Gunners", str(chance.randint(1, 4)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layout", "seed"),
    [
        *((layout, 1) for layout in range(3)),
        *(pytest.param(layout, 2, marks=pytest.mark.slow) for layout in range(3)),
        *(pytest.param(layout, seed, marks=pytest.mark.heavy) for layout in range(3) for seed in range(3, 6)),
    ],
)
def test_units_add_up_after_every_command_and_an_undo_restores_every_byte(
    tmp_path: Path, layout: int, seed: int
) -> None:
    captain, chance = Captain(tmp_path, LAYOUTS[layout]), random.Random(seed)
    for _ in range(3 if seed == 1 else 10):
        before = captain.file.read_text()
        try:
            one_command(captain, chance)
        except (InvalidInput, NeedsUmpire):
            assert captain.file.read_text() == before
            continue
        tried("commands to a force with units")
        after = captain.file.read_text()
        if captain.ledger.heads[-1].kind not in ("undo", "redo"):
            captain.undo()
            assert without_revision(captain.file.read_text()) == without_revision(before)
            captain.redo()
            assert without_revision(captain.file.read_text()) == without_revision(after)


def test_an_undo_long_ago_gives_each_unit_back_what_it_lost(tmp_path: Path) -> None:
    captain = Captain(tmp_path)
    captain.fight("wood")  # Percy loses half of it all
    before = {"St. Albans bows": 5, "Spears": 6, "The Old Guard": 3}
    lost = {name: before[name] - left for name, left in captain.units.items()}
    captain.adjust("forces.percy.strength", "+=6")
    then = captain.units
    captain.undo("wood")
    assert captain.units == {name: number + lost[name] for name, number in then.items()}


def test_a_unit_set_by_command_changes_the_strength_and_both_can_be_set(tmp_path: Path) -> None:
    captain = Captain(tmp_path)
    captain.set('forces.percy.units."St. Albans bows"', "7")
    assert captain.books.campaign.forces["percy"].strength == 16
    pairs = [
        ("forces.percy.strength", "9"),
        ("forces.percy.units.Spears", "1"),
        ('forces.percy.units."The Old Guard"', "1"),
    ]

    def planned(*values: tuple[str, str]) -> operations.Operation:
        return value_edits.set_values(captain.books, [value_edits.Assignment(*pair) for pair in values])

    for order in (pairs, pairs[::-1]):
        after = operations.after(captain.books, [planned(*order)]).campaign.forces["percy"]
        assert (after.strength, after.units["Spears"]) == (9, 1)
    with pytest.raises(InvalidInput, match="strength is 10, but the units have 9"):
        planned(("forces.percy.strength", "10"), *pairs[1:])


@pytest.mark.slow
def test_a_roster_comes_and_goes_by_command(tmp_path: Path) -> None:
    captain = Captain(tmp_path)
    captain.do(value_edits.unset_values(captain.books, ["forces.percy.units"]))
    assert captain.units == {} and captain.books.campaign.forces["percy"].strength == 14
    captain.set("forces.percy.units", '{ Bows = 9, "Mr. Hill\'s men" = 2 }')
    assert captain.books.campaign.forces["percy"].strength == 11
    captain.undo()
    captain.undo()
    assert captain.units["St. Albans bows"] == 5
    new = umpire_changes.add_thing(
        captain.books, "forces", "gray", {"faction": "york", "units": {"Lances": 3}}
    )
    captain.do(new)
    assert captain.books.campaign.forces["gray"].strength == 3
    text = captain.file.read_text(encoding="utf-8")
    captain.file.write_text(text.replace("Lances = 3", "Lances = 4"), encoding="utf-8")
    edited = edits.hand_edits(captain.books.source.data, captain.ledger)
    assert {(change.key[2], change.before, change.after) for change in edited} == {
        ("units", 3, 4),
        ("strength", 3, 4),
    }
    captain.file.write_text(text, encoding="utf-8")
    captain.undo()
    assert "gray" not in captain.books.campaign.forces


def test_a_result_can_name_what_units_lost(tmp_path: Path) -> None:
    captain = Captain(tmp_path)
    rows = tmp_path / "turn.csv"
    head = "id,winners,side1,losses1,units1,side2,losses2\n"

    def import_rows(line: str) -> None:
        rows.write_text(head + line)
        battles = read_results(str(rows), Roster(captain.books.campaign, captain.ledger)).battles
        captain.do(*operations.plan_import(captain.books, captain.ledger, battles).operations)

    with pytest.raises(InvalidInput, match='has no unit "Spear"; did you mean "Spears"'):
        import_rows('wood,stafford,percy,1/2,"Spear 3",stafford,none\n')
    with pytest.raises(InvalidInput, match="Spears had 6 and cannot have lost 7"):
        import_rows('wood,stafford,percy,1/2,"Spears 7",stafford,none\n')
    import_rows('wood,stafford,percy,1/2,"Spears 6, St. Albans bows 1",stafford,none\n')
    assert captain.units == {"St. Albans bows": 4, "Spears": 3, "The Old Guard": 3}  # 4 of 14 for good


def test_the_record_says_where_losses_fell(tmp_path: Path) -> None:
    """In Strategy WAR units fight in the order of the rounds: who is hit follows from the cards."""
    captain = Captain(tmp_path)
    captain.type('rate = "1/2"', 'rate = "1"')
    captain.type('winner_rate = "1/4"', 'winner_rate = "1"')
    battle = marches.fought(captain.books, "bridge")
    plain, exact = (
        operations.battle_operation(captain.books.campaign, captain.ledger, each, [], "")
        for each in (battle._replace(log=None), battle)
    )
    strengths = [[c for c in each.entry.changes if c.key[-1] == "strength"] for each in (plain, exact)]
    assert strengths[0] == strengths[1] != []
    units = [[c for c in each.entry.changes if is_unit(c.key)] for each in (plain, exact)]
    assert units[0] != units[1]


def test_who_may_not_know_the_strength_does_not_know_the_units(tmp_path: Path) -> None:
    captain = Captain(tmp_path)
    captain.fight("wood")
    for reader, knows in ((UMPIRE, True), ("york", True), ("lancaster", False), (PUBLIC, False)):
        seen = visible_to(captain.books.campaign, captain.ledger, reader)
        texts = [str(seen.table()), str([entry.table() for entry in seen.entries]), str(seen.campaign.forces)]
        assert [("Spears" in text) for text in texts] == [knows] * 3


def test_an_unrecorded_change_of_a_unit_is_hidden_whatever_its_name(tmp_path: Path) -> None:
    """A unit can have the name of a public key, such as `supply`."""
    captain = Captain(tmp_path)
    captain.type("Spears = 6", "supply = 6")
    captain.set("forces.percy.units.supply", "5")
    captain.type("supply = 5", "supply = 4")  # by hand, after a recorded value
    captain.type("strength = 13", "strength = 12")
    for reader, knows in ((UMPIRE, True), ("lancaster", False), (PUBLIC, False)):
        seen = visible_to(captain.books.campaign, captain.ledger, reader)
        entries = [entry for turn in visible_turns(seen, captain.books.campaign) for entry in turn.entries]
        unrecorded = [change for entry in entries if not entry.revision for change in entry.changes]
        assert ("supply" in str(unrecorded)) == knows


def test_the_past_and_a_new_season_have_units_that_add_up(tmp_path: Path) -> None:
    captain = Captain(tmp_path / "old")
    captain.fight("wood")
    captain.turn()
    captain.adjust("forces.percy.strength", "5")
    captain.type("Spears = ", "Pikes = ")  # by hand, so the ledger has known no such unit
    for turn in timeline(captain.books.campaign, captain.seen):
        force = turn.campaign.forces["percy"]
        assert sum(force.units.values()) == force.strength
    season = create_season(str(tmp_path / "new"), str(tmp_path / "old"))
    force = store.load(season.folder).campaign.forces["percy"]
    assert (sum(force.units.values()), force.strength) == (14, 14)


def test_losses_do_not_depend_on_a_roster(tmp_path: Path) -> None:
    plain, manned = Umpire(tmp_path / "plain"), Captain(tmp_path / "manned")
    for umpire in (plain, manned):
        umpire.fight("bridge", "wood")
    entries = [umpire.ledger.span(1, 2) for umpire in (plain, manned)]
    for one, other in zip(*entries, strict=True):
        without = [change for change in other.changes if not is_unit(change.key)]
        assert [change[:3] for change in one.changes] == [change[:3] for change in without]
