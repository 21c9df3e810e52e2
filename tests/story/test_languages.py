"""Languages: what each one lacks, fallback to English, German, and plural forms."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import Report, report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.chance import stream
from cardbattle.core.errors import UsageError
from cardbattle.core.grammar import Noun
from cardbattle.core.telling import ENGLISH, Card, Fact, FactValue, Name, Points, Score
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.document import Document, Item, Items, Paragraph, Section, Table
from cardbattle.show.pages.campaign.reports.chronicle import END_UNDONE
from cardbattle.show.translation import translated
from cardbattle.story import language as language_module
from cardbattle.story import story as story_module
from cardbattle.story.brief import brief_text
from cardbattle.story.language import (
    FOLDER,
    Language,
    language,
    languages,
    phrases_of,
    read_table,
    uses_term,
)
from cardbattle.story.naming import leader_names, side_names
from cardbattle.story.stakes import Stakes
from cardbattle.story.story import tell_story
from cardbattle.story.teller import Teller
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell


def report(rules: str, seed: int, names: tuple[str, ...]) -> Report:
    sides = {f"s{n}": {"name": name} for n, name in enumerate(names)}
    record, referee = fight_battle(read_battle({"rules": rules, "seed": seed, "sides": sides}))
    return report_of(record, referee, None)


def lacking(code: str) -> Iterator[str]:
    """Yield the entries that a language does not have, in the form `FILE: KEY`."""
    folder = resources.files("cardbattle").joinpath(FOLDER, ENGLISH)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        name = file.name.removesuffix(".toml")
        for key in read_table(ENGLISH, name):
            if key not in read_table(code, name):
                yield f"{name}.toml: {key}"


def test_what_each_language_lacks_is_listed(snapshot: SnapshotAssertion) -> None:
    """After adding an English phrase, see here which languages have to follow."""
    for code in languages():
        assert [*lacking(code)] == snapshot(name=code)


@pytest.mark.parametrize("code", ["en", "de"])
def test_no_phrase_is_missing(code: str) -> None:
    assert [*lacking(code)] == []


def test_a_missing_phrase_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        language_module,
        "read_table",
        lambda code, name: {} if (code, name) == ("de", "warmonger") else read_table(code, name),
    )
    english, german = (phrases_of.__wrapped__(code, "warmonger") for code in ("en", "de"))
    assert german["armies_even"] == english["armies_even"]
    assert german["meet"] != english["meet"]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_story_without_phrases_of_the_rule_set_is_short_and_in_the_language(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story_module, "has_stories", lambda code, rules: False)
    names = ("York", "Kent", "Wales")[: max(2, find(rules).fewest)]
    text = tell_story(report(rules, 3, names), lang="de").text
    assert re.search(r" siegte: | trug den Sieg davon: |Der Tag gehörte|Es endete unentschieden: ", text)
    assert not re.search(r"\b(?:the|and|of|won|lost)\b", text)


def test_a_german_verb_agrees_with_a_plural_side() -> None:
    phrases = phrases_of("de", "wargame")
    names = side_names(["Die Stadt", "Die Pikeniere"], (), language("de"))
    teller = Teller(language("de"), {}, [names[0], names[1]._replace(plural=True)], stream(1, "story"))
    fields: dict[str, FactValue] = {"side": Name(0), "rival": Name(1), "place": "Usk", "when": "1403"}
    for kind in ("meet", "meet_place", "meet_when", "meet_place_when"):
        neither = [phrase for phrase in phrases[kind] if "eder {side} noch" in phrase]
        for phrase in neither:
            assert "noch die Pikeniere wollten" in teller.fill(phrase, fields).text
        assert neither


def test_all_phrases_of_a_language_have_only_known_fields() -> None:
    """A translation can use no field that the English phrases of the same kind do not have."""
    from cardbattle.story.teller import fields_of

    for code in languages():
        for rules in RULE_SETS:
            english = phrases_of("en", rules)
            terms = language(code, rules).terms.keys()
            for kind, lines in phrases_of(code, rules).items():
                known = {field for line in english[kind] for field in fields_of(line)}
                used = {field for line in lines for field in fields_of(line)}
                common = {"side", "rival", "sides", "mine", "other", "count"}
                assert used <= known | terms | common, (code, kind)


def test_english_verbs_agree_with_the_sides_before_them() -> None:
    """A side or a place can be plural: {side:was|were}, not was."""
    verb = re.compile(
        r"\{(side|rival|target|leader|victor|caller|vetoer|lucky|passed|place)\} "
        r"(was|is|has|does|were|are|have)\b"
    )
    for rules in RULE_SETS:
        for kind, lines in phrases_of("en", rules).items():
            assert not [line for line in lines if verb.search(line)], (rules, kind)


def test_german_words() -> None:
    german = language("de")
    assert [german.number(n) for n in (0, 1, 21, 36, 112)] == [
        "null", "eins", "einundzwanzig", "sechsunddreißig", "112"
    ]  # fmt: skip
    assert german.number_of(1, "f") == "eine" and german.number_of(2, "f") == "zwei"
    assert german.card(Card("9H")) == "die Herz-Neun" and german.card(Card("J")) == "der Bube"
    assert german.share(Fraction(3, 5)) == "drei Fünftel"
    assert german.listed(["York", "Kent", "Wales"]) == "York, Kent und Wales"
    assert german.in_case("Die Bogenschützen", "dat", plural=True) == "den Bogenschützen"
    assert german.in_case("Prinz Heinrich", "dat", plural=False) == "Prinz Heinrich"


@pytest.mark.parametrize(
    ("name", "plural", "accusative", "dative", "genitive"),
    [
        ("Die Alte Wache", False, "die Alte Wache", "der Alten Wache", "der Alten Wache"),
        ("Der rote Adler", False, "den roten Adler", "dem roten Adler", "des roten Adlers"),
        ("Das alte Tor", False, "das alte Tor", "dem alten Tor", "des alten Tors"),
        ("Die Brigade Adler", False, "die Brigade Adler", "der Brigade Adler", "der Brigade Adler"),
        ("Der Graf von Mar", False, "den Grafen von Mar", "dem Grafen von Mar", "des Grafen von Mar"),
        ("Der von Mar", False, "den von Mar", "dem von Mar", "des von Mar"),
        ("Der Bund der Städte", False, "den Bund der Städte", "dem Bund der Städte", "des Bundes der Städte"),
        ("Der See", False, "den See", "dem See", "des Sees"),
        ("Die roten Reiter", True, "die roten Reiter", "den roten Reitern", "der roten Reiter"),
        ("Die Bürger von Köln", True, "die Bürger von Köln", "den Bürgern von Köln", "der Bürger von Köln"),
        ("Die drei Türme", True, "die drei Türme", "den drei Türmen", "der drei Türme"),
    ],
)
def test_a_german_name_is_declined(
    name: str, plural: bool, accusative: str, dative: str, genitive: str
) -> None:
    german = language("de")
    assert german.in_case(name, "nom", plural) == f"{name[0].lower()}{name[1:]}"
    assert [german.in_case(name, case, plural) for case in ("acc", "dat", "gen")] == [
        accusative, dative, genitive
    ]  # fmt: skip


def german(phrase: str, *names: str, **fields: FactValue) -> str:
    """Fill in a German phrase. `side`, `rival` and `third` are sides with these names."""
    words = language("de")
    seats = {name: Name(seat) for seat, name in enumerate(("side", "rival", "third")[: len(names)])}
    teller = Teller(words, {}, side_names(names, (), words), stream(1, "story"))
    return teller.fill(phrase, {**seats, **fields}).text


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("{side} fiel durch {card.acc} {rival.gen}.", "Kent fiel durch den Karo-Buben des Grafen von Mar."),
        ("{rival} fiel durch {card.a_acc} {side.gen}.", "Der Graf von Mar fiel durch einen Buben von Kent."),
        ("Trotz {card.gen} und mit {joker.dat}.", "Trotz des Karo-Buben und mit dem roten Joker."),
        ("{pair.a:fiel|fielen} {pair.a}, mit {pair.a_dat}.", "Fielen zwei Könige, mit zwei Königen."),
        ("Zu {rival.dat}, von {rival.dat}.", "Zum Grafen von Mar, vom Grafen."),
        ("{few.mn} {few:Punkt|Punkte} oder {few.md}.", "Einen Punkt oder einem."),
        ("Mit {many.md} {many:Punkt|Punkten}.", "Mit 153 Punkten."),
        ("Es gab {none.m} {none:Punkt|Punkte}.", "Es gab keine Punkte."),
        ("Im {low.thn} und im {high.thn} Kampf.", "Im zweiten und im 24. Kampf."),
        ("{again.a_acc} und mit {again.dat}.", "Ein zweites Ass und mit einem zweiten Ass."),
    ],
)
def test_a_german_phrase_is_declined(phrase: str, text: str) -> None:
    fields: dict[str, FactValue] = {
        "card": Card("JD"), "joker": Card("RJ"), "pair": [Card("KS"), Card("KH")], "few": 1,
        "many": Points(153), "none": 0, "low": 2, "high": 24, "again": Card("AS", is_second=True),
    }  # fmt: skip
    assert german(phrase, "Kent", "Der Graf von Mar", **fields) == text


def test_a_german_epithet_is_declined() -> None:
    """The leader of a side is introduced in the dative."""
    words = language("de")
    sides = side_names(["Kent", "York"], (), words)
    with_leaders, people = leader_names(sides, ["Albrecht der Bär", "Konrad"], words)
    assert with_leaders[0].introduced == "Kent unter Albrecht dem Bären"
    assert people[0].short == "Albrecht"


def test_a_name_after_a_colon_begins_with_a_capital_in_german() -> None:
    text = german("Es endete: {side} floh, {count} zu {count}: {share} für {rival.acc}: {card.acc}.",
        "Die Garde", "Der Bund", count=2, share=Fraction(1, 2), card=Card("KS"),
    )  # fmt: skip
    assert text == "Es endete: Die Garde floh, zwei zu zwei: die Hälfte für den Bund: den Pik-König."


def test_a_german_verb_after_und_is_no_part_of_a_list() -> None:
    text = german(
        "{side} gab {cards.a_acc} und {side:nahm|nahmen} sie zurück.", "Kent", cards=[Card("KS"), Card("9H")]
    )
    assert text == "Kent gab einen König und eine Neun und nahm sie zurück."


def test_a_german_name_is_short_without_its_origin() -> None:
    words = language("de")
    names = [
        "Die Bürger von Köln",
        "Der von Mar",
        "Die Alte Wache",
        "Der Bund der Städte",
        "Die Wache von Ulm und Kent",
    ]
    assert [side.short for side in side_names(names, (), words)] == [
        "Die Bürger", "Der von Mar", "Die Alte Wache", "Der Bund", "Die Wache von Ulm und Kent",
    ]  # fmt: skip
    confused = ["Die Bürger von Köln", "Zwei Bürger"]
    assert [side.short for side in side_names(confused, (), words)] == ["Die Bürger von Köln", "Zwei Bürger"]


def test_a_german_pronoun_has_the_gender_of_the_article() -> None:
    """In German, the pronouns for a woman and for several people are the same word."""
    words = language("de")
    names = side_names(
        ["Der Bund", "Die Garde", Noun("Die Reiter", plural=True), "Hauptmann Anna"], (), words
    )
    assert [side.pronoun for side in names] == ["he", "she", "they", "she"]
    for names_of_two, second in (
        (("Der Bund", "Die Garde"), "Er floh."),
        (("Die Garde", "Die Garde am Tor"), "Die Garde floh."),
    ):
        sides = side_names(names_of_two, (), words)
        teller = Teller(
            words, {"a": ["{side} sah {rival.acc}."], "b": ["{side} floh."]}, sides, stream(1, "x")
        )
        for kind in "ab":
            teller.tell(Fact(kind, {"side": Name(0), "rival": Name(1)}))
        assert teller.sentences[-1].text == second


def test_a_german_sentence_gets_no_second_clause_with_und() -> None:
    words = language("de")
    phrases = {
        "a": ["{side} kam, und {rival} floh."], "tail_b": [", und {side} {side:hatte|hatten} den Wald."],
        "b": ["{side} {side:hatte|hatten} den Wald."],
    }  # fmt: skip
    teller = Teller(words, phrases, side_names(["Kent", "York"], (), words), stream(1, "x"))
    teller.spare = 1
    for kind in "ab":
        teller.tell(Fact(kind, {"side": Name(0), "rival": Name(1)}))
    assert [sentence.text for sentence in teller.sentences][-1] == "Kent hatte den Wald."


def test_a_joker_of_several_has_no_definite_article_when_it_arrives() -> None:
    warmonger = language("en", "warmonger")
    assert [warmonger.new_card(Card(text)) for text in ("J3", "9H")] == ["a Joker", "the nine of hearts"]


def test_a_score_of_0_is_nought_and_no_points_are_none() -> None:
    teller = Teller(language("en"), {}, side_names(["York", "Kent"]), stream(1, "story"))
    said = [
        teller.fill("{side} won with {score}.", {"side": Name(0), "score": n}).text for n in (Score(0), 0)
    ]
    assert said == ["York won with nought.", "York won with none."]
    counted = [
        teller.fill("{side} had {n} {n:point|points}.", {"side": Name(0), "n": n}).text for n in (0, 1)
    ]
    assert counted == ["York had no points.", "York had one point."]


def test_the_possessive_of_a_person_that_ends_in_s_is_that_of_every_person() -> None:
    names = side_names(["Bishop Aldous", "Sir Piers", "The Minster Bows"])
    teller = Teller(language("en"), {}, names, stream(1, "story"))
    teller.named.update(range(3))
    said = [teller.fill("It was {side.s} day.", {"side": Name(seat)}).text for seat in range(3)]
    assert said == ["It was Aldous's day.", "It was Sir Piers's day.", "It was the Bows' day."]


PHRASES = {
    "switched_attack": ["{side} paid a chip.", "{chip.first}{side} paid a chip, which moves a card."],
    "now_ahead": ["{side} led by {lead}."],
    "tail_now_ahead": [", and {side} led by {lead}.", "; it led by {lead}."],
}


def test_a_term_is_explained_once_and_a_clause_ends_the_sentence_before_it() -> None:
    for seed in range(8):
        teller = Teller(language("en", "wargame"), PHRASES, side_names(["York", "Kent"]), stream(seed, "x"))
        teller.spare = 1
        facts = [
            Fact("switched_attack", {"side": Name(0)}),
            Fact("now_ahead", {"side": Name(1), "lead": 2}),
        ]
        assert all(teller.tell(fact) for fact in (*facts, *facts))
        joined, paid, led = [sentence.text for sentence in teller.sentences]
        assert joined.startswith("York paid a chip") and joined.endswith("led by two.")
        assert (paid, led) == ("York paid a chip.", "Kent led by two.")
        assert teller.sentences[0].tail in PHRASES["tail_now_ahead"] and teller.spare == 0


def test_every_term_can_be_explained() -> None:
    for rules in RULE_SETS:
        words = language("en", rules)
        lines = [line for lines in phrases_of("en", rules).values() for line in lines]
        explained = {term for line in lines for term in re.findall(r"\{(\w+)\.(?:first|known)\}", line)}
        assert words.terms.keys() <= explained | words.remarks.keys(), rules
        assert words.clauses.keys() <= {form for forms in words.terms.values() for form in forms}, rules
        tails = [line for kind, lines in phrases_of("en", rules).items() if "tail_" in kind for line in lines]
        assert all(re.match(r"(?:\{\w+\.if\})*[,;:] ", line) for line in tails)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_story_explains_each_term_where_it_uses_it_first(rules: str) -> None:
    """A term with a remark is explained in each story that uses it, in the first sentence that does."""
    words = language("en", rules)
    explanations = [
        text for table in (words.clauses, words.remarks) for texts in table.values() for text in texts
    ]
    for seed in range(12):
        story = tell_story(report(rules, seed, ("York", "Kent")))
        for term in words.remarks:
            is_explained = False
            for sentence, phrase in zip(story.sentences, story.phrases, strict=True):
                is_explained |= bool(re.search(rf"\{{{term}\.(first|known)\}}", phrase))
                is_explained |= any(text in sentence for text in explanations)
                assert is_explained or not uses_term(sentence, words.terms[term]), sentence
        assert not [text for text in explanations if story.text.count(text) > 1]


OTHER_WORDS = {  # words of the rules for which stories have another word, because readers take them otherwise
    "wargame": r"\b(?<!change )(?<!changed )places?\b|\bbattles\b",
    "warfare-tactics": r"discard|monster|SEVEN|SWITCH|recruit|\bplaces?\b",
    "warmonger": r"\bBattles?\b|\bplaces?\b",
    "field-of-honour": r"\bplaces?\b",
    "strategy-war": r"\bplaces\b|\{place\.th\} place",
}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_word_means_one_thing(rules: str) -> None:
    """A battle is the whole, and a place is a place of the campaign."""
    for kind in language("en", rules).kinds & phrases_of("en", rules).keys():
        for line in phrases_of("en", rules)[kind]:
            text = re.sub(r"\{(?!place\.th)[^}]*\}", "", line)
            assert not re.search(OTHER_WORDS[rules], text), (kind, line)


def test_no_name_is_explained_as_a_term() -> None:
    teller = Teller(language("en", "wargame"), {}, side_names(["York", "The Spy"]), stream(1, "x"))
    fact = Fact("plain_attack", {"side": Name(1)})
    assert teller.with_explanations(teller.fill("{side} fell.", fact.fields), fact).text == "The Spy fell."


@pytest.mark.slow
def test_every_share_is_close_to_its_words() -> None:
    """All shares of up to 60 parts, and those of the points of a hand."""
    words = language("en")
    named = {text: Fraction(share) for share, text in words.words["shares"].items()}
    ranges = {
        "about ": (-0.02, 0.02),
        "a little more than ": (0.0, 0.05),
        "a little less than ": (-0.05, 0.0),
    }
    for share in {Fraction(n, of) for of in (*range(1, 60), 104, 118) for n in range(of + 1)}:
        text = words.share(share)
        prefix = next((each for each in ranges if text.startswith(each)), "")
        if prefix:
            least, most = ranges[prefix]
            assert least <= share - named[text.removeprefix(prefix)] <= most, (share, text)
        elif text in named:
            assert named[text] == share
        else:
            ending = "" if share.numerator == 1 else "s"
            exact = f"{words.number(share.numerator)} {words.ordinal(share.denominator)}{ending}"
            limits = {exact: 0.0, "hardly anything": 0.05, "nearly everything": 0.05}
            assert abs(share - round(share)) <= limits[text] or text == exact, (share, text)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(shares=st.lists(st.fractions(0, 1, max_denominator=120), min_size=2, max_size=4))
def test_the_words_of_a_common_share_are_true_of_all(shares: list[Fraction]) -> None:
    for code in languages():
        words = language(code)
        common = words.common_share(shares)
        if common is not None:
            assert common in shares
            assert all(words.rounded(share) == words.rounded(common) for share in shares)
            assert words.is_rounded(common) or set(shares) == {common}


def test_shares_in_words_are_simple() -> None:
    english = language("en")
    shares = [(93, 104), (45, 52), (11, 100), (46, 100), (1, 20), (1, 50), (95, 104), (103, 104)]
    assert [english.share(Fraction(*share)) for share in shares] == [
        "about nine tenths", "a little less than nine tenths", "about a tenth", "a little less than half",
        "a twentieth", "hardly anything", "about nine tenths", "nearly everything",
    ]  # fmt: skip
    assert english.share(Fraction(103, 104), "of") == "nearly all"


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_german_story_has_no_english_word(rules: str) -> None:
    english = {"the", "and", "were", "space", "held", "with", "of", "to"}
    for seed in range(12):
        story = tell_story(report(rules, seed, ("Prinz Heinrich", "Graf Albrecht")), lang="de")
        words = {word.strip(".,;:").casefold() for word in story.text.split()}
        assert not words & english, story.text
        assert "{" not in story.text and "|" not in story.text


@pytest.mark.parametrize("rules", RULE_SETS)
def test_german_stories_are_read(rules: str, snapshot: SnapshotAssertion) -> None:
    stories = [
        tell_story(report(rules, seed, ("Prinz Heinrich", "Graf Albrecht")), lang="de").text
        for seed in range(5)
    ]
    assert stories == snapshot


@pytest.mark.parametrize("rules", RULE_SETS)
def test_german_stories_of_groups_are_read(rules: str, snapshot: SnapshotAssertion) -> None:
    names = (Noun("Die Bürger von Köln", plural=True), "Die graue Garde", "Der Bund")
    count = max(2, min(find(rules).most, 3))
    stories = [
        tell_story(report(rules, seed, names[:count]), Stakes(names=names[:count]), lang="de").text
        for seed in range(2)
    ]
    assert stories == snapshot


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_fact_of_an_english_story_has_a_german_sentence(rules: str) -> None:
    names = ("Kent", "Die Garde", "Der Bund")[: max(2, min(find(rules).most, 3))]
    for seed in range(8):
        seen = report(rules, seed, names)
        plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
        assert plot is not None
        facts = [*plot.opening, *plot.ending, *plot.hooks]
        facts += [fact for each in plot.episodes for fact in (*each.facts, each.short, *each.gone)]
        facts += [fact for thread in plot.threads for scene in thread.scenes for fact in scene.facts]
        english, german = (
            Teller(words, phrases_of(words.code, rules), side_names(names, (), words), stream(seed, "x"))
            for words in (language("en", rules), language("de", rules))
        )
        for fact in facts:
            assert german.sentence(fact) or not english.sentence(fact), (seed, fact)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_brief_of_every_rule_set_is_german(rules: str, snapshot: SnapshotAssertion) -> None:
    names = ("Prinz Heinrich", "Graf Albrecht", "Die Stadt")[: max(2, find(rules).fewest)]
    text = brief_text(report(rules, 3, names), "de")
    assert find(rules).reasons[report(rules, 3, names).reason] not in text
    assert text == snapshot


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_english_brief_has_the_reasons_of_the_rules(rules: str) -> None:
    table = language_module.read_table("en", "brief")["reasons"]
    assert table[rules] == find(rules).reasons


def test_a_report_is_translated_where_the_catalogue_has_the_text() -> None:
    document = Document(
        "x",
        [
            Section("Turn 3: Michaelmas"),
            Table(["force", "strength"], [["Percy", "about 15"], ["York", "destroyed"]]),
            Items([Item("", "Percy marches from York to Chester."), Item("", "The miller drowned.")]),
        ],
        {},
    )
    section, table, items = translated(document, "de").blocks
    assert section == Section("Zug 3: Michaelmas")
    assert isinstance(table, Table) and isinstance(items, Items)
    assert (table.head, table.rows) == (["Truppe", "Stärke"], [["Percy", "etwa 15"], ["York", "vernichtet"]])
    assert [item.words for item in items.items] == [
        "Percy zieht von York nach Chester.", "The miller drowned."
    ]  # fmt: skip
    assert translated(document, "en") is document


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("York takes Chester from Kent", "York entreißt Kent Chester"),
        (
            "By the umpire's ruling, York takes Chester from Kent; York loses a tenth for good.",
            "Die Spielleitung entscheidet: York entreißt Kent Chester; York verliert auf Dauer ein Zehntel.",
        ),
        (
            "By the umpire's ruling, York takes Chester from Kent.",
            "Die Spielleitung entscheidet: York entreißt Kent Chester.",
        ),
        ("By the umpire's ruling, York takes Chester from Kent. York is destroyed.", ""),
        ("By the umpire's ruling, York takes Chester from Kent. (a bet)", ""),
        ("York had lost two battles and came back.", ""),
        ("York had got Chester without a fight.", ""),
        (
            "The Town Pikes have beaten The King three times without a defeat.",
            "The Town Pikes haben 3 Mal gegen The King gewonnen und nie verloren.",
        ),
        ("York has lost two battles in a row.", "York verlor 2 Kämpfe in Folge."),
        ("York and Kent have changed hands twice.", "York und Kent wechselten zweimal den Besitzer."),
        (
            "York loses about half for good, Kent about a fifth.",
            "York verliert auf Dauer etwa die Hälfte, Kent etwa ein Fünftel.",
        ),
        (
            "The road between York and Usk is gone (rain).",
            "Die Straße von York nach Usk gibt es nicht mehr (rain).",
        ),
        (
            "The road between York and Usk now takes 2 steps instead of 1 (rain).",
            "Die Straße von York nach Usk hat jetzt 2 Schritte statt 1 (rain).",
        ),
        (
            "The leader of York is taken prisoner by Kent.",
            "Der Anführer von York gerät in Gefangenschaft (Kent).",
        ),
        ("York waited" + "." * 60, ""),
        ("Bo Holt, Sir Vane and Ann fell", "Bo Holt, Sir Vane und Ann fielen"),
        ("Bo Holt and Ann were taken prisoner by us", "Bo Holt und Ann gerieten in unsere Gefangenschaft"),
        ("York meets Kent at Usk.", "York trifft auf Kent, Ort: Usk."),
        (
            "York loses 1 without supplies, and has 9 left (Bows -1).",
            "York verliert ohne Versorgung 1 und hat noch 9 (Bows -1).",
        ),
        ("After turn 6", "Nach Zug 6"),
        ("Kent cuts off the supply of York at Usk.", "Kent schneidet York vom Nachschub ab, Ort: Usk."),
        (
            "The supply of York is 4 steps away, the range is 3.",
            "Der Nachschub von York ist 4 Schritte entfernt, die Reichweite ist 3.",
        ),
        ("A veteran commander takes over York.", "Ein neuer Befehlshaber (altgedient) übernimmt: York."),
        ("The purse of York shrinks by 1, to 22.", "Die Kasse sinkt um 1 auf 22: York."),
        (
            "The purse of York grows by 1, to 22, paid by Kent.",
            "Die Kasse wächst um 1 auf 22: York. Es zahlt Kent.",
        ),
        (
            "York's lieutenant (green) takes over Kent.",
            "Der Stellvertreter von York (unerfahren) übernimmt: Kent.",
        ),
        (
            "York loses about half for good, Kent a fifth.",
            "York verliert auf Dauer etwa die Hälfte, Kent ein Fünftel.",
        ),
        ("York loses about half for good, Kent a fifth, Usk all of it.", ""),
        (
            "York beats Kent, who loses about a fifth for good.",
            "York schlägt Kent; die unterlegene Seite verliert auf Dauer etwa ein Fünftel.",
        ),
        (
            "By the umpire's ruling, York beats Kent, which loses half for good.",
            "Die Spielleitung entscheidet: York schlägt Kent; "
            "die unterlegene Seite verliert auf Dauer die Hälfte.",
        ),
        ("York beats Kent, who loses a fifth for good. For good, archers lose 3.", ""),
        ("We, York and Kent are level on 3 points.", "Wir, York und Kent liegen gleichauf: 3 Punkte."),
        ("Next, Kent and Usk, York, and Boyd fight", "Als Nächstes kämpfen Kent and Usk, York sowie Boyd"),
        ("York marches to Kent (late; it rained).", "York zieht nach Kent (late; it rained)."),
        ("Ann (fallen)", "Ann (gefallen)"),
        ("Usk, on the road to Wem (1 of 2 steps)", "Usk, auf dem Weg nach Wem (1 von 2 Schritten)"),
        (
            "York takes the field for Kent, 5 strong, at Usk.",
            "York tritt für Kent an, Stärke 5, in Usk.",
        ),
        ("York take the field for Kent, at Usk.", "York treten für Kent an, in Usk."),
        ("Ann replaces Bo Holt as the leader of York.", "Ann löst Bo Holt als Anführer ab: York."),
        (
            END_UNDONE.format(3),
            "Das Ende von Zug 3 wurde zurückgenommen. Frühere Berichte darüber und über spätere Züge gelten "
            "nicht mehr.",
        ),
    ],
)
def test_the_form_of_a_heading_is_not_found_in_a_sentence(english: str, german: str) -> None:
    """Otherwise, a part of the sentence is translated, and its words change places."""
    document = translated(Document("x", [Paragraph(english)], {}), "de")
    assert document.blocks == [Paragraph(german or english)]


def test_an_unknown_language_is_refused(sh: Shell) -> None:
    with pytest.raises(UsageError, match='"fr" is not available; choose from de, en'):
        language("fr")
    assert sh("resolve", "wargame", "--lang", "fr").code == 2
    assert sh("resolve", "wargame", "--lang", "de", "--detail", "audit").code == 2


def test_resolve_and_replay_print_german(sh: Shell) -> None:
    fought = sh("resolve", "field-of-honour", "--seed", "4", "--record", "x.toml", "--lang", "de", "-q")
    assert "Feld" in fought.out
    assert sh("replay", "x.toml", "--lang", "de").out == fought.out
    brief = sh("replay", "x.toml", "--lang", "de", "--detail", "brief").out
    assert " ".join(brief.split()) in " ".join(fought.out.split())


def test_babel_chooses_among_more_than_two_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("babel")
    polish = Language("de")
    polish.code = "pl"
    words: Mapping[str, Any] = {**polish.words, "plural_forms": ["one", "few", "many"]}
    monkeypatch.setattr(polish, "words", words)
    forms = [polish.form_for(n, "karta|karty|kart") for n in (1, 2, 5, 22, 25)]
    assert forms == ["karta", "karty", "kart", "karty", "kart"]


def test_every_file_of_a_language_belongs_to_an_english_one() -> None:
    folder = resources.files("cardbattle").joinpath("data/stories")
    known = {file.name for file in folder.joinpath("en").iterdir()} | {"catalogue.toml"}
    for code in languages():
        for file in folder.joinpath(code).iterdir():
            assert file.name in known
            tomllib.loads(file.read_text(encoding="utf-8"))


def test_a_language_without_words_for_large_ordinals_writes_digits() -> None:
    assert [language("de").ordinal(n) for n in (24, 124, 150)] == ["24.", "124.", "150."]


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("The battle for Die Furt", "Die Schlacht um die Furt"),
        ("The second battle for Der Wald", "Die zweite Schlacht um den Wald"),
        ("York takes Der Wald from Kent", "York entreißt Kent den Wald"),
        ("York marches from Die Furt to Der Wald.", "York zieht von der Furt zum Wald."),
        ("York marches from Der Wald to Die Furt.", "York zieht vom Wald zur Furt."),
        ("York retreats from Kent to Wem.", "York weicht von Kent nach Wem zurück."),
        ("York marches to Die Eichen.", "York zieht zu den Eichen."),
        ("Die Jäger meet Der Herzog at Die Furt.", "Die Jäger treffen auf den Herzog, Ort: Die Furt."),
        ("York beats Die Jäger", "York schlägt die Jäger"),
        ("Kent and Die Jäger beat York", "Kent und die Jäger schlagen York"),
        ("Next, York meets Der Herzog", "Als Nächstes: York gegen den Herzog"),
        ("York takes Der Wald from Die Jäger", "York entreißt den Jägern den Wald"),
        (
            "York holds Der Wald against Der Graf and Die Garde",
            "York hält den Wald gegen den Grafen und die Garde",
        ),
        ("York beats Der Graf and allies", "York schlägt den Grafen und Verbündete"),
        ("Die Jäger and others against Kent, Die Furt", "Die Jäger und andere gegen Kent, Die Furt"),
        ("York has only Der Wald left.", "York hat nur noch den Wald."),
        ("Die Garde and Der Graf are at peace", "Frieden zwischen der Garde und dem Grafen"),
        (
            "York makes peace with Der Graf and Die Jäger.",
            "York schließt Frieden mit dem Grafen und den Jägern.",
        ),
        (
            "The peace between Der Graf and Die Garde has ended.",
            "Der Frieden zwischen dem Grafen und der Garde ist zu Ende.",
        ),
    ],
)
def test_the_article_of_a_name_has_its_case_in_a_german_sentence(english: str, german: str) -> None:
    subjects = {
        "places": ["Die Furt", "Der Wald", Noun("Die Eichen", plural=True)],
        "forces": [Noun("Die Jäger", plural=True), "Kent"],
        "factions": ["Der Graf", "Die Garde"],
    }
    document = translated(Document("x", [Paragraph(english)], {}, subjects=subjects), "de")
    assert document.blocks == [Paragraph(german)]
