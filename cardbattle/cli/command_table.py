"""A table of all commands, with the module that defines each command and a one-line summary.

A command group imports the module of a command only when the command runs. `--help` and completion need only
this table. A test checks that each summary is the first sentence of the command's docstring.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class ListedCommand(NamedTuple):
    """A command in the table.

    Attributes:
        module: the module that defines the command, relative to `cardbattle.cli`. If its CommandGroup is not
            in the variable COMMANDS, `:` and the name of that variable follow.
        summary: the first sentence of the command's help.

    """

    module: str
    summary: str


Commands = Mapping[str, ListedCommand]

PROGRAM: Commands = {
    "resolve": ListedCommand("commands.battles", "Fight one battle and print what happened."),
    "replay": ListedCommand("commands.battles", "Print a battle from its record."),
    "verify": ListedCommand("commands.battles", "Check records by fighting their battles again."),
    "play": ListedCommand("play.play", "Command a side, or record a battle played with real cards."),
    "odds": ListedCommand("commands.odds", "Fight a battle many times and print each side's chances."),
    "batch": ListedCommand("commands.odds", "Fight all battles of a file and write their results."),
    "table": ListedCommand("commands.balance", "Print a combat results table for real dice."),
    "handicap": ListedCommand(
        "commands.balance", "Find the handicap that gives a side a target chance of winning."
    ),
    "analyse": ListedCommand(
        "commands.analysis", "Show how choices and luck changed the chances in a battle."
    ),
    "solve": ListedCommand("commands.solve", "Print the exact solution of the duel in Strategy WAR."),
    "rules": ListedCommand(
        "commands.reference", "Print the numbered rules of a rule set, or list all rule sets."
    ),
    "commanders": ListedCommand("commands.reference", "List the commanders and how strong they are."),
    "help": ListedCommand("commands.reference", "Explain a topic, a rule set or a command."),
    "schema": ListedCommand(
        "commands.schemas",
        "Print the JSON Schema of a file, message or command output.",
    ),
    "test-rules": ListedCommand(
        "commands.rule_sets", "Check that a rule set has all required properties (laws)."
    ),
    "new-rules": ListedCommand(
        "commands.rule_sets", "Write the package of a small rule set that you can change."
    ),
    "demo": ListedCommand(
        "campaign.fight:DEMO_COMMANDS", "Create a sample campaign and fight its first battle."
    ),
    "orders": ListedCommand(
        "commands.orders:GROUP", "Fight a battle by message: send questions and enter the answers."
    ),
    "match": ListedCommand("commands.match", "Let commanders play a match, and compare their strength."),
    "engine": ListedCommand(
        "commands.engine:GROUP", "Run a computer commander as an engine for another program."
    ),
    "config": ListedCommand("commands.config:GROUP", "Show and change your settings."),
    "doctor": ListedCommand("commands.doctor", "Check this installation, and print facts for a bug report."),
    "cases": ListedCommand(
        "commands.cases:GROUP", "Run the conformance suite, or check another program's results."
    ),
    "campaign": ListedCommand("campaign:GROUP", "Run a campaign: fight battles and keep the ledger."),
}
ORDERS: Commands = {
    "ask": ListedCommand("commands.orders", "Print a message to each side that must decide."),
    "take": ListedCommand(
        "commands.orders", "Read the players' answers from pasted text and print the next messages."
    ),
    "status": ListedCommand("commands.orders", "Show whose answer is missing, and since when."),
    "remind": ListedCommand("commands.orders", "Print a reminder to a side that has not answered."),
    "substitute": ListedCommand("commands.orders", "Let a computer commander answer for an absent player."),
    "seal": ListedCommand(
        "commands.orders", "Seal an answer, to keep it secret until all sides have answered."
    ),
    "check": ListedCommand("commands.orders", "Fight ten battles to show what standing orders would do."),
}
ENGINE: Commands = {
    "check": ListedCommand("commands.engine", "Check that an engine follows the protocol."),
}
CONFIG: Commands = {
    "list": ListedCommand(
        "commands.config", "List the settings, with their values and where each value comes from."
    ),
    "get": ListedCommand("commands.config", "Print the value of a setting."),
    "set": ListedCommand("commands.config", "Change a setting in the configuration file."),
    "unset": ListedCommand("commands.config", "Remove a setting, so that its default applies."),
    "path": ListedCommand("commands.config", "Print the path of the configuration file."),
    "edit": ListedCommand(
        "commands.config", "Open the configuration file in your editor, and check it afterwards."
    ),
}
CASES: Commands = {
    "list": ListedCommand("commands.cases", "List the cases of the conformance suite."),
    "show": ListedCommand("commands.cases", "Print cases of the conformance suite in full."),
    "run": ListedCommand("commands.cases", "Run cases of the conformance suite with this program."),
    "check": ListedCommand(
        "commands.cases", "Check another program's results, and print its compliance statement."
    ),
    "perft": ListedCommand(
        "commands.cases", "Count the decision sequences from small positions, by length (perft)."
    ),
}
CAMPAIGN: Commands = {
    "show": ListedCommand("campaign.show", "Print the state of the campaign."),
    "check": ListedCommand("campaign.check", "Check the campaign and list every error."),
    "standings": ListedCommand(
        "campaign.standings", "Print the factions in order of points, with forces and places."
    ),
    "history": ListedCommand("campaign.history", "Print the ledger, or the log of one battle."),
    "fight": ListedCommand("campaign.fight", "Fight pending battles, print them, and record their results."),
    "new": ListedCommand("campaign.new", "Create a campaign, with comments that explain campaign.toml."),
    "export": ListedCommand("campaign.new", "Write a battle file or a players' sheet of a pending battle."),
    "results": ListedCommand("campaign.new", "Write a form for the results of all pending battles."),
    "schema": ListedCommand("campaign.new", "Print the JSON Schema of campaign.toml."),
    "import": ListedCommand("campaign.record", "Import results of battles fought elsewhere."),
    "override": ListedCommand("campaign.record", "Set the result of a battle as the umpire."),
    "decline": ListedCommand("campaign.record", "Record that a side declines a battle."),
    "undo": ListedCommand("campaign.record", "Undo the last command, or the battles or revisions you name."),
    "redo": ListedCommand("campaign.record", "Redo the command that was undone last."),
    "adjust": ListedCommand("campaign.record", "Change values of the campaign, and record the reason."),
    "set": ListedCommand("campaign.between_battles.edit", "Change values in campaign.toml."),
    "unset": ListedCommand(
        "campaign.between_battles.edit", "Remove values from campaign.toml, so that their defaults apply."
    ),
    "remove": ListedCommand(
        "campaign.between_battles.edit", "Remove factions, forces, places, tables or items of lists."
    ),
    "cancel": ListedCommand(
        "campaign.between_battles.edit",
        "Cancel pending battles without fighting them.",
    ),
    "edit": ListedCommand("campaign.between_battles.edit", "Edit a pending battle."),
    "move": ListedCommand("campaign.umpire_changes", "Move forces to a place."),
    "rename": ListedCommand("campaign.umpire_changes", "Change the key of a faction, force or place."),
    "note": ListedCommand("campaign.umpire_changes", "Add a note to the campaign's chronicle."),
    "turn": ListedCommand("campaign.umpire_changes", "Begin the next turn."),
    "advance": ListedCommand(
        "campaign.between_battles.advance", "Run the phases of this turn, and begin the next one."
    ),
    "waiting": ListedCommand(
        "campaign.between_battles.waiting", "Print what the players and the umpire still have to do."
    ),
    "confirm": ListedCommand(
        "campaign.between_battles.waiting", "Record a side's report of a battle played at the table."
    ),
    "substitute": ListedCommand(
        "campaign.between_battles.waiting",
        "Let a computer commander replace a faction's absent player.",
    ),
    "fixtures": ListedCommand(
        "campaign.between_battles.fixtures", "Draw the next round of the league, and add its battles."
    ),
    "league": ListedCommand(
        "campaign.between_battles.fixtures", "Print the league table, and the rounds with their results."
    ),
    "forecast": ListedCommand("campaign.forecast", "Print the possible outcomes of the pending battles."),
    "luck": ListedCommand("campaign.forecast", "Compare each side's results with its expected results."),
    "report": ListedCommand("campaign.between_battles.report", "Write a report for the players."),
    "story": ListedCommand(
        "campaign.between_battles.story", "Print the story of a battle, or write your own."
    ),
    "seal": ListedCommand("campaign.seal", "Commit to the random draws of future battles (sealed dice)."),
    "reveal": ListedCommand("campaign.seal", "Reveal the sealed draw of a battle."),
    "site": ListedCommand("campaign.site", "Write the campaign as a static website."),
    "orders": ListedCommand(
        "campaign.between_battles.orders:ORDERS_GROUP",
        "Collect the movement orders of all factions for this turn.",
    ),
    "add": ListedCommand(
        "campaign.umpire_changes:ADD_GROUP",
        "Add a faction, a force, a place, a battle or another table.",
    ),
}
CAMPAIGN_ORDERS: Commands = {
    "ask": ListedCommand(
        "campaign.between_battles.orders",
        "Print messages that ask the factions for their orders, retreats and reports of results.",
    ),
    "take": ListedCommand(
        "campaign.between_battles.orders",
        "Read the factions' orders, retreats and reports of results from pasted messages.",
    ),
    "give": ListedCommand(
        "campaign.between_battles.orders",
        "Order one force, or each force of a faction that has no order yet.",
    ),
    "show": ListedCommand(
        "campaign.between_battles.orders",
        "Print the orders for this turn that are recorded so far.",
    ),
    "status": ListedCommand(
        "campaign.between_battles.orders", "Print whose orders are in and whose are missing."
    ),
}
CAMPAIGN_ADD: Commands = {
    "faction": ListedCommand("campaign.umpire_changes:ADDITIONS", "Add a faction."),
    "force": ListedCommand(
        "campaign.umpire_changes:ADDITIONS", "Add a force, which is an army or band that fights as a whole."
    ),
    "place": ListedCommand(
        "campaign.umpire_changes:ADDITIONS", "Add a place that factions can hold and fight for."
    ),
    "battle": ListedCommand("campaign.umpire_changes:ADDITIONS", "Add a pending battle."),
    "road": ListedCommand("campaign.between_battles.add:ADDITIONS", "Add a road between two places."),
    "schedule": ListedCommand(
        "campaign.between_battles.add:ADDITIONS",
        "Add a change of the campaign that happens in a certain turn or on a date.",
    ),
    "event": ListedCommand(
        "campaign.between_battles.add:ADDITIONS", "Add an event of the campaign that can happen by chance."
    ),
    "weather": ListedCommand(
        "campaign.between_battles.add:ADDITIONS", "Add a kind of weather to the weather table."
    ),
    "terrain": ListedCommand(
        "campaign.between_battles.add:ADDITIONS", "Add a kind of terrain, and its effects in battle."
    ),
    "fixtures": ListedCommand(
        "campaign.between_battles.add:ADDITIONS", "Add a league, whose rounds `campaign fixtures` draws."
    ),
    "assert": ListedCommand(
        "campaign.between_battles.add:ADDITIONS",
        "Add an assertion: a value that `campaign check` compares with the campaign.",
    ),
    "table": ListedCommand(
        "campaign.between_battles.add:ADDITIONS",
        "Add one of the tables that a campaign has once, such as movement or deadlines.",
    ),
}
