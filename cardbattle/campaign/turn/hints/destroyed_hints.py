"""Find destroyed forces that were reinforced, and forces that are too weak but not destroyed."""

from __future__ import annotations

from collections.abc import Iterator

from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.ledger.operations import (
    destroy_command,
    is_too_weak,
    leaves_strength,
    revive_command,
)
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.errors import Diagnostic


def weak_hints(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield a hint for each force that is too weak but not destroyed, with the command for it."""
    for key in campaign.forces:
        if is_too_weak(campaign, key):
            yield Diagnostic(
                f"it is not destroyed, {destroy_command(campaign, key)}", at=("forces", key, "strength")
            )


def destroyed_hints(campaign: Campaign, ledger: Ledger) -> Iterator[Diagnostic]:
    """Yield a hint for each destroyed force whose strength has changed since then, with the command for it.

    A force that was destroyed because it could not retreat keeps its strength, and needs no hint.
    """
    unknown = {
        key: ("forces", key) for key, force in campaign.forces.items() if force.destroyed and force.strength
    }
    for revision in range(ledger.whole_entries, 0, -1):
        if not unknown:
            return
        if revision in ledger.undone_revisions:
            continue
        changes = entry_today(ledger, revision).changes
        ended = {change.key[1] for change in changes if change.key[2:] == ("destroyed",)}
        for change in changes:
            if leaves_strength(change) and change.key[1] in unknown and change.key[1] not in ended:
                key = change.key[1]
                text = f"it has strength {campaign.forces[key].strength} and is destroyed"
                yield Diagnostic(f"{text}; {revive_command(key)}", at=(*unknown.pop(key), "destroyed"))
        for key in ended & {*unknown}:
            del unknown[key]
