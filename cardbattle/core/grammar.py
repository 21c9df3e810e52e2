"""Decide whether a name is singular or plural, and choose forms of words that agree with the name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from cardbattle.core.names import listed

PLURALS_IN_NAMES = frozenset((
    "archers", "axemen", "bandits", "borderers", "bowmen", "brethren", "brigands", "children", "clansmen",
    "corsairs", "cossacks", "crossbowmen", "crusaders", "cuirassiers", "dragoons", "folk", "fusiliers",
    "geese", "grenadiers", "guards", "guardsmen", "gunners", "highlanders", "horsemen", "huntsmen",
    "hussars", "irregulars", "janissaries", "knights", "lancers", "legionaries", "levies", "marines",
    "men", "mercenaries", "musketeers", "outlaws", "oxen", "people", "pikemen", "pioneers", "pirates",
    "raiders", "rangers", "rebels", "reivers", "riders", "riflemen", "rovers", "scouts", "skirmishers",
    "spearmen", "swordsmen", "tribesmen", "troopers", "troops", "volunteers", "warriors", "women",
    "yeomen",
))  # fmt: skip
SINGULAR_FORMS = (
    (re.compile(r"ies$"), "y"),
    (re.compile(r"(ss|x|ch|sh)es$"), r"\1"),
    (re.compile(r"(?<!s)s$"), ""),
)
ARTICLES = ("The", "the")
ARTICLE = re.compile(r"(^|, | and )The (?=\S)")
PLURAL_ENDINGS = ("men", "folk", "people", "mice")
SINGULAR_ANYWAY = frozenset((
    "abdomen", "acumen", "amen", "bitumen", "bremen", "carmen", "cyclamen", "hymen", "lumen", "niemen",
    "norfolk", "omen", "ramen", "regimen", "specimen", "stamen", "suffolk", "xiamen", "yemen",
))  # fmt: skip
SINGULAR_ENDINGS = ("ss", "is", "us", "'s", "fels")  # as in Albatross, Tardis, Marcus and Weissenfels
PLURAL_WORD = re.compile(
    r"[^\W\d_]*([bcdgklmnprtw]s|(ch|sh|x|v|i|e|o|c|d|g|k|l|m|n|p|r|s|t|u)es|[ao]ys)", re.IGNORECASE
)
SINGULAR_WORDS = frozenset((
    "achilles", "agnes", "ares", "athens", "bruges", "brussels", "charles", "corps", "flanders", "forbes",
    "hercules", "hermes", "hobbes", "james", "naples", "nantes", "orleans", "rennes", "rhodes", "socrates",
    "versailles", "wales", "yates",
))  # fmt: skip
DEMONYMS = frozenset((
    "british", "chinese", "cornish", "danish", "dutch", "english", "french", "genoese", "irish", "japanese",
    "polish", "portuguese", "scottish", "spanish", "swedish", "swiss", "turkish", "welsh",
))  # fmt: skip
# First words of the names of persons and places, whose last word can look plural: John Rogers, St Albans.
GIVEN_NAMES = frozenset((
    "adam", "alice", "andrew", "ann", "anna", "anne", "anthony", "arthur", "ben", "catherine", "charles",
    "clara", "daniel", "david", "edmund", "edward", "eleanor", "elizabeth", "francis", "frank", "fred",
    "george", "gilbert", "harry", "hector", "helen", "henry", "hugh", "jack", "jacob", "james", "jane", "jim",
    "joan", "joe", "john", "jonathan", "joseph", "kate", "luke", "margaret", "mark", "martin", "mary",
    "matthew", "michael", "nathaniel", "nicholas", "oliver", "owen", "paul", "peter", "philip", "ralph",
    "richard", "robert", "robin", "roger", "rowland", "samuel", "sarah", "simon", "stephen", "susan",
    "thomas", "tom", "walter", "will", "william",
))  # fmt: skip
TITLES = frozenset((
    "admiral", "archduke", "baron", "baroness", "bishop", "brigadier", "captain", "colonel", "commander",
    "corporal", "count", "countess", "dame", "doctor", "dr", "duchess", "duke", "earl", "emperor", "empress",
    "father", "general", "governor", "king", "lady", "lieutenant", "lord", "major", "marquis", "marshal",
    "master", "miss", "mistress", "mr", "mrs", "ms", "president", "prince", "princess", "queen", "sergeant",
    "sir", "viscount",
))  # fmt: skip
PLACE_WORDS = frozenset((
    "camp", "castle", "clan", "fort", "house", "lake", "mount", "new", "port", "saint", "st"
))  # fmt: skip

GERMAN_HEAD_END = re.compile(r" (?:aus|bei|der|des|im|mit|vom|von|zu|zum|zur) ")  # what follows a German noun
GERMAN_NUMBERS = frozenset(
    ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "zwölf")
)
GERMAN_PLURAL = re.compile(r".+(?:en|eln|ern|er|iere|leute)")
GERMAN_PLURAL_ENDINGS = (
    "brüder", "knechte", "leute", "männer", "spieße", "söhne", "vögte"
)  # also plural without an article; their singulars end otherwise  # fmt: skip
GERMAN_SINGULAR_ENDINGS = (
    "ader", "barriere", "feder", "feier", "kammer", "mauer", "mutter", "schwester", "tochter"
)  # fmt: skip


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
    """Return True if a name takes a plural verb. A `Noun` stores this. For other names, it is guessed."""
    return name.is_plural if isinstance(name, Noun) else guess_plural(name)


def is_plural_place(name: str) -> bool:
    """Guess whether the name of a place is plural. It is singular, unless it has an article.

    >>> [is_plural_place(name) for name in ("Three Stones", "The Downs", "The mill", "Die Brücken")]
    [False, True, False, True]
    """
    return name.partition(" ")[0] in (*ARTICLES, "Die", "die") and guess_plural(name)


@lru_cache(maxsize=1000)
def guess_plural(name: str) -> bool:
    """Guess whether a name is plural, as "The Stragglers" and "Percy and Douglas" are.

    The last word decides, as in "Salt Wagoners", unless the name begins as a person's or a place's does, like
    "John Rogers". If nothing in the name shows that it is plural, the result is False.

    >>> [guess_plural(name) for name in ("The King's men", "Salt Wagoners", "Pikes", "Bargemen")]
    [True, True, True, True]
    >>> [guess_plural(name) for name in ("The King of Man", "John Rogers", "The Tardis", "Wales")]
    [False, False, False, False]
    """
    if re.search(r" (and|&) ", name):
        return True
    german = guess_german_plural(name)
    if german is not None:
        return german
    head = re.split(r" of | with | at | from ", name)[0].split()
    if not head:
        return False
    *before, last = head
    word = last.lower().rpartition("-")[2]
    if word in PLURALS_IN_NAMES or (word in DEMONYMS and len(before) == 1 and before[0] in ARTICLES):
        return True
    has_group_sign = bool(before) and is_group(before, last)
    is_name = bool(before) and is_person_or_place(before[0])
    if word.endswith(PLURAL_ENDINGS) and word not in SINGULAR_ANYWAY:
        is_surname = not before and word.endswith("mmen")  # as in Thommen
        return has_group_sign or not (is_name or is_surname)
    if not last.endswith("s") or last.endswith(SINGULAR_ENDINGS) or word in SINGULAR_WORDS:
        return False
    return has_group_sign or (PLURAL_WORD.fullmatch(last) is not None and not is_name)


def guess_german_plural(name: str) -> bool | None:
    """Guess whether a German name is plural. Return None if its article and endings do not show that.

    >>> [guess_german_plural(name) for name in ("Die roten Reiter", "Fährleute", "Die graue Garde", "Jäger")]
    [True, True, False, None]
    """
    head, *rest = GERMAN_HEAD_END.split(name)
    if " und " in head:
        return True
    article, *words = head.split() or [""]
    if article not in ("Der", "Die", "Das") or not words:
        return head.lower().endswith(GERMAN_PLURAL_ENDINGS) or None
    if article != "Die":
        return False
    if len(words) > 1 and words[0].istitle() and words[0].endswith("er"):  # as in "Die Ulmer Garde"
        words = words[1:]
    first = words[0].lower().rpartition("-")[2]
    if len(words) > 1 and words[0].islower():
        return first in GERMAN_NUMBERS or first.endswith("en")
    if GERMAN_PLURAL.fullmatch(first) and not first.endswith(GERMAN_SINGULAR_ENDINGS):
        return True
    return False if rest else None


def is_group(before: list[str], last: str) -> bool:
    """Return True if the words before the last one show that a name is a group's: `The King's men`."""
    has_owner = any(word.endswith(("'s", "s'")) for word in before)
    return before[0] in ARTICLES or has_owner or last.islower() or any(char.isdigit() for char in before[0])


def is_person_or_place(first: str) -> bool:
    """Return True if names that begin with this word belong to a person or a place."""
    word = first.lower().removesuffix(".")
    return word in GIVEN_NAMES or word in TITLES or word in PLACE_WORDS


def singular(plural: str) -> str:
    """Return the singular of the name of a unit.

    >>> singular("points"), singular("pushes"), singular("victories"), singular("places"), singular("gold")
    ('point', 'push', 'victory', 'place', 'gold')
    """
    for ending, singular_ending in SINGULAR_FORMS:
        if ending.search(plural):
            return ending.sub(singular_ending, plural)
    return plural


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

    If one of the names contains "and" outside of brackets, there is also a comma before the last "and".

    Several names together are plural. A single name is returned unchanged, and stays singular or plural.

    >>> together(["York", "Percy and Douglas"])
    'York, and Percy and Douglas'
    """
    nouns = list(names)
    if len(nouns) == 1:
        return Noun(nouns[0], is_plural(nouns[0]))
    if not any(" and " in outside_brackets(name) for name in nouns):
        return Noun(listed(nouns), plural=True)
    return Noun(f"{', '.join(nouns[:-1])}, and {nouns[-1]}", plural=True)


def outside_brackets(text: str) -> str:
    """Return a text without the parts in brackets.

    >>> outside_brackets("York (the Guard and the Watch)")
    'York '
    """
    return re.sub(r"\([^)]*\)", "", text)


def with_keys(names: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Return the names of the sides. If several have the same name, each of these is followed by its key.

    >>> with_keys(["The Guard", "York", "The Guard"], ["a", "b", "c"])
    ['The Guard (a)', 'York', 'The Guard (c)']
    """
    return [
        Noun(f"{name} ({key})", is_plural(name)) if names.count(name) > 1 and name != key else name
        for name, key in zip(names, keys, strict=True)
    ]


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


def sentence_start(name: str) -> Noun:
    """Return a name for the beginning of a sentence. Only the first article of joined names is a capital.

    >>> sentence_start("The Guard and The Riders")
    'The Guard and the Riders'
    """
    return Noun(name[:1] + mid_sentence(name)[1:], is_plural(name))


def mid_sentence(name: str) -> Noun:
    """Return a name for use inside a sentence. "The" at the beginning of each name is in lower case.

    >>> mid_sentence("The Crown"), mid_sentence("Theodoric"), mid_sentence("The Guard and The Riders")
    ('the Crown', 'Theodoric', 'the Guard and the Riders')
    """
    return Noun(ARTICLE.sub(r"\1the ", name) if "The " in name else name, is_plural(name))


def capital(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
