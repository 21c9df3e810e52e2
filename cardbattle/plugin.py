"""Classes and functions for authors of plug-ins, which add rule sets, commanders or output formats.

The names in this module stay compatible as long as `API_VERSION` stays the same. If a plug-in needs a certain
version, it sets the attribute `api_version` of the object that it exports. Programs with another
`API_VERSION` do not load this plug-in. docs/extending.md has a sample of each kind of plug-in, and
`cardbattle.testing` checks rule sets.
"""

from __future__ import annotations

from cardbattle.commanders.ranks import Rank
from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, Event, Outcome, View
from cardbattle.core.cards import card_text, rank_of, standard_pack
from cardbattle.core.chance import Chance, RandomSource
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.options import CardList, OneOf, Option, Preset, Presets, SideKey, Switch, Whole, reading
from cardbattle.core.referee import Commander, Seat
from cardbattle.core.ruleset import Advantage, Lesson, RuleSet, Show
from cardbattle.core.setup import Setup
from cardbattle.core.telling import AUDIT, BRIEF, TALE, Block, Card, Grid, Heading, Line, Name, Tale, Words
from cardbattle.rules.plug_in_loader import API_VERSION
from cardbattle.show.document import Document
from cardbattle.show.writers.formats import Writer, render

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
    "Preset",
    "Presets",
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
    "card_text",
    "rank_of",
    "reading",
    "render",
    "standard_pack",
]
