"""Check whether a move is written correctly. This does not check whether the move is legal.

A form, such as `place CARD`, is a pattern for the words of a move. CARD matches a card, and CARD+CARD matches
two cards. NUMBER and PLACE match a number, and SIDE matches the key of a side. At the end of a form,
`CARD...` matches one or more cards, and `...` matches one or more words of any kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet

MORE = "..."
FATE = "fate"
MARK = "#"  # prefix of an option's number in rule sets whose cards are numbers


RANK_NAMES = {
    "ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "10", "nine": "9", "eight": "8", "seven": "7",
    "six": "6", "five": "5", "four": "4", "three": "3", "two": "2",
}  # fmt: skip
ARTICLE = r"(?:the|my|an?)\s+"
RANK_NAME = re.compile(rf"\b(?:{ARTICLE})?({'|'.join(RANK_NAMES)})\b", re.IGNORECASE)
PLEASE = r"(?:please|pls|plz)"
COURTESY = re.compile(
    rf"^\W*{PLEASE}\b[\s,:]*|(?<![\s,])[\s,]+[(\[]?{PLEASE}\W*$"
    r"|(?<![\s,])\s*[,!.]\s*(?:many\s+)?(?:thanks|thank\s+you)\W*$",
    re.IGNORECASE,
)  # at the beginning or at the end of a choice
ARTICLE_BEFORE_RANK = re.compile(r"\b(?:the|my)\s+(?=(?:[akqj]|10|[2-9])\b)", re.IGNORECASE)


def with_short_ranks(text: str) -> str:
    """Write the names of ranks in a choice as options of rank cards do, without an article.

    >>> with_short_ranks("commit the Ace"), with_short_ranks("a ten"), with_short_ranks("my K")
    ('commit A', '10', 'K')
    """
    short = RANK_NAME.sub(lambda match: RANK_NAMES[match[1].casefold()], text)
    return ARTICLE_BEFORE_RANK.sub("", short)


def without_courtesy(text: str) -> str:
    """Remove polite words before and after a choice.

    >>> [without_courtesy(text) for text in ("Please turn", "play KH rally, please", "3, thank you!")]
    ['turn', 'play KH rally', '3']
    """
    return COURTESY.sub("", COURTESY.sub("", text)) or text


def mover_error(move: str, seats: Sequence[str]) -> str:
    """Check that a move begins with the key of a side or with "fate", followed by a choice.

    Returns the text of the error, or "" if the move is well formed.

    >>> mover_error("mary post 7H", ["mike", "mary"])
    ''
    >>> mover_error("york", ["mike", "mary"])
    'expected a move of mike, mary or fate, such as "mike CHOICE"'
    """
    side, _, choice = move.partition(" ")
    if (side in seats or side == FATE) and choice.strip():
        return ""
    return f'expected a move of {", ".join(seats)} or {FATE}, such as "{seats[0]} CHOICE"'


def is_spelled(rules: RuleSet, move: str, seats: Sequence[str]) -> bool:
    """Return True if a move matches one of the rule set's forms, or if the rule set has no forms."""
    side, _, choice = move.partition(" ")
    tokens = choice.split() if side != FATE else move.split()
    return not rules.forms or any(has_form(form.split(), tokens, rules, seats) for form in rules.forms)


def has_form(form: Sequence[str], tokens: Sequence[str], rules: RuleSet, seats: Sequence[str]) -> bool:
    """Return True if the words of a move match a form. `tokens` has the words of the move."""
    *firsts, last = form
    if not last.endswith(MORE):
        firsts, last = list(form), ""
    remaining = tokens[len(firsts) :]
    if len(tokens) < len(firsts) or bool(last) != bool(remaining):
        return False
    wanted = [*firsts, *[last.removesuffix(MORE)] * len(remaining)]
    return all(is_a(kind, word, rules, seats) for kind, word in zip(wanted, tokens, strict=True))


def is_a(kind: str, word: str, rules: RuleSet, seats: Sequence[str]) -> bool:
    """Return True if a word of a move matches `kind`, an element of a form such as CARD or NUMBER."""
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
    """Return the prefix that a player writes before the number of an option.

    The prefix distinguishes the number from a card. If the rule set has no cards that are numbers, the prefix
    is empty.
    """
    return MARK if is_card("7", rules) else ""


@lru_cache(4096)
def is_card(word: str, rules: RuleSet) -> bool:
    """Return True if a word is a card of the rule set. The word can be a name or a number."""
    values = [word, int(word)] if word.isascii() and word.isdigit() and len(word) < 4 else [word]
    for value in values:
        try:
            rules.read_card(value, "")
        except ValueError:
            continue
        return True
    return False


def option_parts(rules: RuleSet, text: str, seats: Sequence[str]) -> dict[str, object]:
    """Split the text of a choice into its parts.

    The first form of the rule set that matches the text determines the kinds of the parts.

    In the result, `verb` is the first word. `cards`, `numbers` and `sides` list the cards, numbers and sides
    in the text, and `words` lists all other parts. Empty lists are left out. The name of a card can have
    several words.
    """
    tokens = text.split()
    forms = forms_by_verb(rules).get(tokens[0].casefold(), [])
    form = next((form for form in forms if has_form(form, tokens, rules, seats)), [])
    kinds = [*form, *form[-1:] * len(tokens)][: len(tokens)] if form else [MORE] * len(tokens)
    parts: dict[str, list[object]] = {"cards": [], "numbers": [], "sides": [], "words": []}
    length = rules.card_name_length(tokens[1:]) if kinds[1:2] == [MORE] else 0
    if length:
        parts["cards"].append(" ".join(tokens[1 : 1 + length]))
    for written, token in zip(kinds[1 + length :], tokens[1 + length :], strict=True):
        kind = kind_of(token, rules, seats) if written == MORE else written
        if kind.startswith("CARD"):
            parts["cards"] += token.split("+")
        elif kind in ("NUMBER", "PLACE"):
            parts["numbers"].append(int(token))
        else:
            parts["sides" if kind == "SIDE" else "words"].append(token)
    return {"verb": tokens[0], **{name: values for name, values in parts.items() if values}}


def kind_of(token: str, rules: RuleSet, seats: Sequence[str]) -> str:
    """Guess the kind of a word that matches "..." in a form.

    The result is SIDE, NUMBER or CARD, or "..." if the word is of another kind.
    """
    if token in seats:
        return "SIDE"
    return next((kind for kind in ("NUMBER", "CARD") if is_a(kind, token, rules, seats)), MORE)


@lru_cache(64)
def forms_by_verb(rules: RuleSet) -> dict[str, list[list[str]]]:
    """Return the forms of choices, split into words, by first word. Random events are left out."""
    forms: dict[str, list[list[str]]] = {}
    for form in rules.forms:
        if not form.startswith(FATE):
            forms.setdefault(form.split()[0], []).append(form.split())
    return forms
