"""Commands whose options are grouped in help and converted without pydantic.

Newer releases of typer convert every parameter with pydantic, and importing pydantic takes longer than most
commands. This module converts texts, lists of texts and whole numbers. typer converts all other values, and
raises the errors for values that are not valid.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from typer.core import TyperCommand

OPTIONS = "Options"  # the default heading of an option
OUTPUT = "Output"  # the last heading


class PlainCommand(TyperCommand):
    """A command that converts its text parameters without pydantic, and whose help has headings.

    The heading of an option is its `rich_help_panel`.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments, including `--help`."""
        return list(map(without_pydantic, super().get_params(ctx)))

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
        """Return the converted value.

        Raises the errors of typer if the value is not valid.
        """
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
