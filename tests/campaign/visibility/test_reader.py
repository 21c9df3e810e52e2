"""What one reader may know of a campaign, and of what led to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import refight
from cardbattle.campaign.ledger import history, operations, umpire_changes, undo, value_edits
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.state.model import Visibility
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import luck
from cardbattle.campaign.visibility.reader import (
    PUBLIC,
    UMPIRE,
    Reader,
    VisibleCampaign,
    rough_strength,
    visible_to,
)
from cardbattle.campaign.visibility.visible_turns import visible_turns
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import InvalidInput
from cardbattle.show.pages.campaign.between import between_lines, forces_out_of_supply
from cardbattle.simulation.workers import Serial
from tests.support.frontier import edit, extents, frontier
from tests.support.marches import decided, fought

OPEN = extents("all", "all", "all", "all")
NEAR = extents("rough", "rough", "rough", "rough")
CLOSED = extents("own", "own", "own", "own")


def known(folder: str, reader: Reader) -> VisibleCampaign:
    """Return what a reader may know of the campaign in a folder."""
    return visible_to(store.load(folder).campaign, store.load_ledger(folder), reader)


def record(folder: str, *done: Operation) -> None:
    """Record operations, one after the other."""
    with store.open_for_writing(folder) as desk:
        desk.commit(done)


def strengths(found: VisibleCampaign) -> dict[str, str]:
    """Return the strengths of forces that a reader sees, as text."""
    return {key: str(one) for key, one in found.strengths.items()}


def test_a_campaign_that_says_nothing_hides_commanders_and_numbers(tmp_path: Path) -> None:
    assert Visibility() == Visibility(strength="rough", location="all", commander="own", pending="all")
    found = known(frontier(tmp_path), "north")
    assert strengths(found) == {
        "ash": "14",
        "birch": "6",
        "cedar": "about 10",
        "dogwood": "about 10",
        "elder": "about 50",
    }
    assert found.commanders == {"ash": "green", "birch": "regular", "cedar": "", "dogwood": "", "elder": ""}
    assert [battle.id for battle in found.campaign.pending] == ["ford", "tower"]
    assert found.campaign.forces["elder"].location == "keep"


def test_a_band_is_chosen_by_edges_that_are_the_same_for_all() -> None:
    """A band reveals only itself, because each number from its lowest to its highest has it."""
    bands = [rough_strength(strength) for strength in range(2000)]
    assert bands == sorted(bands)
    counts = [bands.count(band) for band in dict.fromkeys(bands)]
    assert counts[:8] == [4, 4, 5, 5, 8, 10, 10, 17]
    assert min(counts) == 4


def test_what_is_open_to_all_is_known_exactly(tmp_path: Path) -> None:
    found, umpire = (known(frontier(tmp_path, OPEN), reader) for reader in ("east", UMPIRE))
    assert found.strengths == umpire.strengths
    assert found.commanders == umpire.commanders
    assert found.campaign.forces == umpire.campaign.forces
    assert found.certain == ["ford", "tower"]


def test_what_is_near_is_seen(tmp_path: Path) -> None:
    """At the places one has, and one road from them: the keep has no road, the tower is two away."""
    found = known(frontier(tmp_path, NEAR), "north")
    places = {key: force.location for key, force in found.campaign.forces.items()}
    assert places == {"ash": "ford", "birch": "keep", "cedar": "mill", "dogwood": None, "elder": "keep"}
    assert [battle.id for battle in found.campaign.pending] == ["ford"]  # although Elder is in sight
    assert found.commanders["elder"] == "green, regular or seasoned"
    assert [battle.id for battle in known(frontier(tmp_path / "p", NEAR), PUBLIC).campaign.pending] == []


@pytest.mark.parametrize("visibility", [OPEN, NEAR, CLOSED])
@pytest.mark.parametrize("reader", ["north", "south", PUBLIC, UMPIRE])
def test_without_public_positions_only_ones_own_forces_are_known_to_be_out_of_supply(
    tmp_path: Path, visibility: str, reader: Reader
) -> None:
    """No place gives supply, so every force is out of it. The North sees Cedar and Elder from its places."""
    found = known(frontier(tmp_path, f"{visibility}[supply]\nrange = 1\n"), reader)
    is_open = visibility == OPEN or reader == UMPIRE
    own = [key for key, force in found.campaign.forces.items() if is_open or force.faction == reader]
    assert forces_out_of_supply(found) == own
    assert any("out of supply" in line for line in between_lines(found)) == bool(own)


def test_only_the_report_of_a_faction_names_its_substitute(tmp_path: Path) -> None:
    tables = '[movement]\nallowance = 1\n[substitutes.north]\ncommander = "veteran"\nturn = 9\n'
    folder = frontier(tmp_path, f"{CLOSED}{tables}")
    for reader in ("north", "south", PUBLIC):
        lines = " ".join(between_lines(known(folder, reader)))
        assert ("a substitute (veteran) plays for" in lines) == (reader == "north")
        assert ("send your orders" in lines) == (reader == "south")


def test_the_others_forces_are_names_where_all_is_closed(tmp_path: Path) -> None:
    found = known(frontier(tmp_path, CLOSED), "south")
    assert strengths(found) == {
        "ash": "None", "birch": "None", "cedar": "9", "dogwood": "11", "elder": "None"
    }  # fmt: skip
    assert {key for key, force in found.campaign.forces.items() if force.location} == {"cedar", "dogwood"}
    assert found.strength_of(["cedar", "dogwood"]) == (20, False)
    assert found.strength_of(["cedar", "ash"]) is None
    assert [battle.note for battle in found.campaign.pending] == ["at dawn", ""]
    assert found.certain == []
    east = known(frontier(tmp_path / "e", CLOSED), "east")
    assert [battle.id for battle in east.campaign.pending] == ["tower"]


def test_the_seed_the_umpires_keys_and_terms_are_nobodys(tmp_path: Path) -> None:
    for reader in (PUBLIC, "north", "south", "east"):
        found = known(frontier(tmp_path / str(reader), OPEN), reader)
        told = f"{found.campaign!r} {found.campaign.data}"
        assert "secret" not in told
        assert "Anna" not in told
        assert "lied to" not in told


@pytest.fixture
def past(tmp_path: Path) -> str:
    """Return a campaign's folder in which an umpire has done this and that."""
    folder = frontier(tmp_path, CLOSED)
    steps: list[Callable[[CampaignFile], Operation]] = [
        lambda books: operations.adjust(books, "forces.elder.strength", "70", "bribed"),
        lambda books: umpire_changes.move_forces(books, ["birch"], "ford", "a feint"),
        lambda books: operations.adjust(books, "forces.cedar.strength", "8", "fever"),
        lambda books: umpire_changes.write_note(books, "private: watch Anna"),
        lambda books: umpire_changes.write_note(books, "Rain."),
        lambda books: umpire_changes.next_turn(books, "late"),
    ]
    for step in steps:
        record(folder, step(store.load(folder)))
    books = store.load(folder)
    told = operations.adjust(books, "forces.elder.strength", "60", "The plague is in the East")
    record(folder, told._replace(entry=told.entry._replace(public=True)))
    return folder


@pytest.mark.parametrize(
    ("reader", "told"),
    [
        (PUBLIC, ["note", "turn", "adjust"]),
        ("north", ["move", "note", "turn", "adjust"]),
        ("south", ["adjust", "note", "turn", "adjust"]),
        ("east", ["adjust", "note", "turn", "adjust"]),
        (UMPIRE, ["adjust", "move", "adjust", "note", "note", "turn", "adjust"]),
    ],
)
def test_an_entry_about_hidden_things_is_left_out_with_its_number(
    past: str, reader: Reader, told: list[str]
) -> None:
    found = known(past, reader)
    assert [entry.kind for entry in found.entries] == told
    assert [found.numbers[entry.revision] for entry in found.entries] == [*range(1, len(told) + 1)]
    assert [entry.kind for entry in found.entries_since(2)] == told[1:]


def test_only_one_faction_reads_a_note_for_it_under_its_later_key_too(tmp_path: Path) -> None:
    folder = frontier(tmp_path, OPEN)
    steps: list[Callable[[CampaignFile, Ledger], Operation]] = [
        lambda books, ledger: umpire_changes.write_note(books, "Drums at the ford.", faction="North"),
        lambda books, ledger: umpire_changes.write_note(books, "A trap.", faction="north"),
        lambda books, ledger: undo.undo(books, ledger),
        lambda books, ledger: umpire_changes.rename_key(books, "north", "boreas"),
        lambda books, ledger: umpire_changes.write_note(books, "Rain."),
    ]
    for step in steps:
        record(folder, step(store.load(folder), store.load_ledger(folder)))
    for reader in (PUBLIC, "south", "east"):
        found = known(folder, reader)
        assert [(entry.kind, entry.id, entry.text) for entry in found.entries if not entry.changes] == [
            ("note", "", "Rain.")
        ]
        assert "north" not in str([found.entry_table(entry) for entry in found.entries if not entry.changes])
    for reader in ("boreas", UMPIRE):
        notes = [(entry.id, entry.text) for entry in known(folder, reader).entries if entry.kind == "note"]
        assert notes == [("boreas", "Drums at the ford."), ("boreas", "A trap."), ("", "Rain.")]


@pytest.mark.slow
def test_a_faction_with_the_key_of_a_removed_one_reads_no_note_for_that_one(tmp_path: Path) -> None:
    folder = frontier(tmp_path, OPEN)
    west = {"name": "The West"}
    steps: list[Callable[[CampaignFile, Ledger], Operation]] = [
        lambda books, ledger: umpire_changes.add_thing(books, "factions", "west", west),
        lambda books, ledger: umpire_changes.write_note(books, "A trap.", faction="west"),
        lambda books, ledger: value_edits.remove_things(books, ["west"]),
        lambda books, ledger: umpire_changes.add_thing(books, "factions", "west", west),
        lambda books, ledger: umpire_changes.write_note(books, "Rain.", faction="west"),
    ]
    notes = []
    for step in (*steps, undo.undo, undo.undo, undo.undo):
        record(folder, step(store.load(folder), store.load_ledger(folder)))
        notes.append([entry.text for entry in known(folder, "west").entries if entry.kind == "note"])
    assert (notes[1], notes[3], notes[4]) == (["A trap."], [], ["Rain."])
    assert "A trap." in notes[-1]  # the first faction is there again
    assert not [entry for entry in known(folder, "north").entries if entry.kind == "note"]


@pytest.mark.slow
def test_a_faction_with_the_key_of_a_removed_one_reads_no_past_turn_of_that_one(tmp_path: Path) -> None:
    folder = frontier(tmp_path, NEAR)
    ghost = {"name": "Ghost", "faction": "west", "strength": 7, "location": "ford"}
    steps: list[Callable[[CampaignFile, Ledger], Operation]] = [
        lambda books, ledger: umpire_changes.add_thing(books, "factions", "west", {"name": "The West"}),
        lambda books, ledger: umpire_changes.add_thing(books, "forces", "ghost", ghost),
        lambda books, ledger: umpire_changes.next_turn(books),
        lambda books, ledger: value_edits.remove_things(books, ["ghost"]),
        lambda books, ledger: value_edits.remove_things(books, ["west"]),
        lambda books, ledger: umpire_changes.add_thing(books, "factions", "west", {"name": "New West"}),
    ]
    for step in steps:
        record(folder, step(store.load(folder), store.load_ledger(folder)))
    whole = store.load(folder).campaign
    turns = {reader: visible_turns(known(folder, reader), whole)[0].visible for reader in ("west", PUBLIC)}
    assert turns["west"].strengths == turns[PUBLIC].strengths
    assert turns["west"].campaign.forces == turns[PUBLIC].campaign.forces


def test_no_key_is_renamed_to_the_key_of_something_removed(tmp_path: Path) -> None:
    folder = frontier(tmp_path, OPEN)
    record(folder, umpire_changes.add_thing(store.load(folder), "factions", "west", {"name": "The West"}))
    record(folder, value_edits.remove_things(store.load(folder), ["west"]))
    with pytest.raises(InvalidInput, match='a removed faction had the key "west"; choose another key'):
        umpire_changes.rename_key(store.load(folder), "north", "west", ledger=store.load_ledger(folder))


def test_a_reason_is_the_umpires_unless_it_was_made_public(past: str) -> None:
    for reader in (PUBLIC, "north", "south", "east"):
        reasons = [entry.reason for entry in known(past, reader).entries if entry.reason]
        assert reasons == ["The plague is in the East"]
    last = known(past, "north")
    assert last.entry_table(last.entries[-1]) == {
        "revision": 4, "kind": "adjust", "reason": "The plague is in the East", "public": True, "changes": []
    }  # fmt: skip


def test_what_a_force_did_for_another_faction_stays_that_factions(past: str) -> None:
    """A faction that takes over a force sees only its later history."""
    record(past, operations.adjust(store.load(past), "forces.elder.faction", "north", "bought"))
    record(past, operations.adjust(store.load(past), "forces.elder.strength", "50"))
    assert [entry.kind for entry in known(past, "north").entries] == [
        "move", "note", "turn", "adjust", "adjust", "adjust"
    ]  # fmt: skip
    assert [len(entry.changes) for entry in known(past, "north").entries] == [1, 0, 1, 0, 1, 1]
    assert [len(entry.changes) for entry in known(past, "east").entries] == [1, 0, 1, 1, 1]


def fought_and_recorded(folder: str) -> Record | None:
    """Fight the battle at the ford, record it, and return its record."""
    with store.open_for_writing(folder) as desk:
        battle = fought(desk.books, "ford")
        desk.commit(operations.plan_import(desk.books, desk.ledger, [battle]).operations)
    return battle.log


def test_everybody_sees_of_a_battle_what_lay_on_the_table(tmp_path: Path) -> None:
    """Readers see no hands or seed. The commanders are named as the campaign allows."""
    folder = frontier(tmp_path, CLOSED)
    log = fought_and_recorded(folder)
    assert log is not None
    views = [known(folder, reader).view_of(1, log) for reader in (PUBLIC, "north", "east", UMPIRE)]
    assert [view.seat for view in views] == [NOBODY, 0, NOBODY, None]
    assert [view.commanders for view in views] == [["", ""], ["green", ""], ["", ""], ["green", "green"]]
    public = views[0].report(refight(log))
    assert (public.seed, public.viewer) == (None, NOBODY)
    for view in views[:3]:
        table = view.table()
        assert not {"seed", "deal", "bound", "digest"} & table.keys()
        assert table["sides"]["cedar"].keys() == {"name", "score", "losses"}  # type: ignore[index]
    assert views[0].table()["moves"] == []


BEYOND_BATTLES = f"""{CLOSED}
[orders]
birch = "join ash"
elder = "march to mill"
[sealed_orders.south]
address = "the-frontier/south@2"
seal = "{"7" * 64}"
[fixtures]
kind = "round-robin"
forces = ["ash", "birch", "cedar", "dogwood", "elder"]
order = ["elder", "ash", "birch", "cedar", "dogwood"]
[[round]]
matches = [{{ battle = "past", home = "birch", away = "elder" }}]
"""


@pytest.mark.parametrize("extent", [OPEN, CLOSED], ids=["open", "closed"])
@pytest.mark.parametrize("reader", [PUBLIC, "north", "south", "east", UMPIRE])
def test_orders_and_a_league_of_forces_that_fight_no_battle(
    tmp_path: Path, reader: Reader, extent: str
) -> None:
    """The odds are of the battles that the reader knows, and need no force that fights in none of them."""
    found = known(frontier(tmp_path, BEYOND_BATTLES.replace(CLOSED, extent)), reader)
    battles = [battle.id for battle in found.countable.pending]
    is_open = extent == OPEN or reader == UMPIRE
    assert battles == found.certain == (["ford", "tower"] if is_open else [])
    own = {PUBLIC: [], "north": ["birch"], "south": [], "east": ["elder"], UMPIRE: ["birch", "elder"]}
    assert list(found.campaign.orders) == own[reader]


@pytest.mark.parametrize("reader", [PUBLIC, "north", "south", "east"])
def test_standing_orders_are_known_to_their_own_alone(tmp_path: Path, reader: Reader) -> None:
    """Allies do not know them either, and orders that were never followed change nothing that others see."""
    found = []
    for name, lines in (("one", ""), ("two", 'standing = ["commit round 99: commit K"]\n')):
        folder = frontier(tmp_path / name, extents("all", "own", "all", "all"))
        edit(folder, ("strength = 9\n", "strength = 75\n"))
        edit(folder, ('sides = ["ash", "cedar"]', 'sides = [["ash", "elder"], ["cedar"]]'))
        edit(folder, *((f"[forces.{key}]\n", f"[forces.{key}]\n{lines}") for key in ("ash", "cedar")))
        fought_and_recorded(folder)
        whole = known(folder, reader)
        log = whole.logs(folder)[1]
        assert bool(log.sides[0].standing) is bool(lines)
        view = whole.view_of(1, log)
        found.append((view.table(), view.is_certain, luck.count_luck(folder, whole, 3, Serial())))
    sides = found[1][0]["sides"]
    assert isinstance(sides, dict)
    told = [key for key in sides if sides[key].pop("standing", None)]
    assert told == {"north": ["ash"], "south": ["cedar"]}.get(reader or "", [])
    assert found[0] == found[1]
    assert found[0][1] and len(found[0][2]) == 2  # whose luck could be told


def test_a_hidden_change_of_a_pending_battle_by_hand_leaves_no_trace(tmp_path: Path) -> None:
    folder = frontier(tmp_path, OPEN)
    record(folder, umpire_changes.write_note(store.load(folder), "Fog."))
    edit(folder, ("has been lied to", "was bought"))
    record(folder, umpire_changes.write_note(store.load(folder), "Rain."))
    assert [entry.kind for entry in known(folder, UMPIRE).entries] == ["note", "edit", "note"]
    for reader in (PUBLIC, "north", "east"):
        assert [entry.kind for entry in known(folder, reader).entries] == ["note", "note"]


@pytest.mark.parametrize(
    ("where", "is_seen"),
    [
        ('stakes = "mill"\nplace = "tower"', False),  # where it is fought decides, not where its forces are
        ('place = "mill"', True),
        ('road = ["mill", "tower"]', True),
        ("", True),  # a battle without a place is where its forces are: Elder is at the keep
    ],
)
def test_rough_shows_a_battle_of_others_if_its_place_is_in_sight(
    tmp_path: Path, where: str, is_seen: bool
) -> None:
    folder = frontier(tmp_path, NEAR)
    edit(folder, ('stakes = "tower"', where))
    assert ("tower" in [battle.id for battle in known(folder, "north").campaign.pending]) == is_seen


def test_the_ledger_is_searched_once_for_the_settings_of_past_battles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the time for a site would grow with the square of the number of battles."""
    folder = frontier(tmp_path)
    battles = [
        decided("ford", "ash", ash="0", cedar="1/2"),
        decided("tower", "elder", dogwood="1", elder="0"),
    ]
    record(folder, *operations.plan_import(store.load(folder), store.load_ledger(folder), battles).operations)
    visible = known(folder, UMPIRE)
    search = Mock(wraps=history.setting_changes)
    monkeypatch.setattr("cardbattle.campaign.visibility.reader.setting_changes", search)
    assert sum(entry.result is not None for entry in visible.entries) == 2
    for entry in visible.entries:
        visible.campaign_after(entry)
    assert search.call_count == 1
