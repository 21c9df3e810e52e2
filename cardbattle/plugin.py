"""Everything that the author of a plug-in needs: rule sets, commanders and output formats.

The names in this module stay compatible as long as `API_VERSION` stays the same. A plug-in that needs another
version sets `api_version` on the object that it exports, and is refused by a cardbattle that does not have
that version. docs/extending.md has a sample of each kind; `cardbattle.testing` checks rule sets.
"""

from __future__ import annotations

from cardbattle.commanders.ranks import Rank
from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, Event, Outcome, View
from cardbattle.core.chance import Chance, RandomSource
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.options import CardList, OneOf, Option, SideKey, Switch, Whole
from cardbattle.core.referee import Commander, Seat
from cardbattle.core.ruleset import Advantage, Lesson, RuleSet, Show
from cardbattle.core.setup import Setup
from cardbattle.core.telling import AUDIT, BRIEF, TALE, Block, Card, Grid, Heading, Line, Name, Tale, Words
from cardbattle.rules.plug_in_loader import API_VERSION
from cardbattle.show.document import Document
from cardbattle.show.writers import Writer, render

__all__ = [
    "API_VERSION",
    "AUDIT",
    "BRIEF",
    "NOBODY",
    "TALE",
    "UNKNOWN",
    "Advantage",
    "Battle",
    "Block",
    "Card",
    "CardList",
    "Chance",
    "Commander",
    "Diagnostic",
    "Document",
    "Event",
    "Grid",
    "Heading",
    "InvalidInput",
    "Lesson",
    "Line",
    "Name",
    "OneOf",
    "Option",
    "Outcome",
    "RandomSource",
    "Rank",
    "RuleSet",
    "Seat",
    "Setup",
    "Show",
    "SideKey",
    "Switch",
    "Tale",
    "View",
    "Whole",
    "Words",
    "Writer",
    "render",
]
