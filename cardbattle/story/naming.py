"""Name the sides in a story: first by the full name, then by a short name, or by a pronoun if it is clear."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from cardbattle.core.grammar import Noun, is_person_or_place, is_plural, mid_sentence, with_keys
from cardbattle.core.telling import ENGLISH
from cardbattle.story.language import Language, languages, read_table

HE, SHE, IT, THEY = "he", "she", "it", "they"
POSSESSIVES = ("'s", "s'", "’s", "s’")
PARTICLES = frozenset((
    "of", "the", "von", "van", "vom", "zu", "der", "die", "de", "du", "la", "ap", "ab", "ben", "bin", "ibn",
    "mac",
))  # fmt: skip
NOBLE = ("von", "van", "de", "du", "la")  # particles of last names
TITLES = (
    "keeping_titles", "titles_of_first_names", "titles_of_last_names", "masculine_titles", "feminine_titles",
)  # kinds of titles in front of names  # fmt: skip
JOINS = (" of ", " with ", " at ", " from ", " in ", " on ")
VAGUE = ("men", "ones", "own", "people")  # these words alone do not name a group


class Joint(Noun):
    """The name of a side of several forces, with the name of each force in `parts`."""

    parts: Sequence[Noun]

    def __new__(cls, text: str, parts: Sequence[Noun]) -> Joint:
        """Create a name."""
        joint = str.__new__(cls, text)
        joint.is_plural = True
        joint.parts = parts
        return joint


class SideName(NamedTuple):
    """The names by which a story refers to a side.

    Attributes:
        full: the full name, for use inside a sentence.
        short: the name that is used after the first mention.
        plural: True if the name needs plural verbs.
        pronoun: "he", "she", "it" or "they".
        introduced: the name at the first mention, which also names the leader, or "" to use the full name.
        parts: the names of the forces of which the full name is a list, if it is one.

    """

    full: str
    short: str
    plural: bool
    pronoun: str
    introduced: str = ""
    parts: Sequence[Noun] = ()


def side_names(
    names: Sequence[str],
    shorts: Sequence[str] = (),
    vocabulary: Language | None = None,
    others: Sequence[str] = (),
) -> list[SideName]:
    """Return the names of the sides of a battle. Names are not shortened if readers could confuse them.

    `shorts` has the short name of each side, or "" for a side whose name must be shortened automatically.
    `vocabulary` is that of the language of the story, which is English by default. `others` has further names
    in the story, with which readers could confuse the automatic short name of a group.

    >>> [side.short for side in side_names(["Prince Henry", "The Malpas archers", "Earl of Stafford"])]
    ['Henry', 'the archers', 'Stafford']
    >>> [side.short for side in side_names(["Harry Percy", "Thomas Percy"])]
    ['Harry Percy', 'Thomas Percy']
    """
    written = list(shorts) or [""] * len(names)
    keeps_groups = vocabulary is not None and not vocabulary.words.get("groups_are_shortened", True)
    article = str(vocabulary.words["titles_article"]) if vocabulary else "the"
    short_names = [
        given
        or (without_origin(name, vocabulary) if keeps_groups and vocabulary else "")
        or shorten(name, not keeps_groups)
        for name, given in zip(names, written, strict=True)
    ]
    folded = [short.casefold() for short in short_names]
    sides = []
    for name, short, fold, given in zip(names, short_names, folded, written, strict=True):
        is_group = not given and fold.startswith("the ")
        is_clear = folded.count(fold) == 1 and not any(
            fold.split()[-1] in other_name.casefold().split()
            for other_name in (*names, *(others if is_group else ()))
            if other_name.casefold() != name.casefold()
        )
        plural = is_plural(name)
        pronoun = gender_of(name, vocabulary) or pronoun_of(name)
        sides.append(
            SideName(
                in_full(name, article), str(mid_sentence(short if is_clear else name)), plural,
                THEY if plural else pronoun, parts=name.parts if isinstance(name, Joint) else (),
            )
        )  # fmt: skip
    return sides


def distinct_names(
    names: Sequence[str], keys: Sequence[str], factions: Sequence[str], vocabulary: Language
) -> list[str]:
    """Return the names of the sides. Equal names are followed by the faction of their side, or by its key.

    `factions` has the faction by which a story can introduce each side, or "", or is empty.

    >>> from cardbattle.story.language import language
    >>> distinct_names(["The Militia", "The Militia"], ["a", "b"], ["Kent", "York"], language("en"))
    ['The Militia of Kent', 'The Militia of York']
    >>> distinct_names(["The Militia", "The Guard", "The Militia"], ["a", "b", "c"], [], language("en"))
    ['The Militia (a)', 'The Guard', 'The Militia (c)']
    """
    pattern = str(vocabulary.words["of_faction"])
    return [
        Noun(pattern.format(side=name, faction=faction), is_plural(name))
        if distinct != name and faction and factions.count(faction) == 1
        else distinct
        for name, distinct, faction in zip(
            names, with_keys(names, keys), factions or [""] * len(names), strict=True
        )
    ]


def without_origin(name: str, vocabulary: Language) -> str:
    """Return a name with an article, without what follows its noun. Return "" if there is no shorter form.

    >>> from cardbattle.story.language import language
    >>> without_origin("Die Bürger von Köln", language("de")), without_origin("Der von Mar", language("de"))
    ('Die Bürger', '')
    """
    head = re.split("|".join(vocabulary.words["origins"]), name)[0]
    has_article = name.partition(" ")[0].casefold() in vocabulary.words.get("articles", {})
    is_list = isinstance(name, Joint) or any(part in name for part in conjunctions())
    return head if has_article and " " in head and head != name and not is_list else ""


def gender_of(name: str, vocabulary: Language | None) -> str:
    """Return the pronoun for a name whose article has a grammatical gender in a language, or "".

    >>> from cardbattle.story.language import language
    >>> gender_of("Die Garde", language("de")), gender_of("Kent", language("de"))
    ('she', '')
    """
    articles = vocabulary.words.get("articles", {}) if vocabulary else {}
    return str(articles.get(name.partition(" ")[0].casefold(), {}).get("pronoun", ""))


def leader_names(
    sides: Sequence[SideName],
    leaders: Sequence[str],
    vocabulary: Language,
    factions: Sequence[str] = (),
    number: int = 0,
    joint: Sequence[str] = (),
) -> tuple[list[SideName], list[SideName]]:
    """Return the names of the sides with their leaders introduced, and the names of the leaders.

    `leaders` has the leader of each side, or "" for a side without a known leader. In the second list, such
    a side keeps its own name. Leaders whose short names could be confused with each other or with a side are
    not used. `factions` has the faction by which each side is introduced, or "". Without one, the two ways of
    introducing a leader take turns; `number` is the number of the battle. `joint` has the name of each side
    of several forces, or "": a person who leads them for a day does not own them.

    >>> from cardbattle.story.language import language
    >>> sides = side_names(["The Town Pikes", "Roche's Company"])
    >>> sides, leaders = leader_names(sides, ["Joss the Weaver", "Captain Roche"], language("en"))
    >>> [side.introduced for side in sides]
    ['the Town Pikes under Joss the Weaver', '']
    >>> [leader.short for leader in leaders]
    ['Joss', 'Roche']
    """
    shorts = [shorten_person(leader) if leader else "" for leader in leaders]
    names_taken = [word for side in sides for word in (side.full.casefold(), side.short.casefold())]
    with_leaders: list[SideName] = []
    people: list[SideName] = []
    for side, leader, short in zip(sides, leaders, shorts, strict=True):
        is_clear = shorts.count(short) == 1 and short.casefold() not in names_taken
        faction = factions[len(people)] if factions else ""
        of_faction = (
            str(vocabulary.words["of_faction"]).format(side=side.full, faction=faction) if faction else ""
        )
        if not leader or not is_clear:
            with_leaders.append(side._replace(introduced=of_faction))
            people.append(side)
            continue
        is_named_after = short in re.findall(r"\w+", side.full)
        pattern = str(vocabulary.words["under"])
        introduced = pattern.format(
            side=of_faction or side.full, leader=vocabulary.in_case(leader, "dat", plural=False)
        )
        is_joint = bool(joint and joint[len(people)])
        if not of_faction and not is_joint and (number + len(people)) % 2:
            introduced = led_by(side.full, leader, vocabulary) or introduced
        with_leaders.append(side._replace(introduced=of_faction if is_named_after else introduced))
        people.append(SideName(leader, short, plural=False, pronoun=pronoun_of(leader)))
    return with_leaders, people


def led_by(side: str, leader: str, vocabulary: Language) -> str:
    """Return the name of a side after its leader's name, or "" if the language or a name has no such form.

    >>> from cardbattle.story.language import language
    >>> led_by("the Town Pikes", "Joss the Weaver", language("en"))
    "Joss the Weaver's Town Pikes"
    """
    pattern, article = vocabulary.words.get("led_by", ""), "the "
    if not pattern or not side.startswith(article) or " of " in leader or leader.endswith("s"):
        return ""
    return str(pattern).format(side=side.removeprefix(article), leader=leader)


def shorten_person(name: str) -> str:
    """Return a short form of a person's name.

    >>> [shorten_person(name) for name in ("Tam of the Reeds", "Lady Maud Ferrers", "Old Hamish Gorm")]
    ['Tam', 'Lady Maud', 'Gorm']
    >>> [shorten_person(name) for name in ("Rittmeister von Mar", "Captain de la Tour", "Sister Ann of Kent")]
    ['Mar', 'de la Tour', 'Ann']
    """
    words, name_lists = name.split(), name_words()
    at = next((n for n, word in enumerate(words[1:-1], 1) if word in PARTICLES), 0)
    if at and words[0] not in name_lists["titles_of_places"]:
        if not any(words[0] in name_lists[titles] for titles in TITLES):
            return words[0]
        if at > 1:
            return shorten_person(" ".join(words[:at]))
        return " ".join(words[1:]).removeprefix("von ") if words[1] in NOBLE else words[0]
    short = shorten(name, has_groups=False)
    return words[-1] if short == name and words[0] not in ("The", "the") else short


def in_full(name: str, article: str = "the") -> str:
    """Return the full name for use inside a sentence. A title without an article gets one.

    >>> in_full("Earl of Stafford"), in_full("The Gate"), in_full("Prince Henry")
    ('the Earl of Stafford', 'the Gate', 'Prince Henry')
    """
    words = name.split()
    has_bare_title = len(words) > 2 and words[1] == "of" and words[0] in name_words()["titles_of_places"]
    return f"{article} {name}".lstrip() if has_bare_title else str(mid_sentence(name))


@cache
def name_words() -> Mapping[str, Sequence[str]]:
    """Return the titles and first names that are known in all languages."""
    tables = [read_table(code, "names") for code in languages()]
    return {
        key: [word for table in tables for word in table.get(key, ())] for key in read_table(ENGLISH, "names")
    }


@cache
def titles() -> frozenset[str]:
    """Return the titles before names that are known in all languages, in lower case."""
    tables = (words for key, words in name_words().items() if "titles" in key)
    return frozenset(word.casefold() for words in tables for word in words)


@cache
def conjunctions() -> Sequence[str]:
    """Return the word between the last two names of a list, with its spaces, in all languages."""
    tables = [read_table(code, "words") for code in languages()]
    return [f" {table['and']} " for table in tables if "and" in table]


def shorten(name: str, has_groups: bool = True) -> str:
    """Return a short form of a name, or the name itself if no short form is clear.

    If `has_groups` is true, the name of a group of people is shortened to its noun.

    >>> [shorten(name) for name in ("Sir Thomas Percy", "Captain Ann Reed", "The Half-Past Watch", "Wales")]
    ['Sir Thomas', 'Reed', 'the Watch', 'Wales']
    >>> [shorten(name) for name in ("Massie's Dragoons", "The King's men", "Kelp Riders", "Two Paces")]
    ['the Dragoons', "The King's men", 'the Riders', 'Two Paces']
    >>> [shorten(name) for name in ("Captain Roche's Company", "Salt Wagoners", "Rook Garrison")]
    ['the Company', 'the Wagoners', 'the Garrison']
    """
    return shortened(name, has_groups, is_plural(name))


@cache
def shortened(name: str, has_groups: bool, plural: bool) -> str:
    """Return `shorten` of a name that is plural or not."""
    name_lists = name_words()
    words = name.split()
    head = next((name.split(join)[0] for join in JOINS if join in name), name).split()
    if any(part in name for part in ("(", ",", " & ", "/", *conjunctions())) or len(words) < 2:
        return name
    if any(word.endswith(POSSESSIVES) for word in words):
        return shorten_group(name, head, plural) if has_groups else name
    if words[0] in name_lists["keeping_titles"] and len(words) > 2:
        return " ".join(words[:2])
    if words[0] in name_lists["titles_of_first_names"] and len(words) == 2:
        return words[1]
    if words[0] in name_lists["titles_of_places"] and len(words) == 3 and words[1] == "of":
        return words[2]
    if words[0] in name_lists["titles_of_last_names"] and len(words) <= 3:
        return words[-1]
    if words[0] in (*name_lists["men"], *name_lists["women"]):
        if len(words) == 2:
            return words[-1]
        if len(words) == 3 and words[1] == "of":
            return words[0]
    return shorten_group(name, head, plural) if has_groups else name


def shorten_group(name: str, head: Sequence[str], plural: bool) -> str:
    """Return the noun for a group of people with its article, such as `the archers`, or the whole name."""
    last = head[-1]
    if len(head) > 1 and head[-2].endswith(POSSESSIVES):
        return name if last.casefold() in VAGUE else f"the {last}"
    if head[0] in ("The", "the"):
        return f"the {last}" if len(head) > 2 or len(head) < len(name.split()) else name
    is_group = plural or (is_body(last) and not is_person_or_place(head[0]))
    is_clear = len(head) > 1 and last.casefold() not in VAGUE and head[0].casefold() not in small_numbers()
    return f"the {last}" if is_group and is_clear else name


def is_body(word: str) -> bool:
    """Return True if a word means a body of people, such as `Garrison`."""
    return word.capitalize() in name_words()["bodies"]


@cache
def small_numbers() -> frozenset[str]:
    """Return the words for small numbers in all languages: the `Two Paces` are not `the Paces`."""
    tables = [read_table(code, "words") for code in languages()]
    return frozenset(word for table in tables for word in table.get("small", ()))


@cache
def pronoun_of(name: str) -> str:
    """Return the pronoun for a singular name, or "they" if a man or a woman could have the name.

    >>> [pronoun_of(name) for name in ("Prince Henry", "Queen Margaret", "The Gate", "Glyndwr")]
    ['he', 'she', 'it', 'they']
    """
    name_lists = name_words()
    words = name.split()
    if words[0] in name_lists["feminine_titles"] or any(word in name_lists["women"] for word in words[:2]):
        return SHE
    if words[0] in name_lists["masculine_titles"] or words[0] in name_lists["men"]:
        return HE
    if words[0] in ("The", "the") or is_body(words[-1]):
        return IT
    return THEY
