"""Find the forces, factions and places that players name."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Container, Mapping, Sequence
from itertools import pairwise

from cardbattle.campaign.ledger.roster import (
    ARTICLES,
    is_alike,
    is_alike_without_article,
    is_beginning,
    is_part,
    name_words,
)
from cardbattle.core.names import nearest, quoted, write_one_of

SMALL = (
    *ARTICLES, "and", "at", "in", "of", "on", "to",
    "am", "de", "del", "der", "des", "du", "im", "vom", "von", "zum", "zur",
)  # words that do not name a force or a place  # fmt: skip
SIMILAR = 0.85  # how similar a word must be to a word of a force's name, for difflib
SHORTEST_SIMILAR = 5  # letters of such a word; `play` is similar to `lay`


class NotOnMap(ValueError):
    """An order for a force that can have none."""


class LostForce(NotOnMap):
    """An order for a force of the sender that has gone to another faction."""


class UnknownForce(ValueError):
    """An order for an unknown force of an unknown player. Only the umpire reads the nearest force's name."""

    def __init__(self, text: str, hint: str) -> None:
        super().__init__(text)
        self.hint = hint


def find_named(names: Mapping[str, str], word: str, kind: str) -> str:
    """Return the key of the thing that `word` names, given a dict from keys to names.

    The word can be the key, the name or some words of the name. Capitals, accents, punctuation and a leading
    article do not matter. Raises ValueError, with the nearest name as a suggestion, if no name or several
    names match. `kind` is the kind of thing for the error, such as `force`.
    """
    key = word.lower()
    if key in names:
        return key
    matches = (
        [key for key, name in names.items() if is_alike(name, word)]
        or [key for key, name in names.items() if is_alike_without_article(name, word)]
        or [key for key, name in names.items() if is_part(word, key, name)]
    )
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise ValueError(ambiguity(word, matches))
    hint = nearest(word, [*names, *names.values()]) or write_one_of(list(names))
    raise ValueError(f"unknown {kind} {quoted(with_bracket(word))}{hint}")


def find_force(names: Mapping[str, str], word: str, kind: str = "force") -> str:
    """Return the key of the force that `word` names, as `find_named` does, or that its words begin.

    `punts` and `Punt Fl.` mean `The Punt Fleet`. Raises ValueError if no force or several forces match.
    """
    begun = [key for key, name in names.items() if is_beginning(word, key, name)]
    try:
        return find_named(names, word, kind)
    except ValueError as error:
        if len(begun) == 1 and not is_ambiguous(error):
            return begun[0]
        if begun and not is_ambiguous(error):
            raise ValueError(ambiguity(word, begun)) from None
        raise


def ambiguity(word: str, keys: Sequence[str]) -> str:
    """Return the error for a word that can mean several things, which are given by their keys."""
    return f"{quoted(word)} is ambiguous; write a key: {', '.join(keys)}"


def is_ambiguous(error: ValueError) -> bool:
    """Return True if an error says that a word can mean several things."""
    return "is ambiguous" in str(error)


def distinct_words(*names: str) -> set[str]:
    """Return the words of keys and names, in lower case and without articles and prepositions."""
    return {*name_words(*names)}.difference(SMALL)


def with_bracket(text: str) -> str:
    """Return a text whose end was stripped with its closing bracket again.

    >>> with_bracket("hold (unless attacked")
    'hold (unless attacked)'
    """
    return f"{text})" if text.rfind("(") > text.rfind(")") else text


def positions_in(spoken: Sequence[str], words: Container[str]) -> list[int]:
    """Return the positions of spoken words that are in `words`, alone or joined with the next word.

    >>> positions_in(["the", "goat", "boys", "go"], {"goatboys"})
    [1, 2]
    """
    alone = {at for at, word in enumerate(spoken) if word in words}
    joined = (at for at, pair in enumerate(pairwise(spoken)) if "".join(pair) in words)
    return sorted(alone.union(*({at, at + 1} for at in joined)))


def is_similar(word: str, name: Collection[str]) -> bool:
    """Return True if a word is probably one of a name. A short word must differ only by an `s` at the end."""
    if f"{word}s" in name or word.removesuffix("s") in name:
        return True
    return len(word) >= SHORTEST_SIMILAR and bool(difflib.get_close_matches(word, name, 1, SIMILAR))
