"""The program's door: answers `--version` at once, turns every error into its one line and code."""

from __future__ import annotations

import sys

from cardbattle import __version__


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"cardbattle {__version__} ({form()})\n")
        return
    from cardbattle.cli.app import run

    sys.exit(run(sys.argv[1:]))


def form() -> str:
    """Say whether the rules run compiled or interpreted; no rule set is loaded for it."""
    from importlib.machinery import EXTENSION_SUFFIXES
    from os import listdir, path

    core = listdir(path.join(path.dirname(__file__), "core"))
    is_compiled = any(
        name.startswith("battle.") and name.endswith(tuple(EXTENSION_SUFFIXES)) for name in core
    )
    return "compiled" if is_compiled else "interpreted"


if __name__ == "__main__":
    main()
