"""Open the file of a battle in progress, and replace it atomically after changes."""

from __future__ import annotations

import os

from cardbattle.battles.records.file_kinds import expect_kind
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import is_of_table, is_session, read_session, session_text
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import as_typed, clean
from cardbattle.files import disk
from cardbattle.files.toml import parse_toml, read_bytes

MOST = 4_000_000  # maximum size of the file in bytes


class SavedText:
    """A text file that only this program should change.

    `written` is the content that the program last read from the file or wrote to it. It is empty for a new
    file.
    """

    def __init__(self, path: str, written: bytes = b"") -> None:
        self.path = path
        self.written = written

    def write(self, text: str) -> None:
        """Replace the text of the file atomically.

        Raises InvalidInput if another program has changed the file, and SystemFailure if the file cannot be
        written.
        """
        if self.written and not (os.path.exists(self.path) and disk.has_content(self.path, self.written)):
            raise InvalidInput(
                f"{clean(self.path)}: another program has changed it meanwhile; nothing was written"
            )
        disk.write_text(self.path, text)
        self.written = text.encode()


class SavedSession:
    """A battle in progress that was read from a file, and the content of this file."""

    def __init__(self, path: str, session: Session, written: bytes) -> None:
        self.path = path
        self.session = session
        self.file = SavedText(path, written)

    def keep(self) -> None:
        """Write the battle to its file. Raises the same errors as `SavedText.write`."""
        self.file.write(session_text(self.session))


def open_saved(path: str) -> SavedSession:
    """Open the file of a battle in progress. Raises InvalidInput for any other file."""
    written = read_bytes(path, MOST)
    source = parse_toml(clean(path), written)
    if is_of_table(source.data):
        text = f"{clean(path)} is a battle with real cards"
        raise InvalidInput(f"{text}; go on with: cardbattle play {as_typed(path)}")
    if not is_session(source.data):
        expect_kind(source, "battle")
        text = f"{clean(path)} is a battle that has not begun"
        raise InvalidInput(f"{text}; begin it with: cardbattle orders ask {as_typed(path)}")
    try:
        session = read_session(source.data, os.path.dirname(path))
    except InvalidInput as refused:
        source.refuse(refused.errors)
    return SavedSession(path, session, written)
