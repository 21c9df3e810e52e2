"""The questions of `campaign new --ask`: name, rule set, factions, places, forces and first battles."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cardbattle.campaign.ledger.roster import is_alike
from cardbattle.campaign.state.fields import rank, read_whole, rule_set_key
from cardbattle.campaign.state.template import RED_AND_BLUE, NewBattle, NewForce, NewPlace, Outline
from cardbattle.cli.asking import question
from cardbattle.cli.options import as_rules
from cardbattle.cli.output import message
from cardbattle.commanders import DEFAULT, RANKS, plug_ins
from cardbattle.core.names import quoted, unknown_word
from cardbattle.files.reader import expect_name
from cardbattle.files.spreadsheet import whole_number
from cardbattle.rules import every, find

if TYPE_CHECKING:
    from cardbattle.campaign.state.template import NewBattle, NewForce, NewPlace, Outline
    from cardbattle.core.ruleset import RuleSet

T = TypeVar("T")


class Answers(NamedTuple):
    """The answers: the campaign's name, rule set, and first factions, places, forces, battles."""

    name: str
    rules: str
    outline: Outline


def ask_outline(name: str, rules: str) -> Answers:
    """Ask all questions about a new campaign on standard error, and return the answers.

    An empty answer accepts the default, or ends a list.

    Raises Abort at the end of input.
    """
    message("Enter accepts the value in brackets or ends a list; Ctrl-C creates no campaign.")
    message("You can change every answer later, in campaign.toml.\n")
    name = question("Name of the campaign", name, expect_name)
    show_rule_sets()
    chosen = find(question("Rule set of its battles", rules, lambda word: rule_set_key(as_rules(str(word)))))
    factions = ask_factions()
    places = ask_places(factions)
    forces = ask_forces(factions, places)
    return Answers(name, chosen.key, Outline(factions, places, forces, ask_battles(chosen, forces, places)))


def show_rule_sets() -> None:
    """List the rule sets with a one-line description of each."""
    message("\nRule sets:")
    for rules in every():
        message(fill(f"  {rules.key:16} {blurb(rules)}", 79, subsequent_indent=" " * 19))


def blurb(rules: RuleSet) -> str:
    """Return the first sentence of more than 30 characters in the introduction of a rule set's rules."""
    text = " ".join(rules.rules_text().split("\n\n")[1].split())
    return next((sentence for sentence in re.split(r"(?<=[.]) ", text) if len(sentence) > 30), text)


def ask_factions() -> list[str]:
    """Ask for the names of the factions, at least two."""
    message("\nWho is at war?")
    texts: list[str] = []
    for number, usual in enumerate(RED_AND_BLUE.factions, 1):
        texts.append(question(f"Faction {number}", usual, new_among(texts)))
    while more := one_more(f"Faction {len(texts) + 1}", new_among(texts)):
        texts.append(more)
    return texts


def ask_places(factions: Sequence[str]) -> list[NewPlace]:
    """Ask for the places, with the value and the owner of each. The list can be empty."""
    message("\nWhat is fought for? A bridge, a town, a throne:")
    new_places: list[NewPlace] = []
    while name := one_more(f"Place {len(new_places) + 1}", new_among([place.name for place in new_places])):
        value = question("  value of the place for its owner", "1", whole(read_whole(0)))
        owner = one_of_these("  whose place it is", factions, "nobody's")
        new_places.append(NewPlace(name, value, owner))
    return new_places


def ask_forces(factions: Sequence[str], places: Sequence[NewPlace]) -> list[NewForce]:
    """Ask for the forces of each faction. A faction must have at least one force."""
    new_forces: list[NewForce] = []
    for number, faction in enumerate(factions):
        message(f"\nThe forces of {faction}:")
        names = [force.name for force in new_forces]
        more: str | None = question("Force 1", f"{faction} vanguard"[:40], new_among(names))
        count = 1
        while more:
            new_forces.append(ask_force(more, number, places))
            count += 1
            more = one_more(f"Force {count}", new_among([force.name for force in new_forces]))
    return new_forces


def ask_force(name: str, faction: int, places: Sequence[NewPlace]) -> NewForce:
    """Ask for the strength, rank and place of a force. `faction` is the index of its faction."""
    strength = question("  strength of the force", "10", whole(read_whole(1)))
    commanders = [*RANKS, *plug_ins()]
    text = f"  commander ({numbered(commanders)})"
    commander = question(text, DEFAULT, lambda answer: rank(from_number(str(answer), commanders)))
    place = one_of_these("  where the force is", [one.name for one in places], "nowhere") if places else None
    return NewForce(name, faction, strength, commander, place)


def ask_battles(rules: RuleSet, forces: Sequence[NewForce], places: Sequence[NewPlace]) -> list[NewBattle]:
    """Ask for the first battles. The user enters the numbers of the forces that fight in each battle."""
    message("\nWho fights first? The forces are:")
    for number, force in enumerate(forces, 1):
        message(f"  {number} {force.name}, strength {force.strength}")

    def numbers(answer: object) -> list[int]:
        return read_numbers(str(answer), rules, len(forces))

    new_battles: list[NewBattle] = []
    while sides := one_more(
        f"Battle {len(new_battles) + 1}, the numbers of its forces, such as 1 2", numbers
    ):
        usual = f"Battle {len(new_battles) + 1}"
        name = question(
            "  a short name, such as t1-bridge", usual, new_among([item.name for item in new_battles])
        )
        stakes = (
            one_of_these("  the place at stake", [item.name for item in places], "nothing")
            if places
            else None
        )
        new_battles.append(NewBattle(name, sides, stakes))
    return new_battles


def new_among(names_in_use: Sequence[str]) -> Callable[[object], str]:
    """Return a function that converts an answer to a name for something new, and returns the name.

    The function raises ValueError if the name is not valid, or differs from one of `names_in_use` only in
    case, accents or punctuation.
    """

    def read(answer: object) -> str:
        name = expect_name(answer)
        for one in names_in_use:
            if is_alike(name, one):
                raise ValueError(f"the name {quoted(one)} is already in use; choose another name")
        return name

    return read


def read_numbers(answer: str, rules: RuleSet, count: int) -> list[int]:
    """Return the indices (from 0) of the forces whose numbers (from 1) an answer lists.

    `count` is the number of all forces. Raises ValueError, which describes a valid answer, if a number is
    above `count` or occurs twice, or if the rule set does not allow this many sides.
    """
    tokens = re.split("[ ,]+", answer.strip())
    numbers = [int(word) if re.fullmatch("[0-9]{1,6}", word) else 0 for word in tokens]
    if not all(1 <= number <= count for number in numbers) or len(set(numbers)) < len(numbers):
        raise ValueError(f"expected numbers from 1 to {count}, each at most once, such as 1 2")
    if not rules.fewest <= len(numbers) <= rules.most:
        raise ValueError(
            f"a battle of {rules.name} has {rules.number_of_sides} sides; enter one number for each side"
        )
    return [number - 1 for number in numbers]


def one_of_these(text: str, names: Sequence[str], none: str) -> int | None:
    """Ask the user to choose one of `names`, by name or number, and return its index (from 0).

    Returns None if the answer is the text in `none`.
    """
    return question(f"{text} ({numbered(names)})", none, lambda answer: read_one_of(str(answer), names, none))


def read_one_of(answer: str, choices: Sequence[str], none: str) -> int | None:
    """Return the index (from 0) of the choice whose name or number (from 1) is the answer.

    Returns None if the answer is the text in `none`. Raises ValueError, which suggests the nearest name, for
    an unknown choice.
    """
    names = [name.casefold() for name in choices]
    for word in (answer.casefold(), from_number(answer, names)):
        if word == none.casefold():
            return None
        if word in names:
            return names.index(word)
    raise ValueError(unknown_word("name", answer, choices))


def numbered(names: Sequence[str]) -> str:
    """Return the names with their numbers, such as `1 Red, 2 Blue`."""
    return ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))


def from_number(answer: str, choices: Sequence[str]) -> str:
    """Return the choice whose number (from 1) is the answer. Any other answer is returned unchanged."""
    is_number = re.fullmatch("[0-9]{1,6}", answer) and 1 <= int(answer) <= len(choices)
    return choices[int(answer) - 1] if is_number else answer


def whole(read: Callable[[object], int]) -> Callable[[object], int]:
    """Return a function that converts an answer to a whole number `n` and returns `read(n)`."""
    return lambda answer: read(whole_number(str(answer)))


def one_more(text: str, read: Callable[[object], T]) -> T | None:
    """Ask for another item of a list, and return it. Return None if the answer is empty: the list ends."""
    return question(f"{text} (Enter: no more)", "", lambda answer: read(answer) if answer else None)
