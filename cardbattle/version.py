"""The version of the program, and how it was built."""

from importlib.machinery import EXTENSION_SUFFIXES
from os import listdir, path

__version__ = "0.1.0"


def build_form() -> str:
    """Return whether the rules run compiled or interpreted, without loading a rule set."""
    core = listdir(path.join(path.dirname(__file__), "core"))
    is_compiled = any(
        name.startswith("battle.") and name.endswith(tuple(EXTENSION_SUFFIXES)) for name in core
    )
    return "compiled" if is_compiled else "interpreted"
