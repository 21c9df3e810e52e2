"""The program's door: answers `--version` at once, turns every error into its one line and code."""

from __future__ import annotations

import sys

from cardbattle import __version__, form


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"cardbattle {__version__} ({form()})\n")
        return
    from cardbattle.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
