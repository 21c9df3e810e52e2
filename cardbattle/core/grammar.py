"""Decide whether a name is singular or plural, and choose forms of words that agree with the name."""

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
SINGULAR_IN_MEN = frozenset(("bremen", "omen", "regimen", "specimen", "stamen", "yemen"))
SINGULAR_ENDINGS = ("ss", "is", "us", "'s")  # endings of singular names, such as Albatross, Tardis and Marcus
LONE_PLURAL = re.compile(r"[^\W\d_]*([bcdgklmnprtw]s|(ch|sh|x|v|i|e|o)es)", re.IGNORECASE)


class Noun(str):
    """A name that knows whether it is singular or plural.

    If `plural` is None, the class guesses it from the name.

    >>> Noun("Goblins").is_plural, Noun("Goblins", plural=False).is_plural
    (True, False)
    """

    is_plural: bool

    def __new__(cls, text: str, plural: bool | None = None) -> Noun:
        """Create a name. `plural` says whether the name is plural. If `plural` is None, guess."""
        noun = super().__new__(cls, text)
        noun.is_plural = is_plural(text) if plural is None else plural
        return noun


def is_plural(name: str) -> bool:
    """Return True if a name takes a plural verb.

    A `Noun` stores whether the name is plural. For any other name, the function guesses.
    """
    return name.is_plural if isinstance(name, Noun) else guess_plural(name)


@lru_cache(maxsize=1000)
def guess_plural(name: str) -> bool:
    """Guess whether a name is plural, as "The Stragglers" and "Percy and Douglas" are.

    If nothing in the name shows that it is plural, the result is False.

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
    word = last.lower().rpartition("-")[2]
    if word in PLURALS_IN_NAMES:
        return True
    has_plural_ending = word.endswith("men") and word not in SINGULAR_IN_MEN
    if not has_plural_ending and (not last.endswith("s") or last.endswith(SINGULAR_ENDINGS)):
        return False
    if not before:
        return LONE_PLURAL.fullmatch(last) is not None
    is_group = before[0] in ARTICLES or any(word.endswith(("'s", "s'")) for word in before)
    return is_group or last.islower() or any(char.isdigit() for char in before[0])


def choose_form(forms: str, plural: bool) -> str:
    """Return the singular or the plural form from a text such as "holds|hold".

    If the text has no bar, it is used for both.

    >>> choose_form("holds|hold", plural=False), choose_form("its|their", plural=True)
    ('holds', 'their')
    """
    singular, bar, several = forms.partition("|")
    return several if plural and bar else singular


def number_words(name: Noun, written: bool | None) -> str:
    """Return a sentence that says whether a name is singular or plural, and how the program knows this.

    `written` is the value that the campaign gives, or None if the program has guessed.

    >>> number_words(Noun("Goblins"), None), number_words(Noun("Athens", False), False)
    ('Goblins is plural (guessed)', 'Athens is singular (as written)')
    """
    source = "guessed" if written is None else "as written"
    return f"{name} is {'plural' if name.is_plural else 'singular'} ({source})"


def with_verb(name: str, forms: str) -> str:
    """Return a name, followed by the form of the verb that agrees with the name.

    >>> with_verb("York", "is|are"), with_verb("The Scots", "is|are")
    ('York is', 'The Scots are')
    """
    return f"{name} {choose_form(forms, is_plural(name))}"


def with_article(word: str) -> str:
    """Return a lower-case word with `a` or `an` before it.

    >>> with_article("elite"), with_article("veteran")
    ('an elite', 'a veteran')
    """
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def together(names: Iterable[str]) -> Noun:
    """Join names with commas and "and".

    If one of the names contains "and", there is also a comma before the last "and".

    Several names together are plural. A single name is returned unchanged, and stays singular or plural.

    >>> together(["York", "Percy and Douglas"])
    'York, and Percy and Douglas'
    """
    nouns = list(names)
    if len(nouns) == 1:
        return Noun(nouns[0], is_plural(nouns[0]))
    if not any(" and " in name for name in nouns):
        return Noun(listed(nouns), plural=True)
    return Noun(f"{', '.join(nouns[:-1])}, and {nouns[-1]}", plural=True)


def unit_noun(name: str) -> Noun:
    """Return the name of a unit for use inside a sentence.

    If the name ends in a plural common noun, the result begins with "the".

    >>> unit_noun("Cheshire archers"), unit_noun("Vaughan's horsemen"), unit_noun("The Old Guard")
    ('the Cheshire archers', "Vaughan's horsemen", 'the Old Guard')
    """
    *before, last = name.split()
    is_common = is_plural(name) and last.islower() and not any(word.endswith(("'s", "s'")) for word in before)
    has_article = bool(before) and before[0].lower() in ARTICLES
    return Noun(f"the {name}", plural=True) if is_common and not has_article else mid_sentence(name)


def mid_sentence(name: str) -> Noun:
    """Return a name for use inside a sentence. If the name begins with "The", that word is in lower case.

    >>> mid_sentence("The Crown"), mid_sentence("Theodoric")
    ('the Crown', 'Theodoric')
    """
    return Noun(f"the {name[4:]}" if name.startswith("The ") else name, is_plural(name))
