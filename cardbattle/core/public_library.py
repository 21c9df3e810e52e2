"""The one exception to the import rules: records, sessions and odds have methods of the library.

Methods such as printing, saving and drawing call `cardbattle.library`, which depends on the display code. It
is imported when such a method is called, so that no lower module depends on it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library() -> Any:
    """Return the module `cardbattle.library`."""
    return import_module("cardbattle.library")
