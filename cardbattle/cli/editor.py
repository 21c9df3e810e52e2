"""Edit a text in the user's editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile

from cardbattle.core.errors import UsageError
from cardbattle.core.names import quoted

EDITORS = ("sensible-editor", "nano", "vi", "notepad")  # tried in this order without VISUAL and EDITOR


def edit_text(text: str) -> str:
    """Open a text in the user's editor, wait until the editor is closed, and return the edited text.

    Raises UsageError if no editor is found, if the editor fails, or if the text cannot be read afterwards.
    """
    command = editor_command()
    handle, path = tempfile.mkstemp(suffix=".txt", text=True)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        if subprocess.run([*command, path], check=False).returncode:
            raise UsageError(f"{quoted(command[0])} failed with an error; nothing is changed")
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"cannot edit with {quoted(command[0])}: {error}; set EDITOR to another editor"
        ) from None
    finally:
        os.unlink(path)


def editor_command() -> list[str]:
    """Return the command that starts the editor, as a list of words.

    The environment variable VISUAL or EDITOR names the command. Without both variables, the command is the
    first installed program of EDITORS.

    Raises UsageError if no editor is found.
    """
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    command = shlex.split(named, posix=os.name != "nt") if named else []
    installed = [name for name in EDITORS if shutil.which(name)]
    if not command and not installed:
        raise UsageError("no editor found; set the environment variable EDITOR to the command of an editor")
    return command or installed[:1]
