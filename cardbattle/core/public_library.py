"""The one import that points up the layers: records, sessions and odds print, save and draw themselves.

These methods call functions of `cardbattle.library`, which knows pages and files. It is imported by name when
a method is called, so that nothing below the library depends on it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library() -> Any:
    """Return the module `cardbattle.library`."""
    return import_module("cardbattle.library")
