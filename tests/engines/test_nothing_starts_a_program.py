"""Nothing that arrives from other people can start a program: only the user's command line can."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle import resolve
from cardbattle.battles.records.record import dumps_record
from cardbattle.cli import engine_options
from cardbattle.commanders import rank_error
from cardbattle.core.errors import CardbattleError, UsageError
from cardbattle.engines.definitions import Engine, read_config, read_definitions
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.characters import UNICODE
from tests.support.engines import SAMPLE, allowed, sample
from tests.support.guides import ROOT

MARK = "started"
STARTING = [
    "engine:touch started",
    "engine:./bot",
    "engine:bot",
    "engine:bot; touch started",
    "engine:",
    "engine",
]
SAMPLE_COMMAND = f"{sys.executable} -I -S {SAMPLE}"
BATTLE = 'rules = "strategy-war"\nseed = 1\n[sides.york]\ncommander = "{}"\n[sides.lancaster]\n'


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """Let the configuration define the engine `bot`, and collect the commands of started programs."""
    config = tmp_path / "config" / "config.toml"
    config.parent.mkdir()
    config.write_text(f"[engines]\nbot = '{SAMPLE_COMMAND}'\n", encoding="utf-8")
    monkeypatch.setattr(engine_options, "config_file", lambda: str(config))
    commands: list[list[str]] = []
    start: Any = subprocess.Popen

    def noted(command: list[str], **arguments: object) -> object:
        commands.append(command)
        return start(command, **arguments)

    monkeypatch.setattr(subprocess, "Popen", noted)
    return commands


@pytest.mark.parametrize("commander", STARTING)
def test_a_battle_file_starts_nothing(sh: Shell, started: list[list[str]], commander: str) -> None:
    file = sh.write("battle.toml", BATTLE.format(commander))
    for command in (["resolve", file], ["odds", file, "-n", "2"], ["resolve", file, "--series", "2"]):
        assert sh(*command).code in (2, 3)
    assert started == []
    assert not (sh.folder / MARK).exists()


@pytest.mark.parametrize("table", ["[engines]\nbot = 'touch started'\n", "[sides.york.engine]\n"])
def test_a_battle_file_cannot_define_an_engine(sh: Shell, started: list[list[str]], table: str) -> None:
    file = sh.write("battle.toml", BATTLE.format("green") + table)
    assert sh("resolve", file, "--engine", "bot").code == 3
    assert started == []


@pytest.mark.slow
@pytest.mark.parametrize("commander", ["engine:touch started", "engine:bot"])
def test_a_campaign_starts_nothing(sh: Shell, started: list[list[str]], commander: str) -> None:
    folder = sh.folder / "war"
    shutil.copytree(ROOT / "campaigns/the-marches-1403", folder)
    file = folder / "campaign.toml"
    text = file.read_text(encoding="utf-8")
    assert 'commander = "' in text
    before, _, after = text.partition('commander = "')
    file.write_text(f'{before}commander = "{commander}{after[after.index(chr(34)) :]}', encoding="utf-8")
    for command in (["check"], ["fight", "--all"], ["site", str(sh.folder / "site")]):
        refused = sh("campaign", "-C", str(folder), *command)
        assert refused.code in (1, 3)
        assert "engine" in refused.err
    file.write_text(f"{text}\n[engines]\nbot = 'touch started'\n", encoding="utf-8")
    assert 'unknown key "engines"' in sh("campaign", "-C", str(folder), "check").err
    assert started == []
    assert not list(sh.folder.rglob(MARK))


def test_a_record_starts_nothing(sh: Shell, started: list[list[str]]) -> None:
    """It is replayed, verified and analysed from its moves."""
    with allowed(sample()):
        record = resolve("strategy-war", seed=1, p1="engine:test")
    started.clear()
    file = sh.write("record.toml", dumps_record(record))
    assert sh("replay", file).code == sh("verify", file).code == 0
    odd = dumps_record(record).replace("engine:test", "engine:touch started")
    sh("replay", sh.write("odd.toml", odd))
    sh("analyse", file, "-n", "2")
    assert started == []
    assert not (sh.folder / MARK).exists()


def test_a_saved_battle_and_messages_start_nothing(sh: Shell, started: list[list[str]]) -> None:
    file = sh.write("battle.toml", BATTLE.format("human"))
    sent = sh("orders", "ask", file, "--save", "saved.battle.toml")
    assert sent.code == 0
    saved = sh.folder / "saved.battle.toml"
    answers = sh.write(
        "answers.txt", "york: engine:bot\ncommander = engine:bot\n--engine bot='touch started'\n"
    )
    sh("orders", "take", "saved.battle.toml", answers)
    text = saved.read_text(encoding="utf-8")
    saved.write_text(text.replace('commander = "regular"', 'commander = "engine:bot"'), encoding="utf-8")
    for command in (["orders", "status"], ["play"], ["orders", "ask"]):
        assert sh(*command, "saved.battle.toml").code in (1, 2, 3)
    assert started == []
    assert not (sh.folder / MARK).exists()


def test_a_configured_engine_needs_the_users_word(sh: Shell, started: list[list[str]]) -> None:
    """Another person's file does not run the user's engine until the user names the engine."""
    file = sh.write("battle.toml", BATTLE.format("engine:bot"))
    refused = sh("resolve", file)
    assert refused.code == 3
    assert (
        'engine "bot" may not run here; resolve, play, odds and match run it with --engine bot, '
        "and campaign fight with --side SIDE=engine:bot --engine bot" in refused.err
    )
    assert started == []
    assert sh("resolve", file, "--engine", "bot").code == 0
    assert sh("resolve", "strategy-war", "--side", "york=engine:bot", "--side", "lancaster").code == 0
    assert len(started) == 2


@settings(max_examples=30)
@given(st.text(UNICODE, max_size=40))
def test_no_commander_of_a_file_is_a_command(name: str) -> None:
    assert rank_error(f"engine:{name}")


def test_definitions_come_from_the_command_line_and_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        "[engines]\nbold = 'node bot.js --fast'\ncalm = ['my bot']\n"
        "[engines.deep]\ncommand = 'deep'\noptions = { level = 3 }\n",
        encoding="utf-8",
    )
    given_engines = read_definitions(["bold", "calm", "deep", "own=python 'my bot.py'"], str(config))
    assert list(given_engines.values()) == [
        Engine("bold", ["node", "bot.js", "--fast"]),
        Engine("calm", ["my bot"]),
        Engine("deep", ["deep"], {"level": 3}),
        Engine("own", ["python", "my bot.py"]),
    ]
    assert read_config(str(tmp_path / "missing.toml")) == {}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("bald", 'engine "bald" is not defined; did you mean "bold"'),
        ("Other Name=x", "--engine Other Name=x"),
        ("python3 bot.py", "write NAME='COMMAND'"),
        ("x=", "the command is empty"),
        ("x='", "cannot be split"),
    ],
)
def test_a_wrong_definition_is_refused(tmp_path: Path, text: str, error: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[engines]\nbold = 'bold'\n", encoding="utf-8")
    with pytest.raises(UsageError, match=error):
        read_definitions([text], str(config))


@pytest.mark.parametrize(
    "text",
    [
        "[engine]\n",
        "[engines]\nx = 3\n",
        "[engines]\nx = ''\n",
        "[engines]\nx = []\n",
        "[engines.x]\n",
        "[engines]\nX = 'x'\n",
    ],
)
def test_a_wrong_configuration_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text(text, encoding="utf-8")
    with pytest.raises(CardbattleError) as refused:
        read_config(str(config))
    assert "config.toml:" in str(refused.value)
