"""Load plug-ins: objects that other installed packages provide through entry points."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, TypeVar

from cardbattle.core.names import quoted

if TYPE_CHECKING:
    from collections.abc import Collection
    from importlib.metadata import EntryPoint

Kind = TypeVar("Kind")
API_VERSION = 1  # of the interface in `cardbattle.plugin`; raised when old plug-ins would no longer work
FIRST_API_VERSION = 1  # of a plug-in that names no version, so that raising API_VERSION refuses it


class PlugInWarning(UserWarning):
    """A plug-in cannot be used; the program continues without it."""


def load_all(group: str, kind: type[Kind], reserved: Collection[str]) -> dict[str, Kind]:
    """Return the usable plug-ins of a group by name; each other one causes a warning."""
    from importlib.metadata import entry_points  # slow to import, and most commands need no plug-in

    entries = sorted(entry_points(group=group), key=lambda entry: entry.name)
    loaded = {entry.name: load(entry, kind, reserved) for entry in entries}
    return {name: plug_in for name, plug_in in loaded.items() if plug_in is not None}


def load(entry: EntryPoint, kind: type[Kind], reserved: Collection[str]) -> Kind | None:
    """Return the object of an entry point, or None with a warning if anything goes wrong."""
    try:
        plug_in = entry.load()
        if not isinstance(plug_in, kind):
            raise TypeError(f"{entry.value} is not a {kind.__name__}")
        version = getattr(plug_in, "api_version", FIRST_API_VERSION)
        if version != API_VERSION:
            raise ValueError(f"it needs plug-in API {version}, this cardbattle has {API_VERSION}")
        if entry.name in reserved or getattr(plug_in, "key", entry.name) != entry.name:
            raise ValueError(f"the name {quoted(entry.name)} is taken, or is not its key")
    except (Exception, SystemExit) as error:  # an error in a plug-in must not stop the program
        reason = f"{type(error).__name__}: {error}"
        warnings.warn(f"the plug-in {entry.name} cannot be used: {reason}", PlugInWarning, stacklevel=2)
        return None
    return plug_in
