"""Turn facts into sentences: choose a phrase, fill in its fields, and name each side in the right way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from typing import NamedTuple

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Chance
from cardbattle.core.grammar import capital, choose_form, is_plural, mid_sentence, outside_brackets
from cardbattle.core.names import clean
from cardbattle.core.telling import Card, Fact, FactValue, Name, Points, Score, pieces_of_template
from cardbattle.story.language import (
    GENITIVE,
    NOMINATIVE,
    Language,
    Phrases,
    kinds_of,
    uses_term,
    with_clause,
    with_remark,
)
from cardbattle.story.naming import HE, IT, SHE, THEY, SideName
from cardbattle.story.rotation import Ordinals, penalties
from cardbattle.story.stakes import LED

CASES = ("nom", "acc", "dat", GENITIVE)  # articles at the beginning of names
SENTENCE_ENDS = (". ", "? ", "! ")
ONLY_IF, FIRST, KNOWN = "if", "first", "known"  # forms of fields that add no text
OBJECTS = ("acc", "dat", GENITIVE, "a_acc", "a_dat", "new_acc", "new_dat")  # forms of no subject
INDEFINITE = {"a": NOMINATIVE, "a_acc": "acc", "a_dat": "dat"}  # forms with an indefinite article: cases
GENDERS = ("m", "f", "n", "ms", "mn", "nn", "md", "fd")  # forms of numbers before nouns of these genders
GIVEN = ("place", "when", "owner", "words")  # fields with texts of the umpire
WITH_ARTICLE = ("place", "when", "owner")  # those of them that can begin with an article
UNGLOSSED = "unglossed"  # the field of a fact that names a term which its sentence does not explain
TAIL = "tail_"  # phrases of this kind end the sentence before
LONGEST = 110  # maximum number of characters of a sentence that gets a further clause
EXPLAINING = 1  # number of battles of each rule set in a campaign whose stories explain the terms of the game
UNEXPLAINED = 5  # penalty for each unexplained term in a sentence, if no clause can explain it
CROWDED = 3  # penalty for each term after the first that a sentence would have to explain
REPEATED = 8  # penalty for each sentence that already has the same phrase
MOST_FAULTS = 100  # no phrase with this penalty is used
HERO_CYCLE = 2  # phrases that begin with the hero are preferred in one sentence of this many
REFERRING = {"rolled_again": "rolled"}  # facts that follow another of their kind, and their kind without it
LED_CYCLE = 3  # the leaders' names are used in all sentences but one of this many
LARGE = 100  # from this number on, points are written in digits


class NotSayable(Exception):
    """A phrase needs a field that the fact does not have, or a pronoun that would not be clear."""


class Sentence(NamedTuple):
    """A phrase whose fields have been filled in.

    Attributes:
        text: one or two sentences.
        phrase: the phrase with its fields.
        seats: the numbers of the sides that the sentence names, in the order in which it names them.
        subject: the number of the side with which the sentence begins, or -1.
        is_led: True if the sentence calls the sides by the names of their leaders.
        event: the index of the last event that the sentence describes, or -1 before the first event.
        tail: the phrase of the clause that was added to the sentence, or "".
        explains: the terms that the sentence explains.

    """

    text: str
    phrase: str
    seats: list[int]
    subject: int
    event: int = -1
    is_led: bool = False
    tail: str = ""
    explains: Sequence[str] = ()


class Teller:
    """Writes facts as sentences in a language. No phrase is repeated as long as another one fits.

    Attributes:
        sentences: the sentences so far.
        event: the index of the last event that the sentences describe (see `Sentence`).
        kinds: the kinds of the facts so far.
        facts: the facts that the sentences so far describe.
        leaders: the names of the sides' leaders; a side without a known leader has its own name.
        has_leaders: True while sentences can call the sides by the names of their leaders.
        hero: the side from whose point of view the story is written, or `NOBODY`. In every second
            sentence, phrases that begin with this side are preferred.
        explained: the terms of the game that the sentences so far have explained.
        ordinals: the numbers of the battle in its campaign, which decide which phrases come first, or None.
        own_kinds: the kinds of facts for which the rule set has its own phrases.
        spare: how many facts can still become a clause of the sentence before them, without a sentence of
            their own.

    """

    def __init__(
        self,
        words: Language,
        phrases: Phrases,
        sides: Sequence[SideName],
        chance: Chance,
        leaders: Sequence[SideName] = (),
        ordinals: Ordinals | None = None,
    ) -> None:
        self.words = words
        self.phrases = phrases
        self.sides = sides
        self.leaders = leaders or sides
        self.has_leaders = False
        self.chance = chance
        self.ordinals = ordinals
        self.own_kinds = kinds_of(words.rules)
        self.hero = NOBODY
        self.sentences: list[Sentence] = []
        self.event = -1
        self.kinds: set[str] = set()
        self.facts: list[Fact] = []
        self.named: set[int] = set()
        is_known = ordinals is not None and ordinals.of_rules >= EXPLAINING
        self.explained: set[str] = {*words.terms} if is_known else set()
        self.spare = 0

    @property
    def last_kind(self) -> str:
        """The kind of the last fact, or "" at the beginning."""
        return self.facts[-1].kind if self.facts else ""

    def tell(self, fact: Fact) -> bool:
        """Add a sentence for a fact, or a clause to the last sentence, and return True.

        Return False if no phrase fits the fact.
        """
        fact = self.standing_alone(fact)
        joined = self.joined(fact)
        sentence = joined or self.sentence(fact)
        if sentence is None:
            return False
        if joined:
            self.sentences.pop()
            self.spare -= 1
        sentence = self.with_explanations(sentence, fact)
        self.sentences.append(sentence._replace(event=self.event))
        self.named.update(sentence.seats)
        self.explained.update(sentence.explains)
        self.kinds.add(fact.kind)
        self.facts.append(fact)
        return True

    def standing_alone(self, fact: Fact) -> Fact:
        """Return a fact without a reference to the sentence before, unless that is what it refers to."""
        first = REFERRING.get(fact.kind, "")
        return fact._replace(kind=first) if first and not self.last_kind.startswith(first) else fact

    def joined(self, fact: Fact) -> Sentence | None:
        """Return the last sentence with a further clause for a fact, or None if they do not go together."""
        last = self.sentences[-1] if self.sentences and self.spare > 0 else None
        lines = self.phrases.get(f"{TAIL}{fact.kind}", ())
        if last is None or not lines or last.tail or len(last.text) > LONGEST or not last.text.endswith("."):
            return None
        used = {sentence.tail for sentence in self.sentences}
        order = list(range(len(lines)))
        self.chance.shuffle(order)
        turns = self.turn_penalties(f"{TAIL}{fact.kind}", lines)
        order.sort(key=turns.__getitem__)
        for line in (lines[at] for at in order):
            if line in used or not goes_after(line, last.text, self.words.words["links"]):
                continue
            with suppress(NotSayable):
                return self.fill(line, fact.fields, last.is_led or LED in fact.fields, last)
        return None

    def turn_penalties(self, kind: str, lines: Sequence[str]) -> list[int]:
        """Return a penalty for each phrase of a kind whose turn it is not in this battle of the campaign."""
        if self.ordinals is None:
            return [0] * len(lines)
        return penalties(lines, self.ordinals, is_common=kind not in self.own_kinds)

    def tell_unchanged(self, text: str) -> None:
        """Add sentences that the umpire wrote."""
        self.sentences.append(Sentence(text, text, [], NOBODY, self.event))

    def sentence(self, fact: Fact) -> Sentence | None:
        """Return a sentence for a fact, written with the best phrase that was not used before.

        The penalty of a phrase is known before its fields are filled in. Phrases with small penalties are
        tried first, and the others only if they can still be better. Among equally good phrases, a random
        order decides. Return None if no phrase fits the fact.
        """
        kind = fact.kind if self.phrases.get(fact.kind) else f"any_{fact.kind.rpartition('_')[2]}"
        lines = self.phrases.get(kind, ())
        order = list(range(len(lines)))
        self.chance.shuffle(order)
        turns = self.turn_penalties(kind, lines)
        used = [sentence.phrase for sentence in self.sentences]
        known = [turns[at] + REPEATED * used.count(lines[at]) for at in order]
        best: Sentence | None = None
        least = (MOST_FAULTS, 0)  # the penalty of the best phrase, and its place in the random order
        for faults, place in sorted(zip(known, range(len(order)), strict=True)):
            if (faults, place) > least:
                break
            sentence = self.filled(lines[order[place]], fact.fields)
            if sentence is not None and (rank := (faults + self.faults(sentence), place)) < least:
                best, least = sentence, rank
        return best

    def filled(self, phrase: str, fields: Mapping[str, FactValue]) -> Sentence | None:
        """Return a phrase with its fields filled in, or None if a field cannot be filled in.

        Two sentences of three use the names of the leaders, unless a pronoun would then be unclear. A fact
        about the leaders themselves has the field `led`.
        """
        is_turn = self.has_leaders and len(self.sentences) % LED_CYCLE != 0
        is_led = is_turn or LED in fields
        for led in (True, False) if is_led else (False,):
            with suppress(NotSayable):
                return self.fill(phrase, fields, led)
        return None

    def faults(self, sentence: Sentence) -> int:
        """Return a penalty for the unexplained terms of a sentence, and for words of earlier sentences in it.

        Without these, it is 0.
        """
        terms = self.unexplained(sentence)
        faults = UNEXPLAINED * sum(term not in self.words.remarks for term in terms)
        faults += CROWDED * max(0, len(terms) - 1)
        prefers_hero = self.hero != NOBODY and len(self.sentences) % HERO_CYCLE != 0
        faults += prefers_hero and sentence.seats[:1] not in ([], [self.hero])
        for weight, other in zip((3, 1), reversed(self.sentences), strict=False):
            faults += weight * (opening_of(sentence.text) == opening_of(other.text))
        return faults

    def unexplained(self, sentence: Sentence) -> list[str]:
        """Return the terms that a sentence uses, and that the story has not explained before."""
        known = self.explained.union(sentence.explains)
        return [
            term for term, forms in self.words.terms.items()
            if term not in known and uses_term(sentence.text, forms)
        ]  # fmt: skip

    def with_explanations(self, sentence: Sentence, fact: Fact) -> Sentence:
        """Return a sentence that explains the terms that the story has not explained before.

        A word that is also a part of a name, or of another text of the umpire, is not explained. A later
        sentence explains the term in the field `unglossed`. A second term is explained in brackets.
        """
        texts = [text for side in (*self.sides, *self.leaders) for text in (side.full, side.introduced)]
        texts += [str(fact.fields[name]) for name in GIVEN if name in fact.fields]
        is_own = not self.words.kinds.isdisjoint((fact.kind, TAIL + fact.kind))
        for term in self.unexplained(sentence) if is_own else ():
            forms = self.words.terms[term]
            if term == fact.fields.get(UNGLOSSED) or any(uses_term(text, forms) for text in texts):
                continue
            text = self.explain(sentence.text, term, is_second=bool(sentence.explains))
            if text is not None:
                sentence = sentence._replace(text=text, explains=[*sentence.explains, term])
        return sentence

    def explain(self, text: str, term: str, is_second: bool) -> str | None:
        """Return a sentence with an explanation of a term, or None if the language has none."""
        remarks = self.words.remarks.get(term, ())
        if is_second and remarks:
            return with_remark(text, self.one_of(remarks))
        used = [word for word in self.words.terms[term] if uses_term(text, [word])]
        for word in used:
            clauses = self.words.clauses.get(word, ())
            if (
                clauses
                and (explained := with_clause(text, word, self.one_of(clauses), self.words.all_ranks))
                is not None
            ):
                return explained
        return with_remark(text, self.one_of(remarks)) if remarks else None

    def one_of(self, texts: Sequence[str]) -> str:
        """Return a text, chosen at random."""
        return texts[self.chance.below(len(texts))]

    def fill(
        self,
        phrase: str,
        fields: Mapping[str, FactValue],
        is_led: bool = False,
        before: Sentence | None = None,
    ) -> Sentence:
        """Return a phrase with its fields filled in. Raises NotSayable if a field cannot be filled in.

        If `is_led` is true, the sides have the names of their leaders. If `before` is given, the phrase is a
        clause at the end of this sentence.
        """
        points = [fields.get(field) for field in fields_of(phrase)]
        has_large = any(isinstance(value, Points) and value >= LARGE for value in points)
        filling = Filling(self, fields, has_large, is_led)
        if before is not None:
            filling.add_text(before.text.removesuffix("."))
            filling.seats = [*before.seats]
        pieces = pieces_of_template(phrase)
        for (text, field, forms), (gap, following, noun) in zip(
            pieces, [*pieces[1:], ("", "", "")], strict=True
        ):
            filling.add_text(text)
            if field is not None:
                name = field.partition(".")[0]
                is_counted = gap == " " and following == name and noun
                filling.add_field(f"{name}.no" if is_counted and fields.get(name) == 0 else field, forms)
        sentence = Sentence(
            filling.text(), phrase, filling.seats, filling.subject, self.event, is_led,
            explains=filling.explains,
        )  # fmt: skip
        if before is None:
            return sentence
        return sentence._replace(phrase=before.phrase, subject=before.subject, tail=phrase)


class Filling:
    """A phrase while its fields are being filled in."""

    def __init__(
        self,
        teller: Teller,
        fields: Mapping[str, FactValue],
        in_digits: bool = False,
        is_led: bool = False,
    ) -> None:
        self.teller = teller
        self.is_led = is_led
        self.sides = teller.leaders if is_led else teller.sides
        self.in_digits = in_digits  # how points are written
        self.words = teller.words
        self.fields = fields
        self.pieces: list[str] = []
        self.seats: list[int] = []
        self.subject = NOBODY
        self.explains: list[str] = []
        self.pronouns: dict[int, str] = {}  # sides for which this sentence uses a pronoun first

    def text(self) -> str:
        text = "".join(self.pieces)
        return capital(text)

    def add_text(self, text: str) -> None:
        if text:
            self.pieces.append(text)

    def add_field(self, field: str, forms: str) -> None:
        """Add the text of a field, such as `side.their`.

        If `forms` is given, such as `has|have`, add only the form that agrees in number with the value of the
        field. The form `if` adds nothing, but makes sure that the phrase is used only if the fact has the
        field. The form `first` adds nothing either: the phrase explains a term, and is used only once. The
        form `known` marks a term as explained, and can be used again.
        """
        name, _, form = field.partition(".")
        if form in (FIRST, KNOWN):
            if form == FIRST and name in self.teller.explained:
                raise NotSayable(name)
            self.explains.append(name)
            return
        if name not in self.fields:
            raise NotSayable(name)
        if form == ONLY_IF:
            return
        value = self.fields[name]
        if name in WITH_ARTICLE and isinstance(value, str):
            value = mid_sentence(value)
        elif name not in GIVEN and isinstance(value, str):
            value = self.words.names.get(value, value)
        text = self.agreeing(value, form, forms) if forms else self.said(value, form)
        if not text:
            raise NotSayable(field)
        starts = not self.pieces or "".join(self.pieces[-1:]).endswith(SENTENCE_ENDS)
        if starts and isinstance(value, int) and text[0].isdigit():
            raise NotSayable(field)
        if isinstance(value, Name) and not forms:
            self.separate(text)
        text = self.contract(text)
        is_new = starts or (form not in OBJECTS and self.is_clause(value))
        self.pieces.append(capital(text) if is_new else text)

    def is_clause(self, value: FactValue) -> bool:
        """Return True if a name or a card follows a colon, in a language in which it gets a capital there."""
        first = value[0] if isinstance(value, list) and value else value
        has_capital = bool(self.words.words["capital_after_colon"]) and isinstance(first, Name | Card)
        return has_capital and "".join(self.pieces[-1:]).endswith(": ")

    def contract(self, name: str) -> str:
        """Join a preposition and the article of the name behind it, such as "von dem". Return the rest."""
        if not self.pieces:
            return name
        self.pieces[-1], rest = self.words.contracted(self.pieces[-1], name)
        return rest

    def separate(self, name: str) -> None:
        """Replace the "and" before a name as in a list, if this name or the one before contains an "and".

        An "and" in brackets does not count.
        """
        link = f" {self.words.words['and']} "
        if self.pieces[-1:] == [link] and any(
            link in outside_brackets(text) for text in (*self.pieces[-2:-1], name)
        ):
            self.pieces[-1] = f"{self.words.words['and_of_lists']} "

    def agreeing(self, value: FactValue, form: str, forms: str) -> str:
        """Return the form that agrees with a value.

        Several sides, and numbers other than 1, need the plural.
        """
        if isinstance(value, Name):
            side = self.sides[value.seat]
            is_pronoun = form == "they" or self.pronouns.get(value.seat) == THEY
            return choose_form(forms, side.plural or (is_pronoun and side.pronoun == THEY))
        if isinstance(value, int):
            return self.words.form_for(value, forms)
        if isinstance(value, list | tuple):
            return choose_form(forms, len(value) > 1 or self.is_plural_name(value))
        return choose_form(forms, isinstance(value, str) and is_plural(value))

    def is_plural_name(self, value: Sequence[object]) -> bool:
        """Return True if there is only one element, which is a side with a plural name."""
        first = value[0] if value else None
        return isinstance(first, Name) and self.sides[first.seat].plural

    def said(self, value: FactValue, form: str) -> str:
        """Return a value as text, in the form that the phrase requests."""
        if isinstance(value, Name):
            return self.side(value.seat, form)
        if isinstance(value, Card):
            return CARD_FORMS[form](self.words, value)
        if isinstance(value, str):
            if form in INDEFINITE:
                return clean(self.words.with_article(value, INDEFINITE[form]))
            return clean(self.words.in_case(value, form if form in CASES else NOMINATIVE, is_plural(value)))
        if isinstance(value, Points) and value and self.in_digits and (not form or form in GENDERS):
            return str(int(value))
        if isinstance(value, Score) and not value:
            return str(self.words.words["nought"])
        if isinstance(value, int):
            return NUMBER_FORMS[form](self.words, value)
        if isinstance(value, Fraction):
            return self.words.share(value, form)
        return self.listed(list(value), form)

    def listed(self, values: Sequence[object], form: str) -> str:
        """Return a list of cards, sides or numbers as text."""
        cards = [value for value in values if isinstance(value, Card)]
        if cards and form in INDEFINITE:
            return self.words.ranks_together(cards, INDEFINITE[form])
        if len(values) > 1 and not form and all(isinstance(value, Name) for value in values):
            form = NOMINATIVE  # no pronoun within a list
        if len(values) > 1 and form == GENITIVE:  # a preposition with the dative
            return str(self.words.words["genitive"]).format(name=self.listed(values, "dat"))
        return self.words.listed([self.said(value, form) for value in values])  # type: ignore[arg-type]

    def side(self, seat: int, form: str) -> str:
        """Return the name of a side, or a pronoun."""
        side = self.sides[seat]
        if form in ("they", "them", "their"):
            return self.pronoun(seat, form)
        name = self.subject_pronoun(seat) if not form and not self.pieces else ""
        if not name:
            is_known = seat in self.teller.named or seat in self.seats
            first = side.full if is_known or form == "full" else self.first_name(side, form)
            name = clean(side.short if is_known and form != "full" else first)
            name = self.in_case(name, side, form if form in CASES else NOMINATIVE)
        if not form and not self.pieces:
            self.subject = seat
        self.seats.append(seat)
        return self.possessive(name, side) if form == "s" else name

    def in_case(self, name: str, side: SideName, case: str) -> str:
        """Return a name of a side in a grammatical case. A list of names can be its beginning."""
        subject = self.words.listed_in_case(side.parts, CASES[0])
        if not side.parts or not name.startswith(subject):
            return self.words.in_case(name, case, side.plural)
        return f"{self.words.listed_in_case(side.parts, case)}{name.removeprefix(subject)}"

    def first_name(self, side: SideName, form: str) -> str:
        """Return the name of a side at its first mention, with its leader.

        Raises NotSayable for a possessive form, because the name of the leader would get its ending.
        """
        if side.introduced and form == "s":
            raise NotSayable(form)
        return side.introduced or side.full

    def pronoun(self, seat: int, form: str) -> str:
        """Return a pronoun for a side that this sentence has already named.

        Raises NotSayable if the pronoun is not clear.
        """
        side = self.sides[seat]
        others = [self.sides[other] for other in self.seats if other != seat]
        is_unclear = any(self.have_one_pronoun(other, side, form) for other in others)
        is_nearest = form == "their" and self.seats[-1:] == [seat]
        if seat not in self.seats or is_person_perhaps(side) or (is_unclear and not is_nearest):
            raise NotSayable(form)
        return str(self.words.words["pronouns"][form][side.pronoun])

    def subject_pronoun(self, seat: int) -> str:
        """Return a pronoun for the subject of the previous sentence, or "" if no pronoun would be clear.

        "It" and "they" are not used: readers would not take "it" for a side, and would take "they" for both
        sides.
        """
        before = self.teller.sentences[-1] if self.teller.sentences else None
        side = self.sides[seat]
        if before is None or before.subject != seat or before.is_led != self.is_led or side.pronoun == IT:
            return ""
        others = [self.sides[other] for other in before.seats if other != seat]
        if side.pronoun == THEY and (others or not side.plural):
            return ""
        if any(self.have_one_pronoun(other, side, "they") or is_person_perhaps(other) for other in others):
            return ""
        pronoun = str(self.words.words["pronouns"]["they"][side.pronoun])
        if before.text.casefold().startswith(f"{pronoun} "):
            return ""
        self.pronouns[seat] = side.pronoun
        return pronoun

    def have_one_pronoun(self, one: SideName, other: SideName, form: str) -> bool:
        """Return True if the pronouns for two sides are the same word."""
        pronouns = self.words.words["pronouns"][form]
        return bool(pronouns[one.pronoun] == pronouns[other.pronoun])

    def possessive(self, name: str, side: SideName) -> str:
        """Return the possessive form of a name.

        The name of a group that ends in -s gets only an apostrophe; that of a person gets -'s.
        """
        patterns = self.words.words["possessive"]
        is_person = side.pronoun in (HE, SHE) or is_person_perhaps(side) or name.endswith("ss")
        kind = (
            "plural_in_s" if name.endswith("s") and not is_person else "plural" if side.plural else "singular"
        )
        return str(patterns[kind].format(name=name))


def is_person_perhaps(side: SideName) -> bool:
    """Return True if a man or a woman could have the name, such as Glyndwr."""
    return side.pronoun == THEY and not side.plural


CARD_FORMS: Mapping[str, Callable[[Language, Card], str]] = {
    "": Language.card,
    "a": Language.card_of_any_suit,
    "new": Language.new_card,
    "rank": Language.rank,
    **{case: partial(Language.declined_card, case=case) for case in CASES},
    **{f"a_{case}": partial(Language.card_of_any_suit, case=case) for case in ("acc", "dat")},
    **{f"new_{case}": partial(Language.new_card, case=case) for case in ("acc", "dat")},
}
NUMBER_FORMS: Mapping[str, Callable[[Language, int], str]] = {
    "": Language.number,
    "th": Language.ordinal,
    "thn": Language.declined_ordinal,
    "a": lambda words, n: words.with_article(words.number(n)),
    "no": lambda words, n: words.number(n) if n else str(words.words["no"]),
    **{gender: partial(Language.number_of, gender=gender) for gender in GENDERS},
    "digits": lambda _, n: str(n),
    "times": Language.times,
}


def goes_after(tail: str, sentence: str, links: Sequence[str] = ()) -> bool:
    """Return False if the sentence would be hard to read with this clause at its end.

    `links` has the beginnings of clauses that must not follow a clause with the same beginning.

    >>> goes_after(": two all.", "York won."), goes_after(": two all.", "York won; Kent lost.")
    (True, False)
    >>> goes_after("; that was all.", "That won the War.", ["; that"])
    False
    """
    has_parts = re.search(r"[:;] |[.!?] ", sentence) is not None
    if has_parts and (":" in re.sub(r"\{.*?\}", "", tail) or ";" in tail):
        return False
    return not any(
        tail.startswith(link) and (f"{link} " in sentence or is_opening(link, sentence)) for link in links
    )


def is_opening(link: str, sentence: str) -> bool:
    """Return True if a sentence begins with the word of a main-clause link such as "; that"."""
    return link.startswith("; ") and sentence.startswith(f"{capital(link[2:])} ")


def opening_of(text: str) -> str:
    """Return a sentence's first word, or two after an article or a preposition."""
    first, _, rest = text.casefold().partition(" ")
    return f"{first} {rest.partition(' ')[0]}" if len(first) < 4 else first


@cache
def fields_of(phrase: str) -> Sequence[str]:
    """Return the names of the fields in a phrase, without the grammatical forms after `.` and `:`.

    >>> fields_of("{side} {side:wins|win} {card.a}")
    ['side', 'side', 'card']
    """
    return [field.partition(".")[0] for _, field, _ in pieces_of_template(phrase) if field is not None]
