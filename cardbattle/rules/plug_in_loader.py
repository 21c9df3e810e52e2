"""Load plug-ins, which are objects that other installed packages provide as entry points."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, TypeVar

from cardbattle.core.names import quoted

if TYPE_CHECKING:
    from collections.abc import Collection
    from importlib.metadata import EntryPoint

Kind = TypeVar("Kind")
API_VERSION = 1  # the version of `cardbattle.plugin`; increased when old plug-ins stop working
FIRST_API_VERSION = 1  # the version of a plug-in that names none


class PlugInWarning(UserWarning):
    """A plug-in cannot be used. The program continues without the plug-in."""


def load_all(group: str, kind: type[Kind], reserved: Collection[str]) -> dict[str, Kind]:
    """Return the usable plug-ins of an entry point group, by name. Each unusable plug-in causes a warning."""
    from importlib.metadata import entry_points  # slow to import, and most commands do not need plug-ins

    entries = sorted(entry_points(group=group), key=lambda entry: entry.name)
    loaded = {entry.name: load(entry, kind, reserved) for entry in entries}
    return {name: plug_in for name, plug_in in loaded.items() if plug_in is not None}


def load(entry: EntryPoint, kind: type[Kind], reserved: Collection[str]) -> Kind | None:
    """Load the object of an entry point. If anything goes wrong, print a warning and return None."""
    try:
        plug_in = entry.load()
        if not isinstance(plug_in, kind):
            raise TypeError(f"{entry.value} is not a {kind.__name__}")
        version = getattr(plug_in, "api_version", FIRST_API_VERSION)
        if version != API_VERSION:
            raise ValueError(f"it needs plug-in API {version}, this cardbattle has {API_VERSION}")
        if entry.name in reserved or getattr(plug_in, "key", entry.name) != entry.name:
            raise ValueError(f"the name {quoted(entry.name)} is taken, or differs from the plug-in's key")
    except (Exception, SystemExit) as error:  # an error in a plug-in must not stop the program
        reason = f"{type(error).__name__}: {error}"
        warnings.warn(f"the plug-in {entry.name} cannot be used: {reason}", PlugInWarning, stacklevel=2)
        return None
    return plug_in
