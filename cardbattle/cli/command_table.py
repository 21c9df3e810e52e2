"""Every command: the module that defines it, and its one-line summary.

A group imports a command's module only when the command runs; `--help` and completion need only this table.
A test compares the
summaries with the commands' docstrings.
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
    "campaign": Listed("campaign:GROUP", "Run a campaign: fight battles and keep the ledger."),
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
    "show": Listed("campaign.show", "Print the state of the campaign."),
    "check": Listed("campaign.check", "Check the campaign and list every error."),
    "standings": Listed("campaign.standings", "Print the factions by points, with their forces and places."),
    "history": Listed("campaign.history", "Print the ledger, or the log of one battle."),
    "fight": Listed("campaign.fight", "Fight pending battles, print them, and record their results."),
    "new": Listed("campaign.new", "Create a campaign: a campaign.toml with explanations in it."),
    "export": Listed("campaign.new", "Write a pending battle as a battle file, or as a sheet."),
    "results": Listed("campaign.new", "Write a form for the results of all pending battles."),
    "schema": Listed("campaign.new", "Print the JSON Schema of campaign.toml."),
    "import": Listed("campaign.record", "Import results of battles fought elsewhere, all or none."),
    "override": Listed("campaign.record", "Decide a battle as the umpire."),
    "undo": Listed("campaign.record", "Undo the last command, or the named one."),
    "redo": Listed("campaign.record", "Redo what was undone last."),
    "adjust": Listed("campaign.record", "Change values as the umpire."),
    "move": Listed("campaign.umpire_changes", "Move forces to a place."),
    "rename": Listed("campaign.umpire_changes", "Rename the key of a faction, force or place."),
    "note": Listed("campaign.umpire_changes", "Add a note to the chronicle."),
    "turn": Listed("campaign.umpire_changes", "Begin the next turn."),
    "forecast": Listed("campaign.forecast", "Print the possible outcomes of the pending battles."),
    "luck": Listed("campaign.forecast", "Compare each side's results with what it could expect."),
    "report": Listed("campaign.forecast", "Write a report on the campaign for the players."),
    "seal": Listed("campaign.seal", "Seal random draws, so that no one can choose them."),
    "reveal": Listed("campaign.seal", "Reveal the sealed draw of a battle."),
    "site": Listed("campaign.site", "Write the campaign as a static website."),
    "add": Listed("campaign.umpire_changes:ADD_GROUP", "Add a faction, a force, a place or a battle."),
}
CAMPAIGN_ADD: Commands = {
    "faction": Listed("campaign.umpire_changes:ADDITIONS", "Add a faction."),
    "force": Listed(
        "campaign.umpire_changes:ADDITIONS", "Add a force: an army or band that fights as a unit."
    ),
    "place": Listed("campaign.umpire_changes:ADDITIONS", "Add a place that factions can hold and fight for."),
    "battle": Listed("campaign.umpire_changes:ADDITIONS", "Add a pending battle."),
}
