"""The command line as a whole: its groups of commands, its errors, its exit codes."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import TextIOWrapper
from types import FrameType
from typing import Annotated, Any

import typer

from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.cli import campaign
from cardbattle.cli.campaign.fight import DEMO_COMMANDS
from cardbattle.cli.commands import analysis, balance, battles, odds, orders, reference
from cardbattle.cli.play import play
from cardbattle.cli.shell.diagnostics import complain
from cardbattle.cli.streams import broken_output, is_of_output, occupy, say, silence, wrapped_for
from cardbattle.core.errors import CardbattleError, Mistake, Refused, Remark
from cardbattle.core.names import clean
from cardbattle.files.errors import SystemRefused

app = typer.Typer(
    name="cardbattle",
    help="Resolve the minor battles of a tabletop campaign by card game, and keep the campaign's books.",
    epilog="Example: cardbattle resolve field-of-honour --seed 1403",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for group in (battles, play, odds, balance, analysis, reference):
    group.COMMANDS.add_to(app)
DEMO_COMMANDS.add_to(app)
app.add_typer(orders.orders)
app.add_typer(campaign.campaign)


def version_wanted(wanted: bool) -> None:
    """Print the version, if it is wanted, and raise Exit to stop."""
    if wanted:
        from cardbattle import __version__, build_form

        typer.echo(f"cardbattle {__version__} ({build_form()})")
        raise typer.Exit


@app.callback()
def cardbattle(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and stop.", callback=version_wanted, is_eager=True),
    ] = False,
    install_completion: Annotated[
        bool, typer.Option("--install-completion", help="Teach the shell's Tab key what may come next.")
    ] = False,
    show_completion: Annotated[
        bool, typer.Option("--show-completion", help="Print the script that teaches it.")
    ] = False,
    shell: Annotated[
        str,
        typer.Option(
            "--shell",
            metavar="SHELL",
            help="Which shell: bash, zsh, fish or powershell; else the one at hand.",
        ),
    ] = "",
) -> None:
    """Resolve the minor battles of a tabletop campaign by card game, and keep the campaign's books."""
    if install_completion or show_completion:
        tell_completion(shell, show_completion)
    campaign.help_instead(context)


def tell_completion(shell: str, is_only_shown: bool) -> None:
    """Install the script for a shell's Tab key, or only print it, and raise Exit to stop.

    UsageError if the shell is not known; errors as `teach`.
    """
    from cardbattle.cli.shell.completion import script_for, shell_at_hand, teach

    known = shell_at_hand(shell)
    sys.stdout.write(script_for(known) if is_only_shown else f"{teach(known)}\n")
    raise typer.Exit


@cache
def command_line() -> Any:
    """Return all commands with their options, built once."""
    return typer.main.get_command(app)


class Terminated(BaseException):
    """The system asked the program to stop."""


def terminate(number: int, frame: FrameType | None) -> None:
    """Raise Terminated: leave through the ordinary way out, so that nothing stays half-written."""
    raise Terminated


@contextmanager
def termination_heeded() -> Iterator[None]:
    """Raise Terminated in this block when the system asks the program to stop; then as before."""
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code; every error is told in one place, here."""
    occupy()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with termination_heeded():
            return flushed(carried_out(arguments))
    except KeyboardInterrupt:
        return 130
    except Terminated:
        return 143


def carried_out(arguments: list[str]) -> int:
    """Run one command and return the exit code; what it prints may still wait to be written."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = warn
            warnings.simplefilter("always", Remark)
            command = command_line()
            with command.make_context("cardbattle", list(arguments)) as context:
                command.invoke(context)
        return 0
    except typer.Exit as left:
        return left.exit_code
    except CardbattleError as error:
        return tell_error(error)
    except typer.Abort:
        return 130
    except BrokenPipeError:
        return broken_output()
    except OSError as error:
        return tell_refusal(error)
    except Exception as error:  # the contract's last line: never a traceback
        return tell_usage(error, arguments)


def flushed(code: int) -> int:
    """Write out all that was printed and return the exit code; 6 if nobody takes it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return code or broken_output()
    except OSError as error:
        return code or tell_refusal(error)
    return code


def tell_refusal(error: OSError) -> int:
    """Print why the system refused, with its exit code."""
    from cardbattle.files import disk

    who = "standard output cannot be written" if is_of_output(error) else "the system refused"
    broken_output()
    return tell_error(SystemRefused(f"{who}: {disk.reason(error)}"))


def warn(message: Warning | str, *where: object, **more: object) -> None:
    """Print a warning as one line on standard error."""
    say(wrapped_for(sys.stderr, f"cardbattle: warning: {clean(str(message))}") + "\n")


def tell_error(error: CardbattleError) -> int:
    """Print an error, one line for each mistake with its source line and caret; return its code."""
    if isinstance(error, NeedsUmpire):
        for conflict in error.conflicts:
            complain(Mistake(conflict.text))
            show_beside(conflict)
        return error.exit_code
    for mistake in error.mistakes if isinstance(error, Refused) else [Mistake(str(error))]:
        complain(mistake)
    return error.exit_code


def show_beside(conflict: Conflict) -> None:
    """Print both versions of what is in conflict beside each other."""
    if conflict.beside:
        from cardbattle.show.console import console
        from cardbattle.show.document import Document, Table
        from cardbattle.show.writers.terminal import to_terminal

        table = Table(conflict.beside[0], conflict.beside[1:])
        try:
            to_terminal(Document("conflict", [table], {}), console(sys.stderr))
        except OSError:
            silence(sys.stderr)


def tell_usage(error: Exception, arguments: list[str]) -> int:
    """Print what is wrong with a command line, or an unexpected failure; return the exit code for it.

    Raise the error itself if its traceback is wanted.
    """
    if not hasattr(error, "format_message"):
        if os.environ.get("CARDBATTLE_TRACEBACK"):
            raise error
        said = f"{type(error).__name__}: {error}"
        complain(Mistake(f"unexpected failure: {said[:300]}; set CARDBATTLE_TRACEBACK=1 to see where"))
        return 1
    from cardbattle.cli.shell.usage_errors import misuse_told

    complain(Mistake(misuse_told(error, arguments)))
    return int(getattr(error, "exit_code", 2))
