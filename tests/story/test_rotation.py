"""The phrases of stories take turns over the battles of a campaign."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardbattle.rules import RULE_SETS
from cardbattle.story.language import phrases_of
from cardbattle.story.rotation import GROUPS, OTHER_GROUP, Ordinals, penalties
from cardbattle.story.stakes import Stakes
from cardbattle.story.story import tell_story
from tests.story.test_story import report

MOST_REPEATED = 40  # one frame of this many can repeat one of the two stories before


@pytest.mark.parametrize("rules", RULE_SETS)
def test_in_three_battles_in_a_row_each_phrase_has_its_turn_once(rules: str) -> None:
    for kind, lines in phrases_of("en", rules).items():
        for first in (0, 4):
            for is_common in (True, False):
                battles = [
                    penalties(lines, Ordinals(number, number), is_common=is_common)
                    for number in range(first, first + GROUPS)
                ]
                turns = [[rest < OTHER_GROUP for rest in rests] for rests in zip(*battles, strict=True)]
                if len(lines) >= GROUPS:
                    assert all(turn.count(True) == 1 for turn in turns), kind
                    assert all(map(any, zip(*turns, strict=True))), kind  # no battle is without phrases


def frames(rules: str, battles: int) -> Iterator[list[str]]:
    """Yield the phrases of the stories of battles in a row."""
    for number in range(battles):
        story = tell_story(report(rules, number + 100), Stakes(ordinals=Ordinals(number, number)))
        yield [*story.phrases, *story.tails]


@pytest.mark.parametrize("battles", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_stories_in_a_row_seldom_repeat_a_frame(battles: int) -> None:
    total = repeated = 0
    for rules in RULE_SETS if battles > 4 else ["wargame", "strategy-war"]:
        told = [*frames(rules, battles)]
        for at, phrases in enumerate(told):
            recent = {phrase for each in told[max(0, at - 2) : at] for phrase in each}
            repeated += sum(phrase in recent for phrase in phrases)
            total += len(phrases)
    assert repeated * MOST_REPEATED <= total


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["wargame", "warmonger"])
def test_only_the_first_stories_of_a_campaign_explain_terms(rules: str) -> None:
    explained = {
        number: sum(
            "(" in tell_story(report(rules, seed), Stakes(ordinals=Ordinals(number, number))).text
            for seed in range(8)
        )
        for number in (0, 1, 9)
    }
    assert explained[0] and not explained[1] and not explained[9]
    assert any("(" in tell_story(report(rules, seed)).text for seed in range(8))
