"""Parse an incomplete command line to find the command, and the kind of word that comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class TypedLine:
    """The words before the cursor, parsed in the same way as the complete command line.

    Attributes:
        path: the names of the commands so far.
        unknown: the first word in the place of a command that is not a command, or None.
        given: the words of each option and argument, by metavar.
        awaited: the option whose value comes next, or None.

    """

    root: Any
    command: Any
    given: dict[str, list[str]] = field(default_factory=dict)
    awaited: Any = None
    arguments: int = 0
    path: list[str] = field(default_factory=list)
    unknown: str | None = None
    has_ended: bool = False  # True after --, which ends the options

    def take(self, word: str) -> None:
        if self.awaited is not None:
            self.note(self.awaited, word)
            self.awaited = None
        elif word == "--" and not self.has_ended:
            self.has_ended = True
        elif is_option(word) and not self.has_ended:
            self.take_option(word)
        elif hasattr(self.command, "commands"):
            self.take_command(word)
        else:
            self.take_argument(word)

    def take_command(self, word: str) -> None:
        """Parse a word in the place of a command's name."""
        if word in self.command.commands:
            self.path.append(word)
            self.command = self.command.commands[word]
        elif self.unknown is None:
            self.unknown = word

    @property
    def is_known(self) -> bool:
        """Whether all commands on the line so far exist."""
        return self.unknown is None

    def take_option(self, word: str) -> None:
        """Parse an option, which can contain its value, as in `--side=york` or `-Cwar`."""
        name, equals, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
        option = self.option(name)
        if option is None or not takes_value(option):
            return
        if equals:
            self.note(option, value)
        else:
            self.awaited = option

    def take_argument(self, word: str) -> None:
        argument = self.next_argument()
        self.arguments += 1
        if argument is not None:
            self.note(argument, word)

    def note(self, parameter: Any, word: str) -> None:
        """Store a word as a value of an option or argument."""
        self.given.setdefault(str(parameter.metavar or ""), []).append(word)

    def option(self, name: str) -> Any:
        """Return the option of the command with this name, or None if it has no such option."""
        return next(
            (option for option in self.options() if name in (*option.opts, *option.secondary_opts)), None
        )

    def options(self) -> list[Any]:
        """Return the options of the command on the line, except hidden ones."""
        return [
            param for param in self.command.params if param.param_type_name == "option" and not param.hidden
        ]

    def next_argument(self) -> Any:
        """Return the argument to which the next word belongs, or None if no argument can follow."""
        arguments = [param for param in self.command.params if param.param_type_name == "argument"]
        if self.arguments < len(arguments):
            return arguments[self.arguments]
        return arguments[-1] if arguments and arguments[-1].nargs < 0 else None

    def first_argument(self, *metavars: str) -> str:
        """Return the first word given for one of these metavars, or "". Earlier metavars take precedence."""
        return next((self.given[metavar][0] for metavar in metavars if self.given.get(metavar)), "")


def is_option(word: str) -> bool:
    """Return True if a word is an option. The name `-` for standard input is not an option."""
    return word.startswith("-") and len(word) > 1


def takes_value(option: Any) -> bool:
    return not (option.is_flag or option.count)


def typed_line(root: Any, tokens: Sequence[str]) -> TypedLine:
    """Return the result of parsing complete words, beginning at the root command."""
    line = TypedLine(root, root)
    for word in tokens:
        line.take(word)
    return line
