"""An error in a player's message, which the umpire and the player read in different words."""

from __future__ import annotations

from cardbattle.core.errors import Diagnostic
from cardbattle.files.errors import PlacedDiagnostic


class MessageError(PlacedDiagnostic):
    """An error in a player's message.

    `text` is what the umpire reads. `player_text` is what the player reads: `text` without the umpire's
    commands, and without an example of the form that the message to the player has. It is "" if the remedy
    is only a command. `is_settled` is True if there is nothing that the player could correct.
    """

    def __init__(
        self,
        text: str,
        player_text: str,
        *,
        file: str = "",
        line: int = 0,
        column: int = 0,
        source: str = "",
        is_settled: bool = False,
    ) -> None:
        super().__init__(text, file=file, line=line, column=column, source=source)
        self.player_text = player_text
        self.is_settled = is_settled


def player_text(error: Diagnostic) -> str:
    """Return what a player reads about an error in their message, or "" if only the umpire reads it."""
    return error.player_text if isinstance(error, MessageError) else error.text


def is_settled(error: Diagnostic) -> bool:
    """Return True if a player could correct nothing about an error, such as a request to the umpire."""
    return isinstance(error, MessageError) and error.is_settled
