"""Files that are replaced: owner, group and mode kept, protected ones left alone, obstacles named."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from cardbattle.files import disk
from cardbattle.files.disk import write_text
from cardbattle.files.errors import SystemFailure
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in, state
from tests.cli.test_cli_campaign import war as war  # the same campaign

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no owners like these")
root = pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root gives files away")


def owned(path: Path) -> tuple[int, int, int]:
    """Return owner, group and mode."""
    found = path.stat()
    return found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)


@root
@pytest.mark.parametrize("mode", [0o640, 0o600, 0o664, 0o4755, 0o2775])
def test_a_file_that_is_replaced_keeps_owner_group_and_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.toml"
    path.write_text("old")
    os.chown(path, 1234, 2345)
    path.chmod(mode)
    (tmp_path / "link.toml").symlink_to(path)
    disk.replace(str(tmp_path / "link.toml"), b"new")
    assert path.read_text() == "new"
    assert owned(path) == (1234, 2345, mode)


@root
def test_a_campaign_fought_by_root_stays_its_owners(sh: Shell, war: Path) -> None:
    os.chown(war / "campaign.toml", 1234, 2345)
    said = sh("campaign", "note", "Rain.")
    assert (said.code, said.err) == (0, "")
    assert owned(war / "campaign.toml")[:2] == (1234, 2345)
    assert state(war)["revision"] == 1


@root
@pytest.mark.parametrize("kept", ["", "owner", "group"])
def test_what_cannot_be_kept_is_told_and_rights_are_not_lent(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    real = os.fchown

    def refusing(file: int, owner: int, group: int) -> None:
        if kept != ("group" if owner < 0 else "owner"):
            raise PermissionError(1, "Operation not permitted")
        real(file, owner, group)

    monkeypatch.setattr(os, "fchown", refusing)
    os.chown(war / "campaign.toml", 1234, 2345)
    (war / "campaign.toml").chmod(0o6664)
    said = sh("campaign", "note", "Rain.")
    assert said.code == 0
    assert ("its owner changed from 1234 to 0: permission is denied" in said.err) == (kept != "owner")
    assert ("its group changed from 2345 to 0: permission is denied" in said.err) == (kept != "group")
    assert "campaign.toml was rewritten" in said.err
    expected = (1234 if kept == "owner" else 0, 2345 if kept == "group" else 0, 0o664)
    assert owned(war / "campaign.toml") == expected
    assert state(war)["revision"] == 1


@posix
@pytest.mark.parametrize("mode", [0o444, 0o400, 0o000, 0o555])
@pytest.mark.parametrize("name", ["campaign.toml", "history.toml"])
def test_a_protected_file_of_the_books_is_left_alone(sh: Shell, war: Path, mode: int, name: str) -> None:
    """The command fails for every user, root included, before it records anything."""
    assert sh("campaign", "turn").code == 0
    if mode & 0o400 or os.getuid() == 0:
        before = bytes_in(war)
        (war / name).chmod(mode)
        for arguments in (
            ("turn",),
            ("fight", "--no-odds", "teme-ford"),
            ("fight", "--no-odds", "--all"),
            ("adjust", "forces.birch.strength=3", "--reason", "x"),
            ("override", "mill", "--winner", "birch", "--reason", "x"),
            ("undo",),
            ("check", "--repair"),
        ):
            said = sh("campaign", *arguments)
            assert said.code == 6, arguments
            assert said.out == ""
            remedy = "use chmod u+w to allow writing"
            told = f"{name} cannot be written: it is write-protected (mode {mode:o}); {remedy}"
            assert said.err == f"cardbattle: {told}\n"
            assert bytes_in(war) == before
        assert sh("campaign", "turn", "--dry-run").code == 0
        assert stat.S_IMODE((war / name).stat().st_mode) == mode


@posix
def test_a_protected_result_is_not_written_over(sh: Shell) -> None:
    path = sh.folder / "record.toml"
    path.write_text("mine")
    path.chmod(0o444)
    for option in ("-o", "--record"):
        said = sh("resolve", "strategy-war", option, "record.toml", "-q")
        assert said.code == 6
        assert "record.toml cannot be written: it is write-protected (mode 444)" in said.err
    assert path.read_text() == "mine"


@pytest.mark.slow
def test_what_stands_in_the_way_is_named(sh: Shell, war: Path) -> None:
    """A folder where the next file is made ready: for a record, for campaign.toml."""
    (war / "records" / store_temporary()).mkdir(parents=True)
    said = sh("campaign", "fight", "--no-odds", "teme-ford")
    assert said.code == 6
    assert f"{store_temporary()}, a folder, is in the way; move it away; nothing was recorded" in said.err
    assert state(war)["revision"] == 0
    (war / store_temporary()).mkdir()
    said = sh("campaign", "note", "Rain.")
    assert said.code == 6
    assert "note is recorded; campaign.toml could not be updated" in said.err
    assert f"{store_temporary()}, a folder, is in the way; move it away" in said.err
    (war / store_temporary()).rmdir()
    assert sh("campaign", "check", "--repair").code == 0
    assert state(war)["revision"] == 1


def store_temporary() -> str:
    """Return the name of the file that becomes campaign.toml."""
    from cardbattle.campaign.storage import store

    return store.TEMPORARY


def test_a_file_that_is_written_first_has_the_systems_own_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    write_text(str(path), "new")
    plain = tmp_path / "b.toml"
    plain.write_text("new")
    assert owned(path) == owned(plain)


def test_a_refusal_is_told_in_its_own_words() -> None:
    with pytest.raises(SystemFailure, match=r"^x\.toml cannot be written: so it is$"):
        disk.refuse("x.toml", disk.SelfExplanatoryError(13, "so it is"))
