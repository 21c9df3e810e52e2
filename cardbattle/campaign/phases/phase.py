"""The input and the result of a phase of the turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state.changes import Change, Key, same, value_at
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.chance import Chance, stream


class Cause(NamedTuple):
    """One ledger entry of a phase: an event and its changes.

    Attributes:
        kind: the kind of the ledger entry, one of those that the phase declares.
        changes: the changed values, each once, with its value before this cause.
        id: the battle that caused it, if any.
        text: the text that players can read; a text that begins with `private` is for the umpire.
        reasons: how it was decided, a sentence each, for `--explain`; not recorded.

    """

    kind: str
    changes: Sequence[Change]
    id: str = ""
    text: str = ""
    reasons: Sequence[str] = ()

    def entry(self) -> Entry:
        """Return the ledger entry, still without number."""
        return Entry(0, self.kind, list(self.changes), id=self.id, text=self.text)


class Outcome(NamedTuple):
    """The result of a phase.

    Attributes:
        causes: the entries, in order; each is computed from the campaign after the one before.
        waits: what must be done first, a sentence each with the remedy; then nothing is recorded.
        notes: notes for the umpire.

    """

    causes: Sequence[Cause] = ()
    waits: Sequence[str] = ()
    notes: Sequence[str] = ()


class Situation(NamedTuple):
    """The input of a phase.

    Attributes:
        campaign: the campaign after the earlier phases.
        ledger: everything that is recorded on disk.
        entries: the valid entries of this turn, in today's keys; in a dry run also those of earlier phases.
        choices: the umpire's choices of retreats, by force.

    """

    campaign: Campaign
    ledger: Ledger
    entries: Sequence[Entry] = ()
    choices: Mapping[str, str] = {}

    def chance(self, phase: str) -> Chance:
        """Return the random stream of a phase in this turn: the same whenever it runs."""
        return stream(self.campaign.seed, f"phase/{phase}/{self.campaign.turn}")

    def changed(self, values: Mapping[Key, object]) -> list[Change]:
        """Return the changes that set these values, without values that are already set."""
        changes = [Change(key, value_at(self.campaign.data, key), after) for key, after in values.items()]
        return [change for change in changes if not same(change.before, change.after)]

    def after(self, changes: Sequence[Change]) -> Situation:
        """Return the situation after these changes. Raises InvalidInput if the campaign would be invalid."""
        return self._replace(campaign=self.campaign.after(changes)) if changes else self


class Phase(NamedTuple):
    """A phase of the turn.

    Attributes:
        name: the word on the command line, one of `names.SUMMARIES`.
        kinds: the kinds of ledger entries that it writes.
        is_on: returns True if the campaign file turns it on.
        run: computes it.

    """

    name: str
    kinds: Sequence[str]
    is_on: Callable[[Campaign], bool]
    run: Callable[[Situation], Outcome]
