"""Commands whose options are grouped in help and converted without pydantic.

Newer releases of typer convert every parameter with pydantic, and importing pydantic takes longer than most
commands. This module converts texts, lists of texts and whole numbers. typer converts all other values, and
raises the errors for values that are not valid.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import typer
from typer.core import TyperCommand

from cardbattle.campaign.state.paths import is_same_file
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean

OPTIONS = "Options"  # the default heading of an option
OUTPUT = "Output"  # the last heading


def option(names: str, help: str, *, panel: str | None = None, **settings: Any) -> Any:
    """Return an option of a command. `names` has its names and its metavar, such as `--output -o FILE`."""
    words = names.split()
    flags = [word for word in words if word.startswith("-")]
    metavar = " ".join(words[len(flags) :]) or None
    return typer.Option(*flags, metavar=metavar, help=help, rich_help_panel=panel, **settings)


def argument(metavar: str, help: str, **settings: Any) -> Any:
    return typer.Argument(metavar=metavar, help=help, **settings)


class PlainCommand(TyperCommand):
    """A command that converts its text parameters without pydantic, and whose help has headings.

    The heading of an option is its `rich_help_panel`.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments, including `--help`."""
        return list(map(without_pydantic, super().get_params(ctx)))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse a command line.

        Raises UsageError if an output file is also an input file, or the file of another output option.
        """
        remaining: list[str] = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            refuse_shared_files(self.params, ctx.params)
        return remaining

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options under their headings."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], OPTIONS: []}
        *parameters, help_option = self.get_params(ctx)
        for parameter in parameters:
            is_argument = parameter.param_type_name == "argument"
            heading = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None) or OPTIONS
            sections.setdefault(heading, []).append(help_row(parameter, ctx))
        last = OUTPUT if OUTPUT in sections else OPTIONS
        sections[last] = [*sections.pop(last), help_row(help_option, ctx)]
        for heading, rows in sections.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples at the end of the help."""
        write_epilog(self.epilog or "", formatter)


SAVE = "--save"  # can name the battle that is continued
WRITTEN = (
    "-o",
    "--record",
    "--engine-log",
    "--results",
    "--resume",
    SAVE,
)  # options that name an output file
IS_FILE = re.compile(r"FILE|\.toml")  # in the metavar of an argument or option that names a file


def refuse_shared_files(parameters: list[Any], values: dict[str, Any]) -> None:
    """Raise UsageError if a command would write to a file that it also reads, or two outputs to one file."""
    written = [(option, path) for option, path in files_in(parameters, values) if option in WRITTEN]
    read = [path for option, path in files_in(parameters, values) if option not in WRITTEN]
    for option, path in written:
        if option != SAVE and any(is_same_file(path, other) for other in read):
            raise UsageError(f"{option} {clean(path)}: the command reads this file; choose another file")
    for (option, path), (other, other_path) in combinations(written, 2):
        if os.path.realpath(path) == os.path.realpath(other_path):
            raise UsageError(f"{option} and {other} name the same file, {clean(path)}; choose another file")


def files_in(parameters: list[Any], values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each file on a command line, with the option that names it, such as `-o`, or its metavar.

    Devices such as `/dev/null` are left out.
    """
    for parameter in parameters:
        option = next((word for word in parameter.opts if word in WRITTEN), str(parameter.metavar))
        value = values.get(parameter.name)
        if IS_FILE.search(str(parameter.metavar)):
            for path in [value] if isinstance(value, str) else value or ():
                if path not in ("", "-") and (os.path.isfile(path) or not os.path.exists(path)):
                    yield option, path


def help_row(parameter: Any, ctx: Any) -> tuple[str, str]:
    """Return a pair for the help: the name of a parameter with its metavar, and its description."""
    name, text = parameter.get_help_record(ctx)
    text = re.sub(r"(\d+)<=x<=(\d+)", r"\1 to \2", text).replace("]  [", "; ")
    return name.partition(" <")[0], re.sub(r"x>=(\d+)", r"\1 or more", text)


def write_epilog(epilog: str, formatter: Any) -> None:
    """Write the end of a help page, which is a list of examples, or a paragraph."""
    if epilog.startswith("cardbattle "):
        with formatter.section("Examples"):
            formatter.write("".join(f"  {line}\n" for line in epilog.splitlines()))
    elif epilog:
        formatter.write_paragraph()
        formatter.write_text(epilog)


class PlainConverter:
    """Converts the value of one parameter instead of the converter that typer would build.

    Attributes:
        typers_converter: the method of typer that builds its own converter.

    """

    def __init__(self, typers_converter: Callable[[], Any]) -> None:
        self.typers_converter = typers_converter

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the converted value. Raises the errors of typer if it is not valid."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        annotation = param.type_descriptor.annotation
        if annotation in (str, int) and type(value) is annotation:
            return value
        if annotation == list[str] and isinstance(value, list | tuple):
            return list(value)
        if annotation is int and is_whole(value, param.type_descriptor.parameter_info):
            return int(value)
        return self.typers_converter().coerce(value, param=param, ctx=ctx)


def is_whole(value: Any, bounds: Any) -> bool:
    """Return True if a text is a whole number of up to 18 digits within the bounds of an option."""
    if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 18):
        return False
    number = int(value)
    return (bounds.min is None or number >= bounds.min) and (bounds.max is None or number <= bounds.max)


def without_pydantic(parameter: Any) -> Any:
    """Return a parameter of typer with a converter that does not use pydantic.

    If this version of typer converts values in another way, the parameter is returned unchanged.
    """
    if hasattr(parameter, "get_runtime_param") and "get_runtime_param" not in vars(parameter):
        converter = PlainConverter(parameter.get_runtime_param)
        parameter.get_runtime_param = lambda: converter
    return parameter
