"""The input and the result of a phase of the turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state.changes import Change, Key, same, value_at, with_units
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.chance import Chance, stream


class Cause(NamedTuple):
    """One ledger entry of a phase. It consists of an event and the changes that the event makes.

    Attributes:
        kind: the kind of the ledger entry, which must be in `Phase.kinds`.
        changes: the changes. Each changed value occurs once, with its value before this cause.
        id: the id of the battle that caused the event, or an empty string.
        text: a text for players. A text that begins with `private` is for the umpire only.
        reasons: sentences with the reasons for the changes, for `--explain`. They are not recorded.
        remarks: sentences with facts that the umpire must know. They are not recorded.

    """

    kind: str
    changes: Sequence[Change]
    id: str = ""
    text: str = ""
    reasons: Sequence[str] = ()
    remarks: Sequence[str] = ()

    def entry(self) -> Entry:
        """Return the ledger entry, which has no number yet."""
        return Entry(0, self.kind, list(self.changes), id=self.id, text=self.text)


class Outcome(NamedTuple):
    """The result of a phase.

    Attributes:
        causes: the entries in order. Each entry is computed from the campaign after the previous entry.
        waits: sentences about obstacles and their remedies. If there are obstacles, nothing is recorded.
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
        entries: the valid entries of this turn, with renamed keys replaced by their new names. In a dry run,
            the unrecorded entries of earlier phases are included.
        choices: the retreats that the umpire has chosen, by force.

    """

    campaign: Campaign
    ledger: Ledger
    entries: Sequence[Entry] = ()
    choices: Mapping[str, str] = {}

    def chance(self, phase: str) -> Chance:
        """Return the random stream of a phase in this turn, which is the same whenever the phase runs."""
        return stream(self.campaign.seed, f"phase/{phase}/{self.campaign.turn}")

    def changed(self, values: Mapping[Key, object]) -> list[Change]:
        """Return the changes that set these values.

        Values that are already set are left out. If a force loses or gains strength, its units share the
        difference, unless `values` names the units.
        """
        changes = [Change(key, value_at(self.campaign.data, key), after) for key, after in values.items()]
        different = [change for change in changes if not same(change.before, change.after)]
        return with_units(self.campaign.data, different)

    def after(self, changes: Sequence[Change]) -> Situation:
        """Return the situation after these changes. Raises InvalidInput if the campaign would be invalid."""
        return self._replace(campaign=self.campaign.after(changes)) if changes else self


class Phase(NamedTuple):
    """A phase of the turn.

    Attributes:
        name: the word on the command line, one of `names.SUMMARIES`.
        kinds: the kinds of ledger entries that the phase writes.
        is_on: returns True if the campaign file turns the phase on.
        run: computes the outcome of the phase.

    """

    name: str
    kinds: Sequence[str]
    is_on: Callable[[Campaign], bool]
    run: Callable[[Situation], Outcome]
