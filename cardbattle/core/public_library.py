"""The one import against the import rules: records, sessions and odds print, save and draw themselves.

These methods call functions of `cardbattle.library`, which depends on the display code. It is imported by
name when a method is called, so that no module below the library depends on it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library() -> Any:
    """Return the module `cardbattle.library`."""
    return import_module("cardbattle.library")
