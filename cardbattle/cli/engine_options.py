"""The options that decide which engines a command can run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import IO, TYPE_CHECKING, NamedTuple

from cardbattle.cli import options
from cardbattle.cli.run import option_group
from cardbattle.commanders import is_engine
from cardbattle.engines.log import format_line
from cardbattle.files import disk
from cardbattle.files.settings import config_file

if TYPE_CHECKING:
    from cardbattle.engines.host import EngineHost
    from cardbattle.engines.process import LogLine


@option_group
class EngineOptions(NamedTuple):
    """The engines that can run, their time limit for each answer, and the log file of their messages."""

    engine: options.Engines = None
    engine_time: options.EngineTime = 10_000
    engine_log: options.EngineLog = ""

    @contextmanager
    def allow(self, sides: Sequence[str] | None) -> Iterator[EngineHost | None]:
        """Allow the engines of `--engine`, and of `--side KEY=engine:NAME`, to run in the `with` block.

        The block gets the host that runs the engines, or None if no engine is allowed. An engine that only
        the battle file names is refused. Raises UsageError if an engine has no definition.
        """
        given = [*(self.engine or []), *engines_of_sides(sides or [], self.engine or [])]
        if not given:
            yield None
            return
        from cardbattle.engines.definitions import read_definitions  # only needed with engines
        from cardbattle.engines.description import Clock
        from cardbattle.engines.host import EngineHost, engines_allowed

        definitions = read_definitions(given, config_file())
        with (
            open_log(self.engine_log) as log,
            engines_allowed(EngineHost(definitions, Clock(self.engine_time / 1000), log)) as host,
        ):
            yield host


def engines_of_sides(sides: Sequence[str], given: Sequence[str]) -> list[str]:
    """Return the names of the engines that `--side` names and that `--engine` does not define.

    `sides` are the values of `--side`, and `given` are those of `--engine`.

    >>> engines_of_sides(["york=engine:bold", "lancaster=green"], [])
    ['bold']
    """
    defined = [text.partition("=")[0] for text in given]
    commanders = [side.partition("=")[2] for side in sides]
    names = [name.partition(":")[2] for name in commanders if is_engine(name)]
    return [name for name in dict.fromkeys(names) if name not in defined]


@contextmanager
def open_log(file: str) -> Iterator[LogLine]:
    """Open a log file, and give the `with` block a function that writes one line to it.

    Each line begins with the seconds since the log was opened. If `file` is "", the function writes nothing.

    Raises SystemFailure if the file cannot be written.
    """
    if not file:
        yield lambda line: None
        return
    began = monotonic()
    try:
        log: IO[str] = open(file, "w", encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        disk.refuse(file, error)
    with log:

        def write(line: str) -> None:
            log.write(format_line(line, began))
            log.flush()

        yield write
