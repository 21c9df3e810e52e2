"""Resolve the minor battles of a tabletop campaign with card games, and keep the campaign's ledger.

This is the public API. Names in `__all__` are loaded when they are first used, so `import cardbattle` is
fast. docs/library.md shows how to use it.
"""

from __future__ import annotations

from importlib import import_module

from cardbattle.version import __version__ as __version__
from cardbattle.version import build_form as build_form

# `typing` would be slow to load. Because of the annotation, editors read the block below for completion.
TYPE_CHECKING: bool = False
if TYPE_CHECKING:
    from cardbattle.battles.records.record import Record
    from cardbattle.battles.records.replay import ReplayMismatch
    from cardbattle.battles.session import Session
    from cardbattle.campaign.folder import CampaignFolder, PendingBattle
    from cardbattle.campaign.seals.seals import Seals
    from cardbattle.campaign.state.errors import InUse, NeedsUmpire
    from cardbattle.core.battle import Outcome, View
    from cardbattle.core.errors import (
        CardbattleError,
        Diagnostic,
        IllegalMove,
        InvalidInput,
        NoSuchOption,
        Remark,
        UsageError,
    )
    from cardbattle.core.referee import Commander, Seat
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.core.stepping import SteppedBattle
    from cardbattle.files.errors import PlacedDiagnostic, SystemFailure
    from cardbattle.library import (
        battle,
        go_on,
        growing_odds,
        load_campaign,
        load_seals,
        odds,
        play,
        replay,
        resolve,
        resolve_many,
        rule_sets,
        table,
        verify,
    )
    from cardbattle.rules import find
    from cardbattle.simulation.intervals import Interval
    from cardbattle.simulation.odds import Odds

__all__ = [
    "CampaignFolder",
    "CardbattleError",
    "Commander",
    "Diagnostic",
    "IllegalMove",
    "InUse",
    "Interval",
    "InvalidInput",
    "NeedsUmpire",
    "NoSuchOption",
    "Odds",
    "Outcome",
    "PendingBattle",
    "PlacedDiagnostic",
    "Record",
    "Remark",
    "ReplayMismatch",
    "RuleSet",
    "Seals",
    "Seat",
    "Session",
    "SteppedBattle",
    "SystemFailure",
    "UsageError",
    "View",
    "battle",
    "find",
    "go_on",
    "growing_odds",
    "load_campaign",
    "load_seals",
    "odds",
    "play",
    "replay",
    "resolve",
    "resolve_many",
    "rule_sets",
    "table",
    "verify",
]
DOOR = {  # the module that defines each name
    "campaign.folder": ("CampaignFolder", "PendingBattle"),
    "campaign.state.errors": ("InUse", "NeedsUmpire"),
    "campaign.seals.seals": ("Seals",),
    "simulation.intervals": ("Interval",),
    "simulation.odds": ("Odds",),
    "files.errors": ("PlacedDiagnostic", "SystemFailure"),
    "core.battle": ("Outcome", "View"),
    "core.errors": (
        "CardbattleError",
        "IllegalMove",
        "Diagnostic",
        "InvalidInput",
        "NoSuchOption",
        "Remark",
        "UsageError",
    ),
    "core.referee": ("Commander", "Seat"),
    "core.ruleset": ("RuleSet",),
    "core.stepping": ("SteppedBattle",),
    "battles.session": ("Session",),
    "library": (
        "battle",
        "go_on",
        "growing_odds",
        "load_campaign",
        "load_seals",
        "odds",
        "play",
        "replay",
        "resolve",
        "resolve_many",
        "rule_sets",
        "table",
        "verify",
    ),
    "battles.records.record": ("Record",),
    "battles.records.replay": ("ReplayMismatch",),
    "rules": ("find",),
}


if not TYPE_CHECKING:  # hidden from type checkers, which would accept any name

    def __getattr__(name: str) -> object:
        """Load a public name and cache it (PEP 562). Raises AttributeError for an unknown name."""
        room = next((room for room, names in DOOR.items() if name in names), None)
        if room is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

        value = getattr(import_module(f"{__name__}.{room}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """Return the public names, and all names that are already loaded."""
    return sorted({*globals(), *__all__})
