"""The sample campaigns: sound, small, and each as the program itself has left it."""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cardbattle.battles.records.record import Record, record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.campaign.state.apply import result_of_table
from cardbattle.campaign.state.changes import value_at
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import advice, factor_values
from cardbattle.core.chance import child_seed
from cardbattle.files.toml import read_toml
from tests.cli.test_cli import ROOT, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import DEMO, bytes_in, state
from tests.support.guides import workplace

FOLDERS = sorted((ROOT / "campaigns").iterdir())
PLAYED = [folder for folder in FOLDERS if (folder / "history.toml").exists()]
SAMPLES = [*PLAYED, DEMO]  # `tests/campaign/test_river_war.py` plays the campaign that has not begun
RECORDS = [path for folder in PLAYED for path in sorted((folder / "records").iterdir())]
TYPED = [path for folder in PLAYED for path in sorted((folder / "table").glob("*"))]
MOST_BYTES, MOST_RECORD_BYTES = 300_000, 20_000

every_sample = pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
every_played = pytest.mark.parametrize("folder", PLAYED, ids=lambda folder: folder.name)
every_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")


@pytest.fixture
def copy(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy a sample and go there."""
    found = tmp_path / "copy"
    shutil.copytree(folder, found)
    monkeypatch.chdir(found)
    return found


@pytest.fixture
def few_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count odds and hints over ten battles."""
    monkeypatch.setattr(advice, "BATTLES", 10)
    monkeypatch.setattr(factor_values, "BATTLES", 10)


def read(path: Path) -> Record:
    """Return the record in a file."""
    return read_record(read_toml(str(path)).data)


WORTH = "worth, in percentage points of the chance to win"
HINTS = {
    "back-room-league": (
        "hint: battle w5-gate-crate: the green commander of The Ammunition Crate loses more than 99% "
        "of such battles at equal strength\n"
        "hint: battle w5-gate-crate: one-sided, hardly worth playing: 100% of 60 simulated battles "
        "go to Traitors' Gate\n"
        f"hint: battle w4-crate-odd: {WORTH}: The Ammunition Crate: green -46 (-53 to -39); "
        "The Odd Socks: green -54 (-61 to -47)\n"
    ),
    "four-noons": (
        "hint: campaign.toml:138: pending.1.sides.4: bess and will are forces of astronomer, but fight each "
        "other in d4-bridge; put them on one side, or set the faction of one to another\n"
        "hint: battle d4-bridge: strength has no effect, because [advantage.warmonger] is missing; "
        "this is allowed\n"
        f"hint: battle d4-bridge: {WORTH}: Town Watch and Bakers: house rules -10 (-17 to -3); "
        "Walnut Will: green +0\n"
    ),
    "the-marches-1403": (
        "hint: campaign.toml:183: pending.3.sides.3: cheshire and worcester are forces of percy, but fight "
        "each other in t4-mill; put them on one side, or set the faction of one to another\n"
        "hint: battle t4-mill: strength has no effect: "
        "11 against 8 is less than one step of [advantage.strategy-war], per = 1/2; this is allowed\n"
        f"hint: battle t4-harlescott: {WORTH}: "
        "Harry Hotspur and Archibald Douglas: strength 24 to 19 +11 (+5 to +17)\n"
    ),
    "demo": f"hint: battle teme-ford: {WORTH}: Colonel Lunsford: strength 12 to 9 +11 (+5 to +17)\n",
}


@pytest.mark.slow
@every_sample
def test_check_hints_at_most_and_writes_nothing(sh: Shell, folder: Path, copy: Path) -> None:
    before = bytes_in(copy)
    said = sh("campaign", "check")
    assert (said.code, said.out, said.err) == (0, "", HINTS.get(folder.name, ""))
    assert sh("campaign", "check", "--quiet") == (0, "", "")
    assert bytes_in(copy) == before


@pytest.mark.usefixtures("few_battles")
@every_sample
@pytest.mark.parametrize("form", ["text", "plain", "json"])
def test_show_names_every_pending_battle(sh: Shell, folder: Path, form: str) -> None:
    said = sh("campaign", "-C", str(folder), "show", "--format", form)
    assert (said.code, said.err.count("\n")) == (0, 0 if form == "json" else 1)
    assert said.err.startswith("" if form == "json" else "cardbattle: warning: the seed is so short")
    pending = [battle.id for battle in store.load(str(folder)).campaign.pending]
    assert len(pending) >= 2
    assert all(battle in said.out for battle in pending)


@every_record
def test_every_record_fights_again_as_it_says(sh: Shell, path: Path) -> None:
    said = sh("verify", str(path))
    assert said.code == 0
    assert said.out.endswith("moves agree\n")


@every_record
def test_a_battle_the_program_fought_was_dealt_from_the_campaigns_seed(path: Path) -> None:
    record = read(path)
    campaign = store.load(str(path.parent.parent)).campaign
    seed = child_seed(campaign.seed, f"battle/{record.id}")
    assert record.seed == (seed if record.fought == "engine" else None)


@every_played
def test_ledger_and_records_tell_the_same(folder: Path) -> None:
    """Every record belongs to one entry of the ledger, with its digest and its result."""
    ledger = store.load_ledger(str(folder))
    told = {entry.record: entry for entry in ledger.entries if entry.record}
    assert sorted(told) == sorted(f"records/{path.name}" for path in (folder / "records").iterdir())
    for name, entry in told.items():
        record = read(folder / name)
        assert record_digest(record.table) == record.table["digest"] == entry.digest
        assert (record.id, result_of_table(record.table)) == (entry.id, entry.result)


@every_played
def test_the_file_stands_where_the_ledger_has_left_it(folder: Path) -> None:
    ledger, data = store.load_ledger(str(folder)), state(folder)
    assert data["revision"] == len(ledger.entries) == ledger.whole_entries
    last = {change.key: change.after for entry in ledger.entries for change in entry.changes}
    assert {key: value_at(data, key) for key in last} == last


@pytest.mark.slow
@pytest.mark.usefixtures("few_battles")
@every_sample
def test_the_pending_battles_can_be_fought(sh: Shell, folder: Path, copy: Path) -> None:
    """Each changes the file where its dry run says, and all together can be taken back."""
    before = (copy / "campaign.toml").read_text(encoding="utf-8")
    told = sh("campaign", "fight", "--all", "--dry-run")
    assert sh("campaign", "fight", "--all", "--detail", "brief").code == 0
    after = (copy / "campaign.toml").read_text(encoding="utf-8")
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), "a/campaign.toml", "b/campaign.toml", lineterm=""
    )
    assert told.out == "".join(f"{line}\n" for line in lines)
    assert "pending" not in state(copy)
    assert sh("campaign", "check") == (0, "", "")
    assert sh("campaign", "undo").code == 0
    assert without_revision((copy / "campaign.toml").read_text(encoding="utf-8")) == without_revision(before)


def without_revision(text: str) -> list[str]:
    """Return a campaign's lines without the revision."""
    return [line for line in text.splitlines() if not line.startswith("revision = ")]


@pytest.mark.slow
@every_sample
def test_a_fight_changes_only_values_that_its_ledger_entry_names(sh: Shell, folder: Path, copy: Path) -> None:
    before = tomllib.loads((copy / "campaign.toml").read_text(encoding="utf-8"))
    comments = remarks(copy)
    assert sh("campaign", "fight", "--detail", "brief").code == 0
    entry = store.load_ledger(str(copy)).entries[-1]
    named = {change.key for change in entry.changes}
    after = flat(state(copy))
    changed = {key for key, value in after.items() if flat(before).get(key, "") != value}
    assert {key for key in changed if key[0] not in ("pending", "revision")} <= named
    assert remarks(copy) <= comments
    taken_out = next(change.text for change in entry.changes if change.key[0] == "pending")
    assert {remark for remark in comments - remarks(copy) if remark not in taken_out} == set()


def flat(data: dict[str, object], at: tuple[str, ...] = ()) -> dict[tuple[str, ...], object]:
    """Return every value with its key path; lists are values."""
    found: dict[tuple[str, ...], object] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            found |= flat(value, (*at, key))
        else:
            found[(*at, key)] = value
    return found


def remarks(folder: Path) -> set[str]:
    """Return the comments in a campaign's file."""
    lines = (folder / "campaign.toml").read_text(encoding="utf-8").splitlines()
    return {line[line.index("#") :] for line in lines if "#" in line}


@pytest.mark.parametrize("path", TYPED, ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_what_was_typed_in_at_the_table_is_recorded(sh: Shell, path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(path.parent.parent, copy)
    before = bytes_in(copy)
    said = sh("campaign", "-C", str(copy), "import", str(path))
    assert said.code == 0
    assert said.err.rstrip().endswith("is already recorded")
    assert bytes_in(copy) == before


def test_the_samples_show_all_that_an_umpire_does() -> None:
    entries = [entry for folder in PLAYED for entry in store.load_ledger(str(folder)).entries]
    kinds = {"battle", "import", "override", "undo", "redo", "adjust", "turn", "note"}
    assert {entry.kind for entry in entries} == kinds
    fought = [read(path) for path in RECORDS]
    assert {"wargame", "field-of-honour", "warmonger", "strategy-war"} == {one.rules.key for one in fought}
    assert {"engine", "table"} == {one.fought for one in fought}
    assert {side.commander for one in fought for side in one.sides} == {"green", "regular", "human"}
    assert max(len(one.sides) for one in fought) == 4


@every_sample
def test_a_sample_is_small(folder: Path) -> None:
    sizes = {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    assert sum(sizes.values()) < MOST_BYTES
    assert all(size < MOST_RECORD_BYTES for path, size in sizes.items() if path.parent.name == "records")


def scripted(tmp_path: Path, name: str, folder: Path, *first: Path) -> subprocess.CompletedProcess[str]:
    """Run one of the examples' scripts on a campaign. Commands in `first` come first."""
    path = os.pathsep.join([*map(str, first), str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["sh", str(tmp_path / "examples" / name), str(folder)],
        env={
            **os.environ,
            "PATH": path,
            "COLUMNS": "80",
            "PYTHONIOENCODING": "utf-8",
            "CARDBATTLE_JOBS": "1",
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def without_chances(tmp_path: Path) -> Path:
    """Return a folder with a `cardbattle` that counts no chances for a site, which would take a minute."""
    command = tmp_path / "bin" / "cardbattle"
    command.parent.mkdir()
    real = Path(sys.executable).parent / "cardbattle"
    command.write_text(
        f'#!/bin/sh\ncase " $* " in *" site "*) set -- "$@" --no-chances ;; esac\nexec "{real}" "$@"\n'
    )
    command.chmod(0o755)
    return command.parent


@pytest.mark.slow
def test_the_script_of_a_week_fights_puts_the_site_up_and_tells(tmp_path: Path) -> None:
    workplace(tmp_path)
    folder = tmp_path / "campaigns" / "four-noons"
    done = scripted(tmp_path, "a-week.sh", folder, without_chances(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "pending" not in state(folder)
    assert (folder / "site" / "battles" / "d4-bridge.html").is_file()
    front = (folder / "site" / "index.html").read_text(encoding="utf-8")
    assert '<g id="map-belfry"' in front and 'class="land side0"' in front
    assert "The War of the Four Noons" in (folder / "message.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_script_of_a_turn_fights_one(tmp_path: Path) -> None:
    """It checks, forecasts, fights and goes on to the next turn; a second time there is nothing to fight."""
    workplace(tmp_path)
    folder = tmp_path / "campaigns" / "four-noons"

    def run() -> subprocess.CompletedProcess[str]:
        return scripted(tmp_path, "fight-a-turn.sh", folder)

    before = state(folder)
    done = run()
    assert (done.returncode, done.stderr) == (0, HINTS["four-noons"])
    assert "d4-bridge" in done.stdout
    assert "50 simulations" in done.stdout
    after = state(folder)
    assert (before["turn"], after["turn"]) == (4, 5)
    assert "pending" not in after
    assert len(store.load_ledger(str(folder)).entries) == 19
    reports = (folder / "reports").iterdir()
    assert sorted(report.name for report in reports) == ["turn-4.html", "turn-4.md"]
    again = run()
    assert again.returncode == 3
    assert "no battle is pending" in again.stderr
    assert state(folder) == after
