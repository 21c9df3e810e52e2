"""The version of the program, and how it was built."""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from os import listdir, path

__version__ = "1.0.0"


def version_text() -> str:
    """Return the line that `--version` prints.

    The line has the version of the program, how it was built, the version of Python and the operating system.
    """
    python = ".".join(map(str, sys.version_info[:3]))
    return f"cardbattle {__version__} ({build_form()}), Python {python} on {sys.platform}\n"


def build_form() -> str:
    """Return whether the rules run compiled or interpreted, without loading a rule set."""
    core = listdir(path.join(path.dirname(__file__), "core"))
    is_compiled = any(
        name.startswith("battle.") and name.endswith(tuple(EXTENSION_SUFFIXES)) for name in core
    )
    return "compiled" if is_compiled else "interpreted"
