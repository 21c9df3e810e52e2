"""The command table: every command is listed with the module that defines it and its true summary."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardbattle.cli.command_table import CAMPAIGN, CAMPAIGN_ADD, CAMPAIGN_ORDERS, ORDERS, PROGRAM, Commands
from cardbattle.cli.lazy_group import LazyCommands, summaries
from cardbattle.cli.root import command_line
from cardbattle.cli.shell.partial_line import is_option, typed_line


def listed(group: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield the path, the summary in the table and the command itself, for every command below a group."""
    for name, summary in summaries(group).items():
        command = group.commands[name]
        yield f"{path} {name}".strip(), summary, command
        if hasattr(command, "commands"):
            yield from listed(command, f"{path} {name}".strip())


@pytest.mark.parametrize(
    ("summary", "command"), [pytest.param(*rest, id=path) for path, *rest in listed(command_line())]
)
def test_a_summary_in_the_table_is_the_first_paragraph_of_the_commands_help(
    summary: str, command: Any
) -> None:
    assert " ".join(command.help.split("\n\n")[0].split()) == summary


@pytest.mark.parametrize(
    ("path", "command"), [pytest.param(path, command, id=path) for path, _, command in listed(command_line())]
)
def test_every_example_in_help_names_its_command_and_options_that_exist(path: str, command: Any) -> None:
    examples = command.epilog.splitlines()
    if hasattr(command, "commands"):
        return
    assert len(examples) >= (1 if path.startswith(("campaign", "demo", "config")) else 2)
    for example in examples:
        words = shlex.split(example.partition(" && ")[0])
        assert words[0] == "cardbattle"
        assert " ".join(words[1:]).startswith(path)
        for place, word in enumerate(words[1:]):
            if is_option(word):
                assert typed_line(command_line(), words[1 : place + 1]).option(word) is not None, example


def test_the_table_lists_every_registered_command() -> None:
    registered: dict[str, set[str]] = {}
    for table in (PROGRAM, CAMPAIGN, CAMPAIGN_ADD, CAMPAIGN_ORDERS, ORDERS):
        for name, entry in table.items():
            registered.setdefault(entry.module, set()).add(name)
    for place, names in registered.items():
        module, _, registry = place.partition(":")
        found = getattr(sys.modules[f"cardbattle.cli.{module}"], registry or "COMMANDS")
        assert registry.endswith("GROUP") or set(found.commands) == names, place


def test_looking_a_command_up_loads_no_other() -> None:
    table: Commands = {name: PROGRAM[name] for name in ("odds", "rules")}
    commands = LazyCommands(table)
    assert commands["rules"].name == "rules" and set(commands.loaded) == {"rules"}
    assert "odds" in commands and set(commands.loaded) == {"rules"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (
            ["--help"],
            {"cardbattle.cli.commands.battles", "cardbattle.campaign.state.model", "pydantic", "rich"},
        ),
        (["campaign", "--help"], {"cardbattle.cli.campaign.show", "pydantic", "rich"}),
        (["resolve", "--help"], {"cardbattle.cli.campaign", "pydantic", "rich"}),
        (
            ["resolve", "wargame", "--seed", "1", "--detail", "brief", "--format", "json"],
            {"pydantic", "rich"},
        ),
        (["odds", "wargame", "-n", "2", "-j", "1", "--json"], {"pydantic", "rich"}),
        (
            ["campaign", "-C", "campaigns/the-marches-1403", "standings", "--json"],
            {
                "cardbattle.campaign.exchange.order_book",
                "cardbattle.campaign.state.schema",
                "cardbattle.cli.shell.completion",
                "rich",
            },
        ),
        (
            ["campaign", "-C", "campaigns/the-marches-1403", "standings"],
            {
                "cardbattle.files.spreadsheet",
                "cardbattle.rules.field_of_honour.story",
                "cardbattle.show.writers.markdown",
                "cardbattle.story.story",
            },
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_imports_only_what_it_needs(arguments: list[str], unwanted: set[str]) -> None:
    script = (
        "import sys; from cardbattle.cli.app import run; run(sys.argv[1:]); "
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert sorted(unwanted & set(done.stderr.split())) == []
