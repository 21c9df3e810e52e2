"""Parse text, lists of text and whole numbers without pydantic.

Newer releases of typer convert every parameter with pydantic, and importing pydantic takes longer than most
commands. Plain values need no conversion; everything else, errors included, stays with typer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typer.core import TyperCommand


class PlainCommand(TyperCommand):
    """A command whose text parameters are not converted by pydantic."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments, `--help` included."""
        return list(map(without_pydantic, super().get_params(ctx)))


class PlainConverter:
    """Converts one parameter's value; stands in for the converter that typer would build.

    Attributes:
        typers_converter: typer's own method that builds its converter.

    """

    def __init__(self, typers_converter: Callable[[], Any]) -> None:
        self.typers_converter = typers_converter

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value as the command expects it; typer's errors if it is not valid."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        annotation = param.type_descriptor.annotation
        if annotation is str and isinstance(value, str):
            return value
        if annotation == list[str] and isinstance(value, list | tuple):
            return list(value)
        if annotation is int and is_whole(value, param.type_descriptor.parameter_info):
            return int(value)
        return self.typers_converter().coerce(value, param=param, ctx=ctx)


def is_whole(value: Any, bounds: Any) -> bool:
    """Return True if a value is written as a whole number of up to 18 digits within an option's bounds."""
    if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 18):
        return False
    number = int(value)
    return (bounds.min is None or number >= bounds.min) and (bounds.max is None or number <= bounds.max)


def without_pydantic(parameter: Any) -> Any:
    """Return typer's parameter with a converter that avoids pydantic.

    A parameter of a typer that converts in another way is left as it is.
    """
    if hasattr(parameter, "get_runtime_param") and "get_runtime_param" not in vars(parameter):
        converter = PlainConverter(parameter.get_runtime_param)
        parameter.get_runtime_param = lambda: converter
    return parameter
