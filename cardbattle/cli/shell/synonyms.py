"""Words that people type instead of the right name of a command or an option."""

from __future__ import annotations

from collections.abc import Collection, Mapping

COMMANDS: Mapping[str, Mapping[str, str]] = {
    "cardbattle": {
        "resolve": "fight battle simulate sim run",
        "campaign fight": "fight",
        "campaign new": "init create start",
        "odds": "chances chance probability probabilities",
        "demo": "example sample tutorial",
        "rules": "games rulesets rule-sets",
        "commanders": "ranks levels",
        "help": "docs manual man topics",
    },
    "cardbattle campaign": {
        "fight": "resolve battle run play simulate",
        "show --odds": "odds chances",
        "forecast": "predict future",
        "show": "status state view list ls overview info",
        "standings": "score scores ranking rankings leaderboard",
        "history": "log ledger events",
        "undo": "revert rollback",
        "new": "init create start",
        "check": "validate verify lint",
        "adjust": "change update",
        "remove": "delete rm",
        "cancel": "abandon",
        "decline": "refuse forfeit concede withdraw",
        "turn": "next-turn",
        "advance": "next end-turn phases process",
        "site": "publish html web website",
    },
    "cardbattle campaign add": {
        "faction": "side player team",
        "force": "army unit troops",
        "place": "location town city",
        "battle": "fight pending",
        "table": "movement aftermath experience supply recovery recruit income deadlines results visibility "
        "calendar scoring attrition",
    },
    "cardbattle orders": {"ask": "send begin start", "take": "receive submit answer"},
}  # by group: each command and its other names

OPTIONS: Mapping[str, str] = {
    "-n": "--battles --number --count --runs --times --iterations --games --samples --repeat --n",
    "-C": "--folder --dir --directory --campaign --path",
    "--place": "--at --location --where",
    "--stakes": "--at --place --location --prize",
    "--output": "--out --file --write --export",
    "--format": "--type --style",
    "--jobs": "--workers --processes --threads --cpus --cores --parallel",
    "--seed": "--random --random-seed --rng",
    "--set": "--house --house-rule --rule --option --param --config",
    "--side": "--sides --army --player --commander --commanders --rank",
    "--commander": "--rank --level --leader --general",
    "--rules": "--game --ruleset --rule-set",
    "--dry-run": "--preview --diff --what-if --no-act",
    "--reason": "--why --because --message --comment",
    "--quiet": "--silent",
    "--verbose": "--debug",
    "--no-color": "--no-colour --plain --color --colour",
    "--for": "--viewer --reader --player",
    "--strength": "--size --power --men",
    "--winner": "--win --won --victor --winners",
    "--losses": "--lost --casualties",
    "--owner": "--faction --held-by --holder",
    "--value": "--worth --points",
    "--name": "--title",
    "--precision": "--accuracy --tolerance --interval",
    "--note": "--remark --comment --text",
    "--key": "--id",
    "--faction": "--side --team --owner",
    "--repair": "--fix",
    "--screen": "--tui --gui --full-screen --fullscreen",
    "--teach": "--tutorial --learn",
}  # each option and its other names; only options of the command are suggested

TOPICS: Mapping[str, str] = {
    "plug-ins": "plug-in plugin plugins extension extensions add-on add-ons entry-points new-rule-set",
    "python": "library api module modules notebook jupyter",
    "scripting": "script scripts shell bash automation cron json pipe pipes",
    "playing": "play-by-hand human",
    "messages": "mail email discord post",
    "exit-codes": "errors exit-code return-codes status-codes",
}  # help topics and their other names


def suggest_commands(group: str, word: str) -> list[str]:
    """Return the commands of a group that a word probably means, with the most likely command first.

    >>> suggest_commands("cardbattle campaign", "resolve")
    ['cardbattle campaign fight']
    """
    names = COMMANDS.get(group, {})
    return [f"{group} {command}" for command, synonyms in names.items() if word in synonyms.split()]


def suggest_options(name: str, names: Collection[str]) -> list[str]:
    """Return the options that an unknown name probably means.

    >>> suggest_options("--battles", ["-n", "--seed"])
    ['-n']
    """
    return [option for option, synonyms in OPTIONS.items() if option in names and name in synonyms.split()]


def suggest_topic(name: str) -> str:
    """Return the help topic that a name means, or "" if no topic has this name.

    >>> suggest_topic("plugins"), suggest_topic("dragons")
    ('plug-ins', '')
    """
    return next((topic for topic, synonyms in TOPICS.items() if name in synonyms.split()), "")
