"""The entry point: answers `--version` at once, and turns every error into one line and an exit code."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130
# A long ledger has millions of permanent objects: run the garbage collector less often.
THRESHOLDS = (50_000, 50, 100)

try:
    import gc
    import signal
    from types import FrameType

    from cardbattle import __version__, build_form
except KeyboardInterrupt:  # possible from the first import that Python has not loaded itself
    os._exit(INTERRUPTED)


def leave(number: int, frame: FrameType | None) -> None:
    """Exit at once: during startup there is nothing to finish or to report."""
    os._exit(INTERRUPTED)


def main() -> None:
    """Run the command line and exit with its code."""
    is_interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_interruptible:
        signal.signal(signal.SIGINT, leave)
    gc.set_threshold(*THRESHOLDS)
    from cardbattle.cli import streams  # from here on, an interruption exits at once

    streams.replace_closed_streams()
    if sys.argv[1:] == ["--version"]:
        print_version()
        return
    if sys.argv[1:] and sys.argv[1].startswith("--complete="):
        from cardbattle.cli.shell.command_tree import command_tree  # completion: without typer
        from cardbattle.cli.shell.completion import print_suggestions

        print_suggestions(sys.argv[1:], command_tree())
        return
    from cardbattle.cli.app import run  # typer, which the answers above do without

    code = INTERRUPTED
    try:
        if is_interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(sys.argv[1:])
        if is_interruptible:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the exit code is known, and all output is written
    except KeyboardInterrupt:
        pass
    gc.freeze()  # otherwise Python searches all objects for cycles at exit: 50 of 300 ms
    sys.exit(code)


def print_version() -> None:
    """Print the version; exit if the output is closed."""
    from cardbattle.cli.streams import abandon_output  # see `main`

    try:
        sys.stdout.write(f"cardbattle {__version__} ({build_form()})\n")
        sys.stdout.flush()
    except OSError:
        sys.exit(abandon_output())


if __name__ == "__main__":
    main()
