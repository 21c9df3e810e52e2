"""Stories agree with their records, repeat no phrase, and leave no field unfilled."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import Report, report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import stream
from cardbattle.core.setup import Setup
from cardbattle.core.telling import Card, Fact, FactValue, Name, Points, conditions
from cardbattle.rules import RULE_SETS, find
from cardbattle.rules.warmonger.wars import names_in
from cardbattle.story.language import language, phrases_of
from cardbattle.story.naming import side_names
from cardbattle.story.rotation import Ordinals
from cardbattle.story.stakes import OPENERS, Stakes
from cardbattle.story.story import FEWEST, MOST, SHORT, sentences_in, tell_story
from cardbattle.story.teller import Teller

TOLD = tuple(RULE_SETS)
NAMES = ("Prince Henry", "The Malpas archers", "York", "Queen Margaret", "Red Company")
RANKS = set(language("en").words["ranks"].values())  # a card of this rank is not a number


@cache
def report(rules: str, seed: int, count: int = 2, viewer: int | None = None) -> Report:
    sides = {f"s{n}": {"name": NAMES[n]} for n in range(count)}
    record, referee = fight_battle(read_battle({"rules": rules, "seed": seed, "sides": sides}))
    return report_of(record, referee, viewer)


def sides_of(rules: str) -> range:
    chosen = find(rules)
    return range(chosen.fewest, min(chosen.most, len(NAMES)) + 1)


@pytest.mark.slow
@pytest.mark.parametrize("rules", TOLD)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_a_story_has_6_to_14_whole_sentences(rules: str, data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 10**6))
    count = data.draw(st.sampled_from(sides_of(rules)))
    viewer = data.draw(st.sampled_from([None, NOBODY, 0]))
    story = tell_story(report(rules, seed, count, viewer))
    sentences = re.findall(r"[^.!?]+[.!?](?: |$)", story.text)
    assert FEWEST <= len(sentences) <= MOST, story.text
    for sentence in story.sentences:
        assert re.fullmatch(r"[A-Z0-9][^{}|]*[.!?]", sentence), sentence
        assert not re.search(r" {2}| [.,;:]|None|\bs[0-4]\b", sentence), sentence


@pytest.mark.slow
@pytest.mark.parametrize("rules", TOLD)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_story_repeats_no_phrase_and_is_always_the_same(rules: str, seed: int) -> None:
    story = tell_story(report(rules, seed))
    assert len(story.phrases) == len(story.sentences)
    assert story == tell_story(report(rules, seed))


@pytest.mark.slow
@pytest.mark.parametrize("rules", TOLD)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_number_and_card_of_a_story_is_in_the_facts(rules: str, seed: int) -> None:
    """Every number word and every card with its suit comes from the plot, hence from the events."""
    seen = report(rules, seed)
    plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
    assert plot is not None
    facts = [*plot.opening, *plot.ending]
    facts += [fact for episode in plot.episodes for fact in (*episode.facts, episode.short)]
    facts += plot.hooks
    facts += [fact for thread in plot.threads for scene in thread.scenes for fact in scene.facts]
    if plot.summary is not None:
        ends = range(len(plot.episodes))
        facts += [plot.summary(first, last) for first in ends for last in ends if first < last]
    english = language("en", rules)
    allowed = {english.card(card) for fact in facts for card in cards_of(fact)}
    counts = {number for fact in facts for number in numbers_of(fact)} | {
        *range(len(plot.episodes) + 1),
        *range(max(SHORT.values()) + 1),
    }
    standings = [scores for episode in plot.episodes for scores in (*episode.standings, episode.before)]
    scores = {score for each in standings for score in each} | {*plot.episodes[-1].scores}
    counts |= scores | {abs(a - b) for a in scores for b in scores}
    shares = [Fraction(share) for share in seen.losses]
    shares += [english.rounded(share)[1] for share in shares]
    counts |= {part for share in shares for part in (share.numerator, share.denominator)}
    ranks = RANKS | {english.rank(card) for fact in facts for card in cards_of(fact)}
    unsaid = {english.number(n) for n in range(100)} - {english.number(n) for n in counts} - ranks
    story = tell_story(seen)
    for sentence, phrase in zip(story.sentences, story.phrases, strict=True):
        words, fixed = (
            {*re.findall(r"[a-z]+(?:-[a-z]+)?", text.casefold())}
            for text in (sentence, re.sub(r"\{.*?\}", " ", phrase))
        )
        words -= fixed
        assert not words & unsaid, sentence
        for card in re.findall(r"the [a-z]+ of (?:spades|hearts|diamonds|clubs)", sentence.casefold()):
            assert card in allowed, sentence


def cards_of(fact: Fact) -> list[Card]:
    values = [value if isinstance(value, list) else [value] for value in fact.fields.values()]
    return [card for each in values for card in each if isinstance(card, Card)]


def numbers_of(fact: Fact) -> list[int]:
    values = [value if isinstance(value, list) else [value] for value in fact.fields.values()]
    return [number for each in values for number in each if isinstance(number, int)]


@pytest.mark.parametrize("rules", TOLD)
def test_the_winner_is_named_at_the_end(rules: str) -> None:
    for seed in range(6):
        seen = report(rules, seed)
        story = tell_story(seen)
        ending = " ".join(story.sentences[-3:])
        if len(seen.winners) == 1:
            name = NAMES[seen.winners[0]].rsplit(" ", 1)[-1]
            assert name in ending or "He " in ending or "They " in ending or "She " in ending, story.text


def test_all_names_of_a_battle_stand_in_full_once() -> None:
    story = tell_story(report("field-of-honour", 8))
    assert story.text.count("Prince Henry") == 1
    assert story.text.casefold().count("the malpas archers") == 1


def test_a_rule_set_without_facts_has_a_plain_story() -> None:
    class Silent(type(find("field-of-honour"))):  # type: ignore[misc]
        def plot(self, setup: object, events: object) -> None:
            return None

    story = tell_story(report("field-of-honour", 8)._replace(rules=Silent()))
    assert len(story.sentences) == 3
    assert Name(0) is not None and "more spaces held" in story.text


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["strategy-war", "warmonger"])
def test_no_pronoun_stands_in_a_list_of_sides(rules: str) -> None:
    for seed in range(12):
        for count in (3, 4):
            text = tell_story(report(rules, seed, count)).text
            assert not re.search(r"\b(?:They|He|She|It), [A-Z]", text), text


@pytest.mark.slow
def test_a_card_was_brought_up_only_if_the_switch_touched_the_place() -> None:
    """A switch of two other cards does not appear as a change of this fight."""
    for seed in range(40):
        seen = report("wargame", seed)
        plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
        assert plot is not None
        for episode in plot.episodes:
            events = [event for _, event in seen.events[episode.first : episode.last + 1]]
            contested = next(event.fields["place"] for event in events if event.kind == "won")
            places = [event.fields["places"] for event in events if event.kind == "switched"]
            is_touched = any(isinstance(pair, list) and contested in pair for pair in places)
            if not is_touched:
                assert not re.match(r"switched|in_vain|both_switched|traitor_met", episode.short.kind)


@pytest.mark.parametrize("viewer", [NOBODY, 0])
def test_a_story_of_a_dark_battle_says_nothing_of_other_hands(viewer: int) -> None:
    """The cards that were never played stay unknown, and so does their sum."""
    table = {
        "format": 1, "rules": "strategy-war", "seed": 5, "house": {"mode": "dark", "rounds": 3},
        "sides": {name: {"cards": ["2", "5", "9", "K", "A"]} for name in ("york", "lancaster", "wales")},
    }  # fmt: skip
    record, referee = fight_battle(read_battle(table, ""))
    report = report_of(record, referee, viewer)
    richer = [dict(side) for side in report.setup.sides]
    richer[2]["cards"] = [2, 5, 9, 13, 14, 14]
    setup = Setup(report.setup.seats, report.setup.house, richer, {})
    assert tell_story(report._replace(setup=setup)) == tell_story(report)


@pytest.mark.slow
def test_a_fight_to_the_last_card_does_not_say_again_that_the_others_lost_everything() -> None:
    """The line stays where it says more, and where the story would be too short."""
    phrases = phrases_of("en", "warmonger")
    told = set()
    for seed in range(12):
        seen = report("warmonger", seed, 2 + seed % 3)
        story = tell_story(seen)
        is_cost = story.phrases[-1] in (*phrases["lost_all"], *phrases["many_lost_all_spared"])
        says_more = {*seen.losses} - {"0", "1"} or seen.reason != "last-standing"
        told.add(bool(says_more))
        assert not is_cost or says_more or len(story.sentences) == FEWEST
    assert told == {True, False}


@pytest.mark.parametrize("seed", range(10))
def test_a_story_of_warmonger_names_each_eliminated_side_and_when_it_was_eliminated(seed: int) -> None:
    seen = report("warmonger", seed, 5)
    plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
    assert plot is not None
    story = tell_story(seen)
    shorts = ["Henry", "archers", "York", "Margaret", "Company"]
    for fact in (fact for episode in plot.episodes for fact in episode.gone):
        assert fact.kind.startswith("out_raid") or "skirmish" in fact.fields
        for name in names_in(fact):
            assert any(shorts[name.seat] in sentence for sentence in story.sentences), story.text


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("kind", OPENERS)
@pytest.mark.parametrize("has_owner", [True, False])
@pytest.mark.parametrize("side", [0, 1])
def test_a_story_begins_with_what_a_side_has_at_stake(
    kind: str,
    side: int,
    lang: str,
    has_owner: bool,
) -> None:
    """What is at stake comes first, in two of three stories, and is said once.

    In each third story, the first sentence also says where and when, and who fights.
    """
    seen = report("field-of-honour", 5)
    holder = Fact("holds_place", {"place": "Ludlow", "side": Name(1 - side), "owner": "the Marches"})
    known = (
        {"owner": "the Crown"}
        if has_owner or kind in ("without_place", "comes_back")
        else conditions(own=True)
    )
    past: dict[str, FactValue] = {"count": 3, "times": 2, "ago": 4, "loser": "the Hills"}
    fields = {"place": "Ludlow", "side": Name(side), **past, **known}
    for number in range(6):
        stakes = Stakes(
            "Ludlow", "May 1403", ["It rained."], decides=[holder], memory=[Fact(kind, fields)],
            ordinals=Ordinals(number, number),
        )  # fmt: skip
        story = tell_story(seen, stakes, lang=lang)
        phrases = phrases_of(lang, seen.rules.key)
        kinds = (f"opens_{kind}", "meet_holder", f"first_{kind}")
        assert story.phrases[0] in phrases[kinds[number % 3]]
        assert story.sentences[0].startswith("Ludlow, May 1403. ") == (number % 3 == 0)
        assert story.sentences.index("It rained.") == (2 if number % 3 == 2 else 1)  # after who meets
        assert ("the Crown" in story.text.replace("The Crown", "the Crown")) == ("owner" in known)
        assert number % 3 == 1 or "Marches" not in story.text
        said = [phrase for each in (kind, *kinds[::2]) for phrase in phrases[each]]
        assert sum(phrase in said for phrase in story.phrases) == 1


def test_no_sentence_refers_to_one_that_was_left_out() -> None:
    """A round without a winner is "again" one only if the sentence before tells of the first."""
    words, phrases = language("en", "strategy-war"), phrases_of("en", "strategy-war")
    again = Fact(
        "rolled_again", {"round": 6, "pot": Points(46), "pair": [Name(0), Name(1)], "card": Card("K")}
    )
    for first, kind in ((Fact("rolled", again.fields), "rolled_again"), (None, "rolled")):
        teller = Teller(words, phrases, side_names(["York", "Kent"], [], words), stream("1", "story"))
        if first:
            assert teller.tell(first)
        assert teller.tell(again) and teller.last_kind == kind


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_story_with_much_behind_it_and_after_it_is_no_longer_than_others(rules: str) -> None:
    """The losses go first: what the battle changed in the war matters more."""
    for seed in range(12):
        seen = report(rules, seed)
        if len(seen.winners) != 1:
            continue
        winner = Name(seen.winners[0])
        loser = Name(1 - seen.winners[0])
        stakes = Stakes(
            place="Greyhill", when="May", ordinals=Ordinals(seed, 0), strengths=(20, 50),
            leaders=["Gorm", "Joss"],
            decides=[Fact("holds_place", {"place": "Greyhill", "side": loser, "owner": "the Clans"})],
            memory=[
                Fact("had_lost_all", {"side": winner, "count": 3}),
                Fact("had_won_all", {"side": loser, "count": 3}),
            ],
            casualties=[(5, 20), (9, 50)],
            consequences=[
                Fact("won_in_row", {"side": winner, "count": 2}),
                Fact("place_taken", {"place": "Greyhill", "side": winner}),
                Fact("leader_fell", {"leader": "Old Hamish", "side": loser}),
            ],
        )  # fmt: skip
        story = tell_story(seen, stakes)
        assert FEWEST <= sum(map(sentences_in, story.sentences)) <= MOST, story.text
        assert "Old Hamish" in story.sentences[-1]
