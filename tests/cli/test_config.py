"""The user's settings: the configuration file, the variables, `config` and `doctor`."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from cardbattle.cli.commands import doctor
from cardbattle.cli.options import default_jobs
from cardbattle.files.settings import config_file
from cardbattle.show.console import wants_color
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

RESOLVE = ("resolve", "strategy-war", "--seed", "3", "--detail", "brief")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a configuration file that does not exist."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CARDBATTLE_FORMAT", "CARDBATTLE_COLOR", "CARDBATTLE_JOBS"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "settings" / "config.toml"
    monkeypatch.setenv("CARDBATTLE_CONFIG", str(path))
    return path


def test_the_configuration_file_is_where_the_system_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDBATTLE_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/home/ann/.settings")
    if sys.platform == "linux":
        assert config_file() == "/home/ann/.settings/cardbattle/config.toml"
    assert config_file().endswith(os.path.join("cardbattle", "config.toml"))


def test_settings_are_set_listed_and_unset_and_comments_stay(sh: Shell, file: Path) -> None:
    assert sh("config", "get", "jobs").out == "\n"
    assert sh("config", "set", "jobs", "3").code == 0
    assert file.read_text(encoding="utf-8") == "jobs = 3\n"
    file.write_text("# mine\njobs = 3  # cores\n", encoding="utf-8")
    for key, value in (("color", "never"), ("engines.bold", "node 'my bot.js'"), ("jobs", "2")):
        assert sh("config", "set", key, value).code == 0
    assert file.read_text(encoding="utf-8") == (
        '# mine\njobs = 2  # cores\ncolor = "never"\n\n[engines]\nbold = "node \'my bot.js\'"\n'
    )
    assert sh("config", "get", "engines.bold").out == "node 'my bot.js'\n"
    rows = json.loads(sh("config", "list", "--json").out)["settings"]
    assert [(row["key"], row["value"], row["from"]) for row in rows] == [
        ("format", "set by each command", "default"),
        ("color", "never", "file"),
        ("jobs", "2", "file"),
        ("engines.bold", "node 'my bot.js'", "file"),
    ]
    assert sh("config", "unset", "engines.bold").code == sh("config", "unset", "color").code == 0
    assert file.read_text(encoding="utf-8") == "# mine\njobs = 2  # cores\n\n[engines]\n"
    assert sh("config", "path").out == f"{file}\n"


def test_the_options_of_an_engine_stay_when_its_command_changes(sh: Shell, file: Path) -> None:
    file.parent.mkdir()
    file.write_text("[engines.deep]\ncommand = 'deep'\noptions = { level = 3 }\n", encoding="utf-8")
    assert sh("config", "set", "engines.deep", "deeper").code == 0
    assert file.read_text(encoding="utf-8").endswith("\noptions = { level = 3 }\n")
    assert sh("config", "get", "engines.deep").out == "deeper\n"


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["set", "colour", "never"], 2, 'unknown setting "colour"; did you mean "color"?'),
        (["set", "color", "red"], 2, 'color: expected auto, always or never, got "red"'),
        (["set", "jobs", "0"], 2, "jobs: expected a whole number from 1 to 256, got 0"),
        (["set", "jobs", "many"], 2, 'jobs: expected a whole number from 1 to 256, got "many"'),
        (["set", "engines.bold", ""], 2, "engines.bold: expected a command, such as"),
        (["set", "engines.Bold", "x"], 2, "engines.Bold: "),
        (["unset", "jobs"], 2, '"jobs" is not set in '),
    ],
)
def test_a_wrong_setting_is_refused_and_nothing_is_written(
    sh: Shell, file: Path, words: list[str], code: int, error: str
) -> None:
    said = sh("config", *words)
    assert (said.code, said.out, said.err.count("\n")) == (code, "", 1)
    assert error in said.err
    assert not file.exists()


def test_a_wrong_file_is_refused_with_its_line_and_can_still_be_edited(
    sh: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.parent.mkdir()
    file.write_text("jobs = 1\ncolour = 'red'\n", encoding="utf-8")
    for words in (RESOLVE, ("config", "list"), ("config", "set", "jobs", "2")):
        said = sh(*words)
        assert said.code == 3
        assert 'config.toml:2: colour: unknown key "colour"; did you mean "color"?' in said.err
    name = "the settings are valid"
    monkeypatch.setattr(doctor, "CHECKS", {name: doctor.CHECKS[name]})  # the others take seconds
    said = sh("doctor")
    assert said.code == 1
    assert f"FAIL {name}: InvalidInput\n" in said.out
    editor = file.parent / "editor"
    editor.write_text("#!/bin/sh\nsed -i s/colour.*/color=\\'never\\'/ \"$1\"\n", encoding="utf-8")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("VISUAL", str(editor))
    assert sh("config", "edit").code == 0
    assert sh("config", "get", "color").out == "never\n"


def test_edit_begins_a_missing_file_with_explanations(
    sh: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "true")
    assert sh("config", "edit").code == 0
    assert file.read_text(encoding="utf-8").startswith("# The settings of cardbattle.")
    monkeypatch.setenv("VISUAL", "false")
    assert "failed with exit code 1" in sh("config", "edit").err


def test_the_format_is_the_options_then_the_variables_then_the_files(
    sh: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.parent.mkdir()
    file.write_text("format = 'md'\n", encoding="utf-8")
    assert sh(*RESOLVE).out.startswith("## ")
    monkeypatch.setenv("CARDBATTLE_FORMAT", "json")
    assert json.loads(sh(*RESOLVE).out)
    assert sh(*RESOLVE, "--format", "html").out.startswith("<!DOCTYPE html>")
    assert sh(*RESOLVE, "-o", "page.md", "-q").code == 0
    assert (sh.folder / "page.md").read_text(encoding="utf-8").startswith("## ")
    assert sh(*RESOLVE, "-o", "record.toml", "-q").code == 0
    assert sh("verify", "record.toml").code == 0
    monkeypatch.setenv("CARDBATTLE_FORMAT", "csv")  # which resolve does not have
    assert sh(*RESOLVE).out == sh(*RESOLVE, "--format", "text").out
    monkeypatch.setenv("CARDBATTLE_FORMAT", "pdf")
    said = sh(*RESOLVE)
    assert (said.code, said.err.startswith("cardbattle: CARDBATTLE_FORMAT: expected text, ")) == (2, True)


def test_the_number_of_processes_and_the_colours_follow_the_settings(
    sh: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (default_jobs(None), default_jobs(5), wants_color(sys.stdout)) == (None, 5, False)
    file.parent.mkdir()
    file.write_text("jobs = 3\ncolor = 'always'\n", encoding="utf-8")
    assert (default_jobs(None), default_jobs(5), wants_color(sys.stdout)) == (3, 5, True)
    monkeypatch.setenv("CARDBATTLE_JOBS", "2")
    monkeypatch.setenv("CARDBATTLE_COLOR", "never")
    assert (default_jobs(None), wants_color(sys.stdout)) == (2, False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert wants_color(sys.stdout)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_color(sys.stdout)
    assert "CARDBATTLE_JOBS is set" in sh("config", "set", "jobs", "4").err


@pytest.mark.slow
def test_doctor_reports_no_paths_and_no_values_of_the_user(
    sh: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDBATTLE_TRACEBACK", "hush")
    file.parent.mkdir()
    file.write_text("format = 'json'\n[engines]\nsecretbot = '/home/ann/key-1234'\n", encoding="utf-8")
    said = sh("doctor")
    assert said.code == 0
    assert "file: format, engines\n" in said.out
    assert "CARDBATTLE_CONFIG, CARDBATTLE_TRACEBACK" in said.out
    for word in ("hush", "secretbot", "1234", "/home", str(file.parent), str(sh.folder), os.path.sep + "tmp"):
        assert word not in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    assert said.out.count("\npass ") == 8
