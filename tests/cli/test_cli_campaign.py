"""The campaign's commands: what they print, what they write, and what they leave alone."""

from __future__ import annotations

import difflib
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from cardbattle.battles.records import results_file
from cardbattle.battles.records.record_reader import read_record
from cardbattle.campaign.ledger.operations import plan_import
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.battle_result import BattleResult, result_digest
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import advice, factor_values, fighting
from cardbattle.campaign.turn.forecast import forecast_futures
from cardbattle.commanders import RANKS
from cardbattle.files.spreadsheet import as_csv
from cardbattle.rules import RULE_SETS, find
from cardbattle.simulation.batch import fight_each
from cardbattle.simulation.journal import FinishedBattle
from cardbattle.simulation.workers import Serial, processes
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import marches

MARCHES = Path(__file__).parents[2] / "campaigns" / "the-marches-1403"
DEMO = Path(__file__).parents[2] / "cardbattle" / "data" / "demo"


@pytest.fixture
def war(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the shipped campaign and go there; odds and hints are counted over ten battles."""
    monkeypatch.setattr(advice, "BATTLES", 10)
    monkeypatch.setattr(factor_values, "BATTLES", 10)
    folder = sh.folder / "war"
    shutil.copytree(DEMO, folder)
    monkeypatch.chdir(folder)
    return folder


def bytes_in(folder: Path) -> dict[str, str]:
    """Return the hash of every file below a folder, the lock aside."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".cardbattle.lock")
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def state(folder: Path) -> dict[str, object]:
    """Return the data of campaign.toml."""
    return tomllib.loads((folder / "campaign.toml").read_text(encoding="utf-8"))


def strength(folder: Path, key: str) -> int:
    """Return how strong a force is."""
    found: int = state(folder)["forces"][key]["strength"]  # type: ignore[index]
    return found


def test_a_new_campaign_prints_one_line_with_quiet(sh: Shell) -> None:
    said = sh("campaign", "new", "calm", "-q")
    assert said.out == f"The campaign is in {sh.folder / 'calm'}.\n" and not said.err


def test_the_demo_fights_its_first_battle_in_a_new_folder(sh: Shell) -> None:
    first, second = sh("demo"), sh("demo")
    assert first.code == second.code == 0
    assert "Colonel Lunsford against Birch's Firelocks" in first.out
    assert "Birch's Firelocks: strength 9 -> " in first.out
    assert "\nWhat to do next:\n  cd cider-war-2\n  cardbattle campaign show " in second.out
    assert {path.name for path in sh.folder.iterdir()} == {"cider-war", "cider-war-2"}
    assert state(sh.folder / "cider-war")["revision"] == 1
    assert (sh.folder / "cider-war" / "records" / "teme-ford.toml").exists()


def test_the_demo_takes_no_folder_that_is_there(sh: Shell) -> None:
    (sh.folder / "mine").mkdir()
    said = sh("demo", "mine")
    assert said.code == 3
    assert "exists already" in said.err


def test_show_writes_nothing(sh: Shell, war: Path) -> None:
    before = bytes_in(war)
    for form in ("text", "plain", "json"):
        said = sh("campaign", "show", "--format", form)
        assert said.code == 0
        assert "teme-ford" in said.out
    assert bytes_in(war) == before
    assert not (war / ".cardbattle.lock").exists()


@pytest.mark.slow
def test_the_campaign_is_found_from_below_and_by_name(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (war / "notes" / "week 1").mkdir(parents=True)
    monkeypatch.chdir(war / "notes" / "week 1")
    assert sh("campaign", "show").code == 0
    monkeypatch.chdir(sh.folder)
    assert sh("campaign", "show").code == 3
    assert sh("campaign", "-C", "war", "show").code == 0
    assert sh("campaign", "show", "-C", "war").code == 0


def test_a_dry_run_is_a_diff_and_writes_nothing(sh: Shell, war: Path) -> None:
    before = bytes_in(war)
    said = sh("campaign", "fight", "teme-ford", "--dry-run")
    assert said.code == 0
    assert said.out.startswith("--- a/campaign.toml\n+++ b/campaign.toml\n")
    assert bytes_in(war) == before


def test_a_fight_changes_exactly_what_its_dry_run_said(sh: Shell, war: Path) -> None:
    old = (war / "campaign.toml").read_text(encoding="utf-8").splitlines()
    told = sh("campaign", "fight", "teme-ford", "--dry-run").out
    assert sh("campaign", "fight", "teme-ford").code == 0
    new = (war / "campaign.toml").read_text(encoding="utf-8").splitlines()
    diff = difflib.unified_diff(old, new, "a/campaign.toml", "b/campaign.toml", lineterm="")
    assert told == "".join(f"{line}\n" for line in diff)
    assert sum(line.startswith("+") for line in told.splitlines()) == 4  # header, revision, points, strength
    assert "# written by the program" in "\n".join(new)


def test_a_fight_leaves_a_record_that_verifies_and_one_ledger_entry(sh: Shell, war: Path) -> None:
    assert sh("campaign", "fight").code == 0
    assert sh("verify", "records/teme-ford.toml").code == 0
    history = tomllib.loads((war / "history.toml").read_text(encoding="utf-8"))
    assert [entry["id"] for entry in history["entry"]] == ["teme-ford"]
    assert sh("campaign", "check").code == 0


def test_a_battle_fought_by_hand_is_the_one_the_campaign_fights(sh: Shell, war: Path) -> None:
    """There is one path: export and resolve give the record that `fight` writes."""
    sh("campaign", "export", "teme-ford", "-o", "ford.toml", "-q")
    sh("resolve", "ford.toml", "-o", "ford-record.toml", "-q", "--detail", "brief")
    sh("campaign", "fight", "teme-ford")
    ours = (war / "ford-record.toml").read_text(encoding="utf-8")
    assert ours == (war / "records" / "teme-ford.toml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_all_pending_battles_are_one_step_to_undo(sh: Shell, war: Path) -> None:
    before = (war / "campaign.toml").read_text(encoding="utf-8")
    assert sh("campaign", "fight", "--all", "--detail", "brief").code == 0
    assert state(war).get("pending", []) == []
    assert sh("campaign", "undo", "--reason", "a dream").code == 0
    after = (war / "campaign.toml").read_text(encoding="utf-8")
    revision = state(war)["revision"]
    assert after.replace(f"revision = {revision} ", "revision = 0 ") == before
    assert sh("campaign", "redo").code == 0
    assert state(war).get("pending", []) == []
    assert sh("campaign", "check").code == 0


def test_a_result_is_imported_once(sh: Shell, war: Path) -> None:
    sh("campaign", "export", "mill", "-o", "mill.toml", "-q")
    sh("resolve", "mill.toml", "-o", "mill-record.toml", "-q", "--detail", "brief")
    assert sh("campaign", "import", "mill-record.toml").code == 0
    before = bytes_in(war)
    again = sh("campaign", "import", "mill-record.toml")
    assert again.code == 0
    assert "already recorded" in again.err
    assert bytes_in(war) == before


def write_ford(folder: Path, winner: str, lunsford: str, birch: str) -> None:
    """Write a result of the battle at the ford to result.csv: who won and what each side lost."""
    head = "id,winners,sides.lunsford.losses,sides.birch.losses"
    row = f"teme-ford,{winner},{lunsford},{birch}"
    (folder / "result.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")


def test_another_result_of_the_same_battle_needs_the_umpire(sh: Shell, war: Path) -> None:
    write_ford(war, "lunsford", "0", "2/5")
    assert sh("campaign", "import", "result.csv").code == 0
    write_ford(war, "birch", "1/2", "0")
    before = bytes_in(war)
    said = sh("campaign", "import", "result.csv")
    assert said.code == 4
    assert said.err.splitlines() == [
        "cardbattle: battle teme-ford is recorded as revision 1, with another result; "
        "to change it: cardbattle campaign override teme-ford, "
        "or first: cardbattle campaign undo teme-ford --only",
        "                   recorded          this one",
        "won by             Colonel Lunsford  Birch's Firelocks",
        "Colonel Lunsford   lost nothing      lost 1/2",
        "Birch's Firelocks  lost 2/5          lost nothing",
    ]
    assert bytes_in(war) == before


def test_a_record_fought_with_other_forces_needs_the_umpire(sh: Shell, war: Path) -> None:
    sh("campaign", "export", "mill", "-o", "mill.toml", "-q")
    sh("resolve", "mill.toml", "-o", "mill-record.toml", "-q", "--detail", "brief")
    sh("campaign", "adjust", "forces.vaughan.strength=9", "--reason", "reinforced")
    said = sh("campaign", "import", "mill-record.toml")
    assert said.code == 4
    assert "Vaughan's Horse had strength 5 then, and has 9 now" in said.err
    assert sh("campaign", "import", "mill-record.toml", "--force").code == 2
    said = sh("campaign", "import", "mill-record.toml", "--force", "--reason", "they came too late")
    assert said.code == 0
    assert "they came too late" in sh("campaign", "history").out


@pytest.mark.parametrize("name", ["mill.html", "mill.md", "mill.json"])
def test_a_battle_file_is_not_written_under_the_name_of_a_sheet(sh: Shell, war: Path, name: str) -> None:
    said = sh("campaign", "export", "mill", "-o", name)
    assert (said.code, (war / name).exists()) == (2, False)
    assert f"-o {name}: a battle file is always TOML; add --sheet" in said.err
    assert sh("campaign", "export", "mill", "--sheet", "-o", name).code == 0


@pytest.mark.parametrize(
    ("resolved", "words"),
    [
        ("--set vaughan.hand=20", "vaughan.hand is 20, not 10"),
        ("--set house.dealer=vaughan", "house.dealer is vaughan, not birch"),
        ("--seed 7", "seed is 7, not 8442734825318816411"),
        ("--side birch=green", "birch.commander is green, not regular"),
    ],
)
def test_a_battle_not_fought_as_exported_needs_the_umpire(
    resolved: str, words: str, sh: Shell, war: Path
) -> None:
    """A player cannot repeat the battle until they win, or fight with a setup of their own."""
    sh("campaign", "export", "mill", "-o", "mill.toml", "-q")
    sh("resolve", "mill.toml", *resolved.split(), "-o", "forged.toml", "-q", "--detail", "brief")
    before = bytes_in(war)
    said = sh("campaign", "import", "forged.toml")
    assert said.code == 4
    key, _, value, exported = words.replace(", not", "").split()
    assert said.err.splitlines()[0].startswith(f"cardbattle: battle mill does not fit: {words}; to apply it")
    assert [line.split() for line in said.err.splitlines()[1:]] == [
        ["the", "campaign's", "this", "one"],
        [key, exported, value],
    ]
    assert bytes_in(war) == before
    assert sh("campaign", "import", "forged.toml", "--force", "--reason", "rain").code == 0
    ledger = tomllib.loads((war / "history.toml").read_text(encoding="utf-8"))
    assert (ledger["entry"][0]["forced"], ledger["entry"][0]["reason"]) == ([words], "rain")
    assert sh("campaign", "check").code == 0


def test_a_batchs_result_with_another_seed_needs_the_umpire(sh: Shell, war: Path) -> None:
    """Its spreadsheet carries seed and digest, so that much is compared and derived again."""
    sh("campaign", "export", "mill", "-o", "mill.toml", "-q")
    for seed, code in (("7", 4), ("8442734825318816411", 0)):
        sh("resolve", "mill.toml", "--seed", seed, "-o", "m.toml", "-q", "--detail", "brief")
        table = tomllib.loads((war / "m.toml").read_text(encoding="utf-8"))
        result = results_file.result(read_record(table))
        (war / "m.csv").write_text(
            as_csv(results_file.columns_of([result]), [results_file.dotted_keys(result)]), "utf-8"
        )
        said = sh("campaign", "import", "m.csv")
        assert said.code == code
        assert ("seed is 7, not 8442734825318816411" in said.err) == bool(code)


def test_an_override_keeps_the_programs_result_beside_it(sh: Shell, war: Path) -> None:
    sh("campaign", "fight", "teme-ford")
    said = sh("campaign", "override", "teme-ford", "--winner", "birch", "--losses", "lunsford=1/4",
              "--reason", "the ford was flooded")  # fmt: skip
    assert said.code == 0
    told = sh("campaign", "history").out
    assert "Battle teme-ford: Colonel Lunsford won" in told
    assert "[undone]" in told
    assert "decided by the umpire: Birch's Firelocks won; Colonel\n    Lunsford lost 1/4" in told
    assert "the ford was flooded" in told


def test_a_turn_begins_and_values_are_adjusted(sh: Shell, war: Path) -> None:
    assert sh("campaign", "turn").code == 0
    said = sh(
        "campaign", "adjust", "forces.birch.strength=11", "factions.king.points=6", "--reason", "muster"
    )
    assert said.code == 0
    data = state(war)
    assert data["turn"] == 2
    assert data["forces"]["birch"]["strength"] == 11  # type: ignore[index]
    ledger = store.load_ledger(str(war))
    assert len(ledger.entry(ledger.whole_entries).changes) == 2  # one entry for both values
    assert sh("campaign", "undo").code == 0
    assert state(war)["forces"]["birch"]["strength"] == 9  # type: ignore[index]
    assert state(war)["factions"]["king"]["points"] == 4  # type: ignore[index]
    twice = ["forces.birch.strength+=1", "forces.birch.strength+=2", "--reason", "levy"]
    assert sh("campaign", "adjust", *twice).code == 0
    assert state(war)["forces"]["birch"]["strength"] == 12  # type: ignore[index]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["fight", "tem-ford"], 3, 'did you mean "teme-ford"'),
        (["fight", "teme-ford", "--all"], 2, "leave out --all or the battle names"),
        (["export", "nowhere"], 3, "is not pending"),
        (["adjust", "forces.birch.strength=many", "--reason", "x"], 3, "whole number"),
        (["adjust", "forces.brich.strength=3", "--reason", "x"], 3, 'did you mean "birch"?'),
        (["adjust", "factions.kin.points=3", "--reason", "x"], 3, 'faction "kin" is not in this campaign'),
        (["adjust", "locations.mil.value=3", "--reason", "x"], 3, 'location "mil" is not in this campaign'),
        (["adjust", "forces.birch.strength", "--reason", "x"], 2, "KEY=VALUE"),
        (["adjust", "forces.birch.strength=3"], 2, "--reason"),
        (["undo"], 3, "nothing to undo"),
        (["redo"], 3, "nothing to redo"),
        (["override", "nowhere", "--reason", "x"], 3, "neither pending nor recorded"),
        (["override", "mil", "--reason", "x"], 3, 'neither pending nor recorded; did you mean "mill"?'),
        (
            ["override", "mill", "--reason", "x", "--winner", "york"],
            2,
            "--winner: \"york\" is not one of the sides: vaughan (Vaughan's Horse) or birch (Birch's "
            "Firelocks); for a draw, leave out --winner",
        ),
        (["override", "mill", "--reason", "x", "--losses", "brich=2"], 2, 'did you mean "birch"?'),
        (
            ["adjust", "forces.brich.strength=3", "--reason", "x"],
            3,
            'force "brich" is not in this campaign; did you mean "birch"?',
        ),
        (["override", "mill", "--reason", "x", "--losses", "birch=2"], 2, "--losses birch=2"),
        (["import", "missing.toml"], 3, "there is no such file"),
        (["history", "mill"], 3, "is not in the ledger"),
        (["history", "--turn", "9"], 3, "turn 9 has not begun; this is turn 1"),
        (["history", "--kind", "undone"], 2, 'did you mean "undo"'),
    ],
)
def test_what_is_refused_changes_nothing(
    sh: Shell, war: Path, arguments: list[str], code: int, words: str
) -> None:
    before = bytes_in(war)
    said = sh("campaign", *arguments)
    assert said.code == code
    assert words in said.err
    assert said.err.startswith("cardbattle: ")
    assert bytes_in(war) == before


def test_check_finds_all_mistakes_with_their_lines(sh: Shell, war: Path) -> None:
    path = war / "campaign.toml"
    text = path.read_text(encoding="utf-8").replace('faction = "king"', 'faction = "kings"', 1)
    path.write_text(text.replace('stakes = "mill"', 'stakes = "mil"'), encoding="utf-8")
    said = sh("campaign", "check")
    assert said.code == 1
    assert said.err.count("cardbattle: campaign.toml:") == 2
    told = json.loads(sh("campaign", "check", "--json").out)
    assert [error["file"] for error in told["mistakes"]] == ["campaign.toml"] * 2


@pytest.mark.slow
def test_a_new_campaign_is_sound_and_can_be_fought(sh: Shell) -> None:
    assert sh("campaign", "new", "ours", "--name", "Our War", "--seed", "4").code == 0
    assert sh("campaign", "-C", "ours", "check").code == 0
    assert sh("campaign", "-C", "ours", "fight").code == 0
    assert sh("campaign", "new", "ours").code == 3


@pytest.mark.slow
def test_forecast_luck_standings_and_report_read_only(sh: Shell, war: Path) -> None:
    sh("campaign", "fight", "teme-ford")
    before = bytes_in(war)
    told = json.loads(sh("campaign", "forecast", "-n", "20", "--json").out)
    assert told["futures"] == 20
    assert set(told["battles"]) == {"mill", "orchard"}
    assert sum(told["battles"]["mill"].values()) == pytest.approx(1)
    luck = json.loads(sh("campaign", "luck", "-n", "50", "--json").out)["luck"]
    assert [line["side"] for line in luck] == ["lunsford", "birch"]
    assert float(luck[0]["luck so far"]) == -float(luck[1]["luck so far"])
    assert "The King's men" in sh("campaign", "standings").out
    assert "## Standings" in sh("campaign", "report").out
    assert sh("campaign", "report", "--format", "html").out.startswith("<!DOCTYPE html>")
    for name in (".cardbattle.forecast", ".cardbattle.luck"):
        (war / name).unlink()  # what was counted, and can be counted again
    assert bytes_in(war) == before


@pytest.mark.slow
def test_every_command_says_the_same_twice(sh: Shell, war: Path) -> None:
    for arguments in (["forecast", "-n", "10"], ["show"], ["export", "mill"]):
        assert sh("campaign", *arguments).out == sh("campaign", *arguments).out


def test_a_new_campaign_asks_only_if_asked_to(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    veteran = str([*RANKS].index("veteran") + 1)  # commanders have numbers, as factions and places do
    answers = [
        *("Our War", "wargames", "Strategy War"),
        *("The Crown", "the crown", "House Percy", "Wales", ""),  # factions
        *("Shrewsbury", "3", "the crwn", "the crown", "Harlech", "", "3", "The ford", "", "", ""),  # places
        *("", "many", "14", "vetran", veteran, "1", "Archers", "6", "", "", ""),  # forces of the Crown
        *("Hotspur", "", "", "Shrewsbury", "", "Owain", "12", "", "Harlech", ""),  # of Percy, and of Wales
        *("1", "1 9", "1 3", "Shrewsbury field", "1", "1, 3, 4", "", "", ""),  # battles
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    said = sh("campaign", "new", "ours", "--ask", "--seed", "4")
    assert said.code == 0, said.err
    for error in (
        'unknown rule set "wargames"; did you mean "wargame"?',
        'the name "The Crown" is already in use; choose another name',
        'unknown name "the crwn"; did you mean "The Crown"?',
        'expected a whole number from 1, got "many"',
        'unknown commander "vetran"; did you mean "veteran"?',
        f"a battle of Strategy WAR has 2 to {find('strategy-war').most} sides; "
        "enter one number for each side",
        "expected numbers from 1 to 4, each at most once, such as 1 2",
    ):
        assert f"Error: {error}\n" in said.err
    assert "You can change every answer later, in campaign.toml." in said.err
    assert all(f"\n  {key:16} " in said.err for key in RULE_SETS)
    assert max(map(len, said.err.partition("Rule set of its")[0].splitlines())) < 80
    checked = sh("campaign", "-C", "ours", "check")
    assert (checked.code, checked.out) == (0, "")
    assert (
        "strength has no effect: 14 against 10 is less than one step of [advantage.strategy-war], per = 1/2; "
        in checked.err
    )
    data = tomllib.loads((sh.folder / "ours" / "campaign.toml").read_text(encoding="utf-8"))
    assert (data["name"], data["rules"], data["seed"]) == ("Our War", "strategy-war", 4)
    assert [one["name"] for one in data["factions"].values()] == ["The Crown", "House Percy", "Wales"]
    assert data["locations"] == {
        "shrewsbury": {"name": "Shrewsbury", "owner": "the-crown", "value": 3},
        "harlech": {"name": "Harlech", "owner": "wales", "value": 1},
        "the-ford": {"name": "The ford", "value": 1},
    }
    assert [(key, *one.values()) for key, one in data["forces"].items()] == [
        ("the-crown-vanguard", "the-crown", "The Crown vanguard", 14, "veteran", "shrewsbury"),
        ("archers", "the-crown", "Archers", 6, "regular"),
        ("hotspur", "house-percy", "Hotspur", 10, "regular", "shrewsbury"),
        ("owain", "wales", "Owain", 12, "regular", "harlech"),
    ]
    assert [list(one.values()) for one in data["pending"]] == [
        ["shrewsbury-field", ["the-crown-vanguard", "hotspur"], "shrewsbury"],
        ["battle-2", ["the-crown-vanguard", "hotspur", "owain"]],
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert sh("campaign", "new", "another", "--ask").code == 130
    assert not (sh.folder / "another").exists()


def test_a_folder_with_capitals_and_spaces_gives_its_name_and_is_told_as_it_is_typed(sh: Shell) -> None:
    said = sh("campaign", "new", "Der Krieg der Äpfel")
    assert "with: cardbattle campaign -C 'Der Krieg der Äpfel' show\n" in said.out
    told = sh("campaign", "-C", "Der Krieg der Äpfel", "show", "--no-odds").out
    assert told.startswith("Der Krieg der Äpfel: turn 1")
    begun = ["campaign", "-C", "Der Krieg der Äpfel", "add", "battle", "ford"]
    sides = ["--side", "Red militia", "--side", "blue garrison", "--rules", "Strategy War"]
    assert sh(*begun, *sides).code == 0


def test_the_schema_is_printed_and_written(sh: Shell) -> None:
    sh("campaign", "new", "ours")
    told = sh("campaign", "schema").out
    sh("demo", "first")
    for folder in ("ours", "first"):
        assert (sh.folder / folder / "campaign.schema.json").read_text(encoding="utf-8") == told
        text = (sh.folder / folder / "campaign.toml").read_text(encoding="utf-8")
        assert text.startswith("#:schema ./campaign.schema.json\n")


def while_fighting(monkeypatch: pytest.MonkeyPatch, folder: Path, change: Change) -> None:
    """Let another command record a change while battles are fought."""

    def fight_slowly(*arguments: Any, **options: Any) -> Iterator[FinishedBattle]:
        marches.commit(str(folder), "adjust", [change], reason="meanwhile")
        yield from fight_each(*arguments, **options)

    monkeypatch.setattr(fighting, "fight_each", fight_slowly)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "before", "after", "words"),
    [
        ("forces.birch.strength", 9, 12, "Birch's Firelocks had strength 9 then, and have 12 now"),
        ("seed", 1645, 1646, "it was set up again"),
    ],
)
def test_what_changes_while_a_battle_is_fought_needs_the_umpire(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch, key: str, before: int, after: int, words: str
) -> None:
    """The campaign is not locked while a commander thinks; what they fought must still be the battle."""
    monkeypatch.setattr(store, "WAIT", 0.01)
    while_fighting(monkeypatch, war, Change(tuple(key.split(".")), before, after))
    said = sh("campaign", "fight", "teme-ford", "--no-odds")
    assert said.code == 4
    assert said.err == (
        f"cardbattle: the campaign was changed while battle teme-ford was fought: {words}; "
        "nothing was recorded; fight it again\n"
    )
    assert not (war / "records").exists()
    assert state(war)["revision"] == 1
    monkeypatch.undo()
    monkeypatch.chdir(war)
    assert sh("campaign", "fight", "teme-ford").code == 0


def test_what_changes_elsewhere_meanwhile_stays(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    while_fighting(monkeypatch, war, Change(("factions", "king", "points"), 4, 40))
    said = sh("campaign", "fight", "teme-ford")
    assert said.code == 0
    assert "The King's men: points 40 -> 43" in said.out
    assert state(war)["revision"] == 2


def test_all_passes_over_who_cannot_fight_any_more(sh: Shell, war: Path) -> None:
    sh("campaign", "adjust", "forces.birch.destroyed=true", "--reason", "cut off")
    named = sh("campaign", "fight", "mill")
    assert named.code == 3
    assert "Birch's Firelocks are destroyed" in named.err
    said = sh("campaign", "fight", "--all", "--detail", "brief")
    assert said.code == 0
    assert "battle teme-ford is skipped: Birch's Firelocks are destroyed" in said.err
    assert "orchard is no longer pending" in said.out
    again = sh("campaign", "fight", "--all")
    assert again.code == 3
    assert "no pending battle can be fought any more" in again.err


def test_undo_prints_the_command_it_took_back_its_time_and_the_restored_values(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795640400")
    sh("campaign", "adjust", "forces.birch.strength=+2", "--reason", "stragglers")
    sh("campaign", "turn")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795640460")
    taken = "Adjusted: Birch's Firelocks: strength 9 -> 11 (stragglers) "
    taken += "[turn 1, recorded 25 November 2026, 21:00]"
    dry = sh("campaign", "undo", "1", "--dry-run")
    assert dry.err == f"undoes revision 1: {taken}\n"
    assert "-strength = 11\n+strength = 9" in dry.out
    said = sh("campaign", "undo", "1", "--format", "plain").out.splitlines()
    assert f"undone 1. {taken}" in said
    assert "changed Birch's Firelocks: strength 11 -> 9" in said
    times = [entry["time"] for entry in tomllib.loads((war / "history.toml").read_text("utf-8"))["entry"]]
    assert times == ["2026-11-25T21:00:00Z", "2026-11-25T21:00:00Z", "2026-11-25T21:01:00Z"]
    assert "    adjust, recorded 25 November 2026, 21:00" in sh("campaign", "history", "-v").out.splitlines()
    said = sh("campaign", "redo").out.splitlines()
    assert "Redone:" in said
    assert "  Birch's Firelocks: strength 9 -> 11" in said


def test_players_never_read_when_an_entry_was_recorded(sh: Shell, war: Path) -> None:
    sh("campaign", "fight", "teme-ford")
    sh("campaign", "undo")
    everything = sh("campaign", "history", "--format", "json").out
    assert '"time"' in everything
    for reader in ("public", "king"):
        for form in ("json", "text", "md"):
            said = sh("campaign", "history", "--for", reader, "--format", form).out
            assert "time" not in said.replace("sometimes", "")
            assert "2026" not in said


@pytest.mark.parametrize("time", ["", "soon", "0001-01-01T00:00:00Z", "2026-13-01T00:00:00Z"])
def test_an_entry_without_a_readable_time_is_taken_back_with_its_turn_alone(
    time: str, sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old ledgers have no time."""
    monkeypatch.setattr(store, "timestamp", lambda: time)
    sh("campaign", "turn")
    assert ("time =" in (war / "history.toml").read_text("utf-8")) == bool(time)
    assert "1. Turn 2 begins [turn 2]" in sh("campaign", "undo").out.splitlines() or time.startswith("0001")
    assert sh("campaign", "check").code == 0


@pytest.mark.slow
def test_undo_warns_of_battles_fought_later_with_the_same_forces(sh: Shell, war: Path) -> None:
    write_ford(war, "lunsford", "0", "2/9")
    sh("campaign", "import", "result.csv")
    (war / "mill.csv").write_text(
        "id,winners,sides.vaughan.losses,sides.birch.losses\nmill,birch,1/5,0\n", encoding="utf-8"
    )
    sh("campaign", "import", "mill.csv")
    warning = (
        "cardbattle: warning: battle mill (revision 2) was fought later, with the values of "
        "Birch's Firelocks at that time; its result does not change\n"
    )
    assert sh("campaign", "undo", "teme-ford", "--dry-run").err.startswith(warning)
    said = sh("campaign", "undo", "teme-ford")
    assert (said.code, said.err) == (0, warning)
    assert "Birch's Firelocks: strength 8 -> 9" in said.out
    assert sh("campaign", "undo", "mill").err == ""


@pytest.mark.slow
def test_history_shows_a_part_of_the_ledger(sh: Shell, war: Path) -> None:
    sh("campaign", "fight", "teme-ford")
    at_the_ford = strength(war, "birch")
    sh("campaign", "turn")
    sh("campaign", "fight", "mill")
    at_the_mill = strength(war, "birch")
    sh("campaign", "adjust", "forces.hale.strength=4", "--reason", "a tenth goose")
    sh("campaign", "undo", "mill")

    def revisions(*arguments: str) -> list[int]:
        told = json.loads(sh("campaign", "history", "--json", *arguments).out)
        return [entry["revision"] for entry in told["entries"]]

    assert revisions() == [1, 2, 3, 4, 5]
    assert revisions("--kind", "battle") == [1, 3]
    assert revisions("--since", "3") == revisions("--since", "3", "--turn", "1") == [3, 4, 5]
    assert revisions("--turn", "2") == [2, 3, 4, 5]
    undone = [5] if at_the_mill < at_the_ford else []  # what was lost came back
    assert revisions("--about", "birch") == [1, 3, *undone]
    assert revisions("--about", "hale") == [4]
    assert revisions("--about", "mill") == [3, 5]
    assert revisions("--about", "BIRCHS firelocks") == revisions("--about", "birch")
    assert revisions("--about", "stragglers") == []
    assert (
        "none of the ledger entries matches these options"
        in sh("campaign", "history", "--about", "stragglers").err
    )
    for arguments, told in (
        (["history", "--about", "brich"], '--about: unknown name "brich"; did you mean "birch"?'),
        (["history", "mil"], 'battle "mil" is not in the ledger; did you mean "mill"?'),
        (["undo", "mil"], 'there is no "mil" to undo; did you mean "mill"?'),
    ):
        said = sh("campaign", *arguments)
        assert (said.code, said.err) == (3, f"cardbattle: {told}\n")
    assert "[undone]" in sh("campaign", "history", "--format", "plain").out.splitlines()[2]
    log = sh("campaign", "history", "mill")
    assert log.err == "this is the log of revision 3, which was undone\n"
    assert "Vaughan's Horse against Birch's Firelocks" in log.out


def test_the_mistakes_of_all_files_are_told_at_once(sh: Shell, war: Path) -> None:
    sh.write("war/a.toml", '[[result]]\nid = "mill"\nwinners = ["york"]\nsides.birch.losses = "0"\n')
    sh.write("war/b.csv", "id,winners,sides.birch.losses\nmill,birch,x\n")
    before = bytes_in(war)
    said = sh("campaign", "import", "a.toml", "b.csv", "c.toml")
    assert said.code == 3
    assert [line.split(" ")[1] for line in said.err.splitlines() if line.startswith("cardbattle")] == [
        "a.toml:3:", "a.toml:4:", "b.csv:2:", "c.toml:"
    ]  # fmt: skip
    assert bytes_in(war) == before


def test_a_sheet_is_written_as_its_name_asks(sh: Shell, war: Path) -> None:
    assert (
        sh("campaign", "export", "orchard", "--sheet", "--for", "umpire", "-o", "sheet.html", "-q").code == 0
    )
    page = (war / "sheet.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert '<th scope="row">3</th><td>The Men with Clubs and Widow Hale (The Clubmen)</td><td>13</td>' in page
    assert '<table class="fill">' in page
    assert '<section class="book">\n<h2>Strategy WAR on one page</h2>' in page
    printed = sh("campaign", "export", "orchard", "--sheet", "--for", "umpire", "--format", "plain")
    plain = printed.out
    assert "next: after the battle, fill in the form of: cardbattle campaign results" in printed.err
    assert sh("campaign", "set", "results.confirm=both").code == 0
    assert "ask the sides for reports with:" in sh("campaign", "export", "orchard", "--sheet").err
    assert "Side 4, The Stragglers (Nobody's men): strength 4; cards 2 3 4" in plain
    assert "tiebreak best-pot: who wins with equal points.\n" in plain
    assert sh("campaign", "export", "orchard", "--format", "html").code == 2


@pytest.mark.slow
def test_the_dashboard_fits_where_it_is_shown(sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sh("campaign", "adjust", "forces.hale.destroyed=true", "--reason", "the geese are gone")
    wide = sh("campaign", "show").out
    assert "Birch's Firelocks   Parliament's men          9  ▪▪▪▪▪▪▪▪▪     regular\n" in wide
    assert "Widow Hale          The Clubmen       destroyed                regular\n" in wide
    assert "The ford of the Teme  The King's men        2  Colonel Lunsford, Birch's\n" in wide
    monkeypatch.setenv("COLUMNS", "40")
    narrow = sh("campaign", "show").out
    assert max(map(len, narrow.splitlines())) <= 40
    assert "Birch's Firelocks  Parliament's men, 9,\n  regular\n" in narrow
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in sh("campaign", "show").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert sh("campaign", "show").out == narrow
    sh("campaign", "adjust", f'forces.birch.name="{"織田" * 20}"', "--reason", "a name as long as can be")
    assert max(map(cell_len, sh("campaign", "show").out.splitlines())) <= 40


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["fight", "teme-ford", "--no-odds", "-q"], "battle teme-ford"), (["note", "Rain."], "note")],
)
def test_what_cannot_be_told_is_recorded_all_the_same(war: Path, arguments: list[str], told: str) -> None:
    command = [sys.executable, "-m", "cardbattle", "campaign", *arguments]
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=war,
            env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
    words = f"cardbattle: {told} is recorded, but the report could not be written: the disk is full\n"
    assert (done.returncode, done.stderr) == (6, words)
    assert state(war)["revision"] == 1


@pytest.mark.slow
def test_a_turn_is_the_same_whoever_fights_it(sh: Shell, war: Path) -> None:
    """Results, ledger and every word said, for any number of processes; nothing is written by them."""
    said, found = set(), set()
    for jobs in ("1", "2"):
        folder = sh.folder / f"with-{jobs}"
        shutil.copytree(war, folder)
        told = sh("campaign", "-C", str(folder), "fight", "--all", "--explain", "--jobs", jobs)
        assert told.code == 0
        said.add((told.out, told.err))
        files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name[0] != "."]
        found.add(tuple((path.name, path.read_bytes()) for path in files))
    assert len(said) == len(found) == 1


def test_a_battle_recorded_before_is_not_fought_again(sh: Shell, war: Path) -> None:
    sh("campaign", "fight", "teme-ford")
    with (war / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write('[[pending]]\nid = "teme-ford"\nsides = ["lunsford", "birch"]\n')
    before = bytes_in(war)
    for which in (["teme-ford"], ["--all"]):
        said = sh("campaign", "fight", *which)
        assert said.code == 4
        assert said.err == (
            "cardbattle: battle teme-ford is already recorded (revision 1), and pending again; "
            "give the pending battle another id, or undo the recorded one\n"
        )
    assert bytes_in(war) == before


def test_nothing_is_recorded_of_a_turn_with_a_battle_that_cannot_be_fought(sh: Shell, war: Path) -> None:
    sh("campaign", "adjust", "forces.birch.destroyed=true", "--reason", "cut off")
    before = bytes_in(war)
    said = sh("campaign", "fight", "orchard", "mill", "--jobs", "2")
    assert said.code == 3
    assert "battle mill cannot be fought: Birch's Firelocks are destroyed" in said.err
    assert bytes_in(war) == before


@pytest.mark.slow
def test_data_files_are_looked_for_in_the_campaigns_folder(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the command is given; the record below it finds them too."""
    own = war / "own.toml"
    with (war / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write(
            '[[pending]]\nid = "inn"\nrules = "warmonger"\nsides = ["hale", "clubmen"]\n'
            'house.cards = "own.toml"\n'
        )
    missing = sh("campaign", "check")
    assert 'cannot read "own.toml": no such file' in missing.err
    own.write_text('format = 1\n[[card]]\nname = "Big Raid"\neffect = "raid"\ncopies = 4\n', encoding="utf-8")
    assert sh("campaign", "check").code == 0
    monkeypatch.chdir(sh.folder)
    for arguments in (
        ["forecast", "-n", "1"],
        ["export", "inn", "--sheet"],
        ["fight", "inn", "--no-odds"],
        ["check"],
        ["luck"],
    ):
        said = sh("campaign", "-C", "war", *arguments)
        remarks = [line for line in said.err.splitlines() if ": worth, in percentage points" not in line]
        step = [line for line in remarks if "fill in the form of: cardbattle campaign -C war results" in line]
        assert len(step) == ("--sheet" in arguments)
        assert (said.code, remarks) == (0, step), arguments
    assert sh("verify", "war/records/inn.toml").code == 0
    own.write_text(own.read_text(encoding="utf-8").replace("4", "5"), encoding="utf-8")
    said = sh("verify", "war/records/inn.toml")
    assert said.code == 3
    assert 'the file "own.toml" has changed since this battle was fought' in said.err


def test_the_last_battles_stand_apart_if_no_battle_is_pending(sh: Shell, war: Path) -> None:
    sh("campaign", "override", "mill", "--winner", "birch", "--reason", "seen from the hill")
    sh("campaign", "cancel", "teme-ford", "--reason", "rain")
    sh("campaign", "cancel", "orchard", "--reason", "rain")
    shown = sh("campaign", "show").out
    assert "\n\nNo battle is pending\n\nLast battles\n  mill  " in shown
    assert "\n\nPending\n  " not in shown


def test_a_decree_that_changes_nothing_says_so(sh: Shell, war: Path) -> None:
    sh("campaign", "override", "mill", "--winner", "birch", "--reason", "seen from the hill")
    said = sh("campaign", "override", "mill", "--winner", "birch", "--reason", "and from the church")
    assert said.code == 0
    assert "Changed in The Cider War, 1645:\n  nothing: all values are unchanged\n" in said.out
    sh("campaign", "undo")
    assert "Undone: undo mill (revision 2) and override mill (revision 3)\n" in sh("campaign", "history").out


@pytest.mark.slow
def test_a_battle_that_is_not_pending_is_refused_with_those_that_are(sh: Shell, war: Path) -> None:
    for command in ("fight", "export"):
        assert 'battle "hill" is not pending; did you mean "mill"?' in sh("campaign", command, "hill").err
        many = sh("campaign", command, "x").err
        assert 'battle "x" is not pending; pending: teme-ford, mill, orchard\n' in many
    sh("campaign", "fight", "teme-ford", "mill")
    for command in ("fight", "export"):
        assert 'battle "x" is not pending; pending: orchard\n' in sh("campaign", command, "x").err


def test_the_luck_names_the_battles_that_it_leaves_out_to_the_umpire(sh: Shell, war: Path) -> None:
    sh("campaign", "override", "mill", "--winner", "birch", "--reason", "seen from the hill")
    left_out = "Left out, because they have no record to simulate: mill."
    assert left_out in sh("campaign", "luck").out
    assert "Left out" not in sh("campaign", "luck", "--for", "king").out


@pytest.mark.slow
def test_a_forecast_and_the_luck_are_the_same_whoever_counts(sh: Shell, war: Path) -> None:
    sh("campaign", "fight", "teme-ford", "mill")
    for command in (["forecast", "-n", "25", "--json"], ["luck", "-n", "20", "--json"]):
        one, two = (sh("campaign", *command, "--jobs", jobs) for jobs in ("1", "2"))
        assert one.code == two.code == 0
        assert one.out == two.out


@pytest.mark.slow
def test_processes_see_the_same_futures(war: Path) -> None:
    campaign = store.load(str(war)).campaign
    ticks: list[int] = []
    with processes(2) as hands:
        found = forecast_futures(campaign, 25, hands, 2, ticks.append)
    assert found == forecast_futures(campaign, 25, Serial())
    assert ticks == list(range(1, 26))


def test_redo_in_the_marches_is_refused_and_changes_nothing(sh: Shell, tmp_path: Path) -> None:
    """The last undo there made room for an override; a turn has begun since."""
    folder = tmp_path / "marches"
    shutil.copytree(MARCHES, folder)
    before = {path: path.read_bytes() for path in folder.rglob("*.toml")}
    said = sh("campaign", "redo", "-C", str(folder))
    assert said.code == 4
    assert "override t3-carmarthen (revision 15) has since decided" in said.err
    assert {path: path.read_bytes() for path in folder.rglob("*.toml")} == before


@pytest.mark.slow
def test_an_old_battle_in_the_marches_is_taken_back_with_a_warning(sh: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "marches"
    shutil.copytree(MARCHES, folder)
    quiet = sh("campaign", "check", "-C", str(folder), "--quiet")
    assert quiet == (0, "", "")
    said = sh("campaign", "undo", "t1-malpas", "-C", str(folder))
    assert said.code == 0
    assert "factions.crown.points: 11 - 2 = 9" in said.err
    assert "battle t3-chester (revision 12) was fought later" in said.err
    assert sh("campaign", "check", "-C", str(folder), "--quiet") == quiet
    assert (
        sh(
            "campaign", "override", "t1-ellesmere", "--winner", "blount", "--reason", "x", "-C", str(folder)
        ).code
        == 0
    )
    assert sh("campaign", "check", "-C", str(folder), "--quiet") == quiet


@pytest.mark.slow
def test_what_was_changed_by_hand_is_told_by_check_and_noted_by_the_next_command(
    sh: Shell, war: Path
) -> None:
    sh("campaign", "adjust", "forces.birch.strength+=1", "--reason", "x")
    file = war / "campaign.toml"
    file.write_text(file.read_text().replace("strength = 10\n", "strength = 5\n", 1))
    told = (
        "changed by hand: forces.birch.strength: 10 -> 5; "
        "the next command that changes the campaign records this edit\n"
    )
    said = sh("campaign", "check")
    assert (said.code, said.err.splitlines(keepends=True)[0]) == (0, told)
    assert json.loads(sh("campaign", "check", "--json").out)["edits"] == [
        {"key": "forces.birch.strength", "before": 10, "after": 5}
    ]
    assert "revision = 3" in sh("campaign", "turn", "--dry-run").out
    noted = "changed by hand, noted as revision 2: forces.birch.strength: 10 -> 5\n"
    assert sh("campaign", "turn").err.endswith(noted)
    assert (
        "2. Edited in the file: Birch's Firelocks: strength 10 -> 5"
        in sh("campaign", "history", "--kind", "edit").out
    )


@pytest.mark.parametrize(
    ("setting", "after"),
    [("strength+=3", 12), ("strength=+3", 12), ("strength=-2", 7), ("strength-=1", 8), ("strength=12", 12)],
)
def test_a_value_is_adjusted_by_what_is_added_to_it(setting: str, after: int, sh: Shell, war: Path) -> None:
    assert sh("campaign", "adjust", f"forces.birch.{setting}", "--reason", "x").code == 0
    assert strength(war, "birch") == after


@pytest.mark.parametrize("setting", ["strength+=many", "name+=3", "strength+="])
def test_what_cannot_be_added_is_a_wrong_command_line(setting: str, sh: Shell, war: Path) -> None:
    assert sh("campaign", "adjust", f"forces.birch.{setting}", "--reason", "x").code == 2


def test_the_quiet_demo_prints_only_the_battle(sh: Shell) -> None:
    said = sh("demo", "-q", "war")
    assert said.code == 0 and not said.err
    assert said.out.startswith("Colonel Lunsford against Birch's Firelocks\n")
    assert "What to do next" not in said.out and (sh.folder / "war" / "campaign.toml").exists()
    assert said.out in sh("demo", "loud").out


def test_a_story_that_an_older_release_recorded_in_several_lines_is_shown_in_one(
    sh: Shell, war: Path
) -> None:
    books, ledger = store.load(str(war)), store.load_ledger(str(war))
    result = Result(
        ["vaughan"], {"birch": SideResult(0, Fraction(1, 4)), "vaughan": SideResult(0, Fraction(0))}
    )
    story = "They met\r\n  at dawn.\n\nIt \x1brained."
    fought = BattleResult("mill", result, result_digest("mill", result), story=story)
    with store.open_for_writing(str(war)) as transaction:
        transaction.commit(plan_import(books, ledger, [fought]).operations)
    for command in (("story", "mill"), ("report",), ("report", "--turn", "1")):
        said = " ".join(sh("campaign", *command).out.replace("\\", "").split())
        assert "They met at dawn. It <1b>rained." in said
