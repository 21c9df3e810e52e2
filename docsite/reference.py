"""The reference of the library and of plug-ins: each public name, for mkdocstrings to document."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import isclass, isfunction

import cardbattle
from cardbattle import plugin


def pages() -> dict[str, str]:
    """Return the reference pages by their place on the site."""
    library = [getattr(cardbattle, name) for name in cardbattle.__all__]
    plug_ins = [getattr(plugin, name) for name in plugin.__all__ if name not in cardbattle.__all__]
    return {
        "reference/library.md": "# Library reference\n\nThe public names of the package `cardbattle`. "
        "[The guide](../library.md) shows how to use them.\n" + sections(library),
        "reference/plug-ins.md": "# Plug-in reference\n\nThe names of `cardbattle.plugin`. "
        "[The library](library.md) describes those that it shares. "
        "[Extending cardbattle](../extending.md) has a sample of each kind of plug-in.\n"
        + sections(plug_ins),
    }


def sections(members: Iterable[object]) -> str:
    """Return the functions, classes and exceptions among some objects, under headings."""
    groups: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for member in members:
        if isfunction(member):
            groups["Functions"].append(f"{member.__module__}.{member.__name__}")
        elif isclass(member):
            kind = "Errors" if issubclass(member, Exception) else "Classes"
            groups[kind].append(f"{member.__module__}.{member.__qualname__}")
    return "".join(
        f"\n## {heading}\n\n" + "".join(f"::: {name}\n\n" for name in sorted(set(names)))
        for heading, names in groups.items()
        if names
    )
