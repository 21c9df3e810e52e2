"""What `python -m build` makes, and what comes of it with and without a C compiler.

Each build takes a minute or more, and fetches what it needs as any install does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from shutil import copytree, ignore_patterns, which
from zipfile import ZipFile

import pytest

from cardbattle import __version__
from tests.rules.test_compiled import COMPILED

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="needs the checkout"),
]
needs_compiler = pytest.mark.skipif(which("cc") is None, reason="needs a C compiler")


def said(folder: Path, *words: str | Path, **more: str) -> str:
    """Return what Python says to these words in a folder; if it fails, that is the test's error."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def told_by(folder: Path, *words: str) -> str:
    """Return what the program in a folder prints."""
    return said(folder, "-m", "cardbattle", *words)


def installed(package: Path, folder: Path, **more: str) -> Path:
    """Install a package into a new folder, beside what it depends on here; return the folder."""
    folder.mkdir()
    said(folder, "-m", "pip", "install", "--no-deps", "--no-cache-dir", "--target", folder, package, **more)
    return folder


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of what `python -m build` makes: the wheel out of the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    said(folder, "-m", "build", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def plain(dist: Path) -> Path:
    """Return a folder with what the source distribution installs where every compiler fails."""
    (source,) = dist.glob("cardbattle-*.tar.gz")
    return installed(source, dist / "plain", CC="/bin/false")


@needs_compiler
def test_a_wheel_has_every_module_of_the_rules_compiled(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    assert not wheel.stem.endswith("-none-any")
    with ZipFile(wheel) as archive:
        binaries = {name.split(".")[0].replace("/", ".") for name in archive.namelist() if is_binary(name)}
    assert set(COMPILED) <= binaries
    assert all(name.startswith("cardbattle.") for name in binaries), "binaries outside the package"
    assert not [name for name in binaries if name.endswith("__init__")], (
        "mypyc would give it a wrong __path__"
    )


def is_binary(name: str) -> bool:
    """Say whether a file of a wheel is machine code."""
    return name.endswith(tuple(EXTENSION_SUFFIXES))


def test_without_a_compiler_the_source_distribution_installs_as_plain_python(plain: Path) -> None:
    assert told_by(plain, "--version").startswith(f"cardbattle {__version__} (interpreted), ")
    assert not [path for path in plain.rglob("*") if is_binary(path.name)]
    (metadata,) = plain.glob("*.dist-info/WHEEL")
    assert "Tag: py3-none-any" in metadata.read_text(encoding="utf-8")


@needs_compiler
def test_the_compiled_wheel_fights_the_same_battle(dist: Path, plain: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    compiled = installed(wheel, dist / "compiled")
    assert told_by(compiled, "--version").startswith(f"cardbattle {__version__} (compiled), ")
    words = ("resolve", "warfare-tactics", "--seed", "1403", "--detail", "audit")
    assert told_by(compiled, *words) == told_by(plain, *words)


def test_the_package_says_whose_it_is_and_holds_its_licence(plain: Path) -> None:
    (metadata,) = plain.glob("*.dist-info/METADATA")
    told = metadata.read_text(encoding="utf-8").splitlines()
    assert {"Author: the cardbattle contributors", "License-Expression: MIT"} <= set(told)
    assert (metadata.parent / "licenses" / "LICENSE").exists()


def test_the_same_files_give_the_same_source_distribution(tmp_path: Path) -> None:
    """At another time, in another folder, and with other permissions and times of files."""
    sums = set()
    for name, mask in (("first", 0o022), ("second", 0o077)):
        before = os.umask(mask)
        try:
            copytree(ROOT, tmp_path / name, ignore=ignore_patterns(".git", "build", "dist", "*.egg-info"))
            for path in (tmp_path / name).rglob("*.py"):
                path.chmod(0o644 & ~mask)
                path.touch()
            said(tmp_path / name, "-m", "build", "--sdist", "--outdir", tmp_path / f"{name}-dist", ".")
        finally:
            os.umask(before)
        (source,) = (tmp_path / f"{name}-dist").iterdir()
        sums.add(sha256(source.read_bytes()).hexdigest())
    assert len(sums) == 1


def test_a_pure_wheel_is_built_if_it_is_wanted(tmp_path: Path) -> None:
    said(ROOT, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, CARDBATTLE_PURE="1")
    assert [path.name for path in tmp_path.iterdir()] == [f"cardbattle-{__version__}-py3-none-any.whl"]
