"""Read the vocabulary of a language: numbers, cards, shares, pronouns, and the phrases of each rule set.

Every language is a folder of TOML files in `cardbattle/data/stories`. `words.toml` has the vocabulary,
`common.toml` has the phrases for all battles, and the file that is named after a rule set has the phrases for
this rule set. If a file has no entry for a phrase, the English phrase is used.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from cardbattle.core.cards import RANKS
from cardbattle.core.errors import UsageError
from cardbattle.core.grammar import Noun, capital, choose_form, outside_brackets
from cardbattle.core.names import nearest, quoted
from cardbattle.core.telling import ENGLISH, Card, Estimate

MOST_PARTS = 6  # shares with a larger denominator are rounded
ROUND_PARTS = (1, 2, 3, 4, 5, 10)  # denominators of rounded shares
# Shares that are used only for shares close to them
CLOSE_SHARES = (Fraction(1, 6), Fraction(5, 6), Fraction(1, 20))
CLOSE = Fraction(2, 100)  # largest rounding difference for which the word "about" is used
FOLDER = "data/stories"
CARDS = "cards"  # the table of a file that has the names of cards
NAMES = "names"  # the table of a file that has, by English name, the names of things in a game
TERMS = "terms"  # the table of a file that has the terms of a game that a story explains
CLAUSES = (
    "clauses"  # the table of a file that has, by word, clauses that explain the word after its first use
)
REMARKS = (
    "remarks"  # the table of a file that has, by term, remarks for sentences in which no clause can follow
)
FIRST, SECOND = "a", "second"  # forms of an article: an ace, a second ace
NOMINATIVE, GENITIVE = "nom", "gen"  # grammatical cases
TOWARDS = "to"  # the form of a place as the aim of a march
TABLES = (CARDS, NAMES, TERMS, CLAUSES, REMARKS)  # the tables of a file that are not lists of phrases
CLOSING = (".", ",", ";", ":", "?", "!", " (")  # characters after which a clause needs no comma of its own
# Texts that cannot be separated from the word before them
UNBROKEN = (
    "'", "’", "-", " left", " later", " instead", " card", " of ", " by ", " on ", " against ", " that ",
    " it ", " long", " apiece", " each", " out of ", " with equal", " for,", ", of all", " to bring up",
    ", which", " which", ", who", " Joker", " over ",
)  # fmt: skip
Phrases = Mapping[str, Sequence[str]]


class Language:
    """The vocabulary of one language.

    >>> english = language("en")
    >>> english.number(36), english.ordinal(212), english.share(Fraction(2, 5))
    ('thirty-six', '212th', 'two fifths')
    >>> english.card(Card("9H")), english.card_of_any_suit(Card("8C")), english.card(Card("RJ"))
    ('the nine of hearts', 'an eight', 'the red Joker')
    """

    def __init__(self, code: str, rules: str = "") -> None:
        self.code, self.rules = code, rules
        self.words: Mapping[str, Any] = {**read_table(ENGLISH, "words"), **read_table(code, "words")}
        names = [read_table(each, rules).get(CARDS, {}) if rules else {} for each in (ENGLISH, code)]
        self.card_names: Mapping[str, str] = {**names[0], **names[1]}
        own = read_table(code, rules) if rules else {}
        self.kinds = own.keys()  # the kinds of facts for which the rule set has its own phrases
        self.names: Mapping[str, str] = own.get(NAMES, {})
        self.terms: Mapping[str, Sequence[str]] = own.get(TERMS, {})
        self.clauses: Mapping[str, Sequence[str]] = own.get(CLAUSES, {})
        self.remarks: Mapping[str, Sequence[str]] = own.get(REMARKS, {})
        self.all_ranks = [*self.card_names.values(), *self.words["ranks"].values()]
        named = [Fraction(0), *map(Fraction, self.words["shares"])]
        given = read_table(code, "names")
        self.people = frozenset((*given.get("men", ()), *given.get("women", ())))  # first names
        self.simple_shares = [share for share in named if share.denominator in ROUND_PARTS]
        self.close_shares = [share for share in named if share in CLOSE_SHARES]

    def number(self, n: int) -> str:
        """Return a whole number as a word, or as digits if it is 100 or more."""
        small, tens = self.words["small"], self.words["tens"]
        if n < 0 or n >= 100:
            return str(n)
        if n < len(small):
            return str(small[n])
        ten, unit = divmod(n, 10)
        if not unit:
            return str(tens[ten])
        one = self.words.get("unit_before_ten", {}).get(str(unit), small[unit])
        return str(self.words["compound"].format(ten=tens[ten], unit=one))

    def number_of(self, n: int, gender: str) -> str:
        """Return a number as the word that is used before a noun of this gender."""
        forms: Mapping[str, str] = self.words.get(f"gender_of_{n}", {})
        return forms.get(gender) or self.number(n)

    def form_for(self, n: int, forms: str) -> str:
        """Return the form of a word that agrees with a number.

        Most languages have two forms: one for the number 1, and one for all other numbers. If a language has
        other forms, its file lists their CLDR categories as `plural_forms`, and Babel finds the category of a
        number.

        >>> language("en").form_for(2, "card|cards")
        'cards'
        """
        categories = self.words.get("plural_forms")
        if not categories:
            return choose_form(forms, n != 1)
        parts = forms.split("|")
        category = categories.index(plural_category(self.code, n))
        return str(parts[min(category, len(parts) - 1)])

    def in_case(self, name: str, case: str, plural: bool) -> str:
        """Return a name for use inside a sentence, with its leading article in a grammatical case.

        The case is "nom", "acc", "dat" or "gen". In the genitive, a name without an article gets a
        preposition. With "to", the name of a place is the aim of a march.

        >>> language("de").in_case("Der Herzog", "dat", plural=False)
        'dem Herzog'
        >>> language("de").in_case("Die Reiter", "dat", plural=True)
        'den Reitern'
        >>> language("de").in_case("Die Alte Wache am Tor", "dat", plural=False)
        'der Alten Wache am Tor'
        >>> language("de").in_case("der Bube", "acc", plural=False)
        'den Buben'
        >>> [language("de").in_case(name, "gen", plural=False) for name in ("Der Herzog", "Kent")]
        ['des Herzogs', 'von Kent']
        """
        if case == TOWARDS:
            return self.towards(name, plural)
        article, _, rest = name.partition(" ")
        forms = self.words.get("articles", {}).get(article.casefold())
        if not forms or not rest:
            name = self.with_epithet_in_case(name, "dat" if case == GENITIVE else case)
            return str(self.words["genitive"].format(name=name)) if case == GENITIVE else name
        before, noun, behind = self.parts_of(rest, plural)
        if plural:
            noun += self.plural_ending(noun, case)
        elif forms[case] != forms["nom"]:
            ending = tuple(self.words["adjective_singular"])
            if not before or before[-1].endswith(ending):  # not in "Der von Mar"
                strong = forms.get("strong", {}) if case == GENITIVE else {}
                noun += ending_of(noun, forms.get("weak", {})) or ending_of(noun, strong)
            before = [
                f"{word}{self.words['adjective']}" if word.endswith(ending) else word for word in before
            ]
        declined = forms.get("plural", {}).get(case, forms[case]) if plural else forms[case]
        return " ".join([declined, *before, noun, *behind])

    def towards(self, name: str, plural: bool) -> str:
        """Return the name of a place with a preposition for the way there.

        >>> [language("de").towards(name, plural=False) for name in ("Die Furt", "Der Hügel", "Kent")]
        ['zur Furt', 'zum Hügel', 'nach Kent']
        """
        article, _, rest = name.partition(" ")
        if not rest or article.casefold() not in self.words.get("articles", {}):
            return f"{self.words['towards']} {name}"
        return "".join(
            self.contracted(f"{self.words['towards_article']} ", self.in_case(name, "dat", plural))
        )

    def contracted(self, text: str, name: str) -> tuple[str, str]:
        """Return a text and the name behind it. A preposition and an article between them become one word.

        >>> language("de").contracted("Der Weg zu ", "dem Hügel")
        ('Der Weg zum ', 'Hügel')
        """
        for long, short in self.words["contractions"].items():
            preposition, _, article = long.partition(" ")
            match = re.search(rf"(?<!\w){preposition} $", text, re.IGNORECASE)
            if match and name.startswith(f"{article} "):
                joined = capital(short) if match[0][0].isupper() else short
                return f"{text[: match.start()]}{joined} ", name.removeprefix(f"{article} ")
        return text, name

    def with_epithet_in_case(self, name: str, case: str) -> str:
        """Return a person's name whose epithet is in a grammatical case.

        >>> language("de").with_epithet_in_case("Heinrich der Löwe", "dat")
        'Heinrich dem Löwen'
        """
        first, _, epithet = name.partition(" ")
        has_epithet = epithet.partition(" ")[0] in self.words.get("articles", {}) and first in self.people
        return f"{first} {self.in_case(epithet, case, plural=False)}" if has_epithet else name

    def parts_of(self, name: str, plural: bool) -> tuple[list[str], str, list[str]]:
        """Return the adjectives of a name without its article, its noun, and the words behind the noun."""
        words = name.split(" ")
        ending = tuple(self.words["adjective_plural" if plural else "adjective_singular"])
        at = 0
        while at < len(words) - 1 and (
            words[at].islower()
            or (
                words[at].endswith(ending)
                and words[at + 1].istitle()
                and words[at] not in self.words["nouns"]
            )
        ):
            at += 1
        return words[:at], words[at], words[at + 1 :]

    def ordinal(self, n: int) -> str:
        """Return an ordinal as a word, or as digits if the language's file has no word for it."""
        ordinals = self.words["ordinals"]
        if n < len(ordinals):
            return str(ordinals[n])
        ten, unit = divmod(n, 10)
        if n < 100 and not unit and self.words.get("ordinal_tens"):
            return str(self.words["ordinal_tens"][ten])
        if n < 100 and unit and self.words.get("compound_ordinal"):
            tens = self.words["tens"]
            return str(self.words["compound_ordinal"].format(ten=tens[ten], unit=ordinals[unit]))
        if 100 < n < 200 and self.words.get("hundred_ordinal"):
            return str(self.words["hundred_ordinal"].format(rest=self.ordinal(n - 100)))
        ending = "" if n % 100 in (11, 12, 13) else str(n % 10)
        pattern = self.words.get("ordinal_endings", {}).get(ending, self.words["ordinal_digits"])
        return str(pattern.format(n=n))

    def declined_ordinal(self, n: int) -> str:
        """Return an ordinal with the ending of an adjective, such as "zweiten", or as digits: "24."."""
        ordinal = self.ordinal(n)
        return ordinal if ordinal[0].isdigit() else f"{ordinal}{self.words['adjective']}"

    def times(self, n: int) -> str:
        """Return how often something happened, as a word or phrase: once, twice, three times."""
        return str(self.words["times"].get(str(n)) or self.words["many_times"].format(n=self.number(n)))

    def share(self, share: Fraction, form: str = "") -> str:
        """Return a share as a phrase. An estimate, and a share with a large denominator, is rounded.

        If `form` is "of", the phrase can precede the word "of".

        >>> english = language("en")
        >>> [english.share(Fraction(n, 104)) for n in (93, 45, 1)]
        ['about nine tenths', 'a little more than two fifths', 'hardly anything']
        """
        words: Mapping[str, str] = self.words["shares"]
        if not self.is_rounded(share):
            if str(share) in words:
                return words[str(share)]
            parts = self.words["part" if share.numerator == 1 else "parts"]
            n, d = share.numerator, share.denominator
            return str(parts).format(n=self.number(n), of=self.number(d), of_th=self.ordinal(d))
        pattern, near = self.rounded(share)
        of = self.words.get(f"{pattern}_{form}") if form else None
        return str(of or self.words[pattern]).format(share=words.get(str(near)))

    def is_rounded(self, share: Fraction) -> bool:
        """Return True if the phrase for a share is only approximate."""
        if isinstance(share, Estimate) and 0 < share < 1:
            return True
        return share.denominator > MOST_PARTS and str(share) not in self.words["shares"]

    def rounded(self, share: Fraction) -> tuple[str, Fraction]:
        """Return a pair (pattern, share) with the nearest share that has a name.

        The pattern is the key of a phrase such as "about", which says how the named share differs from the
        exact one.
        """
        is_estimate = isinstance(share, Estimate)
        close = [each for each in self.close_shares if is_estimate or abs(each - share) <= CLOSE]
        near = min([*self.simple_shares, *close], key=lambda simple: abs(simple - share))
        if near in (0, 1):
            return ("nearly_all" if near else "hardly_any"), near
        if is_estimate or abs(share - near) <= CLOSE:
            return "about", near
        return ("little_more" if share > near else "little_less"), near

    def common_share(self, shares: Sequence[Fraction]) -> Fraction | None:
        """Return one of the shares if the same phrase describes all of them. Otherwise, return None.

        >>> language("en").common_share([Fraction(3, 13), Fraction(13, 52)])
        Fraction(3, 13)
        """
        vague = [share for share in shares if self.is_rounded(share)]
        if len(set(shares)) == 1:
            return [*vague, *shares][0]
        return vague[0] if vague and len(set(map(self.rounded, shares))) == 1 else None

    def card(self, card: Card) -> str:
        """Return a card with its suit. Cards of plug-ins are written as in files."""
        if card.is_second:
            return self.card_of_any_suit(card)
        pattern = self.words["card"]
        face, rank, suit = split_card(card.text)
        if face in self.card_names:
            return self.ranked(card, self.words["card_of_rank"])
        if face in self.words["jokers"]:
            return str(self.words["jokers"][face])
        if rank in self.words["ranks"] and suit in self.words["suits"]:
            article, _, noun = self.words["ranks"][rank].rpartition(" ")
            return str(pattern.format(article=article, rank=noun, suit=self.words["suits"][suit]))
        return self.ranked(card, self.words["card_of_rank"])

    def card_of_any_suit(self, card: Card, case: str = NOMINATIVE) -> str:
        """Return a card without its suit, but with the indefinite article: a nine, an ace."""
        return self.with_article(self.rank(card), case, SECOND if card.is_second else FIRST)

    def declined_card(self, card: Card, case: str) -> str:
        """Return a card with its suit in a grammatical case."""
        if card.is_second:
            return self.card_of_any_suit(card, case)
        return self.in_case(self.card(card), case, plural=False)

    def new_card(self, card: Card, case: str = NOMINATIVE) -> str:
        """Return a card with its suit. A Joker has no suit, and is returned with the indefinite article."""
        if split_card(card.text)[0] in self.card_names:
            return self.card_of_any_suit(card, case)
        return self.declined_card(card, case)

    def with_article(self, word: str, case: str = NOMINATIVE, form: str = FIRST) -> str:
        """Return a word with the indefinite article, instead of its definite one if it has one.

        >>> language("en").with_article("ace"), language("de").with_article("der Bube", "acc")
        ('an ace', 'einen Buben')
        """
        article, _, noun = self.in_case(word, case, plural=False).partition(" ")
        forms = self.words.get("articles", {}).get(word.partition(" ")[0])
        if forms:
            return f"{forms[form][case]} {noun}"
        is_an = word.casefold().startswith(tuple(self.words["an_before"]))
        article = self.words["an"] if is_an else self.words["a"]
        return f"{article} {word}" if article else word

    def rank(self, card: Card) -> str:
        """Return the rank of a card as a word, such as knave. A side's second one is a second knave."""
        if card.is_second:
            rank = self.rank(card._replace(is_second=False))
            return str(self.words["second"].format(ordinal=self.ordinal(2), rank=rank))
        face, rank, _ = split_card(card.text)
        if face in self.card_names:
            return self.card_names[face]
        if face in self.words["jokers"]:
            return str(self.words["joker"])
        return str(self.words["ranks"].get(rank or face, card.text))

    def ranked(self, card: Card, pattern: str) -> str:
        return pattern.format(rank=self.rank(card))

    def ranks_together(self, cards: Sequence[Card], case: str = NOMINATIVE) -> str:
        """Describe cards without their suits: a five and a six, a pair of fives.

        >>> language("en").ranks_together([Card("5H"), Card("5C")])
        'a pair of fives'
        >>> language("de").ranks_together([Card("KH"), Card("KC")], "dat")
        'zwei Königen'
        """
        ranks = [self.rank(card) for card in cards]
        if len(cards) == 2 and ranks[0] == ranks[1]:
            _, rank, _ = split_card(cards[0].text)
            plural = self.words["rank_plurals"].get(rank, f"{ranks[0]}s")
            return str(self.words["pair"].format(ranks=f"{plural}{self.plural_ending(plural, case)}"))
        return self.listed([self.with_article(rank, case) for rank in ranks])

    def plural_ending(self, noun: str, case: str) -> str:
        """Return the ending that a plural noun gets in a grammatical case."""
        has_ending = case == "dat" and noun.endswith(tuple(self.words["dative_plural_after"]))
        return str(self.words["dative_plural"]) if has_ending else ""

    def listed_in_case(self, nouns: Sequence[Noun], case: str) -> str:
        """Return a list of names, each as `in_case` returns it.

        In the genitive, the list gets a preposition with the dative.
        """
        if case == GENITIVE:
            return str(self.words["genitive"]).format(name=self.listed_in_case(nouns, "dat"))
        return self.listed([self.in_case(noun, case, noun.is_plural) for noun in nouns])

    def listed(self, items: Sequence[str]) -> str:
        """Join phrases with commas and a conjunction.

        >>> language("en").listed(["York", "Kent", "Wales"])
        'York, Kent and Wales'
        >>> language("en").listed(["York", "Percy and Douglas"])
        'York, and Percy and Douglas'
        """
        if len(items) < 2:
            return "".join(items)
        word = f" {self.words['and']}"
        link = (
            self.words["and_of_lists"]
            if any(f"{word} " in outside_brackets(item) for item in items)
            else word
        )
        return f"{', '.join(items[:-1])}{link} {items[-1]}"


def ending_of(noun: str, endings: Mapping[str, str]) -> str:
    """Return the ending of the first entry in which the noun ends, or "" if there is none.

    >>> ending_of("Graf", {"ee": "", "graf": "en"}), ending_of("See", {"ee": "", "e": "n"})
    ('en', '')
    """
    return next((ending for end, ending in endings.items() if noun.casefold().endswith(end)), "")


@cache
def plural_category(code: str, n: int) -> str:
    """Return a number's CLDR plural category, such as "few". Raises UsageError without Babel."""
    try:
        from babel import Locale  # slow to import, and only some languages need it
    except ImportError:
        raise UsageError(f"language {code} needs Babel: pip install cardbattle[languages]") from None
    return str(Locale.parse(code).plural_form(n))


def split_card(text: str) -> tuple[str, str, str]:
    """Split a card into its text without primes, its rank, and its suit.

    A rank or suit that the card does not have is empty.

    >>> split_card("10D'"), split_card("K"), split_card("RJ")
    (('10D', '10', 'D'), ('K', 'K', ''), ('RJ', '', ''))
    """
    face = text.rstrip("'")
    if face in ("RJ", "BJ") or (face[:1] == "J" and face[1:].isdigit()):
        return face, "", ""
    if face in RANKS:
        return face, face, ""
    if face[:-1] in RANKS and face[-1:] in ("S", "H", "D", "C"):
        return face, face[:-1], face[-1]
    return face, "", ""


@cache
def language(code: str, rules: str = "") -> Language:
    """Return the vocabulary of a language, including the names of a rule set's cards.

    Raises UsageError if the language is unknown.
    """
    if code not in languages():
        raise UsageError(
            f"--lang: {quoted(code)} is not available{nearest(code, languages())}; "
            f"choose from {', '.join(languages())}"
        )
    return Language(code, rules)


@cache
def languages() -> list[str]:
    """Return the codes of the languages that have stories."""
    folder = resources.files("cardbattle").joinpath(FOLDER)
    return sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and len(entry.name) <= 5)


@cache
def read_table(code: str, name: str) -> Mapping[str, Any]:
    """Return the content of a language's file. The table is empty if the language does not have this file."""
    file = resources.files("cardbattle").joinpath(FOLDER, code, f"{name}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@cache
def phrases_of(code: str, rules: str) -> Phrases:
    """Return a rule set's phrases, in English where the language has none."""
    tables = [read_table(each, name) for each in (ENGLISH, code) for name in ("common", rules)]
    return {kind: lines for table in tables for kind, lines in table.items() if kind not in TABLES}


@cache
def kinds_of(rules: str) -> frozenset[str]:
    """Return the kinds of facts for which a rule set has its own phrases."""
    return frozenset(read_table(ENGLISH, rules)) if rules else frozenset()


def has_stories(code: str, rules: str) -> bool:
    """Return True if a language has phrases for a rule set. Raises UsageError if the language is unknown."""
    return bool(read_table(language(code).code, rules))


# Terms of a game, which a story explains where it uses them first ---------------------------------


def uses_term(text: str, forms: Collection[str]) -> bool:
    """Return True if a text has one of the forms of a term as a whole word.

    >>> uses_term("Two chips were left.", ["chip", "chips"]), uses_term("Shipchips", ["chips"])
    (True, False)
    """
    return any(form in text and re.search(pattern_of(form), text) for form in forms)


def with_clause(text: str, word: str, clause: str, items: Collection[str] = ()) -> str | None:
    """Return a sentence with a clause after the first place where it can follow the word.

    Return None if there is no such place. A clause cannot follow a word in a list of `items`.

    >>> with_clause("York's Bazooka fell.", "Bazooka", "the highest card")
    "York's Bazooka, the highest card, fell."
    >>> with_clause("The Bazooka's day.", "Bazooka", "the highest card") is None
    True
    >>> with_clause("The Bazooka and the ten fell.", "Bazooka", "the highest card", ["ten"]) is None
    True
    """
    item = rf"(the |an? )?({'|'.join(map(re.escape, items))})(?!\w)"
    listed = re.compile(rf"(, {item})* and {item}") if items else None
    for match in re.finditer(pattern_of(word), text):
        rest = text[match.end() :]
        if rest and not rest.startswith(UNBROKEN) and not (listed and listed.match(rest)):
            comma = "" if rest.startswith(CLOSING) else ","
            return f"{text[: match.end()]}, {clause}{comma}{rest}"
    return None


def with_remark(text: str, remark: str) -> str:
    """Return a sentence with a remark in brackets before its full stop.

    >>> with_remark("No chip was left.", "a chip moves a card")
    'No chip was left (a chip moves a card).'

    A sentence has one pair of brackets.

    >>> with_remark("No chip was left (a chip moves a card).", "it can be paid once")
    'No chip was left (a chip moves a card; it can be paid once).'
    """
    if text.endswith(")."):
        return f"{text.removesuffix(').')}; {remark})."
    return f"{text.removesuffix('.')} ({remark})."


def pattern_of(word: str) -> str:
    return rf"(?<![\w-]){re.escape(word)}(?![\w-])"
