"""Names of files and folders that are not text, and columns that are nested too deep."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from cardbattle.campaign.turn import factor_values
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import DEMO, state
from tests.cli.test_cli_campaign import war as war  # the same campaign

ROOT = Path(__file__).parents[2]
SHEET = str(ROOT / "examples" / "skirmishes.csv")
BAD = [b"caf\xe9", b"\xff\xfe", b"a\nb", b"\x1b[31mred", "a\u202eb".encode(), b"-x", b"..."]


@pytest.fixture(autouse=True)
def few_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count hints over ten battles."""
    monkeypatch.setattr(factor_values, "BATTLES", 10)


def supported(raw: bytes) -> bool:
    """Say whether the file system takes a name."""
    try:
        os.stat(os.fsdecode(raw))
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
@pytest.mark.parametrize("raw", BAD, ids=repr)
def test_a_folder_with_any_name_holds_a_campaign(sh: Shell, raw: bytes) -> None:
    """Every command works in it, and says nothing that acts."""
    assert supported(raw)
    folder = f"./{os.fsdecode(raw)}"
    shutil.copytree(DEMO, folder)
    at = ("campaign", "-C", folder)
    for arguments in (
        (*at, "show", "--no-odds"),
        (*at, "fight", "--no-odds", "-q"),
        (*at, "export", "mill", "-o", f"{folder}/mill.toml"),
        ("resolve", f"{folder}/mill.toml", "-o", f"{folder}/mill-record.toml", "-q"),
        (*at, "import", f"{folder}/mill-record.toml"),
        (*at, "history", "teme-ford", "--json"),
        (*at, "report", "-o", f"{folder}/report.html"),
        (*at, "check", "--json"),
        ("verify", f"{folder}/records/mill.toml"),
        ("batch", SHEET, "-j", "1", "--records", "-o", f"{folder}/results.toml"),
        ("resolve", "strategy-war", "--series", "2", "-q", "-o", f"{folder}/series.toml"),
    ):
        said = sh(*arguments)
        assert said.code == 0, said.err
        assert os.fsdecode(raw) not in said.out + said.err or (raw.isascii() and raw.decode().isprintable())
    assert state(Path(folder))["revision"] == 2


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
@pytest.mark.parametrize("raw", BAD, ids=repr)
def test_a_campaign_founded_in_such_a_folder_has_a_name_that_can_be_read(sh: Shell, raw: bytes) -> None:
    folder = f"./{os.fsdecode(raw)}"
    for arguments in (("campaign", "new", folder), ("demo", f"{folder}/deeper")):
        said = sh(*arguments)
        assert said.code == 0, said.err
        assert os.fsdecode(raw) not in said.out + said.err or raw.decode("latin-1").isprintable()
    name = state(Path(folder))["name"]
    assert isinstance(name, str)
    assert name.isprintable()
    assert sh("campaign", "-C", folder, "check").code == 0


@pytest.mark.parametrize("text", ["caf\udce9", "\udcff\udcfe", "a\nb", "\x1b[31mred", "a\u202eb"], ids=ascii)
def test_an_argument_that_is_no_text_is_told_in_one_line(sh: Shell, text: str) -> None:
    for arguments, code in (
        (("campaign", "new", "new", "--name", text), 2),
        (("resolve", "strategy-war", "--seed", text), 2),
        (("resolve", "strategy-war", "--side", text), 2),
        (("resolve", "strategy-war", "--set", f"{text}=1"), 2),
        (("resolve", "strategy-war", "--for", text), 2),
        (("resolve", "strategy-war", "--format", text), 2),
        (("resolve", text), 2),
        (("resolve", f"{text}.toml"), 3),
        (("verify", text), 3),
        (("batch", f"{text}.csv"), 3),
        (("batch", SHEET, "--records", "-o", f"{text}.toml"), 2),
        (("resolve", "strategy-war", "--series", "2", "-o", f"{text}.toml"), 2),
        (("campaign", "-C", text, "show"), 3),
        ((text,), 2),
        (("resolve", f"--{text}"), 2),
    ):
        said = sh(*arguments)
        assert said.code == code, (arguments, said)
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert said.err.startswith("cardbattle: ")
        assert text not in said.err
        assert os.listdir(sh.folder) == []


@pytest.mark.parametrize("dots", [21, 100, 1500, 20_000])
def test_a_column_with_too_many_dots_is_refused_by_its_line(sh: Shell, war: Path, dots: int) -> None:
    column = "a" + ".a" * dots
    for text in (f"id,{column}\nmill,1\n", f"\n{column}\n1\n", f"id,{column}\n"):
        sh.write("war/sheet.csv", text)
        for command in (("batch",), ("campaign", "import")):
            said = sh(*command, "sheet.csv")
            assert said.code == 3
            line = 2 if text.startswith("\n") else 1
            first, *shown = said.err.splitlines()
            assert first.startswith(f'cardbattle: sheet.csv:{line}: the column "a.a.a')
            assert first.endswith('" has over 20 dots')
            assert len(first) < 150
            assert all(len(one) < 110 for one in shown)
