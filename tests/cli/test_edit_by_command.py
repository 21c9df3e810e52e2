"""campaign set, unset, remove, cancel and edit: the diff first, one entry, and everything comes back."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in, state
from tests.cli.test_cli_campaign import war as war  # the same campaign


def text_of(folder: Path) -> str:
    """Return campaign.toml without its revision."""
    return re.sub(r"(?m)^revision = \d+", "revision", (folder / "campaign.toml").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["set", "forces.birch.strength", "12"],
        ["set", "scoring.win=3", "visibility.strength=own", "--reason", "a new rule"],
        ["set", "forces.*.commander", "seasoned", "--where", "faction=king"],
        ["unset", "forces.*.commander"],
        ["cancel", "mill", "--reason", "flood"],
        ["edit", "mill", "--set", "note=At dawn", "--unset", "stakes"],
        ["add", "assert", "turn=1"],
        ["add", "fixtures", "kind=swiss", "forces=birch,lunsford", "points.win=2"],
    ],
    ids=" ".join,
)
def test_an_edit_shows_its_diff_is_one_entry_and_is_undone_to_the_byte(
    sh: Shell, war: Path, arguments: list[str]
) -> None:
    before, files, revision = text_of(war), bytes_in(war), state(war)["revision"]
    code, diff, _ = sh("campaign", *arguments, "--dry-run")
    assert code == 0 and diff.startswith("--- a/campaign.toml\n+++ b/campaign.toml\n")
    assert bytes_in(war) == files
    code, _, errors = sh("campaign", *arguments)
    assert code == 0 and errors.startswith(diff)
    assert state(war)["revision"] == revision + 1  # type: ignore[operator]
    assert text_of(war) != before
    assert sh("campaign", "undo")[0] == 0
    assert text_of(war) == before
    assert sh("campaign", "check")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ["set", "forces.birch.strength", "many"],
            3,
            "forces.birch.strength: expected a whole number from 0",
        ),
        (["set", "forces.birch"], 2, "write KEY=VALUE"),
        (["unset", "forces.birch.faction"], 3, "forces.birch.faction is required; set another value instead"),
        (["unset", "turn_name"], 3, "turn_name: not set"),
        (["remove", "birch"], 3, "cancel or edit that first"),
        (["remove", "pending.mill"], 2, "campaign cancel mill"),
        (["remove", "calendar"], 3, "there is no calendar in this campaign"),
        (["cancel", "mil"], 3, 'no battle "mil" is pending; did you mean "mill"?'),
        (["cancel", "nosuch"], 3, 'no battle "nosuch" is pending; pending: '),
        (["override", "mill", "--winner", "birch", "--reason", "  "], 2, "override needs --reason TEXT"),
        (
            ["override", "mill", "--losses", "birch=1/4", "--losses", "birch=1/2", "--reason", "x"],
            2,
            "--losses birch=1/2: birch is named twice",
        ),
        (
            ["add", "force", "Two", "--faction", "king", "--unit", "A=1", "--unit", "A=2"],
            2,
            "--unit: A is named twice",
        ),
        (
            ["substitute", "king", "green", "--turn", "0"],
            3,
            "turn 0 is over; write this turn, 1, or a later one",
        ),
        (["edit", "mill"], 2, 'nothing to change in battle "mill"'),
        (["edit", "mill", "--set", "stake=mill"], 3, 'did you mean "stakes"?'),
        (
            ["add", "weather", "name=fog", "field-of-honour.all.hand=-1"],
            3,
            "field-of-honour: unknown key; write battle.field-of-honour instead of field-of-honour",
        ),
        (
            ["add", "terrain", "marsh", "strategy-war.defender.cards=9"],
            3,
            'expected a list of cards to add, got 9; write cards = ["9"]',
        ),
        (["add", "assert", "trun=3"], 3, 'assert.2.trun: unknown key; did you mean "turn"?'),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_edit_that_does_not_fit_changes_nothing(
    sh: Shell, war: Path, arguments: list[str], code: int, words: str
) -> None:
    before = bytes_in(war)
    exit_code, output, errors = sh("campaign", *arguments)
    assert exit_code == code and words in errors
    assert output == "" and bytes_in(war) == before


def test_json_is_not_mixed_with_a_diff(sh: Shell, war: Path) -> None:
    _, output, _ = sh("campaign", "set", "turn_name", "Mud and rain", "--json")
    assert output.startswith("{") and state(war)["turn_name"] == "Mud and rain"


@pytest.mark.slow
def test_a_new_settings_table_is_described_by_its_values(sh: Shell, war: Path) -> None:
    _, output, _ = sh("campaign", "add", "terrain", "woods", "field-of-honour.defender.hand=1")
    assert "  terrain.woods.field-of-honour.defender.hand: 0 -> +1\n" in output and "is new" not in output
    _, output, errors = sh(
        "campaign", "add", "event", "each=turn", "chance=1/6", "change.forces.birch.strength=-1"
    )
    assert errors.endswith("\nadded as event.1\n")
    assert state(war)["event"] == [{"each": "turn", "chance": "1/6", "change": {"forces.birch.strength": -1}}]
    _, output, _ = sh("campaign", "set", "event.1.chance", "1/3")
    assert output.endswith("  event: changed each turn: chance 1/6 -> 1/3\n")
    _, output, _ = sh("campaign", "unset", "event.1.chance")
    assert output.endswith("  event: changed each turn: chance no longer set (was 1/3)\n")
    _, output, _ = sh("campaign", "remove", "terrain")
    assert output.endswith("  [terrain] is no longer there\n")


@pytest.mark.slow
def test_a_league_is_added_drawn_fought_and_shown(sh: Shell, war: Path) -> None:
    sh("campaign", "cancel", "*")
    sh("campaign", "add", "fixtures", "kind=knock-out", "forces=birch,lunsford", "seeding=order")
    before = text_of(war)
    assert sh("campaign", "fixtures")[2].splitlines()[0] == "drawn: Final: 1 match"
    assert sh("campaign", "fixtures")[0] == 3
    assert sh("campaign", "override", "r1-birch-lunsford", "--winner", "birch", "--reason", "rain")[0] == 0
    code, output, _ = sh("campaign", "league", "--format", "plain")
    assert code == 0 and "Final: " in output and " won" in output
    assert sh("campaign", "fixtures")[2].startswith("cardbattle: the league is over: ")
    sh("campaign", "undo")
    sh("campaign", "undo")
    assert text_of(war) == before


@pytest.mark.slow
def test_a_league_table_is_wherever_a_reader_looks(sh: Shell, war: Path) -> None:
    sh("campaign", "cancel", "*")
    sh("campaign", "add", "fixtures", "kind=round-robin", "forces=birch,lunsford", "points.win=7")
    sh("campaign", "fixtures")
    battle = state(war)["pending"][0]["id"]  # type: ignore[index]
    sh("campaign", "override", battle, "--winner", "birch", "--reason", "rain")
    for words in (("standings",), ("show", "--no-odds"), ("report",), ("report", "--for", "king")):
        output = sh("campaign", *words, "--format", "text").out
        assert re.search(r"1\.? +Birch's Firelocks +1 +1 +0 +0 +0:0 +7", output), words
    assert sh("campaign", "site", "--no-chances").code == 0
    front = (war / "site" / "index.html").read_text(encoding="utf-8")
    assert "<h2><span>League</span></h2>" in front and '<td class="right">7</td>' in front


TABLES = {
    "movement": ["allowance=3"],
    "aftermath": ["retreat=previous"],
    "experience": ["battle=1"],
    "experience.steps": ["at=9", "title=old guard"],
    "supply": ["range=2"],
    "recovery": ["rate=1/10"],
    "income": ["per_value=1"],
    "deadlines": ["orders=3 days"],
    "results": ["confirm=both"],
    "visibility": ["location=own"],
    "calendar": ["first_day=1403-07-01"],
    "scoring": ["win=3"],
    "attrition": ["rate=1/2"],
}


def test_a_table_without_values_lists_its_keys(sh: Shell) -> None:
    sh("campaign", "new", "war")
    said = sh("campaign", "add", "table", "income", "-C", "war")
    assert said.code == 2
    assert "income: KEY=VALUE is missing; write one or more of: per_value, to (points or purse)\n" in said.err
    assert (
        "one or more of: at, title, commander, give" in sh("campaign", "add", "table", "experience.steps").err
    )


@pytest.mark.slow
def test_check_names_the_tables_for_play_by_message_before_the_first_orders(sh: Shell) -> None:
    sh("campaign", "new", "war")
    sh("campaign", "-C", "war", "add", "road", "the-mill", "the-bridge")
    sh("campaign", "-C", "war", "set", "movement.allowance=2", "results.confirm=both")
    said = sh("campaign", "-C", "war", "check")
    assert "for play by message, you can still add deadlines, aftermath" in said.err
    sh("campaign", "-C", "war", "set", "deadlines.orders=3 days")
    assert "play by message" not in sh("campaign", "-C", "war", "check").err


@pytest.mark.slow
def test_every_table_of_a_turn_can_be_added_and_is_undone_to_the_byte(sh: Shell) -> None:
    sh.write("campaign.toml", 'format = 1\nname = "W"\nrevision = 0\nseed = "s"\nrules = "wargame"\n')
    before = (sh.folder / "campaign.toml").read_text(encoding="utf-8").replace("revision = 0", "")
    for table, settings in TABLES.items():
        said = sh("campaign", "add", "table", table, *settings)
        assert said.code == 0 and table.split(".")[0] in state(sh.folder), (table, said.err)
    for _ in TABLES:
        assert sh("campaign", "undo").code == 0
    after = (sh.folder / "campaign.toml").read_text(encoding="utf-8")
    assert re.sub(r"revision = \d+", "", after) == before
    assert '"cardbattle campaign add table"?' in sh("campaign", "add", "movement", "allowance=2").err
    assert 'did you mean "movement"' in sh("campaign", "add", "table", "movment", "allowance=2").err


def test_the_umpire_decides_which_units_of_a_side_were_hit(sh: Shell, war: Path) -> None:
    assert sh("campaign", "set", "forces.birch.units", "{ Pikes = 2, Guns = 2 }").code == 0
    decide = ("campaign", "override", "mill", "--losses", "birch=all", "--reason", "x")
    for unit, words in {
        "Guns=3": "Guns had 2 and cannot have lost 3",
        "Gus=1": 'did you mean "Guns"?',
        "Guns": "write UNIT=N, such as Gunners=2",
    }.items():
        assert words in sh(*decide, "--unit", unit).err
    assert sh(*decide, "--winner", "vaughan", "--unit", "guns=2").code == 0
    birch = state(war)["forces"]["birch"]  # type: ignore[index]
    assert birch["units"] == {"Pikes": 2, "Guns": 0}
    assert "recorded; undo it first" in sh(*decide, "--unit", "guns=2").err


def test_several_pairs_need_an_equals_sign_in_the_first(sh: Shell, war: Path) -> None:
    said = sh("campaign", "set", "results.confirm", "both", "deadlines.confirm=1 day")
    assert (said.code, said.err) == (
        2, 'cardbattle: before "deadlines.confirm=1 day", write results.confirm=both, with an equals sign\n',
    )  # fmt: skip
    named = sh("campaign", "set", "Birch.leader", "Ann Day", "Widow Hale.leader=Bea")
    assert "before \"Widow Hale.leader=Bea\", write Birch.leader='Ann Day', with an equals sign" in named.err
    named = sh("campaign", "set", "Birch.leader", "Ann", "Day", "Widow Hale.leader=Bea")
    assert "write Birch.leader='Ann Day', with an equals sign" in named.err
    for key, value in (("forces.birch.leader", "Ann Day"), ("attrition.rate", "1/2")):
        several = sh("campaign", "set", key, value, "forces.birch.commander", "seasoned")
        pairs = f"{key}={shlex.quote(value)} forces.birch.commander=VALUE"
        wanted = f"to change several values, write KEY=VALUE for each, such as: {pairs}"
        assert several.code == 2 and wanted in " ".join(several.err.split())
    condition = ("turn", ">=", "3", "and", "mill.owner=='king'")
    assert sh("campaign", "set", "event.1.each=turn", "event.1.text=x").code == 0
    assert sh("campaign", "set", "event.1.when", *condition).code == 0


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("locations.mill.x_note", "see results.csv for losses"),
        ("forces.birch.name", "The forces.red guard"),
        ("forces.birch.name", "The forces.birch guard"),  # a table, not a value
        ("forces.birch.name", "Not attrition.losses but"),
        ("forces.birch.x_note", "hills as in terrain.steep ground"),
        ("forces.birch.x_note", "see a.b=c there"),
    ],
)
def test_a_text_with_dots_that_names_no_value_is_recorded(sh: Shell, war: Path, key: str, text: str) -> None:
    said = sh("campaign", "set", key, *text.split())
    assert said.code == 0
    value: object = state(war)
    for part in key.split("."):
        assert isinstance(value, dict)
        value = value[part]
    assert value == text


@pytest.mark.parametrize(
    "path",
    ["attrition.rate", "forces.*.strength", "deadlines.confirm", "road.1.length", "forces.birch.leader"],
)
def test_a_known_value_after_a_key_and_its_value_is_refused(sh: Shell, war: Path, path: str) -> None:
    before = state(war)
    said = sh("campaign", "set", "forces.birch.name", "Ann", path, "5")
    assert said.code == 2 and f"forces.birch.name=Ann {path}=VALUE" in " ".join(said.err.split())
    assert state(war) == before


def test_a_new_battle_says_what_it_lacks_and_takes_its_place_and_its_defender(sh: Shell, war: Path) -> None:
    sides = ("--side", "birch", "--side", "lunsford")
    assert "has no place" not in sh("campaign", "add", "battle", "plain", *sides).err
    assert sh("campaign", "set", "movement.allowance", "2").code == 0
    said = sh("campaign", "add", "battle", "lost", *sides)
    assert "battle lost has no place, so terrain and retreats do not count" in said.err
    assert "cardbattle campaign set pending.lost.place=teme-ford" in said.err
    said = sh("campaign", "add", "battle", "known", *sides, "--place", "mill", "--defender", "lunsford")
    assert (said.code, "has no place" in said.err) == (0, False)
    table = next(table for table in state(war)["pending"] if table["id"] == "known")  # type: ignore[attr-defined]
    assert (table["place"], table["defender"]) == ("mill", "lunsford")
    said = sh("campaign", "add", "battle", "x", *sides, "--defender", "vaughan")
    assert "vaughan does not fight in this battle" in said.err
    assert "campaign cancel known" in sh("campaign", "remove", "pending.6").err  # by its number
    assert "pending has 6 items, not 9" in sh("campaign", "edit", "pending.9", "--set", "note=x").err + (
        sh("campaign", "remove", "pending.9").err
    )


def test_a_part_of_a_name_is_enough_if_only_one_thing_has_it(sh: Shell, war: Path) -> None:
    for name in ("The old windmill", "Windmill Hill"):
        assert sh("campaign", "add", "place", name).code == 0
    assert sh("campaign", "move", "birch", "hill").code == 0
    assert state(war)["forces"]["birch"]["location"] == "windmill-hill"  # type: ignore[index]
    said = sh(
        "campaign", "add", "force", "Kelp", "--faction", "king", "--strength", "3", "--place", "windmill"
    )
    assert said.code == 3
    assert '"windmill" names several places: the-old-windmill or windmill-hill; write the key' in said.err


def test_an_empty_campaign_explains_itself_and_is_filled_by_commands(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = sh("campaign", "new", "bare", "--empty")
    assert said.code == 0 and "Add factions first" in said.out
    monkeypatch.chdir(sh.folder / "bare")
    text = Path("campaign.toml").read_text(encoding="utf-8")
    assert "Add factions first" in sh("campaign", "check").err
    tables = [
        line for line in text.splitlines() if line.startswith(("[factions", "[forces", "[loc", "[[pend"))
    ]
    assert not tables and "# [factions.red]" in text and "# [[pending]]" in text
    refused = sh("campaign", "add", "force", "Red", "--faction", "north", "--strength", "5")
    assert "to add one: cardbattle campaign add faction NAME" in refused.err
    for words in (["faction", "North"], ["faction", "South"], ["place", "Ford", "--owner", "north"]):
        assert sh("campaign", "add", *words).code == 0
    for force, faction in (("Red", "north"), ("Blue", "south")):
        assert sh("campaign", "add", "force", force, "--faction", faction, "--strength", "5").code == 0
    assert (
        sh("campaign", "add", "battle", "t1", "--side", "red", "--side", "blue", "--stakes", "ford").code == 0
    )
    assert sh("campaign", "check", "--quiet") == (0, "", "")
    assert sh("campaign", "new", "x", "--empty", "--ask").code == 2
    assert sh("campaign", "new", "").err.startswith("cardbattle: the folder has no name; write one")
