"""What a phase of a turn is given, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state.changes import Change, Key, same, value_at
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.chance import Chance, stream


class Cause(NamedTuple):
    """One ledger entry that a phase writes: what happened, and what it changes.

    Attributes:
        kind: the kind of the ledger entry, one of those that the phase declares.
        changes: each value once, with what it is before this cause.
        id: the battle that it follows from, if any.
        text: what players can read of it; a text that begins with `private` is for the umpire.
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
    """What a phase comes to.

    Attributes:
        causes: the entries, in order; each follows from the campaign as the one before leaves it.
        waits: what must be done first, a sentence each with the remedy; then nothing is recorded.
        notes: what the umpire should know.

    """

    causes: Sequence[Cause] = ()
    waits: Sequence[str] = ()
    notes: Sequence[str] = ()


class Situation(NamedTuple):
    """What a phase can read.

    Attributes:
        campaign: as the phases before have left it.
        ledger: everything that is recorded on disk.
        entries: the entries of this turn that stand, in today's keys; in a dry run also those of the phases
            before, which are not in the ledger.
        choices: where forces retreat to that the umpire has chosen, by force.

    """

    campaign: Campaign
    ledger: Ledger
    entries: Sequence[Entry] = ()
    choices: Mapping[str, str] = {}

    def chance(self, phase: str) -> Chance:
        """Return the random numbers of a phase in this turn: the same whenever it runs."""
        return stream(self.campaign.seed, f"phase/{phase}/{self.campaign.turn}")

    def changed(self, values: Mapping[Key, object]) -> list[Change]:
        """Return the changes that set these values, without those that are so already."""
        changes = [Change(key, value_at(self.campaign.data, key), after) for key, after in values.items()]
        return [change for change in changes if not same(change.before, change.after)]

    def after(self, changes: Sequence[Change]) -> Situation:
        """Return the situation with these changes made. Raises InvalidInput if it would be unsound."""
        return self._replace(campaign=self.campaign.after(changes)) if changes else self


class Phase(NamedTuple):
    """A phase of the turn.

    Attributes:
        name: the word on the command line, one of `names.SUMMARIES`.
        kinds: the kinds of ledger entries that it writes.
        is_on: says whether the campaign file turns it on.
        run: computes it.

    """

    name: str
    kinds: Sequence[str]
    is_on: Callable[[Campaign], bool]
    run: Callable[[Situation], Outcome]
