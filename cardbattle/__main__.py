"""The entry point.

The program prints `--version` without loading the command line. Every error is reported as one line and an
exit code.
"""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130
# The garbage collector runs less often: a short command never needs it, and a long ledger has millions of
# permanent objects.
THRESHOLDS = (200_000, 50, 100)

try:
    import gc
    import signal
    from types import FrameType

    from cardbattle.version import version_text
except KeyboardInterrupt:  # an import above can be interrupted
    os._exit(INTERRUPTED)


def leave(number: int, frame: FrameType | None) -> None:
    """Exit at once when the user presses Ctrl-C during startup.

    Nothing needs to be finished or reported then.
    """
    os._exit(INTERRUPTED)


def main() -> None:
    """Run the command on the command line, and exit with the exit code of the command."""
    is_interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_interruptible:
        signal.signal(signal.SIGINT, leave)
    gc.set_threshold(*THRESHOLDS)
    from cardbattle.cli import streams  # from here on, an interruption exits at once

    streams.replace_closed_streams()
    if sys.argv[1:] == ["--version"]:
        if not print_version():
            sys.exit(streams.abandon_output())
        return
    if sys.argv[1:] and sys.argv[1].startswith("--complete="):
        from cardbattle.cli.shell.command_tree import command_tree  # completion: without typer
        from cardbattle.cli.shell.completion import print_suggestions

        print_suggestions(sys.argv[1:], command_tree())
        return
    from cardbattle.cli.app import run  # imports typer, which is slow and not needed above

    code = INTERRUPTED
    try:
        if is_interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(sys.argv[1:])
        if is_interruptible:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the exit code is known, and all output is written
    except KeyboardInterrupt:
        pass
    gc.freeze()  # without this, Python searches all objects for cycles at exit, which takes 50 of 300 ms
    sys.exit(code)


def print_version() -> bool:
    """Print the version. Return True if this succeeds, and False if the output is closed."""
    try:
        sys.stdout.write(version_text())
        sys.stdout.flush()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
