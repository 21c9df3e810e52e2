"""Check the notation of a move: whether a rule set could have such a move, legal now or not.

A form is a pattern for the words of a move: CARD matches a card, NUMBER and PLACE a number, SIDE a side's
key, CARD+CARD two cards. Dots at the end match more words: `CARD...` matches cards, `...` anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet

MORE = "..."
FATE = "fate"
MARK = "#"  # prefix of an option's number in rule sets whose cards are numbers


def mover_error(move: str, seats: Sequence[str]) -> str:
    """Return why a text is not a move of one of these sides or a random event, or "".

    >>> mover_error("mary post 7H", ["mike", "mary"])
    ''
    >>> mover_error("york", ["mike", "mary"])
    'expected a move of mike, mary or fate, such as "mike CHOICE"'
    """
    side, _, choice = move.partition(" ")
    if side in (*seats, FATE) and choice.strip():
        return ""
    return f'expected a move of {", ".join(seats)} or {FATE}, such as "{seats[0]} CHOICE"'


def is_spelled(rules: RuleSet, move: str, seats: Sequence[str]) -> bool:
    """Return True if a move has one of the rule set's forms, or if the rule set has none."""
    side, _, choice = move.partition(" ")
    tokens = choice.split() if side != FATE else move.split()
    return not rules.forms or any(has_form(form.split(), tokens, rules, seats) for form in rules.forms)


def has_form(form: Sequence[str], tokens: Sequence[str], rules: RuleSet, seats: Sequence[str]) -> bool:
    """Return True if the words have this form."""
    *firsts, last = form
    if not last.endswith(MORE):
        firsts, last = list(form), ""
    remaining = tokens[len(firsts) :]
    if len(tokens) < len(firsts) or bool(last) != bool(remaining):
        return False
    wanted = [*firsts, *[last.removesuffix(MORE)] * len(remaining)]
    return all(is_a(kind, word, rules, seats) for kind, word in zip(wanted, tokens, strict=True))


def is_a(kind: str, word: str, rules: RuleSet, seats: Sequence[str]) -> bool:
    """Return True if a word matches this word of a form."""
    if not kind:
        return True
    if kind == "SIDE":
        return word.casefold() in seats
    if kind in ("NUMBER", "PLACE"):
        return word.isascii() and word.isdigit()
    if "CARD" not in kind:
        return word.casefold() == kind
    cards = word.split("+")
    return len(cards) == kind.count("CARD") and all(is_card(card, rules) for card in cards)


def number_mark(rules: RuleSet) -> str:
    """Return the prefix of an option's number: not empty in rule sets whose cards can be numbers."""
    return MARK if is_card("7", rules) else ""


def is_card(word: str, rules: RuleSet) -> bool:
    """Return True if a word names a card of the rule set, whose cards may be numbers."""
    values = [word, int(word)] if word.isascii() and word.isdigit() and len(word) < 4 else [word]
    for value in values:
        try:
            rules.read_card(value, "")
        except ValueError:
            continue
        return True
    return False
