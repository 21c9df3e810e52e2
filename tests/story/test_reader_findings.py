"""Sentences that a reader found wrong or unclear do not come back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cardbattle.core.telling import Fact, Name
from cardbattle.rules import RULE_SETS
from cardbattle.rules.strategy_war.rounds import Round
from cardbattle.rules.strategy_war.score_history import ScoreHistory
from cardbattle.rules.strategy_war.story import settle
from cardbattle.rules.strategy_war.threads import lost_pot
from cardbattle.story.language import language, phrases_of
from cardbattle.story.stakes import Stakes
from cardbattle.story.story import ODDS, tell_story
from tests.story.test_story import report

WRONG = (  # what was wrong: a promise of the other outcome, an unknown term, a count that does not add up
    "ought to have been", "Chip or not", "would have said {", "Whenever", "of the thirteen battles",
    "Most cards", "for good, {", "in it changed", "way as the stronger"
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


def is_better(fact: Fact) -> bool:
    return fact.kind in ("lines_ahead", "lines_far_ahead")


def test_attacks_at_the_beginning_are_not_the_next_ones() -> None:
    for line in phrases_of("en", "wargame")["beaten_off"]:
        assert "next" not in line or "{later.if}" in line, line
