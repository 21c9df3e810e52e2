"""Sentences that a reader found wrong or unclear do not come back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cardbattle.core.chance import stream
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.telling import Card, Fact, FactValue, Name
from cardbattle.rules import RULE_SETS
from cardbattle.rules.strategy_war.rounds import Round
from cardbattle.rules.strategy_war.score_history import ScoreHistory
from cardbattle.rules.strategy_war.story import settle
from cardbattle.rules.strategy_war.threads import lost_pot
from cardbattle.rules.warmonger.wars import War
from cardbattle.story.language import language, phrases_of, read_table, with_clause
from cardbattle.story.naming import side_names
from cardbattle.story.stakes import Stakes, context_facts
from cardbattle.story.story import ODDS, tell_story
from cardbattle.story.teller import Teller
from tests.story.test_story import NAMES, report

WRONG = (  # what was wrong: a promise of the other outcome, an unknown term, a count that does not add up
    "ought to have been", "Chip or not", "would have said {", "Whenever", "of the thirteen battles",
    "Most cards", "for good, {", "in it changed", "way as the stronger", "Until that day {place}"
)  # fmt: skip


def lines_of(rules: str) -> Iterator[tuple[str, str]]:
    yield from ((kind, line) for kind, lines in phrases_of("en", rules).items() for line in lines)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_phrases_that_misled_a_reader_are_gone(rules: str) -> None:
    for kind, line in lines_of(rules):
        assert not [wrong for wrong in WRONG if wrong in line], (kind, line)


def test_a_lost_streak_is_named_only_if_it_ended() -> None:
    """A side that lost every fight up to turn nine won one later."""
    for line in phrases_of("en", "warfare-tactics")["before_all"]:
        assert not re.search(r"\b(Up to|The first|It began)\b", line) or "{broken.if}" in line, line


def test_ordinals_up_to_199_are_words() -> None:
    assert [language("en").ordinal(n) for n in (55, 101, 124, 200)] == [
        "fifty-fifth", "hundred and first", "hundred and twenty-fourth", "200th",
    ]  # fmt: skip


def test_the_points_of_a_last_round_without_a_winner_are_named() -> None:
    """The points of the sides then add up to those of all rounds."""
    rounds = [Round(at + 1, cards, [], at) for at, cards in enumerate([[5, 3], [9, 2], [8, 8]])]
    settle(rounds)
    facts = [fact for scene in lost_pot(ScoreHistory(rounds, [0])) for fact in scene.facts]
    assert [(fact.kind, fact.fields["pot"]) for fact in facts] == [("pot_lost", 16)]


@pytest.mark.slow
def test_odds_that_contradict_the_cards_are_left_out() -> None:
    """Wargame compares the lines of cards; the odds can be against the better line."""
    phrases = phrases_of("en", "wargame")
    odds = {line for kind in ODDS for line in phrases[kind]}
    told = set()
    for seed in range(12):
        seen = report("wargame", seed)
        plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
        assert plot is not None
        better = [fact.fields["side"] for fact in plot.opening if is_better(fact)]
        for weak in (0, 1) if better else ():
            chances = [400, 600] if weak == 0 else [600, 400]
            has_odds = bool(odds & {*tell_story(seen, Stakes(chances=chances)).phrases})
            assert has_odds == (better != [Name(weak)])
            told.add(has_odds)
    assert told == {True, False}


@pytest.mark.parametrize("is_rough", [False, True])
@pytest.mark.parametrize("many", [0, 1])
def test_odds_against_the_stronger_side_are_left_out(is_rough: bool, many: int) -> None:
    """Its commander can be worse, but that is not what a reader thinks of."""
    strengths = [40, 20] if many == 0 else [20, 40]
    for weak in (0, 1):
        chances = [300, 700] if weak == 0 else [700, 300]
        stakes = Stakes(chances=chances, best_known=strengths)
        if is_rough:
            stakes = stakes._replace(rough_strengths=strengths)
        else:
            stakes = stakes._replace(strengths=strengths)
        kinds = [fact.kind for fact in context_facts(stakes, [])]
        assert ("unfancied" in kinds) == (weak != many)
        assert any(kind.startswith("outnumbered") for kind in kinds)


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("chance", [100, 300, 400, 500])
def test_odds_after_the_first_moves_are_those_when_the_fighting_began(chance: int, lang: str) -> None:
    """Before a deployment, the same battle can be even."""
    for has_begun, mark in ((False, "early"), (True, "begun")):
        stakes = Stakes(chances=[chance, 1000 - chance], has_begun=has_begun)
        (fact,) = context_facts(stakes, [])
        assert {"early", "begun"} & {*fact.fields} == {mark}
        lines = phrases_of(lang, "wargame")[fact.kind]
        marked = [line for line in lines if f"{{{mark}.if}}" in line]
        assert marked and all(bool(re.search("fight|Kampf", line)) == has_begun for line in marked)
        assert all("{early.if}" in line or "{begun.if}" in line for line in lines)


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize("strengths", [[15, 10], [10, 15], [16, 11], [0, 12], [12, 12]])
def test_odds_against_a_side_that_the_reader_takes_for_the_stronger_are_left_out(
    strengths: list[int], viewer: int | None
) -> None:
    """A player knows one strength exactly, and the other roughly: no sentence is about both."""
    for chances in ([180, 820], [820, 180]):
        weak = chances.index(180)
        stakes = Stakes(chances=chances, viewer=viewer, best_known=strengths)
        assert bool(context_facts(stakes, [])) == (not 0 < strengths[1 - weak] < strengths[weak])


def is_better(fact: Fact) -> bool:
    return fact.kind in ("lines_ahead", "lines_far_ahead")


def test_attacks_at_the_beginning_are_not_the_next_ones() -> None:
    for line in phrases_of("en", "wargame")["beaten_off"]:
        assert "next" not in line or "{later.if}" in line, line


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_date_after_a_place_begins_in_lower_case(rules: str) -> None:
    for seed, (place, when) in enumerate([("The old mill", "The week of St Swithin"), ("Chirk", "8 July")]):
        story = tell_story(report(rules, seed), Stakes(place, when))
        assert story.sentences[0].startswith((f"{place}, {mid_sentence(when)}.", when)), story.sentences[0]


def test_lines_of_wargame_are_compared_by_the_fights_they_would_win() -> None:
    """A Spy is lower than the two cards that it beats."""
    for kind, lines in phrases_of("en", "wargame").items():
        if kind.startswith("lines_"):
            assert not [line for line in lines if re.search(r"high|lower|strong", line)], kind


SPY_BEATS_NO_OTHER = re.compile(
    r"beats (only|just)|only those|to the rest|no others|no use|only to the two|only the (two|great)"
)


def test_what_explains_a_spy_is_true_of_both_spies() -> None:
    """The higher Spy also beats the lesser one."""
    words = language("en", "wargame")
    texts = [line for _, line in lines_of("wargame") if "{spy.first}" in line or "{spy.known}" in line]
    for text in (*texts, *words.clauses["Spy"], *words.remarks["spy"]):
        assert not SPY_BEATS_NO_OTHER.search(text), text


def test_a_spy_that_beats_a_spy_is_not_the_place_to_explain_it() -> None:
    teller = Teller(language("en", "wargame"), phrases_of("en", "wargame"), side_names(NAMES), stream(1, "t"))
    fields: dict[str, FactValue] = {
        "side": Name(0), "rival": Name(1), "fight": 3, "beaten": Card("1"), "card": Card("2"),
    }  # fmt: skip
    teller.tell(Fact("plain_attack", {**fields, "unglossed": "spy"}))
    assert "highest" not in teller.sentences[0].text and "spy" not in teller.explained
    teller.tell(Fact("plain_attack", fields | {"card": Card("9")}))
    assert "highest" in teller.sentences[1].text


def test_no_clause_comes_between_a_word_and_the_clause_about_it() -> None:
    assert with_clause("It went for the Spy, which fell.", "Spy", "a weak card") is None
    assert with_clause("York showed a War Joker.", "War", "a contest for the best total") is None


ARMIES = ("lead", "tail_lead", "lead_then", "tail_lead_then", "bridge_passed")
COMPARED = {
    r"strongest|largest|\bmost\b|the next had|[Nn]obody": "{many.if}",
    r"the (stronger|larger)|more cards": "{two.if}",
}


@pytest.mark.parametrize("kind", ARMIES)
def test_the_strongest_of_two_armies_is_the_stronger(kind: str) -> None:
    for line in phrases_of("en", "warmonger")[kind]:
        for words, condition in COMPARED.items():
            assert not re.search(words, line) or condition in line, line


def test_a_gain_of_cards_is_not_a_lead() -> None:
    phrases = phrases_of("en", "warmonger")
    assert not [line for line in phrases["tail_army_grew"] if "the stronger by" in line]


def test_no_more_than_is_said_only_of_a_low_total() -> None:
    for kind, line in lines_of("warmonger"):
        assert "no more than {score}" not in line or "{low.if}" in line, (kind, line)


def test_a_side_that_fought_a_battle_of_a_war_did_not_refuse_it() -> None:
    """Both made twenty, and then one retreated from the second count."""
    war = War(5, 0, {}, [10, 10])
    war.sides, war.winner, war.retreated = [0, 1], 0, [1]
    assert war.alone().kind == "won_alone"
    war.result = war.alone()
    assert war.short().kind == "short_won_alone"
    war.ties = [Fact("tied_once", {"score": 20})]
    assert (war.short().kind, war.short().fields["level"]) == ("short_won_alone_tied", 20)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_ratio_of_strengths_is_not_taken_for_one_of_cards(rules: str) -> None:
    for kind in ("outnumbered", "outnumbered_by"):
        for line in phrases_of("en", rules)[kind]:
            assert re.search(r"strength|\bm[ae]n\b", line, re.I), line


def test_the_cards_of_a_fight_that_come_later_are_those_after_the_first_two() -> None:
    for kind, line in lines_of("warfare-tactics"):
        assert "{thrown} cards later" not in line, (kind, line)


MISREAD = {  # words of phrases that claimed more than the events show, and the condition that they need
    "warfare-tactics": {
        "threw in what": "-",  # both kept cards
        "Until then it": "-",  # no moment was named before
        r"\} was next": "-",  # another fight lay between
        r"had fought for": "-",  # the card was taken from a hand
        "on the field again": "-",  # its price was paid from a hand
        "the price of the other to count": "-",  # each counted its own
        r"(could|to|had to|with more) (now )?(add|lay)|more to add|with more cards": "{able.if}",
    },
    "field-of-honour": {
        "changes? a space": "-",  # an Ace does not
        "only the .* had kept .* from a draw": "-",  # another space would have done it too
        r"one more space for|one space more": "{more.if}",
        "went on {count}": "-",
    },
    "strategy-war": {r"\bhad \{pot\} points": "-"},  # not a total
    "wargame": {r"\bdrew level in the next": "-"},  # and lost the lead again in these fights
}
CASES = [(rules, words, needed) for rules, claims in MISREAD.items() for words, needed in claims.items()]


@pytest.mark.parametrize(("rules", "words", "needed"), CASES)
def test_a_phrase_says_no_more_than_a_reader_finds_in_the_log(rules: str, words: str, needed: str) -> None:
    own = read_table("en", rules)
    for kind, lines in own.items():
        for line in lines if isinstance(lines, list) else ():
            assert not re.search(words, line) or needed in line, (kind, line)


def test_what_happens_to_a_space_is_told_when_it_happens() -> None:
    for line in phrases_of("en", "field-of-honour")["tail_settled_held"]:
        assert not re.search(r"\bhad (won|lost)\b", line), line


def test_neither_of_two_specials_is_not_none_of_them() -> None:
    for line in phrases_of("en", "field-of-honour")["vain_end"]:
        assert "none had" not in line or "{more.if}" in line, line


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_rule_of_scoring_is_explained_by_one_term(rules: str) -> None:
    """A story of Warfare Tactics explained what the lost cards count for, and then the points."""
    words = language("en", rules)
    rule = [term for term, texts in words.remarks.items() if any("lost" in text for text in texts)]
    assert len(rule) <= 1


def test_what_a_war_did_to_an_army_is_not_said_of_a_raid_after_it() -> None:
    """The sentence before can be about a Raid."""
    for kind in ("tail_army_grew", "tail_army_shrank"):
        for line in phrases_of("en", "warmonger")[kind]:
            assert not re.search(r"\b(it|that|which) (made|brought|cost|left)\b", line), line


@pytest.mark.parametrize("kind", ["climb", "streak"])
def test_rounds_after_others_are_counted_from_a_round_that_is_named(kind: str) -> None:
    for line in phrases_of("en", "strategy-war")[kind]:
        is_named = "after round {since}" in line.lower()
        assert is_named or not re.search(r"\bnext\b(?!\})|^Then\b", line), line


def test_a_change_of_lead_names_its_time_and_no_cause() -> None:
    """Between two Wars of a story cards change hands in skirmishes, by Raids and by other Wars."""
    for line in phrases_of("en", "warmonger")["bridge_passed"]:
        assert "{skirmish" in line or "for a while" in line, line
        assert not re.search(r"[Ss]kirmish by|Bit by|Card by|one lost card|in the skirmishes|By then", line)
