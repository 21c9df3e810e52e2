"""The leaders of the forces at the time of a ledger entry.

A report of an earlier turn names the person who led the force then, although another person leads it now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change, Key
    from cardbattle.campaign.state.model import Campaign

ABSENT = ("prisoner_of", "fallen")  # what keeps a leader from leading
LEADER_WORDS = ("leader", *ABSENT)
COMMAND_WORDS = (*LEADER_WORDS, "commander")

LeaderFields = dict[str, object]  # the values of LEADER_WORDS


def is_about_command(key: Key) -> bool:
    """Return True if a changed value says who commands a force."""
    return len(key) == 3 and key[0] == "forces" and key[2] in COMMAND_WORDS


def leader_fields(campaign: Campaign) -> dict[str, LeaderFields]:
    return {
        key: {word: getattr(force, word) for word in LEADER_WORDS} for key, force in campaign.forces.items()
    }


def leaders_by_entry(
    current: Mapping[str, LeaderFields], entries: Iterable[Entry]
) -> dict[int, dict[str, LeaderFields]]:
    """Return the leaders after each entry that changed who commands a force.

    `current` has the present leaders. The result maps the revision of an entry to the forces in it, and each
    force to the values of its leader. `entries` must be in the order of the ledger.
    """
    fields = {key: dict(values) for key, values in current.items()}
    leaders: dict[int, dict[str, LeaderFields]] = {}
    for entry in reversed(list(entries)):
        changes = [change for change in entry.changes if is_about_command(change.key)]
        keys = {change.key[1] for change in changes} & set(fields)
        if keys:
            leaders[entry.revision] = {key: dict(fields[key]) for key in keys}
        for change in changes:
            if change.key[1] in keys and change.key[2] in LEADER_WORDS:
                fields[change.key[1]][change.key[2]] = change.before
    return leaders


def names_of_prisoners(
    reader: str, now: Mapping[str, LeaderFields], entries: Sequence[Entry]
) -> dict[tuple[int, str], object]:
    """Return the name of each leader whom a faction took or released, by the revision and the force.

    The faction does not learn of a later leader of the force, so a released leader has the name of the time
    of the capture. `now` has the present leaders. `entries` must be in the order of the ledger.
    """
    leaders = {key: values["leader"] for key, values in now.items()}
    for entry in reversed(entries):
        leaders |= {change.key[1]: change.before for change in changes_of(entry, "leader")}
    names, prisoners = {}, dict(leaders)
    for entry in entries:
        leaders |= {change.key[1]: change.after for change in changes_of(entry, "leader")}
        for change in changes_of(entry, "prisoner_of"):
            force = change.key[1]
            if change.after == reader:
                prisoners[force] = leaders.get(force)
            if reader in (change.before, change.after):
                names[entry.revision, force] = prisoners.get(force)
    return names


def name_of_captive(force: str, leader: str | None, entries: Sequence[Entry]) -> str | None:
    """Return the name that the captured leader of a force had at the capture.

    `leader` is the present name. `entries` must be in the order of the ledger.
    """
    name: object = leader
    for entry in reversed(entries):
        if any(change.key[1] == force and change.after for change in changes_of(entry, "prisoner_of")):
            break
        for change in changes_of(entry, "leader"):
            name = change.before if change.key[1] == force else name
    return None if name is None else str(name)


def changes_of(entry: Entry, word: str) -> list[Change]:
    """Return the changes of a value of forces in an entry."""
    return [change for change in entry.changes if change.key[0] == "forces" and change.key[2:] == (word,)]


def ends_for_former_leaders(campaign: Campaign, entries: Iterable[Entry]) -> set[tuple[int, Key]]:
    """Return the changes that clear `fallen` or `prisoner_of` after another leader took over the force.

    Such a change does not mean that the lost leader lives or returns. Each change is a pair of its revision
    and its key. `entries` must be in the order of the ledger.
    """
    leaders: dict[str, object] = {key: force.leader for key, force in campaign.forces.items()}
    cleared: dict[
        Key, tuple[int, object]
    ] = {}  # not yet traced back to the loss, with the leader at the time
    ends: set[tuple[int, Key]] = set()
    for entry in reversed(list(entries)):
        changes = [change for change in entry.changes if is_about_command(change.key)]
        for change in changes:
            if change.key[2] in ABSENT and change.after and change.key in cleared:
                revision, leader = cleared.pop(change.key)
                if leader != leaders.get(change.key[1]):
                    ends.add((revision, change.key))
        for change in changes:
            if change.key[2] in ABSENT and not change.after:
                cleared[change.key] = (entry.revision, leaders.get(change.key[1]))
        leaders |= {change.key[1]: change.before for change in changes if change.key[2] == "leader"}
    return ends | {
        (revision, key) for key, (revision, leader) in cleared.items() if leader != leaders.get(key[1])
    }


def rank_restorations(entries: Iterable[Entry]) -> set[tuple[int, Key]]:
    """Return the changes that give a force the rank of its leader back, after a captivity.

    The umpire can write this change after the entry that releases the leader. Each change is a pair of its
    revision and its key. `entries` must be in the order of the ledger.
    """
    ranks: dict[str, object] = {}
    restored: set[tuple[int, Key]] = set()
    for entry in entries:
        changes = [change for change in entry.changes if change.key[0] == "forces" and len(change.key) == 3]
        for change in changes:
            if change.key[2] in ("leader", "leader_rank"):
                ranks.pop(change.key[1], None)
            if change.key[2] == "leader_rank" and not change.after:
                ranks[change.key[1]] = change.before
        for change in changes:
            if change.key[2] == "commander" and ranks.pop(change.key[1], None) == change.after:
                restored.add((entry.revision, change.key))
    return restored


def with_leaders(campaign: Campaign, leaders: Mapping[str, LeaderFields]) -> Campaign:
    """Return a copy of the campaign in which the forces have these leaders."""
    changed = {
        key: campaign.forces[key].model_copy(update={**values, "fallen": bool(values["fallen"])})
        for key, values in leaders.items()
    }
    return campaign.model_copy(update={"forces": {**campaign.forces, **changed}})
