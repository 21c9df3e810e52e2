"""Write the error messages for command lines that are not valid, with a hint about the correct form.

The error classes of typer are recognised by their names, which are the same in all releases of typer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cardbattle.cli.options import as_rules
from cardbattle.cli.shell.partial_line import typed_line
from cardbattle.cli.shell.synonyms import suggest_commands, suggest_options
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.rules import RULE_SETS

PROGRAM = "cardbattle"


class UsageContext(NamedTuple):
    """A command line that is not valid: typer's error, the command and its full name, and all words typed."""

    error: Any
    command: Any
    path: str
    words: Sequence[str]
    root: Any

    @property
    def see(self) -> str:
        """The end of an error message, which says how to print the help of the command."""
        return f"; see {self.path} --help"


def usage_error_text(error: Exception, tokens: Sequence[str], root: Any) -> str:
    """Return one line that describes the error of a command line and the correct form."""
    line, context = typed_line(root, tokens), getattr(error, "ctx", None)
    command = line.command if context is None else context.command
    path = " ".join([PROGRAM, *line.path]) if context is None else context.command_path
    misuse = UsageContext(error, command, path, tokens, root)
    for name, message, describe in TOLD:
        if type(error).__name__ == name and message in getattr(error, "message", ""):
            return describe(misuse)
    text = misuse.error.format_message().replace("\n", " ").rstrip(".")
    return f"{text[:1].lower()}{text[1:]}{misuse.see}"


def unknown_option(misuse: UsageContext) -> str:
    name = str(misuse.error.option_name)
    if name == "-C":
        return f'option "-C" belongs after the word campaign, for example {PROGRAM} campaign -C DIR show'
    number = next((word for word in misuse.words if re.fullmatch("-[0-9]+", word)), "")
    if number.startswith(name) and any(param.metavar == "KEY=VALUE" for param in misuse.command.params):
        key = misuse.words[[*misuse.words].index(number) - 1]
        return (
            f"unknown option {quoted(number)}; to set a negative value: {PROGRAM} campaign set {key}={number}"
        )
    flags = [opt for option in options_of(misuse.command) for opt in (*option.opts, *option.secondary_opts)]
    begun = [opt for opt in flags if opt.startswith(name)]
    meant = begun or suggest_options(name, flags)
    hint = f"; did you mean {listed(map(quoted, meant), 'or')}?" if meant else nearest(name, flags)
    if not hint and any(
        name in candidate.opts for below in commands_below(misuse.command) for candidate in options_of(below)
    ):
        hint = f"; write the option after the command: {misuse.path} COMMAND {name}"
    return f"unknown option {quoted(name)}{hint or misuse.see}"


def options_of(command: Any) -> list[Any]:
    return [param for param in command.params if param.param_type_name == "option"]


def commands_below(command: Any) -> Iterator[Any]:
    """Yield all commands of a group, including those of nested groups."""
    for below in getattr(command, "commands", {}).values():
        yield below
        yield from commands_below(below)


def unknown_command(misuse: UsageContext) -> str:
    """Return the error message for an unknown command, with the command that the user probably meant."""
    word = typed_line(misuse.root, misuse.words).unknown or ""
    paths = [*command_paths(misuse.root, PROGRAM)]
    here = {path.removeprefix(f"{misuse.path} "): path for path in paths if path.startswith(misuse.path)}
    last = {path.rpartition(" ")[2]: path for path in paths}
    same = [path for path in paths if path.endswith(f" {word}")]
    meant = suggest_commands(misuse.path, word) or same or resolve_command_for(word)
    if word == "help":
        meant = [f"{misuse.path} --help"]
    meant = meant or nearest_path(word, here) or nearest_path(word, last)
    hint = f"; did you mean {listed(map(quoted, meant), 'or')}?" if meant else misuse.see
    return f"unknown command {quoted(word)}{hint}"


def nearest_path(word: str, paths: Mapping[str, str]) -> list[str]:
    """Return a list with the full name of the command nearest to a word, or an empty list."""
    hint = nearest(word, paths)
    return [path for name, path in paths.items() if hint == f'; did you mean "{name}"?']


def resolve_command_for(word: str) -> list[str]:
    """Return a list with `cardbattle resolve WORD` for a word that names a rule set or a battle file.

    The list is empty if the word names neither.
    """
    battle = as_rules(word)
    return [f"{PROGRAM} resolve {battle}"] if word.lower().endswith(".toml") or battle in RULE_SETS else []


def command_paths(command: Any, path: str) -> Iterator[str]:
    """Yield the full names of a group's commands."""
    for name, below in command.commands.items():
        if hasattr(below, "commands"):
            yield from command_paths(below, f"{path} {name}")
        yield f"{path} {name}"


def missing_word(misuse: UsageContext) -> str:
    """Return the error message for a missing argument or option."""
    parameter = misuse.error.param
    name = parameter.opts[-1] if parameter.param_type_name == "option" else parameter.metavar
    summary = str(getattr(parameter, "help", "") or "").rstrip(".")
    more = f": {summary[:1].lower()}{summary[1:]}" if summary else ""
    example, *_ = misuse.command.epilog.splitlines()
    return f"{name} is missing{more}; for example: {example}"


def too_many_words(misuse: UsageContext) -> str:
    """Return the error message for an unexpected argument."""
    match = re.search(r"arguments?(?:\(s\))? \((.*)\)$", misuse.error.message, re.DOTALL)
    takes = [
        param.metavar if param.nargs == 1 else f"{param.metavar}..."
        for param in misuse.command.params
        if param.param_type_name == "argument"
    ]
    more = f"{' '.join(takes)}, in quotes if it has spaces" if takes else "only options"
    return f"extra argument {quoted(match[1] if match else '')}; {misuse.path} takes {more}"


def without_value(misuse: UsageContext) -> str:
    """Return the error message for an option whose value is missing."""
    name = misuse.error.option_name
    [option] = [candidate for candidate in options_of(misuse.command) if name in candidate.opts]
    return f"{name} has no value; write {name} {option.metavar}{misuse.see}"


def with_a_value(misuse: UsageContext) -> str:
    """Return the error message for an option that takes no value but was given one."""
    name = misuse.error.option_name
    return f"{name} takes no value, got {quoted(option_value(misuse.words, [name]))}"


def option_value(tokens: Sequence[str], names: Sequence[str]) -> str:
    """Return the last value of an option with one of these names, or "" if it is not given."""
    latest = ""
    for word, after in zip(tokens, [*tokens[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if word in names:
            latest = after
        elif equals and name in names:
            latest = value
        elif word[:2] in names and not word.startswith("--"):
            latest = word[2:]
    return latest


def number_error(misuse: UsageContext) -> str:
    """Return the error message for a value that is not a whole number in the allowed range."""
    option = misuse.error.param
    least, most = (
        getattr(option, end, getattr(getattr(option, "type", None), end, None)) for end in ("min", "max")
    )
    bounds = f" from {least}" * (least is not None) + f" to {most}" * (most is not None)
    value = option_value(misuse.words, option.opts)
    return f"{option.opts[0]}: expected a whole number{bounds}, got {quoted(value)}"


TOLD: Sequence[tuple[str, str, Callable[[UsageContext], str]]] = [
    ("NoSuchOption", "", unknown_option),
    ("NoSuchCommand", "", unknown_command),
    ("UsageError", "No such command", unknown_command),
    ("UsageError", "unexpected extra", too_many_words),
    ("MissingParameter", "", missing_word),
    ("BadOptionUsage", "requires", without_value),
    ("BadOptionUsage", "not take a value", with_a_value),
    ("BadParameter", "", number_error),
]
