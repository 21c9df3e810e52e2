"""Suggest words at the cursor for four shells, and install the script that a shell needs for completion.

A shell's script calls `cardbattle --complete=SHELL --word=WORD WORDS...` with the word at the cursor and the
words before it. (An older version of the program rejects the first option and does nothing.) The program
prints one suggestion per line. Errors are ignored, and only `--install-completion` writes files.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any, NamedTuple

from cardbattle.cli.shell.partial_line import typed_line
from cardbattle.cli.shell.suggestions import MOST_HELP, Suggestion, is_plain_suggestion, suggestions_for
from cardbattle.cli.streams import silence
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import clean, listed, quoted
from cardbattle.files import disk


def print_suggestions(arguments: Sequence[str], root: Any) -> None:
    """Print the suggestions at the cursor for a shell. After an error, nothing is printed."""
    silence(sys.stderr)
    warnings.simplefilter("ignore")
    try:
        shell = SHELLS[arguments[0].removeprefix("--complete=")]
        word = arguments[1].removeprefix("--word=")
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        sys.stdout.write(shell.answer(root, arguments[2:], word))
        sys.stdout.flush()
    except Exception:  # an error must not disturb a person who is typing
        silence(sys.stdout)


def answer_bash(root: Any, tokens: Sequence[str], word: str) -> str:
    """Return the suggestions for bash.

    Because bash splits words at each `=`, a suggestion has only the part after the last `=`.
    """
    whole = rejoin([*tokens, word])
    begun = whole.pop()
    suggestions = suggestions_for(typed_line(root, list(map(unquote, whole))), begun)
    start = begun.rfind("=") + 1
    return lines_of(suggestions, lambda offer: offer.value[start if offer.value != "/" else 0 :])


def rejoin(tokens: Sequence[str]) -> list[str]:
    """Join the words that bash split at `=`.

    >>> rejoin(["odds", "--side", "york", "=", "vet"]), rejoin(["--side", "york", "="])
    (['odds', '--side', 'york=vet'], ['--side', 'york='])
    """
    texts: list[str] = []
    for word in tokens:
        is_part = word == "=" or (texts and texts[-1].endswith("="))
        if is_part and texts:
            texts[-1] += word
        else:
            texts.append(word)
    return texts


def unquote(word: str) -> str:
    """Return a word without shell quotes. If a quote is not closed, the word is returned unchanged."""
    try:
        return "".join(shlex.split(word))
    except ValueError:
        return word


def answer_zsh(root: Any, tokens: Sequence[str], word: str) -> str:
    """Return the suggestions for zsh. Each line has a suggested word, a colon and help."""

    def described(offer: Suggestion) -> str:
        value = offer.value.replace("\\", "\\\\").replace(":", "\\:")
        return value if value == "/" else f"{value}:{short_help(offer)}"

    return lines_of(suggestions_for(typed_line(root, tokens), word), described)


def answer_with_tabs(root: Any, tokens: Sequence[str], word: str) -> str:
    """Return the suggestions for fish or PowerShell. Each line has a word, a tab and help."""

    def described(offer: Suggestion) -> str:
        return f"{offer.value}\t{short_help(offer)}".rstrip()

    return lines_of(suggestions_for(typed_line(root, tokens), word), described)


def lines_of(offers: Sequence[Suggestion], line: Callable[[Suggestion], str]) -> str:
    """Return a line for each suggestion. Suggestions that need quotes are left out."""
    return "".join(f"{line(offer)}\n" for offer in offers if is_plain_suggestion(offer))


def short_help(offer: Suggestion) -> str:
    """Return the help of a suggestion on one line, without control characters."""
    text = clean(" ".join(offer.help.split()))
    return text if len(text) <= MOST_HELP else f"{text[: MOST_HELP - 3]}..."


class ShellScript(NamedTuple):
    """The completion script of one shell.

    `ending` is the file extension of the script, and `answer` returns the suggestions for the shell. `places`
    returns the path of the script, and the path of the file that must load the script. The second path is ""
    if the shell loads the script by itself.
    """

    ending: str
    answer: Callable[[Any, Sequence[str], str], str]
    places: Callable[[], tuple[str, str]]


def places_bash() -> tuple[str, str]:
    """Return the path of bash's script, and of the file that loads it."""
    return data_place("bash"), os.path.expanduser("~/.bashrc")


def places_zsh() -> tuple[str, str]:
    """Return the path of zsh's script, and of the file that loads it."""
    return data_place("zsh"), os.path.join(os.environ.get("ZDOTDIR") or os.path.expanduser("~"), ".zshrc")


def places_fish() -> tuple[str, str]:
    """Return the path of fish's script, which fish loads by itself."""
    above = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(above, "fish", "completions", "cardbattle.fish"), ""


def places_powershell() -> tuple[str, str]:
    """Return the path of PowerShell's script, and of the profile that loads it.

    Raises InvalidInput if the folder of the profile is unknown.
    """
    program = shutil.which("pwsh") or shutil.which("powershell")
    command = [program or "pwsh", "-NoProfile", "-NonInteractive", "-Command", "$PROFILE"]
    try:
        profile = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        profile = ""
    if not profile:
        raise InvalidInput(
            "the location of PowerShell's profile is unknown; add to the profile the output of: "
            "cardbattle --show-completion --shell powershell"
        )
    return os.path.join(os.path.dirname(profile), "cardbattle-completion.ps1"), profile


def data_place(ending: str) -> str:
    """Return the path of a completion script with this extension in the user's data folder."""
    above = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(above, "cardbattle", f"completion.{ending}")


SHELLS = {
    "bash": ShellScript("bash", answer_bash, places_bash),
    "zsh": ShellScript("zsh", answer_zsh, places_zsh),
    "fish": ShellScript("fish", answer_with_tabs, places_fish),
    "powershell": ShellScript("ps1", answer_with_tabs, places_powershell),
}


def choose_shell(named: str) -> str:
    """Return the shell with this name.

    If the name is "", return the shell that runs the program. Raises UsageError, which lists the supported
    shells, if the shell is not supported.
    """
    name = named.lower() or running_shell()
    shell = {"pwsh": "powershell"}.get(name, name)
    if shell not in SHELLS:
        problem = f"unknown shell {quoted(name)}" if name else "the shell cannot be detected"
        raise UsageError(f"{problem}; name one with --shell: {listed(SHELLS, 'or')}")
    return shell


def running_shell() -> str:
    """Return the name of the shell that runs this program, or "" if it is unknown."""
    try:
        from shellingham import ShellDetectionFailure, detect_shell  # optional
    except ImportError:
        return os.path.basename(os.environ.get("SHELL", ""))
    try:
        return str(detect_shell()[0])
    except ShellDetectionFailure:
        return os.path.basename(os.environ.get("SHELL", ""))


def script_for(shell: str) -> str:
    name = f"cardbattle.{SHELLS[shell].ending}"
    return resources.files("cardbattle").joinpath("data", "completion", name).read_text(encoding="utf-8")


def install_script(shell: str) -> str:
    """Install the completion script of a shell, and return a sentence that says where it is.

    If the script is already installed, nothing changes. Raises SystemFailure if a file cannot be written, and
    InvalidInput if the folder of the script is unknown.
    """
    script, reader = SHELLS[shell].places()
    try:
        os.makedirs(os.path.dirname(script), exist_ok=True)
        disk.write_text(script, script_for(shell))
        if reader:
            add_source_line(reader, script, "." if shell == "powershell" else "source")
    except OSError as error:
        disk.refuse(error.filename or script, error)
    loaded_by = f", which {clean(reader)} loads" if reader else ""
    return f"completion for {shell} is installed in {clean(script)}{loaded_by}; open a new terminal to use it"


def add_source_line(reader: str, script: str, word: str) -> None:
    """Add a line that loads the script to the start-up file of a shell, unless the line is already there."""
    line = f"{word} '{script}'"
    content = ""
    if os.path.exists(reader):
        with open(reader, encoding="utf-8", errors="surrogateescape") as file:
            content = file.read()
    if line not in content.splitlines():
        os.makedirs(os.path.dirname(reader), exist_ok=True)
        with open(reader, "a", encoding="utf-8") as file:
            file.write(f"{'' if content.endswith(chr(10)) or not content else chr(10)}{line}\n")
