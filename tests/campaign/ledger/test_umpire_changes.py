"""The umpire's own changes to a campaign: new things, moves, other keys, notes, turns."""

from __future__ import annotations

import io
import random
import tomllib
from pathlib import Path

import pytest

from cardbattle.campaign import check
from cardbattle.campaign.ledger import history, operations, umpire_changes, undo, value_edits
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.state.model import Calendar
from cardbattle.campaign.state.renaming import Rename, rename_in_text
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.hints.destroyed_hints import destroyed_hints, weak_hints
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.show.pages.campaign.history import describe_changes, describe_entry
from cardbattle.show.pages.campaign.standings import campaign_title
from tests.campaign.ledger.test_undo import BRIDGE, Umpire
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.support import marches

HEADERS = marches.MARCHES
INLINE = """\
format = 1
name = "Inline"
revision = 0
seed = 1
rules = "strategy-war"
[factions]
york = {}
lancaster = { name = "Lancaster" } # red
[forces]
percy = { faction = "york", strength = 4, location = "hill" }
stafford = { faction = "lancaster", strength = 4 }   # blue
[locations]
hill = { owner = "york" }

# To be fought.
[[pending]]
id = "hill"
sides = ["percy", "stafford"]
stakes = "hill"
"""
DOTTED = """\
format = 1
name = "Dotted"
revision = 0
seed = 1
rules = "strategy-war"
factions.york.points = 1
factions.lancaster.points = 2
forces.percy.faction = "york"
forces.percy.strength = 4
forces."stafford".faction = 'lancaster'
forces.stafford.strength = 5
locations.hill.owner = "york"
pending = [
  { id = "hill", sides = ["percy", ["stafford"]], stakes = "hill" }, # soon
]
"""
EMPTY = 'format = 1\nname = "Nothing yet"\nrevision = 0\nseed = 1\nrules = "strategy-war"'
LAYOUTS = {
    "headers": HEADERS, "inline": INLINE, "dotted": DOTTED, "empty": EMPTY,
    "windows": HEADERS.replace("\n", "\r\n"),
}  # fmt: skip


def umpire_of(path: Path, text: str) -> Umpire:
    """Return the umpire of a campaign with this file."""
    umpire = Umpire(path)
    umpire.file.write_bytes(text.encode())
    return umpire


def additions(books: CampaignFile) -> list[Operation]:
    """Return what adds one thing of each kind, the later ones naming the earlier."""
    found: list[Operation] = []
    for table, key, values in (
        ("factions", "mortimer", {"name": "House of Mortimer"}),
        ("locations", "ludlow", {"name": "Ludlow", "owner": "mortimer", "value": 2}),
        ("forces", "edmund", {"faction": "mortimer", "strength": 9, "location": "ludlow"}),
        ("forces", "rhys", {"faction": "mortimer", "strength": 3}),
    ):
        found.append(umpire_changes.add_thing(operations.after(books, found), table, key, values))
    gate = {"id": "ludlow-gate", "sides": ["edmund", "rhys"], "stakes": "ludlow"}
    return [*found, umpire_changes.add_battle(operations.after(books, found), EMPTY_LEDGER, gate)]


def lines_but_revision(umpire: Umpire) -> list[bytes]:
    """Return the file's lines without the line of its revision, and without blank lines at its end."""
    return [
        line for line in umpire.file.read_bytes().rstrip().splitlines() if not line.startswith(b"revision")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_what_is_added_stands_in_the_file_and_goes_again_without_a_trace(text: str, tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, text)
    before = lines_but_revision(umpire)
    for operation in additions(umpire.books):
        umpire.do(operation)
    campaign = umpire.books.campaign
    assert campaign.forces["edmund"].location == "ludlow"
    assert campaign.locations["ludlow"].owner == "mortimer"
    assert campaign.pending[-1].id == "ludlow-gate"
    kept = iter(lines_but_revision(umpire))
    assert all(line in kept for line in before)  # in their order
    for _ in range(5):
        umpire.undo()
    assert lines_but_revision(umpire) == before
    for _ in range(5):
        umpire.redo()
    assert umpire.books.campaign.forces == campaign.forces
    assert umpire.books.campaign.pending == campaign.pending


def test_what_is_added_stands_among_its_like(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, HEADERS)
    for operation in additions(umpire.books):
        umpire.do(operation)
    headers = [line for line in umpire.file.read_text().splitlines() if line.startswith("[")]
    assert headers == [
        "[scoring]", "[attrition]", "[advantage.strategy-war]",
        "[factions.york]", "[factions.lancaster]", "[factions.mortimer]",
        "[forces.percy]", "[forces.mortimer]", "[forces.stafford]", "[forces.edmund]", "[forces.rhys]",
        "[locations.shrewsbury]", "[locations.ludlow]",
        "[[pending]]", "[[pending]]", "[pending.options.stafford]", "[[pending]]", "[[assert]]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "key", "values", "words"),
    [
        ("forces", "percy", {"faction": "york", "strength": 1}, 'there is a force "percy" already'),
        ("forces", "Sir W", {"faction": "york", "strength": 1}, '"Sir W" cannot be the key of a force'),
        ("forces", "new", {"faction": "yorck", "strength": 1}, 'faction "yorck" is not in this campaign'),
        ("forces", "new", {"faction": "york", "strength": -1}, "expected a whole number from 0, got -1"),
        ("locations", "new", {"owner": "tudor"}, 'faction "tudor" is not in this campaign'),
    ],
)
def test_what_does_not_fit_is_not_added(table: str, key: str, values: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        umpire_changes.add_thing(marches.books(), table, key, values)
    assert words in str(caught.value)


def test_a_battle_is_added_once_and_with_forces_that_are_there() -> None:
    with pytest.raises(InvalidInput, match=r'a battle "bridge" is pending already; choose another id'):
        umpire_changes.add_battle(
            marches.books(), EMPTY_LEDGER, {"id": "bridge", "sides": ["percy", "stafford"]}
        )
    with pytest.raises(InvalidInput, match=r'force "percey" is not in this campaign; did you mean "percy"'):
        umpire_changes.add_battle(
            marches.books(), EMPTY_LEDGER, {"id": "ford", "sides": ["percey", "stafford"]}
        )
    with pytest.raises(InvalidInput, match=r'"The Ford" cannot be the id of a battle: .*; write the-ford'):
        umpire_changes.add_battle(
            marches.books(), EMPTY_LEDGER, {"id": "The Ford", "sides": ["percy", "stafford"]}
        )


def test_a_battle_of_a_destroyed_force_is_neither_added_nor_edited() -> None:
    books = marches.books(marches.MARCHES.replace("strength = 3\n", "strength = 1\ndestroyed = true\n"))
    refusal = (
        "Mortimer is destroyed; leave it out, or bring it back: "
        "cardbattle campaign unset forces.mortimer.destroyed"
    )
    table = {"id": "ford", "sides": ["mortimer", "stafford"]}
    with pytest.raises(InvalidInput, match=refusal):
        umpire_changes.add_battle(books, EMPTY_LEDGER, table)
    with pytest.raises(InvalidInput, match=refusal):
        value_edits.edit_battle(books, "bridge", {"sides": ["mortimer", "stafford"]}, [], [])
    value_edits.edit_battle(books, "wood", {"sides": ["percy", "stafford"]}, [], [])


def test_what_is_wrong_with_a_battle_that_is_added_is_told_by_its_own_keys() -> None:
    for sides, where in (
        (["percy", "percy"], "on two sides"),
        (["stafford", ["percy", "percy"]], "twice on this side"),
    ):
        error = rf'^sides\.2: force "percy" fights {where}; name each force once in a battle$'
        with pytest.raises(InvalidInput, match=error):
            umpire_changes.add_battle(marches.books(), EMPTY_LEDGER, {"id": "ford", "sides": sides})


def test_a_battle_is_not_added_under_the_id_of_one_that_is_recorded(umpire: Umpire) -> None:
    umpire.fight("bridge")
    with pytest.raises(
        InvalidInput, match=r'a battle "bridge" is already recorded \(revision 1\); choose another'
    ):
        umpire_changes.add_battle(
            umpire.books, umpire.ledger, {"id": "bridge", "sides": ["percy", "stafford"]}
        )


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("faction", "house  YORK", 'a faction "House York" already, with the key york'),
        ("faction", "York", 'a faction "House York" already, with the key york'),
        ("force", "Härry Percy", 'a force "Harry Percy" already, with the key percy'),
        ("place", "shrewsbury", 'a place "Shrewsbury" already, with the key shrewsbury'),
    ],
)
def test_a_name_that_is_taken_is_not_added_under_another_key_unasked(
    kind: str, name: str, words: str, sh: Shell
) -> None:
    sh.write("campaign.toml", HEADERS)
    more = ["--faction", "york", "--strength", "3"] if kind == "force" else []
    told = sh("campaign", "add", kind, name, *more)
    assert told.code == 3
    assert told.err == (
        f"cardbattle: there is {words}; choose another name, or give a second one of that name "
        "its own key with --key\n"
    )
    told = sh("campaign", "add", kind, name, *more, "--key", "another")
    assert (told.code, told.err) == (0, "")


def test_the_key_made_from_a_name_is_shown(sh: Shell) -> None:
    sh.write("campaign.toml", HEADERS)
    assert sh("campaign", "add", "place", "Oswestry").err == "the key of Oswestry is oswestry\n"
    assert sh("campaign", "add", "place", "織田").err == "the key of 織田 is no-1\n"
    assert sh("campaign", "add", "place", "武田").err == "the key of 武田 is no-1-2\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["faction", "x" * 41], "NAME: expected a name of 1 to 40 characters, got 41"),
        (["force", "Rhys", "--faction", "york", "--strength", "many"], "--strength: expected a whole number"),
    ],
)
def test_what_cannot_be_added_is_a_usage_mistake(words: list[str], told: str, sh: Shell) -> None:
    sh.write("campaign.toml", HEADERS)
    done = sh("campaign", "add", *words)
    assert (done.code, done.err[: len(told) + 12]) == (2, f"cardbattle: {told}")


def test_what_was_added_and_taken_back_goes_in_one_sentence(umpire: Umpire) -> None:
    umpire.do(umpire_changes.add_thing(umpire.books, "forces", "edmund", {"faction": "york", "strength": 9}))
    undone = umpire.undo()
    assert describe_changes(umpire.books.campaign, undone.entry.changes) == [
        "the force Edmund is no longer there"
    ]


def test_what_was_added_stays_while_a_later_battle_or_move_has_decided_about_it(umpire: Umpire) -> None:
    umpire.do(umpire_changes.add_thing(umpire.books, "locations", "ludlow", {"value": 2}))
    umpire.do(umpire_changes.add_thing(umpire.books, "forces", "edmund", {"faction": "york", "strength": 9}))
    umpire.do(umpire_changes.move_forces(umpire.books, ["edmund"], "ludlow"))
    with pytest.raises(InvalidInput, match=r"forces\.edmund would be removed, but it now has location"):
        umpire.undo("2")
    with pytest.raises(InvalidInput, match="ludlow"):
        umpire.undo("1")  # Edmund is there
    umpire.undo("3")
    umpire.adjust("forces.edmund.strength", "4")
    with pytest.raises(Exception, match=r"forces\.edmund\.strength is now 4, by adjust \(revision 5\)"):
        umpire.undo("2")


@pytest.fixture
def umpire(tmp_path: Path) -> Umpire:
    return Umpire(tmp_path)


RENAMES = [Rename("forces", "stafford", "humphrey"), Rename("factions", "york", "white-rose"),
           Rename("locations", "shrewsbury", "salop"), Rename("forces", "percy", "york")]  # fmt: skip


@pytest.mark.parametrize("rename", RENAMES)
def test_a_rename_reaches_every_reference_and_touches_no_other_byte(rename: Rename, umpire: Umpire) -> None:
    before = umpire.file.read_text()
    umpire.do(umpire_changes.rename_key(umpire.books, f"{rename.table}.{rename.old}", rename.new))
    text = umpire.file.read_text()
    assert rename.old not in tomllib.loads(text)[rename.table]
    back = text.replace("revision = 1 ", "revision = 0 ")
    assert rename_in_text(back, Rename(rename.table, rename.new, rename.old)) == before
    umpire.undo()
    assert umpire.file.read_text() == before.replace("revision = 0 ", "revision = 2 ")


@pytest.mark.parametrize("text", [INLINE, DOTTED], ids=["inline", "dotted"])
def test_a_rename_reaches_every_layout(text: str, tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, text)
    for what, key in (("stafford", "humphrey"), ("york", "white"), ("hill", "mount"), ("percy", "harry")):
        umpire.do(umpire_changes.rename_key(umpire.books, what, key))
    campaign = umpire.books.campaign
    assert campaign.pending[0].sides == [["harry"], ["humphrey"]]
    assert campaign.pending[0].stakes == "mount"
    assert campaign.locations["mount"].owner == campaign.forces["harry"].faction == "white"
    assert len(umpire.file.read_text().splitlines()) == len(text.splitlines())


def test_a_place_renamed_stays_where_its_roads_lead(tmp_path: Path) -> None:
    roads = HEADERS + '[locations.wem]\nat = [40, 60]\n[map]\nroads = [["wem", "shrewsbury"]]  # muddy\n'
    umpire = umpire_of(tmp_path, roads)
    umpire.do(umpire_changes.rename_key(umpire.books, "wem", "whitchurch"))
    campaign = umpire.books.campaign
    assert campaign.map.roads == [("whitchurch", "shrewsbury")]
    assert campaign.locations["whitchurch"].at == (40, 60)
    assert 'roads = [["whitchurch", "shrewsbury"]]  # muddy\n' in umpire.file.read_text()


def test_a_side_renamed_keeps_its_options_and_its_part_in_house_rules() -> None:
    text = HEADERS.replace('rules = "strategy-war"', 'rules = "field-of-honour"').replace(
        "strategy-war]", "strategy-war]"
    )
    text = text.replace(
        '[pending.options.stafford]\ncards = ["A", "A"]',
        '[pending.house]\ndealer = "stafford"\n[pending.options.stafford]\nhand = 12',
    )
    books = marches.books(text)
    found = operations.after(
        books, [umpire_changes.rename_key(books, "stafford", "humphrey")]
    ).campaign.pending[1]
    assert found.house == {"dealer": "humphrey"}
    assert found.options == {"humphrey": {"hand": 12}}


@pytest.mark.parametrize(
    ("what", "key", "words"),
    [
        ("percey", "harry", 'faction, force or place "percey" is not in this campaign; did you mean "percy"'),
        ("forces.york", "harry", 'force "york" is not in this campaign'),
        (
            "force.percy",
            "harry",
            'unknown key "force.percy"; write a key, alone or as factions.KEY, forces.KEY',
        ),
        (
            "harry PERCY",
            "harry",
            '"harry PERCY" is a name; write the key, forces.percy; to change the name, use: '
            'cardbattle campaign set forces.percy.name="NEW NAME"',
        ),
        ("percy", "Harry", '"Harry" cannot be a key'),
        ("forces.percy", "forces.harry", '(at most 40), got "forces.harry"; write harry'),
        ("percy", "stafford", 'there is a force "stafford" already; choose another key'),
        ("bridge", "ford", "bridge is a battle: its id determines its cards"),
    ],
)
def test_a_rename_that_cannot_be_says_why(what: str, key: str, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        umpire_changes.rename_key(marches.books(), what, key)
    assert words in str(caught.value)


def test_a_key_of_several_things_is_asked_for_by_its_table() -> None:
    books = marches.books(HEADERS.replace("factions.york]", "factions.percy]").replace('"york"', '"percy"'))
    with pytest.raises(
        InvalidInput, match=r"the key of several things; name one of them, factions\.percy or forces"
    ):
        umpire_changes.rename_key(books, "percy", "harry")


@pytest.mark.slow
def test_what_was_before_a_rename_is_taken_back_and_told_in_todays_keys(umpire: Umpire) -> None:
    before = umpire.books.campaign
    umpire.fight("bridge")
    umpire.do(umpire_changes.rename_key(umpire.books, "stafford", "humphrey"))
    umpire.do(umpire_changes.rename_key(umpire.books, "percy", "harry"))
    fought = umpire.ledger.entry(1)
    assert set(fought.result.sides) == {"percy", "stafford"}  # type: ignore[union-attr]
    today = history.entry_today(umpire.ledger, 1)
    assert set(today.result.sides) == {"harry", "humphrey"}  # type: ignore[union-attr]
    for key in ("percy", "harry"):
        assert history.is_about(umpire.ledger, fought, key)
    umpire.undo("1")
    after = umpire.books.campaign
    assert after.forces["humphrey"] == before.forces["stafford"]
    assert after.forces["harry"] == before.forces["percy"]
    assert after.pending[0].sides == [["harry"], ["humphrey"]]
    assert "# Fog until noon." in umpire.file.read_text()
    umpire.redo()
    umpire.undo("1")
    umpire.undo("3")
    umpire.undo("2")
    assert umpire.books.campaign.forces == before.forces
    assert umpire.books.campaign.pending == before.pending


def test_a_rename_that_another_has_overtaken_names_it(umpire: Umpire) -> None:
    umpire.do(umpire_changes.rename_key(umpire.books, "stafford", "humphrey"))
    umpire.do(umpire_changes.rename_key(umpire.books, "humphrey", "stafford-the-younger"))
    with pytest.raises(
        Exception, match=r"forces\.humphrey is gone, by rename \(revision 2\); undo that first"
    ):
        umpire.undo("1")


@pytest.mark.parametrize("behind", [1, 2, 3, 4])
def test_a_file_that_lags_behind_a_rename_is_brought_up(behind: int, umpire: Umpire) -> None:
    texts = [umpire.file.read_text()]
    for step in range(4):
        old, new = ("stafford", "humphrey") if step < 2 else ("humphrey", "henry")
        if step % 2:
            umpire.do(umpire_changes.rename_key(umpire.books, old, new))
        else:
            umpire.adjust(f"forces.{old}.strength", str(9 + step))
        texts.append(umpire.file.read_text())
    umpire.file.write_text(texts[-1 - behind])
    with store.open_for_writing(umpire.folder):
        pass
    assert umpire.file.read_text() == texts[-1]


def test_a_file_with_both_keys_or_none_needs_the_umpire(umpire: Umpire) -> None:
    before = umpire.file.read_text()
    umpire.do(umpire_changes.rename_key(umpire.books, "mortimer", "edmund"))
    umpire.file.write_text(before.replace("mortimer", "roger"))
    with pytest.raises(Exception, match=r"forces\.mortimer should become forces\.edmund, but neither is"):
        umpire.turn()


def test_forces_move_by_key_or_name_and_not_to_where_they_are(umpire: Umpire) -> None:
    umpire.do(umpire_changes.add_thing(umpire.books, "locations", "montford", {"name": "Montford Bridge"}))
    umpire.do(umpire_changes.move_forces(umpire.books, ["harry percy", "stafford"], "montford bridge"))
    assert umpire.value("forces.percy.location") == umpire.value("forces.stafford.location") == "montford"
    with pytest.raises(InvalidInput, match=r"^Harry Percy: at Montford Bridge already"):
        umpire_changes.move_forces(umpire.books, ["percy", "Harry Percy"], "montford")
    umpire.do(umpire_changes.move_forces(umpire.books, ["percy", "percy"], "shrewsbury"))
    umpire.do(umpire_changes.move_forces(umpire.books, ["percy"], "montford"))
    with pytest.raises(
        InvalidInput, match='place "montfort" is not in this campaign; did you mean "montford"'
    ):
        umpire_changes.move_forces(umpire.books, ["percy"], "montfort")
    umpire.record(operations.adjust(umpire.books, "forces.percy.destroyed", "true"))
    with pytest.raises(InvalidInput, match="Harry Percy is destroyed and cannot move"):
        umpire_changes.move_forces(umpire.books, ["percy"], "shrewsbury")


@pytest.mark.parametrize("place", ["shrewsbury", "wem", "ludlow"])
def test_a_force_on_a_road_moves_off_it(tmp_path: Path, place: str) -> None:
    roads = '\n[locations.wem]\n[locations.ludlow]\n[[road]]\nbetween = ["shrewsbury", "wem"]\nlength = 3\n'
    on_road = 'location = "shrewsbury"\ntowards = "wem"\nwalked = 2'
    text = HEADERS.replace('location = "shrewsbury"', on_road, 1) + roads
    umpire = umpire_of(tmp_path, text.replace("[scoring]", "[movement]\n\n[scoring]"))
    before = umpire.file.read_bytes()
    umpire.do(umpire_changes.move_forces(umpire.books, ["percy"], place))
    percy = umpire.books.campaign.forces["percy"]
    assert (percy.location, percy.towards, percy.walked) == (place, None, 0)
    with pytest.raises(InvalidInput, match="already"):
        umpire_changes.move_forces(umpire.books, ["percy"], place)
    umpire.undo()
    assert b'towards = "wem"\nwalked = 2' in umpire.file.read_bytes()
    assert umpire.file.read_bytes().replace(b"revision = 2", b"revision = 0") == before


def test_a_destroyed_force_that_gains_strength_names_the_command_that_brings_it_back(umpire: Umpire) -> None:
    back = "to bring it back: cardbattle campaign unset forces.percy.destroyed"
    umpire.record(operations.adjust(umpire.books, "forces.percy.destroyed", "true"))
    assert [*destroyed_hints(umpire.books.campaign, umpire.ledger)] == []
    added = operations.adjust_all(umpire.books, [("forces.percy.strength+", "6")])
    assert added.notes == [f"Harry Percy is still destroyed; {back}"]
    values = [("forces.percy.name", "The Percy Archers"), ("forces.percy.strength+", "6")]
    plural = f"The Percy Archers are still destroyed; {back.replace('it', 'them', 1)}"
    assert operations.adjust_all(umpire.books, values).notes == [plural]
    both = [("forces.percy.strength+", "6"), ("forces.percy.destroyed", "false")]
    assert operations.adjust_all(umpire.books, both).notes == []
    lowered = operations.adjust_all(umpire.books, [("forces.percy.strength", "3")])
    assert lowered.notes == [f"Harry Percy is still destroyed; {back}"]
    assert operations.adjust_all(umpire.books, [("forces.percy.strength", "0")]).notes == []
    umpire.record(added)
    [hint] = destroyed_hints(umpire.books.campaign, umpire.ledger)
    assert (hint.text, hint.at) == (
        f"it has strength 20 and is destroyed; {back}",
        ("forces", "percy", "destroyed"),
    )
    umpire.record(operations.adjust(umpire.books, "forces.percy.destroyed", "false"))
    assert [*destroyed_hints(umpire.books.campaign, umpire.ledger)] == []


def test_a_force_that_an_adjustment_leaves_too_weak_names_the_command_that_destroys_it(
    umpire: Umpire,
) -> None:
    end = "is below 2; to remove it from play: cardbattle campaign set forces.percy.destroyed=true"
    for strength in (0, 1):
        value = ("forces.percy.strength", str(strength))
        weak = operations.adjust_all(umpire.books, [value])
        assert weak.notes == [f"Harry Percy is not destroyed, although strength {strength} {end}"]
        assert operations.adjust_all(umpire.books, [value, ("forces.percy.destroyed", "true")]).notes == []
    assert operations.adjust_all(umpire.books, [("forces.percy.strength", "2")]).notes == []
    assert [*weak_hints(umpire.books.campaign)] == []
    umpire.record(weak)
    [hint] = weak_hints(umpire.books.campaign)
    assert hint.text == f"it is not destroyed, although strength 1 {end}"
    assert hint.at == ("forces", "percy", "strength")
    umpire.record(operations.adjust(umpire.books, "forces.percy.destroyed", "true"))
    assert [*weak_hints(umpire.books.campaign)] == []


def test_a_name_that_several_have_is_asked_for_by_its_key() -> None:
    text = HEADERS.replace(
        'faction = "york"\nstrength = 3', 'faction = "york"\nname = "HARRY PERCY"\nstrength = 3'
    )
    with pytest.raises(InvalidInput, match='"Harry Percy" names several forces: percy or mortimer'):
        umpire_changes.find_key(marches.books(text).campaign, "forces", "Harry Percy")


def test_a_leading_article_can_be_left_out_of_a_name() -> None:
    text = HEADERS.replace(
        'faction = "york"\nstrength = 3', 'faction = "york"\nname = "The Bows"\nstrength = 3'
    )
    for word in ("The Bows", "bows"):
        assert umpire_changes.find_key(marches.books(text).campaign, "forces", word) == "mortimer"


def test_a_force_is_named_by_the_beginning_of_a_word() -> None:
    text = HEADERS.replace(
        'faction = "york"\nstrength = 3', 'faction = "york"\nname = "Röhrigs Kompanie"\nstrength = 3'
    )
    for word in ("Röhrig", "die Kompanie", "röhr. komp."):
        assert umpire_changes.find_key(marches.books(text).campaign, "forces", word) == "mortimer"


def test_a_part_of_a_key_names_a_force_unless_it_is_part_of_a_name() -> None:
    """A key is made without umlauts, and players spell names in the same way."""
    text = HEADERS.replace("[forces.mortimer]", '[forces.freistadt-sulz]\nname = "Freistadt Sülz"')
    text = text.replace("mortimer", "freistadt-sulz")
    for word in ("sulz", "SÜLZ", "suelz"):
        assert umpire_changes.find_key(marches.books(text).campaign, "forces", word) == "freistadt-sulz"
    named = text.replace('name = "Harry Percy"', 'name = "Sulz Men"')
    assert umpire_changes.find_key(marches.books(named).campaign, "forces", "sulz") == "percy"


def test_a_note_is_kept_with_its_turn_and_taken_back_like_anything(umpire: Umpire) -> None:
    umpire.do(umpire_changes.write_note(umpire.books, "The bridge is down.", turn=3, date="8 July"))
    entry = umpire.ledger.entry(1)
    assert (entry.kind, entry.text, entry.turn, entry.date) == ("note", "The bridge is down.", 3, "8 July")
    umpire.undo()
    assert 1 in umpire.ledger.undone_revisions
    with pytest.raises(InvalidInput, match="turn 5 is in the future; it is turn 4"):
        umpire_changes.write_note(umpire.books, "x", turn=5)
    with pytest.raises(UsageError, match="the note is empty"):
        umpire_changes.write_note(umpire.books, " ")


def test_a_turn_with_a_name_keeps_its_dates(umpire: Umpire) -> None:
    umpire.file.write_text(HEADERS + '[calendar]\nfirst_day = "1403-07-01"\n')
    umpire.do(umpire_changes.next_turn(umpire.books, name="The week of the comet"))
    title = "The Marches: turn 5 (The week of the comet, 29 July to 4 August 1403), revision 1"
    assert campaign_title(umpire.books.campaign) == title
    known = visible_to(umpire.books.campaign, umpire.ledger, UMPIRE)
    begins = "Turn 5 begins: The week of the comet, 29 July to 4 August 1403"
    assert describe_entry(known, umpire.ledger.entry(1)) == begins
    umpire.turn()
    assert campaign_title(umpire.books.campaign).startswith("The Marches: turn 6 (5 to 11 August 1403)")
    assert (
        describe_entry(visible_to(umpire.books.campaign, umpire.ledger, UMPIRE), umpire.ledger.entry(1))
        == begins
    )


def test_a_turn_may_have_a_name_which_goes_with_it(umpire: Umpire) -> None:
    umpire.do(umpire_changes.next_turn(umpire.books, name="Week of 8 July"))
    assert umpire.books.campaign.when(5) == "Week of 8 July"
    umpire.turn()
    assert umpire.value("turn_name") is None
    assert umpire_changes.still_pending(umpire.books.campaign) == "bridge and wood are still pending"
    umpire.undo()
    assert umpire.value("turn_name") == "Week of 8 July"


@pytest.mark.parametrize(
    ("first", "days", "turn", "words"),
    [
        ("1403-07-01", 7, 2, "8 to 14 July 1403"),
        ("1403-07-28", 7, 1, "28 July to 3 August 1403"),
        ("1403-12-30", 7, 1, "30 December 1403 to 5 January 1404"),
        ("1403-07-01", 1, 3, "3 July 1403"),
        ("1403-07-01", 7, 0, ""),
        ("9999-12-30", 7, 2, ""),
    ],
)
def test_a_calendar_gives_every_turn_its_days(first: str, days: int, turn: int, words: str) -> None:
    assert Calendar.model_validate({"first_day": first, "days": days}).dates(turn) == words


@pytest.mark.parametrize("written", ['"1403-07-01"', "1403-07-01"])
def test_a_campaign_with_a_calendar_says_when_it_is(written: str, umpire: Umpire) -> None:
    umpire.file.write_text(HEADERS + f"[calendar]\nfirst_day = {written}\n")
    umpire.turn()
    assert (
        campaign_title(umpire.books.campaign) == "The Marches: turn 5 (29 July to 4 August 1403), revision 1"
    )
    with pytest.raises(UsageError, match="adjust sets one number, text, true or false at a time"):
        operations.adjust(umpire.books, "calendar.first_day", "1403-08-01")
    umpire.adjust("calendar.days", "8")
    assert umpire.books.campaign.when(2) == "9 to 16 July 1403"


@pytest.mark.parametrize("day", ["1403-13-01", "1403-7-1", "soon"])
def test_a_day_that_is_none_says_how_it_is_written(day: str) -> None:
    with pytest.raises(InvalidInput, match="expected a date such as 1403-07-08"):
        marches.books(HEADERS + f'[calendar]\nfirst_day = "{day}"\n')


def random_bookkeeping(umpire: Umpire, chance: random.Random) -> Operation:
    """Return one thing that an umpire keeps, sensible or not."""
    books, ledger = umpire.books, umpire.seen
    campaign = books.campaign
    forces, places, factions = [*campaign.forces], [*campaign.locations], [*campaign.factions]
    new = f"new-{chance.randrange(6)}"
    match chance.randrange(9):
        case 0:
            values: dict[str, object] = {"faction": chance.choice(factions), "strength": chance.randrange(9)}
            return umpire_changes.add_thing(books, "forces", new, values)
        case 1:
            return umpire_changes.add_thing(books, "locations", new, {"owner": chance.choice(factions)})
        case 2:
            sides = chance.sample(forces, 2)
            values = {"id": new, "sides": sides, "stakes": chance.choice(places)}
            return umpire_changes.add_battle(books, ledger, values)
        case 3:
            return umpire_changes.move_forces(books, chance.sample(forces, 2), chance.choice(places))
        case 4 | 5:
            return umpire_changes.rename_key(books, chance.choice([*forces, *places, *factions]), new)
        case 6:
            return umpire_changes.write_note(books, "It rains.")
        case 7:
            return undo.redo(books, ledger)
        case _:
            return undo.undo(books, ledger, chance.choice(["", "", "1", "2", "3"]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_any_order_of_bookkeeping_and_battles_keeps_the_law(seed: int, tmp_path: Path) -> None:
    chance, recorded = random.Random(f"keeping {seed}"), 0
    umpire = umpire_of(tmp_path, [HEADERS, INLINE, DOTTED][seed % 3])
    while recorded < 25:
        try:
            pending = [battle.id for battle in umpire.books.campaign.pending]
            if pending and not chance.randrange(6):
                battle = umpire.books.campaign.battle(chance.choice(pending))
                assert battle is not None
                lost = dict.fromkeys(battle.keys, "1/3")
                decree = marches.decided(battle.id, battle.keys[0], **lost)
                found = operations.plan_import(umpire.books, umpire.seen, [decree]).operations
                umpire.record(*found)
            else:
                umpire.record(random_bookkeeping(umpire, chance))
        except Exception as error:
            if not hasattr(error, "exit_code"):
                raise
            continue
        recorded += 1
        assert not [one for one in check.check(umpire.folder) if "already recorded" not in str(one)]
        assert not check.look_through(umpire.folder).edits


def test_a_record_exported_before_a_rename_is_the_one_that_was_recorded(umpire: Umpire) -> None:
    umpire.fight("bridge")
    umpire.do(umpire_changes.rename_key(umpire.books, "percy", "harry"))
    assert operations.plan_import(umpire.books, umpire.seen, [BRIDGE]).known == ["bridge"]


@pytest.mark.parametrize(
    ("words", "answers", "told"),
    [
        ("force", ["Sir Bors", "kings", "king", "many", "7"], ["forces.sir-bors.strength", "7"]),
        ("battle", ["wood", "nobody", "lunsford", "massie+clubmen"], ["pending.wood", '"massie", "clubmen"']),
        ("place", ["The Wood"], ["locations.the-wood", "The Wood"]),
    ],
)
def test_what_is_left_out_is_asked_for_at_a_terminal(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch, words: str, answers: list[str], told: list[str]
) -> None:
    assert sh("campaign", "add", words).code == 2  # without a terminal, no one can be asked
    monkeypatch.setattr("cardbattle.cli.asking.is_interactive", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    assert sh("campaign", "add", words, "-q").code == 0
    entry = (war / "history.toml").read_text(encoding="utf-8")
    assert all(word in entry for word in told)
    assert sh("campaign", "check").code == 0


def test_an_undone_rename_keeps_the_name_of_its_force(umpire: Umpire) -> None:
    umpire.do(umpire_changes.rename_key(umpire.books, "percy", "hotspur"))
    umpire.undo()
    visible = visible_to(umpire.books.campaign, umpire.ledger, UMPIRE)
    assert "the key of Harry Percy: percy -> hotspur" in str(describe_entry(visible, visible.entries[0]))
