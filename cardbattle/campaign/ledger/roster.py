"""The keys and names of the sides of each battle, so that results can use either."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain

from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.state.apply import not_pending
from cardbattle.campaign.state.fields import contenders
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.files.dates import without_accents

SideNames = Mapping[str, Sequence[str]]  # the names of each side, by its key
Fighters = Callable[[str], SideNames]  # returns the sides of a battle; raises ValueError if it is unknown
DRAWN = ("draw", "drawn", "a draw", "tie", "nobody", "none", "-")
MISSING = ("", "?")
WORD = re.compile(r"[^\W_]{2,}")
ME = ("i", "me")
US, THEM = (*ME, "my side", "we", "us", "our side"), ("they", "them", "the enemy", "the other side")
HIM = ("he", "him", "she", "her")  # a single player on the other side
POSSESSIVE = re.compile(r"[\w .-]+(?:['\u2019]s|s['\u2019])\s+[\w .-]+")  # as in "Ben's sailors"
OWN_TROOPS = re.compile(
    r"(.+)(?:['\u2019]s|s['\u2019])\s+(?:men|lads|troops|soldiers|people|forces?|army|side|lot)",
    re.IGNORECASE,
)  # in "Stafford's men"
SHORTEST = 3  # letters of the beginning of a force's name that can abbreviate the name
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
ARTICLES = ("the", "a", "an")
# articles of other languages, which are no part of a name at its beginning; behind it, they can be: Fox Den
FOREIGN_ARTICLES = (
    "das", "dem", "den", "der", "des", "die", "el", "het", "il", "la", "las", "le", "les", "lo", "los",
)  # fmt: skip
LEADING_ARTICLE = re.compile(
    rf"the\s|(?:(?:{'|'.join(FOREIGN_ARTICLES)})[\s_-]+|l['\u2019])(?=\w)", re.IGNORECASE
)


class Alias(str):
    """A word by which a side is understood, such as `we` or a player's name, but which no error proposes."""

    __slots__ = ()


class Roster:
    """The sides of every battle that is pending or recorded in a campaign."""

    def __init__(self, campaign: Campaign, ledger: Ledger) -> None:
        self.campaign = campaign
        self.ledger = ledger

    def __call__(self, battle: str) -> SideNames:
        """Return a battle's sides. Raises ValueError if it is not pending or recorded."""
        pending = self.campaign.battle(battle)
        if pending is not None:
            return self.side_names(pending.sides, pending)
        entry = self.ledger.find(battle)
        if entry is None or entry.result is None:
            text = not_pending(self.campaign, battle)
            raise ValueError(f"{text} (first add an unplanned battle: cardbattle campaign add battle)")
        return {
            key: [self.campaign.display_name(key)] for key in entry.result.sides
        } | self.names_of_recorded_sides(entry)

    def side_names(
        self, sides: Sequence[list[str]], battle: Pending | Mapping[str, object]
    ) -> dict[str, Sequence[str]]:
        """Return the names of each side: its name in this battle, and the names and keys of its forces."""
        return names_of_sides(self.campaign, sides, battle)

    def names_of_recorded_sides(self, entry: Entry) -> dict[str, Sequence[str]]:
        """Return the sides that a recorded battle had when it was pending."""
        tables = (change.before for change in entry.changes if change.key == ("pending", entry.id))
        return next(
            (
                self.side_names(contenders(table["sides"]), table)
                for table in tables
                if isinstance(table, dict)
            ),
            {},
        )


def names_of_sides(
    campaign: Campaign, sides: Sequence[list[str]], battle: Pending | Mapping[str, object]
) -> dict[str, Sequence[str]]:
    """Return the possible names of each side.

    These are its name in the battle, such as `Percy and allies`, the names of its forces, and its factions
    and their players, except those that another side has too.
    """
    called, name = campaign.display_name, campaign.side_name
    own = [factions_of_side(campaign, side) for side in sides]
    names = {side[0]: [name(side, battle), *map(called, side), *side[1:]] for side in sides}
    for side in sides:
        if len(side) > 1:  # a player who knows only some of the forces reads this name
            names[side[0]] += [f"{called(side[0])} and {word}" for word in ("others", "allies")]
    for side, factions in zip(sides, own, strict=True):
        for faction in factions:
            if sum(faction in each for each in own) == 1:
                names[side[0]] += [faction, str(campaign.faction_name(faction))]
                names[side[0]] += map(Alias, filter(None, [campaign.factions[faction].player]))
    return {key: list(dict.fromkeys(each)) for key, each in names.items()}


def factions_of_side(campaign: Campaign, side: Sequence[str]) -> list[str]:
    """Return the factions of the forces of a side, without duplicates."""
    return list(dict.fromkeys(campaign.forces[force].faction for force in side if force in campaign.forces))


def reporters(campaign: Campaign, battle: Pending) -> dict[str, str]:
    """Return a dict from the forces in whose names a battle is reported to their sides.

    These are the first force of each faction on each side, so that a side of one faction has one.
    """
    found: dict[str, str] = {}
    for side in battle.sides:
        known: set[str] = set()
        for force in side:
            factions = {*factions_of_side(campaign, [force])}
            if force == side[0] or not factions <= known:
                found[force] = side[0]
            known |= factions
    return found


def keys_for(battle: Pending, force: str) -> list[str]:
    """Return the keys of the sides of a battle, with `force` instead of the key of its own side."""
    return [force if force in side else side[0] for side in battle.sides]


def reporter_named(campaign: Campaign, battle: Pending, word: str, faction: str = "") -> str:
    """Return the force in whose name a side reports, given a word for this side and, if known, the faction.

    Without `faction`, a word for forces of one faction on a joint side means this faction. Raises ValueError
    as `key_of` does.
    """
    side = key_of(word, names_of_sides(campaign, battle.sides, battle))
    own = [key for key, of_side in reporters(campaign, battle).items() if of_side == side]
    if faction:
        return next((key for key in own if factions_of_side(campaign, [key]) == [faction]), side)
    forces = next(forces for forces in battle.sides if forces[0] == side)
    parts = [[force for force in forces if len(factions_of_side(campaign, [key, force])) == 1] for key in own]
    with suppress(ValueError):
        return key_of(word, names_of_sides(campaign, parts, battle))
    return side


def anybody(battle: str) -> SideNames:
    """Return no sides. This is the roster for results without a campaign."""
    return {}


def key_of(word: str, sides: SideNames) -> str:
    """Return the key of the side with this key or unique name. A unique part of a name is enough.

    Case, accents, punctuation and a leading `The` do not matter. Raises ValueError, which lists the sides, if
    no side or several sides match.

    >>> key_of("owain glyndwr", {"rebels": ["Owain Glyndŵr"], "king": ["Henry"]})
    'rebels'
    >>> sides = {"rebels": ["Owain Glyndŵr", "Pikes"], "king": ["Henry"]}
    >>> key_of("Glyndwr's men", sides), key_of("Glyndwr's pikes", sides)
    ('rebels', 'rebels')
    """
    owner = OWN_TROOPS.sub(r"\1", word)
    stages = [
        [key for key, names in sides.items() if any(is_same(word, name) for name in (key, *names))]
        for is_same in (str.__eq__, is_alike, is_alike_without_article, is_part)
    ]
    if POSSESSIVE.fullmatch(word):  # the owner and the troops can be in different names of a side
        stages.append([key for key, names in sides.items() if is_part(owner, key, *names)])
    meant = next(filter(None, stages), [])
    if len(meant) > 1 and word not in meant:
        raise ValueError(f"{quoted(word)} is ambiguous: {listed(meant, 'or')}; write the key")
    if meant:
        return word if word in meant else meant[0]
    names = (name for name in chain.from_iterable(sides.values()) if not isinstance(name, Alias))
    hint = nearest(word, [*sides, *names])
    choices = listed(map(side_label, sides, sides.values()), "or")
    raise ValueError(f"{quoted(word)} is not one of the sides: {choices}{hint}")


def side_label(key: str, names: Sequence[str]) -> str:
    """Return the label of a side for an error message: its key, followed by its name if that differs."""
    return f"{key} ({names[0]})" if names and names[0] and not is_alike(key, names[0]) else key


def is_one_of(word: str, key: str, names: Sequence[str]) -> bool:
    """Return True if a word is the key or a name of a side. Case, accents and punctuation do not matter."""
    return any(is_alike(word, name) for name in (key, *names))


@lru_cache(maxsize=10_000)
def is_alike(word: str, name: str) -> bool:
    """Return True if two words are equal. Case, accents and punctuation do not matter.

    >>> is_alike("Muehle", "Mühle"), is_alike("mühle", "Muehle"), is_alike("Muhle", "Mühle")
    (True, True, True)
    """
    return bool(fold_text(word)) and not {*map(fold_text, spellings(word))}.isdisjoint(
        map(fold_text, spellings(name))
    )


def is_alike_without_article(word: str, name: str) -> bool:
    """Return True if two words are equal without a leading article, as in `without_article`.

    Case, accents and punctuation do not matter.
    """
    return is_alike(without_article(word), without_article(name))


def is_part(words: str, *names: str) -> bool:
    """Return True if all words occur in these names. For example, "the archers" is part of "Green archers".

    Articles do not count, and a single letter is not a word.

    >>> is_part("Die Reiter", "Schwarze Reiter"), is_part("die", "Die Reiter"), is_part("den", "Fox Den")
    (True, False, True)
    """
    looked_for = [word for word in WORD.findall(without_article(words).casefold()) if word not in ARTICLES]
    known = name_words(*names)
    return bool(looked_for) and all(not known.isdisjoint(spellings(word)) for word in looked_for)


def is_exact_part(words: str, name: str) -> bool:
    """Return True if all words occur in a name with the same accents."""
    looked_for = {*WORD.findall(without_article(words).casefold())}
    return bool(looked_for) and looked_for <= {*WORD.findall(name.casefold())}


def is_beginning(words: str, *names: str) -> bool:
    """Return True if each word is the beginning of a word in names, and one has at least three letters.

    A final `s` and articles do not count.

    >>> is_beginning("the punts", "Punt Fleet"), is_beginning("Bell Co.", "Bell Company")
    (True, True)
    >>> is_beginning("Pu", "Punt Fleet"), is_beginning("fleet punters", "Punt Fleet")
    (False, False)
    """
    typed = [word for word in WORD.findall(without_article(words).casefold()) if word not in ARTICLES]
    stems = [word.removesuffix("s") if len(word) > SHORTEST else word for word in typed]
    parts = name_words(*names)
    is_long = any(len(stem) >= SHORTEST for stem in stems)
    return is_long and all(any(part.startswith(spellings(stem)) for part in parts) for stem in stems)


@lru_cache(maxsize=10_000)
def name_words(*names: str) -> frozenset[str]:
    """Return the words of names in lower case, without an article at the beginning of each name.

    >>> sorted(name_words("Die Jäger", "jaeger-2"))
    ['jaeger', 'jager', 'jäger']
    """
    parts = chain.from_iterable(spellings(without_article(name).casefold()) for name in names)
    return frozenset(word for part in parts for word in WORD.findall(part))


@lru_cache(maxsize=10_000)
def spellings(text: str) -> tuple[str, ...]:
    """Return a text, and also without accents, if it has any. An umlaut such as `ä` becomes `ae` or `a`.

    >>> spellings("Söldner"), spellings("René"), spellings("Pikes")
    (('Söldner', 'Soeldner', 'Soldner'), ('René', 'Rene'), ('Pikes',))
    """
    text = unicodedata.normalize("NFC", text)
    return (*dict.fromkeys((text, without_accents(text.translate(UMLAUTS)), without_accents(text))),)


@lru_cache(maxsize=10_000)
def without_article(name: str) -> str:
    """Return a name without a leading `The`, or an article of another language that has the same meaning.

    >>> without_article("The Town Pikes"), without_article("Theodora")
    ('Town Pikes', 'Theodora')
    >>> without_article("Die Reiter"), without_article("L'Aigle"), without_article("die")
    ('Reiter', 'Aigle', 'die')
    """
    return name[match.end() :] if (match := LEADING_ARTICLE.match(name)) else name


@lru_cache(maxsize=10_000)
def fold_text(text: str) -> str:
    """Return the letters and digits of a string in lower case, without accents."""
    return "".join(char for char in without_accents(text).casefold() if char.isalnum())


def read_winners(text: str, sides: SideNames) -> list[str]:
    """Return the keys of the winners that a text names, in the order of the sides.

    A draw has no winners. Several winners are separated by commas or `and`. Keys can also be separated by
    spaces. Raises ValueError, which lists the sides, if a word names no side.
    """
    joined = " ".join(text.split())
    if joined in MISSING:
        labels = [*map(side_label, sides, sides.values()), "draw"]
        raise ValueError(f"missing winner; write {listed(labels, 'or')}")
    if joined.casefold() in DRAWN and joined not in sides:
        return []
    splits = [[joined], re.split(r" ?[,;&+] ?| and ", joined), joined.split()]
    errors = []
    for parts in splits:
        try:
            won = [key_of(part, sides) for part in parts if part]
        except ValueError as error:
            errors.append(error)
        else:
            return [key for key in sides if key in won]
    raise errors[len(splits[1]) > 1]
