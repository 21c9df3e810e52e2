"""Build commands from functions, and print the documents that these functions show.

If the type of a function's parameter is an option group, the command has all options of the group. A
`Printer` parameter gives the command the output options. An option therefore means the same in every command.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from inspect import Parameter, Signature, signature
from io import StringIO
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_type_hints

import typer

from cardbattle.campaign.turn.estimate import Announce
from cardbattle.cli import options
from cardbattle.cli.output import announcer, bar, message, progress, write_file
from cardbattle.cli.parameters import PlainCommand, option
from cardbattle.core.names import listed
from cardbattle.files.settings import read_settings
from cardbattle.show.cards import signs_fit

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from cardbattle.show.document import Document

ALL = ("text", "plain", "json", "md", "html")  # formats of every document
WITH_NUMBERS = (
    "text",
    "plain",
    "json",
    "csv",
    "md",
    "html",
)  # formats of documents that have a table for a spreadsheet
POSTS = ("discord", "bbcode", "obsidian")  # formats for posts to players

T = TypeVar("T", bound=Callable[..., None])


GROUPS: list[type] = []
G = TypeVar("G", bound=type)


def option_group(group: G) -> G:
    """Return the class unchanged, after registering it as an option group that command functions can use."""
    GROUPS.append(group)
    return group


@option_group
class BattleOptions(NamedTuple):
    """The options that describe a battle: a battle file or a rule set, and changes to the battle."""

    battle: options.Battle
    side: options.Sides = None
    seed: options.Seed = ""
    setting: options.Settings = None
    preset: options.PresetName = ""

    @property
    def settings(self) -> list[str]:
        """The values of --set. If --preset is given, `house.preset=PRESET` comes first."""
        return options.settings_with(self.setting, self.preset)


@option_group
class WorkOptions(NamedTuple):
    """The options for simulations, which set the number of worker processes, or a Dask scheduler."""

    jobs: options.Jobs = None
    scheduler: options.Scheduler = ""

    def workforce(self, here: bool = False) -> AbstractContextManager[tuple[Executor, int]]:
        """Return a context manager that yields an executor and its number of workers.

        If `here` is True, the executor runs in this process. Otherwise it is a worker pool or a Dask cluster.

        Raises the errors of `simulation.workers.workforce`.
        """
        from cardbattle.simulation.workers import workforce  # slow to import; only needed for many battles

        return workforce(1) if here else workforce(self.jobs, self.scheduler)


class PrintOptions(NamedTuple):
    """The output options of the command line."""

    output: options.Output = ""
    format: str = ""  # its help differs from command to command
    json: options.Json = False
    quiet: options.Quiet = False
    verbose: options.Verbose = False
    no_color: options.NoColor = False


class Printer:
    """Writes the result of a command in the requested format to a file or the screen.

    If --format or --json names the format, `is_asked` is True. Otherwise the extension of the output file
    selects the format. Without a file, the format is the one in the user's settings, if the command can print
    both this format and Markdown. If the settings have no usable format, the format is `text` at a terminal,
    and otherwise the first one of the command.
    """

    def __init__(self, print_options: PrintOptions, formats: Sequence[str], toml_file: str = "") -> None:
        self.formats = options.with_plug_in_format(formats, print_options.format, print_options.output)
        self.is_asked = bool(print_options.format or print_options.json)
        self.asked = options.read_format(
            print_options.format or self.formats[0], print_options.json, self.formats
        )
        if not self.is_asked and not print_options.output:
            setting = read_settings().format if "md" in self.formats else ""
            if setting in self.formats:
                self.asked = setting
            elif "text" in self.formats and sys.stdout.isatty():
                self.asked = "text"
        self.path = options.read_output(print_options.output, self.formats, self.is_asked, toml_file)
        self.quiet = print_options.quiet
        self.verbose = print_options.verbose
        self.no_color = print_options.no_color
        self.message_folder = ""  # for a file of each message to a player

    @property
    def is_file(self) -> bool:
        return self.path not in ("", "-")

    @property
    def form(self) -> str:
        """The format in which the document is written, chosen as the description of the class says."""
        return options.form_of(self.path, self.formats) if self.is_file and not self.is_asked else self.asked

    @property
    def is_for_people(self) -> bool:
        """Whether people will read the output: not with --quiet, json or csv."""
        return not self.quiet and self.form not in ("json", "csv")

    def show(self, document: Document) -> None:
        """Write a document to the output file.

        Without an output file, print the document. Raises SystemFailure if the file cannot be written.
        """
        if self.is_file:
            write_file(self.path, self.parts(document), self.quiet)
            if not self.is_asked and self.form in ("text", "plain"):
                self.hint(options.unexpected_text(self.path, self.formats))
        elif self.form == "text":
            from cardbattle.show.console import console  # slow to import; only needed for printing
            from cardbattle.show.writers.terminal import to_terminal

            to_terminal(document, console(sys.stdout, False if self.no_color else None))
        else:
            sys.stdout.writelines(self.parts(document))

    def as_text(self, document: Document) -> str:
        return "".join(self.parts(document))

    def parts(self, document: Document) -> Iterator[str]:
        """Yield the text of a document in the output format, piece by piece."""
        if self.form == "text":
            return iter([plain_text(document)])
        from cardbattle.show.writers.formats import parts  # slow to import; not needed for the format text

        return parts(document, self.form, self.is_file or signs_fit(sys.stdout.encoding))

    def message(self, text: str) -> None:
        """Print a message on standard error, unless --quiet is set."""
        message(text, self.quiet)

    def hint(self, text: str) -> None:
        """Print a hint on standard error, unless the text is empty or --quiet is set."""
        if text:
            self.message(f"hint: {text}")

    def remark(self, text: str) -> None:
        """Print an additional message on standard error if --verbose is set."""
        if self.verbose:
            message(text)

    @staticmethod
    def no_bar() -> AbstractContextManager[Callable[[float, int], None]]:
        """Return a progress bar that shows nothing."""
        return bar(quiet=True)

    def bar(self, label: str = "battles") -> AbstractContextManager[Callable[[float, int], None]]:
        """Open a progress bar on standard error, unless --quiet is set."""
        return bar(self.quiet, label)

    def progress(
        self, label: str, announce: Announce | None = None
    ) -> AbstractContextManager[Callable[[float, int], None]]:
        """Open a progress bar, or print lines of progress if standard error is not a terminal."""
        return progress(self.quiet, label, announce)

    def announcer(self, hint: str) -> Announce:
        """Return a function that prints the remaining time, which it gets in seconds, and the hint."""
        return announcer(self.quiet, hint)


def plain_text(document: Document) -> str:
    """Return a document as text without colours in 80 columns."""
    from cardbattle.show.console import PIPE_WIDTH, console  # slow to import; only needed for printing
    from cardbattle.show.writers.terminal import to_terminal

    page = StringIO()
    to_terminal(document, console(page, False, PIPE_WIDTH))
    return page.getvalue()


class CommandGroup:
    """The commands that one module defines, by name."""

    def __init__(self) -> None:
        self.commands: dict[str, tuple[str, Callable[..., None]]] = {}

    def command(
        self, examples: str, formats: Sequence[str] = (), called: str = "", toml_file: str = ""
    ) -> Callable[[T], T]:
        """Return a decorator that registers a command.

        `examples` are command lines for the help, one on each line. `formats` are the output formats of the
        command. `called` is the name of the command. The default is the name of the function without
        `_command`. If the command can also write a TOML file, `toml_file` begins its list of file endings in
        an error message.
        """

        def register(function: T) -> T:
            name = called or function.__name__.removesuffix("_command")
            self.commands[name] = (examples, expand_options(function, formats, toml_file))
            return function

        return register

    def build(self, name: str) -> Any:
        examples, function = self.commands[name]
        app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        app.command(name, cls=PlainCommand, epilog=examples)(function)
        return typer.main.get_command(app)


def expand_options(
    function: Callable[..., None], formats: Sequence[str], toml_file: str = ""
) -> Callable[..., None]:
    """Return a command function in which every group parameter is replaced with the options of the group."""
    hints = get_type_hints(function, include_extras=True)
    parameters: list[Parameter] = []
    groups: dict[str, tuple[type, list[str]]] = {}
    for parameter in signature(function).parameters.values():
        kind = hints[parameter.name]
        if kind is Printer or kind in GROUPS:
            expanded = fields_of(PrintOptions if kind is Printer else kind, formats)
            groups[parameter.name] = (kind, [option.name for option in expanded])
            parameters += expanded
        else:
            parameters.append(parameter.replace(annotation=kind, kind=Parameter.KEYWORD_ONLY))

    def run(**arguments: object) -> None:
        values = {
            name: build_group(kind, {field: arguments.pop(field) for field in fields}, formats, toml_file)
            for name, (kind, fields) in groups.items()
        }
        began = monotonic()
        function(**arguments, **values)
        for value in values.values():
            print_timing(value, monotonic() - began)

    run.__doc__ = function.__doc__
    run.__name__ = function.__name__
    run.__annotations__ = {option.name: option.annotation for option in parameters}
    vars(run)["__signature__"] = Signature(parameters)
    return run


def print_timing(value: object, seconds: float) -> None:
    """Print the run time and the output format of a command, if --verbose is set."""
    if isinstance(value, Printer):
        value.remark(f"done in {seconds:.1f} s, format {value.form}")


def fields_of(group: type, formats: Sequence[str]) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    if group is PrintOptions:
        hints["format"] = format_option(formats)
    defaults: Mapping[str, object] = vars(group)["_field_defaults"]
    return [
        Parameter(
            field, Parameter.KEYWORD_ONLY, default=defaults.get(field, Parameter.empty), annotation=hint
        )
        for field, hint in hints.items()
    ]


def format_option(formats: Sequence[str]) -> object:
    default = formats[0]
    if "text" in formats and default != "text":
        default = f"text at a terminal, {default} elsewhere"
    text = f"{listed(formats, 'or')}.  [default: {default}, or from the file's extension]"
    return Annotated[str, option("--format FORMAT", text, panel=options.OUTPUT)]


def build_group(
    kind: type, fields: Mapping[str, object], formats: Sequence[str], toml_file: str = ""
) -> object:
    """Return an option group of the type `kind` that contains the values of its options."""
    if kind is Printer:
        return Printer(PrintOptions(**fields), formats, toml_file)  # type: ignore[arg-type]
    return kind(**fields)
