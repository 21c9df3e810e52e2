"""Invalid command lines: every error is in the program's own words, with a correction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cardbattle.cli.root import command_line
from cardbattle.cli.shell.synonyms import COMMANDS, OPTIONS, TOPICS
from cardbattle.cli.shell.usage_errors import PROGRAM, command_paths, options_of
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

THEIRS = (
    *("no such", "missing argument", "missing option", "unexpected", "invalid value", "requires an argument"),
    *("does not take", "input should", "possible option", "valid integer", "it should be", "failure"),
)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("resolv", 'unknown command "resolv"; did you mean "cardbattle resolve"?'),
        ("campaign shw", 'unknown command "shw"; did you mean "cardbattle campaign show"?'),
        ("campaign add forc", 'unknown command "forc"; did you mean "cardbattle campaign add force"?'),
        ("campaign odds", 'unknown command "odds"; did you mean "cardbattle campaign show --odds"?'),
        ("campaign resolve", 'unknown command "resolve"; did you mean "cardbattle campaign fight"?'),
        (
            "fight",
            'unknown command "fight"; did you mean "cardbattle resolve" or "cardbattle campaign fight"?',
        ),
        ("odds wargame --battles 5", 'unknown option "--battles"; did you mean "-n"?'),
        ("campaign add force x --at y", 'unknown option "--at"; did you mean "--place"?'),
        ("campaign add battle x --at y", 'unknown option "--at"; did you mean "--place" or "--stakes"?'),
        ("campaign show --folder x", 'unknown option "--folder"; did you mean "-C"?'),
        ("help plugins", 'there is no help on "plugins"; did you mean "plug-ins"?'),
        ("help library", 'there is no help on "library"; did you mean "python"?'),
        ("help scripts", 'there is no help on "scripts"; did you mean "scripting"?'),
        ("report", 'unknown command "report"; did you mean "cardbattle campaign report"?'),
        (
            "check",
            'unknown command "check"; did you mean "cardbattle orders check", '
            '"cardbattle engine check", "cardbattle cases check" or "cardbattle campaign check"?',
        ),
        ("standing", 'unknown command "standing"; did you mean "cardbattle campaign standings"?'),
        ("Wargame", 'unknown command "Wargame"; did you mean "cardbattle resolve wargame"?'),
        ("ford.toml", 'unknown command "ford.toml"; did you mean "cardbattle resolve ford.toml"?'),
        ("campaign help", 'unknown command "help"; did you mean "cardbattle campaign --help"?'),
        ("campaign foo", 'unknown command "foo"; see cardbattle campaign --help'),
        ("resolve --sed 3", 'unknown option "--sed"; did you mean "--seed"?'),
        (
            "resolve --s 3",
            'unknown option "--s"; did you mean "--side", "--seed", "--set" or "--series"?',
        ),
        (
            "campaign set factions.york.points -15",
            'unknown option "-15"; to set a negative value: cardbattle campaign set factions.york.points=-15',
        ),
        ("resolve wargame -qx", 'unknown option "-x"; see cardbattle resolve --help'),
        (
            "orders --json take",
            'unknown option "--json"; write the option after the command: cardbattle orders COMMAND --json',
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
            "NEWKEY is missing: the new key; for example: cardbattle campaign rename hal henry",
        ),
        (
            "campaign adjust x=1",
            "--reason is missing: reason, stored in the ledger; for example: cardbattle campaign adjust "
            "forces.birch.strength=11 --reason reinforced",
        ),
        (
            "campaign add faction House York",
            'extra argument "York"; cardbattle campaign add faction takes NAME, in quotes if it has spaces',
        ),
        ("campaign show a b", 'extra argument "a b"; cardbattle campaign show takes only options'),
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


@pytest.mark.slow
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


def below(group: str) -> Any:
    """Return a group of commands."""
    command = command_line()
    for name in group.split()[1:]:
        command = command.commands[name]
    return command


@pytest.mark.parametrize("group", COMMANDS)
def test_every_other_name_of_a_command_suggests_it(group: str, sh: Shell) -> None:
    """And is the name of no command of the group itself."""
    known = [*command_paths(command_line(), PROGRAM)]
    for meant, others in COMMANDS[group].items():
        words = [word for word in f"{group} {meant}".split() if not word.startswith("-")]
        assert " ".join(words) in known
        for option in set(f"{group} {meant}".split()) - set(words):
            [command] = [one for path, one in every_command() if path == " ".join(words)]
            assert any(option in one.opts for one in options_of(command))
        for word in others.split():
            assert word not in below(group).commands
            code, _, said = sh(*group.split()[1:], word)
            assert code == 2
            assert f'unknown command "{word}"; did you mean ' in said
            assert f'"{group} {meant}"' in said


def every_command() -> list[tuple[str, Any]]:
    """Return every command with its path. Groups are left out."""
    found = []
    for path in command_paths(command_line(), PROGRAM):
        command = below(path)
        if not hasattr(command, "commands"):
            found.append((path, command))
    return found


@pytest.mark.slow
def test_every_other_name_of_an_option_suggests_it(sh: Shell) -> None:
    """In every command that has the option, unless the name is, or begins, one that it has."""
    tried = 0
    for path, command in every_command():
        known = [opt for one in options_of(command) for opt in (*one.opts, *one.secondary_opts)]
        for option, others in OPTIONS.items():
            for name in others.split() if option in known else ():
                if not any(opt.startswith(name) for opt in known):
                    code, _, said = sh(*path.split()[1:], name, "x")
                    assert (code, f'unknown option "{name}"; did you mean ' in said) == (2, True)
                    assert f'"{option}"' in said, (path, name, said)
                    tried += 1
    assert tried > 500


def test_every_name_of_a_help_topic_suggests_it(sh: Shell) -> None:
    for topic, others in TOPICS.items():
        assert sh("help", topic)[0] == 0
        for name in others.split():
            code, out, said = sh("help", name)
            if code:  # some are commands or rule sets as well
                assert f'; did you mean "{topic}"?' in said, name
            else:
                assert out
