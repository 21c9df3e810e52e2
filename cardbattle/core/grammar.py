"""Grammatical number: whether a name is singular or plural, and which form of a word agrees with it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from cardbattle.core.names import listed

PLURALS_IN_NAMES = frozenset((
    "archers", "axemen", "bandits", "borderers", "bowmen", "brigands", "children", "clansmen", "corsairs",
    "cossacks", "crossbowmen", "crusaders", "cuirassiers", "dragoons", "folk", "fusiliers", "grenadiers",
    "guards", "guardsmen", "gunners", "highlanders", "horsemen", "huntsmen", "hussars", "irregulars",
    "janissaries", "knights", "lancers", "legionaries", "levies", "marines", "men", "mercenaries",
    "musketeers", "outlaws", "people", "pikemen", "pioneers", "pirates", "raiders", "rangers", "rebels",
    "reivers", "riders", "riflemen", "rovers", "scouts", "skirmishers", "spearmen", "swordsmen",
    "tribesmen", "troopers", "troops", "volunteers", "warriors", "women", "yeomen",
))  # fmt: skip
ARTICLES = ("The", "the")
SINGULAR_ENDINGS = ("ss", "is", "us", "'s")  # the Albatross, the Tardis, Marcus
LONE_PLURAL = re.compile(r"[^\W\d_]*([bcdgklmnprtw]s|(ch|sh|x|v|i|e|o)es)", re.IGNORECASE)


class Noun(str):
    """A name with its grammatical number; without `plural`, the number is guessed from the name.

    >>> Noun("Goblins").is_plural, Noun("Goblins", plural=False).is_plural
    (True, False)
    """

    is_plural: bool

    def __new__(cls, text: str, plural: bool | None = None) -> Noun:
        """Create a name; `plural` overrides the guess."""
        noun = super().__new__(cls, text)
        noun.is_plural = is_plural(text) if plural is None else plural
        return noun


def is_plural(name: str) -> bool:
    """Return True if a name takes a plural verb: from a `Noun`, or by a guess."""
    return name.is_plural if isinstance(name, Noun) else guess_plural(name)


@lru_cache(maxsize=1000)
def guess_plural(name: str) -> bool:
    """Guess whether a name is plural, such as The Stragglers, Massie's Dragoons, Percy and Douglas.

    A name without any sign of a plural counts as singular.

    >>> [guess_plural(name) for name in ("The King's men", "Kelp Riders", "Goblins")]
    [True, True, True]
    >>> [guess_plural(name) for name in ("The King of Man", "John Rogers", "The Tardis", "Wales")]
    [False, False, False, False]
    """
    if re.search(r" (and|&) ", name):
        return True
    head = re.split(r" of | with | at | from ", name)[0].split()
    if not head:
        return False
    last, before = head[-1], head[:-1]
    if last.lower() in PLURALS_IN_NAMES:
        return True
    if not last.endswith("s") or last.endswith(SINGULAR_ENDINGS):
        return False
    if not before:
        return LONE_PLURAL.fullmatch(last) is not None
    is_group = before[0] in ARTICLES or any(word.endswith(("'s", "s'")) for word in before)
    return is_group or last.islower() or any(char.isdigit() for char in before[0])


def choose_form(forms: str, plural: bool) -> str:
    """Return the singular or plural of two forms separated by a bar.

    Text without a bar has one form for both.

    >>> choose_form("holds|hold", plural=False), choose_form("its|their", plural=True)
    ('holds', 'their')
    """
    singular, bar, several = forms.partition("|")
    return several if plural and bar else singular


def number_words(name: Noun, written: bool | None) -> str:
    """Describe whether a name is singular or plural, and whether the file says this or it is a guess.

    >>> number_words(Noun("Goblins"), None), number_words(Noun("Athens", False), False)
    ('Goblins is plural (guessed)', 'Athens is singular (as written)')
    """
    source = "guessed" if written is None else "as written"
    return f"{name} is {'plural' if name.is_plural else 'singular'} ({source})"


def with_verb(name: str, forms: str) -> str:
    """Return a name followed by the verb form that agrees with it.

    >>> with_verb("York", "is|are"), with_verb("The Scots", "is|are")
    ('York is', 'The Scots are')
    """
    return f"{name} {choose_form(forms, is_plural(name))}"


def together(names: Iterable[str]) -> Noun:
    """Join names for a sentence, keeping a name such as "Percy and Douglas" apart; the result is plural.

    A single name keeps its number.

    >>> together(["York", "Percy and Douglas"])
    'York, and Percy and Douglas'
    """
    nouns = list(names)
    if len(nouns) == 1:
        return Noun(nouns[0], is_plural(nouns[0]))
    if not any(" and " in name for name in nouns):
        return Noun(listed(nouns), plural=True)
    return Noun(f"{', '.join(nouns[:-1])}, and {nouns[-1]}", plural=True)


def mid_sentence(name: str) -> Noun:
    """Return a name for use inside a sentence.

    >>> mid_sentence("The Crown"), mid_sentence("Theodoric")
    ('the Crown', 'Theodoric')
    """
    return Noun(f"the {name[4:]}" if name.startswith("The ") else name, is_plural(name))
