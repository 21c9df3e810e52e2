"""Every command: the module that defines it, and its one-line summary.

A group imports a command's module only when the command runs; `--help` and completion need nothing but this
table. A test checks the summaries against the commands' docstrings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Listed(NamedTuple):
    """A command in the table.

    Attributes:
        module: the module below `cardbattle.cli`, with `:NAME` if its registry is not called COMMANDS.
        summary: the first sentence of its help.

    """

    module: str
    summary: str


Commands = Mapping[str, Listed]

PROGRAM: Commands = {
    "resolve": Listed("commands.battles", "Fight one battle and print it."),
    "replay": Listed("commands.battles", "Print a recorded battle again."),
    "verify": Listed("commands.battles", "Check records by fighting them again."),
    "play": Listed("play.play", "Command a side, or record a battle played with real cards."),
    "odds": Listed("commands.odds", "Fight a battle many times and print each side's chances."),
    "batch": Listed("commands.odds", "Fight many different battles and write their results."),
    "table": Listed("commands.balance", "Print a combat results table for real dice."),
    "handicap": Listed("commands.balance", "Find the handicap that gives a side a target chance of winning."),
    "analyse": Listed("commands.analysis", "Show how the chances moved during a recorded battle, and why."),
    "rules": Listed("commands.reference", "Print the numbered rules of a rule set, or list all rule sets."),
    "commanders": Listed("commands.reference", "List the commanders and how strong they are."),
    "help": Listed("commands.reference", "Explain a topic, a rule set or a command."),
    "demo": Listed("campaign.fight:DEMO_COMMANDS", "Copy the shipped campaign and fight its first battle."),
    "orders": Listed(
        "commands.orders:GROUP", "Fight a battle by message: send questions and enter the answers."
    ),
    "campaign": Listed("campaign:GROUP", "Keep a campaign's books: show, check, fight and the rest."),
}
ORDERS: Commands = {
    "ask": Listed("commands.orders", "Print a message to each side that must decide."),
    "take": Listed("commands.orders", "Read answers from pasted text and print the next messages."),
    "status": Listed("commands.orders", "Show whose answer is missing, and since when."),
    "remind": Listed("commands.orders", "Print a reminder to a side that has not answered."),
    "substitute": Listed("commands.orders", "Let a computer commander answer for an absent player."),
    "seal": Listed("commands.orders", "Seal an answer: it stays secret until all have answered."),
    "check": Listed("commands.orders", "Show what standing orders would do, in ten battles."),
}
CAMPAIGN: Commands = {
    "show": Listed("campaign.show", "Print how the campaign stands, and the odds to come."),
    "check": Listed("campaign.check", "Find everything that is wrong with the campaign."),
    "standings": Listed("campaign.standings", "Print the factions by points, with their forces and places."),
    "history": Listed("campaign.history", "Print the ledger, or one battle's log again."),
    "fight": Listed("campaign.fight", "Fight pending battles, print them, and record their results."),
    "new": Listed("campaign.new", "Make a new campaign: a campaign.toml that explains itself."),
    "export": Listed("campaign.new", "Write a pending battle as a battle file, or as a sheet."),
    "results": Listed("campaign.new", "Write a form for the results of all pending battles."),
    "schema": Listed("campaign.new", "Print the JSON Schema of campaign.toml."),
    "import": Listed("campaign.record", "Apply results from elsewhere, all or none."),
    "override": Listed("campaign.record", "Decide a battle by the umpire's word."),
    "undo": Listed("campaign.record", "Take back the last command, or one that is named."),
    "redo": Listed("campaign.record", "Bring back what was taken back last."),
    "adjust": Listed("campaign.record", "Change values by the umpire's word."),
    "move": Listed("campaign.umpire_changes", "Move forces to a place."),
    "rename": Listed("campaign.umpire_changes", "Give a faction, force or place another key."),
    "note": Listed("campaign.umpire_changes", "Note something for the chronicle."),
    "turn": Listed("campaign.umpire_changes", "Begin the next turn."),
    "forecast": Listed("campaign.forecast", "Print what may come of the pending battles."),
    "luck": Listed("campaign.forecast", "Print what each side could expect, and what it got."),
    "report": Listed("campaign.forecast", "Write how the campaign stands, for the players."),
    "seal": Listed("campaign.seal", "Commit to draws that nobody can choose."),
    "reveal": Listed("campaign.seal", "Reveal what a battle was drawn by."),
    "site": Listed("campaign.site", "Write the campaign as a site of plain files."),
    "add": Listed("campaign.umpire_changes:ADD_GROUP", "Add a faction, a force, a place or a battle."),
}
CAMPAIGN_ADD: Commands = {
    "faction": Listed("campaign.umpire_changes:ADDITIONS", "Add a faction: one party to the campaign."),
    "force": Listed(
        "campaign.umpire_changes:ADDITIONS", "Add a force: an army or a band that fights as one."
    ),
    "place": Listed("campaign.umpire_changes:ADDITIONS", "Add a place, to be held and fought for."),
    "battle": Listed("campaign.umpire_changes:ADDITIONS", "Add a battle that is to be fought."),
}
