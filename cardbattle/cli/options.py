"""Arguments and options that have the same meaning in every command, and checks of their values."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from typing import Annotated

import typer

from cardbattle.campaign.state.paths import campaign_of
from cardbattle.cli.parameters import argument, option
from cardbattle.core.errors import Remark, UsageError
from cardbattle.core.names import clean, has_unfit, listed, quoted, rule_set_key_of, unknown_word
from cardbattle.core.telling import BRIEF, DETAILS, ENGLISH, STORY, TALE
from cardbattle.files import reader
from cardbattle.files.disk import refuse_missing_folder
from cardbattle.files.errors import SystemFailure
from cardbattle.files.settings import read_settings


def as_key(text: str) -> str:
    return text.lower()


def as_keys(texts: list[str] | None) -> list[str] | None:
    """Return texts of the form KEY or KEY=VALUE in lower case, or None for None."""
    return texts and [text.lower() for text in texts]


def as_settings(texts: list[str] | None) -> list[str] | None:
    """Return texts of the form SIDE.OPTION=VALUE with SIDE and OPTION in lower case. VALUE is not changed."""
    parts = [text.partition("=") for text in texts or []]
    return [f"{path.lower()}{equals}{value}" for path, equals, value in parts]


def is_file(battle: str) -> bool:
    """Return True if the argument names a file, and False if it names a rule set.

    A file is `-` (standard input), a name that ends with .toml, a path with a slash, or an existing file. The
    name of an existing folder can be a rule set, such as a plug-in beside its package.
    """
    return (
        battle == "-"
        or battle.endswith((".toml", ".TOML"))
        or "/" in battle
        or "\\" in battle
        or (os.path.exists(battle) and not (os.path.isdir(battle) and is_rule_set(battle)))
    )


def is_rule_set(name: str) -> bool:
    """Return True if a rule set has this key or alias."""
    from cardbattle.rules import ALIASES, RULE_SETS, plug_ins  # only needed for a folder of this name

    return name in RULE_SETS or name in ALIASES or name in plug_ins()


def as_rules(text: str) -> str:
    """Return the key of a rule set for its name, such as `Field of Honour`.

    The name of a file is returned unchanged.

    >>> as_rules("Field of Honour"), as_rules("Shrewsbury.toml")
    ('field-of-honour', 'Shrewsbury.toml')
    """
    return text if is_file(text) else rule_set_key_of(text)


BATTLE, REPORT, OUTPUT, PERFORMANCE = "Battle", "Report", "Output", "Performance"  # headings in help
Battle = Annotated[
    str,
    argument("RULES|BATTLE.toml", "A rule set, a battle file, or - for standard input.", callback=as_rules),
]
Rules = Annotated[str, argument("RULES", "A rule set.", callback=as_rules)]
RecordFile = Annotated[str, argument("RECORD.toml", "A record, or - for standard input.")]
Sides = Annotated[
    list[str] | None,
    option(
        "--side KEY[=COMMANDER]",
        "With a rule set: add a side. With a battle file: set a side's commander. Repeatable.",
        callback=as_keys,
        panel=BATTLE,
    ),
]
Settings = Annotated[
    list[str] | None,
    option(
        "--set SIDE.OPTION=VALUE",
        "Set a side option, or a house rule with house.OPTION=VALUE. Repeatable.",
        callback=as_settings,
        panel=BATTLE,
    ),
]
PresetName = Annotated[
    str,
    option("--preset PRESET", "Use the house rules of a preset: literal, balanced or sample.", panel=BATTLE),
]
Engines = Annotated[
    list[str] | None,
    option(
        "--engine NAME[=COMMAND]",
        "Allow the engine NAME to run. COMMAND starts the engine. Without COMMAND, the "
        "configuration file must define the engine. Repeatable.",
        panel=BATTLE,
    ),
]
EngineTime = Annotated[
    int,
    option(
        "--engine-time N",
        "Time limit of an engine for each decision, in milliseconds.",
        min=10,
        max=86_400_000,
        panel=PERFORMANCE,
    ),
]
EngineLog = Annotated[
    str,
    option(
        "--engine-log FILE",
        "Write all messages to and from engines to FILE. The messages reveal the hands of the "
        "engines' sides.",
        callback=lambda context, parameter, path: validate_output(context, parameter, path),
        panel=OUTPUT,
    ),
]
Folder = Annotated[
    str,
    option(
        "-C DIR",
        "Folder of the campaign.  "
        "[default: the working directory, or the nearest folder above it that has a campaign]",
    ),
]
Json = Annotated[bool, option("--json", "Same as --format json.", panel=OUTPUT)]
Detail = Annotated[
    str,
    option(
        "--detail LEVEL",
        "Level of detail: brief, story, log, or audit (log that cites rules).  "
        "[default: log; story for md and chat formats]",
        show_default=False,
        panel=REPORT,
    ),
]
Lang = Annotated[
    str,
    option(
        "--lang LANG",
        "Language of stories, brief output and reports: de or en.",
        callback=as_key,
        panel=REPORT,
    ),
]
For = Annotated[
    str,
    option(
        "--for SIDE",
        "Show only what this side may know.  [default: everything]",
        callback=as_key,
        panel=REPORT,
    ),
]
Seed = Annotated[
    str,
    option(
        "--seed N|TEXT",
        "Random seed: a whole number or any text.  [default: from the battle file, or random]",
        panel=BATTLE,
    ),
]


def validate_text(parameter: typer.CallbackParam, text: str) -> str:
    """Return the text. Raises UsageError if it contains control or format characters."""
    if has_unfit(text):
        raise UsageError(
            f"{parameter.opts[-1]}: expected text without control or format characters, got {quoted(text)}"
        )
    return text


def strip_text(parameter: typer.CallbackParam, text: str) -> str:
    """Return the text without spaces around it, so that a blank text counts as missing.

    Raises UsageError if the text contains control or format characters.
    """
    return validate_text(parameter, text).strip()


def validate_texts(parameter: typer.CallbackParam, texts: list[str] | None) -> list[str] | None:
    """Return the texts. Raises UsageError if a text contains control or format characters."""
    for text in texts or ():
        if has_unfit(text):
            raise UsageError(f"expected text without control or format characters, got {quoted(text)}")
    return texts


def validate_lines(parameter: typer.CallbackParam, texts: list[str]) -> list[str]:
    """Return the texts, which can have line breaks.

    Raises UsageError if a text contains other control or format characters.
    """
    validate_texts(parameter, [text.replace("\n", " ") for text in texts])
    return texts


def validate_output(context: typer.Context, parameter: typer.CallbackParam, path: str) -> str:
    """Return the path of an output file unchanged.

    Raises UsageError if the path on the command line is empty, or if the program keeps the file in a
    campaign, as it keeps campaign.toml or a record. Raises SystemFailure if the path is a folder or its
    folder does not exist.
    """
    refuse_empty(context, parameter, path, "name a file")
    folder = campaign_of(path) if path not in ("", "-") else ""
    if folder:
        raise UsageError(
            f"{parameter.opts[-1]} {clean(path)}: this file belongs to the campaign in {clean(folder)}; "
            "choose another file"
        )
    refuse_missing_folder(path)
    if os.path.isdir(path):
        raise SystemFailure(f"{clean(path)} cannot be written: it is a folder; name a file in it")
    return path


def validate_folder(context: typer.Context, parameter: typer.CallbackParam, path: str) -> str:
    """Return the path of a folder unchanged. Raises UsageError if the path on the command line is empty."""
    refuse_empty(context, parameter, path, "name a folder")
    return path


def refuse_empty(context: typer.Context, parameter: typer.CallbackParam, path: str, remedy: str) -> None:
    """Raise UsageError if a path on the command line is empty, as that of an unset variable in a script."""
    source = context.get_parameter_source(parameter.name or "")
    if not path and source is not None and source.name == "COMMANDLINE":
        is_option = parameter.param_type_name == "option"
        name, kind = (parameter.opts[-1], "option") if is_option else (parameter.metavar, "argument")
        raise UsageError(f"{name} has an empty value; {remedy}, or leave out the {kind}")


Output = Annotated[
    str,
    option(
        "--output -o FILE",
        "Write the output to FILE (- for standard output).",
        callback=validate_output,
        panel=OUTPUT,
    ),
]
SaveFile = Annotated[
    str,
    option(
        "--save FILE.battle.toml",
        "File in which to save the battle.  [default: ID.battle.toml in the current folder]",
        callback=validate_output,
    ),
]
Quiet = Annotated[bool, option("--quiet -q", "Print results only, no messages.", panel=OUTPUT)]
Verbose = Annotated[
    bool,
    option("--verbose -v", "Print additional messages, such as the run time.", panel=OUTPUT),
]


def default_jobs(jobs: int | None) -> int | None:
    """Return the value of --jobs. Without --jobs, return the value in the user's settings, or None."""
    return read_settings().jobs if jobs is None else jobs


Jobs = Annotated[
    int | None,
    option(
        "--jobs -j N",
        "Number of worker processes.  [default: one per CPU]",
        min=1,
        max=256,
        callback=default_jobs,
        panel=PERFORMANCE,
    ),
]
Scheduler = Annotated[
    str,
    option(
        "--scheduler ADDRESS",
        "Run on a dask cluster with this scheduler, such as tcp://host:8786.",
        panel=PERFORMANCE,
    ),
]
Teach = Annotated[bool, option("--teach", "Explain each kind of decision the first time it comes up.")]
AtTable = Annotated[bool, option("--table", "Record a battle played with real cards.")]
FullScreen = Annotated[bool, option("--screen", "Play on the full screen (needs the package textual).")]
NoColor = Annotated[bool, option("--no-color", "Print without colours.", panel=OUTPUT)]


def one_of(word: str, names: list[str], option: str) -> str:
    """Return the word if it is one of `names`.

    Raises UsageError if the word is not in `names`. The error suggests a similar name, or lists all names.
    """
    if word not in names:
        raise UsageError(f"{option}: {unknown_word('value', word, names)}")
    return word


def with_plug_in_format(formats: Sequence[str], name: str, path: str) -> tuple[str, ...]:
    """Return `formats`, and also the plug-in's format that --format or the extension of `path` selects.

    `name` is the value of --format, or "".

    Plug-ins are loaded only if the command can write Markdown and the name or extension is not built in.
    """
    ending = os.path.splitext(path)[1].lower()
    format_of_file = "plain" if ending in ("", ".toml") else ENDINGS.get(ending)
    is_built_in = name.lower() in formats if name else format_of_file in formats
    if is_built_in or "md" not in formats:
        return tuple(formats)
    from cardbattle.show.writers.formats import plug_ins  # slow to import, and rarely needed

    for key, writer in plug_ins().items():
        if name.lower() == key or (not name and writer.ending == ending):
            ENDINGS.update({writer.ending: key} if writer.ending else {})
            return (*formats, key)
    return tuple(formats)


def read_format(name: str, is_json: bool, formats: tuple[str, ...]) -> str:
    """Return the format that --format (`name`) or --json (`is_json`) selects.

    Raises UsageError, which lists `formats`, if the command does not have the format, or if both options are
    given and differ.
    """
    if is_json and name.lower() not in (formats[0], "json"):
        raise UsageError("--json and --format contradict each other; leave out one")
    return "json" if is_json else one_of(name.lower(), list(formats), "--format")


ENDINGS: dict[str, str] = {
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".csv": "csv",
    ".json": "json",
    ".txt": "plain",
}

FOREIGN = (
    *(".pdf", ".doc", ".docx", ".odt", ".rtf", ".epub", ".xls", ".xlsx", ".ods"),
    *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".zip", ".gz", ".svg"),
    *(".xml", ".tsv", ".yaml", ".yml"),
)  # extensions of formats that no command writes with -o


def read_output(path: str, formats: tuple[str, ...], is_asked: bool, toml_file: str = "") -> str:
    """Return the path of -o unchanged. If `is_asked` is True, --format or --json names the format.

    In the error message, `toml_file` precedes the extensions of the formats.

    Raises UsageError if the extension belongs to a format that the program or the command cannot write.
    """
    ending = os.path.splitext(path)[1].lower()
    form = ENDINGS.get(ending)
    if form in (*formats, "plain") or (ending not in FOREIGN and (form is None or is_asked)):
        return path
    endings = endings_of(formats)
    page = (
        "; to get a PDF, print the .html file from a browser"
        if ending == ".pdf" and ".html" in endings
        else ""
    )
    listed_endings = f"{toml_file}{listed(endings, 'or')}"
    raise UsageError(f"-o {clean(path)}: cannot write {ending}; write to {listed_endings}{page}")


def endings_of(formats: Sequence[str]) -> list[str]:
    """Return the extensions that select one of the formats."""
    can_write = (*formats, "plain") if "text" in formats else formats
    return [ending for ending, form in ENDINGS.items() if form in can_write and ending != ".htm"]


def unexpected_text(path: str, formats: Sequence[str]) -> str:
    """Return a hint if the extension of an output file does not say that it is plain text, or "".

    >>> unexpected_text("odds.txt", ("text", "md")), unexpected_text("odds", ("text", "md"))
    ('', '')
    >>> unexpected_text("odds.toml", ("text", "md"))
    'odds.toml is plain text; for another format, add --format, or write to .md or .txt'
    """
    if os.path.splitext(path)[1].lower() in ("", *ENDINGS):
        return ""
    endings = listed(endings_of(formats), "or")
    return f"{clean(path)} is plain text; for another format, add --format, or write to {endings}"


def ending_of(path: str) -> str:
    """Return the format that the extension of a file selects, or "" if it selects none."""
    return next((form for ending, form in ENDINGS.items() if path.lower().endswith(ending)), "")


def form_of(path: str, formats: tuple[str, ...]) -> str:
    """Return the format of an output file, which is one of `formats`.

    The extension of the file selects the format. If `formats` does not contain that format, the result is the
    format `plain`, or the first format if `formats` does not contain `plain` either.
    """
    named = "toml" if path.lower().endswith(".toml") else ending_of(path) or "plain"
    return named if named in formats else "plain" if "plain" in formats else formats[0]


STORY_FORMS = ("md", "obsidian", "discord", "bbcode")  # formats whose default detail is a story


def read_detail(word: str, form: str, lang: str = ENGLISH) -> int:
    """Return the level of --detail: BRIEF, STORY, TALE (log) or AUDIT.

    Without --detail, return the default level of the format.

    Raises UsageError if the level is unknown, or if the program cannot write that level in the language
    `lang`.
    """
    if not word:
        return STORY if form in STORY_FORMS or lang != ENGLISH else TALE
    detail = DETAILS[one_of(word.lower(), list(DETAILS), "--detail")]
    if lang != ENGLISH and detail not in (BRIEF, STORY):
        raise UsageError("--lang: the log and the audit exist only in English; use --detail brief or story")
    return detail


def read_viewer(side: str, seats: list[str]) -> int | None:
    """Return the seat that --for names, or None for the umpire.

    `seats` are the keys of the sides. Raises UsageError, which suggests a similar key or lists all keys, if
    `side` is not one of them.
    """
    return seats.index(one_of(side, seats, "--for")) if side else None


def read_seed(text: str) -> int | str | None:
    """Return the seed of --seed, or None for a random seed.

    Warns if a number is read as text. Raises UsageError for a whole number below 0 or above 2**63 - 1, and
    for a text of over 200 characters.
    """
    if not text:
        return None
    if re.fullmatch("[0-9]{20,}|[0-9]+[.,][0-9]+", text):
        warning = f"--seed {clean(text)} is read as text; a number is whole, from 0 to {reader.MOST_SEED}"
        warnings.warn(warning, Remark, stacklevel=2)
    try:
        return reader.expect_seed(int(text) if re.fullmatch("-?[0-9]{1,19}", text) else text)
    except ValueError as error:
        raise UsageError(f"--seed: {error}") from None


def read_per_cent(text: str, option: str) -> float:
    """Convert a percentage to a share between 0 and 1: `1%` gives 0.01, and `0.5` gives 0.005.

    Raises UsageError if the text is not a percentage.
    """
    digits = text.removesuffix("%")
    parts = digits.split(".")
    if len(parts) <= 2 and all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        share = float(digits) / 100
        if 0 < share < 1:
            return share
    raise UsageError(f"{option} {quoted(text)}: expected more than 0% and less than 100%, such as 1%")


def settings_with(settings: list[str] | None, preset: str) -> list[str]:
    """Return the values of --set. If --preset is given, `house.preset=PRESET` comes first."""
    return [*([f"house.preset={preset}"] if preset else []), *(settings or [])]
