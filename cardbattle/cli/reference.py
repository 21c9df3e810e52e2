"""rules, commanders: what there is to fight by and who can command."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.output import as_json

if TYPE_CHECKING:
    from cardbattle.core.options import Option
    from cardbattle.core.ruleset import RuleSet

FORMATS = ("text", "plain", "json", "md")
NUMBERED = re.compile(r"^- \*\*([A-Z]+-\w+)\*\* (.*(?:\n  .*)*)", re.MULTILINE)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(epilog="Example: cardbattle rules field-of-honour")(rules)
    app.command(epilog="Example: cardbattle commanders")(commanders)


def rules(
    name: Annotated[
        str, typer.Argument(metavar="[RULES]", help="A rule set; without one all are listed.")
    ] = "",
    format: options.Format = "text",
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Print the rules of a rule set, numbered, with rulings, house rules and credit."""
    from cardbattle.rules import every, find

    form = options.read_format(format, json, FORMATS)
    chosen = [find(name)] if name else every()
    if form == "json":
        facts = [facts_of(one, whole=bool(name)) for one in chosen]
        sys.stdout.write(as_json({"schema": 1, **(facts[0] if name else {"rule_sets": facts})}))
    elif form in ("plain", "md"):
        listed = "".join(f"{one.key}: {one.name}. {one.credit}\n" for one in chosen)
        sys.stdout.write(f"{chosen[0].rules_text()}{options_text(chosen[0])}" if name else listed)
    else:
        show_rules(chosen, bool(name), no_color)


def show_rules(chosen: list[RuleSet], whole: bool, no_color: bool) -> None:
    """Print one rule set's rules and options, or a list of all, in the terminal."""
    from rich.text import Text

    from cardbattle.show import lists, rulebook
    from cardbattle.show.console import console
    from cardbattle.show.layout import measure, ruled, write

    screen = console(sys.stdout, False if no_color else None)
    if whole:
        rulebook.rules_text(chosen[0], screen)
        for title, known in (("House rules", chosen[0].house), ("Side options", chosen[0].options)):
            write([Text(), *ruled(Text(title, "bold"), Text(), measure(screen), screen), Text()], screen)
            rows = [
                [word, option.expects(), default_text(option), option.help] for word, option in known.items()
            ]
            lists.columns(["key", "expects", "default", ""], rows, screen)
        return
    rows = [
        [
            one.key,
            one.name,
            f"{one.fewest} to {one.most}" if one.most > one.fewest else str(one.most),
            one.credit,
        ]
        for one in chosen
    ]
    lists.columns(["rules", "name", "sides", "credit"], rows, screen)


def default_text(option: Option) -> str:
    """Return an option's default as a person reads it."""
    value = option.default
    if value is None:
        return "-"
    written = option.write(value)
    if isinstance(written, bool):
        return "true" if written else "false"
    return " ".join(map(str, written)) if isinstance(written, list) else str(written)


def options_text(chosen: RuleSet) -> str:
    """Return the house rules and side options as Markdown."""
    lines = []
    for title, known in (("House rules", chosen.house), ("Side options", chosen.options)):
        lines += ["", f"## {title}", ""]
        for word, option in known.items():
            lines.append(f"- `{word}`: {option.help}; {option.expects()}, default {default_text(option)}")
    return "\n".join([*lines, ""])


def facts_of(chosen: RuleSet, whole: bool) -> dict[str, object]:
    """Return what JSON says of a rule set, with its rules if the `whole` is wanted."""
    facts: dict[str, object] = {
        "key": chosen.key,
        "name": chosen.name,
        "version": chosen.version,
        "sides": [chosen.fewest, chosen.most],
        "default_sides": list(chosen.default_sides),
        "credit": chosen.credit,
        "house": option_facts(chosen.house),
        "options": option_facts(chosen.options),
    }
    if whole:
        found = NUMBERED.findall(chosen.rules_text())
        facts["rules"] = [{"number": number, "text": " ".join(text.split())} for number, text in found]
    return facts


def option_facts(known: Mapping[str, Option]) -> dict[str, object]:
    """Return what JSON says of options."""
    return {
        word: {
            "kind": option.kind,
            "expects": option.expects(),
            "default": None if option.default is None else option.write(option.default),
            "help": option.help,
        }
        for word, option in known.items()
    }


def commanders(
    format: options.Format = "text", json: options.Json = False, no_color: options.NoColor = False
) -> None:
    """Print who can command, and how strong they are."""
    from cardbattle.commanders import DEFAULT, ORDERS, ORDERS_WORDS, RANKS
    from cardbattle.commanders.strength import EXPLAINED, MEASURED, PAIRINGS

    form = options.read_format(format, json, FORMATS)
    known = {name: rank.words for name, rank in RANKS.items()} | {ORDERS: ORDERS_WORDS}
    strength = {key: dict(zip(PAIRINGS, shares, strict=True)) for key, shares in MEASURED.items()}
    if form == "json":
        sys.stdout.write(
            as_json({"schema": 1, "default": DEFAULT, "commanders": known, "strength": strength})
        )
    elif form == "text":
        from cardbattle.show import lists
        from cardbattle.show.console import console

        screen = console(sys.stdout, False if no_color else None)
        lists.commanders(screen)
        screen.print(f"\n{EXPLAINED}\n")
        rows = [[key, *("-" if share is None else str(share) for share in MEASURED[key])] for key in MEASURED]
        lists.columns(["rules", *PAIRINGS], rows, screen, (1, 2, 3))
    else:
        bullet = "- " if form == "md" else ""
        sys.stdout.writelines(f"{bullet}{name}: {words}\n" for name, words in known.items())
        for key, shares in strength.items():
            told = [f"{pair} {share}%" for pair, share in shares.items() if share is not None]
            sys.stdout.write(f"{bullet}{key}: {', '.join(told)}\n")
