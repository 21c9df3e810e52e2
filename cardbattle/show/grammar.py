"""Verbs that agree with the names before them: York holds a space, Massie's Dragoons hold one."""

from __future__ import annotations

import re
from functools import lru_cache

PEOPLE = frozenset((
    "archers", "bandits", "borderers", "bowmen", "brigands", "children", "clansmen", "corsairs",
    "cossacks", "crusaders", "cuirassiers", "dragoons", "folk", "fusiliers", "grenadiers", "guards",
    "gunners", "highlanders", "horsemen", "hussars", "irregulars", "janissaries", "knights", "lancers",
    "legionaries", "levies", "marines", "men", "mercenaries", "musketeers", "outlaws", "people",
    "pikemen", "pioneers", "pirates", "raiders", "rangers", "rebels", "reivers", "riders", "riflemen",
    "rovers", "scouts", "skirmishers", "spearmen", "troopers", "troops", "volunteers", "warriors",
    "women", "yeomen",
))  # fmt: skip
PLURALS = {"is": "are", "has": "have", "does": "do", "was": "were"}
VERBS = frozenset((
    "adds", "attacks", "beats", "becomes", "begins", "brings", "carries", "commits", "counters", "counts",
    "deals", "discards", "does", "draws", "enters", "exchanges", "fights", "gains", "gets", "gives", "goes",
    "has", "holds", "is", "keeps", "lays", "leaves", "lets", "lines", "looks", "loses", "makes",
    "marches", "meets", "moves", "orders", "passes", "pays", "picks", "places", "plays", "posts", "puts",
    "resigns", "retreats", "returns", "routs", "sacrifices", "salvages", "shows", "stands", "surrenders",
    "switches", "takes", "turns", "uses", "waits", "was", "wins",
))  # fmt: skip
FIRST = re.compile(r"^(?P<before>\s*)(?P<verb>[a-z]+)\b")
NEXT = re.compile(r"(?P<before>,? and |, |: |; )(?P<verb>[a-z]+)\b")


@lru_cache(maxsize=1000)
def is_plural(name: str) -> bool:
    """Say whether a name is of several: The Stragglers, Massie's Dragoons, Percy and Douglas.

    What cannot be told from its form is of one, as Archibald Douglas.

    >>> [is_plural(name) for name in ("The King's men", "Kelp Riders", "The King of Man", "John Rogers")]
    [True, True, False, False]
    """
    if " and " in name:
        return True
    head = re.split(r" of | with | at | from ", name)[0].split()
    if not head:
        return False
    last, is_kind = (
        head[-1],
        head[0] in ("The", "the") or any(word.endswith(("'s", "s'")) for word in head[:-1]),
    )
    if last.lower() in PEOPLE:
        return True
    has_ending = last.endswith("s") and not last.endswith(("ss", "'s"))
    return has_ending and (is_kind or (len(head) > 1 and last.islower()))


def plural_verb(verb: str) -> str:
    """Return a verb that is said of one as it is said of several.

    >>> [plural_verb(verb) for verb in ("begins", "passes", "carries", "has", "goes", "loses")]
    ['begin', 'pass', 'carry', 'have', 'go', 'lose']
    """
    if verb in PLURALS:
        return PLURALS[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "oes", "shes", "ches")) else verb[:-1]


def agreeing(words: str, *, begins: bool = True) -> str:
    """Return what is said of one, said of several; `begins` if the words follow the name.

    >>> agreeing(" lines up 1, 2 cards and keeps 4 in hand.")
    ' line up 1, 2 cards and keep 4 in hand.'
    """
    return NEXT.sub(of_several, FIRST.sub(of_several, words) if begins else words)


def of_several(found: re.Match[str]) -> str:
    """Return a verb that was found, and what is before it, as it is said of several."""
    verb = found["verb"]
    return found["before"] + (plural_verb(verb) if verb in VERBS else verb)


def mid_sentence(name: str) -> str:
    """Return a name as it stands within a sentence.

    >>> mid_sentence("The Crown"), mid_sentence("Theodoric")
    ('the Crown', 'Theodoric')
    """
    return f"the {name[4:]}" if name.startswith("The ") else name


def said_of(name: str, words: str) -> str:
    """Return a sentence about whoever has a name, as `said_of("York", "is destroyed")`."""
    return f"{name} {agreeing(words) if is_plural(name) else words}"
