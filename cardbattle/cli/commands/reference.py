"""The commands `rules`, `commanders` and `help`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardbattle.cli import options
from cardbattle.cli.parameters import argument
from cardbattle.cli.run import ALL, WITH_NUMBERS, CommandGroup, Printer
from cardbattle.cli.shell.synonyms import suggest_topic
from cardbattle.cli.shell.usage_errors import PROGRAM, command_paths
from cardbattle.core.errors import UsageError
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.rules import ALIASES, RULE_SETS, every, find
from cardbattle.show.pages.reference import commanders_page, rule_sets_page, rules_page
from cardbattle.show.pages.topics import topic_page, topic_texts, topics_page, usage_page

if TYPE_CHECKING:
    from cardbattle.show.document import Document

COMMANDS = CommandGroup()


@COMMANDS.command("cardbattle rules\ncardbattle rules field-of-honour -o rules.html", ALL)
def rules_command(
    to: Printer,
    name: Annotated[
        str, argument("RULES", "A rule set.  [default: list all rule sets]", callback=options.as_rules)
    ] = "",
) -> None:
    """Print the numbered rules of a rule set, or list all rule sets.

    The output also has the rulings on unclear rules, house rules, side options and credits.
    """
    to.show(rules_page(find(name)) if name else rule_sets_page(every()))


@COMMANDS.command("cardbattle commanders\ncardbattle commanders --format csv -o commanders.csv", WITH_NUMBERS)
def commanders_command(to: Printer) -> None:
    """List the commanders and how strong they are."""
    to.show(commanders_page())


@COMMANDS.command("cardbattle help battle-files\ncardbattle help campaign fight", ALL)
def help_command(
    context: typer.Context,
    to: Printer,
    topic: Annotated[
        list[str] | None,
        argument(
            "TOPIC", "A topic, a rule set or a command.  [default: list all topics]", callback=options.as_keys
        ),
    ] = None,
) -> None:
    """Explain a topic, a rule set or a command.

    If TOPIC is a command, the command prints the same text as with --help.
    """
    root = context.find_root().command
    tokens = " ".join(topic or []).split()
    key = "-".join(tokens)
    if not tokens:
        to.show(topics_page())
    elif key in topic_texts():
        to.show(topic_page(key))
    else:
        to.show(usage_of(path_named(tokens, root), root) or rules_of(tokens, root))


def path_named(tokens: list[str], root: Any) -> list[str]:
    """Return the whole name of the only command whose name ends with these words, or the same words."""
    same = commands_ending(tokens, root)
    return same[0].split() if len(same) == 1 and not usage_of(tokens, root) else tokens


def commands_ending(tokens: list[str], root: Any) -> list[str]:
    """Return the names of the commands, such as `campaign report`, that end with these words."""
    commands = [path.removeprefix(f"{PROGRAM} ") for path in command_paths(root, PROGRAM)]
    return [path for path in commands if path.endswith(f" {' '.join(tokens)}")]


def usage_of(path: list[str], root: Any) -> Document | None:
    """Return the help of the command with this name, or None for an unknown command."""
    command, above = root, None
    for name in ["cardbattle", *path[path[0] == "cardbattle" :]]:
        if above is not None:
            command = getattr(command, "commands", {}).get(name)
        if command is None:
            return None
        above = command.context_class(command, parent=above, info_name=name, **command.context_settings)
    return usage_page(above.command_path, command.get_help(above)) if above is not None else None


def rules_of(tokens: list[str], root: Any) -> Document:
    """Return the rules page of the rule set whose key or name these words are.

    Raises UsageError, which suggests the nearest topic, rule set or command, for any other words.
    """
    try:
        return rules_page(find("-".join(tokens)))
    except UsageError:
        name = " ".join(tokens)
        commands = [path.removeprefix(f"{PROGRAM} ") for path in command_paths(root, PROGRAM)]
        near = nearest(name, [*topic_texts(), *RULE_SETS, *ALIASES, *commands])
        topic = suggest_topic("-".join(tokens))
        suggestions = commands_ending(tokens, root) or ([topic] if topic else [])
        hint = f"; did you mean {listed(map(quoted, suggestions), 'or')}?" if suggestions else near
        hint = hint or "; cardbattle help lists the topics"
        raise UsageError(f"there is no help on {quoted(name)}{hint}") from None
