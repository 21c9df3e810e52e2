"""Command lines that cannot be read: every mistake in our own words, with what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cardbattle.cli.app import command_line
from cardbattle.cli.misuse import PROGRAM, command_paths, options_of
from tests.test_cli import Shell
from tests.test_cli import sh as sh  # the same shell

THEIRS = (
    *("no such", "missing argument", "missing option", "unexpected", "invalid value", "requires an argument"),
    *("does not take", "input should", "possible option", "valid integer", "it should be", "failure"),
)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("resolv", 'command "resolv" is not known; did you mean "cardbattle resolve"?'),
        ("campaign shw", 'command "shw" is not known; did you mean "cardbattle campaign show"?'),
        ("campaign add forc", 'command "forc" is not known; did you mean "cardbattle campaign add force"?'),
        ("campaign odds", 'command "odds" is not known; did you mean "cardbattle odds"?'),
        ("report", 'command "report" is not known; did you mean "cardbattle campaign report"?'),
        (
            "check",
            'command "check" is not known; did you mean "cardbattle orders check" or '
            '"cardbattle campaign check"?',
        ),
        ("standing", 'command "standing" is not known; did you mean "cardbattle campaign standings"?'),
        ("Wargame", 'command "Wargame" is not known; did you mean "cardbattle resolve wargame"?'),
        ("ford.toml", 'command "ford.toml" is not known; did you mean "cardbattle resolve ford.toml"?'),
        ("campaign help", 'command "help" is not known; did you mean "cardbattle campaign --help"?'),
        ("campaign foo", 'command "foo" is not known; see cardbattle campaign --help'),
        ("resolve --sed 3", 'option "--sed" is not known; did you mean "--seed"?'),
        (
            "resolve --s 3",
            'option "--s" is not known; did you mean "--side", "--seed", "--set" or "--series"?',
        ),
        ("resolve wargame -qx", 'option "-x" is not known; see cardbattle resolve --help'),
        (
            "orders --json take",
            'option "--json" is not known; write it behind the command, as in: cardbattle orders COMMAND '
            "--json",
        ),
        ("resolve wargame --seed", "--seed has no value; write --seed N|TEXT; see cardbattle resolve --help"),
        ("campaign show -C", "-C has no value; write -C DIR; see cardbattle campaign show --help"),
        ("resolve wargame --quiet=yes", '--quiet takes no value, got "yes"'),
        ("resolve wargame --series many", '--series: expected a whole number from 1 to 1000, got "many"'),
        ("odds wargame -j 300", '--jobs: expected a whole number from 1 to 256, got "300"'),
        ("odds wargame -n0", '-n: expected a whole number from 1 to 1000000000, got "0"'),
        ("campaign note --turn=-1 x", '--turn: expected a whole number from 0, got "-1"'),
        ("campaign add faction X --points many", '--points: expected a whole number, got "many"'),
        (
            "campaign rename hal",
            "NEWKEY is missing: what it becomes; as in: cardbattle campaign rename hal henry",
        ),
        (
            "campaign adjust x=1",
            "--reason is missing: why; the ledger keeps it; as in: cardbattle campaign adjust "
            "forces.birch.strength=11 --reason reinforced",
        ),
        (
            "campaign add faction House York",
            '"York" is too much; cardbattle campaign add faction takes NAME, in quotes if it has spaces',
        ),
        ("campaign show a b", '"a b" is too much; cardbattle campaign show takes options alone'),
    ],
)
def test_a_command_line_that_cannot_be_read_says_what_would_be_right(
    typed: str, told: str, sh: Shell
) -> None:
    said = sh(*typed.split())
    assert said == (2, "", f"cardbattle: {told}\n")


def misuses(words: list[str], command: Any) -> Iterator[list[str]]:
    """Yield command lines of one command that cannot be read."""
    yield [*words, "--nonsense"]
    if not any(one.nargs < 0 for one in command.params):
        yield [*words, *"abcdefgh"]
    for option in options_of(command):
        name = option.opts[-1]
        if option.is_flag:
            yield [*words, f"{option.opts[0]}=1"]
        else:
            yield [*words, name]
        if getattr(option, "min", None) is not None:
            yield from ([*words, name, value] for value in ("many", str(option.min - 1)))


def test_no_mistake_in_any_command_line_is_told_in_the_words_of_a_library(sh: Shell) -> None:
    tried = 0
    for path in command_paths(command_line(), PROGRAM):
        words, command = path.split()[1:], command_line()
        for word in words:
            command = command.commands[word]
        if hasattr(command, "commands"):
            continue
        for wrong in misuses(words, command):
            said = sh(*wrong)
            tried += 1
            assert (said.code, said.out, said.err.count("\n")) == (2, "", 1), wrong
            assert not [one for one in THEIRS if one in said.err.lower()], said.err
            assert said.err.startswith("cardbattle: ")
    assert tried > 500
