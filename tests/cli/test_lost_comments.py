"""Comments that go with a removed battle or road: a note names them, and an undo restores them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign.storage import store
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import marches

ROADS = '# Roads.\n[[road]]\nbetween = ["shrewsbury", "york"]\n\n[locations.york]\n\n# The bridge.'
COMMENTED = marches.MARCHES.replace("# The bridge.", ROADS)
RESULT = ["--winner", "percy", "--losses", "percy=1/7", "--losses", "stafford=1/2", "--reason", "played"]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    marches.folder_with(tmp_path, COMMENTED)
    monkeypatch.chdir(tmp_path)
    return tmp_path / store.NAME


@pytest.mark.parametrize(
    ("command", "note"),
    [
        (["cancel", "bridge"], "2 comment lines of campaign.toml went with bridge; undo brings them back"),
        (["override", "bridge", *RESULT], "2 comment lines of campaign.toml went with bridge"),
        (["remove", "road.1"], "1 comment line of campaign.toml went with the removed lines; undo brings it"),
    ],
)
def test_a_command_says_that_comments_went(sh: Shell, file: Path, command: list[str], note: str) -> None:
    assert note in sh("campaign", *command).err
    assert sh("campaign", "undo").err.count("comment line") == 0
    assert file.read_text() == COMMENTED.replace("revision = 0", "revision = 2")


def test_a_command_without_lost_comments_or_with_quiet_says_nothing_of_them(sh: Shell, file: Path) -> None:
    assert "comment" not in sh("campaign", "cancel", "wood").err
    assert "comment" not in sh("campaign", "cancel", "bridge", "--quiet").err


def test_an_undo_names_redo_as_the_way_back(sh: Shell, file: Path) -> None:
    sh("campaign", "add", "battle", "mill", "--side", "mortimer", "--side", "stafford")
    file.write_text(file.read_text().replace('[[pending]]\nid = "mill"', '# Rain.\n[[pending]]\nid = "mill"'))
    assert "1 comment line of campaign.toml went with mill; redo brings it back" in sh("campaign", "undo").err
    sh("campaign", "redo")
    assert '# Rain.\n[[pending]]\nid = "mill"' in file.read_text()
