"""What to install is said for the way in which the program was installed, by commands that work there."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from cardbattle import installation
from cardbattle.cli.app import run
from cardbattle.installation import EXTRAS, install_command

ROOT = Path(__file__).parents[2]
Place = Callable[..., Path]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Return what pretends that the program runs in an environment with these files."""

    def pretend(
        files: dict[str, str], *, has_pip: bool = True, has_uv: bool = False, origin: object = None
    ) -> Path:
        environment = tmp_path / "cardbattle"
        environment.mkdir()
        for name, text in files.items():
            (environment / name).write_text(text, encoding="utf-8")
        told = None if origin is None else json.dumps(origin)
        monkeypatch.setattr(sys, "prefix", str(environment))
        monkeypatch.setattr(sys, "executable", str(environment / "bin" / "python"))
        monkeypatch.setattr(installation, "find_spec", lambda name: has_pip or None)
        monkeypatch.setattr(
            installation, "which", lambda name: "/usr/bin/uv" if name == "uv" and has_uv else None
        )
        monkeypatch.setattr(
            installation, "distribution", lambda name: SimpleNamespace(read_text=lambda file: told)
        )
        return environment

    return pretend


def test_pipx_injects(place: Place) -> None:
    """Into the environment of that name, which may have a suffix."""
    place({"pipx_metadata.json": "{}"})
    assert install_command("tui") == 'pipx inject cardbattle "textual>=6"'


def test_a_tool_of_uv_is_added_to_by_uv(place: Place) -> None:
    """It has no pip."""
    environment = place({"uv-receipt.toml": "[tool]\n"}, has_pip=False)
    assert install_command("tui") == f'uv pip install --python {environment}/bin/python "textual>=6"'


@pytest.mark.parametrize(
    ("files", "has_uv"), [({"pyvenv.cfg": "home = /usr/bin\nuv = 0.9.1\n"}, False), ({}, True)]
)
def test_an_environment_without_pip_is_added_to_by_uv(
    place: Place, files: dict[str, str], has_uv: bool
) -> None:
    environment = place(files, has_pip=False, has_uv=has_uv)
    assert (
        install_command("dask") == f'uv pip install --python {environment}/bin/python "distributed>=2024.1"'
    )


@pytest.mark.parametrize("origin", [None, {"url": "file:///x.whl"}, {"url": "https://x", "dir_info": {}}])
def test_pip_installs_beside_the_program(place: Place, origin: object) -> None:
    """With the interpreter that runs it, whichever `python` is first on the path."""
    environment = place({}, origin=origin)
    assert install_command("tui") == f'{environment}/bin/python -m pip install "textual>=6"'


def test_the_first_python_is_called_by_its_name(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = place({})
    monkeypatch.setattr(installation, "which", lambda name: str(environment / "bin" / name))
    assert install_command("tui") == 'python -m pip install "textual>=6"'


@pytest.mark.parametrize(
    ("has_pip", "command"),
    [(True, "{python} -m pip install"), (False, "uv pip install --python {python}")],
)
def test_a_source_checkout_is_installed_again_with_its_extra(
    place: Place, has_pip: bool, command: str
) -> None:
    """Its folder may have spaces."""
    origin = {"url": "file:///home/ann/my%20games/cardbattle", "dir_info": {"editable": True}}
    environment = place({}, has_pip=has_pip, has_uv=True, origin=origin)
    python = f"{environment}/bin/python"
    assert (
        install_command("tui") == f'{command.format(python=python)} -e "/home/ann/my games/cardbattle[tui]"'
    )


def test_broken_metadata_is_passed_over(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = place({"pyvenv.cfg": "\0"})
    monkeypatch.setattr(
        installation, "distribution", lambda name: SimpleNamespace(read_text=lambda file: "{")
    )
    assert install_command("tui") == f'{environment}/bin/python -m pip install "textual>=6"'


@pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="needs the checkout")
def test_the_extras_are_those_of_the_package() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {name: [requirement] for name, requirement in EXTRAS.items()} == {
        name: extras[name] for name in EXTRAS
    }


@pytest.mark.parametrize(
    ("module", "words", "needs", "extra"),
    [
        ("cardbattle.cli.play.screen", ["play", "wargame", "--screen"], "--screen needs textual", "tui"),
        ("distributed", ["odds", "wargame", "--scheduler", "tcp://h:1"], "--scheduler needs dask", "dask"),
    ],
)
def test_a_command_without_its_package_says_how_to_install_it(
    module: str,
    words: list[str],
    needs: str,
    extra: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert run(words) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert error == f"cardbattle: {needs}; install it with: {install_command(extra)}"
    assert "cardbattle[" not in error.replace(str(ROOT), "")
