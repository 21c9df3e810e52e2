"""Import `cardbattle.library` from a lower module, which the import rules do not allow otherwise.

Records, sessions and odds have methods that print them, save them or draw charts. These methods call
functions in `cardbattle.library`, which imports the display code. They import the library only when they are
called, so that importing a lower module does not load the display code.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library() -> Any:
    """Import and return the module `cardbattle.library`."""
    return import_module("cardbattle.library")
