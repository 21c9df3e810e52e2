"""Suggest words for shell completion. The metavar of an option or argument selects the suggestions.

Suggested keys come from the files of the current campaign and battle, which are read without validation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cardbattle.campaign.phases.names import SUMMARIES
from cardbattle.campaign.state.paths import folder_above, folder_of
from cardbattle.cli.shell.command_tree import summaries
from cardbattle.cli.shell.key_suggestions import SINGLE_TABLES, key_suggestions, value_suggestions
from cardbattle.cli.shell.partial_line import TypedLine, takes_value
from cardbattle.commanders import RANKS, plug_ins
from cardbattle.conformance.case_names import case_names
from cardbattle.core.options import presets_of
from cardbattle.core.telling import DETAILS
from cardbattle.files.reader import table_or_empty
from cardbattle.files.settings import ENGINES, PARSERS, config_file
from cardbattle.files.toml import read_toml
from cardbattle.rules import ALIASES, RULE_SETS, find
from cardbattle.show.pages.topics import title_of, topic_texts
from cardbattle.show.report_styles import STYLES
from cardbattle.show.schemas import schema_index
from cardbattle.story.language import languages

MOST_HELP = 60  # maximum length of the help beside a suggestion


SHELL_NAMES = ("bash", "zsh", "fish", "powershell")


class Suggestion(NamedTuple):
    """A suggested word with a short description."""

    value: str
    help: str = ""


FILES = Suggestion("/")  # placeholder for files and folders, which the shell completes itself


def suggestions_for(line: TypedLine, word: str) -> list[Suggestion]:
    """Return the suggestions at the cursor, where `word` is the beginning of a word.

    If the word can be a file, the placeholder FILES comes first.
    """
    table: dict[str, Suggestion] = {}
    for suggestion in all_suggestions(line, word):
        table.setdefault(suggestion.value, suggestion)
    files = [FILES] if table.pop(FILES.value, None) else []
    return files + [suggestion for suggestion in table.values() if suggestion.value.startswith(word)]


def all_suggestions(line: TypedLine, word: str) -> Iterable[Suggestion]:
    """Return all suggestions at the cursor, even those that do not begin with the typed text."""
    if not line.is_known:
        return []
    if line.awaited is not None:
        return values_of(line, line.awaited, word)
    if word.startswith("-") and not line.has_ended:
        return option_suggestions(line, word)
    if hasattr(line.command, "commands"):
        return [Suggestion(name, summary) for name, summary in summaries(line.command).items()]
    argument = line.next_argument()
    return values_of(line, argument, word) if argument is not None else []


def option_suggestions(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the options of a command. If `word` is OPTION=..., yield the possible values of the option."""
    name, equals, begun = word.partition("=")
    option = line.option(name)
    if equals and option is not None and takes_value(option):
        yield from (Suggestion(f"{name}={flag.value}", flag.help) for flag in values_of(line, option, begun))
        return
    for option in line.options():
        for flag in (*option.opts, *option.secondary_opts):
            if flag.startswith("--") or len(option.opts) == 1:
                yield Suggestion(flag, option.help or "")
    yield Suggestion("--help", "Show the help and exit.")


def values_of(line: TypedLine, parameter: Any, word: str) -> Iterator[Suggestion]:
    metavar = str(parameter.metavar or "")
    if metavar == "FORMAT":
        yield from map(Suggestion, parameter.help.partition(".")[0].replace(" or ", ", ").split(", "))
    for part in metavar.replace("...", "").split("|"):
        bare = part if part in VALUES else part.strip("[]")
        if bare in VALUES:
            yield from VALUES[bare](line, word)
        elif bare in PATHS or bare.endswith((".toml", ".csv")):
            yield FILES


PATHS = ("FILE", "DIR", "FOLDER")


def built_in_rules(line: TypedLine, word: str) -> Iterator[Suggestion]:
    yield from map(Suggestion, RULE_SETS)
    yield from (Suggestion(alias, key) for alias, key in ALIASES.items())


def ranks(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the ranks, and the names of commanders from plug-ins."""
    yield from (Suggestion(name, rank.words) for name, rank in (RANKS | plug_ins()).items())


def levels(line: TypedLine, word: str) -> Iterator[Suggestion]:
    yield from map(Suggestion, DETAILS)


def kinds_of_entry(line: TypedLine, word: str) -> Iterator[Suggestion]:
    from cardbattle.campaign.ledger.history import KINDS  # imports pydantic; only needed for this completion

    yield from map(Suggestion, KINDS)


def toml_in(path: str) -> dict[str, Any]:
    """Return the data of a TOML file. Raises InvalidInput if it cannot be read."""
    return read_toml(os.path.expanduser(path)).data


def campaign_folder(line: TypedLine) -> str:
    """Return the folder of the campaign, or "" without a campaign.

    The folder is the value of -C, or the working directory or nearest folder above it that has a campaign.
    """
    named = line.first_argument("DIR")
    return folder_of(os.path.expanduser(named)) if named else folder_above(".")


def current_campaign(line: TypedLine) -> dict[str, Any]:
    """Return the data of the current campaign. The dict is empty without a campaign."""
    folder = campaign_folder(line)
    return toml_in(os.path.join(folder, "campaign.toml")) if folder else {}


def keys_and_names(data: Mapping[str, Any], table: str) -> Iterator[Suggestion]:
    for key, value in table_or_empty(data.get(table)).items():
        yield Suggestion(key, str(table_or_empty(value).get("name", "")))


def keys_in(table: str) -> Callable[[TypedLine, str], Iterator[Suggestion]]:
    """Return a function that suggests forces, factions or locations of the current campaign."""
    return lambda line, word: keys_and_names(current_campaign(line), table)


def pending_battles(line: TypedLine, word: str) -> Iterator[Suggestion]:
    for battle in current_campaign(line).get("pending", []):
        yield Suggestion(str(battle["id"]), str(battle.get("note", "")))


def keys_of_recorded_battles(line: TypedLine, word: str) -> Iterator[Suggestion]:
    folder = campaign_folder(line)
    records = os.path.join(folder, "records")
    if folder and os.path.isdir(records):
        for name in sorted(os.listdir(records)):
            if name.endswith(".toml"):
                yield Suggestion(name.partition(".")[0], "recorded")


def battle_keys(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield pending battles, recorded battles or both, depending on what the command accepts."""
    if line.command.name not in ("undo", "history"):
        yield from pending_battles(line, word)
    if line.command.name not in ("fight", "export", "cancel", "edit"):
        yield from keys_of_recorded_battles(line, word)


def ledger_subjects(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the keys of forces, factions, places and battles, about which the ledger can have entries."""
    data = current_campaign(line)
    for table in ("forces", "factions", "locations"):
        yield from keys_and_names(data, table)
    yield from battle_keys(line, word)


def battle_on_line(line: TypedLine) -> dict[str, Any]:
    """Return the table of the battle that the line names, with its `sides`, and its `rules` if known."""
    name = line.first_argument("RULES|BATTLE.toml", "ID.battle.toml", "RECORD.toml", "RULES", "BATTLE")
    if "BATTLE" in line.given:
        return pending_table(current_campaign(line), name)
    if name.endswith(".toml"):
        return toml_in(name)
    return {"rules": name, "sides": {key: {} for key in find(name).default_sides}} if name else {}


def pending_table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a pending battle in the form of a battle file, with its sides by key."""
    battles = [battle for battle in data.get("pending", []) if battle.get("id") == name]
    battle_table = battles[0] if battles else {}
    keys = [side[0] if isinstance(side, list) else side for side in battle_table.get("sides", [])]
    forces = table_or_empty(data.get("forces"))
    return {"sides": {key: table_or_empty(forces.get(key)) for key in keys}}


def side_keys(line: TypedLine, word: str) -> Iterator[Suggestion]:
    yield from keys_and_names(battle_on_line(line), "sides")


def sides_with_ranks(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield sides followed by `=`. After the `=`, yield the names of commanders."""
    side, equals, _ = word.partition("=")
    if equals:
        yield from (
            Suggestion(f"{side}={suggestion.value}", suggestion.help) for suggestion in ranks(line, word)
        )
    else:
        yield from (
            Suggestion(f"{suggestion.value}=", suggestion.help) for suggestion in side_keys(line, word)
        )


def sides_with_equals(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield sides followed by `=`, for commands that expect losses or a nonce after the `=`."""
    yield from (Suggestion(f"{key.value}=", key.help) for key in side_keys(line, word))


def setting_keys(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield sides and `house`, followed by a dot. After the dot, yield side options or house rules."""
    table = battle_on_line(line)
    owner, dot, _ = word.partition(".")
    if not dot:
        yield from (Suggestion(f"{key}.") for key in ("house", *table_or_empty(table.get("sides"))))
    elif isinstance(table.get("rules"), str):
        chosen = find(table["rules"])
        settings = chosen.house if owner == "house" else chosen.options
        yield from (Suggestion(f"{owner}.{key}=", option.help) for key, option in settings.items())


def preset_names(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the presets of the rule set on the line. If the line has none, yield all presets."""
    named = battle_on_line(line).get("rules")
    for key in [named] if isinstance(named, str) else RULE_SETS:
        yield from (Suggestion(name, each.help) for name, each in presets_of(find(key).house).items())


def value_keys(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the next part of a key in campaign.toml.

    After `=`, `+=` or `-=`, yield the possible values of the key.
    """
    data, prefix = current_campaign(line), key_prefix(line)
    key, equals, _ = word.partition("=")
    earlier = line.given.get("KEY=VALUE", [])
    if equals:
        offers = value_suggestions(data, key.rstrip("+-"), prefix)
        yield from (Suggestion(f"{key}={offer.value}", offer.help) for offer in offers)
    elif line.command.name == "set" and len(earlier) == 1 and "=" not in earlier[0]:
        yield from (Suggestion(*offer) for offer in value_suggestions(data, earlier[0]))
    else:
        yield from (Suggestion(*offer) for offer in key_suggestions(data, word, prefix=prefix))


def key_prefix(line: TypedLine) -> list[str]:
    """Return the path of the battle or table to which the keys on the line belong, or an empty path."""
    if line.command.name == "edit":
        return ["pending", line.first_argument("BATTLE")]
    if line.command.name == "table":
        name = line.first_argument("TABLE")
        return [*name.split("."), *(["*"] if "." in name else [])]
    if line.path[-2:-1] != ["add"]:
        return []
    single = {"fixtures": ["fixtures"], "weather": ["weather", "table", "*"]}
    return single.get(line.command.name, [line.command.name, "*"])


def addresses(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the possible values of a KEY argument.

    For `unset`, `remove` and `edit`, the values are keys of campaign.toml. For other commands, the values are
    the keys of forces, factions, places and battles.
    """
    if line.command.name in ("unset", "remove", "edit"):
        offers = key_suggestions(current_campaign(line), word, "", key_prefix(line))
        yield from (Suggestion(*offer) for offer in offers)
    else:
        yield from ledger_subjects(line, word)


def conditions(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield conditions for --where: keys of the tables that the line names, and after a `=` the values."""
    address = line.first_argument("KEY=VALUE", "KEY")
    prefix = ["pending", "*"] if "BATTLE" in line.given else [address.partition(".")[0], "*"]
    data = current_campaign(line)
    key, equals, _ = word.partition("=")
    if equals:
        offers = value_suggestions(data, key, prefix)
        yield from (Suggestion(f"{key}={offer.value}", offer.help) for offer in offers)
    else:
        yield from (Suggestion(*offer) for offer in key_suggestions(data, word, prefix=prefix))


def tables_to_add(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the names of the tables that `campaign add table` can add."""
    yield from map(Suggestion, SINGLE_TABLES)


def shells(line: TypedLine, word: str) -> Iterator[Suggestion]:
    yield from map(Suggestion, SHELL_NAMES)


def comparisons(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the possible values of `odds --compare`."""
    yield from map(Suggestion, ("ranks", "presets"))


def user_settings(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the names of the user's settings, including the engines in the configuration file."""
    yield from map(Suggestion, PARSERS)
    yield Suggestion(f"{ENGINES}.")
    if os.path.exists(config_file()):
        yield from (Suggestion(f"{ENGINES}.{name}") for name in toml_in(config_file()).get(ENGINES, {}))


def phases_of_turn(line: TypedLine, word: str) -> Iterator[Suggestion]:
    yield from (Suggestion(name, summary) for name, summary in SUMMARIES.items())


def report_styles(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the values of `campaign report --style`."""
    yield from (Suggestion(name, summary) for name, summary in STYLES.items())


def report_languages(line: TypedLine, word: str) -> Iterator[Suggestion]:
    yield from map(Suggestion, languages())


def help_topics(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the help topics, rule sets and commands, or the commands of the group on the line."""
    command = line.root
    for name in line.given.get("TOPIC", []):
        command = command.commands[name]
    if command is line.root:
        yield from (Suggestion(key, title_of(text)) for key, text in topic_texts().items())
        yield from built_in_rules(line, word)
    yield from (Suggestion(name, summary) for name, summary in summaries(command).items())


def schema_names(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the names of JSON Schemas: kinds of files, or the next word of a command or message."""
    before = line.given.get("SCHEMA", [])
    index = schema_index()
    if not before:
        yield from (Suggestion(name, text) for name, text in index.files.items())
    commands = [name.split() for name in (*index.outputs, *index.messages)]
    following = {words[len(before)] for words in commands if words[: len(before)] == before != words}
    yield from map(Suggestion, sorted(following))


def cases_of_the_suite(line: TypedLine, word: str) -> Iterator[Suggestion]:
    yield from (Suggestion(name, title) for name, title in case_names())


def positions_of_the_suite(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the names of the positions that `cases perft` counts."""
    yield from (Suggestion(name, title) for name, title in case_names("perft"))


def suggest_joined_forces(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the forces that the user has typed, joined by plus signs, with one more force at the end."""
    before = word.rpartition("+")[0]
    joined = before.split("+") if before else []
    for force in keys_in("forces")(line, word):
        if force.value not in joined:
            yield Suggestion("+".join([*joined, force.value]), force.help)


def order_words(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the next word of an order to move: first the verb, then a place or a force."""
    earlier = line.given.get("ORDER", [])
    if not earlier:
        yield Suggestion("hold", "stay in place")
        yield Suggestion("march", "march to a place by the shortest way")
        yield Suggestion("join", "march to the place that another force reaches")
        if "recruit" in current_campaign(line):
            yield Suggestion("hire", "hire soldiers at the end of the turn")
    elif earlier[-1] == "march":
        yield Suggestion("to")
    elif earlier[-1] in ("to", "via", "->"):
        yield from keys_in("locations")(line, word)
    elif earlier[-1] == "join":
        yield from keys_in("forces")(line, word)


def forces_with_places(line: TypedLine, word: str) -> Iterator[Suggestion]:
    """Yield the keys of forces. After an equals sign, yield the keys of places."""
    force, equals, _ = word.partition("=")
    if not equals:
        yield from (each._replace(value=f"{each.value}=") for each in keys_in("forces")(line, word))
    else:
        places = keys_in("locations")(line, word)
        yield from (each._replace(value=f"{force}={each.value}") for each in places)


VALUES: Mapping[str, Callable[[TypedLine, str], Iterator[Suggestion]]] = {
    "RULES": built_in_rules,
    "KEY[=COMMANDER]": sides_with_ranks,
    "SIDE.OPTION=VALUE": setting_keys,
    "PRESET": preset_names,
    "SIDE=FRACTION": sides_with_equals,
    "SIDE=N": sides_with_equals,
    "SIDE=NONCE": sides_with_equals,
    "SIDE": side_keys,
    "LEVEL": levels,
    "KIND": kinds_of_entry,
    "KEY": addresses,
    "KEY=VALUE": value_keys,
    "CONDITION": conditions,
    "BATTLE": battle_keys,
    "FORCE": keys_in("forces"),
    "FACTION": keys_in("factions"),
    "PLACE": keys_in("locations"),
    "FORCE[+FORCE]": suggest_joined_forces,
    "ORDER": order_words,
    "TABLE": tables_to_add,
    "FORCE=PLACE": forces_with_places,
    "RANK": ranks,
    "COMMANDER": ranks,
    "SHELL": shells,
    "SETTING": user_settings,
    "WHAT": comparisons,
    "TOPIC": help_topics,
    "SCHEMA": schema_names,
    "CASE": cases_of_the_suite,
    "POSITION": positions_of_the_suite,
    "PHASE": phases_of_turn,
    "STYLE": report_styles,
    "LANG": report_languages,
}
LETTERS = re.compile(r"[\w.=:%+/-]+")


def is_plain_suggestion(offer: Suggestion) -> bool:
    """Return True if a suggestion needs no quotes in any shell."""
    return LETTERS.fullmatch(offer.value) is not None and offer.value.isascii()
