"""Commands that only read, in a campaign whose campaign.toml is an old copy or whose ledger is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign.folder import CampaignFolder
from cardbattle.campaign.storage import store
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import marches

READING = [
    *(["standings"], ["show"], ["report", "--style", "plain"], ["report", "--turn", "4"], ["results"]),
    *(["history"], ["show", "--for", "york"], ["standings", "--for", "public"]),
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Record a battle, and save the campaign.toml of before as old.toml."""
    folder = tmp_path / "marches"
    marches.folder_with(folder)
    (folder / "old.toml").write_bytes((folder / store.NAME).read_bytes())
    marches.record(str(folder), marches.decided("bridge", "percy", percy="1/7", stafford="1/2"))
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_an_old_copy_reads_like_the_current_file(sh: Shell, files: Path, command: list[str]) -> None:
    current = sh("campaign", *command)
    old = (files / "old.toml").read_bytes()
    (files / store.NAME).write_bytes(old)
    assert sh("campaign", *command) == current
    assert (files / store.NAME).read_bytes() == old


def test_the_library_applies_missing_changes_too(files: Path) -> None:
    (files / store.NAME).write_bytes((files / "old.toml").read_bytes())
    opened = CampaignFolder(str(files))
    assert opened.revision == 1 and opened.campaign.battle("bridge") is None


def test_an_old_copy_that_contradicts_the_ledger_is_shown_with_a_warning(sh: Shell, files: Path) -> None:
    old = (files / "old.toml").read_bytes()
    (files / store.NAME).write_bytes(old.replace(b"strength = 8", b"strength = 7"))
    for command in READING:
        shown = sh("campaign", *command)
        assert shown.code == 0
        assert shown.err.count("campaign.toml lacks recorded changes and contradicts them") == 1
        assert "strength" not in shown.err


def test_a_damaged_ledger_is_reported_beside_the_standings(sh: Shell, files: Path) -> None:
    ledger = files / "history.toml"
    ledger.write_bytes(ledger.read_bytes().replace(b"percy", b"perzy"))
    for command in ("standings", "show"):
        shown = sh("campaign", command)
        assert shown.code == 0 and "history.toml is damaged at line " in shown.err
        hidden = sh("campaign", command, "--for", "york")
        assert hidden.code == 0 and "the umpire is needed" in hidden.err and "line" not in hidden.err
