"""Errors for conflicts that need the umpire, and for a campaign that another process is using."""

from __future__ import annotations

from cardbattle.core.errors import MOST, CardbattleError


class Conflict:
    """A conflict that the umpire must decide.

    `beside` is a table of both versions with a heading. `key` is the path of the value in campaign.toml, or
    empty.
    """

    def __init__(self, text: str, beside: list[list[str]] | None = None, key: tuple[str, ...] = ()) -> None:
        self.text = text
        self.beside = beside or []
        self.key = key

    def __repr__(self) -> str:
        return f"Conflict({self.text!r})"


class NeedsUmpire(CardbattleError):
    """Raised if the umpire must decide, because of a conflict or a damaged ledger."""

    exit_code = 4

    def __init__(self, conflicts: list[Conflict] | str) -> None:
        self.conflicts = [Conflict(conflicts)] if isinstance(conflicts, str) else conflicts[:MOST]
        if len(conflicts) > MOST and not isinstance(conflicts, str):
            self.conflicts.append(Conflict("there is more to decide; begin with these"))
        super().__init__("\n".join(conflict.text for conflict in self.conflicts))


class InUse(CardbattleError):
    """Raised if another process is using the campaign."""

    exit_code = 5
